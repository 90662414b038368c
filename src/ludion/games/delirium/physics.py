# ruff: noqa: SIM109 (in a kernel, `in` costs a loop)
"""The mine and how it moves: one tick of the world, under two rule sets.

`delirium` is the game of 2009, fitted on a log of the real one. In each tick the miner acts first; then stones and
diamonds move, the lowest row first and each row from the left; then the monsters move. A cell is free if it was free
at the start of the tick. `boulder-dash` is the classic order of 1984: one pass over the cave from the top left, in
which each object moves when the pass reaches it.

A cell is one number, `row * 64 + column`:

    bit     6 and above   5 4 3 2 1 0
            row           column

A row of the mine is one 64-bit word, with one bit per column: a mine has at most 62 columns, border included.

A state of the mine is four arrays, and a fifth one that need not be copied:

    cells    int8   the code of each cell: a code of the game's rules file of 2012, or one of ours; an extra row and
                    the columns beyond the mine's width are BORDER, so that nothing leaves the mine
    details  int8   further state of the cell
                      monster         its heading: 0 right, 1 up, 2 left, 3 down
                      stone, diamond  1 while it falls
                      blast           8 * ticks left + what it leaves: 0 nothing, 1 diamond, 2 stone, 3 wall,
                                      4 silver wall, 5 blue monster, 6 yellow monster
    masks    int64  words, one bit per column
                      masks[AWAKE, row]     cells to examine in this tick, if something heavy is there
                      masks[ANIMATED, row]  monsters, amoeba, blasts, slime and growing walls, further miners: examined
                                            in every tick
                      masks[HEAVY, row]     stones and diamonds
    info     int64  single numbers: TICK, MINER_CELL, ...
    scratch  int64  words like those of `masks`, used within one tick: CLOSED, MOVED, ...

Only cells that changed, and their neighbours, are examined, so that a quiet mine costs almost nothing.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix, pick, signed

# ------------------------------------------------------------------ codes of cells

EMPTY, DIRT, DIAMOND, STONE, SILVER, BORDER, WALL, MAGIC = range(8)
EXIT, MINER, SECOND_MINER = 21, 22, 23
BLUE, RED, GREEN, YELLOW, PURPLE, BLACK = range(24, 30)  # monsters, M1 to M6 in the rules file
FIRST_MONSTER, LAST_MONSTER = BLUE, BLACK
AMOEBA = 30
BLAST = 49  # agents see it as EMPTY; also things that are being born, which look alike
UNKNOWN = 50  # only in what agents believe: never seen, and nothing enters it

# Things of Boulder Dash that the rules file does not have.
SLIME = 51  # lets stones and diamonds seep through
WALL_GROWING_ASIDE, WALL_GROWING_UPRIGHT, WALL_GROWING = (
    52,
    53,
    54,
)  # sideways, up and down, in all four directions
INBOX = 55  # where the miner will be born
DOLL = 56  # the miner dies with it: a monster that touches it blows up
SOFT_SILVER = 57  # a silver wall that blasts break

# The items of the rules file of 2012 in its order: code 1 is the first.
ITEM_NAMES = (  # noqa: SIM905
    ". Diam Stone SlW1 SlW2 StW MW LAW RAW UAW DAW LA RA UA DA HA VA CA HMW VMW Exit Avatar1 "
    "Avatar2 M1 M2 M3 M4 M5 M6 Amoeba Bomb Deton Dyna Nitro Key Lock Door1 Door2 Door1OC "
    "Door2OC SD GU GD GC BTr RTr GTr GTC "
).split()

# ------------------------------------------------------------------ cells, actions and headings

ROW_SHIFT = 6
MOMENT_SHIFT = 16  # a cell is a smaller number
STRIDE = 1 << ROW_SHIFT  # cells from one row to the next
COLUMN_BITS = STRIDE - 1

STAY, RIGHT, UP, LEFT, DOWN, DIG_RIGHT, DIG_UP, DIG_LEFT, DIG_DOWN = range(9)
ENLARGE_VIEW = 100_000
ACTION_STEPS = (0, 1, -STRIDE, -1, STRIDE, 1, -STRIDE, -1, STRIDE)  # how far the target is from the miner

HEADING_STEPS = (1, -STRIDE, -1, STRIDE)  # right, up, left, down
HEADING_RIGHT, HEADING_UP, HEADING_LEFT, HEADING_DOWN = range(4)
HEADINGS = 4
HEADING_BITS = 3
AHEAD, TURN_LEFT, TURN_BACK, TURN_RIGHT = range(4)  # what to add to a heading
MONSTER_TURNS = (TURN_LEFT, AHEAD, TURN_RIGHT, TURN_BACK)  # in the order in which a monster tries them

# ------------------------------------------------------------------ numbers of a state

(
    TICK,
    MINER_CELL,
    GATHERED,  # diamonds
    NEEDED,  # diamonds that open the exit
    STATUS,
    RANDOM_STATE,  # of the pseudo-random numbers: any number
    TIME_LIMIT,  # ticks, -1 without
    MAGIC_TICKS_LEFT,  # for which magic walls still work: -1 before the first hit, 0 when they are spent
    AMOEBA_SHUT_TICKS,  # for which the amoeba has had no room to grow
    AMOEBA_COUNT,
    HEIGHT,  # rows, border included
    WIDTH,
    OBJECT_HASH,  # of all cells, except empty ones, dirt, miner and monsters
    KILLS,  # monsters exploded
    DIAMONDS_MADE,  # by magic walls
    DUG_HASH,  # of the cells that were dug without a step
    AMOEBA_PHASE,  # under the classic rules: ASLEEP, ...
    SLIME_RANDOM,  # two bytes: the state of the C64's pseudo-random numbers, which the slime takes
    DOLL_TOUCHED,  # 1 once a monster has touched a doll: the miner explodes in the next tick
    FURTHER_MINERS,  # cells of SECOND_MINER
    GATE_MOMENT,  # under the classic rules: when the last diamond needed was gathered, as `moment_of` counts
) = range(21)
INFO_SIZE = 21

ASLEEP, GROWING, TOO_LARGE, SHUT_IN = range(4)  # AMOEBA_PHASE: it sleeps until it has had room to grow

RUNNING, WON, CRUSHED, CAUGHT, BLOWN_UP, OUT_OF_TIME = range(6)  # STATUS
FATES = ("running", "won", "crushed", "caught", "blown up", "out of time")

AWAKE, ANIMATED, HEAVY = range(3)
MASK_KINDS = 3

(
    CLOSED,  # entered or left in this tick: nothing else may enter
    WAS_SLIPPERY,  # something slippery was here at the start of the tick
    MOVED,  # the object here has moved in this tick, and does not move again
    AWAKE_NEXT,  # masks[AWAKE] of the next tick
    ANIMATED_BEFORE,  # masks[ANIMATED] after the miner's action
    ARRIVED,  # stones and diamonds that moved here in this tick: they kill what is below
    AMOEBA_HERE,
) = range(7)
SCRATCH_KINDS = 7

# The detail of a blast: 8 * ticks left + what it leaves.
BLAST_TICK, BLAST_PRODUCT_BITS = 8, 7
(
    LEAVES_NOTHING,
    LEAVES_DIAMOND,
    LEAVES_STONE,
    LEAVES_WALL,
    LEAVES_SILVER,
    LEAVES_BLUE,
    LEAVES_YELLOW,
) = range(7)
PRODUCT_CODES = (EMPTY, DIAMOND, STONE, WALL, SILVER, BLUE, YELLOW)

LYING, FALLING = 0, 1  # the detail of a stone or diamond

HASH_SEED = 0x5DEECE66D
RANDOM_SEED = 0x2545F4914F6CDD1D

ROLL_LEFT, ROLL_RIGHT, ROLL_RANDOM = range(3)  # RuleSet.tie
DANGERS = (
    1 << MINER | 1 << SECOND_MINER | 1 << AMOEBA | 1 << DOLL
)  # codes beside which a classic monster blows up
EXPLODED = -1  # `classic_monster` returns it instead of columns

Bytes = NDArray[np.int8]
Words = NDArray[np.int64]


class RuleSet(NamedTuple):
    """The parameters of a rule set, which kernels take directly."""

    classic: int = 0  # 1 for the update order of boulder-dash
    tie: int = ROLL_LEFT  # direction of a stone that could roll either way
    monsters_first: int = 0  # 1 if monsters move before stones (the log does not show which)
    contact_kills: int = 1  # 1 if a monster beside the miner kills him, 0 if only walking into him does
    blast_ticks: int = 3  # for which nothing can enter the cells of a blast
    push_chance: int = 100  # per cent
    magic_ticks: int = 500  # for which magic walls work
    growth: int = 10  # chance in 1000 that an amoeba cell grows in a tick
    late_growth: int = 10  # the same after `late_ticks`
    late_ticks: int = 1 << 40
    largest_amoeba: int = 120  # with more cells than this, all turn into stones
    largest_diamond_amoeba: int = 80  # up to this size it turns into diamonds when enclosed
    shut_ticks: int = 50  # after this many ticks without room to grow, the amoeba turns
    magic_ends_amoeba: int = 0  # 1 if a working magic wall turns the amoeba into diamonds
    slime_bits: int = (
        0  # slime works in ticks in which the C64's random number has none of these bits; 0: always
    )
    slime_chance: int = -1  # chance in 1000 that slime works in a tick; -1: by `slime_bits`


DELIRIUM = RuleSet()
BOULDER_DASH = RuleSet(
    classic=1,
    contact_kills=1,
    blast_ticks=4,
    magic_ticks=150,
    growth=31,
    late_growth=250,
    late_ticks=150,
    largest_amoeba=199,
    largest_diamond_amoeba=199,
    shut_ticks=0,
    magic_ends_amoeba=1,
)


class MineState(NamedTuple):
    """The mine at one moment. The layout is drawn at the head of this module."""

    cells: Bytes
    details: Bytes
    masks: Words
    info: Words
    scratch: Words  # for use within one tick; its content does not matter between ticks


def cells_in(height: int) -> int:
    """The length of the arrays of cells for this many rows."""
    return (height + 1) * STRIDE


def empty_state(width: int, height: int) -> MineState:
    """A mine of empty cells; the sizes include the border."""
    cells = np.full(
        (height + 1, STRIDE), BORDER, np.int8
    )  # the row -1, above the first one, is the last one, too
    cells[:height, :width] = EMPTY
    state = MineState(
        cells.ravel(),
        np.zeros(cells_in(height), np.int8),
        np.zeros((MASK_KINDS, height), np.int64),
        np.zeros(INFO_SIZE, np.int64),
        np.zeros((SCRATCH_KINDS, height), np.int64),
    )
    state.info[HEIGHT], state.info[WIDTH] = height, width
    state.info[TIME_LIMIT] = state.info[MAGIC_TICKS_LEFT] = -1
    return state


def copied(state: MineState) -> MineState:
    """The same state with its own arrays."""
    cells, details, masks, info, scratch = state
    return MineState(cells.copy(), details.copy(), masks.copy(), info.copy(), np.zeros_like(scratch))


@kernel(count_references=False)
def copy_into(target: MineState, state: MineState) -> None:
    """Make the target equal to the state. (Plain loops: copying slices is many times slower.)"""
    for index in range(state.cells.shape[0]):
        target.cells[index] = state.cells[index]
    for index in range(state.details.shape[0]):
        target.details[index] = state.details[index]
    for kind in range(MASK_KINDS):
        for row in range(state.masks.shape[1]):
            target.masks[kind, row] = state.masks[kind, row]
    for index in range(INFO_SIZE):
        target.info[index] = state.info[index]


# ------------------------------------------------------------------ cells and bits


@kernel(python_entry=False, inline=True)
def row_of(cell: int) -> int:
    return cell >> ROW_SHIFT


@kernel(python_entry=False, inline=True)
def column_of(cell: int) -> int:
    return cell & COLUMN_BITS


@kernel(python_entry=False, inline=True)
def bit_of(cell: int) -> int:
    """The bit of the cell's column."""
    return 1 << (cell & COLUMN_BITS)


