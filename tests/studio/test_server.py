"""The studio's server: positions, questions, records, and who may ask what."""

from __future__ import annotations

import gzip
import http.client
import json
import re
import sys
import threading
import time
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludion
from ludion import registry
from ludion.cli.serve import addresses_of
from ludion.engines.budget import Budget
from ludion.kinds.games import QUEST
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.studio.guard import LOOPBACK, Guard
from ludion.studio.opponents import OPPONENTS, Opponent, choose_move, scores_of
from ludion.studio.positions import describe, read_place
from tests.coroutines import finished
from tests.studio.serving import Client, events, studio

pytestmark = pytest.mark.tier("interpreted")  # as the studio of these tests; what is asked is small

SOLVABLE = "1 2 3/4 5 6/0 7 8"
HARD = "14 15 8 12/10 11 9 13/2 6 5 1/3 7 4 0"  # 80 moves: no general engine is done with it soon


# ------------------------------------------------------------------ every game


@pytest.mark.parametrize("name", sorted(registry.installed()))
def test_every_game_has_a_page_and_a_start(client, name):
    status, game = client.get(f"/api/games/{name}")
    assert status == 200
    assert game["name"] == name
    start = game["start"] or (f"level:{game['levels'][0]['name']}" if game["kind"] == QUEST else "")
    state = client.state(name, start)
    assert state["moves"] == []
    assert state["board"]
    assert state["status"] == ("running" if game["kind"] == QUEST else "open")
    assert client.get(f"/play/{name}")[0] == 200
    if game["kind"] != QUEST:
        following = client.state(name, start, (state["legal"][0],))
        assert following["moves"] == [state["legal"][0]]
        assert following["text"] != state["text"]
        assert any(each["name"] == "best" for each in game["engines"])
    else:
        assert game["agents"]


@pytest.mark.parametrize("name", sorted(registry.installed()))
def test_every_game_brings_its_page_module_and_its_scene_can_be_played(client, name):
    game = client.get(f"/api/games/{name}")[1]
    status, content, headers = client.request("GET", game["page"])
    assert status == 200
    assert b"export default" in content
    assert headers["content-type"].startswith("text/javascript")
    start = game["example"] or game["start"]
    assert len(client.state(name, start, tuple(game["scene"]))["moves"]) == len(game["scene"])


def test_games_are_listed_by_kind(client):
    kinds = [game["kind"] for game in client.get("/api/games")[1]]
    assert kinds == sorted(kinds, key=["puzzle", "duel", "quest"].index)


def test_a_game_file_gets_a_page_too(client):
    names = [game["name"] for game in client.get("/api/games")[1]]
    assert "nim" in names
    assert client.get("/api/games/nim")[1]["page"] is None
    assert client.get("/static/games/nim.js")[0] == 404
    state = client.state("nim", options={"most": "2"})
    assert state["svg"] is None
    assert state["legal"] == ["1", "2"]
    written = client.question("nim", options={"most": "2"}, what="solve")
    assert written["command"].endswith("nim.py 12 --most 2 --time 5")
    assert "ludion.load_game_file(" in written["python"]


# ------------------------------------------------------------------ questions


def test_solve_gives_an_answer_that_leads_to_the_goal(client):
    answer = dict(client.ask("taquin", "solve", start=SOLVABLE, engine="breadth-first"))["answer"]
    assert answer["status"] == "optimal"
    assert answer["length"] == 2
    assert answer["result"] == "2 moves, optimal"
    assert client.state("taquin", SOLVABLE, tuple(answer["moves"]))["status"] == "solved"


def test_scores_know_every_move(client):
    answer = dict(client.ask("tic-tac-toe", "scores", start="x.o/.x./..o"))["answer"]
    state = client.state("tic-tac-toe", "x.o/.x./..o")
    assert {each["name"] for each in answer["moves"]} == set(state["legal"])
    worth = {each["name"]: each["score"]["words"] for each in answer["moves"]}
    assert worth.pop("c2") == "draw"  # all others let o complete its column
    assert set(worth.values()) == {"loss in 1 move"}


