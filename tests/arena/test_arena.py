"""Players, games, faults, ratings."""

import dataclasses
import json
import math
import pickle
import random
from pathlib import Path

import pytest

from ludion import Budget, registry
from ludion.arena.games import (
    Fixture,
    Side,
    _ending,
    as_pgn,
    close_players,
    plan_fixtures,
    play_game,
    random_openings,
    replay,
)
from ludion.arena.players import EnginePlayer, make_player
from ludion.arena.ratings import (
    Sprt,
    Tally,
    difference,
    elo,
    expected,
    rate,
    signed,
    strength_in_words,
    superiority,
    tallies,
)
from ludion.batch import PROCESSES, run_jobs
from ludion.errors import LudionError, UnfitError
from ludion.positions import position

GAME = "tic-tac-toe"
START = ".../.../..."
UNLIMITED = Budget()


@pytest.fixture(autouse=True)
def nobody_stays():
    yield
    close_players()


def game(first, second, **more):
    more.setdefault("budget", Budget(nodes=20_000))
    return play_game(Fixture(GAME, START, first, second, **more))


def planned(pairs, games, budget=UNLIMITED, **more):
    return plan_fixtures(Fixture(GAME, START, budget=budget), pairs, games, **more)


def test_a_game_is_recorded_and_replayed():
    record = game("negamax:depth=9", "negamax:depth=9", opening=("a1",), budget=UNLIMITED)
    assert (record["points"], record["winner"], record["ended_by"], record["plies"]) == (
        0.5,
        None,
        "rules",
        8,
    )
    positions = list(replay(record))
    assert len(positions) == 10
    assert positions[-1].status == "drawn"
    assert json.loads(json.dumps(record)) == record
    with pytest.raises(LudionError, match="no 'game'"):
        list(replay({}))


def test_the_stronger_one_wins():
    records = [
        play_game(fixture) for fixture in planned([("negamax:depth=5", "random")], 10, seed=4, plies=1)
    ]
    tally = tallies(records)["negamax:depth=5", "random"]
    assert tally.games == 10
    assert tally.losses == 0
    assert tally.wins >= 6


def test_sides_alternate_and_openings_differ():
    pairs = [("a", "b"), ("a", "c")]
    fixtures = planned(pairs, 6)
    assert len(fixtures) == 12
    assert [each.number for each in fixtures] == list(range(12))
    mine = [each for each in fixtures if "b" in (each.first, each.second)]
    assert [each.first for each in mine] == ["a", "b"] * 3
    assert [each.opening for each in mine[::2]] == [each.opening for each in mine[1::2]]
    assert len({each.opening for each in mine}) == 3
    assert fixtures == planned(pairs, 6)
    assert [each.start for each in planned(pairs[:1], 5, starts=["one", "two"])] == [
        *("one", "one", "two", "two", "one")
    ]
    lines = random_openings(position(GAME, START), 1, 0)
    assert len({next(lines) for _ in range(9)}) == 9
    assert len(next(lines)) == 1  # all nine are used up: it begins again
    with pytest.raises(LudionError, match="use fewer plies"):
        next(random_openings(position(GAME, START), 9, 0))


def player(tmp_path, body):
    file = tmp_path / "player.py"
    file.write_text(f"import os, sys, time\ncalls = 0\ndef choose(position, seconds):\n{body}\n")
    return f"python:{file}"


@pytest.mark.parametrize(
    ("body", "ended_by", "said"),
    [
        ("    os._exit(3)", "crash", "exit code 3"),
        ("    return 1 // 0", "crash", "ZeroDivisionError"),
        ("    time.sleep(60)", "time", "no move within"),
        ("    return 'z9'", "illegal", "z9"),
        ("    return 77", "illegal", "77"),
    ],
)
def test_a_fault_is_a_loss_and_nothing_more(tmp_path, body, ended_by, said):
    name = player(tmp_path, body)
    record = game("random", name, budget=Budget(seconds=0.05))
    assert (record["ended_by"], record["points"], record["plies"]) == (ended_by, 1.0, 1)
    assert said in record["reason"]


