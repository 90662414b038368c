"""The time of an answer is that of the search alone: kernels were ready, and an interpreted beginning is left out."""

from __future__ import annotations

import threading
from typing import NamedTuple

import numpy as np
import pytest

import ludion
from ludion.core import background, clock, tiers
from ludion.core.clock import Stopwatch
from ludion.core.verbs import kernel
from ludion.engines import limits
from ludion.engines.budget import Budget
from ludion.kinds import quest


class Clocks:
    """Clocks that only tests advance; each thread has its own CPU time."""

    def __init__(self, monkeypatch):
        self.now, self.cpu = 100.0, threading.local()
        monkeypatch.setattr(clock, "wall_clock", lambda: self.now)
        monkeypatch.setattr(clock, "cpu_clock", lambda: getattr(self.cpu, "now", 0.0))

    def work(self, wall, cpu=None):
        self.now += wall
        self.cpu.now = getattr(self.cpu, "now", 0.0) + (wall if cpu is None else cpu)


@pytest.fixture
def clocks(monkeypatch):
    return Clocks(monkeypatch)


def test_a_stopwatch_rests_while_kernels_are_made_ready(clocks):
    watch = Stopwatch()
    clocks.work(1, cpu=0.5)
    with clock.preparing():
        clocks.work(10)
        assert watch.seconds() == pytest.approx(1)
        with clock.preparing():
            clocks.work(10)
    clocks.work(2)
    assert (watch.seconds(), watch.cpu_seconds()) == pytest.approx((3, 2.5))


def test_threads_have_stopwatches_of_their_own(clocks):
    watch = Stopwatch()

    def prepare():
        with clock.preparing():
            clocks.work(10)

    before = clock.compile_seconds()
    other = threading.Thread(target=prepare)
    other.start()
    other.join()
    assert (watch.seconds(), watch.cpu_seconds()) == pytest.approx((10, 0))
    assert clock.compile_seconds() - before == pytest.approx(10)


@kernel
def add(first, second):
    return first + second


@pytest.mark.skipif(not tiers.is_available(), reason="needs the compiler")
def test_compiling_is_not_counted(clocks, monkeypatch):
    tiers.load_compiler()
    from ludion.core import compiler

    load = compiler.SourceKeyedCache.load_overload

    def load_slowly(*arguments):
        clocks.work(1000)
        return load(*arguments)

    monkeypatch.setattr(compiler.SourceKeyedCache, "load_overload", load_slowly)

    def search(control, trace):
        clocks.work(2)
        assert add(np.float32(1), np.float32(2)) == 3  # types that no other test asks for
        clocks.work(3, cpu=1)

    with tiers.use(tiers.COMPILED):
        outcome = limits.run(search, Budget(seconds=100))
    assert clocks.now >= 1100
    assert (outcome.seconds, outcome.cpu_seconds) == pytest.approx((5, 3))
    assert (outcome.limit, outcome.tier) == ("", "compiled")


def test_an_interpreted_beginning_is_not_counted(clocks, monkeypatch):
    """The search is begun again once its kernel is on disk; the time limit is for both."""
    begun = []

    def search(control, trace):
        begun.append(control)
        if len(begun) > 1:
            clocks.work(2)
            return
        tiers.state.on_interpret(add, ())
        clocks.work(10)
        while not control[limits.STOP]:
            threading.Event().wait(0.001)

    monkeypatch.setattr(background, "want", lambda *arguments: None)
    monkeypatch.setattr(background, "is_loadable", lambda *arguments: True)
    watch = Stopwatch()
    outcome = limits.run(search, Budget(seconds=11))
    assert len(begun) == 2
    assert (outcome.seconds, outcome.cpu_seconds) == pytest.approx((2, 2))
    assert (watch.seconds(), watch.cpu_seconds()) == pytest.approx((2, 2))


def test_the_cpu_time_of_helpers_is_counted(clocks):
    started = threading.Barrier(3)

    def helper(control, trace):
        clocks.work(0, cpu=5)
        started.wait()

    def search(control, trace):
        with limits.helpers(helper, 2):
            started.wait()
            clocks.work(1)

    outcome = limits.run(search, Budget())
    assert (outcome.seconds, outcome.cpu_seconds) == pytest.approx((1, 11))


class World(NamedTuple):
    steps: int


@quest.percept.register(World)
def _(world):
    return world.steps


@quest.act.register(World)
def _(world, action):
    return World(world.steps + action)


@quest.outcome.register(World)
def _(world):
    return quest.WON if world.steps == 2 else quest.RUNNING


@pytest.mark.parametrize("patience", [None, 60])
def test_decisions_are_timed_with_kernels_ready(clocks, patience):
    def decide(percept):
        clocks.work(1)
        limits.run(lambda control, trace: clocks.work(2), Budget())
        with clock.preparing():
            clocks.work(50)
        return 1

    record = quest.run(World(0), quest.FunctionAgent(decide), patience=patience)
    assert (record.seconds, record.cpu_seconds, record.slowest) == pytest.approx((6, 6, 3))


def test_answers_carry_both_times():
    answer = ludion.solve(ludion.position("tic-tac-toe", "xx./oo./..."), "negamax")
    assert answer.seconds > 0
    assert answer.cpu_seconds > 0
    fields = answer.json()
    assert (fields["seconds"], fields["cpu_seconds"]) == (answer.seconds, answer.cpu_seconds)
