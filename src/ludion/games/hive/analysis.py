"""Analysis of a position within one budget: the best lines, one search for each, and estimates of the other moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ludion.answers import LIMIT, OPTIMAL, SOLVED, Answer, MoveScore, Score
from ludion.core.clock import Stopwatch
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget, Observer
from ludion.games.hive import evaluation
from ludion.games.hive.notation import legal_moves, line_names, played, write_move
from ludion.games.hive.rules import Hive, HiveRules
from ludion.kinds.duel import DRAWN, HIGHEST, LOST, OPEN, WON, copy, evaluate, verdict

LINES = 5  # best moves that are searched in depth
DEFAULT_SECONDS = 5.0  # in all, where there is no limit: this search would never end by itself
FIRST_SHARE = 0.4  # of the budget is for the best move, the rest for the other lines


def analyse(
    rules: HiveRules,
    position: Hive,
    budget: Budget,
    observer: Observer | None = None,
    threads: int = 1,
    **settings: object,
) -> Iterator[MoveScore] | None:
    """Every legal move, the best lines first; None (it is left to the general analysis) to a depth."""
    if budget.depth is not None or settings_matter(settings):
        return None
    if budget.seconds is None and budget.nodes is None:
        budget = replace(budget, seconds=DEFAULT_SECONDS)
    if verdict(rules, position) != OPEN:
        return iter(())
    return scores(rules, position, budget, observer, threads)


def settings_matter(settings: dict[str, object]) -> bool:
    """Whether a setting switches a part of the engine off."""
    return any(value is False for value in settings.values())


def scores(
    rules: HiveRules, position: Hive, budget: Budget, observer: Observer | None, threads: int
) -> Iterator[MoveScore]:
    """The best lines, each the best of the moves that are not first in an earlier line; then the rest, which are no
    better."""
    guide, watch, used = evaluation.make(rules), Stopwatch(), 0
    bound = HIGHEST
    rest = legal_moves(rules, position)
    for number in range(min(LINES, len(rest))):
        share = FIRST_SHARE if number == 0 else 1 / (LINES - number)
        answer = alpha_beta.solve(
            rules,
            position,
            guide,
            part(budget, share, watch.seconds(), used),
            observer,
            threads=threads,
            exclude=tuple(move for move in legal_moves(rules, position) if move not in rest),
        )
        if not answer.moves:
            break
        used += answer.nodes
        bound = min(bound, int(answer.score.value)) if answer.score is not None else bound
        rest.remove(answer.moves[0])
        yield line_score(rules, position, answer)
        if answer.limit == "stopped":
            return
    for move in rest:
        yield glance(rules, position, guide, move, bound)


def part(budget: Budget, share: float, seconds: float, nodes: int) -> Budget:
    """A share of the remaining budget."""
    left_seconds = None if budget.seconds is None else max(0.005, share * (budget.seconds - seconds))
    left_nodes = None if budget.nodes is None else max(1, round(share * (budget.nodes - nodes)))
    return replace(budget, seconds=left_seconds, nodes=left_nodes)


def line_score(rules: HiveRules, position: Hive, answer: Answer) -> MoveScore:
    """The best move of a search with its line."""
    names = line_names(rules, position, answer.moves)
    status = answer.status if answer.score is not None else LIMIT
    return MoveScore(answer.moves[0], names[0], answer.score, None, status, answer.nodes, answer.depth, names)


def glance(rules: HiveRules, position: Hive, guide: evaluation.Mobility, move: int, bound: int) -> MoveScore:
    """A move with the evaluation of the position after it, but no better than the searched lines."""
    after = played(rules, copy(rules, position), move)
    end = verdict(rules, after)
    if end == OPEN:
        score, status = Score(min(bound, -int(evaluate(guide, rules, after)))), SOLVED
    else:
        score = {WON: Score.loss_in(1), LOST: Score.win_in(1), DRAWN: Score(0, True)}[end]
        status = OPTIMAL
    return MoveScore(move, write_move(rules, position, move), score, None, status, 1, 1)
