"""Negamax: the value of a position is the best of the negated values of its children; every line, to a depth.

The textbook version, with no cuts, to learn from and to check others by. A stack of rows replaces the recursion: it is
faster when compiled, and no depth can overflow it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import load, save, size
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

    One row per ply:  rows: the position        buffers, counts, turns: its moves, how many, which is next
                      best: the best so far     lines, lengths: the best line from here
    """
    rows = new_rows(limit + 1, size(start) + 1)
    most = most_moves(rules)
    buffers = new_rows(limit + 1 + spare_rows(most), most)
    counts = new_row(limit + 1)
    turns = new_row(limit + 1)
    best = new_row(limit + 1)
    lines = new_rows(limit + 2, limit + 2)
    lengths = new_row(limit + 2)
    ids = new_row(limit + 1)
    control[MEMORY] = (limit + 1) * (size(start) + most + limit + 6) * 8
    nodes = 0
    expanded = 0
    complete = True
    ply = 0
    position = start
    value = 0
    while True:
        # A position has just been entered at this ply.
        nodes += 1
        result = verdict(rules, position)
        lengths[ply] = 0
        if result == OPEN and ply < limit:
            save(rows[ply], position)
            number = moves(rules, position, buffers[ply])
            if number <= 0 or number > most:
                return (NO_MOVES if number <= 0 else TOO_MANY_MOVES), 0, False, lines[0, :0]
            counts[ply] = number
            turns[ply] = 0
            best[ply] = -WIN - 1
            expanded += 1
            if trace.shape[0] > 0:
                ids[ply] = nodes - 1
                led_here = buffers[ply - 1, turns[ply - 1] - 1] if ply > 0 else -1
                record(control, trace, EXPAND, nodes - 1, ids[ply - 1] if ply > 0 else -1, led_here, ply, 0)
            if expanded & 1023 == 0:
                control[NODES] = nodes
                control[EXPANDED] = expanded
                if control[STOP] != 0:
                    return STOPPED, 0, False, lines[0, :0]
            if nodes >= control[NODE_LIMIT]:
                control[NODES] = nodes
                return OUT_OF_NODES, 0, False, lines[0, :0]
        else:
            if result == OPEN:
                value = evaluate(evaluation, rules, position)
                complete = False
                if abs(value) > HIGHEST:
                    return BAD_EVALUATION, 0, False, lines[0, :0]
            elif result == DRAWN:
                value = 0
            elif result == LOST:
                value = ply - WIN
            elif result == WON:
                value = WIN - ply
            else:
                return BAD_VERDICT, 0, False, lines[0, :0]
            control[DEPTH] = max(control[DEPTH], ply)
            counts[ply] = 0
            turns[ply] = 0
            best[ply] = value
        # Go back while there is no move left to try, then try the next one.
        while turns[ply] == counts[ply]:
            if ply == 0:
                if trace.shape[0] > 0:
                    record(control, trace, RETURN, 0, -1, -1, 0, best[0])
                control[NODES] = nodes
                control[EXPANDED] = expanded
                control[BEST] = best[0]
                return EXHAUSTED, best[0], complete, lines[0, : lengths[0]]
            if trace.shape[0] > 0:
                number = ids[ply] if counts[ply] > 0 else nodes - 1
                record(
                    control,
                    trace,
                    RETURN,
                    number,
                    ids[ply - 1],
                    buffers[ply - 1, turns[ply - 1] - 1],
                    ply,
                    best[ply],
                )
            value = -best[ply]
            ply -= 1
            move = buffers[ply, turns[ply] - 1]
            undo(rules, position, move)
            position = load(rows[ply], start)
            if value > best[ply]:
                best[ply] = value
                lines[ply, 0] = move
                for i in range(lengths[ply + 1]):
                    lines[ply, i + 1] = lines[ply + 1, i]
                lengths[ply] = lengths[ply + 1] + 1
        move = buffers[ply, turns[ply]]
        turns[ply] += 1
        position = play(rules, position, move)
        ply += 1
