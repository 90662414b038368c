"""Run the benchmarks: `python -m benchmarks [NAME[/PART]...]`."""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

os.environ.setdefault("LUDION_TIER", "compiled")

from benchmarks import peers, runs
from ludion.records import machine

HERE = Path(__file__).parent
LATEST = HERE / "results"  # of comparisons: not kept
NOT_BENCHMARKS = ("__init__", "__main__", "compile_times", "measure", "peers", "runs")


def names() -> list[str]:
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem not in NOT_BENCHMARKS)


def parts_of(name: str) -> dict[str, Callable[..., Any]]:
    """What a benchmark measures, each part a function that gives rows."""
    module = importlib.import_module(f"benchmarks.{name}")
    parts: dict[str, Callable[..., Any]] = getattr(module, "PARTS", None) or {"all": module.main}
    return parts


def run(name: str, part: str, quick: bool, folder: Path) -> bool:
    """Run one part and store its rows."""
    print(f"\n{name}/{part}", flush=True)
    begin = time.perf_counter()
    measure = parts_of(name)[part]
    try:
        rows = measure(quick=quick) if "quick" in inspect.signature(measure).parameters else measure()
    except Exception as error:
        print(f"{name}/{part} failed: {type(error).__name__}: {error}", file=sys.stderr)
        return False
    if not rows:
        print(f"{name}/{part}: nothing to measure, its peers are not at hand; what is stored stays")
        return True
    used = getattr(importlib.import_module(f"benchmarks.{name}"), "PEERS", {}).get(part, ())
    about = {
        **machine.describe(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "seconds": round(time.perf_counter() - begin, 1),
        "quick": quick,
        "peers": {peer: peers.version(peer) for peer in used},
    }
    runs.write(name, {part: {"about": about, "rows": rows}}, folder)
    return True


def chosen_parts(parser: argparse.ArgumentParser, words: list[str]) -> list[tuple[str, str]]:
    """The parts that the command line names; all of them if it names none."""
    parts = []
    for word in words or names():
        name, _, part = word.replace("-", "_").partition("/")
        if name not in names():
            parser.error(f"no benchmark '{name}' (there are {', '.join(names())})")
        known = parts_of(name)
        if part and part not in known:
            parser.error(f"no part '{part}' of {name} (there are {', '.join(known)})")
        parts += [(name, each) for each in ([part] if part else known)]
    return parts


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks",
        description="Measure ludion and its peers in one run, and write the tables of docs/.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME[/PART]", help=f"which: {', '.join(names())}")
    parser.add_argument("--quick", action="store_true", help="smaller instances, where a benchmark has them")
    parser.add_argument("--install-peers", action="store_true", help="first install the peers that pip has")
    parser.add_argument("--list", action="store_true", help="list the parts, and do nothing")
    parser.add_argument(
        "--docs", action="store_true", help="only write the tables of docs/ from the stored runs"
    )
    parser.add_argument(
        "--compare",
        action="store_true",
        help="print what moved since the stored runs, and leave them as they are",
    )
    asked = parser.parse_args(arguments)
    parts = chosen_parts(parser, asked.names)
    if asked.list:
        print("\n".join(f"{name}/{part}" for name, part in parts))
        return 0
    if asked.install_peers:
        peers.install()
    results = []
    if not asked.docs:
        folder = LATEST if asked.compare or asked.quick else runs.STORED
        stored = {name: runs.read(name) for name, _ in parts}
        results = [run(name, part, asked.quick, folder) for name, part in parts]
        print(f"\n{sum(results)} of {len(results)} parts ran; see {folder}")
        for name, before in stored.items():
            after = {part: it for part, it in runs.read(name, folder).items() if (name, part) in parts}
            for line in runs.compare(name, before, after):
                print(line)
    if not (asked.compare or asked.quick):
        for page in runs.update_docs():
            print(f"wrote {page.relative_to(HERE.parent)}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
