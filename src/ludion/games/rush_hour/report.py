"""The general engines, and how the old report ran them.

A game read with `order=report` gives its moves in the report's order (see `rules`). Together with the
settings here, breadth-first, greedy and A* then see exactly as many positions as the report's tables say: a
goal is recognised when it is taken from the queue, older entries come first among equals, and no position
is entered twice.
"""

from __future__ import annotations

from typing import Any

from ludion.answers import Answer
from ludion.engines import best_first
from ludion.engines import breadth_first as general
from ludion.engines.budget import Budget, Observer
from ludion.games.rush_hour.rules import PLAIN, REVERSED, RushHour, Traffic


def breadth_first(
    rules: RushHour,
    start: Traffic,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    late: bool = False,
) -> Answer:
    """layer by layer, each position once; optimal"""
    if rules.order != PLAIN:
        rules, late = rules._replace(order=REVERSED), True
    return general.solve(rules, start, guide, budget, observer, late)


def greedy(
    rules: RushHour,
    start: Traffic,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    oldest_first: bool = False,
    reopen: bool = True,
) -> Answer:
    """what looks nearest first; quick, seldom optimal"""
    if rules.order != PLAIN:
        oldest_first, reopen = True, False
    return best_first.greedy(rules, start, guide, budget, observer, oldest_first, reopen)


def a_star(
    rules: RushHour,
    start: Traffic,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    oldest_first: bool = False,
    reopen: bool = True,
) -> Answer:
    """cost so far plus estimate; optimal"""
    if rules.order != PLAIN:
        oldest_first, reopen = True, False
    return best_first.a_star(rules, start, guide, budget, observer, oldest_first, reopen)
