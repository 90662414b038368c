"""`ludion bench`: run the benchmarks of a source checkout, or measure the engines or agents on a game file."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ludion import registry
from ludion.asking import engines_of, searched
from ludion.core import tiers
from ludion.engines.budget import Budget
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.games import Game, Quest
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.tables import Cell, Table

SECONDS = 2.0  # of each engine on each position of a game file
MOST_LEVELS = 5


def speeds(game: Game[Any, Any], seconds: float) -> Table:
    """The results of each engine on the start and some levels of a game within this time, compiled."""
    game = searched(game)
    rows: list[tuple[Cell, ...]] = []
    for text in places(game):
        for engine in engines_of(game):
            question = Search(game.name, text, files=registry.files_of(game.name), engine=engine)
            with tiers.use(tiers.COMPILED):
                try:
                    dataclasses.replace(question, budget=Budget(nodes=100)).answer()  # compile, and load
                except UnfitError:
                    continue
                answer = dataclasses.replace(question, budget=Budget(seconds=seconds)).answer()
            speed = answer.nodes / answer.seconds if answer.seconds else None
            rows.append((
                shown_name(text), engine, answer.status, answer.nodes, round(1000 * answer.seconds, 3), speed,
            ))  # fmt: skip
    return Table(game.caption, ("level", "engine", "status", "nodes", "ms", "nodes/s"), rows)


def decisions(game: Quest[Any, Any], seconds: float) -> Table:
    """The results of each agent of a quest on its start and some levels, seed after seed for this time."""
    rows: list[tuple[Cell, ...]] = []
    for text in places(game):
        for agent, maker in game.agents.items():
            if maker.argument:  # it needs a file or a program of the user's
                continue
            question = Run(game.name, text, files=registry.files_of(game.name), agent=agent)
            records: list[Mapping[str, Any]] = []
            until = time.monotonic() + seconds
            while not records or (time.monotonic() < until and game.seeded):
                records.append(dataclasses.replace(question, seed=len(records)).record())
            games, steps = len(records), sum(record["length"] for record in records)
            thinking = sum(record["seconds"] for record in records)
            won = sum(record["status"] == "won" for record in records)
            slowest = round(1000 * max(record["slowest"] for record in records), 3)
            speed = steps / thinking if thinking else None
            rows.append((shown_name(text), agent, games, won, steps / games, slowest, speed))
    columns = ("level", "agent", "games", "won", "steps", "slowest ms", "decisions/s")
    return Table(game.caption, columns, rows)


def places(game: Game[Any, Any]) -> list[str]:
    """The texts of the start, if there is one, and of the first levels."""
    levels = [f"level:{level.name}" for level in game.all_levels()[:MOST_LEVELS]]
    return ["", *levels] if game.start or not levels else levels


def shown_name(text: str) -> str:
    return text.removeprefix("level:") or "start"


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--quick", is_flag=True, help="Use smaller instances where a benchmark has them.")
@click.option(
    "--install-peers", is_flag=True, help="First install, separately from ludion, the peers that pip has."
)
def command(names: tuple[str, ...], quick: bool, install_peers: bool) -> int:
    """Measure ludion beside other programs.

    All benchmarks, or those named; with the path of a game file, its engines or agents on its start and levels.
    """
    files = [name for name in names if name.endswith(".py")]
    for file in files:
        game, seconds = registry.find(file), 0.5 if quick else SECONDS
        table = decisions(game, seconds) if isinstance(game, Quest) else speeds(game, seconds)
        click.echo(table.as_text())
    names = tuple(name for name in names if name not in files)
    if files and not names:
        return 0
    for root in (Path.cwd(), Path(__file__).parents[3]):
        if (root / "benchmarks" / "__main__.py").is_file():
            break
    else:
        raise LudionError(message("cli.no_benchmarks"))
    known = [
        file.stem
        for file in sorted((root / "benchmarks").glob("[a-z]*.py"))
        if "PARTS = " in file.read_text()
    ]
    for name in names:
        if name.partition("/")[0] not in known:
            raise unknown("cli.benchmark", name, known)
    flags = [*(["--quick"] if quick else []), *(["--install-peers"] if install_peers else [])]
    return subprocess.call([sys.executable, "-m", "benchmarks", *names, *flags], cwd=root)
