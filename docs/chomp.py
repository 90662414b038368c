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
    rows = text.split("/")
    width, signs = len(rows[0]), "".join(rows)
    bites = [
        sum(1 << r * width + c for r in range(p // width, len(rows)) for c in range(p % width, width))
        for p in range(len(signs))
    ]
    return Chomp(width, np.array(bites)), Bar(sum(1 << p for p, sign in enumerate(signs) if sign == "#"))


def write(rules, bar):
    signs = "".join("#" if bar.left >> p & 1 else "." for p in range(len(rules.bites)))
    return "/".join(signs[p : p + rules.width] for p in range(0, len(signs), rules.width))


about = {"name": "chomp", "title": "Chomp", "summary": "mind the poisoned corner"}
GAME = ludion.Duel(**about, read=read, write=write, start="#####/#####/#####")
