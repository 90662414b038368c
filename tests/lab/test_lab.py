"""The lab: what is measured, what is kept, and the tables."""

import csv
import io
import json
import math

import pytest

from ludion import registry
from ludion.errors import LudionError
from ludion.kinds.card import Level
from ludion.lab import reports, tables, trials
from ludion.lab.store import Store, StoreError
from tests.commands import run

TAQUIN = registry.card("taquin")


def small(engines=("breadth-first", "a-star"), names="report-1,report-2", **more):
    levels = trials.choose_levels(TAQUIN, names)
    return levels, trials.plan(TAQUIN, levels, engines=engines, seconds=10, **more)


def test_the_grid_is_every_combination_that_makes_sense():
    _, planned = small(guides=("misplaced", "manhattan"), repeat=2)
    assert len(planned) == 2 * (1 + 2) * 2  # breadth-first takes no heuristic
    assert {trial.guide for trial in planned if trial.engine == "breadth-first"} == {""}
    with pytest.raises(LudionError, match="manhatan"):
        small(guides=("manhatan",))
    with pytest.raises(LudionError, match="alpha-beta"):
        small(engines=("alpha-beta",))


def test_levels_are_chosen_by_name_pattern_and_set():
    names = [f"report-{number}" for number in range(1, 6)]
    for wanted in ("report", "report-*", ",".join(names)):
        assert [level.name for level in trials.choose_levels(TAQUIN, wanted)][:5] == names
    with pytest.raises(LudionError, match="did you mean"):
        trials.choose_levels(TAQUIN, "report-9x")


def test_a_stopped_run_goes_on_where_it_was(tmp_path, monkeypatch):
    _, planned = small()
    file = tmp_path / "lab.sqlite"
    mark = trials.fingerprint(TAQUIN)
    store = Store(file)
    running = trials.conduct(planned, store, mark)
    first = [next(running), next(running)]
    running.close()
    store.close()

    measured = []
    monkeypatch.setattr(
        trials, "measure", lambda trial: measured.append(trial) or {"status": "optimal", "seconds": 1}
    )
    store = Store(file)
    again = list(trials.conduct(planned, store, mark))
    assert [new for _, _, new in again] == [False, False, True, True]
    assert [result for _, result, _ in again[:2]] == [result for _, result, _ in first]
    assert measured == planned[2:]
    assert all(new for _, _, new in trials.conduct(planned, store, "other code"))
    assert all(new for _, _, new in trials.conduct(planned, store, mark, again=True))
    store.close()
    with pytest.raises(StoreError, match="cannot keep"):
        Store(tmp_path)


def test_tables_in_all_forms():
    table = tables.Table("T", ("name", "value"), [("a|b", 1234), ("c", None)], "note")
    assert table.as_text().splitlines() == [
        "T",
        "",
        "name  value",
        "----  -----",
        "a|b   1,234",
        "c",
        "",
        "note",
    ]
    assert "| a\\|b | 1,234 |" in table.as_markdown()
    assert list(csv.reader(io.StringIO(table.as_csv()))) == [["name", "value"], ["a|b", "1234"], ["c", ""]]
    assert [json.loads(line)["value"] for line in table.as_json().splitlines()] == [1234, None]


def test_effective_branching_factor():
    assert tables.branching(2 + 4 + 8, 3) == pytest.approx(2, abs=1e-3)
    assert tables.branching(30, 30) == pytest.approx(1, abs=1e-3)
    assert tables.branching(5, 0) is None


def test_wilson_s_interval():
    low, high = tables.wilson(0, 20)
    assert low == 0
    assert high == pytest.approx(0.1611, abs=1e-4)
    low, high = tables.wilson(50, 100)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))


def test_the_report_s_table_of_taquin():
    levels, planned = small(engines=("a-star",), names="report", guides=list(TAQUIN.guides)[:3])
    results = [(trial, result) for trial, result, _ in trials.conduct(planned, Store(":memory:"), "now")]
    (table,) = reports.taquin(TAQUIN, levels, results)
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    assert [rows[f"report-{n}"]["optimum"] for n in range(1, 6)] == [5, 2, 10, 20, 30]
    assert [rows[f"report-{n}"]["manhattan h"] for n in (1, 3, 4, 5)] == [5, 10, 16, 24]
    assert rows["report-1"]["misplaced h"] == 4
    assert rows["report-3"]["report misplaced ms"] == 21
    summary = tables.summary(results, levels)
    assert all(row[2].startswith("5 of 5") and row[4] == 1 for row in summary.rows)


def test_the_command_line(capsys, tmp_path):
    store = str(tmp_path / "lab.sqlite")
    done = run(
        capsys, "lab", "tic-tac-toe", "--store", store, "--csv", "--plot", str(tmp_path / "depths.svg")
    )
    assert done.returncode == 0, done.stderr
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(row["value"]) for row in rows] == [4, 1, 3, 1, 3, 1, 2, 0, 0]
    assert [row["move"] for row in rows[:7]] == ["b2"] * 7
    assert [row["report value"] for row in rows[:7]] == ["4", "1", "3", "1", "3", "1", ""]
    picture = (tmp_path / "depths.svg").read_text()
    assert "<svg" in picture
    again = run(capsys, "lab", "tic-tac-toe", "--store", store, "--json")
    assert "9 of 9 results were in" in again.stderr
    assert json.loads(again.stdout.splitlines()[3])["nodes"] == 3610


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("taquin", "--levels", "none"), "unknown taquin level 'none'"),
        (("taquin", "--engines", "alpha-beta"), "is for a duel"),
        (("tic-tac-toe", "--depths", "3-1"), "no depth"),
        (("taquin", "--levels", "report-1", "--plot", "x.txt"), "a plot is a .png"),
        (("taquin", "--file", "a", "--levels", "b"), "not both"),
        (("taquin", "--time", "-1"), "positive"),
    ],
)
def test_bad_input(arguments, said, tmp_path):
    from click.testing import CliRunner

    from ludion.cli.lab import command

    store = ("--store", str(tmp_path / "lab.sqlite"), "--engines", "ida-star")
    if "--engines" in arguments or arguments[0] != "taquin":
        store = store[:2]
    result = CliRunner().invoke(command, [*arguments, *store], standalone_mode=False)
    assert isinstance(result.exception, LudionError)
    assert said in str(result.exception)


def test_every_kind_of_plot(tmp_path):
    pytest.importorskip("matplotlib")
    from ludion.lab.plots import plot

    level = Level("one", "2 1/0 3", known={"moves": 4})
    made = [
        (
            trials.Trial("taquin", "one", "", engine=name),
            {"nodes": n, "seconds": 0.1, "length": 6, "memory": 10},
        )
        for name, n in (("a-star", 100), ("greedy", 20))
    ]
    plot(str(tmp_path / "a.png"), "puzzles", "puzzle", made, [level])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    runs = [(trials.Trial("q", "one", "", engine="best"), {"status": s}) for s in ("won", "lost", "won")]
    plot(str(tmp_path / "b.svg"), "quests", "quest", runs, [level])
    assert "<svg" in (tmp_path / "b.svg").read_text()


def test_win_rates_have_intervals():
    runs = [
        (trials.Trial("q", "one", "", engine="best"), {"status": s, "seconds": 0.5, "length": 10})
        for s in ("won", "lost", "won", "won")
    ]
    (row,) = tables.of_quest("t", runs).rows
    assert row[:5] == ("one", "best", 4, 3, 75.0)
    assert row[5] < 75 < row[6]
    assert math.isclose(row[9], 20)
