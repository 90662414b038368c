"""Every public function with bad values of every kind: no abort, no segmentation fault, no foreign exception."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("bad_values.py")


def test_bad_values_of_every_kind():
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    *wrong, calls = done.stdout.splitlines()
    assert wrong == []
    assert int(calls) > 10_000


@pytest.mark.parametrize(
    "line",
    [
        "ludion.perft(ludion.position('tic-tac-toe'), -1)",
        "ludion.solve(ludion.position('tic-tac-toe'), 'monte-carlo', memory=1, nodes=2000)",
        "ludion.solve(ludion.position('tic-tac-toe'), 'alpha-beta', memory=1, depth=3)",
        "ludion.position('connect-four', 4453)",
    ],
)
def test_calls_that_once_killed_the_process(line):
    done = subprocess.run(
        [sys.executable, "-c", f"import ludion\ntry: {line}\nexcept ludion.LudionError: pass"],
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
