"""How a position of Hive is laid out: cells, pieces, hands, moves and the board, each packed into the bits of an int.

Each layout is drawn above its constants and accessors, and no code outside this module depends on the position of a
bit. A set (of pieces, bugs or directions) is an int with one bit for each member.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import highest, popcount

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


# ------------------------------------------------------------------ changes of the board


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
