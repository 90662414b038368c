"""How far engines trust a game: its verbs are tried in plain Python before they are compiled; kernels check the rest.

Compiled code checks no index. So before a user's game is compiled, its verbs are called on the start and on a short
random game, with a buffer that has room to spare: what they return must have the right type and range. Kernels keep
that spare room (`SPARE`) behind every buffer of moves and look at each count that a verb returns; a broken promise ends
them with one of the codes below. Either way the user reads one line with the file and line of the verb:

    breakthrough.py:52: play must return Board(int, int), but returns Board(float, int)
"""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ludion.core.sources import is_users, user_line
from ludion.core.verbs import Verb, class_name, kernel
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import SHORT, Outcome, run
from ludion.errors import GameFileError, LudionError
from ludion.kinds import duel, puzzle
from ludion.kinds.games import DUEL, PUZZLE
from ludion.kinds.moving import most_moves, moves, play
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

# How a kernel ended that met a broken promise; `limits` has the other codes.
TOO_MANY_MOVES, NO_MOVES, BAD_VERDICT, BAD_EVALUATION, BAD_ESTIMATE, BAD_COST = range(16, 22)

SPARE = 4096  # entries behind a buffer of moves: a count that is too large is noticed before they are used up
OWN_MODULES = "ludion."  # the games of this package are checked by its tests

TRIAL_PLIES = 24
TRIAL_SECONDS = 0.2
LONGEST_TRIAL = 20.0  # seconds of the processor after which a trial counts as endless
LONGEST_CALL = 5.0  # and a single verb: plain Python needs far less than a second for one
KEPT_TRIALS = 16
MOST_MOVES = 1 << 20  # that any position may have
HIGHEST_MOVE = 2**31 - 1
LARGEST_ESTIMATE = (1 << 24) - 1
LARGEST_WORD = 2**63 - 1
MOST_WORDS = 8


class TrialTime(NamedTuple):
    """A moment, on the clock and in the processor time of the thread."""

    wall: float
    cpu: float


_calls: dict[int, TrialTime] = {}  # thread -> when the call of a verb began that it is in
# id of rules -> the rules, and the guides that were tried with them
_tried: dict[int, tuple[Rules, set[type]]] = {}


# ------------------------------------------------------------------ kernels


@kernel(python_entry=False)
def with_spare(most: int) -> int:
    """The length of a buffer for this many moves."""
    return most + SPARE


@kernel(python_entry=False)
def new_buffer(most: int) -> np.ndarray:
    """A buffer for this many moves, zeros, with spare room behind it."""
    buffer = np.empty(with_spare(most), np.int64)
    for i in range(most):
        buffer[i] = 0
    return buffer


@kernel(python_entry=False)
def spare_rows(most: int) -> int:
    """The number of rows, of `most` moves each, of the spare room behind the last row."""
    return SPARE // most + 1


# ------------------------------------------------------------------ problems


@dataclass(frozen=True)
class ContractProblem:
    """A promise that a game breaks: where its verb is written, and in words what was expected and what came."""

    file: str
    line: int
    verb: str
    position: str  # in the game's notation, or its fields
    sentence: str

    def __str__(self) -> str:
        place = f"{Path(self.file).name}:{self.line}: " if self.file else ""
        where = message("checks.at", position=self.position) if self.position else ""
        return " ".join(f"{place}{self.sentence}{where}".split())


