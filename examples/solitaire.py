"""Peg solitaire on any board: a peg jumps over another, which is removed, until one is left, in the centre or anywhere.

Every jump removes one peg, so all solutions of a board are equally long: a search has only to avoid the dead ends.
"""

from typing import NamedTuple

import numpy as np

import ludion
from ludion.core.verbs import kernel
from ludion.core.words import popcount
from ludion.kinds.puzzle import (
    estimate,
    goals,
    is_goal,
    mirror,
    moves,
    moves_back,
    play,
    play_back,
    project,
    projections,
    smaller,
    symmetries,
    variables,
)

MOST_HOLES = 49


class Solitaire(NamedTuple):
    jumps: np.ndarray  # jumps[j]: three sets of one hole each: from, over, to
    images: np.ndarray  # images[s, h]: the set of the hole that symmetry s brings hole h to
    last: int  # the set of holes where the last peg may be
    forgotten: int  # the set of holes that this, a smaller puzzle, does not know
    board: tuple[int, int, int]  # rows, columns, and the set of places, row by row, that are holes


class Pegs(NamedTuple):
    pegs: int  # the set of holes with a peg
    others: int  # how many pegs there are in forgotten holes


class Surplus(NamedTuple):
    """The heuristic: each jump removes one peg (it says nothing about dead ends)."""


@kernel(python_entry=False)
def can_change(rules, position, full, empty):
    """Whether the holes of `full` may hold pegs and those of `empty` none; forgotten ones are only counted."""
    known = full & ~rules.forgotten
    return (
        position.pegs & (known | empty) == known
        and position.others >= popcount(full & rules.forgotten)
        and popcount(rules.forgotten) - position.others >= popcount(empty & rules.forgotten)
    )


@kernel(python_entry=False)
def changed(rules, position, full, empty):
    """Pegs out of the holes of `full` and into those of `empty`."""
    return Pegs(
        position.pegs ^ (full | empty) & ~rules.forgotten,
        position.others + popcount(empty & rules.forgotten) - popcount(full & rules.forgotten),
    )


@moves.register(Solitaire)
def _(rules, position, buffer):
    count = 0
    for jump in range(rules.jumps.shape[0]):
        if can_change(rules, position, rules.jumps[jump, 0] | rules.jumps[jump, 1], rules.jumps[jump, 2]):
            buffer[count] = jump
            count += 1
    return count


@play.register(Solitaire)
def _(rules, position, move):
    return changed(rules, position, rules.jumps[move, 0] | rules.jumps[move, 1], rules.jumps[move, 2])


@moves_back.register(Solitaire)
def _(rules, position, buffer):
    count = 0
    for jump in range(rules.jumps.shape[0]):
        if can_change(rules, position, rules.jumps[jump, 2], rules.jumps[jump, 0] | rules.jumps[jump, 1]):
            buffer[count] = jump
            count += 1
    return count


@play_back.register(Solitaire)
def _(rules, position, move):
    return changed(rules, position, rules.jumps[move, 2], rules.jumps[move, 0] | rules.jumps[move, 1])


@is_goal.register(Solitaire)
def _(rules, position):
    return popcount(position.pegs) + position.others == 1 and position.pegs & ~rules.last == 0


@goals.register(Solitaire)
def _(rules):
    return [Pegs(1 << hole, 0) for hole in range(MOST_HOLES) if rules.last >> hole & 1]


@estimate.register(Surplus)
def _(heuristic, rules, position):
    return popcount(position.pegs) + position.others - 1


@variables.register(Solitaire)
def _(rules):
    return rules.images.shape[1]


