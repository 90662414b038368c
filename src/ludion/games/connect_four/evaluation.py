"""The old report's evaluation of tic-tac-toe, for this game: own lines still possible minus the opponent's."""

from __future__ import annotations

from typing import NamedTuple

from ludion.core.words import popcount
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.kinds.duel import evaluate, move_order


class OpenLines(NamedTuple):
    """Possible lines, own minus the opponent's."""


def make(rules: DropGame) -> OpenLines:
    """The evaluation for these rules."""
    return OpenLines()


@evaluate.register(OpenLines)
def _(evaluation: OpenLines, rules: DropGame, position: Stones) -> int:
    free = rules.full ^ position.mask
    own, other = position.own | free, (position.own ^ position.mask) | free
    points = 0
    for direction in range(4):
        step = 1 if direction == 0 else rules.stride + direction - 2
        mine, theirs = own, other
        for i in range(1, rules.align):
            mine &= own >> i * step
            theirs &= other >> i * step
        points += popcount(mine) - popcount(theirs)
    return points


@move_order.register(OpenLines)
def _(evaluation: OpenLines, rules: DropGame, position: Stones, move: int) -> int:
    return -abs(2 * move - rules.columns + 1)  # the middle first: most lines go through it
