"""A client of the course's server, and a quest played over it: any agent can play on any such server.

`CrocomineClient` has the course's own interface (its class of the same name), with nothing but the standard
library. Servers are not trusted: every answer is checked, and an inconsistent one ends the game with a `ServerError`.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import urllib.parse
from collections.abc import Iterator

from ludion.errors import LudionError
from ludion.games.crocomine.protocol import COUNTS, FIELDS, GG, KO, OK, Json
from ludion.games.crocomine.rules import (
    ANIMALS,
    CHORD,
    DISCOVER,
    HIDDEN,
    KINDS,
    LAND,
    MOST_CELLS,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    UNKNOWN,
    Action,
    View,
    neighbours,
    terrain_not_shown,
    totals_fit,
    unseen_view,
)
from ludion.kinds.quest import LOST, WON, IllegalActionError, act, outcome, percept
from ludion.messages import message

MOST_LETTERS_SHOWN = 200  # of what a server says
MOST_BYTES = 1 << 24  # of an answer
MOST_GRIDS = 10_000  # of a server, if the number of games is not given


class ServerError(LudionError):
    """A server that cannot be reached or does not speak the course's language."""


class CrocomineClient:
    """Speaks to a server; registers at once, as the course's client does."""

    def __init__(
        self, server: str, group: str, members: str, password: str = "", timeout: float = 30.0
    ) -> None:
        try:
            address = urllib.parse.urlsplit(server if "//" in server else f"http://{server}")
        except ValueError:  # [ without ]
            raise ServerError(message("crocomine.not_a_server", server=server)) from None
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ServerError(message("crocomine.not_a_server", server=server))
        secure = address.scheme == "https"
        connection = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        try:
            self._connection = connection(address.hostname, address.port, timeout=timeout)
        except ValueError:
            raise ServerError(message("crocomine.bad_port", server=server)) from None
        self._root = address.path.rstrip("/") + "/crocomine/"
        self.server, self.group, self.members, self.token = server, group, members, ""
        status, words = self.register(password)
        if status != OK:
            raise ServerError(message("crocomine.not_registered", server=server, group=group, words=words))

    def _ask(self, verb: str, **more: object) -> Json:
        body = json.dumps({"id": self.group, "members": self.members, "token": self.token, **more})
        for attempt in (1, 2):  # a kept connection may have been closed by the server
            try:
                self._connection.request(
                    "POST", self._root + verb, body, {"Content-Type": "application/json"}
                )
                response = self._connection.getresponse()
                content = response.read(MOST_BYTES + 1)
                break
            except (OSError, http.client.HTTPException) as error:
                self._connection.close()
                if attempt == 2 or not isinstance(
                    error, (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)
                ):
                    raise ServerError(
                        message("crocomine.unreachable", server=self.server, error=one_line(error))
                    ) from None
        if response.status != 200:
            status = one_line(f"{response.status} {response.reason}")
            raise ServerError(
                message("crocomine.bad_http_status", server=self.server, status=status, verb=verb)
            )
        answer = None
        if len(content) > MOST_BYTES:
            self._connection.close()  # the rest is not read
        else:
            with contextlib.suppress(ValueError, RecursionError):
                answer = json.loads(content)
        if not isinstance(answer, dict) or not isinstance(answer.get("status"), str):
            raise ServerError(message("crocomine.unreadable_answer", server=self.server, verb=verb))
        return answer

    def register(self, password: str = "") -> tuple[str, str]:
        answer = self._ask("register", password=password)
        self.token = str(answer.get("token") or "")
        return _status_and_words(answer)

    def new_grid(self) -> tuple[str, str, object]:
        answer = self._ask("new_grid")
        return *_status_and_words(answer), answer.get("grid_infos") or {}

    def discover(self, row: int, column: int) -> tuple[str, str, object]:
        return self._play("discover", row, column)

    def guess(self, row: int, column: int, animal: str) -> tuple[str, str, object]:
        return self._play("guess", row, column, animal=animal)

    def chord(self, row: int, column: int) -> tuple[str, str, object]:
        return self._play("chord", row, column)

    def _play(self, verb: str, row: int, column: int, **more: object) -> tuple[str, str, object]:
        answer = self._ask(verb, pos=[row, column], **more)
        return *_status_and_words(answer), answer.get("infos") or []


def _status_and_words(answer: Json) -> tuple[str, str]:
    return str(answer["status"]), one_line(answer.get("msg", ""))


def one_line(words: object) -> str:
    """Text from a server as one short line without control characters."""
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in str(words)).split())
    return text if len(text) <= MOST_LETTERS_SHOWN else f"{text[:MOST_LETTERS_SHOWN]}..."


def _whole_number(value: object) -> int:
    if type(value) is not int:
        raise ValueError
    return value


