"""A whole game of each, by mouse, by touch (real touch events) and by keyboard alone."""

from __future__ import annotations

import pytest

import ludion
from tests.browser.test_pages import moves_in_address, until
from tests.browser.test_play import PHONE, Finger, middle, move_count

HIVE = [
    "wG1", "bG1 wG1-", "wQ -wG1", "bQ bG1-", "wA1 \\wQ", "bA1 bQ/", "wA1 bQ-", "bS1 \\bQ", "wA2 \\wQ", "bB1 \\bA1",
    "wA2 bQ\\", "bB2 bA1/", "wA3 \\wQ", "bG2 \\bS1", "wA3 -wA2",
]  # fmt: skip
MINE = "%0A".join(
    [
        "[cave]",
        "Engine=Delirium",
        "DiamondsRequired=2",
        "CaveTime=-1",
        "[map]",
        "WWWWWWWW",
        "WP..d..W",
        "W......W",
    ]
    + ["W..d..XW", "WWWWWWWW", "[/map]", "[/cave]"]
)
WALK = "rrrddlrrr"  # gathers both diamonds and leaves
MINES = "b;3+4;1+0+flags;-+-+T+-;-+-+-+-;-+-+T+-"
SAFE = [
    "1 0",
    "0 3",
    "1 1",
    "1 2",
    "1 3",
    "2 3",
]  # opens all that is left when the first has opened its field

CELLS = {  # game -> the address, the cells that are pressed, and what the status says at the end
    "tic-tac-toe": ("?p=", ["a1", "a2", "b1", "b2", "c1"], "× has won"),
    "connect-four": ("?p=", ["4", "1", "4", "1", "4", "1", "4"], "Yellow has won"),
    "taquin": ("?p=1+2+3/4+0+6/7+5+8", ["7", "8"], "Solved in 2"),
    "crocomine": (f"?p={MINES}", SAFE, "Won"),
}


def ended(page, words):
    until(page, f"document.querySelector('#status').textContent.startsWith({words!r})")
    assert page.is_visible("#ending")


def press_all(page, game, press):
    """Press the cells one after the other; one that has opened by itself is left out."""
    _, cells, words = CELLS[game]
    for cell in cells:
        if page.get_attribute(f"#board [data-cell='{cell}']", "data-seen") == "open":
            continue
        before = len(moves_in_address(page))
        press(cell)
        until(
            page,
            f"(new URLSearchParams(location.search).get('m') || '').split(';').length > {max(1, before) - 1}",
        )
        move_count(page, before + 1)
    ended(page, words)


def walk_to(page, selector):
    """Bring the focus to an element of the board by arrow keys: the best way first, none twice from a place."""
    tried = set()
    for _ in range(60):
        here, ways = page.evaluate(
            """(selector) => {
              const [wanted, here] = [document.querySelector(selector), document.activeElement];
              if (wanted === here) return [null, []];
              const [to, from] = [wanted.getBoundingClientRect(), here.getBoundingClientRect()];
              const right = to.x + to.width / 2 - from.x - from.width / 2;
              const down = to.y + to.height / 2 - from.y - from.height / 2;
              const gains = { ArrowRight: right, ArrowLeft: -right, ArrowDown: down, ArrowUp: -down };
              const ways = Object.keys(gains).sort((one, other) => gains[other] - gains[one]);
              return [here.dataset.move ?? here.dataset.cell, ways];
            }""",
            selector,
        )
        if here is None:
            return
        way = next(way for way in ways if (here, way) not in tried)
        tried.add((here, way))
        page.keyboard.press(way)
    raise AssertionError(selector)


# ------------------------------------------------------------------ cells that are pressed


@pytest.mark.parametrize("game", CELLS)
def test_by_mouse(visitor, game):
    page = visitor.open(f"/play/{game}{CELLS[game][0]}")
    press_all(page, game, lambda cell: page.click(f"#board [data-cell='{cell}']"))


@pytest.mark.parametrize("game", CELLS)
def test_by_touch(visitor, game):
    page = visitor.open(f"/play/{game}{CELLS[game][0]}", **PHONE)
    press_all(page, game, lambda cell: page.tap(f"#board [data-cell='{cell}']"))


@pytest.mark.parametrize("game", CELLS)
def test_by_keyboard(visitor, game):
    page = visitor.open(f"/play/{game}{CELLS[game][0]}")
    page.keyboard.press("b")

    def press(cell):
        if game == "taquin":  # the arrows push tiles there
            page.keyboard.press("ArrowUp" if cell == "7" else "ArrowLeft")
            return
        walk_to(page, f"#board [data-cell='{cell}']")
        page.keyboard.press("Enter")

    press_all(page, game, press)


