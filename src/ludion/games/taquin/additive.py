"""The heuristic of additive pattern databases: the entries of the groups are updated incrementally with each move.

The trace packs the entries of all groups into words; the bits of a group are its *lane*:

    | entry of group 2 | entry of group 1 | entry of group 0 |

A slide adds a number to the lane of its tile's group. With direct tables that number depends only on the tile and the
two cells. With ranked tables it also depends on the tiles on the cells between them, in the order in which the table
counts cells, from one side of the board or the other: `between` lists these cells.

If a symmetry of the board keeps the blank's home, the reflected board gives a second estimate. With direct tables both
are looked up together: the look-ups overlap in time, and no branch depends on the first. With ranked tables, which need
more work, the second is looked up only if the first does not exceed the bound (`refine`).

For each side and tile, `rows` has what a slide of the tile needs:

    | WORD | SHIFT | MASK | OFFSET | FIRST | WEIGHT | VIEW | one number per cell, from PLACES on | one number per tile |

    WORD, SHIFT, MASK   the lane of the tile's group
    OFFSET              where the table of the group begins
    FIRST               1 for the first tile of each group
    WEIGHT, VIEW        ranked: the weight of the tile's digit; from which side the table is seen
    per cell            direct: what the tile on that cell adds to its word; ranked: the cell as the table counts cells
    per tile            ranked: what passing that tile adds to the entry
"""

from __future__ import annotations

import itertools
import math
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, pick
from ludion.engines.budget import Budget, Observer
from ludion.errors import UnfitError
from ludion.games.taquin.partitions import partition, reflection
from ludion.games.taquin.pattern_databases import TableLayout, are_made, layout, tables
from ludion.games.taquin.rules import Taquin, Tiles, add_to_word, tile_at
from ludion.kinds.puzzle import advance, begin, estimate, refine, reverse, value
from ludion.messages import message

PLAIN, REFLECTED = range(2)  # sides
WORD, SHIFT, MASK, OFFSET, FIRST, WEIGHT, VIEW, PLACES = range(8)
LANE_BITS = 63  # of a word that lanes may use
MOST_RECENT = 8  # heuristics that stay in memory


class DirectTables(NamedTuple):
    """Tables that are indexed by the cells of the tiles."""

    table: np.ndarray  # all tables, one after the other
    rows: np.ndarray  # rows[side, tile]
    empty: tuple[int, ...]  # as many zeros as there are words of lanes
    reflects: bool  # whether the reflected board is looked up too


class RankedTables(NamedTuple):
    """Tables that are indexed by the rank of the tiles' arrangement."""

    table: np.ndarray
    rows: np.ndarray
    empty: tuple[int, ...]
    reflects: bool
    between: (
        np.ndarray
    )  # between[VIEW, cell, move]: the cells that a tile passes which the blank, now there, moved


class DirectTrace(NamedTuple):
    """The entries and the estimate of the board, and of its reflection."""

    entries: tuple[int, ...]  # the words of lanes
    mirrored: tuple[int, ...]
    plain: int
    reflected: int


class RankedTrace(NamedTuple):
    """The same, and the estimate so far."""

    entries: tuple[int, ...]
    mirrored: tuple[int, ...]
    plain: int
    reflected: int
    value: int


# Heuristics by tables and goal: building one takes as long as solving an easy board.
_recent: dict[tuple[str, bytes], DirectTables | RankedTables] = {}


def pattern_database(
    rules: Taquin, name: str = "", observer: Observer | None = None, budget: Budget | None = None
) -> DirectTables | RankedTables:
    """The heuristic for this partition, sizes (`7-8`) or tiles (`1 2 5 6/3 4 7 8/...`); missing tables are built."""
    if type(rules) is not Taquin:
        raise UnfitError(message("taquin.tables_need_metric_single"))
    plan = layout(rules, partition(rules, name))
    table = tables(plan, observer, budget)
    key = plan.file_name, rules.home.tobytes()
    heuristic = _recent.get(key)
    if heuristic is None or heuristic.table is not table:
        if len(_recent) >= MOST_RECENT:
            _recent.clear()
        heuristic = _recent[key] = heuristic_of(rules, plan, table)
    return heuristic


