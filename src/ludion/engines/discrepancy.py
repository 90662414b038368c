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

from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import load
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import path_answer
from ludion.engines.limits import (
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
    OUT_OF_NODES,
    STOP,
    STOPPED,
    record,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import BAD_ESTIMATE, LARGEST_ESTIMATE, TOO_MANY_MOVES, run_puzzle, with_spare
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

COUNT, NEXT, LEFT, NODE = range(4)


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


@kernel
def search(
    rules: Rules, start: State, heuristic: Guide, longest: int, control: np.ndarray, trace: np.ndarray
) -> Any:
    """Return how it ended, the moves to the goal, and the discrepancies that were allowed."""
    none = new_row(0)
    words = pack(rules, start)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    first_value = estimate(heuristic, rules, start)
    if not 0 <= first_value <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, none, 0
    if is_goal(rules, start):
        control[NODES] = 1
        return FOUND, none, 0
    longest_now = longest if longest > 0 else 2 * min(first_value, 1000) + 16
    nodes = 1
    allowed = 0
    while True:
        control[MEMORY] = 8 * (longest_now + 1) * (len(words) + 2 * most + 6)
        if control[MEMORY] > control[MEMORY_LIMIT]:
            return OUT_OF_MEMORY, none, allowed
        rows = new_rows(longest_now + 1, len(words))
        ranked = new_rows(longest_now + 1, most)
        values = new_rows(longest_now + 1, most)
        state = new_rows(longest_now + 1, 4)
        path = new_row(longest_now + 1)
        too_many = False  # a path with more discrepancies was left out
        too_deep = False  # a longer one was
        for i in range(len(words)):
            rows[0, i] = words[i]
        value = first_value
        entering = True
        depth = 0
        state[0, LEFT] = allowed
        while depth >= 0:
            position = unpack(rules, load(rows[depth], words), start)
            if entering:
                entering = False
                move = path[depth - 1] if depth > 0 else NO_MOVE
                parent = state[depth - 1, NODE] if depth > 0 else -1
                record(control, trace, EXPAND, state[depth, NODE], parent, move, depth, value)
                count = moves(rules, position, buffer)
                if not 0 <= count <= most:
                    return TOO_MANY_MOVES, none, allowed
                for k in range(count):
                    child = play(rules, position, buffer[k])
                    guess = estimate_after(heuristic, rules, value, position, buffer[k], child)
                    place = k
                    while place > 0 and values[depth, place - 1] > guess:
                        values[depth, place] = values[depth, place - 1]
                        ranked[depth, place] = ranked[depth, place - 1]
                        place -= 1
                    values[depth, place] = guess
                    ranked[depth, place] = buffer[k]
                state[depth, COUNT] = count
                state[depth, NEXT] = 0
                control[EXPANDED] += 1
                control[NODES] = nodes
                control[DEPTH] = depth
                if control[STOP] != 0:
                    return STOPPED, none, allowed
                if nodes >= control[NODE_LIMIT]:
                    return OUT_OF_NODES, none, allowed
            rank = state[depth, NEXT]
            if rank >= state[depth, COUNT] or rank > state[depth, LEFT]:
                too_many = too_many or rank < state[depth, COUNT]
                depth -= 1
                continue
            state[depth, NEXT] = rank + 1
            path[depth] = ranked[depth, rank]
            child = play(rules, position, path[depth])
            packed = pack(rules, child)
            is_new = True
            for earlier in range(depth + 1):
                if load(rows[earlier], words) == packed:
                    is_new = False
                    break
            if not is_new:
                continue
            nodes += 1
            if is_goal(rules, child):
                control[NODES] = nodes
                control[DEPTH] = depth + 1
                return FOUND, path[: depth + 1].copy(), allowed
            if depth + 1 == longest_now:
                too_deep = True
                continue
            value = values[depth, rank]
            left = state[depth, LEFT] - rank
            depth += 1
            for i in range(len(words)):
                rows[depth, i] = packed[i]
            state[depth, LEFT] = left
            state[depth, NODE] = nodes - 1
            entering = True
        control[NODES] = nodes
        if not too_many:
            if not too_deep:
                return EXHAUSTED, none, allowed
            if longest > 0:
                return OUT_OF_DEPTH, none, allowed
        if too_deep and longest == 0:
            longest_now += longest_now // 4
        allowed += 1
