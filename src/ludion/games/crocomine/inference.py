"""Inference: local rules, and the exact probability of every content of every cell.

A cell's content is empty, tiger, shark or crocodile (0 to 3). Hidden cells next to an open one are the
*frontier*: each has known terrain, since opening a cell shows the terrain around it. In a problem of
`ludion.logic.counting` they are the boxes, and the clues are its constraints. All other hidden cells are its free
variables: those on land in the first group, those in the sea in the second; where the terrain of such a cell is not
known either, the totals of land and sea say how many there are of each.
"""

from __future__ import annotations

import math
import threading
from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.errors import LudionError
from ludion.games.crocomine.rules import (
    CONTENTS,
    CROCODILE,
    EMPTY,
    END,
    HIDDEN,
    LAND,
    MOST_CELLS,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    UNKNOWN,
    View,
    neighbour_table,
    require_totals,
)
from ludion.logic.counting import MOST_LINKS, Problem, count
from ludion.logic.shares import COUNTED, INFEASIBLE, TOO_LARGE, Workspace, make_workspace, solve
from ludion.messages import message

NOT_CERTAIN = -1  # in `certain`; else the content

FIRST_STATES, MOST_STATES = 1 << 15, 1 << 23  # of a workspace: at first, and after growing on demand

# The kinds that may live on a terrain, as bits.
LIVE_ON_LAND = 1 << (TIGER - 1) | 1 << (CROCODILE - 1)
LIVE_IN_SEA = 1 << (SHARK - 1) | 1 << (CROCODILE - 1)
LIVE_ANYWHERE = LIVE_ON_LAND | LIVE_IN_SEA


class KnownBoard(NamedTuple):
    """What is known of a board, as arrays for the kernels."""

    columns: int
    around: np.ndarray  # see `rules.neighbour_table`
    flags: bool
    totals: np.ndarray  # tigers, sharks, crocodiles
    sea: int
    terrain: np.ndarray  # UNKNOWN, LAND, SEA
    seen: np.ndarray  # HIDDEN, OPEN, or the animal
    clues: np.ndarray  # of open cells


def known_board(view: View, seen: np.ndarray | None = None) -> KnownBoard:
    """The view for the kernels, optionally with more known than is seen."""
    return KnownBoard(
        view.columns,
        neighbour_table(view.rows, view.columns),
        view.flags,
        view.totals,
        view.sea,
        view.terrain,
        view.seen if seen is None else seen,
        view.clues,
    )


class Beliefs(NamedTuple):
    """What was counted: the probability of every content of every cell, and how many boards fit."""

    chances: np.ndarray  # cells x (empty, tiger, shark, crocodile)
    log_models: float


FREE, NOT_HIDDEN = -1, -2  # in `Placement.box_of`
NO_CONSTRAINT = -1  # no index of a constraint


class Placement(NamedTuple):
    """Where the cells of a board are in a counting problem."""

    box_of: np.ndarray  # of each cell; or FREE, NOT_HIDDEN
    free_by_terrain: np.ndarray  # how many free cells are UNKNOWN, LAND, SEA: at `1 + terrain`


# ------------------------------------------------------------------ local rules


@kernel
def apply_rules_at(board: KnownBoard, certain: np.ndarray, cell: int) -> int:
    """The eight cases of the report for an open cell; fills `certain` and returns how many cells it decides.

    With n hidden cells around, and n1 tigers, n2 sharks, n3 crocodiles of the clue not yet guessed: if n1 =
    n2 = n3 = 0 all are empty; if n = n1 + n2 + n3 each holds an animal, of a kind whose number is not 0 and
    that its terrain allows. Where only one kind remains, the cell is decided.
    """
    around, terrain, seen, clues = board.around, board.terrain, board.seen, board.clues
    hidden = decided = 0
    tigers, sharks, crocodiles = clues[cell, 0], clues[cell, 1], clues[cell, 2]  # still to be found
    for i in range(1, around[cell, END]):
        other = around[cell, i]
        content = seen[other]
        if content == HIDDEN or (board.flags and content > EMPTY):
            content = certain[other]
        hidden += content == NOT_CERTAIN
        tigers -= content == TIGER
        sharks -= content == SHARK
        crocodiles -= content == CROCODILE
    missing = tigers + sharks + crocodiles
    if hidden == 0 or (missing != 0 and missing != hidden):
        return 0
    for i in range(1, around[cell, END]):
        other = around[cell, i]
        is_hidden = seen[other] == HIDDEN or (board.flags and seen[other] > EMPTY)
        if not is_hidden or certain[other] != NOT_CERTAIN:
            continue
        tiger, shark = tigers > 0 and terrain[other] != SEA, sharks > 0 and terrain[other] != LAND
        if missing == 0:
            certain[other] = EMPTY
            decided += 1
        elif int(tiger) + int(shark) + int(crocodiles > 0) == 1:
            certain[other] = TIGER if tiger else SHARK if shark else CROCODILE
            decided += 1
    return decided


