"""`ludion lab`: measure engines, heuristics or agents on many instances, and show what came of it."""

from __future__ import annotations

import re
from typing import Any

import click

from ludion.cli._shared import (
    GameCommand,
    Progress,
    announce,
    find_game,
    game_file_option,
    make_budget,
    read_positions,
    split_options,
)
from ludion.errors import LudionError
from ludion.kinds.card import DUEL, PUZZLE, QUEST, Card, Level

DEFAULT_SECONDS = 10.0  # a trial, where no limit is named
REPORT_REPEAT = 3  # measurements for the reports' tables, whose times are medians


@click.command(cls=GameCommand)
@click.argument("game")
@game_file_option
@click.option(
    "--levels", metavar="NAMES", help="Which levels: a,b or report-* or report or all (the default)."
)
@click.option("--file", metavar="F", help="Instances from a file instead, one a line (- for standard input).")
@click.option("--engines", metavar="a,b", help="Which engines (`all` for all that fit).")
@click.option(
    "--heuristics", "--evaluations", "guides", metavar="x,y", help="What guides them (`all` for all)."
)
@click.option("--depths", metavar="1-9", help="Duels: the depths to search to.")
@click.option("--agents", metavar="a,b", help="Quests: which agents.")
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Quests: games a level."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Quests: of the first game.")
@click.option("--patience", type=float, help="Quests: seconds a decision may take.")
@click.option(
    "--repeat", type=click.IntRange(1), default=1, show_default=True, help="Times to measure (median)."
)
@click.option(
    "--time", "seconds", type=float, metavar="S", help=f"Seconds a trial (default {DEFAULT_SECONDS:.0f})."
)
@click.option("--nodes", type=int, metavar="N", help="Positions a trial, at most.")
@click.option("--memory", type=float, metavar="MB", help="Megabytes of tables, at most.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Trials at a time.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler to work on: tcp://HOST:PORT.")
@click.option(
    "--store", metavar="FILE", help="Where results are kept (SQLite; default: the user's cache folder)."
)
@click.option("--again", is_flag=True, help="Measure anew what the store has already.")
@click.option("--json", "form", flag_value="json", help="One object a row.")
@click.option("--csv", "form", flag_value="csv", help="As CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="As Markdown.")
@click.option("--plot", metavar="FILE", help="Also draw a picture: .png or .svg.")
def command(
    game: str,
    game_file: tuple[str, ...],
    levels: str | None,
    file: str | None,
    engines: str | None,
    guides: str | None,
    depths: str | None,
    agents: str | None,
    games: int,
    seed: int,
    patience: float | None,
    repeat: int,
    seconds: float | None,
    nodes: int | None,
    memory: float | None,
    jobs: int,
    cluster: str | None,
    store: str | None,
    again: bool,
    form: str | None,
    plot: str | None,
    **given: Any,
) -> int:
    """Compare engines (puzzles, duels) or agents (quests): tables, and plots with --plot.

    Results are kept: a stopped run goes on where it was. `--levels report` shows the old reports' tables.
    """
    from ludion import api
    from ludion.batch.solving import shipped
    from ludion.core.files import data_folder
    from ludion.lab import reports, trials
    from ludion.lab.store import Store

    card = find_game(game)
    options, _ = split_options(card, given)
    if levels is not None and file is not None:
        raise LudionError("give --levels or --file, not both")
    if file is not None:
        chosen = [Level(f"line {number}", text) for number, text in read_positions((), file)]
    elif levels is None and card.kind == DUEL:
        chosen = [Level("start", card.start)]
    else:
        chosen = trials.choose_levels(card, levels)
    reported = card.kind == PUZZLE and levels == "report"
    announce()
    if card.kind == QUEST:
        planned = trials.plan_quest(
            card, chosen, agents=names(agents), games=games, seed=seed, options=options, patience=patience
        )
    else:
        make_budget(seconds, nodes, None, memory)
        if reported and card.name == "rush-hour":
            options = {**reports.RUSH_HOUR_OPTIONS, **options}
        planned = trials.plan(
            card,
            chosen,
            engines=list_of(engines, engines_of(card))
            or (["negamax"] if card.name == "tic-tac-toe" else [])
            or (reported_engines(card) if reported else []),
            guides=list_of(guides, list(card.guides)) or (reported_guides(card) if reported else []),
            depths=numbers(depths) or default_depths(card),
            options=options,
            repeat=max(repeat, REPORT_REPEAT) if reported else repeat,
            seconds=seconds if seconds is not None or nodes is not None else DEFAULT_SECONDS,
            nodes=nodes,
            memory=None if memory is None else max(1, int(memory * 1e6)),
        )
    for level in chosen if card.kind != QUEST else []:  # say what is wrong before anything is measured
        api.position(card, level.position, **{**level.options, **options})
    files = tuple(shipped(path) for path in (*game_file, *([game] if game.endswith(".py") else [])))
    planned = trials.with_files(planned, files)
    kept = Store(store or data_folder() / "lab.sqlite")
    results, had = [], 0
    try:
        with Progress(total=len(planned), noun="trials") as progress:
            for trial, result, new in trials.conduct(
                planned, kept, trials.fingerprint(card), jobs=jobs, cluster=cluster, again=again
            ):
                results.append((trial, result))
                had += not new
                progress.show(len(results))
    except KeyboardInterrupt:
        click.echo(f"stopped; {len(results)} of {len(planned)} results are kept in {kept.path}", err=True)
        raise
    finally:
        kept.close()
    if had:
        click.echo(
            f"{had} of {len(planned)} results were in {kept.path} already (--again measures anew)", err=True
        )
    shown = tables_of(card, chosen, results, reported, depths is None and levels is None and file is None)
    separator = "\n" if form in ("json", "csv") else "\n\n"
    click.echo(separator.join(getattr(table, f"as_{form or 'text'}")() for table in shown))
    if plot:
        from ludion.lab.plots import plot as draw

        draw(plot, f"{card.title}: {len(results)} trials", card.kind, results, chosen)
        click.echo(f"wrote {plot}", err=True)
    return 1 if any("error" in result for _, result in results) else 0


def tables_of(card: Card, levels: list[Level], results: Any, reported: bool, plain: bool) -> list[Any]:
    """The tables that answer what was asked."""
    from ludion.lab import reports, tables

    if card.kind == QUEST:
        return [tables.of_quest(f"{card.title}: agents", results)]
    if card.name == "rush-hour" and reported:
        return reports.rush_hour(results)
    if card.name == "taquin" and reported:
        return [
            *reports.taquin(card, levels, results),
            tables.of_puzzle("Taquin: every trial", results, levels),
        ]
    if card.name == "tic-tac-toe" and plain:
        return reports.tic_tac_toe(results)
    if card.kind == DUEL:
        return [tables.of_duel(f"{card.title}: engines", results)]
    return [tables.of_puzzle(f"{card.title}: engines", results, levels), tables.summary(results, levels)]


def default_depths(card: Card) -> list[int]:
    return list(range(1, 10 if card.name == "tic-tac-toe" else 6)) if card.kind == DUEL else []


def engines_of(card: Card) -> list[str]:
    from ludion import api

    return [name for name in api.engines_for(card) if name != "best"]


def reported_engines(card: Card) -> list[str]:
    return ["breadth-first", "greedy", "a-star"] if card.name == "rush-hour" else ["a-star"]


def reported_guides(card: Card) -> list[str]:
    return ["blockers"] if card.name == "rush-hour" else list(card.guides)


def names(text: str | None) -> list[str]:
    return [word.strip() for word in (text or "").split(",") if word.strip()]


def list_of(text: str | None, everything: list[str]) -> list[str]:
    return everything if text == "all" else names(text)


def numbers(text: str | None) -> list[int]:
    """`1-4,6` as numbers."""
    found: list[int] = []
    for word in names(text):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word)
        if not match or int(match[1]) < 1 or (match[2] and int(match[2]) < int(match[1])):
            raise LudionError(f"'{word}' is no depth: write 1-9 or 3,5")
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found
