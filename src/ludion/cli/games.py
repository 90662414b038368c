"""`ludion games`: list the games."""

from __future__ import annotations

import click

from ludion import registry
from ludion.cli._options import json_option
from ludion.cli._output import show_json
from ludion.kinds.games import PUZZLE, Quest, Searched
from ludion.messages import labelled, language, named
from ludion.questions import engines_of


@click.command()
@click.option(
    "--game-file", "files", multiple=True, metavar="F", help="A Python file with a game of your own."
)
@json_option()
def command(files: tuple[str, ...], as_json: bool) -> None:
    """List the games, with their engines and heuristics."""
    for file in files:
        registry.load_game_file(file)
    for game in sorted(registry.games().values(), key=lambda each: (each.kind, each.name)):
        guides = "heuristics" if game.kind == PUZZLE else "evaluations"
        lists: dict[str, list[str]] = {"engines": [], guides: [], "agents": []}
        if isinstance(game, Searched):
            lists |= {"engines": list(engines_of(game)), guides: list(game.guides)}
        if isinstance(game, Quest):
            lists["agents"] = list(game.agents)
        if as_json:
            fields = {"game": game.name, "kind": game.kind, "title": game.title, "summary": game.summary}
            options = [option.name for option in game.options]
            show_json({**fields, **lists, "options": options, "levels": len(game.all_levels())})
            continue
        kind, summary = named("kind", game.kind), game.translate("summary", game.summary)
        caption = "" if language() == "en" else labelled(game.caption, "")
        click.echo(f"{game.name:14} {kind:10} {caption}{summary}")
        for label, names in lists.items():
            if names:
                every = (with_caption(label.removesuffix("s"), name) for name in names)
                click.echo(" " * 26 + labelled(named("list", label), ", ".join(every)))


def with_caption(kind: str, name: str) -> str:
    """A name that can be typed, with its name in the language in use."""
    caption = named(kind, name)
    return name if caption == name else f"{name} ({caption})"
