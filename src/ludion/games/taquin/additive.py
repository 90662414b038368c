"""The heuristic of additive pattern databases: where the groups of tiles are, carried along, and what the tables say.

The trace packs the entries of the groups into words, a *lane* each; a slide adds something to the lane of its tile:

    | entry of group 2 | entry of group 1 | entry of group 0 |

In a direct table this only depends on the tile and the two cells. In a ranked one it also depends on the tiles on the
cells between them, in the order in which the table counts cells: the trace has the board as the table sees it, too.

Where a symmetry of the board keeps the blank's home, the reflected board gives a second estimate. With direct tables
both are looked up together: so many look-ups are under way at once, and no branch depends on the first. With ranked
ones, which need more work, the second is only looked up where the first did not settle the matter (`refine`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import inlined, kernel, part
from ludion.core.words import natural, pick, signed
from ludion.engines.limits import Budget, Observer
from ludion.errors import UnfitError
from ludion.games.taquin.pattern_databases import Layout, are_there, layout, partition, reflection, tables
from ludion.games.taquin.rules import Taquin, Tiles, changed, shift_of, tile_at
from ludion.kinds.puzzle import advance, begin, estimate, refine, value

PLAIN, REFLECTED = range(2)

# A row of numbers for each side and tile: its lane, the table of its group, the weight of the tile there (if ranked),
# from which side the table is seen; from PLACES on, for each cell: what the tile on it adds to its word (direct), or
# the cell as the table counts them (ranked); and for each other tile, what passing it adds to the entry (ranked).
WORD, SHIFT, MASK, OFFSET, FIRST, WEIGHT, VIEW, PLACES = range(8)
LANE_BITS = 63


class DirectTables(NamedTuple):
    """Tables that are indexed by the cells of the tiles."""

    table: np.ndarray  # all tables, one after the other
    rows: np.ndarray  # rows[side, tile, WORD ... PLACES + cell]
    empty: tuple[int, ...]  # as many zeros as there are words
    reflects: bool


class RankedTables(NamedTuple):
    """Tables that are indexed by the rank of the tiles' arrangement."""

    table: np.ndarray
    rows: np.ndarray  # rows[side, tile, WORD ... PLACES + cell ... PLACES + cells + other tile]
    empty: tuple[int, ...]
    reflects: bool
    views: np.ndarray  # views[VIEW, cell]: the cell as the tables count them, from either side


class DirectTrace(NamedTuple):
    """Where the groups are, and what the tables say: of the board, and of its reflection."""

    entries: tuple[int, ...]
    mirrored: tuple[int, ...]
    plain: int
    reflected: int


class RankedTrace(NamedTuple):
    """The same, with what is known so far, and the board as the tables see it from either side, packed as ever."""

    entries: tuple[int, ...]
    mirrored: tuple[int, ...]
    plain: int
    reflected: int
    value: int
    board: tuple[int, ...]
    other_board: tuple[int, ...]


def pattern_database(
    rules: Taquin, wanted: str = "", observer: Observer | None = None, budget: Budget | None = None
) -> DirectTables | RankedTables:
    """The heuristic for this partition, sizes (`7-8`) or tiles (`1 2 5 6/3 4 7 8/...`); tables are made if need be."""
    if type(rules) is not Taquin:
        raise UnfitError("pattern databases count single tiles: they do not fit metric multi")
    plan = layout(rules, partition(rules, wanted))
    return value_of(rules, plan, tables(plan, observer, budget))


def is_made(rules: Taquin, wanted: str = "") -> bool:
    """Whether the tables of this partition are there already."""
    return are_there(layout(rules, partition(rules, wanted)))


