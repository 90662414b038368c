# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""The report's miner: layers of reflexes over a memory of the map, the highest that has something to say
decides.

    6  loops      six last places A B A B A B: both count as walls from now on
    5  dangers    cells under what may fall, and crosses around where monsters will be, are not entered
    4  memory     the mine as seen so far; what was never seen is unknown
    3  stop       on the exit: wait
    2  exit       enough diamonds: go there
    1  diamonds   the nearest as the crow flies that has a path
    0  wander     to the nearest unknown cell, else towards the lower right, else wherever a step is possible

A step costs 1, through dirt 3 more, pushing a stone 10 more. Everything is thought over in every tick.

What the report's program (Prolog, 2016) does otherwise, by mistake or by its game's documents, and is not
copied:

- a monster's turn: left, ahead, right, back as in the real game; the report, after the FAQ, has back before
  right;
- amoeba, bombs and doors are not taken for monsters (the report: every code above 23);
- a cell can be entered if it is not dangerous, so dangers hide neither diamonds nor the exit on the map;
- waiting six ticks in one place is no loop and does not wall the miner in;
- a stone can be pushed right, left and up, never down; the cell beyond must be empty, a wall there does not
  do;
- improved paths keep the cost of their terrain, ties are broken by a fixed order;
- a path may lead through unknown cells, but the search does not end at the first one;
- with no layer's answer the miner stays where he is, instead of searching for ever; a new level begins a new
  memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.delirium.maps import MOST_ROWS
from ludion.games.delirium.physics import (
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    LAST_MONSTER,
    MINER,
    MONSTER,
    SHIFT,
    STONE,
    STRIDE,
    WAYS,
)
from ludion.games.delirium.world import Game, Percept

UNKNOWN = -1
SIZE = MOST_ROWS * STRIDE
STEP, THROUGH_DIRT, PUSH = 1, 3, 10
FAR = 1 << 30


@dataclass(frozen=True)
class Thought:
    """Why an action was chosen."""

    layer: str
    action: int
    target: tuple[int, int] | None = None  # x, y
    path: list[tuple[int, int]] = field(default_factory=list)
    dangers: list[tuple[int, int]] = field(default_factory=list)
    barred: list[tuple[int, int]] = field(default_factory=list)

    def __str__(self) -> str:
        goal = f" to {self.target[0]},{self.target[1]} in {len(self.path)} steps" if self.target else ""
        return f"{self.layer}{goal}; {len(self.dangers)} cells of danger"


@kernel
def remember(known: Any, view: Any, left: int, top: int) -> None:
    for r in range(view.shape[0]):
        for c in range(view.shape[1]):
            known[(top + r) << SHIFT | (left + c)] = view[r, c]


@kernel
def find_dangers(danger: Any, known: Any, before: Any, left: int, top: int, width: int, height: int) -> None:
    """Mark the cells of the view that may kill; `before` is the map one tick ago."""
    danger[:] = 0
    for row in range(top, top + height):
        for column in range(left, left + width):
            cell = row << SHIFT | column
            code = known[cell]
            if code == STONE or code == DIAMOND:
                if row + 1 < top + height and known[cell + STRIDE] == EMPTY:
                    danger[cell + STRIDE] = 1
                    if row + 2 < top + height and known[cell + 2 * STRIDE] == EMPTY:
                        danger[cell + 2 * STRIDE] = 1
    for row in range(top, top + height):
        for column in range(left, left + width):
            cell = row << SHIFT | column
            code = known[cell]
            if not (MONSTER <= code <= LAST_MONSTER):
                continue
            danger[cell] = 1
            heading = -1
            if before[cell] == code:
                heading = 4  # stands still, as far as can be told
            else:
                for way in range(4):
                    origin = cell - WAYS[way]
                    if 0 <= origin < before.shape[0] and before[origin] == code:
                        heading = way
                        break
            if heading == 4:
                for down in range(-1, 2):
                    for right in range(-1, 2):
                        danger[cell + down * STRIDE + right] = 1
            elif heading >= 0:
                for turn in (1, 0, 3, 2):
                    way = (heading + turn) & 3
                    target = cell + WAYS[way]
                    if known[target] == EMPTY:
                        danger[target] = 1
                        for other in range(4):
                            if other != (way + 2) & 3:
                                beside = target + WAYS[other]
                                if 0 <= beside < danger.shape[0]:
                                    danger[beside] = 1
                        break
            for way in range(4):  # one that stays is as deadly
                danger[cell + WAYS[way]] = 1


