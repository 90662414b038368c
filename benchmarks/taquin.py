"""Taquin: the general IDA* beside one written by hand, making of tables, Korf's boards, the 24-puzzle, large boards.

Times are CPU seconds. Tables are made in a folder of their own first, then kept where they always are. Peers are
Kociemba's and clausecker's solvers, if LUDION_PEER_KOCIEMBA and LUDION_PEER_CLAUSECKER name them (see README.md).
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import ludion
from benchmarks import peers
from benchmarks.measure import Row, child_cpu, claim, cpu, in_turn, median, ratios, sample
from ludion.answers import Answer
from ludion.core import clock
from ludion.core.verbs import kernel
from ludion.engines import ida_star
from ludion.engines.budget import Budget
from ludion.games.taquin import pattern_databases
from ludion.games.taquin.additive import pattern_database
from ludion.games.taquin.generator import generate
from ludion.games.taquin.heuristics import manhattan
from ludion.registry import find

LEVELS = {level.name: level for level in find("taquin").all_levels()}
PEERS = {"korf": ("kociemba",), "twenty_four": ("clausecker",)}


@kernel
def by_hand(board: Any, distance: Any, near: Any) -> Any:
    """IDA* with the Manhattan distance for the 15-puzzle and nothing else: its length, and the positions made."""
    blank = 0
    first = 0
    for cell in range(16):
        if board[cell] == 0:
            blank = cell
        else:
            first += distance[board[cell], cell]
    turns = np.zeros(128, np.int64)
    blanks = np.zeros(128, np.int64)
    left = np.zeros(128, np.int64)
    bound = first
    nodes = 1
    while True:
        beyond = 1000
        depth = 0
        turns[0] = 0
        blanks[0] = blank
        left[0] = first
        while depth >= 0:
            here = blanks[depth]
            turn = turns[depth]
            if turn == 4:
                if depth > 0:
                    board[here] = board[blanks[depth - 1]]
                    board[blanks[depth - 1]] = 0
                depth -= 1
                continue
            turns[depth] = turn + 1
            there = near[here, turn]
            if there < 0 or (depth > 0 and there == blanks[depth - 1]):
                continue
            nodes += 1
            tile = board[there]
            then = left[depth] + distance[tile, here] - distance[tile, there]
            if depth + 1 + then > bound:
                beyond = min(beyond, depth + 1 + then)
                continue
            if then == 0:
                return depth + 1, nodes
            board[here] = tile
            board[there] = 0
            depth += 1
            blanks[depth] = there
            turns[depth] = 0
            left[depth] = then
        bound = beyond


def solve_all(names: list[str], heuristic: Any) -> tuple[float, int]:
    """Solve these levels with IDA*: CPU seconds and positions in all. Every length must be the known one."""
    positions = [(name, ludion.position("taquin", f"level:{name}")) for name in names]
    ida_star.solve(positions[0][1].rules, positions[0][1].state, heuristic, Budget(nodes=1000))
    seconds, nodes = 0.0, 0
    for name, position in positions:
        spent, answer = cpu(lambda p=position: ida_star.solve(p.rules, p.state, heuristic, Budget()))
        assert answer.length == LEVELS[name].known["moves"], (name, answer)
        seconds += spent
        nodes += answer.nodes
    return seconds, nodes


def by_manhattan() -> list[Row]:
    """The general engine beside the same algorithm for this game alone, on the same boards."""
    names = [n for n, level in LEVELS.items() if 5e6 < level.known.get("manhattan_nodes", 0) < 2e7][:4]
    positions = [ludion.position("taquin", f"level:{name}") for name in names]
    heuristic = manhattan(positions[0].rules)
    boards = [np.array([int(tile) for tile in p.text.replace("/", " ").split()]) for p in positions]
    near = positions[0].rules.beside
    by_hand(boards[0].copy(), heuristic.distance, near)
    solve_all(names[:1], heuristic)

    def by_hands() -> tuple[float, int]:
        spent, found = cpu(lambda: [by_hand(board.copy(), heuristic.distance, near) for board in boards])
        return spent, sum(each[1] for each in found)

    taken = in_turn(general=lambda: solve_all(names, heuristic), hand=by_hands)
    (general, nodes), (hand, count) = taken["general"], taken["hand"]
    assert count == nodes == sum(LEVELS[name].known["manhattan_nodes"] for name in names)
    speed, ratio = sample([nodes / seconds / 1e6 for seconds in general]), ratios(hand, general)
    return [
        claim("IDA\\*, Manhattan, Korf's counts", speed, "M nodes/s", "at least 80", median(speed) >= 80),
        claim(
            "... its speed beside one written by hand", ratio, "times", "at least 0.95", median(ratio) >= 0.95
        ),
    ]


def making(quick: bool = False) -> list[Row]:
    rows = []
    wanted = [("korf-1", "5-5-5", 1), ("korf-1", "6-6-3", 8)]
    if not quick:
        wanted += [("korf-1", "7-8", 60), ("korf-24-40", "6-6-6-6", 60)]
    make_tables("korf-1", "5-5-5")  # from now on the kernels are ready
    for level, partition, most in wanted:
        seconds = make_tables(level, partition)
        rows.append(claim(f"making {partition}", seconds, "s", f"below {most}", seconds < most))
    return rows


def make_tables(level: str, partition: str) -> float:
    """CPU seconds of making the tables of a partition, in an empty folder."""
    usual = pattern_databases.data_folder
    game = ludion.position("taquin", f"level:{level}").rules
    plan = pattern_databases.layout(game, pattern_databases.partition(game, partition))
    with tempfile.TemporaryDirectory() as folder:
        pattern_databases.data_folder = lambda: Path(folder)
        pattern_databases._held.clear()
        seconds, _ = cpu(lambda: pattern_databases.tables(plan))
    pattern_databases._held.clear()
    pattern_databases.data_folder = usual
    return seconds


def korf(quick: bool = False) -> list[Row]:
    rows = []
    every = [f"korf-{number}" for number in range(1, 101)]
    game = ludion.position("taquin", "level:korf-1").rules
    wanted = [("5-5-5", 8.0, 3_730_000), ("6-6-3", 1.5, 565_000)] + ([] if quick else [("7-8", 0.35, 38_400)])
    for partition, most, most_nodes in wanted:
        heuristic = pattern_database(game, partition)
        solve_all(every[:10], heuristic)
        taken = in_turn(3, ours=lambda h=heuristic: solve_all(every, h), **peer_works("korf", every))
        seconds, nodes = taken.pop("ours")
        cell = sample(seconds)
        rows.append(claim(f"Korf's 100 with {partition}", cell, "s", f"below {most}", median(cell) < most))
        each = nodes / 100
        rows.append(
            claim(
                f"... positions per board, {partition}",
                each,
                "",
                f"at most {most_nodes:,}",
                each <= most_nodes,
            )
        )
        for name, (spent, _) in taken.items():
            rows.append(
                claim(f"... time of {name}'s solver beside {partition}", ratios(spent, seconds), "times")
            )
    return rows


def calls() -> list[Row]:
    """Korf's 100 asked with `ludion.solve`, beside the engine alone with the same tables."""
    positions = [ludion.position("taquin", f"level:korf-{number}") for number in range(1, 101)]
    tables = ludion.solve(positions[0]).heuristic.removeprefix("pattern-database ")
    heuristic = pattern_database(positions[0].rules, tables)
    works = {
        "calls": lambda: [ludion.solve(each) for each in positions],
        "engine": lambda: [ida_star.solve(each.rules, each.state, heuristic, Budget()) for each in positions],
    }
    for work in works.values():
        work()  # compiled
    taken = in_turn(5, **{name: lambda work=work: cpu(work) for name, work in works.items()})
    ratio = ratios(taken["calls"][0], taken["engine"][0])
    return [
        claim(f"Korf's 100 with {tables}, `ludion.solve` each", sample(taken["calls"][0]), "s"),
        claim("... time beside the engine alone", ratio, "times", "at most 1.3", median(ratio) <= 1.3),
    ]


