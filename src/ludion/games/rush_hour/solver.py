"""Breadth-first search on packed keys: the specialist for boards of one word (up to 8x8 and 21 vehicles).

It sees the same positions in the same order as the general engine, some three times as fast: moves are made
and looked up one by one without a list between, the bitboard of a position is stored beside its key, tables
are kept from one search to the next without being cleared, and a search that outgrows them starts again in
larger ones.

    slots:   hash of the key -> base + number + 1; what is not above `base` is left from an earlier search
    keys, boards, parents: number -> offsets, occupied cells, number of the position it was reached from

`batch` reads and solves many boards without coming back to Python between them.
"""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, UNSOLVABLE, Answer
from ludion.core.verbs import kernel
from ludion.core.words import lowest, mix
from ludion.engines import best_first
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FRONTIER,
    MEMORY,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    STOP,
    STOPPED,
    UNLIMITED,
    run,
)
from ludion.errors import LudionError, unknown
from ludion.games.rush_hour import GAME, report
from ludion.games.rush_hour.heuristics import Clearance
from ludion.games.rush_hour.notation import read, write_move
from ludion.games.rush_hour.rules import (
    AHEAD,
    BEHIND,
    CELLS,
    EMPTY,
    FINE,
    PLAIN,
    SHORTEST_SIDE,
    WALL,
    RushHour,
    Traffic,
    assemble,
    plain_moves,
    survey,
    why_unsolvable,
)
from ludion.kinds.puzzle import is_goal, most_moves, play

FIRST_CAPACITY = 1 << 15
PER_POSITION = 8 + 8 + 4 + 2 * 4  # bytes
MOST_LAYERS = 1 << 12
UNREADABLE = -1  # besides the ways in which a search can end
LONGEST_OF_ONE_WORD = 8
CHUNK = 128  # boards that a thread solves before Python looks at them


class Tables(NamedTuple):
    """Room for `keys.size` positions; see the module's drawing."""

    slots: np.ndarray
    keys: np.ndarray
    boards: np.ndarray
    parents: np.ndarray
    base: np.ndarray  # base[0]
    layers: np.ndarray  # layers[d]: how many positions a finished layer has


def new_tables(capacity: int) -> Tables:
    return Tables(
        np.zeros(capacity * 2, np.int32),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.zeros(1, np.int64),
        np.zeros(MOST_LAYERS, np.int64),
    )


_kept = threading.local()


def kept_tables() -> Tables:
    """The tables of this thread."""
    if not hasattr(_kept, "tables"):
        _kept.tables = new_tables(FIRST_CAPACITY)
    return _kept.tables  # type: ignore[no-any-return]


# ------------------------------------------------------------------ one board


def solve(
    rules: RushHour, start: Traffic, guide: Any, budget: Budget, observer: Observer | None = None
) -> Answer:
    """breadth-first on packed keys for boards of one word; A* with clearance for larger ones"""
    if rules.order != PLAIN:
        return report.breadth_first(rules, start, guide, budget, observer)
    if len(start.offsets) > 1 or len(start.occupied) > 1:
        return replace(
            best_first.a_star(rules, start, Clearance(), budget, observer),
            engine="a-star",
            heuristic="clearance",
        )
    if observer is not None and observer.events:  # the general engine tells what it does
        return report.breadth_first(rules, start, guide, budget, observer)
    tables = kept_tables()  # of the caller's thread: the one that searches is new each time

    def work(control: Any, trace: Any) -> Any:
        here, capacity = tables, FIRST_CAPACITY
        while True:
            control[MEMORY] = max(control[MEMORY], capacity * PER_POSITION)
            result = search(rules, start, *here, control)
            capacity *= 4
            while capacity * PER_POSITION > budget.memory:
                capacity //= 2
            if result[0] != OUT_OF_MEMORY or capacity <= here.keys.size:
                return (*result, here)
            here = new_tables(capacity)

    try:
        outcome = run(work, budget, observer)
    except BaseException:  # the search may go on in them
        del _kept.tables
        raise
    ended, goal, depth, used = outcome.result
    way = (
        tuple(way_to(rules, goal, start, used.keys, used.boards, used.parents).tolist())
        if ended == FOUND
        else ()
    )
    return _answer(ended, way, depth, outcome.control, used.layers[:depth].tolist(), outcome.seconds, outcome)


