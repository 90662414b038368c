"""Breadth-first search on packed keys: the specialist for boards of one word (up to 8x8 and 21 vehicles).

It visits the same positions in the same order as the general engine, about twice as fast: each move is played and
looked up at once, without a list of moves; the bitboard of a position is stored beside its key; and the tables are
reused by the next search without being cleared. A search that outgrows its tables starts again with larger ones.

    slots    hash of the key -> base + number + 1; entries up to `base` are left from earlier searches
    keys, boards, parents    number -> offsets, occupied cells, number of the position it was reached from

`batch` reads and solves many boards without coming back to Python between them.
"""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import LIMIT, OPTIMAL, UNSOLVABLE, Answer
from ludion.core import tiers
from ludion.core.clock import Stopwatch
from ludion.core.verbs import kernel
from ludion.core.words import borrowed, lowest, mix, nonnegative, signed
from ludion.engines import anytime, best_first, novelty
from ludion.engines.budget import Budget, Expenses, Observer
from ludion.engines.limits import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    MEMORY,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    RUNNING,
    STOPPED,
    UNLIMITED,
    Outcome,
    look,
    run,
)
from ludion.errors import LudionError, unknown
from ludion.games.rush_hour import GAME, report
from ludion.games.rush_hour.heuristics import Heuristic, chains
from ludion.games.rush_hour.notation import (
    EXITS,
    METRICS,
    ORDERS,
    Cells,
    code_points,
    move_name,
    number_vehicles,
    parse,
    read,
    write_move,
)
from ludion.games.rush_hour.rules import (
    AHEAD,
    BEHIND,
    BITBOARDS,
    FINE,
    KINDS,
    LONGEST_SMALL_SIDE,
    PLAIN,
    SMALL_BITS,
    SMALL_PER_WORD,
    RushHour,
    Traffic,
    assemble,
    distance_of,
    plain_moves,
    survey,
    vehicle_of,
    why_unsolvable,
)
from ludion.kinds.puzzle import estimate, is_goal, most_moves, play
from ludion.messages import message

FIRST_CAPACITY = 1 << 15
MOST_AT_ONCE = (
    50_000  # positions of a search in the calling thread, some milliseconds: another one has cold caches
)
# Of the budget, for a solution of a large board before the search for a shortest one: the nodes and the share.
QUICK_NODES, QUICK_SHARE = 300_000, 0.5
PER_POSITION = 8 + 8 + 4 + 2 * 4  # bytes
MOST_LAYERS = 1 << 12
CHUNK = 128  # boards that a thread solves before Python looks at them
UNREADABLE = -1  # a board that is not for the compiled reader; besides the ways in which a search can end
ENDED, BOARD_NODES, BOARD_EXPANDED, LENGTH, FINISHED = range(5)  # columns of the results of a chunk
NO_CELLS = Cells(0, 0, "")

Solved = tuple[str, Answer | LudionError]  # a board's text with its answer, or with its fault


class PackedTables(NamedTuple):
    """Room for `keys.size` positions; see the module's drawing."""

    slots: np.ndarray
    keys: np.ndarray
    boards: np.ndarray
    parents: np.ndarray
    base: np.ndarray  # base[0]
    layers: np.ndarray  # layers[d]: how many positions the finished layer d has


def new_tables(capacity: int) -> PackedTables:
    """Tables for this many positions."""
    return PackedTables(
        np.zeros(capacity * 2, np.int32),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int32),
        np.zeros(1, np.int64),
        np.zeros(MOST_LAYERS, np.int64),
    )


class Solutions(NamedTuple):
    """What came of many boards."""

    results: np.ndarray  # a row for each board, with the columns named above
    names: np.ndarray  # of its vehicles
    moves: np.ndarray  # of all solutions, one after the other


_local = threading.local()


