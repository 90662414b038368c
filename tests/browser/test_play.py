"""Playing in a real browser: by mouse, by touch (real touch events) and by keyboard alone."""

from __future__ import annotations

import re

import pytest

from tests.browser.test_pages import choose, count, moves_in_address, show, text, until

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


class Finger:
    """A finger on the screen: touch events as the browser's input system gets them."""

    def __init__(self, page):
        self.page, self.session = page, page.context.new_cdp_session(page)

    def send(self, kind, *points):
        touches = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    def drag(self, start, end, steps=6, hold=lambda: None):
        """From one place to another; held there until `hold` returns."""
        self.send("touchStart", start)
        for step in range(1, steps + 1):
            self.send("touchMove", tuple(a + (b - a) * step / steps for a, b in zip(start, end, strict=True)))
            self.page.wait_for_timeout(10)
        hold()
        self.send("touchEnd")
        self.page.wait_for_timeout(400)  # a tap right after it would only end the browser's own gesture

    def press(self, at, milliseconds):
        self.send("touchStart", at)
        self.page.wait_for_timeout(milliseconds)
        self.send("touchEnd")


def middle(page, selector):
    page.locator(selector).first.scroll_into_view_if_needed()
    box = page.locator(selector).first.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def move_count(page, number):
    until(page, f"document.querySelectorAll('#moves li button').length === {number}")


# ------------------------------------------------------------------ touch


