"""The solver as an engine: exact scores, best lines, all columns at once, and levels of strength for people."""

from __future__ import annotations

import contextlib
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, SOLVED, Answer, MoveScore, Score, Sign
from ludion.core.clock import Stopwatch
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODES, SHORT, Outcome, run
from ludion.games.connect_four.bitboards import board_of, shape_of
from ludion.games.connect_four.book import shipped_book
from ludion.games.connect_four.evaluation import OpenLines
from ludion.games.connect_four.notation import write_move
from ludion.games.connect_four.rules import DropGame, Stones, open_columns
from ludion.games.connect_four.score_table import NO_BOOK, NO_SCORE, ScoreTable, new_table, used_bytes
from ludion.games.connect_four.solver import (
    HIGH,
    LOW,
    SolverWork,
    best_line,
    new_stack,
    score_between,
)
from ludion.kinds.duel import DRAWN, LOST, OPEN, Even, play, verdict
from ludion.kinds.settings import Value
from ludion.messages import message

PERFECT = 10  # the highest strength
LINE_NODES = 2_000  # nodes that the rest of the best line may cost, beyond half the nodes of the search
FEW_CELLS = 13  # with so few cells left, a search takes less time than starting a thread
GUESS_NODES, GUESS_DEPTH = 400_000, 10  # of alpha-beta, for a move when a limit is met

Evaluation = OpenLines | Even