def value_of(rules: Taquin, plan: Layout, table: Any) -> DirectTables | RankedTables:
    """The heuristic value over these tables."""
    cells = rules.width * rules.height
    offsets = np.concatenate([[0], np.cumsum(plan.sizes)])
    at_home = {int(rules.home[tile]): tile for tile in range(1, cells)}
    mirror = reflection(rules)
    views = [list(plan.uses[0][1])]
    views.append([views[0][cell] for cell in mirror] if mirror else views[0])
    rows = np.zeros((2, cells, PLACES + 2 * cells), np.int64)
    word, shift = 0, 0
    for table_number, cell_map in plan.uses:
        group = plan.tables[table_number][0]
        size = len(group)
        bits = (plan.sizes[table_number] - 1).bit_length()
        if shift + bits > LANE_BITS:
            word, shift = word + 1, 0
        back = {cell_map[cell]: cell for cell in range(cells)}
        names = [at_home[back[cell]] for cell in group]
        weights = [math.perm(cells - j - 1, size - j - 1) for j in range(size)]
        for slot, tile in enumerate(names):
            row = rows[PLAIN, tile]
            row[[WORD, SHIFT, MASK, OFFSET, FIRST]] = [
                word,
                shift,
                (1 << bits) - 1,
                offsets[table_number],
                slot == 0,
            ]
            if plan.direct:
                row[PLACES : PLACES + cells] = [(there * cells**slot) << shift for there in cell_map]
                continue
            row[WEIGHT], row[VIEW] = weights[slot], int(list(cell_map) != views[0])
            row[PLACES : PLACES + cells] = cell_map
            for other_slot, other in enumerate(names):
                if other_slot != slot:
                    row[PLACES + cells + other] = weights[other_slot] if other_slot > slot else -weights[slot]
        shift += bits
    rows[REFLECTED] = rows[PLAIN]
    if mirror:
        image = [0] + [at_home[mirror[int(rules.home[tile])]] for tile in range(1, cells)]
        rows[REFLECTED] = rows[PLAIN, image]
        rows[REFLECTED, :, PLACES : PLACES + cells] = rows[PLAIN, image, PLACES : PLACES + cells][:, mirror]
        rows[REFLECTED, :, PLACES + cells :] = rows[PLAIN, image, PLACES + cells :][:, image]
        rows[REFLECTED, 1:, VIEW] ^= 1
    empty = (0,) * (word + 1)
    if plan.direct:
        return DirectTables(table, rows, empty, mirror is not None)
    return RankedTables(table, rows, empty, mirror is not None, np.array(views))


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


@kernel
def total(heuristic: Any, entries: Any, side: int) -> int:
    """The sum of what the tables say."""
    found = 0
    for tile in range(1, heuristic.rows.shape[1]):
        row = heuristic.rows[side, tile]
        if row[FIRST] != 0:
            entry = pick(entries, row[WORD]) >> row[SHIFT] & row[MASK]
            found += np.int64(heuristic.table[row[OFFSET] + entry])  # type: ignore[assignment]
    return found


@inlined
def moved(table: Any, row: Any, entries: Any, change: int) -> Any:
    """The entries after this change of the word of the row's tile, and by how much the estimate changes."""
    before = pick(entries, row[WORD])
    new = np.int64(table[natural(row[OFFSET] + (before + change >> row[SHIFT] & row[MASK]))])
    old = np.int64(table[natural(row[OFFSET] + (before >> row[SHIFT] & row[MASK]))])
    return changed(entries, row[WORD], change), new - old


# ------------------------------------------------------------------ direct tables


@part
def direct_entries(heuristic: DirectTables, rules: Taquin, position: Tiles, side: int) -> Any:
    entries = heuristic.empty
    for cell in range(rules.width * rules.height):
        row = heuristic.rows[side, tile_at(rules, position, cell)]
        entries = changed(entries, row[WORD], row[PLACES + cell])
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
    tile = natural(tile_at(rules, position, child.blank))
    start = natural(PLACES + child.blank)
    end = natural(PLACES + position.blank)
    row = heuristic.rows[PLAIN, tile]
    entries, difference = moved(heuristic.table, row, trace.entries, row[end] - row[start])
    plain = trace.plain + difference
    if not heuristic.reflects:
        return DirectTrace(entries, entries, plain, plain)
    row = heuristic.rows[REFLECTED, tile]
    mirrored, difference = moved(heuristic.table, row, trace.mirrored, row[end] - row[start])
    reflected = trace.reflected + difference
    return DirectTrace(entries, mirrored, plain, reflected)


# ------------------------------------------------------------------ ranked tables


@part
def ranked_entries(heuristic: RankedTables, rules: Taquin, position: Tiles, side: int) -> Any:
    """Tile by tile: its digit is how many cells below its own hold no tile of the group that comes before it."""
    cells = rules.width * rules.height
    entries = heuristic.empty
    for cell in range(cells):
        tile = tile_at(rules, position, cell)
        if tile != 0:
            row = heuristic.rows[side, tile]
            digit = row[PLACES + cell]
            for there in range(cells):
                other = tile_at(rules, position, there)
                comes_before = row[PLACES + cells + other] < 0
                digit -= int(comes_before and row[PLACES + there] < row[PLACES + cell])
            entries = changed(entries, row[WORD], digit * row[WEIGHT] << row[SHIFT])
    return entries


