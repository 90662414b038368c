"""The compiled forms of `words`: instructions and straight-line code, written for the types at hand."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba.core import types as numba_types
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import lower_builtin, overload, type_callable

from ludion.core.words import (
    MIXER,
    borrowed,
    digest,
    flat,
    highest,
    load,
    lowest,
    mix,
    nonnegative,
    pick,
    popcount,
    prefetch,
    replaced,
    save,
    signed,
    size,
    unowned,
)

types: Any = numba_types  # numba.types has no type stubs
Type: TypeAlias = Any  # a type of Numba
Instruction: TypeAlias = Any  # LLVM's builder and its values
Source: TypeAlias = Any  # a function to be compiled, or a decorator that registers one
WORD, BIT = ir.IntType(64), ir.IntType(1)


# ------------------------------------------------------------------ numbers


def _compiled(function: Source, result: Type = types.int64) -> Source:
    """Decorator: the compiled form of a function of words, as the instructions that compute it from 64-bit arguments.

    Written as Python for the compiler, each of them would take as long to compile as a rule of a game.
    """

    def add(build: Source) -> Source:
        @infer_global(function)
        class Typing(AbstractTemplate):  # type: ignore[misc]
            def generic(self, arguments: Type, keywords: Type) -> Type:
                return result(*arguments)

        @lower_builtin(function, types.VarArg(types.Any))
        def lower(
            context: Type, builder: Instruction, signature: Type, arguments: Instruction
        ) -> Instruction:
            pairs = zip(arguments, signature.args, strict=True)
            return build(builder, *(context.cast(builder, value, kind, types.int64) for value, kind in pairs))

        return build

    return add


@_compiled(signed)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return number


@_compiled(nonnegative, types.uint64)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return number


@_compiled(popcount)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return builder.ctpop(number)


@_compiled(lowest)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return builder.cttz(number, BIT(1))


@_compiled(highest)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return builder.sub(WORD(63), builder.ctlz(number, BIT(1)))


@_compiled(mix)
def _(builder: Instruction, number: Instruction, seed: Instruction) -> Instruction:
    product = builder.mul(builder.xor(seed, number), WORD(MIXER))
    return builder.xor(product, builder.lshr(product, WORD(29)))


@type_callable(prefetch)
def _(context: Type) -> Source:
    return lambda array, index: types.none


@lower_builtin(prefetch, types.Array, types.Integer)
def _(context: Type, builder: Instruction, signature: Type, arguments: Instruction) -> Instruction:
    entries = context.make_array(signature.args[0])(context, builder, arguments[0])
    byte_pointer, flag = ir.IntType(8).as_pointer(), ir.IntType(32)
    place = builder.bitcast(builder.gep(entries.data, [arguments[1]]), byte_pointer)
    call = ir.FunctionType(ir.VoidType(), [byte_pointer, flag, flag, flag])
    function = builder.module.declare_intrinsic("llvm.prefetch", [byte_pointer], call)
    to_read_keep_data = [flag(each) for each in (0, 3, 1)]
    builder.call(function, [place, *to_read_keep_data])
    return context.get_dummy_value()


# ------------------------------------------------------------------ tuples


LONGEST_DISPLAY = (
    24  # entries of a tuple in one pair of parentheses: Python builds longer ones by way of a list
)


def _tuple(parts: list[str]) -> str:
    """An expression for the tuple of these expressions."""
    chunks = [parts[i : i + LONGEST_DISPLAY] for i in range(0, len(parts), LONGEST_DISPLAY)]
    return " + ".join(f"({', '.join(chunk)},)" for chunk in chunks) or "()"


@overload(replaced, strict=False)
def _replaced(values: Type, index: Type, value: Type) -> Source:
    # By comparisons, too: a tuple that is written to by index has to be in memory, not in registers.
    parts = [f"np.int64(value) if index == {i} else values[{i}]" for i in range(len(values))]
    return _written(f"def written(values, index, value):\n    return {_tuple(parts)}", {"np": np})


@overload(pick, strict=False)
def _pick(values: Type, index: Type) -> Source:
    choices = "".join(f"values[{i}] if index == {i} else " for i in range(len(values) - 1, 0, -1))
    return _written(f"def written(values, index):\n    return {choices}values[0]", {})


# ------------------------------------------------------------------ records


def _paths(kind: Type, path: str) -> list[str]:
    """Expressions for every int of a value of this Numba type."""
    if isinstance(kind, types.BaseTuple):
        return [leaf for index, each in enumerate(kind.types) for leaf in _paths(each, f"{path}[{index}]")]
    return [] if isinstance(kind, types.Array) else [path]


def _maker(kind: Type, path: str, scope: dict[str, Any], counter: list[int]) -> str:
    """An expression that makes a value of this Numba type from `row` (ints) and `like` (arrays)."""
    if isinstance(kind, types.BaseTuple):
        parts = [_maker(each, f"{path}[{index}]", scope, counter) for index, each in enumerate(kind.types)]
        return _tuple_of(kind, parts, scope)
    if isinstance(kind, types.Array):
        return path
    counter[0] += 1
    return f"row[{counter[0] - 1}]"


def _tuple_of(kind: Type, parts: list[str], scope: dict[str, Any]) -> str:
    """An expression that makes a tuple of this Numba type from expressions for its parts."""
    if not hasattr(kind, "instance_class"):
        return _tuple(parts)
    name = f"class_{len(scope)}"
    scope[name] = kind.instance_class
    return f"{name}({', '.join(parts)})"


def _written(source: str, scope: dict[str, Any]) -> Source:
    exec(source, scope)
    return scope["written"]


@overload(size, strict=False)
def _size(value: Type) -> Source:
    count = len(_paths(value, ""))
    return lambda value: count


@overload(save, strict=False)
def _save(row: Type, value: Type) -> Source:
    lines = [f"    row[{index}] = {path}" for index, path in enumerate(_paths(value, "value"))]
    return _written("\n".join(["def written(row, value):", *(lines or ["    pass"])]), {})


@overload(load, strict=False)
def _load(row: Type, like: Type) -> Source:
    scope: dict[str, Any] = {}
    expression = _maker(like, "like", scope, [0])
    return _written(f"def written(row, like):\n    return {expression}", scope)


@overload(borrowed, strict=False)
def _borrowed(value: Type) -> Source:
    scope: dict[str, Any] = {"unowned": unowned}
    return _written(f"def written(value):\n    return {_borrower(value, 'value', scope)}", scope)


def _borrower(kind: Type, path: str, scope: dict[str, Any]) -> str:
    """An expression for the value of this Numba type at `path`, with arrays that have no owner."""
    if isinstance(kind, types.Array):
        return f"unowned({path})"
    if not isinstance(kind, types.BaseTuple):
        return path
    parts = [_borrower(each, f"{path}[{index}]", scope) for index, each in enumerate(kind.types)]
    return _tuple_of(kind, parts, scope)


@type_callable(unowned)
def _(context: Type) -> Source:
    return lambda array: array if isinstance(array, types.Array) else None


@lower_builtin(unowned, types.Array)
def _(context: Type, builder: Instruction, signature: Type, arguments: Instruction) -> Instruction:
    array = context.make_array(signature.args[0])(context, builder, arguments[0])
    array.meminfo = array.meminfo.type(None)
    array.parent = array.parent.type(None)
    return array._getvalue()


@overload(flat, strict=False)
def _flat(value: Type) -> Source:
    return _written(f"def written(value):\n    return {_tuple(_paths(value, 'value'))}", {})


@overload(digest, strict=False)
def _digest(value: Type) -> Source:
    lines = [f"    result = mix({path}, result)" for path in _paths(value, "value")]
    source = "\n".join(["def written(value):", "    result = 0", *lines, "    return result"])
    return _written(source, {"mix": mix})
