"""The specialist: the exact score of any position with four in a row.

The score of a position is an integer for the player to move (the convention of Pascal Pons): 0 is a draw, +k a win with
one's k-th stone counted from the end of the board (so 1 is a win with one's very last stone, the latest possible), -k
a loss to the opponent's k-th stone from the end. Higher is always better: fastest win, slowest loss.

The search answers only yes-or-no questions: "is the score at least `target`?". A few such questions narrow the range
down to the score. The stack is explicit. A position and all its siblings are *judged* before any of them is searched:

- a sequence of forced moves is followed to its end; two threats at once, or no move that does not lose at once, decide
  the game;
- the shortest and the longest possible rest of the game bound the score; so does a player who can no longer complete
  any line;
- if an even number of cells is empty, the opponent can answer every move in the same column and so gets the even cells
  (Allis' claimeven; the cells with an even number of cells above them). If the player to move cannot complete a line
  with the other cells, the score is at most 0, and less if the even cells contain a line;
- if an odd number of cells is empty, and the opponent has a threat on an odd cell of a column with an odd number of
  empty cells, the player to move must finally play below it, unless they complete a line of their own first;
- a position that was searched before is in the table.

The proof of each rule is at its function. Undecided positions are searched, the move with most useful threats first.

Table entry: one word, so that threads can share the table without locks. Keys are exact (an invertible product):

    | rest of the key + 1 | work: 4 bits | bound: 7 bits |
    bound below 64: the score is at most bound - 32; else it is at least bound - 96

The upper bits of the key are the index of a pair of entries. The table starts small, so that it fits the processor's
caches, and doubles as nodes are searched: each pair is split into two by the key's next bit. Entries hold for every
search on the same board, so the table can be kept from one search to the next.

Stack frame, one per ply; the only child of frame 0 is the position itself:

    | KEY | TARGET | NODES_BEFORE | NEXT_CHILD | CHILD_COUNT | CHILD_TURNED | - | - | 9 children | their order |
    child:  | OWN | MASK | STONES | CHILD_TARGET | CANDIDATES | OPPONENT | CHILD_KEY | TURNED |
    order:  | rank | place of the child in the frame: 8 bits |, the highest rank first

On boards of more than 63 cells, spare cells included, sets of cells and keys have two words: the second half of the
frame holds the upper words.
"""

from __future__ import annotations

import mmap
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel, verb
from ludion.core.words import (
    MIXER,
    from_words,
    high_word,
    highest,
    is_wide,
    low_word,
    popcount,
    prefetch,
)
from ludion.engines.limits import NODE_LIMIT, NODES, STOP, UNLIMITED
from ludion.games.connect_four.rules import DropGame, Stones, drop_game

NO, YES, UNKNOWN = 0, 1, 2  # answers to "is the score at least `target`?"
NO_SCORE = -100  # the search was stopped, or the position is not in the book
LARGEST_LOG = 23  # entries of the table: 64 MB; a larger one costs more in cache misses than it saves
SMALLEST_LOG = 10
LARGEST_ZEROED_LOG = 13  # up to this size, clearing the entries costs less than mapping new pages
MOST_REST_BITS = 51  # key bits stored in an entry; with more, the entry could become negative
# Further entries of `control`: the proved bounds, low <= score <= high; whether another thread has found the answer;
# and the number of stones below which all children but the first are searched in reverse order, so that threads search
# them in different orders.
LOW, HIGH, ANSWERED, REVERSE_ORDER_BELOW = 12, 13, 14, 15

# The words of a frame.
KEY, TARGET, NODES_BEFORE, NEXT_CHILD, CHILD_COUNT, CHILD_TURNED = range(6)
CHILDREN, CHILD_WORDS, MOST_CHILDREN = 8, 8, 9
ORDER = CHILDREN + CHILD_WORDS * MOST_CHILDREN
FRAME_WORDS = ORDER + MOST_CHILDREN
# The words of a child after `judge`; before it, they are the move that leads to the child and the threats of the player
# who moved.
OWN, MASK, STONES, CHILD_TARGET, CANDIDATES, OPPONENT, CHILD_KEY, TURNED = range(8)
MOVE, THREATS = 0, 1
PLACE_BITS = 8
PLACE_MASK = (1 << PLACE_BITS) - 1

