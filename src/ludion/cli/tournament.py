"""`ludion tournament`: everybody against everybody, and a rating list."""

from __future__ import annotations

import itertools
from typing import Any

import click

from ludion.cli._arena import arena_options, in_a_line, play_all
from ludion.cli._shared import GameCommand, Progress, dump
from ludion.cli.match import ARENA, FAULTS
from ludion.errors import LudionError


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option("--games", type=click.IntRange(1), default=20, show_default=True, help="Of every two players.")
@arena_options
def command(game: str, players: tuple[str, ...], games: int, as_json: bool, **given: Any) -> int:
    """Let all players meet all others (see `ludion match` for their names), and rate them."""
    from ludion.arena.ratings import rate, tallies
    from ludion.lab.tables import Table

    names = list(dict.fromkeys(players))
    if len(names) < 2:
        raise LudionError("a tournament needs at least two different players")
    settings = {name: given.pop(name) for name in ARENA} | {"rest": given}
    total, played = play_all(game, list(itertools.combinations(names, 2)), games, settings)
    records = []
    with Progress(total=total, noun="games") as progress:
        for record, new in played:
            records.append(record)
            if new and as_json:
                dump(record)
            elif new and record["ended_by"] in FAULTS:
                click.echo(in_a_line(record), err=True)
            progress.show(len(records))
    results = tallies(records)
    ratings = rate(results)
    faults = dict.fromkeys(names, 0)
    for record in records:
        if record["ended_by"] in FAULTS:
            faults[record["second"] if record["points"] == 1 else record["first"]] += 1
    if as_json:
        for place, rating in enumerate(ratings, 1):
            dump({"place": place, **vars(rating), "faults": faults[rating.name]})
        return 0
    order = [rating.name for rating in ratings]
    rows: list[tuple[Any, ...]] = []
    for place, rating in enumerate(ratings, 1):
        against = []
        for other in order:
            tally = results.get((rating.name, other))
            against.append(f"+{tally.wins} ={tally.draws} -{tally.losses}" if tally else "")
        rows.append(
            (
                place,
                rating.name,
                f"{rating.elo:+.0f}",
                f"± {rating.error:.0f}",
                rating.games,
                f"{rating.points:g}",
                faults[rating.name] or None,
                *against,
            )
        )
    columns = ("", "player", "Elo", "95 %", "games", "points", "faults", *map(str, range(1, len(order) + 1)))
    click.echo(Table(f"{len(records)} games", columns, rows).as_text())
    return 0
