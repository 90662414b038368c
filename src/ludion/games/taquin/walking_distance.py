"""Walking distance (Takahashi): how often the blank must at least change its row, plus the same for columns.

For the rows only this is kept: how many tiles that belong to row j are in row i, and the row of the blank. A move up or
down takes the blank to the next row and any one of that row's tiles to where it was; moves sideways are free. The
distances in that small graph, for rows and for columns, add up to an admissible estimate. Where a push of several tiles
counts once, so does it there.

A state is coded in an int, four bits for each count, row by row; `codes` has all of them in order.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.errors import UnfitError
from ludion.games.taquin.heuristics import COLUMN, ROW
from ludion.games.taquin.rules import DOWN, LEFT, UP, MultiTaquin, Taquin, Tiles, tile_at
from ludion.kinds.puzzle import advance, begin, estimate, value

MOST_STATES = 150_000
MOST_LINES = 4  # a state must fit into 64 bits


class WalkingDistance(NamedTuple):
    """The two graphs, of rows and of columns."""

    codes: tuple[np.ndarray, np.ndarray]
    nexts: tuple[
        np.ndarray, np.ndarray
    ]  # nexts[s, 0 | 1, j]: the state after the blank goes back | on, past a tile of j
    distances: tuple[np.ndarray, np.ndarray]
    lines: np.ndarray  # lines[ROW | COLUMN, c]: the row, the column of cell c


class WalkingTrace(NamedTuple):
    """The states of the rows and of the columns, and what is left."""

    rows: int
    columns: int
    left: int


def walking_distance(rules: Taquin) -> WalkingDistance:
    cells = np.arange(rules.width * rules.height)
    lines = np.array([cells // rules.width, cells % rules.width])
    multi = type(rules) is MultiTaquin
    graphs = [
        graph(count, cells.size // count, int(lines[kind, rules.home[0]]), multi)
        for kind, count in ((ROW, rules.height), (COLUMN, rules.width))
    ]
    codes, nexts, distances = zip(*graphs, strict=True)
    return WalkingDistance(codes, nexts, distances, lines)


@functools.lru_cache(maxsize=8)
def graph(count: int, size: int, blank: int, multi: bool) -> tuple[Any, Any, Any]:
    """All states of `count` lines of `size` cells each, how they are linked, and how far they are from the goal."""
    if count > MOST_LINES:
        raise UnfitError(
            f"walking-distance is for boards of up to {MOST_LINES}x{MOST_LINES}: larger ones have too many states"
        )
    start = sum((size - (line == blank)) << 4 * (line * count + line) for line in range(count))
    numbers = {(start, blank): 0}
    states = [(start, blank)]
    links: list[tuple[int, int, int, int]] = []
    for code, line in _growing(states):
        for back_or_on, other in enumerate((line - 1, line + 1)):
            for kind in range(count) if 0 <= other < count else ():
                if code >> 4 * (other * count + kind) & 15:
                    moved = code - (1 << 4 * (other * count + kind)) + (1 << 4 * (line * count + kind))
                    number = numbers.setdefault((moved, other), len(states))
                    if number == len(states):
                        states.append((moved, other))
                    links.append((numbers[code, line], back_or_on, kind, number))
        if len(states) > MOST_STATES:
            raise UnfitError("walking-distance has too many states for this board")
    # The line of the blank is the one with a tile less: the code alone tells the state.
    order = np.argsort([code for code, _ in states])
    place = np.argsort(order)
    nexts = np.full((len(states), 2, count), -1, np.int64)
    for number, back_or_on, kind, other in links:
        nexts[place[number], back_or_on, kind] = place[other]
    return np.array([code for code, _ in states])[order], nexts, _distances(nexts, int(place[0]), multi)


def _growing(states: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    number = 0
    while number < len(states):
        yield states[number]
        number += 1


def _distances(nexts: Any, goal: int, multi: bool) -> Any:
    distances = np.full(len(nexts), -1, np.int64)
    distances[goal] = 0
    layer = np.array([goal])
    while layer.size:
        reached = []
        for direction in range(2):
            here = layer
            for _ in range(nexts.shape[2] if multi else 1):
                here = np.unique(nexts[here, direction])
                here = here[here >= 0]
                reached.append(here)
        found = np.unique(np.concatenate(reached))
        found = found[distances[found] < 0]
        distances[found] = distances[layer[0]] + 1
        layer = found
    return distances


@kernel
def state_of(codes: Any, lines: Any, kind: int, count: int, rules: Taquin, position: Tiles) -> int:
    """The number of the state that this position is in."""
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
    rows = state_of(heuristic.codes[0], heuristic.lines, ROW, rules.height, rules, position)
    columns = state_of(heuristic.codes[1], heuristic.lines, COLUMN, rules.width, rules, position)
    return WalkingTrace(rows, columns, heuristic.distances[0][rows] + heuristic.distances[1][columns])


@estimate.register(WalkingDistance)
def _(heuristic: WalkingDistance, rules: Taquin, position: Tiles) -> int:
    return value(begin(heuristic, rules, position))  # type: ignore[no-any-return]


@value.register(WalkingTrace)
def _(trace: WalkingTrace) -> int:
    return trace.left


@advance.register(WalkingDistance)
def _(
    heuristic: WalkingDistance, rules: Taquin, trace: WalkingTrace, position: Tiles, move: int, child: Tiles
) -> WalkingTrace:
    rows = trace.rows
    columns = trace.columns
    direction = move & 3
    cell = position.blank
    for _ in range(1 + (move >> 2)):
        cell = rules.beside[cell, direction]
        home = rules.home[tile_at(rules, position, cell)]
        if direction in (UP, DOWN):
            rows = heuristic.nexts[0][rows, int(direction == DOWN), heuristic.lines[ROW, home]]
        else:
            columns = heuristic.nexts[1][columns, int(direction != LEFT), heuristic.lines[COLUMN, home]]
    return WalkingTrace(rows, columns, heuristic.distances[0][rows] + heuristic.distances[1][columns])
