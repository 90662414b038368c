"""Text and boards: the columns played, one digit each, counted from 1: `4453`.

Other boards name their size, and how many in a row win unless it is four: `6x5:4453`, `5x4/3:12`. A board can also be
drawn, rows from the top with `x` (who began), `o` and `.`: `......./......./......./......./...x.../...oxo.`. A
position keeps the order of the columns played; text written for a board alone is the smallest order that leads there.
"""

from __future__ import annotations

import re

from ludion.errors import IllegalMoveError, NotationError
from ludion.games.connect_four.rules import (
    MOST_BITS,
    MOST_CELLS,
    MOST_COLUMNS,
    DropGame,
    Stones,
    drop_game,
    has_line,
    is_full,
    start_of,
    stones_of,
)
from ludion.kinds.duel import play
from ludion.messages import message

_DRAWN = re.compile(r"[./]")
_BETWEEN_MOVES = " ,\t\n"
_SIZE = re.compile(r"(\d{1,4})x(\d{1,4})(?:/(\d{1,4}))?(?::(.*))?$", re.DOTALL)


def read(text: str, align: str | None = None) -> tuple[DropGame, Stones]:
    """The board that the text names."""
    (columns, rows, wins), rest = _split(text)
    if align is not None:
        if not align.isdecimal() or len(align) > 4:
            raise NotationError(message("connect_four.align_no_number", align=align))
        wins = int(align)
    rules = make(columns, rows, wins)
    return rules, _drawn(rules, rest) if _DRAWN.search(rest) else _played(rules, rest)


def _split(text: str) -> tuple[tuple[int, int, int], str]:
    """Columns, rows and how many in a row win; and the moves or the board behind them."""
    text = text.strip()
    size, rest = (7, 6, 4), text
    if match := _SIZE.match(text):
        columns, rows, align, behind = match.groups()
        size, rest = (int(columns), int(rows), int(align or 4)), (behind or "").strip()
    return size, "" if rest in ("start", "empty") else rest


def make(columns: int, rows: int, align: int) -> DropGame:
    """The rules for this board, if it is one."""
    if columns < 1 or rows < 1 or not 2 <= align <= max(columns, rows):
        raise NotationError(message("connect_four.no_board", size=f"{columns}x{rows}", align=align))
    if columns > MOST_COLUMNS:
        raise NotationError(message("connect_four.too_many_columns", most=MOST_COLUMNS, columns=columns))
    if columns * (rows + 1) > MOST_BITS or columns * rows > MOST_CELLS:
        most = {"most": MOST_CELLS, "spare": MOST_BITS}
        raise NotationError(message("connect_four.too_large", size=f"{columns}x{rows}", **most))
    return drop_game(columns, rows, align)


def _played(rules: DropGame, text: str) -> Stones:
    """The position after these columns."""
    position = start_of(rules)
    index = 0
    for sign in text:
        if sign in _BETWEEN_MOVES:
            continue
        index += 1
        move = {"number": index, "sign": sign}
        if not "1" <= sign <= str(rules.columns):
            raise NotationError(message("connect_four.move_no_column", **move, columns=rules.columns))
        if index > rules.cells:
            raise NotationError(message("connect_four.move_too_many", **move, cells=rules.cells))
        if has_line(rules, position.own ^ position.mask):
            last = {"last": index - 1, "align": rules.align}
            raise NotationError(message("connect_four.move_after_end", **move, **last))
        column = int(sign) - 1
        if is_full(rules, position, column):
            raise NotationError(message("connect_four.move_column_full", **move))
        position = play(rules, position, column)
    return position


