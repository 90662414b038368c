"""Who plays: an engine of ours, chance, another program, or a user's Python file.

    best                          the strongest engine that the game has
    alpha-beta:depth=3            an engine with a budget of its own (depth, nodes, seconds, memory)
    negamax:depth=2,evaluation=even   ... and with an evaluation, or with the engine's own settings
    random                        any legal move
    uhp:COMMAND                   a program that speaks the Universal Hive Protocol
    python:FILE.py                a file whose function `choose(position, seconds)` returns a move's name

The last two run as processes of their own.
"""

from __future__ import annotations

import contextlib
import json
import queue
import random
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.card import DUEL, Card

CRASH, LATE, ILLEGAL, FLOOD = "crash", "time", "illegal", "flood"
GRACE = 1.0  # seconds beyond a time limit before a player counts as late: starting up, a busy machine
PATIENCE = 60.0  # seconds that a program may take to start, or for a move when there is no time limit
LONGEST_LINE = 1 << 16
MOST_LINES = 20_000
FLOODED = "\0 too much"
BUDGET = ("depth", "nodes", "seconds", "memory")


class FaultError(LudionError):
    """What a player did wrong: it loses the game."""

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.kind = kind


@dataclass(frozen=True)
class Limits:
    """What a player may use for one move."""

    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None


@dataclass(frozen=True)
class Choice:
    """A move, with what the player says of it."""

    move: int
    value: int | None = None  # its score for the player, if it tells
    proved: bool = False
    nodes: int = 0


class Player(Protocol):
    """Whoever can be asked for a move."""

    def choose(self, position: Any, limits: Limits, seed: int) -> Choice:
        """The move to play here; raises `FaultError` when there is none."""

    def close(self) -> None:
        """The last call."""


def make(card: Card, name: str) -> Player:
    """The player of this name."""
    kind, colon, rest = name.partition(":")
    if card.kind != DUEL:
        raise UnfitError(f"{card.title} is a {card.kind}: matches are for duels")
    if kind == "random" and not colon:
        return Chance()
    if kind == "python":
        return Guest(card, rest)
    if kind == "uhp":
        return Protocolled(card, rest)
    return EnginePlayer(card, kind, rest)


class EnginePlayer:
    """An engine of ours."""

    def __init__(self, card: Card, engine: str, text: str) -> None:
        from ludion import api

        self.name, call, general = api.find_engine(card, engine)
        if general is not None and general.kind != DUEL:
            raise UnfitError(f"engine '{engine}' is for a {general.kind}")
        self.budget: dict[str, Any] = {}
        self.settings: dict[str, Any] = {}
        self.evaluation: str | None = None
        for pair in filter(None, text.split(",")):
            key, equals, value = pair.partition("=")
            if not equals:
                raise LudionError(f"player '{engine}:{text}': '{pair}' is not of the form NAME=VALUE")
            if key in ("evaluation", "heuristic"):
                self.evaluation = value
            elif key in BUDGET or key == "time":
                self.budget["seconds" if key == "time" else key] = number(key, value)
            else:
                self.settings[key.replace("-", "_")] = plain(value)
        api.check_options(self.name, call, self.settings)
        if self.evaluation is not None and self.evaluation not in card.guides:
            raise unknown(f"evaluation of {card.name}", self.evaluation, card.guides)
        self.seeded = general is not None and "seed" in general.options and "seed" not in self.settings

    def choose(self, position: Any, limits: Limits, seed: int) -> Choice:
        from ludion import api
        from ludion.engines.limits import Budget

        given = {"seconds": limits.seconds, "nodes": limits.nodes, "depth": limits.depth, **self.budget}
        given = {key: value for key, value in given.items() if value is not None}
        settings = {**self.settings, **({"seed": seed} if self.seeded else {})}
        answer = api.solve(
            position, self.name, evaluation=self.evaluation, budget=Budget(**given), **settings
        )
        if answer.limit == "stopped":
            raise KeyboardInterrupt
        if not answer.moves:  # the budget was too small for any answer: play on, badly
            return Choice(position.codes()[0], nodes=answer.nodes)
        score = answer.score
        value, proved = (None, False) if score is None else (int(score), score.exact)
        return Choice(answer.moves[0], value, proved, answer.nodes)

    def close(self) -> None:
        pass


class Chance:
    """Plays any legal move."""

    def choose(self, position: Any, limits: Limits, seed: int) -> Choice:
        return Choice(random.Random(f"{seed} {position.text}").choice(position.codes()))

    def close(self) -> None:
        pass