# The words of a table entry.
WORK_SHIFT, REST_SHIFT = 7, 11
MOST_WORK = 15
BOUND_MASK = (1 << WORK_SHIFT) - 1
FIRST_LOWER_BOUND, UPPER_ZERO, LOWER_ZERO = 64, 32, 96


class SolverBoard(NamedTuple):
    """The constants of a board that the search uses."""

    columns: int
    rows: int
    stride: int
    bottom: int
    full: int
    cells: int
    first_column: int
    even: int  # the cells with an even number of cells above them: with 6 rows those of rows 2, 4 and 6
    odd: int  # the other cells
    keys: int  # mask of all key bits
    bits: int  # number of key bits
    mirrored: int  # up to this many stones, a position and its mirror image share a table entry


class Standard(NamedTuple):
    """The board of 7 columns and 6 rows: the compiler knows all its numbers."""


@verb
def dimensions(shape: Any) -> SolverBoard:  # type: ignore[empty-body]
    """The board of this shape."""


@dimensions.register(SolverBoard)
def _(shape: SolverBoard) -> SolverBoard:
    return shape


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


def board_of(rules: DropGame) -> SolverBoard:
    """The board of a game."""
    even = sum(rules.bottom << row for row in range(rules.rows - 1, -1, -2))
    return SolverBoard(
        rules.columns,
        rules.rows,
        rules.stride,
        rules.bottom,
        rules.full,
        rules.cells,
        rules.first_column,
        even,
        rules.full ^ even,
        rules.bottom * ((1 << rules.stride) - 1),
        rules.columns * rules.stride,
        rules.cells * 2 // 5,
    )


_STANDARD = board_of(drop_game())
(_COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _FIRST, _EVEN, _ODD, _KEYS, _BITS, _MIRRORED) = _STANDARD


@dimensions.register(Standard)
def _(shape: Standard) -> SolverBoard:
    return SolverBoard(
        _COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _FIRST, _EVEN, _ODD, _KEYS, _BITS, _MIRRORED
    )


def shape_of(rules: DropGame) -> SolverBoard | Standard:
    """The first argument of the kernels: the search is compiled once for the standard board and once for all others."""
    board = board_of(rules)
    return Standard() if board == _STANDARD else board


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


def new_stack(board: SolverBoard) -> np.ndarray:
    """The stack of a search."""
    return np.zeros((board.cells + 2, FRAME_WORDS * (2 if is_wide(board.full) else 1)), np.int64)


@kernel(python_entry=False, inline=True)
def write_cells(stack: Any, ply: int, place: int, cells: int) -> None:
    """Write a set of cells or a key into a frame."""
    stack[ply, place] = low_word(cells)
    if is_wide(cells):
        stack[ply, FRAME_WORDS + place] = high_word(cells)


@kernel(python_entry=False, inline=True)
def read_cells(board: SolverBoard, stack: Any, ply: int, place: int) -> int:
    """Read a set of cells or a key from a frame."""
    high = stack[ply, FRAME_WORDS + place] if is_wide(board.full) else 0
    return from_words(int(stack[ply, place]), high, board.full)


# ------------------------------------------------------------------ lines and threats


@kernel(python_entry=False, inline=True)
def threats(board: SolverBoard, stones: int, mask: int) -> int:
    """The empty cells that would complete a line of four."""
    cells = (stones << 1) & (stones << 2) & (stones << 3)
    for step in range(board.stride - 1, board.stride + 2):
        pair = (stones << step) & (stones << 2 * step)
        cells |= pair & ((stones << 3 * step) | (stones >> step))
        pair = (stones >> step) & (stones >> 2 * step)
        cells |= pair & ((stones << step) | (stones >> 3 * step))
    return cells & (board.full ^ mask)


@kernel(python_entry=False, inline=True)
def has_four(board: SolverBoard, stones: int) -> bool:
    """Whether the cells contain a line of four."""
    pair = stones & (stones >> 1)
    lines = pair & (pair >> 2)
    for step in range(board.stride - 1, board.stride + 2):
        pair = stones & (stones >> step)
        lines |= pair & (pair >> 2 * step)
    return lines != 0


@kernel(python_entry=False, inline=True)
def mirror_image(board: SolverBoard, cells: int) -> int:
    """The mirror image of a set of cells."""
    image = cells ^ cells
    column = (1 << board.stride) - 1
    for _ in range(board.columns):
        image = (image << board.stride) | (cells & column)
        cells >>= board.stride
    return image


