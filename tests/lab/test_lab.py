"""The lab: what is planned, measured and kept, and the tables."""

import base64
import csv
import html
import io
import json
import math
import os
import re
import statistics

import pytest

from ludion import Budget, Run, Search, lab, registry
from ludion.errors import LudionError
from ludion.kinds.games import Level
from ludion.lab import measurements, page, plots, tables
from ludion.lab.measurements import Measurement, measure, measure_all
from ludion.lab.statistics import (
    branching_factor,
    holm,
    median_interval,
    relative_precision,
    sign_test,
    wilson_interval,
)
from ludion.records import machine
from ludion.records.results import ResultStore, ResultStoreError
from ludion.tables import Table

TAQUIN = registry.find("taquin")
TIC_TAC_TOE = registry.find("tic-tac-toe")


def small_plan(engines=("breadth-first", "a-star"), names="report-1,report-2", **more):
    levels = lab.choose_levels(TAQUIN, names)
    return levels, lab.plan_searches(TAQUIN, levels, engines=engines, **more)


def all_results(plan, store=None, **more):
    results = measure_all(plan, ResultStore(":memory:") if store is None else store, **more)
    return [(each, result) for each, result, _ in results]


def rows_of(table):
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


# ------------------------------------------------------------------ plans


def test_every_combination_that_makes_sense_is_planned():
    _, plan = small_plan(guides=("misplaced", "manhattan"))
    assert len(plan) == 2 * (1 + 2)  # breadth-first takes no heuristic
    questions = [each.question for each in plan]
    assert {each.heuristic for each in questions if each.engine == "breadth-first"} == {""}
    assert {each.label for each in questions} == {"report-1", "report-2"}
    assert {each.budget for each in questions} == {Budget(seconds=10)}
    with pytest.raises(LudionError, match="manhatan"):
        small_plan(guides=("manhatan",))
    with pytest.raises(LudionError, match="alpha-beta"):
        small_plan(engines=("alpha-beta",))
    with pytest.raises(LudionError, match="blank"):
        lab.plan_searches(TAQUIN, [Level("line 1", "1 2/3 ?")])


def test_equal_searches_are_equal_questions():
    """However they are named: the best engine, the default heuristic."""
    level = [Level("one", "2 1/3 0")]
    (first,) = lab.plan_searches(TAQUIN, level, engines=["best"], budget=Budget(nodes=5))
    assert first.question.engine == "by-size"
    (second,) = lab.plan_searches(TAQUIN, level, engines=["a-star"], budget=Budget(nodes=5))
    (third,) = lab.plan_searches(
        TAQUIN, level, engines=["a-star"], guides=["linear-conflict"], budget=Budget(nodes=5)
    )
    assert second == third
    assert second.key("code") == third.key("code") != second.key("other code")


def test_what_is_compared_when_nothing_is_named():
    assert lab.default_engines(TAQUIN) == ["breadth-first", "greedy", "a-star", "ida-star"]
    assert lab.default_depths(TAQUIN) == []
    assert lab.default_engines(TIC_TAC_TOE) == ["negamax"]  # as in its report
    assert lab.default_depths(TIC_TAC_TOE) == list(range(1, 10))
    connect_four = registry.find("connect-four")
    assert lab.default_engines(connect_four) == ["negamax", "alpha-beta"]
    assert lab.default_depths(connect_four) == list(range(1, 6))
    assert [level.name for level in lab.choose_levels(connect_four)] == ["start"]
    assert len(lab.choose_levels(TAQUIN)) == len(TAQUIN.all_levels())


def test_levels_are_chosen_by_name_pattern_and_set():
    names = [f"report-{number}" for number in range(1, 6)]
    for chosen in ("report", "report-*", ",".join(names)):
        assert [level.name for level in lab.choose_levels(TAQUIN, chosen)] == names
    with pytest.raises(LudionError, match="did you mean"):
        lab.choose_levels(TAQUIN, "report-9x")


