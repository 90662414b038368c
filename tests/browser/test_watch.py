"""Watching searches in Chromium: caption and board, the tidy tree, two engines side by side, the animated picture."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree

import ludion
from tests.browser.test_pages import text, until
from tests.commands import run

FAR = "8 6 7/2 5 4/3 0 1"
NEAR = "1 6 8/4 0 3/7 2 5"
WATCH = "document.querySelector('.watching').watch"

SCRUB = """async (order) => {
  const watch = document.querySelector('.watching').watch;
  const [track] = watch.tracks;
  const shown = [];
  for (const step of order) {
    watch.slider.value = step;
    watch.slider.dispatchEvent(new Event('input'));
    if (step % 7 === 0) await watch.loading; // else the next one comes while this one is on its way
    const board = track.board.querySelector('desc').textContent;
    shown.push([Number(track.words.dataset.node), Number(track.board.dataset.node), track.words.dataset.text, board]);
  }
  await watch.loading;
  return { shown, last: track.recording.event(track.at(watch.steps[watch.shown])).number };
}"""


def test_caption_and_board_are_of_one_node_however_fast_one_scrubs(visitor):
    page = visitor.open(f"/watch/taquin?p={FAR}&engine=ida-star&heuristic=manhattan")
    page.wait_for_selector(".watchboard svg")
    steps = page.evaluate(f"{WATCH}.steps.length")
    assert steps > 1800
    order = random.Random(20).sample(range(steps), 500)
    seen = page.evaluate(SCRUB, order)
    nodes = json.loads(page.evaluate(f"JSON.stringify({WATCH}.tracks[0].recording.nodes)"))
    start, texts = ludion.position("taquin", FAR), {}
    for each in nodes:  # parents stand before their children
        texts[each["number"]] = (
            texts[nodes[each["parent"]]["number"]].play(each["move"]) if each["parent"] >= 0 else start
        )
    for caption, board, said, drawn in seen["shown"]:
        assert caption == board
        assert said == texts[board].text
        assert drawn == str(texts[board])
    assert len({board for _, board, *_ in seen["shown"]}) > 100
    assert seen["last"] == page.evaluate(f"{WATCH}.steps[{order[-1]}]")  # it ends where it was asked to


TIDY = """async () => {
  const { tidyTree } = await import('/static/tidytree.js');
  let seed = 7;
  const chance = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const wrong = [];
  for (let round = 0; round < 60; round += 1) {
    const children = [[]];
    const depth = [0];
    for (let v = 1; v < 2 + chance(120); v += 1) {
      const above = chance(round % 3 ? v : Math.min(v, 4));
      children.push([]);
      depth.push(depth[above] + 1);
      children[above].push(v);
    }
    const x = tidyTree(children);
    const rows = [];
    const walk = (v) => {
      (rows[depth[v]] ??= []).push(x[v]);
      const below = children[v];
      if (below.length && Math.abs(x[v] - (x[below[0]] + x[below.at(-1)]) / 2) > 1e-9) wrong.push(['middle', v]);
      below.forEach(walk);
    };
    walk(0);
    for (const row of rows)
      for (let i = 1; i < row.length; i += 1) if (row[i] - row[i - 1] < 1 - 1e-9) wrong.push(['near', i]);
  }
  return wrong;
}"""


def test_trees_are_tidy_and_a_press_chooses_a_node(visitor):
    page = visitor.open("/watch/tic-tac-toe?p=xox/.../o..&engine=alpha-beta")
    page.wait_for_selector(".watchboard svg")
    assert page.evaluate(TIDY) == []
    page.evaluate(f"{WATCH}.show({WATCH}.steps.length - 1)")
    assert page.locator(".treeview .knot.cut").count() > 0
    assert page.locator(".treeview .branch.best").count() > 0
    knot = page.locator(".treeview .knot.best").last
    knot.scroll_into_view_if_needed()
    box = knot.locator("circle").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    chosen = page.evaluate(f"{WATCH}.tracks[0].recording.line.at(-1)")
    until(page, f"{WATCH}.tracks[0].recording.event({WATCH}.tracks[0].shown).node === {chosen}")
    before = page.get_attribute(".treeview", "viewBox")
    page.click("[aria-label='Zoom in']")
    assert page.get_attribute(".treeview", "viewBox") != before
    visitor.picture(page, "watch_tree")


def test_watch_begins_by_itself_with_board_and_tree_side_by_side(visitor):
    page = visitor.open("/watch/taquin")
    until(page, f"{WATCH}.shown > 0")  # it plays
    board, tree = (page.locator(each).bounding_box() for each in (".watchboard", ".treeview"))
    assert board["x"] + board["width"] < tree["x"]
    assert board["y"] + board["height"] < 860
    assert page.is_hidden(".engine")


def test_two_engines_side_by_side_count_as_the_command_line_does(visitor, capsys):
    page = visitor.open(
        f"/watch/taquin?p={NEAR}&engine=a-star&heuristic=manhattan&beside=breadth-first", width=1440
    )
    until(page, f"{WATCH}.shown === 0 && document.querySelectorAll('.watchboard svg').length === 2")
    page.evaluate(f"{WATCH}.show({WATCH}.steps.length - 1)")
    for place, options in enumerate((["a-star", "--heuristic", "manhattan"], ["breadth-first"])):
        result = run(capsys, "solve", "taquin", NEAR, "--engine", *options, "--json")
        record = json.loads(result.stdout)
        facts = page.locator(".track").nth(place)
        for name in ("nodes", "expanded"):
            assert facts.locator(f"[data-fact={name}]").text_content() == f"{record[name]:,}"
    page.select_option("#watch-heat", "closed")
    page.wait_for_selector(".heat.closed")
    visitor.picture(page, "watch_two")
    with page.expect_download() as download:
        page.click("#watch-export")
    picture = ElementTree.parse(download.value.path()).getroot()
    frames = [each for each in picture.iter() if each.get("class", "").startswith("f f")]
    assert len(frames) == 80  # 40 of each engine
    for frame in frames[:3]:
        assert [each for each in frame.iter() if each.tag.endswith("desc")]
    page.set_viewport_size({"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visitor.picture(page, "watch_phone")
    page.click("#menu")
    page.select_option("#language", "fr")
    until(page, "document.documentElement.lang === 'fr'")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector(".watchboard svg")
    visitor.picture(page, "watch_french")
    assert "nœud" in text(page, "#watch-words")
