"""Maps of mines: the game's XML of both generations, BDCFF caves, and a mine as a value between them.

Both kinds of text are read without being told which it is. A BDCFF text may hold several caves; `cave`
chooses one by its number (from 1), letter or name. Caves are `boulder-dash` unless they say
`Engine=Delirium`; XML maps are `delirium`. In caves of ours (`Engine=Delirium`), `3` to `6` are the further
monsters, and `Actions=` tells what has been played."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from xml.etree import ElementTree

from ludion.errors import NotationError, unknown
from ludion.games.delirium.physics import (
    AMOEBA,
    BLUE,
    BORDER,
    BOULDER_DASH,
    DELIRIUM,
    DIAMOND,
    DIRT,
    EMPTY,
    ENLARGE,
    EXIT,
    GOT,
    LIMIT,
    MAGIC,
    MINER,
    MINER2,
    MONSTER,
    NAMES,
    NEED,
    PLACE,
    RED,
    SEED,
    SHIFT,
    SILVER,
    STONE,
    WALL,
    Rules,
    State,
    empty_state,
    is_monster,
    settle,
)

TICKS_A_SECOND = {"delirium": 10, "boulder-dash": 7.3}  # how the seconds of a map are counted
MOST_COLUMNS, MOST_ROWS = 62, 128  # border included

CODES = {name: code for code, name in enumerate(NAMES, 1)}
# Names of 2008 for what the rules of 2012 have in one kind.
OLD_NAMES = {
    **{f"StW{strength}": WALL for strength in range(1, 5)},
    **{f"MW{strength}": MAGIC for strength in range(1, 5)},
    "": EMPTY,
}

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
    "3": MONSTER + 2,
    "4": MONSTER + 3,
    "5": MONSTER + 4,
    "6": MONSTER + 5,
}
MOST_ACTIONS = 100_000  # that a text may hold
# Letters that tell more than a code: (code, what else).
MORE_LETTERS = {
    "D": (DIAMOND, 1),
    "R": (STONE, 1),
    "H": (EXIT, 0),
    **dict(zip("OoQq", [(RED, heading) for heading in range(4)], strict=True)),
    **dict(zip("BbCc", [(BLUE, heading) for heading in range(4)], strict=True)),
}
_SIGNS = {(code, 0): sign for sign, code in LETTERS.items()} | {
    value: sign for sign, value in MORE_LETTERS.items() if sign != "H"
}

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
    "HIDDENOUTBOX": "H",
    "AMOEBA": "a",
    **dict(zip(("FIREFLYr", "FIREFLYu", "FIREFLYl", "FIREFLYd"), "OoQq", strict=True)),
    **dict(zip(("BUTTERFLYr", "BUTTERFLYu", "BUTTERFLYl", "BUTTERFLYd"), "BbCc", strict=True)),
}


class MapError(NotationError):
    """A map that is no mine, or one that nobody could win."""


@dataclass(frozen=True)
class Mine:
    """A mine as it is before the first tick, border included."""

    name: str
    rows: tuple[tuple[int, ...], ...]  # codes
    need: int
    seconds: int = -1  # -1: no limit
    rules: str = "delirium"
    more: dict[tuple[int, int], int] = field(default_factory=dict)  # (row, column) -> heading, falling
    settings: dict[str, int] = field(default_factory=dict)  # of the rule set, where the map has its own
    actions: tuple[int, ...] = ()  # already played
    points: int = 10

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def limit(self) -> int:
        """The time in ticks, -1 without."""
        return int(self.seconds * TICKS_A_SECOND[self.rules]) if self.seconds >= 0 else -1

    def find(self, code: int) -> list[tuple[int, int]]:
        """Where a code is, as (row, column)."""
        return [(r, c) for r, row in enumerate(self.rows) for c, each in enumerate(row) if each == code]

    def checked(self) -> Mine:
        """The mine, if it has one miner, an exit, and enough diamonds or ways to make them."""
        label = f"map '{self.name}'" if self.name else "the map"
        if len(self.find(MINER)) != 1:
            raise MapError(f"{label} has {len(self.find(MINER)) or 'no'} miners, expected 1")
        if not self.find(EXIT):
            raise MapError(f"{label} has no exit")
        if self.need < 0:
            raise MapError(f"{label} asks for {self.need} diamonds")
        lying, kinds = len(self.find(DIAMOND)), {code for row in self.rows for code in row}
        if lying < self.need and not kinds & {MAGIC, AMOEBA, BLUE, MONSTER + 4}:
            raise MapError(
                f"{label} asks for {self.need} diamonds and has {lying}, and nothing that turns into any"
            )
        if self.width > MOST_COLUMNS or self.height > MOST_ROWS:
            size = f"{self.width - 2}x{self.height - 2}"
            raise MapError(f"{label} is {size}, the largest is {MOST_COLUMNS - 2}x{MOST_ROWS - 2}")
        return self

    def rule_set(self) -> Rules:
        """The rules as numbers."""
        return RULE_SETS[self.rules]._replace(**self.settings)

    def state(self, seed: int = 0) -> State:
        """The state before the first tick."""
        state = empty_state(self.width, self.height)
        for r, row in enumerate(self.rows):
            for c, code in enumerate(row):
                state.cells[r << SHIFT | c] = code
                state.aux[r << SHIFT | c] = self.more.get((r, c), 0)
        down, right = self.find(MINER)[0]
        state.info[PLACE] = down << SHIFT | right
        state.info[NEED], state.info[GOT], state.info[LIMIT] = self.need, 0, self.limit
        state.info[SEED] = seed * 0x9E3779B1 + 12345
        settle(state)
        return state


RULE_SETS = {"delirium": DELIRIUM, "boulder-dash": BOULDER_DASH}


def with_border(rows: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The rows with a border of one cell around."""
    width = len(rows[0]) + 2
    edge = (BORDER,) * width
    return (edge, *((BORDER, *row, BORDER) for row in rows), edge)


