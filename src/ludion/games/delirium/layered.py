# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""The miner of the student report: layers of reflexes over a memory of the map. The highest layer that has an
answer decides.

    6  loops      the last six places are A B A B A B: both count as walls from now on
    5  dangers    do not enter cells under something that may fall, or near where monsters will be
    4  memory     the mine as seen so far; cells that were never seen are unknown
    3  stop       on the exit: wait
    2  exit       with enough diamonds: go to the exit
    1  diamonds   go to the nearest diamond, by straight distance, that has a path; among equally near ones the last
    0  wander     go to the nearest unknown cell, else towards the lower right, else take any possible step

A step costs 1, through dirt 3, pushing a stone 10: the numbers of the report's program (its text says "3 more" and
"10 more"). Everything is computed again in every tick. `thought.layers` has the words of each layer, and
`thought.search` the cells that the search for paths expanded, up to its target.

Differences from the report's program (Prolog, 2016), which are errors in it or follow its game's documents:

- the order of a monster's turns: left, ahead, right, back as in the real game; the report, after the FAQ, has back
  before right;
- the cells beside a monster count as dangerous, too: it kills there. In the report only those around its next cell
  do, and none when it is seen for the first time;
- amoeba, bombs and doors do not count as monsters (in the report every code above 23 does);
- whether a cell can be entered and what it holds are stored separately, so dangers hide neither diamonds nor the exit;
- waiting six ticks in one place is not a loop and does not wall the miner in;
- a stone can be pushed right, left and up, never down; the cell beyond must be empty (not a wall, as in the report);
- one search with the cheapest cells first finds the paths to all cells. The report's A* (one for each target, with the
  straight distance as its estimate) finds paths of the same cost, but among equal ones not those of its own figures;
- improved paths keep the cost of their terrain (in the report they cost 1 per step);
- paths end at the edge of the known cells; the report's search ends at the first unknown cell, whatever its target;
- when no layer has an answer, the report's program searches forever. Here the miner stays; if something may fall on
  him, or a monster is near, he takes the first possible step, even a blocked or dangerous one;
- a new level begins with a new memory.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import signed
from ludion.games.delirium.actions import action_name
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
#             cost           number of entry     cell
COST_SHIFT, ORDER_SHIFT, CELL_BITS = 32, 16, 0xFFFF

UNKNOWN_HEADING, STANDS_STILL = -1, 4  # besides the four headings

# Why an action was chosen: names of messages.
NOTHING, STOP, TO_EXIT, TO_DIAMOND = "nothing", "stop", "exit", "diamonds"
TO_UNKNOWN, TO_LOWER_RIGHT = "wander_unknown", "wander_lower_right"
ANY_STEP, ESCAPE, NOWHERE = "wander_step", "wander_escape", "wander_nowhere"


class LayerWord(NamedTuple):
    """The words of a layer: the name of a message, and its values."""

    layer: str
    says: str
    values: dict[str, int]


