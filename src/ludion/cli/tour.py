"""`ludion tour`: a short guided demonstration, one instance of each game."""

from __future__ import annotations

import time

import click

from ludion.cli._shared import announce, in_sentence
from ludion.kinds.card import PUZZLE, QUEST, Card


@click.command()
@click.option(
    "--time", "seconds", type=float, default=5.0, show_default=True, help="Seconds for each game, at most."
)
def command(seconds: float) -> None:
    """Show every game once: a board, the answer, what it cost."""
    from ludion import registry

    announce()
    begin = time.perf_counter()
    cards = sorted(registry.games().values(), key=lambda card: (card.kind != PUZZLE, card.kind, card.name))
    for card in cards:
        click.secho(f"\n{card.title}", bold=True, nl=False)
        click.echo(f": {card.summary}")
        show_quest(card, seconds) if card.kind == QUEST else show_search(card, seconds)
    click.echo(
        f"\n{len(cards)} games in {time.perf_counter() - begin:.1f} s. Next: ludion games, ludion solve --help"
    )


def show_search(card: Card, seconds: float) -> None:
    """A position and what the game's best engine says of it."""
    from ludion import api

    position = api.position(card, card.example or card.start)
    click.echo(f"$ ludion solve {card.name} '{card.example or card.start}'")
    click.echo(str(position))
    click.echo(in_sentence(position, api.solve(position, seconds=seconds)))


def show_quest(card: Card, seconds: float) -> None:
    """A level and how the game's best agent fares in it."""
    from ludion.batch.quests import Task, play
    from ludion.cli.run import last_state, one_line, source

    level = card.example or f"level:{card.all_levels()[0].name}"
    name, text, options = source(card, level)
    click.echo(f"$ ludion run {card.name} {level}")
    told = play(Task(card.name, text, options, "best", {"seed": 0}, patience=max(1.0, seconds), level=name))
    click.echo(last_state(card, told))
    click.echo(one_line(told))
