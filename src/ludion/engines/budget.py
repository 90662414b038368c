"""What a search may use, how it is watched and stopped. Pure values: nothing here needs the compiler."""

from __future__ import annotations

import contextlib
import contextvars
import dataclasses
import math
import threading
import time
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ludion.core.clock import Stopwatch, are_limits_cpu, compile_seconds
from ludion.errors import LudionError, in_short
from ludion.fields import check_type
from ludion.messages import decimal, message

if TYPE_CHECKING:
    import numpy as np

    from ludion.answers import Answer

MEGABYTE = 1_000_000
DEFAULT_MEMORY = 2 << 30
MOST_EVENTS = 10_000_000  # that an observer may collect
Thing = TypeVar("Thing")
LARGEST = 1 << 62  # nodes, bytes or plies
A_MOMENT = 1e-3  # seconds


class BudgetError(LudionError):
    """A budget that no search could keep."""


class StoppedError(LudionError):
    """Work that was stopped before it had anything to show."""


@dataclass(frozen=True)
class Budget:
    """How much a search may use; a limit that is not given does not end it."""

    seconds: float | None = None  # of searching; compiling does not count
    nodes: int | None = None  # positions seen
    memory: int = DEFAULT_MEMORY  # bytes of tables
    depth: int | None = None  # duels: plies to look ahead; 0 judges the position itself

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None and field.name != "memory":
                continue
            number = isinstance(value, (int, float) if field.name == "seconds" else int)
            if not number or isinstance(value, bool) or math.isnan(value):
                raise BudgetError(message("engines.budget_type", name=field.name, value=in_short(value)))
            if value < 0 or (value == 0 and field.name != "depth"):
                raise BudgetError(message("engines.budget_positive", name=field.name, value=value))
            if field.name != "seconds" and value > LARGEST:
                raise BudgetError(message("engines.budget_too_large", name=field.name, most=LARGEST))

    def to_move(self) -> Budget:
        """This budget, if it is enough to choose a move: a depth of 0 is not."""
        if self.depth == 0:
            raise BudgetError(message("engines.budget_positive", name="depth", value=0))
        return self

    def over(self, default: Budget) -> Budget:
        """These limits, with those of `default` where none is given here."""
        given = {
            field.name: value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) is not None and value != field.default
        }
        return dataclasses.replace(default, **given)


@dataclass(frozen=True)
class Progress:
    """The state of a running search."""

    nodes: int
    expanded: int
    depth: int
    frontier: int
    best: int | None
    memory: int
    seconds: float
    line: tuple[int, ...] = ()  # the best line so far, of engines that have one before the end

    def __str__(self) -> str:
        rate = self.nodes / self.seconds / 1e6 if self.seconds else 0
        parts = [
            f"{self.seconds:.0f} s",
            message("answers.nodes", n=self.nodes, nodes=decimal(self.nodes, 0)),
            message("answers.rate", millions=decimal(rate, 2)),
            message("engines.progress_depth", depth=self.depth),
        ]
        if self.frontier:
            parts.append(message("engines.progress_frontier", frontier=decimal(self.frontier, 0)))
        if self.best is not None:
            parts.append(message("engines.progress_best", best=self.best))
        return ", ".join(parts)


EVENT_NAMES = ("expanded", "improved", "cut", "generated", "repeated", "goal", "valued")


@dataclass(frozen=True)
class Event:
    """One step of a search: what was done, at which node (the start is 0), reached from which by which move.

    expanded    its moves were tried; `value` is its estimate (A* and its family) or alpha (alpha-beta, with `beta`)
    generated   best-first and breadth-first: seen for the first time, or by a cheaper path; `value` is its estimate
    repeated    the same for a position that was seen before and is not improved
    goal        a goal was taken
    valued      duels: the value of the node for its player, `parent` and `move` as for expanded
    improved    the best so far at the start is `value`, by `move`
    cut         the rest of the node's moves, or the node itself, need not be searched
    """

    kind: str
    node: int
    parent: int
    move: int
    depth: int  # moves from the start; best-first: the cost so far
    value: int
    beta: int = 0  # alpha-beta: the upper end of the window of an expanded node


