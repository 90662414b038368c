"""Text and boards.

A board is its cells row by row: `.` or `o` empty, `x` a wall, `A` the red car, any other letter or digit a
vehicle. 36 characters are a 6x6 board; other sizes are written `WxH:cells`. The old report's form, a list
of 36 integers (0 empty, 1 the red car, -1 a wall), is read as well. A move is a vehicle and how far it
goes, right or down being positive: `A+2`.
"""

from __future__ import annotations

import math
import re
import string
from typing import Any

import numpy as np

from ludion.errors import NotationError, UnfitError
from ludion.games.rush_hour.rules import (
    BENT,
    BROKEN,
    EMPTY,
    FINE,
    FIRST,
    LENGTH,
    LONGEST_SIDE,
    NAME,
    NO_RED,
    PLAIN,
    RED_UPRIGHT,
    SCANNED,
    SHORTEST_SIDE,
    SINGLE,
    STRIDE,
    WALL,
    RushHour,
    Traffic,
    offset_of,
    rush_hour,
    survey,
)

RED = "A"
METRICS = ("moves", "steps")
EXITS = ("right", "left")
ORDERS = ("plain", "report")
# Names for numbered vehicles; `o` and `x` mean something else. 128 are enough for 16x16.
NAMES = (
    string.ascii_uppercase
    + "".join(each for each in string.ascii_lowercase if each not in "ox")
    + string.digits
    + "".join(chr(code) for code in range(0xC0, 0x148) if chr(code).isalpha())
)


def read(
    text: str, metric: str | None = None, exit: str = "right", order: str = "plain"
) -> tuple[RushHour, Traffic]:
    """The position that the text names, with the rules for its board."""
    _check_choice("exit", exit, EXITS, "a board has one exit, ")
    _check_choice("order", order, ORDERS)
    metric = metric or ("steps" if order == "report" else "moves")
    _check_choice("metric", metric, METRICS)
    if order == "report" and metric != "steps":
        raise UnfitError("the report's order is one of steps: use metric=steps with order=report")
    width, height, cells = _cells(text)
    for index, name in enumerate(cells):
        if name not in ".ox" and not name.isalnum():
            raise NotationError(
                f"{_place(index, width)}: '{name}' is no vehicle (a letter or digit), empty (.) or wall (x)"
            )
    # Vehicles are numbered by their names, the red car first, so that any position of a board is read alike.
    letters = [RED, *sorted(set(cells) - {RED, ".", "o", "x"})]
    number = {".": EMPTY, "o": EMPTY, "x": WALL, **{name: index for index, name in enumerate(letters, 1)}}
    codes = np.array([number[name] for name in cells], np.int64)
    found = survey(codes, width, height)
    if found.fault != FINE:
        raise NotationError(_fault(found.fault, int(found.cell), cells, width))
    names = np.array([ord(name) for name in letters], np.int64)
    return rush_hour(
        codes,
        found,
        names,
        width,
        height,
        exit == "left",
        metric == "steps",
        SCANNED if order == "report" else PLAIN,
    )


def write(rules: RushHour, position: Traffic) -> str:
    """The position as text; `read` reads it back (with the same options)."""
    cells = "".join(board(rules, position))
    return cells if (rules.width, rules.height) == (6, 6) else f"{rules.width}x{rules.height}:{cells}"


def write_integers(rules: RushHour, position: Traffic) -> str:
    """The position in the old report's form: one integer a cell, the red car being 1."""
    numbers = {
        ".": 0,
        "x": -1,
        **{chr(code): vehicle + 1 for vehicle, code in enumerate(rules.vehicles[:, NAME].tolist())},
    }
    return f"[{','.join(str(numbers[name]) for name in board(rules, position))}]"


def board(rules: RushHour, position: Traffic) -> list[str]:
    """The characters of the cells, row by row."""
    cells = [
        "x" if rules.walls[cell >> 6] >> (cell & 63) & 1 else "."
        for cell in range(rules.width * rules.height)
    ]
    for vehicle in range(len(rules.vehicles)):
        for cell in cells_of(rules, position, vehicle):
            cells[cell] = chr(int(rules.vehicles[vehicle, NAME]))
    return cells


def cells_of(rules: RushHour, position: Traffic, vehicle: int) -> list[int]:
    """The cells that a vehicle stands on."""
    begin, stride = int(rules.vehicles[vehicle, FIRST]), int(rules.vehicles[vehicle, STRIDE])
    offset = int(offset_of(rules, position.offsets, vehicle))
    return [begin + (offset + i) * stride for i in range(int(rules.vehicles[vehicle, LENGTH]))]


