"""Tables of results: as text, CSV, Markdown and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ludion.kinds.card import Level
from ludion.lab.trials import Trial

FOUND = ("optimal", "solved")


@dataclass(frozen=True)
class Table:
    """A table with a title; `None` is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    note: str = ""

    def as_text(self) -> str:
        cells = [[shown(value) for value in row] for row in self.rows]
        widths = [max(map(len, column)) for column in zip(self.columns, *cells, strict=True)]
        right = self._right()

        def line(row: Sequence[str]) -> str:
            pairs = zip(row, widths, right, strict=True)
            return "  ".join(
                cell.rjust(width) if flush else cell.ljust(width) for cell, width, flush in pairs
            ).rstrip()

        body = [line(self.columns), "  ".join("-" * width for width in widths), *map(line, cells)]
        return "\n".join([self.title, "", *body, *(["", self.note] if self.note else [])])

    def as_markdown(self) -> str:
        def line(row: Iterable[str]) -> str:
            return "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"

        marks = ["---:" if flush else "---" for flush in self._right()]
        rows = [line(shown(value) for value in row) for row in self.rows]
        return "\n".join(
            [
                f"### {self.title}",
                "",
                line(self.columns),
                line(marks),
                *rows,
                *(["", self.note] if self.note else []),
            ]
        )

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue().rstrip("\n")

    def as_json(self) -> str:
        """One object a row, on a line each."""
        return "\n".join(
            json.dumps(
                {"table": self.title, **dict(zip(self.columns, row, strict=True))},
                ensure_ascii=False,
                default=str,
            )
            for row in self.rows
        )

    def _right(self) -> list[bool]:
        """Which columns hold numbers, and so are set flush right."""
        return [
            any(isinstance(row[i], (int, float)) for row in self.rows)
            and all(isinstance(row[i], (int, float, type(None))) for row in self.rows)
            for i in range(len(self.columns))
        ]


def shown(value: Any) -> str:
    """A cell for people."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        if value == 0 or not math.isfinite(value):
            return f"{value:g}"
        return (
            f"{value:,.0f}"
            if abs(value) >= 1000
            else f"{value:.{max(0, 2 - math.floor(math.log10(abs(value))))}f}"
        )
    return f"{value:,}" if isinstance(value, int) else str(value)


def branching(nodes: int, depth: int) -> float | None:
    """The effective branching factor: b with b + b^2 + ... + b^depth = nodes."""
    if depth < 1 or nodes < depth:
        return None
    low, high = 1.0, max(2.0, float(nodes))
    for _ in range(60):
        middle = (low + high) / 2
        try:
            total = depth if middle == 1 else middle * (middle**depth - 1) / (middle - 1)
        except OverflowError:
            total = math.inf
        low, high = (middle, high) if total < nodes else (low, middle)
    return round((low + high) / 2, 4)


def optimum(level: Level | None, options: Any) -> int | None:
    """The known optimum of a level, under the metric that was used."""
    if level is None:
        return None
    metric = dict(options or {}).get("metric", "moves")
    known = level.known.get(metric, level.known.get("length"))
    return int(known) if isinstance(known, (int, float)) else None


def merged(results: Iterable[tuple[Trial, dict[str, Any]]]) -> list[tuple[Trial, dict[str, Any]]]:
    """Repetitions of a trial as one, with the median of their times."""
    groups: dict[Any, list[tuple[Trial, dict[str, Any]]]] = {}
    for trial, result in results:
        name = (trial.level, trial.position, trial.engine, trial.guide, trial.depth, repr(trial.options))
        groups.setdefault(name, []).append((trial, result))
    found = []
    for group in groups.values():
        trial, result = group[0]
        times = [each["seconds"] for _, each in group if "seconds" in each]
        found.append((trial, {**result, "seconds": statistics.median(times)} if times else result))
    return found


def of_puzzle(title: str, results: Iterable[tuple[Trial, dict[str, Any]]], levels: Iterable[Level]) -> Table:
    """One row a trial of a puzzle."""
    known = {level.name: level for level in levels}
    rows: list[tuple[Any, ...]] = []
    for trial, result in merged(results):
        length = result.get("length")
        best = optimum(known.get(trial.level), trial.options)
        rows.append(
            (
                trial.level,
                trial.engine,
                trial.guide or None,
                result.get("status", "error: " + result.get("error", "")),
                length,
                best,
                round(length / best, 4) if length is not None and best else None,
                result.get("nodes"),
                result.get("expanded"),
                round(1000 * result["seconds"], 3) if "seconds" in result else None,
                round(result["memory"] / 1e6, 2) if result.get("memory") else None,
                branching(result["nodes"], length) if length else None,
            )
        )
    columns = ("level", "engine", "heuristic", "status", "length", "optimum", "ratio", "nodes", "expanded")
    return Table(title, (*columns, "ms", "MB", "branching"), rows)


def of_duel(title: str, results: Iterable[tuple[Trial, dict[str, Any]]]) -> Table:
    """One row a trial of a duel."""
    rows: list[tuple[Any, ...]] = []
    for trial, result in merged(results):
        line = result.get("moves") or [None]
        depth = result.get("depth") or trial.depth or 0
        rows.append(
            (
                trial.level,
                trial.engine,
                trial.guide or None,
                trial.depth,
                result.get("status", "error: " + result.get("error", "")),
                result.get("score"),
                result.get("words"),
                line[0],
                result.get("nodes"),
                round(1000 * result["seconds"], 3) if "seconds" in result else None,
                branching(result["nodes"], depth) if depth and result.get("nodes") else None,
            )
        )
    columns = ("level", "engine", "evaluation", "depth", "status", "score", "in words", "move", "nodes")
    return Table(title, (*columns, "ms", "branching"), rows)


def of_quest(title: str, results: Iterable[tuple[Trial, dict[str, Any]]]) -> Table:
    """One row an agent and level: how often it wins, with the 95 % interval."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for trial, result in results:
        groups.setdefault((trial.level, trial.engine), []).append(result)
    rows: list[tuple[Any, ...]] = []
    for (level, agent), every in groups.items():
        played = [result for result in every if "error" not in result]
        won = sum(result["status"] == "won" for result in played)
        low, high = wilson(won, len(played))
        seconds = sum(result["seconds"] for result in played)
        steps = sum(result["length"] for result in played)
        rows.append(
            (
                level,
                agent,
                len(played),
                won,
                round(100 * won / len(played), 2) if played else None,
                round(100 * low, 2),
                round(100 * high, 2),
                sum(result["status"] == "lost" for result in played),
                round(steps / len(played), 1) if played else None,
                round(steps / seconds, 1) if seconds else None,
                len(every) - len(played) or None,
            )
        )
    columns = (
        "level",
        "agent",
        "games",
        "won",
        "won %",
        "from %",
        "to %",
        "lost",
        "steps",
        "decisions/s",
        "errors",
    )
    return Table(title, columns, rows, "from, to: 95 % confidence (Wilson)")