class RemoteWorld:
    """A grid in play on a server."""

    def __init__(self, client: CrocomineClient, name: str, infos: object) -> None:
        self.client = client
        self.view = _first_view(name, infos)
        if isinstance(infos, dict):
            self._learn(infos.get("infos") or [])

    def _learn(self, infos: object) -> bool:
        """Add what the server shows; says whether anything of it is new."""
        if not isinstance(infos, list):
            raise ServerError(message("crocomine.unreadable_infos", infos=one_line(infos)))
        new = False
        for info in infos:
            try:
                new |= self._learn_cell(info)
            except ServerError:
                raise
            except (KeyError, TypeError, ValueError):
                raise ServerError(message("crocomine.unreadable_infos", infos=one_line(info))) from None
        cell = terrain_not_shown(self.view)
        if cell is not None:
            row, column = self.view.place(cell)
            raise ServerError(message("crocomine.server_hides_terrain", row=row, column=column))
        return new

    def _learn_cell(self, info: Json) -> bool:
        """Add what the server shows of a cell; raises ValueError and the like if it makes no sense."""
        view = self.view
        cell, terrain, seen, clue = _read_info(view, info)
        before = (int(view.terrain[cell]), int(view.seen[cell]), view.clues[cell].tolist())
        after = (
            before[0] if terrain == UNKNOWN else terrain,
            before[1] if seen == HIDDEN else seen,
            clue if seen == OPEN else before[2],
        )
        terrain_changes = before[0] not in (UNKNOWN, after[0])
        if terrain_changes or (before[1] != HIDDEN and before[1:] != after[1:]):
            row, column = view.place(cell)
            raise ServerError(message("crocomine.server_contradicts_itself", row=row, column=column))
        if after[1] != HIDDEN and after[0] == UNKNOWN:
            raise ValueError
        view.terrain[cell], view.seen[cell], view.clues[cell] = after
        return before != after

    def act(self, action: Action) -> None:
        verb, row, column, animal = action
        if verb == DISCOVER:
            status, words, infos = self.client.discover(row, column)
        elif verb == CHORD:
            status, words, infos = self.client.chord(row, column)
        else:
            status, words, infos = self.client.guess(row, column, animal)
        if status == OK:
            if not self._learn(infos):
                raise ServerError(message("crocomine.server_shows_nothing", action=action))
        elif status == GG:
            self.view.status = WON
        elif status == KO:
            self.view.status = LOST
        else:
            raise IllegalActionError(message("crocomine.server_refused", action=action, words=words))


def _first_view(name: str, infos: object) -> View:
    """The view at the start of a grid, from its `grid_infos`."""
    try:
        if not isinstance(infos, dict):
            raise TypeError
        rows, columns, sea = (_whole_number(infos[key]) for key in ("m", "n", "sea_count"))
        row, column = (_whole_number(number) for number in infos["start"])
        totals = [_whole_number(infos[key]) for key in COUNTS]
    except (KeyError, TypeError, ValueError):
        raise ServerError(message("crocomine.unreadable_grid", infos=one_line(infos))) from None
    cells = rows * columns
    if rows < 1 or columns < 1 or cells > MOST_CELLS or not 0 <= sea <= cells:
        raise ServerError(message("crocomine.impossible_grid", infos=one_line(infos)))
    if not totals_fit(cells, sea, totals) or not (0 <= row < rows and 0 <= column < columns):
        raise ServerError(message("crocomine.impossible_grid", infos=one_line(infos)))
    return unseen_view(rows, columns, row * columns + column, totals, sea, name=name)


def _read_info(view: View, info: Json) -> tuple[int, int, int, list[int]]:
    """The cell, terrain (or UNKNOWN), what is seen (or HIDDEN) and clue of one of the server's infos."""
    position, field = info["pos"], info.get("field") or ""
    if not isinstance(position, list) or field not in FIELDS.values():
        raise ValueError
    row, column = (_whole_number(number) for number in position)
    if not (0 <= row < view.rows and 0 <= column < view.columns):
        raise ValueError
    cell = view.cell(row, column)
    terrain = next(ground for ground, word in FIELDS.items() if word == field)
    if "prox_count" in info:
        if not isinstance(info["prox_count"], list):
            raise ValueError
        clue = [_whole_number(number) for number in info["prox_count"]]
        if len(clue) != len(ANIMALS) or min(clue) < 0:
            raise ValueError
        if sum(clue) > len(neighbours(view.rows, view.columns, cell)):
            raise ValueError
        return cell, terrain, OPEN, clue
    if not info.get("animal"):
        return cell, terrain, HIDDEN, []
    animal = 1 + list(KINDS).index(str(info["animal"]))
    home = {TIGER: LAND, SHARK: SEA}.get(animal, terrain)
    if terrain not in (UNKNOWN, home):
        raise ValueError
    return cell, home, animal, []


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


def worlds(
    server: str, group: str = "ludion", members: str = "ludion", password: str = "", games: int | None = None
) -> Iterator[RemoteWorld]:
    """The server's grids, one after the other: as many as `games`, or each grid once.

    It ends when the server has no more grids. A server that begins again after its last grid (or never runs out of
    new ones) would never end: without `games` it ends where the first grid comes again, and after MOST_GRIDS.
    """
    client = CrocomineClient(server, group, members, password)
    first: tuple[str, object] | None = None
    for _ in range(MOST_GRIDS if games is None else games):
        status, name, infos = client.new_grid()
        if status != OK or (games is None and (name, infos) == first):
            return
        first = first or (name, infos)
        yield RemoteWorld(client, name, infos)
