"""Naive twins: Taquin with lists and dictionaries."""

from __future__ import annotations

from collections import deque
from itertools import combinations

import ludion
from ludion.games.taquin.rules import contents

Board = tuple[int, ...]


def neighbours(cell: int, width: int, height: int) -> list[int]:
    row, column = divmod(cell, width)
    near = ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column))
    return [r * width + c for r, c in near if 0 <= r < height and 0 <= c < width]


def slide(board: Board, a: int, b: int) -> Board:
    cells = list(board)
    cells[a], cells[b] = cells[b], cells[a]
    return tuple(cells)


def pushes(board: Board, width: int, height: int) -> list[Board]:
    """All boards after one push of any number of tiles."""
    children = []
    blank = board.index(0)
    for first in neighbours(blank, width, height):
        step, here, now = first - blank, blank, board
        while here + step in neighbours(here, width, height):
            now = slide(now, here, here + step)
            here += step
            children.append(now)
    return children


def distances(goal: Board, width: int, height: int, multi: bool = False) -> dict[Board, int]:
    """How far every board is from the goal."""
    distance, queue = {goal: 0}, deque([goal])
    while queue:
        board = queue.popleft()
        blank = board.index(0)
        if multi:
            children = pushes(board, width, height)
        else:
            children = [slide(board, blank, cell) for cell in neighbours(blank, width, height)]
        for child in children:
            if child not in distance:
                distance[child] = distance[board] + 1
                queue.append(child)
    return distance


def group_distances(home: dict[int, int], blank: int, width: int, height: int) -> dict[Board, int]:
    """Fewest moves of these tiles (tile -> home cell) alone, the others being glass: cells of the tiles -> moves."""
    tiles = sorted(home)
    start = (tuple(home[tile] for tile in tiles), blank)
    distance, queue = {start: 0}, deque([start])
    while queue:
        state = queue.popleft()
        cells, here = state
        for there in neighbours(here, width, height):
            if there in cells:
                child = (tuple(here if cell == there else cell for cell in cells), there)
                cost = 1
            else:
                child, cost = (cells, there), 0
            if distance.get(child, 1 << 30) > distance[state] + cost:
                distance[child] = distance[state] + cost
                queue.append(child) if cost else queue.appendleft(child)
    best: dict[Board, int] = {}
    for (cells, _), moves in distance.items():
        best[cells] = min(moves, best.get(cells, moves))
    return best


def misplaced(position: ludion.Position) -> int:
    here = contents(position.rules, position.state)
    return sum(tile != 0 and position.rules.home[tile] != cell for cell, tile in enumerate(here))


def manhattan(position: ludion.Position) -> int:
    width = position.rules.width
    total = 0
    for cell, tile in enumerate(contents(position.rules, position.state)):
        home = int(position.rules.home[tile])
        total += (abs(cell // width - home // width) + abs(cell % width - home % width)) * (tile != 0)
    return total


def linear_conflict(position: ludion.Position) -> int:
    """Manhattan and 2 for each tile that must leave its line: the fewest whose removal leaves all others in order."""
    game, here = position.rules, contents(position.rules, position.state)
    lines = [[row * game.width + column for column in range(game.width)] for row in range(game.height)]
    lines += [[row * game.width + column for row in range(game.height)] for column in range(game.width)]
    extra = 0
    for line in lines:
        homes = [
            int(game.home[here[cell]]) for cell in line if here[cell] and int(game.home[here[cell]]) in line
        ]
        for leaving in range(len(homes) + 1):
            staying = combinations(homes, len(homes) - leaving)
            if any(list(some) == sorted(some) for some in staying):
                extra += 2 * leaving
                break
    return manhattan(position) + extra
