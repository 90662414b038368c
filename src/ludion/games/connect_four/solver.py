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

The rules are proved in `judging.py`; sets of cells are in `bitboards.py`, the table is in `score_table.py`. Undecided
positions are searched, the move with most useful threats first.

Stack frame, one per ply of the search:

    | KEY | TARGET | NODES_BEFORE | NEXT_CHILD | CHILD_COUNT | CHILD_TURNED | 10 threats | 9 children | their order |
    threats: per column, those of the player to move after a move there
    child:   | OWN | MASK | STONES | CHILD_TARGET | CANDIDATES | OPPONENT | CHILD_KEY | TURNED |
    order:   | rank | place of the child in the frame: 8 bits |, the highest rank first

On boards of more than 63 cells, spare cells included, sets of cells and keys have two words: the second half of the
frame holds the upper words.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import from_words, high_word, highest, is_wide, low_word, popcount, prefetch
from ludion.engines.limits import NODE_LIMIT, NODES, STOP, UNLIMITED
from ludion.games.connect_four.bitboards import (
    SolverBoard,
    board_of,
    column_at,
    column_cells,
    dimensions,
    has_four,
    shape_of,
    threats,
)
from ludion.games.connect_four.judging import NO, UNKNOWN, YES, Node, judge
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.games.connect_four.score_table import (
    MOST_WORK,
    NO_BOOK,
    NO_SCORE,
    Book,
    ScoreTable,
    double,
    in_book,
    least_by_parents,
    look_up,
    mixed_key,
    new_table,
    node_capacity,
    split_key,
    store,
)

LOW, HIGH = 12, 13  # further entries of `control`: the proved bounds, low <= score <= high

# The words of a frame.
KEY, TARGET, NODES_BEFORE, NEXT_CHILD, CHILD_COUNT, CHILD_TURNED = range(6)
MOST_CHILDREN, CHILD_WORDS = 9, 8
THREATS = 6
CHILDREN = THREATS + MOST_CHILDREN + 1
ORDER = CHILDREN + CHILD_WORDS * MOST_CHILDREN
FRAME_WORDS = ORDER + MOST_CHILDREN
# The words of a child; before it is judged, they are the move and the threats of the player who makes it.
OWN, MASK, STONES, CHILD_TARGET, CANDIDATES, OPPONENT, CHILD_KEY, TURNED = range(8)
LISTED_MOVE, LISTED_THREATS = 0, 1
PLACE_BITS = 8
PLACE_MASK = (1 << PLACE_BITS) - 1


class SolverWork(NamedTuple):
    """What a search reads and writes."""

    book: Book
    table: ScoreTable
    stack: np.ndarray
    control: np.ndarray


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


@kernel
def score_between(shape: Any, own: int, mask: int, low: int, high: int, work: SolverWork) -> int:
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
    if stones <= work.book.plies:
        known = in_book(board, work.book, own, mask)
        if known != NO_SCORE:
            return min(max(known, low), high)
    least, most = -((board.cells - stones) >> 1), (board.cells - 1 - stones) >> 1
    if stones <= work.book.plies + 1:
        least = max(least, least_by_parents(board, work.book, own, mask))
    lower, upper = low, high
    low, high = min(max(low, least), most), max(min(high, most), least)
    asked = 0
    while low < high:  # low <= score <= high
        work.control[LOW], work.control[HIGH] = low, high
        target = next_target(asked, low, high, least, most)
        asked += 1
        answer = ask(board, own, mask, stones, target, work)
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


