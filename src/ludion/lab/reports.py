"""The tables of the old student reports, beside what the same question gives here.

Their figures are theirs (SWI-Prolog, the authors' machines); `None` is where they ran out of stack.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ludion.kinds.card import Card, Level, resolve
from ludion.lab.tables import Table, merged
from ludion.lab.trials import Trial

Results = Iterable[tuple[Trial, dict[str, Any]]]

# Rush Hour: (moves, ms, nodes) of levels 1 to 10.
RUSH_HOUR: dict[str, list[tuple[int, int, int] | None]] = {
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
RUSH_HOUR_OPTIONS = {"metric": "steps", "order": "report"}

# Taquin: milliseconds of A* with (misplaced, Manhattan).
TAQUIN: dict[str, tuple[int | None, int | None]] = {
    "report-1": (5, 4),
    "report-2": (1, 1),
    "report-3": (21, 6),
    "report-4": (None, None),
    "report-5": (None, None),
}

# Tic-tac-toe: (value, seconds) by depth, from the empty board; every depth's move is the centre.
TIC_TAC_TOE: dict[int, tuple[int, float | None]] = {
    1: (4, None), 2: (1, None), 3: (3, None), 4: (1, 0.5), 5: (3, 2.0), 6: (1, 11.0),
}  # fmt: skip


def comparison(card: Card) -> dict[str, Any] | None:
    """A report's table as engines, instances and its own figures by instance and engine (for the studio)."""
    if card.name == "rush-hour":
        runs = [
            {"engine": name, "guide": "" if name == "breadth-first" else "blockers"} for name in RUSH_HOUR
        ]
        places = [
            {"name": str(number), "start": f"level:{number}", "options": RUSH_HOUR_OPTIONS}
            for number in range(1, 11)
        ]
        theirs = [
            [
                dict(zip(("length", "ms", "nodes"), figures, strict=True)) if figures else None
                for figures in (RUSH_HOUR[name][number] for name in RUSH_HOUR)
            ]
            for number in range(10)
        ]
        return {"runs": runs, "instances": places, "theirs": theirs}
    if card.name == "taquin":
        names = ("misplaced", "manhattan", "linear-conflict")
        return {
            "runs": [{"engine": "a-star", "guide": name} for name in names],
            "instances": [{"name": name, "start": f"level:{name}"} for name in TAQUIN],
            "theirs": [[{"ms": ms} if ms else None for ms in (*pair, None)] for pair in TAQUIN.values()],
        }
    if card.name == "tic-tac-toe":
        return {
            "runs": [{"engine": "negamax"}],
            "instances": [{"name": str(depth), "start": "", "depth": depth} for depth in range(1, 10)],
            "theirs": [
                [
                    {"score": told[0], "ms": None if told[1] is None else round(1000 * told[1])}
                    if (told := TIC_TAC_TOE.get(depth))
                    else None
                ]
                for depth in range(1, 10)
            ],
        }
    return None


def rush_hour(results: Results) -> list[Table]:
    """The report's three tables: breadth-first, greedy, A*."""
    tables: dict[str, list[tuple[Any, ...]]] = {name: [] for name in RUSH_HOUR}
    for trial, result in merged(results):
        rows = tables.get(trial.engine)
        if rows is None:
            continue
        theirs = RUSH_HOUR[trial.engine][len(rows)] if len(rows) < 10 else None
        told = theirs or (None, None, None)
        seconds = result.get("seconds")
        faster = told[1] / (1000 * seconds) if told[1] and seconds else None
        agrees = (
            None if theirs is None else told[0] == result.get("length") and told[2] == result.get("nodes")
        )
        rows.append(
            (
                trial.level,
                *told,
                result.get("length"),
                round(1000 * seconds, 3) if seconds is not None else None,
                result.get("nodes"),
                {True: "yes", False: "no", None: "report: out of stack"}[agrees],
                round(faster) if faster else None,
            )
        )
    columns = (
        "level",
        "report moves",
        "report ms",
        "report nodes",
        "moves",
        "ms",
        "nodes",
        "equal",
        "times faster",
    )
    notes = {"greedy": "Level 3: the report prints 18 moves; its own search order gives 30."}
    return [
        Table(f"Rush Hour, {name} (steps, the report's order)", columns, rows, notes.get(name, ""))
        for name, rows in tables.items()
        if rows
    ]


def taquin(card: Card, levels: Iterable[Level], results: Results) -> list[Table]:
    """The heuristics table: what each says of the report's boards, and what A* costs with it."""
    from ludion import api
    from ludion.kinds.puzzle import estimate

    names = [name for name in ("misplaced", "manhattan", "linear-conflict") if name in card.guides]
    cost = {
        (trial.level, trial.guide): result for trial, result in merged(results) if trial.engine == "a-star"
    }
    rows = []
    for level in levels:
        position = api.position(card, level.position, **level.options)
        theirs = TAQUIN.get(level.name, (None, None))
        row: list[Any] = [level.name, cost.get((level.name, names[-1]), {}).get("length")]
        for name in names:
            value = resolve(card.guides[name].make)(position.rules)
            result = cost.get((level.name, name), {})
            row += [int(estimate(value, position.rules, position.state)), result.get("nodes")]
            row.append(round(1000 * result["seconds"], 3) if "seconds" in result else None)
        rows.append((*row, *theirs))
    columns = ["level", "optimum"]
    for name in names:
        columns += [f"{name} h", f"{name} nodes", f"{name} ms"]
    note = "The report's milliseconds are empty where its A* ran out of stack."
    return [
        Table("Taquin, A* by heuristic", (*columns, "report misplaced ms", "report manhattan ms"), rows, note)
    ]


def tic_tac_toe(results: Results) -> list[Table]:
    """The depth table: value and best first move from the empty board."""
    rows = []
    for trial, result in merged(results):
        if trial.engine != "negamax" or trial.depth is None:
            continue
        value, seconds = TIC_TAC_TOE.get(trial.depth, (None, None))
        rows.append(
            (
                trial.depth,
                result.get("score"),
                (result.get("moves") or [None])[0],
                result.get("nodes"),
                round(1000 * result["seconds"], 3) if "seconds" in result else None,
                value,
                None if seconds is None else round(1000 * seconds),
            )
        )
    note = "The report ran out of stack from depth 7 on. At depth 8 and 9 every first move draws."
    columns = ("depth", "value", "move", "nodes", "ms", "report value", "report ms")
    return [Table("Tic-tac-toe, negamax by depth", columns, rows, note)]
