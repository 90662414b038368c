"""Access control: only the studio's own page may send requests. Each browser gets a cookie, each request its language.

On a network, other machines also need the token of the printed address: the first visit sends it, a cookie stores it.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludion.messages import language_of, message, speaking

COOKIE, TOKEN_COOKIE = "ludion_browser", "ludion_token"
A_YEAR = 31_536_000  # seconds
LOOPBACK = ("localhost", "127.0.0.1", "::1")
EVERY_ADDRESS = {"0.0.0.0", "::"}  # to listen on: all addresses of this machine
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Guard:
    """Accepts only requests of the studio's own page, and sets the language of the request for messages."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...], token: str = "") -> None:
        self.app, self.hosts, self.token = app, {host.lower() for host in hosts}, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        browser, new = browser_of(headers.get("cookie", ""))
        scope["browser"] = browser

        async def send_with_headers(event: Message) -> None:
            if event["type"] == "http.response.start":
                event["headers"] = [*event.get("headers", []), *HEADERS]
                if new:
                    cookie = f"{COOKIE}={browser}; Path=/; Max-Age={A_YEAR}; HttpOnly; SameSite=Strict"
                    event["headers"].append((b"set-cookie", cookie.encode()))
            await send(event)

        with speaking(language_of(headers.get("accept-language", ""))):
            if self.token and self.brings_token(scope):
                await self.welcome(scope)(scope, receive, send_with_headers)
                return
            refusal = self.refusal(scope["method"], headers)
            if refusal is None and self.needs_token(scope, headers):
                refusal = 403, message("studio.no_token")
            if refusal:
                status, reason = refusal
                await JSONResponse({"error": reason}, status)(scope, receive, send_with_headers)
                return
            await self.app(scope, receive, send_with_headers)

    def brings_token(self, scope: Scope) -> bool:
        """Whether the address has the token, as the printed one does."""
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        return scope["method"] == "GET" and secrets.compare_digest(given.encode(), self.token.encode())

    def welcome(self, scope: Scope) -> RedirectResponse:
        """Redirect to the page without the token in its address; a cookie stores it."""
        response = RedirectResponse(scope["path"], 303)
        response.set_cookie(TOKEN_COOKIE, self.token, A_YEAR, httponly=True, samesite="lax")
        return response

    def needs_token(self, scope: Scope, headers: dict[str, str]) -> bool:
        """Whether the request comes from another machine without the token; this machine needs none."""
        if not self.token or (scope.get("client") or ("",))[0] in LOOPBACK:
            return False
        return not secrets.compare_digest(cookie_of(headers, TOKEN_COOKIE).encode(), self.token.encode())

    def is_ours(self, name: str) -> bool:
        """Whether the Host header is accepted. A server that listens on every address accepts any IP address; names
        stay refused, since another page could make its own name resolve to this machine."""
        return name in self.hosts or (bool(self.hosts & EVERY_ADDRESS) and is_address(name))

    def refusal(self, method: str, headers: dict[str, str]) -> tuple[int, str] | None:
        """Status and reason, if the request is refused."""
        host = headers.get("host", "")
        if not self.is_ours(name_of(host)):
            return 421, message("studio.other_host")
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, message("studio.other_page")
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, message("studio.other_page")
        content_type = headers.get("content-type", "").partition(";")[0].strip()
        if method == "POST" and content_type != "application/json":
            return 415, message("studio.json_only")
        return None


def name_of(host: str) -> str:
    """The name in a Host header, without the port."""
    match = re.fullmatch(r"(?:\[([0-9a-f:]+)\]|([^:\[\]]*))(?::\d{1,5})?", host.lower())
    return (match.group(1) or match.group(2) or "") if match else ""


def is_address(name: str) -> bool:
    """Whether it is an IP address, not a name."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def browser_of(header: str) -> tuple[str, bool]:
    """The name in the browser's cookie, and whether it is new."""
    name = cookie_of({"cookie": header}, COOKIE)
    if re.fullmatch(r"[A-Za-z0-9_-]{22}", name):
        return name, False
    return secrets.token_urlsafe(16), True


def cookie_of(headers: dict[str, str], name: str) -> str:
    """The value of a cookie; nothing if there is none."""
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(name)
    except CookieError:
        return ""
    return "" if cookie is None else cookie.value
