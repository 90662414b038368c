"""Limited discrepancy search: go where the heuristic leads, then allow it to be wrong once, twice, three times.

At each position the moves are ranked by the estimate of what they lead to. To follow the best costs nothing, the second
best one *discrepancy*, the third two, and so on. Iteration k searches all paths of at most k discrepancies, so a goal
that lies near the heuristic's way is met soon, however deep it is. No path enters a position twice. Memory is one path;
there is no promise about its length. Paths are at most `longest` moves long; where that is left open, it grows.

    rows     by depth: the words of the position
    ranked   by depth: its moves, the most promising first           values: their estimates, in the same order
    state    by depth: | moves | next one | discrepancies that are left | number of the node, for those who watch |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, load, save
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import path_answer
from ludion.engines.limits import (
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    MEMORY,
    MEMORY_LIMIT,
    NODES,
    OUT_OF_DEPTH,
    OUT_OF_MEMORY,
    RUNNING,
    SearchTools,
    look,
    record,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import BAD_ESTIMATE, LARGEST_ESTIMATE, TOO_MANY_MOVES, new_buffer, run_puzzle
from ludion.kinds.puzzle import (
    NO_MOVE,
    estimate,
    estimate_after,
    is_goal,
    most_moves,
    moves,
    pack,
    play,
    unpack,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

COUNT, NEXT, LEFT, NODE = range(4)  # columns of `state`


def solve(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    longest: int = 0,
) -> Answer:
    """Search with a growing number of discrepancies, along paths of bounded length."""
    outcome = run_puzzle(
        rules,
        start,
        heuristic,
        budget,
        observer,
        lambda *arrays: search(rules, start, heuristic, longest, *arrays),
    )
    ended, _, discrepancies = outcome.result
    return path_answer(
        "limited-discrepancy",
        rules,
        start,
        outcome,
        None,
        unsolvable="engines.dead_ends",
        unfinished=message("engines.all_discrepancies", moves=longest) if ended == OUT_OF_DEPTH else "",
        details={"discrepancies": int(discrepancies)},
    )


class DiscrepancyTask(NamedTuple):
    """What is searched for."""

    rules: Rules
    start: State
    words: Any  # of the start: what packed positions look like
    heuristic: Guide


class DiscrepancyTables(NamedTuple):
    """The arrays of one iteration; see the module's drawing."""

    rows: np.ndarray
    ranked: np.ndarray
    values: np.ndarray
    state: np.ndarray
    path: np.ndarray


class DiscrepancyIteration(NamedTuple):
    """What came of an iteration."""

    ended: int
    length: int  # of the path to a goal
    left_out: bool  # whether there was a path with more discrepancies, and a longer one
    too_deep: bool


@kernel
def search(
    rules: Rules, start: State, heuristic: Guide, longest: int, control: np.ndarray, trace: np.ndarray
) -> Any:
    """Return how it ended, the moves to the goal, and the discrepancies that were allowed."""
    words = pack(rules, start)
    first_value = estimate(heuristic, rules, start)
    if not 0 <= first_value <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, new_row(0), 0
    control[NODES] = 1
    if is_goal(rules, start):
        return FOUND, new_row(0), 0
    task = DiscrepancyTask(rules, start, words, heuristic)
    most = most_moves(rules)
    tools = SearchTools(new_buffer(most), control, trace)
    longest_now = longest if longest > 0 else 2 * min(first_value, 1000) + 16
    allowed = 0
    while True:
        control[MEMORY] = 8 * (longest_now + 1) * (len(words) + 2 * most + 6)
        if control[MEMORY] > control[MEMORY_LIMIT]:
            return OUT_OF_MEMORY, new_row(0), allowed
        tables = DiscrepancyTables(
            new_rows(longest_now + 1, len(words)),
            new_rows(longest_now + 1, most),
            new_rows(longest_now + 1, most),
            new_rows(longest_now + 1, 4),
            new_row(longest_now + 1),
        )
        tables.values[0, 0] = first_value
        tables.state[0, LEFT] = allowed
        result = follow(task, tables, tools)
        if result.ended == FOUND:
            return FOUND, tables.path[: result.length].copy(), allowed
        if result.ended != RUNNING:
            return result.ended, new_row(0), allowed
        if not result.left_out and not result.too_deep:
            return EXHAUSTED, new_row(0), allowed
        if not result.left_out and longest > 0:
            return OUT_OF_DEPTH, new_row(0), allowed
        if result.too_deep and longest == 0:
            longest_now += longest_now // 4
        allowed += 1


