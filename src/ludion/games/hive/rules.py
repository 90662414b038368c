"""The rules of Hive: the base game, and the Mosquito, the Ladybug and the Pillbug in every combination.

A position is a few ints and one array, the board, that `play` changes in place and `undo` restores. Cells,
pieces, hands, moves and the board are packed into bits; each layout is drawn below, above its constants and
accessors, and no code outside these sections depends on the position of a bit.

For each cell the board stores which neighbours are occupied. One look-up by these six bits gives the slides of a
bug (`SLIDES`): exactly one of the two cells beside the step must be occupied. With none the piece loses contact
with the hive; with both it does not fit through.

A piece whose neighbours form several arcs may hold the hive together. `Hive.holes` counts the empty regions
that the hive encloses (by Euler's formula a new piece adds the number of arcs around it, minus one). Without
holes every such piece holds the hive together; otherwise one walk around the hive and its holes finds those
that do.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import highest, lowest, mix, popcount
from ludion.kinds.duel import (
    DRAWN,
    LOST,
    OPEN,
    WON,
    copy,
    how_many,
    key,
    most_moves,
    moves,
    play,
    undo,
    verdict,
)

# ------------------------------------------------------------------ sets


@kernel(python_entry=False, inline=True)
def has(members: int, member: int) -> bool:
    """Whether a set (of pieces, bugs or directions: one bit for each) has this member."""
    return members >> member & 1 == 1


# ------------------------------------------------------------------ no cell, no piece

NO_CELL = NO_PIECE = -1


@kernel(python_entry=False, inline=True)
def exists(number: int) -> bool:
    """Whether this is a cell or a piece, not NO_CELL or NO_PIECE.

    It looks at the sign: then the compiler knows that the number, as an index, does not count from the end of the
    array. A comparison with -1 makes perft 4 % slower.
    """
    return number >= 0


# ------------------------------------------------------------------ cells and directions
#
#   cell     | row       | column    |     A torus of 32 x 32 hexagons: steps are modulo 1024, there is no edge.
#            | bits 9-5  | bits 4-0  |     A hive of 28 pieces is too short for its ends to meet.
#
#           -33   -32                  NW   NE                  4    5
#        -1     0     +1             W    .    E             3    .    0
#           +32   +33                  SW   SE                  2    1
#
#        step to a neighbour          direction           its number, and its bit in a set of directions

COLUMN_BITS = 5
CELL_BITS = 10
CELLS = 1 << CELL_BITS
CELL_MASK = CELLS - 1
COLUMN_MASK = (1 << COLUMN_BITS) - 1
MIDDLE = 16  # row and column
ORIGIN = MIDDLE << COLUMN_BITS | MIDDLE  # the cell of the first piece

STEPS = np.array([1, 33, 32, -1, -33, -32])  # by direction, clockwise from east
ALL_DIRECTIONS = 0b111111


@kernel(python_entry=False, inline=True)
def wrap(cell: int) -> int:
    """The cell with this number modulo 1024."""
    return cell & CELL_MASK


@kernel(python_entry=False, inline=True)
def row_of(cell: int) -> int:
    return cell >> COLUMN_BITS


@kernel(python_entry=False, inline=True)
def column_of(cell: int) -> int:
    return cell & COLUMN_MASK


@kernel(python_entry=False, inline=True)
def step(cell: int, direction: int) -> int:
    """The neighbour in a direction."""
    return wrap(cell + int(STEPS[direction]))


@kernel(python_entry=False, inline=True)
def clockwise(direction: int) -> int:
    """The next direction clockwise."""
    return direction + 1 if direction < 5 else 0


@kernel(python_entry=False, inline=True)
def anticlockwise(direction: int) -> int:
    """The next direction anticlockwise."""
    return direction - 1 if direction else 5


@kernel(python_entry=False, inline=True)
def opposite(direction: int) -> int:
    """The direction back."""
    return (direction + 3) % 6


@kernel(python_entry=False, inline=True)
def turned(directions: int) -> int:
    """A set of directions turned clockwise by one (bits above the sixth do not count)."""
    return directions << 1 | directions >> 5


@kernel(python_entry=False, inline=True)
def arc_starts(directions: int) -> int:
    """The directions of a set whose anticlockwise neighbour is not in it: one for each arc, none of a full ring."""
    return directions & ~turned(directions)


def _slides(occupied: int) -> int:
    """The free directions with exactly one occupied neighbour beside them."""
    turned_back = occupied >> 1 | occupied << 5
    return ~occupied & (turned(occupied) ^ turned_back) & ALL_DIRECTIONS


def _next_on_walk(occupied: int, came_by: int) -> int:
    """After a step in direction `came_by`: the first occupied direction clockwise after the cell it came from."""
    return next((d % 6 for d in range(came_by + 4, came_by + 10) if has(occupied, d % 6)), 0)


# By the set of occupied neighbours.
SLIDES = np.array([_slides(occupied) for occupied in range(64)])  # the directions of a slide
ARCS = np.array([arc_starts(occupied).bit_count() for occupied in range(64)])  # how many arcs they form
NEXT_ON_WALK = np.array([[_next_on_walk(occupied, way) for way in range(6)] for occupied in range(64)])


# ------------------------------------------------------------------ pieces
#
#   piece        Q  S1 S2  B1 B2  G1 G2 G3  A1 A2 A3  M  L  P
#        white   0  1  2   3  4   5  6  7   8  9  10  11 12 13
#        black   14 15 16  17 18  19 20 21  22 23 24  25 26 27
#
#   A player's pieces of one bug are placed in the order of their numbers.

WHITE, BLACK = 0, 1
QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
BUGS = "QSBGAMLP"
COUNT_OF = np.array([1, 2, 2, 3, 3, 1, 1, 1])  # how many pieces of each bug a player has
FIRST_OF = np.array([0, 1, 3, 5, 8, 11, 12, 13])  # the first piece of each bug, for white
BUG_OF = np.array([bug for bug in range(8) for _ in range(int(COUNT_OF[bug]))] * 2)  # by piece
SIDE = 14  # pieces of a player
PIECES = 2 * SIDE
SIDE_MASK = (1 << SIDE) - 1
ALL_PIECES = -1  # as a set


@kernel(python_entry=False, inline=True)
def colour_at(ply: int) -> int:
    """The player to move at this ply."""
    return ply & 1


@kernel(python_entry=False, inline=True)
def colour_of(piece: int) -> int:
    return BLACK if piece >= SIDE else WHITE


@kernel(python_entry=False, inline=True)
def queen_of(colour: int) -> int:
    """A player's queen."""
    return SIDE * colour


