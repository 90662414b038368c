"""Common arguments and options: a game, positions, the fields of a question, many jobs."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import click

from ludion import registry
from ludion.engines.catalogue import ENGINES
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Game, Quest, Searched
from ludion.kinds.settings import Setting, read_pairs
from ludion.messages import message, translated
from ludion.questions import Question, Run, Search

Q = TypeVar("Q", Search, Run)
Command = Callable[..., Any]
GAME = "ludion.game"  # where a command's context keeps its game


ARGUMENTS = "ludion.arguments"  # where a command finds its own words, as they were typed


class OptionOfGame(click.Option):
    """An option of the game."""


class GameCommand(click.Command):
    """A command whose first argument is a game: a name, or a path to a game file (`mine.py`).

    The options of its rules (such as `--goal`) become options of the command.
    """

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        context.meta[ARGUMENTS] = tuple(arguments)
        self.params = [each for each in self.params if not isinstance(each, OptionOfGame)]
        game = find_game(arguments)
        if game is not None:
            context.meta[GAME] = game
            used_flags = {flag for each in self.params for flag in each.opts}
            owned: dict[str, tuple[Setting, list[str]]] = {}  # by flag: the setting, and whose it is
            for owner, setting in self.settings_of(game):
                owned.setdefault(setting.flag, (setting, []))[1].append(owner)
            everything = [("option", each, list[str]()) for each in game.options]
            for place, setting, owners in [*everything, *(("setting", *each) for each in owned.values())]:
                if setting.flag not in used_flags:
                    used_flags.add(setting.flag)
                    names = f" ({', '.join(dict.fromkeys(owners))})" if any(owners) else ""
                    help = setting_help(game, place, setting) + names
                    self.params.append(as_option(dataclasses.replace(setting, help=help), OptionOfGame))
        return super().parse_args(context, arguments)

    def settings_of(self, game: Game[Any, Any]) -> Iterable[tuple[str, Setting]]:
        """Further settings that become options of the command, with the name of the engine or agent that has them."""
        return ()


class EngineCommand(GameCommand):
    """A game command that asks an engine: the settings of all its engines are options, too."""

    def settings_of(self, game: Game[Any, Any]) -> Iterable[tuple[str, Setting]]:
        if isinstance(game, Searched):
            for name, engine in (*game.engines.items(), *ENGINES[game.kind].items()):
                yield from ((name, setting) for setting in engine.settings)


class AgentCommand(GameCommand):
    """A game command that lets an agent play: the settings of all its agents are options, too."""

    def settings_of(self, game: Game[Any, Any]) -> Iterable[tuple[str, Setting]]:
        if isinstance(game, Quest):
            for name, maker in game.agents.items():
                yield from ((name, setting) for setting in maker.settings)


class GeneratorCommand(GameCommand):
    """A game command that generates positions: the settings of the generator are options, too."""

    def settings_of(self, game: Game[Any, Any]) -> Iterable[tuple[str, Setting]]:
        return (("", setting) for setting in game.generator.settings) if game.generator is not None else ()


def find_game(arguments: list[str]) -> Game[Any, Any] | None:
    """The game named by the arguments of a command, or None; game files among them are loaded."""
    words = iter(arguments)
    named: Game[Any, Any] | None = None
    for word in words:
        if word == "--game-file":
            named = registry.load_game_file(next(words, ""))
        elif word.startswith("--game-file="):
            named = registry.load_game_file(word.partition("=")[2])
        elif not word.startswith("-"):
            known = word.endswith(".py") or word in registry.games()
            return registry.find(word) if known else named
    return named


def setting_help(game: Game[Any, Any], place: str, setting: Setting) -> str:
    """The help of an option of the rules (`place` is option) or of a setting, in the language in use."""
    shared = (
        translated(f"engines.setting.{setting.name}", setting.help) if place == "setting" else setting.help
    )
    return game.translate(f"{place}.{setting.name}", shared)


def as_option(setting: Setting, kind: type[click.Option] = click.Option, **more: Any) -> click.Option:
    """A setting as an option of a command; its value is read by the setting itself. `--weak` alone means yes."""
    choices = f" [{'|'.join(setting.choices)}]" if setting.choices else ""
    value = setting.write(setting.default)
    shown_default = message("cli.default", value=value) if kind is OptionOfGame else f"[default: {value}]"
    default = f" {shown_default}" if setting.default not in (None, "", False) else ""
    more.setdefault("metavar", METAVARS_OF_TYPES[setting.type])
    if setting.type is bool:
        more |= {"is_flag": False, "flag_value": "yes"}
    return kind([setting.flag, setting.name], help=f"{_sentence(setting.help)}{choices}{default}", **more)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


METAVARS_OF_TYPES: dict[type, str | None] = {bool: "yes|no", int: "N", float: "X", str: None}
METAVARS = {
    "engine": "E",
    "heuristic": "H",
    "evaluation": "H",
    "time": "S",
    "nodes": "N",
    "depth": "D",
    "memory": "MB",
    "agent": "A",
    "patience": "S",
    "budget": "S",
}


def question_options(
    kind: type[Question], *, leave_out: tuple[str, ...] = ()
) -> Callable[[Command], Command]:
    """The fields of a question as options, and `--set NAME=VALUE` for settings of the engine or agent."""

    def add(function: Command) -> Command:
        settings = click.Option(
            ["--set", "set_pairs"],
            multiple=True,
            metavar="NAME=VALUE",
            help="A setting of the engine or agent.",
        )
        options = [
            as_option(each, metavar=METAVARS.get(each.name, METAVARS_OF_TYPES[each.type]))
            for each in kind.fields_as_text
            if each.name not in leave_out
        ]
        for option in reversed([*options, settings]):
            _add(function, option)
        return function

    return add


def _add(function: Command, option: click.Option) -> None:
    """Do what click.option does, with an option that already exists."""
    function.__dict__.setdefault("__click_params__", []).append(option)


def read_question(kind: type[Q], game: str, text: str, values: dict[str, Any], **fixed: object) -> Q:
    """Build the question from the values of a command's options; `fixed` are the other fields."""
    given = {name: value for name, value in values.items() if value is not None}
    pairs = read_pairs(given.pop("set_pairs", ()))
    description = registry.find(game)
    fields = {setting.name for setting in kind.fields_as_text}
    rules = {setting.name for setting in description.options}
    parameters = {name: value for name, value in given.items() if name in fields}
    options = {name: value for name, value in given.items() if name in rules and name not in fields}
    settings = {name: value for name, value in given.items() if name not in rules and name not in fields}
    return kind.from_parameters(game, text, {**parameters, **fixed}, options, {**settings, **pairs})


