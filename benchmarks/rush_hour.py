"""Rush Hour: the solver beside fogleman's, one board, many boards, and boards of more than one word.

Times are CPU seconds of the process (of the child, for the peer, start included), the best of several; only
the line on threads is about the clock on the wall. The peer is a program `fogleman-rush` on the PATH: the C++
solver of github.com/fogleman/rush (directory cpp) with a main that reads one board a line and prints it with
its moves:

    int main() { std::string s; Solver v; while (std::getline(std::cin, s)) { Board b(s);
                 std::cout << s << ' ' << v.CountMoves(b) << '\\n'; } }

Its database, a line `moves board positions` for each board, is used for the batch if `LUDION_RUSH_DATABASE`
names the file.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import ludion
from benchmarks import peers
from ludion.engines.budget import Budget
from ludion.engines.limits import NODE_LIMIT
from ludion.games.rush_hour import GAME, report, solver
from ludion.games.rush_hour.analysis import explore
from ludion.games.rush_hour.notation import read, write

RECORD = "BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM"
LEVELS = {level.name: level for level in GAME.all_levels()}
BATCH = 10_000


def row(
    what: str, measured: float, unit: str, wanted: str = "", ok: bool = True, **more: Any
) -> dict[str, Any]:
    kept = "" if not wanted else "yes" if ok else "NO"
    print(f"| {what} | {measured:,.3g} {unit} | {wanted} | {kept} |", flush=True)
    return {"what": what, "measured": measured, "unit": unit, "wanted": wanted, "ok": ok, **more}


def cpu(work: Callable[[], Any], times: int = 5) -> tuple[float, Any]:
    """The least CPU time of several runs, and the last result."""
    least, result = float("inf"), None
    for _ in range(times):
        begin = time.process_time()
        result = work()
        least = min(least, time.process_time() - begin)
    return least, result


def child_cpu(command: str, text: str, times: int = 3) -> tuple[float, list[str]]:
    """The same for a program that is given the text."""
    least, lines = float("inf"), []
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([command], input=text, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        lines = done.stdout.splitlines()
    return least, lines


def sample() -> list[tuple[str, int | None]]:
    """Boards for the batch, with their lengths where they are known."""
    database = os.environ.get("LUDION_RUSH_DATABASE")
    chance = random.Random(1)
    if database:
        lines = [line.split() for line in Path(database).read_text().splitlines() if line.strip()]
        chance.shuffle(lines)
        return [(line[1], int(line[0])) for line in lines[:BATCH]]
    boards: list[tuple[str, int | None]] = []
    named = [level for level in LEVELS.values() if "positions" in level.known]
    for level in named:  # positions of the levels' components, so that easy and hard ones are among them
        game, position = read(level.position)
        found = explore(game, position)
        for number in chance.choices(range(len(found)), k=-(-BATCH // len(named))):
            boards.append((write(game, found.position(number)), int(found.distances[number])))
    chance.shuffle(boards)
    return boards[:BATCH]


def beside_the_peer() -> list[dict[str, Any]]:
    """The levels of up to 6x6 without walls, here and there."""
    boards = [
        level.position for level in LEVELS.values() if len(level.position) == 36 and "x" not in level.position
    ]
    ours, answers = cpu(lambda: [answer for _, answer in solver.batch(boards, {})])
    program = peers.command("fogleman-rush")
    rows = [row(f"{len(boards)} levels, moves", ours * 1000, "ms")]
    if program is None:
        print("| fogleman-rush | not on the PATH: left out | | |")
        return rows
    theirs, lines = child_cpu(program, "\n".join(boards) + "\n")
    assert [int(line.split()[1]) for line in lines] == [answer.length for answer in answers], "lengths differ"
    rows.append(row("... the same by fogleman's C++ (all lengths equal)", theirs * 1000, "ms"))
    return [*rows, row("... ratio", theirs / ours, "x", ">= 10", theirs / ours >= 10)]


def one_board() -> list[dict[str, Any]]:
    """The hardest board, by the specialist and by the general engine."""
    rows = []
    for metric in ("steps", "moves"):
        game, start = read(RECORD, metric=metric)
        tables, control = solver.kept_tables(), np.zeros(16, np.int64)
        control[NODE_LIMIT] = 1 << 62
        bare, _ = cpu(lambda: solver.search(game, start, *tables, control), 40)  # noqa: B023
        fast, answer = cpu(lambda: solver.solve(game, start, None, Budget()), 40)  # noqa: B023
        slow, general = cpu(lambda: report.breadth_first(game, start, None, Budget()), 10)  # noqa: B023
        assert (answer.moves, answer.nodes) == (general.moves, general.nodes)
        name = f"the 93-step board, {metric} ({answer.length})"
        wanted, ok = ("< 4", fast < 0.004) if metric == "steps" else ("", True)
        rows.append(row(name, fast * 1000, "ms", wanted, ok, nodes=answer.nodes))
        rate = answer.nodes / bare / 1e6
        rows.append(row("... positions seen, search alone", rate, "M/s", ">= 5", rate >= 5))
        rows.append(row("... time of the general engine, ratio", slow / fast, "x", "> 1", slow > fast))
    return rows


def many_boards() -> list[dict[str, Any]]:
    """Reading a file and solving all its boards."""
    boards = sample()
    source = "fogleman's database" if os.environ.get("LUDION_RUSH_DATABASE") else "the levels' components"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "boards.txt"
        file.write_text("\n".join(text for text, _ in boards) + "\n")

        def solve_file(jobs: int) -> list[Any]:
            with file.open() as lines:
                return [answer for _, answer in solver.batch((line.strip() for line in lines), {}, jobs)]

        seconds, answers = cpu(lambda: solve_file(1), 3)
        assert [answer.length for answer in answers] == [length for _, length in boards]
        walls = {}
        for jobs in (1, 2):
            begin = time.perf_counter()
            solve_file(jobs)
            walls[jobs] = time.perf_counter() - begin
    nodes = sum(answer.nodes for answer in answers)
    rate = len(boards) / seconds
    return [
        row(f"batch of {len(boards):,} from {source}, one core", rate, "boards/s", ">= 2500", rate >= 2500),
        row("... positions seen", nodes / seconds / 1e6, "M/s"),
        row(
            "... wall time of 1 job / of 2 jobs",
            walls[1] / walls[2],
            "x",
            "about 2",
            walls[1] / walls[2] > 1.6,
        ),
    ]


def heuristics() -> list[dict[str, Any]]:
    """What each heuristic saves A* on the report's ten levels."""
    rows = []
    for metric in ("moves", "steps"):
        seen = {}
        for name in ("blind", "distance", "blockers", "clearance"):
            boards = [
                ludion.position("rush-hour", f"level:{number}", metric=metric) for number in range(1, 11)
            ]
            begin = time.process_time()
            answers = [ludion.solve(board, "a-star", heuristic=name) for board in boards]
            seen[name] = sum(answer.nodes for answer in answers)
            spent = time.process_time() - begin
            saved = 100 * (1 - seen[name] / seen["blind"])
            rows.append(
                row(
                    f"A* with {name}, ten levels, {metric}: nodes",
                    seen[name],
                    f"({saved:.1f} % saved)",
                    seconds=spent,
                )
            )
    return rows