def is_made(rules: Taquin, name: str = "") -> bool:
    """Whether the tables of this partition exist already."""
    return are_made(layout(rules, partition(rules, name)))


def heuristic_of(rules: Taquin, plan: TableLayout, table: np.ndarray) -> DirectTables | RankedTables:
    """The heuristic that uses these tables."""
    cells = rules.width * rules.height
    tile_with_home = {int(rules.home[tile]): tile for tile in range(1, cells)}
    reflected = reflection(rules.width, rules.height, int(rules.home[0]))
    mirror = list(reflected) if reflected else None  # numpy reads a tuple as one index
    views = [list(plan.uses[0].cell_map)]
    views.append([views[0][cell] for cell in mirror] if mirror else views[0])
    offsets = np.concatenate([[0], np.cumsum(plan.sizes)])
    rows = np.zeros((2, cells, PLACES + 2 * cells), np.int64)
    word, shift = 0, 0
    for use in plan.uses:
        bits = (plan.sizes[use.table] - 1).bit_length()
        if shift + bits > LANE_BITS:
            word, shift = word + 1, 0
        cell_seen_as = {seen: cell for cell, seen in enumerate(use.cell_map)}
        tiles = [tile_with_home[cell_seen_as[home]] for home in plan.tables[use.table].group]
        rows[PLAIN, tiles, WORD] = word
        rows[PLAIN, tiles, SHIFT] = shift
        rows[PLAIN, tiles, MASK] = (1 << bits) - 1
        rows[PLAIN, tiles, OFFSET] = offsets[use.table]
        rows[PLAIN, tiles[0], FIRST] = 1
        if plan.direct:
            for slot, tile in enumerate(tiles):
                places = [(seen * cells**slot) << shift for seen in use.cell_map]
                rows[PLAIN, tile, PLACES : PLACES + cells] = places
        else:
            rows[PLAIN, tiles, VIEW] = int(list(use.cell_map) != views[0])
            rows[PLAIN, tiles, PLACES : PLACES + cells] = use.cell_map
            _write_weights(rows[PLAIN], tiles, cells)
        shift += bits
    rows[REFLECTED] = rows[PLAIN]
    if mirror:
        image = [0] + [tile_with_home[mirror[int(rules.home[tile])]] for tile in range(1, cells)]
        rows[REFLECTED] = rows[PLAIN, image]
        rows[REFLECTED, :, PLACES : PLACES + cells] = rows[PLAIN, image, PLACES : PLACES + cells][:, mirror]
        rows[REFLECTED, :, PLACES + cells :] = rows[PLAIN, image, PLACES + cells :][:, image]
        rows[REFLECTED, 1:, VIEW] ^= 1
    empty = (0,) * (word + 1)
    if plan.direct:
        return DirectTables(table, rows, empty, mirror is not None)
    return RankedTables(table, rows, empty, mirror is not None, cells_between(rules, views))


def cells_between(rules: Taquin, views: list[list[int]]) -> np.ndarray:
    """`between` for tables that count the cells in these two orders; the blank fills up short lists."""
    cells = rules.width * rules.height
    between = np.zeros((2, cells, 4, rules.width - 1), np.int64)
    for side, start, move in itertools.product(range(2), range(cells), range(4)):
        end = int(rules.beside[start, reverse(rules, move)])
        low, high = sorted((views[side][start], views[side][end]))
        passed = [cell for cell in range(cells) if end >= 0 and low < views[side][cell] < high]
        between[side, start, move] = passed + [start] * (rules.width - 1 - len(passed))
    return between


