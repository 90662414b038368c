"""New boards: any solvable one, or, up to 9 cells and on 4x4, one whose shortest solution has a given length.

Up to 9 cells the board is sampled from the table of all distances: all boards of that length are equally likely.
On 4x4 a random board is solved: its shortest solution passes through a board of every smaller length. If it is too
short, the board is moved away from the goal as long as some move makes its solution longer.
"""

from __future__ import annotations

import random
import re
import threading

import numpy as np

from ludion.engines import ida_star
from ludion.engines.budget import Budget, Observer, check
from ludion.errors import LudionError
from ludion.games.taquin.additive import pattern_database
from ludion.games.taquin.notation import read, write
from ludion.games.taquin.pattern_databases import UNREACHED, arrangement, layout, partition, tables
from ludion.games.taquin.rules import Taquin, Tiles, tiles, why_unsolvable
from ludion.kinds import puzzle
from ludion.messages import message

LONGEST_4X4 = 80
USUAL_4X4 = 58  # random boards with solutions this long are common enough
CLIMBS = 40  # random boards to begin with, before one of the farthest boards is taken


def generate(seed: int, size: str = "4x4", length: int = 0, stop: threading.Event | None = None) -> str:
    """A board of this size, WIDTHxHEIGHT, whose shortest solution has this length (0: any)."""
    rules = _rules_of(size)
    chance = random.Random(f"taquin {size} {length} {seed}")
    if length < 0:
        raise LudionError(message("taquin.negative_length", length=length))
    if length == 0:
        return write(rules, _random_board(rules, chance))
    if rules.width * rules.height <= 9 and min(rules.width, rules.height) > 1:
        return write(rules, _board_from_table(rules, length, chance))
    if (rules.width, rules.height) == (4, 4):
        return write(rules, _board_by_search(rules, length, chance, stop))
    raise LudionError(message("taquin.no_lengths_for_size", size=size))


def _rules_of(size: str) -> Taquin:
    """The rules of a board of this size with the tiles in order as its goal."""
    sides = re.fullmatch(r"(\d{1,2})x(\d{1,2})", size.strip().lower())
    if not sides:
        raise LudionError(message("taquin.size_unreadable", size=size))
    width, height = int(sides[1]), int(sides[2])
    if width * height < 2:
        raise LudionError(message("taquin.size_too_small", size=size))
    numbers = [*range(1, width * height), 0]
    rows = [numbers[row * width : (row + 1) * width] for row in range(height)]
    return read("/".join(" ".join(map(str, row)) for row in rows))[0]


def _random_board(rules: Taquin, chance: random.Random) -> Tiles:
    """A solvable board; all of them are equally likely."""
    contents = list(range(rules.width * rules.height))
    if min(rules.width, rules.height) == 1:  # only the place of the blank can differ
        blank = chance.randrange(len(contents))
        return tiles(rules, [*range(1, blank + 1), 0, *range(blank + 1, len(contents))])
    chance.shuffle(contents)
    if why_unsolvable(rules, tiles(rules, contents)):  # swap two tiles
        a, b = (cell for cell in range(3) if contents[cell] != 0) if 0 in contents[:3] else (0, 1)
        contents[a], contents[b] = contents[b], contents[a]
    return tiles(rules, contents)


def _board_from_table(rules: Taquin, length: int, chance: random.Random) -> Tiles:
    """A board whose distance is this length, from the table of all distances."""
    cells = rules.width * rules.height
    plan = layout(rules, partition(rules, str(cells - 1)))
    distances = tables(plan)
    entries = np.flatnonzero(distances == length)
    if length >= UNREACHED or not entries.size:
        longest = int(distances[distances < UNREACHED].max())
        raise _too_long(rules, length, longest)
    entry = int(entries[chance.randrange(entries.size)])
    cell_map, group = plan.uses[0].cell_map, plan.tables[0].group
    cell_seen_as = {seen: cell for cell, seen in enumerate(cell_map)}
    tile_with_home = {int(cell): tile for tile, cell in enumerate(rules.home)}
    contents = [0] * cells
    for home, cell in zip(group, arrangement(entry, cells, cells - 1), strict=True):
        contents[cell_seen_as[cell]] = tile_with_home[cell_seen_as[home]]
    return tiles(rules, contents)


def _board_by_search(
    rules: Taquin, length: int, chance: random.Random, stop: threading.Event | None
) -> Tiles:
    """A 4x4 board of this length, on the shortest solution of a board with a longer one."""
    if length > LONGEST_4X4:
        raise _too_long(rules, length, LONGEST_4X4)
    heuristic = pattern_database(rules)

    def solution(position: Tiles) -> tuple[int, ...]:
        answer = ida_star.solve(rules, position, heuristic, Budget(), Observer(stop=stop))
        check(stop)
        return answer.moves

    for climb in range(CLIMBS):
        is_last = length > USUAL_4X4 and climb == CLIMBS - 1
        board = _farthest_board(chance) if is_last else _random_board(rules, chance)
        path = solution(board)
        while len(path) < length:
            buffer = np.zeros(4, np.int64)
            moves = [int(move) for move in buffer[: puzzle.moves(rules, board, buffer)]]
            chance.shuffle(moves)
            for move in moves:
                neighbour = puzzle.play(rules, board, move)
                neighbour_path = solution(neighbour)
                if len(neighbour_path) > len(path):
                    board, path = neighbour, neighbour_path
                    break
            else:
                break
        if len(path) >= length:
            for move in path[: len(path) - length]:
                board = puzzle.play(rules, board, move)
            return board
    raise AssertionError("a farthest board is always far enough")


def _too_long(rules: Taquin, length: int, longest: int) -> LudionError:
    size = f"{rules.width}x{rules.height}"
    return LudionError(message("taquin.length_too_large", size=size, length=length, longest=longest))


def _farthest_board(chance: random.Random) -> Tiles:
    """One of the shipped boards at distance 80."""
    from ludion.games.taquin import GAME

    levels = [level for level in GAME.all_levels() if level.name.startswith("farthest")]
    return read(chance.choice(levels).position)[1]
