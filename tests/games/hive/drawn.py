"""Positions drawn as boards, as `str(position)` draws them.

   .     *     .           A cell is six characters wide, and each row is half a cell aside of the next one.
.     wQ    bS1*  bB1      A name is the piece on top of a cell, `.` an empty cell, and `*` marks a cell that
   .     *     .           the test is about, empty or not.
bB1 on bQ                  Below the board: what is covered.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ludion.games.hive.board import (
    ARCS,
    MIDDLE,
    NO_PIECE,
    ORIGIN,
    STEPS,
    column_of,
    drop,
    neighbours,
    one_in_hand,
    row_of,
    top_of,
    wrap,
)
from ludion.games.hive.notation import NAMES
from ludion.games.hive.rules import Hive, HiveRules, empty_hive, hive_rules

from .naive import Naive


class Drawn(NamedTuple):
    rules: HiveRules
    position: Hive
    twin: Naive
    marked: set[tuple[int, int]]  # x and y of the cells with a `*`


def cell_at(x: int, y: int) -> int:
    """The cell of a place: x to the east, y to the south-east."""
    return wrap(ORIGIN + int(STEPS[0]) * x + int(STEPS[1]) * y)


def place_of(cell: int) -> tuple[int, int]:
    """x and y of a cell near the middle."""
    row, column = row_of(cell) - MIDDLE, column_of(cell) - MIDDLE
    return column - row, row


def drawn_tokens(text: str) -> dict[tuple[int, int], str]:
    """What is drawn at each x and y; the first cell is at (0, 0)."""
    rows = [line for line in text.splitlines() if line.strip() and " on " not in line]
    margin = len(rows[0]) - len(rows[0].lstrip())
    tokens = {}
    for y, row in enumerate(rows):
        for match in re.finditer(r"\S+", row):
            x, rest = divmod(match.start() - margin - 3 * y, 6)
            assert rest == 0, f"row {y + 1} is not half a cell aside of the one above"
            tokens[x, y] = match.group()
    return tokens


def drawn(text: str, to_move: str = "w", moved: str | None = None) -> Drawn:
    """The position, with the piece that was moved last; all bugs take part."""
    tokens = drawn_tokens(text)
    stacks = {place: [token.rstrip("*")] for place, token in tokens.items() if token.rstrip("*") in NAMES}
    for top, *covered in (line.strip().split(" on ") for line in text.splitlines() if " on " in line):
        pile = next(pile for pile in stacks.values() if pile == [top])
        pile[:0] = reversed(covered)
    rules = hive_rules("MLP", repetition=0)
    position = empty_hive(rules)
    board, hand, placed, holes = position.board, position.hand, 0, 0
    for (x, y), pile in stacks.items():
        cell = cell_at(x, y)
        holes += int(ARCS[neighbours(board, cell)]) - 1 if placed else 0
        for piece in map(NAMES.index, pile):
            drop(board, piece, cell)
            hand -= one_in_hand(piece)
            placed |= 1 << piece
        assert top_of(board, cell) == NAMES.index(pile[-1])
    ply = 20 + "wb".index(to_move)
    stunned = NAMES.index(moved) if moved else NO_PIECE
    twin = Naive("MLP")
    twin.stacks, twin.ply, twin.last = {place: list(pile) for place, pile in stacks.items()}, ply, moved
    marked = {place for place, token in tokens.items() if token.endswith("*")}
    return Drawn(rules, Hive(board, ply, hand, placed, stunned, holes, 0, 0), twin, marked)