@part
def seen_from(rules: Taquin, position: Tiles, view: Any) -> Any:
    """The words of the board with its cells counted otherwise."""
    words = position.words
    for cell in range(rules.width * rules.height):
        tile = tile_at(rules, position, cell)
        there = view[cell]
        before = tile_at(rules, Tiles(words, 0), there)
        words = changed(words, rules.word[there], signed(tile - before << shift_of(rules, words, there)))
    return words


@begin.register(RankedTables)
def _(heuristic: RankedTables, rules: Taquin, position: Tiles) -> RankedTrace:
    board = seen_from(rules, position, heuristic.views[0])
    other_board = seen_from(rules, position, heuristic.views[1])
    entries = ranked_entries(heuristic, rules, position, PLAIN)
    plain = total(heuristic, entries, PLAIN)
    if not heuristic.reflects:
        return RankedTrace(entries, entries, plain, plain, plain, board, other_board)
    mirrored = ranked_entries(heuristic, rules, position, REFLECTED)
    reflected = total(heuristic, mirrored, REFLECTED)
    return RankedTrace(entries, mirrored, plain, reflected, max(plain, reflected), board, other_board)


@inlined
def passing(rules: Taquin, row: Any, board: Any, start: int, end: int) -> int:
    """How the entry of a tile's group changes when the tile goes from one cell to another.

    Its own digit changes by the distance, less the earlier tiles of its group that it passes; those of the later ones
    that it passes change by one.
    """
    here = row[natural(PLACES + start)]
    there = row[natural(PLACES + end)]
    step = there - here
    low = min(here, there) + 1
    is_far = int(abs(step) > 1)  # no branch: if no cell lies between, the blank's row is added
    others = PLACES + rules.home.size
    gain = 0
    for i in range(rules.width - 1):
        tile = tile_at(rules, Tiles(board, 0), low + i * is_far)
        gain += row[natural(others + tile * is_far)]
    return step * row[WEIGHT] + (gain if step > 0 else -gain)  # type: ignore[no-any-return]


@inlined
def slid_in_view(rules: Taquin, view: Any, words: Any, tile: int, start: int, end: int) -> Any:
    """The words of a board as it is seen from elsewhere after a slide."""
    here = view[natural(start)]
    there = view[natural(end)]
    words = changed(words, rules.word[natural(here)], signed(-(tile << shift_of(rules, words, here))))
    return changed(words, rules.word[natural(there)], signed(tile << shift_of(rules, words, there)))


@advance.register(RankedTables, inline=True)
def _(
    heuristic: RankedTables, rules: Taquin, trace: RankedTrace, position: Tiles, move: int, child: Tiles
) -> RankedTrace:
    tile = tile_at(rules, position, child.blank)
    row = heuristic.rows[PLAIN, natural(tile)]
    board = trace.board if row[VIEW] == 0 else trace.other_board
    change = passing(rules, row, board, child.blank, position.blank)
    entries, difference = moved(heuristic.table, row, trace.entries, change << row[SHIFT])
    plain = trace.plain + difference
    board = slid_in_view(rules, heuristic.views[0], trace.board, tile, child.blank, position.blank)
    other_board = slid_in_view(
        rules, heuristic.views[1], trace.other_board, tile, child.blank, position.blank
    )
    return RankedTrace(entries, trace.mirrored, plain, trace.reflected, plain, board, other_board)


@refine.register(RankedTables, inline=True)
def _(heuristic: RankedTables, rules: Taquin, trace: RankedTrace, move: int, child: Tiles) -> RankedTrace:
    if not heuristic.reflects:
        return trace
    end = rules.beside[natural(child.blank), natural(3 - move)]
    row = heuristic.rows[REFLECTED, natural(tile_at(rules, child, end))]
    board = trace.board if row[VIEW] == 0 else trace.other_board  # nothing has changed between the two cells
    change = passing(rules, row, board, child.blank, end)
    mirrored, difference = moved(heuristic.table, row, trace.mirrored, change << row[SHIFT])
    reflected = trace.reflected + difference
    return RankedTrace(
        trace.entries,
        mirrored,
        trace.plain,
        reflected,
        max(trace.plain, reflected),
        trace.board,
        trace.other_board,
    )
