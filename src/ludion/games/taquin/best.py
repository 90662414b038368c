"""What serves best, by the size of the board.

up to 9 cells   IDA* with a table of all distances: every step is the right one
4x4             IDA* with the pattern databases 6-6-3, made on first use; 7-8 when they are there or asked for
up to 4x4       IDA* with pattern databases of up to 6 tiles
larger          a good solution soon, better ones until the budget ends, and a lower bound (`anytime`):
                with pattern databases up to 6x6, with linear conflicts beyond
metric multi    IDA* with walking distance up to 4x4, else `anytime`
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ludion.engines import ida_star
from ludion.engines.answers import LIMIT, Answer
from ludion.engines.limits import Budget, Observer
from ludion.errors import UnfitError
from ludion.games.taquin import anytime
from ludion.games.taquin.additive import is_made, pattern_database
from ludion.games.taquin.heuristics import LinearConflict, Pushes
from ludion.games.taquin.pattern_databases import MakingStoppedError, TablesError, default_partition
from ludion.games.taquin.rules import Taquin, Tiles
from ludion.games.taquin.walking_distance import MOST_LINES, walking_distance

BEST_TABLES = {(4, 4): "7-8", (5, 5): "6-6-6-6"}  # used when they are there, or asked for
MOST_FOR_TABLES = 36


def solve(
    rules: Taquin,
    start: Tiles,
    guide: Any,
    budget: Budget,
    observer: Observer | None = None,
    tables: str = "",
    optimal: bool = False,
) -> Answer:
    """The strongest for this board: optimal up to 4x4, beyond that good soon and then better.

    `tables` names a partition (`7-8`, or tiles `1 2 5 6/3 4 7 8/...`) whose pattern databases are to be used, and made
    if need be. `optimal` asks for an optimal solution of a large board too, however long it takes.
    """
    try:
        name, heuristic = choose(rules, guide, tables, observer, budget)
    except MakingStoppedError as error:
        return Answer(LIMIT, engine="by-size", limit="stopped", reason=str(error))
    small = rules.width * rules.height <= 16
    if small or optimal:
        answer = ida_star.solve(rules, start, heuristic, budget, observer)
    else:
        answer = anytime.solve(rules, start, heuristic, budget, observer)
    return replace(answer, guide=name)


def choose(
    rules: Taquin, guide: Any, wanted: str, observer: Observer | None, budget: Budget
) -> tuple[str, Any]:
    """The heuristic for this board, with its name. A guide that is not the default one was asked for."""
    cells = rules.width * rules.height
    if wanted:
        return f"pattern-database {wanted}", pattern_database(rules, wanted, observer, budget)
    if not isinstance(guide, (LinearConflict, Pushes)):
        return "", guide
    if type(rules) is not Taquin:
        if max(rules.width, rules.height) <= MOST_LINES:
            return "walking-distance", walking_distance(rules)
        return "linear-conflict", guide
    if min(rules.width, rules.height) == 1 or cells > MOST_FOR_TABLES:
        return "linear-conflict", guide
    size = (rules.width, rules.height)
    name = default_partition(rules)
    if size in BEST_TABLES and is_made(rules, BEST_TABLES[size]):
        name = BEST_TABLES[size]
    try:
        return f"pattern-database {name}", pattern_database(rules, name, observer, budget)
    except MakingStoppedError:
        raise
    except (UnfitError, TablesError):  # too large a board, or too small a budget of memory
        return "linear-conflict", guide
