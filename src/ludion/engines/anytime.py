"""Anytime A*: a solution soon, then better ones, with a certificate of how good the best of them is.

Weighted A* is asked again and again with falling weights, at last A* itself. With an admissible heuristic

    length / weight <= optimum        of every solution that weighted A* found with this weight
    bound <= optimum                  of A* that met a limit: the least cost that is not excluded

so the best solution costs at most `length / bound` times the optimum; both meet if the budget allows it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludion.answers import LIMIT, OPTIMAL, SOLVED, UNSOLVABLE, Answer
from ludion.engines import best_first
from ludion.engines.budget import Budget, Expenses, Observer
from ludion.engines.finish import limit_reason
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.25, 1.1, 1.0)
QUICK_SHARE = 0.5  # share of the remaining budget, for each weight but the last


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Weighted A* with falling weights, until the budget ends or the best solution is proved optimal."""
    expenses = Expenses(budget, observer)
    best, bound, limit = Answer(LIMIT), 0, ""
    for weight in WEIGHTS:
        if best.limit and best.length is None and weight > 1:
            continue  # a smaller weight takes longer still: the rest is for the bound
        if met := expenses.limit():
            limit = met
            break
        rest = expenses.left(1.0 if weight == 1 else QUICK_SHARE)
        if weight == 1:
            answer = best_first.a_star(rules, start, heuristic, rest, observer)
        else:
            answer = best_first.weighted_a_star(rules, start, heuristic, rest, observer, weight=weight)
        expenses.add(answer)
        limit, bound = answer.limit, max(bound, answer.bound or 0)
        if best.length is None or (answer.length is not None and answer.length < best.length):
            best = answer
        if best.status == UNSOLVABLE or best.length == bound or limit == "stopped":
            break
    return replace(
        best, engine="anytime-a-star", **verdict(best, bound, limit, expenses.nodes), **expenses.fields()
    )


def verdict(best: Answer, bound: int, limit: str, nodes: int) -> dict[str, Any]:
    """The fields of the answer that say what is proved."""
    if best.status == UNSOLVABLE:
        return {"bound": None, "limit": ""}
    if best.length is None:
        return {"status": LIMIT, "bound": bound, "limit": limit, "reason": limit_reason(nodes, bound)}
    if best.length == bound:
        return {"status": OPTIMAL, "bound": bound, "limit": "", "reason": ""}
    near = (
        message("engines.near_the_optimum", ratio=f"{best.length / bound:.3f}", bound=bound) if bound else ""
    )
    return {"status": SOLVED, "bound": bound, "limit": limit, "reason": near}
