"""Answers as plain values: what `--json` prints, files keep, and workers send back."""

from __future__ import annotations

from typing import Any


def as_object(position: Any, answer: Any) -> dict[str, Any]:
    """An answer as a JSON object."""
    return record(position.card, position.text, position.options, answer)


def record(card: Any, text: str, options: Any, answer: Any) -> dict[str, Any]:
    """An answer about the position of this text as a JSON object."""
    told: dict[str, Any] = {"game": card.name, "position": text}
    if options:
        told["options"] = dict(options)
    told["status"] = answer.status
    if answer.score is not None:
        told["score"] = int(answer.score)
        told["words"] = str(answer.score)
    elif card.kind == "puzzle":
        told["length"] = answer.length
    told |= {
        "moves": list(answer.line),
        "nodes": answer.nodes,
        "expanded": answer.expanded,
        "depth": answer.depth,
        "seconds": round(answer.seconds, 6),
        "memory": answer.memory,
        "engine": answer.engine,
    }
    for name, value in (
        ("heuristic" if card.kind == "puzzle" else "evaluation", answer.guide),
        ("bound", answer.bound),
        ("limit", answer.limit),
        ("reason", answer.reason),
    ):
        if value not in (None, ""):
            told[name] = value
    return told
