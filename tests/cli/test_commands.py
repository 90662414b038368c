"""The command line as other programs use it: JSON, exit codes, one-line errors."""

import json
import subprocess

import pytest

from tests.commands import run

pytestmark = pytest.mark.tier("interpreted")  # small boards


def objects(done: subprocess.CompletedProcess[str]) -> list[dict]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_solve_a_duel(ludion):
    done = ludion("solve", "tic-tac-toe", ".../.../...", "--engine", "negamax", "--depth", "3", "--json")
    (answer,) = objects(done)
    assert done.returncode == 0
    assert (answer["game"], answer["position"], answer["score"], answer["moves"][0]) == (
        "tic-tac-toe",
        ".../.../...",
        3,
        "b2",
    )
    assert {"status", "nodes", "seconds", "engine"} <= set(answer)


def test_solve_a_puzzle_with_a_goal(ludion):
    done = ludion(
        "solve", "taquin", "b h c/a f d/g _ e", "--goal", "a b c/h _ d/g f e", "--engine", "a-star", "--json"
    )
    (answer,) = objects(done)
    assert (answer["status"], answer["length"]) == ("optimal", 5)
    assert answer["moves"] == ["up", "up", "left", "down", "right"]


def test_unsolvable_and_limit_exit_with_1(ludion):
    done = ludion("solve", "taquin", "1 2 3/4 5 6/8 7 0", "--json")
    assert (done.returncode, objects(done)[0]["status"]) == (1, "unsolvable")
    assert "parity" in objects(done)[0]["reason"]
    done = ludion("solve", "taquin", "level:report-5", "--engine", "breadth-first", "--nodes", "50", "--json")
    assert (done.returncode, objects(done)[0]["status"], objects(done)[0]["limit"]) == (1, "limit", "nodes")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("solve", "taquin", "1 2 3/4 5"), "row 2 of the position has 2 cells"),
        (("solve", "taquin", "1 2 3/4 5 5/7 8 0"), "row 2, column 3: tile 5 is also in row 2, column 2"),
        (("solve", "taquin", "1 2 3/4 9 5/7 8 0"), "tile 9 is not among 1 to 8"),
        (("solve", "taquin", "1 2 3/4 5 6/7 8 0", "--engine", "alpha-beta"), "is for a duel"),
        (("solve", "taquin", "1 2 3/4 5 6/7 8 0", "--engine", "a-sta"), "did you mean 'a-star'?"),
        (
            ("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--heuristic", "euclid"),
            "unknown heuristic of taquin 'euclid'",
        ),
        (
            ("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--engine", "breadth-first", "--heuristic", "manhattan"),
            "takes no heuristic",
        ),
        (("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--time", "-1"), "seconds must be positive"),
        (("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--nodes", "0"), "nodes must be positive"),
        (("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--memory", "0"), "memory must be positive"),
        (("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--set", "colour=red"), "unknown setting of engine"),
        (("solve", "taquin", "1 2 3/4 5 6/7 0 8", "--goal", "1 2/3 0"), "the goal is 2x2"),
        (("solve", "chess", "x"), "unknown game 'chess'"),
        (("solve", "no_such_file.py"), "no game file no_such_file.py"),
        (("solve", "taquin", "--file", "no_such_file.txt"), "No such file"),
        (("show", "tic-tac-toe", "x.q/.../..."), "'q'"),
        (("levels", "nothing"), "unknown game"),
        (("solve", "tic-tac-toe", "--depth", "many"), "depth must be a whole number"),
        (("nonsense",), "no command 'nonsense'"),
        (("perft", "taquin", "1 2/3 0", "-3"), "-3"),
        (("perft", "taquin", "1 2/3 0", "1 2/0 3", "3"), "one position at a time"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, said):
    done = run(capsys, *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.strip().count("\n") == 0
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("def broken(:\n", "mine.py:1: SyntaxError"),
        ("x = 1\ny = 1 / 0\n", "mine.py:2: ZeroDivisionError"),
        ("x = 1\n", "defines no game"),
        ("import no_such_module\n", "mine.py:1: ModuleNotFoundError"),
    ],
)
def test_a_broken_game_file(ludion, tmp_path, content, said):
    file = tmp_path / "mine.py"
    file.write_text(content)
    done = ludion("solve", str(file), "x")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert said in done.stderr
    assert done.stderr.startswith("ludion: mine.py")


