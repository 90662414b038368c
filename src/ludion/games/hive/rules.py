"""The rules of Hive: the base game, and the Mosquito, the Ladybug and the Pillbug in every combination.

A position is a few ints and one array, the board, that `play` changes in place and `undo` restores. How cells, pieces
and moves are packed into ints is in `board`, how each bug moves in `movement`.

`Hive.holes` counts the empty regions that the hive encloses: by Euler's formula a new piece adds the number of arcs
that its neighbours form, minus one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix
from ludion.games.hive.board import (
    ALL_DIRECTIONS,
    ARCS,
    BUG_OF,
    BUGS,
    CELL_BITS,
    HISTORY,
    HISTORY_ROOM,
    MARK,
    MOSQUITO,
    NO_CELL,
    NO_PIECE,
    ORIGIN,
    PASS,
    PIECES,
    PILLBUG,
    QUEEN,
    UNDER,
    WHERE,
    bugs_in_hand,
    cell_of,
    colour_at,
    colour_of,
    drop,
    empty_neighbours,
    exists,
    first_of,
    has,
    has_room,
    height_of,
    history_index,
    is_placement,
    is_top,
    last_in_hand,
    left_in_hand,
    lift,
    make_move,
    make_placement,
    move_at,
    neighbours,
    next_to_place,
    one_in_hand,
    piece_of,
    pieces_of,
    queen_of,
    side_hand,
    source_of,
    step,
    target_of,
    tops_around,
)
from ludion.games.hive.movement import (
    add_climbs,
    add_throws,
    add_walks,
    clear_marks,
    is_pinned,
    possible_pins,
    thrower_cell,
)
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


# ------------------------------------------------------------------ play and undo


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
    for i in range(used):  # copying slices would be compiled with the words of an error about their shapes
        board[i] = position.board[i]
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


@kernel(count_references=False, inline=True)
def is_surrounded(board: Any, queen: int) -> bool:
    """Whether this queen has six occupied neighbours."""
    cell = cell_of(board, queen)
    return exists(cell) and neighbours(board, cell) == ALL_DIRECTIONS


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
