"""Measured results, in one SQLite file that is written after every measurement: a stopped run loses nothing.

results(key, at, machine, question, result)   question and result are JSON objects
"""

from __future__ import annotations

import json
import platform
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ludion.errors import LudionError
from ludion.messages import message


class ResultStoreError(LudionError):
    """A store that cannot be opened or written."""


class ResultStore:
    """Results by the key of what was measured. A file, or `:memory:`."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self.file = sqlite3.connect(self.path, timeout=30, isolation_level=None)
            self.file.execute("PRAGMA journal_mode=WAL")
            self.file.execute(
                "CREATE TABLE IF NOT EXISTS results "
                "(key TEXT PRIMARY KEY, at TEXT, machine TEXT, question TEXT NOT NULL, result TEXT NOT NULL)"
            )
        except (sqlite3.Error, OSError) as error:
            raise ResultStoreError(message("lab.cannot_open_store", file=self.path, reason=error)) from error

    def known(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """The stored results of these keys."""
        results = {}
        for key in keys:
            row = self.file.execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
            if row is not None:
                results[key] = json.loads(row[0])
        return results

    def keep(self, key: str, question: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Store a result; it replaces an older one of the same key."""
        row = (
            key,
            time.strftime("%Y-%m-%dT%H:%M:%S"),
            platform.node(),
            json.dumps(question),
            json.dumps(result),
        )
        try:
            self.file.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise ResultStoreError(message("lab.cannot_write_store", file=self.path, reason=error)) from error

    def __len__(self) -> int:
        return int(self.file.execute("SELECT count(*) FROM results").fetchone()[0])

    def close(self) -> None:
        self.file.close()
