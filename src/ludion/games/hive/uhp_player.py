"""Programs that speak the Universal Hive Protocol, as players of the arena: `uhp:COMMAND`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ludion.errors import LudionError
from ludion.games.hive.uhp import EngineError, External
from ludion.kinds.players import CRASH, FLOOD, GRACE, ILLEGAL, LATE, Choice, FaultError
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.engines.budget import Budget
    from ludion.games.hive.rules import Hive, HiveGame
    from ludion.kinds.games import Duel
    from ludion.positions import Position

PATIENCE = 10.0  # seconds that a program may take beyond the time for its move
LONGEST_LINE = 1 << 16
MOST_LINES = 20_000  # of one answer
FLOODED = "\0 flooded"  # stands for the rest of an answer that is too long


def make(game: Duel[HiveGame, Hive], argument: str) -> UhpPlayer:
    """The player that this command starts."""
    if not argument.strip():
        raise LudionError(message("arena.player_needs_argument", player="uhp", argument="COMMAND"))
    return UhpPlayer(argument)


class UhpPlayer:
    """A program that speaks the protocol; it is started for its first move."""

    def __init__(self, command: str) -> None:
        self.command = command
        self.program: GuardedProgram | None = None

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        try:
            if self.program is None:
                self.program = GuardedProgram(self.command, patience=PATIENCE)
            began = time.monotonic()
            move = self.program.best_move(position.rules, position.state, budget)
        except ProgramFaultError as fault:
            self.close()
            raise FaultError(fault.kind, str(fault)) from fault
        except EngineError as error:
            self.close()
            raise FaultError(CRASH, str(error)) from error
        except LudionError as error:  # a text that is not a move
            raise FaultError(ILLEGAL, str(error)) from error
        seconds = time.monotonic() - began
        # The protocol counts whole seconds, so a program may take at least one.
        allowed = None if budget.seconds is None else max(1.0, budget.seconds) + GRACE
        if allowed is not None and seconds > allowed:
            raise FaultError(
                LATE, message("arena.took_too_long", seconds=f"{seconds:.1f}", allowed=f"{allowed:g}")
            )
        return Choice(move)

    def close(self) -> None:
        if self.program is not None:
            self.program.process.kill()
            self.program.close()
            self.program = None


# ------------------------------------------------------------------ protection against floods


class ProgramFaultError(EngineError):
    """What a program did wrong, by its kind."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


class GuardedProgram(External):
    """A program whose output is cut off where it is too long, and whose faults are told apart."""

    unread = 0  # lines since the last question

    def _listen(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        for line in iter(lambda: stdout.readline(LONGEST_LINE), ""):
            self.unread += 1
            if self.unread > MOST_LINES or len(line) >= LONGEST_LINE:
                self.process.kill()
                self.lines.put(FLOODED)
                self.lines.put("ok")
                break
            self.lines.put(line.strip())
        self.lines.put(None)

    def ask(self, command: str, extra: float = 0.0) -> list[str]:
        self.unread = 0
        return super().ask(command, extra)

    def _answer(self, extra: float = 0.0) -> list[str]:
        began = time.monotonic()
        try:
            lines = super()._answer(extra)
        except EngineError as error:
            if time.monotonic() - began >= self.patience + extra:
                raise ProgramFaultError(LATE, str(error)) from error
            raise
        if FLOODED in lines:
            raise ProgramFaultError(FLOOD, message("arena.floods", player=self.command[0]))
        return lines