@dataclass(frozen=True)
class LayeredThought:
    """Why an action was chosen. Places are x, y."""

    reason: str  # one of those above
    action: str
    target: tuple[int, int] | None = None
    path: list[tuple[int, int]] = field(default_factory=list)
    dangers: list[tuple[int, int]] = field(default_factory=list)
    barred: list[tuple[int, int]] = field(default_factory=list)
    words_of_layers: tuple[LayerWord, ...] = ()
    search_order: tuple[tuple[int, int], ...] = ()  # the cells that the search took, with the cost of each

    @property
    def layer(self) -> str:
        """The layer that decided, in words."""
        return message(f"delirium.layer.{self.reason}")

    @property
    def layers(self) -> list[tuple[str, str]]:
        """Every layer with what it says, in words, from the highest down."""
        return [
            (message(f"delirium.layer.{word.layer}"), message(f"delirium.says.{word.says}", **word.values))
            for word in self.words_of_layers
        ]

    @property
    def search(self) -> list[tuple[int, int, int]]:
        """The cells that the search expanded, in order up to the target: x, y, and the cost of the path."""
        return [(*_place(cell), cost) for cell, cost in self.search_order]

    def __str__(self) -> str:
        words = self.layer
        if self.target is not None:
            words += message("delirium.to_target", n=len(self.path))
        dangers = len(self.dangers)
        return joined((words, message("delirium.dangerous_cells", n=dangers) if dangers else ""))


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
    """Mark the monster, the cells beside it, and those around its next cell."""
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
    """The heading of a monster, from the cell where one of its kind was a tick ago."""
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
    known: Any,
    danger: Any,
    barred: Any,
    place: int,
    can_exit: int,
    cost: Any,
    parent: Any,
    heap: Any,
    taken: Any,
) -> int:
    """Find the cheapest path from the miner to every cell, the nearest cells first; of equal paths the first found.

    Returns how many cells were taken from the heap; they are in `taken`, in this order.
    """
    cost[:] = NO_PATH
    parent[:] = -1
    cost[place] = 0
    heap[0] = place
    count = entries = 1
    steps = 0
    while count:
        entry = take_first(heap, count)
        count -= 1
        here, cost_here = entry & CELL_BITS, entry >> COST_SHIFT
        if cost_here > cost[here]:
            continue
        taken[steps] = here
        steps += 1
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
                entries += 1
                insert(heap, count, (cost_here + price) << COST_SHIFT | entries << ORDER_SHIFT | target)
    return steps


