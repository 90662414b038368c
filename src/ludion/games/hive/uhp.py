"""The Universal Hive Protocol: our engine as a server, other engines as programs to talk to, a check of them.

The protocol is lines of text: a command, then the answer's lines, the last of which is `ok`. Errors are lines
that begin with `err`, or with `invalidmove` for a move that cannot be read or is not legal.
"""

from __future__ import annotations

import queue
import random
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version

import numpy as np

from ludion.engines import alpha_beta
from ludion.engines.limits import Budget
from ludion.errors import IllegalMoveError, LudionError, NotationError
from ludion.games.hive import evaluation, players
from ludion.games.hive.notation import (
    TYPES,
    legal_moves,
    play_text,
    played,
    read,
    read_move,
    shown,
    write,
    write_move,
)
from ludion.games.hive.rules import HISTORY, PASS, Hive, HiveGame, empty_hive
from ludion.kinds.duel import OPEN, verdict

LONGEST_LINE = 1 << 20  # characters; a longer line is refused
OVER = "The game is over. Try 'newgame' to start a new game."
NO_GAME = "No game in progress. Try 'newgame' to start a new game."
HELP = """info                      this engine's name and abilities
newgame [TYPE|GAMESTRING] begin a game, or take one up
play MOVESTRING           make a move
pass                      make the forced pass
validmoves                all legal moves
bestmove time HH:MM:SS    the best move found in this time (fractions of a second are allowed)
bestmove depth N          the best move of a search of N plies
undo [N]                  take back N moves
options                   all options; `options get NAME`, `options set NAME VALUE`
exit                      end"""


class ProtocolError(LudionError):
    """A command that cannot be carried out: answered by `err`."""


# ------------------------------------------------------------------ options


@dataclass
class Setting:
    """An option of the engine, as the protocol describes them: `NAME;TYPE;CURRENT;DEFAULT[;...]`."""

    name: str
    kind: str  # bool, int, enum
    default: str
    values: tuple[str, ...] = ()  # enum: all of them; int: the least and the greatest
    current: str = ""

    def __post_init__(self) -> None:
        self.current = self.default

    def __str__(self) -> str:
        return ";".join((self.name, self.kind, self.current, self.default, *self.values))

    def set(self, text: str) -> None:
        """Take a value, or refuse it."""
        if self.kind == "int":
            low, high = (int(bound) for bound in self.values)
            good = re.fullmatch(r"[+-]?\d{1,9}", text) is not None and low <= int(text) <= high
            found = str(int(text)) if good else None
        else:
            allowed = self.values or ("True", "False")
            found = next((value for value in allowed if value.lower() == text.lower()), None)
        if found is None:
            raise ProtocolError(f'"{shown(text)}" is no value of the option {self.name}.')
        self.current = found

    @property
    def on(self) -> bool:
        return self.current == "True"


def _settings() -> dict[str, Setting]:
    every = (
        Setting("Player", "enum", "Best", ("Best", "Easy", "Medium", "Hard", "Heuristic")),
        Setting("Threads", "int", "1", ("1", "16")),
        Setting("TableMegabytes", "int", "128", ("1", "1024")),
        Setting("VariedOpenings", "bool", "False"),
        Setting("DrawByRepetition", "bool", "True"),
        Setting("QueenFirst", "bool", "False"),
        Setting("Defence", "int", "1", ("0", "1000")),
        Setting("Attack", "int", "1", ("0", "1000")),
    )
    return {each.name.lower(): each for each in every}


# ------------------------------------------------------------------ our engine


