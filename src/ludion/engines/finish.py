"""From the end of a kernel to an Answer: the one place where a status is decided and costs are read off."""

from __future__ import annotations

from dataclasses import replace
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
    rules: Rules,
    start: State,
    outcome: Outcome,
    bound: int | None,
    *,
    unsolvable: str = "answers.no_goal",
    unfinished: str = "",
    **fields: Any,
) -> Answer:
    """The answer of a search for a path, which relies on its heuristic to be admissible (see `without_proof`).

    The result of its kernel begins with how it ended and the moves to the goal. No solution costs less than `bound`, as
    far as the search proved; None if it proves nothing. So for all engines:

        FOUND       optimal if the path costs no more than the bound, else solved
        EXHAUSTED   unsolvable, for the reason of this message
        otherwise   limit; `unfinished` says what is known, by default the bound
    """
    ended, path = int(outcome.result[0]), outcome.result[1]
    nodes = fields.get("nodes", int(outcome.control[NODES]))
    moves = tuple(path.tolist()) if ended == FOUND else ()
    length, reason = None, ""
    if ended == FOUND:
        length = path_cost(rules, start, moves)
        bound = None if bound is None else min(bound, length)
        status = OPTIMAL if bound == length else SOLVED
    elif ended == EXHAUSTED:
        status, bound, reason = UNSOLVABLE, None, message(unsolvable, n=nodes)
    else:
        status, reason = LIMIT, unfinished or limit_reason(nodes, bound)
    return finish(
        engine, outcome, ended, status, moves=moves, length=length, bound=bound, reason=reason, **fields
    )


def limit_reason(nodes: int, bound: int | None) -> str:
    """What is known when a search met a limit."""
    seen = message("answers.positions_seen", n=nodes)
    return seen if bound is None else message("answers.cheaper_excluded", seen=seen, bound=bound)


def layered_answer(
    engine: str, rules: Rules, start: State, outcome: Outcome, finished: int, **fields: Any
) -> Answer:
    """The answer of a search layer by layer that finished so many layers without a goal.

    Its path has the fewest moves. No move costs less than 1, so the bound is that number; where every move costs 1
    the path is a cheapest one.
    """
    ended, path, *_ = outcome.result
    usual: dict[str, Any] = {
        "unfinished": message(
            "engines.too_short", moves=finished, n=fields.get("nodes", int(outcome.control[NODES]))
        ),
        "depth": finished,
        "frontier": int(outcome.control[FRONTIER]),
    }
    bound = len(path) if ended == FOUND else finished + 1
    return path_answer(engine, rules, start, outcome, bound, **usual | fields)


def without_proof(answer: Answer) -> Answer:
    """The answer without the claims that an inadmissible heuristic does not prove."""
    if answer.status == UNSOLVABLE:
        return answer
    if not answer.found:
        return replace(answer, bound=None, reason=limit_reason(answer.nodes, None))
    return replace(answer, status=SOLVED, bound=None, reason="")


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
