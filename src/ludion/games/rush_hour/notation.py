"""Text and boards.

A board is its cells row by row: `.` or `o` empty, `x` a wall, `A` the red car, any other letter or digit a vehicle.
36 characters are a 6x6 board; other sizes are written `WxH:cells`. The old report's form, a list of 36 integers (0
empty, 1 the red car, -1 a wall), is read as well. A move is a vehicle and how far it goes, right or down being
positive: `A+2`.

Reading has two parts: `parse` finds the size and the characters of the cells, `number_vehicles` numbers the vehicles
(it is compiled, for batches).
"""

from __future__ import annotations

import math
import re
import string
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
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
    distance_of,
    is_wall,
    make_move,
    offset_of,
    rush_hour,
    survey,
    vehicle_of,
)
from ludion.messages import message

RED = "A"
METRICS = ("moves", "steps")
EXITS = ("right", "left")
ORDERS = ("plain", "report")
# Names for numbered vehicles; `o` and `x` mean something else. 128 are enough for 16x16.
NAMES = (
    string.ascii_uppercase
    + "".join(letter for letter in string.ascii_lowercase if letter not in "ox")
    + string.digits
    + "".join(chr(code) for code in range(0xC0, 0x148) if chr(code).isalpha())
)
_RED, _DOT, _O, _X = ord(RED), ord("."), ord("o"), ord("x")
_SIZE = re.compile(r"(\d{1,4})\s*[xX]\s*(\d{1,4})\s*:\s*")
_SEPARATOR = re.compile(r"[\s,]")


class Cells(NamedTuple):
    """The size of a board, and the characters of its cells, row by row."""

    width: int
    height: int
    text: str


# ------------------------------------------------------------------ reading boards


def read(
    text: str, metric: str | None = None, exit: str = "right", order: str = "plain"
) -> tuple[RushHour, Traffic]:
    """The position that the text names, with the rules for its board."""
    metric = check_options(metric, exit, order)
    width, height, cells = parse(text)
    codes, names = np.zeros(len(cells), np.int64), np.zeros(len(cells) + 1, np.int64)
    count = int(number_vehicles(code_points(cells), codes, names))
    surveyed = survey(codes, width, height)
    if surveyed.fault != FINE:
        raise NotationError(_fault(surveyed.fault, int(surveyed.cell), cells, width))
    order_of_moves = SCANNED if order == "report" else PLAIN
    return rush_hour(
        surveyed, codes, names[:count], width, height, exit == "left", metric == "steps", order_of_moves
    )


def check_options(metric: str | None, exit: str, order: str) -> str:
    """Refuse options that are unknown or do not go together; return the metric."""
    if exit not in EXITS:
        raise NotationError(message("rush_hour.unknown_exit", exit=exit, known=" or ".join(EXITS)))
    if order not in ORDERS:
        raise NotationError(message("rush_hour.unknown_order", order=order, known=" or ".join(ORDERS)))
    metric = metric or ("steps" if order == "report" else "moves")
    if metric not in METRICS:
        raise NotationError(message("rush_hour.unknown_metric", metric=metric, known=" or ".join(METRICS)))
    if order == "report" and metric != "steps":
        raise UnfitError(message("rush_hour.report_counts_steps"))
    return metric


def parse(text: str) -> Cells:
    """The size and the cells of a board in any of its forms; every character is a vehicle's name, `.`, `o` or `x`."""
    text = text.strip()
    size = _SIZE.match(text)
    width, height = (int(size[1]), int(size[2])) if size else (6, 6)
    if min(width, height) < SHORTEST_SIDE or max(width, height) > LONGEST_SIDE:
        limits = {"shortest": SHORTEST_SIDE, "longest": LONGEST_SIDE}
        raise NotationError(message("rush_hour.bad_size", size=f"{width}x{height}", **limits))
    cells = text[size.end() :] if size else text
    if _SEPARATOR.search(cells):
        cells = _from_integers(cells, width)
    if len(cells) != width * height:
        raise NotationError(_wrong_count(len(cells), width, height, size is None))
    names = cells.replace(".", "")
    if names and not names.isalnum():
        index = next(index for index, name in enumerate(cells) if name != "." and not name.isalnum())
        raise NotationError(message("rush_hour.no_vehicle_sign", **_place(index, width), sign=cells[index]))
    return Cells(width, height, cells)


def code_points(cells: str) -> np.ndarray:
    """The code of every character."""
    return np.frombuffer(cells.encode("utf-32-le"), np.uint32)


@kernel
def number_vehicles(cells: Any, codes: Any, names: Any) -> int:
    """Write the codes of the cells and the names of the vehicles; return how many vehicles there are.

    Vehicles are numbered by their names, the red car first, so that all positions of a board number them alike.
    If there is not enough room for the names, return -1.
    """
    names[0] = _RED
    count = 1
    for i in range(codes.size):
        name = np.int64(cells[i])
        if name in (_DOT, _O, _X, _RED):
            continue
        place = count
        while place > 1 and names[place - 1] > name:
            place -= 1
        if place > 1 and names[place - 1] == name:
            continue
        if count == names.size:
            return -1
        for later in range(count, place, -1):
            names[later] = names[later - 1]
        names[place] = name
        count += 1
    for i in range(codes.size):
        name = np.int64(cells[i])
        if name in (_DOT, _O):
            codes[i] = EMPTY
        elif name == _X:
            codes[i] = WALL
        else:
            vehicle = 0
            while names[vehicle] != name:
                vehicle += 1
            codes[i] = vehicle + 1
    return count


