"""Additive pattern databases: for groups of tiles, how often they must move to get home, whatever the others do.

Only moves of a group's own tiles count, so the numbers of disjoint groups add up to an admissible estimate. An entry of
a table stands for the cells that the group's k tiles are on; the cell of the blank does not matter.

    ranked:  entry = d0 * w0 + d1 * w1 + ...   d_j: how many of the cells below the j-th tile's hold no earlier tile;
                                               w_j: how many ways there are to place the later ones
    direct:  entry = c0 + n*c1 + n*n*c2 + ...  c_j: the cell of the j-th tile, n: the number of cells

Direct tables are the quickest to use but have gaps: they are taken while they are not much larger than ranked ones. In
a ranked table a slide of one of the last tiles leads to an entry close by, perhaps in the same line of the cache.

A table is made set by set, so that a block of k! bytes stays in the cache, and put into its final order afterwards:

    by sets: entry = rank(set of cells) * k! + rank(order of the tiles on them)

For a set the blank only matters by the region of empty cells that it is in: one bit a region. A horizontal slide keeps
the order, a vertical one rotates it: all slides of a set, with the regions before and after, are listed once. Every
slide changes the parity of the number of tiles on black cells, so one array of what is pending serves two layers.

Tables are kept in one file for each board and partition, written atomically and mapped into memory:

    | magic, 8 bytes | length of what follows, 8 | description (JSON) | zeros up to 4096 | tables, one after the other |
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import os
import re
import sys
import tempfile
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludion.core.files import data_folder
from ludion.core.verbs import kernel
from ludion.core.words import natural, popcount
from ludion.engines.limits import NODES, STOP, Budget, Observer, Progress, run
from ludion.errors import LudionError, UnfitError
from ludion.games.taquin.rules import Taquin

MAGIC = b"ludionT2"  # the last character is the version of the layout
HEADER = 4096
UNREACHED = 255
MOST_CELLS = 42
MOST_ENTRIES = 1 << 30
LOOSEST = 3  # direct tables may be this many times as large as ranked ones

Group = tuple[int, ...]  # home cells, ascending

# Well-known partitions, by home cells when the blank's home is cell 0 (Korf and Felner 2002).
KNOWN: dict[tuple[int, int, str], tuple[Group, ...]] = {
    (4, 4, "5-5-5"): ((1, 2, 3, 6, 7), (4, 5, 8, 9, 12), (10, 11, 13, 14, 15)),
    (4, 4, "6-6-3"): ((3, 6, 7, 10, 11, 15), (1, 2, 4, 5, 8, 9), (12, 13, 14)),
    (4, 4, "7-8"): ((1, 2, 3, 4, 5, 6, 7), (8, 9, 10, 11, 12, 13, 14, 15)),
    (5, 5, "6-6-6-6"): (
        (1, 2, 5, 6, 7, 12),
        (3, 4, 8, 9, 13, 14),
        (10, 11, 15, 16, 20, 21),
        (17, 18, 19, 22, 23, 24),
    ),
}


class TablesError(LudionError):
    """Tables that cannot be made or kept."""


class MakingStoppedError(TablesError):
    """Tables that were not finished because someone said stop."""


# ------------------------------------------------------------------ partitions


def default_partition(rules: Taquin) -> str:
    """The partition to use when none is named: tables that are made in seconds."""
    cells = rules.width * rules.height
    if cells <= 9:
        return str(cells - 1)
    if (rules.width, rules.height) == (4, 4):
        return "6-6-3"
    size = 6 if cells <= 16 else 5 if cells <= 25 else 4
    return "-".join(str(min(size, cells - 1 - first)) for first in range(0, cells - 1, size))


def partition(rules: Taquin, wanted: str = "") -> tuple[Group, ...]:
    """The groups of home cells that `5-5-5` (sizes) or `1 2 5 6/3 4 7 8/...` (tiles) name."""
    wanted = wanted.strip() or default_partition(rules)
    cells = rules.width * rules.height
    if cells > MOST_CELLS:
        raise UnfitError(
            f"pattern databases are for boards of up to {MOST_CELLS} cells, not {rules.width}x{rules.height}"
        )
    if re.fullmatch(r"\d+(-\d+)*", wanted):
        sizes = [int(size) for size in wanted.split("-")]
        if sum(sizes) != cells - 1 or 0 in sizes:
            raise UnfitError(f"the partition {wanted} has {sum(sizes)} tiles, the board {cells - 1}")
        groups = _by_sizes(rules, wanted, sizes)
    else:
        groups = _by_tiles(rules, wanted)
    for group in groups:
        if math.perm(cells, len(group)) > MOST_ENTRIES:
            raise UnfitError(
                f"a group of {len(group)} tiles on {cells} cells "
                f"needs a table of {math.perm(cells, len(group)):,} bytes"
            )
    return groups


def _by_tiles(rules: Taquin, wanted: str) -> tuple[Group, ...]:
    from ludion.games.taquin.notation import tile_name

    cell_of = {tile_name(rules, tile): int(rules.home[tile]) for tile in range(1, rules.home.size)}
    groups = []
    left = dict(cell_of)
    for part in wanted.split("/"):
        names = part.replace(",", " ").split()
        for name in names:
            if name not in left:
                raise UnfitError(
                    f"partition: {'tile ' + name + ' is there twice' if name in cell_of else 'no tile ' + name}"
                )
            del left[name]
        if not names:
            raise UnfitError("partition: a group without tiles")
        groups.append(tuple(sorted(cell_of[name] for name in names)))
    if left:
        raise UnfitError(f"partition: tile {next(iter(left))} is in no group")
    return tuple(groups)


def _by_sizes(rules: Taquin, name: str, sizes: list[int]) -> tuple[Group, ...]:
    blank = int(rules.home[0])
    known = KNOWN.get((rules.width, rules.height, name))
    if known is not None:
        for cell_map in symmetries(rules.width, rules.height):
            if cell_map[0] == blank:
                return tuple(tuple(sorted(cell_map[cell] for cell in group)) for group in known)
    # Compact groups: each begins far from the blank's home and takes the free cells nearest to what it has.
    free = set(range(rules.width * rules.height)) - {blank}

    def distance(a: int, b: int) -> int:
        return abs(a // rules.width - b // rules.width) + abs(a % rules.width - b % rules.width)

    groups = []
    for size in sizes:
        group = [max(free, key=lambda cell: (distance(cell, blank), -cell))]
        free.remove(group[0])
        while len(group) < size:
            group.append(
                min(
                    free,
                    key=lambda cell: (
                        sum(distance(cell, other) ** 2 for other in group),
                        -distance(cell, blank),
                        cell,
                    ),
                )
            )
            free.remove(group[-1])
        groups.append(tuple(sorted(group)))
    return tuple(groups)


def symmetries(width: int, height: int) -> list[list[int]]:
    """The symmetries of the board as maps of cells, the identity first and then the reflection in the main diagonal."""
    maps = []
    for turned, upside_down, left_right in itertools.product(
        (False, True) if width == height else (False,), *[(False, True)] * 2
    ):
        cells = []
        for cell in range(width * height):
            row, column = divmod(cell, width)
            if turned:
                row, column = column, row
            if upside_down:
                row = height - 1 - row
            if left_right:
                column = width - 1 - column
            cells.append(row * width + column)
        maps.append(cells)
    maps.sort(key=lambda cells: (cells != sorted(cells), not (cells[0] == 0 and width == height)))
    return maps


# ------------------------------------------------------------------ the tables of a partition


@dataclass(frozen=True)
class Layout:
    """What a file of tables holds, and how the groups of a partition use it: a table may serve several of them."""

    width: int
    height: int
    direct: bool
    tables: tuple[tuple[Group, int], ...]  # home cells, and a cell of the region of the blank's home
    uses: tuple[
        tuple[int, tuple[int, ...]], ...
    ]  # for each group: the number of its table, and the map of cells to it

    @property
    def sizes(self) -> list[int]:
        cells = self.width * self.height
        return [
            cells ** len(group) if self.direct else math.perm(cells, len(group)) for group, _ in self.tables
        ]

    @property
    def description(self) -> dict[str, Any]:
        return {
            "board": [self.width, self.height],
            "direct": self.direct,
            "tables": [[list(g), b] for g, b in self.tables],
        }

    @property
    def path(self) -> Path:
        key = hashlib.sha256(json.dumps(self.description).encode()).hexdigest()[:16]
        sizes = "-".join(str(len(self.tables[table][0])) for table, _ in self.uses)
        return data_folder() / "taquin" / f"{self.width}x{self.height}-{sizes}-{key}.tables"


def layout(rules: Taquin, groups: tuple[Group, ...]) -> Layout:
    """Few tables for these groups, the same for boards that are symmetric: symmetric groups share one."""
    width, height = rules.width, rules.height
    cells = width * height
    maps = symmetries(width, height)
    home = int(rules.home[0])
    regions = [_region(width, height, set(range(cells)) - set(group), home) for group in groups]

    def form(number: int, cell_map: list[int]) -> tuple[Group, int]:
        group = tuple(sorted(cell_map[cell] for cell in groups[number]))
        return group, min(cell_map[cell] for cell in regions[number])

    view = min(maps, key=lambda cell_map: [form(number, cell_map) for number in range(len(groups))])
    direct = all(cells ** len(group) <= LOOSEST * math.perm(cells, len(group)) for group in groups)
    # Ranked tables are looked at from two sides at most: that costs a board each.
    mirror = reflection(rules)
    views = [view, *maps] if direct else [view, *([[view[cell] for cell in mirror]] if mirror else [])]
    tables: list[tuple[Group, int]] = []
    uses = []
    for number in range(len(groups)):
        forms = [(form(number, cell_map), cell_map) for cell_map in views]
        shape, cell_map = next((each for each in forms if each[0] in tables), forms[0])
        if shape not in tables:
            tables.append(shape)
        uses.append((tables.index(shape), tuple(cell_map)))
    return Layout(width, height, direct, tuple(tables), tuple(uses))


def reflection(rules: Taquin) -> list[int] | None:
    """A symmetry of the board, as a map of cells, that keeps the blank's home; None if there is none."""
    home = int(rules.home[0])
    return next((m for m in symmetries(rules.width, rules.height)[1:] if m[home] == home), None)


