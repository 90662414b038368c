"""The estimated chance to win: what it is judged by, and how its weights are fitted."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.games.crocomine import notation
from ludion.games.crocomine.choice import (
    CONSTANT,
    FEATURES,
    NO_SAFE_CELL,
    PAIRS,
    SAFE_CELLS,
    SECOND_CHANCE,
    fill_features,
)
from ludion.games.crocomine.inference import known_board, probabilities
from ludion.games.crocomine.tuning import estimates, fit, mean_square_error, play

TWO_PAIRS = "view 2 5 2 0 0 0 flags;? .1 .0 .1 ?;? .1 .0 .1 ?"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "survival", "pairs", "safe"),
    [
        (TWO_PAIRS, 0.5, 1.0, 0),  # each pair counts 1/2 * 1/2 + 1/2 * 1/2: as if its cells were independent
        ("view 1 3 1 0 0 0 flags;.1 ? ?", 1.0, 0.0, 1),  # the mine is next to the clue
    ],
)
def test_features_of_a_position(text: str, survival: float, pairs: float, safe: int) -> None:
    view = notation.read_view(text)
    features, untouched = np.zeros(FEATURES), np.zeros(view.cells, np.int64)
    assert fill_features(known_board(view), untouched, probabilities(view), features) == pytest.approx(
        survival
    )
    assert features[CONSTANT] == 1.0
    assert features[PAIRS] == pytest.approx(pairs)
    assert features[SAFE_CELLS] == pytest.approx(np.log(1 + safe))
    assert features[NO_SAFE_CELL] == (safe == 0)
    assert features[SECOND_CHANCE] == pytest.approx(0.0 if safe else np.log(0.5))


def test_the_weights_that_made_the_results_are_found_again() -> None:
    generator = np.random.default_rng(1)
    features = np.column_stack([np.ones(20_000), generator.normal(size=(20_000, 2))])
    survival = generator.uniform(0.5, 1.0, 20_000)
    true = np.array([0.5, -1.0, 2.0])
    won = generator.random(20_000) < estimates(features, survival, true)
    weights = fit(features, survival, won)
    assert weights == pytest.approx(true, abs=0.15)
    error = mean_square_error(estimates(features, survival, weights), won)
    assert error < mean_square_error(np.full(20_000, won.mean()), won)


def test_what_a_game_records() -> None:
    for seed in range(20):
        recorded, results = play("16x16:51:safe", seed)
        assert len(results) == len(recorded)
        for row in recorded:
            assert row.shape == (FEATURES + 1,)
            assert 0 < row[FEATURES] <= 1
        if recorded:
            return
    pytest.fail("no game had a risk that was looked ahead")
