"""Run the benchmarks: `python -m benchmarks [NAME...]`."""

from __future__ import annotations

import argparse
import contextlib
import importlib
import inspect
import io
import json
import os
import platform
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOT_BENCHMARKS = ("__init__", "__main__", "peers")


class Both(io.StringIO):
    """Text that is shown and kept."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)
        sys.__stdout__.flush()
        return super().write(text)


def names() -> list[str]:
    return sorted(file.stem for file in HERE.glob("*.py") if file.stem not in NOT_BENCHMARKS)


def machine() -> dict[str, Any]:
    """Where this was measured."""
    from importlib.metadata import version

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "python": platform.python_version(),
        "numba": version("numba"),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "load": load,
    }


def run(name: str, quick: bool, out: Path) -> bool:
    """Run one benchmark and keep what it says."""
    print(f"\n## {name}\n", flush=True)
    kept = Both()
    begin = time.perf_counter()
    try:
        with contextlib.redirect_stdout(kept):
            main = importlib.import_module(f"benchmarks.{name}").main
            found = main(quick=quick) if "quick" in inspect.signature(main).parameters else main()
    except Exception as error:
        print(f"{name} failed: {type(error).__name__}: {error}", file=sys.stderr)
        return False
    rows = found if isinstance(found, list) else [found] if isinstance(found, dict) else []
    about = machine() | {"seconds": round(time.perf_counter() - begin, 1), "quick": quick}
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{name}.json").write_text(
        json.dumps({"machine": about, "rows": rows}, indent=1, default=str) + "\n"
    )
    note = ", ".join(f"{key} {value}" for key, value in about.items())
    (out / f"{name}.md").write_text(f"# {name}\n\n{kept.getvalue().strip()}\n\n{note}\n")
    return True


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks", description="Measure ludion and its peers in one run."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which: {', '.join(names())}")
    parser.add_argument("--quick", action="store_true", help="smaller instances, where a benchmark has them")
    parser.add_argument(
        "--install-peers", action="store_true", help="first install what pip has of the peers"
    )
    parser.add_argument("--out", type=Path, default=HERE / "results", help="folder for Markdown and JSON")
    chosen = parser.parse_args(arguments)
    wanted = [name.replace("-", "_") for name in chosen.names]
    for name in wanted:
        if name not in names():
            parser.error(f"no benchmark '{name}' (there are {', '.join(names())})")
    if chosen.install_peers:
        from benchmarks.peers import install

        install()
    results = [run(name, chosen.quick, chosen.out) for name in wanted or names()]
    print(f"\n{sum(results)} of {len(results)} benchmarks ran; see {chosen.out}")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
