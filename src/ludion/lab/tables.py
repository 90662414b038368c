"""Tables of measurements. Numbers are not rounded here, only when a table is shown to people."""

from __future__ import annotations

import statistics
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

from ludion.answers import OPTIMAL, SOLVED, UNSOLVABLE
from ludion.kinds.games import Duel, Game, Level, Quest
from ludion.lab.measurements import Measurement, Result, times_of
from ludion.lab.statistics import (
    SIGNIFICANT,
    branching_factor,
    holm,
    median_interval,
    sign_test,
    wilson_interval,
)
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.tables import Cell, Table

Measured = tuple[Measurement, Result]
Asked = tuple[Search, Result]

TIMES = ("ms", "from ms", "to ms", "wall ms", "runs", "slower", "significant")


def tables_for(
    game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level], report: bool = False
) -> list[Table]:
    """The tables for the measurements: those of the game's report, or the general ones of its kind."""
    if isinstance(game, Quest):
        pairs = pairs_table(measured)
        return [
            agents_table(message("lab.title_agents", game=game.caption), measured),
            *([pairs] if pairs else []),
        ]
    tables: list[Table] = []
    title = message("lab.title_engines", game=game.caption)
    if report and game.report is not None:
        of_report = [(each.reported, result) for each, result in measured if each.reported is not None]
        tables = game.report.tables(of_report) if of_report else []
        if len(of_report) == len(measured):
            return tables
        title = message("lab.title_every_search", game=game.caption)
    if isinstance(game, Duel):
        return [*tables, duel_table(title, measured)]
    tables.append(puzzle_table(title, measured, levels))
    return tables if report else [*tables, summary_table(measured, levels)]


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


def asked(measured: Iterable[Measured]) -> list[Asked]:
    """The searches among the measurements."""
    return [(each.question, result) for each, result in measured if isinstance(each.question, Search)]


def puzzle_table(title: str, measured: Iterable[Measured], levels: Iterable[Level]) -> Table:
    """One row per search of a puzzle."""
    level_of = {level.name: level for level in levels}
    searches = asked(measured)
    rows: list[tuple[Cell, ...]] = []
    for (question, result), times in zip(searches, time_cells(searches), strict=True):
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
                length / best if length is not None and best else None,
                result.get("nodes"),
                result.get("expanded"),
                *times,
                result["memory"] / 1e6 if result.get("memory") else None,
                branching_factor(result["nodes"], length) if length else None,
            )
        )
    columns = ("level", "engine", "heuristic", "status", "length", "optimum", "ratio", "nodes", "expanded")
    return Table(
        title, (*columns, *TIMES, "MB", "branching"), rows, message("lab.note_times"), runs_of(searches)
    )


def duel_table(title: str, measured: Iterable[Measured]) -> Table:
    """One row per search of a duel."""
    searches = asked(measured)
    rows: list[tuple[Cell, ...]] = []
    for (question, result), times in zip(searches, time_cells(searches), strict=True):
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
                *times,
                branching_factor(result["nodes"], depth) if depth and result.get("nodes") else None,
            )
        )
    columns = ("level", "engine", "evaluation", "depth", "status", "score", "in words", "move", "nodes")
    return Table(title, (*columns, *TIMES, "branching"), rows, message("lab.note_times"), runs_of(searches))


def runs_of(searches: Iterable[Asked]) -> list[Mapping[str, Any]]:
    """The raw times of every search, for JSON."""
    return [{"raw": result.get("runs", [])} for _, result in searches]


def time_cells(searches: Sequence[Asked]) -> list[tuple[Cell, ...]]:
    """The cells of TIMES for each search: median, interval, wall time, runs; and, beside the fastest search that
    answered the same question about the same position, how many times slower it is, and whether that is significant:
    whether the intervals of the two medians do not overlap."""
    fastest: dict[Hashable, Result] = {}
    rivals: dict[Hashable, int] = {}
    for question, result in searches:
        if result.get("status") in (OPTIMAL, SOLVED, UNSOLVABLE):
            place = (question.label, question.budget.depth)
            rivals[place] = rivals.get(place, 0) + 1
            if place not in fastest or median_time(result) < median_time(fastest[place]):
                fastest[place] = result
    cells: list[tuple[Cell, ...]] = []
    for question, result in searches:
        times = times_of(result)
        if not times:
            cells.append((None,) * len(TIMES))
            continue
        low, high = median_interval(times)
        wall = result.get("seconds")
        slower: tuple[Cell, ...] = (None, None)
        place = (question.label, question.budget.depth)
        best = fastest.get(place)
        if best is not None and rivals[place] > 1 and (least := median_time(best)) > 0:
            apart = low > median_interval(times_of(best))[1]
            slower = (median_time(result) / least, apart if result is not best else None)
        wall_cell = None if wall is None else 1000 * wall
        cells.append((1000 * median_time(result), 1000 * low, 1000 * high, wall_cell, len(times), *slower))
    return cells