@kernel(python_entry=False, inline=True)
def key_of(board: SolverBoard, own: int, mask: int) -> int:
    """A number that identifies the position: per column, one bit per stone (1: own) below a leading 1."""
    return own + mask + board.bottom


# ------------------------------------------------------------------ judging a position without searching it


@kernel(python_entry=False, inline=True)
def column_at(board: SolverBoard, rank: int) -> int:
    """The column with this rank; columns are ranked from the middle outwards."""
    distance = (rank + 1) >> 1
    if (rank ^ board.columns) & 1 == 0:
        distance = -distance
    return ((board.columns - 1) >> 1) + distance


@kernel(python_entry=False, inline=True)
def column_cells(board: SolverBoard, column: int) -> int:
    """The cells of a column."""
    return board.first_column << column * board.stride


@kernel(python_entry=False, inline=True)
def even_bound(board: SolverBoard, theirs: int) -> int:
    """The best score of the player to move if the opponent, who makes the last move, gets all these cells.

    A line in an even row r is completed at the latest when all other columns are full and its last column has r stones:
    the opponent then has (rows - r) / 2 stones left.
    """
    pair = theirs & (theirs >> 2 * board.stride)
    level = pair & (pair >> board.stride)
    if level:
        row = board.bottom << (1 - (board.rows & 1))
        bound = -((board.rows + 1) >> 1)
        while level & row == 0 and bound < -1:
            row <<= 2
            bound += 1
        return bound
    pair = theirs & (theirs >> 2 * (board.stride - 1))
    slanted = pair & (pair >> (board.stride - 1))
    pair = theirs & (theirs >> 2 * (board.stride + 1))
    slanted |= pair & (pair >> (board.stride + 1))
    return -1 if slanted else 0


@kernel(python_entry=False, inline=True)
def above_even_threats(board: SolverBoard, even_threats: int) -> int:
    """The odd cells above these even cells: the player who plays the lower cell of each pair loses before them."""
    reached = even_threats
    for _ in range(((board.rows + 1) >> 1) - 1):
        reached |= (reached << 2) & board.even & ~board.bottom  # not into the next column
    return (reached << 1) & board.full


@kernel(python_entry=False, inline=True)
def shared_four(board: SolverBoard, cells: int, pairs: int) -> bool:
    """Whether the cells can contain a line of four if only one cell of each pair may be used.

    `pairs` is a subset of the cells: the two lowest are a pair, the next two another, and so on.
    """
    if not has_four(board, cells):
        return False
    for choice in range(1 << (popcount(pairs) >> 1)):
        rest, counted = pairs, cells
        while rest:
            first = rest & -rest
            second = (rest ^ first) & -(rest ^ first)
            rest ^= first | second
            counted ^= first if choice & 1 else second
            choice >>= 1
        if has_four(board, counted):
            return True
    return False


@kernel(python_entry=False, inline=True)
def odd_threat_bound(board: SolverBoard, own: int, mask: int, opponent: int) -> int:
    """An upper bound of the score from an odd threat of the opponent; `cells` if there is no such bound.

    An odd number of cells is empty, so the player to move would also fill the last cell of the board.

    The opponent has a threat t on an odd cell of a column with an odd number of empty cells. The number of other such
    columns is even: the opponent pairs them, answers the first move into one of them in its partner, and answers every
    other move in the same column. So the player to move gets only these empty cells: odd ones (not above an even threat
    of the opponent, who would play there and win), one cell of each pair of columns, and in the column of t the even
    cells below it. If no line can be completed with these, the player to move must finally play below t.
    """
    ready = ((mask + board.bottom) & board.full) & board.even  # the next cells of these columns
    rest = ready
    while rest:
        cell = rest & -rest
        rest ^= cell
        column = ((board.full + cell) ^ board.full) & board.full  # from this cell up
        threat = opponent & column & board.odd
        if threat:
            threat &= -threat
            paired = ready ^ cell
            out_of_reach = above_even_threats(board, opponent & board.even & ~column & ~paired)
            mine = (
                own
                | (board.odd & ~mask & ~column & ~out_of_reach)
                | (board.even & column & (threat - 1))
                | paired
            )
            if not shared_four(board, mine, paired):
                return -((popcount(column & ~(threat | (threat - 1))) >> 1) + 1)
            return board.cells
    return board.cells


