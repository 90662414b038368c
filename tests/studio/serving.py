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

OWN_GAME = Path(__file__).with_name("nim.py")  # a game file of a user's own
OWN_BOARD = Path(__file__).with_name("hop.py")  # another, with a picture whose cells are declared


class Client:
    """A browser without a page: it keeps its cookie, as browsers do."""

    def __init__(self, port: int) -> None:
        self.port, self.cookie = port, ""

    def request(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=90)
        sent = {"cookie": self.cookie, **{name.replace("_", "-"): value for name, value in headers.items()}}
        if method == "POST":
            sent.setdefault("content-type", "application/json")
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, sent)
            answer = connection.getresponse()
            content, received = answer.read(), {name.lower(): value for name, value in answer.getheaders()}
        finally:
            connection.close()
        if "set-cookie" in received:
            self.cookie = received["set-cookie"].split(";")[0]
        if received.get("content-type", "").startswith("application/json"):
            content = json.loads(content)
        return answer.status, content, received

    def get(self, path: str, **headers: str) -> tuple[int, Any]:
        return self.request("GET", path, **headers)[:2]

    def post(self, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        return self.request("POST", path, {} if body is None else body, **headers)[:2]

    def state(self, game: str, start: str = "", moves: tuple[str, ...] = (), **more: Any) -> Any:
        status, state = self.post(f"/api/games/{game}/state", {"start": start, "moves": list(moves), **more})
        assert status == 200, state
        return state

    def question(self, game: str, start: str = "", moves: tuple[str, ...] = (), **more: Any) -> Any:
        """The command, the Python and the address of what a tab asks."""
        status, written = self.post(
            f"/api/games/{game}/question", {"start": start, "moves": list(moves), **more}
        )
        assert status == 200, written
        return written

    def ask(self, game: str, what: str, **body: Any) -> list[tuple[str, Any]]:
        """All events of a question."""
        status, content = self.post(f"/api/games/{game}/ask/{what}", body)
        assert status == 200, content
        return events(content.decode())


def events(text: str) -> list[tuple[str, Any]]:
    pairs = re.findall(r"^event: (\w+)\ndata: (.*)$", text, re.MULTILINE)
    return [(kind, json.loads(data)) for kind, data in pairs]


@contextlib.contextmanager
def studio(records: Path, *game_files: Path, **environment: str) -> Iterator[int]:
    """A studio in a process of its own; gives its port."""
    command = [sys.executable, str(Path(__file__).with_name("server_process.py")), str(records)]
    process = subprocess.Popen(
        [*command, *map(str, game_files)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.strip().isdigit(), line
        yield int(line)
    finally:
        process.terminate()
        process.wait(20)
