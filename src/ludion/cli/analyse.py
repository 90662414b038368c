"""`ludion analyse`: every legal move with its value, best first; the game's own further analysis."""

from __future__ import annotations

from typing import Any

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
from ludion.cli._output import ShownSearch, announce_compiling, save, show_json
from ludion.errors import UnfitError
from ludion.kinds.games import Game, Quest
from ludion.kinds.settings import read_pairs
from ludion.messages import labelled, message, named
from ludion.positions import Position
from ludion.positions import position as read_position
from ludion.questions import Search


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@question_options(Search)
@click.option(
    "--save",
    "saved",
    multiple=True,
    metavar="NAME=FILE",
    help="Quests: also write one part of the analysis (a text, such as `picture`) to a file.",
)
@click.option(
    "--why",
    is_flag=False,
    flag_value="",
    metavar="[MOVE]",
    help="Say why a move is good or bad; without a move, why the best one is best.",
)
@json_option("One object.")
def command(
    game: str, position: str, saved: tuple[str, ...], why: str | None, as_json: bool, **asked: Any
) -> int:
    """Score every legal move.

    In a duel its value, in a puzzle the length of the path it begins, in a quest its risk.
    """
    description = registry.find(game)
    announce_compiling()
    text = whole_text(description, position)
    files = read_pairs(saved)
    if why is not None:
        explain(game, text, why, as_json, asked)
        return 0
    if isinstance(description, Quest):
        start = read_position(description, text, **rule_options(description, asked))
        examine(start, read_pairs(asked["set_pairs"]), files, as_json)
        return 0
    if files:
        raise UnfitError(message("cli.save_is_for_quests", game=description.caption, kind=description.kind))
    return score_moves(read_question(Search, game, text, asked), as_json)


def explain(game: str, text: str, move: str, as_json: bool, asked: dict[str, Any]) -> None:
    """Why a move is good or bad, as by `ludion.explain`."""
    description = registry.find(game)
    with ShownSearch() as observer:
        if isinstance(description, Quest):
            start = read_position(description, text, **rule_options(description, asked))
            given: dict[str, Any] = dict(read_pairs(asked["set_pairs"]))
            explanation = api.explain(start, move, **given)
        else:
            question = read_question(Search, game, text, asked)
            start = question.start()
            given = {"heuristic": question.heuristic, "evaluation": question.evaluation, **question.settings}
            given |= {"budget": question.budget, "observer": observer}
            explanation = api.explain(start, move, question.engine, **given)
    if as_json:
        asked_about = {"game": start.game.name, "position": start.text, "options": start.options}
        show_json({**asked_about, **explanation.json()})
    else:
        click.echo(f"{start.with_goal()}\n{explanation}")


def examine(start: Position, settings: dict[str, str], files: dict[str, str], as_json: bool) -> None:
    """The analysis of a position of a quest."""
    analysis = api.study(start, **settings, **dict.fromkeys(files, True))
    for name, file in files.items():
        save(file, str(analysis.pop(name, "")))
    if as_json:
        show_json({"game": start.game.name, "position": start.text, "options": start.options, **analysis})
    else:
        click.echo(text_of(start.game, analysis))


def score_moves(question: Search, as_json: bool) -> int:
    """Print every legal move of a puzzle or duel and the game's further analysis; return the exit code."""
    start = question.start()
    with ShownSearch() as observer:
        scores = question.analyse(observer)
    code = STOPPED if observer.stop.is_set() else 0
    analysis = api.study(start) if start.game.study is not None and code == 0 else {}
    if as_json:
        question_fields = {"game": start.game.name, "position": start.text, "options": start.options}
        show_json(
            {**question_fields, "status": start.status, "moves": [each.json() for each in scores], **analysis}
        )
        return code
    click.echo(start.with_goal())
    has_lines = any(each.line for each in scores)
    for each in scores:
        if not has_lines:
            click.echo(f"{each.name:12} {each}")
            continue
        click.echo(f"{each.name:12} {each!s:24}  {start.say_move(each.move)}")
        if each.line:
            line = "; ".join(each.line)
            click.echo("  " + message("cli.analysed_line", depth=each.depth, line=line))
    if not scores:
        click.echo(message("cli.no_legal_move", status=named("status", start.status)))
    if analysis:
        click.echo(text_of(start.game, analysis))
    return code


def text_of(game: Game[Any, Any], analysis: dict[str, Any]) -> str:
    """A game's further analysis for people: the game's own text, or each of its values."""
    return analysis.get("text") or "\n".join(
        labelled(game.translate(f"study.{name}", name.replace("_", " ")), in_words(value))
        for name, value in analysis.items()
    )


def in_words(value: object) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return message("cli.yes" if value else "cli.no")
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_words, value)) or message("errors.none")
    return str(value)