@kernel(python_entry=False, inline=True)
def first_of(colour: int, bug: int) -> int:
    """A player's first piece of a bug."""
    return SIDE * colour + int(FIRST_OF[bug])


@kernel(python_entry=False, inline=True)
def pieces_of(pieces: int, colour: int) -> int:
    """Those pieces of a set that are a player's."""
    return pieces & SIDE_MASK << SIDE * colour


# ------------------------------------------------------------------ hands
#
#   hand      | black's hand | white's hand |          How many pieces of each bug are still to be placed.
#             | bits 47-24   | bits 23-0    |
#
#   one side  |   P   |   L   |   M   |   A   |   G   |   B   |   S   |   Q   |
#             | 23-21 | 20-18 | 17-15 | 14-12 | 11-9  |  8-6  |  5-3  |  2-0  |

BUG_BITS = 3
BUG_MASK = 7
SIDE_HAND_BITS = 24
SIDE_HAND_MASK = (1 << SIDE_HAND_BITS) - 1
LOWEST_BITS = 0o11111111  # the lowest bit of each bug


@kernel(python_entry=False, inline=True)
def side_hand(hand: int, colour: int) -> int:
    """One player's hand."""
    return hand >> SIDE_HAND_BITS * colour & SIDE_HAND_MASK


@kernel(python_entry=False, inline=True)
def left_in_hand(side: int, bug: int) -> int:
    """The number of pieces of a bug in a player's hand."""
    return side >> BUG_BITS * bug & BUG_MASK


@kernel(python_entry=False, inline=True)
def bugs_in_hand(side: int) -> int:
    """The number of different bugs in a player's hand."""
    return popcount((side | side >> 1 | side >> 2) & LOWEST_BITS)


@kernel(python_entry=False, inline=True)
def last_in_hand(side: int) -> int:
    """The last bug (in the order of their numbers) of a player's hand that is not empty."""
    return highest(side) // BUG_BITS


@kernel(python_entry=False, inline=True)
def one_in_hand(piece: int) -> int:
    """The hand that holds this piece alone."""
    return 1 << BUG_BITS * int(BUG_OF[piece]) + SIDE_HAND_BITS * colour_of(piece)


