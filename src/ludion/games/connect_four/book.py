"""The opening book: exact scores of early positions, made by the solver itself.

A book holds positions up to mirror images, without those in which the player to move wins at once. It is a file that
the search reads where it lies, through a map of memory; nothing is unpacked:

    LUDION BOOK 2\\n
    {"columns": 7, "rows": 6, "align": 4, "entries": 12345, "width": 4, "plies": 9, "crc32": 67890}   \\n
    index     4 bytes for each bucket and one more: where its entries begin
    entries   sorted: the rest of a key in `width` bytes, the score in 1 byte

A key is mixed by a product that can be inverted (as in the table of the solver), so that keys spread evenly: its upper
bits are the bucket, the others the rest. The line of the header is filled up so that the index lies at a multiple of 8.

Every entry is exact even if the book is incomplete. Building a book searches the positions of one ply and takes the
scores of those before from their children. What is known of a parent bounds its children. Building saves from time to
time and goes on from what is there. The positions come in the order of a walk through the tree, and the table is
kept, so that neighbours share what is known. A large table pays where the searches are long, up to ply 5 or so, and
costs more in cache misses than it saves after that (4 GB instead of 64 MB at ply 7: 5 % fewer nodes, a third fewer
nodes per second).
"""

from __future__ import annotations

import functools
import itertools
import json
import mmap
import os
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np

from ludion.core.files import write_atomically
from ludion.core.words import MIXER, is_wide
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODES, run
from ludion.errors import LudionError
from ludion.games.connect_four.rules import WORD_BITS, DropGame, Stones, start_of
from ludion.games.connect_four.solver import (
    NO_BOOK,
    NO_SCORE,
    Book,
    ScoreTable,
    SolverBoard,
    board_of,
    has_four,
    key_of,
    mirror_image,
    new_stack,
    new_table,
    score_between,
    shape_of,
    threats,
)
from ludion.messages import message

MAGIC = b"LUDION BOOK 2\n"
SHIPPED = Path(__file__).parent / "books"
SAVE_SECONDS = 30.0
TABLE_MEMORY = 256 << 20


class BookError(LudionError):
    """A book that cannot be read or does not fit."""


def file_name(rules: DropGame) -> str:
    """The name of the shipped book for this board."""
    return f"{rules.columns}x{rules.rows}.book"


def read_book(path: Path, rules: DropGame, is_checked: bool = True) -> Book:
    """A book as the search reads it; checked, unless the file came with the package."""
    with path.open("rb") as file:
        if file.readline(len(MAGIC)) != MAGIC:
            raise BookError(message("connect_four.no_book_file", file=path.name))
        head = file.readline()
        content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    try:
        header = json.loads(head)
        board = (header["columns"], header["rows"], header["align"])
        count, width, plies, checksum = (int(header[name]) for name in ("entries", "width", "plies", "crc32"))
    except (ValueError, KeyError, TypeError) as error:
        raise BookError(message("connect_four.book_damaged", file=path.name, cause=error)) from error
    if board != (rules.columns, rules.rows, rules.align):
        names = {"size": f"{board[0]}x{board[1]}", "align": board[2]}
        raise BookError(message("connect_four.book_of_another_board", file=path.name, **names))
    begin, buckets = len(MAGIC) + len(head), 1 << max(0, board_of(rules).bits - 8 * width)
    has_size = (
        count >= 0 and begin % 8 == 0 and len(content) == begin + 4 * (buckets + 1) + (width + 1) * count
    )
    if not has_size or (is_checked and zlib.crc32(memoryview(content)[begin:]) != checksum):
        raise BookError(message("connect_four.book_checksum", file=path.name))
    index = np.frombuffer(content, "<i4", buckets + 1, begin)
    return Book(index, np.frombuffer(content, np.int8, offset=begin + index.nbytes), width, plies)


def write_book(path: Path, rules: DropGame, known: KnownScores) -> None:
    """Write a book; a reader never sees half of it."""
    bits, count = board_of(rules).bits, known.keys.size
    width = next(width for width in range(1, 8) if bits - 8 * width <= max(1, count.bit_length()))
    mixed = (known.keys * MIXER) & ((1 << bits) - 1)
    order = np.argsort(mixed)
    mixed = mixed[order]
    buckets = 1 << max(0, bits - 8 * width)
    index = np.searchsorted(mixed >> 8 * width, np.arange(buckets + 1)).astype("<i4")
    entries = np.empty((count, width + 1), np.uint8)
    for place in range(width):
        entries[:, place] = mixed >> 8 * place & 255
    entries[:, width] = known.scores[order].view(np.uint8)
    raw = index.tobytes() + entries.tobytes()
    head = {
        "columns": rules.columns,
        "rows": rules.rows,
        "align": rules.align,
        "entries": count,
        "width": width,
        "plies": int(stones_of_keys(rules, known.keys).max(initial=-1)),
        "crc32": zlib.crc32(raw),
    }
    line = json.dumps(head).encode()
    line += b" " * (-(len(MAGIC) + len(line) + 1) % 8) + b"\n"
    write_atomically(path, MAGIC + line + raw)


