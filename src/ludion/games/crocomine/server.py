"""The course's server: CrocoMine over HTTP, every group with its own progress through a folder of grids.

    POST /crocomine/register   {"id", "members", "password"}            -> status, msg, token
    POST /crocomine/new_grid   {"id", "members", "token"}               -> status, msg, grid_infos
    POST /crocomine/discover   {..., "pos": [row, column]}              -> status, msg, infos
    POST /crocomine/guess      {..., "pos": [row, column], "animal"}    -> status, msg, infos
    POST /crocomine/chord      {..., "pos": [row, column]}              -> status, msg, infos
    GET  /crocomine            the scoreboard: a page that keeps itself up to date
    GET  /crocomine/scores     the same as JSON, the best group first

status is OK, KO (dead: ask for the next grid), GG (grid won) or Err (the request was wrong, nothing changed).
The course's client 1.0.0 sends the token that it was given. Version 0.2.1 has no password, ignores the token it is
given and sends `No Defined...` instead: a group registered without a password is open, whatever its token.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socket
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

import numpy as np

from ludion.errors import LudionError, NotationError
from ludion.games.crocomine.notation import read_grid
from ludion.games.crocomine.protocol import COUNTS, ERR, FIELDS, GG, KO, OK, Json
from ludion.games.crocomine.rules import (
    ANIMALS,
    CHORD,
    DISCOVER,
    GUESS,
    HIDDEN,
    KINDS,
    OPEN,
    SEA,
    Action,
    CrocoWorld,
    Grid,
    View,
    act_on,
    begin,
    three_bv,
)
from ludion.kinds.quest import LOST, RUNNING, WON, IllegalActionError
from ludion.messages import language_of, message, speaking

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

MOST_BYTES = 64 * 1024  # of a request
MOST_GROUPS = 10_000
MOST_LETTERS = 200  # of a word in a request


class RequestError(LudionError):
    """A request that cannot be carried out; the message goes to the client."""


@dataclass
class Group:
    """A group's progress."""

    name: str
    password: str
    token: str
    members: str
    next: int = 0  # the grid it gets next
    world: CrocoWorld | None = None
    won: int = 0
    lost: int = 0
    actions: int = 0  # in the grid in play
    winning_actions: int = 0  # in all grids won
    lock: threading.Lock = field(default_factory=threading.Lock)


class GroupScore(TypedDict):
    """A group on the scoreboard."""

    group: str
    members: str
    won: int
    lost: int
    actions: int  # in the grids that it won
    grid: int  # the number of the last grid it asked for
    grids: int
    playing: bool


def read_folder(folder: Path) -> list[Grid]:
    """The grids of a folder, by name of file."""
    if not folder.is_dir():
        raise NotationError(message("crocomine.no_folder", folder=folder))
    grids = []
    for file in sorted(folder.glob("*.croco")):
        try:
            grids.append(read_grid(file.read_text(encoding="utf-8", errors="replace")))
        except NotationError as error:
            raise NotationError(message("crocomine.bad_grid_file", file=file.name, error=error)) from None
    if not grids:
        raise NotationError(message("crocomine.no_grid_files", folder=folder))
    return grids


class Contest:
    """The grids and the groups that play them. Knows nothing of HTTP."""

    def __init__(self, grids: Sequence[Grid], *, again: bool = False) -> None:
        self.grids, self.again = list(grids), again
        self.groups: dict[str, Group] = {}
        self.lock = threading.Lock()

    def answer(self, verb: str, body: object) -> Json:
        """The answer to a request: always a status and a message."""
        try:
            if not isinstance(body, dict):
                raise RequestError(message("crocomine.body_not_an_object"))
            if verb == "register":
                return self.register(body)
            group = self._group(body)
            with group.lock:
                return self.new_grid(group) if verb == "new_grid" else self.play(group, verb, body)
        except (RequestError, IllegalActionError) as error:
            return {"status": ERR, "msg": str(error)}

    def register(self, body: Json) -> Json:
        """A new group, or a known one that comes back with its password: its progress goes on."""
        name, members = _word(body, "id"), _word(body, "members", "")
        password = _word(body, "password", "")
        if not name:
            raise RequestError(message("crocomine.empty_group"))
        with self.lock:
            group = self.groups.get(name)
            if group is None:
                if len(self.groups) >= MOST_GROUPS:
                    raise RequestError(message("crocomine.too_many_groups"))
                group = self.groups[name] = Group(name, password, secrets.token_hex(16), members)
                welcome = message("crocomine.welcome", group=name)
            elif not hmac.compare_digest(group.password.encode(), password.encode()):
                raise RequestError(message("crocomine.other_password", group=name))
            else:
                group.members = members or group.members
                welcome = message("crocomine.welcome_back", group=name)
        return {"status": OK, "msg": welcome, "token": group.token}

    def _group(self, body: Json) -> Group:
        name = _word(body, "id")
        group = self.groups.get(name)
        if group is None:
            raise RequestError(message("crocomine.group_not_registered", group=name))
        if group.password and not hmac.compare_digest(
            group.token.encode(), _word(body, "token", "").encode()
        ):
            raise RequestError(message("crocomine.wrong_token"))
        return group

    def new_grid(self, group: Group) -> Json:
        """The next grid; a grid in play is given up."""
        if group.next >= len(self.grids):
            if not self.again:
                raise RequestError(message("crocomine.no_grid_left"))
            group.next = 0
        if group.world is not None and group.world.view.status == RUNNING:
            group.lost += 1
        grid = self.grids[group.next]
        group.world = begin(grid)
        group.next += 1
        group.actions = 0
        return {
            "status": OK,
            "msg": f"{grid.name} ({group.next}/{len(self.grids)})",
            "grid_infos": grid_infos(grid),
        }

    def play(self, group: Group, verb: str, body: Json) -> Json:
        """Discover, guess or chord."""
        if group.world is None:
            raise RequestError(message("crocomine.no_grid_in_play"))
        row, column = _position(body)
        view = group.world.view
        if view.status != RUNNING:
            raise RequestError(message("crocomine.grid_is_over"))
        before_seen, before_terrain = view.seen.copy(), view.terrain.copy()
        act_on(group.world, Action(verb, row, column, _word(body, "animal") if verb == GUESS else ""))
        group.actions += 1
        if view.status == LOST:
            group.lost += 1
            return {
                "status": KO,
                "msg": message("crocomine.you_are_dead", row=row, column=column),
                "infos": [],
            }
        if view.status == WON:
            group.won += 1
            group.winning_actions += group.actions
            return {"status": GG, "msg": message("crocomine.you_have_won", grid=view.name), "infos": []}
        return {
            "status": OK,
            "msg": f"{verb} ({row}, {column})",
            "infos": infos(view, before_seen, before_terrain),
        }

    def scores(self) -> list[GroupScore]:
        """The groups, best first: most grids won, then fewest actions for them, then fewest grids lost."""
        with self.lock:
            groups = list(self.groups.values())
        groups.sort(key=lambda group: (-group.won, group.winning_actions, group.lost, group.name))
        return [
            {
                "group": group.name,
                "members": group.members,
                "won": group.won,
                "lost": group.lost,
                "actions": group.winning_actions,
                "grid": group.next,
                "grids": len(self.grids),
                "playing": group.world is not None and group.world.view.status == RUNNING,
            }
            for group in groups
        ]