@kernel
def search(
    known: Any, danger: Any, barred: Any, place: int, can_exit: int, cost: Any, parent: Any, heap: Any
) -> None:
    """The cheapest way from the miner to every cell: Dijkstra's algorithm; the first way found wins ties."""
    cost[:] = FAR
    parent[:] = -1
    cost[place] = 0
    heap[0] = place
    count = 1
    while count:
        item = heap[0]
        count -= 1
        last = heap[count]
        hole = 0
        while True:
            child = 2 * hole + 1
            if child >= count:
                break
            if child + 1 < count and heap[child + 1] < heap[child]:
                child += 1
            if heap[child] >= last:
                break
            heap[hole] = heap[child]
            hole = child
        heap[hole] = last
        here, so_far = item & 0xFFFF, item >> 32
        if so_far > cost[here]:
            continue
        code = np.int64(known[here])
        if here != place and (code == EXIT or code == UNKNOWN):
            continue  # ends of ways: the exit, and the edge of what is known
        for way in range(4):
            target = here + WAYS[way]
            if target < 0 or target >= known.shape[0] or danger[target] or barred[target]:
                continue
            code = np.int64(known[target])
            price = STEP
            if code == DIRT:
                price += THROUGH_DIRT
            elif code == STONE:
                beyond = target + WAYS[way]
                if way == 3 or beyond < 0 or beyond >= known.shape[0] or known[beyond] != EMPTY:
                    continue
                price += PUSH
            elif code == EXIT:
                if not can_exit:
                    continue
            elif code != EMPTY and code != DIAMOND and code != UNKNOWN:
                continue
            if so_far + price < cost[target]:
                cost[target] = so_far + price
                parent[target] = here
                child = count
                count += 1
                entry = (so_far + price) << 32 | np.int64(count) << 16 | target
                while child and heap[(child - 1) >> 1] > entry:
                    heap[child] = heap[(child - 1) >> 1]
                    child = (child - 1) >> 1
                heap[child] = entry


@kernel
def nearest(known: Any, cost: Any, place: int, wanted: int, rows: int) -> int:
    """The reachable cell of this code that is nearest as the crow flies, -1 if there is none."""
    best, found = FAR, -1
    for row in range(rows):
        for column in range(STRIDE):
            cell = row << SHIFT | column
            if known[cell] == wanted and cost[cell] < FAR:
                down, right = row - (place >> SHIFT), column - (place & 63)
                distance = down * down + right * right
                if distance < best:
                    best, found = distance, cell
    return found


def _at(cell: int) -> tuple[int, int]:
    return cell & (STRIDE - 1), cell >> SHIFT


