"""Certain actions in the order that wins a board with few of them."""

from __future__ import annotations

import pytest

from ludion.games.crocomine import generator, notation
from ludion.games.crocomine.agents import BestAgent, CountingAgent
from ludion.games.crocomine.certain import PICK_CHORD, PICK_CONTENT, PICK_NOTHING, pick_certain
from ludion.games.crocomine.inference import certain_by_rules, known_board
from ludion.games.crocomine.rules import begin, three_bv
from ludion.kinds.quest import WON, run


def pick(text: str, at_once: bool = True) -> tuple[int, int]:
    view = notation.read_view(text)
    return pick_certain(known_board(view), certain_by_rules(view), at_once)


@pytest.mark.interpreted
@pytest.mark.bounds
def test_guesses_then_chords_then_single_cells() -> None:
    guess_first = "view 1 5 1 0 0 0;.? .(1/0/0) .(0/0/0) .(0/0/0) .?"
    assert pick(guess_first) == (PICK_CONTENT, 0)
    chord = "view 3 3 1 0 0 0;.? .? T;.? .(1/0/0) .?;.? .? .?"
    assert pick(chord) == (PICK_CHORD, 4)
    assert pick(chord, at_once=False) == (PICK_NOTHING, -1)
    single = "view 1 4 1 0 0 0;T .(1/0/0) .? .?"
    assert pick(single) == (PICK_CONTENT, 2)
    assert pick(single, at_once=False) == (PICK_NOTHING, -1)
    assert pick("view 2 3 1 0 0 0;.(1/0/0) .? ?;.(1/0/0) .? ?") == (PICK_NOTHING, -1)


@pytest.mark.interpreted
@pytest.mark.bounds
def test_on_a_board_of_flags_cells_are_only_discovered() -> None:
    assert pick("view 1 4 1 0 0 0 flags;T .1 ? ?") == (PICK_NOTHING, -1)  # a mark proves nothing
    assert pick("view 1 5 1 0 0 0 flags;? .1 .0 ? ?") == (PICK_CONTENT, 3)


@pytest.mark.parametrize("agent", [CountingAgent, BestAgent])
@pytest.mark.parametrize(("name", "most"), [("9x9:3/3/4", 0.85), ("15x15:22/22/24", 0.75)])
def test_boards_are_won_with_few_actions(agent: type[CountingAgent], name: str, most: float) -> None:
    """Fewer than the discoveries and guesses that a board needs without chords."""
    actions = needed = 0
    for seed in range(12):
        grid = generator.from_name(name, seed)
        record = run(begin(grid), agent(seed))
        if record.outcome == WON:
            actions += record.steps
            needed += three_bv(grid) + int((grid.animals > 0).sum())
    assert 0 < actions <= most * needed
