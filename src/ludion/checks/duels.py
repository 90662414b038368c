"""The contract of duels: keys, `undo`, symmetries, evaluations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ludion.checks.sample import STEPS, CheckedPosition, frozen, new_buffer, problem_at
from ludion.core.words import mix
from ludion.engines.trial import (
    LARGEST_WORD,
    ContractProblem,
    check_play,
    check_range,
    check_verdict,
    checked_call,
    listed_moves,
    raised_problem,
    shape_of,
    shown,
)
from ludion.errors import UnfitError
from ludion.kinds import duel
from ludion.kinds.games import Duel
from ludion.kinds.moving import most_moves, moves

MOVES_TRIED = 8
LARGEST_RANK = 1 << 19  # beyond it, a move would be mistaken for one that cut elsewhere


def check_undo(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`undo` restores what `play` changed in place: one move, and the moves of a whole line from the last to the
    first."""
    for place in sample[:1]:
        line = [(duel.copy(place.rules, place.state), -1)]
        restored: list[object] = []
        for step in range(STEPS):
            here = line[-1][0]
            if check_verdict(place.rules, here) != duel.OPEN:
                break
            most = int(most_moves(place.rules))
            codes = listed_moves(moves, place.rules, here, most=most, position=here)
            code = codes[(mix(step, 3) & 0xFFFF) % len(codes)]
            restored.append(frozen(here))
            line.append((check_play(place.rules, here, code), code))
        while restored:
            child, code = line.pop()
            checked_call(duel.undo, place.state, place.rules, child, code)
            if frozen(line[-1][0]) != restored.pop():
                yield problem_at(duel.undo, place.rules, "not_restored", place, move=code)
                return
    for place in sample:
        for code in place.codes[:MOVES_TRIED]:
            own = duel.copy(place.rules, place.state)
            before = frozen(own)
            child = check_play(place.rules, own, code)
            checked_call(duel.undo, place.state, place.rules, child, code)
            if frozen(own) != before:
                yield problem_at(duel.undo, place.rules, "not_restored", place, move=code)
                return


def check_copy(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`copy` returns a position with its own arrays."""
    for place in sample:
        before = frozen(place.state)
        copied = checked_call(duel.copy, place.state, place.rules, place.state)
        if frozen(copied) != before:
            yield problem_at(
                duel.copy, place.rules, "returns", place, expected=shown(place.state), came=shown(copied)
            )
            return
        for code in place.codes[:MOVES_TRIED]:
            checked_call(duel.play, place.state, place.rules, duel.copy(place.rules, place.state), code)
            if frozen(place.state) != before:
                yield problem_at(duel.copy, place.rules, "copy_shares", place, move=code)
                return


def check_keys(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Equal positions have equal keys, different ones hardly ever do."""
    keys: dict[str, int] = {}
    for place in sample:
        rest: dict[str, Any] = {"least": -LARGEST_WORD - 1, "most": LARGEST_WORD, "position": place.state}
        key = check_range(duel.key, place.rules, place.state, **rest)
        again = check_range(duel.key, place.rules, place.state, **rest)
        name = repr((frozen(place.rules), frozen(place.state)))
        if keys.setdefault(name, key) != key or again != key:
            yield problem_at(duel.key, place.rules, "key_differs", place, first=keys[name], second=key)
            return
    if len(keys) >= 8 and len(set(keys.values())) < 0.9 * len(keys):
        yield problem_at(
            duel.key,
            sample[0].rules,
            "keys_collide",
            sample[0],
            n=len(keys),
            different=len(set(keys.values())),
        )


def check_symmetries(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Images have the same verdict, and the images of the moves."""
    for place in sample:
        rules, state = place.rules, place.state
        count = check_range(duel.symmetries, rules, least=1, most=64, position=state)
        for symmetry in range(count):
            image = checked_call(duel.mirror, state, rules, state, symmetry)
            if shape_of(image) != shape_of(state):
                yield problem_at(
                    duel.mirror, rules, "returns", place, expected=shape_of(state), came=shape_of(image)
                )
                return
            if symmetry == 0 and frozen(image) != frozen(state):
                yield problem_at(duel.mirror, rules, "not_the_identity", place)
                return
            if check_verdict(rules, image) != check_verdict(rules, state):
                yield problem_at(duel.mirror, rules, "mirror_verdict", place, symmetry=symmetry)
                return
            if not place.codes:
                continue
            expected = sorted(
                int(checked_call(duel.mirror_move, state, rules, code, symmetry)) for code in place.codes
            )
            most = int(most_moves(rules))
            came = sorted(
                listed_moves(moves, rules, image, most=most, position=image, buffer=new_buffer(most))
            )
            if expected != came:
                verb = duel.mirror_move if duel.mirror_move.has(rules) else duel.mirror
                yield problem_at(
                    verb, rules, "mirror_moves", place,
                    symmetry=symmetry, expected=shown(came), came=shown(expected),
                )  # fmt: skip
                return


def check_evaluations(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Evaluations stay below a win, are equal for images, and rank and name only legal moves."""
    game = sample[0].game
    assert isinstance(game, Duel)
    for entry in game.evaluations.values():
        for place in sample:
            if not place.codes:
                continue
            rules, state = place.rules, place.state
            try:
                evaluation = entry.value(rules)
            except UnfitError:
                continue
            except Exception as error:
                yield raised_problem(error, "Evaluation", entry.make, place.text)
                break
            bounds: dict[str, Any] = {"least": -duel.HIGHEST, "most": duel.HIGHEST, "position": state}
            value = check_range(duel.evaluate, evaluation, rules, state, **bounds)
            for symmetry in range(1, int(duel.symmetries(rules))):
                image = duel.mirror(rules, state, symmetry)
                other = check_range(duel.evaluate, evaluation, rules, image, **bounds)
                if other != value:
                    yield problem_at(
                        duel.evaluate, evaluation, "mirror_value", place,
                        symmetry=symmetry, expected=value, came=other,
                    )  # fmt: skip
                    return
            for code in place.codes[:MOVES_TRIED]:
                check_range(
                    duel.move_order, evaluation, rules, state, code,
                    least=-LARGEST_RANK, most=LARGEST_RANK, position=state,
                )  # fmt: skip
            most = int(most_moves(rules))
            forcing = listed_moves(
                duel.forcing, evaluation, rules, state, most=most, position=state, buffer=new_buffer(most)
            )
            if illegal := set(forcing) - set(place.codes):
                yield problem_at(duel.forcing, evaluation, "forcing_illegal", place, move=min(illegal))
                return


def check_count(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`how_many` is the number of moves."""
    for place in sample:
        if place.codes:
            most = int(most_moves(place.rules))
            count = checked_call(duel.how_many, place.state, place.rules, place.state, new_buffer(most))
            if count != len(place.codes):
                yield problem_at(
                    duel.how_many, place.rules, "returns", place, expected=len(place.codes), came=shown(count)
                )
                return
