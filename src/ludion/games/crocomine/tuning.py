"""Fitting the estimated chance to win: `python -m ludion.games.crocomine.tuning 30x16:99:safe --games 10000`.

`best` plays the boards with its present weights. Every position after a risk that it survived is recorded as the
features that the look-ahead sees (see `choice.fill_features`), with the result of the game. A logistic regression then
fits the weights that predict the results best. Games are played again with the new weights, on other boards, until the
weights stay.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ludion.games.crocomine.agents import LOOK_AHEAD, BestAgent, sums_around, warm_up
from ludion.games.crocomine.choice import FEATURES, fill_features
from ludion.games.crocomine.generator import from_name
from ludion.games.crocomine.inference import Beliefs, fill_probabilities, known_board, shared_workspace
from ludion.games.crocomine.rules import CONTENTS, OPEN, Action, View, act_on, begin
from ludion.kinds.quest import RUNNING, WON, percept
from ludion.logic.shares import COUNTED

ITERATIONS = 30  # of Newton's method, at most
RIDGE = 1e-3  # keeps the weight of a feature that is always 0 at 0


def features_after(agent: BestAgent, before: View, action: Action, after: View) -> np.ndarray | None:
    """What the look-ahead sees after an action, of the cell only, not of others that it opened: the features, and the
    best chance to survive the next risk."""
    known, clues, cell = agent.known(before), before.clues.copy(), before.cell(action.row, action.column)
    known[cell], clues[cell] = after.seen[cell], after.clues[cell]
    board = known_board(before, known)._replace(clues=clues)
    chances, features = np.zeros((before.cells, CONTENTS)), np.zeros(FEATURES)
    ended, log_models = fill_probabilities(shared_workspace(), board, chances)
    if ended != COUNTED:
        return None
    open_around = sums_around(before, known == OPEN).astype(np.int64)
    survival = fill_features(board, open_around, Beliefs(chances, log_models), features)
    return np.array([*features, survival])


def play(board: str, seed: int) -> tuple[list[np.ndarray], bool]:
    """The features after the risks of the look-ahead that were survived in a game, and whether it was won."""
    world, agent = begin(from_name(board, seed)), BestAgent(seed)
    recorded = []
    while world.view.status == RUNNING:
        before = percept(world)
        action = agent.decide(before)
        act_on(world, action)
        if agent.layer == LOOK_AHEAD and world.view.status == RUNNING:
            features = features_after(agent, before, action, percept(world))
            recorded += [] if features is None else [features]
    return recorded, world.view.status == WON


def estimates(features: np.ndarray, survival: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The estimated chances to win, kept away from 0 and 1."""
    return np.asarray(np.clip(survival / (1.0 + np.exp(-features @ weights)), 1e-9, 1.0 - 1e-9))


def fit(features: np.ndarray, survival: np.ndarray, won: np.ndarray) -> np.ndarray:
    """The weights under which the results are most likely, by Fisher's scoring."""
    weights = np.zeros(features.shape[1])
    for _ in range(ITERATIONS):
        chance = estimates(features, survival, weights)
        slope = chance * (1.0 - chance / survival)  # of the chance by the sum that the weights make
        variance = chance * (1.0 - chance)
        score = features.T @ ((won - chance) / variance * slope) - RIDGE * weights
        information = (features * (slope**2 / variance)[:, None]).T @ features
        step = np.linalg.solve(information + RIDGE * np.eye(len(weights)), score)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def log_loss(chance: np.ndarray, won: np.ndarray) -> float:
    """How badly the chances predict the results: 0 is perfect, 0.693 a coin."""
    return float(-np.log(np.where(won, chance, 1.0 - chance)).mean())


def main() -> None:
    """Play, fit, print the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="+", help="such as 30x16:99:safe")
    parser.add_argument("--games", type=int, default=10_000, help="games of each kind of board")
    parser.add_argument("--seed", type=int, default=2_000_000, help="the first seed")
    parser.add_argument("--out", type=Path, help="file for the recorded positions (NumPy)")
    asked = parser.parse_args()
    warm_up()
    recorded, results = [], []
    for board in asked.boards:
        for seed in range(asked.seed, asked.seed + asked.games):
            positions, is_won = play(board, seed)
            recorded += positions
            results += [is_won] * len(positions)
    if not recorded:
        parser.error("no position was recorded: play more games")
    table, won = np.array(recorded), np.array(results)
    features, survival = table[:, :FEATURES], table[:, FEATURES]
    if asked.out:
        np.savez(asked.out, features=features, survival=survival, won=won)
    weights = fit(features, survival, won)
    print(f"{len(won)} positions, log loss {log_loss(estimates(features, survival, weights), won):.4f}")
    print(", ".join(f"{weight:.4f}" for weight in weights))


if __name__ == "__main__":
    main()
