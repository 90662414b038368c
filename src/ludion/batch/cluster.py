"""The same work on a Dask cluster (extra `[cluster]`): a `dask scheduler` and workers that have ludion.

Items travel in chunks, sized while running so that one takes about `AIM` seconds: a task costs the
scheduler some milliseconds, which then stay far below 5 %. A few chunks per worker are under way at any time,
never all of them, so input and results of any number fit in memory. When a worker dies, Dask gives its
chunks to others. A chunk that keeps killing workers is cut into single items; an item that does so by
itself is an error.
"""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ludion.batch import LostWorkError
from ludion.errors import LudionError
from ludion.messages import message

AIM = 1.0  # seconds per chunk
LARGEST = 20_000  # items per chunk
AHEAD = 3  # chunks under way for each thread of a worker
PATIENCE = 10.0  # seconds to find the scheduler


class ClusterError(LudionError):
    """A cluster that cannot be reached, or cannot do the work."""


def run_chunk(work: Callable[[Any], Any], items: list[Any]) -> tuple[list[Any], float]:
    """On a worker: the results of a chunk, and how long they took."""
    begin = time.perf_counter()
    many = getattr(work, "many", None)
    results = list(many(items, 1)) if many is not None else [work(item) for item in items]
    return results, time.perf_counter() - begin


def connect(address: str) -> Any:
    """A client of the scheduler at this address."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise ClusterError(message("batch.cluster_extra")) from None
    import logging

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # we report errors ourselves
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError, TypeError, ImportError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise ClusterError(message("batch.no_scheduler", address=address, reason=reason)) from error


def run_on_cluster(work: Callable[[Any], Any], items: Iterable[Any], address: str) -> Iterator[Any]:
    """The results of all items, in order, computed on the cluster."""
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError
    from distributed.scheduler import KilledWorker

    client = connect(address)
    waiting = iter(items)
    running: collections.deque[tuple[list[Any], Any]] = collections.deque()
    pace = Pace()
    done = 0
    try:
        if not client.scheduler_info()["workers"]:
            wait_for_workers(client, address)
        while True:
            room = AHEAD * max(1, sum(client.nthreads().values()))
            while len(running) < room:
                chunk = list(itertools.islice(waiting, pace.size))
                if not chunk:
                    break
                running.append((chunk, client.submit(run_chunk, work, chunk, pure=False)))
            if not running:
                return
            chunk, future = running.popleft()
            try:
                results, seconds = future.result()
            except KilledWorker as error:
                if len(chunk) == 1:
                    name = getattr(chunk[0], "name", chunk[0])
                    raise LostWorkError(
                        message("batch.item_kills_workers", number=done + 1, name=str(name)[:60])
                    ) from error
                singles = [([item], client.submit(run_chunk, work, [item], pure=False)) for item in chunk]
                running.extendleft(reversed(singles))
                continue
            except (ModuleNotFoundError, ImportError) as error:
                raise ClusterError(message("batch.workers_lack_package", error=error)) from error
            pace.learn(len(chunk), seconds)
            done += len(results)
            yield from results
    except (CommClosedError, FutureCancelledError, TimeoutError) as error:
        raise LostWorkError(message("batch.cluster_gone", address=address, done=done)) from error
    finally:
        for _, future in running:
            future.cancel()
        client.close(timeout=2)


def wait_for_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise ClusterError(message("batch.no_workers", address=address)) from None


class Pace:
    """How many items make a chunk of about `AIM` seconds: few at first, then by what was measured."""

    def __init__(self) -> None:
        self.size = 1

    def learn(self, items: int, seconds: float) -> None:
        aimed = AIM * items / max(seconds, 1e-6)
        self.size = max(1, int(min(LARGEST, aimed, self.size * 4)))
