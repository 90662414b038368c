"""The studio's server: positions, questions, records, and who may ask what."""

from __future__ import annotations

import http.client
import json
import threading
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludion import registry
from ludion.kinds.card import QUEST
from tests.studio.serving import Client, studio

SOLVABLE = "1 2 3/4 5 6/0 7 8"
HARD = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0"  # 80 moves: no general engine is done with it soon


# ------------------------------------------------------------------ every game


@pytest.mark.parametrize("name", sorted(registry.installed()))
def test_every_game_has_a_page_and_a_start(client, name):
    status, card = client.get(f"/api/games/{name}")
    assert status == 200
    assert card["name"] == name
    start = card["start"] or (f"level:{card['levels'][0]['name']}" if card["kind"] == QUEST else "")
    state = client.state(name, start)
    assert state["moves"] == []
    assert state["board"]
    assert state["status"] == ("running" if card["kind"] == QUEST else "open")
    assert client.get(f"/play/{name}")[0] == 200
    if card["kind"] != QUEST:
        following = client.state(name, start, (state["legal"][0],))
        assert following["moves"] == [state["legal"][0]]
        assert following["text"] != state["text"]
        assert any(each["name"] == "best" for each in card["engines"])
    else:
        assert card["agents"]


def test_a_game_file_gets_a_page_too(client):
    names = [card["name"] for card in client.get("/api/games")[1]]
    assert "domineering" in names
    state = client.state("domineering")
    assert state["svg"] is None
    assert "." in state["board"]


# ------------------------------------------------------------------ questions


def test_solve_gives_an_answer_that_leads_to_the_goal(client):
    told = dict(client.ask("taquin", "solve", start=SOLVABLE, engine="breadth-first"))
    assert told["answer"]["status"] == "optimal"
    assert told["answer"]["length"] == 2
    assert client.state("taquin", SOLVABLE, tuple(told["answer"]["moves"]))["status"] == "solved"


def test_scores_know_every_move(client):
    told = dict(client.ask("tic-tac-toe", "scores", start="x.o/.x./..o"))["answer"]
    state = client.state("tic-tac-toe", "x.o/.x./..o")
    assert {each["name"] for each in told["moves"]} == set(state["legal"])
    worth = {each["name"]: each["score"]["words"] for each in told["moves"]}
    assert worth.pop("c2") == "draw"  # all others let o complete its column
    assert set(worth.values()) == {"loss in 1 move"}


def test_watching_sends_events_whose_paths_can_be_played(client):
    told = client.ask("taquin", "solve", start=SOLVABLE, engine="breadth-first", events=50)
    rows = [row for kind, batch in told if kind == "events" for row in batch]
    assert rows
    ways = {row[1]: (row[2], row[3]) for row in rows}
    last = rows[-1][1]
    path = []
    while ways[last][0] >= 0:
        path.insert(0, ways[last][1])
        last = ways[last][0]
    assert len(client.state("taquin", SOLVABLE, tuple(path))["moves"]) == len(path)


def test_compare_fills_every_cell(client):
    runs = [{"engine": "breadth-first"}, {"engine": "a-star", "guide": "manhattan"}]
    places = [{"name": "near", "start": SOLVABLE}, {"name": "report", "start": "level:report-1"}]
    rows = [
        value for kind, value in client.ask("taquin", "compare", runs=runs, instances=places) if kind == "row"
    ]
    assert {(row["instance"], row["run"]) for row in rows} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert {row["length"] for row in rows if row["name"] == "near"} == {2}


def test_agents_are_compared_on_the_same_worlds(client):
    places = [{"name": str(seed), "start": "9x9:3/3/4", "options": {"seed": str(seed)}} for seed in range(3)]
    told = client.ask("crocomine", "compare", runs=[{"agent": "best"}, {"agent": "rules"}], instances=places)
    rows = [value for kind, value in told if kind == "row"]
    assert [(row["instance"], row["run"]) for row in rows] == [(i, j) for i in range(3) for j in range(2)]
    assert all(row["status"] in ("won", "lost") and row["length"] > 0 for row in rows)
    assert (
        client.post("/api/games/crocomine/ask/compare", {"runs": [{"agent": "x"}], "instances": places})[0]
        == 400
    )


