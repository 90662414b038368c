"""The studio's web server: routes, and who may ask what.

    GET  /                            the page (also /play/GAME)
    GET  /static/...                  the page's modules, and nothing else
    GET  /api/games                   all games
    GET  /api/games/GAME              one of them, with all that can be chosen
    GET  /api/games/GAME/record       where this browser left it
    GET  /api/games/GAME/bests        the fewest moves in which it has solved each level
    POST /api/games/GAME/state        what is on the board after these moves; with `save`, remember it
    POST /api/games/GAME/ask/WHAT     a question that takes time; the answer is a stream of server-sent events
    POST /api/stop/ID                 stop such a question and keep the best so far
    GET  /api/health

It is made for one's own machine: it answers to loopback names only (and the host it was told to serve), takes
POSTs from its own page only, reads no file that a browser names and runs no code that a browser sends. Bad
input is answered with 4xx and a reason.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import logging
import re
import secrets
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludion import api, registry
from ludion.core.verbs import compile_seconds
from ludion.errors import LudionError, UnknownNameError
from ludion.kinds.card import QUEST, Card
from ludion.lab.reports import comparison
from ludion.studio.asks import ASKS, generator_settings, playing_agents
from ludion.studio.jobs import BusyError, Pool, plain
from ludion.studio.positions import ShapeError, describe, read_place
from ludion.studio.records import Records, instance
from ludion.svg import PALETTE

STATIC = Path(__file__).parent / "static"
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
LARGEST_BODY = 400_000
SLOWEST_STATE, SLOWEST_COMPILING = 20.0, 300.0  # seconds after which a look at a position is given up
MOST_LEVELS = 1000
COOKIE = "ludion_browser"
LOOPBACK = ("localhost", "127.0.0.1", "::1")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

log = logging.getLogger("ludion.studio")


# ------------------------------------------------------------------ who may ask


class Guard:
    """Lets through what comes from the studio's own page, and gives each browser its cookie."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self.app, self.hosts = app, {host.lower() for host in hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        browser, new = browser_of(headers.get("cookie", ""))
        scope["browser"] = browser

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
                if new:
                    cookie = f"{COOKIE}={browser}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict"
                    message["headers"].append((b"set-cookie", cookie.encode()))
            await send(message)

        refusal = self.refusal(scope["method"], headers)
        if refusal:
            await JSONResponse({"error": refusal[1]}, refusal[0])(scope, receive, sending)
            return
        await self.app(scope, receive, sending)

    def refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        host = headers.get("host", "")
        if name_of(host) not in self.hosts:
            return 421, "this server answers to its own name only"
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "requests come from the studio's own page only"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "requests come from the studio's own page only"
        if (
            method == "POST"
            and headers.get("content-type", "").partition(";")[0].strip() != "application/json"
        ):
            return 415, "the body must be application/json"
        return None


def name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    match = re.fullmatch(r"(?:\[([0-9a-f:]+)\]|([^:\[\]]*))(?::\d{1,5})?", host.lower())
    return (match.group(1) or match.group(2) or "") if match else ""


def browser_of(header: str) -> tuple[str, bool]:
    """The name that this browser goes by, and whether it is new."""
    try:
        cookie = SimpleCookie(header).get(COOKIE)
    except CookieError:
        cookie = None
    if cookie is not None and re.fullmatch(r"[A-Za-z0-9_-]{22}", cookie.value):
        return cookie.value, False
    return secrets.token_urlsafe(16), True


# ------------------------------------------------------------------ requests