@dataclass(frozen=True, eq=True)
class StoneScore(Score):
    """An exact score, counted in stones from the end: `left` cells are empty."""

    left: int = 0

    @property
    def plies(self) -> int | None:
        """How many plies until the forced end, if there is one."""
        if self.value == 0:
            return None
        if self.value > 0:
            return 2 * ((self.left + 1) // 2 - self.value) + 1
        return 2 * (self.left // 2 + self.value) + 2

    def __neg__(self) -> StoneScore:
        return StoneScore(-self.value, self.exact, self.left)

    def before(self) -> StoneScore:
        return StoneScore(-self.value, self.exact, self.left + 1)


def final(rules: DropGame, position: Stones) -> StoneScore:
    """The score of a finished game for the player who is to move and cannot."""
    left = cells_left(rules, position)
    return StoneScore(-((left + 2) // 2) if int(verdict(rules, position)) == LOST else 0, True, left)


def cells_left(rules: DropGame, position: Stones) -> int:
    """How many cells are empty."""
    return rules.cells - position.mask.bit_count()


def exact_score(value: int, left: int, weak: bool) -> Score:
    """The score as a value; a `weak` one does not say how soon the game ends."""
    return Sign(value, True) if weak else StoneScore(value, True, left)


def solve(
    rules: DropGame,
    position: Stones,
    evaluation: Evaluation | None,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
    strength: int = PERFECT,
    seed: int | None = None,
) -> Answer:
    """The exact score and a best line; `strength` 1 to 9 plays weaker.

    Weaker play draws a move at random, with probabilities that depend on the exact scores. If the search reaches a
    limit, a short alpha-beta search with the evaluation chooses the move.
    """
    evaluation = OpenLines() if evaluation is None else evaluation
    if rules.align != 4 or budget.depth is not None:  # the solver supports neither
        return alpha_beta.solve(rules, position, evaluation, budget, observer)
    if strength < PERFECT:
        return _play_weaker(rules, position, evaluation, budget, observer, book, strength, seed)
    with kept_table(rules, position, budget, observer) as table:
        search = ScoreSearch(rules, position, weak, book, table, budget.memory)
        # In a kept table, the entries of a dropped attempt would change the node count of the next.
        outcome = run(search.run, budget, observer, SHORT if table is None else 0)
    if search.score == NO_SCORE:
        return _guess(search, outcome, evaluation, observer)
    nodes = int(outcome.control[NODES])
    left = cells_left(rules, position)
    return Answer(
        OPTIMAL,
        tuple(search.line),
        score=exact_score(search.score, left, weak),
        nodes=nodes,
        expanded=nodes,
        depth=left,
        memory=used_bytes(search.table),
        engine="solver",
        line_is_cut=search.line_is_cut,
        **outcome.costs(),
    )


@contextlib.contextmanager
def kept_table(
    rules: DropGame, position: Stones, budget: Budget, observer: Observer | None
) -> Iterator[ScoreTable | None]:
    """The table of the observer's session, if there is one and the search is long enough to profit from it.

    Its entries hold for every position of the board.
    """
    is_short = cells_left(rules, position) <= FEW_CELLS
    if observer is None or observer.session is None or is_short:
        yield None
    else:
        with observer.session.borrow(
            ("connect-four", rules, budget.memory), lambda: new_table(board_of(rules), 0, budget.memory)
        ) as table:
            yield table


def _guess(
    search: ScoreSearch, outcome: Outcome, evaluation: Evaluation, observer: Observer | None
) -> Answer:
    """The answer of a search that reached a limit: the proved bounds, and a move from a short alpha-beta search.

    That search has a node budget, so that the result is reproducible.
    """
    limit = outcome.limit or "nodes"
    bounds = {"low": int(outcome.control[LOW]), "high": int(outcome.control[HIGH])}
    reason = message("connect_four.score_between", **bounds)
    guess = Answer(LIMIT)
    if limit != "stopped":
        quick = Budget(nodes=GUESS_NODES, depth=GUESS_DEPTH)
        guess = alpha_beta.solve(search.rules, search.position, evaluation, quick, observer)
    if guess.moves:
        reason += message("connect_four.move_is_a_guess", nodes=guess.nodes)
    return Answer(
        guess.status,
        guess.moves,
        score=guess.score,
        nodes=int(outcome.control[NODES]),
        depth=guess.depth,
        memory=used_bytes(search.table),
        engine="solver",
        **outcome.costs(),
        limit=limit,
        reason=reason,
    )


class ScoreSearch:
    """One search, with its board, book and table."""

    def __init__(
        self,
        rules: DropGame,
        position: Stones,
        weak: bool,
        book: bool,
        table: ScoreTable | None,
        memory: int,
    ) -> None:
        self.rules, self.position, self.weak = rules, position, weak
        self.board = board_of(rules)
        self.shape = shape_of(rules)
        self.book = shipped_book(rules) if book else NO_BOOK
        self.is_kept, self.memory, self.has_begun = table is not None, memory, False
        self.table = self.new_table() if table is None else table
        self.score = NO_SCORE
        self.line: list[int] = []
        self.line_is_cut = False

    def new_table(self) -> ScoreTable:
        """An empty table."""
        stones = self.position.mask.bit_count()
        return new_table(self.board, stones, self.memory)

    def run(self, control: np.ndarray, trace: np.ndarray) -> None:
        """Find the score and the best line; a second call starts from the beginning."""
        self.line, self.line_is_cut = [], False
        if self.has_begun and not self.is_kept:
            self.table = self.new_table()
        self.has_begun = True
        self.score = self.ask(self.position, control)
        if self.score == NO_SCORE:
            return
        own, mask = self.position
        line = np.zeros(self.board.cells, np.int64)
        work = self.workspace(control)
        length = best_line(self.shape, own, mask, self.score, self.weak, LINE_NODES, work, line)
        self.line = line[:length].tolist()
        end = self.position
        for column in self.line:
            end = play(self.rules, end, column)
        self.line_is_cut = int(verdict(self.rules, end)) == OPEN

    def ask(
        self, position: Stones, control: np.ndarray, low: int | None = None, high: int | None = None
    ) -> int:
        """The score of an open position, clamped to the range; NO_SCORE if stopped."""
        if low is None or high is None:
            low, high = (-1, 1) if self.weak else (-self.rules.cells, self.rules.cells)
        own, mask = position
        return int(score_between(self.shape, own, mask, low, high, self.workspace(control)))

    def workspace(self, control: np.ndarray) -> SolverWork:
        """What a search works with."""
        return SolverWork(self.book, self.table, new_stack(self.board), control)


# ------------------------------------------------------------------ every column


def column_scores(
    rules: DropGame,
    position: Stones,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
) -> list[tuple[int, Score | None, int]]:
    """Every open column with its exact score for the player who plays it (None if the budget ended) and its nodes."""
    left = cells_left(rules, position)
    scored: list[tuple[int, Score | None, int]] = []

    def work(control: np.ndarray, trace: np.ndarray) -> None:
        search = ScoreSearch(rules, position, weak, book, table, budget.memory)
        scored.clear()
        for column in open_columns(rules, position):
            nodes_before = int(control[NODES])
            child = play(rules, position, column)
            end = int(verdict(rules, child))
            if end == LOST:
                value = 1 if weak else (left + 1) // 2
            elif end == DRAWN:
                value = 0
            else:
                value = search.ask(child, control)
                value = -value if value != NO_SCORE else NO_SCORE
            score = None if value == NO_SCORE else exact_score(value, left, weak)
            scored.append((column, score, int(control[NODES]) - nodes_before))

    with kept_table(rules, position, budget, observer) as table:
        run(work, budget, observer, SHORT if table is None else 0)
    return scored


def analyse(
    rules: DropGame,
    position: Stones,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
    **others: Value,
) -> list[MoveScore] | None:
    """Every column with its exact score, best first, equal ones from the middle outwards.

    None if the solver does not apply: for lines of another length, or with a depth limit.
    """
    if rules.align != 4 or budget.depth is not None:
        return None
    if verdict(rules, position) != OPEN:
        return []
    scored = [
        MoveScore(
            move, write_move(rules, position, move), score, None, LIMIT if score is None else OPTIMAL, nodes
        )
        for move, score, nodes in column_scores(rules, position, budget, observer, weak, book)
    ]
    return sorted(scored, key=lambda each: math.inf if each.score is None else -each.score.value)


# ------------------------------------------------------------------ levels of strength


def temperature(strength: int) -> float:
    """The temperature of the softmax, in points: 12 at strength 1, 0.7 at 9."""
    return float(12 * 0.7 ** (strength - 1))


def chances(scores: list[int], strength: int) -> list[float]:
    """The probability of each move at this strength: softmax of the exact scores."""
    best = max(scores)
    if strength >= PERFECT:
        weights = [float(score == best) for score in scores]
    else:
        weights = [math.exp((score - best) / temperature(strength)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def _play_weaker(
    rules: DropGame,
    position: Stones,
    evaluation: Evaluation,
    budget: Budget,
    observer: Observer | None,
    book: bool,
    strength: int,
    seed: int | None,
) -> Answer:
    """A move drawn at random."""
    watch = Stopwatch()
    scored = column_scores(rules, position, budget, observer, book=book)
    known = [(move, score) for move, score, _ in scored if score is not None]
    if not known:
        return solve(rules, position, evaluation, budget, observer, book=book)
    likely = chances([score.value for _, score in known], strength)
    draw: Callable[..., list[int]] = random.Random(seed).choices
    index = draw(range(len(known)), likely)[0]
    move, score = known[index]
    return Answer(
        SOLVED,
        (move,),
        score=score,
        nodes=sum(count for _, _, count in scored),
        seconds=watch.seconds(),
        cpu_seconds=watch.cpu_seconds(),
        engine="solver",
        reason=message(
            "connect_four.drawn_by_chance",
            strength=strength,
            chance=f"{likely[index]:.0%}",
            best=max(each.value for _, each in known),
        ),
    )
