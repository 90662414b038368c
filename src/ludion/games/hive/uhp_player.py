"""Programs that speak the Universal Hive Protocol, as players of the arena: `uhp:COMMAND`."""

from __future__ import annotations

import shlex
import shutil
import time
from typing import TYPE_CHECKING

from ludion.core import clock
from ludion.errors import LudionError, UnfitError
from ludion.games.hive.uhp_client import EngineError, External
from ludion.kinds.players import GRACE, ILLEGAL, LATE, Choice, FaultError
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.engines.budget import Budget
    from ludion.games.hive.rules import Hive, HiveRules
    from ludion.kinds.games import Duel
    from ludion.positions import Position

PATIENCE = 10.0  # seconds that a program may take beyond the time for its move


def make(game: Duel[HiveRules, Hive], argument: str) -> UhpPlayer:
    """The player that this command starts."""
    if not argument.strip():
        raise LudionError(message("arena.player_needs_argument", player="uhp", argument="COMMAND"))
    try:
        missing = shutil.which(shlex.split(argument)[0]) is None
    except ValueError as error:  # an open quote
        raise LudionError(message("hive.engine_not_started", command=argument, error=error)) from None
    if missing:
        raise LudionError(message("hive.no_such_engine", command=argument))
    return UhpPlayer(argument)


class UhpPlayer:
    """A program that speaks the protocol; it is started for its first move."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.program: External | None = None

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        try:
            if self.program is None:
                self.program = External(self.command, patience=PATIENCE)
            began, cpu_before = time.monotonic(), self.program.cpu_seconds()
            move = self.program.best_move(position.rules, position.state, budget)
        except EngineError as error:
            self.close()
            raise FaultError(error.kind, str(error)) from error
        except UnfitError:
            self.close()
            raise
        except LudionError as error:  # a text that is not a move
            raise FaultError(ILLEGAL, str(error)) from error
        seconds, cpu_seconds = time.monotonic() - began, None
        if cpu_before is not None and (cpu_now := self.program.cpu_seconds()) is not None:
            cpu_seconds = cpu_now - cpu_before
        if clock.are_limits_cpu() and cpu_seconds is not None:
            seconds = cpu_seconds
        allowed = None if budget.seconds is None else budget.seconds + GRACE
        if allowed is not None and seconds > allowed:
            raise FaultError(
                LATE, message("arena.took_too_long", seconds=f"{seconds:.1f}", allowed=f"{allowed:g}")
            )
        return Choice(move, cpu_seconds=cpu_seconds)

    def close(self) -> None:
        if self.program is not None:
            self.program.process.kill()
            self.program.close()
            self.program = None
