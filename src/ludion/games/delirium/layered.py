# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""The miner of the student report: layers of reflexes over a memory of the map. The highest layer that has an
answer decides.

    6  loops      the last six places are A B A B A B: both count as walls from now on
    5  dangers    do not enter cells under something that may fall, or near where monsters will be
    4  memory     the mine as seen so far; cells that were never seen are unknown
    3  stop       on the exit: wait
    2  exit       with enough diamonds: go to the exit
    1  diamonds   go to the nearest diamond, by straight distance, that has a path
    0  wander     go to the nearest unknown cell, else towards the lower right, else take any possible step

A step costs 1, through dirt 3 more, pushing a stone 10 more. Everything is computed anew in every tick.

What the report's program (Prolog, 2016) does differently, by mistake or because its game's documents say so, and what
is not copied:

- the order of a monster's turns: left, ahead, right, back as in the real game; the report, after the FAQ, has back
  before right;
- amoeba, bombs and doors do not count as monsters (in the report every code above 23 does);
- whether a cell can be entered and what it holds are kept apart, so dangers hide neither diamonds nor the exit;
- waiting six ticks in one place is not a loop and does not wall the miner in;
- a stone can be pushed right, left and up, never down; the cell beyond must be empty, a wall there is not enough;
- improved paths keep the cost of their terrain, ties are broken by a fixed order;
- a path may lead through unknown cells, but the search does not end at the first one;
- when no layer has an answer the miner stays where he is, instead of searching forever; a new level begins with a new
  memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import signed
from ludion.games.delirium.mine import MOST_ROWS
from ludion.games.delirium.physics import (
    BORDER,
    COLUMN_BITS,
    DIAMOND,
    DIRT,
    DOWN,
    EMPTY,
    EXIT,
    HEADING_DOWN,
    HEADING_STEPS,
    HEADINGS,
    MINER,
    MONSTER_TURNS,
    RIGHT,
    ROW_SHIFT,
    STAY,
    STONE,
    STRIDE,
    TURN_BACK,
    Bytes,
    cell_at,
    column_of,
    is_heavy,
    is_monster,
    row_of,
    turned,
)
from ludion.games.delirium.world import Briefing, Percept
from ludion.messages import joined, message

UNKNOWN = -1  # code of a cell that was never seen
SIZE = MOST_ROWS * STRIDE
STEP_COST, DIRT_COST, PUSH_COST = 1, 3, 10
NO_PATH = 1 << 30  # cost of a cell without a path
IMPASSABLE = -1
NEAREST_LOWER_RIGHT, FARTHEST_LOWER_RIGHT = 2, 20  # rows and columns ahead, for wandering to the lower right
LOOP_LENGTH = 6  # places

# An entry of the heap: the cheapest first, of equal ones the earlier, then the cell.
#
#     bit     32 and above   16 to 31            0 to 15
#             cost           entries in heap     cell
COST_SHIFT, ORDER_SHIFT, CELL_BITS = 32, 16, 0xFFFF

UNKNOWN_HEADING, STANDS_STILL = -1, 4  # besides the four headings

# Why an action was chosen: names of messages.
NOTHING, STOP, TO_EXIT, TO_DIAMOND = "nothing", "stop", "exit", "diamonds"
TO_UNKNOWN, TO_LOWER_RIGHT = "wander_unknown", "wander_lower_right"
ANY_STEP, NOWHERE = "wander_step", "wander_nowhere"


@dataclass(frozen=True)
class LayeredThought:
    """Why an action was chosen. Places are x, y."""

    reason: str  # one of those above
    action: int
    target: tuple[int, int] | None = None
    path: list[tuple[int, int]] = field(default_factory=list)
    dangers: list[tuple[int, int]] = field(default_factory=list)
    barred: list[tuple[int, int]] = field(default_factory=list)

    @property
    def layer(self) -> str:
        """The layer that decided, in words."""
        return message(f"delirium.layer.{self.reason}")

    def __str__(self) -> str:
        words = self.layer
        if self.target is not None:
            x, y = self.target
            words += " " + message("delirium.to_target", x=x, y=y, n=len(self.path))
        return joined((words, message("delirium.dangerous_cells", n=len(self.dangers))))


class Layers(NamedTuple):
    """Which layers are switched on."""

    loops: bool = True
    dangers: bool = True
    memory: bool = True
    stop: bool = True
    exit: bool = True
    diamonds: bool = True
    wander: bool = True