def test_a_player_that_floods_its_output_plays_on(tmp_path):
    body = "    print('x' * 1_000_000)\n    os.write(1, b'y' * 1_000_000)\n    return position.moves()[0]"
    record = game(player(tmp_path, body), "negamax:depth=2", opening=("b2",))
    assert record["ended_by"] == "rules"
    assert record["plies"] > 3


def test_a_player_that_crashed_comes_back_for_the_next_game(tmp_path):
    name = player(
        tmp_path,
        "    global calls\n    calls += 1\n    if calls == 2: os._exit(1)\n    return position.moves()[0]",
    )
    records = [play_game(each) for each in planned([(name, "negamax:depth=2")], 2, plies=0)]
    assert [record["ended_by"] for record in records] == ["crash", "crash"]
    assert [len(record["moves"]) for record in records] == [2, 3]


def test_programs_that_speak_uhp(tmp_path):
    start = registry.find("hive").start
    program = tmp_path / "engine.sh"

    def ends(script):
        program.write_text(script)
        record = play_game(
            Fixture("hive", start, f"uhp:sh {program}", "random", budget=Budget(depth=1), longest=2)
        )
        close_players()
        return record["ended_by"], record["points"], record["reason"]

    assert ends("exit 1")[:2] == ("crash", 0.0)
    assert ends("yes flood")[:2] == ("flood", 0.0)
    assert ends("while :; do printf xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done")[:2] == ("flood", 0.0)
    answer = (
        'echo "id fake 1"; echo ok; while read -r line; do '
        'case "$line" in best*) echo MOVE;; *) echo x;; esac; echo ok; done'
    )
    kind, points, reason = ends(answer.replace("MOVE", "nonsense"))
    assert (kind, points) == ("illegal", 0.0), reason
    assert ends(answer.replace("MOVE", "wS1"))[0] == "length"
    assert ends(answer.replace("MOVE", "err no"))[:2] == ("crash", 0.0)


def test_a_program_that_never_answers_is_late(tmp_path, monkeypatch):
    from ludion.games.hive import uhp_player

    monkeypatch.setattr(uhp_player, "PATIENCE", 0.2)
    program = tmp_path / "engine.sh"
    program.write_text("cat > /dev/null")
    record = play_game(Fixture("hive", "", f"uhp:sh {program}", "random", longest=2))
    assert (record["ended_by"], record["points"]) == ("time", 0.0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("alphabeta", "did you mean 'alpha-beta'"),
        ("alpha-beta:depth", "NAME=VALUE"),
        ("alpha-beta:depth=x", "must be a whole number"),
        ("alpha-beta:depth=0", "must be positive"),
        ("alpha-beta:seconds=nan", "must be a number"),
        ("alpha-beta:evaluation=none", "unknown evaluation"),
        ("alpha-beta:heuristic=even", "it has evaluations"),
        ("monte-carlo:sed=1", "did you mean 'seed'"),
        ("a-star", "is for a puzzle"),
        ("python:nowhere.py", "no player file"),
        ("uhp:engine", "play Hive, not Tic-tac-toe"),
    ],
)
def test_bad_names(name, said):
    with pytest.raises(LudionError, match=said):
        make_player(registry.find(GAME), name)


def test_players_are_for_duels():
    with pytest.raises(LudionError, match="matches are for duels"):
        make_player(registry.find("taquin"), "random")
    with pytest.raises(LudionError, match="uhp:COMMAND"):
        make_player(registry.find("hive"), "uhp:")


@pytest.mark.parametrize("command", ["no-such-program uhp", "''", "'open quote"])
def test_a_program_that_cannot_be_started_is_an_error_before_the_first_game(command):
    with pytest.raises(LudionError, match="cannot start"):
        make_player(registry.find("hive"), f"uhp:{command}")


