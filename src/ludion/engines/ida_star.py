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
from ludion.kinds.puzzle import (
    NO_MOVE,
    advance,
    begin,
    cost,
    estimate,
    is_goal,
    most_moves,
    moves_after,
    play,
    refine,
    value,
)
from ludion.verbs import kernel
from ludion.words import load, save, size

NO_BOUND = 1 << 40

MOVE, NUMBER, DEEP, COST = range(4)  # columns of `facts`; the first two also of `way`
LAST = 2


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

    A position is expanded at once: those of its moves that stay within the bound go on a stack, the first on top.

        one row an entry of the stack    positions, traces: the position, and the heuristic's trace there
                                         facts:  MOVE that led there | its NUMBER | DEEP, its depth | COST so far
        one row a depth                  way:    MOVE that led there | NUMBER | LAST number given to a move from there
    """
    none = np.empty(0, np.int64)
    origin = begin(heuristic, game, start)
    bound = estimate(heuristic, game, start)
    nodes = 1
    expanded = 0
    if is_goal(game, start):
        control[NODES] = nodes
        return FOUND, none, 0
    most = most_moves(game)
    buffer = np.empty(most, np.int64)
    while True:
        deepest = bound + 2
        capacity = deepest * most + 1
        control[MEMORY] = (capacity * (size(start) + size(origin) + 4) + deepest * 3) * 8
        control[BEST] = bound
        if control[MEMORY] > control[MEMORY_LIMIT]:
            control[NODES] = nodes
            return OUT_OF_MEMORY, none, bound
        positions = np.empty((capacity, size(start)), np.int64)
        traces = np.empty((capacity, size(origin)), np.int64)
        facts = np.empty((capacity, 4), np.int64)
        way = np.empty((deepest, 3), np.int64)
        least_beyond = NO_BOUND
        save(positions[0], start)
        save(traces[0], origin)
        facts[0, MOVE] = NO_MOVE
        facts[0, NUMBER] = 0
        facts[0, DEEP] = 0
        facts[0, COST] = 0
        record(control, trace, EXPAND, 0, -1, NO_MOVE, 0, bound)
        top = 1
        while top > 0:
            top -= 1
            position = load(positions[top], start)
            here = load(traces[top], origin)
            last = facts[top, MOVE]
            number = facts[top, NUMBER]
            depth = facts[top, DEEP]
            cost_here = facts[top, COST]
            way[depth, MOVE] = last
            way[depth, NUMBER] = number
            if depth > 0:
                here = refine(heuristic, game, here, last, position)
                total = cost_here + value(here)
                if trace.shape[0] > 0:
                    kind = CUT if total > bound else EXPAND
                    record(control, trace, kind, number, way[depth - 1, NUMBER], last, depth, total)
                if total > bound:
                    least_beyond = min(least_beyond, total)
                    continue
                if is_goal(game, position):
                    for i in range(depth):  # those not come to yet do not count
                        nodes -= way[i, LAST] - way[i + 1, NUMBER]
                    control[NODES] = nodes
                    control[EXPANDED] = expanded
                    control[DEPTH] = depth
                    return FOUND, way[1 : depth + 1, MOVE].copy(), cost_here
            count = moves_after(game, position, last, buffer)
            for k in range(count - 1, -1, -1):
                move = buffer[k]
                child = play(game, position, move)
                after = advance(heuristic, game, here, position, move, child)
                cost_there = cost_here + cost(game, position, move)
                total = cost_there + value(after)
                save(positions[top], child)
                save(traces[top], after)
                facts[top, MOVE] = move
                facts[top, NUMBER] = nodes + k
                facts[top, DEEP] = depth + 1
                facts[top, COST] = cost_there
                # No branches here: whether a move is within the bound is hard to predict.
                top += int(total <= bound)
                least_beyond = min(least_beyond, total if total > bound else NO_BOUND)
                if trace.shape[0] > 0 and total > bound:
                    record(control, trace, CUT, nodes + k, number, move, depth + 1, total)
            nodes += count
            way[depth, LAST] = nodes - 1
            expanded += 1
            if expanded & 1023 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = depth
                if control[STOP] != 0:
                    return STOPPED, none, bound
            if nodes >= control[NODE_LIMIT]:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                return OUT_OF_NODES, none, bound
        control[NODES] = nodes
        control[EXPANDED] = expanded
        if least_beyond == NO_BOUND:
            return EXHAUSTED, none, bound
        bound = least_beyond
