"""What a browser must not lose, in one SQLite file: its game in progress of each kind, and its best results.

games(browser, game, place, saved)        place: start, options, all moves and the cursor, as JSON
bests(browser, game, instance, moves)     the fewest moves in which this browser solved an instance
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any

import platformdirs

KEPT_BROWSERS = 5000


def default_file() -> Path:
    return Path(platformdirs.user_data_dir("ludion", appauthor=False)) / "studio.sqlite"


class Records:
    """The file; safe to use from any thread."""

    def __init__(self, file: Path | str | None = None) -> None:
        file = default_file() if file is None else file
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.base = sqlite3.connect(file, check_same_thread=False)
        self.base.executescript(
            """
            pragma journal_mode = wal;
            pragma synchronous = normal;
            create table if not exists games(
                browser text, game text, place text, saved real, primary key (browser, game));
            create table if not exists bests(
                browser text, game text, instance text, moves integer, primary key (browser, game, instance));
            """
        )

    def save(self, browser: str, game: str, place: dict[str, Any]) -> None:
        with self.lock, self.base:
            self.base.execute(
                "insert or replace into games values (?, ?, ?, ?)",
                (browser, game, json.dumps(place), time.time()),
            )

    def load(self, browser: str, game: str) -> dict[str, Any] | None:
        with self.lock:
            row = self.base.execute(
                "select place from games where browser = ? and game = ?", (browser, game)
            ).fetchone()
        return json.loads(row[0]) if row else None

    def achieved(self, browser: str, game: str, instance: str, moves: int) -> None:
        with self.lock, self.base:
            self.base.execute(
                "insert into bests values (?, ?, ?, ?)"
                " on conflict do update set moves = min(moves, excluded.moves)",
                (browser, game, instance, moves),
            )

    def best(self, browser: str, game: str, instance: str) -> int | None:
        with self.lock:
            row = self.base.execute(
                "select moves from bests where browser = ? and game = ? and instance = ?",
                (browser, game, instance),
            ).fetchone()
        return int(row[0]) if row else None

    def prune(self) -> None:
        """Forget all but the browsers seen last."""
        with self.lock, self.base:
            self.base.execute(
                "delete from games where browser not in"
                " (select browser from games group by browser order by max(saved) desc limit ?)",
                (KEPT_BROWSERS,),
            )
            self.base.execute("delete from bests where browser not in (select browser from games)")

    def close(self) -> None:
        self.base.close()
