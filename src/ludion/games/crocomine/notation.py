"""Text and boards: `.croco` files, boards as an agent sees them, and names of random boards.

A `.croco` grid (the course's file format): a name, `rows columns`, `row column` of the start, then the rows,
with `~` sea, `-` land, `T` tiger, `S` shark, `C` crocodile on land, `W` crocodile in water. A fourth header
line may not occur; `flags` after the start makes it a Minesweeper board. On one line, `;` stands for the end
of a line.

A *view* (what an agent sees): `view ROWS COLUMNS TIGERS SHARKS CROCODILES SEA [START_ROW START_COLUMN]
[flags]`, then the rows, with `?` hidden, `~?` and `.?` hidden in the sea and on land, `~(1/0/2)` and
`.(1/0/2)` open with the animals around, `T`, `S` (or the report's `R`), `~C` and `.C` guessed. In a view
without terrain worth telling (Minesweeper), `.1` is short for `.(1/0/0)`.

`30x16:33/33/33` names a random board, columns x rows : tigers/sharks/crocodiles, half sea, with an empty
start; `30x16:99:zero` and `30x16:99:safe` a Minesweeper board. Its seed is given apart.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from ludion.errors import NotationError
from ludion.games.crocomine.rules import (
    CROCODILE,
    EMPTY,
    HIDDEN,
    KINDS,
    LAND,
    MOST_CELLS,
    NO_START,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    UNKNOWN,
    Action,
    Grid,
    View,
    World,
    begin,
)

SYMBOLS = {
    "~": (SEA, EMPTY),
    "-": (LAND, EMPTY),
    "T": (LAND, TIGER),
    "S": (SEA, SHARK),
    "C": (LAND, CROCODILE),
    "W": (SEA, CROCODILE),
}
_SIGNS = {value: sign for sign, value in SYMBOLS.items()}
RANDOM = re.compile(r"(\d+)x(\d+):(\d+)(?:/(\d+)/(\d+))?(?::(zero|safe))?$")
_OPEN = re.compile(r"([~.])\((\d)/(\d)/(\d)\)$|([~.])(\d)$")


def _lines(text: str) -> list[str]:
    lines = [
        line.strip() for line in text.replace("\r", "\n").replace(";", "\n").lstrip("\ufeff").split("\n")
    ]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _numbers(line: str, what: str, number: int) -> list[int]:
    try:
        found = [int(word) for word in line.split()]
    except ValueError:
        found = []
    if len(found) != number:
        raise NotationError(f"expected {what}, found '{line}'")
    return found


def read_grid(text: str) -> Grid:
    """The board of a `.croco` text."""
    lines = _lines(text)
    if len(lines) < 4:
        raise NotationError(
            f"a .croco grid has a name, 'rows columns', 'row column' and the rows; found {len(lines)} lines"
        )
    filled = [line for line in lines[1:] if line]
    rows, columns = _numbers(filled[0], "line 2: rows and columns", 2)
    _check_size(rows, columns)
    header = filled[1].split()
    flags = header[-1:] == ["flags"]
    row, column = _numbers(" ".join(header[: len(header) - flags]), "line 3: row and column of the start", 2)
    board = filled[2:]
    if len(board) != rows:
        raise NotationError(f"{len(board)} rows of cells, expected {rows}")
    terrain, animals = np.zeros(rows * columns, np.int8), np.zeros(rows * columns, np.int8)
    for r, line in enumerate(board):
        signs = line.split() if " " in line or "\t" in line else list(line)
        if len(signs) != columns:
            raise NotationError(f"row {r} has {len(signs)} cells, expected {columns}")
        for c, sign in enumerate(signs):
            if sign not in SYMBOLS:
                raise NotationError(f"row {r}, column {c}: '{sign}' is none of {' '.join(SYMBOLS)}")
            terrain[r * columns + c], animals[r * columns + c] = SYMBOLS[sign]
    if not (0 <= row < rows and 0 <= column < columns):
        raise NotationError(
            f"the start ({row}, {column}) is not on a board of {rows} rows and {columns} columns"
        )
    if animals[row * columns + column] != EMPTY:
        raise NotationError(f"the start ({row}, {column}) holds an animal")
    return Grid(lines[0], rows, columns, row * columns + column, terrain, animals, flags)


def write_grid(grid: Grid) -> str:
    """The board as a `.croco` text."""
    row, column = divmod(grid.start, grid.columns)
    signs = [_SIGNS[int(t), int(a)] for t, a in zip(grid.terrain, grid.animals, strict=True)]
    board = [" ".join(signs[r * grid.columns : (r + 1) * grid.columns]) for r in range(grid.rows)]
    name = re.sub(r"[;\r\n]+", " ", grid.name).strip()
    return (
        "\n".join(
            [name, f"{grid.rows} {grid.columns}", f"{row} {column}{' flags' if grid.flags else ''}", *board]
        )
        + "\n"
    )


def _check_size(rows: int, columns: int) -> None:
    if rows < 1 or columns < 1 or rows * columns > MOST_CELLS:
        raise NotationError(f"a board has 1 to {MOST_CELLS} cells, not {rows} x {columns}")


def read_view(text: str) -> View:
    """The board as an agent sees it."""
    lines = [line for line in _lines(text) if line]
    words = lines[0].split() if lines else []
    flags = words[-1:] == ["flags"]
    words = words[: len(words) - flags]
    if words[:1] != ["view"] or len(words) not in (7, 9) or not all(word.isdigit() for word in words[1:]):
        raise NotationError(
            "a view begins with 'view ROWS COLUMNS TIGERS SHARKS CROCODILES SEA [START_ROW START_COLUMN]'"
        )
    numbers = [int(word) for word in words[1:]]
    rows, columns, tigers, sharks, crocodiles, sea = numbers[:6]
    _check_size(rows, columns)
    start = numbers[6] * columns + numbers[7] if len(numbers) == 8 else NO_START
    cells = rows * columns
    if (
        sea > cells
        or tigers > cells - sea
        or sharks > sea
        or tigers + sharks + crocodiles > cells
        or start >= cells
    ):
        raise NotationError(
            f"{tigers} tigers, {sharks} sharks, {crocodiles} crocodiles do not fit {cells} cells ({sea} sea)"
        )
    if len(lines) - 1 != rows:
        raise NotationError(f"{len(lines) - 1} rows of cells, expected {rows}")
    terrain = np.full(cells, LAND if sea == 0 else SEA if sea == cells else UNKNOWN, np.int8)
    seen, clues = np.full(cells, HIDDEN, np.int8), np.zeros((cells, 3), np.int8)
    for r, line in enumerate(lines[1:]):
        signs = line.split()
        if len(signs) != columns:
            raise NotationError(f"row {r} has {len(signs)} cells, expected {columns}")
        for c, sign in enumerate(signs):
            cell = r * columns + c
            opened = _OPEN.match(sign)
            if opened:
                land, t, s, k, short, number = opened.groups()
                terrain[cell] = SEA if (land or short) == "~" else LAND
                seen[cell] = OPEN
                clues[cell] = (int(number), 0, 0) if short else (int(t), int(s), int(k))
                continue
            if sign[0] in "~." and len(sign) == 2:
                terrain[cell] = SEA if sign[0] == "~" else LAND
            animal = sign[-1].replace("R", "S").replace("W", "C")
            if animal in KINDS and len(sign) <= 2:
                seen[cell] = 1 + KINDS.index(animal)
                if animal != "C":
                    terrain[cell] = LAND if animal == "T" else SEA
            elif sign not in ("?", "~?", ".?"):
                raise NotationError(
                    f"row {r}, column {c}: '{sign}' is none of ? ~? .? ~(1/0/2) .(1/0/2) T S ~C .C"
                )
    return View(
        rows,
        columns,
        start,
        np.array([tigers, sharks, crocodiles], np.int64),
        sea,
        terrain,
        seen,
        clues,
        flags,
    )


def write_cell(view: View, cell: int) -> str:
    """One cell of a view."""
    ground = {UNKNOWN: "", LAND: ".", SEA: "~"}[int(view.terrain[cell])]
    seen = int(view.seen[cell])
    if seen == OPEN:
        return f"{ground}({'/'.join(str(int(n)) for n in view.clues[cell])})"
    if seen == HIDDEN:
        return "?" if view.sea in (0, view.cells) else f"{ground}?"
    return f"{ground}C" if seen == CROCODILE else KINDS[seen - 1]


def write_view(view: View, separator: str = "\n") -> str:
    """The view as text; `read_view` reads it back."""
    start = () if view.start == NO_START else view.place(view.start)
    head = [
        "view",
        view.rows,
        view.columns,
        *view.totals,
        view.sea,
        *start,
        *(["flags"] if view.flags else []),
    ]
    board = [
        " ".join(write_cell(view, r * view.columns + c) for c in range(view.columns))
        for r in range(view.rows)
    ]
    return separator.join([" ".join(str(word) for word in head), *board])


class Rules(NamedTuple):
    """What everybody may know of the rules in force: nothing of where the animals are."""

    flags: bool


def read(text: str, seed: str = "0") -> tuple[Rules, World | View]:
    """A `.croco` text, a view, or a random board such as `30x16:33/33/33`: (rules, world or view)."""
    text = text.strip()
    match = RANDOM.match(text)
    if match:
        from ludion.games.crocomine.generator import from_name

        if not seed.lstrip("-").isdigit():
            raise NotationError(f"the seed must be a whole number, not '{seed}'")
        grid = from_name(text, int(seed))
        return Rules(grid.flags), begin(grid)
    if text.split(maxsplit=1)[:1] == ["view"]:
        view = read_view(text)
        return Rules(view.flags), view
    if "\n" not in text and ";" not in text and text.endswith(".croco"):
        raise NotationError(f"no file '{text}'")  # files that exist were read by the command line
    grid = read_grid(text)
    return Rules(grid.flags), begin(grid)


def write(rules: Rules, position: World | View) -> str:
    """The position on one line: the grid before the first action, else the view."""
    if isinstance(position, World) and (position.view.seen == HIDDEN).all():
        return write_grid(position.grid).strip().replace("\n", ";")
    return write_view(view_of(position), ";")


def read_action(text: str) -> Action:
    """`discover 3 4`, `guess 3 4 T`, `chord 3 4`."""
    words = text.split()
    if len(words) not in (3, 4) or not all(word.isdigit() for word in words[1:3]):
        raise NotationError(f"'{text}' is not an action; like 'discover 3 4', 'guess 3 4 T', 'chord 3 4'")
    return Action(words[0], int(words[1]), int(words[2]), words[3].upper() if len(words) == 4 else "")


def read_move(rules: Any, position: Any, text: str) -> Action:
    """For the card: an action from its text."""
    return read_action(text)


def write_move(rules: Any, position: Any, action: Action) -> str:
    """For the card: an action as text."""
    return str(action)


def view_of(position: Any) -> View:
    """What may be seen of a position."""
    return position if isinstance(position, View) else position.view
