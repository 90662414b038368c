"""The system's Chromium, driven by Playwright, and a studio for it.

Where there is no Chromium these tests are skipped, except in CI (`CI` is set), where they must run.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.studio.serving import OWN_BOARD, OWN_GAME, studio

# The shell without windows first: it takes a fraction of the processor time of the whole browser.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next((path for name in BROWSERS if (path := shutil.which(name))), None)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60_000  # milliseconds; a cold kernel compiles for some seconds, longer on a busy machine


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    records = tmp_path_factory.mktemp("records") / "studio.sqlite"
    with studio(records, OWN_GAME, OWN_BOARD, LUDION_TIER="automatic") as port:  # as users have it
        yield f"http://127.0.0.1:{port}"


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        if os.environ.get("CI"):
            pytest.fail("no Chromium: CI must run the browser tests (make browser installs it)")
        pytest.skip("no Chromium on this machine (make browser installs it)")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield launched
        launched.close()


class Profiles:
    """Browser profiles by their settings. One that a test has left is emptied and given to the next: it has the
    studio's files already, and saves the time of a start."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.free: dict[str, list[Any]] = {}

    def take(self, settings: dict[str, Any]) -> Any:
        waiting = self.free.get(repr(settings))
        return waiting.pop() if waiting else self.browser.new_context(**settings)

    def give_back(self, settings: dict[str, Any], context: Any, origin: str) -> None:
        for page in context.pages[1:]:
            page.close()
        context.clear_cookies()
        context.new_cdp_session(context.pages[0]).send(
            "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"}
        )
        context.pages[0].close()
        self.free.setdefault(repr(settings), []).append(context)


@pytest.fixture(scope="session")
def profiles(browser: Any) -> Profiles:
    return Profiles(browser)


class Visitor:
    """Opens pages of the studio, and notices every error that they print."""

    def __init__(self, profiles: Profiles, address: str, pictures: Path | None) -> None:
        self.profiles, self.address, self.pictures = profiles, address, pictures
        self.errors: list[str] = []
        self.contexts: list[tuple[dict[str, Any], Any]] = []
        self.clocked: list[Any] = []

    def open(
        self, path: str = "/", width: int = 1280, height: int = 860, clock: bool = False, **context: Any
    ) -> Any:
        """A page in a profile of its own; with `clock`, its time is set by `page.clock`."""
        settings = {"locale": "en-US", "viewport": {"width": width, "height": height}, **context}
        if clock:  # the time of the whole profile: nobody else can have it
            profile = self.profiles.browser.new_context(**settings)
            self.clocked.append(profile)
        else:
            profile = self.profiles.take(settings)
            self.contexts.append((settings, profile))
        profile.set_default_timeout(PATIENCE)
        page = profile.new_page()
        page.on(
            "console", lambda message: self.errors.append(message.text) if message.type == "error" else None
        )
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.visit(page, path)
        return page

    def visit(self, page: Any, path: str) -> None:
        page.goto(path if path.startswith("http") else self.address + path)
        page.wait_for_selector("html[data-ready]")

    def picture(self, page: Any, name: str) -> None:
        """Keep a picture, if somebody wants to look at it."""
        if self.pictures is not None:
            page.screenshot(path=self.pictures / f"{name}.png", full_page=True)

    def leave(self) -> None:
        for context in self.clocked:
            context.close()
        for settings, context in self.contexts:
            self.profiles.give_back(settings, context, self.address)
        assert self.errors == []


@pytest.fixture
def visitor(profiles: Profiles, address: str) -> Iterator[Visitor]:
    folder = os.environ.get("LUDION_SCREENSHOTS")
    pictures = Path(folder) if folder else None
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
    visitor = Visitor(profiles, address, pictures)
    yield visitor
    visitor.leave()