def test_taquin_is_swiped_both_ways(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8", **PHONE)
    finger = Finger(page)
    x, y = middle(page, "[data-cell='7']")
    finger.drag((x, y), (x, y - 90))
    move_count(page, 1)
    x, y = middle(page, "[data-cell='8']")
    finger.drag((x, y), (x - 90, y))
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 2')")
    assert moves_in_address(page) == ["down", "right"]


def test_a_tile_in_line_with_the_gap_pushes_its_row(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+5+6/0+7+8", **PHONE)
    page.tap("[data-cell='8']")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 2')")


def test_rush_hour_is_played_by_dragging_fingers_and_by_taps(visitor):
    page = visitor.open("/play/rush-hour?p=...B.....B..AA.B....................", **PHONE)
    finger = Finger(page)
    x, y = middle(page, "[data-vehicle='B']")
    cell = page.locator("[data-vehicle='B']").bounding_box()["height"] / 3
    finger.drag((x, y), (x + 20, y + 3.1 * cell))
    move_count(page, 1)
    assert moves_in_address(page) == ["B%2B3"]
    page.tap("[data-vehicle='A']")
    until(page, "document.querySelectorAll('#board .target-cell').length === 4")
    page.tap("#board .target-cell[data-move='A+4']")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 2')")


def test_the_miner_is_swiped_and_walks_on_while_held(visitor):
    page = visitor.open("/play/delirium", **PHONE)
    finger = Finger(page)
    x, y = middle(page, "#board svg")
    finger.drag((x, y), (x, y + 60))
    until(page, "document.querySelectorAll('#moves li button').length >= 1")
    swiped = moves_in_address(page)
    assert set(swiped) == {"down"}
    more = f"document.querySelectorAll('#moves li button').length >= {len(swiped) + 2}"
    finger.drag((x, y), (x + 60, y), hold=lambda: until(page, more))
    assert set(moves_in_address(page)[len(swiped) :]) == {"right"}


def test_hive_is_pinched_and_panned(visitor):
    page = visitor.open("/play/hive?p=Base&m=wG1;bG1+wG1-", **PHONE)
    finger = Finger(page)
    before = [float(each) for each in page.get_attribute("#board svg", "viewBox").split()]
    x, y = middle(page, "#board svg")
    finger.send("touchStart", (x - 30, y + 60), (x + 30, y + 60))
    for spread in (40, 60, 80):
        finger.send("touchMove", (x - spread, y + 60), (x + spread, y + 60))
    finger.send("touchEnd")
    zoomed = [float(each) for each in page.get_attribute("#board svg", "viewBox").split()]
    assert zoomed[2] < 0.7 * before[2]
    finger.drag((x, y + 60), (x + 50, y + 60))
    panned = [float(each) for each in page.get_attribute("#board svg", "viewBox").split()]
    assert panned[0] < zoomed[0]


def test_a_long_press_flags_and_wide_boards_have_cells_for_fingers(visitor):
    page = visitor.open("/play/crocomine?p=30x16:99:zero&o.seed=0&m=discover+3+3", **PHONE)
    hidden = "#board [data-seen='hidden']"
    assert page.locator(hidden).first.bounding_box()["width"] >= 32
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    finger = Finger(page)
    finger.press(middle(page, hidden), 450)
    move_count(page, 2)
    assert moves_in_address(page)[-1].startswith("guess")
    assert count(page, "#board [data-seen='guessed']") == 1


# ------------------------------------------------------------------ keyboard


def test_forty_quick_arrows_are_forty_moves(visitor):
    page = visitor.open("/play/taquin?p=5+1+3+4/9+2+6+8/13+10+7+11/0+14+15+12")
    page.wait_for_selector("#board svg")
    page.evaluate(
        """() => {
          for (let turn = 0; turn < 10; turn += 1) {
            for (const key of ["ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"]) {
              document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }
          }
        }"""
    )
    move_count(page, 40)
    assert moves_in_address(page)[:4] == ["up", "right", "down", "left"]


def test_forty_quick_swipes_are_forty_moves(visitor):
    page = visitor.open("/play/taquin?p=5+1+3+4/9+2+6+8/13+10+7+11/0+14+15+12", **PHONE)
    finger = Finger(page)
    x, y = middle(page, "#board svg")
    for right, down in [(0, 40), (-40, 0), (0, -40), (40, 0)] * 10:
        finger.send("touchStart", (x, y))
        finger.send("touchMove", (x + right, y + down))
        finger.send("touchEnd")
    move_count(page, 40)
    assert moves_in_address(page)[:4] == ["up", "right", "down", "left"]


# ------------------------------------------------------------------ a move is shown at once

AT_ONCE = [  # where, what is pressed, and what shows the move before the server has answered
    ("taquin?p=1+2+3/4+5+6/7+0+8", ["[data-cell='8']"], "[data-home='7']"),
    (
        "rush-hour?p=............AA......................",
        ["[data-vehicle='A']", "[data-move='A+4']"],
        "[data-vehicle='A']",
    ),
    ("tic-tac-toe?p=", ["[data-cell='b2']"], "path.mark-0"),
    ("connect-four?p=", ["[data-cell='4']"], "circle.stone-0"),
    ("hive?p=Base&m=wG1;bG1+wG1-", ["[data-hand='wQ']", "[data-move] >> nth=0"], "> svg > svg"),
    ("crocomine?p=9x9:10:zero&o.seed=1&m=discover+2+2", ["[data-seen='hidden'] >> nth=0"], "circle.trying"),
    ("delirium?p=level:nearest", [], "[data-miner]"),
    ("hop", ["[data-cell] >> nth=0", "[data-move] >> nth=0"], "circle.trying"),
]


@pytest.mark.parametrize(
    ("path", "presses", "shown"), AT_ONCE, ids=[path.split("?")[0] for path, _, _ in AT_ONCE]
)
def test_a_move_is_shown_at_once_and_taken_back_if_refused(visitor, path, presses, shown):
    page = visitor.open(f"/play/{path}", reduced_motion="reduce")
    page.wait_for_selector("#board svg")
    waiting = []
    page.route("**/state", lambda route: waiting.append(route))
    place = f"() => document.querySelector({'#board ' + shown!r})?.getBoundingClientRect().toJSON() ?? null"
    was = page.evaluate(place)
    for press in presses:
        page.click(f"#board {press}" if "hand" not in press else press)
    if not presses:
        page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('#board svg').classList.contains('foreseen')")
    page.evaluate("() => new Promise(requestAnimationFrame)")
    assert page.evaluate(place) not in (None, was)  # drawn, or moved
    assert len(waiting) == 1
    waiting[0].fulfill(status=409, json={"error": "not today"})
    until(page, "document.querySelector('#message').textContent === 'not today'")
    visitor.errors.clear()  # the browser prints every 4xx
    assert page.evaluate(place) == was


def test_rush_hour_by_keyboard_alone(visitor):
    page = visitor.open("/play/rush-hour?p=...B.....B..AA.B....................")
    page.keyboard.press("b")
    for _ in range(3):
        if page.evaluate("document.activeElement.dataset.vehicle") == "B":
            break
        page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.vehicle") == "B"
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    move_count(page, 3)
    page.keyboard.press("ArrowLeft")
    until(page, "document.activeElement.dataset.vehicle === 'A'")
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('#status').textContent.startsWith('Solved in 7')")


def test_a_board_is_one_stop_of_the_tab_key(visitor):
    for path in ("/play/crocomine?p=30x16:99:zero", "/play/tic-tac-toe?p=7x6/5", "/play/rush-hour"):
        page = visitor.open(path)
        page.wait_for_selector("#board .pressable")
        assert count(page, "#board [tabindex='0']") == 1
        page.keyboard.press("b")
        page.keyboard.press("ArrowRight")
        assert count(page, "#board [tabindex='0']") == 1
        assert page.evaluate("document.activeElement.getAttribute('tabindex')") == "0"


# ------------------------------------------------------------------ Hive's hand


def test_a_target_never_covers_the_hand(visitor):
    page = visitor.open("/play/hive?p=Base&m=wG1;bG1+wG1-")
    page.click("[data-piece='wQ']")
    page.wait_for_selector("#board .targets .target")
    page.click("[data-piece='wA1']")  # another piece of the hand, not a cell
    until(page, "document.querySelector('[data-piece=wA1]').classList.contains('chosen')")
    assert len(moves_in_address(page)) == 2
    assert page.evaluate("document.querySelectorAll('#board .targets .target').length") == 3
    page.click("#board .targets .target >> nth=0")
    move_count(page, 3)
    assert moves_in_address(page)[-1].startswith("wA1")


def test_hive_says_why_a_piece_cannot_move(visitor):
    page = visitor.open("/play/hive?p=Base")
    page.click("[data-piece='wQ']")
    until(page, "document.querySelector('#message').textContent.includes('may not be the first')")
    page.click("[data-piece='bA1']")
    until(page, "document.querySelector('#message').textContent === \"It is White's turn.\"")
    visitor.visit(page, "/play/hive?p=Base&m=wG1;bG1+wG1-;wQ+-wG1;bQ+bG1-")
    page.click("#board [data-piece='wG1']")
    until(page, "document.querySelector('#message').textContent === 'It holds the hive together.'")


# ------------------------------------------------------------------ mines


def test_the_first_press_opens_a_field_and_boards_differ(visitor):
    seeds = set()
    page = visitor.open("/play/crocomine?p=9x9:10:zero")
    for cell in ("0 0", "8 8", "4 4"):
        visitor.visit(page, "/play/crocomine?p=9x9:10:zero")
        page.click(f"[data-cell='{cell}']")
        move_count(page, 1)
        assert count(page, "#board [data-seen='open']") > 3
        assert page.get_attribute(f"[data-cell='{cell}']", "data-sign") == "."
        assert "o.guessing=never" in page.url
        seeds.add(re.search(r"o\.seed=(\d+)", page.url).group(1))
    assert len(seeds) == 3


def test_a_lost_game_shows_the_mines_and_can_be_undone(visitor):
    page = visitor.open("/play/crocomine?p=b;3+4;1+0+flags;-+-+T+-;-+-+-+-;-+-+T+-&m=discover+1+0")
    page.click("[data-cell='0 3']", button="right")
    until(page, "document.querySelectorAll('#board [data-seen=guessed]').length === 1")
    page.click("[data-cell='2 2']")
    until(page, "document.querySelector('#status').textContent.startsWith('Lost')")
    assert count(page, "#board [data-revealed='T']") == 2
    assert count(page, "#board [data-revealed='wrong']") == 1
    visitor.picture(page, "mines-lost")
    page.click("#undo")
    until(page, "document.querySelectorAll('#board [data-revealed]').length === 0")


def test_the_editor_hides_what_a_running_game_hides(visitor):
    page = visitor.open("/play/crocomine?p=9x9:10:zero&o.seed=1&m=discover+2+2")
    show(page, "edit")
    page.wait_for_selector("#validity.valid")
    assert "T" not in page.input_value("#notation").split(";", 1)[1]
    assert count(page, "#preview [data-cell]") == 81
    page.keyboard.press("Home")
    show(page, "share")
    until(page, "document.querySelector('#share-position').textContent !== ''")
    assert text(page, "#share-position") == "9x9:10:zero"


# ------------------------------------------------------------------ nothing is lost


def test_a_link_opens_beside_ones_own_game(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8")
    page.keyboard.press("ArrowUp")
    move_count(page, 1)
    visitor.visit(page, "/play/taquin?p=1+2+3/4+5+6/0+7+8")
    page.wait_for_selector("#own-game")
    page.keyboard.press("ArrowLeft")
    move_count(page, 1)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert "4+5+6" in page.url
    assert len(moves_in_address(page)) == 1
    page.click("#own-game")
    page.wait_for_selector("html[data-ready]")
    until(page, "location.search.includes('4+0+6')")
    assert moves_in_address(page) == ["down"]
    assert page.is_hidden("#notice")


def test_back_returns_to_the_panel_and_the_game_before(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8")
    page.keyboard.press("ArrowUp")
    move_count(page, 1)
    show(page, "options")
    page.select_option("#level", "report-1")
    until(page, "location.search.includes('report-1')")
    show(page, "engine")
    assert page.is_visible("#panel-engine")
    page.go_back()
    until(page, "!document.querySelector('#panel-options').hidden")
    page.go_back()
    move_count(page, 1)
    assert "4+0+6" in page.url
    page.go_back()
    until(page, "!document.querySelector('#panel-play').hidden")
    page.go_forward()
    until(page, "!document.querySelector('#panel-options').hidden")
    page.go_forward()
    until(page, "location.search.includes('report-1')")
    show(page, "watch")
    page.click("#scores")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.is_visible("#panel-watch")
    assert page.get_attribute("#scores", "aria-pressed") == "true"


# ------------------------------------------------------------------ two clicks to a game


def test_a_duel_opens_against_an_opponent_who_answers(visitor):
    page = visitor.open("/play/connect-four")
    assert text(page, "#versus") == "You play Yellow against Casual."
    page.keyboard.press("4")
    move_count(page, 2)
    until(page, "document.querySelector('#status').textContent === 'Your turn: Yellow'")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert text(page, "#versus") == "You play Yellow against Casual."
    assert len(moves_in_address(page)) == 2


def test_new_game_offers_what_matters_and_the_other_may_begin(visitor):
    page = visitor.open("/play/tic-tac-toe")
    page.click("#newgame")
    assert page.is_visible("dialog#sheet")
    visitor.picture(page, "new-game")
    page.check("input[name='opponent'][value='beginner']")
    page.check("input[name='begins'][value='they']")
    page.click("#start")
    move_count(page, 1)
    assert text(page, "#versus") == "You play ○ against Beginner."
    page.go_back()  # a new game can be undone
    until(page, "document.querySelector('#versus').textContent.includes('×')")


def test_hive_in_two_clicks(visitor):
    page = visitor.open("/play/hive")
    page.click("[data-piece='wG1']")
    move_count(page, 2)
    assert text(page, "#versus") == "You play White against Beginner."
    assert page.locator(".hand-name").all_text_contents() == ["Beginner, Black", "You, White"]
    assert "surround" in text(page, "#goal").lower()
    visitor.picture(page, "hive-played")


def test_a_whole_game_against_a_beginner_has_an_end(visitor):
    page = visitor.open("/play/tic-tac-toe")
    for turn in range(5):
        if page.evaluate("!document.querySelector('#ending').hidden"):
            break
        page.click("#board .pressable >> nth=0")
        until(
            page,
            f"document.querySelectorAll('#moves li button').length >= {2 * turn + 2}"
            " || !document.querySelector('#ending').hidden",
        )
    assert page.is_visible("#ending")
    until(page, "/mistake/.test(document.querySelector('#ending .mistakes')?.textContent)")
    visitor.picture(page, "ending-duel")
    games = re.findall(r"\d+", text(page, "#counters"))  # won, lost, drawn
    assert sorted(games) == ["0", "0", "1"]
    page.reload()  # the same game, not another
    page.wait_for_selector("html[data-ready]")
    assert re.findall(r"\d+", text(page, "#counters")) == games
    page.click("#try-again")
    until(page, "document.querySelectorAll('#moves li button').length === 0")


# ------------------------------------------------------------------ goals, counters, ends


def test_on_a_phone_the_end_is_in_view_and_no_longer_an_offer_to_learn(visitor):
    page = visitor.open("/play/taquin", **PHONE)
    assert page.is_visible("#intro-begin")
    choose(page, "solve")
    until(page, "!document.querySelector('#ending').hidden")
    assert page.is_hidden("#intro")
    until(
        page,
        "document.querySelector('#next-game').getBoundingClientRect().bottom"
        " <= document.querySelector('.bars').getBoundingClientRect().top",
    )


def test_the_end_says_what_is_possible_and_offers_the_next_level(visitor):
    page = visitor.open("/play/rush-hour")
    assert "easy-1" in page.url
    assert text(page, "#goal") == "Drive the red car out of the exit."
    choose(page, "solve")
    until(page, "!document.querySelector('#ending').hidden")
    assert text(page, "#ending .result-words") == "Done with help, in 5 moves. Now alone?"
    assert page.get_attribute("#ending .stars", "aria-label") == "1 of 3 stars"  # with help
    visitor.picture(page, "ending-puzzle")
    page.click("#next-level")
    until(page, "location.search.includes('easy-2')")
    assert page.is_hidden("#ending")


def test_a_detour_is_compared_with_the_optimum(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8")
    for key in ("ArrowDown", "ArrowUp", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    until(
        page, "document.querySelector('#ending .result-words')?.textContent === 'Solved in 4; 2 is possible'"
    )
    assert page.get_attribute("#ending .stars", "aria-label") == "1 of 3 stars"
    page.click("#try-again")
    until(page, "document.querySelector('#undo').disabled")


def test_taquin_and_mines_make_new_boards(visitor):
    page = visitor.open("/play/taquin")
    for _ in range(2):
        before = page.url
        page.click("#newgame")
        page.click("#start")
        until(page, f"location.href !== {before!r}")
    page = visitor.open("/play/crocomine")
    page.keyboard.press("n")
    page.check("input[name='kind'][value='animals']")
    page.keyboard.press("Enter")
    until(page, "document.querySelector('#counters').textContent.includes('Sharks left')")
    page.click("[data-cell='4 4']")
    move_count(page, 1)
    assert re.search(r"Tigers left\s*3", text(page, "#counters"))


def test_levels_are_chosen_by_their_pictures(visitor):
    page = visitor.open("/play/rush-hour")
    page.click("#levels")
    page.wait_for_selector("#sheet .level svg")
    assert page.url.endswith("/play/rush-hour/levels")
    page.keyboard.press("Escape")
    until(page, "location.search.includes('easy-1')")
    visitor.visit(page, "/play/rush-hour/levels")
    page.wait_for_selector("#sheet .level svg")
    visitor.picture(page, "levels")
    page.click("#sheet .level[data-level='medium-2']")
    until(page, "location.search.includes('medium-2')")
    page.go_back()
    page.wait_for_selector("#sheet .level svg")


def test_a_mine_counts_its_diamonds_and_the_best_agent_plays_it(visitor):
    page = visitor.open("/play/delirium", reduced_motion="reduce")
    assert re.search(r"Diamonds\s*0 / \d", text(page, "#counters"))
    show(page, "agent")
    assert page.input_value("#agent") == "best"


@pytest.mark.parametrize(
    ("path", "selector", "reason"),
    [
        ("taquin?p=1+2+3/4+0+6/7+5+8", "[data-cell='0']", "Only a tile in line"),
        ("rush-hour?p=BAAC..B..C..........................", "[data-vehicle='A']", "A is blocked"),
        ("tic-tac-toe?p=x../.../...", "[data-cell='a1']", "This cell is taken."),
        ("connect-four?p=111111", "[data-cell='1']", "This column is full."),
        ("tic-tac-toe?p=xxx/oo./...", "[data-cell='c3']", "The game is over."),
    ],
)
def test_an_illegal_move_is_explained(visitor, path, selector, reason):
    page = visitor.open(f"/play/{path}")
    page.click(selector)
    until(page, f"document.querySelector('#message').textContent.startsWith({reason!r})")


# ------------------------------------------------------------------ a board of one's own, without a module


def test_a_picture_with_declared_cells_is_a_board(visitor):
    page = visitor.open("/play/hop?p=")
    page.click("[data-cell='a1']")
    until(page, "document.querySelectorAll('#board [data-move]').length === 4")
    page.click(
        "[data-cell='c1']", position={"x": 5, "y": 5}, force=True
    )  # beside the target, on an empty cell
    until(page, "document.querySelector('#message').textContent === 'Nothing can be played here now.'")
    page.click("[data-cell='a1']")
    page.click("[data-move='a1-c1']")
    move_count(page, 1)
    (x, y), (to, _) = middle(page, "[data-cell='f1']"), middle(page, "[data-cell='e1']")
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to, y, steps=4)
    page.mouse.up()
    move_count(page, 2)
    page.keyboard.press("b")
    for key in ["ArrowLeft"] * 5 + ["ArrowRight"] * 2:  # to the first cell, then to c1
        page.keyboard.press(key)
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    move_count(page, 3)
    assert moves_in_address(page) == ["a1-c1", "f1-e1", "c1-d1"]
    assert page.is_visible("#ending")


# ------------------------------------------------------------------ introductions, saved games, tabs, a board a day


def test_a_game_is_learnt_in_three_steps_while_ones_own_waits(visitor):
    page = visitor.open("/play/tic-tac-toe")
    page.click("#intro-begin")
    for step, (cell, wrong) in enumerate((("c1", "c3"), ("c1", ""), ("c3", "")), 1):
        until(page, f"document.querySelector('#intro').textContent.startsWith('Step {step}')")
        if wrong:
            page.click(f"[data-cell='{wrong}']")
            page.click("#intro-again")
            until(page, "document.querySelectorAll('#moves li button').length === 0")
        page.click(f"[data-cell='{cell}']")
        page.wait_for_selector("#intro-next")
        assert page.is_hidden("#ending")  # the introduction goes on
        page.click("#intro-next")
    until(page, "document.querySelector('#versus').textContent === 'You play × against Casual.'")
    assert page.is_hidden("#intro")
    page.click("[data-cell='b2']")
    move_count(page, 2)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.is_hidden("#intro")


def test_a_game_that_new_game_interrupts_is_saved(visitor):
    page = visitor.open("/play/taquin")
    page.keyboard.press("ArrowUp")
    move_count(page, 1)
    before = page.inner_html("#board svg desc")
    page.click("#newgame")
    page.click("#start")
    until(page, "document.querySelectorAll('#moves li button').length === 0")
    choose(page, "saved")
    page.click("#sheet .saved:has-text('1 move')")
    page.wait_for_selector("html[data-ready]")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    assert page.inner_html("#board svg desc") == before
    visitor.visit(page, "/")
    page.wait_for_selector(".shelf a.saved:has-text('Taquin')")


def test_two_tabs_show_the_same_game(visitor):
    one = visitor.open("/play/connect-four?p=")
    two = one.context.new_page()
    visitor.visit(two, one.url)
    one.keyboard.press("4")
    move_count(two, 1)
    two.keyboard.press("5")
    move_count(one, 2)
    assert moves_in_address(one) == moves_in_address(two) == ["4", "5"]


def test_the_board_of_a_day_is_the_same_for_all(visitor):
    boards = []
    for _ in range(2):
        page = visitor.open("/play/rush-hour?daily=2026-11-16")
        boards.append(page.inner_html("#board svg desc"))
    assert boards[0] == boards[1]
    assert text(page, "#notice").startswith("The board of November 16, 2026.")
    visitor.visit(page, "/play/rush-hour?daily=2026-11-17")
    assert page.inner_html("#board svg desc") != boards[0]
    visitor.visit(page, "/play/crocomine?daily=2026-11-16")
    assert count(page, "#board [data-seen='open']") > 3  # a field is open: nobody has to guess where to begin
    assert "o.guessing=never" in page.url


def test_the_header_is_one_line_on_a_phone_and_its_menu_opens(visitor):
    page = visitor.open("/play/hive", **PHONE)
    assert page.locator("#top").bounding_box()["height"] <= 60
    assert page.is_hidden("#language")
    page.tap("#menu")
    assert page.is_visible("#language")
    page.tap("nav a:has-text('Taquin')")
    page.wait_for_selector("#board [data-home]")


def test_sound_is_off_until_it_is_switched_on(visitor):
    page = visitor.open("/play/taquin")
    assert page.get_attribute("#sound", "aria-pressed") == "false"
    page.click("#sound")
    assert page.get_attribute("#sound", "aria-pressed") == "true"


def test_a_press_survives_a_redraw_of_the_board(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8", **PHONE)
    finger = Finger(page)
    finger.send("touchStart", middle(page, "[data-cell='7']"))
    page.evaluate(  # draws the board anew
        "const chosen = document.querySelector('#picture');"
        " chosen.value = 'sea'; chosen.dispatchEvent(new Event('change'))"
    )
    page.wait_for_selector("#board svg svg", state="attached")
    finger.send("touchEnd")
    move_count(page, 1)
