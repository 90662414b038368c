"""Players, games, faults, ratings."""

import json
import math
import random
import sys

import pytest

from ludion import registry
from ludion.arena.games import Fixture, clear_seats, fixtures, openings, play_game, replay
from ludion.arena.players import Limits, make
from ludion.arena.ratings import Sprt, Tally, difference, elo, expected, rate, superiority, tallies
from ludion.errors import LudionError
from tests.commands import run

GAME = "tic-tac-toe"
START = ".../.../..."


@pytest.fixture(autouse=True)
def nobody_stays():
    yield
    clear_seats()


def game(first, second, **more):
    more.setdefault("limits", Limits(nodes=20_000))
    return play_game(Fixture(0, GAME, first, second, START, **more))


def test_a_game_is_recorded_and_replayed():
    record = game("negamax:depth=9", "negamax:depth=9", opening=("a1",), limits=Limits())
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
        play_game(fixture)
        for fixture in fixtures(
            GAME, [("negamax:depth=5", "random")], 10, start=START, limits=Limits(), seed=4, plies=1
        )
    ]
    tally = tallies(records)["negamax:depth=5", "random"]
    assert tally.games == 10
    assert tally.losses == 0
    assert tally.wins >= 6


def test_sides_alternate_and_openings_differ():
    planned = fixtures(GAME, [("a", "b"), ("a", "c")], 6, start=START, plies=2, seed=1)
    assert len(planned) == 12
    mine = [each for each in planned if "b" in (each.first, each.second)]
    assert [each.first for each in mine] == ["a", "b"] * 3
    assert [each.opening for each in mine[::2]] == [each.opening for each in mine[1::2]]
    assert len({each.opening for each in mine}) == 3
    assert planned == fixtures(GAME, [("a", "b"), ("a", "c")], 6, start=START, plies=2, seed=1)
    lines = openings(GAME, START, {}, 1, 0)
    assert len({next(lines) for _ in range(9)}) == 9
    assert len(next(lines)) == 1  # all nine are used up: it begins again
    with pytest.raises(LudionError, match="take fewer"):
        next(openings(GAME, START, {}, 9, 0))


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
        ("    return 'z9'", "illegal", "not on the board"),
        ("    return 77", "illegal", "77"),
    ],
)
def test_a_fault_is_a_loss_and_nothing_more(tmp_path, body, ended_by, said):
    name = player(tmp_path, body)
    record = game("random", name, limits=Limits(seconds=0.05))
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
    planned = fixtures(GAME, [(name, "negamax:depth=2")], 4, start=START, limits=Limits(), plies=0)
    records = [play_game(each) for each in planned[:2]]
    assert [record["ended_by"] for record in records] == ["crash", "crash"]
    assert [len(record["moves"]) for record in records] == [2, 3]


def test_programs_that_speak_uhp(tmp_path):
    card = registry.card("hive")
    fake = tmp_path / "engine.sh"

    def ends(script):
        fake.write_text(script)
        record = play_game(
            Fixture(0, "hive", f"uhp:sh {fake}", "random", card.start, limits=Limits(depth=1), longest=2)
        )
        clear_seats()
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


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("alphabeta", "did you mean 'alpha-beta'"),
        ("alpha-beta:depth", "NAME=VALUE"),
        ("alpha-beta:depth=x", "must be a number"),
        ("alpha-beta:depth=0", "must be positive"),
        ("alpha-beta:evaluation=none", "unknown evaluation"),
        ("monte-carlo:sed=1", "did you mean 'seed'"),
        ("a-star", "is for a puzzle"),
        ("python:nowhere.py", "no player file"),
        ("uhp:engine", "play hive"),
    ],
)
def test_bad_names(name, said):
    with pytest.raises(LudionError, match=said):
        make(registry.card(GAME), name)


def test_adjudication_ends_what_both_have_proved():
    settings = {"limits": Limits(depth=9), "opening": ("a1", "a2")}  # won for x
    whole = play_game(Fixture(0, GAME, "alpha-beta", "alpha-beta", START, **settings))
    assert whole["points"] == 1.0
    big = Fixture(0, GAME, "alpha-beta", "alpha-beta", "4x3/3", limits=Limits(depth=12), adjudicate=True)
    assert play_game(big)["points"] == 1.0


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


# ------------------------------------------------------------------ the command line


def test_match_is_resumed_and_told(capsys, tmp_path):
    out = tmp_path / "games.jsonl"
    arguments = (
        "match",
        GAME,
        "negamax:depth=4",
        "random",
        "--games",
        "6",
        "--nodes",
        "5000",
        "--out",
        str(out),
    )
    first = run(capsys, *arguments)
    assert first.returncode == 0, first.stderr
    assert "in 6 games" in first.stdout
    lines = out.read_text().splitlines(keepends=True)
    assert len(lines) == 6
    (tmp_path / "games.jsonl").write_text("".join(lines[:2]) + lines[2][:30])
    again = run(capsys, *arguments, "--json")
    assert "2 of 6 are in" in again.stderr
    assert json.loads(again.stdout.splitlines()[-1])["games"] == 6
    assert [json.loads(line)["moves"] for line in out.read_text().splitlines()] == [
        json.loads(line)["moves"] for line in lines
    ]
    shown = run(capsys, "match", "--replay", str(out), "--number", "3")
    assert "game 3: negamax:depth=4 - random" in shown.stdout
    assert run(capsys, "match", "--replay", str(out), "--number", "9").returncode == 2
    assert run(capsys, "match", GAME, "nobody", "random").returncode == 2


def test_a_match_ends_as_soon_as_it_is_clear(capsys):
    done = run(
        capsys,
        *("match", GAME, "negamax:depth=5", "random", "--games", "200", "--jobs", "2"),
        *("--sprt", "0,200", "--json"),
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert result["games"] < 200
    assert result["elo"] > 0


def test_our_own_program_as_a_guest(capsys):
    """The engine that speaks UHP on standard input and output, against a player of this process."""
    guest = f"uhp:{sys.executable} -m ludion uhp"
    done = run(
        capsys,
        *("match", "hive", guest, "random", "--games", "2", "--depth", "1", "--longest", "12", "--json"),
    )
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()[:-1]]
    assert [len(record["moves"]) for record in records] == [12, 12]
    assert {record["ended_by"] for record in records} == {"length"}
