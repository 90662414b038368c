"""Tables of what was measured."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludion.answers import OPTIMAL, SOLVED
from ludion.kinds.games import Duel, Game, Level, Quest
from ludion.lab.measurements import Measurement, Result
from ludion.lab.statistics import branching_factor, wilson_interval
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.tables import Cell, Table, milliseconds

Measured = tuple[Measurement, Result]


def tables_for(
    game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level], report: bool = False
) -> list[Table]:
    """The tables that answer what was asked: those of the game's report, or the general ones of its kind."""
    if isinstance(game, Quest):
        return [agents_table(message("lab.title_agents", game=game.caption), measured)]
    searches = with_median_times(measured)
    tables: list[Table] = []
    title = message("lab.title_engines", game=game.caption)
    if report and game.report is not None:
        of_report = [(each.reported, result) for each, result in searches if each.reported is not None]
        tables = game.report.tables(of_report) if of_report else []
        if len(of_report) == len(searches):
            return tables
        title = message("lab.title_every_search", game=game.caption)
    if isinstance(game, Duel):
        return [*tables, duel_table(title, searches)]
    tables.append(puzzle_table(title, searches, levels))
    return tables if report else [*tables, summary_table(searches, levels)]


def with_median_times(measured: Iterable[Measured]) -> list[Measured]:
    """Repetitions of a question as one, with the median of their times."""
    groups: dict[tuple[str, Search | Run], list[Measured]] = {}
    for each, result in measured:
        groups.setdefault((each.question.label, each.question), []).append((each, result))
    merged = []
    for group in groups.values():
        first, result = group[0]
        times = [repetition["seconds"] for _, repetition in group if "seconds" in repetition]
        merged.append((first, {**result, "seconds": statistics.median(times)} if times else result))
    return merged


def optimum(level: Level | None, options: Mapping[str, str]) -> int | None:
    """The known optimum of a level, under the metric that was used."""
    if level is None:
        return None
    known = level.known.get(options.get("metric", "moves"), level.known.get("length"))
    return int(known) if isinstance(known, (int, float)) else None


def status_of(result: Result) -> str:
    """The status of an answer, or what went wrong."""
    return str(result["status"]) if "error" not in result else f"error: {result['error']}"


# ------------------------------------------------------------------ searches


def asked(measured: Iterable[Measured]) -> list[tuple[Search, Result]]:
    """The questions to engines among what was measured."""
    return [(each.question, result) for each, result in measured if isinstance(each.question, Search)]


def puzzle_table(title: str, searches: Iterable[Measured], levels: Iterable[Level]) -> Table:
    """One row per search of a puzzle."""
    level_of = {level.name: level for level in levels}
    rows: list[tuple[Cell, ...]] = []
    for question, result in asked(searches):
        length = result.get("length")
        best = optimum(level_of.get(question.label), question.options)
        rows.append(
            (
                question.label,
                question.engine,
                question.heuristic or None,
                status_of(result),
                length,
                best,
                round(length / best, 4) if length is not None and best else None,
                result.get("nodes"),
                result.get("expanded"),
                milliseconds(result.get("seconds")),
                round(result["memory"] / 1e6, 2) if result.get("memory") else None,
                branching_factor(result["nodes"], length) if length else None,
            )
        )
    columns = ("level", "engine", "heuristic", "status", "length", "optimum", "ratio", "nodes", "expanded")
    return Table(title, (*columns, "ms", "MB", "branching"), rows)


def duel_table(title: str, searches: Iterable[Measured]) -> Table:
    """One row per search of a duel."""
    rows: list[tuple[Cell, ...]] = []
    for question, result in asked(searches):
        best_line = result.get("moves") or [None]
        depth = result.get("depth") or question.budget.depth or 0
        rows.append(
            (
                question.label,
                question.engine,
                question.evaluation or None,
                question.budget.depth,
                status_of(result),
                result.get("score"),
                result.get("words"),
                best_line[0],
                result.get("nodes"),
                milliseconds(result.get("seconds")),
                branching_factor(result["nodes"], depth) if depth and result.get("nodes") else None,
            )
        )
    columns = ("level", "engine", "evaluation", "depth", "status", "score", "in words", "move", "nodes")
    return Table(title, (*columns, "ms", "branching"), rows)


def summary_table(searches: Iterable[Measured], levels: Iterable[Level]) -> Table:
    """One row per engine and heuristic: what all levels together cost."""
    level_of = {level.name: level for level in levels}
    groups: dict[tuple[str, str], list[tuple[Search, Result]]] = {}
    for question, result in asked(searches):
        groups.setdefault((question.engine, question.heuristic), []).append((question, result))
    rows: list[tuple[Cell, ...]] = []
    for (engine, heuristic), group in groups.items():
        solved = [
            (question, result) for question, result in group if result.get("status") in (OPTIMAL, SOLVED)
        ]
        nodes = sum(result.get("nodes", 0) for _, result in group)
        seconds = sum(result.get("seconds", 0) for _, result in group)
        ratios = [
            result["length"] / best
            for question, result in solved
            if (best := optimum(level_of.get(question.label), question.options))
        ]
        rows.append(
            (
                engine,
                heuristic or None,
                f"{len(solved)} of {len(group)}",
                sum(result["status"] == OPTIMAL for _, result in solved),
                round(statistics.mean(ratios), 4) if ratios else None,
                nodes,
                milliseconds(seconds),
                round(nodes / seconds / 1e6, 3) if seconds else None,
                round(max((result.get("memory") or 0 for _, result in group), default=0) / 1e6, 2),
            )
        )
    columns = ("engine", "heuristic", "solved", "proved optimal", "mean ratio", "nodes", "ms", "M nodes/s")
    return Table(message("lab.title_summary"), (*columns, "most MB"), rows)


# ------------------------------------------------------------------ runs


def agents_table(title: str, measured: Iterable[Measured]) -> Table:
    """One row per agent and level: how often it wins, with the 95 % interval."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for each, result in measured:
        if isinstance(each.question, Run):
            groups.setdefault((each.question.label, each.question.agent), []).append(result)
    rows: list[tuple[Cell, ...]] = []
    for (level, agent), every in groups.items():
        played = [result for result in every if "error" not in result]
        won = sum(result["status"] == "won" for result in played)
        low, high = wilson_interval(won, len(played))
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
    columns = ("level", "agent", "games", "won", "won %", "from %", "to %", "lost", "steps", "decisions/s")
    return Table(title, (*columns, "errors"), rows, message("lab.note_wilson"))
