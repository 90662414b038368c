"""Help and errors of the command line in the language in use.

The English of a help text is in the code, beside the option; its French is in `messages/help.toml`: `[solve.help]` of
the command, `[solve.animate]` of an option, `[option.game_file]` of an option that several commands have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import click

from ludion.messages import catalogue, language, message, translated

ENGLISH = "english"  # the attribute of a command or an option that keeps its text from the code


def localised(command: click.Command, name: str) -> click.Command:
    """The same command with its texts in the language in use."""
    part = name.replace("-", "_")
    command.help = _text(command, f"{part}.help")
    command.short_help = None
    for option in command.params:
        if isinstance(option, click.Option):
            localise_option(option, part)
    return command


def localise_option(option: click.Option, part: str) -> None:
    """Give an option its help in the language in use."""
    own = f"{part}.{option.name}"
    place = own if own in catalogue("help") else f"option.{option.name}"
    option.help = _text(option, place)
    shown = _in_english(option, "show_default", option.show_default)
    if shown and language() != "en" and option.help and not option.is_flag:  # click's own words are English
        value = str(option.default)
        if isinstance(option.default, float):
            value = value.removesuffix(".0").replace(".", ",")
        option.help += " " + message("cli.default", value=value)
    option.show_default = shown if language() == "en" else None


def _text(owner: click.Command | click.Option, place: str) -> str | None:
    english = _in_english(owner, "help", owner.help)
    return None if english is None else translated(f"help.{place}", english)


def _in_english(owner: Any, name: str, value: Any) -> Any:
    """The original value, which is stored with its owner before the first change."""
    texts = owner.__dict__.setdefault(ENGLISH, {})
    return texts.setdefault(name, value)


class LocalFormatter(click.HelpFormatter):
    """Help pages with click's own texts in the language in use."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, _local_words(args), message("cli.usage"))

    def write_heading(self, heading: str) -> None:
        local = translated(f"help.heading.{heading}", heading)
        super().write_heading(local if language() == "en" else f"{local} ")  # click adds a colon

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        local = [(_local_words(first), _own_words(second)) for first, second in rows]
        super().write_dl(local, col_max, col_spacing)


# What click writes at the end of a line of help, by the id of our words.
CLICK_WORDS = {"Show this message and exit.": "cli.show_help", "[required]": "cli.required_value"}


LIMITS = re.compile(r"\s*\[(default: [^;\]]*)?(; )?[\d<=]*x[<>=]+\d+\]")  # "[default: 1; x>=1]"


def _own_words(text: str) -> str:
    for words, id in CLICK_WORDS.items():
        text = text.replace(words, message(id))
    return LIMITS.sub(lambda found: f"  [{found[1]}]" if found[1] else "", text)


def _local_words(text: str) -> str:
    """A usage line or an option with its words for values in the language in use; numbers are N and X."""
    text = re.sub(r"\bINTEGER( RANGE)?\b", "N", re.sub(r"\bFLOAT( RANGE)?\b", "X", text))
    if language() == "en":
        return text
    return re.sub(
        r"(?<![-\w])[A-Z]{2,}(?!\w)", lambda word: translated(f"help.value.{word[0]}", word[0]), text
    )


click.Context.formatter_class = LocalFormatter


def usage_error(error: click.ClickException) -> str:
    """The error of a command line, in one line."""
    if isinstance(error, click.NoSuchOption):
        near = error.possibilities or []
        hint = message("errors.did_you_mean", name=near[0]) if near else ""
        return message("cli.no_such_option", name=error.option_name) + hint
    if isinstance(error, click.MissingParameter):
        name = str(error.param_hint or (error.param.name or "" if error.param else "")).upper()
        return (
            message("cli.missing_game") if name == "GAME" else message("cli.missing", name=_local_words(name))
        )
    if isinstance(error, click.BadParameter) and error.param is not None:
        name = (
            error.param.opts[0]
            if isinstance(error.param, click.Option)
            else _local_words(error.param.opts[0].upper())
        )
        return message("cli.bad_value", name=name, why=_in_own_words(error.message))
    return _in_own_words(error.format_message())


# What click says in English, by the id of our sentence.
CLICK_SENTENCES = {
    "not_an_integer": r"'(?P<value>.*)' is not a valid integer( range)?\.",
    "not_a_number": r"'(?P<value>.*)' is not a valid float( range)?\.",
    "not_in_range": r"(?P<value>\S+) is not in the range (?P<range>.*)\.",
    "not_a_choice": r"'(?P<value>.*)' is not (one of )?(?P<choices>'.*')\.",
    "no_file": r"(File|Path|Directory) '(?P<file>.*)' does not exist\.",
    "needs_value": r"Option '(?P<name>.*)' requires an argument\.",
    "takes_no_value": r"Option '(?P<name>.*)' does not take a value\.",
    "too_many_words": r"Got unexpected extra arguments? \((?P<words>.*)\)",
    "cannot_open": r"Could not open file '(?P<file>.*)': (?P<why>.*)",
    "no_command": r"Missing command\.",
}


def _in_own_words(sentence: str) -> str:
    """A sentence of click in the language in use; unknown sentences stay unchanged."""
    for name, pattern in CLICK_SENTENCES.items():
        if match := re.fullmatch(pattern, sentence):
            return message(f"cli.click.{name}", **match.groupdict())
    return sentence
