"""The order of certain actions: a board should be won with few of them.

Every animal has to be guessed anyway, and chords need guessed animals, so guesses come first, and everything that can
be proved is proved before a cell is opened. A chord opens all hidden cells around an open one; discovering a cell
without animals around it opens its neighbours too. Of these, and of the discoveries of single cells, the one that saves
most later actions is taken:

    savings(action) = sum over the cells that it is known to open of 1 / (1 + centres of the cell)
    centres         = cells around it that may be chorded later: hidden ones that may be empty, and open ones with
                      animals still to be guessed around them

For a cell with many centres, a later chord is likely to open it along with others. On a board with flags, guesses are
not needed to win, so cells are only discovered.
"""

from __future__ import annotations

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.crocomine.inference import KnownBoard
from ludion.games.crocomine.rules import EMPTY, END, HIDDEN, OPEN

PICK_NOTHING, PICK_CONTENT, PICK_CHORD = 0, 1, 2  # play nothing, a cell's certain content, a chord
SAFE_AROUND, WAITING, ANIMALS_AROUND = 0, 1, 2  # columns of `count_neighbours`


@kernel
def pick_certain(board: KnownBoard, certain: np.ndarray, at_once: bool) -> tuple[int, int]:
    """The kind of action and the cell; unless `at_once`, only guesses."""
    around, seen = board.around, board.seen
    if not board.flags:
        for cell in range(seen.shape[0]):
            if seen[cell] == HIDDEN and certain[cell] > EMPTY:
                return PICK_CONTENT, cell
    if not at_once:
        return PICK_NOTHING, -1
    best_verb, best_cell, most = PICK_NOTHING, -1, 0.0
    numbers = count_neighbours(board, certain)
    savings = np.zeros(seen.shape[0])
    for cell in range(seen.shape[0]):
        if seen[cell] == HIDDEN and certain[cell] == EMPTY:
            centres = 0 if board.flags else count_centres(board, certain, numbers, cell)
            savings[cell] = 1.0 / (1.0 + centres)
    for cell in range(seen.shape[0]):
        is_safe, all_known = savings[cell] > 0.0, numbers[cell, WAITING] == 0
        is_chord = seen[cell] == OPEN and all_known and numbers[cell, SAFE_AROUND] > 1 and not board.flags
        if not is_safe and not is_chord:
            continue
        saved = savings[cell]
        if is_chord or (all_known and numbers[cell, ANIMALS_AROUND] == 0):
            for i in range(1, around[cell, END]):
                saved += savings[around[cell, i]]
        if saved > most:
            best_verb, best_cell, most = PICK_CHORD if is_chord else PICK_CONTENT, cell, saved
    return best_verb, best_cell


@kernel
def count_neighbours(board: KnownBoard, certain: np.ndarray) -> np.ndarray:
    """For each cell, how many of its neighbours are hidden and certainly empty (SAFE_AROUND), hidden and not certainly
    empty (WAITING), and guessed animals (ANIMALS_AROUND)."""
    around, seen = board.around, board.seen
    numbers = np.zeros((seen.shape[0], ANIMALS_AROUND + 1), np.int64)
    for cell in range(seen.shape[0]):
        for i in range(1, around[cell, END]):
            other = around[cell, i]
            if seen[other] == HIDDEN:
                numbers[cell, SAFE_AROUND if certain[other] == EMPTY else WAITING] += 1
            elif seen[other] > EMPTY:
                numbers[cell, ANIMALS_AROUND] += 1
    return numbers


@kernel(python_entry=False, inline=True)
def count_centres(board: KnownBoard, certain: np.ndarray, numbers: np.ndarray, cell: int) -> int:
    """How many cells around a cell may be chorded later, but not yet."""
    centres = 0
    for i in range(1, board.around[cell, END]):
        other = board.around[cell, i]
        if board.seen[other] == OPEN:
            centres += numbers[other, WAITING] > 0
        else:
            centres += board.seen[other] == HIDDEN and certain[other] <= EMPTY
    return centres
