"""`ludion games`: what there is to play."""

from __future__ import annotations

import click

from ludion.cli._shared import dump, game_file_option
from ludion.engines import ENGINES
from ludion.kinds.card import PUZZLE


@click.command()
@game_file_option
@click.option("--json", "as_json", is_flag=True, help="One object a line.")
def command(game_file: tuple[str, ...], as_json: bool) -> None:
    """List the games, with their engines and heuristics."""
    from ludion import registry

    for file in game_file:
        registry.load_game_file(file)
    for card in sorted(registry.games().values(), key=lambda each: (each.kind, each.name)):
        general = [
            name for name, each in ENGINES.items() if each.kind == card.kind and name not in card.without
        ]
        engines = [*general, *(name for name in card.engines if name not in general)]
        if as_json:
            dump(
                {
                    "game": card.name,
                    "kind": card.kind,
                    "title": card.title,
                    "summary": card.summary,
                    "engines": engines,
                    "guides": list(card.guides),
                    "agents": list(card.agents),
                    "options": [option.name for option in card.options],
                    "levels": len(card.all_levels()),
                }
            )
            continue
        click.echo(f"{card.name:14} {card.kind:7} {card.summary}")
        for label, names in (
            ("engines", engines),
            ("heuristics" if card.kind == PUZZLE else "evaluations", list(card.guides)),
            ("agents", list(card.agents)),
        ):
            if names:
                click.echo(f"{'':23}{label}: {', '.join(names)}")