def median_time(result: Result) -> float:
    """Seconds of a search, the median of its runs."""
    return statistics.median(times_of(result) or [0.0])


def summary_table(measured: Iterable[Measured], levels: Iterable[Level]) -> Table:
    """One row per engine and heuristic: the cost of all levels together."""
    level_of = {level.name: level for level in levels}
    groups: dict[tuple[str, str], list[Asked]] = {}
    for question, result in asked(measured):
        groups.setdefault((question.engine, question.heuristic), []).append((question, result))
    rows: list[tuple[Cell, ...]] = []
    for (engine, heuristic), group in groups.items():
        solved = [
            (question, result) for question, result in group if result.get("status") in (OPTIMAL, SOLVED)
        ]
        nodes = sum(result.get("nodes", 0) for _, result in group)
        seconds = sum(median_time(result) for _, result in group)
        ratios = [
            result["length"] / best
            for question, result in solved
            if (best := optimum(level_of.get(question.label), question.options))
        ]
        rows.append(
            (
                engine,
                heuristic or None,
                message("lab.share", n=len(solved), all=len(group)),
                sum(result["status"] == OPTIMAL for _, result in solved),
                statistics.mean(ratios) if ratios else None,
                nodes,
                1000 * seconds,
                nodes / seconds / 1e6 if seconds else None,
                max((result.get("memory") or 0 for _, result in group), default=0) / 1e6,
            )
        )
    columns = ("engine", "heuristic", "solved", "proved optimal", "mean ratio", "nodes", "ms", "M nodes/s")
    return Table(message("lab.title_summary"), (*columns, "most MB"), rows)


# ------------------------------------------------------------------ runs


def games_of(measured: Iterable[Measured]) -> dict[str, dict[str, dict[int, Result]]]:
    """The runs by level, agent and seed."""
    games: dict[str, dict[str, dict[int, Result]]] = {}
    for each, result in measured:
        if isinstance(each.question, Run):
            by_agent = games.setdefault(each.question.label, {})
            by_agent.setdefault(each.question.agent, {})[each.question.seed] = result
    return games


def agents_table(title: str, measured: Iterable[Measured]) -> Table:
    """One row per agent and level: how often it wins, with the 95 % interval."""
    rows: list[tuple[Cell, ...]] = []
    for level, by_agent in games_of(measured).items():
        for agent, by_seed in by_agent.items():
            played = [result for result in by_seed.values() if "error" not in result]
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
                    100 * won / len(played) if played else None,
                    100 * low,
                    100 * high,
                    sum(result["status"] == "lost" for result in played),
                    steps / len(played) if played else None,
                    steps / seconds if seconds else None,
                    len(by_seed) - len(played) or None,
                )
            )
    columns = ("level", "agent", "games", "won", "won %", "from %", "to %", "lost", "steps", "decisions/s")
    return Table(title, (*columns, "errors"), rows, message("lab.note_wilson"))


def pairs_table(measured: Iterable[Measured]) -> Table | None:
    """Every agent compared with the first one, on the same levels and seeds; None if there is only one agent."""
    splits: dict[
        tuple[str, str], list[int]
    ] = {}  # level, agent: both won, only the first, only this one, none
    everywhere = message("lab.all_levels")
    first = ""
    games = games_of(measured)
    for level, by_agent in games.items():
        first = first or next(iter(by_agent))
        for agent, by_seed in by_agent.items():
            for seed, result in by_seed.items():
                rival = by_agent.get(first, {}).get(seed, {"error": ""})
                if agent == first or "error" in result or "error" in rival:
                    continue
                index = 2 * (rival["status"] != "won") + (result["status"] != "won")
                for place in (level, everywhere) if len(games) > 1 else (level,):
                    splits.setdefault((place, agent), [0, 0, 0, 0])[index] += 1
    if not splits:
        return None
    chances = {pair: sign_test(split[1], split[2]) for pair, split in splits.items()}
    corrected = holm(chances)
    rows: list[tuple[Cell, ...]] = [
        (level, agent, sum(split), *split, chances[level, agent], corrected[level, agent] < SIGNIFICANT)
        for (level, agent), split in sorted(splits.items(), key=lambda each: each[0][0] == everywhere)
    ]
    columns = (
        "level",
        "agent",
        "games",
        "both won",
        f"only {first}",
        "only agent",
        "none",
        "p",
        "significant",
    )
    return Table(message("lab.title_pairs", agent=first), columns, rows, message("lab.note_pairs"))
