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
    CrocoWorld,
    View,
    animals_in_words,
)
from ludion.games.crocomine.words import cell_words
from ludion.kinds.quest import RUNNING
from ludion.messages import message
from ludion.svg import Picture

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

    from ludion.games.crocomine.reasons import Reason
    from ludion.games.crocomine.rules import CrocoRules

GROUNDS = {LAND: "_land", SEA: "_sea"}  # ends of the names of colours: open_land, hidden_sea
CLUE_INK = {TIGER: "number_5", SHARK: "number_4", CROCODILE: "number_2"}
CLUE_PLACE = {TIGER: (22, 30), SHARK: (66, 30), CROCODILE: (44, 72)}  # of the digit; its mark is on the right
WRONG = "wrong"  # a guess of something that is not there


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
    size = {"rows": view.rows, "columns": view.columns}
    if not view.has_totals:
        return message("crocomine.legend_without_totals", **size)
    status = message(f"crocomine.status.{view.status}")
    if view.flags:
        return message("crocomine.legend_of_mines", **size, n=int(view.totals.sum()), status=status)
    animals = animals_in_words(view.totals)
    return message("crocomine.legend", **size, animals=animals, land=view.land, sea=view.sea, status=status)


def svg(
    rules: CrocoRules | None,
    position: Position,
    chances: np.ndarray | None = None,
    reason: Reason | None = None,
) -> str:
    """The board as SVG; with the risk of every hidden cell, or with the clues that prove a cell marked."""
    view = view_of(position)
    width, height = view.columns * 100 + 20, view.rows * 100 + 20
    picture = Picture(width, height, f"CrocoMine, {legend(view)}", text(rules, view))
    picture.grid(view.columns, view.rows, 10)
    picture.root.set("data-kinds", "T" if view.flags else "T S C")  # what can be guessed
    _set_counts(picture, view)
    picture.rect(0, 0, width, height, fill="paper")
    over = isinstance(position, CrocoWorld) and view.status != RUNNING
    for cell in range(view.cells):
        row, column = view.place(cell)
        x, y = 10 + column * 100, 10 + row * 100
        _draw_cell(picture, view, cell, x, y)
        if over:
            assert isinstance(position, CrocoWorld)
            _reveal(picture, view, cell, int(position.grid.animals[cell]), x, y)
        elif chances is not None and view.seen[cell] == HIDDEN:
            risk = 1.0 - float(chances[cell][EMPTY])
            picture.rect(x + 2, y + 2, 96, 96, rx=8, fill="red", fill_opacity=round(0.75 * risk, 3))
            picture.text(x + 50, y + 52, f"{100 * risk:.0f}", 34)
        if reason is not None and (cell == reason.cell or cell in reason.clues):
            colour = "purple" if cell == reason.cell else "red"
            picture.rect(x + 6, y + 6, 88, 88, rx=6, fill="none", stroke=colour, stroke_width=8)
    return str(picture)


def _set_counts(picture: Picture, view: View) -> None:
    """Say how many of each kind are not yet guessed, and how many cells are to be opened, for counters."""
    if not view.has_totals:
        return
    kinds = KINDS[:1] if view.flags else KINDS
    for kind, animal in zip(kinds, ANIMALS, strict=False):
        left = int(view.totals[animal - 1]) - int((view.seen == animal).sum())
        picture.root.set(f"data-left-{kind.lower()}", str(left))
    to_open = view.cells - int(view.totals.sum()) - int((view.seen == OPEN).sum())
    picture.root.set("data-to-open", str(to_open))


def _draw_cell(picture: Picture, view: View, cell: int, x: int, y: int) -> None:
    """A cell: raised and dark while it hides something, flat and light once it is open."""
    seen, row_column = int(view.seen[cell]), view.place(cell)
    ground = "" if view.flags and view.sea == 0 else GROUNDS.get(int(view.terrain[cell]), "")
    is_open = seen == OPEN
    picture.rect(
        x + 1,
        y + 1,
        98,
        98,
        rx=4,
        fill=("open" if is_open else "hidden") + ground,
        stroke="line",
        stroke_width=1,
        data_cell=f"{row_column[0]} {row_column[1]}",
        data_seen="hidden" if seen == HIDDEN else "open" if is_open else "guessed",
        data_sign=_sign(view, cell),
        aria_label=cell_words(view, cell),
        data_empty="" if seen == HIDDEN else None,
    )
    if not is_open:
        picture.path(
            f"M{x + 1} {y + 99}V{y + 1}H{x + 99}l-9 9H{x + 10}V{y + 90}z", fill="white", opacity=0.32
        )
        picture.path(
            f"M{x + 99} {y + 1}V{y + 99}H{x + 1}l9 -9H{x + 90}V{y + 10}z", fill="black", opacity=0.32
        )
    if ground:
        _draw_ground(picture, ground, is_open, x, y)
    if is_open:
        _draw_clue(picture, view, cell, x, y)
    elif seen != HIDDEN:
        if view.flags:
            _draw_flag(picture, x, y)
        else:
            _draw_animal(picture, seen, x, y)


def _draw_ground(picture: Picture, ground: str, is_open: bool, x: int, y: int) -> None:
    """Waves for the sea and tufts for land: sea and land are equally bright."""
    stroke = "hidden" + ground if is_open else "white"
    look = {"fill": "none", "stroke": stroke, "stroke_width": 4, "opacity": 0.75}
    if ground == "_sea":
        picture.path(f"M{x + 14} {y + 87}q9 -9 18 0t18 0t18 0t18 0", **look)
    else:
        picture.path(f"M{x + 12} {y + 82}l5 9l5 -9M{x + 78} {y + 82}l5 9l5 -9", **look)


