"""The rules of Connect 4: stones fall to the lowest free cell of a column; four in a row win.

Cells are numbered column by column from the bottom left, with one spare cell above each column, which is always empty,
so that no line runs from the top of one column into the bottom of the next. A set of cells is an int, cell c being
bit c. On the standard board of 7 columns and 6 rows:

     6 13 20 27 34 41 48    spare
     5 12 19 26 33 40 47    row 6
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42    row 1

From a cell to the next: up 1, right 7, down-right 6, up-right 8. Larger boards have sets of two words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ludion.core.verbs import kernel
from ludion.core.words import Wide, mix
from ludion.kinds.duel import (
    DRAWN,
    LOST,
    OPEN,
    key,
    mirror,
    mirror_move,
    most_moves,
    moves,
    play,
    symmetries,
    verdict,
)

MOST_BITS = 72  # of a set of cells, spare ones included: so that the table of the solver has exact keys
MOST_CELLS = 64  # of a board
WORD_BITS = 63  # a set of more cells, spare ones included, has two words
MOST_COLUMNS = 9  # a column is named by one digit


class DropGame(NamedTuple):
    """The rules of one board."""

    columns: int
    rows: int
    align: int  # how many in a row win
    stride: int  # from a cell to the one on its right
    bottom: int  # the lowest cells
    full: int  # all cells
    cells: int  # how many there are
    first_column: int  # its cells


class Stones(NamedTuple):
    """A position as the player to move sees it."""

    own: int  # cells of the player to move
    mask: int  # cells of both


def drop_game(columns: int = 7, rows: int = 6, align: int = 4) -> DropGame:
    """The rules for this board."""
    stride = rows + 1
    as_set = Wide if columns * stride > WORD_BITS else int
    bottom = as_set(sum(1 << stride * column for column in range(columns)))
    first_column = as_set((1 << rows) - 1)
    return DropGame(columns, rows, align, stride, bottom, bottom * first_column, columns * rows, first_column)


def start_of(rules: DropGame) -> Stones:
    """The empty board."""
    nothing = rules.full ^ rules.full
    return Stones(nothing, nothing)


@kernel(python_entry=False, inline=True)
def has_line(rules: DropGame, stones: int) -> bool:
    """Whether the stones hold a line."""
    for direction in range(4):
        step = 1 if direction == 0 else rules.stride + direction - 2
        run = stones
        for i in range(1, rules.align):
            run &= stones >> i * step
        if run:
            return True
    return False


@kernel(python_entry=False, inline=True)
def is_full(rules: DropGame, position: Stones, column: int) -> bool:
    """Whether the top cell of the column is taken."""
    return position.mask >> (column * rules.stride + rules.rows - 1) & 1 != 0


def stones_of(rules: DropGame, position: Stones) -> tuple[int, int]:
    """The cells of x, who began, and of o."""
    other = position.own ^ position.mask
    return (other, position.own) if position.mask.bit_count() & 1 else (position.own, other)


def open_columns(rules: DropGame, position: Stones) -> list[int]:
    """The columns that are not full, the middle first."""
    columns = sorted(range(rules.columns), key=lambda column: abs(2 * column - rules.columns + 1))
    return [column for column in columns if not is_full(rules, position, column)]


def wins_at_once(rules: DropGame, position: Stones) -> bool:
    """Whether the player to move can complete a line."""
    ready = (position.mask + rules.bottom) & rules.full
    while ready:
        cell = ready & -ready
        ready ^= cell
        if has_line(rules, position.own | cell):
            return True
    return False


@moves.register(DropGame)
def _(rules: DropGame, position: Stones, buffer: Any) -> int:
    count = 0
    for column in range(rules.columns):
        if not is_full(rules, position, column):
            buffer[count] = column
            count += 1
    return count


@most_moves.register(DropGame)
def _(rules: DropGame) -> int:
    return rules.columns


@play.register(DropGame)
def _(rules: DropGame, position: Stones, move: int) -> Stones:
    cell = (position.mask + rules.bottom) & (rules.first_column << move * rules.stride)
    return Stones(position.own ^ position.mask, position.mask | cell)


@verdict.register(DropGame)
def _(rules: DropGame, position: Stones) -> int:
    if has_line(rules, position.own ^ position.mask):
        return LOST
    if position.mask == rules.full:
        return DRAWN
    return OPEN


@key.register(DropGame)
def _(rules: DropGame, position: Stones) -> int:
    return mix(position.own + position.mask + rules.bottom, 0)


@symmetries.register(DropGame)
def _(rules: DropGame) -> int:
    return 2


@mirror.register(DropGame)
def _(rules: DropGame, position: Stones, symmetry: int) -> Stones:
    if symmetry == 0:
        return position
    own = mask = position.mask ^ position.mask
    column_cells = (1 << rules.stride) - 1
    for column in range(rules.columns):
        here = column * rules.stride
        there = (rules.columns - 1 - column) * rules.stride
        own |= (position.own >> here & column_cells) << there
        mask |= (position.mask >> here & column_cells) << there
    return Stones(own, mask)


@mirror_move.register(DropGame)
def _(rules: DropGame, move: int, symmetry: int) -> int:
    return rules.columns - 1 - move if symmetry else move
