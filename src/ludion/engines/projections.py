"""Pattern databases for any puzzle: exact distances in smaller puzzles, made once and looked up.

A game numbers its smaller puzzles with `projections(rules)`, and `project(rules, position, number)` is the position as
one of them sees it. Whatever can be moved in the position can be moved in what the projection makes of it, and leads to
what the projection makes of the position after it. So a distance there never exceeds the true one:

    position   --- move --->   next                 distance(project(position)) <= distance(position)
       |                         |
    project                   project
       v                         v
    smaller    --- move --->   smaller next

The estimate is the largest of the distances, or their sum if the game says with `share` how the cost of a move is
divided between the projections; of all images of the position, if the game has symmetries. The goals are known
(`goal`, `goals`) and moves can be followed back (`reverse`, or `moves_back` and `play_back`): distances spread from the
goals, cheapest first. Where the room or the time for a table is used up, whatever is not in it is at least as far as
the last entry.

    table    | words of the projected position | number of the projection |  ->  distance

A game that says how many `variables` its positions have can leave it to `pattern_choice` which of them to know.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ludion.core.clock import Stopwatch
from ludion.core.files import data_folder
from ludion.core.sources import cache_folder, fingerprint
from ludion.core.verbs import kernel
from ludion.core.words import load, signed
from ludion.engines.budget import Budget, Observer, StoppedError
from ludion.engines.heaps import insert, remove_first
from ludion.engines.limits import (
    EXHAUSTED,
    MEMORY,
    MEMORY_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    STOP,
    STOPPED,
    run,
)
from ludion.engines.pattern_choice import automatic_patterns
from ludion.engines.table_files import load_arrays, save_arrays
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find,
    find_or_add,
    grown,
    hash_of,
    lengthened,
    lengthened_rows,
    new_row,
    new_rows,
    new_short_row,
    new_store,
    words_at,
)
from ludion.engines.trial import LARGEST_ESTIMATE, TOO_MANY_MOVES, complain, new_buffer
from ludion.errors import UnfitError
from ludion.kinds.games import Heuristic
from ludion.kinds.puzzle import (
    Blind,
    can_search_backwards,
    estimate,
    goals,
    mirror,
    most_moves,
    moves_back,
    pack,
    play_back,
    project,
    projections,
    share,
    smaller,
    symmetries,
    unpack,
    variables,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

KEPT_TABLES = 4  # of the rules that were used last
BUILD_SHARE = 0.5  # of the seconds and of the memory of a search, for making its tables
WORTH_A_FILE = 0.2  # seconds of making tables
KEPT_FILES = 64

# By the id of the rules, which is theirs while they are here, and the settings: also the seconds that there were.
_recent: dict[tuple[int, int, bool], tuple[Rules, ProjectionTables, float]] = {}


class ProjectionTables(NamedTuple):
    """The tables of all projections; see the module's drawing."""

    store: Store
    distances: np.ndarray  # by the number of the entry
    numbers: np.ndarray  # of the projections
    beyond: np.ndarray  # beyond[i]: what a position that is not in the table of numbers[i] is worth at least
    adds: bool
    base: Guide  # the heuristic that counts if it says more


@dataclass(frozen=True)
class ProjectionTable:
    """The table of one projection as it was computed."""

    number: int
    words: np.ndarray  # a row for each position
    distances: np.ndarray
    beyond: int
    complete: bool  # no position is missing

    @property
    def size(self) -> int:
        return len(self.distances)


