"""Players: an engine of ours, random moves, a user's Python file, or a player of the game's own.

    best                              the strongest engine that the game has
    alpha-beta:depth=3                an engine with a budget of its own (depth, nodes, seconds, memory in megabytes)
    negamax:depth=2,evaluation=even   ... and with an evaluation, or with settings of the engine
    random                            any legal move
    python:FILE.py                    a file whose function `choose(position, seconds)` returns the name of a move
    WORD:ARGUMENT                     a player of the game's own: `Duel.players`

A Python file runs as a process of its own.
"""

from __future__ import annotations

import contextlib
import json
import queue
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO, Any

from ludion import registry
from ludion.asking import search
from ludion.engines.budget import Budget
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Duel, Game
from ludion.kinds.players import CRASH, FLOOD, GRACE, ILLEGAL, LATE, Choice, FaultError, Player
from ludion.kinds.settings import read_pairs
from ludion.messages import message
from ludion.positions import Position
from ludion.questions import Search

RANDOM, PYTHON = "random", "python"
PATIENCE = 60.0  # seconds that a program may take to start, or for a move when there is no time limit
LONGEST_LINE = 1 << 16  # bytes of an answer that are read
LINES_AHEAD = 64  # of a program that writes more than it is asked


def make_player(game: Game[Any, Any], name: str) -> Player:
    """The player of this name."""
    if not isinstance(game, Duel):
        raise UnfitError(message("arena.not_a_duel", game=game.caption, kind=game.kind))
    word, _, argument = name.partition(":")
    if name == RANDOM:
        return RandomPlayer()
    if word == PYTHON:
        return PythonPlayer(game, argument)
    if word in game.players:
        player: Player = game.players[word](game, argument)
        return player
    others = [
        each.caption for each in registry.games().values() if isinstance(each, Duel) and word in each.players
    ]
    if others:
        raise UnfitError(
            message("arena.player_of_other_game", word=word, others=", ".join(others), game=game.caption)
        )
    return EnginePlayer(game, word, argument)


class EnginePlayer:
    """An engine of ours: it asks the same question about every position."""

    def __init__(self, game: Duel[Any, Any], engine: str, text: str = "") -> None:
        given = read_pairs(pair for pair in text.split(",") if pair)
        if "seconds" in given:
            given["time"] = given.pop("seconds")
        names = {setting.name for setting in Search.fields_as_text}
        parameters = {name: value for name, value in given.items() if name in names}
        settings = {name: value for name, value in given.items() if name not in names}
        self.question = Search.from_parameters(game.name, "", {**parameters, "engine": engine}, {}, settings)
        self.question.budget.to_move()
        self.prepared = self.question.prepare()
        # An engine that would play all games alike gets the seed of the game.
        self.takes_seed = "seed" not in settings and any(
            setting.name == "seed" and setting.default is not None
            for setting in self.prepared.engine.settings
        )

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        prepared = self.prepared
        if self.takes_seed:
            prepared = prepared._replace(settings={**prepared.settings, "seed": seed})
        answer = search(prepared, position, self.question.budget.over(budget))
        if answer.limit == "stopped":
            raise KeyboardInterrupt
        if not answer.moves:  # the budget was too small for an answer, but the game goes on
            return Choice(position.codes()[0], nodes=answer.nodes, cpu_seconds=answer.cpu_seconds)
        score = answer.score
        value, proved = (None, False) if score is None else (int(score), score.exact)
        return Choice(answer.moves[0], value, proved, answer.nodes, answer.cpu_seconds)

    def close(self) -> None:
        """Nothing to close."""


class RandomPlayer:
    """Plays any legal move; the same one in the same position of the same game."""

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        return Choice(random.Random(f"{seed} {position.text}").choice(position.codes()))

    def close(self) -> None:
        """Nothing to close."""


class PythonPlayer:
    """A user's Python file, in a process of its own (`ludion.arena.guest`)."""

    def __init__(self, game: Duel[Any, Any], file: str) -> None:
        if not Path(file).is_file():
            raise LudionError(message("arena.no_player_file", file=file))
        self.game, self.file = game, file
        self.name = Path(file).name
        self.process: subprocess.Popen[bytes] | None = None
        self.lines: queue.Queue[bytes | None] = queue.Queue(LINES_AHEAD)

    def choose(self, position: Position, budget: Budget, seed: int) -> Choice:
        if self.process is None or self.process.poll() is not None:
            self._start()
        self._send({"position": position.text, "options": position.options, "seconds": budget.seconds})
        answer = self._read(PATIENCE if budget.seconds is None else budget.seconds + GRACE)
        if "error" in answer:
            raise FaultError(CRASH, str(answer["error"]))
        move = answer.get("move", "")
        try:
            return Choice(position.read_move(move) if isinstance(move, str) else move)
        except LudionError as error:
            raise FaultError(ILLEGAL, str(error)) from error

    def _start(self) -> None:
        """Start the process: it gets the game first, then reads the player's file."""
        self.lines = queue.Queue(LINES_AHEAD)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ludion.arena.guest", self.file],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        threading.Thread(target=read_lines, args=(self.process.stdout, self.lines), daemon=True).start()
        files = [file._asdict() for file in registry.files_of(self.game.name)]
        self._send({"game": self.game.name, "files": files})
        answer = self._read(PATIENCE)
        if "error" in answer:
            self.close()
            raise FaultError(CRASH, f"{self.name}: {answer['error']}")

    def _send(self, question: dict[str, Any]) -> None:
        assert self.process is not None
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps(question).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _read(self, patience: float) -> dict[str, Any]:
        try:
            line = self.lines.get(timeout=patience)
        except queue.Empty:
            self.close()
            raise FaultError(LATE, message("arena.late", seconds=f"{patience:g}")) from None
        if line is None:
            raise self._ended()
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            self.close()
            raise FaultError(FLOOD, message("arena.not_an_answer", player=self.name, text=repr(line[:40])))
        return answer

    def _ended(self) -> FaultError:
        """The fault of a player whose process ended."""
        code = self.process.wait() if self.process is not None else 0
        self.close()
        return FaultError(CRASH, message("arena.ended", player=self.name, code=code))

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            self.process = None


def read_lines(pipe: IO[bytes], lines: queue.Queue[bytes | None]) -> None:
    """Put the lines of a pipe into a bounded queue, each cut to a maximum length; None at the end."""
    try:
        for line in iter(lambda: pipe.readline(LONGEST_LINE), b""):
            lines.put(line)
    except (OSError, ValueError):
        pass
    lines.put(None)
