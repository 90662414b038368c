"""The evaluation of the old report: alignments still possible for the player to move minus the opponent's."""

from __future__ import annotations

from typing import NamedTuple

from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.kinds.duel import WIN, evaluate, move_order


class Alignments(NamedTuple):
    """Possible alignments, own minus the opponent's; a completed one counts WIN (10000)."""


def make(rules: AlignmentGame) -> Alignments:
    """The evaluation for these rules."""
    return Alignments()


@evaluate.register(Alignments)
def _(evaluation: Alignments, rules: AlignmentGame, position: Marks) -> int:
    points = 0
    for i in range(rules.alignments.size):
        line = rules.alignments[i]
        if position.own & line == line:
            return WIN
        if position.other & line == line:
            return -WIN
        if position.other & line == 0:
            points += 1
        if position.own & line == 0:
            points -= 1
    return points


@move_order.register(Alignments)
def _(evaluation: Alignments, rules: AlignmentGame, position: Marks, move: int) -> int:
    return rules.through[move]  # type: ignore[no-any-return]
