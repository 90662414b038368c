"""Two counters on a row, as a user would write it: a game file with a picture whose cells are declared, without a page.

They walk towards each other, any number of cells at a time; who cannot move has lost.
"""

from typing import NamedTuple

import ludion
from ludion.kinds.duel import LOST, OPEN, moves, play, verdict
from ludion.svg import Picture


class Row(NamedTuple):
    cells: int


class Counters(NamedTuple):
    left: int
    right: int
    turn: int  # 0: the left one moves


@moves.register(Row)
def _(rules, position, buffer):
    count = position.right - position.left - 1
    for step in range(1, count + 1):
        buffer[step - 1] = step
    return count


@play.register(Row)
def _(rules, position, move):
    if position.turn == 0:
        return Counters(position.left + move, position.right, 1)
    return Counters(position.left, position.right - move, 0)


@verdict.register(Row)
def _(rules, position):
    return OPEN if position.right - position.left > 1 else LOST


def read(text):
    left, right, turn = (int(part) for part in (text or "0 5 0").split())
    return Row(6), Counters(left, right, turn)


def write(rules, position):
    return " ".join(map(str, position))


def cell(index):
    return "abcdef"[index] + "1"


def write_move(rules, position, move):
    here = position.left if position.turn == 0 else position.right
    return f"{cell(here)}-{cell(here + move if position.turn == 0 else here - move)}"


def svg(rules, position):
    picture = Picture(100 * rules.cells, 100, "two counters")
    picture.turn(position.turn)
    for index in range(rules.cells):
        sign = {position.left: "left", position.right: "right"}.get(index, "empty")
        words = f"{cell(index)}: {sign}"
        picture.rect(100 * index + 4, 4, 92, 92, fill="board", data_cell=cell(index), aria_label=words)
        if sign != "empty":
            picture.circle(100 * index + 50, 50, 30, fill="blue" if sign == "left" else "red")
    return str(picture)


GAME = ludion.Duel(
    name="hop",
    title="Hop",
    summary="who cannot move has lost",
    read=read,
    write=write,
    write_move=write_move,
    svg=svg,
    start="0 5 0",
)
