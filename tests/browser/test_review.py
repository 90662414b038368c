"""Reviews and reasons in a real browser: a known blunder is named in each duel, with what punishes it."""

from __future__ import annotations

import json

import pytest

from tests.browser.test_pages import count, moves_in_address, show, text, until

# A game of each duel, the number of its blunder, and what the page says of it.
BLUNDERS = {
    "tic-tac-toe": ("p=&m=b2;b1;a1;c3;c1", 2, "Nought at b1 gives the draw away", "kept the draw"),
    "connect-four": ("p=&m=4;4;5;5;3", 4, "Red in column 5 gives the win away", "kept the win"),
    "hive": (
        "p=Base;InProgress;White[8];wG1;bG1+wG1-;wQ+-wG1;bQ+bG1-;wA1+%5CwQ;bA1+bQ/;wA1+bQ-;bS1+%5CbQ;wA2+%5CwQ;"
        "bB1+%5CbA1;wA2+bQ%5C;bB2+bA1/;wA3+%5CwQ;bG2+%5CbS1&m=wA2+-wQ",
        1,
        "White ant to the left of the white queen gives the win away",
        "kept the win",
    ),
}


def review(page):
    show(page, "review")
    until(page, "document.querySelector('#accuracy') !== null")


@pytest.mark.parametrize("name", BLUNDERS)
def test_a_known_blunder_is_named_in_each_duel(visitor, name):
    address, number, did, better = BLUNDERS[name]
    page = visitor.open(f"/play/{name}?{address}", reduced_motion="reduce")
    review(page)
    page.click(f"#moments button:has-text('{number} ?')")
    until(page, f"document.querySelector('#moment').innerText.startsWith('{number} ?')")
    said = text(page, "#moment")
    assert did in said
    assert better in said
    assert count(page, "#review-graph .column") == len(moves_in_address(page)) + 1
    visitor.picture(page, f"review-{name}")


def test_the_punishment_is_played_out_and_the_game_tried_again_from_there(visitor):
    page = visitor.open("/play/tic-tac-toe?p=&m=b2;b1;a1;c3;c1", reduced_motion="reduce")
    review(page)
    page.click("#moments button:has-text('2 ?')")
    until(page, "document.querySelectorAll('#moves [aria-current]').length === 1")
    page.click("#show-why")
    until(
        page, "document.querySelector('#line-caption').textContent.startsWith('7. ')"
    )  # the win of the first player
    assert page.evaluate("document.querySelector('#board').inert")
    page.click("#line-back")
    assert not page.evaluate("document.querySelector('#board').inert")
    assert moves_in_address(page) == ["b2", "b1", "a1", "c3", "c1"]  # the game is as it was
    page.click("#try-from-here")
    until(page, "document.querySelectorAll('#moves li button').length === 1")
    assert moves_in_address(page) == ["b2"]
    page.go_back()
    until(page, "location.search.includes('c1')")


def test_a_review_has_an_address(visitor):
    page = visitor.open("/play/tic-tac-toe?p=&m=b2;b1;a1;c3;c1", reduced_motion="reduce")
    review(page)
    page.click("#moments button:has-text('2 ?')")
    until(page, "location.search.includes('c=2')")
    address, said = page.url, text(page, "#moment")
    assert "tab=review" in address
    page.reload()
    page.wait_for_selector("#moment")
    assert text(page, "#moment") == said
    show(page, "share")
    page.go_back()
    until(page, "!document.querySelector('#panel-review').hidden")
    other = visitor.open(address, reduced_motion="reduce")  # a friend's browser
    other.wait_for_selector("#moment")
    assert text(other, "#moment") == said


def test_tooltips_speak_for_one_side_by_name(visitor):
    page = visitor.open("/play/tic-tac-toe?p=&m=b2;b1;a1", reduced_motion="reduce")
    review(page)
    titles = page.evaluate(
        "JSON.stringify([...document.querySelectorAll('#review-graph title')].map((each) => each.textContent))"
    )
    assert '"After move 2: ×: win in 3 moves"' in titles
    assert '"After move 3: ×: win in 2 moves"' in titles  # also where the other is to move


def test_a_detour_and_a_risk_are_named(visitor):
    page = visitor.open("/play/taquin?p=1+2+3/4+0+6/7+5+8&m=up;down;down;right", reduced_motion="reduce")
    review(page)
    assert "Solved in 4; 2 is possible." in text(page, "#accuracy")
    assert "Tile 2 down leaves the shortest path and costs 2 moves" in text(page, "#moment")
    visitor.picture(page, "review-taquin")
    page = visitor.open(
        "/play/crocomine?p=a;2+3;0+0;-+-+T;-+-+-&m=discover+0+0;discover+1+2", reduced_motion="reduce"
    )
    review(page)
    assert "1 risk taken" in text(page, "#accuracy")
    assert "a risk of 50.0 %" in text(page, "#moment")
    visitor.picture(page, "review-crocomine")


def test_a_hint_is_explained_with_marks(visitor):
    page = visitor.open("/play/tic-tac-toe?p=xox/.../o..", reduced_motion="reduce")
    page.click("#hint")
    until(page, "document.querySelector('#message').textContent === 'Hint: cross at c3'")
    page.click("#hint")
    assert "two threats at once, b2, c2: only one can be stopped" in text(page, "#message")
    assert count(page, "#board .reason-threat") == 2


def test_pictures_of_reviews(visitor):
    """A phone in the dark, French."""
    game = "/play/connect-four?p=&m=4;4;5;5;3"
    for name, settings in {
        "phone": {
            "width": 360,
            "height": 740,
            "has_touch": True,
            "is_mobile": True,
            "color_scheme": "dark",
        },
        "french": {"locale": "fr-FR", "width": 1440},
    }.items():
        page = visitor.open(game, reduced_motion="reduce", **settings)
        review(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        visitor.picture(page, f"review-{name}")


# ------------------------------------------------------------------ questions under way


def answer_with(page, what, *events):
    """Let the server's answer to a question be these events."""
    body = "".join(f"event: {kind}\ndata: {json.dumps(value)}\n\n" for kind, value in events)
    page.route(f"**/ask/{what}", lambda route: route.fulfill(content_type="text/event-stream", body=body))


def test_the_waiting_message_goes_when_the_wait_ends(visitor):
    page = visitor.open("/play/tic-tac-toe?p=x.o/.x./..o")
    queued = {"ahead": 0, "at_once": 2}
    answer = {"moves": [], "of": 0, "stopped": False}
    answer_with(page, "scores", ("job", {"id": "a"}), ("queued", queued), ("started", {}), ("answer", answer))
    page.click("#scores")
    until(page, "document.querySelectorAll('#board g.scores').length === 1")
    assert "Waiting" not in text(page, "#message")


def test_the_best_line_and_the_history_are_shown_while_a_search_runs(visitor):
    page = visitor.open("/play/tic-tac-toe?p=x.o/.x./..o")
    common = {"nodes": 1000, "expanded": 10, "frontier": 0, "memory": 0}
    steps = [
        {
            **common,
            "depth": depth,
            "best": best,
            "seconds": depth / 10,
            "line": ["cross at c2", "nought at a2"],
        }
        for depth, best in ((1, 3), (2, 3), (3, -1))
    ]
    answer_with(page, "solve", ("job", {"id": "a"}), ("started", {}), *[("progress", each) for each in steps])
    show(page, "engine")
    page.click("#ask")
    until(page, "document.querySelectorAll('#live .history').length === 1")
    assert "cross at c2, nought at a2" in text(page, "#live")
    assert page.get_attribute("#live .history", "aria-label") == "Value or bound over time: 3, -1"
