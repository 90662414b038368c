"""The description of the studio's JSON interface agrees with what the server does."""

from __future__ import annotations

import pytest

from ludion.studio.asks import ASKS
from ludion.studio.openapi import ANSWERS, FIELDS, RESULTS, VERSION
from ludion.studio.server import ROUTES
from tests.studio.interface import GOLDEN, INTERFACE, fields


def test_every_route_is_described_and_nothing_else():
    routes = {route.path: route for route in ROUTES if route.path.startswith("/api")}
    assert set(INTERFACE["paths"]) == set(routes)
    assert set(ANSWERS) | set(FIELDS) <= set(routes)
    for path, route in routes.items():
        method = "post" if "POST" in route.methods else "get"
        operation = INTERFACE["paths"][path][method]
        assert operation["summary"].endswith("."), path
        assert method == "get" or path in FIELDS, path


def check(value, schema, where):
    """A value against the part of JSON Schema that the description uses."""
    types = {
        "object": dict,
        "array": list,
        "string": str,
        "integer": int,
        "number": (int, float),
        "boolean": bool,
    }
    allowed = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    assert any(value is None if name == "null" else isinstance(value, types[name]) for name in allowed), where
    for name in schema.get("required", ()) if value is not None else ():
        assert name in value, f"{where}.{name}"
    for name, part in schema.get("properties", {}).items():
        if name in (value or ()):
            check(value[name], part, f"{where}.{name}")
    for each in value if isinstance(value, list) and "items" in schema else ():
        check(each, schema["items"], f"{where}[]")


@pytest.mark.parametrize("path", sorted(ANSWERS))
@pytest.mark.parametrize("name", ["tic-tac-toe", "delirium"])
def test_answers_have_the_fields_that_are_promised(client, path, name):
    address, place = path.replace("{game}", name), {"start": "", "moves": []}
    is_post = "post" in INTERFACE["paths"][path]
    status, value = client.post(address, place) if is_post else client.get(address)
    assert status == 200
    (operation,) = INTERFACE["paths"][path].values()
    check(value, operation["responses"]["200"]["content"]["application/json"]["schema"], path)


QUESTIONS = [
    ("solve", "tic-tac-toe", "xx./oo./...", {"spoken": 2}),
    ("solve", "taquin", "1 2 3/4 5 6/0 7 8", {}),
    ("watch", "taquin", "1 2 3/4 5 6/0 7 8", {"engine": "a-star"}),
    ("scores", "tic-tac-toe", "xx./oo./...", {}),
    ("scores", "taquin", "1 2 3/4 5 6/0 7 8", {}),
    ("why", "tic-tac-toe", "xx./oo./...", {}),
    ("review", "tic-tac-toe", "xx./oo./...", {"moves": ["c2", "c1"]}),
    ("reply", "tic-tac-toe", "xx./oo./...", {}),
    ("run", "delirium", "level:figure-4", {"steps": 3}),
    ("generate", "taquin", "", {"seed": 1}),
]


def test_every_question_has_an_example():
    assert {what for what, *_ in QUESTIONS} == set(RESULTS)
    assert set(ASKS) - set(RESULTS) == {"compare", "lab", "study"}  # rows, tables, the game's own


@pytest.mark.parametrize(("what", "game", "start", "more"), QUESTIONS)
def test_answers_to_questions_have_the_fields_that_are_promised(client, what, game, start, more):
    kind, value = client.ask(game, what, start=start, **more)[-1]
    assert kind == "answer", value
    check(value, RESULTS[what], what)


def test_fields_stay_as_they_are():
    """Programs rely on the fields. `python -m tests.studio.interface` writes them anew: for new ones raise the second
    number of the version; for one that disappears or changes its type the first."""
    assert fields() == GOLDEN.read_text(encoding="utf-8").splitlines()


def test_programs_can_ask_for_the_version(client):
    assert client.get("/api/health")[1]["interface"] == VERSION == INTERFACE["info"]["version"]


def test_it_is_served(client):
    assert client.get("/api/openapi.json") == (200, INTERFACE)
