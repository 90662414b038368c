"""The studio in a real browser, used as a person would."""

from __future__ import annotations

import base64
import json
import re
import time

import pytest
from playwright.sync_api import Error

import ludion
from ludion import registry
from ludion.kinds.games import DUEL, QUEST
from ludion.questions import Search

GAMES = sorted(registry.installed())
NEAR = "/play/taquin?p=1+2+3/4+5+6/0+7+8"


def text(page, selector):
    return page.inner_text(selector)


def until(page, condition):
    """Wait until an expression about the page holds (Playwright's own way needs `eval`, which is barred)."""
    end = time.monotonic() + 60
    while not holds(page, condition):
        assert time.monotonic() < end, condition
        page.wait_for_timeout(30)


def holds(page, condition):
    """Whether the expression is true; not while another page is being loaded."""
    try:
        return page.evaluate(condition)
    except Error as error:
        if "context was destroyed" in str(error):
            return False
        raise


def weight(page):
    """Bytes of all that the page has asked for, as they travel."""
    sizes = "performance.getEntriesByType('resource')"
    return page.evaluate(f"{sizes}.reduce((sum, each) => sum + each.encodedBodySize, 0)")


def choose(page, name):
    """Choose from the menu "More"."""
    page.click("#more:visible, #more-buttons:visible")
    page.click(f"#{name}")


def show(page, panel):
    """Show a panel beside the board: by the row below it, or by the menu."""
    if panel == "play":
        page.click("#panel-close")
    elif panel in ("review", "share") and page.is_visible(f"#quick-{panel}"):
        page.click(f"#quick-{panel}")
    else:
        choose(page, f"tab-{panel}")


def count(page, selector):
    return page.locator(selector).count()


def moves_in_address(page):
    match = re.search(r"[?&]m=([^&]*)", page.url)
    return match.group(1).split(";") if match else []


# ------------------------------------------------------------------ home


def test_home_shows_every_game_and_weighs_little(visitor):
    page = visitor.open("/")
    assert page.locator("a.card").count() == len(GAMES) + 2  # and the game files'
    page.wait_for_selector(".card .thumb svg")
    visitor.picture(page, "home")
    entries = json.loads(page.evaluate("JSON.stringify(performance.getEntriesByType('resource'))"))
    assert weight(page) < 150_000
    assert all(each["name"].startswith(visitor.address) for each in entries)
    assert page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime") < 5000
    page.click("a.card:has-text('Taquin')")
    page.wait_for_selector("#board svg")


# ------------------------------------------------------------------ the same for every game


@pytest.mark.parametrize("name", GAMES)
def test_every_game_is_played_undone_and_restored(visitor, name):
    alone = "?p=" if registry.find(name).kind == DUEL else ""  # a position by its address has no opponent
    page = visitor.open(f"/play/{name}{alone}", reduced_motion="reduce")
    page.wait_for_selector("#board svg")
    if registry.find(name).kind == QUEST:
        show(page, "agent")
        page.select_option("#agent", index=page.locator("#agent option").count() - 1)
        page.fill("#steps", "5")
        page.click("#run")
        page.wait_for_selector("#result .verdict")
        show(page, "play")
        page.keyboard.press("End")
        until(page, "document.querySelector('#redo').disabled")
    else:
        show(page, "options")
        page.evaluate("document.querySelector('#legal').closest('details').open = true")
        page.click("#legal button >> nth=0")
    until(page, "document.querySelectorAll('#moves [aria-current]').length === 1")
    after = text(page, "#moves [aria-current]")
    address = page.url
    board = page.inner_html("#board svg desc")
    page.click("#undo")
    until(page, "!document.querySelector('#redo').disabled")
    assert after in page.locator("#moves .ahead").all_inner_texts()  # in words, as when it was made
    page.click("#redo")
    until(page, "document.querySelector('#redo').disabled")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    until(page, "document.querySelectorAll('#moves [aria-current]').length === 1")
    assert text(page, "#moves [aria-current]") == after
    visitor.visit(page, f"/play/{name}")  # without its moves in the address: from the records
    assert text(page, "#moves [aria-current]") == after
    if "?" in address:
        other = visitor.open(address)  # another browser, from the address alone
        assert other.inner_html("#board svg desc") == board
    show(page, "share")
    until(page, "document.querySelector('#share-command').textContent.startsWith('ludion ')")
    assert text(page, "#share-python").startswith("import ludion")
    assert text(page, "#share-address").startswith(f"{visitor.address}/play/{name}?p=")
    assert weight(page) < 150_000
    visitor.picture(page, f"{name}-wide")
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visitor.picture(page, f"{name}-360")


