"""How moves and boards are numbered for learners: actions from 0 to n - 1, observations as arrays.

Moves of a game may be any ints; an action is the same move under a small number that always means the same. A game says
in its folder (`learning.py`) how its own are numbered. A game that does not, such as a user's own, numbers its moves by
their place in the list of legal moves, and shows the ints of its position as they are.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ludion import registry
from ludion.core.words import flat
from ludion.errors import UnfitError
from ludion.kinds.games import Game, Quest, Searched
from ludion.kinds.learning import Coding, WorldCoding
from ludion.kinds.moving import most_moves
from ludion.messages import message
from ludion.positions import Position

G = TypeVar("G", bound=Game[Any, Any])

AnyGame = str | Path | Game[Any, Any]  # the name of a game, the path of a game file, or a description

RENDER_MODES = ("ansi", "svg", "rgb_array", "human")
PIXELS = 16  # of a cell
COLOURS = np.array(
    [
        (246, 244, 238), (52, 58, 64), (214, 40, 40), (29, 105, 180), (245, 180, 30), (46, 139, 87),
        (142, 68, 173), (230, 126, 34), (22, 160, 133), (149, 165, 166), (121, 85, 72), (236, 112, 160),
    ],
    np.uint8,
)  # fmt: skip
LINE_COLOUR = (200, 200, 200)


def find_game(game: AnyGame, kind: type[G]) -> G:
    """The game, which must be of this kind."""
    description = game if isinstance(game, Game) else registry.find(str(game))
    if not isinstance(description, kind):
        raise UnfitError(
            message(
                "adapters.wrong_kind", game=description.caption, kind=description.kind, expected=kind.kind
            )
        )
    return description


def coding_of(position: Position) -> Coding:
    """The numbering for games on the board of this position of a puzzle or duel."""
    game = position.game
    if isinstance(game, Searched) and game.learning is not None:
        return game.learning(position.rules, position.state)
    return default_coding(position)


def default_coding(position: Position) -> Coding:
    """Actions by their place in the list of legal moves, the ints of the position as they are."""
    limits = np.iinfo(np.int64)

    def observe(now: Any, own: bool) -> np.ndarray:
        return np.array(flat(now), np.int64)

    size = len(flat(position.state))
    return Coding(int(most_moves(position.rules)), None, (size,), limits.min, limits.max, observe)


def world_coding_of(position: Position) -> WorldCoding:
    """The numbering for a quest."""
    game = position.game
    if not isinstance(game, Quest) or game.learning is None:
        raise UnfitError(message("adapters.no_coding", game=game.caption))
    return game.learning(position.rules, position.state)


# ------------------------------------------------------------------ pictures


def render(mode: str | None, position: Position, board: np.ndarray) -> str | np.ndarray | None:
    """The position as text or SVG, or the board as coloured cells; `human` prints the text."""
    if mode == "ansi":
        return str(position)
    if mode == "svg":
        return position.svg()
    if mode == "rgb_array":
        return picture(board)
    if mode == "human":
        print(position)
    return None


def picture(numbers: np.ndarray) -> np.ndarray:
    """A board of small numbers as an array of coloured cells."""
    board = np.atleast_2d(numbers)
    if board.ndim == 3:  # planes: the first that is not empty gives the colour
        board = sum((plane != 0) * (np.abs(plane) + 2 * i) for i, plane in enumerate(board[:2]))
    cells = COLOURS[np.abs(np.asarray(board, np.int64)) % len(COLOURS)]
    image: np.ndarray = cells.repeat(PIXELS, 0).repeat(PIXELS, 1)
    image[::PIXELS] = image[:, ::PIXELS] = LINE_COLOUR
    return image
