"""Tuning the evaluation by self-play: `python -m ludion.games.hive.tuning --games 1000 --nodes 2500`.

The engine plays games from random openings with the present weights. Every position is recorded as a feature
vector (the evaluation is linear in the weights), with the result of its game for the player to move. A logistic
regression then fits the weights that predict the results best, with a small ridge penalty towards the present
ones, and a match of new against old weights at equal nodes shows the gain. Repeat with the new weights until
there is none.

With `--scale` nothing is tuned: the games give `Evaluation.scale`, the points at which a player is expected to score
73 %, from the search's own scores and the results.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np

from ludion.core.verbs import kernel
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive.board import WHITE, colour_at, piece_of, queen_of
from ludion.games.hive.evaluation import TUNED, WEIGHTS, Mobility
from ludion.games.hive.notation import legal_moves, played
from ludion.games.hive.rules import Hive, HiveRules, empty_hive, hive_rules
from ludion.kinds.duel import DRAWN, HIGHEST, OPEN, WON, copy, evaluate, verdict

EXPANSIONS = ("MLP", "", "MLP", "M", "MLP", "LP", "", "MP")  # of the games, in turn
LONGEST = 140  # plies; a longer game is a draw
FIRST_RECORDED = 6  # the ply from which positions are recorded
RANDOM_SHARE = 0.04  # of the moves are random, so that the games differ
MEMORY = 16 << 20
ITERATIONS = 30  # of Newton's method, at most
RARE = 50  # a weight whose vector entries sum up to less is not changed


@kernel
def features(rules: HiveRules, position: Hive, vector: np.ndarray) -> None:
    """The feature vector: for each weight, the evaluation with that weight 1 and all others 0."""
    evaluation = Mobility(np.zeros(vector.size, np.int64))
    for i in range(vector.size):
        evaluation.weights[i] = 1
        vector[i] = evaluate(evaluation, rules, position)
        evaluation.weights[i] = 0


def opening(rules: HiveRules, generator: random.Random, plies: int) -> Hive:
    """A random opening in which both players place their queen on the second turn."""
    position = empty_hive(rules)
    for ply in range(plies):
        moves = legal_moves(rules, position)
        queens = [move for move in moves if piece_of(move) == queen_of(colour_at(ply))]
        position = played(rules, position, generator.choice(queens if ply in (2, 3) and queens else moves))
    return position


def choose(rules: HiveRules, position: Hive, weights: np.ndarray, nodes: int) -> int:
    """The engine's move."""
    budget = Budget(nodes=nodes, memory=MEMORY)
    return alpha_beta.solve(rules, position, Mobility(weights), budget).moves[0]


def result(rules: HiveRules, position: Hive) -> float:
    """The result of a game for White: 1, 0 or one half."""
    end = verdict(rules, position)
    if end in (OPEN, DRAWN):
        return 0.5
    return float((end == WON) == (position.ply % 2 == 0))


