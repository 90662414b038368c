"""How the benchmarks measure: processor time, several rounds, ludion and its peers in turn within each round."""

from __future__ import annotations

import resource
import subprocess
import time
from collections.abc import Callable, Mapping
from typing import Any

Row = dict[str, Any]
Work = Callable[[], Any]

ROUNDS = 5


def sample(values: list[float], scale: float = 1.0) -> dict[str, list[float]]:
    """Measured values as a cell of a row: shown as their median, compared by its interval."""
    return {"values": [scale * value for value in values]}


def median(cell: Mapping[str, list[float]]) -> float:
    """The median of a cell."""
    import statistics

    return statistics.median(cell["values"])


def cpu(work: Work, clock: Callable[[], float] = time.process_time) -> tuple[float, Any]:
    """Processor seconds of this process without compiling, and the result."""
    from ludion.core.clock import compile_cpu_seconds

    begin = clock() - compile_cpu_seconds()
    result = work()
    return max(1e-9, clock() - compile_cpu_seconds() - begin), result


def child_cpu(command: list[str], text: str = "", **more: Any) -> tuple[float, list[str]]:
    """Processor seconds of another program, its start included, and the lines that it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return max(1e-9, spent), done.stdout.splitlines()


def in_turn(
    rounds: int = ROUNDS, **works: Callable[[], tuple[float, Any]]
) -> dict[str, tuple[list[float], Any]]:
    """Each work once per round, one after the other: the seconds of all rounds, and the last result of each.

    What disturbs the machine for a while disturbs all of them alike.
    """
    seconds: dict[str, list[float]] = {name: [] for name in works}
    results: dict[str, Any] = {}
    for _ in range(rounds):
        for name, work in works.items():
            spent, results[name] = work()
            seconds[name].append(spent)
    return {name: (seconds[name], results[name]) for name in works}


def ratios(first: list[float], second: list[float]) -> dict[str, list[float]]:
    """First over second, round by round."""
    return sample([one / other for one, other in zip(first, second, strict=True)])


def claim(what: str, measured: Any, unit: str = "", wanted: str = "", ok: bool = True, **more: Any) -> Row:
    """A row of a table of claims: what was measured, its value (a number or a cell), and what was wanted of it."""
    row = {"what": what, "measured": measured, "unit": unit, "wanted": wanted, "reached": bool(ok), **more}
    shown = median(measured) if isinstance(measured, Mapping) else measured
    print(
        f"  {what}: {shown:,.4g} {unit} {f'(wanted {wanted})' if wanted else ''}{'' if ok else ' MISSED'}",
        flush=True,
    )
    return row
