"""The student report's table of depths beside ours: negamax from the empty board.

The report's figures are its own (Prolog, its authors' machine); it ran out of stack from depth 7 on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludion.kinds.games import Figures, ReportedSearch
from ludion.messages import translated
from ludion.tables import Cell, Table, milliseconds

ENGINE = "negamax"
DEEPEST = 9

# By depth; the first move is always the centre.
FIGURES = {
    1: Figures(score=4),
    2: Figures(score=1),
    3: Figures(score=3),
    4: Figures(score=1, milliseconds=500),
    5: Figures(score=3, milliseconds=2000),
    6: Figures(score=1, milliseconds=11_000),
}

COLUMNS = ("depth", "value", "move", "nodes", "ms", "report value", "report ms")


def searches() -> list[ReportedSearch]:
    """The empty board, searched to each depth."""
    return [
        ReportedSearch(str(depth), "", ENGINE, depth=depth, figures=FIGURES.get(depth))
        for depth in range(1, DEEPEST + 1)
    ]


def tables(results: Sequence[tuple[ReportedSearch, Mapping[str, Any]]]) -> list[Table]:
    """The depth table: value and best first move from the empty board."""
    rows: list[tuple[Cell, ...]] = []
    for search, result in results:
        theirs = search.figures or Figures()
        best_line = result.get("moves") or [None]
        rows.append(
            (
                *(search.depth, result.get("score"), best_line[0], result.get("nodes")),
                milliseconds(result),
                *(theirs.score, theirs.milliseconds),
            )
        )
    title = translated("tic_tac_toe.report.title", "Tic-tac-toe, negamax by depth")
    note = translated(
        "tic_tac_toe.report.note",
        "The report ran out of stack from depth 7 on. At depth 8 and 9 every first move draws.",
    )
    return [Table(title, COLUMNS, rows, note)]
