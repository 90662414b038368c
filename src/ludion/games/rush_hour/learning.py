"""Rush Hour for learners.

action        32 * vehicle + distance + 16
observation   the board: 0 free, 1 a wall, 2 the red car, then the other vehicles by their names
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.rush_hour.notation import NAMES, RED, board
from ludion.kinds.learning import Coding

if TYPE_CHECKING:
    from ludion.games.rush_hour.rules import RushHour, Traffic

FREE, WALL, FIRST_VEHICLE = range(3)
LEAST_VEHICLES = 64  # that actions are there for, so that boards of usual sizes have the same actions
USUAL_NAMES = 60  # letters and digits


def coding(rules: RushHour, position: Traffic) -> Coding:
    """The numbering for boards of this size with these vehicles."""
    names = set(board(rules, position)) - {".", "x"}
    further = sorted(names - set(NAMES))  # letters of other alphabets
    numbers = {name: FIRST_VEHICLE + index for index, name in enumerate([*NAMES, *further])}
    numbers |= {".": FREE, "x": WALL}
    assert numbers[RED] == FIRST_VEHICLE
    shape = (rules.height, rules.width)

    def observe(now: Traffic, own: bool) -> np.ndarray:
        return np.array([numbers[sign] for sign in board(rules, now)], np.int16).reshape(shape)

    actions = 32 * max(LEAST_VEHICLES, len(names))
    highest = max(FIRST_VEHICLE + USUAL_NAMES - 1, *(numbers[name] for name in names))
    return Coding(actions, lambda position, move: move, shape, FREE, highest, observe)
