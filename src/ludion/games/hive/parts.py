"""The summands of Hive's evaluation: the points of each piece, of the hands, of the queens' surroundings."""

from __future__ import annotations

from ludion.answers import HIGHEST
from ludion.core.words import popcount
from ludion.games.hive.board import (
    BLACK,
    PIECES,
    WHITE,
    cell_of,
    colour_at,
    exists,
    has,
    neighbours,
    pieces_of,
    queen_of,
    side_hand,
)
from ludion.games.hive.evaluation import (
    ATTACKER,
    MOVABLE_SHARE,
    PLACEMENT_BESIDE,
    SHARES,
    Mobility,
    can_place_beside,
    hand_points,
    piece_points,
    queen_points,
    to_move_points,
)
from ludion.games.hive.movement import possible_pins
from ludion.games.hive.notation import NAMES
from ludion.games.hive.rules import Hive, HiveRules
from ludion.games.hive.words import piece_words
from ludion.kinds.parts import ValuePart
from ludion.messages import message


def mobility(evaluation: Mobility, rules: HiveRules, position: Hive) -> list[ValuePart]:
    """The points of each side, those of the opponent negative."""
    weights, to_move = evaluation.weights, colour_at(position.ply)
    points = int(to_move_points(weights, position.board, to_move))
    parts, movable = [ValuePart(message("hive.part.to_move"), points)], []
    for colour in (to_move, BLACK + WHITE - to_move):
        sign = 1 if colour == to_move else -1
        summands, count = side(evaluation, position, colour)
        parts += [part._replace(value=sign * part.value) for part in summands]
        movable.append(count)
    share = int(weights[MOVABLE_SHARE] * SHARES[movable[0], movable[1]])
    parts.append(ValuePart(message("hive.part.share", own=movable[0], other=movable[1]), share))
    total = sum(part.value for part in parts)
    limited = min(max(total, -HIGHEST), HIGHEST)
    if limited != total:
        parts.append(ValuePart(message("hive.part.limit"), limited - total))
    return parts


def side(evaluation: Mobility, position: Hive, colour: int) -> tuple[list[ValuePart], int]:
    """The points of one side, and how many of its pieces can move, the queen apart."""
    weights, board = evaluation.weights, position.board
    pins = possible_pins(board, position.placed, position.holes)
    own_queen, enemy_queen = cell_of(board, queen_of(colour)), cell_of(board, queen_of(1 - colour))
    in_hand = side_hand(position.hand, colour)
    player = message("hive.part.white" if colour == WHITE else "hive.part.black")
    parts, movable = [], 0
    for piece in range(PIECES):
        if has(pieces_of(position.placed, colour), piece):
            points, attackers, count = piece_points(weights, board, 1 << piece, own_queen, enemy_queen, pins)
            movable += count
            note = ""
            if exists(enemy_queen) and attackers:
                points += weights[ATTACKER + popcount(neighbours(board, enemy_queen))]
                note = message("hive.part.attacker")
            name = f"{NAMES[piece]} {piece_words(NAMES[piece])}"
            parts.append(ValuePart(name, int(points), note, (NAMES[piece],)))
    parts.append(ValuePart(message("hive.part.hand", player=player), int(hand_points(weights, in_hand))))
    if exists(own_queen):
        points = queen_points(weights, board, colour, own_queen, pins)
        parts.append(ValuePart(message("hive.part.queen", player=player), int(points)))
    if exists(enemy_queen) and in_hand and can_place_beside(board, colour, enemy_queen):
        name = message("hive.part.placement", player=player)
        parts.append(ValuePart(name, int(weights[PLACEMENT_BESIDE])))
    return parts, movable
