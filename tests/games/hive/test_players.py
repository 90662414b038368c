"""The players: the report's, the engine on published puzzles, and what their evaluation promises."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludion
from ludion.engines import alpha_beta
from ludion.engines.limits import Budget
from ludion.games.hive import evaluation, players
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.rules import SIDE, WHERE, ring
from ludion.kinds.duel import HIGHEST, OPEN, WON, copy, evaluate, forcing, verdict
from ludion.registry import card

PUZZLES = [level for level in card("hive").all_levels() if "move" in level.known]


@pytest.mark.bounds
@pytest.mark.parametrize("level", PUZZLES, ids=lambda level: level.name)
def test_the_engine_finds_the_forced_win(level):
    position = ludion.position("hive", f"level:{level.name}")
    answer = ludion.solve(position, depth=level.known["plies"] + 1)
    assert answer.score.plies is not None
    assert answer.score.value > 0
    assert answer.moves[0] == position.read_move(level.known["move"])


def random_positions(kind, seed, plies):
    chance = random.Random(seed)
    game, position = read(kind)
    for _ in range(plies):
        moves = legal_moves(game, position)
        if not moves:
            return
        yield game, position, moves
        position = played(game, position, chance.choice(moves))


def neighbours(position, queen):
    cell = position.board[WHERE + queen]
    return bin(ring(position.board, cell)).count("1") if cell >= 0 else 0


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("defence", "attack"), [(1, 1), (3, 1), (1, 3)])
def test_the_report_s_player_takes_the_least_cost(defence, attack):
    for game, position, moves in random_positions("Base", 3, 40):
        answer = players.heuristic(game, position, None, Budget(), None, defence, attack)
        own = SIDE * (position.ply & 1)

        def cost(move, game=game, position=position, own=own):
            child = played(game, copy(game, position), move)
            around_own, around_other = neighbours(child, own), neighbours(child, SIDE - own)
            return defence * around_own - attack * around_other, move >> 10 & 1023 == move & 1023

        assert cost(answer.moves[0]) == min(cost(move) for move in moves)


@pytest.mark.interpreted
@pytest.mark.bounds
def test_the_evaluation_is_antisymmetric_but_for_the_move():
    for game, position, _ in random_positions("Base+MLP", 5, 60):
        weights = evaluation.make(game)
        weights.table[evaluation.TEMPO] = 0
        other = position._replace(ply=position.ply + 1)
        assert evaluate(weights, game, position) == -evaluate(weights, game, other)
        assert abs(evaluate(weights, game, position)) <= HIGHEST


@pytest.mark.interpreted
@pytest.mark.bounds
def test_forcing_moves_are_exactly_those_that_win_at_once():
    buffer = np.zeros(1024, np.int64)
    for level in PUZZLES:
        game, position = read(level.position)
        found = buffer[: forcing(evaluation.make(game), game, position, buffer)].tolist()
        for move in legal_moves(game, position):
            child = played(game, copy(game, position), move)
            wins = verdict(game, child) not in (OPEN, WON) and neighbours(child, SIDE * (child.ply & 1)) == 6
            assert (move in found) == wins


@pytest.mark.interpreted
@pytest.mark.bounds
def test_distances():
    for gap, steps in (
        (0, 0),
        (1, 1),
        (33, 1),
        (32, 1),
        (34, 2),
        (31, 2),
        (66, 2),
        (99, 3),
        (5, 5),
        (160, 5),
    ):
        assert evaluation.distance(500 + gap, 500) == steps
        assert evaluation.distance(500, 500 + gap) == steps
        assert evaluation.distance(gap & 1023, 0) == steps
        assert evaluation.beside(500 + gap, 500) == (steps == 1)


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
def test_levels_vary_their_openings(level):
    position = ludion.position("hive", "Base+MLP")
    first = {ludion.best_move(position, level, seed=seed) for seed in range(8)}
    assert len(first) > 1
    assert first <= set(position.moves())


def test_selective_and_thorough_search_agree_on_wins():
    for level in PUZZLES[:10]:
        game, position = read(level.position)
        guide = evaluation.make(game)
        depth = min(4, level.known["plies"])
        thorough = alpha_beta.solve(game, position, guide, Budget(depth=depth), selective=False)
        selective = alpha_beta.solve(game, position, guide, Budget(depth=depth + 1))
        if thorough.score.plies is not None:
            assert selective.score.value == thorough.score.value


@pytest.mark.slow
def test_the_engine_beats_the_report_s_player():
    for seed in range(10):
        game, position = read("Base+MLP" if seed % 2 else "Base")
        position = played(game, position, legal_moves(game, position)[seed % 3])
        guide = evaluation.make(game)
        while verdict(game, position) == OPEN and position.ply < 150:
            engine = position.ply % 2 == seed % 2
            budget = Budget(nodes=3000, memory=1 << 22)
            solve = alpha_beta.solve if engine else players.heuristic
            position = played(game, position, solve(game, position, guide, budget).moves[0])
        to_move_wins = verdict(game, position) == WON
        assert verdict(game, position) != OPEN
        assert to_move_wins == (position.ply % 2 == seed % 2)