def pattern_database(
    rules: Rules,
    positions: int,
    automatic: bool = False,
    base: Heuristic[Any] | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> ProjectionTables:
    """The tables of the projections that the game declares, of so many positions each at most; or, if they are chosen
    automatically, of so many in all. Where the heuristic `base` says more, that counts.

    Tables that took a while to make are kept on disk. With a budget they take at most half of its time and memory: what
    there is by then is used, and not kept.
    """
    key = id(rules), positions, automatic
    seconds = math.inf if budget is None or budget.seconds is None else budget.seconds
    kept_rules, tables, had_seconds = _recent.get(key, (None, None, 0.0))
    if kept_rules is rules and tables is not None and had_seconds >= seconds:
        return _over(tables, base, rules)
    tables = None
    if not can_search_backwards(rules) or (variables(rules) == 0 if automatic else not projections(rules)):
        name = "no_variables" if automatic else "no_projections"
        raise UnfitError(message(f"engines.{name}"))
    path, description = None, _description(rules, positions, automatic)
    if description:
        path = data_folder() / "projections" / f"{description[:24]}.tables"
        arrays = load_arrays(path, description)
        if arrays is not None:
            tables = _from_arrays(rules, *arrays)
    if tables is None:
        builder = TableBuilder(rules, budget or Budget(), observer)
        numbers = automatic_patterns(builder, positions) if automatic else list(projections(rules))
        tables = builder.tables(numbers, positions)
        if not builder.is_late:
            seconds = math.inf
            if path is not None and builder.watch.seconds() >= WORTH_A_FILE:
                save_arrays(path, description, _arrays(tables), KEPT_FILES)
    else:
        seconds = math.inf
    while len(_recent) >= KEPT_TABLES:
        del _recent[next(iter(_recent))]
    _recent[key] = rules, tables, seconds
    return _over(tables, base, rules)


def _over(tables: ProjectionTables, base: Heuristic[Any] | None, rules: Rules) -> ProjectionTables:
    return tables if base is None else tables._replace(base=base.value(rules))


@estimate.register(ProjectionTables)
def _(heuristic: ProjectionTables, rules: Rules, position: State) -> int:
    highest = estimate(heuristic.base, rules, position)
    for symmetry in range(symmetries(rules)):
        image = mirror(rules, position, symmetry)
        total = 0
        for i in range(heuristic.numbers.size):
            number = heuristic.numbers[i]
            entry = find(heuristic.store, pack(rules, project(rules, image, number)) + (number,))
            distance = signed(heuristic.distances[entry]) if entry >= 0 else heuristic.beyond[i]
            highest = max(highest, distance)
            total += distance
        if heuristic.adds:
            highest = max(highest, min(total, LARGEST_ESTIMATE))
    return highest  # type: ignore[no-any-return]


# ------------------------------------------------------------------ making tables


class TableBuilder:
    """Makes tables within the budget of a search; `is_late` once its time is up."""

    def __init__(self, rules: Rules, budget: Budget, observer: Observer | None) -> None:
        self.rules, self.observer, self.watch = rules, observer, Stopwatch()
        self.seconds = None if budget.seconds is None else budget.seconds * BUILD_SHARE
        self.budget = replace(budget, nodes=None, memory=int(budget.memory * BUILD_SHARE))
        self.like = goals(rules)[0]
        self.is_late = False

    def table(self, number: int, positions: int) -> ProjectionTable:
        """The table of one projection; partial where there is no room or no time for all of it."""
        rules, budget = self.rules, self.budget
        if self.seconds is not None:
            budget = replace(budget, seconds=max(1e-3, self.seconds - self.watch.seconds()))
        inner = smaller(rules, number)
        seeds = np.array([pack(rules, project(rules, each, number)) for each in goals(inner)], np.int64)
        outcome = run(
            lambda control, trace: fill(rules, inner, seeds, self.like, number, positions, control),
            budget,
            self.observer,
        )
        ended, words, distances, beyond = outcome.result
        complain(int(ended), rules, None)
        if ended == STOPPED and outcome.limit != "time":
            raise StoppedError(message("engines.stopped"))
        self.is_late |= ended == STOPPED
        return ProjectionTable(number, words, distances, int(beyond), ended == EXHAUSTED)

    def tables(self, numbers: Iterable[int], positions: int) -> ProjectionTables:
        """The tables of these projections, together."""
        tables = [self.table(number, positions) for number in numbers]
        words = np.concatenate(
            [np.column_stack([each.words, np.full(each.size, each.number)]) for each in tables]
        )
        distances = np.concatenate([each.distances for each in tables]).clip(max=LARGEST_ESTIMATE)
        slots = index(words, pack(self.rules, self.like) + (0,))
        return _from_arrays(
            self.rules,
            slots,
            words,
            distances.astype(np.int32),
            np.array([each.number for each in tables], np.int64),
            np.array([each.beyond for each in tables], np.int64),
        )


def _from_arrays(
    rules: Rules,
    slots: np.ndarray,
    words: np.ndarray,
    distances: np.ndarray,
    numbers: np.ndarray,
    beyond: np.ndarray,
) -> ProjectionTables:
    store = Store(slots, words, np.zeros(0, np.int32), np.array([len(words)]))
    return ProjectionTables(store, distances, numbers, beyond, share.has(rules), Blind())


def _arrays(tables: ProjectionTables) -> list[np.ndarray]:
    return [tables.store.slots, tables.store.words, tables.distances, tables.numbers, tables.beyond]


def _description(rules: Rules, positions: int, automatic: bool) -> str:
    """A hash of all that the tables depend on; empty if the sources of the rules are unknown."""
    sources = fingerprint(type(rules).__module__)
    if sources is None:
        return ""
    digest = hashlib.sha256(f"{cache_folder().name} {sources} {positions} {automatic}".encode())
    todo: list[object] = [rules]
    while todo:
        value = todo.pop()
        digest.update(f"{type(value).__qualname__} ".encode())
        if isinstance(value, tuple):
            todo += value
        elif isinstance(value, np.ndarray):
            digest.update(f"{value.dtype} {value.shape} ".encode() + value.tobytes())
        else:
            digest.update(f"{value!r} ".encode())
    return digest.hexdigest()


@kernel
def fill(
    rules: Rules,
    inner: Rules,
    seeds: np.ndarray,
    like: State,
    number: int,
    positions: int,
    control: np.ndarray,
) -> Any:
    """Return how it ended, the positions, their distances, and what those that are missing are worth at least."""
    beyond = 0
    most = most_moves(inner)
    buffer = new_buffer(most)
    words = pack(rules, like)
    store = new_store(len(words), FIRST_CAPACITY)
    distances = new_row(FIRST_CAPACITY)
    waiting = new_rows(FIRST_CAPACITY, 3)
    waiting_count = 0
    ended = EXHAUSTED
    steps = 0
    for i in range(seeds.shape[0]):
        if store.count[0] + 1 >= store.parent.size:
            store = grown(store, words)
            distances = lengthened(distances)
            waiting = lengthened_rows(waiting)
        entry, new = find_or_add(store, load(seeds[i], words), -1)
        if new:
            waiting_count = insert(waiting, waiting_count, 0, 0, entry)
    while waiting_count > 0:
        distance = waiting[0, 0]
        here = waiting[0, 2]
        beyond = distance
        control[MEMORY] = bytes_of(len(words), store.parent.size) + 8 * distances.size + 24 * waiting.shape[0]
        if store.count[0] >= positions or 3 * control[MEMORY] > control[MEMORY_LIMIT]:
            ended = OUT_OF_MEMORY
            break
        if steps & 15 == 0:
            control[NODES] = store.count[0]
            if control[STOP] != 0:
                ended = STOPPED
                break
        steps += 1
        waiting_count = remove_first(waiting, waiting_count)
        if distance > distances[here]:
            continue
        position = unpack(rules, words_at(store, here, words), like)
        move_count = moves_back(inner, position, buffer)
        if not 0 <= move_count <= most:
            return TOO_MANY_MOVES, store.words[:0], distances[:0], 0
        while store.count[0] + move_count >= store.parent.size:
            store = grown(store, words)
            distances = lengthened(distances)
        while waiting_count + move_count >= waiting.shape[0]:
            waiting = lengthened_rows(waiting)
        for k in range(move_count):
            move = buffer[k]
            before = project(rules, play_back(inner, position, move), number)
            there = distance + share(inner, before, move, number)
            entry, new = find_or_add(store, pack(rules, before), -1)
            if new or there < distances[entry]:
                distances[entry] = there
                waiting_count = insert(waiting, waiting_count, there, 0, entry)
    for i in range(waiting_count):  # no path to these has been proved cheapest
        entry = waiting[i, 2]
        distances[entry] = min(distances[entry], beyond)
    if waiting_count == 0:
        beyond = LARGEST_ESTIMATE  # the goal cannot be reached from there
    control[NODES] = store.count[0]
    count = signed(store.count[0])
    return ended, store.words[:count], distances[:count], beyond


@kernel
def index(words: np.ndarray, like: State) -> Any:
    """The slots of a store that has these positions, each once."""
    size = FIRST_CAPACITY
    while size < 2 * words.shape[0]:
        size *= 2
    slots = new_short_row(size)
    for number in range(words.shape[0]):
        slot = (hash_of(load(words[number], like)) >> 15) & (size - 1)
        while slots[slot] != 0:
            slot = (slot + 1) & (size - 1)
        slots[slot] = number + 1
    return slots
