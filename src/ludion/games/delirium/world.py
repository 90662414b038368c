# mypy: disable-error-code="untyped-decorator"
"""The world of the quest: a mine in motion, what its miner sees of it, and what he may do.

The percept is what the game hands to an agent's `move/12`, in its order; the twelfth argument is the answer:

    cells        L        codes of the cells in view, row by row from the top left
    properties   LP       a monster's heading (0 right, 1 up, 2 left, 3 down), 1 for what falls
    x, y         X, Y     where the miner is; the border is row and column 0
    position     Pos      index of the miner in `cells`
    row          Size     cells in a row of the view
    can_exit     CGE      1 once enough diamonds are gathered
    energy       Energy   always full here: nothing uses it up
    gathered     GEnergy  0 here: stones are not thrown
    view_x, view_y        half the width and height of the view, which is clipped at the border

The game does not document what LP holds; headings and falling are our choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.errors import LudionError
from ludion.games.delirium.maps import MOST_COLUMNS, MOST_ROWS, Mine, read_map, write_actions, write_bdcff
from ludion.games.delirium.physics import (
    BLAST,
    DIG_DOWN,
    EMPTY,
    ENLARGE,
    FATES,
    GOT,
    KILLS,
    LIMIT,
    NEED,
    PLACE,
    RUNNING,
    SHIFT,
    STATUS,
    STRIDE,
    TICK,
    WON,
    Rules,
    State,
    copied,
    tick,
)
from ludion.kinds import quest

WHOLE = max(MOST_COLUMNS, MOST_ROWS)  # a view that takes in every mine
ENERGY = 500


class Game(NamedTuple):
    """What is known of a level before it is seen: the rules and the goals, as the game's display tells
    them.
    """

    rules: Rules
    need: int  # diamonds
    limit: int  # ticks, -1 without


class Percept(NamedTuple):
    """What the miner sees; the arguments of `move/12` but for the answer."""

    cells: list[int]
    properties: list[int]
    x: int
    y: int
    position: int
    row: int
    can_exit: int
    energy: int
    gathered: int
    view_x: int
    view_y: int

    @property
    def here(self) -> tuple[int, int]:
        """Where the miner is."""
        return self.x, self.y

    @property
    def window(self) -> tuple[int, int, int, int]:
        """The part of the mine in view: left, top, width, height."""
        left, top = self.x - self.position % self.row, self.y - self.position // self.row
        return left, top, self.row, len(self.cells) // self.row

    def grid(self) -> Any:
        """The cells as an array of rows."""
        return np.array(self.cells, np.int8).reshape(-1, self.row)


class World:
    """A mine in motion."""

    def __init__(self, mine: Mine, view: int = 0, seed: int = 0, **settings: int) -> None:
        self.mine = mine
        self.rules = mine.rule_set()._replace(**settings)
        self.state: State = mine.state(seed)
        self.view_x = self.view_y = view or WHOLE
        self.actions: list[int] = []

    @property
    def game(self) -> Game:
        return Game(self.rules, self.mine.need, self.mine.limit)

    @property
    def ticks(self) -> int:
        return int(self.state.info[TICK])

    @property
    def diamonds(self) -> int:
        return int(self.state.info[GOT])

    @property
    def fate(self) -> str:
        """running, won, or how it went wrong: crushed, caught, blown up, out of time."""
        return FATES[int(self.state.info[STATUS])]

    def copy(self) -> World:
        """The same world, moving on its own."""
        twin = object.__new__(World)
        twin.mine, twin.rules, twin.state = self.mine, self.rules, copied(self.state)
        twin.view_x, twin.view_y, twin.actions = self.view_x, self.view_y, list(self.actions)
        return twin


@quest.percept.register(World)
def look(world: World) -> Percept:
    """What the miner sees now."""
    info = world.state.info
    place = int(info[PLACE])
    x, y = place & (STRIDE - 1), place >> SHIFT
    left, right = max(0, x - world.view_x), min(world.mine.width - 1, x + world.view_x)
    top, bottom = max(0, y - world.view_y), min(world.mine.height - 1, y + world.view_y)
    window = (slice(top, bottom + 1), slice(left, right + 1))
    cells = world.state.cells.reshape(-1, STRIDE)[window]
    properties = world.state.aux.reshape(-1, STRIDE)[window]
    size = right - left + 1
    return Percept(
        np.where(cells == BLAST, EMPTY, cells).ravel().tolist(),
        properties.ravel().tolist(),
        x,
        y,
        (y - top) * size + x - left,
        size,
        int(info[GOT] >= info[NEED]),
        ENERGY,
        0,
        world.view_x,
        world.view_y,
    )


@quest.act.register(World)
def act(world: World, action: Any) -> World:
    """Carry out an action: 0 to 8, or 100000 to enlarge the view, which takes no time while it enlarges
    anything.
    """
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise quest.IllegalActionError(f"{action!r} is no action (0 to {DIG_DOWN}, or {ENLARGE})")
    if action == ENLARGE and min(world.view_x, world.view_y) < WHOLE:
        world.view_x, world.view_y = min(world.view_x + 1, WHOLE), min(world.view_y + 1, WHOLE)
    elif action == ENLARGE or 0 <= action <= DIG_DOWN:
        tick(world.rules, world.state, int(action) if action != ENLARGE else 0)
    else:
        raise quest.IllegalActionError(f"{action} is no action (0 to {DIG_DOWN}, or {ENLARGE})")
    world.actions.append(int(action))
    return world


@quest.outcome.register(World)
def outcome(world: World) -> str:
    status = int(world.state.info[STATUS])
    return quest.RUNNING if status == RUNNING else quest.WON if status == WON else quest.LOST


# ------------------------------------------------------------------ for the card


def read(
    text: str,
    rules: str = "",
    view: str = "0",
    seed: str = "0",
    cave: str = "",
    tie: str = "left",
    monsters: str = "last",
    push: str = "100",
    ticks: str = "",
) -> tuple[Game, World]:
    """The world that a map describes, after the actions that the text says were played."""
    mine = read_map(text, cave, rules)
    settings = {
        "tie": _choice("tie", tie, ("left", "right", "random")),
        "monsters_first": _choice("monsters", monsters, ("last", "first")),
        "push_chance": _count("push", push, 1, 100),
    }
    world = World(mine, _count("view", view, 0, WHOLE), _count("seed", seed, -(1 << 40), 1 << 40), **settings)
    if ticks:
        world.state.info[LIMIT] = _count("ticks", ticks, -1, 1 << 40)
    for number, action in enumerate(mine.actions, 1):
        if outcome(world) != quest.RUNNING:
            raise LudionError(f"action {number} comes after the end")
        act(world, action)
    return world.game, world


def _choice(name: str, value: str, choices: tuple[str, ...]) -> int:
    if value not in choices:
        raise LudionError(f"{name} is {', '.join(choices[:-1])} or {choices[-1]}, not '{value}'")
    return choices.index(value)


def _count(name: str, value: str, least: int, most: int) -> int:
    try:
        number = int(value)
    except ValueError:
        raise LudionError(f"{name} must be a number, not '{value}'") from None
    if not least <= number <= most:
        raise LudionError(f"{name} must be from {least} to {most}, not {number}")
    return number


def write(game: Game, world: World) -> str:
    """The world as a BDCFF cave with the actions played so far: a replay."""
    from dataclasses import replace

    return write_bdcff(replace(world.mine, actions=tuple(world.actions)))


def report(record: Any) -> dict[str, Any]:
    """What else there is to tell of a run."""
    world = record.world
    return {
        "fate": world.fate,
        "ticks": world.ticks,
        "diamonds": world.diamonds,
        "need": world.mine.need,
        "kills": int(world.state.info[KILLS]),
        "replay": write_actions(record.actions),
    }