@pytest.mark.parametrize("name", [card.name for card in registry.installed().values() if card.kind == QUEST])
def test_an_agent_plays_and_its_replay_stands(client, name):
    card = client.get(f"/api/games/{name}")[1]
    start = card["start"] or f"level:{card['levels'][0]['name']}"
    agent = card["agents"][-1]["name"]
    told = client.ask(name, "run", start=start, agent=agent, steps=20)
    acts = [act["name"] for kind, batch in told if kind == "acts" for act in batch]
    answer = dict(told)["answer"]
    assert answer["length"] <= 20
    state = client.state(name, start, tuple(acts[: answer["length"]]))
    assert state["status"] == answer["status"]


LONG_SEARCH = {"start": HARD, "engine": "ida-star", "guide": "manhattan", "seconds": 60}


def begin_asking(client, path, body, word):
    """Ask, and read until this word has come: the connection, the answer and the question's number."""
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=120)
    headers = {"content-type": "application/json", "cookie": client.cookie}
    line.request("POST", path, json.dumps(body), headers)
    answer, told = line.getresponse(), b""
    while word not in told:
        line_read = answer.readline()
        assert line_read, told
        told += line_read
    return line, answer, json.loads(told.split(b"data: ")[1].split(b"\n")[0])["id"]


def test_stop_answers_soon_and_only_its_owner_may(port):
    client, stranger = Client(port), Client(port)
    client.get("/api/health")
    dict(
        client.ask("taquin", "solve", start=SOLVABLE, engine="ida-star", guide="manhattan")
    )  # compiled before it is timed
    line, answer, number = begin_asking(client, "/api/games/taquin/ask/solve", LONG_SEARCH, b"progress")
    assert stranger.post(f"/api/stop/{number}")[0] == 404
    begin = time.perf_counter()
    assert client.post(f"/api/stop/{number}") == (200, {"stopped": True})
    rest = answer.read().decode()
    assert time.perf_counter() - begin < 2.0  # 0.1 s on an idle machine; the slow tests measure it
    assert '"limit": "stopped"' in rest
    line.close()


def test_a_generator_stops_and_says_so(port):
    client = Client(port)
    client.get("/api/health")
    client.ask("rush-hour", "generate", seed=1, settings={"moves": "5..9"})  # compiled before it is timed
    body = {"seed": 1, "settings": {"moves": "190..200"}}  # there is no such board
    line, answer, number = begin_asking(client, "/api/games/rush-hour/ask/generate", body, b"started")
    assert client.post(f"/api/stop/{number}") == (200, {"stopped": True})
    assert '"error": "stopped"' in answer.read().decode()
    line.close()


def test_the_queue_says_so_and_a_closed_tab_ends_its_search(port):
    lines = []
    for _ in range(3):
        client = Client(port)
        client.get("/api/health")
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        body = json.dumps({"start": HARD, "engine": "ida-star", "guide": "manhattan", "seconds": 100})
        headers = {"content-type": "application/json", "cookie": client.cookie}
        line.request("POST", "/api/games/taquin/ask/solve", body, headers)
        lines.append((line, line.getresponse()))
    assert lines[2][1].readline().startswith(b"event: job")
    assert b"queued" in b"".join(lines[2][1].readline() for _ in range(5))
    for line, answer in lines:
        answer.close()
        line.close()
    client = Client(port)
    for _ in range(200):
        told = client.get("/api/health")[1]
        if told["running"] == told["waiting"] == 0:
            break
        time.sleep(0.1)
    assert told["running"] == told["waiting"] == 0


# ------------------------------------------------------------------ records


def test_nothing_is_lost_when_the_server_restarts(tmp_path: Path):
    file = tmp_path / "r.sqlite"
    with studio(file) as port:
        client = Client(port)
        client.state("taquin", SOLVABLE, ("right", "right"), save=True, cursor=1)
        client.state("taquin", SOLVABLE, ("right", "right"), save=True)
        client.state("taquin", SOLVABLE, ("right", "right"), save=True, cursor=1)
        cookie = client.cookie
    with studio(file) as port:
        client = Client(port)
        client.cookie = cookie
        assert client.get("/api/games/taquin/record")[1] == {
            "start": SOLVABLE,
            "options": {},
            "moves": ["right", "right"],
            "cursor": 1,
        }
        assert client.state("taquin", SOLVABLE)["best"] == 2
        assert Client(port).get("/api/games/taquin/record")[1] is None  # another browser has its own