@kernel(python_entry=False, inline=True)
def next_to_place(colour: int, bug: int, left: int) -> int:
    """The piece of a bug that is placed next when this many of them are in hand."""
    return first_of(colour, bug) + int(COUNT_OF[bug]) - left


# ------------------------------------------------------------------ moves
#
#   move      | piece      | source     | target     |     source and target are cells;
#             | bits 24-20 | bits 19-10 | bits 9-0   |     a placement has its target as source, too
#
#   PASS is bit 25 alone.

PIECE_SHIFT = 2 * CELL_BITS
PASS = 1 << PIECE_SHIFT + 5


@kernel(python_entry=False, inline=True)
def make_move(piece: int, source: int, target: int) -> int:
    return piece << PIECE_SHIFT | source << CELL_BITS | target


@kernel(python_entry=False, inline=True)
def make_placement(piece: int, cell: int) -> int:
    return make_move(piece, cell, cell)


@kernel(python_entry=False, inline=True)
def piece_of(move: int) -> int:
    return move >> PIECE_SHIFT


@kernel(python_entry=False, inline=True)
def source_of(move: int) -> int:
    return move >> CELL_BITS & CELL_MASK


@kernel(python_entry=False, inline=True)
def target_of(move: int) -> int:
    return move & CELL_MASK


@kernel(python_entry=False, inline=True)
def is_placement(move: int) -> bool:
    return source_of(move) == target_of(move) and move != PASS


# ------------------------------------------------------------------ the board
#
#   TOP + cell           the piece on top of the cell plus 1, or 0 where it is empty
#   HEIGHT + cell        how many pieces are stacked there
#   AROUND + cell        its occupied neighbours, two sets of directions: bits 0-5 white tops, bits 6-11 black tops
#   MARK + cell          scratch, 0 between two calls
#   WHERE + piece        the cell of the piece, or NO_CELL in hand
#   UNDER + piece        the piece below it, or NO_PIECE
#   HISTORY + 2 * ply    the move made at that ply, and the hash of the position it was made in

TOP, HEIGHT, AROUND, MARK, WHERE = (CELLS * row for row in range(5))
UNDER = WHERE + PIECES
HISTORY = UNDER + PIECES
HISTORY_ROOM = 512  # a board has room for the history of this many plies, or of a multiple of it
BLACK_AROUND = 6  # where the bits of black tops begin


@kernel(python_entry=False, inline=True)
def top_of(board: Any, cell: int) -> int:
    """The piece on top of a cell, or NO_PIECE."""
    return int(board[TOP + cell]) - 1


@kernel(python_entry=False, inline=True)
def height_of(board: Any, cell: int) -> int:
    """How many pieces are stacked on a cell."""
    return int(board[HEIGHT + cell])


@kernel(python_entry=False, inline=True)
def cell_of(board: Any, piece: int) -> int:
    """The cell of a piece, or NO_CELL if it is in hand."""
    return int(board[WHERE + piece])


@kernel(python_entry=False, inline=True)
def piece_under(board: Any, piece: int) -> int:
    """The piece below another in its stack, or NO_PIECE."""
    return int(board[UNDER + piece])


@kernel(python_entry=False, inline=True)
def tops_around(board: Any, cell: int, colour: int) -> int:
    """The neighbours of a cell whose top is of this colour: a set of directions."""
    return int(board[AROUND + cell]) >> BLACK_AROUND * colour & ALL_DIRECTIONS


@kernel(python_entry=False, inline=True)
def neighbours(board: Any, cell: int) -> int:
    """The occupied neighbours of a cell: a set of directions."""
    around = int(board[AROUND + cell])
    return (around | around >> BLACK_AROUND) & ALL_DIRECTIONS


@kernel(python_entry=False, inline=True)
def empty_neighbours(board: Any, cell: int) -> int:
    """The empty neighbours of a cell: a set of directions."""
    return ~neighbours(board, cell) & ALL_DIRECTIONS


@kernel(count_references=False, inline=True)
def is_top(board: Any, piece: int) -> bool:
    """Whether the piece is in play and nothing is on it."""
    cell = cell_of(board, piece)
    return exists(cell) and top_of(board, cell) == piece


@kernel(python_entry=False, inline=True)
def history_index(ply: int) -> int:
    """Where the board has the move made at this ply."""
    return HISTORY + 2 * ply


@kernel(python_entry=False, inline=True)
def move_at(board: Any, ply: int) -> int:
    """The move made at a ply."""
    return int(board[history_index(ply)])


