"""Heuristics of Taquin, each admissible: no tile reaches its place with fewer moves than are counted."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.games.taquin.rules import Taquin, Tiles, tile_at
from ludion.kinds.puzzle import estimate, estimate_after
from ludion.verbs import kernel


class Misplaced(NamedTuple):
    """How many tiles are not in their place."""


class Manhattan(NamedTuple):
    """The sum of the tiles' distances, in rows and columns, from their places."""

    distance: np.ndarray  # distance[t, c]: from cell c to the place of tile t; 0 for the blank


class LinearConflict(NamedTuple):
    """Manhattan, plus 2 for each tile that must leave its row or column to let another one of it pass."""

    distance: np.ndarray


def misplaced(game: Taquin) -> Misplaced:
    return Misplaced()


def manhattan(game: Taquin) -> Manhattan:
    return Manhattan(_distances(game))


def linear_conflict(game: Taquin) -> LinearConflict:
    return LinearConflict(_distances(game))


def _distances(game: Taquin) -> Any:
    cells = np.arange(game.width * game.height)
    rows = abs(game.home[:, None] // game.width - cells // game.width)
    columns = abs(game.home[:, None] % game.width - cells % game.width)
    distances = rows + columns
    distances[0] = 0
    return distances.astype(np.int64)


@kernel
def total_distance(distance: Any, game: Taquin, position: Tiles) -> int:
    total = 0
    for cell in range(game.width * game.height):
        total += distance[tile_at(game, position, cell), cell]
    return total


@estimate.register(Misplaced)
def _(heuristic: Misplaced, game: Taquin, position: Tiles) -> int:
    count = 0
    for cell in range(game.width * game.height):
        tile = tile_at(game, position, cell)
        if tile != 0 and game.home[tile] != cell:
            count += 1
    return count


@estimate_after.register(Misplaced)
def _(heuristic: Misplaced, game: Taquin, before: int, position: Tiles, move: int, child: Tiles) -> int:
    tile = tile_at(game, position, child.blank)
    home = game.home[tile]
    return before + int(home == child.blank) - int(home == position.blank)


@estimate.register(Manhattan)
def _(heuristic: Manhattan, game: Taquin, position: Tiles) -> int:
    return total_distance(heuristic.distance, game, position)


@estimate_after.register(Manhattan)
def _(heuristic: Manhattan, game: Taquin, before: int, position: Tiles, move: int, child: Tiles) -> int:
    tile = tile_at(game, position, child.blank)
    return before + heuristic.distance[tile, position.blank] - heuristic.distance[tile, child.blank]  # type: ignore[no-any-return]


@estimate.register(LinearConflict)
def _(heuristic: LinearConflict, game: Taquin, position: Tiles) -> int:
    total = total_distance(heuristic.distance, game, position)
    for row in range(game.height):
        total += 2 * conflicts(game, position, row * game.width, 1, game.width)
    for column in range(game.width):
        total += 2 * conflicts(game, position, column, game.width, game.height)
    return total


@kernel
def conflicts(game: Taquin, position: Tiles, first: int, step: int, length: int) -> int:
    """How many tiles must leave this line: those that belong to it, less the most that are in order already."""
    # longest[i]: the most tiles in order among those that end with the i-th cell; bits would do, but a line is short.
    belonging = 0
    most = 0
    longest = np.zeros(16, np.int64)
    for i in range(length):
        tile = tile_at(game, position, first + i * step)
        longest[i] = 0
        if tile == 0:
            continue
        home = game.home[tile]
        if (home - first) % step != 0 or not first <= home < first + length * step:
            continue
        belonging += 1
        longest[i] = 1
        for j in range(i):
            if longest[j] > 0 and longest[j] >= longest[i]:
                if game.home[tile_at(game, position, first + j * step)] < home:
                    longest[i] = longest[j] + 1
        most = max(most, longest[i])
    return belonging - most