async def read_body(request: Request) -> dict[str, Any]:
    """The JSON object of a request, if it is not too large."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise HTTPException(413, f"a request has at most {LARGEST_BODY} bytes")
        parts.append(part)
    try:
        body = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise HTTPException(400, "the body is not JSON") from None
    if not isinstance(body, dict):
        raise HTTPException(400, "the body must be an object")
    return body


def find_card(request: Request) -> Card:
    return registry.card(request.path_params["game"])


async def threaded(function: Callable[..., Any], *arguments: Any) -> Any:
    """Run it in a thread, for a bounded time (compiling, which happens once, has a bound of its own)."""
    work = asyncio.ensure_future(anyio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True))
    begin, compiled = time.perf_counter(), compile_seconds()
    try:
        while True:
            done, _ = await asyncio.wait([work], timeout=1.0)
            if done:
                return work.result()
            spent = time.perf_counter() - begin
            if spent - (compile_seconds() - compiled) > SLOWEST_STATE or spent > SLOWEST_COMPILING:
                raise HTTPException(422, f"this took more than {SLOWEST_STATE:.0f} s")
    finally:
        work.cancel()


def answer(value: Any, status: int = 200) -> Response:
    return Response(json.dumps(value, default=plain), status, media_type="application/json")


async def games(request: Request) -> Response:
    return answer([summary(card) for card in registry.games().values()])


def summary(card: Card) -> dict[str, Any]:
    return {"name": card.name, "kind": card.kind, "title": card.title, "summary": card.summary}


async def game(request: Request) -> Response:
    return answer(await threaded(details, find_card(request)))


def details(card: Card) -> dict[str, Any]:
    """Everything that can be chosen for a game."""
    told = summary(card) | {
        "start": card.start,
        "example": card.example,
        "options": [
            {"name": each.name, "help": each.help, "default": each.default, "choices": each.choices}
            for each in card.options
        ],
        "guides": [
            {"name": name, "help": each.help, "admissible": each.admissible}
            for name, each in card.guides.items()
        ],
        "guide": card.guide,
        "levels": [
            {
                "name": each.name,
                "source": each.source,
                "options": dict(each.options),
                "known": dict(each.known),
            }
            for each in card.all_levels()[:MOST_LEVELS]
        ],
        "generates": card.generate is not None,
        "generator": generator_settings(card),
        "study": card.study is not None,
        "report": comparison(card),
        "facts": list(card.facts),
        "engines": [],
        "agents": [],
    }
    if card.kind == QUEST:
        told["agents"] = [{"name": name, "help": text} for name, text in playing_agents(card).items()]
    else:
        told["engines"] = [{"name": name, "help": text} for name, text in engines(card).items()]
        told["best"] = api.find_engine(card, "best")[0]
    return told


def engines(card: Card) -> dict[str, str]:
    found = api.engines_for(card)
    return {"best": found.pop("best"), **found}


async def state(request: Request) -> Response:
    card, body = find_card(request), await read_body(request)
    moves, cursor = body.get("moves") or [], body.get("cursor")
    if not isinstance(moves, list):
        raise ShapeError("moves must be a list")
    if cursor is None:
        cursor = len(moves)
    if isinstance(cursor, bool) or not isinstance(cursor, int) or not 0 <= cursor <= len(moves):
        raise ShapeError("cursor must be a number from 0 to the number of moves")
    told = await threaded(look, request, card, body, moves, cursor)
    return answer(told)


def look(request: Request, card: Card, body: dict[str, Any], moves: list[Any], cursor: int) -> dict[str, Any]:
    """What is on the board; remembered if that is wanted."""
    read_place(card, body)  # the moves ahead must be well-formed too
    place = read_place(card, {**body, "moves": moves[:cursor]})
    told = describe(place)
    records: Records = request.app.state.records
    browser = request.scope["browser"]
    played = instance(place.start, place.options)
    if body.get("save") is True:
        records.save(
            browser,
            card.name,
            {
                "start": place.start,
                "options": dict(place.options),
                "moves": [*told["moves"], *moves[cursor:]],
                "cursor": cursor,
            },
        )
        if (
            told["status"] in ("solved", "won")
            and card.kind != "duel"
            and body.get("helped") is not True
            and cursor
        ):
            records.achieved(browser, card.name, played, cursor)
    told["best"] = records.best(browser, card.name, played)
    return told


async def record(request: Request) -> Response:
    card = find_card(request)
    return answer(await threaded(request.app.state.records.load, request.scope["browser"], card.name))


async def bests(request: Request) -> Response:
    card = find_card(request)
    return answer(await threaded(request.app.state.records.levels, request.scope["browser"], card.name))


async def ask(request: Request) -> Response:
    card, what = find_card(request), request.path_params["what"]
    if what not in ASKS:
        raise HTTPException(404, f"no question '{what[:40]}'; there are {', '.join(ASKS)}")
    body = await read_body(request)
    answering = await threaded(ASKS[what], card, body)
    pool: Pool = request.app.state.pool
    job = pool.submit(request.scope["browser"], answering)
    return StreamingResponse(
        pool.stream(job), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def stop(request: Request) -> Response:
    found = request.app.state.pool.stop(request.scope["browser"], request.path_params["job"])
    return answer({"stopped": found}, 200 if found else 404)


async def health(request: Request) -> Response:
    pool: Pool = request.app.state.pool
    return answer(
        {"ok": True, "running": len(pool.running), "waiting": len(pool.waiting), "at_once": pool.at_once}
    )


# ------------------------------------------------------------------ the page


def read_static() -> dict[str, tuple[bytes, str]]:
    """The page's files by name: only what is in this list is ever served."""
    found = {
        str(file.relative_to(STATIC).as_posix()): (file.read_bytes(), TYPES[file.suffix])
        for file in STATIC.rglob("*")
        if file.suffix in TYPES and file.is_file()
    }
    found["palette.css"] = (palette().encode(), TYPES[".css"])
    return found