def test_a_review_sends_standings_and_then_the_verdicts(client):
    sent = client.ask("tic-tac-toe", "review", moves=["b2", "b1", "a1"])
    assert sorted(value["ply"] for kind, value in sent if kind == "standing") == [0, 1, 2, 3]
    answer = dict(sent)["answer"]
    assert [each["verdict"] for each in answer["moves"]] == ["best", "mistake", "best"]
    assert answer["moves"][1]["line"][-1] in client.state("tic-tac-toe")["legal"]
    assert answer["complete"]


def test_a_review_is_written_as_a_command_and_as_python(client):
    written = client.question("tic-tac-toe", "", ("b2", "b1"), cursor=1, what="review")
    assert written["command"] == "ludion review tic-tac-toe --moves 'b2;b1' .../.../..."
    assert written["python"].endswith("print(ludion.review(position, ['b2', 'b1']))")
    run = client.question("crocomine", "9x9:3/3/4", ("discover 6 5",), options={"seed": "3"}, what="review")
    assert run["command"] == "ludion review crocomine --moves 'discover 6 5' 9x9:3/3/4 --seed 3"
    assert "ludion.position('crocomine', '9x9:3/3/4', seed='3')" in run["python"]


def test_why_explains_the_best_move_or_a_given_one(client):
    answer = dict(client.ask("taquin", "why", start=SOLVABLE))["answer"]
    assert answer["marks"]
    assert "no solution is shorter" in answer["why"]
    answer = dict(client.ask("tic-tac-toe", "why", start="oo./.x./..x", move="b3"))["answer"]
    assert answer["why"].startswith("does not stop c1")
    assert answer["marks"] == [{"place": [0, 2], "role": "threat"}]
    assert "error" in dict(client.ask("tic-tac-toe", "why", start="oo./.x./..x", move="a1"))


def test_compare_fills_every_cell(client):
    runs = [{"engine": "breadth-first"}, {"engine": "a-star", "heuristic": "manhattan"}]
    places = [{"name": "near", "start": SOLVABLE}, {"name": "report", "start": "level:report-1"}]
    rows = [
        value for kind, value in client.ask("taquin", "compare", runs=runs, instances=places) if kind == "row"
    ]
    assert {(row["instance"], row["run"]) for row in rows} == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert {row["length"] for row in rows if row["name"] == "near"} == {2}


def test_agents_are_compared_on_the_same_worlds(client):
    places = [{"name": str(seed), "start": "9x9:3/3/4", "options": {"seed": str(seed)}} for seed in range(3)]
    sent = client.ask("crocomine", "compare", runs=[{"agent": "best"}, {"agent": "rules"}], instances=places)
    rows = [value for kind, value in sent if kind == "row"]
    assert [(row["instance"], row["run"]) for row in rows] == [(i, j) for i in range(3) for j in range(2)]
    assert all(row["status"] in ("won", "lost") and row["length"] > 0 for row in rows)
    assert (
        client.post("/api/games/crocomine/ask/compare", {"runs": [{"agent": "x"}], "instances": places})[0]
        == 400
    )


@pytest.mark.parametrize("name", [game.name for game in registry.installed().values() if game.kind == QUEST])
def test_an_agent_plays_and_its_run_can_be_replayed(client, name):
    game = client.get(f"/api/games/{name}")[1]
    start = game["start"] or f"level:{game['levels'][0]['name']}"
    agent = game["agents"][-1]["name"]
    sent = client.ask(name, "run", start=start, agent=agent, steps=20)
    acts = [act["name"] for kind, batch in sent if kind == "acts" for act in batch]
    answer = dict(sent)["answer"]
    assert answer["length"] <= 20
    assert answer["agent"] == agent
    state = client.state(name, start, tuple(acts[: answer["length"]]))
    assert state["status"] == answer["status"]


