"""The README is executed: its Python lines as doctests, its commands as commands."""

import doctest
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludion.core import tiers

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    (command.strip(), expected)
    for language, block in BLOCKS
    if language == "console"
    for command, expected in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


def test_python_lines():
    lines = "\n".join(block for language, block in BLOCKS if language == "python" and ">>>" in block)
    example = doctest.DocTestParser().get_doctest(lines, {}, "README.md", "README.md", 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example)
    assert (result.failed, result.attempted > 5) == (0, True)


@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[command for command, _ in COMMANDS])
def test_commands(command, expected):
    words = shlex.split(command)
    assert words[0] == "ludion"
    # What is asked of the example is small; the conformance suite compiles it.
    tier = tiers.INTERPRETED if "examples/" in command else os.environ["LUDION_TIER"]
    done = subprocess.run(
        [sys.executable, "-m", "ludion", *words[1:]],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "LUDION_TIER": tier},
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    assert doctest.OutputChecker().check_output(expected, done.stdout, flags), done.stdout


def test_the_example_is_the_file():
    (shown,) = [
        block for language, block in BLOCKS if language == "python" and block.startswith("# examples/")
    ]
    name, _, content = shown.partition("\n")
    assert (ROOT / name.removeprefix("# ")).read_text(encoding="utf-8") == content


@pytest.mark.parametrize("name", ["domineering.py", "peg_solitaire.py"])
def test_examples_are_short(name):
    assert len((ROOT / "examples" / name).read_text(encoding="utf-8").splitlines()) <= 64
