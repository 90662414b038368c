"""Players of Hive besides the general engines: the old report's, and one for each strength."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import popcount
from ludion.engines import alpha_beta
from ludion.engines.answers import SOLVED, Answer, Score
from ludion.engines.limits import Budget, Observer
from ludion.games.hive.notation import legal_moves
from ludion.games.hive.rules import (
    BEETLE,
    BUG_OF,
    GRASSHOPPER,
    LADYBUG,
    PASS,
    SIDE,
    SPIDER,
    WHERE,
    Hive,
    HiveGame,
    ring,
)
from ludion.kinds.duel import copy, play, undo

# The report's player.


@kernel
def costs(rules: HiveGame, position: Hive, moves: Any, defence: float, attack: float, out: Any) -> None:
    """The report's cost of each move: pieces around the own queen less those around the other's."""
    own = SIDE * (position.ply & 1)
    for i in range(moves.size):
        child = play(rules, position, moves[i])
        cost = 0.0
        if child.board[WHERE + own] >= 0:
            cost += defence * popcount(ring(child.board, child.board[WHERE + own]))
        if child.board[WHERE + SIDE - own] >= 0:
            cost -= attack * popcount(ring(child.board, child.board[WHERE + SIDE - own]))
        out[i] = cost
        undo(rules, child, moves[i])


def heuristic(
    rules: HiveGame,
    position: Hive,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    defence: float = 1.0,
    attack: float = 1.0,
) -> Answer:
    """The report's player: least cost after one move, of equal ones the last that adds no piece.

    Cost = `defence` x pieces around the own queen - `attack` x pieces around the other's.
    """
    moves = np.array(legal_moves(rules, position), np.int64)
    found = np.zeros(moves.size)
    costs(rules, copy(rules, position), moves, float(defence), float(attack), found)
    added = [move != PASS and move >> 10 & 1023 == move & 1023 for move in moves.tolist()]
    best = min(range(moves.size), key=lambda i: (found[i], added[i], -i))
    return Answer(
        SOLVED,
        (int(moves[best]),),
        score=Score(round(-found[best])),
        nodes=int(moves.size),
        depth=1,
        engine="heuristic",
    )


# Players for people: the general engine to a depth, with some variety in the opening.

LEVELS = {"easy": 2, "medium": 4, "hard": 7}  # depths
OPENING = 6  # plies in which a player may vary
OPENERS = (SPIDER, BEETLE, GRASSHOPPER, LADYBUG)  # first pieces that are not missed elsewhere
NEAR_ENOUGH = 20  # points below the best that a varied opening move may be


def vary(rules: HiveGame, position: Hive, guide: Any, chance: np.random.Generator) -> int | None:
    """One of the good moves of an opening, or None when the opening is over."""
    if position.ply >= OPENING:
        return None
    here = copy(rules, position)
    moves = legal_moves(rules, here)
    if position.ply < 2:
        return int(chance.choice([move for move in moves if int(BUG_OF[move >> 20]) in OPENERS]))
    values = []
    for move in moves:
        child = play(rules, here, move)
        values.append(-alpha_beta.solve(rules, child, guide, Budget(depth=2, memory=1 << 20)).score.value)  # type: ignore[union-attr]
        undo(rules, child, move)
    best = max(values)
    good = [move for move, value in zip(moves, values, strict=True) if value >= best - NEAR_ENOUGH]
    return int(chance.choice(good))


def at_level(level: str) -> Any:
    """The player of this strength, as an engine."""

    def player(
        rules: HiveGame,
        position: Hive,
        guide: Any,
        budget: Budget,
        observer: Observer | None = None,
        seed: int | None = None,
    ) -> Answer:
        varied = vary(rules, position, guide, np.random.default_rng(seed))
        if varied is not None:
            return Answer(SOLVED, (varied,), score=Score(0), nodes=1, depth=2, engine=level)
        answer = alpha_beta.solve(rules, position, guide, replace(budget, depth=LEVELS[level]), observer)
        return replace(answer, engine=level)

    player.__doc__ = f"alpha-beta to depth {LEVELS[level]}, with varied openings"
    return player


easy, medium, hard = at_level("easy"), at_level("medium"), at_level("hard")
