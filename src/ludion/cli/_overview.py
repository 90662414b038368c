"""The help page of `ludion` itself: the commands by what they are for, and the games."""

from __future__ import annotations

import click

from ludion import registry
from ludion.messages import message

GROUPS = {
    "play": ("play", "serve", "tour", "show"),
    "ask": ("solve", "analyse", "explain", "review", "run", "perft", "games", "levels", "generate"),
    "compare": ("lab", "match", "tournament", "bench"),
    "own": ("check", "warm-up"),
}
FIRST = 16  # characters of the first column
ONE_LINE = 58  # what is left of 80 for the other


def write_overview(group: click.Group, context: click.Context, formatter: click.HelpFormatter) -> None:
    """A section for each group of commands; what is in no group comes last. Then the games."""
    names = group.list_commands(context)
    grouped = {name for each in GROUPS.values() for name in each}
    groups = {**GROUPS, "more": tuple(name for name in names if name not in grouped)}
    for heading, commands in groups.items():
        loaded = [(name, group.get_command(context, name)) for name in commands]
        rows = [(name, each.get_short_help_str(ONE_LINE)) for name, each in loaded if each is not None]
        _section(formatter, message(f"cli.overview_{heading}"), rows)
    games = sorted(registry.games().values(), key=lambda each: (each.kind, each.name))
    rows = [(game.name, game.translate("summary", game.summary)) for game in games]
    _section(formatter, message("cli.overview_games"), rows)


def _section(formatter: click.HelpFormatter, title: str, rows: list[tuple[str, str]]) -> None:
    with formatter.section(title):
        formatter.write_dl([(f"{name:{FIRST}}", words) for name, words in rows])
