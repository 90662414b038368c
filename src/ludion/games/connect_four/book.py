"""The opening book: exact scores of early positions, made by the solver itself.

A book holds positions up to mirror images, without those in which the player to move wins at once. It is a file:

    LUDION BOOK 1\\n
    {"columns": 7, "rows": 6, "align": 4, "entries": 12345, "sha256": "..."}\\n
    zlib of: the sorted keys as differences, 8 bytes each, then the scores, 1 byte each; the hash is of these

Every entry is exact even if the book is incomplete. Building a book searches the positions of one ply and takes the
scores of those before from their children. What is known of a parent bounds its children. Building saves from time to
time and goes on from what is there. The positions come in the order of a walk through the tree, and the table is
kept, so that neighbours share what is known. A large table pays where the searches are long, up to ply 5 or so, and
costs more in cache misses than it saves after that (4 GB instead of 64 MB at ply 7: 5 % fewer nodes, a third fewer
nodes per second).
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypedDict

import numpy as np

from ludion.core.files import write_atomically
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODES, run
from ludion.errors import LudionError
from ludion.games.connect_four.rules import START, DropGame, Stones, has_line, open_columns, wins_at_once
from ludion.games.connect_four.solver import (
    NO_BOOK,
    NO_SCORE,
    Book,
    ScoreTable,
    board_of,
    canonical_key,
    new_stack,
    new_table,
    score_between,
    shape_of,
)
from ludion.kinds.duel import play
from ludion.messages import message

MAGIC = b"LUDION BOOK 1\n"
SHIPPED = Path(__file__).parent / "books"
SAVE_SECONDS = 30.0
TABLE_MEMORY = 256 << 20


class BookError(LudionError):
    """A book that cannot be read or does not fit."""


def file_name(rules: DropGame) -> str:
    """The name of the shipped book for this board."""
    return f"{rules.columns}x{rules.rows}.book"


def read_book(path: Path, rules: DropGame) -> Book:
    """A book as the search reads it; checked."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise BookError(message("connect_four.no_book_file", file=path.name))
    try:
        head, _, packed = content[len(MAGIC) :].partition(b"\n")
        header = json.loads(head)
        board = (header["columns"], header["rows"], header["align"])
        raw = zlib.decompress(packed)
        count, checksum = int(header["entries"]), header["sha256"]
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise BookError(message("connect_four.book_damaged", file=path.name, cause=error)) from error
    if board != (rules.columns, rules.rows, rules.align):
        names = {"size": f"{board[0]}x{board[1]}", "align": board[2]}
        raise BookError(message("connect_four.book_of_another_board", file=path.name, **names))
    if hashlib.sha256(raw).hexdigest() != checksum or len(raw) != 9 * count:
        raise BookError(message("connect_four.book_checksum", file=path.name))
    keys = np.cumsum(np.frombuffer(raw[: 8 * count], "<i8"))
    scores = np.frombuffer(raw[8 * count :], np.int8).copy()
    return Book(keys, scores, int(stones_of_keys(rules, keys).max(initial=-1)))


def write_book(path: Path, rules: DropGame, scores: dict[int, int]) -> None:
    """Write a book; a reader never sees half of it."""
    keys = np.array(sorted(scores), np.int64)
    raw = np.diff(keys, prepend=0).astype("<i8").tobytes() + bytes(scores[key] & 255 for key in keys.tolist())
    head = {
        "columns": rules.columns,
        "rows": rules.rows,
        "align": rules.align,
        "entries": len(scores),
        "sha256": hashlib.sha256(raw).hexdigest(),
    }
    write_atomically(path, MAGIC + json.dumps(head).encode() + b"\n" + zlib.compress(raw, 9))


def as_dictionary(book: Book) -> dict[int, int]:
    """The scores of a book by key."""
    return dict(zip(book.keys.tolist(), book.scores.tolist(), strict=True))


def stones_of_keys(rules: DropGame, keys: np.ndarray) -> np.ndarray:
    """How many stones the positions of these keys have: each column's stones are below its highest bit."""
    heights = np.array([code.bit_length() - 1 for code in range(1 << rules.stride)])
    codes = (keys[:, None] >> np.arange(rules.columns) * rules.stride) & ((1 << rules.stride) - 1)
    return heights[codes].sum(axis=1)  # type: ignore[no-any-return]


@functools.cache
def shipped_book(rules: DropGame) -> Book:
    """The book to use for a game: the file that `LUDION_BOOK` names, else the one in the package, if any."""
    name = os.environ.get("LUDION_BOOK")
    path = Path(name) if name else SHIPPED / file_name(rules)
    if rules.align != 4 or not path.is_file():
        return NO_BOOK
    return read_book(path, rules)


# ------------------------------------------------------------------ the positions of a book


class BookQuestion(NamedTuple):
    """A position to be scored."""

    key: int
    position: Stones
    least: int  # its score is at least this, by the scores of its parents


def layers(rules: DropGame, scores: dict[int, int]) -> Iterator[list[BookQuestion]]:
    """Ply by ply all open positions up to mirror images, in the order of a walk through the tree."""
    board = board_of(rules)
    layer = [BookQuestion(int(canonical_key(board, *START)), START, -rules.cells)]
    while True:
        yield layer
        next_layer: dict[int, BookQuestion] = {}
        for parent in layer:
            least = -scores.get(parent.key, rules.cells)
            for key, child in children(rules, parent.position):
                question = next_layer.get(key, BookQuestion(key, child, least))
                next_layer[key] = question._replace(least=max(question.least, least))
        layer = list(next_layer.values())


def children(rules: DropGame, position: Stones) -> list[tuple[int, Stones]]:
    """The open positions after one move, with their keys; the middle first."""
    board = board_of(rules)
    after = [play(rules, position, column) for column in open_columns(rules, position)]
    return [
        (int(canonical_key(board, *child)), child)
        for child in after
        if not has_line(rules, child.own ^ child.mask)
    ]


