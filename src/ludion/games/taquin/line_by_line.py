"""A first solution of a board of any size, as people find one: line after line from the outside.

The free cells form a rectangle. Its top or bottom row, or its left or right column, is put in order and then no longer
changed; of each pair the one without the blank's home. The last four cells are searched.

    1  2  3  A  B        the tiles of a line are brought to their cells one after the other, by the shorter way of the
    .  .  .  |  |        blank around them; the last two, A and B, are brought to the six cells at the end of the line
    .  .  .  |  |        and put in order there by a search
    .  .  .  .  .
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from ludion.games.taquin.rules import Taquin, Tiles, contents, direction_of, make_move

Node = TypeVar("Node", bound=Hashable)


def first_solution(rules: Taquin, start: Tiles) -> list[int]:
    """Single-cell moves of the blank that solve a solvable position."""
    work = Workbench(rules, start)
    if min(rules.width, rules.height) == 1:
        for cell in work.blank_path({work.blank_home}):
            work.slide(cell)
        return work.moves
    while len(work.rows) > 2 or len(work.columns) > 2:
        work.finish_line()
    work.search([*map(int, rules.home[1:])], work.free)
    return work.moves


def lines_in_order(rules: Taquin, start: Tiles) -> list[list[int]]:
    """The cells of the lines, in the order in which they are finished; the last four cells are in none."""
    work, lines = Workbench(rules, start), []
    while len(work.rows) > 2 or len(work.columns) > 2:
        lines.append(work.choose_line()[0])
    return lines


def finish_lines(rules: Taquin, start: Tiles, least: int) -> tuple[list[int], int]:
    """Moves that finish the first lines: `least` of them, and as many more as needed until something moves; and how
    many lines that are."""
    work, finished = Workbench(rules, start), 0
    while (finished < least or not work.moves) and (len(work.rows) > 2 or len(work.columns) > 2):
        work.finish_line()
        finished += 1
    return work.moves, finished


def joined_pushes(moves: Iterable[int]) -> list[int]:
    """The same moves in the metric `multi`."""
    pushes: list[int] = []
    for move in moves:
        if pushes and direction_of(pushes[-1]) == move:
            pushes[-1] += make_move(0, 2)
        else:
            pushes.append(move)
    return pushes


def shortest_path(
    origin: Node, neighbours: Callable[[Node], Iterable[Node]], is_end: Callable[[Node], bool]
) -> list[Node]:
    """The nodes after the origin on a shortest path to an end."""
    came_from: dict[Node, Node | None] = {origin: None}
    queue = deque([origin])
    while queue:
        node = queue.popleft()
        if is_end(node):
            path = []
            here: Node | None = node
            while here is not None:
                path.append(here)
                here = came_from[here]
            return path[-2::-1]
        for other in neighbours(node):
            if other not in came_from:
                came_from[other] = node
                queue.append(other)
    raise AssertionError("the free cells are connected")


class Workbench:
    """The board, the cells that are still free, and the moves so far."""

    def __init__(self, rules: Taquin, start: Tiles) -> None:
        self.width = rules.width
        self.beside: list[list[int]] = rules.beside.tolist()
        self.tile_of: list[int] = [0] * len(rules.home)  # the tile that belongs to each cell
        for tile, cell in enumerate(rules.home.tolist()):
            self.tile_of[cell] = tile
        self.blank_home = int(rules.home[0])
        self.tiles = contents(rules, start)
        self.cell_of = [0] * len(self.tiles)  # where each tile is
        for cell, tile in enumerate(self.tiles):
            self.cell_of[tile] = cell
        self.rows, self.columns = list(range(rules.height)), list(range(rules.width))
        self.free = set(range(len(self.tiles)))
        self.moves: list[int] = []

    def slide(self, there: int) -> None:
        """Move the blank to a neighbour of its cell."""
        here, tile = self.cell_of[0], self.tiles[there]
        self.moves.append(self.beside[here].index(there))
        self.tiles[here], self.tiles[there] = tile, 0
        self.cell_of[tile], self.cell_of[0] = here, there

    def neighbours(self, cell: int, allowed: set[int]) -> list[int]:
        return [other for other in self.beside[cell] if other in allowed]

    def blank_path(self, ends: set[int], avoid: Iterable[int] = ()) -> list[int]:
        """The cells on the blank's way to the nearest of these ends."""
        allowed = self.free.difference(avoid)
        return shortest_path(self.cell_of[0], lambda cell: self.neighbours(cell, allowed), ends.__contains__)

    def finish_line(self) -> None:
        """Put the tiles of one outer line in order and take it out of the free cells."""
        line, inwards = self.choose_line()
        if all(self.cell_of[self.tile_of[cell]] == cell for cell in line):
            self.free.difference_update(line)
            return
        *first, at_a, at_b = line
        for cell in first:
            self.bring(self.tile_of[cell], cell)
            self.free.discard(cell)
        self.bring(self.tile_of[at_a], at_a)
        window = {cell + inwards * depth for cell in (at_a, at_b) for depth in range(3)}
        tile_b = self.tile_of[at_b]
        if self.cell_of[tile_b] not in window:
            self.free.discard(at_a)
            self.bring(tile_b, at_b + 2 * inwards)
            self.free.add(at_a)
        for cell in self.blank_path(window, (at_a, self.cell_of[tile_b])):
            self.slide(cell)
        self.search([at_a, at_b], window)
        self.free -= {at_a, at_b}

    def choose_line(self) -> tuple[list[int], int]:
        """The cells of the next line, and the step from each to the cell behind it; the shorter lines first."""
        if len(self.rows) > 2 and (len(self.rows) >= len(self.columns) or len(self.columns) == 2):
            last = self.blank_home // self.width != self.rows[-1]
            row = self.rows.pop(-1 if last else 0)
            return [row * self.width + column for column in self.columns], -self.width if last else self.width
        last = self.blank_home % self.width != self.columns[-1]
        column = self.columns.pop(-1 if last else 0)
        return [row * self.width + column for row in self.rows], -1 if last else 1

    def bring(self, tile: int, target: int) -> None:
        """Move a tile to a free cell, always by the neighbour that the blank reaches first."""
        while self.cell_of[tile] != target:
            here = self.cell_of[tile]
            distance = self.distance(here, target)
            nearer = {
                cell for cell in self.neighbours(here, self.free) if self.distance(cell, target) < distance
            }
            for cell in self.blank_path(nearer, [here]):
                self.slide(cell)
            self.slide(here)

    def distance(self, one: int, other: int) -> int:
        return abs(one // self.width - other // self.width) + abs(one % self.width - other % self.width)

    def search(self, homes: list[int], window: set[int]) -> None:
        """Bring the tiles of these cells home by a shortest path of the blank within the window."""
        homes = [cell for cell in homes if cell in window and cell != self.blank_home]
        names = [self.tile_of[cell] for cell in homes]

        def neighbours(cells: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
            blank, *places = cells
            for there in self.neighbours(blank, window):
                yield there, *(blank if place == there else place for place in places)

        goal = tuple(homes)
        last_cells = self.blank_home in window and len(homes) == len(window) - 1
        origin = (self.cell_of[0], *(self.cell_of[name] for name in names))
        for blank, *_ in shortest_path(
            origin,
            neighbours,
            lambda cells: cells[1:] == goal and (not last_cells or cells[0] == self.blank_home),
        ):
            self.slide(blank)
