"""The rules of Rush Hour: vehicles slide along their own line; the red car must reach the exit.

Cells are numbered row by row. Vehicle 0 is the red car, which stands in a row; the exit is at the right (or left) end
of that row, and the puzzle is solved when the red car touches that end. A vehicle's *offset* is how far its first cell
is from the beginning of its row or column. A position is the offsets, packed, and the occupied cells as a bitboard:

    offsets    up to 8x8:    one word for 21 vehicles    ... | v2 | v1 | v0 |    3 bits each
               up to 16x16:  as many bits as a vehicle has places between the walls and the others of its line:
                             0 to 4; one or two words for 9x9, two or three for 12x12
    occupied   cell c is bit c % 64 of word c // 64; walls are always set

Only the offsets are packed and stored; the bitboard follows from them. A move is a vehicle and a signed distance:

    move       | vehicle | distance + 16: 5 bits |

There are two metrics: `steps` (a move goes one cell) and `moves` (a move goes any number of free cells).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import replaced, signed
from ludion.kinds.puzzle import feature, features, is_goal, most_moves, moves, pack, play, reverse, unpack
from ludion.messages import message

SHORTEST_SIDE, LONGEST_SIDE = 4, 16
LONGEST_SMALL_SIDE = 8  # boards up to here pack offsets into 3 bits, and their cells into one word
SMALL_BITS, SMALL_PER_WORD = 3, 21
WORD_BITS = 63  # that offsets are packed into
EMPTY, WALL = 0, -1  # codes of cells; vehicle v has the code v + 1

# The columns of the table of vehicles: the character that names it; the first cell of its line; the distance of
# neighbouring cells of the line (1 in a row, the width in a column); its length; its largest offset; the word and shift
# where its offset is packed, less the least that it can have, and the mask of its bits. From BITBOARDS on three
# bitboards for each offset (see `bitboard_at`): the cells that the vehicle covers, the cell behind it and the cell
# ahead of it (all cells if the board ends there).
NAME, FIRST, STRIDE, LENGTH, LAST, WORD, SHIFT, MASK, LEAST, BITBOARDS = range(10)
COVERED, BEHIND, AHEAD = range(3)
KINDS = 3
MOVE_BITS = 16  # any move is below 1 << MOVE_BITS

# Orders of moves. The old report scans the cells row by row for ends of vehicles that can move. It puts the moves into
# its sorted lists (greedy, A*) in this order, and into its queue (breadth-first) in the reverse order.
PLAIN, SCANNED, REVERSED = range(3)

# What may be wrong with the vehicles of a board.
FINE, BENT, BROKEN, SINGLE, NO_RED, RED_UPRIGHT = range(6)


class RushHour(NamedTuple):
    """The rules on one board: its size, its vehicles, its walls, and what counts as a move."""

    width: int
    height: int
    exit_left: bool
    by_step: bool  # whether a move goes one cell, or any number of free cells
    order: int  # in which moves are tried: PLAIN, or the old report's
    target: int  # the red car's offset at the exit
    most: int  # the most moves of any position
    walls: tuple[int, ...]  # a bitboard
    vehicles: (
        np.ndarray
    )  # a row for each: NAME, FIRST, ..., then its bitboards (one array is cheap to pass on)


class Traffic(NamedTuple):
    """A position."""

    offsets: tuple[int, ...]
    occupied: tuple[int, ...]


class Survey(NamedTuple):
    """The vehicles of a board, as its cells show them."""

    fault: int  # FINE, or the first fault
    cell: int  # where the fault is
    first: np.ndarray  # of each vehicle: the columns of the table of vehicles above
    stride: np.ndarray
    length: np.ndarray
    offset: np.ndarray


# ------------------------------------------------------------------ moves

Moves = TypeVar("Moves", int, np.ndarray)  # a move, or many of them


@kernel(python_entry=False)
def make_move(vehicle: int, distance: int) -> int:
    """The move of this vehicle; right and down are positive distances."""
    return vehicle << 5 | distance + 16


@kernel(python_entry=False)
def vehicle_of(move: Moves) -> Moves:
    """The number of the vehicle that moves."""
    return move >> 5


@kernel(python_entry=False)
def distance_of(move: Moves) -> Moves:
    """How far it goes, right or down being positive."""
    return (move & 31) - 16


# ------------------------------------------------------------------ making rules and a position


@kernel(python_entry=False, inline=True)
def bitboard_at(offset: int, kind: int, words: int) -> int:
    """The column of the table of vehicles where a bitboard (COVERED, BEHIND, AHEAD) of this many words begins."""
    return BITBOARDS + (offset * KINDS + kind) * words


@kernel
def survey(codes: Any, width: int, height: int) -> Survey:
    """Find the vehicles among the codes of the cells, and the first fault; the codes of n vehicles are 1 to n."""
    count = 0
    for cell in range(codes.size):
        count = max(count, codes[cell])
    first = np.zeros(count, np.int64)
    stride = np.zeros(count, np.int64)
    length = np.zeros(count, np.int64)
    offset = np.zeros(count, np.int64)
    begin = np.full(count, -1, np.int64)
    end = np.zeros(count, np.int64)
    fault = FINE
    fault_cell = 0
    for cell in range(codes.size):
        vehicle = codes[cell] - 1
        if vehicle < 0:
            continue
        if begin[vehicle] < 0:
            begin[vehicle] = cell
        elif fault == FINE:
            beside = cell == end[vehicle] + 1 and cell % width != 0
            below = cell == end[vehicle] + width
            if stride[vehicle] == 0:
                stride[vehicle] = 1 if beside else width
            if not ((beside and stride[vehicle] == 1) or (below and stride[vehicle] == width)):
                straight = stride[vehicle] == 1 and cell // width == begin[vehicle] // width
                straight |= stride[vehicle] == width and cell % width == begin[vehicle] % width
                touching = beside or below or (cell >= width and codes[cell - width] == codes[cell])
                fault = BENT if touching and not straight else BROKEN
                fault_cell = cell
        end[vehicle] = cell
        length[vehicle] += 1
    if fault == FINE and (count == 0 or begin[0] < 0):
        fault = NO_RED
    for vehicle in range(count):
        if fault == FINE and length[vehicle] == 1:
            fault = SINGLE
            fault_cell = begin[vehicle]
        in_row = stride[vehicle] == 1
        first[vehicle] = begin[vehicle] - begin[vehicle] % width if in_row else begin[vehicle] % width
        offset[vehicle] = begin[vehicle] % width if in_row else begin[vehicle] // width
    if fault == FINE and stride[0] != 1:
        fault = RED_UPRIGHT
        fault_cell = begin[0]
    return Survey(fault, fault_cell, first, stride, length, offset)


@kernel
def lay_out(surveyed: Survey, codes: Any, width: int, height: int, vehicles: Any) -> int:
    """Write into the table of vehicles how their offsets are packed; return how many words they take."""
    word = 0
    shift = 0
    small = max(width, height) <= LONGEST_SMALL_SIDE
    for v in range(surveyed.first.size):
        bits = SMALL_BITS
        least = 0
        if not small:
            back = room_beside(surveyed, codes, v, -1, surveyed.offset[v])
            after = surveyed.offset[v] + surveyed.length[v]
            side = width if surveyed.stride[v] == 1 else height
            ahead = room_beside(surveyed, codes, v, 1, side - after)
            least = surveyed.offset[v] - back
            bits = 0
            while 1 << bits <= back + ahead:
                bits += 1
        if shift + bits > WORD_BITS:
            word += 1
            shift = 0
        vehicles[v, WORD] = word
        vehicles[v, SHIFT] = shift
        vehicles[v, MASK] = (1 << bits) - 1
        vehicles[v, LEAST] = least
        shift += bits
    return word + 1


@kernel(python_entry=False)
def room_beside(surveyed: Survey, codes: Any, vehicle: int, direction: int, cells: int) -> int:
    """How far a vehicle could ever go in a direction, up to `cells`.

    That is up to a wall, less what the vehicles of its own line cover, which it cannot pass.
    """
    stride = surveyed.stride[vehicle]
    end = (
        surveyed.offset[vehicle] if direction < 0 else surveyed.offset[vehicle] + surveyed.length[vehicle] - 1
    )
    room = 0
    for i in range(1, cells + 1):
        code = codes[surveyed.first[vehicle] + (end + direction * i) * stride]
        if code == WALL:
            break
        if code == EMPTY or surveyed.stride[code - 1] != stride:
            room += 1
    return room


@kernel
def assemble(
    surveyed: Survey,
    codes: Any,
    names: Any,
    width: int,
    height: int,
    exit_left: bool,
    by_step: bool,
    order: int,
    offsets: Any,
    occupied: Any,
) -> tuple[RushHour, Traffic]:
    """The rules and the position of a board without faults; `offsets` and `occupied` are tuples of enough zeros."""
    words = len(occupied)
    room = 0
    for cell in range(codes.size):
        if codes[cell] == WALL:
            bit = signed(1 << (cell & 63))
            occupied = replaced(occupied, cell >> 6, occupied[cell >> 6] | bit)
        elif codes[cell] == EMPTY:
            room += 1
    walls = occupied
    count = surveyed.first.size
    vehicles = np.zeros((count, bitboard_at(max(width, height), COVERED, words)), np.int64)
    lay_out(surveyed, codes, width, height, vehicles)
    for v in range(count):
        length = surveyed.length[v]
        last = (width if surveyed.stride[v] == 1 else height) - length
        vehicles[v, NAME] = names[v]
        vehicles[v, FIRST] = surveyed.first[v]
        vehicles[v, STRIDE] = surveyed.stride[v]
        vehicles[v, LENGTH] = length
        vehicles[v, LAST] = last
        for offset in range(last + 1):
            for i in range(-1, length + 1):
                cell = surveyed.first[v] + (offset + i) * surveyed.stride[v]
                at = bitboard_at(offset, BEHIND if i < 0 else AHEAD if i == length else COVERED, words)
                if (i < 0 and offset == 0) or (i == length and offset == last):
                    vehicles[v, at : at + words] = -1
                else:
                    vehicles[v, at + (cell >> 6)] |= signed(1 << (cell & 63))
        word = vehicles[v, WORD]
        packed = signed(surveyed.offset[v] - vehicles[v, LEAST] << vehicles[v, SHIFT])
        offsets = replaced(offsets, word, offsets[word] | packed)
        at = bitboard_at(surveyed.offset[v], COVERED, words)
        for i in range(words):
            occupied = replaced(occupied, i, occupied[i] | vehicles[v, at + i])
    # An empty cell can be entered from four sides at most.
    most = max(1, min(2 * count, 4 * room) if by_step else 4 * room)
    target = 0 if exit_left else vehicles[0, LAST]
    rules = RushHour(width, height, exit_left, by_step, order, target, most, walls, vehicles)
    return rules, Traffic(offsets, occupied)


def rush_hour(
    surveyed: Survey,
    codes: np.ndarray,
    names: np.ndarray,
    width: int,
    height: int,
    exit_left: bool,
    by_step: bool,
    order: int,
) -> tuple[RushHour, Traffic]:
    """The rules and the position of a board without faults."""
    occupied = (0,) * _power_of_two(-(-width * height // 64))
    words = -(-len(names) // SMALL_PER_WORD)
    if max(width, height) > LONGEST_SMALL_SIDE:
        words = int(lay_out(surveyed, codes, width, height, np.zeros((len(names), BITBOARDS), np.int64)))
    offsets = (0,) * (words if words <= 3 else _power_of_two(words))
    rules, position = assemble(
        surveyed, codes, names, width, height, exit_left, by_step, order, offsets, occupied
    )
    return rules, Traffic(tuple(map(int, position.offsets)), tuple(map(int, position.occupied)))


def _power_of_two(number: int) -> int:
    """The next power of two: fewer lengths of tuples to compile for."""
    return 1 << (number - 1).bit_length()


def is_wall(rules: RushHour, cell: int) -> bool:
    """Whether this cell is a wall."""
    return bool(rules.walls[cell >> 6] >> (cell & 63) & 1)


def why_unsolvable(rules: RushHour, position: Traffic) -> str | None:
    """What can never leave the red car's way, in words, or None if nothing is seen at a glance."""
    if is_goal(rules, position):
        return None
    row = int(rules.vehicles[0, FIRST]) // rules.width
    red = int(offset_of(rules, position.offsets, 0))
    ahead = range(red) if rules.exit_left else range(red + int(rules.vehicles[0, LENGTH]), rules.width)
    for column in ahead:
        if is_wall(rules, row * rules.width + column):
            return message("rush_hour.wall_in_the_way", row=row + 1, column=column + 1)
    for vehicle, (name, first, stride, length) in enumerate(rules.vehicles[1:, : LENGTH + 1].tolist(), 1):
        here = int(offset_of(rules, position.offsets, vehicle))
        if stride == 1:
            if first // rules.width == row and here in ahead:
                return message("rush_hour.vehicle_in_the_row", name=chr(name))
        elif first in ahead and here <= row < here + length:
            above = below = 0
            while above < row and not is_wall(rules, (row - above - 1) * rules.width + first):
                above += 1
            while row + below + 1 < rules.height and not is_wall(
                rules, (row + below + 1) * rules.width + first
            ):
                below += 1
            if length > max(above, below):
                return message("rush_hour.vehicle_across_the_row", name=chr(name), column=first + 1)
    return None


