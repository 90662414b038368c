"""The UHP server: our engine as other programs see it."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludion.engines import alpha_beta
from ludion.engines.budget import Progress
from ludion.games.hive import uhp
from ludion.games.hive.notation import legal_moves, read, read_move, write_move
from ludion.games.hive.uhp import SearchReport, UhpServer, read_limit, serve
from ludion.registry import find


def talk(*commands, server=None):
    """The answers to these commands, each without its `ok`."""
    server = server or UhpServer()
    answers = []
    for command in commands:
        lines = list(server.answer(command))
        assert lines[-1] == "ok"
        answers.append("\n".join(lines[:-1]))
    return answers


def last(*commands):
    return talk(*commands)[-1]


def test_a_session_begins_with_info_and_ends_with_exit():
    replies = []
    serve(iter(["newgame", "exit", "newgame"]), replies.append)
    assert replies[0].startswith("id ludion ")
    assert replies[1:] == ["Mosquito;Ladybug;Pillbug", "ok", "Base;NotStarted;White[1]", "ok"]


def test_play_pass_and_undo():
    answers = talk("newgame Base+M", "play wS1", "PLAY bG1 -wS1", "pass", "undo 2", "undo", "undo")
    assert answers == [
        "Base+M;NotStarted;White[1]",
        "Base+M;InProgress;Black[1];wS1",
        "Base+M;InProgress;White[2];wS1;bG1 -wS1",
        "invalidmove 'pass' is not legal: you have legal moves, so you cannot pass",
        "Base+M;NotStarted;White[1]",
        "err Unable to undo 1 moves.",
        "err Unable to undo 1 moves.",
    ]


def test_validmoves_are_all_and_playable():
    server = UhpServer()
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
    server = UhpServer()
    commands = ["", "foo", "\x00", "é", "do_play", "__init__", "options x", "play", "play zz", "play wS1 wS1"]
    commands += ["newgame Bass", "newgame Base;InProgress;White[1];wQ", "newgame " + ";" * 100_000]
    commands += ["undo 9", "undo -1", "undo x", "play " + "w" * (1 << 21)]
    commands += ["bestmove", "bestmove time", "bestmove depth x", "bestmove time 1:2", "settings"]
    commands += ["options get x", "options set Threads", "options set Threads 0", "options set Player Nobody"]
    talk("newgame", server=server)
    for command in commands:
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


def test_the_best_line_and_perft():
    server = UhpServer()
    answers = talk("newgame Base", "pv", "bestmove depth 3", "pv", "perft 2", "perft x", server=server)
    assert answers[1].startswith("err ")
    assert answers[3].splitlines()[0] == answers[2]
    for move in answers[3].splitlines():
        assert talk(f"play {move}", server=server)[0].startswith("Base;InProgress")
    assert answers[4] == "0: 1\n1: 4\n2: 96"
    assert answers[5].startswith("err ")
    assert talk("pv", server=server)[0].startswith("err ")


def test_lines_while_it_searches():
    reports = []
    server = UhpServer(report=reports.append)
    talk("newgame Base+MLP", "options set ReportIntermediateBestMoves True", server=server)
    rules, position = server.game()
    watcher = SearchReport(server, rules, position)
    first, second = legal_moves(rules, position)[:2]
    for depth, line in ((1, ()), (1, (first,)), (1, (second,)), (2, (second,))):
        watcher.progress(Progress(10, 5, depth, 0, 7, 0, 0.1, line))
    names = [write_move(rules, position, move) for move in (first, second)]
    assert reports == [f"{names[0]};1;7;{names[0]}", f"{names[1]};2;7;{names[1]}"]


def test_a_viewer_that_goes_away_ends_the_search(monkeypatch):
    monkeypatch.setattr(uhp, "AWAY", 0.05)

    def lines():
        yield "newgame Base+MLP"
        yield "bestmove depth 60"
        time.sleep(0.5)

    replies = []
    serve(lines(), replies.append)
    assert replies[-1] == "ok"
    assert not replies[-2].startswith("err")


def test_a_large_table_has_an_effect():
    rules, position = read("Base")
    for megabytes in (1, 256):
        server = UhpServer(rules, position)
        talk(f"options set TableMegabytes {megabytes}", server=server)
        memory = []
        original = alpha_beta.solve

        def solve(rules, start, guide, budget, *rest, memory=memory, original=original, **more):
            memory.append(budget.memory)
            return original(rules, start, guide, budget, *rest, **more)

        server_solve, alpha_beta.solve = alpha_beta.solve, solve
        try:
            talk("bestmove depth 1", server=server)
        finally:
            alpha_beta.solve = server_solve
        assert memory == [2 * megabytes << 20]
    assert alpha_beta.LARGEST_TABLE >= 1 << 30


def test_limits():
    assert read_limit("nodes 500").nodes == 500
    assert read_limit("seconds 0.25").seconds == 0.25
    assert read_limit("time 00:01:02.5").seconds == 62.5
    assert read_limit("depth 0").depth == 1
    assert read_limit("time 00:00:00").seconds > 0


@pytest.mark.parametrize("player", ["Best", "Easy", "Heuristic"])
def test_bestmove_is_legal(player):
    server = UhpServer()
    talk(f"options set Player {player}", "newgame Base+MLP", server=server)
    for _ in range(12):
        move = talk("bestmove depth 2", server=server)[0]
        assert talk(f"play {move}", server=server)[0].startswith("Base+MLP;InProgress")


def test_bestmove_with_threads_finds_the_win():
    level = next(level for level in find("hive").all_levels() if level.name == "win-5-plies-a")
    answers = talk("options set Threads 2", f"newgame {level.position}", "bestmove depth 6", "validmoves")
    rules, position = read(level.position)
    assert read_move(rules, position, answers[2]) == read_move(rules, position, level.known["move"])


def test_bestmove_keeps_its_time():
    long = max((level.position for level in find("hive").all_levels()), key=len)
    server = UhpServer()
    talk(f"newgame {long}", "bestmove depth 1", server=server)
    begin = time.process_time()
    talk("bestmove time 00:00:00.5", server=server)
    assert time.process_time() - begin < 1.5  # of the processor: whatever else the machine does


@given(st.lists(st.text(max_size=30), max_size=6))
@settings(max_examples=60)
def test_any_lines_are_answered(lines):
    server = UhpServer()
    for line in ["newgame Base+MLP", *lines]:
        answer = list(server.answer(line))
        assert server.ended or answer[-1] == "ok"


def test_fuzzed_sessions():
    generator = random.Random(7)
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
    server = UhpServer()
    for _ in range(400):
        line = " ".join(generator.choices(words, k=generator.randint(1, 4)))
        assert list(server.answer(line))[-1] == "ok"


def pondering_server(limit="depth 4"):
    """A server that ponders after its first move, and the reply that it expects."""
    server = UhpServer()
    talk("options set Ponder True", "newgame Base+MLP", "play wS1", "play bS1 wS1-", server=server)
    move = talk(f"bestmove {limit}", server=server)[0]
    reply = talk("pv", server=server)[0].splitlines()[1]
    assert server.pondering is None
    talk(f"play {move}", server=server)
    assert server.pondering is not None
    assert server.pondering.thread.is_alive()
    return server, reply


def test_the_expected_reply_uses_what_was_pondered():
    server, reply = pondering_server()
    pondering = server.pondering
    moves = talk("validmoves", f"play {reply}", "validmoves", server=server)
    assert server.pondering is pondering
    best = talk("bestmove seconds 0.05", server=server)[0]
    assert best in moves[2].split(";")
    assert server.line == pondering.answer.moves
    assert server.pondering is None
    assert not pondering.thread.is_alive()


def test_another_reply_ends_pondering():
    server, reply = pondering_server()
    pondering = server.pondering
    other = next(move for move in talk("validmoves", server=server)[0].split(";") if move != reply)
    talk(f"play {other}", server=server)
    assert server.pondering is None
    assert not pondering.thread.is_alive()
    best, moves = talk("bestmove depth 2", "validmoves", server=server)
    assert best in moves.split(";")


@pytest.mark.parametrize("command", ["newgame", "undo", "options get Threads", "bestmove depth 1", "exit"])
def test_other_commands_end_pondering(command):
    server, _ = pondering_server()
    list(server.answer(command))
    assert server.pondering is None


def test_nothing_is_pondered_unless_its_own_move_was_played():
    server = UhpServer()
    best = talk("options set Ponder True", "newgame Base", "bestmove depth 1", server=server)[2]
    other = next(move for move in talk("validmoves", server=server)[0].split(";") if move != best)
    talk(f"play {other}", server=server)
    assert server.pondering is None
    talk("options set Ponder False", "newgame Base", server=server)
    talk(f"play {talk('bestmove depth 1', server=server)[0]}", server=server)
    assert server.pondering is None