class Judgement(NamedTuple):
    """The answer to a question, or the question that remains after forced moves."""

    answer: int  # to the question as it was asked
    own: int  # the position and the target after forced moves
    mask: int
    stones: int
    target: int
    turned: int  # 1 if the other player is now to move: then the answer is inverted
    candidates: int  # the moves that do not lose at once
    opponent: int  # the threats of the player who is not to move


@kernel(python_entry=False, inline=True)
def judge(board: SolverBoard, own: int, mask: int, stones: int, target: int, opponent: int) -> Judgement:
    """Is the score of the player to move, who cannot win at once, at least `target`?

    `opponent` are the threats of the other player.
    """
    turned = 0
    while True:
        candidates = (mask + board.bottom) & board.full
        forced = candidates & opponent
        if forced:
            candidates = forced if forced & (forced - 1) == 0 else 0
        candidates &= ~(opponent >> 1)
        answer = UNKNOWN
        if candidates == 0:
            answer = YES if target <= -((board.cells - stones) >> 1) else NO
        elif stones >= board.cells - 2:
            answer = YES if target <= 0 else NO
        elif target <= -((board.cells - 2 - stones) >> 1):
            answer = YES
        elif target > (board.cells - 1 - stones) >> 1:
            answer = NO
        if answer != UNKNOWN:
            return Judgement(answer ^ turned, own, mask, stones, target, turned, candidates, opponent)
        if candidates & (candidates - 1):
            break
        own ^= mask  # play the only move and invert the question
        mask |= candidates
        stones += 1
        target = 1 - target
        turned ^= 1
        opponent = threats(board, own ^ mask, mask)
    answer = judge_lines(board, own, mask, stones, target, opponent)
    if answer != UNKNOWN:
        answer ^= turned
    return Judgement(answer, own, mask, stones, target, turned, candidates, opponent)


@kernel(python_entry=False, inline=True)
def judge_lines(board: SolverBoard, own: int, mask: int, stones: int, target: int, opponent: int) -> int:
    """Answer the question from the lines that are still possible, or UNKNOWN."""
    free = board.full ^ mask
    if target > 0:
        if not has_four(board, own | free):
            return NO
    elif not has_four(board, (own ^ mask) | free):
        return YES
    if target > -((board.rows + 1) >> 1):
        if (board.cells - stones) & 1:
            if target > odd_threat_bound(board, own, mask, opponent):
                return NO
        else:
            ready = (mask + board.bottom) & board.full
            theirs = (own ^ mask) | (board.even & free & ~ready)
            lost = above_even_threats(board, opponent & board.even & ~ready)
            if target > even_bound(board, theirs) and not has_four(board, (board.full ^ theirs) & ~lost):
                return NO
    return UNKNOWN


# ------------------------------------------------------------------ the table and the book


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
def look_up(board: SolverBoard, entries: Any, log: int, key: int, target: int) -> int:
    """The answer of the table to "is the score at least `target`?"."""
    shift = board.bits - log + 1
    place = low_word(key >> shift) << 1
    rest = low_word(key & ((1 << shift) - 1)) + 1
    entry = entries[place]
    if entry >> REST_SHIFT != rest:
        entry = entries[place + 1]
        if entry >> REST_SHIFT != rest:
            return UNKNOWN
    bound = entry & BOUND_MASK
    if bound >= FIRST_LOWER_BOUND:
        return YES if bound - LOWER_ZERO >= target else UNKNOWN
    return NO if bound - UPPER_ZERO < target else UNKNOWN


@kernel(python_entry=False, inline=True)
def store(board: SolverBoard, entries: Any, log: int, key: int, target: int, answer: int, work: int) -> None:
    """Write an entry: over an older one of the position, else first if it took as much work, else second."""
    shift = board.bits - log + 1
    place = low_word(key >> shift) << 1
    rest = low_word(key & ((1 << shift) - 1)) + 1
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
def double(board: SolverBoard, entries: Any, log: int) -> None:
    """Double the table in place. The last pair goes first, so that no entry is overwritten before it is read."""
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


# ------------------------------------------------------------------ the search


