"""A goal of a level's own is drawn beside its board; the reports' levels come first; open lists are counted."""

from __future__ import annotations

import io
from xml.etree import ElementTree

import pytest

import ludion
from ludion import registry
from ludion.messages import speaking
from tests.commands import run

REPORT_1 = ludion.position("taquin", "level:report-1")


def test_the_goal_stands_beside_the_board():
    assert REPORT_1.with_goal() == "b h c   goal: a b c\na f d         h . d\ng . e         g f e"
    with speaking("fr"):
        assert "b h c   but : a b c" in REPORT_1.with_goal()


def test_a_usual_goal_is_not_drawn():
    board = ludion.position("taquin", "1 2 3/4 5 6/7 0 8", metric="multi")
    assert board.goal.text == "1 2 3/4 5 6/7 8 0"
    assert board.own_goal is None
    assert board.with_goal() == str(board)
    assert ludion.position("rush-hour", "level:1").goal is None
    assert ludion.position("tic-tac-toe").own_goal is None
    same = ludion.position("taquin", "1 2 3/4 5 6/7 0 8", goal="1 2 3/4 5 6/7 8 0")
    assert same.own_goal is None


def test_the_picture_of_a_notebook_has_both_boards():
    picture = ElementTree.fromstring(REPORT_1._repr_svg_())
    boards = picture.findall("{*}svg")
    assert [board.findtext("{*}desc") for board in boards] == [str(REPORT_1), str(REPORT_1.goal)]
    assert "<svg" not in REPORT_1.svg()[1:]


def test_commands_draw_the_goal(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr("sys.stdin", io.StringIO("quit\n"))
    for verb in ("show", "play"):
        assert run(capsys, verb, "taquin", "level:report-1").stdout.startswith(REPORT_1.with_goal() + "\n")
    run(capsys, "show", "taquin", "level:report-1", "--svg", str(tmp_path / "both.svg"))
    assert (tmp_path / "both.svg").read_text(encoding="utf-8") == REPORT_1._repr_svg_()


@pytest.mark.parametrize("name", sorted(registry.installed()))
def test_levels_of_the_reports_come_first(name):
    from_report = ["report" in level.source for level in registry.find(name).all_levels()]
    assert from_report == sorted(from_report, reverse=True)


@pytest.mark.parametrize("engine", ["a-star", "greedy", "uniform-cost", "breadth-first"])
@pytest.mark.parametrize("nodes", [None, 7])
def test_the_frontier_is_what_was_seen_and_not_taken(engine, nodes):
    seen, taken = {0}, set()
    observer = ludion.Observer(events=10_000)
    answer = ludion.solve(REPORT_1, engine, nodes=nodes, observer=observer)
    for event in observer.seen:
        if event.kind == "generated":
            seen.add(event.node)
        elif event.kind in ("expanded", "goal"):
            taken.add(event.node)
    assert answer.limit == ("nodes" if nodes else "")
    assert answer.frontier == len(seen - taken) > 0
    assert answer.json()["frontier"] == answer.frontier


def test_engines_without_an_open_list_do_not_count_one():
    assert "frontier" not in ludion.solve(REPORT_1, "ida-star").json()
