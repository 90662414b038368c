"""The opening book: exact scores of early positions, computed by the solver itself.

A book holds one position of each pair of mirror images, but none in which the player to move wins at once. The search
reads the file through a memory map; nothing is unpacked:

    LUDION BOOK 2\\n
    {"columns": 7, "rows": 6, "align": 4, "entries": 12345, "width": 4, "plies": 9, "crc32": 67890}   \\n
    index     4 bytes per bucket, and 4 more: the number of the first entry of each
    entries   sorted: the lower part of a key in `width` bytes, the score in 1 byte

Keys are multiplied by an odd constant (invertible, as in the table of the solver), so that they spread evenly: the
upper bits are the bucket, the others the lower part. The header is padded so that the index starts at a multiple of 8.

Every entry is exact even if the book is incomplete. There are two ways to build one: all positions of one ply are
searched, and those of earlier plies get their scores from their children; or, for each position of the last ply, one
best move is searched, and the position after it added. Scores of parents bound those of their children. The builder
saves from time to time and continues an existing book. Positions are searched in the order of a tree walk with one
table, so that neighbours share results. From ply 9 on a small table is best: with 2 to 4 MB a tenth more nodes are
visited than with 64 MB, in four fifths of the time, since it fits the caches. Long searches of early plies want more.
"""

from __future__ import annotations

import collections
import contextlib
import functools
import itertools
import json
import mmap
import os
import threading
import time
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np

from ludion.core.files import write_atomically
from ludion.core.words import MIXER, is_wide
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODES, run
from ludion.errors import LudionError
from ludion.games.connect_four.bitboards import (
    SolverBoard,
    board_of,
    has_four,
    key_of,
    mirror_image,
    shape_of,
    threats,
)
from ludion.games.connect_four.rules import WORD_BITS, DropGame, Stones, start_of
from ludion.games.connect_four.score_table import NO_BOOK, NO_SCORE, Book, ScoreTable, new_table
from ludion.games.connect_four.solver import SolverWork, new_stack, score_between
from ludion.messages import message

MAGIC = b"LUDION BOOK 2\n"
SHIPPED = Path(__file__).parent / "books"
SAVE_SECONDS = 30.0
TABLE_MEMORY = 4 << 20


class BookError(LudionError):
    """A book that cannot be read or is for another board."""


def file_name(rules: DropGame) -> str:
    """The name of the shipped book for this board."""
    return f"{rules.columns}x{rules.rows}.book"


def read_book(path: Path, rules: DropGame, is_checked: bool = True) -> Book:
    """Open a book; with `is_checked` compare its checksum."""
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
    """Write a book atomically."""
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
    """Scores by key, in arrays: the content of a book that is being built."""

    keys: np.ndarray  # sorted
    scores: np.ndarray

    def of(self, keys: np.ndarray) -> np.ndarray:
        """The scores of these keys; NO_SCORE if unknown."""
        if not self.keys.size:
            return np.full(keys.shape, NO_SCORE, np.int8)
        places = np.minimum(np.searchsorted(self.keys, keys), self.keys.size - 1)
        return np.where(self.keys[places] == keys, self.scores[places], np.int8(NO_SCORE))

    def joined(self, keys: np.ndarray, scores: np.ndarray) -> KnownScores:
        """These scores and the others, but for those that are NO_SCORE."""
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
    """The numbers of stones: in each column of a key, the stones are the bits below the highest."""
    heights = np.array([code.bit_length() - 1 for code in range(1 << rules.stride)])
    column = (1 << rules.stride) - 1
    stones = np.zeros(keys.shape, np.int64)
    for place in range(rules.columns):
        stones += heights[keys >> place * rules.stride & column]
    return stones


@functools.cache
def shipped_book(rules: DropGame) -> Book:
    """The book for a board: the file that `LUDION_BOOK` names, else the one in the package, if there is one."""
    name = os.environ.get("LUDION_BOOK")
    path = Path(name) if name else SHIPPED / file_name(rules)
    if rules.align == 4 and name and not path.is_file():
        raise BookError(message("connect_four.no_book", file=path.name, folder=path.parent))
    return read_book(path, rules, is_checked=bool(name)) if rules.align == 4 and path.is_file() else NO_BOOK


