"""The best engine and heuristic by the size of the board.

up to 9 cells   IDA* with a table of all distances: only optimal moves are searched
4x4             IDA* with the pattern databases 6-6-3, built on first use; 7-8 if they exist or are requested
up to 4x4       IDA* with pattern databases of up to 6 tiles
larger          a good solution soon, better ones until the budget ends, and a lower bound (`anytime`):
                with pattern databases up to 6x6, with linear conflicts beyond; first line by line
metric multi    IDA* with walking distance up to 4x4, else `anytime`
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludion.answers import LIMIT, Answer
from ludion.core.words import array_bytes
from ludion.engines import ida_star
from ludion.engines.budget import Budget, Observer
from ludion.errors import UnfitError
from ludion.games.taquin import anytime
from ludion.games.taquin.additive import is_made, pattern_database
from ludion.games.taquin.heuristics import linear_conflict
from ludion.games.taquin.partitions import default_partition
from ludion.games.taquin.pattern_making import MakingStoppedError, TablesError
from ludion.games.taquin.rules import Taquin, Tiles
from ludion.games.taquin.walking_distance import MOST_LINES, walking_distance

if TYPE_CHECKING:
    from ludion.games.taquin.heuristics import Heuristic

BEST_TABLES = {(4, 4): "7-8", (5, 5): "6-6-6-6"}  # used if they exist or are requested
FEWEST_CELLS_FOR_TABLES = 10  # smaller boards are solved faster than tables are built


def solve(
    rules: Taquin,
    start: Tiles,
    heuristic: Heuristic | None,
    budget: Budget,
    observer: Observer | None = None,
    tables: str = "",
    optimal: bool = False,
) -> Answer:
    """The strongest engine for this board: optimal up to 4x4, beyond that a good solution soon and then better ones.

    `tables` names a partition (`7-8`, or tiles `1 2 5 6/3 4 7 8/...`) whose pattern databases are used, and built if
    they are missing. `optimal` asks for an optimal solution even of a large board, however long that takes.
    """
    try:
        name, chosen = choose(rules, heuristic, tables, observer, budget)
    except MakingStoppedError as error:
        return Answer(LIMIT, engine="by-size", limit="stopped", reason=str(error))
    small = rules.width * rules.height <= 16
    if small or optimal:
        answer = ida_star.solve(rules, start, chosen, budget, observer)
    else:
        answer = anytime.solve(rules, start, chosen, budget, observer)
    own_tables = 0 if chosen is heuristic else array_bytes(chosen)
    return replace(answer, heuristic=name, memory=answer.memory + own_tables)


def choose(
    rules: Taquin, heuristic: Heuristic | None, partition: str, observer: Observer | None, budget: Budget
) -> tuple[str, Heuristic]:
    """The heuristic for this board with its name, which is empty if the user chose it."""
    if partition:
        return f"pattern-database {partition}", pattern_database(rules, partition, observer, budget)
    if heuristic is not None:
        return "", heuristic
    usual = linear_conflict(rules)
    if type(rules) is not Taquin:
        if max(rules.width, rules.height) <= MOST_LINES:
            return "walking-distance", walking_distance(rules)
        return "linear-conflict", usual
    cells = rules.width * rules.height
    fit = FEWEST_CELLS_FOR_TABLES <= cells <= anytime.MOST_CELLS_FOR_TABLES
    if min(rules.width, rules.height) == 1 or not fit:
        return "linear-conflict", usual
    names = [default_partition(rules)]
    best = BEST_TABLES.get((rules.width, rules.height))
    if best and is_made(rules, best):
        names.insert(0, best)
    for name in names:
        try:
            return f"pattern-database {name}", pattern_database(rules, name, observer, budget)
        except MakingStoppedError:
            raise
        except (UnfitError, TablesError):  # too large a board, or too small a budget of memory
            continue
    return "linear-conflict", usual
