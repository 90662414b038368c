"""New boards: any solvable one, or on small boards and 4x4 one whose shortest solution has a wanted length.

Up to 9 cells the table of all distances is drawn from, so that every board of that length is as likely as any other. On
4x4 a random board is solved: its shortest solution passes a board of every smaller length. For lengths that random
boards do not have, it climbs: as long as some move leads farther away from the goal, it is made.
"""

from __future__ import annotations

import random
import re
import threading

import numpy as np

from ludion.engines import ida_star
from ludion.engines.limits import Budget, check
from ludion.errors import LudionError
from ludion.games.taquin.additive import pattern_database
from ludion.games.taquin.notation import read, write
from ludion.games.taquin.pattern_databases import UNREACHED, arrangement, layout, partition, tables
from ludion.games.taquin.rules import Taquin, Tiles, tiles, why_unsolvable
from ludion.kinds import puzzle

LONGEST_4X4 = 80
USUAL_4X4 = 58  # random boards with solutions this long are common enough
CLIMBS = 40


def generate(seed: int, size: str = "4x4", length: int = 0, stop: threading.Event | None = None) -> str:
    """A board of this size, WIDTHxHEIGHT, and of this optimal length (0: any)."""
    rules, _ = _solved(size)
    generator = random.Random(f"taquin {size} {length} {seed}")
    cells = rules.width * rules.height
    if length < 0:
        raise LudionError(f"a length cannot be negative: {length}")
    if length == 0:
        return write(rules, _random(rules, generator))
    if cells <= 9 and min(rules.width, rules.height) > 1:
        return write(rules, _at_distance(rules, length, generator))
    if (rules.width, rules.height) == (4, 4):
        return write(rules, _of_length(rules, length, generator, stop))
    raise LudionError(f"boards of a wanted length are made up to 3x3 and for 4x4, not for {size}")


def _solved(size: str) -> tuple[Taquin, Tiles]:
    found = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size.strip().lower())
    if not found:
        raise LudionError(f"a size is WIDTHxHEIGHT, as in 4x4, not '{size}'")
    width, height = int(found[1]), int(found[2])
    if width * height < 2:
        raise LudionError(f"no board is {size}")
    numbers = [*range(1, width * height), 0]
    return read(
        "/".join(" ".join(map(str, numbers[row * width : (row + 1) * width])) for row in range(height))
    )


def _random(rules: Taquin, generator: random.Random) -> Tiles:
    """Any solvable board, all as likely."""
    contents = list(range(rules.width * rules.height))
    if min(rules.width, rules.height) == 1:  # the blank can only wander
        blank = generator.randrange(len(contents))
        return tiles(rules, [*range(1, blank + 1), 0, *range(blank + 1, len(contents))])
    generator.shuffle(contents)
    if why_unsolvable(rules, tiles(rules, contents)):
        a, b = (cell for cell in range(3) if contents[cell] != 0) if 0 in contents[:3] else (0, 1)
        contents[a], contents[b] = contents[b], contents[a]
    return tiles(rules, contents)


def _at_distance(rules: Taquin, length: int, generator: random.Random) -> Tiles:
    """A board of a size that has a table of all distances, at this distance."""
    cells = rules.width * rules.height
    plan = layout(rules, partition(rules, str(cells - 1)))
    table = np.asarray(tables(plan))
    entries = np.flatnonzero(table == length)
    if length >= UNREACHED or not entries.size:
        farthest = int(table[table < UNREACHED].max())
        raise LudionError(
            f"no {rules.width}x{rules.height} board needs {length} moves; the most is {farthest}"
        )
    entry = int(entries[generator.randrange(entries.size)])
    (_, cell_map), (group, _) = plan.uses[0], plan.tables[0]
    back = {there: here for here, there in enumerate(cell_map)}
    at_home = {int(cell): tile for tile, cell in enumerate(rules.home)}
    contents = [0] * cells
    for slot, cell in enumerate(arrangement(entry, cells, cells - 1)):
        contents[back[cell]] = at_home[back[group[slot]]]
    return tiles(rules, contents)


def _of_length(rules: Taquin, length: int, generator: random.Random, stop: threading.Event | None) -> Tiles:
    if length > LONGEST_4X4:
        raise LudionError(f"no 4x4 board needs {length} moves; the most is {LONGEST_4X4}")
    heuristic = pattern_database(rules)

    def solution(position: Tiles) -> list[int]:
        found = ida_star.solve(rules, position, heuristic, Budget(stop=stop))
        check(stop)
        return list(found.moves)

    for climb in range(CLIMBS):
        board = (
            _farthest(rules, generator)
            if length > USUAL_4X4 and climb == CLIMBS - 1
            else _random(rules, generator)
        )
        way = solution(board)
        while len(way) < length:
            buffer = np.zeros(4, np.int64)
            steps = [int(move) for move in buffer[: puzzle.moves(rules, board, buffer)]]
            generator.shuffle(steps)
            for move in steps:
                there = puzzle.play(rules, board, move)
                way_there = solution(there)
                if len(way_there) > len(way):
                    board, way = there, way_there
                    break
            else:
                break
        if len(way) >= length:
            for move in way[: len(way) - length]:
                board = puzzle.play(rules, board, move)
            return board
    raise AssertionError("a farthest board is always far enough")


def _farthest(rules: Taquin, generator: random.Random) -> Tiles:
    """One of the shipped boards at distance 80."""
    from ludion.games.taquin import GAME

    levels = [level for level in GAME.all_levels() if level.name.startswith("farthest")]
    return read(generator.choice(levels).position)[1]
