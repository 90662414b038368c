"""Two tiers, one source: kernels run interpreted at once, and compiled when their machine code is there.

The tier is a choice of the thread:

    INTERPRETED   kernels run as plain Python
    COMPILED      kernels are compiled (or loaded from disk) before they run
    AUTOMATIC     a kernel runs interpreted until it has cost PATIENCE seconds; then its machine code is loaded from
                  disk, or made by another process at low priority, while this one goes on interpreted

The default is AUTOMATIC, or what LUDION_TIER says. Without Numba everything runs interpreted.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.util
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludion.core.verbs import Kernel

INTERPRETED, COMPILED, AUTOMATIC = "interpreted", "compiled", "automatic"
TIERS = (INTERPRETED, COMPILED, AUTOMATIC)
PATIENCE = 0.2  # seconds of interpreting after which a kernel is worth compiling


class State(threading.local):
    """What this thread has chosen."""

    tier = os.environ.get("LUDION_TIER", AUTOMATIC)
    used = ""  # the tier in which the last kernel that was called from Python ran
    on_interpret: Callable[[Kernel, tuple[Any, ...]], None] | None = (
        None  # called when one begins to run interpreted
    )


state = State()


@contextlib.contextmanager
def use(tier: str) -> Iterator[None]:
    """Kernels that this thread calls inside the block run in this tier."""
    before = state.tier
    state.tier = tier
    try:
        yield
    finally:
        state.tier = before


def set_default(tier: str) -> None:
    """The tier of all threads that choose none."""
    State.tier = tier


def is_available() -> bool:
    """Whether machine code can be made or loaded: Numba is installed."""
    return importlib.util.find_spec("numba") is not None


class CompileClock:
    """How long this process has been compiling or loading code, so that a search's time limit can leave it out.

    Meanwhile the garbage collector rests: the compiler makes millions of objects and keeps most of them, and going
    through them again and again took a tenth of the time.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.depth = 0
        self.since = 0.0
        self.collecting = False

    def start(self) -> None:
        if self.depth == 0:
            self.since = time.perf_counter()
            self.collecting = gc.isenabled()
            gc.disable()
        self.depth += 1

    def stop(self) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.total += time.perf_counter() - self.since
            if self.collecting:
                gc.enable()

    def seconds(self) -> float:
        return self.total + (time.perf_counter() - self.since if self.depth > 0 else 0.0)


clock = CompileClock()


def compile_seconds() -> float:
    """Seconds that this process has spent compiling and loading code so far."""
    return clock.seconds()


def call(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Call a kernel in the tier of this thread."""
    tier = state.tier
    if tier == AUTOMATIC:
        return _call_automatically(kernel, arguments)
    if tier == COMPILED and (kernel.dispatcher is not None or load_compiler()):
        assert kernel.dispatcher is not None
        state.used = COMPILED
        return kernel.dispatcher(*arguments)
    state.used = INTERPRETED
    return kernel.function(*arguments)


listeners: list[
    Callable[[list[str]], None]
] = []  # told which kernels are being compiled, here or in the background


def report_compiling(names: list[str]) -> None:
    """Tell everybody who listens which kernels are being compiled."""
    for listener in list(listeners):
        listener(names)


def load_compiler() -> bool:
    """Import Numba and register every kernel; whether that is possible."""
    global _loaded
    with _loading:
        if _loaded is None:
            clock.start()
            try:
                importlib.import_module("ludion.core.compiler")
                _loaded = True
            except ModuleNotFoundError as error:
                if error.name not in ("numba", "llvmlite"):
                    raise
                warnings.warn(
                    "Numba is not installed: everything runs interpreted, which is slow", stacklevel=2
                )
                _loaded = False
            finally:
                clock.stop()
        return _loaded


_loading = threading.RLock()
_loaded: bool | None = None


def _call_automatically(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Compiled if that needs no compiling, else interpreted; what costs too much is wanted compiled."""
    if kernel.dispatcher is not None:
        from ludion.core.compiler import NotCompiledError

        try:
            result = kernel.dispatcher(*arguments)
            state.used = COMPILED
            return result
        except NotCompiledError:
            pass
    if state.on_interpret is not None:
        state.on_interpret(kernel, arguments)
    begin = time.perf_counter()
    with use(INTERPRETED):
        result = kernel.function(*arguments)
    state.used = INTERPRETED
    kernel.spent += time.perf_counter() - begin
    if kernel.spent > PATIENCE:
        from ludion.core import background

        background.want(kernel, arguments)
    return result
