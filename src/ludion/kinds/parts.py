"""The parts of an estimate or an evaluation: how much each tile, vehicle, alignment or piece contributes; and why a
move is good or bad, with marks on the board."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int] | str  # row and column from the top left, from 0; or the name of a piece


class ValuePart(NamedTuple):
    """One part; the values of all parts add up to the value that engines use."""

    name: str  # what it is of, for people: a tile, a vehicle, an alignment, a piece
    value: int
    note: str = ""  # why, in a few words
    places: tuple[Place, ...] = ()  # where it is on the board


class BoardMark(NamedTuple):
    """A mark on the board that belongs to a reason."""

    place: Place
    role: str  # what is to be seen there: one of MARK_ROLES


# line: stones, cells or pieces that work together; threat: where a player wins next or later; clue: a number that
# proves something; pin: a piece that cannot move; danger: what may end the game; path: where it leads; target: what is
# aimed at; bound: what must move before the end.
MARK_ROLES = ("line", "threat", "clue", "pin", "danger", "path", "target", "bound")


class MoveReason(NamedTuple):
    """Why a move is good or bad, as far as the game knows: a sentence without a full stop, and its marks."""

    text: str
    marks: tuple[BoardMark, ...] = ()


def marks_at(role: str, places: Iterable[Place]) -> tuple[BoardMark, ...]:
    """The same mark at several places."""
    return tuple(BoardMark(place, role) for place in places)
