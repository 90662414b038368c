"""Exact counting, compiled and in integers, against listing every filling."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludion.logic.counting import KINDS, MOST_LINKS, VALUES, Problem, count
from ludion.logic.shares import COUNTED, INFEASIBLE, TOO_LARGE, make_workspace, solve

WORKSPACE = make_workspace(1 << 12, 2000)
FREE_KINDS = (0b101, 0b110)  # what the free variables of each group may hold


def make_problem(sizes, kinds, links, needs, free, left) -> Problem:  # type: ignore[no-untyped-def]
    """A problem from lists."""
    padded = [[*row, *[0] * (MOST_LINKS - len(row))] for row in links]
    return Problem(
        np.array(sizes, np.int64),
        np.array(kinds, np.int64),
        np.array(padded, np.int64).reshape(-1, MOST_LINKS),
        np.array([len(row) for row in links], np.int64),
        np.ones((len(sizes), KINDS)),
        np.array(needs, np.int64).reshape(-1, KINDS),
        np.array(free, np.int64),
        np.array(left, np.int64),
    )


def listed(problem: Problem) -> tuple[int, list[list[int]], list[list[int]]]:
    """Models, and in how many the first variable of each box and of each free group holds what."""
    sizes, free = problem.sizes.tolist(), problem.free.tolist()
    kinds = [problem.kinds[box] for box, size in enumerate(sizes) for _ in range(size)]
    owner = [box for box, size in enumerate(sizes) for _ in range(size)]
    kinds += [FREE_KINDS[0]] * free[0] + [FREE_KINDS[1]] * free[1]
    owner += [-1] * free[0] + [-2] * free[1]
    total = 0
    boxes = [[0] * VALUES for _ in sizes]
    groups = [[0] * VALUES for _ in range(2)]
    for filling in itertools.product(
        *([0, *(k + 1 for k in range(KINDS) if mask >> k & 1)] for mask in kinds)
    ):
        if any(filling.count(kind + 1) != problem.left[kind] for kind in range(KINDS)):
            continue
        for constraint, needs in enumerate(problem.needs):
            inside = [
                value
                for value, box in zip(filling, owner, strict=True)
                if box >= 0 and constraint in problem.links[box, : problem.degrees[box]]
            ]
            if any(inside.count(kind + 1) != needs[kind] for kind in range(KINDS)):
                break
        else:
            total += 1
            for box in range(len(sizes)):
                boxes[box][filling[owner.index(box)]] += 1
            for group in range(2):
                if free[group]:
                    groups[group][filling[owner.index(-1 - group)]] += 1
    return total, boxes, groups


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Small problems made from a filling, so that most have a model."""
    sizes = draw(st.lists(st.integers(1, 2), min_size=1, max_size=4))
    kinds = [draw(st.sampled_from([0b101, 0b110])) for _ in sizes]
    constraints = draw(st.integers(1, 3))
    links = [sorted(draw(st.sets(st.integers(0, constraints - 1), min_size=1))) for _ in sizes]
    free = [draw(st.integers(0, 2)), draw(st.integers(0, 2))]
    needs = [[0, 0, 0] for _ in range(constraints)]
    left = [0, 0, 0]

    def draw_value(mask: int) -> int:
        value: int = draw(st.sampled_from([0, *(k + 1 for k in range(KINDS) if mask >> k & 1)]))
        if value:
            left[value - 1] += 1
        return value

    for box, size in enumerate(sizes):
        for _ in range(size):
            value = draw_value(kinds[box])
            for constraint in links[box] if value else ():
                needs[constraint][value - 1] += 1
    for mask, size in zip(FREE_KINDS, free, strict=True):
        for _ in range(size):
            draw_value(mask)
    if draw(st.booleans()):
        left[draw(st.integers(0, 2))] += draw(st.integers(-1, 1))
    return make_problem(sizes, kinds, links, needs, free, left)


