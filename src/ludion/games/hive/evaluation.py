"""The evaluation of Hive: mobility, pins, the queens' liberties, hands, beetles, the pillbug's defence.

All weights are in one array, so that `tuning` can treat them as a vector. The value is the weighted sum for
the player to move minus the sum for the other.

    MOVABLE + bug           a piece in play that can move
    BLOCKED + bug           a piece in play that cannot move: it is pinned, or has no room to slide
    CLIMBED + bug           a beetle or mosquito on top of other pieces
    IN_HAND + bug           a piece in hand
    QUEEN_NEIGHBOURS + n    the player's own queen has n occupied neighbours
    COVERED                 a piece below another
    OWN_BESIDE              an own top beside one's queen
    BLOCKED_BESIDE          an own top beside one's queen that cannot move
    ENEMY_BESIDE            an enemy top beside one's queen
    ENEMY_ON_QUEEN          an enemy on top of one's queen
    THROWER_BESIDE          a pillbug, or a mosquito with its power, that can throw one's queen: it is not covered and
                            not pinned, fits through, and there is a free cell for it
    PLACEMENT_BESIDE        a piece can be placed beside the enemy queen
    CLIMBER_NEAR            a beetle or mosquito, for each step that it is nearer to the enemy queen than 4
    DISTANCE                a top, for each step to the enemy queen
    SLIDE_IN                a free cell beside one's queen that can be slid into
    TO_MOVE                 being the player to move
    ATTACKER + n            a piece that can move and is not yet beside the enemy queen, which has n occupied neighbours
    MOVABLE_SHARE           the player's share of all pieces that can move (queens apart) beyond the other's, in 32nds
    MOVABLE_AT_ENEMY        a piece on the ground beside the enemy queen that can move
    BLOCKED_AT_ENEMY        a piece on the ground beside the enemy queen that cannot move
    IN_DANGER               the queen of the player to move has five occupied neighbours
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest, popcount
from ludion.games.hive.board import (
    ANT,
    BEETLE,
    BUG_OF,
    CELLS,
    MIDDLE,
    MOSQUITO,
    NO_PIECE,
    ORIGIN,
    PASS,
    PILLBUG,
    QUEEN,
    SLIDES,
    SPIDER,
    cell_of,
    colour_at,
    colour_of,
    column_of,
    empty_neighbours,
    exists,
    first_of,
    has,
    height_of,
    is_placement,
    left_in_hand,
    neighbours,
    piece_of,
    pieces_of,
    queen_of,
    row_of,
    side_hand,
    source_of,
    step,
    target_of,
    top_of,
    tops_around,
    wrap,
)
from ludion.games.hive.movement import is_gate, is_pinned, possible_pins, thrower_cell
from ludion.games.hive.rules import Hive, HiveRules
from ludion.kinds.duel import HIGHEST, evaluate, forcing, move_order, moves

MOVABLE, BLOCKED, CLIMBED, IN_HAND, QUEEN_NEIGHBOURS = 0, 8, 16, 24, 32
COVERED, OWN_BESIDE, BLOCKED_BESIDE, ENEMY_BESIDE, ENEMY_ON_QUEEN, THROWER_BESIDE = range(39, 45)
PLACEMENT_BESIDE, CLIMBER_NEAR, DISTANCE, SLIDE_IN, TO_MOVE = range(45, 50)
ATTACKER, MOVABLE_SHARE, MOVABLE_AT_ENEMY, BLOCKED_AT_ENEMY, IN_DANGER = 50, 57, 58, 59, 60
WEIGHTS = 61

SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # bugs that need room to slide
FAR = 4  # steps from the enemy queen from which a climber is no threat


# By the numbers of pieces that the two players can move: the share of the first minus that of the second, in 32nds. A
# piece more counts much for a player who is nearly shut out, and little for one who has many.
SHARES = np.array(
    [[round(32 * (own - other) / (own + other + 2)) for other in range(14)] for own in range(14)]
)


class Mobility(NamedTuple):
    """The evaluation, with its weights."""

    weights: np.ndarray


#         Q   S   B   G   A   M   L   P
TUNED = np.array(
    [126, 6, 0, 26, 68, 6, 41, 83]  # MOVABLE
    + [45, -15, -38, 1, 20, -5, 41, 97]  # BLOCKED
    + [0, 0, 54, 0, 0, 10, 0, 0]  # CLIMBED
    + [0, -20, 6, 19, 13, -12, -12, 10]  # IN_HAND
    + [0, 8, -15, -49, -134, -305, -500]  # QUEEN_NEIGHBOURS
    + [5, -8, -24, -82, -51, 39, 74, 38, 0, -4, 61]  # COVERED ... TO_MOVE
    + [0, 2, 4, 12, 14, 1, 0]  # ATTACKER
    + [8, -11, 6, -56],  # MOVABLE_SHARE ... IN_DANGER
    np.int64,
)


def make(rules: HiveRules) -> Mobility:
    """The evaluation with the best weights known."""
    return Mobility(TUNED.copy())


# ------------------------------------------------------------------ the value of a position


@evaluate.register(Mobility)
def _(evaluation: Mobility, rules: HiveRules, position: Hive) -> int:
    weights, board, colour = evaluation.weights, position.board, colour_at(position.ply)
    pins = possible_pins(board, position.placed, position.holes)
    own, own_movable = player_points(weights, board, position.hand, position.placed, colour, pins)
    other, other_movable = player_points(weights, board, position.hand, position.placed, 1 - colour, pins)
    value = own - other + to_move_points(weights, board, colour)
    value += weights[MOVABLE_SHARE] * SHARES[own_movable, other_movable]
    return int(min(max(value, -HIGHEST), HIGHEST))


@kernel(count_references=False, inline=True)
def to_move_points(weights: Any, board: Any, colour: int) -> int:
    """What being the player to move is worth, with a queen in danger or not."""
    queen = cell_of(board, queen_of(colour))
    is_in_danger = exists(queen) and popcount(neighbours(board, queen)) == 5
    return weights[TO_MOVE] + weights[IN_DANGER] * is_in_danger  # type: ignore[no-any-return]


@kernel(count_references=False)
def player_points(
    weights: Any, board: Any, hand: int, placed: int, colour: int, pins: int
) -> tuple[int, int]:
    """The weighted sum for one player, and how many of the player's pieces can move, the queen apart."""
    side = side_hand(hand, colour)
    own_queen = cell_of(board, queen_of(colour))
    enemy_queen = cell_of(board, queen_of(1 - colour))
    total, attackers, movable = piece_points(
        weights, board, pieces_of(placed, colour), own_queen, enemy_queen, pins
    )
    total += hand_points(weights, side)
    if exists(own_queen):
        total += queen_points(weights, board, colour, own_queen, pins)
    if exists(enemy_queen):
        total += weights[ATTACKER + popcount(neighbours(board, enemy_queen))] * attackers
        if side and can_place_beside(board, colour, enemy_queen):
            total += weights[PLACEMENT_BESIDE]
    return total, movable


