"""A mine in text and as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludion.games.delirium.bdcff import LETTERS, sign_of
from ludion.games.delirium.physics import (
    AMOEBA,
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    DOLL,
    EMPTY,
    EXIT,
    FIRST_MONSTER,
    HEIGHT,
    INBOX,
    MAGIC,
    MINER,
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
    WIDTH,
    MineState,
    cell_at,
    is_monster,
)
from ludion.games.delirium.words import cell_words
from ludion.games.delirium.world import Briefing, MineWorld
from ludion.messages import message
from ludion.svg import Picture

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

UNIT = 20  # width of a cell in the picture

_LETTER_OF = {code: letter for letter, code in LETTERS.items()} | {
    BORDER: "W",
    BLUE: "B",
    RED: "O",
    BLAST: "*",
    SECOND_MINER: "P",
    INBOX: "P",
}
_ASIDE, _UPRIGHT = (3, 10, 17, 10), (10, 3, 10, 17)  # lines from x, y to x, y
GROWTH_LINES = {
    WALL_GROWING_ASIDE: (_ASIDE,),
    WALL_GROWING_UPRIGHT: (_UPRIGHT,),
    WALL_GROWING: (_ASIDE, _UPRIGHT),
}
MONSTER_COLOURS = ("#5b9be0", "#e2604d", "#62b981", "#f0bf4c", "#a98bd6", "#6a7280")  # from FIRST_MONSTER on
HORNS = ("M4 6L2 0L8 4M16 6L18 0L12 4", "M5 6Q0 4 1 0Q4 3 8 4M15 6Q20 4 19 0Q16 3 12 4", "M10 5L10 0")
GRAINS = ("M4 5h2M13 8h2M7 14h2", "M9 4h2M3 11h2M14 15h2", "M5 8h2M12 4h2M11 15h2", "M3 4h2M9 10h2M15 13h2")


def text(rules: Briefing, world: MineWorld) -> str:
    """Letters in rows: `P` miner, `r` stone, `d` diamond, `.` dirt, `w` wall, `O` red, `B` blue monster, `X` exit."""
    cells = world.state.cells
    rows = [
        "".join(_LETTER_OF.get(int(cells[cell_at(r, c)]), "?") for c in range(world.mine.width))
        for r in range(world.mine.height)
    ]
    return "\n".join([*rows, status(world)])


def frame_rows(state: MineState) -> list[str]:
    """The mine in the letters of BDCFF: capital `D` and `R` fall, monsters look where they go, `*` is a blast."""
    cells, details, _, info, _ = state
    return [
        "".join(
            sign_of(int(cells[cell_at(r, c)]), int(details[cell_at(r, c)])) for c in range(int(info[WIDTH]))
        )
        for r in range(int(info[HEIGHT]))
    ]


def status(world: MineWorld) -> str:
    """One line under a picture."""
    fate = message(f"delirium.fate.{world.fate.replace(' ', '_')}")
    return message(
        "delirium.status", tick=world.ticks, diamonds=world.diamonds, need=world.mine.need, fate=fate
    )


def svg(rules: Briefing, world: MineWorld) -> str:
    """The mine as SVG."""
    width, height = world.mine.width, world.mine.height
    title = "Delirium 2" + (f": {world.mine.name}" if world.mine.name else "")
    picture = Picture(width * UNIT, height * UNIT, f"{title}, {status(world)}", text(rules, world))
    picture.grid(width, height, 0, UNIT)
    counts = {"ticks": world.ticks, "diamonds": world.diamonds, "need": world.mine.need}
    for name, count in counts.items():
        picture.root.set(f"data-{name}", str(count))
    picture.rect(0, 0, width * UNIT, height * UNIT, fill="tunnel")
    exit_open = world.diamonds >= world.mine.need
    for r in range(height):
        for c in range(width):
            code = int(world.state.cells[cell_at(r, c)])
            group = picture.add("g", transform=f"translate({c * UNIT} {r * UNIT})")
            if code not in (BORDER, SILVER):
                group.set("data-cell", f"{c} {r}")
                group.set("aria-label", cell_words(code, exit_open))
                if code == MINER:
                    group.set("data-miner", "")
                if code in (DIRT, EMPTY):
                    group.set("data-empty", "")
            _draw_cell(picture, group, code, exit_open, (c * 7 + r * 13) % 4)
    return str(picture)


def _draw_cell(picture: Picture, group: Element, code: int, exit_open: bool, grain: int) -> None:
    """Draw the object with this code in a square of UNIT; `grain` varies the dirt."""
    here = {"parent": group}
    line = {"stroke": "#17191d", "stroke_width": 1, "stroke_linejoin": "round", **here}
    if code == EMPTY:
        picture.rect(0, 0, UNIT, UNIT, fill="tunnel", **here)
    elif code == DIRT:
        picture.rect(0, 0, UNIT, UNIT, fill="dirt", **here)
        picture.path(GRAINS[grain], fill="none", stroke="tunnel", stroke_width=1.4, opacity=0.55, **here)
    elif code in (BORDER, SILVER, SOFT_SILVER):
        picture.rect(0, 0, UNIT, UNIT, fill="rock", **here)
        if code == SOFT_SILVER:
            picture.path("M4 4L16 16", **line)
    elif code in (WALL, MAGIC) or code in GROWTH_LINES:
        picture.rect(0, 0, UNIT, UNIT, fill="purple" if code == MAGIC else "brown", **here)
        picture.path("M0 10H20M10 0V10M4 10V20M16 10V20", stroke="tunnel", stroke_width=1.2, **here)
        for x1, y1, x2, y2 in GROWTH_LINES.get(code, ()):
            picture.line(x1, y1, x2, y2, stroke="yellow", stroke_width=2.5, **here)
    elif code == STONE:
        picture.circle(10, 10, 9, fill="#9a9488", **line)
        picture.path("M5 7q4 -4 9 -2", fill="none", stroke="#e8e4da", stroke_width=1.8, **here)
        picture.path("M6 14l3 -2m4 3l3 -4", fill="none", stroke="#5d574c", stroke_width=1.2, **here)
    elif code == DIAMOND:
        picture.path("M5 4H15L19 9L10 18L1 9Z", fill="#bfe3f2", **line)
        picture.path("M1 9H19M7 9L10 18L13 9L10 4Z", fill="none", stroke="#1f5fa6", stroke_width=1, **here)
    elif code == EXIT:
        picture.path("M3 20V4H17V20Z", fill="#6fce93" if exit_open else "#5d574c", **line)
        steps = "M3 17H9V13H13V9H17" if exit_open else "M6 4V20M10 4V20M14 4V20"
        picture.path(steps, fill="none", stroke="#17191d", stroke_width=1.6, **here)
    elif code in (MINER, SECOND_MINER, DOLL):
        _draw_miner(picture, group, "#e0a526" if code != DOLL else "#d9d4c7")
    elif is_monster(code):
        _draw_monster(picture, group, code - FIRST_MONSTER)
    elif code == AMOEBA:
        picture.path("M2 10Q0 2 9 2T18 8T12 18T2 10Z", fill="green", opacity=0.8, **here)
    elif code == SLIME:
        picture.rect(0, 0, UNIT, UNIT, fill="sea", opacity=0.6, **here)
        for left in (4, 10, 16):
            picture.circle(left, 14, 2.5, fill="green", **here)
    elif code == BLAST:
        picture.path(
            "M10 0L12 7L19 4L14 10L20 14L12 13L10 20L8 13L0 15L6 10L1 4L8 7Z", fill="#f0b429", **line
        )
    else:
        picture.rect(1, 1, 18, 18, fill="board", stroke="line", **here)


def _draw_miner(picture: Picture, group: Element, helmet: str) -> None:
    """A miner: helmet with a lamp, face, overalls and boots."""
    line = {"stroke": "#17191d", "stroke_width": 1, "stroke_linejoin": "round", "parent": group}
    picture.path("M5 11H15L16 17H4Z", fill="#2b6cb0", **line)
    picture.path("M5 17V19.5H9V17M11 17V19.5H15V17", fill="#5d3a1c", **line)
    picture.path("M6 6H14V10Q10 13 6 10Z", fill="#f2c9a0", **line)
    picture.path("M4.5 6.5Q5 1 10 1T15.5 6.5Z", fill=helmet, **line)
    picture.circle(10, 3.6, 1.5, fill="#fff7d6", parent=group)
    for x in (8.4, 11.6):
        picture.circle(x, 8.4, 0.8, fill="#17191d", parent=group)


def _draw_monster(picture: Picture, group: Element, kind: int) -> None:
    """A monster: its colour and its horns show its kind."""
    line = {"stroke": "#17191d", "stroke_width": 1, "stroke_linejoin": "round", "parent": group}
    colour = MONSTER_COLOURS[kind]
    picture.path(HORNS[kind % len(HORNS)], fill=colour, **line)
    picture.path("M3 17V10Q3 4 10 4T17 10V17L14 15L12 17L10 15L8 17L6 15Z", fill=colour, **line)
    for x in (7, 13):
        picture.circle(x, 9.5, 2.2, fill="#ffffff", parent=group)
        picture.circle(x, 10, 1, fill="#17191d", parent=group)