def solved(problem: Problem) -> tuple[int, float, np.ndarray, np.ndarray]:
    shares, free_shares = np.zeros((len(problem.sizes), VALUES)), np.zeros((2, VALUES))
    ended, log_models = solve(WORKSPACE, problem, shares, free_shares)
    return ended, log_models, shares, free_shares


@pytest.mark.interpreted
@pytest.mark.bounds
@given(problems())
def test_counts_equal_listing_everything(problem: Problem) -> None:
    total, boxes, groups = listed(problem)
    exact = count(problem)
    assert exact.models == total
    ended, log_models, shares, free_shares = solved(problem)
    if total == 0:
        assert ended == INFEASIBLE
        return
    assert ended == COUNTED
    assert log_models == pytest.approx(math.log(total), abs=1e-9)
    assert [list(ways) for ways in exact.boxes] == boxes
    for group in range(2):
        if problem.free[group]:
            assert list(exact.free[group]) == groups[group]
            np.testing.assert_allclose(free_shares[group], np.array(groups[group]) / total, atol=1e-12)
    np.testing.assert_allclose(shares, np.array(boxes) / total, atol=1e-12)
    assert ((shares == 0) == (np.array(boxes) == 0)).all()  # impossible is exactly zero


def test_the_free_variables_of_a_large_problem_are_counted_in_whole_numbers() -> None:
    counted = count(make_problem([], [], [], [], [240, 240], [33, 33, 33]))
    assert counted.models == math.comb(240, 33) ** 2 * math.comb(480 - 66, 33)
    assert sum(counted.free[0]) == counted.models


def test_too_little_memory_is_said() -> None:
    problem = make_problem([4, 4], [5, 5], [[0], [0]], [[2, 0, 2]], [0, 0], [2, 0, 2])
    ended, _ = solve(make_workspace(2, 8), problem, np.zeros((2, VALUES)), np.zeros((2, VALUES)))
    assert ended == TOO_LARGE


def chain(boxes: int, most: int) -> Problem:
    """Boxes of 4 variables in a row, with a constraint for each two neighbours; `most` of kind 1 in all."""
    links = [[c for c in (box - 1, box) if 0 <= c < boxes - 1] for box in range(boxes)]
    needs = [[4, 0, 0]] * (boxes - 1)
    return make_problem([4] * boxes, [0b001] * boxes, links, needs, [10, 0], [most, 0, 0])


@pytest.mark.parametrize(
    "problem",
    [
        # 400 boxes of 8 variables, 70 ways each: 70 ** 400 models.
        make_problem(
            [8] * 400, [0b001] * 400, [[c] for c in range(400)], [[4, 0, 0]] * 400, [20, 0], [1610, 0, 0]
        ),
        chain(450, 905),
        # Totals that leave one extreme only: its share of all fillings is below the range of a float.
        make_problem(
            [7, 1, 1] * 200,
            [0b001] * 600,
            [link for c in range(200) for link in ([2 * c], [2 * c, 2 * c + 1], [2 * c + 1])],
            [[1, 0, 0], [1, 0, 0]] * 200,
            [0, 0],
            [200, 0, 0],
        ),
    ],
    ids=["lattice", "chain", "extreme"],
)
def test_numbers_beyond_the_range_of_a_float_are_counted(problem: Problem) -> None:
    exact = count(problem)
    ended, log_models, shares, free_shares = solved(problem)
    assert ended == COUNTED
    assert log_models == pytest.approx(math.log(exact.models), rel=1e-12)
    expected = np.array([[ways / exact.models for ways in row] for row in exact.boxes])
    np.testing.assert_allclose(shares, expected, atol=1e-9)
    assert ((shares == 0) == (np.array(exact.boxes, object) == 0)).all()
    for group in range(2):
        if problem.free[group]:
            expected = np.array([ways / exact.models for ways in exact.free[group]])
            np.testing.assert_allclose(free_shares[group], expected, atol=1e-9)
