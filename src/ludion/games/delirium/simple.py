"""Agents to compare others with."""

from __future__ import annotations

import random

from ludion.games.delirium.physics import DOWN, STAY
from ludion.games.delirium.world import Briefing, Percept


class Still:
    """Never moves."""

    def decide(self, percept: Percept) -> int:
        return STAY


class RandomWalk:
    """Stays or takes a random step."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def decide(self, percept: Percept) -> int:
        return self.random.randrange(STAY, DOWN + 1)


def still(briefing: Briefing) -> Still:
    return Still()


def random_walk(briefing: Briefing, seed: int = 0) -> RandomWalk:
    return RandomWalk(seed)
