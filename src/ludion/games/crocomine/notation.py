"""Text and boards: `.croco` files, boards as an agent sees them, and names of random boards.

A `.croco` grid (the course's file format): a name (the line may be empty), `rows columns`, `row column` of the start,
then the rows, with `~` sea, `-` land, `T` tiger, `S` shark, `C` crocodile on land, `W` crocodile in water. The word
`flags` after the start makes it a Minesweeper board. On one line, `;` stands for the end of a line. Rows alone are read
too, with `R` for a shark as in the report: the start is then the first cell with no animal in it or around it, or
else the first without an animal.

A *view* (what an agent sees): `view ROWS COLUMNS TIGERS SHARKS CROCODILES SEA [START_ROW START_COLUMN]
[flags]`, then the rows, with `?` hidden, `~?` and `.?` hidden in the sea and on land, `~(1/0/2)` and
`.(1/0/2)` open with the animals around, `T`, `S` (or the report's `R`), `~C` and `.C` guessed. In a view
of Minesweeper, where there is only land and one kind, `.1` is short for `.(1/0/0)`. The report writes the rows alone:
such a view can be shown, but what is certain or likely in it depends on the totals that it does not say.

`30x16:33/33/33` names a random board, columns x rows : tigers/sharks/crocodiles, half sea, with an empty
start; `30x16:99:zero` and `30x16:99:safe` a Minesweeper board. Its seed is given apart.
"""

from __future__ import annotations

import re
from typing import Protocol

import numpy as np

from ludion.errors import NotationError
from ludion.games.crocomine.rules import (
    ANIMALS,
    CROCODILE,
    EMPTY,
    HIDDEN,
    KINDS,
    LAND,
    MOST_CELLS,
    NO_START,
    NO_TOTAL,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    UNKNOWN,
    Action,
    CrocoRules,
    CrocoWorld,
    Grid,
    View,
    animals_in_words,
    begin,
    is_won,
    terrain_not_shown,
    totals_fit,
    unseen_view,
)
from ludion.kinds.quest import WON
from ludion.messages import message

SIGNS = {
    "~": (SEA, EMPTY),
    "-": (LAND, EMPTY),
    "T": (LAND, TIGER),
    "S": (SEA, SHARK),
    "C": (LAND, CROCODILE),
    "W": (SEA, CROCODILE),
    "R": (SEA, SHARK),  # the report's
}
_SIGN_OF = {value: sign for sign, value in SIGNS.items() if sign != "R"}
_NUMBER = r"[0-9]{1,9}"  # `isdigit` and `\d` also take ² and other digits, which are no numbers here
RANDOM = re.compile(rf"({_NUMBER})x({_NUMBER}):({_NUMBER})(?:/({_NUMBER})/({_NUMBER}))?(?::(zero|safe))?")
_OPEN_SIGN = re.compile(r"([~.])\(([0-8])/([0-8])/([0-8])\)|([~.])([0-8])")
_HIDDEN_SIGN = re.compile(r"([~.]?)\?")
_GUESSED_SIGN = re.compile(r"([~.]?)([TSRCW])")
_GROUND_OF = {"": UNKNOWN, ".": LAND, "~": SEA}
_GROUND_SIGN = {ground: sign for sign, ground in _GROUND_OF.items()}
_ANIMAL_OF = {"T": TIGER, "S": SHARK, "R": SHARK, "C": CROCODILE, "W": CROCODILE}
_HOMES = {"T": LAND, "S": SEA, "R": SEA, "C": UNKNOWN, "W": SEA}


class InPlay(Protocol):
    """A world: what may be seen of it is its view."""

    @property
    def view(self) -> View: ...


Position = InPlay | View


def is_number(word: str) -> bool:
    """Whether the word is a whole number from 0 on, of at most nine digits."""
    return re.fullmatch(_NUMBER, word) is not None


def check_size(rows: int, columns: int) -> None:
    """Raise an error unless a board may have this size."""
    if rows < 1 or columns < 1 or rows * columns > MOST_CELLS:
        raise NotationError(message("crocomine.board_size", most=MOST_CELLS, rows=rows, columns=columns))


def check_start(row: int, column: int, rows: int, columns: int) -> None:
    """Raise an error unless the start is on the board."""
    if not (0 <= row < rows and 0 <= column < columns):
        start = {"row": row, "column": column}
        raise NotationError(message("crocomine.start_off_board", **start, rows=rows, columns=columns))