@kernel(python_entry=False, inline=True)
def has_room(board: Any, ply: int) -> bool:
    """Whether the board can hold the move made at a ply."""
    return history_index(ply) < board.size  # type: ignore[no-any-return]


# ------------------------------------------------------------------ rules and positions


class HiveRules(NamedTuple):
    """The rules of one game: which bugs take part, and the options."""

    bugs: int  # a set of bugs
    queen_first: int  # 1 if the queen may be a player's first piece
    repetition: int  # the game is drawn when a position occurs this many times; 0: never
    hand: int  # both players' pieces at the start, as in `Hive.hand`


class Hive(NamedTuple):
    """A position."""

    board: np.ndarray
    ply: int  # moves played; white moves at the even ones
    hand: int  # how many pieces of each bug are still to be placed
    placed: int  # the pieces in play: a set
    stunned: int  # the piece moved on the previous ply, or NO_PIECE
    holes: int  # empty regions that the hive encloses
    since_placement: int  # plies since a piece was placed
    hash: int


def hive_rules(expansions: str = "", queen_first: bool = False, repetition: int = 3) -> HiveRules:
    """The rules with these expansions (letters of M, L and P)."""
    bugs = 0b11111 | sum(1 << BUGS.index(letter) for letter in set(expansions))
    hand = sum(one_in_hand(piece) for piece in range(PIECES) if has(bugs, BUG_OF[piece]))
    return HiveRules(bugs, int(queen_first), repetition, int(hand))


