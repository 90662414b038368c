"""The contract of a puzzle: one player who sees all and looks for a cheapest path to a goal.

A *game* is a NamedTuple of the rules' tables, a *position* a NamedTuple of ints (and tuples of ints). Moves are
ints. For every game, and every position that can be reached in it:

- `moves` fills the buffer with the legal moves, each once, in a fixed order, and returns how many there are; no
  more than `most_moves(rules)`;
- `play` of a legal move gives a new position and changes nothing else;
- `is_goal` says whether the puzzle is solved; `cost` of a legal move is at least 1;
- `pack` gives one to eight 64-bit words as a tuple, different for different positions, and `unpack` inverts it.
  A game need not write them: by default the words are the ints of the position;
- a *heuristic* is a NamedTuple too: `estimate(heuristic, rules, position)` is at least 0. It is *admissible* if it
  never exceeds the cost of a cheapest path to a goal, and the description says whether it is.
  `estimate_after` gives the same number for the position after a move, from the number before it, if that is
  cheaper; by default it is `estimate`;
- depth-first search can update more than one number along a line: a *trace*, a NamedTuple of ints that `begin` creates
  and `advance` updates, whose `value` never exceeds the estimate; `refine` then adds the expensive part, and is called
  only if `value` does not exceed the bound. A heuristic need not write them: by default the trace is the estimate;
- a puzzle whose moves are all reversible has `reverse`. Where they are not, `moves_back` gives the moves that lead to a
  position and `play_back` the position before one of them; by default both follow from `reverse`. A puzzle with exactly
  one goal has `goal`, one with several lists them with `goals`. With goals and a way back, search can start at both;
- a puzzle with both can have a pattern database: `projections` numbers the smaller puzzles and `project` makes the
  position of one of them; `engines/projections.py` says what they promise. If `share` divides the cost of a move
  between them, their distances are added. A puzzle whose positions have `variables` that can be left out one by
  one may let ludion choose: the number of a smaller puzzle is then the set of the variables that it knows;
- a position has so many `features`, numbered values such as where each piece stands, and `feature` is one of them;
  search for what is new compares them. By default they are the ints of the position;
- images of a position under the `symmetries` of the rules, if there are any, are as far from a goal as it is;
- `moves_after` gives the moves that depth-first search should try after a given one: by default all but the one that
  undoes it.
"""

# mypy: disable-error-code="empty-body"
from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import verb
from ludion.core.words import flat, load, pick, size
from ludion.kinds.moving import mirror as mirror
from ludion.kinds.moving import most_moves as most_moves
from ludion.kinds.moving import moves as moves
from ludion.kinds.moving import play as play
from ludion.kinds.moving import symmetries as symmetries
from ludion.kinds.values import Guide, Rules, State

NO_MOVE = -1


@verb
def is_goal(rules: Rules, position: State) -> bool:
    """Whether the puzzle is solved."""


@verb
def cost(rules: Rules, position: State, move: int) -> int:
    """The cost of the move, at least 1."""


@cost.otherwise
def _(rules: Rules, position: State, move: int) -> int:
    return 1


@verb
def pack(rules: Rules, position: State) -> tuple[int, ...]:
    """The position as a tuple of 64-bit words; `unpack` is its inverse."""


@pack.otherwise
def _(rules: Rules, position: State) -> tuple[int, ...]:
    return flat(position)


@verb
def unpack(rules: Rules, words: tuple[int, ...], like: State) -> Any:
    """The inverse of `pack`: the position of these words; `like` is any position of the game."""


@unpack.otherwise
def _(rules: Rules, words: tuple[int, ...], like: State) -> Any:
    return load(words, like)


@verb
def reverse(rules: Rules, move: int) -> int:
    """The move that undoes this one, or `NO_MOVE`."""


@reverse.otherwise
def _(rules: Rules, move: int) -> int:
    return NO_MOVE


@verb
def moves_after(rules: Rules, position: State, last: int, buffer: np.ndarray) -> int:
    """Like `moves`, without those that are not worth trying after the move `last` (or `NO_MOVE`)."""


@moves_after.otherwise
def _(rules: Rules, position: State, last: int, buffer: np.ndarray) -> int:
    backwards = reverse(rules, last) if last != NO_MOVE else NO_MOVE
    count = 0
    for k in range(moves(rules, position, buffer)):
        move = buffer[k]
        if move != backwards:
            buffer[count] = move
            count += 1
    return count


@verb
def moves_back(rules: Rules, position: State, buffer: np.ndarray) -> int:
    """Fill the buffer with the moves that lead to this position; none does so from two positions."""


@moves_back.otherwise
def _(rules: Rules, position: State, buffer: np.ndarray) -> int:
    count = moves(rules, position, buffer)
    for k in range(count):
        buffer[k] = reverse(rules, buffer[k])
    return count  # type: ignore[no-any-return]


