"""`ludion levels`: the named positions of a game."""

from __future__ import annotations

from typing import Any

import click

from ludion import registry
from ludion.cli._options import GameCommand, game_file_option, json_option
from ludion.cli._output import show_json
from ludion.messages import language, message, named
from ludion.records.players import TERMINAL, PlayerRecords, default_file

WIDTH = 50  # characters of a position that are shown


@click.command(cls=GameCommand)
@click.argument("game")
@game_file_option
@json_option()
def command(game: str, as_json: bool, **options: Any) -> None:
    """List the levels of a game.

    `level:NAME` names one wherever a position is asked for. `your best` is the fewest moves in which you solved it
    by `ludion play`.
    """
    description = registry.find(game)
    bests: dict[str, int] = {}
    if default_file().exists():
        records = PlayerRecords()
        bests = records.levels(TERMINAL, description.name)
        records.close()
    for level in description.all_levels():
        if as_json:
            show_json(
                {
                    "game": description.name,
                    "level": level.name,
                    "position": level.position,
                    "options": dict(level.options),
                    "known": dict(level.known),
                    "source": level.source,
                    "best": bests.get(level.name),
                }
            )
            continue
        known = [
            f"{named('figure', name.replace('_', ' '))} {figure(value)}"
            for name, value in level.known.items()
        ]
        known += [message("cli.your_best", best=bests[level.name])] if level.name in bests else []
        text = " ".join(level.position.split())
        if len(text) > WIDTH or not text:
            text = description.level_title(level.name) or text
        shown = text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."
        click.echo(f"level:{level.name:24} {shown:{WIDTH}}  {', '.join(known)}")


def figure(value: object) -> str:
    """A known value for people."""
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return (
        named("value", value)
        if isinstance(value, str)
        else str(value).replace(".", "," if language() == "fr" else ".")
    )
