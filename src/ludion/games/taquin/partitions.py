"""Partitions of the tiles into groups, for additive pattern databases, and the symmetries of a board.

A partition is named by the sizes of its groups, `5-5-5`, or by their tiles, `1 2 5 6/3 4 7 8/...`.
"""

from __future__ import annotations

import functools
import itertools
import math
import re

from ludion.errors import UnfitError
from ludion.games.taquin.notation import tile_name
from ludion.games.taquin.rules import Taquin
from ludion.messages import message

MOST_CELLS = 42
MOST_ENTRIES = 1 << 30  # of one table

Group = tuple[int, ...]  # home cells, ascending

# Well-known partitions, by home cells when the blank's home is cell 0 (Korf and Felner 2002).
KNOWN: dict[tuple[int, int, str], tuple[Group, ...]] = {
    (4, 4, "5-5-5"): ((1, 2, 3, 6, 7), (4, 5, 8, 9, 12), (10, 11, 13, 14, 15)),
    (4, 4, "6-6-3"): ((3, 6, 7, 10, 11, 15), (1, 2, 4, 5, 8, 9), (12, 13, 14)),
    (4, 4, "7-8"): ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
    (5, 5, "6-6-6-6"): (
        (1, 2, 5, 6, 7, 12),
        (3, 4, 8, 9, 13, 14),
        (10, 11, 15, 16, 20, 21),
        (17, 18, 19, 22, 23, 24),
    ),
}


def default_partition(rules: Taquin) -> str:
    """The default partition: its tables are built in seconds."""
    cells = rules.width * rules.height
    if cells <= 9:
        return str(cells - 1)
    if (rules.width, rules.height) == (4, 4):
        return "6-6-3"
    size = 6 if cells <= 16 else 5 if cells <= 25 else 4
    return "-".join(str(min(size, cells - 1 - first)) for first in range(0, cells - 1, size))


def partition(rules: Taquin, name: str = "") -> tuple[Group, ...]:
    """The groups of home cells that `5-5-5` (sizes) or `1 2 5 6/3 4 7 8/...` (tiles) name."""
    name = name.strip() or default_partition(rules)
    cells = rules.width * rules.height
    if cells > MOST_CELLS:
        size = f"{rules.width}x{rules.height}"
        raise UnfitError(message("taquin.too_large_for_tables", most=MOST_CELLS, size=size))
    if re.fullmatch(r"\d{1,3}(-\d{1,3})*", name):
        sizes = [int(size) for size in name.split("-")]
        if sum(sizes) != cells - 1 or 0 in sizes:
            counts = {"count": sum(sizes), "tiles": cells - 1}
            raise UnfitError(message("taquin.partition_does_not_fit", partition=name, **counts))
        groups = _by_sizes(rules, name, sizes)
    else:
        groups = _by_tiles(rules, name)
    for group in groups:
        entries = math.perm(cells, len(group))
        if entries > MOST_ENTRIES:
            needed = {"tiles": len(group), "cells": cells, "bytes": f"{entries:,}"}
            raise UnfitError(message("taquin.table_too_large", **needed))
    return groups


def _by_tiles(rules: Taquin, name: str) -> tuple[Group, ...]:
    """The groups that are listed tile by tile."""
    home_of = {tile_name(rules, tile): int(rules.home[tile]) for tile in range(1, rules.home.size)}
    groups = []
    left = dict(home_of)
    for part in name.split("/"):
        tiles = part.replace(",", " ").split()
        for tile in tiles:
            if tile not in left:
                id = "taquin.partition_tile_twice" if tile in home_of else "taquin.partition_unknown_tile"
                raise UnfitError(message(id, tile=tile))
            del left[tile]
        if not tiles:
            raise UnfitError(message("taquin.partition_empty_group"))
        groups.append(tuple(sorted(home_of[tile] for tile in tiles)))
    if left:
        raise UnfitError(message("taquin.partition_tile_left_out", tile=next(iter(left))))
    return tuple(groups)


def _by_sizes(rules: Taquin, name: str, sizes: list[int]) -> tuple[Group, ...]:
    """A well-known partition, or compact groups of these sizes."""
    blank = int(rules.home[0])
    well_known = KNOWN.get((rules.width, rules.height, name))
    if well_known is not None:
        for cell_map in symmetries(rules.width, rules.height):
            if cell_map[0] == blank:
                return tuple(tuple(sorted(cell_map[cell] for cell in group)) for group in well_known)
    # A compact group begins far from the blank's home, and takes the free cells nearest to those it has.
    free = set(range(rules.width * rules.height)) - {blank}

    def distance(a: int, b: int) -> int:
        return abs(a // rules.width - b // rules.width) + abs(a % rules.width - b % rules.width)

    groups = []
    for size in sizes:
        group = [max(free, key=lambda cell: (distance(cell, blank), -cell))]
        free.remove(group[0])

        def nearness(cell: int, group: list[int] = group) -> tuple[int, int, int]:
            spread = sum(distance(cell, other) ** 2 for other in group)
            return spread, -distance(cell, blank), cell

        while len(group) < size:
            group.append(min(free, key=nearness))
            free.remove(group[-1])
        groups.append(tuple(sorted(group)))
    return tuple(groups)


@functools.cache
def symmetries(width: int, height: int) -> tuple[tuple[int, ...], ...]:
    """The symmetries of the board as maps of cells, the identity first and then the reflection in the main diagonal."""
    maps = []
    for turned, upside_down, left_right in itertools.product(
        (False, True) if width == height else (False,), *[(False, True)] * 2
    ):
        cells = []
        for cell in range(width * height):
            row, column = divmod(cell, width)
            if turned:
                row, column = column, row
            if upside_down:
                row = height - 1 - row
            if left_right:
                column = width - 1 - column
            cells.append(row * width + column)
        maps.append(tuple(cells))
    maps.sort(key=lambda cells: (list(cells) != sorted(cells), not (cells[0] == 0 and width == height)))
    return tuple(maps)


def reflection(width: int, height: int, blank: int) -> tuple[int, ...] | None:
    """A symmetry of the board, as a map of cells, that keeps the blank's home; None if there is none."""
    others = symmetries(width, height)[1:]
    return next((cell_map for cell_map in others if cell_map[blank] == blank), None)
