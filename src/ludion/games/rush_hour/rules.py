"""The rules of Rush Hour: vehicles slide along their own line; the red car wants to reach the exit.

Cells are numbered row by row. Vehicle 0 is the red car, which stands in a row; the exit is at the right (or
left) end of that row, and the puzzle is solved when the red car touches that end. A vehicle's *offset* is
how far its first cell is from the beginning of its row or column. A position is the offsets, packed, and
the occupied cells as a bitboard:

    offsets    up to 8x8:    one word for 21 vehicles    ... | v2 | v1 | v0 |    3 bits each
               up to 16x16:  one word for 16 vehicles    ... | v2 | v1 | v0 |    4 bits each
    occupied   cell c is bit c % 64 of word c // 64; walls are always set

Only the offsets are packed and stored; the bitboard follows from them. A move is a vehicle and a signed
distance, `vehicle << 5 | distance + 16`. Two metrics: `steps` (a move goes one cell) and `moves` (any
number of free cells).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel, part
from ludion.core.words import replaced, signed
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, reverse, unpack

SHORTEST_SIDE, LONGEST_SIDE = 4, 16
EMPTY, WALL = 0, -1  # codes of cells; vehicle v has the code v + 1

# The columns of the table of vehicles: the character that stands for it, the first cell of its line, 1 in a
# row or the width in a column, its length, its largest offset, and where its offset is packed. From CELLS on
# three bitboards for each offset: the cells it stands on, the one behind it and the one ahead of it (all
# cells if the board ends there).
NAME, FIRST, STRIDE, LENGTH, LAST, WORD, SHIFT, CELLS = range(8)
BEHIND, AHEAD = 1, 2

# Orders of moves. The report scans the cells row by row for ends of vehicles that can go ahead. What it finds
# enters its sorted lists (greedy, A*) in this order, and its queue (breadth-first) in the reverse one.
PLAIN, SCANNED, REVERSED = range(3)

# What `survey` may find wrong.
FINE, BENT, BROKEN, SINGLE, NO_RED, RED_UPRIGHT = range(6)


class RushHour(NamedTuple):
    """The rules on one board: its size, its vehicles, its walls, and what counts as a move."""

    width: int
    height: int
    exit_left: bool
    by_step: bool  # whether a move goes one cell, or as many as are free
    order: int  # in which moves are tried: PLAIN, or the old report's
    target: int  # the red car's offset at the exit
    most: int  # the most moves of any position
    walls: tuple[int, ...]  # a bitboard
    mask: int  # of one offset
    # vehicles[v]: its NAME, FIRST, STRIDE ..., then its bitboards (one array: cheap to pass on)
    vehicles: np.ndarray


class Traffic(NamedTuple):
    """A position."""

    offsets: tuple[int, ...]
    occupied: tuple[int, ...]


class Survey(NamedTuple):
    """What a board shows, vehicle by vehicle."""

    fault: int
    cell: int  # where the fault is
    first: np.ndarray
    stride: np.ndarray
    length: np.ndarray
    offset: np.ndarray


# ------------------------------------------------------------------ making a game


@kernel
def survey(codes: Any, width: int, height: int) -> Survey:
    """Find the vehicles among the codes of the cells; the codes of n vehicles are 1 to n."""
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
    where = 0
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
                same_line = cell // width == begin[vehicle] // width or cell % width == begin[vehicle] % width
                straight = stride[vehicle] == 1 and cell // width == begin[vehicle] // width
                straight |= stride[vehicle] == width and cell % width == begin[vehicle] % width
                touching = beside or below or (cell >= width and codes[cell - width] == codes[cell])
                fault = BENT if touching and not straight else BROKEN if same_line or not touching else BENT
                where = cell
        end[vehicle] = cell
        length[vehicle] += 1
    if fault == FINE and (count == 0 or begin[0] < 0):
        fault = NO_RED
    for vehicle in range(count):
        if fault == FINE and length[vehicle] == 1:
            fault = SINGLE
            where = begin[vehicle]
        in_row = stride[vehicle] == 1
        first[vehicle] = begin[vehicle] - begin[vehicle] % width if in_row else begin[vehicle] % width
        offset[vehicle] = begin[vehicle] % width if in_row else begin[vehicle] // width
    if fault == FINE and stride[0] != 1:
        fault = RED_UPRIGHT
        where = begin[0]
    return Survey(fault, where, first, stride, length, offset)


@kernel
def assemble(
    found: Survey,
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
    """The game and the position; `offsets` and `occupied` are tuples of zeros, long enough."""
    small = max(width, height) <= 8
    bits = 3 if small else 4
    per_word = 21 if small else 16
    words = len(occupied)
    room = 0
    for cell in range(codes.size):
        if codes[cell] == WALL:
            bit = signed(1 << (cell & 63))
            occupied = replaced(occupied, cell >> 6, occupied[cell >> 6] | bit)
        elif codes[cell] == EMPTY:
            room += 1
    walls = occupied
    count = found.first.size
    vehicles = np.zeros((count, CELLS + max(width, height) * 3 * words), np.int64)
    for v in range(count):
        last = (width if found.stride[v] == 1 else height) - found.length[v]
        word = v // per_word
        vehicles[v, NAME] = names[v]
        vehicles[v, FIRST] = found.first[v]
        vehicles[v, STRIDE] = found.stride[v]
        vehicles[v, LENGTH] = found.length[v]
        vehicles[v, LAST] = last
        vehicles[v, WORD] = word
        vehicles[v, SHIFT] = bits * (v % per_word)
        for offset in range(last + 1):
            at = CELLS + offset * 3 * words
            for i in range(-1, found.length[v] + 1):
                cell = found.first[v] + (offset + i) * found.stride[v]
                part = at + words if i < 0 else at + 2 * words if i == found.length[v] else at
                if (i < 0 and offset == 0) or (i == found.length[v] and offset == last):
                    vehicles[v, part : part + words] = -1
                else:
                    vehicles[v, part + (cell >> 6)] |= signed(1 << (cell & 63))
        offsets = replaced(offsets, word, offsets[word] | signed(found.offset[v] << vehicles[v, SHIFT]))
        for i in range(words):
            cells = vehicles[v, CELLS + found.offset[v] * 3 * words + i]
            occupied = replaced(occupied, i, occupied[i] | cells)
    rules = RushHour(
        width,
        height,
        exit_left,
        by_step,
        order,
        0 if exit_left else vehicles[0, LAST],
        max(
            1, min(2 * count, 4 * room) if by_step else 4 * room
        ),  # an empty cell is entered from four sides at most
        walls,
        7 if small else 15,
        vehicles,
    )
    return rules, Traffic(offsets, occupied)


def rounded(number: int) -> int:
    """The next power of two: fewer types to compile for."""
    return 1 << (number - 1).bit_length() if number > 1 else 1


def rush_hour(
    codes: Any, found: Survey, names: Any, width: int, height: int, exit_left: bool, by_step: bool, order: int
) -> tuple[RushHour, Traffic]:
    """The game and the position of a surveyed board."""
    per_word = 21 if max(width, height) <= 8 else 16
    offsets = (0,) * rounded(-(-len(names) // per_word))
    occupied = (0,) * rounded(-(-width * height // 64))
    rules, position = assemble(
        found, codes, names, width, height, exit_left, by_step, order, offsets, occupied
    )
    return rules, Traffic(tuple(map(int, position.offsets)), tuple(map(int, position.occupied)))


def why_unsolvable(rules: RushHour, position: Traffic) -> str | None:
    """What can never leave the red car's way, in words, or None if nothing is seen at a glance."""
    if is_goal(rules, position):
        return None
    row = int(rules.vehicles[0, FIRST]) // rules.width
    red = int(offset_of(rules, position.offsets, 0))
    ahead = range(red) if rules.exit_left else range(red + int(rules.vehicles[0, LENGTH]), rules.width)

    def is_wall(line: int, column: int) -> bool:
        cell = line * rules.width + column
        return bool(rules.walls[cell >> 6] >> (cell & 63) & 1)

    for column in ahead:
        if is_wall(row, column):
            return f"a wall in row {row + 1}, column {column + 1} closes the red car's way for ever"
    for vehicle in range(1, len(rules.vehicles)):
        name, first, stride, length = map(int, rules.vehicles[vehicle, [NAME, FIRST, STRIDE, LENGTH]])
        here = int(offset_of(rules, position.offsets, vehicle))
        if stride == 1:
            if first // rules.width == row and here in ahead:
                return f"vehicle {chr(name)} stands in the red car's row and can never leave it"
        elif first in ahead and here <= row < here + length:
            above = below = 0
            while above < row and not is_wall(row - above - 1, first):
                above += 1
            while row + below + 1 < rules.height and not is_wall(row + below + 1, first):
                below += 1
            if length > max(above, below):
                return f"vehicle {chr(name)} in column {first + 1} can never leave the red car's row"
    return None


