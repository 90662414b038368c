"""Heuristics of Rush Hour. Each is admissible in the metric of its rules:

              steps                                             moves
    distance  cells from the red car to the exit                1 if it is not there yet
    blockers  the same + vehicles in its way                    the same + vehicles in its way
    clearance the same + for each vehicle in the way, how far   the same + the most vehicles that must
              it must go; + what the worst of them needs more   make room for one of those in the way

Why they never overestimate: the red car has to pass every cell up to the exit, so each vehicle on one of these cells
must leave the red car's row, upwards or downwards; and every vehicle that stands where it has to go must move as well.
These are different vehicles, so their moves add up. `clearance` takes, for each vehicle in the way, the cheaper of the
two directions, and adds what must make room for one of them only, since two of them may need the same vehicle to move.
"""

from __future__ import annotations

from typing import NamedTuple

from ludion.core.verbs import kernel
from ludion.games.rush_hour.rules import (
    FIRST,
    LAST,
    LENGTH,
    STRIDE,
    RushHour,
    Traffic,
    is_free,
    offset_of,
    word_at,
)
from ludion.kinds.puzzle import estimate

NEVER = 1 << 20  # more than any cost


class Distance(NamedTuple):
    """How far the red car is from the exit."""


class Blockers(NamedTuple):
    """How far the red car is from the exit, and how many vehicles stand in its way (the old report's)."""


class Clearance(NamedTuple):
    """How far the red car and the vehicles in its way must go, and what must make room for one of them."""


Heuristic = Distance | Blockers | Clearance


def distance(rules: RushHour) -> Distance:
    """How far the red car is from the exit."""
    return Distance()


def blockers(rules: RushHour) -> Blockers:
    """Distance, and the vehicles in the way."""
    return Blockers()


def clearance(rules: RushHour) -> Clearance:
    """Blockers, and what they need to leave the way."""
    return Clearance()


@kernel(python_entry=False)
def cells_to_exit(rules: RushHour, position: Traffic) -> int:
    """How many cells the red car must still go."""
    return abs(rules.target - (position.offsets[0] & rules.mask))


@kernel(python_entry=False)
def red_cost(rules: RushHour, cells: int) -> int:
    """The least cost of so many cells for the red car."""
    return cells if rules.by_step else min(cells, 1)


@kernel(python_entry=False)
def front(rules: RushHour, position: Traffic) -> int:
    """The red car's cell that is nearest to the exit."""
    cell = rules.vehicles[0, FIRST] + (position.offsets[0] & rules.mask)
    return cell if rules.exit_left else cell + rules.vehicles[0, LENGTH] - 1  # type: ignore[no-any-return]


@estimate.register(Distance)
def _(heuristic: Distance, rules: RushHour, position: Traffic) -> int:
    return red_cost(rules, cells_to_exit(rules, position))


@estimate.register(Blockers)
def _(heuristic: Blockers, rules: RushHour, position: Traffic) -> int:
    cells = cells_to_exit(rules, position)
    total = red_cost(rules, cells)
    cell = front(rules, position)
    for _ in range(cells):
        cell += -1 if rules.exit_left else 1
        if not is_free(position.occupied, cell):
            total += 1
    return total


@estimate.register(Clearance)
def _(heuristic: Clearance, rules: RushHour, position: Traffic) -> int:
    cells = cells_to_exit(rules, position)
    total = red_cost(rules, cells)
    if cells == 0:
        return 0
    row = rules.vehicles[0, FIRST] // rules.width
    front_column = front(rules, position) % rules.width
    most_extra = 0  # of any vehicle in the way: what must make room for it
    for vehicle in range(1, rules.vehicles.shape[0]):
        if rules.vehicles[vehicle, STRIDE] == 1:
            continue
        column = rules.vehicles[vehicle, FIRST]
        here = offset_of(rules, position.offsets, vehicle)
        length = rules.vehicles[vehicle, LENGTH]
        ahead = front_column - column if rules.exit_left else column - front_column
        if ahead <= 0 or not here <= row < here + length:
            continue
        cheapest, least = least_to_clear(rules, position, vehicle)
        total += cheapest
        most_extra = max(most_extra, least - cheapest)
    return total + most_extra


@kernel(python_entry=False, inline=True)
def least_to_clear(rules: RushHour, position: Traffic, vehicle: int) -> tuple[int, int]:
    """The least cost of a vehicle's own moves that take it off the red car's row, and with what must make room for
    it."""
    row = rules.vehicles[0, FIRST] // rules.width
    here = offset_of(rules, position.offsets, vehicle)
    length = rules.vehicles[vehicle, LENGTH]
    cheapest = NEVER  # its own moves
    least = NEVER  # with those that must make room for it
    up = here + length - row  # how far it must go to be above the row
    if up <= here:
        obstacles = vehicles_between(rules, position, vehicle, here - up, here)
        if obstacles < NEVER:
            cheapest = up if rules.by_step else 1
            least = cheapest + obstacles
    down = row + 1 - here  # ... and to be below it
    if down <= rules.vehicles[vehicle, LAST] - here:
        obstacles = vehicles_between(rules, position, vehicle, here + length, here + length + down)
        if obstacles < NEVER:
            steps = down if rules.by_step else 1
            cheapest = min(cheapest, steps)
            least = min(least, steps + obstacles)
    if cheapest == NEVER:  # it can never leave the row, so there is no solution: any estimate is admissible
        cheapest = 1
        least = 1
    return cheapest, least


@kernel(python_entry=False)
def vehicles_between(rules: RushHour, position: Traffic, vehicle: int, begin: int, end: int) -> int:
    """How many others stand on rows `begin` to `end` - 1 of a vehicle's column; NEVER if there is a wall."""
    column = rules.vehicles[vehicle, FIRST]
    for row in range(begin, end):
        cell = row * rules.width + column
        if word_at(rules.walls, cell >> 6) >> (cell & 63) & 1 != 0:
            return NEVER
    count = 0
    for other in range(1, rules.vehicles.shape[0]):
        first = rules.vehicles[other, FIRST]
        here = offset_of(rules, position.offsets, other)
        after = here + rules.vehicles[other, LENGTH]
        if rules.vehicles[other, STRIDE] == 1:
            if begin <= first // rules.width < end and here <= column < after:
                count += 1
        elif first == column and other != vehicle and here < end and after > begin:
            count += 1
    return count
