"""The puzzle engines against a naive twin, and what they promise about limits."""

import threading
import time
from collections import deque
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion.asking import find_engine
from ludion.core import tiers
from ludion.engines import best_first, breadth_first, ida_star, limits
from ludion.engines.budget import EVENT_NAMES, Budget, BudgetError, Observer
from ludion.games.taquin.notation import write
from ludion.kinds import puzzle
from ludion.kinds.puzzle import Blind, moves, play

UNGUIDED_ENGINES = ("breadth-first", "uniform-cost", "bidirectional")
OPTIMAL_ENGINES = ("breadth-first", "uniform-cost", "a-star", "ida-star", "bidirectional")
ALL_ENGINES = (*OPTIMAL_ENGINES, "greedy", "weighted-a-star")


def naive_distance(start: ludion.Position) -> int | None:
    """Breadth-first search with Python objects: the naive twin of all optimal engines."""
    seen, queue = {start.text}, deque([(start, 0)])
    while queue:
        position, distance = queue.popleft()
        if position.status == "solved":
            return distance
        for move in position.moves():
            child = position.play(move)
            if child.text not in seen:
                seen.add(child.text)
                queue.append((child, distance + 1))
    return None


class Walk:
    """Random positions of small boards, made by walking away from the goal."""

    boards = st.sampled_from(["1 2/3 0", "1 2 3/4 5 0", "a b c/h _ d/g f e"])
    steps = st.lists(st.integers(0, 11), max_size=12)


def away(board: str, steps: list[int]) -> ludion.Position:
    start = ludion.position("taquin", board, goal=board)
    state, buffer = start.state, np.zeros(4, np.int64)
    for step in steps:
        count = moves(start.rules, state, buffer)
        state = play(start.rules, state, int(buffer[step % count]))
    return ludion.position("taquin", write(start.rules, state), goal=board)


def replay(position: ludion.Position, line: tuple[str, ...]) -> str:
    return position.play(*line).status if line else position.status


@pytest.mark.interpreted
@given(Walk.boards, Walk.steps)
def test_all_engines_agree_with_the_naive_twin(board, steps):
    position = away(board, steps)
    distance = naive_distance(position) if len(board) < 12 else None
    lengths = set()
    for engine in OPTIMAL_ENGINES:
        answer = ludion.solve(position, engine)
        assert answer.status == "optimal"
        assert answer.length == len(answer.line) == answer.bound
        assert replay(position, answer.line) == "solved"
        lengths.add(answer.length)
    assert len(lengths) == 1
    assert distance is None or lengths == {distance}
    for engine in ("greedy", "weighted-a-star"):
        answer = ludion.solve(position, engine)
        assert answer.status == ("optimal" if answer.length == answer.bound else "solved")
        assert answer.length >= min(lengths)
        assert replay(position, answer.line) == "solved"
    weighted = ludion.solve(position, "weighted-a-star", weight=1.25)
    assert weighted.length <= 1.25 * min(lengths)


@pytest.mark.bounds
@pytest.mark.parametrize(
    ("engine", "heuristic"),
    [
        (engine, heuristic)
        for engine in ALL_ENGINES
        for heuristic in (
            [""] if engine in UNGUIDED_ENGINES else ["misplaced", "manhattan", "linear-conflict"]
        )
    ],
)
def test_every_heuristic_on_the_hardest_report_board(engine, heuristic):
    position = ludion.position("taquin", "level:report-5")
    answer = ludion.solve(position, engine, **({"heuristic": heuristic} if heuristic else {}))
    assert position.play(*answer.line).status == "solved"
    if engine in OPTIMAL_ENGINES:
        assert (answer.status, answer.length) == ("optimal", 30)
    else:
        assert (answer.status, answer.length >= 30) == ("solved", True)


def test_the_whole_space():
    corner = ludion.position("taquin", "1 2 3/4 5 6/7 8 0")
    layers = breadth_first.sweep(corner.rules, corner.state).details["layers"]
    assert (sum(layers), len(layers) - 1, layers[-1]) == (181_440, 31, 2)
    ring = ludion.position("taquin", "a b c/h _ d/g f e", goal="a b c/h _ d/g f e")
    layers = breadth_first.sweep(ring.rules, ring.state).details["layers"]
    assert (sum(layers), len(layers) - 1, layers[-1]) == (181_440, 30, 148)


