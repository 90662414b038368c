"""The compiled twin of `counting.count`, in floating point: the share of all models in which a variable holds a kind.

Every number here is a sum of products of positive numbers, so `solve` is exact about what is impossible (0) or certain.
If these numbers might overflow, their logarithms are used instead. The steps, one function each:

    restrict          which kinds each box may hold; what each constraint can still get
    find_components   boxes that share no constraint are independent
    place_boxes       the layers of every component, forward: ways to reach a state
                      (order_component; then for each box open_slots, list_choices, extend)
    lay_out_sheets    room for the products of the components' polynomials
    combine_forward   the ways of all components before each one
    count_free        times the ways of the free variables: the shares of these
    share_boxes       backward through sheets and layers: the shares of the boxes (combine_backward)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.logic.counting import (
    KINDS,
    MOST_BOXES,
    MOST_LINKS,
    MOST_VARIABLES,
    SHARED,
    VALUES,
    Problem,
)

INFEASIBLE, COUNTED, TOO_LARGE = 0, 1, 2  # how `solve` ends

# The key of a state: three words of 15 slots of 4 bits (what an open constraint still needs of a kind), and one
# word with the totals used of kinds 1, 2, 3 in 16 bits each.
SLOT_BITS = 4
SLOT_MASK = (1 << SLOT_BITS) - 1
SLOTS_PER_WORD = 15
NEED_WORDS = 3
SLOTS = NEED_WORDS * SLOTS_PER_WORD
TOTALS = NEED_WORDS  # the word of the totals
TOTAL_BITS = 16
TOTAL_MASK = (1 << TOTAL_BITS) - 1
CHOICE_BITS = 4  # how many of each kind are put into a box, in a word: a + (b << 4) + (c << 8)
CHOICE_MASK = (1 << CHOICE_BITS) - 1
MOST_CHOICES = 165  # ways to divide 8 variables among three kinds and none

MOST_BITS = 900  # with more bits of fillings, numbers might leave the range of a float (2 ** 1023)
LEAST_SHARE = 1e-300  # of what is possible: never 0
LEAST_FREE_SHARE = 1e-280
MOST_SHEETS = 1 << 26  # numbers in all sheets: half a gigabyte
CHEAP_ORDER = 500  # estimated states of an order of boxes that is not worth improving
COSTLIEST_ORDER = 1 << 60  # more than any


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
    """Memory for this many states in all, for problems with at most this many variables."""
    slots = 1 << (2 * states - 1).bit_length()
    log_factorials = np.zeros(most_variables + 1)
    log_factorials[1:] = np.cumsum(np.log(np.arange(1, most_variables + 1)))
    return Workspace(
        np.zeros((states, NEED_WORDS + 1), np.int64),
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
    """one + other, or its logarithm if both are given as logarithms."""
    return np.logaddexp(one, other) if logarithms else one + other


@kernel(python_entry=False, inline=True)
def multiply(logarithms: bool, one: float, other: float) -> float:
    """one * other, or its logarithm if both are given as logarithms."""
    return one + other if logarithms else one * other


class Constraints(NamedTuple):
    """The state of each constraint while boxes are placed."""

    capacity: np.ndarray  # [c, kind]: variables of boxes not yet placed that may hold the kind
    waiting: np.ndarray  # [c]: boxes not yet placed
    touching: np.ndarray  # [c, i]: its boxes
    is_open: np.ndarray  # [c]: whether one of its boxes is placed
    slot_of: np.ndarray  # [c, kind]: where the key of a state has what it still needs, or -1
    is_taken: np.ndarray  # [slot]


class BoxLayers(NamedTuple):
    """The boxes in the order in which they were placed, and where states and edges of their layers are."""

    order: np.ndarray  # [place]: box
    first_edge: np.ndarray  # [place]
    first_place: np.ndarray  # [part]: of a component
    last_begin: np.ndarray  # [part]: states of its last layer
    last_end: np.ndarray
    low: np.ndarray  # [part, kind]: the lowest total used in the last layer
    wide: np.ndarray  # [part, kind]: how far the totals go above it


class Filling(NamedTuple):
    """How the box that is placed may be filled, and how that changes the key of a state."""

    added: np.ndarray  # [word]: what constraints need that open with the box
    needs: (
        np.ndarray
    )  # [i]: WORD and SHIFT of a need of its constraints, its KIND, and how much later boxes can give
    numbers: np.ndarray  # [choice, kind]: how many variables hold the kind
    packed: np.ndarray  # [choice]: these numbers in one word, CHOICE_BITS each
    changes: np.ndarray  # [choice, word]: of the key
    ways: np.ndarray  # [choice]: to choose the variables, times their weights (or the logarithm)
    counts: np.ndarray  # how many NEEDS and CHOICES there are


WORD, SHIFT, KIND, LATER = range(4)  # columns of Filling.needs
NEEDS, CHOICES = range(2)


class FreeWays(NamedTuple):
    """What the free variables hold together of the three kinds, and the logarithm of the ways; -1 if there is none."""

    x: int
    y: int
    z: int
    log_ways: float


class Sheets(NamedTuple):
    """Tables of numbers by totals used, above the lowest that are possible, in one array.

    The totals x, y, z are in place x * strides[0] + y * strides[1] + z of each table, so that places are added
    where totals are.
    """

    before: np.ndarray  # [part]: where the table of the ways of all components before it begins
    after: np.ndarray  # [part]: where the table of what can follow them begins
    sizes: np.ndarray  # [part]: of both
    strides: np.ndarray  # [kind]
    base: np.ndarray  # [kind]: the lowest totals used by all components


@kernel
def solve(
    workspace: Workspace, problem: Problem, shares: np.ndarray, free_shares: np.ndarray
) -> tuple[int, float]:
    """Count: row b of `shares` and row g of `free_shares` become the shares of (empty, kind 1, 2, 3) of a variable
    of box b and of a free variable of group g.

    Returns how it ended and the logarithm of the number of models.
    """
    boxes, constraints = problem.sizes.shape[0], problem.needs.shape[0]
    allowed = problem.kinds.copy()  # without the kinds that its constraints do not need
    known = Constraints(
        np.zeros((constraints + 1, KINDS), np.int64),
        np.zeros(constraints + 1, np.int64),
        np.full((constraints + 1, MOST_BOXES), -1, np.int64),
        np.zeros(constraints + 1, np.int64),
        np.full((constraints + 1, KINDS), -1, np.int64),
        np.zeros(SLOTS, np.int64),
    )
    bits = restrict(problem, known, allowed)
    if bits < 0:
        return INFEASIBLE, 0.0
    component = np.full(boxes, -1, np.int64)
    components = find_components(problem, known, component)
    logarithms = bits > MOST_BITS
    layers = BoxLayers(
        np.zeros(boxes, np.int64),
        np.zeros(boxes + 1, np.int64),
        np.zeros(components + 1, np.int64),
        np.zeros(components, np.int64),
        np.zeros(components, np.int64),
        np.zeros((components, KINDS), np.int64),
        np.zeros((components, KINDS), np.int64),
    )
    ended = place_boxes(workspace, problem, known, allowed, component, layers, logarithms)
    if ended != COUNTED:
        return ended, 0.0
    before, after, sizes = np.zeros((3, components + 1), np.int64)
    layout = Sheets(before, after, sizes, np.ones(KINDS, np.int64), np.zeros(KINDS, np.int64))
    size = lay_out_sheets(layers, layout)
    if size > MOST_SHEETS:
        return TOO_LARGE, 0.0
    sheets = workspace.sheets if size <= workspace.sheets.shape[0] else np.zeros(size)
    sheets[:size] = -np.inf if logarithms else 0.0
    sheets[0] = 0.0 if logarithms else 1.0
    combine_forward(workspace, layers, layout, sheets, logarithms)
    total, scale = count_free(workspace.log_factorials, problem, layout, sheets, logarithms, free_shares)
    if total == 0.0:
        return INFEASIBLE, 0.0
    for part in range(components - 1, -1, -1):
        combine_backward(workspace, layers, layout, sheets, part, logarithms)
        share_boxes(workspace, problem, layers, part, logarithms, total, shares)
    return COUNTED, np.log(total) + scale


@kernel(python_entry=False)
def restrict(problem: Problem, known: Constraints, allowed: np.ndarray) -> int:
    """Forbid kinds that a constraint of the box needs none of; note what boxes each constraint has.

    Returns the number of bits b such that the boxes can be filled in at most 2 ** b ways; -1 if a constraint needs more
    than its boxes can hold.
    """
    sizes, needs = problem.sizes, problem.needs
    bits = 0
    for box in range(sizes.shape[0]):
        for i in range(problem.degrees[box]):
            for kind in range(KINDS):
                if needs[problem.links[box, i], kind] <= 0:
                    allowed[box] &= ~(1 << kind)
        bits += sizes[box] * min(2, (allowed[box] & 1) + (allowed[box] >> 1 & 1) + (allowed[box] >> 2))
        for i in range(problem.degrees[box]):
            constraint = problem.links[box, i]
            known.touching[constraint, known.waiting[constraint]] = box
            known.waiting[constraint] += 1
            for kind in range(KINDS):
                if allowed[box] >> kind & 1:
                    known.capacity[constraint, kind] += sizes[box]
    for constraint in range(needs.shape[0]):
        for kind in range(KINDS):
            need = needs[constraint, kind]
            if need < 0 or need > known.capacity[constraint, kind]:
                return -1
    return bits


@kernel(python_entry=False)
def find_components(problem: Problem, known: Constraints, component: np.ndarray) -> int:
    """Number the components; `component[box]` becomes its number. Returns how many there are."""
    boxes = component.shape[0]
    stack = np.zeros(boxes + 1, np.int64)
    components = 0
    for root in range(boxes):
        if component[root] >= 0:
            continue
        stack[0], top = root, 1
        component[root] = components
        while top:
            top -= 1
            box = stack[top]
            for i in range(problem.degrees[box]):
                constraint = problem.links[box, i]
                for j in range(known.waiting[constraint]):
                    other = known.touching[constraint, j]
                    if component[other] < 0:
                        component[other] = components
                        stack[top] = other
                        top += 1
        components += 1
    return components


# ------------------------------------------------------------------ forward


class BoxOrder(NamedTuple):
    """Working memory of `order_component`."""

    members: np.ndarray  # [i]: the boxes of the component
    unplaced: np.ndarray  # [i]: those not yet placed
    order: np.ndarray  # [i]: the order being tried
    best: np.ndarray  # [i]: the best order so far
    waiting: np.ndarray  # [constraint]: how many of its boxes are not yet placed
    is_open: np.ndarray  # [constraint]: whether one of its boxes is placed


@kernel(python_entry=False)
def place_boxes(
    workspace: Workspace,
    problem: Problem,
    known: Constraints,
    allowed: np.ndarray,
    component: np.ndarray,
    layers: BoxLayers,
    logarithms: bool,
) -> int:
    """Build the layers of all components. Returns COUNTED, INFEASIBLE or TOO_LARGE."""
    members, unplaced, order, best = np.zeros((4, component.shape[0]), np.int64)
    scratch = BoxOrder(members, unplaced, order, best, known.waiting.copy(), known.is_open.copy())
    filling = make_filling()
    states_end = edges_end = placed = 0
    for part in range(layers.last_begin.shape[0]):
        layers.first_place[part] = placed
        begin, end = states_end, states_end + 1
        if begin >= workspace.keys.shape[0]:
            return TOO_LARGE
        workspace.keys[begin, :] = 0
        workspace.forward[begin] = 0.0 if logarithms else 1.0
        workspace.backward[begin] = -np.inf if logarithms else 0.0
        for i in range(order_component(problem, known.waiting, component, part, scratch)):
            box = scratch.best[i]
            if not open_slots(problem, known, box, allowed[box], filling):
                return TOO_LARGE
            list_choices(problem, box, allowed[box], filling, logarithms)
            layers.order[placed], layers.first_edge[placed] = box, edges_end
            placed += 1
            states_end, edges_end = extend(
                workspace, begin, end, edges_end, problem.left, filling, logarithms
            )
            if states_end < 0:
                return TOO_LARGE
            begin, end = end, states_end
            if begin == end:
                return INFEASIBLE
        layers.last_begin[part], layers.last_end[part] = begin, end
        for kind in range(KINDS):
            used = workspace.keys[begin:end, TOTALS] >> TOTAL_BITS * kind & TOTAL_MASK
            layers.low[part, kind] = used.min()
            layers.wide[part, kind] = used.max() - used.min()
    layers.first_place[layers.last_begin.shape[0]] = placed
    layers.first_edge[placed] = edges_end
    return COUNTED


@kernel(python_entry=False)
def make_filling() -> Filling:
    """Room for the largest filling."""
    return Filling(
        np.zeros(NEED_WORDS, np.int64),
        np.zeros((MOST_LINKS * KINDS, LATER + 1), np.int64),
        np.zeros((MOST_CHOICES, KINDS), np.int64),
        np.zeros(MOST_CHOICES, np.int64),
        np.zeros((MOST_CHOICES, NEED_WORDS + 1), np.int64),
        np.zeros(MOST_CHOICES),
        np.zeros(2, np.int64),
    )


@kernel(python_entry=False)
def order_component(
    problem: Problem, waiting: np.ndarray, component: np.ndarray, part: int, scratch: BoxOrder
) -> int:
    """Fill `scratch.best` with the boxes of a component, in an order that keeps few constraints open at a time;
    returns how many there are.

    The greedy order depends on its first box. A good one is hard to tell in advance, so every box is tried while the
    best order so far still looks expensive.
    """
    members, links, degrees = scratch.members, problem.links, problem.degrees
    count, first = 0, 0
    for box in range(component.shape[0]):
        if component[box] == part:
            members[count] = box
            count += 1
    for i in range(count):
        if degrees[members[i]] < degrees[members[first]]:
            first = i
    best_cost = COSTLIEST_ORDER
    for i in range(count):
        if best_cost <= CHEAP_ORDER:
            break
        if i > 0:  # components share no constraints, so only a second attempt needs this
            scratch.waiting[:] = waiting
            scratch.is_open[:] = 0
        cost = order_greedily(links, degrees, (first + i) % count, count, best_cost, scratch)
        if cost < best_cost:
            best_cost = cost
            for place in range(count):
                scratch.best[place] = scratch.order[place]
    return count


@kernel(python_entry=False)
def order_greedily(
    links: np.ndarray, degrees: np.ndarray, first: int, count: int, most_cost: int, scratch: BoxOrder
) -> int:
    """Fill `scratch.order`, beginning with member number `first`. Returns an estimate of the states that the order
    takes; stops early when that exceeds `most_cost`.

    A state remembers what every open constraint still needs, so each layer is estimated as 2 ** (open constraints).
    """
    for i in range(count):
        scratch.unplaced[i] = scratch.members[i]
    cost, open_count, index = 0, 0, first
    for place in range(count):
        box = scratch.unplaced[index]
        scratch.unplaced[index] = scratch.unplaced[count - place - 1]
        scratch.order[place] = box
        for i in range(degrees[box]):
            constraint = links[box, i]
            scratch.waiting[constraint] -= 1
            open_count += 1 - scratch.is_open[constraint]
            open_count -= scratch.waiting[constraint] == 0
            scratch.is_open[constraint] = 1
        cost += 1 << min(open_count, SLOTS)
        if cost >= most_cost:
            break
        index = pick_next(links, degrees, scratch, count - place - 1)
    return cost


@kernel(python_entry=False, inline=True)
def pick_next(links: np.ndarray, degrees: np.ndarray, scratch: BoxOrder, count: int) -> int:
    """The index in `scratch.unplaced` of the box that adds fewest open constraints; if several do, of the one with
    most constraints that are open already."""
    best, best_score = 0, 1 << 30
    for index in range(count):
        box = scratch.unplaced[index]
        score = 0
        for i in range(degrees[box]):
            constraint = links[box, i]
            added = 1 - scratch.is_open[constraint] - (scratch.waiting[constraint] == 1)
            score += (MOST_LINKS + 1) * added - scratch.is_open[constraint]
        if score < best_score:
            best, best_score = index, score
    return best


@kernel(python_entry=False)
def open_slots(problem: Problem, known: Constraints, box: int, mask: int, filling: Filling) -> bool:
    """Give slots of the key to the constraints that open with this box, and free those of the ones that close.

    Fills what the constraints of the box need and add to a key. Returns whether there were enough slots.
    """
    needs = problem.needs
    filling.added[:] = 0
    number = 0
    for i in range(problem.degrees[box]):
        constraint = problem.links[box, i]
        known.waiting[constraint] -= 1
        for kind in range(KINDS):
            if needs[constraint, kind] <= 0:
                continue
            if not known.is_open[constraint]:
                slot = 0
                while slot < SLOTS and known.is_taken[slot]:
                    slot += 1
                if slot == SLOTS:
                    return False
                known.is_taken[slot] = 1
                known.slot_of[constraint, kind] = slot
                shift = SLOT_BITS * (slot % SLOTS_PER_WORD)
                filling.added[slot // SLOTS_PER_WORD] += needs[constraint, kind] << shift
            if mask >> kind & 1:
                known.capacity[constraint, kind] -= problem.sizes[box]
            slot = known.slot_of[constraint, kind]
            filling.needs[number, WORD] = slot // SLOTS_PER_WORD
            filling.needs[number, SHIFT] = SLOT_BITS * (slot % SLOTS_PER_WORD)
            filling.needs[number, KIND], filling.needs[number, LATER] = kind, known.capacity[constraint, kind]
            number += 1
        known.is_open[constraint] = 1
    filling.counts[NEEDS] = number
    for i in range(
        problem.degrees[box]
    ):  # slots of constraints that close here are free from the next box on
        constraint = problem.links[box, i]
        for kind in range(KINDS):
            if known.waiting[constraint] == 0 and known.slot_of[constraint, kind] >= 0:
                known.is_taken[known.slot_of[constraint, kind]] = 0
    return True


@kernel(python_entry=False)
def list_choices(problem: Problem, box: int, mask: int, filling: Filling, logarithms: bool) -> None:
    """List the ways to put kinds of the mask into a box, and how they change a key."""
    size, weights, count = problem.sizes[box], problem.weights[box], 0
    factorial = np.ones(MOST_VARIABLES + 1)
    for i in range(1, MOST_VARIABLES + 1):
        factorial[i] = factorial[i - 1] * i
    for a in range(1 + (size if mask & 1 else 0)):
        for b in range(1 + (size - a if mask & 2 else 0)):
            for c in range(1 + (size - a - b if mask & 4 else 0)):
                ways = factorial[size] / (
                    factorial[a] * factorial[b] * factorial[c] * factorial[size - a - b - c]
                )
                ways *= weights[0] ** a * weights[1] ** b * weights[2] ** c
                if ways == 0.0:
                    continue
                numbers, change = filling.numbers[count], filling.changes[count]
                numbers[0], numbers[1], numbers[2] = a, b, c
                filling.packed[count] = a + (b << CHOICE_BITS) + (c << 2 * CHOICE_BITS)
                change[:] = 0
                for i in range(filling.counts[NEEDS]):
                    need = filling.needs[i]
                    change[need[WORD]] -= numbers[need[KIND]] << need[SHIFT]
                change[TOTALS] = a + (b << TOTAL_BITS) + (c << 2 * TOTAL_BITS)
                filling.ways[count] = np.log(ways) if logarithms else ways
                count += 1
    filling.counts[CHOICES] = count


class ChoiceRange(NamedTuple):
    """How many variables of a box can hold each kind, from a given state: at least and at most."""

    least_1: int
    most_1: int
    least_2: int
    most_2: int
    least_3: int
    most_3: int


@kernel(python_entry=False, inline=True)
def choice_range(filling: Filling, left: np.ndarray, k0: int, k1: int, k2: int, totals: int) -> ChoiceRange:
    """What the box can hold: at most what is needed, at least what later boxes cannot provide."""
    lo0 = lo1 = lo2 = 0
    hi0 = left[0] - (totals & TOTAL_MASK)
    hi1 = left[1] - (totals >> TOTAL_BITS & TOTAL_MASK)
    hi2 = left[2] - (totals >> 2 * TOTAL_BITS & TOTAL_MASK)
    for i in range(filling.counts[NEEDS]):
        word, kind = filling.needs[i, WORD], filling.needs[i, KIND]
        need = (k0 if word == 0 else k1 if word == 1 else k2) >> filling.needs[i, SHIFT] & SLOT_MASK
        least = need - filling.needs[i, LATER]
        if kind == 0:
            hi0, lo0 = min(hi0, need), max(lo0, least)
        elif kind == 1:
            hi1, lo1 = min(hi1, need), max(lo1, least)
        else:
            hi2, lo2 = min(hi2, need), max(lo2, least)
    return ChoiceRange(lo0, hi0, lo1, hi1, lo2, hi2)


@kernel(python_entry=False, inline=True)
def is_within(limits: ChoiceRange, a: int, b: int, c: int) -> bool:
    """Whether the box can hold so many of each kind."""
    lo0, hi0, lo1, hi1, lo2, hi2 = limits
    return bool(lo0 <= a <= hi0 and lo1 <= b <= hi1 and lo2 <= c <= hi2)


@kernel(python_entry=False, inline=True)
def find_state(workspace: Workspace, stamp: int, n0: int, n1: int, n2: int, n3: int) -> int:
    """The place in the hash table of the state with this key in the layer with this stamp, or of a free slot."""
    keys, table, table_mask = workspace.keys, workspace.table, workspace.table.shape[0] - 1
    spot = mix(n3, mix(n2, mix(n1, n0))) & table_mask
    while workspace.stamps[spot] == stamp:
        state = table[spot]
        if keys[state, 0] == n0 and keys[state, 1] == n1 and keys[state, 2] == n2 and keys[state, 3] == n3:
            break
        spot = (spot + 1) & table_mask
    return int(spot)


@kernel(python_entry=False)
def extend(
    workspace: Workspace,
    begin: int,
    end: int,
    edges_end: int,
    left: np.ndarray,
    filling: Filling,
    logarithms: bool,
) -> tuple[int, int]:
    """Add the layer that places a box after the states from `begin` to `end`.

    Returns the new ends of states and edges; -1 for both if there is no room.
    """
    keys, forward, backward = workspace.keys, workspace.forward, workspace.backward
    edges, table, stamps = workspace.edges, workspace.table, workspace.stamps
    added, changes, numbers = filling.added, filling.changes, filling.numbers
    zero = -np.inf if logarithms else 0.0
    workspace.clock[0] += 1
    stamp, states_end = workspace.clock[0], end
    for source in range(begin, end):
        k0, k1, k2 = keys[source, 0] + added[0], keys[source, 1] + added[1], keys[source, 2] + added[2]
        totals = keys[source, TOTALS]
        limits = choice_range(filling, left, k0, k1, k2, totals)
        for choice in range(filling.counts[CHOICES]):
            if not is_within(limits, numbers[choice, 0], numbers[choice, 1], numbers[choice, 2]):
                continue
            n0, n1, n2 = k0 + changes[choice, 0], k1 + changes[choice, 1], k2 + changes[choice, 2]
            n3 = totals + changes[choice, TOTALS]
            spot = find_state(workspace, stamp, n0, n1, n2, n3)
            if stamps[spot] != stamp:
                if states_end >= keys.shape[0]:
                    return -1, -1
                stamps[spot], table[spot] = stamp, states_end
                keys[states_end, 0], keys[states_end, 1] = n0, n1
                keys[states_end, 2], keys[states_end, TOTALS] = n2, n3
                forward[states_end] = backward[states_end] = zero
                states_end += 1
            if edges_end >= edges.shape[0]:
                return -1, -1
            target, ways = table[spot], filling.ways[choice]
            edges[edges_end, 0], edges[edges_end, 1] = source, target
            edges[edges_end, 2] = filling.packed[choice]
            workspace.ways[edges_end] = ways
            edges_end += 1
            reached = multiply(logarithms, forward[source], ways)
            forward[target] = add(logarithms, forward[target], reached)
    return states_end, edges_end


# ------------------------------------------------------------------ sheets


@kernel(python_entry=False)
def lay_out_sheets(layers: BoxLayers, layout: Sheets) -> int:
    """Where each table begins and how large it is. Returns the total size."""
    parts, strides = layers.low.shape[0], layout.strides
    strides[1] = 1 + layers.wide[:, 2].sum()
    strides[0] = strides[1] * (1 + layers.wide[:, 1].sum())
    size, end = 1, 0
    for part in range(parts + 1):
        if part:
            for kind in range(KINDS):
                size += layers.wide[part - 1, kind] * strides[kind]
                layout.base[kind] += layers.low[part - 1, kind]
        layout.sizes[part], layout.before[part], layout.after[part] = size, end, end + size
        end += 2 * size
    return end


@kernel(python_entry=False)
def place_in_sheet(workspace: Workspace, layers: BoxLayers, layout: Sheets, part: int, state: int) -> int:
    """The place in a table of the totals that a state of a component uses, above the lowest of the component."""
    totals, place = workspace.keys[state, TOTALS], 0
    for kind in range(KINDS):
        used = totals >> TOTAL_BITS * kind & TOTAL_MASK
        place += (used - layers.low[part, kind]) * layout.strides[kind]
    return int(place)


@kernel(python_entry=False)
def combine_forward(
    workspace: Workspace, layers: BoxLayers, layout: Sheets, sheets: np.ndarray, logarithms: bool
) -> None:
    """The ways of all components before each part, by the totals they use: products of polynomials."""
    zero = -np.inf if logarithms else 0.0
    for part in range(layers.low.shape[0]):
        before = layout.before[part]
        for state in range(layers.last_begin[part], layers.last_end[part]):
            moved = layout.before[part + 1] + place_in_sheet(workspace, layers, layout, part, state)
            for spot in range(layout.sizes[part]):
                amount = sheets[before + spot]
                if amount != zero:
                    product = multiply(logarithms, amount, workspace.forward[state])
                    sheets[moved + spot] = add(logarithms, sheets[moved + spot], product)


@kernel(python_entry=False, inline=True)
def log_ways_after(logs: np.ndarray, problem: Problem, layout: Sheets, spot: int) -> FreeWays:
    """The rest of the totals for the free variables, and the logarithm of the ways in which they can hold it."""
    left, base, strides = problem.left, layout.base, layout.strides
    first, second = problem.free[0], problem.free[1]
    x = left[0] - base[0] - spot // strides[0]
    y = left[1] - base[1] - spot % strides[0] // strides[1]
    z = left[2] - base[2] - spot % strides[1]
    empty = first + second - x - y - z
    if x < 0 or y < 0 or z < 0 or x > first or y > second or empty < 0:
        return FreeWays(x, y, z, -1.0)
    log_ways = (
        logs[first] - logs[x] - logs[first - x] + logs[second] - logs[y] - logs[second - y]
        + logs[first + second - x - y] - logs[z] - logs[empty]
    )  # fmt: skip
    return FreeWays(x, y, z, log_ways)


@kernel(python_entry=False)
def count_free(
    logs: np.ndarray,
    problem: Problem,
    layout: Sheets,
    sheets: np.ndarray,
    logarithms: bool,
    free_shares: np.ndarray,
) -> tuple[float, float]:
    """The ways of the free variables, scaled by the largest: the last of the tables of what can follow.

    Returns the number of models (0 if there is none) divided by the scale, and the logarithm of the scale.
    """
    zero, parts = -np.inf if logarithms else 0.0, layout.before.shape[0] - 1
    before, after, size = layout.before[parts], layout.after[parts], layout.sizes[parts]
    scale = -np.inf
    for spot in range(size):
        amount, free = sheets[before + spot], log_ways_after(logs, problem, layout, spot)
        if amount != zero and free.log_ways >= 0.0:
            scale = max(scale, free.log_ways + amount if logarithms else free.log_ways)
    total = 0.0
    free_shares[:, :] = 0.0
    for spot in range(size):
        amount, free = sheets[before + spot], log_ways_after(logs, problem, layout, spot)
        if amount == zero or free.log_ways < 0.0:
            continue
        power = free.log_ways - scale
        if logarithms:
            sheets[after + spot], value = power, max(np.exp(amount + power), LEAST_SHARE)
        else:
            sheets[after + spot] = max(np.exp(power), LEAST_FREE_SHARE)
            value = amount * sheets[after + spot]
        total += value
        share_free(problem, free, value, free_shares)
    if total > 0.0:
        for group in range(2):
            for content in range(VALUES):
                free_shares[group, content] /= total
    return total, scale


@kernel(python_entry=False, inline=True)
def share_free(problem: Problem, free: FreeWays, value: float, free_shares: np.ndarray) -> None:
    """Add to the shares of the free variables that they hold this rest of the totals in `value` models."""
    without_own_kinds = problem.free[0] + problem.free[1] - free.x - free.y  # may hold the shared kind
    for group in range(2):
        many, own = problem.free[group], free.x if group == 0 else free.y
        if many == 0:
            continue
        free_shares[group, 1 + group] += value * own / many
        if without_own_kinds:
            others = value * (many - own) / many
            free_shares[group, SHARED] += others * free.z / without_own_kinds
            free_shares[group, 0] += others * (without_own_kinds - free.z) / without_own_kinds


# ------------------------------------------------------------------ backward


@kernel(python_entry=False)
def combine_backward(
    workspace: Workspace, layers: BoxLayers, layout: Sheets, sheets: np.ndarray, part: int, logarithms: bool
) -> None:
    """What can follow the states at the end of a component, summed over what may come before it; and the sheet of
    what can follow all components before it."""
    zero, before, here = -np.inf if logarithms else 0.0, layout.before[part], layout.after[part]
    for state in range(layers.last_begin[part], layers.last_end[part]):
        moved = layout.after[part + 1] + place_in_sheet(workspace, layers, layout, part, state)
        value = zero
        for spot in range(layout.sizes[part]):
            amount = sheets[before + spot]
            if amount != zero:
                after = sheets[moved + spot]
                value = add(logarithms, value, multiply(logarithms, amount, after))
                product = multiply(logarithms, workspace.forward[state], after)
                sheets[here + spot] = add(logarithms, sheets[here + spot], product)
        workspace.backward[state] = value


@kernel(python_entry=False)
def share_boxes(
    workspace: Workspace,
    problem: Problem,
    layers: BoxLayers,
    part: int,
    logarithms: bool,
    total: float,
    shares: np.ndarray,
) -> None:
    """Backward through the layers of a component: the shares of its boxes."""
    forward, backward, edges = workspace.forward, workspace.backward, workspace.edges
    zero = -np.inf if logarithms else 0.0
    for place in range(layers.first_place[part + 1] - 1, layers.first_place[part] - 1, -1):
        box = layers.order[place]
        size = problem.sizes[box]
        h0 = h1 = h2 = h3 = 0.0
        for edge in range(layers.first_edge[place], layers.first_edge[place + 1]):
            source = edges[edge, 0]
            value = multiply(logarithms, workspace.ways[edge], backward[edges[edge, 1]])
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