def _write_weights(rows: np.ndarray, tiles: list[int], cells: int) -> None:
    """The weights of a group's tiles in a ranked table, and what passing each other adds to the entry."""
    size = len(tiles)
    weights = [math.perm(cells - slot - 1, size - slot - 1) for slot in range(size)]
    for slot, tile in enumerate(tiles):
        rows[tile, WEIGHT] = weights[slot]
        for other_slot, other in enumerate(tiles):
            if other_slot != slot:
                # Passing a later tile changes that tile's digit by one; passing an earlier one, this tile's digit.
                gain = weights[other_slot] if other_slot > slot else -weights[slot]
                rows[tile, PLACES + cells + other] = gain


@value.register(DirectTrace)
def _(trace: DirectTrace) -> int:
    return max(trace.plain, trace.reflected)


@value.register(RankedTrace)
def _(trace: RankedTrace) -> int:
    return trace.value


@estimate.register(DirectTables)
@estimate.register(RankedTables)
def _(heuristic: DirectTables | RankedTables, rules: Taquin, position: Tiles) -> int:
    return value(begin(heuristic, rules, position))  # type: ignore[no-any-return]


@kernel(python_entry=False, inline=True)
def lane(word: int, shift: int, mask: int) -> int:
    """The entry in a lane of this word."""
    return word >> shift & mask


@kernel
def total(heuristic: Any, entries: Any, side: int) -> int:
    """The sum of the table entries."""
    moves = 0
    for tile in range(1, heuristic.rows.shape[1]):
        row = heuristic.rows[side, tile]
        if row[FIRST] != 0:
            entry = lane(pick(entries, row[WORD]), row[SHIFT], row[MASK])
            moves += np.int64(heuristic.table[row[OFFSET] + entry])  # type: ignore[assignment]
    return moves


@kernel(python_entry=False, inline=True)
def move_tile(table: Any, row: Any, entries: Any, change: int) -> Any:
    """The entries after this change of the word of the row's tile, and by how much the estimate changes."""
    before = pick(entries, row[WORD])
    new = np.int64(table[nonnegative(row[OFFSET] + lane(before + change, row[SHIFT], row[MASK]))])
    old = np.int64(table[nonnegative(row[OFFSET] + lane(before, row[SHIFT], row[MASK]))])
    return add_to_word(entries, row[WORD], change), new - old


# ------------------------------------------------------------------ direct tables


@kernel(python_entry=False)
def direct_entries(heuristic: DirectTables, rules: Taquin, position: Tiles, side: int) -> Any:
    """The words of lanes of a position."""
    entries = heuristic.empty
    for cell in range(rules.width * rules.height):
        row = heuristic.rows[side, tile_at(rules, position, cell)]
        entries = add_to_word(entries, row[WORD], row[PLACES + cell])
    return entries


@begin.register(DirectTables)
def _(heuristic: DirectTables, rules: Taquin, position: Tiles) -> DirectTrace:
    entries = direct_entries(heuristic, rules, position, PLAIN)
    plain = total(heuristic, entries, PLAIN)
    if not heuristic.reflects:
        return DirectTrace(entries, entries, plain, plain)
    mirrored = direct_entries(heuristic, rules, position, REFLECTED)
    reflected = total(heuristic, mirrored, REFLECTED)
    return DirectTrace(entries, mirrored, plain, reflected)


@advance.register(DirectTables, inline=True)
def _(
    heuristic: DirectTables, rules: Taquin, trace: DirectTrace, position: Tiles, move: int, child: Tiles
) -> DirectTrace:
    tile = nonnegative(tile_at(rules, position, child.blank))
    start = nonnegative(PLACES + child.blank)
    end = nonnegative(PLACES + position.blank)
    row = heuristic.rows[PLAIN, tile]
    entries, difference = move_tile(heuristic.table, row, trace.entries, row[end] - row[start])
    plain = trace.plain + difference
    if not heuristic.reflects:
        return DirectTrace(entries, entries, plain, plain)
    row = heuristic.rows[REFLECTED, tile]
    mirrored, difference = move_tile(heuristic.table, row, trace.mirrored, row[end] - row[start])
    reflected = trace.reflected + difference
    return DirectTrace(entries, mirrored, plain, reflected)


