"""Exact model counting: in how many ways can variables take kinds so that every constraint and every total holds?

A *variable* is empty (0) or holds one of the kinds 1 to 3. A *box* is a set of variables that no constraint tells
apart and that may hold the same kinds. A *constraint* says exactly how many of each kind its boxes hold together.
All other variables are *free*: those of the first group may hold kind 1 or 3, those of the second kind 2 or 3. The
totals `left` say how many of each kind boxes and free variables hold together.

    boxes        sizes[b]   kinds[b]: bit k - 1 is set if kind k is allowed   links[b]: its constraints, then NO_LINK
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

`count` is exact, in integers of any size, and leaves the weights out. `solve` is its compiled twin in floating
point: every number in it is a sum of products of positive numbers, so what it calls impossible (0) or certain is
exactly so. Where these numbers might overflow, their logarithms stand for them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix

KINDS = 3
VALUES = 1 + KINDS  # empty, or a kind
SHARED = 3  # the kind that every free variable may hold; the others are those of one group each
MOST_LINKS = 8  # constraints of a box
MOST_VARIABLES = 8  # of a box
MOST_BOXES = 8  # of a constraint
NO_LINK = -1

INFEASIBLE, COUNTED, TOO_LARGE = 0, 1, 2  # how `solve` ends


class Problem(NamedTuple):
    """Boxes, constraints, free variables and totals, as described above."""

    sizes: np.ndarray
    kinds: np.ndarray
    links: np.ndarray
    weights: np.ndarray
    needs: np.ndarray
    free: np.ndarray
    left: np.ndarray


# ------------------------------------------------------------------ in integers

Totals = tuple[int, int, int]  # of kinds 1, 2, 3
Ways = tuple[int, int, int, int]  # models in which a variable is empty, or holds kind 1, 2, 3
State = tuple[tuple[Totals, ...], Totals]  # what the constraints still need, and the totals used


@dataclass(frozen=True)
class Count:
    """How many models there are, and in how many of them one given variable holds what."""

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
    links = [[c for c in row if c != NO_LINK] for row in problem.links.tolist()]
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
    """What is left for the free variables."""
    left = problem.left.tolist()
    return left[0] - used[0], left[1] - used[1], left[2] - used[2]


def _ways_of_free(problem: Problem, used: Totals) -> int:
    """In how many ways the free variables can hold the rest."""
    first, second = problem.free.tolist()
    x, y, z = _rest(problem, used)
    if min(x, y, z) < 0 or x > first or y > second or x + y + z > first + second:
        return 0
    return math.comb(first, x) * math.comb(second, y) * math.comb(first + second - x - y, z)


def _free_variable(problem: Problem, used_by_boxes: dict[Totals, int], group: int) -> Ways:
    """In how many models one given free variable of the group holds what."""
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

    def constraints_opened(box: int) -> tuple[int, int]:
        return sum((c not in opened) * 2 - (waiting[c] == 1) * 3 for c in links[box]), box

    while unplaced:
        group: list[int] = []
        near = {min(unplaced)}
        while near:
            box = min(near, key=constraints_opened)
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


# ------------------------------------------------------------------ compiled

# The key of a state: three words of 15 slots of 4 bits (what an open constraint still needs of a kind), and one
# word with the totals used of kinds 1, 2, 3 in 16 bits each.
SLOT_BITS = 4
SLOT_MASK = (1 << SLOT_BITS) - 1
SLOTS_PER_WORD = 15
SLOTS = 3 * SLOTS_PER_WORD
TOTAL_BITS = 16
TOTAL_MASK = (1 << TOTAL_BITS) - 1
CHOICE_BITS = 4  # how many of each kind are put into a box, in a word: a + (b << 4) + (c << 8)
CHOICE_MASK = (1 << CHOICE_BITS) - 1

MOST_BITS = 900  # with more bits of fillings, numbers might leave the range of a float (2 ** 1023)
LEAST_SHARE = 1e-300  # of what is possible: never 0
LEAST_FREE_SHARE = 1e-280
MOST_SHEETS = 1 << 26  # numbers in all sheets: half a gigabyte


class Workspace(NamedTuple):
    """Memory for the layers of all components: states, edges, a hash table for the layer under construction."""

    keys: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    edges: np.ndarray  # source, target, choice
    ways: np.ndarray
    table: np.ndarray
    stamps: np.ndarray
    clock: np.ndarray
    log_factorials: np.ndarray
    sheets: np.ndarray  # products of the polynomials of components


def make_workspace(states: int, most_variables: int) -> Workspace:
    """Memory for so many states in all, of problems with at most so many variables."""
    slots = 1 << (2 * states - 1).bit_length()
    log_factorials = np.zeros(most_variables + 1)
    log_factorials[1:] = np.cumsum(np.log(np.arange(1, most_variables + 1)))
    return Workspace(
        np.zeros((states, 4), np.int64),
        np.zeros(states),
        np.zeros(states),
        np.zeros((8 * states, 3), np.int64),
        np.zeros(8 * states),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(1, np.int64),
        log_factorials,
        np.zeros(16 * states),
    )


@kernel(python_entry=False, inline=True)
def add(logarithms: bool, one: float, other: float) -> float:
    """one + other; of numbers given by their logarithms, its logarithm."""
    return np.logaddexp(one, other) if logarithms else one + other


@kernel(python_entry=False, inline=True)
def multiply(logarithms: bool, one: float, other: float) -> float:
    """one * other; of numbers given by their logarithms, its logarithm."""
    return one + other if logarithms else one * other


@kernel
def log_ways_of_free(logs: np.ndarray, first: int, second: int, x: int, y: int, z: int) -> float:
    """The logarithm of the number of ways to fill the free variables, or -1 when there is none."""
    empty = first + second - x - y - z
    if x < 0 or y < 0 or z < 0 or x > first or y > second or empty < 0:
        return -1.0
    return float(
        logs[first] - logs[x] - logs[first - x] + logs[second] - logs[y] - logs[second - y]
        + logs[first + second - x - y] - logs[z] - logs[empty]
    )  # fmt: skip


@kernel
def solve(
    workspace: Workspace, problem: Problem, shares: np.ndarray, free_shares: np.ndarray
) -> tuple[int, float]:
    """Count: row b of `shares` and row g of `free_shares` become the shares of (empty, kind 1, 2, 3) of a variable
    of box b and of a free variable of group g.

    Gives how it ended and the logarithm of the number of models.
    """
    sizes, links, weights, needs = problem.sizes, problem.links, problem.weights, problem.needs
    first, second, left = problem.free[0], problem.free[1], problem.left
    boxes, constraints = sizes.shape[0], needs.shape[0]
    allowed = problem.kinds.copy()  # less the kinds that its constraints do not need
    component = np.full(boxes, -1, np.int64)
    # Of each constraint: variables of boxes not yet placed that may hold the kind, and boxes not yet placed.
    capacity = np.zeros((constraints + 1, KINDS), np.int64)
    waiting = np.zeros(constraints + 1, np.int64)
    for b in range(boxes):
        for i in range(MOST_LINKS):
            constraint = links[b, i]
            if constraint == NO_LINK:
                break
            for kind in range(KINDS):
                if needs[constraint, kind] <= 0:
                    allowed[b] &= ~(1 << kind)
    touching = np.full((constraints + 1, MOST_BOXES), -1, np.int64)
    bits = 0  # there are at most 2 ** bits ways to fill the boxes
    for b in range(boxes):
        bits += sizes[b] * min(2, (allowed[b] & 1) + (allowed[b] >> 1 & 1) + (allowed[b] >> 2))
        for i in range(MOST_LINKS):
            constraint = links[b, i]
            if constraint == NO_LINK:
                break
            touching[constraint, waiting[constraint]] = b
            waiting[constraint] += 1
            for kind in range(KINDS):
                if allowed[b] >> kind & 1:
                    capacity[constraint, kind] += sizes[b]
    for constraint in range(constraints):
        for kind in range(KINDS):
            if needs[constraint, kind] < 0 or needs[constraint, kind] > capacity[constraint, kind]:
                return INFEASIBLE, 0.0
    # Components.
    reach = np.zeros(boxes + 1, np.int64)
    components = 0
    for root in range(boxes):
        if component[root] >= 0:
            continue
        reach[0], top = root, 1
        component[root] = components
        while top:
            top -= 1
            b = reach[top]
            for i in range(MOST_LINKS):
                constraint = links[b, i]
                if constraint == NO_LINK:
                    break
                for j in range(waiting[constraint]):
                    other = touching[constraint, j]
                    if component[other] < 0:
                        component[other] = components
                        reach[top] = other
                        top += 1
        components += 1

    logarithms = bits > MOST_BITS
    zero, one = (-np.inf, 0.0) if logarithms else (0.0, 1.0)
    keys, forward, backward = workspace.keys, workspace.forward, workspace.backward
    edges, ways, table, stamps = workspace.edges, workspace.ways, workspace.table, workspace.stamps
    most_states, most_edges, table_mask = keys.shape[0], edges.shape[0], table.shape[0] - 1
    factorial = np.ones(MOST_VARIABLES + 1)
    for i in range(1, MOST_VARIABLES + 1):
        factorial[i] = factorial[i - 1] * i

    states_end = 0
    edges_end = 0
    layer_of = np.zeros(boxes + 1, np.int64)  # first edge of the layer that places this box
    order = np.zeros(boxes, np.int64)
    placed = 0
    part_begin = np.zeros(components + 1, np.int64)  # into `order`
    last_begin = np.zeros(components, np.int64)  # states of the last layer
    last_end = np.zeros(components, np.int64)
    low = np.zeros((components, KINDS), np.int64)  # totals used: the lowest, and how far they go above it
    wide = np.zeros((components, KINDS), np.int64)
    slot_of = np.full((constraints + 1, KINDS), -1, np.int64)
    opened = np.zeros(constraints + 1, np.int64)
    taken = np.zeros(SLOTS, np.int64)
    minus = np.zeros((KINDS, 3), np.int64)  # kind, word
    plus = np.zeros(3, np.int64)
    need_word = np.zeros(MOST_LINKS * KINDS, np.int64)
    need_shift = np.zeros(MOST_LINKS * KINDS, np.int64)
    need_kind = np.zeros(MOST_LINKS * KINDS, np.int64)
    need_after = np.zeros(MOST_LINKS * KINDS, np.int64)

    for part in range(components):
        part_begin[part] = placed
        members = 0
        for b in range(boxes):
            if component[b] == part:
                reach[members] = b
                members += 1
        begin = states_end
        if begin >= most_states:
            return TOO_LARGE, 0.0
        keys[begin, :] = 0
        forward[begin], backward[begin] = one, zero
        states_end += 1
        end = states_end
        while members:
            # The next box: the one that opens fewest constraints and closes most.
            best, best_score = 0, 1 << 30
            for i in range(members):
                b = reach[i]
                score = 0
                for j in range(MOST_LINKS):
                    constraint = links[b, j]
                    if constraint == NO_LINK:
                        break
                    if not opened[constraint]:
                        score += 2
                    if waiting[constraint] == 1:
                        score -= 3
                if score < best_score:
                    best, best_score = i, score
            box = reach[best]
            members -= 1
            reach[best] = reach[members]
            size, mask = sizes[box], allowed[box]
            minus[:, :] = 0
            plus[:] = 0
            slots = 0
            for j in range(MOST_LINKS):
                constraint = links[box, j]
                if constraint == NO_LINK:
                    break
                waiting[constraint] -= 1
                for kind in range(KINDS):
                    if needs[constraint, kind] > 0:
                        if not opened[constraint]:
                            slot = 0
                            while slot < SLOTS and taken[slot]:
                                slot += 1
                            if slot == SLOTS:
                                return TOO_LARGE, 0.0
                            taken[slot] = 1
                            slot_of[constraint, kind] = slot
                            shift = SLOT_BITS * (slot % SLOTS_PER_WORD)
                            plus[slot // SLOTS_PER_WORD] += needs[constraint, kind] << shift
                        if mask >> kind & 1:
                            capacity[constraint, kind] -= size
                        slot = slot_of[constraint, kind]
                        word, shift = slot // SLOTS_PER_WORD, SLOT_BITS * (slot % SLOTS_PER_WORD)
                        minus[kind, word] += 1 << shift
                        need_word[slots], need_shift[slots] = word, shift
                        need_kind[slots], need_after[slots] = kind, capacity[constraint, kind]
                        slots += 1
                opened[constraint] = 1
            for j in range(MOST_LINKS):  # slots of constraints that close here are free from the next box on
                constraint = links[box, j]
                if constraint == NO_LINK:
                    break
                if waiting[constraint] == 0:
                    for kind in range(KINDS):
                        if slot_of[constraint, kind] >= 0:
                            taken[slot_of[constraint, kind]] = 0
            layer_of[placed] = edges_end
            order[placed] = box
            placed += 1
            workspace.clock[0] += 1
            stamp = workspace.clock[0]
            for source in range(begin, end):
                k0, k1, k2 = keys[source, 0] + plus[0], keys[source, 1] + plus[1], keys[source, 2] + plus[2]
                totals = keys[source, 3]
                lo0 = lo1 = lo2 = 0
                hi0 = size if mask & 1 else 0
                hi1 = size if mask & 2 else 0
                hi2 = size if mask & 4 else 0
                for i in range(slots):
                    word = need_word[i]
                    need = (k0 if word == 0 else k1 if word == 1 else k2) >> need_shift[i] & SLOT_MASK
                    after = need - need_after[i]
                    if need_kind[i] == 0:
                        hi0, lo0 = min(hi0, need), max(lo0, after)
                    elif need_kind[i] == 1:
                        hi1, lo1 = min(hi1, need), max(lo1, after)
                    else:
                        hi2, lo2 = min(hi2, need), max(lo2, after)
                hi0 = min(hi0, left[0] - (totals & TOTAL_MASK))
                hi1 = min(hi1, left[1] - (totals >> TOTAL_BITS & TOTAL_MASK))
                hi2 = min(hi2, left[2] - (totals >> 2 * TOTAL_BITS & TOTAL_MASK))
                for a in range(lo0, hi0 + 1):
                    for b in range(lo1, hi1 + 1):
                        if a + b > size:
                            break
                        for c in range(lo2, hi2 + 1):
                            rest = size - a - b - c
                            if rest < 0:
                                break
                            n0 = k0 - a * minus[0, 0] - b * minus[1, 0] - c * minus[2, 0]
                            n1 = k1 - a * minus[0, 1] - b * minus[1, 1] - c * minus[2, 1]
                            n2 = k2 - a * minus[0, 2] - b * minus[1, 2] - c * minus[2, 2]
                            n3 = totals + a + (b << TOTAL_BITS) + (c << 2 * TOTAL_BITS)
                            spot = mix(n3, mix(n2, mix(n1, n0))) & table_mask
                            while stamps[spot] == stamp:
                                known = table[spot]
                                if (
                                    keys[known, 0] == n0
                                    and keys[known, 1] == n1
                                    and keys[known, 2] == n2
                                    and keys[known, 3] == n3
                                ):
                                    break
                                spot = (spot + 1) & table_mask
                            if stamps[spot] != stamp:
                                if states_end >= most_states:
                                    return TOO_LARGE, 0.0
                                stamps[spot] = stamp
                                table[spot] = states_end
                                keys[states_end, 0], keys[states_end, 1] = n0, n1
                                keys[states_end, 2], keys[states_end, 3] = n2, n3
                                forward[states_end] = backward[states_end] = zero
                                states_end += 1
                            if edges_end >= most_edges:
                                return TOO_LARGE, 0.0
                            target = table[spot]
                            weight = factorial[size] / (
                                factorial[a] * factorial[b] * factorial[c] * factorial[rest]
                            )
                            for _ in range(a):
                                weight *= weights[box, 0]
                            for _ in range(b):
                                weight *= weights[box, 1]
                            for _ in range(c):
                                weight *= weights[box, 2]
                            if logarithms:
                                weight = np.log(weight) if weight > 0.0 else zero
                            edges[edges_end, 0], edges[edges_end, 1] = source, target
                            edges[edges_end, 2] = a + (b << CHOICE_BITS) + (c << 2 * CHOICE_BITS)
                            ways[edges_end] = weight
                            edges_end += 1
                            forward[target] = add(
                                logarithms, forward[target], multiply(logarithms, forward[source], weight)
                            )
            begin, end = end, states_end
            if begin == end:
                return INFEASIBLE, 0.0
        last_begin[part], last_end[part] = begin, end
        for kind in range(KINDS):
            least, most = 1 << 30, 0
            for state in range(begin, end):
                used = keys[state, 3] >> TOTAL_BITS * kind & TOTAL_MASK
                least, most = min(least, used), max(most, used)
            low[part, kind], wide[part, kind] = least, most - least
    part_begin[components] = placed
    layer_of[placed] = edges_end

    # Sheets are tables of numbers by totals used, above their lowest. sheet[part] begins that of the ways of all
    # components before the part, sheet[components + 1 + part] that of what can follow them.
    base = np.zeros(KINDS, np.int64)
    span = np.ones((components + 1, KINDS), np.int64)
    sheet = np.zeros(2 * components + 3, np.int64)
    size_needed = 0
    for part in range(components + 1):
        if part:
            for kind in range(KINDS):
                span[part, kind] = span[part - 1, kind] + wide[part - 1, kind]
                base[kind] += low[part - 1, kind]
        sheet[part] = size_needed
        size_needed += span[part, 0] * span[part, 1] * span[part, 2]
    for part in range(components + 1):
        sheet[components + 1 + part] = size_needed
        size_needed += span[part, 0] * span[part, 1] * span[part, 2]
    if size_needed > MOST_SHEETS:
        return TOO_LARGE, 0.0
    sheets = workspace.sheets if size_needed <= workspace.sheets.shape[0] else np.zeros(size_needed)
    sheets[:size_needed] = zero
    sheets[0] = one
    for part in range(components):
        s1, s2 = span[part, 1], span[part, 2]
        t1, t2 = span[part + 1, 1], span[part + 1, 2]
        for state in range(last_begin[part], last_end[part]):
            totals = keys[state, 3]
            x = (totals & TOTAL_MASK) - low[part, 0]
            y = (totals >> TOTAL_BITS & TOTAL_MASK) - low[part, 1]
            z = (totals >> 2 * TOTAL_BITS & TOTAL_MASK) - low[part, 2]
            for i in range(span[part, 0]):
                for j in range(s1):
                    for k in range(s2):
                        amount = sheets[sheet[part] + (i * s1 + j) * s2 + k]
                        if amount != zero:
                            spot = sheet[part + 1] + ((i + x) * t1 + j + y) * t2 + k + z
                            sheets[spot] = add(
                                logarithms, sheets[spot], multiply(logarithms, amount, forward[state])
                            )
    # The ways of the free variables, scaled by the largest, give the last of the sheets of what can follow.
    s0, s1, s2 = span[components, 0], span[components, 1], span[components, 2]
    scale = -np.inf
    for i in range(s0):
        for j in range(s1):
            for k in range(s2):
                amount = sheets[sheet[components] + (i * s1 + j) * s2 + k]
                if amount != zero:
                    x, y, z = left[0] - base[0] - i, left[1] - base[1] - j, left[2] - base[2] - k
                    power = log_ways_of_free(workspace.log_factorials, first, second, x, y, z)
                    if power >= 0.0:
                        scale = max(scale, power + amount if logarithms else power)
    if scale == -np.inf:
        return INFEASIBLE, 0.0
    total = 0.0
    free_shares[:, :] = 0.0
    follow = sheet[components + 1 + components]
    for i in range(s0):
        for j in range(s1):
            for k in range(s2):
                spot = (i * s1 + j) * s2 + k
                x, y, z = left[0] - base[0] - i, left[1] - base[1] - j, left[2] - base[2] - k
                power = log_ways_of_free(workspace.log_factorials, first, second, x, y, z)
                if power < 0.0:
                    continue
                amount = sheets[sheet[components] + spot]
                if logarithms:
                    sheets[follow + spot] = power - scale
                    value = max(np.exp(amount + power - scale), LEAST_SHARE) if amount != zero else 0.0
                else:
                    sheets[follow + spot] = max(np.exp(power - scale), LEAST_FREE_SHARE)
                    value = amount * sheets[follow + spot]
                if value == 0.0:
                    continue
                total += value
                without_own_kinds = first + second - x - y  # free variables that may hold the shared kind
                for group in range(2):
                    many = first if group == 0 else second
                    if many == 0:
                        continue
                    own = x if group == 0 else y
                    free_shares[group, 1 + group] += value * own / many
                    if without_own_kinds:
                        others = value * (many - own) / many
                        free_shares[group, SHARED] += others * z / without_own_kinds
                        free_shares[group, 0] += others * (without_own_kinds - z) / without_own_kinds
    if total == 0.0:
        return INFEASIBLE, 0.0
    for group in range(2):
        for content in range(VALUES):
            free_shares[group, content] /= total
    for part in range(components - 1, -1, -1):
        # What can follow this component's totals, summed over what may come before it.
        s1, s2 = span[part, 1], span[part, 2]
        t1, t2 = span[part + 1, 1], span[part + 1, 2]
        here, following = sheet[components + 1 + part], sheet[components + 2 + part]
        for state in range(last_begin[part], last_end[part]):
            totals = keys[state, 3]
            x = (totals & TOTAL_MASK) - low[part, 0]
            y = (totals >> TOTAL_BITS & TOTAL_MASK) - low[part, 1]
            z = (totals >> 2 * TOTAL_BITS & TOTAL_MASK) - low[part, 2]
            value = zero
            for i in range(span[part, 0]):
                for j in range(s1):
                    for k in range(s2):
                        spot = (i * s1 + j) * s2 + k
                        after = sheets[following + ((i + x) * t1 + j + y) * t2 + k + z]
                        value = add(
                            logarithms, value, multiply(logarithms, sheets[sheet[part] + spot], after)
                        )
                        sheets[here + spot] = add(
                            logarithms, sheets[here + spot], multiply(logarithms, forward[state], after)
                        )
            backward[state] = value
        for place in range(part_begin[part + 1] - 1, part_begin[part] - 1, -1):
            box = order[place]
            size = sizes[box]
            h0 = h1 = h2 = h3 = 0.0
            for edge in range(layer_of[place], layer_of[place + 1]):
                source = edges[edge, 0]
                value = multiply(logarithms, ways[edge], backward[edges[edge, 1]])
                if value == zero:
                    continue
                backward[source] = add(logarithms, backward[source], value)
                value = multiply(logarithms, value, forward[source])
                if logarithms:
                    value = max(np.exp(value), LEAST_SHARE) if value != zero else 0.0
                choice = edges[edge, 2]
                a, b, c = choice & CHOICE_MASK, choice >> CHOICE_BITS & CHOICE_MASK, choice >> 2 * CHOICE_BITS
                h1 += value * a
                h2 += value * b
                h3 += value * c
                h0 += value * (size - a - b - c)
            whole = h0 + h1 + h2 + h3 if logarithms else size * total
            shares[box, 0], shares[box, 1] = h0 / whole, h1 / whole
            shares[box, 2], shares[box, 3] = h2 / whole, h3 / whole
    return COUNTED, np.log(total) + scale
