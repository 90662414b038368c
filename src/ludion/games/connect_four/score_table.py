"""What is known of scores: the transposition table, and the book as the search reads it.

Table entry: one word, so that threads can share the table without locks. Keys are exact (an invertible product):

    | rest of the key + 1 | work: 4 bits | bound: 7 bits |
    bound below 64: the score is at most bound - 32; else it is at least bound - 96

The upper bits of the key are the index of a pair of entries. The table starts small, so that it fits the processor's
caches, and doubles as nodes are searched: each pair is split into two by the key's next bit. Entries hold for every
search on the same board, so the table can be kept from one search to the next.
"""

from __future__ import annotations

import mmap
from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import MIXER, low_word
from ludion.engines.limits import UNLIMITED
from ludion.games.connect_four.bitboards import SolverBoard, key_of, mirror_image
from ludion.games.connect_four.judging import NO, UNKNOWN, YES

NO_SCORE = -100  # the search was stopped, or the position is not in the book
LARGEST_LOG = 23  # entries of the table: 64 MB; a larger one costs more in cache misses than it saves
SMALLEST_LOG = 10
LARGEST_ZEROED_LOG = 13  # up to this size, clearing the entries costs less than mapping new pages
MOST_REST_BITS = 51  # key bits stored in an entry; with more, the entry could become negative

# The words of a table entry.
WORK_SHIFT, REST_SHIFT = 7, 11
MOST_WORK = 15
BOUND_MASK = (1 << WORK_SHIFT) - 1
FIRST_LOWER_BOUND, UPPER_ZERO, LOWER_ZERO = 64, 32, 96


class ScoreTable(NamedTuple):
    """The transposition table: bounds of the scores of positions."""

    entries: np.ndarray  # of the largest size that the table may grow to
    log: np.ndarray  # one number: the binary logarithm of the number of entries in use


class Book(NamedTuple):
    """Known scores of positions (the smaller of the two mirror images); see `book.py` for the layout."""

    buckets: np.ndarray  # index of the first entry of each bucket
    entries: np.ndarray  # bytes: the lower part of a mixed key, the lowest byte first, and the score
    width: int  # bytes of that part
    plies: int  # the largest number of stones of an entry


NO_BOOK = Book(np.zeros(2, np.int32), np.zeros(0, np.int8), 1, -1)


