"""Plans: sequences of legs from diamond to diamond to the exit, found by a beam search over exact states.

A *waypoint* is a state of the mine at the end of a leg: a diamond gathered, a monster crushed, a place to look from,
the exit. Waypoints form a tree, which is searched level by level: of the waypoints with the same number of legs the
best few are continued. When a pass ends without reaching the exit, the next one continues more of them, in a partly
random order, and spends more on each leg; waypoints that were reached before are not computed again. When the tree is
full or the passes find nothing new, the search restarts from the root with a new tree: in such a *round* the order is
more random, and stones may be pushed and dirt dug anywhere in a plan, to see what that makes possible.

Plans are chained backwards from walled-in targets: a diamond or exit behind a wall needs a blast beside the wall, the
blast a monster that is hit there, the monster a stone that falls in its column, and the stone, if it is not above dirt
there, must be pushed into the column (`_hunt`). Each link is solved by the exact search for legs.

All of this runs in small steps (`PlanSearch.search` is a generator), so that a search can continue over many decisions.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator

import numpy as np

from ludion.games.delirium.archive import End, Walks, Weights
from ludion.games.delirium.drops import (
    Drop,
    blast_around,
    distance,
    open_walls,
    possible_drops,
    possible_pushes,
    undug_runs,
    walls_of_interest,
)
from ludion.games.delirium.legs import NEAR_WALKING, SETTLING_TICKS, LegSearch, waiting, without_last_waits
from ludion.games.delirium.physics import (
    AMOEBA,
    AMOEBA_COUNT,
    AMOEBA_PHASE,
    ANIMATED,
    ASLEEP,
    AWAKE,
    BLAST,
    DIAMOND,
    DIG_LEFT,
    DIG_RIGHT,
    DIRT,
    EMPTY,
    EXIT,
    GATHERED,
    HEAVY,
    LEFT,
    MAGIC,
    MAGIC_TICKS_LEFT,
    MINER_CELL,
    NEEDED,
    RIGHT,
    RUNNING,
    STATUS,
    STAY,
    STRIDE,
    TICK,
    TIME_LIMIT,
    MineState,
    RuleSet,
    copied,
    play_all,
    tick,
)
from ludion.games.delirium.search import (
    ALL_DIAMONDS,
    ALL_MONSTERS,
    BLUE_MONSTERS,
    GATHER,
    GATHER_TICKS,
    GO,
    KILL,
    LEAVE,
    MAGIC_WALLS,
    MAKE,
    NO_PATH,
    NODES,
    POSSIBLE_DIAMONDS,
    PUSH,
    REACHABLE_DIAMONDS,
    REACHABLE_EXITS,
    SURVIVAL_DEPTH,
    SURVIVAL_TICKS,
    UNWINNABLE,
    Query,
    cost_left,
    play_leg,
    survives,
)
from ludion.games.delirium.unseen import den_walls, harm, near_marks, unseen_edge
from ludion.games.delirium.waypoints import OPEN_EXIT_DIAMONDS, Actions, Purpose, Waypoint, purpose_of

# Searches for legs, by level of effort: a higher one is used when a lower one fails.
EFFORT_NODES = (3_000, 12_000, 50_000)
EFFORT_WEIGHTS = (150, 230, 120)
EFFORT_DROPS = (8, 16, 40)  # stones that are considered for dropping
LAST_EFFORT = len(EFFORT_NODES) - 1
LEG_EFFORT = 50  # cost of judging a leg, in nodes
HUNT_EFFORT = 20  # what it costs to look for stones to drop, in legs

WAITS = (8, 20, 40, 60)  # ticks until diamonds may have come out of amoeba or blasts
MADE_AT_ONCE = 4  # legs that make a diamond, of one search
MOST_RUNS = 4  # of cells under magic walls that are tried
LONGEST_GROWTH = 2_000  # ticks that an amoeba is waited for
AMOEBA_MARGIN = 1.15  # cells that an amoeba must have for each missing diamond: some will be out of reach
MOST_WAYPOINTS = 25_000  # in the tree
BUSY_CELLS = 40  # that take as long as the rest of a tick
WALK_EFFORT = 2_000  # of walks between two pauses
ROUND_EFFORT = 3_000_000  # of the first round of walks; later ones are longer
WALK_WEIGHTS = Weights(room=0, tick_shift=62), Weights()  # of the rounds, in turn
LEGS_FIRST_EFFORT = 20_000  # of the search for legs before any walks
LEG_SHARE = 2  # walks get so many times as much
LAST_RESORT_EFFORT = 1_000_000  # of walks in a mine of which not all is known
MOST_AIMLESS_PUSHES = 3  # only at the start of a plan
WIDEST_BEAM = 200
MOST_IDLE_PASSES = 4  # without anything new to expand
NOISE = 20.0  # random part of the order from the third pass on, in ticks

# The score of a waypoint in ticks, beside what is left to do (`cost_left`).
OPEN_WALL = -4  # for each magic wall with an empty cell below, before the first stone falls into one
TICK_WEIGHTS = 1.0, 0.3  # of passed ticks, alternating from pass to pass: haste leaves more stones in the way


class PlanSearch:
    """The search for a plan from one state on."""

    root: Waypoint
    best: Waypoint  # where the best plan so far ends
    best_ignoring_exit: Waypoint  # the same if the path to the exit is left for later
    mine_known: bool  # whether all of the mine, within its border, has been seen

    def __init__(self, rules: RuleSet, height: int, seed: int) -> None:
        self.rules = rules
        self.height = height
        self.random = random.Random(seed)
        self.legs = LegSearch(rules, height)
        self.legs_tried = 0  # and levels of the tree
        self.waypoints = 0
        self.expanded = 0  # waypoints whose successors were looked for
        self.passes = 0
        self.round = 0  # of the walks
        self.effort_of_round = 0
        self.seed = seed
        self.slowness = 1  # how many times as long as in a quiet mine a tick takes
        self.effort_before = self.work_before = 0  # when that was found out
        self.walks: Walks | None = None  # once there were any
        self.in_archive: dict[Waypoint, int] = {}  # the nodes of waypoints
        self.considered = 0  # states that the archive had when it was looked at last
        self.view = (0, 0)  # half the width and height of what the miner sees at a time

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return int(self.legs.memory.counts[NODES])

    @property
    def effort(self) -> int:
        """All the work so far, in nodes: a measure that does not depend on the machine or its load."""
        return self.effort_before + self.slowness * (self._work - self.work_before)

    @property
    def _work(self) -> int:
        counts = self.legs.memory.counts
        walked = self.walks.effort if self.walks is not None else 0
        return int(counts[NODES]) + int(counts[SURVIVAL_TICKS]) + LEG_EFFORT * self.legs_tried + walked

    # ---------------------------------------------------------------- the beam search

    def start(self, state: MineState) -> Waypoint:
        """Begin a new tree with this state as its root."""
        self.effort_before, self.work_before = self.effort, self._work
        self.slowness = 1 + _busy_cells(self.rules, state) // BUSY_CELLS
        self.waypoints = self.passes = 0
        self.root = Waypoint(None, (), copied(state), Purpose.START)
        self.mine_known = not bool(unseen_edge(state).any())
        self.legs.survey(state)
        self._judge(self.root)
        self.best = self.best_ignoring_exit = self.root
        self.round = 0
        if self.walks is not None:
            self._restart_walks()
        return self.root

    def move_root(self, waypoint: Waypoint) -> None:
        """Make a waypoint of the tree its root."""
        waypoint.parent = None
        self.root = self.best = self.best_ignoring_exit = waypoint
        self.waypoints = self.passes = 0
        remaining = [waypoint]
        while remaining:
            here = remaining.pop()
            self.waypoints += 1
            self._keep_if_best(here)
            remaining += here.successors or ()
        if self.walks is not None:
            if waypoint in self.in_archive:
                self.walks.move_root(self.in_archive[waypoint])
                self.considered = 0
            else:
                self._restart_walks()

    def _keep_if_best(self, waypoint: Waypoint) -> None:
        if waypoint.value() > self.best.value():
            self.best = waypoint
        if waypoint.value_ignoring_exit() > self.best_ignoring_exit.value_ignoring_exit():
            self.best_ignoring_exit = waypoint

    def search(self) -> Iterator[None]:
        """Search from the root until a plan reaches the exit or nothing is left to try; pauses after each step.

        If all of the mine is known, the search for legs begins, then it and walks take turns. Otherwise walks are the
        last resort.
        """
        legs = self.search_legs()
        searching = True
        if not self.mine_known:
            yield from legs
            searching = False
            if self.best is not self.root:
                return  # more will be seen on the way
        walking_effort, leg_effort, stalled = 0, 0, False
        while not self.best.won:
            while searching and (stalled or leg_effort < LEGS_FIRST_EFFORT + walking_effort // LEG_SHARE):
                before = self.effort
                searching = next(legs, self) is not self
                leg_effort += self.effort - before
                if self.best.won:
                    return
                yield
            before = self.effort
            if self.walk():
                self.consider_walks()
                return
            walking_effort += self.effort - before
            stalled = self.effort == before  # there is nothing to walk from
            if stalled and not searching:
                return
            yield
            if not self.mine_known and walking_effort > LAST_RESORT_EFFORT:
                self.consider_walks()
                return

    def walk(self) -> bool:
        """Make some walks; return whether one leads out. When a round of them is over, the next one begins again at the
        root and judges states otherwise; later rounds are longer."""
        if self.walks is None:
            self.walks = Walks(self.rules, self.root.state, self.legs.memory, self.seed)
            self._restart_walks()
        elif self.effort_of_round >= ROUND_EFFORT << self.round // len(WALK_WEIGHTS):
            self.consider_walks()
            self.round += 1
            self._restart_walks()
        before = self.walks.effort
        leads_out = self.walks.walk(WALK_EFFORT)
        self.effort_of_round += self.walks.effort - before
        return leads_out

    def _restart_walks(self) -> None:
        """Begin a round of walks at the root."""
        assert self.walks is not None
        weights = WALK_WEIGHTS[self.round % len(WALK_WEIGHTS)]
        needed, limit = int(self.root.state.info[NEEDED]), int(self.root.state.info[TIME_LIMIT])
        if limit > 0:  # the shorter the time, the more a tick counts
            weights = weights._replace(tick=max(weights.tick, 100 * GATHER_TICKS * needed // limit))
        self.in_archive = {self.root: self.walks.start(self.root.state, self.mine_known, weights)}
        self.effort_of_round = self.considered = 0

    def consider_walks(self) -> None:
        """Make the best state of the archive the end of the best plan, if it is better than what was known."""
        walks = self.walks
        if walks is None or (self.considered == walks.added and walks.way_out < 0):
            return
        self.considered = walks.added
        if walks.way_out >= 0:
            self.best = self.best_ignoring_exit = self._walked(walks.way_out)
            return
        ends = [end for end in walks.ends() if end.node != self.in_archive[self.root]]
        for exit_diamonds in (OPEN_EXIT_DIAMONDS, 0) if ends else ():
            self._keep_if_best(self._walked(max(ends, key=lambda end: _value_of(end, exit_diamonds)).node))

    def _walked(self, node: int) -> Waypoint:
        """The waypoint of a node of the archive, after those on the way to it."""
        assert self.walks is not None
        here = self.root
        for number, actions in self.walks.path(self.in_archive[self.root], node):
            state = copied(here.state)
            play_all(self.rules, state, np.array(actions, np.int8))
            waypoint = Waypoint(here, actions, state, purpose_of(here.state, state, actions))
            self.in_archive[waypoint] = number
            if not waypoint.won:
                self.legs.survey(state)
                self._judge(waypoint)
            here = waypoint
        return here

    def search_legs(self) -> Iterator[None]:
        """Passes with wider and wider beams."""
        width = 1
        idle_passes = 0
        while self.waypoints < MOST_WAYPOINTS and idle_passes < MOST_IDLE_PASSES:
            effort = min(self.passes // 2, LAST_EFFORT)
            expanded_before = self.expanded
            left_out = yield from self._sweep(self.root, width, effort)
            if not self.mine_known and self.best is not self.root:  # more can only be known on the way
                return
            if not self.best.won:  # the best so far deserves more work
                yield from self._sweep(self.best, 3, LAST_EFFORT)
            if self.best.won or (not left_out and effort == LAST_EFFORT):
                return
            self.passes += 1
            width = min(2 * width + 1, WIDEST_BEAM)
            idle = self.expanded == expanded_before and effort == LAST_EFFORT
            idle_passes = idle_passes + 1 if idle else 0
            yield

    def _sweep(self, start: Waypoint, width: int, effort: int) -> Generator[None, None, bool]:
        """Continue the best waypoints of each level, from this one on; return whether any were left out."""
        left_out = False
        noise = 0.0 if self.passes < 2 else NOISE
        tick_weight = TICK_WEIGHTS[self.passes % 2]
        level = [start]
        while level:
            following: list[Waypoint] = []
            for waypoint in level:
                if waypoint.successors is None or (not waypoint.successors and waypoint.effort < effort):
                    yield from self._expand(waypoint, effort)
                    yield  # it may have found nothing to pause at
                following += waypoint.successors or ()
                if self.best.won:
                    return True
            self.legs_tried += 1
            following.sort(key=lambda each: each.rank(tick_weight) + noise * self.random.random())
            level, keys = [], set()
            for waypoint in following:
                if waypoint.purpose == Purpose.LOOK or waypoint.key in keys:
                    continue
                if len(level) == width:
                    left_out = True
                    break
                keys.add(waypoint.key)
                level.append(waypoint)
        return left_out

    def _add(self, parent: Waypoint, actions: Actions, purpose: Purpose) -> bool:
        """Add a leg to a waypoint unless it ends in death or in an unwinnable mine; return whether it was added."""
        assert parent.successors is not None
        end = copied(parent.state)
        count = len(actions)
        self.legs.actions[:count] = actions
        self.legs_tried += 1
        settling_ticks = 0 if self.mine_known and purpose != Purpose.MAKE else SETTLING_TICKS
        if not play_leg(
            self.rules,
            end,
            self.legs.actions,
            count,
            self.legs.memory,
            self.legs.reachable,
            self.legs.queue,
            self.legs.outlook,
            settling_ticks,
        ):
            return False
        waypoint = Waypoint(parent, actions, end, purpose)
        if not waypoint.won and not self._judge(waypoint):
            return False
        if purpose == Purpose.MAKE and waypoint.diamonds <= parent.diamonds:
            return False  # the diamond has become a stone again, in another magic wall
        if any(other.key == waypoint.key for other in parent.successors):
            return False
        parent.successors.append(waypoint)
        self.waypoints += 1
        if self.walks is not None and parent in self.in_archive and not waypoint.won:
            node = self.walks.add(self.in_archive[parent], actions, end)
            if node >= 0:
                self.in_archive[waypoint] = node
        self._keep_if_best(waypoint)
        return True

    def _judge(self, waypoint: Waypoint) -> bool:
        """Set the score of a waypoint from the last survey; return whether the mine may be winnable from there."""
        cost = cost_left(self.rules, waypoint.state, self.legs.outlook, self.mine_known)
        if cost == UNWINNABLE:
            return False
        outlook, info = self.legs.outlook.tolist(), waypoint.state.info
        missing, reachable = int(info[NEEDED]) - int(info[GATHERED]), outlook[REACHABLE_DIAMONDS]
        waypoint.diamonds = outlook[ALL_DIAMONDS] + int(info[GATHERED])
        waypoint.exit_open = outlook[REACHABLE_EXITS] > 0
        waypoint.score = waypoint.ticks + int(cost)
        if missing > reachable and info[MAGIC_TICKS_LEFT] < 0 and outlook[MAGIC_WALLS]:
            open_count = int(open_walls(waypoint.state.cells).sum())
            waypoint.score += OPEN_WALL * min(missing - reachable, open_count)
        return True

    # ---------------------------------------------------------------- legs

    def _expand(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Find the legs that can follow a waypoint."""
        waypoint.successors, waypoint.effort = [], effort
        self.expanded += 1
        self.legs_tried += 2
        state = waypoint.state
        missing = int(state.info[NEEDED]) - int(state.info[GATHERED])
        if missing <= 0:
            self.legs.aim(state, state.cells == EXIT)
            yield from self._add_legs(waypoint, LEAVE, 2, Purpose.EXIT, effort)
        elif not (yield from self._wait_for_amoeba(waypoint, missing, effort)):
            if state.info[MAGIC_TICKS_LEFT] > 0 and self.legs.survey(state)[REACHABLE_DIAMONDS] < missing:
                yield from self._make(waypoint, effort)  # diamonds can be gathered later
            if not waypoint.successors:
                yield from self._gather(waypoint, effort)
        else:
            return
        if not waypoint.successors:
            yield from self._explore(waypoint, effort)
        outlook = self.legs.survey(state)
        can_make = outlook[BLUE_MONSTERS] or (outlook[MAGIC_WALLS] and state.info[MAGIC_TICKS_LEFT])
        too_few = outlook[REACHABLE_DIAMONDS] < missing
        stuck = all(leg.harm for leg in waypoint.successors)  # nowhere to go, or only with damage
        if (can_make and too_few) or (outlook[ALL_MONSTERS] and (stuck or (effort and too_few))):
            yield from self._hunt(waypoint, effort)
        if not waypoint.successors:
            self._wait(waypoint)
        if effort and not waypoint.successors and self._at_start(waypoint):
            self.legs.guide[:] = 0
            yield from self._add_legs(waypoint, PUSH, 12, Purpose.PUSH, effort - 1)

    def _at_start(self, waypoint: Waypoint) -> bool:
        """Whether the plan has only aimless pushes so far, and few of them."""
        route = waypoint.route_from(self.root)
        return len(route) < MOST_AIMLESS_PUSHES and all(leg.purpose == Purpose.PUSH for leg in route)

    def _some_dirt(self, state: MineState, count: int) -> list[int]:
        """Random cells of dirt that the miner can reach."""
        self.legs.survey(state)
        dirt = np.flatnonzero((state.cells == DIRT) & (self.legs.reachable[: len(state.cells)] == 1)).tolist()
        return self.random.sample(dirt, min(count, len(dirt)))

    def _gather(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs to diamonds: first to the reachable ones, twice; then to those enclosed by stones.

        These are searched separately: an unreachable one would draw the search away from all others.
        """
        state = waypoint.state
        assert waypoint.successors is not None
        diamonds = state.cells == DIAMOND
        self.legs.survey(state)
        reachable = diamonds & (self.legs.reachable[: len(diamonds)] == 1)
        shut_in = diamonds & ~reachable
        for most in (6, 4):
            if reachable.any():
                self.legs.aim(state, reachable)
                count = min(most, 3 * int(reachable.sum()))
                yield from self._add_legs(waypoint, GATHER, count, Purpose.DIAMOND, effort)
                for leg in waypoint.successors:
                    reachable[int(leg.state.info[MINER_CELL])] = False
        missing = int(state.info[NEEDED]) - int(state.info[GATHERED])
        too_few = int(self.legs.outlook[REACHABLE_DIAMONDS]) < missing
        if shut_in.any() and (not waypoint.successors or (effort and too_few)):
            self.legs.aim(state, shut_in)
            yield from self._add_legs(waypoint, GATHER, 4, Purpose.DIAMOND, effort)

    def _add_legs(
        self, waypoint: Waypoint, kind: int, goals: int, purpose: Purpose, effort: int, on_the_way: int = 0
    ) -> Iterator[None]:
        """Add up to this many legs to goals of this kind."""
        state = waypoint.state
        if self.legs.guide[int(state.info[MINER_CELL])] >= NO_PATH:
            return
        nodes, weight = EFFORT_NODES[effort] // self.slowness, EFFORT_WEIGHTS[effort]
        query = Query(kind, goals, nodes, weight, near=NEAR_WALKING, on_the_way=on_the_way)
        for actions in self.legs.find_paths(state, query):
            self._add(waypoint, without_last_waits(actions) if kind == MAKE else actions, purpose)
        yield

    def _wait(self, waypoint: Waypoint) -> None:
        """Add a leg of waiting, if that creates diamonds."""
        state = waypoint.state
        if not bool(((state.cells == AMOEBA) | (state.cells == BLAST)).any()):
            return
        trial = copied(state)
        diamonds = int((state.cells == DIAMOND).sum())
        for ticks in WAITS:
            play_all(self.rules, trial, waiting(ticks - int(trial.info[TICK] - state.info[TICK])))
            if int(trial.info[STATUS]) != RUNNING:
                break
            if int((trial.cells == DIAMOND).sum()) > diamonds:
                self._add(waypoint, (STAY,) * ticks, Purpose.WAIT)
                return

    def _wait_for_amoeba(self, waypoint: Waypoint, missing: int, effort: int) -> Generator[None, None, bool]:
        """Add legs that wait until the amoeba is large enough and then turn it into diamonds with a magic wall; return
        whether there is such a wall and the amoeba must grow."""
        state = waypoint.state
        assert waypoint.successors is not None
        if not self._wall_ends_amoeba(state) or not bool((state.cells == MAGIC).any()):
            return False
        size = AMOEBA_MARGIN * (missing - self.legs.survey(state)[POSSIBLE_DIAMONDS])
        later, ticks = copied(state), 0
        while int(later.info[AMOEBA_COUNT]) < size:
            ticks += 1
            if tick(self.rules, later, STAY) != RUNNING or not later.info[AMOEBA_COUNT]:
                return False
            if later.info[AMOEBA_PHASE] == ASLEEP or ticks > LONGEST_GROWTH:
                return False
        if not ticks or not self._add(waypoint, (STAY,) * ticks, Purpose.WAIT):
            return False
        waiting = waypoint.successors[-1]
        waiting.successors, waiting.effort = [], effort
        yield from self._make(waiting, effort)
        for leg in waiting.successors:  # it takes its time: begin earlier
            wait = max(0, ticks - len(leg.actions))
            self._add(waypoint, (STAY,) * wait + leg.actions, Purpose.MAKE)
        return True

    # ---------------------------------------------------------------- parts of the mine that were not seen

    def _explore(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs to places from which more can be seen; those that disturb stones and monsters are penalised."""
        state = waypoint.state
        if self.mine_known:
            return
        cells = state.cells.reshape(-1, STRIDE)
        viewpoints = near_marks(unseen_edge(state), *self.view)
        targets = (viewpoints & ((cells == EMPTY) | (cells == DIRT) | (cells == DIAMOND))).ravel()
        targets[int(state.info[MINER_CELL])] = False
        if targets.any():
            self.legs.aim(state, targets)
            yield from self._add_legs(waypoint, GO, 6, Purpose.LOOK, effort)
            successors = waypoint.successors or []
            dens = den_walls(state)
            for leg in successors:
                leg.harm = harm(state.cells, leg.state.cells, dens)
                leg.score += leg.harm
            if self.best.parent is waypoint:
                self.best = max(successors, key=Waypoint.value)
            if self.best_ignoring_exit.parent is waypoint:
                self.best_ignoring_exit = max(successors, key=Waypoint.value_ignoring_exit)

    def dig_somewhere(self) -> Waypoint | None:
        """A leg from the root to some reachable dirt."""
        state = self.root.state
        for cell in self._some_dirt(state, 4):
            leg = self.legs.go(state, cell)
            if leg is not None and survives(self.rules, leg[1], self.legs.memory, SURVIVAL_DEPTH):
                return Waypoint(self.root, *leg, Purpose.DIG)
        return None

    # ---------------------------------------------------------------- dropping stones

    def _hunt(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs at whose end a stone has been dropped on a monster or through a magic wall."""
        assert waypoint.successors is not None
        before = len(waypoint.successors)
        yield from self._make(waypoint, effort)
        if len(waypoint.successors) == before:
            yield from self._drop_stones(waypoint, self.legs.monster_track(waypoint.state), KILL, effort)

    def _make(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs at whose end a stone falls into a magic wall, if the wall works and diamonds are missing."""
        state = waypoint.state
        assert waypoint.successors is not None
        if state.info[GATHERED] >= state.info[NEEDED] or not state.info[MAGIC_TICKS_LEFT]:
            return
        ends_amoeba = self._wall_ends_amoeba(state)
        walls = state.cells == MAGIC if ends_amoeba else open_walls(state.cells)
        above_walls = set((np.flatnonzero(walls) - STRIDE).tolist())
        before = len(waypoint.successors)
        drops = possible_drops(state, above_walls)
        self.legs.aim(state, self.legs.target_cells(*(drop.stone + STRIDE for drop in drops)))
        yield from self._add_legs(
            waypoint, MAKE, MADE_AT_ONCE, Purpose.MAKE, effort, self.legs.on_the_way(state)
        )
        if len(waypoint.successors) == before:
            yield from self._drop_stones(waypoint, above_walls, MAKE, effort)
        if state.info[MAGIC_TICKS_LEFT] < 0 and not ends_amoeba:  # the time of the wall has not begun
            yield from self._clear_under_walls(waypoint)

    def _wall_ends_amoeba(self, state: MineState) -> bool:
        """Whether the first stone that falls into a magic wall will turn the amoeba into diamonds."""
        info = state.info
        return bool(self.rules.magic_ends_amoeba and info[MAGIC_TICKS_LEFT] < 0 and info[AMOEBA_COUNT] > 0)

    def _clear_under_walls(self, waypoint: Waypoint) -> Iterator[None]:
        """Legs along the dirt under magic walls: what comes out of a wall needs an empty cell below it."""
        state = waypoint.state
        place = int(state.info[MINER_CELL])
        runs = sorted(undug_runs(state.cells), key=lambda run: distance(run[0], place))
        for first, last in runs[:MOST_RUNS]:
            ends = sorted((first, last), key=lambda cell: distance(cell, place))
            leg = self.legs.go_through(state, tuple(ends))
            if leg is not None:
                self._add(waypoint, leg[0], Purpose.CLEAR)
            yield

    def _drop_stones(self, waypoint: Waypoint, track: set[int], kind: int, effort: int) -> Iterator[None]:
        """Add up to two legs at whose end a stone falls onto these cells, first those that open walled-in parts."""
        assert waypoint.successors is not None
        state = waypoint.state
        self.legs_tried += HUNT_EFFORT
        before = len(waypoint.successors)
        drops = possible_drops(state, track) + possible_pushes(state, track)
        if kind == KILL:
            walls = walls_of_interest(state)
            drops.sort(key=lambda drop: walls.isdisjoint(blast_around(drop.target)))
        for drop in drops[: EFFORT_DROPS[effort]]:
            yield from self._drop(waypoint, drop, kind)
            if len(waypoint.successors) >= before + 2:
                return

    def _drop(self, waypoint: Waypoint, drop: Drop, kind: int) -> Iterator[None]:
        """Push the stone over the edge, or dig a shaft from it to the target and then remove its support, at the right
        moment."""
        state = waypoint.state
        purpose = Purpose.KILL if kind == KILL else Purpose.MAKE
        if drop.stand >= 0:
            cleared = self.legs.go_through(state, drop.dirt)
            yield
            if cleared is not None:
                push = RIGHT if drop.stand < drop.stone else LEFT
                actions = self.legs.time_drop(cleared[1], {drop.stand: push}, kind, drop)
                yield
                if actions is not None:
                    self._add(waypoint, cleared[0] + actions, purpose)
            return
        support = drop.stone + STRIDE
        starts: list[tuple[Actions, MineState]] = [((), state)]
        if any(state.cells[cell] == DIRT for cell in range(support + STRIDE, drop.target, STRIDE)):
            starts = self.legs.dig_shaft(state, support, drop.target)
            yield
        for digging, opened in starts:
            beside = {support - 1: DIG_RIGHT, support + 1: DIG_LEFT}
            actions = self.legs.time_drop(opened, beside, kind, drop)
            yield
            if actions is not None and self._add(waypoint, digging + actions, purpose):
                break


def _busy_cells(rules: RuleSet, state: MineState) -> int:
    """How many cells each tick has to look at, once what was falling lies."""
    later = copied(state)
    play_all(rules, later, waiting(SETTLING_TICKS))
    masks = later.masks
    return sum(int(row).bit_count() for row in masks[AWAKE] & masks[HEAVY] | masks[ANIMATED])


def _value_of(end: End, exit_diamonds: int) -> tuple[int, bool, int]:
    """The value of a state of the archive, as that of waypoints."""
    return end.gathered - (0 if end.exit_open else exit_diamonds), end.exit_open, -end.score
