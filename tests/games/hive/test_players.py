"""The players: the report's, the engine on published puzzles, and what their evaluation promises."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludion
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive import evaluation, players
from ludion.games.hive.board import cell_of, colour_at, exists, is_placement, neighbours, queen_of
from ludion.games.hive.notation import legal_moves, played, read
from ludion.kinds.duel import HIGHEST, OPEN, WON, copy, evaluate, forcing, verdict
from ludion.registry import find

PUZZLES = [level for level in find("hive").all_levels() if "move" in level.known]


@pytest.mark.bounds
@pytest.mark.parametrize("level", PUZZLES, ids=lambda level: level.name)
def test_the_engine_finds_the_forced_win(level):
    position = ludion.position("hive", f"level:{level.name}")
    # A selective search may need some more plies.
    answer = ludion.solve(position, depth=level.known["plies"] + 2)
    assert answer.score.plies is not None
    assert answer.score.value > 0
    assert answer.moves[0] == position.read_move(level.known["move"])


def random_positions(kind, seed, plies):
    generator = random.Random(seed)
    rules, position = read(kind)
    for _ in range(plies):
        moves = legal_moves(rules, position)
        if not moves:
            return
        yield rules, position, moves
        position = played(rules, position, generator.choice(moves))


def queen_neighbours(position, colour):
    """How many occupied neighbours a player's queen has."""
    cell = cell_of(position.board, queen_of(colour))
    return neighbours(position.board, cell).bit_count() if exists(cell) else 0


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("defence", "attack"), [(1, 1), (3, 1), (1, 3)])
def test_the_report_s_player_takes_the_least_cost(defence, attack):
    for rules, position, moves in random_positions("Base", 3, 40):
        answer = players.heuristic(rules, position, None, Budget(), None, defence, attack)
        colour = colour_at(position.ply)

        def cost(move, rules=rules, position=position, colour=colour):
            child = played(rules, copy(rules, position), move)
            around_own, around_enemy = queen_neighbours(child, colour), queen_neighbours(child, 1 - colour)
            return defence * around_own - attack * around_enemy, is_placement(move)

        assert cost(answer.moves[0]) == min(cost(move) for move in moves)


@pytest.mark.interpreted
@pytest.mark.bounds
def test_the_report_s_player_names_no_evaluation_and_heeds_none():
    for rules, position, _ in random_positions("Base+MLP", 4, 20):
        answer = players.heuristic(rules, position, None, Budget())
        assert answer.evaluation == ""
        assert players.heuristic(rules, position, evaluation.make(rules), Budget()) == answer


@pytest.mark.interpreted
@pytest.mark.bounds
def test_the_evaluation_is_antisymmetric_but_for_the_move():
    for rules, position, _ in random_positions("Base+MLP", 5, 60):
        mobility = evaluation.make(rules)
        mobility.weights[[evaluation.TO_MOVE, evaluation.IN_DANGER]] = 0
        other = position._replace(ply=position.ply + 1)
        assert evaluate(mobility, rules, position) == -evaluate(mobility, rules, other)
        assert abs(evaluate(mobility, rules, position)) <= HIGHEST


@pytest.mark.interpreted
@pytest.mark.bounds
def test_forcing_moves_are_exactly_those_that_win_at_once():
    buffer = np.zeros(1024, np.int64)
    for level in PUZZLES:
        rules, position = read(level.position)
        winning = buffer[: forcing(evaluation.make(rules), rules, position, buffer)].tolist()
        for move in legal_moves(rules, position):
            child = played(rules, copy(rules, position), move)
            surrounds = queen_neighbours(child, colour_at(child.ply)) == 6
            wins = surrounds and verdict(rules, child) not in (OPEN, WON)
            assert (move in winning) == wins


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_levels_vary_their_openings(level):
    position = ludion.position("hive", "Base+MLP")
    first = {ludion.best_move(position, level, seed=seed) for seed in range(8)}
    assert len(first) > 1
    assert first <= set(position.moves())


def test_selective_and_thorough_search_agree_on_wins():
    for level in PUZZLES[:10]:
        rules, position = read(level.position)
        guide = evaluation.make(rules)
        depth = min(4, level.known["plies"])
        thorough = alpha_beta.solve(rules, position, guide, Budget(depth=depth), selective=False)
        selective = alpha_beta.solve(rules, position, guide, Budget(depth=depth + 1))
        if thorough.score.plies is not None:
            assert selective.score.value == thorough.score.value


@pytest.mark.slow
def test_the_engine_beats_the_report_s_player():
    for seed in range(10):
        rules, position = read("Base+MLP" if seed % 2 else "Base")
        position = played(rules, position, legal_moves(rules, position)[seed % 3])
        guide = evaluation.make(rules)
        while verdict(rules, position) == OPEN and position.ply < 150:
            engine = position.ply % 2 == seed % 2
            budget = Budget(nodes=3000, memory=1 << 22)
            solve = alpha_beta.solve if engine else players.heuristic
            position = played(rules, position, solve(rules, position, guide, budget).moves[0])
        to_move_wins = verdict(rules, position) == WON
        assert verdict(rules, position) != OPEN
        assert to_move_wins == (position.ply % 2 == seed % 2)
