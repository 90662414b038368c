"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.connect_four.notation import signs
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.messages import message
from ludion.svg import Picture


def text(rules: DropGame, position: Stones) -> str:
    """Rows from the top, columns numbered below."""
    rows = [" ".join(line) for line in signs(rules, position)]
    return "\n".join([*rows, " ".join(str(column + 1) for column in range(rules.columns))])


def winning_cells(rules: DropGame, position: Stones) -> int:
    """The cells of the lines that the last move made."""
    other = position.own ^ position.mask
    cells = 0
    for step in (1, rules.stride, rules.stride - 1, rules.stride + 1):
        run = other
        for i in range(1, rules.align):
            run &= other >> i * step
        for i in range(rules.align):
            cells |= run << i * step
    return cells


def svg(rules: DropGame, position: Stones) -> str:
    """The board as SVG."""
    width, height = rules.columns * 100 + 20, rules.rows * 100 + 70
    turn = "o" if position.mask.bit_count() & 1 else "x"
    picture = Picture(width, height, message("connect_four.picture", player=turn), text(rules, position))
    picture.grid(rules.columns, rules.rows, 10)
    picture.turn(position.mask.bit_count() & 1)
    picture.rect(0, 0, width, height, fill="paper")
    picture.rect(5, 5, rules.columns * 100 + 10, rules.rows * 100 + 10, rx=22, fill="blue")
    winning = winning_cells(rules, position)
    for r, line in enumerate(signs(rules, position)):
        for c, sign in enumerate(line):
            x, y = 60 + c * 100, 60 + r * 100
            fill = {"x": "yellow", "o": "red"}.get(sign, "paper")
            # The stone's column, and its row from the bottom.
            stone = None if sign == "." else f"{c + 1} {rules.rows - r}"
            picture.circle(x, y, 40, fill=fill, stroke="line", stroke_width=3, data_stone=stone)
            if sign == "x":  # a ring, so that the sides differ by more than their colour
                ring = f"M{x - 25} {y}a25 25 0 1 0 50 0a25 25 0 1 0 -50 0"
                picture.add("path", d=ring, fill="none", stroke="ink", stroke_width=4, stroke_opacity=0.45)
            if winning >> c * rules.stride + rules.rows - 1 - r & 1:
                picture.circle(x, y, 16, fill="paper")
    for column in range(rules.columns):
        picture.text(60 + column * 100, height - 26, str(column + 1), 34, fill="soft")
    return str(picture)
