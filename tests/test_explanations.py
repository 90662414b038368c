"""Why a move: `ludion.explain`, `ludion analyse --why`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import ludion
from ludion import asking, registry
from ludion.core import tiers
from ludion.errors import IllegalMoveError, LudionError, SettingError
from ludion.games.connect_four import threats
from ludion.games.hive.reasons import move_reason as hive_reason
from ludion.kinds.parts import MARK_ROLES
from ludion.messages import speaking

from .commands import run

TWO_GO = "1 2 3/4 0 6/7 5 8"
MINES = "b;3 4;1 0 flags;- - T -;- - - -;- - T -"  # 1-2-1: the middle is safe


@pytest.fixture(autouse=True)
def _interpreted():
    with tiers.use(tiers.INTERPRETED):
        yield


def places(explanation: ludion.Explanation, role: str) -> list[object]:
    assert {mark.role for mark in explanation.marks} <= set(MARK_ROLES)
    return [mark.place for mark in explanation.marks if mark.role == role]


@pytest.mark.parametrize(
    ("board", "move", "words", "role", "cells"),
    [
        ("xx./oo./...", "c1", "completes a line; win in 1 move", "line", [(0, 0), (0, 1), (0, 2)]),
        ("oo./.x./..x", "c1", "stops a line; win in 2 moves", "line", [(0, 0), (0, 1), (0, 2)]),
        ("oo./.x./..x", "b3", "does not stop c1; loss in 1 move", "threat", [(0, 2)]),
        (
            "xox/.../o..",
            "c3",
            "two threats at once, b2, c2: only one can be stopped",
            "threat",
            [(1, 1), (1, 2)],
        ),
        (".../.o./x..", "a2", "threatens a1", "threat", [(0, 0)]),
    ],
)
def test_lines_and_threats_of_tic_tac_toe(board, move, words, role, cells):
    explanation = ludion.explain(ludion.position("tic-tac-toe", board), move)
    assert explanation.why.startswith(words)
    assert places(explanation, role) == cells


def test_without_a_move_the_best_is_explained_with_its_forced_line():
    explanation = ludion.explain(ludion.position("tic-tac-toe", "xox/.../o.."))
    assert (explanation.move, explanation.line) == ("c3", ("c3", "b2", "c2"))
    assert "forced line: nought at b2, cross at c2" in str(explanation)
    worse = ludion.explain(ludion.position("tic-tac-toe", "xox/.../o.."), "a2")
    assert worse.why.endswith("cross at c3 is better (win in 2 moves)")


@pytest.mark.parametrize(
    ("board", "move", "words", "role"),
    [
        ("414141", "4", "wins: 4 in a row", "line"),
        ("633562", "1", "loses: does not stop the line in column 4", "threat"),
        ("4455", "3", "wins: two threats at once", "threat"),
    ],
)
def test_threats_of_connect_four(board, move, words, role):
    position = ludion.position("connect-four", board)
    reason = position.game.reason(position.rules, position.state, position.read_move(move))
    assert reason.text.startswith(words)
    assert {mark.role for mark in reason.marks} == {role}
    if role == "line":
        assert sorted(mark.place for mark in reason.marks) == [(2, 3), (3, 3), (4, 3), (5, 3)]


def test_a_threat_of_connect_four_is_told_with_the_parity_of_its_row(monkeypatch):
    monkeypatch.setattr(threats, "losses", lambda *asked, **limits: {})  # what no short search can tell
    position = ludion.position("connect-four", "712142162")
    reason = position.game.reason(position.rules, position.state, position.read_move("4"))
    assert reason.text.startswith(
        "makes a threat on column 3 row 2; if nothing else happens, yellow gets the odd rows"
    )
    assert (4, 2) in [mark.place for mark in reason.marks]


def test_the_bound_that_excludes_a_shorter_solution():
    explanation = ludion.explain(ludion.position("taquin", TWO_GO))
    assert str(explanation) == (
        "tile 5 up: the goal is reached in 2 moves; "
        "no solution is shorter: linear-conflict proves that at least 2 are needed"
    )
    assert places(explanation, "bound") == [(2, 1), (2, 2)]
    detour = ludion.explain(ludion.position("taquin", TWO_GO), "up")
    assert detour.why == "the goal is reached in 4 moves; tile 5 up reaches it in 2"


def test_where_the_bound_is_too_low_the_search_proves_it():
    position = ludion.position("rush-hour", "...B.....B..AA.B....CC..............")
    explanation = ludion.explain(position, heuristic="distance", engine="a-star")
    assert "distance proves at least 1, the search found none below 3" in explanation.why


def test_a_first_use_that_is_too_slow_waits_for_machine_code(monkeypatch):
    used, search = [], asking.search

    def slow_at_first(*asked):
        used.append(tiers.state.tier)
        answer = search(*asked)
        late = replace(answer, moves=(), length=None, limit="time", tier=tiers.INTERPRETED)
        return late if len(used) == 1 else answer

    monkeypatch.setattr(asking, "search", slow_at_first)
    with tiers.use(tiers.AUTOMATIC):
        explanation = ludion.explain(ludion.position("taquin", TWO_GO), engine="breadth-first")
    assert used == [tiers.AUTOMATIC, tiers.COMPILED]
    assert explanation.move == "down"


def test_the_clues_that_prove_a_cell():
    opened = ludion.position("crocomine", MINES).play("discover 1 0")
    safe = ludion.explain(opened, "discover 1 2")
    assert safe.why == (
        "certainly safe: forced by the clues at row 1 column 2, row 2 column 2, row 3 column 2"
    )
    assert places(safe, "clue") == [(0, 1), (1, 1), (2, 1)]
    assert ludion.explain(opened, "discover 0 2").why.startswith("certainly a mine")


def test_a_guess_is_told_with_its_risk_and_the_safest_cells():
    opened = ludion.position("crocomine", "a;2 3;0 0;- - T;- - -").play("discover 0 0")
    guess = ludion.explain(opened, "discover 1 2")
    assert "the risk is 50.0 %" in guess.why
    assert places(guess, "target") == [(0, 2), (1, 2)]


def test_the_pin_and_the_queens_of_hive():
    game = "Base;InProgress;White[4];wG1;bG1 wG1-;wQ -wG1;bQ bG1-;wA1 \\wQ;bA1 bQ/"
    position = ludion.position("hive", game)
    reason = hive_reason(position.rules, position.state, position.read_move("wA1 bQ-"))
    assert reason is not None
    assert "the black queen has 3 of 6 neighbours now" in reason.text
    assert "frees: white queen" in reason.text
    assert [mark.place for mark in reason.marks if mark.role == "target"] == ["bQ"]
    assert position.text.startswith(game[:20])  # the board is not changed
    assert "wA1 bQ-" in position.moves()


def test_the_danger_and_the_layer_of_the_miner():
    cave = "[cave]\nEngine=Delirium\nDiamondsRequired=1\nCaveTime=-1\n[map]\n{}\n[/map]\n[/cave]\n"
    rows = "WWWWWWWW\nW...r..W\nWP..d..W\nW......W\nW.....XW\nWWWWWWWW"
    position = ludion.position("delirium", cave.format(rows))
    right = ludion.explain(position, "right")
    assert "diamond" in right.why
    assert places(right, "target") == [(2, 4)]
    below = position.play("right", "right", "right", "down")  # the stone hangs above its empty cell: it falls
    fatal = position.game.reason(below.rules, below.state, below.read_move("wait"))
    assert fatal is not None
    assert [mark.role for mark in fatal.marks]


@pytest.mark.parametrize("name", [name for name, game in registry.installed().items() if game.reason])
def test_reasons_leave_the_position_as_it_is_and_mark_what_is_there(name, monkeypatch):
    monkeypatch.setattr(threats, "losses", lambda *asked, **limits: {})  # searches long, interpreted
    position = ludion.position(name, registry.find(name).example)
    before = str(position)
    for code in position.codes()[:6]:
        reason = position.game.reason(position.rules, position.state, code)
        assert reason is None or {mark.role for mark in reason.marks} <= set(MARK_ROLES)
        with speaking("fr"):
            french = position.game.reason(position.rules, position.state, code)
        assert reason is None or not reason.text or french.text != reason.text
    assert str(position) == before


def test_bad_questions_are_refused():
    position = ludion.position("tic-tac-toe")
    with pytest.raises(IllegalMoveError):
        ludion.explain(position.play("b2"), "b2")
    with pytest.raises(SettingError):
        ludion.explain("tic-tac-toe")  # type: ignore[arg-type]
    with pytest.raises(LudionError, match="over"):
        ludion.explain(ludion.position("taquin", "1 2 3/4 5 6/7 8 0"))


def test_the_command_and_the_picture_say_the_same(capsys):
    position = ludion.position("taquin", TWO_GO)
    done = run(capsys, "analyse", "taquin", TWO_GO, "--why")
    assert done.stdout.endswith(f"{ludion.explain(position)}\n")
    done = run(capsys, "analyse", "taquin", TWO_GO, "--why", "up", "--json")
    assert json.loads(done.stdout)["why"] == ludion.explain(position, "up").why
    assert ludion.explain(position).svg().count('class="mark"') == 2
    with speaking("fr"):
        assert "aucune solution n'est plus courte" in str(ludion.explain(position))
