"""What the old report and the literature say of tic-tac-toe and m,n,k games."""

from collections import Counter

import pytest

import ludion
from ludion.games.tic_tac_toe.evaluation import Alignments
from ludion.games.tic_tac_toe.rules import Marks
from ludion.kinds import duel

EMPTY = ".../.../..."


def board(text: str) -> ludion.Position:
    return ludion.position("tic-tac-toe", text)


def cells(numbers: int) -> tuple[int, ...]:
    return tuple(cell for cell in range(63) if numbers >> cell & 1)


@pytest.mark.interpreted
def test_the_eight_alignments():
    assert sorted(cells(int(line)) for line in board(EMPTY).rules.alignments) == sorted(
        [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    )


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "value"),
    [(EMPTY, 0), (".../.x./...", 4), (".../.o./...", -4), ("xox/oxo/xox", 10000), ("xox/oxo/oxo", 0)],
)
def test_the_reports_evaluation_for_x(text, value):
    """On any filling of the board, whoever is to move."""
    x, o = (
        sum(1 << cell for cell, sign in enumerate(text.replace("/", "")) if sign == player) for player in "xo"
    )
    rules = board(EMPTY).rules
    assert duel.evaluate(Alignments(), rules, Marks(x, o, 1)) == value
    assert duel.evaluate(Alignments(), rules, Marks(o, x, 0)) == -value


@pytest.mark.parametrize(
    ("depth", "value", "centre"),
    [
        (1, 4, True),
        (2, 1, True),
        (3, 3, True),
        (4, 1, True),
        (5, 3, True),
        (6, 1, True),
        (7, 2, True),
        (8, 0, False),
        (9, 0, False),
    ],
)
def test_best_first_move_and_value_by_depth(depth, value, centre):
    answer = ludion.solve(board(EMPTY), "negamax", depth=depth)
    assert int(answer.score) == value
    if centre:
        assert answer.line[0] == "b2"
    assert int(ludion.solve(board(EMPTY), "alpha-beta", depth=depth).score) == value


def test_every_first_move_draws():
    """The report says that only the centre holds; at full depth all nine moves do."""
    scored = ludion.analyse(board(EMPTY))
    assert [str(each.score) for each in scored] == ["draw"] * 9


def test_the_number_of_games():
    position = board(EMPTY)
    ends = Counter()

    def games(here: ludion.Position, ply: int) -> None:
        for code in here.codes():
            child = here.play(code)
            if child.status == "open":
                games(child, ply + 1)
            else:
                ends[child.status if child.status == "drawn" else "xo"[ply % 2]] += 1

    # The end of a whole game is a leaf: with the two plies fixed, symmetry of the rest is used to stay quick.
    corner, edge, centre = 0, 1, 4
    total = Counter()
    for first, weight in ((corner, 4), (edge, 4), (centre, 1)):
        ends.clear()
        games(position.play(first), 1)
        for result, count in ends.items():
            total[result] += weight * count
    assert total == {"x": 131_184, "o": 77_904, "drawn": 46_080}
    assert sum(total.values()) == 255_168
    # Perft counts sequences of exactly that length; those that end earlier are in the difference.
    counts = [ludion.perft(position, depth) for depth in range(10)]
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]


def test_reachable_positions_and_their_classes():
    seen = {}
    queue = [board(EMPTY)]
    while queue:
        here = queue.pop()
        if here.text in seen:
            continue
        images = range(duel.symmetries(here.rules))
        seen[here.text] = min(duel.mirror(here.rules, here.state, image) for image in images)
        queue.extend(here.play(code) for code in here.codes())
    assert len(seen) == 5_478
    assert len(set(seen.values())) == 765


# m columns, n rows, k in a row; by exhaustive search (1 the first player wins, 0 a draw).
KNOWN = {
    "1x1/1": 1, "3x1/2": 1, "2x2/2": 1, "3x2/2": 1, "2x1/2": 0,
    "3x3/3": 0, "4x3/3": 1, "3x4/3": 1, "5x3/3": 1, "6x3/3": 1, "4x4/3": 1, "5x4/3": 1, "5x5/3": 1,
    "1x5/3": 0, "2x4/3": 0, "5x2/3": 0, "2x9/3": 0, "5x3/4": 0, "6x3/4": 0, "4x4/4": 0,
}  # fmt: skip
BY_PROOF = {
    "7x3/4": 0, "8x3/4": 0, "5x4/4": 0, "6x4/4": 0, "7x4/4": 0, "5x5/4": 0, "6x5/4": 1, "5x6/4": 1, "6x6/4": 1,
    "5x5/5": 0, "6x6/5": 0, "7x5/4": 1, "7x6/4": 1, "7x7/4": 1, "8x7/4": 1, "9x7/4": 1,
}  # fmt: skip
BY_SEARCH = {"7x3/4": 0, "5x4/4": 0, "6x5/4": 1, "5x6/4": 1}


def value_of(game: str, engine: str) -> int:
    answer = ludion.solve(board(game), engine, seconds=600)
    assert answer.status == "optimal"
    return (int(answer.score) > 0) - (int(answer.score) < 0)


@pytest.mark.parametrize(("game", "value"), KNOWN.items())
def test_known_values(game, value):
    assert value_of(game, "alpha-beta") == value


@pytest.mark.parametrize(("game", "value"), BY_PROOF.items())
def test_known_values_of_larger_boards(game, value):
    assert value_of(game, "solver") == value


@pytest.mark.slow
@pytest.mark.parametrize(("game", "value"), BY_SEARCH.items())
def test_known_values_that_take_longer_to_search(game, value):
    assert value_of(game, "alpha-beta") == value


@pytest.mark.slow
def test_four_in_a_row_on_eight_columns_and_four_rows():
    assert value_of("8x4/4", "solver") == 0


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x.o/.x.", "2 rows"),
        ("x.o/.x./..", "row 3 '..' has 2 cells, expected 3"),
        ("x.o/.q./..o", "row 2, column 2: 'q'"),
        ("9x9/5", "at most 63 cells"),
        ("3x3/4", "no board 3x3 with 4 in a row"),
        ("0x3/3", "no board"),
        ("4x4/4:x.../....", "2 rows"),
        ("9" * 5000 + "x3/3", "2 rows"),
    ],
)
def test_bad_boards(text, message):
    with pytest.raises(ludion.NotationError, match=message):
        board(text)


@pytest.mark.interpreted
def test_moves_have_two_names():
    assert board(EMPTY).play("b2") == board(EMPTY).play("2,2") == board(EMPTY).play("(2, 2)")
    assert board(EMPTY).play("c1").text == "..x/.../..."
    assert board(EMPTY).play("1,3").text == "..x/.../..."
    for wrong in ("d1", "a4", "4,1", "z", "0,0", "a" + "1" * 5000):
        with pytest.raises(ludion.LudionError):
            board(EMPTY).play(wrong)


def test_levels_are_worth_what_they_say():
    for level in board(EMPTY).game.all_levels():
        assert str(ludion.solve(board(level.position)).score).split()[0] == level.known["value"]
