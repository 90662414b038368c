"""GameStrings and MoveStrings: what is written is read back, what is wrong is refused by name."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion.errors import IllegalMoveError, LudionError, NotationError
from ludion.games.hive.board import PIECES, WHITE
from ludion.games.hive.drawing import in_hand
from ludion.games.hive.notation import (
    NAMES,
    TYPES,
    legal_moves,
    pieces,
    played,
    read,
    read_move,
    read_type,
    write,
    write_move,
    write_type,
)
from ludion.messages import speaking

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]

STACKED = "Base+MLP;InProgress;White[5];wB1;bB1 -wB1;wQ wB1-;bQ /bB1;wB2 wQ-;bQ /wB1;wB2 wQ;bB1 bQ"


@pytest.mark.parametrize("kind", TYPES)
def test_types(kind):
    rules, position = read(kind)
    assert write_type(rules) == kind
    assert write(rules, position) == f"{kind};NotStarted;White[1]"


def test_types_are_read_in_any_order_and_case():
    assert read_type("base+PLM") == "MLP"


@pytest.mark.parametrize("bad", ["", "Bass", "Base+", "Base+X", "Base+MM", "Base +M", "Base+MLPP", "?" * 500])
def test_unknown_types(bad):
    with pytest.raises(NotationError, match="type"):
        read(bad)


@pytest.mark.parametrize("seed", range(4))
def test_random_games_are_read_back(seed):
    generator = random.Random(seed)
    rules, position = read("Base+MLP")
    for _ in range(70):
        moves = legal_moves(rules, position)
        if not moves:
            break
        names = [write_move(rules, position, move) for move in moves]
        assert [read_move(rules, position, name) for name in names] == moves
        assert len(set(names)) == len(names)
        position = played(rules, position, generator.choice(moves))
    text = write(rules, position)
    again = read(text)[1]
    assert write(rules, again) == text
    assert pieces(again) == pieces(position)


def test_any_neighbour_may_be_the_reference():
    rules, position = read("Base;InProgress;White[3];wS1;bG1 -wS1;wQ wS1-;bQ -bG1")
    same = {read_move(rules, position, name) for name in ("wA1 wS1/", "wA1 \\wQ", "WA1  \\wq", " wA1 wS1/ ")}
    assert len(same) == 1


def test_the_moving_piece_may_be_the_reference():
    rules, position = read("Base;InProgress;White[3];wS1;bG1 -wS1;wQ wS1-;bQ -bG1")
    assert read_move(rules, position, "wQ /wQ") == read_move(rules, position, "wQ wS1\\")


def test_a_buried_piece_may_be_the_reference_with_a_sign():
    rules, position = read(STACKED)
    assert read_move(rules, position, "wA1 wQ-") == read_move(rules, position, "wA1 wB2-")


def test_on_top_names_the_top():
    rules, position = read(STACKED)
    with pytest.raises(NotationError, match="wB2 is on top of wQ"):
        read_move(rules, position, "wB1 wQ")
    with pytest.raises(NotationError, match="occupied by wB2"):
        read_move(rules, position, "bB1 wB1-")


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "w",
        "wX1",
        "wS3",
        "wS",
        "wQ2",
        "xS1",
        "wS1 wS2",
        "wS1 -wA1-",
        "wS1 +wA1",
        "wS1 wA1 wA1",
        "wA1" * 99,
        "wS1\x00",
    ],
)
def test_moves_that_are_none(bad):
    rules, position = read("Base;InProgress;White[2];wA1;bA1 wA1-")
    with pytest.raises(NotationError) as caught:
        read_move(rules, position, bad)
    assert len(str(caught.value)) < 200


def test_pieces_of_other_games():
    rules, position = read("Base;InProgress;White[2];wA1;bA1 wA1-")
    with pytest.raises(NotationError, match="no wM"):
        read_move(rules, position, "wM -wA1")


@pytest.mark.parametrize(
    ("bad", "kind", "why"),
    [
        ("Base;Going;White[1]", NotationError, "state"),
        ("Base;InProgress;Red[1]", NotationError, "turn"),
        ("Base;InProgress;White[x]", NotationError, "turn"),
        ("Base;InProgress;White[2];wA1;bA1", NotationError, "move 2"),
        ("Base;InProgress;White[2];wA1;;bA1 wA1-", NotationError, "move 2"),
        ("Base;InProgress;White[2];wA1;wA2 wA1-", IllegalMoveError, "move 2"),
        ("Base;InProgress;White[2];wQ", IllegalMoveError, "first turn"),
    ],
)
def test_bad_game_strings_say_where(bad, kind, why):
    with pytest.raises(kind, match=why):
        read(bad)


def test_the_report_s_list_of_pieces():
    _, position = read(STACKED)
    assert pieces(position) == [
        ("wQ", 1, 0, 0),
        ("wB1", 0, 0, 0),
        ("wB2", 1, 0, 1),
        ("bQ", -1, 1, 0),
        ("bB1", -1, 1, 1),
    ]


def test_drawings_show_tops_stacks_and_hands():
    position = ludion.position("hive", STACKED)
    assert "wB2+1" in str(position)
    assert "wB2 on wQ" in str(position)
    assert "White in hand: S1 S2 G1" in str(position)
    picture = position.svg()
    assert picture.count("<polygon") == 2 * (5 + 11 + 12)  # the face of a tile, and its thickness
    assert len(in_hand(position.state, WHITE)) == 11


def test_drawings_and_errors_in_french():
    with speaking("fr"):
        position = ludion.position("hive", STACKED)
        assert "wB2 sur wQ" in str(position)
        assert "Main des Blancs : S1 S2 G1" in str(position)
        assert "Hive Base+MLP, aux Blancs de jouer" in position.svg()
        with pytest.raises(IllegalMoveError, match="« pass » n'est pas permis : il y a des coups permis"):
            read(f"{STACKED};pass")


def test_every_piece_has_a_name():
    assert len(set(NAMES)) == PIECES


def refusal(call, *arguments):
    """The error that a call ends with, or None."""
    try:
        call(*arguments)
    except LudionError as error:
        return str(error)
    return None


@given(st.text(max_size=60))
def test_any_text_is_a_move_or_refused(text):
    refused = refusal(read_move, *read(STACKED), text)
    assert refused is None or len(refused) < 300


WORDS = ["wA1", "bA1 wA1-", "wQ -wA1", "bQ bA1-", "pass", "", "x", "Base", "wQ wQ/", ";"]


@given(st.lists(st.sampled_from(WORDS), max_size=9))
def test_any_game_string_is_a_game_or_refused(moves):
    text = ";".join(["Base", "InProgress", "White[1]", *moves])
    refused = refusal(read, text)
    if refused is None:
        rules, position = read(text)
        assert read(write(rules, position))[1].hash == position.hash
    else:
        assert "\n" not in refused
