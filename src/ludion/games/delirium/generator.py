"""Random mines: the same seed gives the same mine, and a plan proves that each can be won."""

from __future__ import annotations

import random
import threading
from typing import NamedTuple

from ludion.engines.budget import check
from ludion.errors import LudionError
from ludion.games.delirium.maps import Mine, with_border, write_bdcff, write_xml
from ludion.games.delirium.physics import BLUE, DIAMOND, DIRT, EMPTY, EXIT, MINER, RED, STONE, WALL
from ludion.games.delirium.planner import find_solution
from ludion.games.delirium.world import MineWorld
from ludion.messages import message


class Difficulty(NamedTuple):
    """The size and contents of a mine."""

    width: int  # without the border
    height: int
    need: int  # diamonds to gather
    spare: int  # diamonds beyond those
    stones: int  # per 100 cells
    walls: int
    red: int  # monsters
    blue: int


DIFFICULTIES = {
    "easy": Difficulty(12, 8, need=4, spare=2, stones=8, walls=1, red=0, blue=0),
    "medium": Difficulty(20, 12, need=8, spare=3, stones=12, walls=3, red=1, blue=0),
    "hard": Difficulty(30, 16, need=15, spare=4, stones=15, walls=5, red=3, blue=1),
    "official": Difficulty(38, 22, need=30, spare=8, stones=16, walls=6, red=4, blue=2),
}
FORMATS = ("bdcff", "xml", "xml-2008")
LEAST_SIZE, MOST_SIZE = 4, 60
EMPTY_CELLS = 5  # per 100
CELLS_PER_DIAMOND, CELLS_PER_MONSTER = 6, 4  # at least
TRIES = 40
PROOF_NODES = 400_000  # of the search for a winning plan

Grid = list[list[int]]


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
    """A mine; the difficulty sets sizes and numbers that are not given."""
    if format not in FORMATS:
        raise LudionError(message("delirium.unknown_format", format=format))
    plan = _adjusted(difficulty, width, height, diamonds, monsters)
    for attempt in range(TRIES):
        check(stop)
        mine = _random_mine(random.Random(seed * 1000 + attempt), seed, plan)
        if find_solution(MineWorld(mine), PROOF_NODES) is not None:
            if format == "bdcff":
                return write_bdcff(mine)
            return write_xml(mine, 2012 if format == "xml" else 2008)
    raise LudionError(message("delirium.no_winnable_mine", tries=TRIES))


def _adjusted(difficulty: str, width: int, height: int, diamonds: int, monsters: int) -> Difficulty:
    """The difficulty with the given numbers instead of its own, checked."""
    if difficulty not in DIFFICULTIES:
        names = ", ".join(DIFFICULTIES)
        raise LudionError(message("delirium.unknown_difficulty", names=names, difficulty=difficulty))
    plan = DIFFICULTIES[difficulty]
    plan = plan._replace(width=width or plan.width, height=height or plan.height, need=diamonds or plan.need)
    if monsters >= 0:
        plan = plan._replace(red=monsters, blue=0)
    if not (LEAST_SIZE <= plan.width <= MOST_SIZE and LEAST_SIZE <= plan.height <= MOST_SIZE):
        raise LudionError(
            message(
                "delirium.bad_mine_size",
                width=plan.width,
                height=plan.height,
                least=LEAST_SIZE,
                most=MOST_SIZE,
            )
        )
    cells = plan.width * plan.height
    for id, count, least, most in (
        ("delirium.bad_diamond_count", plan.need, 1, cells // CELLS_PER_DIAMOND),
        ("delirium.bad_monster_count", plan.red, 0, cells // CELLS_PER_MONSTER),
    ):
        if not least <= count <= most:
            raise LudionError(message(id, count=count, width=plan.width, height=plan.height, most=most))
    return plan


def _random_mine(chance: random.Random, seed: int, plan: Difficulty) -> Mine:
    """Dirt with stones and holes, then walls, monsters and diamonds, then the miner and the exit."""
    grid = _scatter_stones(chance, plan)
    _add_walls(chance, plan, grid)
    _add_monsters(chance, plan, grid)
    free = [
        (r, c) for r in range(plan.height) for c in range(plan.width) if grid[r][c] in (DIRT, STONE, EMPTY)
    ]
    chance.shuffle(free)
    candidates = free[: max(4, len(free) // 8)]
    start = min(candidates, key=lambda cell: cell[0] + cell[1])  # near the top left
    goal = max(candidates, key=lambda cell: cell[0] + cell[1])  # near the bottom right
    for r, c in [cell for cell in free if cell not in (start, goal)][: plan.need + plan.spare]:
        grid[r][c] = DIAMOND
    _clear_around(grid, *start)
    grid[start[0]][start[1]] = MINER
    grid[goal[0]][goal[1]] = EXIT
    seconds = 20 + (plan.width * plan.height + 30 * plan.need) // 10
    return Mine(f"seed {seed}", with_border(grid), plan.need, seconds)


def _scatter_stones(chance: random.Random, plan: Difficulty) -> Grid:
    grid = [[DIRT] * plan.width for _ in range(plan.height)]
    for row in grid:
        for c in range(plan.width):
            number = chance.randrange(100)
            if number < plan.stones:
                row[c] = STONE
            elif number < plan.stones + EMPTY_CELLS:
                row[c] = EMPTY
    return grid


def _add_walls(chance: random.Random, plan: Difficulty, grid: Grid) -> None:
    """Horizontal walls, none in the first row."""
    for _ in range(plan.walls):
        r, length = chance.randrange(1, plan.height), chance.randrange(3, max(4, plan.width * 2 // 3))
        begin = chance.randrange(0, plan.width - 2)
        for c in range(begin, min(plan.width, begin + length)):
            grid[r][c] = WALL


def _add_monsters(chance: random.Random, plan: Difficulty, grid: Grid) -> None:
    """Monsters, each with 2x2 empty cells to walk in."""
    for code, count in ((RED, plan.red), (BLUE, plan.blue)):
        for _ in range(count):
            r = chance.randrange(2, max(3, plan.height - 2))
            c = chance.randrange(2, max(3, plan.width - 3))
            for down in (0, 1):
                for right in (0, 1):
                    grid[r + down][c + right] = EMPTY
            grid[r][c] = code


def _clear_around(grid: Grid, row: int, column: int) -> None:
    """Dirt instead of stones and monsters around the start, so that nothing kills the miner at once."""
    for r in range(max(0, row - 1), min(len(grid), row + 2)):
        for c in range(max(0, column - 1), min(len(grid[0]), column + 2)):
            if grid[r][c] in (STONE, RED, BLUE):
                grid[r][c] = DIRT
