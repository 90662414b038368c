"""Fingerprints of sources: the key of machine code on disk, so that an edited rule never runs old code.

And which sources are a user's own: errors name their lines.
"""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import sys
from pathlib import Path
from types import TracebackType

from ludion.core import STARTED
from ludion.core.files import data_folder

PACKAGE = Path(__file__).parents[1]
CORE = ("core", "kinds", "engines", "logic")
KEPT_GENERATIONS = 8  # folders of machine code of earlier sources that are kept


@functools.cache
def fingerprint(module: str) -> str | None:
    """A hash of all sources, other than the core, that code of this module may depend on, or None if unknown."""
    parts = module.split(".")
    if parts[0] == "ludion" and parts[1:2] == ["games"] and len(parts) > 2:
        return _hash([PACKAGE / "games" / parts[2]])
    if parts[0] == "ludion":
        return _hash([PACKAGE / f"{parts[1]}.py"] if len(parts) == 2 else [PACKAGE / parts[1]])
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None or not Path(file).is_file():
        return None
    if len(parts) > 1:  # a package: all of it
        top = getattr(sys.modules.get(parts[0]), "__file__", None)
        return _hash([Path(top).parent]) if top else None
    # A script: itself and all modules imported from its folder.
    folder = Path(file).resolve().parent
    others = [getattr(each, "__file__", None) for each in list(sys.modules.values())]
    beside = {Path(each).resolve() for each in others if each}
    installed = "site-packages"
    return _hash(
        [Path(file)]
        + sorted(
            each
            for each in beside
            if folder in each.parents and installed not in each.parts and each.suffix == ".py"
        )
    )


def _hash(places: list[Path]) -> str:
    """A hash of the Python sources at these places (files, or folders with all below them)."""
    digest = hashlib.sha256()
    for place in places:
        files = sorted(place.rglob("*.py")) if place.is_dir() else [place]
        for file in files:
            digest.update(str(file.relative_to(place.parent)).encode() + b"\0")
            digest.update(file.read_bytes() + b"\0")
            if PACKAGE in file.parents and file.stat().st_mtime > STARTED:  # what runs here is older
                digest.update(f"{os.getpid()} {STARTED}".encode())
    return digest.hexdigest()


def user_line(trace: TracebackType | None) -> tuple[str, int] | None:
    """The file and line of the deepest frame that is neither of this package nor installed."""
    place = None
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if is_users(file):
            place = file, trace.tb_lineno
        trace = trace.tb_next
    return place


def is_users(file: str) -> bool:
    """Whether a source file is a user's own."""
    path = Path(file)
    installed = {"site-packages", "dist-packages"} & set(path.parts)
    return path.is_file() and PACKAGE not in path.parents and not installed and not _is_standard(path)


def _is_standard(path: Path) -> bool:
    return Path(functools.__file__).parent in path.parents


@functools.cache
def cache_folder() -> Path:
    """The folder of machine code for this generation of the core."""
    core = _hash([PACKAGE / each for each in CORE if (PACKAGE / each).exists()])
    folder = data_folder() / "kernels" / core[:16]
    if not folder.exists():
        _drop_old_generations(folder.parent)
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _drop_old_generations(folder: Path) -> None:
    if folder.exists():
        by_age = sorted(folder.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
        for old in by_age[KEPT_GENERATIONS:]:
            shutil.rmtree(old, ignore_errors=True)
