"""Plots of what was measured (extra `[lab]`: matplotlib): one picture with a panel for each quantity."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludion.errors import LudionError
from ludion.kinds.games import Duel, Game, Level, Puzzle, Quest
from ludion.lab.measurements import Result
from ludion.lab.statistics import branching_factor, wilson_interval
from ludion.lab.tables import Measured, asked, optimum, with_median_times
from ludion.messages import message
from ludion.questions import Run, Search

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
MARKS = "os^vD<>pP*X"
MANY_PLACES = 8  # on the x axis: more names than that are written at an angle


class PlotError(LudionError):
    """A plot that cannot be drawn or written."""


def check_file(file: str) -> None:
    """Raise PlotError if no plot can be written to a file of this name; to be asked before anything is measured."""
    if Path(file).suffix.lower() not in ENDINGS:
        raise PlotError(message("lab.plot_ending", file=file))
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise PlotError(message("lab.plot_extra")) from None


def draw(file: str, game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level]) -> None:
    """Write the picture; the ending of the name says in which format."""
    check_file(file)
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "ludion"
    if isinstance(game, Quest):
        figure = draw_win_rates(measured)
    else:
        figure = draw_searches(game, with_median_times(measured), levels)
    figure.suptitle(message("lab.title_plot", game=game.caption, n=len(measured)))
    try:
        figure.savefig(file, dpi=144, metadata={"Date": None} if file.lower().endswith(".svg") else None)
    except OSError as error:
        raise PlotError(message("lab.cannot_write_plot", file=file, reason=error.strerror)) from error


# ------------------------------------------------------------------ searches


class Panel(NamedTuple):
    """One quantity of a search, drawn over the levels or depths."""

    label: str
    value: Callable[[Search, Result], float | None]
    logarithmic: bool


def panels_for(game: Game[Any, Any], levels: Iterable[Level]) -> list[Panel]:
    """The quantities that are drawn for a game."""
    level_of = {level.name: level for level in levels}

    def branching(question: Search, result: Result) -> float | None:
        depth = (
            result.get("length") if isinstance(game, Puzzle) else question.budget.depth or result.get("depth")
        )
        return branching_factor(result["nodes"], depth) if depth else None

    def ratio(question: Search, result: Result) -> float | None:
        best = optimum(level_of.get(question.label), question.options)
        length = result.get("length")
        return length / best if best and length is not None else None

    panels = [
        Panel(message("lab.axis_nodes"), lambda _, result: result.get("nodes") or None, True),
        Panel(message("lab.axis_milliseconds"), lambda _, result: 1000 * result["seconds"] or None, True),
        Panel(message("lab.axis_branching"), branching, False),
        Panel(message("lab.axis_memory"), lambda _, result: (result.get("memory") or 0) / 1e6 or None, True),
    ]
    return [*panels, Panel(message("lab.axis_ratio"), ratio, False)] if isinstance(game, Puzzle) else panels


def draw_searches(game: Game[Any, Any], measured: list[Measured], levels: Iterable[Level]) -> Figure:
    """Nodes, time, memory, branching and quality, by level (puzzles) or depth (duels)."""
    from matplotlib.figure import Figure

    searches = [(question, result) for question, result in asked(measured) if "error" not in result]
    by_depth = isinstance(game, Duel) and len({question.budget.depth for question, _ in searches}) > 1
    several_levels = len({question.label for question, _ in searches}) > 1
    lines: dict[str, list[tuple[str, Search, Result]]] = {}
    for question, result in searches:
        name = ", ".join(filter(None, (question.engine, question.heuristic or question.evaluation)))
        if by_depth and several_levels:
            name += f" ({question.label})"
        place = str(question.budget.depth) if by_depth else question.label
        lines.setdefault(name, []).append((place, question, result))
    panels = [
        panel
        for panel in panels_for(game, levels)
        if any(panel.value(question, result) is not None for question, result in searches)
    ]
    places = list(dict.fromkeys(place for line in lines.values() for place, _, _ in line))
    figure = Figure(figsize=(7.5, 0.8 + 2.5 * len(panels)), layout="constrained")
    if not panels:
        return figure
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, panel, lines, places)
    _name_places(axes[-1], places)
    axes[-1].set_xlabel(message("lab.axis_depth" if by_depth else "lab.axis_level"))
    axes[0].legend(fontsize="small", ncols=2, frameon=False)
    return figure


def _draw_panel(
    axis: Axes, panel: Panel, lines: dict[str, list[tuple[str, Search, Result]]], places: list[str]
) -> None:
    from matplotlib.ticker import MaxNLocator

    for number, (name, line) in enumerate(lines.items()):
        points = [
            (places.index(place), value)
            for place, question, result in line
            if (value := panel.value(question, result)) is not None
        ]
        axis.plot(
            [x for x, _ in points],
            [y for _, y in points],
            marker=MARKS[number % len(MARKS)],
            markersize=4,
            linewidth=1,
            label=name,
        )
    axis.set_ylabel(panel.label)
    axis.grid(alpha=0.25)
    if panel.logarithmic:
        axis.set_yscale("log")
    else:
        axis.yaxis.set_major_locator(MaxNLocator(5))


def _name_places(axis: Axes, places: list[str]) -> None:
    axis.set_xticks(range(len(places)), places, rotation=60 if len(places) > MANY_PLACES else 0)


# ------------------------------------------------------------------ runs


def draw_win_rates(measured: Sequence[Measured]) -> Figure:
    """Win rates by agent and level, with their 95 % intervals."""
    from matplotlib.figure import Figure

    games: dict[str, dict[str, list[bool]]] = {}  # agent -> level -> whether each game was won
    for each, result in measured:
        if isinstance(each.question, Run) and "error" not in result:
            by_level = games.setdefault(each.question.agent, {})
            by_level.setdefault(each.question.label, []).append(result["status"] == "won")
    places = list(dict.fromkeys(level for by_level in games.values() for level in by_level))
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axis = figure.subplots()
    for number, (agent, by_level) in enumerate(games.items()):
        beside = (number - (len(games) - 1) / 2) * 0.12
        shares = [100 * sum(won) / len(won) for won in by_level.values()]
        intervals = [wilson_interval(sum(won), len(won)) for won in by_level.values()]
        errors = [
            [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, intervals, strict=True)],
            [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, intervals, strict=True)],
        ]
        xs = [places.index(level) + beside for level in by_level]
        axis.errorbar(xs, shares, yerr=errors, fmt=MARKS[number % len(MARKS)], capsize=3, label=agent)
    _name_places(axis, places)
    axis.set_ylabel(message("lab.axis_won"))
    axis.set_ylim(-3, 103)
    axis.grid(alpha=0.25)
    if games:
        axis.legend(frameon=False)
    return figure
