"""Folders for what can be made again, and files that are never seen half written."""

from __future__ import annotations

import functools
import os
import tempfile
from pathlib import Path

import platformdirs


@functools.cache
def data_folder() -> Path:
    """The folder for what can be made again: `LUDION_CACHE_DIR`, or the user's cache folder, or a temporary one."""
    chosen = os.environ.get("LUDION_CACHE_DIR")
    for folder in (
        [Path(chosen)]
        if chosen
        else [
            Path(platformdirs.user_cache_dir("ludion", appauthor=False)),
            Path(tempfile.gettempdir()) / f"ludion-{os.getuid() if hasattr(os, 'getuid') else 'user'}",
        ]
    ):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return Path(tempfile.mkdtemp(prefix="ludion-"))


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that no reader, and no crash, ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
