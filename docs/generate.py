"""Write the pages of docs/reference from the code: the Python interface, commands, verbs, JSON, notations, HTTP.

`make docs` (docs/conf.py) calls `write`; the pages are not kept in the repository, so they cannot grow old.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.metadata
import inspect
import json
import re
import statistics
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

import ludion
from ludion import cli
from ludion.core.verbs import Verb
from ludion.studio.openapi import interface as studio_interface
from ludion.studio.server import ROUTES
from ludion.svg import Picture

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "ludion"
KINDS = ("ludion.kinds.puzzle", "ludion.kinds.duel", "ludion.kinds.quest")
JSON_COMMANDS = {
    "solve": ["taquin", "1 2 3/4 5 6/0 7 8", "--engine", "a-star"],
    "analyse": ["tic-tac-toe", "xx./oo./..."],
    "explain": ["taquin", "1 2 3/4 5 6/0 7 8", "--heuristic", "manhattan"],
    "run": ["delirium", "level:nearest", "--agent", "still", "--steps", "1"],
    "levels": ["tic-tac-toe"],
    "games": [],
}


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def plain(text: str) -> str:
    """A docstring as Markdown: what is set off by a colon and spaces is a block of text as it stands."""
    text = inspect.cleandoc(text)
    paragraphs = []
    for part in re.split(r"\n\s*\n", text):
        is_block = all(line.startswith(("    ", ">>>")) for line in part.split("\n"))
        part = re.sub(r"::$", ":", part)
        paragraphs.append(f"```text\n{inspect.cleandoc(part)}\n```" if is_block else part)
    return "\n\n".join(paragraphs)


# ------------------------------------------------------------------ the Python interface


def signature(name: str, function: Callable[..., Any]) -> str:
    text = re.sub(r"(: |-> )'([^']+)'", r"\1\2", str(inspect.signature(function)))
    return f"```python\n{name}{text}\n```"


def field_notes(cls: type) -> dict[str, str]:
    """The comments behind the fields of a class, or above them."""
    notes: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        try:
            source = inspect.getsource(each)
        except (OSError, TypeError):
            continue
        above = ""
        for line in source.split("\n"):
            match = re.match(r"    (\w+):[^#]*?(?:#\s*(.*))?$", line)
            if match:
                notes[match[1]] = match[2] or above or notes.get(match[1], "")
            above = line.strip().removeprefix("# ") if line.strip().startswith("# ") else ""
    return notes


def class_page(name: str, cls: type) -> Iterator[str]:
    yield plain(cls.__doc__ or "")
    if dataclasses.is_dataclass(cls):
        notes = field_notes(cls)
        rows = []
        for each in dataclasses.fields(cls):
            if each.name.startswith("_"):
                continue
            has_default = each.default is not dataclasses.MISSING
            default = f"`{shown(each.default)}`" if has_default else ""
            if each.default_factory is not dataclasses.MISSING:
                default = "empty"
            rows.append((f"`{each.name}`", f"`{each.type}`", default, notes.get(each.name, "")))
        if rows:
            yield table(("field", "type", "default", "means"), rows)
    elif not issubclass(cls, Exception):
        yield signature(name, cls)
    methods = [
        (f"`{member}{method_signature(value)}`", first_line(value))
        for member, value in sorted(vars(cls).items())
        if not member.startswith("_") and first_line(value)
    ]
    if methods:
        yield table(("method or property", "gives"), methods)


def method_signature(value: Any) -> str:
    function = getattr(value, "__func__", value)
    return (
        ""
        if isinstance(value, property)
        else re.sub(r"(: |-> )'([^']+)'", r"\1\2", str(inspect.signature(function)))
    )


def shown(value: object) -> str:
    text = repr(value)
    return text if len(text) < 40 and " at 0x" not in text else "..."


def first_line(value: Any) -> str:
    function = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
    if not (inspect.isfunction(function) or isinstance(value, property)):
        return ""
    return " ".join(inspect.cleandoc(function.__doc__ or "").split("\n\n")[0].split())


def python_page() -> str:
    groups: dict[str, list[str]] = {"Functions": [], "Descriptions and values": [], "Errors": []}
    for name in ludion.__all__:
        value = getattr(ludion, name)
        kind = "Functions"
        if inspect.isclass(value):
            kind = "Errors" if issubclass(value, Exception) else "Descriptions and values"
        groups[kind].append(name)
    parts = ["# Python", "All that `import ludion` offers. `help(ludion.NAME)` says the same."]
    for title, names in groups.items():
        parts.append(f"## {title}")
        for name in names:
            value = getattr(ludion, name)
            parts.append(f"### `ludion.{name}`")
            if inspect.isclass(value):
                parts += class_page(name, value)
            else:
                parts += [signature(name, value), plain(value.__doc__ or "")]
    return "\n\n".join(part for part in parts if part)


# ------------------------------------------------------------------ commands


def commands() -> dict[str, click.Command]:
    context = click.Context(cli.ludion)
    found = {name: cli.ludion.get_command(context, name) for name in cli.ludion.list_commands(context)}
    return {name: command for name, command in found.items() if command is not None}


def commands_page() -> str:
    parts = [
        "# Commands",
        "`ludion COMMAND --help` says the same, with `--lang fr` in French. Options of a game's rules "
        "(`--goal`, `--metric`) are "
        "listed on the game's page and by `ludion games GAME`. Exit codes: 0 answered, 1 no answer, 2 bad "
        "input, 130 stopped.",
    ]
    for name, command in commands().items():
        context = click.Context(command, info_name=f"ludion {name}")
        usage = " ".join(command.collect_usage_pieces(context))
        parts += [f"## ludion {name}", f"```text\nludion {name} {usage}\n```", plain(command.help or "")]
        rows = []
        for option in command.params:
            record = option.get_help_record(context) if isinstance(option, click.Option) else None
            if record is not None:
                rows.append((f"`{record[0]}`", record[1]))
        parts.append(table(("option", "means"), rows) if rows else "")
    return "\n\n".join(part for part in parts if part)


# ------------------------------------------------------------------ verbs


def verbs_of(module_name: str) -> dict[str, Verb]:
    module = importlib.import_module(module_name)
    return {name: value for name, value in vars(module).items() if isinstance(value, Verb)}


def verbs_page() -> str:
    parts = [
        "# Verbs",
        "What a game registers, for the class of its rules (of its world, in a quest; of a heuristic "
        "or an evaluation where the "
        "first argument is one): `@moves.register(MyRules)`. Those marked * have no default: a game "
        "must register them (`goal` only if it has exactly one goal, `project` only with projections), a "
        "heuristic `estimate`, an evaluation `evaluate`.",
    ]
    for module_name in KINDS:
        parts += [f"## {module_name}", plain(importlib.import_module(module_name).__doc__ or "")]
        rows = []
        for name, each in verbs_of(module_name).items():
            star = " *" if each.default is None else ""
            names = ", ".join(inspect.signature(each).parameters)
            rows.append((f"`{name}({names})`{star}", " ".join((each.__doc__ or "").split())))
        parts.append(
            table(("verb", "gives"), sorted(rows, key=lambda row: (not row[0].endswith("*"), row[0])))
        )
    return "\n\n".join(parts)


# ------------------------------------------------------------------ JSON, notations, HTTP


def json_page() -> str:
    import contextlib
    import io

    from ludion.answers import Answer

    notes = field_notes(Answer)
    fields = "status score length moves nodes expanded frontier depth seconds cpu_seconds memory engine"
    fields += " heuristic evaluation bound limit reason tier line_is_cut"
    question = ludion.Search("taquin", "level:report-5", engine="a-star")
    rows = [(f"`{name}`", notes.get(name, "")) for name in fields.split()]
    rows[1] = (
        "`score`",
        "duels: points for the player to move; from 9000 on a forced win, 10000 minus its plies",
    )
    rows[rows.index(("`engine`", ""))] = ("`engine`", "the engine that answered")
    rows.insert(2, ("`words`", "duels: the score in words, in the language in use"))
    rows[rows.index(("`moves`", notes["moves"]))] = (
        "`moves`",
        "the solution, or the best line, in the notation of the game",
    )
    parts = [
        "# JSON",
        "Commands with `--json` print one object per line; numbers are not rounded and have decimal "
        "points in every language. "
        "`ludion mcp` and the studio answer with the same objects. Fields are only added within a version 0.x.",
        "## An answer",
        "`ludion solve --json`, `answer.json()`; the command adds `game`, `position` and `options` in "
        "front. Fields without a "
        "value are left out.",
        table(("field", "means"), rows),
        "## A question",
        "`question.json()` and `Search.from_json` (or `Run.from_json`):",
        f"```json\n{json.dumps(question.json(), indent=1)}\n```",
        "## Examples",
    ]
    for name, arguments in JSON_COMMANDS.items():
        out = io.StringIO()
        with (
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()),
            contextlib.suppress(SystemExit),
        ):
            cli.main([name, *arguments, "--json"])
        line = out.getvalue().split("\n")[0]
        words = " ".join(f'"{word}"' if " " in word or "." in word else word for word in arguments)
        parts.append(
            f"```text\n$ ludion {name} {words} --json\n{line[:600]}{'...' if len(line) > 600 else ''}\n```"
        )
    return "\n\n".join(parts)


NOTATIONS = ("notation", "maps", "bdcff", "xml_maps", "actions")  # modules that say how something is written


def notation_folders() -> dict[str, Path]:
    """The games of this package (others may be registered), each with its folder."""
    folders = {name: PACKAGE / "games" / name.replace("-", "_") for name in sorted(ludion.games())}
    return {name: folder for name, folder in folders.items() if folder.is_dir()}


def notations_page() -> str:
    parts = ["# Notations", "How positions and moves are written; `ludion show GAME TEXT` draws a text."]
    for name, folder in notation_folders().items():
        game = ludion.games()[name]
        names = [each for each in NOTATIONS if (folder / f"{each}.py").is_file()]
        parts.append(f"## {game.title}")
        for each in names:
            module = importlib.import_module(f"ludion.games.{folder.name}.{each}")
            parts.append(plain(module.__doc__ or ""))
        rows = [
            (
                f"`--{option.name}`",
                option.help,
                f"`{option.default}`" if option.default else "",
                ", ".join(option.choices),
            )
            for option in game.options
        ]
        if rows:
            parts.append(table(("option", "means", "default", "choices"), rows))
    return "\n\n".join(parts)


def type_words(kind: str | list[str]) -> str:
    """A type of JSON Schema in words: one, or several of which one holds."""
    return kind if isinstance(kind, str) else " or ".join(kind)


def fields_table(title: str, schema: dict[str, Any]) -> str:
    rows = [
        (f"`{name}`", type_words(each["type"]), each["description"])
        for name, each in schema["properties"].items()
    ]
    return table((title, "type", "means"), rows)


def http_page() -> str:
    interface = studio_interface(ROUTES)
    parts = [
        "# HTTP",
        "## The studio",
        f"{interface['info']['description']}\n\nA running studio serves this description as OpenAPI "
        f"3.1 at `/api/openapi.json`.",
    ]
    for path, methods in interface["paths"].items():
        for method, operation in methods.items():
            parts.append(f"### `{method.upper()} {path}`\n\n{operation['summary']}")
            body = operation.get("requestBody")
            if body:
                schema = body["content"]["application/json"]["schema"]
                parts.append(fields_table("field of the body", schema))
            codes = [(f"`{code}`", each["description"]) for code, each in operation["responses"].items()]
            parts.append(table(("status", "means"), codes))
    parts.append("### Answers to `POST /api/games/{game}/ask/{what}`\n\nThe fields of the event `answer`.")
    for what, schema in interface["components"]["schemas"].items():
        parts += [f"#### `{what}`", fields_table(f"field of {what}", schema)]
    module = importlib.import_module("ludion.games.crocomine.server")
    parts += [
        "## CrocoMine's server",
        "`ludion crocomine-server`, as the course's.",
        plain(module.__doc__ or ""),
    ]
    return "\n\n".join(parts)


# ------------------------------------------------------------------ the code and its dependencies


def summary_of(file: Path) -> str:
    """The first sentence of a file's docstring, or of the comment at the head of a script."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        match = re.match(r'(?:#[^\n]*\n)*r?"""(.*?)(?:"""|\n\n)', text, re.DOTALL)
    else:
        match = re.match(r"((?://.*\n)+)", text)
    if not match:
        return ""
    words = " ".join(line.removeprefix("//").strip() for line in match[1].split("\n")).strip()
    return re.split(r"(?<=\.)\s", words)[0].rstrip(":")


def code_files() -> list[Path]:
    files = [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.js")]
    return sorted(file for file in files if file.stat().st_size)


def code_map_page() -> str:
    parts = [
        "# Map of the code",
        "One line per file of `src/ludion`, from the file itself. How the folders depend on each other is in "
        "[Architecture](../architecture.md).",
    ]
    folders: dict[Path, list[Path]] = {}
    for file in code_files():
        folders.setdefault(file.parent.relative_to(PACKAGE), []).append(file)
    for folder, files in sorted(folders.items()):
        parts.append(f"## {'ludion' if str(folder) == '.' else folder.as_posix()}")
        parts.append(table(("file", "is"), [(f"`{file.name}`", summary_of(file)) for file in files]))
    return "\n\n".join(parts)


def dependencies() -> list[tuple[str, str, str]]:
    """Name, version and licence of each package that ludion needs at run time, and of what these need."""
    waiting, seen = ["ludion"], {}
    while waiting:
        name = waiting.pop()
        try:
            meta = importlib.metadata.metadata(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        for line in importlib.metadata.requires(name) or []:
            needed = re.match(r"[\w.-]+", line)
            if needed and ";" not in line and needed[0].lower().replace("_", "-") not in seen:
                waiting.append(needed[0])
        licences = [
            each.rpartition(" :: ")[2]
            for each in meta.get_all("Classifier", [])
            if each.startswith("License ::")
        ]
        licence = (
            meta.get("License-Expression")
            or ", ".join(licences)
            or (meta.get("License") or "").split("\n")[0]
        )
        seen[name.lower().replace("_", "-")] = (meta["Name"], meta["Version"], licence)
    return [seen[name] for name in sorted(seen)]


def licences_page() -> str:
    return "\n\n".join((
        "# Dependencies and their licences",
        "What `pip install ludion` brings along, without extras, as installed where these pages were built.",
        table(("package", "version", "licence"), dependencies()),
    ))  # fmt: skip


# ------------------------------------------------------------------ plots of the stored benchmarks


class Plot(NamedTuple):
    """Bars, one for each row of a part of a stored run."""

    run: str
    part: str
    title: str
    label: str  # fields of a row in braces
    value: str  # the field that is drawn
    unit: str
    only: str = ""  # rows whose label holds this


PLOTS = {
    "rush_hour_heuristics": Plot(
        "rush_hour",
        "heuristics",
        "A* on ten levels of Rush Hour, in moves",
        "{heuristic}",
        "nodes",
        "nodes",
        "moves",
    ),
    "rush_hour_peer": Plot(
        "rush_hour", "peer", "76 levels of Rush Hour, processor time", "{what}", "measured", "ms", "s"
    ),
    "delirium_levels": Plot("delirium", "own_levels", "Delirium: levels won", "{set}", "won", "of 24"),
    "delirium_speed": Plot(
        "delirium", "speed", "Delirium: the physics", "{what}", "measured", "M ticks/s", "delirium rules"
    ),
}


def median_of(cell: Any) -> float:
    return float(statistics.median(cell["values"])) if isinstance(cell, dict) else float(cell)


def bars(plot: Plot) -> str:
    """The plot as SVG; an empty one if the part was not measured."""
    file = ROOT / "benchmarks" / "runs" / f"{plot.run}.json"
    run = json.loads(file.read_text(encoding="utf-8")).get(plot.part) if file.is_file() else None
    rows = [row for row in run["rows"] if row.get("unit", plot.unit) == plot.unit] if run else []
    pairs = [(plot.label.format(**row), median_of(row[plot.value])) for row in rows]
    pairs = [(label.removeprefix("... "), value) for label, value in pairs if plot.only in label]
    height = 90 + 46 * len(pairs)
    text = "\n".join(f"{label}: {value:g} {plot.unit}" for label, value in pairs)
    picture = Picture(1000, height, plot.title, text)
    picture.root.set("width", "640")
    picture.text(10, 34, plot.title, 26, text_anchor="start")
    most = max((value for _, value in pairs), default=1.0)
    for number, (label, value) in enumerate(pairs):
        y = 66 + 46 * number
        picture.text(400, y + 16, label, 20, text_anchor="end")
        picture.rect(412, y, 400 * value / most, 32, fill="blue", rx=4)
        picture.text(420 + 400 * value / most, y + 16, f"{value:,.4g} {plot.unit}", 20, text_anchor="start")
    when = run["about"]["date"][:10] if run else "not measured yet"
    picture.text(
        990, height - 12, f"benchmarks/runs/{plot.run}.json, {when}", 14, text_anchor="end", fill="soft"
    )
    return str(picture)


PAGES: dict[str, Callable[[], str]] = {
    "python": python_page,
    "commands": commands_page,
    "verbs": verbs_page,
    "json": json_page,
    "notations": notations_page,
    "http": http_page,
    "code_map": code_map_page,
    "licences": licences_page,
}


def write(folder: Path) -> None:
    """Write all pages and plots into a folder; one that has not changed is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {f"{name}.md": page() + "\n" for name, page in PAGES.items()}
    texts |= {f"{name}.svg": bars(plot) + "\n" for name, plot in PLOTS.items()}
    for name, text in texts.items():
        if not (folder / name).is_file() or (folder / name).read_text(encoding="utf-8") != text:
            (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(Path(__file__).parent / "reference")
