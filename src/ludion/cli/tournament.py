"""`ludion tournament`: everybody against everybody, and a rating list."""

from __future__ import annotations

import itertools
from typing import Any

import click

from ludion.cli._arena import arena_options, at_fault, in_one_line, play_all
from ludion.cli._options import GameCommand
from ludion.cli._output import ShownCount, show_json
from ludion.errors import LudionError
from ludion.messages import decimal, message
from ludion.tables import Cell, Table


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("players", nargs=-1, metavar="PLAYER...")
@click.option(
    "--games", type=click.IntRange(1), default=20, show_default=True, help="Games between every two players."
)
@arena_options
def command(game: str, players: tuple[str, ...], games: int, as_json: bool, **given: Any) -> int:
    """Play matches between all pairs of players and rate them.

    See `ludion match --help` for their names.
    """
    from ludion.arena.ratings import rate, signed, tallies

    names = list(dict.fromkeys(players))
    if len(names) < 2:
        raise LudionError(message("cli.two_players"))
    total, played = play_all(game, list(itertools.combinations(names, 2)), games, **given)
    records = []
    faults = dict.fromkeys(names, 0)
    with ShownCount(message("cli.games"), total) as shown:
        for record, is_new in played:
            records.append(record)
            loser = at_fault(record)
            if loser is not None:
                faults[loser] += 1
            if is_new and as_json:
                show_json(record)
            elif is_new and loser is not None:
                click.echo(in_one_line(record), err=True)
            shown.show(len(records))
    results = tallies(records)
    ratings = rate(results)
    if as_json:
        for place, rating in enumerate(ratings, 1):
            show_json({"place": place, **vars(rating), "faults": faults[rating.name]})
        return 0
    order = [rating.name for rating in ratings]
    rows: list[tuple[Cell, ...]] = []
    for place, rating in enumerate(ratings, 1):
        against = [results.get((rating.name, other)) for other in order]
        scores = [f"+{tally.wins} ={tally.draws} -{tally.losses}" if tally else "" for tally in against]
        points = decimal(rating.points, 1).removesuffix(".0").removesuffix(",0")
        strength = (signed(rating.elo), f"± {rating.error:.0f}", rating.games, points)
        rows.append((place, rating.name, *strength, faults[rating.name] or None, *scores))
    columns = ("", "player", "Elo", "95 %", "games", "points", "faults", *map(str, range(1, len(order) + 1)))
    click.echo(Table(message("cli.game_count", n=len(records)), columns, rows).as_text())
    return 0
