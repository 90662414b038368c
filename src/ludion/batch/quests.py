"""The work of `ludion run`: one game of an agent in a quest, as values that can travel."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.card import Card, resolve


@dataclass(frozen=True)
class Task:
    """One game to be played: everything a worker process needs."""

    game: str
    position: str
    options: Mapping[str, str]
    agent: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    steps: int = 10_000
    patience: float | None = None
    level: str = ""


def play(task: Task) -> dict[str, Any]:
    """Play one game and tell how it went."""
    from ludion.registry import card as find_card

    card = find_card(task.game)
    game, world = resolve(card.read)(task.position, **task.options)
    return play_in(card, task, game, world)


def play_on_server(task: Task, password: str) -> Iterator[dict[str, Any]]:
    """Play the worlds of a server (the task's position) as a group (its level), one after the other."""
    from ludion.registry import card as find_card

    card = find_card(task.game)
    for number, world in enumerate(resolve(card.remote)(task.position, group=task.level, password=password)):
        settings = {**task.settings, "seed": task.settings["seed"] + number}
        yield play_in(card, replace(task, settings=settings), None, world)


def play_in(card: Card, task: Task, game: Any, world: Any) -> dict[str, Any]:
    """Let the task's agent act in this world and tell how it went."""
    from ludion.kinds import quest

    agent = make_agent(card, task.agent, game, task.settings)
    try:
        referee: Any = resolve(card.referee) or quest.run
        record = referee(world, agent, steps=task.steps, patience=task.patience)
    finally:
        close = getattr(agent, "close", None)
        if close is not None:
            close()
    write = resolve(card.write_move)
    moves = [write(game, record.world, action) if write else action for action in record.actions]
    told: dict[str, Any] = {
        "game": task.game,
        "level": task.level,
        "position": task.position,
        "options": dict(task.options),
        "status": record.outcome,
        "ended_by": record.ended_by,
        "reason": record.reason,
        "length": record.steps,
        "moves": moves,
        "nodes": int(getattr(agent, "nodes", 0)),
        "seconds": round(record.seconds, 6),
        "slowest": round(record.slowest, 6),
        "decisions_per_second": round(record.steps / record.seconds, 1) if record.seconds else None,
        "engine": task.agent,
        "seed": task.settings.get("seed"),
    }
    if card.report is not None:
        told.update(resolve(card.report)(record))
    return told


def make_agent(card: Card, name: str, game: Any, settings: Mapping[str, Any]) -> Any:
    """The agent of this name, made with those settings that it takes."""
    import inspect

    kind, colon, argument = name.partition(":")
    if kind not in card.agents:
        raise unknown(f"agent of {card.name}", kind, card.agents)
    make = resolve(card.agents[kind].make)
    parameters = dict(list(inspect.signature(make).parameters.items())[1:])
    given = {key: value for key, value in settings.items() if key in parameters and value is not None}
    if "argument" in parameters:
        if not argument and parameters["argument"].default is inspect.Parameter.empty:
            raise UnfitError(f"agent '{kind}' needs an argument: {kind}:SOMETHING")
        if argument:
            given["argument"] = argument
    elif colon:
        raise UnfitError(f"agent '{kind}' takes no argument")
    for key in settings.get("named", ()):
        if key not in parameters:
            raise unknown(f"setting of agent {kind}", key, parameters)
        given[key] = converted(key, settings["named"][key], parameters[key].default)
    return make(game, **given)


def converted(name: str, text: str, default: Any) -> Any:
    """A value given as text, with the type of the default."""
    if isinstance(default, bool):
        if text.lower() in ("yes", "true", "on", "1"):
            return True
        if text.lower() in ("no", "false", "off", "0"):
            return False
        raise LudionError(f"{name} must be yes or no, not '{text}'")
    if isinstance(default, (int, float)):
        try:
            return type(default)(text)
        except ValueError:
            raise LudionError(f"{name} must be a number, not '{text}'") from None
    return text
