"""What each heuristic of Rush Hour is the sum of: the red car's way, each vehicle in it, and room for one of them."""

from __future__ import annotations

from collections.abc import Iterator

from ludion.games.rush_hour.heuristics import (
    Blockers,
    Clearance,
    Distance,
    cells_to_exit,
    front,
    least_to_clear,
    red_cost,
)
from ludion.games.rush_hour.notation import board, names_of
from ludion.games.rush_hour.rules import STRIDE, RushHour, Traffic, is_free
from ludion.kinds.parts import ValuePart
from ludion.messages import message


def distance(heuristic: Distance, rules: RushHour, position: Traffic) -> list[ValuePart]:
    """The red car's way to the exit."""
    cells = cells_to_exit(rules, position)
    place = divmod(int(front(rules, position)), rules.width)
    note = message("rush_hour.part.cells_to_exit", n=int(cells))
    return [ValuePart(names_of(rules)[0], int(red_cost(rules, cells)), note, (place,))]


def blockers(heuristic: Blockers, rules: RushHour, position: Traffic) -> list[ValuePart]:
    """The red car's way, and one for each occupied cell of it."""
    parts, note = distance(Distance(), rules, position), message("rush_hour.part.in_the_way")
    signs = board(rules, position)
    for cell in way_ahead(rules, position):
        if not is_free(position.occupied, cell):
            parts.append(ValuePart(signs[cell], 1, note, (divmod(cell, rules.width),)))
    return parts


def clearance(heuristic: Clearance, rules: RushHour, position: Traffic) -> list[ValuePart]:
    """The red car's way, how far each vehicle in it must go, and what must make room for the worst of them."""
    parts = distance(Distance(), rules, position)
    names = names_of(rules)
    most, worst = 0, 0
    for vehicle, place in in_the_way(rules, position):
        cheapest, least = least_to_clear(rules, position, vehicle)
        note = message("rush_hour.part.must_leave_the_row")
        parts.append(ValuePart(names[vehicle], int(cheapest), note, (place,)))
        if least - cheapest > most:
            most, worst = int(least - cheapest), vehicle
    if most:
        parts.append(ValuePart(message("rush_hour.part.room", name=names[worst]), most))
    return parts


def way_ahead(rules: RushHour, position: Traffic) -> range:
    """The cells between the red car and the exit, nearest first."""
    start, cells = int(front(rules, position)), int(cells_to_exit(rules, position))
    return range(start - 1, start - 1 - cells, -1) if rules.exit_left else range(start + 1, start + 1 + cells)


def in_the_way(rules: RushHour, position: Traffic) -> Iterator[tuple[int, tuple[int, int]]]:
    """The vehicles that cross the red car's way, nearest first, and where."""
    names, signs = names_of(rules), board(rules, position)
    for cell in way_ahead(rules, position):
        if signs[cell] in names and rules.vehicles[names.index(signs[cell]), STRIDE] != 1:
            yield names.index(signs[cell]), divmod(cell, rules.width)
