"""Commands that make many searches end with the first Ctrl-C and keep what they have."""

from __future__ import annotations

import ludion
from ludion.answers import Answer
from ludion.engines.budget import Budget
from ludion.engines.limits import SHORT
from ludion.engines.limits import run as run_search
from ludion.games.rush_hour import analysis, generator, solver
from tests.commands import run
from tests.engines.test_limits import interrupted_search


def interrupted(calls, observer=None):
    """A search in which Ctrl-C is pressed; it notes that it was called."""
    calls.append(1)
    return run_search(interrupted_search(), Budget(), observer, SHORT)


def test_generate(capsys, monkeypatch):
    calls = []
    monkeypatch.setattr(generator, "component_of", lambda *arguments: interrupted(calls))
    done = run(capsys, "generate", "rush-hour", "--moves", "50..", "--count", "3")
    assert (done.returncode, done.stdout, len(calls)) == (130, "", 1)


def test_analyse_prints_what_it_has(capsys, monkeypatch):
    """The study of the board, which would take longer, does not begin."""
    calls, studies = [], []

    def solve(rules, start, heuristic, budget, observer=None):
        interrupted(calls, observer)
        return Answer("limit", limit="nodes")  # it met another limit at the same moment

    monkeypatch.setattr(solver, "solve", solve)
    monkeypatch.setattr(analysis, "study", lambda *arguments: studies.append(1))
    done = run(capsys, "analyse", "rush-hour", "level:1")
    assert (done.returncode, len(calls), len(studies)) == (130, 1, 0)
    assert len(ludion.position("rush-hour", "level:1").moves()) > 1
    assert done.stdout.splitlines()[-1].split()[1] == "limit"
