# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""Search over time in an exact model of the mine: the compiled half of the planner.

`find_goals` is a best-first search over whole states of the mine. Two states count as the same if the miner, the
stones, the diamonds and the monsters near the miner are in the same places: dug dirt and distant monsters are ignored,
which keeps the search small and is hardly ever wrong. Nodes that wait for expansion have their state in a slot of
`SearchMemory`; of the others only the path back is stored.

    node   parent, action, depth, slot, digs                  one entry per node, in order of creation
    slot   cells, details, masks, info                        one state per slot; free slots are on a stack
    queue  first_in_bucket[rank] -> next_in_bucket[node] ->   nodes of equal rank, the latest first
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix, pick, signed
from ludion.games.delirium.physics import (
    ACTION_STEPS,
    AMOEBA,
    AMOEBA_COUNT,
    ANIMATED,
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIAMONDS_MADE,
    DIG_DOWN,
    DIG_LEFT,
    DIG_RIGHT,
    DIG_UP,
    DIRT,
    DOWN,
    DUG_HASH,
    EMPTY,
    EXIT,
    GATHERED,
    HEADING_DOWN,
    HEADING_STEPS,
    HEADING_UP,
    HEADINGS,
    HEIGHT,
    INFO_SIZE,
    KILLS,
    LEFT,
    MAGIC,
    MAGIC_TICKS_LEFT,
    MASK_KINDS,
    MINER,
    MINER_CELL,
    NEEDED,
    OBJECT_HASH,
    RIGHT,
    ROW_SHIFT,
    RUNNING,
    SCRATCH_KINDS,
    SILVER,
    SOFT_SILVER,
    STATUS,
    STAY,
    STONE,
    STRIDE,
    UP,
    WALL,
    WALL_GROWING,
    WALL_GROWING_ASIDE,
    WALL_GROWING_UPRIGHT,
    WIDTH,
    WON,
    Bytes,
    MineState,
    RuleSet,
    Words,
    cell_at,
    cell_hash,
    cells_in,
    code_at,
    column_of,
    copy_into,
    is_heavy,
    is_monster,
    row_of,
    tick,
)

NO_PATH = 30_000  # in a guide
STONE_COST, BLOCKED_STONE_COST = 4, 12  # in a guide, beyond the 1 of every cell

GATHER, LEAVE, GO, KILL, MAKE, PUSH = range(6)  # Query.kind
ACTION_ORDER = (RIGHT, UP, LEFT, DOWN, STAY, DIG_RIGHT, DIG_UP, DIG_LEFT, DIG_DOWN)
MOST_DIGS = 2  # digs without a step in one leg
DIG_RANGE = 16  # digging without a step is tried this near to the target
MOST_GOALS = 12
BUCKETS = 4096  # of the queue
TABLE_SIZE, MOST_PROBES = 1 << 19, 64
EXTRA_NODES_FACTOR, EXTRA_NODES = 4, 500  # after the first goal: nodes up to 4 * so far + 500

NODES, SEARCHES, SURVIVAL_TICKS = range(3)  # SearchMemory.counts: sums over all searches

NOT_A_GOAL, IS_GOAL, REPEATED = range(3)
NEVER = -1  # no moment is right
UNWINNABLE = -1
BLAST_SIZE = 9  # cells

# What is left to do, in ticks.
GATHER_TICKS = 10  # for each missing diamond
FREE_TICKS = 14  # for each missing diamond that is not reachable
LOST_DIAMOND = 3  # for each diamond that is not reachable
SHUT_EXIT = 1000
FROZEN = 2  # mark of a stone that can never move again; 1 is that of a cell that can be reached

# What is mixed into hashes so that they are not confused with those of states.
GATHERED_SALT, PATH_SALTS, PUSHED_SALT = 1 << 20, (77, 78, 79), 99

