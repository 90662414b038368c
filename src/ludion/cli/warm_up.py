"""`ludion warm-up`: compile everything now, so that every later start is quick."""

from __future__ import annotations

import time

import click

from ludion.cli._shared import game_file_option
from ludion.errors import LudionError
from ludion.kinds.card import QUEST


@click.command()
@click.argument("games", nargs=-1, metavar="[GAME]...")
@game_file_option
def command(games: tuple[str, ...], game_file: tuple[str, ...]) -> None:
    """Compile the engines for the games (all of them, or those named)."""
    from rich.console import Console
    from rich.progress import track

    from ludion import api, registry
    from ludion.cli._shared import find_game
    from ludion.engines.limits import Budget

    for file in game_file:
        registry.load_game_file(file)
    cards = [find_game(name) for name in games] or list(registry.games().values())
    work = [
        (card, engine, guide)
        for card in cards
        if card.kind != QUEST
        for engine in api.engines_for(card)
        for guide in _guides(card, engine)
    ]
    begin = time.perf_counter()
    for card, engine, guide in track(work, "compiling", console=Console(stderr=True)):
        start = api.position(card, card.example or card.start)
        try:
            api.solve(start, engine, heuristic=guide, budget=Budget(seconds=0.05, nodes=200, depth=2))
        except LudionError:
            continue  # an engine that does not fit this position
    click.echo(f"{len(work)} combinations ready in {time.perf_counter() - begin:.1f} s")


def _guides(card: object, engine: str) -> list[str | None]:
    """The guides to try with this engine: all of them for those that take one, else none."""
    from ludion.engines import ENGINES

    general = ENGINES.get(engine)
    if general is None or not general.guided:
        return [None]
    return [*card.guides] or [None]  # type: ignore[attr-defined]
