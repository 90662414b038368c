"""Heuristics of Taquin that need no tables on disk, each admissible in both metrics.

In the metric `multi`, one push moves several tiles by one cell each, at most the number of cells in the line minus one.
So the distances along rows and along columns are summed separately and divided by that number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative
from ludion.games.taquin.rules import DOWN, UP, Taquin, Tiles, tile_at
from ludion.kinds.puzzle import estimate, estimate_after

if TYPE_CHECKING:
    from ludion.games.taquin.additive import DirectTables, RankedTables
    from ludion.games.taquin.walking_distance import WalkingDistance

    Heuristic: TypeAlias = (
        "Misplaced | Manhattan | LinearConflict | Pushes | WalkingDistance | DirectTables | RankedTables"
    )


class Misplaced(NamedTuple):
    """How many tiles are not in their place."""


class Manhattan(NamedTuple):
    """The sum of the tiles' distances, in rows and columns, from their places."""

    distance: np.ndarray  # distance[t, c]: from cell c to the place of tile t; 0 for the blank


class LinearConflict(NamedTuple):
    """Manhattan, plus 2 for each tile that must leave its row or column to let another tile of that line pass."""

    distance: np.ndarray  # as above
    lines: np.ndarray  # lines[0, c], lines[1, c]: the row, the column of cell c


class Pushes(NamedTuple):
    """The three heuristics above where a push of several tiles counts once."""

    rows: np.ndarray  # rows[t, c], columns[t, c]: how many rows, columns from cell c to the place of tile t
    columns: np.ndarray
    lines: np.ndarray
    kind: int  # MISPLACED, DISTANCES or CONFLICTS


MISPLACED, DISTANCES, CONFLICTS = range(3)
ROW, COLUMN = range(2)


def misplaced(rules: Taquin) -> Misplaced | Pushes:
    """The number of tiles out of place, in the metric of the rules."""
    return Misplaced() if type(rules) is Taquin else _pushes(rules, MISPLACED)


def manhattan(rules: Taquin) -> Manhattan | Pushes:
    """The distances of the tiles from their places, in the metric of the rules."""
    return Manhattan(_distances(rules)) if type(rules) is Taquin else _pushes(rules, DISTANCES)


def linear_conflict(rules: Taquin) -> LinearConflict | Pushes:
    """The distances and the conflicts in rows and columns, in the metric of the rules."""
    if type(rules) is Taquin:
        return LinearConflict(_distances(rules), lines_of(rules))
    return _pushes(rules, CONFLICTS)


def _pushes(rules: Taquin, kind: int) -> Pushes:
    return Pushes(*_rows_and_columns(rules), lines_of(rules), kind)


