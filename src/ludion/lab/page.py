"""One page of HTML for one experiment: tables, plots, boards, the commands that reproduce it, machine and versions.

The page is self-contained: its pictures are inline SVG, and it loads no other files. It contains the results with every
run as JSON, so that the page includes the data.
"""

from __future__ import annotations

import base64
import html
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludion.errors import LudionError
from ludion.kinds.games import Game, Level
from ludion.lab import plots
from ludion.lab.tables import Measured, optimum
from ludion.messages import language, message
from ludion.positions import position
from ludion.records import machine
from ludion.tables import Table, in_words

MOST_BOARDS = 24
STYLE = Path(__file__).with_name("page.css")


class PageError(LudionError):
    """A page that cannot be written."""


def check_file(file: str) -> None:
    """Raise an error of ours if no page can be written there; called before anything is measured."""
    plots.check_file("page.svg")  # the page has plots
    if not Path(file).absolute().parent.is_dir():
        raise PageError(message("lab.cannot_write_page", file=file, reason=Path(file).absolute().parent))


def write(
    file: str,
    game: Game[Any, Any],
    tables: Sequence[Table],
    measured: Sequence[Measured],
    levels: Sequence[Level],
    command: str,
) -> None:
    """Write the page of an experiment that the command made."""
    try:
        Path(file).write_text(text(game, tables, measured, levels, command), encoding="utf-8")
    except OSError as error:
        raise PageError(message("lab.cannot_write_page", file=file, reason=error.strerror)) from error


def text(
    game: Game[Any, Any],
    tables: Sequence[Table],
    measured: Sequence[Measured],
    levels: Sequence[Level],
    command: str,
) -> str:
    """The page of an experiment that the command made."""
    return "\n".join(_lines(game, tables, measured, levels, command)) + "\n"


def _lines(
    game: Game[Any, Any],
    tables: Sequence[Table],
    measured: Sequence[Measured],
    levels: Sequence[Level],
    command: str,
) -> Iterator[str]:
    title = html.escape(message("lab.title_plot", game=game.caption, n=len(measured)))
    facts = machine.describe()
    yield f'<!doctype html>\n<html lang="{language()}">\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width">'
    yield f"<title>{title}</title>\n<style>{STYLE.read_text()}</style>\n<h1>{title}</h1>"
    yield f'<p class="note">{html.escape(str(facts["date"]))}, {html.escape(str(facts["processor"]))}</p>'
    yield f"<h2>{message('lab.page_tables')}</h2>"
    for table in tables:
        yield from _table(table)
    yield f"<h2>{message('lab.page_plots')}</h2>"
    yield _picture(plots.as_svg(game, measured, levels), title, "plot")
    yield from _boards(game, levels)
    yield f"<h2>{message('lab.page_commands')}</h2>\n<pre>{html.escape(command)}</pre>"
    questions = list(dict.fromkeys(each.question.command() for each, _ in measured))
    yield f"<details><summary>{message('lab.page_questions', n=len(questions))}</summary>"
    yield f"<pre>{html.escape(chr(10).join(questions))}</pre></details>"
    yield f"<h2>{message('lab.page_machine')}</h2>\n<table>"
    yield from (f"<tr><th>{name}<td>{html.escape(str(value))}" for name, value in facts.items())
    yield f"</table>\n<footer>{html.escape(message('lab.page_footer'))}</footer>"
    results = [{"question": each.json(), "result": dict(result)} for each, result in measured]
    yield f'<script type="application/json" id="results">{_in_script(results)}</script>\n</html>'


def _in_script(value: object) -> str:
    """JSON that cannot close the element that contains it."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


def _table(table: Table) -> Iterator[str]:
    """A table as HTML, without columns that are empty in every row."""
    shown = [
        index for index in range(len(table.columns)) if any(row[index] is not None for row in table.rows)
    ]
    align = {index: ' class="n"' if table.is_number(index) else "" for index in shown}
    yield f'<h3>{html.escape(table.title)}</h3>\n<div class="scroll"><table>\n<tr>'
    yield "".join(f"<th{align[index]}>{html.escape(table.columns[index])}" for index in shown)
    for row in table.rows:
        yield "<tr>" + "".join(f"<td{align[index]}>{html.escape(in_words(row[index]))}" for index in shown)
    yield "</table></div>"
    if table.note:
        yield f'<p class="note">{html.escape(table.note)}</p>'


def _boards(game: Game[Any, Any], levels: Sequence[Level]) -> Iterator[str]:
    """The positions that were measured, drawn."""
    if game.svg is None or not levels:
        return
    yield f'<h2>{message("lab.page_boards")}</h2>\n<div class="boards">'
    for level in levels[:MOST_BOARDS]:
        name, best = level.name, optimum(level, level.options)
        caption = name if best is None else message("lab.page_known", name=name, optimum=best)
        drawn = position(game, level.position, **level.options).svg()
        yield f"<figure>{_picture(drawn.encode(), name)}<figcaption>{html.escape(caption)}</figcaption></figure>"
    yield "</div>"
    if len(levels) > MOST_BOARDS:
        yield f'<p class="note">{message("lab.page_more_boards", shown=MOST_BOARDS, all=len(levels))}</p>'


def _picture(svg: bytes, title: str, style: str = "") -> str:
    """An SVG picture as an image of its own, so that names inside it do not meet those of another."""
    data = base64.b64encode(svg).decode()
    return f'<img class="{style}" alt="{html.escape(title)}" src="data:image/svg+xml;base64,{data}">'
