"""`ludion tour`: a short guided demonstration, one instance of each game."""

from __future__ import annotations

import time

import click

from ludion import registry
from ludion.cli._output import announce_compiling
from ludion.cli.run import demonstrate
from ludion.engines.budget import Budget
from ludion.kinds.games import PUZZLE, Quest
from ludion.messages import decimal, message
from ludion.questions import Search


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option(
    "--time", "seconds", type=float, default=5.0, show_default=True, help="Maximum seconds per game."
)
def command(names: tuple[str, ...], seconds: float) -> None:
    """Show every game once: a board, the answer, its cost."""
    announce_compiling()
    begin = time.perf_counter()
    chosen = [registry.find(name) for name in names] or registry.games().values()
    games = sorted(chosen, key=lambda game: (game.kind != PUZZLE, game.kind, game.name))
    for game in games:
        click.secho(f"\n{game.caption}", bold=True, nl=False)
        click.echo(message("cli.summary", summary=game.translate("summary", game.summary)))
        if isinstance(game, Quest):
            demonstrate(game, seconds)
            continue
        start, files = game.example or game.start, registry.files_of(game.name)
        question = Search(game.name, start, files=files, budget=Budget(seconds=seconds))
        click.echo(f"$ {question.command()}")
        click.echo(question.start().with_goal())
        click.echo(str(question.answer()))
    spent = decimal(time.perf_counter() - begin, 1)
    click.echo("\n" + message("cli.tour_ends", seconds=spent))
