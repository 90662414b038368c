"""What the evaluation of Hive is the sum of: the points of each piece, of the hands, of the queens' surroundings."""

from __future__ import annotations

import numpy as np

from ludion.answers import HIGHEST
from ludion.core.words import popcount
from ludion.games.hive.evaluation import (
    ATTACKER,
    MOBILE,
    MOST_MOBILE,
    REACHING,
    SHARE,
    SHARES,
    TO_MOVE,
    Mobility,
    hand_points,
    piece_points,
    placement_points,
    queen_points,
    row_for,
)
from ludion.games.hive.notation import NAMES
from ludion.games.hive.rules import (
    BLACK,
    PIECES,
    WHITE,
    Hive,
    HiveRules,
    cell_of,
    colour_at,
    exists,
    has,
    neighbours,
    pieces_of,
    possible_pins,
    queen_of,
    side_hand,
)
from ludion.games.hive.words import piece_words
from ludion.kinds.parts import ValuePart
from ludion.messages import message


def mobility(evaluation: Mobility, rules: HiveRules, position: Hive) -> list[ValuePart]:
    """The points of each side, those of the opponent negative."""
    to_move = colour_at(position.ply)
    weights = evaluation.weights[row_for(evaluation, position)]
    parts = [ValuePart(message("hive.part.to_move"), int(weights[TO_MOVE]))]
    mobile: list[int] = []
    for colour in (to_move, BLACK + WHITE - to_move):
        sign = 1 if colour == to_move else -1
        parts += [part._replace(value=sign * part.value) for part in side(weights, position, colour, mobile)]
    parts.append(ValuePart(message("hive.part.share"), int(weights[SHARE] * SHARES[mobile[0], mobile[1]])))
    total = sum(part.value for part in parts)
    limited = min(max(total, -HIGHEST), HIGHEST)
    if limited != total:
        parts.append(ValuePart(message("hive.part.limit"), limited - total))
    return parts


def side(weights: np.ndarray, position: Hive, colour: int, mobile: list[int]) -> list[ValuePart]:
    """The points of one side; how many of its pieces can move is added to the list."""
    board = position.board
    pins = possible_pins(board, position.placed, position.holes)
    own_queen, enemy_queen = cell_of(board, queen_of(colour)), cell_of(board, queen_of(1 - colour))
    pieces, in_hand = pieces_of(position.placed, colour), side_hand(position.hand, colour)
    around = popcount(neighbours(board, enemy_queen)) if exists(enemy_queen) else 0
    player = message("hive.part.white" if colour == WHITE else "hive.part.black")
    parts, movable = [], 0
    for piece in range(PIECES):
        if has(pieces, piece):
            points, can_move, attacks, reaches = piece_points(
                weights, board, 1 << piece, own_queen, enemy_queen, pins
            )
            movable += can_move
            if exists(enemy_queen):
                points += weights[ATTACKER + around] * attacks + weights[REACHING + around] * reaches
            note = message("hive.part.attacker") if reaches and exists(enemy_queen) else ""
            name = f"{NAMES[piece]} {piece_words(NAMES[piece])}"
            parts.append(ValuePart(name, int(points), note, (NAMES[piece],)))
    mobile.append(movable)
    parts.append(
        ValuePart(
            message("hive.part.mobile", player=player), int(weights[MOBILE + min(movable, MOST_MOBILE)])
        )
    )
    parts.append(ValuePart(message("hive.part.hand", player=player), int(hand_points(weights, in_hand))))
    if exists(own_queen):
        points = queen_points(weights, board, colour, own_queen, pins)
        parts.append(ValuePart(message("hive.part.queen", player=player), int(points)))
    points = placement_points(weights, board, in_hand, pieces, colour, enemy_queen)
    parts.append(ValuePart(message("hive.part.placement", player=player), int(points)))
    return parts
