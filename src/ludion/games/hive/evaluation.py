"""What a position of Hive is worth: mobility, pins, queens' liberties, hands, beetles, pillbug defence.

All weights are in one array, so that a tuner can turn them like any vector. Each is for one player; the value
is the sum for the player to move minus the sum for the other.

    FREE + bug      a piece in play that can move
    TIED + bug      one that cannot: it holds the hive together, or has no room
    HIGH + bug      a beetle or mosquito on top of others
    HAND + bug      a piece in hand
    DANGER + n      an own queen with n occupied neighbours
    COVERED         a piece below another
    FRIEND          an own top beside the own queen
    TIED_FRIEND     one that cannot leave
    ENEMY           an enemy top beside the own queen
    CROWN           an enemy on top of the own queen
    RESCUE          a pillbug, or a mosquito with its power, that can throw the own queen
    SPAWN           an own piece can be placed beside the other's queen
    NEAR            a beetle or mosquito, for each step that it is nearer to the other's queen than 4
    FAR             a top, for each step to the other's queen
    WAY_IN          a free cell beside the own queen that can be slid into
    STORM + n       a piece that can move, not yet beside the other's queen, which has n occupied neighbours
    TEMPO           being to move
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest, popcount
from ludion.games.hive.rules import (
    ALL,
    ANT,
    AROUND,
    BEETLE,
    BUG_OF,
    FIRST,
    HEIGHT,
    MOSQUITO,
    PASS,
    PILLBUG,
    QUEEN,
    SIDE,
    SLIDES,
    SPIDER,
    TOP,
    WHERE,
    Hive,
    HiveGame,
    is_tied,
    ring,
    step,
    thrower,
    ties,
)
from ludion.kinds.duel import HIGHEST, evaluate, forcing, moves, promise

FREE, TIED, HIGH, HAND, DANGER = 0, 8, 16, 24, 32
COVERED, FRIEND, TIED_FRIEND, ENEMY, CROWN, RESCUE, SPAWN, NEAR, FAR, WAY_IN, TEMPO = range(39, 50)
STORM = 50
WEIGHTS = 57

CRAWLERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # bugs that need room to slide


class Weights(NamedTuple):
    """An evaluation: its weights."""

    table: np.ndarray


#         Q   S   B   G   A   M   L   P
TUNED = np.array(
    [91, 7, 3, 32, 54, 6, 41, 83]  # FREE
    + [61, -5, -16, 22, 31, -5, 41, 97]  # TIED
    + [0, 0, 32, 0, 0, 10, 0, 0]  # HIGH
    + [0, -14, -6, 10, 13, -12, -12, 10]  # HAND
    + [0, -6, -22, -42, -105, -286, -500]  # DANGER
    + [24, -12, -20, -53, -22, 39, 79, 28, -2, -7, 31]  # COVERED ... TEMPO
    + [0, 13, 10, 8, 3, -14, 0],  # STORM
    np.int64,
)


def make(rules: HiveGame) -> Weights:
    """The evaluation with the best weights known."""
    return Weights(TUNED.copy())


@evaluate.register(Weights)
def _(evaluation: Weights, rules: HiveGame, position: Hive) -> int:
    own = SIDE * (position.ply & 1)
    weights, board, hand, placed = evaluation.table, position.board, position.hand, position.placed
    tied = ties(board, placed, position.holes)
    value = points(weights, board, hand, placed, own, tied) + weights[TEMPO]
    value -= points(weights, board, hand, placed, SIDE - own, tied)
    return int(min(max(value, -HIGHEST), HIGHEST))


@kernel
def points(weights: Any, board: Any, hand: int, placed: int, own: int, tied: int) -> int:
    """The weighted sum for the player whose first piece is `own`."""
    total = 0
    hand = (hand >> 24 if own else hand) & 0xFFFFFF
    rest, bug = hand, 0
    while rest:
        total += weights[HAND + bug] * (rest & 7)
        rest >>= 3
        bug += 1
    home, goal = board[WHERE + own], board[WHERE + SIDE - own]
    movable = 0
    rest = placed >> own & ALL
    while rest:
        piece = own + lowest(rest)
        rest &= rest - 1
        cell = board[WHERE + piece]
        bug = BUG_OF[piece]
        far = distance(cell, goal) if goal >= 0 else 4
        if board[TOP + cell] != piece + 1:
            total += weights[COVERED]
            continue
        total += weights[FAR] * far
        if board[HEIGHT + cell] > 1:
            total += weights[HIGH + bug]
            movable += far > 1
        elif is_tied(board, piece, cell, tied) or (CRAWLERS >> bug & 1 and SLIDES[ring(board, cell)] == 0):
            total += weights[TIED + bug]
            if home >= 0 and beside(cell, home):
                total += weights[TIED_FRIEND]
        else:
            total += weights[FREE + bug]
            movable += far > 1 and bug != QUEEN
        if bug in (BEETLE, MOSQUITO) and far < 4:
            total += weights[NEAR] * (4 - far)
    if home >= 0:
        around = board[AROUND + home]
        white, black = popcount(around & 63), popcount(around >> 6)
        total += weights[DANGER + white + black]
        total += weights[FRIEND] * (black if own else white) + weights[ENEMY] * (white if own else black)
        if (board[TOP + home] > SIDE) != (own == SIDE):
            total += weights[CROWN]
        for bug in (PILLBUG, MOSQUITO):
            cell = board[WHERE + own + FIRST[bug]]
            if cell >= 0 and beside(cell, home) and thrower(board, own + FIRST[bug], -1) >= 0:
                total += weights[RESCUE]
        free = ~around & ~around >> 6 & 63
        while free:
            total += weights[WAY_IN] * (SLIDES[ring(board, step(home, lowest(free)))] != 0)
            free &= free - 1
    if goal >= 0:
        total += weights[STORM + popcount(ring(board, goal))] * movable
        free = ~ring(board, goal) & 63 if hand else 0
        enemy = 63 if own else 63 << 6
        while free:
            if board[AROUND + step(goal, lowest(free))] & enemy == 0:
                total += weights[SPAWN]
                break
            free &= free - 1
    return total


@kernel
def beside(one: int, two: int) -> bool:
    """Whether two cells are neighbours."""
    gap = one - two & 1023
    return gap == 1 or gap == 33 or gap == 32 or gap == 1023 or gap == 991 or gap == 992


@kernel
def distance(one: int, two: int) -> int:
    """How many steps two cells are apart."""
    gap = one - two + 528 & 1023
    down, across = (gap >> 5) - 16, (gap & 31) - 16
    if down * across > 0:
        return max(abs(down), abs(across))
    return abs(down) + abs(across)


@forcing.register(Weights)
def _(evaluation: Weights, rules: HiveGame, position: Hive, buffer: Any) -> int:
    """The moves that win at once: onto the last free cell beside the other's queen."""
    board, queen = position.board, SIDE - SIDE * (position.ply & 1)
    goal = board[WHERE + queen]
    if goal < 0 or popcount(ring(board, goal)) < 5:
        return 0
    last = step(goal, lowest(~ring(board, goal) & 63))
    count = 0
    for i in range(moves(rules, position, buffer)):
        move = buffer[i]
        piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
        # Whether it leaves no new gap.
        stays = origin == target or board[HEIGHT + origin] > 1 or not beside(origin, goal)
        if target == last and stays and piece != queen:
            buffer[count] = move
            count += 1
    return count


@promise.register(Weights)
def _(evaluation: Weights, rules: HiveGame, position: Hive, move: int) -> int:
    """Moves at the other's queen first, then away from the own one; ants before spiders."""
    if move == PASS:
        return 0
    board, own = position.board, SIDE * (position.ply & 1)
    piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
    home, goal = board[WHERE + own], board[WHERE + SIDE - own]
    rank = evaluation.table[FREE + BUG_OF[piece]]
    placed = origin == target
    if goal >= 0:
        if beside(target, goal):
            rank += 300
        elif target == goal:
            rank += 400
        if not placed and (beside(origin, goal) or origin == goal):
            rank -= 250 if piece >= own and piece < own + SIDE else 0
    if home >= 0:
        if beside(target, home):
            rank -= 100
        if not placed and beside(origin, home):
            rank += 150
    return int(rank)
