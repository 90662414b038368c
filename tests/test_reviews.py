"""Games looked at again: `ludion.review`, `ludion review`."""

from __future__ import annotations

import json

import pytest

import ludion
from ludion import reviews
from ludion.answers import Score
from ludion.api import reviewer_of
from ludion.core import tiers
from ludion.engines.budget import Observer
from ludion.errors import IllegalMoveError, SettingError, UnfitError
from ludion.messages import speaking
from ludion.reviews import (
    BEST_MOVE,
    BLUNDER,
    FORCED,
    GOOD,
    INACCURACY,
    MISTAKE,
    NOT_JUDGED,
    judge_detour,
    judge_risk,
    judge_scores,
    judge_steps,
)

from .commands import run

WIN, DRAW, LOSS = Score.win_in, Score(0, True), Score.loss_in
SCALE = 100.0
TWO_GO = "1 2 3/4 0 6/7 5 8"  # two moves from the goal: down, right

# A guard above a tunnel: who steps down after four steps to the right is caught.
CAVE = """[cave]
Engine=Delirium
DiamondsRequired=1
CaveTime=-1
[map]
WWWWWWWWWW
WP.......W
W........W
W..    ..W
W..  O ..W
W.......dW
W.......XW
WWWWWWWWWW
[/map]
[/cave]
"""


@pytest.fixture(autouse=True)
def _interpreted():
    with tiers.use(tiers.INTERPRETED):
        yield


# ------------------------------------------------------------------ verdicts


@pytest.mark.parametrize(
    ("best", "played", "verdict"),
    [
        (WIN(5), WIN(5), BEST_MOVE),
        (WIN(5), WIN(13), GOOD),  # 3 and 7 moves
        (WIN(5), WIN(15), INACCURACY),
        (LOSS(12), LOSS(4), GOOD),  # 6 and 2 moves
        (LOSS(20), LOSS(4), INACCURACY),
        (DRAW, DRAW, BEST_MOVE),
        (WIN(5), DRAW, MISTAKE),
        (DRAW, LOSS(6), MISTAKE),
        (DRAW, LOSS(4), BLUNDER),  # loses in two
        (WIN(5), LOSS(30), BLUNDER),
        (Score(0), LOSS(4), BLUNDER),
        (LOSS(4), LOSS(2), GOOD),
    ],
)
def test_proved_moves_are_judged_by_the_result_then_by_speed(best, played, verdict):
    assert judge_scores(best, played, SCALE)[0] == verdict


def test_unproved_moves_are_judged_by_the_expected_score():
    """50 % at 0 points; 1 / (1 + e^-1) = 73.1 % at one scale."""
    assert judge_scores(Score(0), Score(0), SCALE) == (BEST_MOVE, 0.0)
    for points, verdict in ((-8, BEST_MOVE), (-15, GOOD), (-30, INACCURACY), (-60, MISTAKE), (-100, BLUNDER)):
        assert judge_scores(Score(0), Score(points), SCALE)[0] == verdict, points
    assert judge_scores(Score(0), Score(-100), SCALE)[1] == pytest.approx(23.1, abs=0.1)
    assert judge_scores(Score(0), Score(50), SCALE) == (BEST_MOVE, 0.0)


def test_detours_risks_and_steps():
    assert [judge_detour(each) for each in (0, 1, 2, 3, 9, 10)] == [
        *(BEST_MOVE, INACCURACY, INACCURACY, MISTAKE, MISTAKE, BLUNDER)
    ]
    assert judge_risk(0.2, 0.2) == BEST_MOVE
    assert judge_risk(0.23, 0.2) == GOOD
    assert judge_risk(0.3, 0.2) == INACCURACY
    assert judge_risk(0.4, 0.2) == MISTAKE
    assert judge_risk(0.02, 0.0) == MISTAKE  # beside a cell that is safe
    assert judge_risk(0.46, 0.2) == BLUNDER
    assert judge_risk(1.0, 0.9) == BLUNDER  # a proved animal
    assert judge_steps(100, 99) == (BEST_MOVE, 0)
    assert judge_steps(100, 109) == (GOOD, 10)
    assert judge_steps(100, 110) == (INACCURACY, 11)
    assert judge_steps(100, 130) == (MISTAKE, 31)
    assert judge_steps(100, None)[0] == BLUNDER


# ------------------------------------------------------------------ duels


def test_a_blunder_is_named_with_what_was_better_and_what_punishes_it():
    review = ludion.review(ludion.position("tic-tac-toe"), ["b2", "b1", "a1", "c3", "c1", "a3", "b3"])
    assert [each.verdict for each in review.moves] == [
        *(BEST_MOVE, MISTAKE, BEST_MOVE, BEST_MOVE, MISTAKE, BEST_MOVE, BEST_MOVE)
    ]
    edge = review.moves[1]
    assert (edge.side, edge.move, edge.better, edge.loss) == (1, "b1", "a1", 50.0)
    assert str(edge) == (
        "2 ? nought at b1 gives the draw away (loss in 3 moves now). "
        "Better: nought at a1, which kept the draw."
    )
    after = ludion.position("tic-tac-toe").play("b2", "b1")
    assert after.play(*edge.line).status == "lost"  # the punishment leads to the end
    assert review.accuracy == (pytest.approx(87.5), pytest.approx(250 / 3))
    assert review.key_moments == review.mistakes == (review.moves[1], review.moves[4])


