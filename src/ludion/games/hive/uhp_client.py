"""The client of the Universal Hive Protocol: runs another engine, which is not trusted.

It may hang, end, refuse a command or write endless output; each of these raises an `EngineError` with its kind.
"""

from __future__ import annotations

import os
import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from ludion.core import clock
from ludion.engines.budget import Budget
from ludion.errors import LudionError, UnfitError
from ludion.games.hive.board import move_at
from ludion.games.hive.notation import played, read_move, shortened, write, write_move
from ludion.games.hive.rules import Hive, HiveRules
from ludion.kinds.duel import copy
from ludion.messages import message

LONGEST_LINE = 1 << 16  # characters
MOST_LINES = 20_000  # of one reply
MOST_CHARACTERS = 1 << 22  # of one reply
DEFAULT_DEPTH = 4
PATIENCE_FOR_DEPTH = 600.0  # more seconds for a search without a limit of time
BUSY = 20  # when processor time is limited, an answer may take this multiple of the limit in wall time

WHOLE_SECONDS = "time {hours:02}:{minutes:02}:{seconds:02.0f}"  # all that the protocol promises
FRACTIONS = (
    "time {hours:02}:{minutes:02}:{seconds:06.3f}",
    "seconds {total:.3f}",
)  # what programs read besides
PROBE, SLOWEST_PROBE = (
    0.1,
    0.8,
)  # seconds: of the limit by which this is tried; an answer after these ignores it

LATE = "time"  # did not answer in time
FLOOD = "flood"  # wrote more than any reply has
CRASH = "crash"  # did not start, ended, or refused a command


class EngineError(LudionError):
    """A fault of another engine: `kind` is one of LATE, FLOOD and CRASH."""

    def __init__(self, text: str, kind: str = CRASH) -> None:
        super().__init__(text)
        self.kind = kind


def written_time(form: str, seconds: float) -> str:
    """The seconds, in one of the forms above."""
    whole = int(seconds)
    return form.format(
        hours=whole // 3600, minutes=whole // 60 % 60, seconds=whole % 60 + seconds - whole, total=seconds
    )


def is_earlier(one: Hive, other: Hive) -> bool:
    """Whether a position is in the history of another, or is that position."""
    return one.ply <= other.ply and all(
        move_at(one.board, ply) == move_at(other.board, ply) for ply in range(one.ply)
    )


def is_error(line: str) -> bool:
    """Whether a line of a reply says that the command failed."""
    return line.startswith(("err", "invalidmove"))


