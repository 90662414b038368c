"""Tiles and moves in words, for speech and lists: "tile 8 left"."""

from __future__ import annotations

from ludion.games.taquin.notation import DIRECTIONS, tile_name
from ludion.games.taquin.rules import Taquin, Tiles, contents, direction_of, length_of
from ludion.messages import message

STEPS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}  # of the gap
OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def say_move(rules: Taquin, position: Tiles, move: int) -> str:
    """The pushed tiles and their direction in words: the gap moves the other way."""
    way = DIRECTIONS[direction_of(move)]
    here = contents(rules, position)
    right, down = STEPS[way]
    gap = here.index(0)
    pushed = [here[gap + step * (right + down * rules.width)] for step in range(1, length_of(move) + 1)]
    names = ", ".join(tile_name(rules, tile) for tile in pushed)
    sentence = "taquin.say_tile" if len(pushed) == 1 else "taquin.say_tiles"
    return message(sentence, tile=names, way=message(f"taquin.say_way.{OPPOSITE[way]}"))


def cell_words(rules: Taquin, cell: int, tile: int) -> str:
    """The content of a cell in words."""
    place = {"row": cell // rules.width + 1, "column": cell % rules.width + 1}
    if tile == 0:
        return message("taquin.say_gap", **place)
    is_home = int(rules.home[tile]) == cell
    return message(
        "taquin.say_cell_home" if is_home else "taquin.say_cell", **place, tile=tile_name(rules, tile)
    )
