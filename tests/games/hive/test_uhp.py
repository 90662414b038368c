"""The protocol: our engine as others see it, and our view of other engines."""

from __future__ import annotations

import random
import sys
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludion.engines.limits import Budget
from ludion.games.hive.notation import legal_moves, read, read_move
from ludion.games.hive.uhp import EngineError, External, Server, check, read_limit, serve
from ludion.registry import card

OURS = [sys.executable, "-m", "ludion", "uhp"]


def talk(*commands, server=None):
    """The answers to these commands, each without its `ok`."""
    server = server or Server()
    answers = []
    for command in commands:
        lines = list(server.answer(command))
        assert lines[-1] == "ok"
        answers.append("\n".join(lines[:-1]))
    return answers


def last(*commands):
    return talk(*commands)[-1]


def test_a_session_begins_with_info_and_ends_with_exit():
    said = []
    serve(iter(["newgame", "exit", "newgame"]), said.append)
    assert said[0].startswith("id ludion ")
    assert said[1:] == ["Mosquito;Ladybug;Pillbug", "ok", "Base;NotStarted;White[1]", "ok"]


def test_play_pass_and_undo():
    answers = talk("newgame Base+M", "play wS1", "PLAY bG1 -wS1", "pass", "undo 2", "undo", "undo")
    assert answers == [
        "Base+M;NotStarted;White[1]",
        "Base+M;InProgress;Black[1];wS1",
        "Base+M;InProgress;White[2];wS1;bG1 -wS1",
        "invalidmove 'pass' is not legal: there are moves, so you cannot pass",
        "Base+M;NotStarted;White[1]",
        "err Unable to undo 1 moves.",
        "err Unable to undo 1 moves.",
    ]


def test_validmoves_are_all_and_playable():
    server = Server()
    moves = talk("newgame Base+MLP", "play wL", "validmoves", server=server)[-1].split(";")
    assert len(moves) == 42
    for move in moves:
        answers = talk(f"play {move}", "undo", server=server)
        assert answers[0].endswith(f";{move}")


@pytest.mark.parametrize("command", ["play wS1", "pass", "validmoves", "bestmove depth 1", "undo"])
def test_commands_that_need_a_game(command):
    assert last(command).startswith("err No game in progress")


def test_commands_when_the_game_is_over():
    over = (
        "newgame Base;InProgress;White[1];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \\wQ;bA1 bQ-;wA2 -wQ;"
        "bA2 bA1-;wA3 /wQ;bA3 bA2-;wG1 wQ/;bG1 bA3-;wG2 wQ\\"
    )
    answers = talk(over, "play bG2 bG1-", "validmoves", "bestmove depth 1", "undo", "validmoves")
    assert answers[0].split(";")[1] == "BlackWins"
    assert all(answer.startswith("err The game is over") for answer in answers[1:4])
    assert answers[4].split(";")[1] == "InProgress"
    assert "wG2 wQ\\" in answers[5]


def test_errors_are_of_the_protocol_and_the_game_goes_on():
    server = Server()
    bad = [
        "",
        "foo",
        "newgame Bass",
        "newgame Base;InProgress;White[1];wQ",
        "play",
        "play zz",
        "play wS1 wS1",
    ]
    bad += [
        "undo 9",
        "undo -1",
        "undo x",
        "bestmove",
        "bestmove time",
        "bestmove depth x",
        "bestmove time 1:2",
    ]
    bad += [
        "options get x",
        "options set Threads 0",
        "options set Threads",
        "options set Player Nobody",
        "options x",
    ]
    bad += [
        "play " + "w" * (1 << 21),
        "\x00",
        "é",
        "do_play",
        "__init__",
        "settings",
        "newgame " + ";" * 100_000,
    ]
    talk("newgame", server=server)
    for command in bad:
        answer = talk(command, server=server)[0]
        assert answer.startswith(("err ", "invalidmove ")), command
        assert "\n" not in answer
        assert len(answer) < 400
    assert talk("play wS1", server=server)[0] == "Base;InProgress;Black[1];wS1"


