"""The evaluation of the old report: alignments that are still possible for oneself minus those for the opponent."""

from __future__ import annotations

from typing import NamedTuple

from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.kinds.duel import WIN, evaluate, promise


class Alignments(NamedTuple):
    """Possible alignments, own minus the opponent's; a completed one counts WIN (10000)."""


def make(rules: AlignmentGame) -> Alignments:
    """The evaluation for this game."""
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


@promise.register(Alignments)
def _(evaluation: Alignments, rules: AlignmentGame, position: Marks, move: int) -> int:
    return rules.through[move]  # type: ignore[no-any-return]


# The report's own questions, for people (not on any hot path); a player is "x" or "o".


def cells_of(position: Marks, player: str) -> int:
    """The cells that a player holds."""
    return position.own if (player == "x") == bool(position.first) else position.other


def alignments(rules: AlignmentGame) -> list[list[int]]:
    """All alignments, each as a list of cells: 8 on the classic board."""
    return [
        [cell for cell in range(rules.columns * rules.rows) if int(line) >> cell & 1]
        for line in rules.alignments
    ]


def possible(rules: AlignmentGame, position: Marks, player: str) -> list[list[int]]:
    """The alignments that the player can still complete: none of their cells is the opponent's."""
    against = cells_of(position, "o" if player == "x" else "x")
    return [line for line in alignments(rules) if not any(against >> cell & 1 for cell in line)]


def winning(rules: AlignmentGame, position: Marks, player: str) -> list[list[int]]:
    """The alignments that the player has completed."""
    own = cells_of(position, player)
    return [line for line in alignments(rules) if all(own >> cell & 1 for cell in line)]


def losing(rules: AlignmentGame, position: Marks, player: str) -> list[list[int]]:
    """The alignments that the opponent has completed."""
    return winning(rules, position, "o" if player == "x" else "x")


def value_for(rules: AlignmentGame, position: Marks, player: str) -> int:
    """The report's evaluation as this player sees it, on any filling of the board."""
    own, other = cells_of(position, player), cells_of(position, "o" if player == "x" else "x")
    return int(evaluate(Alignments(), rules, Marks(own, other, int(player == "x"))))
