"""Nim with one heap, as a user's game file: take one to three, who takes the last wins. It has a player of its own."""

from typing import NamedTuple

import ludion
from ludion.kinds.duel import LOST, OPEN, moves, play, verdict
from ludion.kinds.players import Choice


class Nim(NamedTuple):
    most: int


class Heap(NamedTuple):
    left: int


@moves.register(Nim)
def _(rules, heap, buffer):
    count = min(rules.most, heap.left)
    for i in range(count):
        buffer[i] = i + 1
    return count


@play.register(Nim)
def _(rules, heap, move):
    return Heap(heap.left - move)


@verdict.register(Nim)
def _(rules, heap):
    return OPEN if heap.left else LOST


class Taker:
    """Always takes as many, legal or not."""

    def __init__(self, count):
        self.count = count

    def choose(self, position, budget, seed):
        return Choice(self.count)

    def close(self):
        pass


GAME = ludion.Duel(
    name="nim",
    title="Nim",
    summary="take the last",
    start="7",
    read=lambda text: (Nim(3), Heap(int(text))),
    write=lambda rules, heap: str(heap.left),
    players={"takes": lambda game, argument: Taker(int(argument))},
)