# ------------------------------------------------------------------ ranked tables


@kernel(python_entry=False)
def ranked_entries(heuristic: RankedTables, rules: Taquin, position: Tiles, side: int) -> Any:
    """The words of lanes. A tile's digit is how many of the cells below its own hold no earlier tile of its group."""
    cells = rules.width * rules.height
    entries = heuristic.empty
    for cell in range(cells):
        tile = tile_at(rules, position, cell)
        if tile != 0:
            row = heuristic.rows[side, tile]
            digit = row[PLACES + cell]
            for there in range(cells):
                other = tile_at(rules, position, there)
                is_earlier = row[PLACES + cells + other] < 0
                digit -= int(is_earlier and row[PLACES + there] < row[PLACES + cell])
            entries = add_to_word(entries, row[WORD], digit * row[WEIGHT] << row[SHIFT])
    return entries


@begin.register(RankedTables)
def _(heuristic: RankedTables, rules: Taquin, position: Tiles) -> RankedTrace:
    entries = ranked_entries(heuristic, rules, position, PLAIN)
    plain = total(heuristic, entries, PLAIN)
    if not heuristic.reflects:
        return RankedTrace(entries, entries, plain, plain, plain)
    mirrored = ranked_entries(heuristic, rules, position, REFLECTED)
    reflected = total(heuristic, mirrored, REFLECTED)
    return RankedTrace(entries, mirrored, plain, reflected, max(plain, reflected))


@kernel(python_entry=False, inline=True)
def change_of_entry(
    heuristic: RankedTables, rules: Taquin, row: Any, child: Tiles, move: int, end: int
) -> int:
    """How the entry of a tile's group changes when the tile comes to `end` from where the blank is now.

    Its own digit changes by the distance, less the earlier tiles of its group that it passes; the digits of the later
    tiles that it passes change by one.
    """
    start = nonnegative(child.blank)
    step = row[nonnegative(PLACES + end)] - row[nonnegative(PLACES + start)]
    passed = heuristic.between[nonnegative(row[VIEW]), start, nonnegative(move)]
    others = PLACES + rules.home.size
    gain = 0
    for i in range(rules.width - 1):  # all of them, needed or not: no branches, and the blank adds 0
        gain += row[nonnegative(others + tile_at(rules, child, passed[nonnegative(i)]))]
    return step * row[WEIGHT] + (gain if step > 0 else -gain)  # type: ignore[no-any-return]


@advance.register(RankedTables, inline=True)
def _(
    heuristic: RankedTables, rules: Taquin, trace: RankedTrace, position: Tiles, move: int, child: Tiles
) -> RankedTrace:
    end = position.blank
    row = heuristic.rows[PLAIN, nonnegative(tile_at(rules, child, end))]
    change = change_of_entry(heuristic, rules, row, child, move, end)
    entries, difference = move_tile(heuristic.table, row, trace.entries, change << row[SHIFT])
    plain = trace.plain + difference
    return RankedTrace(entries, trace.mirrored, plain, trace.reflected, plain)


@refine.register(RankedTables, inline=True)
def _(heuristic: RankedTables, rules: Taquin, trace: RankedTrace, move: int, child: Tiles) -> RankedTrace:
    if not heuristic.reflects:
        return trace
    end = rules.beside[nonnegative(child.blank), nonnegative(reverse(rules, move))]
    row = heuristic.rows[REFLECTED, nonnegative(tile_at(rules, child, end))]
    change = change_of_entry(heuristic, rules, row, child, move, end)
    mirrored, difference = move_tile(heuristic.table, row, trace.mirrored, change << row[SHIFT])
    reflected = trace.reflected + difference
    return RankedTrace(trace.entries, mirrored, trace.plain, reflected, max(trace.plain, reflected))
