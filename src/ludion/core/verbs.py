"""Verbs and kernels: how plain Python functions become machine code, once.

A *verb* is a function that chooses its implementation by the type of its first argument::

    @verb
    def moves(rules, position, buffer): "Fill the buffer with the legal moves; return how many."

    @moves.register(Taquin)
    def _(rules, position, buffer): ...

It does so in plain Python and, with the same source, inside compiled code, where the choice is made while compiling and
costs nothing. A *kernel* is a compiled function that Python can call: `@kernel`, or `@bare` for one that counts no
references. Functions that only kernels call are their *parts*: `@part`, or `@inlined` to be compiled into each caller.

Machine code is kept on disk. What went into it is in its key: the sources of `core`, `kinds`, `engines` and `logic`, of
the kernel's own home, and of the home of every class among its arguments, where a home is a game's folder, or the file
of a game outside this package. So an edited rule never runs old code, and two scripts that both define
`class Rules(NamedTuple)` never share any. A class whose source cannot be read (typed at a prompt) is compiled anew in
each process. This module and `words` are the only ones that import Numba.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import pickle
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core import event
from numba.core import types as numba_types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typing.templates import infer, infer_global, make_overload_template

from ludion.core.files import data_folder, write_atomically

Function = TypeVar("Function", bound=Callable[..., Any])
Implementation = Callable[..., Any]

types: Any = numba_types  # numba.types has no type stubs

PACKAGE = Path(__file__).parents[1]
CORE = ("core", "kinds", "engines", "logic")
KEPT_GENERATIONS = 8  # folders of machine code of earlier sources that are kept


# ------------------------------------------------------------------ verbs


class Verb:
    """A function that chooses its implementation by the type of its first argument."""

    def __init__(self, stub: Implementation) -> None:
        functools.update_wrapper(self, stub)
        self.implementations: dict[type, Implementation] = {}
        self.inlined: set[type] = set()  # whose implementation is compiled into its callers
        self.default: Implementation | None = None
        self.name = stub.__name__

    def find(self, subject: type | None) -> Implementation | None:
        return self.implementations.get(subject, self.default) if subject is not None else self.default

    def has(self, subject: object) -> bool:
        """Whether the subject's own type implements this verb (a default does not count)."""
        return type(subject) in self.implementations

    def register(self, subject: type, inline: bool = False) -> Callable[[Function], Function]:
        """Decorator: the implementation for values of this type.

        `inline` compiles it into every kernel that calls it: for those that are called at every node and are too long
        for the compiler to do so by itself. Passing a game of many arrays would cost more than the work.
        """

        def add(implementation: Function) -> Function:
            self.implementations[subject] = implementation
            (self.inlined.add if inline else self.inlined.discard)(subject)
            _homes.setdefault(subject, {subject.__module__}).add(implementation.__module__)
            return implementation

        return add

    def otherwise(self, implementation: Function) -> Function:
        """Decorator: the implementation for types that register none."""
        self.default = implementation
        return implementation

    def __call__(self, subject: Any, *rest: Any) -> Any:
        implementation = self.find(type(subject))
        if implementation is None:
            raise TypeError(f"{type(subject).__name__} has no verb '{self.name}'")
        return implementation(subject, *rest)


def verb(stub: Implementation) -> Verb:
    """Turn a stub (a signature and a contract in words) into a verb."""
    new = Verb(stub)

    def choose(subject: Any, *rest: Any) -> Implementation | None:
        rules = getattr(subject, "instance_class", None)
        return None if rules in new.inlined else new.find(rules)

    def choose_inlined(subject: Any, *rest: Any) -> Implementation | None:
        rules = getattr(subject, "instance_class", None)
        return new.find(rules) if rules in new.inlined else None

    _offer(new, choose)
    _offer(new, choose_inlined, inline=True)
    return new


# ------------------------------------------------------------------ kernels


def kernel(function: Function) -> Function:
    """Decorator: compile this function on first use, without the interpreter's lock, and keep the code on disk."""
    compiled = njit(nogil=True, no_cfunc_wrapper=True)(function)
    if not config.DISABLE_JIT:
        compiled._cache = SourceKeyedCache(function)
        compiled.get_call_template = functools.partial(_without_literals, compiled.get_call_template)
    return cast(Function, compiled)


