"""Introductions: three steps per game, in both languages, each of which can be done as it says."""

from __future__ import annotations

import pytest

import ludion
from ludion import registry
from ludion.games.delirium.actions import read_actions
from ludion.kinds.games import DUEL, PUZZLE, read_steps
from ludion.messages import LANGUAGES

GAMES = sorted(registry.installed())
QUESTS = {
    "crocomine": [["discover 0 0"], ["discover 1 0", "discover 1 2"], ["discover 3 1", "guess 0 0 S"]],
    "delirium": ["r3d2lr3", "r3d2r2", "r7d5"],
}  # how the steps of quests are done


def steps_of(game):
    return read_steps(registry.find(game).introduction)


@pytest.mark.parametrize("game", GAMES)
def test_three_steps_in_both_languages(game):
    steps = steps_of(game)
    assert len(steps) == 3
    for step in steps:
        assert set(step.task) == set(step.after) == set(LANGUAGES)
        assert ludion.position(game, step.start, **step.options).is_open


@pytest.mark.parametrize("game", [name for name in GAMES if registry.find(name).kind == PUZZLE])
def test_puzzles_are_solved_within_the_moves_allowed(game):
    for step in steps_of(game):
        assert ludion.solve(ludion.position(game, step.start)).length <= step.within


@pytest.mark.parametrize("game", [name for name in GAMES if registry.find(name).kind == DUEL])
def test_moves_of_duels_are_legal_or_win(game):
    for step in steps_of(game):
        here = ludion.position(game, step.start)
        legal = here.moves()
        if step.moves:
            assert set(step.moves) & set(legal)
        else:
            assert [move for move in legal if here.play(move).status == "lost"] == ["wA3 -wA2"]


@pytest.mark.parametrize("game", QUESTS)
def test_quests_are_done_as_they_say(game):
    for step, solution in zip(steps_of(game), QUESTS[game], strict=True):
        moves = solution if isinstance(solution, list) else read_actions(solution)
        here = ludion.position(game, step.start)
        for move in moves:
            here = here.play(move)
        if step.moves:
            assert moves[-1] in step.moves
            assert here.status != "lost"
        else:
            assert here.status == "won"
        assert len(moves) <= step.within
