"""Players of Hive besides the general engines: the old report's, and one for each strength."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ludion.answers import SOLVED, Answer, Score
from ludion.core.verbs import kernel
from ludion.core.words import popcount
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.games.hive.board import (
    BEETLE,
    BUG_OF,
    GRASSHOPPER,
    LADYBUG,
    SPIDER,
    cell_of,
    colour_at,
    exists,
    is_placement,
    neighbours,
    piece_of,
    queen_of,
)
from ludion.games.hive.evaluation import Mobility
from ludion.games.hive.notation import legal_moves
from ludion.games.hive.rules import Hive, HiveRules
from ludion.kinds.duel import Even, copy, play, undo

# ------------------------------------------------------------------ the report's player


@kernel(python_entry=False, inline=True)
def pieces_around(board: Any, queen: int) -> int:
    """The number of occupied neighbours of a queen; 0 if it is in hand."""
    cell = cell_of(board, queen)
    return popcount(neighbours(board, cell)) if exists(cell) else 0


@kernel
def move_costs(
    rules: HiveRules, position: Hive, moves: Any, defence: float, attack: float, costs: Any
) -> None:
    """The report's cost of each move: pieces around one's own queen minus those around the enemy queen."""
    colour = colour_at(position.ply)
    for i in range(moves.size):
        child = play(rules, position, moves[i])
        around_own = pieces_around(child.board, queen_of(colour))
        around_enemy = pieces_around(child.board, queen_of(1 - colour))
        costs[i] = defence * around_own - attack * around_enemy
        undo(rules, child, moves[i])


def heuristic(
    rules: HiveRules,
    position: Hive,
    evaluation: object,
    budget: Budget,
    observer: Observer | None = None,
    defence: float = 1.0,
    attack: float = 1.0,
) -> Answer:
    """The report's player: the move of least cost; among equals, the last that places no piece.

    Cost = `defence` x pieces around one's own queen - `attack` x pieces around the enemy queen. The evaluation is
    not used and the answer names none; its score is minus the cost, in pieces.
    """
    moves = legal_moves(rules, position)
    costs = np.zeros(len(moves))
    move_costs(rules, copy(rules, position), np.array(moves, np.int64), float(defence), float(attack), costs)
    best = min(range(len(moves)), key=lambda i: (costs[i], is_placement(moves[i]), -i))
    return Answer(
        SOLVED,
        (moves[best],),
        score=Score(round(-costs[best])),
        nodes=len(moves),
        depth=1,
        engine="heuristic",
    )


# ------------------------------------------------------------------ players for people
# The general engine to a depth, with some variety in the opening.

LEVELS = {"easy": 2, "medium": 4, "hard": 7}  # depths
OPENING = 6  # plies in which a player may vary
OPENERS = (SPIDER, BEETLE, GRASSHOPPER, LADYBUG)  # bugs for the first turn: the others are more useful later
NEAR_BEST = 20  # points below the best move that a varied opening move may be


def varied_move(
    rules: HiveRules, position: Hive, evaluation: Mobility | Even, generator: np.random.Generator
) -> int | None:
    """One of the good moves of an opening, or None when the opening is over."""
    if position.ply >= OPENING:
        return None
    own = copy(rules, position)
    moves = legal_moves(rules, own)
    if position.ply < 2:
        return int(generator.choice([move for move in moves if int(BUG_OF[piece_of(move)]) in OPENERS]))
    values = []
    for move in moves:
        child = play(rules, own, move)
        answer = alpha_beta.solve(rules, child, evaluation, Budget(depth=2, memory=1 << 20))
        assert answer.score is not None
        values.append(-answer.score.value)
        undo(rules, child, move)
    best = max(values)
    good = [move for move, value in zip(moves, values, strict=True) if value >= best - NEAR_BEST]
    return int(generator.choice(good))


def at_level(level: str) -> Callable[..., Answer]:
    """The player of this strength, as an engine."""

    def player(
        rules: HiveRules,
        position: Hive,
        evaluation: Mobility | Even,
        budget: Budget,
        observer: Observer | None = None,
        seed: int | None = None,
    ) -> Answer:
        varied = varied_move(rules, position, evaluation, np.random.default_rng(seed))
        if varied is not None:
            return Answer(SOLVED, (varied,), score=Score(0), nodes=1, depth=2, engine=level)
        answer = alpha_beta.solve(rules, position, evaluation, replace(budget, depth=LEVELS[level]), observer)
        return replace(answer, engine=level)

    player.__doc__ = f"alpha-beta to depth {LEVELS[level]}, with varied openings"
    return player


easy, medium, hard = at_level("easy"), at_level("medium"), at_level("hard")
