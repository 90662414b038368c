"""Plans: rows of legs from diamond to diamond to the exit, found by a beam search over exact states.

A *stop* is a state of the mine at the end of a leg: a diamond gathered, a monster crushed, a place to look from,
the exit. Stops form a tree, which is searched in layers: of the stops with the same number of legs the best few
are followed on. When a pass ends without a way out, the next one follows more of them, with some chance in the
order, and spends more on each leg; stops that were reached before are not computed again.

All of this runs in small steps (`Plans.work` is a generator), so that thinking can go on over many decisions."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from ludion.games.delirium.physics import (
    AMOEBA,
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    EXIT,
    GOT,
    KEY,
    LAST_MONSTER,
    MAGIC,
    MAGIC_LEFT,
    MINER,
    MONSTER,
    NEED,
    PLACE,
    RUNNING,
    SHIFT,
    STATUS,
    STONE,
    STRIDE,
    TICK,
    WAYS,
    WON,
    Rules,
    State,
    copied,
    play_all,
    tick,
)
from ludion.games.delirium.search import (
    AMOEBAS_TOLD,
    BLASTS,
    BLUES,
    BUDGE,
    DIAMONDS,
    FAR,
    FREE_DIAMONDS,
    FREE_EXITS,
    GATHER,
    GO,
    KILL,
    LEAVE,
    LOOSE_DIAMONDS,
    LOOSE_EXITS,
    MAGICS,
    MAKE,
    MONSTERS,
    STONES,
    TOLD,
    UNKNOWN,
    arrive,
    distances,
    pool_for,
    prospects,
    reach,
    survives,
    way_back,
)

EFFORTS = (3_000, 12_000, 50_000)  # nodes of a search for legs: more when fewer led nowhere
NEAR, LURKING = 6, 24  # how far from the miner monsters count in it: when he walks, when he lies in wait
SETTLED = 12  # ticks after which what was falling lies
STOPS = 25_000  # in the tree, at most
BUDGES = 3  # times that stones are moved to no purpose before anything else, at most
LEG = 50  # what it costs to judge a leg, in nodes

# The score of a stop, in ticks: what is still to be done, and what may go wrong.
COLLECT, DIG_FREE, LOST, SHUT, MOVED_STONE, UNDERMINED = 10, 14, 3, 1000, 5, 20
HASTE = 1.0, 0.3  # how much ticks count, in every other pass: who hurries leaves more stones in the way
SHUT_IN = 15  # diamonds that an open way out is worth


class Stop:
    """The end of a leg, and the way there from the stop before."""

    __slots__ = ("actions", "before", "effort", "goal", "got", "harm", "legs", "open", "score", "state")

    def __init__(
        self, before: Stop | None, actions: tuple[int, ...], state: State, goal: str, score: float, open: bool
    ) -> None:
        self.before, self.actions, self.state, self.goal = before, actions, state, goal
        self.score = score
        self.open = open  # whether the exit can be reached as things lie
        self.got = min(int(state.info[GOT]), int(state.info[NEED]))
        self.legs: list[Stop] | None = None  # those that follow, once they were looked for
        self.effort = -1  # with which effort that was
        self.harm = 0  # what the way there did to the stones, if it was to look

    @property
    def won(self) -> bool:
        return int(self.state.info[STATUS]) == WON

    @property
    def key(self) -> tuple[int, int]:
        """Stops that are alike but for dirt and time."""
        return int(self.state.info[PLACE]), int(self.state.info[KEY])

    def worth(self, shut: int = SHUT_IN) -> tuple[bool, int, int, bool, float]:
        """What a plan that ends here is worth: leaving, then diamonds (less if the way out is shut), then a view
        or a monster less, then a way out, then the rest.
        """
        view = (
            3 if self.goal == "look" and not self.harm else 2 if self.goal == "kill" else self.goal == "look"
        )
        return self.won, self.got - (0 if self.open else shut), view, self.open, -self.score

    def rank(self, haste: float) -> float:
        """The score if a tick counts so much of what it does."""
        return self.score - (1 - haste) * int(self.state.info[TICK])

    def boldness(self) -> tuple[bool, int, int, bool, float]:
        """The worth for who cares for the way out later."""
        return self.worth(shut=0)

    def way(self, root: Stop) -> list[Stop]:
        """The stops after the root up to this one."""
        row: list[Stop] = []
        here: Stop | None = self
        while here is not None and here is not root:
            row.append(here)
            here = here.before
        return row[::-1]


class Plans:
    """The search for a plan from one state on."""

    def __init__(self, rules: Rules, height: int, seed: int) -> None:
        self.rules = rules
        self.random = random.Random(seed)
        self.pool = pool_for(height)
        size = height << SHIFT
        self.guide = np.zeros(size, np.int32)
        self.queue = np.zeros(4 * size, np.int64)
        self.seen = np.zeros(size, np.int8)
        self.targets = np.zeros(size, np.int8)
        self.told = np.zeros(TOLD, np.int64)
        self.row = np.zeros(20_000, np.int8)
        self.tried = 0  # legs that were looked at, and layers of them
        self.stops = 0
        self.expanded = 0  # stops whose legs were looked for
        self.passes = 0
        self.view = (0, 0)  # half the width and height of what the miner sees at a time
        self.root: Stop
        self.best: Stop  # where the best plan so far ends
        self.boldest: Stop  # and the best for who cares for the way out later

    @property
    def nodes(self) -> int:
        """States that were searched so far."""
        return int(self.pool.counts[0])

    @property
    def effort(self) -> int:
        """All the work so far, in nodes: a measure that does not depend on the machine or on what else it does."""
        return int(self.pool.counts[0]) + int(self.pool.counts[2]) + LEG * self.tried

    # ---------------------------------------------------------------- the beam

    def start(self, state: State) -> Stop:
        """Begin anew from this state: the root of a new tree."""
        self.stops = self.passes = 0
        self.root = Stop(None, (), copied(state), "start", 0.0, True)
        self.known = not self.unseen(state)
        prospects(self.rules, state, self.seen, self.queue, self.told)
        self._judge(self.root)
        self.best = self.boldest = self.root
        return self.root

    def move_root(self, stop: Stop) -> None:
        """Go on from a stop of the tree."""
        stop.before = None
        self.root = stop
        self.passes = 0
        self.best = self.boldest = stop
        self.stops = 0
        rest = [stop]
        while rest:
            here = rest.pop()
            self.stops += 1
            self._compare(here)
            rest += here.legs or ()

    def _compare(self, stop: Stop) -> None:
        """Keep the stop if it is the best so far."""
        if stop.worth() > self.best.worth():
            self.best = stop
        if stop.boldness() > self.boldest.boldness():
            self.boldest = stop

    def work(self) -> Iterator[None]:
        """Search from the root until a plan leads out or nothing is left to try; rests after each step."""
        width = 1
        idle = 0  # passes in a row that found nothing new to do
        while self.stops < STOPS and idle < 4:
            effort = min(self.passes // 2, len(EFFORTS) - 1)
            before = self.expanded
            cut = yield from self._sweep(self.root, width, effort)
            if not self.known and self.best is not self.root:  # nothing further can be told from here
                return
            if not self.best.won:  # the best so far deserves more work
                yield from self._sweep(self.best, 3, len(EFFORTS) - 1)
            if self.best.won or (not cut and effort + 1 == len(EFFORTS)):
                return
            self.passes += 1
            width = min(2 * width + 1, 200)
            idle = idle + 1 if self.expanded == before and effort + 1 == len(EFFORTS) else 0
            yield

    def _sweep(self, start: Stop, width: int, effort: int) -> Generator[None, None, bool]:
        """Follow the best legs from a stop on, so many of them in each layer; whether any were left out."""
        cut = False
        noise = 0.0 if self.passes < 2 else 20.0
        haste = HASTE[self.passes % 2]
        layer = [start]
        while layer:
            following: list[Stop] = []
            for stop in layer:
                if stop.legs is None or (not stop.legs and stop.effort < effort):
                    yield from self._expand(stop, effort)
                following += stop.legs or ()
                if self.best.won:
                    return True
            self.tried += 1
            following.sort(key=lambda stop: stop.rank(haste) + noise * self.random.random())
            layer, keys = [], set()
            for stop in following:
                if stop.goal == "look" or stop.key in keys:
                    continue
                if len(layer) == width:
                    cut = True
                    break
                keys.add(stop.key)
                layer.append(stop)
        return cut

    def _add(self, before: Stop, actions: tuple[int, ...], goal: str) -> bool:
        """Add a leg to a stop unless it ends in death or in a place without hope."""
        assert before.legs is not None
        end = copied(before.state)
        count = len(actions)
        self.row[:count] = actions
        self.tried += 1
        settled = 0 if self.known else SETTLED
        if not arrive(self.rules, end, self.row, count, self.pool, self.seen, self.queue, self.told, settled):
            return False
        stop = Stop(before, actions, end, goal, 0.0, True)
        if not stop.won and not self._judge(stop):
            return False
        if any(other.key == stop.key for other in before.legs):
            return False
        before.legs.append(stop)
        self.stops += 1
        self._compare(stop)
        return True

    def _judge(self, stop: Stop) -> bool:
        """Set the score of a stop from what was told of it; whether there is hope that the mine can be won."""
        told, info = self.told.tolist(), stop.state.info
        missing = max(0, int(info[NEED]) - int(info[GOT]))
        if self.known:
            hope = told[LOOSE_DIAMONDS] + 9 * told[BLUES] + told[BLASTS]
            if told[AMOEBAS_TOLD]:  # it may grow as far as that
                hope += self.rules.tame
            if told[MAGICS] and info[MAGIC_LEFT]:
                hope += told[STONES]
            if not told[LOOSE_EXITS] or hope < missing:
                return False
        free = told[FREE_DIAMONDS]
        stop.open = told[FREE_EXITS] > 0
        stop.score = int(info[TICK])
        stop.score += COLLECT * missing + DIG_FREE * max(0, missing - free) + LOST * (told[DIAMONDS] - free)
        if not stop.open:
            stop.score += SHUT
        return True

    # ---------------------------------------------------------------- legs

    def _expand(self, stop: Stop, effort: int) -> Iterator[None]:
        """Find the legs that can follow a stop."""
        stop.legs, stop.effort = [], effort
        self.expanded += 1
        self.tried += 2
        state = stop.state
        missing = int(state.info[NEED]) - int(state.info[GOT])
        if missing <= 0:
            self._aim(state, state.cells == EXIT)
            yield from self._search(stop, LEAVE, 2, "exit", effort)
        else:
            yield from self._gather(stop, effort)
        if not stop.legs:
            yield from self._explore(stop, effort)
        prospects(self.rules, state, self.seen, self.queue, self.told)
        told = self.told.tolist()
        makers = told[BLUES] or (told[MAGICS] and state.info[MAGIC_LEFT])
        short = told[FREE_DIAMONDS] < missing
        stuck = all(leg.harm for leg in stop.legs)  # nowhere to go, or only at a price
        if (makers and short) or (told[MONSTERS] and (stuck or (effort and short))):
            yield from self._hunt(stop, effort)
        if not stop.legs:
            self._wait(stop)
        way = stop.way(self.root)
        if not stop.legs and effort and len(way) < BUDGES and all(leg.goal == "budge" for leg in way):
            self.guide[:] = 0
            yield from self._search(stop, BUDGE, 12, "budge", effort - 1)

    def _gather(self, stop: Stop, effort: int) -> Iterator[None]:
        """Legs to diamonds: those that can be reached as things lie, the others of these, those that stones
        shut in. (One that cannot be reached would lure the search away from all others.)
        """
        state = stop.state
        assert stop.legs is not None
        lying = state.cells == DIAMOND
        prospects(self.rules, state, self.seen, self.queue, self.told)
        free = lying & (self.seen[: len(lying)] == 1)
        buried = lying & ~free
        for wanted in (6, 4):
            if free.any():
                self._aim(state, free)
                yield from self._search(stop, GATHER, min(wanted, 3 * int(free.sum())), "diamond", effort)
                for leg in stop.legs:
                    free[int(leg.state.info[PLACE])] = False
        missing = int(state.info[NEED]) - int(state.info[GOT])
        if buried.any() and (not stop.legs or (effort and int(self.told[FREE_DIAMONDS]) < missing)):
            self._aim(state, buried)
            yield from self._search(stop, GATHER, 4, "diamond", effort)

    def _aim(self, state: State, targets: Any) -> None:
        self.targets[:] = targets[: len(self.targets)]
        distances(state, self.guide, self.queue, self.targets, 4, False)

    def _search(self, stop: Stop, kind: int, wanted: int, goal: str, effort: int) -> Iterator[None]:
        """Add the legs to goals of this kind."""
        state = stop.state
        if self.guide[int(state.info[PLACE])] >= FAR:
            return
        weight = (150, 230, 120)[effort]
        for row in self._rows(state, kind, wanted, EFFORTS[effort], weight, 400, -1, NEAR):
            self._add(stop, row, goal)
        yield

    def _rows(
        self,
        state: State,
        kind: int,
        wanted: int,
        nodes: int,
        weight: int,
        longest: int,
        support: int,
        near: int,
    ) -> list[tuple[int, ...]]:
        """Rows of actions that lead to goals of this kind, the soonest first."""
        found = reach(
            self.rules, state, self.pool, self.guide, kind, wanted, nodes, weight, longest, support, near
        )
        rows = []
        for number in range(found):
            count = way_back(self.pool, int(self.pool.goals[number]), self.row)
            rows.append(tuple(int(action) for action in self.row[:count]))
        return rows

    def _wait(self, stop: Stop) -> None:
        """A leg of waiting, if that makes diamonds."""
        state = stop.state
        if not bool(((state.cells == AMOEBA) | (state.cells == BLAST)).any()):
            return
        trial = copied(state)
        lying = int((state.cells == DIAMOND).sum())
        for ticks in (8, 20, 40, 60):
            play_all(self.rules, trial, np.zeros(ticks - int(trial.info[TICK] - state.info[TICK]), np.int8))
            if int(trial.info[STATUS]) != RUNNING:
                break
            if int((trial.cells == DIAMOND).sum()) > lying:
                self._add(stop, (0,) * ticks, "wait")
                return

    # ---------------------------------------------------------------- what has not been seen

    def unseen(self, state: State) -> bool:
        """Whether any of the mine, within its border, has not been seen."""
        return bool(_hidden(state).any())

    def _explore(self, stop: Stop, effort: int) -> Iterator[None]:
        """Legs to places from which more can be seen."""
        state = stop.state
        if self.known:
            return
        cells = state.cells.reshape(-1, STRIDE)
        vantage = _around(_hidden(state), *self.view)
        targets = (vantage & ((cells == EMPTY) | (cells == DIRT) | (cells == DIAMOND))).ravel()
        targets[int(state.info[PLACE])] = False
        if targets.any():
            self._aim(state, targets)
            yield from self._search(stop, GO, 6, "look", effort)
            dens = _beside_monsters(state)
            for leg in stop.legs or ():  # who does not know the mine leaves things as they are
                leg.harm = _disturbed(state.cells, leg.state.cells, dens)
                leg.score += leg.harm
            if self.best.before is stop:
                self.best = max(stop.legs or (), key=Stop.worth)
            if self.boldest.before is stop:
                self.boldest = max(stop.legs or (), key=Stop.boldness)

    def roam(self) -> Stop | None:
        """A leg from the root to some dirt in reach: digging lets stones fall, and monsters and amoeba out."""
        state = self.root.state
        prospects(self.rules, state, self.seen, self.queue, self.told)
        dirt = np.flatnonzero((state.cells == DIRT) & (self.seen[: len(state.cells)] == 1)).tolist()
        for cell in self.random.sample(dirt, min(4, len(dirt))):
            way = self._go(state, cell)
            if way is not None and survives(self.rules, way[1], self.pool, 8):
                return Stop(self.root, way[0], way[1], "roam", 0.0, True)
        return None

    # ---------------------------------------------------------------- dropping stones

    def _hunt(self, stop: Stop, effort: int) -> Iterator[None]:
        """Legs at whose end a stone has been dropped on a monster or through a magic wall."""
        state = stop.state
        cells = state.cells
        assert stop.legs is not None
        self.tried += 20  # it takes as long as that
        before = len(stop.legs)
        missing = int(state.info[GOT]) < int(state.info[NEED])
        if missing and state.info[MAGIC_LEFT] and bool((cells == MAGIC).any()):
            above = np.flatnonzero(cells == MAGIC) - STRIDE
            open_below = {cell for cell in above.tolist() if cells[cell + 2 * STRIDE] == EMPTY}
            yield from self._drop_any(stop, open_below, MAKE, effort)
        if len(stop.legs) == before:
            yield from self._drop_any(stop, self._track(state), KILL, effort)

    def _drop_any(self, stop: Stop, track: set[int], kind: int, effort: int) -> Iterator[None]:
        assert stop.legs is not None
        before = len(stop.legs)
        for stone, depth in self._drops(stop.state, track)[: (8, 16, 40)[effort]]:
            yield from self._drop(stop, stone, depth, kind)
            if len(stop.legs) >= before + 2:
                return

    def _prey(self, state: State) -> Any:
        """Where the monsters are that are worth killing."""
        if int(state.info[GOT]) < int(state.info[NEED]) and bool((state.cells == BLUE).any()):
            return state.cells == BLUE
        return (state.cells >= MONSTER) & (state.cells <= LAST_MONSTER)

    def _track(self, state: State) -> set[int]:
        """The cells where monsters will be for a while, if the miner keeps still."""
        trial = copied(state)
        found: set[int] = set()
        for _ in range(40):
            found.update(np.flatnonzero(self._prey(trial)).tolist())
            if tick(self.rules, trial, 0) != RUNNING:
                break
        return found

    def _drops(self, state: State, track: set[int]) -> list[tuple[int, int]]:
        """Stones on dirt above a track, with nothing but dirt and air between, nearest first: (stone, track
        cell).
        """
        cells = state.cells
        place = int(state.info[PLACE])
        found = []
        for stone in np.flatnonzero(cells == STONE).tolist():
            if cells[stone + STRIDE] != DIRT:
                continue
            below = stone + STRIDE
            for _ in range(12):
                if below in track:
                    far = abs((stone & 63) - (place & 63)) + abs((stone >> SHIFT) - (place >> SHIFT))
                    found.append((far + 3 * ((below - stone) >> SHIFT), stone, below))
                    break
                if cells[below] != DIRT and cells[below] != EMPTY:
                    break
                below += STRIDE
        return [(stone, below) for _, stone, below in sorted(found)]

    def _drop(self, stop: Stop, stone: int, depth: int, kind: int) -> Iterator[None]:
        """Dig the shaft, then dig away the support when that kills."""
        state = stop.state
        support = stone + STRIDE
        starts: list[tuple[tuple[int, ...], State]] = [((), state)]
        if any(state.cells[cell] == DIRT for cell in range(support + STRIDE, depth, STRIDE)):
            starts = self._dig_shaft(state, support, depth)
            yield
        for before, opened in starts:
            row = self._shoot(opened, support, kind)
            yield
            if row is not None and self._add(stop, before + row, "kill" if kind == KILL else "make"):
                break

    def _shoot(self, state: State, support: int, kind: int) -> tuple[int, ...] | None:
        """Go beside the support and dig it away so that the stone does its work: the actions, blast
        included.
        """
        targets = np.zeros(len(self.targets), bool)
        for side in (-1, 1):
            if state.cells[support + side] in (EMPTY, DIRT, DIAMOND, MINER):
                targets[support + side] = True
        self._aim(state, targets)
        place = int(state.info[PLACE])
        if self.guide[place] >= FAR:
            return None
        longest = int(self.guide[place]) + 60
        for row in self._rows(state, kind, 6, 15_000, 100, longest, support, LURKING):
            end = copied(state)
            prey = int(self._prey(state).sum())
            play_all(self.rules, end, np.array(row, np.int8))
            if kind == KILL and int(self._prey(end).sum()) >= prey:
                continue
            for wait in (self.rules.blast + 1, 0):
                trial = copied(end)
                play_all(self.rules, trial, np.zeros(wait, np.int8))
                if int(trial.info[STATUS]) == RUNNING and survives(self.rules, trial, self.pool, 8):
                    return (*row, *(0,) * wait)
        return None

    def _go(self, state: State, cell: int) -> tuple[tuple[int, ...], State] | None:
        """The way to a cell, and how the mine is on arrival."""
        if state.cells[cell] not in (EMPTY, DIRT, DIAMOND, MINER):
            return None
        if int(state.info[PLACE]) == cell:
            return (), state
        targets = np.zeros(len(self.targets), bool)
        targets[cell] = True
        self._aim(state, targets)
        if self.guide[int(state.info[PLACE])] >= FAR:
            return None
        for row in self._rows(state, GO, 1, 6_000, 120, 400, -1, NEAR):
            end = copied(state)
            play_all(self.rules, end, np.array(row, np.int8))
            return row, end
        return None

    def _dig_shaft(self, state: State, support: int, depth: int) -> list[tuple[tuple[int, ...], State]]:
        """Ways to dig the cells between the support and the track, the last of them from above or from the
        side.
        """
        last = depth - STRIDE
        found: list[tuple[tuple[int, ...], State]] = []
        stands = [(last - STRIDE, 8)] if last - STRIDE > support else [(last - 1, 5), (last + 1, 7)]
        for stand, dig in stands:
            top = support + STRIDE
            row: tuple[int, ...] = ()
            here = state
            if stand != top and dig == 8:
                way = self._go(here, top)
                if way is None:
                    continue
                row, here = way
            way = self._go(here, stand)
            if way is None:
                continue
            row, here = row + way[0], way[1]
            trial = copied(here)
            for wait in range(8):
                opened = copied(trial)
                if tick(self.rules, opened, dig) == RUNNING and survives(self.rules, opened, self.pool, 6):
                    found.append(((*row, *(0,) * wait, dig), opened))
                    if len(found) >= 4:
                        return found
                if tick(self.rules, trial, 0) != RUNNING:
                    break
        return found


def _hidden(state: State) -> Any:
    """The unknown cells beside known ones within the border (in which an exit may lie)."""
    cells = state.cells.reshape(-1, STRIDE)
    known = (cells != UNKNOWN) & (cells != BORDER) & (cells != EXIT)
    beside = np.zeros_like(known)
    beside[1:] |= known[:-1]
    beside[:-1] |= known[1:]
    beside[:, 1:] |= known[:, :-1]
    beside[:, :-1] |= known[:, 1:]
    return beside & (cells == UNKNOWN)


def _beside_monsters(state: State) -> list[int]:
    """The dirt that keeps monsters shut in, unless the miner is where they can come."""
    cells = state.cells
    rest = np.flatnonzero((cells >= MONSTER) & (cells <= LAST_MONSTER)).tolist()
    zone, walls = set(rest), set()
    while rest:
        cell = rest.pop()
        for way in WAYS:
            other = cell + way
            code = cells[other]
            if code == MINER:
                return []
            if code == DIRT:
                walls.add(other)
            elif code == EMPTY and other not in zone:
                zone.add(other)
                rest.append(other)
    return sorted(walls)


def _disturbed(before: Any, after: Any, dens: list[int]) -> int:
    """A penalty for stones that were moved, and more for those that lost the dirt they lay on and for dens of
    monsters that were opened.
    """
    stones = np.flatnonzero(before == STONE)
    undermined = (before[stones + STRIDE] == DIRT) & (after[stones + STRIDE] != DIRT)
    opened = bool((after[dens] != DIRT).any())
    moved = int((after[stones] != STONE).sum())
    return MOVED_STONE * moved + UNDERMINED * (int(undermined.sum()) + opened)


def _around(marks: Any, wide: int, high: int) -> Any:
    """The cells that have a mark within a window of these half-sizes around them."""
    rows, columns = marks.shape
    sums = np.zeros((rows + 1, columns + 1), np.int64)
    sums[1:, 1:] = marks.cumsum(0).cumsum(1)
    top, bottom = np.maximum(np.arange(rows) - high, 0), np.minimum(np.arange(rows) + high + 1, rows)
    left, right = np.maximum(np.arange(columns) - wide, 0), np.minimum(np.arange(columns) + wide + 1, columns)
    return (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    ) > 0
