"""What `match` and `tournament` share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ludion.cli._shared import batch_options, game_file_option, kept_results
from ludion.errors import LudionError


def arena_options(function: Any) -> Any:
    """How games are played."""
    for option in (
        click.option("--json", "as_json", is_flag=True, help="One object a game, then one with the result."),
        batch_options,
        click.option(
            "--adjudicate", is_flag=True, help="End a game when both players have proved its outcome."
        ),
        click.option(
            "--longest", type=click.IntRange(1), default=400, show_default=True, help="Plies, then a draw."
        ),
        click.option(
            "--seed", type=int, default=1, show_default=True, help="Of the openings, and of chance."
        ),
        click.option("--openings", metavar="FILE", help="Positions to begin with, one a line."),
        click.option(
            "--plies", type=click.IntRange(0), default=2, show_default=True, help="Random plies at first."
        ),
        click.option("--start", default="", metavar="POSITION", help="The position before the opening."),
        click.option("--depth", type=click.IntRange(1), metavar="D", help="Plies an engine looks ahead."),
        click.option("--nodes", type=click.IntRange(1), metavar="N", help="Positions a move."),
        click.option("--time", "seconds", type=float, metavar="S", help="Seconds a move."),
        game_file_option,
    ):
        function = option(function)
    return function


def play_all(
    game: str, pairs: list[tuple[str, str]], games: int, given: dict[str, Any]
) -> tuple[int, Iterator[tuple[dict[str, Any], bool]]]:
    """How many games there are, and their records as they come, each with whether it is new."""
    from ludion import api
    from ludion.arena.games import fixtures, play_game
    from ludion.arena.players import Limits, make
    from ludion.batch.solving import shipped
    from ludion.cli._shared import announce, find_game, read_positions, split_options

    card = find_game(game)
    seconds = given["seconds"]
    if seconds is not None and not seconds > 0:
        raise LudionError(f"the time must be positive, not {seconds}")
    for name in dict.fromkeys(name for pair in pairs for name in pair):
        make(card, name).close()  # say what is wrong with a name before anything is played
    options, unknown_options = split_options(card, given["rest"])
    assert not unknown_options
    start = given["start"] or card.start
    starts = [text for _, text in read_positions((), given["openings"])] if given["openings"] else []
    for text in starts or [start]:
        if api.position(card, text, **options).status != api.OPEN:
            raise LudionError(f"the game is over before it begins: {text}")
    announce()
    limits = Limits(seconds, given["nodes"], given["depth"])
    if limits == Limits():
        limits = Limits(seconds=0.1)
    planned = fixtures(
        card.name,
        pairs,
        games,
        start=start,
        starts=starts,
        options=options,
        plies=given["plies"],
        seed=given["seed"],
        limits=limits,
        longest=given["longest"],
        adjudicate=given["adjudicate"],
        files=tuple(
            shipped(path) for path in (*given["game_file"], *([game] if game.endswith(".py") else []))
        ),
    )
    return len(planned), kept_results(
        play_game, planned, jobs=given["jobs"], cluster=given["cluster"], out=given["out"], by="processes"
    )


def in_a_line(record: dict[str, Any]) -> str:
    """A game in words."""
    score = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2"}[record["points"]]
    why = "" if record["ended_by"] == "rules" else f" ({record['reason']})"
    players = f"{record['first']} - {record['second']}"
    return f"game {record['number'] + 1}: {players} {score}, {record['plies']} plies{why}"


def signed(value: float) -> str:
    """An Elo number for people."""
    return f"{value:+.0f}"
