"""A mine in text and as a picture."""

from __future__ import annotations

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
from ludion.games.delirium.world import Briefing, MineWorld
from ludion.messages import message
from ludion.svg import Picture

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
_MONSTER_COLOURS = ("blue", "red", "green", "yellow", "purple", "black")  # from FIRST_MONSTER on


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
    picture.rect(0, 0, width * UNIT, height * UNIT, fill="paper")
    exit_open = world.diamonds >= world.mine.need
    for r in range(height):
        for c in range(width):
            code = int(world.state.cells[cell_at(r, c)])
            if code != EMPTY:
                _draw_cell(picture, c * UNIT, r * UNIT, code, exit_open)
    return str(picture)


def _draw_cell(picture: Picture, x: int, y: int, code: int, exit_open: bool) -> None:
    """Draw the object with this code into the cell whose top left corner is at x, y."""
    middle_x, middle_y = x + UNIT // 2, y + UNIT // 2
    if code == DIRT:
        picture.rect(x, y, UNIT, UNIT, fill="land")
    elif code in (BORDER, SILVER):
        picture.rect(x, y, UNIT, UNIT, fill="soft")
    elif code in (WALL, MAGIC):
        picture.rect(x, y, UNIT, UNIT, fill="brown" if code == WALL else "purple")
        picture.line(x, middle_y, x + UNIT, middle_y, stroke="board", stroke_width=1.5)
        picture.line(middle_x, y, middle_x, middle_y, stroke="board", stroke_width=1.5)
    elif code == STONE:
        picture.circle(middle_x, middle_y, 9, fill="soft", stroke="ink", stroke_width=1)
    elif code == DIAMOND:
        corners: list[tuple[float, float]] = [
            (middle_x, y + 2),
            (x + 18, middle_y),
            (middle_x, y + 18),
            (x + 2, middle_y),
        ]
        picture.polygon(corners, fill="sea", stroke="blue", stroke_width=1.5)
    elif code == EXIT:
        colour = "green" if exit_open else "board"
        picture.rect(x + 2, y + 2, 16, 18, fill=colour, stroke="ink", stroke_width=1.5)
    elif code in (MINER, SECOND_MINER):
        picture.circle(middle_x, y + 6, 4, fill="yellow", stroke="ink", stroke_width=1)
        picture.rect(x + 5, y + 10, 10, 9, rx=3, fill="blue", stroke="ink", stroke_width=1)
    elif is_monster(code):
        colour = _MONSTER_COLOURS[code - FIRST_MONSTER]
        picture.rect(x + 3, y + 4, 14, 13, rx=6, fill=colour, stroke="ink", stroke_width=1)
        picture.circle(x + 7, y + 9, 1.8, fill="white")
        picture.circle(x + 13, y + 9, 1.8, fill="white")
    elif code == AMOEBA:
        picture.rect(x, y, UNIT, UNIT, rx=5, fill="green", opacity=0.6)
    elif code == SLIME:
        picture.rect(x, y, UNIT, UNIT, fill="sea", opacity=0.6)
        for left in (4, 10, 16):
            picture.circle(x + left, y + 14, 2.5, fill="green")
    elif code in GROWTH_LINES:
        picture.rect(x, y, UNIT, UNIT, fill="brown")
        for x1, y1, x2, y2 in GROWTH_LINES[code]:
            picture.line(x + x1, y + y1, x + x2, y + y2, stroke="yellow", stroke_width=2)
    elif code == SOFT_SILVER:
        picture.rect(x, y, UNIT, UNIT, fill="soft")
        picture.line(x + 4, y + 4, x + 16, y + 16, stroke="ink", stroke_width=1)
    elif code == DOLL:
        picture.circle(middle_x, y + 6, 4, fill="paper", stroke="ink", stroke_width=1)
        picture.rect(x + 5, y + 10, 10, 9, rx=3, fill="paper", stroke="ink", stroke_width=1)
    elif code == BLAST:
        picture.circle(middle_x, middle_y, 8, fill="yellow", stroke="red", stroke_width=2)
    else:
        picture.rect(x + 1, y + 1, 18, 18, fill="board", stroke="line")
