"""Analysis of a position: exact counts for every cell, what is certain and why, and the recommended action."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, TypedDict

from ludion.answers import in_percent
from ludion.errors import LudionError, NotationError
from ludion.games.crocomine.agents import BestAgent, StuckError
from ludion.games.crocomine.clauses import formula_of
from ludion.games.crocomine.drawing import legend, svg, text
from ludion.games.crocomine.inference import counts, hidden_cells, probabilities
from ludion.games.crocomine.notation import Position, view_of
from ludion.games.crocomine.reasons import CONTENT_IDS, Explainer, Reason, content_in_words, reason
from ludion.games.crocomine.rules import (
    ANIMALS,
    CHORD,
    DISCOVER,
    EMPTY,
    HIDDEN,
    KINDS,
    Action,
    View,
    all_guessed_around,
    neighbours,
    why_no_chord,
)
from ludion.games.crocomine.unavoidable import dead_cells, unavoidable_guesses
from ludion.kinds.parts import MoveReason, marks_at
from ludion.kinds.quest import RUNNING
from ludion.messages import decimal, labelled, message

if TYPE_CHECKING:
    import numpy as np

    from ludion.games.crocomine.rules import CrocoRules

NAMES = ("empty", "tiger", "shark", "crocodile")  # the contents, as entries of a cell
MOST_LINES, MOST_PLACES = 40, 12  # about cells, in the text; cells in one of them

Place = list[int]  # row, column


class CellStudy(TypedDict, total=False):
    """A hidden cell: the probability of each content, in how many boards it holds it, and why it is certain."""

    row: int
    column: int
    empty: float
    tiger: float
    shark: float
    crocodile: float
    ways: list[int]
    certain: str
    reason: str
    spoken_reason: str  # for people, who count rows and columns from 1
    clues: list[Place]


class UnavoidableGuess(TypedDict):
    """A part of the board about which actions elsewhere give no information, and its number of completions."""

    cells: list[Place]
    ways: int


class Advice(TypedDict, total=False):
    """The action of `best`, its risk and the layer that chose it; where nothing is certain, also dead cells and
    unavoidable guesses."""

    action: str
    risk: float
    proved: bool
    layer: str
    dead: list[Place]
    unavoidable: list[UnavoidableGuess]


class BoardStudy(Advice, total=False):
    """The whole analysis of a position."""

    status: str
    models: int
    cells: list[CellStudy]
    why: str
    clues: list[Place]
    smallest: bool
    text: str
    dimacs: str
    picture: str


def study(
    rules: CrocoRules | None,
    position: Position,
    *,
    why: str = "",
    reasons: bool = True,
    dimacs: bool = False,
    picture: bool = False,
) -> BoardStudy:
    """The chances of every hidden cell, certain ones with their reason, dead cells, unavoidable guesses, and the
    action that `best` would take.

    `why=ROW,COLUMN` explains one cell; `reasons=no` leaves the proofs out; `dimacs=yes` adds the clauses and
    `picture=yes` an SVG of the board with its risks (or with the proof asked for by `why`).
    """
    view = view_of(position)
    models, ways = counts(view)
    chances = probabilities(view).chances
    explained = _explain(view, str(why)) if why else None
    explainer = Explainer(view) if reasons and explained is None else None
    cells = [_study_cell(view, cell, models, ways[cell], explainer) for cell in hidden_cells(view)]
    if explainer is not None:
        explainer.close()
    result: BoardStudy = {"status": view.status, "models": models, "cells": cells}
    result.update(_advice(view))  # type: ignore[typeddict-item]
    if explained is not None:
        result["why"] = explained.words(view)
        result["clues"] = [_place(view, clue) for clue in explained.clues]
        result["smallest"] = explained.smallest
    result["text"] = _text(view, result)
    if dimacs:
        result["dimacs"] = formula_of(view).dimacs()
    if picture:
        result["picture"] = svg(None, view, None if explained else chances, explained)
    return result


def _place(view: View, cell: int) -> Place:
    return list(view.place(cell))


def _study_cell(
    view: View, cell: int, models: int, ways: tuple[int, int, int, int], explainer: Explainer | None
) -> CellStudy:
    row, column = view.place(cell)
    empty, tiger, shark, crocodile = (number / models for number in ways)
    entry: CellStudy = {
        "row": row,
        "column": column,
        "empty": empty,
        "tiger": tiger,
        "shark": shark,
        "crocodile": crocodile,
        "ways": list(ways),
    }
    if models in ways:
        content = ways.index(models)
        entry["certain"] = CONTENT_IDS[content]
        because = explainer.reason(cell, content) if explainer is not None else None
        if because is not None:
            entry["reason"] = because.words(view)
            entry["spoken_reason"] = because.spoken(view)
            entry["clues"] = [_place(view, clue) for clue in because.clues]
    return entry


def _advice(view: View) -> Advice:
    if not (view.seen == HIDDEN).any() or view.status != RUNNING:
        return {}
    agent = BestAgent()
    try:
        action = agent.decide(view.copy())
    except StuckError:
        return {}
    advice: Advice = {
        "action": str(action),
        "risk": agent.risk,
        "proved": agent.sure,
        "layer": agent.layer,
    }
    if agent.sure:
        return advice
    advice["dead"] = [_place(view, cell) for cell in dead_cells(agent, view)]
    advice["unavoidable"] = [
        {"cells": [_place(view, int(cell)) for cell in sorted(cells)], "ways": len(completions)}
        for cells, completions in unavoidable_guesses(agent, view)
    ]
    return advice


def _explain(view: View, place: str) -> Reason:
    try:
        row, column = (int(number) for number in place.replace(",", " ").split())
    except ValueError:
        raise NotationError(message("crocomine.not_a_place", text=place)) from None
    if not (0 <= row < view.rows and 0 <= column < view.columns):
        size = {"rows": view.rows, "columns": view.columns}
        raise NotationError(message("crocomine.no_such_cell", row=row, column=column, **size))
    explained = reason(view, view.cell(row, column))
    if explained is None:
        known = view.seen[view.cell(row, column)] != HIDDEN
        name = "content_is_known" if known else "content_is_not_certain"
        raise LudionError(message(f"crocomine.{name}", row=row, column=column))
    return explained


def _places(cells: list[Place]) -> str:
    return " ".join(f"({row}, {column})" for row, column in cells)


def _text(view: View, result: BoardStudy) -> str:
    lines = [text(None, view), legend(view)]
    if result["models"] == 1:
        lines.append(message("crocomine.one_board_fits"))
    else:
        lines.append(message("crocomine.boards_fit", number=_in_short(result["models"])))
    cells = _cells_text(view, result["cells"])
    lines += cells[:MOST_LINES]
    if len(cells) > MOST_LINES:
        lines.append(message("crocomine.more_lines", n=len(cells) - MOST_LINES))
    if "why" in result:
        lines.append(message("crocomine.why", words=result["why"]))
    for part in result.get("unavoidable", ()):
        lines.append(message("crocomine.unavoidable_guess", cells=_places(part["cells"]), ways=part["ways"]))
    if result.get("dead"):
        lines.append(message("crocomine.dead_cells", cells=_places(result["dead"])))
    if "action" in result:
        layer = message(f"crocomine.layer.{result['layer']}")
        if result["proved"]:
            lines.append(message("crocomine.best_is_proved", action=result["action"], layer=layer))
        else:
            risk = f"{100 * result['risk']:.2f}"
            lines.append(message("crocomine.best_is_risky", action=result["action"], risk=risk, layer=layer))
    return "\n".join(lines)


def _in_short(number: int) -> str:
    """A number, in powers of ten if it is long."""
    if number < 10**12:
        return decimal(number, 0)
    digits = str(number)
    return f"{decimal(int(digits[:4]) / 1000, 2)} x 10^{len(digits) - 1}"


def _cells_text(view: View, cells: list[CellStudy]) -> list[str]:
    """A line for each certain cell, then one for all that have the same chances, the safest first."""
    lines, alike = [], defaultdict[tuple[int, ...], list[CellStudy]](list)
    for cell in sorted(cells, key=lambda cell: -cell["empty"]):
        if "reason" in cell:
            lines.append(cell["reason"])
        elif "certain" in cell:
            lines.append(content_in_words(view, view.cell(cell["row"], cell["column"]), cell["certain"]))
        else:
            alike[tuple(cell["ways"])].append(cell)
    for group in alike.values():
        chances = {name: group[0][name] for name in NAMES}  # type: ignore[literal-required]
        if view.flags:
            chances = {"empty": chances["empty"], "mine": chances["tiger"]}
        words = ", ".join(
            f"{message(f'crocomine.content.{name}')} {decimal(100 * chance, 2)} %"
            for name, chance in chances.items()
            if chance
        )
        places = _places([[cell["row"], cell["column"]] for cell in group[:MOST_PLACES]])
        more = (
            message("crocomine.more_places", n=len(group) - MOST_PLACES) if len(group) > MOST_PLACES else ""
        )
        lines.append(labelled(words, places + more))
    return lines


def action_reason(rules: CrocoRules, position: Position, action: Action) -> MoveReason | None:
    """Why a cell may be opened or guessed: the clues that prove what it holds; else its risk, and the safest cells."""
    view = view_of(position)
    cell = view.cell(action.row, action.column)
    if action.verb == CHORD or view.seen[cell] != HIDDEN or (view.seen == HIDDEN).all():
        return None
    because = reason(view, cell)
    if because is not None:
        clues = [view.place(clue) for clue in because.clues]
        return MoveReason(because.spoken(view), marks_at("clue", clues))
    known = probabilities(view).chances
    shares = {int(each): float(known[each, EMPTY]) for each in hidden_cells(view)}
    content = EMPTY if action.verb == DISCOVER else KINDS.index(action.animal) + 1
    risk = 1 - float(known[cell, content])
    most = max(shares.values())
    safest = [view.place(each) for each, share in shares.items() if share > most - 1e-9]
    words = {"risk": in_percent(risk), "least": in_percent(1 - most), "n": len(safest)}
    return MoveReason(message("crocomine.why_risk", **words), marks_at("target", safest[:MOST_LINES]))


def chances(rules: CrocoRules, position: Position) -> Iterator[tuple[str, float]]:
    """Each discovery and guess with the chance that it is right, from what is seen, and chords that are certain; flags
    are no risk."""
    view = view_of(position)
    if (view.seen == HIDDEN).all():
        return  # before the first discovery only the start is known to be safe
    shares = probabilities(view).chances
    for cell in hidden_cells(view):
        row, column = view.place(int(cell))
        yield f"discover {row} {column}", float(shares[cell, EMPTY])
        if view.flags:
            continue
        for animal, sign in zip(ANIMALS, KINDS, strict=True):
            yield f"guess {row} {column} {sign}", float(shares[cell, animal])
    for cell in range(view.cells):
        chance = _chord_chance(view, cell, shares)
        if chance is not None:
            yield "{} {} {}".format(CHORD, *view.place(cell)), chance


def _chord_chance(view: View, cell: int, shares: np.ndarray) -> float | None:
    """The chance of a chord, if it is 0 or 1: either all opened cells are certain, or the guessed animals decide it."""
    if why_no_chord(view, cell) is not None:
        return None
    if not view.flags:
        return float(all_guessed_around(view, cell))
    opened = [
        float(shares[other, EMPTY])
        for other in neighbours(view.rows, view.columns, cell)
        if view.seen[other] == HIDDEN
    ]
    return min(opened) if min(opened) in (0.0, 1.0) else None