def read_move(rules: RushHour, position: Traffic, text: str) -> int:
    """The move that the text names."""
    parts = re.fullmatch(r"\s*(\S)\s*([+-])\s*(\d{1,2})\s*", text)
    if parts is None:
        raise NotationError(f"'{text}' is no move (a vehicle and how far it goes: A+2, B-1)")
    name, sign, digits = parts.groups()
    names = [chr(code) for code in rules.vehicles[:, NAME].tolist()]
    if name not in names:
        raise NotationError(f"'{text}': there is no vehicle {name} (there are {' '.join(names)})")
    distance = int(sign + digits)
    if not 0 < abs(distance) < LONGEST_SIDE:
        raise NotationError(f"'{text}': a vehicle goes 1 to {LONGEST_SIDE - 1} cells")
    return names.index(name) << 5 | distance + 16


def write_move(rules: RushHour, position: Traffic | None, move: int) -> str:
    return f"{chr(int(rules.vehicles[move >> 5, NAME]))}{(move & 31) - 16:+d}"


def _cells(text: str) -> tuple[int, int, list[str]]:
    """Width, height, and the characters of the cells."""
    text = text.strip()
    size = re.match(r"(\d+)\s*[xX]\s*(\d+)\s*:\s*", text)
    width, height = (int(size[1]), int(size[2])) if size else (6, 6)
    for side in (width, height):
        if not SHORTEST_SIDE <= side <= LONGEST_SIDE:
            raise NotationError(
                f"a board of {width}x{height}: sides go from {SHORTEST_SIDE} to {LONGEST_SIDE}"
            )
    rest = text[size.end() :] if size else text
    cells = _integers(rest, width) if re.search(r"[\s,]", rest) else list(rest)
    if len(cells) != width * height:
        side = math.isqrt(len(cells))
        hint = ""
        if size is None and side * side == len(cells) and SHORTEST_SIDE <= side <= LONGEST_SIDE:
            hint = f"; a {side}x{side} board begins with '{side}x{side}:'"
        elif size is None and len(cells) > LONGEST_SIDE**2:
            hint = f"; boards go up to {LONGEST_SIDE}x{LONGEST_SIDE}"
        where = f"; it ends in {_place(len(cells) - 1, width)}" if 0 < len(cells) < width * height else ""
        raise NotationError(
            f"{len(cells)} cells, but a {width}x{height} board has {width * height}{where}{hint}"
        )
    return width, height, cells


def _integers(text: str, width: int) -> list[str]:
    """The cells of the report's list of integers, as characters: vehicle n becomes the n-th name."""
    words = text.strip("[]() ").replace(",", " ").split()
    numbers = []
    for index, word in enumerate(words):
        if not re.fullmatch(r"-?\d{1,9}", word) or int(word) < -1:
            raise NotationError(
                f"{_place(index, width)}: '{word}' is no vehicle's number (0 is empty, -1 a wall)"
            )
        numbers.append(int(word))
    vehicles = sorted({number for number in numbers if number > 1})
    if vehicles and vehicles[-1] > len(NAMES):  # too large to stand for themselves: count them
        if len(vehicles) >= len(NAMES):
            raise NotationError(f"{len(vehicles) + 1} vehicles, more than {len(NAMES)}")
        name = {number: NAMES[index + 1] for index, number in enumerate(vehicles)}
    else:
        name = {number: NAMES[number - 1] for number in vehicles}
    name |= {-1: "x", 0: ".", 1: RED}
    return [name[number] for number in numbers]


def _fault(fault: int, cell: int, cells: list[str], width: int) -> str:
    """The fault in words."""
    name, place = cells[cell], _place(cell, width)
    if fault == NO_RED:
        return f"no red car: no cell from row 1, column 1 to {_place(len(cells) - 1, width)} is '{RED}'"
    return {
        BENT: f"{place}: vehicle {name} is bent; vehicles are straight, in a row or in a column",
        BROKEN: f"{place}: vehicle {name} is broken: this cell does not touch the others",
        SINGLE: f"{place}: vehicle {name} has one cell; vehicles have at least two",
        RED_UPRIGHT: f"{place}: the red car {RED} stands in a column; it must stand in a row",
    }[fault]


def _place(cell: int, width: int) -> str:
    return f"row {cell // width + 1}, column {cell % width + 1}"


def _check_choice(what: str, given: Any, choices: tuple[str, ...], why: str = "") -> None:
    if given not in choices:
        raise NotationError(f"{what} '{given}': {why}{' or '.join(choices)}")
