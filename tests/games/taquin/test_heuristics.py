"""Every heuristic: never too high, the same when carried along as when computed anew, equal to its naive twin."""

import random

import numpy as np
import pytest

import ludion
from ludion.games.taquin.additive import pattern_database
from ludion.games.taquin.rules import contents
from ludion.kinds.puzzle import (
    NO_MOVE,
    advance,
    begin,
    estimate,
    estimate_after,
    moves_after,
    play,
    refine,
    value,
)
from ludion.registry import find

from . import naive

GUIDES = find("taquin").guides
PLAIN = ("misplaced", "manhattan", "linear-conflict", "walking-distance")


def walk(position: ludion.Position, steps: int, seed: int):
    """A random walk: (move, state before, state after)."""
    generator = random.Random(seed)
    state, last, buffer = position.state, NO_MOVE, np.zeros(64, np.int64)
    for _ in range(steps):
        last = int(buffer[generator.randrange(moves_after(position.rules, state, last, buffer))])
        child = play(position.rules, state, last)
        yield last, state, child
        state = child


@pytest.mark.interpreted
@pytest.mark.parametrize("metric", ["single", "multi"])
@pytest.mark.parametrize("goal", ["1 2 3/4 5 0", "1 2/0 3/4 5"])
def test_no_heuristic_ever_says_too_much(metric, goal):
    start = ludion.position("taquin", goal, goal=goal, metric=metric)
    game = start.rules
    truth = naive.distances(tuple(contents(game, start.state)), game.width, game.height, metric == "multi")
    wanted = [GUIDES[name].value(game) for name in PLAIN]
    if metric == "single":
        wanted += [pattern_database(game, "2-3"), pattern_database(game, "1 2/3/4 5"), pattern_database(game)]
    for _, _, state in walk(start, 150, 1):
        distance = truth[tuple(contents(game, state))]
        for heuristic in wanted:
            assert 0 <= estimate(heuristic, game, state) <= distance
        if metric == "single":
            assert (
                estimate(wanted[-1], game, state) == distance
            )  # one group of all tiles: the table of all distances


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("board", "metric", "names"),
    [
        ("report-5", "single", PLAIN),
        ("report-5", "multi", PLAIN),
        ("korf-1", "single", PLAIN),
        ("korf-1", "multi", PLAIN),
        ("korf-24-40", "single", PLAIN[:3]),
    ],
)
def test_carried_along_or_anew(board, metric, names):
    start = ludion.position("taquin", f"level:{board}", metric=metric)
    for name in names:
        check_carried(start, GUIDES[name].value(start.rules))


@pytest.mark.bounds
@pytest.mark.parametrize(
    ("board", "partition"),
    [
        ("report-5", "8"),
        ("report-5", "4-4"),
        ("korf-1", "5-5-5"),
        ("farthest-1", "5-5-5"),
        ("korf-1", "5 6 9 10 11 14 15/1 2 3 7/4 8 12 13"),
        ("korf-24-40", "4-4-4-4-4-4"),
        ("1 2 3 4/5 6 7 8/9 10 0 11", "5-6"),
    ],
)
def test_tables_carried_along_or_anew(board, partition):
    start = ludion.position("taquin", board if " " in board else f"level:{board}")
    check_carried(start, pattern_database(start.rules, partition))


def check_carried(start: ludion.Position, heuristic: object) -> None:
    game = start.rules
    trace, before = begin(heuristic, game, start.state), estimate(heuristic, game, start.state)
    assert value(trace) == before
    for move, state, child in walk(start, 60, 7):
        rough = advance(heuristic, game, trace, state, move, child)
        trace = refine(heuristic, game, rough, move, child)
        before = estimate_after(heuristic, game, before, state, move, child)
        exact = estimate(heuristic, game, child)
        assert value(rough) <= value(trace) == before == exact


@pytest.mark.interpreted
def test_against_the_naive_twins():
    for seed in range(3):
        for board in ("korf-7", "report-4", "korf-24-25"):
            start = ludion.position("taquin", f"level:{board}")
            for name, twin in (("manhattan", naive.manhattan), ("linear-conflict", naive.linear_conflict)):
                heuristic = GUIDES[name].value(start.rules)
                for _, _, state in walk(start, 20, seed):
                    position = ludion.Position(start.game, start.rules, state, start.options)
                    assert estimate(heuristic, start.rules, state) == twin(position)


def test_walking_distance_of_the_fifteen_puzzle():
    from ludion.games.taquin.walking_distance import graph

    codes, _, distances = graph(4, 4, 3, False)
    assert (len(codes), distances.max(), distances.min()) == (24_964, 35, 0)
    five = ludion.position("taquin", "level:korf-24-40")
    with pytest.raises(ludion.UnfitError):
        ludion.solve(five, "ida-star", heuristic="walking-distance")