def test_runs_have_the_same_seeds_for_all_agents():
    game = registry.find("delirium")
    plan = lab.plan_runs(game, game.all_levels()[:1], agents=["still", "random"], games=3, seed=5)
    assert [(each.question.agent, each.question.seed) for each in plan] == [
        (agent, seed) for agent in ("still", "random") for seed in (5, 6, 7)
    ]
    assert "prolog" not in {each.question.agent for each in lab.plan_runs(game, [], games=1)}
    with pytest.raises(LudionError, match="unknown agent"):
        lab.plan_runs(game, game.all_levels()[:1], agents=["nobody"])


# ------------------------------------------------------------------ measuring and keeping


def test_a_stopped_run_goes_on_where_it_was(tmp_path, monkeypatch):
    _, plan = small_plan()
    store = ResultStore(tmp_path / "lab.sqlite")
    running = measure_all(plan, store)
    first = [next(running), next(running)]
    running.close()
    store.close()

    asked = []

    def pretend(question, repeats, stop, runs):
        asked.append(question)
        return {"status": "optimal", "runs": [{"seconds": 1}]}

    monkeypatch.setattr(measurements, "measure", pretend)
    store = ResultStore(tmp_path / "lab.sqlite")
    again = list(measure_all(plan, store))
    assert [is_new for _, _, is_new in again] == [False, False, True, True]
    assert [result for _, result, _ in again[:2]] == [result for _, result, _ in first]
    assert asked == [each.question for each in plan[2:]]
    assert all(is_new for _, _, is_new in measure_all(plan, store, again=True))
    monkeypatch.setattr(measurements, "code_fingerprint", lambda game: "other code")
    assert all(is_new for _, _, is_new in measure_all(plan, store))
    store.close()
    with pytest.raises(ResultStoreError, match="cannot save"):
        ResultStore(tmp_path)


def test_errors_are_shown_but_neither_kept_nor_shown_again():
    store = ResultStore(":memory:")
    wrong = Measurement(Search("taquin", "1 2/3 ?", engine="a-star", label="wrong"))
    for _ in range(2):
        ((_, result, is_new),) = measure_all([wrong], store)
        assert "blank" in result["error"]
        assert is_new
    assert len(store) == 0
    (row,) = tables.puzzle_table("t", [(wrong, result)], []).rows
    assert row[3].startswith("error: ")

    right = Measurement(Search("taquin", "1 2/0 3", engine="a-star"))
    store.keep(right.key(measurements.code_fingerprint(TAQUIN)), {}, {"error": "of an older version"})
    ((_, result, is_new),) = measure_all([right], store)
    assert (result["status"], result["length"], is_new) == ("optimal", 1, True)
    ((_, _, is_new),) = measure_all([right], store)
    assert not is_new


def test_results_have_the_fields_of_an_answer():
    level = Level("one", "1 2/0 3")
    (each,) = lab.plan_searches(TAQUIN, [level], engines=["a-star"])
    result = measure(each.question)
    names = "game position status length moves nodes expanded depth seconds memory engine heuristic bound tier runs"
    assert set(result) >= set(names.split())
    assert json.loads(json.dumps(result)) == result


def test_a_short_search_is_repeated_until_its_time_is_known():
    repeats = lab.Repeats(precision=0.1, least=5, most=9, seconds=1)
    equal = {"seconds": 0.002, "cpu_seconds": 0.001}
    assert not repeats.are_enough([equal] * 4)
    assert repeats.are_enough([equal] * 5)
    assert not repeats.are_enough([equal] * 4 + [{**equal, "cpu_seconds": 0.002}])
    assert repeats.are_enough([{"seconds": 0.001 * n} for n in range(1, 10)])  # as often as it may be
    assert not repeats.are_enough([{"seconds": 0.001 * n} for n in range(1, 9)])
    assert repeats.are_enough([{"seconds": 1.5}])  # long
    assert not repeats.are_enough([])
    with pytest.raises(LudionError, match="precision must be positive"):
        lab.Repeats(precision=0)
    result = measure(Search("taquin", "1 2/0 3", engine="a-star"), lab.Repeats(least=5, most=6))
    assert len(result["runs"]) in (5, 6)
    for clock in ("seconds", "cpu_seconds"):
        assert result[clock] == statistics.median(run[clock] for run in result["runs"])
        assert 0 < result[clock] < 1  # of the search alone, not of compiling
    assert result["tier"] == os.environ["LUDION_TIER"]


