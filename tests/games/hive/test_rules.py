"""The rules: counts of move sequences, a second implementation on random games, the pitfalls one by one."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ludion
from ludion.engines.perft import count
from ludion.games.hive.board import (
    BEETLE,
    BUG_OF,
    MARK,
    MOSQUITO,
    PASS,
    WHERE,
    has,
    height_of,
    is_placement,
    piece_of,
    source_of,
    target_of,
)
from ludion.games.hive.movement import articulation_points
from ludion.games.hive.notation import (
    NAMES,
    TYPES,
    legal_moves,
    pieces,
    play_text,
    read,
    state,
    write,
    write_move,
)
from ludion.games.hive.rules import empty_hive, hive_rules
from ludion.kinds.duel import DRAWN, LOST, OPEN, WON, copy, how_many, key, play, undo, verdict
from ludion.kinds.games import DUEL
from ludion.registry import find

from .drawn import cell_at, place_of
from .naive import DIRECTIONS, Naive

# Index = depth. Mzinga's tables (depths 0-8), rechecked with nokamute 1.0.3; no repetition rule.
COUNTS = {
    "Base": [1, 4, 96, 1440, 21600, 516240, 12219480, 181641900, 2657392800],
    "Base+M": [1, 5, 150, 2610, 45414, 1252800, 34233432, 527164524, 8000790798],
    "Base+L": [1, 5, 150, 2610, 45414, 1252800, 34233672, 529630188, 8072006754],
    "Base+P": [1, 5, 150, 2610, 45414, 1255932, 34395984, 532753872, 8134286034],
    "Base+ML": [1, 6, 216, 4320, 86400, 2725920, 85201200, 1357078404, 21314716308],
    "Base+MP": [1, 6, 216, 4320, 86400, 2730888, 85492248, 1363837116, 21467457180],
    "Base+LP": [1, 6, 216, 4320, 86400, 2730240, 85457136, 1366372440, 21547245672],
    "Base+MLP": [1, 7, 294, 6678, 151686, 5427108, 192353904, 3151035948, 50945151390],
}
COUNTED = [level for level in find("hive").all_levels() if "counts" in level.known]


def perft(text, depth):
    rules, position = read(text, repetition="play-on")
    return count(rules, position, depth, DUEL)


@pytest.mark.parametrize("kind", TYPES)
def test_counts_from_the_start(kind):
    assert [perft(kind, depth) for depth in range(6)] == COUNTS[kind][:6]


@pytest.mark.slow
@pytest.mark.parametrize("kind", TYPES)
def test_deeper_counts_from_the_start(kind):
    assert [perft(kind, depth) for depth in (6, 7)] == COUNTS[kind][6:8]


@pytest.mark.parametrize("level", COUNTED, ids=lambda level: level.name)
def test_counts_of_later_positions(level):
    assert [perft(level.position, depth) for depth in range(4)] == level.known["counts"][:4]


@pytest.mark.slow
@pytest.mark.parametrize("level", COUNTED, ids=lambda level: level.name)
def test_deeper_counts_of_later_positions(level):
    assert perft(level.position, 4) == level.known["counts"][4]


def naive_move(move):
    """The move as the naive rules write it (the first piece at (0, 0))."""
    return None if move == PASS else (NAMES[piece_of(move)], place_of(target_of(move)))


def stacking_weight(move):
    """Movements rather than placements, and beetles and mosquitoes above all, so that stacks come about."""
    if move == PASS:
        return 1
    if BUG_OF[piece_of(move)] in (BEETLE, MOSQUITO):
        return 8
    return 2 if is_placement(move) else 3


def random_game(expansions, seed, length):
    """Positions of a random game with their naive twins."""
    generator = random.Random(seed)
    rules = hive_rules(expansions, repetition=0)
    position, twin = empty_hive(rules), Naive(expansions)
    for _ in range(length):
        yield rules, position, twin
        if twin.over():
            return
        legal = legal_moves(rules, position)
        move = generator.choices(legal, [stacking_weight(move) for move in legal])[0]
        position = play(rules, position, move)
        twin.play(naive_move(move))


def compare_with_twin(expansions, seed, length):
    for rules, position, twin in random_game(expansions, seed, length):
        assert (verdict(rules, position) != OPEN) == twin.over()
        if twin.over():
            return
        legal = [naive_move(move) for move in legal_moves(rules, position)]
        assert len(legal) == len(set(legal))
        assert {wrapped(move) for move in legal} == {wrapped(move) for move in twin.moves()}
        assert {name for name, *_ in pieces(position)} == {
            name for pile in twin.stacks.values() for name in pile
        }


def wrapped(move):
    """A naive move with its cell on the torus: a hive that wanders off comes in again on the other side."""
    return move and (move[0], cell_at(*move[1]))


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize("expansions", ["", "M", "P", "MLP"])
@pytest.mark.parametrize("seed", range(6))
def test_moves_are_those_of_the_naive_twin(expansions, seed):
    compare_with_twin(expansions, seed, 80)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_moves_are_those_of_the_naive_twin_in_many_games(seed):
    compare_with_twin(("", "M", "L", "P", "ML", "MP", "LP", "MLP")[seed % 8], seed, 200)


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize("seed", range(4))
def test_undo_restores_every_bit(seed):
    for rules, position, _ in random_game("MLP", seed, 60):
        if verdict(rules, position) != OPEN:
            break
        before = position.board.copy()
        for move in legal_moves(rules, position):
            child = play(rules, position, move)
            assert not child.board[MARK:WHERE].any()
            undo(rules, child, move)
            assert np.array_equal(before, position.board), write_move(rules, position, move)


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize("seed", range(6))
def test_articulation_points_and_holes(seed):
    """One pass finds what a flood fill for each piece finds, and without holes the arcs alone tell."""
    for _, position, twin in random_game("MLP", seed, 80):
        naive = {pile[-1] for cell, pile in twin.stacks.items() if not twin.connected_without(cell)}
        points = articulation_points(position.board, position.placed)
        assert {name for piece, name in enumerate(NAMES) if has(points, piece)} == naive
        assert position.holes == holes(set(twin.stacks))


def holes(cells):
    """The empty regions enclosed by these cells, found by flooding a frame around them."""
    if not cells:
        return 0
    xs, ys = [x for x, _ in cells], [y for _, y in cells]
    frame = {(x, y) for x in range(min(xs) - 1, max(xs) + 2) for y in range(min(ys) - 1, max(ys) + 2)} - cells
    regions = 0
    while frame:
        waiting, regions = [frame.pop()], regions + 1
        while waiting:
            x, y = waiting.pop()
            for across, down in DIRECTIONS:
                if (x + across, y + down) in frame:
                    frame.remove((x + across, y + down))
                    waiting.append((x + across, y + down))
    return regions - 1


@pytest.mark.parametrize("seed", range(4))
def test_how_many_is_the_length_of_the_list(seed):
    buffer = np.zeros(1024, np.int64)
    for rules, position, _ in random_game("MLP", seed, 60):
        if verdict(rules, position) == OPEN:
            before = position.board.copy()
            assert how_many(rules, position, buffer) == len(legal_moves(rules, position))
            assert np.array_equal(before, position.board)


def test_copies_are_independent_and_have_room():
    rules, position = read("Base;InProgress;White[2];wS1;bG1 -wS1")
    other = copy(rules, position)
    child = play(rules, other, legal_moves(rules, other)[0])
    assert write(rules, position) == "Base;InProgress;White[2];wS1;bG1 -wS1"
    assert child.ply == 3


def names(text, **options):
    return ludion.position("hive", text, **options).moves()


def test_no_queen_first_unless_asked():
    assert "wQ" not in names("Base")
    assert "wQ" in names("Base", queen="first")


def test_the_queen_comes_by_the_fourth_turn():
    text = "Base;InProgress;White[4];wS1;bS1 wS1-;wS2 -wS1;bS2 bS1-;wG1 -wS2;bG1 bS2-"
    assert {name.split()[0] for name in names(text)} == {"wQ"}


def test_no_movement_before_the_queen():
    text = "Base;InProgress;White[2];wA1;bA1 wA1-"
    assert not any(name.startswith("wA1") for name in names(text))


@pytest.mark.interpreted
@pytest.mark.bounds
def test_a_third_repetition_is_a_draw_unless_played_on():
    opening = "Base;InProgress;White[1];wA1;bA1 wA1-;wQ -wA1;bQ bA1-"
    lap = ["wQ /wA1", "bQ bA1\\", "wQ -wA1", "bQ bA1-"]
    twice = ";".join([opening, *lap])
    thrice = ";".join([twice, *lap])
    rules, position = read(twice)
    assert verdict(rules, position) == OPEN
    rules, position = read(thrice)
    assert verdict(rules, position) == DRAWN
    assert state(rules, position) == "Draw"
    assert legal_moves(rules, position) == []
    rules, position = read(thrice, repetition="play-on")
    assert verdict(rules, position) == OPEN
    assert read(";".join([thrice, "wQ /wA1"]))[1].ply == 13  # a game may be read past it


def test_keys_tell_turn_and_stun_but_not_the_way():
    rules, one = read("Base;InProgress;White[1];wA1;bA1 wA1-;wQ -wA1;bQ bA1-;wS1 -wQ;bS1 bQ-")
    _, two = read("Base;InProgress;White[1];wA1;bA1 wA1-;wQ -wA1;bQ bA1-;wS1 -wQ;bG1 bQ-")
    assert key(rules, one) != key(rules, two)
    _, moved = read("Base;InProgress;White[1];wA1;bA1 wA1-;wQ -wA1;bQ bA1-;wQ /wA1;bQ bA1\\;wQ -wA1;bQ bA1-")
    _, still = read("Base;InProgress;White[1];wA1;bA1 wA1-;wQ -wA1;bQ bA1-")
    assert key(rules, moved) == key(rules, still)


def test_filling_the_own_queens_last_free_cell_loses():
    text = (
        "Base;InProgress;White[1];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 \\wQ;bA1 bQ-;wA2 -wQ;bA2 bA1-;wA3 /wQ;"
        "bA3 bA2-;wG1 wQ/;bG1 bA3-;wG2 wQ\\"
    )
    rules, position = read(text)
    assert (state(rules, position), verdict(rules, position)) == ("BlackWins", WON)
    with pytest.raises(ludion.IllegalMoveError, match="over"):
        read(f"{text};bG2 bG1-")


def climbs_higher(board, move):
    """Whether the piece ends higher than it was."""
    return (
        move != PASS
        and not is_placement(move)
        and height_of(board, target_of(move)) >= height_of(board, source_of(move))
    )


def test_stacks_have_no_limit_of_height():
    """The report allowed four pieces on a cell; here climbing whenever possible goes beyond that."""
    highest = 0
    for seed in range(40):
        generator = random.Random(seed)
        rules, position = read("Base+M", repetition="play-on")
        for _ in range(150):
            legal = legal_moves(rules, position)
            if not legal:
                break
            climbs = [move for move in legal if climbs_higher(position.board, move)]
            position = play(rules, position, generator.choice(climbs or legal))
            highest = max(highest, *(height + 1 for *_, height in pieces(position)))
    assert highest > 4


def test_lost_for_the_player_whose_queen_is_surrounded():
    generator = random.Random(1)
    ends = set()
    for seed in range(60):
        generator.seed(seed)
        rules, position = read("Base", repetition="play-on")
        for _ in range(150):
            legal = legal_moves(rules, position)
            if not legal:
                break
            position = play(rules, position, generator.choice(legal))
        ends.add((state(rules, position), verdict(rules, position)))
    assert any(verdict_ == LOST for _, verdict_ in ends)
    assert {name for name, _ in ends} & {"WhiteWins", "BlackWins"}


def test_play_text_refuses_what_is_illegal():
    rules, position = read("Base;InProgress;White[2];wA1;bA1 wA1-")
    for bad, why in (
        ("pass", "cannot pass"),
        ("wA1 bA1-", "before the player's own queen"),
        ("wA3 -wA1", "wA2 must be placed before"),
    ):
        with pytest.raises(ludion.IllegalMoveError, match=why):
            play_text(rules, position, bad)
