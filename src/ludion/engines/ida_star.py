"""IDA*: depth-first search under a bound on cost so far + estimate, which rises until a goal is met.

Promise: with an admissible heuristic the answer is optimal, and memory is one line of positions. A position that can be
reached in many ways is searched as often; only taking back the last move is left out (where the game can `reverse`).
`nodes` counts the start once and every position made, in all iterations, up to the goal (as Korf counted in 1985).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import load, nonnegative, save, size
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import path_answer
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
    record,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import (
    BAD_COST,
    BAD_ESTIMATE,
    LARGEST_ESTIMATE,
    TOO_MANY_MOVES,
    run_puzzle,
    with_spare,
)
from ludion.kinds.puzzle import (
    NO_MOVE,
    advance,
    begin,
    cost,
    is_goal,
    most_moves,
    moves_after,
    play,
    refine,
    value,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

NO_BOUND = 1 << 62
SPELL = 2048  # nodes between two looks at the budget
FIRST_DEPTH = 1 << 8  # moves for which there is room at first, where the bound allows as many


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Search under rising bounds."""
    outcome = run_puzzle(
        rules, start, heuristic, budget, observer, lambda *arrays: search(rules, start, heuristic, *arrays)
    )
    bound = int(outcome.result[2])
    excluded = message("engines.excluded", bound=bound, n=int(outcome.control[NODES]))
    return path_answer(
        "ida-star", rules, start, outcome, bound, unsolvable="engines.dead_ends", unfinished=excluded
    )


@kernel
def search(rules: Rules, start: State, heuristic: Guide, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the moves to the goal, and the bound: the cost of the goal, or a lower bound of it.

    A position is expanded at once: those of its moves that stay within the bound go on a stack, the first on top.

        stack     a row an entry: the position | the heuristic's trace there | move that led there | depth | cost so far
        numbers   the number of the position of each entry, only kept for those who watch
        path      for each depth of the current line, the move that led there; labels: its number
    """
    none = new_row(0)
    origin = begin(heuristic, rules, start)
    bound = value(origin)
    nodes = 1
    expanded = 0
    look_at = min(nodes + SPELL, control[NODE_LIMIT])
    if is_goal(rules, start):
        control[NODES] = nodes
        return FOUND, none, 0
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    if not 0 <= bound <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, none, 0
    watched = trace.shape[0] > 0
    first = size(start)
    move_at = size(start) + size(origin)
    deep_at = move_at + 1
    cost_at = move_at + 2
    room = FIRST_DEPTH
    while True:
        deepest = min(bound + 2, room)  # every move costs at least 1
        capacity = deepest * most + 1
        control[MEMORY] = (capacity * (cost_at + 2) + deepest * 2) * 8
        control[BEST] = bound
        if control[MEMORY] > control[MEMORY_LIMIT]:
            control[NODES] = nodes
            return OUT_OF_MEMORY, none, bound
        stack = new_rows(capacity, cost_at + 1)
        path = new_row(deepest)
        numbers = new_row(capacity if watched else 1)
        labels = new_row(deepest if watched else 1)
        least_beyond = NO_BOUND
        numbers[0] = 0
        save(stack[0], start)
        save(stack[0, first:], origin)
        stack[0, move_at] = NO_MOVE
        stack[0, deep_at] = 0
        stack[0, cost_at] = 0
        record(control, trace, EXPAND, 0, -1, NO_MOVE, 0, value(origin))
        top = 1
        depth = 0
        while top > 0:
            top -= 1
            row = stack[nonnegative(top)]
            position = load(row, start)
            here = load(row[first:], origin)
            last = row[move_at]
            depth = row[deep_at]
            cost_here = row[cost_at]
            if depth >= deepest:
                break
            path[nonnegative(depth)] = last
            if watched:
                labels[depth] = numbers[top]
            if depth > 0:
                here = refine(heuristic, rules, here, last, position)
                total = cost_here + value(here)
                if watched:
                    kind = CUT if total > bound else EXPAND
                    record(control, trace, kind, labels[depth], labels[depth - 1], last, depth, total)
                if total > bound:
                    least_beyond = min(least_beyond, total)
                    continue
                if is_goal(rules, position):
                    control[NODES] = nodes - unvisited_siblings(rules, start, path[: depth + 1], buffer)
                    control[EXPANDED] = expanded
                    control[DEPTH] = depth
                    return FOUND, path[1 : depth + 1].copy(), cost_here
            count = moves_after(rules, position, last, buffer)
            if not 0 <= count <= most:
                return TOO_MANY_MOVES, none, bound
            for k in range(count - 1, -1, -1):
                move = buffer[nonnegative(k)]
                child = play(rules, position, move)
                after = advance(heuristic, rules, here, position, move, child)
                step = cost(rules, position, move)
                if not 1 <= step <= LARGEST_ESTIMATE:
                    return BAD_COST, none, bound
                cost_there = cost_here + step
                total = cost_there + value(after)
                new = stack[nonnegative(top)]
                save(new, child)
                save(new[first:], after)
                new[move_at] = move
                new[deep_at] = depth + 1
                new[cost_at] = cost_there
                if watched:
                    numbers[top] = nodes + k
                    if total > bound:
                        record(control, trace, CUT, nodes + k, labels[depth], move, depth + 1, total)
                # No branches here: whether a move is within the bound is hard to predict.
                top += int(total <= bound)
                least_beyond = min(least_beyond, total if total > bound else NO_BOUND)
            nodes += count
            expanded += 1
            if nodes >= look_at:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = depth
                if control[STOP] != 0:
                    return STOPPED, none, bound
                if nodes >= control[NODE_LIMIT]:
                    return OUT_OF_NODES, none, bound
                look_at = min(nodes + SPELL, control[NODE_LIMIT])
        if depth >= deepest:  # too little room: the same iteration again, with more
            if deepest == bound + 2:
                return BAD_COST, none, bound
            room *= 2
            continue
        control[NODES] = nodes
        control[EXPANDED] = expanded
        if least_beyond == NO_BOUND:
            return EXHAUSTED, none, bound
        bound = least_beyond


@kernel(python_entry=False)
def unvisited_siblings(rules: Rules, start: State, path: np.ndarray, buffer: np.ndarray) -> int:
    """How many positions beside this path were counted but never entered: those of the moves after each of its own."""
    left = 0
    position = start
    for depth in range(1, path.size):
        count = moves_after(rules, position, path[depth - 1], buffer)
        k = 0
        while buffer[k] != path[depth]:
            k += 1
        left += count - 1 - k
        position = play(rules, position, path[depth])
    return left
