"""Cache folders, and files that are never seen half written."""

from __future__ import annotations

import functools
import os
import stat
import tempfile
from pathlib import Path

import platformdirs


@functools.cache
def data_folder() -> Path:
    """The cache folder: `LUDION_CACHE_DIR`, or the user's cache folder, or a temporary one."""
    chosen = os.environ.get("LUDION_CACHE_DIR")
    folder = Path(chosen or platformdirs.user_cache_dir("ludion", appauthor=False))
    if _can_be_written(folder):
        return folder
    if not chosen:
        shared = Path(tempfile.gettempdir()) / f"ludion-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
        if _can_be_written(shared, mode=0o700) and _is_private(shared):
            return shared
    return Path(tempfile.mkdtemp(prefix="ludion-"))


def _can_be_written(folder: Path, mode: int = 0o777) -> bool:
    """Whether the folder exists or can be created, and is writable."""
    try:
        folder.mkdir(mode=mode, parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)


def _is_private(folder: Path) -> bool:
    """Whether the folder belongs to this user and nobody else can write to it: code is loaded from it."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.lstat()
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o022


def write_atomically(path: Path, *contents: bytes | memoryview) -> None:
    """Write a file so that no reader, and no crash, ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name)
    try:
        with os.fdopen(handle, "wb") as file:
            for content in contents:
                file.write(content)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
