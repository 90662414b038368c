"""How moves and boards are numbered for learners: actions from 0 to n - 1, observations as arrays.

Moves of a game may be any ints; an action is the same move under a small number that always means the same.
A game that is not known here (a user's own) numbers its moves by their place in the list of legal moves.

    taquin         the blank goes up, left, right, down             board of tile numbers
    rush-hour      32 * vehicle + distance + 16                     board: 0 free, 1 wall, 2 red car, ...
    tic-tac-toe    the cell                                         two boards: own stones, the other's
    connect-four   the column                                       two boards: own stones, the other's
    hive           1024 * piece + target cell; the last is to pass  see `of_hive`
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.kinds.card import DUEL

COLOURS = np.array(
    [
        (246, 244, 238), (52, 58, 64), (214, 40, 40), (29, 105, 180), (245, 180, 30), (46, 139, 87),
        (142, 68, 173), (230, 126, 34), (22, 160, 133), (149, 165, 166), (121, 85, 72), (236, 112, 160),
    ],
    np.uint8,
)  # fmt: skip
PIXELS = 16  # of a cell


@dataclass(frozen=True)
class Coding:
    """The numbering of one board: how many actions, and the bounds of an observation."""

    actions: int
    encode: Callable[[int], int] | None  # the action of a move; None: its place among the legal moves
    shape: tuple[int, ...]
    low: int
    high: int
    observe: Callable[[Any, bool], Any]  # of a position; whether it is seen by the player to move

    def choices(self, position: Any) -> dict[int, int]:
        """The legal actions with their moves."""
        codes = position.codes()
        if self.encode is None:
            return dict(enumerate(codes))
        return {self.encode(code): code for code in codes}

    def mask(self, position: Any) -> Any:
        """1 for each legal action."""
        found = np.zeros(self.actions, np.int8)
        found[list(self.choices(position))] = 1
        return found


def coding(position: Any) -> Coding:
    """The numbering for games on the board of this position."""
    make = MAKERS.get(position.card.name, of_any)
    return make(position)


def of_taquin(position: Any) -> Coding:
    rows = [row.split() for row in position.text.split("/")]
    shape = (len(rows), len(rows[0]))
    names = sorted({tile for row in rows for tile in row}, key=lambda tile: (len(tile), tile))
    number = {tile: i for i, tile in enumerate(names)}
    if "_" in number:  # a board of letters
        number = {"_": 0, **{tile: i + 1 for i, tile in enumerate(each for each in names if each != "_")}}

    def observe(now: Any, own: bool) -> Any:
        return np.array([[number[tile] for tile in row.split()] for row in now.text.split("/")], np.int16)

    return Coding(4, lambda move: move, shape, 0, shape[0] * shape[1] - 1, observe)


def of_rush_hour(position: Any) -> Coding:
    width, height = position.rules.width, position.rules.height

    def observe(now: Any, own: bool) -> Any:
        cells = [CELLS.get(sign, 0) for sign in now.text.rpartition(":")[2]]
        return np.array(cells, np.int16).reshape(height, width)

    return Coding(64 * 32, lambda move: move, (height, width), 0, max(CELLS.values()), observe)


CELLS = {"o": 0, ".": 0, "x": 1, "A": 2}
for _sign in "BCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwyz0123456789":
    CELLS.setdefault(_sign, len(set(CELLS.values())))


def of_tic_tac_toe(position: Any) -> Coding:
    columns, rows = position.rules.columns, position.rules.rows

    def observe(now: Any, own: bool) -> Any:
        pair = (now.state.own, now.state.other) if own else (now.state.other, now.state.own)
        bits = [[stones >> cell & 1 for cell in range(columns * rows)] for stones in pair]
        return np.array(bits, np.int8).reshape(2, rows, columns)

    return Coding(columns * rows, lambda move: move, (2, rows, columns), 0, 1, observe)


def of_connect_four(position: Any) -> Coding:
    game = position.rules

    def observe(now: Any, own: bool) -> Any:
        other = now.state.mask & ~now.state.own
        pair = (now.state.own, other) if own else (other, now.state.own)
        bits = [
            [
                [stones >> c * game.stride + r & 1 for c in range(game.columns)]
                for r in reversed(range(game.rows))
            ]
            for stones in pair
        ]
        return np.array(bits, np.int8)

    return Coding(game.columns, lambda move: move, (2, game.rows, game.columns), 0, 1, observe)


def of_hive(position: Any) -> Coding:
    """Planes of 32 x 32 cells (as in `games.hive.rules`): tops by piece, heights, and one with hands and
    turn.

    A top is the number of its piece plus 1, of the own side from 1 to 14, of the other from 15 to 28. In the
    third plane, row 0 has the own hand by bug, row 1 the other's, row 2 begins with the number of plies (up
    to 127).
    """
    from ludion.games.hive import rules

    cells, sides = rules.CELLS, rules.SIDE

    def encode(move: int) -> int:
        return rules.PIECES * cells if move == rules.PASS else (move >> 20) * cells + (move & 1023)

    def observe(now: Any, own: bool) -> Any:
        board, ply = now.state.board, now.state.ply
        colour = ply % 2 if own else 1 - ply % 2
        top = board[rules.TOP : rules.TOP + cells].copy()
        if colour == 1:
            top = np.where(top > sides, top - sides, np.where(top > 0, top + sides, 0))
        last = np.zeros((32, 32), np.int8)
        for row, side in enumerate((colour, 1 - colour)):
            last[row, :8] = [now.state.hand >> 3 * bug + 24 * side & 7 for bug in range(8)]
        last[2, 0] = min(ply, 127)
        planes = (top.reshape(32, 32), board[rules.HEIGHT : rules.HEIGHT + cells].reshape(32, 32), last)
        return np.stack(planes).astype(np.int8)

    return Coding(rules.PIECES * cells + 1, encode, (3, 32, 32), 0, 127, observe)


def of_any(position: Any) -> Coding:
    """A user's own game: actions by their place in the list of moves, the ints of the position as they
    are."""
    from ludion.core.words import flat
    from ludion.kinds import duel, puzzle

    kind = duel if position.card.kind == DUEL else puzzle
    limits = np.iinfo(np.int64)

    def observe(now: Any, own: bool) -> Any:
        return np.array(flat(now.state), np.int64)

    size = len(flat(position.state))
    return Coding(int(kind.most_moves(position.rules)), None, (size,), limits.min, limits.max, observe)


MAKERS: dict[str, Callable[[Any], Coding]] = {
    "taquin": of_taquin,
    "rush-hour": of_rush_hour,
    "tic-tac-toe": of_tic_tac_toe,
    "connect-four": of_connect_four,
    "hive": of_hive,
}


def picture(grid: Any) -> Any:
    """A board of small numbers as an array of coloured cells."""
    board = np.atleast_2d(np.asarray(grid))
    if board.ndim == 3:  # planes: the first that is not empty gives the colour
        board = sum((plane != 0) * (np.abs(plane) + 2 * i) for i, plane in enumerate(board[:2]))
    cells = COLOURS[np.abs(np.asarray(board, np.int64)) % len(COLOURS)]
    large = cells.repeat(PIXELS, 0).repeat(PIXELS, 1)
    large[::PIXELS] = large[:, ::PIXELS] = (200, 200, 200)
    return large
