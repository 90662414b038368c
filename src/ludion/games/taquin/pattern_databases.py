"""Additive pattern databases: for groups of tiles, how often they must move to reach their places, ignoring the others.

Only moves of a group's own tiles count, so the numbers of disjoint groups add up to an admissible estimate. An entry of
a table stands for the cells that the group's k tiles are on; the cell of the blank does not matter.

    ranked:  entry = d0 * w0 + d1 * w1 + ...   d_j: the number of cells below the j-th tile's without an earlier tile;
                                               w_j: the number of ways to place the later ones
    direct:  entry = c0 + n*c1 + n*n*c2 + ...  c_j: the cell of the j-th tile, n: the number of cells

Direct tables are the fastest but have gaps: they are used if they are not much larger than ranked ones. In a ranked
table a slide of one of the last tiles leads to a nearby entry, perhaps in the same cache line.

Each board and partition has one file of tables, written atomically and mapped into memory:

    | magic, 8 bytes | length of what follows, 8 | description (JSON) | zeros up to 4096 | tables, one after the other |
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludion.core.files import data_folder, write_atomically
from ludion.engines.budget import Budget, Observer
from ludion.games.taquin.partitions import Group, partition, reflection, symmetries
from ludion.games.taquin.pattern_making import UNREACHED, TablesError, make, tell
from ludion.games.taquin.rules import Taquin
from ludion.messages import message

__all__ = ["UNREACHED", "TableLayout", "arrangement", "layout", "partition", "tables"]

MAGIC = b"ludionT2"  # the last character is the version of the format
HEADER = 4096
LOOSEST = 3  # direct tables may be this many times as large as ranked ones


class GroupTable(NamedTuple):
    """The subject of one table."""

    group: Group
    blank: int  # a cell of the region that the blank's home is in


class TableUse(NamedTuple):
    """How a group of the partition uses a table."""

    table: int  # its number
    cell_map: tuple[int, ...]  # cell_map[c]: the cell of the table that cell c of the board is


@dataclass(frozen=True)
class TableLayout:
    """Which tables a file holds, and how the groups of a partition use them: a table may serve several groups."""

    width: int
    height: int
    direct: bool
    tables: tuple[GroupTable, ...]
    uses: tuple[TableUse, ...]  # one for each group

    @property
    def sizes(self) -> list[int]:
        """The number of entries of each table."""
        cells = self.width * self.height
        counts = [len(table.group) for table in self.tables]
        return [cells**count if self.direct else math.perm(cells, count) for count in counts]

    @property
    def partition(self) -> str:
        """The sizes of the groups: `6-6-3`."""
        return "-".join(str(len(self.tables[use.table].group)) for use in self.uses)

    @property
    def description(self) -> dict[str, object]:
        """The description of the tables in the header of the file."""
        return {
            "board": [self.width, self.height],
            "direct": self.direct,
            "tables": [[list(table.group), table.blank] for table in self.tables],
        }

    @functools.cached_property
    def file_name(self) -> str:
        key = hashlib.sha256(json.dumps(self.description).encode()).hexdigest()[:16]
        return f"{self.width}x{self.height}-{self.partition}-{key}.tables"

    @property
    def path(self) -> Path:
        return data_folder() / "taquin" / self.file_name


def layout(rules: Taquin, groups: tuple[Group, ...]) -> TableLayout:
    """Few tables for these groups: symmetric boards have the same ones, and symmetric groups share one."""
    return _layout(rules.width, rules.height, int(rules.home[0]), groups)


@functools.lru_cache(maxsize=16)
def _layout(width: int, height: int, blank: int, groups: tuple[Group, ...]) -> TableLayout:
    """The same for a board whose blank belongs to this cell."""
    cells = width * height
    maps = symmetries(width, height)
    regions = [_region(width, height, set(range(cells)) - set(group), blank) for group in groups]

    def seen_by(cell_map: tuple[int, ...], number: int) -> GroupTable:
        group = tuple(sorted(cell_map[cell] for cell in groups[number]))
        return GroupTable(group, min(cell_map[cell] for cell in regions[number]))

    view = min(maps, key=lambda cell_map: [seen_by(cell_map, number) for number in range(len(groups))])
    direct = all(cells ** len(group) <= LOOSEST * math.perm(cells, len(group)) for group in groups)
    # Ranked tables are used from two views at most: each view needs a board that the search updates.
    mirror = reflection(width, height, blank)
    views = [view, *maps] if direct else [view, *([tuple(view[cell] for cell in mirror)] if mirror else [])]
    tables: list[GroupTable] = []
    uses = []
    for number in range(len(groups)):
        candidates = [(seen_by(cell_map, number), cell_map) for cell_map in views]
        table, cell_map = next((each for each in candidates if each[0] in tables), candidates[0])
        if table not in tables:
            tables.append(table)
        uses.append(TableUse(tables.index(table), cell_map))
    return TableLayout(width, height, direct, tuple(tables), tuple(uses))


def arrangement(entry: int, cells: int, size: int) -> list[int]:
    """The cells of the tiles that an entry of a ranked table stands for."""
    free, cells_of_tiles = list(range(cells)), []
    for j in range(size):
        digit, entry = divmod(entry, math.perm(cells - j - 1, size - j - 1))
        cells_of_tiles.append(free.pop(digit))
    return cells_of_tiles


def _region(width: int, height: int, empty: set[int], cell: int) -> set[int]:
    """The cells that the blank can reach among the empty ones."""
    region, todo = {cell}, [cell]
    while todo:
        row, column = divmod(todo.pop(), width)
        for r, c in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if 0 <= r < height and 0 <= c < width and r * width + c in empty - region:
                region.add(r * width + c)
                todo.append(r * width + c)
    return region


# ------------------------------------------------------------------ in memory and on disk

_held: dict[Path, np.ndarray] = {}  # tables in memory


def tables(plan: TableLayout, observer: Observer | None = None, budget: Budget | None = None) -> np.ndarray:
    """The tables, one after the other: from memory, from disk, or built now (and then saved on disk)."""
    path, size = plan.path, sum(plan.sizes)
    if budget is not None and size > budget.memory:
        megabytes = {"needed": f"{size / 1e6:,.0f}", "allowed": f"{budget.memory / 1e6:,.0f}"}
        raise TablesError(message("taquin.tables_hold_memory", **megabytes))
    if not are_made(plan):
        content = make(plan, observer, budget)
        content.flags.writeable = False
        try:
            write(path, plan, content)
        except OSError as error:
            tell(message("taquin.tables_not_kept", folder=path.parent, cause=error.strerror))
        if not are_made(plan):
            _held[path] = content
    return _held[path]


def are_made(plan: TableLayout) -> bool:
    """Whether the tables are in memory or on disk."""
    path = plan.path
    if path not in _held:
        content = read(path, plan)
        if content is None:
            return False
        _held[path] = content
    return True


def read(path: Path, plan: TableLayout) -> np.ndarray | None:
    """The tables of this file, mapped into memory; None if there are none. A damaged file is reported and deleted."""
    try:
        content = _mapped(path, plan)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        tell(message("taquin.tables_damaged", file=path.name, cause=error))
        path.unlink(missing_ok=True)
        return None
    return content


def _mapped(path: Path, plan: TableLayout) -> np.ndarray:
    """The tables of this file; raises an error if it is damaged."""
    with path.open("rb") as file:
        head = file.read(HEADER)
    if head[:8] != MAGIC:
        raise ValueError(message("taquin.file_of_another_version"))
    length = int.from_bytes(head[8:16], "little")
    header = json.loads(head[16 : 16 + length])
    if header["content"] != plan.description:
        raise ValueError(message("taquin.file_of_other_tables"))
    expected = HEADER + sum(plan.sizes)
    actual = path.stat().st_size
    if actual != expected:
        raise ValueError(message("taquin.file_length", actual=f"{actual:,}", expected=f"{expected:,}"))
    content = np.asarray(np.memmap(path, np.uint8, "r", HEADER))
    if header["check"] != checksum(content):
        raise ValueError(message("taquin.file_checksum"))
    return content


def write(path: Path, plan: TableLayout, content: np.ndarray) -> None:
    """Save the tables so that no reader ever sees half of them; if two processes do so, the last one wins."""
    header = json.dumps({"content": plan.description, "check": checksum(content)}).encode()
    head = MAGIC + len(header).to_bytes(8, "little") + header
    write_atomically(path, head.ljust(HEADER, b"\0"), content.data)


def checksum(content: np.ndarray) -> int:
    """The checksum of all bytes, or of 4096 samples of large tables (all bytes would take a second)."""
    if content.size <= 1 << 26:
        return zlib.crc32(content.data)
    total = 0
    for start in np.linspace(0, content.size - 4096, 4096).astype(np.int64):
        total = zlib.crc32(content[start : start + 1024].data, total)
    return total
