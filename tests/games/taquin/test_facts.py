"""What is known of Taquin: the old report, the whole space, parity, notation, both metrics."""

import pytest

import ludion
from ludion.engines.breadth_first import sweep
from ludion.games.taquin.rules import contents
from ludion.kinds.puzzle import estimate
from ludion.registry import find

from . import naive

TAQUIN = find("taquin")
RING = "a b c/h _ d/g f e"


def guess(position: ludion.Position, heuristic: str) -> int:
    return int(estimate(TAQUIN.guides[heuristic].value(position.rules), position.rules, position.state))


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("name", "length", "misplaced", "manhattan"),
    [
        ("report-1", 5, 4, 5),
        ("report-2", 2, None, None),
        ("report-3", 10, None, 10),
        ("report-4", 20, None, 16),
        ("report-5", 30, None, 24),
    ],
)
def test_the_boards_of_the_report(name, length, misplaced, manhattan):
    position = ludion.position("taquin", f"level:{name}")
    assert misplaced in (None, guess(position, "misplaced"))
    assert manhattan in (None, guess(position, "manhattan"))
    assert guess(position, "misplaced") == naive.misplaced(position)
    assert guess(position, "manhattan") == naive.manhattan(position)
    answer = ludion.solve(position, "ida-star", heuristic="linear-conflict")
    assert (answer.status, answer.length) == ("optimal", length)


def test_the_whole_space_of_the_eight_puzzle():
    for goal, farthest, how_many in (("1 2 3/4 5 6/7 8 0", 31, 2), (RING, 30, 148)):
        position = ludion.position("taquin", goal, goal=goal)
        layers = sweep(position.rules, position.state).details["layers"]
        assert (sum(layers), len(layers) - 1, layers[-1]) == (181_440, farthest, how_many)


@pytest.mark.interpreted
@pytest.mark.parametrize("text", ["2 1 3/4 5 6/7 8 0", "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0", "2 1 0"])
@pytest.mark.parametrize("engine", ["best", "a-star", "ida-star", "anytime"])
def test_unsolvable_boards_are_known_at_once(text, engine):
    answer = ludion.solve(ludion.position("taquin", text), engine)
    assert (answer.status, answer.nodes) == ("unsolvable", 0)
    assert "parity" in answer.reason or "order" in answer.reason


@pytest.mark.interpreted
def test_parity_is_right_for_every_small_board():
    from itertools import permutations

    from ludion.games.taquin.rules import why_unsolvable

    reached = naive.distances((1, 2, 3, 4, 5, 0), 3, 2)
    assert len(reached) == 360
    for board in permutations(range(6)):
        text = "/".join(" ".join(map(str, board[row * 3 : row * 3 + 3])) for row in range(2))
        position = ludion.position("taquin", text)
        assert tuple(contents(position.rules, position.state)) == board
        assert (why_unsolvable(position.rules, position.state) is None) == (board in reached)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 2 3/4 5 6/7 8", "row 3"),
        ("1 2 3/4 5 6/7 8 8", "blank"),
        ("1 2 3/4 5 6/7 7 0", "tile 7 is also in row 3, column 1"),
        ("1 2 3/4 5 6/7 9 0", "not among 1 to 8"),
        ("1 2 3/4 5 6/7 x 0", "not both"),
        ("1 2 3/4 5 6/7 ! 0", "neither"),
        ("3 15 2 5/11 6 4 7/12 9 1 0/13 14 01 8", "row 4, column 3: tile 1 is also in row 3, column 3"),
        ("1 2/00 0", "row 2, column 1: tile 00 is not among 1 to 3"),
        ("1 2/" + "9" * 5000 + " 0", "is not among 1 to 3"),
        ("", ""),
        ("0", "at least 2 cells"),
    ],
)
def test_bad_boards_are_refused_with_the_place(text, says):
    if not text:
        assert ludion.position("taquin", text).text == TAQUIN.start
        return
    with pytest.raises(ludion.NotationError, match=says):
        ludion.position("taquin", text)


@pytest.mark.interpreted
def test_leading_zeros_of_numbers_do_not_matter():
    assert ludion.position("taquin", "01 2/003 0", goal="1 2/3 0").status == "solved"


def test_bad_options_and_moves_are_refused():
    with pytest.raises(ludion.LudionError):
        ludion.position("taquin", "1 2/3 0", metric="double")
    with pytest.raises(ludion.NotationError):
        ludion.position("taquin", "1 2/3 0", goal="1 2 3/4 5 0")
    single = ludion.position("taquin", "1 2 3/4 5 6/8 7 0")
    multi = ludion.position("taquin", "1 2 3/4 5 6/8 7 0", metric="multi")
    assert multi.play("up2").text == single.play("up", "up").text == "1 2 0/4 5 3/8 7 6"
    illegal = [(single, "up2"), (single, "x"), (multi, "up3"), (multi, "up0"), (multi, "down")]
    for position, move in [*illegal, (multi, "up" + "1" * 5000)]:
        with pytest.raises(ludion.LudionError):
            position.play(move)


@pytest.mark.bounds
@pytest.mark.parametrize("goal", ["1 2 3/4 5 0", "1 2/0 3/4 5"])
def test_both_metrics_on_every_small_board(goal):
    for metric in ("single", "multi"):
        start = ludion.position("taquin", goal, goal=goal, metric=metric)
        width, height = start.rules.width, start.rules.height
        truth = naive.distances(tuple(contents(start.rules, start.state)), width, height, metric == "multi")
        layers = sweep(start.rules, start.state).details["layers"]
        assert layers == [list(truth.values()).count(d) for d in range(max(truth.values()) + 1)]


def test_the_levels_say_what_is_true_of_them():
    known = {level.name: level.known for level in TAQUIN.all_levels()}
    assert sum(known[f"korf-{n}"]["moves"] for n in range(1, 101)) == 5305
    assert sum(known[f"korf-{n}"]["manhattan_nodes"] for n in range(1, 101)) == 36_302_808_031
    for number in range(1, 101):
        position = ludion.position("taquin", f"level:korf-{number}")
        assert naive.manhattan(position) == known[f"korf-{number}"]["manhattan"]
    for name in known:
        position = ludion.position("taquin", f"level:{name}")
        assert TAQUIN.why_unsolvable(position.rules, position.state) is None
