"""What all games rely on: the speed of the compiled engines, and what it costs to compile them."""

from __future__ import annotations

import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import ludion
from benchmarks.measure import ROUNDS, Row, child_cpu, claim, cpu, in_turn, median, ratios, sample
from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix
from ludion.engines import projections
from ludion.games.taquin.heuristics import manhattan
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
            "... its time beside negamax for this game alone",
            ratio,
            "times",
            "at most 1.1",
            median(ratio) <= 1.1,
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


@kernel
def lengthened(numbers: Any) -> Any:
    """A copy of twice the length."""
    longer = np.empty(2 * numbers.size, numbers.dtype)
    longer[: numbers.size] = numbers
    return longer


@kernel
def rehashed(slots: Any, keys: Any, count: int) -> Any:
    """Twice as many slots, which have the numbers of these keys, counted from 1."""
    larger = np.zeros(2 * slots.size, np.int32)
    for number in range(count):
        slot = mix(keys[number], 0) >> 15 & larger.size - 1
        while larger[slot] != 0:
            slot = (slot + 1) & larger.size - 1
        larger[slot] = number + 1
    return larger


@kernel
def breadth_first_alone(word: int, blank: int, goal: int, near: Any) -> Any:
    """Breadth-first search of small Taquin boards and nothing else: the length and the positions seen."""
    slots, keys = np.zeros(1 << 11, np.int32), np.empty(1 << 10, np.int64)
    blanks, parents = np.empty(1 << 10, np.int8), np.empty(1 << 10, np.int32)
    keys[0], blanks[0], parents[0] = word, blank, -1
    slots[mix(word, 0) >> 15 & slots.size - 1] = 1
    count = 1
    head = 0
    while head < count:
        if count + 4 > keys.size:
            slots = rehashed(slots, keys, count)
            keys, blanks, parents = lengthened(keys), lengthened(blanks), lengthened(parents)
        while head < count and count + 4 <= keys.size:
            key, here = keys[head], np.int64(blanks[head])
            for direction in range(4):
                there = near[here, direction]
                if there < 0:
                    continue
                tile = key >> 4 * there & 15
                child = key ^ tile << 4 * there ^ tile << 4 * here
                slot = mix(child, 0) >> 15 & slots.size - 1
                while slots[slot] != 0 and keys[slots[slot] - 1] != child:
                    slot = (slot + 1) & slots.size - 1
                if slots[slot] != 0:
                    continue
                keys[count], blanks[count], parents[count] = child, there, head
                count += 1
                slots[slot] = count
                if child == goal:
                    length = 0
                    while head >= 0:
                        length += 1
                        head = np.int64(parents[head])
                    return length, count
            head += 1
    return -1, count


@kernel
def a_star_alone(word: int, blank: int, goal: int, near: Any, distance: Any) -> Any:
    """A* with the Manhattan distance for small Taquin boards and nothing else: length, positions seen and expanded."""
    slots, keys = np.zeros(1 << 11, np.int32), np.empty(1 << 10, np.int64)
    blanks, parents = np.empty(1 << 10, np.int8), np.empty(1 << 10, np.int32)
    costs, estimates = np.empty(1 << 10, np.int32), np.empty(1 << 10, np.int32)
    closed = np.zeros(1 << 10, np.int8)
    heads = np.zeros(256, np.int32)  # of the entries by priority; the next entry, and the position of each
    following, numbers = np.empty(1 << 10, np.int32), np.empty(1 << 10, np.int32)
    first = 0
    for cell in range(9):
        tile = word >> 4 * cell & 15
        first += distance[tile, cell] if tile else 0
    keys[0], blanks[0], parents[0], costs[0], estimates[0] = word, blank, -1, 0, first
    slots[mix(word, 0) >> 15 & slots.size - 1] = 1
    heads[first], following[1], numbers[1] = 1, 0, 0
    entries = count = 1
    expanded = 0
    lowest = first
    while True:
        if count + 4 > keys.size:
            slots = rehashed(slots, keys, count)
            keys, blanks, parents = lengthened(keys), lengthened(blanks), lengthened(parents)
            costs, estimates, closed = lengthened(costs), lengthened(estimates), lengthened(closed)
            closed[count:] = 0
        if entries + 5 > numbers.size:
            following, numbers = lengthened(following), lengthened(numbers)
        while count + 4 <= keys.size and entries + 5 <= numbers.size:
            while heads[lowest] == 0:
                lowest += 1
                if lowest == heads.size:
                    return -1, count, expanded
            entry = heads[lowest]
            heads[lowest] = following[entry]
            number = np.int64(numbers[entry])
            if closed[number]:
                continue
            closed[number] = 1
            key, here = keys[number], np.int64(blanks[number])
            if key == goal:
                return np.int64(costs[number]), count, expanded
            expanded += 1
            cost = costs[number] + 1
            for direction in range(4):
                there = near[here, direction]
                if there < 0:
                    continue
                tile = key >> 4 * there & 15
                child = key ^ tile << 4 * there ^ tile << 4 * here
                slot = mix(child, 0) >> 15 & slots.size - 1
                while slots[slot] != 0 and keys[slots[slot] - 1] != child:
                    slot = (slot + 1) & slots.size - 1
                if slots[slot] == 0:
                    other = count
                    count += 1
                    slots[slot] = count
                    keys[other], blanks[other] = child, there
                    estimates[other] = estimates[number] + distance[tile, here] - distance[tile, there]
                else:
                    other = np.int64(slots[slot]) - 1
                    if costs[other] <= cost:
                        continue
                    closed[other] = 0
                parents[other], costs[other] = number, cost
                entries += 1
                priority = cost + estimates[other]
                following[entries], numbers[entries] = heads[priority], other
                heads[priority] = entries
                lowest = min(lowest, priority)