# ------------------------------------------------------------------ cars, insects, a miner

JAM = "/play/rush-hour?p=...B.....B..AA.B...................."


def test_rush_hour_by_mouse(visitor):
    page = visitor.open(JAM)
    page.click("[data-vehicle='B']")
    page.click("#board [data-move='B+3']")
    move_count(page, 1)
    page.click("[data-vehicle='A']")
    page.click("#board [data-move='A+4']")
    ended(page, "Solved in 2")


def test_rush_hour_by_touch(visitor):
    page = visitor.open(JAM, **PHONE)
    finger = Finger(page)
    cell = page.locator("[data-vehicle='B']").bounding_box()["height"] / 3
    for name, (right, down) in (("B", (0, 3)), ("A", (4, 0))):
        x, y = middle(page, f"[data-vehicle='{name}']")
        finger.drag((x, y), (x + right * cell, y + down * cell))
    ended(page, "Solved in 2")


def test_rush_hour_by_keyboard(visitor):
    page = visitor.open(JAM)
    page.keyboard.press("b")
    for name, move in (("B", "B+3"), ("A", "A+4")):
        for _ in range(4):
            if page.evaluate("document.activeElement.dataset.vehicle") == name:
                break
            page.keyboard.press("ArrowUp" if name == "B" else "ArrowLeft")
        page.keyboard.press("Enter")
        walk_to(page, f"#board [data-move='{move}']")
        page.keyboard.press("Enter")
        until(page, f"location.search.includes('{move.replace('+', '%2B')}')")
    ended(page, "Solved in 2")


def canonical(moves):
    """The names under which the page offers these moves."""
    here, names = ludion.position("hive", "Base"), []
    for move in moves:
        code = here.read_move(move)
        names.append(here.write_move(code))
        here = here.play(code)
    return names


def play_hive(page, choose, target):
    for number, move in enumerate(canonical(HIVE), 1):
        choose(move.split()[0])
        if number > 1:
            name = move.replace("\\", "\\\\")
            page.wait_for_selector(f'#board [data-move="{name}"]', state="attached")
            target(f'#board [data-move="{name}"]')
        move_count(page, number)
    ended(page, "White has won")
    assert "6 of 6" in page.inner_text("#counters")


def piece(page, name):
    """The piece on the board, or the button of its kind in hand (which gives the next of its kind)."""
    on_board = f"#board [data-cell='{name}']"
    return on_board if page.query_selector(on_board) else f"[data-hand='{name}']"


def test_hive_by_mouse(visitor):
    page = visitor.open("/play/hive?p=Base")
    play_hive(page, lambda name: page.click(piece(page, name)), page.click)


def test_hive_by_touch(visitor):
    page = visitor.open("/play/hive?p=Base", **PHONE)
    play_hive(page, lambda name: page.tap(piece(page, name)), page.tap)


def test_hive_by_keyboard(visitor):
    page = visitor.open("/play/hive?p=Base")
    page.keyboard.press("b")

    def choose(name):
        chosen = f".chosen[data-hand='{name}'], .chosen[data-cell='{name}']"
        for _ in range(4):  # the key goes from one piece of the kind to the next
            page.keyboard.press(f"Shift+{name[1]}")
            if "m=" not in page.url or page.query_selector(chosen):
                return

    def target(selector):
        walk_to(page, selector)
        page.keyboard.press("Enter")

    play_hive(page, choose, target)


KEYS = {"r": "ArrowRight", "u": "ArrowUp", "l": "ArrowLeft", "d": "ArrowDown"}


def test_delirium_by_keyboard(visitor):
    page = visitor.open(f"/play/delirium?p={MINE}")
    for step in WALK:
        page.keyboard.press(KEYS[step])
    ended(page, "Won")


def test_delirium_by_mouse(visitor):
    page = visitor.open(f"/play/delirium?p={MINE}")
    for step in WALK:
        page.click(f"[data-action='{KEYS[step].removeprefix('Arrow').lower()}']")
    ended(page, "Won")


def test_delirium_by_touch(visitor):
    page = visitor.open(f"/play/delirium?p={MINE}", clock=True, **PHONE)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))  # however long a swipe takes, it is one step
    finger = Finger(page)
    x, y = middle(page, "#board svg")
    reach = {"r": (40, 0), "u": (0, -40), "l": (-40, 0), "d": (0, 40)}
    for number, step in enumerate(WALK, 1):
        right, down = reach[step]
        finger.send("touchStart", (x, y))
        finger.send("touchMove", (x + right, y + down))
        finger.send("touchEnd")
        move_count(page, number)
    ended(page, "Won")
