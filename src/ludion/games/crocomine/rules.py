"""The rules of CrocoMine, and of Minesweeper, which is CrocoMine with one kind on dry land.

Cells are numbered row by row. Terrain is land or sea; a tiger lives on land, a shark in the sea, a crocodile
on either; a cell holds at most one animal. The agent may

    discover a cell        an animal there ends the game; without animals around, its neighbours open too
    guess the animal of it a wrong guess ends the game
    chord an open cell     discover all neighbours of a cell whose animals have all been guessed

Every opened or guessed cell shows the terrain of its neighbours. The game is won when every animal is guessed
with its kind and every other cell discovered. On a *flags* board (Minesweeper) a guess is only a mark: nobody
checks it, a second one takes it away, and the game is won when every cell without an animal is discovered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept

UNKNOWN, LAND, SEA = -1, 0, 1
EMPTY, TIGER, SHARK, CROCODILE = 0, 1, 2, 3
HIDDEN, OPEN = -1, 0  # what is seen of a cell; TIGER, SHARK, CROCODILE when guessed
KINDS = "TSC"
DISCOVER, GUESS, CHORD = "discover", "guess", "chord"
MOST_CELLS = 10_000
NO_START = -1  # of a view: no cell is promised to be safe


class Action(NamedTuple):
    """What an agent does: `discover`, `guess` with a kind (`T`, `S`, `C`), `chord`."""

    verb: str
    row: int
    column: int
    animal: str = ""

    def __str__(self) -> str:
        return " ".join(str(part) for part in self if part != "")


class Grid(NamedTuple):
    """A board with everything on it."""

    name: str
    rows: int
    columns: int
    start: int  # a cell promised to be safe
    terrain: np.ndarray
    animals: np.ndarray
    flags: bool = False  # Minesweeper: guesses are marks

    def count(self, animal: int) -> int:
        return int((self.animals == animal).sum())


@dataclass(eq=False)
class View:
    """What may be known of a board: the totals, and what has been seen."""

    rows: int
    columns: int
    start: int  # a cell promised to be safe, or NO_START
    totals: np.ndarray  # tigers, sharks, crocodiles
    sea: int
    terrain: np.ndarray  # UNKNOWN, LAND, SEA
    seen: np.ndarray  # HIDDEN, OPEN, or the animal guessed
    clues: np.ndarray  # of open cells: tigers, sharks, crocodiles around
    flags: bool = False
    name: str = ""
    status: str = RUNNING

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    @property
    def land(self) -> int:
        return self.cells - self.sea

    def copy(self) -> View:
        return View(
            self.rows,
            self.columns,
            self.start,
            self.totals.copy(),
            self.sea,
            self.terrain.copy(),
            self.seen.copy(),
            self.clues.copy(),
            self.flags,
            self.name,
            self.status,
        )

    def cell(self, row: int, column: int) -> int:
        return row * self.columns + column

    def place(self, cell: int) -> tuple[int, int]:
        return divmod(cell, self.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and all(
            np.array_equal(mine, theirs)
            for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)
        )


@dataclass
class World:
    """A board in play. Only the referee holds it; `percept` gives the agent a copy of what it may see."""

    grid: Grid
    view: View
    clues: np.ndarray = field(repr=False)
    left: int  # cells without an animal still to be opened
    stack: np.ndarray = field(repr=False)


# ------------------------------------------------------------------ kernels


@kernel
def count_around(rows: int, columns: int, animals: Any, clues: Any) -> None:
    """How many of each kind are around each cell."""
    clues[:, :] = 0
    for row in range(rows):
        for column in range(columns):
            animal = animals[row * columns + column]
            if animal > 0:
                for r in range(max(0, row - 1), min(rows, row + 2)):
                    for c in range(max(0, column - 1), min(columns, column + 2)):
                        if r != row or c != column:
                            clues[r * columns + c, animal - 1] += 1


@kernel
def show_terrain(rows: int, columns: int, cell: int, terrain: Any, known: Any) -> None:
    """Show the terrain of the cell and its neighbours."""
    row, column = cell // columns, cell % columns
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            known[r * columns + c] = terrain[r * columns + c]


@kernel
def open_cells(
    rows: int,
    columns: int,
    cell: int,
    terrain: Any,
    animals: Any,
    clues: Any,
    known: Any,
    seen: Any,
    shown: Any,
    stack: Any,
) -> int:
    """Open a hidden cell, and its neighbours if it has no animal around; gives how many opened, -1 on an
    animal."""
    if animals[cell] != 0:
        return -1
    stack[0] = cell
    top, opened = 1, 1
    seen[cell] = 0
    while top:
        top -= 1
        here = stack[top]
        for kind in range(3):
            shown[here, kind] = clues[here, kind]
        row, column = here // columns, here % columns
        floods = clues[here, 0] + clues[here, 1] + clues[here, 2] == 0
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = r * columns + c
                known[other] = terrain[other]
                if floods and seen[other] == -1:
                    seen[other] = 0
                    opened += 1
                    stack[top] = other
                    top += 1
    return opened


# ------------------------------------------------------------------ the quest


def begin(grid: Grid) -> World:
    """The board before the first action."""
    cells = grid.rows * grid.columns
    clues = np.zeros((cells, 3), np.int8)
    count_around(grid.rows, grid.columns, grid.animals, clues)
    sea = int((grid.terrain == SEA).sum())
    terrain = np.full(cells, LAND if sea == 0 else SEA if sea == cells else UNKNOWN, np.int8)
    totals = np.array([grid.count(kind) for kind in (TIGER, SHARK, CROCODILE)], np.int64)
    view = View(
        grid.rows,
        grid.columns,
        grid.start,
        totals,
        sea,
        terrain,
        np.full(cells, HIDDEN, np.int8),
        np.zeros((cells, 3), np.int8),
        grid.flags,
        grid.name,
    )
    return World(grid, view, clues, int((grid.animals == EMPTY).sum()), np.zeros(cells + 8, np.int64))


@percept.register(World)
def _(world: World) -> View:
    return world.view.copy()


@outcome.register(World)
def _(world: World) -> str:
    return world.view.status


@percept.register(View)
def _(view: View) -> View:
    return view.copy()


@outcome.register(View)
def _(view: View) -> str:
    return view.status


@act.register(View)
def _(view: View, action: Any) -> View:
    raise IllegalActionError(
        "this is a view: what lies under its hidden cells is not known, so nothing can be played"
    )


@act.register(World)
def _(world: World, action: Action) -> World:
    act_on(world, action)
    return world


def act_on(world: World, action: Action) -> None:
    """Carry the action out, or raise `IllegalActionError` and change nothing."""
    grid, view = world.grid, world.view
    try:
        verb, row, column, animal = action
        cell = view.cell(row, column)
        inside = 0 <= row < grid.rows and 0 <= column < grid.columns
    except (TypeError, ValueError):
        raise IllegalActionError(f"not an action: {action!r}") from None
    if view.status != RUNNING:
        raise IllegalActionError("the game is over")
    if not inside:
        raise IllegalActionError(
            f"no cell ({row}, {column}) on a board of {grid.rows} rows and {grid.columns} columns"
        )
    if verb == DISCOVER:
        if view.seen[cell] != HIDDEN:
            raise IllegalActionError(
                f"cell ({row}, {column}) is already {'open' if view.seen[cell] == OPEN else 'guessed'}"
            )
        _open(world, cell)
    elif verb == GUESS:
        if not isinstance(animal, str) or len(animal) != 1 or animal not in KINDS:
            raise IllegalActionError(f"no animal {animal!r}; there are T, S and C")
        _guess(world, cell, 1 + KINDS.index(animal))
    elif verb == CHORD:
        _chord(world, cell)
    else:
        raise IllegalActionError(f"no action {verb!r}; there are discover, guess and chord")
    if view.status == RUNNING and world.left == 0 and (view.flags or _all_guessed(world)):
        view.status = WON


def _all_guessed(world: World) -> bool:
    return bool((world.view.seen != HIDDEN).all())


def _open(world: World, cell: int) -> None:
    grid, view = world.grid, world.view
    opened = open_cells(
        grid.rows,
        grid.columns,
        cell,
        grid.terrain,
        grid.animals,
        world.clues,
        view.terrain,
        view.seen,
        view.clues,
        world.stack,
    )
    if opened < 0:
        view.status = LOST
    else:
        world.left -= opened


def _guess(world: World, cell: int, animal: int) -> None:
    grid, view = world.grid, world.view
    row, column = view.place(cell)
    if view.flags and view.seen[cell] != OPEN:
        view.seen[cell] = HIDDEN if view.seen[cell] == animal else animal
    elif view.seen[cell] != HIDDEN:
        raise IllegalActionError(
            f"cell ({row}, {column}) is already {'open' if view.seen[cell] == OPEN else 'guessed'}"
        )
    elif grid.animals[cell] != animal:
        view.status = LOST
    else:
        view.seen[cell] = animal
        show_terrain(grid.rows, grid.columns, cell, grid.terrain, view.terrain)


def _chord(world: World, cell: int) -> None:
    view = world.view
    row, column = view.place(cell)
    if view.seen[cell] != OPEN:
        raise IllegalActionError(f"cell ({row}, {column}) is not open, so there is nothing to chord")
    around = neighbours(view.rows, view.columns, cell)
    hidden = [other for other in around if view.seen[other] == HIDDEN]
    if not hidden:
        raise IllegalActionError(f"no hidden cell around ({row}, {column})")
    guessed = [sum(view.seen[other] == kind for other in around) for kind in (TIGER, SHARK, CROCODILE)]
    if any(guessed[kind] != view.clues[cell, kind] for kind in range(3)):
        if view.flags:
            raise IllegalActionError(f"the flags around ({row}, {column}) do not match its number")
        view.status = LOST  # an animal that was not guessed is among them
        return
    for other in hidden:
        if view.seen[other] == HIDDEN and view.status == RUNNING:
            _open(world, other)


def neighbours(rows: int, columns: int, cell: int) -> list[int]:
    """The cells around a cell."""
    row, column = divmod(cell, columns)
    return [
        r * columns + c
        for r in range(max(0, row - 1), min(rows, row + 2))
        for c in range(max(0, column - 1), min(columns, column + 2))
        if (r, c) != (row, column)
    ]


def three_bv(grid: Grid) -> int:
    """How many discoveries a board needs at least: its openings, and its empty cells that touch none."""
    world = begin(grid)
    silent = (grid.animals == EMPTY) & (world.clues.sum(axis=1) == 0)
    needed = 0
    for cell in np.flatnonzero(silent).tolist():
        if world.view.seen[cell] == HIDDEN:
            needed += 1
            _open(world, cell)
    return needed + int(((world.view.seen == HIDDEN) & (grid.animals == EMPTY)).sum())
