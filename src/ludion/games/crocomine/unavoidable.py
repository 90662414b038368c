"""What no action can find out, for `analyse`: unavoidable guesses and dead cells. `best` does not use them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ludion.games.crocomine.agents import BestAgent
from ludion.games.crocomine.choice import OBSERVATIONS
from ludion.games.crocomine.completions import CONTENT_MASK, MOST_ENDGAME_CELLS
from ludion.games.crocomine.rules import ANIMALS, EMPTY, HIDDEN, OPEN, TIGER, UNKNOWN, View, neighbours

ROUNDING = 1e-9  # an expected number this close to a whole one is that number in every completion


def unavoidable_guesses(agent: BestAgent, view: View) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """The parts of the board about which actions elsewhere give no information: their cells and completions. `agent`
    has just decided about the view.

    Actions outside a component give information about it only through the totals, and not even that if all its
    completions have the same number of each animal.
    """
    known = agent.known(view)
    components = hidden_components(view, known)
    if len(components) == 1:
        return  # the only component is the rest of the board, which the endgame search plays out
    for component in components:
        cells = np.array(component)
        expected = agent.chances[cells, TIGER:].sum(axis=0)
        varies = np.abs(expected - expected.round()).max() > ROUNDING
        if varies or len(cells) > MOST_ENDGAME_CELLS or (view.terrain[cells] == UNKNOWN).any():
            continue
        alone = np.maximum(known, EMPTY)
        alone[cells] = known[cells]
        cells, completions = agent.complete(view, alone, whole=False)
        contents = completions & CONTENT_MASK
        numbers = np.stack([(contents == animal).sum(axis=1) for animal in ANIMALS])
        if len(completions) > 1 and (numbers == numbers[:, :1]).all():
            yield cells, completions


def hidden_components(view: View, known: np.ndarray) -> list[list[int]]:
    """The hidden cells in groups: cells that touch each other or the same open cell are in one group. An action in one
    of them shows nothing about another: only the totals link them."""
    groups: list[list[int]] = []
    reached: set[int] = set()
    for start in np.flatnonzero(known == HIDDEN).tolist():
        if start in reached:
            continue
        reached.add(start)
        group = [start]  # hidden cells, and the open ones between them
        for cell in group:
            near = {HIDDEN} if known[cell] == OPEN else {HIDDEN, OPEN}
            for other in neighbours(view.rows, view.columns, cell):
                if other not in reached and known[other] in near:
                    reached.add(other)
                    group.append(other)
        groups.append(sorted(cell for cell in group if known[cell] == HIDDEN))
    return groups


def dead_cells(agent: BestAgent, view: View) -> list[int]:
    """The cells that give no information: they show the same in all boards in which they are empty. `agent` has just
    decided about the view."""
    known, empty = agent.known(view), agent.chances[:, EMPTY]
    cells = np.flatnonzero((known == HIDDEN) & (empty > 0) & (empty < 1))
    scores = agent.score_actions(view, known, np.stack([cells, np.full_like(cells, EMPTY)], axis=1))
    return [int(cell) for cell in cells[scores[:, OBSERVATIONS] == 1]]
