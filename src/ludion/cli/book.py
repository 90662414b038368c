"""`ludion book`: build and look at opening books."""

from __future__ import annotations

import functools
import sys
import time
from pathlib import Path
from typing import Any

import click

from ludion.cli import NO_ANSWER
from ludion.cli._shared import announce, dump, make_budget
from ludion.errors import UnfitError


@click.command()
@click.argument("game")
@click.argument("action", type=click.Choice(["build", "info"]))
@click.option(
    "--plies", type=click.IntRange(0, 12), help="Build all positions with so many stones, and with fewer."
)
@click.option("--size", default="7x6", show_default=True, metavar="WxH", help="The board.")
@click.option("--out", metavar="F", help="The book's file (default: the one that comes with the game).")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Threads that share a table."
)
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler to work on: tcp://HOST:PORT.")
@click.option(
    "--memory",
    type=float,
    metavar="MB",
    help="Megabytes of table for each process, at most (default 268).",
)
@click.option("--time", "seconds", type=float, metavar="S", help="Seconds, at most; what is done is kept.")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def command(
    game: str,
    action: str,
    plies: int | None,
    size: str,
    out: str | None,
    jobs: int,
    cluster: str | None,
    memory: float | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Build an opening book with the solver, or tell what is in one. Goes on from what is there."""
    if game != "connect-four":
        raise UnfitError(f"{game} has no opening book; connect-four has one")
    if action == "build" and plies is None:
        raise click.UsageError("say how many plies: --plies N")
    budget = make_budget(seconds, None, None, memory)
    from ludion.batch import carry_out
    from ludion.games.connect_four import book
    from ludion.games.connect_four.notation import read

    rules, start = read(size if ":" in size else f"{size}:")
    if start.mask:
        raise click.UsageError("--size names a board, not a position")
    path = Path(out) if out else book.SHIPPED / book.file_name(rules)
    complete = True
    if action == "build":
        announce()
        assert plies is not None
        shown = _Shown()
        try:
            complete = book.build(
                rules,
                plies,
                path,
                carry_out=functools.partial(carry_out, jobs=jobs, cluster=cluster),
                memory=budget.memory if memory is not None else book.TABLE_MEMORY,
                seconds=seconds,
                report=shown.report,
            )
        except KeyboardInterrupt:
            complete = False
        finally:
            shown.close()
    told = book.summary(rules, path)
    if as_json:
        dump({"game": game, "book": str(path), "complete": complete, **told})
    else:
        click.echo(f"{path}: {told['entries']:,} positions, {told['bytes']:,} bytes")
        for ply, (have, of) in told["plies"].items():
            click.echo(f"  ply {ply}: {have:,} of {of:,}" + ("" if have == of else "  (to be continued)"))
    return 0 if complete else NO_ANSWER


class _Shown:
    """Progress on stderr: a bar in a terminal, else a line each half minute."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.task: Any = None
        self.ply = -1
        self.told = time.monotonic()

    def report(self, progress: Any) -> None:
        if sys.stderr.isatty():
            self._draw(progress)
        elif time.monotonic() - self.told > 30:
            self.told = time.monotonic()
            click.echo(
                f"ply {progress.ply}: {progress.done:,} of {progress.total:,}, {progress.nodes:,} nodes, "
                f"{progress.seconds:.0f} s",
                err=True,
            )

    def _draw(self, progress: Any) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        if self.bar is None:
            columns = (
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
            )
            self.bar = Progress(*columns, console=Console(stderr=True))
            self.bar.start()
        if progress.ply != self.ply:
            self.ply = progress.ply
            self.task = self.bar.add_task(f"ply {progress.ply}", total=progress.total)
        self.bar.update(self.task, completed=progress.done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