@projections.register(Solitaire)
def _(rules):  # the upper half and the lower half
    holes = rules.images.shape[1]
    upper = (1 << holes // 2) - 1
    return [upper, (1 << holes) - 1 ^ upper]


@smaller.register(Solitaire)
def _(rules, number):
    return rules._replace(forgotten=(1 << rules.images.shape[1]) - 1 & ~number)


@project.register(Solitaire)
def _(rules, position, number):
    return Pegs(position.pegs & number, position.others + popcount(position.pegs & ~number))


@symmetries.register(Solitaire)
def _(rules):
    return rules.images.shape[0]


@mirror.register(Solitaire)
def _(rules, position, symmetry):
    pegs = 0
    for hole in range(rules.images.shape[1]):
        if position.pegs >> hole & 1:
            pegs |= rules.images[symmetry, hole]
    return Pegs(pegs, position.others)


def turns(rows, columns):  # the symmetries of a rectangle, the identity first
    for flip_down in (False, True):
        for flip_right in (False, True):
            for swap in (False, True) if rows == columns else (False,):

                def turn(place, down=flip_down, right=flip_right, swap=swap):
                    row, column = place
                    row, column = rows - 1 - row if down else row, columns - 1 - column if right else column
                    return (column, row) if swap else (row, column)

                yield turn


def read(text, last="centre"):  # rows from the top: o a peg, . an empty hole, # none
    rows = text.split("/")
    if set("".join(rows)) - set("o.#") or len(set(map(len, rows))) != 1 or "o" not in text:
        raise ludion.NotationError(
            f"'{text[:60]}' is no board: equal rows of o (peg), . (hole) and # (none), parted by /"
        )
    places = [
        (row, column) for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "#"
    ]
    if len(places) > MOST_HOLES:
        raise ludion.NotationError(f"{len(places)} holes are too many: {MOST_HOLES} are possible")
    height, width = len(rows), len(rows[0])
    bits = {place: 1 << hole for hole, place in enumerate(places)}
    centre = (height // 2, width // 2)
    if last == "centre" and (centre not in bits or height % 2 == 0 or width % 2 == 0):
        raise ludion.NotationError("the board has no hole in its centre; give last=any")
    jumps = [
        [bits[row + step * down, column + step * right] for step in (0, 1, 2)]
        for row, column in places
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
        if all((row + step * down, column + step * right) in bits for step in (1, 2))
    ]
    images = [
        [bits[turn(place)] for place in places]
        for turn in turns(height, width)
        if all(turn(place) in bits for place in places)
    ]
    board = height, width, sum(1 << row * width + column for row, column in places)
    rules = Solitaire(
        np.array(jumps, np.int64).reshape(-1, 3),
        np.array(images, np.int64),
        bits[centre] if last == "centre" else (1 << len(places)) - 1,
        0,
        board,
    )
    return rules, Pegs(sum(bits[row, column] for row, column in places if rows[row][column] == "o"), 0)


def write(rules, position):
    height, width, places = rules.board
    signs, hole = "", 0
    for place in range(height * width):
        if places >> place & 1:
            signs += "o" if position.pegs >> hole & 1 else "."
            hole += 1
        else:
            signs += "#"
    return "/".join(signs[row * width : (row + 1) * width] for row in range(height))


def draw(rules, position):
    rows = write(rules, position).replace("#", " ").split("/")
    return ludion.Board(rows, {"o": ludion.Piece("peg", "blue")})


def jumped(rules, position, move):  # from where to where: bits as the numbers of holes
    return [int(rules.jumps[move, step]).bit_length() - 1 for step in (0, 2)]


LEVELS = {
    "plus": ("##...##/##.o.##/...o.../.ooooo./...o.../##.o.##/##...##", 8),
    "fireplace": ("##ooo##/##ooo##/..ooo../..o.o../......./##...##/##...##", 10),
    "pyramid": ("##...##/##.o.##/..ooo../.ooooo./ooooooo/##...##/##...##", 15),
    "arrow": ("##.o.##/##ooo##/.ooooo./...o.../...o.../##ooo##/##ooo##", 16),
    "diamond": ("##.o.##/##ooo##/.ooooo./ooo.ooo/.ooooo./##ooo##/##.o.##", 23),
    "central": ("##ooo##/##ooo##/ooooooo/ooo.ooo/ooooooo/##ooo##/##ooo##", 31),
}

SURPLUS = ludion.Heuristic(Surplus, "pegs to be removed", admissible=True)

GAME = ludion.Puzzle(
    name="solitaire",
    title="Peg solitaire",
    summary="jump until one peg is left",
    read=read,
    write=write,
    board=draw,
    move_cells=jumped,
    start=LEVELS["plus"][0],
    options=(ludion.Setting("last", "where the last peg is to be", "centre", choices=("centre", "any")),),
    default_heuristic="surplus",
    levels=[
        ludion.Level(name, text, source="the English board", known={"length": length})
        for name, (text, length) in LEVELS.items()
    ],
    heuristics={
        "surplus": SURPLUS,
        "pattern-database": ludion.pattern_database(base=SURPLUS),
        "automatic": ludion.pattern_database(100_000, automatic=True, base=SURPLUS),
    },
)
