"""Numbers moves and boards for learners: actions from 0 to n - 1, observations as arrays.

Moves of a game may be any ints; an action is a small number that always means the same move. `learning.py` in a game's
folder defines its numbering. A game without it, such as a user's own, may describe its board (`ludion.Board`): its
pieces are observed as planes, and its moves are numbered by their cells. Without a board, moves are numbered by their
place in the list of legal moves, and the ints of the position are the observation.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ludion import registry
from ludion.core.words import flat, mix
from ludion.errors import UnfitError
from ludion.kinds.boards import cell_names
from ludion.kinds.games import Game, Quest, Searched
from ludion.kinds.learning import Coding, WorldCoding, mask_of
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
WALK_SEEDS, WALK_STEPS = (1, 2, 3), 40
LINE_COLOUR = (200, 200, 200)


def find_game(game: AnyGame, kind: type[G]) -> G:
    """The game; an error if it is of another kind."""
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
    if game.board is not None:
        return board_coding(position)
    limits = np.iinfo(np.int64)

    def observe(now: Any, own: bool) -> np.ndarray:
        return np.array(flat(now), np.int64)

    size = len(flat(position.state))
    return Coding(int(most_moves(position.rules)), None, (size,), limits.min, limits.max, observe)


def board_coding(position: Position) -> Coding:
    """The planes of the described board; moves by their cells, or by their place in the list of legal moves."""
    game, rules = position.game, position.rules

    def observe(now: Any, own: bool) -> np.ndarray:
        board = game.describe_board(rules, now)
        return board.array() if board.turn is None else board.array(board.turn if own else 1 - board.turn)

    shape = observe(position.state, True).shape
    if game.move_cells is None:
        return Coding(int(most_moves(rules)), None, shape, 0, 1, observe)
    cells = MoveCells(position)
    return Coding(cells.actions, cells.number, shape, 0, 1, observe)


def world_coding_of(position: Position) -> WorldCoding:
    """The numbering for a quest: its own, or by the board that its player sees and the cells of its actions."""
    game, rules = position.game, position.rules
    if isinstance(game, Quest) and game.learning is not None:
        return game.learning(rules, position.state)
    if not isinstance(game, Quest) or game.actions is None or game.move_cells is None:
        raise UnfitError(message("adapters.no_coding", game=game.caption))
    cells = MoveCells(position)

    def observe(world: Any) -> np.ndarray:
        return game.describe_board(rules, world).array()

    def legal(world: Any) -> dict[int, Any]:
        return {cells.number(world, action): action for action in game.moves(rules, world)}

    return WorldCoding(
        cells.actions,
        lambda world, number: legal(world).get(number),
        observe(position.state).shape,
        0,
        1,
        observe,
        mask=lambda world: mask_of(cells.actions, legal(world)),
        picture=lambda planes: np.argmax(np.concatenate([np.zeros_like(planes[:1]), planes]), 0),
        gain=lambda world: 0.0,
    )


class MoveCells:
    """Moves numbered by their cells: `first * cells + last`, or the one cell if no move seen at the start
    or in some random games has two. Moves without cells, such as a pass, come last: those of the start have numbers of
    their own, all others share one."""

    def __init__(self, start: Position) -> None:
        self.game, self.rules = start.game, start.rules
        board = self.game.describe_board(start.rules, start.state)
        self.numbers = {cell.name: number for number, cell in enumerate(board.cells())}
        walks = [here for seed in WALK_SEEDS for here in random_walk(start, seed)]
        lengths = [len(self.cells(here.state, code)) for here in walks for code in here.codes()]
        self.by_pairs = max(lengths, default=1) > 1
        self.plain = [code for code in start.codes() if not self.cells(start.state, code)]
        self.of_cells = len(self.numbers) ** (2 if self.by_pairs else 1)
        self.actions = self.of_cells + max(1, len(self.plain))

    def cells(self, state: Any, move: Any) -> list[int]:
        """The numbers of the cells of a move."""
        board, move_cells = self.game.describe_board(self.rules, state), self.game.move_cells
        assert move_cells is not None
        return [self.numbers[name] for name in cell_names(board, move_cells(self.rules, state, move))]

    def number(self, state: Any, move: Any) -> int:
        """The action of a move."""
        cells = self.cells(state, move)
        if not cells:
            return self.of_cells + (self.plain.index(move) if move in self.plain else 0)
        return cells[0] * len(self.numbers) + cells[-1] if self.by_pairs else cells[0]


def random_walk(start: Position, seed: int) -> Iterator[Position]:
    """The positions of a random game, at most some dozens."""
    here = start
    for step in range(WALK_STEPS):
        yield here
        codes = here.codes()
        if not codes:
            return
        here = here.play(codes[(mix(step, seed) & 0xFFFF) % len(codes)])


# ------------------------------------------------------------------ pictures


def render(mode: str | None, position: Position, board: np.ndarray) -> str | np.ndarray | None:
    """The position as text or SVG, or the board as coloured cells; `human` prints the text."""
    if mode == "ansi":
        return str(position)
    if mode == "svg":
        return position.svg()
    if mode == "rgb_array":
        game = position.game
        described = game.board is not None
        return picture(game.describe_board(position.rules, position.state).numbers() if described else board)
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