class External:
    """A program that speaks the protocol. Use it in a `with` block: at its end the program is ended too."""

    def __init__(self, command: str | Sequence[str], patience: float = 30.0) -> None:
        self.patience = patience  # seconds to wait for a reply
        self.lines: queue.Queue[str | None] = queue.Queue()  # from the reader; None at the end of the output
        self.lines_read = self.characters_read = 0  # since the last question
        self.counters = threading.Lock()  # for these two
        self.flooded = False
        self.game: tuple[HiveRules, Hive] | None = None  # what the program has on its board
        self._fractions: str | None = None  # how it reads fractions of a second, once that is known
        try:
            self.command = shlex.split(command) if isinstance(command, str) else list(command)
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except (OSError, ValueError, IndexError) as error:  # no such program, an open quote, nothing
            text = command if isinstance(command, str) else shlex.join(command)
            raise EngineError(message("hive.engine_not_started", command=text or "''", error=error)) from None
        threading.Thread(target=self._read_output, daemon=True).start()
        try:
            self.name = next((line[3:] for line in self._reply() if line.startswith("id ")), self.command[0])
        except EngineError:
            self.close()
            raise

    def _read_output(self) -> None:
        """Put the program's lines into the queue until its output ends; kill the program if it writes too much."""
        assert self.process.stdout is not None
        with self.process.stdout as output:
            while line := output.readline(LONGEST_LINE + 1):
                if self._is_too_much(line):
                    self.flooded = True
                    self.process.kill()
                    break
                self.lines.put(line.strip())
        self.lines.put(None)

    def _is_too_much(self, line: str) -> bool:
        """Count a line of a reply; whether it, or all since the last question, is longer than any reply."""
        with self.counters:
            self.lines_read += 1
            self.characters_read += len(line)
            return (
                len(line) > LONGEST_LINE
                or self.lines_read > MOST_LINES
                or self.characters_read > MOST_CHARACTERS
            )

    def _reply(self, extra: float = 0.0) -> list[str]:
        """The lines up to `ok`."""
        reply: list[str] = []
        seconds = self.patience + extra
        deadline = time.monotonic() + seconds
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                text = message("hive.engine_late", program=self.command[0], seconds=seconds)
                raise EngineError(text, LATE) from None
            if line is None:
                self.lines.put(None)  # for the next reader
                raise self._ended()
            if line == "ok":
                return reply
            reply.append(line)

    def _ended(self) -> EngineError:
        """The error for a program that has ended."""
        if self.flooded:
            return EngineError(message("hive.engine_floods", program=self.command[0]), FLOOD)
        return EngineError(message("hive.engine_ended", program=self.command[0]), CRASH)

    def ask(self, command: str, extra: float = 0.0) -> list[str]:
        """The lines of the reply to a command, without `ok`; `extra` seconds of patience for a long one."""
        assert self.process.stdin is not None
        with self.counters:
            self.lines_read = self.characters_read = 0
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            raise self._ended() from None
        return self._reply(extra)

    def must(self, command: str, extra: float = 0.0) -> str:
        """The last line of the reply, which must not be an error."""
        reply = self.ask(command, extra)
        if not reply or is_error(reply[-1]):
            texts = {"command": shortened(command), "reply": shortened(" ".join(reply))}
            raise EngineError(message("hive.engine_refuses", program=self.command[0], **texts))
        return reply[-1]

    def follow(self, rules: HiveRules, position: Hive) -> None:
        """Set the program to this position: by the moves since the last one, or by a new game."""
        known, self.game = self.game, None  # none while it is on its way
        if known is not None and known[0] == rules and is_earlier(known[1], position):
            here = known[1]
            while here.ply < position.ply:
                move = move_at(position.board, here.ply)
                self.must(f"play {write_move(rules, here, move)}")
                here = played(rules, here, move)
        else:
            self.must(f"newgame {write(rules, position)}")
            here = copy(rules, position)
        self.game = rules, here

    def best_move(self, rules: HiveRules, position: Hive, limit: Budget) -> int:
        """The move that the engine chooses in this position within `limit.seconds`, `limit.nodes` or `limit.depth`."""
        command, seconds = self._limit(limit)
        self.follow(rules, position)
        return read_move(rules, position, self.must(f"bestmove {command}", seconds))

    def _limit(self, limit: Budget) -> tuple[str, float]:
        """A limit as the program reads it, and the seconds that a search within it may take."""
        if limit.seconds is not None:
            is_whole = float(limit.seconds).is_integer()
            form = WHOLE_SECONDS if is_whole else self.form_of_fractions()
            return written_time(form, limit.seconds), limit.seconds * (BUSY if clock.are_limits_cpu() else 1)
        if limit.nodes is not None and limit.depth is None:
            return f"nodes {limit.nodes}", PATIENCE_FOR_DEPTH
        return f"depth {limit.depth or DEFAULT_DEPTH}", PATIENCE_FOR_DEPTH

    def form_of_fractions(self) -> str:
        """How this program reads fractions of a second, which the protocol does not define: tested once."""
        if self._fractions is None:
            self.game = None
            self.must("newgame Base")
            self._fractions = next(filter(self._reads, FRACTIONS), "")
        if not self._fractions:
            raise UnfitError(message("hive.engine_whole_seconds", program=self.name))
        return self._fractions

    def _reads(self, form: str) -> bool:
        """Whether the program answers a limit of this form, and in time."""
        began = time.monotonic()
        reply = self.ask(f"bestmove {written_time(form, PROBE)}", 1)
        return bool(reply) and not is_error(reply[-1]) and time.monotonic() - began < SLOWEST_PROBE

    def cpu_seconds(self) -> float | None:
        """The processor time that the program has used so far, if the system reports it."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return None
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))

    def close(self) -> None:
        """End the program."""
        try:
            if self.process.stdin is not None:
                self.process.stdin.write("exit\n")
                self.process.stdin.close()
            self.process.wait(1)
        except (OSError, ValueError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def __enter__(self) -> External:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
