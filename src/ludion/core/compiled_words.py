"""The compiled forms of `words`: instructions and straight-line code, written for the types at hand."""

from __future__ import annotations

import operator
from typing import Any, TypeAlias

import numpy as np
from llvmlite import ir
from numba.core import types as numba_types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import (
    NativeValue,
    box,
    lower_builtin,
    lower_cast,
    models,
    overload,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)

from ludion.core.words import (
    MIXER,
    Wide,
    borrowed,
    digest,
    flat,
    from_words,
    high_word,
    highest,
    is_wide,
    load,
    low_word,
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
WORD, TWO_WORDS, BIT = ir.IntType(64), ir.IntType(128), ir.IntType(1)
WIDE_ZERO = TWO_WORDS(0)


# ------------------------------------------------------------------ wide numbers


class WideNumber(types.Type):  # type: ignore[misc]
    """Numba's type for `Wide`: LLVM's integers of 128 bits. Ints of one word become wide where they meet."""

    def __init__(self) -> None:
        super().__init__("Wide")

    def can_convert_from(self, context: Type, other: Type) -> Conversion | None:
        return Conversion.safe if isinstance(other, types.Integer) else None

    def unify(self, context: Type, other: Type) -> Type:
        return self if isinstance(other, types.Integer) else None


WIDE = WideNumber()


@register_model(WideNumber)
class WideModel(models.PrimitiveModel):  # type: ignore[misc]
    """How a wide number is held."""

    def __init__(self, manager: Type, kind: Type) -> None:
        super().__init__(manager, kind, TWO_WORDS)


@typeof_impl.register(Wide)
def _(number: Wide, context: Type) -> Type:
    return WIDE


@unbox(WideNumber)
def _(kind: Type, number: Instruction, context: Type) -> Instruction:
    python, builder = context.pyapi, context.builder
    take_low = python._get_function(ir.FunctionType(WORD, [python.pyobj]), "PyLong_AsUnsignedLongLongMask")
    bits = python.long_from_longlong(WORD(64))
    upper = python.number_rshift(number, bits)
    low, high = builder.call(take_low, [number]), builder.call(take_low, [upper])
    python.decref(bits)
    python.decref(upper)
    return NativeValue(_joined(builder, low, high), is_error=context.pyapi.c_api_error())


@box(WideNumber)
def _(kind: Type, number: Instruction, context: Type) -> Instruction:
    python, builder = context.pyapi, context.builder
    bits = python.long_from_longlong(WORD(64))
    upper = python.long_from_longlong(_high(builder, number))
    low = python.long_from_ulonglong(_low(builder, number))
    shifted = python.number_lshift(upper, bits)
    plain = python.number_or(shifted, low)
    wide_class = python.unserialize(python.serialize_object(Wide))
    result = python.call_function_objargs(wide_class, [plain])
    for each in (bits, upper, low, shifted, plain, wide_class):
        python.decref(each)
    return result


def _low(builder: Instruction, number: Instruction) -> Instruction:
    return number if number.type == WORD else builder.trunc(number, WORD)


def _high(builder: Instruction, number: Instruction) -> Instruction:
    return builder.trunc(builder.lshr(number, TWO_WORDS(64)), WORD)


def _joined(builder: Instruction, low: Instruction, high: Instruction) -> Instruction:
    upper = builder.shl(builder.zext(high, TWO_WORDS), TWO_WORDS(64))
    return builder.or_(upper, builder.zext(low, TWO_WORDS))


@lower_cast(types.Integer, WideNumber)
def _(context: Type, builder: Instruction, kind: Type, target: Type, number: Instruction) -> Instruction:
    return (builder.sext if kind.signed else builder.zext)(number, TWO_WORDS)


def _wide_operator(function: Source, kinds: tuple[Type, ...], build: Source) -> None:
    """Define an operator on numbers, one of them wide: the types of its result and of its arguments, and its code."""
    result, *taken = kinds

    class Typing(AbstractTemplate):  # type: ignore[misc]
        key = function

        def generic(self, arguments: Type, keywords: Type) -> Type:
            fit = all(each is WIDE or isinstance(each, types.Integer) for each in arguments)
            return signature(result, *taken) if fit and WIDE in arguments[: taken.count(WIDE)] else None

    infer_global(function)(Typing)

    @lower_builtin(function, *taken)
    def lower(context: Type, builder: Instruction, signature: Type, arguments: Instruction) -> Instruction:
        return build(builder, *arguments)


def _instruction(name: str) -> Source:
    return lambda builder, *numbers: getattr(builder, name)(*numbers)


def _shifted(name: str) -> Source:
    return lambda builder, number, count: getattr(builder, name)(number, builder.zext(count, TWO_WORDS))


def _compared(sign: str) -> Source:
    return lambda builder, one, other=WIDE_ZERO: builder.icmp_signed(sign, one, other)


def _define_operators() -> None:
    for name in ("and_", "or_", "xor", "add", "sub", "mul"):
        for each in (name, "i" + name.rstrip("_")):
            _wide_operator(getattr(operator, each), (WIDE, WIDE, WIDE), _instruction(name))
    for name, instruction in {"lshift": "shl", "rshift": "ashr"}.items():
        for each in (name, "i" + name):
            _wide_operator(getattr(operator, each), (WIDE, WIDE, types.int64), _shifted(instruction))
    for name, sign in {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}.items():
        _wide_operator(getattr(operator, name), (types.boolean, WIDE, WIDE), _compared(sign))
    _wide_operator(operator.invert, (WIDE, WIDE), _instruction("not_"))
    _wide_operator(operator.neg, (WIDE, WIDE), _instruction("neg"))
    _wide_operator(bool, (types.boolean, WIDE), _compared("!="))
    _wide_operator(operator.not_, (types.boolean, WIDE), _compared("=="))


_define_operators()


@type_callable(from_words)
def _(context: Type) -> Source:
    return lambda low, high, like: types.unliteral(like)


@lower_builtin(from_words, types.Integer, types.Integer, WideNumber)
def _(context: Type, builder: Instruction, signature: Type, arguments: Instruction) -> Instruction:
    words = [context.cast(builder, arguments[i], signature.args[i], types.int64) for i in range(2)]
    return _joined(builder, *words)


@lower_builtin(from_words, types.Integer, types.Integer, types.Integer)
def _(context: Type, builder: Instruction, signature: Type, arguments: Instruction) -> Instruction:
    return context.cast(builder, arguments[0], signature.args[0], signature.return_type)


# ------------------------------------------------------------------ numbers


def _compiled(function: Source, result: Type = types.int64) -> Source:
    """Decorator: the compiled form of a function of words, as the instructions that compute it from 64-bit arguments;
    wide ones are left as they are.

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
            words = [
                value if kind is WIDE else context.cast(builder, value, kind, types.int64)
                for value, kind in pairs
            ]
            return build(builder, *words)

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
    return _low(builder, builder.ctpop(number))


@_compiled(is_wide, types.boolean)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return BIT(number.type == TWO_WORDS)


@_compiled(low_word)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return _low(builder, number)


@_compiled(high_word)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return _high(builder, number) if number.type == TWO_WORDS else builder.ashr(number, WORD(63))


@_compiled(lowest)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return builder.cttz(number, BIT(1))


@_compiled(highest)
def _(builder: Instruction, number: Instruction) -> Instruction:
    return builder.sub(WORD(63), builder.ctlz(number, BIT(1)))


@_compiled(mix)
def _(builder: Instruction, number: Instruction, seed: Instruction) -> Instruction:
    words = [number] if number.type == WORD else [_low(builder, number), _high(builder, number)]
    for word in words:
        product = builder.mul(builder.xor(seed, word), WORD(MIXER))
        seed = builder.xor(product, builder.lshr(product, WORD(29)))
    return seed


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
    if kind is WIDE:
        return [f"low_word({path})", f"high_word({path})"]
    return [] if isinstance(kind, types.Array) else [path]


def _maker(kind: Type, path: str, scope: dict[str, Any], counter: list[int]) -> str:
    """An expression that makes a value of this Numba type from `row` (ints) and `like` (arrays)."""
    if isinstance(kind, types.BaseTuple):
        parts = [_maker(each, f"{path}[{index}]", scope, counter) for index, each in enumerate(kind.types)]
        return _tuple_of(kind, parts, scope)
    if isinstance(kind, types.Array):
        return path
    first = counter[0]
    if kind is WIDE:
        counter[0] += 2
        return f"from_words(row[{first}], row[{first + 1}], {path})"
    counter[0] += 1
    return f"row[{first}]"


def _tuple_of(kind: Type, parts: list[str], scope: dict[str, Any]) -> str:
    """An expression that makes a tuple of this Numba type from expressions for its parts."""
    if not hasattr(kind, "instance_class"):
        return _tuple(parts)
    name = f"class_{len(scope)}"
    scope[name] = kind.instance_class
    return f"{name}({', '.join(parts)})"


def _written(source: str, scope: dict[str, Any]) -> Source:
    scope |= {"low_word": low_word, "high_word": high_word, "from_words": from_words}
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