@kernel(python_entry=False, inline=True)
def board_size(ply: int) -> int:
    """The size of a new board at this ply: with room for at least half of `HISTORY_ROOM` plies to come."""
    return history_index(HISTORY_ROOM * ((ply + HISTORY_ROOM // 2) // HISTORY_ROOM + 1))


def empty_hive(rules: HiveRules, plies: int = 0) -> Hive:
    """The position before the first move, with room for the history of this many plies."""
    board = np.zeros(board_size(plies), np.int64)
    board[WHERE:UNDER] = NO_CELL
    board[UNDER:HISTORY] = NO_PIECE
    return Hive(board, 0, rules.hand, 0, NO_PIECE, 0, 0, 0)


# ------------------------------------------------------------------ what holds a piece


@kernel(count_references=False, inline=True)
def is_surrounded(board: Any, queen: int) -> bool:
    """Whether this queen has six occupied neighbours."""
    cell = cell_of(board, queen)
    return exists(cell) and neighbours(board, cell) == ALL_DIRECTIONS


@kernel(count_references=False)
def is_gate(board: Any, cell: int, direction: int, height: int) -> bool:
    """Whether the stacks on both sides of a step are higher than this: no bug fits through between them."""
    left, right = step(cell, anticlockwise(direction)), step(cell, clockwise(direction))
    return height_of(board, left) > height and height_of(board, right) > height


@kernel(count_references=False)
def possible_pins(board: Any, placed: int, holes: int) -> int:
    """The pieces that hold the hive together if their neighbours form several arcs: a set."""
    return articulation_points(board, placed) if holes else ALL_PIECES


@kernel(count_references=False)
def is_pinned(board: Any, piece: int, cell: int, pins: int) -> bool:
    """Whether lifting this piece, alone on its cell, would break the hive; `pins` comes from `possible_pins`."""
    return ARCS[neighbours(board, cell)] > 1 and has(pins, piece)


@kernel(count_references=False)
def articulation_points(board: Any, placed: int) -> int:
    """The tops of the cells without which the hive is not connected: a set of pieces.

    One walk around each empty region, along the pieces beside it: a piece that it passes twice is one. A walk
    goes from a piece to its first neighbour clockwise after the gap that faces the region.
    """
    points, rest = 0, placed
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        if not is_top(board, piece):
            continue
        start = cell_of(board, piece)
        near = neighbours(board, start)
        if ARCS[near] < 2:
            continue
        while True:
            # The gaps of this piece that no walk has passed yet, each by the direction clockwise after it.
            gaps = arc_starts(near) & ~board[MARK + start]
            if gaps == 0:
                break
            first = lowest(gaps)
            cell, way, passed = start, first, 0
            while True:
                board[MARK + cell] |= 1 << way
                bit = 1 << top_of(board, cell)
                points |= passed & bit
                passed |= bit
                cell = step(cell, way)
                way = NEXT_ON_WALK[neighbours(board, cell), way]
                if cell == start and way == first:
                    break
    while placed:
        board[MARK + cell_of(board, lowest(placed))] = 0
        placed &= placed - 1
    return points


# ------------------------------------------------------------------ play and undo


@kernel(count_references=False)
def toggle_around(board: Any, cell: int, colour: int) -> None:
    """Update the neighbours of a cell after a top of this colour came or went there."""
    for direction in range(6):
        board[AROUND + step(cell, direction)] ^= 1 << BLACK_AROUND * colour + opposite(direction)


@kernel(count_references=False)
def top_changed(board: Any, cell: int, piece: int, below: int) -> None:
    """The piece came to the cell, or left it, on top of the one below (or of the ground: NO_PIECE)."""
    colour = colour_of(piece)
    if not exists(below):
        toggle_around(board, cell, colour)
    elif colour_of(below) != colour:
        toggle_around(board, cell, colour)
        toggle_around(board, cell, 1 - colour)


@kernel(count_references=False)
def lift(board: Any, piece: int) -> None:
    """Take a top off its cell."""
    cell, below = cell_of(board, piece), piece_under(board, piece)
    board[HEIGHT + cell] -= 1
    board[TOP + cell] = below + 1
    board[WHERE + piece] = NO_CELL
    board[UNDER + piece] = NO_PIECE
    top_changed(board, cell, piece, below)


@kernel(count_references=False)
def drop(board: Any, piece: int, cell: int) -> None:
    """Put a piece on top of a cell."""
    below = top_of(board, cell)
    board[HEIGHT + cell] += 1
    board[TOP + cell] = piece + 1
    board[WHERE + piece] = cell
    board[UNDER + piece] = below
    top_changed(board, cell, piece, below)


@kernel(count_references=False)
def place_hash(piece: int, cell: int, height: int) -> int:
    """What a piece at its place adds to the hash. Pieces of the same bug and colour count as equal.

    place     | colour  | bug        | height     | cell       |
              | bit 16  | bits 15-13 | bits 12-10 | bits 9-0   |
    """
    kind = colour_of(piece) << 3 | BUG_OF[piece]
    return mix(mix((kind << 3 | height) << CELL_BITS | cell, 1), 2)


@play.register(HiveRules, inline=True)
def _(rules: HiveRules, position: Hive, move: int) -> Hive:
    board, ply, holes, code = position.board, position.ply, position.holes, position.hash
    if has_room(board, ply):
        board[history_index(ply)] = move
        board[history_index(ply) + 1] = code
    hand, placed, since_placement = position.hand, position.placed, position.since_placement + 1
    if move == PASS:
        return Hive(board, ply + 1, hand, placed, NO_PIECE, holes, since_placement, code)
    piece, source, target = piece_of(move), source_of(move), target_of(move)
    if is_placement(move):
        hand -= one_in_hand(piece)
        placed |= 1 << piece
        since_placement = 0
    else:
        code ^= place_hash(piece, source, height_of(board, source))
        lift(board, piece)
        if height_of(board, source) == 0:
            holes -= ARCS[neighbours(board, source)] - 1
    if height_of(board, target) == 0 and ply:
        holes += ARCS[neighbours(board, target)] - 1
    drop(board, piece, target)
    code ^= place_hash(piece, target, height_of(board, target))
    return Hive(board, ply + 1, hand, placed, piece, holes, since_placement, code)


@undo.register(HiveRules, inline=True)
def _(rules: HiveRules, child: Hive, move: int) -> None:
    board = child.board
    if has_room(board, child.ply - 1):
        index = history_index(child.ply - 1)
        board[index] = board[index + 1] = 0
    if move != PASS:
        piece = piece_of(move)
        lift(board, piece)
        if not is_placement(move):
            drop(board, piece, source_of(move))


@copy.register(HiveRules)
def _(rules: HiveRules, position: Hive) -> Hive:
    board = np.zeros(board_size(position.ply), np.int64)
    used = min(position.board.size, history_index(position.ply))
    board[:used] = position.board[:used]
    return Hive(
        board,
        position.ply,
        position.hand,
        position.placed,
        position.stunned,
        position.holes,
        position.since_placement,
        position.hash,
    )


# ------------------------------------------------------------------ the end


@verdict.register(HiveRules, inline=True)
def _(rules: HiveRules, position: Hive) -> int:
    board, colour = position.board, colour_at(position.ply)
    if is_surrounded(board, queen_of(colour)):
        return DRAWN if is_surrounded(board, queen_of(1 - colour)) else LOST
    if is_surrounded(board, queen_of(1 - colour)):
        return WON
    if (
        rules.repetition
        and position.since_placement >= 4 * (rules.repetition - 1)
        and occurrences(rules, position) >= rules.repetition
    ):
        return DRAWN
    return OPEN


@kernel(count_references=False)
def occurrences(rules: HiveRules, position: Hive) -> int:
    """How often this position, with the same piece stunned, has occurred, including now."""
    board, now = position.board, key(rules, position)
    count, ply = 1, position.ply - 4
    while ply >= position.ply - position.since_placement:
        if has_room(board, ply) and board[history_index(ply) + 1] == position.hash:
            last_move = move_at(board, ply - 1) if ply else PASS
            stunned = NO_PIECE if last_move == PASS else piece_of(last_move)
            if full_key(rules, ply, stunned, position.hash) == now:
                count += 1
        ply -= 2
    return count


@kernel(count_references=False)
def full_key(rules: HiveRules, ply: int, stunned: int, code: int) -> int:
    """The hash with the player to move and, if there is a pillbug to which it matters, the stunned piece."""
    if has(rules.bugs, PILLBUG):
        return mix(code, 2 * (stunned + 1) + colour_at(ply))
    return mix(code, colour_at(ply))


@key.register(HiveRules, inline=True)
def _(rules: HiveRules, position: Hive) -> int:
    return full_key(rules, position.ply, position.stunned, position.hash)


# ------------------------------------------------------------------ legal moves


@most_moves.register(HiveRules)
def _(rules: HiveRules) -> int:
    return 1024


@moves.register(HiveRules, inline=True)
def _(rules: HiveRules, position: Hive, buffer: Any) -> int:
    """Placements, then the walks and throws of each own piece, then throws of the other's pieces."""
    count, side = 0, placeable(rules, position)
    if side:
        count = free_cells(position, buffer)
        count = make_placements(colour_at(position.ply), side, count, buffer)
    if can_move(position):
        count = add_movements(rules, position, buffer, count)
    if count == 0:
        buffer[0] = PASS
        return 1
    return count


@how_many.register(HiveRules, inline=True)
def _(rules: HiveRules, position: Hive, buffer: Any) -> int:
    """The same without listing the placements: the number of bugs times the number of cells."""
    count, side = 0, placeable(rules, position)
    if side:
        count = bugs_in_hand(side) * free_cells(position, buffer)
    if can_move(position):
        count += add_movements(rules, position, buffer, 0)
    return max(count, 1)


@kernel(count_references=False)
def can_move(position: Hive) -> bool:
    """Whether the queen of the player to move is in play."""
    return exists(cell_of(position.board, queen_of(colour_at(position.ply))))


# ---- placements


@kernel(count_references=False)
def placeable(rules: HiveRules, position: Hive) -> int:
    """The hand of the player to move as far as it may be placed now."""
    side = side_hand(position.hand, colour_at(position.ply))
    queen = left_in_hand(side, QUEEN)
    if queen:
        if position.ply < 2 and not rules.queen_first:
            return side - queen
        if position.ply >= 6:
            return queen  # alone
    return side


@kernel(count_references=False)
def free_cells(position: Hive, buffer: Any) -> int:
    """Write the cells where the player to move may place a piece into the buffer; return how many."""
    board, ply = position.board, position.ply
    if ply == 0:
        buffer[0] = ORIGIN
        return 1
    if ply == 1:
        for direction in range(6):
            buffer[direction] = step(ORIGIN, direction)
        return 6
    count, colour = 0, colour_at(ply)
    rest = pieces_of(position.placed, colour)
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        if is_top(board, piece):
            home = cell_of(board, piece)
            free = empty_neighbours(board, home)
            while free:
                cell = step(home, lowest(free))
                free &= free - 1
                if tops_around(board, cell, 1 - colour) == 0 and board[MARK + cell] == 0:
                    board[MARK + cell] = 1
                    buffer[count] = cell
                    count += 1
    for i in range(count):
        board[MARK + buffer[i]] = 0
    return count


@kernel(count_references=False)
def make_placements(colour: int, side: int, cells: int, buffer: Any) -> int:
    """Turn this many free cells in the buffer into placements of each bug in hand; return their number.

    Those of the last bug take the place of the cells, the others follow.
    """
    count, last = cells, last_in_hand(side)
    for bug in range(last):
        left = left_in_hand(side, bug)
        if left:
            piece = next_to_place(colour, bug, left)
            for i in range(cells):
                buffer[count + i] = make_placement(piece, buffer[i])
            count += cells
    piece = next_to_place(colour, last, left_in_hand(side, last))
    for i in range(cells):
        buffer[i] = make_placement(piece, buffer[i])
    return count


# ---- walks and throws


@kernel(count_references=False)
def add_movements(rules: HiveRules, position: Hive, buffer: Any, count: int) -> int:
    """Walks and throws. Each target is listed once per piece: MARK has the targets listed so far."""
    board, placed, stunned = position.board, position.placed, position.stunned
    colour = colour_at(position.ply)
    pins = possible_pins(board, placed, position.holes)
    pillbug = mosquito = NO_CELL  # the cells of those that can throw
    if has(rules.bugs, PILLBUG):
        pillbug = thrower_cell(board, first_of(colour, PILLBUG), stunned)
        mosquito = thrower_cell(board, first_of(colour, MOSQUITO), stunned)
    rest = pieces_of(placed, colour)
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        if not is_top(board, piece) or piece == stunned:
            continue
        begin, cell = count, cell_of(board, piece)
        move = make_move(piece, cell, 0)
        if height_of(board, cell) > 1:
            count = add_climbs(board, move, buffer, count)
        elif not is_pinned(board, piece, cell, pins):
            count = add_walks(board, move, buffer, count)
            count = add_throws(board, move, pillbug, buffer, count)
            count = add_throws(board, move, mosquito, buffer, count)
        clear_marks(board, buffer, begin, count)
    if exists(pillbug) or exists(mosquito):
        rest = pieces_of(placed, 1 - colour)
        while rest:
            piece = lowest(rest)
            rest &= rest - 1
            cell = cell_of(board, piece)
            if height_of(board, cell) > 1 or piece == stunned or is_pinned(board, piece, cell, pins):
                continue
            begin, move = count, make_move(piece, cell, 0)
            count = add_throws(board, move, pillbug, buffer, count)
            count = add_throws(board, move, mosquito, buffer, count)
            clear_marks(board, buffer, begin, count)
    return count


@kernel(count_references=False)
def clear_marks(board: Any, buffer: Any, begin: int, end: int) -> None:
    """Take the marks off the targets of these moves."""
    for i in range(begin, end):
        board[MARK + target_of(buffer[i])] = 0


@kernel(count_references=False)
def copied_bugs(board: Any, cell: int) -> int:
    """The bugs that a mosquito on the ground of this cell can move as: a set."""
    bugs, near = 0, neighbours(board, cell)
    while near:
        bugs |= 1 << BUG_OF[top_of(board, step(cell, lowest(near)))]
        near &= near - 1
    return bugs & ~(1 << MOSQUITO)


@kernel(count_references=False)
def thrower_cell(board: Any, piece: int, stunned: int) -> int:
    """The cell of this pillbug or mosquito if it can throw its neighbours now, else NO_CELL."""
    cell = cell_of(board, piece)
    if not exists(cell) or height_of(board, cell) != 1 or piece == stunned:
        return NO_CELL
    if BUG_OF[piece] == MOSQUITO and not has(copied_bugs(board, cell), PILLBUG):
        return NO_CELL
    return cell


# In the functions below `move` has the piece and its source, with 0 as target. Each adds its moves to the
# buffer and returns the new count.


@kernel(count_references=False)
def add_walks(board: Any, move: int, buffer: Any, count: int) -> int:
    """A piece on the ground, with the moves of its bug or of those that a mosquito copies."""
    bug = BUG_OF[piece_of(move)]
    ways = copied_bugs(board, source_of(move)) if bug == MOSQUITO else 1 << bug
    if has(ways, ANT):  # goes wherever a queen, a pillbug or a spider can
        count = add_runs(board, move, buffer, count)
    else:
        if has(ways, QUEEN) or has(ways, PILLBUG):
            count = add_slides(board, move, buffer, count)
        if has(ways, SPIDER):
            count = add_crawls(board, move, buffer, count)
    if has(ways, GRASSHOPPER):
        count = add_jumps(board, move, buffer, count)
    if has(ways, BEETLE):
        count = add_climbs(board, move, buffer, count)
    if has(ways, LADYBUG):
        count = add_flights(board, move, buffer, count)
    return count


@kernel(count_references=False)
def add_move(board: Any, move: int, cell: int, buffer: Any, count: int) -> int:
    """The move to this cell, unless it is in the buffer already."""
    if board[MARK + cell]:
        return count
    board[MARK + cell] = 1
    buffer[count] = move | cell
    return count + 1


@kernel(count_references=False)
def add_slides(board: Any, move: int, buffer: Any, count: int) -> int:
    """Queen and pillbug: one slide."""
    home = source_of(move)
    free = SLIDES[neighbours(board, home)]
    while free:
        count = add_move(board, move, step(home, lowest(free)), buffer, count)
        free &= free - 1
    return count


@kernel(count_references=False)
def add_runs(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ant: any number of slides, with the ant itself off the board. The buffer is the queue of cells to go on from."""
    home, colour = source_of(move), colour_of(piece_of(move))
    toggle_around(board, home, colour)
    board[MARK + home] = 1
    cell, done = home, count
    while True:
        free = SLIDES[neighbours(board, cell)]
        while free:
            count = add_move(board, move, step(cell, lowest(free)), buffer, count)
            free &= free - 1
        if done == count:
            break
        cell = target_of(buffer[done])
        done += 1
    board[MARK + home] = 0
    toggle_around(board, home, colour)
    return count


@kernel(count_references=False)
def add_crawls(board: Any, move: int, buffer: Any, count: int) -> int:
    """Spider: exactly three slides, no cell twice, with the spider itself off the board."""
    home, colour = source_of(move), colour_of(piece_of(move))
    toggle_around(board, home, colour)
    first = SLIDES[neighbours(board, home)]
    while first:
        one = step(home, lowest(first))
        first &= first - 1
        second = SLIDES[neighbours(board, one)]
        while second:
            two = step(one, lowest(second))
            second &= second - 1
            if two == home:
                continue
            third = SLIDES[neighbours(board, two)]
            while third:
                three = step(two, lowest(third))
                third &= third - 1
                if three != home and three != one:
                    count = add_move(board, move, three, buffer, count)
    toggle_around(board, home, colour)
    return count


@kernel(count_references=False)
def add_jumps(board: Any, move: int, buffer: Any, count: int) -> int:
    """Grasshopper: straight over a row of at least one piece."""
    home = source_of(move)
    near = neighbours(board, home)
    while near:
        direction = lowest(near)
        near &= near - 1
        cell = step(home, direction)
        while height_of(board, cell):
            cell = step(cell, direction)
        count = add_move(board, move, cell, buffer, count)
    return count


@kernel(count_references=False)
def add_climbs(board: Any, move: int, buffer: Any, count: int) -> int:
    """Beetle: one step up, down, on top of the hive, or a slide."""
    home = source_of(move)
    height = height_of(board, home) - 1
    near = neighbours(board, home)
    ways = ALL_DIRECTIONS if height else near | SLIDES[near]
    while ways:
        direction = lowest(ways)
        ways &= ways - 1
        cell = step(home, direction)
        level = max(height, height_of(board, cell))
        if level == 0 or not is_gate(board, home, direction, level):
            count = add_move(board, move, cell, buffer, count)
    return count


@kernel(count_references=False)
def add_flights(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ladybug: two steps on top of the hive and one down, with the ladybug itself off the board."""
    home = source_of(move)
    board[HEIGHT + home] = 0
    first = neighbours(board, home)
    while first:
        direction = lowest(first)
        first &= first - 1
        one = step(home, direction)
        if is_gate(board, home, direction, height_of(board, one)):
            continue
        second = neighbours(board, one)
        while second:
            direction = lowest(second)
            second &= second - 1
            two = step(one, direction)
            if two == home or is_gate(
                board, one, direction, max(height_of(board, one), height_of(board, two))
            ):
                continue
            third = empty_neighbours(board, two)
            while third:
                direction = lowest(third)
                third &= third - 1
                if not is_gate(board, two, direction, height_of(board, two)):
                    count = add_move(board, move, step(two, direction), buffer, count)
    board[HEIGHT + home] = 1
    return count


@kernel(count_references=False)
def add_throws(board: Any, move: int, thrower: int, buffer: Any, count: int) -> int:
    """Pillbug: a neighbour is lifted onto the thrower's cell (if any) and set down on a free cell beside it."""
    if not exists(thrower):
        return count
    home = source_of(move)
    for toward in range(6):
        if step(thrower, toward) == home and not is_gate(board, thrower, toward, 1):
            free = empty_neighbours(board, thrower)
            while free:
                direction = lowest(free)
                free &= free - 1
                if not is_gate(board, thrower, direction, 1):
                    count = add_move(board, move, step(thrower, direction), buffer, count)
    return count
