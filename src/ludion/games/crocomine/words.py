"""Cells and actions in words, for speech and lists; rows and columns count from 1, as people do."""

from __future__ import annotations

from ludion.games.crocomine.notation import Position
from ludion.games.crocomine.rules import (
    HIDDEN,
    KINDS,
    LAND,
    OPEN,
    SEA,
    Action,
    CrocoRules,
    View,
    animals_in_words,
)
from ludion.messages import message

HIDDEN_WORDS = {LAND: "crocomine.say_hidden_land", SEA: "crocomine.say_hidden_sea"}


def say_move(rules: CrocoRules, position: Position, action: Action) -> str:
    """What is done to which cell."""
    place = {"row": action.row + 1, "column": action.column + 1}
    if action.verb != "guess":
        return message(f"crocomine.say_{action.verb}", **place)
    if rules.flags:
        return message("crocomine.say_flag", **place)
    return message("crocomine.say_guess", animal=message(f"crocomine.say_animal.{action.animal}"), **place)


def cell_words(view: View, cell: int) -> str:
    """What is seen of a cell."""
    row, column = view.place(cell)
    return message("crocomine.say_cell", row=row + 1, column=column + 1, content=_content(view, cell))


def _content(view: View, cell: int) -> str:
    seen = int(view.seen[cell])
    is_minesweeper = view.flags and view.sea == 0
    if seen == HIDDEN:
        known = None if is_minesweeper else HIDDEN_WORDS.get(int(view.terrain[cell]))
        return message(known or "crocomine.say_hidden")
    if seen != OPEN:
        return message("crocomine.say_flagged" if view.flags else f"crocomine.say_animal.{KINDS[seen - 1]}")
    clue = view.clues[cell]
    if not clue.any():
        return message("crocomine.say_open")
    if view.flags:
        return message("crocomine.say_mines", n=int(clue.sum()))
    return message("crocomine.say_around", animals=animals_in_words(clue))
