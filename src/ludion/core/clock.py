"""Wall and CPU time of a search, without the time to compile or load its kernels.

A kernel that is called for the first time in a process is compiled or loaded from disk. Every thread counts this time,
so that a stopwatch shows the same whether or not kernels had to be compiled.
"""

from __future__ import annotations

import contextlib
import gc
import threading
import time
from collections.abc import Iterator

wall_clock, cpu_clock = time.perf_counter, time.thread_time


class Account:
    """The time that one thread spent on compiling and loading kernels, and that other threads computed for it."""

    def __init__(self) -> None:
        self.preparing: tuple[float | None, float] = None, 0.0  # since when it does so now; seconds before
        self.preparing_cpu = 0.0
        self.helpers_cpu = 0.0

    def seconds_preparing(self) -> float:
        since, before = self.preparing
        return before if since is None else before + wall_clock() - since


class _Thread(threading.local):
    def __init__(self) -> None:
        self.account = Account()
        self.limits_by_cpu = False


_thread = _Thread()


@contextlib.contextmanager
def cpu_limits(on: bool = True) -> Iterator[None]:
    """In this block a limit in seconds means processor time, so that other work does not shorten searches."""
    before, _thread.limits_by_cpu = _thread.limits_by_cpu, on
    try:
        yield
    finally:
        _thread.limits_by_cpu = before


def are_limits_cpu() -> bool:
    """Whether a limit in seconds now means processor time in this thread."""
    return _thread.limits_by_cpu


class Stopwatch:
    """Measures the work of the thread that creates it; other threads may read its wall time."""

    def __init__(self) -> None:
        self.account = _thread.account
        # Other threads can read this thread's processor time by its clock, if the system has one.
        readable = hasattr(time, "pthread_getcpuclockid")
        self._thread_clock = time.pthread_getcpuclockid(threading.get_ident()) if readable else None
        self._begin = self._begin_cpu = 0.0
        self._begin, self._begin_cpu = self.seconds(), self.cpu_seconds()

    def seconds(self) -> float:
        """Wall time."""
        return wall_clock() - self.account.seconds_preparing() - self._begin

    def cpu_seconds(self) -> float:
        """CPU time of this thread and of those that computed for it; only this thread may call it."""
        own = self.account
        return cpu_clock() - own.preparing_cpu + own.helpers_cpu - self._begin_cpu

    def cpu_seconds_elsewhere(self) -> float | None:
        """CPU time of the thread that created it, for other threads; None if it is not available, as after its end.

        While that thread compiles or loads a kernel, nothing is counted.
        """
        own = self.account
        if self._thread_clock is None:
            return None
        if own.preparing[0] is not None:
            return 0.0
        try:
            return time.clock_gettime(self._thread_clock) - own.preparing_cpu - self._begin_cpu
        except OSError:
            return None


def leave_out(seconds: float) -> None:
    """Add the time that this thread waited while another one compiled or loaded kernels."""
    since, before = _thread.account.preparing
    _thread.account.preparing = since, before + seconds


def add_cpu(seconds: float) -> None:
    """Add the time that another thread computed for this one."""
    _thread.account.helpers_cpu += seconds


class CompileClock:
    """The time that this process has spent on compiling and loading kernels, in all threads.

    Meanwhile the garbage collector is off: the compiler creates millions of objects and keeps most of them; scanning
    them again and again took a tenth of the time.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.depth = 0
        self.since = 0.0
        self.collecting = False
        self.lock = threading.Lock()

    def start(self) -> None:
        with self.lock:
            if self.depth == 0:
                self.since = wall_clock()
                self.collecting = gc.isenabled()
                gc.disable()
            self.depth += 1

    def stop(self) -> None:
        with self.lock:
            self.depth -= 1
            if self.depth == 0:
                if self.collecting:
                    gc.collect(1)  # now, not in the middle of the search
                    gc.enable()
                self.total += wall_clock() - self.since

    def seconds(self) -> float:
        return self.total + (wall_clock() - self.since if self.depth > 0 else 0.0)


_compiling = CompileClock()


def compile_seconds() -> float:
    """Seconds that this process has spent compiling and loading code so far."""
    return _compiling.seconds()


def compile_cpu_seconds() -> float:
    """Processor seconds that this thread has spent compiling and loading code so far."""
    return _thread.account.preparing_cpu


@contextlib.contextmanager
def preparing() -> Iterator[None]:
    """The time of this block, which compiles or loads a kernel, is not counted."""
    own = _thread.account
    if own.preparing[0] is not None:  # within another such block
        yield
        return
    before, cpu = own.preparing[1], cpu_clock()
    own.preparing = wall_clock(), before
    _compiling.start()
    try:
        yield
    finally:
        _compiling.stop()
        own.preparing = None, own.seconds_preparing()
        own.preparing_cpu += cpu_clock() - cpu
