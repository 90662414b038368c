"""The command line: one module a command, found by its file name (`warm_up.py` is `ludion warm-up`).

Exit codes: 0 answered, 1 no answer (unsolvable, limit), 2 bad input (one line on stderr says what and where).
"""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys
from typing import Any

import click

from ludion.errors import LudionError

NO_ANSWER, BAD_INPUT, INTERRUPTED = 1, 2, 130


class Commands(click.Group):
    """All modules of this package, each imported only when it is asked for."""

    def list_commands(self, context: click.Context) -> list[str]:
        return [
            module.name.replace("_", "-")
            for module in pkgutil.iter_modules(__path__)
            if not module.name.startswith("_")
        ]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in self.list_commands(context):
            return None
        found: click.Command = importlib.import_module(f"ludion.cli.{name.replace('-', '_')}").command
        return found


def _version(context: click.Context, option: Any, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from importlib.metadata import version

        click.echo(f"ludion {version('ludion')}")
        context.exit()


@click.command(
    cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110}
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version."
)
def ludion() -> None:
    """Rules written once in plain Python, searched at machine speed, with a view of how the search thinks."""


def main(arguments: list[str] | None = None) -> None:
    """The entry point: run a command, and turn a user's mistake into one line and exit code 2."""
    try:
        code = ludion.main(args=arguments, prog_name="ludion", standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.ClickException as error:
        _complain(error.format_message())
    except click.Abort:
        sys.exit(INTERRUPTED)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except LudionError as error:
        _complain(str(error))
    except BrokenPipeError:  # the reader went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        _complain(f"{error.strerror or error}: {error.filename}" if error.filename else str(error))


def _complain(message: str) -> None:
    click.echo(f"ludion: {' '.join(message.split())}", err=True)
    sys.exit(BAD_INPUT)
