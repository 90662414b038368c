"""Builds the tables of pattern databases.

A table is first built in the order of sets of cells, so that a block of k! bytes stays in the cache, and then copied to
its final order (see `pattern_databases`):

    by sets: entry = rank(set of cells) * k! + rank(order of the tiles on them)

For a set, the blank only matters by the region of empty cells that it is in: one bit per region. A horizontal slide
keeps the order of the tiles, a vertical one rotates a part of it. All slides of a set, with the blank's regions before
and after, are listed once. Every slide changes the parity of the number of tiles on black cells, so that one array of
pending entries serves two layers of the search.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, popcount
from ludion.engines.budget import Budget, Observer, Progress
from ludion.engines.limits import NODES, STOP, new_control, run
from ludion.errors import LudionError
from ludion.games.taquin.partitions import Group
from ludion.games.taquin.rules import LEFT, RIGHT, UP
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.games.taquin.pattern_databases import TableLayout

UNREACHED = 255


class TablesError(LudionError):
    """Tables that cannot be built or saved."""


class MakingStoppedError(TablesError):
    """Tables that were not finished because the search was stopped."""


def tell(sentence: str) -> None:
    """A sentence for the user, on the error stream."""
    print(f"ludion: {sentence}", file=sys.stderr, flush=True)


def make(plan: TableLayout, observer: Observer | None = None, budget: Budget | None = None) -> np.ndarray:
    """Build all tables of a layout, one after the other."""
    cells = plan.width * plan.height
    entries = [math.perm(cells, len(table.group)) for table in plan.tables]
    memory = 3 * max(entries) + sum(plan.sizes)
    if budget is not None and memory > budget.memory:
        megabytes = {"needed": f"{memory / 1e6:,.0f}", "allowed": f"{budget.memory / 1e6:,.0f}"}
        raise TablesError(message("taquin.tables_need_memory", **megabytes))
    content = np.empty(sum(plan.sizes), np.uint8)
    watcher = _Watcher(plan, sum(entries), observer)
    offset = 0
    for table, size, count in zip(plan.tables, plan.sizes, entries, strict=True):
        by_sets = np.empty(count, np.uint8)
        work = functools.partial(_fill, plan, table.group, table.blank, by_sets)
        if not run(work, Budget(), watcher).result:
            watcher.close()
            raise MakingStoppedError(message("taquin.making_stopped"))
        out = content[offset : offset + size]
        slides = slides_of(plan.width, plan.height, len(table.group), new_control(Budget()))
        assert slides is not None
        sets = slides.sets
        if plan.direct:
            copy_to_direct(by_sets, out, sets, orders(len(table.group)), cells)
        else:
            copy_to_ranked(by_sets, out, sets, len(table.group), cells)
        watcher.done += count
        offset += size
    watcher.close()
    return content


def _fill(
    plan: TableLayout,
    group: Group,
    blank: int,
    by_sets: np.ndarray,
    control: np.ndarray,
    trace: np.ndarray,
) -> bool:
    """Fill the table of one group; False if it was stopped."""
    slides = slides_of(plan.width, plan.height, len(group), control)
    if slides is None:
        return False
    first_set = rank_of_group(group)
    cells = plan.width * plan.height
    empty = ~int(slides.sets[first_set]) & ((1 << cells) - 1)
    first_region = 1 << int(region_of(empty, blank, plan.width, cells))
    kind = np.uint8 if slides.most_regions <= 8 else np.uint16 if slides.most_regions <= 16 else np.uint32
    pending, seen = np.zeros(by_sets.size, kind), np.zeros(by_sets.size, kind)
    block = math.factorial(len(group))
    return bool(fill(by_sets, seen, pending, block, slides, first_set, first_region, control))


class _Watcher(Observer):
    """Shows the progress of building tables on stderr, once it takes longer than a second."""

    def __init__(self, plan: TableLayout, entries: int, observer: Observer | None) -> None:
        super().__init__(stop=observer.stop if observer is not None else None)
        self.names = {"partition": plan.partition, "size": f"{plan.width}x{plan.height}"}
        self.entries, self.done, self.other = entries, 0, observer
        self.begin = time.monotonic()
        self.shown = False
        self.live = sys.stderr.isatty()

    def progress(self, progress: Progress) -> None:
        if self.other is not None:
            self.other.progress(progress)
        if time.monotonic() - self.begin < 1 or (self.shown and not self.live):
            return
        sentence = message("taquin.making_tables", **self.names)
        if self.live:
            share = (self.done + progress.nodes) / self.entries
            print(f"\rludion: {sentence} {share:4.0%}", end="", file=sys.stderr, flush=True)
        else:
            tell(sentence)
        self.shown = True

    def close(self) -> None:
        if self.shown and self.live:
            sentence = message("taquin.tables_made", **self.names)
            print(f"\rludion: {sentence}", file=sys.stderr, flush=True)


# ------------------------------------------------------------------ sets of cells, and the slides of their tiles


class Slides(NamedTuple):
    """All sets of k cells of a board by rank, and for each set the slides of its tiles."""

    sets: np.ndarray  # the cells of each set, as bits
    starts: np.ndarray  # starts[s] .. starts[s + 1]: the slides of set s
    targets: np.ndarray  # the set after the slide
    regions_before: (
        np.ndarray
    )  # the region that the blank must be in, as a bit, and the one it is in afterwards
    regions_after: np.ndarray
    turns: np.ndarray  # which of the maps below the slide applies
    order_maps: (
        np.ndarray
    )  # order_maps[turn, r]: the rank of the order that the slide makes of the one of rank r
    most_regions: int  # of any set


def slides_of(width: int, height: int, size: int, control: np.ndarray) -> Slides | None:
    """List the slides of all sets of this many cells; None if it was stopped."""
    known = _known_slides(width, height, size)
    if not known:
        cells = width * height
        binomials = np.array([[math.comb(n, k) for k in range(size + 2)] for n in range(cells + 1)])
        slides = Slides(*list_slides(width, cells, size, binomials, order_maps(width, size), control))
        if control[STOP] != 0:
            return None
        known.append(slides)
    return known[0]


@functools.lru_cache(maxsize=2)
def _known_slides(width: int, height: int, size: int) -> list[Slides]:
    """Where the slides are kept once they are listed."""
    return []


def rank_of_group(group: Group) -> int:
    """The rank of a set of cells, as `rank_of_set`."""
    return sum(math.comb(cell, i + 1) for i, cell in enumerate(sorted(group)))


@functools.lru_cache(maxsize=4)
def order_maps(width: int, size: int) -> np.ndarray:
    """A map of orders for each pair of places a, b: the tile at place a of the set's cells goes to place b."""
    maps = np.zeros((size * size, math.factorial(size)), np.uint16 if size <= 8 else np.uint32)
    for a, b in itertools.product(range(size), repeat=2):
        if abs(a - b) < width:  # a vertical slide passes by fewer tiles than the board is wide
            maps[a * size + b] = ranks_after_turn(orders(size), a, b)
    return maps