class Layered:
    """The agent. `thought` tells of the last decision why it was taken."""

    def __init__(self, game: Game, **layers: bool) -> None:
        self.game, self.layers = game, layers
        self.thought = Thought("nothing", 0)
        self.nodes = 0
        self.known = np.full(SIZE, UNKNOWN, np.int8)
        self.before = np.full(SIZE, UNKNOWN, np.int8)
        self.danger = np.zeros(SIZE, np.int8)
        self.barred = np.zeros(SIZE, np.int8)
        self.cost = np.zeros(SIZE, np.int64)
        self.parent = np.zeros(SIZE, np.int64)
        self.heap = np.zeros(4 * SIZE, np.int64)
        self.places: list[int] = []
        self.rows = 1  # of the mine, as far as known

    def decide(self, percept: Percept) -> int:
        place = percept.y << SHIFT | percept.x
        left, top = percept.x - percept.position % percept.row, percept.y - percept.position // percept.row
        view = np.array(percept.cells, np.int8).reshape(-1, percept.row)
        if self.layers["loops"]:
            self._bar_loops(place)
        self.rows = max(self.rows, top + len(view) + 1)
        self.before[:] = self.known
        if not self.layers["memory"]:
            self.known[:] = UNKNOWN
        remember(self.known, view, left, top)
        self.known[place] = EMPTY
        self.danger[:] = 0
        if self.layers["dangers"]:
            find_dangers(self.danger, self.known, self.before, left, top, view.shape[1], view.shape[0])
        self.nodes += 1
        action, layer, target = self._choose(place, percept)
        self._explain(place, action, layer, target)
        return action

    def _bar_loops(self, place: int) -> None:
        self.places = [*self.places[-5:], place]
        a, b = self.places[0], self.places[-1]
        if a != b and self.places == [a, b, a, b, a, b]:
            self.barred[a] = self.barred[b] = 1
            self.places.clear()

    def _choose(self, place: int, percept: Percept) -> tuple[int, str, int]:
        if percept.can_exit and self.layers["stop"] and self._exit() == place:
            return 0, "stop", place
        seen = self.rows << SHIFT
        known, danger, barred = self.known[:seen], self.danger[:seen], self.barred[:seen]
        search(
            known, danger, barred, place, percept.can_exit, self.cost[:seen], self.parent[:seen], self.heap
        )
        if percept.can_exit and self.layers["exit"]:
            target = self._exit()
            if target >= 0 and self.cost[target] < FAR:
                return self._step(place, target), "exit", target
        if not percept.can_exit and self.layers["diamonds"]:
            target = nearest(self.known, self.cost, place, DIAMOND, self.rows)
            if target >= 0:
                return self._step(place, target), "diamonds", target
        if self.layers["wander"]:
            return self._wander(place)
        return 0, "nothing", -1

    def _exit(self) -> int:
        found = np.flatnonzero(self.known[: self.rows << SHIFT] == EXIT)
        return int(found[0]) if len(found) else -1

    def _wander(self, place: int) -> tuple[int, str, int]:
        target = nearest(self.known, self.cost, place, UNKNOWN, self.rows)
        if target >= 0:
            return self._step(place, target), "wander: unknown", target
        column, row = _at(place)
        for r in range(row + 2, min(row + 21, self.rows)):
            for c in range(column + 2, min(column + 21, STRIDE)):
                cell = r << SHIFT | c
                if EMPTY <= self.known[cell] < STONE and self.cost[cell] < FAR:
                    return self._step(place, cell), "wander: lower right", cell
        for action in (1, 2, 3, 4):
            cell = place + WAYS[action - 1]
            if self.cost[cell] < FAR:
                return action, "wander: a step", cell
        return 0, "wander: nowhere", -1

    def _step(self, place: int, target: int) -> int:
        while self.parent[target] != place:
            target = int(self.parent[target])
        return WAYS.index(target - place) + 1

    def _explain(self, place: int, action: int, layer: str, target: int) -> None:
        path = []
        cell = target
        while cell >= 0 and cell != place and action:
            path.append(_at(cell))
            cell = int(self.parent[cell])
        self.thought = Thought(
            layer,
            action,
            _at(target) if target >= 0 else None,
            path[::-1],
            [_at(cell) for cell in np.flatnonzero(self.danger[: self.rows << SHIFT]).tolist()],
            [_at(cell) for cell in np.flatnonzero(self.barred[: self.rows << SHIFT]).tolist()],
        )


def make(
    game: Game,
    loops: bool = True,
    dangers: bool = True,
    memory: bool = True,
    stop: bool = True,
    exit: bool = True,
    diamonds: bool = True,
    wander: bool = True,
) -> Layered:
    """The report's miner, each layer of which can be switched off (`--set dangers=no`)."""
    layers = {
        "loops": loops,
        "dangers": dangers,
        "memory": memory,
        "stop": stop,
        "exit": exit,
        "diamonds": diamonds,
        "wander": wander,
    }
    # One decision about nothing in particular, so that the first real one need not load any machine code.
    Layered(game, **dict.fromkeys(layers, True)).decide(
        Percept([BORDER, MINER], [0, 0], 1, 1, 1, 2, 0, 0, 0, 1, 1)
    )
    return Layered(game, **layers)