def _drawn(rules: DropGame, text: str) -> Stones:
    """The position of a drawn board."""
    lines = [line.strip().lower() for line in text.split("/")]
    if len(lines) != rules.rows:
        count = {"count": len(lines), "rows": rules.rows}
        raise NotationError(message("connect_four.wrong_rows", text=text, **count))
    nothing = rules.full ^ rules.full
    stones = {"x": nothing, "o": nothing}
    for r, line in enumerate(lines):
        if len(line) != rules.columns:
            count = {"count": len(line), "columns": rules.columns}
            raise NotationError(message("connect_four.wrong_cells", row=r + 1, line=line, **count))
        for c, sign in enumerate(line):
            if sign in stones:
                stones[sign] |= 1 << c * rules.stride + rules.rows - 1 - r
            elif sign != ".":
                raise NotationError(message("connect_four.no_sign", row=r + 1, column=c + 1, sign=sign))
    x, o = stones["x"], stones["o"]
    mask = x | o
    if mask & (mask + rules.bottom):
        raise NotationError(message("connect_four.stone_in_the_air"))
    x_count, o_count = x.bit_count(), o.bit_count()
    if x_count - o_count not in (0, 1):
        raise NotationError(message("connect_four.not_in_turns", x=x_count, o=o_count))
    position = Stones(x if x_count == o_count else o, mask)
    if sequence(rules, position) is None:
        raise NotationError(message("connect_four.no_order"))
    return position


def write(rules: DropGame, position: Stones) -> str:
    """The smallest sequence of columns that leads to the board; `read` reads it back."""
    return _in_order(rules, "".join(str(column + 1) for column in sequence(rules, position) or []))


def write_played(rules: DropGame, text: str, move: int | None) -> str | None:
    """The text with one more column (none if it is None) behind those it lists; None for a drawn board."""
    _, rest = _split(text)
    if _DRAWN.search(rest):
        return None
    columns = "".join(sign for sign in rest if sign not in _BETWEEN_MOVES)
    return _in_order(rules, columns if move is None else f"{columns}{move + 1}")


def _in_order(rules: DropGame, columns: str) -> str:
    """These columns, with the size of the board if it is not the usual one."""
    if (rules.columns, rules.rows, rules.align) == (7, 6, 4):
        return columns
    size = f"{rules.columns}x{rules.rows}" + (f"/{rules.align}" if rules.align != 4 else "")
    return f"{size}:{columns}" if columns else size


def sequence(rules: DropGame, position: Stones) -> list[int] | None:
    """The first order of moves, column by column, that leads to the board without a line before the last move.

    A search with backtracking; `dead_ends` are the heights of the columns from which no order goes on.
    """
    total = position.mask.bit_count()
    colours = stones_of(rules, position)
    heights = [0] * rules.columns
    stones = [0, 0]
    order: list[int] = []
    dead_ends: set[tuple[int, ...]] = set()
    column = 0
    while len(order) < total:
        turn = len(order) & 1
        while column < rules.columns:
            cell = 1 << column * rules.stride + heights[column]
            if colours[turn] & cell and (len(order) == total - 1 or not has_line(rules, stones[turn] | cell)):
                heights[column] += 1
                if tuple(heights) not in dead_ends:
                    stones[turn] |= cell
                    order.append(column)
                    break
                heights[column] -= 1
            column += 1
        if column < rules.columns:
            column = 0
            continue
        dead_ends.add(tuple(heights))
        if not order:
            return None
        column = order.pop()
        heights[column] -= 1
        stones[len(order) & 1] ^= 1 << column * rules.stride + heights[column]
        column += 1
    return order


def signs(rules: DropGame, position: Stones) -> list[list[str]]:
    """The sign in every cell, row by row from the top."""
    x, o = stones_of(rules, position)
    return [
        [
            "x" if x >> cell & 1 else "o" if o >> cell & 1 else "."
            for cell in range(row, rules.columns * rules.stride, rules.stride)
        ]
        for row in reversed(range(rules.rows))
    ]


def read_move(rules: DropGame, position: Stones, text: str) -> int:
    """The column that the text names."""
    number = text.strip().lstrip("0")
    if len(number) != 1 or not "1" <= number <= str(rules.columns):
        raise NotationError(message("connect_four.no_column", text=text, columns=rules.columns))
    column = int(number) - 1
    if is_full(rules, position, column):
        raise IllegalMoveError(message("connect_four.column_full", column=number))
    return column


def write_move(rules: DropGame, position: Stones, move: int) -> str:
    """The name of the column."""
    return str(move + 1)