@kernel(python_entry=False, inline=True)
def cell_at(row: int, column: int) -> int:
    return row << ROW_SHIFT | column


@kernel(python_entry=False, inline=True)
def turned(heading: int, turn: int) -> int:
    """The heading after a turn."""
    return (heading + turn) & HEADING_BITS


@kernel(count_references=False, inline=True)
def code_at(cells: Any, cell: int) -> int:
    """The code in a cell, as a 64-bit number: numbers of 8 bits would overflow in computations."""
    return signed(cells[cell])


@kernel(count_references=False, inline=True)
def is_marked(words: Any, kind: int, cell: int) -> bool:
    """Whether the cell's bit is set in words of this kind (`masks` or `scratch`)."""
    bit: int = (words[kind, cell >> ROW_SHIFT] >> (cell & COLUMN_BITS)) & 1
    return bit != 0


@kernel(count_references=False, inline=True)
def mark(words: Any, kind: int, cell: int) -> None:
    words[kind, cell >> ROW_SHIFT] |= 1 << (cell & COLUMN_BITS)


@kernel(count_references=False, inline=True)
def unmark(words: Any, kind: int, cell: int) -> None:
    words[kind, cell >> ROW_SHIFT] &= ~(1 << (cell & COLUMN_BITS))


@kernel(count_references=False)
def clear(scratch: Any, first: int, last: int) -> None:
    """Clear the words of these kinds."""
    for kind in range(first, last + 1):
        for row in range(scratch.shape[1]):
            scratch[kind, row] = 0


