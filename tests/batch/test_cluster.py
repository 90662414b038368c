"""A real Dask scheduler on this machine, with worker processes."""

import collections
import json
import os
import random
import signal
from pathlib import Path

import pytest

from ludion.batch import run_jobs
from ludion.batch.searches import SolveEach
from ludion.engines.budget import Budget
from ludion.questions import Search
from tests.commands import run

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


def boards(count):
    chance = random.Random(5)
    for _ in range(count):
        tiles = list("12345678_")
        chance.shuffle(tiles)
        yield "/".join(" ".join(tiles[row : row + 3]) for row in (0, 3, 6))


def test_a_killed_worker_loses_nothing_and_does_nothing_twice(cluster, monkeypatch):
    monkeypatch.setattr("ludion.batch.cluster.AIM", 0.05)
    texts = list(boards(600))
    solving = SolveEach(
        Search("taquin", engine="ida-star", heuristic="manhattan", budget=Budget(nodes=20_000))
    )
    with distributed.Client(cluster) as client:
        workers = client.run(os.getpid)
    results = []
    for solved in run_jobs(solving, texts, cluster=cluster.scheduler_address):
        results.append(solved)
        if len(results) == 60:
            os.kill(next(iter(workers.values())), signal.SIGKILL)
    assert [solved.text for solved in results] == texts
    assert collections.Counter(solved.record["status"] for solved in results)["unsolvable"] > 200
    alone = list(run_jobs(solving, texts[::40]))
    timeless = {"seconds": 0, "cpu_seconds": 0}
    assert [a.record | timeless for a in results[::40]] == [b.record | timeless for b in alone]


def test_the_command_line_uses_the_cluster(cluster, capsys, tmp_path):
    file, out = tmp_path / "boards.txt", tmp_path / "out.jsonl"
    file.write_text("\n".join(boards(40)))
    done = run(
        capsys,
        *("solve", "taquin", "--file", str(file), "--engine", "ida-star", "--heuristic", "manhattan"),
        *("--cluster", cluster.scheduler_address, "--out", str(out)),
    )
    assert done.returncode == 1, done.stderr  # some are unsolvable
    assert [json.loads(line)["position"].replace("0", "_") for line in out.read_text().splitlines()] == [
        board.replace("0", "_") for board in boards(40)
    ]


def test_match_and_tournament_use_the_cluster(cluster, capsys, tmp_path):
    at = ("--cluster", cluster.scheduler_address)
    play = ("tic-tac-toe", "negamax:depth=3", "random", "--games", "6", "--json")
    there, here = run(capsys, "match", *play, *at), run(capsys, "match", *play)
    assert there.returncode == here.returncode == 0, there.stderr
    moves = [[json.loads(line).get("moves") for line in done.stdout.splitlines()] for done in (there, here)]
    assert moves[0] == moves[1]
    assert len(moves[0]) == 7
    out = tmp_path / "games.jsonl"
    done = run(
        capsys,
        *("tournament", "tic-tac-toe", "negamax:depth=2", "negamax:depth=3", "random"),
        *("--games", "2", "--out", str(out), *at),
    )
    assert done.returncode == 0, done.stderr
    assert "6 games" in done.stdout
    assert len(out.read_text().splitlines()) == 6


def test_lab_and_run_use_the_cluster(cluster, capsys, tmp_path):
    at = ("--cluster", cluster.scheduler_address)
    tables = []
    for place, where in (("there", at), ("here", ())):
        done = run(
            capsys,
            *("lab", "taquin", "--levels", "report", "--engines", "a-star", "--heuristics", "manhattan"),
            *("--json", "--store", str(tmp_path / f"{place}.sqlite"), *where),
        )
        assert done.returncode == 0, done.stderr
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        tables.append({row["level"]: row["manhattan nodes"] for row in rows if "manhattan nodes" in row})
    assert tables[0] == tables[1]
    assert len(tables[0]) >= 5
    games = ("crocomine", "level:minesweeper-beginner-zero", "--agent", "rules", "--games", "8", "--json")
    records = [json.loads(run(capsys, "run", *games, *where).stdout) for where in (at, ())]
    assert records[0]["games"] == 8
    assert records[0]["win_rate"] == records[1]["win_rate"]


def test_a_book_is_built_on_the_cluster(cluster, capsys, tmp_path):
    command = ("book", "connect-four", "build", "--size", "5x4", "--json", "--plies")
    alone, together = tmp_path / "alone.book", tmp_path / "together.book"
    assert run(capsys, *command, "4", "--out", str(alone)).returncode == 0
    address = cluster.scheduler_address
    for plies in ("2", "4"):  # the second goes on from the first
        done = run(capsys, *command, plies, "--out", str(together), "--cluster", address, "--memory", "16")
        assert json.loads(done.stdout)["complete"] is True, done.stderr
    assert together.read_bytes() == alone.read_bytes()


def test_game_files_travel_to_the_cluster(cluster, capsys):
    """Workers get the source of a game that they have never seen."""
    examples = Path(__file__).parents[2] / "examples"
    duel, quest = str(examples / "domineering.py"), str(examples / "wumpus.py")
    for words, lines in (
        (("solve", duel, ".../...", "..../....", "--engine", "negamax"), 2),
        (("match", duel, "negamax:depth=1", "random", "--games", "2", "--plies", "0"), 3),
        (("run", quest, "4x4", "--games", "4"), 1),
    ):
        done = run(capsys, *words, "--json", "--cluster", cluster.scheduler_address)
        assert done.returncode == 0, (words, done.stderr)
        assert len([json.loads(line) for line in done.stdout.splitlines()]) == lines