def arrangement(entry: int, cells: int, size: int) -> list[int]:
    """The cells of the tiles that an entry of a ranked table stands for."""
    free, found = list(range(cells)), []
    for j in range(size):
        digit, entry = divmod(entry, math.perm(cells - j - 1, size - j - 1))
        found.append(free.pop(digit))
    return found


def _region(width: int, height: int, empty: set[int], cell: int) -> set[int]:
    """The cells that the blank can wander to among the empty ones."""
    found, todo = {cell}, [cell]
    while todo:
        row, column = divmod(todo.pop(), width)
        for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if 0 <= r < height and 0 <= c < width and r * width + c in empty - found:
                found.add(r * width + c)
                todo.append(r * width + c)
    return found


_held: dict[Path, Any] = {}  # tables in memory


def tables(wanted: Layout, observer: Observer | None = None, budget: Budget | None = None) -> Any:
    """The tables, one after the other: from memory, from disk, or made now (and then kept on disk)."""
    path = wanted.path
    if not are_there(wanted):
        content = make(wanted, observer, budget)
        content.flags.writeable = False
        try:
            write(path, wanted, content)
        except OSError as error:
            tell(
                f"the tables cannot be kept in {path.parent} ({error.strerror}); they will be made anew next time"
            )
        if not are_there(wanted):
            _held[path] = content
    return _held[path]


