"""Pattern databases for any puzzle: exact distances in smaller puzzles, made once and looked up.

A game declares `projections(rules)`, how many smaller puzzles there are, and `project(rules, position, number)`, the
position as one of them sees it. Whatever can be moved in the position can be moved in what the projection makes of it,
and leads to what the projection makes of the position after it. So a distance there never exceeds the true one:

    position   --- move --->   next                 distance(project(position)) <= distance(position)
       |                         |
    project                   project
       v                         v
    smaller    --- move --->   smaller next

The estimate is the greatest of the distances, or their sum if the game says with `share` how the cost of a move is
divided between the projections. The puzzle has one `goal` and can `reverse` its moves: distances spread from there,
cheapest first. Where the room for a table is used up, whatever is not in it is at least as far as the last entry.

    table    | words of the projected position | number of the projection |  ->  distance
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import signed
from ludion.engines.budget import Budget, StoppedError
from ludion.engines.heaps import insert, remove_first
from ludion.engines.limits import EXHAUSTED, NODES, OUT_OF_MEMORY, STOP, STOPPED, run
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    find,
    find_or_add,
    grown,
    lengthened,
    lengthened_rows,
    new_row,
    new_rows,
    new_store,
    words_at,
)
from ludion.engines.trial import LARGEST_ESTIMATE, with_spare
from ludion.errors import UnfitError
from ludion.kinds.puzzle import (
    estimate,
    goal,
    most_moves,
    moves,
    pack,
    play,
    project,
    projections,
    reverse,
    share,
    unpack,
)
from ludion.kinds.values import Rules, State
from ludion.messages import message

KEPT_TABLES = 4  # of the rules that were used last

# By the id of the rules, which is theirs while they are here, and the most positions.
_recent: dict[tuple[int, int], tuple[Rules, ProjectionTables]] = {}


class ProjectionTables(NamedTuple):
    """The tables of all projections; see the module's drawing."""

    store: Store
    distances: np.ndarray  # by the number of the entry
    beyond: (
        np.ndarray
    )  # beyond[p]: what a position is at least worth that is not in the table of projection p
    adds: bool


def pattern_database(rules: Rules, positions: int) -> ProjectionTables:
    """The tables of all projections that the game declares, of so many positions each at most."""
    key = id(rules), positions
    owner, tables = _recent.get(key, (None, None))
    if tables is not None and owner is rules:
        return tables
    count = int(projections(rules))
    if count == 0 or not (goal.has(rules) and reverse.has(rules)):
        raise UnfitError(message("engines.no_projections"))
    outcome = run(lambda control, trace: fill(rules, goal(rules), positions, control), Budget())
    ended, store, distances, beyond = outcome.result
    if ended == STOPPED:
        raise StoppedError(message("engines.stopped"))
    tables = ProjectionTables(store, distances, beyond, share.has(rules))
    while len(_recent) >= KEPT_TABLES:
        del _recent[next(iter(_recent))]
    _recent[key] = rules, tables
    return tables


@estimate.register(ProjectionTables)
def _(heuristic: ProjectionTables, rules: Rules, position: State) -> int:
    highest = 0
    total = 0
    for number in range(heuristic.beyond.size):
        words = pack(rules, project(rules, position, number)) + (number,)
        entry = find(heuristic.store, words)
        distance = heuristic.distances[entry] if entry >= 0 else heuristic.beyond[number]
        highest = max(highest, distance)
        total += distance
    return min(total, LARGEST_ESTIMATE) if heuristic.adds else highest


@kernel
def fill(rules: Rules, solved: State, positions: int, control: np.ndarray) -> Any:
    """Return how it ended, the positions, their distances, and what those that are missing are worth at least."""
    count = projections(rules)
    beyond = new_row(count)
    buffer = new_row(with_spare(most_moves(rules)))
    like = pack(rules, solved) + (0,)
    store = new_store(len(like), FIRST_CAPACITY)
    distances = new_row(FIRST_CAPACITY)
    waiting = new_rows(FIRST_CAPACITY, 3)
    ended = EXHAUSTED
    for number in range(count):
        begin = store.count[0]
        first = project(rules, solved, number)
        find_or_add(store, pack(rules, first) + (number,), -1)
        distances[begin] = 0
        waiting_count = insert(waiting, 0, 0, 0, begin)
        steps = 0
        while waiting_count > 0:
            distance = waiting[0, 0]
            here = waiting[0, 2]
            beyond[number] = distance
            if store.count[0] - begin >= positions:
                ended = OUT_OF_MEMORY
                break
            waiting_count = remove_first(waiting, waiting_count)
            if distance > distances[here]:
                continue
            position = unpack(rules, words_at(store, here, like)[:-1], first)
            move_count = moves(rules, position, buffer)
            while store.count[0] + move_count >= store.parent.size:
                store = grown(store, like)
                distances = lengthened(distances)
            while waiting_count + move_count >= waiting.shape[0]:
                waiting = lengthened_rows(waiting)
            for k in range(move_count):
                move = buffer[k]
                child = project(rules, play(rules, position, move), number)
                there = distance + share(rules, child, reverse(rules, move), number)
                entry, new = find_or_add(store, pack(rules, child) + (number,), -1)
                if new or there < distances[entry]:
                    distances[entry] = there
                    waiting_count = insert(waiting, waiting_count, there, 0, entry)
            steps += 1
            if steps & 15 == 0:
                control[NODES] = store.count[0]
                if control[STOP] != 0:
                    return STOPPED, store, distances, beyond
        for i in range(waiting_count):  # no path to these has been proved cheapest
            entry = waiting[i, 2]
            distances[entry] = min(distances[entry], beyond[number])
        if waiting_count == 0:
            beyond[number] = LARGEST_ESTIMATE  # the goal cannot be reached from there
    control[NODES] = store.count[0]
    return ended, store, distances[: signed(store.count[0])], beyond
