"""`ludion book`: build and look at opening books."""

from __future__ import annotations

import functools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludion.engines.budget import MEGABYTE, Budget
from ludion.errors import UnfitError
from ludion.kinds.games import Tools
from ludion.messages import decimal, message

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from ludion.games.connect_four.book import BookProgress

NO_ANSWER = 1


def book() -> click.Command:
    """The command."""
    return command


@click.command("book")
@click.argument("game")
@click.argument("action", type=click.Choice(["build", "info"]))
@click.option(
    "--plies", type=click.IntRange(0, 12), help="Build all positions with at most this many stones."
)
@click.option(
    "--replies",
    is_flag=True,
    help="Instead, for each position with that many stones in the book, add the one after a best move.",
)
@click.option("--size", default="7x6", show_default=True, metavar="WxH", help="The size of the board.")
@click.option("--out", metavar="F", help="The book's file (default: the one that comes with the game).")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Threads that share a table."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Address of the Dask scheduler that runs the work: tcp://HOST:PORT."
)
@click.option(
    "--memory",
    type=float,
    metavar="MB",
    help="Maximum size of each process's table in megabytes (default 4.2).",
)
@click.option(
    "--time", "seconds", type=float, metavar="S", help="Maximum seconds; finished positions are saved."
)
@click.option("--json", "as_json", is_flag=True, help="One object.")
@click.pass_obj
def command(
    tools: Tools,
    game: str,
    action: str,
    plies: int | None,
    replies: bool,
    size: str,
    out: str | None,
    jobs: int,
    cluster: str | None,
    memory: float | None,
    seconds: float | None,
    as_json: bool,
) -> int:
    """Build an opening book with the solver, or describe one.

    It continues from what is in the file already.
    """
    from ludion.games.connect_four import book as books
    from ludion.games.connect_four.notation import read

    if game != "connect-four":
        raise UnfitError(message("connect_four.book_of_other_game", game=game))
    if action == "build" and plies is None:
        raise click.UsageError(message("connect_four.book_plies_missing"))
    budget = Budget(
        seconds=seconds, memory=books.TABLE_MEMORY if memory is None else round(memory * MEGABYTE) or -1
    )
    rules, start = read(size if ":" in size else f"{size}:")
    if start.mask:
        raise click.UsageError(message("connect_four.book_size_is_a_position"))
    path = Path(out) if out else books.SHIPPED / books.file_name(rules)
    complete = True
    if action == "build":
        tools.announce_compiling()
        assert plies is not None
        shown = ShownBuild()
        try:
            building = books.BookBuild(
                rules,
                path,
                run_jobs=functools.partial(tools.run_jobs, jobs=jobs, cluster=cluster),
                memory=budget.memory,
                seconds=seconds,
                report=shown.report,
            )
            complete = building.add_replies(plies) if replies else building.add_positions(plies)
        except KeyboardInterrupt:
            complete = False
        finally:
            shown.close()
    summary = books.summary(rules, path)
    if as_json:
        tools.show_json({"game": game, "book": str(path), "complete": complete, **summary})
    else:
        sizes = {"positions": decimal(summary["entries"], 0), "bytes": decimal(summary["bytes"], 0)}
        click.echo(message("connect_four.book_summary", file=path, **sizes))
        for ply, (have, count) in summary["plies"].items():
            more = "" if have == count else message("connect_four.book_incomplete")
            click.echo(f"  {share_of_ply(ply, have, count)}{more}")
    return 0 if complete else NO_ANSWER


def share_of_ply(ply: int, done: int, count: int) -> str:
    """How many positions of a ply are in the book."""
    return message("connect_four.book_share", ply=ply, done=decimal(done, 0), all=decimal(count, 0))


class ShownBuild:
    """Progress on stderr: a bar in a terminal, else a line each half minute."""

    def __init__(self) -> None:
        self.bar: Progress | None = None
        self.task: TaskID | None = None
        self.ply = -1
        self.last_line = time.monotonic()

    def report(self, progress: BookProgress) -> None:
        if sys.stderr.isatty():
            self._draw(progress)
        elif time.monotonic() - self.last_line > 30:
            self.last_line = time.monotonic()
            share = share_of_ply(progress.ply, progress.done, progress.total)
            nodes = message("answers.nodes", n=progress.nodes, nodes=decimal(progress.nodes, 0))
            click.echo(f"{share}, {nodes}, {progress.seconds:.0f} s", err=True)

    def _draw(self, progress: BookProgress) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        if self.bar is None:
            text = TextColumn("{task.description}")
            columns = (text, BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            self.bar = Progress(*columns, console=Console(stderr=True))
            self.bar.start()
        if progress.ply != self.ply or self.task is None:
            self.ply = progress.ply
            self.task = self.bar.add_task(
                message("connect_four.book_ply", ply=progress.ply), total=progress.total
            )
        self.bar.update(self.task, completed=progress.done)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()
