"""A good solution soon, then better ones until the budget ends: beam search with ever wider beams, and lower bounds.

A beam search goes from layer to layer as breadth-first search does, but keeps only the `width` positions of each layer
that look nearest. It is quick and promises nothing; wider beams find shorter solutions, and no position is kept that
cannot lead to a shorter one than is known. How short a solution could be at best is said by the heuristic at the start,
and then by IDA*, which is run between the beams and finishes more iterations each time:

    bound <= shortest <= length        proved optimal when bound = length

The kernel is written against the verbs of a puzzle whose moves all cost 1; nothing in it is about tiles.
"""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from ludion.core.verbs import compile_seconds, kernel, part
from ludion.core.words import digest, load, save, size
from ludion.engines import ida_star
from ludion.engines.answers import LIMIT, OPTIMAL, SOLVED, Answer
from ludion.engines.limits import (
    BEST,
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FRONTIER,
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
    run,
)
from ludion.engines.tables import lengthened
from ludion.kinds.puzzle import (
    NO_MOVE,
    advance,
    begin,
    estimate,
    is_goal,
    most_moves,
    moves_after,
    pack,
    play,
    refine,
    value,
)

FIRST_WIDTH = 100
WIDER = 5  # times as wide as the one before is the next beam, or less if that would not end in time
LEAST_WIDER = 1.5
GROWTH = 1.25  # a beam n times as wide takes about n ** GROWTH times as long: it no longer fits the caches
BEAM_SHARE = 0.65  # of the time that is left, for the last beam; the rest is for the lower bound
DEFAULT_SECONDS = 5.0
SHORTEST = 0.1  # seconds for a lower bound, at least; else as long as the beam before it took
NEVER = 1 << 40
PROBES = 8
PATIENCE = 100  # layers without getting nearer, after which a beam is given up


def solve(
    rules: Any,
    start: Any,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    width: int = 0,
    bounds: bool = True,
) -> Answer:
    """A solution soon, then better ones until the budget ends (5 s if it has no time), with a lower bound.

    `width` fixes the beam instead of widening it; `bounds=False` leaves lower bounds to the heuristic.
    """
    begun = time.perf_counter() - compile_seconds()

    def elapsed() -> float:  # compiling is not searching
        return time.perf_counter() - compile_seconds() - begun

    seconds = budget.seconds if budget.seconds is not None else DEFAULT_SECONDS
    bound = int(estimate(guide, rules, start))
    if is_goal(rules, start):
        return Answer(OPTIMAL, length=0, bound=0, nodes=1, engine="anytime")
    best: tuple[int, ...] | None = None
    nodes = expanded = memory = 0
    beam_width, widest, limit = width or FIRST_WIDTH, 0, ""
    last = False  # whether this is the last round: the next one would not end in time
    while not last and limit not in ("memory", "nodes", "stopped") and elapsed() < seconds:
        begun_round = elapsed()
        shorter_than = len(best) if best is not None else NEVER
        outcome = run(
            partial(_beam, rules, start, guide, beam_width, shorter_than),
            _rest(budget, seconds - elapsed(), nodes),
            observer,
        )
        ended, way = outcome.result
        nodes += int(outcome.control[NODES])
        expanded += int(outcome.control[EXPANDED])
        memory = max(memory, int(outcome.control[MEMORY]))
        limit = outcome.limit_name(ended)
        if ended == FOUND:
            best, widest = tuple(way.tolist()), beam_width
        if budget.nodes is not None and nodes >= budget.nodes:
            limit = "nodes"
        took = elapsed() - begun_round
        wider = _wider(took, seconds - elapsed()) if best is not None else WIDER
        last = bool(width) or wider < LEAST_WIDER
        if best is not None and len(best) <= bound:
            break
        left = seconds - elapsed()
        if best is not None and bounds and left > 0 and limit not in ("nodes", "stopped"):
            slice_of_time = left if last else min(left, max(SHORTEST, took))
            more = ida_star.solve(rules, start, guide, _rest(budget, slice_of_time, nodes), observer)
            nodes += more.nodes
            expanded += more.expanded
            bound = max(bound, more.bound or 0)
            limit = more.limit if more.limit in ("nodes", "stopped") else limit
            if more.status == OPTIMAL:
                best = more.moves
            if len(best) <= bound:
                break
        beam_width = int(beam_width * wider)
    if best is None:
        reason = f"no solution costs less than {bound}; beams of up to {beam_width} positions found none"
        status = LIMIT
    elif len(best) <= bound:
        status, reason, limit = OPTIMAL, "", ""
    else:
        status, reason = (
            SOLVED,
            f"at most {len(best) / bound:.3f} times the shortest: no solution costs less than {bound}",
        )
    return Answer(
        status,
        best or (),
        length=len(best) if best is not None else None,
        nodes=nodes,
        expanded=expanded,
        depth=len(best or ()),
        bound=bound,
        seconds=elapsed(),
        memory=memory,
        engine="anytime",
        limit=limit or ("time" if status != OPTIMAL else ""),
        reason=reason,
        details={"width": widest},
    )