SURVIVAL_DEPTH = 8  # ticks that the miner must be able to live on at the end of a leg
SURVIVAL_NODES = 4000  # states tried in one check of survival
TRIED_BITS, TRIED_MASK = 3, 7  # per level: how many of the five actions were tried
STEP_ACTIONS = 5  # staying and four steps


class SearchMemory(NamedTuple):
    """The arrays of a search, reused between searches. The layout is drawn at the head of this module."""

    cells: Bytes  # by slot
    details: Bytes
    masks: Words
    info: Words
    scratch: Words  # one for all slots
    free_slots: Words  # a stack
    parent: NDArray[np.int32]  # by node
    action: Bytes
    depth: NDArray[np.int32]
    slot: NDArray[np.int32]
    digs: Bytes  # digs without a step so far
    next_in_bucket: NDArray[np.int32]
    first_in_bucket: NDArray[np.int32]
    table: Words  # hashes of the states met
    table_search: Words  # the search that wrote each entry of the table
    goals: Words  # nodes that reached the goal
    counts: Words


class Query(NamedTuple):
    """The goal of `find_goals`, and its limits."""

    kind: int
    goals: int  # end with this many
    nodes: int  # at most
    weight: int = 100  # per cent of the guide that counts
    longest: int = 400  # actions
    support: int = -1  # KILL and MAKE: the cell of the dirt under the stone that is to fall
    near: int = 6  # monsters this near to the miner make states different
    on_the_way: int = 0  # MAKE: diamonds that will be made anyway, of stones that already fall


class Moment(NamedTuple):
    """The action for the right moment, and its limits."""

    action: int
    times: int
    first_wait: int  # ticks
    longest_wait: int
    longest_fall: int


def search_memory(height: int, slots: int = 10_000, nodes: int = 150_000) -> SearchMemory:
    """Memory for searches in mines of this height."""
    return SearchMemory(
        cells=np.zeros((slots, cells_in(height)), np.int8),
        details=np.zeros((slots, cells_in(height)), np.int8),
        masks=np.zeros((slots, MASK_KINDS, height), np.int64),
        info=np.zeros((slots, INFO_SIZE), np.int64),
        scratch=np.zeros((SCRATCH_KINDS, height), np.int64),
        free_slots=np.zeros(slots, np.int64),
        parent=np.zeros(nodes, np.int32),
        action=np.zeros(nodes, np.int8),
        depth=np.zeros(nodes, np.int32),
        slot=np.zeros(nodes, np.int32),
        digs=np.zeros(nodes, np.int8),
        next_in_bucket=np.zeros(nodes, np.int32),
        first_in_bucket=np.zeros(BUCKETS, np.int32),
        table=np.zeros(TABLE_SIZE, np.int64),
        table_search=np.zeros(TABLE_SIZE, np.int64),
        goals=np.zeros(MOST_GOALS, np.int64),
        counts=np.zeros(3, np.int64),
    )


@kernel(count_references=False)
def state_in(memory: SearchMemory, slot: int) -> MineState:
    """The state in a slot."""
    return MineState(
        memory.cells[slot], memory.details[slot], memory.masks[slot], memory.info[slot], memory.scratch
    )


# ------------------------------------------------------------------ states that were met


@kernel(count_references=False)
def met_before(memory: SearchMemory, key: int) -> bool:
    """Whether this hash was met in this search; marks it as met."""
    index_bits = memory.table.shape[0] - 1
    search = memory.counts[SEARCHES]
    index = (key ^ (key >> 32)) & index_bits
    for _ in range(MOST_PROBES):
        if memory.table_search[index] != search:
            memory.table_search[index] = search
            memory.table[index] = key
            return False
        if memory.table[index] == key:
            return True
        index = (index + 1) & index_bits
    return False


