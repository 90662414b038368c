"""Tuning the evaluation by self-play: `python -m ludion.games.hive.tuning play`, `fit`, then `match`.

    play    The engine plays games against itself from random openings, of all types; a few moves are random. Each game
            is a line of JSON: its GameString, its result, and the engine's score of each position.
    fit     Every position becomes the vector of what each weight multiplies (the evaluation is linear in them), once
            for the opening and once for the end of the game. A logistic regression finds the weights that predict best
            what came of the positions, a mean of the game's result and of the engine's score; a ridge penalty keeps
            them near the present ones. The base game and those with expansions have weights of their own.
    match   New weights against others at equal nodes, until the sequential test decides.

The files of games and weights are named by options; see `--help` of each. What was tried is in docs/games/hive.md.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive.evaluation import (
    BASE,
    EXPANDED,
    PHASES,
    WEIGHTS,
    WEIGHTS_FILE,
    Mobility,
    family,
    from_phases,
    phase,
    read_weights,
)
from ludion.games.hive.notation import legal_moves, played, read, write
from ludion.games.hive.rules import (
    Hive,
    HiveRules,
    colour_at,
    empty_hive,
    hive_rules,
    move_at,
    piece_of,
    queen_of,
)
from ludion.kinds.duel import DRAWN, HIGHEST, OPEN, WON, copy, evaluate, verdict

Weights = dict[str, np.ndarray]  # by family, one row for each phase

EXPANSIONS = ("", "MLP", "", "MLP", "M", "", "LP", "MLP", "", "MP", "", "MLP", "L", "", "P", "ML")  # in turn
LONGEST = 140  # plies; a longer game is a draw
FIRST_USED = 4  # the ply from which positions are used
RANDOM_SHARE = 0.04  # of the moves are random, so that the games differ
MEMORY = 32 << 20
ITERATIONS = 30  # of Newton's method, at most
RARE = 50  # a weight whose vector entries sum up to less is not changed
RESULT_SHARE = 0.6  # of the result in what is predicted; the rest is the engine's score


@kernel
def features(rules: HiveRules, position: Hive, vector: np.ndarray) -> None:
    """What each weight multiplies: the evaluation with that weight 1 and all others 0."""
    evaluation = Mobility(np.zeros((1, vector.size), np.int64))
    for i in range(vector.size):
        evaluation.weights[0, i] = 1
        vector[i] = evaluate(evaluation, rules, position)
        evaluation.weights[0, i] = 0


# ------------------------------------------------------------------ games


def opening(rules: HiveRules, generator: random.Random, plies: int) -> Hive:
    """A random opening in which both players place their queen on the second turn."""
    position = empty_hive(rules)
    for ply in range(plies):
        moves = legal_moves(rules, position)
        queens = [move for move in moves if piece_of(move) == queen_of(colour_at(ply))]
        position = played(rules, position, generator.choice(queens if ply in (2, 3) and queens else moves))
    return position


def choose(rules: HiveRules, position: Hive, guide: Mobility, nodes: int) -> tuple[int, int]:
    """The engine's move, and its score."""
    answer = alpha_beta.solve(rules, position, guide, Budget(nodes=nodes, memory=MEMORY))
    assert answer.score is not None
    return answer.moves[0], answer.score.value


def result(rules: HiveRules, position: Hive) -> float:
    """The result of a game for White: 1, 0 or one half."""
    end = verdict(rules, position)
    if end in (OPEN, DRAWN):
        return 0.5
    return float((end == WON) == (position.ply % 2 == 0))


def self_play(weights: Weights, games: int, nodes: int, seed: int) -> Iterator[dict[str, Any]]:
    """Games of the engine against itself."""
    generator = random.Random(seed)
    for number in range(games):
        rules = hive_rules(EXPANSIONS[number % len(EXPANSIONS)])
        guide = from_phases(rules, weights[family(rules)])
        position = opening(rules, generator, generator.choice((2, 3, 4, 5, 6)))
        begin, scores = position.ply, []
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            score = None
            if generator.random() < RANDOM_SHARE:
                move = generator.choice(legal_moves(rules, position))
            else:
                move, score = choose(rules, position, guide, nodes)
            scores.append(score)
            position = played(rules, position, move)
        yield {
            "game": write(rules, position),
            "begin": begin,
            "result": result(rules, position),
            "scores": scores,
        }


