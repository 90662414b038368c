"""What all games rely on: the speed of the compiled engines, and what it costs to compile them."""

from __future__ import annotations

import os
import random
import sys
import tempfile
from typing import Any

import numpy as np

import ludion
from benchmarks.measure import ROUNDS, Row, child_cpu, claim, cpu, in_turn, median, ratios, sample
from ludion.core.verbs import kernel
from ludion.core.words import lowest
from ludion.kinds.duel import WIN


@kernel
def alone(own: int, other: int, full: int, lines: Any, depth: int, ply: int, control: Any) -> int:
    """Negamax for k-in-a-row boards and nothing else, as one would write it by hand."""
    control[0] += 1
    for i in range(lines.size):
        if other & lines[i] == lines[i]:
            return ply - WIN
    if own | other == full:
        return 0
    if ply == depth:
        points = 0
        for i in range(lines.size):
            if other & lines[i] == 0:
                points += 1
            if own & lines[i] == 0:
                points -= 1
        return points
    best = -WIN - 1
    free = full & ~(own | other)
    while free:
        value = -alone(other, own | 1 << lowest(free), full, lines, depth, ply + 1, control)
        best = max(best, value)
        free &= free - 1
    return best


def negamax() -> list[Row]:
    """The general negamax beside one for this game alone: all of tic-tac-toe."""
    board = ludion.position("tic-tac-toe")
    depth = 9
    ludion.solve(board, "negamax", depth=2)
    control = np.zeros(1, np.int64)
    game, state = board.rules, board.state
    alone(state.own, state.other, game.full, game.alignments, 1, 0, control)

    def by_hand() -> int:
        control[0] = 0
        return int(alone(state.own, state.other, game.full, game.alignments, depth, 0, control))

    def general() -> tuple[float, Any]:
        answer = ludion.solve(board, "negamax", depth=depth)
        return answer.cpu_seconds, answer

    taken = in_turn(2 * ROUNDS, general=general, own=lambda: cpu(by_hand))
    (searches, answer), (own, value) = taken["general"], taken["own"]
    assert (answer.nodes, int(answer.score)) == (int(control[0]), value), "the two do not agree"
    rate = sample([answer.nodes / seconds / 1e6 for seconds in searches])
    ratio = ratios(searches, own)
    return [
        claim("negamax, all of tic-tac-toe", rate, "M nodes/s", "at least 50", median(rate) >= 50),
        claim(
            "... time beside one for this game alone", ratio, "times", "at most 1.15", median(ratio) <= 1.15
        ),
    ]


def one_call() -> list[Row]:
    """What a question costs that needs no search: a position before its last move."""
    board = ludion.position("tic-tac-toe", "xox/oxo/ox.")
    calls = 200

    def ask() -> None:
        for _ in range(calls):
            ludion.solve(board, "negamax")

    ask()
    seconds, _ = in_turn(calls=lambda: cpu(ask))["calls"]
    return [claim("one call of `ludion.solve`, without its search", sample(seconds, 1000 / calls), "ms")]


def a_star(count: int) -> list[Row]:
    """A* with Manhattan on random 3x3 boards."""
    chance = random.Random(1)
    boards = []
    while len(boards) < count:
        tiles = list("012345678")
        chance.shuffle(tiles)
        board = ludion.position("taquin", "/".join(" ".join(tiles[r : r + 3]) for r in (0, 3, 6)))
        if ludion.solve(board, "a-star", heuristic="manhattan", nodes=1).status != "unsolvable":
            boards.append(board)

    def searches() -> tuple[float, int]:
        answers = [ludion.solve(board, "a-star", heuristic="manhattan") for board in boards]
        assert all(answer.status == "optimal" for answer in answers)
        seconds = sum(answer.cpu_seconds for answer in answers)  # of the searches alone
        return seconds, sum(answer.expanded for answer in answers)

    seconds, expanded = in_turn(searches=searches)["searches"]
    rate = sample([expanded / each / 1e6 for each in seconds])
    what = f"A\\* with Manhattan, {count} random 3x3 boards"
    return [claim(what, rate, "M expanded/s", "at least 1", median(rate) >= 1)]


def sweep() -> list[Row]:
    """All 181,440 positions of the 3x3 Taquin."""
    board = ludion.position("taquin", "level:report-5")
    ludion.solve(board, "breadth-first", nodes=10)
    seconds, answer = in_turn(sweep=lambda: cpu(lambda: ludion.solve(board, "breadth-first")))["sweep"]
    taken = sample(seconds)
    what = f"breadth-first, {answer.nodes:,} positions of 3x3"
    return [claim(what, taken, "s", "below 0.2", median(taken) < 0.2)]


def compilations() -> list[Row]:
    """One engine for one game, with nothing on disk: what the first use costs beyond a later one."""
    found = []
    easy = {"tic-tac-toe": "xox/oxo/ox.", "taquin": "1 2 3/4 5 6/0 7 8"}  # answered at once
    for game, engine in (("tic-tac-toe", "alpha-beta"), ("taquin", "breadth-first"), ("taquin", "a-star")):
        command = [sys.executable, "-m", "ludion", "solve", game, easy[game], "--engine", engine]
        with tempfile.TemporaryDirectory() as empty:
            settings = {**os.environ, "LUDION_CACHE_DIR": empty, "LUDION_TIER": "compiled"}
            cold, _ = child_cpu(command, env=settings)
            warm = median(sample([child_cpu(command, env=settings)[0] for _ in range(3)]))
        what = f"compiling {engine} for {game}, once"
        found.append(claim(what, cold - warm, "s", "below 5", cold - warm < 5))
    return found


def speed(quick: bool = False) -> list[Row]:
    """The general engines."""
    return [*negamax(), *one_call(), *a_star(50 if quick else 1000), *sweep()]


PARTS = {"speed": speed, "compiling": compilations}
