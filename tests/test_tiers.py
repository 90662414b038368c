"""Two tiers, one source: the same answers interpreted and compiled, and what is worth it is compiled meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import ludion
from ludion.core import background, tiers
from ludion.core.verbs import Kernel, kernel
from ludion.engines import limits
from ludion.engines.budget import Budget

ROOT = Path(__file__).parents[1]

SAME = [
    ("taquin", "level:report-5", "a-star", {"heuristic": "manhattan"}),
    ("taquin", "level:report-3", "ida-star", {"heuristic": "misplaced"}),
    ("taquin", "level:report-1", "bidirectional", {}),
    ("rush-hour", "level:1", "best", {}),
    ("rush-hour", "level:5", "a-star", {}),
    ("tic-tac-toe", "x../.o./...", "negamax", {}),
    ("tic-tac-toe", "x../.o./...", "best", {}),
    ("tic-tac-toe", "x../.../...", "monte-carlo", {"nodes": 500}),
    ("connect-four", "4453", "alpha-beta", {"depth": 3}),
    ("hive", "level:beetle-gate", "alpha-beta", {"depth": 1}),
]


@pytest.mark.skipif(os.environ.get("LUDION_TIER") == "interpreted", reason="needs both tiers")
@pytest.mark.parametrize(("game", "text", "engine", "asked"), SAME)
def test_both_tiers_give_the_same_answer(game, text, engine, asked):
    start = ludion.position(game, text)
    answers = []
    for tier in (tiers.INTERPRETED, tiers.COMPILED):
        with tiers.use(tier):
            answers.append(ludion.solve(start, engine, **asked))
    assert [answer.tier for answer in answers] == ["interpreted", "compiled"]
    first, second = ({**answer.json(), "seconds": 0, "cpu_seconds": 0, "tier": ""} for answer in answers)
    assert first == second


def test_the_tier_is_a_choice_of_the_thread():
    seen = []

    def look() -> None:
        seen.append(tiers.state.tier)

    with tiers.use(tiers.INTERPRETED):
        assert tiers.state.tier == tiers.INTERPRETED
        other = threading.Thread(target=look)
        other.start()
        other.join()
    assert seen == [tiers.State.tier]


@kernel
def triangle(numbers, length):
    total = 0
    for i in range(length):
        total += numbers[i] * i
    return total


@pytest.mark.parametrize("cause", [KeyboardInterrupt(), ValueError()])
@pytest.mark.parametrize("depth", [1, 3])
def test_an_interrupt_inside_numba_is_an_interrupt(monkeypatch, cause, depth):
    """Numba drops an exception that is raised while it makes Python objects; the interpreter then wraps it, once for
    each object that is still made."""
    error = cause
    for _ in range(depth):
        wrapped, error = error, SystemError("returned a result with an exception set")
        error.__cause__ = wrapped

    class Interrupted:
        def __call__(self, *arguments):
            raise error

        def see_types(self, arguments):
            pass

    monkeypatch.setattr(triangle, "dispatcher", Interrupted())
    monkeypatch.setattr(triangle, "dispatched", set())
    wanted = KeyboardInterrupt if isinstance(cause, KeyboardInterrupt) else SystemError
    with tiers.use(tiers.COMPILED):
        for _ in range(2):  # the first call of a class, and a later one
            with pytest.raises(wanted):
                triangle(np.arange(3), 3)


def test_types_are_described_without_the_compiler():
    position = ludion.position("taquin", "1 2 3/4 5 6/7 0 8")
    for value in (
        1,
        True,
        2.5,
        None,
        np.int64(3),
        np.zeros((2, 3)),
        (1, (2, np.zeros(4, np.uint8))),
        position.rules,
    ):
        description = background.describe(value)
        assert background.describe(background.sample(description)) == description
    slanted = np.zeros((4, 4))[::2, ::2]
    assert background.describe(background.sample(background.describe(slanted))) == background.describe(
        slanted
    )
    with pytest.raises(TypeError):
        background.describe(object())


PROGRAM = """
import sys, time
import ludion
board = ludion.position("taquin", "8 6 7/2 5 4/3 0 1")
small = ludion.solve(ludion.position("taquin", "1 2 3/4 5 6/0 7 8"))
print(small.tier, "numba" in sys.modules)
answer = ludion.solve(board, "a-star", heuristic="misplaced")
print(answer.tier, answer.nodes, answer.length)
"""


def run(program: str, cache: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "LUDION_TIER": "automatic", "LUDION_CACHE_DIR": str(cache), **environment},
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")


@pytest.mark.skipif(os.environ.get("LUDION_TIER") == "interpreted", reason="needs the compiler")
def test_small_work_never_waits_and_large_work_is_compiled_meanwhile(tmp_path):
    """The first process compiles in the background; a later one finds the code on disk."""
    small, large, _ = run(PROGRAM, tmp_path)
    assert small == "interpreted False"
    assert large.split()[1:] == ["147639", "31"]
    deadline = time.monotonic() + 1000  # compiling gives way to everything else on a busy machine
    while not list(tmp_path.rglob("search-*.ready")):
        assert time.monotonic() < deadline, "nothing was compiled"
        time.sleep(0.2)
    small, large, _ = run(PROGRAM, tmp_path)
    assert small == "interpreted False"
    assert large == "compiled 147639 31"


WITHOUT_NUMBA = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None"


def test_without_the_compiler_everything_works_interpreted(tmp_path):
    blocked = f"""{WITHOUT_NUMBA}
