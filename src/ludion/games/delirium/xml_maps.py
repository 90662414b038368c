"""The game's own maps in XML, of 2008 (`Infos`, `StW1`) and of 2012 (`Parameters`, `StW`):

<Map Name="..." Width="4" Height="3">
 <Data>
  "       ,       ,    StW,   Diam"      one row per string, items by name, without the border
  "  Stone,      .,     MW,     M1"
  "       ,       ,   SlW1,   Exit"
 </Data>
 <Parameters GameDifficulty="Easy">      one block per difficulty
  <Gravity Direction="Down" />
  <Gateways>"1,1"</Gateways>             where the miner starts, as column,row from 1
  <Goals Time="80">                      seconds
   <Goal Gather="1" Item="Diam" Points="10" />
  </Goals>
 </Parameters>
</Map>
"""

from __future__ import annotations

import re
from xml.etree import ElementTree

from ludion.games.delirium.mine import (
    MOST_COLUMNS,
    MOST_DIAMONDS,
    MOST_POINTS,
    MOST_ROWS,
    MOST_SECONDS,
    NO_LIMIT,
    MapError,
    Mine,
    read_number,
    shortened,
    with_border,
)
from ludion.games.delirium.physics import EMPTY, ITEM_NAMES, MAGIC, MINER, SECOND_MINER, WALL
from ludion.messages import message

CODES = {name: code for code, name in enumerate(ITEM_NAMES, 1)} | {
    "": EMPTY,
    # In 2008 walls had four strengths.
    **{f"StW{strength}": WALL for strength in range(1, 5)},
    **{f"MW{strength}": MAGIC for strength in range(1, 5)},
}
# By name in small letters: the editor of 2015 wrote `Stw`, and `S1W1` with a one for the letter l.
_CODE_OF = {name.lower(): code for name, code in CODES.items()} | {
    "s1w1": CODES["SlW1"],
    "s1w2": CODES["SlW2"],
}
GENERATIONS = (2008, 2012)
DIFFICULTIES = ("Easy", "Medium", "Hard")
GRAVITY_DOWN = ("Down", "0,1")
DEFAULT_POINTS = 10
MOST_SIZE = 1_000_000  # that a map may claim; larger mines are refused later, with their true size


def read_xml(text: str, difficulty: str = "Easy") -> Mine:
    """The mine of an XML map, with the goals of this difficulty."""
    root = _parse(text)
    name = root.get("Name", "")
    rows = _read_rows(root, name)
    parameters = _choose_parameters(root, difficulty)
    _place_miner(name, rows, parameters.findtext("Gateways") or root.findtext("Gateways") or "")
    _check_gravity(parameters, name)
    need, points, seconds = _read_goals(parameters, name)
    return Mine(name, with_border(rows), need, seconds, points=points)


def _parse(text: str) -> ElementTree.Element:
    try:
        root = ElementTree.fromstring(re.sub(r"^<\?xml[^>]*\?>", "", text).strip())
    except (ElementTree.ParseError, UnicodeError) as error:
        raise MapError(message("delirium.broken_xml", error=error)) from None
    if root.tag != "Map":
        raise MapError(message("delirium.not_a_map_element", tag=shortened(root.tag)))
    return root


def _read_rows(root: ElementTree.Element, name: str) -> list[list[int]]:
    """The codes of the cells, row by row."""
    data = root.findtext("Data")
    if data is None:
        raise MapError(message("delirium.no_data", name=name))
    lines = re.findall(r'"([^"]*)"', data)
    width, height = (
        read_number(root.get(key), _label(key, name), len(lines), 0, MOST_SIZE) for key in ("Width", "Height")
    )
    counts = {line.count(",") + 1 for line in lines}
    if len(counts) == 1:  # the actual rows count, whatever size the map claims
        width = min(counts)
    if len(lines) > height and len(counts) > 1:
        raise MapError(message("delirium.map_row_count", name=name, count=len(lines), height=height))
    rows = [_read_row(line, number, width, name) for number, line in enumerate(lines, 1)]
    if height > len(rows) and height <= MOST_ROWS:
        rows += [[EMPTY] * width for _ in range(height - len(rows))]
    if not lines or not width:
        raise MapError(message("delirium.map_without_cells", name=name))
    return rows


def _read_row(line: str, number: int, width: int, name: str) -> list[int]:
    items = [item.strip() for item in line.split(",")]
    if len(items) > width or width > max(len(items), MOST_COLUMNS):
        raise MapError(
            message("delirium.map_row_width", row=number, name=name, count=len(items), width=width)
        )
    for column, item in enumerate(items, 1):
        if item.lower() not in _CODE_OF:
            raise MapError(
                message(
                    "delirium.unknown_map_item", row=number, column=column, name=name, item=shortened(item)
                )
            )
    return [_CODE_OF[item.lower()] for item in items] + [EMPTY] * (width - len(items))


