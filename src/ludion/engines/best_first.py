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
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, nonnegative, signed
from ludion.engines.budget import Budget, BudgetError, Observer
from ludion.engines.finish import path_answer, path_cost
from ludion.engines.limits import (
    BEST,
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    FOUND,
    FRONTIER,
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
from ludion.engines.open_list import (
    OpenCounts,
    OpenList,
    bytes_of_entries,
    enter,
    has_room_for,
    new_open_list,
    take_first,
    waiting_in,
    with_room_for,
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
from ludion.engines.trial import (
    BAD_COST,
    BAD_ESTIMATE,
    LARGEST_ESTIMATE,
    TOO_MANY_MOVES,
    new_buffer,
    run_puzzle,
)
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
SHORT = 5000  # nodes that are tried in the calling thread: another one begins with cold caches


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
    outcome = run_puzzle(
        rules,
        start,
        heuristic,
        budget,
        observer,
        lambda *arrays: search(rules, start, heuristic, *shares, oldest_first, reopen, *arrays),
        SHORT,
    )
    ended, path, bound = outcome.result
    cost_share, estimate_share = shares
    if (
        ended == FOUND and estimate_share > cost_share > 0
    ):  # at most estimate_share / cost_share times the optimum
        length = path_cost(rules, start, tuple(path.tolist()))
        bound = max(bound, -(-length * cost_share // estimate_share))
    frontier = int(outcome.control[FRONTIER])
    return path_answer(engine, rules, start, outcome, int(bound), frontier=frontier)


class BestFirstTask(NamedTuple):
    """What is searched for, and how."""

    rules: Rules
    start: State
    words: Any  # of the start: what packed positions look like
    heuristic: Guide
    cost_share: int
    estimate_share: int
    reopen: bool


class Known(NamedTuple):
    """What is known of each position; see the module's drawing."""

    store: Store
    costs: np.ndarray
    estimates: np.ndarray
    closed: np.ndarray


BYTES_BESIDE_THE_STORE = 8 + 4 + 4  # of each position


class Agenda(NamedTuple):
    """What changes with every position."""

    counts: OpenCounts
    waiting: int  # positions in the open list: a cheaper path enters a position again
    expanded: int
    bound: int
    passed_over: bool  # whether there was a cheaper path to a closed position


class Origin(NamedTuple):
    """The position that is being expanded, and the one that it was reached from (the start: itself)."""

    number: int
    position: State
    parent: int
    parent_words: Any


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
    words = pack(rules, start)
    task = BestFirstTask(rules, start, words, heuristic, cost_share, estimate_share, reopen)
    bound = signed(estimate(heuristic, rules, start))
    if not 0 <= bound <= LARGEST_ESTIMATE:
        return BAD_ESTIMATE, new_row(0), 0
    known = first_known(len(words))
    control[MEMORY] = FIRST_CAPACITY * (bytes_of(len(words), 1) + BYTES_BESIDE_THE_STORE + 8)
    find_or_add(known.store, words, -1)
    known.estimates[0] = bound
    open_list = new_open_list(estimate_share * bound, FIRST_CAPACITY, oldest_first)
    agenda = Agenda(enter(open_list, OpenCounts(0, 0, 0, 0, 0, 0), 0, 0), 1, 0, bound, False)
    most = most_moves(rules)
    tools = SearchTools(new_buffer(most), control, trace)
    number, ended = 0, RUNNING
    while ended == RUNNING:
        known, fits = with_more_room(known, words, most, bytes_of_entries(open_list), control)
        if not fits:
            ended = OUT_OF_MEMORY
        else:
            open_list = with_room_for(open_list, agenda.counts, most)
            ended, number, agenda = expand_best(task, known, open_list, agenda, tools)
    look(control, known.store.count[0], agenda.expanded, agenda.waiting)
    if ended != FOUND:
        return ended, new_row(0), agenda.bound
    if trace.shape[0] > 0:
        note(task, known, number, REACH, 0, tools)
    return FOUND, path_to(rules, known.store, number, start), agenda.bound


@kernel(python_entry=False)
def expand_best(
    task: BestFirstTask, known: Known, open_list: OpenList, agenda: Agenda, tools: SearchTools
) -> tuple[int, int, Agenda]:
    """Expand positions of least priority while there is room: how it ended, the number of a goal, what is left."""
    task, known, open_list, tools = borrowed((task, known, open_list, tools))
    most, control = most_moves(task.rules), tools.control
    ended, number = RUNNING, 0
    while ended == RUNNING and has_room(known.store, most) and has_room_for(open_list, agenda.counts, most):
        if waiting_in(agenda.counts) == 0:
            ended = EXHAUSTED
            break
        priority, number, counts = take_first(open_list, agenda.counts)
        here = nonnegative(number)  # as an index
        if known.closed[here] != 0:  # expanded, by a cheaper path
            agenda = Agenda(counts, agenda.waiting, agenda.expanded, agenda.bound, agenda.passed_over)
            continue
        known.closed[here] = 1
        bound = agenda.bound
        if not agenda.passed_over and (task.cost_share == task.estimate_share or task.estimate_share == 0):
            bound = max(bound, priority // task.cost_share)
        position = unpack(task.rules, words_at(known.store, number, task.words), task.start)
        is_at_goal = is_goal(task.rules, position)
        expanded = agenda.expanded + int(not is_at_goal)
        agenda = Agenda(counts, agenda.waiting - 1, expanded, bound, agenda.passed_over)
        if is_at_goal:
            ended = FOUND
            break
        if control[EVENTS] < tools.trace.shape[0]:
            note(task, known, number, EXPAND, signed(known.estimates[here]), tools)
        nodes = known.store.count[0]
        if expanded & 15 == 0 or tools.trace.shape[0] > 0 or nodes >= control[NODE_LIMIT]:
            control[DEPTH], control[BEST] = known.costs[here], bound
            ended = look(control, nodes, expanded, agenda.waiting)
        if ended == RUNNING:
            ended, agenda = expand(task, known, open_list, agenda, number, position, tools)
    return ended, number, agenda


@kernel(python_entry=False, inline=True)
def expand(
    task: BestFirstTask,
    known: Known,
    open_list: OpenList,
    agenda: Agenda,
    number: int,
    position: State,
    tools: SearchTools,
) -> tuple[int, Agenda]:
    """Enter what is one move from this position; RUNNING, or the promise that the game breaks."""
    count = moves(task.rules, position, tools.buffer)
    if not 0 <= count <= most_moves(task.rules):
        return TOO_MANY_MOVES, agenda
    parent = max(0, signed(known.store.parent[nonnegative(number)]))
    origin = Origin(number, position, parent, words_at(known.store, parent, task.words))
    ended = RUNNING
    for k in range(count):
        ended, agenda = reach(task, known, open_list, agenda, origin, tools.buffer[nonnegative(k)], tools)
        if ended != RUNNING:
            break
    return ended, agenda


@kernel(python_entry=False, inline=True)
def reach(
    task: BestFirstTask,
    known: Known,
    open_list: OpenList,
    agenda: Agenda,
    origin: Origin,
    move: int,
    tools: SearchTools,
) -> tuple[int, Agenda]:
    """Enter the position after a move if it is new, or if no path to it has been cheaper."""
    rules = task.rules
    number, position, child_number, parent_words = origin
    store, costs, estimates, closed = known
    counts, waiting, expanded, bound, passed_over = agenda
    here = nonnegative(number)
    step = cost(rules, position, move)
    if not 1 <= step <= LARGEST_ESTIMATE:
        return BAD_COST, agenda
    cost_there = signed(costs[here]) + step
    child = play(rules, position, move)
    words, new = pack(rules, child), False
    if words != parent_words:  # most often a move leads back there: no need to look
        child_number, new = find_or_add(store, words, number)
    there = nonnegative(child_number)
    kind = GENERATE
    if new:
        before = signed(estimates[here])
        child_estimate = estimate_after(task.heuristic, rules, before, position, move, child)
        if not 0 <= child_estimate <= LARGEST_ESTIMATE:
            return BAD_ESTIMATE, agenda
        estimates[there] = child_estimate
        waiting += 1
    elif task.cost_share > 0 and cost_there < costs[there] and (task.reopen or closed[there] == 0):
        store.parent[there] = number
        waiting += closed[there]
        closed[there] = 0
    else:
        passed_over = passed_over or cost_there < costs[there]
        kind = REPEAT
    estimate_there = signed(estimates[there])
    if kind == GENERATE:
        costs[there] = cost_there
        priority = task.cost_share * cost_there + task.estimate_share * estimate_there
        counts = enter(open_list, counts, priority, child_number)
    if tools.trace.shape[0] > 0:
        record(tools.control, tools.trace, kind, child_number, number, move, cost_there, estimate_there)
    return RUNNING, Agenda(counts, waiting, expanded, bound, passed_over)


@kernel(python_entry=False)
def first_known(width: int) -> Known:
    """Room for the first positions, of this many words."""
    return Known(
        new_store(width, FIRST_CAPACITY),
        new_row(FIRST_CAPACITY),
        new_short_row(FIRST_CAPACITY),
        new_short_row(FIRST_CAPACITY),
    )


@kernel(python_entry=False)
def with_more_room(
    known: Known, like: Any, count: int, others: int, control: np.ndarray
) -> tuple[Known, bool]:
    """What is known, with room for this many positions; False if there is no memory for it beside `others` bytes."""
    store, costs, estimates, closed = known
    arrays = 3 * BYTES_BESIDE_THE_STORE * store.parent.size  # the old and the new ones, for a moment
    store, fits = with_room(store, like, count, arrays + others, control)
    while costs.size < store.parent.size:
        costs, estimates, closed = lengthened(costs), lengthened(estimates), lengthened(closed)
    return Known(store, costs, estimates, closed), fits


@kernel(python_entry=False)
def note(task: BestFirstTask, known: Known, number: int, kind: int, value: int, tools: SearchTools) -> None:
    """Record an event about a position, with the move that led to it."""
    store, cost_here = known.store, signed(known.costs[number])
    move = move_to(task.rules, store, number, task.start, tools.buffer)
    record(tools.control, tools.trace, kind, number, signed(store.parent[number]), move, cost_here, value)
