"""The boards of these pages and of the README, drawn by the package: `python docs/pictures.py` writes them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import ludion

FOLDER = Path(__file__).parent / "pictures"


class Board(NamedTuple):
    """A picture: what is on the board, and how wide it is on the page."""

    game: str
    text: str
    moves: tuple[str, ...] = ()
    width: int = 320


BOARDS = {
    "taquin": Board("taquin", "level:report-5", width=420),
    "taquin_15": Board("taquin", "level:korf-1"),
    "rush_hour_start": Board("rush-hour", "level:10"),
    "tic_tac_toe": Board("tic-tac-toe", "x.o/.x./..o", width=240),
    "tic_tac_toe_5x5": Board("tic-tac-toe", "5x5/4:...../.xo../.ox../...x./....."),
    "connect_four": Board("connect-four", "4453224336", width=360),
    "hive": Board("hive", "level:mid-game-1", width=480),
    "crocomine": Board(
        "crocomine",
        "9x9:3/3/4",
        ("discover 6 5", "discover 8 8", "guess 8 7 T", "discover 8 3", "guess 7 3 C"),
        420,
    ),
    "minesweeper": Board("crocomine", "9x9:10:zero", ("discover 4 4",)),
    "delirium": Board("delirium", "level:figure-4", width=420),
}
SOLVED = {"rush_hour": ("rush-hour", "level:1", 360)}  # puzzles whose solution moves


def sized(picture: str, width: int) -> str:
    """The picture as wide as that, wherever it is shown."""
    return re.sub(r"<svg ", f'<svg width="{width}" ', picture, count=1) + "\n"


def draw(board: Board) -> str:
    position = ludion.position(board.game, board.text).play(*board.moves)
    if position.own_goal is not None:
        return sized(position._repr_svg_() or position.svg(), board.width)
    return sized(position.svg(), board.width)


def animate(game: str, text: str, width: int) -> str:
    position = ludion.position(game, text)
    animation = position.game.animate
    assert animation is not None
    return sized(animation(position.rules, position.state, ludion.solve(position).moves), width)


def all_pictures() -> dict[str, str]:
    """Every picture by its name."""
    boards = {name: draw(board) for name, board in BOARDS.items()}
    return boards | {name: animate(*solved) for name, solved in SOLVED.items()}


if __name__ == "__main__":
    for name, picture in all_pictures().items():
        (FOLDER / f"{name}.svg").write_text(picture, encoding="utf-8")