def test_a_result_that_is_not_precise_enough_is_measured_further():
    (plan,) = lab.plan_searches(TAQUIN, [Level("one", "1 2/0 3")], engines=["a-star"])
    store = ResultStore(":memory:")
    ((_, first, _),) = measure_all([plan], store, repeats=lab.Repeats.exactly(2))
    ((_, second, is_new),) = measure_all([plan], store, repeats=lab.Repeats.exactly(4))
    assert is_new
    assert second["runs"][:2] == first["runs"]
    assert len(second["runs"]) == 4
    ((_, third, is_new),) = measure_all([plan], store, repeats=lab.Repeats.exactly(3))
    assert (third, is_new) == (second, False)


def test_results_of_an_earlier_clock_or_another_machine_are_not_shown(monkeypatch):
    (plan,) = lab.plan_searches(TAQUIN, [Level("one", "1 2/0 3")], engines=["a-star"])
    key = plan.key("code")
    monkeypatch.setattr(measurements.platform, "node", lambda: "another")
    assert plan.key("code") != key
    monkeypatch.undo()
    monkeypatch.setattr(measurements, "CLOCK", measurements.CLOCK + 1)
    assert plan.key("code") != key


QUEST_FILE = '''
"""A coin: an agent wins by calling heads."""
import ludion
from ludion.kinds.quest import LOST, RUNNING, WON, act, outcome, percept

class Coin:
    status = RUNNING

@percept.register(Coin)
def _(coin): return "a coin"

@act.register(Coin)
def _(coin, action):
    coin.status = WON if action == "heads" else LOST
    return coin

@outcome.register(Coin)
def _(coin): return coin.status

class Caller:
    def __init__(self, word): self.word = word
    def decide(self, percept): return self.word

GAME = ludion.Quest(
    name="coin", title="Coin", summary="call it", start="coin",
    read=lambda text: (None, Coin()), write=lambda rules, coin: "coin",
    agents={
        "best": ludion.AgentMaker(lambda rules: Caller("heads"), "calls heads"),
        "worst": ludion.AgentMaker(lambda rules: Caller("tails"), "calls tails"),
    },
)
'''


def test_a_game_file_is_measured_in_other_processes(tmp_path):
    file = tmp_path / "coin.py"
    file.write_text(QUEST_FILE)
    game = registry.load_game_file(file)
    plan = lab.plan_runs(game, lab.choose_levels(game), games=2)
    store = ResultStore(":memory:")
    measured = all_results(plan, store, jobs=2)
    assert [result.get("status") for _, result in measured] == ["won", "won", "lost", "lost"]
    assert len(store) == 4
    table, _ = lab.tables_for(game, measured, [])
    assert [row[:4] for row in table.rows] == [("start", "best", 2, 2), ("start", "worst", 2, 0)]


def test_searches_in_threads_give_the_same():
    _, plan = small_plan()
    counts = [
        [(each.question.label, each.question.engine, result["nodes"]) for each, result in measured]
        for measured in (all_results(plan), all_results(plan, jobs=2))
    ]
    assert counts[0] == counts[1]


def test_a_position_of_two_names_is_measured_once():
    game = registry.find("delirium")
    levels = [Level("one", game.start), Level("two", game.start)]
    plan = lab.plan_runs(game, levels, agents=["still"], games=1)
    plan = [Measurement(Run(**{**vars(each.question), "steps": 3})) for each in plan]
    store = ResultStore(":memory:")
    measured = all_results(plan[:1], store) + all_results(plan[1:], store)
    assert len(store) == 1
    assert [result["level"] for _, result in measured] == ["one", "two"]


# ------------------------------------------------------------------ statistics


def test_the_interval_of_a_median():
    """The ranks of the tables of distribution-free 95 % intervals."""
    for count, low, high in (
        (5, 1, 5),
        (6, 1, 6),
        (8, 1, 8),
        (9, 2, 8),
        (10, 2, 9),
        (20, 6, 15),
        (30, 10, 21),
    ):
        assert median_interval(range(count, 0, -1)) == (low, high)
    assert median_interval([3.0]) == (3.0, 3.0)
    assert relative_precision([1.0, 2.0, 3.0]) == 0.5


