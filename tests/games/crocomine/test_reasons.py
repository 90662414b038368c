"""Why cells are certain: reasons that hold, none smaller, and the totals named."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ludion.games.crocomine import generator, notation
from ludion.games.crocomine.agents import CountingAgent
from ludion.games.crocomine.inference import (
    build_problem,
    counts,
    hidden_cells,
    known_board,
)
from ludion.games.crocomine.reasons import Explainer, Reason
from ludion.games.crocomine.rules import EMPTY, HIDDEN, OPEN, View, act_on, begin
from ludion.kinds.quest import RUNNING, percept
from ludion.logic.counting import count
from ludion.messages import speaking

PLENTY = 30  # of each animal, with more free cells: totals that bind nothing
EMPTY_WITHOUT_CLUE = -2  # seen as neither hidden nor open


def is_forced(view: View, reason: Reason, clues: tuple[int, ...]) -> bool:
    """Whether these clues leave the cell one content, by exact counting; with the totals, if the reason names them."""
    seen = np.where(view.flags & (view.seen > EMPTY), HIDDEN, view.seen).astype(np.int8)
    others = np.setdiff1d(np.flatnonzero(seen == OPEN), np.array(clues, np.int64))
    seen[others] = EMPTY_WITHOUT_CLUE
    problem, placement = build_problem(known_board(view, seen))
    box = int(placement.box_of[reason.cell])
    if reason.totals:
        counted = count(problem)
        ways = counted.boxes[box] if box >= 0 else counted.free[int(view.terrain[reason.cell])]
        return ways[reason.content] == counted.models
    if box < 0:
        return False
    plenty = problem._replace(left=np.full(3, PLENTY), free=np.full(2, 4 * PLENTY))
    counted = count(plenty)
    return counted.models > 0 and counted.boxes[box][reason.content] == counted.models


def positions(name: str, seeds: range) -> list[View]:
    """The positions of games in which something is certain."""
    views = []
    for seed in seeds:
        world, agent = begin(generator.from_name(name, seed)), CountingAgent(seed)
        while world.view.status == RUNNING:
            act_on(world, agent.decide(percept(world)))
            view = percept(world)
            if view.status == RUNNING and 0 < len(hidden_cells(view)) <= 14:
                views.append(view)
                break
    return views


@pytest.mark.parametrize("name", ["5x4:4:safe", "5x4:1/1/2:safe", "6x4:2/2/1:safe"])
def test_reasons_hold_and_none_is_smaller(name: str) -> None:
    explained = totals = 0
    for view in positions(name, range(12)):
        models, ways = counts(view)
        explainer = Explainer(view)
        for cell in hidden_cells(view):
            reason = explainer.reason(cell)
            assert (reason is not None) == (models in ways[cell])
            if reason is None or (reason.totals and (view.terrain[cell] < 0 or not reason.placed)):
                continue
            assert ways[cell][reason.content] == models
            assert is_forced(view, reason, reason.clues), (notation.write_view(view), reason)
            explained, totals = explained + 1, totals + reason.totals
            if not reason.totals and len(reason.clues) <= 3:
                own = [clue for clue in range(view.cells) if view.seen[clue] == OPEN]
                for clues in itertools.combinations(own, len(reason.clues) - 1):
                    assert not is_forced(view, reason, clues)
        explainer.close()
    assert explained > 10


@pytest.mark.parametrize(
    ("text", "cell", "words"),
    [
        (
            "view 1 5 1 0 0 0;.? .(1/0/0) .? .? .?",
            4,
            "(0, 4) is safe: by the totals, all tigers are around the clue at (0, 1)",
        ),
        (
            "view 1 9 2 0 0 0;.? .(1/0/0) .? .? .? .? .? .(1/0/0) .?",
            4,
            "(0, 4) is safe: by the totals, all tigers are around the clues at (0, 1), (0, 7)",
        ),
        (
            "view 1 9 2 0 1 0;.? .(1/0/1) .? .? .? .? .? .(1/0/0) .?",
            4,
            "(0, 4) is safe: by the totals, all tigers and all crocodiles are around the clues at (0, 1), (0, 7)",
        ),
        ("view 1 4 1 0 0 0;T .(1/0/0) .? .?", 3, "(0, 3) is safe: all tigers have been guessed"),
        (
            "view 1 5 1 0 0 0 flags;? .1 ? ? ?",
            4,
            "(0, 4) is safe: by the totals, all mines are around the clue at (0, 1)",
        ),
        (
            "view 1 3 2 0 0 0 flags;.1 ? ?",
            2,
            "(0, 2) holds a mine: the total leaves no other possibility (still hidden: mines 2; cells 2)",
        ),
        (
            "view 1 3 2 0 0 0;.(1/0/0) .? .?",
            2,
            "(0, 2) holds a tiger: the totals leave no other possibility "
            "(still hidden: tigers 2, sharks 0, crocodiles 0; cells 2)",
        ),
    ],
)
def test_totals_are_named(text: str, cell: int, words: str) -> None:
    view = notation.read_view(text)
    reason = Explainer(view).reason(cell)
    assert reason is not None
    assert reason.words(view) == words
    with speaking("fr"):
        assert reason.words(view) != words


def test_a_clue_that_is_far_away_is_found() -> None:
    """A chain of clues along a wall: what the first says decides the last cell."""
    length = 9
    clues = [1] + [1] * (length - 2) + [1]
    rows = [" ".join(f".{n}" for n in clues), " ".join("?" for _ in clues)]
    view = notation.read_view(f"view 2 {length} {math.ceil(length / 3)} 0 0 0 flags;" + ";".join(rows))
    explainer = Explainer(view)
    reasons = [explainer.reason(cell) for cell in hidden_cells(view)]
    assert all(reason is not None and not reason.totals and reason.smallest for reason in reasons)
    assert max(len(reason.clues) for reason in reasons if reason is not None) >= 2
