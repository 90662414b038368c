"""The clauses of the report for any position, and proofs from them.

A cell has five variables, in the report's order: land, sea, tiger, shark, crocodile, numbered from 1 (DIMACS
has no variable 0): `variable = 5 * cell + fact + 1`. For each cell: it is land or sea and not both; at
most one animal; a tiger implies land, a shark sea. For each open cell and each kind: the exact
number among its neighbours. The totals of the board (the report's "contrainte 2"): the exact numbers of tigers, sharks,
crocodiles and sea cells. Written out, these would be too many clauses, so they are encoded with further variables,
which come after those of the cells.
"""

from __future__ import annotations

import numpy as np

from ludion.games.crocomine.inference import NOT_CERTAIN, contradiction, hidden_cells
from ludion.games.crocomine.rules import (
    ANIMALS,
    EMPTY,
    HIDDEN,
    LAND,
    OPEN,
    UNKNOWN,
    View,
    neighbours,
    require_totals,
)
from ludion.logic.cnf import Formula
from ludion.logic.sat import make_prover

FACTS = ("land", "sea", "tiger", "shark", "crocodile")  # of a cell, in the order of its variables
LAND_FACT, SEA_FACT, FIRST_ANIMAL_FACT = 0, 1, 2
NOT_SEEN_YET = -9  # in `LocalProver.last_seen`


def fact_variable(cell: int, fact: int) -> int:
    """The variable `the cell is land / sea / holds a tiger / shark / crocodile` (facts 0 to 4)."""
    return len(FACTS) * cell + fact + 1


def animal_variable(cell: int, animal: int) -> int:
    """The variable `the cell holds this animal`."""
    return fact_variable(cell, FIRST_ANIMAL_FACT + animal - 1)


def formula_of(view: View, totals: bool = True) -> Formula:
    """The clauses of the position, with those of the totals unless they are left out."""
    formula = _formula_of_rules(view)
    for cell in range(view.cells):
        _add_seen(formula, view, cell)
    if totals:
        _add_totals(formula, view)
    return formula


def _formula_of_rules(view: View) -> Formula:
    """The variables of all cells, and what the rules say about each cell."""
    formula = Formula()
    for cell in range(view.cells):
        for fact in FACTS:
            formula.variable((*view.place(cell), fact))
    for cell in range(view.cells):
        _add_rules(formula, cell)
    return formula


def _add_totals(formula: Formula, view: View) -> None:
    """The numbers of animals of each kind and of sea cells on the whole board."""
    require_totals(view)
    for animal in ANIMALS:
        variables = [animal_variable(cell, animal) for cell in range(view.cells)]
        formula.exactly_encoded(
            int(view.totals[animal - 1]), variables, ("total", FACTS[FIRST_ANIMAL_FACT + animal - 1])
        )
    sea = [fact_variable(cell, SEA_FACT) for cell in range(view.cells)]
    formula.exactly_encoded(int(view.sea), sea, ("total", FACTS[SEA_FACT]))


def _add_rules(formula: Formula, cell: int) -> None:
    land, sea = fact_variable(cell, LAND_FACT), fact_variable(cell, SEA_FACT)
    tiger, shark, crocodile = (animal_variable(cell, animal) for animal in ANIMALS)
    formula.add([land, sea])
    formula.add([-land, -sea])
    formula.at_most(1, [tiger, shark, crocodile])
    formula.add([-tiger, land])
    formula.add([-shark, sea])


def _add_seen(formula: Formula, view: View, cell: int) -> None:
    """The clauses of what is seen of a cell, in groups named after the cell."""
    if view.terrain[cell] != UNKNOWN:
        fact = LAND_FACT if view.terrain[cell] == LAND else SEA_FACT
        formula.add([fact_variable(cell, fact)], ("terrain", cell))
    seen = int(view.seen[cell])
    if seen == HIDDEN or (view.flags and seen > EMPTY):
        return
    if seen == OPEN:
        for animal in ANIMALS:
            formula.add([-animal_variable(cell, animal)], ("open", cell))
        around = neighbours(view.rows, view.columns, cell)
        for animal in ANIMALS:
            variables = [animal_variable(other, animal) for other in around]
            formula.exactly(int(view.clues[cell, animal - 1]), variables, ("clue", cell))
    else:
        formula.add([animal_variable(cell, seen)], ("open", cell))


class LocalProver:
    """Proves contents of cells from the clauses, one incremental solver for a whole game."""

    def __init__(self, view: View, command: str = "", totals: bool = False) -> None:
        self.totals = totals  # whether the clauses say how many animals there are on the whole board
        self.formula = _formula_of_rules(view)
        if totals:
            _add_totals(self.formula, view)
        self.prover = make_prover(self.formula, command)
        # Terrain and content of each cell at the last call.
        self.last_seen = np.full((view.cells, 2), NOT_SEEN_YET, np.int8)

    def close(self) -> None:
        """Free what the solver holds."""
        self.prover.close()

    def has_seen_more(self, view: View) -> bool:
        """Whether it has seen more open cells than there are now: then another game has begun."""
        return bool((view.seen != HIDDEN).sum() < (self.last_seen[:, 1] >= OPEN).sum())

    def _add_new(self, view: View) -> None:
        """Add the clauses of what is new."""
        now = np.stack([view.terrain, view.seen], axis=1)
        for cell in np.flatnonzero((now != self.last_seen).any(axis=1)).tolist():
            _add_seen(self.formula, view, cell)
        self.last_seen = now

    def write_certain(self, view: View, certain: np.ndarray) -> int:
        """Write what can be proved about the cells next to open ones; if that is nothing and the totals are used, about
        the others. Returns how many are new."""
        self._add_new(view)
        first = self.prover.model([])
        if first is None:
            raise contradiction()
        models, near = [first], frontier(view)
        decided = self._decide(near, models, certain)
        if self.totals and not decided:
            decided = self._decide([cell for cell in hidden_cells(view) if cell not in near], models, certain)
        return decided

    def _decide(self, cells: list[int], models: list[set[int]], certain: np.ndarray) -> int:
        """Write what can be proved about these cells; counterexamples are added to `models`."""
        decided = 0
        for cell in cells:
            if certain[cell] != NOT_CERTAIN:
                continue
            variables = [animal_variable(cell, animal) for animal in ANIMALS]
            possible = {self._content(model, variables) for model in models}
            if len(possible) > 1:
                continue  # two models disagree: nothing is certain
            content = possible.pop()
            # The only content seen so far: can it be otherwise?
            if content == EMPTY:
                others = [self.prover.model([variable]) for variable in variables]
            else:
                others = [self.prover.model([-variables[content - 1]])]
            counterexamples = [model for model in others if model is not None]
            if counterexamples:
                models += counterexamples
            else:
                certain[cell] = content
                decided += 1
        return decided

    @staticmethod
    def _content(model: set[int], variables: list[int]) -> int:
        return next((1 + index for index, variable in enumerate(variables) if variable in model), EMPTY)


def frontier(view: View) -> list[int]:
    """The hidden cells next to an open one."""
    return [
        cell
        for cell in hidden_cells(view)
        if any(view.seen[other] == OPEN for other in neighbours(view.rows, view.columns, cell))
    ]
