"""New boards, the same ones for the same seed.

A board is made in three steps. Vehicles are placed at random, and some of them replaced at random while that leads to
longer solutions; then the farthest position of the board's component is taken (or, if its solution is too long, one at
a distance that fits); then vehicles that make no difference are taken away, until every one is needed.

Boards of 36 moves and more are searched for by simulated annealing: shorter boards are accepted now and then, and each
change begins from another far position of the component. Boards of 43 moves and more are rare: half of those searches
begin with a hard level that was changed at random, and a board with the vehicles of a level is never the result. All
limits are counts, so a seed gives the same board on any machine.
"""

from __future__ import annotations

import random
import re
import threading
from typing import NamedTuple

import numpy as np

from ludion.engines.budget import Budget, check
from ludion.errors import LudionError
from ludion.games.rush_hour import GAME
from ludion.games.rush_hour.analysis import (
    Component,
    chain_length,
    explore,
    idle_vehicles,
    optimum,
    without,
)
from ludion.games.rush_hour.notation import NAMES, RED, read, write
from ludion.games.rush_hour.rules import (
    FIRST,
    LENGTH,
    LONGEST_SIDE,
    SHORTEST_SIDE,
    STRIDE,
    offset_of,
)
from ludion.messages import message

DIFFICULTIES = {"easy": "5..10", "medium": "11..17", "hard": "18..26", "expert": "27..50"}
LONGEST = 200  # the end of an open range of moves or steps
LARGEST = 60_000  # positions of a component; larger ones are passed over
TRIES = 1500  # boards that are looked at before giving up
PATIENCE = 40  # changes of a board without progress before a fresh start

# Long solutions are searched for by simulated annealing.
LONG = {"moves": 36, "steps": 65}  # from these lengths on
RARE = {"moves": 43, "steps": 78}  # from these on, some searches begin with a changed level
LONG_TRIES = 60_000
FAR_PATIENCE, NEAR_PATIENCE = (
    200,
    1500,
)  # tries without a longer board before a fresh start: far from the goal, near it
NEAR = 0.85  # of the length that is asked for
WORSE = {"moves": 3, "steps": 2}  # a board that is shorter by n is accepted with probability 1 / WORSE ** n
SLACK = 3  # how much nearer than the farthest a position may be
LEVEL_SHARE = 0.5  # of the searches begin with a changed level
MOST_CHANGES = 3  # of such a level


class GeneratorError(LudionError):
    """A request that cannot be understood, or that no board was found for."""


class Range(NamedTuple):
    """From `low` to `high`, both included."""

    low: int
    high: int


class Request(NamedTuple):
    """What the board must be like."""

    metric: str  # in which `length` is counted
    length: Range
    other_metric: str
    other_length: Range | None
    vehicles: Range | None
    detours: Range | None  # moves of the solution that make matters look worse
    chain: Range | None  # vehicles that must move, as `chains` counts them
    unique: bool  # whether there must be only one shortest solution