def test_many_positions(ludion, tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text("1 2 3/4 5 6/7 0 8\n# a comment\n\n1 2 3/4 5 6/7 7 0\n1 2 3/4 5 6/0 7 8\n")
    for jobs in ("1", "2"):
        done = ludion("solve", "taquin", "--file", str(file), "--json", "--jobs", jobs)
        answers = objects(done)
        assert done.returncode == 2
        assert [answer.get("length") for answer in answers] == [1, None, 2]
        assert "line 4" in done.stderr
        assert "tile 7" in answers[1]["error"]
    done = ludion("solve", "taquin", "-", "--json", stdin="1 2 3/4 5 6/7 0 8\n")
    assert [answer["length"] for answer in objects(done)] == [1]


def test_analyse(ludion):
    (answer,) = objects(ludion("analyse", "tic-tac-toe", "xx./oo./...", "--json"))
    assert answer["moves"][0] == answer["moves"][0] | {"move": "c1", "words": "win in 1 move"}
    assert len(answer["moves"]) == 5
    scores = [each["score"] for each in answer["moves"]]
    assert scores == sorted(scores, reverse=True)
    (answer,) = objects(ludion("analyse", "taquin", "1 2 3/4 5 6/7 0 8", "--json", "--engine", "a-star"))
    assert (answer["moves"][0]["move"], answer["moves"][0]["length"]) == ("right", 1)


def test_the_tour_runs_the_command_that_it_prints(ludion):
    shown = ludion("tour", "tic-tac-toe", "--time", "3").stdout
    assert "$ ludion solve tic-tac-toe x.o/.x./..o --time 3\n" in shown
    assert "draw (proved)" in shown


def test_games_explains_what_can_be_chosen(ludion):
    names = [game["game"] for game in objects(ludion("games", "--json"))]
    assert "taquin" in names
    (taquin,) = objects(ludion("games", "taquin", "--json"))
    weighted = next(engine for engine in taquin["engines"] if engine["name"] == "weighted-a-star")
    assert [(each["name"], each["default"]) for each in weighted["settings"]] == [("weight", 1.5)]
    assert taquin["default_heuristic"] == "linear-conflict"
    assert {option["name"] for option in taquin["options"]} == {"goal", "metric"}
    shown = ludion("games", "taquin").stdout
    assert all(name in shown for name in ("--heuristic", "manhattan", "--weight X", "--goal", "--length"))
    own = ludion("games", "examples/domineering.py").stdout
    assert all(name in own for name in ("room", "alpha-beta"))
    assert ludion("games", "taqin").returncode == 2


def test_show_perft_and_levels(ludion, tmp_path):
    picture = tmp_path / "board.svg"
    done = ludion("show", "tic-tac-toe", "x.o/.x./..o", "--svg", str(picture))
    assert " 1 x . o" in done.stdout
    assert picture.read_text().startswith("<svg")
    done = ludion("show", "tic-tac-toe", "x.o/.x./..o", "--svg", str(tmp_path / "nowhere" / "board.svg"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"ludion: cannot write {tmp_path / 'nowhere' / 'board.svg'}: ")
    (answer,) = objects(ludion("perft", "tic-tac-toe", ".../.../...", "5", "--divide", "--json"))
    assert answer["nodes"] == 15120 == sum(answer["divide"].values())
    (answer,) = objects(ludion("perft", "tic-tac-toe", "5", "--json"))  # no position: the start
    assert answer["nodes"] == 15120
    names = [answer["level"] for answer in objects(ludion("levels", "taquin", "--json"))]
    assert "report-1" in names


def test_the_best_result_on_a_level_is_stored(ludion, tmp_path):
    here = {"LUDION_DATA_DIR": str(tmp_path)}
    moves = objects(ludion("solve", "taquin", "level:report-2", "--json"))[0]["moves"]
    back = {"up": "down", "down": "up", "left": "right", "right": "left"}[moves[0]]
    around = "\n".join([moves[0], back, *moves, "quit"])
    assert "solved, your best" in ludion("play", "taquin", "level:report-2", stdin=around, **here).stdout
    straight = "\n".join([*moves, "quit"])
    assert "solved, your best" in ludion("play", "taquin", "level:report-2", stdin=straight, **here).stdout
    again = ludion("play", "taquin", "level:report-2", stdin=around, **here).stdout
    assert f"solved (your best: {len(moves)})" in again
    helped = ludion("play", "taquin", "level:report-1", stdin="solve\nquit\n", **here).stdout
    assert "your best" not in helped
    answer = {each["level"]: each["best"] for each in objects(ludion("levels", "taquin", "--json", **here))}
    assert (answer["report-2"], answer["report-1"]) == (len(moves), None)


def test_a_game_of_ones_own(ludion):
    (answer,) = objects(ludion("solve", "examples/peg_solitaire.py", "--json"))
    assert (answer["status"], answer["length"]) == ("optimal", 13)
    (answer,) = objects(
        ludion("perft", "--game-file", "examples/domineering.py", "domineering", ".../...", "2", "--json")
    )
    assert (
        answer["nodes"] == 4
    )  # three upright dominoes; the outer ones leave two flat places each, the middle one none


def test_play(ludion):
    done = ludion("play", "tic-tac-toe", "xx./oo./...", stdin="help\nhint\nhint\nz9\nundo\nc1\nquit\n")
    assert done.returncode == 0
    assert "list the legal moves" in done.stdout
    assert "win in 1 move" in done.stdout
    assert "you win" in done.stdout
    done = ludion("play", "taquin", "1 2 3/4 5 6/0 7 8", stdin="solve\nright\nright\n")
    assert "right right" in done.stdout
    assert "after 2 moves: solved" in done.stdout
