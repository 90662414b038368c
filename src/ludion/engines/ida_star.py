"""IDA*: depth-first search under a bound on cost so far + estimate, which rises until a goal is met.

Promise: with an admissible heuristic the answer is optimal, and memory is one line of positions. A position that can be
reached in many ways is searched as often; only taking back the last move is left out (where the game can `reverse`).
`nodes` counts the start once and every position made, in all iterations, up to the goal (as Korf counted in 1985).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.engines.answers import LIMIT, OPTIMAL, UNSOLVABLE, Answer
from ludion.engines.limits import (
    BEST,
    CUT,
    DEPTH,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    STOP,
    STOPPED,
    Budget,
    Observer,
    record,
    run,
)
from ludion.kinds.puzzle import NO_MOVE, cost, estimate, estimate_after, is_goal, most_moves, moves, play, reverse
from ludion.verbs import kernel
from ludion.words import load, save, size

NO_BOUND = 1 << 40


def solve(game: Any, start: Any, guide: Any, budget: Budget, observer: Observer | None = None) -> Answer:
    """Search under rising bounds."""
    outcome = run(lambda control, trace: search(game, start, guide, control, trace), budget, observer)
    ended, way, bound = outcome.result
    control = outcome.control
    status = {FOUND: OPTIMAL, EXHAUSTED: UNSOLVABLE}.get(ended, LIMIT)
    nodes = int(control[NODES])
    return Answer(
        status,
        tuple(way.tolist()),
        length=int(bound) if status == OPTIMAL else None,
        nodes=nodes,
        expanded=int(control[EXPANDED]),
        depth=int(control[DEPTH]),
        bound=int(bound) if status != UNSOLVABLE else None,
        seconds=outcome.seconds,
        memory=int(control[MEMORY]),
        engine="ida-star",
        limit=outcome.limit_name(ended),
        reason={
            UNSOLVABLE: "every way ends without a goal",
            LIMIT: f"no solution costs less than {bound}; {nodes} positions made",
        }.get(status, ""),
    )


@kernel
def search(game: Any, start: Any, heuristic: Any, control: Any, trace: Any) -> Any:
    """Return how it ended, the moves to the goal, and the bound: the cost of the goal, or a lower bound of it.

    One row a depth:  rows: the position    buffers, counts, turns: its moves, how many, which is next
                      costs, estimates      made: the move that led to the next depth
    """
    bound = estimate(heuristic, game, start)
    nodes = 1
    expanded = 0
    if is_goal(game, start):
        control[NODES] = nodes
        return FOUND, np.empty(0, np.int64), 0
    while True:
        depth_limit = bound + 2
        width = size(start) + most_moves(game) + 6
        control[MEMORY] = depth_limit * width * 8
        control[BEST] = bound
        if control[MEMORY] > control[MEMORY_LIMIT]:
            control[NODES] = nodes
            return OUT_OF_MEMORY, np.empty(0, np.int64), bound
        rows = np.empty((depth_limit, size(start) + 1), np.int64)
        buffers = np.empty((depth_limit, most_moves(game)), np.int64)
        counts = np.empty(depth_limit, np.int64)
        turns = np.empty(depth_limit, np.int64)
        costs = np.empty(depth_limit, np.int64)
        estimates = np.empty(depth_limit, np.int64)
        made = np.empty(depth_limit, np.int64)
        ids = np.empty(depth_limit, np.int64)  # the numbers of the positions, for events
        least_beyond = NO_BOUND
        depth = 0
        position = start
        save(rows[0], start)
        counts[0] = moves(game, start, buffers[0])
        turns[0] = 0
        costs[0] = 0
        estimates[0] = estimate(heuristic, game, start)
        ids[0] = 0
        record(control, trace, EXPAND, 0, -1, NO_MOVE, 0, bound)
        backwards = NO_MOVE
        while depth >= 0:
            if turns[depth] == counts[depth]:
                depth -= 1
                if depth >= 0:
                    position = load(rows[depth], start)
                    backwards = reverse(game, made[depth - 1]) if depth > 0 else NO_MOVE
                continue
            move = buffers[depth, turns[depth]]
            turns[depth] += 1
            if move == backwards:
                continue
            nodes += 1
            child = play(game, position, move)
            cost_there = costs[depth] + cost(game, position, move)
            estimate_there = estimate_after(heuristic, game, estimates[depth], position, move, child)
            total = cost_there + estimate_there
            if total > bound:
                least_beyond = min(least_beyond, total)
                if trace.shape[0] > 0:
                    record(control, trace, CUT, nodes - 1, ids[depth], move, depth + 1, total)
                continue
            made[depth] = move
            if is_goal(game, child):
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = depth + 1
                way = np.empty(depth + 1, np.int64)
                for i in range(depth + 1):
                    way[i] = made[i]
                return FOUND, way, cost_there
            depth += 1
            expanded += 1
            position = child
            backwards = reverse(game, move)
            save(rows[depth], child)
            counts[depth] = moves(game, child, buffers[depth])
            turns[depth] = 0
            costs[depth] = cost_there
            estimates[depth] = estimate_there
            if trace.shape[0] > 0:
                ids[depth] = nodes - 1
                record(control, trace, EXPAND, nodes - 1, ids[depth - 1], move, depth, total)
            if expanded & 1023 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = depth
                if control[STOP] != 0:
                    return STOPPED, np.empty(0, np.int64), bound
            if nodes >= control[NODE_LIMIT]:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                return OUT_OF_NODES, np.empty(0, np.int64), bound
        control[NODES] = nodes
        control[EXPANDED] = expanded
        if least_beyond == NO_BOUND:
            return EXHAUSTED, np.empty(0, np.int64), bound
        bound = least_beyond
