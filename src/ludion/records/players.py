"""The saved games in progress and best results of players, in one SQLite file.

    games(browser, game, place, saved)       place: start, options, all moves and the cursor, as JSON; saved: when
    bests(browser, game, instance, moves)    the fewest moves in which this player solved an instance

A player is a browser, by the random name in its cookie, or the person at the terminal (`ludion play`).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import platformdirs

MOST_BROWSERS = 5000  # those that played last are remembered
PRUNED_EVERY = 1000  # saves
MOST_LISTED = 100  # games of a player; older ones stay where they are until the player is forgotten
TERMINAL = "terminal"  # the player without a browser


def default_file() -> Path:
    """In the user's data folder; `LUDION_DATA_DIR` names another."""
    folder = os.environ.get("LUDION_DATA_DIR") or platformdirs.user_data_dir("ludion", appauthor=False)
    return Path(folder) / "studio.sqlite"


def instance(start: str, options: Iterable[tuple[str, str]]) -> str:
    """The name under which the best result of a start with these options is stored."""
    return json.dumps([start, sorted(options)])


class PlayerRecords:
    """The file of players' records; safe to use from any thread."""

    def __init__(self, file: Path | str | None = None) -> None:
        file = default_file() if file is None else file
        if file != ":memory:":
            Path(file).parent.mkdir(parents=True, exist_ok=True)
        self.lock = threading.Lock()
        self.saves = 0
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

    def save(self, browser: str, game: str, place: Mapping[str, object]) -> None:
        """Store a game in progress."""
        with self.lock, self.base:
            self.base.execute(
                "insert or replace into games values (?, ?, ?, ?)",
                (browser, game, json.dumps(place), time.time()),
            )
        self.saves += 1
        if self.saves % PRUNED_EVERY == 0:
            self.prune()

    def load(self, browser: str, game: str) -> dict[str, Any] | None:
        """The player's game in progress, if it was saved."""
        with self.lock:
            row = self.base.execute(
                "select place from games where browser = ? and game = ?", (browser, game)
            ).fetchone()
        return json.loads(row[0]) if row else None

    def saved(self, browser: str) -> list[tuple[str, dict[str, Any], float]]:
        """The player's games, the last one first: name, place and when it was saved."""
        with self.lock:
            rows = self.base.execute(
                "select game, place, saved from games where browser = ? order by saved desc limit ?",
                (browser, MOST_LISTED),
            ).fetchall()
        return [(game, json.loads(place), saved) for game, place, saved in rows]

    def achieved(self, browser: str, game: str, instance: str, moves: int) -> bool:
        """Store a result if it is the player's best; whether it is."""
        with self.lock, self.base:
            change = self.base.execute(
                "insert into bests values (?, ?, ?, ?)"
                " on conflict do update set moves = excluded.moves where excluded.moves < moves",
                (browser, game, instance, moves),
            )
            return change.rowcount > 0

    def best(self, browser: str, game: str, instance: str) -> int | None:
        """The fewest moves in which the player solved an instance."""
        with self.lock:
            row = self.base.execute(
                "select moves from bests where browser = ? and game = ? and instance = ?",
                (browser, game, instance),
            ).fetchone()
        return int(row[0]) if row else None

    def levels(self, browser: str, game: str) -> dict[str, int]:
        """The best result on every level that this player has solved with the usual rules."""
        with self.lock:
            rows = self.base.execute(
                "select instance, moves from bests where browser = ? and game = ?", (browser, game)
            ).fetchall()
        results = {}
        for name, moves in rows:
            start, options = json.loads(name)
            if start.startswith("level:") and not options:
                results[start.removeprefix("level:")] = moves
        return results

    def prune(self) -> None:
        """Forget all but the browsers seen last."""
        with self.lock, self.base:
            self.base.execute(
                "delete from games where browser not in"
                " (select browser from games group by browser order by max(saved) desc limit ?)",
                (MOST_BROWSERS,),
            )
            self.base.execute(
                "delete from bests where browser not in (select browser from games) and browser != ?",
                (TERMINAL,),
            )

    def close(self) -> None:
        self.base.close()
