"""Nim with one heap, as a user would write it: a small game file without pictures, without a page of its own."""

from typing import NamedTuple

import ludion
from ludion.kinds.duel import LOST, OPEN, moves, play, verdict


class Nim(NamedTuple):
    most: int  # stones that a move may take


class Heap(NamedTuple):
    stones: int


@moves.register(Nim)
def _(rules, heap, buffer):
    count = min(rules.most, heap.stones)
    for taken in range(1, count + 1):
        buffer[taken - 1] = taken
    return count


@play.register(Nim)
def _(rules, heap, move):
    return Heap(heap.stones - move)


@verdict.register(Nim)
def _(rules, heap):
    return OPEN if heap.stones > 0 else LOST


def read(text, most="3"):
    if not text.isascii() or not text.isdigit() or int(text) > 1000:
        raise ludion.NotationError(f"'{text}' is no heap: a number of stones up to 1000")
    return Nim(int(most)), Heap(int(text))


def write(rules, heap):
    return str(heap.stones)


GAME = ludion.Duel(
    name="nim",
    title="Nim",
    summary="who takes the last stone wins",
    read=read,
    write=write,
    start="12",
    options=(ludion.Setting("most", "stones that a move may take", "3", choices=("2", "3", "4")),),
)