def bare(function: Function) -> Function:
    """Decorator: a kernel that does not count references to the arrays it is handed: it may neither make nor keep any.

    In a kernel that is called from others for a few steps of work, counting can take more than half of the time.
    """
    return _with_option(kernel(function), "_nrt", False)


def bare_inlined(function: Function) -> Function:
    """Decorator: the same, compiled into its callers."""
    return _with_option(bare(function), "forceinline", True)


def _with_option(compiled: Function, name: str, value: bool) -> Function:
    if hasattr(compiled, "targetoptions"):  # not where nothing is compiled
        compiled.targetoptions[name] = value
    return compiled


def part(function: Function) -> Function:
    """Decorator: compile this function with the kernels that call it.

    It gets no entry from Python, which would take as long to compile again; there it stays what it is.
    """

    def choose(*arguments: Any) -> Implementation:
        return function

    _offer(function, choose)
    return function


def inlined(function: Function) -> Function:
    """Decorator: compile this function into every kernel that calls it, where its arguments may be constants."""

    def choose(*arguments: Any) -> Implementation:
        return function

    _offer(function, choose, inline=True)
    return function


def _offer(function: Implementation, choose: Implementation, inline: bool = False) -> None:
    """Let compiled code call this function: `choose` gives the source for the types at hand, or None."""
    options = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    template = make_overload_template(function, choose, {**options, "forceinline": inline}, False, "never")
    template._impl_cache = _ByTypes()
    infer(template)
    infer_global(function, types.Function(template))


class _ByTypes(dict):  # type: ignore[type-arg]
    """What Numba has compiled of a function, by the types of its arguments.

    Numba's own key ends with the options of the caller: it would compile most parts twice, once for the kernels and
    once for other parts, though they are the same.
    """

    def __getitem__(self, key: Any) -> Any:
        return super().__getitem__(key[:-1])

    def __setitem__(self, key: Any, value: Any) -> None:
        super().__setitem__(key[:-1], value)


def _without_literals(get_call_template: Any, arguments: Any, keywords: Any) -> Any:
    """Type a call from another kernel as if its literals were variables.

    Numba would compile `f(x, 1)` apart from `f(x, y)`, and a recursive function called so would crash the next process
    that loads it from disk.
    """
    plain = {name: types.unliteral(each) for name, each in dict(keywords).items()}
    return get_call_template(tuple(types.unliteral(each) for each in arguments), plain)


def announce_compilation(callback: Callable[[str], None] | None) -> None:
    """Call this function with a kernel's name whenever one has to be compiled."""
    global _announce
    _announce = callback


_announce: Callable[[str], None] | None = None
_homes: dict[type, set[str]] = {}  # class -> modules that hold it and the implementations of its verbs


class _CompileClock(event.Listener):  # type: ignore[misc]
    """How long this process has been compiling or loading code, so that a search's time limit can leave it out.

    Meanwhile the garbage collector rests: the compiler makes millions of objects and keeps most of them, and going
    through them again and again took a tenth of the time.
    """

    def __init__(self) -> None:
        self.total = 0.0
        self.depth = 0
        self.since = 0.0
        self.collecting = False

    def on_start(self, _: Any) -> None:
        if self.depth == 0:
            self.since = time.perf_counter()
            self.collecting = gc.isenabled()
            gc.disable()
        self.depth += 1

    def on_end(self, _: Any) -> None:
        self.depth -= 1
        if self.depth == 0:
            self.total += time.perf_counter() - self.since
            if self.collecting:
                gc.enable()

    def seconds(self) -> float:
        return self.total + (time.perf_counter() - self.since if self.depth > 0 else 0.0)


_clock = _CompileClock()
event.register("numba:compiler_lock", _clock)  # held while compiling and while loading from disk


def compile_seconds() -> float:
    """Seconds that this process has spent compiling so far, up to this moment."""
    return _clock.seconds()


