"""Text and boards: rows from the top with `/` between them, cells by spaces: `1 2 3/4 5 6/7 8 0`.

The blank is `0`, `_`, `.` or `vide`. Tiles are numbers or letters: `b h c/a f d/g _ e`; single letters need no spaces:
`bhc/afd/g_e`. The old report's Prolog lists, `[[b,h,c],[a,f,d],[g,vide,e]]`, are read too. The goal is by default the
tiles in order with the blank last.
Moves are those of the blank: `up`, `left`, `right`, `down`; in the metric `multi`, which counts a push of several tiles
once, also `up2`, `left3`. In French they are read as `haut`, `gauche`, `droite`, `bas`.
"""

from __future__ import annotations

import re

from ludion.errors import NotationError
from ludion.games.taquin.rules import (
    LONGEST_SIDE,
    Taquin,
    Tiles,
    contents,
    direction_of,
    length_of,
    make_move,
    taquin,
    tiles,
)
from ludion.messages import message

BLANK = "0"
BLANKS = (BLANK, "_", ".", "vide")
DIRECTIONS = ("up", "left", "right", "down")  # by number
FRENCH = ("haut", "gauche", "droite", "bas")
METRICS = ("single", "multi")


def read(text: str, goal: str | None = None, metric: str = "single") -> tuple[Taquin, Tiles]:
    """The position that the text names, with the rules for its size and goal."""
    if metric not in METRICS:
        raise NotationError(message("taquin.unknown_metric", known=" or ".join(METRICS), metric=metric))
    rows = _rows(text, "taquin.of_the_position")
    width, height = len(rows[0]), len(rows)
    names = [name for row in rows for name in row]
    _check_tiles(names, width)
    if goal is None:
        goal_names = [*sorted((name for name in names if name != BLANK), key=_rank), BLANK]
    else:
        goal_names = _read_goal(goal, width, height, names)
    # Tiles are numbered in the order of the goal's cells, the blank being 0.
    tile_names = [BLANK, *(name for name in goal_names if name != BLANK)]
    home = [goal_names.index(name) for name in tile_names]
    rules = taquin(width, height, home, [_code(name) for name in tile_names], multi=metric == "multi")
    number = {name: tile for tile, name in enumerate(tile_names)}
    return rules, tiles(rules, [number[name] for name in names])


def _read_goal(text: str, width: int, height: int, names: list[str]) -> list[str]:
    """The names of the goal's cells, which must be those of the position."""
    rows = _rows(text, "taquin.of_the_goal")
    size = (len(rows[0]), len(rows))
    if size != (width, height):
        sizes = {"goal": f"{size[0]}x{size[1]}", "position": f"{width}x{height}"}
        raise NotationError(message("taquin.sizes_differ", **sizes))
    goal_names = [name for row in rows for name in row]
    _check_tiles(goal_names, width)
    in_one_only = sorted(set(names) ^ set(goal_names), key=_rank)
    if in_one_only:
        raise NotationError(message("taquin.tiles_differ", tile=in_one_only[0]))
    return goal_names


def write(rules: Taquin, position: Tiles) -> str:
    """The position as text; `read` reads it back (with the same goal)."""
    return "/".join(" ".join(row) for row in rows_of(rules, contents(rules, position)))


def rows_of(rules: Taquin, tiles: list[int]) -> list[list[str]]:
    """The names of the tiles, row by row."""
    names = [tile_name(rules, tile) for tile in tiles]
    return [names[row * rules.width : (row + 1) * rules.width] for row in range(rules.height)]


def tile_name(rules: Taquin, tile: int) -> str:
    """The name of a tile; the blank is `0` among numbers and `_` among letters."""
    if tile == 0:
        has_letters = rules.names.size > 1 and int(rules.names[1]) < 0
        return "_" if has_letters else BLANK
    code = int(rules.names[tile])
    return chr(-code) if code < 0 else str(code)