@kernel(count_references=False)
def state_hash(state: MineState, near: int) -> int:
    """The hash by which states are distinguished."""
    cells, details, masks, info, _ = state
    place = info[MINER_CELL]
    row, column = row_of(place), column_of(place)
    key = mix(place, info[OBJECT_HASH] ^ info[DUG_HASH])
    if column > near:
        columns = ((1 << (2 * near + 1)) - 1) << (column - near)
    else:
        columns = (1 << (column + near + 1)) - 1
    for r in range(max(0, row - near), min(info[HEIGHT], row + near + 1)):
        to_examine = masks[ANIMATED, r] & columns
        while to_examine:
            cell = cell_at(r, lowest(to_examine))
            to_examine &= to_examine - 1
            code = code_at(cells, cell)
            if is_monster(code):
                key ^= cell_hash(cell, code, code_at(details, cell))
    return key


# ------------------------------------------------------------------ which actions to try


@kernel(count_references=False)
def may_change_something(cells: Any, place: int, action: int, exit_open: bool) -> bool:
    """Whether a step may succeed: a quick check before a whole tick is computed."""
    step = pick(ACTION_STEPS, action)
    target = place + step
    code = code_at(cells, target)
    if code == EMPTY or code == DIRT or code == DIAMOND:
        return True
    if code == EXIT:
        return exit_open
    if code == STONE and action != DOWN:
        last = target
        while cells[last] == STONE:
            last += step
        return code_at(cells, last) == EMPTY
    return False


@kernel(count_references=False)
def worth_digging(cells: Any, target: int) -> bool:
    """Whether digging there without a step may matter: something above could fall."""
    code = code_at(cells, target)
    if code != DIRT and code != DIAMOND:
        return False
    for up in (STRIDE, 2 * STRIDE):
        for side in (-1, 0, 1):
            if target - up >= 0 and is_heavy(code_at(cells, target - up + side)):
                return True
    return False


@kernel(python_entry=False, inline=True)
def worth_trying(query: Query, here: MineState, guide: Any, digs: int, action: int) -> bool:
    """Whether to compute the tick of this action."""
    place = here.info[MINER_CELL]
    if action >= DIG_RIGHT:
        target = place + pick(ACTION_STEPS, action)
        if target == query.support and here.cells[target] == DIRT:
            return True
        return digs < MOST_DIGS and guide[place] <= DIG_RANGE and worth_digging(here.cells, target)
    exit_open = here.info[GATHERED] >= here.info[NEEDED]
    return action == STAY or may_change_something(here.cells, place, action, exit_open)


# ------------------------------------------------------------------ the search


