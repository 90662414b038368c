"""What heuristics and evaluations say of a position, with their parts: `position.estimate()`, `ludion explain`."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

import ludion
from ludion.answers import WIN
from ludion.kinds import duel, puzzle
from ludion.kinds.games import DUEL, PUZZLE, Searched
from ludion.messages import speaking
from ludion.questions import Search

from .commands import run
from .conformance.games import described, starts

# The example of the lecture, as the old report has it: h1 = 4, h2 = 5.
LECTURE = ("b h c/a f d/g vide e", "a b c/h vide d/g f e")


def walk(start: ludion.Position, seed: int, steps: int) -> Iterator[ludion.Position]:
    """The positions of a random game."""
    chance, here = random.Random(seed), start
    for _ in range(steps):
        yield here
        codes = here.codes()
        if not codes:
            return
        here = here.play(chance.choice(codes))


def lecture() -> ludion.Position:
    return ludion.position("taquin", LECTURE[0], goal=LECTURE[1])


@pytest.mark.parametrize("game", described(PUZZLE, DUEL), ids=lambda game: game.name)
def test_the_parts_add_up_to_the_value_that_engines_use(game: Searched):
    explained = 0
    for start in starts(game):
        guides = {name: guide.value(start.rules) for name, guide in game.guides.items()}
        for here in walk(start, 3, 16):
            if not here.is_open:
                continue
            for name, estimate in here.estimates().items():
                verb = puzzle.estimate if game.kind == PUZZLE else duel.evaluate
                assert estimate.value == verb(guides[name], here.rules, here.state)
                if game.guides[name].parts is not None:
                    explained += 1
                    assert sum(part.value for part in estimate.parts) == estimate.value, (name, repr(here))
                    assert estimate.parts
    if any(guide.parts is not None for guide in game.guides.values()):
        assert explained > 10


def test_the_example_of_the_lecture():
    misplaced, manhattan = lecture().estimate("misplaced"), lecture().estimate("manhattan")
    assert (int(misplaced), int(manhattan)) == (4, 5)
    distances = {part.name: part.value for part in manhattan.parts}
    assert distances == {"a": 1, "b": 1, "c": 0, "d": 0, "e": 0, "f": 1, "g": 0, "h": 2}
    assert misplaced.by_note() == {"in place": ["c", "d", "g", "e"]}
    assert manhattan.marks()[0, 1] == 2


@pytest.mark.parametrize(
    ("board", "value"),
    [
        (".../.../...", 0),
        (".../.x./...", -4),  # o is to move: 4 for x
        ("xxx/oo./...", -WIN),
        ("xox/xox/oxo", 0),
    ],
)
def test_alignments_as_the_old_report_counts_them(board, value):
    estimate = ludion.position("tic-tac-toe", board).evaluate()
    assert estimate.value == value
    assert sum(part.value for part in estimate.parts) == value
    assert len(estimate.parts) == 8


def test_alignments_possible_won_and_lost():
    open_board = ludion.position("tic-tac-toe", ".../.x./...").evaluate().by_note()
    assert {note: len(names) for note, names in open_board.items()} == {
        "possible for both": 4,
        "possible for x only": 4,
    }
    won = ludion.position("tic-tac-toe", "xxx/oo./...").evaluate()
    assert [part.name for part in won.parts if part.value] == ["a1-b1-c1"]


def test_a_linear_conflict_is_a_part_of_its_own():
    parts = ludion.position("taquin", "2 1 3/4 5 6/7 8 0").estimate("linear-conflict").parts
    assert [(part.name, part.value) for part in parts if "row" in part.name] == [("row 1", 2)]


def test_depth_0_is_the_evaluation():
    board = ludion.position("tic-tac-toe", ".../.x./...")
    for engine in ("negamax", "alpha-beta", "best"):
        answer = ludion.solve(board, engine, depth=0)
        assert (answer.score, answer.line, answer.depth) == (ludion.Score(-4), (), 0)
    question = Search("tic-tac-toe", engine="negamax", budget=ludion.Budget(depth=0))
    assert Search.from_command(question.command()) == question
    with pytest.raises(ludion.LudionError, match="depth must be positive"):
        ludion.analyse(board, depth=0)


def test_the_wrong_kind_of_guide_is_refused():
    with pytest.raises(ludion.UnfitError):
        lecture().evaluate()
    with pytest.raises(ludion.UnfitError):
        ludion.position("tic-tac-toe").estimate()
    with pytest.raises(ludion.UnknownNameError, match="did you mean 'manhattan'"):
        lecture().estimate("manhatan")
    with pytest.raises(ludion.UnfitError):
        ludion.position("crocomine").estimate()


def test_marks_stand_on_the_board():
    for here, count in (
        (lecture(), 8),
        (ludion.position("tic-tac-toe"), 9),
        (ludion.position("hive", "Base;InProgress;White[2];wS1;bG1 -wS1"), 2),
    ):
        estimate = here.estimate() if here.game.kind == PUZZLE else here.evaluate()
        root = ElementTree.fromstring(estimate.svg())
        marks = [each for each in root.iter() if each.get("class") == "mark"]
        assert len(marks) == count


def test_explain_in_words_and_as_json(capsys):
    words = run(
        capsys, "explain", "taquin", LECTURE[0], "--goal", LECTURE[1], "--heuristic", "manhattan"
    ).stdout
    assert "manhattan = 5 (never overestimates)" in words
    assert "  h  2" in words
    compared = json.loads(run(capsys, "explain", "taquin", LECTURE[0], "--goal", LECTURE[1], "--json").stdout)
    assert compared["heuristics"]["misplaced"] == 4
    assert compared["heuristic"] == "linear-conflict"
    assert sum(part["value"] for part in compared["parts"]) == compared["value"] == 5


def test_a_heuristic_that_does_not_fit_is_said_to(capsys):
    big = (
        " ".join(str(n) for n in range(1, 6))
        + "/"
        + "/".join(" ".join(str((5 * r + c + 1) % 25) for c in range(5)) for r in range(1, 5))
    )
    shown = run(capsys, "explain", "taquin", big).stdout
    assert "walking-distance is for boards of up to 4x4" in shown


def test_parts_are_named_in_french():
    with speaking("fr"):
        assert "en place" in str(lecture().estimate("misplaced"))