@kernel(python_entry=False, inline=True)
def is_monster(code: int) -> bool:
    return FIRST_MONSTER <= code <= LAST_MONSTER


@kernel(python_entry=False, inline=True)
def is_heavy(code: int) -> bool:
    return DIAMOND <= code <= STONE


@kernel(python_entry=False, inline=True)
def is_slippery(code: int) -> bool:
    """Whether stones and diamonds roll off it. (Under the classic rules not off magic walls, nor what falls.)"""
    return code == STONE or code == DIAMOND or code == WALL or code == MAGIC


@kernel(python_entry=False, inline=True)
def is_miner(code: int) -> bool:
    return code >> 1 == MINER >> 1  # MINER or SECOND_MINER


@kernel(python_entry=False, inline=True)
def is_animated(code: int) -> bool:
    """Whether it is examined in every tick."""
    return code >= SECOND_MINER and (code <= AMOEBA or code == BLAST or (SLIME <= code <= WALL_GROWING))


@kernel(python_entry=False, inline=True)
def resists_blasts(code: int) -> bool:
    return code == SILVER or code == BORDER


@kernel(python_entry=False, inline=True)
def cell_hash(cell: int, code: int, detail: int) -> int:
    return mix(cell * 512 + code * 8 + detail + 1, HASH_SEED)


@kernel(count_references=False, inline=True)
def random_below(info: Any, bound: int) -> int:
    """A pseudo-random number from 0 to bound - 1; the same seed gives the same numbers."""
    info[RANDOM_STATE] = mix(info[RANDOM_STATE], RANDOM_SEED)
    number: int = (info[RANDOM_STATE] >> 20) & 0x3FFFFFFF
    return number % bound


# ------------------------------------------------------------------ changing cells


@kernel(count_references=False)
def set_cell(state: MineState, cell: int, code: int, detail: int) -> None:
    """Replace what is in a cell, keep masks, counts and hash up to date, and wake the neighbours.

    It does not move the miner: MINER_CELL stays as it is.
    """
    cells, details, masks, info, scratch = state
    old = code_at(cells, cell)
    if old > DIRT and old != MINER:
        if not is_monster(old):
            info[OBJECT_HASH] ^= cell_hash(cell, old, 0)
        if is_heavy(old):
            unmark(masks, HEAVY, cell)
        elif old >= SECOND_MINER:
            unmark(masks, ANIMATED, cell)
            if old == AMOEBA:
                info[AMOEBA_COUNT] -= 1
            elif old == SECOND_MINER:
                info[FURTHER_MINERS] -= 1
    cells[cell] = code
    details[cell] = detail
    if code > DIRT and code != MINER:
        if not is_monster(code):
            info[OBJECT_HASH] ^= cell_hash(cell, code, 0)
        if is_heavy(code):
            mark(masks, HEAVY, cell)
        elif code >= SECOND_MINER:
            mark(masks, ANIMATED, cell)
            if code == AMOEBA:
                info[AMOEBA_COUNT] += 1
            elif code == SECOND_MINER:
                info[FURTHER_MINERS] += 1
    wake_around(scratch, row_of(cell), column_of(cell))


@kernel(python_entry=False, inline=True)
def around_column(column: int) -> int:
    """The bits of a column and of those beside it."""
    return 0b111 << (column - 1) if column > 0 else 0b11


@kernel(count_references=False)
def wake_around(scratch: Any, row: int, column: int) -> None:
    """Mark for the next tick the cells whose content may move after this change: beside it and above it."""
    around = around_column(column)
    scratch[AWAKE_NEXT, row] |= around
    if row > 0:
        scratch[AWAKE_NEXT, row - 1] |= around


@kernel(count_references=False)
def rebuild_masks(state: MineState) -> None:
    """Compute masks, counts and hash of a state whose cells were written directly."""
    cells, _, masks, info, _ = state
    masks[:] = 0
    info[OBJECT_HASH] = info[AMOEBA_COUNT] = info[FURTHER_MINERS] = 0
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            cell = cell_at(row, column)
            code = code_at(cells, cell)
            if code > DIRT and code != MINER and not is_monster(code):
                info[OBJECT_HASH] ^= cell_hash(cell, code, 0)
            if is_animated(code):
                mark(masks, ANIMATED, cell)
                if code == AMOEBA:
                    info[AMOEBA_COUNT] += 1
                elif code == SECOND_MINER:
                    info[FURTHER_MINERS] += 1
            if is_heavy(code):
                mark(masks, AWAKE, cell)
                mark(masks, HEAVY, cell)


@kernel(count_references=False)
def is_free(state: MineState, cell: int) -> bool:
    """Whether the cell was empty at the start of the tick and nothing has entered it since."""
    return state.cells[cell] == EMPTY and not is_marked(state.scratch, CLOSED, cell)


@kernel(count_references=False)
def vacate(state: MineState, cell: int) -> None:
    """Empty a cell and keep it closed for the rest of the tick."""
    if is_slippery(code_at(state.cells, cell)):
        mark(state.scratch, WAS_SLIPPERY, cell)
    mark(state.scratch, CLOSED, cell)
    set_cell(state, cell, EMPTY, 0)


# ------------------------------------------------------------------ the tick


