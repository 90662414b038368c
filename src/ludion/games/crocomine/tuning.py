"""Fitting the estimated chance to win: `python -m ludion.games.crocomine.tuning 30x16:99:safe --games 5000`.

`best` plays with its current weights and sometimes explores another action. For every position after a survived risk,
the features that the look-ahead sees are recorded (see `choice.fill_features`) together with the result of the game
minus the luck of the later risks. A logistic regression fits the weights. Repeat with the new weights on other boards
until they no longer change.

The luck of a risk is the estimated chance to win after it (0 if lost) minus the estimate before it. The estimate before
is the mean over all observations of the estimate after, so the expected luck is 0 for any weights: subtracting it does
not bias the result, and halves its variance.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from ludion.games.crocomine.agents import (
    ANIMAL_WEIGHTS,
    ENDGAME,
    LOOK_AHEAD,
    MINE_WEIGHTS,
    BestAgent,
    action_on,
    sums_around,
    warm_up,
)
from ludion.games.crocomine.choice import FEATURES, fill_features
from ludion.games.crocomine.generator import from_name
from ludion.games.crocomine.inference import Beliefs, fill_probabilities, known_board, shared_workspace
from ludion.games.crocomine.rules import CONTENTS, OPEN, Action, View, act_on, begin
from ludion.kinds.quest import RUNNING, WON, percept

EXPLORATION, EXPLORED = 0.3, 6  # probability of a random action, and among how many of the best
ITERATIONS = 30  # of Newton's method, at most
RIDGE = 1e-3  # keeps weights of features that are always 0 at 0


def features_after(agent: BestAgent, before: View, action: Action, after: View) -> np.ndarray:
    """The features after an action as the look-ahead sees them (without further cells that it opened), and the best
    chance to survive the next action."""
    known, clues, cell = agent.known(before), before.clues.copy(), before.cell(action.row, action.column)
    known[cell], clues[cell] = after.seen[cell], after.clues[cell]
    board = known_board(before, known)._replace(clues=clues)
    chances, features = np.zeros((before.cells, CONTENTS)), np.zeros(FEATURES)
    _, log_models = fill_probabilities(shared_workspace(), board, chances)
    open_around = sums_around(before, known == OPEN).astype(np.int64)
    survival = fill_features(board, open_around, Beliefs(chances, log_models), features)
    return np.array([*features, survival])


def play(board: str, seed: int) -> tuple[list[np.ndarray], list[float]]:
    """The features after each survived risk of the look-ahead in a game, and for each the result minus the luck that
    followed. The result of an endgame is the share of boards that best play wins."""
    world, agent = begin(from_name(board, seed)), BestAgent(seed)
    weights = MINE_WEIGHTS if world.view.flags else ANIMAL_WEIGHTS
    recorded: list[np.ndarray] = []
    luck_so_far: list[float] = []
    luck = 0.0
    while world.view.status == RUNNING:
        before = percept(world)
        action = agent.decide(before)
        if agent.layer == ENDGAME:
            return recorded, [agent.weighed[0][3] - luck + earlier for earlier in luck_so_far]
        if agent.layer != LOOK_AHEAD:
            act_on(world, action)
            continue
        choices = EXPLORED if agent.random.random() < EXPLORATION else 1
        cell, content, _, expected = agent.weighed[agent.random.integers(min(choices, len(agent.weighed)))]
        action = action_on(before, cell, content)
        act_on(world, action)
        value = float(world.view.status == WON)
        if world.view.status == RUNNING:
            features = features_after(agent, before, action, percept(world))
            value = float(estimates(features[:FEATURES], features[FEATURES], weights))
            recorded.append(features)
            luck_so_far.append(luck + value - expected)
        luck += value - expected
    won = float(world.view.status == WON)
    return recorded, [won - luck + earlier for earlier in luck_so_far]


def estimates(features: np.ndarray, survival: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The estimated chances to win, kept away from 0 and 1."""
    return np.asarray(np.clip(survival / (1.0 + np.exp(-features @ weights)), 1e-9, 1.0 - 1e-9))


def fit(features: np.ndarray, survival: np.ndarray, results: np.ndarray) -> np.ndarray:
    """The maximum likelihood weights, by Fisher scoring."""
    weights = np.zeros(features.shape[1])
    for _ in range(ITERATIONS):
        chance = estimates(features, survival, weights)
        slope = chance * (1.0 - chance / survival)  # derivative of the chance by the weighted sum
        variance = chance * (1.0 - chance)
        score = features.T @ ((results - chance) / variance * slope) - RIDGE * weights
        information = (features * (slope**2 / variance)[:, None]).T @ features
        step = np.linalg.solve(information + RIDGE * np.eye(len(weights)), score)
        weights += step
        if np.abs(step).max() < 1e-9:
            break
    return weights


def mean_square_error(chance: np.ndarray, results: np.ndarray) -> float:
    """The mean square error of the chances."""
    return float(np.square(results - chance).mean())


def main() -> None:
    """Play, fit, print the weights."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("boards", nargs="+", help="such as 30x16:99:safe")
    parser.add_argument("--games", type=int, default=5_000, help="games of each kind of board")
    parser.add_argument("--seed", type=int, default=2_000_000, help="the first seed")
    parser.add_argument("--out", type=Path, help="file for the recorded positions (NumPy)")
    asked = parser.parse_args()
    warm_up()
    recorded: list[np.ndarray] = []
    results: list[float] = []
    for board in asked.boards:
        for seed in range(asked.seed, asked.seed + asked.games):
            positions, results_after = play(board, seed)
            recorded += positions
            results += results_after
    if not recorded:
        parser.error("no position was recorded: play more games")
    table, result = np.array(recorded), np.array(results)
    features, survival = table[:, :FEATURES], table[:, FEATURES]
    if asked.out:
        np.savez(asked.out, features=features, survival=survival, result=result)
    weights = fit(features, survival, result)
    error = mean_square_error(estimates(features, survival, weights), result)
    print(f"{len(results)} positions, mean square error {error:.4f}")
    print(", ".join(f"{weight:.4f}" for weight in weights))


if __name__ == "__main__":
    main()
