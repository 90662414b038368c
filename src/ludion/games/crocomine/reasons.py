"""Why a cell is certain: the smallest set of clues that forces its content, or the totals.

A clue knows its hidden neighbours and how many of each animal are still to be found among them. Two clues are linked
if they share a hidden cell. Clues that force a cell, none of which can be left out, are linked to each other, and one
of them touches the cell: so a set of n clues lies within n - 1 steps of the cell's own clues. `Explainer` looks at
these first, and goes further only while a smaller set might be there. One incremental solver serves all cells.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass

from ludion.games.crocomine.inference import counts, hidden_cells
from ludion.games.crocomine.rules import (
    ANIMALS,
    CROCODILE,
    EMPTY,
    LAND,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    View,
    neighbours,
)
from ludion.logic.cnf import Formula
from ludion.logic.sat import Cause, CauseFinder
from ludion.messages import message

CONTENT_IDS = ("safe", "tiger", "shark", "crocodile")  # what a cell is called in answers, by content
MOST_STEPS = 1000  # between two clues: all that are linked
MOST_TRIES = 2000  # sets of clues looked at to see where all animals of a kind are


@dataclass(frozen=True)
class Reason:
    """Why a cell's content is certain: the clues that force it, or the totals."""

    cell: int
    content: int
    clues: tuple[int, ...]  # open cells whose numbers are needed, in the order of the board
    totals: bool  # only the totals make it certain
    smallest: bool = True  # no fewer clues force it; else only: none of these can be left out
    placed: tuple[int, ...] = ()  # with totals: the animals that are all around these clues, or guessed

    def words(self, view: View) -> str:
        says = content_in_words(view, self.cell, CONTENT_IDS[self.content])
        text = message("crocomine.cell_because", says=says, because=self._because(view))
        return text if self.smallest else f"{text} {message('crocomine.maybe_not_smallest')}"

    def spoken(self, view: View) -> str:
        """The same for people who count rows and columns from 1, without the name of the cell."""
        name = "mine" if view.flags and self.content != EMPTY else CONTENT_IDS[self.content]
        says = message(f"crocomine.certainly.{name}")
        return message(
            "crocomine.cell_because", says=says, because=self._because(view, "crocomine.say_place", 1)
        )

    def _because(self, view: View, id: str = "crocomine.place", first: int = 0) -> str:
        """Why, with the places of the clues; their rows and columns count from `first`."""
        places = [(row + first, column + first) for row, column in map(view.place, self.clues)]
        clues = ", ".join(message(id, row=row, column=column) for row, column in places)
        if not self.totals:
            name = "forced_by_clue" if len(self.clues) == 1 else "forced_by_clues"
            return message(f"crocomine.{name}", clue=clues, clues=clues)
        if not self.placed:
            tigers, sharks, crocodiles = left_to_find(view)
            left = {"tigers": tigers, "sharks": sharks, "crocodiles": crocodiles}
            name = "forced_by_mines_left" if view.flags else "forced_by_totals"
            return message(f"crocomine.{name}", **left, cells=len(hidden_cells(view)))
        ids = ["mines"] if view.flags else [CONTENT_IDS[animal] for animal in self.placed]
        animals = message("crocomine.and").join(message(f"crocomine.all.{each}") for each in ids)
        if not self.clues:
            return message("crocomine.all_are_guessed", animals=animals)
        name = "all_are_at_clue" if len(self.clues) == 1 else "all_are_at_clues"
        return message(f"crocomine.{name}", animals=animals, clue=clues, clues=clues)


def content_in_words(view: View, cell: int, content_id: str) -> str:
    """What a cell certainly holds."""
    row, column = view.place(cell)
    name = "mine" if view.flags and content_id != CONTENT_IDS[EMPTY] else content_id
    return message(f"crocomine.cell_is_{name}", row=row, column=column)


