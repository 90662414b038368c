"""The server of the Universal Hive Protocol: our engine for viewers and tournaments.

The protocol is lines of text: a command, then the lines of the answer, the last of which is `ok`. Errors are
lines that begin with `err`, or with `invalidmove` for a move that cannot be read or is not legal.
"""

from __future__ import annotations

import functools
import queue
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from importlib.metadata import version

import numpy as np

from ludion.answers import Answer
from ludion.core import clock
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer, Progress
from ludion.engines.limits import POLL, STOPPED
from ludion.engines.perft import counted
from ludion.errors import IllegalMoveError, LudionError, NotationError
from ludion.games.hive import evaluation, players
from ludion.games.hive.board import move_at
from ludion.games.hive.notation import (
    legal_moves,
    line_names,
    play_text,
    played,
    read,
    shortened,
    write,
    write_move,
)
from ludion.games.hive.rules import Hive, HiveRules, empty_hive
from ludion.games.hive.uhp_client import is_earlier
from ludion.kinds.duel import OPEN, copy, verdict
from ludion.kinds.games import DUEL

SHORTEST = 0.01  # seconds of a search
DEFAULT_PERFT = 4  # plies
AWAY = 0.5  # seconds of silence after which the end of the input means that the viewer has disconnected
WHILE_PONDERING = ("info", "help", "validmoves", "pv", "play", "pass", "bestmove")  # others end it
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
bestmove nodes N          the best move of a search of N positions
bestmove seconds S        the best move found in this many seconds
pv                        the best line of the last search, one move per line
perft [N]                 how many sequences of 0 to N moves there are
undo [N]                  take back N moves
options                   all options; `options get NAME`, `options set NAME VALUE`
exit                      end"""


class ProtocolError(LudionError):
    """A command that cannot be carried out; the answer is `err`."""


# ------------------------------------------------------------------ options


@dataclass
class UhpOption:
    """An option of the engine, written as in the protocol: `NAME;TYPE;CURRENT;DEFAULT[;...]`."""

    name: str
    kind: str  # bool, int, enum
    default: str
    values: tuple[str, ...] = ()  # enum: all values; int: the least and the greatest
    current: str = ""

    def __post_init__(self) -> None:
        self.current = self.default

    def __str__(self) -> str:
        return ";".join((self.name, self.kind, self.current, self.default, *self.values))

    def set(self, text: str) -> None:
        """Set the value; raises an error if it is not allowed."""
        value = self.read(text)
        if value is None:
            raise ProtocolError(f'"{shortened(text)}" is no value of the option {self.name}.')
        self.current = value

    def read(self, text: str) -> str | None:
        """The value that the text names, as the protocol writes it, or None."""
        if self.kind == "int":
            low, high = (int(bound) for bound in self.values)
            if re.fullmatch(r"[+-]?\d{1,9}", text) and low <= int(text) <= high:
                return str(int(text))
            return None
        allowed = self.values or ("True", "False")
        return next((value for value in allowed if value.lower() == text.lower()), None)

    @property
    def is_on(self) -> bool:
        return self.current == "True"


def default_options() -> dict[str, UhpOption]:
    """Every option by its name in small letters."""
    options = (
        UhpOption("Player", "enum", "Best", ("Best", "Easy", "Medium", "Hard", "Heuristic")),
        UhpOption("Threads", "int", "1", ("1", "16")),
        UhpOption("TableMegabytes", "int", "128", ("1", "1024")),
        UhpOption("Ponder", "bool", "False"),
        UhpOption("VariedOpenings", "bool", "False"),
        UhpOption("ReportIntermediateBestMoves", "bool", "False"),
        UhpOption("CpuTime", "bool", "False"),
        UhpOption("DrawByRepetition", "bool", "True"),
        UhpOption("QueenFirst", "bool", "False"),
        UhpOption("Defence", "int", "1", ("0", "1000")),
        UhpOption("Attack", "int", "1", ("0", "1000")),
    )
    return {option.name.lower(): option for option in options}


# ------------------------------------------------------------------ our engine


@dataclass
class UhpServer:
    """Our engine: `answer` gives the lines of the answer to a command."""

    rules: HiveRules | None = None
    position: Hive | None = None
    options: dict[str, UhpOption] = field(default_factory=default_options)
    ended: bool = False
    generator: np.random.Generator = field(default_factory=np.random.default_rng)
    stop: threading.Event = field(default_factory=threading.Event)
    line: tuple[int, ...] = ()  # the best line of the last search, if the position is still that one
    report: Callable[[str], None] = lambda text: None  # where the lines of a running search go
    pondering: Pondering | None = None

    def answer(self, line: str) -> Iterator[str]:
        """The lines of the answer; the last is `ok`, except after `exit`."""
        name, _, arguments = line.strip().partition(" ")
        try:
            if len(line) > LONGEST_LINE:
                raise ProtocolError(f"A line has at most {LONGEST_LINE} characters.")
            if name.lower() == "exit":
                self.end_pondering()
                self.ended = True
                return
            if not (name.isalpha() and name.isascii() and hasattr(self, f"do_{name.lower()}")):
                raise ProtocolError("Invalid command. Try 'help' to see a list of valid commands.")
            if name.lower() not in WHILE_PONDERING:
                self.end_pondering()
            yield from getattr(self, f"do_{name.lower()}")(arguments.strip())
        except ProtocolError as error:
            yield f"err {_one_line(error)}"
        except (IllegalMoveError, NotationError) as error:
            yield f"invalidmove {_one_line(error)}"
        except Exception as error:  # a bug of ours: report it, and continue
            yield f"err {type(error).__name__}: {_one_line(error)}"
        yield "ok"

    # ---- commands

    def do_info(self, arguments: str) -> Iterator[str]:
        yield f"id ludion {version('ludion')}"
        yield "Mosquito;Ladybug;Pillbug"

    def do_help(self, arguments: str) -> Iterator[str]:
        yield from HELP.splitlines()

    def do_newgame(self, arguments: str) -> Iterator[str]:
        self.line = ()
        queen = "first" if self.options["queenfirst"].is_on else "later"
        repetition = "draw" if self.options["drawbyrepetition"].is_on else "play-on"
        try:
            self.rules, self.position = read(arguments or "Base", queen, repetition)
        except NotationError as error:
            raise ProtocolError(str(error)) from None
        yield self.game_string()

    def do_play(self, arguments: str) -> Iterator[str]:
        rules, position = self.open_game()
        line, self.line = self.line, ()
        self.position = play_text(rules, position, arguments)
        if self.pondering is not None and not is_earlier(self.position, self.pondering.position):
            self.end_pondering()
        if len(line) > 1 and line[0] == move_at(self.position.board, position.ply):
            self.ponder(line[1])
        yield self.game_string()

    def do_pass(self, arguments: str) -> Iterator[str]:
        yield from self.do_play("pass")

    def do_validmoves(self, arguments: str) -> Iterator[str]:
        rules, position = self.open_game()
        yield ";".join(write_move(rules, position, move) for move in legal_moves(rules, position))

    def do_undo(self, arguments: str) -> Iterator[str]:
        rules, position = self.game()
        text = arguments or "1"
        count = int(text) if re.fullmatch(r"\d{1,9}", text) else 0
        if not 1 <= count <= position.ply:
            raise ProtocolError(f"Unable to undo {shortened(text)} moves.")
        back = empty_hive(rules, position.ply)
        for ply in range(position.ply - count):
            back = played(rules, back, move_at(position.board, ply))
        self.position, self.line = back, ()
        yield self.game_string()

    def do_options(self, arguments: str) -> Iterator[str]:
        words = arguments.split()
        if not words:
            yield from (str(option) for option in self.options.values())
            return
        action = words[0].lower()
        if action not in ("get", "set") or len(words) != (2 if action == "get" else 3):
            raise ProtocolError("Say 'options', 'options get NAME' or 'options set NAME VALUE'.")
        option = self.options.get(words[1].lower())
        if option is None:
            raise ProtocolError(f'The option "{shortened(words[1])}" is not valid.')
        if action == "set":
            option.set(words[2])
            if option.name == "DrawByRepetition" and self.rules is not None:
                self.rules = self.rules._replace(repetition=3 if option.is_on else 0)
        yield str(option)

    def do_bestmove(self, arguments: str) -> Iterator[str]:
        rules, position = self.open_game()
        limit = read_limit(arguments)
        with clock.cpu_limits(self.options["cputime"].is_on):
            self.line = self.choose(rules, position, limit)
        yield write_move(rules, position, self.line[0])

    def do_pv(self, arguments: str) -> Iterator[str]:
        rules, position = self.game()
        if not self.line:
            raise ProtocolError("There is no best line of this position. Try 'bestmove'.")
        yield from line_names(rules, position, self.line)

    def do_perft(self, arguments: str) -> Iterator[str]:
        rules, position = self.game()
        if not re.fullmatch(r"\d{0,2}", arguments):
            raise ProtocolError("Say 'perft' or 'perft N'.")
        free = rules._replace(repetition=0)
        for depth in range(int(arguments or DEFAULT_PERFT) + 1):
            ended, count = counted(free, position, depth, DUEL, Budget(), Observer(stop=self.stop)).result
            if ended == STOPPED:
                return
            yield f"{depth}: {count}"

    # ---- what they share

    def game(self) -> tuple[HiveRules, Hive]:
        if self.rules is None or self.position is None:
            raise ProtocolError(NO_GAME)
        return self.rules, self.position

    def open_game(self) -> tuple[HiveRules, Hive]:
        rules, position = self.game()
        if verdict(rules, position) != OPEN:
            raise ProtocolError(OVER)
        return rules, position

    def game_string(self) -> str:
        rules, position = self.game()
        return write(rules, position)

    def choose(self, rules: HiveRules, position: Hive, budget: Budget) -> tuple[int, ...]:
        """The move of the player that the options name, and its best line."""
        moves = legal_moves(rules, position)
        if len(moves) == 1:
            return (moves[0],)
        player = self.options["player"].current.lower()
        budget = self.with_table(budget)
        if player == "heuristic":
            defence, attack = self.number("defence"), self.number("attack")
            return players.heuristic(rules, position, None, budget, None, defence, attack).moves
        if player in players.LEVELS or self.options["variedopenings"].is_on:
            varied = players.varied_move(rules, position, evaluation.make(rules), self.generator)
            if varied is not None:
                return (varied,)
        if player in players.LEVELS:
            depth = players.LEVELS[player]
            budget = replace(budget, depth=min(depth, budget.depth or depth))
        line = self.pondered_line(position, budget)
        if not line:
            line = self.search(rules, position, budget, SearchReport(self, rules, position)).moves
        return line or (moves[0],)

    def search(self, rules: HiveRules, position: Hive, budget: Budget, observer: Observer) -> Answer:
        """Alpha-beta with the options."""
        weights, threads = evaluation.make(rules), self.number("threads")
        return alpha_beta.solve(rules, position, weights, budget, observer, threads=threads)

    def with_table(self, budget: Budget) -> Budget:
        """The budget with the memory that the options allow: the engine uses half of it for its table."""
        return replace(budget, memory=2 * self.number("tablemegabytes") << 20)

    def ponder(self, reply: int) -> None:
        """Begin to think on the opponent's time, if the options say so: about the position after the expected reply."""
        rules, position = self.game()
        expected = played(rules, copy(rules, position), reply)
        is_best = self.options["player"].current == "Best"
        if self.options["ponder"].is_on and is_best and verdict(rules, expected) == OPEN:
            search = functools.partial(self.search, rules, expected, self.with_table(Budget()))
            self.pondering = Pondering(expected, search)

    def pondered_line(self, position: Hive, budget: Budget) -> tuple[int, ...]:
        """The best line of the position after the time of the budget, if it was pondered; pondering ends."""
        is_usable = budget.seconds is not None and not clock.are_limits_cpu()
        pondering, self.pondering = self.pondering, None
        if pondering is None:
            return ()
        if not is_usable or pondering.position.ply != position.ply:
            pondering.end()
            return ()
        answer = pondering.end(budget.seconds or 0.0, self.stop)
        return answer.moves if answer is not None else ()

    def end_pondering(self) -> None:
        if self.pondering is not None:
            self.pondering.end()
        self.pondering = None

    def number(self, option: str) -> int:
        """The value of an option that is a number."""
        return int(self.options[option].current)


