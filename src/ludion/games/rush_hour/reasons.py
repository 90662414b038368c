"""Why a move is good: it leaves the red car's way, or makes room for another vehicle."""

from __future__ import annotations

from ludion.games.rush_hour.rules import (
    FIRST,
    LENGTH,
    STRIDE,
    RushHour,
    Traffic,
    offset_of,
    vehicle_of,
)
from ludion.games.rush_hour.words import RED, vehicle_words
from ludion.kinds.parts import MoveReason, Place, marks_at
from ludion.kinds.puzzle import is_goal, play
from ludion.messages import message

MOST_NAMED = 2  # vehicles that a move makes room for


def move_reason(rules: RushHour, position: Traffic, move: int) -> MoveReason | None:
    """The first of these that holds."""
    moved = int(vehicle_of(move))
    after = play(rules, position, move)
    if moved == RED:
        return MoveReason(message("rush_hour.why_exit")) if is_goal(rules, after) else None
    freed = cells_of(rules, position, moved) - cells_of(rules, after, moved)
    way = way_out(rules, position)
    if freed & way:
        left = places(rules, sorted(freed & way))
        return MoveReason(message("rush_hour.why_leaves_the_way"), marks_at("path", left))
    others = [vehicle for vehicle in range(len(rules.vehicles)) if vehicle != moved]
    freer = [each for each in others if reach(rules, after, each) & freed]
    in_the_way = [each for each in freer if each == RED or cells_of(rules, position, each) & way]
    named = (in_the_way or freer)[:MOST_NAMED]
    if not named:
        return None
    id = "rush_hour.why_room" if not in_the_way or RED in named else "rush_hour.why_room_in_the_way"
    vehicles = ", ".join(vehicle_words(rules, each) for each in named)
    covered = sorted(cell for each in named for cell in cells_of(rules, position, each))
    return MoveReason(message(id, vehicles=vehicles), marks_at("line", places(rules, covered)))


def places(rules: RushHour, cells: list[int]) -> list[Place]:
    """Their rows and columns."""
    return [divmod(cell, rules.width) for cell in cells]


def cells_of(rules: RushHour, position: Traffic, vehicle: int) -> set[int]:
    """The cells that a vehicle covers."""
    first, stride, length = map(int, rules.vehicles[vehicle, [FIRST, STRIDE, LENGTH]])
    offset = int(offset_of(rules, position.offsets, vehicle))
    return {first + (offset + each) * stride for each in range(length)}


def way_out(rules: RushHour, position: Traffic) -> set[int]:
    """The cells between the red car and the exit."""
    red = cells_of(rules, position, RED)
    row = min(red) - min(red) % rules.width
    return set(range(row, min(red)) if rules.exit_left else range(max(red) + 1, row + rules.width))


def reach(rules: RushHour, position: Traffic, vehicle: int) -> set[int]:
    """The free cells that a vehicle can slide onto."""
    first, stride, length = map(int, rules.vehicles[vehicle, [FIRST, STRIDE, LENGTH]])
    side = rules.width if stride == 1 else rules.height
    offset = int(offset_of(rules, position.offsets, vehicle))
    free = set()
    for beside in (range(offset - 1, -1, -1), range(offset + length, side)):
        for place in beside:
            cell = first + place * stride
            if position.occupied[cell >> 6] >> (cell & 63) & 1:  # a vehicle or a wall
                break
            free.add(cell)
    return free