def are_there(wanted: Layout) -> bool:
    """Whether the tables need not be made."""
    path = wanted.path
    if path not in _held:
        found = read(path, wanted)
        if found is None:
            return False
        _held[path] = found
    return True


def tell(message: str) -> None:
    """A message for the user, on the error stream."""
    print(f"ludion: {message}", file=sys.stderr, flush=True)


def read(path: Path, wanted: Layout) -> Any:
    """The tables of this file, mapped into memory; None if there are none. A damaged file is dropped, and said so."""
    total = sum(wanted.sizes)
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
        if head[:8] != MAGIC:
            raise ValueError("not a file of tables of this version")
        length = int.from_bytes(head[8:16], "little")
        said = json.loads(head[16 : 16 + length])
        if said["content"] != wanted.description:
            raise ValueError("it describes other tables")
        if path.stat().st_size != HEADER + total:
            raise ValueError(f"it has {path.stat().st_size:,} bytes instead of {HEADER + total:,}")
        content = np.asarray(np.memmap(path, np.uint8, "r", HEADER))
        if said["check"] != check(content):
            raise ValueError("its check sum is wrong")
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        tell(f"the tables in {path.name} are damaged ({error}): dropped")
        path.unlink(missing_ok=True)
        return None
    return content


def write(path: Path, wanted: Layout, content: Any) -> None:
    """Keep the tables, so that no reader ever sees half of them; of two processes that do so the last one wins."""
    said = json.dumps({"content": wanted.description, "check": check(content)}).encode()
    head = MAGIC + len(said).to_bytes(8, "little") + said
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head.ljust(HEADER, b"\0"))
            file.write(memoryview(content))
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def check(content: Any) -> int:
    """A check sum: of all bytes, or for large tables of 4096 pieces spread over them (all would take a second)."""
    if content.size <= 1 << 26:
        return zlib.crc32(content)
    total = 0
    for start in np.linspace(0, content.size - 4096, 4096).astype(np.int64):
        total = zlib.crc32(content[start : start + 1024], total)
    return total