class KnownScores(NamedTuple):
    """Scores by key, in arrays: a book while it is built."""

    keys: np.ndarray  # sorted
    scores: np.ndarray

    def of(self, keys: np.ndarray) -> np.ndarray:
        """The scores of these keys, NO_SCORE where there is none."""
        if not self.keys.size:
            return np.full(keys.shape, NO_SCORE, np.int8)
        places = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        return np.where(self.keys[places] == keys, self.scores[places], np.int8(NO_SCORE))

    def joined(self, keys: np.ndarray, scores: np.ndarray) -> KnownScores:
        """These, and others where they are known."""
        is_known = scores != NO_SCORE
        every, first = np.unique(np.concatenate([self.keys, keys[is_known]]), return_index=True)
        return KnownScores(every, np.concatenate([self.scores, scores[is_known]])[first])


NOTHING_KNOWN = KnownScores(np.zeros(0, np.int64), np.zeros(0, np.int8))


def scores_in(rules: DropGame, book: Book) -> KnownScores:
    """The scores of a book by key."""
    bits = board_of(rules).bits
    rows = book.entries.view(np.uint8).reshape(-1, book.width + 1)
    mixed = np.repeat(np.arange(book.buckets.size - 1), np.diff(book.buckets)) << 8 * book.width
    for place in range(book.width):
        mixed |= rows[:, place].astype(np.int64) << 8 * place
    keys = (mixed * pow(MIXER, -1, 1 << bits)) & ((1 << bits) - 1)
    order = np.argsort(keys)
    return KnownScores(keys[order], rows[order, book.width].view(np.int8))


def stones_of_keys(rules: DropGame, keys: np.ndarray) -> np.ndarray:
    """How many stones the positions of these keys have: each column's stones are below its highest bit."""
    heights = np.array([code.bit_length() - 1 for code in range(1 << rules.stride)])
    column = (1 << rules.stride) - 1
    stones = np.zeros(keys.shape, np.int64)
    for place in range(rules.columns):
        stones += heights[keys >> place * rules.stride & column]
    return stones


@functools.cache
def shipped_book(rules: DropGame) -> Book:
    """The book to use for a game: the file that `LUDION_BOOK` names, else the one in the package, if any."""
    name = os.environ.get("LUDION_BOOK")
    path = Path(name) if name else SHIPPED / file_name(rules)
    if rules.align != 4 or not path.is_file():
        return NO_BOOK
    return read_book(path, rules, is_checked=bool(name))


# ------------------------------------------------------------------ the positions of a book


class BookLayer(NamedTuple):
    """Open positions with equally many stones, one of each pair of mirror images, in the order of a walk."""

    keys: np.ndarray
    owns: np.ndarray
    masks: np.ndarray
    least: np.ndarray  # the scores are at least these, by the scores of the parents

    def select(self, chosen: np.ndarray) -> BookLayer:
        """Some of the positions."""
        return BookLayer(*(each[chosen] for each in self))

    def positions(self) -> Iterator[Stones]:
        """The positions as values."""
        return map(Stones, self.owns.tolist(), self.masks.tolist())


def layers(rules: DropGame, known: KnownScores) -> Iterator[BookLayer]:
    """Ply by ply all open positions, those included that are won at once."""
    layer = BookLayer(*(np.array([value]) for value in (rules.bottom, *start_of(rules), -rules.cells)))
    while True:
        yield layer
        family = children(rules, layer)
        scores = known.of(layer.keys).astype(np.int64)
        least = np.where(scores == NO_SCORE, -rules.cells, -scores)
        parents, _ = np.nonzero(family.is_open)
        keys, first, place = np.unique(family.keys[family.is_open], return_index=True, return_inverse=True)
        bounds = np.full(keys.size, -rules.cells)
        np.maximum.at(bounds, place, least[parents])
        walk = np.argsort(first)
        owns, masks = family.owns[family.is_open][first], family.masks[family.is_open][first]
        layer = BookLayer(*(each[walk] for each in (keys, owns, masks, bounds)))


class BookChildren(NamedTuple):
    """The positions after one move, a row for each parent and a column for each column, the middle first."""

    keys: np.ndarray
    owns: np.ndarray
    masks: np.ndarray
    is_open: np.ndarray  # the move is possible, and makes no line