def grid_infos(grid: Grid) -> Json:
    """What a group learns of a grid at its start."""
    sea = int((grid.terrain == SEA).sum())
    counts = {name: grid.count(animal) for name, animal in zip(COUNTS, ANIMALS, strict=True)}
    return {
        "m": grid.rows,
        "n": grid.columns,
        "start": list(divmod(grid.start, grid.columns)),
        **counts,
        "sea_count": sea,
        "land_count": grid.rows * grid.columns - sea,
        "3BV": three_bv(grid),
        "infos": [],
    }


def infos(view: View, seen: np.ndarray, terrain: np.ndarray) -> list[Json]:
    """What an action has brought to light: opened and guessed cells, then cells whose terrain is new."""
    changed = np.flatnonzero((view.seen != seen) | (view.terrain != terrain))
    contents: list[Json] = []
    grounds: list[Json] = []
    for cell in changed.tolist():
        info: Json = {"pos": list(view.place(cell)), "field": FIELDS[int(view.terrain[cell])]}
        content = int(view.seen[cell])
        if content == HIDDEN:
            grounds.append(info)
            continue
        if content == OPEN:
            info["prox_count"] = [int(number) for number in view.clues[cell]]
        else:
            info["animal"] = KINDS[content - 1]
        contents.append(info)
    return contents + grounds


def _word(body: Json, name: str, default: str | None = None) -> str:
    value = body.get(name, default)
    if value is None:
        raise RequestError(message("crocomine.word_missing", word=name))
    if not isinstance(value, str):
        raise RequestError(message("crocomine.word_not_a_string", word=name))
    if len(value) > MOST_LETTERS:
        raise RequestError(message("crocomine.word_too_long", word=name, most=MOST_LETTERS))
    try:
        value.encode()
    except UnicodeEncodeError:
        raise RequestError(message("crocomine.word_not_text", word=name)) from None
    return value


def _position(body: Json) -> tuple[int, int]:
    value = body.get("pos")
    if not isinstance(value, list) or len(value) != 2 or not all(type(each) is int for each in value):
        raise RequestError(message("crocomine.bad_position"))
    return value[0], value[1]


def application(contest: Contest) -> Starlette:
    """The contest as a web application."""
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.requests import ClientDisconnect
    from starlette.responses import HTMLResponse, JSONResponse, Response
    from starlette.routing import Route

    from ludion.games.crocomine import scoreboard

    def handler(verb: str) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            content = bytearray()
            try:
                async for chunk in request.stream():
                    content += chunk
                    if len(content) > MOST_BYTES:
                        return JSONResponse(
                            {"status": ERR, "msg": message("crocomine.body_too_large", most=MOST_BYTES)}
                        )
            except ClientDisconnect:
                return Response(status_code=400)
            try:
                body = json.loads(bytes(content))
            except (ValueError, RecursionError):
                return JSONResponse({"status": ERR, "msg": message("crocomine.body_not_json")})
            return JSONResponse(await run_in_threadpool(contest.answer, verb, body))

        return handle

    async def scores(request: Request) -> Response:
        return JSONResponse(contest.scores())

    async def board(request: Request) -> Response:
        spoken = request.query_params.get("language") or language_of(
            request.headers.get("accept-language", "")
        )
        only_rows = "rows" in request.query_params
        with speaking(spoken):
            text = scoreboard.rows(contest.scores()) if only_rows else scoreboard.page(contest.scores())
        return HTMLResponse(text, headers=scoreboard.HEADERS)

    verbs = ("register", "new_grid", DISCOVER, GUESS, CHORD)
    return Starlette(
        routes=[
            *(Route(f"/crocomine/{verb}", handler(verb), methods=["POST"]) for verb in verbs),
            Route("/crocomine/scores", scores),
            Route("/crocomine", board),
        ]
    )


def serve(contest: Contest, listener: socket.socket) -> None:
    """Serve on this socket, until interrupted."""
    import uvicorn

    uvicorn.Server(uvicorn.Config(application(contest), log_level="warning")).run([listener])