@kernel
def score_between(
    shape: Any,
    own: int,
    mask: int,
    low: int,
    high: int,
    book: Book,
    table: ScoreTable,
    stack: Any,
    control: Any,
) -> int:
    """The score of an open position, clamped to the range from low to high.

    NO_SCORE if stopped. For a finished search with the true score s, low < high:
        result = low    s <= low
        result = high   s >= high
        else            s = result
    """
    board = dimensions(shape)
    stones = popcount(mask)
    if threats(board, own, mask) & (mask + board.bottom) & board.full:
        return min(max((board.cells + 1 - stones) >> 1, low), high)  # type: ignore[no-any-return]
    if stones <= book.plies:
        known = in_book(board, book, own, mask)
        if known != NO_SCORE:
            return min(max(known, low), high)
    least, most = -((board.cells - stones) >> 1), (board.cells - 1 - stones) >> 1
    if stones <= book.plies + 1:
        least = max(least, least_by_parents(board, book, own, mask))
    lower, upper = low, high
    low, high = min(max(low, least), most), max(min(high, most), least)
    asked = 0
    while low < high:  # low <= score <= high
        control[LOW], control[HIGH] = low, high
        target = next_target(asked, low, high, least, most)
        asked += 1
        answer = ask(board, own, mask, stones, target, book, table, stack, control)
        if answer == UNKNOWN:
            return NO_SCORE
        if answer == YES:
            low = target
        else:
            high = target - 1
    return min(max(low, lower), upper)


@kernel(python_entry=False, inline=True)
def next_target(asked: int, low: int, high: int, least: int, most: int) -> int:
    """The target of the next question, low < target <= high; `asked` questions have been answered."""
    if asked == 0:  # an early win, or an early loss? Cheap questions, which often decide easy positions
        target = (most >> 1) + 1
    elif asked == 1:
        target = least >> 1
    elif low <= 0 < high:  # who wins; then how soon, late ends first
        target = 1
    elif low <= -1 < high:
        target = 0
    elif low > 0:
        target = low + ((high - low) >> 2) + 1
    else:
        target = high - ((high - low) >> 2)
    return min(max(target, low + 1), high)


@kernel(python_entry=False, inline=True)
def node_capacity(entries: Any, log: int) -> int:
    """The number of nodes after which the table doubles: one per entry, until it has its largest size."""
    return 1 << log if 1 << log < entries.size else UNLIMITED


class Node(NamedTuple):
    """A position whose player to move cannot win at once, and the question: is its score at least `target`?"""

    own: int
    mask: int
    stones: int
    target: int
    candidates: int  # the moves that do not lose at once
    opponent: int  # the threats of the player who is not to move
    key: int


@kernel(count_references=False, inline=True)
def ask(
    board: SolverBoard,
    own: int,
    mask: int,
    stones: int,
    target: int,
    book: Book,
    table: ScoreTable,
    stack: Any,
    control: Any,
) -> int:
    """Is the score of the player to move, who cannot win at once, at least `target`? UNKNOWN if stopped."""
    entries, log = table.entries, int(table.log[0])
    most_nodes = node_capacity(entries, log)
    reverse_below = control[REVERSE_ORDER_BELOW]
    # Frame 0 stands for the position before the last move, with the inverted question.
    nothing = mask ^ mask
    node = Node(own ^ mask, mask, stones - 1, 1 - target, nothing, nothing, nothing)
    ply = 0
    while True:
        control[NODES] += 1
        if control[STOP] != 0 or control[ANSWERED] != 0 or control[NODES] > control[NODE_LIMIT]:
            control[NODES] -= 1
            return UNKNOWN
        if control[NODES] > most_nodes:
            double(board, entries, log)
            log += 1
            table.log[0] = log
            most_nodes = node_capacity(entries, log)
        answer = enter(board, node, book, entries, log, stack, ply, control[NODES], reverse_below)
        is_entered = False
        while not is_entered:  # go back to the last node with an unsearched child, and enter this child
            if answer != UNKNOWN:
                if ply == 0:
                    return NO if answer == YES else YES
                store_answer(board, entries, log, stack, ply, answer, control[NODES])
                ply -= 1
                answer = answer_of_child(answer, stack[ply, CHILD_TURNED])
            elif stack[ply, NEXT_CHILD] == stack[ply, CHILD_COUNT]:
                answer = NO
            else:
                node = next_child(board, stack, ply)
                # The search of its siblings may have answered it.
                known = look_up(board, entries, log, node.key, node.target)
                if known == UNKNOWN:
                    ply += 1
                    is_entered = True
                else:
                    answer = answer_of_child(known, stack[ply, CHILD_TURNED])


