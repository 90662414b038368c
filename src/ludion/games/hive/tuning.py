"""Tuning the evaluation by games: `python -m ludion.games.hive.tuning --pairs 3000 --nodes 5000`.

Simultaneous perturbation: each pair of games, from one random opening with both colours, is played between the weights
changed by `STEPS` in random directions and the weights changed by as much in the opposite ones; then all weights go a
little towards the winner. The mean of the weights on the way is the result, and a match of new against old weights at
equal nodes shows the gain. Repeat with the new weights until there is none.

With `--scale` nothing is tuned: the games give `Evaluation.scale`, the points at which a player is expected to score
73 %, from the search's own scores and the results.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive.board import WHITE, colour_at, piece_of, queen_of
from ludion.games.hive.evaluation import TUNED, WEIGHTS, Mobility
from ludion.games.hive.notation import legal_moves, played
from ludion.games.hive.rules import Hive, HiveRules, empty_hive, hive_rules
from ludion.kinds.duel import DRAWN, HIGHEST, OPEN, WON, copy, verdict

EXPANSIONS = ("MLP", "", "MLP", "M", "MLP", "LP", "", "MP")  # of the games, in turn
LONGEST = 140  # plies; a longer game is a draw
MEMORY = 16 << 20
RATE = 0.008  # of its step by which a pair of games moves a weight, for each game won more than lost
REPORTED = 100  # pairs of games between two reports
LATEST = 0.5  # the share of the pairs, the latest ones, whose mean counts

# How much each weight is changed in a game; 0: it is not tuned.
#         Q   S   B   G   A   M   L   P
STEPS = np.array(
    [20, 8, 10, 10, 12, 10, 10, 20]  # MOVABLE
    + [20, 8, 10, 10, 10, 10, 10, 20]  # BLOCKED
    + [0, 0, 12, 0, 0, 10, 0, 0]  # CLIMBED
    + [0, 8, 8, 8, 8, 8, 8, 8]  # IN_HAND
    + [0, 10, 10, 12, 20, 50, 0]  # QUEEN_NEIGHBOURS
    + [12, 8, 10, 12, 20, 12, 15, 10, 4, 6, 12]  # COVERED ... TO_MOVE
    + [0, 7, 7, 7, 7, 10, 0]  # ATTACKER
    + [2, 10, 10, 40]  # MOVABLE_SHARE ... IN_DANGER
)


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


def game(rules: HiveRules, start: Hive, white: np.ndarray, black: np.ndarray, nodes: int) -> float:
    """The result for White of a game between two arrays of weights."""
    position = copy(rules, start)
    while verdict(rules, position) == OPEN and position.ply < LONGEST:
        weights = white if colour_at(position.ply) == WHITE else black
        position = played(rules, position, choose(rules, position, weights, nodes))
    return result(rules, position)


def tune(expansions: str, weights: np.ndarray, pairs: int, nodes: int, seed: int) -> Iterator[np.ndarray]:
    """The tuned weights after each pair of games."""
    generator, noise = random.Random(seed), np.random.default_rng(seed)
    rules = hive_rules(expansions)
    here = weights.astype(float)
    mean = here.copy()
    for number in range(1, pairs + 1):
        change = STEPS * noise.choice((-1, 1), WEIGHTS)
        more, less = (
            np.floor(here + sign * change + noise.random(WEIGHTS)).astype(np.int64) for sign in (1, -1)
        )
        start = opening(rules, generator, 4)
        won_more = game(rules, start, more, less, nodes) - game(rules, start, less, more, nodes)
        here += 2 * RATE * won_more * change
        mean += (here - mean) / max(1, LATEST * number)
        yield mean.round().astype(np.int64)


def probabilities(vectors: np.ndarray, weights: np.ndarray, scale: float) -> np.ndarray:
    """The predicted results."""
    return 1 / (1 + np.exp(-scale * (vectors @ weights)))  # type: ignore[no-any-return]


def loss(vectors: np.ndarray, results: np.ndarray, weights: np.ndarray, scale: float) -> float:
    """The mean cross entropy of the results, in nats."""
    predicted = np.clip(probabilities(vectors, weights, scale), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(predicted) + (1 - results) * np.log(1 - predicted)).mean())


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
            points = game(rules, start, new, old, nodes)
        else:
            points = 1 - game(rules, start, old, new, nodes)
        wins += points == 1
        draws += points == 0.5
        losses += points == 0
    return wins, draws, losses


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=3000, help="pairs of games of the tuning")
    parser.add_argument("--expansions", default="", help="letters of M, L and P: the type of these games")
    parser.add_argument("--nodes", type=int, default=5000, help="nodes per move")
    parser.add_argument(
        "--check", type=int, default=200, help="games of the match of new against old weights"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scale", action="store_true", help="fit the scale of the scores only")
    parser.add_argument("--games", type=int, default=240, help="games for the scale")
    parser.add_argument("--start", type=Path, help="file with the weights to begin with, a JSON list")
    parser.add_argument("--out", type=Path, help="file to write the new weights to, again and again")
    arguments = parser.parse_args()
    if arguments.scale:
        scores, results = scored_play(arguments.games, arguments.nodes, arguments.seed)
        print(f"{arguments.games} games, {len(results)} positions: scale {fit_scale(scores, results):.0f}")
        return
    old = np.array(json.loads(arguments.start.read_text()), np.int64) if arguments.start else TUNED
    new = old
    steps = tune(arguments.expansions, old, arguments.pairs, arguments.nodes, arguments.seed)
    for number, new in enumerate(steps, 1):
        if number % REPORTED == 0 or number == arguments.pairs:
            print(f"{number} pairs: {json.dumps(new.tolist())}", flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps(new.tolist()) + "\n")
    wins, draws, losses = match(new, old, arguments.check, arguments.nodes, arguments.seed + 1)
    print(f"new against old at {arguments.nodes} nodes per move: {wins} won, {draws} drawn, {losses} lost")


if __name__ == "__main__":
    main()
