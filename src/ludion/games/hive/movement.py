"""How the bugs of Hive move: what keeps a piece in its place, and where the piece of each bug can go.

For each cell the board stores which neighbours are occupied. One look-up by these six bits gives the slides of a bug
(`SLIDES`): exactly one of the two cells beside the step must be occupied. With none the piece loses contact with the
hive; with both it does not fit through.

A piece whose neighbours form several arcs may hold the hive together. `Hive.holes` counts the empty regions that the
hive encloses. Without holes every such piece holds the hive together; otherwise one walk around the hive and its holes
finds those that do.
"""

from __future__ import annotations

from typing import Any

from ludion.core.verbs import kernel
from ludion.core.words import lowest
from ludion.games.hive.board import (
    ALL_DIRECTIONS,
    ALL_PIECES,
    ANT,
    ARCS,
    BEETLE,
    BUG_OF,
    GRASSHOPPER,
    HEIGHT,
    LADYBUG,
    MARK,
    MOSQUITO,
    NEXT_ON_WALK,
    NO_CELL,
    PILLBUG,
    QUEEN,
    SLIDES,
    SPIDER,
    anticlockwise,
    arc_starts,
    cell_of,
    clockwise,
    colour_of,
    empty_neighbours,
    exists,
    has,
    height_of,
    is_top,
    neighbours,
    piece_of,
    source_of,
    step,
    target_of,
    toggle_around,
    top_of,
)

# ------------------------------------------------------------------ what keeps a piece in its place


@kernel(count_references=False)
def is_gate(board: Any, cell: int, direction: int, height: int) -> bool:
    """Whether the stacks on both sides of a step are higher than this: no bug fits through between them."""
    left, right = step(cell, anticlockwise(direction)), step(cell, clockwise(direction))
    return height_of(board, left) > height and height_of(board, right) > height


@kernel(count_references=False)
def possible_pins(board: Any, placed: int, holes: int) -> int:
    """The pieces that hold the hive together if their neighbours form several arcs: a set."""
    return articulation_points(board, placed) if holes else ALL_PIECES


@kernel(count_references=False)
def is_pinned(board: Any, piece: int, cell: int, pins: int) -> bool:
    """Whether lifting this piece, alone on its cell, would break the hive; `pins` comes from `possible_pins`."""
    return ARCS[neighbours(board, cell)] > 1 and has(pins, piece)


@kernel(count_references=False)
def articulation_points(board: Any, placed: int) -> int:
    """The tops of the cells without which the hive is not connected: a set of pieces.

    They are found by one walk around each empty region, along the pieces beside it. MARK has the gaps that a walk has
    passed, each by the direction clockwise after it.
    """
    points, rest = 0, placed
    while rest:
        piece = lowest(rest)
        rest &= rest - 1
        if not is_top(board, piece):
            continue
        cell = cell_of(board, piece)
        near = neighbours(board, cell)
        if ARCS[near] > 1:
            gaps = arc_starts(near)
            while gaps:
                direction = lowest(gaps)
                gaps &= gaps - 1
                if not has(board[MARK + cell], direction):
                    points |= passed_twice(board, cell, direction)
    while placed:
        board[MARK + cell_of(board, lowest(placed))] = 0
        placed &= placed - 1
    return points


@kernel(count_references=False, inline=True)
def passed_twice(board: Any, start: int, first: int) -> int:
    """The pieces that a walk around an empty region passes twice: a set.

    It leaves the start in the direction `first`, and goes from a piece to its first neighbour clockwise after the gap
    that faces the region.
    """
    cell, direction, passed, twice = start, first, 0, 0
    while True:
        board[MARK + cell] |= 1 << direction
        piece = 1 << top_of(board, cell)
        twice |= passed & piece
        passed |= piece
        cell = step(cell, direction)
        direction = NEXT_ON_WALK[neighbours(board, cell), direction]
        if cell == start and direction == first:
            return twice


# ------------------------------------------------------------------ where a piece can go


@kernel(count_references=False)
def clear_marks(board: Any, buffer: Any, begin: int, end: int) -> None:
    """Take the marks off the targets of these moves."""
    for i in range(begin, end):
        board[MARK + target_of(buffer[i])] = 0


@kernel(count_references=False)
def copied_bugs(board: Any, cell: int) -> int:
    """The bugs that a mosquito on the ground of this cell can move as: a set."""
    bugs, near = 0, neighbours(board, cell)
    while near:
        bugs |= 1 << BUG_OF[top_of(board, step(cell, lowest(near)))]
        near &= near - 1
    return bugs & ~(1 << MOSQUITO)


@kernel(count_references=False)
def thrower_cell(board: Any, piece: int, stunned: int) -> int:
    """The cell of this pillbug or mosquito if it can throw its neighbours now, else NO_CELL."""
    cell = cell_of(board, piece)
    if not exists(cell) or height_of(board, cell) != 1 or piece == stunned:
        return NO_CELL
    if BUG_OF[piece] == MOSQUITO and not has(copied_bugs(board, cell), PILLBUG):
        return NO_CELL
    return cell


# In the functions below `move` has the piece and its source, with 0 as target. Each adds its moves to the
# buffer and returns the new count.