def children(rules: DropGame, layer: BookLayer) -> BookChildren:
    """The positions after one move."""
    board = board_of(rules)
    order = sorted(range(rules.columns), key=lambda column: abs(2 * column - rules.columns + 1))
    bottoms = np.array([1 << column * rules.stride for column in order])
    cells = (layer.masks[:, None] + bottoms) & (bottoms * ((1 << rules.rows) - 1))
    masks = layer.masks[:, None] | cells
    owns = np.broadcast_to((layer.owns ^ layer.masks)[:, None], masks.shape)
    is_open = (cells != 0) & ~np.asarray(has_four(board, owns ^ masks))
    return BookChildren(canonical_keys(board, owns, masks), owns, masks, is_open)


def canonical_keys(board: SolverBoard, owns: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """For each position the smaller key of it and its mirror image."""
    keys: Any = key_of(board, owns, masks)  # type: ignore[arg-type]
    return np.asarray(
        np.minimum(keys, mirror_image(board, keys.copy()))
    )  # which shifts its argument in place


def are_won_at_once(board: SolverBoard, owns: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Which of the positions the player to move wins at once."""
    winning: Any = threats(board, owns, masks)  # type: ignore[arg-type]
    return np.asarray(winning & (masks + board.bottom) & board.full != 0)


def entries_of(rules: DropGame, layer: BookLayer) -> BookLayer:
    """The positions that belong into a book: those that are not won at once."""
    return layer.select(~are_won_at_once(board_of(rules), layer.owns, layer.masks))


def from_children(rules: DropGame, layer: BookLayer, known: KnownScores) -> np.ndarray:
    """The scores of positions without a win at once; NO_SCORE unless those of all children are known."""
    board, family = board_of(rules), children(rules, layer)
    scores = known.of(family.keys).astype(np.int64)
    is_won = are_won_at_once(board, family.owns, family.masks)
    left = rules.cells - 1 - int(stones_of_keys(rules, layer.keys[:1]).sum())
    scores[is_won] = (left + 1) // 2
    best = np.where(family.is_open, -scores, -rules.cells).max(axis=1)
    is_unknown = (family.is_open & (scores == NO_SCORE)).any(axis=1)
    return np.where(is_unknown, NO_SCORE, best).astype(np.int8)


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
    keys = scores_in(rules, book).keys
    counts = np.bincount(stones_of_keys(rules, keys), minlength=book.plies + 1).tolist()
    plies = {}
    for ply, layer in zip(range(book.plies + 1), layers(rules, NOTHING_KNOWN), strict=False):
        plies[ply] = (counts[ply], entries_of(rules, layer).keys.size)
    return {"entries": sum(counts), "bytes": path.stat().st_size, "plies": plies}


# ------------------------------------------------------------------ building


class BookQuestion(NamedTuple):
    """A position to be scored."""

    position: Stones
    least: int  # its score is at least this


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
    if is_wide(rules.full):
        raise BookError(message("connect_four.books_are_for_one_word", most=WORD_BITS))
    known = scores_in(rules, read_book(path, rules)) if path.is_file() else NOTHING_KNOWN
    every = [entries_of(rules, layer) for layer in itertools.islice(layers(rules, known), plies + 1)]
    scores = known.of(every[plies].keys)
    try:
        _search(Scoring(rules, memory), plies, every[plies], scores, known, run_jobs, seconds, report, path)
    finally:
        known = known.joined(every[plies].keys, scores)
        for layer in reversed(every[:plies]):
            known = known.joined(layer.keys, from_children(rules, layer, known))
        write_book(path, rules, known)
    return all(bool((known.of(layer.keys) != NO_SCORE).all()) for layer in every)


def _search(
    scoring: Scoring,
    ply: int,
    layer: BookLayer,
    scores: np.ndarray,
    known: KnownScores,
    run_jobs: RunJobs,
    seconds: float | None,
    report: Callable[[BookProgress], None] | None,
    path: Path,
) -> None:
    """Search the positions of one ply that have no score yet, and write their scores."""
    todo = np.nonzero(scores == NO_SCORE)[0]
    rest = layer.select(todo)
    questions = map(BookQuestion, rest.positions(), rest.least.tolist())
    begin = saved = time.monotonic()
    done, nodes, pause = scores.size - todo.size, 0, SAVE_SECONDS
    clock = threading.Timer(seconds, scoring.stop.set) if seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    results = iter(run_jobs(scoring, questions))
    try:
        for place, (score, spent) in zip(todo.tolist(), results, strict=True):
            if score == NO_SCORE or scoring.stop.is_set():
                return
            scores[place] = score
            done, nodes, now = done + 1, nodes + spent, time.monotonic()
            if now - saved > pause:
                write_book(path, scoring.rules, known.joined(layer.keys, scores))
                saved = time.monotonic()
                pause = max(SAVE_SECONDS, 20 * (saved - now))  # saving takes at most a twentieth of the time
            if report is not None:
                report(BookProgress(ply, done, scores.size, nodes, now - begin))
    finally:
        getattr(results, "close", lambda: None)()
        _new_table.cache_clear()
        if clock is not None:
            clock.cancel()