def test_mcnemar_s_exact_test():
    """2 against 9 pairs: the example of `mcnemar.exact` in R's package exact2x2 (Fay 2010)."""
    assert sign_test(2, 9) == pytest.approx(0.06543, abs=1e-5)
    assert sign_test(9, 2) == sign_test(2, 9)
    assert sign_test(10, 2) == pytest.approx(0.03857, abs=1e-5)
    assert sign_test(0, 0) == sign_test(3, 3) == 1
    assert sign_test(0, 5) == 0.0625


def test_holm_s_correction():
    corrected = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert corrected == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_effective_branching_factor():
    assert branching_factor(2 + 4 + 8, 3) == pytest.approx(2, abs=1e-3)
    assert branching_factor(30, 30) == pytest.approx(1, abs=1e-3)
    assert branching_factor(5, 0) is None


def test_wilson_s_interval():
    low, high = wilson_interval(0, 20)
    assert low == 0
    assert high == pytest.approx(0.1611, abs=1e-4)
    low, high = wilson_interval(50, 100)
    assert (low, high) == (pytest.approx(0.4038, abs=1e-4), pytest.approx(0.5962, abs=1e-4))
    assert wilson_interval(0, 0) == (0, 1)


# ------------------------------------------------------------------ tables


def test_tables_in_all_forms():
    table = Table("T", ("name", "value"), [("a|b", 1234), ("c", None), ("d", 5)], "note")
    lines = table.as_text().splitlines()
    assert (lines[0], lines[-1]) == ("T", "note")
    assert any(line.split() == ["d", "5"] for line in lines)
    assert "| a\\|b | 1,234 |" in table.as_markdown()
    assert list(csv.reader(io.StringIO(table.as_csv()))) == [
        ["name", "value"],
        ["a|b", "1234"],
        ["c", ""],
        ["d", "5"],
    ]
    assert [json.loads(line)["value"] for line in table.as_json().splitlines()] == [1234, None, 5]


def timed(times, **more):
    """A result whose runs took these times."""
    runs = [{"seconds": 2 * seconds, "cpu_seconds": seconds} for seconds in times]
    medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    return {"status": "optimal", "length": 1, "nodes": 3, **medians, "runs": runs, **more}


def test_times_are_medians_with_intervals_and_raw_values():
    engines = ["a-star", "greedy", "ida-star"]
    plan = lab.plan_searches(TAQUIN, [Level("one", "1 2/0 3")], engines=engines)
    times = [(0.0051234567, 0.001, 0.002), (0.0061, 0.007, 0.008), (0.001, 0.004, 0.009)]
    measured = [(each, timed(taken)) for each, taken in zip(plan, times, strict=True)]
    table, summary = lab.tables_for(TAQUIN, measured, [Level("one", "1 2/0 3", known={"moves": 1})])
    first, second, third = rows_of(table)
    assert (first["heuristic"], first["ms"], first["optimum"], first["ratio"]) == ("linear-conflict", 2, 1, 1)
    assert (first["from ms"], first["to ms"], first["wall ms"], first["runs"]) == (1, 5.1234567, 4, 3)
    assert (first["slower"], first["significant"]) == (1, None)  # the fastest
    assert (second["slower"], second["significant"]) == (3.5, True)
    assert (third["slower"], third["significant"]) == (2, False)
    assert summary.columns[:3] == ("engine", "heuristic", "solved")
    assert summary.rows[0][:4] == ("a-star", "linear-conflict", "1 of 1", 1)
    raw = json.loads(table.as_json().splitlines()[0])["raw"]
    assert [run["cpu_seconds"] for run in raw] == [0.0051234567, 0.001, 0.002]
    assert "5.1234567" in table.as_csv()


def test_agents_are_compared_on_the_same_seeds():
    won = {"first": "www....", "second": "w..wwww", "third": "www...."}
    measured = [
        (
            Measurement(Run("delirium", seed=seed, label="one", agent=agent)),
            {"status": "won" if letter == "w" else "lost", "seconds": 1, "length": steps},
        )
        for agent, letters in won.items()
        for seed, (letter, steps) in enumerate(zip(letters, (4, 5, 5, 5, 5, 4, 5), strict=True))
    ]
    measured.append((Measurement(Run("delirium", seed=9, label="one", agent="second")), {"error": "no"}))
    agents, pairs = lab.tables_for(registry.find("delirium"), measured, [])
    assert rows_of(agents)[0]["steps"] == 33 / 7  # not rounded
    second, third = rows_of(pairs)
    assert [second[name] for name in ("games", "both won", "only first", "only agent", "none")] == [
        7,
        1,
        2,
        4,
        0,
    ]
    assert second["p"] == pytest.approx(0.6875)  # 2 against 4 of 6
    assert (third["p"], third["significant"]) == (1, False)
    assert "Beside first" in pairs.title


