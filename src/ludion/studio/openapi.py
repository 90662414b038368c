"""The studio's JSON interface as an OpenAPI 3.1 description, generated from the server's routes.

The summary of a route is the first line of its function's docstring; `FIELDS` has the fields of its request, `ANSWERS`
those of its answer, `RESULTS` those of the answers to questions that take time. `GET /api/openapi.json` serves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from starlette.routing import Route

from ludion.studio.asks import ASKS

Schema = dict[str, Any]

# The second number rises with new fields; the first one if a field disappears or changes its type or its meaning.
VERSION = "1.0"


def _schema(type: str, meaning: str, **more: Any) -> Schema:
    return {"type": type, "description": meaning, **more}


def _texts(meaning: str) -> Schema:
    return _schema("array", meaning, items={"type": "string"})


def _maybe(type: str, meaning: str) -> Schema:
    return {"type": [type, "null"], "description": meaning}


def _object(fields: dict[str, Schema], optional: Iterable[str] = ()) -> Schema:
    """An object with these fields; all of them are required except the optional ones."""
    return {"type": "object", "properties": fields, "required": sorted(set(fields) - set(optional))}


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
    "instances": {
        "type": ["array", "string"],
        "description": "compare: up to 60 objects with name and a place; lab: levels, new (boards) or report",
    },
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
    "svg": _maybe("string", "its picture"),
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
# The answers by path. An answer may have more fields than these, never fewer.
ANSWERS: dict[str, Schema] = {
    "/api/health": _object(
        {
            "ok": _schema("boolean", "it answers"),
            "interface": _schema("string", "the version of this interface"),
            "running": _schema("integer", "searches under way"),
            "waiting": _schema("integer", "searches in the queue"),
            "at_once": _schema("integer", "searches that may run at once"),
        }
    ),
    "/api/games": {"type": "array", "items": _object(GAME)},
    "/api/games/{game}": _object(
        {
            **GAME,
            "options": _schema("array", "the options of the rules"),
            "levels": _schema("array", "name, title, source, options, known"),
            "engines": _schema("array", "puzzles and duels: name, help, settings"),
            "agents": _schema("array", "quests: name, help, settings"),
        }
    ),
    "/api/games/{game}/state": _object(STATE),
    "/api/games/{game}/question": _object(QUESTION),
}
SCORE: Schema = _object(
    {
        "value": _schema("integer", "points for the player to move; 10000 minus the plies of a forced win"),
        "exact": _schema("boolean", "proved, not estimated"),
        "plies": _maybe("integer", "plies to the forced end, if there is one"),
        "words": _schema("string", "the score in words"),
    }
)
ANSWER: dict[str, Schema] = {
    "game": _schema("string", "the name of the game"),
    "position": _schema("string", "the position in one line"),
    "options": _schema("object", "the options of the rules, if there are any"),
    "status": _schema("string", "optimal, solved, unsolvable or limit"),
    "result": _schema("string", "the result in one sentence"),
    "moves": _texts("the solution, or the best line"),
    "length": _maybe("integer", "puzzles: the cost of the moves"),
    "bound": _schema("integer", "puzzles: no solution is cheaper than this"),
    "score": {**SCORE, "description": "duels: the value of the position"},
    "line_is_cut": _schema("boolean", "duels: the best line goes on, but is not known further"),
    "nodes": _schema("integer", "positions seen"),
    "expanded": _schema("integer", "positions whose moves were tried"),
    "frontier": _schema("integer", "positions still in the open list at the end"),
    "depth": _schema("integer", "the deepest layer or iteration finished"),
    "seconds": _schema("number", "wall time of the search alone"),
    "cpu_seconds": _schema("number", "CPU time of all threads"),
    "memory": _schema("integer", "bytes of the largest tables held"),
    "engine": _schema("string", "the engine that answered"),
    "heuristic": _schema("string", "puzzles: the heuristic used"),
    "evaluation": _schema("string", "duels: the evaluation used"),
    "limit": _schema("string", "the limit that ended the search"),
    "reason": _schema("string", "in words, where there is something to say"),
    "tier": _schema("string", "interpreted or compiled"),
}
OF_DUELS, OF_PUZZLES = {"score", "line_is_cut", "evaluation"}, {"length", "bound", "heuristic"}
OPTIONAL = {*OF_DUELS, *OF_PUZZLES, "options", "frontier", "limit", "reason", "tier"}
SCORED_MOVE: Schema = _object(
    {
        "name": _schema("string", "the move"),
        "score": {**SCORE, "type": ["object", "null"], "description": "duels: for the player who makes it"},
        "length": _maybe("integer", "puzzles: the cost of the best known solution that begins with it"),
        "status": _schema("string", "optimal, solved, unsolvable or limit"),
        "words": _schema("string", "its value in words"),
    }
)
REVIEWED_MOVE: dict[str, Schema] = {
    "number": _schema("integer", "of the move, from 1"),
    "side": _schema("integer", "0 or 1"),
    "move": _schema("string", "the move"),
    "spoken": _schema("string", "the move in words"),
    "verdict": _schema("string", "best, good, inaccuracy, mistake, blunder, forced, or nothing"),
    "text": _schema("string", "what it did and what was better, in words"),
    "loss": _schema("number", "what it lost"),
    "better": _schema("string", "a move that was better"),
    "line": _texts("the best play after the move"),
    "better_line": _texts("the best play instead of it"),
}
# The data of the event `answer`, by what was asked; a `compare` sends only rows, and a `study` is the game's own.
RESULTS: dict[str, Schema] = {
    "solve": _object({**ANSWER, "spoken": _texts("the first moves in words, if asked for")}, OPTIONAL),
    "watch": _object({**ANSWER, "recording": _maybe("object", "the events of the search")}, OPTIONAL),
    "scores": _object(
        {
            "moves": _schema("array", "every move with its value", items=SCORED_MOVE),
            "of": _schema("integer", "how many moves there are"),
            "stopped": _schema("boolean", "some may be missing"),
        }
    ),
    "why": _object(
        {
            "move": _schema("string", "the move"),
            "spoken": _schema("string", "the move in words"),
            "why": _schema("string", "what speaks for it or against it"),
            "line": _texts("the best play from there"),
        }
    ),
    "review": _object(
        {
            "game": _schema("string", "the name of the game"),
            "kind": _schema("string", "puzzle, duel or quest"),
            "accuracy": _schema("array", "per cent by side, or null", items={"type": ["number", "null"]}),
            "complete": _schema("boolean", "every position was looked at"),
            "summary": _schema("string", "the whole in one sentence"),
            "moves": _schema("array", "the moves with their verdicts", items=_object(REVIEWED_MOVE)),
        }
    ),
    "reply": _object(
        {
            "move": _schema("string", "the opponent's move"),
            "opponent": _schema("string", "its level"),
        }
    ),
    "run": _object(
        {
            "status": _schema("string", "how it ended"),
            "ended_by": _schema("string", "won, lost, steps, late, illegal, crashed or stopped"),
            "reason": _schema("string", "in words"),
            "length": _schema("integer", "steps"),
            "seconds": _schema("number", "wall time of all decisions"),
            "slowest": _schema("number", "wall time of the slowest one"),
            "nodes": _schema("integer", "positions that the agent looked at"),
            "agent": _schema("string", "the agent"),
            "statistics": _schema("object", "the game's own figures"),
        }
    ),
    "generate": _object(
        {"seed": _schema("integer", "the seed"), "position": _schema("string", "the new position")}
    ),
}
STREAM = (
    "a stream of server-sent events: `job` (its id), `queued`, `started`, `compiling`, `progress`, "
    "`scores`, `tables`, "
    "`standing`, `acts`, `row`, and at the end `answer` or `error`; "
    "the fields of an `answer` are in `components.schemas`, by what was asked"
)
ERROR = _object({"error": _schema("string", "the reason, in one line")})


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
            "version": VERSION,
            "description": "The interface that the studio's own page uses, for programs on the same machine. "
            "Answers are in the language of Accept-Language (en, fr). A POST has a JSON object as its body "
            "and the header "
            "`Content-Type: application/json`. The fields of questions and answers stay as they are within "
            "a version 1.x of this interface; others may come.",
        },
        "paths": paths,
        "components": {"schemas": RESULTS},
    }


def _operation(route: Route, method: str) -> Schema:
    summary = " ".join((route.endpoint.__doc__ or "").split("\n\n")[0].split())
    success: Schema = {"description": "the answer"}
    if route.path == "/api/games/{game}/ask/{what}":
        success = {"description": STREAM, "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    elif schema := ANSWERS.get(route.path):
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
