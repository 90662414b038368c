"""Everything about a board: all positions that can be reached from it, and how far each is from a solution.

Moves can be taken back, so what can be reached from a position can reach it too: a *component*. `explore`
numbers its positions and measures, from all solved ones at once, how far away each is, in how many shortest
ways it can be solved, and how many *detours* the most straightforward of these has: moves that make matters
look worse, that is, that raise the `blockers` estimate (the red car backs up, or another vehicle enters its
way).
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
from ludion.games.rush_hour.notation import read, write
from ludion.games.rush_hour.rules import LENGTH, NAME, RushHour, Traffic
from ludion.kinds.puzzle import estimate, is_goal, most_moves, moves, pack, play, unpack

FAR = 1 << 30  # farther than any position
MOST_WAYS = 1 << 60  # counts stop here
METRICS = ("moves", "steps")


@dataclass(frozen=True)
class Component:
    """The positions that can be reached from one, by number; number 0 is that one."""

    rules: RushHour
    start: Traffic
    complete: bool  # or a limit was met: then only the number of positions seen so far is known
    store: Store
    distances: Any  # distances[n]: of position n from the nearest solved one; FAR if there is none
    ways: Any  # ways[n]: how many shortest solutions it has (MOST_WAYS: at least so many)
    detours: Any  # detours[n]: the fewest detours of any of them
    limit: str = ""

    def __len__(self) -> int:
        return int(self.store.count[0])

    def position(self, number: int) -> Traffic:
        """The position of this number."""
        words = tuple(int(word) for word in self.store.words[number])
        found = unpack(self.rules, words, self.start)
        return Traffic(tuple(map(int, found.offsets)), tuple(map(int, found.occupied)))

    @property
    def solvable(self) -> bool:
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
    """Return how it ended, the positions, and for each its distance, ways and detours."""
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
            # the old store and the new one; later three numbers for each position
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
    while head < tail:  # from the solved ones outwards; a move is also one in the other direction
        number = queue[head]
        head += 1
        position = unpack(rules, words_at(store, number, words), start)
        looks = estimate(Blockers(), rules, position)
        for k in range(moves(rules, position, buffer)):
            child = play(rules, position, buffer[k])
            other = find(store, pack(rules, child))
            if distances[other] == FAR:
                distances[other] = distances[number] + 1
                queue[tail] = other
                tail += 1
            if distances[other] == distances[number] + 1:
                ways[other] = min(ways[other] + ways[number], MOST_WAYS)
                detour = 1 if looks > estimate(Blockers(), rules, child) else 0
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
    """The vehicles that make no difference: without any one of them a shortest solution is as long."""
    text, metric, exit = write(rules, position), metric_of(rules), exit_of(rules)
    length = optimum(text, metric, exit)
    names = [chr(code) for code in rules.vehicles[1:, NAME].tolist()]
    if length is None:
        return []
    return [name for name in names if optimum(without(text, name), metric, exit) == length]


def metric_of(rules: RushHour) -> str:
    return "steps" if rules.by_step else "moves"


def exit_of(rules: RushHour) -> str:
    return "left" if rules.exit_left else "right"


# ------------------------------------------------------------------ in words


def analysis(rules: RushHour, position: Traffic, budget: Budget | None = None) -> dict[str, Any]:
    """What is known of a board: how hard it is, its component, the hardest of that, which vehicles matter."""
    found = explore(rules, position, budget)
    told: dict[str, Any] = {
        "metric": metric_of(rules),
        "vehicles": len(rules.vehicles),
        "trucks": int((rules.vehicles[:, LENGTH] > 2).sum()),
        "positions": len(found),
    }
    if not found.complete:
        return {**told, "limit": found.limit, "positions": f"more than {len(found)}"}
    if not found.solvable:
        return {**told, "solvable": False}
    hardest = found.hardest()
    idle = idle_vehicles(rules, position)
    ways = int(found.ways[0])
    return {
        **told,
        "solvable": True,
        "length": int(found.distances[0]),
        "optimal_solutions": ways if ways < MOST_WAYS else f"at least {MOST_WAYS}",
        "detours": int(found.detours[0]),
        "solved_positions": int((found.distances == 0).sum()),
        "hardest": write(rules, found.position(hardest)),
        "hardest_length": int(found.distances[hardest]),
        "distances": found.layers(),
        "minimal": not idle,
        "idle_vehicles": idle,
    }


def study(rules: RushHour, position: Traffic, positions: int = 2_000_000) -> dict[str, Any]:
    """The analysis in both metrics, for `ludion analyse`; components of more positions are not analysed."""
    budget = Budget(nodes=positions)
    told = analysis(rules, position, budget)
    other = "moves" if rules.by_step else "steps"
    also = analysis(*read(write(rules, position), metric=other, exit=exit_of(rules)), budget)
    for name in ("length", "optimal_solutions", "detours", "hardest", "hardest_length"):
        if name in also:
            told[f"{name}_in_{other}"] = also[name]
    return told