# ------------------------------------------------------------------ grids


def _lines(text: str) -> list[str]:
    """The lines of a text that are not empty."""
    lines = text.replace("\r", "\n").replace(";", "\n").lstrip("\ufeff").split("\n")
    return [line.strip() for line in lines if line.strip()]


def _two_numbers(words: list[str]) -> tuple[int, int] | None:
    return (int(words[0]), int(words[1])) if len(words) == 2 and all(map(is_number, words)) else None


def _read_start(line: str) -> tuple[tuple[int, int] | None, bool]:
    """Row and column of a line such as `3 4` or `3 4 flags`, and whether it says flags."""
    words = line.split()
    flags = words[-1:] == ["flags"]
    return _two_numbers(words[: len(words) - flags]), flags


def _has_name(lines: list[str]) -> bool:
    """Whether the first line of a grid is its name: else size and start come first, and then no other numbers."""
    if len(lines) < 3 or _two_numbers(lines[0].split()) is None or _read_start(lines[1])[0] is None:
        return True
    return _read_start(lines[2])[0] is not None


def _signs(line: str) -> list[str]:
    return line.split() if " " in line or "\t" in line else list(line)


def _is_bare_grid(lines: list[str]) -> bool:
    """Whether these are the rows of a grid alone."""
    return bool(lines) and all(sign in SIGNS for line in lines for sign in _signs(line))


def read_grid(text: str) -> Grid:
    """The board of a `.croco` text, or of its rows alone."""
    lines = _lines(text)
    if _is_bare_grid(lines):
        rows, columns = len(lines), len(_signs(lines[0]))
        check_size(rows, columns)
        terrain, animals = _read_rows(lines, columns)
        return Grid("", rows, columns, _first_free_cell(rows, columns, animals), terrain, animals)
    line_count = len(lines)
    name = lines.pop(0) if lines and _has_name(lines) else ""
    if len(lines) < 3:
        raise NotationError(message("crocomine.grid_too_short", n=line_count))
    size = _two_numbers(lines[0].split())
    start, flags = _read_start(lines[1])
    if size is None:
        raise NotationError(message("crocomine.size_expected", line=lines[0]))
    rows, columns = size
    check_size(rows, columns)
    if start is None:
        raise NotationError(message("crocomine.start_expected", line=lines[1]))
    row, column = start
    check_start(row, column, rows, columns)
    board = lines[2:]
    _check_row_count(board, rows)
    terrain, animals = _read_rows(board, columns)
    if animals[row * columns + column] != EMPTY:
        raise NotationError(message("crocomine.start_on_animal", row=row, column=column))
    return Grid(name, rows, columns, row * columns + column, terrain, animals, flags)