def test_the_best_result_of_each_level_is_listed(client):
    solution = dict(client.ask("taquin", "solve", start="level:report-2"))["answer"]["moves"]
    client.state("taquin", "level:report-2", tuple(solution), save=True)
    assert client.get("/api/games/taquin/bests") == (200, {"report-2": len(solution)})


def test_help_from_an_engine_makes_no_record(client):
    start = "1 2 3/4 5 0/7 8 6"
    client.state("taquin", start, ("down",), save=True, helped=True)
    assert client.state("taquin", start)["best"] is None


# ------------------------------------------------------------------ who may ask what


def test_only_the_own_page_is_answered(client):
    body = {"start": SOLVABLE}
    path = "/api/games/taquin/state"
    assert client.get("/api/games", host="evil.example")[0] == 421
    assert client.get("/api/games", host="127.0.0.1.evil.example")[0] == 421
    assert client.get("/api/games", host="localhost:99")[0] == 200
    assert client.post(path, body, origin="http://evil.example")[0] == 403
    assert client.post(path, body, origin="null")[0] == 403
    assert client.post(path, body, sec_fetch_site="cross-site")[0] == 403
    assert client.post(path, body, content_type="text/plain")[0] == 415
    assert client.post(path, body, origin=f"http://127.0.0.1:{client.port}")[0] == 200


def test_the_page_allows_no_foreign_or_inline_code(client):
    status, content, headers = client.request("GET", "/")
    assert status == 200
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert b"<script>" not in content
    assert b"style=" not in content
    assert b"http://" not in content
    assert b"https://" not in content
    assert "HttpOnly" in headers["set-cookie"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py",
        "/static/..%2fserver.py",
        "/static/%2e%2e/%2e%2e/api.py",
        "/static//etc/passwd",
        "/static/boards",
        "/static/",
        "/play/nothing",
        "/play/..%2f..",
        "/etc/passwd",
        "/api/games/%00",
    ],
)
def test_nothing_outside_the_package_is_served(client, path):
    status, told = client.get(path)
    assert status == 404
    assert b"import" not in (told if isinstance(told, bytes) else json.dumps(told).encode())


def test_no_file_is_read_for_a_browser(client, tmp_path):
    secret = tmp_path / "secret.croco"
    secret.write_text("hush\n2 2\n0 0\n- -\n- T\n")
    for name, card in registry.installed().items():
        for start in (str(secret), f" {secret} ", str(tmp_path)):
            status, told = client.post(f"/api/games/{name}/state", {"start": start})
            assert status == 400, name
            assert "hush" not in told["error"]
        if card.kind == QUEST:
            status, _ = client.post(f"/api/games/{name}/ask/run", {"start": "", "agent": f"prolog:{secret}"})
            assert status == 400


def test_agents_that_take_a_program_are_not_offered(client):
    for name, card in registry.installed().items():
        if card.kind == QUEST:
            assert "prolog" not in [each["name"] for each in client.get(f"/api/games/{name}")[1]["agents"]]


def test_text_of_users_never_becomes_markup(client):
    for name in registry.installed():
        status, told = client.post(f"/api/games/{name}/state", {"start": "<img src=x onerror=alert(1)>"})
        assert status == 400
        state = client.get(f"/api/games/{name}")[1]
        assert "<script" not in json.dumps(state)
        assert isinstance(told["error"], str)


# ------------------------------------------------------------------ input of any shape

WORDS = st.one_of(
    st.text(max_size=30),
    st.sampled_from(["level:", "level:x", "9" * 50, "1x1/1", "63x1/3", "a/b", "Base+MLP"]),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(WORDS, inner, max_size=3)),
    max_leaves=6,
)
NAMES = st.sampled_from(
    ["start", "options", "moves", "cursor", "save", "engine", "guide", "seconds", "nodes", "depth", "events",
     "runs", "instances", "agent", "steps", "seed", "settings", "why", "thinking"]
)  # fmt: skip
BODIES = st.dictionaries(NAMES, VALUES, max_size=5)


