"""Players of the arena: engines, programs and others that choose a move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from ludion.errors import LudionError

if TYPE_CHECKING:
    from ludion.engines.budget import Budget
    from ludion.positions import Position

CRASH, LATE, ILLEGAL, FLOOD = "crash", "time", "illegal", "flood"
FAULTS = (CRASH, LATE, ILLEGAL, FLOOD)
GRACE = 1.0  # seconds beyond a time limit before a player counts as late: starting up, a busy machine


class FaultError(LudionError):
    """A fault of a player, which loses the game."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True)
class Choice:
    """A move with the player's report."""

    move: int
    value: int | None = None  # its score for the player, if it reports one
    proved: bool = False
    nodes: int = 0
    cpu_seconds: float | None = None  # processor time, where it is known


class Player(Protocol):
    """Chooses moves."""

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        """The move to play here; raises FaultError if the player has none."""

    def close(self) -> None:
        """Called once, at the end."""