@dataclass
class Server:
    """Our engine: `answer` gives the lines with which it answers a command."""

    rules: HiveGame | None = None
    position: Hive | None = None
    settings: dict[str, Setting] = field(default_factory=_settings)
    ended: bool = False
    chance: np.random.Generator = field(default_factory=np.random.default_rng)
    stop: threading.Event = field(default_factory=threading.Event)

    def answer(self, line: str) -> Iterator[str]:
        """The lines of the answer; the last is `ok`, except after `exit`."""
        name, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        try:
            if len(line) > LONGEST_LINE:
                raise ProtocolError(f"A line has at most {LONGEST_LINE} characters.")
            if name.lower() == "exit":
                self.ended = True
                return
            command = getattr(self, f"do_{name.lower()}", None) if name.isalpha() and name.isascii() else None
            if command is None:
                raise ProtocolError("Invalid command. Try 'help' to see a list of valid commands.")
            yield from command(rest)
        except ProtocolError as error:
            yield f"err {_one_line(error)}"
        except (IllegalMoveError, NotationError) as error:
            yield f"invalidmove {_one_line(error)}"
        except Exception as error:  # whatever it was, the engine goes on
            yield f"err {type(error).__name__}: {_one_line(error)}"
        yield "ok"

    # ---- commands

    def do_info(self, rest: str) -> Iterator[str]:
        yield f"id ludion {version('ludion')}"
        yield "Mosquito;Ladybug;Pillbug"

    def do_help(self, rest: str) -> Iterator[str]:
        yield from HELP.splitlines()

    def do_newgame(self, rest: str) -> Iterator[str]:
        queen = "first" if self.settings["queenfirst"].on else "later"
        repetition = "draw" if self.settings["drawbyrepetition"].on else "play-on"
        try:
            self.rules, self.position = read(rest or "Base", queen, repetition)
        except NotationError as error:
            raise ProtocolError(str(error)) from None
        yield self.game_string()

    def do_play(self, rest: str) -> Iterator[str]:
        rules, position = self.running()
        self.position = play_text(rules, position, rest)
        yield self.game_string()

    def do_pass(self, rest: str) -> Iterator[str]:
        yield from self.do_play("pass")

    def do_validmoves(self, rest: str) -> Iterator[str]:
        rules, position = self.running()
        yield ";".join(write_move(rules, position, move) for move in legal_moves(rules, position))

    def do_undo(self, rest: str) -> Iterator[str]:
        rules, position = self.begun()
        count = int(rest) if re.fullmatch(r"\d{1,9}", rest) else 0 if rest else 1
        if not 1 <= count <= position.ply:
            raise ProtocolError(f"Unable to undo {shown(rest or '1')} moves.")
        back = empty_hive(rules, position.ply)
        for ply in range(position.ply - count):
            back = Hive(*played(rules, back, int(position.board[HISTORY + 2 * ply])))
        self.position = back
        yield self.game_string()

    def do_options(self, rest: str) -> Iterator[str]:
        words = rest.split()
        if not words:
            yield from (str(each) for each in self.settings.values())
            return
        if words[0].lower() not in ("get", "set") or len(words) != (2 if words[0].lower() == "get" else 3):
            raise ProtocolError("Say 'options', 'options get NAME' or 'options set NAME VALUE'.")
        setting = self.settings.get(words[1].lower())
        if setting is None:
            raise ProtocolError(f'The option "{shown(words[1])}" is not valid.')
        if words[0].lower() == "set":
            setting.set(words[2])
            if setting.name == "DrawByRepetition" and self.rules is not None:
                self.rules = self.rules._replace(repetition=3 if setting.on else 0)
        yield str(setting)

    def do_bestmove(self, rest: str) -> Iterator[str]:
        rules, position = self.running()
        yield write_move(rules, position, self.choose(rules, position, read_limit(rest)))

    # ---- what they share

    def begun(self) -> tuple[HiveGame, Hive]:
        if self.rules is None or self.position is None:
            raise ProtocolError(NO_GAME)
        return self.rules, self.position

    def running(self) -> tuple[HiveGame, Hive]:
        rules, position = self.begun()
        if verdict(rules, position) != OPEN:
            raise ProtocolError(OVER)
        return rules, position

    def game_string(self) -> str:
        rules, position = self.begun()
        return write(rules, position)

    def choose(self, rules: HiveGame, position: Hive, budget: Budget) -> int:
        """The move of the player that is set."""
        only = legal_moves(rules, position)
        if len(only) == 1:
            return only[0]
        name = self.settings["player"].current.lower()
        guide = evaluation.make(rules)
        memory = int(self.settings["tablemegabytes"].current) << 21
        budget = replace(budget, memory=memory, stop=self.stop)
        if name == "heuristic":
            coefficients = [float(self.settings[each].current) for each in ("defence", "attack")]
            return players.heuristic(rules, position, guide, budget, None, *coefficients).moves[0]
        if name in players.LEVELS or self.settings["variedopenings"].on:
            varied = players.vary(rules, position, guide, self.chance)
            if varied is not None:
                return varied
        if name in players.LEVELS:
            depth = players.LEVELS[name]
            budget = replace(budget, depth=min(depth, budget.depth or depth))
        answer = alpha_beta.solve(
            rules, position, guide, budget, threads=int(self.settings["threads"].current)
        )
        return answer.moves[0] if answer.moves else only[0]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def read_limit(text: str) -> Budget:
    """The limit of a `bestmove`: `time 00:00:05`, `time 00:00:00.5` or `depth 4`."""
    words = text.split()
    if len(words) == 2 and words[0].lower() == "depth" and re.fullmatch(r"\d{1,9}", words[1]):
        return Budget(depth=max(1, int(words[1])))
    match = (
        re.fullmatch(r"(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)", words[1]) if len(words) == 2 else None
    )
    if words[:1] and words[0].lower() == "time" and match:
        hours, minutes, seconds = (float(part) for part in match.groups())
        return Budget(seconds=max(0.01, 3600 * hours + 60 * minutes + seconds))
    raise ProtocolError("Say 'bestmove time HH:MM:SS' or 'bestmove depth N'.")


def serve(lines: Iterator[str], say: Callable[[str], None]) -> None:
    """Answer commands until `exit` or the end of the input; the first answer is that to `info`."""
    server = Server()
    for answered in server.answer("info"):
        say(answered)
    for line in lines:
        for answered in server.answer(line):
            say(answered)
        if server.ended:
            return


