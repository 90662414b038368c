"""The measured rates of the opponents: one stored place, which the documentation repeats."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ludion import registry
from ludion.kinds.games import DUEL
from ludion.studio.opponents import OPPONENTS, measured

DOCUMENT = Path(__file__).parents[2] / "docs" / "studio.md"


BEGINNER, *OTHERS = OPPONENTS


def test_every_duel_has_the_points_of_each_level_that_is_offered():
    duels = {name for name, game in registry.installed().items() if game.kind == DUEL}
    assert set(measured()) == duels
    for figures in measured().values():
        assert [level for level in OTHERS if level in figures["points"]] == list(figures["points"])
        assert list(figures.get("blunders", {})) in ([], [BEGINNER, *figures["points"]])


def test_every_level_is_better_than_the_one_below():
    for figures in measured().values():
        assert all(points > 50 for points in figures["points"].values())
        rates = list(figures.get("blunders", {}).values())
        assert rates == sorted(set(rates), reverse=True)


@pytest.mark.parametrize("figure", ["points", "blunders"])
def test_the_documentation_states_them(figure):
    heading = {"points": "points against the level below", "blunders": "moves that cost the result"}[figure]
    written = DOCUMENT.read_text(encoding="utf-8").partition(f"| {heading}")[2]
    for name, figures in measured().items():
        if figure not in figures:
            continue
        row = re.search(rf"^\| {registry.find(name).caption} \|.*$", written, re.MULTILINE | re.IGNORECASE)
        assert row is not None
        assert [int(each) for each in re.findall(r"(\d+) %", row.group())] == list(figures[figure].values())