@kernel(count_references=False, inline=True)
def ask(board: SolverBoard, own: int, mask: int, stones: int, target: int, work: SolverWork) -> int:
    """Is the score of the player to move, who cannot win at once, at least `target`? UNKNOWN if stopped."""
    _, table, stack, control = work
    root = judge(board, own, mask, stones, target, threats(board, own ^ mask, mask))
    if root.answer != UNKNOWN:
        return root.answer
    node, key = root.node, key_of_node(board, root.node)
    known = look_up(board, table, key, node.target)
    if known != UNKNOWN:
        return known ^ root.turned
    most_nodes = node_capacity(table)
    ply = 0
    while True:
        control[NODES] += 1
        if control[STOP] != 0 or control[NODES] > control[NODE_LIMIT]:
            control[NODES] -= 1
            return UNKNOWN
        if control[NODES] > most_nodes:
            double(board, table)
            most_nodes = node_capacity(table)
        answer = enter(board, node, key, work, ply)
        is_entered = False
        while not is_entered:  # go back to the last node with an unsearched child, and enter this child
            if answer != UNKNOWN:
                store_answer(board, work, ply, answer)
                if ply == 0:
                    return answer ^ root.turned
                ply -= 1
                answer = answer_of_child(answer, stack[ply, CHILD_TURNED])
            elif stack[ply, NEXT_CHILD] == stack[ply, CHILD_COUNT]:
                answer = NO
            else:
                node, key = next_child(board, stack, ply)
                # The search of its siblings may have answered it.
                known = look_up(board, table, key, node.target)
                if known == UNKNOWN:
                    ply += 1
                    is_entered = True
                else:
                    answer = answer_of_child(known, stack[ply, CHILD_TURNED])


@kernel(python_entry=False, inline=True)
def key_of_node(board: SolverBoard, node: Node) -> int:
    """The key of a node in the table."""
    return mixed_key(board, node.own, node.mask, node.stones <= board.mirrored)


@kernel(python_entry=False, inline=True)
def enter(board: SolverBoard, node: Node, key: int, work: SolverWork, ply: int) -> int:
    """Answer the question without searching, or write the children to search into the frame and return UNKNOWN."""
    book, table, stack, control = work
    write_cells(stack, ply, KEY, key)
    stack[ply, TARGET] = node.target
    stack[ply, NODES_BEFORE] = control[NODES]
    if node.stones <= book.plies:
        known = in_book(board, book, node.own, node.mask)
        if known != NO_SCORE:
            return YES if known >= node.target else NO
    write_threats(board, node, stack, ply)
    answer, count = list_moves(board, node, stack, ply)
    if answer == YES:
        return YES
    if node.target > (board.cells - 3 - node.stones) >> 1:
        return NO
    answer, count = judge_children(board, node, table, stack, ply, count)
    if answer == UNKNOWN:
        answer, count = look_up_children(board, table, stack, ply, count)
    stack[ply, NEXT_CHILD] = 0
    stack[ply, CHILD_COUNT] = count
    return answer


@kernel(python_entry=False, inline=True)
def next_child(board: SolverBoard, stack: Any, ply: int) -> tuple[Node, int]:
    """Take the next child of the frame, and its key."""
    turn = stack[ply, NEXT_CHILD]
    stack[ply, NEXT_CHILD] = turn + 1
    child = stack[ply, ORDER + turn] & PLACE_MASK
    stack[ply, CHILD_TURNED] = stack[ply, child + TURNED]
    node = Node(
        read_cells(board, stack, ply, child + OWN),
        read_cells(board, stack, ply, child + MASK),
        int(stack[ply, child + STONES]),
        int(stack[ply, child + CHILD_TARGET]),
        read_cells(board, stack, ply, child + CANDIDATES),
        read_cells(board, stack, ply, child + OPPONENT),
    )
    return node, read_cells(board, stack, ply, child + CHILD_KEY)


@kernel(python_entry=False, inline=True)
def answer_of_child(answer: int, turned: int) -> int:
    """What the answer about a child means for its parent: YES, or UNKNOWN since another child may still be YES."""
    return YES if answer ^ turned == NO else UNKNOWN


