"""A short search runs in the calling thread; what must be watched runs in one of its own."""

from __future__ import annotations

import pickle
import threading

import pytest

from ludion.answers import Answer
from ludion.core import tiers
from ludion.core.verbs import kernel
from ludion.engines.budget import Budget, Observer, interrupts_end_all
from ludion.engines.limits import EVENTS, NODE_LIMIT, NODES, OUT_OF_NODES, SHORT, STOP, STOPPED, run

FINISHED = 0


class Counting:
    """A search of so many nodes, which notes in which threads it ran."""

    def __init__(self, nodes):
        self.nodes = nodes
        self.threads = []

    def __call__(self, control, trace):
        self.threads.append(threading.get_ident())
        for nodes in range(1, self.nodes + 1):
            control[NODES] = nodes
            if control[STOP]:
                return STOPPED
            if nodes >= control[NODE_LIMIT]:
                return OUT_OF_NODES
        return FINISHED


HERE = threading.get_ident


@pytest.mark.parametrize("nodes", [1, SHORT - 1, 30 * SHORT])
def test_a_short_search_and_a_long_one_have_the_same_outcome(nodes):
    short, long = Counting(nodes), Counting(nodes)
    outcome, watched = run(short, Budget(), short=SHORT), run(long, Budget())
    assert outcome.result == watched.result == FINISHED
    assert outcome.control[: EVENTS + 1].tolist() == watched.control[: EVENTS + 1].tolist()
    assert long.threads != [HERE()]
    if nodes < SHORT:
        assert short.threads == [HERE()]


def test_a_search_that_is_not_short_begins_again_in_a_thread():
    search = Counting(100_000_000)
    outcome = run(search, Budget(nodes=SHORT * 1000), short=SHORT)
    assert (outcome.result, outcome.control[NODES]) == (OUT_OF_NODES, SHORT * 1000)
    assert search.threads[0] == HERE()
    assert search.threads[-1] != HERE()


def test_the_limit_of_nodes_is_that_of_the_budget():
    search = Counting(SHORT)
    outcome = run(search, Budget(nodes=10), short=SHORT)
    assert (outcome.result, outcome.control[NODES], search.threads) == (OUT_OF_NODES, 10, [HERE()])


def test_who_watches_or_has_stopped_gets_a_thread():
    stopped = Observer()
    stopped.stop.set()
    for budget, observer in (
        (Budget(), Observer(events=1)),
        (Budget(), stopped),
        (Budget(seconds=0.001), None),
    ):
        search = Counting(1)
        run(search, budget, observer, SHORT)
        assert HERE() not in search.threads


def test_an_interrupt_in_a_short_search_stops_it():
    outcome = run(interrupted_search(), Budget(), short=SHORT)
    assert (outcome.result, outcome.limit) == (STOPPED, "stopped")


def test_an_interrupt_stops_all_that_the_observer_watches():
    observer = Observer()
    run(interrupted_search(), Budget(), observer, SHORT)
    assert observer.stop.is_set()


def test_an_interrupt_ends_work_of_many_searches():
    with pytest.raises(KeyboardInterrupt), interrupts_end_all():
        run(interrupted_search(), Budget(), short=SHORT)


def interrupted_search():
    """A search that is interrupted in this thread, and then stops."""
    here = HERE()

    def search(control, trace):
        if threading.get_ident() == here:
            raise KeyboardInterrupt
        while not control[STOP]:
            threading.Event().wait(0.001)
        return STOPPED

    return search


@kernel
def one_node(control):
    control[NODES] = 1
    return control[NODES]


def test_what_is_interpreted_runs_in_a_thread():
    threads = []

    def search(control, trace):
        threads.append(threading.get_ident())
        return one_node(control)

    with tiers.use(tiers.INTERPRETED):
        outcome = run(search, Budget(), short=SHORT)
        with tiers.at_once(), pytest.raises(tiers.NotAtOnceError):
            one_node(outcome.control)
    assert (outcome.result, outcome.tier) == (1, tiers.INTERPRETED)
    assert (len(threads), threads[-1] != HERE()) == (2, True)


def test_names_of_moves_are_made_when_they_are_read():
    calls = []

    def names():
        calls.append(1)
        return ("up", "down")

    answer = Answer("solved", (1, 2), names)
    assert not calls
    assert answer.line == ("up", "down")
    assert answer == Answer("solved", (1, 2), ("up", "down"))
    assert len(calls) == 1
    assert pickle.loads(pickle.dumps(Answer("solved", (1, 2), names))).line == ("up", "down")
    assert Answer("limit").line == ()
