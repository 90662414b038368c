"""The contract of a duel: two players who move in turn, see all and want opposite things.

A *game* is a NamedTuple of the rules' tables, a *position* a NamedTuple of ints (and tuples of ints); a large
position may hold arrays that `play` changes in place. Moves are ints. For every position that can be reached:

- `verdict` is for the player to move: `WON`, `LOST`, `DRAWN`, or `OPEN` while the game goes on;
- `moves` of an open position fills the buffer with the legal moves, each once, in a fixed order, and returns how
  many there are: at least one (a forced pass is a move), at most `most_moves(rules)`;
- `play` gives the position seen by the other player. If it changes arrays in place, `undo(rules, child, move)`
  restores them, and `copy` returns a position with its own arrays; a game of plain values needs neither;
- `key` is a 64-bit hash, equal for equal positions. By default it is computed from the ints of the position;
- `symmetries(rules)` is the number of symmetries of the rules (including the identity, number 0); `mirror` gives
  the image of a position and `mirror_move` of a move. Images have the same verdict, the same value, and the images
  of the moves;
- an *evaluation* is a NamedTuple too: `evaluate(evaluation, rules, position)` estimates the outcome of an open
  position for the player to move, as points between -`HIGHEST` and `HIGHEST`; `move_order` ranks a move before it is
  searched (higher is tried earlier); `forcing` gives the moves that must be searched before the position is evaluated.
  If an evaluation has `forcing`, the search trusts its move ordering and searches late moves less deeply.
"""

# mypy: disable-error-code="empty-body"
from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import HIGHEST as HIGHEST
from ludion.answers import WIN as WIN
from ludion.core.verbs import verb
from ludion.core.words import digest
from ludion.errors import GameFileError
from ludion.kinds.moving import mirror as mirror
from ludion.kinds.moving import most_moves as most_moves
from ludion.kinds.moving import moves as moves
from ludion.kinds.moving import play as play
from ludion.kinds.moving import symmetries as symmetries
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

LOST, DRAWN, WON, OPEN = -1, 0, 1, 2


@verb
def how_many(rules: Rules, position: State, buffer: np.ndarray) -> int:
    """The number of legal moves, for games that can count without listing them; the buffer may be used."""


@how_many.otherwise
def _(rules: Rules, position: State, buffer: np.ndarray) -> int:
    return moves(rules, position, buffer)  # type: ignore[no-any-return]


@verb
def undo(rules: Rules, child: State, move: int) -> None:
    """Restore the arrays that `play` changed in place to reach `child`."""


@undo.otherwise
def _(rules: Rules, child: State, move: int) -> None:
    pass


@verb
def copy(rules: Rules, position: State) -> Any:
    """The same position with its own arrays."""


@copy.otherwise
def _(rules: Rules, position: State) -> Any:
    return position


@verb
def verdict(rules: Rules, position: State) -> int:
    """For the player to move: WON, LOST, DRAWN or OPEN."""


def checked_verdict(rules: Rules, position: State) -> int:
    """The verdict in plain Python; any value but the four ints is an error that names the user's file."""
    result = verdict(rules, position)
    if isinstance(result, (bool, np.bool_)) or result not in (LOST, DRAWN, WON, OPEN):
        code = getattr(verdict.find(type(rules)), "__code__", None)
        place = f"{Path(code.co_filename).name}:{code.co_firstlineno}: " if code is not None else ""
        came = f"{type(result).__name__} {result!r}"
        expected = "OPEN, WON, LOST, DRAWN"
        sentence = message("checks.returns", verb="verdict", expected=expected, came=came)
        raise GameFileError(place + sentence)
    return int(result)


@verb
def key(rules: Rules, position: State) -> int:
    """A 64-bit hash of the position."""


@key.otherwise
def _(rules: Rules, position: State) -> int:
    return digest(position)


@verb
def mirror_move(rules: Rules, move: int, symmetry: int) -> int:
    """The image of the move."""


@mirror_move.otherwise
def _(rules: Rules, move: int, symmetry: int) -> int:
    return move


@verb
def evaluate(evaluation: Guide, rules: Rules, position: State) -> int:
    """Points for the player to move, between -HIGHEST and HIGHEST."""


@verb
def move_order(evaluation: Guide, rules: Rules, position: State, move: int) -> int:
    """A rank for the move before it is searched: higher is tried earlier."""


@move_order.otherwise
def _(evaluation: Guide, rules: Rules, position: State, move: int) -> int:
    return 0


@verb
def forcing(evaluation: Guide, rules: Rules, position: State, buffer: np.ndarray) -> int:
    """Fill the buffer with the moves that must be searched before the position is evaluated; return their number."""


@forcing.otherwise
def _(evaluation: Guide, rules: Rules, position: State, buffer: np.ndarray) -> int:
    return 0


class Even(NamedTuple):
    """The trivial evaluation: every open position is even."""


@evaluate.register(Even)
def _(evaluation: Guide, rules: Rules, position: State) -> int:
    return 0


def even(rules: Rules) -> Even:
    """The trivial evaluation, for a description."""
    return Even()
