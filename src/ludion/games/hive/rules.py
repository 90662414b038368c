"""The rules of Hive: the base game and the Mosquito, the Ladybug and the Pillbug in every combination.

Cells are hexagons of a torus of 32 x 32, numbered row by row; a neighbour is a step away, modulo 1024:

           -33   -32                  NW   NE
        -1     0     +1             W    .    E
           +32   +33                  SW   SE

A hive of 28 pieces spans at most 28 cells, so its two ends never meet and there is no edge to check. Pieces
are numbered by colour and bug, white first; those of one bug come into play in the order of their numbers:

        Q  S1 S2  B1 B2  G1 G2 G3  A1 A2 A3  M  L  P
    w   0  1  2   3  4   5  6  7   8  9  10  11 12 13
    b   14 15 16  17 18  19 20 21  22 23 24  25 26 27

A position is a few ints and one array, the board, that `play` changes in place and `undo` restores:

    TOP + cell      the piece on top of the cell plus 1, or 0 where it is empty
    HEIGHT + cell   how many pieces are stacked there
    AROUND + cell   its occupied neighbours, a bit a direction: bits 0-5 white tops, bits 6-11 black tops
    MARK + cell     scratch, 0 between two calls
    WHERE + piece   the cell of the piece, or -1 in hand
    UNDER + piece   the piece below it, or -1
    HISTORY + 2n    the move of ply n, and the hash of the position it was made in

So one look at AROUND says what a bug may do: a slide needs exactly one of the two cells beside its way to be
occupied (`SLIDES`), and a piece may be placed where it has neighbours, all of its own colour.

A piece whose neighbours form several arcs may hold the hive together. `holes` counts the empty regions that
the hive encloses (by Euler's formula it grows by the arcs around a new piece, minus one). Without holes every
such piece does hold it together; otherwise one pass around the hive and its holes tells which.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix, popcount
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

CELLS = 1024
ORIGIN = 528  # where the first piece stands: row 16, column 16
STEPS = np.array([1, 33, 32, -1, -33, -32])  # E SE SW W NW NE: clockwise

QUEEN, SPIDER, BEETLE, GRASSHOPPER, ANT, MOSQUITO, LADYBUG, PILLBUG = range(8)
BUGS = "QSBGAMLP"
MANY = np.array([1, 2, 2, 3, 3, 1, 1, 1])  # how many pieces of each bug a player has
FIRST = np.array([0, 1, 3, 5, 8, 11, 12, 13])  # the first piece of each bug, for white
BUG_OF = np.array([bug for bug in range(8) for _ in range(int(MANY[bug]))] * 2)
SIDE = 14  # pieces of a player
PIECES = 28
ALL = (1 << SIDE) - 1  # of a player's pieces

TOP, HEIGHT, AROUND, MARK, WHERE = (CELLS * row for row in range(5))
UNDER = WHERE + PIECES
HISTORY = UNDER + PIECES
ROOM = 512  # a board has room for the history of so many plies, or of a multiple of it

# A move is piece << 20 | origin << 10 | target; a piece that comes from the hand has its target as origin.
PASS = 1 << 25
EVERY = -1  # as a set of pieces


def _slides(ring: int) -> int:
    """The free directions with exactly one occupied neighbour beside them."""
    return ~ring & ((ring << 1 | ring >> 5) ^ (ring >> 1 | ring << 5)) & 63


def _arcs(ring: int) -> int:
    """How many arcs the occupied neighbours form; a full ring is no arc."""
    return (ring & ~(ring << 1 | ring >> 5)).bit_count()


def _turn(ring: int, way: int) -> int:
    """Coming from a neighbour by this way, the first occupied direction clockwise after that neighbour."""
    return next((d % 6 for d in range(way + 4, way + 10) if ring >> d % 6 & 1), 0)


TURNS = np.array([[_turn(ring, way) for way in range(6)] for ring in range(64)])
SLIDES = np.array([_slides(ring) for ring in range(64)])
ARCS = np.array([_arcs(ring) for ring in range(64)])


class HiveGame(NamedTuple):
    """The rules of one game: which bugs take part, and the options."""

    bugs: int  # a bit for each bug
    queen_first: int  # 1 if the queen may be a player's first piece
    repetition: int  # the game is drawn when a position occurs so many times; 0: never
    hand: int  # both players' pieces at the start, as in `Hive.hand`


class Hive(NamedTuple):
    """A position."""

    board: np.ndarray
    ply: int  # moves played; white moves at the even ones
    hand: int  # pieces in hand, three bits a bug: bug b of colour c at 3 * b + 24 * c
    placed: int  # pieces in play, a bit a piece
    stunned: int  # the piece moved on the previous ply, or -1
    holes: int  # empty regions that the hive encloses
    quiet: int  # plies since a piece was placed
    hash: int


def hive_game(expansions: str = "", queen_first: bool = False, repetition: int = 3) -> HiveGame:
    """The rules with these expansions (letters of M, L and P)."""
    bugs = 0b11111 | sum(1 << BUGS.index(letter) for letter in set(expansions))
    hand = sum(
        int(MANY[bug]) << 3 * bug + 24 * colour for colour in range(2) for bug in range(8) if bugs >> bug & 1
    )
    return HiveGame(bugs, int(queen_first), repetition, hand)


@kernel
def board_size(ply: int) -> int:
    """The size of a fresh board at this ply: with room for at least half of `ROOM` plies to come."""
    return HISTORY + 2 * ROOM * ((ply + ROOM // 2) // ROOM + 1)


def empty_hive(rules: HiveGame, plies: int = 0) -> Hive:
    """The position before the first move, with room for the history of so many plies."""
    board = np.zeros(board_size(plies), np.int64)
    board[WHERE:HISTORY] = -1
    return Hive(board, 0, rules.hand, 0, -1, 0, 0, 0)


# ------------------------------------------------------------------ questions


@kernel
def step(cell: int, direction: int) -> int:
    """The neighbour in a direction."""
    return (cell + STEPS[direction]) & 1023  # type: ignore[no-any-return]


@kernel
def ring(board: Any, cell: int) -> int:
    """The occupied neighbours of a cell, a bit a direction."""
    around = board[AROUND + cell]
    return (around | around >> 6) & 63  # type: ignore[no-any-return]


@kernel
def is_surrounded(board: Any, queen: int) -> bool:
    """Whether this queen has six occupied neighbours."""
    cell = board[WHERE + queen]
    return bool(cell >= 0 and ring(board, cell) == 63)


@kernel
def is_top(board: Any, piece: int) -> bool:
    """Whether the piece is in play and nothing is on it."""
    cell = board[WHERE + piece]
    return bool(cell >= 0 and board[TOP + cell] == piece + 1)


@kernel
def is_gate(board: Any, cell: int, direction: int, height: int) -> bool:
    """Whether the stacks on both sides of the way are higher than this."""
    left, right = (
        step(cell, direction - 1 if direction else 5),
        step(cell, direction + 1 if direction < 5 else 0),
    )
    return bool(board[HEIGHT + left] > height and board[HEIGHT + right] > height)


@kernel
def ties(board: Any, placed: int, holes: int) -> int:
    """The tops that hold the hive together if they have several arcs of neighbours: a set of pieces."""
    return articulation_points(board, placed) if holes else EVERY


@kernel
def is_tied(board: Any, piece: int, cell: int, tied: int) -> bool:
    """Whether lifting this piece, alone on its cell, would break the hive; `tied` comes from `ties`."""
    return ARCS[ring(board, cell)] > 1 and tied >> piece & 1 == 1


@kernel
def articulation_points(board: Any, placed: int) -> int:
    """The tops of the cells without which the hive is not connected: a set of pieces.

    One walk around each empty region, along the pieces beside it: a piece that it passes twice is one. A walk
    goes from a piece to its first neighbour clockwise after the gap that faces the region.
    """
    found, rest = 0, placed
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        if not is_top(board, piece):
            continue
        start = board[WHERE + piece]
        near = ring(board, start)
        if ARCS[near] < 2:
            continue
        while True:
            # The gaps of this piece that have not been walked past.
            left = near & ~(near << 1 | near >> 5) & ~board[MARK + start]
            if left == 0:
                break
            first = lowest(left)
            cell, way, passed = start, first, 0
            while True:
                board[MARK + cell] |= 1 << way
                bit = 1 << board[TOP + cell] - 1
                found |= passed & bit
                passed |= bit
                cell = step(cell, way)
                way = TURNS[ring(board, cell), way]
                if cell == start and way == first:
                    break
    while placed:
        board[MARK + board[WHERE + lowest(placed)]] = 0
        placed &= placed - 1
    return found


# ------------------------------------------------------------------ play and undo


@kernel
def turn(board: Any, cell: int, bit: int) -> None:
    """Tell the neighbours of a cell that a top of a colour (bit 0 white, 6 black) came or went there."""
    board[AROUND + (cell + 1 & 1023)] ^= 8 << bit
    board[AROUND + (cell + 33 & 1023)] ^= 16 << bit
    board[AROUND + (cell + 32 & 1023)] ^= 32 << bit
    board[AROUND + (cell - 1 & 1023)] ^= 1 << bit
    board[AROUND + (cell - 33 & 1023)] ^= 2 << bit
    board[AROUND + (cell - 32 & 1023)] ^= 4 << bit


@kernel
def top_changed(board: Any, cell: int, piece: int, below: int) -> None:
    """The piece came to the cell, or left it, on top of the one below (-1: on the ground)."""
    bit = 6 if piece >= SIDE else 0
    if below < 0:
        turn(board, cell, bit)
    elif (below >= SIDE) != (piece >= SIDE):
        turn(board, cell, bit)
        turn(board, cell, 6 - bit)


@kernel
def lift(board: Any, piece: int) -> None:
    """Take a top off its cell."""
    cell, below = board[WHERE + piece], board[UNDER + piece]
    board[HEIGHT + cell] -= 1
    board[TOP + cell] = below + 1
    board[WHERE + piece] = board[UNDER + piece] = -1
    top_changed(board, cell, piece, below)


@kernel
def drop(board: Any, piece: int, cell: int) -> None:
    """Put a piece on top of a cell."""
    below = board[TOP + cell] - 1
    board[HEIGHT + cell] += 1
    board[TOP + cell] = piece + 1
    board[WHERE + piece] = cell
    board[UNDER + piece] = below
    top_changed(board, cell, piece, below)


@kernel
def number(piece: int, cell: int, height: int) -> int:
    """What a piece at its place adds to the hash. Pieces of the same bug and colour count as equal."""
    kind = BUG_OF[piece] + (8 if piece >= SIDE else 0)
    return mix(mix(((kind << 3) + height << 10) + cell, 1), 2)


@play.register(HiveGame, inline=True)
def _(rules: HiveGame, position: Hive, move: int) -> Hive:
    board, ply, holes, code = position.board, position.ply, position.holes, position.hash
    place = HISTORY + 2 * ply
    if place < board.size:
        board[place] = move
        board[place + 1] = code
    if move == PASS:
        return Hive(board, ply + 1, position.hand, position.placed, -1, holes, position.quiet + 1, code)
    piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
    hand, placed, quiet = position.hand, position.placed, position.quiet + 1
    if origin == target:
        hand -= 1 << 3 * BUG_OF[piece] + (24 if piece >= SIDE else 0)
        placed |= 1 << piece
        quiet = 0
    else:
        code ^= number(piece, origin, board[HEIGHT + origin])
        lift(board, piece)
        if board[HEIGHT + origin] == 0:
            holes -= ARCS[ring(board, origin)] - 1
    if board[HEIGHT + target] == 0 and ply:
        holes += ARCS[ring(board, target)] - 1
    drop(board, piece, target)
    code ^= number(piece, target, board[HEIGHT + target])
    return Hive(board, ply + 1, hand, placed, piece, holes, quiet, code)


@undo.register(HiveGame, inline=True)
def _(rules: HiveGame, child: Hive, move: int) -> None:
    board = child.board
    place = HISTORY + 2 * child.ply - 2
    if place < board.size:
        board[place] = board[place + 1] = 0
    if move != PASS:
        piece, origin, target = move >> 20, move >> 10 & 1023, move & 1023
        lift(board, piece)
        if origin != target:
            drop(board, piece, origin)


@copy.register(HiveGame)
def _(rules: HiveGame, position: Hive) -> Hive:
    board = np.zeros(board_size(position.ply), np.int64)
    known = min(position.board.size, HISTORY + 2 * position.ply)
    board[:known] = position.board[:known]
    return Hive(
        board,
        position.ply,
        position.hand,
        position.placed,
        position.stunned,
        position.holes,
        position.quiet,
        position.hash,
    )


# ------------------------------------------------------------------ the end


@verdict.register(HiveGame, inline=True)
def _(rules: HiveGame, position: Hive) -> int:
    board = position.board
    own = SIDE * (position.ply & 1)
    if is_surrounded(board, own):
        return DRAWN if is_surrounded(board, SIDE - own) else LOST
    if is_surrounded(board, SIDE - own):
        return WON
    if (
        rules.repetition
        and position.quiet >= 4 * (rules.repetition - 1)
        and occurrences(rules, position) >= rules.repetition
    ):
        return DRAWN
    return OPEN


@kernel
def occurrences(rules: HiveGame, position: Hive) -> int:
    """How many times this position, with the same piece stunned, has occurred, now included."""
    board, now = position.board, key(rules, position)
    count, ply = 1, position.ply - 4
    while ply >= position.ply - position.quiet:
        place = HISTORY + 2 * ply
        if place < board.size and board[place + 1] == position.hash:
            before = board[place - 2] if ply else PASS
            stunned = -1 if before == PASS else before >> 20
            if whole_key(rules, ply, stunned, position.hash) == now:
                count += 1
        ply -= 2
    return count


@kernel
def whole_key(rules: HiveGame, ply: int, stunned: int, code: int) -> int:
    """The hash with the player to move and, where there is a pillbug to mind it, the stunned piece."""
    if rules.bugs >> PILLBUG & 1:
        return mix(code, 2 * stunned + 2 + (ply & 1))
    return mix(code, ply & 1)


@key.register(HiveGame, inline=True)
def _(rules: HiveGame, position: Hive) -> int:
    return whole_key(rules, position.ply, position.stunned, position.hash)


# ------------------------------------------------------------------ moves


@most_moves.register(HiveGame)
def _(rules: HiveGame) -> int:
    return 1024


@moves.register(HiveGame, inline=True)
def _(rules: HiveGame, position: Hive, buffer: Any) -> int:
    """Placements, then each own piece's walks and throws, then throws of the other's pieces."""
    count, hand = 0, placeable(rules, position)
    if hand:
        count = spread(SIDE * (position.ply & 1), hand, free_cells(position, buffer), buffer)
    if can_move(position):
        count = movements(rules, position, buffer, count)
    if count == 0:
        buffer[0] = PASS
        return 1
    return count


@how_many.register(HiveGame, inline=True)
def _(rules: HiveGame, position: Hive, buffer: Any) -> int:
    """The same without a list of the placements: so many bugs on so many cells."""
    count, hand = 0, placeable(rules, position)
    if hand:
        count = popcount((hand | hand >> 1 | hand >> 2) & 0o11111111) * free_cells(position, buffer)
    if can_move(position):
        count += movements(rules, position, buffer, 0)
    return max(count, 1)


@kernel
def can_move(position: Hive) -> bool:
    """Whether the queen of the player to move is in play."""
    return bool(position.board[WHERE + SIDE * (position.ply & 1)] >= 0)


@kernel
def placeable(rules: HiveGame, position: Hive) -> int:
    """The hand of the player to move as far as it may be placed now: three bits a bug."""
    hand = position.hand >> 24 * (position.ply & 1) & 0xFFFFFF
    if hand & 7:  # the queen is yet to be placed
        if position.ply < 2 and not rules.queen_first:
            return hand & ~7
        if position.ply >= 6:
            return 1
    return hand


@kernel
def free_cells(position: Hive, buffer: Any) -> int:
    """The cells on which the player to move may place a piece, as placements of piece 0; returns how many."""
    board, ply = position.board, position.ply
    if ply == 0:
        buffer[0] = ORIGIN << 10 | ORIGIN
        return 1
    if ply == 1:
        for direction in range(6):
            cell = step(ORIGIN, direction)
            buffer[direction] = cell << 10 | cell
        return 6
    count, own = 0, SIDE * (ply & 1)
    enemy = 63 if own else 63 << 6
    rest = position.placed >> own & ALL
    while rest:
        piece = own + lowest(rest)
        rest &= rest - 1
        if is_top(board, piece):
            home = board[WHERE + piece]
            free = ~ring(board, home) & 63
            while free:
                cell = step(home, lowest(free))
                free &= free - 1
                if board[AROUND + cell] & enemy == 0 and board[MARK + cell] == 0:
                    board[MARK + cell] = 1
                    buffer[count] = cell << 10 | cell
                    count += 1
    for i in range(count):
        board[MARK + (buffer[i] & 1023)] = 0
    return count


@kernel
def spread(own: int, hand: int, cells: int, buffer: Any) -> int:
    """Make placements of each bug in hand out of those of piece 0; returns how many there are in all.

    The last bug goes over the list of the free cells, the others behind it.
    """
    count, bug = cells, 0
    while hand:
        left = hand & 7
        hand >>= 3
        if left:
            piece = own + FIRST[bug] + MANY[bug] - left << 20
            if hand:
                for i in range(cells):
                    buffer[count + i] = buffer[i] | piece
                count += cells
            else:
                for i in range(cells):
                    buffer[i] |= piece
        bug += 1
    return count


@kernel
def copied(board: Any, cell: int) -> int:
    """The bugs whose ways a mosquito on this cell has: a bit a bug."""
    bugs, near = 0, ring(board, cell)
    while near:
        bugs |= 1 << BUG_OF[board[TOP + step(cell, lowest(near))] - 1]
        near &= near - 1
    return bugs & ~(1 << MOSQUITO)


@kernel
def thrower(board: Any, piece: int, stunned: int) -> int:
    """The cell of this pillbug or mosquito if it can throw its neighbours now, else -1."""
    cell = board[WHERE + piece]
    if cell < 0 or board[HEIGHT + cell] != 1 or piece == stunned:
        return -1
    if BUG_OF[piece] == MOSQUITO and not copied(board, cell) >> PILLBUG & 1:
        return -1
    return cell  # type: ignore[no-any-return]


@kernel
def movements(rules: HiveGame, position: Hive, buffer: Any, count: int) -> int:
    """Walks and throws. A piece is moved to a cell in one way only: `MARK` tells where it already can go."""
    board, placed, stunned = position.board, position.placed, position.stunned
    own = SIDE * (position.ply & 1)
    tied = ties(board, placed, position.holes)
    pillbug = mosquito = -1  # the cells of those that can throw
    if rules.bugs >> PILLBUG & 1:
        pillbug = thrower(board, own + FIRST[PILLBUG], stunned)
        mosquito = thrower(board, own + FIRST[MOSQUITO], stunned)
    rest = placed >> own & ALL
    while rest:
        piece = own + lowest(rest)
        rest &= rest - 1
        if not is_top(board, piece) or piece == stunned:
            continue
        cell = board[WHERE + piece]
        high = board[HEIGHT + cell] > 1
        if not high and is_tied(board, piece, cell, tied):
            continue
        begin, move, bug = count, piece << 20 | cell << 10, BUG_OF[piece]
        ways = copied(board, cell) if bug == MOSQUITO else 1 << bug
        if high:
            ways = 1 << BEETLE
        if ways >> ANT & 1:
            count = run(board, move, buffer, count)
        else:
            if ways & (1 << QUEEN | 1 << PILLBUG):
                count = slide(board, move, buffer, count)
            if ways >> SPIDER & 1:
                count = crawl(board, move, buffer, count)
        if ways >> GRASSHOPPER & 1:
            count = jump(board, move, buffer, count)
        if ways >> BEETLE & 1:
            count = climb(board, move, buffer, count)
        if ways >> LADYBUG & 1:
            count = fly(board, move, buffer, count)
        if not high:
            count = throw(board, move, pillbug, buffer, count)
            count = throw(board, move, mosquito, buffer, count)
        for i in range(begin, count):
            board[MARK + (buffer[i] & 1023)] = 0
    if pillbug >= 0 or mosquito >= 0:
        rest = placed >> SIDE - own & ALL
        while rest:
            piece = SIDE - own + lowest(rest)
            rest &= rest - 1
            cell = board[WHERE + piece]
            if board[HEIGHT + cell] > 1 or piece == stunned or is_tied(board, piece, cell, tied):
                continue
            begin, move = count, piece << 20 | cell << 10
            count = throw(board, move, pillbug, buffer, count)
            count = throw(board, move, mosquito, buffer, count)
            for i in range(begin, count):
                board[MARK + (buffer[i] & 1023)] = 0
    return count


# The ways of moving. `move` has the piece and its cell; the target is added.


@kernel
def add(board: Any, move: int, cell: int, buffer: Any, count: int) -> int:
    """Add the move to this cell unless it is there already."""
    if board[MARK + cell]:
        return count
    board[MARK + cell] = 1
    buffer[count] = move | cell
    return count + 1


@kernel
def slide(board: Any, move: int, buffer: Any, count: int) -> int:
    """Queen and pillbug: one slide."""
    cell = move >> 10 & 1023
    free = SLIDES[ring(board, cell)]
    while free:
        count = add(board, move, step(cell, lowest(free)), buffer, count)
        free &= free - 1
    return count


@kernel
def run(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ant: any number of slides, with the ant itself off the board."""
    home = move >> 10 & 1023
    bit = 6 if move >> 20 >= SIDE else 0
    turn(board, home, bit)
    board[MARK + home] = 1
    cell, done = home, count
    while True:
        free = SLIDES[ring(board, cell)]
        while free:
            count = add(board, move, step(cell, lowest(free)), buffer, count)
            free &= free - 1
        if done == count:
            break
        cell = buffer[done] & 1023
        done += 1
    board[MARK + home] = 0
    turn(board, home, bit)
    return count


