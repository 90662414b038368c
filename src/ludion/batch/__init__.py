"""Many pieces of work, in order: one after the other, in threads, in processes, or on a Dask cluster.

`carry_out(work, items)` is the one way: `solve --file`, the lab, tournaments and `run --games` go through it.
The work is a callable of one item; if it has a method `many(items, jobs)`, that one is used wherever several
items are at hand. Results come in the order of the items, as soon as they are there. To be sent to another
process or machine, the work and its items must be values that can be pickled, and doing an item twice must do
no harm: when a worker dies, its items are done again by another.
"""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from ludion.errors import LudionError

THREADS, PROCESSES = "threads", "processes"


class LostWorkError(LudionError):
    """Workers or a cluster that went away before the work was done."""


def carry_out(
    work: Callable[[Any], Any],
    items: Iterable[Any],
    *,
    jobs: int = 1,
    by: str = THREADS,
    cluster: str | None = None,
) -> Iterator[Any]:
    """The results of all items, in their order; `by` says what a job is on this machine."""
    if cluster is not None:
        from ludion.batch.cluster import on_cluster

        return on_cluster(work, items, cluster)
    many = getattr(work, "many", None)
    if many is not None:
        return iter(many(items, jobs))
    if jobs == 1:
        return map(work, items)
    return in_threads(work, items, jobs) if by == THREADS else in_processes(work, items, jobs)


def in_threads(work: Callable[[Any], Any], items: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Work that leaves the interpreter's lock alone (compiled searches) gets all cores from threads."""
    stop = getattr(work, "stop", None)
    return _in_pool(ThreadPoolExecutor(jobs), work, items, jobs, stop.set if stop is not None else None)


def in_processes(work: Callable[[Any], Any], items: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Work in plain Python needs processes."""
    waiting = iter(items)
    first = list(itertools.islice(waiting, 2))
    if len(first) < 2:
        return map(work, first)
    # Fresh processes: a fork of one that has threads may hang. Ctrl-C is for this process, which ends the others.
    pool = ProcessPoolExecutor(
        jobs, multiprocessing.get_context("spawn"), signal.signal, (signal.SIGINT, signal.SIG_IGN)
    )
    return _in_pool(pool, work, itertools.chain(first, waiting), jobs, lambda: _kill_workers(pool))


def _in_pool(
    pool: Executor,
    work: Callable[[Any], Any],
    items: Iterable[Any],
    jobs: int,
    stop: Callable[[], Any] | None,
) -> Iterator[Any]:
    """The results in order; `stop` ends the work at hand when the reader has had enough or pressed Ctrl-C."""
    waiting: collections.deque[Any] = collections.deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= jobs * 16:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise LostWorkError(
            "a worker process died (out of memory?); what was done until then is kept"
        ) from error
    finally:
        if waiting and stop is not None:
            stop()
        pool.shutdown(cancel_futures=True)


def _kill_workers(pool: ProcessPoolExecutor) -> None:
    """What `ProcessPoolExecutor.kill_workers` does from Python 3.14 on."""
    for process in list((pool._processes or {}).values()):
        process.kill()
