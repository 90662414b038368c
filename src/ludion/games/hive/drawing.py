"""The hive in text and as a picture."""

from __future__ import annotations

import math

from ludion.games.hive.notation import NAMES, coordinates, turn, write_type
from ludion.games.hive.rules import BUG_OF, BUGS, FIRST, MANY, SIDE, Hive, HiveGame
from ludion.svg import Picture

HALF = 3  # characters of half a cell
INKS = ("yellow", "brown", "purple", "green", "blue", "soft", "red", "sea")  # by bug
RADIUS = 56  # of a hexagon, whose width is then 97
WIDTH, DOWN = math.sqrt(3) * RADIUS, 1.5 * RADIUS  # from a cell to the next one to the east; from row to row
RISE = 9  # how far up each level of a stack is drawn


def stacks(position: Hive) -> dict[tuple[int, int], list[int]]:
    """The pieces on each cell from the ground up, row by row."""
    cells: dict[tuple[int, int], list[int]] = {}
    for piece, (x, y, _) in sorted(coordinates(position).items(), key=lambda each: each[1][2]):
        cells.setdefault((x, y), []).append(piece)
    return dict(sorted(cells.items(), key=lambda each: (each[0][1], each[0][0])))


def in_hand(rules: HiveGame, position: Hive, colour: int) -> list[int]:
    """The pieces that a player has yet to place."""
    found: list[int] = []
    for bug in range(8):
        left = position.hand >> 3 * bug + 24 * colour & 7
        end = SIDE * colour + int(FIRST[bug] + MANY[bug])
        found += range(end - left, end)
    return found


def text(rules: HiveGame, position: Hive) -> str:
    """The tops of the cells, north up, `+1` beside one that stands on another; then stacks and hands."""
    cells = stacks(position)
    lines = []
    if cells:
        left = min(2 * x + y for x, y in cells)
        for row in range(min(y for _, y in cells), max(y for _, y in cells) + 1):
            line = ""
            for (x, y), pile in cells.items():
                if y == row:
                    line = line.ljust((2 * x + y - left) * HALF)
                    line += NAMES[pile[-1]] + (f"+{len(pile) - 1}" if len(pile) > 1 else "")
            lines.append(line)
        lines.append("")
    for pile in cells.values():
        if len(pile) > 1:
            lines.append(" on ".join(NAMES[piece] for piece in reversed(pile)))
    for colour, name in enumerate(("White", "Black")):
        hand = in_hand(rules, position, colour)
        lines.append(f"{name} in hand: {' '.join(NAMES[piece][1:] for piece in hand) or 'nothing'}")
    lines.append(f"{write_type(rules)}, {turn(position)} to move")
    return "\n".join(lines)


def svg(rules: HiveGame, position: Hive) -> str:
    """The hive as SVG: hexagons, the pieces of a stack one above the other; below, both players' hands."""
    cells = stacks(position)
    across = [WIDTH * (x + y / 2) for x, y in cells] or [0.0]
    down = [DOWN * y for _, y in cells] or [0.0]
    hands = [in_hand(rules, position, colour) for colour in range(2)]
    longest = max(len(hand) for hand in hands)
    width = max(max(across) - min(across) + 2 * RADIUS, 46 * max(longest, 7)) + 40
    left = (width - max(across) - min(across)) / 2
    above = max((len(pile) for pile in cells.values()), default=1) * RISE
    top = 20 + RADIUS + above - min(down)
    bottom = top + max(down) + RADIUS + 20
    height = bottom + 110
    picture = Picture(
        width,
        height,
        f"Hive {write_type(rules)}, {('White', 'Black')[position.ply & 1]} to move",
        text(rules, position),
    )
    picture.turn(position.ply & 1)
    picture.rect(0, 0, width, height, fill="paper")
    if not cells:  # where the first piece will lie
        picture.polygon(
            _corners(left, top, RADIUS), fill="none", stroke="line", stroke_width=3, stroke_dasharray="9 7"
        )
    for (x, y), pile in cells.items():
        for level, piece in enumerate(pile):
            centre = left + WIDTH * (x + y / 2), top + DOWN * y - RISE * level
            _tile(picture, *centre, piece, RADIUS, level == len(pile) - 1, piece == position.stunned)
        if len(pile) > 1:
            under = " ".join(NAMES[piece] for piece in reversed(pile[:-1]))
            x_at, y_at = left + WIDTH * (x + y / 2), top + DOWN * y - RISE * (len(pile) - 1) + 41
            picture.text(x_at, y_at, under, 13, fill=_ink(pile[-1]))
    for colour, hand in enumerate(hands):
        line = bottom + 28 + 50 * colour
        for place, piece in enumerate(hand):
            _tile(picture, width / 2 + 46 * (place - (len(hand) - 1) / 2), line, piece, 23, True, False)
        if not hand:
            picture.text(
                width / 2, line, f"{('White', 'Black')[colour]} has nothing in hand", 18, fill="soft"
            )
    return str(picture)


def _ink(piece: int) -> str:
    """What is legible on the piece, in light and dark pages alike."""
    return "#2b2a27" if piece < SIDE else "#ffffff"


def _corners(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    return [
        (x + radius * math.sin(math.pi * corner / 3), y - radius * math.cos(math.pi * corner / 3))
        for corner in range(6)
    ]


def _tile(picture: Picture, x: float, y: float, piece: int, radius: float, named: bool, moved: bool) -> None:
    """A piece; the one that was just moved has a red edge."""
    light = piece < SIDE
    picture.polygon(
        _corners(x, y, radius),
        fill="white" if light else "black",
        stroke="red" if moved else "line" if light else "soft",
        stroke_width=radius / (9 if moved else 18),
        stroke_linejoin="round",
        data_piece=NAMES[piece],
    )
    if named:
        bug = int(BUG_OF[piece])
        picture.circle(x, y, radius * 0.56, fill="none", stroke=INKS[bug], stroke_width=radius / 12)
        label = BUGS[bug] + NAMES[piece][2:]
        picture.text(
            x, y, label, radius * (0.62 if len(label) > 1 else 0.74), fill=_ink(piece), font_weight="bold"
        )
