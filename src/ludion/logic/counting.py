"""Exact model counting: in how many ways can variables take kinds so that every constraint and every total holds?

A *variable* is empty (0) or holds one of the kinds 1 to 3. A *box* is a set of variables with the same
constraints and the same allowed kinds. A *constraint* says exactly how many of each kind its boxes hold together.
All other variables are *free*: those of the first group may hold kind 1 or 3, those of the second kind 2 or 3. The
totals `left` say how many of each kind boxes and free variables hold together.

    boxes        sizes[b]   kinds[b]: bit k - 1 is set if kind k is allowed   links[b, : degrees[b]]: its constraints
                 weights[b, k - 1]: what a model counts for each variable with kind k in it (1 for plain counting)
    constraints  needs[c, k - 1]
    free         free[0] = m and free[1] = n variables hold x, y, z of kinds 1, 2, 3 in
                 C(m, x) C(n, y) C(m + n - x - y, z)  ways
    left         left[k - 1]

Boxes that share no constraint are independent *components*. Each is counted by dynamic programming over its boxes,
one layer per box; a state is what the open constraints still need, together with the totals used so far. Going
forward gives the number of ways to reach a state, going backward the number of ways to finish from it, and an
edge between two layers is worth the product: so one pass each way gives the share of all models in which a
variable holds a kind.

`count` is exact, in integers of any size, and ignores the weights. `shares.solve` is its compiled twin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

KINDS = 3
VALUES = 1 + KINDS  # empty, or a kind
SHARED = 3  # the kind that every free variable may hold; the others are those of one group each
MOST_LINKS = 8  # constraints of a box
MOST_VARIABLES = 8  # of a box
MOST_BOXES = 8  # of a constraint


class Problem(NamedTuple):
    """Boxes, constraints, free variables and totals, as described above."""

    sizes: np.ndarray
    kinds: np.ndarray
    links: np.ndarray
    degrees: np.ndarray
    weights: np.ndarray
    needs: np.ndarray
    free: np.ndarray
    left: np.ndarray


Totals = tuple[int, int, int]  # of kinds 1, 2, 3
Ways = tuple[int, int, int, int]  # models in which a variable is empty, or holds kind 1, 2, 3
State = tuple[tuple[Totals, ...], Totals]  # what the constraints still need, and the totals used


@dataclass(frozen=True)
class Count:
    """The number of models, and the number of those in which a given variable holds each kind."""

    models: int
    boxes: list[Ways]  # a variable of each box
    free: tuple[Ways, Ways]  # a free variable of each group


class _Layer(NamedTuple):
    box: int
    ways: dict[State, int]  # to reach each state
    edges: list[tuple[State, Totals, int, State]]  # from, kinds put into the box, in how many ways, to


def count(problem: Problem) -> Count:
    """Count the models exactly."""
    sizes: list[int] = problem.sizes.tolist()
    needs: list[list[int]] = problem.needs.tolist()
    links = [row[:degree].tolist() for row, degree in zip(problem.links, problem.degrees, strict=True)]
    components = [_layers(problem, links, boxes) for boxes in _components(links, len(needs))]
    no_models = Count(0, [(0, 0, 0, 0)] * len(sizes), ((0, 0, 0, 0), (0, 0, 0, 0)))
    touched = {constraint for row in links for constraint in row}
    if any(any(need) for constraint, need in enumerate(needs) if constraint not in touched):
        return no_models
    if any(not layers[-1].ways for layers in components):
        return no_models
    # The ways of each component by the totals used, and of all components before and after each.
    polynomials = [{used: ways for (_, used), ways in layers[-1].ways.items()} for layers in components]
    before: list[dict[Totals, int]] = [{(0, 0, 0): 1}]
    for polynomial in polynomials:
        before.append(_product(before[-1], polynomial))
    after: list[dict[Totals, int]] = [{(0, 0, 0): 1}]
    for polynomial in reversed(polynomials):
        after.append(_product(after[-1], polynomial))
    after.reverse()
    models = sum(ways * _ways_of_free(problem, used) for used, ways in before[-1].items())
    if models == 0:
        return no_models
    boxes: list[Ways] = [(0, 0, 0, 0)] * len(sizes)
    for index, layers in enumerate(components):
        others = _product(before[index], after[index + 1])
        finish = {
            state: sum(ways * _ways_of_free(problem, _sum(used, state[1])) for used, ways in others.items())
            for state in layers[-1].ways
        }
        for depth in range(len(layers) - 1, 0, -1):
            box, _, edges = layers[depth]
            finish_before: dict[State, int] = {}
            empty, first, second, third = 0, 0, 0, 0
            for source, choice, ways, target in edges:
                value = ways * finish.get(target, 0)  # 0: a dead end
                finish_before[source] = finish_before.get(source, 0) + value
                value *= layers[depth - 1].ways[source]
                first, second, third = (
                    first + value * choice[0],
                    second + value * choice[1],
                    third + value * choice[2],
                )
                empty += value * (sizes[box] - sum(choice))
            size = sizes[box]
            boxes[box] = (empty // size, first // size, second // size, third // size)
            finish = finish_before
    return Count(
        models, boxes, (_free_variable(problem, before[-1], 0), _free_variable(problem, before[-1], 1))
    )


def _rest(problem: Problem, used: Totals) -> Totals:
    """The totals left for the free variables."""
    left = problem.left.tolist()
    return left[0] - used[0], left[1] - used[1], left[2] - used[2]


def _ways_of_free(problem: Problem, used: Totals) -> int:
    """The number of ways in which the free variables can hold the rest."""
    first, second = problem.free.tolist()
    x, y, z = _rest(problem, used)
    if min(x, y, z) < 0 or x > first or y > second or x + y + z > first + second:
        return 0
    return math.comb(first, x) * math.comb(second, y) * math.comb(first + second - x - y, z)


def _free_variable(problem: Problem, used_by_boxes: dict[Totals, int], group: int) -> Ways:
    """The number of models in which a given free variable of the group holds each kind."""
    size, all_free = int(problem.free[group]), int(problem.free.sum())
    empty, own, shared = 0, 0, 0
    for used, ways in used_by_boxes.items() if size else ():
        rest = _rest(problem, used)
        models = ways * _ways_of_free(problem, used)
        with_own = models * rest[group] // size
        without_own_kinds = all_free - rest[0] - rest[1]  # variables that may hold the shared kind
        with_shared = (models - with_own) * rest[SHARED - 1] // max(1, without_own_kinds)
        own, shared, empty = own + with_own, shared + with_shared, empty + models - with_own - with_shared
    return (empty, own, 0, shared) if group == 0 else (empty, 0, own, shared)


def _components(links: Sequence[Sequence[int]], constraints: int) -> list[list[int]]:
    """The boxes in groups that share constraints, each group in an order that keeps few constraints open."""
    touching: list[list[int]] = [[] for _ in range(constraints)]
    for box, own in enumerate(links):
        for constraint in own:
            touching[constraint].append(box)
    groups = []
    waiting = [len(boxes) for boxes in touching]  # boxes not yet placed
    opened: set[int] = set()
    unplaced = set(range(len(links)))

    def constraints_added(box: int) -> tuple[int, int, int]:
        """Open constraints that the box adds; then, of boxes that add as many, most links to open ones first."""
        added = sum((c not in opened) - (waiting[c] == 1) for c in links[box])
        return added, -sum(c in opened for c in links[box]), box

    while unplaced:
        group: list[int] = []
        near = {min(unplaced)}
        while near:
            box = min(near, key=constraints_added)
            group.append(box)
            unplaced.discard(box)
            for constraint in links[box]:
                waiting[constraint] -= 1
                opened.add(constraint)
                near.update(touching[constraint])
            near &= unplaced
        groups.append(group)
    return groups


def _layers(problem: Problem, links: Sequence[Sequence[int]], boxes: list[int]) -> list[_Layer]:
    """The layers of a component, the first with the start only."""
    sizes, kinds, left = problem.sizes.tolist(), problem.kinds.tolist(), problem.left.tolist()
    constraints = sorted({constraint for box in boxes for constraint in links[box]})
    place = {constraint: index for index, constraint in enumerate(constraints)}
    # Variables of boxes not yet placed that may hold the kind.
    capacity = {constraint: [0] * KINDS for constraint in constraints}

    def change_capacity(box: int, sign: int) -> None:
        for constraint in links[box]:
            for kind in range(KINDS):
                capacity[constraint][kind] += sign * sizes[box] * (kinds[box] >> kind & 1)

    for box in boxes:
        change_capacity(box, 1)
    needs_at_start = tuple((int(a), int(b), int(c)) for a, b, c in problem.needs[constraints])
    start: State = (needs_at_start, (0, 0, 0))
    layers = [_Layer(-1, {start: 1}, [])]
    for box in boxes:
        change_capacity(box, -1)
        size = sizes[box]
        layer = _Layer(box, {}, [])
        for state, ways in layers[-1].ways.items():
            for choice in _choices(size, kinds[box]):
                used = _sum(state[1], choice)
                if any(u > total for u, total in zip(used, left, strict=True)):
                    continue
                needs = list(state[0])
                for constraint in links[box]:
                    a, b, c = needs[place[constraint]]
                    still = (a - choice[0], b - choice[1], c - choice[2])
                    if any(not 0 <= n <= most for n, most in zip(still, capacity[constraint], strict=True)):
                        break
                    needs[place[constraint]] = still
                else:
                    target = (tuple(needs), used)
                    fillings = math.factorial(size) // math.prod(
                        math.factorial(number) for number in (*choice, size - sum(choice))
                    )
                    layer.ways[target] = layer.ways.get(target, 0) + ways * fillings
                    layer.edges.append((state, choice, fillings, target))
        layers.append(layer)
    return layers


def _choices(size: int, kinds: int) -> list[Totals]:
    """How many of each kind a box can hold."""
    most = [size if kinds >> kind & 1 else 0 for kind in range(KINDS)]
    return [
        (a, b, c)
        for a in range(most[0] + 1)
        for b in range(most[1] + 1)
        for c in range(most[2] + 1)
        if a + b + c <= size
    ]


def _sum(one: Totals, other: Totals) -> Totals:
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def _product(one: dict[Totals, int], other: dict[Totals, int]) -> dict[Totals, int]:
    result: dict[Totals, int] = {}
    for a, ways in one.items():
        for b, more in other.items():
            key = _sum(a, b)
            result[key] = result.get(key, 0) + ways * more
    return result
