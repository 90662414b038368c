"""The hive in text and as a picture."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ludion.games.hive.board import (
    BLACK,
    BUG_OF,
    BUGS,
    COUNT_OF,
    WHITE,
    colour_at,
    colour_of,
    first_of,
    left_in_hand,
    side_hand,
)
from ludion.games.hive.insects import INSECTS
from ludion.games.hive.notation import NAMES, coordinates, turn, write_type
from ludion.games.hive.rules import Hive, HiveRules
from ludion.games.hive.words import stack_words
from ludion.messages import message
from ludion.svg import Picture

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

COLOURS = ("white", "black")  # in the ids of messages
HALF_CELL = 3  # characters of half a cell in text
TILES = ("#f4e9cf", "#2f2c33")  # of the white and the black pieces, on light and dark pages alike
EDGE, MOVED = "#8c8269", "#f0b429"  # of a tile; of the one that was just moved
RADIUS = 56  # of a hexagon, whose width is then 97
ACROSS, DOWN = math.sqrt(3) * RADIUS, 1.5 * RADIUS  # from a cell to the next one to the east; from row to row
RISE = 9  # vertical offset of each level of a stack
MARGIN = 20
HAND_RADIUS, HAND_ACROSS, HAND_DOWN = 23, 46, 50  # of a piece in hand; to the next piece; to the next hand
FEWEST_ACROSS = 7  # pieces in hand for which the picture has at least room


def stacks(position: Hive) -> dict[tuple[int, int], list[int]]:
    """The pieces on each cell from the ground up, row by row."""
    cells: dict[tuple[int, int], list[int]] = {}
    for piece, (x, y, _) in sorted(coordinates(position).items(), key=lambda each: each[1][2]):
        cells.setdefault((x, y), []).append(piece)
    return dict(sorted(cells.items(), key=lambda each: (each[0][1], each[0][0])))


def in_hand(position: Hive, colour: int) -> list[int]:
    """The pieces that a player has yet to place."""
    pieces: list[int] = []
    side = side_hand(position.hand, colour)
    for bug in range(8):
        end = first_of(colour, bug) + int(COUNT_OF[bug])
        pieces += range(end - left_in_hand(side, bug), end)
    return pieces


def text(rules: HiveRules, position: Hive) -> str:
    """The tops of the cells, north up, with `+1` beside a piece on top of one other; then stacks and hands."""
    cells = stacks(position)
    lines = []
    if cells:
        left = min(2 * x + y for x, y in cells)
        for row in range(min(y for _, y in cells), max(y for _, y in cells) + 1):
            line = ""
            for (x, y), pile in cells.items():
                if y == row:
                    line = line.ljust((2 * x + y - left) * HALF_CELL)
                    line += NAMES[pile[-1]] + (f"+{len(pile) - 1}" if len(pile) > 1 else "")
            lines.append(line)
        lines.append("")
    for pile in cells.values():
        if len(pile) > 1:
            lines.append(stack_text(pile))
    for colour in (WHITE, BLACK):
        names = " ".join(NAMES[piece][1:] for piece in in_hand(position, colour))
        lines.append(message(f"hive.{COLOURS[colour]}_hand", pieces=names or message("hive.empty_hand")))
    side, _, _ = turn(position).lower().partition("[")
    lines.append(message(f"hive.turn_of_{side}", type=write_type(rules), turn=turn(position)))
    return "\n".join(lines)


def stack_text(pile: list[int]) -> str:
    """The pieces of a stack from the top down, as `wB2 on wB1 on bQ`."""
    line = NAMES[pile[0]]
    for piece in pile[1:]:
        line = message("hive.stack", top=NAMES[piece], below=line)
    return line


def svg(rules: HiveRules, position: Hive) -> str:
    """The hive as SVG: hexagons, the pieces of a stack one above the other; below, both players' hands."""
    cells = stacks(position)
    hands = [in_hand(position, colour) for colour in (WHITE, BLACK)]
    across = [ACROSS * (x + y / 2) for x, y in cells] or [0.0]
    down = [DOWN * y for _, y in cells] or [0.0]
    highest = max((len(pile) for pile in cells.values()), default=1)
    hand_width = HAND_ACROSS * max(FEWEST_ACROSS, *(len(hand) for hand in hands))
    width = max(max(across) - min(across) + 2 * RADIUS, hand_width) + 2 * MARGIN
    left = (width - max(across) - min(across)) / 2
    top = MARGIN + RADIUS + highest * RISE - min(down)
    bottom = top + max(down) + RADIUS + MARGIN
    height = bottom + 2 * HAND_DOWN + 10
    colour = colour_at(position.ply)
    title = message(f"hive.{COLOURS[colour]}_to_move", type=write_type(rules))
    picture = Picture(width, height, title, text(rules, position))
    picture.turn(colour)
    picture.rect(0, 0, width, height, fill="paper")
    if not cells:  # where the first piece will lie
        picture.polygon(
            _corners(left, top, RADIUS), fill="none", stroke="line", stroke_width=3, stroke_dasharray="9 7"
        )
    for (x, y), pile in cells.items():
        _draw_stack(picture, left + ACROSS * (x + y / 2), top + DOWN * y, pile, position.stunned)
    for colour, hand in enumerate(hands):
        _draw_hand(picture, width / 2, bottom + 28 + HAND_DOWN * colour, colour, hand)
    return str(picture)


