"""Perft: how many sequences of moves of a given length there are. The sharpest test of move generation.

The last ply is counted in bulk: the moves of its positions are generated but not played.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.engines.limits import (
    EXHAUSTED,
    NODES,
    STOP,
    STOPPED,
    Budget,
    Observer,
    Outcome,
    run,
)
from ludion.kinds import duel, puzzle
from ludion.kinds.card import PUZZLE
from ludion.kinds.duel import OPEN
from ludion.verbs import kernel
from ludion.words import load, save, size


def count(game: Any, position: Any, depth: int, kind: str) -> int:
    """How many sequences of exactly `depth` legal moves there are; games that end sooner do not count."""
    return int(counted(game, position, depth, kind, Budget()).result[1])


def counted(
    game: Any, position: Any, depth: int, kind: str, budget: Budget, observer: Observer | None = None
) -> Outcome:
    """The same within a budget; the result is (how it ended, count)."""
    search = puzzle_sequences if kind == PUZZLE else duel_sequences
    start = position if kind == PUZZLE else duel.copy(game, position)
    return run(lambda control, trace: search(game, start, depth, control), budget, observer)


@kernel
def duel_sequences(game: Any, start: Any, depth: int, control: Any) -> Any:
    """Return how it ended, and the number of sequences."""
    if depth == 0:
        return EXHAUSTED, 1
    rows = np.empty((depth + 1, size(start) + 1), np.int64)
    buffers = np.empty((depth + 1, duel.most_moves(game)), np.int64)
    counts = np.zeros(depth + 1, np.int64)
    turns = np.zeros(depth + 1, np.int64)
    total = 0
    made = 0
    ply = 0
    position = start
    while True:
        counts[ply] = 0
        turns[ply] = 0
        if duel.verdict(game, position) == OPEN:
            if ply == depth - 1:
                total += duel.how_many(game, position, buffers[ply])
            else:
                save(rows[ply], position)
                counts[ply] = duel.moves(game, position, buffers[ply])
        while turns[ply] == counts[ply]:
            if ply == 0:
                control[NODES] = total
                return EXHAUSTED, total
            ply -= 1
            duel.undo(game, position, buffers[ply, turns[ply] - 1])
            position = load(rows[ply], start)
        position = duel.play(game, position, buffers[ply, turns[ply]])
        turns[ply] += 1
        ply += 1
        made += 1
        if made & 1023 == 0:
            control[NODES] = total
            if control[STOP] != 0:
                return STOPPED, total


@kernel
def puzzle_sequences(game: Any, start: Any, depth: int, control: Any) -> Any:
    """Return how it ended, and the number of sequences; a solved position can be moved on."""
    if depth == 0:
        return EXHAUSTED, 1
    rows = np.empty((depth + 1, size(start) + 1), np.int64)
    buffers = np.empty((depth + 1, puzzle.most_moves(game)), np.int64)
    counts = np.zeros(depth + 1, np.int64)
    turns = np.zeros(depth + 1, np.int64)
    total = 0
    made = 0
    ply = 0
    position = start
    while True:
        counts[ply] = 0
        turns[ply] = 0
        number = puzzle.moves(game, position, buffers[ply])
        if ply == depth - 1:
            total += number
        else:
            save(rows[ply], position)
            counts[ply] = number
        while turns[ply] == counts[ply]:
            if ply == 0:
                control[NODES] = total
                return EXHAUSTED, total
            ply -= 1
            position = load(rows[ply], start)
        position = puzzle.play(game, position, buffers[ply, turns[ply]])
        turns[ply] += 1
        ply += 1
        made += 1
        if made & 1023 == 0:
            control[NODES] = total
            if control[STOP] != 0:
                return STOPPED, total
