"""IDA*: depth-first search under a bound on cost so far + estimate, which rises until a goal is met.

Promise: with an admissible heuristic the answer is optimal, and memory is one line of positions. A position that can be
reached in many ways is searched as often; only taking back the last move is left out (where the game can `reverse`).
`nodes` counts the start once and every position made, in all iterations, up to the goal (as Korf counted in 1985).

A position is expanded at once: those of its moves that stay within the bound go on a stack, the first on top.

    stack     a row an entry: the position | the heuristic's trace there | move that led there | depth | cost so far
    numbers   the number of the position of each entry, only kept for those who watch
    path      for each depth of the current line, the move that led there; labels: its number
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, load, nonnegative, save, size
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
    OUT_OF_DEPTH,
    OUT_OF_MEMORY,
    RUNNING,
    SearchTools,
    look,
    record,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import (
    BAD_COST,
    BAD_ESTIMATE,
    LARGEST_ESTIMATE,
    TOO_MANY_MOVES,
    new_buffer,
    run_puzzle,
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
SPELL = 256  # nodes between two looks at the budget
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


class Entry(NamedTuple):
    """A position on the stack, which holds it as a row of ints."""

    position: State
    guess: Any  # the heuristic's trace there
    move: int  # that led there
    depth: int
    cost: int  # so far


class DeepeningTask(NamedTuple):
    """What is searched for, from which entry, at most at which cost."""

    rules: Rules
    heuristic: Guide
    root: Entry
    bound: int


class DeepeningTables(NamedTuple):
    """The arrays of one iteration; see the module's drawing."""

    stack: np.ndarray
    numbers: np.ndarray
    path: np.ndarray
    labels: np.ndarray


class DeepeningIteration(NamedTuple):
    """What came of an iteration: how it ended, the depth and cost of a goal, and the least cost beyond the bound."""

    ended: int
    depth: int
    cost: int
    least_beyond: int


@kernel
def search(rules: Rules, start: State, heuristic: Guide, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the moves to the goal, and the bound: the cost of the goal, or a lower bound of it."""
    root = Entry(start, begin(heuristic, rules, start), NO_MOVE, 0, 0)
    bound = value(root.guess)
    control[NODES] = 1
    if is_goal(rules, start):
        return FOUND, new_row(0), 0
    if not 0 <= bound <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, new_row(0), 0
    most = most_moves(rules)
    tools = SearchTools(new_buffer(most), control, trace)
    watched = trace.shape[0] > 0
    room = FIRST_DEPTH
    while True:
        deepest = min(bound + 2, room)  # every move costs at least 1
        capacity = deepest * most + 1
        control[MEMORY] = (capacity * (size(root) + 1) + deepest * 2) * 8
        control[BEST] = bound
        if control[MEMORY] > control[MEMORY_LIMIT]:
            return OUT_OF_MEMORY, new_row(0), bound
        tables = DeepeningTables(
            new_rows(capacity, size(root)),
            new_row(capacity if watched else 1),
            new_row(deepest),
            new_row(deepest if watched else 1),
        )
        result = search_below(DeepeningTask(rules, heuristic, root, bound), tables, tools)
        if result.ended == FOUND:
            return FOUND, tables.path[1 : result.depth + 1].copy(), result.cost
        if result.ended == OUT_OF_DEPTH and deepest < bound + 2:
            room *= 2  # the same iteration again
        elif result.ended == OUT_OF_DEPTH:
            return BAD_COST, new_row(0), bound
        elif result.ended != RUNNING:
            return result.ended, new_row(0), bound
        elif result.least_beyond == NO_BOUND:
            return EXHAUSTED, new_row(0), bound
        else:
            bound = result.least_beyond


@kernel(python_entry=False)
def search_below(task: DeepeningTask, tables: DeepeningTables, tools: SearchTools) -> DeepeningIteration:
    """Search all lines whose cost does not exceed the bound."""
    task, tables, tools = borrowed((task, tables, tools))
    buffer, control, trace = tools
    rules, heuristic, root, bound = task
    stack, numbers, path, labels = tables
    watched = trace.shape[0] > 0
    most = most_moves(rules)
    nodes, expanded = control[NODES], control[EXPANDED]
    look_at = min(nodes + SPELL, control[NODE_LIMIT])
    save(stack[0], root)
    numbers[0] = 0
    record(control, trace, EXPAND, 0, -1, NO_MOVE, 0, value(root.guess))
    top, depth, cost_here, least_beyond, ended = 1, 0, 0, NO_BOUND, RUNNING
    while top > 0 and ended == RUNNING:
        top -= 1
        position, here, last, depth, cost_here = load(stack[nonnegative(top)], root)
        if depth >= path.size:
            ended = OUT_OF_DEPTH
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
                nodes -= unvisited_siblings(rules, root.position, path[: depth + 1], buffer)
                ended = FOUND
                break
        count = moves_after(rules, position, last, buffer)
        if not 0 <= count <= most:
            ended = TOO_MANY_MOVES
            break
        entry = Entry(position, here, last, depth, cost_here)
        top, least_beyond = push(task, tables, top, least_beyond, entry, count, nodes, tools)
        if top < 0:
            ended = BAD_COST
        nodes += count
        expanded += 1
        if nodes >= look_at:
            control[DEPTH] = depth
            if ended == RUNNING:
                ended = look(control, nodes, expanded, 0)
            look_at = min(nodes + SPELL, control[NODE_LIMIT])
    control[DEPTH] = depth
    look(control, nodes, expanded, 0)
    return DeepeningIteration(ended, depth, cost_here, least_beyond)


@kernel(python_entry=False, inline=True)
def push(
    task: DeepeningTask,
    tables: DeepeningTables,
    top: int,
    least_beyond: int,
    entry: Entry,
    count: int,
    nodes: int,
    tools: SearchTools,
) -> tuple[int, int]:
    """Push what the first `count` moves of the buffer lead to, as far as it stays within the bound.

    Returns the height of the stack, -1 after a move of a forbidden cost, and the least cost beyond the bound.
    """
    position, here, _, depth, cost_here = entry
    buffer, control, trace = tools
    for k in range(count - 1, -1, -1):
        move = buffer[nonnegative(k)]
        child = play(task.rules, position, move)
        after = advance(task.heuristic, task.rules, here, position, move, child)
        step = cost(task.rules, position, move)
        if not 1 <= step <= LARGEST_ESTIMATE:
            return -1, least_beyond
        cost_there = cost_here + step
        total = cost_there + value(after)
        save(tables.stack[nonnegative(top)], Entry(child, after, move, depth + 1, cost_there))
        if trace.shape[0] > 0:
            tables.numbers[top] = nodes + k
            if total > task.bound:
                parent = tables.labels[depth]
                record(control, trace, CUT, nodes + k, parent, move, depth + 1, total)
        # No branches here: whether a move is within the bound is hard to predict.
        top += int(total <= task.bound)
        least_beyond = min(least_beyond, total if total > task.bound else NO_BOUND)
    return top, least_beyond


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