def left_to_find(view: View) -> list[int]:
    """How many tigers, sharks and crocodiles are hidden."""
    seen = [] if view.flags else view.seen.tolist()
    return [int(view.totals[animal - 1]) - seen.count(animal) for animal in ANIMALS]


def reason(view: View, cell: int) -> Reason | None:
    """Why the cell's content is certain; None if it is not. For many cells, ask one `Explainer`."""
    explainer = Explainer(view)
    try:
        return explainer.reason(cell)
    finally:
        explainer.close()


class Explainer:
    """Finds the reasons for all cells of a position."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.hidden = frozenset(hidden_cells(view))
        self.formula = Formula()
        self.finder = CauseFinder(self.formula)
        self._encoded: set[int] = set()  # clues whose clauses are in the formula

    def close(self) -> None:
        """Free what the solver holds."""
        self.finder.close()

    def reason(self, cell: int, content: int | None = None) -> Reason | None:
        """Why the cell's content is certain; None if it is not. Pass the certain `content` if it is known."""
        if cell not in self.hidden:
            return None
        if content is None:
            models, ways = self.counts
            if models not in ways[cell]:
                return None
            content = ways[cell].index(models)
        for clue in self.clues_at(cell):
            if self._forces(clue, cell, content):
                return Reason(cell, content, (clue,), False)
        cause = self._why(cell, content) if len(self.clues_at(cell)) else None
        if cause is None:
            return self._by_totals(cell, content)
        clues = tuple(sorted(int(str(clue)) for clue in cause.groups))
        return Reason(cell, content, clues, False, cause.smallest)

    @functools.cached_property
    def counts(self) -> tuple[int, list[tuple[int, int, int, int]]]:
        """How many boards fit, and in how many each cell holds what."""
        return counts(self.view)

    # -------------------------------------------------------------- clues

    @functools.cache  # noqa: B019 (an explainer lives as long as its position)
    def around(self, clue: int) -> list[int]:
        """The hidden cells around an open one."""
        view = self.view
        return [other for other in neighbours(view.rows, view.columns, clue) if other in self.hidden]

    @functools.cache  # noqa: B019
    def clues_at(self, cell: int) -> list[int]:
        """The clues that touch a hidden cell."""
        view = self.view
        return [other for other in neighbours(view.rows, view.columns, cell) if view.seen[other] == OPEN]

    @functools.cache  # noqa: B019
    def needs(self, clue: int) -> tuple[int, int, int]:
        """How many tigers, sharks and crocodiles are among the hidden cells around a clue."""
        view = self.view
        known = [0, 0, 0]
        for other in neighbours(view.rows, view.columns, clue):
            if other not in self.hidden and view.seen[other] > EMPTY:
                known[view.seen[other] - 1] += 1
        tigers, sharks, crocodiles = (int(view.clues[clue, i]) - known[i] for i in range(3))
        return tigers, sharks, crocodiles

    def _may_hold(self, cell: int) -> list[int]:
        """The animals that may live in a cell."""
        terrain = self.view.terrain[cell]
        return [
            animal
            for animal, home in ((TIGER, LAND), (SHARK, SEA), (CROCODILE, terrain))
            if terrain == home or terrain not in (LAND, SEA)
        ]

    def _forces(self, clue: int, cell: int, content: int) -> bool:
        """Whether the clue alone leaves the cell no other content: none can be completed around it."""
        terrains = [int(self.view.terrain[other]) for other in self.around(clue) if other != cell]
        land, sea = terrains.count(LAND), terrains.count(SEA)
        unknown = len(terrains) - land - sea
        for other in (EMPTY, *self._may_hold(cell)):
            left = list(self.needs(clue))
            if other != EMPTY:
                left[other - 1] -= 1
            tigers, sharks, _ = left
            fits = min(left) >= 0 and sum(left) <= len(terrains)
            fits = fits and max(0, tigers - land) + max(0, sharks - sea) <= unknown
            if fits and other != content:
                return False
        return True

    # -------------------------------------------------------------- several clues

    def _why(self, cell: int, content: int) -> Cause | None:
        """The smallest set of clues that forces the content, knowing that a single one does not."""
        near = list(self.clues_at(cell))
        literal = self._literal(cell, content)
        steps, complete = 0, False
        while not complete:
            wider = self._linked(near)
            complete = len(wider) == len(near) or steps >= MOST_STEPS
            near, steps = wider, steps + 1
            for clue in near:
                self._encode(clue)
            cause = self.finder.why(literal, near, at_least=2)
            # A set of n clues lies within n - 1 steps: none that is smaller can be further away.
            if cause is not None and (complete or len(cause.groups) - 1 <= steps + 1):
                return cause
        return None

    def _linked(self, clues: Iterable[int]) -> list[int]:
        """These clues, and those that share a hidden cell with one of them."""
        return list(
            dict.fromkeys(
                each for clue in clues for cell in self.around(clue) for each in self.clues_at(cell)
            )
        )

    def _variable(self, cell: int, animal: int) -> int:
        return self.formula.variable((cell, animal))

    def _literal(self, cell: int, content: int) -> int:
        """Holds if the cell has the content: of variable (cell, EMPTY), exactly when no animal is there."""
        if (cell, EMPTY) not in self.formula.names:
            empty = self._variable(cell, EMPTY)
            animals = [self._variable(cell, animal) for animal in self._may_hold(cell)]
            self.formula.exactly(1, [empty, *animals])
        return self._variable(cell, content)

    def _encode(self, clue: int) -> None:
        """Add the clauses of a clue, a group of its own, and of its cells."""
        if clue in self._encoded:
            return
        self._encoded.add(clue)
        for cell in self.around(clue):
            self._literal(cell, EMPTY)
        for animal, need in zip(ANIMALS, self.needs(clue), strict=True):
            cells = [cell for cell in self.around(clue) if animal in self._may_hold(cell)]
            self.formula.exactly(need, [self._variable(cell, animal) for cell in cells], clue)

    # -------------------------------------------------------------- totals

    def _by_totals(self, cell: int, content: int) -> Reason:
        """The reason of a cell that the clues alone do not force."""
        clues: set[int] = set()
        possible = [animal for animal in self._may_hold(cell) if self.view.totals[animal - 1] > 0]
        if content != EMPTY or not possible:
            return Reason(cell, content, (), True)
        for animal in possible:
            places = self._where_all_are(cell, animal)
            if places is None:
                return Reason(cell, content, (), True)
            clues.update(places)
        return Reason(cell, content, tuple(sorted(clues)), True, placed=tuple(possible))

    def _where_all_are(self, cell: int, animal: int) -> list[int] | None:
        """Clues that do not touch the cell, that share no hidden cell, and around which all hidden animals of the
        kind are; None if there are none."""
        clues = [
            clue
            for clue in self._all_clues
            if self.needs(clue)[animal - 1] > 0 and cell not in self.around(clue)
        ]
        clues.sort(key=lambda clue: (-self.needs(clue)[animal - 1], len(self.around(clue))))
        tries = 0

        def search(index: int, left: int, taken: frozenset[int]) -> list[int] | None:
            nonlocal tries
            tries += 1
            if left == 0:
                return []
            for place in range(index, len(clues)):
                clue = clues[place]
                need = self.needs(clue)[animal - 1]
                if need <= left and taken.isdisjoint(self.around(clue)) and tries < MOST_TRIES:
                    rest = search(place + 1, left - need, taken.union(self.around(clue)))
                    if rest is not None:
                        return [clue, *rest]
            return None

        return search(0, left_to_find(self.view)[animal - 1], frozenset())

    @functools.cached_property
    def _all_clues(self) -> list[int]:
        """The open cells with hidden ones around them."""
        return sorted({clue for cell in self.hidden for clue in self.clues_at(cell)})
