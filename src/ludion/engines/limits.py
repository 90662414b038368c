"""Budgets, stopping and watching: how Python stays in charge of a kernel that runs at full speed.

A kernel gets two arrays. `control` is the status array shared by the kernel and its caller; `trace` takes events while
there is room.

    control:  NODES  EXPANDED  DEPTH  FRONTIER  BEST  MEMORY  EVENTS  |  STOP  NODE_LIMIT  MEMORY_LIMIT
              written by the kernel, read by Python                   |  written by Python, read by the kernel
    trace:    one row per event: KIND  NODE  PARENT  MOVE  DEPTH  VALUE

The kernel runs in a thread of its own without the interpreter's lock, so Ctrl-C, a time limit or another thread can
set STOP at any time. Time spent compiling does not count. A kernel must read STOP in the same block in which it writes
NODES (a flag that is only read would be moved out of the loop by the compiler), at least every few thousand nodes.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ludion.core.verbs import compile_seconds, part
from ludion.engines.budget import Budget, Event, Observer, Progress

NODES, EXPANDED, DEPTH, FRONTIER, BEST, MEMORY, EVENTS, STOP, NODE_LIMIT, MEMORY_LIMIT = range(10)
EXPAND, IMPROVE, CUT = range(3)
EVENT_NAMES = ("expanded", "improved", "cut")
NOT_YET = -(1 << 40)  # BEST before anything was found

# How a kernel ended.
FOUND, EXHAUSTED, OUT_OF_NODES, OUT_OF_MEMORY, STOPPED = range(5)

UNLIMITED = 1 << 62
POLL = 0.02  # seconds between two looks at a running kernel

Result = TypeVar("Result")


@part
def record(
    control: np.ndarray,
    trace: np.ndarray,
    kind: int,
    node: int,
    parent: int,
    move: int,
    depth: int,
    value: int,
) -> None:
    """Write an event if there is room for it."""
    count = control[EVENTS]
    if count < trace.shape[0]:
        trace[count, 0] = kind
        trace[count, 1] = node
        trace[count, 2] = parent
        trace[count, 3] = move
        trace[count, 4] = depth
        trace[count, 5] = value
        control[EVENTS] = count + 1


@dataclass(frozen=True)
class Outcome:
    """What came of running a kernel: its result, the control array, the time, and the limit that Python set."""

    result: Any
    control: np.ndarray
    seconds: float
    limit: str  # time or stopped, if Python ended it

    def limit_name(self, ended: int) -> str:
        """The limit that ended the search, given how the kernel says it ended."""
        if ended == STOPPED:
            return self.limit or "stopped"
        return {OUT_OF_NODES: "nodes", OUT_OF_MEMORY: "memory"}.get(ended, "")


def run(search: Callable[[Any, Any], Result], budget: Budget, observer: Observer | None = None) -> Outcome:
    """Run `search(control, trace)` in a thread of its own until it ends, the time is up, or someone stops it."""
    control = np.zeros(16, np.int64)
    control[BEST] = NOT_YET
    control[NODE_LIMIT] = budget.nodes or UNLIMITED
    control[MEMORY_LIMIT] = budget.memory
    trace = np.zeros((observer.events if observer else 0, 6), np.int64)
    done = threading.Event()
    box: list[Any] = []

    def work() -> None:
        try:
            box.append((search(control, trace), None))
        except BaseException as error:
            box.append((None, error))
        done.set()

    begin = time.perf_counter() - compile_seconds()

    def elapsed() -> float:  # compiling is not searching
        return time.perf_counter() - compile_seconds() - begin

    threading.Thread(target=work, daemon=True).start()
    limit, delivered, shown = "", 0, 0.0
    while True:
        try:
            left = budget.seconds - elapsed() if budget.seconds is not None else POLL
            finished = done.wait(max(0.0, min(POLL, left)))
            seconds = elapsed()
            if observer is not None:
                delivered = _deliver(observer, control, trace, delivered)
                if seconds - shown > 0.1 and not finished:
                    shown = seconds
                    observer.progress(_progress(control, seconds))
            if finished:
                break
            if not limit and budget.seconds is not None and seconds >= budget.seconds:
                limit = "time"
            if not limit and observer is not None and observer.stop.is_set():
                limit = "stopped"
        except KeyboardInterrupt:
            if limit == "stopped":  # asked twice: the kernel does not listen
                raise
            limit = "stopped"
        control[STOP] = bool(limit)
    result, error = box[0]
    if error is not None:
        raise error
    return Outcome(result, control, elapsed(), limit)


@contextlib.contextmanager
def helpers(search: Callable[[Any, Any], Any], count: int) -> Iterator[None]:
    """While the block runs, run `search(control, trace)` in so many threads beside it; their answers are dropped."""
    controls = [np.zeros(16, np.int64) for _ in range(count)]
    threads = []
    for control in controls:
        control[NODE_LIMIT] = control[MEMORY_LIMIT] = UNLIMITED
        threads.append(
            threading.Thread(target=search, args=(control, np.zeros((0, 6), np.int64)), daemon=True)
        )
        threads[-1].start()
    try:
        yield
    finally:
        for control in controls:
            control[STOP] = 1
        for thread in threads:
            thread.join()


def _progress(control: np.ndarray, seconds: float) -> Progress:
    best = int(control[BEST])
    return Progress(
        int(control[NODES]),
        int(control[EXPANDED]),
        int(control[DEPTH]),
        int(control[FRONTIER]),
        None if best == NOT_YET else best,
        int(control[MEMORY]),
        seconds,
    )


def _deliver(observer: Observer, control: np.ndarray, trace: np.ndarray, delivered: int) -> int:
    available = int(control[EVENTS])
    for row in trace[delivered:available].tolist():
        observer.event(Event(EVENT_NAMES[row[0]], *row[1:]))
    return available