# ------------------------------------------------------------------ the positions of a book


class BookLayer(NamedTuple):
    """Open positions with the same number of stones, one of each pair of mirror images, in the order of a tree walk."""

    keys: np.ndarray
    owns: np.ndarray
    masks: np.ndarray
    least: np.ndarray  # lower bounds of the scores, from the parents

    def select(self, chosen: np.ndarray) -> BookLayer:
        """Some of the positions."""
        return BookLayer(*(each[chosen] for each in self))

    def positions(self) -> Iterator[Stones]:
        """The positions as values."""
        return map(Stones, self.owns.tolist(), self.masks.tolist())


def layers(rules: DropGame, known: KnownScores) -> Iterator[BookLayer]:
    """All open positions, ply by ply, including those that are won at once."""
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
    """The positions after one move: a row per parent, a column per column of the board, the middle first."""

    keys: np.ndarray
    owns: np.ndarray
    masks: np.ndarray
    is_open: np.ndarray  # the move is legal and does not end the game


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
    """The positions that belong in a book: those that are not won at once."""
    return layer.select(~are_won_at_once(board_of(rules), layer.owns, layer.masks))


def scores_of_children(
    rules: DropGame, layer: BookLayer, family: BookChildren, known: KnownScores
) -> np.ndarray:
    """The scores of positions after one move; NO_SCORE if unknown."""
    scores = known.of(family.keys).astype(np.int64)
    left = rules.cells - 1 - int(stones_of_keys(rules, layer.keys[:1]).sum())
    scores[are_won_at_once(board_of(rules), family.owns, family.masks)] = (left + 1) // 2
    return scores


def from_children(rules: DropGame, layer: BookLayer, known: KnownScores) -> np.ndarray:
    """The scores of positions without a win at once; NO_SCORE unless those of all children are known."""
    family = children(rules, layer)
    scores = scores_of_children(rules, layer, family, known)
    best = np.where(family.is_open, -scores, -rules.cells).max(axis=1)
    is_unknown = (family.is_open & (scores == NO_SCORE)).any(axis=1)
    return np.where(is_unknown, NO_SCORE, best).astype(np.int8)


def fewest_mistakes(rules: DropGame, every: list[BookLayer], known: KnownScores) -> np.ndarray:
    """For each position of the last layer, how many moves that lost points one of the two players has made at least.

    0: one of them may have played perfectly. Only games through positions that are not won at once are counted; a
    position that no such game reaches has as many mistakes as plies.
    """
    counts = np.zeros((1, 2), np.int64)  # of both players
    for ply, (layer, following) in enumerate(itertools.pairwise(every)):
        family = children(rules, layer)
        scores = scores_of_children(rules, layer, family, known)
        is_mistake = scores > -known.of(layer.keys).astype(np.int64)[:, None]
        after = np.repeat(counts[:, None, :], rules.columns, axis=1)
        after[:, :, ply & 1] += is_mistake
        order = np.argsort(following.keys)
        places = np.minimum(np.searchsorted(following.keys[order], family.keys), order.size - 1)
        is_entry = family.is_open & (following.keys[order][places] == family.keys)
        counts = np.full((order.size, 2), ply + 1)
        np.minimum.at(counts, order[places[is_entry]], after[is_entry])
    return np.asarray(counts.min(axis=1))


class BookSummary(TypedDict):
    """The contents of a book."""

    entries: int
    bytes: int  # of the file
    plies: dict[
        int, tuple[int, int]
    ]  # ply: how many of its positions are in the book, and how many there are


def summary(rules: DropGame, path: Path) -> BookSummary:
    """The contents of a book, and how many positions a complete one has."""
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


class ReplyQuestion(NamedTuple):
    """The positions after some moves of one player: which is the best move?"""

    candidates: tuple[Stones, ...]
    best: int  # the score of the best one, for the opponent: the others are worth more


@functools.lru_cache(1)
def _new_table(rules: DropGame, memory: int) -> ScoreTable:
    board = board_of(rules)
    return new_table(board, 0, memory, largest_log=board.bits, grows=False)


