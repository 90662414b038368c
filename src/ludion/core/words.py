"""Values as 64-bit words: the few bit tricks and conversions that kernels need and plain Python also understands.

Every function here has a compiled form in `compiled_words` that agrees with it on all values a game may use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar, cast

import numpy as np

Value = TypeVar("Value")

MIXER = 0x1E3779B97F4A7C15  # an odd number below 2**62 with well spread bits


# ------------------------------------------------------------------ numbers


def signed(number: int) -> int:
    """The number as a signed 64-bit word: what machine arithmetic makes of it."""
    return ((int(number) + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def nonnegative(number: int) -> int:
    """The number, which is never negative: as an index it lets the compiler skip wraparound indexing."""
    return number


def popcount(number: int) -> int:
    """The number of bits set in a 64-bit word, or in a wide number."""
    return (int(number) & ((1 << (128 if isinstance(number, Wide) else 64)) - 1)).bit_count()


def lowest(number: int) -> int:
    """The index of the lowest set bit of a word that is not 0."""
    return (int(number) & -int(number)).bit_length() - 1


def highest(number: int) -> int:
    """The index of the highest set bit of a word that is above 0."""
    return int(number).bit_length() - 1


def mix(number: int, seed: int) -> int:
    """A well spread hash of two words, itself a signed word; a wide number counts as two words."""
    if isinstance(number, Wide):
        return mix(high_word(number), mix(low_word(number), seed))
    product = signed((int(seed) ^ int(number)) * MIXER)
    return product ^ ((product >> 29) & 0x7FFFFFFFF)


class Wide(int):
    """An int of up to 127 bits, which compiled code holds in two words; so are all results of its operators."""

    __slots__ = ()


def _wide_operator(name: str) -> Callable[..., object]:
    plain = getattr(int, name)

    def operator(number: Wide, *others: int) -> object:
        result = plain(number, *others)
        return result if result is NotImplemented else Wide(result)

    return operator


for _name in ("and", "or", "xor", "add", "sub", "mul", "lshift", "rshift"):
    setattr(Wide, f"__{_name}__", _wide_operator(f"__{_name}__"))
    setattr(Wide, f"__r{_name}__", _wide_operator(f"__r{_name}__"))
for _name in ("__invert__", "__neg__"):
    setattr(Wide, _name, _wide_operator(_name))


def is_wide(number: int) -> bool:
    """Whether the number has two words; known when code is compiled."""
    return isinstance(number, Wide)


def low_word(number: int) -> int:
    """The lower 64 bits of a number, signed."""
    return signed(number)


def high_word(number: int) -> int:
    """The upper 64 bits of a wide number, signed."""
    return signed(int(number) >> 64)


def from_words(low: int, high: int, like: int) -> int:
    """The number with these words, as wide as `like`; the upper word of a narrow one is ignored."""
    return Wide(int(high) << 64 | int(low) & ((1 << 64) - 1)) if isinstance(like, Wide) else int(low)


def prefetch(array: np.ndarray, index: int) -> None:
    """Have the processor fetch an entry of an array that will be read soon; without the compiler, nothing."""


# ------------------------------------------------------------------ tuples


def replaced(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    """The tuple of ints with one entry replaced."""
    return values[:index] + (value,) + values[index + 1 :]


def pick(values: tuple[int, ...], index: int) -> int:
    """values[index], found by comparisons: a bounds check that can raise would cost more in a loop than the look-up."""
    return values[index]


# ------------------------------------------------------------------ records
# A position is a NamedTuple of ints and tuples of ints, perhaps nested; arrays in it are shared, not copied. A wide int
# counts as two, the lower word first.
# `save` lays its ints out in a row of an int64 array, field after field; `load` makes the position again.


def size(value: object) -> int:
    """The number of ints that `save` writes for this value."""
    if isinstance(value, tuple):
        return sum(size(each) for each in value)
    return 0 if isinstance(value, np.ndarray) else 2 if isinstance(value, Wide) else 1


def array_bytes(value: object) -> int:
    """The bytes of the arrays of a value, mapped from disk or not."""
    if isinstance(value, tuple):
        return sum(array_bytes(each) for each in value)
    return value.nbytes if isinstance(value, np.ndarray) else 0


def save(row: np.ndarray, value: object) -> None:
    """Write the ints of the value into the row."""
    for index, number in enumerate(_leaves(value)):
        row[index] = number


def load(row: np.ndarray | tuple[int, ...], like: Value) -> Value:
    """The value whose ints are in the row, with the type and the arrays of `like`."""
    return cast(Value, _rebuild(iter(row), like))


def borrowed(value: Value) -> Value:
    """The value, whose arrays stay owned by its caller: compiled code does not count references to them.

    A kernel that passes a position with arrays to functions without reference counting would otherwise leak it: every
    function that returns a position adds a reference.
    """
    return value


def unowned(array: np.ndarray) -> np.ndarray:
    """The array without its owner; see `borrowed`."""
    return array


def flat(value: object) -> tuple[int, ...]:
    """All ints of the value, in the order of `save`, as one tuple."""
    return tuple(_leaves(value))


def digest(value: object) -> int:
    """A hash of all ints of the value."""
    result = 0
    for number in _leaves(value):
        result = mix(number, result)
    return result


def _leaves(value: object) -> Iterator[int]:
    if isinstance(value, tuple):
        for each in value:
            yield from _leaves(each)
    elif isinstance(value, Wide):
        yield low_word(value)
        yield high_word(value)
    elif not isinstance(value, np.ndarray):
        yield cast(int, value)


def _rebuild(numbers: Iterator[int], like: object) -> Any:
    if isinstance(like, tuple):
        parts = [_rebuild(numbers, each) for each in like]
        return type(like)(*parts) if hasattr(like, "_fields") else tuple(parts)
    if isinstance(like, Wide):
        return from_words(next(numbers), next(numbers), like)
    return like if isinstance(like, np.ndarray) else int(next(numbers))
