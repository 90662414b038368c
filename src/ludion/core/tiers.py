"""Two tiers, one source: kernels run interpreted at once, and compiled when their machine code is ready.

Each thread chooses its tier:

    INTERPRETED   kernels run as plain Python
    COMPILED      kernels are compiled (or loaded from disk) before they run
    AUTOMATIC     a kernel runs interpreted until it has cost PATIENCE seconds; then its machine code is loaded from
                  disk, or compiled by another process at low priority, while this one goes on interpreted

The default is AUTOMATIC, or what LUDION_TIER says. Without Numba everything runs interpreted. Within `at_once` nothing
is interpreted, compiled or loaded: a kernel whose machine code is not in memory raises NotAtOnceError.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from ludion.core.clock import preparing
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.core.verbs import Kernel

INTERPRETED, COMPILED, AUTOMATIC = "interpreted", "compiled", "automatic"
PATIENCE = 0.2  # seconds of interpreting after which a kernel is worth compiling


class NotAtOnceError(Exception):
    """A kernel that would have to be interpreted, compiled or loaded."""


class MissingCompilerWarning(UserWarning):
    """Numba is not installed, and something is worth compiling."""


class State(threading.local):
    """The choices of this thread."""

    tier = os.environ.get("LUDION_TIER", AUTOMATIC)
    used = ""  # the tier in which the last kernel that was called from Python ran
    at_once = False  # only machine code that is in memory may run
    on_interpret: Callable[[Kernel, tuple[Any, ...]], None] | None = (
        None  # called when one begins to run interpreted
    )


state = State()


def last_used() -> str:
    """The tier in which the last kernel that this thread called ran."""
    return state.used or state.tier


@contextlib.contextmanager
def use(tier: str) -> Iterator[None]:
    """Kernels that this thread calls inside the block run in this tier."""
    before = state.tier
    state.tier = tier
    try:
        yield
    finally:
        state.tier = before


@contextlib.contextmanager
def compiled_first() -> Iterator[None]:
    """Inside the block the automatic tier compiles before it runs: times and games of two tiers cannot be compared."""
    with use(COMPILED if state.tier == AUTOMATIC else state.tier):
        yield


@contextlib.contextmanager
def at_once() -> Iterator[None]:
    """Kernels that this thread calls inside the block run compiled, without delay, or raise NotAtOnceError."""
    before, state.at_once = state.at_once, True
    try:
        yield
    finally:
        state.at_once = before


def is_available() -> bool:
    """Whether Numba is installed, so that code can be compiled and loaded."""
    return importlib.util.find_spec("numba") is not None


def call(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Call a kernel in the tier of this thread."""
    tier = state.tier
    if state.at_once and (tier == INTERPRETED or kernel.dispatcher is None):
        raise NotAtOnceError
    if tier == AUTOMATIC:
        return _call_automatically(kernel, arguments)
    if tier == COMPILED and (kernel.dispatcher is not None or load_compiler()):
        state.used = COMPILED
        return _dispatch(kernel, arguments)
    state.used = INTERPRETED
    return kernel.function(*arguments)


def _dispatch(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Call the machine code; the first call with new types is not counted as work."""
    first = type(arguments and arguments[0])
    if first not in kernel.dispatched:
        with preparing():
            kernel.dispatcher.see_types(arguments)
            kernel.dispatched.add(first)
    try:
        return kernel.dispatcher(*arguments)
    except SystemError as error:
        raise without_wrapping(error) from None


def without_wrapping(error: SystemError) -> BaseException:
    """Ctrl-C while Numba turns a result into Python objects arrives as a SystemError: the interrupt itself.

    Each call that Numba still makes for the rest of a tuple wraps the error once more.
    """
    cause: BaseException | None = error
    while isinstance(cause, SystemError):
        cause = cause.__cause__
    return cause if isinstance(cause, KeyboardInterrupt) else error


listeners: list[
    Callable[[list[str]], None]
] = []  # told which kernels are being compiled, here or in the background


def report_compiling(names: list[str]) -> None:
    """Notify all listeners which kernels are being compiled."""
    for listener in list(listeners):
        listener(names)


def load_compiler() -> bool:
    """Import Numba and register every kernel; whether that is possible. If not, a warning says so, once."""
    global _loaded
    with _loading:
        if _loaded is None:
            try:
                with preparing():
                    importlib.import_module("ludion.core.compiler")
                _loaded = True
            except ModuleNotFoundError as error:
                if error.name not in ("numba", "llvmlite"):
                    raise
                warnings.warn(message("engines.without_numba"), MissingCompilerWarning, stacklevel=2)
                _loaded = False
        return _loaded


_loading = threading.RLock()
_loaded: bool | None = None


def _call_automatically(kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
    """Run compiled if the code is ready, else interpreted; request compilation of a kernel that costs too much."""
    if kernel.dispatcher is not None:
        from ludion.core.compiler import NotCompiledError

        try:
            result = _dispatch(kernel, arguments)
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

        with preparing():
            background.want(kernel, arguments)
    return result
