"""The lab page's experiments: what is measured, the command that does the same, and which question a cell is about."""

from __future__ import annotations

import pytest

from ludion import lab, registry
from ludion.studio.experiments import question_of, read_experiment, table_object
from ludion.tables import Table


def experiment(game, **body):
    return read_experiment(registry.find(game), body)


@pytest.mark.parametrize(
    ("game", "body", "command", "count"),
    [
        (
            "taquin",
            {"levels": ["report-1", "report-2"], "engines": ["a-star", "greedy"], "guides": ["manhattan"]},
            "ludion lab taquin --levels report-1,report-2 --engines a-star,greedy --heuristics manhattan --time 5",
            4,
        ),
        (
            "taquin",
            {
                "instances": "new",
                "count": 2,
                "settings": {"size": "3x3", "length": "4"},
                "engines": ["a-star"],
            },
            "ludion generate taquin --seed 0 --count 2 --size 3x3 --length 4 | "
            "ludion lab taquin --file - --engines a-star --time 5",
            2,
        ),
        ("rush-hour", {"instances": "report"}, "ludion lab rush-hour --levels report --time 5", 30),
        (
            "tic-tac-toe",
            {"levels": ["start"], "engines": ["negamax"], "depth": 3, "seconds": 1},
            "ludion lab tic-tac-toe --engines negamax --depths 1-3 --time 1",
            3,
        ),
        (
            "crocomine",
            {"levels": ["small"], "agents": ["rules"], "games": 4},
            "ludion lab crocomine --levels small --agents rules --games 4",
            4,
        ),
    ],
)
def test_an_experiment_is_a_plan_and_a_command(game, body, command, count):
    prepared = experiment(game, **body)
    assert prepared.command == command
    assert len(prepared.plan) == count


def test_a_cell_is_about_the_question_that_its_row_and_column_name():
    game = registry.find("taquin")
    plan = lab.plan_report(game, guides=["misplaced", "manhattan"])
    questions = [each.question for each in plan]
    table = Table(
        "Taquin, A* by heuristic", ("level", "misplaced nodes", "manhattan nodes"), [("report-4", 1, 2)]
    )
    for column, heuristic in ((1, "misplaced"), (2, "manhattan")):
        question = questions[question_of(table, 0, column, questions)]
        assert (question.label, question.heuristic) == ("report-4", heuristic)
    rows = [("report-4", "a-star", "manhattan", 180)]
    general = Table("Taquin", ("level", "engine", "heuristic", "nodes"), rows)
    assert questions[table_object(general, questions)["links"][0][3]].heuristic == "manhattan"


def test_the_page_measures(client):
    asked = {
        "levels": ["start"],
        "engines": ["negamax", "alpha-beta"],
        "depth": 2,
        "seconds": 1,
        "page": True,
    }
    answer = dict(client.ask("tic-tac-toe", "lab", **asked))["answer"]
    (table,) = answer["tables"]
    assert [row[table["columns"].index("nodes")] for row in table["rows"][:2]] == [10, 82]
    assert answer["questions"][0].startswith("/watch/tic-tac-toe?p=")
    assert answer["csv"].startswith("level,engine,evaluation,depth")
    assert "<table" in answer["html"]
    assert answer["plot"].lstrip().startswith("<?xml")


@pytest.mark.parametrize(
    "body",
    [
        {"engines": ["x"]},
        {"engines": "a-star"},
        {"levels": ["none"]},
        {"options": {"goal": 3}},
        {"seconds": 1e9},
    ],
)
def test_what_cannot_be_measured_is_refused(client, body):
    assert client.post("/api/games/taquin/ask/lab", body)[0] == 400
