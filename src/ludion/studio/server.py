"""The studio's web server: its routes.

    GET  /                            the page (also /play/GAME, /play/GAME/levels, /watch/GAME, /lab, /lab/GAME,
                                      /learn, /learn/LESSON)
    GET  /static/...                  the page's modules and messages, the games' page modules, and nothing else
    GET  /api/games                   all games
    GET  /api/games/GAME              one of them, with all that can be chosen
    GET  /api/games/GAME/report       the table of an old report, to be compared again
    GET  /api/games/GAME/record       where this browser left it
    GET  /api/lessons                 all lessons; /api/lessons/LESSON: one of them
    GET  /api/saved                   the games that this browser has begun, the last one first
    GET  /api/games/GAME/bests        the fewest moves in which it has solved each level
    POST /api/games/GAME/state        what is on the board after these moves; with `save`, remember it
    POST /api/games/GAME/boards       the boards after some paths from there, for watching
    POST /api/games/GAME/question     what a panel asks: as a command, in Python, as an address
    POST /api/games/GAME/ask/WHAT     a question that takes time; the answer is a stream of server-sent events
    POST /api/stop/ID                 stop such a question and keep the best so far
    GET  /api/health                  whether it answers
    GET  /api/openapi.json            this interface, as an OpenAPI description

It is for the user's own machine: it answers only to loopback names (and the host it serves), accepts POSTs only from
its own page, reads no file that a browser names and runs no code that a browser sends. Bad input gets a 4xx status and
a reason, in the language of the request's Accept-Language header.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import html
import json
import logging
import re
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar

import anyio.to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from ludion import registry
from ludion.core.clock import compile_seconds
from ludion.errors import LudionError, UnknownNameError, unknown
from ludion.kinds.games import Duel
from ludion.messages import LANGUAGES, catalogue, language, message
from ludion.records.players import PlayerRecords, instance
from ludion.studio.asks import ASKS
from ludion.studio.descriptions import all_games, details, report_table, summary
from ludion.studio.guard import LOOPBACK, Guard
from ludion.studio.jobs import BusyError, JobQueue, plain
from ludion.studio.lessons import Lessons
from ludion.studio.openapi import VERSION, interface
from ludion.studio.positions import (
    AnyGame,
    BadRequestError,
    Body,
    boards,
    describe,
    read_cursor,
    read_paths,
    read_place,
)
from ludion.studio.reproduce import reproduce
from ludion.svg import PALETTE

STATIC = Path(__file__).parent / "static"
GAME_MODULE = re.compile(r"games/([^/]+)\.js")
JAVASCRIPT, STYLE, JSON = "text/javascript; charset=utf-8", "text/css; charset=utf-8", "application/json"
TYPES = {".html": "text/html; charset=utf-8", ".css": STYLE, ".js": JAVASCRIPT, ".svg": "image/svg+xml"}
TYPES[".webmanifest"] = "application/manifest+json"
LARGEST_BODY = 400_000
INTRODUCTION = "intro"  # the slot in which an introduction is played
SMALLEST_COMPRESSED = 1000  # bytes; smaller answers are sent as they are
SLOWEST_STATE, SLOWEST_COMPILING = 20.0, 300.0  # seconds after which a look at a position is given up

Result = TypeVar("Result")

log = logging.getLogger("ludion.studio")


# ------------------------------------------------------------------ requests


async def read_body(request: Request) -> Body:
    """The JSON object of a request, if it is not too large."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise HTTPException(413, message("studio.body_too_large", most=LARGEST_BODY))
        parts.append(part)
    try:
        body = json.loads(b"".join(parts))
    except (ValueError, RecursionError):
        raise HTTPException(400, message("studio.not_json")) from None
    if not isinstance(body, dict):
        raise HTTPException(400, message("studio.not_an_object"))
    return body


def find_game(request: Request) -> AnyGame:
    """The registered game of this address (`registry.find` would also load and run a file)."""
    name, known = request.path_params["game"], registry.games()
    if name not in known:
        raise unknown("errors.game", name, sorted(known))
    return known[name]