# ------------------------------------------------------------------ verbs


@kernel(python_entry=False)
def word_at(words: Any, index: int) -> int:
    """words[index]; a single word, the usual case, needs no index."""
    return words[0] if len(words) == 1 else words[index]  # type: ignore[no-any-return]


@kernel
def offset_of(rules: RushHour, offsets: Any, vehicle: int) -> int:
    """Where a vehicle stands on its line."""
    word = word_at(offsets, rules.vehicles[vehicle, WORD])
    packed = word >> rules.vehicles[vehicle, SHIFT] & rules.vehicles[vehicle, MASK]
    return packed + rules.vehicles[vehicle, LEAST]  # type: ignore[no-any-return]


@kernel(python_entry=False)
def is_free(occupied: Any, cell: int) -> bool:
    """Whether a cell is neither wall nor covered by a vehicle."""
    return word_at(occupied, cell >> 6) >> (cell & 63) & 1 == 0


@moves.register(RushHour)
def _(rules: RushHour, position: Traffic, buffer: Any) -> int:
    if rules.order == PLAIN:
        return plain_moves(rules, position, buffer)
    return moves_as_reported(rules, position, buffer)


@kernel(python_entry=False)
def plain_moves(rules: RushHour, position: Traffic, buffer: Any) -> int:
    """Vehicle by vehicle, backward before forward, near before far."""
    count = 0
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, position.offsets, vehicle)
        there = here
        while can_go(rules, position.occupied, vehicle, there, BEHIND):
            there -= 1
            buffer[count] = make_move(vehicle, there - here)
            count += 1
            if rules.by_step:
                break
        there = here
        while can_go(rules, position.occupied, vehicle, there, AHEAD):
            there += 1
            buffer[count] = make_move(vehicle, there - here)
            count += 1
            if rules.by_step:
                break
    return count


