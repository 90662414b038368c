"""Where results are kept: one SQLite file, written after every trial, so that a stopped run loses nothing."""

from __future__ import annotations

import json
import platform
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludion.errors import LudionError


class ResultStoreError(LudionError):
    """A store that cannot be opened or written."""


class ResultStore:
    """Results by the key of their trial. A file, or `:memory:`."""

    def __init__(self, path: str | Path) -> None:
        self.path = str(path)
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
            self.file = sqlite3.connect(self.path, timeout=30, isolation_level=None)
            self.file.execute("PRAGMA journal_mode=WAL")
            self.file.execute(
                "CREATE TABLE IF NOT EXISTS results "
                "(key TEXT PRIMARY KEY, at TEXT, machine TEXT, trial TEXT NOT NULL, result TEXT NOT NULL)"
            )
        except (sqlite3.Error, OSError) as error:
            raise ResultStoreError(f"cannot keep results in {self.path}: {error}") from error

    def known(self, keys: Iterable[str]) -> dict[str, dict[str, Any]]:
        """Those results that are there already."""
        found = {}
        for key in keys:
            row = self.file.execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
            if row is not None:
                found[key] = json.loads(row[0])
        return found

    def keep(self, key: str, trial: Any, result: dict[str, Any]) -> None:
        """Keep a result, in place of an older one of the same trial."""
        told = {
            name: value for name, value in asdict(trial).items() if name not in ("files", "task") and value
        }
        row = (key, time.strftime("%Y-%m-%dT%H:%M:%S"), platform.node(), json.dumps(told), json.dumps(result))
        try:
            self.file.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise ResultStoreError(
                f"cannot write {self.path}: {error}; earlier results are kept, the same command goes on"
            ) from error

    def __len__(self) -> int:
        return int(self.file.execute("SELECT count(*) FROM results").fetchone()[0])

    def close(self) -> None:
        self.file.close()
