"""Checking other engines: ours agrees with itself, and the differences of a wrong one are named."""

from __future__ import annotations

import sys

from ludion.games.hive.uhp_check import MoveDifference, check
from ludion.games.hive.uhp_client import External
from ludion.registry import find

OURS = [sys.executable, "-m", "ludion", "uhp"]


def test_our_engine_agrees_with_us():
    positions = [level.position for level in find("hive").all_levels()][:4]
    with External(OURS, patience=120) as engine:
        results = list(check(engine, positions, games=2, plies=25, seed=3, types=["Base", "Base+MLP"]))
    assert len(results) > 40
    assert [difference for _, difference in results if difference is not None] == []


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
        ((number, difference),) = check(engine, ["Base"], games=0, plies=0, seed=0)
    assert number == 1
    assert difference is not None
    assert set(difference.missing) == {"wS1", "wB1", "wG1"}
    assert difference.extra == ("wQ",)
    assert "zz" in difference.note


def test_differences_in_words():
    difference = MoveDifference("Base;NotStarted;White[1]", ("wS1", "wB1"), ("wQ",), "'zz' is not a move")
    assert str(difference).splitlines() == [
        "Base;NotStarted;White[1]",
        "  missing: wS1; wB1",
        "  extra:   wQ",
        "  answer:  'zz' is not a move",
    ]
