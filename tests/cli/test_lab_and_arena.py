"""`ludion lab`, `match` and `tournament` as a user types them."""

import json

import pytest

from tests.commands import run


def test_a_comparison_is_kept_and_shown_again(capsys, tmp_path):
    store = str(tmp_path / "lab.sqlite")
    words = ("lab", "taquin", "--levels", "report-1,report-2", "--engines", "a-star,greedy", "--heuristics",
             "manhattan", "--store", store)  # fmt: skip
    first = run(capsys, *words, "--csv")
    assert first.returncode == 0
    rows = first.stdout.splitlines()
    assert rows[0].startswith("level,engine,heuristic,status,length")
    assert [row.split(",")[:3] for row in rows[1:5]] == [
        [level, engine, "manhattan"] for level in ("report-1", "report-2") for engine in ("a-star", "greedy")
    ]
    again = run(capsys, *words, "--json")
    assert "4 of 4 results were already in" in again.stderr
    table = [json.loads(line) for line in again.stdout.splitlines()]
    assert {"level", "engine", "heuristic", "length", "nodes", "ms"} <= set(table[0])


def test_the_table_of_a_report(capsys, tmp_path):
    done = run(capsys, "lab", "tic-tac-toe", "--store", str(tmp_path / "lab.sqlite"), "--csv")
    assert done.returncode == 0
    rows = [line.split(",") for line in done.stdout.splitlines()]
    assert rows[0][:2] == ["depth", "value"]
    assert [row[1] for row in rows[1:7]] == ["4", "1", "3", "1", "3", "1"]  # as in the report


def test_a_report_by_its_name_and_as_a_page(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    store, page = str(tmp_path / "lab.sqlite"), tmp_path / "page.html"
    words = ("lab", "--report", "seed-tic-tac-toe", "--repeat", "1", "--store", store)
    done = run(capsys, *words, "--csv", "--html", str(page))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("depth,value,")
    text = page.read_text(encoding="utf-8")
    assert f"ludion lab --report seed-tic-tac-toe --repeat 1 --store {store} --csv --html {page}" in text
    again = run(capsys, "lab", "tic-tac-toe", *words[1:], "--csv")
    assert again.stdout == done.stdout  # from the store


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("taquin", "--levels", "nothing"), "unknown taquin level 'nothing'"),
        (("taquin", "--engines", "a-sta"), "did you mean 'a-star'?"),
        (("taquin", "--heuristics", "far"), "unknown heuristic of taquin 'far'"),
        (("tic-tac-toe", "--depths", "0-3"), "'0-3' is not a depth"),
        (("taquin", "--plot", "picture.txt"), "picture.txt"),
        (("taquin", "--levels", "all", "--file", "x"), "not both"),
        (("taquin", "--time", "-1"), "seconds must be positive"),
        (("--report", "seed-taqin"), "did you mean 'seed-taquin'?"),
        (("taquin", "--report", "seed-rush-hour"), "not a report on taquin"),
        (("taquin", "--precision", "0"), "precision must be positive"),
        (("taquin", "--html", "/nowhere/page.html"), "cannot write /nowhere/page.html"),
        (("taquin", "--nodes", "many"), "nodes must be a whole number"),
    ],
)
def test_bad_input_of_the_lab(capsys, tmp_path, words, says):
    done = run(capsys, "lab", *words, "--store", str(tmp_path / "lab.sqlite"))
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "lab.sqlite").exists()


def test_a_match_is_resumed_and_reported(capsys, tmp_path):
    out = str(tmp_path / "games.jsonl")
    words = (
        "match",
        "tic-tac-toe",
        "negamax:depth=2",
        "random",
        "--games",
        "4",
        "--nodes",
        "500",
        "--out",
        out,
    )
    done = run(capsys, *words)
    assert done.returncode == 0
    assert "negamax:depth=2 - random: +" in done.stdout
    assert "probability of being stronger" in done.stdout
    again = run(capsys, *words, "--json")
    assert "4 of 4 are already in" in again.stderr
    result = json.loads(again.stdout)
    assert result["games"] == 4
    least, most = result["score_interval"]
    assert 0 <= least <= result["score"] <= most <= 1
    assert 0 < result["p"] <= 1  # of the decided games, were both equally strong
    replay = run(capsys, "match", "--replay", out, "--number", "2")
    assert "1. " in replay.stdout
    missing = run(capsys, "match", "--replay", out, "--number", "9")
    assert (missing.returncode, "4 games" in missing.stderr) == (2, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no position"),
        (".../.../...\n\nnonsense\n", "line 3"),
        ("xxx/oo./...\n", "line 1: the game is over"),
    ],
)
def test_openings_that_cannot_be_played_are_named(capsys, tmp_path, text, said):
    file = tmp_path / "openings.txt"
    file.write_text(text)
    done = run(capsys, "match", "tic-tac-toe", "random", "random", "--games", "2", "--openings", str(file))
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_match_ends_as_soon_as_it_is_clear(capsys):
    done = run(capsys, "match", "tic-tac-toe", "alpha-beta", "random", "--games", "400", "--nodes", "2000",
               "--sprt", "0,200", "--json")  # fmt: skip
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["sprt"] == "high"
    assert result["games"] < 400


def test_a_tournament(capsys):
    done = run(
        capsys, "tournament", "tic-tac-toe", "random", "negamax:depth=1", "--games", "2", "--nodes", "200"
    )
    assert done.returncode == 0
    assert "negamax:depth=1" in done.stdout
    assert run(capsys, "tournament", "tic-tac-toe", "random").returncode == 2