@kernel(count_references=False)
def tick(rules: RuleSet, state: MineState, action: int) -> int:
    """Let the miner act and everything move by one step; returns the status."""
    info = state.info
    if info[STATUS] != RUNNING:
        return signed(info[STATUS])
    clear(state.scratch, CLOSED, AMOEBA_HERE)
    info[TICK] += 1
    if rules.classic:
        classic_tick(rules, state, action)
    else:
        delirium_tick(rules, state, action)
    for row in range(state.masks.shape[1]):
        state.masks[AWAKE, row] = state.scratch[AWAKE_NEXT, row]
    if info[STATUS] == RUNNING and info[TIME_LIMIT] >= 0 and info[TICK] >= info[TIME_LIMIT]:
        info[STATUS] = OUT_OF_TIME
    return signed(info[STATUS])


@kernel(count_references=False)
def play_all(rules: RuleSet, state: MineState, actions: Any) -> int:
    """Carry out a sequence of actions; returns how many were carried out before the game ended."""
    for index in range(len(actions)):
        tick(rules, state, signed(actions[index]))
        if state.info[STATUS] != RUNNING:
            return index + 1
    return len(actions)


# ------------------------------------------------------------------ the miner


@kernel(count_references=False)
def move_miner(rules: RuleSet, state: MineState, action: int) -> None:
    """Carry out the miner's action."""
    cells, _, _, info, scratch = state
    if action < RIGHT or action > DIG_DOWN:
        return
    place = info[MINER_CELL]
    step = pick(ACTION_STEPS, action)
    target = place + step
    code = code_at(cells, target)
    if action >= DIG_RIGHT:
        dig(state, target, code)
        return
    if code == EXIT:
        if info[GATHERED] < info[NEEDED]:
            return
        info[STATUS] = WON
    elif code == STONE:
        if not push_stones(rules, state, action, target, step):
            return
        mark(scratch, WAS_SLIPPERY, target)
    elif code == DIAMOND:
        info[GATHERED] += 1
        mark(scratch, WAS_SLIPPERY, target)
    elif (code != EMPTY and code != DIRT) or (code == EMPTY and is_marked(scratch, CLOSED, target)):
        return
    set_cell(state, target, MINER, 0)
    mark(scratch, CLOSED, target)
    vacate(state, place)
    info[MINER_CELL] = target


@kernel(count_references=False, inline=True)
def dig(state: MineState, target: int, code: int) -> None:
    """Remove dirt, or gather a diamond, without a step."""
    if code == DIRT or code == DIAMOND:
        if code == DIAMOND:
            state.info[GATHERED] += 1
        state.info[DUG_HASH] ^= cell_hash(target, MINER, 1)
        vacate(state, target)


@kernel(count_references=False, inline=True)
def push_stones(rules: RuleSet, state: MineState, action: int, first: int, step: int) -> bool:
    """Push a row of stones by one cell, if there is room; return whether there was."""
    cells, scratch = state.cells, state.scratch
    if action == DOWN:
        return False
    last = first
    while cells[last] == STONE:
        last += step
    if cells[last] != EMPTY or is_marked(scratch, CLOSED, last):
        return False
    if rules.push_chance < 100 and random_below(state.info, 100) >= rules.push_chance:
        return False
    farthest = True
    while last != first:  # the stones move one after the other, the farthest first
        set_cell(state, last, STONE, LYING)
        mark(scratch, MOVED, last)
        mark(scratch, CLOSED, last)
        if not farthest:
            mark(scratch, WAS_SLIPPERY, last)
        farthest = False
        last -= step
    return True


# ------------------------------------------------------------------ the delirium rules


@kernel(count_references=False, inline=True)
def delirium_tick(rules: RuleSet, state: MineState, action: int) -> None:
    """One tick of the delirium rules. (Inlined: a call passes every field of every array.)"""
    move_miner(rules, state, action)
    for row in range(state.info[HEIGHT]):
        state.scratch[ANIMATED_BEFORE, row] = state.masks[ANIMATED, row]
    if rules.monsters_first:
        move_monsters(rules, state)
    move_all_heavy(rules, state)
    if not rules.monsters_first:
        move_monsters(rules, state)
    crush_below(rules, state)
    change_amoeba_and_blasts(rules, state)
    catch_miner(rules, state)


@kernel(count_references=False)
def move_all_heavy(rules: RuleSet, state: MineState) -> None:
    """Move stones and diamonds, the lowest row first and each row from the left."""
    masks = state.masks
    for row in range(state.info[HEIGHT] - 2, -1, -1):
        to_examine = masks[AWAKE, row] & masks[HEAVY, row]
        while to_examine:
            column = lowest(to_examine)
            to_examine &= to_examine - 1
            move_heavy(rules, state, cell_at(row, column))


@kernel(count_references=False, inline=True)
def move_heavy(rules: RuleSet, state: MineState, cell: int) -> None:
    """Let a stone or diamond fall, pass through a magic wall, or roll to the side.

    It also rolls off a slippery object that left in this tick, but not off one that arrived in this tick.
    """
    cells, details, _, info, scratch = state
    code = code_at(cells, cell)
    if not is_heavy(code) or is_marked(scratch, MOVED, cell):
        return
    below = cell + STRIDE
    falling = code_at(details, cell)
    if is_free(state, below):
        move_object(state, cell, below, code, FALLING)
        return
    under = code_at(cells, below)
    if falling and under == MAGIC and pass_magic_wall(rules, state, cell, code):
        return
    slid_away = is_marked(scratch, WAS_SLIPPERY, below)
    arrived = is_marked(scratch, CLOSED, below) or is_marked(scratch, MOVED, below)
    if slid_away or (is_slippery(under) and not arrived):
        left = is_free(state, cell - 1) and is_free(state, below - 1)
        right = is_free(state, cell + 1) and is_free(state, below + 1)
        side = side_to_roll(rules, info, left, right)
        if side:
            move_object(state, cell, cell + side, code, LYING)
            return
    if falling:
        details[cell] = LYING


@kernel(count_references=False)
def move_object(state: MineState, cell: int, target: int, code: int, falling: int) -> None:
    vacate(state, cell)
    set_cell(state, target, code, falling)
    mark(state.scratch, MOVED, target)
    mark(state.scratch, ARRIVED, target)


@kernel(count_references=False)
def side_to_roll(rules: RuleSet, info: Any, left: bool, right: bool) -> int:
    """-1 to roll left, 1 to roll right, given which sides are free; 0 if none is."""
    if left and right:
        if rules.tie == ROLL_RANDOM:
            return 1 if random_below(info, 2) else -1
        return 1 if rules.tie == ROLL_RIGHT else -1
    return -1 if left else 1 if right else 0


