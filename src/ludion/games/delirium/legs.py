"""Searches for single legs: the way to a cell, and what it takes to let a stone fall at the right moment.

A stone falls if the dirt under it is dug away or if it is pushed over an edge. Before that, a shaft to its target may
have to be dug, and the miner waits until a monster will be below.
"""

from __future__ import annotations

import numpy as np

from ludion.games.delirium.drops import Cells, Drop, prey
from ludion.games.delirium.physics import (
    DIAMOND,
    DIAMONDS_MADE,
    DIG_DOWN,
    DIG_LEFT,
    DIG_RIGHT,
    DIRT,
    EMPTY,
    KILLS,
    MINER,
    MINER_CELL,
    RUNNING,
    STATUS,
    STAY,
    STRIDE,
    Bytes,
    MineState,
    RuleSet,
    cells_in,
    copied,
    play_all,
    row_of,
    tick,
)
from ludion.games.delirium.search import (
    GO,
    KILL,
    MAKE,
    NEVER,
    NO_PATH,
    OUTLOOK_SIZE,
    SURVIVAL_DEPTH,
    Moment,
    Query,
    fill_guide,
    find_goals,
    find_moment,
    path_to,
    search_memory,
    survey,
    survives,
)
from ludion.games.delirium.waypoints import Actions

NEAR_WALKING, NEAR_HUNTING = 6, 24  # Query.near: on the way somewhere, while lying in wait for a monster
GO_QUERY = Query(GO, goals=1, nodes=6_000, weight=120, near=NEAR_WALKING)
HUNT_GOALS, HUNT_NODES, HUNT_TICKS = 6, 15_000, 60  # HUNT_TICKS beyond the way to the stone
LONGEST_WAIT, MOMENT_TRIES, MOMENT_MARGIN = 100, 3, 4  # for the right moment to drop a stone; ticks to spare
SHAFT_WAITS, SHAFT_SURVIVAL, MOST_SHAFTS = 8, 6, 4
TRACK_TICKS = 80  # for which the paths of monsters are followed
SETTLING_TICKS = 12  # after which what was falling lies


