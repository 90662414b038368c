# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
# mypy: disable-error-code="arg-type, assignment, no-any-return, operator, return-value"
"""Search over time in an exact model of the mine: the compiled half of the planner.

`reach` is best-first search over whole states. Two states are taken for the same if the miner, the stones,
the diamonds and the monsters near the miner are in the same places: where dirt was dug on the way and what
monsters do far away does not count, which keeps the search small and is hardly ever wrong. States of nodes
that wait for expansion are kept in a pool of slots; of the others only the way back is remembered."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import bare
from ludion.core.words import lowest, mix
from ludion.games.delirium.physics import (
    ALIVE,
    AMOEBA,
    BLAST,
    BLUE,
    DIAMOND,
    DIRT,
    DOWN,
    DUG,
    EMPTY,
    EXIT,
    GOT,
    HEIGHT,
    INFO,
    KEY,
    KILLS,
    LAST_MONSTER,
    MADE,
    MAGIC,
    MASKS,
    MINER,
    MONSTER,
    NEED,
    PLACE,
    RUNNING,
    SHIFT,
    SLATE,
    STATUS,
    STEPS,
    STONE,
    STRIDE,
    WALL,
    WAYS,
    WIDTH,
    WON,
    Rules,
    State,
    copy_into,
    is_heavy,
    tag,
    tick,
)

UNKNOWN = 50  # in a belief: never seen; nothing enters it
FAR = 30_000
MOST_DIGS, CLOSE = 2, 16  # digs without a step in one leg, and how near to the target they are tried
GATHER, LEAVE, GO, KILL, MAKE, BUDGE = range(6)  # what to search for
FOUND_MOST = 12
STRAIGHT = 4096  # buckets of the queue


class Pool(NamedTuple):
    """The memory of a search."""

    cells: Any  # one row a slot
    aux: Any
    masks: Any
    info: Any
    slate: Any
    slots: Any  # free slots, as a stack
    parent: Any  # by node
    action: Any
    depth: Any
    slot: Any
    digs: Any  # how often the miner has dug without a step
    queue: Any  # the next node in the same bucket
    heads: Any  # the first node of each bucket
    table: Any  # keys of states met
    stamp: Any  # table entries of which search
    goals: Any  # nodes that reached the goal
    counts: Any  # nodes of all searches, searches so far, ticks of all trials of survival


def pool_for(height: int, slots: int = 10_000, nodes: int = 150_000) -> Pool:
    """Memory for searches in mines of this height."""
    size = 1 << 19
    return Pool(
        np.zeros((slots, height * STRIDE), np.int8),
        np.zeros((slots, height * STRIDE), np.int8),
        np.zeros((slots, MASKS, height), np.int64),
        np.zeros((slots, INFO), np.int64),
        np.zeros((SLATE, height), np.int64),
        np.zeros(slots, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int32),
        np.zeros(nodes, np.int8),
        np.zeros(nodes, np.int32),
        np.zeros(STRAIGHT, np.int32),
        np.zeros(size, np.int64),
        np.zeros(size, np.int64),
        np.zeros(FOUND_MOST, np.int64),
        np.zeros(3, np.int64),
    )


@bare
def at_slot(pool: Pool, slot: int) -> State:
    return State(pool.cells[slot], pool.aux[slot], pool.masks[slot], pool.info[slot], pool.slate)


@bare
def can_try(cells: Any, place: int, action: int, open_exit: bool) -> bool:
    """Whether the action may change anything: a quick look before a whole tick is computed."""
    target = place + STEPS[action]
    code = np.int64(cells[target])
    if code == EMPTY or code == DIRT or code == DIAMOND:
        return True
    if code == EXIT:
        return open_exit
    if code == STONE and action != DOWN:
        last = target
        while cells[last] == STONE:
            last += STEPS[action]
        return cells[last] == EMPTY
    return False


@bare
def met(pool: Pool, key: int) -> bool:
    """Whether the state was met before in this search; it is now."""
    mask = pool.table.shape[0] - 1
    now = pool.counts[1]
    index = (key ^ (key >> 32)) & mask
    for _ in range(64):
        if pool.stamp[index] != now:
            pool.stamp[index] = now
            pool.table[index] = key
            return False
        if pool.table[index] == key:
            return True
        index = (index + 1) & mask
    return False


@bare
def worth_digging(cells: Any, target: int) -> bool:
    """Whether it may matter that the miner digs there and stays: something could come down."""
    code = np.int64(cells[target])
    if code != DIRT and code != DIAMOND:
        return False
    for up in (STRIDE, 2 * STRIDE):
        for side in (-1, 0, 1):
            if target - up >= 0 and is_heavy(np.int64(cells[target - up + side])):
                return True
    return False


@bare
def situation(state: State, near: int) -> int:
    """The hash by which states are told apart."""
    cells, aux, masks, info, _ = state
    place = info[PLACE]
    row, column = place >> SHIFT, place & 63
    key = mix(place, info[KEY] ^ info[DUG])
    window = (
        ((1 << (2 * near + 1)) - 1) << (column - near) if column > near else (1 << (column + near + 1)) - 1
    )
    for r in range(max(0, row - near), min(info[HEIGHT], row + near + 1)):
        rest = masks[ALIVE, r] & window
        while rest:
            cell = r << SHIFT | lowest(rest)
            rest &= rest - 1
            code = np.int64(cells[cell])
            if MONSTER <= code <= LAST_MONSTER:
                key ^= tag(cell, code, np.int64(aux[cell]))
    return key


@bare
def reach(
    rules: Rules,
    root: State,
    pool: Pool,
    guide: Any,
    kind: int,
    wanted: int,
    most: int,
    weight: int,
    longest: int,
    support: int,
    near: int,
) -> int:
    """Search from the root; how many goals were found (their nodes are in `pool.goals`, the soonest first).

    `guide[cell]` is how far the miner still has to go from there, `weight` per cent of which counts; the
    search ends with `wanted` goals, `most` nodes, or when nothing is left. A goal of GATHER is a further
    diamond (up to three ways to each), of LEAVE the exit, of GO a cell whose guide is 0, of KILL a monster
    less, of MAKE a diamond out of a magic wall, of BUDGE stones that lie otherwise. For KILL and MAKE the
    miner digs away the dirt at the cell `support`; once it is gone he need not go anywhere. Monsters up to
    `near` cells from the miner tell states apart: with a small `near` the search is quick, but does not wait
    for those far off to come or go."""
    pool.counts[1] += 1
    slots_left = pool.slots.shape[0]
    for index in range(slots_left):
        pool.slots[index] = index
    pool.heads[:] = -1
    found = 0
    nodes = 1
    got, kills, made = root.info[GOT], root.info[KILLS], root.info[MADE]
    slots_left -= 1
    first = pool.slots[slots_left]
    copy_into(at_slot(pool, first), root)
    pool.parent[0], pool.action[0], pool.depth[0], pool.slot[0], pool.queue[0] = -1, 0, 0, first, -1
    pool.digs[0] = 0
    lowest_bucket = min(STRAIGHT - 1, np.int64(guide[root.info[PLACE]]) * weight // 100)
    pool.heads[lowest_bucket] = 0
    met(pool, situation(root, near))
    limit = min(most, pool.parent.shape[0] - 16)
    bucket = lowest_bucket
    while bucket < STRAIGHT and nodes < limit and found < wanted:
        node = np.int64(pool.heads[bucket])
        if node < 0:
            bucket += 1
            continue
        pool.heads[bucket] = pool.queue[node]
        slot = np.int64(pool.slot[node])
        here = at_slot(pool, slot)
        place = here.info[PLACE]
        open_exit = here.info[GOT] >= here.info[NEED]
        depth = np.int64(pool.depth[node]) + 1
        digs = np.int64(pool.digs[node])
        for choice in range(9):
            action = choice + 1 if choice < 4 else 0 if choice == 4 else choice
            if depth > longest or slots_left == 0:
                break
            if choice > 4:
                target = place + WAYS[choice - 5]
                if not (
                    (target == support and here.cells[target] == DIRT)
                    or (digs < MOST_DIGS and guide[place] <= CLOSE and worth_digging(here.cells, target))
                ):
                    continue
            elif action and not can_try(here.cells, place, action, open_exit):
                continue
            fresh = pool.slots[slots_left - 1]
            child = at_slot(pool, fresh)
            copy_into(child, here)
            status = tick(rules, child, action)
            goal = False
            if status == WON:
                goal = kind == LEAVE
                if not goal:
                    continue
            elif status != RUNNING:
                continue
            where = child.info[PLACE]
            if 0 < action < 5 and where == place:
                continue
            if kind == GATHER:
                goal = child.info[GOT] > got
                if goal:  # three ways to a diamond are enough, if they leave different things lying about
                    cell = where if choice < 5 else place + WAYS[choice - 5]
                    if met(pool, mix(cell + (1 << 20), child.info[KEY])) or (
                        met(pool, mix(cell, 77)) and met(pool, mix(cell, 78)) and met(pool, mix(cell, 79))
                    ):
                        continue
            elif kind == GO:
                goal = guide[where] == 0
            elif kind == KILL:
                goal = child.info[KILLS] > kills
            elif kind == MAKE:
                goal = child.info[MADE] > made
            elif kind == BUDGE:
                goal = child.info[KEY] != root.info[KEY] and not met(pool, mix(child.info[KEY], 99))
            dug = support >= 0 and child.cells[support] != DIRT
            if met(pool, situation(child, near)):
                continue
            pool.parent[nodes], pool.action[nodes], pool.depth[nodes] = node, action, depth
            pool.slot[nodes], pool.digs[nodes] = fresh, digs + (choice > 4)
            if goal:
                pool.goals[found] = nodes
                if found == 0:  # the next ones should not take much longer than the first
                    limit = min(limit, 4 * nodes + 500)
                found += 1
                nodes += 1
                if found == wanted or found == FOUND_MOST:
                    break
                continue
            slots_left -= 1
            left = np.int64(0) if dug else np.int64(guide[where])
            if left < FAR:
                rank = min(STRAIGHT - 1, depth + left * weight // 100)
                pool.queue[nodes] = pool.heads[rank]
                pool.heads[rank] = nodes
                if rank < bucket:
                    bucket = rank
            else:
                slots_left += 1
            nodes += 1
            if nodes >= limit:
                break
        pool.slots[slots_left] = slot
        slots_left += 1
    pool.counts[0] += nodes
    return found


@bare
def way_back(pool: Pool, node: int, actions: Any) -> int:
    """The actions that lead to a node; how many."""
    count = np.int64(pool.depth[node])
    while pool.parent[node] >= 0:
        actions[np.int64(pool.depth[node]) - 1] = pool.action[node]
        node = np.int64(pool.parent[node])
    return count


@bare
def survives(rules: Rules, state: State, pool: Pool, depth: int) -> bool:
    """Whether the miner can live on for some ticks (20 at most): by waiting, or by any way of moving."""
    top = pool.slots.shape[0] - depth - 2
    copy_into(at_slot(pool, top), state)
    pool.counts[2] += 2 * depth
    alive = True
    for _ in range(2 * depth):
        if tick(rules, at_slot(pool, top), 0) > WON:
            alive = False
            break
    if alive:
        return True
    copy_into(at_slot(pool, top), state)
    tried = np.int64(0)  # actions tried on each level, three bits for each
    level = 0
    budget = 4000
    while level >= 0 and budget > 0:
        if level == depth:
            return True
        count = tried >> 3 * level & 7
        if count == 5:
            level -= 1
            continue
        action = (count + 1) % 5
        tried += 1 << 3 * level
        here, below = at_slot(pool, top + level), at_slot(pool, top + level + 1)
        if action and not can_try(here.cells, here.info[PLACE], action, here.info[GOT] >= here.info[NEED]):
            continue
        copy_into(below, here)
        budget -= 1
        pool.counts[2] += 1
        status = tick(rules, below, action)
        if status == WON:
            return True
        if status == RUNNING:
            level += 1
            tried &= (1 << 3 * level) - 1
    return False


@bare
def distances(state: State, guide: Any, queue: Any, targets: Any, stone: int, optimistic: bool) -> None:
    """Fill `guide` with the cost of walking from each cell to the nearest target (cells where `targets` is
    set).

    A stone costs `stone` extra, thrice that if it is wedged in; everything else that can be walked through 1.
    """
    cells, info = state.cells, state.info
    size = info[HEIGHT] << SHIFT
    for cell in range(size):
        guide[cell] = FAR
    # Two queues in one array would do for costs 1; stones are rare, so a cell may simply be queued again.
    head = tail = 0
    limit = queue.shape[0]
    for cell in range(size):
        if targets[cell]:
            guide[cell] = 0
            queue[tail] = cell
            tail += 1
    while head != tail:
        cell = queue[head]
        head = head + 1 if head + 1 < limit else 0
        here = np.int64(guide[cell])
        code = np.int64(cells[cell])
        price = 1
        if code == STONE:  # one with room beside it can perhaps be pushed, others are to be gone round
            room = cells[cell - 1] == EMPTY or cells[cell + 1] == EMPTY or cells[cell - STRIDE] == EMPTY
            price = 1 + stone if room else 1 + 3 * stone
        if here + price >= FAR:
            continue
        for way in range(4):
            other = cell + WAYS[way]
            if other < 0 or other >= size:
                continue
            code = np.int64(cells[other])
            if not (
                code == EMPTY
                or code == DIRT
                or code == DIAMOND
                or code == MINER
                or code == STONE
                or code == BLAST
                or MONSTER <= code <= LAST_MONSTER
                or (optimistic and code == AMOEBA)
            ):
                continue
            if here + price < guide[other]:
                guide[other] = here + price
                queue[tail] = other
                tail = tail + 1 if tail + 1 < limit else 0


@bare
def flood(rules: Rules, state: State, seen: Any, queue: Any, strict: bool, walls: bool) -> None:
    """Mark what the miner can reach if nothing moves but what he pushes: a bound if not strict, a guess if
    strict.

    With `walls`, those that a blast would break are taken for broken.
    """
    cells, info = state.cells, state.info
    size = info[HEIGHT] << SHIFT
    seen[:size] = 0
    place = info[PLACE]
    seen[place] = 1
    queue[0] = place
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        if cells[cell] == EXIT:
            continue
        for way in range(4):
            other = cell + WAYS[way]
            if other < 0 or other >= size or seen[other]:
                continue
            code = np.int64(cells[other])
            fine = (
                code == EMPTY
                or code == DIRT
                or code == DIAMOND
                or code == EXIT
                or code == BLAST
                or MONSTER <= code <= LAST_MONSTER
                or (walls and (code == WALL or code == MAGIC))
            )
            if code == STONE:
                if not strict:
                    fine = True
                elif way != 3 and not (rules.classic and way == 1):
                    last = other
                    while cells[last] == STONE:
                        last += WAYS[way]
                    fine = cells[last] == EMPTY
            if fine:
                seen[other] = 1
                queue[tail] = other
                tail += 1


# What `prospects` tells of a state: twice (all stones pushed aside, or none that cannot be pushed at once) how
# many diamonds, exits and other diamonds there are in reach and out of it; then what else there is.
(
    LOOSE_DIAMONDS,
    LOOSE_EXITS,
    FREE_DIAMONDS,
    FREE_EXITS,
    DIAMONDS,
    BLUES,
    MONSTERS,
    STONES,
    MAGICS,
    AMOEBAS_TOLD,
    BLASTS,
) = range(11)
TOLD = 11


@bare
def prospects(rules: Rules, state: State, seen: Any, queue: Any, told: Any) -> None:
    """Tell what is left to hope for. `seen` is then what can be reached as things lie."""
    cells, info = state.cells, state.info
    for index in range(TOLD):
        told[index] = 0
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            code = np.int64(cells[row << SHIFT | column])
            if code <= DIRT:
                continue
            if code == DIAMOND:
                told[DIAMONDS] += 1
            elif code == STONE:
                told[STONES] += 1
            elif MONSTER <= code <= LAST_MONSTER:
                told[MONSTERS] += 1
                if code == BLUE:
                    told[BLUES] += 1
            elif code == MAGIC:
                told[MAGICS] += 1
            elif code == AMOEBA:
                told[AMOEBAS_TOLD] += 1
            elif code == BLAST:
                told[BLASTS] += 1
    for strict in range(2):
        flood(rules, state, seen, queue, strict == 1, strict == 0 and told[MONSTERS] > 0)
        for row in range(info[HEIGHT]):  # all of it: the exit of a cave lies in its border
            for column in range(info[WIDTH]):
                cell = row << SHIFT | column
                if seen[cell]:
                    if cells[cell] == DIAMOND:
                        told[2 * strict] += 1
                    elif cells[cell] == EXIT:
                        told[2 * strict + 1] += 1


@bare
def arrive(
    rules: Rules,
    state: State,
    actions: Any,
    count: int,
    pool: Pool,
    seen: Any,
    queue: Any,
    told: Any,
    settled: int,
) -> bool:
    """Carry out actions; whether the miner wins, or can live on at their end, of which the prospects are then
    told, as they will be after `settled` ticks if he can wait so long: by then what was falling lies.
    """
    for index in range(count):
        tick(rules, state, np.int64(actions[index]))
        if state.info[STATUS] != RUNNING:
            return state.info[STATUS] == WON and index == count - 1
    if not survives(rules, state, pool, 8):
        return False
    later = at_slot(pool, 0)
    copy_into(later, state)
    for _ in range(settled):
        tick(rules, later, 0)
    prospects(rules, later if later.info[STATUS] == RUNNING else state, seen, queue, told)
    return True
