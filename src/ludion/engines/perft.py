"""Perft: how many sequences of moves of a given length there are. The sharpest test of move generation.

The last ply is counted in bulk: the moves of its positions are generated but not played.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel, verb
from ludion.core.words import load, save, size
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import (
    EXHAUSTED,
    NODES,
    STOP,
    STOPPED,
    Outcome,
)
from ludion.engines.tables import new_row, new_rows
from ludion.engines.trial import NO_MOVES, TOO_MANY_MOVES, run_safely, spare_rows
from ludion.kinds.duel import OPEN, copy, how_many, undo, verdict
from ludion.kinds.games import PUZZLE
from ludion.kinds.moving import most_moves, moves, play
from ludion.kinds.values import Rules, State


def count(rules: Rules, position: State, depth: int, kind: str) -> int:
    """How many sequences of exactly `depth` legal moves there are; games that end sooner do not count."""
    return int(counted(rules, position, depth, kind, Budget()).result[1])


def counted(
    rules: Rules, position: State, depth: int, kind: str, budget: Budget, observer: Observer | None = None
) -> Outcome:
    """The same within a budget; the result is (how it ended, count)."""
    of = Puzzles() if kind == PUZZLE else Duels()
    start = copy(rules, position)
    return run_safely(
        kind,
        rules,
        position,
        None,
        lambda control, trace: sequences(of, rules, start, depth, control),
        budget,
        observer,
        short=0,  # it has no limit of nodes
    )


class Duels(NamedTuple):
    """Games that can end while there are moves."""


class Puzzles(NamedTuple):
    """Games that go on: a solved position can be moved on."""


@verb
def is_over(kind: Any, rules: Rules, position: State) -> bool:
    """Whether no more moves are made from here."""
    raise NotImplementedError


@is_over.register(Duels)
def _(kind: Duels, rules: Rules, position: State) -> bool:
    return verdict(rules, position) != OPEN  # type: ignore[no-any-return]


@is_over.register(Puzzles)
def _(kind: Puzzles, rules: Rules, position: State) -> bool:
    return False


@verb
def least_moves(kind: Any) -> int:
    """How many moves there are at least in a position that is not over."""
    raise NotImplementedError


@least_moves.register(Duels)
def _(kind: Duels) -> int:
    return 1


@least_moves.register(Puzzles)
def _(kind: Puzzles) -> int:
    return 0


@kernel
def sequences(kind: Any, rules: Rules, start: State, depth: int, control: np.ndarray) -> Any:
    """Return how it ended, and the number of sequences."""
    if depth == 0:
        return EXHAUSTED, 1
    rows = new_rows(depth + 1, size(start) + 1)
    most = most_moves(rules)
    least = least_moves(kind)
    buffers = new_rows(depth + 1 + spare_rows(most), most)
    counts = new_row(depth + 1)
    turns = new_row(depth + 1)
    total = 0
    played = 0
    ply = 0
    position = start
    while True:
        counts[ply] = 0
        turns[ply] = 0
        if not is_over(kind, rules, position):
            if ply == depth - 1:
                number = how_many(rules, position, buffers[ply])
                total += number
            else:
                save(rows[ply], position)
                number = moves(rules, position, buffers[ply])
                counts[ply] = number
            if number < least or number > most:
                return (NO_MOVES if number < least else TOO_MANY_MOVES), total
        while turns[ply] == counts[ply]:
            if ply == 0:
                control[NODES] = total
                return EXHAUSTED, total
            ply -= 1
            undo(rules, position, buffers[ply, turns[ply] - 1])
            position = load(rows[ply], start)
        position = play(rules, position, buffers[ply, turns[ply]])
        turns[ply] += 1
        ply += 1
        played += 1
        if played & 1023 == 0:
            control[NODES] = total
            if control[STOP] != 0:
                return STOPPED, total
