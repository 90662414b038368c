"""Players of the arena: whoever can be asked for a move."""

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
    """What a player did wrong: it loses the game."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True)
class Choice:
    """A move, with what the player reports of it."""

    move: int
    value: int | None = None  # its score for the player, if it reports one
    proved: bool = False
    nodes: int = 0
    cpu_seconds: float | None = None  # processor time, where it is known


class Player(Protocol):
    """Whoever can be asked for a move."""

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        """The move to play here; raises FaultError if there is none."""

    def close(self) -> None:
        """Called once, at the end."""
