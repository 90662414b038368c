"""Best-first search, one kernel for the whole family: the next position to expand is one of least priority.

    uniform cost     cost so far                        optimal
    greedy           estimate                           quick, no promise
    A*               cost so far + estimate             optimal if the heuristic is admissible
    weighted A*      cost so far + weight x estimate    at most `weight` times the optimum if it is admissible

A cheaper path to a position that is known already enters it again; entries that have become stale are passed over when
their turn comes. What is known of each position is in arrays by the number that the store gives it: `costs` of the
cheapest path so far, `estimates` of what is left, `closed`, 1 once expanded. The open list is drawn in `open_list`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, signed
from ludion.engines.budget import Budget, BudgetError, Observer
from ludion.engines.finish import path_answer
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
from ludion.engines.open_list import (
    FEWEST_BUCKETS,
    MOST_BUCKETS,
    OpenCounts,
    enter_bucket,
    enter_heap,
    take_first,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find_or_add,
    grown,
    lengthened,
    lengthened_rows,
    move_to,
    new_row,
    new_short_row,
    new_store,
    path_to,
    unset_rows,
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
    ended, path, bound = outcome.result
    frontier = int(outcome.control[FRONTIER])
    return path_answer(engine, rules, start, outcome, ended, path, int(bound), frontier=frontier)


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
    """Return how it ended, the moves to the goal, and a lower bound of any solution's cost (of admissible estimates).

    The bound of A* and uniform cost is the least cost so far + estimate among the open positions: there always is one
    on a cheapest path, until a cheaper path to a closed position is passed over (without `reopen`). The other engines
    know the estimate of the start.
    Equal priorities: the newest entry first, or the oldest.
    """
    none = new_row(0)
    words = pack(rules, start)
    store, costs = new_store(len(words), FIRST_CAPACITY), new_row(FIRST_CAPACITY)
    estimates, closed = new_short_row(FIRST_CAPACITY), new_short_row(FIRST_CAPACITY)
    following, numbers = new_short_row(FIRST_CAPACITY), new_short_row(FIRST_CAPACITY)
    far = unset_rows(FIRST_CAPACITY, 3)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    per_position = bytes_of(len(words), 1) + 8 + 4 + 4
    control[MEMORY] = FIRST_CAPACITY * (per_position + 8)
    watched = trace.shape[0] > 0

    first_estimate = estimate(heuristic, rules, start)
    if not 0 <= first_estimate <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, none, 0
    find_or_add(store, words, -1)
    estimates[0] = first_estimate
    bound = signed(estimates[0])
    buckets = min(MOST_BUCKETS, max(FEWEST_BUCKETS, 8 * estimate_share * first_estimate))
    heads, tails = new_short_row(buckets), new_short_row(buckets)
    counts = OpenCounts(0, 0, 0, 0, 0, 0)
    counts = enter_bucket(heads, tails, following, numbers, counts, 0, 0, oldest_first)
    waiting = 1  # positions in the open list: a cheaper path enters a position again
    expanded = 0
    passed_over = False  # a cheaper path to a closed position

    while counts.in_buckets + counts.in_heap > 0:
        while store.count[0] + most > closed.size:
            if not may_double(control, closed.size, per_position, numbers.size * 8 + far.size * 8):
                write_counts(control, store, expanded, waiting)
                return OUT_OF_MEMORY, none, bound
            store, costs = grown(store, words), lengthened(costs)
            estimates, closed = lengthened(estimates), lengthened(closed)
        while counts.entries + most >= numbers.size:
            following, numbers = lengthened(following), lengthened(numbers)
        while counts.in_heap + most > far.shape[0]:
            far = lengthened_rows(far)
        # As long as there is room: a loop that changes arrays counts references to them in each of its rounds.
        while (
            counts.in_buckets + counts.in_heap > 0
            and store.count[0] + most <= closed.size
            and counts.entries + most < numbers.size
            and counts.in_heap + most <= far.shape[0]
        ):
            priority, number, counts = take_first(heads, tails, following, numbers, far, counts)
            here = nonnegative(number)  # as an index
            if closed[here] != 0:
                continue
            closed[here] = 1
            waiting -= 1
            cost_here, estimate_here = signed(costs[here]), signed(estimates[here])
            if not passed_over and (cost_share == estimate_share or estimate_share == 0):
                bound = max(bound, priority // cost_share)
            position = unpack(rules, words_at(store, number, words), start)
            if is_goal(rules, position):
                write_counts(control, store, expanded, waiting)
                if watched:
                    record_position(rules, start, store, number, buffer, REACH, cost_here, 0, control, trace)
                return FOUND, path_to(rules, store, number, start), bound
            expanded += 1
            if control[EVENTS] < trace.shape[0]:
                record_position(
                    rules, start, store, number, buffer, EXPAND, cost_here, estimate_here, control, trace
                )
            if expanded & 15 == 0 or watched:
                write_counts(control, store, expanded, waiting)
                control[DEPTH], control[BEST] = cost_here, bound
                if control[STOP] != 0:
                    return STOPPED, none, bound
            if store.count[0] >= control[NODE_LIMIT]:
                write_counts(control, store, expanded, waiting)
                return OUT_OF_NODES, none, bound

            number_of_moves = moves(rules, position, buffer)
            if not 0 <= number_of_moves <= most:
                return TOO_MANY_MOVES, none, bound
            for k in range(number_of_moves):
                move = buffer[nonnegative(k)]
                child = play(rules, position, move)
                step = cost(rules, position, move)
                if not 1 <= step <= LARGEST_ESTIMATE:
                    return BAD_COST, none, bound
                cost_there = cost_here + step
                child_number, new = find_or_add(store, pack(rules, child), number)
                there = nonnegative(child_number)
                if new:
                    child_estimate = estimate_after(heuristic, rules, estimate_here, position, move, child)
                    if not 0 <= child_estimate <= LARGEST_ESTIMATE:
                        return BAD_ESTIMATE, none, bound
                    estimates[there] = child_estimate
                    waiting += 1
                elif cost_share > 0 and cost_there < costs[there] and (reopen or closed[there] == 0):
                    store.parent[child_number] = number
                    waiting += closed[there]
                    closed[there] = 0
                else:
                    passed_over = passed_over or cost_there < costs[there]
                    if watched:
                        estimate_there = signed(estimates[there])
                        record(control, trace, REPEAT, child_number, number, move, cost_there, estimate_there)
                    continue
                costs[there] = cost_there
                estimate_there = signed(estimates[there])
                if watched:
                    record(control, trace, GENERATE, child_number, number, move, cost_there, estimate_there)
                priority = cost_share * cost_there + estimate_share * estimate_there
                if priority >= buckets:
                    counts = enter_heap(far, counts, priority, child_number, oldest_first)
                    continue
                counts = enter_bucket(
                    heads, tails, following, numbers, counts, priority, child_number, oldest_first
                )
    write_counts(control, store, expanded, 0)
    return EXHAUSTED, none, bound


@kernel(python_entry=False, inline=True)
def write_counts(control: np.ndarray, store: Store, expanded: int, waiting: int) -> None:
    """Let Python see how far the search is."""
    control[NODES] = store.count[0]
    control[EXPANDED] = expanded
    control[FRONTIER] = waiting


@kernel(python_entry=False)
def may_double(control: np.ndarray, capacity: int, per_position: int, others: int) -> bool:
    """Whether there is memory for twice as many positions, beside the arrays that are copied and `others`."""
    needed = capacity * 3 * per_position + others
    if needed > control[MEMORY_LIMIT] or capacity >= 1 << 30:
        return False
    control[MEMORY] = max(control[MEMORY], needed)
    return True


@kernel(python_entry=False)
def record_position(
    rules: Rules,
    start: State,
    store: Store,
    number: int,
    buffer: np.ndarray,
    kind: int,
    cost_here: int,
    estimate_here: int,
    control: np.ndarray,
    trace: np.ndarray,
) -> None:
    """Write an event about a position, with the move that led to it."""
    move = move_to(rules, store, number, start, buffer)
    record(control, trace, kind, number, signed(store.parent[number]), move, cost_here, estimate_here)