@kernel(count_references=False)
def find_goals(rules: RuleSet, root: MineState, memory: SearchMemory, guide: Any, query: Query) -> int:
    """Search from the root; return the number of goals found. Their nodes are in `memory.goals`, the soonest first.

    `guide[cell]` is the miner's remaining distance from there. The search ends with `query.goals` goals,
    `query.nodes` nodes, or when nothing is left. The goals of each kind:

        GATHER  one more diamond (up to three paths to each)
        LEAVE   the exit
        GO      a cell whose guide is 0
        KILL    a monster killed
        MAKE    a diamond from a magic wall, or the wall begins to work and turns the amoeba into diamonds
        PUSH    a stone moved

    For KILL and MAKE the miner digs away the dirt at `query.support`; after that he need not go anywhere. With a small
    `query.near` the search is fast, but does not wait for distant monsters to come or go.
    """
    free_slots = begin(root, memory, guide, query)
    bucket = rank_of(0, signed(guide[root.info[MINER_CELL]]), query.weight)
    goals = 0
    nodes = 1
    node_limit = min(query.nodes, memory.parent.shape[0] - 16)
    while bucket < BUCKETS and nodes < node_limit and goals < query.goals:
        node = signed(memory.first_in_bucket[bucket])
        if node < 0:
            bucket += 1
            continue
        memory.first_in_bucket[bucket] = memory.next_in_bucket[node]
        slot = signed(memory.slot[node])
        here = state_in(memory, slot)
        depth = signed(memory.depth[node]) + 1
        digs = signed(memory.digs[node])
        for choice in range(len(ACTION_ORDER)):
            action = pick(ACTION_ORDER, choice)
            if depth > query.longest or free_slots == 0:
                break
            if not worth_trying(query, here, guide, digs, action):
                continue
            child_slot = memory.free_slots[free_slots - 1]
            child = state_in(memory, child_slot)
            copy_into(child, here)
            status = tick(rules, child, action)
            if status != RUNNING and not (status == WON and query.kind == LEAVE):
                continue
            if RIGHT <= action <= DOWN and child.info[MINER_CELL] == here.info[MINER_CELL]:
                continue
            goal = check_goal(memory, query, guide, root, here, child, action)
            if goal == REPEATED or met_before(memory, state_hash(child, query.near)):
                continue
            memory.parent[nodes], memory.action[nodes], memory.depth[nodes] = node, action, depth
            memory.slot[nodes], memory.digs[nodes] = child_slot, digs + (action >= DIG_RIGHT)
            if goal == IS_GOAL:
                memory.goals[goals] = nodes
                if goals == 0:  # further goals should not take much longer than the first
                    node_limit = min(node_limit, EXTRA_NODES_FACTOR * nodes + EXTRA_NODES)
                goals += 1
                nodes += 1
                if goals == query.goals or goals == MOST_GOALS:
                    break
                continue
            distance = distance_left(query, guide, child)
            if distance < NO_PATH:
                free_slots -= 1
                rank = rank_of(depth, distance, query.weight)
                memory.next_in_bucket[nodes] = memory.first_in_bucket[rank]
                memory.first_in_bucket[rank] = nodes
                bucket = min(bucket, rank)
            nodes += 1
            if nodes >= node_limit:
                break
        memory.free_slots[free_slots] = slot
        free_slots += 1
    memory.counts[NODES] += nodes
    return goals


@kernel(python_entry=False, inline=True)
def begin(root: MineState, memory: SearchMemory, guide: Any, query: Query) -> int:
    """Make the root the only node of a new search; returns the number of free slots."""
    memory.counts[SEARCHES] += 1
    free_slots = len(memory.free_slots)
    for index in range(free_slots):
        memory.free_slots[index] = index
    free_slots -= 1
    slot = signed(memory.free_slots[free_slots])
    copy_into(state_in(memory, slot), root)
    memory.parent[0], memory.action[0], memory.depth[0] = -1, STAY, 0
    memory.slot[0], memory.digs[0], memory.next_in_bucket[0] = slot, 0, -1
    memory.first_in_bucket[:] = -1
    memory.first_in_bucket[rank_of(0, signed(guide[root.info[MINER_CELL]]), query.weight)] = 0
    met_before(memory, state_hash(root, query.near))
    return free_slots