# ------------------------------------------------------------------ memory and dangers


@kernel
def remember(known: Any, view: Any, left: int, top: int) -> None:
    """Copy the view into the map."""
    for r in range(view.shape[0]):
        for c in range(view.shape[1]):
            known[cell_at(top + r, left + c)] = view[r, c]


@kernel
def find_dangers(danger: Any, known: Any, before: Any, left: int, top: int, width: int, height: int) -> None:
    """Mark the cells in view that may kill; `before` is the map one tick ago."""
    danger[:] = 0
    bottom = top + height
    for row in range(top, bottom):
        for column in range(left, left + width):
            cell = cell_at(row, column)
            if is_heavy(signed(known[cell])):
                mark_below(danger, known, cell, bottom)
    for row in range(top, bottom):
        for column in range(left, left + width):
            cell = cell_at(row, column)
            if is_monster(signed(known[cell])):
                mark_around_monster(danger, known, before, cell)


@kernel(python_entry=False, inline=True)
def mark_below(danger: Any, known: Any, cell: int, bottom: int) -> None:
    """Mark up to two empty cells below something that may fall."""
    for depth in (1, 2):
        below = cell + depth * STRIDE
        if row_of(below) >= bottom or known[below] != EMPTY:
            return
        danger[below] = 1


@kernel(python_entry=False, inline=True)
def mark_around_monster(danger: Any, known: Any, before: Any, monster: int) -> None:
    """Mark the monster, the cells beside it, and those around where it will be."""
    danger[monster] = 1
    heading = observed_heading(known, before, monster)
    if heading == STANDS_STILL:
        for down in range(-1, 2):
            for right in range(-1, 2):
                danger[monster + down * STRIDE + right] = 1
    elif heading != UNKNOWN_HEADING:
        mark_next_step(danger, known, monster, heading)
    for direction in range(HEADINGS):  # it is as deadly if it stays
        danger[monster + HEADING_STEPS[direction]] = 1


@kernel(python_entry=False, inline=True)
def observed_heading(known: Any, before: Any, monster: int) -> int:
    """The heading of a monster, from where one of its kind was a tick ago."""
    code = known[monster]
    if before[monster] == code:
        return STANDS_STILL
    for heading in range(HEADINGS):
        origin = monster - HEADING_STEPS[heading]
        if 0 <= origin < before.shape[0] and before[origin] == code:
            return heading
    return UNKNOWN_HEADING


@kernel(python_entry=False, inline=True)
def mark_next_step(danger: Any, known: Any, monster: int, heading: int) -> None:
    """Mark the cell that the monster will enter, and those beside it."""
    for turn in MONSTER_TURNS:
        new_heading = turned(heading, turn)
        target = monster + HEADING_STEPS[new_heading]
        if known[target] == EMPTY:
            danger[target] = 1
            for side in range(HEADINGS):
                beside = target + HEADING_STEPS[side]
                if side != turned(new_heading, TURN_BACK) and 0 <= beside < danger.shape[0]:
                    danger[beside] = 1
            return


# ------------------------------------------------------------------ paths


@kernel
def find_paths(
    known: Any, danger: Any, barred: Any, place: int, can_exit: int, cost: Any, parent: Any, heap: Any
) -> None:
    """Find the cheapest path from the miner to every cell by Dijkstra's algorithm; of equal ones the first found."""
    cost[:] = NO_PATH
    parent[:] = -1
    cost[place] = 0
    heap[0] = place
    count = 1
    while count:
        entry = take_first(heap, count)
        count -= 1
        here, cost_here = entry & CELL_BITS, entry >> COST_SHIFT
        if cost_here > cost[here]:
            continue
        code = known[here]
        if here != place and (code == EXIT or code == UNKNOWN):
            continue  # paths end at the exit and at the edge of what is known
        for heading in range(HEADINGS):
            target = here + HEADING_STEPS[heading]
            if target < 0 or target >= known.shape[0] or danger[target] or barred[target]:
                continue
            price = step_cost(known, target, heading, can_exit)
            if price != IMPASSABLE and cost_here + price < cost[target]:
                cost[target] = cost_here + price
                parent[target] = here
                count += 1
                insert(heap, count, (cost_here + price) << COST_SHIFT | count << ORDER_SHIFT | target)


