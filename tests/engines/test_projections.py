"""Pattern databases of any puzzle: never above the true distance, and added where costs split."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import pytest

import ludion
from ludion.core import tiers
from ludion.engines.projections import pattern_database
from ludion.errors import UnfitError
from ludion.kinds import puzzle
from ludion.kinds.moving import legal_moves
from ludion.kinds.puzzle import estimate, play

PANCAKES = Path(__file__).parents[2] / "examples" / "pancakes.py"

pytestmark = pytest.mark.interpreted


@pytest.fixture(autouse=True)
def _interpreted():
    with tiers.use(tiers.INTERPRETED):
        yield


def distances_from(rules, goal):
    """The naive twin: how far every position is from the goal, for moves that can be taken back and cost 1."""
    distances, layer = {goal: 0}, [goal]
    while layer:
        following = []
        for position in layer:
            for move in legal_moves(rules, position):
                child = play(rules, position, move)
                if child not in distances:
                    distances[child] = distances[position] + 1
                    following.append(child)
        layer = following
    return distances


@pytest.mark.parametrize("positions", [1_000_000, 20, 1])
def test_estimates_never_exceed_the_true_distances(positions):
    """Also where a table has no room for all its positions."""
    rules = ludion.position(ludion.load_game_file(PANCAKES), "5 4 3 2 1").rules
    tables = pattern_database(rules, positions)
    distances = distances_from(rules, puzzle.goal(rules))
    assert len(distances) == 120
    pairs = [(int(estimate(tables, rules, stack)), true) for stack, true in distances.items()]
    assert all(value <= true for value, true in pairs)
    assert sum(value for value, _ in pairs) > 120 or positions == 1


def test_every_engine_is_optimal_with_it_and_sees_fewer_positions():
    game = ludion.load_game_file(PANCAKES)
    for text in ("4 6 2 5 1 3", "2 5 3 6 1 4", "1 2 3 4 5 6"):
        start = ludion.position(game, text)
        blind = ludion.solve(start, "uniform-cost")
        for engine in ("a-star", "ida-star"):
            answer = ludion.solve(start, engine, heuristic="pattern-database")
            assert (answer.status, answer.length) == ("optimal", blind.length)
            assert answer.nodes < blind.nodes / 4 or blind.length == 0


def test_tables_are_made_once_for_the_same_rules():
    rules = ludion.position(ludion.load_game_file(PANCAKES), "2 1 3").rules
    assert pattern_database(rules, 100) is pattern_database(rules, 100)


class Counters(NamedTuple):
    """Some counters, each to be brought to 0 by steps of one that cost what is said here."""

    costs: tuple[int, int]


class Counts(NamedTuple):
    first: int
    second: int


HIGHEST = 6
UP_FIRST, DOWN_FIRST, UP_SECOND, DOWN_SECOND = range(4)
STEPS = {UP_FIRST: (1, 0), DOWN_FIRST: (-1, 0), UP_SECOND: (0, 1), DOWN_SECOND: (0, -1)}


@puzzle.play.register(Counters)
def _(rules, counts, move):
    first, second = STEPS[move]
    return Counts(counts.first + first, counts.second + second)


@puzzle.moves.register(Counters)
def _(rules, counts, buffer):
    count = 0
    for move, (first, second) in STEPS.items():
        if 0 <= counts.first + first <= HIGHEST and 0 <= counts.second + second <= HIGHEST:
            buffer[count] = move
            count += 1
    return count


@puzzle.cost.register(Counters)
def _(rules, counts, move):
    return rules.costs[move // 2]


@puzzle.reverse.register(Counters)
def _(rules, move):
    return move ^ 1


@puzzle.goal.register(Counters)
def _(rules):
    return Counts(0, 0)


@puzzle.is_goal.register(Counters)
def _(rules, counts):
    return counts == Counts(0, 0)


@puzzle.projections.register(Counters)
def _(rules):
    return 2


@puzzle.project.register(Counters)
def _(rules, counts, number):
    """One counter alone; the other rests in the middle, whatever happens to it."""
    return Counts(counts.first, 3) if number == 0 else Counts(3, counts.second)


@puzzle.share.register(Counters)
def _(rules, counts, move, number):
    return rules.costs[number] if move // 2 == number else 0


def test_distances_are_added_where_the_costs_split():
    rules = Counters((5, 2))
    tables = pattern_database(rules, 100)
    for first, second in itertools.product(range(HIGHEST + 1), repeat=2):
        assert estimate(tables, rules, Counts(first, second)) == 5 * first + 2 * second


def test_a_puzzle_without_projections_is_refused():
    with pytest.raises(UnfitError, match="projections"):
        pattern_database(ludion.position("taquin").rules, 100)