@kernel(count_references=False)
def add_walks(board: Any, move: int, buffer: Any, count: int) -> int:
    """A piece on the ground, with the moves of its bug or of those that a mosquito copies."""
    bug = BUG_OF[piece_of(move)]
    ways = copied_bugs(board, source_of(move)) if bug == MOSQUITO else 1 << bug
    if has(ways, ANT):  # goes wherever a queen, a pillbug or a spider can
        count = add_runs(board, move, buffer, count)
    else:
        if has(ways, QUEEN) or has(ways, PILLBUG):
            count = add_slides(board, move, buffer, count)
        if has(ways, SPIDER):
            count = add_crawls(board, move, buffer, count)
    if has(ways, GRASSHOPPER):
        count = add_jumps(board, move, buffer, count)
    if has(ways, BEETLE):
        count = add_climbs(board, move, buffer, count)
    if has(ways, LADYBUG):
        count = add_flights(board, move, buffer, count)
    return count


@kernel(count_references=False)
def add_move(board: Any, move: int, cell: int, buffer: Any, count: int) -> int:
    """The move to this cell, unless it is in the buffer already."""
    if board[MARK + cell]:
        return count
    board[MARK + cell] = 1
    buffer[count] = move | cell
    return count + 1


@kernel(count_references=False)
def add_slides(board: Any, move: int, buffer: Any, count: int) -> int:
    """Queen and pillbug: one slide."""
    home = source_of(move)
    free = SLIDES[neighbours(board, home)]
    while free:
        count = add_move(board, move, step(home, lowest(free)), buffer, count)
        free &= free - 1
    return count


@kernel(count_references=False)
def add_runs(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ant: any number of slides, with the ant itself off the board. The buffer is the queue of cells to go on from."""
    home, colour = source_of(move), colour_of(piece_of(move))
    toggle_around(board, home, colour)
    board[MARK + home] = 1
    cell, done = home, count
    while True:
        free = SLIDES[neighbours(board, cell)]
        while free:
            count = add_move(board, move, step(cell, lowest(free)), buffer, count)
            free &= free - 1
        if done == count:
            break
        cell = target_of(buffer[done])
        done += 1
    board[MARK + home] = 0
    toggle_around(board, home, colour)
    return count


@kernel(count_references=False)
def add_crawls(board: Any, move: int, buffer: Any, count: int) -> int:
    """Spider: exactly three slides, no cell twice, with the spider itself off the board."""
    home, colour = source_of(move), colour_of(piece_of(move))
    toggle_around(board, home, colour)
    first = SLIDES[neighbours(board, home)]
    while first:
        one = step(home, lowest(first))
        first &= first - 1
        second = SLIDES[neighbours(board, one)]
        while second:
            two = step(one, lowest(second))
            second &= second - 1
            if two == home:
                continue
            third = SLIDES[neighbours(board, two)]
            while third:
                three = step(two, lowest(third))
                third &= third - 1
                if three != home and three != one:
                    count = add_move(board, move, three, buffer, count)
    toggle_around(board, home, colour)
    return count


@kernel(count_references=False)
def add_jumps(board: Any, move: int, buffer: Any, count: int) -> int:
    """Grasshopper: straight over a row of at least one piece."""
    home = source_of(move)
    near = neighbours(board, home)
    while near:
        direction = lowest(near)
        near &= near - 1
        cell = step(home, direction)
        while height_of(board, cell):
            cell = step(cell, direction)
        count = add_move(board, move, cell, buffer, count)
    return count


@kernel(count_references=False)
def add_climbs(board: Any, move: int, buffer: Any, count: int) -> int:
    """Beetle: one step up, down, on top of the hive, or a slide."""
    home = source_of(move)
    height = height_of(board, home) - 1
    near = neighbours(board, home)
    ways = ALL_DIRECTIONS if height else near | SLIDES[near]
    while ways:
        direction = lowest(ways)
        ways &= ways - 1
        cell = step(home, direction)
        level = max(height, height_of(board, cell))
        if level == 0 or not is_gate(board, home, direction, level):
            count = add_move(board, move, cell, buffer, count)
    return count


@kernel(count_references=False)
def add_flights(board: Any, move: int, buffer: Any, count: int) -> int:
    """Ladybug: two steps on top of the hive and one down, with the ladybug itself off the board."""
    home = source_of(move)
    board[HEIGHT + home] = 0
    first = neighbours(board, home)
    while first:
        direction = lowest(first)
        first &= first - 1
        one = step(home, direction)
        if is_gate(board, home, direction, height_of(board, one)):
            continue
        second = neighbours(board, one)
        while second:
            direction = lowest(second)
            second &= second - 1
            two = step(one, direction)
            if two == home or is_gate(
                board, one, direction, max(height_of(board, one), height_of(board, two))
            ):
                continue
            third = empty_neighbours(board, two)
            while third:
                direction = lowest(third)
                third &= third - 1
                if not is_gate(board, two, direction, height_of(board, two)):
                    count = add_move(board, move, step(two, direction), buffer, count)
    board[HEIGHT + home] = 1
    return count


@kernel(count_references=False)
def add_throws(board: Any, move: int, thrower: int, buffer: Any, count: int) -> int:
    """Pillbug: a neighbour is lifted onto the thrower's cell (if any) and set down on a free cell beside it."""
    if not exists(thrower):
        return count
    home = source_of(move)
    for toward in range(6):
        if step(thrower, toward) == home and not is_gate(board, thrower, toward, 1):
            free = empty_neighbours(board, thrower)
            while free:
                direction = lowest(free)
                free &= free - 1
                if not is_gate(board, thrower, direction, 1):
                    count = add_move(board, move, step(thrower, direction), buffer, count)
    return count
