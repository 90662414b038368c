"""A good solution soon, then better ones until the budget ends: beam searches of growing width, with lower bounds.

Wider beams find shorter solutions; positions that cannot lead to a shorter solution than the best known are dropped.
The lower bound is the heuristic at the start, and then that of IDA*, which runs between the beams and finishes more
iterations each time:

    bound <= shortest <= length        proved optimal when bound = length

A large board is first solved line by line (`line_by_line`). Boards of more than `MOST_CELLS_FOR_BEAMS` cells are too
large for beams: that solution is shortened piece by piece (`shortening`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludion.answers import LIMIT, OPTIMAL, SOLVED, Answer
from ludion.engines import beam, ida_star
from ludion.engines.budget import Budget, Expenses, Observer
from ludion.engines.limits import UNLIMITED
from ludion.games.taquin import shortening
from ludion.games.taquin.line_by_line import first_solution, joined_pushes
from ludion.games.taquin.rules import Taquin, Tiles
from ludion.kinds.puzzle import estimate, is_goal
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.games.taquin.heuristics import Heuristic

MOST_CELLS_FOR_TABLES, MOST_CELLS_FOR_BEAMS = 36, 64
FIRST_WIDTH = 100
WIDEN = 5  # the next beam is this many times as wide as the last one, or less if that would not end in time
WIDEN_AT_LEAST = 1.5
GROWTH = 1.25  # a beam n times as wide takes about n ** GROWTH times as long: it no longer fits the caches
FIRST_SHARE = 0.3  # of the time, for the first solution of a large board
BEAM_SHARE = 0.65  # of the time that is left, for the last beam; the rest is for the lower bound
DEFAULT_SECONDS = 5.0
SHORTEST_BOUND = 0.1  # seconds for a lower bound, at least; else as long as the beam before it took


def solve(
    rules: Taquin,
    start: Tiles,
    heuristic: Heuristic,
    budget: Budget,
    observer: Observer | None = None,
    width: int = 0,
    bounds: bool = True,
) -> Answer:
    """A solution soon, then better ones until the budget ends (5 s without a time limit), with a lower bound.

    `width` fixes the beam instead of widening it; `bounds=False` leaves lower bounds to the heuristic.
    """
    if is_goal(rules, start):
        return Answer(OPTIMAL, length=0, bound=0, nodes=1, engine="anytime")
    budget = replace(budget, seconds=budget.seconds or DEFAULT_SECONDS)
    cells = rules.width * rules.height
    if cells > MOST_CELLS_FOR_BEAMS and not width:
        return shortening.solve(rules, start, heuristic, budget, observer)
    search = Improvement(rules, start, heuristic, Expenses(budget, observer))
    if cells > MOST_CELLS_FOR_TABLES and not width:
        search.begin_by_lines()
    beam_width = width or FIRST_WIDTH
    while not search.has_ended():
        begun = search.expenses.seconds()
        search.try_beam(beam_width)
        took = search.expenses.seconds() - begun
        factor = _widen_by(took, search.seconds_left()) if search.moves is not None else WIDEN
        is_last = bool(width) or factor < WIDEN_AT_LEAST  # the next beam would not end in time
        if bounds:
            search.raise_bound(1e9 if is_last else max(SHORTEST_BOUND, took))
        if is_last:
            break
        beam_width = int(beam_width * factor)
    return search.answer(beam_width)


class Improvement:
    """The best solution so far and the bound."""

    def __init__(self, rules: Taquin, start: Tiles, heuristic: Heuristic, expenses: Expenses) -> None:
        self.rules, self.start, self.heuristic, self.expenses = rules, start, heuristic, expenses
        self.bound = int(estimate(heuristic, rules, start))
        self.moves: tuple[int, ...] | None = None
        self.width, self.tier, self.limit = 0, "", ""

    @property
    def is_proved(self) -> bool:
        return self.moves is not None and len(self.moves) <= self.bound

    def has_ended(self) -> bool:
        """Whether the solution is proved, or no wider beam can run."""
        self.limit = self.expenses.limit() or self.limit
        return self.is_proved or bool(self.limit)

    def seconds_left(self) -> float:
        assert self.expenses.budget.seconds is not None
        return self.expenses.budget.seconds - self.expenses.seconds()

    def begin_by_lines(self) -> None:
        """Solve the board line by line."""
        moves = first_solution(self.rules, self.start)
        if type(self.rules) is Taquin:
            moves = shortening.beam_first(self.rules, self.start, self.expenses, moves, FIRST_SHARE)
        self.moves = tuple(moves if type(self.rules) is Taquin else joined_pushes(moves))

    def try_beam(self, width: int) -> None:
        """Look for a shorter solution by a beam."""
        answer = beam.solve(
            self.rules,
            self.start,
            self.heuristic,
            self.expenses.left(),
            self.expenses.observer,
            width=width,
            cheaper_than=len(self.moves) if self.moves is not None else UNLIMITED,
        )
        self.expenses.add(answer)
        self.tier = answer.tier
        self.limit = answer.limit if answer.limit != "width" else ""
        if answer.found:
            self.moves, self.width = answer.moves, width

    def raise_bound(self, seconds: float) -> None:
        """Let IDA* raise the bound, or find a shortest solution, within this time."""
        limit = self.expenses.limit()
        if self.moves is None or self.is_proved or limit:
            return
        rest = self.expenses.left()
        rest = replace(rest, seconds=min(seconds, rest.seconds or seconds))
        answer = ida_star.solve(self.rules, self.start, self.heuristic, rest, self.expenses.observer)
        self.expenses.nodes += answer.nodes
        self.expenses.expanded += answer.expanded
        self.bound = max(self.bound, answer.bound or 0)
        if answer.status == OPTIMAL:
            self.moves = answer.moves

    def answer(self, width: int) -> Answer:
        """What is known in the end, after a beam of this width."""
        limit = self.expenses.limit() or self.limit or "time"
        if self.moves is None:
            status, reason = LIMIT, message("taquin.beams_found_nothing", bound=self.bound, width=width)
        elif self.is_proved:
            status, reason = OPTIMAL, ""
        else:
            status, reason = SOLVED, shortening.how_near(len(self.moves), self.bound)
        return Answer(
            status,
            self.moves or (),
            length=len(self.moves) if self.moves is not None else None,
            depth=len(self.moves or ()),
            bound=self.bound,
            tier=self.tier,
            engine="anytime",
            limit="" if status == OPTIMAL else limit,
            reason=reason,
            details={"width": self.width},
            **self.expenses.fields(),
        )


def _widen_by(beam_seconds: float, seconds_left: float) -> float:
    """The factor by which the next beam may be wider, given the time of the last one.

    The lower bound in between takes about as long as the last beam.
    """
    room = BEAM_SHARE * (seconds_left - max(beam_seconds, SHORTEST_BOUND))
    return float(min(WIDEN, max(0.0, room / max(beam_seconds, 1e-6)) ** (1 / GROWTH)))
