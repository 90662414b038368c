"""The rules of m,n,k games: m columns, n rows, k in a row wins. Tic-tac-toe is 3,3,3.

Cells are numbered row by row from the top left; a set of cells is an int, cell c being bit c:

    0 1 2
    3 4 5      {0, 4, 8} = 0b100010001
    6 7 8
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest
from ludion.kinds.duel import (
    DRAWN,
    LOST,
    OPEN,
    mirror,
    mirror_move,
    most_moves,
    moves,
    play,
    symmetries,
    verdict,
)

MOST_CELLS = 63


class AlignmentGame(NamedTuple):
    """The rules of one board."""

    columns: int
    rows: int
    align: int  # how many in a row win
    full: int  # all cells
    steps: tuple[int, int, int, int]  # from a cell to the next one: right, down, down-right, down-left
    starts: tuple[int, int, int, int]  # the cells where an alignment in that direction can begin
    alignments: np.ndarray  # every winning alignment, as a set of cells
    through: np.ndarray  # through[c]: how many alignments go through cell c
    images: np.ndarray  # images[s, c]: where symmetry s takes cell c


class Marks(NamedTuple):
    """A position as the player to move sees it."""

    own: int  # cells of the player to move
    other: int
    first: int  # 1 if the player to move is x, who began


def alignment_game(columns: int, rows: int, align: int) -> AlignmentGame:
    """The rules for this board."""
    steps, starts, alignments = [], [], []
    for across, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        step = down * columns + across
        start = 0
        for row in range(rows):
            for column in range(columns):
                end_column, end_row = column + (align - 1) * across, row + (align - 1) * down
                if 0 <= end_column < columns and end_row < rows:
                    cell = row * columns + column
                    start |= 1 << cell
                    alignments.append(sum(1 << cell + i * step for i in range(align)))
        steps.append(step)
        starts.append(start)
    if align == 1:  # a single stone is the same alignment in all four directions
        alignments = sorted(set(alignments))
    through = [sum(line >> cell & 1 for line in alignments) for cell in range(columns * rows)]
    return AlignmentGame(
        columns,
        rows,
        align,
        (1 << columns * rows) - 1,
        (steps[0], steps[1], steps[2], steps[3]),
        (starts[0], starts[1], starts[2], starts[3]),
        np.array(alignments, np.int64),
        np.array(through, np.int64),
        np.array(_images(columns, rows), np.int64),
    )


def _images(columns: int, rows: int) -> list[list[int]]:
    """The symmetries of the board as permutations of its cells, the identity first: 8 if it is square, else 4."""
    images = []
    for turned in (False, True) if columns == rows else (False,):
        for flip_rows in (False, True):
            for flip_columns in (False, True):
                image = []
                for row in range(rows):
                    for column in range(columns):
                        r = rows - 1 - row if flip_rows else row
                        c = columns - 1 - column if flip_columns else column
                        image.append(c * columns + r if turned else r * columns + c)
                images.append(image)
    return images


@moves.register(AlignmentGame, inline=True)
def _(rules: AlignmentGame, position: Marks, buffer: Any) -> int:
    free = rules.full & ~(position.own | position.other)
    count = 0
    while free:
        buffer[count] = lowest(free)
        count += 1
        free &= free - 1
    return count


@most_moves.register(AlignmentGame)
def _(rules: AlignmentGame) -> int:
    return rules.columns * rules.rows


@play.register(AlignmentGame, inline=True)
def _(rules: AlignmentGame, position: Marks, move: int) -> Marks:
    return Marks(position.other, position.own | 1 << move, 1 - position.first)


@verdict.register(AlignmentGame, inline=True)
def _(rules: AlignmentGame, position: Marks) -> int:
    stones = position.other
    # The four directions side by side: one branch at the end is twice as fast as four that are hard to predict.
    right, down = stones & rules.starts[0], stones & rules.starts[1]
    down_right, down_left = stones & rules.starts[2], stones & rules.starts[3]
    for i in range(1, rules.align):
        right &= stones >> i * rules.steps[0]
        down &= stones >> i * rules.steps[1]
        down_right &= stones >> i * rules.steps[2]
        down_left &= stones >> i * rules.steps[3]
    if right | down | down_right | down_left:
        return LOST
    if position.own | position.other == rules.full:
        return DRAWN
    return OPEN


@symmetries.register(AlignmentGame)
def _(rules: AlignmentGame) -> int:
    return int(rules.images.shape[0])


@kernel(python_entry=False)
def image_of(rules: AlignmentGame, symmetry: int, cells: int) -> int:
    """Where a symmetry takes these cells."""
    image = 0
    while cells:
        image |= 1 << rules.images[symmetry, lowest(cells)]
        cells &= cells - 1
    return image


@mirror.register(AlignmentGame)
def _(rules: AlignmentGame, position: Marks, symmetry: int) -> Marks:
    own, other = position.own, position.other
    return Marks(image_of(rules, symmetry, own), image_of(rules, symmetry, other), position.first)


@mirror_move.register(AlignmentGame)
def _(rules: AlignmentGame, move: int, symmetry: int) -> int:
    return rules.images[symmetry, move]  # type: ignore[no-any-return]