def _from_integers(text: str, width: int) -> str:
    """The cells of the report's list of integers, as characters: vehicle n becomes the n-th name."""
    numbers = []
    for index, word in enumerate(text.strip("[]() ").replace(",", " ").split()):
        if not re.fullmatch(r"-?\d{1,9}", word) or int(word) < -1:
            raise NotationError(message("rush_hour.no_vehicle_number", **_place(index, width), word=word))
        numbers.append(int(word))
    vehicles = sorted({number for number in numbers if number > 1})
    if vehicles and vehicles[-1] > len(NAMES):  # too large to choose the name: name them in their order
        if len(vehicles) >= len(NAMES):
            counts = {"count": len(vehicles) + 1, "most": len(NAMES)}
            raise NotationError(message("rush_hour.too_many_vehicles", **counts))
        name = {number: NAMES[index + 1] for index, number in enumerate(vehicles)}
    else:
        name = {number: NAMES[number - 1] for number in vehicles}
    name |= {-1: "x", 0: ".", 1: RED}
    return "".join(name[number] for number in numbers)


def _wrong_count(count: int, width: int, height: int, without_size: bool) -> str:
    """The sentence for a board that has not as many cells as its size says."""
    cells = width * height
    sentence = message("rush_hour.wrong_count", count=count, size=f"{width}x{height}", cells=cells)
    if 0 < count < cells:
        sentence += message("rush_hour.ends_in", **_place(count - 1, width))
    side = math.isqrt(count)
    if without_size and side * side == count and SHORTEST_SIDE <= side <= LONGEST_SIDE:
        sentence += message("rush_hour.begins_with_size", size=f"{side}x{side}")
    elif without_size and count > LONGEST_SIDE**2:
        sentence += message("rush_hour.largest_size", size=f"{LONGEST_SIDE}x{LONGEST_SIDE}")
    return sentence


def _fault(fault: int, cell: int, cells: str, width: int) -> str:
    """The sentence for a fault of the vehicles."""
    if fault == NO_RED:
        return message("rush_hour.no_red_car", **_place(len(cells) - 1, width), red=RED)
    ids = {
        BENT: "rush_hour.vehicle_bent",
        BROKEN: "rush_hour.vehicle_broken",
        SINGLE: "rush_hour.vehicle_single",
        RED_UPRIGHT: "rush_hour.vehicle_red_upright",
    }
    return message(ids[fault], **_place(cell, width), name=cells[cell])


def _place(cell: int, width: int) -> dict[str, int]:
    return {"row": cell // width + 1, "column": cell % width + 1}


# ------------------------------------------------------------------ writing boards


def write(rules: RushHour, position: Traffic) -> str:
    """The position as text; `read` reads it back (with the same options)."""
    cells = "".join(board(rules, position))
    return cells if (rules.width, rules.height) == (6, 6) else f"{rules.width}x{rules.height}:{cells}"


def write_integers(rules: RushHour, position: Traffic) -> str:
    """The position in the old report's form: one integer per cell, the red car being 1."""
    vehicles = {name: vehicle + 1 for vehicle, name in enumerate(names_of(rules))}
    numbers = {".": 0, "x": -1, **vehicles}
    return f"[{','.join(str(numbers[name]) for name in board(rules, position))}]"


def board(rules: RushHour, position: Traffic) -> list[str]:
    """The characters of the cells, row by row."""
    cells = ["x" if is_wall(rules, cell) else "." for cell in range(rules.width * rules.height)]
    for vehicle, name in enumerate(names_of(rules)):
        for cell in cells_of(rules, position, vehicle):
            cells[cell] = name
    return cells


def names_of(rules: RushHour) -> list[str]:
    """The names of the vehicles, the red car's first."""
    return [chr(code) for code in rules.vehicles[:, NAME].tolist()]


def cells_of(rules: RushHour, position: Traffic, vehicle: int) -> list[int]:
    """The cells that a vehicle covers."""
    first, stride = int(rules.vehicles[vehicle, FIRST]), int(rules.vehicles[vehicle, STRIDE])
    offset = int(offset_of(rules, position.offsets, vehicle))
    return [first + (offset + i) * stride for i in range(int(rules.vehicles[vehicle, LENGTH]))]


# ------------------------------------------------------------------ moves


def read_move(rules: RushHour, position: Traffic, text: str) -> int:
    """The move that the text names."""
    parts = re.fullmatch(r"\s*(\S)\s*([+-])\s*(\d{1,2})\s*", text)
    if parts is None:
        raise NotationError(message("rush_hour.no_move", text=text))
    name, sign, digits = parts.groups()
    names = names_of(rules)
    if name not in names:
        raise NotationError(message("rush_hour.no_such_vehicle", text=text, name=name, names=" ".join(names)))
    distance = int(sign + digits)
    if not 0 < abs(distance) < LONGEST_SIDE:
        raise NotationError(message("rush_hour.bad_distance", text=text, most=LONGEST_SIDE - 1))
    return make_move(names.index(name), distance)


def write_move(rules: RushHour, position: Traffic | None, move: int) -> str:
    """The name of the move."""
    return move_name(int(rules.vehicles[vehicle_of(move), NAME]), distance_of(move))


def move_name(name_code: int, distance: int) -> str:
    """The name of a move of the vehicle with this name (its character's code)."""
    return f"{chr(name_code)}{distance:+d}"