@kernel(python_entry=False, inline=True)
def rank_of(depth: int, distance: int, weight: int) -> int:
    """The bucket of a node: its depth plus the weighted distance to the target."""
    return min(BUCKETS - 1, depth + distance * weight // 100)


@kernel(python_entry=False, inline=True)
def distance_left(query: Query, guide: Any, child: MineState) -> int:
    """The miner's remaining distance: 0 once the support is dug away."""
    if query.support >= 0 and child.cells[query.support] != DIRT:
        return 0
    return signed(guide[child.info[MINER_CELL]])


@kernel(python_entry=False, inline=True)
def check_goal(
    memory: SearchMemory,
    query: Query,
    guide: Any,
    root: MineState,
    here: MineState,
    child: MineState,
    action: int,
) -> int:
    """Whether the child is a goal: NOT_A_GOAL, IS_GOAL, or REPEATED if enough like it were found."""
    kind = query.kind
    goal = False
    if kind == GATHER:
        goal = child.info[GATHERED] > root.info[GATHERED]
        if goal:
            diamond = child.info[MINER_CELL]
            if action >= DIG_RIGHT:
                diamond = here.info[MINER_CELL] + pick(ACTION_STEPS, action)
            if has_enough_paths(memory, diamond, child.info[OBJECT_HASH]):
                return REPEATED
    elif kind == LEAVE:
        goal = child.info[STATUS] == WON
    elif kind == GO:
        goal = guide[child.info[MINER_CELL]] == 0
    elif kind == KILL:
        goal = child.info[KILLS] > root.info[KILLS]
    elif kind == MAKE:
        started = child.info[MAGIC_TICKS_LEFT] >= 0 and root.info[MAGIC_TICKS_LEFT] < 0
        goal = child.info[DIAMONDS_MADE] > root.info[DIAMONDS_MADE] + query.on_the_way or (
            started and child.info[AMOEBA_COUNT] > 0
        )
    elif kind == PUSH:
        objects = child.info[OBJECT_HASH]
        goal = objects != root.info[OBJECT_HASH] and not met_before(memory, mix(objects, PUSHED_SALT))
    return IS_GOAL if goal else NOT_A_GOAL


@kernel(python_entry=False, inline=True)
def has_enough_paths(memory: SearchMemory, diamond: int, objects: int) -> bool:
    """Whether there are three paths to a diamond, or one that leaves all objects in the same places."""
    if met_before(memory, mix(diamond + GATHERED_SALT, objects)):
        return True
    for salt in PATH_SALTS:  # noqa: SIM110 (kernels have no generators)
        if not met_before(memory, mix(diamond, salt)):
            return False
    return True


@kernel(count_references=False)
def path_to(memory: SearchMemory, node: int, actions: Any) -> int:
    """Write the actions that lead to a node; return their number."""
    count = signed(memory.depth[node])
    while memory.parent[node] >= 0:
        actions[signed(memory.depth[node]) - 1] = memory.action[node]
        node = signed(memory.parent[node])
    return count


# ------------------------------------------------------------------ the right moment


@kernel(count_references=False)
def find_moment(rules: RuleSet, state: MineState, memory: SearchMemory, kind: int, moment: Moment) -> int:
    """The ticks to wait before an action so that a monster is killed (KILL), or a diamond made (MAKE), in the ticks
    after it; NEVER if no wait within the limits works, or the miner cannot wait that long."""
    waiting, trial = state_in(memory, 0), state_in(memory, 1)
    copy_into(waiting, state)
    counter = KILLS if kind == KILL else DIAMONDS_MADE
    for wait in range(moment.longest_wait):
        if wait >= moment.first_wait:
            copy_into(trial, waiting)
            status = RUNNING
            for step in range(moment.times + moment.longest_fall):
                status = tick(rules, trial, moment.action if step < moment.times else STAY)
                memory.counts[SURVIVAL_TICKS] += 1
                if status != RUNNING:
                    break
                if trial.info[counter] > waiting.info[counter]:
                    return wait
        memory.counts[SURVIVAL_TICKS] += 1
        if tick(rules, waiting, STAY) != RUNNING:
            break
    return NEVER


# ------------------------------------------------------------------ survival


@kernel(count_references=False)
def survives(rules: RuleSet, state: MineState, memory: SearchMemory, depth: int) -> bool:
    """Whether the miner can survive for some ticks (at most 20), by waiting or by any steps.

    The steps are found by depth-first search, with the states of the path in the last slots.
    """
    top = len(memory.free_slots) - depth - 2
    copy_into(state_in(memory, top), state)
    memory.counts[SURVIVAL_TICKS] += 2 * depth
    alive = True
    for _ in range(2 * depth):
        if tick(rules, state_in(memory, top), STAY) > WON:
            alive = False
            break
    if alive:
        return True
    copy_into(state_in(memory, top), state)
    tried = 0  # how many actions were tried on each level, three bits for each
    level = 0
    nodes_left = SURVIVAL_NODES
    while level >= 0 and nodes_left > 0:
        if level == depth:
            return True
        count = tried >> TRIED_BITS * level & TRIED_MASK
        if count == STEP_ACTIONS:
            level -= 1
            continue
        action = (count + 1) % STEP_ACTIONS
        tried += 1 << TRIED_BITS * level
        here, below = state_in(memory, top + level), state_in(memory, top + level + 1)
        exit_open = here.info[GATHERED] >= here.info[NEEDED]
        if action and not may_change_something(here.cells, here.info[MINER_CELL], action, exit_open):
            continue
        copy_into(below, here)
        nodes_left -= 1
        memory.counts[SURVIVAL_TICKS] += 1
        status = tick(rules, below, action)
        if status == WON:
            return True
        if status == RUNNING:
            level += 1
            tried &= (1 << TRIED_BITS * level) - 1
    return False


# ------------------------------------------------------------------ distances


@kernel(count_references=False)
def fill_guide(state: MineState, guide: Any, queue: Any, targets: Any) -> None:
    """Fill `guide` with the cost of walking from each cell to the nearest target (cells where `targets` is set)."""
    cells, info = state.cells, state.info
    size = info[HEIGHT] << ROW_SHIFT
    for cell in range(size):
        guide[cell] = NO_PATH
    head = tail = 0  # of the queue, which is a ring; a cell may be in it again if its cost falls
    limit = queue.shape[0]
    for cell in range(size):
        if targets[cell]:
            guide[cell] = 0
            queue[tail] = cell
            tail += 1
    while head != tail:
        cell = queue[head]
        head = head + 1 if head + 1 < limit else 0
        cost = signed(guide[cell]) + 1
        if (
            cells[cell] == STONE
        ):  # one with room beside it can perhaps be pushed, others must be walked around
            room = cells[cell - 1] == EMPTY or cells[cell + 1] == EMPTY or cells[cell - STRIDE] == EMPTY
            cost += STONE_COST if room else BLOCKED_STONE_COST
        if cost >= NO_PATH:
            continue
        for heading in range(HEADINGS):
            beside = cell + HEADING_STEPS[heading]
            if 0 <= beside < size and cost < guide[beside] and can_be_walked(code_at(cells, beside)):
                guide[beside] = cost
                queue[tail] = beside
                tail = tail + 1 if tail + 1 < limit else 0


@kernel(python_entry=False, inline=True)
def can_be_walked(code: int) -> bool:
    """Whether a path may lead through such a cell, now or later."""
    return (
        code == EMPTY
        or code == DIRT
        or code == DIAMOND
        or code == MINER
        or code == STONE
        or code == BLAST
        or is_monster(code)
    )


# ------------------------------------------------------------------ outlook

# What `survey` counts. Possible: if every stone could be pushed aside. Reachable: pushing only what can be pushed now.
(
    POSSIBLE_DIAMONDS,
    POSSIBLE_EXITS,
    REACHABLE_DIAMONDS,
    REACHABLE_EXITS,
    ALL_DIAMONDS,
    BLUE_MONSTERS,
    ALL_MONSTERS,
    ALL_STONES,
    MAGIC_WALLS,
    AMOEBA_CELLS,
    BLAST_CELLS,
) = range(11)
OUTLOOK_SIZE = 11


@kernel(count_references=False)
def survey(rules: RuleSet, state: MineState, reachable: Any, queue: Any, outlook: Any) -> None:
    """Count the objects of the mine and those that the miner can reach; `reachable` becomes the cells that he can."""
    cells, info = state.cells, state.info
    for index in range(OUTLOOK_SIZE):
        outlook[index] = 0
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            code = code_at(cells, cell_at(row, column))
            if code <= DIRT:
                continue
            if code == DIAMOND:
                outlook[ALL_DIAMONDS] += 1
            elif code == STONE:
                outlook[ALL_STONES] += 1
            elif is_monster(code):
                outlook[ALL_MONSTERS] += 1
                if code == BLUE:
                    outlook[BLUE_MONSTERS] += 1
            elif code == MAGIC:
                outlook[MAGIC_WALLS] += 1
            elif code == AMOEBA:
                outlook[AMOEBA_CELLS] += 1
            elif code == BLAST:
                outlook[BLAST_CELLS] += 1
    walls_may_break = outlook[ALL_MONSTERS] > 0
    clear(reachable, info[HEIGHT] << ROW_SHIFT)
    if not walls_may_break:
        mark_frozen_stones(rules, state, reachable)
    flood(rules, state, reachable, queue, False, walls_may_break)
    count_reached(state, reachable, outlook, POSSIBLE_DIAMONDS, POSSIBLE_EXITS)
    clear(reachable, info[HEIGHT] << ROW_SHIFT)
    flood(rules, state, reachable, queue, True, False)
    count_reached(state, reachable, outlook, REACHABLE_DIAMONDS, REACHABLE_EXITS)


@kernel(count_references=False)
def cost_left(rules: RuleSet, state: MineState, outlook: Any, mine_known: bool) -> int:
    """What is still to be done and what may go wrong, in ticks, after a survey; UNWINNABLE if there cannot be enough
    diamonds or no path to the exit, even if every stone could be pushed aside."""
    info = state.info
    missing = max(0, info[NEEDED] - info[GATHERED])
    if mine_known:
        possible = outlook[POSSIBLE_DIAMONDS] + BLAST_SIZE * outlook[BLUE_MONSTERS] + outlook[BLAST_CELLS]
        if outlook[AMOEBA_CELLS]:  # it may grow that large
            possible += rules.largest_diamond_amoeba
        if outlook[MAGIC_WALLS] and info[MAGIC_TICKS_LEFT] != 0:
            possible += outlook[ALL_STONES]
        if outlook[POSSIBLE_EXITS] == 0 or possible < missing:
            return UNWINNABLE
    reachable = outlook[REACHABLE_DIAMONDS]
    cost = GATHER_TICKS * missing + FREE_TICKS * max(0, missing - reachable)
    cost += LOST_DIAMOND * (outlook[ALL_DIAMONDS] - reachable)
    if outlook[REACHABLE_EXITS] == 0:
        cost += SHUT_EXIT
    return signed(cost)


@kernel(count_references=False)
def flood(
    rules: RuleSet, state: MineState, reachable: Any, queue: Any, strict: bool, through_walls: bool
) -> None:
    """Mark the cells that the miner can reach if nothing moves except what he pushes; cells with a mark stay closed.

    If strict, stones must have room to be pushed: an estimate. Otherwise every stone gives way: an upper bound. With
    `through_walls`, walls that a blast would break count as broken.
    """
    cells, info = state.cells, state.info
    size = info[HEIGHT] << ROW_SHIFT
    place = info[MINER_CELL]
    reachable[place] = 1
    queue[0] = place
    head, tail = 0, 1
    while head < tail:
        cell = queue[head]
        head += 1
        if cells[cell] == EXIT:
            continue
        for heading in range(HEADINGS):
            beside = cell + HEADING_STEPS[heading]
            if beside < 0 or beside >= size or reachable[beside]:
                continue
            code = code_at(cells, beside)
            can_enter = (
                code == EMPTY
                or code == DIRT
                or code == DIAMOND
                or code == EXIT
                or code == BLAST
                or is_monster(code)
                or (through_walls and (code == WALL or code == MAGIC))
            )
            if code == STONE:
                can_enter = not strict or can_push(rules, cells, beside, heading)
            if can_enter:
                reachable[beside] = 1
                queue[tail] = beside
                tail += 1


@kernel(python_entry=False, inline=True)
def clear(marks: Any, size: int) -> None:
    for cell in range(size):
        marks[cell] = 0


@kernel(count_references=False)
def mark_frozen_stones(rules: RuleSet, state: MineState, frozen: Any) -> None:
    """Mark the stones that can never move again as FROZEN, whatever is dug, gathered or killed around them.

    At first all stones count as frozen; each that could fall, roll or be pushed is then freed, until nothing changes.
    """
    cells, info = state.cells, state.info
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            cell = cell_at(row, column)
            if cells[cell] == STONE:
                frozen[cell] = FROZEN
    changed = True
    while changed:
        changed = False
        for row in range(info[HEIGHT]):
            for column in range(info[WIDTH]):
                cell = cell_at(row, column)
                if frozen[cell] == FROZEN and can_be_moved(rules, cells, frozen, cell):
                    frozen[cell] = 0
                    changed = True


@kernel(python_entry=False, inline=True)
def can_be_moved(rules: RuleSet, cells: Any, frozen: Any, stone: int) -> bool:
    """Whether a stone could fall, roll or be pushed if everything that can give way were gone."""
    below = stone + STRIDE
    if not is_fixed(cells, frozen, below):
        return True
    left, right = stone - 1, stone + 1
    for side in (left, right):
        if not is_fixed(cells, frozen, side) and not is_fixed(cells, frozen, side + STRIDE):
            return True
    if not rules.classic:  # a row of stones is pushed at once
        while cells[left] == STONE:
            left -= 1
        while cells[right] == STONE:
            right += 1
    return not is_fixed(cells, frozen, left) and not is_fixed(cells, frozen, right)


@kernel(python_entry=False, inline=True)
def is_fixed(cells: Any, frozen: Any, cell: int) -> bool:
    """Whether the content of a cell never gives way."""
    code = code_at(cells, cell)
    if code == STONE:
        return bool(frozen[cell] == FROZEN)
    return (
        code == WALL
        or code == MAGIC
        or code == SILVER
        or code == BORDER
        or code == EXIT
        or code == SOFT_SILVER
        or code == WALL_GROWING
        or code == WALL_GROWING_ASIDE
        or code == WALL_GROWING_UPRIGHT
    )


@kernel(count_references=False)
def can_push(rules: RuleSet, cells: Any, stone: int, heading: int) -> bool:
    """Whether there is room behind the row of stones that begins here."""
    if heading == HEADING_DOWN or (rules.classic and heading == HEADING_UP):
        return False
    last = stone
    while cells[last] == STONE:
        last += HEADING_STEPS[heading]
    return code_at(cells, last) == EMPTY


@kernel(python_entry=False, inline=True)
def count_reached(state: MineState, reachable: Any, outlook: Any, diamonds: int, exits: int) -> None:
    """Count the reachable diamonds and exits. (The border is searched too: the exit of a cave may lie in it.)"""
    for row in range(state.info[HEIGHT]):
        for column in range(state.info[WIDTH]):
            cell = cell_at(row, column)
            if reachable[cell] == 1:
                if state.cells[cell] == DIAMOND:
                    outlook[diamonds] += 1
                elif state.cells[cell] == EXIT:
                    outlook[exits] += 1


@kernel(count_references=False)
def play_leg(
    rules: RuleSet,
    state: MineState,
    actions: Any,
    count: int,
    memory: SearchMemory,
    reachable: Any,
    queue: Any,
    outlook: Any,
    settling_ticks: int,
) -> bool:
    """Carry out the actions of a leg and survey the mine at its end; return whether the miner wins or can survive.

    The survey is made `settling_ticks` later, if he can wait that long: by then falling stones have come to rest.
    """
    for index in range(count):
        tick(rules, state, signed(actions[index]))
        if state.info[STATUS] != RUNNING:
            return state.info[STATUS] == WON and index == count - 1
    if not survives(rules, state, memory, SURVIVAL_DEPTH):
        return False
    later = state_in(memory, 0)
    copy_into(later, state)
    for _ in range(settling_ticks):
        tick(rules, later, STAY)
    survey(rules, later if later.info[STATUS] == RUNNING else state, reachable, queue, outlook)
    return True
