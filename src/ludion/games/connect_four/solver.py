"""The specialist: the exact score of any position with four in a row.

The score of a position is an integer for the player to move (the convention of Pascal Pons): 0 is a draw, +k
a win with one's k-th stone counted from the end of the board (so 1 is a win with one's very last stone, the
latest possible), -k a loss to the opponent's k-th stone from the end. Higher is always better: fastest win,
slowest loss.

The search answers one kind of question, "is the score at least b?", by yes or no; a few such questions, each
nearer, find the score. It keeps its own stack. A position is *judged* before it is entered, together with
all its siblings:

- a chain of forced answers is followed to its end; two threats at once, or no move but one that gives the
  game away, decide it;
- the longest and the shortest way a game can still take bound the score; so does a player without any line
  left;
- if the opponent can answer every move in the same column, the even cells are theirs (Allis' claimeven): if
  the other cells hold no line for the first player, the score is at most 0, or less if the even cells hold a
  line;
- if the first player has a threat on an odd cell in a column of odd height, the second player must in the
  end play below it, unless they can make a line of their own before;
- a position met before is in the table.

Each rule is proved where it stands. What is left open is searched, the move that makes most useful threats
first.

Table entry, one word, so that threads may share it without locks; keys are exact (a product that can be
inverted):

    | rest of the key + 1 | work: 4 bits | bound: 7 bits, below 64 "at most v - 32", else "at least v - 96" |
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel, verb
from ludion.core.words import MIXER, highest, popcount, prefetch
from ludion.engines.limits import NODE_LIMIT, NODES, STOP
from ludion.games.connect_four.rules import DropGame, Stones, drop_game

NO, YES, UNKNOWN = 0, 1, 2
LARGEST_LOG = 23  # entries of the table: 64 MB; a larger one costs more in cache misses than it saves
SMALLEST_LOG = 10
# Words of a frame of the stack; where its children, and their order, begin.
FRAME, SLOTS, RANKS = 8 + 9 * 8 + 9, 8, 80
ENDED = -100  # no score: the search was stopped
# Further entries of `control`: what is proved of the score; another thread has the answer; with fewer stones than
# this, the children after the first are taken from behind, so that threads do not all do the same.
LOW, HIGH, ENOUGH, TWIST = 12, 13, 14, 15


class Board(NamedTuple):
    """What the search needs to know of the board."""

    columns: int
    rows: int
    stride: int
    bottom: int
    full: int
    cells: int
    even: int  # the cells of rows 2, 4, ...; 0 if the number of rows is odd: no parity rules then
    odd: int
    bits: int  # of a key
    mirrored: int  # up to how many stones a position and its mirror image share an entry


class Standard(NamedTuple):
    """The board of 7 columns and 6 rows, all numbers of which the compiler knows."""


@verb
def dimensions(shape: Any) -> Board:  # type: ignore[empty-body]
    """The board of this shape."""


@dimensions.register(Board)
def _(shape: Board) -> Board:
    return shape


class Book(NamedTuple):
    """Known scores: sorted keys of positions (the smaller of the two mirror images), and their scores."""

    keys: np.ndarray
    scores: np.ndarray
    plies: int  # no entry has more stones


NO_BOOK = Book(np.zeros(0, np.int64), np.zeros(0, np.int8), -1)


def board_of(rules: DropGame) -> Board:
    """The board of a game."""
    even = sum(rules.bottom << row for row in range(1, rules.rows, 2)) if rules.rows % 2 == 0 else 0
    return Board(
        rules.columns,
        rules.rows,
        rules.stride,
        rules.bottom,
        rules.full,
        rules.cells,
        even,
        rules.full ^ even if even else 0,
        rules.columns * rules.stride,
        rules.cells * 2 // 5,
    )


_STANDARD = board_of(drop_game())
(_COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _EVEN, _ODD, _BITS, _MIRRORED) = _STANDARD


@dimensions.register(Standard)
def _(shape: Standard) -> Board:
    return Board(_COLUMNS, _ROWS, _STRIDE, _BOTTOM, _FULL, _CELLS, _EVEN, _ODD, _BITS, _MIRRORED)


def shape_of(rules: DropGame) -> Board | Standard:
    """The shape that the search is compiled for: the standard board, or any."""
    board = board_of(rules)
    return Standard() if board == _STANDARD else board


def new_table(
    board: Board, stones: int, memory: int = 8 << LARGEST_LOG, largest_log: int = LARGEST_LOG
) -> np.ndarray:
    """A table that is large enough for a position with so many stones, and within the memory (bytes)."""
    log = min(largest_log, max(SMALLEST_LOG, board.cells - stones - 4), board.bits)
    return np.zeros(1 << min(log, max(memory // 8, 2).bit_length() - 1), np.int64)


def new_stack(board: Board) -> np.ndarray:
    """The stack of a search."""
    return np.zeros((board.cells + 2, FRAME), np.int64)


# ------------------------------------------------------------------ lines and threats


@kernel(python_entry=False, inline=True)
def threats(board: Board, stones: int, mask: int) -> int:
    """The empty cells that would complete a line of four."""
    found = (stones << 1) & (stones << 2) & (stones << 3)
    for step in range(board.stride - 1, board.stride + 2):
        pair = (stones << step) & (stones << 2 * step)
        found |= pair & ((stones << 3 * step) | (stones >> step))
        pair = (stones >> step) & (stones >> 2 * step)
        found |= pair & ((stones << step) | (stones >> 3 * step))
    return found & (board.full ^ mask)


@kernel(python_entry=False, inline=True)
def has_four(board: Board, stones: int) -> bool:
    """Whether the cells hold a line of four."""
    pair = stones & (stones >> 1)
    found = pair & (pair >> 2)
    for step in range(board.stride - 1, board.stride + 2):
        pair = stones & (stones >> step)
        found |= pair & (pair >> 2 * step)
    return found != 0


@kernel(python_entry=False, inline=True)
def mirror_image(board: Board, cells: int) -> int:
    """The cells seen in a mirror."""
    image = 0
    column = (1 << board.stride) - 1
    for _ in range(board.columns):
        image = (image << board.stride) | (cells & column)
        cells >>= board.stride
    return image


@kernel(python_entry=False, inline=True)
def key_of(board: Board, own: int, mask: int) -> int:
    """A number that names the position: the column codes are its stones below a leading 1."""
    return own + mask + board.bottom


@kernel
def canonical_key(board: Board, own: int, mask: int) -> int:
    """The smaller key of the position and its mirror image."""
    key = key_of(board, own, mask)
    return min(key, mirror_image(board, key))


# ------------------------------------------------------------------ judging a position without searching it


@kernel(python_entry=False, inline=True)
def column_cells(board: Board, rank: int) -> int:
    """The cells of a column, counted from the middle outwards."""
    column = (board.columns - 1) >> 1
    distance = (rank + 1) >> 1
    if (rank ^ board.columns) & 1:
        column += distance
    else:
        column -= distance
    return ((1 << board.rows) - 1) << column * board.stride


@kernel(python_entry=False, inline=True)
def even_bound(board: Board, theirs: int) -> int:
    """The best score of the first player, to move, if the second player will hold all these cells.

    A line in row r is complete at the latest when its column is the last one and r stones high: the second
    player then has (rows - r) / 2 stones left.
    """
    pair = theirs & (theirs >> 2 * board.stride)
    level = pair & (pair >> board.stride)
    if level:
        row = board.bottom << 1
        bound = -(board.rows >> 1)
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
def above_even_threats(board: Board, even_threats: int) -> int:
    """The odd cells above these even cells: whoever must begin each pair of cells loses before reaching
    them."""
    reached = even_threats
    for _ in range((board.rows >> 1) - 1):
        reached |= (reached << 2) & board.even
    return (reached << 1) & board.full


@kernel(python_entry=False, inline=True)
def shared_four(board: Board, cells: int, pairs: int) -> bool:
    """Whether the cells, with only one of each two neighbours in `pairs` (a subset of them), can hold a
    line."""
    if not has_four(board, cells):
        return False
    for choice in range(1 << (popcount(pairs) >> 1)):
        rest, kept = pairs, cells
        while rest:
            first = rest & -rest
            second = (rest ^ first) & -(rest ^ first)
            rest ^= first | second
            kept ^= first if choice & 1 else second
            choice >>= 1
        if has_four(board, kept):
            return True
    return False


@kernel(python_entry=False, inline=True)
def odd_threat_bound(board: Board, own: int, mask: int, opponent: int) -> int:
    """The best score that a threat of the first player leaves to the second, who is to move; `cells` if none
    does.

    The first player has a threat t on an odd cell of a column of odd height. They answer every move in its
    column, and the other columns of odd height, an even number, in pairs. So the second player gets of the
    rest only odd cells (not those above an even threat of the first player, who would take it and win), one
    cell of each pair, and in the column of t the even cells below it. If that makes no line, they must in
    the end play below t.
    """
    ready = ((mask + board.bottom) & board.full) & board.even  # the next cells of the columns of odd height
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


@kernel(python_entry=False, inline=True)
def judge(board: Board, own: int, mask: int, stones: int, b: int, opponent: int) -> Any:
    """Is the score of the player to move, who cannot win at once, at least b? `opponent` are the other's
    threats.

    Return (verdict, own, mask, stones, b, turned, candidates, opponent): the verdict on the question as it
    was asked; the position and the question that are left after forced moves, `turned` being 1 if it is now
    the other player's question (then the answer to the first is the contrary); and the moves that do not
    lose at once.
    """
    turned = 0
    while True:
        candidates = (mask + board.bottom) & board.full
        forced = candidates & opponent
        if forced:
            candidates = forced if forced & (forced - 1) == 0 else 0
        candidates &= ~(opponent >> 1)
        verdict = UNKNOWN
        if candidates == 0:
            verdict = YES if b <= -((board.cells - stones) >> 1) else NO
        elif stones >= board.cells - 2:
            verdict = YES if b <= 0 else NO
        elif b <= -((board.cells - 2 - stones) >> 1):
            verdict = YES
        elif b > (board.cells - 1 - stones) >> 1:
            verdict = NO
        if verdict != UNKNOWN:
            return verdict ^ turned, own, mask, stones, b, turned, candidates, opponent
        if candidates & (candidates - 1):
            break
        own ^= mask
        mask |= candidates
        stones += 1
        b = 1 - b
        turned ^= 1
        opponent = threats(board, own ^ mask, mask)
    free = board.full ^ mask
    if b > 0:
        if not has_four(board, own | free):
            return turned, own, mask, stones, b, turned, candidates, opponent
    elif not has_four(board, (own ^ mask) | free):
        return 1 ^ turned, own, mask, stones, b, turned, candidates, opponent
    if board.even:
        if stones & 1:
            if b > -(board.rows >> 1) and b > odd_threat_bound(board, own, mask, opponent):
                return turned, own, mask, stones, b, turned, candidates, opponent
        elif b > -(board.rows >> 1):
            ready = (mask + board.bottom) & board.full
            theirs = (own ^ mask) | (board.even & free & ~ready)
            lost = above_even_threats(board, opponent & board.even & ~ready)
            if b > even_bound(board, theirs) and not has_four(board, (board.full ^ theirs) & ~lost):
                return turned, own, mask, stones, b, turned, candidates, opponent
    return UNKNOWN, own, mask, stones, b, turned, candidates, opponent


# ------------------------------------------------------------------ the table and the book


@kernel(python_entry=False, inline=True)
def scrambled(board: Board, own: int, mask: int, stones: int) -> int:
    """The key of a position in the table: its name times an odd number, which can be undone."""
    key = key_of(board, own, mask)
    if stones <= board.mirrored:
        key = min(key, mirror_image(board, key))
    return (key * MIXER) & ((1 << board.bits) - 1)


@kernel(python_entry=False, inline=True)
def look_up(board: Board, table: Any, log: int, key: int, b: int) -> int:
    """What the table knows of "at least b"."""
    shift = board.bits - log + 1
    place = (key >> shift) << 1
    rest = (key & ((1 << shift) - 1)) + 1
    entry = table[place]
    if entry >> 11 != rest:
        entry = table[place + 1]
        if entry >> 11 != rest:
            return UNKNOWN
    bound = entry & 127
    if bound >= 64:
        return YES if bound - 96 >= b else UNKNOWN
    return NO if bound - 32 < b else UNKNOWN


@kernel(python_entry=False, inline=True)
def keep(board: Board, table: Any, log: int, key: int, bound: int, work: int) -> None:
    """Write an entry: over its older self, else in the first place if it took as much work, else in the
    second."""
    shift = board.bits - log + 1
    place = (key >> shift) << 1
    rest = (key & ((1 << shift) - 1)) + 1
    entry = (rest << 11) | (work << 7) | bound
    if table[place] >> 11 == rest:
        table[place] = entry
    elif table[place + 1] >> 11 == rest:
        table[place + 1] = entry
    elif (table[place] >> 7) & 15 <= work:
        table[place + 1] = table[place]
        table[place] = entry
    else:
        table[place + 1] = entry


@kernel(python_entry=False, inline=True)
def in_book(board: Board, book: Book, own: int, mask: int) -> int:
    """The score that the book has for this position, or ENDED."""
    key = key_of(board, own, mask)
    key = min(key, mirror_image(board, key))
    # The first entry that is not below the key lies between; np.searchsorted would take half a second to compile.
    place, beyond = 0, book.keys.size
    while place < beyond:
        middle = (place + beyond) >> 1
        if book.keys[middle] < key:
            place = middle + 1
        else:
            beyond = middle
    if place < book.keys.size and book.keys[place] == key:
        return int(book.scores[place])
    return ENDED


# ------------------------------------------------------------------ the search


@kernel
def score_between(
    shape: Any, own: int, mask: int, low: int, high: int, book: Book, table: Any, stack: Any, control: Any
) -> int:
    """The score of an open position, or the end of the range from low to high that it lies beyond; ENDED if
    stopped.

    A frame of the stack: 0 key, 1 b, 2 nodes before, 3 next child, 4 children, 5 whether the child now
    searched is turned; from SLOTS the children as `judge` left them with their key, and from RANKS their
    order. Frame 0 has the position itself as its only child.
    """
    board = dimensions(shape)
    log = highest(table.size)
    twist = control[TWIST]
    stones = popcount(mask)
    if threats(board, own, mask) & (mask + board.bottom) & board.full:
        return min(max((board.cells + 1 - stones) >> 1, low), high)  # type: ignore[no-any-return]
    if stones <= book.plies:
        known = in_book(board, book, own, mask)
        if known != ENDED:
            return min(max(known, low), high)
    start_own, start_mask, start_stones = own, mask, stones
    least, most = -((board.cells - stones) >> 1), (board.cells - 1 - stones) >> 1
    lower, upper = low, high
    low, high = min(max(low, least), most), max(min(high, most), least)
    while low < high:  # low <= score <= high: who wins, then how soon, the later ends of the range first
        control[LOW], control[HIGH] = low, high
        if low <= 0 < high:
            middle = 0
        elif low <= -1 < high:
            middle = -1
        elif low > 0:
            middle = low + ((high - low) >> 2)
        else:
            middle = high - 1 - ((high - low) >> 2)
        ply = 0
        own, mask, stones, b = start_own ^ start_mask, start_mask, start_stones - 1, -middle
        key = candidates = opponent = 0
        while True:  # enter a node: is the score of (own, mask) at least b?
            control[NODES] += 1
            if control[STOP] != 0 or control[ENOUGH] != 0 or control[NODES] > control[NODE_LIMIT]:
                return ENDED
            stack[ply, 0] = key
            stack[ply, 1] = b
            stack[ply, 2] = control[NODES]
            verdict = UNKNOWN
            count = 0
            if ply == 0:
                stack[ply, SLOTS] = 0
                stack[ply, SLOTS + 1] = threats(board, own, mask)
                count = 1
            else:
                if stones <= book.plies:
                    known = in_book(board, book, own, mask)
                    if known != ENDED:
                        verdict = YES if known >= b else NO
                for i in range(board.columns):
                    move = candidates & column_cells(board, i)
                    if move and verdict == UNKNOWN:
                        new_mask = mask | move
                        mine = threats(board, own | move, new_mask)
                        ready = (new_mask + board.bottom) & board.full
                        direct = mine & ready
                        if direct:
                            if direct & (direct - 1) or (direct << 1) & mine:
                                verdict = YES  # two threats at once, or one above the other
                        elif ready & ~(mine >> 1) == 0:
                            verdict = YES  # whatever they play, it is below one of our threats
                        stack[ply, SLOTS + 8 * count] = move
                        stack[ply, SLOTS + 8 * count + 1] = mine
                        count += 1
                if verdict == UNKNOWN and b > (board.cells - 3 - stones) >> 1:
                    verdict = NO  # no win within three plies
            if verdict == UNKNOWN:
                left = 0
                for i in range(count):
                    slot = SLOTS + 8 * i
                    move = int(stack[ply, slot])
                    mine = int(stack[ply, slot + 1])
                    told, c_own, c_mask, c_stones, c_b, c_turned, c_candidates, c_opponent = judge(
                        board, own ^ mask, mask | move, stones + 1, 1 - b, mine
                    )
                    if told == NO:
                        verdict = YES
                        break
                    if told == YES:
                        continue
                    c_key = scrambled(board, c_own, c_mask, c_stones)
                    prefetch(table, (c_key >> (board.bits - log + 1)) << 1)
                    # Useful threats: not above one of the opponent's, not above two of one's own in a pile.
                    useless = ((opponent & ~move) << 1) | ((mine & (mine << 1)) << 1)
                    useless |= useless << 1
                    useless |= useless << 2
                    useful = mine & ~useless
                    ready = (mask + move + board.bottom) & board.full
                    rank = popcount(useful) * 4 + popcount(useful & (ready << 1)) * 2
                    stack[ply, slot] = c_own
                    stack[ply, slot + 1] = c_mask
                    stack[ply, slot + 2] = c_stones
                    stack[ply, slot + 3] = c_b
                    stack[ply, slot + 4] = c_candidates
                    stack[ply, slot + 5] = c_opponent
                    stack[ply, slot + 6] = c_key
                    stack[ply, slot + 7] = c_turned
                    j = left
                    while j > 0 and stack[ply, RANKS + j - 1] >> 8 < rank:
                        stack[ply, RANKS + j] = stack[ply, RANKS + j - 1]
                        j -= 1
                    stack[ply, RANKS + j] = (rank << 8) | slot
                    left += 1
                count = left
                left = 0
                for i in range(count):
                    slot = stack[ply, RANKS + i] & 255
                    told = UNKNOWN
                    if verdict == UNKNOWN:
                        told = look_up(board, table, log, int(stack[ply, slot + 6]), stack[ply, slot + 3])
                    if told == UNKNOWN:
                        stack[ply, RANKS + left] = stack[ply, RANKS + i]
                        left += 1
                    elif told ^ stack[ply, slot + 7] == NO:
                        verdict = YES
                if verdict == UNKNOWN and left == 0:
                    verdict = NO
                if stones < twist:
                    for i in range(1, (left + 1) >> 1):
                        last = stack[ply, RANKS + left - i]
                        stack[ply, RANKS + left - i] = stack[ply, RANKS + i]
                        stack[ply, RANKS + i] = last
                stack[ply, 3] = 0
                stack[ply, 4] = left
            going_up = True
            while going_up:
                if verdict != UNKNOWN:  # this node is answered: keep it and tell the one above
                    if ply == 0:
                        break
                    work = min(highest(control[NODES] - stack[ply, 2] + 1) >> 1, 15)
                    bound = stack[ply, 1] + 96 if verdict == YES else stack[ply, 1] + 31
                    keep(board, table, log, int(stack[ply, 0]), bound, work)
                    ply -= 1
                    verdict = YES if verdict ^ stack[ply, 5] == NO else UNKNOWN
                    continue
                turn = stack[ply, 3]
                if turn >= stack[ply, 4]:
                    verdict = NO
                    continue
                stack[ply, 3] = turn + 1
                slot = stack[ply, RANKS + turn] & 255
                key = int(stack[ply, slot + 6])
                b = int(stack[ply, slot + 3])
                stack[ply, 5] = stack[ply, slot + 7]
                told = look_up(board, table, log, key, b)  # its siblings may have answered it
                if told != UNKNOWN:
                    verdict = YES if told ^ stack[ply, 5] == NO else UNKNOWN
                    continue
                own = int(stack[ply, slot])
                mask = int(stack[ply, slot + 1])
                stones = int(stack[ply, slot + 2])
                candidates = int(stack[ply, slot + 4])
                opponent = int(stack[ply, slot + 5])
                ply += 1
                going_up = False
            if going_up:
                break
        if verdict == NO:  # the only child of frame 0 is the question turned round
            low = middle + 1
        else:
            high = middle
    return min(max(low, lower), upper)


@kernel
def score_all(
    shape: Any,
    owns: Any,
    masks: Any,
    low: int,
    high: int,
    fresh: int,
    book: Book,
    table: Any,
    stack: Any,
    control: Any,
    out: Any,
) -> int:
    """The scores of many open positions, without leaving compiled code; return how many were done.

    `fresh` clears the part of the table that a position uses before it; else what was found is used again.
    """
    board = dimensions(shape)
    for i in range(owns.size):
        log = highest(table.size)
        if fresh:
            log = min(log, max(SMALLEST_LOG, board.cells - popcount(masks[i]) - 4))
            table[: 1 << log] = 0
        told = score_between(
            shape, int(owns[i]), int(masks[i]), low, high, book, table[: 1 << log], stack, control
        )
        if told == ENDED:
            return i
        out[i] = told
    return int(owns.size)


def batch(
    rules: DropGame,
    positions: list[Stones],
    weak: bool = False,
    fresh: bool = False,
    book: Book = NO_BOOK,
) -> list[int]:
    """The scores of many open positions at once."""
    board, shape = board_of(rules), shape_of(rules)
    out = np.zeros(len(positions), np.int64)
    control = np.zeros(16, np.int64)
    control[NODE_LIMIT] = 1 << 62
    fewest = min((position.mask.bit_count() for position in positions), default=0)
    owns = np.array([position.own for position in positions], np.int64)
    masks = np.array([position.mask for position in positions], np.int64)
    table = new_table(board, fewest)
    low, high = (-1, 1) if weak else (-board.cells, board.cells)
    score_all(shape, owns, masks, low, high, int(fresh), book, table, new_stack(board), control, out)
    return [int(each) for each in out]
