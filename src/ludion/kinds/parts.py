"""The parts of an estimate or an evaluation: how much each tile, vehicle, alignment or piece contributes."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

Place: TypeAlias = tuple[int, int] | str  # row and column from the top left, from 0; or the name of a piece


class ValuePart(NamedTuple):
    """One part; the values of all parts add up to the value that engines use."""

    name: str  # what it is of, for people: a tile, a vehicle, an alignment, a piece
    value: int
    note: str = ""  # why, in a few words
    places: tuple[Place, ...] = ()  # where it is on the board