def thread_tables() -> PackedTables:
    """The tables of this thread."""
    if not hasattr(_local, "tables"):
        _local.tables = new_tables(FIRST_CAPACITY)
    return _local.tables  # type: ignore[no-any-return]


# ------------------------------------------------------------------ one board


def solve(
    rules: RushHour,
    start: Traffic,
    heuristic: Heuristic | None,
    budget: Budget,
    observer: Observer | None = None,
) -> Answer:
    """breadth-first on packed keys for boards of one word; a quick solution and A* with chains for larger ones"""
    if rules.order != PLAIN:
        return report.breadth_first(rules, start, heuristic, budget, observer)
    if not is_small(rules, start):
        return solve_large(rules, start, budget, observer or Observer())
    if observer is not None and observer.events:  # only the general engine reports events
        return report.breadth_first(rules, start, heuristic, budget, observer)
    first_tables = thread_tables()  # of the caller's thread: the search runs in a new one each time

    def work(control: np.ndarray, trace: np.ndarray) -> tuple[int, int, int, PackedTables]:
        tables, capacity = first_tables, FIRST_CAPACITY
        while True:
            control[MEMORY] = max(control[MEMORY], capacity * PER_POSITION)
            ended, goal, depth = search(rules, start, tables, control)
            capacity *= 4
            while capacity * PER_POSITION > budget.memory:
                capacity //= 2
            if ended != OUT_OF_MEMORY or capacity <= tables.keys.size:
                return ended, goal, depth, tables
            tables = new_tables(capacity)

    try:
        outcome = run(work, budget, observer, short=MOST_AT_ONCE)
    except BaseException:  # the search may still be running in the tables
        del _local.tables
        raise
    ended, goal, depth, tables = outcome.result
    path: tuple[int, ...] = ()
    if ended == FOUND:
        path = tuple(path_to(rules, goal, start, tables).tolist())
    layers = tables.layers[:depth].tolist()
    return _answer(ended, path, depth, outcome, layers)


def solve_large(rules: RushHour, start: Traffic, budget: Budget, observer: Observer) -> Answer:
    """What is new first, for a solution soon; then A*, for a shortest one or a lower bound."""
    expenses, best, heuristic = Expenses(budget, observer), Answer(LIMIT), chains(rules)
    if not observer.events:  # only those of A* are reported
        left = expenses.left(QUICK_SHARE)
        left = replace(left, nodes=min(QUICK_NODES, left.nodes or QUICK_NODES))
        best = novelty.solve(rules, start, heuristic, left, observer)
        expenses.add(best)
    limit, bound = expenses.limit(), int(estimate(heuristic, rules, start))
    if best.status != UNSOLVABLE and not limit:
        exact = best_first.a_star(rules, start, heuristic, expenses.left(), observer)
        expenses.add(exact)
        limit, bound = exact.limit, exact.bound or 0
        if exact.found or not best.found:
            best = exact
    proved = anytime.verdict(best, bound, limit, expenses.nodes)
    return replace(best, heuristic="chains", **proved, **expenses.fields())


def is_small(rules: RushHour, start: Traffic) -> bool:
    """Whether a board is packed into one word, three bits for each vehicle."""
    return max(rules.width, rules.height) <= LONGEST_SMALL_SIDE and len(start.offsets) == 1


def _answer(
    ended: int,
    path: tuple[int, ...],
    depth: int,
    outcome: Outcome,
    layers: list[int] | None = None,
) -> Answer:
    """The answer of a search that ended so, after `depth` layers."""
    status = {FOUND: OPTIMAL, EXHAUSTED: UNSOLVABLE}.get(ended, LIMIT)
    control = outcome.control
    nodes = int(control[NODES])
    finished = depth - 1
    reason = ""
    if status == UNSOLVABLE:
        reason = message("rush_hour.no_goal_reachable", nodes=nodes)
    elif status == LIMIT:
        reason = message("rush_hour.no_goal_yet", moves=finished, nodes=nodes)
    return Answer(
        status,
        path,
        length=len(path) if status == OPTIMAL else None,
        nodes=nodes,
        expanded=int(control[EXPANDED]),
        depth=finished,
        bound=len(path) if status == OPTIMAL else finished + 1 if status == LIMIT else None,
        memory=int(control[MEMORY]),
        engine="packed",
        limit=outcome.limit_name(ended),
        reason=reason,
        details={"layers": layers} if layers is not None else {},
        **outcome.costs(),
    )


