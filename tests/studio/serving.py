"""A studio in a process of its own, and a small client for it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXAMPLES = Path(__file__).parents[2] / "examples"


class Client:
    """A browser without a page: it keeps its cookie, as browsers do."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def request(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        sent = {"cookie": self.cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method == "POST":
            sent.setdefault("content-type", "application/json")
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        try:
            line.request(method, path, data, sent)
            answer = line.getresponse()
            content, told = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            line.close()
        if "set-cookie" in told:
            self.cookie = told["set-cookie"].split(";")[0]
        if told.get("content-type", "").startswith("application/json"):
            content = json.loads(content)
        return answer.status, content, told

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return self.request("GET", path, **headers)[:2]

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return self.request("POST", path, {} if body is None else body, **headers)[:2]

    def state(self, game: str, start: str = "", moves: tuple[str, ...] = (), **more: Any) -> Any:
        status, told = self.post(f"/api/games/{game}/state", {"start": start, "moves": list(moves), **more})
        assert status == 200, told
        return told

    def ask(self, game: str, what: str, **body: Any) -> list[tuple[str, Any]]:
        """All events of a question."""
        status, content = self.post(f"/api/games/{game}/ask/{what}", body)
        assert status == 200, content
        return events(content.decode())


def events(text: str) -> list[tuple[str, Any]]:
    found = re.findall(r"^event: (\w+)\ndata: (.*)$", text, re.MULTILINE)
    return [(kind, json.loads(data)) for kind, data in found]


@contextlib.contextmanager
def studio(records: Path, *more: str) -> Iterator[int]:
    """Start `ludion serve`; gives its port."""
    command = [sys.executable, "-m", "ludion", "serve", "--port", "0", "--records", str(records), *more]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r":(\d+)/", line)
        assert found, line
        yield int(found.group(1))
    finally:
        process.terminate()
        process.wait(20)
