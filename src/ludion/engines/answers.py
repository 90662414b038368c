"""What an engine answers: the result together with what it cost."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

OPTIMAL, SOLVED, UNSOLVABLE, LIMIT = "optimal", "solved", "unsolvable", "limit"

# As in kinds.duel, repeated here because this module must not need the compiler; a test compares them.
WIN, HIGHEST = 10_000, 9_000


@functools.total_ordering
@dataclass(frozen=True)
class Score:
    """The value of a position for the player to move: points, or a forced win or loss with its distance.

    The order is total: any win is above all points, a nearer win above a farther one.
    """

    value: int
    exact: bool = False  # proved, not guessed by an evaluation at some depth

    @classmethod
    def win_in(cls, plies: int) -> Score:
        return cls(WIN - plies, True)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        return cls(plies - WIN, True)

    @property
    def plies(self) -> int | None:
        """How many plies until the forced end, if there is one."""
        return WIN - abs(self.value) if abs(self.value) > HIGHEST else None

    def __neg__(self) -> Score:
        return Score(-self.value, self.exact)

    def before(self) -> Score:
        """What the move that led here was worth to the player who made it: the contrary, one ply later."""
        if self.plies is None:
            return -self
        return Score(-self.value + (1 if self.value > 0 else -1), self.exact)

    def __lt__(self, other: Score) -> bool:
        return self.value < other.value

    def __int__(self) -> int:
        return self.value

    def __str__(self) -> str:
        if self.plies is not None:
            word = "win" if self.value > 0 else "loss"
            if self.plies == 0:
                return "won" if self.value > 0 else "lost"
            turns = (self.plies + 1) // 2
            return f"{word} in {turns} move{'s' if turns > 1 else ''}"
        if self.exact and self.value == 0:
            return "draw"
        return f"{self.value:+d} points" if self.value else "even"


@dataclass(frozen=True, eq=True)
class Sign(Score):
    """Win, draw or loss (1, 0, -1), and not how soon."""

    def __neg__(self) -> Sign:
        return Sign(-self.value, self.exact)

    def __str__(self) -> str:
        return ("loss", "draw", "win")[self.value + 1]


@dataclass(frozen=True)
class MoveScore:
    """A legal move with what it is worth."""

    move: int
    name: str
    score: Score | None  # duels: for the player who makes the move
    length: int | None  # puzzles: of the best known solution that begins with it
    status: str
    nodes: int


@dataclass(frozen=True)
class Answer:
    """An engine's answer, with its cost. For what the statuses promise, see `docs/answers.md`."""

    # optimal: proved best; solved: an answer; unsolvable: proved so; limit: none within the budget
    status: str
    moves: tuple[int, ...] = ()  # the solution, or the best line
    line: tuple[str, ...] = ()  # the same in the notation of the game
    length: int | None = None  # puzzles: the cost of the moves
    score: Score | None = None  # duels
    nodes: int = 0  # positions seen
    expanded: int = 0  # positions whose moves were tried
    depth: int = 0  # the deepest layer or iteration finished
    bound: int | None = None  # puzzles: no solution is cheaper than this
    seconds: float = 0.0
    memory: int = 0  # bytes of the largest tables held
    engine: str = ""
    guide: str = ""  # the heuristic or evaluation
    limit: str = ""  # which limit ended the search: time, nodes, memory, depth, stopped
    reason: str = ""  # in words, where there is something to say
    details: Any = None  # what only this engine or game tells

    @property
    def found(self) -> bool:
        return self.status in (OPTIMAL, SOLVED)
