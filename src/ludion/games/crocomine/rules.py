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

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.errors import NotationError
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept
from ludion.messages import message

UNKNOWN, LAND, SEA = -1, 0, 1  # the terrain of a cell
EMPTY, TIGER, SHARK, CROCODILE = 0, 1, 2, 3  # the content of a cell
CONTENTS = 4
ANIMALS = (TIGER, SHARK, CROCODILE)  # clues and totals have a column for each: `animal - 1`
KINDS = "TSC"  # their letters
HIDDEN, OPEN = -1, 0  # what is seen of a cell; or the animal that was guessed
DISCOVER, GUESS, CHORD = "discover", "guess", "chord"
MOST_CELLS = 10_000  # of a board
NO_START = -1  # of a view: no cell is promised to be safe
NO_TOTAL = -1  # of a view that does not say its totals


class Action(NamedTuple):
    """What an agent does: `discover`, `guess` with a kind (`T`, `S`, `C`), `chord`."""

    verb: str
    row: int
    column: int
    animal: str = ""

    def __str__(self) -> str:
        return " ".join(str(part) for part in self if part != "")


class CrocoRules(NamedTuple):
    """The rules that every agent may know; nothing about where the animals are."""

    flags: bool


class Grid(NamedTuple):
    """A complete board."""

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
    """The visible part of a board: its totals, and what has been seen."""

    rows: int
    columns: int
    start: int  # a cell promised to be safe, or NO_START
    totals: np.ndarray  # tigers, sharks, crocodiles
    sea: int
    terrain: np.ndarray  # UNKNOWN, LAND, SEA
    seen: np.ndarray  # HIDDEN, OPEN, or the animal that was guessed
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

    @property
    def has_totals(self) -> bool:
        return self.sea != NO_TOTAL

    def copy(self) -> View:
        return replace(
            self,
            totals=self.totals.copy(),
            terrain=self.terrain.copy(),
            seen=self.seen.copy(),
            clues=self.clues.copy(),
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
class CrocoWorld:
    """A board in play. Only the referee holds it; `percept` gives the agent a copy of what it may see."""

    grid: Grid
    view: View
    clues: np.ndarray = field(repr=False)
    stack: np.ndarray = field(repr=False)  # working memory of `open_cells`


# ------------------------------------------------------------------ neighbours

END = 0  # the column that says where a row of a table of neighbours ends


@functools.lru_cache(maxsize=64)
def neighbour_table(rows: int, columns: int) -> np.ndarray:
    """The cells that touch each cell of a board of this size. The row of a cell:

    [end, cell, cell, ..., unused]      the cells are in columns 1 to end - 1, in the order of the board
    """
    off_board = rows * columns
    padded = np.pad(np.arange(off_board).reshape(rows, columns), 1, constant_values=off_board)
    shifts = [(r, c) for r in range(3) for c in range(3) if (r, c) != (1, 1)]
    near = np.stack([padded[r : r + rows, c : c + columns].ravel() for r, c in shifts], axis=1)
    near.sort(axis=1)  # those off the board come last
    ends = 1 + (near < off_board).sum(axis=1)
    return np.concatenate([ends[:, None], near], axis=1).astype(np.int32)


@kernel(python_entry=False, inline=True)
def are_near(columns: int, one: int, other: int, steps: int) -> bool:
    """Whether two cells are the same or at most so many steps apart."""
    rows_apart = abs(one // columns - other // columns)
    return bool(rows_apart <= steps and abs(one % columns - other % columns) <= steps)


def neighbours(rows: int, columns: int, cell: int) -> list[int]:
    """The cells around a cell."""
    row = neighbour_table(rows, columns)[cell]
    cells: list[int] = row[1 : row[END]].tolist()
    return cells


# ------------------------------------------------------------------ clues, and opening cells


@kernel
def count_around(around: np.ndarray, animals: np.ndarray, clues: np.ndarray) -> None:
    """Fill `clues` with how many of each kind are around each cell."""
    clues[:, :] = 0
    for cell in range(animals.shape[0]):
        animal = animals[cell]
        if animal != EMPTY:
            for i in range(1, around[cell, END]):
                clues[around[cell, i], animal - 1] += 1


@kernel
def show_terrain(around: np.ndarray, cell: int, terrain: np.ndarray, known: np.ndarray) -> None:
    """Show the terrain of the cell and its neighbours."""
    known[cell] = terrain[cell]
    for i in range(1, around[cell, END]):
        known[around[cell, i]] = terrain[around[cell, i]]


class BoardCells(NamedTuple):
    """Every cell of a board for the kernels: what it really is, or what is known of it."""

    terrain: np.ndarray
    contents: np.ndarray  # the animals, or what is seen
    clues: np.ndarray


@kernel
def open_cells(
    around: np.ndarray, cell: int, board: BoardCells, known: BoardCells, stack: np.ndarray
) -> bool:
    """Open a hidden cell, and its neighbours if it has no animal around; returns whether it holds no animal itself."""
    if board.contents[cell] != EMPTY:
        return False
    stack[0], top = cell, 1
    known.contents[cell] = OPEN
    while top:
        top -= 1
        here = stack[top]
        show_terrain(around, here, board.terrain, known.terrain)
        total = 0
        for column in range(board.clues.shape[1]):
            known.clues[here, column] = board.clues[here, column]
            total += board.clues[here, column]
        if total != 0:
            continue
        for i in range(1, around[here, END]):
            other = around[here, i]
            if known.contents[other] == HIDDEN:
                known.contents[other] = OPEN
                stack[top] = other
                top += 1
    return True


# ------------------------------------------------------------------ the quest


def unseen_view(
    rows: int, columns: int, start: int, totals: Sequence[int], sea: int, flags: bool = False, name: str = ""
) -> View:
    """The view before the first action. The terrain is known if the board is all land or all sea."""
    cells = rows * columns
    return View(
        rows,
        columns,
        start,
        np.array(totals, np.int64),
        sea,
        np.full(cells, LAND if sea == 0 else SEA if sea == cells else UNKNOWN, np.int8),
        np.full(cells, HIDDEN, np.int8),
        np.zeros((cells, len(ANIMALS)), np.int8),
        flags,
        name,
    )


def require_totals(view: View) -> None:
    """Raise an error if the view does not say how many animals there are."""
    if not view.has_totals:
        raise NotationError(message("crocomine.totals_needed", rows=view.rows, columns=view.columns))


def totals_fit(cells: int, sea: int, totals: Sequence[int] | np.ndarray) -> bool:
    """Whether these numbers of tigers, sharks and crocodiles fit on a board with this much sea."""
    tigers, sharks, crocodiles = totals
    land = cells - sea
    return bool(0 <= tigers <= land and 0 <= sharks <= sea and 0 <= crocodiles <= cells - tigers - sharks)


def animals_in_words(numbers: Sequence[int] | np.ndarray) -> str:
    """Such as `3 tigers, 1 shark, 0 crocodiles`."""
    kinds = ("tiger", "shark", "crocodile")
    return ", ".join(
        message(f"crocomine.number_of.{kind}", n=int(number))
        for kind, number in zip(kinds, numbers, strict=True)
    )


def terrain_not_shown(view: View) -> int | None:
    """A cell next to an open one whose terrain is not known, if there is one: opening shows the terrain around."""
    around = neighbour_table(view.rows, view.columns)[view.seen == OPEN]
    shown = np.zeros(view.cells + 1, bool)
    shown[around[:, END + 1 :]] = True  # the last one stands for all cells off the board
    unknown = np.flatnonzero(shown[:-1] & (view.terrain == UNKNOWN))
    return int(unknown[0]) if len(unknown) else None


def begin(grid: Grid) -> CrocoWorld:
    """The board before the first action."""
    cells = grid.rows * grid.columns
    clues = np.zeros((cells, len(ANIMALS)), np.int8)
    count_around(neighbour_table(grid.rows, grid.columns), grid.animals, clues)
    sea, totals = int((grid.terrain == SEA).sum()), [grid.count(animal) for animal in ANIMALS]
    view = unseen_view(grid.rows, grid.columns, grid.start, totals, sea, grid.flags, grid.name)
    return CrocoWorld(grid, view, clues, np.zeros(cells, np.int64))


@percept.register(CrocoWorld)
def _(world: CrocoWorld) -> View:
    return world.view.copy()


@outcome.register(CrocoWorld)
def _(world: CrocoWorld) -> str:
    return world.view.status


@act.register(CrocoWorld)
def _(world: CrocoWorld, action: Action) -> CrocoWorld:
    act_on(world, action)
    return world


@percept.register(View)
def _(view: View) -> View:
    return view.copy()


@outcome.register(View)
def _(view: View) -> str:
    return view.status


@act.register(View)
def _(view: View, action: Action) -> View:
    raise IllegalActionError(message("crocomine.view_cannot_be_played"))


def actions(rules: CrocoRules, world: CrocoWorld | View) -> list[Action]:
    """Every legal action: discoveries, then guesses, then chords, each in the order of the cells.

    There are none when the game is over, and in a view, which cannot be played. A legal action may lose the game.
    """
    if isinstance(world, View) or world.view.status != RUNNING:
        return []
    view = world.view
    places = [view.place(cell) for cell in range(view.cells)]
    hidden = np.flatnonzero(view.seen == HIDDEN).tolist()
    may_be_guessed = np.flatnonzero(view.seen != OPEN).tolist() if rules.flags else hidden
    discoveries = [Action(DISCOVER, *places[cell]) for cell in hidden]
    guesses = [Action(GUESS, *places[cell], kind) for cell in may_be_guessed for kind in KINDS]
    chords = [Action(CHORD, *places[cell]) for cell in range(view.cells) if why_no_chord(view, cell) is None]
    return discoveries + guesses + chords


def act_on(world: CrocoWorld, action: Action) -> None:
    """Carry the action out, or raise `IllegalActionError` and change nothing."""
    grid, view = world.grid, world.view
    try:
        verb, row, column, animal = action
        cell = view.cell(row, column)
        inside = 0 <= row < grid.rows and 0 <= column < grid.columns
    except (TypeError, ValueError):
        raise IllegalActionError(message("crocomine.not_an_action", action=repr(action))) from None
    if view.status != RUNNING:
        raise IllegalActionError(message("crocomine.game_over"))
    if not inside:
        size = {"rows": grid.rows, "columns": grid.columns}
        raise IllegalActionError(message("crocomine.no_such_cell", row=row, column=column, **size))
    if verb == DISCOVER:
        if view.seen[cell] != HIDDEN:
            raise _not_hidden(view, cell)
        _open(world, cell)
    elif verb == GUESS:
        if not isinstance(animal, str) or len(animal) != 1 or animal not in KINDS:
            raise IllegalActionError(message("crocomine.no_such_animal", animal=repr(animal)))
        _guess(world, cell, 1 + KINDS.index(animal))
    elif verb == CHORD:
        _chord(world, cell)
    else:
        raise IllegalActionError(message("crocomine.no_such_verb", verb=repr(verb)))
    if view.status == RUNNING and is_won(view):
        view.status = WON


def is_won(view: View) -> bool:
    """Whether every cell without an animal is open and, unless guesses are flags, every animal is guessed."""
    opened = int((view.seen == OPEN).sum())
    return bool(opened == view.cells - view.totals.sum() and (view.flags or (view.seen != HIDDEN).all()))


def _not_hidden(view: View, cell: int) -> IllegalActionError:
    row, column = view.place(cell)
    name = "already_open" if view.seen[cell] == OPEN else "already_guessed"
    return IllegalActionError(message(f"crocomine.{name}", row=row, column=column))


def _open(world: CrocoWorld, cell: int) -> None:
    grid, view = world.grid, world.view
    board = BoardCells(grid.terrain, grid.animals, world.clues)
    known = BoardCells(view.terrain, view.seen, view.clues)
    if not open_cells(neighbour_table(grid.rows, grid.columns), cell, board, known, world.stack):
        view.status = LOST


def _guess(world: CrocoWorld, cell: int, animal: int) -> None:
    grid, view = world.grid, world.view
    if view.flags and view.seen[cell] != OPEN:
        view.seen[cell] = HIDDEN if view.seen[cell] == animal else animal
    elif view.seen[cell] != HIDDEN:
        raise _not_hidden(view, cell)
    elif grid.animals[cell] != animal:
        view.status = LOST
    else:
        view.seen[cell] = animal
        show_terrain(neighbour_table(grid.rows, grid.columns), cell, grid.terrain, view.terrain)


def _chord(world: CrocoWorld, cell: int) -> None:
    view = world.view
    reason = why_no_chord(view, cell)
    if reason is not None:
        row, column = view.place(cell)
        raise IllegalActionError(message(f"crocomine.{reason}", row=row, column=column))
    if not all_guessed_around(view, cell):
        view.status = LOST  # an animal that was not guessed is among the hidden cells
        return
    for other in neighbours(view.rows, view.columns, cell):
        if view.seen[other] == HIDDEN and view.status == RUNNING:
            _open(world, other)


def why_no_chord(view: View, cell: int) -> str | None:
    """The message that says why the cell cannot be chorded, or None if it can."""
    if view.seen[cell] != OPEN:
        return "chord_not_open"
    if not any(view.seen[other] == HIDDEN for other in neighbours(view.rows, view.columns, cell)):
        return "chord_nothing_hidden"
    if view.flags and not all_guessed_around(view, cell):
        return "chord_flags_differ"
    return None


def all_guessed_around(view: View, cell: int) -> bool:
    """Whether as many animals of each kind are guessed around the cell as its clue says."""
    around = view.seen[neighbours(view.rows, view.columns, cell)]
    return all((around == animal).sum() == view.clues[cell, animal - 1] for animal in ANIMALS)


def three_bv(grid: Grid) -> int:
    """How many discoveries a board needs at least: its openings, and its empty cells that touch none."""
    world = begin(grid)
    opens_others = (grid.animals == EMPTY) & (world.clues.sum(axis=1) == 0)
    discoveries = 0
    for cell in np.flatnonzero(opens_others).tolist():
        if world.view.seen[cell] == HIDDEN:
            discoveries += 1
            _open(world, cell)
    return discoveries + int(((world.view.seen == HIDDEN) & (grid.animals == EMPTY)).sum())