def test_an_engine_s_own_settings_and_budget():
    player = make_player(registry.find(GAME), "alpha-beta:seconds=2,memory=50,table=no,evaluation=even")
    assert isinstance(player, EnginePlayer)
    assert player.question.budget == Budget(seconds=2, memory=50_000_000)
    assert player.question.settings == {"table": False}
    assert player.prepared.guide_name == "even"
    start = position(GAME, START)
    chance = make_player(registry.find(GAME), "monte-carlo:nodes=300")
    moves = {chance.choose(start, UNLIMITED, seed).move for seed in range(12)}
    assert len(moves) > 1  # the seed of the game is the seed of its chance
    fixed = make_player(registry.find(GAME), "monte-carlo:nodes=300,seed=3")
    assert len({fixed.choose(start, UNLIMITED, seed).move for seed in range(12)}) == 1


def test_an_engine_without_an_answer_plays_on():
    choice = make_player(registry.find(GAME), "negamax").choose(position(GAME, START), Budget(nodes=5), 0)
    assert choice.move in position(GAME, START).codes()


def test_adjudication_ends_what_both_have_proved():
    opening = ("a1", "a2")  # won for x
    whole = game("alpha-beta", "alpha-beta", budget=Budget(depth=9), opening=opening)
    assert (whole["points"], whole["ended_by"]) == (1.0, "rules")
    large = Fixture(GAME, "4x3/3", "alpha-beta", "alpha-beta", budget=Budget(depth=12), adjudicate=True)
    assert play_game(large)["points"] == 1.0


def test_a_player_that_reports_nothing_does_not_hinder_adjudication():
    sides = Side("engine", reports=True, proved=3), Side("program")
    fixture = Fixture(GAME, START, adjudicate=True)
    ending = _ending(fixture, position(GAME, START), 6, sides)
    assert ending is not None
    assert (ending.ended_by, ending.points) == ("adjudication", 1.0)
    doubting = Side("engine", reports=True, proved=3), Side("engine", reports=True, proved=0)
    assert _ending(fixture, position(GAME, START), 6, doubting) is None
    lost = Side("engine", reports=True, proved=-4), Side("engine", reports=True, proved=3)
    assert _ending(fixture, position(GAME, START), 6, lost).points == 0.0


def test_a_clock_of_processor_time():
    record = game("negamax:depth=3", "alpha-beta:depth=2", clock="cpu", budget=Budget(seconds=5))
    assert record["clock"] == "cpu"
    assert all(0 <= seconds < 5 for seconds in record["cpu_seconds"])
    assert game("random", "random")["cpu_seconds"] == [None, None]


def test_conditions_that_a_program_cannot_keep_are_an_error_and_no_loss(tmp_path):
    program = tmp_path / "engine.sh"
    program.write_text(
        'echo "id fake 1"; echo ok; while read -r line; do '
        'case "$line" in best*) echo "err no";; *) echo x;; esac; echo ok; done'
    )
    with pytest.raises(UnfitError, match="whole seconds"):
        play_game(Fixture("hive", "", f"uhp:sh {program}", "random", longest=2, budget=Budget(seconds=0.5)))


def test_a_record_as_text():
    record = game("negamax:depth=2", "random", opening=("a1",))
    text = as_pgn(record)
    assert text.startswith('[Event "tic-tac-toe"]\n[Round "1"]\n[White "random"]\n[Black "negamax:depth=2"]')
    assert f"1. a1\n2. {record['moves'][0]}\n" in text
    result = {1.0: "0-1", 0.0: "1-0", 0.5: "1/2-1/2"}[record["points"]]
    assert text.splitlines()[-1] == result
    with pytest.raises(LudionError, match="not the record"):
        as_pgn({})


# ------------------------------------------------------------------ games of files


