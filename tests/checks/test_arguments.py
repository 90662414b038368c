"""Every public function with bad values of every kind: no abort, no segmentation fault, no foreign exception."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys, math, itertools
import ludion
from ludion.errors import LudionError

BAD = [None, True, -1, 0, 1, 2**31, 2**63, 2**70, -2**70, 1.5, -0.0, math.nan, math.inf, "", "no such", "\\x00",
       "x" * 5000, "level:", b"bytes", [], {}, (), [1, 2], {"a": 1}, object(), int, len]
puzzle, duel = ludion.position("taquin", "1 2 3/4 5 6/7 0 8"), ludion.position("tic-tac-toe", "xo./.../...")
world = ludion.position("crocomine", ludion.games()["crocomine"].start) if ludion.games()["crocomine"].start else None
LIMITS = {"nodes": 50}
foreign = []
calls = 0

def call(name, function, *arguments, **named):
    global calls
    calls += 1
    try:
        function(*arguments, **named)
    except LudionError as error:
        if "\\n" in str(error):
            foreign.append(f"{name}{arguments!r:.80}{named!r:.80}: two lines")
    except TypeError as error:
        # Python's own complaint about a call that does not fit the signature
        if "argument" not in str(error):
            foreign.append(f"{name}{arguments!r:.80}{named!r:.80}: TypeError {error}")
    except Exception as error:
        foreign.append(f"{name}{arguments!r:.80}{named!r:.80}: {type(error).__name__} {error}"[:300])

for bad in BAD:
    call("position", ludion.position, bad)
    call("position", ludion.position, "taquin", bad)
    call("position", ludion.position, "taquin", "", goal=bad)
    call("load_game_file", ludion.load_game_file, bad)
    call("register", ludion.register, bad)
    call("check", ludion.check, bad)
    call("generate", ludion.generate, bad)
    call("generate", ludion.generate, "taquin", bad)
    call("perft", ludion.perft, bad, 1)
    if not (isinstance(bad, int) and 3 < bad <= 100):
        call("perft", ludion.perft, duel, bad)
    call("study", ludion.study, bad)
    call("Search", lambda: ludion.Search(bad).answer())
    call("Search", lambda: ludion.Search("taquin", bad).prepare())
    if not isinstance(bad, (list, dict)):  # a field of the wrong type that cannot be looked up
        call("Search", lambda: ludion.Search("tic-tac-toe", engine=bad).prepare())
    call("Run", lambda: ludion.Run(bad).checked())
    call("Run", lambda: ludion.Run("delirium", agent=bad).checked())
    call("Budget", ludion.Budget, bad)
    call("Budget", ludion.Budget, None, bad)
    call("Budget", ludion.Budget, None, None, bad)
    call("Budget", ludion.Budget, None, None, 1000, bad)
    call("play", duel.play, bad)
    if isinstance(bad, str):  # it is given a text
        call("read_move", duel.read_move, bad)
    for function in (ludion.solve, ludion.analyse, ludion.best_move):
        name = function.__name__
        call(name, function, bad)
        call(name, function, puzzle, bad, **LIMITS)
        for argument in ("heuristic", "evaluation", "seconds", "memory", "depth", "budget", "observer"):
            rest = {"depth": 2} if argument != "depth" else LIMITS
            call(name, function, duel, "negamax", **{argument: bad}, **rest)
        call(name, function, puzzle, "a-star", heuristic=bad, **LIMITS)
        call(name, function, puzzle, "weighted-a-star", weight=bad, **LIMITS)
        call(name, function, duel, "monte-carlo", seed=bad, **LIMITS)
        call(name, function, duel, "alpha-beta", memory=bad, depth=2)
        call(name, function, duel, "monte-carlo", memory=bad, **LIMITS)
        if not (isinstance(bad, int) and not isinstance(bad, bool) and bad > 0):
            call(name, function, duel, "alpha-beta", threads=bad, depth=2)
            call(name, function, puzzle, "a-star", nodes=bad)
print(calls)
for line in foreign:
    print(line)
"""


def test_bad_values_of_every_kind(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=280, env=dict(os.environ)
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    calls, *foreign = done.stdout.splitlines()
    assert int(calls) > 1000
    assert foreign == []


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
