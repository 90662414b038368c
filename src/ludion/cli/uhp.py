"""`ludion uhp`: Hive over the Universal Hive Protocol, for viewers and tournaments."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click


@click.command("uhp")
def command() -> None:
    """Speak the Universal Hive Protocol on standard input and output (Hive, all expansions)."""
    from ludion.games.hive.uhp import LONGEST_LINE, serve

    def lines() -> Iterator[str]:
        while raw := sys.stdin.buffer.readline(4 * LONGEST_LINE):
            line = raw
            while not line.endswith(b"\n") and (line := sys.stdin.buffer.readline(4 * LONGEST_LINE)):
                raw = raw[: 2 * LONGEST_LINE]  # far too long already: refuse it whole
            yield raw.decode("utf-8", "replace").rstrip("\r\n")

    def say(text: str) -> None:
        click.echo(text)
        if text == "ok":
            sys.stdout.flush()

    serve(lines(), say)