# ------------------------------------------------------------------ verbs
# A tuple of one word is the usual case; `word_at` and `with_word` spare it the general one's detour.


@part
def word_at(words: Any, index: int) -> int:
    return words[0] if len(words) == 1 else words[index]  # type: ignore[no-any-return]


@kernel
def offset_of(rules: RushHour, offsets: Any, vehicle: int) -> int:
    """Where a vehicle stands on its line."""
    word = word_at(offsets, rules.vehicles[vehicle, WORD])
    return word >> rules.vehicles[vehicle, SHIFT] & rules.mask  # type: ignore[no-any-return]


@part
def is_free(occupied: Any, cell: int) -> bool:
    return word_at(occupied, cell >> 6) >> (cell & 63) & 1 == 0


@moves.register(RushHour)
def _(rules: RushHour, position: Traffic, buffer: Any) -> int:
    return (
        plain_moves(rules, position, buffer)
        if rules.order == PLAIN
        else moves_as_reported(rules, position, buffer)
    )


@part
def plain_moves(rules: RushHour, position: Traffic, buffer: Any) -> int:
    """Vehicle by vehicle, backward before forward, near before far."""
    count = 0
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, position.offsets, vehicle)
        code = vehicle << 5 | 16
        there = here
        while can_go(rules, position.occupied, vehicle, there, BEHIND):
            there -= 1
            buffer[count] = code + there - here
            count += 1
            if rules.by_step:
                break
        there = here
        while can_go(rules, position.occupied, vehicle, there, AHEAD):
            there += 1
            buffer[count] = code + there - here
            count += 1
            if rules.by_step:
                break
    return count


