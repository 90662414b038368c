"""Output of commands: JSON lines, progress on stderr, results from which a stopped run continues."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click

from ludion.core import tiers
from ludion.engines.budget import Observer, Progress
from ludion.errors import LudionError
from ludion.messages import labelled, message

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.status import Status
    from rich.text import Text

    from ludion.positions import Position


def show_json(value: object) -> None:
    """One JSON object on a line."""
    click.echo(json.dumps(value, ensure_ascii=False, default=str))


def announce_compiling() -> None:
    """Say on stderr when something is being compiled, once."""

    at_once, meanwhile = (
        message("cli.compiling"),
        message("cli.compiling_in_background"),
    )  # said by any thread

    def announce(kernels: list[str]) -> None:
        if kernels:
            tiers.listeners.remove(announce)
            click.echo(at_once if tiers.state.tier == tiers.COMPILED else meanwhile, err=True)

    tiers.listeners.append(announce)


class TerminalTools:
    """Services of the command line for a game's own commands."""

    def show_json(self, value: object) -> None:
        show_json(value)

    def announce_compiling(self) -> None:
        announce_compiling()

    def run_jobs(
        self,
        work: Callable[[Any], Any],
        items: Iterable[Any],
        *,
        jobs: int = 1,
        cluster: str | None = None,
    ) -> Iterator[Any]:
        from ludion.batch import run_jobs

        return run_jobs(work, items, jobs=jobs, cluster=cluster)


MOST_HISTORY = 10  # values of a running search that are shown


class ShownSearch(Observer):
    """Shows a running search on stderr, if that is a terminal: its cost, the best line so far, and how its value or
    bound has changed. Use it as a context."""

    def __init__(self, start: Position | None = None) -> None:
        super().__init__()
        self.start = start  # the position, for the names of moves
        self.shown: Status | None = None
        self.history: list[tuple[int, int]] = []  # depth, and the best value or bound at it

    def progress(self, progress: Progress) -> None:
        if progress.best is not None and [progress.best] != [value for _, value in self.history[-1:]]:
            self.history.append((progress.depth, progress.best))
        if progress.seconds < 0.5 or not sys.stderr.isatty():
            return
        if self.shown is None:
            from rich.console import Console

            self.shown = Console(stderr=True).status("")
            self.shown.start()
        self.shown.update(self.text(progress))

    def text(self, progress: Progress) -> Text:
        """The display: one line each for the cost, the best line and the history."""
        from rich.text import Text

        from ludion.asking import line_names

        lines = [f"{progress}  ({message('cli.ctrl_c')})"]
        if progress.line and self.start is not None:
            lines.append(labelled(message("cli.best_line"), " ".join(line_names(self.start, progress.line))))
        if len(self.history) > 1:
            values = [f"{depth}: {value}" for depth, value in self.history[-MOST_HISTORY:]]
            lines.append(labelled(message("cli.history"), ", ".join(values)))
        return Text("\n  ".join(lines))

    def __enter__(self) -> ShownSearch:
        return self

    def __exit__(self, *error: object) -> None:
        if self.shown is not None:
            self.shown.stop()
            self.shown = None


class ShownCount:
    """The number of finished jobs, on stderr, if that is a terminal. Use it as a context."""

    def __init__(self, noun: str, total: int | None = None, wanted: bool = True) -> None:
        self.noun, self.total = noun, total
        self.bar: Bar | None = None
        self.wanted = wanted and sys.stderr.isatty()

    def __enter__(self) -> ShownCount:
        if self.wanted:
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
            from rich.progress import Progress as Bar

            columns = [TextColumn(self.noun), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()]
            self.bar = Bar(*columns, console=Console(stderr=True), transient=True)
            self.bar.add_task("", total=self.total)
            self.bar.start()
        return self

    def show(self, count: int) -> None:
        if self.bar is not None:
            self.bar.update(self.bar.task_ids[0], completed=count)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()


def resumable(
    work: Callable[[Any], Any], items: list[Any], *, jobs: int, cluster: str | None, out: str | None
) -> Iterator[tuple[dict[str, Any], bool]]:
    """The results (JSON objects) of all items, and whether each is new or was already in `out`."""
    from ludion.batch import PROCESSES, run_jobs
    from ludion.records.resumable import ResumableJsonl

    if out is None:
        for result in run_jobs(work, items, jobs=jobs, by=PROCESSES, cluster=cluster):
            yield result, True
        return
    with ResumableJsonl(out, {"items": len(items), "work": digest(items)}) as lines:
        yield from ((result, False) for result in lines.done)
        if lines.done:
            click.echo(message("cli.kept_already", done=len(lines.done), all=len(items), file=out), err=True)
        rest = items[len(lines.done) :]
        try:
            for result in run_jobs(work, rest, jobs=jobs, by=PROCESSES, cluster=cluster):
                lines.write(result)
                yield result, True
        except KeyboardInterrupt:
            lines.flush()
            written = len(lines.done) + lines.written
            click.echo(message("cli.stopped_kept", done=written, all=len(items), file=out), err=True)
            raise


def digest(value: object) -> str:
    """A short hash of a value, equal for equal values."""
    return hashlib.sha256(repr(value).encode()).hexdigest()[:16]


def save(file: str, text: str) -> None:
    """Write a text to a file that the user named, whole or not at all."""
    try:
        with click.open_file(file, "w", encoding="utf-8", atomic=True) as out:
            out.write(text)
    except OSError as error:
        raise LudionError(message("batch.cannot_write", file=file, reason=error.strerror)) from None
