"""Stones that could be dropped: on what, from where, and which walls a blast there would open."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.games.delirium.physics import (
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    FIRST_MONSTER,
    GATHERED,
    HEADING_STEPS,
    LAST_MONSTER,
    MAGIC,
    MINER,
    MINER_CELL,
    NEEDED,
    SILVER,
    STONE,
    STRIDE,
    UNKNOWN,
    WALL,
    Bytes,
    MineState,
    column_of,
    row_of,
)

Cells = NDArray[np.bool_]  # a set of cells, by number or as rows

LONGEST_DROP, LONGEST_PUSH = 12, 5  # cells


def monsters_in(cells: Bytes) -> Cells:
    """The cells of the monsters."""
    return (cells >= FIRST_MONSTER) & (cells <= LAST_MONSTER)


def prey(state: MineState) -> Cells:
    """The cells of the monsters worth killing: blue ones while diamonds are missing, else all."""
    blue: Cells = state.cells == BLUE
    if int(state.info[GATHERED]) < int(state.info[NEEDED]) and bool(blue.any()):
        return blue
    return monsters_in(state.cells)


class Drop(NamedTuple):
    """A stone that could fall onto a cell."""

    rank: int  # lower is better: how far it is, and how deep it falls
    stone: int
    target: int
    stand: int = -1  # from where it is pushed over the edge; without, the dirt under it is dug away
    dirt: tuple[int, ...] = ()  # to be dug out of its way before
    pushes: int = 1


def possible_drops(state: MineState, track: set[int]) -> list[Drop]:
    """Stones on dirt above a track, with only dirt and empty cells between, nearest first."""
    cells = state.cells
    drops = []
    for stone in np.flatnonzero(cells == STONE).tolist():
        if cells[stone + STRIDE] == DIRT:
            target = _first_below(cells, stone, track, (DIRT, EMPTY))
            if target >= 0:
                drops.append(Drop(_rank_of_drop(state, stone, target), stone, target))
    return sorted(drops)


def possible_pushes(state: MineState, track: set[int]) -> list[Drop]:
    """Stones that can be pushed along firm ground into an empty shaft above a track, nearest first."""
    cells = state.cells
    drops = []
    for stone in np.flatnonzero(cells == STONE).tolist():
        for side in (-1, 1):
            stand = stone - side
            if cells[stand] not in (EMPTY, DIRT, DIAMOND, MINER):
                continue
            dirt: tuple[int, ...] = ()
            for edge in range(stone + side, stone + (LONGEST_PUSH + 1) * side, side):
                if cells[edge] not in (EMPTY, DIRT):
                    break
                if cells[edge] == DIRT:
                    dirt = (*dirt, edge)
                if cells[edge + STRIDE] != EMPTY and edge + STRIDE not in track:
                    continue  # firm ground
                target = _first_below(cells, edge, track, (EMPTY,))
                if target >= 0:
                    rank = _rank_of_drop(state, stone, target) + abs(edge - stone)
                    drops.append(Drop(rank, stone, target, stand, dirt[::-1], abs(edge - stone)))
                break
    return sorted(drops)


def _first_below(cells: Bytes, cell: int, track: set[int], through: tuple[int, ...]) -> int:
    """The first cell of the track below, with only such cells between; -1 if there is none near enough."""
    for below in range(cell + STRIDE, cell + (LONGEST_DROP + 1) * STRIDE, STRIDE):
        if below in track:
            return below
        if cells[below] not in through:
            break
    return -1


def _rank_of_drop(state: MineState, stone: int, target: int) -> int:
    return distance(stone, int(state.info[MINER_CELL])) + 3 * row_of(target - stone)


def distance(cell: int, other: int) -> int:
    return abs(column_of(cell) - column_of(other)) + abs(row_of(cell) - row_of(other))


def blast_around(cell: int) -> list[int]:
    """The cells that a blast there would clear."""
    return [cell + down * STRIDE + right for down in (-1, 0, 1) for right in (-1, 0, 1)]


def walls_of_interest(state: MineState) -> set[int]:
    """The walls around parts of the mine with diamonds or the exit that cannot be entered without a blast."""
    cells = state.cells
    walls = (cells == WALL) | (cells == MAGIC)
    solid = walls | (cells == SILVER) | (cells == BORDER) | (cells == UNKNOWN)
    free = (~solid).tolist()
    targets = set(np.flatnonzero((cells == DIAMOND) | (cells == EXIT)).tolist())
    targets -= _connected(free, int(state.info[MINER_CELL]))
    beside: set[int] = set()
    while targets:
        part = _connected(free, targets.pop())
        targets -= part
        beside.update(cell + step for cell in part for step in HEADING_STEPS)
    return {cell for cell in beside if 0 <= cell < len(cells) and walls[cell]}


def _connected(free: list[bool], start: int) -> set[int]:
    """The free cells connected with this one."""
    part, remaining = {start}, [start]
    while remaining:
        cell = remaining.pop()
        for step in HEADING_STEPS:
            beside = cell + step
            if beside not in part and 0 <= beside < len(free) and free[beside]:
                part.add(beside)
                remaining.append(beside)
    return part


def open_walls(cells: Bytes) -> Cells:
    """The magic walls with an empty cell below."""
    walls: Cells = cells == MAGIC
    walls[:-STRIDE] &= cells[STRIDE:] == EMPTY
    return walls


def undug_runs(cells: Bytes) -> list[tuple[int, int]]:
    """The runs of cells under magic walls that can be walked and have dirt in them: first and last cell of each."""
    under = np.flatnonzero(cells == MAGIC) + STRIDE
    walkable = [cell for cell in under.tolist() if cells[cell] in (EMPTY, DIRT, DIAMOND, MINER)]
    runs: list[tuple[int, int]] = []
    for cell in walkable:
        if runs and runs[-1][1] == cell - 1:
            runs[-1] = runs[-1][0], cell
        else:
            runs.append((cell, cell))
    return [(first, last) for first, last in runs if (cells[first : last + 1] == DIRT).any()]