def test_win_rates_have_intervals():
    measured = [
        (
            Measurement(Run("delirium", seed=seed, label="one")),
            {"status": status, "seconds": 0.5, "length": 10},
        )
        for seed, status in enumerate(("won", "lost", "won", "won"))
    ]
    (table,) = lab.tables_for(registry.find("delirium"), measured, [])
    (row,) = table.rows
    assert row[:5] == ("one", "best", 4, 3, 75.0)
    assert row[5] < 75 < row[6]
    assert math.isclose(row[9], 20)


# ------------------------------------------------------------------ the tables of old reports


def test_the_report_s_table_of_taquin():
    levels = lab.choose_levels(TAQUIN, "report")
    plan = lab.plan_report(TAQUIN, guides=["misplaced", "manhattan", "linear-conflict"])
    measured = all_results(plan)
    (table,) = lab.tables_for(TAQUIN, measured, levels, report=True)
    rows = {row["level"]: row for row in rows_of(table)}
    assert [rows[f"report-{n}"]["optimum"] for n in range(1, 6)] == [5, 2, 10, 20, 30]
    assert [rows[f"report-{n}"]["manhattan h"] for n in (1, 3, 4, 5)] == [5, 10, 16, 24]
    assert rows["report-1"]["misplaced h"] == 4
    assert rows["report-3"]["report misplaced ms"] == 21
    for row in rows.values():
        assert row["report optimum"] == row["optimum"]
        assert row["report manhattan h"] == row["manhattan h"]
        assert row["report misplaced h"] in (None, row["misplaced h"])
    summary = tables.summary_table(measured, levels)
    assert all(row[2].startswith("5 of 5") and row[4] == 1 for row in summary.rows)


def test_the_report_on_heuristics_is_completed_by_ours():
    plan = lab.plan_report(TAQUIN)
    assert len(plan) == 5 * len(TAQUIN.heuristics)
    assert {each.question.heuristic for each in plan if each.reported is None} == {
        "walking-distance",
        "pattern-database",
    }
    result = {"status": "optimal", "length": 5, "nodes": 7, "seconds": 1.0}
    names = [table.title for table in lab.tables_for(TAQUIN, [(each, result) for each in plan], [], True)]
    assert names == ["Taquin, A* by heuristic", "Taquin: every search"]


def test_the_report_s_tables_of_rush_hour():
    game = registry.find("rush-hour")
    plan = lab.plan_report(game)
    assert len(plan) == 30
    assert all(each.reported is not None for each in plan)
    measured = all_results(plan)
    breadth_first, greedy, a_star = lab.tables_for(game, measured, [], report=True)
    assert breadth_first.title == "Rush Hour, breadth-first (steps, the report's order)"
    assert [row["equal"] for row in rows_of(breadth_first)] == ["yes"] * 10
    equal = [row["equal"] for row in rows_of(greedy)]
    assert equal == ["yes", "yes", "no", "yes", "yes"] + ["report: out of stack"] * 5
    assert "18 moves" in greedy.note
    assert [row["equal"] for row in rows_of(a_star)] == ["yes"] * 5 + ["report: out of stack"] * 5
    assert [row["moves"] for row in rows_of(a_star)] == [16, 22, 18, 21, 50, 42, 32, 34, 71, 93]


def test_the_report_s_table_of_tic_tac_toe():
    plan = lab.plan_report(TIC_TAC_TOE)
    (table,) = lab.tables_for(TIC_TAC_TOE, all_results(plan), [], report=True)
    rows = rows_of(table)
    assert [row["value"] for row in rows] == [4, 1, 3, 1, 3, 1, 2, 0, 0]
    assert [row["move"] for row in rows[:7]] == ["b2"] * 7
    assert [row["nodes"] for row in rows[:7]] == [10, 82, 586, 3610, 18730, 73450, 221626]
    assert [row["report value"] for row in rows[:7]] == [4, 1, 3, 1, 3, 1, None]


