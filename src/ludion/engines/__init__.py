"""The engines, each written once for all games of its kind, and their names.

An engine is a function `solve(game, position, guide, budget, observer, **options) -> Answer`, where the guide is a
heuristic (puzzles) or an evaluation (duels). This module only names them, so that listing them is instant.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludion.kinds.card import DUEL, PUZZLE


@dataclass(frozen=True)
class Engine:
    """A general engine: where it is and what it promises."""

    name: str
    kind: str
    solve: str  # "module:function"
    help: str
    guided: bool = True  # takes a heuristic or an evaluation
    optimal: str = "always"  # when its answer is optimal: always, admissible (with such a heuristic), never
    options: tuple[str, ...] = ()


_ALL = (
    Engine(
        "breadth-first",
        PUZZLE,
        "ludion.engines.breadth_first:solve",
        "layer by layer; optimal when every move costs the same",
        guided=False,
    ),
    Engine(
        "uniform-cost",
        PUZZLE,
        "ludion.engines.best_first:uniform_cost",
        "cheapest position first; optimal",
        guided=False,
    ),
    Engine(
        "greedy",
        PUZZLE,
        "ludion.engines.best_first:greedy",
        "what looks nearest first; quick, seldom optimal",
        optimal="never",
    ),
    Engine(
        "a-star",
        PUZZLE,
        "ludion.engines.best_first:a_star",
        "cost so far plus estimate; optimal with an admissible heuristic",
        optimal="admissible",
    ),
    Engine(
        "weighted-a-star",
        PUZZLE,
        "ludion.engines.best_first:weighted_a_star",
        "A* that trusts the estimate more; at most `weight` times the optimum",
        optimal="never",
        options=("weight",),
    ),
    Engine(
        "ida-star",
        PUZZLE,
        "ludion.engines.ida_star:solve",
        "depth first under a rising bound; hardly any memory; optimal with an admissible heuristic",
        optimal="admissible",
    ),
    Engine(
        "bidirectional",
        PUZZLE,
        "ludion.engines.bidirectional:solve",
        "breadth first from both ends; needs one goal and moves that can be taken back; optimal",
        guided=False,
    ),
    Engine(
        "negamax",
        DUEL,
        "ludion.engines.negamax:solve",
        "every line to a depth; the textbook version",
    ),
    Engine(
        "alpha-beta",
        DUEL,
        "ludion.engines.alpha_beta:solve",
        "iterative deepening, null windows, a table of known positions, symmetry",
    ),
    Engine(
        "monte-carlo",
        DUEL,
        "ludion.engines.monte_carlo:solve",
        "random games, more of the promising ones (UCT)",
        guided=False,
        optimal="never",
        options=("seed",),
    ),
)

ENGINES = {engine.name: engine for engine in _ALL}