def test_layers_of_an_agent_and_coefficients_of_an_engine_can_be_chosen(client):
    agents = {each["name"]: each["settings"] for each in client.get("/api/games/delirium")[1]["agents"]}
    assert {each["name"] for each in agents["layered"]} >= {"dangers", "diamonds", "exit"}
    chosen = {"agent": "layered", "steps": 60, "settings": {"exit": False}}
    assert (
        dict(client.ask("delirium", "run", start="level:nearest", **chosen))["answer"]["status"] == "running"
    )
    engines = {each["name"]: each.get("settings") for each in client.get("/api/games/hive")[1]["engines"]}
    assert [each["name"] for each in engines["heuristic"]] == ["defence", "attack"]
    written = client.question("hive", what="solve", engine="heuristic", settings={"attack": 2})
    assert "--set attack=2" in written["command"]


def test_a_setting_that_names_a_program_is_not_for_browsers(client):
    body = {"start": "5x5:1/1/1", "agent": "sat-random", "settings": {"solver": "touch /tmp/x"}}
    assert client.post("/api/games/crocomine/ask/run", body)[0] == 400
    offered = {each["name"]: each["settings"] for each in client.get("/api/games/crocomine")[1]["agents"]}
    assert "solver" not in {each["name"] for each in offered["sat-random"]}


LONG_SEARCH = {"start": HARD, "engine": "ida-star", "heuristic": "manhattan", "seconds": 60}


def begin_asking(client, path, body, word):
    """Ask, and read until this word has come: the connection, the answer and the question's number."""
    line = http.client.HTTPConnection("127.0.0.1", client.port, timeout=120)
    headers = {"content-type": "application/json", "cookie": client.cookie}
    line.request("POST", path, json.dumps(body), headers)
    answer, received = line.getresponse(), b""
    while word not in received:
        part = answer.readline()
        assert part, received
        received += part
    return line, answer, json.loads(received.split(b"data: ")[1].split(b"\n")[0])["id"]


def test_stop_answers_soon_and_only_its_owner_may(port):
    client, stranger = Client(port), Client(port)
    client.get("/api/health")
    line, answer, number = begin_asking(client, "/api/games/taquin/ask/solve", LONG_SEARCH, b"progress")
    assert stranger.post(f"/api/stop/{number}")[0] == 404
    begin = time.perf_counter()
    assert client.post(f"/api/stop/{number}") == (200, {"stopped": True})
    rest = answer.read().decode()
    assert time.perf_counter() - begin < 50  # of the 60 that it may take; the slow tests measure it
    assert '"limit": "stopped"' in rest
    line.close()


def test_a_generator_stops_and_says_so(port):
    client = Client(port)
    client.get("/api/health")
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
        body = json.dumps({"start": HARD, "engine": "ida-star", "heuristic": "manhattan", "seconds": 100})
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
        health = client.get("/api/health")[1]
        if health["running"] == health["waiting"] == 0:
            break
        time.sleep(0.1)
    assert health["running"] == health["waiting"] == 0


# ------------------------------------------------------------------ questions as commands, Python and addresses


def python_answer(lines):
    """What the lines of a box compute."""
    names: dict = {}
    exec(lines, names)
    return names["answer"]


def test_the_options_of_a_level_travel_with_its_positions(client):
    state = client.state("taquin", "level:report-1")
    assert state["options"] == {}
    assert state["options_in_force"]["goal"]
    # as the editor begins from it: the notation with the options in force
    edited = {"start": state["text"], "options": state["options_in_force"]}
    answer = dict(client.ask("taquin", "solve", **edited))["answer"]
    assert answer["status"] == "optimal"
    assert answer["options"] == state["options_in_force"]
    assert dict(client.ask("taquin", "solve", start=state["text"]))["answer"]["status"] == "unsolvable"


def test_a_level_with_its_own_options_is_still_that_level(client):
    options = client.state("taquin", "level:report-1")["options_in_force"]
    assert client.state("taquin", "level:report-1", options=options)["options"] == {}
    chosen = client.state("taquin", "level:report-1", options={**options, "metric": "multi"})
    assert chosen["options"] == {"metric": "multi"}
    assert chosen["options_in_force"] == {**options, "metric": "multi"}


