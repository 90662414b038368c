"""A mine in text and as a picture."""

from __future__ import annotations

from ludion.games.delirium.maps import LETTERS
from ludion.games.delirium.physics import (
    AMOEBA,
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    MAGIC,
    MINER,
    MONSTER,
    RED,
    SHIFT,
    SILVER,
    STONE,
    WALL,
    is_monster,
)
from ludion.games.delirium.world import Game, World
from ludion.svg import Picture

_SIGNS = {code: sign for sign, code in LETTERS.items()} | {BORDER: "W", BLUE: "B", RED: "O", BLAST: "*"}
_MONSTERS = ("blue", "red", "green", "yellow", "purple", "black")


def text(game: Game, world: World) -> str:
    """Rows of signs (`P` miner, `r` stone, `d` diamond, `.` dirt, `w` wall, `O` red and `B` blue monster,
    `X` exit).
    """
    cells = world.state.cells
    rows = [
        "".join(_SIGNS.get(int(cells[r << SHIFT | c]), "?") for c in range(world.mine.width))
        for r in range(world.mine.height)
    ]
    return "\n".join([*rows, status(world)])


def status(world: World) -> str:
    """One line under a picture."""
    return f"tick {world.ticks}, {world.diamonds} of {world.mine.need} diamonds, {world.fate}"


def svg(game: Game, world: World) -> str:
    """The mine as SVG; a cell is 20 wide."""
    width, height = world.mine.width, world.mine.height
    title = f"Delirium 2{': ' + world.mine.name if world.mine.name else ''}, {status(world)}"
    picture = Picture(width * 20, height * 20, title, text(game, world))
    picture.grid(width, height, 0, 20)
    picture.rect(0, 0, width * 20, height * 20, fill="paper")
    exit_open = world.diamonds >= world.mine.need
    for r in range(height):
        for c in range(width):
            code = int(world.state.cells[r << SHIFT | c])
            if code != EMPTY:
                _cell(picture, c * 20, r * 20, code, exit_open)
    return str(picture)


def _cell(picture: Picture, x: int, y: int, code: int, exit_open: bool) -> None:
    middle_x, middle_y = x + 10, y + 10
    if code == DIRT:
        picture.rect(x, y, 20, 20, fill="land")
    elif code in (BORDER, SILVER):
        picture.rect(x, y, 20, 20, fill="soft")
    elif code in (WALL, MAGIC):
        picture.rect(x, y, 20, 20, fill="brown" if code == WALL else "purple")
        picture.line(x, middle_y, x + 20, middle_y, stroke="board", stroke_width=1.5)
        picture.line(middle_x, y, middle_x, middle_y, stroke="board", stroke_width=1.5)
    elif code == STONE:
        picture.circle(middle_x, middle_y, 9, fill="soft", stroke="ink", stroke_width=1)
    elif code == DIAMOND:
        points = [(x + 10, y + 2), (x + 18, y + 10), (x + 10, y + 18), (x + 2, y + 10)]
        picture.polygon(
            [(float(a), float(b)) for a, b in points], fill="sea", stroke="blue", stroke_width=1.5
        )
    elif code == EXIT:
        picture.rect(
            x + 2, y + 2, 16, 18, fill="green" if exit_open else "board", stroke="ink", stroke_width=1.5
        )
    elif code == MINER:
        picture.circle(middle_x, y + 6, 4, fill="yellow", stroke="ink", stroke_width=1)
        picture.rect(x + 5, y + 10, 10, 9, rx=3, fill="blue", stroke="ink", stroke_width=1)
    elif is_monster(code):
        shade = _MONSTERS[code - MONSTER]
        picture.rect(x + 3, y + 4, 14, 13, rx=6, fill=shade, stroke="ink", stroke_width=1)
        picture.circle(x + 7, y + 9, 1.8, fill="white")
        picture.circle(x + 13, y + 9, 1.8, fill="white")
    elif code == AMOEBA:
        picture.rect(x, y, 20, 20, rx=5, fill="green", opacity=0.6)
    elif code == BLAST:
        picture.circle(middle_x, middle_y, 8, fill="yellow", stroke="red", stroke_width=2)
    else:
        picture.rect(x + 1, y + 1, 18, 18, fill="board", stroke="line")
