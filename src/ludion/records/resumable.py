"""A file of JSON lines from which a stopped run continues: one line per item, in the order of the items.

The number of whole lines is the number of finished items, so nothing is lost and nothing is done twice. While the
file is being written, a small file beside it (`FILE.job`) describes the run; a run with other settings refuses to
continue it. Half a line at the end, left by a killed run or a full disk, is dropped.
"""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from ludion.errors import LudionError
from ludion.messages import message


class OutputError(LudionError):
    """A file of results that cannot be used or written."""


class ResumableJsonl:
    """The file, open for more lines; `done` are its earlier objects."""

    def __init__(self, path: str | Path, job: dict[str, Any]) -> None:
        self.path = Path(path)
        self.note = self.path.with_name(self.path.name + ".job")
        self.job = json.loads(json.dumps(job, default=str))
        self.done: list[dict[str, Any]] = []
        self.written = 0
        keep = 0
        if self.path.exists():
            self.done, keep = whole_lines(self.path)
            if self.note.exists():
                self._check(self.note.read_text(encoding="utf-8"))
        try:
            self.note.write_text(json.dumps(self.job), encoding="utf-8")
            self.file = self.path.open("r+b" if self.path.exists() else "wb", buffering=0)
            self.file.truncate(keep)
            self.file.seek(keep)
        except OSError as error:
            raise OutputError(message("batch.cannot_write", file=self.path, reason=error.strerror)) from error
        self.waiting: list[bytes] = []
        self.flushed = time.monotonic()

    def _check(self, text: str) -> None:
        try:
            before = json.loads(text)
        except ValueError:
            return  # the note itself was cut short: then nothing had been written
        if before != self.job:
            names = sorted(n for n in {*before, *self.job} if before.get(n) != self.job.get(n))
            raise OutputError(message("batch.other_settings", file=self.path, names=", ".join(names)))

    def write(self, value: dict[str, Any]) -> None:
        self.waiting.append(json.dumps(value, ensure_ascii=False, default=str).encode() + b"\n")
        if time.monotonic() - self.flushed > 0.5 or len(self.waiting) > 2000:
            self.flush()

    def flush(self) -> None:
        """Flush everything to the file; if the disk is full, leave only whole lines."""
        content = b"".join(self.waiting)
        end = self.file.tell()
        try:
            sent = 0
            while sent < len(content):
                sent += self.file.write(content[sent:]) or 0
        except OSError as error:
            whole = content[:sent].rfind(b"\n") + 1
            with contextlib.suppress(OSError):  # half a line does no harm: the next run drops it
                self.file.truncate(end + whole)
                self.file.seek(end + whole)
            written = len(self.done) + self.written + content[:whole].count(b"\n")
            self.waiting = []
            raise OutputError(
                message("batch.cannot_write_kept", file=self.path, reason=error.strerror, kept=written)
            ) from error
        self.written += len(self.waiting)
        self.waiting = []
        self.flushed = time.monotonic()

    def close(self, finished: bool) -> None:
        try:
            self.flush()
        finally:
            self.file.close()
        if finished:
            self.note.unlink(missing_ok=True)

    def __enter__(self) -> ResumableJsonl:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(finished=kind is None)


def whole_lines(path: Path) -> tuple[list[dict[str, Any]], int]:
    """The objects of the file and where the last whole line ends."""
    objects: list[dict[str, Any]] = []
    end = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.endswith(b"\n"):
                break  # cut off
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            if not isinstance(value, dict):
                if file.read(1):
                    raise OutputError(message("batch.not_a_result", file=path, line=number))
                break
            objects.append(value)
            end += len(line)
    return objects, end
