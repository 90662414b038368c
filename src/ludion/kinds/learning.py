"""Boards and moves as numbers for learners: actions from 0 to n - 1, observations as arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

LONGEST_GAME = 400  # plies of a duel, after which it is cut off


@dataclass(frozen=True)
class Coding:
    """Numbers the moves and positions on one board of a puzzle or duel."""

    actions: int
    # the action of a move in a position; None: its place among the legal moves
    encode: Callable[[Any, int], int] | None
    shape: tuple[int, ...]
    low: int
    high: int
    observe: Callable[[Any, bool], np.ndarray]  # (position, as the player to move sees it) -> array
    longest_game: int = LONGEST_GAME

    def choices(self, position: Any, moves: list[int]) -> dict[int, int]:
        """The legal actions with their moves."""
        if self.encode is None:
            return dict(enumerate(moves))
        return {self.encode(position, move): move for move in moves}

    def mask(self, position: Any, moves: list[int]) -> np.ndarray:
        """1 for each legal action."""
        return mask_of(self.actions, self.choices(position, moves))


def mask_of(actions: int, legal: Iterable[int]) -> np.ndarray:
    """1 for each legal action."""
    mask = np.zeros(actions, np.int8)
    mask[list(legal)] = 1
    return mask


@dataclass(frozen=True)
class WorldCoding:
    """Numbers the actions and percepts of a quest, and defines the rewards."""

    actions: int
    decode: Callable[[Any, int], Any]  # (world, number) -> the quest's action
    shape: tuple[int, ...]
    low: int
    high: int
    observe: Callable[[Any], np.ndarray]  # world -> what the agent may see, int8
    mask: Callable[[Any], np.ndarray]  # world -> 1 for each action worth trying
    picture: Callable[[np.ndarray], np.ndarray]  # observation -> small numbers, one per cell, for colours
    gain: Callable[[Any], float]  # world -> what has been gathered; a step is rewarded by the difference
    prize: float = 1.0  # for winning; losing costs as much
