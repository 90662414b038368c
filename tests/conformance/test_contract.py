"""One suite for every game: `ludion check`, on more and larger cases, and what only our own games promise."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

import ludion
from ludion.checks import check
from ludion.checks.compiled import check_compiled
from ludion.checks.puzzles import check_heuristics, true_distances
from ludion.engines.catalogue import ENGINES
from ludion.errors import LudionError
from ludion.kinds import puzzle
from ludion.kinds.games import DUEL, PUZZLE, QUEST

from .games import SMALL, checked, described, starts

ROOT = Path(__file__).parents[2]
MOST_POSITIONS = 30_000


def games_of(*kinds: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", described(*kinds), ids=lambda game: game.name)


every_searched_game = games_of(PUZZLE, DUEL)
every_puzzle = games_of(PUZZLE)
every_game = games_of(PUZZLE, DUEL, QUEST)


@every_game
@pytest.mark.tier("interpreted")
def test_the_contract_is_kept(game):
    """All that `ludion check` looks at in plain Python; compiled games are compared below."""
    assert [str(problem) for problem in check(game, compiled=False)] == []


@every_searched_game
@pytest.mark.bounds
def test_interpreted_and_compiled_runs_agree(game):
    places = [checked(game, start.text, start.options) for start in starts(game)]
    assert [str(problem) for problem in check_compiled(places)] == []


@every_puzzle
def test_heuristics_keep_their_claims_everywhere(game):
    """On small spaces every estimate is compared with the true distance to a goal; goals are among the positions."""
    assert SMALL[game.name]
    for text, options in SMALL[game.name]:
        place = checked(game, text, options)
        positions, distances, complete = true_distances(place, MOST_POSITIONS)
        assert complete
        assert 0 in distances.values()
        assert len(positions) > 10
        assert [str(problem) for problem in check_heuristics([place], MOST_POSITIONS)] == []


class Liar(NamedTuple):
    """A heuristic that says 1000 everywhere."""


@puzzle.estimate.register(Liar)
def _(heuristic, rules, position):
    return 1000


@every_puzzle
def test_a_false_claim_of_admissibility_is_found(game):
    liar = dataclasses.replace(
        game, heuristics={"liar": ludion.Heuristic(Liar, "claims too much", admissible=True)}
    )
    (problem,) = check_heuristics([checked(liar, *SMALL[game.name][0])], MOST_POSITIONS)
    assert "claims to be admissible" in str(problem)
    assert "1000" in str(problem)


@every_game
def test_positions_travel(game):
    for position in starts(game):
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position


@every_game
def test_every_level_is_read_back_by_its_repr(game):
    for level in game.all_levels():
        position = ludion.position(game, f"level:{level.name}")
        assert eval(repr(position), {"ludion": ludion}) == position
        assert ludion.position(game, f"  level:{level.name}\n") == position
        assert ludion.position(game, f"\n {position.text} \n", **position.options) == position


@every_game
def test_pictures_are_heard_too(game):
    for position in starts(game):
        root = ElementTree.fromstring(position.svg())
        for tag in ("title", "desc"):
            element = root.find(f"{{http://www.w3.org/2000/svg}}{tag}")
            assert element is not None
            assert element.text


@every_searched_game
def test_bad_texts_are_refused_by_name(game):
    start = starts(game)[0]
    for text in ("?", "x" * 5000, "1 2/3", "level:no-such-level", "\x00", "-1", "////", start.text + "/%%"):
        with pytest.raises(LudionError) as caught:
            ludion.position(game, text)
        assert "\n" not in str(caught.value)
    for text in ("", "no such move", "\x00", "9" * 100):
        with pytest.raises(LudionError):
            start.play(text)


@games_of(QUEST)
def test_runs_with_one_seed_are_equal(game):
    for start in starts(game)[:2]:
        question = ludion.Run(game.name, start.text, {**start.options}, seed=5, steps=40)
        first, second = question.record(), question.record()
        for record in (first, second):
            for measured in ("seconds", "cpu_seconds", "slowest", "decisions_per_second"):
                record.pop(measured)
        assert first == second
        assert first["moves"]


@pytest.mark.parametrize(
    ("engines", "cache"),
    [
        ({"tic-tac-toe": ["alpha-beta"], "taquin": ["a-star"]}, "shared with other tests"),
        pytest.param(
            {"tic-tac-toe": list(ENGINES[DUEL]), "taquin": list(ENGINES[PUZZLE])},
            "empty",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["two", "all"],
)
def test_every_entry_point_works_in_two_processes(tmp_path, engines, cache):
    """A process loads from disk what another compiled (Numba issue 6061)."""
    environment = {**os.environ}
    if cache == "empty":
        environment["LUDION_CACHE_DIR"] = str(tmp_path)
    program = """
import ludion, sys
for name, text in (("tic-tac-toe", "x../.o./..."), ("taquin", "1 2 3/4 5 6/0 7 8")):
    position = ludion.position(name, text)
    for engine in %r[name]:
        answer = ludion.solve(position, engine, nodes=3000)
        print(name, engine, answer.status, answer.line[:1])
    print(ludion.perft(position, 3))
"""
    outputs = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program % engines],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 2 + len(engines["tic-tac-toe"]) + len(engines["taquin"])