_table_lock = threading.Lock()


def shared_table(rules: DropGame, memory: int) -> ScoreTable:
    """The table of this process, shared by all positions and threads."""
    with _table_lock:
        return _new_table(rules, memory)


@dataclass(frozen=True)
class BookWork:
    """The work of building. Like all work for a batch it can be sent to another process; each has its own table."""

    rules: DropGame
    memory: int = TABLE_MEMORY
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in self.__dict__.items() if name != "stop"}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state, stop=threading.Event())

    def run(self, search: Callable[[Callable[[Stones, int, int], int]], int]) -> tuple[int, int]:
        """Run `search(score)`, where `score(position, low, high)` asks the solver; return its result and the nodes."""
        board, shape, table = (
            board_of(self.rules),
            shape_of(self.rules),
            shared_table(self.rules, self.memory),
        )

        def in_thread(control: np.ndarray, trace: np.ndarray) -> int:
            workspace = SolverWork(NO_BOOK, table, new_stack(board), control)

            def score(position: Stones, low: int, high: int) -> int:
                own, mask = position
                return int(score_between(shape, own, mask, low, high, workspace))

            return search(score)

        outcome = run(in_thread, Budget(), Observer(stop=self.stop))
        return outcome.result, int(outcome.control[NODES])


@dataclass(frozen=True)
class Scoring(BookWork):
    """Called with a position, it returns the score (NO_SCORE if stopped) and the nodes that it took."""

    def __call__(self, question: BookQuestion) -> tuple[int, int]:
        return self.run(lambda score: score(question.position, question.least, self.rules.cells))


@dataclass(frozen=True)
class ReplySearch(BookWork):
    """Called with candidates, it returns the place of a best one (NO_SCORE if stopped) and the nodes that it took."""

    def __call__(self, question: ReplyQuestion) -> tuple[int, int]:
        best = question.best

        def search(score: Callable[[Stones, int, int], int]) -> int:
            *others, _ = question.candidates
            for place, position in enumerate(others):
                value = score(position, best, best + 1)
                if value == NO_SCORE:
                    return NO_SCORE
                if value == best:
                    return place
            return len(others)  # no other is best

        return self.run(search)


# Does the work on many questions, in order: `map`, or what shares it among threads, processes or machines.
RunJobs = Callable[[Callable[[Any], tuple[int, int]], Iterable[Any]], Iterable[tuple[int, int]]]


@dataclass(frozen=True)
class BookProgress:
    """The progress of a build."""

    ply: int
    done: int
    total: int
    nodes: int
    seconds: float


