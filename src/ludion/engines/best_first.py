"""Best-first search, one kernel for the whole family: the next position to expand is one of least priority.

    uniform cost     cost so far                        optimal
    greedy           estimate                           quick, no promise
    A*               cost so far + estimate             optimal if the heuristic is admissible
    weighted A*      cost so far + weight x estimate    at most `weight` times the optimum if it is admissible

Priorities are whole numbers, so the open set is an array of buckets, each a linked list of entries; taking the next one
costs no comparison. Priorities of `MOST_BUCKETS` and more, where moves cost millions, wait in a heap, whose turn comes
when the buckets are empty. A cheaper path to a position that is known already enters it again; entries that have become
stale are passed over when their turn comes.

    heads[f], tails[f]: first and last entry of bucket f       following[e]: the next entry of the bucket
    entries[e]: the number of a position                       costs[n], estimates[n]; closed[n]: 1 once expanded
    far: the heap, a row an entry                              | priority | order of arrival | number of a position |

Entries count from 1, 0 is none.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import signed
from ludion.engines.budget import Budget, BudgetError, Observer
from ludion.engines.finish import path_answer
from ludion.engines.heaps import insert, remove_first
from ludion.engines.limits import (
    BEST,
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
    lengthened_rows,
    move_to,
    new_row,
    new_rows,
    new_short_row,
    new_store,
    path_to,
    words_at,
)
from ludion.engines.trial import (
    BAD_COST,
    BAD_ESTIMATE,
    LARGEST_ESTIMATE,
    TOO_MANY_MOVES,
    run_safely,
    with_spare,
)
from ludion.kinds.games import PUZZLE
from ludion.kinds.puzzle import (
    Blind,
    cost,
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

FINEST = 1000  # weights are counted in thousandths
MOST_BUCKETS = 1 << 20


def uniform_cost(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    oldest_first: bool = False,
) -> Answer:
    """Cheapest position first."""
    return _solve("uniform-cost", (1, 0), rules, start, Blind(), budget, observer, oldest_first)


def greedy(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    oldest_first: bool = False,
    reopen: bool = True,
) -> Answer:
    """What looks nearest to a goal first."""
    return _solve("greedy", (0, 1), rules, start, heuristic, budget, observer, oldest_first, reopen)


def a_star(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    oldest_first: bool = False,
    reopen: bool = True,
) -> Answer:
    """Least cost so far plus estimate first."""
    return _solve("a-star", (1, 1), rules, start, heuristic, budget, observer, oldest_first, reopen)


def weighted_a_star(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    weight: float = 1.5,
) -> Answer:
    """A* with the estimate multiplied by `weight`."""
    if not 1 <= weight <= 1000:
        raise BudgetError(message("engines.weight_range", weight=weight))
    shares = Fraction(round(FINEST * weight), FINEST)
    return _solve(
        "weighted-a-star", (shares.denominator, shares.numerator), rules, start, heuristic, budget, observer
    )


def _solve(
    engine: str,
    shares: tuple[int, int],
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None,
    oldest_first: bool = False,
    reopen: bool = True,
) -> Answer:
    """Run the kernel with these shares of cost and estimate in the priority."""
    outcome = run_safely(
        PUZZLE,
        rules,
        start,
        heuristic,
        lambda control, trace: search(rules, start, heuristic, *shares, oldest_first, reopen, control, trace),
        budget,
        observer,
    )
    ended, path, length, bound = outcome.result
    nodes = int(outcome.control[NODES])
    seen = message("answers.positions_seen", n=nodes)
    return path_answer(
        engine,
        outcome,
        ended,
        path,
        length=int(length),
        bound=int(bound) if bound >= 0 else None,
        proved=shares[0] == shares[1] or shares[1] == 0,
        unsolvable=message("answers.no_goal", n=nodes),
        unfinished=message("answers.cheaper_excluded", seen=seen, bound=bound) if bound >= 0 else seen,
        frontier=int(outcome.control[FRONTIER]),
    )


@kernel
def search(
    rules: Rules,
    start: State,
    heuristic: Guide,
    cost_share: int,
    estimate_share: int,
    oldest_first: bool,
    reopen: bool,
    control: np.ndarray,
    trace: np.ndarray,
) -> Any:
    """Return how it ended, the moves to the goal, their cost, and a lower bound of any solution's cost (or -1).

    The lower bound is the least cost so far + estimate among the open positions, with an admissible heuristic.
    Equal priorities: the newest entry first, or the oldest.
    """
    none = new_row(0)
    words = pack(rules, start)
    store = new_store(len(words), FIRST_CAPACITY)
    costs = new_row(FIRST_CAPACITY)
    estimates = new_short_row(FIRST_CAPACITY)
    closed = new_short_row(FIRST_CAPACITY)
    entries = new_short_row(FIRST_CAPACITY)
    following = new_short_row(FIRST_CAPACITY)
    heads = new_short_row(FIRST_CAPACITY)
    tails = new_short_row(FIRST_CAPACITY)
    far = new_rows(1, 3)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    per_position = bytes_of(len(words), 1) + 8 + 4 + 4
    control[MEMORY] = FIRST_CAPACITY * (per_position + 8)

    find_or_add(store, words, -1)
    first_estimate = estimate(heuristic, rules, start)
    if not 0 <= first_estimate <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, none, 0, 0
    estimates[0] = first_estimate
    entry_count = 1
    free = 0  # entries that can be used again, linked by `following`
    lowest = 0  # no bucket below it has entries
    heads[lowest] = tails[lowest] = 1  # the start, whose priority matters to nobody
    open_count = 1  # entries in buckets
    far_count = 0  # in the heap
    far_arrivals = 0
    waiting = 1  # positions among them: a cheaper path enters a position again
    watched = trace.shape[0] > 0
    expanded = 0
    bound = signed(estimates[0])

    while open_count + far_count > 0:
        if open_count > 0:
            while heads[lowest] == 0:
                lowest += 1
            priority = lowest
            entry = signed(heads[lowest])
            heads[lowest] = following[entry]
            if heads[lowest] == 0:
                tails[lowest] = 0
            open_count -= 1
            number = signed(entries[entry])
            following[entry] = free
            free = entry
        else:
            priority = far[0, 0]
            number = far[0, 2]
            far_count = remove_first(far, far_count)
        if closed[number] != 0:
            continue
        closed[number] = 1
        waiting -= 1
        cost_here = signed(costs[number])
        if cost_share == estimate_share or estimate_share == 0:
            bound = max(bound, priority // cost_share)
        position = unpack(rules, words_at(store, number, words), start)
        if is_goal(rules, position):
            control[NODES] = store.count[0]
            control[EXPANDED] = expanded
            control[FRONTIER] = waiting
            if watched:
                move = move_to(rules, store, number, start, buffer)
                record(control, trace, REACH, number, signed(store.parent[number]), move, cost_here, 0)
            return FOUND, path_to(rules, store, number, start), cost_here, bound
        expanded += 1
        if control[EVENTS] < trace.shape[0]:
            move = move_to(rules, store, number, start, buffer)
            parent = signed(store.parent[number])
            record(control, trace, EXPAND, number, parent, move, cost_here, signed(estimates[number]))
        if expanded & 15 == 0 or watched:
            control[NODES] = store.count[0]
            control[EXPANDED] = expanded
            control[FRONTIER] = waiting
            control[DEPTH] = cost_here
            control[BEST] = bound
            if control[STOP] != 0:
                return STOPPED, none, 0, bound
        if store.count[0] >= control[NODE_LIMIT]:
            control[NODES] = store.count[0]
            control[EXPANDED] = expanded
            control[FRONTIER] = waiting
            return OUT_OF_NODES, none, 0, bound

        number_of_moves = moves(rules, position, buffer)
        if not 0 <= number_of_moves <= most:
            return TOO_MANY_MOVES, none, 0, bound
        # Make room here, so that the inner loop stays tight.
        while store.count[0] + number_of_moves > store.parent.size:
            needed = store.parent.size * 3 * per_position + entries.size * 8 + far.size * 8
            if needed > control[MEMORY_LIMIT] or store.parent.size >= 1 << 30:
                control[NODES] = store.count[0]
                control[EXPANDED] = expanded
                control[FRONTIER] = waiting
                return OUT_OF_MEMORY, none, 0, bound
            control[MEMORY] = max(control[MEMORY], needed)
            store = grown(store, words)
            costs = lengthened(costs)
            estimates = lengthened(estimates)
            closed = lengthened(closed)
        while entry_count + number_of_moves >= entries.size:
            entries = lengthened(entries)
            following = lengthened(following)
        for k in range(number_of_moves):
            move = buffer[k]
            child = play(rules, position, move)
            cost_there = cost_here + cost(rules, position, move)
            if cost_there <= cost_here:
                return BAD_COST, none, 0, bound
            child_number, new = find_or_add(store, pack(rules, child), number)
            if new:
                child_estimate = estimate_after(
                    heuristic, rules, signed(estimates[number]), position, move, child
                )
                if not 0 <= child_estimate <= LARGEST_ESTIMATE:
                    return BAD_ESTIMATE, none, 0, bound
                estimates[child_number] = child_estimate
                waiting += 1
            elif (
                cost_there < costs[child_number] and (reopen or closed[child_number] == 0) and cost_share > 0
            ):
                store.parent[child_number] = number
                waiting += closed[child_number]
                closed[child_number] = 0
            else:
                if watched:
                    at = signed(estimates[child_number])
                    record(control, trace, REPEAT, child_number, number, move, cost_there, at)
                continue
            if watched:
                at = signed(estimates[child_number])
                record(control, trace, GENERATE, child_number, number, move, cost_there, at)
            costs[child_number] = cost_there
            priority = cost_share * cost_there + estimate_share * signed(estimates[child_number])
            if priority >= MOST_BUCKETS:
                if far_count == far.shape[0]:
                    far = lengthened_rows(far)
                far_arrivals += 1
                order = far_arrivals if oldest_first else -far_arrivals
                far_count = insert(far, far_count, priority, order, child_number)
                continue
            while priority >= heads.size:
                heads = lengthened(heads)
                tails = lengthened(tails)
            if free > 0:
                entry = free
                free = signed(following[entry])
            else:
                entry_count += 1
                entry = entry_count
            entries[entry] = child_number
            if oldest_first:
                following[entry] = 0
                if tails[priority] == 0:
                    heads[priority] = entry
                else:
                    following[tails[priority]] = entry
                tails[priority] = entry
            else:
                following[entry] = heads[priority]
                if heads[priority] == 0:
                    tails[priority] = entry
                heads[priority] = entry
            open_count += 1
            if priority < lowest:
                lowest = priority
    control[NODES] = store.count[0]
    control[EXPANDED] = expanded
    control[FRONTIER] = 0
    return EXHAUSTED, none, 0, bound
