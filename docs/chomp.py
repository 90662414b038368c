"""Chomp: players bite a piece and all that is right of it and below it; who must take the poisoned corner loses."""

from typing import NamedTuple

import numpy as np

import ludion
from ludion.core.words import lowest
from ludion.kinds.duel import OPEN, WON, moves, play, verdict


class Chomp(NamedTuple):  # the rules: a set of pieces is an int, piece = row * width + column
    width: int
    bites: np.ndarray  # bites[p]: what goes when piece p is bitten


class Bar(NamedTuple):  # a position: the pieces left
    left: int


@moves.register(Chomp)
def _(rules, bar, buffer):
    count, rest = 0, bar.left
    while rest:
        buffer[count] = lowest(rest)
        count, rest = count + 1, rest & (rest - 1)
    return count


@play.register(Chomp)
def _(rules, bar, move):
    return Bar(bar.left & ~rules.bites[move])


@verdict.register(Chomp)
def _(rules, bar):  # for the player to move
    return OPEN if bar.left else WON


def read(text):  # rows of # (there) and . (eaten), with / between them
    lines = text.split("/")
    width, signs = len(lines[0]), "".join(lines)
    bites = [
        sum(1 << r * width + c for r in range(p // width, len(lines)) for c in range(p % width, width))
        for p in range(len(signs))
    ]
    return Chomp(width, np.array(bites)), Bar(sum(1 << p for p, sign in enumerate(signs) if sign == "#"))


def draw(rules, bar):  # the board as data: what is written, drawn, pressed and learnt from
    signs = "".join("#" if bar.left >> p & 1 else "." for p in range(len(rules.bites)))
    rows = [signs[p : p + rules.width] for p in range(0, len(signs), rules.width)]
    return ludion.Board(rows, {"#": ludion.Piece("chocolate", "brown", shape="block")})


about = {"name": "chomp", "title": "Chomp", "summary": "mind the poisoned corner"}
look = {"board": draw, "move_cells": lambda rules, bar, move: move}  # a move is the number of its cell
GAME = ludion.Duel(**about, **look, read=read, start="#####/#####/#####")
