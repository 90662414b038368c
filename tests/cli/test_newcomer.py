"""What a newcomer stumbled over who wrote a duel, a puzzle and a quest from the documentation alone."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest

from tests.commands import run

pytestmark = pytest.mark.tier("interpreted")  # small games

QUEST = """\
from dataclasses import dataclass, field
from random import Random

import ludion
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept


@dataclass
class Field:
    treasure: tuple
    dug: list = field(default_factory=list)


@percept.register(Field)
def _(world):
    return tuple(world.dug)


@act.register(Field)
def _(world, action):
    if action in world.dug or action not in {(x, y) for x in range(3) for y in range(3)}:
        raise IllegalActionError(f"nobody can dig at {action}")
    world.dug.append(action)
    return world


@outcome.register(Field)
def _(world):
    return WON if world.treasure in world.dug else LOST if len(world.dug) == 8 else RUNNING


class Digger:
    def decide(self, dug):
        return next((x, y) for x in range(3) for y in range(3) if (x, y) not in dug)


def read(text, seed="0"):
    chance = Random(int(seed))
    return None, Field((chance.randrange(3), chance.randrange(3)))


def board(rules, world):
    rows = ["".join("o" if (x, y) in world.dug else "." for x in range(3)) for y in range(3)]
    return ludion.Board(rows, {"o": ludion.Piece("hole", "brown")})


GAME = ludion.Quest(
    name="dig", title="Dig", summary="find the treasure", read=read, write=lambda rules, world: "3", start="3",
    options=(ludion.Setting("seed", "where the treasure is", "0"),), board=board,
    actions=lambda rules, world: [(x, y) for x in range(3) for y in range(3) if (x, y) not in world.dug],
    move_cells=lambda rules, world, action: action[1] * 3 + action[0], levels=[ludion.Level("one", "3")],
    agents={"best": ludion.AgentMaker(lambda rules: Digger(), "row by row")})
"""

PUZZLE = """\
from typing import NamedTuple

import ludion
from ludion.core.words import popcount
from ludion.kinds.puzzle import estimate, is_goal, moves, play


SEEN = []


class Lamps(NamedTuple):
    count: int


class Lit(NamedTuple):
    lit: int


class Half(NamedTuple):
    pass


@moves.register(Lamps)
def _(rules, lit, buffer):
    for cell in range(rules.count):
        buffer[cell] = cell
    return rules.count


@play.register(Lamps)
def _(rules, lit, move):
    return Lit(lit.lit ^ (3 << move) & (1 << rules.count) - 1)


@is_goal.register(Lamps)
def _(rules, lit):
    return lit.lit == 0


@estimate.register(Half)
def _(heuristic, rules, lit):
    return (popcount(lit.lit) + 1) // 2


def read(text):
    return Lamps(len(text)), Lit(sum(1 << cell for cell, sign in enumerate(text) if sign == "*"))


def board(rules, lit):
    row = "".join("*" if lit.lit >> cell & 1 else "." for cell in range(rules.count))
    return ludion.Board([row], {"*": ludion.Piece("lamp", "yellow")})


def make(seed):
    return "*" * (seed % 4 + 1)


GAME = ludion.Puzzle(
    name="lamps", title="Lamps", summary="all off", read=read, board=board, start="****",
    move_cells=lambda rules, lit, move: move, generator=ludion.Generator(make),
    heuristics={"half": ludion.Heuristic(Half, "half the lamps", admissible=True)}, default_heuristic="half")