@functools.lru_cache(maxsize=4)
def orders(size: int) -> np.ndarray:
    """All orders of this many tiles, by rank: orders[r, j] is the place of the j-th tile."""
    return np.array(list(itertools.permutations(range(size))), np.int8)


def ranks_after_turn(places: np.ndarray, a: int, b: int) -> np.ndarray:
    """For every order, its rank after the tile at place a has gone to place b and those between have moved up."""
    size = places.shape[1]
    new_place = np.arange(size)
    new_place[a] = b
    if a < b:
        new_place[a + 1 : b + 1] -= 1
    else:
        new_place[b:a] += 1
    moved = new_place[places]
    rank = np.zeros(len(places), np.int64)
    for j in range(size):
        later = (moved[:, j + 1 :] < moved[:, j : j + 1]).sum(axis=1)
        rank = rank * (size - j) + later
    return rank


@kernel
def region_of(empty: int, cell: int, width: int, cells: int) -> int:
    """The number of the region of empty cells that holds this cell, counted by lowest cells; -1 if none does."""
    first_column = 0
    for row_start in range(0, cells, width):
        first_column |= 1 << row_start
    last_column = first_column << (width - 1)
    left = empty
    number = 0
    while left != 0:
        region = left & -left
        while True:
            wider = (
                region
                | (region & ~last_column) << 1
                | (region & ~first_column) >> 1
                | region << width
                | region >> width
            )
            wider &= empty
            if wider == region:
                break
            region = wider
        if region >> cell & 1:
            return number
        left &= ~region
        number += 1
    return -1


