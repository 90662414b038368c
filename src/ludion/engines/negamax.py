"""Negamax: the value of a position is the best of the negated values of its children; every line, to a depth.

The textbook version, with no cuts, to learn from and to check others by. A stack of rows replaces the recursion: it is
faster when compiled, and no depth can overflow it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import load, nonnegative, save, size
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import score_answer
from ludion.engines.limits import (
    BEST,
    DEPTH,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    MEMORY,
    NODE_LIMIT,
    NODES,
    OUT_OF_NODES,
    RETURN,
    STOP,
    STOPPED,
    UNLIMITED,
    record,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import (
    BAD_EVALUATION,
    BAD_VERDICT,
    NO_MOVES,
    TOO_MANY_MOVES,
    run_safely,
    spare_rows,
)
from ludion.kinds.duel import (
    HIGHEST,
    LOST,
    OPEN,
    WIN,
    WON,
    copy,
    evaluate,
    most_moves,
    moves,
    play,
    undo,
    verdict,
)
from ludion.kinds.games import DUEL
from ludion.kinds.values import Guide, Rules, State

DEEPEST = 512  # plies; a line that is longer is judged by the evaluation
KEPT_PLIES = 6  # of the best line
NEXT_MOVE, MOVE_COUNT, BEST_VALUE, ID, FRAME = range(5)  # what a ply knows; how much that is


class NegamaxTables(NamedTuple):
    """What the search writes to, most of it one row per ply."""

    rows: np.ndarray  # the positions
    buffers: np.ndarray  # their moves
    frames: np.ndarray  # NEXT_MOVE, MOVE_COUNT, BEST_VALUE, ID
    lines: np.ndarray  # the best line from the first plies on
    lengths: np.ndarray  # of these


def solve(
    rules: Rules, start: State, evaluation: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Search every line to the budget's depth, or to the end of the game."""
    depth = min(budget.depth or DEEPEST, DEEPEST)
    outcome = run_safely(
        DUEL,
        rules,
        start,
        evaluation,
        lambda control, trace: search(rules, copy(rules, start), evaluation, depth, control, trace),
        budget,
        observer,
    )
    ended, value, complete, line = outcome.result
    return score_answer(
        "negamax",
        outcome,
        ended,
        line,
        value=int(value),
        complete=bool(complete),
        unfinished="engines.not_all_lines",
        depth=depth if budget.depth else int(outcome.control[DEPTH]),
    )


@kernel
def search(
    rules: Rules, start: State, evaluation: Guide, limit: int, control: np.ndarray, trace: np.ndarray
) -> Any:
    """Return how it ended, the value, whether no line was cut by the depth, and the best line.

    The best line is kept for a few plies only, which costs nothing; its rest is searched again from there.
    """
    most = most_moves(rules)
    tables = NegamaxTables(
        new_rows(limit + 1, size(start) + 1),
        new_rows(limit + 1 + spare_rows(most), most),
        new_rows(limit + 1, FRAME),
        new_rows(KEPT_PLIES, KEPT_PLIES),
        new_row(KEPT_PLIES + 1),
    )
    line = new_row(limit + 1)
    control[MEMORY] = (limit + 1) * (size(start) + most + FRAME + 2) * 8
    ended, value, complete = visit(rules, start, evaluation, 0, limit, tables, control, trace)
    if ended != EXHAUSTED:
        return ended, value, complete, line[:0]
    length = 0
    position = start
    again = control.copy()
    again[NODE_LIMIT] = UNLIMITED
    while True:
        count = tables.lengths[0]
        for i in range(count):
            line[length] = tables.lines[0, i]
            position = play(rules, position, line[length])
            length += 1
        if count < KEPT_PLIES or length >= limit:
            return ended, value, complete, line[:length]
        visit(rules, position, evaluation, length, limit - length, tables, again, trace[:0])