@kernel(count_references=False)
def pass_magic_wall(rules: RuleSet, state: MineState, cell: int, code: int) -> bool:
    """Let a falling object pass the magic wall below it: a stone comes out as a diamond, a diamond as a stone.

    Whether the wall works. If the cell below the wall is not free, the object is lost.
    """
    info = state.info
    if info[MAGIC_TICKS_LEFT] == 0:
        return False
    if info[MAGIC_TICKS_LEFT] < 0:
        info[MAGIC_TICKS_LEFT] = rules.magic_ticks
    below_wall = cell + 2 * STRIDE
    vacate(state, cell)
    if row_of(below_wall) < info[HEIGHT] and is_free(state, below_wall):
        set_cell(state, below_wall, DIAMOND if code == STONE else STONE, FALLING)
        if code == STONE:
            info[DIAMONDS_MADE] += 1
        mark(state.scratch, MOVED, below_wall)
        mark(state.scratch, ARRIVED, below_wall)
    return True


@kernel(count_references=False)
def move_monsters(rules: RuleSet, state: MineState) -> None:
    """Move each monster into the first free cell of: to its left, ahead, to its right, behind.

    Most of the time is spent here, so `vacate` and `set_cell` are written out.
    """
    cells, details, masks, info, scratch = state
    for row in range(1, info[HEIGHT] - 1):
        to_examine = scratch[ANIMATED_BEFORE, row]
        while to_examine:
            column = lowest(to_examine)
            to_examine &= to_examine - 1
            cell = cell_at(row, column)
            code = code_at(cells, cell)
            if not is_monster(code):
                continue
            heading = code_at(details, cell)
            for turn in MONSTER_TURNS:
                new_heading = turned(heading, turn)
                target = cell + pick(HEADING_STEPS, new_heading)
                if cells[target] != EMPTY or is_marked(scratch, CLOSED, target):
                    continue
                cells[cell], details[cell] = EMPTY, 0
                cells[target], details[target] = code, new_heading
                unmark(masks, ANIMATED, cell)
                mark(masks, ANIMATED, target)
                mark(scratch, CLOSED, cell)
                around = around_column(column)
                scratch[AWAKE_NEXT, row] |= around  # entering a cell makes nothing fall
                scratch[AWAKE_NEXT, row - 1] |= around
                break


@kernel(count_references=False, inline=True)
def crush_below(rules: RuleSet, state: MineState) -> None:
    """Stones and diamonds that arrived above a monster blow it up; those that fell onto the miner kill him."""
    cells, details, _, info, scratch = state
    for row in range(info[HEIGHT] - 1):
        arrived = scratch[ARRIVED, row]
        while arrived:
            column = lowest(arrived)
            arrived &= arrived - 1
            cell = cell_at(row, column)
            below = cell + STRIDE
            if is_heavy(code_at(cells, cell)):
                under = code_at(cells, below)
                if is_monster(under):
                    hit_monster(rules, state, below, under, code_at(cells, cell))
                elif under == MINER and details[cell]:
                    info[STATUS] = CRUSHED


@kernel(count_references=False)
def change_amoeba_and_blasts(rules: RuleSet, state: MineState) -> None:
    """Blasts age, the amoeba grows or turns, and magic walls wear out."""
    cells, _, masks, info, scratch = state
    amoeba_count = info[AMOEBA_COUNT]
    has_room = False
    for row in range(info[HEIGHT]):
        not_passed = scratch[ANIMATED_BEFORE, row]
        while not_passed & masks[ANIMATED, row]:  # most monsters have left
            column = lowest(not_passed & masks[ANIMATED, row])
            not_passed &= -2 << column
            cell = cell_at(row, column)
            code = code_at(cells, cell)
            if code == BLAST:
                age_blast(state, cell)
            elif code == AMOEBA:
                mark(scratch, AMOEBA_HERE, cell)
                if grow_amoeba(rules, state, cell):
                    has_room = True
            elif code == SLIME:
                seep(rules, state, cell)
            elif WALL_GROWING_ASIDE <= code <= WALL_GROWING:
                grow_wall(state, cell, code)
    if amoeba_count:
        turn_amoeba(rules, state, has_room)
    if info[MAGIC_TICKS_LEFT] > 0:
        info[MAGIC_TICKS_LEFT] -= 1


@kernel(count_references=False, inline=True)
def catch_miner(rules: RuleSet, state: MineState) -> None:
    """Monsters beside the miner catch him; those beside the amoeba explode."""
    cells, info = state.cells, state.info
    if info[AMOEBA_COUNT] and amoeba_touches_monster(state):
        touch_one_by_one(rules, state)
    elif rules.contact_kills and info[STATUS] == RUNNING:
        for heading in range(HEADINGS):
            if is_monster(code_at(cells, info[MINER_CELL] + pick(HEADING_STEPS, heading))):
                info[STATUS] = CAUGHT


@kernel(count_references=False)
def amoeba_touches_monster(state: MineState) -> bool:
    """Whether a monster or a blast is beside the amoeba."""
    masks, info, scratch = state.masks, state.info, state.scratch
    above = 0
    for row in range(info[HEIGHT]):
        here = scratch[AMOEBA_HERE, row]
        below = scratch[AMOEBA_HERE, row + 1] if row + 1 < info[HEIGHT] else 0
        if (here << 1 | here >> 1 | above | below) & masks[ANIMATED, row] & ~here:
            return True
        above = here
    return False


@kernel(count_references=False)
def touch_one_by_one(rules: RuleSet, state: MineState) -> None:
    """Monsters beside the miner catch him and those beside the amoeba explode, one after the other."""
    cells, _, masks, info, _ = state
    for row in range(info[HEIGHT]):
        to_examine = masks[ANIMATED, row]
        while to_examine:
            column = lowest(to_examine)
            to_examine &= to_examine - 1
            cell = cell_at(row, column)
            if is_monster(code_at(cells, cell)):
                for heading in range(HEADINGS):
                    beside = cell + pick(HEADING_STEPS, heading)
                    if beside == info[MINER_CELL] and rules.contact_kills and info[STATUS] == RUNNING:
                        info[STATUS] = CAUGHT
                    if cells[beside] == AMOEBA:
                        explode(rules, state, cell, EMPTY)
                        break


# ------------------------------------------------------------------ blasts


