"""`ludion bench`: run the benchmarks of a source checkout, or measure the engines on a game file."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from ludion import registry
from ludion.core import tiers
from ludion.engines.budget import Budget
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Game
from ludion.messages import message
from ludion.questions import Search, engines_of, searched
from ludion.tables import Cell, Table

SECONDS = 2.0  # of each engine on each position of a game file
MOST_LEVELS = 5


def speeds(game: Game[Any, Any], seconds: float) -> Table:
    """What each engine does with the start and some levels of a game within this time, compiled."""
    game = searched(game)
    levels = [f"level:{level.name}" for level in game.all_levels()[:MOST_LEVELS]]
    rows: list[tuple[Cell, ...]] = []
    for text in ["", *levels]:
        for engine in engines_of(game):
            question = Search(game.name, text, files=registry.files_of(game.name), engine=engine)
            with tiers.use(tiers.COMPILED):
                try:
                    dataclasses.replace(question, budget=Budget(nodes=100)).answer()  # compile, and load
                except UnfitError:
                    continue
                answer = dataclasses.replace(question, budget=Budget(seconds=seconds)).answer()
            speed = answer.nodes / answer.seconds if answer.seconds else None
            name = text.removeprefix("level:") or "start"
            rows.append((name, engine, answer.status, answer.nodes, round(1000 * answer.seconds, 3), speed))
    return Table(game.caption, ("level", "engine", "status", "nodes", "ms", "nodes/s"), rows)


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--quick", is_flag=True, help="Smaller instances, where a benchmark has them.")
@click.option(
    "--install-peers", is_flag=True, help="First install what pip has of the peers, apart from ludion."
)
def command(names: tuple[str, ...], quick: bool, install_peers: bool) -> int:
    """Measure ludion and its peers on the same instances (all benchmarks, or those named); with the path of a game
    file, its engines on its start and levels."""
    files = [name for name in names if name.endswith(".py")]
    for file in files:
        click.echo(speeds(registry.find(file), 0.5 if quick else SECONDS).as_text())
    names = tuple(name for name in names if name not in files)
    if files and not names:
        return 0
    for root in (Path.cwd(), Path(__file__).parents[3]):
        if (root / "benchmarks" / "__main__.py").is_file():
            break
    else:
        raise LudionError(message("cli.no_benchmarks"))
    flags = [*(["--quick"] if quick else []), *(["--install-peers"] if install_peers else [])]
    return subprocess.call([sys.executable, "-m", "benchmarks", *names, *flags], cwd=root)
