"""The summands of each heuristic of Taquin: a value per tile, per line in conflict, per group of a table."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ludion.core.words import pick
from ludion.games.taquin import additive
from ludion.games.taquin.additive import DirectTables, RankedTables
from ludion.games.taquin.heuristics import (
    COLUMN,
    CONFLICTS,
    MISPLACED,
    ROW,
    LinearConflict,
    Manhattan,
    Misplaced,
    Pushes,
    conflicts,
    count_misplaced,
    total_distance,
)
from ludion.games.taquin.notation import tile_name
from ludion.games.taquin.rules import Taquin, Tiles, contents
from ludion.games.taquin.walking_distance import WalkingDistance
from ludion.kinds.parts import ValuePart
from ludion.kinds.puzzle import begin
from ludion.messages import message


def misplaced(heuristic: Misplaced | Pushes, rules: Taquin, position: Tiles) -> list[ValuePart]:
    """One for each tile out of place."""
    if isinstance(heuristic, Pushes):
        return pushes(heuristic, rules, position)
    return per_tile(rules, position, lambda tile, cell: int(rules.home[tile] != cell))


def manhattan(heuristic: Manhattan | Pushes, rules: Taquin, position: Tiles) -> list[ValuePart]:
    """The distance of each tile from its place."""
    if isinstance(heuristic, Pushes):
        return pushes(heuristic, rules, position)
    return per_tile(rules, position, lambda tile, cell: int(heuristic.distance[tile, cell]))


def linear_conflict(heuristic: LinearConflict | Pushes, rules: Taquin, position: Tiles) -> list[ValuePart]:
    """The distance of each tile, and 2 for each that must leave its line."""
    if isinstance(heuristic, Pushes):
        return pushes(heuristic, rules, position)
    parts = per_tile(rules, position, lambda tile, cell: int(heuristic.distance[tile, cell]))
    for kind, count, name in ((ROW, rules.height, "row"), (COLUMN, rules.width, "column")):
        for line in range(count):
            leaving = conflicts(rules, position, heuristic.lines, kind, line)
            if leaving:
                note = message("taquin.part.conflict", n=leaving)
                parts.append(ValuePart(message(f"taquin.part.{name}", number=line + 1), 2 * leaving, note))
    return parts


def per_tile(rules: Taquin, position: Tiles, value: Callable[[int, int], int]) -> list[ValuePart]:
    """A part for each tile, in the order of the cells; `value(tile, cell)`."""
    return [
        ValuePart(
            tile_name(rules, tile),
            value(tile, cell),
            message("taquin.part.in_place") if rules.home[tile] == cell else "",
            (divmod(cell, rules.width),),
        )
        for cell, tile in enumerate(contents(rules, position))
        if tile
    ]


def pushes(heuristic: Pushes, rules: Taquin, position: Tiles) -> list[ValuePart]:
    """In the metric `multi`: the distances along columns and rows, divided by the most that one push can do."""
    down, across = max(1, rules.height - 1), max(1, rules.width - 1)
    if heuristic.kind == MISPLACED:
        sums = [("tiles", count_misplaced(rules, position), max(down, across))]
    else:
        sums = [
            ("up_and_down", int(total_distance(heuristic.rows, rules, position)), down),
            ("sideways", int(total_distance(heuristic.columns, rules, position)), across),
        ]
    if heuristic.kind == CONFLICTS:
        for i, (kind, lines) in enumerate(((ROW, rules.height), (COLUMN, rules.width))):
            leaving = sum(conflicts(rules, position, heuristic.lines, kind, line) for line in range(lines))
            sums[i] = (sums[i][0], sums[i][1] + 2 * leaving, sums[i][2])
    return [
        ValuePart(
            message(f"taquin.part.{name}"),
            -(-total // most),
            message("taquin.part.per_push", total=total, most=most),
        )
        for name, total, most in sums
    ]


def walking_distance(heuristic: WalkingDistance, rules: Taquin, position: Tiles) -> list[ValuePart]:
    """How often the blank must change its row, and how often its column."""
    trace = begin(heuristic, rules, position)
    return [
        ValuePart(message("taquin.part.rows"), int(heuristic.distances[ROW][trace.rows])),
        ValuePart(message("taquin.part.columns"), int(heuristic.distances[COLUMN][trace.columns])),
    ]


def pattern_database(
    heuristic: DirectTables | RankedTables, rules: Taquin, position: Tiles
) -> list[ValuePart]:
    """The table entry of each group of tiles, for the board or its reflection, whichever is larger."""
    trace = begin(heuristic, rules, position)
    side = additive.REFLECTED if heuristic.reflects and trace.reflected > trace.plain else additive.PLAIN
    entries = trace.mirrored if side == additive.REFLECTED else trace.entries
    groups: dict[tuple[int, int], list[int]] = {}
    for tile in range(1, heuristic.rows.shape[1]):
        row = heuristic.rows[side, tile]
        groups.setdefault((int(row[additive.WORD]), int(row[additive.SHIFT])), []).append(tile)
    parts = []
    for (word, shift), tiles in groups.items():
        row = heuristic.rows[side, tiles[0]]
        entry = additive.lane(pick(entries, word), shift, int(row[additive.MASK]))
        value = int(np.int64(heuristic.table[row[additive.OFFSET] + entry]))
        note = message("taquin.part.reflected") if side == additive.REFLECTED else ""
        parts.append(ValuePart(" ".join(tile_name(rules, tile) for tile in tiles), value, note))
    return parts
