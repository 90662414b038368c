"""The studio's JSON interface as an OpenAPI 3.1 description, generated from the server's routes.

The summary of a route is the first line of its function's docstring; `FIELDS` has the fields of its request, `ANSWERS`
those of its answer. `GET /api/openapi.json` serves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from starlette.routing import Route

from ludion.studio.asks import ASKS

Schema = dict[str, Any]


def _schema(type: str, meaning: str, **more: Any) -> Schema:
    return {"type": type, "description": meaning, **more}


def _texts(meaning: str) -> Schema:
    return _schema("array", meaning, items={"type": "string"})


PLACE: dict[str, Schema] = {
    "start": _schema(
        "string", "a position in the notation of the game, level:NAME, or nothing for the start"
    ),
    "options": _schema("object", "options of the rules, as texts", additionalProperties={"type": "string"}),
    "moves": _schema("array", "the moves since the start", items={"type": ["string", "integer"]}),
    "cursor": _schema("integer", "how many of the moves have been made; the others can be redone"),
}
SEARCH: dict[str, Schema] = {
    "engine": _schema("string", "the engine; best if none is given"),
    "heuristic": _schema("string", "puzzles: what guides the engine"),
    "evaluation": _schema("string", "duels: what guides the engine"),
    "settings": _schema("object", "settings of the engine, agent or generator: numbers, choices, yes or no"),
    "seconds": _schema("number", "the time limit, at most 120"),
    "nodes": _schema("integer", "the limit of positions seen"),
    "depth": _schema("integer", "duels: plies to look ahead"),
}
ASKED: dict[str, Schema] = {
    "keep": _schema("integer", "watch: how many events of the recording to show, at most 5000"),
    "levels": _texts("lab: the levels to measure on"),
    "engines": _texts("lab: the engines to measure"),
    "guides": _texts("lab: the heuristics or evaluations to measure"),
    "agents": _texts("lab: the agents to measure"),
    "games": _schema("integer", "lab: how many games each agent plays on a level"),
    "spoken": _schema("integer", "solve: how many moves of the line to say in words"),
    "opponent": _schema("string", "reply: beginner, casual, club, strong or strongest"),
    "agent": _schema("string", "run: the agent"),
    "seed": _schema("integer", "reply, run, generate: the seed"),
    "steps": _schema("integer", "run: the limit of steps"),
    "budget": _schema("number", "run: seconds per decision"),
    "runs": _schema("array", "compare: up to four objects with engine or agent and their settings"),
    "instances": _schema(
        ["array", "string"],  # type: ignore[arg-type]
        "compare: up to 60 objects with name and a place; lab: levels, new (boards) or report",
    ),
    "count": _schema("integer", "lab: how many new boards"),
    "move": _schema("string", "why: the move; the best one if none is given"),
    "why": _schema("string", "study: of a cell, in the game's own words"),
}
# The fields of a request's body, by path.
FIELDS: dict[str, dict[str, Schema]] = {
    "/api/games/{game}/state": {
        **PLACE,
        "save": _schema("boolean", "remember it for this browser"),
        "slot": _schema("string", "save it beside the browser's own game, under this name"),
        "helped": _schema("boolean", "do not count it as solved without help"),
    },
    "/api/games/{game}/question": {
        **PLACE,
        **SEARCH,
        "what": _schema("string", "play, show, solve, analyse, review, compare or run"),
        "agent": ASKED["agent"],
    },
    "/api/games/{game}/ask/{what}": {**PLACE, **SEARCH, **ASKED},
    "/api/games/{game}/boards": {
        **PLACE,
        "paths": _schema("array", "at most 200 lists of moves, as the engines' ints"),
        "touched": _schema("boolean", "only the cells that the last move of each path changed"),
    },
    "/api/stop/{job}": {},
}
STATE: dict[str, Schema] = {
    "game": _schema("string", "the name of the game"),
    "text": _schema("string", "the position in one line"),
    "board": _schema("string", "the position as text"),
    "svg": _schema(["string", "null"], "its picture"),  # type: ignore[arg-type]
    "status": _schema("string", "open, or how the game ended"),
    "moves": _texts("the moves made, in the notation of the game"),
    "spoken": _texts("the same in words"),
    "legal": _texts("the legal moves"),
    "legal_spoken": _texts("the same in words"),
    "options_in_force": _schema("object", "the options chosen and those of the level"),
}
GAME: dict[str, Schema] = {
    "name": _schema("string", "what is typed"),
    "kind": _schema("string", "puzzle, duel or quest"),
    "title": _schema("string", "for people"),
    "summary": _schema("string", "in one sentence"),
}
QUESTION = {
    "command": _schema("string", "the command that asks it"),
    "python": _schema("string", "the Python lines that ask it"),
    "url": _schema("string", "the address of the page that shows it"),
}
# The fields of an answer that are always there, by path. A list is an array of such objects.
ANSWERS: dict[str, Schema] = {
    "/api/health": {
        "type": "object",
        "properties": {
            "ok": _schema("boolean", "it answers"),
            "running": _schema("integer", "searches under way"),
            "waiting": _schema("integer", "searches in the queue"),
            "at_once": _schema("integer", "searches that may run at once"),
        },
    },
    "/api/games": {"type": "array", "items": {"type": "object", "properties": GAME}},
    "/api/games/{game}": {
        "type": "object",
        "properties": {
            **GAME,
            "options": _schema("array", "the options of the rules"),
            "levels": _schema("array", "name, title, source, options, known"),
            "engines": _schema("array", "puzzles and duels: name, help, settings"),
            "agents": _schema("array", "quests: name, help, settings"),
        },
    },
    "/api/games/{game}/state": {"type": "object", "properties": STATE},
    "/api/games/{game}/question": {"type": "object", "properties": QUESTION},
}
STREAM = (
    "a stream of server-sent events: `job` (its id), `queued`, `started`, `compiling`, `progress`, "
    "`scores`, `tables`, "
    "`standing`, `acts`, `row`, and at the end `answer` or `error`"
)
ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": _schema("string", "the reason, in one line")},
}


def interface(routes: Iterable[Route]) -> Schema:
    """The OpenAPI description of the routes below /api."""
    paths: dict[str, Schema] = {}
    for route in routes:
        if route.path.startswith("/api"):
            method = "post" if "POST" in (route.methods or ()) else "get"
            paths.setdefault(route.path, {})[method] = _operation(route, method)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "ludion studio",
            "version": version("ludion"),
            "description": "The interface that the studio's own page uses, for programs on the same machine. "
            "Answers are in the language of Accept-Language (en, fr). A POST has a JSON object as its body "
            "and the header "
            "`Content-Type: application/json`. Fields of questions and answers stay within a version "
            "0.x; others may come.",
        },
        "paths": paths,
    }


def _operation(route: Route, method: str) -> Schema:
    summary = " ".join((route.endpoint.__doc__ or "").split("\n\n")[0].split())
    success: Schema = {"description": "the answer"}
    if route.path == "/api/games/{game}/ask/{what}":
        success = {"description": STREAM, "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    elif schema := ANSWERS.get(route.path):
        if "properties" in schema:
            schema = {**schema, "required": sorted(schema["properties"])}
        success["content"] = {"application/json": {"schema": schema}}
    refused = {"content": {"application/json": {"schema": ERROR}}}
    responses = {"200": success, "400": {"description": "bad input, with its reason", **refused}}
    if "{" in route.path:
        responses["404"] = {"description": "no such game or question", **refused}
    if method == "post":
        responses["403"] = {"description": "not from this machine or its own page", **refused}
        responses["413"] = {"description": "the body is too large", **refused}
    operation: Schema = {"operationId": route.endpoint.__name__, "summary": summary, "responses": responses}
    names = re.findall(r"{(\w+)}", route.path)
    if names:
        operation["parameters"] = [
            {"name": name, "in": "path", "required": True, "schema": _parameter(name)} for name in names
        ]
    if method == "post":
        body = {"type": "object", "properties": FIELDS.get(route.path, {})}
        operation["requestBody"] = {"content": {"application/json": {"schema": body}}}
    return operation


def _parameter(name: str) -> Schema:
    return {"type": "string", "enum": list(ASKS)} if name == "what" else {"type": "string"}
