"""`best`: a miner who plans.

He keeps a *belief*: the mine as far as he has seen it, moved on by the exact rules in every tick and
corrected by what he sees. From it he looks for a plan that leads out (`plans.Plans`), and carries it out:

- *the road* is what he has settled on: the legs he will go next. He thinks from its end on, so thinking goes on
  while he walks; when a plan leads from there to the exit, it becomes part of the road;
- with all of the mine in view and no plan yet, he waits and thinks (if waiting is safe and for `patience` ticks at
  most), then takes the first leg of the best plan there is;
- what he has not seen is closed to plans; with no diamond in reach he goes where he sees more, and thinks anew with
  everything new he sees;
- who leaves the view tells of what lies beyond: a monster that should be in view and is not has gone where nothing
  was known. Before he drops a stone on one that he cannot see all the time, he watches until it comes as expected;
- when no plan leads anywhere he moves stones and digs about to see what that brings; at last he says that he is
  stuck, waits, and thinks again more and more seldom;
- when the mine surprises him, the road is tried out on the corrected belief, and given up where it fails.

Effort is counted in nodes of search, at a pace that an ordinary machine keeps easily: `budget` seconds of it
a decision, of which a few may be saved up. So the same mine is played in the same way each time, however busy
the machine is; only a decision that takes more than five times the budget by the clock is broken off."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.games.delirium.maps import MOST_ROWS
from ludion.games.delirium.physics import (
    BLAST,
    BORDER,
    DELIRIUM,
    DIAMOND,
    EMPTY,
    ENLARGE,
    EXIT,
    GOT,
    HEIGHT,
    KILLS,
    LAST_MONSTER,
    LATE,
    LIMIT,
    MADE,
    MINER,
    MONSTER,
    NEED,
    PLACE,
    RUNNING,
    SHIFT,
    STATUS,
    STRIDE,
    WAYS,
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
from ludion.games.delirium.plans import Plans, Stop
from ludion.games.delirium.search import UNKNOWN, survives
from ludion.games.delirium.world import WHOLE, Game, Percept, World, look

CLOCK = time.perf_counter  # a benchmark on a busy machine may count its own time only
PACE = 250_000  # nodes that count as a second's thinking
SAVED = 2  # budgets that can be saved up for one decision
LONGEST = 5  # budgets that a decision may take by the clock
WAITS = (20, 80)  # ticks of waiting and thinking, one after the other
# Decisions without a plan: before he is stuck, before he cares less, before he is stuck again.
HOPE = (100, 70, 10)
BUDGED, LONGEST_REST = 60, 64  # times to try anything for want of a plan; ticks to wait at a time
ASTRAY = 8  # cells that a monster out of view may be from where it is believed
WATCHED, WATCHES = 24, 100  # ticks without a surprise before a shot; ticks of watching in all


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

    def __init__(self, game: Game, budget: float, patience: int, seed: int) -> None:
        self.game, self.budget, self.seed = game, budget, seed
        self.rules: Rules = game.rules
        self.belief: State | None = None
        self.plans: Plans | None = None
        self.work: Iterator[None] | None = None  # thinking under way, from the end of the road on
        self.over = False  # whether nothing is left to think about there
        self.hopeless: Any = None  # a mine in which all thinking led nowhere
        self.hope = HOPE[0]  # decisions that thinking may yet go on without a plan
        self.rest = 1  # ticks to wait when stuck
        self.calm = 0  # ticks for which monsters have been where they were expected
        self.watches = WATCHES
        self.budged = 0  # times that he moved stones or dug about for want of a plan
        self.window = 0, 0, 0, 0  # the part of the mine in view: left, top, width, height
        self.guessed: set[int] = set()  # cells that are known only by a monster's leaving the view
        self.road: list[Stop] = []
        self.done = 0  # actions of the road's first leg that are carried out
        self.last: int | None = None
        self.allowance = PACE * budget  # nodes a decision
        self.saved = SAVED * self.allowance
        self.surprises = 0
        self.patience = patience if game.limit < 0 else min(patience, game.limit // 6)
        self.waits = 0
        self.thought = Thought("nothing", 0, (), 0, False, 0, 0.0)

    @property
    def nodes(self) -> int:
        return self.plans.nodes if self.plans is not None else 0

    # ---------------------------------------------------------------- belief

    def _make_room(self, rows: int) -> State:
        """A belief of nothing known."""
        belief = empty_state(STRIDE - 1, rows)
        belief.cells[:] = UNKNOWN
        belief.info[NEED], belief.info[LIMIT] = self.game.need, self.game.limit
        belief.info[PLACE] = -1
        return belief

    def _perceive(self, percept: Percept) -> bool:
        """Bring the belief up to date; whether it was wrong or grew."""
        place = percept.y << SHIFT | percept.x
        left, top = percept.x - percept.position % percept.row, percept.y - percept.position // percept.row
        height = len(percept.cells) // percept.row
        view = np.array(percept.cells, np.int8).reshape(height, percept.row)
        more = np.array(percept.properties, np.int8).reshape(height, percept.row)
        first = self.belief is None
        if self.belief is None:
            whole = view[0, 0] == BORDER and view[-1, -1] == BORDER and top == 0 and left == 0
            self.belief = self._make_room(height if whole else MOST_ROWS // 2)
        elif self.last is not None and self.last != ENLARGE:
            before = self.belief.cells.copy(), self.belief.aux.copy()
            tick(self.rules, self.belief, self.last)
            self.belief.info[STATUS] = RUNNING
            self._follow(*before, view, left, top)
        self.window = left, top, percept.row, height
        belief = self.belief
        if top + height > belief.info[HEIGHT]:
            belief = self.belief = _taller(belief, MOST_ROWS)
            self.plans = self.work = None
            self.road, self.done = [], 0
        grid = belief.cells.reshape(-1, STRIDE)
        cells = grid[top : top + height, left : left + percept.row]
        aux = belief.aux.reshape(-1, STRIDE)[top : top + height, left : left + percept.row]
        if left + percept.row <= percept.x + percept.view_x:  # the view ends where the mine does
            grid[:, left + percept.row :] = BORDER
        if top + height <= percept.y + percept.view_y:
            grid[top + height :] = BORDER
        closed = (cells == BLAST) & (view == EMPTY)
        wrong = (cells != view) & ~closed
        surprise = bool(wrong.any()) or place != belief.info[PLACE]
        headings = (aux != more) & ~closed & (view >= DIAMOND)
        if not first and bool((wrong & (cells != UNKNOWN)).any()):
            self.surprises += 1
        if surprise or bool(headings.any()):
            cells[~closed] = view[~closed]
            aux[~closed] = more[~closed]
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
        if self.plans is None:
            self.plans = Plans(self.rules, int(belief.info[HEIGHT]), self.seed)
        self.plans.view = (percept.view_x, percept.view_y)
        return surprise and not first

    def _follow(self, before: Any, headings: Any, view: Any, left: int, top: int) -> None:
        """Find monsters again that should be in view and are not: they have gone to where nothing was known.
        (`before` and `headings`: cells and aux of the belief one tick ago.)
        """
        assert self.belief is not None
        cells, aux = self.belief.cells, self.belief.aux
        height, width = view.shape

        def seen(cell: int) -> int:
            """What is in view there, -1 out of view."""
            row, column = (cell >> SHIFT) - top, (cell & 63) - left
            return int(view[row, column]) if 0 <= row < height and 0 <= column < width else -1

        expected = np.flatnonzero((cells >= MONSTER) & (cells <= LAST_MONSTER)).tolist()
        missed = [cell for cell in expected if 0 <= seen(cell) != cells[cell]]
        rows, columns = np.nonzero((view >= MONSTER) & (view <= LAST_MONSTER))
        met = [
            (int(row) + top) << SHIFT | (int(column) + left)
            for row, column in zip(rows, columns, strict=True)
        ]
        strangers = [cell for cell in met if seen(cell) != cells[cell]]
        self.calm = 0 if missed or strangers else self.calm + 1
        for cell in missed:
            code = int(cells[cell])
            origin = cell - WAYS[int(aux[cell])]
            if before[origin] != code:
                origin = cell
            if seen(origin) >= 0 and not _within(self.window, origin):
                continue  # it was never there
            heading = int(headings[origin])
            around = [(origin + WAYS[(heading + turn) & 3], (heading + turn) & 3) for turn in (0, 1, 3, 2)]
            same = [other for other, _ in around if other in strangers and seen(other) == code]
            if same:
                strangers.remove(same[0])
                continue
            if seen(origin) < 0:  # on its way back: so it has gone farther
                back = (int(aux[cell]) + 2) & 3
                while cells[origin] == EMPTY and seen(origin) < 0:
                    origin += WAYS[back]
                around = [(origin, back)]
            for other, way in around:
                if seen(other) < 0 and (cells[other] == UNKNOWN or cells[other] == EMPTY):
                    if cells[other] == UNKNOWN:
                        self.guessed.add(other)
                    cells[other], aux[other] = code, way
                    break
        for cell in strangers:  # one of those believed to be near by, out of view
            code = seen(cell)
            hidden = [other for other in expected if seen(other) < 0 and cells[other] == code]
            far = [
                (abs((other & 63) - (cell & 63)) + abs((other >> SHIFT) - (cell >> SHIFT)), other)
                for other in hidden
            ]
            if far and min(far)[0] <= ASTRAY:
                cells[min(far)[1]] = EMPTY

    # ---------------------------------------------------------------- decisions

    def decide(self, percept: Percept) -> int:
        begin = CLOCK()
        if self._perceive(percept):
            self._check_road()
        assert self.belief is not None
        while self.road and self.done >= len(self.road[0].actions):
            self._arrive()
        assert self.plans is not None
        before = self.plans.effort
        self._think(before + self.allowance + max(0.0, self.saved), begin + LONGEST * self.budget)
        if not self.road:
            self._settle_on_something()
        if self.road:
            layer, action = self.road[0].goal, self.road[0].actions[self.done]
            self.done += 1
        else:
            layer, action = "danger", self._safe_step()
            self.work = None  # the next tick is another start
        left = self.saved + self.allowance - (self.plans.effort - before)
        self.saved = min(left, SAVED * self.allowance)
        planned = [step for leg in self.road for step in leg.actions][self.done :]
        end = self.road[-1].state if self.road else self.belief
        self.thought = Thought(
            layer,
            action,
            tuple(planned),
            int(end.info[GOT]),
            self._complete(),
            self.surprises,
            CLOCK() - begin,
        )
        self.last = action
        return action

    def _arrive(self) -> None:
        """The first leg of the road is done."""
        if self.road.pop(0).goal == "look":
            self.work = None
        self.done = 0

    def _complete(self) -> bool:
        return bool(self.road) and self.road[-1].won

    def _check_road(self) -> None:
        """Try out the road on the corrected belief, and keep what still works of it; where not all is known,
        the leg under way only.
        """
        assert self.belief is not None
        assert self.plans is not None
        state = copied(self.belief)
        kept: list[Stop] = []
        self.work = None
        for number, leg in enumerate(self.road):
            if leg.goal == "look" or (number and not self.plans.known):
                break
            start = self.done if number == 0 else 0
            actions = np.array(leg.actions[start:], np.int8)
            before = int(state.info[GOT])
            played = play_all(self.rules, state, actions)
            status = int(state.info[STATUS])
            fine = status == WON or (
                status == RUNNING
                and played == len(actions)
                and int(state.info[PLACE]) == int(leg.state.info[PLACE])
                and (leg.goal != "diamond" or state.info[GOT] > before)
                and state.info[KILLS] >= leg.state.info[KILLS]
                and state.info[MADE] >= leg.state.info[MADE]
                and survives(self.rules, state, self.plans.pool, 8)
            )
            if not fine:
                break
            kept.append(Stop(None, leg.actions, copied(state), leg.goal, leg.score, leg.open))
        if not kept:
            self.done = 0
        self.road = kept

    # ---------------------------------------------------------------- thinking

    def _think(self, effort: float, deadline: float) -> None:
        """Look for a way out from the end of the road on, until it is found or effort or time are used up."""
        if self._complete():
            return
        assert self.belief is not None
        plans = self.plans
        assert plans is not None
        if self.road and self.road[0].goal == "stuck":
            return
        if self.work is None:
            if not self.road and np.array_equal(self.belief.cells, self.hopeless):
                return  # nothing has changed since
            plans.start(self.road[-1].state if self.road else self.belief)
            self.work, self.over, self.hopeless = plans.work(), False, None
        while not self.over and plans.effort < effort and CLOCK() < deadline:
            self.over = next(self.work, self) is self
        if plans.boldest is plans.root:
            self.hope -= 1
            self.over = self.over or self.hope <= 0
        if plans.best.won:
            way = plans.best.way(plans.root)
            if self.road and self.road[0].goal == "think" and self._wins_now(way):
                self.road, self.done = [], 0
            self.road += way

    def _wins_now(self, way: list[Stop]) -> bool:
        """Whether the plan would also lead out without further waiting."""
        assert self.belief is not None
        actions = np.array([action for leg in way for action in leg.actions], np.int8)
        trial = copied(self.belief)
        play_all(self.rules, trial, actions)
        return int(trial.info[STATUS]) == WON

    def _settle_on_something(self) -> None:
        """Find the next part of the road: a while of thinking, or the first leg of the best plan so far."""
        assert self.belief is not None
        plans = self.plans
        assert plans is not None
        self.done = 0
        if plans.known and not self.over and self.waits < len(WAITS) and self.patience:
            ticks = min(WAITS[self.waits], self.patience)
            self.waits += 1
            self.patience -= ticks
            if self._stay(ticks, "think"):
                return
        way = plans.best.way(plans.root)
        if not way and (self.over or self.hope < HOPE[1]):
            way = plans.boldest.way(plans.root)
        if way and way[0].goal == "kill" and self._unsure(way[0]) and self._stay(1, "watch"):
            self.watches -= 1
            self.work = None
        elif way:
            self.hope, self.rest = HOPE[0], 1
            self._take(way[0])
        elif not self.over:
            self._stay(WAITS[0] if plans.known else 1, "think")
        else:
            self._be_stuck()

    def _take(self, leg: Stop) -> None:
        """Go this leg next."""
        assert self.plans is not None
        self.road = [leg]
        if leg.goal == "look":
            self.work = None
        else:
            self.plans.move_root(leg)
            self.work, self.over = self.plans.work(), False

    def _stay(self, ticks: int, why: str) -> bool:
        """Stay for some ticks if that is safe; whether it is."""
        assert self.belief is not None
        plans = self.plans
        assert plans is not None
        later = copied(self.belief)
        play_all(self.rules, later, np.zeros(ticks, np.int8))
        status = int(later.info[STATUS])  # the end of the time is no danger
        if status != LATE and (status != RUNNING or not survives(self.rules, later, plans.pool, 8)):
            return False
        self.road = [Stop(None, (0,) * ticks, later, why, 0.0, True)]
        if not np.array_equal(later.cells, plans.root.state.cells):
            self.work = None  # things have moved: think about how they will be then
        return True

    def _unsure(self, leg: Stop) -> bool:
        """Whether a monster passes by what was never seen on this leg, and was not watched for long enough."""
        assert self.belief is not None
        assert self.plans is not None
        if self.plans.known or self.calm >= WATCHED or self.watches <= 0:
            return False
        trial = copied(self.belief)
        for action in leg.actions:
            cells = trial.cells
            for cell in np.flatnonzero((cells >= MONSTER) & (cells <= LAST_MONSTER)).tolist():
                if any(cells[cell + way] == UNKNOWN for way in WAYS):
                    return True
            tick(self.rules, trial, action)
        return False

    def _be_stuck(self) -> None:
        """Nothing leads on: take back guesses, move a stone, dig about, or wait, each time longer than before."""
        assert self.belief is not None
        plans = self.plans
        assert plans is not None
        self.hope = HOPE[2]
        self.work, self.hopeless = None, self.belief.cells.copy()
        budges = [leg for leg in plans.root.legs or () if leg.goal == "budge"]
        tried = None
        if self.budged < BUDGED:
            tried = plans.roam() if self.budged % 2 or not budges else plans.random.choice(budges)
        if self.guessed:
            for cell in self.guessed:
                self.belief.cells[cell] = UNKNOWN
            self.guessed.clear()
            settle(self.belief)
            self._stay(1, "wait")
        elif tried is not None:
            self.budged += 1
            self._take(tried)
        elif self._stay(self.rest, "stuck"):
            self.rest = min(2 * self.rest, LONGEST_REST)

    def _safe_step(self) -> int:
        """Stay if that is survivable, else the step that is."""
        assert self.belief is not None
        assert self.plans is not None
        best, chosen = -1, 0
        for action in (0, 1, 2, 3, 4):
            trial = copied(self.belief)
            status = tick(self.rules, trial, action)
            if status == WON:
                return action
            worth = 0 if status != RUNNING else 2 if survives(self.rules, trial, self.plans.pool, 10) else 1
            if worth > best:
                best, chosen = worth, action
            if best == 2:
                break
        return chosen


def _within(window: tuple[int, int, int, int], cell: int) -> bool:
    left, top, width, height = window
    return 0 <= (cell & 63) - left < width and 0 <= (cell >> SHIFT) - top < height


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


def _warm_up() -> None:
    """Have the compiled code at hand before the first decision is timed."""
    state = empty_state(5, 5)
    state.cells[:] = BORDER
    place = STRIDE + 1
    for cell, code in ((place, MINER), (place + 1, DIAMOND), (place + 2, EXIT)):
        state.cells[cell] = code
    state.info[PLACE], state.info[NEED] = place, 1
    settle(state)
    plans = Plans(DELIRIUM, 5, 0)
    plans.start(state)
    for _ in plans.work():
        pass
    play_all(DELIRIUM, copied(state), np.zeros(1, np.int8))
    survives(DELIRIUM, state, plans.pool, 1)
    tick(DELIRIUM, state, 0)


def make(game: Game, budget: float = 0.2, patience: int = 100, seed: int = 0) -> Planner:
    """The planner: `budget` seconds a decision on average (five times that at most), and up to `patience` ticks
    of waiting while he thinks about a mine that he sees as a whole."""
    _warm_up()
    return Planner(game, budget, patience, seed)


def solution(world: World, nodes: int) -> tuple[int, ...] | None:
    """A row of actions that wins, found with so many nodes at most, or None; the same one each time."""
    planner = Planner(world.game, 0.0, 0, 0)
    whole = world.copy()
    whole.view_x = whole.view_y = WHOLE
    planner._perceive(look(whole))
    plans = planner.plans
    assert plans is not None
    assert planner.belief is not None
    root = plans.start(planner.belief)
    for _ in plans.work():
        if plans.nodes >= nodes:
            break
    if not plans.best.won:
        return None
    return tuple(action for leg in plans.best.way(root) for action in leg.actions)
