"""Tic-tac-toe for learners.

action        the cell, row by row
observation   two boards of 0 and 1: the player's own stones, the opponent's
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.kinds.learning import Coding

if TYPE_CHECKING:
    from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks


def coding(rules: AlignmentGame, position: Marks) -> Coding:
    """The numbering for this board."""
    columns, rows = rules.columns, rules.rows
    cells = columns * rows

    def observe(now: Marks, own: bool) -> np.ndarray:
        sides = (now.own, now.other) if own else (now.other, now.own)
        stones = [[side >> cell & 1 for cell in range(cells)] for side in sides]
        return np.array(stones, np.int8).reshape(2, rows, columns)

    return Coding(cells, lambda position, move: move, (2, rows, columns), 0, 1, observe, longest_game=cells)
