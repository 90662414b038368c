"""The contract of puzzles: packing, costs, reversible moves, heuristics that keep their claims."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from typing import Any

from ludion.checks.sample import CheckedPosition, frozen, legal, new_buffer, problem_at
from ludion.core.words import flat
from ludion.engines.budget import Budget
from ludion.engines.trial import (
    LARGEST_ESTIMATE,
    LARGEST_WORD,
    MOST_WORDS,
    ContractProblem,
    bad_leaf,
    check_goal,
    check_play,
    check_range,
    checked_call,
    listed_moves,
    raised_problem,
    shape_of,
    shown,
)
from ludion.errors import UnfitError
from ludion.estimates import make_guide
from ludion.kinds import puzzle
from ludion.kinds.games import Puzzle
from ludion.kinds.moving import legal_moves, mirror, most_moves, play, symmetries
from ludion.kinds.values import Rules, State
from ludion.messages import message

TABLE_SECONDS = 1.0  # for making the tables of a heuristic: those that are not whole are checked as well
MOST_FEATURES = 1 << 16
MOST_POSITIONS = 3000  # of a space that is searched for true distances

Words = tuple[int, ...]


def check_packing(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`pack` gives one to eight words, different for different positions, and `unpack` inverts it."""
    texts: dict[object, object] = {}
    for place in sample:
        rules, state = place.rules, place.state
        words = checked_call(puzzle.pack, state, rules, state)
        if not isinstance(words, tuple) or not 1 <= len(words) <= MOST_WORDS or bad_leaf(words):
            expected = message("checks.words", most=MOST_WORDS)
            yield problem_at(puzzle.pack, rules, "returns", place, expected=expected, came=shape_of(words))
            return
        back = checked_call(puzzle.unpack, state, rules, words, state)
        if frozen(back) != frozen(state):
            yield problem_at(puzzle.unpack, rules, "returns", place, expected=shown(state), came=shown(back))
            return
        if texts.setdefault((repr(frozen(rules)), words), frozen(state)) != frozen(state):
            yield problem_at(puzzle.pack, rules, "packs_alike", place, words=shown(words))
            return


