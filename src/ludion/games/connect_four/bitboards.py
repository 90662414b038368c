"""Sets of cells as the solver sees them: the constants of a board, lines of four, threats and keys."""

from __future__ import annotations

from typing import Any, NamedTuple

from ludion.core.verbs import kernel, verb
from ludion.games.connect_four.rules import DropGame, drop_game


class SolverBoard(NamedTuple):
    """The constants of a board that the search uses."""

    columns: int
    rows: int
    stride: int
    bottom: int
    full: int
    cells: int
    first_column: int
    even: int  # the cells with an even number of cells above them: with 6 rows those of rows 2, 4 and 6
    odd: int  # the other cells
    keys: int  # mask of all key bits
    bits: int  # number of key bits
    mirrored: int  # up to this many stones, a position and its mirror image share a table entry


class Standard(NamedTuple):
    """The board of 7 columns and 6 rows: the compiler knows all its numbers."""


@verb
def dimensions(shape: Any) -> SolverBoard:  # type: ignore[empty-body]
    """The board of this shape."""


@dimensions.register(SolverBoard)
def _(shape: SolverBoard) -> SolverBoard:
    return shape


def board_of(rules: DropGame) -> SolverBoard:
    """The board of a game."""
    even = sum(rules.bottom << row for row in range(rules.rows - 1, -1, -2))
    return SolverBoard(
        rules.columns,
        rules.rows,
        rules.stride,
        rules.bottom,
        rules.full,
        rules.cells,
        rules.first_column,
        even,
        rules.full ^ even,
        rules.bottom * ((1 << rules.stride) - 1),
        rules.columns * rules.stride,
        rules.cells * 2 // 5,
    )


_STANDARD = board_of(drop_game())
(_COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _FIRST, _EVEN, _ODD, _KEYS, _BITS, _MIRRORED) = _STANDARD


@dimensions.register(Standard)
def _(shape: Standard) -> SolverBoard:
    return SolverBoard(
        _COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _FIRST, _EVEN, _ODD, _KEYS, _BITS, _MIRRORED
    )


def shape_of(rules: DropGame) -> SolverBoard | Standard:
    """The first argument of the kernels: the search is compiled once for the standard board and once for all others."""
    board = board_of(rules)
    return Standard() if board == _STANDARD else board


@kernel(python_entry=False, inline=True)
def column_at(board: SolverBoard, rank: int) -> int:
    """The column with this rank; columns are ranked from the middle outwards."""
    distance = (rank + 1) >> 1
    if (rank ^ board.columns) & 1 == 0:
        distance = -distance
    return ((board.columns - 1) >> 1) + distance


@kernel(python_entry=False, inline=True)
def column_cells(board: SolverBoard, column: int) -> int:
    """The cells of a column."""
    return board.first_column << column * board.stride


@kernel(python_entry=False, inline=True)
def threats(board: SolverBoard, stones: int, mask: int) -> int:
    """The empty cells that would complete a line of four."""
    cells = (stones << 1) & (stones << 2) & (stones << 3)
    for step in range(board.stride - 1, board.stride + 2):
        pair = (stones << step) & (stones << 2 * step)
        cells |= pair & ((stones << 3 * step) | (stones >> step))
        pair = (stones >> step) & (stones >> 2 * step)
        cells |= pair & ((stones << step) | (stones >> 3 * step))
    return cells & (board.full ^ mask)


@kernel(python_entry=False, inline=True)
def has_four(board: SolverBoard, stones: int) -> bool:
    """Whether the cells contain a line of four."""
    pair = stones & (stones >> 1)
    lines = pair & (pair >> 2)
    for step in range(board.stride - 1, board.stride + 2):
        pair = stones & (stones >> step)
        lines |= pair & (pair >> 2 * step)
    return lines != 0


@kernel(python_entry=False, inline=True)
def mirror_image(board: SolverBoard, cells: int) -> int:
    """The mirror image of a set of cells."""
    image = cells ^ cells
    column = (1 << board.stride) - 1
    for _ in range(board.columns):
        image = (image << board.stride) | (cells & column)
        cells >>= board.stride
    return image


@kernel(python_entry=False, inline=True)
def key_of(board: SolverBoard, own: int, mask: int) -> int:
    """A number that identifies the position: per column, one bit per stone (1: own) below a leading 1."""
    return own + mask + board.bottom
