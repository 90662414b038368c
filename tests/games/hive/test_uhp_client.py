"""The UHP client: other engines, and what it says of those that do not work."""

from __future__ import annotations

import sys
import time

import pytest

from ludion.engines.budget import Budget
from ludion.errors import UnfitError
from ludion.games.hive import uhp_client
from ludion.games.hive.notation import legal_moves, played, read, write
from ludion.games.hive.uhp_client import CRASH, FLOOD, LATE, EngineError, External
from ludion.kinds.duel import copy

OURS = [sys.executable, "-m", "ludion", "uhp"]
GREETING = 'print("id test 1\\nok", flush=True)'


def script(*lines):
    """The command that runs these lines of Python."""
    return [sys.executable, "-c", "\n".join(("import os, sys, time", *lines))]


def error_of(command, question="info", patience=5.0):
    """The kind and the text of an engine's error, at its start or at the first question."""
    try:
        with External(command, patience) as engine:
            engine.ask(question)
    except EngineError as error:
        return error.kind, str(error)
    raise AssertionError("the engine answers")


def test_our_engine_as_an_external_one():
    with External(OURS, patience=120) as engine:
        assert engine.name.startswith("ludion")
        rules, position = read("Base+MLP;InProgress;White[2];wL;bL wL-")
        for limit in (Budget(depth=2), Budget(seconds=0.1)):
            assert engine.best_move(rules, position, limit) in legal_moves(rules, position)
        with pytest.raises(EngineError, match="answers 'play zz' with 'invalidmove"):
            engine.must("play zz")


WRITTEN = [sys.executable, "-u", "-c"]
LISTENER = """
import sys, time
print("id listener 1\\nok", flush=True)
for line in sys.stdin:
    with open(sys.argv[1], "a") as file: file.write(line)
    if line.startswith("bestmove time") and "." in line and "time" not in sys.argv[2]: print("err"), time.sleep(0)
    elif line.startswith("bestmove seconds") and "seconds" not in sys.argv[2]: print("err")
    elif line.startswith("bestmove"): print("wG1" if sys.argv[3] == "first" else "wQ -wL")
    else: print("Base")
    print("ok", flush=True)
"""


def commands_of(file):
    return file.read_text().splitlines()


def test_a_program_stays_in_its_game_and_gets_the_moves(tmp_path):
    heard = tmp_path / "heard"
    rules, position = read("Base+MLP;InProgress;White[2];wL;bL wL-")
    with External([*WRITTEN, LISTENER, str(heard), "time", "later"]) as engine:
        move = engine.best_move(rules, position, Budget(depth=2))
        later = played(rules, copy(rules, position), move)
        later = played(rules, later, legal_moves(rules, later)[0])
        text = write(rules, later).split(";")[-2:]
        engine.follow(rules, later)
        engine.follow(rules, later)
        engine.follow(rules, position)  # back: a new game
    assert commands_of(heard) == [
        "newgame Base+MLP;InProgress;White[2];wL;bL wL-",
        "bestmove depth 2",
        f"play {text[0]}",
        f"play {text[1]}",
        "newgame Base+MLP;InProgress;White[2];wL;bL wL-",
        "exit",
    ]


@pytest.mark.parametrize(
    ("reads", "command"), [("time", "bestmove time 00:00:00.300"), ("seconds", "bestmove seconds 0.300")]
)
def test_fractions_of_a_second_are_written_as_the_program_reads_them(tmp_path, reads, command):
    heard = tmp_path / "heard"
    rules, position = read("Base")
    with External([*WRITTEN, LISTENER, str(heard), reads, "first"]) as engine:
        engine.best_move(rules, position, Budget(seconds=0.3))
        engine.best_move(rules, position, Budget(seconds=62))
        engine.best_move(rules, position, Budget(nodes=500))
    assert commands_of(heard)[-5:] == [
        "newgame Base;NotStarted;White[1]",
        command,
        "bestmove time 00:01:02",
        "bestmove nodes 500",
        "exit",
    ]


def test_a_program_that_reads_whole_seconds_only_is_not_given_ten_times_the_time(tmp_path):
    rules, position = read("Base")
    with External([*WRITTEN, LISTENER, str(tmp_path / "heard"), "neither", "first"]) as engine:
        with pytest.raises(UnfitError, match="listener 1 reads whole seconds only"):
            engine.best_move(rules, position, Budget(seconds=0.1))
        assert engine.best_move(rules, position, Budget(seconds=1)) in legal_moves(rules, position)


def test_engines_that_do_not_start():
    kind, text = error_of("no-such-program-here")
    assert kind == CRASH
    assert text.startswith("cannot start no-such-program-here: ")
    assert error_of("")[0] == error_of([])[0] == error_of("engine 'open quote")[0] == CRASH
    assert error_of(script("pass")) == (CRASH, f"{sys.executable} has ended")


def test_engines_that_end_later():
    kind, text = error_of(script(GREETING, "sys.stdin.readline()"))
    assert (kind, text) == (CRASH, f"{sys.executable} has ended")


def test_an_engine_that_has_ended_stays_ended():
    with External(script(GREETING, "sys.stdin.readline()")) as engine:
        for _ in range(3):
            with pytest.raises(EngineError, match="has ended"):
                engine.ask("info")


def test_engines_that_hang():
    assert error_of(script("time.sleep(20)"), patience=0.3) == (
        LATE,
        f"{sys.executable} did not answer within 0.3 s",
    )
    assert error_of(script(GREETING, "time.sleep(20)"), patience=0.5)[0] == LATE


@pytest.mark.parametrize(
    "flood",
    [
        "while True: print('flood')",
        "while True: print()",
        "while True: os.write(1, b'x' * 65536)",
        "while True: print('x' * 60_000)",
    ],
    ids=["lines", "empty lines", "a line without end", "long lines"],
)
def test_engines_that_flood_their_output(flood):
    begin = time.monotonic()
    assert error_of(script(flood), patience=60) == (FLOOD, f"{sys.executable} writes too much output")
    assert error_of(script(GREETING, "sys.stdin.readline()", flood), patience=60)[0] == FLOOD
    assert time.monotonic() - begin < 30


def test_a_flood_between_two_questions_ends_the_engine():
    with External(script(GREETING, "while True: print('flood')"), patience=60) as engine:
        engine.process.wait(30)
        assert engine.lines.qsize() <= uhp_client.MOST_LINES + 1
        with pytest.raises(EngineError, match="too much output"):
            engine.ask("info")


def test_long_replies_are_no_flood_each_by_itself(monkeypatch):
    monkeypatch.setattr(uhp_client, "MOST_LINES", 100)
    echo = "for line in sys.stdin: print('line\\n' * 80 + 'ok', flush=True)"
    with External(script(GREETING, echo)) as engine:
        for _ in range(5):
            assert engine.ask("info") == ["line"] * 80