@kernel(python_entry=False, inline=True)
def enter(
    board: SolverBoard,
    node: Node,
    book: Book,
    entries: Any,
    log: int,
    stack: Any,
    ply: int,
    nodes: int,
    reverse_below: int,
) -> int:
    """Answer the question without searching, or write the children to search into the frame and return UNKNOWN."""
    write_cells(stack, ply, KEY, node.key)
    stack[ply, TARGET] = node.target
    stack[ply, NODES_BEFORE] = nodes
    answer = UNKNOWN
    count = 0
    if ply == 0:
        write_cells(stack, ply, CHILDREN + MOVE, node.mask ^ node.mask)
        write_cells(stack, ply, CHILDREN + THREATS, threats(board, node.own, node.mask))
        count = 1
    else:
        if node.stones <= book.plies:
            known = in_book(board, book, node.own, node.mask)
            if known != NO_SCORE:
                answer = YES if known >= node.target else NO
        if answer == UNKNOWN:
            answer, count = list_moves(board, node.own, node.mask, node.candidates, stack, ply)
        if answer == UNKNOWN and node.target > (board.cells - 3 - node.stones) >> 1:
            answer = NO  # no win within three plies
    if answer == UNKNOWN:
        answer, count = judge_children(board, node, entries, log, stack, ply, count)
    if answer == UNKNOWN:
        answer, count = look_up_children(board, entries, log, stack, ply, count)
        if node.stones < reverse_below:
            reverse_children(stack, ply, count)
        stack[ply, NEXT_CHILD] = 0
        stack[ply, CHILD_COUNT] = count
    return answer


@kernel(python_entry=False, inline=True)
def next_child(board: SolverBoard, stack: Any, ply: int) -> Node:
    """Take the next child of the frame."""
    turn = stack[ply, NEXT_CHILD]
    stack[ply, NEXT_CHILD] = turn + 1
    child = stack[ply, ORDER + turn] & PLACE_MASK
    stack[ply, CHILD_TURNED] = stack[ply, child + TURNED]
    return Node(
        read_cells(board, stack, ply, child + OWN),
        read_cells(board, stack, ply, child + MASK),
        int(stack[ply, child + STONES]),
        int(stack[ply, child + CHILD_TARGET]),
        read_cells(board, stack, ply, child + CANDIDATES),
        read_cells(board, stack, ply, child + OPPONENT),
        read_cells(board, stack, ply, child + CHILD_KEY),
    )


@kernel(python_entry=False, inline=True)
def answer_of_child(answer: int, turned: int) -> int:
    """What the answer about a child means for its parent: YES, or UNKNOWN since another child may still be YES."""
    return YES if answer ^ turned == NO else UNKNOWN


@kernel(python_entry=False, inline=True)
def store_answer(
    board: SolverBoard, entries: Any, log: int, stack: Any, ply: int, answer: int, nodes: int
) -> None:
    """Store the answer to the question of a frame, with the nodes that it took."""
    work = min(highest(nodes - stack[ply, NODES_BEFORE] + 1) >> 1, MOST_WORK)
    store(board, entries, log, read_cells(board, stack, ply, KEY), stack[ply, TARGET], answer, work)


@kernel(python_entry=False, inline=True)
def list_moves(
    board: SolverBoard, own: int, mask: int, candidates: int, stack: Any, ply: int
) -> tuple[int, int]:
    """Write the moves into the frame, middle columns first, with the threats after each.

    Return YES if one of them wins by force, else UNKNOWN; and the number of moves.
    """
    answer = UNKNOWN
    count = 0
    for i in range(board.columns):
        move = candidates & column_cells(board, column_at(board, i))
        if move and answer == UNKNOWN:
            new_mask = mask | move
            mine = threats(board, own | move, new_mask)
            ready = (new_mask + board.bottom) & board.full
            direct = mine & ready
            if direct:
                if direct & (direct - 1) or (direct << 1) & mine:
                    answer = YES  # two threats at once, or one above the other
            elif ready & ~(mine >> 1) == 0:
                answer = YES  # every reply is below one of our threats
            write_cells(stack, ply, CHILDREN + CHILD_WORDS * count + MOVE, move)
            write_cells(stack, ply, CHILDREN + CHILD_WORDS * count + THREATS, mine)
            count += 1
    return answer, count


