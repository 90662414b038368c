"""Every sentence that people read, by id, in English and in French.

A message id is `PART.NAME`. The sentences of a part stand side by side in one TOML file, `messages/PART.toml`, or, for
a game, `games/PART/messages.toml`:

    [uneven_rows]
    en = "row {row} has {count} cells, the first row has {width}"
    fr = "la ligne {row} a {count} cases, la première en a {width}"

`message("taquin.uneven_rows", row=2, count=3, width=4)` is the sentence in the language in use. A value called `n` also
fills `{s}`, the plural ending: `{n} move{s}`. Texts of a game's description (summary, help) are English in the code;
only their French is in the file, and `translated` looks it up.
"""

from __future__ import annotations

import contextlib
import functools
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextvars import ContextVar
from pathlib import Path

LANGUAGES = ("en", "fr")
PACKAGE = Path(__file__).parents[1]

_language: ContextVar[str] = ContextVar("language", default="en")


def language() -> str:
    """The language in use in this thread or task."""
    return _language.get()


def language_of(header: str) -> str:
    """The first supported language of an Accept-Language header; browsers name the preferred one first."""
    for part in header.split(","):
        language = part.partition(";")[0].strip().lower().partition("-")[0]
        if language in LANGUAGES:
            return language
    return LANGUAGES[0]


@contextlib.contextmanager
def speaking(name: str) -> Iterator[None]:
    """Use this language inside the block; an unknown one means English."""
    token = _language.set(name if name in LANGUAGES else "en")
    try:
        yield
    finally:
        _language.reset(token)


def use(name: str) -> None:
    """Use this language from now on, in this thread or task; an unknown one means English."""
    _language.set(name if name in LANGUAGES else "en")


def preferred(environment: Mapping[str, str]) -> str:
    """The language that the environment asks for, as gettext reads it: LANGUAGE, LC_ALL, LC_MESSAGES, LANG."""
    for variable in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        for word in environment.get(variable, "").split(":"):
            if word:
                name = word[:2].lower()
                return name if name in LANGUAGES else "en"
    return "en"


@functools.cache
def catalogue(part: str) -> Mapping[str, Mapping[str, str]]:
    """The sentences of a part: name -> language -> sentence."""
    for file in (PACKAGE / "messages" / f"{part}.toml", PACKAGE / "games" / part / "messages.toml"):
        if file.is_file():
            return _flattened(tomllib.loads(file.read_text(encoding="utf-8")))
    return {}


def _flattened(table: Mapping[str, object], prefix: str = "") -> dict[str, Mapping[str, str]]:
    """`[option.goal]` as the name `option.goal`."""
    entries: dict[str, Mapping[str, str]] = {}
    for name, value in table.items():
        assert isinstance(value, Mapping), f"{prefix}{name} has no languages"
        if value.keys() <= set(LANGUAGES):
            entries[prefix + name] = value
        else:
            entries |= _flattened(value, f"{prefix}{name}.")
    return entries


def message(id: str, /, **values: object) -> str:
    """The sentence of this id in the language in use, its gaps filled with the values."""
    part, _, name = id.partition(".")
    sentences = catalogue(part)[name]
    chosen = language()
    if "n" in values and "s" not in values:
        many = values["n"] != 1 if chosen == "en" else not isinstance(values["n"], int) or values["n"] > 1
        values["s"] = "s" if many else ""
    return sentences.get(chosen, sentences["en"]).format(**values)


def translated(id: str, english: str) -> str:
    """A text of a description in the language in use: the French of this id, or the English itself."""
    part, _, name = id.partition(".")
    return catalogue(part).get(name, {}).get(language(), english)


def named(kind: str, name: str) -> str:
    """The name of an engine, heuristic, status or the like for people, in the language in use."""
    return translated(f"names.{kind}.{name}", name)


def labelled(label: str, text: object) -> str:
    """`label: text`, with the spaces of the language in use."""
    return f"{label}: {text}" if language() == "en" else f"{label} : {text}"


def joined(parts: Iterable[str]) -> str:
    """The parts that are not empty, with semicolons between them and the spaces of the language in use."""
    return ("; " if language() == "en" else " ; ").join(part for part in parts if part)


def decimal(number: float, places: int) -> str:
    """A number for people, with the sign for decimals and thousands of the language in use."""
    text = f"{number:,.{places}f}"
    return text if language() == "en" else text.replace(",", "\N{NARROW NO-BREAK SPACE}").replace(".", ",")
