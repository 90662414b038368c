"""The duel engines against a naive twin, and what they promise about limits."""

import _thread
import functools
import random
import signal
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludion
from ludion import answers
from ludion.answers import Score
from ludion.engines.budget import Observer
from ludion.kinds import duel

BOARDS = (".../.../...", "4x3/3", "3x4/3", "2x5/2")


def naive_value(position: ludion.Position, depth: int, ply: int = 0) -> int:
    """Negamax by recursion over Python objects: the naive twin of negamax and alpha-beta."""
    status = position.status
    if status == "lost":
        return ply - duel.WIN
    if status == "drawn":
        return 0
    if depth == ply:
        open_lines = 0
        for line in position.rules.alignments.tolist():
            open_lines += (position.state.other & line == 0) - (position.state.own & line == 0)
        return open_lines
    return max(-naive_value(position.play(move), depth, ply + 1) for move in position.codes())


@functools.cache
def random_position(board: str, seed: int) -> ludion.Position:
    choose = random.Random(seed)
    position = ludion.position("tic-tac-toe", board)
    for _ in range(choose.randrange(2, 8)):
        child = position.play(choose.choice(position.codes()))
        if child.status != "open":
            break
        position = child
    return position


@pytest.mark.interpreted
@pytest.mark.bounds
@given(st.sampled_from(BOARDS), st.integers(0, 200), st.integers(1, 4))
def test_negamax_and_alpha_beta_agree_with_the_naive_twin(board, seed, depth):
    position = random_position(board, seed)
    expected = naive_value(position, depth)
    answer = ludion.solve(position, "negamax", depth=depth)
    assert int(answer.score) == expected
    for switched_off in (
        {},
        {"table": False},
        {"symmetry": False},
        {"ordering": False},
        {"table": False, "ordering": False},
    ):
        answer = ludion.solve(position, "alpha-beta", depth=depth, **switched_off)
        assert int(answer.score) == expected
        assert answer.line[0] in position.moves()


@pytest.mark.parametrize("board", BOARDS)
def test_the_proved_value_is_that_of_plain_negamax(board):
    for seed in range(40):
        position = random_position(board, seed)
        plain = ludion.solve(position, "negamax")
        quick = ludion.solve(position, "alpha-beta")
        assert plain.status == quick.status == "optimal"
        assert plain.score == quick.score, position.text
        assert position.play(*plain.line).status != "open"


def test_alpha_beta_sees_fewer_nodes_with_each_help():
    position = ludion.position("tic-tac-toe", "4x4/4:x.../..../..../...o")
    nodes = [
        ludion.solve(position, "negamax", depth=6).nodes,
        ludion.solve(position, "alpha-beta", depth=6, ordering=False, table=False).nodes,
        ludion.solve(position, "alpha-beta", depth=6, table=False).nodes,
        ludion.solve(position, "alpha-beta", depth=6, symmetry=False).nodes,
    ]
    assert nodes[0] > nodes[1] > nodes[3]
    assert nodes[0] > nodes[2] > nodes[3]


def test_monte_carlo_finds_the_win_and_the_defence():
    assert (
        ludion.best_move(ludion.position("tic-tac-toe", "xx./oo./..."), "monte-carlo", nodes=20_000) == "c1"
    )
    assert (
        ludion.best_move(ludion.position("tic-tac-toe", "x../oo./x.."), "monte-carlo", nodes=20_000) == "c2"
    )


@pytest.mark.interpreted
def test_monte_carlo_is_the_same_for_the_same_seed():
    position = ludion.position("tic-tac-toe", "x../.o./...")
    first, second = (ludion.solve(position, "monte-carlo", nodes=2000, seed=7) for _ in range(2))
    assert (first.line, first.nodes, first.score) == (second.line, second.nodes, second.score)
    assert ludion.solve(position, "monte-carlo", nodes=2000, seed=8).details != first.details


@pytest.mark.parametrize("engine", ["alpha-beta", "monte-carlo", "negamax"])
def test_limits(engine):
    position = ludion.position("tic-tac-toe", "7x7/5")
    ludion.solve(position, engine, nodes=100, depth=2)  # compiled
    answer = ludion.solve(position, engine, nodes=5000)
    assert answer.limit == "nodes"
    assert 5000 <= answer.nodes < 5200
    begin = time.process_time()
    answer = ludion.solve(position, engine, seconds=0.3)
    assert answer.limit == "time"
    assert time.process_time() - begin < 5
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    answer = ludion.solve(position, engine, observer=Observer(stop=stop))
    assert answer.limit == "stopped"
    if engine == "negamax":
        assert (answer.status, answer.line) == ("limit", ())
    else:
        assert answer.line[0] in position.moves()  # the best so far is kept


def test_ctrl_c_keeps_the_best_so_far():
    position = ludion.position("tic-tac-toe", "7x7/5")
    ludion.solve(position, "alpha-beta", depth=2)  # compiled
    threading.Timer(0.5, _thread.interrupt_main).start()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a background shell ignores it
    try:
        answer = ludion.solve(position, "alpha-beta", seconds=60)
    finally:
        signal.signal(signal.SIGINT, before)
    assert answer.limit == "stopped"
    assert answer.line[0] in position.moves()


@pytest.mark.interpreted
@pytest.mark.parametrize("engine", ["alpha-beta", "negamax", "monte-carlo"])
def test_an_observer_can_follow_the_search(engine):
    start = ludion.position("tic-tac-toe", "x../.o./...")
    observer = Observer(events=100)
    ludion.solve(start, engine, observer=observer, **({"nodes": 500} if engine == "monte-carlo" else {}))
    positions = {}
    for event in observer.seen:
        if event.kind == "expanded":
            positions[event.node] = start if event.parent < 0 else positions[event.parent].play(event.move)
    assert len(positions) > 5


@pytest.mark.interpreted
def test_scores_are_ordered_and_speak():
    ladder = [
        Score.loss_in(2),
        Score.loss_in(4),
        Score(-3),
        Score(0),
        Score(12),
        Score.win_in(9),
        Score.win_in(1),
    ]
    assert sorted(ladder, key=lambda score: score) == ladder
    assert [str(score) for score in ladder] == [
        "loss in 1 move",
        "loss in 2 moves",
        "-3 points",
        "even",
        "+12 points",
        "win in 5 moves",
        "win in 1 move",
    ]
    assert str(Score(0, True)) == "draw"
    assert str(Score.win_in(0)) == "won"
    assert -Score.win_in(3) == Score.loss_in(3)
    assert (answers.WIN, answers.HIGHEST) == (duel.WIN, duel.HIGHEST)