@kernel(python_entry=False, inline=True)
def judge_children(
    board: SolverBoard, node: Node, entries: Any, log: int, stack: Any, ply: int, moves: int
) -> tuple[int, int]:
    """Judge the position after each move, and sort the undecided ones: the move with most useful threats first.

    Return YES if one of them answers the question, else UNKNOWN; and the number of undecided ones.
    """
    count = 0
    for i in range(moves):
        child = CHILDREN + CHILD_WORDS * i
        move = read_cells(board, stack, ply, child + MOVE)
        mine = read_cells(board, stack, ply, child + THREATS)
        after = judge(board, node.own ^ node.mask, node.mask | move, node.stones + 1, 1 - node.target, mine)
        if after.answer == NO:
            return YES, count
        if after.answer == YES:
            continue
        key = mixed_key(board, after.own, after.mask, after.stones <= board.mirrored)
        prefetch(entries, low_word(key >> (board.bits - log + 1)) << 1)
        # A threat is useless above a threat of the opponent, or above two own threats on top of each other.
        useless = ((node.opponent & ~move) << 1) | ((mine & (mine << 1)) << 1)
        useless |= useless << 1
        useless |= useless << 2
        useful = mine & ~useless
        ready = (node.mask + move + board.bottom) & board.full
        rank = popcount(useful) * 4 + popcount(useful & (ready << 1)) * 2
        write_cells(stack, ply, child + OWN, after.own)
        write_cells(stack, ply, child + MASK, after.mask)
        stack[ply, child + STONES] = after.stones
        stack[ply, child + CHILD_TARGET] = after.target
        write_cells(stack, ply, child + CANDIDATES, after.candidates)
        write_cells(stack, ply, child + OPPONENT, after.opponent)
        write_cells(stack, ply, child + CHILD_KEY, key)
        stack[ply, child + TURNED] = after.turned
        j = count
        while j > 0 and stack[ply, ORDER + j - 1] >> PLACE_BITS < rank:
            stack[ply, ORDER + j] = stack[ply, ORDER + j - 1]
            j -= 1
        stack[ply, ORDER + j] = (rank << PLACE_BITS) | child
        count += 1
    return UNKNOWN, count


@kernel(python_entry=False, inline=True)
def look_up_children(
    board: SolverBoard, entries: Any, log: int, stack: Any, ply: int, children: int
) -> tuple[int, int]:
    """Remove the children that the table answers.

    Return YES if one of these answers the question, NO if no child is left, else UNKNOWN; and the number that is left.
    """
    count = 0
    for i in range(children):
        entry = stack[ply, ORDER + i]
        child = entry & PLACE_MASK
        key, target = read_cells(board, stack, ply, child + CHILD_KEY), stack[ply, child + CHILD_TARGET]
        known = look_up(board, entries, log, key, target)
        if known == UNKNOWN:
            stack[ply, ORDER + count] = entry
            count += 1
        elif known ^ stack[ply, child + TURNED] == NO:
            return YES, count
    return NO if count == 0 else UNKNOWN, count


@kernel(python_entry=False, inline=True)
def reverse_children(stack: Any, ply: int, count: int) -> None:
    """Reverse the order of the children after the first."""
    for i in range(1, (count + 1) >> 1):
        last = stack[ply, ORDER + count - i]
        stack[ply, ORDER + count - i] = stack[ply, ORDER + i]
        stack[ply, ORDER + i] = last


@kernel
def best_line(
    shape: Any,
    own: int,
    mask: int,
    score: int,
    is_weak: bool,
    spare_nodes: int,
    book: Book,
    table: ScoreTable,
    stack: Any,
    control: Any,
    line: Any,
) -> int:
    """Write a line of best moves from an open position with this score; return its length.

    The line ends early if the search is stopped, or if the moves after the first cost more than half the nodes spent
    before plus `spare_nodes`.
    """
    board = dimensions(shape)
    stones = popcount(mask)
    count = 0
    is_over = False
    while not is_over:
        column = best_column(shape, own, mask, score, is_weak, book, table, stack, control)
        if column < 0:
            return count
        if count == 0:
            most_nodes = control[NODES] * 3 // 2 + spare_nodes
            control[NODE_LIMIT] = min(control[NODE_LIMIT], most_nodes)
        line[count] = column
        count += 1
        own, mask = own ^ mask, mask | ((mask + board.bottom) & column_cells(board, column))
        score = -score
        is_over = stones + count == board.cells or has_four(board, own ^ mask)
    return count


