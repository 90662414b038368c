"""What the evaluation of Hive counts, each by a weight of 1 on a drawn board."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.core import tiers
from ludion.games.hive.evaluation import (
    ATTACKER,
    BLOCKED,
    COVERED,
    MOBILE,
    MOSQUITO_AS,
    MOVABLE,
    NO_PLACEMENT,
    REACHING,
    RESCUE,
    SAFE_RESCUE,
    SHARE,
    WEIGHTS,
    Mobility,
    reaches,
)
from ludion.games.hive.rules import ANT, BEETLE, GRASSHOPPER, LADYBUG, MOSQUITO, PILLBUG, QUEEN, SPIDER
from ludion.kinds.duel import evaluate

from .drawn import drawn


def counted(weight: int, board: str) -> int:
    """How often this weight counts for White, minus how often for Black."""
    rules, position, _, _ = drawn(board)
    weights = np.zeros((1, WEIGHTS), np.int64)
    weights[0, weight] = 1
    with tiers.use(tiers.INTERPRETED):
        return int(evaluate(Mobility(weights), rules, position))


@pytest.mark.parametrize(("count", "stack"), [(1, ""), (0, "wQ"), (0, "wP")])
def test_a_pillbug_rescues_its_queen_unless_one_of_them_is_covered(count, stack):
    queen, pillbug = ("bB1" if stack == name else name for name in ("wQ", "wP"))
    board = f"""
        .     .     .     .     .
           .     {pillbug:6}.     .
        .     {queen:6}bA1   .     .
           bS1   bQ    .     .
        {f"bB1 on {stack}" if stack else ""}
        """
    assert counted(RESCUE, board) == count
    assert counted(SAFE_RESCUE, board) == count


def test_a_pillbug_does_not_rescue_a_queen_that_holds_the_hive_together():
    board = """
        .     .     .     .     .
           wP    wQ    bQ    .
        .     .     .     .     .
        """
    assert counted(RESCUE, board) == 0


def test_a_pillbug_with_no_free_cell_beside_it_does_not_rescue():
    board = """
        .     bG1   bG2   .     .
           bA1   wP    bA2   .
        .     wQ    bS1   .     .
           bS2   bQ    .     .
        """
    assert counted(RESCUE, board) == 0


def test_a_rescue_into_the_crowd_is_not_safe():
    board = """
        .     bG1   bG2   .     .
           bA1   wP    .     bA2
        .     wQ    bS1   bB1   .
           bS2   bQ    .     .
        """
    assert counted(RESCUE, board) == 1
    assert counted(SAFE_RESCUE, board) == 0


MOSQUITO_COPIES = """
        .     .     .     .     .     .
           wM    wA1   wQ    bQ    bS1
        .     .     .     .     .     .
        """


def test_a_mosquito_counts_by_what_it_copies():
    assert counted(MOVABLE + MOSQUITO, MOSQUITO_COPIES) == 1
    assert counted(MOSQUITO_AS + ANT, MOSQUITO_COPIES) == 1
    assert counted(MOSQUITO_AS + BEETLE, MOSQUITO_COPIES) == 0
    alone = MOSQUITO_COPIES.replace("wA1", "bM ")
    assert counted(MOVABLE + MOSQUITO, alone) == 0
    assert counted(BLOCKED + MOSQUITO, alone) == 1 - 1  # both have nothing to copy, or are pinned


def test_covered_and_movable_pieces():
    board = """
        .     .     .     .     .
           wQ    bQ    wB1   .
        .     .     .     .     .
        wB1 on bA1
        """
    assert counted(COVERED + ANT, board) == -1
    assert counted(MOBILE + 1, board) == 1  # the beetle
    assert counted(MOBILE + 0, board) == -1
    assert counted(SHARE, board) == 8
    assert counted(MOVABLE + QUEEN, board) == 1  # the black one holds the hive together


def test_crawlers_reach_a_queen_only_where_they_can_slide_in():
    open_board = """
        .     .     .     .     .     .
           bQ    bS1   wQ    wA1   .
        .     .     .     .     .     .
        """
    assert counted(REACHING + 1, open_board) == counted(ATTACKER + 1, open_board) == 1
    with tiers.use(tiers.INTERPRETED):
        for bug, far_open, far_closed, near_closed in (
            (ANT, True, False, False),
            (SPIDER, False, False, False),
            (GRASSHOPPER, True, True, True),
            (BEETLE, False, False, True),
            (LADYBUG, False, False, True),
            (PILLBUG, False, False, False),
        ):
            assert reaches(1 << bug, 6, True) == far_open
            assert reaches(1 << bug, 6, False) == far_closed
            assert reaches(1 << bug, 2, False) == near_closed


def test_pieces_in_hand_without_a_cell():
    board = """
        .     .     .     .     .
           bA1   wQ    bQ    .
        .     bA2   bA3   .     .
        """
    assert counted(NO_PLACEMENT, board) == 1
    assert counted(NO_PLACEMENT, MOSQUITO_COPIES) == 0


def test_a_spider_without_room_is_blocked():
    board = """
        .     bA1   bA2   .     .
           bA3   wS1   bG1   .
        .     wQ    bG2   bQ    .
        """
    assert counted(BLOCKED + SPIDER, board) == 1
    assert counted(MOVABLE + SPIDER, board) == 0
    assert counted(MOVABLE + PILLBUG, board) == 0
