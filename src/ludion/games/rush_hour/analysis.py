"""Everything about a board: all positions that can be reached from it, and how far each is from a solution.

Moves can be taken back, so the positions that can be reached from one another form a *component*. `explore` numbers the
positions of a component and finds, from all solved ones at once, how far away each position is, in how many
shortest ways it can be solved, and how many *detours* the most direct of these has: moves that raise the `blockers`
estimate (the red car backs up, or another vehicle enters its way).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
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
    STOP,
    STOPPED,
    run,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find,
    find_or_add,
    grown,
    new_store,
    words_at,
)
from ludion.games.rush_hour import solver
from ludion.games.rush_hour.heuristics import Blockers
from ludion.games.rush_hour.notation import names_of, read, write
from ludion.games.rush_hour.rules import LENGTH, RushHour, Traffic
from ludion.kinds.puzzle import estimate, is_goal, most_moves, moves, pack, play, unpack
from ludion.messages import message

FAR = 1 << 30  # farther than any position
MOST_WAYS = 1 << 60  # counts of shortest solutions end here


@dataclass(frozen=True)
class Component:
    """The positions that can be reached from one, by number; number 0 is that one."""

    rules: RushHour
    start: Traffic
    complete: bool  # False if a limit was met: then only the number of positions seen so far is known
    store: Store
    distances: np.ndarray  # distances[n]: of position n from the nearest solved one; FAR if there is none
    ways: np.ndarray  # ways[n]: how many shortest solutions it has (MOST_WAYS: at least so many)
    detours: np.ndarray  # detours[n]: the fewest detours of any of them
    limit: str = ""  # which limit was met

    def __len__(self) -> int:
        return int(self.store.count[0])

    def position(self, number: int) -> Traffic:
        """The position of this number."""
        words = tuple(int(word) for word in self.store.words[number])
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
    outcome = run(lambda control, trace: component(rules, start, control), budget or Budget(), observer)
    ended, store, distances, ways, detours = outcome.result
    return Component(
        rules, start, ended == EXHAUSTED, store, distances, ways, detours, outcome.limit_name(ended)
    )


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
