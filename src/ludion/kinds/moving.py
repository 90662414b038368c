"""What puzzles and duels have in common: positions, and moves from one to the next."""

# mypy: disable-error-code="empty-body"
from __future__ import annotations

from typing import Any

import numpy as np

from ludion.core.verbs import verb
from ludion.kinds.values import Rules, State


@verb
def moves(rules: Rules, position: State, buffer: np.ndarray) -> int:
    """Fill the buffer with the legal moves and return how many there are."""


@verb
def most_moves(rules: Rules) -> int:
    """An upper bound of the number of legal moves of any position."""


@most_moves.otherwise
def _(rules: Rules) -> int:
    return 256


@verb
def play(rules: Rules, position: State, move: int) -> Any:
    """The position after the move; in a duel, as the other player sees it."""


@verb
def symmetries(rules: Rules) -> int:
    """The number of symmetries of the rules, including the identity."""


@symmetries.otherwise
def _(rules: Rules) -> int:
    return 1


@verb
def mirror(rules: Rules, position: State, symmetry: int) -> Any:
    """The image of the position."""


@mirror.otherwise
def _(rules: Rules, position: State, symmetry: int) -> Any:
    return position


def legal_moves(rules: Rules, position: State) -> list[int]:
    """The legal moves of an open position."""
    buffer = np.zeros(most_moves(rules), np.int64)
    return [int(move) for move in buffer[: moves(rules, position, buffer)]]