@kernel(python_entry=False)
def follow(task: DiscrepancyTask, tables: DiscrepancyTables, tools: SearchTools) -> DiscrepancyIteration:
    """Follow all paths with the discrepancies that are allowed, as far as the tables have room for them."""
    task, tables, tools = borrowed((task, tables, tools))
    rows, ranked, values, state, path = tables
    control, nodes, value = tools.control, tools.control[NODES], values[0, 0]
    ended, depth, is_new = RUNNING, 0, True
    left_out = too_deep = False
    save(rows[0], task.words)
    while depth >= 0:
        position = unpack(task.rules, load(rows[depth], task.words), task.start)
        if is_new:
            ended = rank_moves(task, tables, depth, value, position, nodes, tools)
            if ended != RUNNING:
                break
            is_new = False
        rank = state[depth, NEXT]
        if rank >= state[depth, COUNT] or rank > state[depth, LEFT]:
            left_out = left_out or rank < state[depth, COUNT]
            depth -= 1
            continue
        state[depth, NEXT] = rank + 1
        path[depth] = ranked[depth, rank]
        child = play(task.rules, position, path[depth])
        packed = pack(task.rules, child)
        if is_on_path(rows, depth, packed):
            continue
        nodes += 1
        if is_goal(task.rules, child):
            ended = FOUND
            depth += 1
            control[DEPTH] = depth
            break
        if depth + 2 == path.size:
            too_deep = True
            continue
        value, left, is_new = values[depth, rank], state[depth, LEFT] - rank, True
        depth += 1
        save(rows[depth], packed)
        state[depth, LEFT] = left
        state[depth, NODE] = nodes - 1
    control[NODES] = nodes
    return DiscrepancyIteration(ended, depth, left_out, too_deep)


@kernel(python_entry=False, inline=True)
def rank_moves(
    task: DiscrepancyTask,
    tables: DiscrepancyTables,
    depth: int,
    value: int,
    position: State,
    nodes: int,
    tools: SearchTools,
) -> int:
    """Sort the moves of a position by the estimates of what they lead to; RUNNING, or how the search ends."""
    _, ranked, values, state, path = tables
    buffer, control, trace = tools
    if control[EVENTS] < trace.shape[0]:
        move = path[depth - 1] if depth > 0 else NO_MOVE
        parent = state[depth - 1, NODE] if depth > 0 else -1
        record(control, trace, EXPAND, state[depth, NODE], parent, move, depth, value)
    count = moves(task.rules, position, buffer)
    if not 0 <= count <= most_moves(task.rules):
        return TOO_MANY_MOVES
    for k in range(count):
        child = play(task.rules, position, buffer[k])
        guess = estimate_after(task.heuristic, task.rules, value, position, buffer[k], child)
        place = k
        while place > 0 and values[depth, place - 1] > guess:
            values[depth, place] = values[depth, place - 1]
            ranked[depth, place] = ranked[depth, place - 1]
            place -= 1
        values[depth, place] = guess
        ranked[depth, place] = buffer[k]
    state[depth, COUNT] = count
    state[depth, NEXT] = 0
    control[DEPTH] = depth
    return look(control, nodes, control[EXPANDED] + 1, 0)


@kernel(python_entry=False, inline=True)
def is_on_path(rows: np.ndarray, depth: int, packed: Any) -> bool:
    """Whether the position of these words is one of the path's."""
    earlier = depth
    while earlier >= 0 and load(rows[earlier], packed) != packed:
        earlier -= 1
    return earlier >= 0
