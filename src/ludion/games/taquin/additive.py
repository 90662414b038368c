"""The heuristic of additive pattern databases: where the groups of tiles are, carried along, and what the tables say.

The trace packs the groups into words, a *lane* each:

    direct tables:  | entry of group 2 | entry of group 1 | entry of group 0 |     moving a tile adds to its lane
    ranked tables:  | order | cells of group 1 | order | cells of group 0 |       order: the rank of the tiles' order

Where a symmetry of the board keeps the blank's home, the reflected board gives a second estimate. With direct tables it
costs as much as the first one, so it is only looked at where that did not settle the matter (`refine`). Ranked tables
are so large that what counts is how many look-ups are under way at once: there both sides are looked at together.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ludion.engines.limits import Budget, Observer
from ludion.errors import UnfitError
from ludion.games.taquin.pattern_databases import (
    Layout,
    are_there,
    layout,
    order_maps,
    partition,
    symmetries,
    tables,
)
from ludion.games.taquin.rules import Taquin, Tiles, changed, tile_at
from ludion.kinds.puzzle import advance, begin, estimate, refine, value
from ludion.verbs import kernel
from ludion.words import pick, popcount

PLAIN, REFLECTED = range(2)

# A row of numbers for each side and tile: what is known of the tile's group, and from PLACES on, for each cell: what
# the tile on it adds to its word (direct), or the cell in the table's view of the board (ranked).
WORD, SHIFT, MASK, OFFSET, SIZE, ORDERS, MAPS, BYTE, FIRST, PLACES = range(10)
LANE_BITS = 63
MOST_RANKED = 7  # groups, when tables are ranked: their values share a word
MOST_RANKED_CELLS = 24


class DirectTables(NamedTuple):
    """Tables that are indexed by the cells of the tiles."""

    table: np.ndarray  # all tables, one after the other
    rows: np.ndarray  # rows[side, tile, WORD ... PLACES + cell]
    empty: tuple[int, ...]  # as many zeros as there are words
    reflects: bool


class RankedTables(NamedTuple):
    """Tables that are indexed by a rank of the set of cells and one of the order on them."""

    table: np.ndarray
    rows: np.ndarray
    ranks: (
        np.ndarray
    )  # ranks[i, n, bits]: what half i of the cells adds to the rank of a set with n cells below them
    maps: np.ndarray  # order maps: MAPS + (before * SIZE + after) * ORDERS + order -> order
    slots: np.ndarray  # slots[side, group, j]: its j-th tile
    cells: int
    half: int
    empty: tuple[int, ...]
    reflects: bool


class DirectTrace(NamedTuple):
    """Where the groups are, on both sides; the two estimates, and what is to be made of them."""

    words: tuple[int, ...]
    mirrored: tuple[int, ...]
    plain: int
    reflected: int
    value: int


class RankedTrace(NamedTuple):
    """As `DirectTrace`, with the value of each group in a byte."""

    words: tuple[int, ...]
    mirrored: tuple[int, ...]
    bytes: int
    mirrored_bytes: int
    plain: int
    reflected: int
    value: int


def pattern_database(
    game: Taquin, wanted: str = "", observer: Observer | None = None, budget: Budget | None = None
) -> DirectTables | RankedTables:
    """The heuristic for this partition, sizes (`7-8`) or tiles (`1 2 5 6/3 4 7 8/...`); tables are made if need be."""
    if type(game) is not Taquin:
        raise UnfitError("pattern databases count single tiles: they do not fit metric multi")
    plan = layout(game, partition(game, wanted))
    return value_of(game, plan, tables(plan, observer, budget))


def is_made(game: Taquin, wanted: str = "") -> bool:
    """Whether the tables of this partition are there already."""
    return are_there(layout(game, partition(game, wanted)))


def value_of(game: Taquin, plan: Layout, table: Any) -> DirectTables | RankedTables:
    """The heuristic value over these tables."""
    cells = game.width * game.height
    offsets = np.concatenate([[0], np.cumsum(plan.sizes)])
    count = len(plan.uses)
    if not plan.direct and cells > MOST_RANKED_CELLS:
        raise UnfitError(f"groups this large are for boards of up to {MOST_RANKED_CELLS} cells")
    if not plan.direct and count > MOST_RANKED:
        raise UnfitError(f"at most {MOST_RANKED} groups when one of them is this large")
    at_home = {int(game.home[tile]): tile for tile in range(1, cells)}
    rows = np.zeros((2, cells, PLACES + cells), np.int64)
    slots = np.zeros((2, count, max(len(group) for group, _ in plan.tables)), np.int64)
    sizes = sorted({len(group) for group, _ in plan.tables})
    map_offsets: dict[int, int] = {}
    maps: list[Any] = []
    for size in [] if plan.direct else sizes:
        map_offsets[size] = sum(each.size for each in maps)
        maps.append(order_maps(game.width, size).ravel())
    word, shift = 0, 0
    for group_number, (table_number, cell_map) in enumerate(plan.uses):
        group = plan.tables[table_number][0]
        size = len(group)
        orders = math.factorial(size)
        bits = (cells**size - 1).bit_length() if plan.direct else cells + (orders - 1).bit_length()
        if shift + bits > LANE_BITS:
            word, shift = word + 1, 0
        back = {cell_map[cell]: cell for cell in range(cells)}
        for slot, cell in enumerate(group):
            tile = at_home[back[cell]]
            rows[PLAIN, tile, :PLACES] = [
                word,
                shift,
                (1 << bits) - 1,
                offsets[table_number],
                size,
                orders,
                map_offsets.get(size, 0),
                8 * group_number,
                slot == 0,
            ]
            slots[PLAIN, group_number, slot] = tile
            for there in range(cells):
                mapped = cell_map[there]
                rows[PLAIN, tile, PLACES + there] = (mapped * cells**slot) << shift if plan.direct else mapped
        shift += bits
    rows[REFLECTED], slots[REFLECTED] = rows[PLAIN], slots[PLAIN]
    reflection = next(
        (m for m in symmetries(game.width, game.height)[1:] if m[int(game.home[0])] == int(game.home[0])),
        None,
    )
    if reflection is not None:
        mirror = [0] + [at_home[reflection[int(game.home[tile])]] for tile in range(1, cells)]
        for tile in range(1, cells):
            rows[REFLECTED, tile] = rows[PLAIN, mirror[tile]]
            rows[REFLECTED, tile, PLACES:] = rows[PLAIN, mirror[tile], PLACES:][reflection]
        slots[REFLECTED] = np.argsort(mirror)[slots[PLAIN]]
    empty = (0,) * (word + 1)
    reflects = reflection is not None
    if plan.direct:
        return DirectTables(table, rows, empty, reflects)
    half = (cells + 1) // 2
    most = max(sizes)
    ranks = np.zeros((2, most + 1, 1 << half), np.int32)
    for side, below in [(0, 0), *((1, below) for below in range(most + 1))]:
        for bits in range(1 << half):
            found = [side * half + bit for bit in range(half) if bits >> bit & 1]
            if below + len(found) <= most:
                ranks[side, below, bits] = sum(math.comb(cell, below + i + 1) for i, cell in enumerate(found))
    return RankedTables(table, rows, ranks, np.concatenate(maps), slots, cells, half, empty, reflects)


@value.register(DirectTrace)
def _(trace: DirectTrace) -> int:
    return trace.value


@value.register(RankedTrace)
def _(trace: RankedTrace) -> int:
    return trace.value


@estimate.register(DirectTables)
def _(heuristic: DirectTables, game: Taquin, position: Tiles) -> int:
    return value(begin(heuristic, game, position))  # type: ignore[no-any-return]


@estimate.register(RankedTables)
def _(heuristic: RankedTables, game: Taquin, position: Tiles) -> int:
    return value(begin(heuristic, game, position))  # type: ignore[no-any-return]


# ------------------------------------------------------------------ direct tables


@kernel
def direct_words(heuristic: DirectTables, game: Taquin, position: Tiles, side: int) -> Any:
    words = heuristic.empty
    for cell in range(game.width * game.height):
        tile = tile_at(game, position, cell)
        if tile != 0:
            words = changed(
                words, heuristic.rows[side, tile, WORD], heuristic.rows[side, tile, PLACES + cell]
            )
    return words


@kernel
def direct_total(heuristic: DirectTables, words: Any, side: int) -> int:
    total = 0
    for tile in range(1, heuristic.rows.shape[1]):
        lane = heuristic.rows[side, tile]
        if lane[FIRST] != 0:
            entry = pick(words, lane[WORD]) >> lane[SHIFT] & lane[MASK]
            total += np.int64(heuristic.table[lane[OFFSET] + entry])  # type: ignore[assignment]
    return total


@begin.register(DirectTables)
def _(heuristic: DirectTables, game: Taquin, position: Tiles) -> DirectTrace:
    words = direct_words(heuristic, game, position, PLAIN)
    plain = direct_total(heuristic, words, PLAIN)
    if not heuristic.reflects:
        return DirectTrace(words, words, plain, plain, plain)
    mirrored = direct_words(heuristic, game, position, REFLECTED)
    reflected = direct_total(heuristic, mirrored, REFLECTED)
    return DirectTrace(words, mirrored, plain, reflected, max(plain, reflected))


@kernel
def direct_slide(table: Any, row: Any, words: Any, start: int, end: int) -> Any:
    """The words after the tile of this row went from one cell to another, and by how much the estimate changes."""
    change = row[PLACES + end] - row[PLACES + start]
    before = pick(words, row[WORD])
    new = np.int64(table[row[OFFSET] + (before + change >> row[SHIFT] & row[MASK])])
    old = np.int64(table[row[OFFSET] + (before >> row[SHIFT] & row[MASK])])
    return changed(words, row[WORD], change), new - old


@advance.register(DirectTables)
def _(
    heuristic: DirectTables, game: Taquin, trace: DirectTrace, position: Tiles, move: int, child: Tiles
) -> DirectTrace:
    row = heuristic.rows[PLAIN, tile_at(game, position, child.blank)]
    words, change = direct_slide(heuristic.table, row, trace.words, child.blank, position.blank)
    plain = trace.plain + change
    return DirectTrace(words, trace.mirrored, plain, trace.reflected, plain)


@refine.register(DirectTables)
def _(heuristic: DirectTables, game: Taquin, trace: DirectTrace, move: int, child: Tiles) -> DirectTrace:
    if not heuristic.reflects:
        return trace
    end = game.beside[child.blank, 3 - move]
    row = heuristic.rows[REFLECTED, tile_at(game, child, end)]
    mirrored, change = direct_slide(heuristic.table, row, trace.mirrored, child.blank, end)
    reflected = trace.reflected + change
    return DirectTrace(trace.words, mirrored, trace.plain, reflected, max(trace.plain, reflected))


# ------------------------------------------------------------------ ranked tables


@kernel
def rank_of(ranks: Any, half: int, cells: int) -> int:
    """The rank of a set of cells."""
    low = cells & ((1 << half) - 1)
    return np.int64(ranks[0, 0, low]) + np.int64(ranks[1, popcount(low), cells >> half])  # type: ignore[return-value]


@kernel
def ranked_side(heuristic: RankedTables, game: Taquin, position: Tiles, side: int) -> Any:
    """The words, the values in bytes, and their sum."""
    where = np.zeros(heuristic.cells, np.int64)
    for cell in range(heuristic.cells):
        tile = tile_at(game, position, cell)
        where[tile] = heuristic.rows[side, tile, PLACES + cell]
    words = heuristic.empty
    values = 0
    total = 0
    for group in range(heuristic.slots.shape[1]):
        lane = heuristic.rows[side, heuristic.slots[side, group, 0]]
        size = lane[SIZE]
        cells = 0
        for j in range(size):
            cells |= 1 << where[heuristic.slots[side, group, j]]
        order = 0
        left = cells
        for j in range(size):
            cell = where[heuristic.slots[side, group, j]]
            order = order * (size - j) + popcount(left & ((1 << cell) - 1))
            left ^= 1 << cell
        found = np.int64(
            heuristic.table[
                lane[OFFSET] + rank_of(heuristic.ranks, heuristic.half, cells) * lane[ORDERS] + order
            ]
        )
        words = changed(words, lane[WORD], (order << heuristic.cells | cells) << lane[SHIFT])
        values |= found << lane[BYTE]
        total += found  # type: ignore[assignment]
    return words, values, total


@begin.register(RankedTables)
def _(heuristic: RankedTables, game: Taquin, position: Tiles) -> RankedTrace:
    words, values, plain = ranked_side(heuristic, game, position, PLAIN)
    if not heuristic.reflects:
        return RankedTrace(words, words, values, values, plain, plain, plain)
    mirrored, mirrored_values, reflected = ranked_side(heuristic, game, position, REFLECTED)
    return RankedTrace(words, mirrored, values, mirrored_values, plain, reflected, max(plain, reflected))


@kernel
def ranked_slide(
    table: Any,
    row: Any,
    ranks: Any,
    maps: Any,
    cells: int,
    half: int,
    words: Any,
    values: int,
    start: int,
    end: int,
) -> Any:
    """The words and the values after the tile of this row went from one cell to another, and how the sum changes."""
    start_bit = 1 << row[PLACES + start]
    end_bit = 1 << row[PLACES + end]
    before = pick(words, row[WORD]) >> row[SHIFT] & row[MASK]
    here = before & ((1 << cells) - 1)
    there = here ^ start_bit ^ end_bit
    order = before >> cells
    place = popcount(here & (start_bit - 1))
    new_place = popcount(there & (end_bit - 1))
    order = np.int64(maps[row[MAPS] + (place * row[SIZE] + new_place) * row[ORDERS] + order])
    found = np.int64(table[row[OFFSET] + rank_of(ranks, half, there) * row[ORDERS] + order])
    change = found - (values >> row[BYTE] & 255)
    after = order << cells | there
    return changed(words, row[WORD], (after - before) << row[SHIFT]), values + (change << row[BYTE]), change


@advance.register(RankedTables)
def _(
    heuristic: RankedTables, game: Taquin, trace: RankedTrace, position: Tiles, move: int, child: Tiles
) -> RankedTrace:
    tile = tile_at(game, position, child.blank)
    words, values, change = ranked_slide(
        heuristic.table,
        heuristic.rows[PLAIN, tile],
        heuristic.ranks,
        heuristic.maps,
        heuristic.cells,
        heuristic.half,
        trace.words,
        trace.bytes,
        child.blank,
        position.blank,
    )
    mirrored, mirrored_values, mirrored_change = ranked_slide(
        heuristic.table,
        heuristic.rows[REFLECTED, tile],
        heuristic.ranks,
        heuristic.maps,
        heuristic.cells,
        heuristic.half,
        trace.mirrored,
        trace.mirrored_bytes,
        child.blank,
        position.blank,
    )
    plain = trace.plain + change
    reflected = trace.reflected + mirrored_change
    return RankedTrace(words, mirrored, values, mirrored_values, plain, reflected, max(plain, reflected))
