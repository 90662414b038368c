"""Text and boards: rows from the top with `/` between them, cells by spaces: `1 2 3/4 5 6/7 8 0`.

The blank is `0`, `_`, `.` or `vide`. Tiles are numbers or letters: `b h c/a f d/g _ e`; single letters need no spaces:
`bhc/afd/g_e`. The goal is by default the tiles in order with the blank last.
Moves are those of the blank: `up`, `left`, `right`, `down`; in the metric `multi`, which counts a push of several tiles
once, also `up2`, `left3`.
"""

from __future__ import annotations

from ludion.errors import NotationError
from ludion.games.taquin.rules import LONGEST_SIDE, Taquin, Tiles, contents, taquin, tiles

BLANKS = ("0", "_", ".", "vide")
MOVES = ("up", "left", "right", "down")
METRICS = ("single", "multi")


def read(text: str, goal: str | None = None, metric: str = "single") -> tuple[Taquin, Tiles]:
    """The position that the text names, with the rules for its size and goal."""
    rows = _rows(text, "position")
    width, height = len(rows[0]), len(rows)
    cells = [name for row in rows for name in row]
    _check_tiles(cells, width)
    if goal is None:
        order = sorted((name for name in cells if name != "0"), key=_rank)
        target = [*order, "0"]
    else:
        goal_rows = _rows(goal, "goal")
        if (len(goal_rows[0]), len(goal_rows)) != (width, height):
            raise NotationError(
                f"the goal is {len(goal_rows[0])}x{len(goal_rows)}, the position {width}x{height}"
            )
        target = [name for row in goal_rows for name in row]
        _check_tiles(target, width)
        if set(target) != set(cells):
            odd = sorted(set(cells) ^ set(target), key=_rank)
            raise NotationError(
                f"position and goal do not have the same tiles ('{odd[0]}' is in only one of them)"
            )
    # Tiles are numbered in the order of the goal's cells, the blank being 0.
    names = ["0", *(name for name in target if name != "0")]
    home = [target.index(name) for name in names]
    if metric not in METRICS:
        raise NotationError(f"the metric is {' or '.join(METRICS)}, not '{metric}'")
    rules = taquin(width, height, home, [_code(name) for name in names], multi=metric == "multi")
    number = {name: tile for tile, name in enumerate(names)}
    return rules, tiles(rules, [number[name] for name in cells])


def write(rules: Taquin, position: Tiles) -> str:
    """The position as text; `read` reads it back (with the same goal)."""
    return "/".join(" ".join(row) for row in rows_of(rules, contents(rules, position)))


def rows_of(rules: Taquin, tiles: list[int]) -> list[list[str]]:
    """The names of the tiles, row by row; the blank is `0` among numbers and `_` among letters."""
    names = [tile_name(rules, tile) for tile in tiles]
    return [names[row * rules.width : (row + 1) * rules.width] for row in range(rules.height)]


def tile_name(rules: Taquin, tile: int) -> str:
    lettered = rules.names.size > 1 and int(rules.names[1]) < 0
    if tile == 0:
        return "_" if lettered else "0"
    code = int(rules.names[tile])
    return chr(-code) if code < 0 else str(code)


def read_move(rules: Taquin, position: Tiles, text: str) -> int:
    """The move that the text names (the first letter of its direction is enough)."""
    given = text.strip().lower()
    name = given.rstrip("0123456789")
    count = int(given[len(name) :] or 1)
    found = [code for code, each in enumerate(MOVES) if name and each.startswith(name.strip())]
    if len(found) != 1 or not 1 <= count < LONGEST_SIDE or (count > 1 and type(rules) is Taquin):
        raise NotationError(f"'{text}' is no move (up, left, right, down: where the blank goes)")
    return found[0] + 4 * (count - 1)


def write_move(rules: Taquin, position: Tiles, move: int) -> str:
    return MOVES[move % 4] + (str(move // 4 + 1) if move > 3 else "")


def _rows(text: str, what: str) -> list[list[str]]:
    """The names of the tiles, row by row, with the blank as `0`."""
    rows: list[list[str]] = []
    for number, line in enumerate(text.strip().split("/"), 1):
        cells = line.replace(",", " ").split()
        if len(cells) == 1 and len(cells[0]) > 1 and cells[0] != "vide" and not cells[0].isdigit():
            cells = list(cells[0])  # letters without spaces
        if not cells:
            raise NotationError(f"row {number} of the {what} is empty")
        if rows and len(cells) != len(rows[0]):
            raise NotationError(
                f"row {number} of the {what} has {len(cells)} cells, row 1 has {len(rows[0])}"
            )
        rows.append(["0" if cell.lower() in BLANKS else cell for cell in cells])
    width, height = len(rows[0]), len(rows)
    if width * height < 2 or max(width, height) > LONGEST_SIDE:
        raise NotationError(
            f"the {what} is {width}x{height}: sides go up to {LONGEST_SIDE}, with at least 2 cells"
        )
    return rows


def _check_tiles(cells: list[str], width: int) -> None:
    blanks = [index for index, name in enumerate(cells) if name == "0"]
    if len(blanks) != 1:
        raise NotationError(f"{len(blanks)} blanks, expected one (written 0, _ or .)")
    seen: dict[str, int] = {}
    for index, name in enumerate(cells):
        where = f"row {index // width + 1}, column {index % width + 1}"
        if not (name.isdecimal() and name.isascii()) and not (len(name) == 1 and name.isalpha()):
            raise NotationError(f"{where}: '{name}' is neither a number nor a letter")
        if name in seen:
            first = seen[name]
            raise NotationError(
                f"{where}: tile {name} is also in row {first // width + 1}, column {first % width + 1}"
            )
        seen[name] = index
    tiles = [name for name in cells if name != "0"]
    letters = [name for name in tiles if name.isalpha()]
    if letters and len(letters) < len(tiles):
        raise NotationError("the tiles are numbers or letters, not both")
    if not letters:
        missing = sorted(set(range(1, len(cells))) - {int(name) for name in tiles})
        if missing:
            extra = next(name for name in tiles if not 1 <= int(name) < len(cells))
            index = seen[extra]
            raise NotationError(
                f"row {index // width + 1}, column {index % width + 1}: "
                f"tile {extra} is not among 1 to {len(cells) - 1} "
                f"(tile {missing[0]} is missing)"
            )


def _rank(name: str) -> tuple[bool, int, str]:
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


def _code(name: str) -> int:
    return int(name) if name.isdecimal() else -ord(name)
