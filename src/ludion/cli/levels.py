"""`ludion levels`: the shipped positions of a game."""

from __future__ import annotations

import click

from ludion.cli._shared import GameCommand, dump, find_game, game_file_option


@click.command(cls=GameCommand)
@click.argument("game")
@game_file_option
@click.option("--json", "as_json", is_flag=True, help="One object a line.")
def command(game: str, game_file: tuple[str, ...], as_json: bool, **options: str | None) -> None:
    """List the levels of a game: `level:NAME` names one wherever a position is asked for.

    `your best` is the fewest moves in which you solved it by `ludion play`.
    """
    from ludion.studio.records import TERMINAL, Records, default_file

    card = find_game(game)
    bests: dict[str, int] = {}
    if default_file().exists():
        records = Records()
        bests = records.levels(TERMINAL, card.name)
        records.close()
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
                    "best": bests.get(level.name),
                }
            )
        else:
            told = {**level.known, **({"your best": bests[level.name]} if level.name in bests else {})}
            known = ", ".join(f"{name} {value}" for name, value in told.items())
            first = " ".join(level.position.split())
            click.echo(
                f"level:{level.name:24} {first if len(first) <= 50 else first[:47] + '...':50}  {known}"
            )
