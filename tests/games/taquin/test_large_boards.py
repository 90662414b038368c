"""Boards of any size: a first solution line by line, then shorter ones."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludion
from ludion.core import tiers
from ludion.engines.budget import Budget, Expenses
from ludion.engines.limits import STOP, new_control
from ludion.games.taquin import anytime, shortening
from ludion.games.taquin import rules as taquin_rules
from ludion.games.taquin.heuristics import linear_conflict
from ludion.games.taquin.line_by_line import first_solution, joined_pushes
from ludion.games.taquin.shortening import beam_first, find_shorter, pass_along, shorten
from ludion.kinds.puzzle import is_goal, play

SIZES = [(2, 2), (2, 3), (3, 2), (3, 3), (2, 7), (6, 2), (3, 8), (4, 4), (5, 7), (16, 16)]


def random_board(width, height, seed, multi=False):
    """A board with a goal at random, which can be reached."""
    chance = random.Random(seed)
    home, cells = list(range(width * height)), list(range(width * height))
    chance.shuffle(home)
    rules = taquin_rules.taquin(width, height, home, list(range(width * height)), multi)
    while True:
        chance.shuffle(cells)
        start = taquin_rules.tiles(rules, cells)
        if taquin_rules.why_unsolvable(rules, start) is None:
            return rules, start


def solves(rules, start, moves):
    for move in moves:
        start = play(rules, start, move)
    return is_goal(rules, start)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_first_solution_of_any_size_and_goal(width, height):
    for seed in range(8 if width < 16 else 1):
        rules, start = random_board(width, height, seed)
        assert solves(rules, start, first_solution(rules, start))
        rules, start = random_board(width, height, seed, multi=True)
        assert solves(rules, start, joined_pushes(first_solution(rules, start)))


def test_a_board_of_one_row():
    position = ludion.position("taquin", "1 2 _ 3 4")
    assert solves(position.rules, position.state, first_solution(position.rules, position.state))


@pytest.mark.parametrize("seed", range(3))
def test_shortening_leaves_a_solution(seed):
    rules, start = random_board(4, 3, seed)
    first = first_solution(rules, start)
    with tiers.use(tiers.INTERPRETED):
        shorter = shorten(rules, start, first, new_control(Budget(nodes=3000)), nodes=200)
        stopped = new_control(Budget())
        stopped[STOP] = 1
        assert shorten(rules, start, first, stopped) == first
    assert solves(rules, start, shorter)
    assert len(shorter) < len(first)


def test_a_window_is_replaced_by_a_shortest_path():
    """A detour of ten moves around a square takes two; there and back takes none."""
    rules, start = random_board(3, 3, 1)
    cells = np.array(taquin_rules.contents(rules, start), np.int64)
    blank = int(np.flatnonzero(cells == 0)[0])
    here, first = blank, []
    for _ in range(3):
        move = next(move for move in range(4) if rules.beside[here, move] >= 0)
        first.append(move)
        here = int(rules.beside[here, move])
    path = [*first, *[3 - move for move in reversed(first)]]
    with tiers.use(tiers.INTERPRETED):
        control = new_control(Budget())
        assert pass_along(cells, rules.beside, 3, np.array(path), 6, 1000, control).tolist() == []
        board, line, ends = cells.copy(), np.zeros(9, np.int64), np.zeros(9, np.int64)
        assert find_shorter(board, cells, ends, rules.beside, 3, blank, 8, 1000, line, control) == 0
    assert board.tolist() == cells.tolist()


@pytest.mark.parametrize(("size", "metric"), [("10x10", "single"), ("16x16", "single"), ("9x9", "multi")])
def test_a_large_board_has_an_answer_with_a_proved_ratio(size, metric):
    position = ludion.position("taquin", ludion.generate("taquin", 3, size=size).text, metric=metric)
    with tiers.use(tiers.INTERPRETED):
        answer = ludion.solve(position, nodes=300)
    assert answer.status == "solved"
    assert answer.bound < answer.length
    assert f"{answer.length / answer.bound:.3f}" in answer.reason
    assert solves(position.rules, position.state, answer.moves)


@pytest.mark.interpreted
@pytest.mark.parametrize("nodes", [1, 60, 400])
def test_a_beam_begins_and_line_by_line_ends(nodes):
    """However far the beam gets, the result is a solution that is no longer than the one before."""
    rules, start = random_board(7, 7, seed=3)
    first = first_solution(rules, start)
    with tiers.use(tiers.INTERPRETED):
        expenses = Expenses(Budget(seconds=1000.0, nodes=nodes))
        solution = beam_first(rules, start, expenses, first)
    assert len(solution) <= len(first)
    assert solves(rules, start, solution)
    assert expenses.nodes >= nodes


@pytest.mark.interpreted
@pytest.mark.parametrize("nodes", [None, 700])
def test_beams_in_windows_shorten_a_solution(nodes):
    rules, start = random_board(4, 4, seed=5)
    first = first_solution(rules, start)
    with tiers.use(tiers.INTERPRETED), pytest.MonkeyPatch.context() as patch:
        patch.setattr(shortening, "REROUTES", ((16, 4), (24, 8)))
        expenses = Expenses(Budget(seconds=1000.0, nodes=nodes))
        solution = shortening.reroute(rules, start, expenses, first)
    assert len(solution) < len(first)
    assert solves(rules, start, solution)
    assert expenses.nodes > 0


@pytest.mark.interpreted
@pytest.mark.parametrize("size", [7, 9])
def test_a_limit_of_nodes_that_the_first_beam_uses_up(size):
    rules, start = random_board(size, size, seed=4)
    with tiers.use(tiers.INTERPRETED):
        answer = anytime.solve(rules, start, linear_conflict(rules), Budget(seconds=1000.0, nodes=50))
    assert (answer.status, answer.limit) == ("solved", "nodes")
    assert solves(rules, start, answer.moves)
    assert answer.bound <= answer.length == len(answer.moves)