def read_map(text: str, cave: str = "", rules: str = "", difficulty: str = "") -> Mine:
    """The mine that the text describes: XML of either generation, or BDCFF."""
    given = text.lstrip("\ufeff \t\r\n")
    if not given:
        raise MapError("an empty text is no map")
    if given.startswith("<"):
        mine = read_xml(given, difficulty or "Easy")
    elif re.match(r"\[\w+\]|\w+=", given):
        mine = read_bdcff(given, cave)
    else:
        raise MapError(f"'{given.splitlines()[0][:40]}' begins neither an XML map nor a BDCFF cave")
    if rules:
        if rules not in RULE_SETS:
            raise unknown("rule set", rules, RULE_SETS)
        mine = replace(mine, rules=rules)
    return mine.checked()


# ------------------------------------------------------------------ XML


def read_xml(text: str, difficulty: str = "Easy") -> Mine:
    """A map of the game, of 2008 (`Infos`, `StW1`) or 2012 (`Parameters`, `StW`)."""
    try:
        root = ElementTree.fromstring(re.sub(r"^<\?xml[^>]*\?>", "", text).strip())
    except ElementTree.ParseError as error:
        raise MapError(f"the XML is broken: {error}") from None
    if root.tag != "Map":
        raise MapError(f"a map begins with <Map>, not <{root.tag}>")
    name = root.get("Name", "")
    data = root.findtext("Data")
    if data is None:
        raise MapError(f"map '{name}' has no <Data>")
    lines = re.findall(r'"([^"]*)"', data)
    width, height = (
        _number(root.get(key), f"{key} of map '{name}'", len(lines)) for key in ("Width", "Height")
    )
    if root.get("Width") is None and lines:
        width = lines[0].count(",") + 1
    if len(lines) != height:
        raise MapError(f"map '{name}' has {len(lines)} rows, expected {height}")
    rows = []
    for r, line in enumerate(lines, 1):
        items = [item.strip() for item in line.split(",")]
        if len(items) != width:
            raise MapError(f"row {r} of map '{name}' has {len(items)} cells, expected {width}")
        row = []
        for c, item in enumerate(items, 1):
            code = OLD_NAMES.get(item, CODES.get(item))
            if code is None:
                raise MapError(f"row {r}, column {c} of map '{name}': unknown item '{item}'")
            row.append(code)
        rows.append(row)
    if not rows or not width:
        raise MapError(f"map '{name}' has no cells")
    blocks = root.findall("Parameters") + root.findall("Infos")
    chosen = next(
        (each for each in blocks if each.get("GameDifficulty") == difficulty), blocks[0] if blocks else root
    )
    _place_miner(name, rows, chosen.findtext("Gateways") or root.findtext("Gateways") or "")
    gravity = chosen.find("Gravity")
    if gravity is not None and gravity.get("Direction", "Down") not in ("Down", "0,1"):
        raise MapError(f"map '{name}': gravity {gravity.get('Direction')} is not known, only Down")
    goals = chosen.find("Goals")
    need, points, seconds = 0, 10, -1
    if goals is not None:
        seconds = _number(goals.get("Time"), f"Time of map '{name}'", -1)
        for goal in goals.findall("Goal"):
            if goal.get("Item", "Diam") != "Diam":
                raise MapError(f"map '{name}': cannot gather {goal.get('Item')}, only Diam")
            need = _number(goal.get("Gather"), f"Gather of map '{name}'", 0)
            points = _number(goal.get("Points"), f"Points of map '{name}'", 10)
    return Mine(name, with_border(rows), need, seconds, points=points)