def match(
    new: Weights, old: Weights, games: int, nodes: int, seed: int, kinds: tuple[str, ...]
) -> Iterator[float]:
    """The points of the new weights in each game; every opening is played with both colours."""
    generator = random.Random(seed)
    for number in range(games):
        if number % 2 == 0:
            rules = hive_rules(kinds[number // 2 % len(kinds)])
            start = opening(rules, generator, generator.choice((2, 3, 4)))
            guides = [from_phases(rules, each[family(rules)]) for each in (new, old)]
        position = copy(rules, start)
        while verdict(rules, position) == OPEN and position.ply < LONGEST:
            guide = guides[(position.ply + number) % 2]
            position = played(rules, position, choose(rules, position, guide, nodes)[0])
        white = result(rules, position)
        yield white if number % 2 == 0 else 1 - white


# ------------------------------------------------------------------ the fit


def probabilities(vectors: np.ndarray, weights: np.ndarray, scale: float) -> np.ndarray:
    """The predicted results."""
    return 1 / (1 + np.exp(-scale * (vectors @ weights)))  # type: ignore[no-any-return]


def loss(vectors: np.ndarray, results: np.ndarray, weights: np.ndarray, scale: float) -> float:
    """The mean cross entropy of the results, in nats."""
    predicted = np.clip(probabilities(vectors, weights, scale), 1e-9, 1 - 1e-9)
    return float(-(results * np.log(predicted) + (1 - results) * np.log(1 - predicted)).mean())


def best_scale(vectors: np.ndarray, results: np.ndarray, weights: np.ndarray) -> float:
    """How much a point is worth: the scale at which these weights predict best."""
    return float(min(np.geomspace(1e-4, 2e-2, 30), key=lambda each: loss(vectors, results, weights, each)))


def fit(
    vectors: np.ndarray, results: np.ndarray, weights: np.ndarray, scale: float, ridge: float
) -> np.ndarray:
    """The weights near the given ones that predict the results best: Newton's method."""
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


def positions_of(game: dict[str, Any]) -> Iterator[tuple[HiveRules, Hive, float, float | None]]:
    """The positions of a recorded game with its result and the engine's score, both for the player to move."""
    rules, end = read(game["game"], repetition="play-on")
    here = empty_hive(rules, end.ply)
    for ply in range(end.ply):
        if ply >= max(game["begin"], FIRST_USED):
            score = game["scores"][ply - game["begin"]]
            if score is not None and abs(score) <= HIGHEST:
                yield rules, here, game["result"] if ply % 2 == 0 else 1 - game["result"], score
        here = played(rules, here, move_at(end.board, ply))


def read_games(files: list[Path]) -> dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """For each family the vectors of all positions (once per phase), the results and the scores."""
    rows: dict[str, list[tuple[np.ndarray, float, float]]] = {BASE: [], EXPANDED: []}
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            for rules, here, points, score in positions_of(json.loads(line)):
                vector = np.zeros(WEIGHTS, np.int64)
                features(rules, here, vector)
                late = phase(rules, here.placed.bit_count())
                both = np.concatenate([vector * (1 - late), vector * late]).astype(np.float32)
                rows[family(rules)].append((both, points, score or 0.0))
    return {
        name: (np.array([row[0] for row in each], float), *np.array([row[1:] for row in each], float).T)
        for name, each in rows.items()
    }


def fit_weights(files: list[Path], weights: Weights, ridge: float, share: float) -> Weights:
    """New weights from recorded games; prints how well they predict the last tenth, from which they did not learn."""
    fitted = {}
    for name, (vectors, results, scores) in read_games(files).items():
        old, learnt = weights[name].reshape(-1), len(results) * 9 // 10
        scale = best_scale(vectors, results, old)
        goals = share * results + (1 - share) / (1 + np.exp(-scale * scores))
        new = fit(vectors[:learnt], goals[:learnt], old, scale, ridge)
        test = vectors[learnt:], results[learnt:]
        print(
            f"{name}: {len(results)} positions, loss {loss(*test, old, scale):.4f} -> {loss(*test, new, scale):.4f}"
        )
        fitted[name] = new.reshape(PHASES, WEIGHTS)
    return fitted


def write_weights(file: Path, weights: Weights) -> None:
    """Weights as a file: a row for each phase."""
    rows = {name: [[int(each) for each in row] for row in rows] for name, rows in weights.items()}
    texts = [
        f'  "{name}": [\n    ' + ",\n    ".join(map(json.dumps, each)) + "\n  ]"
        for name, each in rows.items()
    ]
    file.write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


# ------------------------------------------------------------------ commands


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    play = commands.add_parser("play", help="self-play")
    play.add_argument("--games", type=int, default=1500)
    play.add_argument("--out", type=Path, required=True, help="file of games to append to")
    fitting = commands.add_parser("fit", help="fit weights to games")
    fitting.add_argument("files", type=Path, nargs="+", help="files of games")
    fitting.add_argument("--ridge", type=float, default=0.003)
    fitting.add_argument("--share", type=float, default=RESULT_SHARE, help="share of the result in the goal")
    fitting.add_argument("--out", type=Path, required=True, help="file to write the weights to")
    meeting = commands.add_parser("match", help="weights against weights")
    meeting.add_argument("new", type=Path)
    meeting.add_argument("--games", type=int, default=400, help="games, at most")
    meeting.add_argument("--types", default=",MLP", help="expansions of the games, separated by commas")
    for command in (play, meeting):
        command.add_argument("--nodes", type=int, default=10_000, help="nodes per move")
        command.add_argument("--seed", type=int, default=1)
    for command in (play, fitting, meeting):
        command.add_argument(
            "--weights", type=Path, default=WEIGHTS_FILE, help="the present, or the other weights"
        )
    run(parser.parse_args())


def run(asked: argparse.Namespace) -> None:
    """Carry out a command."""
    weights = read_weights(asked.weights)
    if asked.command == "play":
        with asked.out.open("a", encoding="utf-8") as file:
            for game in self_play(weights, asked.games, asked.nodes, asked.seed):
                file.write(json.dumps(game) + "\n")
                file.flush()
    elif asked.command == "fit":
        write_weights(asked.out, fit_weights(asked.files, weights, asked.ridge, asked.share))
    else:
        from ludion.arena.ratings import Sprt, Tally, strength_in_words

        tally, test = Tally(), Sprt(0, 50)
        kinds = tuple(asked.types.split(","))
        for points in match(read_weights(asked.new), weights, asked.games, asked.nodes, asked.seed, kinds):
            tally = tally.add(points)
            if tally.games % 10 == 0:
                print(f"+{tally.wins} ={tally.draws} -{tally.losses}  {strength_in_words(tally)}", flush=True)
            if tally.games % 2 == 0 and test.verdict(tally):
                break
        print(
            f"+{tally.wins} ={tally.draws} -{tally.losses}  {strength_in_words(tally)}: {test.verdict(tally)}"
        )


if __name__ == "__main__":
    main()
