"""The tables of the student report of 2018 beside what the same searches give here.

The report's figures are its own (SWI-Prolog, its authors' machine); None is where it ran out of stack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludion.kinds.games import Figures, ReportedSearch
from ludion.messages import translated
from ludion.tables import Cell, Table, milliseconds

OPTIONS = {"metric": "steps", "order": "report"}
HEURISTICS = {"breadth-first": "", "greedy": "blockers", "a-star": "blockers"}

# (steps, milliseconds, nodes) of levels 1 to 10, by engine.
FIGURES: dict[str, list[tuple[int, int, int] | None]] = {
    "breadth-first": [
        (16, 600, 1072), (22, 210, 435), (18, 1370, 2332), (21, 4200, 5212), (50, 140, 257),
        (42, 5200, 6483), (32, 12850, 10756), (34, 22300, 15129), (71, 2355, 4168), (93, 35000, 19480),
    ],
    "greedy": [
        (16, 407, 452), (22, 78, 162), (18, 3500, 1896), (24, 9370, 1928), (54, 63, 226), *[None] * 5,
    ],
    "a-star": [
        (16, 718, 1043), (22, 110, 378), (18, 750, 922), (21, 3828, 2207), (50, 94, 246), *[None] * 5,
    ],
}  # fmt: skip

COLUMNS = (
    *("level", "report moves", "report ms", "report nodes"),
    *("moves", "ms", "nodes", "equal", "times faster"),
)


def searches() -> list[ReportedSearch]:
    """Ten levels, each searched breadth first, greedily and by A*."""
    return [
        ReportedSearch(
            instance=str(number + 1),
            position=f"level:{number + 1}",
            engine=engine,
            guide=HEURISTICS[engine],
            options=OPTIONS,
            figures=None if (line := figures[number]) is None else Figures(*line),
        )
        for number in range(10)
        for engine, figures in FIGURES.items()
    ]


def tables(results: Sequence[tuple[ReportedSearch, Mapping[str, Any]]]) -> list[Table]:
    """The report's three tables: breadth-first, greedy, A*."""
    return [
        Table(
            translated("rush_hour.report.title", "Rush Hour, {engine} (steps, the report's order)").format(
                engine=engine
            ),
            COLUMNS,
            rows,
            _note(engine),
        )
        for engine in FIGURES
        if (rows := list(_rows(engine, results)))
    ]


def _rows(
    engine: str, results: Sequence[tuple[ReportedSearch, Mapping[str, Any]]]
) -> Iterator[tuple[Cell, ...]]:
    for search, result in results:
        if search.engine != engine:
            continue
        theirs = search.figures or Figures()
        ours = milliseconds(result)
        times_faster = round(theirs.milliseconds / ours) if theirs.milliseconds and ours else None
        if search.figures is None:
            equal = "report: out of stack"
        else:
            same = (theirs.length, theirs.nodes) == (result.get("length"), result.get("nodes"))
            equal = "yes" if same else "no"
        yield (
            search.instance,
            *(theirs.length, theirs.milliseconds, theirs.nodes),
            *(result.get("length"), ours, result.get("nodes")),
            equal,
            times_faster,
        )


def _note(engine: str) -> str:
    if engine != "greedy":
        return ""
    return translated(
        "rush_hour.report.note_greedy",
        "Level 3: the report prints 18 moves; its own search order gives 30.",
    )
