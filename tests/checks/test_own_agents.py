"""An agent of one's own plays a quest: `--agent python:FILE.py`."""

from __future__ import annotations

import subprocess
import sys

import pytest

import ludion

from .sources import QUEST, load, spoilt

AGENT = """\
def decide(hint):
    return 4 if hint.guesses else 3
"""
WITH_MEMORY = """\
class Agent:
    def __init__(self):
        self.next = 0

    def decide(self, hint):
        self.next += 1
        return self.next
"""


@pytest.mark.parametrize(("source", "steps"), [(AGENT, 2), (WITH_MEMORY, 4)])
def test_an_agent_from_a_file(tmp_path, source, steps):
    game = load(tmp_path, QUEST)
    (tmp_path / "agent.py").write_text(source, encoding="utf-8")
    run = ludion.Run(game.name, "4", agent=f"python:{tmp_path / 'agent.py'}")
    for _ in range(2):  # each run has an agent of its own
        record = run.record()
        assert (record["status"], record["length"]) == ("won", steps)


def test_on_the_command_line(tmp_path):
    (tmp_path / "secret.py").write_text(QUEST, encoding="utf-8")
    (tmp_path / "agent.py").write_text(AGENT, encoding="utf-8")
    words = ["run", "secret.py", "4", "--agent", "python:agent.py"]
    done = subprocess.run(
        [sys.executable, "-m", "ludion", *words], capture_output=True, text=True, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "won after 2 steps" in done.stdout


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("x = 1\n", "agent.py defines no agent"),
        ("x = 1\ny = x / 0\n", "agent.py:2: ZeroDivisionError: division by zero"),
        ("def decide(hint:\n", "agent.py:1: SyntaxError"),
        ("class Agent:\n    pass\n", "agent.py defines no agent"),
    ],
)
def test_bad_agent_files(tmp_path, source, complaint):
    game = load(tmp_path, QUEST)
    (tmp_path / "agent.py").write_text(source, encoding="utf-8")
    with pytest.raises(ludion.GameFileError) as caught:
        ludion.Run(game.name, "4", agent=f"python:{tmp_path / 'agent.py'}").record()
    assert complaint in str(caught.value)
    with pytest.raises(ludion.GameFileError, match="no agent file"):
        ludion.Run(game.name, "4", agent="python:nowhere.py").record()
    with pytest.raises(ludion.UnknownNameError):
        ludion.Run(game.name, "4", agent="python:").record()


def test_verbose_shows_the_traceback(tmp_path):
    source = spoilt(QUEST, ("return str(world.number)", "return str(world.numbr)"))
    (tmp_path / "secret.py").write_text(source, encoding="utf-8")
    for words, lines in ((["check", "secret.py"], 1), (["show", "secret.py", "4"], 1)):
        done = subprocess.run(
            [sys.executable, "-m", "ludion", *words], capture_output=True, text=True, cwd=tmp_path
        )
        assert done.returncode in (1, 2)
        assert len(done.stderr.splitlines()) == lines
        assert "secret.py:" in done.stdout + done.stderr
        assert "AttributeError" in done.stdout + done.stderr
    words = ["show", "secret.py", "4", "--verbose"]
    done = subprocess.run(
        [sys.executable, "-m", "ludion", *words], capture_output=True, text=True, cwd=tmp_path
    )
    assert "Traceback" in done.stderr
