"""The rules on drawn boards: where one piece may go, bug by bug, and where pieces may be placed."""

from __future__ import annotations

import pytest

from ludion.games.hive.board import ORIGIN, PASS, is_placement, piece_of, target_of
from ludion.games.hive.evaluation import beside, distance
from ludion.games.hive.notation import NAMES, legal_moves, pieces

from .drawn import cell_at, drawn, drawn_tokens, place_of

pytestmark = [pytest.mark.interpreted, pytest.mark.bounds]

BOARDS = {
    "a queen slides one step": (
        "wQ",
        """
           .     *     .
        .     wQ    bS1   bQ
           .     *     .
        """,
    ),
    "a spider slides exactly three steps": (
        "wS1",
        """
           .     .     .     .     .
        .     .     .     *     .     .
           wS1   wQ    bQ    bG1   .
        .     .     .     *     .     .
           .     .     .     .     .
        """,
    ),
    "an ant slides all the way around, but not through the narrow mouth of a pocket": (
        "wA1",
        """
        .     *     *     *     .
           *     bS1   bG1   *
        *     bQ    .     bB1   *
           *     wQ    *     wA1
        .     *     *     .     .
        """,
    ),
    "a grasshopper jumps over rows, however long": (
        "wG1",
        """
        .     .     *     .     .     .
           .     wQ    .     .     .
        .     wG1   bA1   bS1   *     .
           .     bQ    .     .     .
        .     .     *     .     .     .
        """,
    ),
    "a beetle slides or climbs": (
        "wB1",
        """
        .     *     .     .
           wQ*   wB1   .
        bQ    bS1*  *     .
           .     .     .
        """,
    ),
    "a beetle does not fit through between two stacks": (
        "wB1",
        """
           .     bB1*  bQ    .
        .     *     wB1   bB2*  .
           .     .     *     .
        bB1 on bS1
        bB2 on wQ
        """,
    ),
    "a beetle on top goes anywhere": (
        "wB1",
        """
           .     *     *     .
        .     bS1*  wB1   *     .
           .     bG1*  *     .
              wQ    .     .
        wB1 on bQ
        """,
    ),
    "a ladybug takes two steps on top of the hive and one down": (
        "wL",
        """
           *     *     .     .     .
        *     wQ    wL    *     .
           *     bQ    bS1   *     .
              *     *     bG1   *
                 .     *     *
        """,
    ),
    "a mosquito copies its neighbours, here queen, grasshopper and spider": (
        "wM",
        """
           .     *     *     .     .
        *     wQ    wM    bG1   *
           .     bQ    bS1   .     .
              *     .     *     .
        """,
    ),
    "a mosquito beside a mosquito alone cannot move": (
        "wM",
        """
           .     .     .
        .     wM    bM    wQ    bQ
           .     .     .
        """,
    ),
    "a pillbug throws a neighbour, of either colour": (
        "bA1",
        """
        .     *     *     .     .
           *     wP    *     .
        .     wQ    bA1   .     .
           bS1   bQ    .     .
        """,
    ),
    "a piece that holds the hive together is not thrown": (
        "bA1",
        """
        .     .     .     .     .
           .     wP    .     .
        .     wQ    bA1   bQ    .
           .     .     .     .
        """,
    ),
    "a piece that holds the hive together does not move": (
        "wA1",
        """
        .     .     .     .
           wQ    wA1   bQ
        .     .     .     .
        """,
    ),
    "a piece of a ring does not hold it together": (
        "wA1",
        """
        .     *     *     *     .
           *     bS1   bG1   *
        *     wQ    .     bQ    *
           *     bG2   wA1   *
        .     *     *     .     .
        """,
    ),
    "a covered piece does not move": (
        "wA1",
        """
        .     .     .     .
           wQ    bQ    bB1
        .     .     .     .
        bB1 on wA1
        """,
    ),
}


@pytest.mark.parametrize(("piece", "board"), BOARDS.values(), ids=BOARDS.keys())
def test_targets_of_a_piece(piece, board):
    rules, position, twin, marked = drawn(board)
    moves = [move for move in legal_moves(rules, position) if move != PASS]
    assert {place_of(target_of(move)) for move in moves if NAMES[piece_of(move)] == piece} == marked
    assert {target for name, target in twin.moves() - {None} if name == piece} == marked


def test_a_piece_that_was_just_moved_is_not_thrown():
    _, board = BOARDS["a pillbug throws a neighbour, of either colour"]
    rules, position, twin, _ = drawn(board, moved="bA1")
    assert "bA1" not in {NAMES[piece_of(move)] for move in legal_moves(rules, position)}
    assert "bA1" not in {name for name, _ in twin.moves()}


def test_pieces_are_placed_beside_own_tops_only():
    rules, position, twin, marked = drawn(
        """
        .     *     .     .     .     .
           *     wQ    bA1   bQ    .
        *     wA1   .     wB1   .     .
           *     *     *     *     .
        wB1 on bG1
        """
    )
    placements = [move for move in legal_moves(rules, position) if is_placement(move)]
    assert {place_of(target_of(move)) for move in placements} == marked
    assert {target for name, target in twin.moves() if name == "wS1"} == marked


def test_coordinates_are_those_of_the_drawing():
    _, position, twin, _ = drawn(BOARDS["a beetle on top goes anywhere"][1])
    expected = [
        (name, *place, height) for place, pile in twin.stacks.items() for height, name in enumerate(pile)
    ]
    assert sorted(pieces(position)) == sorted(expected)


def test_distances_from_the_middle():
    steps = drawn_tokens(
        """
              4     4     4     4     4
           4     3     3     3     3     4
        4     3     2     2     2     3     4
           3     2     1     1     2     3
        3     2     1     0     1     2     3
           3     2     1     1     2     3
        4     3     2     2     2     3     4
           4     3     3     3     3     4
              4     4     4     4     4
        """
    )
    x, y = next(place for place, token in steps.items() if token == "0")
    for (other_x, other_y), token in steps.items():
        for middle in (ORIGIN, 0, 1023):  # also across the edges of the numbering
            other = (middle + cell_at(other_x - x, other_y - y) - ORIGIN) % 1024
            assert distance(middle, other) == distance(other, middle) == int(token)
            assert beside(middle, other) == (token == "1")
