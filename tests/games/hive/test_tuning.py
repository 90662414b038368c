"""Tuning: weights go where the games are won, and the fit of the scale finds the one behind the results."""

from __future__ import annotations

import random

import numpy as np

from ludion.games.hive import tuning
from ludion.games.hive.board import BLACK, WHITE, has, queen_of
from ludion.games.hive.evaluation import TUNED, WEIGHTS
from ludion.games.hive.notation import read
from ludion.games.hive.tuning import fit_scale, match, opening, scored_play, tune


def test_tuning_finds_the_way_from_bad_weights(monkeypatch):
    """A weight that the games prefer to be large goes up, one without a step stays."""
    steps = np.zeros(WEIGHTS)
    steps[:2] = 10
    monkeypatch.setattr(tuning, "STEPS", steps)
    monkeypatch.setattr(tuning, "game", lambda rules, start, white, black, nodes: float(white[0] > black[0]))
    *_, tuned = tune("", TUNED, 300, 1, 1)
    assert tuned[0] >= TUNED[0] + 10
    assert abs(tuned[1] - TUNED[1]) < 10
    assert (tuned[2:] == TUNED[2:]).all()


def test_openings_bring_the_queens_second():
    rules, _ = read("Base")
    for seed in range(5):
        position = opening(rules, random.Random(seed), 4)
        assert position.ply == 4
        assert has(position.placed, queen_of(WHITE))
        assert has(position.placed, queen_of(BLACK))


def test_tuning_and_match_run():
    (tuned,) = tune("", TUNED, 1, 60, 1)
    assert tuned.shape == (WEIGHTS,) == tuning.STEPS.shape
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