@settings(max_examples=120)
@given(
    body=BODIES,
    game=st.sampled_from([*registry.installed(), "nothing"]),
    route=st.sampled_from(
        [
            "state",
            "ask/solve",
            "ask/scores",
            "ask/run",
            "ask/compare",
            "ask/study",
            "ask/generate",
            "ask/nothing",
            "nothing",
        ]
    ),
)
def test_any_body_is_answered_with_a_reason(port, body, game, route):
    if route == "ask/generate" and "settings" not in body:
        body = {**body, "settings": 3}  # what a generator makes is its own tests' business
    if not isinstance(body.get("seconds"), (str, list, dict, bool)):
        body = {**body, "seconds": 0.05}  # searches are well-formed here now and then, and need not go on
    if isinstance(body.get("steps"), int):
        body = {**body, "steps": min(body["steps"], 3)}
    status, told = Client(port).post(f"/api/games/{game}/{route}", json.dumps(body).encode())
    assert status in (200, 400, 404, 405, 422)
    if status == 400:
        assert told["error"]


@settings(max_examples=60)
@given(start=WORDS, name=st.sampled_from(sorted(registry.installed())), moves=st.lists(WORDS, max_size=3))
def test_any_position_is_answered_with_a_reason(port, start, name, moves):
    status, told = Client(port).post(f"/api/games/{name}/state", {"start": start, "moves": moves})
    assert status in (200, 400)
    assert status == 200 or told["error"]


def test_bodies_that_are_not_json_or_too_large(client):
    path = "/api/games/taquin/state"
    for body in (b"", b"{", b"[]", b"3", b"\xff\xfe", b'{"start": "\\ud800"}', b"[" * 100_000):
        assert client.post(path, body)[0] == 400
    assert client.post(path, b" " * 500_000)[0] == 413
    assert client.post(path, {"start": "1" * 150_000})[0] == 400
    assert client.post(path, {"moves": ["up"] * 20_000})[0] == 400
    assert client.post(path, {"start": SOLVABLE, "moves": [10**30]})[0] == 400
    cave = "[cave]\nActions=" + "r99999" * 5000 + "\n[map]\nWWWW\nWPXW\nWWWW\n[/map]\n[/cave]"
    assert client.post("/api/games/delirium/state", {"start": cave})[0] == 400
    assert client.request("DELETE", path)[0] == 405


# ------------------------------------------------------------------ under load


def play_for(port: int, seconds: float, faults: list[str]) -> None:
    client, moves = Client(port), []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        try:
            state = client.state("tic-tac-toe", "4x4/4", tuple(moves), save=True)
            if len(state["moves"]) != len(moves):
                faults.append("a move was lost")
            kept = client.get("/api/games/tic-tac-toe/record")[1]
            if kept["moves"] != moves:
                faults.append("a record was lost")
            moves = moves + [state["legal"][len(moves) % len(state["legal"])]] if state["legal"] else []
        except Exception as error:
            faults.append(repr(error))
        time.sleep(0.5)


def crowd(port: int, clients: int, seconds: float) -> list[str]:
    faults: list[str] = []
    threads = [threading.Thread(target=play_for, args=(port, seconds, faults)) for _ in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults


def test_thirty_clients_lose_nothing(port):
    assert crowd(port, 30, 2.0) == []


@pytest.mark.slow
def test_two_hundred_clients_for_a_minute_lose_nothing(port):
    assert crowd(port, 200, 60.0) == []


@pytest.mark.slow
def test_a_search_stops_within_a_tenth_of_a_second(port):
    client, times = Client(port), []
    client.get("/api/health")
    client.ask("taquin", "solve", start=SOLVABLE, engine="ida-star", guide="manhattan")
    for _ in range(10):
        line, answer, number = begin_asking(client, "/api/games/taquin/ask/solve", LONG_SEARCH, b"progress")
        begin = time.perf_counter()
        client.post(f"/api/stop/{number}")
        answer.read()
        times.append(time.perf_counter() - begin)
        line.close()
    assert sorted(times)[len(times) // 2] < 0.1, times


@pytest.mark.slow
def test_the_page_answers_while_two_searches_run(port):
    client = Client(port)
    client.get("/api/health")
    client.ask("taquin", "solve", start=SOLVABLE, engine="ida-star", guide="manhattan")
    body = {"start": HARD, "engine": "ida-star", "guide": "manhattan", "seconds": 8}
    searches = [threading.Thread(target=client.ask, args=("taquin", "solve"), kwargs=body) for _ in range(2)]
    for each in searches:
        each.start()
    time.sleep(1)
    times = []
    for _ in range(100):
        begin = time.perf_counter()
        assert client.get("/api/health")[1]["running"] == 2
        times.append(time.perf_counter() - begin)
        time.sleep(0.02)
    for each in searches:
        each.join()
    assert sorted(times)[94] < 0.05, sorted(times)[-10:]