@kernel(count_references=False)
def age_blast(state: MineState, cell: int) -> None:
    """Count down one tick; at the end the blast leaves the object of its detail."""
    detail = code_at(state.details, cell) - BLAST_TICK
    if detail >= BLAST_TICK:
        state.details[cell] = detail
    else:
        set_cell(state, cell, pick(PRODUCT_CODES, detail & BLAST_PRODUCT_BITS), 0)


@kernel(count_references=False)
def hit_monster(rules: RuleSet, state: MineState, cell: int, monster: int, falling: int) -> None:
    """A stone or diamond falls onto a monster: it explodes; a purple one becomes a blue one instead."""
    if monster == PURPLE:
        set_cell(state, cell, BLUE, code_at(state.details, cell))
    else:
        explode(rules, state, cell, falling)


@kernel(count_references=False)
def explode(rules: RuleSet, state: MineState, cell: int, falling: int) -> None:
    """Blow up a monster or the miner, and all around except silver walls and the border.

    The blast is a square of 3x3 cells. That of a yellow monster hit by a stone is a plus of yellow monsters, that of a
    black one a larger plus of walls. `falling` is the code of what fell onto it, EMPTY if it was something else.
    """
    cells, _, _, info, scratch = state
    code = code_at(cells, cell)
    product = LEAVES_NOTHING
    size = 1
    cross = False
    if code == BLUE:
        product = LEAVES_DIAMOND
    elif code == GREEN:
        product = LEAVES_STONE
    elif code == YELLOW and falling == STONE:
        product, cross = LEAVES_YELLOW, True
    elif code == BLACK:
        product, size, cross = LEAVES_WALL, 2, True
    if is_monster(code):
        info[KILLS] += 1
    width, height = info[WIDTH], info[HEIGHT]
    middle_row, middle_column = row_of(cell), column_of(cell)
    for down in range(-size, size + 1):
        for right in range(-size, size + 1):
            if cross and down != 0 and right != 0:
                continue
            row, column = middle_row + down, middle_column + right
            if row < 0 or column < 0 or row >= height or column >= width:
                continue
            there = cell_at(row, column)
            old = code_at(cells, there)
            if resists_blasts(old):
                continue
            if old == MINER and info[STATUS] == RUNNING:
                info[STATUS] = BLOWN_UP
            if is_monster(old) and there != cell:
                info[KILLS] += 1
            set_cell(state, there, BLAST, rules.blast_ticks * BLAST_TICK + product)
            unmark(scratch, ANIMATED_BEFORE, there)
            mark(scratch, CLOSED, there)
            mark(scratch, MOVED, there)


# ------------------------------------------------------------------ the amoeba


@kernel(count_references=False, inline=True)
def grow_amoeba(rules: RuleSet, state: MineState, cell: int) -> bool:
    """Let an amoeba cell grow at random; return whether it has room."""
    cells, info, scratch = state.cells, state.info, state.scratch
    has_room = False
    for heading in range(HEADINGS):
        code = code_at(cells, cell + pick(HEADING_STEPS, heading))
        if code == EMPTY or code == DIRT:
            has_room = True
    if not has_room:
        return False
    per_thousand = rules.growth if info[TICK] < rules.late_ticks else rules.late_growth
    if random_below(info, 1000) < per_thousand:
        target = cell + pick(HEADING_STEPS, random_below(info, HEADINGS))
        code = code_at(cells, target)
        if code == EMPTY or code == DIRT:
            set_cell(state, target, AMOEBA, 0)
            mark(scratch, AMOEBA_HERE, target)
            mark(scratch, CLOSED, target)
            mark(scratch, MOVED, target)
    return True


@kernel(count_references=False)
def turn_amoeba(rules: RuleSet, state: MineState, has_room: bool) -> None:
    """Turn the whole amoeba into stones if it is too large, into diamonds or stones if it was enclosed for a while."""
    cells, _, masks, info, _ = state
    info[AMOEBA_SHUT_TICKS] = 0 if has_room else info[AMOEBA_SHUT_TICKS] + 1
    product = EMPTY
    if info[AMOEBA_COUNT] > rules.largest_amoeba:
        product = STONE
    elif info[AMOEBA_SHUT_TICKS] > rules.shut_ticks:
        product = DIAMOND if info[AMOEBA_COUNT] <= rules.largest_diamond_amoeba else STONE
    if product == EMPTY:
        return
    for row in range(info[HEIGHT]):
        to_examine = masks[ANIMATED, row]
        while to_examine:
            cell = cell_at(row, lowest(to_examine))
            to_examine &= to_examine - 1
            if cells[cell] == AMOEBA:
                set_cell(state, cell, product, LYING)


# ------------------------------------------------------------------ slime and growing walls


@kernel(count_references=False)
def slime_works(rules: RuleSet, info: Any) -> bool:
    """Whether this cell of slime lets things through in this tick; takes a pseudo-random number."""
    if rules.slime_chance >= 0:
        return random_below(info, 1000) < rules.slime_chance
    info[SLIME_RANDOM] = next_c64_random(signed(info[SLIME_RANDOM]))
    bits: int = (info[SLIME_RANDOM] >> 8) & rules.slime_bits
    return bits == 0


@kernel(python_entry=False, inline=True)
def next_c64_random(state: int) -> int:
    """The next state of the C64 game's pseudo-random numbers, two bytes; the high one is the number."""
    first, second = state >> 8, state & 0xFF
    total = second + ((second & 1) << 7)
    total = (total & 0xFF) + (total >> 8) + 0x13
    new_second = total & 0xFF
    total = first + (total >> 8) + ((first & 1) << 7)
    new_first = ((total & 0xFF) + (total >> 8) + (second >> 1)) & 0xFF
    return new_first << 8 | new_second


@kernel(count_references=False)
def seep(rules: RuleSet, state: MineState, cell: int) -> None:
    """Let a stone or diamond that lies on the slime come out below it, if there is room."""
    cells, details, _, _, scratch = state
    if not slime_works(rules, state.info):
        return
    above, below = cell - STRIDE, cell + STRIDE
    code = code_at(cells, above)
    if is_heavy(code) and details[above] == LYING and cells[below] == EMPTY:
        if is_marked(scratch, ARRIVED, above) or is_marked(scratch, CLOSED, below):
            return
        set_cell(state, above, EMPTY, 0)
        set_cell(state, below, code, FALLING)
        mark(scratch, MOVED, below)


