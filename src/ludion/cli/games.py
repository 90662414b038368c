"""`ludion games`: list the games, or explain all that can be chosen for one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import click

from ludion import registry
from ludion.asking import BEST, engines_of, find_engine
from ludion.cli._options import OptionOfGame, as_option, json_option, setting_help
from ludion.cli._output import show_json
from ludion.kinds.games import PUZZLE, AgentMaker, Engine, Game, Quest, Searched
from ludion.kinds.settings import Setting
from ludion.messages import labelled, language, message, named, translated


class NamedChoice(NamedTuple):
    """An engine, a heuristic, an evaluation or an agent, with help in the language in use; its settings."""

    name: str
    help: str
    settings: tuple[Setting, ...] = ()


@click.command()
@click.argument("game", required=False)
@click.option(
    "--game-file", "files", multiple=True, metavar="F", help="A Python file with a game of your own."
)
@json_option("One object per line.")
def command(game: str | None, files: tuple[str, ...], as_json: bool) -> None:
    """List the games, or explain all that one of them offers."""
    for file in files:
        registry.load_game_file(file)
    if game is not None:
        description = registry.find(game)
        show_json(as_object(description)) if as_json else show_choices(description)
        return
    for each in sorted(registry.games().values(), key=lambda each: (each.kind, each.name)):
        show_json(summary_object(each)) if as_json else show_summary(each)


def choices_of(game: Game[Any, Any]) -> dict[str, list[NamedChoice]]:
    """What can be chosen for a game, by the name of the list; lists of other kinds of games are empty."""
    lists: dict[str, list[NamedChoice]] = {"engines": [], guides_of(game): [], "agents": []}
    if isinstance(game, Searched):
        lists["engines"] = [choice(game, "engine", *each) for each in engines_of(game).items()]
        guide = guides_of(game).removesuffix("s")
        lists[guides_of(game)] = [
            NamedChoice(name, game.translate(f"{guide}.{name}", each.help))
            for name, each in game.guides.items()
        ]
    if isinstance(game, Quest):
        lists["agents"] = [choice(game, "agent", *each) for each in game.agents.items()]
    return lists


def guides_of(game: Game[Any, Any]) -> str:
    return "heuristics" if game.kind == PUZZLE else "evaluations"


def choice(game: Game[Any, Any], kind: str, name: str, maker: Engine | AgentMaker[Any]) -> NamedChoice:
    help = game.translate(f"{kind}.{name}", translated(f"engines.{kind}.{name}", maker.help))
    return NamedChoice(name, help, maker.settings)


def default_of(game: Game[Any, Any], label: str) -> str:
    """The choice of a list that is taken if none is named."""
    if label == "agents":
        return BEST
    assert isinstance(game, Searched)
    return find_engine(game, BEST)[0] if label == "engines" else game.default_guide


# ------------------------------------------------------------------ all games


def heading(game: Game[Any, Any]) -> dict[str, Any]:
    return {"game": game.name, "kind": game.kind, "title": game.title, "summary": game.summary}


def summary_object(game: Game[Any, Any]) -> dict[str, Any]:
    names = {label: [each.name for each in choices] for label, choices in choices_of(game).items()}
    options = [option.name for option in game.options]
    return {**heading(game), **names, "options": options, "levels": len(game.all_levels())}


def show_summary(game: Game[Any, Any]) -> None:
    kind, summary = named("kind", game.kind), game.translate("summary", game.summary)
    caption = "" if language() == "en" else labelled(game.caption, "")
    rows = [f"{caption}{summary} ({kind})"]
    for label, choices in choices_of(game).items():
        if choices:
            every = (with_caption(label.removesuffix("s"), each.name) for each in choices)
            rows.append(labelled(named("list", label), ", ".join(every)))
    width = click.get_current_context().make_formatter().width
    for first, row in zip([game.name, *[""] * len(rows)], rows, strict=False):
        click.echo(click.wrap_text(row, width, f"{first:15}", " " * 15))


def with_caption(kind: str, name: str) -> str:
    """A name that can be typed, with its name in the language in use."""
    caption = named(kind, name)
    return name if caption == name else f"{name} ({caption})"


# ------------------------------------------------------------------ one game


def as_object(game: Game[Any, Any]) -> dict[str, Any]:
    """All that can be chosen for a game, explained."""

    def settings(place: str, offered: Iterable[Setting]) -> list[dict[str, Any]]:
        return [
            {
                "name": each.name,
                "type": each.type.__name__,
                "default": each.default,
                "choices": list(each.choices),
                "help": setting_help(game, place, each),
            }
            for each in offered
        ]

    lists = {
        label: [
            {"name": each.name, "help": each.help, "settings": settings("setting", each.settings)}
            for each in choices
        ]
        for label, choices in choices_of(game).items()
    }
    defaults = {
        f"default_{label.removesuffix('s')}": default_of(game, label) for label in lists if lists[label]
    }
    return {
        **heading(game),
        **lists,
        **defaults,
        "options": settings("option", game.options),
        "generator": settings("setting", game.generator.settings) if game.generator else None,
        "levels": len(game.all_levels()),
    }


def show_choices(game: Game[Any, Any]) -> None:
    """All that can be chosen for a game, laid out as the help of commands is."""
    context = click.get_current_context()
    formatter = context.make_formatter()

    def section(title: str, rows: list[tuple[str, str]]) -> None:
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)

    def flags(place: str, settings: Iterable[Setting]) -> list[tuple[str, str]]:
        explained = (replace(each, help=setting_help(game, place, each)) for each in settings)
        records = (as_option(each, OptionOfGame).get_help_record(context) for each in explained)
        return [record for record in records if record is not None]

    summary = game.translate("summary", game.summary)
    formatter.write_text(f"{game.caption} ({named('kind', game.kind)}): {summary}")
    for label, choices in choices_of(game).items():
        rows = []
        for each in choices:
            rows.append((each.name, each.help))
            rows += [(f"  {flag}", help) for flag, help in flags("setting", each.settings)]
        title = message(
            "cli.choices",
            list=named("list", label).capitalize(),
            flag=f"--{label.removesuffix('s')}",
            default=default_of(game, label) if choices else "",
        )
        section(title, rows)
    section(message("cli.options_of_rules"), flags("option", game.options))
    if game.generator is not None:
        title = message("cli.generator_settings", game=registry.command_name(game))
        section(title, flags("setting", game.generator.settings))
    if count := len(game.all_levels()):
        formatter.write_paragraph()
        formatter.write_text(message("cli.levels_of_game", n=count, game=registry.command_name(game)))
    click.echo(formatter.getvalue().rstrip("\n"))
