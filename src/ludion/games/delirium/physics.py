# ruff: noqa: RUF059, SIM109 (kernels: states are taken apart alike, and `in` costs a loop)
# mypy: disable-error-code="arg-type, assignment, no-any-return, operator, return-value"
"""The mine and how it moves: one tick of the world, under two rule sets.

`delirium` is the game of 2009, fitted on a log of the real one: the miner first, then stones and diamonds row
by row from the bottom, each row from the left, all judged by how things stood when the tick began; then the
monsters. `boulder-dash` is the classic order of 1984: one pass over the cave from the top left, each thing as
it is met.

Cells are numbered `row * 64 + column`, so that a mine has at most 62 columns and a border of its own. A state
is four arrays (and a slate that needs no copying):

    cells   int8, what is where: the codes of the game's rules file of 2012, and BLAST
    aux     int8, what else is to know there: a monster's heading, that a stone is falling, the age of a blast
    masks   int64, one bit a column:  masks[ACTIVE, row] something changed there (looked at this tick if heavy),
            masks[ALIVE, row] monsters, amoeba and blasts (looked at in every tick), masks[HEAVY, row] stones
            and diamonds
    info    int64, the numbers below

Only what changed, and what lies beside it, is looked at: a quiet mine costs some 40 ns a tick.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import bare, bare_inlined
from ludion.core.words import lowest, mix, pick

# ------------------------------------------------------------------ codes

EMPTY, DIRT, DIAMOND, STONE, SILVER, BORDER, WALL, MAGIC = range(8)
EXIT, MINER, MINER2 = 21, 22, 23
MONSTER, LAST_MONSTER = 24, 29  # M1 blue, M2 red, M3 green, M4 yellow, M5 purple, M6 black
BLUE, RED, GREEN, YELLOW, PURPLE, BLACK = range(24, 30)
AMOEBA = 30
LAST_CODE = 48
BLAST = 49  # seen as empty

# The items of the rules file of 2012 in its order: code 1 is the first.
NAMES = (  # noqa: SIM905
    ". Diam Stone SlW1 SlW2 StW MW LAW RAW UAW DAW LA RA UA DA HA VA CA HMW VMW Exit Avatar1 "
    "Avatar2 M1 M2 M3 M4 M5 M6 Amoeba Bomb Deton Dyna Nitro Key Lock Door1 Door2 Door1OC "
    "Door2OC SD GU GD GC BTr RTr GTr GTC "
).split()

# ------------------------------------------------------------------ actions and directions

STAY, RIGHT, UP, LEFT, DOWN, DIG_RIGHT, DIG_UP, DIG_LEFT, DIG_DOWN = range(9)
ENLARGE = 100_000
SHIFT, STRIDE = 6, 64
STEPS = (0, 1, -STRIDE, -1, STRIDE, 1, -STRIDE, -1, STRIDE)  # by action
WAYS = (1, -STRIDE, -1, STRIDE)  # by heading: right, up, left, down

# ------------------------------------------------------------------ info

(
    TICK,
    PLACE,  # of the miner
    GOT,  # diamonds
    NEED,
    STATUS,
    SEED,  # of chance: any number
    LIMIT,  # ticks, -1 without
    MAGIC_LEFT,  # ticks the magic walls still work: -1 before the first hit, 0 when they are spent
    CALM,  # ticks for which the amoeba has been shut in
    AMOEBAS,
    HEIGHT,  # rows, border included
    WIDTH,
    KEY,  # hash of all that is neither empty nor dirt, miner and monsters excepted
    DIRT_KEY,  # hash of the dirt
    KILLS,  # monsters exploded
    MADE,  # diamonds that came out of magic walls
    DUG,  # hash of the cells that were dug without a step
) = range(17)
INFO = 17

RUNNING, WON, CRUSHED, CAUGHT, BLOWN, LATE = range(6)  # STATUS
FATES = ("running", "won", "crushed", "caught", "blown up", "out of time")

ACTIVE, ALIVE, HEAVY = range(3)
MASKS = 3
TOUCHED, SLID, MOVED, NEXT, LIVING, FELL, SPREAD = range(7)  # rows of the slate
SLATE = 7


class Rules(NamedTuple):
    """A rule set: numbers only, so that kernels take it as it is."""

    classic: int = 0  # the order of update: 0 delirium, 1 boulder-dash
    tie: int = 0  # which way a stone rolls that could roll both: 0 left, 1 right, 2 by chance
    monsters_first: int = 0  # whether monsters move before stones (the log does not tell)
    contact: int = 1  # whether a monster beside the miner kills (1) or only one that is walked into (0)
    blast: int = 3  # ticks for which a blast closes its cells
    push_chance: int = 100  # per cent
    magic_ticks: int = 500
    growth: int = 10  # chance in 1000 that an amoeba cell grows in a tick
    late_growth: int = 10  # the same after `late_ticks`
    late_ticks: int = 1 << 40
    largest: int = 120  # amoeba cells at which all turn into stones
    tame: int = 80  # up to so many turn into diamonds when shut in
    calm_ticks: int = 50  # for which they must have been shut in


DELIRIUM = Rules()
BOULDER_DASH = Rules(
    classic=1,
    contact=1,
    blast=4,
    magic_ticks=150,
    growth=31,
    late_growth=250,
    late_ticks=150,
    largest=199,
    tame=199,
    calm_ticks=0,
)


class State(NamedTuple):
    """The mine at one moment. See the head of this module."""

    cells: Any
    aux: Any
    masks: Any
    info: Any
    slate: Any  # for use within one tick; shared by copies


def empty_state(width: int, height: int) -> State:
    """A mine of nothing; the sizes include the border."""
    state = State(
        np.zeros(height * STRIDE, np.int8),
        np.zeros(height * STRIDE, np.int8),
        np.zeros((MASKS, height), np.int64),
        np.zeros(INFO, np.int64),
        np.zeros((SLATE, height), np.int64),
    )
    state.info[HEIGHT], state.info[WIDTH] = height, width
    state.info[LIMIT] = state.info[MAGIC_LEFT] = -1
    return state


def copied(state: State) -> State:
    """The same state with arrays of its own."""
    cells, aux, masks, info, slate = state
    return State(cells.copy(), aux.copy(), masks.copy(), info.copy(), np.zeros_like(slate))


@bare
def copy_into(target: State, state: State) -> None:
    """Make the target equal to the state. (Plain loops: slices are copied many times slower.)"""
    for index in range(state.cells.shape[0]):
        target.cells[index] = state.cells[index]
    for index in range(state.aux.shape[0]):
        target.aux[index] = state.aux[index]
    for kind in range(MASKS):
        for row in range(state.masks.shape[1]):
            target.masks[kind, row] = state.masks[kind, row]
    for index in range(INFO):
        target.info[index] = state.info[index]


@bare
def wipe(slate: Any, first: int, last: int) -> None:
    """Clear some rows of the slate."""
    for kind in range(first, last + 1):
        for row in range(slate.shape[1]):
            slate[kind, row] = 0


# ------------------------------------------------------------------ small questions


@bare
def is_monster(code: int) -> bool:
    return MONSTER <= code <= LAST_MONSTER


@bare
def is_heavy(code: int) -> bool:
    return DIAMOND <= code <= STONE


@bare
def is_slippery(code: int) -> bool:
    return code == STONE or code == DIAMOND or code == WALL or code == MAGIC


@bare
def is_solid(code: int) -> bool:
    """Whether a blast spares it."""
    return code == SILVER or code == BORDER


@bare
def tag(cell: int, code: int, more: int) -> int:
    return mix(cell * 512 + code * 8 + more + 1, 0x5DEECE66D)


@bare
def put(state: State, cell: int, code: int, more: int) -> None:
    """Exchange what is in a cell (never for the miner's own moves), and have its surroundings looked at."""
    cells, aux, masks, info, slate = state
    old = np.int64(cells[cell])
    row, column = cell >> SHIFT, cell & 63
    if old == DIRT:
        info[DIRT_KEY] ^= tag(cell, DIRT, 0)
    elif old != EMPTY and old != MINER:
        if not is_monster(old):
            info[KEY] ^= tag(cell, old, 0)
        if is_heavy(old):
            masks[HEAVY, row] &= ~(1 << column)
        elif old >= MONSTER:
            masks[ALIVE, row] &= ~(1 << column)
            if old == AMOEBA:
                info[AMOEBAS] -= 1
    cells[cell] = code
    aux[cell] = more
    if code == DIRT:
        info[DIRT_KEY] ^= tag(cell, DIRT, 0)
    elif code != EMPTY and code != MINER:
        if not is_monster(code):
            info[KEY] ^= tag(cell, code, 0)
        if is_heavy(code):
            masks[HEAVY, row] |= 1 << column
        elif code >= MONSTER:
            masks[ALIVE, row] |= 1 << column
            if code == AMOEBA:
                info[AMOEBAS] += 1
    wake(slate, row, column)


@bare
def wake(slate: Any, row: int, column: int) -> None:
    """Have the things looked at that may move now that this cell has changed."""
    around = 7 << (column - 1) if column > 0 else 3
    slate[NEXT, row] |= around
    if row > 0:
        slate[NEXT, row - 1] |= around


@bare_inlined
def chance(info: Any, below: int) -> int:
    """A number from 0 to below - 1; the same ones for the same seed."""
    info[SEED] = mix(info[SEED], 0x2545F4914F6CDD1D)
    return ((info[SEED] >> 20) & 0x3FFFFFFF) % below


@bare
def settle(state: State) -> None:
    """Prepare a state whose cells were written by hand: masks, counts and hashes."""
    cells, aux, masks, info, slate = state
    masks[:] = 0
    info[KEY] = info[DIRT_KEY] = info[AMOEBAS] = 0
    for row in range(info[HEIGHT]):
        for column in range(info[WIDTH]):
            cell = row << SHIFT | column
            code = np.int64(cells[cell])
            if code == DIRT:
                info[DIRT_KEY] ^= tag(cell, DIRT, 0)
            elif code != EMPTY and code != MINER and not is_monster(code):
                info[KEY] ^= tag(cell, code, 0)
            if MONSTER <= code <= AMOEBA or code == BLAST:
                masks[ALIVE, row] |= 1 << column
                if code == AMOEBA:
                    info[AMOEBAS] += 1
            if is_heavy(code):
                masks[ACTIVE, row] |= 1 << column
                masks[HEAVY, row] |= 1 << column


# ------------------------------------------------------------------ the tick


@bare
def tick(rules: Rules, state: State, action: int) -> int:
    """Let the miner act and everything move on by one step; returns the status."""
    info = state.info
    if info[STATUS] != RUNNING:
        return info[STATUS]
    wipe(state.slate, TOUCHED, SPREAD)
    info[TICK] += 1
    if rules.classic:
        classic_tick(rules, state, action)
    else:
        delirium_tick(rules, state, action)
    for row in range(state.masks.shape[1]):
        state.masks[ACTIVE, row] = state.slate[NEXT, row]
    if info[STATUS] == RUNNING and info[LIMIT] >= 0 and info[TICK] >= info[LIMIT]:
        info[STATUS] = LATE
    return info[STATUS]


@bare
def free(state: State, cell: int) -> bool:
    """Whether the cell was empty when the tick began and nothing has come since."""
    return state.cells[cell] == EMPTY and not state.slate[TOUCHED, cell >> SHIFT] >> (cell & 63) & 1


@bare
def leave(state: State, cell: int) -> None:
    """Empty a cell and keep it closed for the rest of the tick."""
    bit = 1 << (cell & 63)
    if is_slippery(np.int64(state.cells[cell])):
        state.slate[SLID, cell >> SHIFT] |= bit
    state.slate[TOUCHED, cell >> SHIFT] |= bit
    put(state, cell, EMPTY, 0)


@bare
def miner_acts(rules: Rules, state: State, action: int) -> None:
    """The miner's own deed, the same under both rule sets but for what can be pushed."""
    cells, aux, masks, info, slate = state
    if action < RIGHT or action > DIG_DOWN:
        return
    place = info[PLACE]
    step = pick(STEPS, action)
    target = place + step
    code = np.int64(cells[target])
    row, bit = target >> SHIFT, 1 << (target & 63)
    if action >= DIG_RIGHT:
        if code == DIRT or code == DIAMOND:
            if code == DIAMOND:
                info[GOT] += 1
            info[DUG] ^= tag(target, MINER, 1)
            leave(state, target)
        return
    if code == EXIT:
        if info[GOT] < info[NEED]:
            return
        info[STATUS] = WON
    elif code == STONE:
        if action == DOWN or (rules.classic and action == UP):
            return
        last = target
        while cells[last] == STONE:
            last += step
            if rules.classic and last != target + step:
                return
        if cells[last] != EMPTY or slate[TOUCHED, last >> SHIFT] >> (last & 63) & 1:
            return
        if rules.push_chance < 100 and chance(info, 100) >= rules.push_chance:
            return
        far = True
        while last != target:  # the row of stones moves on, the farthest first
            put(state, last, STONE, 0)
            slate[MOVED, last >> SHIFT] |= 1 << (last & 63)
            slate[TOUCHED, last >> SHIFT] |= 1 << (last & 63)
            if not far:
                slate[SLID, last >> SHIFT] |= 1 << (last & 63)
            far = False
            last -= step
        slate[SLID, row] |= bit
    elif code == DIAMOND:
        info[GOT] += 1
        slate[SLID, row] |= bit
    elif (code != EMPTY and code != DIRT) or (code == EMPTY and slate[TOUCHED, row] & bit):
        return
    put(state, target, MINER, 0)
    slate[TOUCHED, row] |= bit
    leave(state, place)
    info[PLACE] = target


@bare
def roll_side(rules: Rules, info: Any, left: bool, right: bool) -> int:
    """-1 or 1: the way to roll, given which ways are free; 0 if none is."""
    if left and right:
        if rules.tie == 2:
            return 1 if chance(info, 2) else -1
        return 1 if rules.tie == 1 else -1
    return -1 if left else 1 if right else 0


@bare
def transform(rules: Rules, state: State, cell: int, code: int, closed: bool) -> bool:
    """A falling thing meets a magic wall below it: whether it went through (or was lost in it)."""
    info = state.info
    if info[MAGIC_LEFT] == 0:
        return False
    if info[MAGIC_LEFT] < 0:
        info[MAGIC_LEFT] = rules.magic_ticks
    under = cell + 2 * STRIDE
    leave(state, cell)
    if (under >> SHIFT) < info[HEIGHT] and free(state, under):
        put(state, under, DIAMOND if code == STONE else STONE, 1)
        if code == STONE:
            info[MADE] += 1
        bit = 1 << (under & 63)
        state.slate[MOVED, under >> SHIFT] |= bit
        if closed:
            state.slate[FELL, under >> SHIFT] |= bit
    return True


@bare
def delirium_tick(rules: Rules, state: State, action: int) -> None:
    cells, aux, masks, info, slate = state
    height = info[HEIGHT]
    miner_acts(rules, state, action)
    for row in range(height):
        slate[LIVING, row] = masks[ALIVE, row]
    if rules.monsters_first:
        monsters_move(rules, state)
    # Stones and diamonds, the lowest row first.
    for row in range(height - 2, -1, -1):
        rest = masks[ACTIVE, row] & masks[HEAVY, row]
        while rest:
            column = lowest(rest)
            rest &= rest - 1
            cell = row << SHIFT | column
            code = np.int64(cells[cell])
            if not is_heavy(code) or slate[MOVED, row] >> column & 1:
                continue
            below = cell + STRIDE
            falling = np.int64(aux[cell])
            if free(state, below):
                move_heavy(state, cell, below, code, 1)
                continue
            under = np.int64(cells[below])
            if falling and under == MAGIC and transform(rules, state, cell, code, True):
                continue
            slid = slate[SLID, row + 1] >> column & 1
            come = (slate[TOUCHED, row + 1] | slate[MOVED, row + 1]) >> column & 1  # in this tick
            if slid or (is_slippery(under) and not come):
                left = free(state, cell - 1) and free(state, below - 1)
                right = free(state, cell + 1) and free(state, below + 1)
                side = roll_side(rules, info, left, right)
                if side:
                    move_heavy(state, cell, cell + side, code, 0)
                    continue
            if falling:
                aux[cell] = 0
    if not rules.monsters_first:
        monsters_move(rules, state)
    # What has come to lie on a monster, or fallen on the miner, kills.
    for row in range(height - 1):
        rest = slate[FELL, row]
        while rest:
            column = lowest(rest)
            rest &= rest - 1
            below = (row + 1) << SHIFT | column
            if is_heavy(np.int64(cells[below - STRIDE])):
                under = np.int64(cells[below])
                if is_monster(under):
                    explode(rules, state, below)
                elif under == MINER and aux[below - STRIDE]:
                    info[STATUS] = CRUSHED
    living_end(rules, state)


@bare
def move_heavy(state: State, cell: int, target: int, code: int, falling: int) -> None:
    leave(state, cell)
    put(state, target, code, falling)
    bit = 1 << (target & 63)
    state.slate[MOVED, target >> SHIFT] |= bit
    state.slate[FELL, target >> SHIFT] |= bit


@bare
def monsters_move(rules: Rules, state: State) -> None:
    """Each monster into the first free cell of: to its left, ahead, to its right, back.

    This is where most of the time goes, so `leave` and `put` are written out here.
    """
    cells, aux, masks, info, slate = state
    for row in range(1, info[HEIGHT] - 1):
        rest = slate[LIVING, row]
        while rest:
            column = lowest(rest)
            rest &= rest - 1
            cell = row << SHIFT | column
            code = np.int64(cells[cell])
            if not (MONSTER <= code <= LAST_MONSTER):
                continue
            heading = np.int64(aux[cell])
            for turn in (1, 0, 3, 2):
                way = (heading + turn) & 3
                target = cell + pick(WAYS, way)
                new_row, new_column = target >> SHIFT, target & 63
                if cells[target] != EMPTY or slate[TOUCHED, new_row] >> new_column & 1:
                    continue
                cells[cell], aux[cell] = EMPTY, 0
                cells[target], aux[target] = code, way
                masks[ALIVE, row] &= ~(1 << column)
                masks[ALIVE, new_row] |= 1 << new_column
                slate[TOUCHED, row] |= 1 << column
                slate[NEXT, row] |= 7 << (column - 1)  # nothing falls because a cell was entered
                slate[NEXT, row - 1] |= 7 << (column - 1)
                break


@bare
def living_end(rules: Rules, state: State) -> None:
    """Blasts end, the amoeba grows, monsters touch: the last part of a tick of the delirium rules."""
    cells, aux, masks, info, slate = state
    grown = info[AMOEBAS]
    open_amoeba = False
    for row in range(info[HEIGHT]):
        ahead = slate[LIVING, row]
        while ahead & masks[ALIVE, row]:  # most monsters have gone
            column = lowest(ahead & masks[ALIVE, row])
            ahead &= -2 << column
            cell = row << SHIFT | column
            code = np.int64(cells[cell])
            if code == BLAST:
                age_blast(rules, state, cell)
            elif code == AMOEBA:
                slate[SPREAD, row] |= 1 << column
                if grow(rules, state, cell, info[TICK]):
                    open_amoeba = True
    if grown:
        amoeba_end(rules, state, open_amoeba)
    if info[MAGIC_LEFT] > 0:
        info[MAGIC_LEFT] -= 1
    if info[AMOEBAS] and amoeba_touches(state):
        monsters_touch(rules, state)
    elif rules.contact and info[STATUS] == RUNNING:
        for way in range(4):
            if is_monster(np.int64(cells[info[PLACE] + pick(WAYS, way)])):
                info[STATUS] = CAUGHT


@bare
def amoeba_touches(state: State) -> bool:
    """Whether the amoeba has anything living beside it that is not amoeba."""
    cells, aux, masks, info, slate = state
    above = np.int64(0)
    for row in range(info[HEIGHT]):
        here = slate[SPREAD, row]
        below = slate[SPREAD, row + 1] if row + 1 < info[HEIGHT] else 0
        if (here << 1 | here >> 1 | above | below) & masks[ALIVE, row] & ~here:
            return True
        above = here
    return False


@bare
def monsters_touch(rules: Rules, state: State) -> None:
    """Monsters beside the miner catch him, those beside the amoeba explode, one after the other."""
    cells, aux, masks, info, slate = state
    for row in range(info[HEIGHT]):
        rest = masks[ALIVE, row]
        while rest:
            column = lowest(rest)
            rest &= rest - 1
            cell = row << SHIFT | column
            if is_monster(np.int64(cells[cell])):
                for way in range(4):
                    beside = cell + pick(WAYS, way)
                    if beside == info[PLACE] and rules.contact and info[STATUS] == RUNNING:
                        info[STATUS] = CAUGHT
                    if cells[beside] == AMOEBA:
                        explode(rules, state, cell)
                        break


@bare
def age_blast(rules: Rules, state: State, cell: int) -> None:
    """aux of a blast: ticks left * 4 + what it leaves (0 nothing, 1 diamond, 2 stone, 3 wall)."""
    left = np.int64(state.aux[cell]) - 4
    if left >= 4:
        state.aux[cell] = left
        return
    product = left & 3
    if product == 0:
        put(state, cell, EMPTY, 0)
    elif product == 1:
        put(state, cell, DIAMOND, 0)
    elif product == 2:
        put(state, cell, STONE, 0)
    else:
        put(state, cell, WALL, 0)


@bare
def explode(rules: Rules, state: State, cell: int) -> None:
    """A monster (or the miner) goes up: all around it but silver, in a square, or a cross of yellow and
    black ones.
    """
    cells, aux, masks, info, slate = state
    code = np.int64(cells[cell])
    product = 0
    size = 1
    cross = False
    if code == BLUE:
        product = 1
    elif code == GREEN:
        product = 2
    elif code == YELLOW:
        cross = True
    elif code == BLACK:
        product, size, cross = 3, 2, True
    if is_monster(code):
        info[KILLS] += 1
    width, height = info[WIDTH], info[HEIGHT]
    middle_row, middle_column = cell >> SHIFT, cell & 63
    for down in range(-size, size + 1):
        for right in range(-size, size + 1):
            if cross and down != 0 and right != 0:
                continue
            row, column = middle_row + down, middle_column + right
            if row < 0 or column < 0 or row >= height or column >= width:
                continue
            there = row << SHIFT | column
            old = np.int64(cells[there])
            if is_solid(old):
                continue
            if old == MINER and info[STATUS] == RUNNING:
                info[STATUS] = BLOWN
            if is_monster(old) and there != cell:
                info[KILLS] += 1
            put(state, there, BLAST, rules.blast * 4 + product)
            slate[LIVING, row] &= ~(1 << column)
            slate[TOUCHED, row] |= 1 << column
            slate[MOVED, row] |= 1 << column


@bare_inlined
def grow(rules: Rules, state: State, cell: int, now: int) -> bool:
    """Perhaps let an amoeba cell grow; whether it has room to."""
    cells, info = state.cells, state.info
    room = False
    for way in range(4):
        code = np.int64(cells[cell + pick(WAYS, way)])
        if code == EMPTY or code == DIRT:
            room = True
    if not room:
        return False
    odds = rules.growth if now < rules.late_ticks else rules.late_growth
    if chance(info, 1000) < odds:
        target = cell + pick(WAYS, chance(info, 4))
        code = np.int64(cells[target])
        if code == EMPTY or code == DIRT:
            put(state, target, AMOEBA, 0)
            state.slate[SPREAD, target >> SHIFT] |= 1 << (target & 63)
            state.slate[TOUCHED, target >> SHIFT] |= 1 << (target & 63)
            state.slate[MOVED, target >> SHIFT] |= 1 << (target & 63)
    return True


@bare
def amoeba_end(rules: Rules, state: State, room: bool) -> None:
    """All amoeba cells turn: into stones when there are too many, into diamonds or stones when shut in for
    a while.
    """
    cells, info, masks = state.cells, state.info, state.masks
    product = 0
    info[CALM] = 0 if room else info[CALM] + 1
    if info[AMOEBAS] > rules.largest:
        product = STONE
    elif info[CALM] > rules.calm_ticks:
        product = DIAMOND if info[AMOEBAS] <= rules.tame else STONE
    if product:
        for row in range(info[HEIGHT]):
            rest = masks[ALIVE, row]
            while rest:
                column = lowest(rest)
                rest &= rest - 1
                cell = row << SHIFT | column
                if cells[cell] == AMOEBA:
                    put(state, cell, product, 0)


# ------------------------------------------------------------------ the classic order


@bare
def classic_tick(rules: Rules, state: State, action: int) -> None:
    """One pass from the top left; a thing that has moved this tick is not moved again."""
    cells, aux, masks, info, slate = state
    open_amoeba = False
    amoebas = info[AMOEBAS]
    place = info[PLACE]
    for row in range(info[HEIGHT]):
        ahead = np.int64(-1)  # columns not yet passed
        heavy = waiting = np.int64(0)
        known = False  # whether these two are as the masks say
        while True:
            if not known:
                heavy = masks[HEAVY, row] & ~slate[MOVED, row]
                waiting = (masks[ACTIVE, row] | slate[NEXT, row]) & heavy
                waiting |= masks[ALIVE, row] & ~slate[MOVED, row]
                if row == place >> SHIFT and place == info[PLACE]:
                    waiting |= 1 << (place & 63) & ~slate[MOVED, row]
            waiting &= ahead
            if waiting == 0:
                break
            column = lowest(waiting)
            ahead = -2 << column
            cell = row << SHIFT | column
            code = np.int64(cells[cell])
            known = is_monster(code)
            if known:  # most often, and then only what it wakes has changed in this row
                woken = classic_monster(rules, state, cell, code)
                waiting |= woken & heavy
                known = woken >= 0
            elif is_heavy(code):
                classic_heavy(rules, state, cell, code)
            elif code == MINER:
                if info[STATUS] == RUNNING:
                    classic_miner(rules, state, action)
            elif code == AMOEBA:
                if grow(rules, state, cell, info[TICK]):
                    open_amoeba = True
            elif code == BLAST:
                age_blast(rules, state, cell)
                slate[MOVED, row] |= 1 << column
    if amoebas:
        amoeba_end(rules, state, open_amoeba)
    if info[MAGIC_LEFT] > 0:
        info[MAGIC_LEFT] -= 1


@bare
def classic_miner(rules: Rules, state: State, action: int) -> None:
    slate = state.slate
    wipe(slate, TOUCHED, TOUCHED)
    miner_acts(rules, state, action)
    wipe(slate, TOUCHED, TOUCHED)
    place = state.info[PLACE]
    slate[MOVED, place >> SHIFT] |= 1 << (place & 63)


@bare
def classic_move(state: State, cell: int, target: int, code: int, more: int) -> None:
    put(state, cell, EMPTY, 0)
    put(state, target, code, more)
    state.slate[MOVED, target >> SHIFT] |= 1 << (target & 63)


@bare_inlined
def classic_heavy(rules: Rules, state: State, cell: int, code: int) -> None:
    cells, aux, masks, info, slate = state
    below = cell + STRIDE
    under = np.int64(cells[below])
    falling = np.int64(aux[cell])
    if falling:
        if under == MAGIC and info[MAGIC_LEFT] != 0:
            if info[MAGIC_LEFT] < 0:
                info[MAGIC_LEFT] = rules.magic_ticks
            put(state, cell, EMPTY, 0)
            beyond = below + STRIDE
            if cells[beyond] == EMPTY:
                put(state, beyond, DIAMOND if code == STONE else STONE, 1)
                if code == STONE:
                    info[MADE] += 1
                slate[MOVED, beyond >> SHIFT] |= 1 << (beyond & 63)
            return
        if is_monster(under) or under == MINER:
            if under == MINER and info[STATUS] == RUNNING:
                info[STATUS] = CRUSHED
            explode(rules, state, below)
            return
    if under == EMPTY:
        classic_move(state, cell, below, code, 1)
        return
    if is_slippery(under) and not (is_heavy(under) and aux[below]):
        left = cells[cell - 1] == EMPTY and cells[below - 1] == EMPTY
        right = cells[cell + 1] == EMPTY and cells[below + 1] == EMPTY
        if left or right:
            classic_move(state, cell, cell - 1 if left else cell + 1, code, 1)
            return
    if falling:
        aux[cell] = 0
        wake(slate, cell >> SHIFT, cell & 63)


@bare_inlined
def classic_monster(rules: Rules, state: State, cell: int, code: int) -> int:
    """Fireflies (all but the blue ones) keep to their left, butterflies (the blue ones) to their right. The columns
    whose stones in the same row are to be looked at, or -1 if it has exploded.

    As above, most of the time goes here, so `put` is written out.
    """
    cells, aux, masks, info, slate = state
    right, up = np.int64(cells[cell + 1]), np.int64(cells[cell - STRIDE])
    left, down = np.int64(cells[cell - 1]), np.int64(cells[cell + STRIDE])
    miner = (right == MINER) | (up == MINER) | (left == MINER) | (down == MINER)
    if miner | (right == AMOEBA) | (up == AMOEBA) | (left == AMOEBA) | (down == AMOEBA):
        if miner and info[STATUS] == RUNNING:
            info[STATUS] = CAUGHT
        explode(rules, state, cell)
        return np.int64(-1)
    empty = np.int64(right == EMPTY) | np.int64(up == EMPTY) << 1
    empty |= np.int64(left == EMPTY) << 2 | np.int64(down == EMPTY) << 3  # one bit a heading
    turn = 3 if code == BLUE else 1
    heading = np.int64(aux[cell])
    row, column = cell >> SHIFT, cell & 63
    aside = (heading + turn) & 3
    way = aside if empty >> aside & 1 else heading
    if not empty >> way & 1:
        aux[cell] = (heading - turn) & 3
        slate[MOVED, row] |= 1 << column
        return np.int64(0)
    target = cell + pick(WAYS, way)
    new_row, new_column = target >> SHIFT, target & 63
    around = 7 << (column - 1)
    cells[cell], aux[cell] = EMPTY, 0
    cells[target], aux[target] = code, way
    masks[ALIVE, row] &= ~(1 << column)
    masks[ALIVE, new_row] |= 1 << new_column
    slate[MOVED, new_row] |= 1 << new_column
    slate[NEXT, row] |= around
    slate[NEXT, row - 1] |= around
    return around


@bare
def play_all(rules: Rules, state: State, actions: Any) -> int:
    """Carry out many actions; how many were carried out before the end."""
    for index in range(actions.shape[0]):
        tick(rules, state, np.int64(actions[index]))
        if state.info[STATUS] != RUNNING:
            return index + 1
    return actions.shape[0]
