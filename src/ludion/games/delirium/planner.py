"""`best`: the planner.

It has a belief of the mine (`belief.Belief`), searches it for a plan that reaches the exit (`plans.PlanSearch`), and
carries out the plan:

- the *route* has the legs that it has decided on. It plans from the end of the route, so that the search continues
  while the miner walks; when a plan leads from there to the exit, it becomes part of the route;
- if it sees the whole mine and has no plan yet, it waits and searches (if waiting is safe, and for at most `patience`
  ticks), then takes the first leg of the best plan so far;
- plans do not enter unseen cells; with no diamond in reach it explores, and plans again with everything new that it
  sees;
- before it drops a stone on a monster that is not always in view, it watches until the monster moves as expected;
- when no plan succeeds, it pushes stones and digs to see what changes; finally it reports that it is stuck, waits, and
  plans again less and less often;
- when the mine differs from the belief, it simulates the route on the corrected belief and drops the part that fails.

Effort is counted in search nodes, at a rate that an ordinary machine easily reaches: `budget` seconds of it per
decision, some of which may be saved up. So the same mine is played the same way each time, however busy the machine is;
only if decisions take more than the budget by the clock on average, or one more than five times the budget, they are
stopped early.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ludion.core.clock import compile_seconds
from ludion.errors import LudionError
from ludion.games.delirium.actions import action_name
from ludion.games.delirium.belief import Belief
from ludion.games.delirium.drops import monsters_in
from ludion.games.delirium.physics import (
    AMOEBA_PHASE,
    BORDER,
    DELIRIUM,
    DIAMOND,
    DIAMONDS_MADE,
    DOWN,
    EXIT,
    GATHERED,
    GROWING,
    HEADING_STEPS,
    KILLS,
    MINER,
    MINER_CELL,
    NEEDED,
    OUT_OF_TIME,
    RUNNING,
    STATUS,
    STAY,
    UNKNOWN,
    WON,
    Bytes,
    MineState,
    cell_at,
    copied,
    empty_state,
    play_all,
    rebuild_masks,
    tick,
)
from ludion.games.delirium.plans import PlanSearch
from ludion.games.delirium.search import KILL, SURVIVAL_DEPTH, Moment, find_moment, survives
from ludion.games.delirium.waypoints import Purpose, Waypoint
from ludion.games.delirium.world import WHOLE_VIEW, Briefing, MineWorld, Percept, look
from ludion.messages import joined, message


def seconds_of_thinking() -> float:
    """A clock that stands still while machine code is compiled or loaded, which happens once."""
    return time.perf_counter() - compile_seconds()


CLOCK = seconds_of_thinking  # a benchmark on a busy machine may count its own time only
NODES_PER_SECOND = 400_000  # that count as a second of thinking
MOST_SAVED = 2  # budgets that can be saved up for one decision
LONGEST_DECISION = 5  # budgets that a decision may take by the clock
MOST_SECONDS = 3600  # that a budget may be
THINKING_WAITS = (20, 80, 100, 100)  # ticks of waiting and thinking, one after the other
LONGEST_WAIT = 20  # ticks of a planned wait before it is planned anew: an amoeba grows by chance
MOST_OUTDATED = 20  # ticks of thinking about a mine whose amoeba has grown otherwise since
LIMIT_SHARE = 6  # at most a sixth of the time limit is spent on waiting and thinking

# Decisions in a row without a plan.
DECISIONS_BEFORE_STUCK = 100
DECISIONS_BEFORE_IGNORING_EXIT = 30  # after this many, plans that block the exit are accepted
DECISIONS_BEFORE_STUCK_AGAIN = 10

MOST_AIMLESS_TRIES = 60  # number of aimless pushes and digs
LONGEST_STUCK_WAIT = 64  # ticks
QUIET_BEFORE_KILL = 24  # ticks without a surprise before a stone is dropped
MOST_WATCHING = 100  # ticks in all
SAFE_STEP_DEPTH = 10  # ticks that a step should let the miner live on

# Why an action was chosen, besides the purposes of legs: names of messages.
NOTHING, DANGER = "nothing", "danger"


@dataclass(frozen=True)
class PlannerThought:
    """Why an action was chosen."""

    reason: str  # a Purpose, NOTHING or DANGER
    action: str
    plan: tuple[str, ...]  # the actions after this one
    diamonds: int  # that the plan will have gathered
    complete: bool  # whether it ends at the exit
    surprises: int
    seconds: float
    effort: int = 0  # nodes of search for this decision
    legs: tuple[tuple[str, int], ...] = ()  # purposes of the legs ahead, with their actions

    @property
    def layer(self) -> str:
        """The reason in words."""
        return message(f"delirium.purpose.{self.reason}")

    @property
    def layers(self) -> list[tuple[str, str]]:
        """Belief, search and plan, in words."""
        legs = ", ".join(
            f"{message(f'delirium.purpose.{purpose}')} ({length})" for purpose, length in self.legs
        )
        words = {
            "belief": message("delirium.surprises", n=self.surprises),
            "search": message("delirium.searched", n=self.effort),
            "plan": legs or message("delirium.no_plan"),
        }
        return [(message(f"delirium.part.{part}"), said) for part, said in words.items()]

    def __str__(self) -> str:
        steps = message("delirium.planned_steps", n=len(self.plan))
        end = message("delirium.complete_plan" if self.complete else "delirium.plan_so_far", n=self.diamonds)
        return joined((self.layer, f"{steps}, {end}"))


class Planner:
    """The agent. `thought` says why the last action was chosen."""

    def __init__(self, briefing: Briefing, budget: float, patience: int, seed: int) -> None:
        self.rules = briefing.rules
        self.budget, self.seed = budget, seed
        self.belief = Belief(briefing)
        self._plans: PlanSearch | None = None
        self.thinking: Iterator[None] | None = None  # under way, from the end of the route on
        self.exhausted = False  # whether nothing is left to think about there
        self.outdated = 0  # ticks in which an amoeba grew otherwise than the thinking assumes
        self.hopeless_cells: Bytes | None = None  # a mine in which all searching failed
        self.decisions_left = DECISIONS_BEFORE_STUCK
        self.stuck_wait = 1  # ticks
        self.watching_left = MOST_WATCHING
        self.aimless_tries = 0
        self.route: list[Waypoint] = []
        self.actions_done = 0  # of the first leg of the route
        self.last_action: int | None = None
        self.allowance = NODES_PER_SECOND * budget  # nodes per decision
        self.saved = MOST_SAVED * self.allowance  # nodes
        self.seconds_left = LONGEST_DECISION * budget  # by the clock: on average a budget per decision
        self.patience = patience if briefing.limit < 0 else min(patience, briefing.limit // LIMIT_SHARE)
        self.waits_done = 0
        self.thought = PlannerThought(NOTHING, action_name(STAY), (), 0, False, 0, 0.0)

    @property
    def plans(self) -> PlanSearch:
        """The search for plans; there is one from the first percept on."""
        assert self._plans is not None
        return self._plans

    @property
    def nodes(self) -> int:
        return self._plans.nodes if self._plans is not None else 0

    # ---------------------------------------------------------------- decisions

    def decide(self, percept: Percept) -> int:
        begin = CLOCK()
        if self.perceive(percept):
            self._check_route()
        while self.route and self.actions_done >= len(self.route[0].actions):
            self._finish_leg()
        effort_before = self.plans.effort
        self._think(effort_before + self.allowance + max(0.0, self.saved), begin + self.seconds_left)
        if not self.route:
            self._extend_route()
        reason, action = self._next_action()
        unused = self.saved + self.allowance - (self.plans.effort - effort_before)
        self.saved = min(unused, MOST_SAVED * self.allowance)
        planned = _actions_of(self.route)[self.actions_done :]
        end = self.route[-1].state if self.route else self.belief.state
        self.thought = PlannerThought(
            reason,
            action_name(action),
            tuple(map(action_name, planned)),
            int(end.info[GATHERED]),
            self._leads_out(),
            self.belief.surprises,
            CLOCK() - begin,
            self.plans.effort - effort_before,
            tuple((leg.purpose.value, len(leg.actions)) for leg in self.route),
        )
        self.seconds_left = min(
            self.seconds_left + self.budget - self.thought.seconds, LONGEST_DECISION * self.budget
        )
        self.last_action = action
        return action

    def perceive(self, percept: Percept) -> bool:
        """Update the belief; return whether it was wrong, or more was seen."""
        changed = self.belief.update(percept, self.last_action)
        if self._plans is None or self._plans.height != self.belief.height:
            self._plans = PlanSearch(self.rules, self.belief.height, self.seed)
            self.thinking = None
            self._drop_route()
        self.plans.view = (percept.view_x, percept.view_y)
        return changed

    def _next_action(self) -> tuple[str, int]:
        """The next action of the route, or a safe one, with its reason."""
        if self.route:
            leg = self.route[0]
            self.actions_done += 1
            return leg.purpose, leg.actions[self.actions_done - 1]
        self.thinking = None  # the next tick is another start
        return DANGER, self._safe_step()

    # ---------------------------------------------------------------- the route

    def _drop_route(self) -> None:
        self.route, self.actions_done = [], 0

    def _finish_leg(self) -> None:
        """Remove the finished first leg of the route."""
        if self.route.pop(0).purpose == Purpose.LOOK:
            self.thinking = None
        self.actions_done = 0

    def _leads_out(self) -> bool:
        return bool(self.route) and self.route[-1].won

    def _check_route(self) -> None:
        """Try the route on the corrected belief, and keep the part that still works.

        If not all of the mine is known, that is at most the leg under way.
        """
        state = copied(self.belief.state)
        working: list[Waypoint] = []
        for number, leg in enumerate(self.route):
            if leg.purpose == Purpose.LOOK or (number and not self.plans.mine_known):
                break
            done = self.actions_done if number == 0 else 0
            if not self._still_works(leg, np.array(leg.actions[done:], np.int8), state):
                break
            working.append(Waypoint(None, leg.actions, copied(state), leg.purpose, leg.score, leg.exit_open))
        if not working:
            self.actions_done = 0
        self.outdated += 1
        if (
            not self.belief.only_amoeba_differs
            or len(working) < len(self.route)
            or self.outdated > MOST_OUTDATED
        ):
            self.thinking = None
        self.route = working

    def _still_works(self, leg: Waypoint, actions: Bytes, state: MineState) -> bool:
        """Whether these actions of the leg, carried out in the state, still lead to what the leg was for."""
        gathered = int(state.info[GATHERED])
        played = play_all(self.rules, state, actions)
        info, expected = state.info, leg.state.info
        if int(info[STATUS]) == WON:
            return True
        return (
            int(info[STATUS]) == RUNNING
            and played == len(actions)
            and int(info[MINER_CELL]) == int(expected[MINER_CELL])
            and (leg.purpose != Purpose.DIAMOND or int(info[GATHERED]) > gathered)
            and int(info[KILLS]) >= int(expected[KILLS])
            and int(info[DIAMONDS_MADE]) >= int(expected[DIAMONDS_MADE])
            and self._survives(state)
        )

    def _works_now(self, leg: Waypoint) -> bool:
        """Whether the leg, carried out now, leads to what it is for."""
        return self._still_works(leg, np.array(leg.actions, np.int8), copied(self.belief.state))

    def _survives(self, state: MineState) -> bool:
        return survives(self.rules, state, self.plans.legs.memory, SURVIVAL_DEPTH)

    # ---------------------------------------------------------------- thinking

    def _think(self, most_effort: float, deadline: float) -> None:
        """Search for a path to the exit from the end of the route, until it is found or effort or time is used up."""
        if self._leads_out():
            waiting, rest = self.route[0], self.route[1:]
            if rest and waiting.purpose == Purpose.THINK and self._wins_now(_actions_of(rest)):
                self.route, self.actions_done = rest, 0
            return
        if self.route and self.route[0].purpose == Purpose.STUCK:
            return
        plans = self.plans
        if self.thinking is None:
            if not self.route and self._is_hopeless():
                return
            plans.start(self.route[-1].state if self.route else self.belief.state)
            self.thinking, self.exhausted, self.hopeless_cells = plans.search(), False, None
            self.outdated = 0
        while not self.exhausted and plans.effort < most_effort and CLOCK() < deadline:
            self.exhausted = next(self.thinking, self) is self
        if plans.best_ignoring_exit is plans.root:
            self.decisions_left -= 1
            self.exhausted = self.exhausted or self.decisions_left <= 0
        if plans.best.won:
            rest = plans.best.route_from(plans.root)
            if self.route and self.route[0].purpose == Purpose.THINK and self._wins_now(_actions_of(rest)):
                self._drop_route()
            elif self.outdated and not self._wins_now(
                _actions_of(self.route)[self.actions_done :] + _actions_of(rest)
            ):
                self.thinking = None
                return
            self.route += rest

    def _is_hopeless(self) -> bool:
        """Whether nothing has changed since all searching failed."""
        return self.hopeless_cells is not None and np.array_equal(
            self.belief.state.cells, self.hopeless_cells
        )

    def _wins_now(self, actions: list[int]) -> bool:
        """Whether these actions lead out from here."""
        trial = copied(self.belief.state)
        play_all(self.rules, trial, np.array(actions, np.int8))
        return int(trial.info[STATUS]) == WON

    def _extend_route(self) -> None:
        """Choose the next step: wait and search, or take the first leg of the best plan so far."""
        plans = self.plans
        self.actions_done = 0
        if self._wait_and_think():
            return
        plans.consider_walks()
        route = plans.best.route_from(plans.root)
        tired = self.decisions_left < DECISIONS_BEFORE_STUCK - DECISIONS_BEFORE_IGNORING_EXIT
        if not route and (self.exhausted or tired):
            route = plans.best_ignoring_exit.route_from(plans.root)
        if route and self.outdated and not self._works_now(route[0]):
            self.thinking = None
        elif route and self._should_watch_first(route[0]) and self._stay(1, Purpose.WATCH):
            self.watching_left -= 1
            self.thinking = None
        elif route:
            self.decisions_left, self.stuck_wait = DECISIONS_BEFORE_STUCK, 1
            self._take(route[0])
        elif not self.exhausted:
            self._stay(THINKING_WAITS[0] if plans.mine_known else 1, Purpose.THINK)
        else:
            self._try_something()

    def _wait_and_think(self) -> bool:
        """Wait for a while, if the mine is known and there is patience left; return whether the miner waits.

        An amoeba that grows does not wait for him.
        """
        if not self.plans.mine_known or self.exhausted or self.belief.state.info[AMOEBA_PHASE] == GROWING:
            return False
        if self.waits_done >= len(THINKING_WAITS) or not self.patience:
            return False
        ticks = min(THINKING_WAITS[self.waits_done], self.patience)
        self.waits_done += 1
        self.patience -= ticks
        return self._stay(ticks, Purpose.THINK)

    def _take(self, leg: Waypoint) -> None:
        """Go this leg next; if it begins with a long wait, only wait for a while and plan again."""
        if not any(leg.actions[: LONGEST_WAIT + 1]) and self._stay(LONGEST_WAIT, Purpose.WAIT):
            return
        self.route = [leg]
        if leg.purpose == Purpose.LOOK:
            self.thinking = None
        else:
            self.plans.move_root(leg)
            self.thinking, self.exhausted = self.plans.search(), False

    def _stay(self, ticks: int, purpose: Purpose) -> bool:
        """Stay for some ticks if that is safe; return whether it is."""
        later = copied(self.belief.state)
        play_all(self.rules, later, np.full(ticks, STAY, np.int8))
        status = int(later.info[STATUS])
        if status != OUT_OF_TIME and (status != RUNNING or not self._survives(later)):
            return False
        self.route = [Waypoint(None, (STAY,) * ticks, later, purpose)]
        if not np.array_equal(later.cells, self.plans.root.state.cells):
            self.thinking = None  # objects will have moved: plan from the state after waiting
        return True

    def _should_watch_first(self, leg: Waypoint) -> bool:
        """Whether the plan kills a monster that passes unseen cells and was not watched for long enough."""
        if leg.purpose != Purpose.KILL or self.plans.mine_known:
            return False
        if self.belief.quiet_ticks >= QUIET_BEFORE_KILL or self.watching_left <= 0:
            return False
        trial = copied(self.belief.state)
        for action in leg.actions:
            for cell in np.flatnonzero(monsters_in(trial.cells)).tolist():
                if any(trial.cells[cell + step] == UNKNOWN for step in HEADING_STEPS):
                    return True
            tick(self.rules, trial, action)
        return False

    def _try_something(self) -> None:
        """No plan succeeds: drop guesses, push a stone, dig, or wait, each time longer than before."""
        self.decisions_left = DECISIONS_BEFORE_STUCK_AGAIN
        self.thinking, self.hopeless_cells = None, self.belief.state.cells.copy()
        attempt = self._aimless_leg()
        if self.belief.guesses:
            self.belief.forget_guesses()
            self._stay(1, Purpose.WAIT)
        elif attempt is not None:
            self.aimless_tries += 1
            self._take(attempt)
        elif self._stay(self.stuck_wait, Purpose.STUCK):
            self.stuck_wait = min(2 * self.stuck_wait, LONGEST_STUCK_WAIT)

    def _aimless_leg(self) -> Waypoint | None:
        """An aimless push or dig, if there were not too many already."""
        plans = self.plans
        if self.aimless_tries >= MOST_AIMLESS_TRIES:
            return None
        pushes = [leg for leg in plans.root.successors or () if leg.purpose == Purpose.PUSH]
        if self.aimless_tries % 2 or not pushes:
            return plans.dig_somewhere()
        return plans.random.choice(pushes)

    def _safe_step(self) -> int:
        """Stay if that is safe, else take a safe step; at worst one that is not deadly at once."""
        best_safety, best_action = -1, STAY
        for action in range(STAY, DOWN + 1):
            trial = copied(self.belief.state)
            status = tick(self.rules, trial, action)
            if status == WON:
                return action
            safety = 0
            if status == RUNNING:
                safety = 2 if survives(self.rules, trial, self.plans.legs.memory, SAFE_STEP_DEPTH) else 1
            if safety > best_safety:
                best_safety, best_action = safety, action
            if best_safety == 2:
                break
        return best_action


def _actions_of(route: list[Waypoint]) -> list[int]:
    return [action for leg in route for action in leg.actions]


def _warm_up() -> None:
    """Load the machine code before the first decision is timed, by solving a tiny mine."""
    state = empty_state(5, 5)
    state.cells[:] = BORDER
    place = cell_at(1, 1)
    for cell, code in ((place, MINER), (place + 1, DIAMOND), (place + 2, EXIT)):
        state.cells[cell] = code
    state.info[MINER_CELL], state.info[NEEDED] = place, 1
    rebuild_masks(state)
    plans = PlanSearch(DELIRIUM, 5, 0)
    plans.start(state)
    for _ in plans.search_legs():
        pass
    plans.walk()
    plans.move_root(plans.root)
    play_all(DELIRIUM, copied(state), np.full(1, STAY, np.int8))
    survives(DELIRIUM, state, plans.legs.memory, 1)
    find_moment(DELIRIUM, state, plans.legs.memory, KILL, Moment(STAY, 1, 0, 1, 1))
    tick(DELIRIUM, state, STAY)


def make(briefing: Briefing, budget: float = 0.2, patience: int = 300, seed: int = 0) -> Planner:
    """The planner: `budget` seconds per decision on average (five times that at most), and up to `patience` ticks of
    waiting while he thinks about a mine that he sees as a whole.
    """
    if not 0 < budget <= MOST_SECONDS:
        raise LudionError(message("delirium.bad_budget", budget=budget, most=MOST_SECONDS))
    if patience < 0:
        raise LudionError(message("delirium.bad_patience", patience=patience))
    _warm_up()
    return Planner(briefing, budget, patience, seed)


def find_solution(world: MineWorld, nodes: int) -> tuple[int, ...] | None:
    """A sequence of actions that wins, if one is found within this many nodes; the same one each time."""
    planner = Planner(world.briefing, 0.0, 0, 0)
    whole = world.copy()
    whole.view_x = whole.view_y = WHOLE_VIEW
    planner.perceive(look(whole))
    plans = planner.plans
    root = plans.start(planner.belief.state)
    for _ in plans.search():
        if plans.effort >= nodes:
            break
    if not plans.best.won:
        return None
    return tuple(_actions_of(plans.best.route_from(root)))
