"""Everything about a board: all positions that can be reached from it, and how far each is from a solution.

Moves can be taken back, so the positions that can be reached from one another form a *component*. `explore` numbers the
positions of a component and finds, from all solved ones at once, how far away each position is, in how many
shortest ways it can be solved, and how many *detours* the most direct of these has: moves that raise the `blockers`
estimate (the red car backs up, or another vehicle enters its way).

Boards of one word have a kernel of their own, `component_of_keys`, which notes the neighbours of each position when it
numbers them: the way back from the solved ones then needs neither moves nor look-ups.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import borrowed, nonnegative, signed
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import (
    EXHAUSTED,
    EXPANDED,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    RUNNING,
    STOP,
    STOPPED,
    run,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    bytes_of,
    find,
    find_or_add,
    grown,
    lengthened,
    new_row,
    new_short_row,
    new_store,
    words_at,
)
from ludion.games.rush_hour import solver
from ludion.games.rush_hour.heuristics import Blockers, chains
from ludion.games.rush_hour.notation import names_of, read, write
from ludion.games.rush_hour.rules import (
    AHEAD,
    BEHIND,
    BITBOARDS,
    KINDS,
    LENGTH,
    SMALL_BITS,
    RushHour,
    Traffic,
)
from ludion.games.rush_hour.solver import find_slot, first_slot
from ludion.kinds.puzzle import estimate, is_goal, most_moves, moves, pack, play, unpack
from ludion.messages import message

FAR = 1 << 30  # farther than any position
MOST_WAYS = 1 << 60  # counts of shortest solutions end here
FIRST_POSITIONS = 1 << 17  # of one word that there is room for at first: what is not written to costs nothing
FIRST_SLOTS = 1 << 15
NEIGHBOURS = 16  # of each of them, on average
MOST_AT_ONCE = 5_000  # of a component that is explored in the calling thread
BYTES_PER_POSITION = 5 * 8 + (2 + 1 + NEIGHBOURS + 2) * 4  # of one word


@dataclass(frozen=True)
class Component:
    """The positions that can be reached from one, by number; number 0 is that one."""

    rules: RushHour
    start: Traffic
    complete: bool  # False if a limit was met: then only the number of positions seen so far is known
    words: np.ndarray  # words[n]: position n, packed
    distances: np.ndarray  # distances[n]: of position n from the nearest solved one; FAR if there is none
    ways: np.ndarray  # ways[n]: how many shortest solutions it has (MOST_WAYS: at least that many)
    detours: np.ndarray  # detours[n]: the fewest detours of any of them
    limit: str = ""  # which limit was met

    def __len__(self) -> int:
        return len(self.words)

    def position(self, number: int) -> Traffic:
        """The position of this number."""
        words = tuple(int(word) for word in self.words[number])
        position = unpack(self.rules, words, self.start)
        return Traffic(tuple(map(int, position.offsets)), tuple(map(int, position.occupied)))

    @property
    def solvable(self) -> bool:
        """Whether it is known to hold a solved position."""
        return self.complete and len(self) > 0 and int(self.distances[0]) < FAR

    def hardest(self) -> int:
        """The number of a position farthest from a solution, and of these one with the fewest ways."""
        far = np.flatnonzero(self.distances == self.distances.max())
        return int(far[np.argmin(self.ways[far])])

    def layers(self) -> list[int]:
        """How many positions are at distance 0, 1, 2, ..."""
        return np.bincount(self.distances).tolist() if self.solvable else []


def explore(
    rules: RushHour, start: Traffic, budget: Budget | None = None, observer: Observer | None = None
) -> Component:
    """All positions that can be reached, with their distances."""

    def work(
        control: np.ndarray, trace: np.ndarray
    ) -> tuple[int, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        if not solver.is_small(rules, start):
            ended, store, *numbers = component(rules, start, control)
            return ended, store.words[: store.count[0]], *numbers
        ended, count, keys, *numbers = component_of_keys(rules, start, new_graph(), control)
        return ended, keys[:count].reshape(-1, 1), *numbers

    outcome = run(work, budget or Budget(), observer, short=MOST_AT_ONCE)
    ended, words, distances, ways, detours = outcome.result
    limit = outcome.limit_name(ended)
    return Component(rules, start, ended == EXHAUSTED, words, distances, ways, detours, limit)


class Graph(NamedTuple):
    """The positions of a board of one word, and the moves between them."""

    keys: np.ndarray  # number -> offsets, occupied cells
    boards: np.ndarray
    slots: np.ndarray  # hash of the key -> number + 1
    ends: np.ndarray  # neighbours[ends[n - 1] : ends[n]]: those of position n
    neighbours: np.ndarray


def new_graph() -> Graph:
    """Room for the first positions."""
    return Graph(
        np.empty(FIRST_POSITIONS, np.int64),
        np.empty(FIRST_POSITIONS, np.int64),
        np.zeros(FIRST_SLOTS, np.int32),
        np.empty(FIRST_POSITIONS, np.int32),
        np.empty(FIRST_POSITIONS * NEIGHBOURS, np.int32),
    )


class ExplorationProgress(NamedTuple):
    """How far the numbering of positions is."""

    ended: int
    head: int  # the next position to expand
    positions: int
    edges: int  # neighbours


@kernel
def component_of_keys(rules: RushHour, start: Traffic, graph: Graph, control: Any) -> Any:
    """As `component`, with the number of positions and their keys, for a board of one word; the graph grows."""
    nothing = new_row(0)
    most = most_moves(rules)
    graph.keys[0] = start.offsets[0]
    graph.boards[0] = start.occupied[0]
    graph.slots[first_slot(graph.keys[0], graph.slots.size - 1)] = 1
    at = ExplorationProgress(RUNNING, 0, 1, 0)
    while at.ended == RUNNING and at.head < at.positions:
        graph, fits = with_room(graph, at.positions + most, at.edges + most, at.positions, control)
        if fits:
            at = expand_some(rules, graph, at, control)
        else:
            at = ExplorationProgress(OUT_OF_MEMORY, at.head, at.positions, at.edges)
    control[NODES] = at.positions
    if at.ended != RUNNING:
        return at.ended, at.positions, graph.keys, nothing, nothing, nothing
    ended, distances, ways, detours = measure_from_goals(rules, graph, at.positions, control)
    return ended, at.positions, graph.keys, distances, ways, detours


@kernel(python_entry=False)
def with_room(graph: Graph, positions: int, edges: int, count: int, control: Any) -> tuple[Graph, bool]:
    """The graph with room for so many positions and neighbours; False if there is no memory for it."""
    keys, boards, slots, ends, neighbours = graph
    while positions > keys.size or edges > neighbours.size:
        # The old and the new tables, and later the numbers of each position.
        needed = (keys.size * 3 + neighbours.size // NEIGHBOURS) * BYTES_PER_POSITION
        if needed > control[MEMORY_LIMIT] or neighbours.size >= 1 << 30:
            return graph, False
        control[MEMORY] = needed
        if edges > neighbours.size:
            neighbours = lengthened(neighbours)
        else:
            keys, boards, ends = lengthened(keys), lengthened(boards), lengthened(ends)
    while 2 * positions > slots.size:
        slots = new_short_row(2 * slots.size)
        for number in range(count):
            slot, _ = find_slot(slots, keys, 0, keys[number])
            slots[slot] = number + 1
    return Graph(keys, boards, slots, ends, neighbours), True


@kernel(python_entry=False)
def expand_some(rules: RushHour, graph: Graph, at: ExplorationProgress, control: Any) -> ExplorationProgress:
    """Expand positions while there is room."""
    rules, graph, control = borrowed((rules, graph, control))
    most = most_moves(rules)
    positions = min(graph.keys.size, graph.slots.size // 2) - most
    edges = graph.neighbours.size - most
    ended, head, count, edge = at
    while ended == RUNNING and head < count and count <= positions and edge <= edges:
        count, edge = expand(rules, graph, head, count, edge)
        graph.ends[head] = edge
        head += 1
        if head & 255 == 0:
            control[NODES] = count
            control[EXPANDED] = head
            if control[STOP] != 0:
                ended = STOPPED
        if count > control[NODE_LIMIT]:
            ended = OUT_OF_NODES
    return ExplorationProgress(ended, head, count, edge)


@kernel(python_entry=False, inline=True)
def expand(rules: RushHour, graph: Graph, head: int, count: int, edge: int) -> tuple[int, int]:
    """Number what is one move from position `head`: how many positions and neighbours there are then."""
    keys, boards, slots, _, neighbours = graph
    vehicles, by_step = rules.vehicles, rules.by_step
    key, board = keys[head], boards[head]
    for vehicle in range(vehicles.shape[0]):
        shift = SMALL_BITS * vehicle
        here = key >> shift & 7
        others = board ^ vehicles[vehicle, BITBOARDS + KINDS * here]
        rest = key ^ here << shift
        for side in range(BEHIND, AHEAD + 1):
            there = here
            while board & vehicles[vehicle, BITBOARDS + KINDS * there + side] == 0:
                there += 2 * side - 3  # BEHIND: -1, AHEAD: 1
                child = rest | there << shift
                slot, number = find_slot(slots, keys, 0, child)
                if number == 0:
                    keys[count] = child
                    boards[count] = others | vehicles[vehicle, BITBOARDS + KINDS * there]
                    count += 1
                    number = count
                    slots[nonnegative(slot)] = number
                neighbours[edge] = number - 1
                edge += 1
                if by_step:
                    break
    return count, edge


@kernel(python_entry=False)
def measure_from_goals(rules: RushHour, graph: Graph, count: int, control: Any) -> Any:
    """Return how it ended, and the distance, the ways and the detours of every position of the graph."""
    rules, graph, control = borrowed((rules, graph, control))
    keys, boards, _, ends, neighbours = graph
    distances = new_row(count)
    ways = new_row(count)
    detours = new_row(count)
    queue = new_short_row(count)
    estimates = new_short_row(count)
    tail = 0
    for number in range(count):
        if number & 255 == 0:
            control[EXPANDED] = count
            if control[STOP] != 0:
                return STOPPED, distances, ways, detours
        position = Traffic((keys[number],), (boards[number],))
        estimates[number] = estimate(Blockers(), rules, position)
        distances[number] = detours[number] = FAR
        if is_goal(rules, position):
            distances[number] = detours[number] = 0
            ways[number] = 1
            queue[tail] = number
            tail += 1
    head = 0
    while head < tail:  # from the solved ones outwards; every move can also be made backwards
        number = signed(queue[head])
        head += 1
        farther = distances[number] + 1
        for edge in range(signed(ends[number - 1]) if number > 0 else 0, signed(ends[number])):
            other = signed(neighbours[edge])
            if distances[other] == FAR:
                distances[other] = farther
                queue[tail] = other
                tail += 1
            if distances[other] == farther:
                ways[other] = min(ways[other] + ways[number], MOST_WAYS)
                detour = 1 if estimates[number] > estimates[other] else 0
                detours[other] = min(detours[other], detours[number] + detour)
        if head & 255 == 0:
            control[EXPANDED] = count + head
            if control[STOP] != 0:
                return STOPPED, distances, ways, detours
    return EXHAUSTED, distances, ways, detours


@kernel
def component(rules: RushHour, start: Traffic, control: Any) -> Any:
    """Return how it ended, the positions, and for each its distance, shortest solutions and detours."""
    nothing = np.zeros(0, np.int64)
    words = pack(rules, start)
    store = new_store(len(words), FIRST_CAPACITY)
    find_or_add(store, words, -1)
    buffer = np.empty(most_moves(rules), np.int64)
    head = 0
    while head < store.count[0]:
        position = unpack(rules, words_at(store, head, words), start)
        count = moves(rules, position, buffer)
        while store.count[0] + count > store.parent.size:
            # The old store and the new one, and later four numbers for each position.
            needed = bytes_of(len(words), store.parent.size * 3) + store.parent.size * 2 * 28
            if needed > control[MEMORY_LIMIT] or store.parent.size >= 1 << 30:
                control[NODES] = store.count[0]
                return OUT_OF_MEMORY, store, nothing, nothing, nothing
            control[MEMORY] = needed
            store = grown(store, words)
        for k in range(count):
            find_or_add(store, pack(rules, play(rules, position, buffer[k])), head)
        head += 1
        if head & 255 == 0:
            control[NODES] = store.count[0]
            control[EXPANDED] = head
            if control[STOP] != 0:
                return STOPPED, store, nothing, nothing, nothing
        if store.count[0] > control[NODE_LIMIT]:
            control[NODES] = store.count[0]
            return OUT_OF_NODES, store, nothing, nothing, nothing
    size = store.count[0]
    control[NODES] = size
    distances = np.full(size, FAR, np.int64)
    ways = np.zeros(size, np.int64)
    detours = np.full(size, FAR, np.int64)
    queue = np.empty(size, np.int64)
    tail = 0
    for number in range(size):
        if number & 255 == 0:
            control[EXPANDED] = size
            if control[STOP] != 0:
                return STOPPED, store, nothing, nothing, nothing
        if is_goal(rules, unpack(rules, words_at(store, number, words), start)):
            distances[number] = 0
            ways[number] = 1
            detours[number] = 0
            queue[tail] = number
            tail += 1
    head = 0
    while head < tail:  # from the solved ones outwards; every move can also be made backwards
        number = queue[head]
        head += 1
        position = unpack(rules, words_at(store, number, words), start)
        estimate_here = estimate(Blockers(), rules, position)
        for k in range(moves(rules, position, buffer)):
            child = play(rules, position, buffer[k])
            other = find(store, pack(rules, child))
            if distances[other] == FAR:
                distances[other] = distances[number] + 1
                queue[tail] = other
                tail += 1
            if distances[other] == distances[number] + 1:
                ways[other] = min(ways[other] + ways[number], MOST_WAYS)
                detour = 1 if estimate_here > estimate(Blockers(), rules, child) else 0
                detours[other] = min(detours[other], detours[number] + detour)
        if head & 255 == 0:
            control[EXPANDED] = size + head
            if control[STOP] != 0:
                return STOPPED, store, nothing, nothing, nothing
    return EXHAUSTED, store, distances, ways, detours


# ------------------------------------------------------------------ which vehicles matter


def without(text: str, name: str) -> str:
    """The board without this vehicle (or, for `x`, without walls)."""
    size, colon, cells = text.rpartition(":")
    return size + colon + cells.replace(name, ".")


def optimum(text: str, metric: str, exit: str = "right") -> int | None:
    """The length of a shortest solution, or None if there is none (or none within the default budget)."""
    rules, position = read(text, metric=metric, exit=exit)
    return solver.solve(rules, position, None, Budget()).length


def idle_vehicles(rules: RushHour, position: Traffic) -> list[str]:
    """The vehicles that make no difference: without one of them a shortest solution is just as long."""
    text, metric, exit = write(rules, position), metric_of(rules), exit_of(rules)
    length = optimum(text, metric, exit)
    if length is None:
        return []
    return [name for name in names_of(rules)[1:] if optimum(without(text, name), metric, exit) == length]


def chain_length(rules: RushHour, position: Traffic) -> int:
    """How many vehicles must move before the red car is free, as far as `chains` sees."""
    return int(estimate(chains(rules), rules._replace(by_step=False), position))


def metric_of(rules: RushHour) -> str:
    """The metric as the option names it."""
    return "steps" if rules.by_step else "moves"


def exit_of(rules: RushHour) -> str:
    """The exit as the option names it."""
    return "left" if rules.exit_left else "right"


# ------------------------------------------------------------------ all that is known


def analysis(rules: RushHour, position: Traffic, budget: Budget | None = None) -> dict[str, object]:
    """What is known of a board: how hard it is, its component, the hardest of that, which vehicles matter."""
    component = explore(rules, position, budget)
    facts: dict[str, object] = {
        "metric": metric_of(rules),
        "vehicles": len(rules.vehicles),
        "trucks": int((rules.vehicles[:, LENGTH] > 2).sum()),
        "positions": len(component),
    }
    if not component.complete:
        positions = message("rush_hour.more_than", count=len(component))
        return {**facts, "limit": component.limit, "positions": positions}
    if not component.solvable:
        return {**facts, "solvable": False}
    hardest = component.hardest()
    idle = idle_vehicles(rules, position)
    ways = int(component.ways[0])
    return {
        **facts,
        "solvable": True,
        "length": int(component.distances[0]),
        "optimal_solutions": ways if ways < MOST_WAYS else message("rush_hour.at_least", count=MOST_WAYS),
        "detours": int(component.detours[0]),
        "chain": chain_length(rules, position),
        "solved_positions": int((component.distances == 0).sum()),
        "hardest": write(rules, component.position(hardest)),
        "hardest_length": int(component.distances[hardest]),
        "distances": component.layers(),
        "minimal": not idle,
        "idle_vehicles": idle,
    }


def study(rules: RushHour, position: Traffic, positions: int = 2_000_000) -> dict[str, object]:
    """The analysis in both metrics, for `ludion analyse`; components of more positions are not analysed."""
    budget = Budget(nodes=positions)
    facts = analysis(rules, position, budget)
    other = "moves" if rules.by_step else "steps"
    other_facts = analysis(*read(write(rules, position), metric=other, exit=exit_of(rules)), budget)
    for name in ("length", "optimal_solutions", "detours", "hardest", "hardest_length"):
        if name in other_facts:
            facts[f"{name}_in_{other}"] = other_facts[name]
    return facts