async def in_thread(function: Callable[..., Result], *arguments: object) -> Result:
    """Run it in a thread, for a bounded time (compiling, which happens once, has its own bound)."""
    work = asyncio.ensure_future(anyio.to_thread.run_sync(function, *arguments, abandon_on_cancel=True))
    begin, compiled = time.perf_counter(), compile_seconds()
    try:
        while True:
            done, _ = await asyncio.wait([work], timeout=1.0)
            if done:
                return work.result()
            spent = time.perf_counter() - begin
            if spent - (compile_seconds() - compiled) > SLOWEST_STATE or spent > SLOWEST_COMPILING:
                raise HTTPException(422, message("studio.took_too_long", seconds=f"{SLOWEST_STATE:.0f}"))
    finally:
        work.cancel()


def answer(value: object, status: int = 200) -> Response:
    return Response(json.dumps(value, default=plain), status, media_type=JSON)


async def games(request: Request) -> Response:
    """All games, by kind."""
    return answer([summary(game) for game in all_games()])


async def game(request: Request) -> Response:
    """One game, with all that can be chosen."""
    return answer(await in_thread(details, find_game(request)))


async def report(request: Request) -> Response:
    """The table of an old report, to be compared again."""
    return answer(await in_thread(report_table, find_game(request)))


async def state(request: Request) -> Response:
    """What is on the board after these moves; with `save`, remember it."""
    game, body = find_game(request), await read_body(request)
    records: PlayerRecords = request.app.state.records
    return answer(await in_thread(look, game, body, records, request.scope["browser"]))


def look(game: AnyGame, body: Body, records: PlayerRecords, browser: str) -> dict[str, Any]:
    """What is on the board; remembered if that is asked for."""
    cursor, whole = read_cursor(body), read_place(game, body)
    place = whole.after(cursor)
    here = describe(place)
    played = instance(place.start, place.options)
    helped = body.get("helped") is True
    if body.get("save") is True:
        ahead = list(whole.moves[cursor:])
        records.save(
            browser,
            saved_game(game, body.get("slot", "")),
            {
                "start": place.start,
                "options": dict(place.options),
                "moves": [*here["moves"], *ahead],
                "cursor": cursor,
                "helped": helped,
            },
        )
        solved = here["status"] in ("solved", "won") and not isinstance(game, Duel)
        if solved and cursor and not helped:
            records.achieved(browser, game.name, played, cursor)
    return {**here, "best": records.best(browser, game.name, played)}


async def paths(request: Request) -> Response:
    """The boards after some paths from a place, for watching."""
    game, body = find_game(request), await read_body(request)
    touched = body.get("touched") is True
    return answer(await in_thread(lambda: boards(read_place(game, body), read_paths(body), touched)))


def saved_game(game: AnyGame, slot: object) -> str:
    """The name under which a game in progress is saved. Each browser has one game in progress per game (without a
    slot); a game from a link is saved beside it, in a slot that the page names."""
    if not isinstance(slot, str) or not re.fullmatch(r"[a-z0-9]{0,16}", slot):
        raise BadRequestError(message("studio.slot_form"))
    return f"{game.name}/{slot}" if slot else game.name


async def record(request: Request) -> Response:
    """Where this browser left the game."""
    saved = saved_game(find_game(request), request.query_params.get("slot", ""))
    return answer(await in_thread(request.app.state.records.load, request.scope["browser"], saved))


async def saved(request: Request) -> Response:
    """The games that this browser has begun, the last one first."""
    known = registry.games()
    rows = await in_thread(request.app.state.records.saved, request.scope["browser"])
    games_of_rows = [(*name.partition("/"), place, when) for name, place, when in rows]
    return answer(
        [
            {
                "game": name,
                "title": known[name].caption,
                "slot": slot,
                "moves": len(place["moves"]),
                "saved": when,
            }
            for name, _, slot, place, when in games_of_rows
            if name in known and slot != INTRODUCTION and place["moves"]
        ]
    )


async def lessons(request: Request) -> Response:
    """All lessons, in a few words each."""
    return answer(await in_thread(request.app.state.lessons.all))


async def lesson(request: Request) -> Response:
    """A lesson with its steps."""
    return answer(await in_thread(request.app.state.lessons.object, request.path_params["lesson"]))


async def bests(request: Request) -> Response:
    """The fewest moves in which this browser has solved each level."""
    game = find_game(request)
    return answer(await in_thread(request.app.state.records.levels, request.scope["browser"], game.name))


async def question(request: Request) -> Response:
    """The question of a panel: as a command, in Python, as an address."""
    game, body = find_game(request), await read_body(request)
    return answer(await in_thread(reproduce, game, body))


