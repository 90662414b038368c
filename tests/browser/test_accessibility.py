"""What a screen reader and weak eyes need, on every page: axe-core breaks no rule; speech."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.browser.test_pages import GAMES, show, text, until

AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
ASK_AXE = """async ([part, rules]) => (await axe.run(part, { resultTypes: ["violations"], ...rules })).violations
    .flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)}`))"""


def violations(page, part="html"):
    """What breaks a rule of axe-core in a part of the page; in the dark, where only colours differ, a rule
    about colours."""
    if not page.evaluate("'axe' in window"):
        if not AXE.exists() and not os.environ.get("CI"):
            pytest.skip("axe-core is not installed: `make lint` does so where there is npm")
        page.evaluate(AXE.read_text(encoding="utf-8"))
    broken = page.evaluate(ASK_AXE, [part, {}])
    page.emulate_media(color_scheme="dark")
    broken += page.evaluate(ASK_AXE, [part, {"runOnly": ["color-contrast"]}])
    page.emulate_media(color_scheme="light")
    return broken


@pytest.mark.parametrize("game", ["", *GAMES])
def test_no_rule_is_broken(visitor, game):
    page = visitor.open(f"/play/{game}" if game else "/", reduced_motion="reduce")
    if not game:
        page.wait_for_selector(".card .thumb svg")
        assert violations(page) == []
        return
    page.wait_for_selector("#board svg")
    assert violations(page) == []
    page.evaluate("for (const each of document.querySelectorAll('.panels details')) each.open = true")
    for panel in page.eval_on_selector_all(".panels > *", "panels => panels.map((each) => each.id.slice(6))"):
        if panel != "play":
            show(page, panel)
            assert violations(page, ".right") == [], panel  # the rest has not changed
    page.click("#more")
    assert violations(page, "#more-menu") == []
    page.click("#more-close")
    page.click("#newgame")
    assert violations(page, "#sheet") == []


# ------------------------------------------------------------------ speech


def test_every_cell_has_words_and_the_opponents_move_is_said(visitor):
    page = visitor.open("/play/tic-tac-toe")
    assert page.get_attribute("[data-cell='b2']", "aria-label") == "b2: empty"
    page.keyboard.press("b")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#speech').textContent.startsWith('Casual: Nought at')")
    assert text(page, "#speech").endswith("Your turn: ×")
    assert page.get_attribute("[data-cell='a1']", "aria-label") == "a1: cross"
    page.keyboard.press("r")
    assert text(page, "#message").startswith("a1: cross; ")


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("rush-hour?p=...B.....B..AA.B....................&m=B%2B3", "camion B de 3 vers le bas"),
        ("hive?p=Base&m=wG1;bG1+wG1-", "sauterelle noire à droite de la sauterelle blanche"),
        ("taquin?p=1+2+3/4+5+6/0+7+8&m=right", "tuile 7 vers la gauche"),
        ("connect-four?p=&m=4", "jaune dans la colonne 4"),
        ("tic-tac-toe?p=&m=b2", "croix en b2"),
        ("crocomine?p=9x9:10:zero&o.seed=1&m=discover+2+2", "ouvrir ligne 3, colonne 3"),
        ("delirium?p=level:nearest&m=5", "creuser à droite"),
    ],
)
def test_moves_are_said_in_french(visitor, path, words):
    page = visitor.open(f"/play/{path}", locale="fr-FR")
    assert text(page, "#moves [aria-current]") == f"{len(page.query_selector_all('#moves li'))}. {words}"


def test_eyes_closed_a_line_of_mines_is_read(visitor):
    page = visitor.open("/play/crocomine?p=b;3+4;1+0+flags;-+-+T+-;-+-+-+-;-+-+T+-&m=discover+1+0")
    assert page.get_attribute("[data-cell='1 1']", "aria-label") == "row 2, column 2: 2 mines around"
    assert page.get_attribute("[data-cell='0 2']", "aria-label") == "row 1, column 3: hidden"
