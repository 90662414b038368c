"""The scoreboard of a contest: one page, without any other file, that fetches its rows again every two seconds."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from ludion.messages import language, message

if TYPE_CHECKING:
    from ludion.games.crocomine.server import GroupScore

COLUMNS = ("group", "members", "won", "lost", "actions", "grid")

STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
div { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { padding: .5rem .75rem; text-align: left; border-bottom: 1px solid #8888 }
td.number { font-variant-numeric: tabular-nums; text-align: right }
"""

SCRIPT = """
setInterval(async () => {
  try {
    const answer = await fetch(`?rows&language=${document.documentElement.lang}`);
    if (answer.ok) document.querySelector("tbody").innerHTML = await answer.text();
  } catch { /* the server is away: the last scores stay */ }
}, 2000);
"""

_HASH = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
HEADERS = {
    "Content-Security-Policy": (
        f"default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'sha256-{_HASH}'"
    ),
    "Cache-Control": "no-store",
}


def rows(scores: Sequence[GroupScore]) -> str:
    """The rows of the table, the best group first."""
    if not scores:
        return f'<tr><td colspan="{len(COLUMNS)}">{escape(message("crocomine.scores.nobody"))}</td></tr>'
    return "\n".join(_row(score) for score in scores)


def _row(score: GroupScore) -> str:
    name = "playing_grid" if score["playing"] else "grid_of"
    grid = message(f"crocomine.scores.{name}", grid=score["grid"], grids=score["grids"])
    numbers = "".join(f'<td class="number">{score[key]}</td>' for key in ("won", "lost", "actions"))
    words = [escape(text) for text in (score["group"], score["members"], grid)]
    return f'<tr><th scope="row">{words[0]}</th><td>{words[1]}</td>{numbers}<td>{words[2]}</td></tr>'


def page(scores: Sequence[GroupScore]) -> str:
    """The whole page, in the language in use."""
    title = escape(message("crocomine.scores.title"))
    head = "".join(
        f'<th scope="col">{escape(message(f"crocomine.scores.{column}"))}</th>' for column in COLUMNS
    )
    return f"""<!doctype html>
<html lang="{language()}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{STYLE}</style>
<main>
<h1>{title}</h1>
<p>{escape(message("crocomine.scores.order"))}</p>
<div tabindex="0" role="region" aria-label="{title}">
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows(scores)}
</tbody>
</table>
</div>
</main>
<script>{SCRIPT}</script>
</html>
"""