@kernel(count_references=False, inline=True)
def hand_points(weights: Any, side: int) -> int:
    """The pieces in a player's hand."""
    total = 0
    for bug in range(8):
        total += weights[IN_HAND + bug] * left_in_hand(side, bug)
    return total


@kernel(count_references=False, inline=True)
def piece_points(
    weights: Any, board: Any, pieces: int, own_queen: int, enemy_queen: int, pins: int
) -> tuple[int, int, int]:
    """The points of one player's pieces in play, how many of them can reach the enemy queen, and how many can move."""
    total, attackers, movable = 0, 0, 0
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        cell, bug = cell_of(board, piece), BUG_OF[piece]
        steps = distance(cell, enemy_queen) if exists(enemy_queen) else FAR
        if top_of(board, cell) != piece:
            total += weights[COVERED]
            continue
        total += weights[DISTANCE] * steps
        if height_of(board, cell) > 1:
            total += weights[CLIMBED + bug]
            attackers += steps > 1
            movable += 1
        elif is_pinned(board, piece, cell, pins) or (
            has(SLIDERS, bug) and SLIDES[neighbours(board, cell)] == 0
        ):
            total += weights[BLOCKED + bug]
            total += weights[BLOCKED_AT_ENEMY] * (steps == 1)
            if exists(own_queen) and beside(cell, own_queen):
                total += weights[BLOCKED_BESIDE]
        else:
            total += weights[MOVABLE + bug] + weights[MOVABLE_AT_ENEMY] * (steps == 1)
            attackers += steps > 1 and bug != QUEEN
            movable += bug != QUEEN
        if bug in (BEETLE, MOSQUITO) and steps < FAR:
            total += weights[CLIMBER_NEAR] * (FAR - steps)
    return total, attackers, movable


