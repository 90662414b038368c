"""`ludion levels`: the shipped positions of a game."""

from __future__ import annotations

import click

from ludion.cli._shared import GameCommand, dump, find_game, game_file_option


@click.command(cls=GameCommand)
@click.argument("game")
@game_file_option
@click.option("--json", "as_json", is_flag=True, help="One object a line.")
def command(game: str, game_file: tuple[str, ...], as_json: bool, **options: str | None) -> None:
    """List the levels of a game: `level:NAME` names one wherever a position is asked for."""
    card = find_game(game)
    for level in card.all_levels():
        if as_json:
            dump(
                {
                    "game": card.name,
                    "level": level.name,
                    "position": level.position,
                    "options": dict(level.options),
                    "known": dict(level.known),
                    "source": level.source,
                }
            )
        else:
            known = ", ".join(f"{name} {value}" for name, value in level.known.items())
            first = " ".join(level.position.split())
            click.echo(
                f"level:{level.name:24} {first if len(first) <= 50 else first[:47] + '...':50}  {known}"
            )
