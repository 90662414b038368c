"""Pieces and moves in words, for speech and lists: "white ant to the left of the black queen"."""

from __future__ import annotations

import re

from ludion.games.hive.notation import NAMES, write_move
from ludion.games.hive.rules import Hive, HiveRules
from ludion.messages import message

PLACES = {
    ("-", ""): "left",
    ("", "-"): "right",
    ("\\", ""): "upper_left",
    ("", "\\"): "lower_right",
    ("/", ""): "lower_left",
    ("", "/"): "upper_right",
    ("", ""): "top",
}  # signs before and after the reference piece -> the name of its message


def piece_words(name: str) -> str:
    """A piece, as `wA1`, in words: "white ant"."""
    return message(f"hive.piece.{name[:2]}")


def stack_words(pile: list[int]) -> str:
    """The pieces of a cell from the top down."""
    words = piece_words(NAMES[pile[0]])
    for piece in pile[1:]:
        words = message("hive.stack", top=piece_words(NAMES[piece]), below=words)
    return words


def say_move(rules: HiveRules, position: Hive, move: int) -> str:
    """The move in words."""
    name, _, place = write_move(rules, position, move).partition(" ")
    if name == "pass":
        return message("hive.say_pass")
    reference = re.fullmatch(r"([-/\\]?)(\w+)([-/\\]?)", place)
    if reference is None:
        return message("hive.say_first", piece=piece_words(name))
    before, other, after = reference.groups()
    where = message(f"hive.beside_{PLACES[before, after]}", piece=message(f"hive.of_piece.{other[:2]}"))
    return f"{piece_words(name)} {where}"
