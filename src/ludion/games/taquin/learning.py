"""Taquin for learners.

action        the blank goes up, left, right, down; in the metric `multi`, n cells: 4 * (n - 1) more
observation   the board of tile numbers (letters in alphabetical order), 0 for the blank
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.taquin.rules import MultiTaquin, contents
from ludion.kinds.learning import Coding

if TYPE_CHECKING:
    from ludion.games.taquin.rules import Taquin, Tiles


def coding(rules: Taquin, position: Tiles) -> Coding:
    """The numbering for boards of this size with these tiles."""
    height, width = rules.height, rules.width
    by_name = sorted(range(1, height * width), key=lambda tile: abs(int(rules.names[tile])))
    number_of = np.zeros(height * width, np.int16)  # by tile; tiles are numbered by the goal
    number_of[by_name] = range(1, height * width)

    def observe(now: Tiles, own: bool) -> np.ndarray:
        board: np.ndarray = number_of[contents(rules, now)].reshape(height, width)
        return board

    longest_push = max(height, width) - 1 if isinstance(rules, MultiTaquin) else 1
    return Coding(
        4 * longest_push, lambda position, move: move, (height, width), 0, height * width - 1, observe
    )
