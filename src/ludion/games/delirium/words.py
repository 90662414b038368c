"""Actions and cells in words, for speech and lists."""

from __future__ import annotations

from ludion.games.delirium.actions import action_name
from ludion.games.delirium.physics import (
    BLAST,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    MINER,
    SECOND_MINER,
    SILVER,
    STONE,
    WALL,
    is_monster,
)
from ludion.games.delirium.world import Briefing, MineWorld
from ludion.messages import catalogue, message

CELLS = {
    DIRT: "dirt",
    EMPTY: "empty",
    WALL: "wall",
    BORDER: "wall",
    SILVER: "wall",
    STONE: "stone",
    DIAMOND: "diamond",
    MINER: "miner",
    SECOND_MINER: "miner",
    BLAST: "blast",
}  # code -> the name of its message


def say_move(rules: Briefing, world: MineWorld, action: object) -> str:
    """The action in words; any other value unchanged."""
    name = action_name(action)
    known = f"say_action.{name}"
    return message(f"delirium.{known}") if known in catalogue("delirium") else name


def cell_words(code: int, exit_open: bool) -> str:
    """The content of a cell in words."""
    if code == EXIT:
        return message("delirium.say_cell.open_exit" if exit_open else "delirium.say_cell.exit")
    return message(f"delirium.say_cell.{'monster' if is_monster(code) else CELLS.get(code, 'other')}")
