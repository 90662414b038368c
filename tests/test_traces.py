"""Searches step by step: `ludion.trace`, `ludion solve --trace`."""

from __future__ import annotations

import json

import pytest

import ludion
from ludion.engines.budget import Observer
from ludion.messages import speaking

from .commands import run

# The example of the lecture: h2 = 5, and A* needs no step beside the path.
QUESTION = ludion.Search(
    "taquin",
    "b h c/a f d/g _ e",
    {"goal": "a b c/h _ d/g f e"},
    engine="a-star",
    heuristic="manhattan",
)


def test_a_star_by_hand():
    """f = g + h of the first steps, worked out on paper: only `up` brings a tile (f) nearer to its place."""
    steps = list(ludion.trace(QUESTION))
    first = steps[0]
    assert (first.kind, first.node.number, first.node.f, first.node.g, first.node.h) == (
        "expanded",
        0,
        5,
        0,
        5,
    )
    assert [(each.move, each.f, each.g, each.h) for each in first.successors] == [
        ("up", 5, 1, 4),
        ("left", 7, 1, 6),
        ("right", 7, 1, 6),
    ]
    assert [node.number for node in first.open] == [1, 3, 2]  # of equal f the newest first
    assert [node.number for node in first.closed] == [0]
    second = steps[1]
    assert second.node.move == "up"
    assert [each.again for each in second.successors] == ["", "", "", "known"]
    assert [step.kind for step in steps] == ["expanded"] * 5 + ["goal"]
    assert [step.node.move for step in steps] == ["", "up", "up", "left", "down", "right"]


def test_the_open_list_is_the_frontier():
    """12 positions are seen, 5 expanded, one of them is the goal: 6 wait."""
    trace = ludion.trace(QUESTION)
    assert (trace.answer.nodes, trace.answer.expanded) == (12, 5)
    assert len(trace[-1].open) == 6
    assert trace.complete


@pytest.mark.parametrize("engine", ["a-star", "greedy", "uniform-cost", "weighted-a-star", "breadth-first"])
def test_every_node_seen_is_open_or_closed(engine):
    trace = ludion.trace(ludion.position("taquin", "1 2 3/4 0 6/7 5 8"), engine)
    last = trace[-1]
    assert len({node.number for node in [*last.open, *last.closed]}) == trace.answer.nodes
    for before, after in zip(trace, list(trace)[1:], strict=False):
        if after.kind == "expanded":
            assert after.node.number == before.open[0].number


def test_a_cheaper_path_is_a_step_of_its_own():
    text = "8 6 7/2 5 4/3 0 1"
    trace = ludion.trace(ludion.position("taquin", text), "weighted-a-star", weight=5.0)
    better = [each for step in trace for each in step.successors if each.again == "better"]
    assert better


def test_negamax_to_depth_1_by_hand():
    """The old report's table: the values of the nine first moves for the other player."""
    steps = list(ludion.trace(ludion.position("tic-tac-toe"), "negamax", depth=1))
    values = [step.value for step in steps if step.kind == "valued" and step.node.g == 1]
    assert values == [-3, -2, -3, -2, -4, -2, -3, -2, -3]
    assert (steps[-1].node.number, steps[-1].value) == (0, 4)


def test_alpha_beta_has_windows_and_cuts():
    plain = {"ordering": False, "table": False, "symmetry": False}
    trace = ludion.trace(ludion.position("tic-tac-toe", "xo./.../..."), "alpha-beta", depth=3, **plain)
    kinds = {step.kind for step in trace}
    assert kinds == {"entered", "valued", "cut", "improved"}
    windows = [step.window for step in trace if step.kind == "entered"]
    assert all(alpha < beta for alpha, beta in windows)
    entered = {step.node.number: step for step in trace if step.kind == "entered"}
    for step in trace:
        if step.kind == "cut":
            assert step.value >= entered[step.node.number].window[1]
    assert trace[-1].value == trace.answer.score.value


def test_alpha_beta_values_are_those_of_negamax():
    here = ludion.position("tic-tac-toe", "x../.o./...")
    values = {}
    for engine, settings in (("negamax", {}), ("alpha-beta", {"table": False, "symmetry": False})):
        trace = ludion.trace(here, engine, depth=3, **settings)
        values[engine] = trace[-1].value
    assert values["negamax"] == values["alpha-beta"]


def test_every_node_of_alpha_beta_has_its_own_number():
    """Also those beyond the depth, where only forcing moves are tried."""
    steps = list(ludion.trace(ludion.position("hive", "level:win-3-plies-a"), "alpha-beta", depth=2))
    plies = {step.node.number: step.node.g for step in steps if step.kind == "valued"}
    assert len(plies) == sum(step.kind == "valued" for step in steps)
    cuts = [step.node for step in steps if step.kind == "cut"]
    assert cuts
    assert all(node.g == plies[node.number] for node in cuts)


def test_the_steps_are_those_of_the_events():
    """One source: an observer sees the same nodes in the same order."""
    observer = Observer(1000)
    QUESTION.answer(observer)
    expanded = [event.node for event in observer.seen if event.kind == "expanded"]
    assert expanded == [step.node.number for step in ludion.trace(QUESTION) if step.kind == "expanded"]
    assert sum(event.kind == "generated" for event in observer.seen) == 11


def test_long_searches_are_sampled(capsys):
    trace = ludion.trace(ludion.position("taquin"), "a-star", heuristic="manhattan", events=3000)
    assert not trace.complete
    sample = trace.sample(10)
    assert len(sample) == 10
    assert sample[:5] == trace.steps[:5]
    assert sample[-1] == trace.steps[-1]
    said = run(
        capsys, "solve", "taquin", "--engine", "a-star", "--heuristic", "manhattan", "--trace", "4"
    ).stdout
    assert "(4 of " in said


def test_ida_star_and_others_are_told_plainly():
    steps = list(
        ludion.trace(ludion.position("taquin", "1 2 3/4 0 6/7 5 8"), "ida-star", heuristic="manhattan")
    )
    assert {step.kind for step in steps} <= {"expanded", "beyond"}
    assert all(step.node.f == step.node.g + step.node.h for step in steps)
    assert len(ludion.trace(ludion.position("taquin"), "bidirectional")) > 1


def test_an_engine_that_records_nothing_says_so():
    with pytest.raises(ludion.UnfitError, match="records no steps"):
        ludion.trace(ludion.position("connect-four", "44444"), "solver")


def test_the_command_prints_it_in_both_languages(capsys):
    asked = [
        "solve",
        "taquin",
        "b h c/a f d/g _ e",
        "--goal",
        "a b c/h _ d/g f e",
        "--heuristic",
        "manhattan",
    ]
    said = run(capsys, *asked, "--engine", "a-star", "--trace").stdout
    assert "1. take node 0 [f=5, g=0, h=5]" in said
    assert "     open (3): 1(5) 3(7) 2(7)" in said
    lines = run(capsys, *asked, "--trace", "--json").stdout.splitlines()
    assert json.loads(lines[0])["open"] == [1, 3, 2]
    assert json.loads(lines[-1])["status"] == "optimal"
    with speaking("fr"):
        assert "ouverts (3) : 1(5) 3(7) 2(7)" in str(ludion.trace(QUESTION))
