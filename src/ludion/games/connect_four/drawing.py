"""The board in text and as a picture."""

from __future__ import annotations

from ludion.games.connect_four.notation import signs
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.games.connect_four.words import column_words
from ludion.messages import message
from ludion.svg import Picture

BOARD = "#0f2f57"
RING, CROSS = "m-22 0a22 22 0 1 0 44 0a22 22 0 1 0 -44 0", "m-16 -16l32 32m0 -32l-32 32"
STONES = {
    "x": ("#f7cf4a", "#7a5600", RING),
    "o": ("#e5483a", "#5c0d06", CROSS),
}  # sign -> fill, ink and mark, on light and dark pages alike


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


def winning_lines(rules: DropGame, cells: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """The middles of the first and last stone of every line among these cells, in units of the picture."""
    lines = []
    for step in (1, rules.stride, rules.stride - 1, rules.stride + 1):
        for cell in range(rules.columns * rules.stride):
            starts = cells >> cell & 1 and not (cell >= step and cells >> cell - step & 1)
            last = cell
            while starts and cells >> last + step & 1:
                last += step
            if starts and (last - cell) // step >= rules.align - 1:
                lines.append((_middle(rules, cell), _middle(rules, last)))
    return lines


def _middle(rules: DropGame, cell: int) -> tuple[int, int]:
    column, height = divmod(cell, rules.stride)
    return 60 + column * 100, 60 + (rules.rows - 1 - height) * 100


def svg(rules: DropGame, position: Stones) -> str:
    """The board as SVG."""
    width, height = rules.columns * 100 + 20, rules.rows * 100 + 70
    turn = "o" if position.mask.bit_count() & 1 else "x"
    picture = Picture(width, height, message("connect_four.picture", player=turn), text(rules, position))
    picture.grid(rules.columns, rules.rows, 10)
    picture.turn(position.mask.bit_count() & 1)
    picture.rect(0, 0, width, height, fill="paper")
    picture.rect(5, 5, rules.columns * 100 + 10, rules.rows * 100 + 10, rx=22, fill=BOARD)
    for r, line in enumerate(signs(rules, position)):
        for c, sign in enumerate(line):
            x, y = 60 + c * 100, 60 + r * 100
            if sign == ".":
                picture.circle(x, y, 40, fill="paper", stroke="control", stroke_width=3)
                continue
            # The stone's column, and its row from the bottom; its sign, so that the sides differ by more than colour.
            group = picture.add("g", data_stone=f"{c + 1} {rules.rows - r}")
            fill, ink, mark = STONES[sign]
            picture.circle(x, y, 40, fill=fill, parent=group)
            look = {
                "fill": "none",
                "stroke": ink,
                "stroke_width": 7,
                "stroke_linecap": "round",
                "parent": group,
            }
            picture.path(f"M{x} {y}{mark}", **look)
    for begin, end in winning_lines(rules, winning_cells(rules, position)):
        for colour, thick in (("#17191d", 20), ("#ffffff", 12)):
            picture.line(
                *begin, *end, stroke=colour, stroke_width=thick, stroke_linecap="round", data_line=""
            )
    for column in range(rules.columns):
        picture.text(60 + column * 100, height - 26, str(column + 1), 34, fill="soft")
        stones = "".join(line[column] for line in reversed(signs(rules, position))).strip(".")
        frame = picture.rect(12 + column * 100, 12, 96, rules.rows * 100 - 4, rx=10, fill="none")
        frame.set("pointer-events", "all")
        frame.set("data-cell", str(column + 1))
        frame.set("aria-label", column_words(column + 1, stones))
        if not stones:
            frame.set("data-empty", "")
    return str(picture)
