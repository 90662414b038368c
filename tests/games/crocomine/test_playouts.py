"""Playouts: boards are drawn as likely as they are, and what an action is worth is what best play makes of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from ludion.games.crocomine import generator
from ludion.games.crocomine.agents import CountingAgent
from ludion.games.crocomine.choice import list_completions, search_to_the_end
from ludion.games.crocomine.inference import known_board, shared_workspace
from ludion.games.crocomine.playouts import compare_by_playouts, draw_board, empty_board
from ludion.games.crocomine.rules import SEA, Action, View, act_on, begin
from ludion.kinds.quest import RUNNING, percept


def completions(view: View) -> tuple[np.ndarray, np.ndarray]:
    cells, found = np.zeros(30, np.int64), np.zeros((2000, 30), np.int8)
    count, hidden, _ = list_completions(known_board(view), True, 2000, 100_000, cells, found)
    return cells[:hidden], found[:count, :hidden]


def undecided(name: str, seeds: range, most: int) -> Iterator[tuple[View, CountingAgent]]:
    """Positions of small games in which nothing is certain, with what the agent has found out."""
    for seed in seeds:
        world, agent = begin(generator.from_name(name, seed)), CountingAgent(seed)
        while world.view.status == RUNNING:
            view = percept(world)
            action = agent.decide(view)
            if not agent.sure and len(completions(view)[1]) <= most:
                yield view, agent
            act_on(world, action)


@pytest.mark.parametrize("name", ["4x4:5:safe", "4x3:1/1/2:safe"])
def test_boards_are_drawn_as_likely_as_they_are(name: str) -> None:
    tested = 0
    for view, _ in undecided(name, range(40), 100):
        cells, found = completions(view)
        expected = {tuple(row) for row in found.tolist()}
        board, random = empty_board(view.cells), np.array([12345])
        drawn = dict.fromkeys(expected, 0)
        for _ in range(60 * len(expected)):
            assert draw_board(shared_workspace(), known_board(view), random, board)
            drawn[tuple((board.animals[cells] + 4 * (board.terrain[cells] == SEA)).tolist())] += 1
        spread = sum((times - 60) ** 2 / 60 for times in drawn.values())  # chi-squared
        assert spread < len(expected) + 4 * (2 * len(expected)) ** 0.5 + 4
        tested += 1
    assert tested >= 5


@pytest.mark.interpreted
@pytest.mark.bounds
def test_a_drawn_board_fits_what_is_seen() -> None:
    grid = generator.from_name("5x5:2/2/2:safe", 1)
    world = begin(grid)
    act_on(world, Action("discover", *divmod(grid.start, 5)))
    view, board = world.view, empty_board(25)
    for number in range(5):
        assert draw_board(shared_workspace(), known_board(view), np.array([number + 1]), board)
        opened, seen = view.seen == 0, view.terrain >= 0
        assert (board.clues[opened] == view.clues[opened]).all()
        assert (board.terrain[seen] == view.terrain[seen]).all()
        assert (board.animals[opened] == 0).all()
        assert [(board.animals == kind).sum() for kind in (1, 2, 3)] == view.totals.tolist()


@pytest.mark.parametrize("name", ["4x4:5:safe", "4x3:1/1/2:safe"])
def test_what_an_action_is_worth_is_what_best_play_makes_of_it(name: str) -> None:
    """Where few completions are left, a playout goes one risk and then to the end: the best action wins as much
    as the exhaustive search says, and none wins more."""
    compared = 0
    for view, agent in undecided(name, range(20), 300):
        cells, found = completions(view)
        wins = search_to_the_end(known_board(view), cells, found, 100_000_000).wins
        chances = agent.chances
        actions = [(c, k) for c in cells for k in range(1 if view.flags else 4) if 0 < chances[c, k] < 1]
        worths, random = np.zeros(len(actions)), np.array([compared + 1])
        known = np.where(view.flags & (agent.certain > 0), agent.certain, view.seen).astype(np.int8)
        best = compare_by_playouts(
            shared_workspace(),
            known_board(view),
            agent.certain,
            known,
            agent.beliefs,
            np.array(actions, np.int64),
            100,
            random,
            worths,
        )
        assert worths[best] == pytest.approx(wins / len(found), abs=0.06)
        compared += 1
    assert compared >= 5
