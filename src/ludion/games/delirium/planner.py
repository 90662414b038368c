"""`best`: a miner who plans.

He keeps a *belief*: the mine as far as he has seen it, moved on by the exact rules in every tick and
corrected by what he sees. On it he searches over time (`search.reach`) for the way to a next diamond, from
there to a next one, and so on to the exit, and carries out what he found. How it is put together:

- a plan is a row of *legs*, each ending at a diamond, the exit, or a place to look from. The first plan takes
  the cheapest leg each time; while time is left, plans that share its beginning and then choose otherwise are
  tried, and the best is kept (more diamonds, then sooner). Legs that have begun are not changed;
- a leg is taken only if he can live on at its end, and if the exit and enough diamonds (or monsters and magic
  walls that make some) can still be reached as far as can be told: stones in the way are given the benefit of
  the doubt;
- with too few diamonds in the mine, blue monsters are killed on purpose: a shaft is dug under a stone, and
  its support is dug away in the tick that the model says hits;
- what he has not seen is closed to plans; with no diamond in reach he goes where he sees more;
- when the mine surprises him, what is left of the plan is tried out on the corrected belief, and dropped if
  it fails.

A decision may take `budget` seconds on average. Time that was not used is saved; the first decision may
borrow `ahead` seconds."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.games.delirium.maps import MOST_ROWS
from ludion.games.delirium.physics import (
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIRT,
    EMPTY,
    ENLARGE,
    EXIT,
    GOT,
    HEIGHT,
    LAST_MONSTER,
    LIMIT,
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
    WIDTH,
    WON,
    Rules,
    State,
    copied,
    empty_state,
    play_all,
    settle,
    tick,
)
from ludion.games.delirium.search import (
    FAR,
    FOUND_MOST,
    GATHER,
    GO,
    KILL,
    LEAVE,
    MAKE,
    UNKNOWN,
    Pool,
    distances,
    pool_for,
    prospects,
    reach,
    survives,
    way_back,
)
from ludion.games.delirium.world import WHOLE, Game, Percept, World, look

CLOCK = time.perf_counter  # a benchmark on a busy machine may count its own time only
SHORT, LONG = 3_000, 40_000  # nodes of a search for a leg: at first, and when nothing was found


@dataclass(frozen=True)
class Leg:
    """A part of a plan: what to do, why, and how the mine will be then."""

    actions: tuple[int, ...]
    end: State
    goal: str
    cost: float


@dataclass(frozen=True)
class Thought:
    """Why an action was chosen."""

    layer: str
    action: int
    plan: tuple[int, ...]
    diamonds: int  # that the plan will have gathered
    complete: bool  # whether it ends at the exit
    surprises: int
    seconds: float

    def __str__(self) -> str:
        end = "and leaves" if self.complete else "so far"
        return f"{self.layer}; {len(self.plan)} steps planned, {self.diamonds} diamonds {end}"


class Planner:
    """The agent."""

    def __init__(self, game: Game, budget: float, ahead: float, seed: int) -> None:
        self.game, self.budget, self.ahead = game, budget, ahead
        self.rules: Rules = game.rules
        self.random = random.Random(seed)
        self.belief: State | None = None
        self.pool: Pool | None = None
        self.legs: list[Leg] = []
        self.done = 0  # actions of the first leg that are carried out
        self.last: int | None = None
        self.saved = ahead
        self.surprises = 0
        self.nodes = 0
        self.stale = 0  # ticks without a leg
        self.tries = 0  # plans tried since the last leg began
        self.thought = Thought("nothing", 0, (), 0, False, 0, 0.0)
        self.visits: dict[int, int] = {}
        self.whole = False  # whether all of the mine has been seen
        self.turn = 0  # which drop to try first
        self.keep_exit = self.keep_enough = False  # what a leg must not lose
        self.careful = True  # whether legs must keep the exit and enough diamonds open, if possible
        self.bold = False  # whether a leg may close the way to the exit when nothing else is left
        self.dead_end: State | None = None  # an end of the plan from which no leg was found

    # ---------------------------------------------------------------- belief

    def _make_room(self, rows: int) -> None:
        """A belief of nothing known."""
        belief = empty_state(STRIDE - 1, rows)
        belief.cells[:] = UNKNOWN
        belief.info[NEED], belief.info[LIMIT] = self.game.need, self.game.limit
        belief.info[PLACE] = -1
        self.belief = belief

    def _perceive(self, percept: Percept) -> bool:
        """Bring the belief up to date; whether it was wrong."""
        place = percept.y << SHIFT | percept.x
        left, top = percept.x - percept.position % percept.row, percept.y - percept.position // percept.row
        height = len(percept.cells) // percept.row
        view = np.array(percept.cells, np.int8).reshape(height, percept.row)
        more = np.array(percept.properties, np.int8).reshape(height, percept.row)
        first = self.belief is None
        if self.belief is None:
            whole = view[0, 0] == BORDER and view[-1, -1] == BORDER and top == 0 and left == 0
            self._make_room(height if whole else MOST_ROWS // 2)
        assert self.belief is not None
        if self.last is not None and self.last != ENLARGE:
            tick(self.rules, self.belief, self.last)
            self.belief.info[STATUS] = RUNNING
        belief = self.belief
        if top + height > belief.info[HEIGHT]:
            belief = self.belief = _taller(belief, MOST_ROWS)
            self.pool = None
        cells = belief.cells.reshape(-1, STRIDE)[top : top + height, left : left + percept.row]
        aux = belief.aux.reshape(-1, STRIDE)[top : top + height, left : left + percept.row]
        closed = (cells == BLAST) & (view == EMPTY)
        wrong = (cells != view) & ~closed
        news = wrong & (cells != UNKNOWN)
        surprise = bool(news.any()) or place != belief.info[PLACE] or bool((wrong & (cells == UNKNOWN)).any())
        headings = (aux != more) & ~closed & (view >= DIAMOND)
        if surprise or bool(headings.any()):
            keep = closed
            cells[~keep] = view[~keep]
            aux[~keep] = more[~keep]
            old = int(belief.info[PLACE])
            if old >= 0 and old != place and belief.cells[old] == MINER:
                belief.cells[old] = EMPTY
            belief.info[PLACE] = place
            settle(belief)
            belief.masks[0, :] |= (1 << (STRIDE - 1)) - 1  # look at everything once
        if percept.can_exit and belief.info[GOT] < belief.info[NEED]:
            belief.info[GOT] = belief.info[NEED]
        elif not percept.can_exit and belief.info[GOT] >= belief.info[NEED]:
            belief.info[GOT] = belief.info[NEED] - 1
        if self.pool is None:
            self.pool = pool_for(int(belief.info[HEIGHT]))
            size = int(belief.info[HEIGHT]) << SHIFT
            self.guide = np.zeros(size, np.int32)
            self.queue = np.zeros(4 * size, np.int64)
            self.seen = np.zeros(size, np.int8)
            self.targets = np.zeros(size, np.int8)
            self.told = np.zeros(8, np.int64)
            self.row = np.zeros(20_000, np.int8)
        if news.any() and not first:
            self.surprises += 1
        return surprise and not first

    # ---------------------------------------------------------------- decisions

    def decide(self, percept: Percept) -> int:
        begin = CLOCK()
        surprised = self._perceive(percept)
        assert self.belief is not None
        if surprised and self.legs and self.legs[0].goal == "look":
            self.legs, self.done = [], 0  # something new was seen: think again
        elif surprised:
            self._check_plan()
        allowed = self.budget + max(0.0, self.saved) * (1.0 if self.last is None else 0.25)
        self._think(begin + allowed)
        action, layer = self._next()
        spent = CLOCK() - begin
        self.saved += self.budget - spent
        self.saved = min(self.saved, max(self.ahead, 20 * self.budget))
        planned = [step for leg in self.legs for step in leg.actions][self.done :]
        end = self.legs[-1].end if self.legs else self.belief
        self.thought = Thought(
            layer, action, tuple(planned), int(end.info[GOT]), self._complete(), self.surprises, spent
        )
        self.last = action
        return action

    def _next(self) -> tuple[int, str]:
        """The next action of the plan; without one, whatever is safe."""
        while self.legs and self.done >= len(self.legs[0].actions):
            leg = self.legs.pop(0)
            self.done = 0
            self.tries = 0
            if leg.goal == "look":
                cell = int(leg.end.info[PLACE])
                self.visits[cell] = self.visits.get(cell, 0) + 1
        if self.legs:
            action = self.legs[0].actions[self.done]
            self.done += 1
            self.stale = 0
            return action, self.legs[0].goal
        self.stale += 1
        self.bold = self.stale > 3
        return self._safe_step(), "wait"

    def _safe_step(self) -> int:
        """Stay if that is survivable, else the step that is."""
        assert self.belief is not None
        best, chosen = -1, 0
        for action in (0, 1, 2, 3, 4):
            trial = copied(self.belief)
            status = tick(self.rules, trial, action)
            if status == WON:
                return action
            worth = 0 if status != RUNNING else 2 if survives(self.rules, trial, self._memory(), 10) else 1
            if worth > best:
                best, chosen = worth, action
            if best == 2:
                break
        return chosen

    def _check_plan(self) -> None:
        """Try out what is left of the plan on the corrected belief; keep the legs that still work."""
        assert self.belief is not None
        state = copied(self.belief)
        kept: list[Leg] = []
        for number, leg in enumerate(self.legs):
            actions = np.array(leg.actions[self.done if number == 0 else 0 :], np.int8)
            before = int(state.info[GOT])
            if number == 0 and not len(actions):
                kept.append(leg)
                continue
            played = play_all(self.rules, state, actions)
            status = int(state.info[STATUS])
            fine = status == WON or (
                status == RUNNING
                and played == len(actions)
                and (leg.goal != "diamond" or state.info[GOT] > before)
            )
            if fine and leg.goal != "diamond" and leg.goal != "exit":
                fine = int(state.info[PLACE]) == int(leg.end.info[PLACE])
            if not fine:
                break
            kept.append(Leg(leg.actions, copied(state), leg.goal, leg.cost))
        if len(kept) < len(self.legs):
            if not kept:
                self.done = 0
            self.legs = kept

    def _complete(self) -> bool:
        return bool(self.legs) and int(self.legs[-1].end.info[STATUS]) == WON

    # ---------------------------------------------------------------- thinking

    def _think(self, deadline: float, most: int = 1 << 60) -> None:
        """Extend and improve the plan until it is complete, or time or the nodes are up."""
        if self._complete():
            return
        assert self.belief is not None
        while CLOCK() < deadline and self.nodes < most:
            if self.legs and self.legs[-1].goal == "look":
                break
            fixed = 1 if self.legs and self.done else 0
            if not self.legs:
                self._grow([], deadline)
                if not self.legs:
                    break
            elif self._open_ended():
                grown = self._grow(self.legs, deadline)
                if not grown:
                    break
            else:
                # The plan leads nowhere further: keep a beginning of it and go on otherwise.
                if self.tries > 60 + 4 * len(self.legs):
                    break
                self.tries += 1
                keep = self.random.randint(fixed, max(fixed, len(self.legs) - 1))
                if len(self.legs) - fixed > 3 and self.random.random() < 0.5:
                    keep = max(fixed, len(self.legs) - 1 - self.random.randint(0, 3))
                trial = self._attempt(self.legs[:keep], deadline)
                if self._worth(trial) > self._worth(self.legs):
                    self.legs = trial
                    self.dead_end = trial[-1].end if trial and not self._complete() else None
            if self._complete():
                break

    def _worth(self, legs: list[Leg]) -> tuple[bool, int, int, int]:
        """What a plan is worth: leaving, then diamonds, then those still in reach, then speed."""
        if not legs:
            return False, -1, 0, 0
        end = legs[-1].end
        won = int(end.info[STATUS]) == WON
        got = min(int(end.info[GOT]), int(end.info[NEED]))
        return won, got, 0, -int(end.info[TICK])

    def _open_ended(self) -> bool:
        return bool(self.legs) and self.legs[-1].end is not self.dead_end

    def _grow(self, legs: list[Leg], deadline: float) -> bool:
        """Add the best next leg to the plan, if there is any."""
        assert self.belief is not None
        state = legs[-1].end if legs else self.belief
        choices = self._choices(state, deadline)
        if not choices:
            if legs:
                self.dead_end = state
            return False
        legs.append(choices[0])
        if legs is not self.legs:
            self.legs = legs
        return True

    def _attempt(self, start: list[Leg], deadline: float) -> list[Leg]:
        """Another plan with this beginning: legs chosen with some chance."""
        assert self.belief is not None
        legs = list(start)
        self.careful = self.random.random() < 0.6
        while CLOCK() < deadline:
            state = legs[-1].end if legs else self.belief
            choices = self._choices(state, deadline)
            if not choices:
                break
            index = 0
            while index + 1 < len(choices) and self.random.random() < (
                0.6 if len(legs) == len(start) else 0.2
            ):
                index += 1
            legs.append(choices[index])
            if int(legs[-1].end.info[STATUS]) == WON:
                break
        self.careful = True
        return legs

    # ---------------------------------------------------------------- legs

    def _choices(self, state: State, deadline: float) -> list[Leg]:
        """The legs that can follow, best first: if possible those that keep the exit and enough diamonds
        open.
        """
        self.keep_exit, self.keep_enough = self._outlook(state) if self.careful else (False, False)
        legs = self._some(state, deadline)
        if not legs and (self.keep_exit or self.keep_enough):
            if self.keep_enough:
                self.keep_enough = False
                legs = self._some(state, deadline)
            if not legs and self.bold and self.keep_exit:
                self.keep_exit = False
                legs = self._some(state, deadline)
        return legs

    def _some(self, state: State, deadline: float) -> list[Leg]:
        """The legs that can follow and keep what is to be kept."""
        info = state.info
        if int(info[GOT]) >= int(info[NEED]):
            self._aim(state, EXIT)
            legs = self._legs(state, LEAVE, 1, "exit", deadline)
            return legs or self._explore(state, deadline) or self._hunt(state, deadline)
        self._aim(state, DIAMOND)
        legs = self._legs(state, GATHER, 8, "diamond", deadline)
        if legs:
            return legs
        legs = self._explore(state, deadline)
        if legs:
            return legs
        return self._hunt(state, deadline) or self._wait(state)

    def _wait(self, state: State) -> list[Leg]:
        """A leg of waiting, if that makes diamonds."""
        trial = copied(state)
        lying = int((state.cells == DIAMOND).sum())
        for ticks in (8, 20, 40, 60):
            play_all(self.rules, trial, np.zeros(ticks - int(trial.info[TICK] - state.info[TICK]), np.int8))
            if int(trial.info[STATUS]) != RUNNING:
                break
            if int((trial.cells == DIAMOND).sum()) > lying:
                leg = self._leg(state, (0,) * ticks, "wait")
                return [leg] if leg is not None else []
        return []

    def _aim(self, state: State, code: int) -> None:
        self.targets[:] = state.cells[: len(self.targets)] == code
        distances(state, self.guide, self.queue, self.targets, 4, False)

    def _legs(self, state: State, kind: int, wanted: int, goal: str, deadline: float) -> list[Leg]:
        """The legs to goals of this kind, best first, without those that lead to death or a dead end."""
        assert self.pool is not None
        if self.guide[int(state.info[PLACE])] >= FAR:
            return []
        for nodes, weight in ((SHORT, 150), (LONG // 2, 230), (LONG, 120)):
            most = wanted if nodes == SHORT or kind != GATHER else FOUND_MOST
            found = reach(self.rules, state, self.pool, self.guide, kind, most, nodes, weight, 400, -1)
            self.nodes += int(self.pool.counts[2])
            rows = []
            for number in range(found):
                count = way_back(self.pool, int(self.pool.goals[number]), self.row)
                rows.append(tuple(int(action) for action in self.row[:count]))
            legs = [leg for row in rows if (leg := self._leg(state, row, goal)) is not None]
            if legs:
                return sorted(legs, key=lambda leg: leg.cost)
            if CLOCK() > deadline:
                break
        return []

    def _leg(self, state: State, row: tuple[int, ...], goal: str) -> Leg | None:
        """The leg that these actions make, or None if it ends in death or a dead end."""
        assert self.pool is not None
        end = copied(state)
        play_all(self.rules, end, np.array(row, np.int8))
        if int(end.info[STATUS]) == WON:
            return Leg(row, end, "exit", len(row))
        if int(end.info[STATUS]) != RUNNING or not survives(self.rules, end, self.pool, 8):
            return None
        alive = bool(((end.cells >= MONSTER) & (end.cells <= LAST_MONSTER)).any())
        prospects(self.rules, end, self.seen, self.queue, False, alive, self.told)
        near, exits, makers, stones, hidden, amoebas, blasts = (int(each) for each in self.told[:7])
        unknown = self._unseen(end)
        missing = int(end.info[NEED]) - int(end.info[GOT])
        if not unknown:
            if not exits:
                return None
            magic = bool((end.cells == MAGIC).any())
            hope = near + 9 * makers + amoebas + blasts + (stones if magic else 0)
            if hope < missing:
                return None
        way_out, enough = self._outlook(end)
        if (self.keep_exit and not way_out) or (self.keep_enough and not enough):
            return None
        lost = hidden + near - int(self.told[0])
        return Leg(row, end, goal, len(row) + 2.0 * lost + (0 if way_out or unknown else 30))

    def _outlook(self, state: State) -> tuple[bool, bool]:
        """Whether the exit, and enough diamonds, can be reached with no stone in the way but such as can be
        pushed.
        """
        prospects(self.rules, state, self.seen, self.queue, True, False, self.told)
        return bool(self.told[1]), int(self.told[0]) >= int(state.info[NEED]) - int(state.info[GOT])

    def _edge(self, state: State) -> Any:
        """The known cells beside unknown ones."""
        cells = state.cells.reshape(-1, STRIDE)
        hidden = cells == UNKNOWN
        edge = np.zeros_like(hidden)
        edge[1:] |= hidden[:-1]
        edge[:-1] |= hidden[1:]
        edge[:, 1:] |= hidden[:, :-1]
        edge[:, :-1] |= hidden[:, 1:]
        return edge & ~hidden

    def _unseen(self, state: State) -> bool:
        """Whether any of the mine, within its border, has not been seen."""
        if not self.whole:
            edge = self._edge(state)
            self.whole = not bool((edge & (state.cells.reshape(-1, STRIDE) != BORDER)).any())
        return not self.whole

    def _explore(self, state: State, deadline: float) -> list[Leg]:
        """Legs to places from which more can be seen."""
        if not self._unseen(state):
            return []
        cells = state.cells.reshape(-1, STRIDE)
        walkable = (cells == EMPTY) | (cells == DIRT) | (cells == DIAMOND)
        edge = self._edge(state)
        self.targets[:] = (edge & walkable).ravel()[: len(self.targets)]
        place = int(state.info[PLACE])
        self.targets[place] = 0
        for cell, times in self.visits.items():
            if times > 3:
                self.targets[cell] = 0
        if not self.targets.any():
            return []
        distances(state, self.guide, self.queue, self.targets, 4, False)
        return self._legs(state, GO, 1, "look", deadline)

    # ---------------------------------------------------------------- dropping stones on monsters

    def _hunt(self, state: State, deadline: float) -> list[Leg]:
        """Legs at whose end a stone has been dropped on a monster or through a magic wall, best first."""
        legs: list[Leg] = []
        cells = state.cells
        missing = int(state.info[GOT]) < int(state.info[NEED])
        if missing and state.info[MAGIC_LEFT] and bool((cells == MAGIC).any()):
            above = np.flatnonzero(cells == MAGIC) - STRIDE
            open_below = [cell for cell in above.tolist() if cells[cell + 2 * STRIDE] == EMPTY]
            legs += self._drop_any(state, set(open_below), MAKE, deadline)
        if not legs:
            legs += self._drop_any(state, self._track(state), KILL, deadline)
        return sorted(legs, key=lambda leg: leg.cost)

    def _drop_any(self, state: State, track: set[int], kind: int, deadline: float) -> list[Leg]:
        legs: list[Leg] = []
        drops = self._drops(state, track)[:24]
        for index in range(len(drops)):
            stone, depth = drops[(index + self.turn) % len(drops)]
            legs += self._drop(state, stone, depth, kind, deadline)
            if legs:
                break
            if CLOCK() > deadline:
                self.turn += index + 1  # go on from there next time
                break
        return legs

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

    def _drop(self, state: State, stone: int, depth: int, kind: int, deadline: float) -> list[Leg]:
        """Dig the shaft, then dig away the support when that kills."""
        support = stone + STRIDE
        starts: list[tuple[tuple[int, ...], State]] = [((), state)]
        if any(state.cells[cell] == DIRT for cell in range(support + STRIDE, depth, STRIDE)):
            starts = self._dig_shaft(state, support, depth, deadline)
        legs: list[Leg] = []
        for before, opened in starts:
            row = self._shoot(opened, support, kind)
            if row is not None:
                leg = self._leg(state, before + row, "kill" if kind == KILL else "make")
                if leg is not None:
                    legs.append(leg)
                    break
            if CLOCK() > deadline:
                break
        return legs

    def _shoot(self, state: State, support: int, kind: int) -> tuple[int, ...] | None:
        """Go beside the support and dig it away so that the stone does its work: the actions, blast
        included.
        """
        self.targets[:] = 0
        for side in (-1, 1):
            if state.cells[support + side] in (EMPTY, DIRT, DIAMOND, MINER):
                self.targets[support + side] = 1
        distances(state, self.guide, self.queue, self.targets, 4, False)
        place = int(state.info[PLACE])
        if self.guide[place] >= FAR:
            return None
        longest = int(self.guide[place]) + 60
        pool = self._memory()
        found = reach(self.rules, state, pool, self.guide, kind, 6, 5 * SHORT, 100, longest, support)
        self.nodes += int(pool.counts[2])
        rows = []
        for number in range(found):
            count = way_back(pool, int(pool.goals[number]), self.row)
            rows.append(tuple(int(action) for action in self.row[:count]))
        for row in rows:
            end = copied(state)
            prey = int(self._prey(state).sum())
            play_all(self.rules, end, np.array(row, np.int8))
            if kind == KILL and int(self._prey(end).sum()) >= prey:
                continue
            for wait in (self.rules.blast + 1, 0):
                trial = copied(end)
                play_all(self.rules, trial, np.zeros(wait, np.int8))
                if int(trial.info[STATUS]) == RUNNING and survives(self.rules, trial, pool, 8):
                    return (*row, *(0,) * wait)
        return None

    def _go(self, state: State, cell: int) -> tuple[tuple[int, ...], State] | None:
        """The way to a cell, and how the mine is on arrival."""
        if state.cells[cell] not in (EMPTY, DIRT, DIAMOND, MINER):
            return None
        if int(state.info[PLACE]) == cell:
            return (), state
        self.targets[:] = 0
        self.targets[cell] = 1
        distances(state, self.guide, self.queue, self.targets, 4, False)
        if self.guide[int(state.info[PLACE])] >= FAR:
            return None
        pool = self._memory()
        found = reach(self.rules, state, pool, self.guide, GO, 1, 2 * SHORT, 120, 400, -1)
        self.nodes += int(pool.counts[2])
        if not found:
            return None
        count = way_back(pool, int(pool.goals[0]), self.row)
        row = tuple(int(action) for action in self.row[:count])
        end = copied(state)
        play_all(self.rules, end, np.array(row, np.int8))
        return row, end

    def _dig_shaft(
        self, state: State, support: int, depth: int, deadline: float
    ) -> list[tuple[tuple[int, ...], State]]:
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
                if tick(self.rules, opened, dig) == RUNNING and survives(
                    self.rules, opened, self._memory(), 6
                ):
                    found.append(((*row, *(0,) * wait, dig), opened))
                    if len(found) >= 4:
                        return found
                if tick(self.rules, trial, 0) != RUNNING or CLOCK() > deadline:
                    break
        return found

    def _memory(self) -> Pool:
        assert self.pool is not None
        return self.pool


def _taller(belief: State, rows: int) -> State:
    """The belief with room for more rows."""
    grown = empty_state(int(belief.info[WIDTH]), rows)
    grown.cells[:] = UNKNOWN
    grown.cells[: len(belief.cells)] = belief.cells
    grown.aux[: len(belief.aux)] = belief.aux
    grown.info[:] = belief.info
    grown.info[HEIGHT] = rows
    settle(grown)
    return grown


def make(game: Game, budget: float = 0.2, ahead: float = 10.0, seed: int = 0) -> Planner:
    """The planner: `budget` seconds a decision on average, of which `ahead` seconds may be borrowed at
    first.
    """
    return Planner(game, budget, ahead, seed)


def solution(world: World, nodes: int, tries: int = 40) -> tuple[int, ...] | None:
    """A row of actions that wins, found with so many nodes at most, or None; the same one each time."""
    planner = Planner(world.game, 0.0, 0.0, 0)
    whole = world.copy()
    whole.view_x = whole.view_y = WHOLE
    planner._perceive(look(whole))
    for _ in range(tries):
        planner._think(float("inf"), nodes)
        if planner._complete():
            return tuple(action for leg in planner.legs for action in leg.actions)
        if planner.nodes >= nodes or not planner.legs:
            break
    return None
