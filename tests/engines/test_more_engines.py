"""Frontier, external, limited discrepancy and multi-goal bidirectional search: a naive twin, and their limits."""

import gc
import os
import tempfile
import threading
from pathlib import Path

import pytest

import ludion
from ludion.checks.puzzles import true_distances
from ludion.core import tiers
from ludion.core.words import flat
from ludion.engines import external, frontier
from ludion.engines.budget import Budget, Observer
from ludion.errors import UnfitError

from ..conformance.games import checked
from .test_puzzles import TOLL, replay

EXAMPLES = Path(__file__).parents[2] / "examples"
ONE_WAY = [  # moves lead one way, and there are several goals
    ("sokoban", "level:corner", {}),
    ("solitaire", "..../oooo/.oo.", {"last": "any"}),
    ("solitaire", "level:plus", {}),
]
BOTH_WAYS = [("taquin", "4 1 2/5 0 3", {}), ("pancakes", "3 1 4 5 2", {})]
NO_SOLUTION = {"sokoban": "######/#$-.-#/#--@-#/######", "solitaire": "ooo/..o/..."}

pytestmark = pytest.mark.interpreted


@pytest.fixture(autouse=True)
def _interpreted():
    with tiers.use(tiers.INTERPRETED):
        yield


def game_of(name):
    return ludion.load_game_file(EXAMPLES / f"{name}.py") if (EXAMPLES / f"{name}.py").exists() else name


@pytest.mark.parametrize(
    "engine", ["frontier", "external", "bidirectional", "limited-discrepancy", "novelty"]
)
@pytest.mark.parametrize(("name", "text", "options"), ONE_WAY + BOTH_WAYS)
def test_solutions_are_as_short_as_promised(name, text, options, engine):
    start = ludion.position(game_of(name), text, **options)
    if engine == "frontier" and (name, text, options) in ONE_WAY:
        with pytest.raises(UnfitError, match="reversible"):
            ludion.solve(start, engine)
        return
    _, distances, complete = true_distances(checked(start.game, text, options), 30_000)
    assert complete
    true = distances[flat(start.state)]
    answer = ludion.solve(start, engine)
    assert replay(start, answer.line) == "solved"
    assert answer.length == len(answer.moves)
    if engine in ("limited-discrepancy", "novelty"):
        assert (answer.status, answer.length >= true) == ("solved", True)
    else:
        assert (answer.status, answer.length, answer.bound) == ("optimal", true, true)


@pytest.mark.parametrize("engine", ["external", "bidirectional", "limited-discrepancy", "novelty"])
@pytest.mark.parametrize("name", NO_SOLUTION)
def test_what_cannot_be_solved_is_proved_so(name, engine):
    options = {"last": "any"} if name == "solitaire" else {}
    start = ludion.position(game_of(name), NO_SOLUTION[name], **options)
    assert ludion.solve(start, engine).status == "unsolvable"


def test_frontier_search_proves_that_there_is_no_solution():
    position = ludion.position("taquin", "1 2/3 0")
    broken = ludion.position("taquin", "2 1/3 0")
    answer = frontier.solve(position.rules, broken.state, None, Budget())
    assert (answer.status, answer.nodes) == ("unsolvable", 12)


@pytest.mark.parametrize("engine", ["frontier", "external", "bidirectional", "limited-discrepancy"])
def test_limits_are_said(engine):
    start = ludion.position("taquin", "level:report-5")
    answer = ludion.solve(start, engine, nodes=40)
    assert (answer.status, answer.limit, answer.moves, answer.length) == ("limit", "nodes", (), None)
    assert 40 <= answer.nodes <= 48
    assert answer.reason
    observer = Observer()
    observer.stop.set()
    answer = ludion.solve(start, engine, observer=observer)
    assert (answer.status, answer.limit) == ("limit", "stopped")


@pytest.mark.parametrize("engine", ["frontier", "external"])
def test_a_budget_of_memory_is_kept(engine, monkeypatch):
    monkeypatch.setattr(external, "BUCKETS", 1)
    start = ludion.position("taquin", "level:report-5")
    answer = ludion.solve(start, engine, memory=100_000)
    assert (answer.status, answer.limit) == ("limit", "memory")
    assert answer.memory <= 100_000
    assert answer.bound > 1


