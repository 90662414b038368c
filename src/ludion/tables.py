"""Tables of results: as text, CSV, Markdown and JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Cell = bool | int | float | str | None


@dataclass(frozen=True)
class Table:
    """A table with a title; None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    note: str = ""
    details: list[Mapping[str, Any]] = field(default_factory=list)  # of each row, in JSON only

    def as_text(self) -> str:
        return "\n".join(
            [self.title, "", self._drawn("SIMPLE_HEAD"), *(["", self.note] if self.note else [])]
        )

    def as_markdown(self) -> str:
        return "\n".join(
            [f"### {self.title}", "", self._drawn("MARKDOWN"), *(["", self.note] if self.note else [])]
        )

    def _drawn(self, box: str) -> str:
        """The table in lines of text."""
        import rich.box
        import rich.table
        from rich.console import Console

        drawn = rich.table.Table(
            box=getattr(rich.box, box), show_edge=box == "MARKDOWN", pad_edge=box == "MARKDOWN"
        )
        for index, column in enumerate(self.columns):
            drawn.add_column(column, justify="right" if self.is_number(index) else "left", no_wrap=True)
        for row in self.rows:
            words = [in_words(cell) for cell in row]
            drawn.add_row(*(word.replace("|", "\\|") if box == "MARKDOWN" else word for word in words))
        out = io.StringIO()
        Console(file=out, width=10_000, color_system=None, markup=False, highlight=False).print(drawn)
        return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))

    def is_number(self, index: int) -> bool:
        """Whether all cells of a column are numbers."""
        cells = [row[index] for row in self.rows if row[index] is not None]
        return bool(cells) and all(isinstance(cell, (int, float)) for cell in cells)

    def as_csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(self.rows)
        return out.getvalue().rstrip("\n")

    def as_json(self) -> str:
        """One object per row, each on a line."""
        details = self.details or [{}] * len(self.rows)
        return "\n".join(
            json.dumps(
                {"table": self.title, **dict(zip(self.columns, row, strict=True)), **more}, ensure_ascii=False
            )
            for row, more in zip(self.rows, details, strict=True)
        )


def in_words(cell: Cell) -> str:
    """A cell for people."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        if cell == 0 or not math.isfinite(cell):
            return f"{cell:g}"
        if abs(cell) >= 1000:
            return f"{cell:,.0f}"
        return f"{cell:.{max(0, 2 - math.floor(math.log10(abs(cell))))}f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def milliseconds(result: Mapping[str, Any]) -> float | None:
    """What a search took, for a cell: of the processor, or else on the clock."""
    seconds = result.get("cpu_seconds") or result.get("seconds")
    return None if seconds is None else 1000 * seconds