# ------------------------------------------------------------------ other engines


class EngineError(LudionError):
    """An external engine that does not start, does not answer in time, or has ended."""


class External:
    """A program that speaks the protocol. Use it in a `with` block: at its end the program is ended too."""

    def __init__(self, command: str | Sequence[str], patience: float = 30.0) -> None:
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.patience = patience  # seconds to wait for an answer
        self.lines: queue.Queue[str | None] = queue.Queue()
        try:
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
        except (OSError, IndexError) as error:
            raise EngineError(f"cannot start {shlex.join(self.command) or 'nothing'}: {error}") from None
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self.name = next((line[3:] for line in self._answer() if line.startswith("id ")), self.command[0])
        except EngineError:
            self.close()
            raise

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line.strip())
        self.lines.put(None)

    def _answer(self, extra: float = 0.0) -> list[str]:
        """The lines up to `ok`."""
        found: list[str] = []
        until = time.monotonic() + self.patience + extra
        while True:
            try:
                line = self.lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                raise EngineError(
                    f"{self.command[0]} did not answer within {self.patience + extra:g} s"
                ) from None
            if line is None:
                raise EngineError(f"{self.command[0]} has ended")
            if line == "ok":
                return found
            found.append(line)

    def ask(self, command: str, extra: float = 0.0) -> list[str]:
        """The lines of the answer to a command, without `ok`; `extra` seconds of patience for a long one."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
        except OSError:
            raise EngineError(f"{self.command[0]} has ended") from None
        return self._answer(extra)

    def must(self, command: str, extra: float = 0.0) -> str:
        """The last line of the answer, which must not be an error."""
        answer = self.ask(command, extra)
        if not answer or answer[-1].startswith(("err", "invalidmove")):
            raise EngineError(
                f"{self.command[0]} answers {shown(command)!r} by {shown(' '.join(answer)) or 'nothing'!r}"
            )
        return answer[-1]

    def best_move(self, rules: HiveGame, position: Hive, limit: Budget) -> int:
        """The move that the engine chooses in this position within `limit.seconds` or `limit.depth`."""
        self.must(f"newgame {write(rules, position)}")
        if limit.seconds is not None:
            whole = max(1, round(limit.seconds))
            text = self.must(f"bestmove time {whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}", whole)
        else:
            text = self.must(f"bestmove depth {limit.depth or 4}", 600)
        return read_move(rules, position, text)

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


# ------------------------------------------------------------------ checking another engine


@dataclass(frozen=True)
class Difference:
    """A position in which another engine's moves are not ours."""

    game_string: str
    missing: tuple[str, ...]  # ours that it does not have
    extra: tuple[str, ...]  # its that we do not have
    note: str = ""  # an answer that could not be read

    def __str__(self) -> str:
        parts = [self.game_string]
        parts += [f"  missing: {'; '.join(self.missing)}"] if self.missing else []
        parts += [f"  extra:   {'; '.join(self.extra)}"] if self.extra else []
        parts += [f"  answer:  {self.note}"] if self.note else []
        return "\n".join(parts)


def compare(engine: External, rules: HiveGame, position: Hive) -> Difference | None:
    """How the engine's moves here differ from ours, by piece and cell and not by spelling, or None."""
    text = write(rules, position)
    loaded = engine.ask(f"newgame {text}")
    if any(line.startswith(("err", "invalidmove")) for line in loaded):
        return Difference(text, (), (), " ".join(loaded))
    answer = engine.ask("validmoves")
    theirs, unread = set(), []
    for name in answer[-1].split(";") if answer else []:
        try:
            theirs.add(read_move(rules, position, name))
        except LudionError as error:
            unread.append(str(error))
    ours = set(legal_moves(rules, position))
    if ours == theirs and not unread:
        return None
    return Difference(
        text,
        tuple(write_move(rules, position, move) for move in sorted(ours - theirs)),
        tuple(write_move(rules, position, move) for move in sorted(theirs - ours)),
        "; ".join(unread[:3]),
    )


def check(
    engine: External,
    positions: Sequence[str],
    games: int,
    plies: int,
    seed: int,
    types: Sequence[str] = TYPES,
) -> Iterator[tuple[int, Difference | None]]:
    """Compare moves in these positions and along random games: yields how many so far, and what differs."""
    done = 0
    for text in positions:
        rules, position = read(text, repetition="play-on")
        if verdict(rules, position) == OPEN:
            done += 1
            yield done, compare(engine, rules, position)
    chance = random.Random(seed)
    for number in range(games):
        rules, position = read(types[number % len(types)], repetition="play-on")
        for _ in range(plies):
            moves = legal_moves(rules, position)
            if not moves:
                break
            done += 1
            yield done, compare(engine, rules, position)
            walks = [move for move in moves if move == PASS or move >> 10 & 1023 != move & 1023]
            move = chance.choice(walks if walks and chance.random() < 0.6 else moves)
            position = Hive(*played(rules, position, move))