def larger_boards(quick: bool) -> list[dict[str, Any]]:
    """Boards of a course: 9x9 and 12x12, within 2 GB."""
    rows = []
    for name in (
        ("course-9x9-4",) if quick else ("course-9x9-4", "course-9x9-5", "course-9x9-6", "course-12x12-7")
    ):
        board = ludion.position("rush-hour", f"level:{name}")
        for engine in ("best", "breadth-first"):
            answer = ludion.solve(board, engine, seconds=300)
            said = (
                f"{answer.length} moves" if answer.found else f"{answer.limit}, at least {answer.bound} moves"
            )
            what = f"{name}, {answer.engine}: {said}; {answer.nodes:,} nodes, {answer.memory / 1e6:,.0f} MB"
            rows.append(
                row(what, answer.seconds, "s", "<= 2 GB", answer.memory <= 2 << 30, length=answer.length)
            )
    return rows


def main(quick: bool = False) -> list[dict[str, Any]]:
    """All of it, as a table."""
    print("| what | measured | wanted | kept |\n|---|---:|---:|---|")
    list(solver.batch([RECORD], {}))  # compile
    for metric in ("moves", "steps"):
        report.breadth_first(*read(RECORD, metric=metric), None, Budget(nodes=10))
    return [*beside_the_peer(), *one_board(), *many_boards(), *heuristics(), *larger_boards(quick)]


if __name__ == "__main__":
    main()