def peer_works(part: str, names: list[str]) -> dict[str, Any]:
    """The solvers of others on the same boards, those that are there; every length must be the known one."""
    boards = [LEVELS[name].position.replace("/", " ") for name in names]
    lengths = [LEVELS[name].known["moves"] for name in names]
    works = {}
    for peer in PEERS[part]:
        program = peers.command(peer)
        if program is not None:

            def solve(program: str = program) -> tuple[float, list[str]]:
                start, _ = child_cpu([program])  # loads its tables
                spent, lines = child_cpu([program], "\n".join(boards) + "\n")
                assert [int(line.split()[-1]) for line in lines] == lengths, "lengths differ"
                return max(1e-9, spent - start), lines

            works[peer] = solve
    return works


def farthest() -> list[Row]:
    """The three boards that need 80 moves."""
    heuristic = pattern_database(ludion.position("taquin", "level:farthest-1").rules, "7-8")
    rows = []
    for number in (1, 2, 3):
        level = f"farthest-{number}"
        seconds = sample(in_turn(3, ours=lambda level=level: solve_all([level], heuristic))["ours"][0])
        rows.append(
            claim(f"80-move board {number} with 7-8", seconds, "s", "below 1.2", median(seconds) < 1.2)
        )
    return rows


def twenty_four(quick: bool = False) -> list[Row]:
    if quick:
        return []
    heuristic = pattern_database(ludion.position("taquin", "level:korf-24-40").rules, "6-6-6-6")
    rows = []
    for number in (38, 40, 25, 32):
        name = f"korf-24-{number}"
        works = peer_works("twenty_four", [name])
        taken = in_turn(3, ours=lambda name=name: solve_all([name], heuristic), **works)
        seconds, nodes = taken.pop("ours")
        assert nodes - 1 == LEVELS[name].known["nodes"], "the published count does not include the start"
        speed = sample([nodes / each / 1e6 for each in seconds])
        rows.append(claim(f"24-puzzle {number}, {nodes - 1:,} positions", sample(seconds), "s"))
        rows.append(claim(f"... {number}, speed", speed, "M nodes/s", "at least 20", median(speed) >= 20))
        for peer, (spent, _) in taken.items():
            rows.append(claim(f"... {number}, time of {peer}'s solver", ratios(spent, seconds), "times"))
    return rows


