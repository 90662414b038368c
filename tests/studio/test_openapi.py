"""The description of the studio's JSON interface agrees with what the server does."""

from __future__ import annotations

import pytest

from ludion.studio.openapi import ANSWERS, FIELDS, interface
from ludion.studio.server import ROUTES

INTERFACE = interface(ROUTES)


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
    for name in schema.get("required", ()):
        assert name in value, f"{where}.{name}"
    for name, part in schema.get("properties", {}).items():
        if name in value:
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


def test_it_is_served(client):
    assert client.get("/api/openapi.json") == (200, INTERFACE)
