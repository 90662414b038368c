"""The solver as an engine: exact scores in words, best lines, all columns at once, and levels of strength
for people."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, SOLVED, Answer, MoveScore, Score, Sign
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODE_LIMIT, NODES, UNLIMITED, run
from ludion.errors import LudionError
from ludion.games.connect_four.book import shipped_book
from ludion.games.connect_four.evaluation import make as make_evaluation
from ludion.games.connect_four.notation import write_move
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.games.connect_four.solver import (
    ENDED,
    ENOUGH,
    HIGH,
    LOW,
    NO_BOOK,
    TWIST,
    Board,
    board_of,
    new_stack,
    new_table,
    score_between,
    shape_of,
)
from ludion.kinds.duel import DRAWN, LOST, OPEN, moves, play, verdict
from ludion.kinds.settings import Value

PERFECT = 10
GUESS_NODES = (
    20_000  # of the guess when a limit ends the search before the score is known  # the highest strength
)
LINE_NODES = 200_000  # nodes that finding the rest of the best line may cost beyond a half of the search


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
    """The score of a finished game: that of the last move, seen by the player who cannot answer it."""
    left = rules.cells - position.mask.bit_count()
    return StoneScore(-((left + 2) // 2) if int(verdict(rules, position)) == LOST else 0, True, left)


def solve(
    rules: DropGame,
    position: Stones,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
    threads: int = 1,
    strength: int = PERFECT,
    seed: int | None = None,
) -> Answer:
    """The exact score and a best line; `strength` 1 to 9 plays weaker, by chance.

    The chance is weighted with the exact scores. When a limit is met first, the move is a guess of alpha-beta.
    """
    if isinstance(strength, bool) or not isinstance(strength, int) or not 1 <= strength <= PERFECT:
        raise LudionError(f"strength must be 1 to {PERFECT}, not {strength}")
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 64:
        raise LudionError(f"threads must be 1 to 64, not {threads}")
    guide = make_evaluation(rules) if guide is None else guide
    if rules.align != 4 or budget.depth is not None:  # what the solver is not made for
        return alpha_beta.solve(rules, position, guide, budget, observer)
    if strength < PERFECT:
        return _weakened(rules, position, guide, budget, observer, book, strength, seed)
    search = _Search(rules, position, budget, weak, book, threads)
    outcome = run(search.run, budget, observer)
    nodes = int(outcome.control[NODES]) + search.helped
    memory = search.table.nbytes
    left = rules.cells - position.mask.bit_count()
    if search.score == ENDED:
        limit = outcome.limit or "nodes"
        low, high = int(outcome.control[LOW]), int(outcome.control[HIGH])
        known = f"the score is between {low} and {high}"
        guess = Answer(LIMIT)
        if limit != "stopped":
            guess = alpha_beta.solve(rules, position, guide, Budget(nodes=GUESS_NODES, depth=10), observer)
        return Answer(
            guess.status,
            guess.moves,
            score=guess.score,
            nodes=nodes,
            depth=guess.depth,
            seconds=outcome.seconds,
            tier=outcome.tier,
            memory=memory,
            engine="solver",
            limit=limit,
            reason=known + ("; the move is a guess" if guess.moves else ""),
        )
    return Answer(
        OPTIMAL,
        tuple(search.line),
        score=Sign(search.score, True) if weak else StoneScore(search.score, True, left),
        nodes=nodes,
        expanded=nodes,
        depth=left,
        seconds=outcome.seconds,
        tier=outcome.tier,
        memory=memory,
        engine="solver",
    )


class _Search:
    """One question to the solver, with what it needs."""

    def __init__(
        self, rules: DropGame, position: Stones, budget: Budget, weak: bool, book: bool, threads: int = 1
    ) -> None:
        self.rules, self.position, self.weak, self.threads = rules, position, int(weak), threads
        self.board: Board = board_of(rules)
        self.shape = shape_of(rules)
        self.book = shipped_book(rules) if book else NO_BOOK
        self.table = new_table(self.board, position.mask.bit_count(), budget.memory)
        self.score, self.line, self.helped = ENDED, [], 0  # type: tuple[int, list[int], int]

    def run(self, control: Any, trace: Any) -> None:
        """Find the score and the best line."""
        self.line = []
        self.score = self.score_with_helpers(control)
        if self.score == ENDED:
            return
        here, score = self.position, self.score
        while int(verdict(self.rules, here)) == OPEN:
            move = self.keeping(here, score, control)
            if move is None:
                return  # the line is as long as the allowance lets it be
            if not self.line:
                most = int(control[NODES]) * 3 // 2 + LINE_NODES
                control[NODE_LIMIT] = min(int(control[NODE_LIMIT]), most)
            self.line.append(move)
            here, score = play(self.rules, here, move), -score

    def keeping(self, position: Stones, score: int, control: Any) -> int | None:
        """The first column, from the middle, that keeps the score of this position; None if stopped."""
        for column in from_the_middle(self.rules, position):
            child = play(self.rules, position, column)
            end = int(verdict(self.rules, child))
            if end == LOST or (end == DRAWN and score == 0):
                return column
        for column in from_the_middle(self.rules, position):
            child = play(self.rules, position, column)
            if int(verdict(self.rules, child)) == OPEN:
                told = self.ask(child, control, -score, -score + 1)
                if told == ENDED:
                    return None
                if told == -score:
                    return column
        return None

    def ask(self, position: Stones, control: Any, low: int | None = None, high: int | None = None) -> int:
        """The score of a position that is not over, or the end of the range that it lies beyond."""
        if low is None or high is None:
            low, high = (-1, 1) if self.weak else (-self.rules.cells, self.rules.cells)
        own, mask, stack = position.own, position.mask, new_stack(self.board)
        return int(score_between(self.shape, own, mask, low, high, self.book, self.table, stack, control))

    def score_with_helpers(self, control: Any) -> int:
        """The score, by several threads that share the table; whoever has it first ends the others."""
        if self.threads == 1:
            return self.ask(self.position, control)
        found: list[int] = []
        controls = [control] + [np.zeros(16, np.int64) for _ in range(self.threads - 1)]

        def work(own: Any) -> None:
            score = self.ask(self.position, own)
            if score != ENDED:
                found.append(score)
                for each in controls:
                    each[ENOUGH] = 1

        helpers = []
        for index, own in enumerate(controls[1:], 1):
            own[NODE_LIMIT], own[TWIST] = UNLIMITED, self.position.mask.bit_count() + 2 + index
            helpers.append(threading.Thread(target=work, args=(own,), daemon=True))
            helpers[-1].start()
        work(control)
        for own in controls[1:]:
            own[ENOUGH] = 1
        for helper in helpers:
            helper.join()
        control[ENOUGH] = 0
        self.helped = int(sum(own[NODES] for own in controls[1:]))
        return found[0] if found else ENDED


def from_the_middle(rules: DropGame, position: Stones) -> list[int]:
    """The legal columns, the middle first."""
    buffer = np.zeros(rules.columns, np.int64)
    columns = [int(each) for each in buffer[: moves(rules, position, buffer)]]
    return sorted(columns, key=lambda column: abs(2 * column - rules.columns + 1))


def column_scores(
    rules: DropGame,
    position: Stones,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
) -> list[tuple[int, Score | None, int]]:
    """Every legal column with its exact score for the player who plays it (None if the budget ended) and its
    nodes."""
    search = _Search(rules, position, budget, weak, book)
    left = rules.cells - position.mask.bit_count()
    found: list[tuple[int, Score | None, int]] = []

    def work(control: Any, trace: Any) -> None:
        found.clear()
        for column in from_the_middle(rules, position):
            before = int(control[NODES])
            child = play(rules, position, column)
            end = int(verdict(rules, child))
            if end == LOST:
                score = 1 if weak else (left + 1) // 2
            elif end == DRAWN:
                score = 0
            else:
                told = search.ask(child, control)
                score = -told if told != ENDED else ENDED
            exact = Sign(score, True) if weak else StoneScore(score, True, left)
            found.append((column, None if score == ENDED else exact, int(control[NODES]) - before))

    run(work, budget, observer)
    return found


def analyse(
    rules: DropGame,
    position: Stones,
    budget: Budget,
    observer: Observer | None = None,
    weak: bool = False,
    book: bool = True,
    **others: Value,
) -> list[MoveScore] | None:
    """Every column with its exact score, best first, equal ones from the middle outwards; None where the solver is not
    made for lines of this length."""
    if rules.align != 4 or budget.depth is not None:
        return None
    if verdict(rules, position) != OPEN:
        return []
    scores = [
        MoveScore(
            move,
            write_move(rules, position, move),
            score,
            None,
            OPTIMAL if score is not None else LIMIT,
            nodes,
        )
        for move, score, nodes in column_scores(rules, position, budget, observer, weak, book)
    ]
    return sorted(scores, key=lambda each: -each.score.value if each.score is not None else 1000)


# ------------------------------------------------------------------ levels of strength


def temperature(strength: int) -> float:
    """How much worse a move may be and still be played now and then: 12 points at strength 1, 0.7 at 9."""
    return float(12 * 0.7 ** (strength - 1))


def chances(scores: list[int], strength: int) -> list[float]:
    """How likely each move is at this strength: softmax of the exact scores."""
    best = max(scores)
    if strength >= PERFECT:
        weights = [float(score == best) for score in scores]
    else:
        weights = [math.exp((score - best) / temperature(strength)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def _weakened(
    rules: DropGame,
    position: Stones,
    guide: Any,
    budget: Budget,
    observer: Observer | None,
    book: bool,
    strength: int,
    seed: int | None,
) -> Answer:
    """A move drawn by chance."""
    import time

    begin = time.perf_counter()
    scored = column_scores(rules, position, budget, observer, book=book)
    known = [(move, score) for move, score, _ in scored if score is not None]
    if not known:
        return solve(rules, position, guide, budget, observer, book=book)
    likely = chances([score.value for _, score in known], strength)
    pick: Callable[..., list[int]] = random.Random(seed).choices
    index = pick(range(len(known)), likely)[0]
    move, score = known[index]
    best = max(each.value for _, each in known)
    return Answer(
        SOLVED,
        (move,),
        score=score,
        nodes=sum(count for _, _, count in scored),
        seconds=time.perf_counter() - begin,
        engine="solver",
        reason=f"strength {strength}: drawn with a chance of {likely[index]:.0%}; the best score is {best}",
    )
