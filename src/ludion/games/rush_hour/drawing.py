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
from ludion.kinds.puzzle import play
from ludion.messages import message
from ludion.svg import Picture

CELL, MARGIN, GAP = 100, 20, 7
COLOURS = ("blue", "green", "yellow", "purple", "brown", "soft")
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


def _picture(rules: RushHour, position: Traffic, foot: int = 0) -> tuple[Picture, list[ElementTree.Element]]:
    """The picture, and the group of each vehicle in it."""
    width, height = rules.width * CELL + 2 * MARGIN, rules.height * CELL + 2 * MARGIN
    size = f"Rush Hour {rules.width}x{rules.height}"
    picture = Picture(width, height + foot, size, text(rules, position))
    picture.grid(rules.width, rules.height, MARGIN, CELL)
    picture.rect(0, 0, width, height, fill="line", rx=16)
    picture.rect(MARGIN, MARGIN, rules.width * CELL, rules.height * CELL, fill="board")
    exit_row = int(rules.vehicles[0, FIRST]) // rules.width
    gate, tip = (0, 4) if rules.exit_left else (width - MARGIN, width - 4)
    picture.rect(gate, MARGIN + exit_row * CELL, MARGIN, CELL, fill="board")
    middle, back = MARGIN + exit_row * CELL + CELL / 2, tip + (12 if rules.exit_left else -12)
    picture.polygon([(tip, middle), (back, middle - 14), (back, middle + 14)], fill="red")
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
        fill = "red" if vehicle == 0 else COLOURS[(vehicle - 1) % len(COLOURS)]
        group = picture.add("g", data_vehicle=name)
        look = {"fill": fill, "rx": 20, "stroke": "ink", "stroke_width": 2}
        picture.rect(x + GAP, y + GAP, wide - 2 * GAP, high - 2 * GAP, parent=group, **look)
        picture.text(x + wide / 2, y + high / 2, name, size=40, parent=group, fill="white", font_weight=700)
        shapes.append(group)
    return picture, shapes
