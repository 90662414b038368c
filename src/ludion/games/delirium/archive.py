# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""An archive of states of the mine, widened by short random walks.

The archive has a level for each number of gathered diamonds, and keeps the best states of each. A walk starts from one
of them, goes to a few random targets (diamonds, the exit, cells near by, stones to push or to undermine), and adds the
states on its way that are better than those that are there. No walk is planned well, but a million of them find ways
that a search from diamond to diamond does not look at: stones moved out of the way in time, monsters led elsewhere.

    slot   level * width + place in the level: state, key, score, visits, node     the last two slots: the walk's own
    node   parent, first_action: its actions end where those of the next begin     never changed once it is written
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.core.verbs import kernel
from ludion.core.words import mix, pick, signed
from ludion.games.delirium.physics import (
    ACTION_STEPS,
    DIAMOND,
    DIG_RIGHT,
    DIRT,
    DOWN,
    EMPTY,
    EXIT,
    GATHERED,
    HEADING_STEPS,
    HEADINGS,
    HEIGHT,
    INFO_SIZE,
    MASK_KINDS,
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
    ALL_DIAMONDS,
    AMOEBA_CELLS,
    BLAST_CELLS,
    BLUE_MONSTERS,
    MAGIC_WALLS,
    NO_PATH,
    OUTLOOK_SIZE,
    POSSIBLE_DIAMONDS,
    POSSIBLE_EXITS,
    REACHABLE_DIAMONDS,
    REACHABLE_EXITS,
    ALL_STONES,
    SURVIVAL_DEPTH,
    SURVIVAL_TICKS,
    SearchMemory,
    fill_guide,
    may_change_something,
    survey,
    survives,
)
from ludion.games.delirium.physics import MAGIC_TICKS_LEFT

NODES_USED, ACTIONS_USED, RANDOM, WIN, STEPS, INSERTED, SURVEYS, GUIDES = range(8)  # Archive.numbers
SEED = 0x2545F4914F6CDD1D
NOWHERE = -1

class Weights(NamedTuple):
    tick: int = 30  # per cent
    gather: int = 10
    free: int = 14
    lost: int = 3
    shut: int = 1000
    visit: int = 10
    amoeba: int = 80


class Archive(NamedTuple):
    cells: Bytes  # by slot
    details: Bytes
    masks: Words
    info: Words
    scratch: Words
    key: Words
    score: Words
    visits: Words
    node: Words
    exit_open: Bytes
    filled: Words  # by level
    parent: NDArray[np.int32]  # by node
    first_action: Words
    actions: Bytes
    path: Bytes  # of the walk under way
    guide: NDArray[np.int32]
    queue: Words
    targets: Bytes
    reachable: Bytes
    outlook: Words
    numbers: Words