def test_a_game_of_ones_own_is_played_by_its_list_of_moves(visitor):
    page = visitor.open("/play/nim?p=")
    page.click("#legal button >> nth=1")
    until(page, "document.querySelectorAll('#moves [aria-current]').length === 1")
    assert text(page, "#board") == "10"
    show(page, "options")
    page.evaluate("for (const each of document.querySelectorAll('#panel-options details')) each.open = true")
    page.select_option("#panel-options .explained select", "2")
    until(page, "document.querySelectorAll('#legal button').length === 2")


# ------------------------------------------------------------------ help from the engines


def test_hint_says_the_move_and_then_why(visitor):
    page = visitor.open(NEAR)
    page.click("#hint")
    until(page, "document.querySelector('#message').textContent.startsWith('Hint')")
    assert text(page, "#message") == "Hint: tile 7 left"
    assert page.locator("#board .ring").count() == 1
    page.keyboard.press("h")
    assert text(page, "#message") == (
        "Tile 7 left: the goal is reached in 2 moves; "
        "no solution is shorter: linear-conflict proves that at least 2 are needed"
    )
    assert page.locator("#board .reason-bound").count() == 2


def test_a_hint_is_played_and_counts_as_help(visitor):
    page = visitor.open("/play/rush-hour?p=...B.....B..AA.B....................")
    page.click("#hint")
    until(page, "document.querySelector('#message').textContent.startsWith('Hint')")
    page.click("#hint-why")
    assert text(page, "#message").startswith("Truck B down 3: leaves the red car's way; ")
    assert not page.is_visible("#hint-why")
    page.click("#hint-play")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    assert not page.is_visible("#hint-choices")
    page.click("#hint")
    page.wait_for_selector("#hint-play")
    page.click("#hint-play")
    until(page, "document.querySelector('#ending').textContent.startsWith('Done with help')")
    page.goto(page.url.partition("?")[0])  # a new visit, not a reload: the server remembers it
    until(page, "document.querySelector('#ending')?.textContent.startsWith('Done with help')")


def test_a_hint_in_hive_marks_the_piece_in_hand(visitor):
    page = visitor.open("/play/hive?p=Base")
    page.click("#hint")
    page.wait_for_selector("#hint-play")
    assert page.locator(".hand .hinted").count() == 1
    assert page.locator("#board .ring").count() == 1


def test_solve_is_stepped_through_and_undone(visitor):
    page = visitor.open(NEAR)
    choose(page, "solve")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 2')")
    assert page.get_attribute("#scrubber", "max") == "2"
    page.keyboard.press("Home")
    until(page, "document.querySelector('#undo').disabled")
    assert page.locator("#moves .ahead").count() == 2
    page.click("[data-cell='3']")  # another way: the solution is replaced
    until(page, "document.querySelectorAll('#moves li').length === 1")
    assert moves_in_address(page) == ["up"]


def test_scores_are_shown_on_cells_and_can_be_switched_off(visitor):
    page = visitor.open("/play/tic-tac-toe?p=x.o/.x./..o")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#board .scores text').length === 5")
    assert sorted(page.locator("#board .scores text").all_text_contents()) == ["=", "−1", "−1", "−1", "−1"]
    assert text(page, "#message").startswith("Cross at ")
    assert text(page, "#message").endswith("= is a draw.")
    assert page.locator("#board .chip.best").count() == 1
    visitor.picture(page, "scores")
    page.keyboard.press("a")
    assert page.locator("#board .scores text").count() == 0


