"""The compiler: verbs and kernels become machine code. Only this module and `compiled_words` depend on Numba; both are
imported when something is first compiled or loaded from disk.

Machine code is stored on disk. Its key is a hash of the sources that went into it: of `core`, `kinds`, `engines` and
`logic`, of the kernel's own home, and of the home of every class among its arguments, where a home is a game's folder,
or the file of a game outside this package. So an edited rule never runs old code, and two scripts that both define
`class Rules(NamedTuple)` never share code. Code for a class without a readable source (typed at a prompt) is compiled
again in each process.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import hashlib
import pickle
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import numpy.ma  # noqa: F401  # Numba imports it when it sees the first array: not in the middle of a search
from numba import config, njit
from numba.core import types as numba_types
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typing.templates import infer, infer_global, make_overload_template
from numba.extending import typeof_impl

import ludion.core.compiled_words  # noqa: F401  # the compiled forms of words
from ludion.core import tiers, verbs
from ludion.core.clock import preparing
from ludion.core.files import write_atomically
from ludion.core.sources import cache_folder, fingerprint
from ludion.core.verbs import Implementation, Kernel, Part, Verb, homes

types: Any = numba_types  # numba.types has no type stubs
Type: TypeAlias = Any  # a type of Numba, or a signature
Context: TypeAlias = Any  # Numba's target, its code generator
Code: TypeAlias = Any  # what Numba compiled
Dispatcher: TypeAlias = Any  # what compiles a function for the types it is called with


class NotCompiledError(Exception):
    """A kernel that has no machine code for these arguments yet."""


# ------------------------------------------------------------------ definitions


def register(definition: Verb | Kernel | Part) -> None:
    """Let compiled code call it and, if it is a kernel, Python, too."""
    if isinstance(definition, Kernel):
        definition.dispatcher = make_dispatcher(definition)
    elif isinstance(definition, Part):
        _offer(definition.function, lambda *arguments: definition.function, definition.inline)
    else:
        _offer_verb(definition)


def _offer_verb(verb: Verb) -> None:
    def choose(subject: Type, *rest: Type) -> Implementation | None:
        cls = getattr(subject, "instance_class", None)
        return None if cls in verb.inlined else verb.find(cls)

    def choose_inlined(subject: Type, *rest: Type) -> Implementation | None:
        cls = getattr(subject, "instance_class", None)
        return verb.find(cls) if cls in verb.inlined else None

    _offer(verb, choose)
    _offer(verb, choose_inlined, inline=True)


@typeof_impl.register(Kernel)
def _(kernel: Kernel, context: Context) -> Type:
    return types.Dispatcher(kernel.dispatcher)


def make_dispatcher(kernel: Kernel) -> Dispatcher:
    """Numba's object that compiles a kernel for the types it is called with, with our cache."""
    dispatcher: Dispatcher
    if config.DISABLE_JIT:
        dispatcher = functools.partial(kernel.function)
        dispatcher.see_types = lambda arguments: None
        return dispatcher
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True)(kernel.function)
    dispatcher._cache = SourceKeyedCache(kernel.function)
    dispatcher.get_call_template = functools.partial(_without_literals, dispatcher.get_call_template)
    # Set for every kernel: otherwise it would inherit them from the kernel that happens to be compiled around it first.
    dispatcher.targetoptions["forceinline"] = kernel.inline
    dispatcher.targetoptions["_nrt"] = kernel.count_references
    dispatcher._compile_for_args = functools.partial(_compile, dispatcher, dispatcher._compile_for_args)
    dispatcher.see_types = functools.partial(_see_types, dispatcher)
    dispatcher.compile_types = functools.partial(_compile_types, dispatcher)
    return dispatcher


def _compile(
    dispatcher: Dispatcher, compile_for: Callable[..., Any], *arguments: object, **keywords: object
) -> Code:
    """Compile for these arguments, or load from disk; in the automatic tier only the latter."""
    if tiers.state.at_once:
        raise tiers.NotAtOnceError
    with preparing(), _without_collector():
        if tiers.state.tier == tiers.AUTOMATIC:
            if not dispatcher._cache.is_on_disk(_see_types(dispatcher, arguments), dispatcher.targetctx):
                raise NotCompiledError
        return compile_for(*arguments, **keywords)


