"""Verbs and kernels: plain Python functions that also run as machine code.

A *verb* is a function that chooses its implementation by the type of its first argument::

    @verb
    def moves(rules, position, buffer): "Fill the buffer with the legal moves; return how many."

    @moves.register(Taquin)
    def _(rules, position, buffer): ...

It does so in plain Python and, with the same source, inside compiled code, where the choice is made while compiling and
costs nothing. A *kernel* is a function that can be compiled, `@kernel`. Called from Python it runs in the tier of the
thread: interpreted, compiled, or whichever gives the result sooner (see `tiers`). Called from compiled code it is
compiled.

Nothing here needs the compiler: definitions are registered with it when something is first compiled or loaded
(`compiler`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar, cast, overload

from ludion.core import tiers

Function = TypeVar("Function", bound=Callable[..., Any])
Implementation = Callable[..., Any]


class Compiler(Protocol):
    """The interface of `ludion.core.compiler` to definitions."""

    def register(self, definition: Verb | Kernel | Part) -> None:
        """Let compiled code call it, and Python, if it is an entry."""


definitions: list[Verb | Kernel | Part] = []  # in the order in which they were made
_compiler: list[Compiler] = []  # the compiler, once it is loaded
homes: dict[type, set[str]] = {}  # class -> the modules that hold it and the implementations of its verbs


def attach(compiler: Compiler) -> None:
    """Register all definitions, earlier and later ones, with the compiler."""
    for definition in definitions:
        compiler.register(definition)
    _compiler.append(compiler)


def _define(definition: Verb | Kernel | Part) -> None:
    definitions.append(definition)
    for compiler in _compiler:
        compiler.register(definition)


_named: dict[str, type] = {}  # the classes that verbs are registered for, by name


def _name_apart(cls: type) -> None:
    """Rename a class if another class of its name is known already.

    Numba finds compiled code by the names of classes: in one process, two game files that both define `class Rules`
    would run each other's code.
    """
    name, number = cls.__name__, 1
    while _named.setdefault(cls.__name__, cls) is not cls:
        number += 1
        cls.__name__ = f"{name}_{number}"


def class_name(subject: object) -> str:
    """The name of the value's class in its file, even if the class was renamed."""
    return type(subject).__qualname__.rpartition(".")[2]


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
        for the compiler to do so by itself. Passing rules of many arrays would cost more than the work.
        """

        def add(implementation: Function) -> Function:
            _name_apart(subject)
            self.implementations[subject] = implementation
            (self.inlined.add if inline else self.inlined.discard)(subject)
            homes.setdefault(subject, {subject.__module__}).add(implementation.__module__)
            return implementation

        return add

    def otherwise(self, implementation: Function) -> Function:
        """Decorator: the implementation for types that register none."""
        self.default = implementation
        return implementation

    def __call__(self, subject: Any, *rest: Any) -> Any:
        implementation = self.find(type(subject))
        if implementation is None:
            raise TypeError(f"{class_name(subject)} has no verb '{self.name}'")
        return implementation(subject, *rest)


def verb(stub: Implementation) -> Verb:
    """Turn a stub (a signature and a contract in words) into a verb."""
    new = Verb(stub)
    _define(new)
    return new


# ------------------------------------------------------------------ kernels


class Part(NamedTuple):
    """A function that only kernels call: plain in Python, compiled with its callers."""

    function: Implementation
    inline: bool


class Kernel:
    """A function that runs in two tiers, from one source."""

    def __init__(self, function: Implementation, inline: bool, count_references: bool) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name, self.qualified_name = function.__name__, function.__qualname__
        self.inline, self.count_references = inline, count_references
        self.dispatcher: Any = None  # Numba's, set by the compiler
        self.dispatched: set[type] = set()  # the classes of first arguments that the dispatcher has seen
        self.spent = 0.0  # seconds of interpreting it, while the tier is chosen automatically

    def __call__(self, *arguments: Any) -> Any:
        if tiers.state.tier == tiers.COMPILED and type(arguments and arguments[0]) in self.dispatched:
            try:
                return self.dispatcher(*arguments)
            except SystemError as error:
                raise tiers.without_wrapping(error) from None
        return tiers.call(self, arguments)

    def __reduce__(self) -> str:
        return self.qualified_name


@overload
def kernel(function: Function) -> Function: ...
@overload
def kernel(
    *, python_entry: bool = True, inline: bool = False, count_references: bool = True
) -> Callable[[Function], Function]: ...
def kernel(
    function: Function | None = None,
    *,
    python_entry: bool = True,
    inline: bool = False,
    count_references: bool = True,
) -> Any:
    """Decorator: a function that can be compiled.

    python_entry      Python can call the compiled code. A function that only kernels call needs no such entry, which
                      would take as long to compile as the function itself; in Python it stays a plain function.
    inline            it is compiled into every kernel that calls it.
    count_references  it counts references to its array arguments. Without counting it may neither allocate nor store
                      arrays: for kernels that do little work per call, where counting can take half the time.
    """

    def define(function: Function) -> Function:
        if python_entry:
            new = Kernel(function, inline, count_references)
            _define(new)
            return cast(Function, new)
        _define(Part(function, inline))
        return function

    return define(function) if function is not None else define
