"""Hive for learners.

action        1024 * piece + target cell; the last one is to pass
observation   three planes of 32 x 32 cells, numbered as in `rules`:
              the pieces on top (own ones 1 to 14, the other's 15 to 28), the heights of the stacks, and a plane
              with the player's hand by bug in row 0, the other's in row 1, and the number of plies (at most 127) at the
              beginning of row 2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.hive.board import CELLS, HEIGHT, PASS, PIECES, SIDE, TOP
from ludion.kinds.learning import Coding

if TYPE_CHECKING:
    from ludion.games.hive.rules import Hive, HiveRules

SHAPE = (32, 32)
HIGHEST = 127  # of an 8-bit number


def coding(rules: HiveRules, position: Hive) -> Coding:
    """The numbering for all positions."""
    return Coding(PIECES * CELLS + 1, encode, (3, *SHAPE), 0, HIGHEST, observe)


def encode(now: object, move: int) -> int:
    """The action of a move."""
    if move == PASS:
        return PIECES * CELLS
    return (move >> 20) * CELLS + (move & 1023)


def observe(now: Hive, own: bool) -> np.ndarray:
    """The planes from the view of the player to move (`own`) or of the other one."""
    colour = now.ply % 2 if own else 1 - now.ply % 2
    top = now.board[TOP : TOP + CELLS]
    if colour == 1:
        top = np.where(top > SIDE, top - SIDE, np.where(top > 0, top + SIDE, 0))
    last = np.zeros(SHAPE, np.int8)
    for row, side in enumerate((colour, 1 - colour)):
        last[row, :8] = [now.hand >> 3 * bug + 24 * side & 7 for bug in range(8)]
    last[2, 0] = min(now.ply, HIGHEST)
    heights = now.board[HEIGHT : HEIGHT + CELLS]
    return np.stack((top.reshape(SHAPE), heights.reshape(SHAPE), last)).astype(np.int8)
