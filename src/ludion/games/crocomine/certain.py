"""The order of certain actions: a board should be won with few of them.

Every animal has to be guessed anyway, and chords need guessed animals, so guesses come first. A chord opens all hidden
cells around an open one; discovering a cell without animals around it opens its neighbours too. Of these, the action
that is known to open most cells is taken. Discovering a single cell comes last: a later chord may include it. On a
board with flags, guesses are not needed to win, so cells are only discovered.
"""

from __future__ import annotations

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.crocomine.inference import NOT_CERTAIN, KnownBoard
from ludion.games.crocomine.rules import EMPTY, END, HIDDEN, OPEN

PICK_NOTHING, PICK_CONTENT, PICK_CHORD = 0, 1, 2  # play nothing, a cell's certain content, a chord


@kernel
def pick_certain(board: KnownBoard, certain: np.ndarray, at_once: bool) -> tuple[int, int]:
    """The kind of action and the cell; unless `at_once`, no discovery that opens only one cell."""
    around, seen = board.around, board.seen
    best_verb, best_cell, best_gain = PICK_NOTHING, -1, 0 if at_once else 1
    for cell in range(seen.shape[0]):
        # Neighbours: hidden and certainly empty; hidden and not; animals that were guessed.
        hidden = waiting = animals = 0
        for i in range(1, around[cell, END]):
            other = around[cell, i]
            if seen[other] == HIDDEN:
                if certain[other] == EMPTY:
                    hidden += 1
                else:
                    waiting += 1
            elif seen[other] > EMPTY:
                animals += 1
        if seen[cell] == HIDDEN and certain[cell] != NOT_CERTAIN:
            if certain[cell] > EMPTY:
                if not board.flags:
                    return PICK_CONTENT, cell
                continue
            gain = 1 + hidden if waiting == 0 and animals == 0 else 1
            if gain > best_gain:
                best_verb, best_cell, best_gain = PICK_CONTENT, cell, gain
        elif seen[cell] == OPEN and waiting == 0 and hidden > max(1, best_gain) and not board.flags:
            best_verb, best_cell, best_gain = PICK_CHORD, cell, hidden
    return best_verb, best_cell
