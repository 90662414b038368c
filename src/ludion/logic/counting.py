"""Exact model counting: in how many ways can cells be filled so that every clue and every total is kept?

A *box* is a set of cells that no clue tells apart; each of its cells is empty or holds one of three kinds, if
its mask allows that kind. A *clue* says exactly how many of each kind its boxes hold together. All other
cells, which no clue touches, are the *pool*: `first` cells that may hold kind 0 or 2, `second` cells that may
hold kind 1 or 2. The *left* totals say how many of each kind boxes and pool hold together.

    boxes   sizes[b]  masks[b]  links[b, :8] = clues that touch it, -1 for none    (a box has at most 8 cells)
    clues   needs[c, kind]
    pool    first, second, left[kind]:   W(t, s, c) = C(first, t) C(second, s) C(first + second - t - s, c)

Boxes that share no clue are independent *components*. Each is counted by dynamic programming over its boxes,
one layer a box; a state is what the open clues still need, together with the totals used so far. Going
forward gives the number of ways to reach a state, going backward the number of ways to finish from it, and an
edge between two layers is worth the product: so one pass each way gives the share of all models in which a
cell holds a kind.

`count` is exact, in integers of any size. `solve` is its compiled twin in floating point: every number in it
is a sum of products of positive numbers, so what it calls impossible (0) or certain is exactly so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix

KINDS = 3
MOST_LINKS = 8
MOST_CELLS = 8  # of a box
SLOTS_A_WORD = 15  # what a clue still needs of a kind takes 4 bits of a state's key
SLOTS = 3 * SLOTS_A_WORD
TOTAL_BITS = 16

INFEASIBLE, COUNTED, TOO_LARGE = 0, 1, 2


# ------------------------------------------------------------------ in integers


@dataclass(frozen=True)
class Problem:
    """Boxes, clues, pool and totals, as described above."""

    sizes: Sequence[int]
    masks: Sequence[int]
    links: Sequence[Sequence[int]]
    needs: Sequence[Sequence[int]]
    first: int
    second: int
    left: Sequence[int]


@dataclass(frozen=True)
class Count:
    """How many models there are, and in how many of them one given cell holds what (empty, kind 0, 1, 2)."""

    models: int
    boxes: list[tuple[int, int, int, int]]
    pool: tuple[tuple[int, int, int, int], tuple[int, int, int, int]]  # a `first` cell, a `second` cell

    def share(self, ways: int) -> Fraction:
        return Fraction(ways, self.models)


def ways_of_pool(first: int, second: int, t: int, s: int, c: int) -> int:
    """In how many ways the pool can hold so many of each kind."""
    if min(t, s, c) < 0 or t > first or s > second or t + s + c > first + second:
        return 0
    return math.comb(first, t) * math.comb(second, s) * math.comb(first + second - t - s, c)


Totals = tuple[int, int, int]


def count(problem: Problem) -> Count:
    """Count the models exactly."""
    sizes, links = problem.sizes, [[c for c in each if c >= 0] for each in problem.links]
    left = tuple(problem.left)
    components = [_layers(problem, links, part) for part in _components(links, len(problem.needs))]
    nothing = Count(0, [(0, 0, 0, 0)] * len(sizes), ((0, 0, 0, 0), (0, 0, 0, 0)))
    touched = {clue for each in links for clue in each}
    empty = [clue for clue in range(len(problem.needs)) if clue not in touched]
    if any(any(problem.needs[clue]) for clue in empty) or any(not layers[-1][1] for layers in components):
        return nothing
    # Polynomials of the components, and the products of all before and of all after each.
    polynomials = [{key[1]: ways for key, ways in layers[-1][1].items()} for layers in components]
    before: list[dict[Totals, int]] = [{(0, 0, 0): 1}]
    for polynomial in polynomials:
        before.append(_product(before[-1], polynomial))
    after: list[dict[Totals, int]] = [{(0, 0, 0): 1}]
    for polynomial in reversed(polynomials):
        after.append(_product(after[-1], polynomial))
    after.reverse()

    def pool(used: Totals) -> int:
        return ways_of_pool(
            problem.first, problem.second, left[0] - used[0], left[1] - used[1], left[2] - used[2]
        )

    models = sum(ways * pool(used) for used, ways in before[-1].items())
    if models == 0:
        return nothing
    boxes: list[tuple[int, int, int, int]] = [(0, 0, 0, 0)] * len(sizes)
    for index, layers in enumerate(components):
        others = _product(before[index], after[index + 1])
        finish = {
            key: sum(ways * pool(_sum(used, key[1])) for used, ways in others.items())
            for key in layers[-1][1]
        }
        for depth in range(len(layers) - 1, 0, -1):
            box, _, edges = layers[depth]
            earlier: dict[Any, int] = {}
            held = [0, 0, 0, 0]
            for source, choice, ways, target in edges:
                value = ways * finish.get(target, 0)  # 0: a dead end
                earlier[source] = earlier.get(source, 0) + value
                value *= layers[depth - 1][1][source]
                for kind in range(KINDS):
                    held[1 + kind] += value * choice[kind]
                held[0] += value * (sizes[box] - sum(choice))
            boxes[box] = tuple(number // sizes[box] for number in held)
            finish = earlier
    return Count(models, boxes, _pool_cells(problem, before[-1]))


def _pool_cells(problem: Problem, used: dict[Totals, int]) -> Any:
    cells = []
    for own in (0, 1):
        size = (problem.first, problem.second)[own]
        empty, tigers, crocodiles = Fraction(0), Fraction(0), Fraction(0)
        if size:
            for (a, b, c), ways in used.items():
                rest = (problem.left[0] - a, problem.left[1] - b, problem.left[2] - c)
                value = Fraction(ways * ways_of_pool(problem.first, problem.second, *rest))
                if not value:
                    continue
                holds = value * Fraction(rest[own], size)
                free = problem.first + problem.second - rest[0] - rest[1]
                croco = (value - holds) * Fraction(rest[2], free) if free else Fraction(0)
                tigers, crocodiles, empty = tigers + holds, crocodiles + croco, empty + value - holds - croco
        found = [int(empty), 0, 0, int(crocodiles)]
        found[1 + own] = int(tigers)
        cells.append(tuple(found))
    return tuple(cells)


def _components(links: Sequence[Sequence[int]], clues: int) -> list[list[int]]:
    """The boxes in groups that share clues, each group in an order that keeps few clues open."""
    touching: list[list[int]] = [[] for _ in range(clues)]
    for box, mine in enumerate(links):
        for clue in mine:
            touching[clue].append(box)
    groups = []
    waiting = [len(each) for each in touching]
    open_clues: set[int] = set()
    unplaced = set(range(len(links)))
    while unplaced:
        group: list[int] = []
        near = {min(unplaced)}
        while near:
            box = min(
                near,
                key=lambda b: (sum((c not in open_clues) * 2 - (waiting[c] == 1) * 3 for c in links[b]), b),
            )
            group.append(box)
            unplaced.discard(box)
            for clue in links[box]:
                waiting[clue] -= 1
                open_clues.add(clue)
                near.update(touching[clue])
            near &= unplaced
        groups.append(group)
    return groups


def _layers(problem: Problem, links: Sequence[Sequence[int]], boxes: list[int]) -> list[Any]:
    """Layers (box, ways to each state, edges); a state is (what clues still need, totals used)."""
    clues = sorted({clue for box in boxes for clue in links[box]})
    place = {clue: index for index, clue in enumerate(clues)}
    room = {clue: [0] * KINDS for clue in clues}  # cells of boxes not yet placed that may hold the kind

    def take(box: int, sign: int) -> None:
        for clue in links[box]:
            for kind in range(KINDS):
                room[clue][kind] += sign * problem.sizes[box] * (problem.masks[box] >> kind & 1)

    for box in boxes:
        take(box, 1)
    start = (tuple(tuple(problem.needs[clue]) for clue in clues), (0, 0, 0))
    layers: list[Any] = [(-1, {start: 1}, [])]
    for box in boxes:
        take(box, -1)
        size = problem.sizes[box]
        ways_to: dict[Any, int] = {}
        edges = []
        for state, ways in layers[-1][1].items():
            for choice in _choices(size, problem.masks[box]):
                used = _sum(state[1], choice)
                if any(u > t for u, t in zip(used, problem.left, strict=True)):
                    continue
                needs = list(state[0])
                for clue in links[box]:
                    still = tuple(n - k for n, k in zip(needs[place[clue]], choice, strict=True))
                    if any(not 0 <= n <= most for n, most in zip(still, room[clue], strict=True)):
                        break
                    needs[place[clue]] = still
                else:
                    target = (tuple(needs), used)
                    fills = math.factorial(size) // math.prod(
                        math.factorial(k) for k in (*choice, size - sum(choice))
                    )
                    ways_to[target] = ways_to.get(target, 0) + ways * fills
                    edges.append((state, choice, fills, target))
        layers.append((box, ways_to, edges))
    return layers


def _choices(size: int, mask: int) -> list[Totals]:
    most = [size if mask >> kind & 1 else 0 for kind in range(KINDS)]
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


class Space(NamedTuple):
    """Room for the layers of all components: states, edges, a hash table for the layer under construction.

    key of a state: three words of 15 slots of 4 bits (what open clues still need of a kind), one of totals
    """

    keys: np.ndarray
    forward: np.ndarray
    backward: np.ndarray
    edges: np.ndarray  # source, target, choice (a + 16 b + 256 c)
    ways: np.ndarray
    table: np.ndarray
    stamps: np.ndarray
    clock: np.ndarray
    logs: np.ndarray  # logarithms of factorials
    sheets: np.ndarray  # products of polynomials of components


def space(states: int = 1 << 15, most: int = 10_000) -> Space:
    """Room for so many states in all."""
    slots = 1 << (2 * states - 1).bit_length()
    logs = np.zeros(most + 1)
    logs[1:] = np.cumsum(np.log(np.arange(1, most + 1)))
    return Space(
        np.zeros((states, 4), np.int64),
        np.zeros(states),
        np.zeros(states),
        np.zeros((8 * states, 3), np.int64),
        np.zeros(8 * states),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(1, np.int64),
        logs,
        np.zeros(16 * states),
    )


@kernel
def log_ways_of_pool(logs: Any, first: int, second: int, t: int, s: int, c: int) -> float:
    """The logarithm of the number of ways to fill the pool, or -1 when there is none."""
    free = first + second - t - s - c
    if t < 0 or s < 0 or c < 0 or t > first or s > second or free < 0:
        return -1.0
    return float(
        logs[first] - logs[t] - logs[first - t] + logs[second] - logs[s] - logs[second - s]
        + logs[first + second - t - s] - logs[c] - logs[free]
    )  # fmt: skip


@kernel
def solve(
    room: Space,
    boxes: int,
    sizes: Any,
    masks: Any,
    links: Any,
    odds: Any,
    clues: int,
    needs: Any,
    first: int,
    second: int,
    left: Any,
    held: Any,
    held_pool: Any,
) -> tuple[int, float]:
    """Count: `held[b]` and `held_pool[0 or 1]` become the shares of (empty, kind 0, 1, 2) of a cell.

    `odds[b, kind]` weighs a kind in a box (1 when every model counts the same). Gives how it ended and the
    logarithm of the number of models.
    """
    allowed = masks[:boxes].copy()
    group = np.full(boxes, -1, np.int64)
    capacity = np.zeros((clues + 1, 3), np.int64)  # cells of boxes not yet placed that may hold the kind
    waiting = np.zeros(clues + 1, np.int64)  # boxes not yet placed
    for b in range(boxes):
        for i in range(MOST_LINKS):
            clue = links[b, i]
            if clue < 0:
                break
            for kind in range(KINDS):
                if needs[clue, kind] <= 0:
                    allowed[b] &= ~(1 << kind)
    touching = np.full((clues + 1, 8), -1, np.int64)
    for b in range(boxes):
        for i in range(MOST_LINKS):
            clue = links[b, i]
            if clue < 0:
                break
            touching[clue, waiting[clue]] = b
            waiting[clue] += 1
            for kind in range(KINDS):
                if allowed[b] >> kind & 1:
                    capacity[clue, kind] += sizes[b]
    for clue in range(clues):
        for kind in range(KINDS):
            if needs[clue, kind] < 0 or needs[clue, kind] > capacity[clue, kind]:
                return INFEASIBLE, 0.0
    # Components.
    reach = np.zeros(boxes + 1, np.int64)
    components = 0
    for root in range(boxes):
        if group[root] >= 0:
            continue
        reach[0], top = root, 1
        group[root] = components
        while top:
            top -= 1
            b = reach[top]
            for i in range(MOST_LINKS):
                clue = links[b, i]
                if clue < 0:
                    break
                for j in range(waiting[clue]):
                    other = touching[clue, j]
                    if group[other] < 0:
                        group[other] = components
                        reach[top] = other
                        top += 1
        components += 1

    keys, forward, backward = room.keys, room.forward, room.backward
    edges, ways, table, stamps = room.edges, room.ways, room.table, room.stamps
    most_states, most_edges, table_mask = keys.shape[0], edges.shape[0], table.shape[0] - 1
    factorial = np.ones(MOST_CELLS + 1)
    for i in range(1, MOST_CELLS + 1):
        factorial[i] = factorial[i - 1] * i

    states_end = 0
    edges_end = 0
    layer_of = np.zeros(boxes + 1, np.int64)  # first edge of the layer that places this box
    order = np.zeros(boxes, np.int64)
    placed = 0
    part_begin = np.zeros(components + 1, np.int64)  # into `order`
    last_begin = np.zeros(components, np.int64)  # states of the last layer
    last_end = np.zeros(components, np.int64)
    low = np.zeros((components, 3), np.int64)
    wide = np.zeros((components, 3), np.int64)
    slot_of = np.full((clues + 1, 3), -1, np.int64)
    open_clue = np.zeros(clues + 1, np.int64)
    taken = np.zeros(SLOTS, np.int64)
    minus = np.zeros((3, 3), np.int64)  # kind, word
    plus = np.zeros(3, np.int64)
    need_word = np.zeros(24, np.int64)
    need_shift = np.zeros(24, np.int64)
    need_kind = np.zeros(24, np.int64)
    need_after = np.zeros(24, np.int64)

    for part in range(components):
        part_begin[part] = placed
        members = 0
        for b in range(boxes):
            if group[b] == part:
                reach[members] = b
                members += 1
        begin = states_end
        if begin >= most_states:
            return TOO_LARGE, 0.0
        keys[begin, :] = 0
        forward[begin], backward[begin] = 1.0, 0.0
        states_end += 1
        end = states_end
        while members:
            # The next box: the one that opens fewest clues and closes most.
            best, best_score = 0, 1 << 30
            for i in range(members):
                b = reach[i]
                score = 0
                for j in range(MOST_LINKS):
                    clue = links[b, j]
                    if clue < 0:
                        break
                    if not open_clue[clue]:
                        score += 2
                    if waiting[clue] == 1:
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
                clue = links[box, j]
                if clue < 0:
                    break
                waiting[clue] -= 1
                for kind in range(KINDS):
                    if needs[clue, kind] > 0:
                        if not open_clue[clue]:
                            slot = 0
                            while slot < SLOTS and taken[slot]:
                                slot += 1
                            if slot == SLOTS:
                                return TOO_LARGE, 0.0
                            taken[slot] = 1
                            slot_of[clue, kind] = slot
                            plus[slot // SLOTS_A_WORD] += needs[clue, kind] << 4 * (slot % SLOTS_A_WORD)
                        if mask >> kind & 1:
                            capacity[clue, kind] -= size
                        slot = slot_of[clue, kind]
                        word, shift = slot // SLOTS_A_WORD, 4 * (slot % SLOTS_A_WORD)
                        minus[kind, word] += 1 << shift
                        need_word[slots], need_shift[slots] = word, shift
                        need_kind[slots], need_after[slots] = kind, capacity[clue, kind]
                        slots += 1
                open_clue[clue] = 1
            for j in range(MOST_LINKS):  # slots of clues that close here are free from the next box on
                clue = links[box, j]
                if clue < 0:
                    break
                if waiting[clue] == 0:
                    for kind in range(KINDS):
                        if slot_of[clue, kind] >= 0:
                            taken[slot_of[clue, kind]] = 0
            layer_of[placed] = edges_end
            order[placed] = box
            placed += 1
            room.clock[0] += 1
            stamp = room.clock[0]
            for source in range(begin, end):
                k0, k1, k2 = keys[source, 0] + plus[0], keys[source, 1] + plus[1], keys[source, 2] + plus[2]
                totals = keys[source, 3]
                lo0 = lo1 = lo2 = 0
                hi0 = size if mask & 1 else 0
                hi1 = size if mask & 2 else 0
                hi2 = size if mask & 4 else 0
                for i in range(slots):
                    word = need_word[i]
                    need = (k0 if word == 0 else k1 if word == 1 else k2) >> need_shift[i] & 15
                    after = need - need_after[i]
                    if need_kind[i] == 0:
                        hi0, lo0 = min(hi0, need), max(lo0, after)
                    elif need_kind[i] == 1:
                        hi1, lo1 = min(hi1, need), max(lo1, after)
                    else:
                        hi2, lo2 = min(hi2, need), max(lo2, after)
                hi0 = min(hi0, left[0] - (totals & 0xFFFF))
                hi1 = min(hi1, left[1] - (totals >> 16 & 0xFFFF))
                hi2 = min(hi2, left[2] - (totals >> 32 & 0xFFFF))
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
                            n3 = totals + a + (b << 16) + (c << 32)
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
                                forward[states_end] = backward[states_end] = 0.0
                                states_end += 1
                            if edges_end >= most_edges:
                                return TOO_LARGE, 0.0
                            target = table[spot]
                            weight = factorial[size] / (
                                factorial[a] * factorial[b] * factorial[c] * factorial[rest]
                            )
                            for _ in range(a):
                                weight *= odds[box, 0]
                            for _ in range(b):
                                weight *= odds[box, 1]
                            for _ in range(c):
                                weight *= odds[box, 2]
                            edges[edges_end, 0], edges[edges_end, 1] = source, target
                            edges[edges_end, 2] = a + 16 * b + 256 * c
                            ways[edges_end] = weight
                            edges_end += 1
                            forward[target] += forward[source] * weight
            begin, end = end, states_end
            if begin == end:
                return INFEASIBLE, 0.0
        last_begin[part], last_end[part] = begin, end
        for kind in range(KINDS):
            least, most = 1 << 30, 0
            for state in range(begin, end):
                used = keys[state, 3] >> TOTAL_BITS * kind & 0xFFFF
                least, most = min(least, used), max(most, used)
            low[part, kind], wide[part, kind] = least, most - least
    part_begin[components] = placed
    layer_of[placed] = edges_end

    # Sheets: before[part] counts the ways of all components before it, by totals used above their lowest.
    base = np.zeros(3, np.int64)
    span = np.ones((components + 1, 3), np.int64)
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
    sheets = room.sheets if size_needed <= room.sheets.shape[0] else np.zeros(size_needed)
    sheets[:size_needed] = 0.0
    sheets[0] = 1.0
    for part in range(components):
        s1, s2 = span[part, 1], span[part, 2]
        t1, t2 = span[part + 1, 1], span[part + 1, 2]
        for state in range(last_begin[part], last_end[part]):
            totals = keys[state, 3]
            x = (totals & 0xFFFF) - low[part, 0]
            y = (totals >> 16 & 0xFFFF) - low[part, 1]
            z = (totals >> 32 & 0xFFFF) - low[part, 2]
            for i in range(span[part, 0]):
                for j in range(s1):
                    for k in range(s2):
                        amount = sheets[sheet[part] + (i * s1 + j) * s2 + k]
                        if amount != 0.0:
                            sheets[sheet[part + 1] + ((i + x) * t1 + j + y) * t2 + k + z] += (
                                amount * forward[state]
                            )
    # The pool, scaled by its largest term, gives the last of the sheets of what can follow.
    s0, s1, s2 = span[components, 0], span[components, 1], span[components, 2]
    scale = -1.0
    for i in range(s0):
        for j in range(s1):
            for k in range(s2):
                if sheets[sheet[components] + (i * s1 + j) * s2 + k] != 0.0:
                    scale = max(
                        scale,
                        log_ways_of_pool(
                            room.logs,
                            first,
                            second,
                            left[0] - base[0] - i,
                            left[1] - base[1] - j,
                            left[2] - base[2] - k,
                        ),
                    )
    if scale < 0.0:
        return INFEASIBLE, 0.0
    total = 0.0
    held_pool[:, :] = 0.0
    follow = sheet[components + 1 + components]
    for i in range(s0):
        for j in range(s1):
            for k in range(s2):
                spot = (i * s1 + j) * s2 + k
                t, s, c = left[0] - base[0] - i, left[1] - base[1] - j, left[2] - base[2] - k
                power = log_ways_of_pool(room.logs, first, second, t, s, c)
                if power < 0.0:
                    continue
                sheets[follow + spot] = max(np.exp(power - scale), 1e-280)
                value = sheets[sheet[components] + spot] * sheets[follow + spot]
                if value == 0.0:
                    continue
                total += value
                free = first + second - t - s
                for own in range(2):
                    many = first if own == 0 else second
                    if many == 0:
                        continue
                    mine = t if own == 0 else s
                    held_pool[own, 1 + own] += value * mine / many
                    if free:
                        held_pool[own, 3] += value * (many - mine) / many * c / free
                        held_pool[own, 0] += value * (many - mine) / many * (free - c) / free
    if total == 0.0:
        return INFEASIBLE, 0.0
    for own in range(2):
        for content in range(4):
            held_pool[own, content] /= total
    for part in range(components - 1, -1, -1):
        # What can follow this component's totals, summed over what may come before it.
        s1, s2 = span[part, 1], span[part, 2]
        t1, t2 = span[part + 1, 1], span[part + 1, 2]
        here, nxt = sheet[components + 1 + part], sheet[components + 2 + part]
        for state in range(last_begin[part], last_end[part]):
            totals = keys[state, 3]
            x = (totals & 0xFFFF) - low[part, 0]
            y = (totals >> 16 & 0xFFFF) - low[part, 1]
            z = (totals >> 32 & 0xFFFF) - low[part, 2]
            value = 0.0
            for i in range(span[part, 0]):
                for j in range(s1):
                    for k in range(s2):
                        spot = (i * s1 + j) * s2 + k
                        after = sheets[nxt + ((i + x) * t1 + j + y) * t2 + k + z]
                        value += sheets[sheet[part] + spot] * after
                        sheets[here + spot] += forward[state] * after
            backward[state] = value
        for place in range(part_begin[part + 1] - 1, part_begin[part] - 1, -1):
            box = order[place]
            size = sizes[box]
            h0 = h1 = h2 = h3 = 0.0
            for edge in range(layer_of[place], layer_of[place + 1]):
                source = edges[edge, 0]
                value = ways[edge] * backward[edges[edge, 1]]
                if value == 0.0:
                    continue
                backward[source] += value
                value *= forward[source]
                choice = edges[edge, 2]
                a, b, c = choice & 15, choice >> 4 & 15, choice >> 8
                h1 += value * a
                h2 += value * b
                h3 += value * c
                h0 += value * (size - a - b - c)
            held[box, 0], held[box, 1] = h0 / (size * total), h1 / (size * total)
            held[box, 2], held[box, 3] = h2 / (size * total), h3 / (size * total)
    return COUNTED, np.log(total) + scale
