"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.tic_tac_toe.notation import signs
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.messages import message
from ludion.svg import Picture


def text(rules: AlignmentGame, position: Marks) -> str:
    """Rows numbered from the top, columns lettered."""
    rows = [f"{r + 1:>2} {' '.join(line)}" for r, line in enumerate(signs(rules, position))]
    letters = " ".join(chr(ord("a") + column) for column in range(rules.columns))
    return "\n".join([*rows, f"   {letters}"])


def svg(rules: AlignmentGame, position: Marks) -> str:
    """The board as SVG."""
    width, height = rules.columns * 100 + 20, rules.rows * 100 + 20
    turn = "x" if position.first else "o"
    picture = Picture(width, height, message("tic_tac_toe.picture", player=turn), text(rules, position))
    picture.grid(rules.columns, rules.rows, 10)
    picture.turn(0 if position.first else 1)
    picture.rect(0, 0, width, height, fill="paper")
    grid = {"stroke": "line", "stroke_width": 4, "stroke_linecap": "round"}
    for column in range(1, rules.columns):
        x = 10 + column * 100
        picture.line(x, 10, x, height - 10, **grid)
    for row in range(1, rules.rows):
        y = 10 + row * 100
        picture.line(10, y, width - 10, y, **grid)
    for r, line in enumerate(signs(rules, position)):
        for c, sign in enumerate(line):
            x, y = 60 + c * 100, 60 + r * 100
            if sign == "x":
                cross = {"stroke": "blue", "stroke_width": 12, "stroke_linecap": "round"}
                for slope in (1, -1):
                    picture.line(x - 26, y - 26 * slope, x + 26, y + 26 * slope, **cross)
            elif sign == "o":
                picture.circle(x, y, 28, fill="none", stroke="red", stroke_width=12)
            name = f"{chr(ord('a') + c)}{r + 1}"
            picture.rect(x - 48, y - 48, 96, 96, rx=10, fill="none", pointer_events="all", data_cell=name)
    return str(picture)