@part
def can_go(rules: RushHour, occupied: Any, vehicle: int, offset: int, side: int) -> bool:
    """Whether the cell on this side (BEHIND, AHEAD) of a vehicle at this offset is on the board and free."""
    words = len(occupied)
    at = CELLS + (offset * 3 + side) * words
    met = 0
    for i in range(words):
        met |= occupied[i] & rules.vehicles[vehicle, at + i]
    return met == 0


@part
def moves_as_reported(rules: RushHour, position: Traffic, buffer: Any) -> int:
    """Unit slides in the old report's order: by the cell of the end that goes ahead."""
    count = 0
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, position.offsets, vehicle)
        stride = rules.vehicles[vehicle, STRIDE]
        head = rules.vehicles[vehicle, FIRST] + here * stride
        tail = head + (rules.vehicles[vehicle, LENGTH] - 1) * stride
        if can_go(rules, position.occupied, vehicle, here, BEHIND):
            insert(buffer, count, head << 16 | vehicle << 5 | 15)
            count += 1
        if can_go(rules, position.occupied, vehicle, here, AHEAD):
            insert(buffer, count, tail << 16 | vehicle << 5 | 17)
            count += 1
    if rules.order == REVERSED:
        for i in range(count // 2):
            buffer[i], buffer[count - 1 - i] = buffer[count - 1 - i], buffer[i]
    for i in range(count):
        buffer[i] &= 0xFFFF
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
    vehicle = move >> 5
    offsets = position.offsets
    here = offset_of(rules, offsets, vehicle)
    there = here + (move & 31) - 16
    change = signed((here ^ there) << rules.vehicles[vehicle, SHIFT])
    word = 0 if len(offsets) == 1 else rules.vehicles[vehicle, WORD]
    offsets = replaced(offsets, word, word_at(offsets, word) ^ change)
    occupied = position.occupied
    words = len(occupied)
    for i in range(words):
        left = rules.vehicles[vehicle, CELLS + here * 3 * words + i]
        taken = rules.vehicles[vehicle, CELLS + there * 3 * words + i]
        occupied = replaced(occupied, i, occupied[i] ^ left ^ taken)
    return Traffic(offsets, occupied)


@is_goal.register(RushHour)
def _(rules: RushHour, position: Traffic) -> bool:
    return position.offsets[0] & rules.mask == rules.target


@pack.register(RushHour)
def _(rules: RushHour, position: Traffic) -> tuple[int, ...]:
    return position.offsets


@unpack.register(RushHour)
def _(rules: RushHour, words: tuple[int, ...], like: Traffic) -> Traffic:
    occupied = rules.walls
    count = len(occupied)
    for vehicle in range(rules.vehicles.shape[0]):
        here = offset_of(rules, words, vehicle)
        for i in range(count):
            occupied = replaced(
                occupied, i, occupied[i] | rules.vehicles[vehicle, CELLS + here * 3 * count + i]
            )
    return Traffic(words, occupied)


@reverse.register(RushHour)
def _(rules: RushHour, move: int) -> int:
    return (move & ~31) | (32 - (move & 31))
