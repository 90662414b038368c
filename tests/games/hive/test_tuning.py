"""Tuning: the evaluation is what the features say, and the fit finds weights that made the results."""

from __future__ import annotations

import random

import numpy as np

from ludion.games.hive.board import BLACK, WHITE, has, queen_of
from ludion.games.hive.evaluation import TUNED, WEIGHTS, Mobility
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.tuning import (
    features,
    fit,
    fit_scale,
    loss,
    match,
    opening,
    probabilities,
    scored_play,
    self_play,
)
from ludion.kinds.duel import evaluate


def test_the_evaluation_is_linear_in_its_weights():
    generator = random.Random(2)
    rules, position = read("Base+MLP")
    for _ in range(50):
        moves = legal_moves(rules, position)
        if not moves:
            break
        vector = np.zeros(WEIGHTS, np.int64)
        features(rules, position, vector)
        assert vector @ TUNED == evaluate(Mobility(TUNED.copy()), rules, position)
        position = played(rules, position, generator.choice(moves))


def test_the_fit_finds_the_weights_behind_the_results():
    generator = np.random.default_rng(4)
    hidden = generator.integers(-60, 60, 6)
    vectors = generator.integers(-3, 4, (20_000, 6)).astype(float)
    results = (generator.random(len(vectors)) < probabilities(vectors, hidden, 0.01)).astype(float)
    fitted = fit(vectors, results, hidden + 5, ridge=1e-6)
    assert np.corrcoef(fitted, hidden)[0, 1] > 0.98
    assert loss(vectors, results, fitted, 0.01) < loss(vectors, results, np.zeros(6), 0.01)


def test_openings_bring_the_queens_second():
    rules, _ = read("Base")
    for seed in range(5):
        position = opening(rules, random.Random(seed), 4)
        assert position.ply == 4
        assert has(position.placed, queen_of(WHITE))
        assert has(position.placed, queen_of(BLACK))


def test_self_play_and_match_run():
    vectors, results = self_play(TUNED, 1, 60, 1)
    assert vectors.shape == (len(results), WEIGHTS)
    assert set(results) <= {0.0, 0.5, 1.0}
    assert sum(match(TUNED, TUNED, 2, 60, 1)) == 2


def test_the_scale_behind_the_results_is_found():
    generator = np.random.default_rng(5)
    scores = generator.normal(0, 200, 20_000)
    results = (generator.random(len(scores)) < 1 / (1 + np.exp(-scores / 150))).astype(float)
    assert abs(fit_scale(scores, results) - 150) < 8


def test_scored_play_runs():
    scores, results = scored_play(1, 60, 1)
    assert len(scores) == len(results) > 0
    assert set(results) <= {0.0, 0.5, 1.0}
