"""Every private name of Numba that `core` uses, each with what we rely on: run against the oldest and the newest
Numba that pyproject.toml allows (`make numba`)."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest

numba = pytest.importorskip("numba")

from ludion.core import tiers  # noqa: E402
from ludion.core.verbs import kernel, verb  # noqa: E402
from ludion.core.words import Wide, highest, lowest, nonnegative, popcount, prefetch, signed  # noqa: E402
from tests.test_clock import World  # noqa: E402

pytestmark = pytest.mark.skipif(
    os.environ.get("LUDION_TIER") == tiers.INTERPRETED, reason="needs the compiler"
)


@kernel
def doubled_sum(numbers):
    total = 0
    for i in range(numbers.size):
        total += twice(numbers[i])
    return total


@kernel(python_entry=False, inline=True)
def twice(number):
    return 2 * number


@kernel(count_references=False)
def first_of(numbers):
    return numbers[0]


@kernel
def words_of(numbers):
    prefetch(numbers, 0)
    number = numbers[nonnegative(0)]
    return popcount(number), lowest(number), highest(number), signed(number)


@verb
def weight(subject):
    """The weight of a subject."""


@kernel
def weigh(subject):
    return weight(subject)


@pytest.fixture
def compiled():
    assert tiers.load_compiler()
    with tiers.use(tiers.COMPILED):
        yield


def test_dispatchers_are_made_with_our_options_and_cache(compiled):
    """`njit`, `_cache`, `targetoptions` (forceinline, _nrt), `get_call_template`, `_compile_for_args`."""
    from ludion.core.compiler import SourceKeyedCache

    for each in (doubled_sum, first_of):
        dispatcher = each.dispatcher
        assert isinstance(dispatcher._cache, SourceKeyedCache)
        assert callable(dispatcher.get_call_template)
        assert callable(dispatcher._compile_for_args)
        assert {"nopython", "nogil"} <= set(dispatcher.targetoptions)
    assert first_of.dispatcher.targetoptions["_nrt"] is False
    assert doubled_sum(np.arange(4)) == 12
    assert first_of(np.array([7, 8])) == 7


def test_types_and_classes_of_arguments_are_seen(compiled):
    """`typeof_pyval`, `types.BaseTuple`, `instance_class`, `dtype`."""
    from ludion.core.compiler import _classes

    (kind,) = doubled_sum.dispatcher.see_types((World(1),))
    assert kind.instance_class is World
    assert list(_classes((kind,))) == [World]
    (array,) = doubled_sum.dispatcher.see_types((np.zeros(3),))
    assert array.dtype is numba.types.float64


def test_code_is_saved_and_loaded(compiled, tmp_path, monkeypatch):
    """`_Cache`, `CompileResult._reduce` and `_rebuild`, `serialize.dumps`, `rtsys.initialize`, `magic_tuple`, `lifted`,
    `library.has_dynamic_globals`."""
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    dispatcher = doubled_sum.dispatcher
    signature = dispatcher.see_types((np.zeros(2, np.int16),))
    # Code that an earlier run has saved would be loaded, and what was loaded cannot be saved.
    monkeypatch.setattr("ludion.core.compiler.cache_folder", lambda: tmp_path / "first")
    dispatcher.compile(signature)
    result = dispatcher.overloads[signature]
    assert not result.lifted
    assert not result.library.has_dynamic_globals
    again = CompileResult._rebuild(dispatcher.targetctx, *pickle.loads(dumps(result._reduce())))
    assert again.signature == result.signature
    cache = dispatcher._cache
    monkeypatch.setattr("ludion.core.compiler.cache_folder", lambda: tmp_path / "second")
    assert not cache.is_on_disk(signature, dispatcher.targetctx)
    cache.save_overload(signature, result)
    assert cache.is_on_disk(signature, dispatcher.targetctx)
    assert cache.load_overload(signature, dispatcher.targetctx).signature == result.signature


def test_verbs_and_parts_are_offered_to_compiled_code(compiled):
    """`make_overload_template`, `_impl_cache`, `infer`, `infer_global`, `types.Function`, `typeof_impl`."""

    @weight.register(World)
    def _(subject):
        return subject.steps + 1

    assert weigh(World(4)) == 5


def test_calls_between_kernels_see_no_literals(compiled):
    """`types.unliteral` in `get_call_template`."""
    template, *_ = doubled_sum.dispatcher.get_call_template((numba.types.Array(numba.int64, 1, "C"),), {})
    assert template is not None
    assert numba.types.unliteral(numba.types.literal(3)) == numba.types.int64


def test_words_are_instructions(compiled):
    """`AbstractTemplate`, `lower_builtin`, `type_callable`, `overload`, `cast`, `make_array`; see also test_words."""
    assert words_of(np.array([0b101000])) == (2, 3, 5, 0b101000)


def test_wide_numbers_are_a_type_of_their_own(compiled):
    """`types.Type` (`can_convert_from`, `unify`), `Conversion`, `register_model`, `box`, `unbox`, `lower_cast`, pyapi's
    `_get_function`; see also test_words."""
    assert halved(Wide(1 << 90)) == 1 << 89
    assert isinstance(halved(Wide(2)), Wide)
    assert halved(7) == 3


@kernel
def halved(number):
    return number >> 1
