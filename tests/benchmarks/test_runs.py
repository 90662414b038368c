"""Stored runs: written, shown in docs/, compared; and docs/ show nothing else."""

import importlib
import json
import re
import sys

import pytest

from benchmarks import __main__ as runner
from benchmarks import hive, measure, peers, runs

ABOUT = {
    "date": "2026-01-02 03:04", "processor": "P", "cores": 2, "python": "3.11", "numba": "0.68", "quick": False,
    "peers": {"bitbully": "0.1", "pons": ""},
}  # fmt: skip
PAGE = "before\n<!-- benchmarks: engines/speed -->\nold\n<!-- end of benchmarks -->\nafter\n"
TIME = re.compile(r"\d\s?(?:ms|us|µs|s|min|h)\b|/s\b|per second")


def run_of(*rows, **about):
    return {"about": {**ABOUT, **about}, "rows": list(rows)}


def row(*values, what="negamax"):
    return measure.claim(what, measure.sample(list(values)), "M nodes/s", "at least 50")


def test_a_stored_run_is_read_back_and_keeps_other_parts(tmp_path):
    runs.write("engines", {"speed": run_of(row(1.23456789, 2, 3))}, tmp_path)
    runs.write("engines", {"starts": run_of(row(4))}, tmp_path)
    parts = runs.read("engines", tmp_path)
    assert list(parts) == ["speed", "starts"]
    assert parts["speed"]["rows"][0]["measured"] == {"values": [1.23457, 2, 3]}
    assert parts["speed"]["about"] == ABOUT
    assert runs.read("nothing", tmp_path) == {}


def test_the_tables_of_a_page_are_those_of_the_stored_runs(tmp_path):
    assert "Not measured yet" in runs.with_tables(PAGE, tmp_path)
    runs.write("engines", {"speed": run_of(row(57.61, 57.7, 57.89))}, tmp_path)
    page = runs.with_tables(PAGE, tmp_path)
    assert "| negamax | 57.7 M nodes/s | at least 50 |" in page
    missed = {"speed": run_of(measure.claim("slow", 3.0, "s", "below 2", False))}
    assert "| slow | 3.00 s | below 2 (missed) |" in runs.table("engines", "speed", missed["speed"])
    assert "`python -m benchmarks engines/speed`, 2026-01-02, P, 2 cores" in page
    assert "peers: bitbully 0.1, pons not at hand" in page
    assert runs.with_tables(page, tmp_path) == page
    assert runs.with_tables(page.replace("57.7", "60.0"), tmp_path) == page
    assert page.startswith("before\n")
    assert page.endswith("after\n")


def test_what_moved_is_told_and_noise_is_not():
    before = {"speed": run_of(row(1.0, 1.01, 1.02), row(1.0, 1.5, 2.0, what="noisy"), row(1, 1, what="gone"))}
    after = {"speed": run_of(row(1.3, 1.31, 1.32), row(1.3, 1.9, 2.5, what="noisy"), row(9, what="new"))}
    (line,) = runs.compare("engines", before, after)
    assert line == "engines/speed: negamax, measured: 1.01 -> 1.31 (+30%)"
    assert list(runs.compare("engines", before, before)) == []
    counted = [{"speed": run_of({"what": "nodes", "nodes": nodes})} for nodes in (100, 105, 120)]
    assert list(runs.compare("e", counted[0], counted[1])) == []
    assert list(runs.compare("e", counted[0], counted[2])) == ["e/speed: nodes, nodes: 100 -> 120 (+20%)"]
    (line,) = runs.compare("engines", before, {"speed": run_of(row(9), processor="Q")})
    assert "another machine" in line


def test_works_are_measured_in_turn():
    order = []

    def work(name):
        return lambda: (order.append(name) or 1.0, name)

    taken = measure.in_turn(2, a=work("a"), b=work("b"))
    assert order == ["a", "b", "a", "b"]
    assert taken["b"] == ([1.0, 1.0], "b")
    assert measure.ratios([4.0, 9.0], [2.0, 3.0]) == {"values": [2.0, 3.0]}
    spent, lines = measure.child_cpu([sys.executable, "-c", "print(input())"], "hello\n")
    assert (spent > 0, lines) == (True, ["hello"])