@kernel(python_entry=False, inline=True)
def first_slot(key: int, mask: int) -> int:
    """Where the search for a key begins."""
    return (mix(key, 0) >> 15) & mask


@kernel(python_entry=False, inline=True)
def find_slot(slots: Any, keys: Any, base: int, key: int) -> tuple[int, int]:
    """The slot for a key, and the number of its position, counted from 1; not above 0 if there is none."""
    mask = slots.size - 1
    slot = first_slot(key, mask)
    number = signed(slots[nonnegative(slot)]) - base
    while number > 0 and keys[nonnegative(number - 1)] != key:
        slot = (slot + 1) & mask
        number = signed(slots[nonnegative(slot)]) - base
    return slot, number


@kernel
def search(rules: RushHour, start: Traffic, tables: PackedTables, control: Any) -> tuple[int, int, int]:
    """Return how it ended, the number of the goal, and how many layers were finished.

    The positions are numbered in the order in which they are found, and expanded in that order:

        0 .. head - 1 expanded | head .. count - 1 waiting        layer_start .. layer_end - 1 is the current layer
    """
    rules, tables, control = borrowed((rules, tables, control))
    slots, keys, boards, parents, base_of, layers = tables
    if base_of[0] + keys.size >= 1 << 31:
        slots[:] = 0
        base_of[0] = 0
    base = base_of[0]
    keys[0] = start.offsets[0]
    boards[0] = start.occupied[0]
    parents[0] = -1
    slots[first_slot(keys[0], slots.size - 1)] = base + 1
    room = keys.size - most_moves(rules)
    count, head, depth, layer_start, layer_end = 1, 0, 0, 0, 1
    goal, ended = 0, FOUND if is_goal(rules, start) else RUNNING
    while ended == RUNNING:
        if head == layer_end:
            layers[depth] = layer_end - layer_start
            depth = min(depth + 1, layers.size - 1)
            control[DEPTH] = depth
            if layer_end == count:
                ended = EXHAUSTED
                break
            layer_start, layer_end = layer_end, count
        if count > room:
            ended = OUT_OF_MEMORY
            break
        count, goal = expand(rules, tables, head, count)
        if goal >= 0:
            ended = FOUND
            break
        head += 1
        if head & 255 == 0 or count >= control[NODE_LIMIT]:
            ended = look(control, count, head, count - head)
    base_of[0] = base + count
    look(control, count, head, count - head)
    return ended, goal, depth