@kernel
def apply_local_rules(board: KnownBoard, certain: np.ndarray) -> int:
    """The local rules for every open cell; fills `certain` and returns how many cells they decide."""
    decided = 0
    for cell in range(board.seen.shape[0]):
        if board.seen[cell] == OPEN:
            decided += apply_rules_at(board, certain, cell)
    return decided


@kernel
def write_known(board: KnownBoard, certain: np.ndarray, known: np.ndarray) -> None:
    """Fill `known` with what is seen, without flags, and with the animals that are certain."""
    seen = board.seen
    for cell in range(seen.shape[0]):
        known[cell] = HIDDEN if board.flags and seen[cell] > EMPTY else seen[cell]
        if known[cell] == HIDDEN and certain[cell] > EMPTY and board.terrain[cell] != UNKNOWN:
            known[cell] = certain[cell]


# ------------------------------------------------------------------ a position as a counting problem


class Needs(NamedTuple):
    """What the clue of an open cell still needs of each kind, and how many hidden cells are around it."""

    tigers: int
    sharks: int
    crocodiles: int
    hidden: int


@kernel(python_entry=False, inline=True)
def needs_of(board: KnownBoard, clue: int) -> Needs:
    """What is not yet seen of the clue of an open cell."""
    tigers = sharks = crocodiles = hidden = 0
    for i in range(1, board.around[clue, END]):
        content = board.seen[board.around[clue, i]]
        hidden += content == HIDDEN
        tigers += content == TIGER
        sharks += content == SHARK
        crocodiles += content == CROCODILE
    numbers = board.clues[clue]
    return Needs(numbers[0] - tigers, numbers[1] - sharks, numbers[2] - crocodiles, hidden)


@kernel(python_entry=False, inline=True)
def find_constraints(
    board: KnownBoard, constraint_of: np.ndarray, needs: np.ndarray, left: np.ndarray
) -> int:
    """Number the constraints: the clues with hidden cells around, and contradictory clues. Fill what they need, and
    subtract known animals from `left`. Returns how many there are."""
    constraints = 0
    for cell in range(board.seen.shape[0]):
        if board.seen[cell] > EMPTY:
            left[board.seen[cell] - 1] -= 1
        elif board.seen[cell] == OPEN:
            tigers, sharks, crocodiles, hidden = needs_of(board, cell)
            if hidden != 0 or tigers != 0 or sharks != 0 or crocodiles != 0:
                needs[constraints, 0], needs[constraints, 1], needs[constraints, 2] = (
                    tigers,
                    sharks,
                    crocodiles,
                )
                constraint_of[cell] = constraints
                constraints += 1
    return constraints


@kernel(python_entry=False, inline=True)
def constraints_around(board: KnownBoard, constraint_of: np.ndarray, cell: int, own: np.ndarray) -> int:
    """Fill `own` with the constraints of a hidden cell, then NO_CONSTRAINT. Returns how many there are."""
    degree = 0
    for i in range(1, board.around[cell, END]):
        constraint = constraint_of[board.around[cell, i]]
        if constraint != NO_CONSTRAINT:
            own[degree] = constraint
            degree += 1
    own[degree:] = NO_CONSTRAINT
    return degree


@kernel(python_entry=False, inline=True)
def same_links(links: np.ndarray, box: int, own: np.ndarray) -> bool:
    """Whether these are the constraints of a box."""
    same = 0
    while same < MOST_LINKS and links[box, same] == own[same]:
        same += 1
    return same == MOST_LINKS


@kernel(python_entry=False, inline=True)
def find_box(
    boxes: int, hashes: np.ndarray, kinds: np.ndarray, links: np.ndarray, may_live: int, own: np.ndarray
) -> int:
    """The box of cells with these constraints that may hold these kinds; if there is none, a new one: `boxes`."""
    hashed = may_live
    for i in range(MOST_LINKS):
        hashed = mix(own[i], hashed)
    for box in range(boxes):
        if hashes[box] == hashed and kinds[box] == may_live and same_links(links, box, own):
            return box
    hashes[boxes], kinds[boxes] = hashed, may_live
    links[boxes] = own
    return boxes


