"""Agents to measure others by."""

from __future__ import annotations

import random

from ludion.games.delirium.world import Game, Percept


class Still:
    """Never moves."""

    def decide(self, percept: Percept) -> int:
        return 0


class RandomWalk:
    """Moves by chance."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def decide(self, percept: Percept) -> int:
        return self.random.randrange(5)


def still(game: Game) -> Still:
    return Still()


def random_walk(game: Game, seed: int = 0) -> RandomWalk:
    return RandomWalk(seed)
