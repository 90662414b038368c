"""Pattern databases of any puzzle: never above the true distance, and added where costs split."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import ludion
from ludion.checks.puzzles import true_distances
from ludion.core import tiers
from ludion.engines import limits
from ludion.engines import projections as module
from ludion.engines.budget import Budget, Observer
from ludion.engines.pattern_choice import automatic_patterns
from ludion.engines.projections import TableBuilder, pattern_database
from ludion.engines.trial import LARGEST_ESTIMATE
from ludion.errors import UnfitError
from ludion.kinds import puzzle
from ludion.kinds.moving import legal_moves
from ludion.kinds.puzzle import estimate, play

from ..conformance.games import checked

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
    return [0, 1]


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


# ------------------------------------------------------------------ goals, ways back, symmetries


EXAMPLES = PANCAKES.parent
SMALL_BOARDS = [
    ("sokoban", "level:corner", {}),
    ("sokoban", "######/#.$--#/#-$.-#/#@---#/######", {}),
    ("solitaire", "..o../ooooo/..o..", {}),
    ("solitaire", ".oo./o.oo/.oo.", {"last": "any"}),
    ("pancakes", "2 5 3 1 4", {}),
]


@pytest.mark.parametrize("automatic", [False, True])
@pytest.mark.parametrize(("example", "text", "options"), SMALL_BOARDS)
def test_distances_never_exceed_the_true_ones_where_moves_lead_one_way(example, text, options, automatic):
    game = ludion.load_game_file(EXAMPLES / f"{example}.py")
    place = checked(game, text, options)
    positions, distances, complete = true_distances(place, 30_000)
    assert complete
    value = pattern_database(place.rules, 200 if automatic else 2000, automatic)
    above_zero = 0
    for key, position in list(positions.items())[:: 1 + len(positions) // 200]:
        guess = int(estimate(value, place.rules, position))
        assert guess <= distances.get(key, LARGEST_ESTIMATE)
        above_zero += guess > 0
    assert above_zero > 50 or len(positions) < 200


def test_images_of_a_position_are_looked_up_too():
    """A dead end that only the table of the other half would see."""
    game = ludion.load_game_file(EXAMPLES / "solitaire.py")
    rules, _ = game.read("ooo/o.o/ooo", last="any")
    one_table = TableBuilder(rules, Budget(), None).tables([0b000000111], 10_000)
    alone = rules._replace(images=rules.images[:1])
    improved = 0
    for pegs in range(1, 1 << 9):
        position = type(puzzle.goals(rules)[0])(pegs, 0)
        with_images, without = (int(estimate(one_table, each, position)) for each in (rules, alone))
        assert with_images >= without
        improved += with_images > without
    assert improved > 0


# ------------------------------------------------------------------ time, memory, disk


@pytest.mark.parametrize("looks", [0, 1, 2])
def test_a_table_whose_time_was_too_short_is_not_wrong(monkeypatch, looks):
    """The time is up when the kernel looks for the first, second or third time."""

    class Clock(np.ndarray):
        def __getitem__(self, key):
            if key == limits.STOP:
                self.looks = getattr(self, "looks", -1) + 1
                return self.looks > looks
            return super().__getitem__(key)

    def run(search, budget, observer):
        control = limits.new_control(budget).view(Clock)
        return limits.Outcome(search(control, None), control, 0.0, 0.0, "time")

    monkeypatch.setattr(module, "run", run)
    rules = ludion.position(ludion.load_game_file(PANCAKES), "5 4 3 2 1").rules
    builder = TableBuilder(rules, Budget(), None)
    tables = builder.tables(puzzle.projections(rules), 1000)
    assert builder.is_late
    for stack, true in distances_from(rules, puzzle.goal(rules)).items():
        assert estimate(tables, rules, stack) <= true


def test_stopping_while_tables_are_made_is_an_answer():
    observer = Observer()
    observer.stop.set()
    start = ludion.position(ludion.load_game_file(PANCAKES), "3 1 4 7 5 9 2 6 8")
    answer = ludion.solve(start, "a-star", heuristic="pattern-database", observer=observer)
    assert (answer.status, answer.limit, answer.moves) == ("limit", "stopped", ())


def test_tables_are_kept_on_disk_and_a_damaged_file_is_made_again(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(module, "WORTH_A_FILE", 0)
    game = ludion.load_game_file(PANCAKES)
    start = ludion.position(game, "4 1 3 2")

    def tables():
        monkeypatch.setattr(module, "_recent", {})
        result = pattern_database(start.rules, 50)
        return [int(estimate(result, start.rules, each)) for each in distances_from(start.rules, start.state)]

    computed = tables()
    (file,) = (tmp_path / "projections").iterdir()
    monkeypatch.setattr(module, "fill", None)  # no table can be made now
    assert tables() == computed
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    monkeypatch.undo()
    monkeypatch.setattr(module, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(module, "WORTH_A_FILE", 0)
    assert tables() == computed
    assert file.read_bytes() != bytes(content)
    file.write_bytes(b"short")
    assert tables() == computed
    other = ludion.position(game, "4 1 3 2 5")
    pattern_database(other.rules, 50)
    assert len(list((tmp_path / "projections").iterdir())) == 2


def test_patterns_are_chosen_within_their_room_and_better_than_one_variable():
    rules = ludion.position(ludion.load_game_file(PANCAKES), "5 4 3 2 1 6").rules
    builder = TableBuilder(rules, Budget(), None)
    patterns = automatic_patterns(builder, 300)
    assert patterns == automatic_patterns(TableBuilder(rules, Budget(), None), 300)
    tables = builder.tables(patterns, 300)
    assert tables.distances.size <= 300
    single = builder.tables([1], 300)
    stacks = distances_from(rules, puzzle.goal(rules))
    means = [sum(int(estimate(each, rules, stack)) for stack in stacks) for each in (single, tables)]
    assert means[0] < means[1]


def test_where_costs_split_the_patterns_have_no_variable_in_common():
    rules, _ = ludion.load_game_file(EXAMPLES / "sokoban.py").read(SMALL_BOARDS[1][1])
    patterns = automatic_patterns(TableBuilder(rules, Budget(), None), 10_000)
    assert sum(patterns) == 0b11
    assert all(first & second == 0 for first, second in itertools.combinations(patterns, 2))


def test_a_puzzle_without_variables_is_refused():
    with pytest.raises(UnfitError, match="variables"):
        pattern_database(Counters((1, 1)), 100, automatic=True)


@pytest.mark.parametrize(
    ("example", "text", "nodes"),
    [
        ("pancakes", "4 6 2 5 1 3", {"gaps": 66, "pattern-database": 41, "automatic": 30}),
        ("sokoban", "level:rooms", {"pushes": 1124, "pattern-database": 537, "automatic": 66}),
    ],
)
def test_nodes_with_and_without_tables(example, text, nodes):
    """As docs/own_games.md has them."""
    start = ludion.position(ludion.load_game_file(EXAMPLES / f"{example}.py"), text)
    answers = {name: ludion.solve(start, "a-star", heuristic=name) for name in nodes}
    assert {name: answer.nodes for name, answer in answers.items()} == nodes
    assert {answer.status for answer in answers.values()} == {"optimal"}
    assert len({answer.length for answer in answers.values()}) == 1
