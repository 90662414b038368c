"""One suite for every registered game: what the contracts of `kinds` promise."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest

import ludion
from ludion.checks import check
from ludion.core.words import flat
from ludion.engines.catalogue import ENGINES
from ludion.errors import LudionError
from ludion.kinds import duel, puzzle, quest
from ludion.kinds.games import DUEL, PUZZLE, QUEST, Game, Searched
from ludion.questions import BUDGET_SETTINGS, Run, Search, engines_of

from .distances import broken_claims, true_distances
from .games import SMALL, WALKS, described, fresh, starts, walk

ROOT = Path(__file__).parents[2]
STEPS = 24


def games_of(*kinds: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("game", described(*kinds), ids=lambda game: game.name)


every = games_of(PUZZLE, DUEL)
every_duel = games_of(DUEL)
every_puzzle = games_of(PUZZLE)
every_quest = games_of(QUEST)
every_game = games_of(PUZZLE, DUEL, QUEST)


def frozen(value: object) -> object:
    """A value with its arrays as lists, to be compared."""
    if isinstance(value, tuple):
        return tuple(frozen(each) for each in value)
    return value.tolist() if isinstance(value, np.ndarray) else value


def visited(game: Game) -> list[ludion.Position]:
    return [position for start in starts(game) for seed in (1, 2) for position in walk(start, seed, STEPS)[0]]


@every
def test_the_contract_is_kept(game):
    """All that `ludion check` looks at in plain Python; compiled games are compared below."""
    assert [str(problem) for problem in check(game, compiled=False)] == []


@every_game
def test_the_description_is_complete(game):
    assert game.kind in (PUZZLE, DUEL, QUEST)
    assert game.title
    assert game.summary
    assert game.name == game.name.lower().replace("_", "-")
    functions = [game.read, game.write, game.read_move, game.write_move, game.text, game.svg]
    for function in functions:
        assert function is None or callable(getattr(function, "load", lambda f=function: f)())
    names = [level.name for level in game.all_levels()]
    assert len(names) == len(set(names))
    if isinstance(game, Searched):
        assert not game.default_guide or game.default_guide in game.guides
        assert not game.best_engine or game.best_engine in engines_of(game)
        for name in game.unsupported_engines:
            assert name in ENGINES[game.kind]
        for guide in game.guides.values():
            assert guide.help


@every_game
def test_names_on_the_command_line_are_unambiguous(game):
    """An option of the rules is never mistaken for a field of the question."""
    options = {option.name for option in game.options}
    asked = Run if game.kind == QUEST else Search
    assert not options & ({each.name for each in asked.fields_as_text} - {"seed"})
    if isinstance(game, Searched):
        for engine in engines_of(game).values():
            settings = {setting.name for setting in engine.settings}
            assert not settings & (options | set(BUDGET_SETTINGS) | {"engine", "heuristic", "evaluation"})


@every
def test_moves_are_legal_different_and_repeatable(game):
    for position in visited(game):
        codes = position.codes()
        assert codes == position.codes()
        assert len(codes) == len(set(codes))
        assert all(0 <= code < 2**31 for code in codes)
        if game.kind == DUEL and position.is_open:
            assert codes


@every
def test_playing_changes_nothing_but_the_copy(game):
    for start in starts(game):
        before = frozen(start.state), frozen(start.rules)
        for code in start.codes()[:8]:
            start.play(code)
            assert (frozen(start.state), frozen(start.rules)) == before


@every
def test_texts_are_read_back(game):
    for position in visited(game):
        again = ludion.position(game, position.text, **position.options)
        assert again.text == position.text
        assert again.codes() == position.codes()
        if not any(isinstance(field, np.ndarray) for field in position.state):
            assert frozen(again.state) == frozen(position.state)
        assert repr(eval(repr(position), {"ludion": ludion})) == repr(position)
        for code in position.codes():
            name = position.write_move(code)
            assert position.read_move(name) == code, name


@every_game
def test_positions_travel(game):
    for position in starts(game):
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.deepcopy(position) == position


@every_game
def test_every_level_is_read_back_by_its_repr(game):
    for level in game.all_levels()[:40]:
        position = ludion.position(game, f"level:{level.name}")
        if game.kind != QUEST:
            assert repr(eval(repr(position), {"ludion": ludion})) == repr(position)


@every_game
def test_drawings(game):
    for position in starts(game):
        assert str(position).strip()
        if game.svg:
            root = ElementTree.fromstring(position.svg())
            assert root.tag.endswith("svg")
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            description = root.find("{http://www.w3.org/2000/svg}desc")
            assert description is not None
            assert description.text


@every
def test_bad_texts_are_refused_by_name(game):
    start = starts(game)[0]
    for text in ("?", "x" * 5000, "1 2/3", "level:no-such-level", "\x00", "-1", "////", start.text + "/%%"):
        with pytest.raises(LudionError) as caught:
            ludion.position(game, text)
        assert "\n" not in str(caught.value)
    for text in ("", "no such move", "\x00", "9" * 100):
        with pytest.raises(LudionError):
            start.play(text)


@every_puzzle
def test_packing_is_one_to_one(game):
    seen: dict[object, str] = {}
    for position in visited(game):
        words = puzzle.pack(position.rules, position.state)
        assert all(-(2**63) <= word < 2**63 for word in words)
        again = puzzle.unpack(position.rules, words, position.state)
        assert flat(again) == flat(position.state)
        key = (repr(frozen(position.rules)), words)
        assert seen.setdefault(key, position.text) == position.text


@every_puzzle
def test_moves_that_can_be_taken_back(game):
    for position in visited(game):
        if not puzzle.reverse.has(position.rules):
            pytest.skip("this puzzle's moves cannot be taken back")
        for code in position.codes():
            back = puzzle.reverse(position.rules, code)
            child = puzzle.play(position.rules, position.state, code)
            assert flat(puzzle.play(position.rules, child, back)) == flat(position.state)


@every_puzzle
def test_heuristics_keep_their_claims_everywhere(game):
    """On small spaces every estimate is compared with the true distance to a goal; goals are among the positions."""
    assert SMALL[game.name]
    for text, options in SMALL[game.name]:
        start = ludion.position(game, text, **options)
        positions, distances = true_distances(start)
        assert 0 in distances.values()
        assert len(positions) > 10
        assert list(broken_claims(game, start)) == []


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
    text, options = SMALL[game.name][0]
    broken = list(broken_claims(liar, ludion.position(liar, text, **options)))
    assert len(broken) == 1
    assert broken[0].startswith("liar: 1000 at ")


@every_duel
def test_undo_restores_every_bit(game):
    for start in starts(game):
        for seed in (1, 2, 3):
            state = fresh(start)
            before = frozen(state)
            _, moves = walk(start, seed, STEPS)
            line = [state]
            snapshots = []
            for move in moves:
                snapshots.append(frozen(line[-1]))
                line.append(duel.play(start.rules, line[-1], move))
            for move in reversed(moves):
                duel.undo(start.rules, line.pop(), move)
                assert frozen(line[-1]) == snapshots.pop()
            assert frozen(state) == before


@every_duel
def test_keys_and_verdicts(game):
    by_text: dict[str, int] = {}  # equal positions have equal keys; different ones hardly ever do
    for position in visited(game):
        key = int(duel.key(position.rules, position.state))
        assert by_text.setdefault(repr(frozen(position.rules)) + position.text, key) == key
        assert duel.verdict(position.rules, position.state) in (duel.WON, duel.LOST, duel.DRAWN, duel.OPEN)
    assert len(set(by_text.values())) >= len(by_text) * 0.97


@every_duel
def test_symmetric_positions_have_the_same_moves_and_values(game):
    for start in starts(game):
        rules = start.rules
        for position in walk(start, 5, 10)[0]:
            for symmetry in range(duel.symmetries(rules)):
                image = ludion.Position(
                    game, rules, duel.mirror(rules, position.state, symmetry), position.options
                )
                assert image.status == position.status
                images = [duel.mirror_move(rules, code, symmetry) for code in position.codes()]
                assert sorted(images) == sorted(image.codes())
                for entry in game.evaluations.values():
                    if position.is_open:
                        evaluation = entry.value(rules)
                        assert duel.evaluate(evaluation, rules, image.state) == duel.evaluate(
                            evaluation, rules, position.state
                        )


@every_duel
def test_evaluations_stay_below_a_win(game):
    for position in visited(game):
        for entry in game.evaluations.values():
            if position.is_open:
                value = duel.evaluate(entry.value(position.rules), position.rules, position.state)
                assert abs(value) <= duel.HIGHEST


@every
@pytest.mark.bounds
def test_interpreted_and_compiled_runs_agree(game):
    run = WALKS[game.kind]
    interpreted = run.function
    for start in starts(game):
        logs = np.zeros((2, STEPS, 3), np.int64)
        ends = [
            each(start.rules, fresh(start), 11, STEPS, log)
            for each, log in zip((run, interpreted), logs, strict=True)
        ]
        assert ends[0] == ends[1]
        assert logs[0].tolist() == logs[1].tolist()


@every
@pytest.mark.interpreted
def test_random_play_is_bounded_or_ends(game):
    start = starts(game)[0]
    positions, moves = walk(start, 9, STEPS)
    assert len(positions) == len(moves) + 1
    assert len(moves) == STEPS or positions[-1].codes() == []


# ------------------------------------------------------------------ quests


def arrays_in(value: object, depth: int = 0) -> Iterator[np.ndarray]:
    """The arrays that a value holds, in fields, attributes and containers."""
    if isinstance(value, np.ndarray):
        yield value
    elif depth < 6:
        parts: list[object] = []
        if isinstance(value, (list, tuple, set)):
            parts = list(value)
        elif isinstance(value, dict):
            parts = list(value.values())
        elif hasattr(value, "__dict__"):
            parts = list(vars(value).values())
        for part in parts:
            yield from arrays_in(part, depth + 1)


def mutable_in(value: object, depth: int = 0) -> Iterator[object]:
    """The lists, dicts and sets that a value holds."""
    if isinstance(value, (list, dict, set)):
        yield value
    if depth < 6 and not isinstance(value, (str, bytes, np.ndarray)):
        parts: list[object] = []
        if isinstance(value, (list, tuple, set)):
            parts = list(value)
        elif isinstance(value, dict):
            parts = list(value.values())
        elif hasattr(value, "__dict__"):
            parts = list(vars(value).values())
        for part in parts:
            yield from mutable_in(part, depth + 1)


@every_quest
def test_percepts_share_nothing_with_the_world(game):
    for start in starts(game):
        for position in walk(start, 4, 6)[0]:
            world = position.state
            if quest.outcome(world) != quest.RUNNING:
                continue
            percept = quest.percept(world)
            for mine in arrays_in(percept):
                assert not mine.flags.writeable or not any(
                    np.shares_memory(mine, other) for other in arrays_in(world)
                )
            held = {id(each) for each in mutable_in(world)}
            assert not held & {id(each) for each in mutable_in(percept)}


@every_quest
def test_illegal_actions_change_nothing(game):
    for start in starts(game):
        world = copy.deepcopy(start.state)
        before = pickle.dumps(world)
        for nonsense in ("no such action", -77, 10**9, None, (999, 999), object()):
            with pytest.raises(quest.IllegalActionError):
                quest.act(world, nonsense)
            assert pickle.dumps(world) == before


@every_quest
def test_listed_actions_are_legal(game):
    if game.actions is None:
        pytest.skip("this quest does not list its actions")
    for start in starts(game):
        actions = game.moves(start.rules, start.state)
        assert actions
        for action in actions[:: max(1, len(actions) // 12)]:
            after = start.play(action)
            assert after.status in ("running", "won", "lost")
            if not after.is_open:
                assert after.codes() == []


@every_quest
def test_runs_with_one_seed_are_equal(game):
    for start in starts(game)[:2]:
        question = Run(game.name, start.text, {**start.options}, seed=5, steps=40)
        first, second = question.record(), question.record()
        for record in (first, second):
            for measured in ("seconds", "slowest", "decisions_per_second"):
                record.pop(measured)
        assert first == second
        assert first["moves"]


def test_every_entry_point_works_in_two_processes(tmp_path):
    """The first process compiles, the second loads from disk what the first compiled (Numba issue 6061)."""
    program = """
import ludion, sys
for name, text in (("tic-tac-toe", "x../.o./..."), ("taquin", "1 2 3/4 5 6/0 7 8")):
    position = ludion.position(name, text)
    for engine in %r[name]:
        answer = ludion.solve(position, engine, nodes=3000)
        print(name, engine, answer.status, answer.line[:1])
    print(ludion.perft(position, 3))
"""
    engines = {"tic-tac-toe": list(ENGINES[DUEL]), "taquin": list(ENGINES[PUZZLE])}
    outputs = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program % engines],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env={**os.environ, "LUDION_CACHE_DIR": str(tmp_path)},
        )
        assert done.returncode == 0, done.stderr
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
    assert outputs[0].count("\n") == 2 + len(engines["tic-tac-toe"]) + len(engines["taquin"])
