"""Boulder Dash caves as text (BDCFF), read at their first level of difficulty:

    [cave]
    Name=Cave A
    DiamondsRequired=12 12 12 12 12     one number per level
    CaveTime=150 110 90 70 30           seconds
    [map]                               one letter per cell
    WWWWWW
    WP.rRW
    [/map]
    [/cave]

Instead of a map, a cave may have a `Size`, a random fill (`RandSeed`, `InitialFill`, `RandomFill`) and `[objects]` that
are drawn over it. Caves follow the rules of boulder-dash unless they say `Engine=Delirium`. In such caves of ours, `3`
to `6` are the further monsters, and `Actions=` is what has been played.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ludion.errors import unknown
from ludion.games.delirium.actions import read_actions, write_actions
from ludion.games.delirium.mine import (
    MOST_DIAMONDS,
    MOST_ROWS,
    MOST_SECONDS,
    NO_LIMIT,
    TICKS_PER_SECOND,
    MapError,
    Mine,
    read_number,
    shortened,
    with_border,
)
from ludion.games.delirium.physics import (
    AMOEBA,
    BLACK,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    FALLING,
    GREEN,
    HEADINGS,
    ITEM_NAMES,
    MAGIC,
    MINER,
    PURPLE,
    RED,
    SILVER,
    STONE,
    WALL,
    YELLOW,
)
from ludion.messages import message

LETTERS = {
    " ": EMPTY,
    ".": DIRT,
    "d": DIAMOND,
    "r": STONE,
    "W": SILVER,
    "w": WALL,
    "M": MAGIC,
    "X": EXIT,
    "P": MINER,
    "a": AMOEBA,
    "3": GREEN,
    "4": YELLOW,
    "5": PURPLE,
    "6": BLACK,
}
HIDDEN_EXIT = "H"
# Letters that say more than a code: the code, and whether it falls, or its heading (right, up, left, down).
DETAILED_LETTERS = {
    "D": (DIAMOND, FALLING),
    "R": (STONE, FALLING),
    HIDDEN_EXIT: (EXIT, 0),
    **{letter: (RED, heading) for heading, letter in zip(range(HEADINGS), "OoQq", strict=True)},
    **{letter: (BLUE, heading) for heading, letter in zip(range(HEADINGS), "BbCc", strict=True)},
}
_LETTER_OF = {(code, 0): letter for letter, code in LETTERS.items()} | {
    value: letter for letter, value in DETAILED_LETTERS.items() if letter != HIDDEN_EXIT
}
BORDER_LETTERS = "WXH"  # a cave whose edge has only these has a border of its own

ELEMENTS = {
    "SPACE": " ",
    "DIRT": ".",
    "WALL": "w",
    "MAGICWALL": "M",
    "STEELWALL": "W",
    "BOULDER": "r",
    "BOULDERf": "R",
    "DIAMOND": "d",
    "DIAMONDf": "D",
    "INBOX": "P",
    "OUTBOX": "X",
    "HIDDENOUTBOX": HIDDEN_EXIT,
    "AMOEBA": "a",
    **dict(zip(("FIREFLYr", "FIREFLYu", "FIREFLYl", "FIREFLYd"), "OoQq", strict=True)),
    **dict(zip(("BUTTERFLYr", "BUTTERFLYu", "BUTTERFLYl", "BUTTERFLYd"), "BbCc", strict=True)),
}
MOST_COORDINATE = 1000  # of an object, above or below zero
MOST_SEED = 1 << 62

Letters = list[list[str]]  # of a cave, row by row


@dataclass
class Cave:
    """A cave as it stands in the text."""

    properties: dict[str, str] = field(default_factory=dict)  # by name in small letters
    map_lines: list[str] | None = None
    object_lines: list[str] | None = None

    @property
    def name(self) -> str:
        return self.properties.get("name", "")

    @property
    def has_cells(self) -> bool:
        return self.map_lines is not None or self.object_lines is not None or "size" in self.properties

    def text(self, key: str, default: str) -> str:
        return self.properties.get(key.lower(), default)

    def number(self, key: str, default: int, least: int, most: int) -> int:
        """The number of the first level of difficulty."""
        words = self.text(key, "").split()
        return read_number(words[0] if words else None, self.label(key), default, least, most)

    def label(self, key: str) -> str:
        return message("delirium.field_of_cave", field=key, name=self.name)


# ------------------------------------------------------------------ reading


def read_bdcff(text: str, choice: str = "") -> Mine:
    """The cave with this number (from 1), letter or name; the first one without a choice."""
    caves = [cave for cave in split_caves(text) if cave.has_cells]
    if not caves:
        raise MapError(message("delirium.no_cave"))
    return _read_cave(caves[_choose(caves, choice)])


def split_caves(text: str) -> list[Cave]:
    """The caves of a text, which is a single cave if it has no [cave]."""
    caves: list[Cave] = []
    current: Cave | None = None
    lines: list[str] | None = None  # of the section that is open
    section = ""
    if not re.search(r"^\[cave\]", text, re.MULTILINE | re.IGNORECASE):
        current = Cave()
        caves.append(current)
    for line in text.splitlines():
        tag = line.strip().lower()
        if lines is not None:
            if tag == f"[/{section}]":
                lines = None
            else:
                lines.append(line)
        elif tag == "[cave]":
            current = Cave()
            caves.append(current)
        elif tag == "[/cave]":
            current = None
        elif tag in ("[map]", "[objects]"):
            if current is None:
                raise MapError(message("delirium.section_outside_cave", section=tag))
            section = tag[1:-1]
            lines = _open_section(current, section)
        elif "=" in line and current is not None and not tag.startswith(("[", ";")):
            key, _, value = line.partition("=")
            current.properties[key.strip().lower()] = value.strip()
    if lines is not None:
        raise MapError(message("delirium.section_not_closed", section=section))
    return caves


def _open_section(cave: Cave, section: str) -> list[str]:
    """The lines of this section, to which more are added."""
    if section == "map":
        cave.map_lines = cave.map_lines or []
        return cave.map_lines
    cave.object_lines = cave.object_lines or []
    return cave.object_lines


def _choose(caves: list[Cave], choice: str) -> int:
    """The index of the cave with this number, name or letter (as in `Cave B: ...`)."""
    names = [cave.name for cave in caves]
    if not choice:
        return 0
    if re.fullmatch(r"[0-9]{1,9}", choice) and 1 <= int(choice) <= len(caves):
        return int(choice) - 1
    if choice in names:
        return names.index(choice)
    for index, name in enumerate(names):
        if len(choice) == 1 and re.match(rf"cave {re.escape(choice)}\b", name, re.IGNORECASE):
            return index
    raise unknown("delirium.cave", choice, names)


def _read_cave(cave: Cave) -> Mine:
    letters = _mapped(cave.map_lines, cave.name) if cave.map_lines is not None else _drawn(cave)
    rules = "delirium" if cave.text("Engine", "").lower() == "delirium" else "boulder-dash"
    rows, details = _decode(letters, cave.name)
    return Mine(
        cave.name,
        rows,
        cave.number("DiamondsRequired", 10, 0, MOST_DIAMONDS),
        cave.number("CaveTime", NO_LIMIT, NO_LIMIT, MOST_SECONDS),
        rules,
        details,
        _read_settings(cave, rules),
        tuple(read_actions(cave.text("Actions", ""))),
    )


def _mapped(lines: list[str], name: str) -> Letters:
    """The letters of a [map], without empty lines at its end."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        raise MapError(message("delirium.empty_cave_map", name=name))
    width = max(len(line) for line in lines)
    for number, line in enumerate(lines, 1):
        if len(line) != width:
            raise MapError(
                message("delirium.cave_row_width", row=number, name=name, count=len(line), width=width)
            )
    return [list(line) for line in lines]


