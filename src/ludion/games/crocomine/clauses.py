"""The clauses of the report for any position, and proofs from them.

A cell has five variables, in the report's order: land, sea, tiger, shark, crocodile, numbered from 1 (DIMACS
has no variable 0): `variable = 5 * cell + content + 1`. For each cell: it is land or sea and not both; at
most one animal; a tiger implies land, a shark sea. For each open cell and each kind: exactly so many of the
neighbours hold it. The totals are not among the clauses: exact counting takes them in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.games.crocomine.inference import NOTHING, counts, hidden_cells
from ludion.games.crocomine.rules import (
    CROCODILE,
    EMPTY,
    HIDDEN,
    LAND,
    OPEN,
    SHARK,
    TIGER,
    UNKNOWN,
    View,
    neighbours,
)
from ludion.logic.cnf import Formula
from ludion.logic.sat import make_prover, why

CONTENTS = ("land", "sea", "tiger", "shark", "crocodile")
ANIMALS = {EMPTY: "safe", TIGER: "tiger", SHARK: "shark", CROCODILE: "crocodile"}


def cell_to_variable(view: View, row: int, column: int, content: int) -> int:
    """The variable `the cell is land / sea / holds a tiger / shark / crocodile` (contents 0 to 4)."""
    return 5 * view.cell(row, column) + content + 1


def variable_to_cell(view: View, variable: int) -> tuple[int, int, int]:
    """The row, column and content of a variable."""
    cell, content = divmod(variable - 1, 5)
    return *view.place(cell), content


def animal(cell: int, kind: int) -> int:
    """The variable `the cell holds this animal`."""
    return 5 * cell + 2 + kind


def formula_of(view: View, only: set[int] | None = None) -> Formula:
    """The clauses of the position; with `only`, of these cells."""
    formula = Formula()
    for cell in range(view.cells):
        for content in CONTENTS:
            formula.variable((*view.place(cell), content))
    for cell in range(view.cells):
        if only is None or cell in only:
            _say_rules(formula, cell)
    for cell in range(view.cells):
        if only is None or cell in only:
            say_seen(formula, view, cell)
    return formula


def _say_rules(formula: Formula, cell: int) -> None:
    land, sea = 5 * cell + 1, 5 * cell + 2
    tiger, shark, crocodile = (animal(cell, kind) for kind in (TIGER, SHARK, CROCODILE))
    formula.add([land, sea])
    formula.add([-land, -sea])
    formula.at_most(1, [tiger, shark, crocodile])
    formula.add([-tiger, land])
    formula.add([-shark, sea])


def say_seen(formula: Formula, view: View, cell: int) -> None:
    """The clauses of what is seen of a cell; its group is the cell."""
    if view.terrain[cell] != UNKNOWN:
        formula.add([5 * cell + 1 if view.terrain[cell] == LAND else 5 * cell + 2], ("terrain", cell))
    seen = int(view.seen[cell])
    if seen == HIDDEN or (view.flags and seen > 0):
        return
    if seen == OPEN:
        for kind in (TIGER, SHARK, CROCODILE):
            formula.add([-animal(cell, kind)], ("open", cell))
        around = neighbours(view.rows, view.columns, cell)
        for kind in (TIGER, SHARK, CROCODILE):
            formula.exactly(
                int(view.clues[cell, kind - 1]), [animal(other, kind) for other in around], ("clue", cell)
            )
    else:
        formula.add([animal(cell, seen)], ("open", cell))


class LocalProver:
    """Proves contents of cells from the clauses, one incremental solver for a whole game."""

    def __init__(self, view: View, command: str = "") -> None:
        self.formula = Formula()
        for cell in range(view.cells):
            for content in range(5):
                self.formula.variable((cell, content))
            _say_rules(self.formula, cell)
        self.prover = make_prover(self.formula, command)
        self.told = np.full((view.cells, 2), -9, np.int8)

    def tell(self, view: View) -> None:
        """Add the clauses of what is new."""
        now = np.stack([view.terrain, view.seen], axis=1)
        for cell in np.flatnonzero((now != self.told).any(axis=1)).tolist():
            say_seen(self.formula, view, cell)
        self.told = now

    def settle(self, view: View, certain: np.ndarray) -> int:
        """Write what can be proved of the cells next to open ones; gives how many are new."""
        self.tell(view)
        settled = 0
        models: list[set[int]] = []
        first = self.prover.model([])
        if first is None:
            from ludion.games.crocomine.inference import ContradictionError

            raise ContradictionError("no board fits what is seen")
        models.append(first)
        for cell in frontier(view):
            if certain[cell] != NOTHING:
                continue
            kinds = [animal(cell, kind) for kind in (TIGER, SHARK, CROCODILE)]
            possible = {self._content(model, kinds) for model in models}
            if len(possible) > 1:
                continue  # two models disagree: nothing is certain
            content = possible.pop()
            # The only content seen so far: can it be otherwise?
            if content == EMPTY:
                others = [self.prover.model([kind]) for kind in kinds]
            else:
                others = [self.prover.model([-kinds[content - 1]])]
            found = [model for model in others if model is not None]
            if found:
                models += found
            else:
                certain[cell] = content
                settled += 1
        return settled

    @staticmethod
    def _content(model: set[int], kinds: list[int]) -> int:
        return next((1 + index for index, kind in enumerate(kinds) if kind in model), EMPTY)


def frontier(view: View) -> list[int]:
    """The hidden cells next to an open one."""
    return [
        cell
        for cell in hidden_cells(view)
        if any(view.seen[other] == OPEN for other in neighbours(view.rows, view.columns, cell))
    ]


@dataclass(frozen=True)
class Reason:
    """Why a cell's content is certain: the clues that force it, or the totals."""

    cell: int
    content: int
    clues: tuple[int, ...]  # open cells whose numbers are needed, in the order of the board
    totals: bool  # only the totals make it certain
    smallest: bool = True  # no fewer clues force it; else only: none of these can be left out

    def words(self, view: View) -> str:
        place = "({}, {})".format(*view.place(self.cell))
        what = "is safe" if self.content == EMPTY else f"holds a {ANIMALS[self.content]}"
        if self.totals:
            return f"{place} {what}: the totals of the board leave no other way"
        clues = ", ".join("({}, {})".format(*view.place(clue)) for clue in self.clues)
        few = "" if self.smallest else " (none of them can be left out; fewer others might do)"
        return f"{place} {what}: forced by the clue{'s' if len(self.clues) > 1 else ''} at {clues}{few}"


def reason(view: View, cell: int) -> Reason | None:
    """Why the cell's content is certain, as the smallest set of clues that forces it; None if it is not."""
    if cell not in hidden_cells(view):
        return None
    found: Any = None
    formula = formula_of(view)
    given = {"terrain", "open"}
    always = [None, *{group for group in formula.groups if isinstance(group, tuple) and group[0] in given}]
    nothing = formula.variable((cell, "empty"))  # holds exactly when no animal is there
    kinds = [animal(cell, kind) for kind in (TIGER, SHARK, CROCODILE)]
    formula.add([nothing, *kinds])
    for kind in kinds:
        formula.add([-nothing, -kind])
    for content, literal in ((EMPTY, nothing), (TIGER, kinds[0]), (SHARK, kinds[1]), (CROCODILE, kinds[2])):
        found = why(formula, literal, always)
        if found is not None:
            clues = tuple(sorted(group[1] for group in found.groups))
            return Reason(cell, content, clues, False, found.smallest)
    models, ways = counts(view)
    for content in range(4):
        if ways[cell][content] == models:
            return Reason(cell, content, (), True)
    return None
