"""`ludion show`: a position as a board."""

from __future__ import annotations

import click

from ludion.cli._shared import GameCommand, dump, find_game, game_file_option, split_options, whole_text


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option(
    "--svg", "svg_file", metavar="F", help="Write the picture to this file (- for standard output)."
)
@click.option("--json", "as_json", is_flag=True, help="One object.")
def command(
    game: str,
    position: str,
    game_file: tuple[str, ...],
    svg_file: str | None,
    as_json: bool,
    **given: str | None,
) -> None:
    """Draw a position, in text or as a picture."""
    from ludion.api import position as read_position

    card = find_game(game)
    options, _ = split_options(card, given)
    found = read_position(card, whole_text(card, position), **options)
    if svg_file == "-":
        click.echo(found.svg())
        return
    if svg_file:
        with click.open_file(svg_file, "w", encoding="utf-8", atomic=True) as file:
            file.write(found.svg())
    if as_json:
        told = {"game": card.name, "position": found.text, "options": found.options, "status": found.status}
        dump({**told, "moves": found.moves(), "board": str(found)})
    else:
        click.echo(str(found))