async def ask(request: Request) -> Response:
    """A question that takes time; its answer is a stream of events."""
    game, what = find_game(request), request.path_params["what"]
    if what not in ASKS:
        raise HTTPException(404, message("studio.no_question", what=what[:40], known=", ".join(ASKS)))
    body = await read_body(request)
    answering = await in_thread(ASKS[what], game, body)
    jobs: JobQueue = request.app.state.jobs
    job = jobs.submit(request.scope["browser"], answering)
    return StreamingResponse(
        jobs.stream(job), media_type="text/event-stream", headers={"cache-control": "no-store"}
    )


async def stop(request: Request) -> Response:
    """Stop a question and keep the best so far."""
    stopped = request.app.state.jobs.stop(request.scope["browser"], request.path_params["job"])
    return answer({"stopped": stopped}, 200 if stopped else 404)


async def health(request: Request) -> Response:
    """Whether it answers, and how many searches run and wait."""
    jobs: JobQueue = request.app.state.jobs
    counts = {"running": len(jobs.running), "waiting": len(jobs.waiting), "at_once": jobs.at_once}
    return answer({"ok": True, "interface": VERSION, **counts})


# ------------------------------------------------------------------ the page


def read_static() -> dict[str, tuple[bytes, str]]:
    """The page's files by name, with their types: beside the games' modules, only these are ever served."""
    files = {
        file.relative_to(STATIC).as_posix(): (file.read_bytes(), TYPES[file.suffix])
        for file in STATIC.rglob("*")
        if file.suffix in TYPES and file.is_file()
    }
    files["palette.css"] = palette().encode(), STYLE
    for each in LANGUAGES:
        files[f"messages/{each}.json"] = page_messages(each).encode(), JSON
    return files


def page_messages(language: str) -> str:
    """All sentences of the page in one language, by id; those of answers have the prefix `answers.`"""
    sentences = {
        prefix + name: texts.get(language, texts["en"])
        for part, prefix in (("page", ""), ("answers", "answers."))
        for name, texts in catalogue(part).items()
    }
    return json.dumps(sentences, ensure_ascii=False)


def palette() -> str:
    """The colours of all drawings, for the page's own light and dark."""
    light = "".join(f"--{name}:{pair[0]};" for name, pair in PALETTE.items())
    dark = "".join(f"--{name}:{pair[1]};" for name, pair in PALETTE.items())
    return (
        f":root{{{light}color-scheme:light}}\n"
        f"@media(prefers-color-scheme:dark){{:root:not([data-theme=light]){{{dark}color-scheme:dark}}}}\n"
        f":root[data-theme=dark]{{{dark}color-scheme:dark}}\n"
    )


def edition_of(files: dict[str, tuple[bytes, str]]) -> str:
    """A name for the page's files as they are, the games' modules among them: under it, browsers keep them unasked."""
    contents = [content for content, _ in files.values()]
    contents += [game.page.read_bytes() for game in registry.games().values() if game.page is not None]
    return hashlib.sha256(b"".join(contents)).hexdigest()[:12]


async def static(request: Request) -> Response:
    """A file of the page, or the JavaScript module with which a game's board is played."""
    edition = f"{request.app.state.edition}/"
    path: str = request.path_params["name"]
    name = path.removeprefix(edition)
    if not (module := GAME_MODULE.fullmatch(name)):
        return serve(request, name, path != name)
    game = registry.games().get(module.group(1))
    if game is None or game.page is None:
        raise HTTPException(404, message("studio.no_such_page"))
    return file_response(request, game.page.read_bytes(), JAVASCRIPT, path != name)


async def page(request: Request) -> Response:
    if "game" in request.path_params:
        find_game(request)
    if "lesson" in request.path_params:
        request.app.state.lessons.file(request.path_params["lesson"])
    return serve(request, "index.html")


def serve(request: Request, name: str, lasting: bool = False) -> Response:
    files: dict[str, tuple[bytes, str]] = request.app.state.files
    if name not in files:
        raise HTTPException(404, message("studio.no_such_page"))
    return file_response(request, *files[name], lasting)