class Session:
    """What engines keep from one search to the next, such as a table of positions: later searches need fewer nodes.

    A search that finds the session in use by another one begins with nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[Hashable, object] = {}

    @contextlib.contextmanager
    def borrow(self, key: Hashable, make: Callable[[], Thing]) -> Iterator[Thing]:
        """The cached value of the key, or a new one, for the duration of the block."""
        if not self._lock.acquire(blocking=False):
            yield make()
            return
        try:
            if key not in self._kept:
                self._kept[key] = make()
            yield cast(Thing, self._kept[key])
        finally:
            self._lock.release()


class Deadline(threading.Event):
    """Set when another event is, or some seconds have gone by (compiling does not count)."""

    def __init__(self, stop: threading.Event, seconds: float) -> None:
        super().__init__()
        self.stop, self.seconds = stop, seconds
        self.begin = time.perf_counter() - compile_seconds()

    def is_set(self) -> bool:
        over = super().is_set() or self.stop.is_set()
        return over or time.perf_counter() - compile_seconds() - self.begin > self.seconds


class Observer:
    """Watches a search and can stop it.

    `progress` is called some ten times per second, `event` for each of the first `events` events. Setting `stop` from
    any thread ends the search within a tenth of a second; the answer keeps the best so far. Subclass it, or use it as
    it is to collect the events in `seen`. Searches whose observers share a `session` share what their engine keeps.
    """

    def __init__(
        self, events: int = 0, stop: threading.Event | None = None, session: Session | None = None
    ) -> None:
        check_type("events", events, int)
        check_type("stop", stop, threading.Event, optional=True)
        check_type("session", session, Session, optional=True)
        if not 0 <= events <= MOST_EVENTS:
            raise BudgetError(message("engines.events_range", most=MOST_EVENTS, events=events))
        self.events = events
        self.session = session
        self.stop = stop if stop is not None else threading.Event()
        self.seen: list[Event] = []

    def progress(self, progress: Progress) -> None:
        """Called while the search runs."""

    def event(self, event: Event) -> None:
        """Called for each event."""
        self.seen.append(event)

    def deliver(self, rows: np.ndarray) -> None:
        """Called with new events as rows of numbers: the place of the kind in EVENT_NAMES, then the fields of `Event`.
        Those who want millions of events take them here."""
        for kind, *fields in rows.tolist():
            self.event(Event(EVENT_NAMES[kind], *fields))


class Expenses:
    """What several searches, which share one budget, have cost so far."""

    def __init__(self, budget: Budget, observer: Observer | None = None) -> None:
        self.budget, self.observer, self.watch = budget, observer, Stopwatch()
        self.nodes = self.expanded = self.memory = 0

    def add(self, answer: Answer) -> None:
        """Count one more search."""
        self.nodes += answer.nodes
        self.expanded += answer.expanded
        self.memory = max(self.memory, answer.memory)

    def seconds(self) -> float:
        """The time so far, as limits count it."""
        return self.watch.cpu_seconds() if are_limits_cpu() else self.watch.seconds()

    def limit(self) -> str:
        """The limit that has been met: stopped, nodes, time or (empty) none."""
        if self.observer is not None and self.observer.stop.is_set():
            return "stopped"
        if self.budget.nodes is not None and self.nodes >= self.budget.nodes:
            return "nodes"
        return "time" if self.budget.seconds is not None and self.seconds() >= self.budget.seconds else ""

    def left(self, share: float = 1.0) -> Budget:
        """What is left of the budget, or a share of it; a moment and a node at least."""
        seconds, nodes = self.budget.seconds, self.budget.nodes
        return dataclasses.replace(
            self.budget,
            seconds=None if seconds is None else max(A_MOMENT, share * (seconds - self.seconds())),
            nodes=None if nodes is None else max(1, math.ceil(share * (nodes - self.nodes))),
        )

    def fields(self) -> dict[str, Any]:
        """The costs as fields of an answer."""
        costs = {"nodes": self.nodes, "expanded": self.expanded, "memory": self.memory}
        return costs | {"seconds": self.watch.seconds(), "cpu_seconds": self.watch.cpu_seconds()}


END_SEARCH, END_ALL = range(2)
interrupts = contextvars.ContextVar("interrupts", default=END_SEARCH)  # what Ctrl-C ends


@contextlib.contextmanager
def interrupts_end_all() -> Iterator[None]:
    """Within the block, Ctrl-C ends the search that is running and then all the rest: KeyboardInterrupt is raised.

    For work that consists of many searches; elsewhere an interrupted search answers with what it has.
    """
    token = interrupts.set(END_ALL)
    try:
        yield
    finally:
        interrupts.reset(token)


def check(stop: threading.Event | None) -> None:
    """Raise StoppedError if the event is set."""
    if stop is not None and stop.is_set():
        raise StoppedError(message("engines.stopped"))
