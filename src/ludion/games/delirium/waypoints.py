"""Waypoints: the ends of the legs of a plan."""

from __future__ import annotations

from enum import StrEnum

from ludion.games.delirium.physics import (
    DIAMONDS_MADE,
    GATHERED,
    KILLS,
    MINER_CELL,
    NEEDED,
    OBJECT_HASH,
    STATUS,
    TICK,
    WON,
    MineState,
)

OPEN_EXIT_DIAMONDS = 15  # an open path to the exit is worth this many diamonds

Actions = tuple[int, ...]
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


def purpose_of(before: MineState, after: MineState, actions: Actions) -> Purpose:
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
