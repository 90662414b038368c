"""The opening book: exact scores of early positions, made by the solver itself.

A book holds positions up to mirror images, those apart in which the player to move wins at once. It is a
file:

    LUDION BOOK 1\\n
    {"columns": 7, "rows": 6, "align": 4, "entries": 12345, "sha256": "..."}\\n
    zlib of: the sorted keys as differences, 8 bytes each, then the scores, 1 byte each; the hash is of these

Whatever it holds is right, however far it was built: building adds positions of one ply, in an order that
lets neighbours share what the table knows, saves now and then, and goes on from what is there. The plies
before a finished one cost nothing more: the search ends wherever it meets the book.
"""

from __future__ import annotations

import collections
import functools
import hashlib
import json
import os
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludion.engines.limits import NODE_LIMIT, NODES, STOP
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
from ludion.verbs import write_atomically

MAGIC = b"LUDION BOOK 1\n"
SHIPPED = Path(__file__).parent / "books"
SAVE_SECONDS = 30.0


class BookError(LudionError):
    """A book that cannot be read or does not fit."""


def file_name(game: DropGame) -> str:
    return f"{game.columns}x{game.rows}.book"


def read_book(path: Path, game: DropGame) -> dict[int, int]:
    """The scores of a book by key; checked."""
    content = path.read_bytes()
    if not content.startswith(MAGIC):
        raise BookError(f"{path.name} is not a book")
    try:
        head, _, packed = content[len(MAGIC) :].partition(b"\n")
        told = json.loads(head)
        if (told["columns"], told["rows"], told["align"]) != (game.columns, game.rows, game.align):
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
    scores = np.frombuffer(raw[8 * count :], np.int8)
    return dict(zip(keys.tolist(), scores.tolist(), strict=True))


def write_book(path: Path, game: DropGame, scores: dict[int, int]) -> None:
    """Write a book; a reader never sees half of it."""
    keys = np.array(sorted(scores), np.int64)
    raw = np.diff(keys, prepend=0).astype("<i8").tobytes() + bytes(scores[key] & 255 for key in keys.tolist())
    head = {
        "columns": game.columns,
        "rows": game.rows,
        "align": game.align,
        "entries": len(scores),
        "sha256": hashlib.sha256(raw).hexdigest(),
    }
    write_atomically(path, MAGIC + json.dumps(head).encode() + b"\n" + zlib.compress(raw, 9))


def stones_of_key(game: DropGame, key: int) -> int:
    """How many stones the position of a key has."""
    column = (1 << game.stride) - 1
    return sum((key >> c * game.stride & column).bit_length() - 1 for c in range(game.columns))


def as_arrays(game: DropGame, scores: dict[int, int]) -> Book:
    """The book as the search reads it."""
    keys = sorted(scores)
    return Book(
        np.array(keys, np.int64),
        np.array([scores[key] for key in keys], np.int8),
        max((stones_of_key(game, key) for key in keys), default=-1),
    )


@functools.cache
def shipped_book(game: DropGame) -> Book:
    """The book to use for a game: `LUDION_BOOK` if it names a file, else the one that comes with the
    package, if any."""
    named = os.environ.get("LUDION_BOOK")
    path = Path(named) if named else SHIPPED / file_name(game)
    if game.align != 4 or not path.is_file():
        return NO_BOOK
    return as_arrays(game, read_book(path, game))


def positions_at(game: DropGame, plies: int) -> list[Stones]:
    """All open positions with so many stones in which the player to move cannot win at once, up to mirror
    images."""
    board = board_of(game)
    layer = {0: START}
    for _ in range(plies):
        grown = {}
        for position in layer.values():
            for column in range(game.columns):
                if position.mask >> (column * game.stride + game.rows - 1) & 1 == 0:
                    child = play(game, position, column)
                    if not has_line(game, child.own ^ child.mask):
                        grown[int(canonical_key(board, child.own, child.mask))] = child
        layer = grown
    return [layer[key] for key in sorted(layer) if not _wins_at_once(game, layer[key])]


