"""A client of the course's server, and a quest played over it: any agent can play on any such server.

`CrocomineClient` has the course's own interface (its class of the same name), with nothing but the standard
library.
"""

from __future__ import annotations

import http.client
import json
import urllib.parse
from typing import Any

import numpy as np

from ludion.errors import LudionError
from ludion.games.crocomine.rules import (
    CHORD,
    DISCOVER,
    HIDDEN,
    KINDS,
    LAND,
    MOST_CELLS,
    OPEN,
    SEA,
    UNKNOWN,
    Action,
    View,
)
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError, act, outcome, percept

Infos = list[dict[str, Any]]


class ServerError(LudionError):
    """A server that cannot be reached or does not speak the course's language."""


class CrocomineClient:
    """Speaks to a server; registers at once, as the course's client does."""

    def __init__(
        self, server: str, group: str, members: str, password: str = "", timeout: float = 30.0
    ) -> None:
        address = urllib.parse.urlsplit(server if "//" in server else f"http://{server}")
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ServerError(f"'{server}' is not the address of a server such as http://localhost:8000")
        kind = http.client.HTTPSConnection if address.scheme == "https" else http.client.HTTPConnection
        try:
            self._connection = kind(address.hostname, address.port, timeout=timeout)
        except ValueError:
            raise ServerError(f"'{server}' has no valid port") from None
        self._root = address.path.rstrip("/") + "/crocomine/"
        self.server, self.group, self.members, self.token = server, group, members, ""
        status, message = self.register(password)
        if status != "OK":
            raise ServerError(f"{server} did not register {group}: {message}")

    def _ask(self, verb: str, **more: Any) -> dict[str, Any]:
        body = json.dumps({"id": self.group, "members": self.members, "token": self.token, **more})
        for attempt in (1, 2):  # a kept connection may have been closed by the server
            try:
                self._connection.request(
                    "POST", self._root + verb, body, {"Content-Type": "application/json"}
                )
                response = self._connection.getresponse()
                content = response.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if attempt == 2 or not isinstance(
                    error, (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)
                ):
                    raise ServerError(f"{self.server} cannot be reached: {error}") from None
        if response.status != 200:
            raise ServerError(f"{self.server} answered {response.status} {response.reason} to {verb}")
        try:
            answer = json.loads(content)
        except ValueError:
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("status"), str):
            raise ServerError(f"{self.server} gave no answer that can be read to {verb}")
        return answer

    def register(self, password: str = "") -> tuple[str, str]:
        answer = self._ask("register", password=password)
        self.token = str(answer.get("token") or "")
        return answer["status"], str(answer.get("msg", ""))

    def new_grid(self) -> tuple[str, str, dict[str, Any]]:
        answer = self._ask("new_grid")
        return answer["status"], str(answer.get("msg", "")), answer.get("grid_infos") or {}

    def discover(self, row: int, column: int) -> tuple[str, str, Infos]:
        return self._play("discover", row, column)

    def guess(self, row: int, column: int, animal: str) -> tuple[str, str, Infos]:
        return self._play("guess", row, column, animal=animal)

    def chord(self, row: int, column: int) -> tuple[str, str, Infos]:
        return self._play("chord", row, column)

    def _play(self, verb: str, row: int, column: int, **more: Any) -> tuple[str, str, Infos]:
        answer = self._ask(verb, pos=[row, column], **more)
        return answer["status"], str(answer.get("msg", "")), answer.get("infos") or []


class RemoteWorld:
    """A grid in play on a server."""

    def __init__(self, client: CrocomineClient, name: str, infos: dict[str, Any]) -> None:
        self.client = client
        try:
            rows, columns = int(infos["m"]), int(infos["n"])
            row, column = (int(number) for number in infos["start"])
            totals = [int(infos[f"{kind}_count"]) for kind in ("tiger", "shark", "croco")]
            sea = int(infos["sea_count"])
        except (KeyError, TypeError, ValueError):
            raise ServerError(f"the server's grid_infos cannot be read: {infos}") from None
        cells = rows * columns
        if not (rows > 0 and columns > 0 and cells <= MOST_CELLS and 0 <= sea <= cells and min(totals) >= 0):
            raise ServerError(f"the server's grid_infos make no board: {infos}")
        if not (0 <= row < rows and 0 <= column < columns):
            raise ServerError(f"the server's start ({row}, {column}) is not on its board")
        self.view = View(
            rows, columns, row * columns + column, np.array(totals, np.int64), sea,
            np.full(cells, LAND if sea == 0 else SEA if sea == cells else UNKNOWN, np.int8),
            np.full(cells, HIDDEN, np.int8), np.zeros((cells, 3), np.int8), False, name,
        )  # fmt: skip
        self._take(infos.get("infos") or [])

    def _take(self, infos: Infos) -> None:
        for info in infos:
            try:
                row, column = info["pos"]
                if not (0 <= row < self.view.rows and 0 <= column < self.view.columns):
                    raise ValueError
                cell = self.view.cell(row, column)
                if info.get("field"):
                    self.view.terrain[cell] = {"land": LAND, "sea": SEA}[info["field"]]
                if "prox_count" in info:
                    self.view.seen[cell] = OPEN
                    self.view.clues[cell] = info["prox_count"]
                elif info.get("animal"):
                    self.view.seen[cell] = 1 + KINDS.index(info["animal"])
            except (KeyError, TypeError, ValueError):
                raise ServerError(f"the server's infos cannot be read: {info}") from None

    def act(self, action: Action) -> None:
        verb, row, column, animal = action
        if verb == DISCOVER:
            status, message, infos = self.client.discover(row, column)
        elif verb == CHORD:
            status, message, infos = self.client.chord(row, column)
        else:
            status, message, infos = self.client.guess(row, column, animal)
        if status == "OK":
            self._take(infos)
        elif status == "GG":
            self.view.status = WON
        elif status == "KO":
            self.view.status = LOST
        else:
            raise IllegalActionError(f"the server refused {action}: {message}")


@percept.register(RemoteWorld)
def _(world: RemoteWorld) -> View:
    return world.view.copy()


@outcome.register(RemoteWorld)
def _(world: RemoteWorld) -> str:
    return world.view.status


@act.register(RemoteWorld)
def _(world: RemoteWorld, action: Action) -> RemoteWorld:
    world.act(action)
    return world


def worlds(server: str, group: str = "ludion", members: str = "ludion", password: str = "") -> Any:
    """The server's grids, one after the other, until it has no more."""
    client = CrocomineClient(server, group, members, password)
    while True:
        status, message, infos = client.new_grid()
        if status != "OK":
            return
        yield RemoteWorld(client, message, infos)


__all__ = ["RUNNING", "CrocomineClient", "RemoteWorld", "ServerError", "worlds"]
