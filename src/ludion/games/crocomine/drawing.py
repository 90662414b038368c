"""The board in text, as in the report, and as a picture."""

from __future__ import annotations

from typing import Any

from ludion.games.crocomine.notation import view_of, write_cell
from ludion.games.crocomine.rules import CROCODILE, EMPTY, HIDDEN, LAND, OPEN, SEA, SHARK, TIGER, View
from ludion.svg import Picture

COLOURS = {TIGER: "yellow", SHARK: "blue", CROCODILE: "green"}
NAMES = {TIGER: "T", SHARK: "S", CROCODILE: "C"}


def text(rules: Any, position: Any) -> str:
    """What is seen, with row and column numbers: `?`, `~(1/0/2)`, `.(1/0/0)`, `T`."""
    view = view_of(position)
    if view.flags and view.sea == 0:  # Minesweeper: one number a cell says all
        cells = [_mine_sign(view, cell) for cell in range(view.cells)]
    else:
        cells = [write_cell(view, cell) for cell in range(view.cells)]
    width = max(len(sign) for sign in cells)
    margin = len(str(view.rows - 1))
    rows = [
        f"{row:>{margin}} "
        + " ".join(sign.ljust(width) for sign in cells[row * view.columns : (row + 1) * view.columns])
        for row in range(view.rows)
    ]
    head = " " * (margin + 1) + " ".join(
        str(column % 10 if width < 2 else column).ljust(width) for column in range(view.columns)
    )
    return "\n".join(line.rstrip() for line in [head, *rows])


def _mine_sign(view: View, cell: int) -> str:
    if view.seen[cell] == HIDDEN:
        return "?"
    return str(view.clues[cell, 0] or ".") if view.seen[cell] == OPEN else "T"


def legend(position: Any) -> str:
    """The totals, in one line."""
    view = view_of(position)
    tigers, sharks, crocodiles = (int(number) for number in view.totals)
    if view.flags:
        return f"{view.rows} x {view.columns}, {tigers} mines, {view.status}"
    return (
        f"{view.rows} x {view.columns}, {tigers} tigers, {sharks} sharks, {crocodiles} crocodiles, "
        f"{view.land} land, {view.sea} sea, {view.status}"
    )


def svg(rules: Any, position: Any, chances: Any = None, reason: Any = None) -> str:
    """The board as SVG; with the risk of every hidden cell, or with the clues that prove a cell marked."""
    view = view_of(position)
    picture = Picture(
        view.columns * 100 + 20, view.rows * 100 + 20, f"CrocoMine, {legend(view)}", text(rules, view)
    )
    picture.grid(view.columns, view.rows, 10)
    picture.root.set("data-kinds", "T" if view.flags else "T S C")  # what can be guessed
    picture.rect(0, 0, view.columns * 100 + 20, view.rows * 100 + 20, fill="paper")
    for cell in range(view.cells):
        row, column = view.place(cell)
        x, y = 10 + column * 100, 10 + row * 100
        seen, ground = int(view.seen[cell]), int(view.terrain[cell])
        colour = {LAND: "land", SEA: "sea"}.get(ground, "board")
        hidden = seen == HIDDEN
        picture.rect(
            x + 2,
            y + 2,
            96,
            96,
            rx=8,
            fill=colour,
            stroke="line",
            stroke_width=6 if hidden else 1,
            data_cell=f"{row} {column}",
            data_seen="hidden" if hidden else "open" if seen == OPEN else "guessed",
            data_sign=_mine_sign(view, cell) if view.flags and view.sea == 0 else write_cell(view, cell),
        )
        if seen == OPEN:
            _draw_clue(picture, view, cell, x, y)
        elif not hidden:
            picture.circle(x + 50, y + 50, 34, fill=COLOURS[seen], stroke="ink", stroke_width=2)
            picture.text(x + 50, y + 52, NAMES[seen], 40, fill="black", font_weight="bold")
        elif chances is not None:
            risk = 1.0 - float(chances[cell][EMPTY])
            picture.rect(x + 2, y + 2, 96, 96, rx=8, fill="red", fill_opacity=round(0.75 * risk, 3))
            picture.text(x + 50, y + 52, f"{100 * risk:.0f}", 34)
        if reason is not None and (cell == reason.cell or cell in reason.clues):
            colour = "purple" if cell == reason.cell else "red"
            picture.rect(x + 6, y + 6, 88, 88, rx=6, fill="none", stroke=colour, stroke_width=8)
    return str(picture)


def _draw_clue(picture: Picture, view: View, cell: int, x: float, y: float) -> None:
    numbers = [int(number) for number in view.clues[cell]]
    if not any(numbers):
        return
    if view.flags:
        picture.text(x + 50, y + 52, str(numbers[0]), 46)
        return
    for index, kind in enumerate((TIGER, SHARK, CROCODILE)):
        if numbers[index]:
            picture.text(x + 22 + 28 * index, y + 42, str(numbers[index]), 32, font_weight="bold")
            picture.circle(x + 22 + 28 * index, y + 76, 9, fill=COLOURS[kind], stroke="ink", stroke_width=1.5)