def _answer(
    ended: int,
    way: tuple[int, ...],
    depth: int,
    control: Any,
    layers: Any,
    seconds: float,
    outcome: Any = None,
) -> Answer:
    status = {FOUND: OPTIMAL, EXHAUSTED: UNSOLVABLE}.get(ended, LIMIT)
    nodes = int(control[NODES])
    finished = depth - 1
    if status == UNSOLVABLE:
        reason = f"none of the {nodes} positions that can be reached is a goal"
    else:
        reason = f"no goal within {finished} moves; {nodes} positions seen" if status == LIMIT else ""
    return Answer(
        status,
        way,
        length=len(way) if status == OPTIMAL else None,
        nodes=nodes,
        expanded=int(control[EXPANDED]),
        depth=finished,
        bound=len(way) if status == OPTIMAL else finished + 1 if status == LIMIT else None,
        seconds=seconds,
        memory=int(control[MEMORY]),
        engine="packed",
        limit=outcome.limit_name(ended)
        if outcome
        else {OUT_OF_NODES: "nodes", OUT_OF_MEMORY: "memory"}.get(ended, ""),
        reason=reason,
        details={"layers": layers} if layers is not None else {},
    )


@kernel
def search(
    rules: RushHour,
    start: Traffic,
    slots: Any,
    keys: Any,
    boards: Any,
    parents: Any,
    base_of: Any,
    layers: Any,
    control: Any,
) -> tuple[int, int, int]:
    """Return how it ended, the number of the goal, and how many layers were finished."""
    if base_of[0] + keys.size >= 1 << 31:
        slots[:] = 0
        base_of[0] = 0
    base = base_of[0]
    mask = slots.size - 1
    vehicles = rules.vehicles
    vehicle_count = vehicles.shape[0]
    room = keys.size - most_moves(rules)
    target = rules.target
    by_step = rules.by_step
    keys[0] = start.offsets[0]
    boards[0] = start.occupied[0]
    parents[0] = -1
    slots[(mix(keys[0], 0) >> 15) & mask] = base + 1
    count = 1
    head = 0
    depth = 0
    layer_start = 0
    layer_end = 1
    ended = EXHAUSTED
    goal = -1
    moved = -1
    before = 0
    if is_goal(rules, start):
        ended = FOUND
        goal = 0
        head = 1
    while ended == EXHAUSTED and head < count:
        if head == layer_end:
            layers[depth] = layer_end - layer_start
            depth = min(depth + 1, layers.size - 1)
            layer_start = layer_end
            layer_end = count
            control[DEPTH] = depth
        if count > room:
            ended = OUT_OF_MEMORY
            break
        key = keys[head]
        board = boards[head]
        if head > 0:  # which vehicle moved last, and where it was
            parent = keys[parents[head]]
            moved = lowest(key ^ parent) // 3
            before = parent >> 3 * moved & 7
        for vehicle in range(vehicle_count):
            # Other slides of the vehicle that moved last lead to where its own slide could have led; so does
            # a step back.
            if vehicle == moved and not by_step:
                continue
            shift = 3 * vehicle
            here = key >> shift & 7
            others = board ^ vehicles[vehicle, CELLS + 3 * here]
            rest = key ^ here << shift
            for side in range(BEHIND, AHEAD + 1):
                step = 2 * side - 3
                there = here
                while board & vehicles[vehicle, CELLS + 3 * there + side] == 0:
                    there += step
                    if vehicle == moved and there == before:
                        break
                    child = rest | there << shift
                    slot = (mix(child, 0) >> 15) & mask
                    number = np.int64(slots[slot]) - base
                    while number > 0 and keys[number - 1] != child:
                        slot = (slot + 1) & mask
                        number = np.int64(slots[slot]) - base
                    if number <= 0:
                        slots[slot] = base + count + 1
                        keys[count] = child
                        boards[count] = others | vehicles[vehicle, CELLS + 3 * there]
                        parents[count] = head
                        count += 1
                        if vehicle == 0 and there == target and ended == EXHAUSTED:
                            ended = FOUND
                            goal = count - 1
                    if by_step or ended == FOUND:
                        break
                if ended == FOUND:
                    break
            if ended == FOUND:
                break
        if ended == FOUND:
            break
        head += 1
        if head & 255 == 0:
            control[NODES] = count
            control[EXPANDED] = head
            control[FRONTIER] = count - head
            if control[STOP] != 0:
                ended = STOPPED
        if count >= control[NODE_LIMIT]:
            ended = OUT_OF_NODES
    if ended == EXHAUSTED:
        layers[depth] = count - layer_start
        depth += 1
    base_of[0] = base + count
    control[NODES] = count
    control[EXPANDED] = head
    return ended, goal, depth