@kernel
def build_problem(board: KnownBoard) -> tuple[Problem, Placement]:
    """The position as a counting problem, and where its cells are in it."""
    terrain, cells = board.terrain, board.seen.shape[0]
    box_of = np.full(cells, NOT_HIDDEN, np.int64)
    # Of boxes; the hashes are for quick comparison.
    sizes, kinds, degrees, hashes = np.zeros((4, cells), np.int64)
    links = np.full((cells, MOST_LINKS), NO_CONSTRAINT, np.int64)
    needs = np.zeros((cells, board.clues.shape[1]), np.int64)
    left = board.totals.copy()
    constraint_of = np.full(cells, NO_CONSTRAINT, np.int64)
    constraints = find_constraints(board, constraint_of, needs, left)
    boxes = 0
    own = np.zeros(MOST_LINKS, np.int64)  # constraints of the cell
    free_by_terrain, others_by_terrain = np.zeros(3, np.int64), np.zeros(3, np.int64)
    boxed_unknown = 0
    for cell in range(cells):
        ground = terrain[cell]
        if board.seen[cell] != HIDDEN:
            others_by_terrain[1 + ground] += 1
            continue
        degree = constraints_around(board, constraint_of, cell, own)
        if degree == 0:
            box_of[cell] = FREE
            free_by_terrain[1 + ground] += 1
            continue
        others_by_terrain[1 + ground] += 1
        boxed_unknown += ground == UNKNOWN
        may_live = LIVE_ON_LAND if ground == LAND else LIVE_IN_SEA if ground == SEA else LIVE_ANYWHERE
        box = find_box(boxes, hashes, kinds, links, may_live, own)
        boxes = max(boxes, box + 1)
        sizes[box] += 1
        degrees[box], box_of[cell] = degree, box
    free_land = cells - board.sea - others_by_terrain[1 + LAND]
    free_sea = board.sea - others_by_terrain[1 + SEA]
    weights = np.ones((boxes, board.clues.shape[1]))
    if boxed_unknown:  # look-ahead only: these cells count as land and sea by their shares
        free_unknown, known_land = free_by_terrain[1 + UNKNOWN], free_by_terrain[1 + LAND]
        share = max(0, free_land - known_land) / max(1, boxed_unknown + free_unknown)
        for box in range(boxes):
            if kinds[box] == LIVE_ANYWHERE:
                weights[box, TIGER - 1], weights[box, SHARK - 1] = share, 1.0 - share
        on_land = min(boxed_unknown, max(0, int(np.round(boxed_unknown * share))))
        free_land = max(known_land, free_land - on_land)
        free_sea = free_by_terrain.sum() - free_land
    free = np.array([free_land, free_sea])
    boxed = sizes[:boxes], kinds[:boxes], links[:boxes], degrees[:boxes], weights
    return Problem(*boxed, needs[:constraints], free, left), Placement(box_of, free_by_terrain)


@kernel(python_entry=False, inline=True)
def terrain_fits(problem: Problem, free_by_terrain: np.ndarray) -> bool:
    """Whether the totals of land and sea are at least the known numbers."""
    land, sea = free_by_terrain[1 + LAND], free_by_terrain[1 + SEA]
    return bool(problem.free[0] >= land and problem.free[1] >= sea)


@kernel
def fill_probabilities(workspace: Workspace, board: KnownBoard, chances: np.ndarray) -> tuple[int, float]:
    """Fill `chances[cell]` with the probabilities of (empty, tiger, shark, crocodile) of every hidden cell.

    Returns how the counting ended, and the logarithm of the number of models (placements of animals; ways to place
    unknown terrain are not included).
    """
    problem, (box_of, free_by_terrain) = build_problem(board)
    if not terrain_fits(problem, free_by_terrain):
        return INFEASIBLE, 0.0
    shares, free_shares = np.zeros((problem.sizes.shape[0], CONTENTS)), np.zeros((2, CONTENTS))
    ended, log_models = solve(workspace, problem, shares, free_shares)
    if ended != COUNTED:
        return ended, log_models
    unknown = free_by_terrain[1 + UNKNOWN]
    land_share = (problem.free[0] - free_by_terrain[1 + LAND]) / unknown if unknown else 0.0
    for cell in range(box_of.shape[0]):
        box = box_of[cell]
        for content in range(CONTENTS):
            on_land, in_sea = free_shares[0, content], free_shares[1, content]
            if box >= 0:
                chances[cell, content] = shares[box, content]
            elif box == NOT_HIDDEN:
                chances[cell, content] = 0.0
            elif board.terrain[cell] == LAND:
                chances[cell, content] = on_land
            elif board.terrain[cell] == SEA:
                chances[cell, content] = in_sea
            else:
                chances[cell, content] = land_share * on_land + (1.0 - land_share) * in_sea
    return ended, log_models