def new_archive(height: int, needed: int, seed: int, slots: int = 8192, nodes: int = 400_000) -> Archive:
    size = cells_in(height)
    levels = needed + 1
    width = max(16, slots // levels)
    slots = levels * width + 2
    archive = Archive(
        np.zeros((slots, size), np.int8),
        np.zeros((slots, size), np.int8),
        np.zeros((slots, MASK_KINDS, height), np.int64),
        np.zeros((slots, INFO_SIZE), np.int64),
        np.zeros((SCRATCH_KINDS, height), np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int8),
        np.zeros(levels, np.int64),
        np.zeros(nodes, np.int32),
        np.zeros(nodes + 1, np.int64),
        np.zeros(nodes * 24, np.int8),
        np.zeros(2000, np.int8),
        np.zeros(size, np.int32),
        np.zeros(4 * size, np.int64),
        np.zeros(size, np.int8),
        np.zeros(size, np.int8),
        np.zeros(OUTLOOK_SIZE, np.int64),
        np.zeros(8, np.int64),
    )
    archive.numbers[RANDOM] = seed + 1
    archive.numbers[WIN] = -1
    return archive


@kernel(count_references=False)
def entry_state(archive: Archive, slot: int) -> MineState:
    return MineState(archive.cells[slot], archive.details[slot], archive.masks[slot], archive.info[slot], archive.scratch)


@kernel(python_entry=False, inline=True)
def below(numbers: Any, bound: int) -> int:
    """A random number from 0 to bound - 1."""
    numbers[RANDOM] = mix(numbers[RANDOM], SEED)
    number: int = (numbers[RANDOM] >> 20) & 0x3FFFFFFF
    return number % bound


@kernel(count_references=False)
def score_of(rules: RuleSet, archive: Archive, state: MineState, weights: Weights) -> int:
    """Score; -1 if unwinnable."""
    outlook, info = archive.outlook, state.info
    survey(rules, state, archive.reachable, archive.queue, outlook)
    archive.numbers[SURVEYS] += 1
    missing = max(0, info[NEEDED] - info[GATHERED])
    possible = outlook[POSSIBLE_DIAMONDS] + 9 * outlook[BLUE_MONSTERS] + outlook[BLAST_CELLS]
    if outlook[AMOEBA_CELLS]:
        possible += weights.amoeba
    if outlook[MAGIC_WALLS] and info[MAGIC_TICKS_LEFT]:
        possible += outlook[ALL_STONES]
    if not outlook[POSSIBLE_EXITS] or possible < missing:
        return -1
    reachable = outlook[REACHABLE_DIAMONDS]
    score = info[TICK] * weights.tick // 100 + weights.gather * missing
    score += weights.free * max(0, missing - reachable) + weights.lost * (outlook[ALL_DIAMONDS] - reachable)
    if not outlook[REACHABLE_EXITS]:
        score += weights.shut
    return signed(score)


@kernel(count_references=False)
def offer(rules: RuleSet, archive: Archive, memory: SearchMemory, weights: Weights, slot: int) -> int:
    """Put the state of this slot into the archive if it is good enough; return its new slot, or -1."""
    state = entry_state(archive, slot)
    info = state.info
    score = score_of(rules, archive, state, weights)
    if score < 0:
        return NOWHERE
    level = min(info[GATHERED], info[NEEDED])
    width = (len(archive.key) - 2) // len(archive.filled)
    first = level * width
    filled = archive.filled[level]
    key = mix(info[MINER_CELL], info[OBJECT_HASH] & 3)
    place = NOWHERE
    worst = first
    for index in range(first, first + filled):
        if archive.key[index] == key:
            place = index
            break
        if archive.score[index] > archive.score[worst]:
            worst = index
    if place < 0:
        place = first + filled if filled < width else worst
    if place < first + filled and archive.score[place] <= score:
        return NOWHERE
    exit_open = archive.outlook[REACHABLE_EXITS] > 0
    if not survives(rules, state, memory, SURVIVAL_DEPTH):
        return NOWHERE
    if place == first + filled:
        archive.filled[level] = filled + 1
    copy_into(entry_state(archive, place), state)
    archive.key[place], archive.score[place], archive.visits[place] = key, score, 0
    archive.exit_open[place] = exit_open
    archive.numbers[INSERTED] += 1
    return signed(place)


@kernel(count_references=False)
def record(archive: Archive, parent: int, actions: Any, count: int) -> int:
    """A new node: these actions after the parent."""
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


@kernel(python_entry=False, inline=True)
def is_full(archive: Archive) -> bool:
    numbers = archive.numbers
    return numbers[NODES_USED] + 2 >= len(archive.parent) or numbers[ACTIONS_USED] + 2000 >= len(archive.actions)


@kernel(count_references=False)
def add(rules: RuleSet, archive: Archive, memory: SearchMemory, weights: Weights, slot: int, parent: int, length: int) -> int:
    """Offer the state in this slot, reached by the first actions of `path` from the parent; return its node, or -1."""
    if is_full(archive):
        return NOWHERE
    place = offer(rules, archive, memory, weights, slot)
    if place < 0:
        return NOWHERE
    node = record(archive, parent, archive.path, length)
    archive.node[place] = node
    return node


@kernel(count_references=False)
def keep_descendants(archive: Archive, root: int, marks: Any) -> None:
    """Drop the states that are not reached through the root."""
    for node in range(archive.numbers[NODES_USED]):
        parent = archive.parent[node]
        marks[node] = node == root or (parent >= 0 and marks[parent])
    levels = len(archive.filled)
    width = (len(archive.key) - 2) // levels
    for level in range(levels):
        first = level * width
        count = 0
        for slot in range(first, first + archive.filled[level]):
            if marks[archive.node[slot]]:
                target = first + count
                count += 1
                if target == slot:
                    continue
                copy_into(entry_state(archive, target), entry_state(archive, slot))
                archive.key[target], archive.score[target], archive.visits[target] = (
                    archive.key[slot], archive.score[slot], archive.visits[slot])
                archive.node[target], archive.exit_open[target] = archive.node[slot], archive.exit_open[slot]
        archive.filled[level] = count


@kernel(count_references=False)
def choose_entry(archive: Archive, weights: Weights) -> int:
    """A slot to walk from."""
    numbers = archive.numbers
    levels = len(archive.filled)
    width = (len(archive.key) - 2) // levels
    top = levels - 1
    while not archive.filled[top]:
        top -= 1
    level = top
    if below(numbers, 2):
        while level and below(numbers, 3):
            level -= 1
    else:
        level = below(numbers, top + 1)
    while level and not archive.filled[level]:
        level -= 1
    while not archive.filled[level]:
        level += 1
    best = -1
    for _ in range(3):
        slot = level * width + below(numbers, archive.filled[level])
        if best < 0 or archive.score[slot] + weights.visit * archive.visits[slot] < archive.score[best] + weights.visit * archive.visits[best]:
            best = slot
    return signed(best)


@kernel(python_entry=False, inline=True)
def is_walkable(code: int) -> bool:
    return code == EMPTY or code == DIRT or code == DIAMOND


# what the walk does next
@kernel(count_references=False)
def choose_target(archive: Archive, state: MineState) -> int:
    """The next target of a walk: cell + 65536 * action to do there + 2^20 * times; NOWHERE to wait."""
    cells, info = state.cells, state.info
    numbers = archive.numbers
    kind = below(numbers, 16)
    place = info[MINER_CELL]
    row, column = row_of(place), column_of(place)
    done = info[GATHERED] >= info[NEEDED]
    if kind < 8 or (done and kind < 12):
        code = EXIT if done else DIAMOND
        best, best_rank = NOWHERE, 1 << 30
        spread = 4 << below(numbers, 5)
        for r in range(info[HEIGHT]):
            for c in range(info[WIDTH]):
                cell = cell_at(r, c)
                if cells[cell] == code:
                    rank = abs(r - row) + abs(c - column) + below(numbers, spread)
                    if rank < best_rank:
                        best, best_rank = cell, rank
        return signed(best)
    for _ in range(20):
        if kind < 11:
            reach = 6
        elif kind < 15:
            reach = 12
        else:
            reach = 40
        r = row + below(numbers, 2 * reach + 1) - reach
        c = column + below(numbers, 2 * reach + 1) - reach
        if r < 1 or c < 1 or r >= info[HEIGHT] - 1 or c >= info[WIDTH] - 1:
            continue
        cell = cell_at(r, c)
        code = code_at(cells, cell)
        if kind < 11 or kind == 15:
            if is_walkable(code):
                return signed(cell)
        elif kind < 13:  # push
            if code == STONE:
                side = 1 if below(numbers, 2) else -1
                action = RIGHT if side == 1 else RIGHT + 2
                if is_walkable(code_at(cells, cell - side)) and is_walkable(code_at(cells, cell + side)):
                    return signed(cell - side + (action << 16) + ((1 + below(numbers, 4)) << 20))
        elif kind == 13:
            if code == DIRT and is_heavy(code_at(cells, cell - STRIDE)):
                return signed(cell)
        else:  # dig away a support from beside
            if code == DIRT and is_heavy(code_at(cells, cell - STRIDE)):
                side = 1 if below(numbers, 2) else -1
                action = DIG_RIGHT if side == 1 else DIG_RIGHT + 2
                if is_walkable(code_at(cells, cell - side)):
                    return signed(cell - side + (action << 16) + (1 << 20))
    return NOWHERE


@kernel(count_references=False)
def try_action(rules: RuleSet, archive: Archive, here: int, there: int, action: int) -> bool:
    """Carry out the action of the state `here` in `there`; whether it worked and the miner lives."""
    state, trial = entry_state(archive, here), entry_state(archive, there)
    if action and action < DIG_RIGHT:
        exit_open = state.info[GATHERED] >= state.info[NEEDED]
        if not may_change_something(state.cells, state.info[MINER_CELL], action, exit_open):
            return False
    copy_into(trial, state)
    status = tick(rules, trial, action)
    archive.numbers[STEPS] += 1
    return status == RUNNING or status == WON


@kernel(count_references=False)
def step_towards(rules: RuleSet, archive: Archive, here: int, there: int) -> int:
    """Take the step that the guide likes best and the miner survives; returns the action, -1 if there is none."""
    place = archive.info[here, MINER_CELL]
    tried = 0
    for _ in range(HEADINGS):
        best, best_distance = -1, NO_PATH
        for heading in range(HEADINGS):
            if tried >> heading & 1:
                continue
            distance = signed(archive.guide[place + pick(HEADING_STEPS, heading)])
            if distance < best_distance:
                best, best_distance = heading, distance
        if best < 0:
            break
        tried |= 1 << best
        if best_distance > archive.guide[place] + 3 and try_action(rules, archive, here, there, STAY):
            return STAY
        if try_action(rules, archive, here, there, RIGHT + best):
            return RIGHT + best
    return STAY if try_action(rules, archive, here, there, STAY) else -1


@kernel(count_references=False)
def walk(rules: RuleSet, archive: Archive, memory: SearchMemory, weights: Weights, walks: int) -> bool:
    """Make this many walks; return whether one of them leads out."""
    numbers = archive.numbers
    guide, targets = archive.guide, archive.targets
    path = archive.path
    for _ in range(walks):
        entry = choose_entry(archive, weights)
        archive.visits[entry] += 1
        node = archive.node[entry]
        here, there = len(archive.key) - 2, len(archive.key) - 1
        copy_into(entry_state(archive, here), entry_state(archive, entry))
        length = 0
        alive = True
        if is_full(archive):
            return False
        for _ in range(1 + below(numbers, 3)):
            goal = choose_target(archive, entry_state(archive, here))
            target = goal & 0xFFFF if goal >= 0 else NOWHERE
            action_there, times = (goal >> 16) & 15, goal >> 20
            steps = 1 + below(numbers, 30)
            if target >= 0:
                targets[target] = 1
                fill_guide(entry_state(archive, here), guide, archive.queue, targets)
                numbers[GUIDES] += 1
                targets[target] = 0
                if guide[archive.info[here, MINER_CELL]] >= NO_PATH:
                    continue
                steps = 2 * signed(guide[archive.info[here, MINER_CELL]]) + 10
            gathered = archive.info[here, GATHERED]
            waits = 0
            lateness = below(numbers, 16) if not below(numbers, 4) else 0
            while steps > 0 and length < 1000:
                steps -= 1
                if target < 0 or lateness:
                    lateness = max(0, lateness - 1)
                    action = STAY if try_action(rules, archive, here, there, STAY) else step_towards(rules, archive, here, there)
                elif archive.info[here, MINER_CELL] == target:
                    if times <= 0:
                        break
                    times -= 1
                    action = signed(action_there)
                    if not try_action(rules, archive, here, there, action):
                        break
                elif not below(numbers, 24):
                    action = below(numbers, 9)
                    if not try_action(rules, archive, here, there, action):
                        action = step_towards(rules, archive, here, there)
                else:
                    action = step_towards(rules, archive, here, there)
                if action < 0:
                    alive = False
                    break
                path[length] = action
                length += 1
                waits = waits + 1 if action == STAY else 0
                here, there = there, here
                if archive.info[here, STATUS] == WON:
                    numbers[WIN] = record(archive, node, path, length)
                    return True
                if archive.info[here, GATHERED] > gathered:
                    gathered = archive.info[here, GATHERED]
                    new = add(rules, archive, memory, weights, here, node, length)
                    if new >= 0:
                        node, length = new, 0
                if waits > 6 and target >= 0 and not lateness:
                    break
            if not alive or length >= 1000:
                break
            if length:
                new = add(rules, archive, memory, weights, here, node, length)
                if new >= 0:
                    node, length = new, 0
    return False


class Walks:
    """An archive, and how it is used from Python."""

    def __init__(self, rules: RuleSet, state: MineState, memory: SearchMemory, seed: int) -> None:
        self.rules, self.memory = rules, memory
        self.archive = new_archive(int(state.info[HEIGHT]), int(state.info[NEEDED]), seed)
        self.weights = Weights(amoeba=rules.largest_diamond_amoeba)
        self.marks = np.zeros(len(self.archive.parent), np.int8)
        self.slot = len(self.archive.key) - 2

    @property
    def effort(self) -> int:
        numbers = self.archive.numbers
        return int(2 * numbers[STEPS] // 5 + 4 * (numbers[SURVEYS] + numbers[GUIDES]))

    @property
    def win(self) -> int:
        return int(self.archive.numbers[WIN])

    @property
    def inserted(self) -> int:
        return int(self.archive.numbers[INSERTED])

    def start(self, state: MineState) -> int:
        """Begin anew with one state; return its node."""
        archive = self.archive
        archive.filled[:] = 0
        archive.numbers[[NODES_USED, ACTIONS_USED]] = 0
        archive.numbers[WIN] = NOWHERE
        return self.add(NOWHERE, (), state)

    def add(self, parent: int, actions: tuple[int, ...], state: MineState) -> int:
        """A node for a state that was found elsewhere; NOWHERE if there is no room."""
        archive = self.archive
        if archive.numbers[NODES_USED] + 2 >= len(archive.parent) or archive.numbers[ACTIONS_USED] + 2000 >= len(archive.actions):
            return NOWHERE
        node = int(record(archive, parent, np.array(actions, np.int8), len(actions)))
        archive.cells[self.slot], archive.details[self.slot] = state.cells, state.details
        archive.masks[self.slot], archive.info[self.slot] = state.masks, state.info
        place = int(offer(self.rules, archive, self.memory, self.weights, self.slot))
        if place >= 0:
            archive.node[place] = node
        return node

    def move_root(self, node: int) -> None:
        keep_descendants(self.archive, node, self.marks)

    def walk(self, effort: int) -> bool:
        """Walk until the effort is spent; return whether a way out was found."""
        end = self.effort + effort
        while self.effort < end and self.win < 0 and self.archive.filled.any():
            before = self.effort
            walk(self.rules, self.archive, self.memory, self.weights, 5)
            if self.effort == before:
                break
        return self.win >= 0

    def best_of_levels(self) -> list[tuple[int, int, bool, int]]:
        """For each level that has states: the level, the best score, whether the exit is open there, and the node."""
        archive = self.archive
        width = self.slot // len(archive.filled)
        best = []
        for level, filled in enumerate(archive.filled.tolist()):
            if filled:
                first = level * width
                slot = first + int(archive.score[first : first + filled].argmin())
                best.append((level, int(archive.score[slot]), bool(archive.exit_open[slot]), int(archive.node[slot])))
        return best

    def path_from(self, root: int, node: int) -> list[tuple[int, tuple[int, ...]]]:
        """The nodes on the way from the root to this one, each with the actions that lead there."""
        archive, path = self.archive, []
        while node != root and node >= 0:
            begin, end = archive.first_action[node], archive.first_action[node + 1]
            path.append((node, tuple(archive.actions[begin:end].tolist())))
            node = int(archive.parent[node])
        return path[::-1]