def from_children(rules: DropGame, position: Stones, scores: dict[int, int]) -> int | None:
    """The score of a position without a win at once, if those of all its children are known."""
    best = -rules.cells
    for key, child in children(rules, position):
        score = scores.get(key)
        if score is None:
            if not wins_at_once(rules, child):
                return None
            score = (rules.cells - child.mask.bit_count() + 1) // 2
        best = max(best, -score)
    return best


class BookSummary(TypedDict):
    """What is in a book."""

    entries: int
    bytes: int  # of the file
    plies: dict[
        int, tuple[int, int]
    ]  # ply: how many of its positions are in the book, and how many there are


def summary(rules: DropGame, path: Path) -> BookSummary:
    """What is in a book, and what could be."""
    if not path.is_file():
        raise BookError(message("connect_four.no_book", file=path.name, folder=path.parent))
    book = read_book(path, rules)
    counts = np.bincount(stones_of_keys(rules, book.keys), minlength=book.plies + 1).tolist()
    plies = {}
    for ply, layer in zip(range(book.plies + 1), layers(rules, {}), strict=False):
        plies[ply] = (counts[ply], sum(not wins_at_once(rules, each.position) for each in layer))
    return {"entries": sum(counts), "bytes": path.stat().st_size, "plies": plies}


# ------------------------------------------------------------------ building


@functools.lru_cache(1)
def _new_table(rules: DropGame, memory: int) -> ScoreTable:
    board = board_of(rules)
    return new_table(board, 0, memory, largest_log=board.bits, grows=False)


_table_lock = threading.Lock()


def shared_table(rules: DropGame, memory: int) -> ScoreTable:
    """The table of this process for building: the same one for all positions and threads."""
    with _table_lock:
        return _new_table(rules, memory)


@dataclass(frozen=True)
class Scoring:
    """The work of building: called with a position, it returns the score and the nodes that it took.

    Like all work for a batch it can be sent to another process; each process has its own table.
    """

    rules: DropGame
    memory: int = TABLE_MEMORY
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "stop"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state, stop=threading.Event())

    def __call__(self, question: BookQuestion) -> tuple[int, int]:
        """The score is NO_SCORE if the work was stopped."""
        rules, (own, mask) = self.rules, question.position
        board, table = board_of(rules), shared_table(self.rules, self.memory)

        def search(control: np.ndarray, trace: np.ndarray) -> int:
            shape, stack, low, high = shape_of(rules), new_stack(board), question.least, rules.cells
            return int(score_between(shape, own, mask, low, high, NO_BOOK, table, stack, control))

        outcome = run(search, Budget(), Observer(stop=self.stop))
        return outcome.result, int(outcome.control[NODES])


# Does the work on many positions, in order: `map`, or what shares it among threads, processes or machines.
RunJobs = Callable[
    [Callable[[BookQuestion], tuple[int, int]], Iterable[BookQuestion]], Iterable[tuple[int, int]]
]


@dataclass(frozen=True)
class BookProgress:
    """How far the building of a book is."""

    ply: int
    done: int
    total: int
    nodes: int
    seconds: float


def build(
    rules: DropGame,
    plies: int,
    path: Path,
    *,
    run_jobs: RunJobs = map,
    memory: int = TABLE_MEMORY,
    seconds: float | None = None,
    report: Callable[[BookProgress], None] | None = None,
) -> bool:
    """Add all positions with `plies` stones, then all those before; return whether they are all there.

    What is in the file already is not done again. `run_jobs` does the work, here or elsewhere, and yields the results
    in order (see `ludion.batch`); `memory` is for the table of each process. Ends after the given time, or at Ctrl-C,
    and saves what is done.
    """
    if rules.align != 4:
        raise BookError(message("connect_four.books_are_for_four"))
    scores = as_dictionary(read_book(path, rules)) if path.is_file() else {}
    layers_to_score = [
        [each for each in layer if not wins_at_once(rules, each.position)]
        for layer in itertools.islice(layers(rules, scores), plies + 1)
    ]
    try:
        _search(Scoring(rules, memory), layers_to_score[plies], scores, run_jobs, seconds, report, path)
    finally:
        for layer in reversed(layers_to_score[:plies]):
            for each in layer:
                score = scores.get(each.key, from_children(rules, each.position, scores))
                if score is not None:
                    scores[each.key] = score
        write_book(path, rules, scores)
    return all(each.key in scores for layer in layers_to_score for each in layer)


def _search(
    scoring: Scoring,
    layer: list[BookQuestion],
    scores: dict[int, int],
    run_jobs: RunJobs,
    seconds: float | None,
    report: Callable[[BookProgress], None] | None,
    path: Path,
) -> None:
    """Search the positions of one ply that have no score yet."""
    todo = [each for each in layer if each.key not in scores]
    begin = saved = time.monotonic()
    done, nodes = len(layer) - len(todo), 0
    clock = threading.Timer(seconds, scoring.stop.set) if seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    results = iter(run_jobs(scoring, todo))
    try:
        for question, (score, spent) in zip(todo, results, strict=True):
            if score == NO_SCORE or scoring.stop.is_set():
                return
            scores[question.key] = score
            done, nodes, now = done + 1, nodes + spent, time.monotonic()
            if now - saved > SAVE_SECONDS:
                write_book(path, scoring.rules, scores)
                saved = now
            if report is not None:
                ply = question.position.mask.bit_count()
                report(BookProgress(ply, done, len(layer), nodes, now - begin))
    finally:
        getattr(results, "close", lambda: None)()
        _new_table.cache_clear()
        if clock is not None:
            clock.cancel()
