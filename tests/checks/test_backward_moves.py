"""`ludion check` finds ways back, projections and symmetries of puzzles that are wrong."""

from typing import NamedTuple

import pytest

import ludion
from ludion.checks import check
from ludion.kinds import puzzle

MISTAKES = {
    "none": "",
    "no way back": "moves_back must list",
    "wrong place before": "play_back must give",
    "no goal": "goals must give a position that is_goal accepts",
    "projection moves on": "projected again",
    "projection without moves": "must keep the moves",
    "identity": "symmetry 0",
    "symmetry": "must map moves and goals",
    "other features": "features must return",
}
LENGTH = 5

pytestmark = pytest.mark.interpreted


class Stairs(NamedTuple):
    """Two stairs to climb to the top, one step at a time; there is no way down. A projection knows the first only."""

    mistake: int


class Climber(NamedTuple):
    first: int
    second: int


def is_wrong(rules, name):
    return rules.mistake == list(MISTAKES).index(name)


@puzzle.moves.register(Stairs)
def _(rules, position, buffer):
    count = 0
    for move, height in enumerate(position):
        if height < LENGTH:
            buffer[count] = move
            count += 1
    return count


@puzzle.play.register(Stairs)
def _(rules, position, move):
    return Climber(position.first + (move == 0), position.second + (move == 1))


@puzzle.is_goal.register(Stairs)
def _(rules, position):
    return position == (LENGTH, LENGTH)


@puzzle.goals.register(Stairs)
def _(rules):
    return [Climber(LENGTH, 0 if is_wrong(rules, "no goal") else LENGTH)]


@puzzle.moves_back.register(Stairs)
def _(rules, position, buffer):
    count = 0
    for move, height in enumerate(position):
        if height > 0 and not (is_wrong(rules, "no way back") and move == 1):
            buffer[count] = move
            count += 1
    return count


@puzzle.play_back.register(Stairs)
def _(rules, position, move):
    if is_wrong(rules, "wrong place before"):
        return position
    return Climber(position.first - (move == 0), position.second - (move == 1))


@puzzle.projections.register(Stairs)
def _(rules):
    return [0]


@puzzle.project.register(Stairs)
def _(rules, position, number):
    if is_wrong(rules, "projection moves on"):
        return Climber(min(LENGTH, position.first + 1), 0)
    return Climber(position.first * (2 if is_wrong(rules, "projection without moves") else 1) % 6, 3)


@puzzle.features.register(Stairs)
def _(rules, position):
    return 2 + (position.second if is_wrong(rules, "other features") else 0)


@puzzle.feature.register(Stairs)
def _(rules, position, number):
    return position[number % 2]


@puzzle.symmetries.register(Stairs)
def _(rules):
    return 2


@puzzle.mirror.register(Stairs)
def _(rules, position, symmetry):
    if is_wrong(rules, "identity"):
        symmetry = 1
    if is_wrong(rules, "symmetry") and symmetry == 1:
        return Climber(position.second, 0)
    return Climber(position.second, position.first) if symmetry == 1 else position


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_named(mistake):
    game = ludion.Puzzle(
        name="stairs",
        title="Stairs",
        summary="climb both stairs",
        read=lambda text: (
            Stairs(list(MISTAKES).index(mistake)),
            Climber(*map(int, text.split())),
        ),
        write=lambda rules, position: f"{position.first} {position.second}",
        start="0 1",
    )
    problems = [str(problem) for problem in check(game, compiled=False)]
    if mistake == "none":
        assert problems == []
    else:
        assert any(MISTAKES[mistake] in problem for problem in problems), problems
