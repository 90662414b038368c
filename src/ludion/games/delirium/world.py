"""The world of the quest: a mine in motion, the percept of its miner, and his actions.

The percept is what the game passes to an agent's `move/12`, in its order; the twelfth argument is the answer:

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

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ludion.errors import LudionError
from ludion.games.delirium.actions import ACTIONS, action_name, parse_action, write_actions
from ludion.games.delirium.bdcff import write_bdcff
from ludion.games.delirium.maps import read_map
from ludion.games.delirium.mine import MOST_COLUMNS, MOST_ROWS, NO_LIMIT, Mine
from ludion.games.delirium.physics import (
    BLAST,
    DIG_DOWN,
    EMPTY,
    ENLARGE_VIEW,
    FATES,
    GATHERED,
    KILLS,
    MINER_CELL,
    NEEDED,
    RUNNING,
    STATUS,
    STAY,
    STRIDE,
    TICK,
    TIME_LIMIT,
    WON,
    Bytes,
    MineState,
    RuleSet,
    column_of,
    copied,
    row_of,
    tick,
)
from ludion.kinds import quest
from ludion.messages import message

WHOLE_VIEW = max(MOST_COLUMNS, MOST_ROWS)  # half the size of a view that takes in every mine
FULL_ENERGY = 500
MOST_SEED = 1 << 40
MOST_TICKS = 1 << 40
TIES = ("left", "right", "random")  # in the order of RuleSet.tie
MONSTER_ORDERS = ("last", "first")  # in the order of RuleSet.monsters_first


class Briefing(NamedTuple):
    """The rules and goals of a level, known in advance, as the game's display shows them."""

    rules: RuleSet
    need: int  # diamonds that open the exit
    limit: int  # ticks, -1 without


class Percept(NamedTuple):
    """What the miner sees: the arguments of `move/12` except the answer."""

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

    def grid(self) -> Bytes:
        """The cells as an array of rows."""
        return np.array(self.cells, np.int8).reshape(-1, self.row)

    def property_grid(self) -> Bytes:
        """The properties as an array of rows."""
        return np.array(self.properties, np.int8).reshape(-1, self.row)


class MineWorld:
    """A mine in motion."""

    def __init__(self, mine: Mine, view: int = 0, seed: int = 0, **settings: int) -> None:
        self.mine = mine
        self.rules = mine.rule_set()._replace(**settings)
        self.state: MineState = mine.state(seed)
        self.view_x = self.view_y = view or WHOLE_VIEW
        self.actions: list[int] = []

    @property
    def briefing(self) -> Briefing:
        return Briefing(self.rules, self.mine.need, self.mine.limit)

    @property
    def ticks(self) -> int:
        return int(self.state.info[TICK])

    @property
    def diamonds(self) -> int:
        return int(self.state.info[GATHERED])

    @property
    def fate(self) -> str:
        """running, won, or how the miner lost: crushed, caught, blown up, out of time."""
        return FATES[int(self.state.info[STATUS])]

    def copy(self) -> MineWorld:
        """A copy of the world that moves independently."""
        twin = object.__new__(MineWorld)
        twin.mine, twin.rules, twin.state = self.mine, self.rules, copied(self.state)
        twin.view_x, twin.view_y, twin.actions = self.view_x, self.view_y, list(self.actions)
        return twin


@quest.percept.register(MineWorld)
def look(world: MineWorld) -> Percept:
    """What the miner sees now."""
    info = world.state.info
    place = int(info[MINER_CELL])
    x, y = column_of(place), row_of(place)
    left, right = max(0, x - world.view_x), min(world.mine.width - 1, x + world.view_x)
    top, bottom = max(0, y - world.view_y), min(world.mine.height - 1, y + world.view_y)
    window = (slice(top, bottom + 1), slice(left, right + 1))
    cells = world.state.cells.reshape(-1, STRIDE)[window]
    details = world.state.details.reshape(-1, STRIDE)[window]
    width = right - left + 1
    return Percept(
        cells=np.where(cells == BLAST, EMPTY, cells).ravel().tolist(),
        properties=details.ravel().tolist(),
        x=x,
        y=y,
        position=(y - top) * width + x - left,
        row=width,
        can_exit=int(info[GATHERED] >= info[NEEDED]),
        energy=FULL_ENERGY,
        gathered=0,
        view_x=world.view_x,
        view_y=world.view_y,
    )