def new_table(
    board: SolverBoard,
    stones: int,
    memory: int = 8 << LARGEST_LOG,
    largest_log: int = LARGEST_LOG,
    grows: bool = True,
) -> ScoreTable:
    """An empty table that can grow as large as the search of a position with that many stones needs.

    It stays within `memory` (bytes) unless exact keys need more: 32 MB for a key of 72 bits. Threads may share a table
    that does not grow.
    """
    exact = board.bits + 1 - MOST_REST_BITS
    smallest = max(SMALLEST_LOG, exact)
    largest = min(largest_log, max(smallest, board.cells - stones - 4), board.bits)
    largest = max(exact, min(largest, max(memory // 8, 2).bit_length() - 1))
    if largest <= LARGEST_ZEROED_LOG:
        entries = np.zeros(1 << largest, np.int64)
    else:  # pages that the system clears when they are first used; numpy may clear the whole table
        entries = np.frombuffer(mmap.mmap(-1, 8 << largest, access=mmap.ACCESS_COPY), np.int64)
    return ScoreTable(entries, np.array([min(smallest, largest) if grows else largest], np.int64))


def used_bytes(table: ScoreTable) -> int:
    """The size of the entries in use."""
    return 8 << int(table.log[0])


@kernel(python_entry=False, inline=True)
def node_capacity(table: ScoreTable) -> int:
    """The number of nodes after which the table doubles: four per entry, until it has its largest size.

    With one node per entry a search visits 5 to 9 % fewer nodes, but takes longer: the table fits the caches less well.
    """
    log = int(table.log[0])
    return 4 << log if 1 << log < table.entries.size else UNLIMITED


@kernel(python_entry=False, inline=True)
def split_key(board: SolverBoard, table: ScoreTable, key: int) -> tuple[int, int]:
    """The index of the pair of entries for a key, and the rest of the key as entries hold it."""
    shift = board.bits - int(table.log[0]) + 1
    return low_word(key >> shift) << 1, low_word(key & ((1 << shift) - 1)) + 1


@kernel(python_entry=False, inline=True)
def mixed_key(board: SolverBoard, own: int, mask: int, has_mirror_image: bool) -> int:
    """The key of a position in the table and the book: its number times an odd constant, which can be inverted.

    With `has_mirror_image`, a position and its mirror image have the same key.
    """
    key = key_of(board, own, mask)
    if has_mirror_image:
        image = mirror_image(board, key)
        key = key if key < image else image
    return (key * MIXER) & board.keys


@kernel(python_entry=False, inline=True)
def look_up(board: SolverBoard, table: ScoreTable, key: int, target: int) -> int:
    """The answer of the table to "is the score at least `target`?"."""
    place, rest = split_key(board, table, key)
    entry = table.entries[place]
    if entry >> REST_SHIFT != rest:
        entry = table.entries[place + 1]
        if entry >> REST_SHIFT != rest:
            return UNKNOWN
    bound = entry & BOUND_MASK
    if bound >= FIRST_LOWER_BOUND:
        return YES if bound - LOWER_ZERO >= target else UNKNOWN
    return NO if bound - UPPER_ZERO < target else UNKNOWN


@kernel(python_entry=False, inline=True)
def store(board: SolverBoard, table: ScoreTable, key: int, target: int, answer: int, work: int) -> None:
    """Write an entry: over an older one of the position, else first if it took as much work, else second."""
    entries = table.entries
    place, rest = split_key(board, table, key)
    bound = target + LOWER_ZERO if answer == YES else target - 1 + UPPER_ZERO
    entry = (rest << REST_SHIFT) | (work << WORK_SHIFT) | bound
    if entries[place] >> REST_SHIFT == rest:
        entries[place] = entry
    elif entries[place + 1] >> REST_SHIFT == rest:
        entries[place + 1] = entry
    elif (entries[place] >> WORK_SHIFT) & MOST_WORK <= work:
        entries[place + 1] = entries[place]
        entries[place] = entry
    else:
        entries[place + 1] = entry


@kernel(python_entry=False)
def double(board: SolverBoard, table: ScoreTable) -> None:
    """Double the table in place. The last pair goes first, so that no entry is overwritten before it is read."""
    entries, log = table.entries, int(table.log[0])
    table.log[0] = log + 1
    shift = board.bits - log  # number of key bits stored in an entry from now on
    for pair in range((1 << (log - 1)) - 1, -1, -1):
        first, second = entries[2 * pair], entries[2 * pair + 1]
        entries[4 * pair : 4 * pair + 4] = 0
        for entry in (first, second):
            if entry:
                rest = (entry >> REST_SHIFT) - 1
                place = 4 * pair + 2 * (rest >> shift)
                if entries[place]:
                    place += 1
                rest = (rest & ((1 << shift) - 1)) + 1
                entries[place] = (rest << REST_SHIFT) | (entry & ((1 << REST_SHIFT) - 1))


@kernel(python_entry=False, inline=True)
def in_book(board: SolverBoard, book: Book, own: int, mask: int) -> int:
    """The score of this position in the book, or NO_SCORE."""
    key = mixed_key(board, own, mask, True)
    bucket = low_word(key >> 8 * book.width)
    rest = low_word(key & ((1 << 8 * book.width) - 1))
    place, beyond = int(book.buckets[bucket]), int(book.buckets[bucket + 1])
    while place < beyond:
        middle = (place + beyond) >> 1
        entry = middle * (book.width + 1)
        rest_here = 0
        for byte in range(book.width):
            rest_here |= (int(book.entries[entry + byte]) & 255) << 8 * byte
        if rest_here == rest:
            return int(book.entries[entry + book.width])
        if rest_here < rest:
            place = middle + 1
        else:
            beyond = middle
    return NO_SCORE


@kernel(python_entry=False, inline=True)
def least_by_parents(board: SolverBoard, book: Book, own: int, mask: int) -> int:
    """A lower bound of the score, from the positions before the last move that are in the book.

    A parent is worth at least as much as the move that leads here: score of the parent >= -score.
    """
    least = -board.cells
    other = own ^ mask
    last = ((mask + board.bottom) >> 1) & other  # the opponent's stones on top of a column
    while last:
        stone = last & -last
        last ^= stone
        known = in_book(board, book, other ^ stone, mask ^ stone)
        if known != NO_SCORE:
            least = max(least, -known)
    return least