@kernel
def write_certain(board: KnownBoard, chances: np.ndarray, certain: np.ndarray) -> int:
    """Write the contents that are certain by these probabilities; returns how many are new."""
    decided = 0
    for cell in range(board.seen.shape[0]):
        seen = board.seen[cell]
        if certain[cell] != NOT_CERTAIN or not (seen == HIDDEN or (board.flags and seen > EMPTY)):
            continue
        possible, only = 0, EMPTY
        for content in range(CONTENTS):
            if chances[cell, content] > 0.0:
                possible += 1
                only = content
        if possible == 1:
            certain[cell] = only
            decided += 1
    return decided


# ------------------------------------------------------------------ the chances of a view

_workspaces = threading.local()


def shared_workspace(grow: bool = False) -> Workspace:
    """The thread's own memory for counting, kept between calls and enlarged on demand."""
    workspace: Workspace | None = getattr(_workspaces, "workspace", None)
    if workspace is None or grow:
        states = FIRST_STATES if workspace is None else 4 * workspace.forward.shape[0]
        workspace = _workspaces.workspace = make_workspace(states, MOST_CELLS)
    return workspace


class ContradictionError(LudionError):
    """What is seen fits no board."""


class TooManyCluesError(LudionError):
    """A position that takes too much memory to be counted."""


def contradiction() -> ContradictionError:
    """The error to raise when no board fits what is seen."""
    return ContradictionError(message("crocomine.contradiction"))


def certain_by_rules(view: View, certain: np.ndarray | None = None) -> np.ndarray:
    """Add what the local rules decide to `certain` (changed in place)."""
    if certain is None:
        certain = np.full(view.cells, NOT_CERTAIN, np.int8)
    board = known_board(view)
    while apply_local_rules(board, certain):
        pass
    return certain


def probabilities(view: View, certain: np.ndarray | None = None) -> Beliefs:
    """The exact probability of every content of every hidden cell; `certain` animals count as known."""
    require_totals(view)
    if certain is None:
        certain = certain_by_rules(view)
    chances, known = np.zeros((view.cells, CONTENTS)), np.zeros(view.cells, np.int8)
    write_known(known_board(view), certain, known)
    workspace, board = shared_workspace(), known_board(view, known)
    while True:
        ended, log_models = fill_probabilities(workspace, board, chances)
        if ended == INFEASIBLE:
            raise contradiction()
        if ended != TOO_LARGE:
            proved = np.flatnonzero((known > EMPTY) & (view.flags | (view.seen == HIDDEN)))
            chances[proved, known[proved]] = 1.0
            return Beliefs(chances, log_models)
        if workspace.forward.shape[0] >= MOST_STATES:
            raise TooManyCluesError(message("crocomine.too_many_clues"))
        workspace = shared_workspace(grow=True)


def counts(view: View) -> tuple[int, list[tuple[int, int, int, int]]]:
    """How many boards fit (animals on known or unknown terrain), and in how many of them each cell has each
    content: exact integers.

    Where terrain is unknown, all its possibilities are counted too.
    """
    require_totals(view)
    known = np.where(view.flags & (view.seen > EMPTY), HIDDEN, view.seen).astype(np.int8)
    problem, (box_of, free_by_terrain) = build_problem(known_board(view, known))
    counted = count(problem) if terrain_fits(problem, free_by_terrain) else None
    if counted is None or counted.models == 0:
        raise contradiction()
    unknown, land = int(free_by_terrain[1 + UNKNOWN]), int(problem.free[0] - free_by_terrain[1 + LAND])
    spreads = math.comb(unknown, land)
    land_here = math.comb(unknown - 1, land - 1) if land else 0  # spreads in which one given cell is land
    result = []
    for cell in range(view.cells):
        box = int(box_of[cell])
        if box >= 0:
            ways = [spreads * number for number in counted.boxes[box]]
        elif box == NOT_HIDDEN:
            ways = [0] * CONTENTS
        elif view.terrain[cell] != UNKNOWN:
            ways = [spreads * number for number in counted.free[int(view.terrain[cell])]]
        else:
            ways = [
                land_here * on_land + (spreads - land_here) * in_sea
                for on_land, in_sea in zip(*counted.free, strict=True)
            ]
        result.append((ways[0], ways[1], ways[2], ways[3]))
    return spreads * counted.models, result


def hidden_cells(view: View) -> list[int]:
    """The cells whose content is not known."""
    cells: list[int] = np.flatnonzero((view.seen == HIDDEN) | (view.flags & (view.seen > EMPTY))).tolist()
    return cells