@verb
def play_back(rules: Rules, position: State, move: int) -> Any:
    """The position from which the move, one of `moves_back`, leads to this one."""


@play_back.otherwise
def _(rules: Rules, position: State, move: int) -> Any:
    return play(rules, position, reverse(rules, move))


@verb
def goal(rules: Rules) -> Any:
    """The only goal."""


@verb
def goals(rules: Rules) -> Sequence[Any]:
    """All positions that are goals; called in plain Python only."""


@goals.otherwise
def _(rules: Rules) -> Sequence[Any]:
    return [goal(rules)] if goal.has(rules) else []


def can_search_backwards(rules: Rules) -> bool:
    """Whether the goals are known and moves can be followed from a position to those before it."""
    return (goal.has(rules) or goals.has(rules)) and (reverse.has(rules) or play_back.has(rules))


@verb
def projections(rules: Rules) -> Sequence[int]:
    """The numbers of the smaller puzzles that a pattern database has distances of; called in plain Python only."""


@projections.otherwise
def _(rules: Rules) -> Sequence[int]:
    return ()


@verb
def variables(rules: Rules) -> int:
    """How many variables of a position can be forgotten, each by itself; called in plain Python only.

    The number of a projection is then a set of variables, variable v as bit v, which the smaller puzzle knows.
    """


@variables.otherwise
def _(rules: Rules) -> int:
    return 0


@verb
def project(rules: Rules, position: State, number: int) -> Any:
    """The position projected to the smaller puzzle of this number; projecting it again changes nothing."""


@verb
def smaller(rules: Rules, number: int) -> Any:
    """The rules of the smaller puzzle, where they differ: of the same type. Called in plain Python only."""


@smaller.otherwise
def _(rules: Rules, number: int) -> Any:
    return rules


@verb
def share(rules: Rules, position: State, move: int, number: int) -> int:
    """The part of a move's cost that counts in the smaller puzzle of this number, 0 or more. The sum of all parts is at
    most the cost.

    By default the whole cost: then only the largest of the distances counts.
    """


@share.otherwise
def _(rules: Rules, position: State, move: int, number: int) -> int:
    return cost(rules, position, move)  # type: ignore[no-any-return]


@verb
def features(rules: Rules, position: State) -> int:
    """How many features a position has, as many as any other."""


@features.otherwise
def _(rules: Rules, position: State) -> int:
    return size(position)


@verb
def feature(rules: Rules, position: State, number: int) -> int:
    """The value of a feature, such as the place of a piece."""


@feature.otherwise
def _(rules: Rules, position: State, number: int) -> int:
    return pick(flat(position), number)


@verb
def estimate(heuristic: Guide, rules: Rules, position: State) -> int:
    """An estimate of the cost of a cheapest path to a goal; 0 at a goal if the heuristic is admissible."""


@verb
def estimate_after(
    heuristic: Guide, rules: Rules, before: int, position: State, move: int, child: State
) -> int:
    """The estimate of `child`, which `move` reaches from `position`, whose estimate is `before`."""


@estimate_after.otherwise
def _(heuristic: Guide, rules: Rules, before: int, position: State, move: int, child: State) -> int:
    return estimate(heuristic, rules, child)  # type: ignore[no-any-return]


@verb
def begin(heuristic: Guide, rules: Rules, position: State) -> Any:
    """The trace of a line that starts here."""


@begin.otherwise
def _(heuristic: Guide, rules: Rules, position: State) -> Any:
    return estimate(heuristic, rules, position)


@verb
def advance(heuristic: Guide, rules: Rules, trace: Any, position: State, move: int, child: State) -> Any:
    """The trace, of the same type, of `child`, which `move` reaches from `position`, whose trace is given."""


@advance.otherwise
def _(heuristic: Guide, rules: Rules, trace: Any, position: State, move: int, child: State) -> Any:
    return estimate_after(heuristic, rules, trace, position, move, child)


@verb
def refine(heuristic: Guide, rules: Rules, trace: Any, move: int, child: State) -> Any:
    """The trace of `advance` for `child`, with the part that it left out; its value may only rise."""


@refine.otherwise
def _(heuristic: Guide, rules: Rules, trace: Any, move: int, child: State) -> Any:
    return trace


@verb
def value(trace: Any) -> int:
    """The estimate of the remaining cost by this trace."""


@value.otherwise
def _(trace: Any) -> int:
    return trace  # type: ignore[no-any-return]


class Blind(NamedTuple):
    """The trivial heuristic: A* with it is uniform-cost search."""


@estimate.register(Blind)
def _(heuristic: Guide, rules: Rules, position: State) -> int:
    return 0


def blind(rules: Rules) -> Blind:
    """The trivial heuristic, for a description."""
    return Blind()
