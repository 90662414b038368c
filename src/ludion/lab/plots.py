"""Plots of results (extra `[lab]`: matplotlib): one picture with a panel for each question."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ludion.errors import LudionError
from ludion.kinds.card import DUEL, PUZZLE, Level
from ludion.lab.tables import branching, merged, optimum, wilson
from ludion.lab.trials import Trial

MARKS = "os^vD<>pP*X"


def plot(
    file: str, title: str, kind: str, results: Iterable[tuple[Trial, dict[str, Any]]], levels: Iterable[Level]
) -> None:
    """Write the picture; the name's ending says whether PNG or SVG."""
    if Path(file).suffix.lower() not in (".png", ".svg", ".pdf"):
        raise LudionError(f"'{file}': a plot is a .png, .svg or .pdf file")
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise LudionError("--plot needs matplotlib: pip install 'ludion[lab]'") from None
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "ludion"
    if kind in (PUZZLE, DUEL):
        figure = searches(title, kind, merged(results), {level.name: level for level in levels})
    else:
        figure = win_rates(title, list(results))
    try:
        figure.savefig(file, dpi=144, metadata={"Date": None} if file.lower().endswith(".svg") else None)
    except OSError as error:
        raise LudionError(f"cannot write {file}: {error.strerror}") from error


def searches(
    title: str, kind: str, results: list[tuple[Trial, dict[str, Any]]], levels: dict[str, Level]
) -> Any:
    """Nodes, time, memory, branching and quality, by instance (puzzles) or depth (duels)."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    lines: dict[str, list[tuple[Any, dict[str, Any], Trial]]] = {}
    by_depth = kind == DUEL and len({trial.depth for trial, _ in results}) > 1
    for trial, result in results:
        if "error" in result:
            continue
        name = trial.engine + (f", {trial.guide}" if trial.guide else "")
        if by_depth and len({each.level for each, _ in results}) > 1:
            name += f" ({trial.level})"
        lines.setdefault(name, []).append((trial.depth if by_depth else trial.level, result, trial))

    def ratio(result: dict[str, Any], trial: Trial) -> float | None:
        best = optimum(levels.get(trial.level), trial.options)
        length = result.get("length")
        return length / best if best and length is not None else None

    def factor(result: dict[str, Any], trial: Trial) -> float | None:
        depth = result.get("length") if kind == PUZZLE else trial.depth or result.get("depth")
        return branching(result["nodes"], depth) if depth else None

    panels: list[tuple[str, Any, bool]] = [
        ("nodes", lambda result, trial: result.get("nodes") or None, True),
        ("milliseconds", lambda result, trial: 1000 * result["seconds"] or None, True),
        ("effective branching factor", factor, False),
        ("megabytes of tables", lambda result, trial: (result.get("memory") or 0) / 1e6 or None, True),
    ]
    if kind == PUZZLE:
        panels.append(("length / optimum", ratio, False))
    panels = [
        panel
        for panel in panels
        if any(panel[1](result, trial) is not None for line in lines.values() for _, result, trial in line)
    ]
    places = list(dict.fromkeys(place for line in lines.values() for place, _, _ in line))
    figure = Figure(figsize=(7.5, 0.8 + 2.5 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, (label, value, log) in zip(axes, panels, strict=True):
        for number, (name, line) in enumerate(lines.items()):
            points = [(places.index(place), value(result, trial)) for place, result, trial in line]
            points = [point for point in points if point[1] is not None]
            axis.plot(
                [x for x, _ in points],
                [y for _, y in points],
                marker=MARKS[number % len(MARKS)],
                markersize=4,
                linewidth=1,
                label=name,
            )
        axis.set_ylabel(label)
        axis.grid(alpha=0.25)
        if log:
            axis.set_yscale("log")
        else:
            axis.yaxis.set_major_locator(MaxNLocator(5))
    axes[-1].set_xticks(
        range(len(places)), [str(place) for place in places], rotation=60 if len(places) > 8 else 0
    )
    axes[-1].set_xlabel("depth" if by_depth else "instance")
    axes[0].legend(fontsize="small", ncols=2, frameon=False)
    figure.suptitle(title)
    return figure


def win_rates(title: str, results: list[tuple[Trial, dict[str, Any]]]) -> Any:
    """Win rates by agent and level, with their 95 % intervals."""
    from matplotlib.figure import Figure

    groups: dict[str, dict[str, list[bool]]] = {}
    for trial, result in results:
        if "error" not in result:
            groups.setdefault(trial.engine, {}).setdefault(trial.level, []).append(result["status"] == "won")
    places = list(dict.fromkeys(level for agent in groups.values() for level in agent))
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axis = figure.subplots()
    for number, (agent, by_level) in enumerate(groups.items()):
        xs, ys, below, above = [], [], [], []
        for level, games in by_level.items():
            share = 100 * sum(games) / len(games)
            low, high = wilson(sum(games), len(games))
            xs.append(places.index(level) + (number - (len(groups) - 1) / 2) * 0.12)
            ys.append(share)
            below.append(max(0.0, share - 100 * low))
            above.append(max(0.0, 100 * high - share))
        axis.errorbar(xs, ys, yerr=[below, above], fmt=MARKS[number % len(MARKS)], capsize=3, label=agent)
    axis.set_xticks(range(len(places)), places, rotation=60 if len(places) > 8 else 0)
    axis.set_ylabel("games won, %")
    axis.set_ylim(-3, 103)
    axis.grid(alpha=0.25)
    axis.legend(frameon=False)
    figure.suptitle(title)
    return figure