@kernel(count_references=False)
def visit(
    rules: Rules,
    start: State,
    evaluation: Guide,
    before: int,
    limit: int,
    tables: NegamaxTables,
    control: np.ndarray,
    trace: np.ndarray,
) -> tuple[int, int, bool]:
    """Visit every position to the limit, from a start that is so many plies from the root.

    Return how it ended, the value, and whether no line was cut; the first row of `lines` is the best line.
    """
    rows, buffers, frames, _, _ = tables
    nodes = expanded = deepest = ply = 0
    complete = True
    position = start
    while True:
        nodes += 1
        ended, count = enter(rules, position, evaluation, before, limit, tables, ply)
        frames[nonnegative(ply), ID] = nodes - 1
        if count < 0:
            complete = False
        elif count > 0:
            expanded += 1
            record_event(control, trace, EXPAND, tables, ply, 0)
            if expanded & 127 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                if control[STOP] != 0:
                    ended = STOPPED
            if nodes >= control[NODE_LIMIT]:
                control[NODES] = nodes
                ended = OUT_OF_NODES
        if ended != EXHAUSTED:
            return ended, 0, False
        deepest = max(deepest, ply)
        while count <= 0:
            record_event(control, trace, RETURN, tables, ply, frames[ply, BEST_VALUE])
            if ply == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = deepest
                control[BEST] = frames[0, BEST_VALUE]
                return EXHAUSTED, int(frames[0, BEST_VALUE]), complete
            value = -frames[nonnegative(ply), BEST_VALUE]
            ply -= 1
            frame = frames[nonnegative(ply)]
            move = buffers[nonnegative(ply), nonnegative(frame[NEXT_MOVE] - 1)]
            undo(rules, position, move)
            position = load(rows[nonnegative(ply)], start)
            if value > frame[BEST_VALUE]:
                frame[BEST_VALUE] = value
                if ply < KEPT_PLIES:
                    keep_line(tables, ply, move)
            count = frame[MOVE_COUNT] - frame[NEXT_MOVE]
        frame = frames[nonnegative(ply)]
        position = play(rules, position, buffers[nonnegative(ply), nonnegative(frame[NEXT_MOVE])])
        frame[NEXT_MOVE] += 1
        ply += 1


@kernel(python_entry=False, inline=True)
def enter(
    rules: Rules, position: State, evaluation: Guide, before: int, limit: int, tables: NegamaxTables, ply: int
) -> tuple[int, int]:
    """Give the frame of a position its value, if it is at an end of the search, or moves to try.

    Return EXHAUSTED, or how the game or the evaluation breaks its contract; and the number of moves to try, which is -1
    where the depth cuts the line.
    """
    frame = tables.frames[nonnegative(ply)]
    if ply <= KEPT_PLIES:
        tables.lengths[nonnegative(ply)] = 0
    result = verdict(rules, position)
    if result != OPEN:
        frame[BEST_VALUE] = result * (WIN - before - ply)
        return EXHAUSTED if LOST <= result <= WON else BAD_VERDICT, 0
    if ply == limit:
        frame[BEST_VALUE] = evaluate(evaluation, rules, position)
        return EXHAUSTED if abs(frame[BEST_VALUE]) <= HIGHEST else BAD_EVALUATION, -1
    save(tables.rows[nonnegative(ply)], position)
    count = moves(rules, position, tables.buffers[nonnegative(ply)])
    frame[NEXT_MOVE], frame[MOVE_COUNT], frame[BEST_VALUE] = 0, count, -WIN - 1
    if count <= 0 or count > most_moves(rules):
        return NO_MOVES if count <= 0 else TOO_MANY_MOVES, count
    return EXHAUSTED, count


@kernel(python_entry=False, inline=True)
def record_event(
    control: np.ndarray, trace: np.ndarray, event: int, tables: NegamaxTables, ply: int, value: int
) -> None:
    """Record that the position of this ply is visited, or that it has its value."""
    if trace.shape[0] > 0:
        frames = tables.frames
        parent = move = -1
        if ply > 0:
            parent = frames[ply - 1, ID]
            move = tables.buffers[ply - 1, frames[ply - 1, NEXT_MOVE] - 1]
        record(control, trace, event, frames[ply, ID], parent, move, ply, value)


@kernel(python_entry=False)
def keep_line(tables: NegamaxTables, ply: int, move: int) -> None:
    """The best line from this ply on: the move, then the best line from the next ply on."""
    length = tables.lengths[ply + 1]
    tables.lines[ply, 0] = move
    for i in range(length):
        tables.lines[ply, i + 1] = tables.lines[ply + 1, i]
    tables.lengths[ply] = length + 1
