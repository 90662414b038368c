"""Rush Hour: the solver beside fogleman's, one board, many boards, and boards of more than one word.

Times are CPU seconds of the process (of the child, for the peer, start included); only the line on threads is about
the clock on the wall. The peer is fogleman's C++ solver, if LUDION_PEER_FOGLEMAN names it (see README.md). Its
database, a line `moves board positions` for each board, is used for the batch if `LUDION_RUSH_DATABASE` names the file.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import ludion
from benchmarks import peers
from benchmarks.measure import Row, child_cpu, claim, cpu, in_turn, median, ratios, sample
from ludion.core import clock
from ludion.core.verbs import kernel
from ludion.core.words import borrowed
from ludion.engines.budget import Budget
from ludion.engines.limits import NODE_LIMIT
from ludion.engines.tables import (
    FIRST_CAPACITY,
    find,
    find_or_add,
    grown,
    has_room,
    hash_of,
    new_store,
    words_at,
)
from ludion.engines.trial import new_buffer, with_spare
from ludion.games.rush_hour import GAME, report, solver
from ludion.games.rush_hour.analysis import explore
from ludion.games.rush_hour.generator import DIFFICULTIES
from ludion.games.rush_hour.heuristics import chains
from ludion.games.rush_hour.notation import read, write
from ludion.kinds.puzzle import estimate, most_moves, moves, pack, play, unpack

RECORD = "BBBCDEFGGCDEF.AADEHHI....JI.KK.JLLMM"
LEVELS = {level.name: level for level in GAME.all_levels()}
BATCH = 10_000


def boards_for_batch() -> list[tuple[str, int | None]]:
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


def beside_the_peer() -> list[Row]:
    """The levels of 6x6 without walls, here and there."""
    boards = [
        level.position for level in LEVELS.values() if len(level.position) == 36 and "x" not in level.position
    ]
    works = {"ours": lambda: cpu(lambda: [answer for _, answer in solver.batch(boards, {})])}
    program = peers.command("fogleman")
    if program is not None:
        works["theirs"] = lambda: child_cpu([program], "\n".join(boards) + "\n")
    works["ours"]()  # compiled
    taken = in_turn(**works)
    ours, answers = taken["ours"]
    rows = [claim(f"{len(boards)} levels, moves", sample(ours, 1000), "ms")]
    if "theirs" in taken:
        theirs, lines = taken["theirs"]
        lengths = [int(line.split()[-1]) for line in lines]
        assert lengths == [answer.length for answer in answers], "lengths differ"
        rows.append(claim("... by fogleman's C++, all lengths equal", sample(theirs, 1000), "ms"))
        ratio = ratios(theirs, ours)
        rows.append(claim("... ratio", ratio, "times", "at least 10", median(ratio) >= 10))
    return rows


def one_board() -> list[Row]:
    """The hardest board, by the specialist and by the general engine."""
    rows = []
    for metric in ("steps", "moves"):
        game, start = read(RECORD, metric=metric)
        tables, control = solver.thread_tables(), np.zeros(16, np.int64)
        control[NODE_LIMIT] = 1 << 62
        works = {
            "bare": lambda: cpu(lambda: solver.search(game, start, tables, control)),  # noqa: B023
            "fast": lambda: cpu(lambda: solver.solve(game, start, None, Budget())),  # noqa: B023
            "slow": lambda: cpu(lambda: report.breadth_first(game, start, None, Budget())),  # noqa: B023
        }
        for work in works.values():
            work()  # compiled
        taken = in_turn(20, **works)
        (bare, _), (fast, answer), (slow, general) = taken["bare"], taken["fast"], taken["slow"]
        assert (answer.moves, answer.nodes) == (general.moves, general.nodes)
        cell, limit = sample(fast, 1000), {"steps": 4.0, "moves": 0.0}[metric]
        what = f"the 93-step board, {metric} ({answer.length})"
        wanted = f"below {limit:g}" if limit else ""
        rows.append(claim(what, cell, "ms", wanted, not limit or median(cell) < limit))
        rate = sample([answer.nodes / seconds / 1e6 for seconds in bare])
        what = f"... positions seen, {metric}, search alone"
        rows.append(claim(what, rate, "M/s", "at least 5", median(rate) >= 5))
        ratio = ratios(slow, fast)
        what = f"... time of the general engine, {metric}"
        rows.append(claim(what, ratio, "times", "above 1", median(ratio) > 1))
    return rows


def solve_file(boards: list[tuple[str, int | None]], jobs: int) -> list[Any]:
    """Read a file and solve all its boards."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "boards.txt"
        file.write_text("\n".join(text for text, _ in boards) + "\n")
        with file.open() as lines:
            return [answer for _, answer in solver.batch((line.strip() for line in lines), {}, jobs)]