@quest.act.register(MineWorld)
def act(world: MineWorld, action: object) -> MineWorld:
    """Carry out an action: 0 to 8, or 100000 to enlarge the view, which takes no time while the view grows."""
    if isinstance(action, bool) or not isinstance(action, (int, np.integer)):
        raise _illegal(repr(action))
    if action == ENLARGE_VIEW and min(world.view_x, world.view_y) < WHOLE_VIEW:
        world.view_x, world.view_y = min(world.view_x + 1, WHOLE_VIEW), min(world.view_y + 1, WHOLE_VIEW)
    elif action == ENLARGE_VIEW or STAY <= action <= DIG_DOWN:
        tick(world.rules, world.state, int(action) if action != ENLARGE_VIEW else STAY)
    else:
        raise _illegal(str(action))
    world.actions.append(int(action))
    return world


def _illegal(action: str) -> quest.IllegalActionError:
    return quest.IllegalActionError(
        message("delirium.illegal_action", action=action, last=DIG_DOWN, enlarge=ENLARGE_VIEW)
    )


@quest.outcome.register(MineWorld)
def outcome(world: MineWorld) -> str:
    status = int(world.state.info[STATUS])
    return quest.RUNNING if status == RUNNING else quest.WON if status == WON else quest.LOST


# ------------------------------------------------------------------ for the game's description


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
) -> tuple[Briefing, MineWorld]:
    """The world that a map describes, after the actions that are in the text."""
    mine = read_map(text, cave, rules)
    world = MineWorld(
        mine,
        _number_option("view", view, 0, WHOLE_VIEW),
        _number_option("seed", seed, -MOST_SEED, MOST_SEED),
        tie=_choice_option("tie", tie, TIES),
        monsters_first=_choice_option("monsters", monsters, MONSTER_ORDERS),
        push_chance=_number_option("push", push, 1, 100),
    )
    if ticks:
        world.state.info[TIME_LIMIT] = _number_option("ticks", ticks, NO_LIMIT, MOST_TICKS)
    for number, action in enumerate(mine.actions, 1):
        if outcome(world) != quest.RUNNING:
            raise LudionError(message("delirium.action_after_end", number=number))
        act(world, action)
    return world.briefing, world


def _choice_option(name: str, value: str, choices: tuple[str, ...]) -> int:
    """The index of the choice."""
    if value not in choices:
        first, last = ", ".join(choices[:-1]), choices[-1]
        raise LudionError(message("delirium.bad_choice", option=name, first=first, last=last, value=value))
    return choices.index(value)


def _number_option(name: str, value: str, least: int, most: int) -> int:
    try:
        number = int(value)
    except ValueError:
        raise LudionError(message("delirium.option_not_a_number", option=name, value=value)) from None
    if not least <= number <= most:
        raise LudionError(
            message("delirium.option_out_of_range", option=name, least=least, most=most, number=number)
        )
    return number


def write(rules: Briefing, world: MineWorld) -> str:
    """The world as a BDCFF cave with the actions played so far: a replay."""
    return write_bdcff(replace(world.mine, actions=tuple(world.actions)))


def actions(rules: Briefing, world: MineWorld) -> list[int]:
    """The actions that take a tick, in a fixed order; none when the game is over.

    Each of them is legal everywhere: one that cannot be carried out is a tick of waiting.
    """
    return list(ACTIONS) if outcome(world) == quest.RUNNING else []


def read_action(rules: Briefing, world: MineWorld, text: str) -> int:
    """The action with this name (`left`, `dig-left`), number or letter."""
    return parse_action(text)


def write_action(rules: Briefing, world: MineWorld, action: object) -> str:
    """The name of an action; any other value unchanged."""
    return action_name(action)


def report(record: quest.Record) -> dict[str, int | str]:
    """Further results of a run."""
    world: MineWorld = record.world
    return {
        "fate": world.fate,
        "ticks": world.ticks,
        "diamonds": world.diamonds,
        "need": world.mine.need,
        "kills": int(world.state.info[KILLS]),
        "replay": write_actions(record.actions),
    }