@kernel(count_references=False)
def grow_wall(state: MineState, cell: int, code: int) -> None:
    """Let a growing wall take the empty cells beside it; those of one direction take a single cell in a tick."""
    cells, scratch = state.cells, state.scratch
    for heading in (HEADING_LEFT, HEADING_RIGHT, HEADING_UP, HEADING_DOWN):
        upright = heading == HEADING_UP or heading == HEADING_DOWN
        if code == (WALL_GROWING_ASIDE if upright else WALL_GROWING_UPRIGHT):
            continue
        target = cell + pick(HEADING_STEPS, heading)
        if cells[target] == EMPTY and not is_marked(scratch, CLOSED, target):
            set_cell(state, target, code, 0)
            mark(scratch, MOVED, target)
            mark(scratch, CLOSED, target)
            if code != WALL_GROWING:
                return


# ------------------------------------------------------------------ the classic rules


@kernel(count_references=False, inline=True)
def classic_tick(rules: RuleSet, state: MineState, action: int) -> None:
    """One pass from the top left; an object that has moved in this tick is not moved again."""
    cells, _, masks, info, scratch = state
    has_room = False
    amoeba_count = 0
    start = info[MINER_CELL]
    if cells[start] != MINER:  # in a mine that moves on after his death
        start = -1
    doll_touched = info[DOLL_TOUCHED]
    for row in range(info[HEIGHT]):
        not_passed = -1  # bits of the columns that the pass has not reached
        heavy = pending = 0
        cached = False  # whether `heavy` and `pending` are up to date
        while True:
            if not cached:
                heavy = masks[HEAVY, row] & ~scratch[MOVED, row]
                pending = (masks[AWAKE, row] | scratch[AWAKE_NEXT, row]) & heavy
                pending |= masks[ANIMATED, row] & ~scratch[MOVED, row]
                if row == row_of(start) and start == info[MINER_CELL]:
                    pending |= bit_of(start) & ~scratch[MOVED, row]
            pending &= not_passed
            if pending == 0:
                break
            column = lowest(pending)
            not_passed = -2 << column
            cell = cell_at(row, column)
            code = code_at(cells, cell)
            cached = is_monster(code)
            if cached:  # the most frequent case: only the stones that it wakes become pending in this row
                woken = classic_monster(rules, state, cell, code)
                pending |= woken & heavy
                cached = woken != EXPLODED
            elif is_heavy(code):
                classic_heavy(rules, state, cell, code)
            elif is_miner(code):
                if doll_touched:
                    classic_doll_dies(rules, state, cell, code)
                else:
                    classic_miner(rules, state, cell, code, action)
            elif code == AMOEBA:
                amoeba_count += 1
                if classic_amoeba(rules, state, cell):
                    has_room = True
            elif code == BLAST:
                age_blast(state, cell)
                mark(scratch, MOVED, cell)
            elif code == SLIME:
                seep(rules, state, cell)
            elif WALL_GROWING_ASIDE <= code <= WALL_GROWING:
                grow_wall(state, cell, code)
    if info[AMOEBA_PHASE] == GROWING:
        if amoeba_count > rules.largest_amoeba:
            info[AMOEBA_PHASE] = TOO_LARGE
        if not has_room:
            info[AMOEBA_PHASE] = SHUT_IN
    if info[MAGIC_TICKS_LEFT] > 0:
        if rules.magic_ends_amoeba:
            info[AMOEBA_PHASE] = SHUT_IN
        info[MAGIC_TICKS_LEFT] -= 1
    if info[FURTHER_MINERS] and info[STATUS] != RUNNING and info[STATUS] != WON:
        promote_miner(state)


@kernel(count_references=False)
def promote_miner(state: MineState) -> None:
    """After the miner's death, the first of the other miners replaces him."""
    cells, info = state.cells, state.info
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            cell = cell_at(row, column)
            if cells[cell] == SECOND_MINER:
                set_cell(state, cell, MINER, 0)
                info[MINER_CELL], info[STATUS] = cell, RUNNING
                return


@kernel(count_references=False)
def classic_doll_dies(rules: RuleSet, state: MineState, cell: int, code: int) -> None:
    """The miner explodes if a monster touched a doll in the tick before."""
    if code == MINER and state.info[STATUS] == RUNNING:
        state.info[STATUS] = BLOWN_UP
    explode(rules, state, cell, EMPTY)


@kernel(count_references=False)
def classic_miner(rules: RuleSet, state: MineState, cell: int, code: int, action: int) -> None:
    """The miner's action: stones and diamonds can be pushed and taken only while they do not fall.

    Digging (fire and a direction) does all that a step does, except the step.
    """
    cells, details, _, info, scratch = state
    mark(scratch, MOVED, cell)
    if action < RIGHT or action > DIG_DOWN:
        return
    step = pick(ACTION_STEPS, action)
    target = cell + step
    there = code_at(cells, target)
    digs = action >= DIG_RIGHT
    if there == EXIT:
        if not exit_has_opened(info, cell, target):
            return
        info[STATUS] = WON
    elif there == STONE:
        beyond = target + step
        if details[target] or step == STRIDE or step == -STRIDE or cells[beyond] != EMPTY:
            return
        if rules.push_chance < 100 and random_below(info, 100) >= rules.push_chance:
            return
        set_cell(state, beyond, STONE, LYING)
        mark(scratch, MOVED, beyond)
        if step < 0:
            mark(scratch, ARRIVED, beyond)
    elif there == DIAMOND:
        if details[target]:
            return
        info[GATHERED] += 1
        if info[GATHERED] == info[NEEDED]:
            info[GATE_MOMENT] = moment_of(info[TICK], cell)
    elif there != DIRT and (there != EMPTY or digs):
        return
    if digs:
        if there == DIRT or there == DIAMOND:
            info[DUG_HASH] ^= cell_hash(target, MINER, 1)
        set_cell(state, target, EMPTY, 0)
        return
    classic_move(state, cell, target, code, 0)
    if code == MINER:
        info[MINER_CELL] = target


@kernel(python_entry=False, inline=True)
def moment_of(tick: int, cell: int) -> int:
    """When the pass of this tick reaches the cell: moments can be compared."""
    return tick << MOMENT_SHIFT | cell


@kernel(count_references=False)
def exit_has_opened(info: Any, miner: int, door: int) -> bool:
    """Whether the miner can leave: the pass has reached the exit since the last diamond needed was gathered.

    (This makes a difference only if there are several miners.)
    """
    tick = info[TICK] if door < miner else info[TICK] - 1
    return bool(info[GATHERED] >= info[NEEDED] and moment_of(tick, door) > info[GATE_MOMENT])


