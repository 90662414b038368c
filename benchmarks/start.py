"""The first answer: whole commands and the studio from an empty cache and warm, wall and CPU time.

Wants an idle machine: wall time is what a user waits.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from benchmarks.measure import Row, claim, median, sample
from benchmarks.runs import Layout

FIRST_ANSWER, WARM, NOTHING_TO_COMPILE = 1.0, 0.5, 0.3  # seconds that are wanted
TOUR, HOME_PAGE, FIRST_HINT = 10.0, 2.0, 3.0
ROUNDS = 3
STATIC = {
    f"/static/{file.name}" for file in files("ludion.studio").joinpath("static").iterdir()
}  # what a page loads

COMMANDS = [
    ("solve taquin '1 2 3/4 5 6/0 7 8'", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("solve taquin level:report-5 --engine a-star", FIRST_ANSWER, WARM),
    ("solve rush-hour level:1", FIRST_ANSWER, WARM),
    ("solve tic-tac-toe x../.o./...", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("show hive level:beetle-gate", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("show delirium level:nearest", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("show crocomine", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("perft hive 2", FIRST_ANSWER, NOTHING_TO_COMPILE),
    ("run crocomine 9x9:3/3/4", FIRST_ANSWER, FIRST_ANSWER),
    ("run delirium level:nearest", FIRST_ANSWER, FIRST_ANSWER),
    ("tour", TOUR, TOUR),
]


def environment(cache: str) -> dict[str, str]:
    """That of a user: the tier is chosen, Python keeps its own compiled files."""
    own = {"LUDION_CACHE_DIR": cache, "LUDION_TIER": "automatic", "PYTHONPYCACHEPREFIX": f"{cache}-python"}
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"} | own


def measure(command: str, cache: str) -> tuple[float, float]:
    """Wall and CPU seconds of one command, with this cache folder."""
    words = [sys.executable, "-m", "ludion", *shlex.split(command)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begin = time.perf_counter()
    done = subprocess.run(words, env=environment(cache), capture_output=True)
    wall = time.perf_counter() - begin
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode in (0, 1), f"{command}: {done.stderr.decode()}"
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextlib.contextmanager
def caches() -> Iterator[Any]:
    """New cache folders, each empty but for what Python keeps of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        counter = iter(range(1_000_000))

        def new() -> str:
            cache = Path(folder, f"cache{next(counter)}")
            python = Path(f"{cache}-python")
            python.symlink_to(kept)
            return str(cache)

        kept = Path(folder, "python")
        kept.mkdir()
        yield new


def commands(quick: bool = False) -> list[Row]:
    """Every command from an empty cache, and again once all that it asked for is compiled."""
    rows = []
    with caches() as new_cache:
        for command, wanted, wanted_warm in COMMANDS:
            measure(command, new_cache())  # Python's own compiled files
            cold, rounds = [], 1 if quick or command == "tour" else ROUNDS
            for last in reversed(range(rounds)):
                cache = new_cache()
                cold.append(measure(command, cache))
                end_compilers(cache, 0 if last else 40)
            warm = [measure(command, cache) for _ in range(rounds)]
            row = {
                "command": f"`{command}`",
                "cold": sample([wall for wall, _ in cold]),
                "cold_cpu": sample([cpu for _, cpu in cold]),
                "warm": sample([wall for wall, _ in warm]),
                "warm_cpu": sample([cpu for _, cpu in warm]),
                "wanted": wanted,
                "wanted_warm": wanted_warm,
            }
            rows.append(row)
            show(row["command"], row["cold"], wanted)
            show(f"{row['command']}, warm", row["warm"], wanted_warm)
    return rows


def show(what: str, cell: Any, wanted: float) -> None:
    missed = " MISSED" if median(cell) > wanted else ""
    print(f"  {what}: {median(cell):.2f} s (wanted {wanted:g}){missed}", flush=True)


def end_compilers(cache: str, wait: float = 0.0) -> None:
    """Let the background compiler of a cache, which outlives the command that asked for it, work so long; end it."""
    until = time.monotonic() + wait
    while compilers(cache) and time.monotonic() < until:
        time.sleep(0.2)
    for process in compilers(cache):
        with contextlib.suppress(OSError):
            os.kill(process, signal.SIGTERM)