import ludion
print(ludion.solve(ludion.position("taquin", "level:report-5"), "a-star", heuristic="manhattan").length)
print(ludion.solve(ludion.position("tic-tac-toe", "xx./oo./...")).line[0])
print(ludion.perft(ludion.position("hive"), 2))
print(ludion.Run("delirium", "level:nearest", agent="layered").record()["status"])
"""
    for tier in ("automatic", "compiled"):
        assert run(blocked, tmp_path, LUDION_TIER=tier)[:4] == ["30", "c1", "96", "won"]


@pytest.mark.parametrize(
    ("arguments", "shown", "is_large"),
    [
        (["show", "hive", "level:beetle-gate"], "White[5] to move", False),
        (["solve", "taquin", "1 2 3/4 5 6/0 7 8"], "optimal", False),
        (["solve", "taquin", "8 6 7/2 5 4/3 0 1", "--engine", "a-star"], "31 moves, optimal", True),
        (["perft", "hive", "2"], "96", False),
        (["run", "crocomine", "9x9:3/3/4"], "won", False),
    ],
)
def test_commands_without_the_compiler(tmp_path, arguments, shown, is_large):
    """One line says that there is none, where something would be worth compiling."""
    done = subprocess.run(
        [sys.executable, "-c", f"{WITHOUT_NUMBA}; from ludion.cli import main; main({arguments!r})"],
        capture_output=True,
        text=True,
        env={**os.environ, "LUDION_TIER": "automatic", "LUDION_CACHE_DIR": str(tmp_path)},
        timeout=300,
    )
    assert shown in done.stdout
    assert "Traceback" not in done.stderr
    line = "ludion: Numba is not installed: everything runs interpreted, which is slow\n"
    assert done.stderr.count(line) == 1 if is_large else done.stderr in ("", line)


def test_a_kernel_is_found_again_by_its_name():
    assert isinstance(triangle, Kernel)
    with tiers.use(tiers.INTERPRETED):
        assert triangle(np.arange(5), 5) == 30
    assert background.find("tests.test_tiers", "triangle").name == "triangle"


def test_a_class_that_was_named_apart_has_code_of_its_own():
    """Machine code knows classes by name: the compiler's process uses the name that the asking one does."""

    def description() -> background.Description:
        return background.describe(Pair(1, 2))

    before = description()
    Pair.__name__ = "Pair_2"
    try:
        apart = description()
        assert apart != before
        assert background.marker(triangle, [apart]) != background.marker(triangle, [before])
        assert type(background.sample(before)) is Pair
        assert Pair.__name__ == "Pair"
        assert type(background.sample(apart)).__name__ == "Pair_2"
    finally:
        Pair.__name__ = "Pair"


class Pair(NamedTuple):
    first: int
    second: int


def test_a_search_is_begun_again_once_for_a_kernel(monkeypatch):
    """Code that is said to be there but cannot be loaded does not begin a search again and again."""
    begun = []

    def search(control, trace):
        begun.append(control)
        tiers.state.on_interpret(triangle, ())
        until = time.monotonic() + 2 * tiers.PATIENCE
        while not control[limits.STOP] and (len(begun) == 1 or time.monotonic() < until):
            time.sleep(0.01)

    monkeypatch.setattr(background, "want", lambda *arguments: None)
    monkeypatch.setattr(background, "is_loadable", lambda *arguments: True)
    limits.run(search, Budget())
    assert len(begun) == 2