class Pondering:
    """A search of the position that is expected next, without a limit, in a thread of its own."""

    def __init__(self, position: Hive, search: Callable[[Observer], Answer]) -> None:
        self.position = position
        self.stop = threading.Event()
        self.answer: Answer | None = None
        self.thread = threading.Thread(target=self._work, args=(search,), daemon=True)
        self.thread.start()

    def _work(self, search: Callable[[Observer], Answer]) -> None:
        self.answer = search(Observer(stop=self.stop))

    def end(self, seconds: float = 0.0, stop: threading.Event | None = None) -> Answer | None:
        """Let the search go on for these seconds, or until `stop` is set; then end it and return its answer."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0 and not (stop is not None and stop.is_set()):
            self.thread.join(min(left, POLL))
            if not self.thread.is_alive():
                break
        self.stop.set()
        self.thread.join()
        return self.answer


class SearchReport(Observer):
    """Tells a server's viewer what a running search thinks best: `MOVE;DEPTH;SCORE;BEST LINE`, once for each depth."""

    def __init__(self, server: UhpServer, rules: HiveRules, position: Hive) -> None:
        super().__init__(stop=server.stop)
        self.server, self.rules, self.position = server, rules, position
        self.depth = 0

    def progress(self, progress: Progress) -> None:
        is_wanted = self.server.options["reportintermediatebestmoves"].is_on
        if is_wanted and progress.line and progress.depth > self.depth:
            self.depth = progress.depth
            names = line_names(self.rules, self.position, progress.line)
            self.server.report(";".join((names[0], str(self.depth), str(progress.best), *names)))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def read_limit(text: str) -> Budget:
    """The limit of a `bestmove`: `time 00:00:05`, `time 00:00:00.5`, `seconds 0.5`, `depth 4` or `nodes 10000`."""
    words = text.lower().split()
    kind, value = words if len(words) == 2 else ("", "")
    if kind == "depth" and re.fullmatch(r"\d{1,9}", value):
        return Budget(depth=max(1, int(value)))
    if kind == "nodes" and re.fullmatch(r"\d{1,15}", value):
        return Budget(nodes=max(1, int(value)))
    if kind == "seconds" and re.fullmatch(r"\d{1,9}(\.\d{1,9})?", value):
        return Budget(seconds=max(SHORTEST, float(value)))
    match = re.fullmatch(r"(\d{1,4}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)", value)
    if kind == "time" and match:
        hours, minutes, seconds = (float(part) for part in match.groups())
        return Budget(seconds=max(SHORTEST, 3600 * hours + 60 * minutes + seconds))
    raise ProtocolError("Say 'bestmove' with 'time HH:MM:SS', 'seconds S', 'depth N' or 'nodes N'.")


def serve(lines: Iterator[str], say: Callable[[str], None]) -> None:
    """Answer commands until `exit` or the end of the input; the first answer is that to `info`.

    A separate thread reads the lines ahead. If the input ends some time after the last line, the viewer has closed it,
    and the running search is stopped. Input that arrives all at once, as from a file, is answered completely.
    """
    server = UhpServer(report=say)
    waiting: queue.Queue[str | None] = queue.Queue()

    def read_ahead() -> None:
        last = time.monotonic()
        for line in lines:
            last = time.monotonic()
            waiting.put(line)
        if time.monotonic() - last > AWAY:
            server.stop.set()
        waiting.put(None)

    threading.Thread(target=read_ahead, daemon=True).start()
    for reply in server.answer("info"):
        say(reply)
    while not server.ended and (line := waiting.get()) is not None:
        for reply in server.answer(line):
            say(reply)