def _wider(took: float, left: float) -> float:
    """How many times as wide the next beam may be, if the last one took so long and so much time is left.

    A lower bound comes in between, which takes about as long as the last beam.
    """
    room = BEAM_SHARE * (left - max(took, SHORTEST))
    return float(min(WIDER, max(0.0, room / max(took, 1e-6)) ** (1 / GROWTH)))


def _rest(budget: Budget, seconds: float, nodes: int) -> Budget:
    """What is left of the budget after so many nodes, for so many seconds."""
    return replace(budget, seconds=seconds, nodes=None if budget.nodes is None else budget.nodes - nodes)


def _beam(rules: Any, start: Any, guide: Any, width: int, known: int, control: Any, trace: Any) -> Any:
    return beam(rules, start, guide, width, known, control)


@kernel
def beam(rules: Any, start: Any, heuristic: Any, width: int, known: int, control: Any) -> Any:
    """Return how it ended, and the moves to a goal in fewer than `known` moves.

    positions, traces, lasts: the layer at hand: position, trace, and the move that led there       one row a position
    made: PARENT in the layer, MOVE, VALUE of each move tried from it that is not known already     one row a move
    parents, moves: of all layers kept so far, one after the other; `starts` says where each begins
    seen, stamps: hashes of positions, and the layer in which each was met; what is older than a layer counts as empty
    """
    none = np.empty(0, np.int64)
    origin = begin(heuristic, rules, start)
    most = most_moves(rules)
    buffer = np.empty(most, np.int64)
    slots = 1 << 10
    while slots < 4 * width * most:
        slots *= 2
    row = size(start) + size(origin)
    control[MEMORY] = 8 * (2 * width * (row + 1) + 3 * width * most) + 12 * slots + 5 * width * 64
    control[BEST] = known
    if control[MEMORY] > control[MEMORY_LIMIT]:
        return OUT_OF_MEMORY, none
    positions = np.empty((width, size(start)), np.int64)
    traces = np.empty((width, size(origin)), np.int64)
    lasts = np.empty(width, np.int64)
    next_positions = np.empty((width, size(start)), np.int64)
    next_traces = np.empty((width, size(origin)), np.int64)
    next_lasts = np.empty(width, np.int64)
    made = np.empty((width * most, 3), np.int64)
    seen = np.zeros(slots, np.int64)
    stamps = np.full(slots, -9, np.int32)
    parents = np.empty(1 << 12, np.int32)
    moves = np.empty(1 << 12, np.int8)
    starts = np.zeros(64, np.int64)
    histogram = np.zeros(1 << 12, np.int64)
    save(positions[0], start)
    save(traces[0], origin)
    lasts[0] = NO_MOVE
    count = 1
    layer = 0
    least = value(origin)  # the nearest to a goal that any layer came, and how many layers ago that was
    stale = 0
    nodes = 1
    expanded = 0
    while count > 0 and stale < PATIENCE:
        tried = 0
        nearest = NEVER
        histogram[:] = 0
        for i in range(count):
            position = load(positions[i], start)
            here = load(traces[i], origin)
            expanded += 1
            for k in range(moves_after(rules, position, lasts[i], buffer)):
                move = buffer[k]
                child = play(rules, position, move)
                nodes += 1
                if is_goal(rules, child):
                    control[NODES] = nodes
                    control[EXPANDED] = expanded
                    return FOUND, way_back(parents, moves, starts, layer, i, move)
                after = refine(
                    heuristic, rules, advance(heuristic, rules, here, position, move, child), move, child
                )
                left = value(after)
                if layer + 1 + left >= known:
                    continue
                if was_seen(seen, stamps, digest(pack(rules, child)), layer + 1):
                    continue
                left = min(left, histogram.size - 1)
                made[tried, 0] = i
                made[tried, 1] = move
                made[tried, 2] = left
                histogram[left] += 1
                nearest = min(nearest, left)
                tried += 1
            if expanded & 255 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = layer
                control[FRONTIER] = tried
                if control[STOP] != 0:
                    return STOPPED, none
        if nodes >= control[NODE_LIMIT]:
            control[NODES] = nodes
            control[EXPANDED] = expanded
            return OUT_OF_NODES, none
        stale = 0 if nearest < least else stale + 1
        least = min(least, nearest)
        # The positions that look nearest: all below a threshold, and as many at it as there is room for.
        room = width
        threshold = 0
        while threshold < histogram.size - 1 and room > histogram[threshold]:
            room -= histogram[threshold]
            threshold += 1
        chosen = 0
        layer += 1
        if layer + 1 >= starts.size:
            starts = lengthened(starts)
        begin_at = starts[layer]
        while begin_at + min(tried, width) > parents.size:
            parents = lengthened(parents)
            moves = lengthened(moves)
            control[MEMORY] += parents.size * 5 // 2
            if control[MEMORY] > control[MEMORY_LIMIT]:
                control[NODES] = nodes
                return OUT_OF_MEMORY, none
        for t in range(tried):
            if made[t, 2] > threshold or (made[t, 2] == threshold and room == 0) or chosen == width:
                continue
            if made[t, 2] == threshold:
                room -= 1
            i = made[t, 0]
            move = made[t, 1]
            position = load(positions[i], start)
            child = play(rules, position, move)
            after = advance(heuristic, rules, load(traces[i], origin), position, move, child)
            save(next_positions[chosen], child)
            save(next_traces[chosen], refine(heuristic, rules, after, move, child))
            next_lasts[chosen] = move
            parents[begin_at + chosen] = i
            moves[begin_at + chosen] = move
            chosen += 1
        starts[layer + 1] = begin_at + chosen
        positions, next_positions = next_positions, positions
        traces, next_traces = next_traces, traces
        lasts, next_lasts = next_lasts, lasts
        count = chosen
    control[NODES] = nodes
    control[EXPANDED] = expanded
    return EXHAUSTED, none


@part
def was_seen(seen: Any, stamps: Any, mark: int, layer: int) -> bool:
    """Whether this hash was met in this layer or the one before the last; now it was."""
    slot = (mark >> 7) & (seen.size - 1)
    free = slot
    found_free = False
    for _ in range(PROBES):
        if stamps[slot] >= layer - 2:
            if seen[slot] == mark:
                return True
        elif not found_free:
            free = slot
            found_free = True
        slot = (slot + 1) & (seen.size - 1)
    seen[free] = mark
    stamps[free] = layer
    return False


@part
def way_back(parents: Any, moves: Any, starts: Any, layer: int, index: int, last: int) -> Any:
    """The moves to a position of this layer, and one more."""
    way = np.empty(layer + 1, np.int64)
    way[layer] = last
    while layer > 0:
        way[layer - 1] = moves[starts[layer] + index]
        index = parents[starts[layer] + index]
        layer -= 1
    return way
