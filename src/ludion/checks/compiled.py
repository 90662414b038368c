"""Plays the same random game twice, compiled and in plain Python. Both must be equal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ludion.checks.puzzles import TABLE_SECONDS
from ludion.checks.sample import STEPS, CheckedPosition, frozen
from ludion.core import tiers
from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.engines.budget import Budget
from ludion.engines.trial import ContractProblem, explain, problem_of, with_spare
from ludion.errors import UnfitError
from ludion.estimates import make_guide
from ludion.kinds import duel, puzzle
from ludion.kinds.games import DUEL, Searched
from ludion.kinds.moving import moves
from ludion.kinds.values import Guide, Rules, State

NOTED = 3  # numbers for each step: how many moves there are, which is played, a hash or word of the position


@kernel
def puzzle_walk(rules: Rules, position: State, seed: int, steps: int, log: np.ndarray) -> int:
    """Play at random and record the steps; return their number, or -1 if there are too many moves."""
    most = puzzle.most_moves(rules)
    buffer = np.zeros(with_spare(most), np.int64)
    for step in range(steps):
        count = puzzle.moves(rules, position, buffer)
        if count > most:
            return -1
        if count == 0 or puzzle.is_goal(rules, position):
            return step
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = puzzle.play(rules, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = puzzle.pack(rules, position)[0]
    return steps


@kernel
def duel_walk(rules: Rules, position: State, seed: int, steps: int, log: np.ndarray) -> int:
    """The same in a duel."""
    most = duel.most_moves(rules)
    buffer = np.zeros(with_spare(most), np.int64)
    for step in range(steps):
        if duel.verdict(rules, position) != duel.OPEN:
            return step
        count = duel.moves(rules, position, buffer)
        if count > most or count == 0:
            return -1
        move = buffer[(mix(step, seed) & 0xFFFF) % count]
        position = duel.play(rules, position, move)
        log[step, 0] = count
        log[step, 1] = move
        log[step, 2] = duel.key(rules, position)
    return steps


@kernel
def estimated(heuristic: Guide, rules: Rules, position: State) -> int:
    return puzzle.estimate(heuristic, rules, position)  # type: ignore[no-any-return]


@kernel
def evaluated(evaluation: Guide, rules: Rules, position: State) -> int:
    return duel.evaluate(evaluation, rules, position)  # type: ignore[no-any-return]


def check_compiled_guides(places: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Whether compiled heuristics or evaluations give the same values for these positions."""
    for place in places:
        game, rules = place.game, place.rules
        assert isinstance(game, Searched)
        verb, ask = (duel.evaluate, evaluated) if game.kind == DUEL else (puzzle.estimate, estimated)
        for name in game.guides if place.codes else ():
            try:
                guide = make_guide(game, name, rules, Budget(seconds=TABLE_SECONDS))
            except UnfitError:
                continue
            numbers = []
            for tier in (tiers.COMPILED, tiers.INTERPRETED):
                try:
                    with tiers.use(tier):
                        numbers.append(int(ask(guide, rules, place.state)))
                except Exception as error:
                    problem = explain(error, rules, guide)
                    if problem is None:
                        raise
                    yield problem
                    break
            else:
                if numbers[0] != numbers[1]:
                    compiled, plain = numbers
                    yield problem_of(verb, guide, "guide_differs", place.text, compiled=compiled, plain=plain)


def check_compiled(places: Sequence[CheckedPosition], seed: int = 11) -> Iterator[ContractProblem]:
    """Whether the compiled game is the same, from each of these positions."""
    for place in places:
        rules = place.rules
        walk: Any = duel_walk if place.game.kind == DUEL else puzzle_walk
        logs = np.zeros((2, STEPS, NOTED), np.int64)
        ends = []
        for tier, log in zip((tiers.COMPILED, tiers.INTERPRETED), logs, strict=True):
            state = duel.copy(rules, place.state) if place.game.kind == DUEL else place.state
            try:
                with tiers.use(tier):
                    ends.append(int(walk(rules, state, seed, STEPS, log)))
            except Exception as error:
                problem = explain(error, rules)
                if problem is None:
                    raise
                yield problem
                return
        if ends[0] != ends[1] or frozen(logs[0]) != frozen(logs[1]):
            differing = np.flatnonzero((logs[0] != logs[1]).any(axis=1))
            step = int(differing[0]) if len(differing) else min(ends)
            compiled, plain = (str(log[min(step, STEPS - 1)].tolist()) for log in logs)
            yield problem_of(
                moves, rules, "compiled_differs", place.text, step=step, compiled=compiled, plain=plain
            )
            return