@pytest.mark.parametrize("what", ["play", "show", "solve", "analyse"])
def test_every_box_names_the_goal_of_a_level(client, what):
    goal = client.state("taquin", "level:report-1")["options_in_force"]["goal"]
    written = client.question("taquin", "level:report-1", ("up",), what=what)
    assert written["command"].startswith(f"ludion {what} taquin ")
    assert f"--goal '{goal}'" in written["command"]
    assert f"goal={goal!r}" in written["python"]
    assert written["url"].startswith("/play/taquin?p=level:report-1")  # whose goal it has
    at_the_start = client.question("taquin", "level:report-1", what=what)
    assert at_the_start["command"].startswith(f"ludion {what} taquin level:report-1")


def test_a_question_is_read_back_from_each_of_its_forms(client):
    asked = {"engine": "a-star", "heuristic": "manhattan", "nodes": 5000, "seconds": 4}
    written = client.question("taquin", "level:report-1", ("up", "up"), what="solve", **asked)
    question = Search.from_command(written["command"])
    assert (question.engine, question.heuristic, question.budget.nodes) == ("a-star", "manhattan", 5000)
    assert Search.from_python(written["python"]) == question
    assert Search.from_url(written["url"]) == question
    assert python_answer(written["python"]).length == 3


def test_an_evaluation_is_called_so(client):
    written = client.question("tic-tac-toe", evaluation="even", engine="alpha-beta", depth=3)
    assert "--evaluation even" in written["command"]
    assert "--depth 3" in written["command"]
    assert client.post("/api/games/tic-tac-toe/ask/solve", {"heuristic": "even"})[0] == 400
    status, answer = client.post("/api/games/tic-tac-toe/ask/solve", {"guide": "even"})
    assert status == 400
    assert "'evaluation'" in answer["error"]


def test_the_moves_to_redo_are_in_the_address(client):
    written = client.question("taquin", SOLVABLE, ("right", "right"), cursor=1)
    assert written["url"].endswith("&m=right;right&c=1")
    assert Search.from_url(written["url"]).position == "1 2 3/4 5 6/7 0 8"


def test_a_run_is_written_with_one_seed_for_world_and_agent(client):
    options = {"seed": "7"}
    written = client.question("crocomine", "9x9:3/3/4", options=options, agent="rules", steps=20)
    question = Run.from_command(written["command"])
    assert (question.agent, question.seed, question.steps) == ("rules", 7, 20)
    assert Run.from_url(written["url"]) == question
    record = question.record()
    sent = client.ask("crocomine", "run", start="9x9:3/3/4", options=options, agent="rules", steps=20)
    assert [act["name"] for kind, acts in sent if kind == "acts" for act in acts] == record["moves"]


def test_a_comparison_is_one_command_for_each_run(client):
    runs = [
        {"engine": "a-star", "heuristic": "misplaced", "seconds": 2},
        {"engine": "ida-star", "heuristic": "manhattan", "seconds": 2},
    ]
    here = client.question("taquin", "level:report-1", ("up",), what="compare", runs=runs)
    lines = here["command"].split("\n")
    assert [Search.from_command(line).heuristic for line in lines] == ["misplaced", "manhattan"]
    assert all("--goal" in line for line in lines)
    assert python_answer(here["python"]).length == 4
    levels = client.question("taquin", SOLVABLE, what="compare", runs=runs, instances="levels")
    assert levels["command"].split("\n")[1] == (
        "ludion lab taquin --levels all --engines ida-star --heuristics manhattan --time 2"
    )
    compile(levels["python"], "box", "exec")
    seeds = client.question(
        "crocomine",
        "9x9:3/3/4",
        what="compare",
        runs=[{"agent": "best"}, {"agent": "rules"}],
        instances="seeds",
    )
    assert (
        seeds["command"].split("\n")[1]
        == "ludion run crocomine 9x9:3/3/4 --agent rules --steps 1000 --games 10"
    )
    assert "seed=seed" in seeds["python"]
    compile(seeds["python"], "box", "exec")


def test_the_table_of_an_old_report_can_be_repeated(client):
    table = client.get("/api/games/tic-tac-toe/report")[1]
    assert len(table["instances"]) == len(table["figures"]) == 9
    sent = client.ask("tic-tac-toe", "compare", runs=table["runs"], instances=table["instances"][:4])
    scores = [row["score"]["value"] for kind, row in sent if kind == "row"]
    assert scores == [figures[0]["score"] for figures in table["figures"][:4]]
    assert client.get("/api/games/hive/report") == (200, None)
    box = client.question("tic-tac-toe", what="compare", runs=table["runs"], instances="report")
    assert box["command"] == "ludion lab tic-tac-toe"


