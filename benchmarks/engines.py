"""What all games rely on: the compiled engines' speed, and how long the commands take to start."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

import ludion
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


def best_of(times: int, work: Any, clock: Any = time.process_time) -> tuple[float, Any]:
    """The shortest of several times, and the last result: CPU time, which a busy machine hardly changes."""
    found = []
    for _ in range(times):
        begin = clock()
        result = work()
        found.append(clock() - begin)
    return min(found), result


def row(what: str, measured: float, unit: str, wanted: str, ok: bool, **more: Any) -> dict[str, Any]:
    print(f"| {what} | {measured:,.3g} {unit} | {wanted} | {'yes' if ok else 'NO'} |", flush=True)
    return {"what": what, "measured": measured, "unit": unit, "wanted": wanted, "ok": ok, **more}


def negamax() -> list[dict[str, Any]]:
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

    rounds = [
        (best_of(1, lambda: ludion.solve(board, "negamax", depth=depth)), best_of(1, by_hand))
        for _ in range(5)
    ]
    general = min(seconds for (seconds, _), _ in rounds)
    own = min(seconds for _, (seconds, _) in rounds)
    answer, value = rounds[-1][0][1], rounds[-1][1][1]
    assert (answer.nodes, int(answer.score)) == (int(control[0]), value), "the two do not agree"
    rate = answer.nodes / general / 1e6
    return [
        row("negamax, all of tic-tac-toe", rate, "M nodes/s", ">= 50", rate >= 50, nodes=answer.nodes),
        row("... time beside one for this game alone", general / own, "x", "<= 1.3", general / own <= 1.3),
    ]


def a_star(count: int) -> list[dict[str, Any]]:
    """A* with Manhattan on random 3x3 boards."""
    chance = random.Random(1)
    boards = []
    while len(boards) < count:
        tiles = list("012345678")
        chance.shuffle(tiles)
        board = ludion.position("taquin", "/".join(" ".join(tiles[r : r + 3]) for r in (0, 3, 6)))
        if ludion.solve(board, "a-star", heuristic="manhattan", nodes=1).status != "unsolvable":
            boards.append(board)

    answers = [ludion.solve(board, "a-star", heuristic="manhattan") for board in boards]
    assert all(answer.status == "optimal" for answer in answers)
    expanded = sum(answer.expanded for answer in answers)
    seconds = sum(answer.seconds for answer in answers)  # of the searches alone
    rate = expanded / seconds / 1e6
    return [row(f"A* with Manhattan, {count} random 3x3 boards", rate, "M expanded/s", ">= 1", rate >= 1)]


def sweep() -> list[dict[str, Any]]:
    """All 181,440 positions of the 3x3 Taquin."""
    board = ludion.position("taquin", "level:report-5")
    ludion.solve(board, "breadth-first", nodes=10)
    seconds, answer = best_of(5, lambda: ludion.solve(board, "breadth-first"))
    return [row(f"breadth-first, {answer.nodes:,} positions of 3x3", seconds, "s", "< 0.2", seconds < 0.2)]


def starts() -> list[dict[str, Any]]:
    """Whole commands, warm."""
    found = []
    for arguments, limit in ((("--help",), 0.3), (("solve", "taquin", "1 2 3/4 5 6/0 7 8"), 1.0)):
        command = [sys.executable, "-m", "ludion", *arguments]
        subprocess.run(command, capture_output=True, check=True)
        seconds, _ = best_of(
            5,
            lambda command=command: subprocess.run(command, capture_output=True, check=True),
            time.perf_counter,
        )
        name = " ".join(arguments[:2])
        found.append(row(f"`ludion {name}`, start to end", seconds, "s", f"< {limit}", seconds < limit))
    return found


def compilations() -> list[dict[str, Any]]:
    """One engine for one game, with nothing on disk: what the first use costs beyond a later one."""
    found = []
    for game, engine in (("tic-tac-toe", "alpha-beta"), ("taquin", "breadth-first"), ("taquin", "a-star")):
        command = [sys.executable, "-m", "ludion", "solve", game, "--engine", engine, "--nodes", "10"]
        with tempfile.TemporaryDirectory() as empty:
            settings = {**os.environ, "LUDION_CACHE_DIR": empty}
            cold, _ = best_of(
                1,
                lambda c=command, s=settings: subprocess.run(c, capture_output=True, env=s),
                time.perf_counter,
            )
            warm, _ = best_of(
                3,
                lambda c=command, s=settings: subprocess.run(c, capture_output=True, env=s),
                time.perf_counter,
            )
        found.append(row(f"compiling {engine} for {game}", cold - warm, "s", "< 5", cold - warm < 5))
    return found


def main(quick: bool = False) -> list[dict[str, Any]]:
    """All of it, as a table."""
    print(f"ludion {getattr(ludion, '__version__', '')}".strip() + ": general engines\n")
    print("CPU time, the shortest of several runs; starts are wall time (an idle machine is wanted).\n")
    print("| what | measured | wanted | kept |\n|---|---:|---:|---|")
    return [*negamax(), *a_star(50 if quick else 1000), *sweep(), *starts(), *compilations()]


if __name__ == "__main__":
    main()