def file_response(request: Request, content: bytes, media_type: str, lasting: bool) -> Response:
    """The file; if it lasts, browsers need not ask whether it has changed."""
    tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
    headers = {"etag": tag, "cache-control": "max-age=31536000, immutable" if lasting else "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(None, 304, headers)
    return Response(content, 200, headers, media_type)


# ------------------------------------------------------------------ the application


async def refused(request: Request, error: Exception) -> Response:
    """A mistake in the request, with its reason."""
    if isinstance(error, HTTPException):
        return refusal(request, reason_of(error), error.status_code)
    if isinstance(error, ClientDisconnect):
        return Response(None, 400)
    status = 429 if isinstance(error, BusyError) else 404 if is_unknown_game(request, error) else 400
    return refusal(request, str(error)[:1000], status)


def refusal(request: Request, reason: str, status: int) -> Response:
    """The reason as JSON; to a person with a browser, as a short page that leads back to the games."""
    is_page = request.method == "GET" and not request.url.path.startswith(("/api/", "/static/"))
    if not is_page or "text/html" not in request.headers.get("accept", ""):
        return answer({"error": reason}, status)
    words = {
        "language": language(),
        "title": message("studio.not_here"),
        "reason": reason,
        "home": message("studio.all_games"),
    }
    page = request.app.state.files["refused.html"][0].decode()
    return HTMLResponse(page.format(**{name: html.escape(text) for name, text in words.items()}), status)


def reason_of(error: HTTPException) -> str:
    """The reason of an HTTP error; those that the web framework raises have only a standard English phrase."""
    own = {404: "studio.no_such_page", 405: "studio.no_such_method"}.get(error.status_code)
    if own is not None and error.detail == HTTPStatus(error.status_code).phrase:
        return message(own)
    return error.detail


def is_unknown_game(request: Request, error: Exception) -> bool:
    known = request.path_params.get("game", request.path_params.get("lesson"))
    return isinstance(error, UnknownNameError) and known not in registry.games()


async def failed(request: Request, error: Exception) -> Response:
    """A mistake of ours: no traceback leaves the server."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer({"error": message("studio.failed")}, 500)


async def openapi(request: Request) -> Response:
    """This interface, as an OpenAPI description."""
    return answer(interface(ROUTES))


ROUTES = [
    Route("/", page),
    Route("/play/{game}", page),
    Route("/play/{game}/levels", page),
    Route("/watch/{game}", page),
    Route("/learn", page),
    Route("/learn/{lesson}", page),
    Route("/lab", page),
    Route("/lab/{game}", page),
    Route("/static/{name:path}", static),
    Route("/api/openapi.json", openapi),
    Route("/api/health", health),
    Route("/api/games", games),
    Route("/api/games/{game}", game),
    Route("/api/games/{game}/report", report),
    Route("/api/games/{game}/record", record),
    Route("/api/games/{game}/bests", bests),
    Route("/api/saved", saved),
    Route("/api/lessons", lessons),
    Route("/api/lessons/{lesson}", lesson),
    Route("/api/games/{game}/state", state, methods=["POST"]),
    Route("/api/games/{game}/question", question, methods=["POST"]),
    Route("/api/games/{game}/boards", paths, methods=["POST"]),
    Route("/api/games/{game}/ask/{what}", ask, methods=["POST"]),
    Route("/api/stop/{job}", stop, methods=["POST"]),
]


def make_app(
    records: PlayerRecords,
    at_once: int = 2,
    hosts: tuple[str, ...] = (),
    token: str = "",
    lesson_files: Sequence[Path] = (),
) -> ASGIApp:
    """The whole application; with a token, other machines must send it."""

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.jobs = JobQueue(at_once)
        before = sys.getswitchinterval()
        sys.setswitchinterval(0.001)  # searches in Python must not keep the page waiting
        yield
        sys.setswitchinterval(before)
        app.state.jobs.close()

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        LudionError: refused,
        HTTPException: refused,
        ClientDisconnect: refused,
        Exception: failed,
    }
    app = Starlette(
        routes=ROUTES,
        lifespan=lifespan,
        middleware=[
            Middleware(GZipMiddleware, minimum_size=SMALLEST_COMPRESSED)
        ],  # streams of events go as they are
        exception_handlers=handlers,
    )
    app.state.records = records
    app.state.files = files = read_static()
    app.state.edition = edition_of(files)
    for name in ("index.html", "refused.html"):
        text, media_type = files[name]
        files[name] = text.replace(b"/static/", f"/static/{app.state.edition}/".encode()), media_type
    app.state.lessons = Lessons(lesson_files)
    return Guard(app, (*LOOPBACK, *hosts), token)
