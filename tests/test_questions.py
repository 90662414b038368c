"""A question is a value: it is written as a command, as Python, as an address and as JSON, and read back."""

from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion import Budget, Run, Search
from ludion.asking import engines_of
from ludion.cli._options import read_question
from ludion.errors import LudionError, QuestionError, SettingError, UnfitError, UnknownNameError
from ludion.kinds.games import PUZZLE, UNUSED, Searched
from ludion.kinds.settings import Setting
from ludion.questions import from_json
from ludion.registry import files_of, games, installed, load_game_file

ROOT = Path(__file__).parents[1]

texts = st.text(st.characters(blacklist_categories=("Cs", "Cc")), max_size=12).map(str.strip)
positive = st.integers(1, 10**9)


def values(setting: Setting) -> st.SearchStrategy[object]:
    """Any value that a setting may have."""
    if setting.type is bool:
        return st.booleans()
    if setting.choices:
        return st.sampled_from(setting.choices)
    if setting.type is str:
        return texts.filter(bool)
    least = 0 if setting.least is None else setting.least
    most = 1000 if setting.most is None else setting.most
    if setting.type is int:
        return st.integers(int(least), int(most))
    return st.floats(least, most)


@st.composite
def searches(draw: st.DrawFn) -> Search:
    game = draw(st.sampled_from([game for game in installed().values() if isinstance(game, Searched)]))
    name = draw(st.sampled_from([*engines_of(game), "best"]))
    engine = engines_of(game)[game.best_engine if name == "best" else name]
    budget = Budget(
        seconds=draw(st.none() | st.floats(0.001, 1e6)),
        nodes=draw(st.none() | positive),
        depth=draw(st.none() | st.integers(1, 100)),
        memory=draw(st.just(Budget().memory) | st.integers(1, 10**12)),
    )
    word = "heuristic" if game.kind == PUZZLE else "evaluation"
    guide = draw(st.sampled_from(["", *game.guides])) if engine.guide != UNUSED else ""
    offered = draw(st.lists(st.sampled_from(engine.settings), unique=True)) if engine.settings else []
    options = draw(st.lists(st.sampled_from(game.options), unique=True)) if game.options else []
    return Search(
        game.name,
        draw(texts),
        options={option.name: draw(values(option)) for option in options},
        settings={setting.name: draw(values(setting)) for setting in offered},
        engine=name,
        budget=budget,
        **{word: guide},
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    game = draw(st.sampled_from([game for game in installed().values() if not isinstance(game, Searched)]))
    name, maker = draw(st.sampled_from(list(game.agents.items())))
    offered = draw(st.lists(st.sampled_from(maker.settings), unique=True)) if maker.settings else []
    options = draw(st.lists(st.sampled_from([o for o in game.options if o.name != "seed"]), unique=True)) \
        if len(game.options) > 1 else []  # fmt: skip
    return Run(
        game.name,
        draw(texts),
        options={option.name: draw(values(option)) for option in options},
        settings={setting.name: draw(values(setting)) for setting in offered},
        agent=f"{name}:some file.pl" if maker.argument else name,
        seed=draw(st.integers(-100, 10**6)),
        steps=draw(positive),
        patience=draw(st.none() | st.floats(0.01, 1e3)),
        budget=draw(st.none() | st.floats(0.01, 1e3)),
    )


@given(searches() | runs())
def test_every_form_is_read_back(question):
    kind = type(question)
    assert kind.from_command(question.command()) == question
    assert kind.from_url(question.url()) == question
    assert kind.from_python(question.python()) == question
    assert kind.from_json(json.loads(json.dumps(question.json()))) == question
    assert from_json(question.json()) == question
    assert pickle.loads(pickle.dumps(question)) == question
    assert hash(pickle.loads(pickle.dumps(question))) == hash(question)


@given(searches() | runs())
def test_the_command_line_reads_what_a_question_writes(question):
    """click's parser and `from_command` agree on every command that a question writes."""
    import shlex

    from ludion.cli.run import command as run_command
    from ludion.cli.solve import command as solve_command

    command = solve_command if isinstance(question, Search) else run_command
    context = command.make_context("ludion", shlex.split(question.command())[2:])
    asked = dict(context.params)
    texts = asked.pop("positions", None) or asked.pop("levels", ())
    asked.pop("levels", None)
    for name in ("file", "jobs", "cluster", "out", "animate", "as_json", "games", "shown", "each", "server",
                 "group", "password", "explained"):  # fmt: skip
        asked.pop(name, None)
    assert read_question(type(question), asked.pop("game"), "".join(texts), asked) == question


def test_the_sketch_of_the_design():
    question = Search(
        "taquin", "level:report-5", engine="a-star", heuristic="manhattan", budget=Budget(nodes=1_000_000)
    )
    assert question.command() == (
        "ludion solve taquin level:report-5 --engine a-star --heuristic manhattan --nodes 1000000"
    )
    assert question.python() == (
        "position = ludion.position('taquin', 'level:report-5')\n"
        "answer = ludion.solve(position, 'a-star', heuristic='manhattan', nodes=1000000)"
    )
    assert question.url() == "/play/taquin?p=level:report-5&engine=a-star&heuristic=manhattan&nodes=1000000"
    assert question.answer().length == 30
    scope = {"ludion": ludion}
    exec(question.python(), scope)
    assert scope["answer"].length == 30


def test_a_game_file_travels_with_its_question(tmp_path):
    game = load_game_file(ROOT / "examples" / "domineering.py")
    question = Search(game.name, "..../..../..../....", files=files_of(game.name), engine="negamax")
    assert question.command().startswith(f"ludion solve {ROOT}/examples/domineering.py ")
    assert Search.from_command(question.command()) == question
    assert Search.from_python(question.python()) == question
    assert Search.from_json(question.json()) == question
    moved = question.json()
    moved["files"][0]["path"] = str(tmp_path / "elsewhere.py")  # a machine that has never seen the file
    assert Search.from_json(moved).answer().score == question.answer().score


def test_games_can_be_listed_twice():
    assert list(ludion.games()) == list(ludion.games())
    from ludion.games import taquin

    assert taquin.GAME.name in ludion.games()
    assert "taquin" in games()


def test_moves_of_an_address_are_played_first():
    question = Search.from_url("/play/tic-tac-toe?p=.../.../...&m=b2;a1&engine=negamax")
    assert question.position == ludion.position("tic-tac-toe").play("b2", "a1").text
    assert Search.from_url("/play/tic-tac-toe?p=.../.../...&m=b2;a1&c=1").position.count("x") == 1


@pytest.mark.parametrize(
    ("line", "kind", "says"),
    [
        ("solve taquin", QuestionError, "ludion solve GAME"),
        ("ludion solve", QuestionError, "ludion solve GAME"),
        ("ludion solve chess", UnknownNameError, "unknown game 'chess'"),
        ("ludion solve taquin --nodes", QuestionError, "--nodes needs a value"),
        ("ludion solve taquin --nodes x", SettingError, "nodes must be a whole number, not 'x'"),
        ("ludion solve taquin --nodes 0", LudionError, "nodes must be positive"),
        ("ludion solve taquin --metric other", UnknownNameError, "unknown value of metric 'other'"),
        ("ludion solve taquin --engine a-start", UnknownNameError, "did you mean 'a-star'?"),
        ("ludion solve taquin --engine negamax", UnfitError, "is for a duel"),
        ("ludion solve taquin --heuristic far", UnknownNameError, "unknown heuristic of taquin 'far'"),
        ("ludion solve taquin --evaluation even", UnfitError, "it has heuristics (misplaced,"),
        ("ludion solve hive --heuristic mobility", UnfitError, "it has evaluations (mobility, even)"),
        (
            "ludion solve taquin --engine breadth-first --heuristic manhattan",
            UnfitError,
            "takes no heuristic",
        ),
        ("ludion solve taquin --set weight", SettingError, "not of the form NAME=VALUE"),
        (
            "ludion solve taquin --engine weighted-a-star --set weight=0.5",
            SettingError,
            "weight must be from 1",
        ),
        ("ludion solve taquin a b", QuestionError, "unexpected 'b'"),
        ("ludion solve crocomine", UnfitError, "an agent plays it"),
        ("ludion solve taquin 'unclosed", QuestionError, "No closing quotation"),
    ],
)
def test_bad_commands_are_refused(line, kind, says):
    with pytest.raises(kind) as caught:
        Search.from_command(line)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values",
    [
        {"question": "run", "game": "taquin"},
        {"question": "search", "game": 7},
        {"question": "search", "game": "taquin", "budget": {"weeks": 3}},
        {"question": "search", "game": "taquin", "budget": 3},
        {"question": "search", "game": "taquin", "colour": "red"},
        {"question": "search", "game": "taquin", "options": []},
        {"question": "search"},
        [],
        "text",
    ],
)
def test_bad_objects_are_refused(values):
    with pytest.raises(LudionError) as caught:
        Search.from_json(values)
    assert "\n" not in str(caught.value)


def test_a_heuristic_that_the_best_engine_does_not_take_is_used_all_the_same():
    board = ludion.position("rush-hour", "level:1")
    assert ludion.solve(board).engine == "packed"
    asked = ludion.solve(board, heuristic="blockers")
    assert (asked.engine, asked.heuristic) == ("a-star", "blockers")
