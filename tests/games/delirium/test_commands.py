"""`ludion delirium-replay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludion.cli._output import TerminalTools
from ludion.errors import LudionError
from ludion.games.delirium.game import GAME
from tests.games.delirium.test_classic_frames import recorded


def replay(*arguments: str, stdin: str = "") -> str:
    command = GAME.commands["delirium-replay"]()
    result = CliRunner().invoke(
        command, list(arguments), input=stdin, obj=TerminalTools(), standalone_mode=False
    )
    if result.exception is not None:
        raise result.exception
    return result.stdout


def test_a_recorded_cave_is_replayed(tmp_path: Path) -> None:
    _, cave = next(
        (number, cave) for number, cave in recorded("walls") if cave.exited or "P" in cave.frames[9]
    )
    file = tmp_path / "cave.bd"
    file.write_text(cave.text(), encoding="utf-8")
    answer = json.loads(replay(str(file), cave.actions[:10], "--json"))
    assert answer["map"] == cave.map
    assert answer["frames"] == cave.frames[:10]
    assert answer["gathered"] == cave.gathered[:10]
    assert (answer["need"], answer["actions"]) == (cave.need, cave.actions[:10])
    assert json.loads(replay("-", cave.actions[:10], "--json", stdin=cave.text())) == answer


def test_a_win_is_checked() -> None:
    level = next(level for level in GAME.all_levels() if level.name == "lock")
    answer = json.loads(replay("level:lock", level.known["solution"] + "..", "--json"))
    assert (answer["exited"], answer["fate"], answer["ticks"]) == (True, "won", level.known["ticks"])
    assert answer["unused_actions"] == 2
    assert len(answer["frames"]) == level.known["ticks"]


def test_frames_are_printed_one_below_the_other() -> None:
    text = "[cave]\nName=x\nDiamondsRequired=0\nHatchingDelay=0\n[map]\nP.r\n.. \nX..\n[/map]\n[/cave]"
    shown = replay(text, "r", "--option", "rules=boulder-dash")
    assert "\nr\nWWWWW\nW P W\nW..RW\nWX..W\nWWWWW\n" in shown


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("level:lock", "r?"), "not a sequence of actions"),
        (("nothing", "r"), "neither an XML map"),
        (("level:lock", "r", "--option", "rules=mine"), "mine"),
        (("level:lock", "r", "--option", "colour=red"), "colour"),
    ],
)
def test_bad_input_is_one_line(arguments: tuple[str, ...], why: str) -> None:
    with pytest.raises(LudionError, match=why) as error:
        replay(*arguments)
    assert "\n" not in str(error.value)
