"""Many pieces of work: order, threads, processes, files that are gone on with."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludion.batch import run_jobs
from ludion.batch.cluster import ClusterError, Pace
from ludion.batch.searches import SolveEach
from ludion.engines.budget import Budget
from ludion.questions import Search
from ludion.records.resumable import OutputError, ResumableJsonl, whole_lines
from ludion.registry import files_of, load_game_file
from tests.commands import run

TIMES = ("seconds", "cpu_seconds")
BOARDS = ["1 2 3/4 5 6/7 0 8", "1 2 3/4 5 6/8 7 0", "nonsense", "8 6 7/2 5 4/3 0 1", "1 2 3/4 5 6/7 8 0"]


def double(number):
    return 2 * number


def test_results_come_in_order_whoever_works():
    expected = [2 * number for number in range(100)]
    assert list(run_jobs(double, range(100))) == expected
    assert list(run_jobs(double, range(100), jobs=3)) == expected
    assert list(run_jobs(double, iter(range(100)), jobs=2, by="processes")) == expected
    assert list(run_jobs(double, [], jobs=2, by="processes")) == []


def test_a_reader_who_has_enough_ends_the_work():
    seen = []

    def work(number):
        seen.append(number)
        time.sleep(0.001)
        return number

    results = run_jobs(work, iter(range(100_000)), jobs=2)
    assert next(results) == 0
    results.close()
    assert len(seen) < 100


def test_solving_one_by_one_and_in_threads_agree():
    solving = SolveEach(Search("taquin", engine="ida-star", heuristic="manhattan"))
    alone = [solved._replace(record={}) for solved in run_jobs(solving, BOARDS)]
    threads = [solved._replace(record={}) for solved in run_jobs(solving, BOARDS, jobs=2)]
    assert alone == threads
    assert [solved.found for solved in alone] == [True, False, False, True, True]
    assert alone[2].error.startswith("0 blanks")
    assert alone[3].in_words == "31 moves, optimal"


def test_a_user_s_game_travels_with_its_source(tmp_path):
    import pickle

    file = tmp_path / "domineering.py"
    file.write_text(Path("examples/domineering.py").read_text())
    game = load_game_file(file)
    question = Search(game.name, files=files_of(game.name), engine="negamax", budget=Budget(depth=2))
    solving = SolveEach(question)
    file.unlink()  # another machine does not have it
    twin = pickle.loads(pickle.dumps(solving))
    assert twin == solving
    (solved,) = run_jobs(twin, ["..../...."])
    assert solved.found, solved.error


# ------------------------------------------------------------------ files


def test_lines_go_on_where_they_were(tmp_path):
    out = tmp_path / "out.jsonl"
    lines = ResumableJsonl(out, {"engine": "a"})
    lines.write({"n": 1})
    lines.write({"n": 2})
    lines.close(finished=False)
    with out.open("ab") as file:
        file.write(b'{"n": 3, "cut')  # killed in the middle of a line
    with ResumableJsonl(out, {"engine": "a"}) as lines:
        assert lines.done == [{"n": 1}, {"n": 2}]
        lines.write({"n": 3})
    assert [json.loads(line)["n"] for line in out.read_text().splitlines()] == [1, 2, 3]
    assert not (tmp_path / "out.jsonl.job").exists()


def test_lines_of_another_run_are_refused(tmp_path):
    out = tmp_path / "out.jsonl"
    ResumableJsonl(out, {"engine": "a"}).close(finished=False)
    with pytest.raises(OutputError, match=r"other settings .engine."):
        ResumableJsonl(out, {"engine": "b"})
    other = tmp_path / "notes.txt"
    other.write_text("dear diary\nsecond\n")
    with pytest.raises(OutputError, match="line 1"):
        ResumableJsonl(other, {})
    assert other.read_text() == "dear diary\nsecond\n"
    with pytest.raises(OutputError, match="cannot write"):
        ResumableJsonl(tmp_path / "no" / "such" / "folder.jsonl", {})


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a full disk to write to")
def test_a_full_disk_is_named(tmp_path):
    lines = ResumableJsonl(tmp_path / "out.jsonl", {})
    lines.file.close()
    with open("/dev/full", "wb", buffering=0) as lines.file:
        lines.write({"n": 1})
        with pytest.raises(OutputError, match=r"No space left.*0 results are saved"):
            lines.flush()


def test_solve_with_a_file_is_resumed(capsys, tmp_path):
    source, out = tmp_path / "boards.txt", tmp_path / "out.jsonl"
    source.write_text("\n".join(BOARDS) + "\n# a remark\n\n" + BOARDS[0] + "\n")
    arguments = ("solve", "taquin", "--file", str(source), "--engine", "ida-star")
    whole = run(capsys, *arguments, "--json")
    assert whole.returncode == 2
    first = run(capsys, *arguments, "--out", str(out))
    assert (first.returncode, first.stdout) == (2, "")
    assert "line 3" in first.stderr

    def without_times(text):
        return [{n: v for n, v in json.loads(line).items() if n not in TIMES} for line in text.splitlines()]

    assert without_times(out.read_text()) == without_times(whole.stdout)
    lines = out.read_text().splitlines(keepends=True)
    out.write_text("".join(lines[:4]) + lines[4][:20])
    again = run(capsys, *arguments, "--out", str(out), "--jobs", "2")
    assert "4 results are already in" in again.stderr
    assert again.returncode == 2
    assert without_times(out.read_text()) == without_times(whole.stdout)


def test_ctrl_c_keeps_what_was_done(tmp_path):
    source, out = tmp_path / "boards.txt", tmp_path / "out.jsonl"
    easy, hard = "1 2 3/4 5 6/7 0 8", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1"
    source.write_text("\n".join([easy] * 2500 + [hard] * 3))
    command = ["solve", "taquin", "--file", str(source), "--out", str(out), "--engine", "ida-star"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ludion", *command, "--heuristic", "manhattan"],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a background shell ignores it
    )
    until = time.monotonic() + 120
    while time.monotonic() < until and (not out.exists() or out.read_text().count("\n") < 500):
        time.sleep(0.1)
        assert process.poll() is None, process.stderr.read()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    complete, _ = whole_lines(out)
    assert f"{len(complete)} results are saved" in said
    assert [each["length"] for each in complete] == [1] * len(complete)
    assert (tmp_path / "out.jsonl.job").exists()


# ------------------------------------------------------------------ clusters, as far as no worker is needed


def test_a_cluster_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr("ludion.batch.cluster.PATIENCE", 0.3)
    with pytest.raises(ClusterError, match=r"no Dask scheduler at 'tcp://127.0.0.1:1'"):
        list(run_jobs(double, [1], cluster="tcp://127.0.0.1:1"))
    with pytest.raises(ClusterError, match="no Dask scheduler at 'nonsense://x'"):
        list(run_jobs(double, [1], cluster="nonsense://x"))


def test_chunks_grow_to_the_time_aimed_at():
    pace = Pace()
    sizes = []
    for _ in range(10):
        sizes.append(pace.size)
        pace.learn(pace.size, pace.size * 0.001)
    assert sizes[:4] == [1, 4, 16, 64]
    assert sizes[-1] == 1000
