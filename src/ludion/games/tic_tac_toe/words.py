"""Cells and moves in words, for speech and lists: "cross at b2"."""

from __future__ import annotations

from ludion.games.tic_tac_toe.notation import write_move
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.messages import message


def say_move(rules: AlignmentGame, position: Marks, move: int) -> str:
    """The move in words: the sign and the cell."""
    sign = message("tic_tac_toe.say_x" if position.first else "tic_tac_toe.say_o")
    return message("tic_tac_toe.say_move", sign=sign, cell=write_move(rules, position, move))


def cell_words(cell: str, sign: str) -> str:
    """A cell (`x`, `o` or `.`) in words."""
    words = message({"x": "tic_tac_toe.say_x", "o": "tic_tac_toe.say_o"}.get(sign, "tic_tac_toe.say_empty"))
    return message("tic_tac_toe.say_cell", cell=cell, sign=words)
