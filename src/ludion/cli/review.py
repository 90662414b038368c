"""`ludion review`: judge the moves of a game."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

from ludion import api, registry
from ludion.cli import STOPPED
from ludion.cli._options import (
    EngineCommand,
    game_file_option,
    json_option,
    question_options,
    read_question,
    rule_options,
    whole_text,
)
from ludion.cli._output import ShownCount, announce_compiling, show_json
from ludion.engines.budget import Observer
from ludion.errors import LudionError, in_short
from ludion.kinds.games import Game, Quest
from ludion.messages import message
from ludion.positions import position as read_position
from ludion.questions import BUDGET_SETTINGS, Search

if TYPE_CHECKING:
    from ludion.reviews import Reviewer


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option("--moves", metavar="M", help="The moves of the game, separated by ;.")
@click.option(
    "--record",
    metavar="F",
    help="A file with the JSON object of a run or an answer (- for standard input): its position and moves.",
)
@question_options(Search)
@json_option("One object.")
def command(
    game: str, position: str, moves: str | None, record: str | None, as_json: bool, **asked: Any
) -> int:
    """Judge every move of a game.

    What it was worth, what was better, and why. The budget is for each position.
    """
    description = registry.find(game)
    announce_compiling()
    if (moves is None) == (record is None):
        raise LudionError(message("cli.moves_or_record"))
    text, names = (
        whole_text(description, position),
        [each.strip() for each in (moves or "").split(";") if each.strip()],
    )
    options = rule_options(description, asked)
    if record is not None:
        text, names, options = read_record(description, record, options)
    looking = start_review(description, text, names, options, asked)
    observer = Observer()
    with ShownCount(message("cli.positions"), looking.count) as shown:
        try:
            for count, _ in enumerate(looking.look(observer), 1):
                shown.show(count)
        except KeyboardInterrupt:
            observer.stop.set()
    review = looking.review()
    if as_json:
        show_json(
            {"position": looking.positions[0].text, "options": looking.positions[0].options, **review.json()}
        )
    else:
        click.echo(str(review))
    return STOPPED if observer.stop.is_set() else 0


def start_review(
    game: Game[Any, Any], text: str, moves: list[str], options: dict[str, str], asked: dict[str, Any]
) -> Reviewer:
    """The reviewer that the options of the command ask for."""
    start = read_position(game, text, **options)
    if isinstance(game, Quest):
        return api.reviewer_of(start, moves, seconds=BUDGET_SETTINGS["time"].read(asked.get("time")))
    question = read_question(Search, game.name, text, {**asked, **options})
    guides = {"heuristic": question.heuristic, "evaluation": question.evaluation}
    return api.reviewer_of(
        start, moves, question.engine, budget=question.budget, **guides, **question.settings
    )


def read_record(
    game: Game[Any, Any], file: str, options: dict[str, str]
) -> tuple[str, list[str], dict[str, str]]:
    """The position, the moves and the options of a record that `ludion run --json` or `ludion solve --json` printed."""
    with click.open_file(file, encoding="utf-8") as source:
        lines = source.read()
    try:
        fields = json.loads(lines)
        own, moves = dict(fields.get("options") or {}), [str(each) for each in fields["moves"]]
        text = str(fields.get("position", ""))
    except (ValueError, TypeError, KeyError, AttributeError):
        raise LudionError(message("cli.not_a_record", file=file, text=in_short(lines))) from None
    return text, moves, {**own, **options}