class BookBuild:
    """A book that is being built: its file, what is known, and how the work is done.

    `run_jobs` does the work, here or elsewhere, and yields the results in order (see `ludion.batch`); `memory` is for
    the table of each process. Ends after the given time.
    """

    def __init__(
        self,
        rules: DropGame,
        path: Path,
        run_jobs: RunJobs = map,
        memory: int = TABLE_MEMORY,
        seconds: float | None = None,
        report: Callable[[BookProgress], None] | None = None,
    ) -> None:
        if rules.align != 4:
            raise BookError(message("connect_four.books_are_for_four"))
        if is_wide(rules.full):
            raise BookError(message("connect_four.books_are_for_one_word", most=WORD_BITS))
        self.rules, self.path, self.run_jobs = rules, path, run_jobs
        self.memory, self.seconds, self.report = memory, seconds, report
        self.known = scores_in(rules, read_book(path, rules)) if path.is_file() else NOTHING_KNOWN

    def layers(self, plies: int) -> list[BookLayer]:
        """The positions of a complete book with that many plies, ply by ply."""
        every = itertools.islice(layers(self.rules, self.known), plies + 1)
        return [entries_of(self.rules, layer) for layer in every]

    def add(self, keys: np.ndarray, scores: np.ndarray) -> None:
        """Add scores, but for those that are NO_SCORE, and save the book."""
        self.known = self.known.joined(keys, scores)
        write_book(self.path, self.rules, self.known)

    def results(
        self,
        work: Scoring | ReplySearch,
        questions: Iterable[Any],
        ply: int,
        done: int,
        total: int,
        save: Callable[[], None],
    ) -> Generator[int, None, None]:
        """The results of the work in order, until it is stopped; saves from time to time."""
        begin = saved = time.monotonic()
        nodes, pause = 0, SAVE_SECONDS
        clock = threading.Timer(self.seconds, work.stop.set) if self.seconds is not None else None
        if clock is not None:
            clock.daemon = True
            clock.start()
        results = iter(self.run_jobs(work, questions))
        try:
            for result, spent in results:
                if result == NO_SCORE or work.stop.is_set():
                    return
                yield result
                done, nodes, now = done + 1, nodes + spent, time.monotonic()
                if now - saved > pause:
                    save()
                    saved = time.monotonic()
                    # Saving takes at most a twentieth of the time.
                    pause = max(SAVE_SECONDS, 20 * (saved - now))
                if self.report is not None:
                    self.report(BookProgress(ply, done, total, nodes, now - begin))
        finally:
            getattr(results, "close", lambda: None)()
            _new_table.cache_clear()
            if clock is not None:
                clock.cancel()
            save()

    def add_positions(self, plies: int) -> bool:
        """Add all positions with `plies` stones, then all those before; return whether they are all there."""
        every = self.layers(plies)
        layer = every[plies]
        scores = self.known.of(layer.keys)
        todo = np.nonzero(scores == NO_SCORE)[0]
        rest = layer.select(todo)
        questions = map(BookQuestion, rest.positions(), rest.least.tolist())
        work, done = Scoring(self.rules, self.memory), scores.size - todo.size
        results = self.results(
            work, questions, plies, done, scores.size, lambda: self.add(layer.keys, scores)
        )
        try:
            with contextlib.closing(results):
                for place, score in zip(todo.tolist(), results, strict=False):
                    scores[place] = score
        finally:
            for earlier in reversed(every[:plies]):
                self.known = self.known.joined(earlier.keys, from_children(self.rules, earlier, self.known))
            write_book(self.path, self.rules, self.known)
        return all(bool((self.known.of(each.keys) != NO_SCORE).all()) for each in every)

    def add_replies(self, plies: int) -> bool:
        """Add, for each position with `plies` stones in the book, the position after a best move.

        The score of such a position is known before it is searched, which needs one narrow question instead of several.
        Positions that a perfect player can meet come first. Return whether all are there.
        """
        every = self.layers(plies)
        layer = every[plies]
        layer = layer.select(np.argsort(fewest_mistakes(self.rules, every, self.known), kind="stable"))
        layer = layer.select(self.known.of(layer.keys) != NO_SCORE)
        family = children(self.rules, layer)
        best = -self.known.of(layer.keys).astype(np.int64)
        scores = scores_of_children(self.rules, layer, family, self.known)
        todo = np.nonzero(~(family.is_open & (scores == best[:, None])).any(axis=1))[0].tolist()
        is_candidate = family.is_open & (scores == NO_SCORE)
        replies: dict[int, int] = {}  # scores by key
        asked: collections.deque[tuple[int, list[int]]] = collections.deque()  # parents and their candidates

        def questions() -> Iterator[ReplyQuestion]:
            for parent in todo:
                places = np.nonzero(is_candidate[parent])[0].tolist()
                known = [replies.get(int(family.keys[parent, place])) for place in places]
                if best[parent] not in known:
                    places = [place for place, score in zip(places, known, strict=True) if score is None]
                    asked.append((parent, places))
                    after = family.owns[parent, places].tolist(), family.masks[parent, places].tolist()
                    yield ReplyQuestion(tuple(map(Stones, *after)), int(best[parent]))

        def save() -> None:
            self.add(np.array(list(replies), np.int64), np.array(list(replies.values()), np.int8))

        work, done = ReplySearch(self.rules, self.memory), best.size - len(todo)
        with contextlib.closing(self.results(work, questions(), plies + 1, done, best.size, save)) as results:
            for place in results:
                parent, places = asked.popleft()
                replies[int(family.keys[parent, places[place]])] = int(best[parent])
        scores = scores_of_children(self.rules, layer, family, self.known)
        return bool((family.is_open & (scores == best[:, None])).any(axis=1).all())