def _draw_stack(picture: Picture, x: float, y: float, pile: list[int], stunned: int) -> None:
    """The pieces of a cell, each a little higher than the one below; a stack has its height on it."""
    for level, piece in enumerate(pile):
        group = picture.add("g", data_piece=NAMES[piece])
        if level == len(pile) - 1:  # what lies below cannot be pressed
            group.set("data-cell", NAMES[piece])
            group.set("aria-label", stack_words(pile))
        _tile(picture, group, x, y - RISE * level, piece, RADIUS, piece == stunned)
        if level == len(pile) - 1 and level > 0:
            badge = {"fill": "#17191d", "stroke": "#ffffff", "stroke_width": 2, "parent": group}
            picture.circle(x + 30, y - RISE * level - 26, 13, **badge)
            number = {"fill": "#ffffff", "font_weight": "bold", "parent": group}
            picture.text(x + 30, y - RISE * level - 25, str(len(pile)), 17, **number)


def _draw_hand(picture: Picture, x: float, y: float, colour: int, hand: list[int]) -> None:
    """The pieces in a player's hand in a row around x."""
    row = picture.add("g", data_side=colour)
    for place, piece in enumerate(hand):
        group = picture.add("g", parent=row, data_hand=NAMES[piece])
        _tile(picture, group, x + HAND_ACROSS * (place - (len(hand) - 1) / 2), y, piece, HAND_RADIUS, False)
    if not hand:
        picture.text(x, y, message(f"hive.{COLOURS[colour]}_hand_empty"), 18, fill="soft", parent=row)


def _corners(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    return [
        (x + radius * math.sin(math.pi * corner / 3), y - radius * math.cos(math.pi * corner / 3))
        for corner in range(6)
    ]


def _tile(
    picture: Picture, group: Element, x: float, y: float, piece: int, radius: float, moved: bool
) -> None:
    """A piece: a thick hexagon with its insect; the one that was just moved has an amber edge."""
    colour = colour_of(piece)
    face = TILES[colour]
    edge = {"stroke_linejoin": "round", "parent": group}
    picture.polygon(_corners(x, y + radius * 0.09, radius * 0.97), fill=EDGE, **edge)
    stroke = {"stroke": MOVED if moved else EDGE, "stroke_width": radius / (9 if moved else 28)}
    picture.polygon(_corners(x, y, radius * 0.97), fill=face, **stroke, **edge)
    insect = INSECTS[BUGS[int(BUG_OF[piece])]]
    ink = insect.inks[colour]
    scale = radius / 66
    art = picture.add("g", parent=group, transform=f"translate({x:.1f} {y:.1f}) scale({scale:.3f})")
    round_ends = {"stroke_linecap": "round", "stroke_linejoin": "round", "parent": art}
    picture.path(insect.lines, fill="none", stroke=ink, stroke_width=5, **round_ends)
    picture.path(insect.body, fill=ink, parent=art)
    if insect.marks:
        picture.path(insect.marks, fill="none", stroke=face, stroke_width=4, parent=art)
    if insect.dots:
        picture.path(insect.dots, fill=face, parent=art)
