"""What can be known of a position: every cell's chances in exact integers, what is certain and why, what to
do."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.errors import LudionError, NotationError
from ludion.games.crocomine.agents import BestAgent, StuckError
from ludion.games.crocomine.clauses import ANIMALS, Reason, formula_of, reason
from ludion.games.crocomine.drawing import legend, svg, text
from ludion.games.crocomine.inference import (
    ContradictionError,
    combine,
    counts,
    hidden_cells,
    probabilities,
    sight_of,
)
from ludion.games.crocomine.notation import view_of
from ludion.games.crocomine.rules import HIDDEN, View
from ludion.kinds.quest import RUNNING

NAMES = ("empty", "tiger", "shark", "crocodile")


def study(
    game: Any,
    position: Any,
    *,
    why: str = "",
    reasons: bool = True,
    dimacs: bool = False,
    picture: bool = False,
) -> dict[str, Any]:
    """The chances of every hidden cell, certain ones with their reason, dead cells, unavoidable guesses, and the
    action that `best` would take.

    `why=ROW,COLUMN` explains one cell; `reasons=no` leaves the proofs out; `dimacs=yes` adds the clauses and
    `picture=yes` an SVG of the board with its risks (or with the proof asked for by `why`).
    """
    view = view_of(position)
    try:
        models, ways = counts(view)
        chances = probabilities(view).chances
    except ContradictionError as error:
        raise NotationError(str(error)) from None
    asked = _explain(view, str(why)) if why else None
    cells = []
    for cell in hidden_cells(view):
        row, column = view.place(cell)
        entry: dict[str, Any] = {
            "row": row,
            "column": column,
            **{name: float(ways[cell][content] / models) for content, name in enumerate(NAMES)},
            "ways": list(ways[cell]),
        }
        certain = [content for content in range(4) if ways[cell][content] == models]
        if certain:
            entry["certain"] = ANIMALS[certain[0]]
            if reasons and asked is None:
                found = reason(view, cell)
                if found is not None:
                    entry["reason"] = found.words(view)
                    entry["clues"] = [list(view.place(clue)) for clue in found.clues]
        cells.append(entry)
    told: dict[str, Any] = {"status": view.status, "models": models, "cells": cells}
    told.update(_advice(view))
    if asked is not None:
        told["why"] = asked.words(view)
        told["clues"] = [list(view.place(clue)) for clue in asked.clues]
        told["smallest"] = asked.smallest
    told["text"] = _text(view, told)
    if dimacs:
        told["dimacs"] = formula_of(view).dimacs()
    if picture:
        told["picture"] = svg(None, view, None if asked else chances, asked)
    return told


def _advice(view: View) -> dict[str, Any]:
    """What `best` would do, how risky it is and which layer says so; where nothing is certain, also the cells
    that tell nothing and the guesses that nothing outside can help with."""
    if not (view.seen == HIDDEN).any() or view.status != RUNNING:
        return {}
    agent = BestAgent()
    try:
        action = agent.decide(view.copy())
    except StuckError:
        return {}
    told = {"action": str(action), "risk": agent.risk, "proved": agent.sure, "layer": agent.layer}
    if agent.sure:
        return told
    known = np.zeros(view.cells, np.int8)
    combine(sight_of(view), agent.certain, known)
    told["dead"] = [list(view.place(cell)) for cell in agent.dead_cells(view, known)]
    told["unavoidable"] = [
        {"cells": [list(view.place(int(cell))) for cell in sorted(cells)], "ways": len(found)}
        for cells, found in agent.unavoidable(view, known)
    ]
    return told


def _explain(view: View, place: str) -> Reason:
    try:
        row, column = (int(number) for number in place.replace(",", " ").split())
    except ValueError:
        raise NotationError(f"'{place}' is not ROW,COLUMN") from None
    if not (0 <= row < view.rows and 0 <= column < view.columns):
        raise NotationError(f"no cell ({row}, {column}) on this board")
    found = reason(view, view.cell(row, column))
    if found is None:
        known = view.seen[view.cell(row, column)] != HIDDEN
        raise LudionError(f"the content of ({row}, {column}) is {'known' if known else 'not certain'}")
    return found


def _places(cells: list[list[int]]) -> str:
    return " ".join(f"({row}, {column})" for row, column in cells)


def _text(view: View, told: dict[str, Any]) -> str:
    lines = [
        text(None, view),
        legend(view),
        f"{told['models']:,} board{' fits' if told['models'] == 1 else 's fit'}",
    ]
    for entry in sorted(told["cells"], key=lambda each: ("certain" not in each, -each["empty"]))[:40]:
        place = f"({entry['row']}, {entry['column']})"
        if "certain" in entry:
            lines.append(entry.get("reason") or f"{place} is certain: {entry['certain']}")
        else:
            shares = ", ".join(f"{name} {100 * entry[name]:.2f} %" for name in NAMES if entry[name])
            lines.append(f"{place} {shares}")
    if len(told["cells"]) > 40:
        lines.append(f"... and {len(told['cells']) - 40} more cells (--json has all)")
    if "why" in told:
        lines.append(f"why: {told['why']}")
    for part in told.get("unavoidable", ()):
        lines.append(f"unavoidable guess: {_places(part['cells'])} ({part['ways']} ways)")
    if told.get("dead"):
        lines.append(f"dead, so played last: {_places(told['dead'])}")
    if "action" in told:
        kind = "proved" if told["proved"] else f"risk {100 * told['risk']:.2f} %"
        lines.append(f"best: {told['action']} ({kind}, by {told['layer']})")
    return "\n".join(lines)