def a_star(count: int) -> list[Row]:
    """A* with Manhattan on random 3x3 boards, and one for these alone."""
    chance = random.Random(1)
    boards = []
    while len(boards) < count:
        tiles = list("012345678")
        chance.shuffle(tiles)
        board = ludion.position("taquin", "/".join(" ".join(tiles[r : r + 3]) for r in (0, 3, 6)))
        if ludion.solve(board, "a-star", heuristic="manhattan", nodes=1).status != "unsolvable":
            boards.append(board)
    rules = boards[0].rules
    distance = manhattan(rules).distance

    def by_hand(board: Any) -> Any:
        start, goal = board.state, rules.target[0]
        return a_star_alone(start.words[0], start.blank, goal, rules.beside, distance)

    by_hand(boards[0])
    searches, own = [], []
    # Board by board in turn: both begin with the caches that a call of `solve` leaves.
    for _ in range(2 * ROUNDS):
        general_seconds, own_seconds, expanded = 0.0, 0.0, 0
        for board in boards:
            answer = ludion.solve(board, "a-star", heuristic="manhattan")
            seconds, found = cpu(lambda board=board: by_hand(board), time.thread_time)
            assert (answer.length, answer.nodes, answer.expanded) == tuple(map(int, found)), "they disagree"
            general_seconds, own_seconds = general_seconds + answer.cpu_seconds, own_seconds + seconds
            expanded += answer.expanded
        searches.append(general_seconds)
        own.append(own_seconds)
    rate, ratio = sample([expanded / each / 1e6 for each in searches]), ratios(searches, own)
    what = f"A\\* with Manhattan, {count} random 3x3 boards"
    return [
        claim(what, rate, "M expanded/s", "at least 1", median(rate) >= 1),
        claim(
            "... its time beside A\\* for this game alone",
            ratio,
            "times",
            "at most 1.1",
            median(ratio) <= 1.1,
        ),
    ]


def sweep() -> list[Row]:
    """Nearly all positions of the 3x3 Taquin, and a search for this game alone."""
    board = ludion.position("taquin", "level:report-5")
    rules, start = board.rules, board.state
    ludion.solve(board, "breadth-first", nodes=10)

    def general() -> tuple[float, Any]:
        answer = ludion.solve(board, "breadth-first")
        return answer.cpu_seconds, answer

    def by_hand() -> Any:
        return breadth_first_alone(start.words[0], start.blank, rules.target[0], rules.beside)

    by_hand()
    taken = in_turn(2 * ROUNDS, general=general, own=lambda: cpu(by_hand))
    (searches, answer), (own, found) = taken["general"], taken["own"]
    assert (answer.length, answer.nodes) == tuple(map(int, found)), "the two do not agree"
    seconds, ratio = sample(searches), ratios(searches, own)
    what = f"breadth-first, {answer.nodes:,} positions of 3x3"
    return [
        claim(what, seconds, "s", "below 0.2", median(seconds) < 0.2),
        claim(
            "... its time beside breadth-first for this game alone",
            ratio,
            "times",
            "at most 1.1",
            median(ratio) <= 1.1,
        ),
    ]


def tables() -> list[Row]:
    """Pattern databases of ten pancakes: how long they take to make, and what A* sees with them."""
    game = ludion.load_game_file(str(Path(__file__).parents[1] / "examples" / "pancakes.py"))
    stacks = []
    for seed in range(5):
        cakes = list(range(1, 11))
        random.Random(seed).shuffle(cakes)
        stacks.append(ludion.position(game, " ".join(map(str, cakes))))
    rules = stacks[0].rules
    rows = []
    for name, automatic, positions in (("pattern-database", False, 1_000_000), ("automatic", True, 100_000)):

        def make(automatic: bool = automatic, positions: int = positions) -> Any:
            projections._recent.clear()
            return projections.pattern_database(rules, positions, automatic)

        usual = projections.data_folder
        try:
            seconds = []
            for _ in range(ROUNDS + 1):
                with tempfile.TemporaryDirectory() as empty:
                    projections.data_folder = lambda empty=empty: Path(empty)
                    seconds.append(cpu(make)[0])
        finally:
            projections.data_folder = usual
        rows.append(claim(f"making `{name}`, ten pancakes", sample(seconds[1:]), "s"))
    for name in ("uniform cost", "gaps", "pattern-database", "automatic"):
        engine, heuristic = ("uniform-cost", "") if name == "uniform cost" else ("a-star", name)
        answers = [ludion.solve(stack, engine, heuristic=heuristic) for stack in stacks]
        assert all(answer.status == "optimal" for answer in answers)
        nodes = sum(answer.nodes for answer in answers) / len(answers)
        rows.append(claim(f"... positions a stack, {name}", nodes))
    return rows


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


PARTS = {"speed": speed, "tables": tables, "compiling": compilations}
