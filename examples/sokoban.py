"""Sokoban: push every box onto a target. A move is one push; walking costs nothing.

Floor cells are numbered row by row; boxes are a set of them. The player can be wherever it can walk to, so a position
has only the lowest cell of its region: positions that differ by a walk are the same.
"""

import itertools
from typing import NamedTuple

import numpy as np

import ludion
from ludion.core.verbs import kernel
from ludion.core.words import lowest, popcount
from ludion.kinds.puzzle import (
    estimate,
    goals,
    is_goal,
    most_moves,
    moves,
    moves_back,
    play,
    play_back,
    project,
    projections,
    share,
    smaller,
    variables,
)

MOST_CELLS = 62
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))  # up, left, right, down: direction d is the opposite of 3 - d
NAMES = ("up", "left", "right", "down")
DEAD = 1000  # pushes of a box that can never reach a target


class Sokoban(NamedTuple):
    beside: np.ndarray  # beside[c, d]: the set of the cell beside c in direction d, 0 if there is a wall
    pushes: np.ndarray  # pushes[c]: the fewest that bring a lone box from c to a target
    targets: int  # the set of their cells
    boxes: int  # how many there are
    places: np.ndarray  # row and column of each cell
    shape: tuple[int, int]  # of the board, walls included


class Floor(NamedTuple):
    boxes: int  # the set of their cells
    player: int  # the lowest cell that the player can walk to


class Pushes(NamedTuple):
    """The heuristic: every box to its nearest target, as if it were alone."""


@kernel(python_entry=False)
def region(rules, boxes, cells):  # all that can be reached from these cells on foot
    reached, edge = cells, cells
    while edge:
        around = 0
        while edge:
            cell = lowest(edge)
            edge &= edge - 1
            for direction in range(4):
                around |= rules.beside[cell, direction]
        edge = around & ~boxes & ~reached
        reached |= edge
    return reached


@most_moves.register(Sokoban)
def _(rules):
    return 4 * rules.boxes


@moves.register(Sokoban)
def _(rules, floor, buffer):  # a push: the cell of the box, and the direction
    reached = region(rules, floor.boxes, 1 << floor.player)
    count = 0
    rest = floor.boxes
    while rest:
        box = lowest(rest)
        rest &= rest - 1
        for direction in range(4):
            if rules.beside[box, 3 - direction] & reached and rules.beside[box, direction] & ~floor.boxes:
                buffer[count] = box * 4 + direction
                count += 1
    return count


@play.register(Sokoban)
def _(rules, floor, move):
    box, direction = move // 4, move % 4
    boxes = floor.boxes ^ 1 << box ^ rules.beside[box, direction]
    return Floor(boxes, lowest(region(rules, boxes, 1 << box)))


@moves_back.register(Sokoban)
def _(rules, floor, buffer):  # the player stands where the box came from and pulls it back there
    reached = region(rules, floor.boxes, 1 << floor.player)
    count = 0
    rest = floor.boxes
    while rest:
        box = lowest(rest)
        rest &= rest - 1
        for direction in range(4):
            before = rules.beside[box, 3 - direction]
            if before & reached and rules.beside[lowest(before), 3 - direction] & ~floor.boxes:
                buffer[count] = lowest(before) * 4 + direction
                count += 1
    return count


@play_back.register(Sokoban)
def _(rules, floor, move):
    box, direction = move // 4, move % 4
    boxes = floor.boxes ^ 1 << box ^ rules.beside[box, direction]
    return Floor(boxes, lowest(region(rules, boxes, rules.beside[box, 3 - direction])))


@is_goal.register(Sokoban)
def _(rules, floor):
    return floor.boxes & ~rules.targets == 0


@goals.register(Sokoban)
def _(rules):
    targets = [1 << cell for cell in range(len(rules.places)) if rules.targets >> cell & 1]
    solved = []
    for boxes in map(sum, itertools.combinations(targets, rules.boxes)):
        left = (1 << len(rules.places)) - 1 & ~boxes
        while left:  # the player can be in any region
            solved.append(Floor(boxes, lowest(left)))
            left &= ~region(rules, boxes, left & -left)
    return solved


@estimate.register(Pushes)
def _(heuristic, rules, floor):
    total = 0
    rest = floor.boxes
    while rest:
        total += rules.pushes[lowest(rest)]
        rest &= rest - 1
    return total


@variables.register(Sokoban)
def _(rules):  # the boxes, in the order of their cells
    return rules.boxes


@projections.register(Sokoban)
def _(rules):  # two boxes at a time; the others are not there
    return [0b11 << box for box in range(0, rules.boxes, 2)]


@smaller.register(Sokoban)
def _(rules, number):
    return rules._replace(boxes=min((number & (1 << rules.boxes) - 1).bit_count(), rules.boxes))


@project.register(Sokoban)
def _(rules, floor, number):
    if popcount(floor.boxes) < rules.boxes:
        return floor
    boxes, rest, box = 0, floor.boxes, 0
    while rest:
        if number >> box & 1:
            boxes |= rest & -rest
        rest &= rest - 1
        box += 1
    return Floor(boxes, lowest(region(rules, boxes, 1 << floor.player)))


