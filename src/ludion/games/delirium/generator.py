"""New mines by chance: the same one for the same seed, each proved winnable by a plan that was found for
it.
"""

from __future__ import annotations

import random
import threading

from ludion.engines.limits import check
from ludion.errors import LudionError
from ludion.games.delirium.maps import Mine, with_border, write_bdcff, write_xml
from ludion.games.delirium.physics import BLUE, DIAMOND, DIRT, EMPTY, EXIT, MINER, RED, STONE, WALL
from ludion.games.delirium.planner import solution
from ludion.games.delirium.world import World

# width, height, diamonds needed, spare diamonds, stones in 100 cells, walls, red monsters, blue monsters
DIFFICULTIES = {
    "easy": (12, 8, 4, 2, 8, 1, 0, 0),
    "medium": (20, 12, 8, 3, 12, 3, 1, 0),
    "hard": (30, 16, 15, 4, 15, 5, 3, 1),
    "official": (38, 22, 30, 8, 16, 6, 4, 2),
}
TRIES = 40
NODES = 400_000  # of a proof


def generate(
    seed: int,
    difficulty: str = "medium",
    width: int = 0,
    height: int = 0,
    diamonds: int = 0,
    monsters: int = -1,
    format: str = "bdcff",
    stop: threading.Event | None = None,
) -> str:
    """A mine; sizes and numbers that are not given are those of the difficulty."""
    if difficulty not in DIFFICULTIES:
        raise LudionError(f"difficulty is one of {', '.join(DIFFICULTIES)}, not '{difficulty}'")
    if format not in ("bdcff", "xml", "xml-2008"):
        raise LudionError(f"format is bdcff, xml or xml-2008, not '{format}'")
    columns, rows, need, spare, stones, walls, red, blue = DIFFICULTIES[difficulty]
    columns, rows, need = width or columns, height or rows, diamonds or need
    if monsters >= 0:
        red, blue = monsters, 0
    if not (4 <= columns <= 60 and 4 <= rows <= 60):
        raise LudionError(f"a mine is from 4x4 to 60x60, not {columns}x{rows}")
    if not 1 <= need <= columns * rows // 6:
        raise LudionError(f"{need} diamonds do not fit in {columns}x{rows} (1 to {columns * rows // 6})")
    for attempt in range(TRIES):
        check(stop)
        chance = random.Random(seed * 1000 + attempt)
        mine = _draw(chance, seed, columns, rows, need, spare, stones, walls, red, blue)
        if solution(World(mine), NODES) is not None:
            if format == "bdcff":
                return write_bdcff(mine)
            return write_xml(mine, 2012 if format == "xml" else 2008)
    raise LudionError(f"no winnable mine in {TRIES} tries: ask for fewer diamonds or monsters")


def _draw(
    chance: random.Random,
    seed: int,
    columns: int,
    rows: int,
    need: int,
    spare: int,
    stones: int,
    walls: int,
    red: int,
    blue: int,
) -> Mine:
    grid = [[DIRT] * columns for _ in range(rows)]
    for row in grid:
        for c in range(columns):
            number = chance.randrange(100)
            if number < stones:
                row[c] = STONE
            elif number < stones + 5:
                row[c] = EMPTY
    for _ in range(walls):
        r, length = chance.randrange(1, rows), chance.randrange(3, max(4, columns * 2 // 3))
        begin = chance.randrange(0, columns - 2)
        for c in range(begin, min(columns, begin + length)):
            grid[r][c] = WALL
    for code, count in ((RED, red), (BLUE, blue)):
        for _ in range(count):
            r, c = chance.randrange(2, rows - 2), chance.randrange(2, max(3, columns - 3))
            for down in (0, 1):
                for right in (0, 1):
                    grid[r + down][c + right] = EMPTY
            grid[r][c] = code
    free = [(r, c) for r in range(rows) for c in range(columns) if grid[r][c] in (DIRT, STONE, EMPTY)]
    chance.shuffle(free)
    start = min(free[: max(4, len(free) // 8)], key=lambda cell: cell[0] + cell[1])
    goal = max(free[: max(4, len(free) // 8)], key=lambda cell: cell[0] + cell[1])
    for r, c in [cell for cell in free if cell not in (start, goal)][: need + spare]:
        grid[r][c] = DIAMOND
    for down in (-1, 0, 1):  # nothing falls on the miner's head at once
        for right in (-1, 0, 1):
            r, c = start[0] + down, start[1] + right
            if 0 <= r < rows and 0 <= c < columns and grid[r][c] in (STONE, RED, BLUE):
                grid[r][c] = DIRT
    grid[start[0]][start[1]] = MINER
    grid[goal[0]][goal[1]] = EXIT
    seconds = 20 + (columns * rows + 30 * need) // 10
    return Mine(f"seed {seed}", with_border(grid), need, seconds)