def test_stop_ends_a_long_search(visitor):
    page = visitor.open("/play/taquin?p=14+15+8+12/10+11+9+13/2+6+5+1/3+7+4+0")
    show(page, "engine")
    page.select_option("#panel-engine .engine", "ida-star")
    page.select_option("#panel-engine .heuristic", "manhattan")
    page.fill("#panel-engine .seconds", "60")
    board = page.locator("#board").bounding_box()
    page.click("#ask")
    page.wait_for_selector("#live dd")
    page.wait_for_selector("#stop", state="visible")
    assert page.locator("#board").bounding_box() == board  # it does not move when buttons come and go
    page.keyboard.press("Escape")
    page.wait_for_selector("#result .verdict")
    assert "stopped" in text(page, "#result")
    assert page.is_hidden("#stop")
    page.keyboard.press("Escape")
    assert page.is_visible("#panel-play")


def test_an_engine_plays_the_other_side(visitor):
    page = visitor.open("/play/tic-tac-toe?p=")
    show(page, "options")
    page.select_option("#side-1", "casual")
    page.click("[data-cell='b2']")
    until(page, "document.querySelectorAll('#moves li button').length === 2")
    assert text(page, "#status") == "Your turn: ×"
    page.click("#undo")  # the engine's move goes too
    until(page, "document.querySelector('#undo').disabled")


def test_engines_play_each_other(visitor):
    page = visitor.open("/play/tic-tac-toe?p=")
    show(page, "options")
    page.select_option("#side-0", "casual")
    page.select_option("#side-1", "own")  # while the other is thinking
    until(page, "/draw|won/.test(document.querySelector('#status').textContent)")
    assert len(moves_in_address(page)) >= 5


