"""The opening book: exact scores of early positions, made by the solver itself.

A book holds positions up to mirror images, those apart in which the player to move wins at once. It is a
file:

    LUDION BOOK 1\\n
    {"columns": 7, "rows": 6, "align": 4, "entries": 12345, "sha256": "..."}\\n
    zlib of: the sorted keys as differences, 8 bytes each, then the scores, 1 byte each; the hash is of these

Whatever it holds is right, however far it was built. Building searches the positions of one ply and takes the
scores of those before from their children. It saves now and then and goes on from what is there. The positions
come in the order in which a walk through the tree meets them, and the table is kept, so that neighbours share
what they find out. A large table pays where the searches are long, up to ply 5 or so, and costs more in cache misses
than it saves after that (4 GB instead of 64 MB at ply 7: 5 % fewer nodes, a third fewer nodes a second).
What is known of a parent bounds its children.
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
from typing import Any, NamedTuple

import numpy as np

from ludion.core.files import write_atomically
from ludion.engines.budget import Budget, Observer
from ludion.engines.limits import NODES, run
from ludion.errors import LudionError
from ludion.games.connect_four.rules import START, DropGame, Stones, has_line
from ludion.games.connect_four.solver import (
    ENDED,
    NO_BOOK,
    Book,
    board_of,
    canonical_key,
    new_stack,
    new_table,
    score_between,
    shape_of,
)
from ludion.kinds.duel import play

MAGIC = b"LUDION BOOK 1\n"
SHIPPED = Path(__file__).parent / "books"
SAVE_SECONDS = 30.0
TABLE_MEMORY = 256 << 20


class BookError(LudionError):
    """A book that cannot be read or does not fit."""


def file_name(rules: DropGame) -> str:
    return f"{rules.columns}x{rules.rows}.book"


def read_book(path: Path, rules: DropGame) -> Book:
    """A book as the search reads it; checked."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise BookError(f"{path.name} is not a book")
    try:
        head, _, packed = content[len(MAGIC) :].partition(b"\n")
        told = json.loads(head)
        if (told["columns"], told["rows"], told["align"]) != (rules.columns, rules.rows, rules.align):
            raise BookError(
                f"{path.name} is a book of {told['columns']}x{told['rows']} with {told['align']} in a row"
            )
        raw = zlib.decompress(packed)
        count = int(told["entries"])
        if hashlib.sha256(raw).hexdigest() != told["sha256"] or len(raw) != 9 * count:
            raise BookError(f"{path.name} is damaged: its checksum is wrong")
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        if isinstance(error, BookError):
            raise
        raise BookError(f"{path.name} is damaged: {error}") from error
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
    """How many stones the positions of these keys have."""
    heights = np.array([code.bit_length() - 1 for code in range(1 << rules.stride)])
    codes = (keys[:, None] >> np.arange(rules.columns) * rules.stride) & ((1 << rules.stride) - 1)
    return heights[codes].sum(axis=1)  # type: ignore[no-any-return]


@functools.cache
def shipped_book(rules: DropGame) -> Book:
    """The book to use for a game: `LUDION_BOOK` if it names a file, else the one that comes with the
    package, if any."""
    named = os.environ.get("LUDION_BOOK")
    path = Path(named) if named else SHIPPED / file_name(rules)
    if rules.align != 4 or not path.is_file():
        return NO_BOOK
    return read_book(path, rules)


# ------------------------------------------------------------------ the positions of a book


class BookQuestion(NamedTuple):
    """A position to be scored, and what its parents' scores tell of it."""

    key: int
    position: Stones
    least: int


def layers(rules: DropGame, scores: dict[int, int]) -> Iterator[list[BookQuestion]]:
    """Ply by ply all open positions up to mirror images, in the order of a walk through the tree."""
    board = board_of(rules)
    layer = [BookQuestion(int(canonical_key(board, *START)), START, -rules.cells)]
    while True:
        yield layer
        grown: dict[int, BookQuestion] = {}
        for parent in layer:
            least = -scores.get(parent.key, rules.cells)
            for key, child in children(rules, parent.position):
                met = grown.get(key, BookQuestion(key, child, least))
                grown[key] = met._replace(least=max(met.least, least))
        layer = list(grown.values())


def children(rules: DropGame, position: Stones) -> list[tuple[int, Stones]]:
    """The open positions after one move, with their keys; the middle first."""
    board, found = board_of(rules), []
    for column in sorted(range(rules.columns), key=lambda column: abs(2 * column - rules.columns + 1)):
        if position.mask >> (column * rules.stride + rules.rows - 1) & 1 == 0:
            child = play(rules, position, column)
            if not has_line(rules, child.own ^ child.mask):
                found.append((int(canonical_key(board, *child)), child))
    return found


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


def wins_at_once(rules: DropGame, position: Stones) -> bool:
    """Whether the player to move can complete a line: such positions need no book."""
    ready = (position.mask + rules.bottom) & rules.full
    while ready:
        cell = ready & -ready
        ready ^= cell
        if has_line(rules, position.own | cell):
            return True
    return False


