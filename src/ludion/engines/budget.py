"""What a search may use, how it is watched and stopped. Pure values: nothing here needs the compiler."""

from __future__ import annotations

import dataclasses
import math
import threading
from dataclasses import dataclass

from ludion.errors import LudionError, in_short
from ludion.fields import check_type
from ludion.messages import message

DEFAULT_MEMORY = 2 << 30
MOST_EVENTS = 10_000_000  # that an observer may collect
LARGEST = 1 << 62  # nodes, bytes or plies


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
    depth: int | None = None  # duels: plies to look ahead

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if value is None and field.name != "memory":
                continue
            number = isinstance(value, (int, float) if field.name == "seconds" else int)
            if not number or isinstance(value, bool) or math.isnan(value):
                raise BudgetError(message("engines.budget_type", name=field.name, value=in_short(value)))
            if not value > 0:
                raise BudgetError(message("engines.budget_positive", name=field.name, value=value))
            if field.name != "seconds" and value > LARGEST:
                raise BudgetError(message("engines.budget_too_large", name=field.name, most=LARGEST))

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

    def __str__(self) -> str:
        rate = self.nodes / self.seconds / 1e6 if self.seconds else 0
        parts = [
            f"{self.seconds:.0f} s",
            message("answers.nodes", n=self.nodes, nodes=f"{self.nodes:,}"),
            message("answers.rate", millions=f"{rate:.2f}"),
            message("engines.progress_depth", depth=self.depth),
        ]
        if self.frontier:
            parts.append(message("engines.progress_frontier", frontier=f"{self.frontier:,}"))
        if self.best is not None:
            parts.append(message("engines.progress_best", best=self.best))
        return ", ".join(parts)


@dataclass(frozen=True)
class Event:
    """One step of a search: what was done, at which node (the start is 0), reached from which by which move."""

    kind: str  # expanded, improved, cut
    node: int
    parent: int
    move: int
    depth: int
    value: int


class Observer:
    """Watches a search and can stop it.

    `progress` is called some ten times per second, `event` for each of the first `events` events. Setting `stop` from
    any thread ends the search within a tenth of a second; the answer keeps the best so far. Subclass it, or use it as
    it is to collect the events in `seen`.
    """

    def __init__(self, events: int = 0, stop: threading.Event | None = None) -> None:
        check_type("events", events, int)
        check_type("stop", stop, threading.Event, optional=True)
        if not 0 <= events <= MOST_EVENTS:
            raise BudgetError(message("engines.events_range", most=MOST_EVENTS, events=events))
        self.events = events
        self.stop = stop if stop is not None else threading.Event()
        self.seen: list[Event] = []

    def progress(self, progress: Progress) -> None:
        """Called while the search runs."""

    def event(self, event: Event) -> None:
        """Called for each event."""
        self.seen.append(event)


def check(stop: threading.Event | None) -> None:
    """Raise StoppedError if the event is set."""
    if stop is not None and stop.is_set():
        raise StoppedError(message("engines.stopped"))