def test_watch_mode_steps_through_the_search(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8")
    show(page, "watch")
    page.click("#watch-settings")
    page.select_option("#panel-watch .engine", "breadth-first")
    page.click("#watch-start")
    until(page, "document.querySelector('#watch-words')?.textContent.startsWith('1 /')")
    page.click("#watch-step")
    until(page, "document.querySelector('#watch-words').textContent.startsWith('2 /')")
    page.wait_for_selector("#panel-watch .preview svg")
    assert page.locator("#panel-watch .knot:not(.later)").count() == 2
    page.click("#watch-play")
    until(page, "document.querySelectorAll('#panel-watch .knot:not(.later)').length > 3")
    assert page.get_attribute("#watch-page", "href").startswith("/watch/taquin?p=1+2+3/4+0+6/7+5+8")
    visitor.picture(page, "watch")


def test_solving_ends_with_the_true_frontier(visitor):
    page = visitor.open(NEAR)
    assert page.locator("#goal-board").is_hidden()
    show(page, "engine")
    page.select_option("#panel-engine .engine", "breadth-first")
    page.click("#ask")
    until(page, "document.querySelector('#panel-engine .live').textContent.includes('Frontier')")
    answer = ludion.solve(ludion.position("taquin", "1 2 3/4 5 6/0 7 8"), "breadth-first")
    assert f"Frontier\n{answer.frontier}" in text(page, "#panel-engine .live")


def test_compare_mode_makes_a_table_and_csv(visitor):
    page = visitor.open(NEAR)
    show(page, "compare")
    page.click("#add-run")
    page.click("#compare-run")
    until(page, "document.querySelectorAll('#comparison tbody td').length === 12")
    assert page.locator("#comparison .optimal").count() >= 2
    with page.expect_download() as download:
        page.click("#csv")
    lines = download.value.path().read_text().splitlines()
    assert lines[0].startswith("instance,engine")
    assert len(lines) == 4
    visitor.picture(page, "compare")


def test_the_reports_table_is_made_again_by_one_press(visitor):
    page = visitor.open("/play/tic-tac-toe?p=")
    show(page, "compare")
    page.click("#report")
    until(page, "document.querySelectorAll('#comparison tbody td').length === 9 * 4")
    until(page, "!document.querySelector('#comparison .pending')")
    assert count(page, "#comparison .differs") == 0
    assert page.locator("#comparison .reported").all_text_contents()[3:6] == [
        "= 500 ms",
        "= 2.00 s",
        "= 11.00 s",
    ]
    page.evaluate("document.querySelector('.reproduce').open = true")
    until(page, "document.querySelector('#repro-command').textContent === 'ludion lab tic-tac-toe'")


def test_every_panel_says_how_to_reproduce_it(visitor):
    page = visitor.open(NEAR)
    show(page, "options")
    page.evaluate("document.querySelector('.reproduce').open = true")
    until(page, "document.querySelector('#repro-command').textContent.startsWith('ludion play taquin')")
    show(page, "engine")
    until(page, "document.querySelector('#repro-command').textContent.startsWith('ludion solve taquin')")
    answers: list = []
    exec(text(page, "#repro-python").replace("print(", "answers.append("), {"answers": answers})
    assert answers[0].length == 2
    page.keyboard.press("a")
    show(page, "options")
    until(page, "document.querySelector('#repro-command').textContent.startsWith('ludion analyse taquin')")
    show(page, "edit")
    page.keyboard.press("a")
    until(page, "document.querySelector('#repro-command').textContent.startsWith('ludion show taquin')")
    show(page, "compare")
    until(page, "document.querySelector('#repro-command').textContent.includes('--engine breadth-first')")
    commands = text(page, "#repro-command").splitlines()
    assert [Search.from_command(line).engine for line in commands] == ["breadth-first", "a-star"]
    page.select_option("#instances", "levels")
    until(
        page,
        "document.querySelector('#repro-command').textContent.startsWith('ludion lab taquin --levels all')",
    )


def test_the_goal_of_a_level_goes_with_its_position(visitor):
    page = visitor.open("/play/taquin?p=level:report-1")
    goal = ludion.position("taquin", "level:report-1").options["goal"]
    assert count(page, "#goal-board svg") == 1
    assert "beside" in text(page, "#goal")
    show(page, "edit")
    page.wait_for_selector("#validity.valid")
    page.click("#use")
    until(page, "location.search.includes('o.goal=')")
    page.evaluate("document.querySelector('.reproduce').open = true")
    for tab, command in (
        ("options", "play"),
        ("edit", "show"),
        ("engine", "solve"),
        ("watch", "solve"),
        ("compare", "solve"),
    ):
        show(page, tab)
        until(
            page,
            f"document.querySelector('#repro-command').textContent.startsWith('ludion {command} taquin')",
        )
        assert f"--goal '{goal}'" in text(page, "#repro-command")
        assert f"goal={goal!r}" in text(page, "#repro-python")
    show(page, "share")
    until(page, "document.querySelector('#share-command').textContent.includes('--goal')")
    assert "o.goal=" in text(page, "#share-address")
    show(page, "play")
    choose(page, "solve")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 5')")


def test_the_rules_show_the_options_of_a_level_and_change_them(visitor):
    page = visitor.open("/play/taquin?p=level:report-1")
    goal, metric = ".explained input", ".explained select"
    assert page.input_value(goal) == ludion.position("taquin", "level:report-1").options["goal"]
    assert page.input_value(metric) == "single"
    show(page, "options")
    page.evaluate("for (const each of document.querySelectorAll('#panel-options details')) each.open = true")
    page.select_option(metric, "multi")
    until(page, "location.search.includes('o.metric=multi')")
    assert "goal" not in page.url  # the level has it
    assert page.input_value("#level") == "report-1"
    page.select_option(metric, "single")
    until(page, "!location.search.includes('o.')")


def test_watch_is_reproduced_with_its_own_engine_and_heuristic(visitor):
    page = visitor.open(NEAR)
    page.evaluate("document.querySelector('.reproduce').open = true")
    show(page, "watch")
    page.click("#watch-settings")
    until(page, "document.querySelector('#repro-command').textContent.includes('--engine a-star')")
    page.select_option("#panel-watch .engine", "ida-star")
    page.select_option("#panel-watch .heuristic", "manhattan")
    until(page, "document.querySelector('#repro-command').textContent.includes('--heuristic manhattan')")
    assert "--engine ida-star" in text(page, "#repro-command")
    show(page, "engine")
    until(page, "!document.querySelector('#repro-command').textContent.includes('ida-star')")


def test_an_address_brings_the_question_too(visitor):
    page = visitor.open(NEAR)
    show(page, "engine")
    page.select_option("#panel-engine .engine", "ida-star")
    page.select_option("#panel-engine .heuristic", "misplaced")
    show(page, "share")
    until(page, "document.querySelector('#share-address').textContent.includes('misplaced')")
    other = visitor.open(text(page, "#share-address"))  # another browser
    assert other.input_value("#panel-engine .engine") == "ida-star"
    assert other.input_value("#panel-engine .heuristic") == "misplaced"


def test_a_generator_is_stopped(visitor):
    page = visitor.open("/play/rush-hour")
    show(page, "options")
    page.evaluate("document.querySelector('#generator').open = true")
    page.fill("#generator label:has-text('moves') input", "190..200")  # there is no such board
    page.click("#generate")
    page.wait_for_selector("#stop:visible")
    page.click("#stop")
    until(page, "document.querySelector('#message').textContent === 'stopped'")
    page.fill("#generator label:has-text('moves') input", "2..6")
    page.fill("#seed", "3")
    page.click("#generate")
    until(page, "document.querySelector('#stop').hidden && !location.search.includes('BB...CD')")


def test_a_clock_runs_goes_back_and_ends_the_game(visitor):
    page = visitor.open("/play/tic-tac-toe?p=", clock=True)  # whose time can be moved on, and goes by as ever

    def left(side):
        minutes, _, seconds = text(page, f"#clock-{side}").rpartition(":")
        return 60 * int(minutes or 0) + float(seconds)

    show(page, "options")
    page.select_option("#clock", "3+2")
    assert text(page, "#clock-0") == "3:00"
    page.click("[data-cell='b2']")
    until(page, "document.querySelector('#clock-1.runs') !== null")
    page.clock.run_for(60_000)
    before = left(1)
    assert 60 < before <= 120
    page.click("[data-cell='a1']")
    until(page, "document.querySelector('#clock-0.runs') !== null")
    assert left(1) < before + 3  # two seconds more for the move, less what went by
    page.keyboard.press("z")
    until(page, "document.querySelector('#clock-1.runs') !== null")
    assert left(1) > before + 3  # as it was when the move was made
    page.clock.run_for(181_000)
    until(page, "document.querySelector('#status').textContent.includes('time is up')")
    page.click("[data-cell='c3']", force=True)
    assert count(page, "#moves .ahead") == 1  # nothing was played


# ------------------------------------------------------------------ the editor, the keyboard, the languages


def test_the_editor_says_what_is_wrong_as_one_types(visitor):
    page = visitor.open("/play/tic-tac-toe?p=")
    show(page, "edit")
    page.fill("#notation", "x.o/.x./..")
    page.wait_for_selector("#validity.invalid")
    assert "row 3" in text(page, "#validity")
    assert page.is_disabled("#use")
    visitor.errors.clear()  # the browser prints every 400
    page.fill("#notation", "x.o/.x./..o")
    page.wait_for_selector("#validity.valid")
    page.click("#preview [data-cell='b1']")
    until(page, "document.querySelector('#notation').value === 'xxo/.x./..o'")
    page.click("#use")
    until(page, "location.search.includes('xxo')")


def test_a_whole_game_by_keyboard_alone(visitor):
    page = visitor.open("/play/tic-tac-toe?p=")
    page.evaluate("document.querySelector('[data-cell=a1]').focus()")
    for keys in (["Enter"], ["ArrowDown", "Enter"], ["ArrowRight", "Enter"]):
        for key in keys:
            before = page.locator("#moves li button").count()
            page.keyboard.press(key)
            if key == "Enter":
                until(page, f"document.querySelectorAll('#moves li button').length === {before + 1}")
    assert moves_in_address(page) == ["a1", "a2", "b2"]
    page.keyboard.press("z")
    until(page, "!document.querySelector('#redo').disabled")
    page.keyboard.press("?")
    assert page.is_visible("dialog#keys")
    page.keyboard.press("Escape")
    assert page.is_hidden("dialog#keys")


def test_taquin_by_arrows_on_a_phone(visitor):
    page = visitor.open(NEAR, 360, 740, has_touch=True, is_mobile=True)
    page.tap("[data-cell='7']")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 2')")
    assert "your best 2" in text(page, "#status")


def test_french_and_dark_are_remembered(visitor):
    page = visitor.open("/play/taquin")
    page.select_option("#language", "fr")
    page.wait_for_selector("#undo:text-is('Annuler')")
    page.select_option("#theme", "dark")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.get_attribute("html", "lang") == "fr"
    assert text(page, "#restart") == "Réessayer"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(29, 31, 36)"
    visitor.picture(page, "french-dark")


def test_french_readers_find_nothing_in_english(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+5", locale="fr-FR")
    visitor.errors.clear()  # the browser prints every 400
    until(
        page,
        "document.querySelector('#message').textContent.startsWith('la ligne 2')",
    )
    assert text(page, "#goal").startswith("Rangez les nombres")
    show(page, "engine")
    page.select_option("#panel-engine .engine", "breadth-first")
    assert text(page, "#panel-engine .help").startswith("couche par couche ; optimal")
    page.click("#ask")
    until(page, "document.querySelector('#result').textContent.includes('optimal')")
    assert re.match(r"\d+ coups, optimal", text(page, "#result .verdict"))
    assert weight(page) < 150_000
    visitor.visit(page, "/play/hive")
    assert text(page, "#status") == "À vous : Blanc"


def test_a_wrong_address_is_explained(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+5")
    visitor.errors.clear()  # the browser prints every 400
    until(page, "document.querySelector('#message').textContent.includes('row 2')")
    page.wait_for_selector("#board svg")


# ------------------------------------------------------------------ what only one game has


def only(name):
    return pytest.mark.skipif(name not in GAMES, reason=f"{name} is not among the games")


@only("rush-hour")
def test_a_car_is_dragged_along_its_axis(visitor):
    page = visitor.open("/play/rush-hour?p=BB...CD..E.CDAAE.CD..E..F...GGF.HHH.")
    box = page.locator("[data-vehicle='B']").bounding_box()
    cell = box["width"] / 2
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + 10 + 2.1 * cell, box["y"] + 60, steps=5)
    page.mouse.up()
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    assert moves_in_address(page) == ["B%2B2"]
    page.evaluate("document.querySelector('[data-vehicle=B]').focus()")
    page.keyboard.press("ArrowLeft")
    until(page, "document.querySelectorAll('#moves li button').length === 2")
    assert moves_in_address(page) == ["B%2B2", "B-1"]
    choose(page, "solve")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved')")


@only("rush-hour")
def test_vehicles_are_put_on_the_board_and_best_results_kept(visitor):
    page = visitor.open("/play/rush-hour")
    show(page, "edit")
    page.fill("#notation", "AA" + "." * 34)
    until(page, "document.querySelectorAll('#preview [data-vehicle]').length === 1")
    page.click("#palette button[value='2|']")
    page.click("#preview rect.pressable >> nth=4")
    until(page, "document.querySelector('#notation').value.startsWith('AA..B.')")
    page.click("#palette button[value='x']")
    page.click("#preview rect.pressable >> nth=35")
    until(page, "document.querySelector('#notation').value.endsWith('x')")
    page.click("#use")
    until(page, "location.search.includes('AA..B.')")
    page.evaluate("document.querySelector('[data-vehicle=B]').focus()")
    page.keyboard.press("ArrowDown")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    show(page, "options")
    page.evaluate("document.querySelector('#legal').closest('details').open = true")
    page.click("#legal button:text-is('A+4')")
    until(page, "document.querySelector('#status').textContent === 'Solved in 2 moves · your best 2'")


@only("connect-four")
def test_stones_fall_and_columns_have_scores(visitor):
    page = visitor.open("/play/connect-four?p=44455554221", reduced_motion="reduce")
    page.click("#board [data-cell='3']")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    page.keyboard.press("1")
    until(page, "document.querySelectorAll('#moves li button').length === 2")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#board .scores text').length === 7")
    visitor.picture(page, "connect-four-scores")
    lively = visitor.open("/play/connect-four?p=")
    lively.evaluate(
        """() => {
          window.falls = [];
          const own = Element.prototype.animate;
          Element.prototype.animate = function (...way) {
            falls.push(this.dataset.stone);
            return own.apply(this, way);
          };
        }"""
    )
    lively.keyboard.press("4")
    until(lively, "falls.includes('4 1')")
    show(lively, "edit")
    lively.click("#preview [data-cell='5']")
    until(lively, "document.querySelector('#notation').value === '45'")
    lively.click("#use")
    until(lively, "document.querySelectorAll('#moves li button').length === 2")  # a pasted game has its moves


def test_a_hive_piece_is_placed_and_moved_by_clicks(visitor):
    page = visitor.open("/play/hive?p=Base")
    page.click("[data-piece='wG1']")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    page.click("[data-piece='bG1']")
    page.wait_for_selector("#board .targets .target")
    assert page.locator("#board .targets .target").count() == 6
    page.click("#board .targets .target >> nth=0")
    until(page, "document.querySelectorAll('#moves li button').length === 2")
    assert text(page, "#status") == "White to move"
    visitor.picture(page, "hive-placed")
    before = page.get_attribute("#board svg", "viewBox")
    page.keyboard.press("+")
    assert page.get_attribute("#board svg", "viewBox") != before
    show(page, "edit")
    page.fill("#notation", "Base+MLP;InProgress;White[2];wB1;bB1 -wB1")
    page.wait_for_selector("#validity.valid")
    page.click("#use")
    until(page, "location.search.includes('MLP')")
    show(page, "share")
    until(page, "document.querySelector('#share-position').textContent !== ''")
    assert text(page, "#share-position") == "Base+MLP;InProgress;White[2];wB1;bB1 -wB1"


@only("crocomine")
def test_crocomine_is_discovered_with_risks_on_its_cells(visitor):
    page = visitor.open("/play/crocomine?p=9x9:3/3/4&o.seed=0")
    page.click("[data-cell='6 5']")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    page.keyboard.press("a")
    until(page, "document.querySelectorAll('#board .scores text').length > 3")
    visitor.picture(page, "crocomine-risks")
    page.click("#scores")
    page.click("#hint")
    until(page, "document.querySelector('#message').textContent.startsWith('Hint')")
    page.click("button[value='T']")
    before = page.locator("#moves li button").count()
    page.click("[data-cell='8 0']")  # right or wrong, it is a move that can be undone
    until(page, f"document.querySelectorAll('#moves li button').length === {before + 1}")
    page.click("#undo")
    until(page, "document.querySelector('#moves [aria-current]').textContent.startsWith('1. ')")
    show(page, "agent")
    page.select_option("#agent", "best")
    page.click("#run")
    page.wait_for_selector("#result .verdict")
    show(page, "watch")
    page.keyboard.press("Home")
    page.click("#watch-step")
    until(page, "document.querySelector('#layers summary')?.textContent.includes('cells proved')")
    assert count(page, "#board .thought rect.ruled") > 3
    page.uncheck(".legend input[value='ruled']")
    assert page.is_hidden("#board .thought rect.ruled >> nth=0")


@only("crocomine")
def test_agents_are_compared_on_ten_boards(visitor):
    page = visitor.open("/play/crocomine?p=9x9:3/3/4")
    show(page, "compare")
    page.select_option("#instances", "seeds")
    page.click("#compare-run")
    until(page, "document.querySelectorAll('#comparison tbody td').length === 10 * 2 * 4")
    assert re.match(r"\d+ / 10", text(page, "#comparison tfoot td"))


@only("crocomine")
def test_minesweeper_has_flags_and_chords(visitor):
    page = visitor.open("/play/crocomine?p=9x9:10:zero&m=discover+2+2")
    assert text(page, "button[value='T']") == "Flag"
    assert page.is_hidden("button[value='S']")
    page.click("[data-cell='5 0']", button="right")  # the one hidden cell beside (4, 0)
    until(page, "document.querySelectorAll('#moves li button').length === 2")
    assert moves_in_address(page)[-1] == "guess+5+0+T"
    page.click("[data-cell='4 1']")  # an open cell whose flags are right: chord
    until(page, "document.querySelector('#message').textContent.includes('no hidden cell around')")
    visitor.errors.clear()  # the browser prints every 400


@only("delirium")
def test_a_miner_walks_by_keys_and_an_agent_tells_its_thoughts(visitor):
    page = visitor.open("/play/delirium")
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    show(page, "agent")
    page.select_option("#agent", "layered")
    page.fill("#steps", "12")
    page.click("#run")
    page.wait_for_selector("#result .verdict")
    show(page, "watch")
    until(page, "document.querySelector('#scrubber').value === document.querySelector('#scrubber').max")
    page.keyboard.press("z")  # back from the end of the replay to the last decision
    until(page, "document.querySelector('#thought').textContent !== '–'")
    page.wait_for_selector("#board .thought .path", state="attached")
    visitor.picture(page, "delirium-thought")


@only("delirium")
def test_what_a_miner_has_not_seen_is_dark_and_a_mine_is_drawn(visitor):
    page = visitor.open("/play/delirium?p=&o.view=1")
    show(page, "agent")
    page.select_option("#agent", "layered")
    page.fill("#steps", "3")
    page.click("#run")
    page.wait_for_selector("#result .verdict")
    page.keyboard.press("Home")
    until(page, "document.querySelectorAll('#board .unknown').length === 60 - 9")
    page.keyboard.press("y")
    until(page, "document.querySelectorAll('#board .remembered').length === 3")
    show(page, "edit")
    page.wait_for_selector("#preview rect.pressable")
    page.click("#palette button[value='d']")
    page.click("#preview rect.pressable[aria-label='2, 1']")
    until(page, "document.querySelector('#notation').value.includes('WPd...d..W')")
    page.click("#use")
    until(page, "location.search.includes('WPd...d')")
    show(page, "edit")
    head = "[cave]\nEngine=Delirium\nDiamondsRequired=1\nCaveTime=-1\nActions=r2d\n"
    rows = "\n".join(["[map]", "WWWWWW", "WP..dW", "W...XW", "WWWWWW", "[/map]", "[/cave]"])
    page.fill("#notation", head + rows)
    until(page, "document.querySelectorAll('#preview rect.pressable').length === 24")
    page.click("#use")
    until(page, "document.querySelectorAll('#moves li button').length === 3")  # a replay has its actions
    page.check("#realtime")
    until(page, "document.querySelectorAll('#moves li button').length >= 5")  # time goes by
    page.uncheck("#realtime")


def test_taquin_shows_a_picture_and_the_readers_own(visitor):
    page = visitor.open(NEAR)
    show(page, "options")
    page.select_option("#picture", "sea")
    assert count(page, "#board svg svg") == 8
    visitor.picture(page, "taquin-picture")
    png = page.evaluate(
        "(() => { const made = document.createElement('canvas'); made.width = made.height = 20;"
        " made.getContext('2d').fillRect(0, 0, 9, 9); return made.toDataURL(); })()"
    )
    data = base64.b64decode(png.partition(",")[2])
    page.set_input_files("#own-picture", {"name": "own.png", "mimeType": "image/png", "buffer": data})
    page.wait_for_selector("#board svg image", state="attached")
    page.reload()
    page.wait_for_selector("#board svg image", state="attached")