def test_options():
    answers = talk(
        "options",
        "options get threads",
        "options set Threads 2",
        "options set VariedOpenings true",
        "options",
    )
    assert "Threads;int;1;1;1;16" in answers[0].splitlines()
    assert answers[1] == "Threads;int;1;1;1;16"
    assert answers[2] == "Threads;int;2;1;1;16"
    assert answers[3] == "VariedOpenings;bool;True;False"
    assert answers[4] != answers[0]


def test_the_queen_first_as_an_option():
    assert "wQ" in last("options set QueenFirst True", "newgame", "validmoves").split(";")


def test_limits():
    assert read_limit("time 00:01:02.5").seconds == 62.5
    assert read_limit("depth 0").depth == 1
    assert read_limit("time 00:00:00").seconds > 0


@pytest.mark.parametrize("player", ["Best", "Easy", "Heuristic"])
def test_bestmove_is_legal(player):
    server = Server()
    talk(f"options set Player {player}", "newgame Base+MLP", server=server)
    for _ in range(12):
        move = talk("bestmove depth 2", server=server)[0]
        assert talk(f"play {move}", server=server)[0].startswith("Base+MLP;InProgress")


def test_bestmove_with_threads_finds_the_win():
    level = next(level for level in card("hive").all_levels() if level.name == "win-5-plies-a")
    answers = talk("options set Threads 2", f"newgame {level.position}", "bestmove depth 6", "validmoves")
    game, position = read(level.position)
    assert read_move(game, position, answers[2]) == read_move(game, position, level.known["move"])


def test_bestmove_keeps_its_time():
    long = max((level.position for level in card("hive").all_levels()), key=len)
    server = Server()
    talk(f"newgame {long}", "bestmove depth 1", server=server)
    begin = time.perf_counter()
    talk("bestmove time 00:00:00.5", server=server)
    assert time.perf_counter() - begin < 1.5  # 0.6 on an idle machine: see benchmarks


@given(st.lists(st.text(max_size=30), max_size=6))
@settings(max_examples=60)
def test_any_lines_are_answered(lines):
    server = Server()
    for line in ["newgame Base+MLP", *lines]:
        answer = list(server.answer(line))
        assert server.ended or answer[-1] == "ok"


def test_fuzzed_sessions():
    chance = random.Random(7)
    words = [
        "newgame",
        "Base+MLP",
        "play",
        "wQ",
        "bA1",
        "-wQ",
        "pass",
        "undo",
        "1",
        "validmoves",
        "bestmove",
        "depth",
    ]
    server = Server()
    for _ in range(400):
        line = " ".join(chance.choices(words, k=chance.randint(1, 4)))
        assert list(server.answer(line))[-1] == "ok"


# ------------------------------------------------------------------ other engines


def test_our_engine_as_an_external_one_agrees_with_us():
    positions = [level.position for level in card("hive").all_levels()][:4]
    with External(OURS, patience=120) as engine:
        assert engine.name.startswith("ludion")
        results = list(check(engine, positions, games=2, plies=25, seed=3, types=["Base", "Base+MLP"]))
        assert len(results) > 40
        assert [found for _, found in results if found is not None] == []
        game, position = read("Base+MLP;InProgress;White[2];wL;bL wL-")
        assert engine.best_move(game, position, Budget(depth=2)) in legal_moves(game, position)


WRONG = """
import sys
print("id wrong 1"); print("ok", flush=True)
for line in sys.stdin:
    if line.startswith("exit"):
        break
    print("wA1;wQ;zz" if line.startswith("validmoves") else "Base;NotStarted;White[1]")
    print("ok", flush=True)
"""


def test_differences_are_named():
    with External([sys.executable, "-c", WRONG]) as engine:
        ((_, found),) = list(check(engine, ["Base"], games=0, plies=0, seed=0))
    assert found is not None
    assert set(found.missing) == {"wS1", "wB1", "wG1"}
    assert found.extra == ("wQ",)
    assert "zz" in found.note


def test_engines_that_do_not_work():
    with pytest.raises(EngineError, match="cannot start"):
        External("no-such-program-here")
    with pytest.raises(EngineError, match="has ended"):
        External([sys.executable, "-c", "pass"])
    with pytest.raises(EngineError, match="did not answer"):
        External([sys.executable, "-c", "import time; time.sleep(20)"], patience=0.5)