def _number(text: str | None, what: str, default: int) -> int:
    if text is None:
        return default
    try:
        return int(text)
    except ValueError:
        raise MapError(f"{what} is no number: '{text}'") from None


def _place_miner(name: str, rows: list[list[int]], gateways: str) -> None:
    """The miner is in the data, or else at the first gateway (from 1); a second player is left out."""
    for row in rows:
        for c, code in enumerate(row):
            if code == MINER2:
                row[c] = EMPTY
    if any(MINER in row for row in rows):
        return
    places = re.findall(r'"\s*(-?\d+)\s*,\s*(-?\d+)\s*"', gateways)
    if not places:
        raise MapError(f"map '{name}' has no miner: neither Avatar1 nor a gateway")
    column, row_number = int(places[0][0]), int(places[0][1])
    if not (1 <= row_number <= len(rows) and 1 <= column <= len(rows[0])):
        raise MapError(f"map '{name}': gateway {column},{row_number} is outside of the map")
    rows[row_number - 1][column - 1] = MINER


def write_xml(mine: Mine, generation: int = 2012) -> str:
    """The mine as an XML map of this generation (2008 or 2012). Headings and falling stones are not told."""
    if generation not in (2008, 2012):
        raise MapError(f"there are maps of 2008 and 2012, none of {generation}")
    start_row, start_column = mine.find(MINER)[0]

    def item(code: int) -> str:
        if code in (EMPTY, MINER):
            return ""
        text = NAMES[code - 1]
        return f"{text}1" if generation == 2008 and code in (WALL, MAGIC) else text

    rows = [", ".join(f"{item(code):>7}" for code in row[1:-1]) for row in mine.rows[1:-1]]
    data = "\n".join(f'  "{row}"' for row in rows)
    gate = f'"{start_column},{start_row}"'
    goal = f'<Goal Gather="{mine.need}" Item="Diam" Points="{mine.points}" />'
    goals = f'<Goals Time="{mine.seconds}">\n   {goal}\n  </Goals>'
    head = ElementTree.Element(
        "Map", {"Name": mine.name, "Width": str(mine.width - 2), "Height": str(mine.height - 2)}
    )
    opening = ElementTree.tostring(head, encoding="unicode").replace(" />", ">")
    if generation == 2012:
        rest = (
            f' <Parameters GameDifficulty="Easy">\n  <Gravity Direction="Down" />\n\n'
            f"  <Gateways>\n    {gate}\n  </Gateways>\n\n  {goals}\n </Parameters>"
        )
    else:
        blocks = [
            f' <Infos GameDifficulty="{level}">\n  {goals}\n  <Gravity Direction="0,1" />\n </Infos>'
            for level in ("Easy", "Medium", "Hard")
        ]
        rest = f' <Gateways Nbr="1">\n  {gate}\n </Gateways>\n\n' + "\n\n".join(blocks)
    return f"{opening}\n\n <Data>\n{data}\n </Data>\n\n{rest}\n\n</Map>\n"


# ------------------------------------------------------------------ BDCFF


