"""Text and boards: the columns played, one digit each, counted from 1: `4453`.

Other boards name their size, and how many in a row win unless it is four: `6x5:4453`, `5x4/3:12`. A board
can also be drawn, rows from the top with `x` (who began), `o` and `.`:
`......./......./......./......./...x.../...oxo.`. Text written for a board is the smallest sequence of
columns that leads to it: one order of moves among those possible.
"""

from __future__ import annotations

import re

from ludion.errors import IllegalMoveError, NotationError
from ludion.games.connect_four.rules import (
    MOST_BITS,
    MOST_COLUMNS,
    START,
    DropGame,
    Stones,
    drop_game,
    has_line,
)
from ludion.kinds.duel import play

_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})(?:/(\d{1,4}))?(?::(.*))?$", re.DOTALL)


def read(text: str, align: str | None = None) -> tuple[DropGame, Stones]:
    """The board that the text names."""
    given = text.strip()
    columns, rows, wins, rest = 7, 6, 4, given
    if match := _SIZE.match(given):
        columns, rows = int(match.group(1)), int(match.group(2))
        wins = int(match.group(3) or wins)
        rest = match.group(4) or ""
    if align is not None:
        if not align.isdecimal():
            raise NotationError(f"'{align}' in a row: expected a number")
        wins = int(align)
    rules = make(columns, rows, wins)
    rest = rest.strip()
    if rest in ("", "start", "empty"):
        return rules, START
    return rules, _drawn(rules, rest) if re.search(r"[./]", rest) else _played(rules, rest)


def make(columns: int, rows: int, align: int) -> DropGame:
    """The rules for this board, if it is one."""
    if columns < 1 or rows < 1 or not 2 <= align <= max(columns, rows):
        raise NotationError(f"no board {columns}x{rows} with {align} in a row")
    if columns > MOST_COLUMNS:
        raise NotationError(f"a board has at most {MOST_COLUMNS} columns, not {columns}")
    if columns * (rows + 1) > MOST_BITS:
        raise NotationError(
            f"a board {columns}x{rows} is too large: columns x (rows + 1) is {columns * (rows + 1)}, "
            f"at most {MOST_BITS}"
        )
    return drop_game(columns, rows, align)


def _played(rules: DropGame, text: str) -> Stones:
    """The position after these columns."""
    position = START
    index = 0
    for sign in text:
        if sign in " ,\t\n":
            continue
        index += 1
        if not "1" <= sign <= str(rules.columns):
            raise NotationError(f"move {index} '{sign}' is no column of 1 to {rules.columns}")
        if index > rules.cells:
            raise NotationError(f"move {index} '{sign}': the board has only {rules.cells} cells")
        if has_line(rules, position.own ^ position.mask):
            raise NotationError(
                f"move {index} '{sign}' comes after the end: move {index - 1} made {rules.align} in a row"
            )
        column = int(sign) - 1
        if position.mask >> (column * rules.stride + rules.rows - 1) & 1:
            raise NotationError(f"move {index} '{sign}': this column is full")
        position = play(rules, position, column)
    return position


def _drawn(rules: DropGame, text: str) -> Stones:
    """The position of a drawn board."""
    lines = [line.strip().lower() for line in text.split("/")]
    if len(lines) != rules.rows:
        raise NotationError(f"{len(lines)} rows in '{text}', expected {rules.rows}")
    stones = {"x": 0, "o": 0}
    for r, line in enumerate(lines):
        if len(line) != rules.columns:
            raise NotationError(f"row {r + 1} '{line}' has {len(line)} cells, expected {rules.columns}")
        for c, sign in enumerate(line):
            if sign in stones:
                stones[sign] |= 1 << c * rules.stride + rules.rows - 1 - r
            elif sign != ".":
                raise NotationError(f"row {r + 1}, column {c + 1}: '{sign}' is none of x, o and .")
    first, second = stones["x"], stones["o"]
    mask = first | second
    if mask & (mask + rules.bottom):
        raise NotationError("a stone hangs in the air")
    difference = first.bit_count() - second.bit_count()
    if difference not in (0, 1):
        raise NotationError(
            f"{first.bit_count()} x and {second.bit_count()} o: x begins, then they take turns"
        )
    position = Stones(second if difference else first, mask)
    if sequence(rules, position) is None:
        raise NotationError("no order of moves leads to this board")
    return position


def write(rules: DropGame, position: Stones) -> str:
    """The smallest sequence of columns that leads to the board; `read` reads it back."""
    columns = "".join(str(column + 1) for column in sequence(rules, position) or [])
    if (rules.columns, rules.rows, rules.align) == (7, 6, 4):
        return columns
    size = f"{rules.columns}x{rules.rows}" + (f"/{rules.align}" if rules.align != 4 else "")
    return f"{size}:{columns}" if columns else size


def sequence(rules: DropGame, position: Stones) -> list[int] | None:
    """The first order of moves, column by column, that leads to the board without a line before the last
    move."""
    total = position.mask.bit_count()
    second = position.own if total & 1 else position.own ^ position.mask
    colours = (second ^ position.mask, second)
    heights = [0] * rules.columns
    stones = [0, 0]
    order: list[int] = []
    hopeless: set[tuple[int, ...]] = set()
    column = 0
    while len(order) < total:
        turn = len(order) & 1
        while column < rules.columns:
            cell = 1 << column * rules.stride + heights[column]
            if colours[turn] & cell and (len(order) == total - 1 or not has_line(rules, stones[turn] | cell)):
                heights[column] += 1
                if tuple(heights) not in hopeless:
                    stones[turn] |= cell
                    order.append(column)
                    break
                heights[column] -= 1
            column += 1
        if column < rules.columns:
            column = 0
            continue
        hopeless.add(tuple(heights))
        if not order:
            return None
        column = order.pop()
        heights[column] -= 1
        stones[len(order) & 1] ^= 1 << column * rules.stride + heights[column]
        column += 1
    return order


def signs(rules: DropGame, position: Stones) -> list[list[str]]:
    """The sign in every cell, row by row from the top."""
    other = position.own ^ position.mask
    x, o = (other, position.own) if position.mask.bit_count() & 1 else (position.own, other)
    return [
        [
            "x" if x >> cell & 1 else "o" if o >> cell & 1 else "."
            for cell in range(row, rules.columns * rules.stride, rules.stride)
        ]
        for row in reversed(range(rules.rows))
    ]


def read_move(rules: DropGame, position: Stones, text: str) -> int:
    """The column that the text names."""
    given = text.strip()
    if not given.isascii() or not given.isdecimal() or not 1 <= int(given) <= rules.columns:
        raise NotationError(f"'{text}' is no column of 1 to {rules.columns}")
    column = int(given) - 1
    if position.mask >> (column * rules.stride + rules.rows - 1) & 1:
        raise IllegalMoveError(f"column {given} is full")
    return column


def write_move(rules: DropGame, position: Stones, move: int) -> str:
    """The name of the column."""
    return str(move + 1)
