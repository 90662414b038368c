"""`ludion show`: a position as a board."""

from __future__ import annotations

from typing import Any

import click

from ludion import registry
from ludion.cli._options import GameCommand, game_file_option, json_option, rule_options, whole_text
from ludion.cli._output import save, show_json
from ludion.positions import position as read_position


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option(
    "--svg", "svg_file", metavar="F", help="Write the picture to this file (- for standard output)."
)
@json_option("One object.")
def command(game: str, position: str, svg_file: str | None, as_json: bool, **given: Any) -> None:
    """Draw a position, in text or as a picture."""
    description = registry.find(game)
    start = read_position(description, whole_text(description, position), **rule_options(description, given))
    if svg_file == "-":
        click.echo(start.svg(with_goal=True))
        return
    if svg_file:
        save(svg_file, start.svg(with_goal=True))
    if as_json:
        fields = {"game": description.name, "position": start.text, "options": start.options}
        show_json({**fields, "status": start.status, "moves": start.moves(), "board": str(start)})
    else:
        click.echo(start.with_goal())