# ------------------------------------------------------------------ making them


def make(wanted: Layout, observer: Observer | None = None, budget: Budget | None = None) -> Any:
    """Make all tables of a layout."""
    cells = wanted.width * wanted.height
    entries = [math.perm(cells, len(group)) for group, _ in wanted.tables]
    memory = 3 * max(entries) + sum(wanted.sizes)
    if budget is not None and memory > budget.memory:
        raise TablesError(
            f"making these tables takes {memory / 1e6:,.0f} MB, more than the budget's {budget.memory / 1e6:,.0f} MB"
        )
    content = np.empty(sum(wanted.sizes), np.uint8)
    names = "-".join(str(len(wanted.tables[table][0])) for table, _ in wanted.uses)
    what = f"making the tables {names} for {wanted.width}x{wanted.height} once"
    watcher = _Watcher(what, sum(entries), observer)
    stop = budget.stop if budget is not None else None
    offset = 0
    for (group, blank), size, count in zip(wanted.tables, wanted.sizes, entries, strict=True):
        out = content[offset : offset + size]
        by_sets = np.empty(count, np.uint8)
        work = functools.partial(_fill, wanted, group, blank, by_sets)
        if not run(work, Budget(stop=stop), watcher).result:
            watcher.close()
            raise MakingStoppedError("stopped while the tables were made")
        sets = slides_of(wanted.width, wanted.height, len(group)).sets
        if wanted.direct:
            spread(by_sets, out, sets, orders(len(group)), cells)
        else:
            rank(by_sets, out, sets, len(group), cells)
        watcher.done += count
        offset += size
    watcher.close()
    return content


def _fill(wanted: Layout, group: Group, blank: int, by_sets: Any, control: Any, trace: Any) -> bool:
    """Fill the table of one group; False if it was stopped."""
    slides = slides_of(wanted.width, wanted.height, len(group))
    here = slides.rank(group)
    bit = 1 << slides.region(here, blank)
    kind = np.uint8 if slides.regions <= 8 else np.uint16 if slides.regions <= 16 else np.uint32
    pending, seen = np.zeros(by_sets.size, kind), np.zeros(by_sets.size, kind)
    orders_of_group = math.factorial(len(group))
    return bool(fill(by_sets, seen, pending, orders_of_group, slides.arrays, here, bit, control))