def many_boards() -> list[Row]:
    """A file of boards on one core."""
    boards = boards_for_batch()
    source = "fogleman's database" if os.environ.get("LUDION_RUSH_DATABASE") else "the levels' components"
    list(solver.batch([RECORD], {}))  # compiled
    seconds, answers = in_turn(3, one=lambda: cpu(lambda: solve_file(boards, 1)))["one"]
    assert [answer.length for answer in answers] == [length for _, length in boards]
    nodes = sum(answer.nodes for answer in answers)
    rate = sample([len(boards) / each for each in seconds])
    what = f"{len(boards):,} boards from {source}, one core"
    return [
        claim(what, rate, "boards/s", "at least 2,500", median(rate) >= 2500),
        claim("... positions seen", sample([nodes / each / 1e6 for each in seconds]), "M/s"),
    ]


def calls() -> list[Row]:
    """The 64 generated levels, asked one by one and as a batch."""
    boards = [level.position for name, level in LEVELS.items() if name.split("-")[0] in DIFFICULTIES]
    works = {
        "calls": lambda: [ludion.solve(ludion.position("rush-hour", board)) for board in boards],
        "batch": lambda: list(solver.batch(boards, {})),
    }
    for work in works.values():
        work()  # compiled
    taken = in_turn(20, **{name: lambda work=work: cpu(work) for name, work in works.items()})
    each, together = taken["calls"][0], taken["batch"][0]
    ratio = ratios(each, together)
    return [
        claim(f"{len(boards)} levels, `ludion.solve` each", sample(each, 1000), "ms"),
        claim("... as a batch", sample(together, 1000), "ms"),
        claim("... ratio", ratio, "times", "at most 1.3", median(ratio) <= 1.3),
    ]


def two_jobs() -> list[Row]:
    """The same with one job and with two, on the clock: worth reading on an idle machine of two cores only."""
    boards, clock = boards_for_batch(), time.perf_counter
    list(solver.batch([RECORD], {}))  # compiled
    walls = in_turn(
        3,
        one=lambda: cpu(lambda: solve_file(boards, 1), clock),
        two=lambda: cpu(lambda: solve_file(boards, 2), clock),
    )
    ratio = ratios(walls["one"][0], walls["two"][0])
    return [claim("one job beside two, on the clock", ratio, "times", "about 2", median(ratio) > 1.6)]


def heuristics() -> list[Row]:
    """What each heuristic saves A* on the report's ten levels: nodes, which are the same on any machine."""
    rows = []
    for metric in ("moves", "steps"):
        boards = [ludion.position("rush-hour", f"level:{number}", metric=metric) for number in range(1, 11)]
        seen = {
            name: sum(ludion.solve(board, "a-star", heuristic=name).nodes for board in boards)
            for name in ("blind", "distance", "blockers", "clearance", "chains")
        }
        for name, nodes in seen.items():
            saved = 100 * (1 - nodes / seen["blind"])
            rows.append({"heuristic": f"{name}, {metric}", "nodes": nodes, "saved": saved})
            print(f"  {rows[-1]}", flush=True)
    return rows


def components() -> list[Row]:
    """Whole components: distances, numbers of ways, detours of all positions."""
    rows = []
    for name in ("record-51-moves", "10", "8"):
        game, start = read(LEVELS[name].position)
        explore(game, start)  # compiled
        seconds, found = in_turn(10, one=lambda: cpu(lambda: explore(game, start)))["one"]  # noqa: B023
        rate = sample([len(found) / each / 1e6 for each in seconds])
        what = f"level {name}, {len(found):,} positions"
        rows.append(claim(what, rate, "M/s", "at least 3", median(rate) >= 3))
    return rows


def larger_boards(quick: bool = False) -> list[Row]:
    """Boards of a course: 9x9 and 12x12, within 2 GB and a minute of processor time."""
    rows = []
    names = ("course-9x9-4", "course-9x9-5", "course-9x9-6", "course-12x12-7")
    for name in names[: 1 if quick else None]:
        board = ludion.position("rush-hour", f"level:{name}")
        engines = ("best", ""), ("novelty", "chains"), ("relaxed", "chains"), ("breadth-first", "")
        for engine, heuristic in engines:
            ludion.solve(board, engine, heuristic=heuristic, nodes=10)
            with clock.cpu_limits():
                answer = ludion.solve(board, engine, heuristic=heuristic, seconds=60)
            bound = f"at least {answer.bound}" + (f" ({answer.limit})" if answer.limit else "")
            length = ", ".join(
                [f"{answer.length}"] * answer.found
                + [bound] * (answer.status != "optimal" and answer.bound is not None)
            )
            rows.append(
                {
                    "board": f"{name}, {engine}",
                    "moves": length,
                    "nodes": answer.nodes,
                    "seconds": answer.cpu_seconds,
                    "megabytes": answer.memory / 1e6,
                }
            )
            print(f"  {rows[-1]}", flush=True)
    return rows


