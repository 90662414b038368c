"""Many jobs, in order: one after the other, in threads, in processes, or on a Dask cluster.

`solve --file`, the lab, matches and `run --games` all use `run_jobs(work, items)`. The work is a callable of one item;
if it has a method `many(items, jobs)`, this is used for several items at once. Results come in the order of the items,
as soon as they are ready. To be sent to another process or machine, the work and its items must be picklable values,
and doing an item twice must be harmless: when a worker dies, another does its items again.
"""

from __future__ import annotations

import collections
import itertools
import multiprocessing
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TypeVar, cast

from ludion.errors import LudionError
from ludion.messages import language, message, use

THREADS, PROCESSES = "threads", "processes"
AHEAD = 16  # items under way for each job

Item = TypeVar("Item")
Result = TypeVar("Result")


class LostWorkError(LudionError):
    """Workers or a cluster were lost before the work was done."""


def run_jobs(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    by: str = THREADS,
    cluster: str | None = None,
) -> Iterator[Result]:
    """The results of all items, in their order; `by` says what a job is on this machine."""
    if cluster is not None:
        from ludion.batch.cluster import run_on_cluster

        return run_on_cluster(work, items, cluster)
    many = getattr(work, "many", None)
    if many is not None:
        return cast(Iterator[Result], iter(many(items, jobs)))
    if jobs == 1:
        return map(work, items)
    return in_threads(work, items, jobs) if by == THREADS else in_processes(work, items, jobs)


def in_threads(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
    """Work that releases the interpreter's lock (compiled searches) gets all cores from threads."""
    stop = getattr(work, "stop", None)
    return _in_pool(
        ThreadPoolExecutor(jobs, initializer=use, initargs=(language(),)),
        work,
        items,
        jobs,
        stop.set if stop is not None else None,
    )


def in_processes(work: Callable[[Item], Result], items: Iterable[Item], jobs: int) -> Iterator[Result]:
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
    work: Callable[[Item], Result],
    items: Iterable[Item],
    jobs: int,
    stop: Callable[[], None] | None,
) -> Iterator[Result]:
    """The results in order; `stop` ends the current work when the reader closes the iterator or presses Ctrl-C."""
    waiting: collections.deque[Future[Result]] = collections.deque()
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) >= jobs * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool as error:
        raise LostWorkError(message("batch.worker_died")) from error
    finally:
        if waiting and stop is not None:
            stop()
        pool.shutdown(cancel_futures=True)


def _kill_workers(pool: ProcessPoolExecutor) -> None:
    """What `ProcessPoolExecutor.kill_workers` does from Python 3.14 on."""
    for process in list((pool._processes or {}).values()):
        process.kill()
