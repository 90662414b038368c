"""The evaluation of Hive: who can still move, the queens' liberties, who can reach them, hands, the pillbug's rescue.

The value is a weighted sum for the player to move minus that for the other. All weights of a phase of the game are one
row, so that `tuning` can treat them as a vector; there is a row for each number of pieces in play, between those of the
opening and those of the end.

    MOVABLE + bug           a piece in play that can move
    BLOCKED + bug           one that cannot: it is pinned, has no room to slide or, a mosquito, nothing to copy
    CLIMBED + bug           a beetle or mosquito on top of other pieces
    IN_HAND + bug           a piece in hand
    QUEEN_NEIGHBOURS + n    the own queen has n occupied neighbours
    OWN_BESIDE              an own top beside the own queen
    BLOCKED_BESIDE          an own top beside the own queen that cannot move
    ENEMY_BESIDE            an enemy top beside the own queen
    ENEMY_ON_QUEEN          an enemy on top of the own queen
    RESCUE                  the own queen can be thrown by the own pillbug, or by a mosquito with its power
    SAFE_RESCUE             ... to a cell with at most three occupied neighbours
    PLACEMENT_BESIDE        a piece can be placed beside the enemy queen
    NO_PLACEMENT            there are pieces in hand, and no cell for them
    CLIMBER_NEAR            a beetle or mosquito, for each step that it is nearer to the enemy queen than 4
    DISTANCE                a top, for each step to the enemy queen
    SLIDE_IN                a free cell beside the own queen that can be slid into
    TO_MOVE                 being the player to move
    ATTACKER + n            a piece that can move and is not yet beside the enemy queen, which has n occupied neighbours
    REACHING + n            ... and by its way of moving may come beside it: a crawler needs a cell to slide into
    COVERED + bug           a piece below another
    MOBILE + n              so many pieces besides the queen can move (7: or more)
    MOSQUITO_AS + bug       a mosquito on the ground that can move and copies this bug
    SHARE                   the share of all pieces that can move which are the own, from -16 (none) to 16 (all)
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest, nonnegative, popcount
from ludion.games.hive.rules import (
    ANT,
    BEETLE,
    BLACK,
    BUG_OF,
    CELLS,
    GRASSHOPPER,
    LADYBUG,
    MIDDLE,
    MOSQUITO,
    NO_PIECE,
    ORIGIN,
    PASS,
    PIECES,
    PILLBUG,
    QUEEN,
    SLIDES,
    SPIDER,
    WHITE,
    Hive,
    HiveRules,
    cell_of,
    colour_at,
    colour_of,
    column_of,
    copied_bugs,
    empty_neighbours,
    exists,
    first_of,
    has,
    height_of,
    is_gate,
    is_pinned,
    is_placement,
    is_top,
    left_in_hand,
    neighbours,
    piece_of,
    pieces_of,
    possible_pins,
    queen_of,
    row_of,
    side_hand,
    source_of,
    step,
    target_of,
    thrower_cell,
    top_of,
    tops_around,
    wrap,
)
from ludion.kinds.duel import HIGHEST, evaluate, forcing, moves, promise

MOVABLE, BLOCKED, CLIMBED, IN_HAND, QUEEN_NEIGHBOURS = 0, 8, 16, 24, 32
OWN_BESIDE, BLOCKED_BESIDE, ENEMY_BESIDE, ENEMY_ON_QUEEN, RESCUE, SAFE_RESCUE = range(39, 45)
PLACEMENT_BESIDE, NO_PLACEMENT, CLIMBER_NEAR, DISTANCE, SLIDE_IN, TO_MOVE, SHARE = range(45, 52)
ATTACKER, REACHING, COVERED, MOBILE, MOSQUITO_AS = 52, 59, 66, 74, 82
WEIGHTS = 90

#                  Q   S  B  G   A   M   L   P
ORDER = np.array([91, 7, 3, 32, 54, 6, 41, 83])  # which bug's moves are tried first, other things being equal
SLIDERS = 1 << QUEEN | 1 << SPIDER | 1 << ANT | 1 << PILLBUG  # bugs that need room to slide
FAR = 4  # steps from the enemy queen from which a climber is no threat
MOST_MOBILE = 7  # more pieces that can move make no difference
SAFE = 3  # occupied neighbours of a cell to which a queen is thrown in safety
SHARES = np.array(
    [[round(16 * (own - other) / (own + other + 1)) for other in range(16)] for own in range(16)]
)


class Mobility(NamedTuple):
    """The evaluation, with its weights: a row for each number of pieces in play, or fewer; the last serves the rest."""

    weights: np.ndarray


BASE, EXPANDED = "base", "expanded"  # families of games that have weights of their own
PHASES = 2  # opening and end
WEIGHTS_FILE = Path(__file__).with_name(
    "weights.json"
)  # written by `tuning`: by family, a row for each phase


def family(rules: HiveRules) -> str:
    """The family of a game."""
    return BASE if rules.bugs >> MOSQUITO == 0 else EXPANDED


def phase(rules: HiveRules, placed: int) -> float:
    """How far a game is, from 0 to 1, when so many pieces are in play."""
    total = sum(
        left_in_hand(side_hand(rules.hand, colour), bug) for colour in (WHITE, BLACK) for bug in range(8)
    )
    return min(1.0, placed / total)


def read_weights(file: Path = WEIGHTS_FILE) -> dict[str, np.ndarray]:
    """The weights by family: one row for each phase."""
    return {
        name: np.array(rows, np.int64) for name, rows in json.loads(file.read_text(encoding="utf-8")).items()
    }


def from_phases(rules: HiveRules, weights: np.ndarray) -> Mobility:
    """The evaluation with weights between those of the two phases, for each number of pieces in play."""
    late = np.array([phase(rules, placed) for placed in range(PIECES + 1)]).reshape(-1, 1)
    return Mobility((weights[0] * (1 - late) + weights[1] * late).round().astype(np.int64))


@functools.cache
def _tuned(rules: HiveRules) -> Mobility:
    return from_phases(rules, read_weights()[family(rules)])


def make(rules: HiveRules) -> Mobility:
    """The evaluation with the best weights known."""
    return Mobility(_tuned(rules).weights.copy())


# ------------------------------------------------------------------ the value of a position


@evaluate.register(Mobility)
def _(evaluation: Mobility, rules: HiveRules, position: Hive) -> int:
    board, hand, placed, colour = position.board, position.hand, position.placed, colour_at(position.ply)
    weights = evaluation.weights[nonnegative(row_for(evaluation, position))]
    pins = possible_pins(board, placed, position.holes)
    own, own_mobile = player_points(weights, board, hand, placed, colour, pins)
    other, other_mobile = player_points(weights, board, hand, placed, 1 - colour, pins)
    share = SHARES[nonnegative(own_mobile), nonnegative(other_mobile)]
    value = own - other + weights[TO_MOVE] + weights[SHARE] * share
    return int(min(max(value, -HIGHEST), HIGHEST))


@kernel(python_entry=False, inline=True)
def row_for(evaluation: Mobility, position: Hive) -> int:
    """The row of the weights for the pieces in play in a position."""
    return min(popcount(position.placed), len(evaluation.weights) - 1)


@kernel(count_references=False)
def player_points(
    weights: Any, board: Any, hand: int, placed: int, colour: int, pins: int
) -> tuple[int, int]:
    """The weighted sum for one player, and how many pieces besides the queen can move."""
    side = side_hand(hand, colour)
    own_queen = cell_of(board, queen_of(colour))
    enemy_queen = cell_of(board, queen_of(1 - colour))
    pieces = pieces_of(placed, colour)
    total, mobile, attackers, reaching = piece_points(weights, board, pieces, own_queen, enemy_queen, pins)
    total += hand_points(weights, side) + weights[MOBILE + min(mobile, MOST_MOBILE)]
    if exists(own_queen):
        total += queen_points(weights, board, colour, own_queen, pins)
    if exists(enemy_queen):
        around = popcount(neighbours(board, enemy_queen))
        total += weights[ATTACKER + around] * attackers + weights[REACHING + around] * reaching
    total += placement_points(weights, board, side, pieces, colour, enemy_queen)
    return total, mobile


@kernel(count_references=False, inline=True)
def hand_points(weights: Any, side: int) -> int:
    """The pieces that a player has still to place."""
    total = 0
    for bug in range(8):
        total += weights[IN_HAND + bug] * left_in_hand(side, bug)
    return total


@kernel(count_references=False, inline=True)
def placement_points(weights: Any, board: Any, side: int, pieces: int, colour: int, enemy_queen: int) -> int:
    """Where a player can place the pieces in hand: beside the enemy queen, or nowhere."""
    if side == 0:
        return 0
    if exists(enemy_queen) and can_place_beside(board, colour, enemy_queen):
        return weights[PLACEMENT_BESIDE]  # type: ignore[no-any-return]
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        if is_top(board, piece) and can_place_beside(board, colour, cell_of(board, piece)):
            return 0
    return weights[NO_PLACEMENT]  # type: ignore[no-any-return]


@kernel(count_references=False, inline=True)
def piece_points(
    weights: Any, board: Any, pieces: int, own_queen: int, enemy_queen: int, pins: int
) -> tuple[int, int, int, int]:
    """The pieces of one player in play: their points; how many can move, come nearer to the enemy queen, reach it."""
    total, mobile, attackers, reaching = 0, 0, 0, 0
    open_to_crawlers = exists(enemy_queen) and slide_in_cells(board, enemy_queen) > 0
    while pieces:
        piece = lowest(pieces)
        pieces &= pieces - 1
        cell, bug = cell_of(board, piece), BUG_OF[piece]
        steps = distance(cell, enemy_queen) if exists(enemy_queen) else FAR
        if top_of(board, cell) != piece:
            total += weights[COVERED + bug]
            continue
        total += weights[DISTANCE] * steps
        if bug in (BEETLE, MOSQUITO) and steps < FAR:
            total += weights[CLIMBER_NEAR] * (FAR - steps)
        if height_of(board, cell) > 1:
            total += weights[CLIMBED + bug]
            mobile += 1
            attackers += steps > 1
            reaching += steps > 1 and steps < FAR
            continue
        ways = ways_to_move(board, bug, cell)
        if ways == 0 or is_pinned(board, piece, cell, pins):
            total += weights[BLOCKED + bug]
            if exists(own_queen) and beside(cell, own_queen):
                total += weights[BLOCKED_BESIDE]
            continue
        total += weights[MOVABLE + bug]
        if bug == MOSQUITO:
            total += mosquito_points(weights, ways)
        if bug != QUEEN:
            mobile += 1
            if steps > 1:
                attackers += 1
                reaching += reaches(ways, steps, open_to_crawlers)
    return total, mobile, attackers, reaching


@kernel(count_references=False, inline=True)
def ways_to_move(board: Any, bug: int, cell: int) -> int:
    """The bugs in whose ways a piece on the ground of this cell can move, if it is not pinned: a set."""
    ways = copied_bugs(board, cell) if bug == MOSQUITO else 1 << bug
    if SLIDES[neighbours(board, cell)] == 0:
        ways &= ~SLIDERS
    return ways


@kernel(count_references=False, inline=True)
def mosquito_points(weights: Any, ways: int) -> int:
    """A mosquito by what it can copy."""
    total = 0
    while ways:
        total += weights[MOSQUITO_AS + lowest(ways)]
        ways &= ways - 1
    return total


@kernel(count_references=False, inline=True)
def reaches(ways: int, steps: int, open_to_crawlers: bool) -> bool:
    """Whether a piece so far from the enemy queen may come beside it in a move or two, by these ways."""
    if has(ways, ANT) and open_to_crawlers:
        return True
    if has(ways, GRASSHOPPER):
        return True
    near = has(ways, BEETLE) or (has(ways, SPIDER) and open_to_crawlers)
    return (near and steps < FAR) or (has(ways, LADYBUG) and steps <= FAR)


@kernel(count_references=False, inline=True)
def slide_in_cells(board: Any, queen: int) -> int:
    """How many free cells beside a queen can be slid into."""
    count, free = 0, empty_neighbours(board, queen)
    while free:
        count += SLIDES[neighbours(board, step(queen, lowest(free)))] != 0
        free &= free - 1
    return count


@kernel(count_references=False, inline=True)
def queen_points(weights: Any, board: Any, colour: int, queen: int, pins: int) -> int:
    """The danger to a player's queen on this cell, and its defence."""
    own, enemy = popcount(tops_around(board, queen, colour)), popcount(tops_around(board, queen, 1 - colour))
    total = weights[QUEEN_NEIGHBOURS + own + enemy]
    total += weights[OWN_BESIDE] * own + weights[ENEMY_BESIDE] * enemy
    total += weights[SLIDE_IN] * slide_in_cells(board, queen)
    if colour_of(top_of(board, queen)) != colour:
        total += weights[ENEMY_ON_QUEEN]
    if height_of(board, queen) == 1 and not is_pinned(board, queen_of(colour), queen, pins):
        safest = 6  # occupied neighbours of the cell to which the queen can be thrown
        for bug in (PILLBUG, MOSQUITO):
            thrower = thrower_cell(board, first_of(colour, bug), NO_PIECE)
            if exists(thrower) and beside(thrower, queen):
                safest = min(safest, safest_throw(board, thrower, queen))
        if safest < 6:
            total += weights[RESCUE] + weights[SAFE_RESCUE] * (safest <= SAFE)
    return total  # type: ignore[no-any-return]