@kernel(python_entry=False)
def best_column(
    shape: Any,
    own: int,
    mask: int,
    score: int,
    is_weak: bool,
    book: Book,
    table: ScoreTable,
    stack: Any,
    control: Any,
) -> int:
    """The first column, from the middle, that keeps the score of this open position; -1 if stopped.

    Columns whose score is in the book come first. With `is_weak` every column keeps a loss: then it is the first column
    after which the opponent does not win at once, if there is one.
    """
    board = dimensions(shape)
    ready = (mask + board.bottom) & board.full
    wins = threats(board, own, mask) & ready
    other = own ^ mask
    if popcount(mask) < book.plies and not wins and not (is_weak and score < 0):
        for i in range(board.columns):
            column = column_at(board, i)
            move = ready & column_cells(board, column)
            known = in_book(board, book, other, mask | move) if move else NO_SCORE
            if known != NO_SCORE and min(max(known, -score), 1 - score) == -score:
                return column
    any_column = -1  # the first open column, for positions where all lose
    for i in range(board.columns):
        column = column_at(board, i)
        move = ready & (wins if wins else ready) & column_cells(board, column)
        if not move:
            continue
        after = mask | move
        if wins or after == board.full:
            return column
        if is_weak and score < 0:
            any_column = column if any_column < 0 else any_column
            if threats(board, other, after) & (after + board.bottom) & board.full == 0:
                return column
        else:
            # Every child is worth at least -score to the opponent; one that is worth exactly that keeps the score.
            value = score_between(shape, other, after, -score, 1 - score, book, table, stack, control)
            if value == NO_SCORE:
                return -1
            if value == -score:
                return column
    return any_column


@kernel
def score_position(
    shape: Any,
    own: int,
    mask: int,
    low: int,
    high: int,
    first_log: int,
    buckets: Any,
    book_entries: Any,
    width: int,
    plies: int,
    entries: Any,
    log: Any,
    stack: Any,
    control: Any,
) -> int:
    """`score_between` for calls from Python: with arrays and numbers only, since each tuple costs 0.5 us per call.

    If `first_log` is positive, the table is cleared and begins with 2**first_log entries.
    """
    if first_log > 0:
        entries[: 1 << log[0]] = 0
        log[0] = first_log
        control[NODES] = 0
    book, table = Book(buckets, book_entries, width, plies), ScoreTable(entries, log)
    return score_between(shape, own, mask, low, high, book, table, stack, control)


class Scorer:
    """Scores open positions of one board, call after call, with one table.

    A call costs about a microsecond more than its search.
    """

    def __init__(self, rules: DropGame, book: Book = NO_BOOK, fewest_stones: int = 0) -> None:
        """The table grows as large as positions with at least `fewest_stones` need."""
        board = board_of(rules)
        table = new_table(board, fewest_stones)
        self.shape, self.cells, self.first_log = shape_of(rules), board.cells, int(table.log[0])
        self.control = np.zeros(16, np.int64)
        self.control[NODE_LIMIT] = UNLIMITED
        self._state = (*book, *table, new_stack(board), self.control)

    def score(self, position: Stones, weak: bool = False, fresh: bool = False) -> int:
        """The score of a position, or only its sign if `weak`; with `fresh` the table is cleared before."""
        most = 1 if weak else self.cells
        first_log = self.first_log if fresh else 0
        return score_position(self.shape, position.own, position.mask, -most, most, first_log, *self._state)

    def nodes(self) -> int:
        """The nodes of all calls since the table was last cleared."""
        return int(self.control[NODES])


def batch(
    rules: DropGame, positions: list[Stones], weak: bool = False, fresh: bool = False, book: Book = NO_BOOK
) -> list[int]:
    """The scores of many open positions at once."""
    fewest = min((position.mask.bit_count() for position in positions), default=0)
    scorer = Scorer(rules, book, fewest)
    return [scorer.score(position, weak, fresh) for position in positions]
