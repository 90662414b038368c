"""The first answer: whole commands from an empty cache and again, CPU and wall time. Wants an idle machine."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

COMMANDS = [
    ("solve taquin '1 2 3/4 5 6/0 7 8'", ["solve", "taquin", "1 2 3/4 5 6/0 7 8"], 1.0),
    (
        "solve taquin level:report-5 --engine a-star",
        ["solve", "taquin", "level:report-5", "--engine", "a-star"],
        1.0,
    ),
    ("solve rush-hour level:1", ["solve", "rush-hour", "level:1"], 1.0),
    ("solve tic-tac-toe x../.o./...", ["solve", "tic-tac-toe", "x../.o./..."], 1.0),
    ("show hive level:beetle-gate", ["show", "hive", "level:beetle-gate"], 1.0),
    ("show delirium level:nearest", ["show", "delirium", "level:nearest"], 1.0),
    ("show crocomine", ["show", "crocomine"], 1.0),
    ("perft hive 2", ["perft", "hive", "2"], 1.0),
    ("run crocomine 9x9:3/3/4", ["run", "crocomine", "9x9:3/3/4"], 1.0),
    ("run delirium level:nearest", ["run", "delirium", "level:nearest"], 1.0),
    ("tour", ["tour"], 10.0),
]


def measure(words: list[str], cache: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command, with this cache folder."""
    environment = {**os.environ, "LUDION_CACHE_DIR": cache, "LUDION_TIER": "automatic"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "ludion", *words],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(quick: bool = False) -> list[dict[str, Any]]:
    """Every command from an empty cache (the shortest of three), and warm."""
    print(
        "| command | cold, wall s | cold, CPU s | again, wall s | wanted |\n|---|---:|---:|---:|---:|",
        flush=True,
    )
    rows = []
    for name, words, wanted in COMMANDS:
        cold = []
        for _ in range(1 if quick else 3):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as cache:
                cold.append(measure(words, cache))
                again = measure(words, cache)
        wall, processor = min(cold)
        rows.append({"command": name, "wall": wall, "cpu": processor, "again": again[0], "wanted": wanted})
        print(f"| `{name}` | {wall:.2f} | {processor:.2f} | {again[0]:.2f} | {wanted:g} |", flush=True)
    return rows
