"""Positions of quests: percepts, actions, decisions, and playing them in the terminal."""

from __future__ import annotations

import io
import json
import pickle

import pytest

import ludion
from ludion.kinds.games import QUEST

from .commands import run
from .conformance.games import described

BOARD = "5x5:1/1/1"


def test_a_board_is_played_on_from_where_it_was_pickled():
    here = ludion.position("crocomine", BOARD)
    here = here.play(ludion.decide(here).name)
    again = pickle.loads(pickle.dumps(here))
    assert again == here == eval(repr(here))
    action = ludion.decide(here).name
    assert str(again.play(action)) == str(here.play(action))  # the hidden part came along


@pytest.mark.parametrize("game", described(QUEST), ids=lambda game: game.name)
def test_every_quest_has_percepts_actions_and_decisions(game):
    here = ludion.position(game, "" if game.start else f"level:{game.all_levels()[0].name}")
    before = str(here)
    assert here.percept() is not None
    agent = "best" if "best" in game.agents else next(iter(game.agents))
    decision = ludion.decide(here, agent)
    assert decision.name in here.moves()
    scores = ludion.analyse(here, agent)
    assert scores[0].name == decision.name
    assert {score.name for score in scores} == set(here.moves())
    after = here.play(decision.name)
    assert after.actions == (decision.name,)
    assert str(here) == before


def test_other_games_have_no_percepts():
    with pytest.raises(ludion.UnfitError):
        ludion.position("taquin").percept()
    with pytest.raises(ludion.LudionError):
        ludion.decide(ludion.position("taquin"))


def test_chances_are_those_of_the_study():
    view = ludion.position("crocomine", "view 2 2 1 0 0 0;.(1/0/0) .?;.? .?")
    chances = {score.name: score.chance for score in ludion.analyse(view)}
    for cell in ludion.study(view)["cells"]:
        assert chances[f"discover {cell['row']} {cell['column']}"] == pytest.approx(cell["empty"])
        assert chances[f"guess {cell['row']} {cell['column']} T"] == pytest.approx(cell["tiger"])


def test_layers_of_an_agent_are_settings():
    assert ludion.decide(ludion.position("delirium"), "layered", diamonds=False).name
    with pytest.raises(ludion.SettingError):
        ludion.decide(ludion.position("delirium"), "layered", diamonds="perhaps")


def test_a_run_carries_what_the_agent_thought(capsys):
    done = run(capsys, "run", "delirium", "level:nearest", "--agent", "layered", "--show", "--json")
    record = json.loads(done.stdout)
    assert len(record["thoughts"]) == record["length"] == len(record["moves"])
    assert {"layer", "path", "dangers", "words", "spoken"} <= set(record["thoughts"][0])
    said = run(capsys, "run", "crocomine", BOARD, "--agent", "best", "--show").stdout
    assert said.startswith("1. ")


def test_actions_of_the_miner_have_names(capsys):
    here = ludion.position("delirium", "level:nearest")
    assert here.moves() == [
        "wait",
        "right",
        "up",
        "left",
        "down",
        "dig-right",
        "dig-up",
        "dig-left",
        "dig-down",
    ]
    assert here.play("down", "r", 1).actions == ("down", "right", "right")
    record = json.loads(run(capsys, "run", "delirium", "level:nearest", "--json").stdout)
    assert set(record["moves"]) <= set(here.moves())
    assert here.play(*record["moves"]).status == "won"


def test_layers_explain_themselves_in_the_terminal(capsys):
    said = run(capsys, "run", "delirium", "level:nearest", "--agent", "layered", "--explain").stdout
    assert "     memory: 60 cells known, 60 in view" in said.splitlines()
    assert "thoughts" not in json.loads(run(capsys, "run", "delirium", "level:nearest", "--json").stdout)
    record = json.loads(
        run(capsys, "run", "delirium", "level:nearest", "--agent", "layered", "--explain", "--json").stdout
    )
    assert record["thoughts"][0]["layers"][0] == ["loops", "0 cells barred"]
    assert record["thoughts"][0]["search"][0] == [1, 1, 0]


@pytest.mark.parametrize(
    ("arguments", "lines", "expected"),
    [
        (["crocomine", BOARD], ["hint", "why", "moves", "undo", "quit"], "proved"),
        (
            ["delirium", "--agent", "layered"],
            ["hint", "why", "r", "undo", "redo", "text", "x", "quit"],
            "tick 1",
        ),
    ],
)
def test_quests_are_played_in_the_terminal(capsys, monkeypatch, arguments, lines, expected):
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines) + "\n"))
    done = run(capsys, "play", *arguments)
    assert done.returncode == 0
    assert expected in done.stdout


def test_the_report_s_coefficients_can_be_given_to_an_opponent(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("wS1\nquit\n"))
    done = run(capsys, "play", "hive", "--opponent", "heuristic:attack=3,defence=0.5")
    assert "heuristic plays" in done.stdout
    assert run(capsys, "play", "hive", "--opponent", "heuristic:attack=much").returncode == 2