@share.register(Sokoban)
def _(rules, floor, move, number):  # a push moves one box, so the pushes of groups of boxes add up
    return 1


def lone_pushes(beside, targets):  # from the targets outwards: a box that is pulled, wherever the player is
    pushes = np.full(len(beside), DEAD)
    layer = [cell for cell in range(len(beside)) if targets >> cell & 1]
    pushes[layer] = 0
    while layer:
        cell = layer.pop(0)
        for direction in range(4):
            before = int(beside[cell, direction])
            if before and beside[lowest(before), direction] and pushes[lowest(before)] == DEAD:
                pushes[lowest(before)] = pushes[cell] + 1
                layer.append(lowest(before))
    return pushes


def read(
    text,
):  # rows from the top: # wall, @ player, $ box, . target, + player on one, * box on one, - floor
    rows = text.replace("_", "-").replace(" ", "-").split("/")
    signs = "".join(rows)
    if set(signs) - set("#@$.+*-") or signs.count("@") + signs.count("+") != 1:
        raise ludion.NotationError(
            f"'{text[:60]}' is no Sokoban board: # @ $ . + * - with one player, rows parted by /"
        )
    width = max(map(len, rows))
    sign_at = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line)}
    todo = [next(place for place, sign in sign_at.items() if sign in "@+")]
    inside = set(todo)
    while todo:  # what lies outside the walls is no floor
        row, column = todo.pop()
        for down, right in STEPS:
            place = row + down, column + right
            if place not in sign_at:
                raise ludion.NotationError(f"'{text[:60]}' has a gap in its walls")
            if sign_at[place] != "#" and place not in inside:
                inside.add(place)
                todo.append(place)
    places = sorted(inside)
    if len(places) > MOST_CELLS:
        raise ludion.NotationError(f"the board has {len(places)} cells of floor; {MOST_CELLS} are possible")
    cells = {place: cell for cell, place in enumerate(places)}

    def cells_of(kinds):
        return sum(1 << cell for place, cell in cells.items() if sign_at[place] in kinds)

    boxes, targets = cells_of("$*"), cells_of(".+*")
    if not 1 <= boxes.bit_count() == targets.bit_count():
        raise ludion.NotationError(
            f"{boxes.bit_count()} boxes and {targets.bit_count()} targets: as many as targets, please"
        )
    beside = np.zeros((len(places), 4), np.int64)
    for (row, column), cell in cells.items():
        for direction, (down, right) in enumerate(STEPS):
            there = cells.get((row + down, column + right))
            beside[cell, direction] = 0 if there is None else 1 << there
    rules = Sokoban(
        beside, lone_pushes(beside, targets), targets, boxes.bit_count(), np.array(places), (len(rows), width)
    )
    return rules, Floor(boxes, lowest(region(rules, boxes, cells_of("@+"))))


def write(rules, floor):
    rows = [["#"] * rules.shape[1] for _ in range(rules.shape[0])]
    for cell, (row, column) in enumerate(rules.places.tolist()):
        box, target = floor.boxes >> cell & 1, rules.targets >> cell & 1
        signs = "*$" if box else "+@" if cell == floor.player else ".-"
        rows[row][column] = signs[0 if target else 1]
    return "/".join(map("".join, rows))


def draw(rules, floor):
    pieces = {
        "#": ludion.Piece("wall", "ink", shape="block"),
        "$": ludion.Piece("box", "brown", shape="block"),
        "*": ludion.Piece("box on a target", "green", shape="block"),
        "@": ludion.Piece("player", "blue"),
        "+": ludion.Piece("player on a target", "blue", "x"),
        ".": ludion.Piece("target", "red", "x", shape="plain"),
    }
    return ludion.Board(write(rules, floor).split("/"), pieces)


def pushed(rules, floor, move):  # from where to where a box goes
    row, column = rules.places[move // 4].tolist()
    down, right = STEPS[move % 4]
    return [row * rules.shape[1] + column, (row + down) * rules.shape[1] + column + right]


LEVELS = {
    "corner": ("#######/#.----#/#-$#--#/#--$-@#/#-.---#/#######", 4),
    "four": ("########/#------#/#-.**$@#/#------#/#####--#/####---#/########", 7),
    "rooms": ("########/#..--#-#/#..$---#/#--#$-##/#-$-$@-#/#--##--#/########", 14),
}

PUSHES = ludion.Heuristic(Pushes, "every box to its nearest target, alone", admissible=True)

GAME = ludion.Puzzle(
    name="sokoban",
    title="Sokoban",
    summary="push every box onto a target",
    read=read,
    write=write,
    board=draw,
    move_cells=pushed,
    start=LEVELS["corner"][0],
    default_heuristic="pushes",
    levels=[
        ludion.Level(name, text, source="by hand", known={"length": length})
        for name, (text, length) in LEVELS.items()
    ],
    heuristics={
        "pushes": PUSHES,
        "pattern-database": ludion.pattern_database(base=PUSHES),
        "automatic": ludion.pattern_database(100_000, automatic=True, base=PUSHES),
    },
)