@kernel(python_entry=False, inline=True)
def store_answer(board: SolverBoard, work: SolverWork, ply: int, answer: int) -> None:
    """Store the answer to the question of a frame, with the nodes that it took."""
    stack = work.stack
    effort = min(highest(work.control[NODES] - stack[ply, NODES_BEFORE] + 1) >> 1, MOST_WORK)
    store(board, work.table, read_cells(board, stack, ply, KEY), stack[ply, TARGET], answer, effort)


@kernel(python_entry=False, inline=True)
def write_threats(board: SolverBoard, node: Node, stack: Any, ply: int) -> None:
    """Write the threats that the player to move has after each move.

    The loop has no branches and an even number of steps, so that the compiler can do several columns at once.
    """
    for column in range((board.columns + 1) & ~1):
        move = node.candidates & column_cells(board, column)
        write_cells(stack, ply, THREATS + column, threats(board, node.own | move, node.mask | move))


@kernel(python_entry=False, inline=True)
def list_moves(board: SolverBoard, node: Node, stack: Any, ply: int) -> tuple[int, int]:
    """Write the moves into the frame, middle columns first, with the threats after each.

    Return YES if one of them makes two threats at once, one above the other or one above every reply, else UNKNOWN; and
    the number of moves.
    """
    count = 0
    for i in range(board.columns):
        column = column_at(board, i)
        move = node.candidates & column_cells(board, column)
        if move:
            mine = read_cells(board, stack, ply, THREATS + column)
            ready = ((node.mask | move) + board.bottom) & board.full
            direct = mine & ready
            if direct:
                if direct & (direct - 1) or (direct << 1) & mine:
                    return YES, count
            elif ready & ~(mine >> 1) == 0:
                return YES, count
            listed = CHILDREN + CHILD_WORDS * count
            write_cells(stack, ply, listed + LISTED_MOVE, move)
            write_cells(stack, ply, listed + LISTED_THREATS, mine)
            count += 1
    return UNKNOWN, count


@kernel(python_entry=False, inline=True)
def judge_children(
    board: SolverBoard, node: Node, table: ScoreTable, stack: Any, ply: int, moves: int
) -> tuple[int, int]:
    """Judge the position after each listed move, and sort the undecided ones: the move with most useful threats first.

    A child never overwrites a move that is still to be judged. Equal ones stay in the order from the middle column
    outwards. Return YES if one of them answers the question, else UNKNOWN; and the number of undecided ones.
    """
    count = 0
    for i in range(moves):
        listed = CHILDREN + CHILD_WORDS * i
        move = read_cells(board, stack, ply, listed + LISTED_MOVE)
        mine = read_cells(board, stack, ply, listed + LISTED_THREATS)
        after = judge(board, node.own ^ node.mask, node.mask | move, node.stones + 1, 1 - node.target, mine)
        if after.answer == NO:
            return YES, count
        if after.answer == YES:
            continue
        key = key_of_node(board, after.node)
        prefetch(table.entries, split_key(board, table, key)[0])
        child = CHILDREN + CHILD_WORDS * count
        write_cells(stack, ply, child + OWN, after.node.own)
        write_cells(stack, ply, child + MASK, after.node.mask)
        stack[ply, child + STONES] = after.node.stones
        stack[ply, child + CHILD_TARGET] = after.node.target
        write_cells(stack, ply, child + CANDIDATES, after.node.candidates)
        write_cells(stack, ply, child + OPPONENT, after.node.opponent)
        write_cells(stack, ply, child + CHILD_KEY, key)
        stack[ply, child + TURNED] = after.turned
        insert_child(stack, ply, count, child, rank_of_move(board, node, move, mine))
        count += 1
    return UNKNOWN, count


