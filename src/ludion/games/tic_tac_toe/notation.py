"""Text and boards: rows from the top, `x`, `o` and `.` for empty, with `/` between rows.

`x.o/.x./..o` is a tic-tac-toe board; other games name their size: `4x3/3` is the empty board of 4 columns and 3 rows
with 3 in a row, `4x3/3:x.../.o../....` one with stones. x begins, so the counts of stones tell who is to move.
The old report's lists, `[[x,_,o],[_,x,_],[_,_,o]]`, are read too; what begins with `_` is a free cell.
Moves are cells: column letter and row number from the top left, `b2`; the report's `2,2` (row, column) is read too.
"""

from __future__ import annotations

import re

from ludion.errors import NotationError
from ludion.games.tic_tac_toe.rules import MOST_CELLS, AlignmentGame, Marks, alignment_game
from ludion.messages import message

_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})/(\d{1,4})(?::(.*))?$", re.DOTALL)


def read(text: str) -> tuple[AlignmentGame, Marks]:
    """The board that the text names."""
    given = text.strip()
    if given.startswith("[[") and given.endswith("]]"):
        cells = re.sub(r"_\w*", ".", given[2:-2])
        given = re.sub(r"[\s,]", "", re.sub(r"\]\s*,\s*\[", "/", cells))
    match = _SIZE.match(given)
    if match:
        columns, rows, align = (int(number) for number in match.groups()[:3])
        if not (columns >= 1 and rows >= 1 and 1 <= align <= max(columns, rows)):
            raise NotationError(message("tic_tac_toe.no_board", size=f"{columns}x{rows}", align=align))
        if columns * rows > MOST_CELLS:
            size = {"size": f"{columns}x{rows}", "cells": columns * rows}
            raise NotationError(message("tic_tac_toe.too_large", most=MOST_CELLS, **size))
        lines = match.group(4).split("/") if match.group(4) else ["." * columns] * rows
    else:
        columns = rows = align = 3
        lines = given.split("/")
    if len(lines) != rows:
        raise NotationError(message("tic_tac_toe.wrong_rows", text=given, count=len(lines), rows=rows))
    stones = {"x": 0, "o": 0}
    for r, line in enumerate(lines):
        line = line.strip().lower()
        if len(line) != columns:
            counts = {"count": len(line), "columns": columns}
            raise NotationError(message("tic_tac_toe.wrong_cells", row=r + 1, line=line, **counts))
        for c, sign in enumerate(line):
            if sign in stones:
                stones[sign] |= 1 << r * columns + c
            elif sign not in "._- ":
                raise NotationError(message("tic_tac_toe.no_sign", row=r + 1, column=c + 1, sign=sign))
    x, o = stones["x"], stones["o"]
    rules = alignment_game(columns, rows, align)
    return rules, Marks(x, o, 1) if x.bit_count() <= o.bit_count() else Marks(o, x, 0)


def write(rules: AlignmentGame, position: Marks) -> str:
    """The board as text; `read` reads it back."""
    rows = "/".join("".join(line) for line in signs(rules, position))
    if (rules.columns, rules.rows, rules.align) == (3, 3, 3):
        return rows
    return f"{rules.columns}x{rules.rows}/{rules.align}:{rows}"


def signs(rules: AlignmentGame, position: Marks) -> list[list[str]]:
    """The sign in every cell, row by row."""
    x, o = (position.own, position.other) if position.first else (position.other, position.own)
    return [
        [
            "x" if x >> cell & 1 else "o" if o >> cell & 1 else "."
            for cell in range(r * rules.columns, (r + 1) * rules.columns)
        ]
        for r in range(rules.rows)
    ]


def read_move(rules: AlignmentGame, position: Marks, text: str) -> int:
    """The cell that the text names."""
    given = text.strip().lower()
    if match := re.fullmatch(r"([a-z])(\d{1,4})", given):
        column, row = ord(match.group(1)) - ord("a"), int(match.group(2)) - 1
    elif match := re.fullmatch(r"\(?(\d{1,4})\s*,\s*(\d{1,4})\)?", given):
        row, column = int(match.group(1)) - 1, int(match.group(2)) - 1
    else:
        raise NotationError(message("tic_tac_toe.no_cell", text=text))
    if not (0 <= column < rules.columns and 0 <= row < rules.rows):
        sizes = {"columns": rules.columns, "rows": rules.rows}
        raise NotationError(message("tic_tac_toe.not_on_board", text=text, **sizes))
    return row * rules.columns + column


def write_move(rules: AlignmentGame, position: Marks, move: int) -> str:
    """The name of the cell."""
    return f"{chr(ord('a') + move % rules.columns)}{move // rules.columns + 1}"
