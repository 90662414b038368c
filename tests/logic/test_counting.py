"""Exact counting, compiled and in integers, against listing every filling."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludion.logic import counting
from ludion.logic.counting import COUNTED, INFEASIBLE, Problem, count, solve, space

ROOM = space(1 << 12)


def listed(problem: Problem) -> tuple[int, list[list[int]], list[list[int]]]:
    """Models, and in how many the first cell of each box, of the first and of the second pool holds what."""
    kinds = [problem.masks[box] for box, size in enumerate(problem.sizes) for _ in range(size)]
    owner = [box for box, size in enumerate(problem.sizes) for _ in range(size)]
    kinds += [0b101] * problem.first + [0b110] * problem.second
    owner += [-1] * problem.first + [-2] * problem.second
    total = 0
    boxes = [[0] * 4 for _ in problem.sizes]
    pools = [[0] * 4 for _ in range(2)]
    for filling in itertools.product(*([0, *(k + 1 for k in range(3) if mask >> k & 1)] for mask in kinds)):
        if any(filling.count(kind + 1) != problem.left[kind] for kind in range(3)):
            continue
        for clue, needs in enumerate(problem.needs):
            inside = [
                content
                for content, box in zip(filling, owner, strict=True)
                if box >= 0 and clue in problem.links[box]
            ]
            if any(inside.count(kind + 1) != needs[kind] for kind in range(3)):
                break
        else:
            total += 1
            for box in range(len(problem.sizes)):
                boxes[box][filling[owner.index(box)]] += 1
            for own, size in enumerate((problem.first, problem.second)):
                if size:
                    pools[own][filling[owner.index(-1 - own)]] += 1
    return total, boxes, pools


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Small problems made from a filling, so that most have a model."""
    sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=4))
    masks = [draw(st.sampled_from([0b101, 0b110])) for _ in sizes]
    clues = draw(st.integers(1, 3))
    links = [sorted(draw(st.sets(st.integers(0, clues - 1), min_size=1))) for _ in sizes]
    first, second = draw(st.integers(0, 2)), draw(st.integers(0, 2))
    needs = [[0, 0, 0] for _ in range(clues)]
    left = [0, 0, 0]
    for box, size in enumerate(sizes):
        for _ in range(size):
            content = draw(st.sampled_from([0, *(k + 1 for k in range(3) if masks[box] >> k & 1)]))
            if content:
                left[content - 1] += 1
                for clue in links[box]:
                    needs[clue][content - 1] += 1
    for mask, size in ((0b101, first), (0b110, second)):
        for _ in range(size):
            content = draw(st.sampled_from([0, *(k + 1 for k in range(3) if mask >> k & 1)]))
            if content:
                left[content - 1] += 1
    if draw(st.booleans()):
        left[draw(st.integers(0, 2))] += draw(st.integers(-1, 1))
    return Problem(
        sizes, masks, [each + [-1] * (8 - len(each)) for each in links], needs, first, second, left
    )


def compiled(problem: Problem) -> tuple[int, float, np.ndarray, np.ndarray]:
    boxes = len(problem.sizes)
    held, pool = np.zeros((boxes, 4)), np.zeros((2, 4))
    ended, size = solve(
        ROOM,
        boxes,
        np.array(problem.sizes, np.int64),
        np.array(problem.masks, np.int64),
        np.array(problem.links, np.int64),
        np.ones((boxes, 3)),
        len(problem.needs),
        np.array(problem.needs, np.int64),
        problem.first,
        problem.second,
        np.array(problem.left, np.int64),
        held,
        pool,
    )
    return ended, size, held, pool


@pytest.mark.interpreted
@pytest.mark.bounds
@given(problems())
def test_counts_equal_listing_everything(problem: Problem) -> None:
    total, boxes, pools = listed(problem)
    exact = count(problem)
    assert exact.models == total
    ended, size, held, pool = compiled(problem)
    if total == 0:
        assert ended == INFEASIBLE
        return
    assert ended == COUNTED
    assert size == pytest.approx(math.log(total), abs=1e-9)
    assert [list(each) for each in exact.boxes] == boxes
    for own, many in enumerate((problem.first, problem.second)):
        if many:
            assert list(exact.pool[own]) == pools[own]
            np.testing.assert_allclose(pool[own], np.array(pools[own]) / total, atol=1e-12)
    np.testing.assert_allclose(held, np.array(boxes) / total, atol=1e-12)
    assert ((held == 0) == (np.array(boxes) == 0)).all()  # impossible is exactly zero


def test_the_pool_of_a_large_board_is_counted_in_whole_numbers() -> None:
    found = count(Problem([], [], [], [], 240, 240, [33, 33, 33]))
    assert found.models == math.comb(240, 33) ** 2 * math.comb(480 - 66, 33)
    assert sum(found.pool[0]) == found.models


def test_too_little_room_is_said() -> None:
    tiny = counting.space(2)
    held, pool = np.zeros((2, 4)), np.zeros((2, 4))
    links = np.full((2, 8), -1, np.int64)
    links[:, 0] = 0
    ended, _ = solve(
        tiny, 2, np.array([4, 4]), np.array([5, 5]), links, np.ones((2, 3)), 1, np.array([[2, 0, 2]]), 0, 0,
        np.array([2, 0, 2]), held, pool,
    )  # fmt: skip
    assert ended == counting.TOO_LARGE
