"""Tuning the evaluation by self-play: `python -m ludion.games.hive.tuning --games 1000 --nodes 2500`.

Games are played from random openings by the engine with the present weights; every position is kept as the
vector of what each weight multiplies (the evaluation is linear in them), with the result of its game for the
player to move. A logistic regression then finds the weights that foretell the results best, held near the
present ones by a small ridge, and a match of new against old at equal nodes says what was gained. Do it again
with the new weights until nothing is.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.engines import alpha_beta
from ludion.engines.limits import Budget
from ludion.games.hive.evaluation import TUNED, WEIGHTS, Weights
from ludion.games.hive.notation import legal_moves, played
from ludion.games.hive.rules import BUG_OF, QUEEN, Hive, HiveGame, empty_hive, hive_game
from ludion.kinds.duel import DRAWN, OPEN, WON, copy, evaluate, verdict

EXPANSIONS = ("MLP", "", "MLP", "M", "MLP", "LP", "", "MP")  # of the games, in turn
LONGEST = 140  # plies; a longer game is a draw
SURPRISES = 0.04  # of the moves are random, so that the games differ
MEMORY = 16 << 20


@kernel
def features(rules: HiveGame, position: Hive, out: Any) -> None:
    """What each weight multiplies: the evaluation with that weight 1 and all others 0."""
    weights = Weights(np.zeros(out.size, np.int64))
    for i in range(out.size):
        weights.table[i] = 1
        out[i] = evaluate(weights, rules, position)
        weights.table[i] = 0


def opening(rules: HiveGame, chance: random.Random, plies: int) -> Hive:
    """A random opening in which both queens come second."""
    position = empty_hive(rules)
    for ply in range(plies):
        moves = legal_moves(rules, position)
        queens = [move for move in moves if BUG_OF[move >> 20] == QUEEN]
        position = played(rules, position, chance.choice(queens if ply in (2, 3) and queens else moves))
    return position


def choose(rules: HiveGame, position: Hive, weights: Any, nodes: int) -> int:
    """The engine's move."""
    budget = Budget(nodes=nodes, memory=MEMORY)
    return alpha_beta.solve(rules, position, Weights(weights), budget).moves[0]


def result(rules: HiveGame, position: Hive) -> float:
    """For White: 1, 0 or one half."""
    end = verdict(rules, position)
    if end in (OPEN, DRAWN):
        return 0.5
    return float((end == WON) == (position.ply % 2 == 0))


def self_play(weights: Any, games: int, nodes: int, seed: int) -> tuple[Any, Any]:
    """Positions as vectors, and the results of their games for the player to move."""
    chance = random.Random(seed)
    vectors, results = [], []
    for number in range(games):
        rules = hive_game(EXPANSIONS[number % len(EXPANSIONS)])
        position = opening(rules, chance, chance.choice((4, 6, 8)))
        seen = []
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            if position.ply >= 6:
                vector = np.zeros(WEIGHTS, np.int64)
                features(rules, position, vector)
                seen.append((vector, position.ply % 2))
            surprise = chance.random() < SURPRISES
            moves = legal_moves(rules, position)
            move = chance.choice(moves) if surprise else choose(rules, position, weights, nodes)
            position = played(rules, position, move)
        white = result(rules, position)
        vectors += [vector for vector, _ in seen]
        results += [white if colour == 0 else 1 - white for _, colour in seen]
    return np.array(vectors, float), np.array(results)


def loss(vectors: Any, results: Any, weights: Any, scale: float) -> float:
    """The mean surprise at the results, in nats."""
    chances = np.clip(1 / (1 + np.exp(-scale * (vectors @ weights))), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(chances) + (1 - results) * np.log(1 - chances)).mean())


def fit(vectors: Any, results: Any, weights: Any, ridge: float = 0.003) -> Any:
    """The weights that foretell the results best, near the given ones: Newton's method."""
    scale = min(np.geomspace(1e-4, 2e-2, 30), key=lambda each: loss(vectors, results, weights, each))
    found = weights.astype(float)
    for _ in range(30):
        chances = 1 / (1 + np.exp(-scale * (vectors @ found)))
        slope = vectors.T @ (chances - results) / (scale * len(results)) + ridge * (found - weights)
        bend = (vectors.T * (chances * (1 - chances))) @ vectors / len(results) + ridge * np.eye(len(found))
        change = np.linalg.solve(bend, slope)
        found = found - change
        if np.abs(change).max() < 0.01:
            break
    seldom = np.abs(vectors).sum(axis=0) < 50  # too rare to be judged
    return np.where(seldom, weights, found.round()).astype(np.int64)


def match(new: Any, old: Any, games: int, nodes: int, seed: int) -> tuple[int, int, int]:
    """Wins, draws and losses of the new weights; each opening is played with both colours."""
    chance = random.Random(seed)
    score = [0, 0, 0]
    for number in range(games):
        if number % 2 == 0:
            rules = hive_game(EXPANSIONS[number // 2 % len(EXPANSIONS)])
            begin = opening(rules, chance, 4)
        position = copy(rules, begin)
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            weights = new if position.ply % 2 == number % 2 else old
            position = played(rules, position, choose(rules, position, weights, nodes))
        white = result(rules, position)
        ours = white if number % 2 == 0 else 1 - white
        score[0 if ours == 1 else 2 if ours == 0 else 1] += 1
    return score[0], score[1], score[2]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="of self-play")
    parser.add_argument("--nodes", type=int, default=2500, help="a move")
    parser.add_argument("--check", type=int, default=200, help="games of the match of new against old")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="JSON list of the weights to begin with")
    parser.add_argument("--out", type=Path, help="where to write the new ones")
    given = parser.parse_args()
    weights = np.array(json.loads(given.start.read_text()), np.int64) if given.start else TUNED
    vectors, results = self_play(weights, given.games, given.nodes, given.seed)
    found = fit(vectors, results, weights)
    print(f"{given.games} games, {len(results)} positions")
    print(json.dumps(found.tolist()))
    if given.out:
        given.out.write_text(json.dumps(found.tolist()) + "\n")
    wins, draws, losses = match(found, weights, given.check, given.nodes, given.seed + 1)
    print(f"new against old at {given.nodes} nodes a move: {wins} won, {draws} drawn, {losses} lost")


if __name__ == "__main__":
    main()
