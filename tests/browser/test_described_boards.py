"""Games of one's own that describe their boards, in a real browser: played by pressing cells."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludion.studio
from tests.browser.conftest import Visitor
from tests.browser.test_pages import until
from tests.studio.serving import studio

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "examples" / f"{name}.py" for name in ("peg_solitaire", "domineering", "wumpus")]
BOARD_LAYER = Path(ludion.studio.__file__).parent / "static" / "board.js"

pytestmark = pytest.mark.skipif(
    "[data-cell]" not in BOARD_LAYER.read_text(encoding="utf-8"),
    reason="this studio has no board layer that makes every [data-cell] a button",
)


@pytest.fixture(scope="module")
def own_games(tmp_path_factory):
    with studio(tmp_path_factory.mktemp("records") / "studio.sqlite", *FILES) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def guest(profiles, own_games, tmp_path):
    visitor = Visitor(profiles, own_games, tmp_path)
    yield visitor
    visitor.leave()


def moves_made(page, number):
    until(page, f"document.querySelectorAll('#moves li button').length >= {number}")
    return [text.partition(". ")[2] for text in page.locator("#moves li button").all_inner_texts()]


def test_a_puzzle_is_played_from_cell_to_cell(guest):
    page = guest.open("/play/peg-solitaire")
    page.locator('[data-cell="a3"]').first.click()
    assert page.locator("[data-move]").count() == 1
    page.locator('[data-move="a3-a1"]').first.click()
    assert moves_made(page, 1) == ["a3-a1"]


def test_a_duel_is_played_by_pressing_a_cell(guest):
    page = guest.open("/play/domineering")
    page.locator('[data-cell="c2"]').first.click()
    assert moves_made(page, 1)[0] == "c2"


def test_a_quest_is_played_by_pressing_a_cell(guest):
    page = guest.open("/play/wumpus?p=4x4")
    assert page.locator('[data-cell="c3"]').first.get_attribute("aria-label") == "c3: unknown"
    page.locator('[data-cell="b1"]').first.click()
    assert moves_made(page, 1) == ["b1"]
