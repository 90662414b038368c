"""What a notebook, IPython and rich show; what can be pickled and copied; what can be listed and completed."""

from __future__ import annotations

import copy
import io
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import ludion
from ludion.messages import speaking
from ludion.tables import Table
from tests.commands import run

ROOT = Path(__file__).parents[1]
DUEL = ludion.position("tic-tac-toe", "xo./.../...")
PUZZLE = ludion.position("taquin", "1 2 3/4 5 6/0 7 8")


class Printer:
    """The part of IPython's printer that is used."""

    def __init__(self):
        self.shown = ""

    def text(self, text):
        self.shown += text


def pretty(value):
    printer = Printer()
    value._repr_pretty_(printer, False)
    return printer.shown


def in_rich(value):
    from rich.console import Console

    out = io.StringIO()
    Console(file=out, width=80, color_system=None).print(value)
    return out.getvalue()


def test_answers_and_analyses_in_a_notebook():
    answer = ludion.solve(PUZZLE, "a-star")
    markup = ElementTree.fromstring(f"<div>{answer._repr_html_()}</div>")
    assert [each.text for each in markup.iter("b")] == ["2 moves, optimal"]
    assert "right right" in answer._repr_html_()
    scores = ludion.analyse(DUEL, "negamax")
    rows = ElementTree.fromstring(scores._repr_html_()).findall(".//tbody/tr")
    assert len(rows) == 7
    assert [cell.text for cell in rows[0]][:2] == [scores[0].name, "win in 3 moves"]
    assert "win in 3 moves" in scores[0]._repr_html_()


def test_the_same_in_a_terminal():
    answer, scores = ludion.solve(PUZZLE, "a-star"), ludion.analyse(DUEL, "negamax")
    assert pretty(answer) == str(answer)
    assert in_rich(answer).startswith("2 moves, optimal\nright right\n")
    assert pretty(scores).splitlines()[0].split(maxsplit=1) == [scores[0].name, "win in 3 moves"]
    assert "win in 3 moves" in in_rich(scores)
    assert in_rich(scores[0]) == f"{scores[0].name}: win in 3 moves\n"
    assert pretty(scores[0]) == f"{scores[0].name}: win in 3 moves"
    assert pretty(PUZZLE) == str(PUZZLE)


def test_tables_are_shown_and_escaped():
    table = Table("<Sizes>", ("name", "size"), [("a & b", 1200), ("c", None)], note="measured")
    markup = ElementTree.fromstring(f"<div>{table._repr_html_()}</div>")
    assert markup.find(".//caption").text == "<Sizes>"
    assert [cell.text for cell in markup.findall(".//td")] == ["a & b", "1,200", "c", None]
    assert "1,200" in in_rich(table)
    assert str(table) == table.as_text()


@pytest.mark.parametrize(
    "value",
    [
        PUZZLE,
        DUEL.play("c3"),
        ludion.solve(PUZZLE, "a-star"),
        ludion.analyse(DUEL, "negamax"),
        ludion.Search("taquin", "level:report-1", engine="a-star", budget=ludion.Budget(nodes=5)),
        ludion.Run("delirium", "level:nearest"),
        ludion.Board(["x."], {"x": ludion.Piece("stone")}),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_pickled_and_copied(value):
    for again in (pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)):
        assert again == value
        assert type(again) is type(value)


def test_the_package_lists_what_it_has():
    assert set(ludion.__all__) <= set(dir(ludion))
    assert "__version__" in dir(ludion)
    assert ludion.__version__[0].isdigit()
    for name in dir(ludion):
        assert getattr(ludion, name) is not None
        assert name == "__version__" or getattr(ludion, name).__doc__, name


# ------------------------------------------------------------------ the command line


def completions(*words):
    """What the shell offers for the last word."""
    settings = {
        "COMP_WORDS": " ".join(["ludion", *words]),
        "COMP_CWORD": str(len(words)),
        "_LUDION_COMPLETE": "bash_complete",
    }
    done = subprocess.run(
        [sys.executable, "-m", "ludion"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **settings},
    )
    assert done.stderr == ""
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["sol"], ["solve"]),
        (["solve", "taq"], ["taquin"]),
        (["solve", "taquin", "level:report-3"], ["level:report-3"]),
        (["solve", "taquin", "--engine", "gre"], ["greedy"]),
        (["solve", "taquin", "--heuristic", "manh"], ["manhattan"]),
        (["lab", "taquin", "--engines", "a-star,gre"], ["a-star,greedy"]),
        (["run", "delirium", "--agent", "lay"], ["layered"]),
        (["match", "hive", "alpha"], ["alpha-beta"]),
        (["solve", "examples/domineering.py", "--evaluation", "r"], ["room"]),
        (["solve", "examples/dom"], ["examples/dom"]),  # the shell completes paths
        (["solve", "no-such-game", "--engine", "a"], []),
    ],
    ids=lambda value: value[-1] if value else "",
)
def test_the_shell_completes(words, offered):
    assert completions(*words) == offered


@pytest.mark.parametrize("language", ["en", "fr"])
def test_ludion_alone_and_its_help_are_an_overview_of_80_columns(capsys, monkeypatch, language):
    monkeypatch.setenv("COLUMNS", "80")
    with speaking("en"):
        done, helped = run(capsys, "--lang", language), run(capsys, "--lang", language, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == helped.stdout
    for words in ("solve ", "check ", "taquin ", "delirium ", "--help"):
        assert words in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert not re.search(r"\w\.\.\.", done.stdout)  # no description is cut


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("sovle", "taquin"), "did you mean 'solve'"),
        (("solve", "taquni"), "did you mean 'taquin'"),
        (("solve", "taquin", "--enigne", "a-star"), "'--engine'"),
        (("solve",), "GAME is missing (ludion games"),
        (("perft", "tic-tac-toe", "", "deep"), "'deep' is not an integer"),
        (("solve", "taquin", "1", "2", "3/4", "5", "6/0", "7", "8"), 'in quotes: "1 2 3/4 5 6/0 7 8"'),
        (("solve", "taquin", "--engine", "a-start"), "did you mean 'a-star'"),
        (("solve", "taquin", "level:reprot-1"), "did you mean 'report-1'"),
        (("solve", "taquin", "--heuristic", "manhatten"), "did you mean 'manhattan'"),
        (("run", "delirium", "level:nearest", "--agent", "layerd"), "did you mean 'layered'"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_mistyped_word_gets_a_suggestion(capsys, words, hint):
    done = run(capsys, *words)
    assert done.returncode == 2
    assert hint in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_typical_mistakes_in_python_get_a_hint():
    board = ludion.position("tic-tac-toe")
    with pytest.raises(ludion.SettingError, match="seconds=5"):
        ludion.solve(board, time=1)
    with pytest.raises(ludion.UnfitError, match=r"it has evaluations \(alignments, even\)"):
        board.estimate()
    with pytest.raises(AttributeError) as wrong:
        ludion.sovle  # noqa: B018
    assert (wrong.value.name, wrong.value.obj) == ("sovle", ludion)  # Python suggests the nearest name
