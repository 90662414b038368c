"""Analysis within one budget."""

from __future__ import annotations

import pytest

import ludion
from ludion.engines.budget import Budget
from ludion.games.hive import analysis
from ludion.games.hive.analysis import LINES, analyse, part
from ludion.games.hive.notation import read

POSITION = "Base;InProgress;White[4];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \\wQ;bA1 bQ-"


def test_the_best_lines_come_first_and_the_rest_are_no_better():
    start = ludion.position("hive", POSITION)
    scores = ludion.analyse(start, nodes=4_000)
    assert sorted(each.name for each in scores) == sorted(start.moves())
    lines = [each for each in scores if each.line]
    assert len(lines) == LINES
    values = [each.score.value for each in scores]
    assert values == sorted(values, reverse=True)
    assert max(each.score.value for each in scores if not each.line) <= min(
        each.score.value for each in lines
    )
    for each in lines:
        assert each.line[0] == each.name
        start.play(*each.line)
        assert each.json()["line"] == list(each.line)
    assert sum(each.nodes for each in scores) < 4_000 + 64 * len(scores)


def test_a_line_that_wins_is_a_proof():
    level = next(each for each in ludion.registry.find("hive").all_levels() if each.name == "win-3-plies-a")
    scores = ludion.analyse(ludion.position("hive", level.position), nodes=20_000)
    assert scores[0].name == level.known["move"] or scores[0].score.plies is not None
    assert scores[0].score.exact


@pytest.mark.parametrize(
    ("budget", "settings"),
    [(Budget(depth=3), {}), (Budget(nodes=10), {"ordering": False})],
)
def test_what_is_left_to_the_general_analysis(budget, settings):
    assert analyse(*read("Base"), budget, None, **settings) is None


def test_without_a_limit_it_takes_some_seconds(monkeypatch):
    budgets = []
    monkeypatch.setattr(analysis, "scores", lambda rules, position, budget, *_: budgets.append(budget))
    analyse(*read("Base"), Budget())
    assert [budget.seconds for budget in budgets] == [analysis.DEFAULT_SECONDS]


def test_a_share_of_what_is_left():
    assert part(Budget(seconds=1.0), 0.5, 0.4, 0).seconds == pytest.approx(0.3)
    assert part(Budget(seconds=1.0), 0.5, 2.0, 0).seconds > 0
    assert part(Budget(nodes=100), 0.5, 0.0, 40).nodes == 30
