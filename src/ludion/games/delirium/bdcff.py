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
are drawn over it. `[mapcodes]` gives letters to elements that have none of their own: `!=DIAMONDBIRTH2`. Caves follow
the rules of boulder-dash unless they say `Engine=Delirium`. In such caves of ours, `3` to `6` are the further monsters,
and `Actions=` has the actions so far. With `HatchingDelay=0` the miner is in the cave from the first tick.

Seconds become ticks as in GDash, which counts how long the C64 took for each object; here the count is made once, at
the start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from ludion.errors import unknown
from ludion.games.delirium.actions import read_actions, write_actions
from ludion.games.delirium.mine import (
    MOST_DIAMONDS,
    MOST_ROWS,
    MOST_SECONDS,
    NO_LIMIT,
    CaveClock,
    MapError,
    Mine,
    read_number,
    shortened,
    with_border,
)
from ludion.games.delirium.physics import (
    AMOEBA,
    BLACK,
    BLAST,
    BLAST_TICK,
    BLUE,
    BORDER,
    BOULDER_DASH,
    DIAMOND,
    DIRT,
    DOLL,
    EMPTY,
    EXIT,
    FALLING,
    FIRST_MONSTER,
    GREEN,
    HEADINGS,
    ITEM_NAMES,
    LAST_MONSTER,
    LEAVES_DIAMOND,
    LEAVES_NOTHING,
    LEAVES_SILVER,
    LEAVES_STONE,
    MAGIC,
    MINER,
    PURPLE,
    RED,
    SECOND_MINER,
    SILVER,
    SLIME,
    SOFT_SILVER,
    STONE,
    WALL,
    WALL_GROWING,
    WALL_GROWING_ASIDE,
    WALL_GROWING_UPRIGHT,
    YELLOW,
    next_c64_random,
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
    "s": SLIME,
    "x": WALL_GROWING_ASIDE,
    "v": WALL_GROWING_UPRIGHT,
    "e": WALL_GROWING,
    "F": DOLL,
    "E": SOFT_SILVER,
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
BLAST_SIGN, UNKNOWN_SIGN = "*", "?"  # not letters of the format: maps do not have blasts, pictures do
BORDER_LETTERS = "WXH"  # a cave whose edge has only these has a border of its own

# What is being born or blows up: the element and how many stages it has, then what it leaves.
STAGES = {
    ("DIAMONDBIRTH", 5): LEAVES_DIAMOND,
    ("BOULDERBIRTH", 4): LEAVES_STONE,
    ("STEELWALLBIRTH", 4): LEAVES_SILVER,
    ("EXPLOSION", 5): LEAVES_NOTHING,
}
_STAGE_DETAILS = {
    f"{name}{stage}": BLAST_TICK * (stages + 1 - stage) + product
    for (name, stages), product in STAGES.items()
    for stage in range(1, stages + 1)
}
_STAGE_OF = {detail: name for name, detail in _STAGE_DETAILS.items()}
FREE_LETTERS = "!\"#$%&'()*+,-/012789"  # for stages, when a cave is written

NO_ELEMENT = "NONE"  # leaves a cell as it is

# By name: a letter, or the element itself if it has none.
ELEMENTS = {
    "SPACE": " ",
    "DIRT": ".",
    "DIRT2": ".",
    "WALL": "w",
    "NONSLOPEDWALL": "E",
    "MAGICWALL": "M",
    "STEELWALL": "W",
    "STEELWALLDESTRUCTABLE": "E",
    "GRAVESTONE": "W",
    "BOULDER": "r",
    "BOULDERf": "R",
    "DIAMOND": "d",
    "DIAMONDf": "D",
    "INBOX": "P",
    "GUYBIRTH1": "P",
    "GUYBIRTH2": "P",
    "GUYBIRTH3": "P",
    "GUY": "P",
    "OUTBOX": "X",
    "OUTBOXopen": "X",
    "OUTBOXclosed": "X",
    "HIDDENOUTBOX": HIDDEN_EXIT,
    "AMOEBA": "a",
    "SLIME": "s",
    "HEXPANDINGWALL": "x",
    "VEXPANDINGWALL": "v",
    "EXPANDINGWALL": "e",
    "DUMMY": "F",
    **dict(zip(("FIREFLYr", "FIREFLYu", "FIREFLYl", "FIREFLYd"), "OoQq", strict=True)),
    **dict(zip(("BUTTERFLYr", "BUTTERFLYu", "BUTTERFLYl", "BUTTERFLYd"), "BbCc", strict=True)),
    **{name: name for name in _STAGE_DETAILS},
    NO_ELEMENT: NO_ELEMENT,
}
_SIGNS = (
    {letter: (code, 0) for letter, code in LETTERS.items()}
    | DETAILED_LETTERS
    | {"G": (SILVER, 0)}
    | {name: (BLAST, detail) for name, detail in _STAGE_DETAILS.items()}
)
MOST_COORDINATE = 1000  # of an object, above or below zero
MOST_SEED = 1 << 62

Letters = list[list[str]]  # of a cave, row by row: letters, or names of elements
SHARED_KEYS = (
    "engine",
    "cavescheduling",
    "paltiming",
    "cavedelay",
    "frametime",
    "hatchingdelay",
    "hatchingtime",
    "size",
)


@dataclass
class Cave:
    """A cave as it stands in the text."""

    properties: dict[str, str] = field(default_factory=dict)  # by name in small letters
    codes: dict[str, str] = field(default_factory=dict)  # letters of the text's own -> elements
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

    def ratio(self, key: str, index: int = 0) -> float | None:
        """The number from 0 to 1 at this place; nothing if there is none."""
        words = self.text(key, "").split()
        if len(words) <= index:
            return None
        with suppress(ValueError):
            if 0 <= float(words[index]) <= 1:
                return float(words[index])
        raise MapError(message("delirium.bad_ratio", label=self.label(key), text=shortened(words[index])))

    def says_yes(self, key: str) -> bool:
        return self.text(key, "").lower() in ("true", "1", "yes")

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
    shared: dict[str, str] = {}  # properties of the game, for caves that have none of their own
    code_lines: list[str] = []
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
        elif tag == "[mapcodes]":
            section, lines = "mapcodes", code_lines
        elif tag == "[cave]":
            current = Cave(dict(shared))
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
        elif "=" in line and not caves:
            key, _, value = line.partition("=")
            if key.strip().lower() in SHARED_KEYS:
                shared[key.strip().lower()] = value.strip()
    if lines is not None:
        raise MapError(message("delirium.section_not_closed", section=section))
    for cave in caves:
        cave.codes = {line[0]: line[2:].strip() for line in code_lines if line[1:2] == "="}
    return caves


def _open_section(cave: Cave, section: str) -> list[str]:
    """The lines of this section, to append to."""
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
    rules = "delirium" if cave.text("Engine", "").lower() == "delirium" else "boulder-dash"
    seed = cave.number("SlimePredictableC64.seed", NO_SEED, NO_SEED, 0xFFFF)
    if cave.map_lines is not None:
        letters, random_state = _mapped(cave), MAP_SEED
    else:
        letters, random_state = _fill(cave, *_read_size(cave))
    _draw_objects(letters, cave)
    rows, details = _decode(letters, cave, rules)
    need = cave.number("DiamondsRequired", 10, -MOST_DIAMONDS, MOST_DIAMONDS)
    if need < 0:  # all but this many
        need = max(0, need + sum(row.count(DIAMOND) for row in rows))
    clock = _read_clock(cave, rows) if rules == "boulder-dash" else CaveClock()
    return Mine(
        cave.name,
        rows,
        need,
        cave.number("CaveTime", NO_LIMIT, NO_LIMIT, MOST_SECONDS),
        rules,
        details,
        _read_settings(cave, clock, len(rows) * len(rows[0])) if rules == "boulder-dash" else {},
        tuple(read_actions(cave.text("Actions", ""))),
        clock=clock,
        slime_seed=random_state if seed == NO_SEED else seed,
    )


def _mapped(cave: Cave) -> Letters:
    """The letters of a [map]; the border fills short rows.

    A line of spaces at its end is a row of the cave only if the `Size` has a place for it.
    """
    size = _read_size(cave) if "size" in cave.properties else (0, 0)
    lines = cave.map_lines or []
    while lines and not lines[-1].strip() and (len(lines) > size[1] or not lines[-1]):
        lines = lines[:-1]
    if not any(line.strip() for line in lines):
        raise MapError(message("delirium.empty_cave_map", name=cave.name))
    width, height = max(len(line) for line in lines), len(lines)
    if size[0] >= width and size[1] >= height:
        width, height = size
    own = {letter: ELEMENTS.get(name, name) for letter, name in cave.codes.items()}
    rows = [[own.get(letter, letter) for letter in line] + ["W"] * (width - len(line)) for line in lines]
    return rows + [["W"] * width for _ in range(height - len(lines))]


def _decode(
    letters: Letters, cave: Cave, rules: str
) -> tuple[tuple[tuple[int, ...], ...], dict[tuple[int, int], int]]:
    """The codes of the cells with a border, and the details of those cells that have any.

    The cells of a cave with a `Size` are all there are, even if its edge is not a border.
    """
    edges = (letters[0], letters[-1], [row[0] for row in letters], [row[-1] for row in letters])
    is_whole = "size" in cave.properties or cave.map_lines is None
    has_border = is_whole or all(letter in BORDER_LETTERS for edge in edges for letter in edge)
    offset = 0 if has_border else 1  # of the rows and columns in the mine
    rows: list[list[int]] = []
    details: dict[tuple[int, int], int] = {}
    miners = 0
    for r, line in enumerate(letters):
        rows.append([])
        for c, letter in enumerate(line):
            if letter not in _SIGNS:
                item = shortened(cave.codes.get(letter, letter))
                raise MapError(
                    message("delirium.unknown_cave_item", row=r + 1, column=c + 1, name=cave.name, item=item)
                )
            code, detail = _SIGNS[letter]
            if detail:
                details[r + offset, c + offset] = detail
            if code == MINER:
                miners += 1
                if miners > 1:  # all perform the same actions; the rules of delirium have one miner
                    code = SECOND_MINER if rules == "boulder-dash" else EMPTY
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


# ------------------------------------------------------------------ time

# The C64's time for an object, in microseconds; that for everything else is negligible.
WORK = {
    DIAMOND: 156,
    STONE: 156,
    **dict.fromkeys(range(FIRST_MONSTER, LAST_MONSTER + 1), 384),
    AMOEBA: 260,
    SLIME: 211,
    **dict.fromkeys((WALL_GROWING_ASIDE, WALL_GROWING_UPRIGHT, WALL_GROWING), 111),
    BLAST: 280,
}
ANIMATION_WORK = {RED: 2600, BLUE: 2600, AMOEBA: 5200}  # once, if there is any of them
FRAME_TIME, HATCHING_TICKS, HATCHING_SECONDS = 200, 21, 2  # unless the cave says so
CAVE_DELAYS = {"bd1": 12, "bd2": 9}  # by engine, at the first level of difficulty
MILLISECONDS = "ms"  # the scheduling that counts no work
SCHEDULINGS = (MILLISECONDS, "bd1", "bd2", "plck", "bd1atari", "bd2ckatari", "crdr7")
PAL_SECOND, SECOND = 1200, 1000  # milliseconds


def _read_clock(cave: Cave, rows: tuple[tuple[int, ...], ...]) -> CaveClock:
    """The timing of the cave, after GDash."""
    engine = cave.text("Engine", "").lower()
    by_engine = engine if engine in CAVE_DELAYS else "plck" if engine else MILLISECONDS
    scheduling = cave.text("CaveScheduling", "").lower()
    if not scheduling:
        scheduling = "plck" if by_engine == MILLISECONDS and "cavedelay" in cave.properties else by_engine
        scheduling = MILLISECONDS if "frametime" in cave.properties else scheduling
    pal = cave.says_yes("PALTiming") if "paltiming" in cave.properties else bool(engine)
    second = PAL_SECOND if pal else SECOND
    delay = cave.number("CaveDelay", CAVE_DELAYS.get(engine, 0), 0, MOST_COORDINATE)
    work = sum(WORK.get(code, 0) for row in rows for code in row)
    codes = {code for row in rows for code in row}
    animation = sum(more for code, more in ANIMATION_WORK.items() if code in codes)
    hurry = cave.says_yes("Intermission")
    if scheduling == MILLISECONDS:
        tick = cave.number("FrameTime", FRAME_TIME, 1, MOST_COORDINATE)
        return CaveClock(tick, second, cave.number("HatchingDelay", HATCHING_TICKS, 0, MOST_COORDINATE))
    if scheduling == "bd1":
        tick = int((60 if hurry else 88) + 3.66 * delay + (work + animation) // 1000)
    elif scheduling == "bd2":
        tick = max(60 + (work + animation) // 1000, 20 * delay)
    elif scheduling == "plck":
        tick = max(65 + work // 1000, 20 * delay)
    elif scheduling == "bd1atari":
        tick = int((65 + 2.88 * delay if hurry else 74 + 3.2 * delay) + work // 1000)
    elif scheduling == "bd2ckatari":
        tick = max(40 + work // 1000, 20 * delay)
    elif scheduling == "crdr7":
        tick = max(130 + work // 1000, 20 * delay)
    else:
        known = ", ".join(SCHEDULINGS)
        raise MapError(
            message("delirium.unknown_scheduling", name=cave.name, text=shortened(scheduling), known=known)
        )
    seconds = cave.number("HatchingTime", HATCHING_SECONDS, 0, MOST_COORDINATE)
    hatching = cave.number("HatchingDelay", 1, 0, MOST_COORDINATE) and CaveClock(tick, second).ticks(seconds)
    return CaveClock(tick, second, hatching)


DEFAULT_SECONDS = 999  # of the magic wall and of the slow amoeba
FOREVER = 1 << 40  # ticks
ENGINES_WITH_MAGIC_END = ("", "1stb")  # in which a working magic wall ends the amoeba
NO_SEED, MAP_SEED = -1, 0x1E  # of the slime: that of the cave's random fill, or of a cave with a map


def _read_settings(cave: Cave, clock: CaveClock, cells: int) -> dict[str, int]:
    """The numbers of the rule set that the cave changes."""
    magic = cave.number("MagicWallTime", DEFAULT_SECONDS, 0, MOST_SECONDS)
    late = cave.number("AmoebaTime", DEFAULT_SECONDS, 0, MOST_SECONDS)
    settings = {
        "magic_ticks": clock.ticks(magic) if magic else FOREVER,
        "late_ticks": clock.ticks(late) - clock.birth,
        "magic_ends_amoeba": int(cave.text("Engine", "").lower() in ENGINES_WITH_MAGIC_END),
        "slime_bits": cave.number("SlimePermeabilityC64", 0, 0, 255),
    }
    if cave.text("MagicWallProperties.stopsamoeba", ""):
        settings["magic_ends_amoeba"] = int(cave.says_yes("MagicWallProperties.stopsamoeba"))
    chance = cave.ratio("SlimePermeability")
    if chance is not None and "slimepermeabilityc64" not in cave.properties:
        settings["slime_chance"] = round(1000 * chance)
    for index, setting in enumerate(("growth", "late_growth")):
        chance = cave.ratio("AmoebaGrowthProb", index)
        if chance is not None:
            settings[setting] = round(1000 * chance)
    if cave.text("AmoebaThreshold", ""):
        words = cave.text("AmoebaThreshold", "").split()
        share = cave.ratio("AmoebaThreshold") if "." in words[0] else None
        count = round(share * cells) if share is not None else cave.number("AmoebaThreshold", 200, 0, 1 << 14)
        settings["largest_amoeba"] = settings["largest_diamond_amoeba"] = count - 1
    return settings


# ------------------------------------------------------------------ caves that are drawn


def _draw_objects(letters: Letters, cave: Cave) -> None:
    """Draw the objects of the first level of difficulty over the cave."""
    in_first_level = True
    for line in map(str.strip, cave.object_lines or []):
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            tag = line.strip("[]").lower()
            levels = re.split(r"[ ,]+", tag.removeprefix("level="))
            in_first_level = not tag.startswith("level=") or "1" in levels
        elif in_first_level:
            _draw_object(letters, line, cave)


def _read_size(cave: Cave) -> tuple[int, int]:
    """Width and height, border included."""
    words = cave.text("Size", "40 22").split()
    sizes = [read_number(word, cave.label("Size"), 0, -MOST_COORDINATE, MOST_COORDINATE) for word in words]
    if len(sizes) < 2 or min(sizes[:2]) < 3 or max(sizes[:2]) > MOST_ROWS:
        raise MapError(message("delirium.bad_size", name=cave.name, size=shortened(cave.text("Size", ""))))
    return sizes[0], sizes[1]


def _fill(cave: Cave, width: int, height: int) -> tuple[Letters, int]:
    """The cave filled at random, as the C64 did it: each element replaces the ones before it below its limit.

    Also the state of the random numbers afterwards, with which the slime continues.
    """
    initial = _element(cave.text("InitialFill", "DIRT"), cave)
    border = _element(cave.text("InitialBorder", "STEELWALL"), cave)
    words = cave.text("RandomFill", "").split()
    if len(words) % 2:
        raise MapError(message("delirium.bad_random_fill", name=cave.name, fill=shortened(" ".join(words))))
    limits = _read_limits(words, cave.label("RandomFill"), cave)
    state = cave.number("RandSeed", 0, -MOST_SEED, MOST_SEED) & 0xFF
    letters = [[border] * width for _ in range(height)]
    for row in letters[1:-1]:
        for column in range(width):  # the C64 took a number for the border cells too
            state = int(next_c64_random(state))
            if 0 < column < width - 1:
                row[column] = _choose_letter(state >> 8, initial, limits)
    return letters, state


def _read_limits(words: list[str], label: str, cave: Cave) -> list[tuple[str, int]]:
    """Pairs of an element and its limit: it is drawn where the random number is smaller."""
    return [
        (_element(element, cave), read_number(limit, label, 0, -MOST_COORDINATE, MOST_COORDINATE))
        for element, limit in zip(words[::2], words[1::2], strict=True)
    ]


def _choose_letter(number: int, initial: str, limits: list[tuple[str, int]]) -> str:
    """The last element with a limit above the random number; the initial one if there is none."""
    letter = initial
    for element, limit in limits:
        if number < limit:
            letter = element
    return letter


def _element(text: str, cave: Cave) -> str:
    """The letter of an element, or its name if it has no letter."""
    if text not in ELEMENTS:
        raise MapError(message("delirium.unknown_element", name=cave.name, element=shortened(text)))
    return ELEMENTS[text]


# ------------------------------------------------------------------ objects


def _draw_object(letters: Letters, line: str, cave: Cave) -> None:
    """Draw one object: `Line=1 3 8 3 WALL`."""
    kind, _, arguments = line.partition("=")
    name = cave.name
    words = arguments.split()
    label = message("delirium.object_of_cave", name=name, line=shortened(line))
    if kind == RANDOM_FILL:
        _draw_random_fill(letters, words, label, cave)
        return
    if kind not in OBJECTS:
        known = ", ".join([*OBJECTS, RANDOM_FILL])
        raise MapError(message("delirium.unknown_object", name=name, object=shortened(kind), known=known))
    number_count, element_count, draw = OBJECTS[kind]
    numbers = [
        read_number(word, label, 0, -MOST_COORDINATE, MOST_COORDINATE) for word in words if _is_number(word)
    ]
    elements = [_element(word, cave) for word in words if not _is_number(word)]
    if len(numbers) != number_count or len(elements) < element_count:
        raise MapError(
            message("delirium.bad_object", label=label, numbers=number_count, elements=element_count)
        )
    if kind == "Raster" and any(
        count > 1 and step == 0 for count, step in zip(numbers[2:4], numbers[4:], strict=True)
    ):
        raise MapError(message("delirium.raster_without_step", label=label))
    draw(letters, numbers, elements)


def _draw_random_fill(letters: Letters, words: list[str], label: str, cave: Cave) -> None:
    """Fill a rectangle at random: `x1 y1 x2 y2`, a seed per level, an element, up to four pairs of an element and its
    limit, and perhaps the only element that may be replaced. NONE leaves a cell as it is."""
    count = RANDOM_FILL_NUMBERS
    if len(words) <= count or not all(map(_is_number, words[:count])):
        raise MapError(message("delirium.bad_object", label=label, numbers=count, elements=1))
    x1, y1, x2, y2 = (read_number(word, label, 0, -MOST_ROWS, MOST_ROWS) for word in words[:4])
    random_state = read_number(words[4], label, 0, -MOST_SEED, MOST_SEED) & 0xFFFF
    initial, *rest = words[count:]
    replaced = _element(rest.pop(), cave) if len(rest) % 2 else ""
    initial, limits = _element(initial, cave), _read_limits(rest, label, cave)
    for y in range(min(y1, y2), max(y1, y2) + 1):
        for x in range(min(x1, x2), max(x1, x2) + 1):
            random_state = int(next_c64_random(random_state))
            letter = _choose_letter(random_state >> 8, initial, limits)
            inside = 0 <= y < len(letters) and 0 <= x < len(letters[0])
            if letter != NO_ELEMENT and inside and replaced in ("", letters[y][x]):
                letters[y][x] = letter


def _is_number(word: str) -> bool:
    return re.fullmatch(r"-?\d+", word) is not None


def _dot(letters: Letters, x: int, y: int, letter: str) -> None:
    """Draw one cell, if it is in the cave."""
    if 0 <= y < len(letters) and 0 <= x < len(letters[0]):
        letters[y][x] = letter


def _draw_point(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    _dot(letters, numbers[0], numbers[1], elements[0])


def _draw_line(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    """Draw a line as GDash does: along its longer axis from the smaller end, halves rounded away from the start."""
    x1, y1, x2, y2 = numbers
    steep = abs(y2 - y1) > abs(x2 - x1)
    start, end = sorted([(y1, x1), (y2, x2)] if steep else [(x1, y1), (x2, y2)], key=lambda point: point[0])
    length, rise = end[0] - start[0], abs(end[1] - start[1])
    direction = 1 if start[1] < end[1] else -1
    for i in range(length + 1):
        along, across = start[0] + i, start[1] + direction * ((2 * i * rise + length) // (2 * max(length, 1)))
        _dot(letters, *((across, along) if steep else (along, across)), elements[0])


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
    """Draw columns and rows of an element: as in GDash they may be counted backwards, but the steps go forwards."""
    x, y, across, down, step_x, step_y = numbers
    columns = _stepped(x, x + (across - 1) * step_x, step_x, len(letters[0]))
    for row in _stepped(y, y + (down - 1) * step_y, step_y, len(letters)):
        for column in columns:
            letters[row][column] = elements[0]


def _stepped(start: int, end: int, step: int, size: int) -> list[int]:
    """The numbers between two ends, from the smaller one on, that are coordinates of the cave."""
    return [at for at in range(min(start, end), max(start, end) + 1, max(step, 1)) if 0 <= at < size]


def _draw_beside(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    """Beside each element of one kind, draw another: from the top left, so that what is drawn counts, too."""
    for y, row in enumerate(letters):
        for x in range(len(row)):
            if row[x] == elements[0]:
                _dot(letters, x + numbers[0], y + numbers[1], elements[1])


def _draw_beside_backwards(letters: Letters, numbers: list[int], elements: list[str]) -> None:
    """The same from the bottom right."""
    for y in reversed(range(len(letters))):
        for x in reversed(range(len(letters[0]))):
            if letters[y][x] == elements[0]:
                _dot(letters, x + numbers[0], y + numbers[1], elements[1])


# By name: how many numbers, how many elements at least, and what draws it.
OBJECTS: dict[str, tuple[int, int, Callable[[Letters, list[int], list[str]], None]]] = {
    "Point": (2, 1, _draw_point),
    "Line": (4, 1, _draw_line),
    "Rectangle": (4, 1, _draw_frame),
    "FillRect": (4, 1, _draw_filled_frame),
    "Raster": (6, 1, _draw_raster),
    "Add": (2, 2, _draw_beside),
    "AddBackward": (2, 2, _draw_beside_backwards),
}
RANDOM_FILL, RANDOM_FILL_NUMBERS = "RandomFillC64", 9  # corners, and a seed for each level of difficulty


# ------------------------------------------------------------------ writing


def write_bdcff(mine: Mine) -> str:
    """The mine as a cave, with the actions that were played; `read_bdcff` reads it back."""
    stages = sorted({mine.details.get(place, 0) for place in mine.find(BLAST)})
    letters = dict(zip(stages, FREE_LETTERS, strict=False))
    lines = [
        "".join(_letter_for(mine, r, c, code, letters) for c, code in enumerate(row))
        for r, row in enumerate(mine.rows)
    ]
    codes = [f"{letter}={_STAGE_OF[detail]}" for detail, letter in letters.items()]
    head = ["[mapcodes]", "Length=1", *codes, "[/mapcodes]"] if codes else []
    properties = [
        f"Name={mine.name}",
        f"Size={mine.width} {mine.height} 0 0 {mine.width - 1} {mine.height - 1}",
    ]
    if mine.rules == "delirium":
        properties.append("Engine=Delirium")
    properties += [f"DiamondsRequired={mine.need}", f"CaveTime={mine.seconds}"]
    if mine.rules == "boulder-dash":
        properties += _write_settings(mine)
    if mine.actions:
        properties.append(f"Actions={write_actions(mine.actions)}")
    return "\n".join([*head, "[cave]", *properties, "[map]", *lines, "[/map]", "[/cave]", ""])


def _write_settings(mine: Mine) -> list[str]:
    """The clock of the cave, and what it changes in the rule set."""
    clock, settings = mine.clock, mine.settings
    lines = [f"FrameTime={clock.tick}", f"PALTiming={'true' if clock.second == PAL_SECOND else 'false'}"]
    lines.append(f"HatchingDelay={clock.hatching}")
    if "magic_ticks" in settings:
        endless = settings["magic_ticks"] == FOREVER
        lines.append(f"MagicWallTime={0 if endless else clock.seconds(settings['magic_ticks'])}")
    if "late_ticks" in settings:
        lines.append(f"AmoebaTime={clock.seconds(settings['late_ticks'] + clock.birth)}")
    if "magic_ends_amoeba" in settings:
        yes = "true" if settings["magic_ends_amoeba"] else "false"
        lines.append(f"MagicWallProperties.stopsamoeba={yes}")
    if "growth" in settings:
        late = settings.get("late_growth", BOULDER_DASH.late_growth)
        lines.append(f"AmoebaGrowthProb={settings['growth'] / 1000} {late / 1000}")
    if "largest_amoeba" in settings:
        lines.append(f"AmoebaThreshold={settings['largest_amoeba'] + 1}")
    if settings.get("slime_chance", -1) >= 0:
        lines.append(f"SlimePermeability={settings['slime_chance'] / 1000}")
    elif settings.get("slime_bits"):
        lines.append(f"SlimePermeabilityC64={settings['slime_bits']}")
    if mine.slime_seed != MAP_SEED:
        lines.append(f"SlimePredictableC64.seed={mine.slime_seed}")
    return lines


def _letter_for(mine: Mine, row: int, column: int, code: int, stages: dict[int, str]) -> str:
    detail = mine.details.get((row, column), 0)
    if code == BLAST and detail in stages and detail in _STAGE_OF:
        return stages[detail]
    if GREEN <= code <= BLACK:  # they have one letter each
        detail = 0
    letter = sign_of(code, detail)
    if letter in (BLAST_SIGN, UNKNOWN_SIGN):
        item = ITEM_NAMES[code - 1] if code <= len(ITEM_NAMES) else str(code)
        raise MapError(message("delirium.no_letter", row=row, column=column, item=item))
    return letter


def sign_of(code: int, detail: int) -> str:
    """The letter of what is in a cell; `*` for a blast, `?` for what has no letter."""
    if code == BLAST:
        return BLAST_SIGN
    if code == SECOND_MINER:
        code = MINER
    if code == BORDER:
        code = SILVER
    return _LETTER_OF.get((code, detail), _LETTER_OF.get((code, 0), UNKNOWN_SIGN))
