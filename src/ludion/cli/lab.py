"""`ludion lab`: measure engines, heuristics or agents on many instances, and show the results."""

from __future__ import annotations

import re
import shlex
from typing import Any

import click

from ludion import registry
from ludion.asking import engines_of
from ludion.cli import NO_ANSWER
from ludion.cli._options import (
    ARGUMENTS,
    GameCommand,
    cluster_option,
    game_file_option,
    jobs_option,
    names,
    read_positions,
    rule_options,
)
from ludion.cli._output import ShownCount, announce_compiling
from ludion.engines.budget import Budget
from ludion.errors import LudionError, unknown
from ludion.kinds.games import DUEL, Game, Level, Quest, Searched
from ludion.messages import message
from ludion.positions import position as read_position
from ludion.questions import BUDGET_SETTINGS, read_budget

DEFAULT_SECONDS = 10.0  # per measurement, where no limit is named
REPORT_PREFIX = "seed-"  # of the names of old reports, from which the games grew


@click.command(cls=GameCommand)
@click.argument("game", required=False)
@game_file_option
@click.option(
    "--report",
    metavar="NAME",
    help=f"The tables of an old report beside its figures: {REPORT_PREFIX}GAME.",
)
@click.option(
    "--levels", metavar="NAMES", help="Which levels: a,b or report-* or report or all (the default)."
)
@click.option(
    "--file", metavar="F", help="Positions from a file instead, one per line (- for standard input)."
)
@click.option("--engines", metavar="a,b", help="Which engines (`all` for all that work with the game).")
@click.option("--heuristics", metavar="x,y", help="Puzzles: which heuristics (`all` for all).")
@click.option("--evaluations", metavar="x,y", help="Duels: which evaluations (`all` for all).")
@click.option("--depths", metavar="1-9", help="Duels: search depths.")
@click.option("--agents", metavar="a,b", help="Quests: which agents.")
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Quests: games per level."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Quests: seed of the first game.")
@click.option("--patience", type=float, help="Quests: maximum seconds per decision.")
@click.option(
    "--precision",
    metavar="%",
    type=float,
    default=10.0,
    show_default=True,
    help="Repeat a short search (5 to 30 times) until its median time is known to this precision.",
)
@click.option("--repeat", type=click.IntRange(1), help="Repeat every search exactly this many times instead.")
@click.option("--time", metavar="S", help=f"Seconds per search (default {DEFAULT_SECONDS:.0f}).")
@click.option("--nodes", metavar="N", help="Maximum number of positions per search.")
@click.option("--memory", metavar="MB", help="Maximum size of the tables in megabytes.")
@jobs_option
@cluster_option
@click.option(
    "--store", metavar="FILE", help="File of the saved results (SQLite; default: in the user's cache folder)."
)
@click.option("--again", is_flag=True, help="Measure again what is already saved.")
@click.option("--json", "form", flag_value="json", help="One object per row.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="As Markdown.")
@click.option("--plot", metavar="FILE", help="Also draw a plot: .png, .svg or .pdf.")
@click.option("--html", metavar="FILE", help="Also write a page with tables, plots, boards and commands.")
def command(
    game: str | None,
    report: str | None,
    levels: str | None,
    file: str | None,
    jobs: int,
    cluster: str | None,
    store: str | None,
    again: bool,
    form: str | None,
    plot: str | None,
    html: str | None,
    precision: float,
    repeat: int | None,
    **given: Any,
) -> int:
    """Compare engines or agents in tables and plots.

    Engines in puzzles and duels, agents in quests; plots with --plot, a page with --html.

    Results are saved: a stopped run continues where it was. `--report` shows the tables of the old reports.
    """
    from ludion import lab
    from ludion.core.files import data_folder
    from ludion.lab import page, plots
    from ludion.records.results import ResultStore

    context = click.get_current_context()
    if game is None and report is None:
        raise click.MissingParameter(ctx=context, param_hint="GAME", param_type="argument")
    description = reported_game(game, report) if report is not None else registry.find(game or "")
    if report is not None:
        levels = levels or "report"
    if levels is not None and file is not None:
        raise LudionError(message("cli.levels_or_file"))
    if plot:
        plots.check_file(plot)
    if html:
        page.check_file(html)
    repeats = lab.Repeats(precision / 100) if repeat is None else lab.Repeats.exactly(repeat)
    chosen = choose_levels(description, levels, file)
    reported = is_report(description, levels, file, given)
    announce_compiling()
    planned = plan(description, chosen, reported, given)
    results = ResultStore(store or data_folder() / "lab.sqlite")
    measured, had = [], 0
    try:
        with ShownCount(message("cli.measurements"), len(planned)) as shown:
            for measurement, result, is_new in lab.measure_all(
                planned, results, repeats=repeats, jobs=jobs, cluster=cluster, again=again
            ):
                measured.append((measurement, result))
                had += not is_new
                shown.show(len(measured))
    except KeyboardInterrupt:
        click.echo(
            message("cli.stopped_kept", done=len(measured), all=len(planned), file=results.path), err=True
        )
        raise
    finally:
        results.close()
    if had:
        click.echo(message("cli.measured_already", done=had, all=len(planned), file=results.path), err=True)
    tables = lab.tables_for(description, measured, chosen, report=reported)
    separator = "\n" if form in ("json", "csv") else "\n\n"
    click.echo(separator.join(getattr(table, f"as_{form or 'text'}")() for table in tables))
    if plot:
        plots.draw(plot, description, measured, chosen)
        click.echo(message("cli.wrote", file=plot), err=True)
    if html:
        page.write(html, description, tables, measured, chosen, written_command(context))
        click.echo(message("cli.wrote", file=html), err=True)
    return NO_ANSWER if any("error" in result for _, result in measured) else 0


def reported_game(game: str | None, report: str) -> Game[Any, Any]:
    """The game whose old report is asked for."""
    reports = {f"{REPORT_PREFIX}{name}": name for name in registry.games() if registry.find(name).report}
    if report not in reports:
        raise unknown("errors.report", report, reports)
    if game is not None and registry.find(game).name != reports[report]:
        raise LudionError(message("cli.report_of_other_game", report=report, game=game))
    return registry.find(reports[report])


def written_command(context: click.Context) -> str:
    """The command as it was typed."""
    return shlex.join(["ludion", context.info_name or "lab", *context.meta[ARGUMENTS]])


def choose_levels(game: Game[Any, Any], levels: str | None, file: str | None) -> list[Level]:
    """The positions to measure on."""
    from ludion import lab

    if file is not None:
        return [Level(f"line {number}", text) for number, text in read_positions((), file)]
    if levels is None and game.kind == DUEL:
        return [Level("start", game.start)]
    return lab.choose_levels(game, levels)


def is_report(game: Game[Any, Any], levels: str | None, file: str | None, given: dict[str, Any]) -> bool:
    """Whether the tables of the game's old report are asked for: by name, or, for a duel, by choosing nothing else."""
    if game.report is None:
        return False
    return levels == "report" or (
        game.kind == DUEL and levels is None and file is None and not given["depths"]
    )


def plan(game: Game[Any, Any], levels: list[Level], reported: bool, given: dict[str, Any]) -> list[Any]:
    """The measurements to make."""
    from ludion import lab

    options = rule_options(game, given)
    if isinstance(game, Quest):
        return lab.plan_runs(
            game,
            levels,
            agents=names(given["agents"]),
            games=given["games"],
            seed=given["seed"],
            options={name: value for name, value in options.items() if name != "seed"},
            patience=given["patience"],
        )
    assert isinstance(game, Searched)
    for level in levels:  # say what is wrong before anything is measured
        read_position(game, level.position, **{**level.options, **options})
    limits = {name: BUDGET_SETTINGS[name].read(given[name]) for name in ("time", "nodes", "memory")}
    budget = read_budget(limits)
    if budget.seconds is None and budget.nodes is None:
        budget = Budget(seconds=DEFAULT_SECONDS).over(budget)
    engines = list_of(given["engines"], list(engines_of(game)))
    guides = list_of(given["heuristics"] or given["evaluations"], list(game.guides))
    if reported:
        return lab.plan_report(game, engines=engines, guides=guides, budget=budget)
    return lab.plan_searches(
        game,
        levels,
        engines=engines,
        guides=guides,
        depths=numbers(given["depths"]),
        options=options,
        budget=budget,
    )


def list_of(text: str | None, everything: list[str]) -> list[str]:
    return everything if text == "all" else names(text)


def numbers(text: str | None) -> list[int]:
    """`1-4,6` as numbers."""
    listed: list[int] = []
    for word in names(text):
        match = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", word)
        if not match or int(match[1]) < 1 or (match[2] and int(match[2]) < int(match[1])):
            raise LudionError(message("cli.depth_list", word=word))
        listed += range(int(match[1]), int(match[2] or match[1]) + 1)
    return listed