def test_standings_are_for_each_side_by_name():
    review = ludion.review(ludion.position("tic-tac-toe", "xo./.x./..o"), ["a3"])
    assert [each.outcome for each in review.standings] == [1, 1]
    assert [each.words[0] for each in review.standings] == ["win in 2 moves", "win in 1 move"]
    assert [each.words[1] for each in review.standings] == ["loss in 2 moves", "loss in 1 move"]


def test_a_move_without_choice_is_not_judged():
    review = ludion.review(ludion.position("tic-tac-toe", "xox/xox/ox."), ["c3"])
    assert [each.verdict for each in review.moves] == [FORCED]
    assert review.accuracy == (None, None)
    assert "No mistake" in str(review)


def test_what_looks_like_a_mistake_is_searched_again_with_twice_the_budget(monkeypatch):
    start = ludion.position("tic-tac-toe")
    looking = reviewer_of(start, ["a1", "b2"], nodes=10)
    asked = []

    def ask(ply, observer, budget):
        asked.append((ply, budget.nodes))
        value = {0: 0, 1: 300, 2: -300}[ply]
        return ludion.Answer("solved", (start.codes()[0],), ("a1",), score=Score(value))

    monkeypatch.setattr(looking, "ask", ask)
    assert [each.ply for each in looking.look(Observer())] == [2, 1, 0, 1, 0]
    assert asked == [(2, 10), (1, 10), (0, 10), (1, 20), (0, 20)]
    assert looking.review().moves[0].verdict == BLUNDER
    assert "points of 100" in looking.review().moves[0].text


def test_a_position_is_worth_no_less_than_the_move_made_in_it(monkeypatch):
    looking = reviewer_of(ludion.position("tic-tac-toe"), ["b2"], nodes=10)
    scores = {1: LOSS(4), 0: Score(-5)}
    monkeypatch.setattr(
        looking,
        "ask",
        lambda ply, observer, budget: ludion.Answer("solved", (4,), ("b2",), score=scores[ply]),
    )
    list(looking.look(Observer()))
    assert looking.review().moves[0].verdict == BEST_MOVE
    assert looking.standings[0].outcome == 1


# ------------------------------------------------------------------ puzzles


def test_a_detour_is_counted_once_at_the_move_that_left_the_shortest_path():
    moves = ["up", "down", "left", "right", "down", "right"]
    review = ludion.review(ludion.position("taquin", TWO_GO), moves)
    assert [each.distance for each in review.standings] == [2, 3, 2, 3, 2, 1, 0]
    assert [each.verdict for each in review.moves] == [
        *(MISTAKE, BEST_MOVE, NOT_JUDGED, BEST_MOVE, BEST_MOVE, BEST_MOVE)
    ]
    assert (review.moves[0].loss, review.moves[0].better) == (4.0, "down")
    assert review.moves[0].better_line == ("down", "right")
    assert review.summary == "Solved in 6; 2 is possible."
    assert review.accuracy == (pytest.approx(100 / 3),)


def test_the_shortest_path_needs_one_search(monkeypatch):
    looking = reviewer_of(ludion.position("taquin", TWO_GO), ["down", "right"])
    asked = []
    search = looking.ask
    monkeypatch.setattr(looking, "ask", lambda ply, *rest: asked.append(ply) or search(ply, *rest))
    list(looking.look(Observer()))
    assert asked == [0]
    assert looking.review().summary.startswith("Solved in 2: nobody")


def test_what_no_search_proves_is_not_judged():
    review = ludion.review(ludion.position("taquin", "8 6 7/2 5 4/3 0 1"), ["up"], nodes=5)
    assert [each.verdict for each in review.moves] == [NOT_JUDGED]
    assert review.accuracy == (None,)


# ------------------------------------------------------------------ quests


def test_a_guess_that_nothing_could_avoid_is_luck_not_skill():
    start = ludion.position("crocomine", "a;2 3;0 0;- - T;- - -")
    lucky = ludion.review(start, ["discover 0 0", "discover 1 2"])
    assert [(each.verdict, each.risk) for each in lucky.moves] == [(NOT_JUDGED, None), (BEST_MOVE, 0.5)]
    assert (lucky.luck, lucky.accuracy) == (0.5, (100.0,))
    unlucky = ludion.review(start, ["discover 0 0", "discover 0 2"])
    assert (
        unlucky.moves[1].text
        == "open row 1, column 3: a risk of 50.0 %. Nothing was safer. It lost the game."
    )
    assert (unlucky.luck, unlucky.accuracy) == (0.5, (100.0,))
    assert unlucky.summary == "1 risk taken; all of them go well 50.0 % of the time."


