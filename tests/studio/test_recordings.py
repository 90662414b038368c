"""Recordings of searches: every event shows its own node, and a thinned recording keeps the shape of the search."""

from __future__ import annotations

import functools
from collections import Counter

import pytest

import ludion
from ludion import registry
from ludion.asking import search
from ludion.core import tiers
from ludion.engines.budget import Budget
from ludion.kinds.puzzle import estimate
from ludion.questions import Search
from ludion.studio.positions import Place, boards
from ludion.studio.recordings import MOST_RECORDED, RecordingObserver, record

TAQUIN = "8 6 7/2 5 4/3 0 1"  # 31 moves
NEAR = "1 6 8/4 0 3/7 2 5"  # 12 moves
NUMBER, PARENT, MOVE, FIRST, HIDDEN = range(5)


@functools.cache
def recorded(game, text, engine, keep=2000, nodes=None, **more):
    """The question's start, its answer and its recording, as the interpreter gives them."""
    question = Search(game, text, engine=engine, budget=Budget(nodes=nodes), **more)
    prepared, start, observer = question.prepare(), question.start(), RecordingObserver(MOST_RECORDED)
    with tiers.use(tiers.INTERPRETED):
        answer = search(prepared, start, question.budget, observer)
    return start, answer, record(prepared, start, answer, observer.rows(), keep)


def path_to(recording, node):
    path = []
    while recording["nodes"][node][PARENT] >= 0:
        path.insert(0, recording["nodes"][node][MOVE])
        node = recording["nodes"][node][PARENT]
    return path


@pytest.mark.parametrize(("engine", "cuts"), [("a-star", False), ("ida-star", True), ("greedy", False)])
def test_the_estimate_of_every_event_is_that_of_the_board_it_shows(engine, cuts):
    start, _, recording = recorded("taquin", TAQUIN, engine, nodes=6000, heuristic="manhattan")
    heuristic = start.game.heuristics["manhattan"].value(start.rules)
    seen = Counter()
    for kind, node, depth, _, f, h, *_ in recording["events"]:
        path = path_to(recording, node)
        here = start.play(*path)
        if kind == "goal":
            continue
        assert h == int(estimate(heuristic, start.rules, here.state)), (kind, node)
        if engine != "greedy":
            assert f == depth + h
        if cuts:
            assert depth == len(path)  # also of nodes that were cut: they are not the start
        seen[kind] += 1
    assert len(recording["events"]) > 200
    assert bool(seen["cut"]) == cuts


def true_value(here):
    """1, 0 or -1 for the player to move, by trying everything."""
    if not here.is_open:
        return {"won": 1, "drawn": 0, "lost": -1}[here.status]
    return max(-true_value(here.play(move)) for move in here.codes())


def test_values_of_a_duel_belong_to_the_boards_beside_them():
    start, answer, recording = recorded("tic-tac-toe", "xox/.../o..", "negamax")
    valued = [event for event in recording["events"] if event[0] == "valued"]
    assert len(valued) == answer.nodes
    for _, node, _, value, *_ in valued:
        worth = true_value(start.play(*path_to(recording, node)))
        assert (value > 0) - (value < 0) == worth


def test_a_cut_names_the_move_that_cuts():
    start, _, recording = recorded("tic-tac-toe", "xox/.../o..", "alpha-beta")
    cuts = [event for event in recording["events"] if event[0] == "cut"]
    assert cuts
    for _, node, *_, by in cuts:
        assert by in start.play(*path_to(recording, node)).moves()


def test_the_line_is_the_answers():
    for engine in ("a-star", "ida-star", "breadth-first"):
        start, answer, recording = recorded("taquin", NEAR, engine)
        along = [start.play(*answer.moves[:count]).text for count in range(len(answer.moves) + 1)]
        assert [start.play(*path_to(recording, node)).text for node in recording["line"]] == along


def test_counters_end_with_those_of_the_answer():
    for engine in ("a-star", "breadth-first"):
        _, answer, recording = recorded("taquin", NEAR, engine)
        seen, expanded, *_ = recording["counters"][-1]
        assert seen == answer.nodes
        assert expanded in (answer.expanded, answer.expanded + 1)  # the last one may find the goal half-way
        assert recording["counters"][-1][2] in (answer.frontier, answer.frontier + 1)


def test_a_thinned_recording_keeps_the_shape():
    whole = recorded("taquin", TAQUIN, "breadth-first", keep=10**6, nodes=4000)[2]
    thin = recorded("taquin", TAQUIN, "breadth-first", keep=400, nodes=4000)[2]
    assert whole["total"] == thin["total"] == len(whole["events"])
    assert 200 < len(thin["events"]) <= 400
    at = {event[7]: counters for event, counters in zip(whole["events"], whole["counters"], strict=True)}
    for event, counters in zip(thin["events"], thin["counters"], strict=True):
        assert counters == at[event[7]]  # nothing that was left out is forgotten
    for place, node in enumerate(thin["nodes"]):
        assert node[PARENT] < place  # every node comes with all above it
    depths = {event[2] for event in whole["events"]}
    assert {event[2] for event in thin["events"]} == depths
    numbers = {node[NUMBER] for node in thin["nodes"]}
    parent_of = {node[NUMBER]: whole["nodes"][node[PARENT]][NUMBER] for node in whole["nodes"][1:]}
    children = Counter(parent for child, parent in parent_of.items() if child not in numbers)
    assert {node[NUMBER]: node[HIDDEN] for node in thin["nodes"] if node[HIDDEN]} == {
        number: count for number, count in children.items() if number in numbers
    }

    def per_depth(recording):
        totals = Counter()
        for share in recording["layers"]:
            for depth, expanded, cuts in share:
                totals[depth, "expanded"] += expanded
                totals[depth, "cut"] += cuts
        return totals

    assert per_depth(thin) == per_depth(whole)


def test_boards_say_their_last_move_and_the_cells_that_it_touched():
    place = Place(registry.find("taquin"), NEAR, (), ())
    start = ludion.position("taquin", NEAR)
    move = start.codes()[0]
    root, child, refused = boards(place, [[], [move], [99]], False)
    assert root["text"] == start.text
    assert child["text"] == start.play(move).text
    assert child["move"] == start.moves()[0]
    assert "error" in refused
    assert len(boards(place, [[move]], True)[0]["touched"]) == 2


def test_the_page_gets_recordings_and_boards(client):
    asked = {"start": NEAR, "engine": "a-star", "heuristic": "manhattan", "keep": 50}
    answer = dict(client.ask("taquin", "watch", **asked))["answer"]
    cli = ludion.solve(ludion.position("taquin", NEAR), "a-star", heuristic="manhattan")
    assert (answer["nodes"], answer["expanded"]) == (cli.nodes, cli.expanded)
    assert len(answer["recording"]["events"]) <= 50 < answer["recording"]["total"]
    paths = [path_to(answer["recording"], node) for node in answer["recording"]["line"]]
    status, states = client.post("/api/games/taquin/boards", {"start": NEAR, "paths": paths})
    assert status == 200
    assert states[-1]["status"] == "solved"
    assert client.post("/api/games/taquin/boards", {"start": NEAR, "paths": [["up"]]})[0] == 400
    best = dict(client.ask("tic-tac-toe", "watch", start="xox/.../o.."))["answer"]
    assert best["engine"] == "alpha-beta"  # `best` is a specialist, which shows nothing