@kernel
def rank_of_set(cells_set: int, binomials: Any) -> int:
    """The rank of a set of cells, given as bits, among all sets of its size: C(c1, 1) + C(c2, 2) + ..."""
    rank = 0
    count = 0
    cell = 0
    while cells_set != 0:
        if cells_set & 1:
            count += 1
            rank += binomials[cell, count]
        cells_set >>= 1
        cell += 1
    return rank


@kernel
def list_slides(
    width: int, cells: int, size: int, binomials: Any, order_maps: Any, control: np.ndarray
) -> Any:
    """The fields of `Slides`; not all sets if it was stopped."""
    count = binomials[cells, size]
    sets = np.empty(count, np.int64)
    bits = (1 << size) - 1
    for s in range(count):  # the next larger number with as many bits has the next rank
        sets[s] = bits
        low = bits & -bits
        up = bits + low
        bits = ((up ^ bits) >> 2) // low | up
    every = (1 << cells) - 1
    starts = np.zeros(count + 1, np.int64)
    targets = np.empty(count * size * 4, np.int32)
    regions_before = np.empty(count * size * 4, np.uint32)
    regions_after = np.empty(count * size * 4, np.uint32)
    turns = np.empty(count * size * 4, np.int32)
    slide = 0
    most_regions = 0
    for s in range(count):
        control[NODES] = s
        if control[STOP] != 0:
            break
        here = sets[s]
        for cell in range(cells):
            if here >> cell & 1 == 0:
                continue
            for direction in range(4):
                if direction == UP:
                    to = cell - width
                elif direction == LEFT:
                    to = cell - 1 if cell % width > 0 else -1
                elif direction == RIGHT:
                    to = cell + 1 if cell % width < width - 1 else -1
                else:
                    to = cell + width
                if to < 0 or to >= cells or here >> to & 1:
                    continue
                there = here ^ (1 << cell) ^ (1 << to)
                region = region_of(every & ~here, to, width, cells)
                most_regions = max(most_regions, region + 1)
                targets[slide] = rank_of_set(there, binomials)
                regions_before[slide] = 1 << region
                regions_after[slide] = 1 << region_of(every & ~there, cell, width, cells)
                place_before = popcount(here & ((1 << cell) - 1))
                place_after = popcount(there & ((1 << to) - 1))
                turns[slide] = place_before * size + place_after
                slide += 1
        starts[s + 1] = slide
    return (
        sets,
        starts,
        targets[:slide].copy(),
        regions_before[:slide].copy(),
        regions_after[:slide].copy(),
        turns[:slide].copy(),
        order_maps,
        most_regions,
    )


# ------------------------------------------------------------------ filling a table