@kernel(python_entry=False, inline=True)
def rank_of_move(board: SolverBoard, node: Node, move: int, mine: int) -> int:
    """How promising a move is: its useful threats, and again those that can be played after one more stone.

    A threat is useless above a threat of the opponent, or above two own threats on top of each other.
    """
    useless = ((node.opponent & ~move) << 1) | ((mine & (mine << 1)) << 1)
    useless |= useless << 1
    useless |= useless << 2
    useful = mine & ~useless
    ready = (node.mask + move + board.bottom) & board.full
    return popcount(useful) * 2 + popcount(useful & (ready << 1))


@kernel(python_entry=False, inline=True)
def insert_child(stack: Any, ply: int, count: int, child: int, rank: int) -> None:
    """Insert a child into the order, after those with the same rank."""
    j = count
    while j > 0 and stack[ply, ORDER + j - 1] >> PLACE_BITS < rank:
        stack[ply, ORDER + j] = stack[ply, ORDER + j - 1]
        j -= 1
    stack[ply, ORDER + j] = (rank << PLACE_BITS) | child


@kernel(python_entry=False, inline=True)
def look_up_children(
    board: SolverBoard, table: ScoreTable, stack: Any, ply: int, children: int
) -> tuple[int, int]:
    """Remove the children that the table answers.

    Return YES if one of these answers the question, NO if no child is left, else UNKNOWN; and the number that is left.
    """
    count = 0
    for i in range(children):
        entry = stack[ply, ORDER + i]
        child = entry & PLACE_MASK
        key, target = read_cells(board, stack, ply, child + CHILD_KEY), stack[ply, child + CHILD_TARGET]
        known = look_up(board, table, key, target)
        if known == UNKNOWN:
            stack[ply, ORDER + count] = entry
            count += 1
        elif known ^ stack[ply, child + TURNED] == NO:
            return YES, count
    return NO if count == 0 else UNKNOWN, count


@kernel
def best_line(
    shape: Any,
    own: int,
    mask: int,
    score: int,
    is_weak: bool,
    spare_nodes: int,
    work: SolverWork,
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
        column = best_column(shape, own, mask, score, is_weak, work)
        if column < 0:
            return count
        if count == 0:
            most_nodes = work.control[NODES] * 3 // 2 + spare_nodes
            work.control[NODE_LIMIT] = min(work.control[NODE_LIMIT], most_nodes)
        line[count] = column
        count += 1
        own, mask = own ^ mask, mask | ((mask + board.bottom) & column_cells(board, column))
        score = -score
        is_over = stones + count == board.cells or has_four(board, own ^ mask)
    return count


@kernel(python_entry=False)
def best_column(shape: Any, own: int, mask: int, score: int, is_weak: bool, work: SolverWork) -> int:
    """The first column, from the middle, that keeps the score of this open position; -1 if stopped.

    Columns whose score is in the book come first. With `is_weak` every column keeps a loss: then it is the first column
    after which the opponent does not win at once, if there is one.
    """
    board = dimensions(shape)
    ready = (mask + board.bottom) & board.full
    wins = threats(board, own, mask) & ready
    other = own ^ mask
    if popcount(mask) < work.book.plies and not wins and not (is_weak and score < 0):
        for i in range(board.columns):
            column = column_at(board, i)
            move = ready & column_cells(board, column)
            known = in_book(board, work.book, other, mask | move) if move else NO_SCORE
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
            value = score_between(shape, other, after, -score, 1 - score, work)
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
    most: int,
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
    """The score of an open position, clamped to the range from -most to most; NO_SCORE if stopped.

    For calls from Python: with arrays and numbers only, since each tuple costs 0.5 us per call. If `first_log` is
    positive, the table is cleared and begins with 2**first_log entries.
    """
    if first_log > 0:
        entries[: 1 << log[0]] = 0
        log[0] = first_log
        control[NODES] = 0
    work = SolverWork(Book(buckets, book_entries, width, plies), ScoreTable(entries, log), stack, control)
    return score_between(shape, own, mask, -most, most, work)


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
        return score_position(self.shape, position.own, position.mask, most, first_log, *self._state)

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
