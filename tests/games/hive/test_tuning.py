"""Tuning: the evaluation is what the features say, and the fit finds weights that made the results."""

from __future__ import annotations

import random

import numpy as np

from ludion.games.hive.evaluation import BASE, EXPANDED, WEIGHTS, Mobility, family, make, phase, read_weights
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.rules import BLACK, WHITE, has, queen_of
from ludion.games.hive.tuning import (
    features,
    fit,
    loss,
    match,
    opening,
    positions_of,
    probabilities,
    self_play,
    write_weights,
)
from ludion.kinds.duel import evaluate


def test_the_evaluation_is_linear_in_its_weights():
    generator = random.Random(2)
    rules, position = read("Base+MLP")
    weights = read_weights()[EXPANDED][1]
    for _ in range(50):
        moves = legal_moves(rules, position)
        if not moves:
            break
        vector = np.zeros(WEIGHTS, np.int64)
        features(rules, position, vector)
        assert vector @ weights == evaluate(Mobility(weights.reshape(1, -1)), rules, position)
        position = played(rules, position, generator.choice(moves))


def test_the_weights_go_from_the_opening_to_the_end():
    for text, name in (("Base", BASE), ("Base+L", EXPANDED)):
        rules, _ = read(text)
        assert family(rules) == name
        rows = make(rules).weights
        assert (rows[0] == read_weights()[name][0]).all()
        assert (rows[-1] == read_weights()[name][1]).all()
    assert phase(read("Base")[0], 11) == 0.5
    assert phase(read("Base+MLP")[0], 28) == 1.0


def test_the_fit_finds_the_weights_behind_the_results():
    generator = np.random.default_rng(4)
    hidden = generator.integers(-60, 60, 6)
    vectors = generator.integers(-3, 4, (20_000, 6)).astype(float)
    results = (generator.random(len(vectors)) < probabilities(vectors, hidden, 0.01)).astype(float)
    fitted = fit(vectors, results, hidden + 5, 0.01, ridge=1e-6)
    assert np.corrcoef(fitted, hidden)[0, 1] > 0.98
    assert loss(vectors, results, fitted, 0.01) < loss(vectors, results, np.zeros(6), 0.01)


def test_openings_bring_the_queens_second():
    rules, _ = read("Base")
    for seed in range(5):
        position = opening(rules, random.Random(seed), 4)
        assert position.ply == 4
        assert has(position.placed, queen_of(WHITE))
        assert has(position.placed, queen_of(BLACK))


def test_self_play_match_and_weights_as_a_file(tmp_path):
    weights = read_weights()
    game = next(self_play(weights, 1, 60, 1))
    for _, position, points, score in positions_of(game):
        assert points in (0.0, 0.5, 1.0)
        assert score == game["scores"][position.ply - game["begin"]]
    assert len(list(match(weights, weights, 2, 60, 1, ("",)))) == 2
    write_weights(tmp_path / "weights.json", weights)
    again = read_weights(tmp_path / "weights.json")
    assert all((again[name] == weights[name]).all() for name in (BASE, EXPANDED))