def lines_of(rules: Taquin) -> np.ndarray:
    """lines[ROW, c], lines[COLUMN, c]: the row, the column of cell c."""
    cells = np.arange(rules.width * rules.height)
    return np.array([cells // rules.width, cells % rules.width])


def _distances(rules: Taquin) -> np.ndarray:
    """distance[t, c]: from cell c to the place of tile t; 0 for the blank."""
    rows, columns = _rows_and_columns(rules)
    rows += columns
    return rows


def _rows_and_columns(rules: Taquin) -> tuple[np.ndarray, np.ndarray]:
    """The same in rows and in columns."""
    cells = np.arange(rules.width * rules.height)
    rows = abs(rules.home[:, None] // rules.width - cells // rules.width)
    columns = abs(rules.home[:, None] % rules.width - cells % rules.width)
    rows[0] = columns[0] = 0
    return rows.astype(np.int64), columns.astype(np.int64)


@kernel(python_entry=False)
def total_distance(distance: Any, rules: Taquin, position: Tiles) -> int:
    """The sum of `distance[tile, cell]` over the board."""
    total = 0
    for cell in range(rules.width * rules.height):
        total += distance[tile_at(rules, position, cell), cell]
    return total


@kernel(python_entry=False)
def count_misplaced(rules: Taquin, position: Tiles) -> int:
    """How many tiles are not in their place."""
    count = 0
    for cell in range(rules.width * rules.height):
        tile = tile_at(rules, position, cell)
        if tile != 0 and rules.home[tile] != cell:
            count += 1
    return count


@estimate.register(Misplaced)
def _(heuristic: Misplaced, rules: Taquin, position: Tiles) -> int:
    return count_misplaced(rules, position)


@estimate_after.register(Misplaced)
def _(heuristic: Misplaced, rules: Taquin, before: int, position: Tiles, move: int, child: Tiles) -> int:
    tile = tile_at(rules, position, child.blank)
    home = rules.home[tile]
    return before + int(home == child.blank) - int(home == position.blank)


@estimate.register(Manhattan)
def _(heuristic: Manhattan, rules: Taquin, position: Tiles) -> int:
    return total_distance(heuristic.distance, rules, position)


@estimate_after.register(Manhattan)
def _(heuristic: Manhattan, rules: Taquin, before: int, position: Tiles, move: int, child: Tiles) -> int:
    distances = heuristic.distance[nonnegative(tile_at(rules, position, child.blank))]
    return before + distances[nonnegative(position.blank)] - distances[nonnegative(child.blank)]  # type: ignore[no-any-return]


@estimate.register(LinearConflict)
def _(heuristic: LinearConflict, rules: Taquin, position: Tiles) -> int:
    total = total_distance(heuristic.distance, rules, position)
    for kind in range(2):  # ROW, COLUMN
        total += 2 * all_conflicts(rules, position, heuristic.lines, kind)
    return total


@estimate_after.register(LinearConflict)
def _(heuristic: LinearConflict, rules: Taquin, before: int, position: Tiles, move: int, child: Tiles) -> int:
    # The tile keeps its place in the order of the line that it moves along: only the two lines across it can change.
    tile = tile_at(rules, position, child.blank)
    change = heuristic.distance[tile, position.blank] - heuristic.distance[tile, child.blank]
    kind = ROW if move in (UP, DOWN) else COLUMN
    for i in range(4):  # one call in a loop: four calls would take four times as long to compile
        line = heuristic.lines[kind, position.blank if i < 2 else child.blank]
        words = position.words if i & 1 == 0 else child.words
        count = conflicts(rules, Tiles(words, -1), heuristic.lines, kind, line)
        change += 2 * (count if i & 1 else -count)
    return before + change  # type: ignore[no-any-return]


@kernel(python_entry=False)
def all_conflicts(rules: Taquin, position: Tiles, lines: Any, kind: int) -> int:
    """The number of tiles that must leave their rows, or their columns."""
    total = 0
    for line in range(rules.height if kind == ROW else rules.width):
        total += conflicts(rules, position, lines, kind, line)
    return total


@kernel(python_entry=False)
def conflicts(rules: Taquin, position: Tiles, lines: Any, kind: int, line: int) -> int:
    """The number of tiles that must leave this line: those that belong to it, minus the longest ordered subset."""
    first = line * rules.width if kind == ROW else line
    step = 1 if kind == ROW else rules.width
    length = rules.width if kind == ROW else rules.height
    # The longest increasing subsequence: four bits for each cell i of the line, the length of the longest one that
    # ends with its tile, less one.
    longest = 0
    belong = 0  # a bit for each cell whose tile belongs to the line
    count = 0
    most = 0
    for i in range(length):
        tile = tile_at(rules, position, first + i * step)
        home = rules.home[tile]
        if tile == 0 or lines[kind, home] != line:
            continue
        best = 0
        for j in range(i):
            if belong >> j & 1 and rules.home[tile_at(rules, position, first + j * step)] < home:
                best = max(best, (longest >> 4 * j & 15) + 1)
        longest |= best << 4 * i
        belong |= 1 << i
        count += 1
        most = max(most, best + 1)
    return count - most


@estimate.register(Pushes)
def _(heuristic: Pushes, rules: Taquin, position: Tiles) -> int:
    down = max(1, rules.height - 1)  # the most tiles a push moves along a column, along a row
    across = max(1, rules.width - 1)
    if heuristic.kind == MISPLACED:
        both = max(down, across)
        return (count_misplaced(rules, position) + both - 1) // both
    up_and_down = total_distance(heuristic.rows, rules, position)
    sideways = total_distance(heuristic.columns, rules, position)
    if heuristic.kind == CONFLICTS:
        up_and_down += 2 * all_conflicts(rules, position, heuristic.lines, ROW)
        sideways += 2 * all_conflicts(rules, position, heuristic.lines, COLUMN)
    return (up_and_down + down - 1) // down + (sideways + across - 1) // across
