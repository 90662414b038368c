"""Columns and moves in words, for speech and lists: "yellow in column 4"."""

from __future__ import annotations

from ludion.games.connect_four.rules import DropGame, Stones
from ludion.messages import message


def stone_words(sign: str) -> str:
    """The colour of a stone (`x` or `o`)."""
    return message(f"connect_four.say_{sign}")


def say_move(rules: DropGame, position: Stones, move: int) -> str:
    """Whose stone, and into which column."""
    sign = "o" if position.mask.bit_count() & 1 else "x"
    return message("connect_four.say_move", stone=stone_words(sign), column=move + 1)


def column_words(column: int, stones: str) -> str:
    """The stones of a column (signs from below)."""
    if not stones:
        return message("connect_four.say_empty_column", column=column)
    words = ", ".join(stone_words(sign) for sign in stones)
    return message("connect_four.say_column", column=column, stones=words)
