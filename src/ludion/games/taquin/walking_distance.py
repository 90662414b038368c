"""Walking distance (Takahashi): the fewest times that the blank must change its row, plus the same for columns.

For the rows a state is how many tiles of row j are in row i, for all i and j, and the row of the blank. A move up or
down takes the blank to the next row and one of that row's tiles to where the blank was; moves sideways are free. The
distances in that small graph, for rows and for columns, add up to an admissible estimate. In the metric `multi`, a push
of several tiles counts once in the graph, too.

A state is coded in an int, four bits for each count, row by row; `codes` has all of them in ascending order.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.errors import UnfitError
from ludion.games.taquin.heuristics import COLUMN, ROW, lines_of
from ludion.games.taquin.rules import (
    DOWN,
    LEFT,
    UP,
    MultiTaquin,
    Taquin,
    Tiles,
    direction_of,
    length_of,
    tile_at,
)
from ludion.kinds.puzzle import advance, begin, estimate, value
from ludion.messages import message

BACK, ON = 0, 1  # where the blank goes: to the line before, or to the next
MOST_STATES = 150_000
MOST_LINES = 4  # a state must fit into 64 bits


class WalkingDistance(NamedTuple):
    """The two graphs, of rows and of columns."""

    codes: tuple[np.ndarray, np.ndarray]  # codes[ROW][s]: the code of state s of the rows
    # nexts[ROW][s, BACK | ON, j]: the state after the blank has changed places with a tile of row j
    nexts: tuple[np.ndarray, np.ndarray]
    distances: tuple[np.ndarray, np.ndarray]  # distances[ROW][s]: from state s to the goal's
    lines: np.ndarray  # lines[ROW | COLUMN, c]: the row, the column of cell c


class WalkingTrace(NamedTuple):
    """The states of the rows and of the columns, and the sum of their distances."""

    rows: int
    columns: int
    distance: int


def walking_distance(rules: Taquin) -> WalkingDistance:
    """The heuristic for this board and metric."""
    lines = lines_of(rules)
    multi = type(rules) is MultiTaquin
    graphs = [
        graph(count, size, int(lines[kind, rules.target_blank]), multi)
        for kind, count, size in ((ROW, rules.height, rules.width), (COLUMN, rules.width, rules.height))
    ]
    codes, nexts, distances = zip(*graphs, strict=True)
    return WalkingDistance(codes, nexts, distances, lines)


@functools.lru_cache(maxsize=8)
def graph(count: int, size: int, blank: int, multi: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All states of `count` lines of `size` cells each, their neighbours, and their distances from the goal."""
    if count > MOST_LINES:
        raise UnfitError(message("taquin.walking_distance_too_large", most=MOST_LINES))
    start = sum((size - (line == blank)) << _place(line, line, count) for line in range(count))
    states = [(start, blank)]
    numbers = {states[0]: 0}
    links: list[tuple[int, int, int, int]] = []
    number = 0
    while number < len(states):
        code, line = states[number]
        for direction, other in ((BACK, line - 1), (ON, line + 1)):
            for home in range(count) if 0 <= other < count else ():
                if code >> _place(other, home, count) & 15:
                    next_code = code - (1 << _place(other, home, count)) + (1 << _place(line, home, count))
                    if (next_code, other) not in numbers:
                        numbers[next_code, other] = len(states)
                        states.append((next_code, other))
                    links.append((number, direction, home, numbers[next_code, other]))
        if len(states) > MOST_STATES:
            raise UnfitError(message("taquin.walking_distance_too_many_states"))
        number += 1
    # The blank is in the line with one tile less, so the code alone identifies the state.
    order = np.argsort([code for code, _ in states])
    rank = np.argsort(order)
    nexts = np.full((len(states), 2, count), -1, np.int64)
    for number, direction, home, next_number in links:
        nexts[rank[number], direction, home] = rank[next_number]
    return np.array([code for code, _ in states])[order], nexts, _distances(nexts, int(rank[0]), multi)


def _place(line: int, home: int, count: int) -> int:
    """Where the code of a state has the number of the tiles of line `home` that are in `line`."""
    return 4 * (line * count + home)


def _distances(nexts: np.ndarray, goal: int, multi: bool) -> np.ndarray:
    """Breadth-first search from the goal."""
    distances = np.full(len(nexts), -1, np.int64)
    distances[goal] = 0
    layer = np.array([goal])
    while layer.size:
        reached = []
        for direction in (BACK, ON):
            here = layer
            for _ in range(nexts.shape[2] if multi else 1):
                here = np.unique(nexts[here, direction])
                here = here[here >= 0]
                reached.append(here)
        next_layer = np.unique(np.concatenate(reached))
        next_layer = next_layer[distances[next_layer] < 0]
        distances[next_layer] = distances[layer[0]] + 1
        layer = next_layer
    return distances


@kernel
def state_of(codes: Any, lines: Any, kind: int, count: int, rules: Taquin, position: Tiles) -> int:
    """The number of the state of this position's rows or columns."""
    code = 0
    for cell in range(rules.width * rules.height):
        tile = tile_at(rules, position, cell)
        if tile != 0:
            code += 1 << 4 * (lines[kind, cell] * count + lines[kind, rules.home[tile]])
    low = 0
    high = codes.size - 1
    while low < high:
        middle = (low + high) >> 1
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    return low


@begin.register(WalkingDistance)
def _(heuristic: WalkingDistance, rules: Taquin, position: Tiles) -> WalkingTrace:
    rows = state_of(heuristic.codes[ROW], heuristic.lines, ROW, rules.height, rules, position)
    columns = state_of(heuristic.codes[COLUMN], heuristic.lines, COLUMN, rules.width, rules, position)
    return WalkingTrace(rows, columns, heuristic.distances[ROW][rows] + heuristic.distances[COLUMN][columns])


@estimate.register(WalkingDistance)
def _(heuristic: WalkingDistance, rules: Taquin, position: Tiles) -> int:
    return value(begin(heuristic, rules, position))  # type: ignore[no-any-return]


@value.register(WalkingTrace)
def _(trace: WalkingTrace) -> int:
    return trace.distance


@advance.register(WalkingDistance)
def _(
    heuristic: WalkingDistance, rules: Taquin, trace: WalkingTrace, position: Tiles, move: int, child: Tiles
) -> WalkingTrace:
    rows = trace.rows
    columns = trace.columns
    direction = direction_of(move)
    cell = position.blank
    for _ in range(length_of(move)):
        cell = rules.beside[cell, direction]
        home = rules.home[tile_at(rules, position, cell)]
        way = BACK if direction in (UP, LEFT) else ON
        if direction in (UP, DOWN):
            rows = heuristic.nexts[ROW][rows, way, heuristic.lines[ROW, home]]
        else:
            columns = heuristic.nexts[COLUMN][columns, way, heuristic.lines[COLUMN, home]]
    return WalkingTrace(rows, columns, heuristic.distances[ROW][rows] + heuristic.distances[COLUMN][columns])