@kernel(count_references=False, inline=True)
def queen_points(weights: Any, board: Any, colour: int, queen: int, pins: int) -> int:
    """The danger to a player's queen on this cell, and its defence."""
    own, enemy = popcount(tops_around(board, queen, colour)), popcount(tops_around(board, queen, 1 - colour))
    total = weights[QUEEN_NEIGHBOURS + own + enemy]
    total += weights[OWN_BESIDE] * own + weights[ENEMY_BESIDE] * enemy
    if colour_of(top_of(board, queen)) != colour:
        total += weights[ENEMY_ON_QUEEN]
    if height_of(board, queen) == 1 and not is_pinned(board, queen_of(colour), queen, pins):
        for bug in (PILLBUG, MOSQUITO):
            thrower = thrower_cell(board, first_of(colour, bug), NO_PIECE)
            if exists(thrower) and can_throw(board, thrower, queen):
                total += weights[THROWER_BESIDE]
    free = empty_neighbours(board, queen)
    while free:
        total += weights[SLIDE_IN] * (SLIDES[neighbours(board, step(queen, lowest(free)))] != 0)
        free &= free - 1
    return total  # type: ignore[no-any-return]


@kernel(count_references=False, inline=True)
def can_throw(board: Any, thrower: int, home: int) -> bool:
    """Whether the piece alone on the cell `home` can be thrown: over the thrower, to a free cell beside it."""
    is_near, has_landing = False, False
    for direction in range(6):
        cell = step(thrower, direction)
        if not is_gate(board, thrower, direction, 1):
            is_near |= cell == home
            has_landing |= height_of(board, cell) == 0
    return is_near and has_landing


@kernel(count_references=False, inline=True)
def can_place_beside(board: Any, colour: int, enemy_queen: int) -> bool:
    """Whether a player may place a piece beside the enemy queen: on a cell that touches no enemy top."""
    free = empty_neighbours(board, enemy_queen)
    while free:
        if tops_around(board, step(enemy_queen, lowest(free)), 1 - colour) == 0:
            return True
        free &= free - 1
    return False


@kernel(python_entry=False, inline=True)
def beside(one: int, two: int) -> bool:
    """Whether two cells are neighbours."""
    gap = abs(wrap(one - two + CELLS // 2) - CELLS // 2)
    return gap == 1 or gap == 32 or gap == 33  # the steps to the six neighbours, without their signs


@kernel(python_entry=False, inline=True)
def distance(one: int, two: int) -> int:
    """The distance of two cells, in steps."""
    gap = wrap(one - two + ORIGIN)
    down, across = row_of(gap) - MIDDLE, column_of(gap) - MIDDLE
    if down * across > 0:
        return max(abs(down), abs(across))
    return abs(down) + abs(across)


# ------------------------------------------------------------------ what the search asks about moves


@forcing.register(Mobility)
def _(evaluation: Mobility, rules: HiveRules, position: Hive, buffer: Any) -> int:
    """The moves that win at once: onto the last free cell beside the enemy queen."""
    board, queen = position.board, queen_of(1 - colour_at(position.ply))
    goal = cell_of(board, queen)
    if not exists(goal) or popcount(neighbours(board, goal)) < 5:
        return 0
    last_cell = step(goal, lowest(empty_neighbours(board, goal)))
    count = 0
    for i in range(moves(rules, position, buffer)):
        move = buffer[i]
        source = source_of(move)
        opens_no_gap = is_placement(move) or height_of(board, source) > 1 or not beside(source, goal)
        if target_of(move) == last_cell and opens_no_gap and piece_of(move) != queen:
            buffer[count] = move
            count += 1
    return count


@move_order.register(Mobility)
def _(evaluation: Mobility, rules: HiveRules, position: Hive, move: int) -> int:
    """Moves to the enemy queen first, then moves away from the player's own queen; ants before spiders."""
    if move == PASS:
        return 0
    board, colour = position.board, colour_at(position.ply)
    piece, source, target = piece_of(move), source_of(move), target_of(move)
    own_queen, enemy_queen = cell_of(board, queen_of(colour)), cell_of(board, queen_of(1 - colour))
    placed = is_placement(move)
    rank = evaluation.weights[MOVABLE + BUG_OF[piece]]
    if exists(enemy_queen):
        if beside(target, enemy_queen):
            rank += 300
        elif target == enemy_queen:
            rank += 400
        leaves = not placed and (beside(source, enemy_queen) or source == enemy_queen)
        if leaves and colour_of(piece) == colour:
            rank -= 250
    if exists(own_queen):
        if beside(target, own_queen):
            rank -= 100
        if not placed and beside(source, own_queen):
            rank += 150
    return int(rank)
