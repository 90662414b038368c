"""The lab page and the lessons in Chromium."""

from __future__ import annotations

import json

import pytest

import ludion
from tests.browser.test_accessibility import violations
from tests.browser.test_pages import text, until
from tests.commands import run

LESSON = "document.querySelector('.lessonpage').lesson"


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def finish(page, name):
    """Go through a lesson as a reader: play, expect, measure, go on."""
    steps = json.loads(page.evaluate(f"JSON.stringify({LESSON}.lesson.steps)"))
    for number, step in enumerate(steps):
        until(page, f"document.querySelector('.count').textContent === '{number + 1} / {len(steps)}'")
        if step["start"] is not None:
            page.wait_for_selector(".lessonboard svg")
        if step.get("question"):
            if step["choices"]:
                page.click(".choice >> nth=0")
            else:
                page.fill("#lesson-number", "100")
                page.click("#lesson-measure")
            page.wait_for_selector("[data-figure=answer]")
            shown = text(page, "[data-figure=answer]")
            expected = step["choices"][step["answer"] - 1] if step["choices"] else f"{step['answer']:,}"
            assert shown.startswith(expected), (number, shown)
        page.click("#lesson-next")
    page.wait_for_selector("#lesson-end")


@pytest.mark.parametrize("name", ["1-taquin", "2-rush-hour", "3-tic-tac-toe", "4-crocomine", "5-delirium"])
def test_every_lesson_can_be_finished(visitor, name):
    page = visitor.open(f"/learn/{name}")
    page.wait_for_selector(".lessonboard svg")
    if name == "1-taquin":  # the first board is solved by hand
        answer = ludion.solve(ludion.position("taquin", "level:report-1"))
        for move in answer.line:
            arrow = {"up": "Down", "down": "Up", "left": "Right", "right": "Left"}[move]
            page.locator(".lessonboard [tabindex='0']").first.focus()
            page.keyboard.press(f"Arrow{arrow}")
        page.wait_for_selector(".after p")
        assert "in your head" in text(page, ".after")
        assert violations(page) == []
        visitor.picture(page, "lesson")
    if name == "3-tic-tac-toe":
        page.click("[data-cell='c1']")
        page.wait_for_selector(".after p")
    finish(page, name)
    visitor.visit(page, "/learn")
    assert "done" in text(page, f"a[href='/learn/{name}']")


def test_lessons_fit_a_phone_in_french_and_in_the_dark(visitor):
    phone = {"has_touch": True, "is_mobile": True}
    page = visitor.open("/learn/1-taquin", 360, 740, locale="fr-FR", color_scheme="dark", **phone)
    page.wait_for_selector(".lessonboard svg")
    assert page.evaluate("document.querySelector('.lessonboard svg').clientWidth") > 200  # for a finger
    assert "Résolvez" in text(page, ".task")
    assert overflow(page) <= 0
    visitor.picture(page, "lesson_phone")


def test_the_lab_measures_sorts_and_leads_to_watch(visitor, capsys):
    page = visitor.open("/lab/taquin", width=1440)
    page.select_option("#lab-levels", ["report-1", "report-2"])
    page.click("#lab-run")
    until(page, "document.querySelector('#lab-command')")
    assert page.locator(".labtable").first.locator("tbody tr").count() == 4
    record = json.loads(
        run(capsys, "solve", "taquin", "level:report-1", "--engine", "breadth-first", "--json").stdout
    )
    nodes = page.locator(".labtable").first.locator("tbody tr").first.locator("[data-label=nodes]")
    assert nodes.text_content() == str(record["nodes"])
    assert nodes.locator("a").get_attribute("href").startswith("/watch/taquin?p=")
    head = page.locator(".labtable").first.locator("thead button", has_text="nodes")
    head.click()
    page.locator(".labtable").first.locator("[aria-sort=ascending]").wait_for()
    sorted_nodes = page.locator(".labtable").first.locator("tbody [data-label=nodes]").all_text_contents()
    numbers = [int(each.replace(",", "")) for each in sorted_nodes]
    assert numbers == sorted(numbers)
    assert violations(page) == []
    command = text(page, "#lab-command")
    assert command.startswith("ludion lab taquin --levels report-1,report-2 --engines breadth-first,a-star")
    with page.expect_download() as download:
        page.click("#lab-csv")
    assert download.value.path().read_text().startswith("level,engine,heuristic,status,length")
    with page.expect_download() as download:
        page.click("#lab-html")
    assert "<table" in download.value.path().read_text()
    visitor.picture(page, "lab")
    nodes.locator("a").click()
    page.wait_for_selector(".watchboard svg")


def test_the_reports_tables_are_not_cut_off(visitor):
    page = visitor.open("/lab/rush-hour", width=1440)
    page.click("#lab-report")
    until(page, "document.querySelector('#lab-command')")
    assert page.locator(".labtable").count() >= 3
    assert overflow(page) <= 0
    wide = "[...document.querySelectorAll('.labtable table')].every((each) => each.scrollWidth <= innerWidth)"
    assert page.evaluate(wide)
    visitor.picture(page, "lab_report")
    page.set_viewport_size({"width": 360, "height": 740})
    assert overflow(page) <= 0
    assert page.evaluate(wide)
    visitor.picture(page, "lab_phone")
