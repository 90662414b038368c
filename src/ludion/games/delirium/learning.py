"""Delirium for learners.

action        0 to 8, as agents give them
observation   the cells around the miner, at most `view` away in each direction, -1 beyond the border; if the rules
              show the whole mine, the view is 4
reward        1 for each diamond, 10 for the exit, -10 for death
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.delirium.physics import DIG_DOWN
from ludion.games.delirium.world import WHOLE_VIEW
from ludion.kinds.learning import WorldCoding
from ludion.kinds.quest import percept

if TYPE_CHECKING:
    from ludion.games.delirium.world import Briefing, MineWorld

ACTIONS = DIG_DOWN + 1
DEFAULT_VIEW = 4
OUTSIDE = -1


def coding(rules: Briefing, world: MineWorld) -> WorldCoding:
    """The numbering for a view of this width."""
    view = world.view_x if world.view_x < WHOLE_VIEW else DEFAULT_VIEW
    side = 2 * view + 1

    def observe(now: MineWorld) -> np.ndarray:
        seen = percept(now)
        padded = np.pad(seen.grid(), view, constant_values=OUTSIDE)
        row, column = divmod(
            seen.position, seen.row
        )  # of the miner; in the padded grid, of the view's corner
        window: np.ndarray = padded[row : row + side, column : column + side].copy()
        return window

    return WorldCoding(
        ACTIONS,
        decode=lambda now, action: action,
        shape=(side, side),
        low=OUTSIDE,
        high=127,
        observe=observe,
        mask=lambda now: np.ones(ACTIONS, np.int8),
        picture=lambda observation: observation,
        gain=lambda now: float(now.diamonds),
        prize=10.0,
    )
