"""Why an agent decides as it does: what it says of its last decision, as plain values and in words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ludion.answers import in_percent
from ludion.kinds.games import Game
from ludion.messages import joined, message

if TYPE_CHECKING:
    from ludion.kinds.quest import Agent


class AgentDecision(NamedTuple):
    """What an agent would do, and why."""

    action: Any
    name: str
    thought: dict[str, Any]  # see `thought_of`

    def __str__(self) -> str:
        """Why, in words."""
        return in_words(self.thought)


THOUGHT_FIELDS = (
    *("layer", "layers", "action", "target", "path", "plan", "search", "dangers", "barred"),
    *("proved", "weighed"),
)


def thought_of(game: Game[Any, Any], agent: Agent, percept: object) -> dict[str, Any] | None:
    """The reasons of an agent's decision, if it gives any: layer, path and dangers, or proofs and compared actions."""
    thought: dict[str, Any] = {}
    for name in ("window", "here"):  # the part of the world that it sees now, and where it is itself
        value = getattr(percept, name, None)
        if value is not None:
            thought[name] = list(value)
    last = getattr(agent, "thought", None)
    if last is not None:
        for name in THOUGHT_FIELDS:
            value = getattr(last, name, None)
            if value is not None:
                thought[name] = [list(each) for each in value] if isinstance(value, list) else value
        thought["words"] = str(last)
        layers = {str(getattr(last, "layer", "")), *(each[-1] for each in getattr(last, "proved", ()))}
        thought["layer_names"] = {name: game.translate(f"layer.{name}", name) for name in layers if name}
    for name in ("risk", "sure"):
        value = getattr(agent, name, None)
        if isinstance(value, (bool, int, float)) and math.isfinite(value):
            thought[name] = value
    return thought or None


def in_words(thought: Mapping[str, Any]) -> str:
    """An agent's reasons in one line: its own words and its risk."""
    parts = [str(thought.get("words", ""))]
    if thought.get("sure"):
        parts.append(message("answers.proved_safe"))
    elif "risk" in thought:
        parts.append(message("answers.risk", risk=in_percent(thought["risk"])))
    return joined(parts)
