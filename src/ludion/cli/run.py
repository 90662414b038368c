"""`ludion run`: an agent plays a quest, once or many times.

With `--json` each run is one object on a line: game, level, position, options, status (won, lost, running), ended_by,
reason, length, moves, nodes, seconds, cpu_seconds, slowest, decisions_per_second, engine, seed, and the game's own
statistics. Together, `position`, `options` and `moves` are a replay: anyone can carry it out again. With `--show`,
`thoughts` has an object for each step: the action, and what the agent says of it (words, layer, path, dangers, proved,
weighed, risk). With `--explain` the steps are printed with what each of the agent's layers says, and how many cells or
states it searched; `--json` has this in `layers` (name and words) and `search` in any case.

Many games of a level (`--games N`) are summed up, with `--json` as one object: games, won, win_rate, its 95 %
confidence interval, moves and seconds on average, the slowest decision and game. `--each` reports every game instead.

The exit code is 0 if every run was ended by its world (won or lost), 1 if one was ended from outside.
"""

from __future__ import annotations

import dataclasses
import functools
import statistics
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from ludion import registry
from ludion.answers import in_percent
from ludion.cli import NO_ANSWER
from ludion.cli._options import (
    AgentCommand,
    batch_options,
    game_file_option,
    json_option,
    question_options,
    read_question,
    world_text,
)
from ludion.cli._output import ShownCount, announce_compiling, resumable, show_json
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Quest
from ludion.messages import decimal, message, named
from ludion.positions import position as read_position
from ludion.questions import Run
from ludion.thoughts import in_words

LAST_COMMON_FIELD = "seed"  # of a record; those behind it are the game's own statistics
ENDED_BY_WORLD = ("won", "lost")

Record = Mapping[str, Any]


def refuse_option(context: click.Context, option: click.Parameter, value: str | None) -> None:
    """How earlier versions took options of the rules."""
    if value is not None:
        name, _, chosen = value.partition("=")
        raise click.UsageError(message("cli.option_form", name=name, value=chosen or "VALUE"), context)


@click.command(cls=AgentCommand)
@click.argument("game")
@click.argument("levels", nargs=-1, metavar="[LEVEL]...")
@game_file_option
@question_options(Run)
@click.option("--option", hidden=True, expose_value=False, callback=refuse_option)
@click.option(
    "--games",
    type=click.IntRange(1),
    help="Games per level (default 1); with --server, number of games (default all).",
)
@batch_options
@click.option(
    "--show",
    "shown",
    is_flag=True,
    help="Print each step with the agent's reasons, and draw the final state.",
)
@click.option(
    "--explain",
    "explained",
    is_flag=True,
    help="Like --show, and print at every step what each layer of the agent says.",
)
@click.option("--each", is_flag=True, help="With several games, print the result of each.")
@click.option("--server", metavar="URL", help="Play the levels of a server instead, if the game has servers.")
@click.option("--group", default="ludion", show_default=True, help="Name of our group on that server.")
@click.option("--password", default="", help="The password of the group.")
@json_option()
def command(
    game: str,
    levels: tuple[str, ...],
    games: int | None,
    jobs: int,
    cluster: str | None,
    out: str | None,
    shown: bool,
    explained: bool,
    each: bool,
    server: str | None,
    group: str,
    password: str,
    as_json: bool,
    **asked: Any,
) -> int:
    """Let an agent play a quest.

    LEVEL is level:NAME, level:all, a file, -, the text of a level, or nothing for the start. Game number i of
    `--games` has the seed of `--seed` plus i.
    """
    shown = shown or explained
    on_server = server is not None  # an empty address too: it is an error, not a local game
    if levels and on_server:
        raise LudionError(message("cli.level_and_server"))
    if on_server and shown:
        raise LudionError(message("cli.show_needs_level"))
    question = read_question(Run, game, "", asked)
    if not levels and not on_server:
        if not question.description().start:
            raise LudionError(message("cli.level_or_server"))
        levels = ("",)
    announce_compiling()
    times = games or 1
    records: Iterator[tuple[Record, bool]]
    if server is not None:
        total = games
        records = ((record, True) for record in play_on_server(question, server, group, password, games))
    else:
        planned = [run for level in levels for run in runs(question, level, times)]
        total = len(planned)
        play = functools.partial(Run.record, thoughts=True) if shown else Run.record
        records = resumable(play, planned, jobs=jobs, cluster=cluster, out=out)
    played = []
    single = each or times == 1 or on_server  # a server's games are of different levels
    needs_bar = total != 1 and not (single and sys.stdout.isatty())  # else the lines show how far it is
    with ShownCount(message("cli.games_played"), total, needs_bar) as count:
        for record, is_new in records:
            played.append(record)
            count.show(len(played))
            if is_new and single:
                show_record(record, as_json, shown, explained)
    if as_json and not single:
        for begin in range(0, len(played), times):
            show_json(summed_up(played[begin : begin + times]))
    if len(played) > 1 and not as_json:
        click.echo(all_in_words(played))
        for line in faults(played):
            click.echo(line)
    return 0 if all(record["ended_by"] in ENDED_BY_WORLD for record in played) else NO_ANSWER


def runs(question: Run, level: str, games: int) -> Iterator[Run]:
    """The games to be played on a level (or all of them), seed after seed."""
    if level == "level:all":
        for one in question.description().all_levels():
            yield from runs(question, f"level:{one.name}", games)
        return
    text, label = world_text(level)
    for number in range(games):
        run = dataclasses.replace(question, position=text, label=label, seed=question.seed + number)
        run.start()  # say what is wrong with a level before anything is played
        yield run


