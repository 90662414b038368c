"""`ludion warm-up`: compile everything now, so that every later start is quick."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import click

from ludion import registry
from ludion.asking import engines_of
from ludion.engines.budget import Budget
from ludion.errors import LudionError
from ludion.kinds.games import PUZZLE, UNUSED, Game, Searched
from ludion.messages import decimal, message
from ludion.questions import Search

SHORT = Budget(seconds=0.05, nodes=200, depth=2)


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@click.option(
    "--game-file", "files", multiple=True, metavar="F", help="A Python file with a game of your own."
)
def command(games: tuple[str, ...], files: tuple[str, ...]) -> None:
    """Compile the engines for the games beforehand."""
    from rich.console import Console
    from rich.progress import track

    for file in files:
        registry.load_game_file(file)
    chosen = [registry.find(name) for name in games] or list(registry.games().values())
    questions = [question for game in chosen for question in combinations(game)]
    begin = time.perf_counter()
    for question in track(questions, message("cli.compiling_now"), console=Console(stderr=True)):
        try:
            question.answer()
        except LudionError:
            continue  # an engine that does not fit this position
    seconds = decimal(time.perf_counter() - begin, 1)
    click.echo(message("cli.combinations", n=len(questions), seconds=seconds))


def combinations(game: Game[Any, Any]) -> Iterator[Search]:
    """Every engine with every heuristic or evaluation that it takes."""
    if not isinstance(game, Searched):
        return
    word = "heuristic" if game.kind == PUZZLE else "evaluation"
    for name, engine in engines_of(game).items():
        for guide in [""] if engine.guide == UNUSED else [*game.guides] or [""]:
            guided: dict[str, Any] = {word: guide}
            yield Search(
                game.name,
                game.example or game.start,
                engine=name,
                budget=SHORT,
                files=registry.files_of(game.name),
                **guided,
            )
