"""Stored runs: what was measured, when and where, as JSON; the tables of docs/ made from them; what moved since.

    runs/NAME.json   {"PART": {"about": {"date": ..., "processor": ..., "quick": false, "peers": {...}}, "rows": [...]}}

A row is a JSON object; its first field names it. A cell {"values": [...]} is one value per round. A page of docs/ shows
the rows of a part between two marks, as the layout of the benchmark says:

    <!-- benchmarks: NAME/PART -->
    ...
    <!-- end of benchmarks -->
"""

from __future__ import annotations

import importlib
import json
import re
import statistics
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ludion.lab.statistics import median_interval
from ludion.tables import in_words

HERE = Path(__file__).parent
STORED = HERE / "runs"
DOCS = HERE.parent / "docs"
MARKED = re.compile(r"(<!-- benchmarks: (\w+)/(\w+) -->\n)(.*?)(<!-- end of benchmarks -->)", re.DOTALL)
MOVED = 0.1  # less than this is not worth a line

Layout = list[tuple[str, str]]  # columns: head, and a text with the names of fields in braces
CLAIMS: Layout = [("what", "{what}"), ("measured", "{measured} {unit}"), ("wanted", "{wanted}")]


# ------------------------------------------------------------------ files


def read(name: str, folder: Path | None = None) -> dict[str, Any]:
    """The parts of a stored run; none if there is no file."""
    file = (folder or STORED) / f"{name}.json"
    parts: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    return parts


def write(name: str, parts: Mapping[str, Any], folder: Path) -> None:
    """Store these parts, beside others that are there: one row per line, so that a change shows in a diff."""
    every = {**read(name, folder), **parts}
    texts = []
    for part, run in sorted(every.items()):
        rows = ",\n".join(f"   {json.dumps(rounded(row), ensure_ascii=False)}" for row in run["rows"])
        about = json.dumps(run["about"], ensure_ascii=False)
        texts.append(f' "{part}": {{\n  "about": {about},\n  "rows": [\n{rows}\n  ]\n }}')
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text("{\n" + ",\n".join(texts) + "\n}\n", encoding="utf-8")


def rounded(value: Any) -> Any:
    """Measured numbers to six digits, which is more than they are worth."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, Mapping):
        return {key: rounded(each) for key, each in value.items()}
    return [rounded(each) for each in value] if isinstance(value, (list, tuple)) else value


# ------------------------------------------------------------------ tables


def layout_of(name: str, part: str) -> Layout:
    """The columns in which docs/ shows a part."""
    module = importlib.import_module(f"benchmarks.{name}")
    layout: Layout = getattr(module, "LAYOUTS", {}).get(part, CLAIMS)
    return layout


def cell(value: Any) -> str:
    """A field for people: the median of what was measured, to three digits."""
    if isinstance(value, Mapping):
        return in_words(statistics.median(value["values"]))
    return in_words(value)


def table(name: str, part: str, run: Mapping[str, Any]) -> str:
    """A stored part as Markdown, with when, where and beside whom it was measured."""
    layout = layout_of(name, part)
    lines = [[head for head, _ in layout], ["---", *["---:"] * (len(layout) - 1)]]
    for row in run["rows"]:
        shown = {key: cell(value) for key, value in row.items()}
        if row.get("reached") is False:
            shown["wanted"] += " (missed)"
        lines.append([text.format_map(shown).strip().replace("|", "\\|") for _, text in layout])
    drawn = [f"| {' | '.join(line)} |" for line in lines] if run["rows"] else []
    return "\n".join([*drawn, "", source(name, part, run["about"])]).lstrip()


def source(name: str, part: str, about: Mapping[str, Any]) -> str:
    """Where the figures come from, in one line."""
    peers = ", ".join(
        f"{peer} {version or 'not at hand'}" for peer, version in about.get("peers", {}).items()
    )
    machine = (
        f"{about['processor']}, {about['cores']} cores, Python {about['python']}, Numba {about['numba']}"
    )
    quick = " --quick" if about["quick"] else ""
    busy = f", load {about['load']:.1f}" if (about.get("load") or 0) > 1.5 else ""
    said = f"`python -m benchmarks {name}/{part}{quick}`, {about['date'][:10]}, {machine}{busy}"
    more = [f"peers: {peers}" if peers else "", about.get("how", "")]
    return f"*{'; '.join([said, *filter(None, more)])}.*"


def pages() -> list[Path]:
    return sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)


def with_tables(text: str, folder: Path | None = None) -> str:
    """A page with the tables of the stored runs between its marks; a part that was never run leaves a line."""

    def filled(match: re.Match[str]) -> str:
        head, name, part, _, end = match.groups()
        run = read(name, folder).get(part)
        body = table(name, part, run) if run else f"*Not measured yet: `python -m benchmarks {name}/{part}`.*"
        return f"{head}\n{body}\n\n{end}"

    return MARKED.sub(filled, text)


def update_docs() -> list[Path]:
    """Write the tables of docs/; the pages that changed."""
    changed = []
    for page in pages():
        before = page.read_text(encoding="utf-8")
        after = with_tables(before)
        if after != before:
            page.write_text(after, encoding="utf-8")
            changed.append(page)
    return changed


# ------------------------------------------------------------------ comparing


def compare(name: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What moved by more than 10 % and more than the noise, one line each; what is timed needs the same machine."""
    for part in before.keys() & after.keys():
        then, now = before[part], after[part]
        if any(then["about"].get(key) != now["about"].get(key) for key in ("processor", "quick")):
            yield f"{name}/{part}: measured on another machine or other instances, not compared"
            continue
        rows = {identity(row): row for row in then["rows"]}
        for row in now["rows"]:
            for key, value in row.items():
                old = rows.get(identity(row), {}).get(key)
                if old is not None and (change := moved(old, value)) is not None:
                    yield f"{name}/{part}: {identity(row)}, {key}: {cell(old)} -> {cell(value)} ({change:+.0%})"


def identity(row: Mapping[str, Any]) -> str:
    """What names a row: its first field."""
    return str(next(iter(row.values())))


def moved(old: Any, new: Any) -> float | None:
    """By which share a figure moved, if that is more than MOVED and the intervals of the medians are apart."""
    (first, low, high), (second, least, most) = figures(old), figures(new)
    if first is None or second is None or not first or abs(second / first - 1) <= MOVED:
        return None
    return None if low <= most and least <= high else second / first - 1


def figures(value: Any) -> tuple[float | None, float, float]:
    """The median of a field and its interval; a count is exact, and what is no number has none."""
    if isinstance(value, Mapping) and value.get("values"):
        return statistics.median(value["values"]), *median_interval(value["values"])
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value, value, value
    return None, 0, 0
