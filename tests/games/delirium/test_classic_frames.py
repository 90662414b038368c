"""The classic rules against recorded truth: frames that GDash's engine showed of random caves.

`classic_frames.json.gz` is a list of caves, each with what was done in it and what was seen after each action:

    kind      stones, flies, magic, open, crowd, walls, amoeba, slime, stages, miners, dolls or all: what the cave is
              rich in
    settings  lines of the cave's head, if it has any
    map       the rows of the cave in BDCFF letters, border included; the miner is there from the start
    need      diamonds that open the exit
    actions   one letter per frame: `.` wait, `r u l d` move, `R U L D` fire and a direction
    frames    the rows after each action, joined by `/`; capital D and R fall, `*` is any stage of an explosion
    gathered  diamonds after each action
    exited    whether the last action led through the exit

Pushes always succeed and there is no time limit. The cave moves on after the miner's death, and so does the record.
Records of caves with an amoeba end before it grows, which is a matter of chance.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ludion.games.delirium import physics
from ludion.games.delirium.actions import read_actions
from ludion.games.delirium.drawing import frame_rows
from ludion.games.delirium.maps import read_map
from tests.games.delirium.twin import ClassicTwin

RECORDS = Path(__file__).parent / "classic_frames.json.gz"
KINDS = {
    **dict.fromkeys(("stones", "flies", "magic", "open", "crowd", "walls", "amoeba"), 30),
    **dict.fromkeys(("slime", "stages", "miners", "dolls", "all"), 20),
}
STAGES = """1=EXPLOSION1
2=EXPLOSION2
&=EXPLOSION3
!=DIAMONDBIRTH1
'=DIAMONDBIRTH2
"=DIAMONDBIRTH3
#=BOULDERBIRTH1
$=BOULDERBIRTH2
%=STEELWALLBIRTH1"""


class Recorded(NamedTuple):
    """One cave of the file."""

    kind: str
    map: list[str]
    need: int
    actions: str
    frames: list[str]
    gathered: list[int]
    exited: bool
    settings: tuple[str, ...] = ()

    def text(self) -> str:
        codes = ["[mapcodes]", STAGES, "[/mapcodes]"]
        head = [f"DiamondsRequired={self.need}", "CaveTime=-1", "HatchingDelay=0", *self.settings]
        return "\n".join([*codes, "[cave]", *head, "[map]", *self.map, "[/map]", "[/cave]"])


def recorded(kind: str) -> Iterator[tuple[int, Recorded]]:
    """The caves of a kind, with their numbers in the file."""
    for number, cave in enumerate(json.loads(gzip.decompress(RECORDS.read_bytes()))):
        if cave["kind"] == kind:
            yield number, Recorded(**cave)


def test_every_kind_is_recorded() -> None:
    assert {kind: sum(1 for _ in recorded(kind)) for kind in KINDS} == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_frame_equals_the_recorded_one(kind: str) -> None:
    for number, cave in recorded(kind):
        mine = read_map(cave.text())
        state, rules = mine.state(), mine.rule_set()
        for step, action in enumerate(read_actions(cave.actions)):
            if state.info[physics.STATUS] != physics.WON:  # the record goes on after the miner's death
                state.info[physics.STATUS] = physics.RUNNING
            physics.tick(rules, state, action)
            assert frame_rows(state) == cave.frames[step].split("/"), (number, step)
            assert state.info[physics.GATHERED] == cave.gathered[step], (number, step)
        assert (state.info[physics.STATUS] == physics.WON) == cave.exited, number


@pytest.mark.parametrize("kind", KINDS)
def test_the_naive_twin_shows_the_recorded_frames_too(kind: str) -> None:
    for number, cave in list(recorded(kind))[::3]:
        mine = read_map(cave.text())
        rows = [list(row) for row in mine.rows]
        twin = ClassicTwin(rows, mine.need, mine.rule_set(), 0, mine.details, mine.slime_seed)
        for step, action in enumerate(read_actions(cave.actions)):
            if twin.fate != "won":
                twin.fate = "running"
            twin.tick(action)
            assert twin.frame() == cave.frames[step], (number, step)
            assert twin.got == cave.gathered[step], (number, step)
        assert (twin.fate == "won") == cave.exited, number