@kernel(python_entry=False, inline=True)
def step_cost(known: Any, target: int, heading: int, can_exit: int) -> int:
    """What it costs to enter a cell, or IMPASSABLE."""
    code = signed(known[target])
    if code == EMPTY or code == DIAMOND or code == UNKNOWN:
        return STEP_COST
    if code == DIRT:
        return STEP_COST + DIRT_COST
    if code == STONE and heading != HEADING_DOWN:
        beyond = target + HEADING_STEPS[heading]
        if 0 <= beyond < known.shape[0] and known[beyond] == EMPTY:
            return STEP_COST + PUSH_COST
    if code == EXIT and can_exit:
        return STEP_COST
    return IMPASSABLE


@kernel(python_entry=False, inline=True)
def take_first(heap: Any, count: int) -> int:
    """Remove the smallest entry of a binary heap with this many entries, and return it."""
    first, last = signed(heap[0]), signed(heap[count - 1])
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= count - 1:
            break
        if child + 1 < count - 1 and heap[child + 1] < heap[child]:
            child += 1
        if heap[child] >= last:
            break
        heap[hole] = heap[child]
        hole = child
    heap[hole] = last
    return first


@kernel(python_entry=False, inline=True)
def insert(heap: Any, count: int, entry: int) -> None:
    """Add an entry to a binary heap, which has this many entries with it."""
    hole = count - 1
    while hole and heap[(hole - 1) >> 1] > entry:
        heap[hole] = heap[(hole - 1) >> 1]
        hole = (hole - 1) >> 1
    heap[hole] = entry


@kernel
def nearest(known: Any, cost: Any, place: int, wanted: int, rows: int) -> int:
    """The nearest cell with this code, by straight distance, that has a path; -1 if there is none."""
    best_distance, best_cell = NO_PATH, -1
    for row in range(rows):
        for column in range(STRIDE):
            cell = cell_at(row, column)
            if known[cell] == wanted and cost[cell] < NO_PATH:
                down, right = row - row_of(place), column - column_of(place)
                distance = down * down + right * right
                if distance < best_distance:
                    best_distance, best_cell = distance, cell
    return best_cell


# ------------------------------------------------------------------ the agent


class Decision(NamedTuple):
    """An action, why it was chosen, and the cell it leads to (-1 without)."""

    action: int
    reason: str
    target: int = -1