def caves(text: str) -> list[dict[str, list[str]]]:
    """The caves of a BDCFF text: for each its properties by name, and the lines of `map` and `objects`."""
    found: list[dict[str, list[str]]] = []
    current: dict[str, list[str]] | None = None
    section = ""
    plain = not re.search(r"^\[cave\]", text, re.MULTILINE | re.IGNORECASE)
    if plain:
        current = {}
        found.append(current)
    for line in text.splitlines():
        mark = line.strip().lower()
        if section in ("map", "objects") and mark != f"[/{section}]":
            assert current is not None
            current.setdefault(section, []).append(line)
        elif mark == "[cave]":
            current = {}
            found.append(current)
        elif mark == "[/cave]":
            current = None
        elif mark in ("[map]", "[objects]"):
            if current is None:
                raise MapError(f"{mark} outside of a cave")
            section = mark[1:-1]
            current.setdefault(section, [])
        elif mark in ("[/map]", "[/objects]"):
            section = ""
        elif "=" in line and current is not None and not mark.startswith(("[", ";")):
            key, _, value = line.partition("=")
            current[key.strip().lower()] = [value.strip()]
    if section:
        raise MapError(f"[{section}] is not closed by [/{section}]")
    return found


def read_bdcff(text: str, cave: str = "") -> Mine:
    """One cave of a BDCFF text, at its first level of difficulty."""
    all_caves = [each for each in caves(text) if "map" in each or "objects" in each or "size" in each]
    if not all_caves:
        raise MapError("there is no cave with a [map] or [objects] in this text")
    names = [each.get("name", [""])[0] for each in all_caves]
    index = 0
    if cave:
        letters = {
            name.lower().removeprefix("cave ")[:1] + ":": i for i, name in reversed(list(enumerate(names)))
        }
        if cave.isdigit() and 1 <= int(cave) <= len(names):
            index = int(cave) - 1
        elif cave in names:
            index = names.index(cave)
        elif len(cave) == 1 and any(re.match(rf"cave {cave}\b", name, re.IGNORECASE) for name in names):
            index = next(
                i for i, name in enumerate(names) if re.match(rf"cave {cave}\b", name, re.IGNORECASE)
            )
        else:
            raise unknown("cave", cave, names or list(letters))
    return _cave(all_caves[index], names[index])


def _cave(entry: dict[str, list[str]], name: str) -> Mine:
    def value(key: str, default: str) -> str:
        return entry.get(key.lower(), [default])[0]

    def first(key: str, default: int) -> int:
        given = value(key, str(default)).split()
        return _number(given[0] if given else None, f"{key} of cave '{name}'", default)

    signs = _drawn(entry, name) if "map" not in entry else _mapped(entry["map"], name)
    engine = value("Engine", "BD1").lower()
    rules = "delirium" if engine == "delirium" else "boulder-dash"
    own_border = all(
        sign in "WXH"
        for row in (signs[0], signs[-1], [r[0] for r in signs], [r[-1] for r in signs])
        for sign in row
    )
    rows: list[list[int]] = []
    more: dict[tuple[int, int], int] = {}
    shift = 0 if own_border else 1
    for r, line in enumerate(signs):
        row = []
        for c, sign in enumerate(line):
            if sign in LETTERS:
                code = LETTERS[sign]
            elif sign in MORE_LETTERS:
                code, extra = MORE_LETTERS[sign]
                if extra:
                    more[r + shift, c + shift] = extra
            else:
                raise MapError(f"row {r + 1}, column {c + 1} of cave '{name}': unknown item '{sign}'")
            row.append(code)
        rows.append(row)
    bordered = tuple(tuple(row) for row in rows) if own_border else with_border(rows)
    if own_border:
        bordered = _edged(bordered)
    rate = TICKS_A_SECOND[rules]
    settings = {}
    if rules == "boulder-dash":
        settings = {
            "magic_ticks": int(first("MagicWallTime", 20) * rate),
            "late_ticks": int(first("AmoebaTime", 20) * rate),
        }
    actions = tuple(read_actions(value("Actions", "")))
    return Mine(
        name, bordered, first("DiamondsRequired", 10), first("CaveTime", -1), rules, more, settings, actions
    )


