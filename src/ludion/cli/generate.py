"""`ludion generate`: new positions of a game, the same ones for the same seed."""

from __future__ import annotations

from typing import Any

import click

from ludion import registry
from ludion.cli._options import GeneratorCommand, game_file_option, json_option, setting_help
from ludion.cli._output import show_json
from ludion.engines.budget import interrupts_end_all
from ludion.errors import UnfitError
from ludion.kinds.settings import read_settings
from ludion.messages import message


@click.command(cls=GeneratorCommand)
@click.argument("game")
@game_file_option
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    help="Seed of the first position; each further one adds 1.",
)
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many positions.")
@click.option("--options", "listed", is_flag=True, help="List the settings of this game's generator.")
@json_option()
def command(game: str, seed: int, count: int, listed: bool, as_json: bool, **given: Any) -> None:
    """Generate new positions of a game.

    `--options` lists the settings of its generator.
    """
    description = registry.find(game)
    generator = description.generator
    if generator is None:
        raise UnfitError(message("errors.no_generator", game=description.caption))
    if listed:
        for setting in generator.settings:
            help = setting_help(description, "setting", setting)
            click.echo(
                f"{setting.flag}  {help} {message('cli.default', value=setting.write(setting.default))}"
            )
        return
    chosen = {name: value for name, value in given.items() if value is not None}
    settings = read_settings(generator.settings, chosen, "settings.of_generator", game=description.name)
    for number in range(seed, seed + count):
        try:
            with interrupts_end_all():
                text = generator.text(number, **settings)
        except KeyboardInterrupt as interrupt:
            for best in interrupt.args:
                click.echo(best)
            raise
        if as_json:
            show_json({"game": description.name, "seed": number, "options": settings, "position": text})
        else:
            click.echo(text)