@contextlib.contextmanager
def _without_collector() -> Iterator[None]:
    """Compiling makes hundreds of thousands of objects, of which most live on: looking for garbage among them again and
    again takes a twentieth of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _see_types(dispatcher: Dispatcher, arguments: tuple[Any, ...]) -> Type:
    """The types of these arguments."""
    return tuple(dispatcher.typeof_pyval(each) for each in arguments)


def _compile_types(dispatcher: Dispatcher, arguments: tuple[Any, ...]) -> None:
    """Compile for such arguments without calling anything."""
    dispatcher.compile(_see_types(dispatcher, arguments))


def _offer(function: Implementation, choose: Implementation, inline: bool = False) -> None:
    """Let compiled code call this function: `choose` gives the source for the types at hand, or None."""
    options = {"nopython": True, "nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    template = make_overload_template(function, choose, {**options, "forceinline": inline}, False, "never")
    template._impl_cache, template._compiled_overloads = _ByTypes(), _ByTypes()
    infer(template)
    infer_global(function, types.Function(template))


class _ByTypes(dict):  # type: ignore[type-arg]
    """The compiled forms of a function, by the types of its arguments and whether references are counted.

    One of Numba's own keys ends with all options of the caller: most parts would be compiled twice, for kernels and for
    other parts, though the code is the same. The other key has only types. But a part inherits reference counting from
    its caller; if code without counting were used in a caller that counts, arrays would be freed too early.
    """

    def __getitem__(self, key: Type) -> Code:
        return super().__getitem__(self._short(key))

    def __setitem__(self, key: Type, value: Code) -> None:
        super().__setitem__(self._short(key), value)

    def _short(self, key: Type) -> Type:
        caller = ConfigStack.top_or_none()
        plain = tuple(each for each in key if not isinstance(each, TargetConfig))
        return plain, caller is None or bool(caller.nrt)


def _without_literals(get_call_template: Callable[..., Code], arguments: Type, keywords: Type) -> Code:
    """Type a call from another kernel as if its literals were variables.

    Numba would compile `f(x, 1)` apart from `f(x, y)`, and a recursive function called so would crash the next process
    that loads it from disk.
    """
    plain = {name: types.unliteral(each) for name, each in dict(keywords).items()}
    return get_call_template(tuple(types.unliteral(each) for each in arguments), plain)


# ------------------------------------------------------------------ machine code on disk


class SourceKeyedCache(_Cache):  # type: ignore[misc]
    """Numba's on-disk cache with the sources in the key: one file for each kernel, signature and generation."""

    def __init__(self, function: Implementation) -> None:
        self.function = function
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def load_overload(self, signature: Type, context: Context) -> Code:
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
        if code is None:
            tiers.report_compiling([self.function.__name__])
        return code

    def is_on_disk(self, signature: Type, context: Context) -> bool:
        path = self._path(signature, context.codegen())
        return path is not None and path.exists()

    def save_overload(self, signature: Type, result: Code) -> None:
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

    def _path(self, signature: Type, codegen: Context) -> Path | None:
        """The file for this signature, or None when some source is unknown."""
        if not self.enabled:
            return None
        modules = {self.function.__module__}
        classes = sorted(set(_classes(signature)), key=_full_name)
        for each in classes:
            modules |= homes.get(each, {each.__module__})
        prints = [fingerprint(module) for module in sorted(modules)]
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
    """Whether the class's name refers to it (not to a later class of that name): code on disk knows classes by name."""
    here: Any = sys.modules.get(cls.__module__)
    for part in cls.__qualname__.split("."):
        here = getattr(here, part, None)
    return here is cls


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def _classes(numba_type: Type) -> Iterator[type]:
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


verbs.attach(sys.modules[__name__])