def compilers(cache: str) -> list[int]:
    """The background compilers that write to this cache."""
    processes = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if (
                b"ludion.core.background" in (entry / "cmdline").read_bytes()
                and f"LUDION_CACHE_DIR={cache}\0".encode() in (entry / "environ").read_bytes()
            ):
                processes.append(int(entry.name))
    return processes


# ------------------------------------------------------------------ the studio


@contextlib.contextmanager
def studio(cache: str) -> Iterator[http.client.HTTPConnection]:
    """A studio of its own, that answers."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--port", "0", "--records", str(Path(folder, "records.sqlite"))]
        server = subprocess.Popen(
            [sys.executable, "-m", "ludion", *words],
            env={**environment(cache), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert server.stdout is not None
            for line in server.stdout:
                if "http://" in line:
                    port = int(line.split("http://")[1].split("/")[0].rpartition(":")[2])
                    break
            yield http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        finally:
            server.terminate()
            server.wait()


def ask(connection: http.client.HTTPConnection, method: str, path: str, body: Any = None) -> bytes:
    """The body of an answer."""
    headers = {"Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status == 200, f"{path}: {answer.status} {content[:200]!r}"
    return content


def home_page(connection: http.client.HTTPConnection) -> dict[str, tuple[str, str]]:
    """All that the home page asks for, its pictures too; the games with their kinds and starts."""
    page = ask(connection, "GET", "/").decode()
    for name in sorted({*re.findall(r"/static/[\w./-]+", page), *STATIC}):
        ask(connection, "GET", name)
    starts = {}
    for summary in json.loads(ask(connection, "GET", "/api/games")):
        game = json.loads(ask(connection, "GET", f"/api/games/{summary['name']}"))
        start = game["example"] or game["start"] or f"level:{game['levels'][0]['name']}"
        body = {"start": start, "moves": game["scene"][:1]}
        state = json.loads(ask(connection, "POST", f"/api/games/{game['name']}/state", body))
        assert state["svg"], game["name"]
        starts[game["name"]] = game["kind"], start
    return starts


def hint(connection: http.client.HTTPConnection, game: str, kind: str, start: str) -> None:
    """What the page asks for when a player wants a hint."""
    body: dict[str, Any] = {"start": start, "moves": []}
    if kind == "quest":
        details = json.loads(ask(connection, "GET", f"/api/games/{game}"))
        what = "study" if details.get("study") else "run"
        body |= {"steps": 1} if what == "run" else {}
    else:
        what, body = "solve", {**body, "engine": "best", "seconds": 2}
    answer = ask(connection, "POST", f"/api/games/{game}/ask/{what}", body).decode()
    assert "event: answer" in answer, answer[-300:]


def timed(work: Any, *arguments: Any) -> tuple[float, Any]:
    begin = time.perf_counter()
    result = work(*arguments)
    return time.perf_counter() - begin, result


def studio_starts(quick: bool = False) -> list[Row]:
    """The home page from the start of the server on, then the first hint of each game, from an empty cache."""
    pages: list[float] = []
    hints: dict[str, list[float]] = {}
    with caches() as new_cache:
        with studio(new_cache()) as connection:  # Python's own compiled files
            home_page(connection)
        for _ in range(1 if quick else ROUNDS):
            begin, cache = time.perf_counter(), new_cache()
            with studio(cache) as connection:
                starts = home_page(connection)
                pages.append(time.perf_counter() - begin)
                for game, (kind, start) in starts.items():
                    hints.setdefault(game, []).append(timed(hint, connection, game, kind, start)[0])
            end_compilers(cache)
    cells = [("the home page with all pictures, from the start of the server on", pages, HOME_PAGE)]
    cells += [(f"first hint, {game}", seconds, FIRST_HINT) for game, seconds in hints.items()]
    return [
        claim(what, sample(seconds), "s", f"at most {wanted:g}", median(sample(seconds)) <= wanted)
        for what, seconds, wanted in cells
    ]


PARTS = {"commands": commands, "studio": studio_starts}
LAYOUTS: dict[str, Layout] = {
    "commands": [
        ("command", "{command}"),
        ("empty cache, wall s", "{cold}"),
        ("CPU s", "{cold_cpu}"),
        ("wanted", "{wanted}"),
        ("warm, wall s", "{warm}"),
        ("CPU s", "{warm_cpu}"),
        ("wanted", "{wanted_warm}"),
    ]
}
