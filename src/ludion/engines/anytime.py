"""Anytime A*: a solution soon, then better ones, with a certificate of how good the best of them is.

Weighted A* is asked again and again with falling weights, at last A* itself. With an admissible heuristic

    length / weight <= optimum        of every solution that weighted A* found with this weight
    bound <= optimum                  of A* that met a limit: the least cost that is not excluded

so the best solution costs at most `length / bound` times the optimum; both meet if the budget allows it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

from ludion.answers import LIMIT, OPTIMAL, SOLVED, UNSOLVABLE, Answer
from ludion.core.clock import Stopwatch
from ludion.engines import best_first
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import limit_reason
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

WEIGHTS = (5.0, 3.0, 2.0, 1.5, 1.25, 1.1, 1.0)
QUICK_SHARE = 0.5  # share of the remaining budget, for each weight but the last


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Weighted A* with falling weights, until the budget ends or the best solution is proved optimal."""
    observer = observer or Observer()
    watch = Stopwatch()
    best = Answer(LIMIT)
    bound = nodes = expanded = memory = 0
    limit = ""
    for weight in WEIGHTS:
        if best.limit and best.length is None and weight > 1:
            continue  # a smaller weight takes longer still: the rest is for the bound
        spent = watch.seconds()
        if budget.limit_met(spent, nodes):
            limit = limit or budget.limit_met(spent, nodes)
            break
        rest = budget.left(spent, nodes, 1.0 if weight == 1 else QUICK_SHARE)
        if weight == 1:
            answer = best_first.a_star(rules, start, heuristic, rest, observer)
        else:
            answer = best_first.weighted_a_star(rules, start, heuristic, rest, observer, weight=weight)
        nodes, expanded = nodes + answer.nodes, expanded + answer.expanded
        memory, limit = max(memory, answer.memory), answer.limit
        bound = max(bound, answer.bound or 0)
        if answer.length is not None:
            bound = max(bound, math.ceil(Fraction(answer.length) / Fraction(str(weight))))
        if best.length is None or (answer.length is not None and answer.length < best.length):
            best = answer
        if best.status == UNSOLVABLE or best.length == bound:
            break
        if observer.stop.is_set():
            limit = "stopped"
            break
    status = best.status
    if best.length is not None:
        status = OPTIMAL if best.length == bound else SOLVED
    reason = best.reason if status == UNSOLVABLE else ""
    if status == LIMIT:
        reason = limit_reason(nodes, bound)
    if status == SOLVED and bound > 0 and best.length is not None:
        reason = message("engines.near_the_optimum", ratio=f"{best.length / bound:.3f}", bound=bound)
    return replace(
        best,
        status=status,
        engine="anytime-a-star",
        bound=None if status == UNSOLVABLE else bound,
        nodes=nodes,
        expanded=expanded,
        memory=memory,
        limit=limit if status in (SOLVED, LIMIT) else "",
        reason=reason,
        seconds=watch.seconds(),
        cpu_seconds=watch.cpu_seconds(),
    )
