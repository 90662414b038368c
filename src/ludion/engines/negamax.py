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
    DRAWN,
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
MOVE, NEXT_MOVE, MOVE_COUNT, BEST_VALUE, ID, FRAME = range(6)  # what a ply knows; how much that is


class NegamaxTables(NamedTuple):
    """What the search writes to, most of it one row per ply."""

    rows: np.ndarray  # the positions
    buffers: np.ndarray  # their moves
    frames: np.ndarray  # MOVE (that is being tried), NEXT_MOVE, MOVE_COUNT, BEST_VALUE, ID
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


@kernel(python_entry=False)
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
    most = most_moves(rules)
    nodes = expanded = deepest = 0
    complete = True
    ply = -1
    position = child = start
    move = turn = count = -1
    best = value = 0
    tables.lengths[0] = 0
    while True:
        # The move has just led to the child, at the ply after this one.
        nodes += 1
        result = verdict(rules, child)
        if result == OPEN and ply + 1 < limit:
            if ply >= 0:
                save(tables.rows[nonnegative(ply)], position)
                frame = tables.frames[nonnegative(ply)]
                frame[MOVE], frame[NEXT_MOVE], frame[MOVE_COUNT], frame[BEST_VALUE] = move, turn, count, best
            ply += 1
            position = child
            count = moves(rules, position, tables.buffers[nonnegative(ply)])
            if count <= 0 or count > most:
                return (NO_MOVES if count <= 0 else TOO_MANY_MOVES), 0, False
            turn = 0
            best = -WIN - 1
            expanded += 1
            if trace.shape[0] > 0:
                tables.frames[ply, ID] = nodes - 1
                parent = tables.frames[ply - 1, ID] if ply > 0 else -1
                record(control, trace, EXPAND, nodes - 1, parent, move, ply, 0)
            if expanded & 127 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                if control[STOP] != 0:
                    return STOPPED, 0, False
            if nodes >= control[NODE_LIMIT]:
                control[NODES] = nodes
                return OUT_OF_NODES, 0, False
        else:
            if result == OPEN:
                value = -evaluate(evaluation, rules, child)
                complete = False
                if abs(value) > HIGHEST:
                    return BAD_EVALUATION, 0, False
            elif result == DRAWN:
                value = 0
            elif result == LOST:
                value = WIN - before - ply - 1
            elif result == WON:
                value = before + ply + 1 - WIN
            else:
                return BAD_VERDICT, 0, False
            deepest = max(deepest, ply + 1)
            if ply < 0:
                best = -value
            else:
                undo(rules, child, move)
                if trace.shape[0] > 0:
                    parent = tables.frames[ply, ID]
                    record(control, trace, RETURN, nodes - 1, parent, move, ply + 1, -value)
                if ply < KEPT_PLIES and value > best:
                    keep_line(tables, ply, move, 0)
                best = max(best, value)
        # Go back while there is no move left to try, then try the next one.
        while turn == count:
            if ply <= 0:
                if trace.shape[0] > 0:
                    record(control, trace, RETURN, 0, -1, -1, 0, best)
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[DEPTH] = deepest
                control[BEST] = best
                return EXHAUSTED, best, complete
            if trace.shape[0] > 0:
                above = tables.frames[ply - 1]
                record(control, trace, RETURN, tables.frames[ply, ID], above[ID], above[MOVE], ply, best)
            value = -best
            ply -= 1
            frame = tables.frames[nonnegative(ply)]
            move, turn, count, best = frame[MOVE], frame[NEXT_MOVE], frame[MOVE_COUNT], frame[BEST_VALUE]
            undo(rules, position, move)
            position = load(tables.rows[nonnegative(ply)], start)
            if ply < KEPT_PLIES and value > best:
                keep_line(tables, ply, move, tables.lengths[ply + 1] if ply + 1 < KEPT_PLIES else 0)
            best = max(best, value)
        move = tables.buffers[nonnegative(ply), nonnegative(turn)]
        turn += 1
        child = play(rules, position, move)


@kernel(python_entry=False)
def keep_line(tables: NegamaxTables, ply: int, move: int, length: int) -> None:
    """The best line from this ply on: the move, then so many moves of the best line from the next ply on."""
    tables.lines[ply, 0] = move
    for i in range(length):
        tables.lines[ply, i + 1] = tables.lines[ply + 1, i]
    tables.lengths[ply] = length + 1
