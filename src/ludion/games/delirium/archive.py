# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""An archive of states of the mine, filled by short random walks: the half of the search for plans that needs no rules
for what may help.

The archive has a level for each number of gathered diamonds, and keeps the best states of each level. A walk begins in
one of them and goes to a few random targets: diamonds, the exit, cells near by, stones to push or to undermine. It adds
the states on its way that are better than those in their places. Few walks lead anywhere, but there are ten thousands
of them per second, and their states add up to plans: stones moved out of the way in time, monsters led elsewhere.

    slot   level * width + number in the level   state, key, score, visits, node, exit_open
           the last two slots                    the state of the walk under way, before and after an action
    node   parent, first_action                  a state that was added, also if it was replaced since; its actions,
                                                 those after its parent, end where those of the next node begin
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.core.verbs import kernel
from ludion.core.words import mix, pick, signed
from ludion.games.delirium.physics import (
    AMOEBA,
    DIAMOND,
    DIG_DOWN,
    DIG_LEFT,
    DIG_RIGHT,
    DIRT,
    EMPTY,
    EXIT,
    GATHERED,
    HEADING_STEPS,
    HEADINGS,
    HEIGHT,
    INFO_SIZE,
    LEFT,
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
    STATUS,
    STAY,
    STONE,
    STRIDE,
    TICK,
    WIDTH,
    WON,
    Bytes,
    MineState,
    RuleSet,
    Words,
    cell_at,
    cells_in,
    code_at,
    column_of,
    copy_into,
    is_heavy,
    row_of,
    tick,
)
from ludion.games.delirium.search import (
    AMOEBA_CELLS,
    MAGIC_WALLS,
    NO_PATH,
    OUTLOOK_SIZE,
    REACHABLE_DIAMONDS,
    REACHABLE_EXITS,
    SURVIVAL_DEPTH,
    UNWINNABLE,
    SearchMemory,
    cost_left,
    fill_guide,
    may_change_something,
    survey,
    survives,
)

NODES_USED, ACTIONS_USED, RANDOM, WIN, TICKS, ADDED, SURVEYS, GUIDES, MINE_KNOWN = range(9)  # Archive.numbers
NUMBERS = 9
NOWHERE, ENDED = -1, -2  # no slot, node, target or action; a walk to a target has ended
RANDOM_SEED = 0x2545F4914F6CDD1D

SLOTS, LEAST_WIDTH = 8_192, 16
NODES, ACTIONS_PER_NODE = 400_000, 24
LONGEST_WALK = 1_000  # actions
WALKS_AT_ONCE = 5
GUIDE_EFFORT = 3  # of a guide or survey, in nodes of search
TICKS_PER_NODE = 4  # ticks of a walk that cost as much as a node of search

LAST_OBJECTS = 3  # states with the same place count as different by these bits of the hash of their objects
SCORE_BASE = 10_000  # keeps scores positive
AMOEBA_DIAMOND = 7  # ticks that a cell of amoeba is worth that may become a diamond
WIDE_AMOEBA = 25  # per cent of a tick, for each cell that makes the amoeba too large to become diamonds
VISIT = 10  # ticks that a state must be better to be chosen, for each walk that began there

# A walk.
MOST_TARGETS, MOST_WAITING, STUCK_TICKS = 3, 30, 6
STRAYS_ONE_IN, DELAYS_ONE_IN, LONGEST_DELAY = 24, 4, 16  # actions that are random, targets that are delayed
DETOUR = 3  # cells that a step may lead away from the target before staying is better
KINDS, DIAMOND_KINDS, EXIT_KINDS, NEAR_KINDS, PUSH_KINDS, UNDERMINE_KIND, FAR_KIND = 16, 8, 12, 11, 13, 13, 15
NEAR, FARTHER, FAR = 6, 12, 40  # how far such targets may be
TARGET_TRIES = 20
ACTION_SHIFT, TIMES_SHIFT, CELL_MASK, ACTION_MASK = 16, 20, 0xFFFF, 15  # of `choose_target`


class Weights(NamedTuple):
    """What may differ from round to round and from mine to mine."""

    room: int = 50  # per cent of a tick, for each cell that the miner can reach
    tick: int = 30  # per cent of a tick, for each that has passed
    tick_shift: int = 7  # states count as different if their ticks differ without these lowest bits