def palette() -> str:
    """The colours of all drawings, for the page's own light and dark."""
    light = "".join(f"--{name}:{pair[0]};" for name, pair in PALETTE.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in PALETTE.items())
    return (
        f":root{{{light}color-scheme:light}}\n"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n"
        f":root[data-theme=dark]{{{dark}color-scheme:dark}}\n"
    )


async def static(request: Request) -> Response:
    return serve(request, request.path_params["name"])


async def page(request: Request) -> Response:
    if "game" in request.path_params:
        find_card(request)
    return serve(request, "index.html")


def serve(request: Request, name: str) -> Response:
    files: dict[str, tuple[bytes, str]] = request.app.state.files
    if name not in files:
        raise HTTPException(404, "no such file")
    content, kind = files[name]
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    return Response(content, 200, headers, kind)


# ------------------------------------------------------------------ the application


async def refused(request: Request, error: Exception) -> Response:
    """A mistake of the asker's, with its reason."""
    if isinstance(error, HTTPException):
        return answer({"error": error.detail}, error.status_code)
    if isinstance(error, ClientDisconnect):
        return Response(None, 400)
    status = 429 if isinstance(error, BusyError) else 404 if is_unknown_game(request, error) else 400
    return answer({"error": str(error)[:1000]}, status)


def is_unknown_game(request: Request, error: Exception) -> bool:
    return isinstance(error, UnknownNameError) and request.path_params.get("game") not in registry.games()


async def failed(request: Request, error: Exception) -> Response:
    """A mistake of ours: no traceback leaves the house."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer({"error": "the studio failed on this request"}, 500)


def make_app(records: Records, at_once: int = 2, hosts: tuple[str, ...] = ()) -> ASGIApp:
    """The whole application."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = Pool(at_once)
        before = sys.getswitchinterval()
        sys.setswitchinterval(0.001)  # searches in Python must not keep the page waiting
        yield
        sys.setswitchinterval(before)
        app.state.pool.close()

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        LudionError: refused,
        HTTPException: refused,
        ClientDisconnect: refused,
        Exception: failed,
    }
    app = Starlette(
        routes=[
            Route("/", page),
            Route("/play/{game}", page),
            Route("/static/{name:path}", static),
            Route("/api/health", health),
            Route("/api/games", games),
            Route("/api/games/{game}", game),
            Route("/api/games/{game}/record", record),
            Route("/api/games/{game}/bests", bests),
            Route("/api/games/{game}/state", state, methods=["POST"]),
            Route("/api/games/{game}/ask/{what}", ask, methods=["POST"]),
            Route("/api/stop/{job}", stop, methods=["POST"]),
        ],
        lifespan=lifespan,
        exception_handlers=handlers,
    )
    app.state.records = records
    app.state.files = read_static()
    return Guard(app, (*LOOPBACK, *hosts))
