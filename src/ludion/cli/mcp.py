"""`ludion mcp`: the games as tools of the Model Context Protocol, over standard input and output."""

from __future__ import annotations

import importlib.util

import click

from ludion.errors import LudionError
from ludion.messages import message


@click.command()
@click.option("--game-file", multiple=True, metavar="F", help="A Python file with a game of your own.")
def command(game_file: tuple[str, ...]) -> None:
    """Offer ludion's tools to assistants (MCP).

    They can solve, analyse, explain, play and generate by the Model Context Protocol, on standard input and output.
    """
    if importlib.util.find_spec("mcp") is None:
        raise LudionError(message("cli.needs_mcp"))
    from ludion.adapters.mcp import make_server
    from ludion.registry import load_game_file

    for file in game_file:
        load_game_file(file)
    make_server().run()
