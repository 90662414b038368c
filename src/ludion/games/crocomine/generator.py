"""Random boards, the same for the same seed."""

from __future__ import annotations

import functools
import threading

import numpy as np

from ludion.engines.budget import check
from ludion.errors import NotationError
from ludion.games.crocomine.notation import RANDOM, check_size, check_start, write_grid
from ludion.games.crocomine.rules import (
    CROCODILE,
    EMPTY,
    LAND,
    SEA,
    SHARK,
    TIGER,
    Grid,
    animals_in_words,
    neighbours,
)
from ludion.messages import message

ZERO, SAFE = "zero", "safe"  # the start has no animal around it, or only none itself


def generate(
    rows: int,
    columns: int,
    tigers: int,
    sharks: int,
    crocodiles: int,
    *,
    seed: int = 0,
    sea: float = 0.5,
    start: tuple[int, int] | None = None,
    rule: str = ZERO,
    flags: bool = False,
    no_guess: bool = False,
    name: str = "",
    attempts: int = 10_000,
    stop: threading.Event | None = None,
) -> Grid:
    """A random board: uniform among those with these counts whose start is safe (`zero`: and has no animal
    around).

    `sea` is the share of sea cells. With `no_guess`, boards are drawn until one can be solved by proof alone.
    """
    check_size(rows, columns)
    _check_sea_share(sea)
    if rule not in (ZERO, SAFE):
        raise NotationError(message("crocomine.bad_start_rule", rule=rule))
    if start is not None:
        check_start(start[0], start[1], rows, columns)
    if seed < 0:
        raise NotationError(message("crocomine.bad_seed", seed=seed))
    random = np.random.default_rng(seed)
    for _ in range(attempts if no_guess else 1):
        check(stop)
        grid = _draw(
            random,
            rows,
            columns,
            (tigers, sharks, crocodiles),
            sea,
            start,
            rule,
            flags,
            name or f"seed {seed}",
        )
        if not no_guess or _solvable(grid):
            return grid
    raise NotationError(message("crocomine.no_board_without_guess", attempts=attempts))


def _check_sea_share(share: float) -> None:
    if not 0 <= share <= 1:
        raise NotationError(message("crocomine.bad_sea_share", share=share))


def _draw(
    random: np.random.Generator,
    rows: int,
    columns: int,
    counts: tuple[int, int, int],
    sea: float,
    start: tuple[int, int] | None,
    rule: str,
    flags: bool,
    name: str,
) -> Grid:
    cells = rows * columns
    # Anywhere; under the zero rule with all its eight neighbours on the board, where there is room.
    if start is None:
        edge = 1 if rule == ZERO and min(rows, columns) >= 3 else 0
        start = (int(random.integers(edge, rows - edge)), int(random.integers(edge, columns - edge)))
    first = start[0] * columns + start[1]
    without_animal = {first, *(neighbours(rows, columns, first) if rule == ZERO else ())}
    free = np.array([cell not in without_animal for cell in range(cells)])
    sea_cells = round(cells * sea)
    for _ in range(1000):
        terrain = np.full(cells, LAND, np.int8)
        terrain[random.permutation(cells)[:sea_cells]] = SEA
        land, water = np.flatnonzero(free & (terrain == LAND)), np.flatnonzero(free & (terrain == SEA))
        if counts[0] <= len(land) and counts[1] <= len(water) and sum(counts) <= len(land) + len(water):
            break
    else:
        board = {"rows": rows, "columns": columns, "sea": sea_cells, "rule": rule}
        raise NotationError(
            message("crocomine.animals_do_not_fit", animals=animals_in_words(counts), **board)
        )
    animals = np.full(cells, EMPTY, np.int8)
    animals[random.permutation(land)[: counts[0]]] = TIGER
    animals[random.permutation(water)[: counts[1]]] = SHARK
    still_free = np.flatnonzero(free & (animals == EMPTY))
    animals[random.permutation(still_free)[: counts[2]]] = CROCODILE
    return Grid(name, rows, columns, first, terrain, animals, flags)


def _solvable(grid: Grid) -> bool:
    from ludion.games.crocomine.agents import CountingAgent
    from ludion.games.crocomine.rules import begin
    from ludion.kinds.quest import WON, run

    return run(begin(grid), CountingAgent(guesses=False), steps=4 * grid.rows * grid.columns).outcome == WON


def from_name(text: str, seed: int, first: tuple[int, int] | None = None, no_guess: bool = False) -> Grid:
    """The random board of a name such as `30x16:33/33/33` or `30x16:99:safe`, for a first action at this cell."""
    match = RANDOM.fullmatch(text)
    if match is None:
        raise NotationError(message("crocomine.not_a_random_board", text=text))
    width, height, tigers, *others = (int(number or 0) for number in match.groups()[:-1])
    rule, flags = match[6] or ZERO, match[4] is None
    if flags and first is None:
        # The best start of Minesweeper: the corner if only it is safe, and near it if its neighbours are too.
        near = min(0 if rule == SAFE else 2 if max(height, width) <= 16 else 3, height - 1)
        first = (near, min(near, width - 1))
    return generate(
        height,
        width,
        tigers,
        *others,
        seed=seed,
        sea=0.0 if flags else 0.5,
        start=first,
        rule=rule,
        flags=flags,
        no_guess=no_guess,
        name=f"{text} seed {seed}",
    )


recent_board = functools.lru_cache(maxsize=64)(from_name)  # a game asks for its board at every move


def generate_text(
    seed: int,
    *,
    rows: int = 16,
    columns: int = 30,
    tigers: int = -1,
    sharks: int = -1,
    crocodiles: int = -1,
    density: float = 0.2,
    sea: float = 0.5,
    start: str = ZERO,
    flags: bool = False,
    no_guess: bool = False,
    stop: threading.Event | None = None,
) -> str:
    """A board as a `.croco` text. Kinds without a count share what `density` leaves, by the terrain they live
    on."""
    if not 0 <= density < 1:
        raise NotationError(message("crocomine.bad_density", density=density))
    counts = [tigers, 0, 0] if flags else [tigers, sharks, crocodiles]
    sea = 0.0 if flags else sea
    _check_sea_share(sea)
    homes = [1.0 - sea, sea, 1.0]  # the share of the board where each kind may live
    uncounted = [kind for kind, number in enumerate(counts) if number < 0]
    left = max(0, round(density * rows * columns) - sum(number for number in counts if number >= 0))
    homes_left = sum(homes[kind] for kind in uncounted)
    for kind in uncounted:
        counts[kind] = round(left * homes[kind] / homes_left) if homes_left else 0
        left, homes_left = left - counts[kind], homes_left - homes[kind]
    grid = generate(
        rows,
        columns,
        counts[0],
        counts[1],
        counts[2],
        seed=seed,
        sea=sea,
        rule=start,
        flags=flags,
        no_guess=no_guess,
        start=(0, 0) if flags and start == SAFE else None,
        name=f"ludion {seed}",
        stop=stop,
    )
    return write_grid(grid).rstrip("\n")
