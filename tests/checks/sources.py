"""Small games as a user writes them, to be spoilt by tests. Each is right as it stands."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import ludion

_numbers = itertools.count(1)

DUEL = '''\
"""Take one to three stones; who takes the last one wins."""
from typing import NamedTuple

import numpy as np

import ludion
from ludion.core.verbs import kernel
from ludion.kinds.duel import DRAWN, LOST, OPEN, WON, evaluate, key, mirror, mirror_move, moves, most_moves, play
from ludion.kinds.duel import symmetries, undo, verdict


PAD = (0,)


class Nim(NamedTuple):
    most: int
    table: np.ndarray
    pad: tuple


class Heap(NamedTuple):
    stones: int
    turn: int


class Parity(NamedTuple):
    """The evaluation."""


@moves.register(Nim)
def _(rules, heap, buffer):
    count = 0
    for taken in range(1, min(rules.most, heap.stones) + 1):
        buffer[count] = taken
        count += 1
    return count


@play.register(Nim)
def _(rules, heap, move):
    return Heap(heap.stones - move, 1 - heap.turn)


@verdict.register(Nim)
def _(rules, heap):
    return OPEN if heap.stones > 0 else LOST


@evaluate.register(Parity)
def _(evaluation, rules, heap):
    return heap.stones % 4


def read(text):
    stones, _, turn = text.partition(" ")
    if not stones.isdigit() or turn not in ("", "0", "1"):
        raise ludion.NotationError(f"{text} is no heap")
    return Nim(3, np.arange(8), PAD), Heap(int(stones), int(turn or 0))


def write(rules, heap):
    return f"{heap.stones} {heap.turn}"


def write_move(rules, heap, move):
    return f"take {move}"


def read_move(rules, heap, text):
    return int(text.removeprefix("take "))


GAME = ludion.Duel(
    name="nim", title="Nim", summary="take the last stone", read=read, write=write, start="15 0",
    write_move=write_move, read_move=read_move,
    evaluations={"parity": ludion.Evaluation(Parity, "stones modulo four")}, default_evaluation="parity",
)
'''

PUZZLE = '''\
"""Walk on a line to its end, by one or two steps."""
from typing import NamedTuple

import ludion
from ludion.kinds.puzzle import cost, estimate, estimate_after, goal, is_goal, moves, pack, play, reverse, unpack


PAD = (0,)


class Line(NamedTuple):
    length: int
    pad: tuple


class Spot(NamedTuple):
    at: int


class Left(NamedTuple):
    """The heuristic."""


@moves.register(Line)
def _(rules, spot, buffer):
    count = 0
    for step in (1, 2, 3, 4):
        to = spot.at + (step if step < 3 else 2 - step)
        if 0 <= to <= rules.length:
            buffer[count] = step
            count += 1
    return count


@play.register(Line)
def _(rules, spot, move):
    return Spot(spot.at + (move if move < 3 else 2 - move))


@is_goal.register(Line)
def _(rules, spot):
    return spot.at == rules.length


@cost.register(Line)
def _(rules, spot, move):
    return 1


@pack.register(Line)
def _(rules, spot):
    return (spot.at,)


@unpack.register(Line)
def _(rules, words, like):
    return Spot(words[0])


@reverse.register(Line)
def _(rules, move):
    return move + 2 if move < 3 else move - 2


@goal.register(Line)
def _(rules):
    return Spot(rules.length)


@estimate.register(Left)
def _(heuristic, rules, spot):
    return (rules.length - spot.at + 1) // 2


@estimate_after.register(Left)
def _(heuristic, rules, before, spot, move, child):
    return (rules.length - child.at + 1) // 2


def read(text):
    at, _, length = text.partition("/")
    if not (at.isdigit() and length.isdigit()):
        raise ludion.NotationError(f"{text} is no line")
    return Line(int(length), PAD), Spot(int(at))


def write(rules, spot):
    return f"{spot.at}/{rules.length}"


GAME = ludion.Puzzle(
    name="line", title="Line", summary="walk to the end", read=read, write=write, start="0/9",
    heuristics={"left": ludion.Heuristic(Left, "half of what is left", admissible=True)}, default_heuristic="left",
)
'''

QUEST = '''\
"""Guess a number; the world says whether it is higher."""
from dataclasses import dataclass, field

import ludion
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept


@dataclass
class Secret:
    number: int
    guesses: list = field(default_factory=list)


@dataclass
class Hint:
    guesses: list
    higher: bool


@percept.register(Secret)
def _(world):
    return Hint(list(world.guesses), bool(world.guesses) and world.guesses[-1] < world.number)


@act.register(Secret)
def _(world, action):
    if not isinstance(action, int) or not 0 <= action < 10:
        raise IllegalActionError(f"{action} is no digit")
    world.guesses.append(action)
    return world


@outcome.register(Secret)
def _(world):
    if not world.guesses:
        return RUNNING
    return WON if world.guesses[-1] == world.number else LOST if len(world.guesses) > 8 else RUNNING


class Counter:
    def decide(self, hint):
        return len(hint.guesses)


def read(text):
    if not text.isdigit():
        raise ludion.NotationError(f"{text} is no number")
    return None, Secret(int(text))


def write(rules, world):
    return str(world.number)


def actions(rules, world):
    return list(range(10)) if len(world.guesses) <= 8 else []


GAME = ludion.Quest(
    name="secret", title="Secret", summary="guess a digit", read=read, write=write, start="4", actions=actions,
    agents={"best": ludion.AgentMaker(lambda rules: Counter(), "counts up")},
)
'''


def load(folder: Path, source: str, name: str = "mine") -> Any:
    """The game of a source. Each has rules of a type of its own: Numba takes tuples of equal fields for one another,
    so that two games whose rules and positions look alike would share machine code."""
    file = folder / f"{name}.py"
    file.write_text(source.replace("PAD = (0,)", f"PAD = {(0,) * next(_numbers)}"), encoding="utf-8")
    return ludion.load_game_file(file)


def spoilt(source: str, *changes: tuple[str, str]) -> str:
    """The source with these texts replaced, each of which it must have once."""
    for old, new in changes:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


def line(source: str, text: str) -> int:
    """The number of the first line that has this text."""
    return source[: source.index(text)].count("\n") + 1
