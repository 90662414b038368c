"""What large jobs cost: measured throughput of one core, the overhead of a local cluster, and what follows.

all 2.6 million Rush Hour boards of the public database     boards per second, by the batch
a 12-ply Connect 4 book                                     positions per second, by the solver
100 million Minesweeper games                               games per second, by the best agent
a Hive rating list                                          seconds per game, at 0.1 s per move
"""

from __future__ import annotations

import itertools
import random
import time
from collections.abc import Callable
from typing import Any

import ludion
from benchmarks.measure import Row, claim
from ludion import registry
from ludion.batch import run_jobs
from ludion.batch.searches import SolveEach
from ludion.questions import Run, Search

WORKERS = 100
DATABASE = 2_577_412  # boards of fogleman's database
BOOK = 4_200_899  # entries of the 12-ply book that bitbully ships


def rush_hour(seconds: float) -> dict[str, Any] | None:
    """Boards per second: the shipped 6x6 levels, again and again, through the batch."""
    if "rush-hour" not in registry.games():
        return None
    texts = [level.position for level in registry.find("rush-hour").all_levels() if len(level.position) == 36]
    rate = pace(SolveEach(Search("rush-hour")), itertools.cycle(texts), seconds)
    return {
        "job": "all Rush Hour boards of the database",
        "items": DATABASE,
        "rate": rate,
        "unit": "boards/s",
    }


def connect_four(seconds: float) -> dict[str, Any] | None:
    """Positions per second: random ones of 12 plies, by the best engine."""
    if "connect-four" not in registry.games():
        return None
    chance = random.Random(1)

    def positions() -> Any:
        while True:
            now = ludion.position("connect-four", "")
            while len(now.text) < 12 and now.is_open:
                now = now.play(chance.choice(now.moves()))
            if now.is_open:
                yield now.text

    rate = pace(SolveEach(Search("connect-four")), positions(), seconds)
    return {"job": "a 12-ply Connect 4 book", "items": BOOK, "rate": rate, "unit": "positions/s"}


def minesweeper(seconds: float) -> dict[str, Any] | None:
    """Games per second of the best agent on the expert board."""
    if "crocomine" not in registry.games():
        return None
    names = [level.name for level in registry.find("crocomine").all_levels()]
    level = next((name for name in names if "minesweeper-expert" in name), None)
    if level is None:
        return None
    runs = (Run("crocomine", f"level:{level}", seed=seed) for seed in itertools.count())
    rate = pace(Run.record, runs, seconds)
    return {"job": "100 million Minesweeper games", "items": 100_000_000, "rate": rate, "unit": "games/s"}


def hive(seconds: float) -> dict[str, Any] | None:
    """Games of a rating list: 20 players, 100 games per pair, 60 plies of 0.1 s."""
    games = 20 * 19 // 2 * 100
    job = "a Hive rating list (20 players, 100 games per pair, 0.1 s per move)"
    return {"job": job, "items": games, "rate": 1 / (60 * 0.1), "unit": "games/s"}


def pace(work: Callable[[Any], Any], items: Any, seconds: float) -> float:
    """Items per second on one core, after a warm start."""
    results = run_jobs(work, items)
    for _ in range(3):
        next(results)
    begin, count = time.perf_counter(), 0
    while time.perf_counter() - begin < seconds:
        next(results)
        count += 1
    return count / (time.perf_counter() - begin)


def nothing(item: int) -> int:
    return item


def overhead(tasks: int) -> dict[str, float]:
    """What the cluster costs: milliseconds per task, and results per second that come back."""
    import distributed

    from ludion.batch import cluster as ours

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as workers:
        with distributed.Client(workers, set_as_default=False) as client:
            client.gather([client.submit(nothing, i, pure=False) for i in range(20)])
            begin = time.perf_counter()
            client.gather([client.submit(nothing, i, pure=False) for i in range(tasks)])
            each = (time.perf_counter() - begin) / tasks
        solving, board = (
            SolveEach(Search("taquin", engine="ida-star", heuristic="manhattan")),
            "1 2 3/4 5 6/0 7 8",
        )
        list(
            ours.run_on_cluster(solving, [board] * 50, workers.scheduler_address)
        )  # both workers load their kernels
        begin = time.perf_counter()
        count = sum(1 for _ in ours.run_on_cluster(solving, [board] * 20 * tasks, workers.scheduler_address))
        through = count / (time.perf_counter() - begin)
    return {"ms_per_task": 1000 * each, "results_per_second": through}


def duration(seconds: float) -> str:
    """A time for people."""
    for unit, size in (("years", 365.25 * 86400), ("days", 86400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:,.1f} s"


def jobs(quick: bool = False) -> list[Row]:
    """What each job needs on one core, on two, and on a cluster whose tasks cost what a local one's do."""
    share = overhead(300 if quick else 2000)["ms_per_task"] / 1000  # of a chunk of one second
    rows = []
    for measure in (rush_hour, connect_four, minesweeper, hive):
        row = measure(3.0 if quick else 15.0)
        if row is None:
            continue
        alone = row["items"] / row["rate"]
        spread = alone * (1 + share) / WORKERS
        row |= {"one": duration(alone), "two": duration(alone / 2), "many": duration(spread)}
        print(f"  {row}", flush=True)
        rows.append(row)
    return rows


def cluster(quick: bool = False) -> list[Row]:
    """The overhead of a local cluster of two workers."""
    cost = overhead(300 if quick else 2000)
    busy = 100 * WORKERS * cost["ms_per_task"] / 1000
    return [
        claim("a task of a local cluster", cost["ms_per_task"], "ms"),
        claim(f"... the scheduler's time with {WORKERS} workers and chunks of a second", busy, "%"),
        claim("the smallest jobs, from two workers", cost["results_per_second"], "results/s"),
    ]


LAYOUTS = {
    "jobs": [
        ("job", "{job}"),
        ("items", "{items}"),
        ("one core", "{rate} {unit}"),
        ("one core needs", "{one}"),
        ("2 cores", "{two}"),
        ("100 workers", "{many}"),
    ]
}
PARTS = {"jobs": jobs, "cluster": cluster}