@kernel(python_entry=False, inline=True)
def step_cost(known: Any, target: int, heading: int, can_exit: int) -> int:
    """The cost of entering a cell, or IMPASSABLE."""
    code = signed(known[target])
    if code == EMPTY or code == DIAMOND or code == UNKNOWN:
        return STEP_COST
    if code == DIRT:
        return DIRT_COST
    if code == STONE and heading != HEADING_DOWN:
        beyond = target + HEADING_STEPS[heading]
        if 0 <= beyond < known.shape[0] and known[beyond] == EMPTY:
            return PUSH_COST
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
    """The nearest cell with this code, by straight distance, that has a path; of equally near ones the last, as in the
    report's program; -1 if there is none."""
    best_distance, best_cell = NO_PATH, -1
    for row in range(rows):
        for column in range(STRIDE):
            cell = cell_at(row, column)
            if known[cell] == wanted and cost[cell] < NO_PATH:
                down, right = row - row_of(place), column - column_of(place)
                distance = down * down + right * right
                if distance <= best_distance:
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
        self.thought = LayeredThought(NOTHING, action_name(STAY))
        self.nodes = 0
        self.known = np.full(SIZE, UNKNOWN, np.int8)  # the map so far
        self.before = np.full(SIZE, UNKNOWN, np.int8)  # the map one tick ago
        self.danger = np.zeros(SIZE, np.int8)
        self.barred = np.zeros(SIZE, np.int8)
        self.cost = np.zeros(SIZE, np.int64)  # of the path to each cell
        self.parent = np.zeros(SIZE, np.int64)  # the cell before it on that path
        self.heap = np.zeros(4 * SIZE, np.int64)
        self.taken = np.zeros(SIZE, np.int64)  # the cells that the search took
        self.steps = 0  # how many those are
        self.places: list[int] = []  # the last ones, for the detection of loops
        self.rows = 1  # of the mine, as far as known
        self.words: list[LayerWord] = []  # of the layers, in this decision

    def decide(self, percept: Percept) -> int:
        place = cell_at(percept.y, percept.x)
        left, top, width, height = percept.window
        self.words, self.steps = [], 0
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
        self._say("loops", "loops", n=int(self.barred.sum()))
        self._say("dangers", "dangers", n=int(self.danger.sum()))
        self._say("memory", "memory", n=int((self.known != UNKNOWN).sum()), seen=width * height)
        self.nodes += 1
        decision = self._choose(place, percept.can_exit)
        for layer in Layers._fields[len(self.words) :]:
            self._say(layer, "not_asked")
        self.thought = self._explain(place, decision)
        return decision.action

    def _say(self, layer: str, says: str, **values: int) -> None:
        """Record the words of a layer, also that it is switched off."""
        self.words.append(LayerWord(layer, says if getattr(self.layers, layer) else "off", values))

    def _bar_loops(self, place: int) -> None:
        """Block two places after going back and forth between them three times."""
        self.places = [*self.places[1 - LOOP_LENGTH :], place]
        a, b = self.places[0], self.places[-1]
        if a != b and self.places == [a, b] * (LOOP_LENGTH // 2):
            self.barred[a] = self.barred[b] = 1
            self.places.clear()

    def _choose(self, place: int, can_exit: int) -> Decision:
        """The answer of the highest layer that has one."""
        exit_cell = self._exit_cell()
        if can_exit and self.layers.stop and exit_cell == place:
            self._say("stop", "on_exit")
            return Decision(STAY, STOP, place)
        self._say("stop", "not_on_exit")
        self._find_paths(place, can_exit)
        if can_exit and self.layers.exit and exit_cell >= 0 and self.cost[exit_cell] < NO_PATH:
            return self._go(place, exit_cell, "exit", TO_EXIT)
        self._say("exit", "no_path_to_exit" if can_exit else "exit_closed")
        target = nearest(self.known, self.cost, place, DIAMOND, self.rows)
        if not can_exit and self.layers.diamonds and target >= 0:
            return self._go(place, target, "diamonds", TO_DIAMOND)
        known_diamonds = int((self.known == DIAMOND).sum())
        self._say("diamonds", "enough_diamonds" if can_exit else "no_path_to_diamonds", n=known_diamonds)
        if self.layers.wander:
            return self._wander(place, can_exit)
        return Decision(STAY, NOTHING)

    def _find_paths(self, place: int, can_exit: int) -> None:
        size = cell_at(self.rows, 0)
        self.steps = find_paths(
            self.known[:size],
            self.danger[:size],
            self.barred[:size],
            place,
            can_exit,
            self.cost[:size],
            self.parent[:size],
            self.heap,
            self.taken,
        )

    def _go(self, place: int, target: int, layer: str, reason: str) -> Decision:
        """The first step on the cheapest path to a cell."""
        first, length = target, 1
        while self.parent[first] != place:
            first, length = int(self.parent[first]), length + 1
        x, y = _place(target)
        self.steps = self.taken[: self.steps].tolist().index(target) + 1
        self._say(layer, "path", x=x, y=y, n=length, cost=int(self.cost[target]), taken=self.steps)
        return Decision(HEADING_STEPS.index(first - place) + RIGHT, reason, target)

    def _exit_cell(self) -> int:
        """The cell of the exit, -1 if it was not seen."""
        exits = np.flatnonzero(self.known[: cell_at(self.rows, 0)] == EXIT)
        return int(exits[0]) if len(exits) else -1

    def _wander(self, place: int, can_exit: int) -> Decision:
        target = nearest(self.known, self.cost, place, UNKNOWN, self.rows)
        if target >= 0:
            return self._go(place, target, "wander", TO_UNKNOWN)
        target = self._lower_right(place)
        if target >= 0:
            return self._go(place, target, "wander", TO_LOWER_RIGHT)
        reason = ANY_STEP
        beside = [place + step for step in HEADING_STEPS]
        if self.danger[place] and (self.cost[beside] == NO_PATH).all():
            reason = ESCAPE
            self.danger[:], self.barred[:] = 0, 0
            self._find_paths(place, can_exit)
        for action, cell in zip(range(RIGHT, DOWN + 1), beside, strict=True):
            if self.cost[cell] < NO_PATH:
                self._say("wander", "escape" if reason == ESCAPE else "any_step")
                return Decision(action, reason, cell)
        self._say("wander", "nowhere")
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

    def _explain(self, place: int, decision: Decision) -> LayeredThought:
        path = []
        cell = decision.target
        while cell >= 0 and cell != place and decision.action != STAY:
            path.append(_place(cell))
            cell = int(self.parent[cell])
        size = cell_at(self.rows, 0)
        taken = self.taken[: self.steps]
        return LayeredThought(
            decision.reason,
            action_name(decision.action),
            _place(decision.target) if decision.target >= 0 else None,
            path[::-1],
            _marked_places(self.danger[:size]),
            _marked_places(self.barred[:size]),
            tuple(self.words),
            tuple(zip(taken.tolist(), self.cost[taken].tolist(), strict=True)),
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