class BrokenContractError(GameFileError):
    """A game that breaks its contract; `problem` says where and how."""

    def __init__(self, problem: ContractProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def place_of(function: object) -> tuple[str, int]:
    """The file and the line in which a function or class is written."""
    function = inspect.unwrap(function)  # type: ignore[arg-type]
    code = getattr(function, "__code__", None)
    if code is not None:
        return code.co_filename, code.co_firstlineno
    try:
        return inspect.getsourcefile(function) or "", inspect.getsourcelines(function)[1]  # type: ignore[arg-type]
    except (OSError, TypeError):
        return "", 0


def problem_of(
    verb: Verb, subject: object, name: str, /, position: object = "", **values: object
) -> ContractProblem:
    """The problem that a verb of this subject has; `name` is the message that says so."""
    file, line = place_of(verb.find(type(subject)) or type(subject))
    text = position if isinstance(position, str) else shown(position)
    return ContractProblem(file, line, verb.name, text, message(f"checks.{name}", verb=verb.name, **values))


def refuse(verb: Verb, subject: object, name: str, /, position: object = "", **values: object) -> NoReturn:
    """Raise the error of the problem that a verb of this subject has."""
    raise BrokenContractError(problem_of(verb, subject, name, position, **values))


def raised_problem(
    error: BaseException, verb: str, implementation: object, position: object = ""
) -> ContractProblem:
    """The problem of a function that raised an error: the deepest line of the user's own code."""
    file, line = user_line(error.__traceback__) or place_of(implementation)
    text = position if isinstance(position, str) else shown(position)
    if isinstance(error, GameFileError) and not isinstance(error, BrokenContractError):
        file, line = (error.file, error.line) if error.file else (file, line)
        sentence = error.sentence
    elif isinstance(error, EndlessVerbError):
        sentence = message("checks.endless", verb=verb)
    else:
        why = " ".join(str(error).split())[:200]
        sentence = message("checks.raises", verb=verb, error=type(error).__name__, text=why)
    return ContractProblem(file, line, verb, text, sentence)


def shown(value: object) -> str:
    """A value in short."""
    text = re.sub(r"np\.u?int\d+\((-?\d+)\)", r"\1", re.sub(r"\s+", " ", repr(value)))
    return text if len(text) <= 100 else text[:97] + "..."


class EndlessVerbError(Exception):
    """Raised inside a verb that does not end."""


@contextlib.contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise EndlessVerbError in the block, wherever it is in plain Python, once the time is up or a single call of a
    verb has taken `LONGEST_CALL`.

    The time is that of the processor where the system tells it, so that a busy machine makes no verb endless; or ten
    times as long on the clock.
    """
    thread = threading.get_ident()
    lock, ended = threading.Lock(), threading.Event()
    cpu_clock = time.pthread_getcpuclockid(thread) if hasattr(time, "pthread_getcpuclockid") else None
    begin = TrialTime(time.monotonic(), time.thread_time())

    def used(since: TrialTime) -> float:
        wall = (time.monotonic() - since.wall) / 10
        return wall if cpu_clock is None else max(wall, time.clock_gettime(cpu_clock) - since.cpu)

    def watch() -> None:
        while not ended.wait(0.1):
            with lock:
                call = _calls.get(thread)
                endless = used(begin) > seconds or (call is not None and used(call) > LONGEST_CALL)
                if endless and not ended.is_set():
                    interrupt(ctypes.c_ulong(thread), ctypes.py_object(EndlessVerbError))
                    return

    interrupt = ctypes.pythonapi.PyThreadState_SetAsyncExc
    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with lock:
            ended.set()


# ------------------------------------------------------------------ types


def is_int(value: object) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def shape_of(value: object) -> str:
    """The type of a value as kernels see it: `Board(int, int)`."""
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    if isinstance(value, (int, np.integer)):
        return "int"
    if isinstance(value, (float, np.floating)):
        return "float"
    if isinstance(value, np.ndarray):
        return f"array({value.dtype}, {value.ndim}d)"
    if isinstance(value, tuple):
        name = class_name(value) if hasattr(value, "_fields") else ""
        comma = "," if len(value) == 1 and not name else ""
        return f"{name}({', '.join(map(shape_of, value))}{comma})"
    return class_name(value)


def bad_leaf(value: object, fields: bool = True) -> str:
    """The name and type of a part of a position that is no whole number, tuple or array; nothing if all are.

    In rules, fractions and truth values are allowed too: give `fields=False`.
    """
    if isinstance(value, tuple):
        names = getattr(value, "_fields", range(len(value)))
        for name, each in zip(names, value, strict=True):
            if bad := bad_leaf(each, fields):
                return bad if " " in bad else f"{name}: {bad}"
        return ""
    if isinstance(value, np.ndarray):
        return "" if value.dtype.kind in "iufb" else shape_of(value)
    if is_int(value):
        return "" if abs(int(value)) <= LARGEST_WORD else message("checks.larger_than_a_word")  # type: ignore[call-overload]
    if not fields and isinstance(value, (float, bool, np.floating, np.bool_)):
        return ""
    return shape_of(value)


# ------------------------------------------------------------------ one verb, one position


def checked_call(verb: Verb, position: object, subject: Any, *rest: Any) -> Any:
    """What a verb returns in plain Python; what it raises becomes a BrokenContractError."""
    implementation = verb.find(type(subject))
    if implementation is None:
        refuse(verb, subject, "no_verb", type=class_name(subject), position="")
    thread = threading.get_ident()
    _calls[thread] = TrialTime(time.monotonic(), time.thread_time())
    try:
        return implementation(subject, *rest)
    except LudionError:
        raise
    except Exception as error:
        raise BrokenContractError(raised_problem(error, verb.name, implementation, position)) from error
    finally:
        _calls.pop(thread, None)


def check_value(position: State, rules: Rules) -> Iterator[ContractProblem]:
    """Whether rules and position are values that kernels can take."""
    for value, fields in ((rules, False), (position, True)):
        file, line = place_of(type(value))
        what = "position" if fields else "rules"
        name = class_name(value)
        if not isinstance(value, tuple) or not hasattr(value, "_fields"):
            sentence = message(f"checks.{what}_not_a_tuple", type=name)
            yield ContractProblem(file if is_users(file) else "", line, "read", "", sentence)
        elif bad := bad_leaf(value, fields):
            yield ContractProblem(
                file, line, "read", "", message(f"checks.{what}_field", type=name, field=bad)
            )


def check_most_moves(rules: Rules) -> Iterator[ContractProblem]:
    most = checked_call(most_moves, "", rules)
    if not is_int(most) or not 1 <= most <= MOST_MOVES:
        yield problem_of(
            most_moves, rules, "range", least=1, most=MOST_MOVES, came=shown(most), type=shape_of(most)
        )


def listed_moves(
    verb: Verb, subject: Any, *rest: Any, most: int, position: State, buffer: np.ndarray | None = None
) -> list[int]:
    """The moves that a verb such as `moves` writes into a buffer, checked."""
    room = np.zeros(most + SPARE, np.int64) if buffer is None else buffer
    try:
        count = checked_call(verb, position, subject, *rest, room)
    except BrokenContractError as error:
        if isinstance(error.__cause__, IndexError) and f"size {len(room)}" in str(error.__cause__):
            raise BrokenContractError(
                problem_of(
                    verb,
                    subject,
                    "too_many_moves",
                    position,
                    most=most,
                    count=message("checks.more_than", most=most),
                )
            ) from error
        raise
    if not is_int(count) or count < 0:
        expected = message("checks.a_count")
        refuse(
            verb, subject, "returns", position, expected=expected, came=f"{shape_of(count)} {shown(count)}"
        )
    if count > most:
        refuse(verb, subject, "too_many_moves", position, most=most, count=count)
    codes = [int(code) for code in room[:count]]
    for code in codes:
        if not 0 <= code <= HIGHEST_MOVE:
            refuse(verb, subject, "move_range", position, move=code, most=HIGHEST_MOVE)
    return codes


def too_many_moves(verb: Verb, subject: Any, position: object, most: int) -> ContractProblem:
    """The problem of a buffer that was too small; nobody knows for how many."""
    count = message("checks.more_than", most=most)
    return problem_of(verb, subject, "too_many_moves", position, most=most, count=count)


def check_verdict(rules: Rules, position: State) -> int:
    """The verdict, which must be one of the four ints."""
    result = checked_call(duel.verdict, position, rules, position)
    if not is_int(result) or result not in (duel.LOST, duel.DRAWN, duel.WON, duel.OPEN):
        refuse(
            duel.verdict,
            rules,
            "returns",
            position,
            expected="OPEN, WON, LOST, DRAWN",
            came=f"{shape_of(result)} {shown(result)}",
        )
    return int(result)


def check_goal(rules: Rules, position: State) -> bool:
    """Whether it is a goal, which must be a truth value."""
    result = checked_call(puzzle.is_goal, position, rules, position)
    if not isinstance(result, (bool, np.bool_)) and not (is_int(result) and result in (0, 1)):
        refuse(
            puzzle.is_goal,
            rules,
            "returns",
            position,
            expected="bool",
            came=f"{shape_of(result)} {shown(result)}",
        )
    return bool(result)


def check_range(
    verb: Verb, subject: Any, *rest: Any, least: int, most: int, position: State, whole: bool = True
) -> int:
    """A number that a verb returns, which must be whole and in a range."""
    result = checked_call(verb, position, subject, *rest)
    if not is_int(result) or not least <= result <= most:
        name = "range" if is_int(result) else "whole_range"
        refuse(
            verb, subject, name, position, least=least, most=most, came=shown(result), type=shape_of(result)
        )
    return int(result)


def check_play(rules: Rules, position: State, move: int) -> State:
    """The position after a move, which must be of the same type."""
    child = checked_call(play, position, rules, position, move)
    expected, came = shape_of(position), shape_of(child)
    if expected != came:
        refuse(play, rules, "returns", position, expected=expected, came=came)
    if bad := bad_leaf(child):
        refuse(play, rules, "returns", position, expected=expected, came=bad)
    return child


# ------------------------------------------------------------------ the trial


def needed_verbs(kind: str) -> tuple[Verb, ...]:
    """The verbs that every game of this kind must have."""
    return (moves, play, duel.verdict) if kind == DUEL else (moves, play, puzzle.is_goal)


def try_position(kind: str, rules: Rules, position: State, guide: Guide | None, most: int) -> list[int]:
    """Call the verbs on one position; the legal moves, none at the end of a game."""
    if kind == DUEL:
        if check_verdict(rules, position) != duel.OPEN:
            return []
        codes = listed_moves(moves, rules, position, most=most, position=position)
        if not codes:
            refuse(moves, rules, "open_without_moves", position)
        if guide is not None:
            check_range(
                duel.evaluate, guide, rules, position,
                least=-duel.HIGHEST, most=duel.HIGHEST, position=position,
            )  # fmt: skip
        return codes
    is_goal = check_goal(rules, position)
    codes = listed_moves(moves, rules, position, most=most, position=position)
    if guide is not None:
        check_range(
            puzzle.estimate, guide, rules, position, least=0, most=LARGEST_ESTIMATE, position=position
        )
    for code in codes[:1]:
        check_range(puzzle.cost, rules, position, code, least=1, most=LARGEST_ESTIMATE, position=position)
    return [] if is_goal else codes


def try_game(kind: str, rules: Rules, start: State, guide: Guide | None = None) -> None:
    """Call the verbs on the start and along a short random game; the first broken promise is raised."""
    for problem in check_value(start, rules):
        raise BrokenContractError(problem)
    for verb in needed_verbs(kind):
        if verb.find(type(rules)) is None:
            refuse(verb, rules, "no_verb", type=class_name(rules))
    if guide is not None:
        verb = duel.evaluate if kind == DUEL else puzzle.estimate
        if verb.find(type(guide)) is None:
            refuse(verb, guide, "no_verb", type=class_name(guide))
    for problem in check_most_moves(rules):
        raise BrokenContractError(problem)
    most = int(most_moves(rules))
    chance = random.Random(0)
    until = time.monotonic() + TRIAL_SECONDS
    position = duel.copy(rules, start) if kind == DUEL else start
    for _ in range(TRIAL_PLIES):
        codes = try_position(kind, rules, position, guide, most)
        if not codes or time.monotonic() > until:
            return
        move = chance.choice(codes)
        if kind == PUZZLE:
            words = checked_call(puzzle.pack, position, rules, position)
            if not isinstance(words, tuple) or not 1 <= len(words) <= MOST_WORDS or bad_leaf(words):
                refuse(
                    puzzle.pack,
                    rules,
                    "returns",
                    position,
                    expected=message("checks.words", most=MOST_WORDS),
                    came=shape_of(words),
                )
        position = check_play(rules, position, move)


def is_own(value: object) -> bool:
    """Whether the class of a value is of this package."""
    return type(value).__module__.startswith(OWN_MODULES)


def try_once(kind: str, rules: Rules, start: State, guide: Guide | None = None) -> None:
    """Try a user's game, once for the same rules and guide."""
    if is_own(rules) and (guide is None or is_own(guide)):
        return
    tried, guides = _tried.get(id(rules), (None, set()))
    if tried is rules and type(guide) in guides:
        return
    with deadline(LONGEST_TRIAL):
        try_game(kind, rules, start, guide)
    if tried is not rules:
        guides = set()
        while len(_tried) >= KEPT_TRIALS:
            del _tried[next(iter(_tried))]
        _tried[id(rules)] = rules, guides
    guides.add(type(guide))


# ------------------------------------------------------------------ running a kernel


def run_safely(
    kind: str,
    rules: Rules,
    start: State,
    guide: Guide | None,
    search: Callable[[Any, Any], Any],
    budget: Budget,
    observer: Observer | None = None,
    short: int = SHORT,
) -> Outcome:
    """Run a kernel whose result begins with how it ended; whatever a game does wrong becomes one line."""
    try_once(kind, rules, start, guide)
    try:
        outcome = run(search, budget, observer, short)
    except LudionError:
        raise
    except Exception as error:
        problem = explain(error, rules, guide)
        if problem is None:
            raise
        raise BrokenContractError(problem) from error
    complain(int(outcome.result[0]), rules, guide)
    return outcome


def run_puzzle(
    rules: Rules,
    start: State,
    heuristic: Guide | None,
    budget: Budget,
    observer: Observer | None,
    search: Callable[[Any, Any], Any],
    short: int = SHORT,
) -> Outcome:
    """Run a search of a puzzle safely."""
    return run_safely(PUZZLE, rules, start, heuristic, search, budget, observer, short)


def complain(ended: int, rules: Rules, guide: Guide | None) -> None:
    """Raise the error of a kernel that met a broken promise."""
    if ended == TOO_MANY_MOVES:
        raise BrokenContractError(too_many_moves(moves, rules, "", int(most_moves(rules))))
    if ended == NO_MOVES:
        refuse(moves, rules, "open_without_moves")
    if ended in (BAD_VERDICT, BAD_EVALUATION, BAD_ESTIMATE, BAD_COST):
        came = message("checks.another_value")
        if ended == BAD_VERDICT:
            refuse(duel.verdict, rules, "returns", expected="OPEN, WON, LOST, DRAWN", came=came)
        verb, subject, least, most = {
            BAD_EVALUATION: (duel.evaluate, guide, -duel.HIGHEST, duel.HIGHEST),
            BAD_ESTIMATE: (puzzle.estimate, guide, 0, LARGEST_ESTIMATE),
            BAD_COST: (puzzle.cost, rules, 1, LARGEST_ESTIMATE),
        }[ended]
        refuse(verb, subject, "range", least=least, most=most, came=came, type="int")


COLOUR = re.compile(r"\x1b\[[0-9;]*m")
PLACE = re.compile(r'File "([^"]+)", line (\d+)')
RAISED_FROM = re.compile(r"\.?\s*[Rr]aised from (\S+\.py) \((\d+)\)")
NOISE = re.compile(
    r"^((\w+Error: )?Failed in|During:|File |def |\s|<source|Overload|There are|- |Rejected|\* |Enable|This error"
    r"|raised from|$|\^)"
)


def explain(error: BaseException, rules: Rules, guide: Guide | None = None) -> ContractProblem | None:
    """What went wrong in the user's verbs, running or being compiled; None if it is not theirs."""
    if type(error).__module__.startswith("numba."):
        return compiler_problem(error, rules, guide)
    place = user_line(error.__traceback__)
    if place is None:
        return None
    why = " ".join(str(error).split())[:200]
    sentence = message("checks.fails", error=type(error).__name__, text=why)
    return ContractProblem(*place, "", "", sentence)


def compiler_problem(error: BaseException, rules: Rules, guide: Guide | None) -> ContractProblem | None:
    """What the compiler says about a verb, as one line: the deepest place in the user's files, and the reason there."""
    text = COLOUR.sub("", str(error))
    if is_own(rules) and (guide is None or is_own(guide)):
        return None
    place = None
    reason = ""
    before: list[str] = []
    for line in text.splitlines():
        match = PLACE.search(line)
        if match is not None:
            file = Path(match[1])
            if is_users(str(file if file.is_absolute() else file.resolve())):
                place = str(file.resolve()), int(match[2])
                rejected = [index for index, each in enumerate(before) if each.startswith("Rejected")]
                inner = before[rejected[-1] :] if rejected else before  # what failed in the innermost call
                reason = next((each for each in inner if not NOISE.match(each)), reason)
            before = []
        else:
            before.append(line.strip())
    for match in RAISED_FROM.finditer(text):
        if is_users(match[1]):
            place = match[1], int(match[2])
    place = place or place_of(moves.find(type(rules)) or type(rules))
    if not reason:
        lines = [each.strip() for each in text.splitlines()]
        reason = next((each for each in lines if not NOISE.match(each)), type(error).__name__)
    return ContractProblem(
        *place, "", "", message("checks.compiler", reason=RAISED_FROM.sub("", reason)[:300])
    )