def _wins_at_once(game: DropGame, position: Stones) -> bool:
    for column in range(game.columns):
        if position.mask >> (column * game.stride + game.rows - 1) & 1 == 0:
            child = play(game, position, column)
            if has_line(game, child.own ^ child.mask):
                return True
    return False


def summary(game: DropGame, path: Path) -> dict[str, Any]:
    """What is in a book: how many positions of each ply, and how many there are."""
    if not path.is_file():
        raise BookError(f"no book {path.name} in {path.parent}")
    held = collections.Counter(stones_of_key(game, key) for key in read_book(path, game))
    plies = {ply: (held[ply], len(positions_at(game, ply))) for ply in range(max(held, default=-1) + 1)}
    return {"entries": sum(held.values()), "bytes": path.stat().st_size, "plies": plies}


@dataclass(frozen=True)
class BookProgress:
    """How far a building is."""

    ply: int
    done: int
    total: int
    nodes: int
    seconds: float


def build(
    game: DropGame,
    plies: int,
    path: Path,
    *,
    jobs: int = 1,
    seconds: float | None = None,
    report: Callable[[BookProgress], None] | None = None,
) -> bool:
    """Add all positions with `plies` stones, then those with fewer; return whether all are there.

    What is in the file already is not done again. Ends after the given time, or at Ctrl-C, with what is done
    saved.
    """
    if game.align != 4:
        raise BookError("books are for four in a row")
    scores = read_book(path, game) if path.is_file() else {}
    begin = time.monotonic()
    downwards = range(plies, -1, -1)
    return all(_build_ply(game, ply, path, scores, jobs, begin, seconds, report) for ply in downwards)


def _build_ply(
    game: DropGame,
    ply: int,
    path: Path,
    scores: dict[int, int],
    jobs: int,
    begin: float,
    seconds: float | None,
    report: Callable[[BookProgress], None] | None,
) -> bool:
    board, shape = board_of(game), shape_of(game)
    known = as_arrays(game, scores)
    wanted = [(int(canonical_key(board, each.own, each.mask)), each) for each in positions_at(game, ply)]
    todo = [(key, each) for key, each in wanted if key not in scores]
    if not todo:
        return True
    table = new_table(board, ply)  # shared: entries are single words
    controls = [np.zeros(16, np.int64) for _ in range(jobs)]
    lock = threading.Lock()
    queue = iter(todo)
    failures: list[BaseException] = []

    def work(control: np.ndarray) -> None:
        stack = new_stack(board)
        control[NODE_LIMIT] = 1 << 62
        try:
            while control[STOP] == 0:
                with lock:
                    key, position = next(queue, (0, None))
                if position is None:
                    return
                score = int(
                    score_between(
                        shape,
                        position.own,
                        position.mask,
                        -game.cells,
                        game.cells,
                        known,
                        table,
                        stack,
                        control,
                    )
                )
                if score != ENDED:
                    with lock:
                        scores[key] = score
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(control,), daemon=True) for control in controls]
    for thread in threads:
        thread.start()
    saved = time.monotonic()
    try:
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.05)
            now = time.monotonic()
            with lock:
                done = (
                    len(wanted) - sum(key not in scores for key, _ in todo)
                    if report or now - saved > SAVE_SECONDS
                    else 0
                )
                copy = dict(scores) if now - saved > SAVE_SECONDS else None
            if copy is not None:
                write_book(path, game, copy)
                saved = now
            if report is not None:
                report(
                    BookProgress(ply, done, len(wanted), int(sum(c[NODES] for c in controls)), now - begin)
                )
            if seconds is not None and now - begin > seconds:
                break
    finally:
        for control in controls:
            control[STOP] = 1
        for thread in threads:
            thread.join()
        write_book(path, game, scores)
    if failures:
        raise failures[0]
    return all(key in scores for key, _ in todo)
