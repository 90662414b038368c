"""The engines, each written once for all games of its kind.

This module only names them, so that listing them is instant; their code is imported when one is first asked.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from ludion.engines.budget import BudgetError
from ludion.fields import check_type
from ludion.kinds.games import ADMISSIBLE, DUEL, NEVER, PUZZLE, UNUSED, Engine, Heuristic
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting
from ludion.messages import message

if TYPE_CHECKING:
    from ludion.engines import (
        alpha_beta,
        anytime,
        beam,
        best_first,
        bidirectional,
        breadth_first,
        discrepancy,
        external,
        frontier,
        ida_star,
        monte_carlo,
        negamax,
        novelty,
        projections,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.engines",
            "alpha_beta anytime beam best_first bidirectional breadth_first discrepancy external frontier ida_star "
            "monte_carlo negamax novelty projections",
        )
    )

OLDEST_FIRST = Setting("oldest_first", "among equal priorities, the oldest entry first", False, bool)
REOPEN = Setting("reopen", "expand a position again when a cheaper path to it is found", True, bool)
SEED = Setting("seed", "seed of chance", 1, int)
THREADS = Setting("threads", "threads that share one search", 1, int, least=1, most=64)


def pattern_database(
    positions: int = 1_000_000, automatic: bool = False, base: Heuristic[Any] | None = None
) -> Heuristic[Any]:
    """The heuristic of a puzzle that declares projections: distances in smaller puzzles, of so many positions at most.

    With `automatic` the puzzle only says how many `variables` its positions have, and the projections are chosen so
    that their tables have so many positions together. The puzzle's goals are known and its moves can be followed back.
    Where another heuristic, `base`, says more than the tables, that counts. It is admissible if `base` is; its tables
    are made on first use, and kept on disk if that took a while.
    """
    check_type("positions", positions, int)
    check_type("automatic", automatic, bool)
    check_type("base", base, Heuristic, optional=True)
    if positions < 1:
        raise BudgetError(message("engines.budget_positive", name="positions", value=positions))
    return Heuristic(
        functools.partial(projections.pattern_database, positions=positions, automatic=automatic, base=base),
        "distances in smaller puzzles, from tables made on first use",
        admissible=base is None or base.admissible,
        budgeted=True,
    )


ENGINES: dict[str, dict[str, Engine]] = {
    PUZZLE: {
        "breadth-first": Engine(
            breadth_first.solve,
            "layer by layer; optimal when every move costs the same",
            guide=UNUSED,
            settings=(Setting("late", "test for the goal when a position leaves the queue", False, bool),),
        ),
        "uniform-cost": Engine(
            best_first.uniform_cost,
            "cheapest position first; optimal",
            guide=UNUSED,
            settings=(OLDEST_FIRST,),
        ),
        "greedy": Engine(
            best_first.greedy,
            "what looks nearest first; quick, seldom optimal",
            optimal=NEVER,
            settings=(OLDEST_FIRST, REOPEN),
        ),
        "a-star": Engine(
            best_first.a_star,
            "cost so far plus estimate; optimal with an admissible heuristic",
            optimal=ADMISSIBLE,
            settings=(OLDEST_FIRST, REOPEN),
        ),
        "weighted-a-star": Engine(
            best_first.weighted_a_star,
            "A* that trusts the estimate more; at most `weight` times the optimum",
            optimal=NEVER,
            settings=(
                Setting(
                    "weight", "how much the estimate counts beside the cost", 1.5, float, least=1, most=1000
                ),
            ),
        ),
        "anytime-a-star": Engine(
            anytime.solve,
            "weighted A* with falling weights, at last A*: better and better, with the proved ratio to the optimum",
            optimal=ADMISSIBLE,
        ),
        "ida-star": Engine(
            ida_star.solve,
            "depth first under a rising bound; hardly any memory; optimal with an admissible heuristic",
            optimal=ADMISSIBLE,
        ),
        "bidirectional": Engine(
            bidirectional.solve,
            "breadth first from both ends; needs known goals and moves that can be followed back; optimal",
            guide=UNUSED,
        ),
        "frontier": Engine(
            frontier.solve,
            "layer by layer, three layers in memory, the path traced afterwards; needs moves that can be taken back; "
            "optimal",
            guide=UNUSED,
        ),
        "external": Engine(
            external.solve,
            "layer by layer, positions on disk; optimal when every move costs the same",
            guide=UNUSED,
            settings=(
                Setting("disk", "megabytes of temporary files at most", 4096, int, least=1, most=1 << 24),
            ),
        ),
        "beam": Engine(
            beam.solve,
            "layer by layer, but only the positions that look nearest are kept; quick, seldom optimal",
            optimal=NEVER,
            settings=(Setting("width", "positions of a layer", 1000, int, least=1, most=1 << 24),),
        ),
        "novelty": Engine(
            novelty.solve,
            "what is new first: a solution soon even on large boards, seldom optimal",
            optimal=NEVER,
        ),
        "limited-discrepancy": Engine(
            discrepancy.solve,
            "where the heuristic leads, then with one exception, two, three...; hardly any memory, seldom optimal",
            optimal=NEVER,
            settings=(
                Setting(
                    "longest",
                    "moves of a path at most; 0: by the estimate of the start, then more",
                    0,
                    int,
                    least=0,
                    most=100_000,
                ),
            ),
        ),
    },
    DUEL: {
        "negamax": Engine(negamax.solve, "every line to a depth; the textbook version"),
        "alpha-beta": Engine(
            alpha_beta.solve,
            "iterative deepening, null windows, a transposition table, symmetry",
            settings=(
                Setting("ordering", "order the moves before they are searched", True, bool),
                Setting("table", "keep a transposition table", True, bool),
                Setting("symmetry", "count symmetric positions as one", True, bool),
                Setting(
                    "selective", "search late moves less deeply, where the evaluation allows it", True, bool
                ),
                THREADS,
            ),
        ),
        "monte-carlo": Engine(
            monte_carlo.solve,
            "random games, more of the promising ones (UCT)",
            guide=UNUSED,
            optimal=NEVER,
            settings=(SEED,),
        ),
    },
}
