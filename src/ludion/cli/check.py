"""`ludion check`: whether a game keeps the contract of its kind.

Each problem is one line: file and line of the verb, what was expected, what came, and the position. The exit code is 0
if there is none, 1 if there are some.
"""

from __future__ import annotations

from dataclasses import asdict

import click

from ludion import registry
from ludion.cli import NO_ANSWER
from ludion.cli._options import json_option
from ludion.cli._output import announce_compiling, show_json
from ludion.messages import message


@click.command()
@click.argument("game", metavar="GAME.py")
@click.option(
    "--compiled/--no-compiled",
    default=True,
    show_default=True,
    help="Also compare with compiled code, which takes some seconds.",
)
@json_option("One object per problem.")
def command(game: str, compiled: bool, as_json: bool) -> int:
    """Check a game of your own.

    Types, bounds and promises of its verbs are tried in plain Python and compiled.
    """
    from ludion.checks import check

    description = registry.find(game)
    announce_compiling()
    problems = check(description, compiled=compiled)
    for problem in problems:
        if as_json:
            show_json(asdict(problem))
        else:
            click.echo(str(problem))
    if not as_json:
        name = "checks.problems" if problems else "checks.all_well"
        click.echo(message(name, game=description.caption, n=len(problems)), err=bool(problems))
    return NO_ANSWER if problems else 0