class SourceKeyedCache(_Cache):  # type: ignore[misc]
    """Numba's on-disk cache with the sources in the key: one file for each kernel, signature and generation."""

    def __init__(self, function: Implementation) -> None:
        self.function = function
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: Any, context: Any) -> Any:
        # Code from disk needs Numba's run time only; loading all that Numba can compile takes as long again as its
        # import (0.4 s), and the compiler does so itself when something is to be compiled.
        rtsys.initialize(context)
        code = None
        path = self._path(signature, context.codegen())
        if path is not None:
            try:
                code = CompileResult._rebuild(context, *pickle.loads(path.read_bytes()))
            except FileNotFoundError:
                pass
            except Exception:  # a damaged file: compile again and replace it
                path.unlink(missing_ok=True)
        if code is None and _announce is not None:
            _announce(self.function.__name__)
        return code

    def save_overload(self, signature: Any, result: Any) -> None:
        path = self._path(signature, result.codegen)
        if path is None or result.lifted or result.library.has_dynamic_globals:
            return
        with contextlib.suppress(OSError):  # a disk that is full: it is compiled again next time
            write_atomically(path, dumps(result._reduce()))

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        pass

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """The file for this signature, or None when some source is unknown."""
        if not self.enabled:
            return None
        homes = {self.function.__module__}
        classes = sorted(set(_classes(signature)), key=_full_name)
        for each in classes:
            homes |= _homes.get(each, {each.__module__})
        prints = [fingerprint(module) for module in sorted(homes)]
        if None in prints or not all(map(_can_be_found, classes)):
            return None
        code = self.function.__code__
        key = repr(
            (
                prints,
                (self.function.__module__, self.function.__qualname__, code.co_firstlineno),
                [_full_name(each) for each in classes],
                str(signature),
                codegen.magic_tuple(),
                (config.BOUNDSCHECK, config.OPT),
            )
        )
        name = f"{self.function.__name__}-{hashlib.sha256(key.encode()).hexdigest()[:32]}"
        return cache_folder() / f"{name}.code"


def _can_be_found(cls: type) -> bool:
    """Whether the class's name leads to it (not to a later one of that name): code on disk knows classes by name."""
    here: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        here = getattr(here, part, None)
    return here is cls


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _classes(numba_type: Any) -> Iterator[type]:
    """Every Python class among the (nested) types of a signature."""
    if isinstance(numba_type, (tuple, list)):
        for each in numba_type:
            yield from _classes(each)
    elif isinstance(numba_type, types.BaseTuple):
        if hasattr(numba_type, "instance_class"):
            yield numba_type.instance_class
        yield from _classes(list(numba_type.types))
    elif hasattr(numba_type, "dtype") and numba_type.dtype is not numba_type:
        yield from _classes(numba_type.dtype)


# ------------------------------------------------------------------ sources and folders


@functools.cache
def fingerprint(module: str) -> str | None:
    """A hash of all sources that code of this module may be made of besides the core, or None if unknown."""
    parts = module.split(".")
    if parts[0] == "ludion" and parts[1:2] == ["games"] and len(parts) > 2:
        return _hash([PACKAGE / "games" / parts[2]])
    if parts[0] == "ludion":
        return _hash([PACKAGE / f"{parts[1]}.py"] if len(parts) == 2 else [PACKAGE / parts[1]])
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    if len(parts) > 1:  # a package: all of it
        top = getattr(sys.modules.get(parts[0]), "__file__", None)
        return _hash([Path(top).parent]) if top else None
    # A script: itself and whatever it has imported from beside itself.
    folder = Path(file).resolve().parent
    others = [getattr(each, "__file__", None) for each in list(sys.modules.values())]
    beside = {Path(each).resolve() for each in others if each}
    installed = "site-packages"
    return _hash(
        [Path(file)]
        + sorted(
            each
            for each in beside
            if folder in each.parents and installed not in each.parts and each.suffix == ".py"
        )
    )


def _hash(places: list[Path]) -> str:
    """A hash of the Python sources at these places (files, or folders with all below them)."""
    digest = hashlib.sha256()
    for place in places:
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for file in files:
            digest.update(str(file.relative_to(place.parent)).encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
    return digest.hexdigest()


@functools.cache
def cache_folder() -> Path:
    """Where this generation of the core keeps its machine code."""
    core = _hash([PACKAGE / each for each in CORE if (PACKAGE / each).exists()])
    folder = data_folder() / "kernels" / core[:16]
    if not folder.exists():
        _drop_old_generations(folder.parent)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _drop_old_generations(folder: Path) -> None:
    if folder.exists():
        by_age = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in by_age[KEPT_GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)
