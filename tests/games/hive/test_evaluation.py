"""What the evaluation of Hive counts, by a weight of 1 on a drawn board."""

from __future__ import annotations

import numpy as np
import pytest

from ludion.core import tiers
from ludion.games.hive.evaluation import THROWER_BESIDE, WEIGHTS, Mobility
from ludion.kinds.duel import evaluate

from .drawn import drawn


def rescues(board: str) -> int:
    """How many pieces can throw the white queen, minus those that can throw the black one."""
    rules, position, _, _ = drawn(board)
    weights = np.zeros(WEIGHTS, np.int64)
    weights[THROWER_BESIDE] = 1
    with tiers.use(tiers.INTERPRETED):
        return int(evaluate(Mobility(weights), rules, position))


@pytest.mark.parametrize(("count", "covered"), [(1, ""), (0, "wQ"), (0, "wP")])
def test_a_pillbug_rescues_its_queen_unless_one_of_them_is_covered(count, covered):
    queen, pillbug = ("bB1" if covered == name else name for name in ("wQ", "wP"))
    board = f"""
        .     .     .     .     .
           .     {pillbug:6}.     .
        .     {queen:6}bA1   .     .
           bS1   bQ    .     .
        {f"bB1 on {covered}" if covered else ""}
        """
    assert rescues(board) == count


def test_a_pillbug_does_not_rescue_a_queen_that_holds_the_hive_together():
    board = """
        .     .     .     .     .
           wP    wQ    bQ    .
        .     .     .     .     .
        """
    assert rescues(board) == 0


def test_a_pillbug_with_no_free_cell_beside_it_does_not_rescue():
    board = """
        .     bG1   bG2   .     .
           bA1   wP    bA2   .
        .     wQ    bS1   .     .
           bS2   bQ    .     .
        """
    assert rescues(board) == 0
    assert rescues(board.replace("bA2", ".  ")) == 1


def test_a_pillbug_does_not_lift_its_queen_between_two_stacks():
    board = """
        .     .     .     .     .
           bB1   wP    .     .
        .     wQ    bB2   .     .
           bS2   bQ    .     .
        bB1 on bA1
        bB2 on bA2
        """
    assert rescues(board) == 0
    assert rescues(board.replace("bB1 on bA1", "")) == 1
