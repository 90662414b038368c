"""The contract of a quest: one agent in a world that it sees only in part.

The *world* is a value of any class; its verbs are:

- `percept(world)`: what the agent may see now, a separate value that shares nothing with the world;
- `act(world, action)`: the world after the action (the same object if it changes in place). An action that the
  world does not understand raises `IllegalActionError` and changes nothing;
- `outcome(world)`: `WON`, `LOST`, or `RUNNING`.

An *agent* is any object with `decide(percept) -> action`. The referee (`run`) is the only one that holds both: the
agent gets percepts and nothing else, so it cannot read what it may not see.
"""

# mypy: disable-error-code="empty-body"
from __future__ import annotations

import contextvars
import functools
import queue
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from ludion.core import tiers
from ludion.core.clock import Stopwatch
from ludion.core.sources import user_line
from ludion.core.verbs import verb
from ludion.errors import GameFileError, LudionError
from ludion.kinds.values import Rules, State
from ludion.messages import decimal, message

WON, LOST, RUNNING = "won", "lost", "running"
STEPS, LATE, ILLEGAL, CRASHED, STOPPED = "steps", "late", "illegal", "crashed", "stopped"


class IllegalActionError(LudionError):
    """An action that the world does not understand or allow."""


class Agent(Protocol):
    """Decides what to do on each percept."""

    def decide(self, percept: Any) -> Any:
        """The action for this percept."""


class FunctionAgent:
    """A function as an agent."""

    def __init__(self, decide: Callable[[Any], Any]) -> None:
        self.decide = decide


def agent_from_file(rules: Rules, argument: str) -> Agent:
    """The agent of a user's Python file: its function `decide(percept)`, or a new `Agent()` with such a method."""
    path = Path(argument).resolve()
    if not path.is_file():
        raise GameFileError(message("errors.no_agent_file", file=argument))
    scope: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
    sys.path.insert(0, str(path.parent))  # so that it can import from beside itself
    try:
        exec(compile(path.read_bytes(), str(path), "exec"), scope)
        agent: Any = scope["Agent"]() if "Agent" in scope else None
    except Exception as error:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)
        ]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else 1
        raise GameFileError(
            message(
                "errors.agent_file_failed",
                file=f"{path.name}:{line}",
                error=type(error).__name__,
                text=error.msg if isinstance(error, SyntaxError) else error,
            )
        ) from error
    finally:
        sys.path.remove(str(path.parent))
    if agent is None and callable(scope.get("decide")):
        agent = FunctionAgent(scope["decide"])
    if not callable(getattr(agent, "decide", None)):
        raise GameFileError(message("errors.no_agent_in_file", file=path.name))
    deciding: Agent = agent
    return deciding


@verb
def percept(world: State) -> Any:
    """What the agent may see of the world now."""


@verb
def act(world: State, action: Any) -> Any:
    """The world after the action."""


@verb
def outcome(world: State) -> str:
    """WON, LOST or RUNNING."""


@dataclass(frozen=True)
class Record:
    """What happened in a run: how it ended, what was done, what it cost."""

    outcome: str  # won, lost, or running when it was ended from outside
    ended_by: str  # the world's own word (won, lost), or: steps, late, illegal, crashed, stopped
    actions: list[Any]
    seconds: float  # of deciding, in all: wall time with kernels ready
    cpu_seconds: float
    slowest: float  # seconds of the slowest decision
    world: State = field(repr=False)
    reason: str = ""  # in words, when it was ended from outside

    @property
    def steps(self) -> int:
        return len(self.actions)


def run(
    world: State,
    agent: Agent,
    *,
    steps: int = 10_000,
    patience: float | None = None,
    watch: Callable[[Any, Any, Any], None] | None = None,
    stop: threading.Event | None = None,
) -> Record:
    """Let the agent act in the world until it ends, or the steps, or the agent's time for one decision, run out.

    `watch(world, percept, action)` is called after each decision, before it is carried out. An agent that crashes,
    returns an illegal action or takes longer than `patience` seconds ends the run; the record so far is returned.
    """
    actions: list[Any] = []
    spent = spent_cpu = slowest = 0.0
    decide = _Patient(agent, patience).decide if patience is not None else functools.partial(_decide, agent)

    def record(ended_by: str, reason: str = "") -> Record:
        return Record(outcome(world), ended_by, actions, spent, spent_cpu, slowest, world, reason)

    while outcome(world) == RUNNING:
        if len(actions) >= steps:
            return record(STEPS, message("answers.run_steps", n=steps))
        if stop is not None and stop.is_set():
            return record(STOPPED, message("answers.run_stopped"))
        seen = percept(world)
        action, error, taken, cpu = decide(seen)
        spent, spent_cpu, slowest = spent + taken, spent_cpu + cpu, max(slowest, taken)
        if isinstance(error, TimeoutError) and patience is not None:
            late = message(
                "answers.run_late", seconds=decimal(patience, 1 if patience >= 1 else 3), step=len(actions)
            )
            return record(LATE, late)
        if error is not None:
            crash = {"error": type(error).__name__, "step": len(actions), "text": error}
            return record(CRASHED, place(error) + message("answers.run_crashed", **crash))
        if watch is not None:
            watch(world, seen, action)
        try:
            world = act(world, action)
        except IllegalActionError as error:
            return record(ILLEGAL, message("answers.run_illegal", text=error, step=len(actions)))
        actions.append(action)
    return record(outcome(world))


def place(error: BaseException) -> str:
    """`FILE:LINE: ` of the user's code in which an error arose; nothing if it was not there."""
    at = user_line(error.__traceback__)
    return f"{Path(at[0]).name}:{at[1]}: " if at else ""


class TimedDecision(NamedTuple):
    """The decision of an agent, or the error that it raised, and the time that it took."""

    action: Any
    error: BaseException | None
    seconds: float
    cpu_seconds: float


def _decide(agent: Agent, percept: Any) -> TimedDecision:
    action: Any = None
    error: BaseException | None = None
    watch = Stopwatch()
    try:
        action = agent.decide(percept)
    except (Exception, SystemExit) as raised:
        error = raised
    return TimedDecision(action, error, watch.seconds(), watch.cpu_seconds())


class _Patient:
    """Asks an agent in a separate thread, so that waiting for it can end."""

    def __init__(self, agent: Agent, patience: float) -> None:
        self.agent, self.patience = agent, min(patience, threading.TIMEOUT_MAX)
        self.asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.answered: queue.SimpleQueue[TimedDecision] = queue.SimpleQueue()
        here = contextvars.copy_context()  # with the language in use
        threading.Thread(target=here.run, args=(self._work, tiers.state.tier), daemon=True).start()

    def _work(self, tier: str) -> None:
        with tiers.use(tier):
            while True:
                self.answered.put(_decide(self.agent, self.asked.get()))

    def decide(self, percept: Any) -> TimedDecision:
        self.asked.put(percept)
        try:
            return self.answered.get(timeout=self.patience)
        except queue.Empty:
            return TimedDecision(None, TimeoutError(), self.patience, 0.0)