def test_a_risk_beside_a_safe_cell_is_a_mistake_and_a_proved_animal_a_blunder():
    start = ludion.position("crocomine", "b;3 4;1 0 flags;- - T -;- - - -;- - T -")
    opened = start.play("discover 1 0")
    chances = dict(start.game.chances(opened.rules, opened.state))
    mine = min(chances, key=lambda name: chances[name])
    safe = max(chances, key=lambda name: chances[name])
    assert (chances[mine], chances[safe]) == (0.0, 1.0)
    review = ludion.review(start, ["discover 1 0", mine])
    last = review.moves[-1]
    assert (last.verdict, last.risk, last.better) == (BLUNDER, 1.0, safe)
    assert "was certainly safe" in last.text
    assert review.luck == 0.0


def test_a_chord_beside_a_wrong_flag_is_a_blunder():
    start = ludion.position("crocomine", "b;3 4;1 0 flags;- - T -;- - - -;- - T -")
    review = ludion.review(start, ["discover 1 0", "guess 1 2 T", "chord 0 1"])
    assert [each.verdict for each in review.moves] == [NOT_JUDGED, NOT_JUDGED, BLUNDER]
    right = ludion.review(start, ["discover 1 0", "guess 0 2 T", "chord 0 1"])
    assert [each.risk for each in right.moves] == [None, None, 0.0]


@pytest.mark.slow
def test_the_last_tick_from_which_a_search_still_wins():
    with tiers.use(tiers.COMPILED):
        review = ludion.review(ludion.position("delirium", CAVE), ["right"] * 4 + ["down"] * 4)
    fatal = review.key_moments[0]
    assert (fatal.number, fatal.verdict, fatal.better) == (5, BLUNDER, "right")
    assert review.summary.startswith("Lost at step 5")


def test_the_span_in_which_a_run_was_lost_is_halved(monkeypatch):
    """Of sixteen steps the thirteenth is fatal: six looks find it, and one with twice the time makes sure."""
    looking = reviewer_of(ludion.position("delirium", CAVE), ["wait"] * 16)
    looked = []

    def let_play(ply, observer, times=1):
        looked.append((ply, times))
        looking.runs[ply] = (0,) * (30 - ply) if ply < 13 else None
        looking.standings[ply] = reviews.Standing(ply, ("",), 1 if ply < 13 else -1, 30 - ply)
        return True

    monkeypatch.setattr(looking, "_let_play", let_play)
    list(looking.look(Observer()))
    assert looked == [(0, 1), (16, 1), (8, 1), (12, 1), (14, 1), (13, 1), (13, 2)]
    review = looking.review()
    assert [each.number for each in review.moves if each.verdict == BLUNDER] == [13]
    assert {each.verdict for each in review.moves[:12]} == {BEST_MOVE}
    assert {each.verdict for each in review.moves[13:]} == {NOT_JUDGED}


# ------------------------------------------------------------------ stopping, words, the command


def test_a_review_that_is_stopped_judges_what_it_has_seen():
    looking = reviewer_of(ludion.position("tic-tac-toe"), ["b2", "b1", "a1", "c3", "c1"])
    observer = Observer()
    for count, _ in enumerate(looking.look(observer), 1):
        if count == 3:
            observer.stop.set()
    review = looking.review()
    assert not review.complete
    assert review.moves[0].verdict == NOT_JUDGED  # a search that had begun may still have ended
    assert review.moves[-1].verdict == MISTAKE
    assert "review is incomplete" in str(review)


def test_bad_games_are_refused():
    start = ludion.position("tic-tac-toe")
    with pytest.raises(IllegalMoveError):
        ludion.review(start, ["b2", "b2"])
    with pytest.raises(SettingError, match="list of names"):
        ludion.review(start, "b2")
    with pytest.raises(UnfitError):
        ludion.review(ludion.position("crocomine"), [], "best", nodes=3)


def test_a_review_speaks_french():
    with speaking("fr"):
        review = ludion.review(ludion.position("tic-tac-toe"), ["b2", "b1"])
        assert "laisse échapper la nulle" in str(review)


def test_the_command_prints_what_python_says(capsys):
    game = ["tic-tac-toe", "--moves", "b2;b1"]
    done = run(capsys, "review", *game)
    assert done.returncode == 0
    assert done.stdout == f"{ludion.review(ludion.position('tic-tac-toe'), ['b2', 'b1'])}\n"
    fields = json.loads(run(capsys, "review", *game, "--json").stdout)
    assert fields["moves"][1]["verdict"] == MISTAKE
    assert fields["moves"][1]["sign"] == "?"
    assert [each["ply"] for each in fields["standings"]] == [0, 1, 2]


def test_the_command_reads_the_record_of_a_solution(capsys, tmp_path):
    file = tmp_path / "solution.json"
    file.write_text(run(capsys, "solve", "taquin", TWO_GO, "--json").stdout)
    assert run(capsys, "review", "taquin", "--record", str(file)).stdout.startswith("Solved in 2")
    file.write_text("[1]")
    done = run(capsys, "review", "taquin", "--record", str(file))
    assert (done.returncode, "not a JSON object" in done.stderr) == (2, True)
    assert run(capsys, "review", "taquin").returncode == 2
