"""Values whose fields are checked against their annotations on construction.

class Level(TypedFields): ...        Level(3, "") raises: Level.name must be str, not 3
"""

from __future__ import annotations

import ast
import dataclasses
import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Any, ClassVar

from ludion.errors import GameFileError, LudionError, SettingError, in_short
from ludion.messages import message

# By the first word of an annotation; any other names a class of ours.
CLASSES: dict[str, type | tuple[type, ...]] = {
    "bool": bool,
    "int": int,
    "float": (int, float),
    "tuple": tuple,
    "type": type,
    "Mapping": Mapping,
    "Sequence": Sequence,
    "Path": Path,
    "Value": (bool, int, float, str, NoneType),  # of a setting
}
ANYTHING = ("Any", "object", "R", "P")  # type variables stand for values of a game


class TypedFields:
    """A dataclass whose fields are checked against their annotations."""

    field_error: ClassVar[type[LudionError]] = GameFileError

    def __post_init__(self) -> None:
        kind: Any = type(self)
        for name, (annotation, wanted) in annotated(kind).items():
            value = getattr(self, name)
            if not fits(value, wanted):
                text = re.sub(r"\[[RP, ]+\]", "", annotation)  # without type variables
                wanted_text = message("errors.a_function") if "Callable" in text else text
                raise self.field_error(
                    message(
                        "errors.field_type",
                        name=f"{type(self).__name__}.{name}",
                        wanted=wanted_text,
                        value=in_short(value),
                    )
                )


@functools.cache
def annotated(kind: Any) -> dict[str, tuple[str, ast.expr]]:
    """The annotations of the fields of a dataclass, which are texts, as syntax trees."""
    fields = {field.name: str(field.type) for field in dataclasses.fields(kind)}
    return {name: (text, ast.parse(text, mode="eval").body) for name, text in fields.items()}


def fits(value: object, wanted: ast.expr) -> bool:
    """Whether a value is of an annotated type: names, unions, and the elements of containers."""
    match wanted:
        case ast.BinOp(left, ast.BitOr(), right):
            return fits(value, left) or fits(value, right)
        case ast.Constant():
            return value is None
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return is_a(value, name)
        case ast.Subscript(value=ast.Name(id="Mapping"), slice=ast.Tuple(elts=[key, element])):
            return isinstance(value, Mapping) and all_fit(value, key) and all_fit(value.values(), element)
        case ast.Subscript(value=ast.Name(id=name), slice=inside):
            if name in ("tuple", "Sequence") and is_a(value, name) and not isinstance(value, str):
                return all_fit(value, inside.elts[0] if isinstance(inside, ast.Tuple) else inside)  # type: ignore[arg-type]
            return name not in ("tuple", "Sequence") and is_a(value, name)
    return True


def all_fit(values: Iterable[object], wanted: ast.expr) -> bool:
    return all(fits(value, wanted) for value in values)


def check_type(name: str, value: object, wanted: type, *, optional: bool = False) -> None:
    """Raise an error of ours if an argument has another type; one that is optional may be None."""
    if optional and value is None:
        return
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise SettingError(
            message("errors.argument_type", name=name, wanted=wanted.__name__, type=type(value).__name__)
        )


def is_text(value: object) -> bool:
    """Whether a value is a text without unpaired surrogates, which no file can hold."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_a(value: object, name: str) -> bool:
    """Whether a value is of the class of this name."""
    if name == "Callable":
        return callable(value)
    if name in ANYTHING:
        return True
    if name == "str":
        return is_text(value)
    if name in CLASSES:
        return isinstance(value, CLASSES[name]) and not (name in ("int", "float") and isinstance(value, bool))
    return any(base.__name__ == name for base in type(value).__mro__)
