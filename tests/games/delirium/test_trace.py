"""The log of the real game of 2009, replayed frame for frame. It is not ours to ship: `LUDION_DELIRIUM_DATA` names a
folder that has it (`trace_2009/Player1_AITrace.txt`) and the maps that were played."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from ludion.games.delirium.physics import BLAST, ITEM_NAMES, MINER_CELL, STRIDE, cell_at
from ludion.games.delirium.world import MineWorld, act, read
from ludion.kinds import quest

DATA = Path(os.environ.get("LUDION_DELIRIUM_DATA", "nowhere"))
LOG = DATA / "trace_2009" / "Player1_AITrace.txt"
CODES = {"": 0, "StW1": 6} | {name: code for code, name in enumerate(ITEM_NAMES, 1)}
ACTIONS = {(0, 0): 0, (1, 0): 1, (0, -1): 2, (-1, 0): 3, (0, 1): 4}
PLAYED = (
    "delirium",
    "smallmap",
    *(f"smallmap{number}" for number in range(2, 12)),
    *("monstre1", "smallmap12", "tunel", "defmap_L001_N001", "defmap_L001_N002"),
)
IDLE = {"delirium": 3}  # ticks before the first frame
TIES = {"smallmap12": "right"}  # which way a stone rolled that could roll both

VIEW = re.compile(
    r"ViewPerimeter: .*?\n-+\n(.*?)\n\nX,Y: (\d+),(\d+) - Pos: (\d+) - LineSize: (\d+)", re.DOTALL
)
MOVE = re.compile(r"==>\s+Head for: (-?\d+),(-?\d+)")


class View(NamedTuple):
    x: int
    y: int
    position: int
    rows: Any


def read_log() -> list[tuple[list[View], tuple[int, int] | None]]:
    """What the miner saw in each frame (the view was enlarged on demand), and where he went, if the log says so."""
    frames = []
    text = LOG.read_text(encoding="latin-1").replace("\r", "")
    for part in re.split(r"\nIteration: \d+\n", text)[1:]:
        views = []
        for lines, x, y, position, size in VIEW.findall(part):
            width = int(size)
            cells = [
                [CODES[line[8 * column : 8 * column + 8].strip()] for column in range(width)]
                for line in lines.split("\n")
            ]
            views.append(View(int(x), int(y), int(position), np.array(cells)))
        move = MOVE.search(part)
        frames.append((views, (int(move[1]), int(move[2])) if move else None))
    return frames


def fits(world: MineWorld, view: View) -> bool:
    height, width = view.rows.shape
    left, top = view.x - view.position % width, view.y - view.position // width
    cells = world.state.cells.reshape(-1, STRIDE)[top : top + height, left : left + width]
    place = int(world.state.info[MINER_CELL])
    return place == cell_at(view.y, view.x) and bool((np.where(cells == BLAST, 0, cells) == view.rows).all())


@pytest.mark.skipif(not LOG.is_file(), reason="LUDION_DELIRIUM_DATA names no folder with the log")
def test_the_log_of_the_real_game_is_replayed() -> None:
    log = read_log()
    assert len(log) == 596
    files = {file.stem: file for file in DATA.glob("*/*.xml")}
    number = 0
    for name in PLAYED:
        _, world = read(files[name].read_text(encoding="latin-1"), ticks="-1", tie=TIES.get(name, "left"))
        for _ in range(IDLE.get(name, 0)):
            act(world, 0)
        while quest.outcome(world) == quest.RUNNING and number < len(log):
            views, move = log[number]
            assert views
            assert all(fits(world, view) for view in views), (name, number)
            number += 1
            if move is None and number < len(log):  # as the next frame shows
                after = log[number][0][0]
                move = after.x - views[0].x, after.y - views[0].y
            act(world, ACTIONS[move or (0, 0)])
    assert number == 596