def rule_options(game: Game[Any, Any], values: dict[str, Any]) -> dict[str, str]:
    """The options of the rules among the values of a command's options."""
    names = {setting.name for setting in game.options}
    return {name: value for name, value in values.items() if name in names and value is not None}


def game_file_option(function: Command) -> Command:
    return click.option(
        "--game-file",
        multiple=True,
        metavar="F",
        expose_value=False,
        help="A Python file with a game of your own.",
    )(function)


def json_option(text: str = "One object per line.") -> Callable[[Command], Command]:
    return click.option("--json", "as_json", is_flag=True, help=text)


def batch_options(function: Command) -> Command:
    """`--jobs`, `--cluster` and `--out`, for many jobs."""
    for option in (
        click.option(
            "--out",
            metavar="FILE",
            help="Save results to this file as JSON lines; a stopped run continues from it.",
        ),
        cluster_option,
        jobs_option,
    ):
        function = option(function)
    return function


jobs_option = click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Number of jobs in parallel."
)
cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Address of the Dask scheduler that runs the work: tcp://HOST:PORT."
)


def read_positions(words: tuple[str, ...], file: str | None) -> Iterator[tuple[int, str]]:
    """The positions that are named, numbered from 1: the words, `-` for standard input, or the lines of a file.

    Empty lines and lines that begin with `# ` are left out.
    """
    if file is not None:
        if words:
            raise LudionError(message("cli.positions_or_file"))
        lines = sys.stdin if file == "-" else Path(file).open(encoding="utf-8", errors="replace")  # noqa: SIM115
    elif words == ("-",):
        lines = sys.stdin
    else:
        yield from enumerate(words or ("",), 1)
        return
    with lines:
        for index, line in enumerate(lines, 1):
            text = line.strip()
            if text and text != "#" and not text.startswith("# "):
                yield index, text


def whole_text(game: Game[Any, Any], word: str) -> str:
    """The text of one position: `-` is standard input; a quest's may be the name of a file."""
    return world_text(word)[0] if isinstance(game, Quest) or word == "-" else word


def world_text(word: str) -> tuple[str, str]:
    """The text of a world and what to call it: a file's content and name, standard input, or the word itself."""
    if word == "-":
        text, name = sys.stdin.read(), ""
    elif word and len(word) < 1000 and "\n" not in word and Path(word).is_file():
        text, name = Path(word).read_text(encoding="utf-8", errors="replace"), Path(word).name
    else:
        return word, ""
    if not text.strip():
        raise LudionError(message("cli.empty_file", name=word))
    return text, name


def not_for_quests(game: Game[Any, Any], command: str) -> None:
    if isinstance(game, Quest):
        raise UnfitError(
            message(
                "cli.not_for_quests", game=game.caption, name=registry.command_name(game), command=command
            )
        )


def names(text: str | None) -> list[str]:
    """`a,b` as a list."""
    return [word.strip() for word in (text or "").split(",") if word.strip()]