@kernel(count_references=False, inline=True)
def classic_amoeba(rules: RuleSet, state: MineState, cell: int) -> bool:
    """An amoeba cell turns if the amoeba was too large or enclosed, else it may grow; return whether it has room.

    An amoeba that never had room sleeps: it does not turn. What it grows to does not blow up monsters in the same tick
    until the pass has reached it.
    """
    cells, info, scratch = state.cells, state.info, state.scratch
    if info[AMOEBA_PHASE] >= TOO_LARGE:
        set_cell(state, cell, STONE if info[AMOEBA_PHASE] == TOO_LARGE else DIAMOND, LYING)
        mark(scratch, MOVED, cell)
        return False
    has_room = False
    for heading in range(HEADINGS):
        there = code_at(cells, cell + pick(HEADING_STEPS, heading))
        if there == EMPTY or there == DIRT:
            has_room = True
    if not has_room:
        return False
    info[AMOEBA_PHASE] = GROWING
    per_thousand = rules.growth if info[TICK] < rules.late_ticks else rules.late_growth
    if random_below(info, 1000) < per_thousand:
        heading = random_below(info, HEADINGS)
        target = cell + pick(HEADING_STEPS, heading)
        there = code_at(cells, target)
        if there == EMPTY or there == DIRT:
            set_cell(state, target, AMOEBA, 0)
            mark(scratch, MOVED, target)
            if target < cell:
                mark(scratch, AMOEBA_HERE, target)
    return True


@kernel(count_references=False)
def classic_move(state: MineState, cell: int, target: int, code: int, detail: int) -> None:
    set_cell(state, cell, EMPTY, 0)
    set_cell(state, target, code, detail)
    mark(state.scratch, MOVED, target)


@kernel(count_references=False, inline=True)
def classic_heavy(rules: RuleSet, state: MineState, cell: int, code: int) -> None:
    """Let a stone or diamond fall, roll, kill what it falls on, or come to rest."""
    cells, details, _, info, scratch = state
    below = cell + STRIDE
    under = code_at(cells, below)
    falling = code_at(details, cell)
    if falling:
        if under == MAGIC:
            classic_magic_wall(rules, state, cell, code)
            return
        if is_monster(under):
            hit_monster(rules, state, below, under, code)
            return
        if is_miner(under):
            if under == MINER and info[STATUS] == RUNNING:
                info[STATUS] = CRUSHED
            explode(rules, state, below, code)
            return
    if under == EMPTY:
        classic_move(state, cell, below, code, FALLING)
        return
    if under == WALL or (is_heavy(under) and details[below] == LYING):
        left = cells[cell - 1] == EMPTY and cells[below - 1] == EMPTY
        right = cells[cell + 1] == EMPTY and cells[below + 1] == EMPTY
        if left or right:
            classic_move(state, cell, cell - 1 if left else cell + 1, code, FALLING)
            return
    if falling:
        details[cell] = LYING
        wake_around(scratch, row_of(cell), column_of(cell))


@kernel(count_references=False, inline=True)
def classic_magic_wall(rules: RuleSet, state: MineState, cell: int, code: int) -> None:
    """Let a falling object pass the magic wall below it; it is lost if the wall is spent or there is no room beyond."""
    info = state.info
    if info[MAGIC_TICKS_LEFT] < 0:
        info[MAGIC_TICKS_LEFT] = rules.magic_ticks
    set_cell(state, cell, EMPTY, 0)
    beyond = cell + 2 * STRIDE
    if info[MAGIC_TICKS_LEFT] > 0 and state.cells[beyond] == EMPTY:
        set_cell(state, beyond, DIAMOND if code == STONE else STONE, FALLING)
        if code == STONE:
            info[DIAMONDS_MADE] += 1
        mark(state.scratch, MOVED, beyond)


@kernel(count_references=False, inline=True)
def classic_monster(rules: RuleSet, state: MineState, cell: int, code: int) -> int:
    """Move a monster: butterflies (the blue ones) keep to their right, fireflies (all others) to their left.

    Returns the columns of the same row whose stones it wakes, or EXPLODED. Most of the time is spent here, so
    `set_cell` is written out.
    """
    cells, details, masks, _, scratch = state
    right, up = code_at(cells, cell + 1), code_at(cells, cell - STRIDE)
    left, down = code_at(cells, cell - 1), code_at(cells, cell + STRIDE)
    if (1 << right | 1 << up | 1 << left | 1 << down) & DANGERS and touches_danger(state, cell):
        explode(rules, state, cell, EMPTY)
        return EXPLODED
    free_headings = signed(right == EMPTY) | signed(up == EMPTY) << 1  # one bit per heading
    free_headings |= signed(left == EMPTY) << 2 | signed(down == EMPTY) << 3
    turn = TURN_RIGHT if code == BLUE else TURN_LEFT
    heading = code_at(details, cell)
    row, column = row_of(cell), column_of(cell)
    aside = turned(heading, turn)
    new_heading = aside if free_headings >> aside & 1 else heading
    if not free_headings >> new_heading & 1:
        details[cell] = turned(heading, -turn)
        mark(scratch, MOVED, cell)
        return 0
    target = cell + pick(HEADING_STEPS, new_heading)
    around = around_column(column)
    cells[cell], details[cell] = EMPTY, 0
    cells[target], details[target] = code, new_heading
    unmark(masks, ANIMATED, cell)
    mark(masks, ANIMATED, target)
    mark(scratch, MOVED, target)
    scratch[AWAKE_NEXT, row] |= around
    scratch[AWAKE_NEXT, row - 1] |= around
    return around


@kernel(count_references=False)
def touches_danger(state: MineState, cell: int) -> bool:
    """Whether the monster blows up here: beside a miner, an amoeba or a doll. The miner is caught."""
    cells, info, scratch = state.cells, state.info, state.scratch
    danger = False
    for heading in range(HEADINGS):
        beside = cell + pick(HEADING_STEPS, heading)
        code = code_at(cells, beside)
        if is_miner(code):
            if code == MINER and info[STATUS] == RUNNING:
                info[STATUS] = CAUGHT
            danger = True
        elif code == AMOEBA:
            grown = is_marked(scratch, MOVED, beside) and beside > cell
            danger = danger or not (grown or is_marked(scratch, AMOEBA_HERE, beside))
        elif code == DOLL:
            info[DOLL_TOUCHED] = 1
            danger = True
    return danger
