"""From the end of a kernel to an Answer: the one place where a status is decided and costs are read off."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.answers import HIGHEST, LIMIT, OPTIMAL, SOLVED, UNSOLVABLE, Answer, Score
from ludion.engines.limits import DEPTH, EXHAUSTED, EXPANDED, FOUND, FRONTIER, MEMORY, NODES, Outcome
from ludion.kinds.puzzle import cost, play
from ludion.kinds.values import Rules, State
from ludion.messages import message


def finish(engine: str, outcome: Outcome, ended: int, status: str, **result: Any) -> Answer:
    """The answer with the costs that the kernel wrote into its control array; `result` overrides and adds fields."""
    control = outcome.control
    measured: dict[str, Any] = {
        "nodes": int(control[NODES]),
        "expanded": int(control[EXPANDED]),
        "depth": int(control[DEPTH]),
        "memory": int(control[MEMORY]),
    }
    return Answer(
        status,
        engine=engine,
        limit=outcome.limit_name(ended),
        **(measured | outcome.costs() | result),
    )


def has_unit_costs(rules: Rules) -> bool:
    """Whether every move costs 1: the fewest moves are then the cheapest."""
    return not cost.has(rules)


def path_cost(rules: Rules, start: State, path: tuple[int, ...]) -> int:
    """What the moves cost, played from the start."""
    if has_unit_costs(rules):
        return len(path)
    total, position = 0, start
    for move in path:
        total += int(cost(rules, position, move))
        position = play(rules, position, move)
    return total


def path_answer(
    engine: str,
    outcome: Outcome,
    ended: int,
    path: np.ndarray,
    *,
    length: int,
    bound: int | None,
    proved: bool,
    unsolvable: str,
    unfinished: str,
    **result: Any,
) -> Answer:
    """The answer of a search for a path: FOUND is `optimal` if that is proved, EXHAUSTED is `unsolvable`.

    `bound` is what no solution undercuts, as far as the search got; `unsolvable` and `unfinished` are the reasons.
    """
    status = {FOUND: OPTIMAL if proved else SOLVED, EXHAUSTED: UNSOLVABLE}.get(ended, LIMIT)
    if status == OPTIMAL:
        bound = length
    return finish(
        engine,
        outcome,
        ended,
        status,
        moves=tuple(path.tolist()),
        length=length if ended == FOUND else None,
        bound=None if status == UNSOLVABLE else bound,
        reason={UNSOLVABLE: unsolvable, LIMIT: unfinished}.get(status, ""),
        **result,
    )


def layered_answer(
    engine: str,
    outcome: Outcome,
    ended: int,
    rules: Rules,
    start: State,
    path: np.ndarray,
    layers: list[int],
    **details: object,
) -> Answer:
    """The answer of a search layer by layer, with the sizes of the layers that were finished without a goal.

    The path has the fewest moves; it is a cheapest one if every move costs the same.
    """
    nodes, finished = int(outcome.control[NODES]), len(layers) - 1
    return path_answer(
        engine,
        outcome,
        ended,
        path,
        length=path_cost(rules, start, tuple(path.tolist())),
        bound=finished + 1,
        proved=has_unit_costs(rules),
        unsolvable=message("answers.no_goal", n=nodes),
        unfinished=message("engines.too_short", moves=finished, n=nodes),
        depth=finished,
        frontier=int(outcome.control[FRONTIER]),
        details={"layers": layers, **details},
    )


def score_answer(
    engine: str,
    outcome: Outcome,
    ended: int,
    line: np.ndarray,
    *,
    value: int,
    complete: bool,
    unfinished: str,
    **result: Any,
) -> Answer:
    """The answer of a search for a value: proved if it saw every line to its end, or a forced win or loss."""
    exact = complete or abs(value) > HIGHEST
    answered = len(line) > 0 or ended == EXHAUSTED
    return finish(
        engine,
        outcome,
        ended,
        (OPTIMAL if exact else SOLVED) if answered else LIMIT,
        moves=tuple(line.tolist()),
        score=Score(value, exact) if answered else None,
        reason="" if answered else message(unfinished, limit=outcome.limit_name(ended)),
        **result,
    )