def generate(
    seed: int,
    difficulty: str = "medium",
    moves: str = "",
    steps: str = "",
    vehicles: str = "",
    walls: int = 0,
    size: str = "6x6",
    detours: str = "",
    chain: str = "",
    unique: bool = False,
    stop: threading.Event | None = None,
) -> str:
    """A board whose shortest solution has a length in a range (`20..25`, `20..`, `20`), in moves, steps or both.

    Ctrl-C raises KeyboardInterrupt with the longest board so far.
    """
    if difficulty not in DIFFICULTIES:
        known = ", ".join(DIFFICULTIES)
        raise GeneratorError(message("rush_hour.unknown_difficulty", difficulty=difficulty, known=known))
    if not moves and not steps:
        moves = DIFFICULTIES[difficulty]
    width, height = read_size(size)
    cells = width * height
    if not 0 <= walls <= cells // 6:
        raise GeneratorError(message("rush_hour.bad_walls", most=cells // 6, size=size, walls=walls))
    metric, other = ("moves", "steps") if moves else ("steps", "moves")
    most_vehicles = min(len(NAMES) - 2, (cells - walls) // 2)
    request = Request(
        metric,
        read_range(metric, moves or steps, 1, LONGEST),
        other,
        read_range(other, steps, 1, LONGEST) if moves and steps else None,
        read_range("vehicles", vehicles, 1, most_vehicles) if vehicles else None,
        read_range("detours", detours, 0, LONGEST) if detours else None,
        read_range("chain", chain, 1, most_vehicles) if chain else None,
        unique,
    )
    chance = random.Random(f"{seed} {width}x{height}")
    attempts = Attempts(stop)
    try:
        if request.length.low >= LONG[metric] and (width, height) == (6, 6):
            board = _anneal(chance, walls, request, attempts)
        else:
            board = _search(chance, width, height, walls, request, attempts)
    except KeyboardInterrupt as interrupt:
        if attempts.longest is None:
            raise
        raise KeyboardInterrupt(attempts.longest_board()) from interrupt
    if board is not None:
        return board
    wishes = [f"{metric} {moves or steps}"]
    wishes += [f"{other} {steps}"] if request.other_length else []
    wishes += [f"vehicles {vehicles}"] if request.vehicles else []
    wishes += [f"walls {walls}"] if walls else []
    wishes += [f"detours {detours}"] if detours else []
    wishes += [f"chain {chain}"] if chain else []
    wishes += [message("rush_hour.one_solution")] if unique else []
    raise GeneratorError(
        message("rush_hour.none_found", size=size, wishes=", ".join(wishes), tries=attempts.count)
    )


class Attempts:
    """Counts the boards that were looked at, and keeps the longest of them."""

    def __init__(self, stop: threading.Event | None) -> None:
        self.stop = stop
        self.count = 0
        self.longest: Component | None = None
        self.length = 0  # of the longest

    def look_at(self, text: str, metric: str) -> tuple[Component | None, int]:
        """The component of a board and the length of its farthest position, -1 if there is none."""
        check(self.stop)
        self.count += 1
        component = component_of(text, metric)
        length = int(component.distances.max()) if component is not None else -1
        if length > self.length:
            self.longest, self.length = component, length
        return component, length

    def longest_board(self) -> str:
        """The longest board so far."""
        assert self.longest is not None
        return rename(write(self.longest.rules, self.longest.position(self.longest.hardest())))


def _anneal(chance: random.Random, walls: int, request: Request, attempts: Attempts) -> str | None:
    """Change 6x6 boards at random, now and then for the worse; the first one that fits the request.

    After each change the search goes on from another position of the component, one of the farthest: there the next
    change finds free cells that it would not find on the same position.
    """
    levels = [level for level in GAME.all_levels() if len(level.position) == 36]
    known = {vehicle_lines(level.position) for level in levels}
    low, metric = request.length.low, request.metric
    hardest = [
        level.position
        for level in levels
        if low >= RARE[metric]
        and level.position.count("x") == walls
        and int(str(level.known.get(metric, 0))) >= low
    ]
    while attempts.count < LONG_TRIES:
        cells = random_board(chance, 6, 6, walls, request.vehicles)
        if hardest and chance.random() < LEVEL_SHARE:
            cells = list(chance.choice(hardest))
            for _ in range(chance.randint(1, MOST_CHANGES)):
                cells = mutate(chance, cells, 6, 6)
        length = longest = -1
        without_progress = 0
        while attempts.count < LONG_TRIES:
            candidate = cells if length < 0 else mutate(chance, cells, 6, 6)
            component, new_length = attempts.look_at("".join(candidate), metric)
            without_progress = 0 if new_length > longest else without_progress + 1
            longest = max(longest, new_length)
            if length < 0 and component is None:
                break
            if without_progress > (NEAR_PATIENCE if longest >= NEAR * low else FAR_PATIENCE):
                break
            drop = max(0, length - new_length)
            if component is None or chance.random() * WORSE[metric] ** drop >= 1:
                continue
            length = new_length
            if length >= low:
                board = minimise(chance, component, request)
                if board is not None and vehicle_lines(board) not in known and accepts(request, board):
                    return board
            far = np.flatnonzero(component.distances >= length - SLACK)
            number = int(far[chance.randrange(len(far))])
            cells = list(write(component.rules, component.position(number)))
    return None


def vehicle_lines(text: str) -> tuple[tuple[int, int, int], ...]:
    """The line and the length of each vehicle, in order: the same for all positions of a component."""
    rules, position = read(text)
    vehicles = [
        (*map(int, row[[FIRST, STRIDE]]), int(offset_of(rules, position.offsets, number)), int(row[LENGTH]))
        for number, row in enumerate(rules.vehicles)
    ]
    return tuple((first, stride, length) for first, stride, _, length in sorted(vehicles))


def _search(
    chance: random.Random,
    width: int,
    height: int,
    walls: int,
    request: Request,
    attempts: Attempts,
) -> str | None:
    """Change random boards as long as that leads to longer solutions; the first one that fits the request."""
    prefix = "" if (width, height) == (6, 6) else f"{width}x{height}:"
    while attempts.count < TRIES:
        cells = random_board(chance, width, height, walls, request.vehicles)
        longest, without_progress = -1, 0
        while attempts.count < TRIES and without_progress < PATIENCE:
            candidate = cells if longest < 0 else mutate(chance, cells, width, height)
            component, length = attempts.look_at(prefix + "".join(candidate), request.metric)
            if length < longest:
                without_progress += 1
                continue
            without_progress = 0 if length > longest else without_progress + 1
            cells, longest = candidate, length
            if component is not None and length >= request.length.low:
                board = minimise(chance, component, request)
                if board is not None and accepts(request, board):
                    return board
    return None


def read_range(what: str, text: str, least: int, most: int) -> Range:
    """`20..25`, `20..`, `..25` or `20`."""
    parts = re.fullmatch(r"\s*(\d{0,4})\s*(\.\.)?\s*(\d{0,4})\s*", text)
    if parts is None or not (parts[1] or parts[3]) or (parts[3] and not parts[2]):
        raise GeneratorError(message("rush_hour.no_range", what=what, text=text))
    low = int(parts[1] or least)
    high = int(parts[3] or most) if parts[2] else low
    if not least <= low <= high <= most:
        raise GeneratorError(message("rush_hour.bad_range", what=what, text=text, least=least, most=most))
    return Range(low, high)


def read_size(text: str) -> tuple[int, int]:
    """`6x6`: width and height."""
    parts = re.fullmatch(r"\s*(\d{1,2})\s*[xX]\s*(\d{1,2})\s*", text)
    if parts is None or not all(SHORTEST_SIDE <= int(side) <= LONGEST_SIDE for side in parts.groups()):
        limits = {"shortest": SHORTEST_SIDE, "longest": LONGEST_SIDE}
        raise GeneratorError(message("rush_hour.bad_generator_size", text=text, **limits))
    return int(parts[1]), int(parts[2])


# ------------------------------------------------------------------ a board, as a list of characters


def random_board(
    chance: random.Random, width: int, height: int, walls: int, vehicles: Range | None
) -> list[str]:
    """A red car, walls and vehicles at random."""
    cells = ["."] * (width * height)
    row = (height - 1) // 2
    column = chance.randrange(max(1, width - 3))
    cells[row * width + column] = cells[row * width + column + 1] = RED
    free = [cell for cell in range(len(cells)) if cell // width != row]
    for cell in chance.sample(free, walls):
        cells[cell] = "x"
    low, high = vehicles or (round(width * height / 4), round(width * height / 2.8))
    for _ in range(chance.randint(low, high) - 1):
        add_vehicle(chance, cells, width, height)
    return cells


def add_vehicle(chance: random.Random, cells: list[str], width: int, height: int) -> None:
    """One more vehicle at a random free place, if sixty tries find one."""
    name = next(each for each in NAMES[1:] if each not in cells)
    red_row = cells.index(RED) // width
    for _ in range(60):
        length = 3 if chance.random() < 0.35 else 2
        upright = chance.random() < 0.55
        row = chance.randrange(height - length + 1 if upright else height)
        column = chance.randrange(width if upright else width - length + 1)
        if not upright and row == red_row:
            continue
        step = width if upright else 1
        places = [row * width + column + i * step for i in range(length)]
        if all(cells[place] == "." for place in places):
            for place in places:
                cells[place] = name
            return


def mutate(chance: random.Random, cells: list[str], width: int, height: int) -> list[str]:
    """The board with up to two vehicles taken away and about as many added."""
    names = sorted(set(cells) - {RED, ".", "x"})
    removed = chance.sample(names, min(len(names), chance.choice((0, 1, 1, 2))))
    changed = ["." if cell in removed else cell for cell in cells]
    for _ in range(max(1, len(removed) + chance.choice((-1, 0, 0, 1)))):
        add_vehicle(chance, changed, width, height)
    return changed


def rename(text: str) -> str:
    """The board with its vehicles named in the order of their first cells."""
    size, colon, cells = text.rpartition(":")
    names = {RED: RED, ".": ".", "x": "x"}
    for cell in cells:
        names.setdefault(cell, NAMES[len(names) - 2])
    return size + colon + "".join(names[cell] for cell in cells)


# ------------------------------------------------------------------ from the solved side


def component_of(text: str, metric: str) -> Component | None:
    """The component of a board, if it can be solved and is not too large."""
    component = explore(*read(text, metric=metric), Budget(nodes=LARGEST))
    return component if component.solvable else None


def minimise(chance: random.Random, component: Component, request: Request) -> str | None:
    """A board of this component, or of one with fewer vehicles, that fits the length and needs all its vehicles."""
    text = pick(chance, component, request)
    while text is not None:
        idle = idle_vehicles(*read(text, metric=request.metric))
        if not idle:
            return rename(text)
        text = without(text, chance.choice(idle))  # as long as before; perhaps a longer one is near
        larger = component_of(text, request.metric)
        if larger is None:
            return None
        if int(larger.distances.max()) <= request.length.high:
            text = pick(chance, larger, request)
    return None


def pick(chance: random.Random, component: Component, request: Request) -> str | None:
    """The farthest position, or if that is too far, one at a random distance that fits; None if there is none.

    With `unique`, the farthest that has only one shortest solution.
    """
    length = request.length
    if request.unique:
        fits = (
            (component.ways == 1) & (component.distances >= length.low) & (component.distances <= length.high)
        )
        if not fits.any():
            return None
        return write(component.rules, component.position(int(np.argmax(component.distances * fits))))
    farthest = int(component.distances.max())
    if farthest < length.low:
        return None
    if farthest <= length.high:
        number = component.hardest()
    else:
        at_distance = np.flatnonzero(component.distances == chance.randint(*length))
        number = int(chance.choice(at_distance.tolist()))
    return write(component.rules, component.position(number))


def accepts(request: Request, text: str) -> bool:
    """Whether the board fits the rest of the request: the vehicles, walls that matter, and the other metric."""
    cells = text.rpartition(":")[2]
    vehicles = len(set(cells) - {".", "x"})
    if request.vehicles is not None and not request.vehicles.low <= vehicles <= request.vehicles.high:
        return False
    walls = [place for place in range(text.find(":") + 1, len(text)) if text[place] == "x"]
    for place in walls:
        without_wall = text[:place] + "." + text[place + 1 :]
        if all(optimum(text, metric) == optimum(without_wall, metric) for metric in ("moves", "steps")):
            return False
    if request.detours or request.chain or request.unique:
        rules, position = read(text, metric=request.metric)
        component = explore(rules, position)
        values = [
            (request.detours, int(component.detours[0])),
            (request.chain, chain_length(rules, position)),
        ]
        if any(wish is not None and not wish.low <= value <= wish.high for wish, value in values):
            return False
        if request.unique and component.ways[0] != 1:
            return False
    if request.other_length is None:
        return True
    length = optimum(text, request.other_metric)
    return length is not None and request.other_length.low <= length <= request.other_length.high
