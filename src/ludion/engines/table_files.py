"""Tables on disk: files of arrays that are mapped into memory, and never seen half written.

    | magic, 8 bytes | length of the header, 8 | header (JSON) | zeros up to a multiple of 64 | arrays, aligned alike |

The header says what the tables are about, the type and shape of each array, and a checksum. A file that is damaged, or
about something else, is deleted and made again.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludion.core.files import write_atomically

MAGIC = b"ludionA1"  # the last character is the version of the format
ALIGNMENT = 64


def save_arrays(path: Path, description: str, arrays: Sequence[np.ndarray], most_files: int) -> bool:
    """Save the arrays, with at most this many files in their folder; False if the disk refuses them."""
    header = {
        "description": description,
        "arrays": [[str(array.dtype), list(array.shape)] for array in arrays],
        "check": checksum(arrays),
    }
    text = json.dumps(header).encode()
    pieces: list[bytes | memoryview] = [MAGIC + len(text).to_bytes(8, "little") + text]
    size = len(pieces[0])
    for array in arrays:
        padding = -size % ALIGNMENT
        pieces += [b"\0" * padding, np.ascontiguousarray(array).data]
        size += padding + array.nbytes
    try:
        write_atomically(path, *pieces)
        _drop_oldest(path.parent, most_files)
    except OSError:
        return False
    return True


def load_arrays(path: Path, description: str) -> list[np.ndarray] | None:
    """The arrays of this file, mapped into memory; None if there is no such file, or no good one."""
    try:
        arrays = _mapped(path, description)
        os.utime(path)
        return arrays
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError):
        path.unlink(missing_ok=True)
        return None


def _mapped(path: Path, description: str) -> list[np.ndarray]:
    content = np.memmap(path, np.uint8, "c")  # private: nothing that is written to it reaches the disk
    length = int.from_bytes(content[8:16].tobytes(), "little")
    header: dict[str, Any] = json.loads(content[16 : 16 + length].tobytes())
    if content[:8].tobytes() != MAGIC or header["description"] != description:
        raise ValueError(path)
    arrays, offset = [], 16 + length
    for kind, shape in header["arrays"]:
        offset += -offset % ALIGNMENT
        size = np.dtype(kind).itemsize * int(np.prod(shape))
        arrays.append(np.asarray(content[offset : offset + size]).view(kind).reshape(shape))
        offset += size
    if content.size != offset or header["check"] != checksum(arrays):
        raise ValueError(path)
    return arrays


def checksum(arrays: Sequence[np.ndarray]) -> int:
    total = 0
    for array in arrays:
        total = zlib.crc32(np.ascontiguousarray(array).data, total)
    return total


def _drop_oldest(folder: Path, most_files: int) -> None:
    """Delete the files that were not used for longest."""
    by_age = sorted(folder.glob("*.tables"), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in by_age[most_files:]:
        old.unlink(missing_ok=True)
