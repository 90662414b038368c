"""Tables of results: as text, CSV, Markdown and JSON."""

from __future__ import annotations

import csv
import html
import io
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import rich.table

from ludion.messages import decimal, message, named

Cell = bool | int | float | str | None


@dataclass(frozen=True)
class Table:
    """A table with a title; None is an empty cell."""

    title: str
    columns: tuple[str, ...]
    rows: list[tuple[Cell, ...]] = field(default_factory=list)
    note: str = ""
    details: list[Mapping[str, Any]] = field(default_factory=list)  # of each row, in JSON only

    def _repr_html_(self) -> str:
        """The table in a notebook."""
        head = "".join(f"<th>{html.escape(column)}</th>" for column in self.columns)
        body = "".join(
            "<tr>" + "".join(self._html_cell(index, cell) for index, cell in enumerate(row)) + "</tr>"
            for row in self.rows
        )
        note = f"<p>{html.escape(self.note)}</p>" if self.note else ""
        title = f"<caption>{html.escape(self.title)}</caption>" if self.title else ""
        return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"

    def _html_cell(self, index: int, cell: Cell) -> str:
        side = "right" if self.is_number(index) else "left"
        return f'<td style="text-align:{side}">{html.escape(in_words(cell))}</td>'

    def __rich__(self) -> rich.table.Table:
        """The table as rich prints it in a terminal."""
        return self._rich_table("SIMPLE_HEAD", title=self.title or None, caption=self.note or None)

    def __str__(self) -> str:
        return self.as_text()

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
        from rich.console import Console

        drawn = self._rich_table(box)
        out = io.StringIO()
        Console(file=out, width=10_000, color_system=None, markup=False, highlight=False).print(drawn)
        return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))

    def _rich_table(self, box: str, **more: str | None) -> rich.table.Table:
        import rich.box
        import rich.table

        edge = box == "MARKDOWN"
        drawn = rich.table.Table(box=getattr(rich.box, box), show_edge=edge, pad_edge=edge, **more)  # type: ignore[arg-type]
        for index, column in enumerate(self.columns):
            drawn.add_column(
                named("column", column), justify="right" if self.is_number(index) else "left", no_wrap=True
            )
        for row in self.rows:
            words = [
                named("status", str(cell)) if column == "status" else in_words(cell)
                for column, cell in zip(self.columns, row, strict=True)
            ]
            drawn.add_row(*(word.replace("|", "\\|") if edge else word for word in words))
        return drawn

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
        return message("cli.yes" if cell else "cli.no")
    if isinstance(cell, float):
        if cell == 0 or not math.isfinite(cell):
            return f"{cell:g}"
        if abs(cell) >= 1000:
            return decimal(cell, 0)
        return decimal(cell, max(0, 2 - math.floor(math.log10(abs(cell)))))
    return decimal(cell, 0) if isinstance(cell, int) else cell


def milliseconds(result: Mapping[str, Any]) -> float | None:
    """What a search took, for a cell: of the processor, or else on the clock."""
    seconds = result.get("cpu_seconds") or result.get("seconds")
    return None if seconds is None else 1000 * seconds
