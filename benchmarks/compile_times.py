"""Which functions cost most to compile: CPU seconds by function, what it calls left out, from Numba's events.

`python -m benchmarks.compile_times` compiles one question of each game into an empty cache (some minutes).
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

MOST = 10


def times_of(work: Callable[[], Any]) -> dict[str, float]:
    """CPU seconds of compiling each function, without those that are compiled meanwhile."""
    from numba.core import event

    spent: dict[str, float] = defaultdict(float)
    # For each function that is being compiled: since when, seconds of inner ones.
    open_since: list[list[float]] = []

    class Listener(event.Listener):  # type: ignore[misc]
        def on_start(self, _: Any) -> None:
            open_since.append([time.thread_time(), 0.0])

        def on_end(self, about: Any) -> None:
            begin, inner = open_since.pop()
            taken = time.thread_time() - begin
            spent[name_of(about.data["dispatcher"].py_func)] += taken - inner
            if open_since:
                open_since[-1][1] += taken

    with event.install_listener("numba:compile", Listener()):
        work()
    return dict(spent)


def name_of(function: Callable[..., Any]) -> str:
    """Module and name; implementations of verbs, which are all called `_`, have their line."""
    module = (function.__module__ or "written").removeprefix("ludion.")
    line = f":{function.__code__.co_firstlineno}" if function.__name__ == "_" else ""
    return f"{module}.{function.__qualname__}{line}"


def questions() -> Iterator[tuple[str, Callable[[], Any]]]:
    """One question of each game: a search to depth 1, or one step of its agent."""
    from ludion import Budget, Run, Search, registry

    for game in registry.games().values():
        if game.kind == "quest":
            yield game.name, Run(game.name, game.example or game.start, steps=3).record
        else:
            yield game.name, Search(game.name, game.example or game.start, budget=Budget(nodes=10)).answer


def main() -> None:
    with tempfile.TemporaryDirectory() as cache:
        os.environ |= {"LUDION_CACHE_DIR": cache, "LUDION_TIER": "compiled"}
        every: dict[str, float] = {}
        for game, work in questions():
            spent = times_of(work)
            print(f"{game}: {sum(spent.values()):.1f} s, {len(spent)} functions", flush=True)
            every |= {f"{name} ({game})": seconds for name, seconds in spent.items()}
        for name, seconds in sorted(every.items(), key=lambda item: -item[1])[:MOST]:
            print(f"| `{name}` | {seconds:.2f} |")


if __name__ == "__main__":
    main()
