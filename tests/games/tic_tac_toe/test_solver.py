"""The specialist for k in a row, against plain search and against its own rules taken one by one."""

import itertools
import random

import numpy as np
import pytest

import ludion
from ludion.errors import LudionError
from ludion.games.tic_tac_toe import solver
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks, alignment_game
from ludion.kinds import duel

BOARDS = [(3, 3, 3), (4, 3, 3), (5, 2, 3), (4, 4, 3), (4, 3, 4), (3, 5, 3), (4, 4, 4)]


def value_by_search(game: AlignmentGame, position: Marks, known: dict) -> int:
    """Plain negamax with a dictionary."""
    end = int(duel.verdict(game, position))
    if end != duel.OPEN:
        return end
    if position not in known:
        free = game.full & ~(position.own | position.other)
        cells = [cell for cell in range(game.columns * game.rows) if free >> cell & 1]
        known[position] = max(
            -value_by_search(game, duel.play(game, position, cell), known) for cell in cells
        )
    return known[position]


def random_position(game: AlignmentGame, stones: int, rng: random.Random) -> Marks | None:
    position = Marks(0, 0, 1)
    for cell in rng.sample(range(game.columns * game.rows), stones):
        position = duel.play(game, position, cell)
        if int(duel.verdict(game, position)) != duel.OPEN:
            return None
    return position


def ask(game: AlignmentGame, position: Marks) -> tuple[int, int]:
    control = np.zeros(16, np.int64)
    control[solver.NODE_LIMIT] = 1 << 40
    return solver.AttackSearch(game, 1 << 20).best(position, control)


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_values_and_moves_are_those_of_plain_search(board):
    game, rng, known = alignment_game(*board), random.Random(str(board)), {}
    checked = 0
    cells = board[0] * board[1]
    for stones in range(max(0, cells - 9), cells):  # at most nine plies for plain search
        for _ in range(12):
            position = random_position(game, stones, rng)
            if position is not None:
                value, move = ask(game, position)
                assert value == value_by_search(game, position, known), position
                assert -value_by_search(game, duel.play(game, position, move), known) == value, position
                checked += 1
    assert checked >= 12


@pytest.mark.interpreted
def test_small_boards_in_plain_python():
    for board in [(3, 3, 3), (4, 2, 3), (5, 1, 2)]:
        game, known = alignment_game(*board), {}
        assert ask(game, Marks(0, 0, 1))[0] == value_by_search(game, Marks(0, 0, 1), known)


def can_be_paired_by_trying(lines: list[int], free: int) -> bool:
    """Whether each line can have two free cells of its own."""
    if not lines:
        return True
    cells = [1 << cell for cell in range(free.bit_length()) if lines[0] & free >> cell << cell & 1 << cell]
    return any(
        can_be_paired_by_trying(lines[1:], free & ~(one | other))
        for one, other in itertools.combinations(cells, 2)
    )


@pytest.mark.interpreted
def test_pairs_are_found_where_there_are_any():
    rng, found = random.Random(5), set()
    for board in [(3, 3, 3), (4, 3, 3), (4, 4, 4), (5, 3, 4)]:
        game = alignment_game(*board)
        pairing = np.zeros((4, 2 * game.alignments.size + game.columns * game.rows), np.int64)
        for _ in range(60):
            position = random_position(game, rng.randrange(2, 8), rng)
            if position is None:
                continue
            attack, defend = position.own, position.other
            lines = [int(line) & ~attack for line in game.alignments if int(line) & defend == 0]
            if len(lines) <= 6:
                expected = can_be_paired_by_trying(lines, game.full & ~(attack | defend))
                assert bool(solver.can_be_paired(game, attack, defend, pairing)) == expected
                found.add(expected)
    assert found == {True, False}


@pytest.mark.interpreted
def test_a_move_outside_the_zone_of_a_chain_does_not_stop_it():
    """Every defence that the zone leaves out loses, by plain search; and there are chains in won positions only."""
    rng, known, chains = random.Random(7), {}, 0
    game = alignment_game(4, 4, 3)
    chain = np.zeros((game.columns * game.rows + 2, solver.CHAIN_WORDS), np.int64)
    while chains < 12:
        position = random_position(game, 2 * rng.randrange(3, 6), rng)
        if position is None:
            continue
        attack, defend = position.own, position.other
        lines = solver.line_cells(game, attack, defend)
        if lines.winning or lines.stopping:
            continue
        zone = solver.threat_zone(game, attack, defend, chain)
        if not zone:
            continue
        chains += 1
        assert value_by_search(game, position, known) == 1
        for cell in range(game.columns * game.rows):
            if not (attack | defend | zone) >> cell & 1:
                passed = Marks(attack, defend | 1 << cell, position.first)
                assert value_by_search(game, passed, known) == 1, (position, cell)


def test_larger_boards_are_answered_without_a_distance():
    answer = ludion.solve(ludion.position("tic-tac-toe", "5x5/4"))
    assert (answer.status, str(answer.score), answer.engine) == ("optimal", "draw", "solver")
    answer = ludion.solve(ludion.position("tic-tac-toe", "6x5/4"))
    assert (str(answer.score), answer.score.plies) == ("win", None)
    assert [str(each.score) for each in ludion.analyse(ludion.position("tic-tac-toe", "5x5/5"))] == [
        "draw"
    ] * 25


def test_a_won_game_is_won_against_every_defence_tried():
    for seed in range(3):
        rng, position = random.Random(seed), ludion.position("tic-tac-toe", "6x5/4")
        while position.status == "open":
            position = position.play(ludion.best_move(position))
            if position.status == "open":
                position = position.play(rng.choice(list(position.codes())))
        assert position.status == "lost"


@pytest.mark.parametrize("nodes", [1, 2, 3])
def test_a_tiny_node_budget_is_an_honest_limit(nodes):
    answer = ludion.solve(ludion.position("tic-tac-toe", "5x5/4"), nodes=nodes)
    assert (answer.status, answer.limit, answer.line, answer.score) == ("limit", "nodes", (), None)
    assert answer.nodes <= nodes + 1  # alpha-beta counts the position at which it stops
    assert answer.reason


def test_a_limit_leaves_a_guess():
    answer = ludion.solve(ludion.position("tic-tac-toe", "7x7/5"), nodes=20_000)
    assert (answer.status, answer.limit, answer.engine) == ("solved", "nodes", "alpha-beta")
    assert answer.line
    assert answer.nodes <= 21_000
    with pytest.raises(LudionError, match="unknown setting of engine solver 'weak'"):
        ludion.solve(ludion.position("tic-tac-toe", "5x5/4"), weak=True)