def _decode(letters: Letters, name: str) -> tuple[tuple[tuple[int, ...], ...], dict[tuple[int, int], int]]:
    """The codes of the cells with a border, and the details of those cells that have any."""
    edges = (letters[0], letters[-1], [row[0] for row in letters], [row[-1] for row in letters])
    has_border = all(letter in BORDER_LETTERS for edge in edges for letter in edge)
    offset = 0 if has_border else 1  # of the rows and columns in the mine
    rows: list[list[int]] = []
    details: dict[tuple[int, int], int] = {}
    for r, line in enumerate(letters):
        rows.append([])
        for c, letter in enumerate(line):
            if letter in LETTERS:
                code = LETTERS[letter]
            elif letter in DETAILED_LETTERS:
                code, detail = DETAILED_LETTERS[letter]
                if detail:
                    details[r + offset, c + offset] = detail
            else:
                raise MapError(
                    message("delirium.unknown_cave_item", row=r + 1, column=c + 1, name=name, item=letter)
                )
            rows[-1].append(code)
    return _hardened(rows) if has_border else with_border(rows), details


def _hardened(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """The rows with silver on the edge as the border, which nothing breaks."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    return tuple(
        tuple(
            BORDER if code == SILVER and (r in (0, last_row) or c in (0, last_column)) else code
            for c, code in enumerate(row)
        )
        for r, row in enumerate(rows)
    )


TIMED_SETTINGS = {"MagicWallTime": "magic_ticks", "AmoebaTime": "late_ticks"}  # in seconds -> in ticks
DEFAULT_SECONDS = 20  # of both


def _read_settings(cave: Cave, rules: str) -> dict[str, int]:
    """The numbers of the rule set that the cave changes."""
    if rules != "boulder-dash":
        return {}
    return {
        setting: int(cave.number(key, DEFAULT_SECONDS, 0, MOST_SECONDS) * TICKS_PER_SECOND[rules])
        for key, setting in TIMED_SETTINGS.items()
    }


# ------------------------------------------------------------------ caves that are drawn


def _drawn(cave: Cave) -> Letters:
    """The cave that its size, random fill and objects describe."""
    letters = _fill(cave, *_read_size(cave))
    in_first_level = True
    for line in map(str.strip, cave.object_lines or []):
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            tag = line.strip("[]").lower()
            levels = re.split(r"[ ,]+", tag.removeprefix("level="))
            in_first_level = not tag.startswith("level=") or "1" in levels
        elif in_first_level:
            _draw_object(letters, line, cave.name)
    return letters


def _read_size(cave: Cave) -> tuple[int, int]:
    """Width and height, border included."""
    words = cave.text("Size", "40 22").split()
    sizes = [read_number(word, cave.label("Size"), 0, -MOST_COORDINATE, MOST_COORDINATE) for word in words]
    if len(sizes) < 2 or min(sizes[:2]) < 3 or max(sizes[:2]) > MOST_ROWS:
        raise MapError(message("delirium.bad_size", name=cave.name, size=shortened(cave.text("Size", ""))))
    return sizes[0], sizes[1]


def _fill(cave: Cave, width: int, height: int) -> Letters:
    """The cave filled at random, as the C64 did it: each element replaces the ones before it below its limit."""
    initial = _element(cave.text("InitialFill", "DIRT"), cave.name)
    words = cave.text("RandomFill", "").split()
    if len(words) % 2:
        raise MapError(message("delirium.bad_random_fill", name=cave.name, fill=shortened(" ".join(words))))
    label = cave.label("RandomFill")
    limits = [
        (_element(element, cave.name), read_number(limit, label, 0, -MOST_COORDINATE, MOST_COORDINATE))
        for element, limit in zip(words[::2], words[1::2], strict=True)
    ]
    numbers = c64_random_numbers(cave.number("RandSeed", 0, -MOST_SEED, MOST_SEED))
    letters = [["W"] * width for _ in range(height)]
    for row in letters[1:-1]:
        for column in range(width):  # the C64 took a number for the border cells too
            number = next(numbers)
            letter = initial
            for element, limit in limits:
                if number < limit:
                    letter = element
            if 0 < column < width - 1:
                row[column] = letter
    return letters


def c64_random_numbers(seed: int) -> Iterator[int]:
    """The pseudo-random bytes of the C64 game: two bytes of state and additions with carry."""
    first, second = 0, seed & 0xFF
    while True:
        first_low_bit, second_high_bits = (first & 1) << 7, (second >> 1) & 0x7F
        total = second + ((second & 1) << 7)
        carry, total = total >> 8, total & 0xFF
        total += carry + 0x13
        carry, second = total >> 8, total & 0xFF
        total = first + carry + first_low_bit
        carry, total = total >> 8, total & 0xFF
        first = (total + carry + second_high_bits) & 0xFF
        yield first


def _element(text: str, name: str) -> str:
    """The letter of an element."""
    if text not in ELEMENTS:
        raise MapError(message("delirium.unknown_element", name=name, element=shortened(text)))
    return ELEMENTS[text]


# ------------------------------------------------------------------ objects


def _draw_object(letters: Letters, line: str, name: str) -> None:
    """Draw one object: `Line=1 3 8 3 WALL`."""
    kind, _, arguments = line.partition("=")
    if kind not in OBJECTS:
        raise MapError(
            message("delirium.unknown_object", name=name, object=shortened(kind), known=", ".join(OBJECTS))
        )
    number_count, element_count, draw = OBJECTS[kind]
    words = arguments.split()
    label = message("delirium.object_of_cave", name=name, line=shortened(line))
    numbers = [
        read_number(word, label, 0, -MOST_COORDINATE, MOST_COORDINATE) for word in words if _is_number(word)
    ]
    elements = [_element(word, name) for word in words if not _is_number(word)]
    if len(numbers) != number_count or len(elements) < element_count:
        raise MapError(
            message("delirium.bad_object", label=label, numbers=number_count, elements=element_count)
        )
    if kind == "Raster" and any(
        count > 1 and step == 0 for count, step in zip(numbers[2:4], numbers[4:], strict=True)
    ):
        raise MapError(message("delirium.raster_without_step", label=label))
    draw(letters, numbers, elements)


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?\d+", word) is not None


def _dot(letters: Letters, x: int, y: int, letter: str) -> None:
    """Draw one cell, if it is in the cave."""
    if 0 <= y < len(letters) and 0 <= x < len(letters[0]):
        letters[y][x] = letter


def _draw_point(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    _dot(letters, numbers[0], numbers[1], elements[0])


def _draw_line(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    x1, y1, x2, y2 = numbers
    length = max(abs(x2 - x1), abs(y2 - y1), 1)
    for i in range(length + 1):
        _dot(
            letters,
            x1 + round((x2 - x1) * i / length),
            y1 + round((y2 - y1) * i / length),
            elements[0],
        )


def _draw_frame(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    x1, y1, x2, y2 = numbers
    for x, y in _cells_between(letters, numbers):
        if x in (x1, x2) or y in (y1, y2):
            letters[y][x] = elements[0]


def _draw_filled_frame(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    for x, y in _cells_between(letters, numbers):
        letters[y][x] = elements[1] if len(elements) > 1 else elements[0]
    _draw_frame(letters, numbers, elements)


def _cells_between(letters: Letters, numbers: list[int]) -> Iterator[tuple[int, int]]:
    """The cells of the cave in the rectangle of these corners, as x, y."""
    x1, y1, x2, y2 = numbers
    for y in range(max(0, min(y1, y2)), min(len(letters) - 1, max(y1, y2)) + 1):
        for x in range(max(0, min(x1, x2)), min(len(letters[0]) - 1, max(x1, x2)) + 1):
            yield x, y


def _draw_raster(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    x, y, across, down, step_x, step_y = numbers
    columns = [x + i * step_x for i in range(across) if 0 <= x + i * step_x < len(letters[0])]
    rows = [y + i * step_y for i in range(down) if 0 <= y + i * step_y < len(letters)]
    for row in rows:
        for column in columns:
            letters[row][column] = elements[0]


def _draw_beside(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    """Beside each element of one kind, draw another."""
    present = [(x, y) for y, row in enumerate(letters) for x, each in enumerate(row) if each == elements[0]]
    for x, y in present:
        _dot(letters, x + numbers[0], y + numbers[1], elements[1])


# By name: how many numbers, how many elements at least, and what draws it.
OBJECTS: dict[str, tuple[int, int, Callable[[Letters, list[int], list[str]], None]]] = {
    "Point": (2, 1, _draw_point),
    "Line": (4, 1, _draw_line),
    "Rectangle": (4, 1, _draw_frame),
    "FillRect": (4, 1, _draw_filled_frame),
    "Raster": (6, 1, _draw_raster),
    "Add": (2, 2, _draw_beside),
}


# ------------------------------------------------------------------ writing


def write_bdcff(mine: Mine) -> str:
    """The mine as a cave, with the actions that were played; `read_bdcff` reads it back."""
    lines = [
        "".join(_letter_for(mine, r, c, code) for c, code in enumerate(row))
        for r, row in enumerate(mine.rows)
    ]
    properties = [
        f"Name={mine.name}",
        f"Size={mine.width} {mine.height} 0 0 {mine.width - 1} {mine.height - 1}",
    ]
    if mine.rules == "delirium":
        properties.append("Engine=Delirium")
    properties += [f"DiamondsRequired={mine.need}", f"CaveTime={mine.seconds}"]
    for key, setting in TIMED_SETTINGS.items():
        if setting in mine.settings:
            properties.append(f"{key}={round(mine.settings[setting] / TICKS_PER_SECOND[mine.rules])}")
    if mine.actions:
        properties.append(f"Actions={write_actions(mine.actions)}")
    return "\n".join(["[cave]", *properties, "[map]", *lines, "[/map]", "[/cave]", ""])


def _letter_for(mine: Mine, row: int, column: int, code: int) -> str:
    code = SILVER if code == BORDER else code
    detail = 0 if GREEN <= code <= BLACK else mine.details.get((row, column), 0)  # they have one letter each
    letter = _LETTER_OF.get((code, detail))
    if letter is None:
        raise MapError(message("delirium.no_letter", row=row, column=column, item=ITEM_NAMES[code - 1]))
    return letter
