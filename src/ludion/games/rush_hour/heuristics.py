"""Heuristics of Rush Hour. Each is admissible in the metric of its rules:

              steps                                             moves
    distance  cells from the red car to the exit                1 if it is not there yet
    blockers  the same + vehicles in its way                    the same + vehicles in its way
    clearance the same + for each vehicle in the way, how far   the same + the most vehicles that must
              it must go; + what the worst of them needs more   make room for one of those in the way
    chains    how far they must go at least, they and all       how many vehicles must move at all, + 1 for each
              that must make room for them, and for those       that must move before and after another one

Why they never overestimate: the red car has to pass every cell up to the exit, so each vehicle on one of these cells
must leave the red car's row, upwards or downwards; and every vehicle that stands where it has to go must move as well.
These are different vehicles, so their moves add up. `clearance` takes, for each vehicle in the way, the cheaper of the
two directions, and adds what must make room for one of them only, since two of them may need the same vehicle to move.

`chains` follows the vehicles that must make room as far as they go. A vehicle that must leave a cell does so in one of
two directions; it sweeps the cells in between, so whatever stands there must leave before it. In any solution each of
these vehicles has chosen a direction. So the least number of vehicles in the whole chain, over all choices, is a bound
(a vehicle that must move for two reasons counts for the first). And a vehicle that stands in the way of one which must
move before it has to move twice. The choices are searched with branch and bound; a search that takes too long stops
following chains, which lowers the bound.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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
NOBODY, BLOCKED = -1, -2  # instead of a vehicle: none, a wall
MOST_CHOICES = 200  # of `chains`, for one position
MOST_FOLLOWED = 63  # vehicles in a mask; others are left out of chains, which lowers the bound

# The columns of the work space of `chains`. A task is a vehicle that must leave a cell; the tasks stand in a queue, and
# the search for the best choices is at one of them.
# Of a task: the vehicle, the cell of its line, and the vehicles that need it to move.
TASK_VEHICLE, TASK_CELL, ANCESTORS = range(3)
# Before its choice: sides tried, number of tasks, masks of the vehicles that move and that move twice, cost so far.
NEXT_SIDE, TASKS, MOVING, TWICE, TOTAL = range(3, 8)
TASK_COLUMNS = 8


class Distance(NamedTuple):
    """How far the red car is from the exit."""


class Blockers(NamedTuple):
    """How far the red car is from the exit, and how many vehicles stand in its way (the old report's)."""


class Clearance(NamedTuple):
    """How far the red car and the vehicles in its way must go, and what must make room for one of them."""


class Chains(NamedTuple):
    """How many vehicles must move, or how far, for the red car's way and for one another."""

    crossing: np.ndarray  # crossing[c]: the vehicles that may cover cell c, then NOBODY


Heuristic = Distance | Blockers | Clearance | Chains


def distance(rules: RushHour) -> Distance:
    """How far the red car is from the exit."""
    return Distance()


def blockers(rules: RushHour) -> Blockers:
    """Distance, and the vehicles in the way."""
    return Blockers()


def clearance(rules: RushHour) -> Clearance:
    """Blockers, and what they need to leave the way."""
    return Clearance()


def chains(rules: RushHour) -> Chains:
    """Clearance, followed from vehicle to vehicle."""
    on_cell: list[list[int]] = [[] for _ in range(rules.width * rules.height)]
    for vehicle, (_, first, stride, length, last) in enumerate(rules.vehicles[:, : LAST + 1].tolist()):
        for place in range(last + length):
            on_cell[first + place * stride].append(vehicle)
    crossing = np.full((len(on_cell), max(map(len, on_cell)) + 1), NOBODY)
    for cell, vehicles in enumerate(on_cell):
        crossing[cell, : len(vehicles)] = vehicles
    return Chains(crossing)


@kernel(python_entry=False)
def cells_to_exit(rules: RushHour, position: Traffic) -> int:
    """How many cells the red car must still go."""
    return abs(rules.target - offset_of(rules, position.offsets, 0))


@kernel(python_entry=False)
def red_cost(rules: RushHour, cells: int) -> int:
    """The least cost for the red car to move this many cells."""
    return cells if rules.by_step else min(cells, 1)


@kernel(python_entry=False)
def front(rules: RushHour, position: Traffic) -> int:
    """The red car's cell that is nearest to the exit."""
    cell = rules.vehicles[0, FIRST] + offset_of(rules, position.offsets, 0)
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
    least = NEVER  # including the vehicles that must make room for it
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


@estimate.register(Chains)
def _(heuristic: Chains, rules: RushHour, position: Traffic) -> int:
    cells = cells_to_exit(rules, position)
    if cells == 0:
        return 0
    return least_of_chains(heuristic, rules, position, cells)


@kernel(python_entry=False)
def least_of_chains(heuristic: Chains, rules: RushHour, position: Traffic, cells: int) -> int:
    """The least cost of a chain, over all choices of directions."""
    tasks = np.empty((MOST_FOLLOWED + 1, TASK_COLUMNS), np.int64)
    count = 0
    moving = 1  # the red car
    total = red_cost(rules, cells)
    step = -1 if rules.exit_left else 1
    for i in range(1, cells + 1):
        other = vehicle_on(heuristic, rules, position, front(rules, position) + step * i)
        if 0 < other < MOST_FOLLOWED and rules.vehicles[other, STRIDE] != 1:
            moving |= 1 << other
            tasks[count, TASK_VEHICLE] = other
            tasks[count, TASK_CELL] = rules.vehicles[0, FIRST] // rules.width
            tasks[count, ANCESTORS] = 1
            count += 1
            total += 0 if rules.by_step else 1
    if count == 0:
        return total
    tasks[0, NEXT_SIDE] = 0
    tasks[0, TASKS] = count
    tasks[0, MOVING] = moving
    tasks[0, TWICE] = 0
    tasks[0, TOTAL] = total
    best = NEVER
    choices = 0
    task = 0
    while task >= 0:
        side = tasks[task, NEXT_SIDE]
        if side == 2:
            task -= 1
            continue
        tasks[task, NEXT_SIDE] = side + 1
        total = follow(heuristic, rules, position, tasks, task, side, best)
        if total >= best:
            continue
        choices += 1
        if adds_nothing(tasks, task, total):
            tasks[task, NEXT_SIDE] = 2
        if task + 1 == tasks[task + 1, TASKS] or choices > MOST_CHOICES:
            best = total
        else:
            task += 1
            tasks[task, NEXT_SIDE] = 0
            tasks[task, TOTAL] = total
    return (
        best if best < NEVER else tasks[0, TOTAL]
    )  # no choice: there is no solution, any estimate is admissible


@kernel(python_entry=False, inline=True)
def vehicle_on(heuristic: Chains, rules: RushHour, position: Traffic, cell: int) -> int:
    """The vehicle that covers a cell; NOBODY if it is free, BLOCKED if it is a wall."""
    if is_free(position.occupied, cell):
        return NOBODY
    i = 0
    vehicle = heuristic.crossing[cell, 0]
    while vehicle != NOBODY:
        stride = rules.vehicles[vehicle, STRIDE]
        begin = rules.vehicles[vehicle, FIRST] + offset_of(rules, position.offsets, vehicle) * stride
        if begin <= cell < begin + rules.vehicles[vehicle, LENGTH] * stride:
            return vehicle  # type: ignore[no-any-return]
        i += 1
        vehicle = heuristic.crossing[cell, i]
    return BLOCKED


@kernel(python_entry=False, inline=True)
def adds_nothing(tasks: Any, task: int, total: int) -> bool:
    """Whether a choice makes no other vehicle move: no other choice for this task can be better."""
    same_tasks = tasks[task + 1, TASKS] == tasks[task, TASKS]
    same_vehicles = tasks[task + 1, MOVING] == tasks[task, MOVING]
    return total == tasks[task, TOTAL] and same_tasks and same_vehicles  # type: ignore[no-any-return]


@kernel(python_entry=False)
def follow(
    heuristic: Chains, rules: RushHour, position: Traffic, tasks: Any, task: int, side: int, best: int
) -> int:
    """The cost so far if the vehicle of a task leaves its cell to this side (0 back, 1 ahead); NEVER if it cannot.

    The vehicles that it sweeps become tasks, appended to the others; the masks and the number of tasks are written into
    the next row. The vehicles of its own line are pushed on, and sweep further cells.
    """
    vehicle = tasks[task, TASK_VEHICLE]
    stride = rules.vehicles[vehicle, STRIDE]
    first = rules.vehicles[vehicle, FIRST]
    length = rules.vehicles[vehicle, LENGTH]
    here = offset_of(rules, position.offsets, vehicle)
    after = here + length
    line = rules.vehicles[vehicle, LAST] + length
    direction = 1 if side == 1 else -1
    if side == 1:  # the last cell of the line that is swept, and the next one to look at
        end = tasks[task, TASK_CELL] + length
        place = after
    else:
        end = tasks[task, TASK_CELL] - length
        place = here - 1
    ancestors = tasks[task, ANCESTORS] | 1 << vehicle
    moving = tasks[task, MOVING]
    twice = tasks[task, TWICE]
    total = tasks[task, TOTAL]
    count = tasks[task, TASKS]
    if rules.by_step:
        total += (end - place) * direction + 1
    while (end - place) * direction >= 0:
        if end < 0 or end >= line or total >= best:
            return NEVER
        other = vehicle_on(heuristic, rules, position, first + place * stride)
        if other == BLOCKED:
            return NEVER
        if 0 <= other < MOST_FOLLOWED:
            same_line = rules.vehicles[other, STRIDE] == stride
            if moving >> other & 1 == 0:
                moving |= 1 << other
                if not rules.by_step:
                    total += 1
                elif same_line:
                    total += (end - place) * direction + 1
                if not same_line:
                    cell = first + place * stride
                    tasks[count, TASK_VEHICLE] = other
                    tasks[count, TASK_CELL] = cell // rules.width if stride == 1 else cell % rules.width
                    tasks[count, ANCESTORS] = ancestors
                    count += 1
            elif tasks[task, ANCESTORS] >> other & ~twice >> other & 1 != 0 and not rules.by_step:
                twice |= 1 << other
                total += 1
            if same_line:
                ancestors |= 1 << other
                place += direction * (rules.vehicles[other, LENGTH] - 1)
                end += direction * rules.vehicles[other, LENGTH]
        place += direction
    if end < 0 or end >= line or total >= best:
        return NEVER
    tasks[task + 1, TASKS] = count
    tasks[task + 1, MOVING] = moving
    tasks[task + 1, TWICE] = twice
    return total  # type: ignore[no-any-return]