@kernel(python_entry=False, inline=True)
def expand(rules: RushHour, tables: PackedTables, head: int, count: int) -> tuple[int, int]:
    """Add what is one move from position `head` to the `count` positions: how many there are then, and a goal or -1.

    Another slide of the vehicle that moved last, or a step back, leads to a position that its last slide could have led
    to. The bitboards of a vehicle are as in `rules.bitboard_at`, one column each.
    """
    slots, keys, boards, parents, base_of, _ = tables
    base, vehicles, by_step = base_of[0], rules.vehicles, rules.by_step
    key, board = keys[head], boards[head]
    last_vehicle, last_offset = -1, 0  # which vehicle moved last, and where it was
    if head > 0:
        parent = keys[parents[head]]
        last_vehicle = lowest(key ^ parent) // SMALL_BITS
        last_offset = parent >> SMALL_BITS * last_vehicle & 7
    for vehicle in range(vehicles.shape[0]):
        if vehicle == last_vehicle and not by_step:
            continue
        shift = SMALL_BITS * vehicle
        here = key >> shift & 7
        others = board ^ vehicles[vehicle, BITBOARDS + KINDS * here]
        rest = key ^ here << shift
        for side in range(BEHIND, AHEAD + 1):
            there = here
            while board & vehicles[vehicle, BITBOARDS + KINDS * there + side] == 0:
                there += 2 * side - 3  # BEHIND: -1, AHEAD: 1
                if vehicle == last_vehicle and there == last_offset:
                    break
                child = rest | there << shift
                slot, number = find_slot(slots, keys, base, child)
                if number <= 0:
                    slots[nonnegative(slot)] = base + count + 1
                    keys[count] = child
                    boards[count] = others | vehicles[vehicle, BITBOARDS + KINDS * there]
                    parents[count] = head
                    count += 1
                    if vehicle == 0 and there == rules.target:
                        return count, count - 1
                if by_step:
                    break
    return count, -1


@kernel
def path_to(rules: RushHour, goal: int, start: Traffic, tables: PackedTables) -> Any:
    """The moves that lead to the position of this number."""
    keys, boards, parents = tables.keys, tables.boards, tables.parents
    length = 0
    number: Any = goal
    while parents[number] >= 0:
        length += 1
        number = np.int64(parents[number])
    path = np.empty(length, np.int64)
    buffer = np.empty(most_moves(rules), np.int64)
    number = goal
    while length > 0:
        length -= 1
        parent = np.int64(parents[number])
        position = Traffic((keys[parent],), (boards[parent],))
        for k in range(plain_moves(rules, position, buffer)):
            if play(rules, position, buffer[k]).offsets[0] == keys[number]:
                path[length] = buffer[k]
                break
        number = parent
    return path


# ------------------------------------------------------------------ many boards