def read_move(rules: Taquin, position: Tiles, text: str) -> int:
    """The move that the text names (the first letter of its direction is enough)."""
    given = text.strip().lower()
    name = given.rstrip("0123456789")
    digits = given[len(name) :]
    length = int(digits or 1) if len(digits) <= 2 else 0
    name = name.strip()
    if name in FRENCH:
        name = DIRECTIONS[FRENCH.index(name)]
    matching = [number for number, each in enumerate(DIRECTIONS) if name and each.startswith(name)]
    if len(matching) != 1 or not 1 <= length < LONGEST_SIDE or (length > 1 and type(rules) is Taquin):
        raise NotationError(message("taquin.no_move", text=text))
    return make_move(matching[0], length)


def write_move(rules: Taquin, position: Tiles, move: int) -> str:
    """The name of the move."""
    length = length_of(move)
    return DIRECTIONS[direction_of(move)] + (str(length) if length > 1 else "")


def _rows(text: str, of_which: str) -> list[list[str]]:
    """The names of the tiles, row by row, with the blank as `0`; `of_which` is the message that names the board."""
    rows: list[list[str]] = []
    text = re.sub(r"\s+", " ", text.strip())
    if text.startswith("[[") and text.endswith("]]"):  # the old report's Prolog lists
        text = re.sub(r"\] ?, ?\[", "/", text[2:-2])
    for number, line in enumerate(text.split("/"), 1):
        names = line.replace(",", " ").split()
        if len(names) == 1 and len(names[0]) > 1 and names[0] != "vide" and not names[0].isdigit():
            names = list(names[0])  # letters without spaces
        if not names:
            raise NotationError(message("taquin.empty_row", row=number, of_board=message(of_which)))
        if rows and len(names) != len(rows[0]):
            counts = {"count": len(names), "width": len(rows[0])}
            raise NotationError(
                message("taquin.uneven_rows", row=number, of_board=message(of_which), **counts)
            )
        rows.append([_plain(name) for name in names])
    width, height = len(rows[0]), len(rows)
    if width * height < 2 or max(width, height) > LONGEST_SIDE:
        size = f"{width}x{height}"
        raise NotationError(
            message("taquin.bad_size", of_board=message(of_which), size=size, longest=LONGEST_SIDE)
        )
    return rows


def _plain(name: str) -> str:
    """The blank as `0`, numbers without leading zeros."""
    if name.lower() in BLANKS:
        return BLANK
    return name.lstrip("0") or name if name.isdecimal() else name


def _check_tiles(names: list[str], width: int) -> None:
    """Raise an error unless there is one blank, and the tiles are numbers or letters, each once."""
    blanks = names.count(BLANK)
    if blanks != 1:
        raise NotationError(message("taquin.one_blank", n=blanks))
    first_place: dict[str, dict[str, int]] = {}
    for index, name in enumerate(names):
        place = {"row": index // width + 1, "column": index % width + 1}
        if not (name.isdecimal() and name.isascii()) and not (len(name) == 1 and name.isalpha()):
            raise NotationError(message("taquin.no_tile", **place, name=name))
        if name in first_place:
            other = {f"other_{part}": number for part, number in first_place[name].items()}
            raise NotationError(message("taquin.tile_twice", **place, name=name, **other))
        first_place[name] = place
    tile_names = [name for name in names if name != BLANK]
    letters = [name for name in tile_names if name.isalpha()]
    if letters and len(letters) < len(tile_names):
        raise NotationError(message("taquin.mixed_names"))
    if not letters:
        expected = [str(number) for number in range(1, len(names))]
        missing = [name for name in expected if name not in first_place]
        if missing:
            extra = next(name for name in tile_names if name not in expected)
            raise NotationError(
                message(
                    "taquin.tile_missing",
                    **first_place[extra],
                    name=extra,
                    highest=len(expected),
                    missing=missing[0],
                )
            )


def _rank(name: str) -> tuple[bool, int, str]:
    """Numbers before letters."""
    return (not name.isdecimal(), int(name) if name.isdecimal() else 0, name)


def _code(name: str) -> int:
    """The name of a tile as a number, a letter's code negative."""
    return int(name) if name.isdecimal() else -ord(name)
