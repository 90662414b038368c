"""The parts of the mine that were not seen: their edge, and what a way to it disturbs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludion.games.delirium.drops import Cells, monsters_in
from ludion.games.delirium.physics import (
    BORDER,
    DIRT,
    EMPTY,
    EXIT,
    HEADING_STEPS,
    MINER,
    STONE,
    STRIDE,
    UNKNOWN,
    Bytes,
    MineState,
)

MOVED_STONE, UNDERMINED_STONE = 5, 20  # what they cost, in ticks


def unseen_edge(state: MineState) -> Cells:
    """The unknown cells beside known ones within the border (in which an exit may lie), as rows."""
    cells = state.cells.reshape(-1, STRIDE)
    known = (cells != UNKNOWN) & (cells != BORDER) & (cells != EXIT)
    beside: Cells = np.zeros_like(known)
    beside[1:] |= known[:-1]
    beside[:-1] |= known[1:]
    beside[:, 1:] |= known[:, :-1]
    beside[:, :-1] |= known[:, 1:]
    edge: Cells = beside & (cells == UNKNOWN)
    return edge


def den_walls(state: MineState) -> list[int]:
    """The dirt that encloses monsters; none if they can reach the miner."""
    cells = state.cells
    remaining = np.flatnonzero(monsters_in(cells)).tolist()
    den, walls = set(remaining), set()
    while remaining:
        cell = remaining.pop()
        for step in HEADING_STEPS:
            beside = cell + step
            code = cells[beside]
            if code == MINER:
                return []
            if code == DIRT:
                walls.add(beside)
            elif code == EMPTY and beside not in den:
                den.add(beside)
                remaining.append(beside)
    return sorted(walls)


def harm(before: Bytes, after: Bytes, den_walls: list[int]) -> int:
    """A penalty for stones that moved, and a larger one for stones that lost their support and for opened dens."""
    stones = np.flatnonzero(before == STONE)
    undermined = (before[stones + STRIDE] == DIRT) & (after[stones + STRIDE] != DIRT)
    opened = bool((after[den_walls] != DIRT).any())
    moved = int((after[stones] != STONE).sum())
    return MOVED_STONE * moved + UNDERMINED_STONE * (int(undermined.sum()) + opened)


def near_marks(marks: Cells, half_width: int, half_height: int) -> Cells:
    """The cells that have a mark within a window of these half-sizes around them (by sums over rectangles)."""
    rows, columns = marks.shape
    sums = np.zeros((rows + 1, columns + 1), np.int64)
    sums[1:, 1:] = marks.cumsum(0).cumsum(1)
    row, column = np.arange(rows), np.arange(columns)
    top, bottom = np.maximum(row - half_height, 0), np.minimum(row + half_height + 1, rows)
    left, right = np.maximum(column - half_width, 0), np.minimum(column + half_width + 1, columns)
    count: NDArray[np.int64] = (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )
    return count > 0
