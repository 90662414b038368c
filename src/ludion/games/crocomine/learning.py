"""CrocoMine for learners.

action        the cell to discover, row by row; then as many numbers again to guess a tiger, a shark, a crocodile there
observation   five numbers per cell: terrain (-1 unknown, 0 land, 1 sea), what is seen (-1 hidden, 0 open, 1 to 3 the
              animal guessed), and the tigers, sharks and crocodiles around it
reward        1 for winning, -1 for losing
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.crocomine.rules import DISCOVER, GUESS, KINDS, Action
from ludion.kinds.learning import WorldCoding
from ludion.kinds.quest import percept

if TYPE_CHECKING:
    from ludion.games.crocomine.rules import CrocoWorld

TERRAIN, SEEN = 0, 1  # the first two numbers of a cell
SEA_COLOUR, GUESSED_COLOUR, HIDDEN_COLOUR = 3, 2, 9


def coding(rules: object, world: CrocoWorld) -> WorldCoding:
    """The numbering for boards of this size."""
    view = percept(world)
    rows, columns = view.rows, view.columns
    shape = (rows, columns, 5)

    def decode(now: object, action: int) -> Action:
        kind, cell = divmod(action, rows * columns)
        row, column = divmod(cell, columns)
        return Action(GUESS, row, column, KINDS[kind - 1]) if kind else Action(DISCOVER, row, column)

    def observe(now: CrocoWorld) -> np.ndarray:
        view = percept(now)
        parts = [view.terrain[:, None], view.seen[:, None], view.clues]
        return np.concatenate(parts, 1).astype(np.int8).reshape(shape)

    return WorldCoding(
        4 * rows * columns, decode, shape, -1, 8, observe, hidden_cells, picture, gain=lambda now: 0.0
    )


def hidden_cells(world: CrocoWorld) -> np.ndarray:
    """1 for every action in a hidden cell."""
    return np.tile(percept(world).seen < 0, 4).astype(np.int8)


def picture(observation: np.ndarray) -> np.ndarray:
    """Land, sea, guessed and hidden cells in different colours."""
    terrain, seen = observation[..., TERRAIN], observation[..., SEEN]
    return np.where(seen < 0, HIDDEN_COLOUR, np.where(seen > 0, GUESSED_COLOUR, terrain * SEA_COLOUR))
