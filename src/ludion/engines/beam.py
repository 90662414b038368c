"""Beam search: layer by layer as breadth-first search, but only the `width` positions that look nearest are kept.

Promise: none, neither that a solution is found nor what it costs. The search is quick, its memory is set by the width,
and wider beams tend to find cheaper solutions. A layer holds positions that are equally many moves from the start;
those with the lowest estimates are kept. A beam ends without an answer when it is empty, or when its lowest estimate
has not fallen for `PATIENCE` layers.

Every position that is kept has a number. Those of a layer follow each other, in the order of the layer's rows:

    layer 0 | layer 1          | layer 2                     | ...
    0       | 1  2  3  4  5  6 | 7  8  9  10  11  12  13  14 | ...
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import digest, load, nonnegative, save, signed, size
from ludion.engines.budget import Budget, BudgetError, Observer
from ludion.engines.finish import path_answer
from ludion.engines.limits import (
    BEST,
    DEPTH,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    FRONTIER,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    OUT_OF_WIDTH,
    STOP,
    STOPPED,
    UNLIMITED,
    SearchTools,
    record,
    run,
)
from ludion.engines.tables import lengthened, new_row
from ludion.engines.trial import BAD_ESTIMATE, TOO_MANY_MOVES, new_buffer, run_puzzle, with_spare
from ludion.kinds.puzzle import (
    NO_MOVE,
    advance,
    begin,
    cost,
    is_goal,
    most_moves,
    moves_after,
    pack,
    play,
    refine,
    value,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

DEFAULT_WIDTH = 1000
PATIENCE = 100  # layers without a lower estimate, after which the beam is given up
HIGHEST_ESTIMATE = (1 << 16) - 1  # higher estimates count as this one
FIRST_SLOTS = 1 << 10
FIRST_NUMBERS = 1 << 12
PROBES = 8  # slots that a hash may be in
LONG_AGO = -9  # a layer before the first


class BeamTask(NamedTuple):
    """What is searched for, and how."""

    rules: Rules
    heuristic: Guide
    start: State
    origin: Any  # the heuristic's trace at the start
    cheaper_than: int


class BeamTree(NamedTuple):
    """The parent and the move of every stored position, by number."""

    parents: np.ndarray  # number of the position before it; -1 for the start
    moves: np.ndarray  # the move that led to it


class Layer(NamedTuple):
    """The positions of one layer, a row each."""

    positions: np.ndarray
    traces: np.ndarray  # of the heuristic
    costs: np.ndarray  # so far


class Candidates(NamedTuple):
    """The moves out of a layer that lead to new positions, a row each."""

    rows: np.ndarray  # of the positions in the layer
    moves: np.ndarray
    estimates: np.ndarray
    histogram: np.ndarray  # histogram[e]: how many have the estimate e


class Recent(NamedTuple):
    """A hash table of positions met lately; entries older than two layers count as empty."""

    hashes: np.ndarray
    layers: np.ndarray  # the layer in which the position was met


class Expansion(NamedTuple):
    """What came of trying all moves out of a layer."""

    ended: int  # EXHAUSTED if the layer was finished
    candidates: int  # how many
    lowest: int  # estimate among them
    row: int  # if a goal was found: the row of the position before it, and the move to it
    move: int


def solve(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    width: int = DEFAULT_WIDTH,
    cheaper_than: int = UNLIMITED,
) -> Answer:
    """Keep the `width` positions of each layer that look nearest; quick, seldom optimal.

    Positions that cannot lead to a solution `cheaper_than` this cost are left out (by an admissible heuristic).
    """
    if width < 1:
        raise BudgetError(message("engines.budget_positive", name="width", value=width))
    outcome = run_puzzle(
        rules,
        start,
        heuristic,
        budget,
        observer,
        lambda *arrays: search(rules, start, heuristic, width, cheaper_than, *arrays),
        short=0,
    )
    ended = outcome.result[0]
    unfinished = message("engines.beam_ended", width=width) if ended == OUT_OF_WIDTH else ""
    return path_answer("beam", rules, start, outcome, None, unfinished=unfinished)


def way_to_the_nearest(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None,
    width: int,
    cheaper_than: int = UNLIMITED,
) -> tuple[list[int], int]:
    """The moves to a goal, or else to the position of the beam that looked nearest to one; and the nodes."""
    outcome = run(
        lambda control, trace: search(rules, start, heuristic, width, cheaper_than, control, trace),
        budget,
        Observer(stop=observer.stop) if observer is not None else None,
    )
    return outcome.result[1].tolist(), int(outcome.control[NODES])


@kernel
def search(
    rules: Rules,
    start: State,
    heuristic: Guide,
    width: int,
    cheaper_than: int,
    control: np.ndarray,
    trace: np.ndarray,
) -> Any:
    """Return how it ended, and the moves to a goal or to the position that looked nearest to one."""
    no_path = new_row(0)
    origin = begin(heuristic, rules, start)
    most = most_moves(rules)
    slots = FIRST_SLOTS
    while slots < 4 * width * most:
        slots *= 2
    fixed_memory = 16 * width * (size(start) + size(origin) + 1) + 12 * width * most + 12 * slots
    control[MEMORY] = fixed_memory + 8 * FIRST_NUMBERS
    control[NODES] = 1
    control[BEST] = value(origin)
    if control[MEMORY] > control[MEMORY_LIMIT]:
        return OUT_OF_MEMORY, no_path
    if is_goal(rules, start):
        return FOUND, no_path
    task = BeamTask(rules, heuristic, start, origin, cheaper_than)
    tree = BeamTree(np.empty(FIRST_NUMBERS, np.int32), np.empty(FIRST_NUMBERS, np.int32))
    layer = new_layer(width, start, origin)
    next_layer = new_layer(width, start, origin)
    candidates = Candidates(
        np.empty(width * most, np.int32),
        np.empty(width * most, np.int32),
        np.empty(width * most, np.int32),
        np.zeros(HIGHEST_ESTIMATE + 1, np.int64),
    )
    recent = Recent(np.zeros(slots, np.int64), np.full(slots, LONG_AGO, np.int32))
    tools = SearchTools(new_buffer(most), control, trace)

    save(layer.positions[0], start)
    save(layer.traces[0], origin)
    layer.costs[0] = 0
    tree.parents[0] = -1
    tree.moves[0] = NO_MOVE
    first = 0  # number of the first position of the layer
    count = 1
    depth = 0
    lowest = value(origin)  # the lowest estimate of any layer
    stale = 0  # how many layers ago that was
    nearest = 0  # number of a position with that estimate, and its depth
    nearest_depth = 0
    while count > 0 and stale < PATIENCE:
        control[DEPTH] = depth
        tried = expand(task, tree, layer, first, count, depth, candidates, recent, tools)
        if tried.ended == FOUND:
            return FOUND, path_to(tree, first + tried.row, depth, tried.move)
        if tried.ended != EXHAUSTED:
            return tried.ended, path_to_number(tree, nearest, nearest_depth)
        stale = 0 if tried.lowest < lowest else stale + 1
        lowest = min(lowest, tried.lowest)
        control[BEST] = lowest
        next_first = first + count
        while next_first + min(tried.candidates, width) > tree.parents.size:
            needed = fixed_memory + 8 * 3 * tree.parents.size  # the old tree and the new one
            if needed > control[MEMORY_LIMIT] or tree.parents.size >= 1 << 30:
                return OUT_OF_MEMORY, path_to_number(tree, nearest, nearest_depth)
            control[MEMORY] = needed
            tree = BeamTree(lengthened(tree.parents), lengthened(tree.moves))
        count = keep_nearest(task, tree, layer, first, candidates, tried.candidates, next_layer, next_first)
        first = next_first
        depth += 1
        layer, next_layer = next_layer, layer
        if stale == 0:
            for row in range(count):
                if value(load(layer.traces[row], origin)) == lowest:
                    nearest, nearest_depth = first + row, depth
                    break
    return OUT_OF_WIDTH, path_to_number(tree, nearest, nearest_depth)


@kernel(python_entry=False)
def new_layer(width: int, position: State, trace: np.ndarray) -> Layer:
    """A layer with room for `width` positions and traces like these."""
    return Layer(
        np.empty((width, size(position)), np.int64),
        np.empty((width, size(trace)), np.int64),
        np.empty(width, np.int64),
    )


@kernel(python_entry=False)
def expand(
    task: BeamTask,
    tree: BeamTree,
    layer: Layer,
    first: int,
    count: int,
    depth: int,
    candidates: Candidates,
    recent: Recent,
    tools: SearchTools,
) -> Expansion:
    """Try all moves of the `count` positions of a layer; list those that lead to new positions."""
    rules, heuristic = task.rules, task.heuristic
    buffer, control, trace = tools
    histogram = candidates.histogram
    histogram[:] = 0
    tried = 0
    lowest = UNLIMITED
    nodes = control[NODES]
    expanded = control[EXPANDED]
    watched = trace.shape[0] > 0
    ended = EXHAUSTED
    for row in range(count):
        position = load(layer.positions[row], task.start)
        here = load(layer.traces[row], task.origin)
        cost_here = layer.costs[row]
        number = first + row
        last = signed(tree.moves[number])
        if watched:
            record(control, trace, EXPAND, number, signed(tree.parents[number]), last, depth, value(here))
        expanded += 1
        move_count = moves_after(rules, position, last, buffer)
        if not 0 <= move_count <= buffer.size - with_spare(0):
            ended = TOO_MANY_MOVES
            break
        for k in range(move_count):
            move = buffer[nonnegative(k)]
            child = play(rules, position, move)
            nodes += 1
            cost_there = cost_here + cost(rules, position, move)
            if is_goal(rules, child) and cost_there < task.cheaper_than:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                return Expansion(FOUND, tried, lowest, row, move)
            after = advance(heuristic, rules, here, position, move, child)
            estimate = value(refine(heuristic, rules, after, move, child))
            if estimate < 0:
                return Expansion(BAD_ESTIMATE, tried, lowest, -1, NO_MOVE)
            if cost_there + estimate >= task.cheaper_than:
                continue
            if was_met(recent, digest(pack(rules, child)), depth + 1):
                continue
            estimate = min(estimate, HIGHEST_ESTIMATE)
            candidates.rows[nonnegative(tried)] = row
            candidates.moves[nonnegative(tried)] = move
            candidates.estimates[nonnegative(tried)] = estimate
            histogram[nonnegative(estimate)] += 1
            lowest = min(lowest, estimate)
            tried += 1
        if expanded & 15 == 0 or watched:
            control[NODES] = nodes
            control[EXPANDED] = expanded
            control[FRONTIER] = tried
            if control[STOP] != 0:
                ended = STOPPED
                break
        if nodes >= control[NODE_LIMIT]:
            ended = OUT_OF_NODES
            break
    control[NODES] = nodes
    control[EXPANDED] = expanded
    return Expansion(ended, tried, lowest, -1, NO_MOVE)


@kernel(python_entry=False)
def keep_nearest(
    task: BeamTask,
    tree: BeamTree,
    layer: Layer,
    first: int,
    candidates: Candidates,
    tried: int,
    next_layer: Layer,
    next_first: int,
) -> int:
    """Make the next layer of the candidates with the lowest estimates; return how many positions it has."""
    rules, heuristic = task.rules, task.heuristic
    width = next_layer.costs.size
    # Keep all candidates below a threshold, and those at the threshold while there is room.
    room = width
    threshold = 0
    while threshold < HIGHEST_ESTIMATE and room > candidates.histogram[threshold]:
        room -= candidates.histogram[threshold]
        threshold += 1
    count = 0
    for candidate in range(tried):
        estimate = signed(candidates.estimates[candidate])
        if estimate > threshold or (estimate == threshold and room == 0) or count == width:
            continue
        if estimate == threshold:
            room -= 1
        row = signed(candidates.rows[candidate])
        move = signed(candidates.moves[candidate])
        position = load(layer.positions[row], task.start)
        child = play(rules, position, move)
        after = advance(heuristic, rules, load(layer.traces[row], task.origin), position, move, child)
        save(next_layer.positions[count], child)
        save(next_layer.traces[count], refine(heuristic, rules, after, move, child))
        next_layer.costs[count] = layer.costs[row] + cost(rules, position, move)
        tree.parents[next_first + count] = first + row
        tree.moves[next_first + count] = move
        count += 1
    return count


@kernel(python_entry=False)
def was_met(recent: Recent, mark: int, layer: int) -> bool:
    """Whether the position of this hash was met in this layer or in the two before it; from now on it was."""
    mask = recent.hashes.size - 1
    slot = (mark >> 7) & mask
    free = slot
    has_free = False
    for _ in range(PROBES):
        if recent.layers[nonnegative(slot)] >= layer - 2:
            if recent.hashes[nonnegative(slot)] == mark:
                return True
        elif not has_free:
            free = slot
            has_free = True
        slot = (slot + 1) & mask
    recent.hashes[nonnegative(free)] = mark
    recent.layers[nonnegative(free)] = layer
    return False


@kernel(python_entry=False)
def path_to_number(tree: BeamTree, number: int, depth: int) -> Any:
    """The moves to the position of this number, which is `depth` moves from the start."""
    if depth == 0:
        return new_row(0)
    return path_to(tree, signed(tree.parents[number]), depth - 1, signed(tree.moves[number]))


@kernel(python_entry=False)
def path_to(tree: BeamTree, number: int, depth: int, last: int) -> Any:
    """The moves to the position of this number, which is `depth` moves from the start, and one more."""
    path = new_row(depth + 1)
    path[depth] = last
    while depth > 0:
        depth -= 1
        path[depth] = tree.moves[number]
        number = signed(tree.parents[number])
    return path
