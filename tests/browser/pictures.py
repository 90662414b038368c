"""Pictures of the studio for the documentation: `python -m tests.browser.pictures` takes all anew (it needs Pillow)."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGUMENTS, CHROMIUM, PATIENCE
from tests.browser.test_pages import show, until
from tests.studio.serving import studio

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
COLOURS = 256  # of a picture: enough for flat drawings, and few bytes
WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DARK_FRENCH = {"locale": "fr-FR", "color_scheme": "dark"}


def home(page: Any) -> None:
    until(page, "document.querySelectorAll('.card .thumb svg').length === 7")


def hive(page: Any) -> None:
    page.click("[data-hand='wA1'], [data-hand^='wA'] >> nth=0")
    page.wait_for_selector("#board [data-move]")


def scores(page: Any) -> None:
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#board .scores text').length === 7")


def risks(page: Any) -> None:
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#board .scores text').length > 3")
    page.focus("#board [data-seen='hidden'] >> nth=0")


def hint(page: Any) -> None:
    page.click("#hint")
    page.wait_for_selector("#board .hints")


def levels(page: Any) -> None:
    page.click("#levels")
    until(page, "document.querySelectorAll('#sheet .level svg').length > 11")


def new_game(page: Any) -> None:
    page.click("#newgame")
    page.click("label:has(input[value='strong'])")


def review(page: Any) -> None:
    page.wait_for_selector("#moment")
    page.click("#moments button >> nth=0")


def watch(page: Any) -> None:
    show(page, "agent")
    page.select_option("#agent", "layered")
    page.fill("#steps", "3")
    page.click("#run")
    page.wait_for_selector("#result .verdict")
    show(page, "watch")
    page.keyboard.press("Home")
    page.click("#watch-step")
    page.wait_for_selector("#board .unknown")


def report(page: Any) -> None:
    show(page, "compare")
    page.click("#report")
    until(page, "document.querySelectorAll('#comparison tbody tr').length > 9")
    until(page, "!document.querySelector('#comparison .pending')")


def nothing(page: Any) -> None:
    page.wait_for_selector("#board svg")


HIVE = "/play/hive?p=Base&m=wG1;bG1+wG1-;wQ+-wG1;bQ+bG1-;wA1+%5CwQ;bA1+bQ/;wA1+bQ-;bS1+%5CbQ;wS1+%5CwQ;bB1+%5CbA1"
MINES = "/play/crocomine?p=9x9:10:zero&o.seed=5&m=discover+2+2"
BLUNDERS = "/play/connect-four?p=&m=4;4;5;5;3;6;2&tab=review"
Act = Callable[[Any], None]
PICTURES: dict[str, tuple[str, Act, dict[str, Any]]] = {
    "studio_home": ("/", home, WIDE),
    "studio_hive": (HIVE, hive, WIDE),
    "studio_new_game": ("/play/connect-four", new_game, WIDE),
    "studio_levels": ("/play/rush-hour", levels, WIDE),
    "studio_scores": ("/play/connect-four?p=445544", scores, WIDE),
    "studio_risks": ("/play/crocomine?p=9x9:3/3/4&o.seed=0&m=discover+6+5", risks, {**WIDE, **DARK_FRENCH}),
    "studio_review": (BLUNDERS, review, {"viewport": {"width": 1280, "height": 930}}),
    "studio_watch": ("/play/delirium?p=&o.view=2", watch, WIDE),
    "studio_report": ("/play/rush-hour?p=", report, {"viewport": {"width": 1280, "height": 1000}}),
}
PHONES: list[tuple[str, Act, dict[str, Any]]] = [  # side by side in studio_phones
    (HIVE, nothing, PHONE),
    (MINES, hint, {**PHONE, "color_scheme": "dark"}),
    ("/play/delirium?p=level:nearest", nothing, {**PHONE, "locale": "fr-FR"}),
    ("/play/taquin", nothing, {**PHONE, **DARK_FRENCH}),
]


def take(browser: Any, address: str, path: str, act: Act, settings: dict[str, Any]) -> Image.Image:
    context = browser.new_context(**{"locale": "en-US", "reduced_motion": "reduce", **settings})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(address + path)
    page.wait_for_selector("html[data-ready]")
    act(page)
    page.evaluate("scrollTo(0, 0)")
    page.mouse.move(2, 2)
    content = page.screenshot()
    context.close()
    return Image.open(io.BytesIO(content)).convert("RGB")


def save(picture: Image.Image, name: str) -> None:
    picture.quantize(COLOURS, kmeans=2, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def beside(pictures: list[Image.Image], gap: int = 16) -> Image.Image:
    width = sum(each.width for each in pictures) + gap * (len(pictures) - 1)
    whole = Image.new("RGB", (width, max(each.height for each in pictures)), "white")
    left = 0
    for each in pictures:
        whole.paste(each, (left, 0))
        left += each.width + gap
    return whole


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        os.environ.setdefault("LUDION_TIER", "compiled")  # times in pictures are those of machine code
        with studio(Path(folder) / "studio.sqlite") as port:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
            address = f"http://127.0.0.1:{port}"
            for name, (path, act, settings) in PICTURES.items():
                save(take(browser, address, path, act, settings), name)
                print(name, flush=True)
            save(beside([take(browser, address, *each) for each in PHONES]), "studio_phones")
            browser.close()


if __name__ == "__main__":
    main()
