"""Search for what is new: a naive twin, costs, and how it ends."""

import itertools

import pytest

import ludion
from ludion.kinds.moving import legal_moves
from ludion.kinds.puzzle import estimate, feature, features, is_goal, play

from .test_puzzles import replay

BOARDS = [
    ("rush-hour", "level:1", "chains"),
    ("rush-hour", "level:5", "clearance"),
    ("taquin", "4 1 2/5 0 3", "manhattan"),
]


def naive(board, heuristic):
    """Positions, expanded positions, and the shortest path through the positions, with sets and lists."""
    rules, start, seen = board.rules, board.state, set()

    def level(position):
        own = [(i, int(feature(rules, position, i))) for i in range(features(rules, position))]
        new = set(itertools.combinations(own, 2)) - seen
        seen.update(new)
        return 0 if new else 1

    level(start)
    waiting, known, expanded, goal = [((0, 0), 0, start)], {start}, 0, None
    while goal is None:
        first = min(waiting, key=lambda entry: entry[:2])
        waiting.remove(first)
        expanded += 1
        for move in legal_moves(rules, first[2]):
            child = play(rules, first[2], move)
            if child not in known:
                known.add(child)
                if is_goal(rules, child):
                    goal = child
                    break
                waiting.append(((level(child), int(estimate(heuristic, rules, child))), len(known), child))
    layer, length = {start}, 0
    while goal not in layer:
        length += 1
        layer = {play(rules, each, move) for each in layer for move in legal_moves(rules, each)} & known
    return len(known), expanded, length


@pytest.mark.interpreted
@pytest.mark.parametrize(("game", "text", "heuristic"), BOARDS)
def test_it_sees_what_a_naive_search_sees(game, text, heuristic):
    board = ludion.position(game, text)
    answer = ludion.solve(board, "novelty", heuristic=heuristic)
    twin = naive(board, board.game.heuristics[heuristic].value(board.rules))
    assert replay(board, answer.line) == "solved"
    assert (answer.status, (answer.nodes, answer.expanded, answer.length)) == ("solved", twin)


@pytest.mark.interpreted
def test_it_ends_as_it_says():
    jammed = ludion.position("rush-hour", "4x4:..CBAACB..DDEEFF")
    solved = ludion.position("taquin", "1 2 3/4 5 6/7 8 0")
    hard = ludion.position("rush-hour", "level:10")
    assert ludion.solve(jammed, "novelty").status == "unsolvable"
    assert ludion.solve(solved, "novelty").length == 0
    answer = ludion.solve(hard, "novelty", nodes=300)
    assert (answer.status, answer.limit, answer.bound) == ("limit", "nodes", None)


def test_a_course_that_a_star_cannot_solve_has_a_solution():
    board = ludion.position("rush-hour", "level:course-12x12-7")
    answer = ludion.solve(board, "novelty", heuristic="chains", nodes=200_000)
    assert answer.status == "solved"
    assert 23 <= answer.length <= 31
    assert replay(board, answer.line) == "solved"
