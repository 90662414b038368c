"""Why a move is good or bad: its effect on the queens, and the pieces that it pins or frees."""

from __future__ import annotations

from ludion.core.words import popcount
from ludion.games.hive.board import (
    PIECES,
    cell_of,
    colour_at,
    exists,
    has,
    height_of,
    is_top,
    neighbours,
    piece_of,
    queen_of,
)
from ludion.games.hive.movement import is_pinned, possible_pins
from ludion.games.hive.notation import NAMES
from ludion.games.hive.rules import Hive, HiveRules
from ludion.games.hive.words import piece_words
from ludion.kinds.duel import copy, play
from ludion.kinds.parts import BoardMark, MoveReason, marks_at
from ludion.messages import joined, message


def move_reason(rules: HiveRules, position: Hive, move: int) -> MoveReason | None:
    """What the move changes around the queens and in the pins; None if it changes neither, and for a pass."""
    piece, colour = piece_of(move), colour_at(position.ply)
    if not exists(piece):
        return None
    after = play(rules, copy(rules, position), move)
    words: list[str] = []
    marks: list[BoardMark] = []
    enemy, own = queen_of(1 - colour), queen_of(colour)
    if crowd(after, enemy) > crowd(position, enemy):
        words.append(message("hive.why_surrounds", queen=piece_words(NAMES[enemy]), n=crowd(after, enemy)))
        marks += marks_at("target", [NAMES[enemy]])
    if piece != own and crowd(after, own) > crowd(position, own):
        words.append(message("hive.why_own_queen", n=crowd(after, own)))
        marks += marks_at("danger", [NAMES[own]])
    before_pins, after_pins = pinned(position), pinned(after)
    for id, pieces in (
        ("hive.why_pins", after_pins - before_pins),
        ("hive.why_frees", before_pins - after_pins),
    ):
        names = [NAMES[each] for each in sorted(pieces) if each != piece]
        enemies = [name for name in names if name[0] != NAMES[piece][0]]
        listed = enemies if id == "hive.why_pins" else [name for name in names if name not in enemies]
        if listed:
            words.append(message(id, pieces=", ".join(map(piece_words, listed))))
            marks += marks_at("pin" if id == "hive.why_pins" else "line", listed)
    if piece in after_pins:
        words.append(message("hive.why_pinned"))
    return MoveReason(joined(words), tuple(marks)) if words else None


def crowd(position: Hive, queen: int) -> int:
    """The number of neighbours of a queen."""
    cell = cell_of(position.board, queen)
    return int(popcount(neighbours(position.board, cell))) if exists(cell) else 0


def pinned(position: Hive) -> set[int]:
    """The pieces that hold the hive together."""
    board = position.board
    pins = possible_pins(board, position.placed, position.holes)
    return {
        piece
        for piece in range(PIECES)
        if has(position.placed, piece)
        and is_top(board, piece)
        and height_of(board, cell_of(board, piece)) == 1
        and is_pinned(board, piece, cell_of(board, piece), pins)
    }
