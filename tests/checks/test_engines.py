"""Engines survive bad games: no crash, no wrong answer, one line that names the user's file."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ludion
from ludion.core import tiers
from ludion.engines import trial
from ludion.engines.trial import BrokenContractError
from ludion.errors import GameFileError
from ludion.kinds.games import DUEL

from . import sources
from .sources import line, load, spoilt

DUEL_ENGINES = ("negamax", "alpha-beta", "monte-carlo")
PUZZLE_ENGINES = ("breadth-first", "uniform-cost", "greedy", "a-star", "weighted-a-star", "ida-star")


def one_compiled(compiled, *others):
    """Engines of which one is compiled for every broken game; the others are interpreted, and compiled by `slow`."""
    interpreted = [pytest.param(name, marks=[pytest.mark.interpreted, pytest.mark.slow]) for name in others]
    return pytest.mark.parametrize("engine", [compiled, *interpreted])


# Negamax takes a third of the time of alpha-beta to compile.
duel_engines = one_compiled("negamax", "alpha-beta", "monte-carlo")


def at(source, verb, name="mine"):
    """The beginning of a line about a verb, as a regular expression."""
    return rf"\b{name}\.py:{line(source, f'@{verb}.register')}: "


@pytest.fixture
def unchecked(monkeypatch):
    """Skip the trial in plain Python, so that the kernels themselves meet the broken promise."""
    monkeypatch.setattr(trial, "try_once", lambda *arguments: None)


WIDE = (
    ("for taken in range(1, min(rules.most, heap.stones) + 1):", "for taken in range(1, 1001):"),
    ("return Heap(heap.stones - move, 1 - heap.turn)", "return Heap(heap.stones - 1, 1 - heap.turn)"),
)
STUCK = (("return OPEN if heap.stones > 0 else LOST", "return OPEN if heap.stones >= 0 else LOST"),)


def test_more_moves_than_announced_in_a_process_of_its_own(tmp_path):
    """It was a wrong count with exit code 0, or a double free."""
    (tmp_path / "wide.py").write_text(spoilt(sources.DUEL, *WIDE), encoding="utf-8")
    for words in (["perft", "wide.py", "3"], ["solve", "wide.py"]):
        done = subprocess.run(
            [sys.executable, "-m", "ludion", *words], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode == 2
        assert (
            f"wide.py:{line(sources.DUEL, '@moves.register')}: moves gives 1000 moves, but most_moves allows 256"
            in done.stderr
        )
        assert done.stdout == ""


@pytest.mark.parametrize(
    "engine", ["negamax", *(pytest.param(e, marks=pytest.mark.slow) for e in ("alpha-beta", "monte-carlo"))]
)
def test_kernels_notice_too_many_moves(tmp_path, unchecked, engine):
    position = ludion.position(load(tmp_path, spoilt(sources.DUEL, *WIDE)), "3 0")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.DUEL, "moves") + "moves gives more than 256 moves",
    ):
        ludion.solve(position, engine, nodes=10_000)


def test_perft_notices_too_many_moves(tmp_path, unchecked):
    position = ludion.position(load(tmp_path, spoilt(sources.DUEL, *WIDE)), "3 0")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.DUEL, "moves") + "moves gives more than 256 moves",
    ):
        ludion.perft(position, 2)


@duel_engines
def test_kernels_notice_an_open_position_without_moves(tmp_path, unchecked, engine):
    """Negamax said "win in 0 moves (proved)", alpha-beta never ended."""
    position = ludion.position(load(tmp_path, spoilt(sources.DUEL, *STUCK)), "3 0")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.DUEL, "moves") + "moves gives no move, but verdict says OPEN",
    ):
        ludion.solve(position, engine, nodes=10_000)
    with pytest.raises(BrokenContractError, match="no move"):
        ludion.perft(position, 5)


@duel_engines
def test_kernels_notice_a_verdict_that_does_not_exist(tmp_path, unchecked, engine):
    source = spoilt(
        sources.DUEL, ("return OPEN if heap.stones > 0 else LOST", "return 2 if heap.stones > 0 else 7")
    )
    position = ludion.position(load(tmp_path, source), "3 0")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.DUEL, "verdict") + "verdict must return OPEN, WON, LOST, DRAWN",
    ):
        ludion.solve(position, engine, nodes=10_000)


@one_compiled("negamax", "alpha-beta")
def test_kernels_notice_an_evaluation_beyond_a_win(tmp_path, unchecked, engine):
    source = spoilt(sources.DUEL, ("return heap.stones % 4", "return heap.stones * 10000"))
    position = ludion.position(load(tmp_path, source), "15 0")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.DUEL, "evaluate") + "evaluate must return a whole number from -",
    ):
        ludion.solve(position, engine, depth=2)


@pytest.mark.parametrize("engine", [*DUEL_ENGINES, "best"])
@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (STUCK[0], "moves gives no move, but verdict says OPEN"),
        (("return OPEN if heap.stones > 0 else LOST", "return heap.stones > 0"), "but returns bool True"),
        (
            ("return Heap(heap.stones - move, ", "return Heap(heap.stones / 1, "),
            r"but returns Heap\(float, int\)",
        ),
        (("    return count\n", ""), "moves must return the number of moves, but returns NoneType None"),
    ],
)
def test_the_trial_names_the_verb_before_anything_is_compiled(tmp_path, engine, change, problem):
    position = ludion.position(load(tmp_path, spoilt(sources.DUEL, change)), "15 0")
    with pytest.raises(GameFileError, match=problem) as caught:
        ludion.solve(position, engine, nodes=10_000)
    assert str(caught.value).startswith("mine.py:")
    assert "\n" not in str(caught.value)


@one_compiled(*PUZZLE_ENGINES)
def test_puzzle_kernels_notice_too_many_moves(tmp_path, unchecked, engine):
    source = spoilt(
        sources.PUZZLE,
        ("for step in (1, 2, 3, 4):", "for step in range(1, 1001):"),
        ("if 0 <= to <= rules.length:", "if to >= -1000:"),
    )
    position = ludion.position(load(tmp_path, source), "0/9")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.PUZZLE, "moves") + "moves gives more than 256 moves",
    ):
        ludion.solve(position, engine, nodes=10_000)


@one_compiled("ida-star", "greedy", "a-star", "weighted-a-star")
@pytest.mark.parametrize("estimate", [-5, pytest.param(1 << 40, marks=pytest.mark.tier("interpreted"))])
def test_puzzle_kernels_notice_estimates_out_of_range(tmp_path, unchecked, engine, estimate):
    source = spoilt(sources.PUZZLE, ("return (rules.length - spot.at + 1) // 2", f"return {estimate}"))
    position = ludion.position(load(tmp_path, source), "0/9")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.PUZZLE, "estimate") + "estimate must return a whole number from 0",
    ):
        ludion.solve(position, engine, nodes=10_000)


@one_compiled("a-star", "uniform-cost", "ida-star")
@pytest.mark.parametrize("cost", [0, pytest.param(-3, marks=pytest.mark.tier("interpreted"))])
def test_puzzle_kernels_notice_moves_that_cost_nothing(tmp_path, unchecked, engine, cost):
    source = spoilt(sources.PUZZLE, ("    return 1\n", f"    return {cost}\n"))
    position = ludion.position(load(tmp_path, source), "0/9")
    with pytest.raises(
        BrokenContractError,
        match=at(sources.PUZZLE, "cost") + "cost must return a whole number from 1",
    ):
        ludion.solve(position, engine, nodes=100_000)


def test_a_verb_that_never_ends_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(trial, "LONGEST_TRIAL", 1.0)
    source = spoilt(sources.DUEL, ("        count += 1\n", "        while count < 5:\n            pass\n"))
    game = load(tmp_path, source)
    rules, state, _ = game.begin("15 0", {})
    with pytest.raises(BrokenContractError, match=r"^mine\.py:3\d: moves does not end"):
        trial.try_once(DUEL, rules, state)


def test_what_the_compiler_says_is_one_line(tmp_path):
    """Plain Python accepts it, the compiler does not."""
    source = spoilt(
        sources.DUEL,
        (
            "    return OPEN if heap.stones > 0 else LOST",
            "    import math\n    return OPEN if math.sqrt(heap.stones) > 0 else LOST",
        ),
    )
    position = ludion.position(load(tmp_path, source), "15 0")
    with pytest.raises(BrokenContractError) as caught:
        ludion.solve(position, "negamax", depth=2)
    assert str(caught.value).startswith(
        f"mine.py:{line(source, 'import math')}: the compiler does not understand this: "
    )
    assert "\n" not in str(caught.value)
    assert caught.value.__cause__ is not None


@pytest.mark.parametrize("tier", [tiers.INTERPRETED, pytest.param(tiers.COMPILED, marks=pytest.mark.slow)])
def test_good_games_are_answered(tmp_path, tier):
    with tiers.use(tier):
        answer_good_games(tmp_path)


def answer_good_games(tmp_path):
    duel = ludion.position(load(tmp_path, sources.DUEL), "15 0")
    for engine in ("negamax", "alpha-beta"):
        assert str(ludion.solve(duel, engine).score).startswith("win")
    puzzle = ludion.position(load(tmp_path, sources.PUZZLE, "line"), "0/9")
    for engine in PUZZLE_ENGINES:
        assert ludion.solve(puzzle, engine).length == 5
