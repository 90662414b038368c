"""Search for what is new: best first, positions with a new pair of features before all others.

A position's *features* are numbered values, such as where each vehicle stands. A position is new if it has two of them
that no position before it had together. Of the new positions, and then of the others, the one of lowest estimate is
expanded first, among equal ones the oldest.

There are few new positions, so the search leaves no corner of a large puzzle out for long, even where the heuristic is
wrong. (Planners know it as best-first width search: Lipovetzky and Geffner, 2017.) Promise: only that it finds a
solution if there is one. The path is made as short as it gets through the positions seen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, mix, nonnegative, signed
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import path_answer, path_cost
from ludion.engines.limits import (
    EVENTS,
    EXHAUSTED,
    EXPAND,
    FOUND,
    FRONTIER,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    OUT_OF_MEMORY,
    RUNNING,
    STOP,
    SearchTools,
    look,
    record,
)
from ludion.engines.open_list import (
    OpenCounts,
    OpenList,
    bytes_of_entries,
    enter,
    has_room_for,
    new_open_list,
    take_first,
    waiting_in,
    with_room_for,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find,
    find_or_add,
    has_room,
    move_to,
    new_row,
    new_short_row,
    new_store,
    path_to,
    with_room,
    words_at,
)
from ludion.engines.trial import BAD_ESTIMATE, TOO_MANY_MOVES, new_buffer, run_puzzle
from ludion.kinds.puzzle import (
    estimate,
    feature,
    features,
    is_goal,
    most_moves,
    moves,
    pack,
    play,
    unpack,
)
from ludion.kinds.values import Guide, Rules, State

ESTIMATES = 1 << 12  # higher ones count as the highest; positions that are not new come behind all of these
FEWEST_MARKS, MOST_MARKS = 1 << 10, 1 << 20  # of pairs, by hash: two with the same one count as one


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """What is new first; a solution soon, seldom optimal."""
    outcome = run_puzzle(
        rules, start, heuristic, budget, observer, lambda *arrays: search(rules, start, heuristic, *arrays)
    )
    ended, *paths = outcome.result
    path = min(paths, key=lambda path: path_cost(rules, start, tuple(path.tolist())))
    frontier = int(outcome.control[FRONTIER])
    return path_answer(
        "novelty", rules, start, replace(outcome, result=(ended, path)), None, frontier=frontier
    )


class NoveltyTask(NamedTuple):
    """What is searched for."""

    rules: Rules
    start: State
    words: Any  # of the start: what packed positions look like
    heuristic: Guide


class NoveltyMarks(NamedTuple):
    """Which pairs were seen, and hashes of the features of a position and of one that it leads to."""

    seen: np.ndarray
    here: np.ndarray
    there: np.ndarray


@kernel
def search(rules: Rules, start: State, heuristic: Guide, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, and two paths to a goal: the one that was found, and the shortest through what was seen."""
    words, most, no_path = pack(rules, start), most_moves(rules), new_row(0)
    task = NoveltyTask(rules, start, words, heuristic)
    store = new_store(len(words), FIRST_CAPACITY)
    open_list = new_open_list(2 * ESTIMATES // 8, FIRST_CAPACITY, True)
    counts = enter(open_list, OpenCounts(0, 0, 0, 0, 0, 0), 0, 0)
    count, most_marks = max(0, features(rules, start)), MOST_MARKS
    while most_marks > FEWEST_MARKS and 4 * most_marks > control[MEMORY_LIMIT]:
        most_marks //= 2
    marks = NoveltyMarks(np.zeros(most_marks, np.uint8), new_row(count), new_row(count))
    control[MEMORY] = bytes_of(len(words), FIRST_CAPACITY) + bytes_of_entries(open_list) + marks.seen.size
    tools = SearchTools(new_buffer(most), control, trace)
    find_or_add(store, words, -1)
    write_features(rules, start, marks.there)
    mark_pairs(marks)
    expanded, goal, ended = 0, 0, FOUND if is_goal(rules, start) else RUNNING
    while ended == RUNNING:
        others = bytes_of_entries(open_list) + marks.seen.size
        store, fits = with_room(store, words, most, others, control)
        if not fits:
            ended = OUT_OF_MEMORY
        else:
            open_list = with_room_for(open_list, counts, most)
            ended, goal, expanded, counts = expand_first(
                task, store, open_list, marks, counts, expanded, tools
            )
    look(control, store.count[0], expanded, waiting_in(counts))
    if ended != FOUND:
        return ended, no_path, no_path
    path = path_to(rules, store, goal, start)
    shorten(task, store, goal, tools)
    return FOUND, path, path_to(rules, store, goal, start)


@kernel(python_entry=False)
def expand_first(
    task: NoveltyTask,
    store: Store,
    open_list: OpenList,
    marks: NoveltyMarks,
    counts: OpenCounts,
    expanded: int,
    tools: SearchTools,
) -> tuple[int, int, int, OpenCounts]:
    """Expand positions while there is room: how it ended, the number of a goal, how many are expanded, what is left."""
    task, store, open_list, marks, tools = borrowed((task, store, open_list, marks, tools))
    buffer, control, trace = tools
    most, goal, ended = most_moves(task.rules), 0, RUNNING
    while ended == RUNNING and has_room(store, most) and has_room_for(open_list, counts, most):
        if waiting_in(counts) == 0:
            ended = EXHAUSTED
            break
        priority, number, counts = take_first(open_list, counts)
        position = unpack(task.rules, words_at(store, number, task.words), task.start)
        if control[EVENTS] < trace.shape[0]:
            move = move_to(task.rules, store, number, task.start, buffer)
            record(
                control, trace, EXPAND, number, signed(store.parent[number]), move, 0, priority % ESTIMATES
            )
        ended, goal, counts = expand(task, store, open_list, marks, counts, number, position, tools)
        expanded += 1
        nodes = store.count[0]
        if ended == RUNNING and (expanded & 15 == 0 or trace.shape[0] > 0 or nodes >= control[NODE_LIMIT]):
            ended = look(control, nodes, expanded, waiting_in(counts))
    return ended, goal, expanded, counts


@kernel(python_entry=False, inline=True)
def expand(
    task: NoveltyTask,
    store: Store,
    open_list: OpenList,
    marks: NoveltyMarks,
    counts: OpenCounts,
    number: int,
    position: State,
    tools: SearchTools,
) -> tuple[int, int, OpenCounts]:
    """Enter what is one move from a position and new: RUNNING, or FOUND and the number of a goal."""
    rules, buffer = task.rules, tools.buffer
    count = moves(rules, position, buffer)
    if not 0 <= count <= most_moves(rules):
        return TOO_MANY_MOVES, number, counts
    write_features(rules, position, marks.here)
    for k in range(count):
        child = play(rules, position, buffer[nonnegative(k)])
        child_number, new = find_or_add(store, pack(rules, child), number)
        if not new:
            continue
        if is_goal(rules, child):
            return FOUND, child_number, counts
        guess = estimate(task.heuristic, rules, child)
        if guess < 0:
            return BAD_ESTIMATE, number, counts
        write_features(rules, child, marks.there)
        priority = min(guess, ESTIMATES - 1) + (0 if mark_pairs(marks) else ESTIMATES)
        counts = enter(open_list, counts, priority, child_number)
    return RUNNING, number, counts


@kernel(python_entry=False)
def write_features(rules: Rules, position: State, row: np.ndarray) -> None:
    """Write hashes of the position's features."""
    for i in range(row.size):
        row[i] = mix(feature(rules, position, i), mix(i + 1, 0))


@kernel(python_entry=False)
def mark_pairs(marks: NoveltyMarks) -> bool:
    """Whether the position `there`, reached from `here`, has a pair of features that was not seen; now all of them are.

    Only what the move has changed can be new.
    """
    seen, here, there = marks
    is_new = False
    for i in range(there.size):
        if there[i] == here[i]:
            continue
        for j in range(there.size):
            mark = nonnegative((there[i] ^ there[j]) >> 15 & seen.size - 1)
            if i != j and seen[mark] == 0:
                seen[mark] = 1
                is_new = True
    return is_new


@kernel(python_entry=False)
def shorten(task: NoveltyTask, store: Store, goal: int, tools: SearchTools) -> None:
    """Link the positions seen by shortest paths from the start, as far as to the goal, or until the search is stopped.

    Whenever it ends, the parents lead from each position to the start: from one that is linked anew, through such ones.
    """
    task, store, tools = borrowed((task, store, tools))
    rules, buffer, control = task.rules, tools.buffer, tools.control
    waiting, linked = new_short_row(store.count[0]), new_short_row(store.count[0])
    linked[0] = 1
    head, count = 0, 1
    while head < count and linked[goal] == 0 and control[STOP] == 0:
        number = signed(waiting[head])
        head += 1
        control[FRONTIER] = count - head
        position = unpack(rules, words_at(store, number, task.words), task.start)
        for k in range(moves(rules, position, buffer)):
            child = find(store, pack(rules, play(rules, position, buffer[k])))
            if child >= 0 and linked[child] == 0:
                linked[child] = 1
                store.parent[child] = number
                waiting[count] = child
                count += 1