class LayeredMiner:
    """The agent. `thought` says why the last action was chosen."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.thought = LayeredThought(NOTHING, STAY)
        self.nodes = 0
        self.known = np.full(SIZE, UNKNOWN, np.int8)  # the map so far
        self.before = np.full(SIZE, UNKNOWN, np.int8)  # the map one tick ago
        self.danger = np.zeros(SIZE, np.int8)
        self.barred = np.zeros(SIZE, np.int8)
        self.cost = np.zeros(SIZE, np.int64)  # of the path to each cell
        self.parent = np.zeros(SIZE, np.int64)  # the cell before it on that path
        self.heap = np.zeros(4 * SIZE, np.int64)
        self.places: list[int] = []  # the last ones, for the detection of loops
        self.rows = 1  # of the mine, as far as known

    def decide(self, percept: Percept) -> int:
        place = cell_at(percept.y, percept.x)
        left, top, width, height = percept.window
        if self.layers.loops:
            self._bar_loops(place)
        self.rows = max(self.rows, top + height + 1)
        self.before[:] = self.known
        if not self.layers.memory:
            self.known[:] = UNKNOWN
        remember(self.known, percept.grid(), left, top)
        self.known[place] = EMPTY
        self.danger[:] = 0
        if self.layers.dangers:
            find_dangers(self.danger, self.known, self.before, left, top, width, height)
        self.nodes += 1
        decision = self._choose(place, percept.can_exit)
        self.thought = self._explain(place, decision)
        return decision.action

    def _bar_loops(self, place: int) -> None:
        """Bar two places after going to and fro between them three times."""
        self.places = [*self.places[1 - LOOP_LENGTH :], place]
        a, b = self.places[0], self.places[-1]
        if a != b and self.places == [a, b] * (LOOP_LENGTH // 2):
            self.barred[a] = self.barred[b] = 1
            self.places.clear()

    def _choose(self, place: int, can_exit: int) -> Decision:
        """The answer of the highest layer that has one."""
        if can_exit and self.layers.stop and self._exit_cell() == place:
            return Decision(STAY, STOP, place)
        size = cell_at(self.rows, 0)
        find_paths(
            self.known[:size],
            self.danger[:size],
            self.barred[:size],
            place,
            can_exit,
            self.cost[:size],
            self.parent[:size],
            self.heap,
        )
        if can_exit and self.layers.exit:
            target = self._exit_cell()
            if target >= 0 and self.cost[target] < NO_PATH:
                return Decision(self._first_step(place, target), TO_EXIT, target)
        if not can_exit and self.layers.diamonds:
            target = nearest(self.known, self.cost, place, DIAMOND, self.rows)
            if target >= 0:
                return Decision(self._first_step(place, target), TO_DIAMOND, target)
        if self.layers.wander:
            return self._wander(place)
        return Decision(STAY, NOTHING)

    def _exit_cell(self) -> int:
        """Where the exit is, -1 if it was not seen."""
        exits = np.flatnonzero(self.known[: cell_at(self.rows, 0)] == EXIT)
        return int(exits[0]) if len(exits) else -1

    def _wander(self, place: int) -> Decision:
        target = nearest(self.known, self.cost, place, UNKNOWN, self.rows)
        if target >= 0:
            return Decision(self._first_step(place, target), TO_UNKNOWN, target)
        cell = self._lower_right(place)
        if cell >= 0:
            return Decision(self._first_step(place, cell), TO_LOWER_RIGHT, cell)
        for action in range(RIGHT, DOWN + 1):
            cell = place + HEADING_STEPS[action - RIGHT]
            if self.cost[cell] < NO_PATH:
                return Decision(action, ANY_STEP, cell)
        return Decision(STAY, NOWHERE)

    def _lower_right(self, place: int) -> int:
        """The first cell with a path in a square to the lower right, row by row; -1 if there is none."""
        top, left = row_of(place) + NEAREST_LOWER_RIGHT, column_of(place) + NEAREST_LOWER_RIGHT
        bottom = min(row_of(place) + FARTHEST_LOWER_RIGHT + 1, self.rows)
        square = (slice(top, bottom), slice(left, column_of(place) + FARTHEST_LOWER_RIGHT + 1))
        known = self.known.reshape(-1, STRIDE)[square]
        cost = self.cost.reshape(-1, STRIDE)[square]
        rows, columns = np.nonzero((known >= EMPTY) & (known <= DIAMOND) & (cost < NO_PATH))
        return cell_at(top + int(rows[0]), left + int(columns[0])) if len(rows) else -1

    def _first_step(self, place: int, target: int) -> int:
        """The first action on the path to a cell."""
        while self.parent[target] != place:
            target = int(self.parent[target])
        return HEADING_STEPS.index(target - place) + RIGHT

    def _explain(self, place: int, decision: Decision) -> LayeredThought:
        path = []
        cell = decision.target
        while cell >= 0 and cell != place and decision.action != STAY:
            path.append(_place(cell))
            cell = int(self.parent[cell])
        size = cell_at(self.rows, 0)
        return LayeredThought(
            decision.reason,
            decision.action,
            _place(decision.target) if decision.target >= 0 else None,
            path[::-1],
            _marked_places(self.danger[:size]),
            _marked_places(self.barred[:size]),
        )


def _place(cell: int) -> tuple[int, int]:
    """The cell as x, y."""
    return column_of(cell), row_of(cell)


def _marked_places(marks: Bytes) -> list[tuple[int, int]]:
    """The cells that are marked, as x, y."""
    return [(cell & COLUMN_BITS, cell >> ROW_SHIFT) for cell in np.flatnonzero(marks).tolist()]


def make(
    briefing: Briefing,
    loops: bool = True,
    dangers: bool = True,
    memory: bool = True,
    stop: bool = True,
    exit: bool = True,
    diamonds: bool = True,
    wander: bool = True,
) -> LayeredMiner:
    """The report's miner; each of its layers can be switched off (`--set dangers=no`)."""
    # A decision in a tiny mine first, so that no machine code has to be loaded in the first real one.
    LayeredMiner(Layers()).decide(Percept([BORDER, MINER], [0, 0], 1, 1, 1, 2, 0, 0, 0, 1, 1))
    return LayeredMiner(Layers(loops, dangers, memory, stop, exit, diamonds, wander))