def check_costs(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Every move costs at least 1."""
    for place in sample:
        for code in place.codes:
            check_range(
                puzzle.cost, place.rules, place.state, code,
                least=1, most=LARGEST_ESTIMATE, position=place.state,
            )  # fmt: skip
    yield from ()


def check_reversing(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`reverse` gives the move that undoes another; `moves_after` gives only legal moves."""
    for place in sample:
        rules, state = place.rules, place.state
        for code in place.codes:
            child = check_play(rules, state, code)
            back = checked_call(puzzle.reverse, state, rules, code)
            if puzzle.reverse.has(rules) and back != puzzle.NO_MOVE:
                again = check_play(rules, child, back)
                if frozen(again) != frozen(state):
                    yield problem_at(puzzle.reverse, rules, "not_reversed", place, move=code, back=back)
                    return
            if not check_goal(rules, child):
                most = int(most_moves(rules))
                after = listed_moves(
                    puzzle.moves_after, rules, child, code, most=most, position=child, buffer=new_buffer(most)
                )
                if illegal := set(after) - set(legal(place.game, rules, child, most)):
                    yield problem_at(puzzle.moves_after, rules, "move_illegal", place, move=min(illegal))
                    return


def check_ways_back(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """`moves_back` has the move that led to a position, and `play_back` with it gives the position before."""
    for place in sample:
        rules, state = place.rules, place.state
        if not puzzle.play_back.has(rules):
            return
        most = int(most_moves(rules))
        for code in place.codes:
            child = check_play(rules, state, code)
            back = listed_moves(puzzle.moves_back, rules, child, most=most, position=child)
            if code not in back:
                yield problem_at(puzzle.moves_back, rules, "no_way_back", place, move=code)
                return
            if frozen(checked_call(puzzle.play_back, child, rules, child, code)) != frozen(state):
                yield problem_at(puzzle.play_back, rules, "not_reversed", place, move=code, back=code)
                return


def check_projections(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """A move of a position is one of its projections too; a projection that is projected again stays as it is.

    Only where costs are not shared: with `share`, what a smaller puzzle knows may have another number after the move.
    Of `variables`, a different one is tried at each position, and all together.
    """
    for index, place in enumerate(sample):
        rules, state = place.rules, place.state
        if puzzle.share.has(rules) or not puzzle.can_search_backwards(rules):
            return
        count = int(checked_call(puzzle.variables, "", rules))
        numbers = list(checked_call(puzzle.projections, "", rules))
        numbers += [1 << index % count, (1 << count) - 1] if count else []
        for code in place.codes[:2]:
            child = check_play(rules, state, code)
            for number in numbers:
                here, there = (
                    checked_call(puzzle.project, each, rules, each, number) for each in (state, child)
                )
                again = checked_call(puzzle.project, here, rules, here, number)
                if shape_of(here) != shape_of(state) or frozen(again) != frozen(here):
                    yield problem_at(puzzle.project, rules, "projected_again", place, number=number)
                    return
                if frozen(here) != frozen(there) and frozen(here) not in _before(rules, there, number):
                    yield problem_at(
                        puzzle.project, rules, "no_projected_move", place, move=code, number=number
                    )
                    return


def _before(rules: Rules, position: State, number: int) -> Iterator[object]:
    """The positions of a smaller puzzle from which a move leads to this one."""
    inner = puzzle.smaller(rules, number)
    back = listed_moves(puzzle.moves_back, inner, position, most=int(most_moves(inner)), position=position)
    return (frozen(puzzle.project(rules, puzzle.play_back(inner, position, code), number)) for code in back)


def check_images(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """Images under a symmetry: a goal of a goal, and as many moves, to the images of what they led to."""
    for place in sample:
        rules, state = place.rules, place.state
        for symmetry in range(check_range(symmetries, rules, least=1, most=64, position=state)):
            image = checked_call(mirror, state, rules, state, symmetry)
            if shape_of(image) != shape_of(state):
                yield problem_at(
                    mirror, rules, "returns", place, expected=shape_of(state), came=shape_of(image)
                )
                return
            if symmetry == 0 and frozen(image) != frozen(state):
                yield problem_at(mirror, rules, "not_the_identity", place)
                return
            children = {frozen(play(rules, image, code)) for code in legal_moves(rules, image)}
            images = {frozen(mirror(rules, play(rules, state, code), symmetry)) for code in place.codes}
            if check_goal(rules, image) != check_goal(rules, state) or (place.codes and children != images):
                yield problem_at(mirror, rules, "mirror_moves_of_a_puzzle", place, symmetry=symmetry)
                return


def check_goals(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """The one `goal` is a goal, and so are all that `goals` lists."""
    for place in sample[:1]:
        verb = puzzle.goals if puzzle.goals.has(place.rules) else puzzle.goal
        for goal in checked_call(puzzle.goals, "", place.rules):
            if shape_of(goal) != shape_of(place.state):
                expected, came = shape_of(place.state), shape_of(goal)
                yield problem_at(verb, place.rules, "returns", place, expected=expected, came=came)
            elif not check_goal(place.rules, goal):
                yield problem_at(verb, place.rules, "goal_is_none", place)


def check_features(sample: Sequence[CheckedPosition]) -> Iterator[ContractProblem]:
    """All positions have the same number of features, each an int."""
    counts: dict[str, int] = {}
    for place in sample:
        rules, state = place.rules, place.state
        count = check_range(puzzle.features, rules, state, least=0, most=MOST_FEATURES, position=state)
        first = counts.setdefault(repr(frozen(rules)), count)
        if count != first:
            yield problem_at(puzzle.features, rules, "returns", place, expected=first, came=count)
            return
        for number in range(count):
            check_range(
                puzzle.feature, rules, state, number, least=-LARGEST_WORD, most=LARGEST_WORD, position=state
            )


def true_distances(
    start: CheckedPosition, most_positions: int
) -> tuple[dict[Words, Any], dict[Words, int], bool]:
    """The reachable positions, by their ints; the least cost from each to a goal among them; whether they are complete.

    If not, a cost is an upper bound: cheaper paths may lead through the others.
    """
    game, rules = start.game, start.rules
    most = int(most_moves(rules))
    positions = {flat(start.state): start.state}
    arriving: dict[Words, list[tuple[Words, int]]] = {}
    queue = [start.state]
    complete = True
    for position in queue:
        if len(positions) > most_positions:
            complete = False
            break
        codes = listed_moves(
            puzzle.moves, rules, position, most=most, position=position, buffer=new_buffer(most)
        )
        for code in codes:
            child = check_play(rules, position, code)
            cost = check_range(
                puzzle.cost, rules, position, code, least=1, most=LARGEST_ESTIMATE, position=position
            )
            arriving.setdefault(flat(child), []).append((flat(position), cost))
            if flat(child) not in positions:
                positions[flat(child)] = child
                queue.append(child)
    assert game.kind == Puzzle.kind
    distances: dict[Words, int] = {}
    open_list = [(0, key) for key, position in positions.items() if check_goal(rules, position)]
    heapq.heapify(open_list)
    while open_list:
        distance, key = heapq.heappop(open_list)
        if key in distances:
            continue
        distances[key] = distance
        for before, cost in arriving.get(key, ()):
            if before not in distances:
                heapq.heappush(open_list, (distance + cost, before))
    return positions, distances, complete


def check_heuristics(
    sample: Sequence[CheckedPosition], most_positions: int = MOST_POSITIONS
) -> Iterator[ContractProblem]:
    """Estimates are whole numbers, 0 or more, at most the true distance if the heuristic claims to be admissible, and
    `estimate_after` gives the same numbers. At most one problem for each heuristic."""
    game = sample[0].game
    assert isinstance(game, Puzzle)
    if not game.heuristics:
        return
    rules = sample[0].rules
    positions, distances, _ = true_distances(sample[0], most_positions)
    places = [CheckedPosition(game, rules, state, sample[0].options, []) for state in positions.values()]
    places += [place for place in sample if place.rules is rules]
    for name, entry in game.heuristics.items():
        try:
            heuristic = make_guide(game, name, rules, Budget(seconds=TABLE_SECONDS))
        except UnfitError:
            continue
        except Exception as error:
            yield raised_problem(error, "Heuristic", entry.make)
            continue
        yield from first_of(broken_claims(heuristic, entry.admissible, places, distances))


def first_of(problems: Iterator[ContractProblem]) -> Iterator[ContractProblem]:
    for problem in problems:
        yield problem
        return


def broken_claims(
    heuristic: Any, admissible: bool, places: Sequence[CheckedPosition], distances: dict[Words, int]
) -> Iterator[ContractProblem]:
    """The problems of a heuristic at these positions, given known distances to a goal."""
    for place in places:
        rules, state = place.rules, place.state
        bounds: dict[str, Any] = {"least": 0, "most": LARGEST_ESTIMATE, "position": state}
        estimate = check_range(puzzle.estimate, heuristic, rules, state, **bounds)
        distance = distances.get(flat(state))
        if admissible and distance is not None and estimate > distance:
            yield problem_at(
                puzzle.estimate, heuristic, "not_admissible", place, estimate=estimate, distance=distance
            )
            return
        most = int(most_moves(rules))
        for code in listed_moves(puzzle.moves, rules, state, most=most, position=state):
            child = check_play(rules, state, code)
            after = check_range(
                puzzle.estimate_after, heuristic, rules, estimate, state, code, child, **bounds
            )
            expected = check_range(puzzle.estimate, heuristic, rules, child, **bounds)
            if after != expected:
                yield problem_at(
                    puzzle.estimate_after, heuristic, "returns", place, expected=expected, came=after
                )
                return