def self_play(weights: np.ndarray, games: int, nodes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Positions as vectors, and the results of their games for the player to move."""
    generator = random.Random(seed)
    vectors, results = [], []
    for number in range(games):
        rules = hive_rules(EXPANSIONS[number % len(EXPANSIONS)])
        position = opening(rules, generator, generator.choice((4, 6, 8)))
        colours = []
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            if position.ply >= FIRST_RECORDED:
                vector = np.zeros(WEIGHTS, np.int64)
                features(rules, position, vector)
                vectors.append(vector)
                colours.append(colour_at(position.ply))
            at_random = generator.random() < RANDOM_SHARE
            moves = legal_moves(rules, position)
            move = generator.choice(moves) if at_random else choose(rules, position, weights, nodes)
            position = played(rules, position, move)
        white = result(rules, position)
        results += [white if colour == 0 else 1 - white for colour in colours]
    return np.array(vectors, float), np.array(results)


def probabilities(vectors: np.ndarray, weights: np.ndarray, scale: float) -> np.ndarray:
    """The predicted results."""
    return 1 / (1 + np.exp(-scale * (vectors @ weights)))  # type: ignore[no-any-return]


def loss(vectors: np.ndarray, results: np.ndarray, weights: np.ndarray, scale: float) -> float:
    """The mean cross entropy of the results, in nats."""
    predicted = np.clip(probabilities(vectors, weights, scale), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(predicted) + (1 - results) * np.log(1 - predicted)).mean())


def fit(vectors: np.ndarray, results: np.ndarray, weights: np.ndarray, ridge: float = 0.003) -> np.ndarray:
    """The weights near the given ones that predict the results best: Newton's method."""
    scale = min(np.geomspace(1e-4, 2e-2, 30), key=lambda each: loss(vectors, results, weights, each))
    fitted = weights.astype(float)
    for _ in range(ITERATIONS):
        predicted = probabilities(vectors, fitted, scale)
        gradient = vectors.T @ (predicted - results) / (scale * len(results)) + ridge * (fitted - weights)
        variances = predicted * (1 - predicted)
        hessian = (vectors.T * variances) @ vectors / len(results) + ridge * np.eye(len(fitted))
        change = np.linalg.solve(hessian, gradient)
        fitted = fitted - change
        if np.abs(change).max() < 0.01:
            break
    rare = np.abs(vectors).sum(axis=0) < RARE
    return np.where(rare, weights, fitted.round()).astype(np.int64)


def fit_scale(scores: np.ndarray, results: np.ndarray) -> float:
    """The scale with which 1 / (1 + e^(-score / scale)) predicts the results best."""
    vectors, one = scores.reshape(-1, 1), np.ones(1)
    return float(min(np.geomspace(20, 2000, 200), key=lambda scale: loss(vectors, results, one, 1 / scale)))


def scored_play(games: int, nodes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The scores of the searches for the player to move, without proved ones, and the results for that player."""
    generator = random.Random(seed)
    scores: list[int] = []
    results: list[float] = []
    for number in range(games):
        rules = hive_rules(EXPANSIONS[number % len(EXPANSIONS)])
        position = opening(rules, generator, generator.choice((2, 3, 4)))
        here: list[tuple[int, int]] = []  # the player to move and its score
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            budget = Budget(nodes=nodes, memory=MEMORY)
            answer = alpha_beta.solve(rules, position, Mobility(TUNED), budget)
            assert answer.score is not None
            if abs(answer.score.value) <= HIGHEST:
                here.append((colour_at(position.ply), answer.score.value))
            position = played(rules, position, answer.moves[0])
        white = result(rules, position)
        scores += [score for _, score in here]
        results += [white if colour == WHITE else 1 - white for colour, _ in here]
    return np.array(scores, float), np.array(results)


def match(new: np.ndarray, old: np.ndarray, games: int, nodes: int, seed: int) -> tuple[int, int, int]:
    """Wins, draws and losses of the new weights; each opening is played with both colours."""
    generator = random.Random(seed)
    wins = draws = losses = 0
    for number in range(games):
        if number % 2 == 0:
            rules = hive_rules(EXPANSIONS[number // 2 % len(EXPANSIONS)])
            start = opening(rules, generator, 4)
        position = copy(rules, start)
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            weights = new if position.ply % 2 == number % 2 else old
            position = played(rules, position, choose(rules, position, weights, nodes))
        white = result(rules, position)
        points = white if number % 2 == 0 else 1 - white
        wins += points == 1
        draws += points == 0.5
        losses += points == 0
    return wins, draws, losses


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=1000, help="games of self-play")
    parser.add_argument("--nodes", type=int, default=2500, help="nodes per move")
    parser.add_argument(
        "--check", type=int, default=200, help="games of the match of new against old weights"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", action="store_true", help="fit the scale of the scores only")
    parser.add_argument("--start", type=Path, help="file with the weights to begin with, a JSON list")
    parser.add_argument("--out", type=Path, help="file to write the new weights to")
    arguments = parser.parse_args()
    if arguments.scale:
        scores, results = scored_play(arguments.games, arguments.nodes, arguments.seed)
        print(f"{arguments.games} games, {len(results)} positions: scale {fit_scale(scores, results):.0f}")
        return
    weights = np.array(json.loads(arguments.start.read_text()), np.int64) if arguments.start else TUNED
    vectors, results = self_play(weights, arguments.games, arguments.nodes, arguments.seed)
    fitted = fit(vectors, results, weights)
    print(f"{arguments.games} games, {len(results)} positions")
    print(json.dumps(fitted.tolist()))
    if arguments.out:
        arguments.out.write_text(json.dumps(fitted.tolist()) + "\n")
    wins, draws, losses = match(fitted, weights, arguments.check, arguments.nodes, arguments.seed + 1)
    print(f"new against old at {arguments.nodes} nodes per move: {wins} won, {draws} drawn, {losses} lost")


if __name__ == "__main__":
    main()
