"""A mine before the first tick, as a value that maps are read into and written from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ludion.core.words import signed
from ludion.errors import NotationError
from ludion.games.delirium.physics import (
    AMOEBA,
    AWAKE,
    BLAST,
    BLAST_PRODUCT_BITS,
    BLOWN_UP,
    BLUE,
    BORDER,
    BOULDER_DASH,
    DELIRIUM,
    DIAMOND,
    DOLL,
    EXIT,
    GATHERED,
    GREEN,
    INBOX,
    LEAVES_BLUE,
    LEAVES_DIAMOND,
    LEAVES_STONE,
    MAGIC,
    MINER,
    MINER_CELL,
    NEEDED,
    PURPLE,
    RANDOM_STATE,
    SECOND_MINER,
    SLIME_RANDOM,
    STATUS,
    STAY,
    STONE,
    TICK,
    TIME_LIMIT,
    MineState,
    RuleSet,
    cell_at,
    empty_state,
    rebuild_masks,
    tick,
)
from ludion.messages import message

RULE_SETS = {"delirium": DELIRIUM, "boulder-dash": BOULDER_DASH}
TICKS_PER_SECOND = 10  # under the delirium rules: the times in maps are in seconds
MOST_COLUMNS, MOST_ROWS = 62, 128  # border included
MOST_DIAMONDS, MOST_SECONDS, MOST_POINTS = 1_000_000, 10_000_000, 1_000_000_000  # that a map may ask for
NO_LIMIT = -1  # of seconds or ticks
CELLS_OF_A_BLAST = 9

# The generator of pseudo-random numbers starts from SEED_FACTOR * seed + SEED_OFFSET.
SEED_FACTOR, SEED_OFFSET = 0x9E3779B1, 12345


class CaveClock(NamedTuple):
    """The timing of a cave of Boulder Dash: the speed, and the delay until the miner is born."""

    tick: int = 137  # milliseconds
    second: int = 1000  # milliseconds of a second of the game: 1200 where the C64's clock was slow (PAL)
    hatching: int = 0  # ticks before the clock starts; 0 if the miner is there from the beginning

    @property
    def birth(self) -> int:
        """Ticks before the miner can act: the door opens in every other tick, and being born takes three."""
        return self.hatching + 2 - self.hatching % 2 + 3 if self.hatching else 0

    def ticks(self, seconds: int) -> int:
        return -(-seconds * self.second // self.tick)

    def seconds(self, ticks: int) -> int:
        """The seconds that correspond to this many ticks."""
        return round(ticks * self.tick / self.second)


class MapError(NotationError):
    """A text that is not a map, or a map that nobody could win."""


@dataclass(frozen=True)
class Mine:
    """A mine before the first tick, border included."""

    name: str
    rows: tuple[tuple[int, ...], ...]  # codes of cells
    need: int  # diamonds that open the exit
    seconds: int = NO_LIMIT
    rules: str = "delirium"  # name of the rule set
    details: dict[tuple[int, int], int] = field(default_factory=dict)  # (row, column) -> heading, falling
    settings: dict[str, int] = field(default_factory=dict)  # numbers of the rule set that the map changes
    actions: tuple[int, ...] = ()  # already played
    points: int = 10
    clock: CaveClock = field(default_factory=CaveClock)  # counts under the rules of boulder-dash
    slime_seed: int = 0x1E  # of the C64's pseudo-random numbers, two bytes

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    @property
    def limit(self) -> int:
        """The time limit in ticks, from the birth of the miner, or NO_LIMIT."""
        if self.seconds < 0:
            return NO_LIMIT
        if self.rules == "delirium":
            return self.seconds * TICKS_PER_SECOND
        return max(1, self.clock.ticks(self.seconds) - (self.clock.birth - self.clock.hatching))

    @property
    def most_diamonds(self) -> int:
        """An upper bound on the number of diamonds."""
        count = Counter(code for row in self.rows for code in row)
        if count[AMOEBA]:
            return MOST_DIAMONDS
        births = Counter(self.details.get(place, 0) & BLAST_PRODUCT_BITS for place in self.find(BLAST))
        blue = count[BLUE] + count[PURPLE] + births[LEAVES_BLUE]
        diamonds = count[DIAMOND] + births[LEAVES_DIAMOND]
        stones = count[STONE] + births[LEAVES_STONE] + CELLS_OF_A_BLAST * count[GREEN]
        if diamonds + stones + count[SECOND_MINER] + count[DOLL]:  # something that makes monsters explode
            diamonds += CELLS_OF_A_BLAST * blue
        return diamonds + stones if count[MAGIC] else diamonds

    def find(self, code: int) -> list[tuple[int, int]]:
        """The cells with this code, as (row, column)."""
        return [(r, c) for r, row in enumerate(self.rows) for c, each in enumerate(row) if each == code]

    def validated(self) -> Mine:
        """The mine itself; an error unless it has one miner, an exit, and enough diamonds or a source of diamonds."""
        label = message("delirium.named_map", name=self.name) if self.name else message("delirium.this_map")
        miners = len(self.find(MINER))
        if miners == 0:
            raise MapError(message("delirium.no_miner", label=label))
        if miners > 1:
            raise MapError(message("delirium.several_miners", label=label, count=miners))
        if not self.find(EXIT):
            raise MapError(message("delirium.no_exit", label=label))
        if self.most_diamonds < self.need:
            raise MapError(
                message("delirium.too_few_diamonds", label=label, need=self.need, most=self.most_diamonds)
            )
        if self.width > MOST_COLUMNS or self.height > MOST_ROWS:
            raise MapError(
                message(
                    "delirium.map_too_large",
                    label=label,
                    width=self.width - 2,
                    height=self.height - 2,
                    most_width=MOST_COLUMNS - 2,
                    most_height=MOST_ROWS - 2,
                )
            )
        return self

    def rule_set(self) -> RuleSet:
        """The numbers of the rule set, with those that the map changes."""
        return RULE_SETS[self.rules]._replace(**self.settings)

    def state(self, seed: int = 0) -> MineState:
        """The state before the first tick of the miner: a cave of Boulder Dash moves before he is born."""
        state = empty_state(self.width, self.height)
        for r, row in enumerate(self.rows):
            for c, code in enumerate(row):
                state.cells[cell_at(r, c)] = code
                state.details[cell_at(r, c)] = self.details.get((r, c), 0)
        state.info[MINER_CELL] = cell_at(*self.find(MINER)[0])
        state.info[NEEDED], state.info[GATHERED], state.info[TIME_LIMIT] = self.need, 0, self.limit
        state.info[RANDOM_STATE] = signed(seed * SEED_FACTOR + SEED_OFFSET)
        state.info[SLIME_RANDOM] = self.slime_seed
        rebuild_masks(state)
        if self.rules == "boulder-dash" and self.clock.birth:
            self._hatch(state)
        return state

    def _hatch(self, state: MineState) -> None:
        """Run the cave until the miner is born."""
        rules, info = self.rule_set(), state.info
        state.cells[(state.cells == MINER) | (state.cells == SECOND_MINER)] = INBOX
        rebuild_masks(state)
        limit, info[TIME_LIMIT] = int(info[TIME_LIMIT]), NO_LIMIT
        for _ in range(self.clock.birth):
            tick(rules, state, STAY)
        info[TIME_LIMIT], info[TICK] = limit, 0
        born = np.flatnonzero(state.cells == INBOX)
        if len(born):
            state.cells[born] = SECOND_MINER
            state.cells[born[0]] = MINER
            info[MINER_CELL] = born[0]
        else:
            info[STATUS] = BLOWN_UP
        awake = state.masks[AWAKE].copy()
        rebuild_masks(state)
        state.masks[AWAKE] |= awake


def with_border(rows: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The rows with a border of one cell around them."""
    edge = (BORDER,) * (len(rows[0]) + 2)
    return (edge, *((BORDER, *row, BORDER) for row in rows), edge)


def read_number(text: str | None, label: str, default: int, least: int, most: int) -> int:
    """The number that a map gives for something, checked; the default if it gives none."""
    if text is None:
        return default
    try:
        number = int(text)
    except ValueError:
        raise MapError(message("delirium.not_a_number", label=label, text=shortened(text))) from None
    if not least <= number <= most:
        raise MapError(
            message("delirium.out_of_range", label=label, least=least, most=most, text=shortened(text))
        )
    return number


def shortened(text: str) -> str:
    """The beginning of a text, short enough for a message of one line."""
    return text if len(text) <= 40 else f"{text[:40]}..."
