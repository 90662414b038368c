"""Bugs that users met, each as a test."""

import io
import json

import pytest

import ludion
from tests.commands import run

pytestmark = pytest.mark.tier("interpreted")  # small games


def objects(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_quest_of_ones_own_is_played_by_several_processes(capsys):
    done = run(capsys, "run", "examples/wumpus.py", "4x4", "--games", "4", "--jobs", "2", "--json")
    assert done.returncode == 0, done.stderr
    (summary,) = objects(done)
    assert summary["games"] == 4


def test_the_lab_measures_a_game_of_ones_own_in_several_processes(capsys, tmp_path):
    store = str(tmp_path / "lab.sqlite")
    done = run(capsys, "lab", "examples/wumpus.py", "--games", "2", "--jobs", "2", "--store", store, "--json")
    assert done.returncode == 0, done.stderr
    (row,) = objects(done)
    assert (row["games"], row["errors"]) == (2, None)


def test_a_game_of_ones_own_without_generator_is_known(capsys):
    done = run(capsys, "generate", "examples/domineering.py")
    assert done.returncode == 2
    assert "Domineering has no generator" in done.stderr


@pytest.mark.tier("compiled")
def test_a_budget_of_one_node_is_an_honest_limit(capsys):
    done = run(capsys, "solve", "tic-tac-toe", "5x5/4", "--nodes", "1", "--json")
    (answer,) = objects(done)
    assert done.returncode in (0, 1)
    assert answer["status"] in ("limit", "solved")
    assert answer["status"] != "optimal"


def test_analysis_to_a_depth_is_the_same_everywhere(capsys):
    """The report's values of the first moves: 4 in the centre, 3 in the corners, 2 on the sides."""
    done = run(capsys, "analyse", "tic-tac-toe", "--engine", "negamax", "--depth", "1", "--json")
    (answer,) = objects(done)
    by_command = {each["move"]: each["score"] for each in answer["moves"]}
    start = ludion.position("tic-tac-toe")
    by_python = {each.name: int(each.score) for each in ludion.analyse(start, "negamax", depth=1)}
    by_budget = {
        each.name: int(each.score) for each in ludion.analyse(start, "negamax", budget=ludion.Budget(depth=1))
    }
    assert by_command == by_python == by_budget
    assert (by_python["b2"], by_python["a1"], by_python["b1"]) == (4, 3, 2)


def test_a_player_that_uses_no_evaluation_names_none(capsys):
    done = run(capsys, "solve", "hive", "--engine", "heuristic", "--json")
    (answer,) = objects(done)
    assert "evaluation" not in answer


@pytest.mark.parametrize("engine", ["monte-carlo", "alpha-beta", "negamax"])
@pytest.mark.tier("compiled")
def test_a_tiny_memory_is_no_crash(engine):
    answer = ludion.solve(ludion.position("tic-tac-toe"), engine, memory=1, nodes=200)
    assert answer.status in ("solved", "limit")


@pytest.mark.parametrize("depth", [-1, 101, 1.5, "3", None, True])
def test_perft_of_an_impossible_depth_is_refused(depth):
    with pytest.raises(ludion.SettingError, match="depth must be a whole number"):
        ludion.perft(ludion.position("tic-tac-toe"), depth)


@pytest.mark.parametrize("text", [4453, None, 1.5, b"4453", ["4453"]])
def test_a_position_is_a_text(text):
    with pytest.raises(ludion.NotationError, match="must be a text"):
        ludion.position("connect-four", text)


def test_lines_that_begin_with_a_number_sign_are_positions(capsys, tmp_path):
    """`#` is the tutorial's own notation; a comment begins with `# `."""
    file = tmp_path / "bars.txt"
    file.write_text("# a comment\n##/##\n\n#\n###/###\n")
    done = run(capsys, "solve", "docs/chomp.py", "--file", str(file), "--json")
    assert [each["position"] for each in objects(done)] == ["##/##", "###/###"]


def test_an_empty_file_is_no_level(capsys, tmp_path):
    file = tmp_path / "empty.bd"
    file.write_text("\n")
    done = run(capsys, "run", "delirium", str(file))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "empty.bd' is empty" in done.stderr


def test_the_moves_of_a_board_of_cells_are_listed_in_short(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("moves\ndiscover 0 0\nmoves\nquit\n"))
    done = run(capsys, "play", "crocomine", "2 3;0 0;- - T;- - -")
    assert "0 > discover 0-1 0-2\nguess 0-1 0-2 T/S/C\n" in done.stdout
    assert "1 > discover 0-1 2\nguess 0-1 2 T/S/C\nchord 0-1 1\n" in done.stdout


def test_an_empty_address_of_a_server_is_an_error(capsys):
    done = run(capsys, "run", "crocomine", "--server", "")
    assert done.returncode == 2
    assert "is not the address of a server" in done.stderr
