"""New boards, the same ones for the same seed.

A board is made in three steps. Vehicles are placed at random, and exchanged at random while that leads
farther; then the search walks from the solved side to the farthest position of the component (or, if that
is farther than was asked for, to one at a distance that was); then vehicles that make no difference are
taken away, until every one is needed.
"""

from __future__ import annotations

import random
import re
import threading

import numpy as np

from ludion.engines.budget import Budget, check
from ludion.errors import LudionError
from ludion.games.rush_hour.analysis import Component, explore, idle_vehicles, optimum, without
from ludion.games.rush_hour.notation import NAMES, read, write
from ludion.games.rush_hour.rules import LONGEST_SIDE, SHORTEST_SIDE

DIFFICULTIES = {"easy": "5..10", "medium": "11..17", "hard": "18..26", "expert": "27..50"}
FARTHEST = 200  # the end of an open range of moves or steps
LARGEST = 60_000  # positions of a component; larger ones are passed over
TRIES = 1500  # boards that are looked at before giving up
PATIENCE = 40  # exchanges without progress before a fresh start


class GeneratorError(LudionError):
    """A wish that cannot be understood, or that no board was found for."""


def generate(
    seed: int,
    difficulty: str = "medium",
    moves: str = "",
    steps: str = "",
    vehicles: str = "",
    walls: int = 0,
    size: str = "6x6",
    stop: threading.Event | None = None,
) -> str:
    """A board whose solution is as long as wanted (`20..25`, `20..`, `20`) in moves, steps or both."""
    if difficulty not in DIFFICULTIES:
        raise GeneratorError(f"difficulty '{difficulty}': {', '.join(DIFFICULTIES)}")
    if not moves and not steps:
        moves = DIFFICULTIES[difficulty]
    width, height = read_size(size)
    cells = width * height
    if not 0 <= walls <= cells // 6:
        raise GeneratorError(f"walls must be from 0 to {cells // 6} on a {size} board, not {walls}")
    metric, other = ("moves", "steps") if moves else ("steps", "moves")
    wanted = read_range(metric, moves or steps, 1, FARTHEST)
    also = read_range(other, steps, 1, FARTHEST) if moves and steps else None
    most = min(len(NAMES) - 2, (cells - walls) // 2)
    count = read_range("vehicles", vehicles, 1, most) if vehicles else None
    chance = random.Random(f"{seed} {width}x{height}")
    prefix = "" if (width, height) == (6, 6) else f"{width}x{height}:"
    tried = 0
    while tried < TRIES:
        board = scattered(chance, width, height, walls, count)
        best, idle_turns = -1, 0
        while tried < TRIES and idle_turns < PATIENCE:
            check(stop)
            tried += 1
            candidate = board if best < 0 else exchanged(chance, board, width, height)
            found = explored(prefix + "".join(candidate), metric)
            farthest = int(found.distances.max()) if found is not None else -1
            if farthest < best:
                idle_turns += 1
                continue
            idle_turns = 0 if farthest > best else idle_turns + 1
            board, best = candidate, farthest
            if found is not None and farthest >= wanted[0]:
                made = finished(chance, found, metric, wanted)
                if made is not None and suits(made, count, other, also):
                    return made
    said = f"{metric} {moves or steps}" + (f", {other} {steps}" if also else "")
    said += (f", vehicles {vehicles}" if count else "") + (f", walls {walls}" if walls else "")
    raise GeneratorError(
        f"no {size} board with {said} among {TRIES} tries; ask for less, or try another seed"
    )


def read_range(what: str, text: str, least: int, most: int) -> tuple[int, int]:
    """`20..25`, `20..`, `..25` or `20`."""
    parts = re.fullmatch(r"\s*(\d{0,4})\s*(\.\.)?\s*(\d{0,4})\s*", text)
    if parts is None or not (parts[1] or parts[3]) or (parts[3] and not parts[2]):
        raise GeneratorError(f"{what} '{text}' is no range: write 20..25, 20.. or 20")
    low = int(parts[1] or least)
    high = int(parts[3] or most) if parts[2] else low
    if not least <= low <= high <= most:
        raise GeneratorError(f"{what} '{text}': a range goes upwards, from {least} to {most} at the most")
    return low, high


def read_size(text: str) -> tuple[int, int]:
    parts = re.fullmatch(r"\s*(\d{1,2})\s*[xX]\s*(\d{1,2})\s*", text)
    if parts is None or not all(SHORTEST_SIDE <= int(side) <= LONGEST_SIDE for side in parts.groups()):
        raise GeneratorError(
            f"size '{text}': write 6x6, or another from {SHORTEST_SIDE} to {LONGEST_SIDE} cells a side"
        )
    return int(parts[1]), int(parts[2])


# ------------------------------------------------------------------ a board, as a list of characters


def scattered(
    chance: random.Random, width: int, height: int, walls: int, count: tuple[int, int] | None
) -> list[str]:
    """A red car, walls and vehicles at random."""
    board = ["."] * (width * height)
    row = (height - 1) // 2
    column = chance.randrange(max(1, width - 3))
    board[row * width + column] = board[row * width + column + 1] = "A"
    free = [cell for cell in range(len(board)) if cell // width != row]
    for cell in chance.sample(free, walls):
        board[cell] = "x"
    low, high = count or (round(width * height / 4), round(width * height / 2.8))
    for _ in range(chance.randint(low, high) - 1):
        add_vehicle(chance, board, width, height)
    return board


def add_vehicle(chance: random.Random, board: list[str], width: int, height: int) -> None:
    """One more vehicle at a random free place, if there is one after some looking."""
    name = next(each for each in NAMES[1:] if each not in board)
    red_row = board.index("A") // width
    for _ in range(60):
        length = 3 if chance.random() < 0.35 else 2
        upright = chance.random() < 0.55
        row = chance.randrange(height - length + 1 if upright else height)
        column = chance.randrange(width if upright else width - length + 1)
        if not upright and row == red_row:
            continue
        cells = [(row + i) * width + column if upright else row * width + column + i for i in range(length)]
        if all(board[cell] == "." for cell in cells):
            for cell in cells:
                board[cell] = name
            return


def exchanged(chance: random.Random, board: list[str], width: int, height: int) -> list[str]:
    """The board with one or two vehicles taken away and as many, or one more, added."""
    names = sorted(set(board) - {"A", ".", "x"})
    gone = chance.sample(names, min(len(names), chance.choice((0, 1, 1, 2))))
    made = ["." if cell in gone else cell for cell in board]
    for _ in range(max(1, len(gone) + chance.choice((-1, 0, 0, 1)))):
        add_vehicle(chance, made, width, height)
    return made


def named(text: str) -> str:
    """The board with its vehicles named in the order of their first cells."""
    size, colon, cells = text.rpartition(":")
    names = {"A": "A", ".": ".", "x": "x"}
    for cell in cells:
        names.setdefault(cell, NAMES[len(names) - 2])
    return size + colon + "".join(names[cell] for cell in cells)


# ------------------------------------------------------------------ from the solved side


def explored(text: str, metric: str) -> Component | None:
    """The component of a board, if it can be solved and is not too large."""
    found = explore(*read(text, metric=metric), Budget(nodes=LARGEST))
    return found if found.solvable else None


def finished(chance: random.Random, found: Component, metric: str, wanted: tuple[int, int]) -> str | None:
    """A minimal board of this component, or of one with fewer vehicles, as hard as wanted."""
    text = chosen(chance, found, wanted)
    while text is not None:
        idle = idle_vehicles(*read(text, metric=metric))
        if not idle:
            return named(text)
        text = without(text, chance.choice(idle))  # as long as before; perhaps a longer one is near
        wider = explored(text, metric)
        if wider is None:
            return None
        if int(wider.distances.max()) <= wanted[1]:
            text = chosen(chance, wider, wanted)
    return None


def chosen(chance: random.Random, found: Component, wanted: tuple[int, int]) -> str | None:
    """The farthest position if that is not too far; else one at a distance that is wanted."""
    farthest = int(found.distances.max())
    if farthest < wanted[0]:
        return None
    if farthest <= wanted[1]:
        number = found.hardest()
    else:
        number = int(chance.choice(np.flatnonzero(found.distances == chance.randint(*wanted)).tolist()))
    return write(found.rules, found.position(number))


def suits(text: str, count: tuple[int, int] | None, other: str, also: tuple[int, int] | None) -> bool:
    """Whether a board keeps the other wishes: walls that matter, the number of vehicles, the other metric."""
    cells = text.rpartition(":")[2]
    vehicles = len(set(cells) - {".", "x"})
    if count is not None and not count[0] <= vehicles <= count[1]:
        return False
    walled = [cell for cell in range(text.find(":") + 1, len(text)) if text[cell] == "x"]
    if not all(
        (optimum(text, "moves"), optimum(text, "steps")) != (optimum(less, "moves"), optimum(less, "steps"))
        for less in (text[:cell] + "." + text[cell + 1 :] for cell in walled)
    ):
        return False
    length = optimum(text, other) if also is not None else None
    return also is None or (length is not None and also[0] <= length <= also[1])