def large(quick: bool = False) -> list[Row]:
    """Random boards that are too large for a proof, in five seconds each.

    Searches count CPU time. The engine for 5x5 to 8x8 also looks at the clock between them, so beside other work its
    ratios are worse.
    """
    rows = []
    ratios_of_5x5 = []
    for seed in range(3 if quick else 10):
        answer = solved_in_cpu_time("5x5", seed)
        ratios_of_5x5.append(answer.length / answer.bound if answer.length else 99.0)
    worst = max(ratios_of_5x5)
    rows.append(
        claim("random 5x5 boards in 5 s, longest length / bound", worst, "", "at most 1.25", worst <= 1.25)
    )
    for size in ("4x6", "6x6", "8x8", "10x10", "12x12", "16x16"):
        answer = solved_in_cpu_time(size, 1)
        ratio = answer.length / answer.bound if answer.length else 99.0
        rows.append(claim(f"a random {size} board in 5 s, length / bound", ratio, "", "solved", ratio < 99))
    return rows


def solved_in_cpu_time(size: str, seed: int) -> Answer:
    """The answer about a random board; the five seconds of its searches are CPU time."""
    with clock.cpu_limits():
        return ludion.solve(ludion.position("taquin", generate(seed, size=size)), seconds=5)


PARTS = {
    "speed": by_manhattan,
    "making": making,
    "korf": korf,
    "calls": calls,
    "farthest": farthest,
    "twenty_four": twenty_four,
    "large": large,
}
