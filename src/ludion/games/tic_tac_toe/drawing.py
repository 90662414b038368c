"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.tic_tac_toe.notation import signs
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.games.tic_tac_toe.words import cell_words
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
    for cell in range(rules.rows * rules.columns):
        row, column = divmod(cell, rules.columns)
        picture.text(22 + column * 100, 100 + row * 100, f"{chr(ord('a') + column)}{row + 1}", 8, fill="soft")
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
            frame = picture.rect(
                x - 48, y - 48, 96, 96, rx=10, fill="none", pointer_events="all", data_cell=name
            )
            frame.set("aria-label", cell_words(name, sign))
            if sign == ".":
                frame.set("data-empty", "")
    for ends in winning_lines(rules, position):
        (x1, y1), (x2, y2) = (
            (60 + cell % rules.columns * 100, 60 + cell // rules.columns * 100) for cell in ends
        )
        for colour, width in (("ink", 18), ("yellow", 10)):
            picture.line(
                x1, y1, x2, y2, stroke=colour, stroke_width=width, stroke_linecap="round", data_line=""
            )
    return str(picture)


def winning_lines(rules: AlignmentGame, position: Marks) -> list[tuple[int, int]]:
    """The first and the last cell of every line that wins."""
    board = [sign for line in signs(rules, position) for sign in line]
    lines = []
    for cell, sign in enumerate(board):
        for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
            column, row = cell % rules.columns, cell // rules.columns
            last = column + right * (rules.align - 1), row + down * (rules.align - 1)
            if sign == "." or not (0 <= last[0] < rules.columns and last[1] < rules.rows):
                continue
            cells = [cell + step * (right + down * rules.columns) for step in range(rules.align)]
            if all(board[each] == sign for each in cells):
                lines.append((cells[0], cells[-1]))
    return lines