"""


@pytest.fixture
def dig(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dig.py").write_text(QUEST, encoding="utf-8")
    return tmp_path


def spoil(folder, source, old, new):
    """A file of this source with a mistake; its number of the line that has the new text."""
    assert old in source
    text = source.replace(old, new, 1)
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return 1 + text[: text.index(new)].count("\n")


def test_a_run_without_a_level_plays_the_start(dig, capsys):
    done = run(capsys, "run", "dig.py", "--games", "3")
    assert done.returncode == 0
    assert "of 3 won" in done.stdout


def test_the_end_of_a_quest_whose_actions_are_named_by_cells_is_drawn(dig, capsys):
    done = run(capsys, "run", "dig.py", "--show", "--seed", "4")
    assert done.returncode == 0, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert first == "1. a1"  # without a colon: this agent says nothing of what it thinks
    assert last == "  a b c"


def test_a_crash_of_an_agent_names_its_file_and_line(dig, capsys):
    (dig / "agent.py").write_text("def decide(dug):\n    return dug.nothing\n", encoding="utf-8")
    done = run(capsys, "run", "dig.py", "--agent", "python:agent.py")
    assert "agent.py:2: AttributeError" in done.stdout
    done = run(capsys, "run", "dig.py", "--agent", "python:agent.py", "--games", "3")
    assert done.returncode == 1
    assert done.stdout.splitlines()[1].startswith("3 ended by crashed, first: agent.py:2: AttributeError")


def test_a_crash_of_a_player_names_its_file_and_line(dig, capsys):
    (dig / "player.py").write_text("def choose(position, seconds):\n    return position.nothing\n")
    done = run(capsys, "match", "tic-tac-toe", "python:player.py", "random", "--games", "1", "--plies", "0")
    assert "player.py:2: AttributeError" in done.stderr


@pytest.mark.parametrize("words", [["solve"], ["analyse"], ["explain"]])
def test_an_engine_for_a_quest_is_refused_with_a_command_that_works(dig, capsys, words):
    done = run(capsys, *words, "dig.py")
    assert done.returncode == 2
    assert "ludion run dig.py" in done.stderr


def test_bench_measures_the_agents_of_a_quest(dig, capsys, monkeypatch):
    monkeypatch.setattr("ludion.cli.bench.SECONDS", 0.05)
    done = run(capsys, "bench", "dig.py")
    assert done.returncode == 0, done.stderr
    title, _, head, _, *rows = done.stdout.splitlines()
    assert title == "Dig"
    assert head.split() == ["level", "agent", "games", "won", "steps", "slowest", "ms", "decisions/s"]
    assert [row.split()[:2] for row in rows if row] == [["start", "best"], ["one", "best"]]


@pytest.mark.parametrize(
    ("old", "new", "lines_above", "says"),
    [
        (
            "    return ludion.Board(",
            "    return [row]\n    return ludion.Board(",
            2,
            "board must return Board",
        ),
        ('"lamp", "yellow"', '"lamp", "yellow", shape="cube"', 0, "Piece.shape must be"),
        (
            "move_cells=lambda rules, lit, move: move",
            "move_cells=lambda rules, lit, move: 99",
            0,
            "no cell 99",
        ),
    ],
)
def test_a_mistake_in_a_board_names_its_line_once(tmp_path, capsys, monkeypatch, old, new, lines_above, says):
    """The line at fault, or that of the function that returned something else (`lines_above`)."""
    monkeypatch.chdir(tmp_path)
    place = f"mine.py:{spoil(tmp_path, PUZZLE, old, new) - lines_above}: "
    checked = run(capsys, "check", "--no-compiled", "mine.py")
    assert checked.returncode == 1
    assert len(checked.stdout.splitlines()) == 1
    assert checked.stdout.startswith(place)
    assert says in checked.stdout
    played = run(capsys, "solve", "mine.py")
    assert played.stderr.splitlines()[-1].startswith(f"ludion: {place}")
    assert says in played.stderr


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("popcount(lit.lit) + 1", 'bin(lit.lit).count("1") + 1', "Untyped global name 'bin'"),
        ("    return Lit(", "    SEEN.append(1)\n    return Lit(", "assigned to variable 'SEEN' in globals"),
    ],
)
def test_errors_of_the_compiler_show_their_innermost_message(tmp_path, capsys, monkeypatch, old, new, says):
    monkeypatch.chdir(tmp_path)
    number = spoil(tmp_path, PUZZLE, old, new)
    done = run(capsys, "check", "mine.py")
    assert done.stdout.startswith(f"mine.py:{number}: the compiler does not understand this: ")
    assert says in done.stdout


def test_a_generator_must_make_texts_that_are_read(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    number = spoil(tmp_path, PUZZLE, 'return "*" * (seed % 4 + 1)', "return 4")
    for words in (["check", "--no-compiled"], ["generate"]):
        done = run(capsys, *words, "mine.py")
        assert f"mine.py:{number - 1}: make must return str, but returns 4" in done.stdout + done.stderr


def test_a_solution_equal_to_its_bound_is_optimal(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamps.py").write_text(PUZZLE, encoding="utf-8")
    done = run(capsys, "solve", "lamps.py", "--engine", "weighted-a-star")
    assert "2 moves, optimal" in done.stdout


def test_a_single_heuristic_is_explained_once(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lamps.py").write_text(PUZZLE, encoding="utf-8")
    assert run(capsys, "explain", "lamps.py").stdout.count("half = 2") == 1


def test_a_verb_that_never_ends_is_named_before_the_check_times_out(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("ludion.engines.trial.LONGEST_CALL", 0.5)
    spoil(tmp_path, PUZZLE, "    for cell in range(rules.count):\n", "    while True:\n        cell = 0\n")
    done = run(capsys, "check", "--no-compiled", "mine.py")
    assert "moves does not end" in done.stdout
    assert done.stdout.startswith("mine.py:")


def test_ctrl_c_exits_with_130(tmp_path):
    """An endless world is played until Ctrl-C: no traceback, and the documented exit code."""
    source = QUEST.replace("if action in world.dug or", "if").replace(
        "WON if world.treasure in world.dug else LOST", "LOST"
    )
    source = source.replace("len(world.dug) == 8", "False").replace("world.dug.append(action)", "pass")
    (tmp_path / "endless.py").write_text(source, encoding="utf-8")
    (tmp_path / "agent.py").write_text(
        "from pathlib import Path\n\ndef decide(dug):\n    Path('begun').touch()\n    return (0, 0)\n",
        encoding="utf-8",
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "ludion",
            "run",
            "endless.py",
            "--agent",
            "python:agent.py",
            "--steps",
            "1000000000",
        ],
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background shell ignores it
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not (tmp_path / "begun").exists():
        time.sleep(0.05)
        assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "Traceback" not in said


def test_the_address_of_a_question_about_a_file_is_that_of_the_studio_s_page(dig):
    import ludion

    assert ludion.Run("dig.py", agent="best").url().startswith("/play/dig?")
