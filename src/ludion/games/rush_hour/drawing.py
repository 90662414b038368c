"""The board in text, as a picture, and as a picture that moves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from xml.etree import ElementTree

from ludion.games.rush_hour.notation import board, names_of, write, write_move
from ludion.games.rush_hour.rules import (
    FIRST,
    LENGTH,
    STRIDE,
    RushHour,
    Traffic,
    is_wall,
    offset_of,
    vehicle_of,
)
from ludion.games.rush_hour.words import place_words
from ludion.kinds.puzzle import play
from ludion.messages import message
from ludion.svg import Picture

CELL, MARGIN, GAP = 100, 20, 7
CAR = 2  # cells of a car; trucks are longer
RED = "#c8332b"
COLOURS = (
    "#2b6cb0",
    "#8a6a12",
    "#7a55a8",
    "#1d6f7a",
    "#8a5a33",
    "#5b6270",
)  # white letters can be read on all
PAUSE, SLIDE = 0.35, 0.45  # seconds between two moves, and of one


def text(rules: RushHour, position: Traffic) -> str:
    """Rows of cells between walls, with the exit as a gap marked by an arrow."""
    cells = board(rules, position)
    exit_row = int(rules.vehicles[0, FIRST]) // rules.width
    edge = "+" + "-" * (2 * rules.width + 1) + "+"
    lines = [edge]
    for row in range(rules.height):
        inner = " ".join(cells[row * rules.width : (row + 1) * rules.width])
        left = "<" if row == exit_row and rules.exit_left else "|"
        right = ">" if row == exit_row and not rules.exit_left else "|"
        lines.append(f"{left} {inner} {right}")
    return "\n".join([*lines, edge])


def svg(rules: RushHour, position: Traffic) -> str:
    """The board as SVG."""
    return str(_picture(rules, position)[0])


def animate(rules: RushHour, position: Traffic, moves: Sequence[int]) -> str:
    """The board as SVG, playing these moves in a loop (readers who prefer no motion see the start)."""
    picture, shapes = _picture(rules, position, foot=60)
    total = 1.0 + len(moves) * (SLIDE + PAUSE) + 2.0  # a rest before and after
    frames: dict[
        int, list[tuple[float, int]]
    ] = {}  # vehicle -> moments, and how far from its start it is then
    begin, here = 1.0, position
    for move in moves:
        vehicle = vehicle_of(move)
        first_offset = int(offset_of(rules, position.offsets, vehicle))
        moments = frames.setdefault(vehicle, [(0.0, 0)])
        moments.append((begin, moments[-1][1]))
        here = play(rules, here, move)
        moments.append((begin + SLIDE, int(offset_of(rules, here.offsets, vehicle)) - first_offset))
        begin += SLIDE + PAUSE
    mark = "r" + hashlib.sha256(f"{write(rules, position)} {list(moves)}".encode()).hexdigest()[:6]
    styles = []
    for vehicle, moments in frames.items():
        axis = "X" if rules.vehicles[vehicle, STRIDE] == 1 else "Y"
        stops = "".join(
            f"{100 * moment / total:.3f}%{{transform:translate{axis}({cells * CELL}px)}}"
            for moment, cells in [*moments, (total, moments[-1][1])]
        )
        name = f"{mark}v{vehicle}"
        styles.append(f"@keyframes {name}{{{stops}}}.{name}{{animation:{name} {total:.2f}s infinite}}")
        shapes[vehicle].set("class", name)
    width = rules.width * CELL + 2 * MARGIN
    top = rules.height * CELL + 2 * MARGIN
    for number in range(len(moves) + 1):
        start = 0.0 if number == 0 else 1.0 + (number - 1) * (SLIDE + PAUSE)
        end = total if number == len(moves) else 1.0 + number * (SLIDE + PAUSE)
        words = message("rush_hour.start") if number == 0 else write_move(rules, None, moves[number - 1])
        name, first, last = f"{mark}c{number}", int(number == 0), int(number == len(moves))
        picture.text(width / 2, top + 24, f"{number}/{len(moves)}  {words}", size=34).set("class", name)
        stops = "".join(
            f"{100 * moment / total:.3f}%{{opacity:{shown}}}"
            for moment, shown in ((0.0, first), (start, 1), (end, last), (total, last))
        )
        styles.append(f"@keyframes {name}{{{stops}}}")
        styles.append(f".{name}{{opacity:{first};animation:{name} {total:.2f}s step-end infinite}}")
    still = "@media(prefers-reduced-motion:reduce){*{animation:none!important}}"
    picture.add("style").text = "".join(styles) + still
    return str(picture)


def _draw_vehicle(
    picture: Picture,
    group: ElementTree.Element,
    vehicle: int,
    box: tuple[float, float, float, float],
    to_left: bool,
) -> None:
    """A car or truck from above: wheels, body, windows. The red car has lights and looks to the exit."""
    x, y, wide, high = box
    flat = wide > high
    colour = RED if vehicle == 0 else COLOURS[(vehicle - 1) % len(COLOURS)]
    length = max(wide, high)
    # Drawn lying on its side in a box of its length, then turned.
    turn = f"translate({x:g} {y:g})" if flat else f"translate({x + wide:g} {y:g}) rotate(90)"
    if flat and vehicle == 0 and to_left:
        turn = f"translate({x + wide:g} {y + high:g}) rotate(180)"
    part = {"parent": picture.add("g", parent=group, transform=turn)}
    for at in (22, length - 46):
        picture.rect(at, 7, 24, 86, rx=6, fill="#17191d", **part)
    picture.rect(
        GAP, 13, length - 2 * GAP, 74, rx=20, fill=colour, stroke="#17191d", stroke_width=2.5, **part
    )
    glass = {"fill": "#d7e6ee", "stroke": "#17191d", "stroke_width": 1.5, **part}
    if length <= CAR * CELL:
        picture.path(f"M{length - 62} 22q14 28 0 56h18q12 -28 0 -56z", **glass)
        picture.path("M52 26q-10 24 0 48h-14q-8 -24 0 -48z", **glass)
    else:  # a truck: its cab, and the load behind
        picture.path(f"M{length - 44} 22q12 28 0 56h16q10 -28 0 -56z", **glass)
        picture.line(length - 70, 14, length - 70, 86, stroke="#17191d", stroke_width=3, **part)
        for at in range(60, int(length) - 90, 45):
            picture.line(at, 20, at, 80, stroke="#17191d", stroke_width=2, opacity=0.35, **part)
    if vehicle == 0:
        for at in (20, 68):
            picture.rect(
                length - 18, at, 9, 13, rx=4, fill="#ffe58a", stroke="#17191d", stroke_width=1.5, **part
            )


def _picture(rules: RushHour, position: Traffic, foot: int = 0) -> tuple[Picture, list[ElementTree.Element]]:
    """The picture, and the group of each vehicle in it."""
    width, height = rules.width * CELL + 2 * MARGIN, rules.height * CELL + 2 * MARGIN
    size = f"Rush Hour {rules.width}x{rules.height}"
    picture = Picture(width, height + foot, size, text(rules, position))
    picture.grid(rules.width, rules.height, MARGIN, CELL)
    picture.rect(0, 0, width, height, fill="line", rx=16)
    picture.rect(MARGIN, MARGIN, rules.width * CELL, rules.height * CELL, fill="board")
    exit_row = int(rules.vehicles[0, FIRST]) // rules.width
    gate, tip = (0, 3) if rules.exit_left else (width - MARGIN, width - 3)
    picture.rect(gate, MARGIN + exit_row * CELL, MARGIN, CELL, fill="board")
    middle, back = MARGIN + exit_row * CELL + CELL / 2, tip + (14 if rules.exit_left else -14)
    picture.polygon([(tip, middle), (back, middle - 20), (back, middle + 20)], fill=RED)
    for column in range(1, rules.width):
        x = MARGIN + column * CELL
        picture.line(x, MARGIN, x, height - MARGIN, stroke="line", stroke_width=1.5)
    for row in range(1, rules.height):
        y = MARGIN + row * CELL
        picture.line(MARGIN, y, width - MARGIN, y, stroke="line", stroke_width=1.5)
    for cell in range(rules.width * rules.height):
        if is_wall(rules, cell):
            x, y = MARGIN + cell % rules.width * CELL, MARGIN + cell // rules.width * CELL
            picture.rect(x + 3, y + 3, CELL - 6, CELL - 6, fill="ink", rx=6)
    shapes = []
    for vehicle, name in enumerate(names_of(rules)):
        first, stride, length = map(int, rules.vehicles[vehicle, [FIRST, STRIDE, LENGTH]])
        cell = first + int(offset_of(rules, position.offsets, vehicle)) * stride
        x, y = MARGIN + cell % rules.width * CELL, MARGIN + cell // rules.width * CELL
        wide, high = (length * CELL, CELL) if stride == 1 else (CELL, length * CELL)
        group = picture.add("g", data_vehicle=name, data_cell=name)
        group.set("aria-label", place_words(rules, position, vehicle))
        picture.rect(x, y, wide, high, fill="none", pointer_events="all", parent=group)
        _draw_vehicle(picture, group, vehicle, (x, y, wide, high), rules.exit_left)
        picture.text(x + wide / 2, y + high / 2, name, size=36, parent=group, fill="#ffffff", font_weight=700)
        shapes.append(group)
    return picture, shapes
