"""The rules, the notation and the drawings."""

import pickle
import random

import pytest

import ludion
from ludion.errors import IllegalMoveError, NotationError
from ludion.games.connect_four.evaluation import OpenLines
from ludion.games.connect_four.rules import drop_game, has_line
from ludion.kinds import duel

from .naive import NaiveBoard


def at(text: str, **options: str) -> ludion.Position:
    return ludion.position("connect-four", text, **options)


@pytest.mark.interpreted
def test_positions_at_each_ply():
    """Counts of the literature (OEIS A212693)."""
    layer = {at("").state}
    game = drop_game()
    counts = [1]
    for _ in range(4):
        layer = {
            duel.play(game, each, column) for each in layer for column in range(7)
        }  # no column is full, no line is made in four plies
        counts.append(len(layer))
    assert counts == [1, 7, 49, 238, 1120]


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("columns", "rows", "align"), [(7, 6, 4), (4, 4, 3), (5, 4, 4), (9, 5, 4), (6, 6, 5)]
)
def test_random_games_agree_with_the_naive_board(columns, rows, align):
    rng = random.Random(columns * 100 + rows)
    for _ in range(5):
        position = at(f"{columns}x{rows}/{align}")
        naive = NaiveBoard("", columns, rows, align)
        while position.status == "open":
            assert [int(each) - 1 for each in position.moves()] == naive.open_columns()
            column = rng.choice(naive.open_columns())
            position = position.play(str(column + 1))
            naive.drop(column)
            assert (position.status == "lost") == naive.won()
        assert naive.won() or len(naive.stones) == columns * rows


@pytest.mark.interpreted
def test_text_leads_back_to_the_same_board():
    rng = random.Random(3)
    for size in ("", "5x4:", "6x5/3:"):
        position = at(size)
        while position.status == "open":
            position = position.play(rng.choice(position.moves()))
            again = at(position.text)
            assert (again.state, again.rules) == (position.state, position.rules)
            assert eval(repr(position), {"ludion": ludion}) == position


@pytest.mark.interpreted
def test_the_order_of_moves_is_kept():
    assert at("4453").text == at("4 4,5 3").text == at("44").play("5", "3").text == "4453"
    assert at("4453") == at("4354")
    assert hash(at("4453")) == hash(at("4354"))
    assert repr(at("4453").play("7")) == "ludion.position('connect-four', '44537')"
    assert pickle.loads(pickle.dumps(at("4453"))).text == "4453"
    assert at("6x5:4453").play("1").text == "6x5:44531"
    assert at("44", align="3").play("5").text == "7x6/3:445"
    assert at("level:lost").text == "44455554221"
    drawn = at("......./......./......./......./...o.../..oxx..")
    assert drawn.text == "4354"  # the smallest order
    assert drawn.play("1").text == "43541"


@pytest.mark.interpreted
def test_a_drawn_board_is_read():
    assert at("......./......./......./......./...o.../..oxx..") == at("4453")
    assert at("4 4 5 3") == at("4,4,5,3") == at("4453")
    assert at("44", align="3").rules.align == 3
    assert at("7x6/5:44").text == "7x6/5:44"


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8", "move 1 '8' is not a column from 1 to 7"),
        ("440", "move 3 '0'"),
        ("4444444", "move 7 '4': this column is full"),
        ("12121212", "move 8 '2' comes after the end"),
        ("9x9", "too large"),
        ("30x1", "at most 9 columns"),
        ("4x4/5", "no board 4x4 with 5 in a row"),
        ("0x4", "no board"),
        ("hello", "move 1 'h'"),
        ("./.", "2 rows"),
        ("......./......./......./......./......./...?...", "row 6, column 4"),
        ("......./......./......./......./...x.../.......", "hangs in the air"),
        ("......./......./......./......./......./..xx...", "take turns"),
        ("......./......./......./......./x....../o......", "no order of moves"),
        ("......./......./......./......./....../.......", "row 5"),
    ],
)
def test_bad_text_is_named(text, said):
    with pytest.raises(NotationError, match=said):
        at(text)


@pytest.mark.interpreted
def test_bad_moves_are_named():
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        at("444444").play("4")
    with pytest.raises(NotationError, match="not a column"):
        at("4").play("9")
    with pytest.raises(NotationError, match="expected a number"):
        at("4", align="many")


@pytest.mark.interpreted
def test_drawing():
    assert str(at("4453")).splitlines()[-3:] == [". . . o . . .", ". . o x x . .", "1 2 3 4 5 6 7"]
    assert at("1212121").svg().count("data-line") == 2  # the winning line: its rim, and the line itself


@pytest.mark.interpreted
def test_evaluation_counts_lines():
    game = drop_game()
    assert duel.evaluate(OpenLines(), game, at("").state) == 0
    assert duel.evaluate(OpenLines(), game, at("4").state) == -7  # lines through the middle of the bottom row
    assert has_line(game, 0b1111)
    assert not has_line(game, 0b1110)