class Archive(NamedTuple):
    """The arrays. The layout is drawn at the head of this module."""

    cells: Bytes  # by slot
    details: Bytes
    masks: Words
    info: Words
    scratch: Words  # one for all slots
    key: Words  # by slot: two states of a level with the same key take the same place
    score: Words  # lower is better
    visits: Words
    node: Words
    exit_open: Bytes
    filled: Words  # by level: how many slots
    parent: NDArray[np.int32]  # by node
    first_action: Words
    actions: Bytes  # of all nodes
    path: Bytes  # of the walk under way, since the last state that was added
    guide: NDArray[np.int32]
    queue: Words
    targets: Bytes
    reachable: Bytes
    outlook: Words
    numbers: Words


def empty_archive(height: int, needed: int, seed: int) -> Archive:
    """An archive for mines of this height that need so many diamonds."""
    size = cells_in(height)
    levels = needed + 1
    slots = levels * max(LEAST_WIDTH, SLOTS // levels) + 2
    numbers = np.zeros(NUMBERS, np.int64)
    numbers[RANDOM] = seed + 1
    return Archive(
        cells=np.zeros((slots, size), np.int8),
        details=np.zeros((slots, size), np.int8),
        masks=np.zeros((slots, MASK_KINDS, height), np.int64),
        info=np.zeros((slots, INFO_SIZE), np.int64),
        scratch=np.zeros((SCRATCH_KINDS, height), np.int64),
        key=np.zeros(slots, np.int64),
        score=np.zeros(slots, np.int64),
        visits=np.zeros(slots, np.int64),
        node=np.zeros(slots, np.int64),
        exit_open=np.zeros(slots, np.int8),
        filled=np.zeros(levels, np.int64),
        parent=np.zeros(NODES, np.int32),
        first_action=np.zeros(NODES + 1, np.int64),
        actions=np.zeros(NODES * ACTIONS_PER_NODE, np.int8),
        path=np.zeros(LONGEST_WALK, np.int8),
        guide=np.zeros(size, np.int32),
        queue=np.zeros(4 * size, np.int64),
        targets=np.zeros(size, np.int8),
        reachable=np.zeros(size, np.int8),
        outlook=np.zeros(OUTLOOK_SIZE, np.int64),
        numbers=numbers,
    )


@kernel(count_references=False)
def state_at(archive: Archive, slot: int) -> MineState:
    """The state in a slot."""
    return MineState(
        archive.cells[slot], archive.details[slot], archive.masks[slot], archive.info[slot], archive.scratch
    )


@kernel(python_entry=False, inline=True)
def width_of(archive: Archive) -> int:
    """The slots of each level."""
    width: int = (archive.key.shape[0] - 2) // archive.filled.shape[0]
    return width


@kernel(python_entry=False, inline=True)
def random_number(archive: Archive, bound: int) -> int:
    """A pseudo-random number from 0 to bound - 1."""
    archive.numbers[RANDOM] = mix(archive.numbers[RANDOM], RANDOM_SEED)
    number: int = (archive.numbers[RANDOM] >> 20) & 0x3FFFFFFF
    return number % bound


# ------------------------------------------------------------------ adding states


@kernel(count_references=False)
def score_of(rules: RuleSet, archive: Archive, state: MineState, weights: Weights) -> int:
    """The score of a state: what is left to do, the ticks that have passed, and less for room and amoeba;
    UNWINNABLE if it is known that the exit cannot be reached."""
    outlook, info = archive.outlook, state.info
    survey(rules, state, archive.reachable, archive.queue, outlook)
    archive.numbers[SURVEYS] += 1
    cost = cost_left(rules, state, outlook, archive.numbers[MINE_KNOWN] != 0)
    if cost == UNWINNABLE:
        return UNWINNABLE
    score = SCORE_BASE + info[TICK] * weights.tick // 100 + cost
    room = 0
    for cell in range(info[HEIGHT] << ROW_SHIFT):
        room += signed(archive.reachable[cell])
    score -= room * weights.room // 100
    lacking = info[NEEDED] - info[GATHERED] - outlook[REACHABLE_DIAMONDS]
    if outlook[AMOEBA_CELLS] and lacking > 0:
        amoeba = outlook[AMOEBA_CELLS]
        if not (rules.magic_ends_amoeba and info[MAGIC_TICKS_LEFT] < 0 and outlook[MAGIC_WALLS]):
            amoeba = room_of_amoeba(archive, state)
        if amoeba > rules.largest_diamond_amoeba:
            score += (amoeba - rules.largest_diamond_amoeba) * WIDE_AMOEBA // 100
        else:
            score -= AMOEBA_DIAMOND * min(lacking, amoeba)
    return signed(score)


@kernel(count_references=False)
def room_of_amoeba(archive: Archive, state: MineState) -> int:
    """How many cells the amoeba has and can still grow into as things lie."""
    cells, info = state.cells, state.info
    reached, queue = archive.reachable, archive.queue
    for cell in range(info[HEIGHT] << ROW_SHIFT):
        reached[cell] = 0
    head = tail = 0
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            cell = cell_at(row, column)
            if cells[cell] == AMOEBA:
                reached[cell] = 1
                queue[tail] = cell
                tail += 1
    while head < tail:
        cell = queue[head]
        head += 1
        for heading in range(HEADINGS):
            beside = cell + HEADING_STEPS[heading]
            code = code_at(cells, beside)
            if not reached[beside] and (code == EMPTY or code == DIRT or code == MINER):
                reached[beside] = 1
                queue[tail] = beside
                tail += 1
    return tail


@kernel(count_references=False)
def offer(rules: RuleSet, archive: Archive, memory: SearchMemory, weights: Weights, slot: int) -> int:
    """Copy the state of this slot to its place in the archive if it is better than what is there, and the miner can
    survive; return the place, or NOWHERE."""
    state = state_at(archive, slot)
    info = state.info
    level = min(info[GATHERED], info[NEEDED])
    width = width_of(archive)
    first = level * width
    end = first + archive.filled[level]
    key = mix(info[MINER_CELL] << 2 | info[OBJECT_HASH] & LAST_OBJECTS, info[TICK] >> weights.tick_shift)
    place, worst = NOWHERE, first
    for index in range(first, end):
        if archive.key[index] == key:
            place = index
            break
        if archive.score[index] > archive.score[worst]:
            worst = index
    if place >= 0:
        same = archive.info[place, OBJECT_HASH] == info[OBJECT_HASH]
        if same and archive.info[place, TICK] <= info[TICK]:
            return NOWHERE  # only dirt and monsters can differ
    score = score_of(rules, archive, state, weights)
    if score == UNWINNABLE:
        return NOWHERE
    if place < 0:
        place = end if end < first + width else worst
    if place < end and archive.score[place] <= score:
        return NOWHERE
    exit_open = archive.outlook[REACHABLE_EXITS] > 0
    if not survives(rules, state, memory, SURVIVAL_DEPTH):
        return NOWHERE
    if place == end:
        archive.filled[level] += 1
    copy_into(state_at(archive, place), state)
    archive.key[place], archive.score[place], archive.visits[place] = key, score, 0
    archive.exit_open[place] = exit_open
    archive.numbers[ADDED] += 1
    return signed(place)


@kernel(count_references=False)
def new_node(archive: Archive, parent: int, actions: Any, count: int) -> int:
    """A node for the first actions, after the parent. There must be room (`is_full`)."""
    numbers = archive.numbers
    node, begin = numbers[NODES_USED], numbers[ACTIONS_USED]
    archive.parent[node] = parent
    archive.first_action[node] = begin
    for index in range(count):
        archive.actions[begin + index] = actions[index]
    archive.first_action[node + 1] = begin + count
    numbers[ACTIONS_USED] = begin + count
    numbers[NODES_USED] = node + 1
    return signed(node)


@kernel(count_references=False)
def is_full(archive: Archive) -> bool:
    """Whether there may be no room for the nodes of another walk."""
    nodes_left = archive.parent.shape[0] - archive.numbers[NODES_USED]
    actions_left = archive.actions.shape[0] - archive.numbers[ACTIONS_USED]
    return bool(nodes_left < LONGEST_WALK or actions_left < 2 * LONGEST_WALK)


@kernel(count_references=False)
def keep_descendants(archive: Archive, root: int, descends: Any) -> None:
    """Drop the states that are not reached through this node."""
    for node in range(archive.numbers[NODES_USED]):
        parent = archive.parent[node]
        descends[node] = node == root or (parent >= 0 and descends[parent])
    width = width_of(archive)
    for level in range(archive.filled.shape[0]):
        target = level * width
        for slot in range(level * width, level * width + archive.filled[level]):
            if descends[archive.node[slot]]:
                if target != slot:
                    copy_into(state_at(archive, target), state_at(archive, slot))
                    archive.key[target], archive.score[target] = archive.key[slot], archive.score[slot]
                    archive.visits[target], archive.node[target] = archive.visits[slot], archive.node[slot]
                    archive.exit_open[target] = archive.exit_open[slot]
                target += 1
        archive.filled[level] = target - level * width


# ------------------------------------------------------------------ walks


@kernel(count_references=False)
def choose_start(archive: Archive) -> int:
    """The slot from which a walk begins: half of them near the highest level, half on any; there, the best of three."""
    level = archive.filled.shape[0] - 1
    while not archive.filled[level]:
        level -= 1
    if random_number(archive, 2):
        while level and random_number(archive, 3):
            level -= 1
    else:
        level = random_number(archive, level + 1)
    while level and not archive.filled[level]:
        level -= 1
    while not archive.filled[level]:
        level += 1
    best, best_score = NOWHERE, 0
    for _ in range(3):
        slot = level * width_of(archive) + random_number(archive, archive.filled[level])
        score = archive.score[slot] + VISIT * archive.visits[slot]
        if best < 0 or score < best_score:
            best, best_score = slot, score
    return signed(best)


@kernel(count_references=False)
def choose_target(archive: Archive, state: MineState) -> int:
    """Where a walk goes next: the cell, an action to carry out there << ACTION_SHIFT, how often << TIMES_SHIFT;
    NOWHERE to wait."""
    cells, info = state.cells, state.info
    kind = random_number(archive, KINDS)
    row, column = row_of(info[MINER_CELL]), column_of(info[MINER_CELL])
    enough = info[GATHERED] >= info[NEEDED]
    if kind < DIAMOND_KINDS or (enough and kind < EXIT_KINDS):
        return nearest(archive, state, EXIT if enough else DIAMOND)
    distance = NEAR if kind < NEAR_KINDS else FAR if kind == FAR_KIND else FARTHER
    for _ in range(TARGET_TRIES):
        r = row + random_number(archive, 2 * distance + 1) - distance
        c = column + random_number(archive, 2 * distance + 1) - distance
        if r < 1 or c < 1 or r >= info[HEIGHT] - 1 or c >= info[WIDTH] - 1:
            continue
        cell = cell_at(r, c)
        code = code_at(cells, cell)
        if kind < NEAR_KINDS or kind == FAR_KIND:
            if can_be_entered(code):
                return signed(cell)
        elif kind < PUSH_KINDS:
            if code == STONE:
                side = 1 if random_number(archive, 2) else -1
                push = RIGHT if side > 0 else LEFT
                if can_be_entered(code_at(cells, cell - side)) and can_be_entered(
                    code_at(cells, cell + side)
                ):
                    times = 1 + random_number(archive, 4)
                    return signed(cell - side + (push << ACTION_SHIFT) + (times << TIMES_SHIFT))
        elif code == DIRT and is_heavy(code_at(cells, cell - STRIDE)):
            if kind == UNDERMINE_KIND:
                return signed(cell)
            side = 1 if random_number(archive, 2) else -1
            dig = DIG_RIGHT if side > 0 else DIG_LEFT
            if can_be_entered(code_at(cells, cell - side)):
                return signed(cell - side + (dig << ACTION_SHIFT) + (1 << TIMES_SHIFT))
    return NOWHERE


@kernel(count_references=False)
def nearest(archive: Archive, state: MineState, code: int) -> int:
    """A cell with this code that is near, more or less; NOWHERE if there is none."""
    info = state.info
    row, column = row_of(info[MINER_CELL]), column_of(info[MINER_CELL])
    best, best_distance = NOWHERE, NO_PATH
    spread = 4 << random_number(archive, 5)
    for r in range(info[HEIGHT]):
        for c in range(info[WIDTH]):
            if state.cells[cell_at(r, c)] == code:
                distance = abs(r - row) + abs(c - column) + random_number(archive, spread)
                if distance < best_distance:
                    best, best_distance = cell_at(r, c), distance
    return signed(best)


@kernel(python_entry=False, inline=True)
def can_be_entered(code: int) -> bool:
    return code == EMPTY or code == DIRT or code == DIAMOND


@kernel(count_references=False)
def try_action(rules: RuleSet, archive: Archive, here: int, there: int, action: int) -> bool:
    """Carry out the action, from one slot into the other; return whether it may be of use and the miner lives."""
    state, after = state_at(archive, here), state_at(archive, there)
    if RIGHT <= action < DIG_RIGHT:
        exit_open = state.info[GATHERED] >= state.info[NEEDED]
        if not may_change_something(state.cells, state.info[MINER_CELL], action, exit_open):
            return False
    copy_into(after, state)
    status = tick(rules, after, action)
    archive.numbers[TICKS] += 1
    return status == RUNNING or status == WON


@kernel(count_references=False)
def step_on(rules: RuleSet, archive: Archive, here: int, there: int) -> int:
    """Take the step that leads nearest to the target and that the miner survives; return it, or NOWHERE."""
    place = archive.info[here, MINER_CELL]
    tried = 0
    for _ in range(HEADINGS):
        best, best_distance = NOWHERE, NO_PATH
        for heading in range(HEADINGS):
            distance = signed(archive.guide[place + pick(HEADING_STEPS, heading)])
            if not tried >> heading & 1 and distance < best_distance:
                best, best_distance = heading, distance
        if best < 0:
            break
        tried |= 1 << best
        if best_distance > archive.guide[place] + DETOUR and try_action(rules, archive, here, there, STAY):
            return STAY
        if try_action(rules, archive, here, there, RIGHT + best):
            return RIGHT + best
    return STAY if try_action(rules, archive, here, there, STAY) else NOWHERE


@kernel(count_references=False)
def aim(archive: Archive, here: int, target: int) -> bool:
    """Make the guide lead to a cell; return whether there is a path, as far as the guide can see."""
    archive.targets[target] = 1
    fill_guide(state_at(archive, here), archive.guide, archive.queue, archive.targets)
    archive.targets[target] = 0
    archive.numbers[GUIDES] += 1
    return bool(archive.guide[archive.info[here, MINER_CELL]] < NO_PATH)


@kernel(count_references=False)
def next_action(
    rules: RuleSet, archive: Archive, here: int, there: int, target: int, last_action: int, waiting: bool
) -> int:
    """Choose an action and carry it out, from one slot into the other: wait, go on, sometimes stray, or do at the
    target what is to be done there; ENDED if that cannot be done, NOWHERE if the miner cannot survive."""
    if not waiting and archive.info[here, MINER_CELL] == target:
        return last_action if try_action(rules, archive, here, there, last_action) else ENDED
    if waiting:
        action = STAY
    elif random_number(archive, STRAYS_ONE_IN):
        return step_on(rules, archive, here, there)
    else:
        action = random_number(archive, DIG_DOWN + 1)
    return action if try_action(rules, archive, here, there, action) else step_on(rules, archive, here, there)


@kernel(count_references=False)
def walk(rules: RuleSet, archive: Archive, memory: SearchMemory, weights: Weights, walks: int) -> bool:
    """Make so many walks; return whether one of them led out. Its node is then `numbers[WIN]`."""
    here, there = archive.key.shape[0] - 2, archive.key.shape[0] - 1
    for _ in range(walks):
        if is_full(archive):
            return False
        start = choose_start(archive)
        archive.visits[start] += 1
        node = archive.node[start]
        copy_into(state_at(archive, here), state_at(archive, start))
        length = 0  # of the path from the node
        going = True
        targets_left = 1 + random_number(archive, MOST_TARGETS)
        while going and targets_left > 0:
            targets_left -= 1
            goal = choose_target(archive, state_at(archive, here))
            ticks_left = 1 + random_number(archive, MOST_WAITING)
            target = NOWHERE
            if goal >= 0:
                target = goal & CELL_MASK
                if not aim(archive, here, target):
                    continue
                ticks_left = 2 * signed(archive.guide[archive.info[here, MINER_CELL]]) + 10
            last_action, times_left = (goal >> ACTION_SHIFT) & ACTION_MASK, goal >> TIMES_SHIFT
            delay = 0 if random_number(archive, DELAYS_ONE_IN) else random_number(archive, LONGEST_DELAY)
            gathered, waited = archive.info[here, GATHERED], 0
            while ticks_left > 0 and length < LONGEST_WALK:
                ticks_left -= 1
                waiting = target < 0 or delay > 0
                delay = max(0, delay - 1)
                if not waiting and archive.info[here, MINER_CELL] == target:
                    times_left -= 1
                    if times_left < 0:
                        break
                action = next_action(rules, archive, here, there, target, last_action, waiting)
                if action < 0:
                    going = action == ENDED
                    break
                archive.path[length] = action
                length += 1
                here, there = there, here
                if archive.info[here, STATUS] == WON:
                    archive.numbers[WIN] = new_node(archive, node, archive.path, length)
                    return True
                if archive.info[here, GATHERED] > gathered:
                    gathered = archive.info[here, GATHERED]
                    place = offer(rules, archive, memory, weights, here)
                    if place >= 0:
                        node = archive.node[place] = new_node(archive, node, archive.path, length)
                        length = 0
                waited = waited + 1 if action == STAY else 0
                if waited > STUCK_TICKS and target >= 0 and delay == 0:
                    break
            going = going and length < LONGEST_WALK
            if going and length:
                place = offer(rules, archive, memory, weights, here)
                if place >= 0:
                    node = archive.node[place] = new_node(archive, node, archive.path, length)
                    length = 0
    return False


# ------------------------------------------------------------------ from Python


class End(NamedTuple):
    """A state of the archive: the end of a plan."""

    gathered: int
    score: int
    exit_open: bool
    node: int


class Walks:
    """An archive, and the walks that fill it."""

    def __init__(self, rules: RuleSet, state: MineState, memory: SearchMemory, seed: int) -> None:
        self.rules, self.memory = rules, memory
        self.archive = empty_archive(int(state.info[HEIGHT]), int(state.info[NEEDED]), seed)
        self.weights = Weights()
        self.descends = np.zeros(NODES, np.int8)

    @property
    def effort(self) -> int:
        """All the work so far, in nodes of a search, without the checks of survival."""
        numbers = self.archive.numbers
        return int(numbers[TICKS] // TICKS_PER_NODE + GUIDE_EFFORT * (numbers[SURVEYS] + numbers[GUIDES]))

    @property
    def added(self) -> int:
        """How many states were ever put into the archive."""
        return int(self.archive.numbers[ADDED])

    @property
    def way_out(self) -> int:
        """The node at the exit, or NOWHERE."""
        return int(self.archive.numbers[WIN])

    def start(self, state: MineState, mine_known: bool, weights: Weights) -> int:
        """Empty the archive and begin with one state; return its node."""
        archive = self.archive
        archive.filled[:] = 0
        archive.numbers[[NODES_USED, ACTIONS_USED]] = 0
        archive.numbers[WIN] = NOWHERE
        archive.numbers[MINE_KNOWN] = mine_known
        self.weights = weights
        return self.add(NOWHERE, (), state)

    def add(self, parent: int, actions: tuple[int, ...], state: MineState) -> int:
        """A node for a state that was found otherwise; NOWHERE if there is no room."""
        archive = self.archive
        if is_full(archive):
            return NOWHERE
        node = int(new_node(archive, parent, np.array(actions, np.int8), len(actions)))
        slot = len(archive.key) - 2
        archive.cells[slot], archive.details[slot] = state.cells, state.details
        archive.masks[slot], archive.info[slot] = state.masks, state.info
        place = int(offer(self.rules, archive, self.memory, self.weights, slot))
        if place >= 0:
            archive.node[place] = node
        return node

    def move_root(self, node: int) -> None:
        """Keep only what begins with the way to this node."""
        keep_descendants(self.archive, node, self.descends)

    def walk(self, effort: int) -> bool:
        """Walk until the effort is spent or nothing can be done; return whether a way out is known."""
        end = self.effort + effort
        while self.effort < end and self.way_out < 0 and self.archive.filled.any():
            before = self.effort
            walk(self.rules, self.archive, self.memory, self.weights, WALKS_AT_ONCE)
            if self.effort == before:
                break
        return self.way_out >= 0

    def ends(self) -> list[End]:
        """The best state of each level that has one."""
        archive = self.archive
        width = width_of(archive)
        ends = []
        for level, filled in enumerate(archive.filled.tolist()):
            if filled:
                slot = level * width + int(archive.score[level * width : level * width + filled].argmin())
                ends.append(
                    End(
                        level,
                        int(archive.score[slot]),
                        bool(archive.exit_open[slot]),
                        int(archive.node[slot]),
                    )
                )
        return ends

    def path(self, start: int, end: int) -> list[tuple[int, tuple[int, ...]]]:
        """The nodes after one node up to another, each with the actions that lead there."""
        archive, path = self.archive, []
        while end != start:
            first, last = archive.first_action[end], archive.first_action[end + 1]
            path.append((end, tuple(archive.actions[first:last].tolist())))
            end = int(archive.parent[end])
        return path[::-1]
