"""The fields of the studio's questions and answers with their types, one per line: `python -m tests.studio.interface`
writes them to interface.txt."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ludion.questions import Run, Search
from ludion.studio.openapi import interface
from ludion.studio.server import ROUTES

GOLDEN = Path(__file__).with_name("interface.txt")
INTERFACE = interface(ROUTES)


def fields() -> list[str]:
    """The version, then every field: of requests and answers by path, of answers by question, of questions as JSON."""
    lines = [f"version {INTERFACE['info']['version']}"]
    for path, operations in INTERFACE["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {"content": {}})["content"]
            answer = operation["responses"]["200"].get("content", {})
            lines += _fields(f"{method.upper()} {path}", body.get("application/json"))
            lines += _fields(f"{method.upper()} {path} ->", answer.get("application/json"))
    for name, schema in INTERFACE["components"]["schemas"].items():
        lines += _fields(f"{name} ->", {"schema": schema})
    for question in (Search, Run):
        lines += [f"{question.name} {each.name}: {each.type}" for each in dataclasses.fields(question)]
    return lines


def _fields(where: str, content: dict[str, Any] | None) -> Iterator[str]:
    if content is not None:
        yield from _within(where, content["schema"], " ")


def _within(where: str, schema: dict[str, Any], dot: str = ".") -> Iterator[str]:
    """The fields of an object, and of the objects within it, in order."""
    schema = schema.get("items", schema)
    always = schema.get("required", ())
    for name, part in schema.get("properties", {}).items():
        kinds = part["type"] if isinstance(part["type"], str) else " or ".join(part["type"])
        items = part.get("items", {}).get("type", "")
        of = f" of {items if isinstance(items, str) else ' or '.join(items)}" if items else ""
        yield f"{where}{dot}{name}: {kinds}{of}{', always' if name in always else ''}"
        yield from _within(f"{where}{dot}{name}", part)


if __name__ == "__main__":
    GOLDEN.write_text("\n".join(fields()) + "\n", encoding="utf-8")
