"""Budgets, stopping and watching: how Python stays in charge of a kernel that runs at full speed.

A kernel gets two arrays. `control` is the status array shared by the kernel and its caller; `trace` takes events while
there is room.

    control:  NODES  EXPANDED  DEPTH  FRONTIER  BEST  MEMORY  EVENTS  |  STOP  NODE_LIMIT  MEMORY_LIMIT  |  LINE
              written by the kernel, read by Python                   |  written by Python for the kernel   |  by it
    LINE:     the length of the best line so far, then its moves (of engines that have one before the end)
    trace:    one row per event: KIND  NODE  PARENT  MOVE  DEPTH  VALUE  BETA

The kernel runs in a thread of its own without the interpreter's lock, so Ctrl-C, a time limit or another thread can
set STOP at any time. A search that may be short is tried first in the calling thread, with a small limit of nodes: if
it ends within that, no other thread takes part, else it begins again in one. Time spent on compiling or loading a
kernel does not count. A kernel must read STOP in the same block in which it writes NODES, as `look` does (a flag that
is only read would be moved out of the loop by the compiler), at least every few hundred nodes: an interpreted kernel
sees some thousand per second, and must stop within a tenth of one.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
import os
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np

from ludion.core import background, clock, tiers
from ludion.core.clock import Stopwatch
from ludion.core.verbs import Kernel, kernel
from ludion.engines.budget import END_ALL, Budget, Observer, Progress, interrupts

NODES, EXPANDED, DEPTH, FRONTIER, BEST, MEMORY, EVENTS, STOP, NODE_LIMIT, MEMORY_LIMIT = range(10)
LINE, LONGEST_LINE = 16, 47  # where the best line so far is, and how many of its moves
CONTROL_SIZE = LINE + 1 + LONGEST_LINE
EXPAND, IMPROVE, CUT, GENERATE, REPEAT, REACH, RETURN = range(7)  # as EVENT_NAMES in budget.py
EVENT_FIELDS = 7
NOT_YET = -(1 << 40)  # BEST before anything was found

# How a kernel ended.
FOUND, EXHAUSTED, OUT_OF_NODES, OUT_OF_MEMORY, STOPPED, OUT_OF_DISK, OUT_OF_DEPTH, OUT_OF_WIDTH = range(8)
RUNNING = -1  # it has not ended

LIMIT_NAMES = {
    OUT_OF_NODES: "nodes",
    OUT_OF_MEMORY: "memory",
    OUT_OF_DISK: "disk",
    OUT_OF_DEPTH: "depth",
    OUT_OF_WIDTH: "width",
}

UNLIMITED = 1 << 62
POLL = 0.02  # seconds between two looks at a running kernel
SHORT = 1000  # nodes of a search that is tried in the calling thread
LEAST_TIME = 0.05  # seconds that a search must have to be tried there

Result = TypeVar("Result")


class SearchTools(NamedTuple):
    """What all parts of a search work with: a buffer for the moves of a position, and the two arrays above."""

    buffer: np.ndarray
    control: np.ndarray
    trace: np.ndarray


@kernel(python_entry=False)
def record(
    control: np.ndarray,
    trace: np.ndarray,
    kind: int,
    node: int,
    parent: int,
    move: int,
    depth: int,
    value: int,
    beta: int = 0,
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
        trace[count, 6] = beta
        control[EVENTS] = count + 1


@kernel(python_entry=False)
def show_line(control: np.ndarray, line: np.ndarray, length: int) -> None:
    """Let Python see the best line so far, if there is room for one."""
    if control.shape[0] < CONTROL_SIZE:
        return
    count = min(length, LONGEST_LINE)
    control[LINE] = 0  # a reader sees no line while it is being written
    for i in range(count):
        control[LINE + 1 + i] = line[i]
    control[LINE] = count


@kernel(python_entry=False, inline=True)
def look(control: np.ndarray, nodes: int, expanded: int, frontier: int) -> int:
    """Show Python how far the search is, and look whether it must end: the limit that was met, or RUNNING."""
    control[NODES] = nodes
    control[EXPANDED] = expanded
    control[FRONTIER] = frontier
    if control[STOP] != 0:
        return STOPPED
    return OUT_OF_NODES if nodes >= control[NODE_LIMIT] else RUNNING


@dataclass(frozen=True)
class Outcome:
    """What came of running a kernel: its result, the control array, the time, and the limit that Python set."""

    result: Any
    control: np.ndarray
    seconds: float  # wall time of the search alone
    cpu_seconds: float  # CPU time, of all threads that took part
    limit: str  # time or stopped, if Python ended it
    tier: str = ""  # interpreted or compiled

    def limit_name(self, ended: int) -> str:
        """The limit that ended the search, given how the kernel says it ended."""
        if ended == STOPPED:
            return self.limit or "stopped"
        return LIMIT_NAMES.get(ended, "")

    def costs(self) -> dict[str, Any]:
        """The fields of an answer that say how it was computed, and in what time."""
        return {"seconds": self.seconds, "cpu_seconds": self.cpu_seconds, "tier": self.tier}


def new_control(budget: Budget) -> np.ndarray:
    """The control array of a kernel that is about to begin."""
    control = np.zeros(CONTROL_SIZE, np.int64)
    control[BEST] = NOT_YET
    control[NODE_LIMIT] = budget.nodes or UNLIMITED
    control[MEMORY_LIMIT] = budget.memory
    return control


_idle: list[queue.SimpleQueue[Callable[[], None]]] = []  # of threads that wait for work
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_idle.clear)


def work_in_thread(work: Callable[[], None], done: threading.Event) -> None:
    """Do this in a thread that waits for work, or in a new one: to start one takes as long as a short search."""

    def serve() -> None:
        while True:
            tasks.get()()

    def task() -> None:
        work()
        _idle.append(tasks)
        done.set()

    try:
        tasks = _idle.pop()
    except IndexError:
        tasks = queue.SimpleQueue()
        threading.Thread(target=serve, daemon=True).start()
    tasks.put(task)


class BackgroundTask:
    """A function at work in a thread of its own, in the tier of the thread that starts it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None
        self.tier = ""  # in which it ran
        self.interpreting: tuple[Kernel, tuple[Any, ...]] | None = (
            None  # the kernel that runs interpreted, its arguments
        )
        self.watch: Stopwatch | None = None  # once it has begun
        self.seconds = self.cpu_seconds = 0.0  # once it is done
        self._prepared = 0.0  # seconds that its thread had compiled and loaded kernels before
        here, tier = contextvars.copy_context(), tiers.state.tier  # with the language in use
        work_in_thread(lambda: here.run(self._work, work, tier), self.done)

    def _work(self, work: Callable[[], Any], tier: str) -> None:
        def note(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
            self.interpreting = self.interpreting or (kernel, arguments)

        tiers.state.on_interpret, tiers.state.used = note, ""
        watch = Stopwatch()
        self._prepared = watch.account.seconds_preparing()
        self.watch = watch
        try:
            with tiers.use(tier):
                self.result = work()
        except BaseException as error:
            self.error = error
        self.seconds, self.cpu_seconds = watch.seconds(), watch.cpu_seconds()
        self.tier = tiers.state.used or tier

    def seconds_preparing(self) -> float:
        """How long it has compiled and loaded kernels; its thread may have done so before, for others."""
        return self.watch.account.seconds_preparing() - self._prepared if self.watch is not None else 0.0

    def elapsed(self, by_cpu: bool = False) -> float:
        """Seconds of work so far: wall time, or processor time where the system measures it."""
        if self.watch is None:
            return 0.0
        cpu = self.watch.cpu_seconds_elsewhere() if by_cpu else None
        return self.watch.seconds() if cpu is None else cpu

    def join(self) -> None:
        """Wait for its end; its CPU time is spent for this thread."""
        self.done.wait()
        clock.add_cpu(self.cpu_seconds)


class Attempt(BackgroundTask):
    """A kernel at work, with its control and trace arrays."""

    def __init__(self, search: Callable[[Any, Any], Any], budget: Budget, events: int, stopped: bool) -> None:
        self.control = new_control(budget)
        self.control[STOP] = stopped
        self.trace = np.zeros((events, EVENT_FIELDS), np.int64)
        super().__init__(lambda: search(self.control, self.trace))

    def is_worth_restarting(self) -> bool:
        """Whether it runs interpreted although machine code has become available."""
        return self.interpreting is not None and background.is_loadable(*self.interpreting)


def run(
    search: Callable[[Any, Any], Result], budget: Budget, observer: Observer | None = None, short: int = 0
) -> Outcome:
    """Run `search(control, trace)` in a thread of its own until it ends, the time is up, or someone stops it.

    With `short`, a search of some milliseconds runs in the calling thread, once its machine code is in memory. Its
    kernel must keep to NODE_LIMIT.

    In the automatic tier it may begin interpreted; once its machine code is there, it begins again compiled. So what it
    writes to must be made inside `search`, or be as good as new for a second run. The time limit is for both together,
    the time of the outcome is that of the second alone. Ctrl-C also stops whatever else the observer watches. A limit
    of seconds is wall time, or processor time in a block of `clock.cpu_limits`.
    """
    watch, limit, interrupted = Stopwatch(), "", False
    try:
        outcome = _run_here(search, budget, observer, short)
        if outcome is not None:
            return outcome
    except KeyboardInterrupt:
        limit, interrupted = "stopped", True
    if observer is not None and observer.stop.is_set():
        limit = "stopped"
    before = watch.seconds()  # seconds of attempts that were restarted
    attempt = Attempt(search, budget, observer.events if observer else 0, bool(limit))
    delivered, shown, wanted = 0, 0.0, False
    by_cpu = clock.are_limits_cpu()
    restarted_for: set[Kernel] = set()  # kernels that were compiled meanwhile: one restart for each
    while True:
        try:
            left = budget.seconds - before - attempt.elapsed(by_cpu) if budget.seconds is not None else POLL
            finished = attempt.done.wait(max(0.0, min(POLL, left)))
            seconds = before + attempt.elapsed(by_cpu)
            if observer is not None:
                if (
                    finished or attempt.interpreting is None
                ):  # an attempt that may be restarted delivers nothing yet
                    delivered = _deliver(observer, attempt.control, attempt.trace, delivered)
                if seconds - shown > 0.1 and not finished:
                    shown = seconds
                    observer.progress(_progress(attempt.control, seconds))
            if finished:
                break
            if not limit and budget.seconds is not None and seconds >= budget.seconds:
                limit = "time"
            if not limit and observer is not None and observer.stop.is_set():
                limit = "stopped"
            if not limit and attempt.interpreting is not None and seconds > tiers.PATIENCE:
                if not wanted:
                    wanted = True
                    here = contextvars.copy_context()  # with the language in use
                    arguments = (background.want, *attempt.interpreting)
                    threading.Thread(target=here.run, args=arguments, daemon=True).start()
                elif attempt.interpreting[0] not in restarted_for and attempt.is_worth_restarting():
                    restarted_for.add(attempt.interpreting[0])
                    attempt.control[STOP] = 1
                    attempt.done.wait()
                    before = seconds
                    attempt = Attempt(search, budget, observer.events if observer else 0, stopped=False)
        except KeyboardInterrupt:
            if limit == "stopped":  # asked twice: the kernel does not listen
                raise
            limit, interrupted = "stopped", True
        attempt.control[STOP] = bool(limit)
    attempt.join()
    if interrupted and observer is not None:
        observer.stop.set()
    if interrupted and interrupts.get() == END_ALL:
        raise KeyboardInterrupt
    clock.leave_out(before + attempt.seconds_preparing())
    if attempt.error is not None:
        raise attempt.error
    return Outcome(attempt.result, attempt.control, attempt.seconds, attempt.cpu_seconds, limit, attempt.tier)


def _run_here(
    search: Callable[[Any, Any], Any], budget: Budget, observer: Observer | None, short: int
) -> Outcome | None:
    """The outcome of a search of less than `short` nodes, computed in this thread; None if it needs more."""
    watched = observer is not None and (observer.events > 0 or observer.stop.is_set())
    if short == 0 or watched or (budget.seconds is not None and budget.seconds < LEAST_TIME):
        return None
    control = new_control(budget)
    control[NODE_LIMIT] = min(short, control[NODE_LIMIT])
    trace = np.zeros((0, EVENT_FIELDS), np.int64)
    try:
        with tiers.at_once():
            watch = Stopwatch()
            result = search(control, trace)
            seconds, cpu_seconds = watch.seconds(), watch.cpu_seconds()
    except tiers.NotAtOnceError:
        return None
    if control[NODES] >= short:
        return None
    return Outcome(result, control, seconds, cpu_seconds, "", tiers.COMPILED)


@contextlib.contextmanager
def helpers(search: Callable[[Any, Any], Any], count: int) -> Iterator[None]:
    """While the block runs, run `search(control, trace)` in `count` threads beside it; their answers are dropped."""
    controls = [np.zeros(CONTROL_SIZE, np.int64) for _ in range(count)]
    tasks = []
    for control in controls:
        control[NODE_LIMIT] = control[MEMORY_LIMIT] = UNLIMITED
        tasks.append(
            BackgroundTask(functools.partial(search, control, np.zeros((0, EVENT_FIELDS), np.int64)))
        )
    try:
        yield
    finally:
        for control in controls:
            control[STOP] = 1
        for task in tasks:
            task.join()


def _progress(control: np.ndarray, seconds: float) -> Progress:
    best = int(control[BEST])
    line = control[LINE + 1 : LINE + 1 + int(control[LINE])].tolist()
    again = control[LINE + 1 : LINE + 1 + int(control[LINE])].tolist()
    return Progress(
        int(control[NODES]),
        int(control[EXPANDED]),
        int(control[DEPTH]),
        int(control[FRONTIER]),
        None if best == NOT_YET else best,
        int(control[MEMORY]),
        seconds,
        tuple(line) if line == again else (),  # not one that is being written
    )


def _deliver(observer: Observer, control: np.ndarray, trace: np.ndarray, delivered: int) -> int:
    available = int(control[EVENTS])
    if available > delivered:
        observer.deliver(trace[delivered:available])
    return available
