"""Named values that people choose: options of the rules, settings of engines, agents and generators."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ludion.errors import SettingError, in_short, unknown
from ludion.fields import TypedFields
from ludion.messages import message

Value = bool | int | float | str | None

YES, NO = ("yes", "true", "on", "1"), ("no", "false", "off", "0")


@dataclass(frozen=True)
class Setting(TypedFields):
    """A named value: its type, its default, its limits, and a line of help.

    An option of the rules is a text (`type` is str), as it stands on the command line and in a level.
    """

    name: str  # as in Python: no_guess; on the command line it is --no-guess
    help: str
    default: Value = None
    type: type[bool] | type[int] | type[float] | type[str] = str
    choices: tuple[str, ...] = ()  # of a text
    least: float | None = None  # of a number
    most: float | None = None

    @property
    def flag(self) -> str:
        return f"--{self.name.replace('_', '-')}"

    def read(self, value: object) -> Value:
        """The value, given as it is or as a text; raises SettingError if it is not allowed."""
        if value is None:
            return self.default
        if self.type is bool:
            return self._read_bool(value)
        if self.type is str:
            if not isinstance(value, str):
                raise SettingError(message("settings.text", name=self.name, value=in_short(value)))
            if self.choices and value not in self.choices:
                raise unknown("settings.choice", value, self.choices, name=self.name)
            return value
        return self._read_number(value)

    def _read_bool(self, value: object) -> bool:
        if isinstance(value, bool):
            return value
        if isinstance(value, str) and value.lower() in YES + NO:
            return value.lower() in YES
        raise SettingError(message("settings.yes_or_no", name=self.name, value=in_short(value)))

    def _read_number(self, value: object) -> int | float:
        try:
            if isinstance(value, bool) or not isinstance(value, (int, float, str)):
                raise ValueError
            if isinstance(value, float) and self.type is int:
                raise ValueError
            if isinstance(value, str) and not value.isascii():
                raise ValueError
            number = int(value) if self.type is int else float(value)
            if not math.isfinite(number):
                raise ValueError
        except (ValueError, OverflowError):
            kind = "whole_number" if self.type is int else "number"
            raise SettingError(
                message(
                    f"settings.{kind}",
                    name=self.name,
                    value=value[:60] if isinstance(value, str) else in_short(value),
                )
            ) from None
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            bounds = {
                (True, True): "between", (True, False): "at_least", (False, True): "at_most",
            }[self.least is not None, self.most is not None]  # fmt: skip
            raise SettingError(
                message(f"settings.{bounds}", name=self.name, least=self.least, most=self.most, value=number)
            )
        return number

    def write(self, value: Value) -> str:
        """The value as a text that `read` reads back."""
        return write_value(value)


def write_value(value: Value) -> str:
    """A value as people type it: yes and no, and whole numbers without `.0`."""
    if isinstance(value, bool):
        return ("no", "yes")[value]
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def read_settings(
    offered: Iterable[Setting], given: Mapping[str, object], what: str, **values: object
) -> dict[str, Value]:
    """The given settings, checked against the offered ones; `what` is the message id that names their owner."""
    known = {setting.name: setting for setting in offered}
    for name in given:
        if name not in known:
            raise unknown(what, name, known, **values)
    return {name: known[name].read(value) for name, value in given.items()}


def read_pairs(texts: Iterable[str]) -> dict[str, str]:
    """`NAME=VALUE` texts as a mapping."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SettingError(message("settings.pair", text=text))
        pairs[name.replace("-", "_")] = value
    return pairs
