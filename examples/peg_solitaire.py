"""Peg solitaire on a triangle of 15 holes: a peg jumps over another, which is removed; one is to be left."""
from typing import NamedTuple

import numpy as np

import ludion
from ludion.core.words import popcount
from ludion.kinds.puzzle import estimate, is_goal, moves, play

class Solitaire(NamedTuple):
    jumps: np.ndarray  # jumps[j]: three sets of one hole each: from, over, to

class Pegs(NamedTuple):
    pegs: int  # hole h is bit h, row by row from the top

class Surplus(NamedTuple):
    """The heuristic: each jump removes one peg (it says nothing about dead ends)."""

@moves.register(Solitaire)
def _(rules, position, buffer):
    count = 0
    for jump in range(rules.jumps.shape[0]):
        start, over, to = rules.jumps[jump]
        if position.pegs & start and position.pegs & over and not position.pegs & to:
            buffer[count] = jump
            count += 1
    return count

@play.register(Solitaire)
def _(rules, position, move):
    return Pegs(position.pegs ^ rules.jumps[move, 0] ^ rules.jumps[move, 1] ^ rules.jumps[move, 2])

@is_goal.register(Solitaire)
def _(rules, position):
    return popcount(position.pegs) == 1

@estimate.register(Surplus)
def _(heuristic, rules, position):
    return popcount(position.pegs) - 1

HOLES = [(row, column) for row in range(5) for column in range(row + 1)]
JUMPS = [[1 << HOLES.index((row + step * down, column + step * right)) for step in (0, 1, 2)]
         for row, column in HOLES for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
         if (row + 2 * down, column + 2 * right) in HOLES]

def read(text):  # five rows, o a peg and . a hole: ./oo/ooo/oooo/ooooo
    signs = text.replace("/", "")
    if len(signs) != 15 or set(signs) - set("o."):
        raise ludion.NotationError(f"'{text}' is not 15 holes of o (peg) and . (empty)")
    return Solitaire(np.array(JUMPS)), Pegs(sum(1 << hole for hole in range(15) if signs[hole] == "o"))

def draw(rules, position):
    signs = "".join("o" if position.pegs >> hole & 1 else "." for hole in range(15))
    rows = [signs[row * (row + 1) // 2 : (row + 1) * (row + 2) // 2] for row in range(5)]
    return ludion.Board(rows, {"o": ludion.Piece("peg", "blue")}, form="centred")

def jumped(rules, position, move):  # from where to where: bits as the numbers of holes
    return [int(rules.jumps[move, step]).bit_length() - 1 for step in (0, 2)]

GAME = ludion.Puzzle(
    name="peg-solitaire", title="Peg solitaire", summary="jump until one peg is left",
    read=read, board=draw, move_cells=jumped,
    start="./oo/ooo/oooo/ooooo", default_heuristic="surplus",
    heuristics={"surplus": ludion.Heuristic(Surplus, "pegs to be removed", admissible=True)})
