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
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludion.games.delirium.archive import End, Walks, Weights
from ludion.games.delirium.physics import (
    AMOEBA,
    AMOEBA_COUNT,
    AMOEBA_PHASE,
    ASLEEP,
    BLAST,
    BLUE,
    BORDER,
    DIAMOND,
    DIAMONDS_MADE,
    DIG_DOWN,
    DIG_LEFT,
    DIG_RIGHT,
    DIRT,
    EMPTY,
    EXIT,
    FIRST_MONSTER,
    GATHERED,
    HEADING_STEPS,
    KILLS,
    LAST_MONSTER,
    LEFT,
    MAGIC,
    MAGIC_TICKS_LEFT,
    MINER,
    MINER_CELL,
    NEEDED,
    OBJECT_HASH,
    RIGHT,
    RUNNING,
    SILVER,
    STATUS,
    STAY,
    STONE,
    STRIDE,
    TICK,
    UNKNOWN,
    WALL,
    WON,
    Bytes,
    MineState,
    RuleSet,
    cells_in,
    column_of,
    copied,
    play_all,
    row_of,
    tick,
)
from ludion.games.delirium.search import (
    ALL_DIAMONDS,
    ALL_MONSTERS,
    BLUE_MONSTERS,
    GATHER,
    GO,
    KILL,
    LEAVE,
    MAGIC_WALLS,
    MAKE,
    NEVER,
    NO_PATH,
    NODES,
    OUTLOOK_SIZE,
    POSSIBLE_DIAMONDS,
    PUSH,
    REACHABLE_DIAMONDS,
    REACHABLE_EXITS,
    SURVIVAL_DEPTH,
    SURVIVAL_TICKS,
    UNWINNABLE,
    Moment,
    Query,
    cost_left,
    fill_guide,
    find_goals,
    find_moment,
    path_to,
    play_leg,
    search_memory,
    survey,
    survives,
)

Cells = NDArray[np.bool_]  # a set of cells, by number or as rows
Actions = tuple[int, ...]

# Searches for legs, by level of effort: a higher one is used when a lower one fails.
EFFORT_NODES = (3_000, 12_000, 50_000)
EFFORT_WEIGHTS = (150, 230, 120)
EFFORT_DROPS = (8, 16, 40)  # stones that are considered for dropping
LAST_EFFORT = len(EFFORT_NODES) - 1
LEG_EFFORT = 50  # cost of judging a leg, in nodes
HUNT_EFFORT = 20  # what it costs to look for stones to drop, in legs

NEAR_WALKING, NEAR_HUNTING = 6, 24  # Query.near: on the way somewhere, while lying in wait for a monster
GO_QUERY = Query(GO, goals=1, nodes=6_000, weight=120, near=NEAR_WALKING)
HUNT_GOALS, HUNT_NODES, HUNT_TICKS = 6, 15_000, 60  # HUNT_TICKS beyond the way to the stone
LONGEST_WAIT, MOMENT_TRIES, MOMENT_MARGIN = 100, 3, 4  # for the right moment to drop a stone; ticks to spare
SHAFT_WAITS, SHAFT_SURVIVAL, MOST_SHAFTS = 8, 6, 4
LONGEST_DROP, LONGEST_PUSH = 12, 5  # cells
TRACK_TICKS = 80  # for which the paths of monsters are followed
WAITS = (8, 20, 40, 60)  # ticks until diamonds may have come out of amoeba or blasts
MADE_AT_ONCE = 4  # legs that make a diamond, of one search
MOST_RUNS = 4  # of cells under magic walls that are tried
LONGEST_GROWTH = 2_000  # ticks that an amoeba is waited for
AMOEBA_MARGIN = 1.15  # cells that an amoeba must have for each missing diamond: some will be out of reach
SETTLING_TICKS = 12  # after which what was falling lies
MOST_WAYPOINTS = 25_000  # in the tree
WALK_EFFORT = 2_000  # of walks between two pauses
ROUND_EFFORT = 3_000_000  # of the first round of walks; later ones are longer
WALK_WEIGHTS = Weights(room=0, tick_shift=62), Weights()  # of the rounds, in turn
LAST_RESORT_EFFORT = 1_000_000  # of walks in a mine of which not all is known
MOST_AIMLESS_PUSHES = 3  # only at the start of a plan
WIDEST_BEAM = 200
MOST_IDLE_PASSES = 4  # without anything new to expand
NOISE = 20.0  # random part of the order from the third pass on, in ticks

# The score of a waypoint in ticks, beside what is left to do (`cost_left`).
OPEN_WALL = -4  # for each magic wall with an empty cell below, before the first stone falls into one
MOVED_STONE, UNDERMINED_STONE = 5, 20
TICK_WEIGHTS = 1.0, 0.3  # of passed ticks, alternating from pass to pass: haste leaves more stones in the way
OPEN_EXIT_DIAMONDS = 15  # an open path to the exit is worth this many diamonds