@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_a_node_limit_is_kept_and_said(engine):
    position = ludion.position("taquin", "level:report-5")
    answer = ludion.solve(position, engine, nodes=40)
    assert (answer.status, answer.limit, answer.line) == ("limit", "nodes", ())
    assert 40 <= answer.nodes <= 48
    assert answer.reason
    assert answer.length is None


@pytest.mark.parametrize("engine", ["breadth-first", "uniform-cost", "a-star", "bidirectional"])
def test_a_memory_limit_is_kept_and_said(engine):
    position = ludion.position("taquin", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1")
    heuristic = "misplaced" if engine == "a-star" else ""
    answer = ludion.solve(position, engine, heuristic=heuristic, memory=3_000_000)
    assert (answer.status, answer.limit) == ("limit", "memory")
    assert answer.memory <= 3_000_000
    assert answer.nodes > 1000
    assert answer.bound > 1


@pytest.mark.parametrize("engine", ["breadth-first", "a-star", "ida-star", "bidirectional"])
def test_time_and_stop_take_effect_at_once(engine):
    position = ludion.position("taquin", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1")
    settings = {"heuristic": "misplaced"} if engine.endswith("star") else {}
    ludion.solve(position, engine, nodes=10, **settings)  # compiled
    answer = ludion.solve(position, engine, seconds=0.3, memory=8 << 30, **settings)
    assert (answer.status, answer.limit) == ("limit", "time")
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    begin = time.process_time()
    answer = ludion.solve(position, engine, observer=Observer(stop=stop), memory=8 << 30, **settings)
    assert (answer.status, answer.limit) == ("limit", "stopped")
    assert time.process_time() - begin < 5  # far from the hours that the search would take


@pytest.mark.parametrize(
    ("name", "value"),
    [*((name, value) for name in ("seconds", "nodes", "memory") for value in (0, -1)), ("depth", -1)],
)
def test_an_impossible_budget(name, value):
    with pytest.raises(BudgetError, match=name):
        Budget(**{name: value})


@pytest.mark.interpreted
@pytest.mark.parametrize("engine", ALL_ENGINES)
def test_an_observer_can_follow_the_search(engine):
    """Node, parent and move of the events rebuild every position that was looked at."""
    start = ludion.position("taquin", "level:report-1")
    observer = Observer(events=200)
    ludion.solve(start, engine, observer=observer)
    assert observer.seen
    positions = {}
    for event in observer.seen:
        assert event.kind in EVENT_NAMES
        if event.kind == "expanded":
            positions[event.node] = start if event.parent < 0 else positions[event.parent].play(event.move)
    assert len(positions) > 1


@pytest.mark.interpreted
def test_unsolvable_by_exhaustion():
    """Without the parity argument the engines find out themselves."""
    position = ludion.position("taquin", "1 2/3 0")
    broken = ludion.position("taquin", "2 1/3 0")
    answer = breadth_first.solve(position.rules, broken.state, None, Budget())
    assert (answer.status, answer.nodes) == ("unsolvable", 12)
    for engine in ("uniform-cost", "a-star", "greedy", "bidirectional"):
        _, entry = find_engine(position.game, engine)
        assert entry.solve(position.rules, broken.state, Blind(), Budget()).status == "unsolvable"


class Toll(NamedTuple):
    """Six places on a ring; a step to a neighbour costs 1, the ferry across costs 10. The goal is place 3."""


class Place(NamedTuple):
    place: int


FORWARD, BACK, FERRY = 1, 5, 3  # how far a move goes around the ring


@puzzle.moves.register(Toll)
def _(rules, position, buffer):
    buffer[0] = FERRY
    buffer[1] = FORWARD
    buffer[2] = BACK
    return 3


@puzzle.play.register(Toll)
def _(rules, position, move):
    return Place((position.place + move) % 6)


@puzzle.cost.register(Toll)
def _(rules, position, move):
    return 10 if move == FERRY else 1


@puzzle.is_goal.register(Toll)
def _(rules, position):
    return position.place == 3


@puzzle.goal.register(Toll)
def _(rules):
    return Place(3)


@puzzle.reverse.register(Toll)
def _(rules, move):
    return 6 - move


TOLL = ludion.Puzzle(
    name="toll",
    title="Toll",
    summary="walk, or take the expensive ferry",
    read=lambda text: (Toll(), Place(int(text))),
    write=lambda rules, position: str(position.place),
    start="0",
)


@pytest.mark.parametrize("engine", ["breadth-first", "bidirectional", "uniform-cost", "a-star", "ida-star"])
@pytest.mark.interpreted
def test_optimal_is_claimed_only_where_it_is_proved(engine):
    """Fewest moves are not least cost: breadth-first search takes the ferry for 10, where walking costs 3."""
    answer = ludion.solve(ludion.position(TOLL), engine)
    proves = engine not in ("breadth-first", "bidirectional")
    assert (answer.status, answer.length) == (("optimal", 3) if proves else ("solved", 10))
    assert answer.bound is None or answer.bound <= 3


@pytest.mark.tier("interpreted")
def test_a_cost_is_not_called_a_number_of_moves():
    ferry = ludion.solve(ludion.position(TOLL), "breadth-first")
    assert ferry.result().startswith("cost 10, 1 move, not proved optimal")
    assert str(ludion.solve(ludion.position(TOLL), "uniform-cost")).startswith("3 moves, optimal")
    across = next(each for each in ludion.analyse(ludion.position(TOLL, "1")) if each.length > 5)
    assert str(across) == "cost 11, 2 moves"


class Road(NamedTuple):
    """Places on a line, each `toll` from the next; a jump over one place costs one more than two steps."""

    toll: int
    goal: int


@puzzle.moves.register(Road)
def _(rules, position, buffer):
    buffer[0] = 2
    buffer[1] = 1
    return 2


@puzzle.play.register(Road)
def _(rules, position, move):
    return Place(position.place + move)


@puzzle.cost.register(Road)
def _(rules, position, move):
    return rules.toll * move + move - 1


@puzzle.is_goal.register(Road)
def _(rules, position):
    return position.place == rules.goal


ROAD = ludion.Puzzle(
    name="road",
    title="Road",
    summary="walk or jump along a road with tolls",
    read=lambda text: (Road(*map(int, text.split())), Place(0)),
    write=lambda rules, position: f"{rules.toll} {rules.goal - position.place}",
    start="1 5",
)


@pytest.mark.parametrize("engine", ["uniform-cost", "a-star", "ida-star", "weighted-a-star"])
@pytest.mark.parametrize(("toll", "goal"), [(8_000_000, 12), (300_000, 9), (7, 40)])
@pytest.mark.interpreted
def test_moves_may_cost_millions(engine, toll, goal):
    if engine == "ida-star" and goal == 40:
        goal = 8  # it searches every sum of ones and twos
    with tiers.use(tiers.INTERPRETED):
        answer = ludion.solve(ludion.position(ROAD, f"{toll} {goal}"), engine)
    assert (answer.length, len(answer.moves)) == (toll * goal, goal)
    assert answer.status == ("solved" if engine == "weighted-a-star" else "optimal")


@pytest.mark.parametrize("oldest_first", [False, True])
def test_far_entries_keep_the_order_of_equal_priorities(oldest_first):
    """The same search in buckets and in the heap: every cost multiplied, the same nodes."""
    with tiers.use(tiers.INTERPRETED):
        near, far = (
            ludion.solve(ludion.position(ROAD, f"{toll} 9"), "uniform-cost", oldest_first=oldest_first)
            for toll in (100, 8_000_000)
        )
    assert (near.nodes, near.expanded, near.moves) == (far.nodes, far.expanded, far.moves)


def test_a_line_of_moves_longer_than_the_first_room(monkeypatch):
    """IDA* makes room for more moves where the bound allows them."""
    monkeypatch.setattr(ida_star, "FIRST_DEPTH", 2)
    with tiers.use(tiers.INTERPRETED):
        answer = ludion.solve(ludion.position(ROAD, "1000 6"), "ida-star")
    assert (answer.status, answer.length, len(answer.moves)) == ("optimal", 6000, 6)


def test_interpreted_kernels_look_often_enough_whether_to_stop():
    """Plain Python expands some hundred positions per second: a search looks at STOP every few of them."""
    start = ludion.position("taquin", "0 12 9 13/15 11 10 14/3 7 2 5/4 8 6 1")
    nothing = np.zeros((0, limits.EVENT_FIELDS), np.int64)
    searches = (
        lambda control: best_first.search(
            start.rules, start.state, Blind(), 1, 0, False, True, control, nothing
        ),
        lambda control: breadth_first.search(
            start.rules, start.state, breadth_first.ENTERING, control, nothing
        ),
    )
    for search in searches:
        control = np.zeros(16, np.int64)
        control[limits.NODE_LIMIT] = control[limits.MEMORY_LIMIT] = limits.UNLIMITED
        control[limits.STOP] = 1
        with tiers.use(tiers.INTERPRETED):
            assert search(control)[0] == limits.STOPPED
        assert control[limits.EXPANDED] <= 16