def wilson(won: int, games: int, z: float = 1.959964) -> tuple[float, float]:
    """The confidence interval of a share, by Wilson's score: sound for few games, and near 0 and 1."""
    if games == 0:
        return 0.0, 1.0
    share = won / games
    middle = share + z * z / (2 * games)
    spread = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return max(0.0, (middle - spread) / (1 + z * z / games)), min(
        1.0, (middle + spread) / (1 + z * z / games)
    )


def summary(results: Iterable[tuple[Trial, dict[str, Any]]], levels: Iterable[Level]) -> Table:
    """One row an engine and guide: what all instances together cost."""
    known = {level.name: level for level in levels}
    groups: dict[tuple[str, str], list[tuple[Trial, dict[str, Any]]]] = {}
    for trial, result in merged(results):
        groups.setdefault((trial.engine, trial.guide), []).append((trial, result))
    rows: list[tuple[Any, ...]] = []
    for (engine, guide), group in groups.items():
        solved = [(trial, result) for trial, result in group if result.get("status") in FOUND]
        nodes = sum(result.get("nodes", 0) for _, result in group)
        seconds = sum(result.get("seconds", 0) for _, result in group)
        ratios = [
            result["length"] / best
            for trial, result in solved
            if result.get("length") is not None and (best := optimum(known.get(trial.level), trial.options))
        ]
        rows.append(
            (
                engine,
                guide or None,
                f"{len(solved)} of {len(group)}",
                sum(result["status"] == "optimal" for _, result in solved),
                round(statistics.mean(ratios), 4) if ratios else None,
                nodes,
                round(1000 * seconds, 3),
                round(nodes / seconds / 1e6, 3) if seconds else None,
                round(max((result.get("memory") or 0 for _, result in group), default=0) / 1e6, 2),
            )
        )
    columns = (
        "engine",
        "guide",
        "solved",
        "proved optimal",
        "mean ratio",
        "nodes",
        "ms",
        "M nodes/s",
        "most MB",
    )
    return Table("All instances together", columns, rows)