def _draw_clue(picture: Picture, view: View, cell: int, x: int, y: int) -> None:
    numbers = [int(number) for number in view.clues[cell]]
    if not any(numbers):
        return
    if view.flags:
        picture.text(x + 50, y + 53, str(numbers[0]), 58, fill=f"number_{numbers[0]}", font_weight="bold")
        return
    for animal in ANIMALS:
        if numbers[animal - 1]:
            right, down = CLUE_PLACE[animal]
            ink = CLUE_INK[animal]
            picture.text(x + right, y + down, str(numbers[animal - 1]), 38, fill=ink, font_weight="bold")
            _draw_mark(picture, animal, x + right + 22, y + down + 5, ink)


def _draw_mark(picture: Picture, animal: int, x: float, y: float, ink: str) -> None:
    """The sign of a kind beside its number: a triangle, a fin, a diamond."""
    corners: dict[int, list[tuple[float, float]]] = {
        TIGER: [(x - 9, y + 8), (x + 9, y + 8), (x, y - 9)],
        SHARK: [(x - 9, y - 8), (x - 9, y + 8), (x + 9, y + 8)],
        CROCODILE: [(x - 10, y), (x, y - 10), (x + 10, y), (x, y + 10)],
    }
    picture.polygon(corners[animal], fill=ink)


def _draw_flag(picture: Picture, x: int, y: int) -> None:
    picture.path(
        f"M{x + 32} {y + 80}H{x + 66}M{x + 42} {y + 80}V{y + 22}",
        fill="none",
        stroke="#17191d",
        stroke_width=8,
    )
    picture.polygon(
        [(x + 44, y + 22), (x + 78, y + 38), (x + 44, y + 54)],
        fill="#ffffff",
        stroke="#17191d",
        stroke_width=6,
    )


def _draw_mine(picture: Picture, x: int, y: int, parent: Element | None = None) -> None:
    spikes = "".join(
        f"M{x + 50 - right} {y + 50 - down}L{x + 50 + right} {y + 50 + down}"
        for right, down in ((34, 0), (0, 34), (24, 24), (24, -24))
    )
    picture.path(spikes, fill="none", stroke="#17191d", stroke_width=8, stroke_linecap="round", parent=parent)
    picture.circle(x + 50, y + 50, 23, fill="#17191d", parent=parent)
    picture.circle(x + 42, y + 42, 6, fill="#ffffff", parent=parent)


def _draw_animal(picture: Picture, animal: int, x: int, y: int, parent: Element | None = None) -> None:
    """A tiger's face, a shark's fin or a crocodile's jaws, with its letter."""
    edge = {"stroke": "#17191d", "stroke_width": 5, "stroke_linejoin": "round"}
    if animal == TIGER:
        face = f"M{x + 24} {y + 20}l14 10h24l14 -10v34q0 24 -26 28q-26 -4 -26 -28z"
        picture.path(face, fill="#f0a63c", **edge, parent=parent)
        stripes = f"M{x + 50} {y + 31}v14m-10 -13v9m20 -9v9m-33 15h9m28 0h9"
        picture.path(stripes, fill="none", stroke="#17191d", stroke_width=4, parent=parent)
        picture.circle(x + 41, y + 52, 4, fill="#17191d", parent=parent)
        picture.circle(x + 59, y + 52, 4, fill="#17191d", parent=parent)
        picture.path(
            f"M{x + 44} {y + 66}l6 5l6 -5", fill="none", stroke="#17191d", stroke_width=4, parent=parent
        )
    elif animal == SHARK:
        picture.path(f"M{x + 26} {y + 72}q8 -42 30 -52q-4 30 18 52z", fill="#cdd9e2", **edge, parent=parent)
        picture.path(
            f"M{x + 16} {y + 78}q9 -9 17 0t17 0t17 0t17 0",
            fill="none",
            stroke="#17191d",
            stroke_width=5,
            parent=parent,
        )
    else:
        picture.path(
            f"M{x + 18} {y + 46}h34l8 -14h12q12 4 10 18H{x + 18}z", fill="#8ccf7e", **edge, parent=parent
        )
        picture.path(f"M{x + 18} {y + 72}h54l10 -14H{x + 18}z", fill="#8ccf7e", **edge, parent=parent)
        picture.path(
            f"M{x + 22} {y + 51}l5 7l5 -7l5 7l5 -7l5 7l5 -7",
            fill="none",
            stroke="#17191d",
            stroke_width=4,
            parent=parent,
        )
        picture.circle(x + 70, y + 39, 3.5, fill="#17191d", parent=parent)


def _reveal(picture: Picture, view: View, cell: int, animal: int, x: int, y: int) -> None:
    """What a cell hid, when the game is over; a wrong guess is crossed."""
    seen = int(view.seen[cell])
    if seen == HIDDEN and animal != EMPTY:
        group = picture.add("g", data_revealed=KINDS[animal - 1])
        if view.flags:
            _draw_mine(picture, x, y, group)
        else:
            _draw_animal(picture, animal, x, y, group)
    elif seen not in (HIDDEN, OPEN) and seen != animal:
        picture.path(
            f"M{x + 16} {y + 16}L{x + 84} {y + 84}M{x + 84} {y + 16}L{x + 16} {y + 84}",
            fill="none",
            stroke="red",
            stroke_width=10,
            data_revealed=WRONG,
        )