@kernel
def way_to(rules: RushHour, goal: int, start: Traffic, keys: Any, boards: Any, parents: Any) -> Any:
    """The moves that lead to the position of this number."""
    length = 0
    number: Any = goal
    while parents[number] >= 0:
        length += 1
        number = np.int64(parents[number])
    way = np.empty(length, np.int64)
    buffer = np.empty(most_moves(rules), np.int64)
    number = goal
    while length > 0:
        length -= 1
        parent = np.int64(parents[number])
        position = Traffic((keys[parent],), (boards[parent],))
        for k in range(plain_moves(rules, position, buffer)):
            if play(rules, position, buffer[k]).offsets[0] == keys[number]:
                way[length] = buffer[k]
                break
        number = parent
    return way


# ------------------------------------------------------------------ many boards


def batch(
    texts: Iterable[str],
    options: Mapping[str, str],
    jobs: int = 1,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> Iterator[tuple[str, Answer | LudionError]]:
    """Solve many boards, `jobs` threads at a time: each text with its answer, or with its fault, in order.

    Boards that need more than the compiled reader offers (faults, more than one word, a time limit) are
    solved one by one. The seconds of an answer are its share, by positions seen, of the time of its chunk.
    """
    budget = budget or Budget()
    stop = np.zeros(1, np.int64)  # for the compiled searches; the observer's for those that go through Python
    observer = observer or Observer()
    alone = replace(budget, memory=max(1, budget.memory // jobs))
    pending: deque[Future[list[tuple[str, Answer | LudionError]]]] = deque()
    waiting = iter(texts)
    with ThreadPoolExecutor(jobs) as pool:
        try:
            while True:
                while len(pending) < 2 * jobs:
                    chunk = list(itertools.islice(waiting, CHUNK))
                    if not chunk:
                        break
                    pending.append(pool.submit(_solve_chunk, chunk, dict(options), alone, observer, stop))
                if not pending:
                    return
                yield from pending.popleft().result()
        finally:
            stop[0] = 1
            observer.stop.set()
            for future in pending:
                future.cancel()


def _solve_chunk(
    texts: list[str], options: dict[str, str], budget: Budget, observer: Observer, stop: Any
) -> list[tuple[str, Answer | LudionError]]:
    plain = options.get("order", "plain") == "plain" and budget.seconds is None
    known = {"metric": ("moves", "steps"), "exit": ("right", "left"), "order": ("plain", "report")}
    if not plain or any(options[name] not in known.get(name, ()) for name in options):
        return [(text, _solve_alone(text, options, budget, observer, stop)) for text in texts]
    tables = kept_tables()
    layout = np.zeros((len(texts), 3), np.int64)  # where the board begins, width, height
    cells = "".join(_body(text, row) for text, row in zip(texts, layout, strict=True)).encode("latin-1")
    layout[1:, 0] = np.cumsum(layout[:-1, 1] * layout[:-1, 2])
    results = np.zeros((len(texts), 6), np.int64)
    names = np.zeros((len(texts), 24), np.int64)
    ways = np.empty(CHUNK * 256, np.int64)
    begin = time.perf_counter()
    solve_all(
        np.frombuffer(cells or b"\0", np.uint8),
        layout,
        options.get("exit") == "left",
        options.get("metric") == "steps",
        budget.nodes or UNLIMITED,
        *tables,
        stop,
        results,
        names,
        ways,
    )
    seconds = (time.perf_counter() - begin) / max(1, int(results[:, 1].sum()))
    answers: list[tuple[str, Answer | LudionError]] = []
    control = np.zeros(16, np.int64)
    at = 0
    for text, (ended, nodes, expanded, length, depth, _), letters in zip(
        texts, results.tolist(), names.tolist(), strict=True
    ):
        if ended in (UNREADABLE, EXHAUSTED, OUT_OF_MEMORY, STOPPED):
            answers.append((text, _solve_alone(text, options, budget, observer, stop)))
            continue
        way = tuple(ways[at : at + length].tolist())
        at += length
        control[NODES], control[EXPANDED], control[MEMORY] = nodes, expanded, tables.keys.size * PER_POSITION
        answer = _answer(ended, way, depth, control, None, nodes * seconds)
        line = tuple([f"{chr(letters[move >> 5])}{(move & 31) - 16:+d}" for move in way])
        answers.append((text, replace(answer, line=line)))
    return answers


_SIZE = re.compile(r"\s*(\d+)[xX](\d+):")


def _body(text: str, row: Any) -> str:
    """The cells of a board, its size written into `row`; nothing if it is not for the compiled reader."""
    text = text.strip()
    width = height = 6
    if len(text) != 36:
        size = _SIZE.match(text)
        if size is None:
            return ""
        width, height, text = int(size[1]), int(size[2]), text[size.end() :]
    fits = min(width, height) >= SHORTEST_SIDE and max(width, height) <= LONGEST_OF_ONE_WORD
    if not fits or len(text) != width * height or not text.isascii():
        return ""
    row[1], row[2] = width, height
    return text


def _solve_alone(
    text: str, options: dict[str, str], budget: Budget, observer: Observer, stop: Any
) -> Answer | LudionError:
    """The same for one board, in Python."""
    try:
        if text.startswith("level:"):
            text, options = _level(text.removeprefix("level:"), options)
        rules, position = read(text, **options)
    except LudionError as error:
        return error
    why = why_unsolvable(rules, position)
    if why:
        return Answer(UNSOLVABLE, engine="packed", reason=why)
    if stop[0]:
        return Answer(LIMIT, engine="packed", limit="stopped", reason="not searched")
    answer = solve(rules, position, None, budget, observer)
    line = tuple(write_move(rules, None, move) for move in answer.moves)
    return replace(answer, line=line)


def _level(name: str, options: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The text and the options of a shipped level."""
    levels = {level.name: level for level in GAME.all_levels()}
    if name not in levels:
        raise unknown("rush-hour level", name, levels)
    return levels[name].position, {**levels[name].options, **options}


@kernel
def solve_all(
    cells: Any,
    layout: Any,
    exit_left: bool,
    by_step: bool,
    node_limit: int,
    slots: Any,
    keys: Any,
    boards: Any,
    parents: Any,
    base_of: Any,
    layers: Any,
    stop: Any,
    results: Any,
    names: Any,
    ways: Any,
) -> None:
    """Read and solve every board; results[i]: how it ended, nodes, expanded, length, depth."""
    control = np.zeros(16, np.int64)
    control[NODE_LIMIT] = node_limit
    at = 0
    for i in range(layout.shape[0]):
        results[i, 0] = UNREADABLE
        begin, width, height = layout[i, 0], layout[i, 1], layout[i, 2]
        if width == 0 or stop[0] != 0:
            continue
        codes = np.zeros(width * height, np.int64)
        if not read_codes(cells, begin, codes, names[i]):
            continue
        found = survey(codes, width, height)
        if found.fault != FINE:
            continue
        rules, start = assemble(found, codes, names[i], width, height, exit_left, by_step, PLAIN, (0,), (0,))
        ended, goal, depth = search(rules, start, slots, keys, boards, parents, base_of, layers, control)
        results[i, 0] = ended
        results[i, 1] = control[NODES]
        results[i, 2] = control[EXPANDED]
        results[i, 4] = depth
        if ended == FOUND:
            way = way_to(rules, goal, start, keys, boards, parents)
            if at + way.size > ways.size:
                results[i, 0] = UNREADABLE
                continue
            results[i, 3] = way.size
            ways[at : at + way.size] = way
            at += way.size


@kernel
def read_codes(cells: Any, begin: int, codes: Any, names: Any) -> bool:
    """The codes of the cells and the names of the vehicles, or False if the board is not for this reader."""
    number = np.zeros(128, np.int64)
    for i in range(codes.size):
        name = cells[begin + i]
        if not (48 <= name <= 57 or 65 <= name <= 90 or 97 <= name <= 122 or name == 46):
            return False
        number[name] = 1
    number[65] = 1  # A is the red car, whatever comes before it
    names[0] = 65
    count = 1
    for name in range(128):
        if name == 46 or name == 111:  # . o
            number[name] = EMPTY
        elif name == 120:  # x
            number[name] = WALL
        elif name != 65 and number[name] == 1:
            if count == 21:
                return False
            names[count] = name
            count += 1
            number[name] = count
    for i in range(codes.size):
        codes[i] = number[cells[begin + i]]
    return True
