"""Completion in the shell (Tab): games, levels, engines and other names.

eval "$(_LUDION_COMPLETE=bash_source ludion)"        # in ~/.bashrc; zsh_source and fish_source for the others
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import click
from click.shell_completion import CompletionItem

from ludion import registry
from ludion.asking import BEST, engines_of
from ludion.cli._options import GAME
from ludion.kinds.games import Duel, Game, Puzzle, Quest, Searched

FILE = "file"  # the shell completes paths itself
AnyGame = Game[Any, Any]


def engines(game: AnyGame) -> Iterable[str]:
    return [*engines_of(game), BEST] if isinstance(game, Searched) else ()


# By the name of a parameter: what it may be in a game.
NAMES: dict[str, Callable[[AnyGame], Iterable[str]]] = {
    "engine": engines,
    "engines": engines,
    "heuristic": lambda game: game.heuristics if isinstance(game, Puzzle) else (),
    "evaluation": lambda game: game.evaluations if isinstance(game, Duel) else (),
    "agent": lambda game: game.agents if isinstance(game, Quest) else (),
    "position": lambda game: [f"level:{level.name}" for level in game.all_levels()],
    "first": lambda game: [*engines(game), "random"],
}
NAMES["positions"] = NAMES["levels"] = NAMES["position"]
NAMES["second"] = NAMES["players"] = NAMES["first"]
GAMES = ("game", "names", "games")


class GameName(click.ParamType):  # type: ignore[type-arg]
    """The name of a game, or the path of a game file."""

    name = "text"

    def shell_complete(
        self, context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        games = registry.games()
        names = [name for name in sorted(games) if name.startswith(incomplete)]
        items = [CompletionItem(name, help=games[name].summary) for name in names]
        return items or [CompletionItem(incomplete, type=FILE)]


class NameInGame(click.ParamType):  # type: ignore[type-arg]
    """A name that the game of the command knows."""

    name = "text"

    def shell_complete(
        self, context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        game = context.meta.get(GAME)
        if game is None:
            return []
        head, comma, last = (
            incomplete.rpartition(",") if parameter.name == "engines" else ("", "", incomplete)
        )
        names = NAMES[str(parameter.name)](game)
        return [CompletionItem(head + comma + name) for name in names if name.startswith(last)]


def completing(command: click.Command) -> click.Command:
    """The command, whose parameters the shell can complete."""
    for each in command.params:
        if each.type is click.STRING and each.name in GAMES:
            each.type = GameName()
        elif each.type is click.STRING and each.name in NAMES:
            each.type = NameInGame()
    return command