class Guest:
    """A user's Python file, in a process of its own (`ludion.arena.guest`)."""

    def __init__(self, card: Card, file: str) -> None:
        self.card, self.file = card, file
        if not Path(file).is_file():
            raise LudionError(f"no player file '{file}'")
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.Queue[bytes | None] = queue.Queue(64)

    def _start(self) -> None:
        self.lines = queue.Queue(64)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludion.arena.guest", self.file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=listen, args=(self.process.stdout, self.lines), daemon=True).start()
        ready = self._read(PATIENCE)
        if "error" in ready:
            self.close()
            raise FaultError(CRASH, f"{Path(self.file).name}: {ready['error']}")

    def _read(self, patience: float) -> dict[str, Any]:
        try:
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            self.close()
            raise FaultError(LATE, f"no move within {patience:g} s") from None
        if line is None:
            code = self.process.wait() if self.process else 0
            self.close()
            raise FaultError(CRASH, f"{Path(self.file).name} ended (exit code {code})")
        try:
            said = json.loads(line)
        except ValueError:
            self.close()
            raise FaultError(
                FLOOD, f"{Path(self.file).name} wrote what is no answer: {line[:40]!r}"
            ) from None
        return said if isinstance(said, dict) else {"error": f"no answer: {line[:40]!r}"}

    def choose(self, position: Any, limits: Limits, seed: int) -> Choice:
        if self.process is None or self.process.poll() is not None:
            self._start()
        assert self.process is not None
        assert self.process.stdin is not None
        question = {
            "game": self.card.name,
            "position": position.text,
            "options": position.options,
            "seconds": limits.seconds,
        }
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            self.close()
            raise FaultError(CRASH, f"{Path(self.file).name} has ended") from None
        said = self._read(limits.seconds + GRACE if limits.seconds is not None else PATIENCE)
        if "error" in said:
            raise FaultError(CRASH, str(said["error"]))
        return Choice(read_move(position, said.get("move")))

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self.process = None


class Protocolled:
    """A program that speaks the Universal Hive Protocol."""

    def __init__(self, card: Card, command: str) -> None:
        if card.name != "hive":
            raise UnfitError(f"uhp: players play hive, not {card.name}")
        if not command.strip():
            raise LudionError("player 'uhp:' needs a command: uhp:COMMAND")
        self.command = command
        self.engine: Any = None

    def choose(self, position: Any, limits: Limits, seed: int) -> Choice:
        from ludion.engines.limits import Budget
        from ludion.games.hive.uhp import EngineError

        began = time.monotonic()
        try:
            if self.engine is None:
                self.engine = bounded_external(self.command)
                began = time.monotonic()
            budget = Budget(seconds=limits.seconds, depth=limits.depth)
            move = self.engine.best_move(position.rules, position.state, budget)
        except EngineError as error:
            self.close()
            text = str(error)
            kind = LATE if "did not answer" in text else FLOOD if "floods" in text else CRASH
            raise FaultError(kind, text) from error
        except LudionError as error:  # a text that is no move
            raise FaultError(ILLEGAL, str(error)) from error
        # The protocol counts whole seconds, so that is what a program may take.
        allowed = max(1.0, limits.seconds) + GRACE if limits.seconds is not None else None
        if allowed is not None and time.monotonic() - began > allowed:
            raise FaultError(LATE, f"{time.monotonic() - began:.1f} s for a move, {allowed:g} allowed")
        return Choice(read_move(position, move))

    def close(self) -> None:
        if self.engine is not None:
            self.engine.process.kill()
            self.engine.close()
            self.engine = None


def bounded_external(command: str) -> Any:
    """The driver of the Hive folder, made safe against programs that flood their output."""
    from ludion.games.hive.uhp import EngineError, External

    class Bounded(External):
        unread = 0  # lines since the last question

        def _listen(self) -> None:
            assert self.process.stdout is not None
            for line in iter(lambda: self.process.stdout.readline(LONGEST_LINE), ""):  # type: ignore[union-attr]
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
            found = super()._answer(extra)
            if FLOODED in found:
                raise EngineError(f"{self.command[0]} floods its output")
            return found

    return Bounded(command, patience=10.0)


def listen(pipe: Any, lines: queue.Queue[bytes | None]) -> None:
    """Bring the lines of a pipe to a bounded queue, each cut to a sane length; `None` at the end."""
    try:
        for line in iter(lambda: pipe.readline(LONGEST_LINE), b""):
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(None)


def read_move(position: Any, said: Any) -> int:
    """The legal move that a player means, by its name or its number."""
    try:
        if isinstance(said, str):
            return int(position.read_move(said))
        if isinstance(said, int) and said in position.codes():
            return said
    except LudionError as error:
        raise FaultError(ILLEGAL, str(error)) from error
    raise FaultError(ILLEGAL, f"{str(said)[:60]!r} is not a legal move here")


def number(name: str, text: str) -> float:
    try:
        value = float(text) if name in ("time", "seconds") else int(text)
    except ValueError:
        raise LudionError(f"{name} must be a number, not '{text}'") from None
    if not value > 0:
        raise LudionError(f"{name} must be positive, not {text}")
    return value


def plain(text: str) -> Any:
    """The text as a number if it is one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
