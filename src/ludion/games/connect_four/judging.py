"""Judging a position without searching it: the rules that often answer "is the score at least `target`?" at once."""

from __future__ import annotations

from typing import NamedTuple

from ludion.core.verbs import kernel
from ludion.core.words import popcount
from ludion.games.connect_four.bitboards import SolverBoard, has_four, threats

NO, YES, UNKNOWN = 0, 1, 2  # answers to "is the score at least `target`?"


class Node(NamedTuple):
    """A position whose player to move cannot win at once, and the question: is its score at least `target`?"""

    own: int
    mask: int
    stones: int
    target: int
    candidates: int  # the moves that do not lose at once
    opponent: int  # the threats of the player who is not to move


class Judgement(NamedTuple):
    """The answer to a question, or the question that remains after forced moves."""

    answer: int  # to the question as it was asked
    turned: (
        int  # 1 if the other player is to move after the forced moves: then the answer of `node` is inverted
    )
    node: Node  # after the forced moves


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
            node = Node(own, mask, stones, target, candidates, opponent)
            return Judgement(answer ^ turned, turned, node)
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
    return Judgement(answer, turned, Node(own, mask, stones, target, candidates, opponent))


@kernel(python_entry=False, inline=True)
def judge_lines(board: SolverBoard, own: int, mask: int, stones: int, target: int, opponent: int) -> int:
    """Answer the question from the lines that are still possible, or UNKNOWN."""
    free = board.full ^ mask
    if target <= 0 and not has_four(board, (own ^ mask) | free):
        return YES
    if (board.cells - stones) & 1:
        if target > 0 and not has_four(board, own | free):
            return NO
        if opponent & board.odd and target > odd_threat_bound(board, own, mask, opponent):
            return NO
    else:
        ready = (mask + board.bottom) & board.full
        theirs = (own ^ mask) | (board.even & free & ~ready)
        if target > 0 or target > even_bound(board, theirs):
            lost = above_even_threats(board, opponent & board.even & ~ready)
            if not has_four(board, (board.full ^ theirs) & ~lost):
                return NO
    return UNKNOWN


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
