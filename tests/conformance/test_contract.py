"""One suite for every registered game: what the contracts of `kinds` promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import ludion
from ludion.core.words import flat
from ludion.engines import ENGINES
from ludion.errors import LudionError
from ludion.kinds import duel, puzzle
from ludion.kinds.card import DUEL, PUZZLE, QUEST, Card, resolve

from .games import WALKS, cards, fresh, starts, walk

ROOT = Path(__file__).parents[2]
STEPS = 24

every = pytest.mark.parametrize("card", cards(PUZZLE, DUEL), ids=lambda card: card.name)
every_duel = pytest.mark.parametrize("card", cards(DUEL), ids=lambda card: card.name)
every_puzzle = pytest.mark.parametrize("card", cards(PUZZLE), ids=lambda card: card.name)
every_game = pytest.mark.parametrize("card", cards(PUZZLE, DUEL, QUEST), ids=lambda card: card.name)


def frozen(value: object) -> object:
    """A value with its arrays as lists, to be compared."""
    if isinstance(value, tuple):
        return tuple(frozen(each) for each in value)
    return value.tolist() if isinstance(value, np.ndarray) else value


def visited(card: Card) -> list[ludion.Position]:
    return [position for start in starts(card) for seed in (1, 2) for position in walk(start, seed, STEPS)[0]]


@every_game
def test_the_card_is_complete(card):
    assert card.kind in (PUZZLE, DUEL, QUEST)
    assert card.title
    assert card.summary
    assert card.name == card.name.lower().replace("_", "-")
    for reference in (
        card.read,
        card.write,
        card.read_move,
        card.write_move,
        card.text,
        card.svg,
        card.explain,
    ):
        assert reference is None or callable(resolve(reference))
    for guide in card.guides.values():
        assert callable(resolve(guide.make))
        assert guide.help
    assert not card.guide or card.guide in card.guides
    for name in card.without:
        assert name in ENGINES
    names = [level.name for level in card.all_levels()]
    assert len(names) == len(set(names))


@every
def test_moves_are_legal_different_and_repeatable(card):
    for position in visited(card):
        codes = position.codes()
        assert codes == position.codes()
        assert len(codes) == len(set(codes))
        assert all(0 <= code < 2**31 for code in codes)
        if card.kind == DUEL and position.status == "open":
            assert codes


@every
def test_playing_changes_nothing_but_the_copy(card):
    for start in starts(card):
        before = frozen(start.state), frozen(start.rules)
        for code in start.codes()[:8]:
            start.play(code)
            assert (frozen(start.state), frozen(start.rules)) == before


@every
def test_texts_are_read_back(card):
    for position in visited(card):
        again = ludion.position(card, position.text, **position.options)
        assert again.text == position.text
        assert again.codes() == position.codes()
        if not any(isinstance(field, np.ndarray) for field in position.state):
            assert frozen(again.state) == frozen(position.state)
        assert repr(eval(repr(position), {"ludion": ludion})) == repr(position)
        for code in position.codes():
            name = position.write_move(code)
            assert position.read_move(name) == code, name


@every
def test_drawings(card):
    for position in starts(card):
        assert str(position).strip()
        if card.svg:
            root = ElementTree.fromstring(position.svg())
            assert root.tag.endswith("svg")
            assert root.find("{http://www.w3.org/2000/svg}title") is not None
            described = root.find("{http://www.w3.org/2000/svg}desc")
            assert described is not None
            assert described.text


@every
def test_bad_texts_are_refused_by_name(card):
    start = starts(card)[0]
    for text in ("?", "x" * 5000, "1 2/3", "level:no-such-level", "\x00", "-1", "////", start.text + "/%%"):
        with pytest.raises(LudionError) as caught:
            ludion.position(card, text)
        assert "\n" not in str(caught.value)
    for text in ("", "no such move", "\x00", "9" * 100):
        with pytest.raises(LudionError):
            start.play(text)


@every_puzzle
def test_packing_is_one_to_one(card):
    seen: dict[object, str] = {}
    for position in visited(card):
        words = puzzle.pack(position.rules, position.state)
        assert all(-(2**63) <= word < 2**63 for word in words)
        again = puzzle.unpack(position.rules, words, position.state)
        assert flat(again) == flat(position.state)
        key = (repr(frozen(position.rules)), words)
        assert seen.setdefault(key, position.text) == position.text


@every_puzzle
def test_moves_that_can_be_taken_back(card):
    for position in visited(card):
        if not puzzle.reverse.has(position.rules):
            pytest.skip("this puzzle's moves cannot be taken back")
        for code in position.codes():
            back = puzzle.reverse(position.rules, code)
            child = puzzle.play(position.rules, position.state, code)
            assert flat(puzzle.play(position.rules, child, back)) == flat(position.state)


@every_puzzle
def test_heuristics(card):
    """Not negative, and 0 at a goal and never above the true distance if it claims to be admissible."""
    for start in starts(card):
        for name, guide in card.guides.items():
            if getattr(guide, "costly", False):
                continue
            heuristic = resolve(guide.make)(start.rules)
            positions, _ = walk(start, 3, 6)
            for position in positions:
                value = puzzle.estimate(heuristic, position.rules, position.state)
                assert value >= 0
                if guide.admissible and position.status == "solved":
                    assert value == 0, name


@every_duel
def test_undo_restores_every_bit(card):
    for start in starts(card):
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
def test_keys_and_verdicts(card):
    by_text: dict[str, int] = {}  # equal positions have equal keys; different ones hardly ever do
    for position in visited(card):
        key = int(duel.key(position.rules, position.state))
        assert by_text.setdefault(repr(frozen(position.rules)) + position.text, key) == key
        assert duel.verdict(position.rules, position.state) in (duel.WON, duel.LOST, duel.DRAWN, duel.OPEN)
    assert len(set(by_text.values())) >= len(by_text) * 0.97


@every_duel
def test_symmetric_positions_have_the_same_moves_and_values(card):
    for start in starts(card):
        game = start.rules
        for position in walk(start, 5, 10)[0]:
            for symmetry in range(duel.symmetries(game)):
                image = ludion.Position(
                    card, game, duel.mirror(game, position.state, symmetry), position.options
                )
                assert image.status == position.status
                assert sorted(duel.mirror_move(game, code, symmetry) for code in position.codes()) == sorted(
                    image.codes()
                )
                for guide in card.guides.values():
                    if position.status == "open":
                        evaluation = resolve(guide.make)(game)
                        assert duel.evaluate(evaluation, game, image.state) == duel.evaluate(
                            evaluation, game, position.state
                        )


@every_duel
def test_evaluations_stay_below_a_win(card):
    for position in visited(card):
        for guide in card.guides.values():
            if position.status == "open":
                value = duel.evaluate(resolve(guide.make)(position.rules), position.rules, position.state)
                assert abs(value) <= duel.HIGHEST


@every
@pytest.mark.bounds
def test_interpreted_and_compiled_runs_agree(card):
    run = WALKS[card.kind]
    interpreted = getattr(run, "py_func", run)
    for start in starts(card):
        logs = np.zeros((2, STEPS, 3), np.int64)
        ends = [
            each(start.rules, fresh(start), 11, STEPS, log)
            for each, log in zip((run, interpreted), logs, strict=True)
        ]
        assert ends[0] == ends[1]
        assert logs[0].tolist() == logs[1].tolist()


@every
@pytest.mark.interpreted
def test_random_play_is_bounded_or_ends(card):
    start = starts(card)[0]
    positions, moves = walk(start, 9, STEPS)
    assert len(positions) == len(moves) + 1
    assert len(moves) == STEPS or positions[-1].codes() == []


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
    engines = {
        "tic-tac-toe": [engine.name for engine in ENGINES.values() if engine.kind == DUEL],
        "taquin": [engine.name for engine in ENGINES.values() if engine.kind == PUZZLE],
    }
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
    assert outputs[0].count("\n") == 12
