"""The compiled form of each word function equals its interpreted form."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludion.core import words
from ludion.core.verbs import kernel

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]

int64 = st.integers(-(2**63), 2**63 - 1)
wide = st.integers(0, 2**100).map(words.Wide)


class Inner(NamedTuple):
    numbers: tuple
    last: int


class Outer(NamedTuple):
    first: int
    inner: Inner
    array: np.ndarray


@kernel
def numbers_of(a, b):
    return words.popcount(a), words.lowest(a | 1 << 62), words.mix(a, b), words.signed(a)


@kernel
def record_of(value, row):
    words.save(row, value)
    return words.load(row, value), words.size(value), words.digest(value), words.flat(value)


@kernel
def exchanged(values, index, value):
    return words.replaced(values, index, value)


@kernel
def entry_of(array, index):
    return array[words.nonnegative(index)], words.nonnegative(index)


@given(st.lists(int64, min_size=1, max_size=9), st.data())
def test_natural_numbers_are_indices(numbers, data):
    index = data.draw(st.integers(0, len(numbers) - 1))
    assert entry_of(np.array(numbers), index) == (numbers[index], index)


@given(int64, int64)
def test_numbers(a, b):
    expected = (
        bin(a & 2**64 - 1).count("1"),
        next(i for i in range(64) if (a | 1 << 62) >> i & 1),
        words.mix(a, b),
        a,
    )
    assert numbers_of(a, b) == expected
    assert -(2**63) <= words.mix(a, b) < 2**63


@given(int64, st.tuples(int64, int64, int64), int64)
def test_records(first, numbers, last):
    array = np.arange(3)
    value = Outer(first, Inner(numbers, last), array)
    row = np.zeros(6, np.int64)
    loaded, size, digest, flat = record_of(value, row)
    assert (loaded.first, loaded.inner.numbers, loaded.inner.last) == (first, numbers, last)
    assert size == words.size(value) == 5
    assert digest == words.digest(value)
    assert flat == words.flat(value) == (first, *numbers, last)
    assert row[:5].tolist() == [first, *numbers, last]


@given(st.tuples(int64, int64, int64), st.integers(0, 2), int64)
def test_replaced(values, index, value):
    expected = list(values)
    expected[index] = value
    assert exchanged(values, index, value) == tuple(expected) == words.replaced(values, index, value)


def test_signed_wraps_like_a_machine():
    assert words.signed(2**63) == -(2**63)
    assert words.signed(-1) == -1
    assert words.signed(2**64 + 5) == 5


@kernel
def picked(values, index):
    return words.pick(values, index)


@given(st.tuples(int64, int64, int64, int64), st.integers(0, 3))
def test_pick(values, index):
    assert picked(values, index) == values[index] == words.pick(values, index)
    assert picked(values[:1], 0) == values[0]


def test_a_tuple_of_many_words():
    """Python builds long tuples by way of a list, which compiled code cannot."""
    values = tuple(range(40))
    assert exchanged(values, 33, 7) == (*range(33), 7, *range(34, 40))
    assert record_of(values, np.zeros(40, np.int64)) == (values, 40, words.digest(values), values)


class Pair(NamedTuple):
    one: int
    other: int


@kernel
def operators_of(one, other, count):
    total = 0
    for i in range(count):
        total = (total ^ one) << 3 | (other >> i)
        total &= ~(one & -other) & (one | other)
        if not total & 1:
            total += other - 5 * i
    smaller = one if one < other else other
    while smaller and smaller & 3 == 0:
        smaller >>= 1
    return total & 2 * one - other, smaller, one == other, words.popcount(smaller), words.mix(one, 3)


@given(wide, wide, st.integers(0, 5))
def test_numbers_of_two_words(one, other, count):
    for pair in (Pair(one, other), Pair(int(one) >> 60, int(other) >> 60)):
        is_wide = isinstance(pair.one, words.Wide)
        *results, mixed = operators_of(*pair, count)
        plain = operators_of.function(int(pair.one), int(pair.other), count)  # Python's ints have no width
        assert results[:3] == list(plain[:3])
        assert results[3] == int(results[1]).bit_count()
        assert mixed == words.mix(pair.one, 3)
        row = np.zeros(4, np.int64)
        loaded, size, digest, flat = record_of(pair, row)
        assert (loaded, size, digest) == (pair, 4 if is_wide else 2, words.digest(pair))
        assert tuple(row[:size]) == flat == words.flat(pair)
        assert all(words.is_wide(each) == is_wide for each in (*results[:2], *loaded))
