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

# What the report says of each board: the optimum, and the values of its two heuristics.
CLAIMS: dict[str, dict[str, int]] = {
    "report-1": {"optimum": 5, "misplaced": 4, "manhattan": 5},
    "report-2": {"optimum": 2, "manhattan": 2},
    "report-3": {"optimum": 10, "manhattan": 10},
    "report-4": {"optimum": 20, "manhattan": 16},
    "report-5": {"optimum": 30, "manhattan": 24},
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
    """The heuristics table: the value of each heuristic on the report's boards, and the cost of A* with it."""
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
    columns += ["report optimum", "report misplaced h", "report manhattan h"]
    return [Table(title, (*columns, "report misplaced ms", "report manhattan ms"), rows, note)]


def _row(level: str, by_heuristic: Mapping[str, Mapping[str, Any]]) -> tuple[Cell, ...]:
    """One board: the optimum; estimate, nodes and time of each heuristic; the report's figures."""
    from ludion.games.taquin.game import GAME

    rules, position, _ = GAME.begin(f"level:{level}", {})
    lengths = [result["length"] for result in by_heuristic.values() if result.get("length") is not None]
    row: list[Cell] = [level, min(lengths, default=None)]
    for heuristic in HEURISTICS:
        value = GAME.heuristics[heuristic].value(rules)
        result = by_heuristic.get(heuristic, {})
        row += [int(estimate(value, rules, position)), result.get("nodes")]
        row.append(milliseconds(result))
    theirs, claims = MILLISECONDS[level], CLAIMS[level]
    row += [claims.get(name) for name in ("optimum", "misplaced", "manhattan")]
    return (*row, theirs.get("misplaced"), theirs.get("manhattan"))
