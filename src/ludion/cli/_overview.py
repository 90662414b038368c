"""What `ludion` alone prints: the commands by what they are for, and the games."""

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
WIDTH, FIRST = 100, 16  # characters of a line and of its first column


def overview(context: click.Context) -> str:
    """The whole text; what is in no group comes under the last heading."""
    group = context.command
    assert isinstance(group, click.Group)
    names = group.list_commands(context)
    grouped = {name for each in GROUPS.values() for name in each}
    groups = {**GROUPS, "more": tuple(name for name in names if name not in grouped)}
    lines = [message("cli.overview")]
    for heading, commands in groups.items():
        lines += ["", message(f"cli.overview_{heading}")]
        for name in commands:
            command = group.get_command(context, name)
            if command is not None:
                lines.append(f"  {name:{FIRST}} {command.get_short_help_str(WIDTH - FIRST - 3)}")
    lines += ["", message("cli.overview_games")]
    for game in sorted(registry.games().values(), key=lambda each: (each.kind, each.name)):
        lines.append(f"  {game.name:{FIRST}} {game.translate('summary', game.summary)}")
    return "\n".join([*lines, "", message("cli.overview_end")])