UNPACK, MOVES, PLAY, HASH, FIND, ESTIMATE = range(6)


@kernel
def explored(rules: Any, start: Any, count: int) -> Any:
    """A store of this many positions around the start, breadth first, and how many of them are expanded."""
    words, most = pack(rules, start), most_moves(rules)
    store, buffer, head = new_store(len(words), FIRST_CAPACITY), new_buffer(most), 0
    find_or_add(store, words, -1)
    while store.count[0] < count and head < store.count[0]:
        while not has_room(store, most):
            store = grown(store, words)
        position = unpack(rules, words_at(store, head, words), start)
        for k in range(moves(rules, position, buffer)):
            find_or_add(store, pack(rules, play(rules, position, buffer[k])), head)
        head += 1
    return store, head


@kernel
def part_of_expanding(
    rules: Any, start: Any, heuristic: Any, store: Any, first: int, last: int, part: int, buffer: Any
) -> Any:
    """Do what expanding these positions takes, up to this part; the number of moves, and a sum of all results."""
    rules, start, heuristic, store, buffer = borrowed((rules, start, heuristic, store, buffer))
    words, count, total = pack(rules, start), 0, 0
    for number in range(first, last):
        position = unpack(rules, words_at(store, number, words), start)
        total += position.occupied[0]
        listed = moves(rules, position, buffer) if part >= MOVES else 0
        count += listed
        for k in range(listed if part >= PLAY else 0):
            child = play(rules, position, buffer[k])
            packed = pack(rules, child)
            total += packed[0]
            if part == HASH:
                total += hash_of(packed)
            elif part == FIND:
                total += find(store, packed)
            elif part == ESTIMATE:
                total += estimate(heuristic, rules, child)
    return count, total


def expanding() -> list[Row]:
    """What each part of expanding a position takes, for each of its moves, in a store of a million positions."""
    rows = []
    for name in ("course-9x9-4", "course-9x9-5", "course-12x12-7"):
        board = ludion.position("rush-hour", f"level:{name}")
        rules, start, guide = board.rules, board.state, chains(board.rules)
        store, expanded = explored(rules, start, 1_000_000)
        first, last = expanded // 2, expanded // 2 + min(20_000, expanded // 2)
        buffer = np.zeros(with_spare(int(most_moves(rules))), np.int64)

        def run(part: int) -> Any:
            return part_of_expanding(rules, start, guide, store, first, last, part, buffer)  # noqa: B023

        run(UNPACK)
        taken = in_turn(
            **{str(part): lambda part=part: cpu(lambda: run(part)) for part in range(UNPACK, ESTIMATE + 1)}
        )
        count = int(taken[str(ESTIMATE)][1][0])
        until = [1e9 * min(taken[str(part)][0]) / count for part in range(UNPACK, ESTIMATE + 1)]
        rows.append(
            {
                "board": name,
                "moves": count / (last - first),
                "new": int(store.count[0]) / expanded,
                "list": until[MOVES],
                "play": until[PLAY] - until[MOVES],
                "hash": until[HASH] - until[PLAY],
                "find": until[FIND] - until[HASH],
                "estimate": until[ESTIMATE] - until[PLAY],
            }
        )
        print(f"  {rows[-1]}", flush=True)
    return rows


PEERS = {"peer": ("fogleman",)}
LAYOUTS = {
    "heuristics": [("A\\* with", "{heuristic}"), ("nodes, ten levels", "{nodes}"), ("saved, %", "{saved}")],
    "expanding": [
        ("board", "{board}"),
        ("moves of a position", "{moves}"),
        ("new ones", "{new}"),
        ("unpack, list the moves, ns", "{list}"),
        ("play, pack", "{play}"),
        ("hash", "{hash}"),
        ("find", "{find}"),
        ("`chains`", "{estimate}"),
    ],
    "larger": [
        ("board, engine", "{board}"),
        ("moves", "{moves}"),
        ("nodes", "{nodes}"),
        ("CPU s", "{seconds}"),
        ("MB", "{megabytes}"),
    ],
}
PARTS = {
    "peer": beside_the_peer,
    "board": one_board,
    "batch": many_boards,
    "calls": calls,
    "jobs": two_jobs,
    "heuristics": heuristics,
    "components": components,
    "larger": larger_boards,
    "expanding": expanding,
}
