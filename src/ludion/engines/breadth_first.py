"""Breadth-first search: layer by layer, each position once.

Promise: the first goal met is a nearest one, counted in moves. So the answer is optimal when all moves cost the same;
for other puzzles use uniform cost. Memory grows with the positions seen; when the budget is used up the answer says
how many layers were finished without a goal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import finish, layered_answer
from ludion.engines.limits import (
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    FOUND,
    GENERATE,
    MEMORY,
    NODE_LIMIT,
    OUT_OF_MEMORY,
    REACH,
    REPEAT,
    RUNNING,
    SearchTools,
    look,
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find_or_add,
    has_room,
    lengthened,
    move_to,
    new_row,
    new_short_row,
    new_store,
    path_to,
    with_room,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, new_buffer, run_puzzle
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, unpack
from ludion.kinds.values import Guide, Rules, State

ENTERING, LEAVING, NEVER = range(3)


def solve(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    late: bool = False,
) -> Answer:
    """Search for a nearest goal. `late` tests for it when a position leaves the queue, not when it enters.

    The path has the fewest moves; it is a cheapest one if every move costs the same.
    """
    test = LEAVING if late else ENTERING
    outcome = run_puzzle(
        rules, start, None, budget, observer, lambda *arrays: search(rules, start, test, *arrays)
    )
    layers = outcome.result[2].tolist()
    return layered_answer("breadth-first", rules, start, outcome, len(layers) - 1, details={"layers": layers})


def sweep(
    rules: Rules, start: State, budget: Budget | None = None, observer: Observer | None = None
) -> Answer:
    """Visit every position that can be reached; `details["layers"]` counts them by their distance."""
    budget = budget or Budget()
    outcome = run_puzzle(
        rules, start, None, budget, observer, lambda *arrays: search(rules, start, NEVER, *arrays)
    )
    ended, _, layers = outcome.result
    status = OPTIMAL if ended == EXHAUSTED else LIMIT
    details = {"layers": layers.tolist()}
    return finish("breadth-first", outcome, ended, status, depth=len(layers) - 1, details=details)


class BreadthFirstTask(NamedTuple):
    """What is searched for, and how."""

    rules: Rules
    start: State
    words: Any  # of the start: what packed positions look like
    test: int  # when a position is tested for a goal: ENTERING, LEAVING the queue, or NEVER


@kernel
def search(rules: Rules, start: State, test: int, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the moves to the goal, and the size of every finished layer.

    The store is the queue: positions are numbered in the order in which they are found, and expanded in that order.

        0 .. head - 1 expanded | head .. count - 1 waiting        layer_start .. layer_end - 1 is the current layer

    The inner loop changes no array: references to those that a loop changes are counted in each of its rounds.
    """
    words = pack(rules, start)
    task = BreadthFirstTask(rules, start, words, test)
    store = new_store(len(words), FIRST_CAPACITY)
    control[MEMORY] = bytes_of(len(words), FIRST_CAPACITY)
    find_or_add(store, words, -1)
    most = most_moves(rules)
    tools = SearchTools(new_buffer(most), control, trace)
    layers = new_short_row(64)
    goal, head, depth, layer_start, layer_end = 0, 0, 0, 0, 1
    ended = FOUND if test != NEVER and is_goal(rules, start) else RUNNING
    while ended == RUNNING:
        if head == layer_end:
            layers[depth] = layer_end - layer_start
            depth += 1
            if depth == layers.size:
                layers = lengthened(layers)
            if layer_end == store.count[0]:
                ended = EXHAUSTED
                break
            layer_start, layer_end = layer_end, store.count[0]
            control[DEPTH] = depth
        store, fits = with_room(store, words, most, 0, control)
        if not fits:
            ended = OUT_OF_MEMORY
        else:
            ended, head, goal = expand_layer(task, store, head, layer_end, depth, tools)
    waiting = store.count[0] - head
    if ended == FOUND:
        waiting -= 1 if goal == head else 2  # the goal, and the position before it
    look(control, store.count[0], head, waiting)
    path = path_to(rules, store, goal, start) if ended == FOUND else new_row(0)
    return ended, path, layers[:depth]


@kernel(python_entry=False)
def expand_layer(
    task: BreadthFirstTask, store: Store, head: int, layer_end: int, depth: int, tools: SearchTools
) -> tuple[int, int, int]:
    """Expand the rest of the layer, or as much of it as there is room for: how it ended, the next head, a goal."""
    task, store, tools = borrowed((task, store, tools))
    control, most = tools.control, most_moves(task.rules)
    goal, ended = head, RUNNING
    while ended == RUNNING and head < layer_end and has_room(store, most):
        ended, goal = expand(task, store, head, depth, tools)
        if ended == RUNNING:
            head += 1
            if head & 15 == 0 or tools.trace.shape[0] > 0 or store.count[0] >= control[NODE_LIMIT]:
                ended = look(control, store.count[0], head, store.count[0] - head)
    return ended, head, goal


@kernel(python_entry=False, inline=True)
def expand(
    task: BreadthFirstTask, store: Store, head: int, depth: int, tools: SearchTools
) -> tuple[int, int]:
    """Store the positions one move from that of number `head`: RUNNING, or FOUND and the number of a goal."""
    rules, start, words, test = task
    buffer, control, trace = tools
    watched = trace.shape[0] > 0
    position = unpack(rules, words_at(store, head, words), start)
    if test == LEAVING and is_goal(rules, position):
        if watched:
            move = move_to(rules, store, head, start, buffer)
            record(control, trace, REACH, head, store.parent[head], move, depth, 0)
        return FOUND, head
    if control[EVENTS] < trace.shape[0]:
        move = move_to(rules, store, head, start, buffer)
        record(control, trace, EXPAND, head, store.parent[head], move, depth, store.count[0] - head)
    number_of_moves = moves(rules, position, buffer)
    if not 0 <= number_of_moves <= most_moves(rules):
        return TOO_MANY_MOVES, head
    for k in range(number_of_moves):
        child = play(rules, position, buffer[k])
        number, new = find_or_add(store, pack(rules, child), head)
        if watched:
            record(control, trace, GENERATE if new else REPEAT, number, head, buffer[k], depth + 1, 0)
        if new and test == ENTERING and is_goal(rules, child):
            if watched:
                record(control, trace, REACH, number, head, buffer[k], depth + 1, 0)
            return FOUND, number
    return RUNNING, head
