"""The measured rates of the opponents: one stored place, which the documentation repeats."""

from __future__ import annotations

import re
from pathlib import Path

from ludion import registry
from ludion.kinds.games import DUEL
from ludion.studio.opponents import OPPONENTS, measured

DOCUMENT = Path(__file__).parents[2] / "docs" / "studio.md"


def test_every_duel_has_the_points_of_each_level_against_the_one_below():
    duels = {name for name, game in registry.installed().items() if game.kind == DUEL}
    assert set(measured()) == duels
    assert all(list(points) == list(OPPONENTS)[1:] for points in measured().values())


def test_no_level_is_weaker_than_the_one_below():
    assert all(points >= 50 for game in measured().values() for points in game.values())
    assert all(points > 50 for game in ("connect-four", "hive") for points in measured()[game].values())


def test_the_documentation_states_them():
    written = DOCUMENT.read_text(encoding="utf-8").partition("points against the level below")[2]
    for name, points in measured().items():
        row = re.search(rf"^\| {registry.find(name).caption} \|.*$", written, re.MULTILINE | re.IGNORECASE)
        assert row is not None
        assert [int(each) for each in re.findall(r"(\d+) %", row.group())] == list(points.values())
