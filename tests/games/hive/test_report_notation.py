"""The old report's names, directions and lists of pieces."""

import pytest

import ludion
from ludion.games.hive.notation import pieces


def test_names_and_directions():
    ours = ludion.position("hive", "Base").play("wG1", "bA1 wG1-", "wQ -wG1", "bQ bA1/")
    report = ludion.position("hive", "Base").play("sa1b", "fo1n sa1b ne", "ab1b sa1b so", "ab1n fo1n n")
    assert report.text == ours.text


@pytest.mark.parametrize("moves", [("wG1", "bA1 wG1-"), ("wG1", "bA1 wG1-", "wQ -wG1", "bQ bA1/", "wA1 -wQ")])
def test_a_list_of_pieces_is_the_board(moves):
    here = ludion.position("hive", "Base").play(*moves)
    written = "[" + ",".join(f"[{name},{x},{y},{z}]" for name, x, y, z in pieces(here.state)) + "]"
    again = ludion.position("hive", written)
    origin = min(pieces(again.state))[1:3]
    assert {name for name, *_ in pieces(again.state)} == {name for name, *_ in pieces(here.state)}
    shift = {name: (x - origin[0], y - origin[1]) for name, x, y, _ in pieces(again.state)}
    first = min(pieces(here.state))[1:3]
    assert shift == {name: (x - first[0], y - first[1]) for name, x, y, _ in pieces(here.state)}


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("[[ab1b,0,0,0],[sc1n,0,0,1]]", "one piece per cell"),
        ("[[fo1b,0,0,0],[fo2b,1,0,0],[fo3b,2,0,0]]", "no order of placements"),
        ("[hello]", "not a list"),
        ("[[ab1b,0,0,0],[ab1n,1,0,0]]", "--queen first"),
    ],
)
def test_boards_that_cannot_be_read(text, error):
    with pytest.raises(ludion.NotationError, match=error):
        ludion.position("hive", text)


def test_two_queens_alone_where_the_queen_may_come_first():
    queens = ludion.position("hive", "[[ab1b,0,0,0],[ab1n,1,0,0]]", queen="first")
    assert queens.text == "Base;InProgress;White[2];wQ;bQ wQ-"
    assert eval(repr(queens)).text == queens.text
