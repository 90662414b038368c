"""The heuristics of the student report on the 8-puzzle, and what A* costs with each.

The report's milliseconds are its own (Prolog, its authors' machine); None is where it ran out of stack.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludion.kinds.games import Figures, ReportedSearch
from ludion.kinds.puzzle import estimate
from ludion.messages import translated
from ludion.tables import Cell, Table, milliseconds

ENGINE = "a-star"
HEURISTICS = ("misplaced", "manhattan", "linear-conflict")  # the last one is not the report's

# Milliseconds of A* with the report's two heuristics, by level.
MILLISECONDS: dict[str, dict[str, int]] = {
    "report-1": {"misplaced": 5, "manhattan": 4},
    "report-2": {"misplaced": 1, "manhattan": 1},
    "report-3": {"misplaced": 21, "manhattan": 6},
    "report-4": {},
    "report-5": {},
}


def searches() -> list[ReportedSearch]:
    """Five boards, each solved by A* with three heuristics."""
    return [
        ReportedSearch(
            instance=level,
            position=f"level:{level}",
            engine=ENGINE,
            guide=heuristic,
            figures=Figures(milliseconds=theirs[heuristic]) if heuristic in theirs else None,
        )
        for level, theirs in MILLISECONDS.items()
        for heuristic in HEURISTICS
    ]


def tables(results: Sequence[tuple[ReportedSearch, Mapping[str, Any]]]) -> list[Table]:
    """The heuristics table: what each says of the report's boards, and what A* costs with it."""
    by_board: dict[str, dict[str, Mapping[str, Any]]] = {}
    for search, result in results:
        by_board.setdefault(search.instance, {})[search.guide] = result
    rows = [_row(level, by_heuristic) for level, by_heuristic in by_board.items()]
    columns = ["level", "optimum"]
    for heuristic in HEURISTICS:
        columns += [f"{heuristic} h", f"{heuristic} nodes", f"{heuristic} ms"]
    title = translated("taquin.report.title", "Taquin, A* by heuristic")
    note = translated(
        "taquin.report.note", "The report's milliseconds are empty where its A* ran out of stack."
    )
    return [Table(title, (*columns, "report misplaced ms", "report manhattan ms"), rows, note)]


def _row(level: str, by_heuristic: Mapping[str, Mapping[str, Any]]) -> tuple[Cell, ...]:
    """One board: the optimum, then the estimate, the nodes and the time of each heuristic, then the report's times."""
    from ludion.games.taquin.game import GAME

    rules, position, _ = GAME.begin(f"level:{level}", {})
    lengths = [result["length"] for result in by_heuristic.values() if result.get("length") is not None]
    row: list[Cell] = [level, min(lengths, default=None)]
    for heuristic in HEURISTICS:
        value = GAME.heuristics[heuristic].value(rules)
        result = by_heuristic.get(heuristic, {})
        row += [int(estimate(value, rules, position)), result.get("nodes")]
        row.append(milliseconds(result.get("seconds")))
    theirs = MILLISECONDS[level]
    return (*row, theirs.get("misplaced"), theirs.get("manhattan"))
