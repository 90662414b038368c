"""The board in text, as in the report, and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludion.games.crocomine.notation import Position, view_of, write_cell
from ludion.games.crocomine.rules import (
    ANIMALS,
    CROCODILE,
    EMPTY,
    HIDDEN,
    KINDS,
    LAND,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    View,
)
from ludion.messages import message
from ludion.svg import Picture

if TYPE_CHECKING:
    from ludion.games.crocomine.reasons import Reason
    from ludion.games.crocomine.rules import CrocoRules

COLOURS = {TIGER: "yellow", SHARK: "blue", CROCODILE: "green"}


def text(rules: CrocoRules | None, position: Position) -> str:
    """What is seen, with row and column numbers: `?`, `~(1/0/2)`, `.(1/0/0)`, `T`."""
    view = view_of(position)
    cells = [_sign(view, cell) for cell in range(view.cells)]
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


def _sign(view: View, cell: int) -> str:
    if not view.flags or view.sea > 0:
        return write_cell(view, cell)
    if view.seen[cell] == HIDDEN:  # Minesweeper: one number says all
        return "?"
    return str(view.clues[cell, 0] or ".") if view.seen[cell] == OPEN else "T"


def legend(position: Position) -> str:
    """The totals, in one line."""
    view = view_of(position)
    tigers, sharks, crocodiles = view.totals.tolist()
    size = {"rows": view.rows, "columns": view.columns}
    status = message(f"crocomine.status.{view.status}")
    if view.flags:
        return message("crocomine.legend_of_mines", **size, mines=tigers, status=status)
    numbers = {
        "tigers": tigers,
        "sharks": sharks,
        "crocodiles": crocodiles,
        "land": view.land,
        "sea": view.sea,
    }
    return message("crocomine.legend", **size, **numbers, status=status)


def svg(
    rules: CrocoRules | None,
    position: Position,
    chances: np.ndarray | None = None,
    reason: Reason | None = None,
) -> str:
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
            data_sign=_sign(view, cell),
        )
        if seen == OPEN:
            _draw_clue(picture, view, cell, x, y)
        elif not hidden:
            picture.circle(x + 50, y + 50, 34, fill=COLOURS[seen], stroke="ink", stroke_width=2)
            picture.text(x + 50, y + 52, KINDS[seen - 1], 40, fill="black", font_weight="bold")
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
    for index, animal in enumerate(ANIMALS):
        if numbers[index]:
            left = x + 22 + 28 * index
            picture.text(left, y + 42, str(numbers[index]), 32, font_weight="bold")
            picture.circle(left, y + 76, 9, fill=COLOURS[animal], stroke="ink", stroke_width=1.5)
