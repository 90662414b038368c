"""The best score a player has had on each level, kept in the user's data folder (`LUDION_DATA_DIR` names
another)."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

_TABLE = (
    "create table if not exists best (level text, metric text, score integer, primary key (level, metric))"
)


def file() -> Path:
    """Where the records are."""
    wanted = os.environ.get("LUDION_DATA_DIR")
    folder = Path(wanted) if wanted else Path(platformdirs.user_data_dir("ludion", appauthor=False))
    return folder / "rush_hour.sqlite"


@contextmanager
def _records() -> Iterator[sqlite3.Connection]:
    path = file()
    path.parent.mkdir(parents=True, exist_ok=True)
    records = sqlite3.connect(path, timeout=5)
    try:
        with records:
            records.execute(_TABLE)
            yield records
    finally:
        records.close()


def keep(level: str, metric: str, score: int) -> bool:
    """Keep a score (how many moves or steps it took); whether it is the best so far."""
    with _records() as records:
        change = records.execute(
            "insert into best values (?, ?, ?) on conflict do update set score = excluded.score "
            "where excluded.score < score",
            (level, metric, score),
        )
        return change.rowcount > 0


def best(level: str, metric: str) -> int | None:
    """The best score so far, or None."""
    with _records() as records:
        row = records.execute(
            "select score from best where level = ? and metric = ?", (level, metric)
        ).fetchone()
        return row[0] if row else None


def table() -> list[tuple[str, str, int]]:
    """Every level and metric with its best score."""
    with _records() as records:
        return list(records.execute("select level, metric, score from best order by level, metric"))


def forget() -> None:
    """Forget all scores."""
    with _records() as records:
        records.execute("delete from best")