class _Watcher(Observer):
    """Shows on the error stream how far the making of tables is, once it takes longer than a second."""

    def __init__(self, what: str, entries: int, observer: Observer | None) -> None:
        super().__init__()
        self.what, self.entries, self.done, self.other = what, entries, 0, observer
        self.begin = time.monotonic()
        self.shown = False
        self.live = sys.stderr.isatty()

    def progress(self, progress: Progress) -> None:
        if self.other is not None:
            self.other.progress(progress)
        if time.monotonic() - self.begin < 1 or (self.shown and not self.live):
            return
        share = (self.done + progress.nodes) / self.entries
        if self.live:
            print(f"\rludion: {self.what} {share:4.0%}", end="", file=sys.stderr, flush=True)
        else:
            tell(self.what)
        self.shown = True

    def close(self) -> None:
        if self.shown and self.live:
            print(f"\rludion: {self.what}: done", file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Slides:
    """All sets of k cells of a board, and for each of them the slides of its tiles."""

    sets: Any  # the sets as bits, by rank
    starts: Any  # starts[s] .. starts[s + 1]: the slides of set s
    targets: Any  # the set after the slide
    befores: Any  # the bit of the region the blank must be in, and of the one it is in afterwards
    afters: Any
    turns: Any  # which order map the slide applies
    maps: Any  # order maps: rank of the order before -> after
    regions: int  # the most regions of any set
    width: int
    height: int

    @property
    def arrays(self) -> tuple[Any, ...]:
        return self.starts, self.targets, self.befores, self.afters, self.turns, self.maps

    def rank(self, group: Group) -> int:
        return sum(math.comb(cell, i + 1) for i, cell in enumerate(sorted(group)))

    def region(self, rank: int, cell: int) -> int:
        cells = self.width * self.height
        return int(region_of(~int(self.sets[rank]) & ((1 << cells) - 1), cell, self.width, cells))


@functools.lru_cache(maxsize=2)
def slides_of(width: int, height: int, size: int) -> Slides:
    """List the slides of all sets of this many cells."""
    cells = width * height
    binomials = np.array([[math.comb(n, k) for k in range(size + 2)] for n in range(cells + 1)])
    sets, starts, targets, befores, afters, pairs, regions = list_slides(width, cells, size, binomials)
    maps = order_maps(width, size)
    return Slides(sets, starts, targets, befores, afters, pairs, maps, int(regions), width, height)


@functools.lru_cache(maxsize=4)
def order_maps(width: int, size: int) -> Any:
    """A map of orders for each pair of places: the tile at the first (counted among the set's) goes to the second."""
    maps = np.zeros((size * size, math.factorial(size)), np.uint16 if size <= 8 else np.uint32)
    for a, b in itertools.product(range(size), repeat=2):
        if abs(a - b) < width:  # a vertical slide passes by fewer tiles than the board is wide
            maps[a * size + b] = turn(orders(size), a, b)
    return maps


@functools.lru_cache(maxsize=4)
def orders(size: int) -> Any:
    """All orders of so many tiles, by rank: orders[r, j] is the place of the j-th tile."""
    return np.array(list(itertools.permutations(range(size))), np.int8)


def turn(places: Any, a: int, b: int) -> Any:
    """For every order, its rank after the tile at place a goes to place b and those between move up."""
    size = places.shape[1]
    new = np.arange(size)
    new[a] = b
    if a < b:
        new[a + 1 : b + 1] -= 1
    else:
        new[b:a] += 1
    moved = new[places]
    rank = np.zeros(len(places), np.int64)
    for j in range(size):
        later = (moved[:, j + 1 :] < moved[:, j : j + 1]).sum(axis=1)
        rank = rank * (size - j) + later
    return rank


@kernel
def region_of(empty: int, cell: int, width: int, cells: int) -> int:
    """Which of the regions of empty cells, by their lowest cells, holds this cell; -1 if none does."""
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
def list_slides(width: int, cells: int, size: int, binomials: Any) -> Any:
    """See `Slides`; pairs of places take the place of order maps."""
    count = binomials[cells, size]
    sets = np.empty(count, np.int64)
    this = (1 << size) - 1
    for s in range(count):  # ascending numbers are ascending ranks
        sets[s] = this
        low = this & -this
        up = this + low
        this = ((up ^ this) >> 2) // low | up
    every = (1 << cells) - 1
    starts = np.zeros(count + 1, np.int64)
    targets = np.empty(count * size * 4, np.int32)
    befores = np.empty(count * size * 4, np.uint32)
    afters = np.empty(count * size * 4, np.uint32)
    pairs = np.empty(count * size * 4, np.int32)
    found = 0
    regions = 0
    for s in range(count):
        here = sets[s]
        for cell in range(cells):
            if here >> cell & 1 == 0:
                continue
            for direction in range(4):
                if direction == 0:
                    to = cell - width
                elif direction == 1:
                    to = cell - 1 if cell % width > 0 else -1
                elif direction == 2:
                    to = cell + 1 if cell % width < width - 1 else -1
                else:
                    to = cell + width
                if to < 0 or to >= cells or here >> to & 1:
                    continue
                there = here ^ (1 << cell) ^ (1 << to)
                before = region_of(every & ~here, to, width, cells)
                regions = max(regions, before + 1)
                targets[found] = rank_of_set(there, binomials)
                befores[found] = 1 << before
                afters[found] = 1 << region_of(every & ~there, cell, width, cells)
                pairs[found] = popcount(here & ((1 << cell) - 1)) * size + popcount(there & ((1 << to) - 1))
                found += 1
        starts[s + 1] = found
    return (
        sets,
        starts,
        targets[:found].copy(),
        befores[:found].copy(),
        afters[:found].copy(),
        pairs[:found].copy(),
        regions,
    )


@kernel
def fill(
    distances: Any,
    seen: Any,
    pending: Any,
    factorial: int,
    slides: Any,
    first_set: int,
    first_region: int,
    control: Any,
) -> bool:
    """Breadth-first search from the goal, layer by layer; False if it was stopped.

    seen, pending: for each entry, the regions from which it was reached, and is to be looked at in the next layer.
    """
    starts, targets, befores, afters, turns, maps = slides
    sets = starts.size - 1
    distances[:] = UNREACHED
    active = np.zeros(sets, np.bool_)
    next_active = np.zeros(sets, np.bool_)
    ranks = np.empty(factorial, np.uint32)
    news = np.empty(factorial, pending.dtype)
    active[first_set] = True
    pending[first_set * factorial] = first_region
    reached = 0
    layer = 0
    while True:
        any_active = False
        for s in range(sets):
            if not active[s]:
                continue
            active[s] = False
            base = s * factorial
            here = pending[base : base + factorial]
            known = seen[base : base + factorial]
            values = distances[base : base + factorial]
            count = 0
            for r in range(factorial):
                if here[r] != 0:
                    new = here[r] & ~known[r]
                    here[r] = 0
                    if new != 0:
                        if known[r] == 0:
                            values[r] = layer
                            reached += 1
                        known[r] |= new
                        ranks[count] = r
                        news[count] = new
                        count += 1
            control[NODES] = reached
            if control[STOP] != 0:
                return False
            if count == 0:
                continue
            for slide in range(starts[s], starts[s + 1]):
                before = befores[slide]
                after = afters[slide]
                to = np.int64(targets[slide])
                there = pending[to * factorial : (to + 1) * factorial]
                turn_map = maps[turns[slide]]
                hit = 0
                for i in range(count):
                    reaches = news[i] & before
                    there[turn_map[ranks[i]]] |= after if reaches else 0  # a branch would be hard to predict
                    hit |= reaches
                if hit != 0:
                    next_active[to] = True
                    any_active = True
        active, next_active = next_active, active
        if not any_active:
            return True
        layer += 1


@kernel
def rank(by_sets: Any, ranked: Any, sets: Any, size: int, cells: int) -> None:
    """Copy a table into the order of a ranked one, entry by entry: the tiles take their cells as hands of a clock.

    used, order, more, one row a tile: the cells that earlier tiles are on; the rank of their order on them; and what
    that rank will be increased by, for each cell, if a later tile is on it.
    """
    numbers = np.zeros(1 << cells, np.int32)
    for s in range(sets.size):
        numbers[sets[s]] = s
    factorials = np.ones(size + 1, np.int64)
    for j in range(1, size + 1):
        factorials[j] = factorials[j - 1] * j
    hands = np.full(size, -1, np.int64)
    used = np.zeros(size, np.int64)
    order = np.zeros(size, np.int64)
    more = np.zeros((size, cells), np.int64)
    last = size - 1
    entry = 0
    j = 0
    while j >= 0:
        if j == last:
            for cell in range(cells):
                if used[j] >> cell & 1 == 0:
                    block = np.int64(numbers[natural(used[j] | 1 << cell)]) * factorials[size]
                    place = order[j] + more[natural(j), natural(cell)]
                    ranked[natural(entry)] = by_sets[natural(block + place)]
                    entry += 1
            j -= 1
            continue
        cell = hands[j] + 1
        while cell < cells and used[j] >> cell & 1:
            cell += 1
        if cell == cells:
            hands[j] = -1
            j -= 1
            continue
        hands[j] = cell
        used[j + 1] = used[j] | 1 << cell
        order[j + 1] = order[j] + more[j, cell]
        for other in range(cells):
            more[natural(j + 1), natural(other)] = more[natural(j), natural(other)] + (
                factorials[last - j] if other < cell else 0
            )
        j += 1


@kernel
def spread(by_sets: Any, direct: Any, sets: Any, places: Any, cells: int) -> None:
    """Copy a table into the order of a direct one."""
    direct[:] = UNREACHED
    factorial, size = places.shape
    parts = np.empty((size, size), np.int64)  # [v, j]: what the j-th tile adds on the v-th cell of the set
    for s in range(sets.size):
        v = 0
        for cell in range(cells):
            if sets[s] >> cell & 1:
                weight = 1
                for j in range(size):
                    parts[v, j] = cell * weight
                    weight *= cells
                v += 1
        for r in range(factorial):
            entry = 0
            for j in range(size):
                entry += parts[places[r, j], j]
            direct[entry] = by_sets[s * factorial + r]
