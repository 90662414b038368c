"""Vehicles and moves in words, for speech and lists: "car D up 2"."""

from __future__ import annotations

from ludion.games.rush_hour.rules import (
    FIRST,
    LENGTH,
    NAME,
    STRIDE,
    RushHour,
    Traffic,
    distance_of,
    offset_of,
    vehicle_of,
)
from ludion.messages import message

RED = 0  # the number of the car that is to leave
LONGEST_CAR = 2  # cells


def vehicle_words(rules: RushHour, vehicle: int) -> str:
    """The red car, a car or a truck by its letter."""
    if vehicle == RED:
        return message("rush_hour.say_red")
    kind = "car" if int(rules.vehicles[vehicle, LENGTH]) <= LONGEST_CAR else "truck"
    return message(f"rush_hour.say_{kind}", name=chr(int(rules.vehicles[vehicle, NAME])))


def say_move(rules: RushHour, position: Traffic | None, move: int) -> str:
    """Which vehicle goes where, and how many cells."""
    vehicle, distance = vehicle_of(move), distance_of(move)
    ways = ("left", "right") if int(rules.vehicles[vehicle, STRIDE]) == 1 else ("up", "down")
    way = message(f"rush_hour.say_way.{ways[distance > 0]}")
    return message("rush_hour.say_move", vehicle=vehicle_words(rules, vehicle), way=way, n=abs(distance))


def place_words(rules: RushHour, position: Traffic, vehicle: int) -> str:
    """Where a vehicle stands; rows and columns count from 1."""
    first, stride, length = map(int, rules.vehicles[vehicle, [FIRST, STRIDE, LENGTH]])
    cell = first + int(offset_of(rules, position.offsets, vehicle)) * stride
    row, column = cell // rules.width + 1, cell % rules.width + 1
    words = vehicle_words(rules, vehicle)
    if stride == 1:
        return message("rush_hour.say_flat", vehicle=words, row=row, first=column, last=column + length - 1)
    return message("rush_hour.say_upright", vehicle=words, column=column, first=row, last=row + length - 1)
