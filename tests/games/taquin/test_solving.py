"""Solving: Korf's counts to the digit, what serves best by size, the anytime search, the generator."""

import pytest

import ludion
from ludion.games.taquin.generator import generate
from ludion.registry import find

KNOWN = {level.name: level.known for level in find("taquin").all_levels()}


def solve(name: str, heuristic: str | None, engine: str = "ida-star", **settings: object) -> ludion.Answer:
    answer = ludion.solve(ludion.position("taquin", f"level:{name}"), engine, heuristic=heuristic, **settings)
    assert (answer.status, answer.length) == ("optimal", KNOWN[name]["moves"])
    return answer


def with_tables(name: str, partition: str) -> ludion.Answer:
    return solve(name, None, "best", tables=partition, optimal=True)


@pytest.mark.parametrize("number", [79, 42, 12])
def test_korf_counted_as_many_positions(number):
    assert solve(f"korf-{number}", "manhattan").nodes == KNOWN[f"korf-{number}"]["manhattan_nodes"]


@pytest.mark.slow
def test_korf_counted_as_many_positions_on_all_easy_boards():
    easy = [name for name, known in KNOWN.items() if known.get("manhattan_nodes", 1e9) < 30e6]
    assert len(easy) > 30
    for name in easy:
        assert solve(name, "manhattan").nodes == KNOWN[name]["manhattan_nodes"], name


@pytest.mark.parametrize("partition", ["5-5-5", "6-6-3"])
def test_tables_on_some_of_korfs_boards(partition):
    for number in (1, 12, 40, 79):
        with_tables(f"korf-{number}", partition)


@pytest.mark.slow
@pytest.mark.parametrize(("partition", "most"), [("5-5-5", 3_730_000), ("6-6-3", 565_000), ("7-8", 38_400)])
def test_all_of_korfs_boards(partition, most):
    nodes = [with_tables(f"korf-{number}", partition).nodes for number in range(1, 101)]
    assert sum(nodes) / 100 <= most


@pytest.mark.slow
@pytest.mark.parametrize("number", [1, 2, 3])
def test_the_farthest_boards(number):
    with_tables(f"farthest-{number}", "7-8")


@pytest.mark.slow
@pytest.mark.parametrize("number", [38, 40, 25, 32])
def test_the_24_puzzle_as_published(number):
    answer = with_tables(f"korf-24-{number}", "6-6-6-6")
    assert answer.nodes - 1 == KNOWN[f"korf-24-{number}"]["nodes"]  # the start was not counted


def test_walking_distance_and_conflicts_find_the_optimum():
    for heuristic in ("walking-distance", "linear-conflict"):
        for number in (12, 79):
            solve(f"korf-{number}", heuristic)


@pytest.mark.parametrize("name", ["report-3", "report-5"])
def test_best_on_small_boards_makes_no_tables(name):
    answer = solve(name, None, "best")
    assert (answer.heuristic, answer.memory < 100_000) == ("linear-conflict", True)


def test_best_takes_the_tables_that_are_named():
    position = ludion.position("taquin", "level:korf-79")
    answer = ludion.solve(position, tables="5-5-5")
    assert (answer.status, answer.length, answer.heuristic) == ("optimal", 42, "pattern-database 5-5-5")
    with pytest.raises(ludion.UnfitError):
        ludion.solve(position, tables="5-5")


def test_best_honours_a_heuristic():
    position = ludion.position("taquin", "level:korf-79")
    answer = ludion.solve(position, heuristic="manhattan")
    assert (answer.nodes, answer.heuristic) == (540_860, "manhattan")


@pytest.mark.parametrize("metric", ["single", "multi"])
def test_best_in_both_metrics_agrees_with_breadth_first(metric):
    for seed in range(3):
        position = ludion.position("taquin", generate(seed, size="3x3"), metric=metric)
        assert ludion.solve(position).length == ludion.solve(position, "breadth-first").length


@pytest.mark.parametrize(
    ("size", "metric"),
    [
        ("5x5", "single"),
        ("5x4", "multi"),
        pytest.param("6x4", "single", marks=pytest.mark.slow),
        pytest.param("6x6", "single", marks=pytest.mark.slow),
    ],
)
def test_large_boards_get_an_answer(size, metric):
    """With a fixed beam, so that it does not depend on how fast the machine is."""
    position = ludion.position("taquin", generate(1, size=size), metric=metric)
    answer = ludion.solve(
        position, "anytime", heuristic="linear-conflict", seconds=200, width=1000, bounds=False
    )
    assert answer.status == "solved"
    assert position.play(*answer.line).status == "solved"
    assert answer.bound <= answer.length == len(answer.line)
    assert "no solution costs less than" in answer.reason


def test_wider_beams_and_bounds_meet():
    position = ludion.position("taquin", "level:korf-79")
    answer = ludion.solve(position, "anytime", heuristic="pattern-database", seconds=60)
    assert (answer.status, answer.length, answer.bound) == ("optimal", 42, 42)


def test_an_anytime_search_keeps_its_limits():
    position = ludion.position("taquin", generate(3, size="5x5"))
    answer = ludion.solve(position, "anytime", heuristic="manhattan", nodes=100)
    assert (answer.status, answer.limit) == ("limit", "nodes")
    answer = ludion.solve(position, "anytime", heuristic="manhattan", memory=1000)
    assert (answer.status, answer.limit) == ("limit", "memory")


@pytest.mark.parametrize(("size", "length"), [("3x3", 31), ("3x3", 7), ("2x3", 21), ("4x4", 33)])
def test_generated_boards_have_the_wanted_length(size, length):
    boards = {generate(seed, size=size, length=length) for seed in range(4)}
    assert generate(0, size=size, length=length) in boards
    for board in boards:
        answer = ludion.solve(ludion.position("taquin", board), tables="5-5-5" if size == "4x4" else "")
        assert (answer.status, answer.length) == ("optimal", length)


@pytest.mark.parametrize("options", [{"size": "3x3", "length": 32}, {"size": "big"}, {"size": "5x5", "length": 9},
                                     {"length": 81}, {"length": -1}, {"size": "1x1"}, {"size": "99x99"}])  # fmt: skip
def test_a_generator_says_what_it_cannot_do(options):
    with pytest.raises(ludion.LudionError):
        generate(0, **options)


def test_generated_boards_are_solvable():
    for size in ("2x2", "2x3", "1x5", "4x4", "5x3"):
        for seed in range(5):
            position = ludion.position("taquin", generate(seed, size=size))
            assert (
                ludion.solve(position, "anytime", heuristic="manhattan", nodes=1, width=1).status
                != "unsolvable"
            )