@kernel(python_entry=False)
def can_go(rules: RushHour, occupied: Any, vehicle: int, offset: int, side: int) -> bool:
    """Whether the cell on this side (BEHIND, AHEAD) of a vehicle at this offset is on the board and free."""
    words = len(occupied)
    at = bitboard_at(offset, side, words)
    obstacles = 0
    for i in range(words):
        obstacles |= occupied[i] & rules.vehicles[vehicle, at + i]
    return obstacles == 0


@kernel(python_entry=False)
def moves_as_reported(rules: RushHour, position: Traffic, buffer: Any) -> int:
    """Moves of one cell in the old report's order: by the cell of the end that goes first.

    They are sorted as `cell << MOVE_BITS | move`.
    """
    count = 0
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, position.offsets, vehicle)
        stride = rules.vehicles[vehicle, STRIDE]
        head = rules.vehicles[vehicle, FIRST] + here * stride
        tail = head + (rules.vehicles[vehicle, LENGTH] - 1) * stride
        if can_go(rules, position.occupied, vehicle, here, BEHIND):
            insert(buffer, count, head << MOVE_BITS | make_move(vehicle, -1))
            count += 1
        if can_go(rules, position.occupied, vehicle, here, AHEAD):
            insert(buffer, count, tail << MOVE_BITS | make_move(vehicle, 1))
            count += 1
    if rules.order == REVERSED:
        for i in range(count // 2):
            buffer[i], buffer[count - 1 - i] = buffer[count - 1 - i], buffer[i]
    for i in range(count):
        buffer[i] &= (1 << MOVE_BITS) - 1
    return count


@kernel
def insert(sorted_numbers: Any, count: int, number: int) -> None:
    """Put a number in its place among the first `count`, which are sorted."""
    place = count
    while place > 0 and sorted_numbers[place - 1] > number:
        sorted_numbers[place] = sorted_numbers[place - 1]
        place -= 1
    sorted_numbers[place] = number


@most_moves.register(RushHour)
def _(rules: RushHour) -> int:
    return rules.most


@play.register(RushHour)
def _(rules: RushHour, position: Traffic, move: int) -> Traffic:
    vehicle = vehicle_of(move)
    offsets = position.offsets
    here = offset_of(rules, offsets, vehicle)
    there = here + distance_of(move)
    least = rules.vehicles[vehicle, LEAST]
    change = signed((here - least ^ there - least) << rules.vehicles[vehicle, SHIFT])
    word = 0 if len(offsets) == 1 else rules.vehicles[vehicle, WORD]
    offsets = replaced(offsets, word, word_at(offsets, word) ^ change)
    occupied = position.occupied
    words = len(occupied)
    for i in range(words):
        left = rules.vehicles[vehicle, bitboard_at(here, COVERED, words) + i]
        taken = rules.vehicles[vehicle, bitboard_at(there, COVERED, words) + i]
        occupied = replaced(occupied, i, occupied[i] ^ left ^ taken)
    return Traffic(offsets, occupied)


@is_goal.register(RushHour)
def _(rules: RushHour, position: Traffic) -> bool:
    return offset_of(rules, position.offsets, 0) == rules.target


@pack.register(RushHour)
def _(rules: RushHour, position: Traffic) -> tuple[int, ...]:
    return position.offsets


@unpack.register(RushHour)
def _(rules: RushHour, words: tuple[int, ...], like: Traffic) -> Traffic:
    occupied = rules.walls
    count = len(occupied)
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, words, vehicle)
        at = bitboard_at(here, COVERED, count)
        for i in range(count):
            occupied = replaced(occupied, i, occupied[i] | rules.vehicles[vehicle, at + i])
    return Traffic(words, occupied)


@reverse.register(RushHour)
def _(rules: RushHour, move: int) -> int:
    return make_move(vehicle_of(move), -distance_of(move))


@features.register(RushHour)
def _(rules: RushHour, position: Traffic) -> int:
    return rules.vehicles.shape[0]  # type: ignore[no-any-return]


@feature.register(RushHour)
def _(rules: RushHour, position: Traffic, number: int) -> int:
    return offset_of(rules, position.offsets, number)