def batch(
    texts: Iterable[str],
    options: Mapping[str, str],
    jobs: int = 1,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> Iterator[Solved]:
    """Solve many boards, `jobs` threads at a time: each text with its answer, or with its fault, in order.

    Boards that are not for the compiled search (faults, more than one word, a time limit) are solved one by one. The
    seconds of an answer are its share, by positions seen, of the time of its chunk.
    """
    budget = budget or Budget()
    stop = np.zeros(1, np.int64)  # stops compiled searches; the observer stops those that go through Python
    observer = observer or Observer()
    alone = replace(budget, memory=max(1, budget.memory // jobs))
    pending: deque[Future[list[Solved]]] = deque()
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
    texts: list[str], options: dict[str, str], budget: Budget, observer: Observer, stop: np.ndarray
) -> list[Solved]:
    """Solve a chunk of boards in one call of compiled code, and one by one those that it cannot take."""
    plain = options.get("order", "plain") == "plain" and budget.seconds is None
    known = {"metric": METRICS, "exit": EXITS, "order": ORDERS}
    if not plain or any(options[name] not in known.get(name, ()) for name in options):
        return [(text, _solve_alone(text, options, budget, observer, stop)) for text in texts]
    tables = thread_tables()
    boards = [_small_board(text) for text in texts]
    sizes = np.array([board[:2] for board in boards], np.int64)
    out = Solutions(
        np.zeros((len(texts), 5), np.int64),
        np.zeros((len(texts), SMALL_PER_WORD), np.int64),
        np.empty(CHUNK * 256, np.int64),
    )
    watch = Stopwatch()
    solve_all(
        code_points("".join(board.text for board in boards)),
        sizes,
        options.get("exit") == "left",
        options.get("metric") == "steps",
        budget.nodes or UNLIMITED,
        tables,
        stop,
        out,
    )
    results, names, moves = out
    all_nodes = max(1, int(results[:, BOARD_NODES].sum()))
    seconds, cpu_seconds = watch.seconds() / all_nodes, watch.cpu_seconds() / all_nodes  # for each of them
    moves = moves[: int(results[:, LENGTH].sum())]
    vehicles, distances = vehicle_of(moves).tolist(), distance_of(moves).tolist()
    answers: list[Solved] = []
    control = np.zeros(16, np.int64)
    at = 0
    for text, result, codes in zip(texts, results.tolist(), names.tolist(), strict=True):
        ended, nodes, expanded, length, depth = result
        if ended in (UNREADABLE, EXHAUSTED, OUT_OF_MEMORY, STOPPED):
            answers.append((text, _solve_alone(text, options, budget, observer, stop)))
            continue
        here = slice(at, at + length)
        at += length
        control[NODES], control[EXPANDED], control[MEMORY] = nodes, expanded, tables.keys.size * PER_POSITION
        share = Outcome(None, control, nodes * seconds, nodes * cpu_seconds, "", tiers.last_used())
        answer = _answer(ended, tuple(moves[here].tolist()), depth, share)
        steps = zip(vehicles[here], distances[here], strict=True)
        line = tuple([move_name(codes[vehicle], distance) for vehicle, distance in steps])
        answers.append((text, replace(answer, line=line)))
    return answers


def _small_board(text: str) -> Cells:
    """The cells of a board of one word; none if it is larger or cannot be read."""
    try:
        board = parse(text)
    except LudionError:
        return NO_CELLS
    return board if max(board.width, board.height) <= LONGEST_SMALL_SIDE else NO_CELLS


def _solve_alone(
    text: str, options: dict[str, str], budget: Budget, observer: Observer, stop: np.ndarray
) -> Answer | LudionError:
    """The answer for one board, or its fault."""
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
        reason = message("rush_hour.not_searched")
        return Answer(LIMIT, engine="packed", limit="stopped", reason=reason)
    answer = solve(rules, position, None, budget, observer)
    line = tuple(write_move(rules, None, move) for move in answer.moves)
    return replace(answer, line=line)


def _level(name: str, options: dict[str, str]) -> tuple[str, dict[str, str]]:
    """The text and the options of a shipped level."""
    levels = {level.name: level for level in GAME.all_levels()}
    if name not in levels:
        raise unknown("errors.level", name, levels, game="rush-hour")
    return levels[name].position, {**levels[name].options, **options}


@kernel
def solve_all(
    cells: Any,
    sizes: Any,
    exit_left: bool,
    by_step: bool,
    node_limit: int,
    tables: PackedTables,
    stop: Any,
    out: Solutions,
) -> None:
    """Number, survey and solve every board: boards of these sizes follow each other in `cells`."""
    results, names, moves = out
    control = np.zeros(16, np.int64)
    control[NODE_LIMIT] = node_limit
    next_cell = 0
    next_move = 0
    for i in range(sizes.shape[0]):
        results[i, ENDED] = UNREADABLE
        width, height = sizes[i, 0], sizes[i, 1]
        begin = next_cell
        next_cell += width * height
        if width == 0 or stop[0] != 0:
            continue
        codes = np.zeros(width * height, np.int64)
        if number_vehicles(cells[begin:next_cell], codes, names[i]) < 0:
            continue
        surveyed = survey(codes, width, height)
        if surveyed.fault != FINE:
            continue
        rules, start = assemble(
            surveyed, codes, names[i], width, height, exit_left, by_step, PLAIN, (0,), (0,)
        )
        ended, goal, depth = search(rules, start, tables, control)
        results[i, BOARD_NODES] = control[NODES]
        results[i, BOARD_EXPANDED] = control[EXPANDED]
        results[i, FINISHED] = depth
        if ended == FOUND:
            path = path_to(rules, goal, start, tables)
            if next_move + path.size > moves.size:  # solved again on its own
                continue
            results[i, LENGTH] = path.size
            for move in path:
                moves[next_move] = move
                next_move += 1
        results[i, ENDED] = ended