@kernel(count_references=False, inline=True)
def safest_throw(board: Any, thrower: int, home: int) -> int:
    """The fewest occupied neighbours of a cell to which the piece at home can be thrown; 6 if there is none."""
    fewest = 6
    for toward in range(6):
        if step(thrower, toward) == home and not is_gate(board, thrower, toward, 1):
            free = empty_neighbours(board, thrower)
            while free:
                direction = lowest(free)
                free &= free - 1
                if not is_gate(board, thrower, direction, 1):
                    cell = step(thrower, direction)
                    left = popcount(neighbours(board, cell)) - beside(cell, home)
                    fewest = min(fewest, left)
    return fewest


@kernel(count_references=False, inline=True)
def can_place_beside(board: Any, colour: int, cell: int) -> bool:
    """Whether a player may place a piece beside this cell, as far as enemy tops are concerned: where none is near."""
    free = empty_neighbours(board, cell)
    while free:
        if tops_around(board, step(cell, lowest(free)), 1 - colour) == 0:
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
    """How many steps two cells are apart."""
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


@promise.register(Mobility)
def _(evaluation: Mobility, rules: HiveRules, position: Hive, move: int) -> int:
    """Moves to the enemy queen first, then moves away from the own one; ants before spiders."""
    if move == PASS:
        return 0
    board, colour = position.board, colour_at(position.ply)
    piece, source, target = piece_of(move), source_of(move), target_of(move)
    own_queen, enemy_queen = cell_of(board, queen_of(colour)), cell_of(board, queen_of(1 - colour))
    placed = is_placement(move)
    rank = int(ORDER[BUG_OF[piece]])
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