def test_fewest_moves_are_not_claimed_to_be_cheapest():
    for engine in ("frontier", "external"):
        answer = ludion.solve(ludion.position(TOLL), engine)
        assert (answer.status, answer.length) == ("solved", 10)


def test_frontier_search_says_when_the_path_cannot_be_traced(monkeypatch):
    """The nodes suffice for the length of the path, not for the path."""
    start = ludion.position("taquin", "4 1 2/5 0 3")
    whole = ludion.solve(start, "frontier")
    answer = ludion.solve(start, "frontier", nodes=whole.nodes // 2)
    assert (answer.status, answer.limit, answer.moves) == ("limit", "nodes", ())
    assert answer.bound <= whole.length


def open_files():
    names = (f"/proc/self/fd/{each}" for each in os.listdir("/proc/self/fd"))
    return {os.readlink(each) for each in names if os.path.lexists(each)}


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="the system does not list open files")
def test_frontier_search_in_layers_larger_than_its_first_tables(monkeypatch):
    """The ancestor of the goal is looked up only where there is a layer of ancestors."""
    monkeypatch.setattr(frontier, "FIRST_CAPACITY", 2)
    answer = ludion.solve(ludion.position(game_of("pancakes"), "3 1 4 5 2"), "frontier")
    assert answer.status == "optimal"


def test_external_search_leaves_no_files(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    start = ludion.position("taquin", "level:report-5")
    for settings in ({"nodes": 500}, {"disk": 1, "nodes": 600}, {"seconds": 0.05}):
        assert ludion.solve(start, "external", **settings).status == "limit"
        assert list(tmp_path.iterdir()) == []
        gc.collect()
        assert not [each for each in open_files() if str(tmp_path) in each]

    def fail(*arguments):
        raise MemoryError

    monkeypatch.setattr(external, "reduce", fail)
    with pytest.raises(ludion.LudionError, match="MemoryError"):
        ludion.solve(start, "external")
    gc.collect()
    assert not [each for each in open_files() if str(tmp_path) in each]


def test_external_search_keeps_to_its_disk_and_says_so(monkeypatch):
    monkeypatch.setattr(external, "MEGABYTE", 1000)
    start = ludion.position("taquin", "level:report-5")
    answer = ludion.solve(start, "external", disk=10)
    assert (answer.status, answer.limit) == ("limit", "disk")
    assert "disk" in str(answer)
    assert answer.bound > 1


def test_external_search_in_many_runs_and_chunks(monkeypatch):
    monkeypatch.setattr(external, "CHUNK", 3)
    monkeypatch.setattr(external, "LARGEST_RUN", 20)
    start = ludion.position("taquin", "4 5 0/1 2 3")
    plain = ludion.solve(start, "breadth-first")
    answer = ludion.solve(start, "external")
    assert (answer.status, answer.length) == ("optimal", plain.length)
    assert answer.details["layers"] == plain.details["layers"]
    assert answer.details["disk"] > 0


def test_discrepancies_are_counted_and_paths_limited():
    start = ludion.position("taquin", "level:report-3")
    answer = ludion.solve(start, "limited-discrepancy", heuristic="manhattan")
    assert answer.details["discrepancies"] >= 0
    short = ludion.solve(start, "limited-discrepancy", longest=2)
    assert (short.status, short.limit) == ("limit", "depth")


@pytest.mark.parametrize("engine", ["frontier", "limited-discrepancy"])
def test_an_observer_can_follow_the_search(engine):
    start = ludion.position("taquin", "level:report-1")
    observer = Observer(events=200)
    ludion.solve(start, engine, observer=observer)
    positions = {}
    for event in observer.seen:
        positions[event.node] = start if event.parent < 0 else positions[event.parent].play(event.move)
    assert len(positions) > 1


@pytest.mark.parametrize("engine", ["frontier", "external", "limited-discrepancy"])
def test_a_stop_takes_effect_at_once(engine):
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    start = ludion.position("taquin", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1")
    answer = ludion.solve(start, engine, observer=Observer(stop=stop))
    assert (answer.status, answer.limit) == ("limit", "stopped")
    assert answer.seconds < 5