def _read_rows(lines: list[str], columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Terrain and animals of the rows of a grid."""
    terrain, animals = (np.zeros(len(lines) * columns, np.int8) for _ in range(2))
    for r, line in enumerate(lines):
        signs = _signs(line)
        _check_cell_count(signs, r, columns)
        for c, sign in enumerate(signs):
            if sign not in SIGNS:
                raise _unknown_sign(r, c, sign, " ".join(_SIGN_OF.values()))
            terrain[r * columns + c], animals[r * columns + c] = SIGNS[sign]
    return terrain, animals


def _first_free_cell(rows: int, columns: int, animals: np.ndarray) -> int:
    """The first cell with no animal in it or around it, or else the first without an animal."""
    framed = np.pad((animals != EMPTY).reshape(rows, columns), 1)
    around = sum(framed[r : r + rows, c : c + columns].astype(int) for r in range(3) for c in range(3))
    for cells in (np.flatnonzero(around == 0), np.flatnonzero(animals == EMPTY)):
        if len(cells):
            return int(cells[0])
    raise NotationError(message("crocomine.no_free_cell"))


def _check_row_count(board: list[str], rows: int) -> None:
    if len(board) != rows:
        raise NotationError(message("crocomine.wrong_row_count", count=len(board), rows=rows))


def _check_cell_count(signs: list[str], row: int, columns: int) -> None:
    if len(signs) != columns:
        raise NotationError(message("crocomine.wrong_cell_count", row=row, count=len(signs), columns=columns))


def _unknown_sign(row: int, column: int, sign: str, known: str) -> NotationError:
    return NotationError(message("crocomine.unknown_sign", row=row, column=column, sign=sign, known=known))


def write_grid(grid: Grid) -> str:
    """The board as a `.croco` text."""
    row, column = divmod(grid.start, grid.columns)
    signs = [_SIGN_OF[int(t), int(a)] for t, a in zip(grid.terrain, grid.animals, strict=True)]
    name = re.sub(r"[;\r\n]+", " ", grid.name).strip()
    header = [name, f"{grid.rows} {grid.columns}", f"{row} {column}{' flags' if grid.flags else ''}"]
    board = [" ".join(signs[r * grid.columns : (r + 1) * grid.columns]) for r in range(grid.rows)]
    return "\n".join([*header, *board]) + "\n"


# ------------------------------------------------------------------ views


def read_view(text: str) -> View:
    """The board as an agent sees it; contradictions between its totals and what is shown are errors."""
    lines = _lines(text)
    if _is_bare_view(lines):
        return _read_bare_view(lines)
    words = lines[0].split() if lines else []
    flags = words[-1:] == ["flags"]
    words = words[: len(words) - flags]
    if words[:1] != ["view"] or len(words) not in (7, 9) or not all(map(is_number, words[1:])):
        raise NotationError(message("crocomine.view_header"))
    rows, columns, *totals = (int(word) for word in words[1:6])
    sea, *start = (int(word) for word in words[6:])
    check_size(rows, columns)
    if start:
        check_start(start[0], start[1], rows, columns)
    cells = rows * columns
    if not totals_fit(cells, sea, totals):
        animals = animals_in_words(totals)
        raise NotationError(message("crocomine.totals_do_not_fit", animals=animals, cells=cells, sea=sea))
    first = start[0] * columns + start[1] if start else NO_START
    view = unseen_view(rows, columns, first, totals, sea, flags)
    _check_row_count(lines[1:], rows)
    _read_cells(view, lines[1:])
    _check_terrain(view)
    if is_won(view):
        view.status = WON
    return view


def _is_bare_view(lines: list[str]) -> bool:
    """Whether these are the rows of a view alone."""
    patterns = (_OPEN_SIGN, _HIDDEN_SIGN, _GUESSED_SIGN)
    return bool(lines) and all(
        any(pattern.fullmatch(sign) for pattern in patterns) for line in lines for sign in line.split()
    )


def _read_bare_view(lines: list[str]) -> View:
    """A view whose totals are not known."""
    rows, columns = len(lines), len(lines[0].split())
    check_size(rows, columns)
    view = unseen_view(rows, columns, NO_START, [NO_TOTAL] * len(ANIMALS), NO_TOTAL)
    _read_cells(view, lines)
    return view


def _read_cells(view: View, lines: list[str]) -> None:
    for row, line in enumerate(lines):
        signs = line.split()
        _check_cell_count(signs, row, view.columns)
        for column, sign in enumerate(signs):
            _read_cell(view, row, column, sign)


def _read_cell(view: View, row: int, column: int, sign: str) -> None:
    cell = view.cell(row, column)
    if match := _OPEN_SIGN.fullmatch(sign):
        ground, tigers, sharks, crocodiles, short_ground, number = match.groups()
        view.terrain[cell] = _GROUND_OF[ground or short_ground]
        view.seen[cell] = OPEN
        view.clues[cell] = (int(number), 0, 0) if number else (int(tigers), int(sharks), int(crocodiles))
        return
    if match := _HIDDEN_SIGN.fullmatch(sign):
        if match[1]:
            view.terrain[cell] = _GROUND_OF[match[1]]
        return
    match = _GUESSED_SIGN.fullmatch(sign)
    if match:
        ground, home = _GROUND_OF[match[1]], _HOMES[match[2]]
        if UNKNOWN not in (ground, home) and ground != home:
            raise NotationError(message("crocomine.wrong_home", row=row, column=column, sign=sign))
        if ground != UNKNOWN or home != UNKNOWN:
            view.terrain[cell] = home if ground == UNKNOWN else ground
        view.seen[cell] = _ANIMAL_OF[match[2]]
    if not match or view.terrain[cell] == UNKNOWN:
        raise _unknown_sign(row, column, sign, "? ~? .? ~(1/0/2) .(1/0/2) T S ~C .C")


def _check_terrain(view: View) -> None:
    land, sea = int((view.terrain == LAND).sum()), int((view.terrain == SEA).sum())
    if land > view.land or sea > view.sea:
        shown = {"land": land, "sea": sea}
        raise NotationError(
            message("crocomine.too_much_terrain", **shown, all_land=view.land, all_sea=view.sea)
        )
    cell = terrain_not_shown(view)
    if cell is not None:
        row, column = view.place(cell)
        raise NotationError(message("crocomine.terrain_not_shown", row=row, column=column))
    guessed = [int((view.seen == animal).sum()) for animal in ANIMALS]
    if not view.flags and any(shown > total for shown, total in zip(guessed, view.totals, strict=True)):
        raise NotationError(
            message(
                "crocomine.too_many_guessed", guessed=_slashed(guessed), totals=_slashed(view.totals.tolist())
            )
        )


def _slashed(numbers: list[int]) -> str:
    return "/".join(map(str, numbers))


def write_cell(view: View, cell: int) -> str:
    """One cell of a view."""
    ground = _GROUND_SIGN[int(view.terrain[cell])]
    seen = int(view.seen[cell])
    if seen == OPEN:
        return f"{ground}({_slashed(view.clues[cell].tolist())})"
    if seen == HIDDEN:
        return "?" if view.sea in (0, view.cells) else f"{ground}?"
    return f"{ground}C" if seen == CROCODILE else KINDS[seen - 1]


def write_view(view: View, separator: str = "\n") -> str:
    """The view as text; `read_view` reads it back."""
    start = () if view.start == NO_START else view.place(view.start)
    flags = ["flags"] if view.flags else []
    header = ["view", view.rows, view.columns, *view.totals, view.sea, *start, *flags]
    lines = [" ".join(str(word) for word in header)] if view.has_totals else []
    board = [
        " ".join(write_cell(view, r * view.columns + c) for c in range(view.columns))
        for r in range(view.rows)
    ]
    return separator.join([*lines, *board])


# ------------------------------------------------------------------ positions and actions


def read(
    text: str, seed: str = "0", first: str = "", guessing: str = "possible"
) -> tuple[CrocoRules, CrocoWorld | View]:
    """A `.croco` text, a view, or a random board such as `30x16:33/33/33`: (rules, world or view)."""
    text = text.strip()
    if RANDOM.fullmatch(text):
        from ludion.games.crocomine.generator import recent_board

        if not re.fullmatch("[0-9]{1,1000}", seed):
            raise NotationError(message("crocomine.bad_seed", seed=seed))
        cell = _two_numbers(first.replace(",", " ").split()) if first else None
        if first and cell is None:
            raise NotationError(message("crocomine.bad_first", first=first))
        grid = recent_board(text, int(seed), cell, guessing == "never")
        return CrocoRules(grid.flags), begin(grid)
    lines = _lines(text)
    if text.split(maxsplit=1)[:1] == ["view"] or (_is_bare_view(lines) and not _is_bare_grid(lines)):
        view = read_view(text)
        return CrocoRules(view.flags), view
    if "\n" not in text and ";" not in text and text.endswith(".croco"):
        # A file that exists was read by the command line.
        raise NotationError(message("crocomine.no_file", file=text))
    grid = read_grid(text)
    return CrocoRules(grid.flags), begin(grid)


def write(rules: CrocoRules, position: Position) -> str:
    """The position on one line: the grid before the first action, else the view."""
    if isinstance(position, CrocoWorld) and (position.view.seen == HIDDEN).all():
        return write_grid(position.grid).rstrip("\n").replace("\n", ";")
    return write_view(view_of(position), ";")


def read_action(text: str) -> Action:
    """`discover 3 4`, `guess 3 4 T`, `chord 3 4`."""
    words = text.split()
    if len(words) not in (3, 4) or not all(map(is_number, words[1:3])):
        raise NotationError(message("crocomine.not_an_action_text", text=text))
    return Action(words[0], int(words[1]), int(words[2]), words[3].upper() if len(words) == 4 else "")


def read_move(rules: CrocoRules, position: Position, text: str) -> Action:
    """An action from its text."""
    return read_action(text)


def write_move(rules: CrocoRules, position: Position, action: Action) -> str:
    """An action as text."""
    return str(action)


def view_of(position: Position) -> View:
    """What may be seen of a position."""
    return position if isinstance(position, View) else position.view
