"""What a move is good for, on boards drawn here (the red car A leaves to the right)."""

import pytest

import ludion
from ludion.games.rush_hour.reasons import move_reason
from ludion.kinds.parts import BoardMark

BOARD = """
....BB
.....D
.AA..D
CC...D
...EEE
......
"""


TRUCK_D = tuple(BoardMark((row, 5), "line") for row in (1, 2, 3))


def reason(cells, move, **options):
    position = ludion.position("rush-hour", "".join(cells.split()), **options)
    return move_reason(position.rules, position.state, position.read_move(move))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("move", "text", "marks"),
    [
        ("E-1", "makes room for truck D, in the red car's way", TRUCK_D),
        ("E-3", "makes room for truck D, in the red car's way", TRUCK_D),
        ("B-1", "makes room for truck D, in the red car's way", TRUCK_D),
        ("C+1", None, ()),  # nothing can use the cell that it leaves
        ("A+1", None, ()),
    ],
)
def test_who_can_move_further(move, text, marks):
    why = reason(BOARD, move)
    assert (why and why.text, why.marks if why else ()) == (text, marks)


def test_the_way_and_the_exit():
    way = "......\n...B..\nAA.B..\n......\n......\n......"
    assert reason(way, "B+2") == ("leaves the red car's way", (BoardMark((2, 3), "path"),))
    assert reason(way, "B+1") is None  # it still stands there
    free = "......\n......\n.AA...\n......\n......\n......"
    assert reason(free, "A+3").text == "reaches the exit"
    assert reason(free, "A-1", exit="left").text == "reaches the exit"


def test_room_for_the_red_car_is_named_first():
    behind = "......\n..B...\nAAB...\n..B...\n......\n......"
    assert reason(behind, "B+2").text == "leaves the red car's way"
    assert reason("......\n......\nB.AA..\nB.....\n......\n......", "B+2").text == "makes room for red car"
