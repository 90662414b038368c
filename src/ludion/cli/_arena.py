"""Common parts of `match` and `tournament`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from ludion import registry
from ludion.cli._options import batch_options, game_file_option, json_option, read_positions, rule_options
from ludion.cli._output import announce_compiling, resumable
from ludion.engines.budget import Budget
from ludion.errors import LudionError
from ludion.kinds.games import Game
from ludion.messages import message
from ludion.positions import position as read_position

DEFAULT_SECONDS = 0.1  # per move, where no limit is named
Record = dict[str, Any]


def arena_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options for playing games."""
    for option in (
        json_option("One object per game, then one with the result."),
        batch_options,
        click.option("--adjudicate", is_flag=True, help="End a game when its outcome is proved."),
        click.option(
            "--clock",
            type=click.Choice(("wall", "cpu")),
            default="wall",
            show_default=True,
            help="What --time limits: wall time, or the processor time of each player.",
        ),
        click.option(
            "--longest",
            type=click.IntRange(1),
            default=400,
            show_default=True,
            help="Plies after which a game is a draw.",
        ),
        click.option(
            "--seed", type=int, default=1, show_default=True, help="Seed of the openings and of random moves."
        ),
        click.option("--openings", metavar="FILE", help="File of opening positions, one per line."),
        click.option(
            "--plies",
            type=click.IntRange(0),
            default=2,
            show_default=True,
            help="Random plies at the beginning of each game.",
        ),
        click.option("--start", default="", metavar="POSITION", help="The position before the opening."),
        click.option("--depth", type=int, metavar="D", help="Search depth of engines, in plies."),
        click.option("--nodes", type=int, metavar="N", help="Positions per move."),
        click.option("--time", "seconds", type=float, metavar="S", help="Seconds per move."),
        game_file_option,
    ):
        function = option(function)
    return function


def play_all(
    game: str,
    pairs: list[tuple[str, str]],
    games: int,
    *,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    start: str,
    plies: int,
    openings: str | None,
    seed: int,
    longest: int,
    adjudicate: bool,
    clock: str,
    jobs: int,
    cluster: str | None,
    out: str | None,
    **options: Any,
) -> tuple[int, Iterator[tuple[Record, bool]]]:
    """The number of games, and their records as they come, each with whether it is new."""
    from ludion.arena.games import Fixture, plan_fixtures, play_game
    from ludion.arena.players import make_player

    description = registry.find(game)
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        make_player(description, name).close()  # say what is wrong with a name before anything is played
    rules = rule_options(description, options)
    starts = read_openings(description, openings, rules) if openings else []
    if not starts and not read_position(description, start, **rules).is_open:
        raise LudionError(message("cli.over_before_it_begins", position=start))
    announce_compiling()
    given = Budget(seconds, nodes, depth=depth).to_move()
    agreed = Fixture(
        description.name,
        start or description.start,
        options=rules,
        budget=given if given != Budget() else Budget(seconds=DEFAULT_SECONDS),
        longest=longest,
        adjudicate=adjudicate,
        clock=clock,
        files=registry.files_of(description.name),
    )
    planned = plan_fixtures(agreed, pairs, games, starts=starts, plies=plies, seed=seed)
    return len(planned), resumable(play_game, planned, jobs=jobs, cluster=cluster, out=out)


def read_openings(game: Game[Any, Any], file: str, rules: dict[str, Any]) -> list[str]:
    """The positions of a file from which games can begin; an error says in which line there is none."""
    texts = []
    for line, text in read_positions((), file):
        try:
            if not read_position(game, text, **rules).is_open:
                raise LudionError(message("cli.over_before_it_begins", position=text))
        except LudionError as error:
            raise LudionError(message("cli.bad_opening", file=file, line=line, error=error)) from None
        texts.append(text)
    if not texts:
        raise LudionError(message("cli.no_openings", file=file))
    return texts


def in_one_line(record: Record) -> str:
    """A game in words."""
    score = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2"}[record["points"]]
    why = "" if record["ended_by"] == "rules" else f" ({record['reason']})"
    game = {"first": record["first"], "second": record["second"], "score": score}
    return message("cli.game", number=record["number"] + 1, **game, n=record["plies"]) + why


def at_fault(record: Record) -> str | None:
    """The player who lost the game by a fault (crash, time, illegal move), if any."""
    from ludion.kinds.players import FAULTS

    if record["ended_by"] not in FAULTS:
        return None
    loser: str = record["second"] if record["points"] == 1 else record["first"]
    return loser
