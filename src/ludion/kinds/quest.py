"""The contract of a quest: one agent in a world that it sees only in part.

The *world* is a value of any class; its verbs are:

- `percept(world)`: what the agent may see now, a value of its own that shares nothing with the world;
- `act(world, action)`: the world after the action (the same object if it changes in place). An action that the
  world does not understand raises `IllegalActionError` and changes nothing;
- `outcome(world)`: `WON`, `LOST`, or `RUNNING`.

An *agent* is any object with `decide(percept) -> action`. The referee (`run`) is the only one that holds both: the
agent gets percepts and nothing else, so it cannot read what it may not see.
"""

# mypy: disable-error-code="empty-body"
from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludion.core.verbs import verb
from ludion.errors import LudionError
from ludion.kinds.values import State

WON, LOST, RUNNING = "won", "lost", "running"
STEPS, LATE, ILLEGAL, CRASHED, STOPPED = "steps", "late", "illegal", "crashed", "stopped"


class IllegalActionError(LudionError):
    """An action that the world does not understand or allow."""


class Agent(Protocol):
    """Whatever decides."""

    def decide(self, percept: Any) -> Any:
        """The action to take on seeing this percept."""


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
    seconds: float  # of deciding, in all
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
    answers nonsense or takes longer than `patience` seconds ends the run; the record up to there is kept.
    """
    actions: list[Any] = []
    spent = slowest = 0.0
    decide = _Patient(agent, patience).decide if patience is not None else agent.decide

    def record(ended_by: str, reason: str = "") -> Record:
        return Record(outcome(world), ended_by, actions, spent, slowest, world, reason)

    while outcome(world) == RUNNING:
        if len(actions) >= steps:
            return record(STEPS, f"no end after {steps} steps")
        if stop is not None and stop.is_set():
            return record(STOPPED, "stopped")
        seen = percept(world)
        action, error = None, None
        begin = time.perf_counter()
        try:
            action = decide(seen)
        except Exception as raised:
            error = raised
        taken = time.perf_counter() - begin  # a decision that fails takes time, too
        spent += taken
        slowest = max(slowest, taken)
        if isinstance(error, TimeoutError) and patience is not None:
            return record(LATE, f"no decision within {patience} s at step {len(actions)}")
        if error is not None:
            return record(CRASHED, f"{type(error).__name__} at step {len(actions)}: {error}")
        if watch is not None:
            watch(world, seen, action)
        try:
            world = act(world, action)
        except IllegalActionError as error:
            return record(ILLEGAL, f"{error} at step {len(actions)}")
        actions.append(action)
    return record(outcome(world))


class _Patient:
    """An agent asked in a thread of its own, so that waiting for it can end."""

    def __init__(self, agent: Agent, patience: float) -> None:
        self.agent, self.patience = agent, patience
        self.asked: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.answered: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def _work(self) -> None:
        while True:
            try:
                self.answered.put((self.agent.decide(self.asked.get()), None))
            except BaseException as error:
                self.answered.put((None, error))

    def decide(self, percept: Any) -> Any:
        self.asked.put(percept)
        try:
            action, error = self.answered.get(timeout=self.patience)
        except queue.Empty:
            raise TimeoutError from None
        if error is not None:
            raise error
        return action
