"""`ludion explain`: the values of heuristics or evaluations for a position, with their parts."""

from __future__ import annotations

from typing import Any

import click

from ludion import estimates, registry
from ludion.cli._options import GameCommand, game_file_option, json_option, rule_options, whole_text
from ludion.cli._output import announce_compiling, save, show_json
from ludion.errors import LudionError
from ludion.estimates import Estimate
from ludion.messages import message, named
from ludion.positions import Position
from ludion.positions import position as read_position


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option("--heuristic", metavar="H", help="The heuristic to explain (puzzles).")
@click.option("--evaluation", metavar="E", help="The evaluation to explain (duels).")
@click.option(
    "--svg",
    "svg_file",
    metavar="F",
    help="Write a picture of the board, marked with the parts, to this file.",
)
@json_option("One object.")
def command(
    game: str,
    position: str,
    heuristic: str | None,
    evaluation: str | None,
    svg_file: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Explain what a heuristic or an evaluation counts.

    The value of a position with its parts, tile by tile or piece by piece.

    Without a name, all heuristics or evaluations of the game are compared, and the game's default is explained.
    """
    if heuristic and evaluation:
        raise LudionError(message("cli.heuristic_or_evaluation"))
    description = registry.find(game)
    here = read_position(description, whole_text(description, position), **rule_options(description, given))
    announce_compiling()
    kind = "heuristic" if heuristic else "evaluation" if evaluation else ""
    compared: dict[str, Estimate | str] = {}
    if not kind:
        compared = dict(estimates.compare(description, here.rules, here.state))
        kind = estimates.GUIDES[description.kind]
    explained = estimates.estimate(description, here.rules, here.state, kind, heuristic or evaluation or "")
    if svg_file:
        save(svg_file, explained.svg())
    if as_json:
        show_json(as_object(here, explained, compared))
    else:
        click.echo(in_words(here, explained, compared))


def as_object(here: Position, explained: Estimate, compared: dict[str, Estimate | str]) -> dict[str, object]:
    """The explanation as a JSON object."""
    fields = {"game": here.game.name, "position": here.text, "options": here.options, **explained.json()}
    if compared:
        fields[f"{explained.kind}s"] = {
            name: result.value if isinstance(result, Estimate) else None for name, result in compared.items()
        }
    return fields


def in_words(here: Position, explained: Estimate, compared: dict[str, Estimate | str]) -> str:
    """The board, the comparison, and the parts."""
    lines = [here.with_goal(), ""]
    for name, result in compared.items() if len(compared) > 1 else ():
        lines.append(
            result.in_one_line()
            if isinstance(result, Estimate)
            else f"{named(explained.kind, name)}: {result}"
        )
    return "\n".join([*lines, *([""] if len(compared) > 1 else []), str(explained)])