def test_other_engines_on_the_report_s_positions():
    plan = lab.plan_report(TIC_TAC_TOE, engines=["alpha-beta"], budget=Budget(nodes=100))
    assert [each.question.budget.depth for each in plan] == list(range(1, 10))
    (table,) = lab.tables_for(TIC_TAC_TOE, all_results(plan[:2]), [], report=True)
    assert table.title == "Tic-tac-toe: every search"
    with pytest.raises(LudionError, match="no report"):
        lab.plan_report(registry.find("hive"))


# ------------------------------------------------------------------ plots


def test_every_kind_of_plot(tmp_path):
    pytest.importorskip("matplotlib")
    level = Level("one", "2 1/0 3", known={"moves": 4})
    searches = [
        (
            Measurement(Search("taquin", label="one", engine=name)),
            {"nodes": nodes, "seconds": 0.1, "length": 6, "memory": 10},
        )
        for name, nodes in (("a-star", 100), ("greedy", 20))
    ]
    plots.draw(str(tmp_path / "a.png"), TAQUIN, searches, [level])
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    depths = [
        (
            Measurement(Search("tic-tac-toe", label="start", budget=Budget(depth=depth))),
            {"nodes": 10**depth, "seconds": 0.1 * depth},
        )
        for depth in (1, 2)
    ]
    plots.draw(str(tmp_path / "b.svg"), TIC_TAC_TOE, depths, [])
    assert "<svg" in (tmp_path / "b.svg").read_text()
    runs = [
        (Measurement(Run("delirium", seed=seed, label="one")), {"status": status})
        for seed, status in enumerate(("won", "lost", "won"))
    ]
    plots.draw(str(tmp_path / "c.svg"), registry.find("delirium"), runs, [level])
    assert "<svg" in (tmp_path / "c.svg").read_text()
    failed = [(Measurement(Search("taquin", label="one")), {"error": "of some kind"})]
    plots.draw(str(tmp_path / "d.svg"), TAQUIN, failed, [level])


def test_a_plot_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(LudionError, match=r"a plot is a \.png"):
        plots.check_file("x.txt")
    pytest.importorskip("matplotlib")
    plots.check_file("x.SVG")
    with pytest.raises(LudionError, match="cannot write"):
        plots.draw(str(tmp_path / "nowhere" / "a.png"), TAQUIN, [], [])


# ------------------------------------------------------------------ the page


def test_the_page_is_whole_by_itself(tmp_path):
    pytest.importorskip("matplotlib")
    levels, plan = small_plan(engines=("a-star", "greedy"))
    measured = all_results(plan)
    tables = lab.tables_for(TAQUIN, measured, levels)
    file = tmp_path / "page.html"
    page.write(str(file), TAQUIN, tables, measured, levels, "ludion lab taquin --levels 'report-1,<2>'")
    text = file.read_text(encoding="utf-8")
    assert not re.findall(r"""(?:src|href)=["']?(?!["']?data:)""", text)
    assert text.count("data:image/svg+xml;base64,") == 1 + len(levels)  # plots and boards
    assert "ludion lab taquin --levels &#x27;report-1,&lt;2&gt;&#x27;" in text
    assert "report-1 (optimum 5)" in text
    for each, _ in measured:
        assert html.escape(each.question.command()) in text
    assert machine.describe()["python"] in text
    (results,) = re.findall(r'<script type="application/json" id="results">(.*?)</script>', text, re.DOTALL)
    assert [it["result"]["runs"] for it in json.loads(results)] == [result["runs"] for _, result in measured]
    for picture in re.findall(r"base64,([^\"]+)", text):
        assert "<svg" in base64.b64decode(picture).decode()
    with pytest.raises(LudionError, match="cannot write"):
        page.check_file(str(tmp_path / "nowhere" / "page.html"))


def test_where_it_was_measured_is_described():
    facts = machine.describe()
    assert {"date", "processor", "cores", "system", "python", "ludion", "numpy"} <= set(facts)
    assert facts["processor"]
