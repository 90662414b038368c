"""`ludion bench`: run the benchmarks of a source checkout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import click

from ludion.errors import LudionError
from ludion.messages import message


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--quick", is_flag=True, help="Smaller instances, where a benchmark has them.")
@click.option(
    "--install-peers", is_flag=True, help="First install what pip has of the peers, apart from ludion."
)
def command(names: tuple[str, ...], quick: bool, install_peers: bool) -> int:
    """Measure ludion and its peers on the same instances (all benchmarks, or those named)."""
    for root in (Path.cwd(), Path(__file__).parents[3]):
        if (root / "benchmarks" / "__main__.py").is_file():
            break
    else:
        raise LudionError(message("cli.no_benchmarks"))
    flags = [*(["--quick"] if quick else []), *(["--install-peers"] if install_peers else [])]
    return subprocess.call([sys.executable, "-m", "benchmarks", *names, *flags], cwd=root)