Value = tuple[bool, int, int, bool, float]


class Purpose(StrEnum):
    """The purpose of a leg. Each is the name of a message."""

    START = "start"
    DIAMOND = "diamond"
    EXIT = "exit"
    LOOK = "look"  # see more of the mine
    KILL = "kill"
    MAKE = "make"  # diamonds, with a magic wall
    CLEAR = "clear"  # the dirt under a magic wall
    WAIT = "wait"
    PREPARE = "prepare"  # what later legs need
    PUSH = "push"  # a stone, to no purpose
    DIG = "dig"  # somewhere, to no purpose
    THINK = "think"
    WATCH = "watch"  # a monster, before a stone is dropped on it
    STUCK = "stuck"


class Waypoint:
    """The end of a leg, and the leg from the waypoint before."""

    __slots__ = (
        "actions",
        "diamonds",
        "effort",
        "exit_open",
        "gathered",
        "harm",
        "key",
        "parent",
        "purpose",
        "score",
        "state",
        "successors",
        "ticks",
        "won",
    )

    def __init__(
        self,
        parent: Waypoint | None,
        actions: Actions,
        state: MineState,
        purpose: Purpose,
        score: float = 0.0,
        exit_open: bool = True,
    ) -> None:
        self.parent, self.actions, self.state, self.purpose = parent, actions, state, purpose
        self.score = score  # lower is better
        self.exit_open = exit_open  # whether there is a path to the exit as things lie
        info = state.info
        self.won = int(info[STATUS]) == WON
        self.ticks = int(info[TICK])
        self.gathered = min(int(info[GATHERED]), int(info[NEEDED]))
        # Equal for waypoints that differ only in dirt, monsters and time.
        self.key = int(info[MINER_CELL]), int(info[OBJECT_HASH])
        self.successors: list[Waypoint] | None = None  # once they were looked for
        self.effort = -1  # with which level of effort that was
        self.diamonds = 0  # gathered and lying about, after the last stones have fallen
        self.harm = 0  # penalty for what a leg to look did to stones and dens of monsters

    def value(self, exit_diamonds: int = OPEN_EXIT_DIAMONDS) -> Value:
        """The value of a plan that ends here.

        First winning, then diamonds (fewer if the exit is blocked), then newly seen cells or killed monsters, then an
        open exit, then the score.
        """
        if self.purpose == Purpose.LOOK:
            progress = 1 if self.harm else 3
        else:
            progress = 2 if self.purpose == Purpose.KILL else 0
        diamonds = self.gathered - (0 if self.exit_open else exit_diamonds)
        return self.won, diamonds, progress, self.exit_open, -self.score

    def value_ignoring_exit(self) -> Value:
        """The value if the path to the exit is ignored for now."""
        return self.value(exit_diamonds=0)

    def rank(self, tick_weight: float) -> float:
        """The score with a different weight for the elapsed ticks."""
        return self.score - (1 - tick_weight) * self.ticks

    def route_from(self, root: Waypoint) -> list[Waypoint]:
        """The waypoints after the root up to this one."""
        route: list[Waypoint] = []
        here: Waypoint | None = self
        while here is not None and here is not root:
            route.append(here)
            here = here.parent
        return route[::-1]


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
        self.memory = search_memory(height)
        size = cells_in(height)
        self.guide = np.zeros(size, np.int32)
        self.queue = np.zeros(4 * size, np.int64)
        self.reachable = np.zeros(size, np.int8)
        self.targets = np.zeros(size, np.int8)
        self.outlook = np.zeros(OUTLOOK_SIZE, np.int64)
        self.actions = np.zeros(20_000, np.int8)
        self.legs_tried = 0  # and levels of the tree
        self.waypoints = 0
        self.expanded = 0  # waypoints whose successors were looked for
        self.passes = 0
        self.round = 0  # of the walks
        self.effort_of_round = 0
        self.seed = seed
        self.walks: Walks | None = None  # once there were any
        self.in_archive: dict[Waypoint, int] = {}  # the nodes of waypoints
        self.considered = 0  # states that the archive had when it was looked at last
        self.view = (0, 0)  # half the width and height of what the miner sees at a time

    @property
    def nodes(self) -> int:
        """States searched so far."""
        return int(self.memory.counts[NODES])

    @property
    def effort(self) -> int:
        """All the work so far, in nodes: a measure that does not depend on the machine or its load."""
        counts = self.memory.counts
        walked = self.walks.effort if self.walks is not None else 0
        return int(counts[NODES]) + int(counts[SURVIVAL_TICKS]) + LEG_EFFORT * self.legs_tried + walked

    # ---------------------------------------------------------------- the beam search

    def start(self, state: MineState) -> Waypoint:
        """Begin a new tree with this state as its root."""
        self.waypoints = self.passes = 0
        self.root = Waypoint(None, (), copied(state), Purpose.START)
        self.mine_known = not bool(_unseen_edge(state).any())
        self._survey(state)
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

        If all of the mine is known, walks and the search for legs take turns. Otherwise walks are the last resort.
        """
        legs = self.search_legs()
        searching = True
        if not self.mine_known:
            yield from legs
            searching = False
            if self.best is not self.root:
                return  # more will be seen on the way
        walking_effort = leg_effort = 0
        while not self.best.won:
            before = self.effort
            if self.walk():
                self.consider_walks()
                return
            walking_effort += self.effort - before
            if self.effort == before and not searching:
                return
            yield
            while searching and leg_effort < walking_effort // 2:
                before = self.effort
                searching = next(legs, self) is not self
                leg_effort += self.effort - before
                if self.best.won:
                    return
                yield
            if not self.mine_known and walking_effort > LAST_RESORT_EFFORT:
                self.consider_walks()
                return

    def walk(self) -> bool:
        """Make some walks; return whether one leads out. When a round of them is over, the next one begins again at the
        root and judges states otherwise; later rounds are longer."""
        if self.walks is None:
            self.walks = Walks(self.rules, self.root.state, self.memory, self.seed)
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
            waypoint = Waypoint(here, actions, state, _purpose_of(here.state, state, actions))
            self.in_archive[waypoint] = number
            if not waypoint.won:
                self._survey(state)
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
        self.actions[:count] = actions
        self.legs_tried += 1
        settling_ticks = 0 if self.mine_known and purpose != Purpose.MAKE else SETTLING_TICKS
        if not play_leg(
            self.rules,
            end,
            self.actions,
            count,
            self.memory,
            self.reachable,
            self.queue,
            self.outlook,
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

    def _survey(self, state: MineState) -> list[int]:
        """Count the objects of the mine; `self.reachable` becomes the cells that the miner can reach."""
        survey(self.rules, state, self.reachable, self.queue, self.outlook)
        counts: list[int] = self.outlook.tolist()
        return counts

    def _judge(self, waypoint: Waypoint) -> bool:
        """Set the score of a waypoint from the last survey; return whether the mine may be winnable from there."""
        cost = cost_left(self.rules, waypoint.state, self.outlook, self.mine_known)
        if cost == UNWINNABLE:
            return False
        outlook, info = self.outlook.tolist(), waypoint.state.info
        missing, reachable = int(info[NEEDED]) - int(info[GATHERED]), outlook[REACHABLE_DIAMONDS]
        waypoint.diamonds = outlook[ALL_DIAMONDS] + int(info[GATHERED])
        waypoint.exit_open = outlook[REACHABLE_EXITS] > 0
        waypoint.score = waypoint.ticks + int(cost)
        if missing > reachable and info[MAGIC_TICKS_LEFT] < 0 and outlook[MAGIC_WALLS]:
            open_walls = int(_open_walls(waypoint.state.cells).sum())
            waypoint.score += OPEN_WALL * min(missing - reachable, open_walls)
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
            self._aim(state, state.cells == EXIT)
            yield from self._add_legs(waypoint, LEAVE, 2, Purpose.EXIT, effort)
        elif not (yield from self._wait_for_amoeba(waypoint, missing, effort)):
            if state.info[MAGIC_TICKS_LEFT] > 0 and self._survey(state)[REACHABLE_DIAMONDS] < missing:
                yield from self._make(waypoint, effort)  # diamonds can be gathered later
            if not waypoint.successors:
                yield from self._gather(waypoint, effort)
        else:
            return
        if not waypoint.successors:
            yield from self._explore(waypoint, effort)
        outlook = self._survey(state)
        can_make = outlook[BLUE_MONSTERS] or (outlook[MAGIC_WALLS] and state.info[MAGIC_TICKS_LEFT])
        too_few = outlook[REACHABLE_DIAMONDS] < missing
        stuck = all(leg.harm for leg in waypoint.successors)  # nowhere to go, or only with damage
        if (can_make and too_few) or (outlook[ALL_MONSTERS] and (stuck or (effort and too_few))):
            yield from self._hunt(waypoint, effort)
        if not waypoint.successors:
            self._wait(waypoint)
        if effort and not waypoint.successors and self._at_start(waypoint):
            self.guide[:] = 0
            yield from self._add_legs(waypoint, PUSH, 12, Purpose.PUSH, effort - 1)

    def _at_start(self, waypoint: Waypoint) -> bool:
        """Whether the plan has only aimless pushes so far, and few of them."""
        route = waypoint.route_from(self.root)
        return len(route) < MOST_AIMLESS_PUSHES and all(leg.purpose == Purpose.PUSH for leg in route)

    def _some_dirt(self, state: MineState, count: int) -> list[int]:
        """Random cells of dirt that the miner can reach."""
        self._survey(state)
        dirt = np.flatnonzero((state.cells == DIRT) & (self.reachable[: len(state.cells)] == 1)).tolist()
        return self.random.sample(dirt, min(count, len(dirt)))

    def _gather(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs to diamonds: first to the reachable ones, twice; then to those enclosed by stones.

        These are searched separately: an unreachable one would draw the search away from all others.
        """
        state = waypoint.state
        assert waypoint.successors is not None
        diamonds = state.cells == DIAMOND
        self._survey(state)
        reachable = diamonds & (self.reachable[: len(diamonds)] == 1)
        shut_in = diamonds & ~reachable
        for most in (6, 4):
            if reachable.any():
                self._aim(state, reachable)
                count = min(most, 3 * int(reachable.sum()))
                yield from self._add_legs(waypoint, GATHER, count, Purpose.DIAMOND, effort)
                for leg in waypoint.successors:
                    reachable[int(leg.state.info[MINER_CELL])] = False
        missing = int(state.info[NEEDED]) - int(state.info[GATHERED])
        too_few = int(self.outlook[REACHABLE_DIAMONDS]) < missing
        if shut_in.any() and (not waypoint.successors or (effort and too_few)):
            self._aim(state, shut_in)
            yield from self._add_legs(waypoint, GATHER, 4, Purpose.DIAMOND, effort)

    def _aim(self, state: MineState, targets: Cells) -> None:
        """Make these cells the targets of the guide."""
        self.targets[:] = targets[: len(self.targets)]
        fill_guide(state, self.guide, self.queue, self.targets)

    def _target_cells(self, *cells: int) -> Cells:
        targets = np.zeros(len(self.targets), np.bool_)
        targets[list(cells)] = True
        return targets

    def _add_legs(
        self, waypoint: Waypoint, kind: int, goals: int, purpose: Purpose, effort: int, on_the_way: int = 0
    ) -> Iterator[None]:
        """Add up to this many legs to goals of this kind."""
        state = waypoint.state
        if self.guide[int(state.info[MINER_CELL])] >= NO_PATH:
            return
        nodes, weight = EFFORT_NODES[effort], EFFORT_WEIGHTS[effort]
        query = Query(kind, goals, nodes, weight, near=NEAR_WALKING, on_the_way=on_the_way)
        for actions in self._find_paths(state, query):
            self._add(waypoint, _without_last_waits(actions) if kind == MAKE else actions, purpose)
        yield

    def _find_paths(self, state: MineState, query: Query) -> list[Actions]:
        """Sequences of actions that lead to goals, the soonest first."""
        paths = []
        for number in range(find_goals(self.rules, state, self.memory, self.guide, query)):
            count = path_to(self.memory, int(self.memory.goals[number]), self.actions)
            paths.append(tuple(self.actions[:count].tolist()))
        return paths

    def _wait(self, waypoint: Waypoint) -> None:
        """Add a leg of waiting, if that creates diamonds."""
        state = waypoint.state
        if not bool(((state.cells == AMOEBA) | (state.cells == BLAST)).any()):
            return
        trial = copied(state)
        diamonds = int((state.cells == DIAMOND).sum())
        for ticks in WAITS:
            play_all(self.rules, trial, _waiting(ticks - int(trial.info[TICK] - state.info[TICK])))
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
        size = AMOEBA_MARGIN * (missing - self._survey(state)[POSSIBLE_DIAMONDS])
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
        viewpoints = _near_marks(_unseen_edge(state), *self.view)
        targets = (viewpoints & ((cells == EMPTY) | (cells == DIRT) | (cells == DIAMOND))).ravel()
        targets[int(state.info[MINER_CELL])] = False
        if targets.any():
            self._aim(state, targets)
            yield from self._add_legs(waypoint, GO, 6, Purpose.LOOK, effort)
            successors = waypoint.successors or []
            dens = _den_walls(state)
            for leg in successors:
                leg.harm = _harm(state.cells, leg.state.cells, dens)
                leg.score += leg.harm
            if self.best.parent is waypoint:
                self.best = max(successors, key=Waypoint.value)
            if self.best_ignoring_exit.parent is waypoint:
                self.best_ignoring_exit = max(successors, key=Waypoint.value_ignoring_exit)

    def dig_somewhere(self) -> Waypoint | None:
        """A leg from the root to some reachable dirt."""
        state = self.root.state
        for cell in self._some_dirt(state, 4):
            leg = self._go(state, cell)
            if leg is not None and survives(self.rules, leg[1], self.memory, SURVIVAL_DEPTH):
                return Waypoint(self.root, *leg, Purpose.DIG)
        return None

    # ---------------------------------------------------------------- dropping stones

    def _hunt(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs at whose end a stone has been dropped on a monster or through a magic wall."""
        assert waypoint.successors is not None
        before = len(waypoint.successors)
        yield from self._make(waypoint, effort)
        if len(waypoint.successors) == before:
            yield from self._drop_stones(waypoint, self._monster_track(waypoint.state), KILL, effort)

    def _make(self, waypoint: Waypoint, effort: int) -> Iterator[None]:
        """Legs at whose end a stone falls into a magic wall, if the wall works and diamonds are missing."""
        state = waypoint.state
        assert waypoint.successors is not None
        if state.info[GATHERED] >= state.info[NEEDED] or not state.info[MAGIC_TICKS_LEFT]:
            return
        ends_amoeba = self._wall_ends_amoeba(state)
        walls = state.cells == MAGIC if ends_amoeba else _open_walls(state.cells)
        above_walls = set((np.flatnonzero(walls) - STRIDE).tolist())
        before = len(waypoint.successors)
        drops = _possible_drops(state, above_walls)
        self._aim(state, self._target_cells(*(drop.stone + STRIDE for drop in drops)))
        yield from self._add_legs(waypoint, MAKE, MADE_AT_ONCE, Purpose.MAKE, effort, self._on_the_way(state))
        if len(waypoint.successors) == before:
            yield from self._drop_stones(waypoint, above_walls, MAKE, effort)
        if state.info[MAGIC_TICKS_LEFT] < 0 and not ends_amoeba:  # the time of the wall has not begun
            yield from self._clear_under_walls(waypoint)

    def _on_the_way(self, state: MineState) -> int:
        """The diamonds that magic walls will make of stones that already fall."""
        later = copied(state)
        play_all(self.rules, later, _waiting(SETTLING_TICKS))
        return int(later.info[DIAMONDS_MADE] - state.info[DIAMONDS_MADE])

    def _wall_ends_amoeba(self, state: MineState) -> bool:
        """Whether the first stone that falls into a magic wall will turn the amoeba into diamonds."""
        info = state.info
        return bool(self.rules.magic_ends_amoeba and info[MAGIC_TICKS_LEFT] < 0 and info[AMOEBA_COUNT] > 0)

    def _clear_under_walls(self, waypoint: Waypoint) -> Iterator[None]:
        """Legs along the dirt under magic walls: what comes out of a wall needs an empty cell below it."""
        state = waypoint.state
        place = int(state.info[MINER_CELL])
        runs = sorted(_undug_runs(state.cells), key=lambda run: _distance(run[0], place))
        for first, last in runs[:MOST_RUNS]:
            ends = sorted((first, last), key=lambda cell: _distance(cell, place))
            leg = self._go_through(state, tuple(ends))
            if leg is not None:
                self._add(waypoint, leg[0], Purpose.CLEAR)
            yield

    def _drop_stones(self, waypoint: Waypoint, track: set[int], kind: int, effort: int) -> Iterator[None]:
        """Add up to two legs at whose end a stone falls onto these cells, first those that open walled-in parts."""
        assert waypoint.successors is not None
        state = waypoint.state
        self.legs_tried += HUNT_EFFORT
        before = len(waypoint.successors)
        drops = _possible_drops(state, track) + _possible_pushes(state, track)
        if kind == KILL:
            walls = _walls_of_interest(state)
            drops.sort(key=lambda drop: walls.isdisjoint(_blast_around(drop.target)))
        for drop in drops[: EFFORT_DROPS[effort]]:
            yield from self._drop(waypoint, drop, kind)
            if len(waypoint.successors) >= before + 2:
                return

    def _monster_track(self, state: MineState) -> set[int]:
        """The cells of the monsters over the next ticks, if the miner does not move."""
        trial = copied(state)
        track: set[int] = set()
        for _ in range(TRACK_TICKS):
            track.update(np.flatnonzero(_prey(trial)).tolist())
            if tick(self.rules, trial, STAY) != RUNNING:
                break
        return track

    def _drop(self, waypoint: Waypoint, drop: Drop, kind: int) -> Iterator[None]:
        """Push the stone over the edge, or dig a shaft from it to the target and then remove its support, at the right
        moment."""
        state = waypoint.state
        purpose = Purpose.KILL if kind == KILL else Purpose.MAKE
        if drop.stand >= 0:
            cleared = self._go_through(state, drop.dirt)
            yield
            if cleared is not None:
                push = RIGHT if drop.stand < drop.stone else LEFT
                actions = self._time_drop(cleared[1], {drop.stand: push}, kind, drop)
                yield
                if actions is not None:
                    self._add(waypoint, cleared[0] + actions, purpose)
            return
        support = drop.stone + STRIDE
        starts: list[tuple[Actions, MineState]] = [((), state)]
        if any(state.cells[cell] == DIRT for cell in range(support + STRIDE, drop.target, STRIDE)):
            starts = self._dig_shaft(state, support, drop.target)
            yield
        for digging, opened in starts:
            beside = {support - 1: DIG_RIGHT, support + 1: DIG_LEFT}
            actions = self._time_drop(opened, beside, kind, drop)
            yield
            if actions is not None and self._add(waypoint, digging + actions, purpose):
                break

    def _time_drop(self, state: MineState, stands: dict[int, int], kind: int, drop: Drop) -> Actions | None:
        """Go to one of these cells and make the stone fall so that it hits: the actions until the blast is over. First
        by waiting there for the right moment; if that is not possible, by a search in which the miner may also walk
        while waiting."""
        walkable = [cell for cell in stands if state.cells[cell] in (EMPTY, DIRT, DIAMOND, MINER)]
        for stand in walkable if kind == KILL else ():  # a magic wall does not wait
            leg = self._go(state, stand)
            if leg is not None:
                actions = self._wait_for_moment(leg[1], stands[stand], drop)
                if actions is not None:
                    return leg[0] + actions
        self._aim(state, self._target_cells(*walkable))
        distance = int(self.guide[int(state.info[MINER_CELL])])
        if distance >= NO_PATH:
            return None
        query = Query(
            kind,
            HUNT_GOALS,
            HUNT_NODES,
            longest=distance + HUNT_TICKS,
            support=drop.stone + STRIDE if drop.stand < 0 else -1,
            near=NEAR_HUNTING,
            on_the_way=self._on_the_way(state) if kind == MAKE else 0,
        )
        for actions in self._find_paths(state, query):
            ending = self._ending(state, actions, kind)
            if ending is not None:
                return actions + ending if kind == KILL else _without_last_waits(actions)
        return None

    def _wait_for_moment(self, state: MineState, action: int, drop: Drop) -> Actions | None:
        """Wait, then act so that the stone hits a monster; None if it never does."""
        times = drop.pushes if drop.stand >= 0 else 1
        fall = row_of(drop.target - drop.stone) + MOMENT_MARGIN
        wait = NEVER
        for _ in range(MOMENT_TRIES):
            moment = Moment(action, times, wait + 1, LONGEST_WAIT, fall)
            wait = int(find_moment(self.rules, state, self.memory, KILL, moment))
            if wait == NEVER:
                return None
            actions = (*(STAY,) * wait, *(action,) * times)
            end = copied(state)
            play_all(self.rules, end, np.array(actions, np.int8))
            for _ in range(fall):
                if int(end.info[KILLS]) > int(state.info[KILLS]) or tick(self.rules, end, STAY) != RUNNING:
                    break
                actions = (*actions, STAY)
            ending = self._ending(state, actions, KILL)
            if ending is not None:
                return actions + ending
        return None

    def _ending(self, state: MineState, actions: Actions, kind: int) -> Actions | None:
        """The waiting after these actions until the blast is over; None if they do not hit, or the miner would die."""
        end = copied(state)
        play_all(self.rules, end, np.array(actions, np.int8))
        if int(end.info[STATUS]) != RUNNING or (
            kind == KILL and int(_prey(end).sum()) >= int(_prey(state).sum())
        ):
            return None
        for wait in (self.rules.blast_ticks + 1, 0) if kind == KILL else (0,):
            trial = copied(end)
            play_all(self.rules, trial, _waiting(wait))
            if int(trial.info[STATUS]) == RUNNING and survives(
                self.rules, trial, self.memory, SURVIVAL_DEPTH
            ):
                return (STAY,) * wait
        return None

    def _go(self, state: MineState, cell: int) -> tuple[Actions, MineState] | None:
        """The actions that lead to a cell, and the state on arrival."""
        if state.cells[cell] not in (EMPTY, DIRT, DIAMOND, MINER):
            return None
        if int(state.info[MINER_CELL]) == cell:
            return (), state
        self._aim(state, self._target_cells(cell))
        if self.guide[int(state.info[MINER_CELL])] >= NO_PATH:
            return None
        for actions in self._find_paths(state, GO_QUERY):
            end = copied(state)
            play_all(self.rules, end, np.array(actions, np.int8))
            return actions, end
        return None

    def _dig_shaft(self, state: MineState, support: int, target: int) -> list[tuple[Actions, MineState]]:
        """Ways to dig the cells between the support and the target: actions, and the state after them.

        The last cell is dug without a step, from above or, if it is the only one, from the side.
        """
        top, last = support + STRIDE, target - STRIDE
        stands: list[tuple[tuple[int, ...], int]]
        if last > top:
            stands = [((top, last - STRIDE), DIG_DOWN)]
        else:
            stands = [((last - 1,), DIG_RIGHT), ((last + 1,), DIG_LEFT)]
        shafts: list[tuple[Actions, MineState]] = []
        for stops, dig in stands:
            leg = self._go_through(state, stops)
            if leg is None:
                continue
            actions, trial = leg[0], copied(leg[1])
            for wait in range(SHAFT_WAITS):
                opened = copied(trial)
                if tick(self.rules, opened, dig) == RUNNING and survives(
                    self.rules, opened, self.memory, SHAFT_SURVIVAL
                ):
                    shafts.append(((*actions, *(STAY,) * wait, dig), opened))
                    if len(shafts) >= MOST_SHAFTS:
                        return shafts
                if tick(self.rules, trial, STAY) != RUNNING:
                    break
        return shafts

    def _go_through(self, state: MineState, cells: tuple[int, ...]) -> tuple[Actions, MineState] | None:
        """The actions that lead to these cells one after the other, and the state on arrival."""
        actions: Actions = ()
        for cell in cells:
            leg = self._go(state, cell)
            if leg is None:
                return None
            actions, state = actions + leg[0], leg[1]
        return actions, state


# ------------------------------------------------------------------ questions about a state


def _purpose_of(before: MineState, after: MineState, actions: Actions) -> Purpose:
    """What a walk was good for."""
    if int(after.info[STATUS]) == WON:
        return Purpose.EXIT
    for number, purpose in (
        (GATHERED, Purpose.DIAMOND),
        (KILLS, Purpose.KILL),
        (DIAMONDS_MADE, Purpose.MAKE),
    ):
        if int(after.info[number]) > int(before.info[number]):
            return purpose
    return Purpose.PREPARE if any(actions) else Purpose.WAIT


def _value_of(end: End, exit_diamonds: int) -> tuple[int, bool, int]:
    """The value of a state of the archive, as that of waypoints."""
    return end.gathered - (0 if end.exit_open else exit_diamonds), end.exit_open, -end.score


def _without_last_waits(actions: Actions) -> Actions:
    """The actions before the waiting at their end: a stone that falls needs no miner who watches it."""
    count = len(actions)
    while count and actions[count - 1] == STAY:
        count -= 1
    return actions[:count]


def _open_walls(cells: Bytes) -> Cells:
    """The magic walls with an empty cell below."""
    walls: Cells = cells == MAGIC
    walls[:-STRIDE] &= cells[STRIDE:] == EMPTY
    return walls


def _undug_runs(cells: Bytes) -> list[tuple[int, int]]:
    """The runs of cells under magic walls that can be walked and have dirt in them: first and last cell of each."""
    under = np.flatnonzero(cells == MAGIC) + STRIDE
    walkable = [cell for cell in under.tolist() if cells[cell] in (EMPTY, DIRT, DIAMOND, MINER)]
    runs: list[tuple[int, int]] = []
    for cell in walkable:
        if runs and runs[-1][1] == cell - 1:
            runs[-1] = runs[-1][0], cell
        else:
            runs.append((cell, cell))
    return [(first, last) for first, last in runs if (cells[first : last + 1] == DIRT).any()]


def _waiting(ticks: int) -> Bytes:
    """Actions of staying."""
    return np.full(ticks, STAY, np.int8)


def monsters_in(cells: Bytes) -> Cells:
    """The cells of the monsters."""
    return (cells >= FIRST_MONSTER) & (cells <= LAST_MONSTER)


def _prey(state: MineState) -> Cells:
    """The cells of the monsters worth killing: blue ones while diamonds are missing, else all."""
    blue: Cells = state.cells == BLUE
    if int(state.info[GATHERED]) < int(state.info[NEEDED]) and bool(blue.any()):
        return blue
    return monsters_in(state.cells)


class Drop(NamedTuple):
    """A stone that could fall onto a cell."""

    rank: int  # lower is better: how far it is, and how deep it falls
    stone: int
    target: int
    stand: int = -1  # from where it is pushed over the edge; without, the dirt under it is dug away
    dirt: tuple[int, ...] = ()  # to be dug out of its way before
    pushes: int = 1


def _possible_drops(state: MineState, track: set[int]) -> list[Drop]:
    """Stones on dirt above a track, with only dirt and empty cells between, nearest first."""
    cells = state.cells
    drops = []
    for stone in np.flatnonzero(cells == STONE).tolist():
        if cells[stone + STRIDE] == DIRT:
            target = _first_below(cells, stone, track, (DIRT, EMPTY))
            if target >= 0:
                drops.append(Drop(_rank_of_drop(state, stone, target), stone, target))
    return sorted(drops)


def _possible_pushes(state: MineState, track: set[int]) -> list[Drop]:
    """Stones that can be pushed along firm ground into an empty shaft above a track, nearest first."""
    cells = state.cells
    drops = []
    for stone in np.flatnonzero(cells == STONE).tolist():
        for side in (-1, 1):
            stand = stone - side
            if cells[stand] not in (EMPTY, DIRT, DIAMOND, MINER):
                continue
            dirt: tuple[int, ...] = ()
            for edge in range(stone + side, stone + (LONGEST_PUSH + 1) * side, side):
                if cells[edge] not in (EMPTY, DIRT):
                    break
                if cells[edge] == DIRT:
                    dirt = (*dirt, edge)
                if cells[edge + STRIDE] != EMPTY and edge + STRIDE not in track:
                    continue  # firm ground
                target = _first_below(cells, edge, track, (EMPTY,))
                if target >= 0:
                    rank = _rank_of_drop(state, stone, target) + abs(edge - stone)
                    drops.append(Drop(rank, stone, target, stand, dirt[::-1], abs(edge - stone)))
                break
    return sorted(drops)


def _first_below(cells: Bytes, cell: int, track: set[int], through: tuple[int, ...]) -> int:
    """The first cell of the track below, with only such cells between; -1 if there is none near enough."""
    for below in range(cell + STRIDE, cell + (LONGEST_DROP + 1) * STRIDE, STRIDE):
        if below in track:
            return below
        if cells[below] not in through:
            break
    return -1


def _rank_of_drop(state: MineState, stone: int, target: int) -> int:
    return _distance(stone, int(state.info[MINER_CELL])) + 3 * row_of(target - stone)


def _distance(cell: int, other: int) -> int:
    return abs(column_of(cell) - column_of(other)) + abs(row_of(cell) - row_of(other))


def _blast_around(cell: int) -> list[int]:
    """The cells that a blast there would clear."""
    return [cell + down * STRIDE + right for down in (-1, 0, 1) for right in (-1, 0, 1)]


def _walls_of_interest(state: MineState) -> set[int]:
    """The walls around parts of the mine with diamonds or the exit that cannot be entered without a blast."""
    cells = state.cells
    walls = (cells == WALL) | (cells == MAGIC)
    solid = walls | (cells == SILVER) | (cells == BORDER) | (cells == UNKNOWN)
    free = (~solid).tolist()
    targets = set(np.flatnonzero((cells == DIAMOND) | (cells == EXIT)).tolist())
    targets -= _connected(free, int(state.info[MINER_CELL]))
    beside: set[int] = set()
    while targets:
        part = _connected(free, targets.pop())
        targets -= part
        beside.update(cell + step for cell in part for step in HEADING_STEPS)
    return {cell for cell in beside if 0 <= cell < len(cells) and walls[cell]}


def _connected(free: list[bool], start: int) -> set[int]:
    """The free cells connected with this one."""
    part, remaining = {start}, [start]
    while remaining:
        cell = remaining.pop()
        for step in HEADING_STEPS:
            beside = cell + step
            if beside not in part and 0 <= beside < len(free) and free[beside]:
                part.add(beside)
                remaining.append(beside)
    return part


def _unseen_edge(state: MineState) -> Cells:
    """The unknown cells beside known ones within the border (in which an exit may lie), as rows."""
    cells = state.cells.reshape(-1, STRIDE)
    known = (cells != UNKNOWN) & (cells != BORDER) & (cells != EXIT)
    beside: Cells = np.zeros_like(known)
    beside[1:] |= known[:-1]
    beside[:-1] |= known[1:]
    beside[:, 1:] |= known[:, :-1]
    beside[:, :-1] |= known[:, 1:]
    edge: Cells = beside & (cells == UNKNOWN)
    return edge


def _den_walls(state: MineState) -> list[int]:
    """The dirt that encloses monsters; none if they can reach the miner."""
    cells = state.cells
    remaining = np.flatnonzero(monsters_in(cells)).tolist()
    den, walls = set(remaining), set()
    while remaining:
        cell = remaining.pop()
        for step in HEADING_STEPS:
            beside = cell + step
            code = cells[beside]
            if code == MINER:
                return []
            if code == DIRT:
                walls.add(beside)
            elif code == EMPTY and beside not in den:
                den.add(beside)
                remaining.append(beside)
    return sorted(walls)


def _harm(before: Bytes, after: Bytes, den_walls: list[int]) -> int:
    """A penalty for stones that moved, and a larger one for stones that lost their support and for opened dens."""
    stones = np.flatnonzero(before == STONE)
    undermined = (before[stones + STRIDE] == DIRT) & (after[stones + STRIDE] != DIRT)
    opened = bool((after[den_walls] != DIRT).any())
    moved = int((after[stones] != STONE).sum())
    return MOVED_STONE * moved + UNDERMINED_STONE * (int(undermined.sum()) + opened)


def _near_marks(marks: Cells, half_width: int, half_height: int) -> Cells:
    """The cells that have a mark within a window of these half-sizes around them (by sums over rectangles)."""
    rows, columns = marks.shape
    sums = np.zeros((rows + 1, columns + 1), np.int64)
    sums[1:, 1:] = marks.cumsum(0).cumsum(1)
    row, column = np.arange(rows), np.arange(columns)
    top, bottom = np.maximum(row - half_height, 0), np.minimum(row + half_height + 1, rows)
    left, right = np.maximum(column - half_width, 0), np.minimum(column + half_width + 1, columns)
    count: NDArray[np.int64] = (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )
    return count > 0
