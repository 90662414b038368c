"""External search: breadth first with the positions on disk, for spaces that are larger than the memory.

Whether a position was seen before is not asked at once but for a whole layer (delayed duplicate detection). By a hash
of its words every position belongs to one of `BUCKETS` buckets, and equal ones to the same:

    expand    the positions of the last layer, a few thousand at a time; children gather in memory and are
              written, sorted by bucket, whenever the room for them is full (a *run*)
    reduce    one bucket after the other: its positions of earlier layers, then its children of all runs; those that
              are new are the bucket of the next layer. Only one bucket is in memory at a time

Where moves can be taken back, the earlier layers are the last two; else all of them. The path is traced from the goal:
the layer before it is read until a position is found that has it as a child, and so on. Files are temporary ones
without a name (or deleted when they are closed): nothing is left behind however the search ends.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from typing import IO, Any

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import load
from ludion.engines.budget import MEGABYTE, Budget, Observer
from ludion.engines.finish import layered_answer
from ludion.engines.limits import (
    DEPTH,
    EXHAUSTED,
    EXPANDED,
    FOUND,
    FRONTIER,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_DISK,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    STOP,
    STOPPED,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    find_or_add,
    hash_of,
    move_between,
    new_row,
    new_store,
    with_room,
)
from ludion.engines.trial import TOO_MANY_MOVES, run_puzzle, with_spare
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, reverse, unpack
from ludion.kinds.values import Guide, Rules, State

BUCKETS = 64
CHUNK = 1 << 12  # positions that are expanded at a time
LARGEST_RUN = 1 << 22  # children that gather in memory


def solve(
    rules: Rules,
    start: State,
    heuristic: Guide,
    budget: Budget,
    observer: Observer | None = None,
    disk: int = 4096,
) -> Answer:
    """Search layer by layer on disk; the path has the fewest moves."""
    outcome = run_puzzle(
        rules,
        start,
        None,
        budget,
        observer,
        lambda *arrays: DiskSearch(rules, start, disk * MEGABYTE, *arrays).run(),
        short=0,
    )
    _, _, layers, disk_used = outcome.result
    details = {"layers": layers, "disk": disk_used}
    return layered_answer("external", rules, start, outcome, len(layers) - 1, details=details)


class RowFile:
    """Rows of words in a temporary file that nobody else sees."""

    def __init__(self, width: int) -> None:
        self.file: IO[bytes] = tempfile.TemporaryFile(prefix="ludion-")  # noqa: SIM115
        self.width, self.rows = width, 0
        self.segments: list[list[tuple[int, int]]] = [[] for _ in range(BUCKETS)]  # first row and count

    def append(self, bucket: int, rows: np.ndarray) -> None:
        self.segments[bucket].append((self.rows, len(rows)))
        self.file.seek(self.rows * 8 * self.width)
        self.file.write(np.ascontiguousarray(rows).data)
        self.rows += len(rows)

    def read(self, first: int, count: int) -> np.ndarray:
        self.file.seek(first * 8 * self.width)
        return np.frombuffer(self.file.read(count * 8 * self.width), np.int64).reshape(-1, self.width).copy()

    def bucket(self, number: int) -> np.ndarray:
        parts = [self.read(*segment) for segment in self.segments[number]]
        return np.concatenate(parts) if parts else np.zeros((0, self.width), np.int64)

    def chunks(self, size: int) -> Iterator[np.ndarray]:
        for first in range(0, self.rows, size):
            yield self.read(first, min(size, self.rows - first))


class DiskLimitError(Exception):
    """The files have become too large, or the disk is full."""


class DiskSearch:
    """One search; `run` returns how it ended, the moves, the sizes of the finished layers and the bytes on disk."""

    def __init__(self, rules: Rules, start: State, disk: int, control: np.ndarray, trace: np.ndarray) -> None:
        self.rules, self.start, self.control = rules, start, control
        self.disk, self.most_disk_used = disk, 0
        self.words = tuple(map(int, pack(rules, start)))
        self.width = len(self.words)
        self.most = int(most_moves(rules))
        self.layers: list[RowFile] = []
        self.nodes = 1
        self.row_bytes = 16 * self.width + 16  # a row, the same sorted, and what it is sorted by
        room = int(control[MEMORY_LIMIT]) // 4 // self.row_bytes
        self.chunk = max(1, min(CHUNK, room // self.most))
        self.run_size = min(LARGEST_RUN, max(room, self.chunk * self.most))

    def run(self) -> tuple[int, np.ndarray, list[int], int]:
        ended, path = EXHAUSTED, np.zeros(0, np.int64)
        sizes: list[int] = []
        self.control[NODES] = 1
        if is_goal(self.rules, self.start):
            return FOUND, path, sizes, 0
        with contextlib.ExitStack() as files:
            layer = self.new_file(files)
            layer.append(self.bucket_of(self.words), np.array([self.words], np.int64))
            try:
                while layer.rows and ended == EXHAUSTED:
                    self.layers.append(layer)
                    self.control[DEPTH] = len(sizes)
                    runs = self.new_file(files)
                    ended, goal = self.expand_layer(layer, runs)
                    if goal is not None:
                        ended, path = self.trace(goal)
                    elif ended == EXHAUSTED:
                        sizes.append(layer.rows)
                        layer = self.new_file(files)
                        ended = self.reduce_layer(runs, layer)
                    self.control[FRONTIER] = layer.rows
                    runs.file.close()
                    runs.rows = 0
            except (DiskLimitError, OSError):
                ended = OUT_OF_DISK
        return ended, path, sizes, self.most_disk_used

    def new_file(self, files: contextlib.ExitStack) -> RowFile:
        rows = RowFile(self.width)
        files.callback(rows.file.close)
        return rows

    def bucket_of(self, words: tuple[int, ...]) -> int:
        return int(buckets_of(np.array([words], np.int64), self.words)[0])

    def check_disk(self, *files: RowFile) -> None:
        """Raise an error if the layers and these files together are too large."""
        used = sum(each.rows for each in {*self.layers, *files}) * 8 * self.width
        self.most_disk_used = max(self.most_disk_used, used)
        if used > self.disk:
            raise DiskLimitError

    def expand_layer(self, layer: RowFile, runs: RowFile) -> tuple[int, tuple[int, ...] | None]:
        """Write the children of all positions of a layer; how it ended, and the first goal among them."""
        room = min(self.run_size, layer.rows * self.most) + self.most
        self.control[MEMORY] = max(self.control[MEMORY], room * self.row_bytes)
        children = np.zeros((room, self.width), np.int64)
        buffer = np.zeros(with_spare(self.most), np.int64)
        count = 0
        for rows in layer.chunks(self.chunk):
            if count + len(rows) * self.most > room:
                self.write_run(children[:count], runs, layer)
                count = 0
            ended, count = expand(self.rules, self.start, rows, children, count, buffer, self.control)
            if ended == FOUND:
                return FOUND, tuple(children[count].tolist())
            if ended != EXHAUSTED:
                return int(ended), None
        self.write_run(children[:count], runs, layer)
        return EXHAUSTED, None

    def write_run(self, children: np.ndarray, runs: RowFile, layer: RowFile) -> None:
        """Write the children, those of one bucket together."""
        buckets = buckets_of(children, self.words)
        order = np.argsort(buckets, kind="stable")
        ends = np.cumsum(np.bincount(buckets, minlength=BUCKETS))
        for bucket, (first, last) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
            if last > first:
                runs.append(bucket, children[order[first:last]])
        self.check_disk(layer, runs)

    def reduce_layer(self, runs: RowFile, layer: RowFile) -> int:
        """Write the children that were not seen before, each once, as the next layer; how it ended."""
        control = self.control
        earlier = self.layers[-2:] if reverse.has(self.rules) else self.layers
        for bucket in range(BUCKETS):
            known = np.concatenate([each.bucket(bucket) for each in earlier])
            children = runs.bucket(bucket)
            ended, new = reduce(known, children, self.words, int(control[NODE_LIMIT]) - self.nodes, control)
            self.nodes += len(new)
            control[NODES] = self.nodes
            if ended != EXHAUSTED:
                return int(ended)
            if len(new):
                layer.append(bucket, new)
                self.check_disk(runs, layer)
        return EXHAUSTED

    def trace(self, goal: tuple[int, ...]) -> tuple[int, np.ndarray]:
        """The moves to the goal, from the last layer back to the first; how it ended."""
        path: list[int] = []
        buffer = np.zeros(with_spare(self.most), np.int64)
        for layer in reversed(self.layers):
            for rows in layer.chunks(self.chunk):
                ended, index, move = find_parent(self.rules, self.start, rows, goal, buffer, self.control)
                if ended != EXHAUSTED:
                    break
            if ended != FOUND:
                return int(ended), np.zeros(0, np.int64)
            path.append(int(move))
            goal = tuple(rows[index].tolist())
        return FOUND, np.array(path[::-1], np.int64)


@kernel
def buckets_of(rows: np.ndarray, like: State) -> Any:
    """The bucket of each position."""
    buckets = new_row(rows.shape[0])
    for i in range(rows.shape[0]):
        buckets[i] = (hash_of(load(rows[i], like)) >> 40) % BUCKETS
    return buckets


@kernel
def expand(
    rules: Rules,
    start: State,
    rows: np.ndarray,
    children: np.ndarray,
    count: int,
    buffer: np.ndarray,
    control: np.ndarray,
) -> Any:
    """Write the children of these positions behind the first `count`: EXHAUSTED and the new count.

    Or FOUND and the number of a child that is a goal.
    """
    words = pack(rules, start)
    most = most_moves(rules)
    for row in range(rows.shape[0]):
        position = unpack(rules, load(rows[row], words), start)
        move_count = moves(rules, position, buffer)
        if not 0 <= move_count <= most:
            return TOO_MANY_MOVES, count
        for k in range(move_count):
            child = play(rules, position, buffer[k])
            packed = pack(rules, child)
            for i in range(len(words)):
                children[count, i] = packed[i]
            if is_goal(rules, child):
                return FOUND, count
            count += 1
        control[EXPANDED] += 1
        if control[STOP] != 0:
            return STOPPED, count
    return EXHAUSTED, count


@kernel
def reduce(known: np.ndarray, children: np.ndarray, like: State, most: int, control: np.ndarray) -> Any:
    """Return EXHAUSTED and the children that are not known, each once; or the limit that was met.

    `most` is how many there may be before the budget of nodes is used up.
    """
    store = new_store(len(like), FIRST_CAPACITY)
    given = known.shape[0] + children.shape[0]
    first_new = 0
    for i in range(given):
        store, fits = with_room(store, like, 1, 16 * given * len(like), control)
        if not fits:
            return OUT_OF_MEMORY, children[:0]
        find_or_add(store, load(known[i] if i < known.shape[0] else children[i - known.shape[0]], like), -1)
        if i + 1 == known.shape[0]:
            first_new = store.count[0]
        if i >= known.shape[0] and store.count[0] - first_new >= most:
            return OUT_OF_NODES, store.words[first_new : store.count[0]]
        if i & 15 == 0:
            control[FRONTIER] = store.count[0] - first_new
            if control[STOP] != 0:
                return STOPPED, children[:0]
    return EXHAUSTED, store.words[first_new : store.count[0]]


@kernel
def find_parent(
    rules: Rules, start: State, rows: np.ndarray, target: Any, buffer: np.ndarray, control: np.ndarray
) -> Any:
    """FOUND, the number of a position that has the target as a child, and the move; else EXHAUSTED or STOPPED."""
    words = pack(rules, start)
    for row in range(rows.shape[0]):
        move = move_between(rules, unpack(rules, load(rows[row], words), start), target, buffer)
        if move >= 0:
            return FOUND, row, move
        control[FRONTIER] = row
        if control[STOP] != 0:
            return STOPPED, 0, 0
    return EXHAUSTED, 0, 0
