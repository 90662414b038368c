"""`ludion uhp` and `ludion uhp-check`: Hive over the Universal Hive Protocol."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import click

from ludion.games.hive.game import GAME
from ludion.messages import message


def uhp() -> click.Command:
    """The command that speaks the protocol."""
    return uhp_command


def uhp_check() -> click.Command:
    """The command that compares another engine's moves with ours."""
    return uhp_check_command


@click.command("uhp")
def uhp_command() -> None:
    """Speak the Universal Hive Protocol.

    On standard input and output; Hive with all expansions.
    """
    from ludion.games.hive.uhp import LONGEST_LINE, serve

    def lines() -> Iterator[str]:
        while raw := sys.stdin.buffer.readline(4 * LONGEST_LINE):
            line = raw
            while not line.endswith(b"\n") and (line := sys.stdin.buffer.readline(4 * LONGEST_LINE)):
                raw = raw[: 2 * LONGEST_LINE]  # far too long already: refuse it whole
            yield raw.decode("utf-8", "replace").rstrip("\r\n")

    def say(text: str) -> None:
        click.echo(text)
        sys.stdout.flush()

    serve(lines(), say)


@click.command("uhp-check", context_settings={"ignore_unknown_options": True})
@click.argument("engine", nargs=-1, required=True, metavar="COMMAND...")
@click.option("--games", default=16, show_default=True, help="Number of random games.")
@click.option("--plies", default=60, show_default=True, help="Plies per game.")
@click.option("--seed", default=1, show_default=True, help="Seed of the random games.")
@click.option(
    "--type", "kinds", multiple=True, help="Only games of this type (Base+M, ...); may be repeated."
)
@click.option("--patience", default=30.0, show_default=True, help="Seconds to wait for an answer.")
@click.option(
    "--json", "as_json", is_flag=True, help="One JSON object per difference, then one with the totals."
)
def uhp_check_command(
    engine: tuple[str, ...],
    games: int,
    plies: int,
    seed: int,
    kinds: tuple[str, ...],
    patience: float,
    as_json: bool,
) -> int:
    """Compare the moves of another UHP engine with ours.

    COMMAND starts it. On our positions and in random games, print where its legal moves differ. Exit code 0 if
    there is no difference, 1 if there is one.
    """
    from ludion.games.hive.notation import TYPES, read, write_type
    from ludion.games.hive.uhp_check import check
    from ludion.games.hive.uhp_client import External

    types = [write_type(read(kind)[0]) for kind in kinds] or list(TYPES)
    positions = [level.position for level in GAME.all_levels() if level.position.split(";")[0] in types]
    differences = compared = 0
    with External(engine if len(engine) > 1 else engine[0], patience) as other:
        if not as_json:
            click.echo(message("hive.comparing", engine=other.name), err=True)
        for number, difference in check(other, positions, games, plies, seed, types):
            compared = number
            if difference is None:
                continue
            differences += 1
            click.echo(json.dumps(vars(difference)) if as_json else str(difference))
        name = other.name
    if as_json:
        click.echo(json.dumps({"engine": name, "positions": compared, "differences": differences}))
    else:
        click.echo(message("hive.compared", engine=name, n=compared, differences=differences))
    return 1 if differences else 0