# ------------------------------------------------------------------ languages


def test_the_server_speaks_the_language_of_the_page(client):
    french = {"accept_language": "fr-FR,fr;q=0.9,en;q=0.8"}
    engines = client.get("/api/games/taquin", **french)[1]["engines"]
    help = {each["name"]: each["help"] for each in engines}
    assert help["breadth-first"] == "couche par couche ; optimal quand tous les coups coûtent pareil"
    status, answer = client.post("/api/games/taquin/ask/solve", {"engine": "depth-first"}, **french)
    assert status == 400
    assert answer["error"].startswith("moteur inconnu")
    assert client.get("/nothing", **french) == (404, {"error": "cette page n'existe pas"})
    assert client.get("/nothing") == (404, {"error": "there is no such page"})
    assert client.get("/nothing", accept_language="de-DE,de")[1] == {"error": "there is no such page"}


def test_a_person_who_asks_for_a_page_that_is_not_there_gets_one(client):
    status, page, headers = client.request(
        "GET", "/play/<b>", accept="text/html,*/*;q=0.8", accept_language="fr"
    )
    assert status == 404
    assert headers["content-type"].startswith("text/html")
    text = page.decode()
    assert '<html lang="fr">' in text
    assert "Tous les jeux" in text
    assert "&lt;b&gt;" in text
    assert client.request("GET", "/play/taquin/levels")[0] == 200
    for path in ("/api/games/nothing", "/static/nothing.js"):  # programs get JSON
        assert "error" in client.request("GET", path, accept="text/html")[1]


def test_answers_from_other_threads_are_in_that_language_too(client):
    body = {"start": SOLVABLE, "engine": "breadth-first"}
    content = client.post("/api/games/taquin/ask/solve", body, accept_language="fr")[1]
    assert dict(events(content.decode()))["answer"]["result"] == "2 coups, optimal"


def test_the_page_gets_its_sentences_in_one_language(client):
    english, french = (client.get(f"/static/messages/{language}.json")[1] for language in ("en", "fr"))
    assert english.keys() == french.keys()
    assert (english["undo"], french["undo"]) == ("Undo", "Annuler")
    assert french["answers.status_unsolvable"] == "insoluble"


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
            "helped": False,
        }
        assert client.state("taquin", SOLVABLE)["best"] == 2
        assert Client(port).get("/api/games/taquin/record")[1] is None  # another browser has its own


def test_the_best_result_of_each_level_is_listed(client):
    solution = dict(client.ask("taquin", "solve", start="level:report-2"))["answer"]["moves"]
    client.state("taquin", "level:report-2", tuple(solution), save=True)
    assert client.get("/api/games/taquin/bests") == (200, {"report-2": len(solution)})


def test_help_is_remembered_with_the_game(client):
    client.state("taquin", SOLVABLE, ("right", "right"), save=True, helped=True)
    assert client.get("/api/games/taquin/record")[1]["helped"] is True
    assert client.state("taquin", SOLVABLE)["best"] is None


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
        "/static/games",
        "/static/games/nothing.js",
        "/static/games/..%2fserver.js",
        "/static/",
        "/play/nothing",
        "/play/..%2f..",
        "/etc/passwd",
        "/api/games/%00",
    ],
)
def test_nothing_outside_the_package_is_served(client, path):
    status, content = client.get(path)
    assert status == 404
    assert b"import" not in (content if isinstance(content, bytes) else json.dumps(content).encode())


def test_no_file_is_read_for_a_browser(client, tmp_path):
    secret = tmp_path / "secret.croco"
    secret.write_text("hush\n2 2\n0 0\n- -\n- T\n")
    for name, game in registry.installed().items():
        for start in (str(secret), f" {secret} ", str(tmp_path)):
            status, answer = client.post(f"/api/games/{name}/state", {"start": start})
            assert status == 400, name
            assert "hush" not in answer["error"]
        if game.kind == QUEST:
            status, _ = client.post(f"/api/games/{name}/ask/run", {"start": "", "agent": f"prolog:{secret}"})
            assert status == 400


