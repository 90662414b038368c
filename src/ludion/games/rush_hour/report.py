"""The general engines, set as the old report ran them if the rules were read with `order=report`.

Such rules list moves in the report's order (see `rules`). With the settings below, breadth-first search, greedy search
and A* then see exactly as many positions as the report's tables say: a goal is recognised when it is taken from the
queue, older entries come first among equals, and no position is entered twice.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from ludion.answers import Answer
from ludion.engines import best_first
from ludion.engines import breadth_first as general
from ludion.engines.budget import Budget, Observer
from ludion.games.rush_hour.heuristics import Heuristic
from ludion.games.rush_hour.rules import PLAIN, REVERSED, RushHour, Traffic


def breadth_first(
    rules: RushHour,
    start: Traffic,
    heuristic: Heuristic | None,
    budget: Budget,
    observer: Observer | None = None,
    late: bool = False,
) -> Answer:
    """layer by layer, each position once; optimal"""
    if rules.order != PLAIN:
        rules, late = rules._replace(order=REVERSED), True
    return general.solve(rules, start, heuristic, budget, observer, late)


def _without_reopening(engine: Callable[..., Answer], help: str) -> Callable[..., Answer]:
    """The engine; with the report's order it enters no position twice, and the oldest of equal entries comes first."""

    @functools.wraps(engine)
    def solve(rules: RushHour, *arguments: object, **options: object) -> Answer:
        if rules.order != PLAIN:
            options |= {"oldest_first": True, "reopen": False}
        return engine(rules, *arguments, **options)

    solve.__doc__ = help
    return solve


greedy = _without_reopening(best_first.greedy, "what looks nearest first; quick, seldom optimal")
a_star = _without_reopening(best_first.a_star, "cost so far plus estimate; optimal")