class LegSearch:
    """Searches for legs in mines of one height, with the memory that they share."""

    def __init__(self, rules: RuleSet, height: int) -> None:
        self.rules = rules
        self.memory = search_memory(height)
        size = cells_in(height)
        self.guide = np.zeros(size, np.int32)
        self.queue = np.zeros(4 * size, np.int64)
        self.reachable = np.zeros(size, np.int8)
        self.targets = np.zeros(size, np.int8)
        self.outlook = np.zeros(OUTLOOK_SIZE, np.int64)
        self.actions = np.zeros(20_000, np.int8)

    def survey(self, state: MineState) -> list[int]:
        """Count the objects of the mine; `self.reachable` becomes the cells that the miner can reach."""
        survey(self.rules, state, self.reachable, self.queue, self.outlook)
        counts: list[int] = self.outlook.tolist()
        return counts

    def aim(self, state: MineState, targets: Cells) -> None:
        """Make these cells the targets of the guide."""
        self.targets[:] = targets[: len(self.targets)]
        fill_guide(state, self.guide, self.queue, self.targets)

    def target_cells(self, *cells: int) -> Cells:
        targets = np.zeros(len(self.targets), np.bool_)
        targets[list(cells)] = True
        return targets

    def find_paths(self, state: MineState, query: Query) -> list[Actions]:
        """Sequences of actions that lead to goals, the soonest first."""
        paths = []
        for number in range(find_goals(self.rules, state, self.memory, self.guide, query)):
            count = path_to(self.memory, int(self.memory.goals[number]), self.actions)
            paths.append(tuple(self.actions[:count].tolist()))
        return paths

    def on_the_way(self, state: MineState) -> int:
        """The diamonds that magic walls will make of stones that already fall."""
        later = copied(state)
        play_all(self.rules, later, waiting(SETTLING_TICKS))
        return int(later.info[DIAMONDS_MADE] - state.info[DIAMONDS_MADE])

    def monster_track(self, state: MineState) -> set[int]:
        """The cells of the monsters over the next ticks, if the miner does not move."""
        trial = copied(state)
        track: set[int] = set()
        for _ in range(TRACK_TICKS):
            track.update(np.flatnonzero(prey(trial)).tolist())
            if tick(self.rules, trial, STAY) != RUNNING:
                break
        return track

    def time_drop(self, state: MineState, stands: dict[int, int], kind: int, drop: Drop) -> Actions | None:
        """Go to one of these cells and make the stone fall so that it hits: the actions until the blast is over. First
        by waiting there for the right moment; if that is not possible, by a search in which the miner may also walk
        while waiting."""
        walkable = [cell for cell in stands if state.cells[cell] in (EMPTY, DIRT, DIAMOND, MINER)]
        for stand in walkable if kind == KILL else ():  # a magic wall does not wait
            leg = self.go(state, stand)
            if leg is not None:
                actions = self.wait_for_moment(leg[1], stands[stand], drop)
                if actions is not None:
                    return leg[0] + actions
        self.aim(state, self.target_cells(*walkable))
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
            on_the_way=self.on_the_way(state) if kind == MAKE else 0,
        )
        for actions in self.find_paths(state, query):
            ending = self.ending(state, actions, kind)
            if ending is not None:
                return actions + ending if kind == KILL else without_last_waits(actions)
        return None

    def wait_for_moment(self, state: MineState, action: int, drop: Drop) -> Actions | None:
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
            ending = self.ending(state, actions, KILL)
            if ending is not None:
                return actions + ending
        return None

    def ending(self, state: MineState, actions: Actions, kind: int) -> Actions | None:
        """The waiting after these actions until the blast is over; None if they do not hit, or the miner would die."""
        end = copied(state)
        play_all(self.rules, end, np.array(actions, np.int8))
        if int(end.info[STATUS]) != RUNNING or (
            kind == KILL and int(prey(end).sum()) >= int(prey(state).sum())
        ):
            return None
        for wait in (self.rules.blast_ticks + 1, 0) if kind == KILL else (0,):
            trial = copied(end)
            play_all(self.rules, trial, waiting(wait))
            if int(trial.info[STATUS]) == RUNNING and survives(
                self.rules, trial, self.memory, SURVIVAL_DEPTH
            ):
                return (STAY,) * wait
        return None

    def go(self, state: MineState, cell: int) -> tuple[Actions, MineState] | None:
        """The actions that lead to a cell, and the state on arrival."""
        if state.cells[cell] not in (EMPTY, DIRT, DIAMOND, MINER):
            return None
        if int(state.info[MINER_CELL]) == cell:
            return (), state
        self.aim(state, self.target_cells(cell))
        if self.guide[int(state.info[MINER_CELL])] >= NO_PATH:
            return None
        for actions in self.find_paths(state, GO_QUERY):
            end = copied(state)
            play_all(self.rules, end, np.array(actions, np.int8))
            return actions, end
        return None

    def dig_shaft(self, state: MineState, support: int, target: int) -> list[tuple[Actions, MineState]]:
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
            leg = self.go_through(state, stops)
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

    def go_through(self, state: MineState, cells: tuple[int, ...]) -> tuple[Actions, MineState] | None:
        """The actions that lead to these cells one after the other, and the state on arrival."""
        actions: Actions = ()
        for cell in cells:
            leg = self.go(state, cell)
            if leg is None:
                return None
            actions, state = actions + leg[0], leg[1]
        return actions, state


def without_last_waits(actions: Actions) -> Actions:
    """The actions before the waiting at their end: a stone that falls needs no miner who watches it."""
    count = len(actions)
    while count and actions[count - 1] == STAY:
        count -= 1
    return actions[:count]


def waiting(ticks: int) -> Bytes:
    """Actions of staying."""
    return np.full(ticks, STAY, np.int8)