@kernel
def crawl(board: Any, move: int, buffer: Any, count: int) -> int:
    """Spider: exactly three slides, no cell twice, with the spider itself off the board."""
    home = move >> 10 & 1023
    bit = 6 if move >> 20 >= SIDE else 0
    turn(board, home, bit)
    first = SLIDES[ring(board, home)]
    while first:
        one = step(home, lowest(first))
        first &= first - 1
        second = SLIDES[ring(board, one)]
        while second:
            two = step(one, lowest(second))
            second &= second - 1
            if two == home:
                continue
            third = SLIDES[ring(board, two)]
            while third:
                three = step(two, lowest(third))
                third &= third - 1
                if three != home and three != one:
                    count = add(board, move, three, buffer, count)
    turn(board, home, bit)
    return count


@kernel
def jump(board: Any, move: int, buffer: Any, count: int) -> int:
    """Grasshopper: straight over a row of at least one piece."""
    home = move >> 10 & 1023
    near = ring(board, home)
    while near:
        direction = lowest(near)
        near &= near - 1
        cell = step(home, direction)
        while board[TOP + cell]:
            cell = step(cell, direction)
        count = add(board, move, cell, buffer, count)
    return count


@kernel
def climb(board: Any, move: int, buffer: Any, count: int) -> int:
    """Beetle: one step up, down, on top of the hive, or a slide."""
    home = move >> 10 & 1023
    height = board[HEIGHT + home] - 1
    near = ring(board, home)
    to = 63 if height else near | SLIDES[near]
    while to:
        direction = lowest(to)
        to &= to - 1
        cell = step(home, direction)
        level = max(height, board[HEIGHT + cell])
        if level == 0 or not is_gate(board, home, direction, level):
            count = add(board, move, cell, buffer, count)
    return count


