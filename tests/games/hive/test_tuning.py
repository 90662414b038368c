"""Tuning: the evaluation is what the features say, and the fit finds weights that made the results."""

from __future__ import annotations

import random

import numpy as np

from ludion.games.hive.evaluation import TUNED, WEIGHTS, Weights
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.tuning import features, fit, loss, match, opening, self_play
from ludion.kinds.duel import evaluate


def test_the_evaluation_is_linear_in_its_weights():
    chance = random.Random(2)
    game, position = read("Base+MLP")
    for _ in range(50):
        moves = legal_moves(game, position)
        if not moves:
            break
        vector = np.zeros(WEIGHTS, np.int64)
        features(game, position, vector)
        assert vector @ TUNED == evaluate(Weights(TUNED.copy()), game, position)
        position = played(game, position, chance.choice(moves))


def test_the_fit_finds_the_weights_behind_the_results():
    chance = np.random.default_rng(4)
    hidden = chance.integers(-60, 60, 6)
    vectors = chance.integers(-3, 4, (20_000, 6)).astype(float)
    chances = 1 / (1 + np.exp(-0.01 * (vectors @ hidden)))
    results = (chance.random(len(vectors)) < chances).astype(float)
    start = hidden + 5
    found = fit(vectors, results, start, ridge=1e-6)
    assert np.corrcoef(found, hidden)[0, 1] > 0.98
    assert loss(vectors, results, found, 0.01) < loss(vectors, results, np.zeros(6), 0.01)


def test_openings_bring_the_queens_second():
    game, _ = read("Base")
    for seed in range(5):
        position = opening(game, random.Random(seed), 4)
        assert position.ply == 4
        assert position.placed & 1
        assert position.placed >> 14 & 1


def test_self_play_and_match_run():
    vectors, results = self_play(TUNED, 1, 60, 1)
    assert vectors.shape == (len(results), WEIGHTS)
    assert set(results) <= {0.0, 0.5, 1.0}
    assert sum(match(TUNED, TUNED, 2, 60, 1)) == 2