def test_a_peer_is_named_by_a_variable(monkeypatch, tmp_path):
    program = tmp_path / "c4solver"
    program.write_text("")
    monkeypatch.setenv("LUDION_PEER_PONS", str(program))
    assert peers.command("pons") == str(program)
    assert peers.version("pons") == "local build"
    monkeypatch.setenv("LUDION_PEER_PONS", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="LUDION_PEER_PONS"):
        peers.command("pons")
    monkeypatch.delenv("LUDION_PEER_PONS")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert peers.command("pons") is None
    assert peers.version("pons") == ""


def test_a_run_is_stored_and_docs_follow(monkeypatch, tmp_path, capsys):
    fake = tmp_path / "docs"
    fake.mkdir()
    (fake / "page.md").write_text(PAGE)
    monkeypatch.setattr(runs, "DOCS", fake)
    monkeypatch.setattr(runs, "STORED", tmp_path / "runs")
    monkeypatch.setattr(runner, "LATEST", tmp_path / "results")
    monkeypatch.setattr(runner, "HERE", fake)
    monkeypatch.setattr(runner, "names", lambda: ["engines"])
    monkeypatch.setattr(
        importlib.import_module("benchmarks.engines"), "PARTS", {"speed": lambda: [row(2, 2)]}
    )
    assert runner.main(["engines/speed"]) == 0
    assert "| negamax | 2.00 M nodes/s |" in (fake / "page.md").read_text().replace(" 2 M", " 2.00 M")
    monkeypatch.setattr(
        importlib.import_module("benchmarks.engines"), "PARTS", {"speed": lambda: [row(1, 1)]}
    )
    assert runner.main(["--compare"]) == 0
    assert "-50%" in capsys.readouterr().out
    assert runs.read("engines")["speed"]["rows"][0]["measured"] == {"values": [2, 2]}


# ------------------------------------------------------------------ what the repository has


def test_docs_show_what_the_stored_runs_have():
    for page in runs.pages():
        text = page.read_text(encoding="utf-8")
        assert runs.with_tables(text) == text, f"{page.name}: python -m benchmarks --docs"


def test_every_marked_table_names_a_part():
    marks = [
        match[1:3] for page in runs.pages() for match in re.findall(runs.MARKED, page.read_text("utf-8"))
    ]
    assert marks
    for name, part in marks:
        assert part in runner.parts_of(name)


def test_no_other_table_of_docs_has_times():
    """A table with times is written by the benchmarks: figures by hand are of nobody knows which run."""
    for page in runs.pages():
        text = runs.MARKED.sub("", page.read_text(encoding="utf-8"))
        timed = [line for line in text.splitlines() if line.startswith("|") and TIME.search(line)]
        assert timed == [], page.name


def test_stored_runs_are_small():
    for file in runs.STORED.glob("*.json"):
        assert file.stat().st_size < 60_000, file.name
        assert json.loads(file.read_text(encoding="utf-8"))


def test_a_continued_match_counts_as_one():
    """The rows of games in two parts, the second after the first, are those of all games at once."""
    ends = [(1.0, "rules"), (0.5, "length"), (0.0, "time"), (1.0, "adjudication")] * 3
    games = [
        {
            "first": first,
            "start": start,
            "opening": ["wS1"] * (2 + number % 2),
            "points": points,
            "ended_by": end,
        }
        | {"cpu_seconds": [1.5, number], "plies": 20 + number}
        for number, (points, end) in enumerate(ends)
        for first in ("best", "uhp:other")
        for start in ("Base", "Base+MLP")
    ]
    whole = hive.match_rows("best", "uhp:other", games, {}, 1.0)
    begun = hive.match_rows("best", "uhp:other", games[:17], {}, 1.0)
    assert (
        hive.match_rows("best", "uhp:other", games[17:], {row["group"]: row for row in begun}, 1.0) == whole
    )
    assert [row["measured"] for row in whole[:5]] == [50, 50, 62.5, 62.5, 12]
