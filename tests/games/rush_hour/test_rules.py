"""Rules and notation against the naive twin, and every kind of bad input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion.errors import NotationError, UnfitError
from ludion.games.rush_hour import notation
from ludion.games.rush_hour.rules import Traffic, distance_of, make_move, vehicle_of, why_unsolvable
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, reverse, unpack
from tests.games.rush_hour import naive

SIZES = [(4, 4, 4), (6, 6, 11), (8, 8, 14), (8, 8, 40), (9, 9, 22), (7, 12, 20), (16, 16, 60), (16, 5, 12)]
LEVEL_1 = "BB...CD..E.CDAAE.CD..E..F...GGF.HHH."


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("width", "height", "vehicles"), SIZES)
@pytest.mark.parametrize("metric", ["moves", "steps"])
def test_random_walks_agree_with_the_naive_twin(width, height, vehicles, metric):
    for seed in range(3):
        text = naive.random_board(seed, width, height, vehicles, walls=seed)
        exit_left = seed == 1
        game, position = notation.read(text, metric=metric, exit="left" if exit_left else "right")
        board, _, _ = naive.read(text)
        buffer = np.zeros(most_moves(game), np.int64)
        for turn in range(12):
            count = moves(game, position, buffer)
            here = {notation.write_move(game, position, int(move)): int(move) for move in buffer[:count]}
            expected = naive.successors(board, width, height, metric == "steps")
            assert len(here) == count
            assert set(here) == set(expected)
            assert bool(is_goal(game, position)) == naive.solved(board, width, exit_left)
            assert unpack(game, pack(game, position), position) == position
            assert naive.read(notation.write(game, position))[0] == board
            if not here:
                break
            name = sorted(here)[(seed * 7 + turn * 5) % len(here)]
            child = play(game, position, here[name])
            assert play(game, child, reverse(game, here[name])) == position
            assert notation.read_move(game, position, name) == here[name]
            position, board = Traffic(*(tuple(map(int, part)) for part in child)), expected[name]


@pytest.mark.interpreted
@given(st.integers(0, 10_000), st.sampled_from(SIZES))
def test_every_notation_round_trips(seed, size):
    text = naive.random_board(seed, *size, walls=seed % 3)
    game, position = notation.read(text)
    assert notation.write(game, position) == text
    integers = notation.write_integers(game, position)
    prefix = "" if (game.width, game.height) == (6, 6) else f"{game.width}x{game.height}:"
    again = notation.read(prefix + integers)
    assert notation.write_integers(*again) == integers
    assert [naive.read(notation.write(*each))[0]["A"] for each in (again, (game, position))] == [
        naive.read(text)[0]["A"]
    ] * 2


def test_the_reports_integers_and_both_empty_signs_are_read():
    integers = "[2,2,0,0,0,3,4,0,0,5,0,3,4,1,1,5,0,3,4,0,0,5,0,0,6,0,0,0,7,7,6,0,8,8,8,0]"
    assert notation.write(*notation.read(integers)) == LEVEL_1
    assert notation.write_integers(*notation.read(LEVEL_1)) == integers
    assert notation.write(*notation.read(LEVEL_1.replace(".", "o"))) == LEVEL_1
    spaced = " ".join(integers.strip("[]").split(",")).replace("8", "900")
    assert notation.write(*notation.read(spaced)).count("H") == 3
    assert repr(ludion.position("rush-hour", LEVEL_1)) == f"ludion.position('rush-hour', '{LEVEL_1}')"


@pytest.mark.interpreted
def test_a_move_is_a_vehicle_and_a_distance():
    pairs = [(vehicle, distance) for vehicle in (0, 1, 20, 127) for distance in range(-15, 16)]
    codes = [make_move(*pair) for pair in pairs]
    assert codes[:2] == [1, 2]  # the layout is public: environments number their actions by it
    assert [(vehicle_of(code), distance_of(code)) for code in codes] == pairs
    many = np.array(codes)
    assert list(zip(vehicle_of(many).tolist(), distance_of(many).tolist(), strict=True)) == pairs


BAD = [
    ("", "0 cells"),
    (LEVEL_1[:-1], "35 cells, but a 6x6 board has 36; it ends in row 6, column 5"),
    (LEVEL_1 + ".", "37 cells"),
    ("." * 81, "begins with '9x9:'"),
    ("." * 400, "boards go up to 16x16"),
    ("3x3:AA.......", "3x3: sides go from 4 to 16"),
    ("17x4:" + "." * 68, "17x4: sides go from 4 to 16"),
    ("4x" + "9" * 5000 + ":", "5003 cells"),
    ("4x4:" + "9" * 5000 + " 1", "is not the number of a vehicle"),
    ("4x4:AA..", "4 cells, but a 4x4 board has 16; it ends in row 1, column 4"),
    ("4x4:....BB..........", "no red car"),
    ("4x4:A...A...........", "row 1, column 1: the red car A stands in a column"),
    ("4x4:AA..B...........", "row 2, column 1: vehicle B has one cell"),
    ("4x4:AA..BB..B.......", "row 3, column 1: vehicle B is bent"),
    ("4x4:AA..B...BB......", "row 3, column 2: vehicle B is bent"),
    ("4x4:AA..BB..BB......", "row 3, column 1: vehicle B is bent"),
    ("4x4:AA..B..B........", "row 2, column 4: vehicle B is broken"),
    ("4x4:AA..B.......B...", "row 4, column 1: vehicle B is broken"),
    ("4x4:AA.B....B.......", "row 3, column 1: vehicle B is broken"),
    ("4x4:AA.BB...........", "row 2, column 1: vehicle B is broken"),
    ("4x4:AA..BBB.BB......", "row 3, column 1: vehicle B is bent"),
    ("4x4:AAA.A...........", "row 2, column 1: vehicle A is bent"),
    ("4x4:AA..?...........", "row 2, column 1: '?' is neither a vehicle"),
    ("4x4:1 1 0 0 0 -2 0 0 0 0 0 0 0 0 0 0", "row 2, column 2: '-2' is not the number of a vehicle"),
    ("4x4:1 1 0 0 0 b 0 0 0 0 0 0 0 0 0 0", "row 2, column 2: 'b' is not the number of a vehicle"),
]


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("text", "said"), BAD)
def test_bad_boards_are_named_with_their_place(text, said):
    with pytest.raises(NotationError) as caught:
        notation.read(text)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bad_options_and_moves_are_named():
    with pytest.raises(NotationError, match="a board has one exit, right or left"):
        notation.read(LEVEL_1, exit="both")
    with pytest.raises(NotationError, match="metric 'tempi'"):
        notation.read(LEVEL_1, metric="tempi")
    with pytest.raises(UnfitError, match="metric=steps"):
        notation.read(LEVEL_1, metric="moves", order="report")
    board = ludion.position("rush-hour", LEVEL_1)
    for text, said in [
        ("A2", "not a move"),
        ("Z+1", "no vehicle Z"),
        ("A+0", "1 to 15"),
        ("A+16", "1 to 15"),
    ]:
        with pytest.raises(NotationError, match=said):
            board.read_move(text)
    with pytest.raises(ludion.IllegalMoveError, match=r"A\+1"):
        board.play("A+1")
    assert ludion.position("rush-hour", LEVEL_1, metric="steps").moves() != board.moves()


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        game, position = notation.read(text)
    except NotationError:
        return
    assert notation.read(notation.write(game, position))[1] == position


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "exit", "said"),
    [
        ("4x4:AA.x............", "right", "a wall in row 1, column 4"),
        ("5x4:AA.BB...............", "right", "vehicle B stands in the red car's row"),
        ("5x4:BB.AA...............", "left", "vehicle B stands in the red car's row"),
        ("4x4:...BAA.B...B....", "right", "vehicle B in column 4 can never leave"),
        ("4x4:..xBAA.B........", "right", None),
        ("4x4:...xAA.B...B...x", "right", "vehicle B in column 4 can never leave"),
        ("4x4:AA..............", "left", None),
        ("5x4:BB.AA...............", "right", None),
    ],
)
def test_hopeless_boards_are_explained_and_never_wrongly(text, exit, said):
    game, position = notation.read(text, exit=exit)
    why = why_unsolvable(game, position)
    assert (why is None) == (said is None)
    assert said is None or said in str(why)
    assert (naive.component(text, False, exit == "left")[0] is None) == (said is not None)


def test_explanations_hold_on_random_boards():
    explained = 0
    for seed in range(60):
        text = naive.random_board(seed, 5, 5, 5, walls=seed % 3)
        why = why_unsolvable(*notation.read(text))
        if why:
            explained += 1
            assert naive.component(text, False)[0] is None
    assert explained > 5
