"""What follows from what is seen: local rules, and the exact probability of every content of every cell.

A cell's content is empty, tiger, shark or crocodile (0 to 3). Hidden cells next to an open one are the
*frontier*: each has known terrain, since opening a cell shows the terrain around it. All other hidden cells
are the *pool* of `ludion.logic.counting`: its land cells are the `first` ones, its sea cells the `second`
ones, and where the terrain of a pool cell is not known either, the totals of land and sea say how many there
are of each.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.games.crocomine.rules import HIDDEN, View
from ludion.logic import counting
from ludion.logic.counting import COUNTED, INFEASIBLE, TOO_LARGE, Space, solve

NOTHING = -1  # in `certain`: nothing is known; else the content
SAFE = -2  # in `Sight.seen`: empty, but its clue is not seen


class Sight(NamedTuple):
    """What is known of a board, as the kernels take it."""

    rows: int
    columns: int
    flags: bool
    totals: Any  # tigers, sharks, crocodiles
    sea: int
    terrain: Any  # UNKNOWN, LAND, SEA
    seen: Any  # HIDDEN, OPEN, SAFE, or the animal
    clues: Any  # of open cells


def sight_of(view: View, seen: Any = None) -> Sight:
    """The view for the kernels, perhaps with more than what is seen."""
    seen = view.seen if seen is None else seen
    return Sight(view.rows, view.columns, view.flags, view.totals, view.sea, view.terrain, seen, view.clues)


class Beliefs(NamedTuple):
    """What was counted: the probability of every content of every cell, and how many boards fit."""

    chances: Any  # cells x (empty, tiger, shark, crocodile)
    log_models: float


class Layout(NamedTuple):
    """A position as a problem of `ludion.logic.counting`, and where its cells went."""

    box_of: Any  # of each cell; -1 in the pool, -2 if not hidden
    sizes: Any  # of boxes; so are the next three
    masks: Any
    links: Any
    odds: Any
    needs: Any  # of clues
    left: Any  # animals of each kind to be placed
    pool: Any  # land, sea; and how many are of unknown terrain, known to be land, known to be sea


@kernel
def empty_layout(cells: int) -> Layout:
    """Room for the layout of a board."""
    return Layout(
        np.zeros(cells, np.int64),
        np.zeros(cells + 1, np.int64),
        np.zeros(cells + 1, np.int64),
        np.full((cells + 1, 8), -1, np.int64),
        np.ones((cells + 1, 3)),
        np.zeros((cells + 1, 3), np.int64),
        np.zeros(3, np.int64),
        np.zeros(5, np.int64),
    )


@kernel
def apply_rules_at(sight: Sight, certain: Any, cell: int) -> int:
    """The eight cases of the report for an open cell; fills `certain` and gives how many cells it settles.

    With n hidden cells around, and n1 tigers, n2 sharks, n3 crocodiles of the clue not yet guessed: if n1 =
    n2 = n3 = 0 all are empty; if n = n1 + n2 + n3 each holds an animal, of a kind whose number is not 0 and
    that its terrain allows. Where only one kind remains, the cell is settled.
    """
    rows, columns, terrain, seen, clues = sight.rows, sight.columns, sight.terrain, sight.seen, sight.clues
    row, column = cell // columns, cell % columns
    hidden = settled = 0
    tigers, sharks, crocodiles = clues[cell, 0], clues[cell, 1], clues[cell, 2]  # still to be found
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            other = r * columns + c
            found = seen[other]
            if found == -1 or (sight.flags and found > 0):
                found = certain[other]
            hidden += found == -1
            tigers -= found == 1
            sharks -= found == 2
            crocodiles -= found == 3
    missing = tigers + sharks + crocodiles
    if hidden == 0 or (missing != 0 and missing != hidden):
        return 0
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            other = r * columns + c
            if not (seen[other] == -1 or (sight.flags and seen[other] > 0)) or certain[other] >= 0:
                continue
            tiger, shark = tigers > 0 and terrain[other] != 1, sharks > 0 and terrain[other] != 0
            if missing == 0:
                certain[other] = 0
                settled += 1
            elif int(tiger) + int(shark) + int(crocodiles > 0) == 1:
                certain[other] = 1 if tiger else 2 if shark else 3
                settled += 1
    return settled


@kernel
def apply_local_rules(sight: Sight, certain: Any) -> int:
    """The local rules for every open cell; fills `certain` and gives how many cells they settle."""
    settled = 0
    for cell in range(sight.rows * sight.columns):
        if sight.seen[cell] == 0:
            settled += apply_rules_at(sight, certain, cell)
    return settled


@kernel
def combine(sight: Sight, certain: Any, known: Any) -> None:
    """What is known of each cell: what is seen, without flags, and with the animals that are certain."""
    seen = sight.seen
    for cell in range(seen.shape[0]):
        known[cell] = -1 if sight.flags and seen[cell] > 0 else seen[cell]
        if known[cell] == -1 and certain[cell] > 0 and sight.terrain[cell] >= 0:
            known[cell] = certain[cell]


@kernel
def frame(sight: Sight, layout: Layout) -> tuple[int, int]:
    """Lay the position out as a counting problem; gives the number of boxes and of clues."""
    rows, columns, terrain, seen, clues = sight.rows, sight.columns, sight.terrain, sight.seen, sight.clues
    box_of, sizes, masks, links, odds, needs, left, pool = layout
    cells = rows * columns
    clue_of = np.full(cells, -1, np.int64)
    clue_count = 0
    left[:] = sight.totals
    pool[:] = 0
    first, second, loose = cells - sight.sea, sight.sea, 0
    for cell in range(cells):
        if seen[cell] > 0:
            left[seen[cell] - 1] -= 1
        if seen[cell] != 0:
            continue
        row, column = cell // columns, cell % columns
        hidden = False
        n0, n1, n2 = clues[cell, 0], clues[cell, 1], clues[cell, 2]
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = r * columns + c
                if seen[other] == -1:
                    hidden = True
                elif seen[other] == 1:
                    n0 -= 1
                elif seen[other] == 2:
                    n1 -= 1
                elif seen[other] == 3:
                    n2 -= 1
        # Without hidden cells too, if something is left to fulfil: that is a contradiction.
        if hidden or n0 != 0 or n1 != 0 or n2 != 0:
            clue_of[cell] = clue_count
            needs[clue_count, 0], needs[clue_count, 1], needs[clue_count, 2] = n0, n1, n2
            clue_count += 1
    boxes = 0
    mine = np.zeros(8, np.int64)
    marks = np.zeros(cells + 1, np.int64)
    for cell in range(cells):
        ground = terrain[cell]
        if seen[cell] != -1:
            box_of[cell] = -2
            first -= ground == 0
            second -= ground == 1
            continue
        row, column = cell // columns, cell % columns
        degree, mark = 0, ground + 2
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                clue = clue_of[r * columns + c]
                if clue >= 0:
                    mine[degree] = clue
                    degree += 1
                    mark = mix(clue, mark)
        if degree == 0:
            box_of[cell] = -1
            pool[3 + ground] += 1  # unknown, land, sea: pool[2], [3], [4]
            continue
        first -= ground == 0
        second -= ground == 1
        loose += ground == -1
        found = -1
        for b in range(boxes):
            if marks[b] == mark and masks[b] == (5 if ground == 0 else 6 if ground == 1 else 7):
                same = True
                for i in range(degree):
                    if links[b, i] != mine[i]:
                        same = False
                if same and (degree == 8 or links[b, degree] == -1):
                    found = b
                    break
        if found < 0:
            found = boxes
            boxes += 1
            marks[found] = mark
            sizes[found] = 0
            masks[found] = 5 if ground == 0 else 6 if ground == 1 else 7
            for i in range(8):
                links[found, i] = mine[i] if i < degree else -1
            odds[found, :] = 1.0
        sizes[found] += 1
        box_of[cell] = found
    # Constrained cells of unknown terrain, only when looking ahead: their terrain is weighed by its share.
    if loose:
        unknown = loose + pool[2]
        dry = max(0, first - pool[3])
        share = dry / max(1, unknown)
        for b in range(boxes):
            if masks[b] == 7:
                odds[b, 0], odds[b, 1] = share, 1.0 - share
        taken = min(loose, max(0, int(np.round(loose * share))))
        first = max(pool[3], first - taken)
        second = pool[2] + pool[3] + pool[4] - first
    pool[0], pool[1] = first, second
    return boxes, clue_count


@kernel
def weigh(room: Space, sight: Sight, chances: Any) -> tuple[int, float]:
    """Fill `chances[cell]` with the probabilities of (empty, tiger, shark, crocodile) of every hidden cell.

    Gives how the counting ended, and the logarithm of the number of models (animals only: where terrain is
    unknown, times the ways to spread it).
    """
    cells = sight.rows * sight.columns
    layout = empty_layout(cells)
    boxes, clue_count = frame(sight, layout)
    box_of, sizes, masks, links, odds, needs, left, pool = layout
    held, held_pool = np.zeros((boxes + 1, 4)), np.zeros((2, 4))
    ended, size = solve(
        room, boxes, sizes, masks, links, odds, clue_count, needs, pool[0], pool[1], left, held, held_pool
    )
    if ended != COUNTED:
        return ended, size
    unknown = pool[2]
    dry = (pool[0] - pool[3]) / unknown if unknown else 0.0
    for cell in range(cells):
        box = box_of[cell]
        for content in range(4):
            if box >= 0:
                chances[cell, content] = held[box, content]
            elif box == -2:
                chances[cell, content] = 0.0
            elif sight.terrain[cell] == 0:
                chances[cell, content] = held_pool[0, content]
            elif sight.terrain[cell] == 1:
                chances[cell, content] = held_pool[1, content]
            else:
                chances[cell, content] = dry * held_pool[0, content] + (1.0 - dry) * held_pool[1, content]
    return ended, size


@kernel
def settle(sight: Sight, chances: Any, certain: Any) -> int:
    """Write the contents that are certain; gives how many are new."""
    settled = 0
    for cell in range(sight.rows * sight.columns):
        found = sight.seen[cell]
        if certain[cell] >= 0 or not (found == -1 or (sight.flags and found > 0)):
            continue
        possible, content = 0, 0
        for each in range(4):
            if chances[cell, each] > 0.0:
                possible += 1
                content = each
        if possible == 1:
            certain[cell] = content
            settled += 1
    return settled


# ------------------------------------------------------------------ for Python

_rooms = threading.local()


def shared_space(grow: bool = False) -> Space:
    """Room for counting, one a thread, kept between calls and enlarged on demand."""
    room: Space | None = getattr(_rooms, "room", None)
    if room is None or grow:
        room = _rooms.room = counting.space((1 << 15) if room is None else 4 * room.forward.shape[0])
    return room


class ContradictionError(ValueError):
    """What is seen fits no board."""


def certain_by_rules(view: View, certain: np.ndarray | None = None) -> np.ndarray:
    """What the local rules settle, on top of what is certain already (changed in place)."""
    if certain is None:
        certain = np.full(view.cells, NOTHING, np.int8)
    while apply_local_rules(sight_of(view), certain):
        pass
    return certain


def probabilities(view: View, certain: np.ndarray | None = None) -> Beliefs:
    """The exact probability of every content of every hidden cell; `certain` animals are taken as found."""
    room = shared_space()
    if certain is None:
        certain = certain_by_rules(view)
    chances, known = np.zeros((view.cells, 4)), np.zeros(view.cells, np.int8)
    combine(sight_of(view), certain, known)
    while True:
        ended, size = weigh(room, sight_of(view, known), chances)
        if ended == INFEASIBLE:
            raise ContradictionError("no board fits what is seen")
        if ended != TOO_LARGE:
            found = np.flatnonzero(known > view.seen)
            chances[found, known[found]] = 1.0
            return Beliefs(chances, size)
        if room.forward.shape[0] >= 1 << 23:
            raise MemoryError("this position has too many open clues to be counted")
        room = shared_space(grow=True)


def problem_of(view: View) -> tuple[counting.Problem, np.ndarray, np.ndarray]:
    """The position as a counting problem in plain integers, the box of each cell, and the pool's terrain
    counts."""
    known = np.where(view.flags & (view.seen > 0), HIDDEN, view.seen).astype(np.int8)
    layout = empty_layout(view.cells)
    boxes, clue_count = frame(sight_of(view, known), layout)
    problem = counting.Problem(
        layout.sizes[:boxes].tolist(),
        layout.masks[:boxes].tolist(),
        layout.links[:boxes].tolist(),
        layout.needs[:clue_count].tolist(),
        int(layout.pool[0]),
        int(layout.pool[1]),
        layout.left.tolist(),
    )
    return problem, layout.box_of, layout.pool


def counts(view: View) -> tuple[int, list[tuple[int, int, int, int]]]:
    """How many boards fit (animals on known or unknown terrain), and in how many a cell holds what: exact
    integers.

    Where terrain is unknown, all ways to spread it are counted too.
    """
    import math

    problem, box_of, pool = problem_of(view)
    found = counting.count(problem)
    if found.models == 0:
        raise ContradictionError("no board fits what is seen")
    unknown, dry = int(pool[2]), int(pool[0] - pool[3])
    spreads = math.comb(unknown, dry)
    dry_here = math.comb(unknown - 1, dry - 1) if dry else 0  # spreads in which one given cell is land
    result = []
    for cell in range(view.cells):
        box = int(box_of[cell])
        if box >= 0:
            ways = [spreads * number for number in found.boxes[box]]
        elif box == -2:
            ways = [0, 0, 0, 0]
        elif view.terrain[cell] >= 0:
            ways = [spreads * number for number in found.pool[int(view.terrain[cell])]]
        else:
            ways = [
                dry_here * on_land + (spreads - dry_here) * in_sea
                for on_land, in_sea in zip(*found.pool, strict=True)
            ]
        result.append((ways[0], ways[1], ways[2], ways[3]))
    return spreads * found.models, result


def hidden_cells(view: View) -> list[int]:
    """The cells whose content is not known."""
    return np.flatnonzero((view.seen == HIDDEN) | (view.flags & (view.seen > 0))).tolist()
