"""Connect 4 for learners.

action        the column
observation   two boards of 0 and 1, the top row first: the own stones, the other's
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.kinds.learning import Coding

if TYPE_CHECKING:
    from ludion.games.connect_four.rules import DropGame, Stones


def coding(rules: DropGame, position: Stones) -> Coding:
    """The numbering for this board."""
    columns, rows = rules.columns, rules.rows

    def observe(now: Stones, own: bool) -> np.ndarray:
        other = now.mask & ~now.own
        sides = (now.own, other) if own else (other, now.own)
        stones = [
            [[side >> column * rules.stride + row & 1 for column in range(columns)] for row in range(rows)]
            for side in sides
        ]
        return np.array(stones, np.int8)[:, ::-1]

    shape = (2, rows, columns)
    return Coding(columns, lambda position, move: move, shape, 0, 1, observe, longest_game=columns * rows)
