"""Bidirectional search: breadth first from the start and from all goals, until the two meet.

It needs a puzzle that knows its `goal` or `goals` and whose moves can be followed back (`reverse`, or `moves_back` and
`play_back`). Promise: optimal if all moves cost the same, with about the square root of the positions that one-sided
search sees. The smaller of the two frontiers is extended by a whole layer at a time, so the first meeting is a shortest
one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import class_name, kernel
from ludion.core.words import borrowed, load, signed
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import layered_answer
from ludion.engines.limits import (
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    RUNNING,
    SearchTools,
    look,
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find,
    find_or_add,
    has_room,
    joined,
    move_to,
    new_row,
    new_store,
    path_from,
    path_to,
    with_room,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, new_buffer, run_puzzle
from ludion.errors import UnfitError
from ludion.kinds.puzzle import (
    can_search_backwards,
    goals,
    is_goal,
    most_moves,
    moves,
    moves_back,
    pack,
    play,
    play_back,
    unpack,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Search from both ends. The path has the fewest moves; it is a cheapest one if every move costs the same."""
    if not can_search_backwards(rules):
        raise UnfitError(message("engines.needs_goals", rules=class_name(rules)))
    solved = np.array([pack(rules, each) for each in goals(rules)], np.int64)
    outcome = run_puzzle(
        rules, start, None, budget, observer, lambda *arrays: search(rules, start, solved, *arrays)
    )
    finished = int(outcome.result[2])
    return layered_answer("bidirectional", rules, start, outcome, finished, unsolvable="engines.never_meet")


class TwoEndedTask(NamedTuple):
    """What is searched, and from which end."""

    rules: Rules
    start: State
    words: Any  # of the start: what packed positions look like
    forwards: bool


class SearchSide(NamedTuple):
    """One of the two searches: its positions, and which of them are its last finished layer, begin .. end - 1."""

    store: Store
    begin: int
    end: int


class Meeting(NamedTuple):
    """The number of a position in both stores; -1 if there is none."""

    mine: int
    other: int


@kernel
def search(rules: Rules, start: State, solved: np.ndarray, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the moves to the goal, and how many moves were proved too few.

    `solved` has the words of all goals. Each move of the path is played forwards: the stores keep no moves.
    """
    control[NODES] = 1
    if is_goal(rules, start):
        return FOUND, new_row(0), 0
    words = pack(rules, start)
    ahead = new_store(len(words), FIRST_CAPACITY)
    find_or_add(ahead, words, -1)
    behind = new_store(len(words), FIRST_CAPACITY)
    behind, fits = with_room(behind, words, solved.shape[0], 0, control)
    if not fits:
        return OUT_OF_MEMORY, new_row(0), 0
    for i in range(solved.shape[0]):
        find_or_add(behind, load(solved[i], words), -1)
    onwards, backwards = TwoEndedTask(rules, start, words, True), TwoEndedTask(rules, start, words, False)
    first, last = SearchSide(ahead, 0, 1), SearchSide(behind, 0, behind.count[0])
    tools = SearchTools(new_buffer(most_moves(rules)), control, trace)
    ended, meeting = RUNNING, Meeting(-1, -1)
    while ended == RUNNING:
        if first.begin == first.end or last.begin == last.end:
            ended = EXHAUSTED
        elif first.end - first.begin <= last.end - last.begin:
            ended, first, meeting = extend(onwards, first, last.store, tools)
        else:
            ended, last, met = extend(backwards, last, first.store, tools)
            meeting = Meeting(met.other, met.mine)
        control[DEPTH] += int(ended == RUNNING)  # layers that are finished
    finished = control[DEPTH]
    if ended != FOUND:
        return ended, new_row(0), finished
    to_meeting = path_to(rules, first.store, meeting.mine, start)
    to_goal = path_from(rules, last.store, meeting.other, start)
    return FOUND, joined(to_meeting, to_goal), finished


@kernel(python_entry=False)
def extend(
    task: TwoEndedTask, side: SearchSide, others: Store, tools: SearchTools
) -> tuple[int, SearchSide, Meeting]:
    """Search one more layer of a side: how it ended, the side, and where it met the positions of the other side."""
    most = most_moves(task.rules)
    other_bytes = bytes_of(len(task.words), others.parent.size)
    store, number, end = side.store, side.begin, side.end
    ended, meeting = RUNNING, Meeting(-1, -1)
    while ended == RUNNING and number < end:
        store, fits = with_room(store, task.words, most, other_bytes, tools.control)
        if not fits:
            return OUT_OF_MEMORY, side, meeting
        rest = SearchSide(store, number, end)
        ended, number, meeting = expand_layer(task, rest, others, tools)
    return ended, SearchSide(store, end, store.count[0]), meeting


@kernel(python_entry=False)
def expand_layer(
    task: TwoEndedTask, side: SearchSide, others: Store, tools: SearchTools
) -> tuple[int, int, Meeting]:
    """Expand the rest of the layer, or as much of it as there is room for: how it ended, the next number, a meeting."""
    task, side, others, tools = borrowed((task, side, others, tools))
    buffer, control, trace = tools
    store, number, end = side
    most = most_moves(task.rules)
    known_behind, expanded = others.count[0], control[EXPANDED]
    nodes = store.count[0] + known_behind
    ended, meeting = RUNNING, Meeting(-1, -1)
    while ended == RUNNING and number < end and has_room(store, most):
        position = unpack(task.rules, words_at(store, number, task.words), task.start)
        if task.forwards and control[EVENTS] < trace.shape[0]:
            move = move_to(task.rules, store, number, task.start, buffer)
            parent, depth = signed(store.parent[number]), control[DEPTH]
            record(control, trace, EXPAND, number, parent, move, depth, end - side.begin)
        ended, meeting = expand(task, store, others, number, position, buffer)
        number += 1
        expanded += 1
        nodes = store.count[0] + known_behind
        if ended == RUNNING and (expanded & 15 == 0 or trace.shape[0] > 0 or nodes >= control[NODE_LIMIT]):
            ended = look(control, nodes, expanded, nodes - end)
    look(control, nodes, expanded, nodes - end)
    return ended, number, meeting


@kernel(python_entry=False, inline=True)
def expand(
    task: TwoEndedTask, store: Store, others: Store, number: int, position: State, buffer: np.ndarray
) -> tuple[int, Meeting]:
    """Store what is one move from the position of this number: FOUND and the first of it that the others have too."""
    rules, forwards = task.rules, task.forwards
    count = moves(rules, position, buffer) if forwards else moves_back(rules, position, buffer)
    if not 0 <= count <= most_moves(rules):
        return TOO_MANY_MOVES, Meeting(-1, -1)
    ended, meeting = RUNNING, Meeting(-1, -1)
    for k in range(count):
        if forwards:
            packed = pack(rules, play(rules, position, buffer[k]))
        else:
            packed = pack(rules, play_back(rules, position, buffer[k]))
        child, new = find_or_add(store, packed, number)
        if new and ended == RUNNING:
            other = find(others, packed)
            if other >= 0:
                ended, meeting = FOUND, Meeting(child, other)
    return ended, meeting