@kernel
def fill(
    distances: Any,
    seen: Any,
    pending: Any,
    block: int,
    slides: Slides,
    first_set: int,
    first_region: int,
    control: Any,
) -> bool:
    """Breadth-first search from the goal, layer by layer; False if it was stopped.

    seen, pending: for each entry, the regions of the blank in which it was reached, and in which it is to be expanded
    next. A set has `block` entries, one for each order of its tiles; `active` are the sets with pending entries.
    """
    starts, targets, turns, order_maps = slides.starts, slides.targets, slides.turns, slides.order_maps
    regions_before, regions_after = slides.regions_before, slides.regions_after
    sets = starts.size - 1
    distances[:] = UNREACHED
    active = np.zeros(sets, np.bool_)
    next_active = np.zeros(sets, np.bool_)
    ranks = np.empty(block, np.uint32)
    new_regions = np.empty(block, pending.dtype)
    active[first_set] = True
    pending[first_set * block] = first_region
    reached = 0
    layer = 0
    while True:
        any_active = False
        for s in range(sets):
            if not active[s]:
                continue
            active[s] = False
            base = s * block
            here = pending[base : base + block]
            known = seen[base : base + block]
            values = distances[base : base + block]
            count = 0
            for r in range(block):
                if here[r] != 0:
                    new = here[r] & ~known[r]
                    here[r] = 0
                    if new != 0:
                        if known[r] == 0:
                            values[r] = layer
                            reached += 1
                        known[r] |= new
                        ranks[count] = r
                        new_regions[count] = new
                        count += 1
            control[NODES] = reached
            if control[STOP] != 0:
                return False
            if count == 0:
                continue
            for slide in range(starts[s], starts[s + 1]):
                before = regions_before[slide]
                after = regions_after[slide]
                to = np.int64(targets[slide])
                there = pending[to * block : (to + 1) * block]
                order_map = order_maps[turns[slide]]
                reached_any = 0
                for i in range(count):
                    reaches = new_regions[i] & before
                    there[order_map[ranks[i]]] |= after if reaches else 0  # a branch would be hard to predict
                    reached_any |= reaches
                if reached_any != 0:
                    next_active[to] = True
                    any_active = True
        active, next_active = next_active, active
        if not any_active:
            return True
        layer += 1


# ------------------------------------------------------------------ the final order


@kernel
def copy_to_ranked(by_sets: Any, ranked: Any, sets: Any, size: int, cells: int) -> None:
    """Copy a table into the order of a ranked one, entry by entry: the cells of the tiles run in odometer order.

    For each tile j: `used[j]`, the cells that earlier tiles are on; `order[j]`, the rank of the order of these tiles on
    them; `added[j, c]`, by how much that rank grows when a later tile is placed on cell c.
    """
    numbers = np.zeros(1 << cells, np.int32)
    for s in range(sets.size):
        numbers[sets[s]] = s
    factorials = np.ones(size + 1, np.int64)
    for j in range(1, size + 1):
        factorials[j] = factorials[j - 1] * j
    cell_of = np.full(size, -1, np.int64)
    used = np.zeros(size, np.int64)
    order = np.zeros(size, np.int64)
    added = np.zeros((size, cells), np.int64)
    last = size - 1
    entry = 0
    j = 0
    while j >= 0:
        if j == last:
            for cell in range(cells):
                if used[j] >> cell & 1 == 0:
                    block = np.int64(numbers[nonnegative(used[j] | 1 << cell)]) * factorials[size]
                    place = order[j] + added[nonnegative(j), nonnegative(cell)]
                    ranked[nonnegative(entry)] = by_sets[nonnegative(block + place)]
                    entry += 1
            j -= 1
            continue
        cell = cell_of[j] + 1
        while cell < cells and used[j] >> cell & 1:
            cell += 1
        if cell == cells:
            cell_of[j] = -1
            j -= 1
            continue
        cell_of[j] = cell
        used[j + 1] = used[j] | 1 << cell
        order[j + 1] = order[j] + added[j, cell]
        for other in range(cells):
            added[nonnegative(j + 1), nonnegative(other)] = added[nonnegative(j), nonnegative(other)] + (
                factorials[last - j] if other < cell else 0
            )
        j += 1


@kernel
def copy_to_direct(by_sets: Any, direct: Any, sets: Any, places: Any, cells: int) -> None:
    """Copy a table into the order of a direct one."""
    direct[:] = UNREACHED
    factorial, size = places.shape
    shares = np.empty(
        (size, size), np.int64
    )  # [v, j]: what tile j adds to the entry on the v-th cell of the set
    for s in range(sets.size):
        v = 0
        for cell in range(cells):
            if sets[s] >> cell & 1:
                weight = 1
                for j in range(size):
                    shares[v, j] = cell * weight
                    weight *= cells
                v += 1
        for r in range(factorial):
            entry = 0
            for j in range(size):
                entry += shares[places[r, j], j]
            direct[entry] = by_sets[s * factorial + r]
