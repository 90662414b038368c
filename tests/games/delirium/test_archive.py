"""The archive of states and the walks that fill it."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.games.delirium.archive import NOWHERE, Walks, Weights, room_of_amoeba, score_of, width_of
from ludion.games.delirium.maps import read_map
from ludion.games.delirium.physics import (
    GATHERED,
    MINER_CELL,
    NEEDED,
    OBJECT_HASH,
    STATUS,
    TICK,
    WON,
    MineState,
    copied,
    play_all,
)
from ludion.games.delirium.planner import find_solution
from ludion.games.delirium.search import UNWINNABLE, search_memory
from ludion.games.delirium.world import MineWorld, act, read
from tests.games.delirium.test_physics import cave

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]

# Two diamonds, a stone in the way, a monster that goes to and fro.
MINE = cave("P..r.d", "w..r..", "O w.d.", "..ww.X", need=2)


def walks_in(text: str) -> tuple[Walks, MineState, int]:
    """Walks from the start of a mine, and the node of the start."""
    mine = read_map(text)
    state = mine.state()
    walks = Walks(mine.rule_set(), state, search_memory(len(state.cells) // 64 - 1, 40, 100), seed=1)
    return walks, state, walks.start(state, True, Weights())


def filled_slots(walks: Walks) -> list[int]:
    """The slots that hold states."""
    width = width_of(walks.archive)
    return [level * width + i for level, count in enumerate(walks.archive.filled) for i in range(count)]


def state_of(walks: Walks, slot: int) -> MineState:
    archive = walks.archive
    return MineState(
        archive.cells[slot], archive.details[slot], archive.masks[slot], archive.info[slot], archive.scratch
    )


def replayed(walks: Walks, state: MineState, start: int, node: int) -> MineState:
    """The state after the actions that lead to a node."""
    end = copied(state)
    for _, actions in walks.path(start, node):
        play_all(walks.rules, end, np.array(actions, np.int8))
    return end


def test_every_state_is_reached_by_its_actions_and_stands_in_its_level() -> None:
    walks, state, start = walks_in(MINE)
    walks.walk(300)
    slots = filled_slots(walks)
    assert len(slots) > 3
    for slot in slots:
        end = replayed(walks, state, start, int(walks.archive.node[slot]))
        assert np.array_equal(end.cells, walks.archive.cells[slot])
        assert np.array_equal(end.info, walks.archive.info[slot])
        assert slot // width_of(walks.archive) == min(end.info[GATHERED], end.info[NEEDED])
        score = score_of(walks.rules, walks.archive, end, walks.weights)
        assert score == walks.archive.score[slot]
    for level in range(len(walks.archive.filled)):
        keys = [int(walks.archive.key[slot]) for slot in slots if slot // width_of(walks.archive) == level]
        assert len(set(keys)) == len(keys)


def test_walks_find_the_way_out() -> None:
    walks, state, start = walks_in(MINE)
    assert walks.walk(20_000)
    assert replayed(walks, state, start, walks.way_out).info[STATUS] == WON


def test_a_state_takes_the_place_of_a_worse_one_only() -> None:
    walks, state, start = walks_in(MINE)
    later = copied(state)
    play_all(walks.rules, later, np.array([1, 3], np.int8))  # there and back
    assert (later.info[MINER_CELL], later.info[OBJECT_HASH]) == (
        state.info[MINER_CELL],
        state.info[OBJECT_HASH],
    )
    before = walks.added
    node = walks.add(start, (1, 3), later)
    assert node != NOWHERE
    assert walks.added == before
    assert [int(walks.archive.info[slot, TICK]) for slot in filled_slots(walks)] == [0]


def test_after_a_leg_only_its_descendants_are_left() -> None:
    walks, _, start = walks_in(MINE)
    walks.walk(300)
    archive = walks.archive
    nodes = {int(archive.node[slot]): state_of(walks, slot).cells.copy() for slot in filled_slots(walks)}
    root = int(archive.parent[max(nodes)])
    expected = {node for node in nodes if root in [start, *(each for each, _ in walks.path(start, node))]}
    walks.move_root(root)
    assert {int(archive.node[slot]) for slot in filled_slots(walks)} == expected
    for slot in filled_slots(walks):
        assert np.array_equal(nodes[int(archive.node[slot])], archive.cells[slot])


@pytest.mark.parametrize(
    ("rows", "room"),
    [
        (("P.raw", "X.rrw"), 1),
        (("P.ra ", "X.rr."), 3),
        (("Pra..", "Xr.rw"), 4),  # one of them below
        (("P.a..", "X.rrw"), 6),  # the miner is no wall; the exit is
    ],
)
def test_how_far_an_amoeba_can_grow(rows: tuple[str, ...], room: int) -> None:
    walks, state, _ = walks_in(cave(*rows, need=0))
    assert room_of_amoeba(walks.archive, state) == room


def test_a_mine_that_cannot_be_won_ends_the_search() -> None:
    text = cave("P.wX", ".dww", need=1)
    walks, state, _ = walks_in(text)
    assert score_of(walks.rules, walks.archive, state, walks.weights) == UNWINNABLE
    assert not filled_slots(walks)
    assert not walks.walk(1_000)
    _, world = read(text)
    assert find_solution(world, 5_000) is None


def solved(world: MineWorld) -> bool:
    solution = find_solution(world, 200_000)
    for action in solution or ():
        act(world, action)
    return world.fate == "won"


def test_plans_of_walks_win() -> None:
    _, world = read(MINE)
    assert solved(world)
