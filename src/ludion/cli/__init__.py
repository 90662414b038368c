"""The command line: one module per command, found by its file name (`warm_up.py` is `ludion warm-up`).

Games bring commands of their own (`Game.commands`). Exit codes: 0 answered, 1 no answer (unsolvable, limit), 2 bad
input (one line on stderr says what and where), 130 stopped.
"""

from __future__ import annotations

import difflib
import importlib
import os
import pkgutil
import sys
import traceback
import warnings
from typing import Any, TextIO

import click

from ludion import messages
from ludion.cli._language import localised, usage_error
from ludion.errors import LudionError
from ludion.messages import message

VERBOSE = "--verbose"  # with any command: the whole traceback of an error
LANG = "--lang"  # with any command: en or fr; else what the environment says
NO_ANSWER, BAD_INPUT, STOPPED = 1, 2, 130


class Commands(click.Group):
    """All modules of this package and the games' own commands, each imported on first use."""

    def list_commands(self, context: click.Context) -> list[str]:
        from ludion import registry

        own = [name for game in registry.installed().values() for name in game.commands]
        return sorted([*self._modules(), *own])

    def _modules(self) -> list[str]:
        names = [module.name for module in pkgutil.iter_modules(__path__)]
        return [name.replace("_", "-") for name in names if not name.startswith("_")]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name in self._modules():
            command: click.Command = importlib.import_module(f"ludion.cli.{name.replace('-', '_')}").command
            if context.resilient_parsing:  # the shell asks what could come next
                from ludion.cli._completion import completing

                return completing(command)
            return localised(command, name)
        from ludion import registry

        for game in registry.installed().values():
            if name in game.commands:
                return localised(game.commands[name](), name)
        return None

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, arguments)
        except click.UsageError:
            near = difflib.get_close_matches(arguments[0], self.list_commands(context), n=1)
            hint = message("errors.did_you_mean", name=near[0]) if near else message("cli.help_lists")
            raise click.UsageError(message("cli.no_command", name=arguments[0], hint=hint), context) from None

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands and the games before the options, which are few."""
        from ludion.cli._overview import write_overview

        write_overview(self, context, formatter)
        click.Command.format_options(self, context, formatter)
        formatter.write(f"\n{message('cli.overview_end')}\n")


def _version(context: click.Context, option: click.Parameter, asked: bool) -> None:
    if asked and not context.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"ludion {version('ludion')}")
        context.exit()


@click.command(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
)
@click.option(LANG, expose_value=False, metavar="en|fr", help="Language of the output.")
@click.pass_context
def ludion(context: click.Context) -> None:
    """Rules written once in plain Python, searched at machine speed, with a view of how the search thinks."""
    from ludion.cli._output import TerminalTools

    context.obj = TerminalTools()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main(arguments: list[str] | None = None) -> None:
    """The entry point: run a command, and turn a user's mistake into one line and exit code 2."""
    arguments = sys.argv[1:] if arguments is None else arguments
    verbose = VERBOSE in arguments
    warnings.showwarning = _warn
    try:
        rest, language = without_language([word for word in arguments if word != VERBOSE])
        messages.use(language or messages.preferred(os.environ))
        localised(ludion, "ludion")
        code: Any = ludion.main(args=rest, prog_name="ludion", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        _complain(usage_error(error))
    except (click.Abort, KeyboardInterrupt):
        sys.exit(STOPPED)
    except LudionError as error:
        if verbose:
            traceback.print_exception(error)
        _complain(str(error))
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _complain(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))
    except Exception as error:
        sentence = None if verbose else _in_users_file(error)
        if sentence is None:
            raise
        _complain(sentence)


def without_language(arguments: list[str]) -> tuple[list[str], str]:
    """The arguments without `--lang NAME`, and the name; it is known before any command is read."""
    rest: list[str] = []
    language = ""
    words = iter(arguments)
    for word in words:
        if word == "--":
            return [*rest, word, *words], language
        if word == LANG or word.startswith(f"{LANG}="):
            language = word.partition("=")[2] or next(words, "")
            if language not in messages.LANGUAGES:
                raise LudionError(message("cli.unknown_language", name=language))
        else:
            rest.append(word)
    return rest, language


def _in_users_file(error: Exception) -> str | None:
    """The error of a game file in one line; None if it arose elsewhere."""
    from ludion.engines.trial import explain

    problem = explain(error, None)
    return None if problem is None else str(problem)


def _warn(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """A warning in one line: where in our code it was given is of no use to users."""
    click.echo(f"ludion: {message}", err=True)


def _complain(sentence: str) -> None:
    click.echo(f"ludion: {' '.join(sentence.split())}", err=True)
    sys.exit(BAD_INPUT)
