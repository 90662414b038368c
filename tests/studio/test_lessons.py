"""Lessons: those that ship agree with the real searches; a file that is wrong is refused with its place."""

from __future__ import annotations

import pytest

import ludion
from ludion.messages import LANGUAGES
from ludion.questions import Run, Search
from ludion.studio.lessons import LessonError, check_lesson, own_lessons, read_lesson
from tests.commands import run

LESSONS = {file.stem: file for file in own_lessons()}


def steps_with(kind):
    return [
        pytest.param(step, id=f"{name}-{number}")
        for name, file in LESSONS.items()
        for number, step in enumerate(read_lesson(file).steps, 1)
        if isinstance(step.ask, kind)
    ]


def test_there_are_five_and_all_can_be_read():
    games = {check_lesson(file).game for file in LESSONS.values()}
    assert games == {"taquin", "rush-hour", "tic-tac-toe", "crocomine", "delirium"}
    assert set(LANGUAGES) == {"en", "fr"}


@pytest.mark.parametrize("step", steps_with(Search))
def test_searches_give_the_answers_of_the_lessons(step):
    answer = step.ask.answer()
    if step.choices:
        expected = {"score": (str(answer.score), "draw"), "nodes": (str(answer.score), "win in 2 moves")}
        assert expected[step.figure][0] == expected[step.figure][1]
    else:
        assert getattr(answer, step.figure) == step.answer


@pytest.mark.parametrize("step", steps_with(Run))
def test_runs_give_the_answers_of_the_lessons(step):
    record = step.ask.record()
    if step.choices:
        outcome = {"Yes": "won", "No": "lost", "It never gets out": "running"}
        assert record["status"] == outcome[step.choices[step.answer - 1]["en"]]
    else:
        assert record[step.figure] == step.answer


def test_tasks_can_be_done():
    """A task with moves: one of them is legal and does it; the others are puzzles and caves with known solutions."""
    for file in LESSONS.values():
        lesson = read_lesson(file)
        for step in lesson.steps:
            if step.task is not None and step.moves:
                here = ludion.position(lesson.game, step.start, **step.options)
                for move in step.moves:
                    assert here.game.kind == "quest" or move in here.moves()


def test_figures_that_were_measured_before():
    by_command = {
        step.measured: step for file in LESSONS.values() for step in read_lesson(file).steps if step.measured
    }
    moves = list(ludion.analyse(ludion.position("tic-tac-toe")))
    assert by_command["ludion analyse tic-tac-toe"].answer == sum(str(each) == "draw" for each in moves)


@pytest.mark.slow
def test_the_layered_miner_wins_as_many_levels_as_the_lesson_says():
    levels = ludion.games()["delirium"].all_levels()
    records = [Run("delirium", f"level:{each.name}", agent="layered", steps=2000).record() for each in levels]
    assert (sum(each["status"] == "won" for each in records), len(levels)) == (15, 24)


@pytest.mark.slow
@pytest.mark.parametrize(("agent", "share"), [("sat-random", 31), ("counting", 45), ("best", 47)])
def test_dense_boards_are_won_as_often_as_the_lesson_says(agent, share):
    games = 200
    won = sum(
        Run("crocomine", "level:dense", agent=agent, seed=seed).record()["status"] == "won"
        for seed in range(games)
    )
    assert abs(100 * won / games - share) < 10  # three standard deviations


WHOLE = """
game = "taquin"
title = { en = "a", fr = "b" }
summary = { en = "a", fr = "b" }
[[step]]
text = { en = "a", fr = "b" }
"""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = ", "cannot be read"),
        (WHOLE.replace("taquin", "chess"), "no game chess"),
        (WHOLE.replace('fr = "b" }\nsummary', "}\nsummary").replace('en = "a", }', 'en = "a" }'), "title.fr"),
        (WHOLE.partition("[[step]]")[0], "[[step]]"),
        (WHOLE + 'colour = "red"', "step 1: unknown field colour"),
        (WHOLE + 'start = "1 2 3"', "step 1: the board cannot be read"),
        (WHOLE + 'ask = "ludion solve taquin --engine a-star2"', "step 1: the command cannot be run"),
        (WHOLE + 'ask = "ludion solve tic-tac-toe"', "another game"),
        (WHOLE + 'figure = "colour"', "unknown figure colour"),
        (WHOLE + 'question = { en = "a", fr = "b" }', "answer is missing"),
        (WHOLE + 'choices = [{ en = "a", fr = "b" }]\nanswer = 2', "from 1 to 1"),
    ],
)
def test_what_is_wrong_with_a_lesson_is_said(tmp_path, text, why):
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(LessonError) as error:
        check_lesson(file)
    assert why in str(error.value)
    assert "mine.toml" in str(error.value)


def test_a_studio_with_a_wrong_lesson_does_not_start(tmp_path, capsys):
    file = tmp_path / "mine.toml"
    file.write_text(WHOLE + 'colour = "red"')
    done = run(capsys, "serve", "--lesson", str(file))
    assert done.returncode == 2
    assert "mine.toml, step 1: unknown field colour" in done.stderr


def test_the_page_gets_lessons_in_its_language(client):
    assert [each["name"] for each in client.get("/api/lessons")[1]] == sorted(LESSONS)
    lesson = client.get("/api/lessons/1-taquin", accept_language="fr")[1]
    assert lesson["title"] == "Taquin : guider la recherche"
    assert lesson["steps"][1]["watch"].startswith("/watch/taquin?p=level:report-1&engine=breadth-first")
    assert client.get("/api/lessons/nothing")[0] == 404
    assert client.get("/learn/nothing")[0] == 404
