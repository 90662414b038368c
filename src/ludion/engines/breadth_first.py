"""Breadth-first search: layer by layer, each position once.

Promise: the first goal met is a nearest one, counted in moves. So the answer is optimal when all moves cost the same;
for other puzzles use uniform cost. Memory grows with the positions seen; when the budget is used up the answer says
how many layers were finished without a goal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, Answer
from ludion.core.verbs import kernel
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import finish, layered_answer
from ludion.engines.limits import (
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    FRONTIER,
    GENERATE,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    REACH,
    REPEAT,
    STOP,
    STOPPED,
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    bytes_of,
    find_or_add,
    grown,
    lengthened,
    move_to,
    new_row,
    new_short_row,
    new_store,
    path_to,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, run_safely, with_spare
from ludion.kinds.games import PUZZLE
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, unpack
from ludion.kinds.values import Guide, Rules, State


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
    outcome = run_safely(
        PUZZLE,
        rules,
        start,
        None,
        lambda control, trace: search(rules, start, late, False, control, trace),
        budget,
        observer,
    )
    ended, path, layers = outcome.result
    return layered_answer(
        "breadth-first",
        rules,
        start,
        outcome,
        ended,
        path,
        len(layers) - 1,
        frontier=int(outcome.control[FRONTIER]),
        details={"layers": layers.tolist()},
    )


def sweep(
    rules: Rules, start: State, budget: Budget | None = None, observer: Observer | None = None
) -> Answer:
    """Visit every position that can be reached; `details["layers"]` counts them by their distance."""
    outcome = run_safely(
        PUZZLE,
        rules,
        start,
        None,
        lambda control, trace: search(rules, start, False, True, control, trace),
        budget or Budget(),
        observer,
    )
    ended, _, layers = outcome.result
    return finish(
        "breadth-first",
        outcome,
        ended,
        OPTIMAL if ended == EXHAUSTED else LIMIT,
        depth=len(layers) - 1,
        details={"layers": layers.tolist()},
    )


@kernel
def search(
    rules: Rules, start: State, late: bool, everything: bool, control: np.ndarray, trace: np.ndarray
) -> Any:
    """Return how it ended, the moves to the goal, and the size of every finished layer.

    The store is the queue: positions are numbered in the order in which they are found, and expanded in that order. The
    inner loop changes no array: references to those that a loop changes are counted in each of its rounds.
    """
    none = new_row(0)
    layers = new_short_row(64)
    words = pack(rules, start)
    store = new_store(len(words), FIRST_CAPACITY)
    control[MEMORY] = bytes_of(len(words), FIRST_CAPACITY)
    find_or_add(store, words, -1)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    watched = trace.shape[0] > 0
    head = 0
    depth = 0
    layer_start = 0
    layer_end = 1
    if is_goal(rules, start) and not everything:
        control[NODES] = 1
        return FOUND, none, layers[:0]
    while head < store.count[0]:
        if head == layer_end:
            layers[depth] = layer_end - layer_start
            depth += 1
            if depth == layers.size:
                layers = lengthened(layers)
            layer_start = layer_end
            layer_end = store.count[0]
            control[DEPTH] = depth
        while store.count[0] + most > store.parent.size:
            control[NODES] = store.count[0]
            needed = bytes_of(len(words), store.parent.size * 3)  # the old and the new one, for a moment
            if needed > control[MEMORY_LIMIT] or store.parent.size >= 1 << 30:
                control[EXPANDED] = head
                control[FRONTIER] = store.count[0] - head
                return OUT_OF_MEMORY, none, layers[:depth]
            store = grown(store, words)
            control[MEMORY] = needed
        while head < layer_end and store.count[0] + most <= store.parent.size:
            position = unpack(rules, words_at(store, head, words), start)
            if late and is_goal(rules, position) and not everything:
                control[NODES] = store.count[0]
                control[EXPANDED] = head
                control[FRONTIER] = store.count[0] - head - 1
                if watched:
                    move = move_to(rules, store, head, start, buffer)
                    record(control, trace, REACH, head, store.parent[head], move, depth, 0)
                return FOUND, path_to(rules, store, head, start), layers[:depth]
            if control[EVENTS] < trace.shape[0]:
                move = move_to(rules, store, head, start, buffer)
                record(control, trace, EXPAND, head, store.parent[head], move, depth, store.count[0] - head)
            number_of_moves = moves(rules, position, buffer)
            if not 0 <= number_of_moves <= most:
                return TOO_MANY_MOVES, none, layers[:depth]
            for k in range(number_of_moves):
                child = play(rules, position, buffer[k])
                number, new = find_or_add(store, pack(rules, child), head)
                if watched:
                    record(control, trace, GENERATE if new else REPEAT, number, head, buffer[k], depth + 1, 0)
                if new and not late and not everything and is_goal(rules, child):
                    control[NODES] = store.count[0]
                    control[EXPANDED] = head
                    control[FRONTIER] = store.count[0] - head - 2  # without the goal
                    if watched:
                        record(control, trace, REACH, number, head, buffer[k], depth + 1, 0)
                    return FOUND, path_to(rules, store, number, start), layers[:depth]
            head += 1
            if head & 15 == 0 or watched:
                control[NODES] = store.count[0]
                control[EXPANDED] = head
                control[FRONTIER] = store.count[0] - head
                if control[STOP] != 0:
                    return STOPPED, none, layers[:depth]
            if store.count[0] >= control[NODE_LIMIT]:
                control[NODES] = store.count[0]
                control[EXPANDED] = head
                control[FRONTIER] = store.count[0] - head
                return OUT_OF_NODES, none, layers[:depth]
    control[NODES] = store.count[0]
    control[EXPANDED] = head
    control[FRONTIER] = 0
    layers[depth] = store.count[0] - layer_start
    return EXHAUSTED, none, layers[: depth + 1]