@kernel
def fly(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ladybug: two steps on top of the hive and one down, with the ladybug itself off the board."""
    home = move >> 10 & 1023
    board[HEIGHT + home] = 0
    first = ring(board, home)
    while first:
        direction = lowest(first)
        first &= first - 1
        one = step(home, direction)
        if is_gate(board, home, direction, board[HEIGHT + one]):
            continue
        second = ring(board, one)
        while second:
            direction = lowest(second)
            second &= second - 1
            two = step(one, direction)
            if two == home or is_gate(board, one, direction, max(board[HEIGHT + one], board[HEIGHT + two])):
                continue
            third = ~ring(board, two) & 63
            while third:
                direction = lowest(third)
                third &= third - 1
                if not is_gate(board, two, direction, board[HEIGHT + two]):
                    count = add(board, move, step(two, direction), buffer, count)
    board[HEIGHT + home] = 1
    return count


@kernel
def throw(board: Any, move: int, thrower: int, buffer: Any, count: int) -> int:
    """Pillbug: a neighbour is lifted onto the thrower (-1: none) and set down on a free cell beside it."""
    if thrower < 0:
        return count
    home = move >> 10 & 1023
    for toward in range(6):
        if step(thrower, toward) == home and not is_gate(board, thrower, toward, 1):
            free = ~ring(board, thrower) & 63
            while free:
                direction = lowest(free)
                free &= free - 1
                if not is_gate(board, thrower, direction, 1):
                    count = add(board, move, step(thrower, direction), buffer, count)
    return count