def _choose_parameters(root: ElementTree.Element, difficulty: str) -> ElementTree.Element:
    """The block of this difficulty, else the first one, else the map itself."""
    blocks = root.findall("Parameters") + root.findall("Infos")
    for block in blocks:
        if block.get("GameDifficulty") == difficulty:
            return block
    return blocks[0] if blocks else root


def _place_miner(name: str, rows: list[list[int]], gateways: str) -> None:
    """The miner is in the data, or else at the first gateway; further players are left out."""
    seen = False
    for row in rows:
        for column, code in enumerate(row):
            if code == SECOND_MINER or (code == MINER and seen):
                row[column] = EMPTY
            seen = seen or code == MINER
    if seen:
        return
    gateway = re.search(r'"\s*(-?\d+)\s*,\s*(-?\d+)\s*"', gateways)
    if gateway is None:
        raise MapError(message("delirium.no_gateway", name=name))
    label = _label("Gateways", name)
    column, number = (read_number(each, label, 0, -MOST_SIZE, MOST_SIZE) for each in gateway.groups())
    if not (1 <= number <= len(rows) and 1 <= column <= len(rows[0])):
        raise MapError(message("delirium.gateway_outside", name=name, column=column, row=number))
    rows[number - 1][column - 1] = MINER


def _check_gravity(parameters: ElementTree.Element, name: str) -> None:
    gravity = parameters.find("Gravity")
    direction = "Down" if gravity is None else gravity.get("Direction", "Down")
    if direction not in GRAVITY_DOWN:
        raise MapError(message("delirium.unknown_gravity", name=name, direction=shortened(direction)))


def _read_goals(parameters: ElementTree.Element, name: str) -> tuple[int, int, int]:
    """The number of diamonds to gather, points for each, and seconds."""
    goals = parameters.find("Goals")
    need, points, seconds = 0, DEFAULT_POINTS, NO_LIMIT
    if goals is not None:
        seconds = read_number(goals.get("Time"), _label("Time", name), NO_LIMIT, NO_LIMIT, MOST_SECONDS)
        for goal in goals.findall("Goal"):
            item = goal.get("Item", "Diam")
            if item != "Diam":
                raise MapError(message("delirium.unknown_goal_item", name=name, item=shortened(item)))
            need = read_number(goal.get("Gather"), _label("Gather", name), 0, 0, MOST_DIAMONDS)
            points = read_number(
                goal.get("Points"), _label("Points", name), DEFAULT_POINTS, -MOST_POINTS, MOST_POINTS
            )
    return need, points, seconds


def _label(field: str, name: str) -> str:
    return message("delirium.field_of_map", field=field, name=name)


# ------------------------------------------------------------------ writing


def write_xml(mine: Mine, generation: int = 2012) -> str:
    """The mine as an XML map of this generation. The format has no place for headings and falling stones."""
    if generation not in GENERATIONS:
        raise MapError(message("delirium.unknown_generation", generation=generation))
    row, column = mine.find(MINER)[0]
    lines = [", ".join(f"{_item(code, generation):>7}" for code in row[1:-1]) for row in mine.rows[1:-1]]
    data = "\n".join(f'  "{line}"' for line in lines)
    write = _write_parameters if generation == 2012 else _write_infos
    head = ElementTree.Element(
        "Map", {"Name": mine.name, "Width": str(mine.width - 2), "Height": str(mine.height - 2)}
    )
    opening = ElementTree.tostring(head, encoding="unicode").replace(" />", ">")
    return f"{opening}\n\n <Data>\n{data}\n </Data>\n\n{write(mine, column, row)}\n\n</Map>\n"


def _item(code: int, generation: int) -> str:
    if code in (EMPTY, MINER, SECOND_MINER):
        return ""
    if code > len(ITEM_NAMES):
        raise MapError(message("delirium.no_xml_item"))
    name = ITEM_NAMES[code - 1]
    return f"{name}1" if generation == 2008 and code in (WALL, MAGIC) else name


def _write_goals(mine: Mine) -> str:
    goal = f'<Goal Gather="{mine.need}" Item="Diam" Points="{mine.points}" />'
    return f'<Goals Time="{mine.seconds}">\n   {goal}\n  </Goals>'


def _write_parameters(mine: Mine, column: int, row: int) -> str:
    return (
        f' <Parameters GameDifficulty="Easy">\n  <Gravity Direction="Down" />\n\n'
        f'  <Gateways>\n    "{column},{row}"\n  </Gateways>\n\n  {_write_goals(mine)}\n </Parameters>'
    )


def _write_infos(mine: Mine, column: int, row: int) -> str:
    blocks = [
        f' <Infos GameDifficulty="{level}">\n  {_write_goals(mine)}\n  <Gravity Direction="0,1" />\n </Infos>'
        for level in DIFFICULTIES
    ]
    return f' <Gateways Nbr="1">\n  "{column},{row}"\n </Gateways>\n\n' + "\n\n".join(blocks)
