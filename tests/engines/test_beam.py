"""Beam search on two games and on a puzzle with costs: its solutions, its limits, and what a watcher sees."""

from typing import Any, NamedTuple

import pytest

import ludion
from ludion.engines import beam, breadth_first
from ludion.engines.budget import Budget, BudgetError, Observer
from ludion.games.rush_hour.heuristics import clearance
from ludion.games.taquin.heuristics import manhattan
from ludion.kinds.puzzle import Blind, cost, is_goal, most_moves, moves, play

PUZZLES = {
    "taquin": ("level:report-5", manhattan),
    "rush-hour": ("level:1", clearance),
}


def ask(game: str, text: str, **settings: Any) -> tuple[ludion.Position, ludion.Answer]:
    position = ludion.position(game, text)
    heuristic = PUZZLES[game][1](position.rules)
    budget = settings.pop("budget", Budget())
    return position, beam.solve(position.rules, position.state, heuristic, budget, **settings)


@pytest.mark.parametrize("game", PUZZLES)
@pytest.mark.parametrize("width", [20, 300])
def test_the_moves_lead_to_a_goal(game, width):
    position, answer = ask(game, PUZZLES[game][0], width=width)
    assert (answer.status, answer.engine, answer.limit) == ("solved", "beam", "")
    assert position.play(*answer.moves).status == "solved"
    assert answer.length == len(answer.moves) >= ludion.solve(position).length


@pytest.mark.interpreted
@pytest.mark.bounds
@pytest.mark.parametrize(("game", "text"), [("taquin", "4 1 3/0 2 5"), ("rush-hour", "4x4:..B.AAB...CCDD..")])
def test_a_beam_that_drops_nothing_is_breadth_first_search(game, text):
    position, answer = ask(game, text, width=400)
    shortest = breadth_first.solve(position.rules, position.state, None, Budget())
    assert answer.length == shortest.length > 0


@pytest.mark.interpreted
@pytest.mark.parametrize("game", PUZZLES)
def test_a_solved_position_needs_no_moves(game):
    _, answer = ask(game, {"taquin": "1 2/3 0", "rush-hour": "4x4:..AA............"}[game])
    assert (answer.status, answer.moves, answer.length, answer.nodes) == ("solved", (), 0, 1)


@pytest.mark.parametrize("game", PUZZLES)
def test_only_cheaper_solutions_are_looked_for(game):
    position, first = ask(game, PUZZLES[game][0], width=20)
    shortest = ludion.solve(position).length
    _, better = ask(game, PUZZLES[game][0], width=2000, cheaper_than=first.length)
    assert better.length is None or shortest <= better.length < first.length
    _, none = ask(game, PUZZLES[game][0], width=2000, cheaper_than=shortest)
    assert (none.status, none.limit, none.moves) == ("limit", "width", ())
    assert "a wider one" in none.reason


@pytest.mark.parametrize("game", PUZZLES)
def test_limits_are_kept(game):
    text = PUZZLES[game][0]
    _, answer = ask(game, text, budget=Budget(nodes=60))
    assert (answer.status, answer.limit) == ("limit", "nodes")
    assert 60 <= answer.nodes < 90
    _, answer = ask(game, text, budget=Budget(memory=1000))
    assert (answer.status, answer.limit) == ("limit", "memory")
    with pytest.raises(BudgetError, match="width"):
        ask(game, text, width=0)


@pytest.mark.interpreted
def test_a_narrow_beam_may_end_without_a_goal():
    _, answer = ask("taquin", "level:report-5", width=1)
    assert (answer.status, answer.limit) == ("limit", "width")


@pytest.mark.interpreted
@pytest.mark.parametrize("game", PUZZLES)
def test_an_observer_can_follow_the_search(game):
    observer = Observer(events=60)
    start, _ = ask(game, PUZZLES[game][0], width=5, observer=observer)
    positions = {}
    for event in observer.seen:
        positions[event.node] = start if event.parent < 0 else positions[event.parent].play(event.move)
    assert len(positions) == len(observer.seen) > 20


# ------------------------------------------------------------------ moves of different costs


class Stairs(NamedTuple):
    """Climb so many steps: one at a time for 1, or three at once for 2."""

    height: int


class Step(NamedTuple):
    number: int


@moves.register(Stairs)
def _(rules: Stairs, position: Step, buffer: Any) -> int:
    buffer[0] = 1
    buffer[1] = 3
    return 2 if position.number + 3 <= rules.height else 1


@most_moves.register(Stairs)
def _(rules: Stairs) -> int:
    return 2


@play.register(Stairs)
def _(rules: Stairs, position: Step, move: int) -> Step:
    return Step(position.number + move)


@cost.register(Stairs)
def _(rules: Stairs, position: Step, move: int) -> int:
    return 1 if move == 1 else 2


@is_goal.register(Stairs)
def _(rules: Stairs, position: Step) -> bool:
    return position.number == rules.height


@pytest.mark.interpreted
def test_costs_are_added_up():
    answer = beam.solve(Stairs(7), Step(0), Blind(), Budget(), width=50)
    assert (sorted(answer.moves), answer.length) == ([1, 3, 3], 5)
    assert beam.solve(Stairs(7), Step(0), Blind(), Budget(), width=50, cheaper_than=5).status == "limit"
