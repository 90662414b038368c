"""Anytime A*: better and better solutions, with a certificate."""

from __future__ import annotations

import pytest

import ludion
from ludion.answers import Answer
from ludion.core import tiers
from ludion.engines.budget import A_MOMENT, Budget, Expenses, Observer

pytestmark = pytest.mark.interpreted

START = "8 1 3/4 0 2/7 6 5"


@pytest.fixture(autouse=True)
def _interpreted():
    with tiers.use(tiers.INTERPRETED):
        yield


@pytest.mark.parametrize("nodes", [20, 60, 150, 400, 4000])
def test_the_certificate_holds(nodes):
    start = ludion.position("taquin", START)
    optimum = ludion.solve(start, "a-star", heuristic="manhattan").length
    answer = ludion.solve(start, "anytime-a-star", heuristic="manhattan", nodes=nodes)
    assert answer.bound <= optimum
    assert answer.nodes <= nodes + 16
    if answer.length is None:
        assert answer.status == "limit"
        assert str(answer.nodes) in answer.reason
        return
    assert start.play(*answer.line).status == "solved"
    assert optimum <= answer.length == len(answer.line)
    assert (answer.status == "optimal") == (answer.bound == answer.length)
    if answer.status == "solved":
        assert answer.limit == "nodes"
        assert f"{answer.length / answer.bound:.3f}" in answer.reason


def test_with_a_large_budget_it_is_optimal():
    answer = ludion.solve(ludion.position("taquin", START), "anytime-a-star", heuristic="manhattan")
    assert (answer.status, answer.bound, answer.limit, answer.engine) == (
        "optimal",
        answer.length,
        "",
        "anytime-a-star",
    )


def test_a_stop_ends_it():
    observer = Observer()
    observer.stop.set()
    answer = ludion.solve(ludion.position("taquin", "level:korf-1"), "anytime-a-star", observer=observer)
    assert answer.limit == "stopped"


def test_what_is_left_of_a_budget():
    expenses = Expenses(Budget(nodes=101))
    expenses.add(Answer("limit", nodes=50, memory=7))
    assert (expenses.left(0.5), expenses.limit()) == (Budget(nodes=26), "")
    expenses.add(Answer("limit", nodes=51, memory=6))
    assert (expenses.left(), expenses.limit()) == (Budget(nodes=1), "nodes")
    assert (expenses.fields()["nodes"], expenses.fields()["memory"]) == (101, 7)
    expenses = Expenses(Budget(seconds=1e-9), Observer())
    assert (expenses.left(), expenses.limit()) == (Budget(seconds=A_MOMENT), "time")
    expenses.observer.stop.set()
    assert expenses.limit() == "stopped"
