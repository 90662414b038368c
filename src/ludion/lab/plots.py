"""Plots of measurements (extra `[lab]`: matplotlib): one picture with a panel for each quantity."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ludion.errors import LudionError
from ludion.kinds.games import Duel, Game, Level, Puzzle, Quest
from ludion.lab.measurements import Result, times_of
from ludion.lab.statistics import branching_factor, median_interval, wilson_interval
from ludion.lab.tables import Measured, asked, games_of, median_time, optimum
from ludion.messages import message
from ludion.questions import Search

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".png", ".svg", ".pdf")
MARKS = "os^vD<>pP*X"
LINES = ("-", "--", "-.", ":")  # with the marks, lines can be told apart in print
ROOM = 70  # letters on the x axis: longer names are written at an angle
MOST_PLACES = 40  # on the x axis: of more than that, not every one is named
WIDTH = 0.5  # of a level on the x axis, over which the points of its engines are spread


class PlotError(LudionError):
    """A plot that cannot be drawn or written."""


def check_file(file: str) -> None:
    """Raise PlotError if no plot can be written to a file of this name; called before anything is measured."""
    if Path(file).suffix.lower() not in ENDINGS:
        raise PlotError(message("lab.plot_ending", file=file))
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise PlotError(message("lab.plot_extra")) from None


def draw(file: str, game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level]) -> None:
    """Write the picture in the format of the file's suffix."""
    check_file(file)
    try:
        _save(file, Path(file).suffix[1:].lower(), _figure(game, measured, levels))
    except OSError as error:
        raise PlotError(message("lab.cannot_write_plot", file=file, reason=error.strerror)) from error


def as_svg(game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level]) -> bytes:
    """The same picture as SVG, for a page."""
    out = io.BytesIO()
    _save(out, "svg", _figure(game, measured, levels))
    return out.getvalue()


def _save(file: str | io.BytesIO, form: str, figure: Figure) -> None:
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "ludion"}):
        figure.savefig(file, format=form, dpi=144, metadata={"Date": None} if form == "svg" else None)


def _figure(game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level]) -> Figure:
    figure = draw_win_rates(measured) if isinstance(game, Quest) else draw_searches(game, measured, levels)
    figure.suptitle(message("lab.title_plot", game=game.caption, n=len(measured)))
    return figure


# ------------------------------------------------------------------ searches


class Panel(NamedTuple):
    """One quantity of a search, drawn over the levels or depths."""

    label: str
    value: Callable[[Search, Result], float | None]
    logarithmic: bool
    interval: Callable[[Result], tuple[float, float]] | None = (
        None  # in which the value is, with 95 % confidence
    )


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
        Panel(
            message("lab.axis_milliseconds"),
            lambda _, result: 1000 * median_time(result) or None,
            True,
            lambda result: median_interval([1000 * seconds for seconds in times_of(result)]),
        ),
        Panel(message("lab.axis_branching"), branching, False),
        Panel(message("lab.axis_memory"), lambda _, result: (result.get("memory") or 0) / 1e3 or None, True),
    ]
    return [*panels, Panel(message("lab.axis_ratio"), ratio, False)] if isinstance(game, Puzzle) else panels


def draw_searches(game: Game[Any, Any], measured: Sequence[Measured], levels: Iterable[Level]) -> Figure:
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
    figure = Figure(figsize=(7.5, 1.2 + 2.3 * len(panels)), layout="constrained")
    if not panels:
        return figure
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for axis, panel in zip(axes, panels, strict=True):
        _draw_panel(axis, panel, lines, places, joined=by_depth)
    _name_places(axes[-1], places)
    axes[-1].set_xlabel(message("lab.axis_depth" if by_depth else "lab.axis_level"))
    handles, names = axes[0].get_legend_handles_labels()
    figure.legend(handles, names, loc="outside lower center", ncols=3, fontsize="small", frameon=False)
    return figure


def _draw_panel(
    axis: Axes,
    panel: Panel,
    lines: dict[str, list[tuple[str, Search, Result]]],
    places: list[str],
    joined: bool,
) -> None:
    """One line for each engine and guide; levels are in no order, so their points are not joined."""
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    for number, (name, line) in enumerate(lines.items()):
        beside = 0.0 if joined else _beside(number, len(lines))
        points = [
            (
                places.index(place) + beside,
                value,
                panel.interval(result) if panel.interval else (value, value),
            )
            for place, question, result in line
            if (value := panel.value(question, result)) is not None
        ]
        axis.errorbar(
            [x for x, _, _ in points],
            [y for _, y, _ in points],
            yerr=[[y - low for _, y, (low, _) in points], [high - y for _, y, (_, high) in points]]
            if panel.interval
            else None,
            marker=MARKS[number % len(MARKS)],
            markersize=4,
            linewidth=1,
            linestyle=LINES[number % len(LINES)] if joined else "none",
            capsize=2,
            label=name,
        )
    axis.set_ylabel(panel.label)
    axis.grid(alpha=0.25)
    if panel.logarithmic:
        axis.set_yscale("log")
        low, high = axis.get_ylim()
        axis.yaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        axis.yaxis.set_minor_formatter(StrMethodFormatter("{x:,g}" if high < 10 * low else ""))
    else:
        axis.yaxis.set_major_locator(MaxNLocator(5))


def _beside(number: int, count: int) -> float:
    """How far to the right of its level a point is drawn, so that points do not hide one another."""
    return (number - (count - 1) / 2) * min(0.12, WIDTH / count)


def _name_places(axis: Axes, places: list[str]) -> None:
    every = -(-len(places) // MOST_PLACES) or 1
    shown = range(0, len(places), every)
    names = [places[index] for index in shown]
    turned = len(names) * max(map(len, names), default=0) > ROOM
    axis.set_xticks(shown, names, fontsize="small", rotation=60 if turned else 0)
    if turned:
        for label in axis.get_xticklabels():
            label.set_horizontalalignment("right")


# ------------------------------------------------------------------ runs


def draw_win_rates(measured: Sequence[Measured]) -> Figure:
    """Win rates by agent and level, with their 95 % intervals."""
    from matplotlib.figure import Figure

    games: dict[str, dict[str, list[bool]]] = {}  # agent -> level -> whether each game was won
    for level, by_agent in games_of(measured).items():
        for agent, by_seed in by_agent.items():
            played = [result["status"] == "won" for result in by_seed.values() if "error" not in result]
            if played:
                games.setdefault(agent, {})[level] = played
    places = list(dict.fromkeys(level for by_level in games.values() for level in by_level))
    figure = Figure(figsize=(7.5, 4), layout="constrained")
    axis = figure.subplots()
    for number, (agent, by_level) in enumerate(games.items()):
        beside = _beside(number, len(games))
        shares = [100 * sum(won) / len(won) for won in by_level.values()]
        intervals = [wilson_interval(sum(won), len(won)) for won in by_level.values()]
        errors = [
            [max(0.0, share - 100 * low) for share, (low, _) in zip(shares, intervals, strict=True)],
            [max(0.0, 100 * high - share) for share, (_, high) in zip(shares, intervals, strict=True)],
        ]
        xs = [places.index(level) + beside for level in by_level]
        axis.errorbar(xs, shares, yerr=errors, fmt=MARKS[number % len(MARKS)], capsize=3, label=agent)
    _name_places(axis, places)
    axis.set_xlabel(message("lab.axis_level"))
    axis.set_ylabel(message("lab.axis_won"))
    axis.set_ylim(-3, 103)
    axis.grid(alpha=0.25)
    if games:
        figure.legend(loc="outside lower center", ncols=4, fontsize="small", frameon=False)
    return figure