def positions_at(rules: DropGame, plies: int) -> list[Stones]:
    """All open positions with so many stones in which the player to move cannot win at once, up to mirror
    images."""
    layer = next(itertools.islice(layers(rules, {}), plies, None))
    return [each.position for each in layer if not wins_at_once(rules, each.position)]


def summary(rules: DropGame, path: Path) -> dict[str, Any]:
    """What is in a book: how many positions of each ply, and how many there are."""
    if not path.is_file():
        raise BookError(f"no book {path.name} in {path.parent}")
    book = read_book(path, rules)
    held = np.bincount(stones_of_keys(rules, book.keys), minlength=book.plies + 1).tolist()
    plies = {}
    for ply, layer in zip(range(book.plies + 1), layers(rules, {}), strict=False):
        plies[ply] = (held[ply], sum(not wins_at_once(rules, each.position) for each in layer))
    return {"entries": sum(held), "bytes": path.stat().st_size, "plies": plies}


# ------------------------------------------------------------------ building


@functools.lru_cache(1)
def _made_table(rules: DropGame, memory: int) -> np.ndarray:
    return new_table(board_of(rules), 0, memory, largest_log=board_of(rules).bits)


_making_table = threading.Lock()


def warm_table(rules: DropGame, memory: int) -> np.ndarray:
    """The table of this process for building: the same for all positions and threads."""
    with _making_table:
        return _made_table(rules, memory)


@dataclass(frozen=True)
class Scoring:
    """The work of building: called with a question, it gives the score and the nodes it took.

    Like all work for a batch it can be sent to another process; each process has its own table.
    """

    rules: DropGame
    memory: int = TABLE_MEMORY
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "stop"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, stop=threading.Event())

    def __call__(self, question: BookQuestion) -> tuple[int, int]:
        """ENDED for the score if stopped."""
        rules, (own, mask) = self.rules, question.position
        board, table = board_of(rules), warm_table(self.rules, self.memory)

        def search(control: Any, trace: Any) -> int:
            shape, stack = shape_of(rules), new_stack(board)
            return int(
                score_between(shape, own, mask, question.least, rules.cells, NO_BOOK, table, stack, control)
            )

        outcome = run(search, Budget(), Observer(stop=self.stop))
        return outcome.result, int(outcome.control[NODES])


@dataclass(frozen=True)
class BookProgress:
    """How far a building is."""

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
    run_jobs: Callable[[Any, Iterable[Any]], Iterator[Any]] = map,
    memory: int = TABLE_MEMORY,
    seconds: float | None = None,
    report: Callable[[BookProgress], None] | None = None,
) -> bool:
    """Add all positions with `plies` stones, then all those before; return whether they are all there.

    What is in the file already is not done again. `run_jobs` does the work, here or elsewhere, and gives the
    results in order (see `ludion.batch`); `memory` is for the table of each process. Ends after the given
    time, or at Ctrl-C, with what is done saved.
    """
    if rules.align != 4:
        raise BookError("books are for four in a row")
    scores = as_dictionary(read_book(path, rules)) if path.is_file() else {}
    plan = [
        [each for each in layer if not wins_at_once(rules, each.position)]
        for layer in itertools.islice(layers(rules, scores), plies + 1)
    ]
    try:
        _search(Scoring(rules, memory), plan[plies], scores, run_jobs, seconds, report, path)
    finally:
        for layer in reversed(plan[:plies]):
            for each in layer:
                score = scores.get(each.key, from_children(rules, each.position, scores))
                if score is not None:
                    scores[each.key] = score
        write_book(path, rules, scores)
    return all(each.key in scores for layer in plan for each in layer)


def _search(
    scoring: Scoring,
    wanted: list[BookQuestion],
    scores: dict[int, int],
    run_jobs: Callable[[Any, Iterable[Any]], Iterator[Any]],
    seconds: float | None,
    report: Callable[[BookProgress], None] | None,
    path: Path,
) -> None:
    """Search the positions of one ply that have no score yet."""
    todo = [each for each in wanted if each.key not in scores]
    begin = saved = time.monotonic()
    done, nodes = len(wanted) - len(todo), 0
    clock = threading.Timer(seconds, scoring.stop.set) if seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    results = iter(run_jobs(scoring, todo))
    try:
        for question, (score, spent) in zip(todo, results, strict=True):
            if score == ENDED or scoring.stop.is_set():
                return
            scores[question.key] = score
            done, nodes, now = done + 1, nodes + spent, time.monotonic()
            if now - saved > SAVE_SECONDS:
                write_book(path, scoring.rules, scores)
                saved = now
            if report is not None:
                report(
                    BookProgress(question.position.mask.bit_count(), done, len(wanted), nodes, now - begin)
                )
    finally:
        getattr(results, "close", lambda: None)()
        _made_table.cache_clear()
        if clock is not None:
            clock.cancel()