@pytest.mark.tier("interpreted")
def test_a_game_file_with_players_of_its_own_and_guests(tmp_path):
    file = tmp_path / "nim.py"
    file.write_text(Path(__file__).with_name("nim.py").read_text())
    nim = registry.load_game_file(file)
    guest = tmp_path / "player.py"
    guest.write_text("def choose(position, seconds):\n    return position.moves()[0]\n")
    agreed = Fixture("nim", "7", files=registry.files_of("nim"))
    assert pickle.loads(pickle.dumps(agreed)) == agreed
    first = dataclasses.replace(agreed, first="takes:1", second=f"python:{guest}")
    second = dataclasses.replace(agreed, first="takes:4", second="random")
    file.unlink()  # processes get the source from us
    records = list(run_jobs(play_game, [first, second], jobs=2, by=PROCESSES))
    assert [(record["ended_by"], record["points"]) for record in records] == [
        ("rules", 1.0),
        ("illegal", 0.0),
    ]
    assert records[0]["moves"] == ["1"] * 7
    with pytest.raises(LudionError, match="play Nim"):
        make_player(registry.find(GAME), "takes:1")
    assert make_player(nim, "alpha-beta").choose(position(nim, "7"), Budget(depth=8), 0).move == 3


# ------------------------------------------------------------------ ratings


def test_elo_and_back():
    assert expected(0) == 0.5
    assert difference(expected(123.4)) == pytest.approx(123.4)
    gain, low, high = elo(Tally(60, 20, 20))
    assert gain == pytest.approx(147.2, abs=0.1)
    assert low < gain < high
    gain, low, high = elo(Tally(10, 0, 0))
    assert gain == high == math.inf
    assert 0 < low < 300
    assert superiority(Tally(10, 5, 10)) == 0.5
    _, low, high = elo(Tally(0, 10, 0))
    assert low == pytest.approx(-high)
    assert 0 < high < 200


def test_strength_in_words():
    assert [signed(value) for value in (-0.0, 0.3, -0.4, 12.4, -7.0, math.inf)] == [
        *("0", "0", "0", "+12", "-7", "+inf")
    ]
    assert strength_in_words(Tally(5, 2, 5)).startswith("Elo 0, 95 % between -")
    assert strength_in_words(Tally(5, 2, 5)).endswith("probability of being stronger 50 %")
    assert strength_in_words(Tally(9, 2, 5)).endswith("probability of being stronger 85.7 %")


def test_the_error_bars_hold_what_they_promise():
    chance, inside = random.Random(1), 0
    for _ in range(300):
        tally = Tally()
        for _ in range(200):
            draw = chance.random()
            tally = tally.add(1 if draw < 0.45 else 0.5 if draw < 0.75 else 0)  # 60 %: +70.4 Elo
        _, low, high = elo(tally)
        inside += low <= difference(0.6) <= high
    assert 0.91 < inside / 300 < 0.99


def test_sprt_decides_rightly_and_early():
    test = Sprt(0, 50)
    for true, wanted in ((0.5, "low"), (expected(50), "high"), (0.7, "high")):
        chance, verdicts, games = random.Random(3), [], 0
        for _ in range(40):
            tally = Tally()
            while not test.verdict(tally) and tally.games < 5000:
                tally = tally.add(float(chance.random() < true))
            verdicts.append(test.verdict(tally))
            games += tally.games
        assert verdicts.count(wanted) >= 35
        assert games / 40 < 1000


def test_a_rating_list_finds_the_strengths_that_made_it():
    true = {"a": 150.0, "b": 0.0, "c": -150.0}
    chance, records = random.Random(2), []
    for one in true:
        for other in true:
            for _ in range(400 if one < other else 0):
                points = float(chance.random() < expected(true[one] - true[other]))
                records.append({"first": one, "second": other, "points": points})
    ratings = rate(tallies(records))
    assert [rating.name for rating in ratings] == ["a", "b", "c"]
    for rating in ratings:
        assert abs(rating.elo - true[rating.name]) < 2 * rating.error < 60
    lone = rate(tallies([{"first": "a", "second": "b", "points": 1.0}]))
    assert lone[0].name == "a"
    assert math.isfinite(lone[0].elo)
