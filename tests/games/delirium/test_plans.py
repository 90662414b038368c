"""The search for plans: stones that can never move again, and plans that chain backwards."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.core import tiers
from ludion.games.delirium.drops import possible_pushes, walls_of_interest
from ludion.games.delirium.maps import read_map
from ludion.games.delirium.physics import MAGIC_TICKS_LEFT, STRIDE, WALL, cell_at
from ludion.games.delirium.planner import find_solution
from ludion.games.delirium.search import (
    FROZEN,
    OUTLOOK_SIZE,
    POSSIBLE_EXITS,
    mark_frozen_stones,
    survey,
)
from ludion.games.delirium.world import MineWorld, act, read
from tests.games.delirium.test_physics import cave


@pytest.mark.parametrize(
    ("rows", "frozen", "exits"),
    [
        (("P.rwX", "wwwww"), [(1, 3)], 0),  # pushed from the left only, against a wall
        (("P.r.X", "wwwww"), [], 1),
        (("P.rr.X", "wwwwww"), [], 1),  # a row is pushed at once
        (("wPww", "wrww", "w.ww", "wXww"), [], 1),  # falls when the dirt is dug
        (("wPww", "wrww", "wXww"), [(2, 2)], 0),
        (("P...w", "w.rrw", "w.rrw", "wwwwX"), [(2, 4), (3, 3), (3, 4)], 0),  # one of four can roll away
        (("P.rdw", "wwwww", "....X"), [], 0),  # the diamond gives way, the walls do not
    ],
)
def test_stones_that_can_never_move_are_walls(
    rows: tuple[str, ...], frozen: list[tuple[int, int]], exits: int
) -> None:
    mine = read_map(cave(*rows))
    state, rules = mine.state(), mine.rule_set()
    marks, queue = np.zeros(len(state.cells), np.int8), np.zeros(4 * len(state.cells), np.int64)
    outlook = np.zeros(OUTLOOK_SIZE, np.int64)
    with tiers.use(tiers.INTERPRETED):
        mark_frozen_stones(rules, state, marks)
        assert np.flatnonzero(marks == FROZEN).tolist() == [cell_at(*place) for place in frozen]
        survey(rules, state, marks, queue, outlook)
    assert outlook[POSSIBLE_EXITS] == exits


def test_monsters_may_blast_what_is_frozen() -> None:
    mine = read_map(cave("P.rwX", "wwwww", "O    "))
    state = mine.state()
    marks, queue = np.zeros(len(state.cells), np.int8), np.zeros(4 * len(state.cells), np.int64)
    outlook = np.zeros(OUTLOOK_SIZE, np.int64)
    with tiers.use(tiers.INTERPRETED):
        survey(mine.rule_set(), state, marks, queue, outlook)
    assert outlook[POSSIBLE_EXITS] == 1


def test_walls_around_what_is_shut_in_are_of_interest() -> None:
    state = read_map(cave("P..w.", "...wd", "...ww", "X....", need=1)).state()
    walls = walls_of_interest(state)
    assert walls == {cell_at(1, 4), cell_at(2, 4), cell_at(3, 5)}
    assert all(state.cells[cell] == WALL for cell in walls)


def test_stones_are_pushed_along_firm_ground_to_the_shaft() -> None:
    state = read_map(cave("P.r. ww", "wwww ww", "w     w", "X....ww")).state()
    drop = possible_pushes(state, {cell_at(3, 4), cell_at(3, 5)})
    assert [(each.stone, each.target, each.stand, each.dirt) for each in drop] == [
        (cell_at(1, 3), cell_at(3, 5), cell_at(1, 2), (cell_at(1, 4),))
    ]
    assert drop[0].target - cell_at(1, 5) == 2 * STRIDE


# The diamond is behind a wall that only a blast breaks: the monster must be hit below the shaft, by a stone that is
# pushed over its edge at the right moment; in the second mine, after dirt was dug out of its way.
BELOW = ("WWW WWWWW", "www wwwww", "w O    ww", "wwwwwwwww", "wd      X")
CHAINS = {
    "edge": cave("P        ", "  r      ", *BELOW, need=1),
    "dirt": cave("P........", ".....r...", *BELOW, need=1),
    # A butterfly goes round a wide room; the stone must begin to fall many ticks before it comes by below.
    "room": cave(
        *("    C       ", "   r        ", "  P.        ", *6 * (" " * 12,), " " * 11 + "X"),
        need=6,
        engine="BD1",
    ),
}


def check_solved(text: str) -> MineWorld:
    """The mine after the solution that is found for it, which must win."""
    _, world = read(text)
    solution = find_solution(world, 100_000)
    assert solution is not None
    for action in solution:
        act(world, action)
    assert world.fate == "won"
    return world


@pytest.mark.parametrize("name", CHAINS)
def test_stones_hit_monsters_at_the_right_moment(name: str) -> None:
    check_solved(CHAINS[name])


# A stone makes a diamond only if the cell under the wall is empty; the amoeba becomes as many diamonds as it has cells
# when the wall begins to work.
WITH_MAGIC_WALLS = {
    "dirt below": cave("P..r....", "........", "..MMM...", "........", ".......X", need=1),
    "amoeba": cave(
        "P  r    X", "   .     ", "   M     ", *4 * (" " * 9,), "        a", need=10, engine="BD1"
    ).replace("[map]", "MagicWallProperties.stopsamoeba=true\n[map]"),
}


@pytest.mark.parametrize("name", WITH_MAGIC_WALLS)
def test_what_a_magic_wall_needs_is_prepared_first(name: str) -> None:
    world = check_solved(WITH_MAGIC_WALLS[name])
    assert world.state.info[MAGIC_TICKS_LEFT] > 0


def test_an_amoeba_that_sleeps_is_not_waited_for() -> None:
    rows = ("P  r    X", "   .     ", "   M     ", "      www", "      waw", "      www")
    text = cave(*rows, need=10, engine="BD1").replace("[map]", "MagicWallProperties.stopsamoeba=true\n[map]")
    _, world = read(text)
    assert find_solution(world, 2_000) is None
