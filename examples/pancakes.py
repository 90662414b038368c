"""Pancakes: turn over the upper part of a stack until the cakes lie in order, the largest at the bottom."""

from typing import NamedTuple

import ludion
from ludion.kinds.puzzle import (
    estimate,
    goal,
    is_goal,
    most_moves,
    moves,
    play,
    project,
    projections,
    reverse,
    variables,
)

BITS = 4  # of each cake, the topmost lowest; 0 is a cake that a smaller puzzle does not know
LARGEST_STACK = 15


class Pancakes(NamedTuple):
    count: int


class Stack(NamedTuple):
    cakes: int


class Gaps(NamedTuple):
    """The heuristic: neighbours whose sizes differ by more than one; a turn changes one pair only."""


@moves.register(Pancakes)
def _(rules, stack, buffer):
    for cakes in range(2, rules.count + 1):
        buffer[cakes - 2] = cakes
    return rules.count - 1


@most_moves.register(Pancakes)
def _(rules):
    return rules.count - 1


@play.register(Pancakes)
def _(rules, stack, move):  # turn over so many cakes
    turned = 0
    for place in range(move):
        turned = turned << BITS | (stack.cakes >> BITS * place & 15)
    return Stack(stack.cakes >> BITS * move << BITS * move | turned)


@reverse.register(Pancakes)
def _(rules, move):
    return move


@goal.register(Pancakes)
def _(rules):
    cakes = 0
    for size in range(rules.count, 0, -1):
        cakes = cakes << BITS | size
    return Stack(cakes)


@is_goal.register(Pancakes)
def _(rules, stack):
    return stack.cakes == goal(rules).cakes


@estimate.register(Gaps)
def _(heuristic, rules, stack):
    gaps = 0
    for place in range(rules.count):
        below = stack.cakes >> BITS * (place + 1) & 15 if place + 1 < rules.count else rules.count + 1
        gaps += abs((stack.cakes >> BITS * place & 15) - below) > 1
    return gaps


@variables.register(Pancakes)
def _(rules):  # the cakes, the smallest first
    return rules.count


@projections.register(Pancakes)
def _(rules):  # the larger half of the cakes, the smaller half
    smaller = (1 << rules.count // 2) - 1
    return [(1 << rules.count) - 1 ^ smaller, smaller]


@project.register(Pancakes)
def _(rules, stack, number):  # the cakes that are not in the set look alike
    cakes = 0
    for place in range(rules.count - 1, -1, -1):
        size = stack.cakes >> BITS * place & 15
        cakes = cakes << BITS | (size if size and number >> size - 1 & 1 else 0)
    return Stack(cakes)


def read(text):  # from the top: 3 1 2
    sizes = text.split()
    if sorted(sizes) != sorted(map(str, range(1, len(sizes) + 1))):
        raise ludion.NotationError(f"'{text}' does not name the cakes 1 to {len(sizes)} once each")
    if not 2 <= len(sizes) <= LARGEST_STACK:
        raise ludion.NotationError(f"a stack has 2 to {LARGEST_STACK} cakes, not {len(sizes)}")
    return Pancakes(len(sizes)), Stack(sum(int(size) << BITS * place for place, size in enumerate(sizes)))


def write(rules, stack):
    return " ".join(str(stack.cakes >> BITS * place & 15) for place in range(rules.count))


def draw(rules, stack):  # a bar for each cake, as long as it is large
    sizes = [stack.cakes >> BITS * place & 15 for place in range(rules.count)]
    rows = ["o" * size + "." * (rules.count - size) for size in sizes]
    return ludion.Board(rows, {"o": ludion.Piece("cake", "brown", shape="block")})


def turned(rules, stack, move):  # the first cell of the lowest cake that is turned over
    return [(move - 1) * rules.count]


GAPS = ludion.Heuristic(Gaps, "neighbours that do not belong together", admissible=True)

GAME = ludion.Puzzle(
    name="pancakes",
    title="Pancakes",
    summary="turn over the upper part of the stack until it is in order",
    read=read,
    write=write,
    board=draw,
    move_cells=turned,
    start="4 6 2 5 1 3",
    default_heuristic="gaps",
    heuristics={
        "gaps": GAPS,
        "pattern-database": ludion.pattern_database(base=GAPS),
        "automatic": ludion.pattern_database(100_000, automatic=True, base=GAPS),
    },
)