def test_no_game_file_is_loaded_for_a_browser(client):
    for path in ("/api/games/nim.py", "/play/nim.py", "/static/games/nim.py.js"):
        assert client.get(path)[0] == 404
    assert client.post("/api/games/nim.py/state")[0] == 404


def test_agents_that_take_a_program_are_not_offered(client):
    for name, game in registry.installed().items():
        if game.kind == QUEST:
            offered = [each["name"] for each in client.get(f"/api/games/{name}")[1]["agents"]]
            assert offered == [agent for agent, maker in game.agents.items() if not maker.argument]


def test_text_of_users_never_becomes_markup(client):
    for name in registry.installed():
        status, answer = client.post(f"/api/games/{name}/state", {"start": "<img src=x onerror=alert(1)>"})
        assert status == 400
        state = client.get(f"/api/games/{name}")[1]
        assert "<script" not in json.dumps(state)
        assert isinstance(answer["error"], str)


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
    ["start", "options", "moves", "cursor", "save", "engine", "heuristic", "evaluation", "seconds", "nodes", "depth",
     "events", "runs", "instances", "agent", "steps", "seed", "settings", "budget", "what"]
)  # fmt: skip
BODIES = st.dictionaries(NAMES, VALUES, max_size=5)


@settings(max_examples=120)
@given(
    body=BODIES,
    game=st.sampled_from([*registry.installed(), "nothing"]),
    route=st.sampled_from(
        [
            "state",
            "question",
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
    status, answer = Client(port).post(f"/api/games/{game}/{route}", json.dumps(body).encode())
    assert status in (200, 400, 404, 405, 422)
    if status == 400:
        assert answer["error"]


@settings(max_examples=60)
@given(start=WORDS, name=st.sampled_from(sorted(registry.installed())), moves=st.lists(WORDS, max_size=3))
def test_any_position_is_answered_with_a_reason(port, start, name, moves):
    status, answer = Client(port).post(f"/api/games/{name}/state", {"start": start, "moves": moves})
    assert status in (200, 400)
    assert status == 200 or answer["error"]


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
            record = client.get("/api/games/tic-tac-toe/record")[1]
            if record["moves"] != moves:
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
    client.ask("taquin", "solve", start=SOLVABLE, engine="ida-star", heuristic="manhattan")
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
    client.ask("taquin", "solve", start=SOLVABLE, engine="ida-star", heuristic="manhattan")
    body = {"start": HARD, "engine": "ida-star", "heuristic": "manhattan", "seconds": 8}
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


# ------------------------------------------------------------------ addresses of a network, and games side by side


def test_a_server_on_every_address_accepts_each_address_but_no_other_name():
    guard = Guard(None, (*LOOPBACK, "0.0.0.0"))
    for host in ("192.168.1.5:8765", "[fe80::1]:8765", "127.0.0.1", "localhost:80"):
        assert guard.refusal("GET", {"host": host}) is None, host
    for host in ("evil.example", "192.168.1.5.evil.example", ""):
        status, _ = guard.refusal("GET", {"host": host})
        assert status == 421, host
    status, _ = Guard(None, LOOPBACK).refusal("GET", {"host": "192.168.1.5"})
    assert status == 421


def test_the_printed_address_can_be_asked():
    assert addresses_of("127.0.0.1", 80) == ["http://127.0.0.1:80/"]
    assert addresses_of("::1", 80) == ["http://[::1]:80/"]
    every = addresses_of("0.0.0.0", 8765)
    assert every[0] == "http://127.0.0.1:8765/"
    guard = Guard(None, (*LOOPBACK, "0.0.0.0"))
    for address in every:
        assert guard.refusal("GET", {"host": address.removeprefix("http://").removesuffix("/")}) is None


def test_a_game_by_a_link_is_saved_beside_ones_own(client):
    client.state("tic-tac-toe", "3x3/3", ("b2",), save=True)
    client.state("tic-tac-toe", "4x4/4", ("a1", "b2"), save=True, slot="friend1")
    assert client.get("/api/games/tic-tac-toe/record")[1]["moves"] == ["b2"]
    assert client.get("/api/games/tic-tac-toe/record?slot=friend1")[1]["moves"] == ["a1", "b2"]
    assert client.get("/api/games/tic-tac-toe/record?slot=other")[1] is None
    assert client.get("/api/games/tic-tac-toe/record?slot=../x")[0] == 400
    body = {"start": "", "moves": [], "save": True, "slot": "NO!"}
    assert client.post("/api/games/tic-tac-toe/state", body)[0] == 400


def test_browsers_cache_files_of_this_edition_and_check_others_again(client):
    page = client.get("/")[1].decode()
    (script,) = re.findall(r'src="(/static/\w+/app\.js)"', page)
    for path in (script, script.replace("app", "games/taquin")):
        assert "immutable" in client.request("GET", path)[2]["cache-control"]
    assert client.request("GET", "/static/app.js")[2]["cache-control"] == "no-cache"
    assert client.get(script.replace("app.js", "../server.py"))[0] == 404
    assert client.get("/static/0123456789ab/app.js")[0] == 404


def test_text_is_compressed_and_events_are_not(client):
    _, content, headers = client.request("GET", "/static/play.js", accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert b"class Page" in gzip.decompress(content)
    body = {"start": "x.o/.x./..o", "moves": []}
    _, content, headers = client.request(
        "POST", "/api/games/tic-tac-toe/ask/solve", body, accept_encoding="gzip"
    )
    assert "content-encoding" not in headers
    assert b"event: answer" in content


# ------------------------------------------------------------------ opponents


def reply(client, game, opponent, seed=0, **place):
    return client.ask(game, "reply", opponent=opponent, seed=seed, **place)[-1][1]["move"]


def test_every_opponent_takes_a_win_that_it_sees_at_once(client):
    for opponent in OPPONENTS:
        assert reply(client, "tic-tac-toe", opponent, start="xx./oo./...") == "c1"


def test_opponents_vary_by_seed_and_repeat_with_the_same_seed(client):
    first = {reply(client, "tic-tac-toe", "beginner", seed, start=".../.../...") for seed in range(12)}
    assert len(first) > 1
    assert len({reply(client, "connect-four", "beginner", 5, start="44") for _ in range(3)}) == 1


def test_the_strongest_never_loses_at_tic_tac_toe(client):
    for seed in range(4):
        moves: list[str] = []
        while (state := client.state("tic-tac-toe", "", tuple(moves)))["status"] == "open":
            opponent = "strongest" if len(moves) % 2 else "beginner"
            moves.append(reply(client, "tic-tac-toe", opponent, seed, start="", moves=moves))
        assert state["status"] == "drawn" or len(moves) % 2 == 0, moves


def test_an_opponent_that_solves_a_position_plays_one_of_the_best_moves():
    here = ludion.position("connect-four", "4455")
    question = Search("connect-four", here.text)
    scores = {each.move: each.score for each in scores_of(question, "best", here, Budget(), None)}
    best = {move for move, score in scores.items() if score == max(scores.values())}
    assert 0 < len(best) < len(here.codes())
    opponent = Opponent(depth=1, sees=100)
    assert {choose_move(question, here, opponent, seed) for seed in range(8)} <= best


def test_an_unknown_opponent_and_a_finished_game_are_refused(client):
    status, answer = client.post("/api/games/tic-tac-toe/ask/reply", {"opponent": "nobody"})
    assert (status, "beginner" in answer["error"]) == (400, True)
    assert client.ask("tic-tac-toe", "reply", start="xxx/oo./...")[-1] == (
        "error",
        {"error": "the game is over"},
    )


# ------------------------------------------------------------------ boards as data


@pytest.mark.parametrize(("example", "cells"), [("peg_solitaire", 2), ("domineering", 1), ("wumpus", 1)])
def test_the_cells_of_moves_go_to_the_page(example, cells):
    game = registry.load_game_file(str(Path(__file__).parents[2] / "examples" / f"{example}.py"))
    state = describe(read_place(game, {"start": "", "moves": []}))
    assert len(state["legal"]) == len(state["legal_cells"]) > 0
    assert any(len(each) >= cells for each in state["legal_cells"])
    assert all(f'data-cell="{name}"' in state["svg"] for each in state["legal_cells"] for name in each)
    after = describe(read_place(game, {"start": "", "moves": state["legal"][:1]}))
    assert after["moves"] == state["legal"][:1]


# ------------------------------------------------------------------ saved games, phones


def test_saved_games_are_listed_the_last_one_first(port):
    client = Client(port)
    client.state("taquin", "1 2 3/4 0 6/7 5 8", ("down",), save=True)
    client.state("tic-tac-toe", "", ("a1", "b2"), save=True, slot="other")
    client.state("hive", "", ("wG1",), save=True, slot="intro")  # an introduction is no game of one's own
    client.state("rush-hour", "", (), save=True)  # not begun
    games = client.get("/api/saved")[1]
    assert [(each["game"], each["slot"], each["moves"]) for each in games] == [
        ("tic-tac-toe", "other", 2),
        ("taquin", "", 1),
    ]
    assert games[0]["title"] == "Tic-tac-toe"
    assert Client(port).get("/api/saved")[1] == []


def guarded(token, client, query=b"", cookie=""):
    """What a guard answers to a request for the page: status, the cookies it sets, and where it leads on."""
    sent = []

    async def app(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(event):
        sent.append(event)

    headers = [(b"host", b"192.0.2.7:8765"), (b"cookie", cookie.encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": query, "headers": headers}
    finished(Guard(app, ("0.0.0.0",), token)({**scope, "client": (client, 5)}, None, send))
    headers = sent[0]["headers"]
    cookies = b" ".join(value for name, value in headers if name == b"set-cookie")
    return sent[0]["status"], cookies, dict(headers).get(b"location")


def test_another_machine_needs_the_token_once():
    assert guarded("secret", "192.0.2.9")[0] == 403
    assert guarded("secret", "192.0.2.9", b"token=wrong")[0] == 403
    status, cookies, location = guarded("secret", "192.0.2.9", b"token=secret")
    assert (status, location) == (303, b"/")
    assert b"ludion_token=secret" in cookies
    assert guarded("secret", "192.0.2.9", cookie="ludion_token=secret")[0] == 200
    assert guarded("secret", "192.0.2.9", cookie="ludion_token=other")[0] == 403
    assert guarded("secret", "127.0.0.1")[0] == 200  # this machine needs none
    assert guarded("", "192.0.2.9")[0] == 200


def test_a_qr_code_is_printed_or_how_to_get_one(monkeypatch):
    from ludion.cli import serve

    monkeypatch.setitem(sys.modules, "segno", None)  # as if it were not installed
    assert serve.qr_code("http://192.0.2.7:8765/?token=x") == message("cli.no_segno")


def test_the_qr_code_is_that_of_the_address():
    from ludion.cli import serve

    segno = pytest.importorskip("segno")
    address = "http://192.0.2.7:8765/?token=aB3-_dE6gH9j"
    printed = click.unstyle(serve.qr_code(address)).splitlines()
    halves = {
        "█": (0, 0),
        "▀": (0, 1),
        "▄": (1, 0),
        " ": (1, 1),
    }  # two rows of cells per line; what is lit is a light cell
    rows = [[halves[sign][half] for sign in line] for line in printed for half in (0, 1)]
    expected = [list(row) for row in segno.make(address, micro=False).matrix_iter(border=4)]
    assert rows[: len(expected)] == expected
    assert all(all(row) for row in rows[len(expected) :])  # the lower half of the last line is dark


def test_the_page_can_be_installed(client):
    status, content, headers = client.request("GET", "/static/manifest.webmanifest")
    assert status == 200
    assert headers["content-type"] == "application/manifest+json"
    assert json.loads(content)["start_url"] == "/"


def test_levels_have_names_for_people(client):
    levels = client.get("/api/games/taquin")[1]["levels"]
    assert {each["name"]: each["title"] for each in levels}["report-5"] == "Report 5"