def play_on_server(
    question: Run, server: str, group: str, password: str, games: int | None
) -> Iterator[Record]:
    """Play the worlds of a server as a group, one after the other: this many `games`, or all of them."""
    game = question.description()
    if game.remote_worlds is None:
        raise UnfitError(message("cli.no_servers", game=game.caption))
    worlds = game.remote_worlds(server, group=group, password=password, games=games)
    for number, world in enumerate(worlds):
        run = dataclasses.replace(question, position=server, label=group, seed=question.seed + number)
        yield run.report(None, world)


def show_record(record: Record, as_json: bool, shown: bool, explained: bool) -> None:
    """Print a run, with its thoughts before and its final state after it, if requested."""
    if as_json:
        show_json(record)
        return
    for number, thought in enumerate(record.get("thoughts", ()), 1):
        name, why = thought["spoken"], in_words(thought)
        step = f"{number}. {name}"
        click.echo(message("cli.step", number=number, action=name, why=why) if why else step)
        for layer, words in thought.get("layers", ()) if explained else ():
            click.echo(message("cli.layer", layer=layer, words=words))
    click.echo(in_one_line(record))
    if shown:
        click.echo(last_state(record))


def in_one_line(record: Record) -> str:
    """A run in words."""
    rate = record["decisions_per_second"]
    own = [
        f"{named('figure', name.replace('_', ' '))} {named('status', value) if isinstance(value, str) else value}"
        for name, value in list(record.items())[list(record).index(LAST_COMMON_FIELD) + 1 :]
        if isinstance(value, (int, float, str)) and value not in ("", record["status"])
    ]
    slowest = decimal(record["slowest"] * 1000, 1)
    speed = message("cli.decisions", rate=decimal(rate, 0), slowest=slowest) if rate else ""
    name, status = record["level"] or record["game"], named("status", record["status"])
    result = message("cli.after_steps", name=name, status=status, n=record["length"])
    cause = named("status", record["ended_by"])
    reason = message("cli.ended_by", cause=cause, reason=record["reason"]) if record["reason"] else ""
    return ", ".join(part for part in (result, *own, speed, reason) if part)


def summed_up(records: list[Record]) -> dict[str, Any]:
    """Many runs of one level as one object."""
    from ludion.lab.statistics import wilson_interval

    first, games = records[0], len(records)
    won = sum(record["status"] == "won" for record in records)
    seconds = sum(record["seconds"] for record in records)
    return {
        **{name: first[name] for name in ("game", "level", "position", "options", "engine", "seed")},
        "games": games,
        "won": won,
        "lost": sum(record["status"] == "lost" for record in records),
        "win_rate": won / games,
        "interval": list(wilson_interval(won, games)),
        "moves": sum(record["length"] for record in records) / games,
        "seconds": seconds,
        "seconds_per_game": seconds / games,
        "slowest": max(record["slowest"] for record in records),
        "slowest_game": max(record["seconds"] for record in records),
        "nodes": sum(record["nodes"] for record in records),
        "ended_from_outside": [
            {name: record[name] for name in ("seed", "ended_by", "reason")}
            for record in records
            if record["ended_by"] not in ENDED_BY_WORLD
        ],
    }


def all_in_words(records: list[Record]) -> str:
    """Many runs in words."""
    from ludion.lab.statistics import wilson_interval

    won = sum(record["status"] == "won" for record in records)
    steps = [record["length"] for record in records]
    seconds = sum(record["seconds"] for record in records)
    low, high = wilson_interval(won, len(records))
    return message(
        "cli.runs_summed_up",
        n=won,
        won=won,
        games=len(records),
        share=in_percent(won / len(records)),
        low=decimal(100 * low, 1),
        high=decimal(100 * high, 1),
        steps=decimal(statistics.mean(steps), 1),
        rate=decimal(sum(steps) / seconds, 0) if seconds else "-",
        slowest=decimal(max(record["slowest"] for record in records) * 1000, 1),
    )


def faults(records: list[Record]) -> Iterator[str]:
    """The number of runs that were ended from outside, by cause, with the first reason."""
    outside = [record for record in records if record["ended_by"] not in ENDED_BY_WORLD]
    for cause in dict.fromkeys(record["ended_by"] for record in outside):
        alike = [record for record in outside if record["ended_by"] == cause]
        first = alike[0]["reason"]
        yield message("cli.runs_ended", n=len(alike), cause=named("status", cause), reason=first)


def last_state(record: Record) -> str:
    """The world at the end of a run, drawn in text."""
    from ludion.kinds import quest

    here = read_position(record["game"], record["position"], **record["options"])
    for move in record["moves"]:
        action = here.read_move(move) if isinstance(move, str) else move
        here.state = quest.act(here.state, action)  # in place: worlds may be large, and runs long
    return str(here)


def demonstrate(game: Quest[Any, Any], seconds: float) -> None:
    """For the guided tour: a level and the result of the game's best agent."""
    level = game.example or next((f"level:{level.name}" for level in game.all_levels()), game.start)
    position = "" if level == game.start else level  # which is what no position means
    question = Run(game.name, position, patience=max(1.0, seconds), files=registry.files_of(game.name))
    click.echo(f"$ {dataclasses.replace(question, patience=None).command()}")
    record = question.record()
    click.echo(last_state(record))
    click.echo(in_one_line(record))