def _edged(rows: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """Steel on the edge is the border, which nothing breaks."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    return tuple(
        tuple(
            BORDER if code == SILVER and (r in (0, last_row) or c in (0, last_column)) else code
            for c, code in enumerate(row)
        )
        for r, row in enumerate(rows)
    )


def _mapped(lines: list[str], name: str) -> list[list[str]]:
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    if not lines:
        raise MapError(f"the map of cave '{name}' is empty")
    width = max(len(line) for line in lines)
    for r, line in enumerate(lines, 1):
        if len(line) != width:
            raise MapError(f"row {r} of cave '{name}' has {len(line)} cells, expected {width}")
    return [list(line) for line in lines]


def c64_numbers(seed: int) -> list[int]:
    """The pseudo-random numbers of the C64 game, for a cave of any usual size."""
    first, second, found = 0, seed & 255, []
    for _ in range(64 * 64):
        half, carried = (first & 1) << 7, (second >> 1) & 0x7F
        result = second + ((second & 1) << 7)
        carry, result = result >> 8, result & 255
        result += carry + 0x13
        carry, second = result >> 8, result & 255
        result = first + carry + half
        carry, result = result >> 8, result & 255
        first = (result + carry + carried) & 255
        found.append(first)
    return found


def _drawn(entry: dict[str, list[str]], name: str) -> list[list[str]]:
    """The cave that its size, random fill and objects describe."""
    size = [_number(each, f"Size of cave '{name}'", 0) for each in entry.get("size", ["40 22"])[0].split()]
    if len(size) < 2 or min(size[:2]) < 3 or max(size[:2]) > MOST_ROWS:
        raise MapError(f"cave '{name}' has no usable Size: {entry.get('size', [''])[0]}")
    width, height = size[:2]
    initial = _element(entry.get("initialfill", ["DIRT"])[0], name)
    fill = entry.get("randomfill", [""])[0].split()
    if len(fill) % 2:
        raise MapError(f"RandomFill of cave '{name}' is not a list of pairs: {' '.join(fill)}")
    odds = [
        (_element(fill[i], name), _number(fill[i + 1], f"RandomFill of cave '{name}'", 0))
        for i in range(0, len(fill), 2)
    ]
    seed = _number(entry.get("randseed", ["0"])[0].split()[0], f"RandSeed of cave '{name}'", 0)
    numbers = iter(c64_numbers(seed))
    signs = [["W"] * width for _ in range(height)]
    for r in range(1, height - 1):
        for c in range(width):
            number = next(numbers)
            sign = initial
            for element, limit in odds:
                if number < limit:
                    sign = element
            if 0 < c < width - 1:
                signs[r][c] = sign
    wanted = True
    for line in entry.get("objects", []):
        line = line.strip()
        if not line or line.startswith(";"):
            continue
        if line.startswith("["):
            mark = line.strip("[]").lower()
            wanted = not mark.startswith("level=") or "1" in re.split(r"[ ,]+", mark.removeprefix("level="))
            continue
        if wanted:
            _draw_object(signs, line, name)
    return signs


def _element(text: str, name: str) -> str:
    if text not in ELEMENTS:
        raise MapError(f"cave '{name}': unknown element '{text}'")
    return ELEMENTS[text]


def _draw_object(signs: list[list[str]], line: str, name: str) -> None:
    kind, _, arguments = line.partition("=")
    words = arguments.split()
    numbers = [int(word) for word in words if re.fullmatch(r"-?\d+", word)]
    elements = [_element(word, name) for word in words if not re.fullmatch(r"-?\d+", word)]
    expected = {
        "Point": (2, 1),
        "Line": (4, 1),
        "Rectangle": (4, 1),
        "FillRect": (4, 1),
        "Raster": (6, 1),
        "Add": (2, 2),
    }
    if kind not in expected:
        raise MapError(f"cave '{name}': unknown object '{kind}' (known: {', '.join(expected)})")
    count, fewest = expected[kind]
    if len(numbers) != count or len(elements) < fewest:
        raise MapError(f"cave '{name}': '{line}' needs {count} numbers and {fewest} elements")

    def dot(x: int, y: int, sign: str) -> None:
        if 0 <= y < len(signs) and 0 <= x < len(signs[0]):
            signs[y][x] = sign

    sign = elements[0]
    if kind == "Point":
        dot(numbers[0], numbers[1], sign)
    elif kind == "Line":
        x1, y1, x2, y2 = numbers
        length = max(abs(x2 - x1), abs(y2 - y1))
        for i in range(length + 1):
            dot(x1 + _share(x2 - x1, i, length), y1 + _share(y2 - y1, i, length), sign)
    elif kind in ("Rectangle", "FillRect"):
        x1, y1, x2, y2 = numbers
        for y in range(min(y1, y2), max(y1, y2) + 1):
            for x in range(min(x1, x2), max(x1, x2) + 1):
                edge = y in (y1, y2) or x in (x1, x2)
                if edge:
                    dot(x, y, sign)
                elif kind == "FillRect":
                    dot(x, y, elements[1] if len(elements) > 1 else sign)
    elif kind == "Raster":
        x, y, across, down, dx, dy = numbers
        for i in range(across):
            for j in range(down):
                dot(x + i * dx, y + j * dy, sign)
    else:  # Add: beside each element of one kind, another
        dx, dy = numbers
        found = [(x, y) for y, row in enumerate(signs) for x, each in enumerate(row) if each == sign]
        for x, y in found:
            dot(x + dx, y + dy, elements[1])


def _share(distance: int, part: int, whole: int) -> int:
    return round(distance * part / whole) if whole else 0


def write_bdcff(mine: Mine) -> str:
    """The mine as a cave; `read_map` reads it back, played actions included."""
    lines = []
    for r, row in enumerate(mine.rows):
        line = ""
        for c, code in enumerate(row):
            code = SILVER if code == BORDER else code
            more = mine.more.get((r, c), 0)
            if code >= MONSTER + 2 and is_monster(code):
                more = 0
            sign = _SIGNS.get((code, more))
            if sign is None:
                raise MapError(f"row {r}, column {c}: BDCFF has no letter for {NAMES[code - 1]}")
            line += sign
        lines.append(line)
    entries = [f"Name={mine.name}", f"Size={mine.width} {mine.height} 0 0 {mine.width - 1} {mine.height - 1}"]
    if mine.rules == "delirium":
        entries.append("Engine=Delirium")
    entries += [f"DiamondsRequired={mine.need}", f"CaveTime={mine.seconds}"]
    for key, setting in (("MagicWallTime", "magic_ticks"), ("AmoebaTime", "late_ticks")):
        if setting in mine.settings:
            entries.append(f"{key}={round(mine.settings[setting] / TICKS_A_SECOND[mine.rules])}")
    if mine.actions:
        entries.append(f"Actions={write_actions(mine.actions)}")
    return "\n".join(["[cave]", *entries, "[map]", *lines, "[/map]", "[/cave]", ""])


# Actions as letters: . stay, r u l d move, R U L D dig, + enlarge the view; `r12` is twelve times r.
ACTION_SIGNS = ".ruldRULD"


def write_actions(actions: Sequence[int]) -> str:
    """A row of actions in letters, runs shortened."""
    signs = ["+" if action == ENLARGE else ACTION_SIGNS[action] for action in actions]
    text, index = "", 0
    while index < len(signs):
        end = index
        while end < len(signs) and signs[end] == signs[index]:
            end += 1
        text += signs[index] + (str(end - index) if end - index > 1 else "")
        index = end
    return text


def read_actions(text: str) -> list[int]:
    """The actions that letters name."""
    found: list[int] = []
    compact = "".join(text.split())
    position = 0
    for match in re.finditer(r"([.ruldRULD+])(\d*)", compact):
        if match.start() != position:
            break
        position = match.end()
        action = ENLARGE if match.group(1) == "+" else ACTION_SIGNS.index(match.group(1))
        count = int(match.group(2)[:7] or 1)
        if len(found) + count > MOST_ACTIONS:
            raise MapError(f"more than {MOST_ACTIONS} actions")
        found += [action] * count
    if position != len(compact):
        raise MapError(f"'{compact[position : position + 10]}' is no action (write . r u l d R U L D)")
    return found
