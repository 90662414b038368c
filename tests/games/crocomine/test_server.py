"""The server as the course's own client would call it: plain HTTP, nothing of ours on the client's side."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from ludion.games.crocomine import generator, notation
from ludion.games.crocomine.client import CrocomineClient, ServerError, worlds
from ludion.games.crocomine.rules import Grid
from ludion.games.crocomine.server import MOST_BYTES, Contest, application, read_folder

GRIDS = [
    notation.read_grid("first\n2 3\n0 0\n- - -\n- - T\n"),
    notation.read_grid("second\n4 5\n3 4\n~ S - T -\n~ ~ - - -\nW ~ - - -\n~ - C - -\n"),
]


@pytest.fixture
def address() -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(
        uvicorn.Config(application(Contest(GRIDS)), host="127.0.0.1", port=port, log_level="error")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"127.0.0.1:{port}"
    server.should_exit = True
    thread.join(10)


def post(address: str, verb: str, body: Any, raw: bool = False) -> dict[str, Any]:
    """One request as any client would make it."""
    connection = http.client.HTTPConnection(address, timeout=20)
    content = body if raw else json.dumps(body)
    connection.request("POST", f"/crocomine/{verb}", content, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status == 200
    assert set(answer) >= {"status", "msg"}
    return answer  # type: ignore[no-any-return]


def register(address: str, group: str, password: str = "secret") -> dict[str, str]:
    answer = post(
        address, "register", {"id": group, "members": "Ada et Alan", "token": "", "password": password}
    )
    assert answer["status"] == "OK"
    return {"id": group, "members": "Ada et Alan", "token": answer["token"]}


def test_a_whole_game_in_the_course_words(address: str) -> None:
    who = register(address, "Groupe 1")
    answer = post(address, "new_grid", who)
    assert answer["status"] == "OK"
    assert "first" in answer["msg"]
    assert answer["grid_infos"] == {
        "m": 2, "n": 3, "start": [0, 0], "tiger_count": 1, "shark_count": 0, "croco_count": 0, "sea_count": 0,
        "land_count": 6, "3BV": 2, "infos": [],
    }  # fmt: skip
    answer = post(address, "discover", {**who, "pos": [0, 0]})
    assert answer["status"] == "OK"
    assert {"pos": [0, 0], "field": "land", "prox_count": [0, 0, 0]} in answer["infos"]
    assert {"pos": [0, 1], "field": "land", "prox_count": [1, 0, 0]} in answer["infos"]
    answer = post(address, "discover", {**who, "pos": [0, 2]})
    assert answer["infos"] == [{"pos": [0, 2], "field": "land", "prox_count": [1, 0, 0]}]
    assert post(address, "guess", {**who, "pos": [1, 2], "animal": "T"})["status"] == "GG"
    assert post(address, "discover", {**who, "pos": [0, 0]})["status"] == "Err"
    answer = post(address, "new_grid", who)
    assert answer["grid_infos"]["croco_count"] == 2
    answer = post(address, "guess", {**who, "pos": [2, 0], "animal": "C"})
    assert answer["infos"][0] == {"pos": [2, 0], "field": "sea", "animal": "C"}
    assert {"pos": [3, 1], "field": "land"} in answer["infos"]
    assert post(address, "discover", {**who, "pos": [0, 1]})["status"] == "KO"
    answer = post(address, "new_grid", who)
    assert (answer["status"], answer["msg"]) == ("Err", "no grid left")


def test_bad_requests_get_an_error_and_change_nothing(address: str) -> None:
    assert post(address, "new_grid", {"id": "nobody", "members": "", "token": ""})["status"] == "Err"
    who = register(address, "g")
    assert post(address, "discover", {**who, "pos": [0, 0]})["status"] == "Err"  # no grid yet
    post(address, "new_grid", who)
    bad: list[tuple[str, Any]] = [
        ("discover", {**who, "token": "forged", "pos": [0, 0]}),
        ("discover", {**who, "token": None, "pos": [0, 0]}),
        ("new_grid", {**who, "token": ""}),
        ("discover", {**who, "pos": [9, 9]}),
        ("discover", {**who, "pos": [-1, 0]}),
        ("discover", {**who, "pos": [0]}),
        ("discover", {**who, "pos": "00"}),
        ("discover", {**who, "pos": [0.0, 0]}),
        ("discover", {**who, "pos": [True, 0]}),
        ("discover", {**who, "pos": [10**30, 0]}),
        ("discover", who),
        ("guess", {**who, "pos": [0, 0]}),
        ("guess", {**who, "pos": [0, 0], "animal": "Z"}),
        ("guess", {**who, "pos": [0, 0], "animal": 3}),
        ("chord", {**who, "pos": [0, 0]}),
        ("register", {"id": "g", "members": "", "password": "wrong"}),
        ("register", {"id": "", "members": ""}),
        ("register", {"id": "x" * 1000, "members": ""}),
        ("register", {"id": "\ud800", "members": ""}),
        ("register", []),
        ("register", None),
    ]
    for verb, body in bad:
        assert post(address, verb, body)["status"] == "Err", (verb, body)
    for text in (b"", b"{", b"\xff\xfe", b"[" * 50_000, b'{"id": ' + b'"' + b"x" * MOST_BYTES + b'"}'):
        assert post(address, "register", text, raw=True)["status"] == "Err"
    assert post(address, "discover", {**who, "pos": [0, 0]})["status"] == "OK"  # still where it was


def test_groups_do_not_disturb_each_other(address: str) -> None:
    def one(number: int) -> list[str]:
        who = register(address, f"group {number}")
        replies = [
            post(address, "new_grid", who)["status"],
            post(address, "discover", {**who, "pos": [0, 0]})["status"],
        ]
        if number % 2:
            replies.append(post(address, "discover", {**who, "pos": [1, 2]})["status"])
        else:
            post(address, "discover", {**who, "pos": [0, 2]})
            replies.append(post(address, "guess", {**who, "pos": [1, 2], "animal": "T"})["status"])
        return replies

    with ThreadPoolExecutor(8) as pool:
        for number, replies in enumerate(pool.map(one, range(24))):
            assert replies == ["OK", "OK", "KO" if number % 2 else "GG"]


class CourseClient:
    """Sends what each version of the course's client sends, and reads the answers as it does."""

    def __init__(self, address: str, version: str, group: str, password: str = "") -> None:
        self.address, self.version, self.group = address, version, group
        self.token = {"0.2.1": "No Defined...", "1.0.0": "Not defined"}[version]
        body = self.body()
        if password:  # an empty one is left out
            body["password"] = password
        answer = post(address, "register", body)
        if version == "1.0.0" and "token" in answer:
            self.token = answer["token"]
        self.registered: tuple[str, str] = (answer["status"], answer["msg"])

    def body(self) -> dict[str, Any]:
        return {"id": self.group, "members": "Ada et Alan", "token": self.token}

    def ask(self, verb: str, i: int | None = None, j: int | None = None, animal: str = "") -> tuple[str, Any]:
        body = self.body()
        if i is not None and j is not None:
            body["pos"] = [i, j]
        if animal:
            body["animal"] = animal
        answer = post(self.address, verb, body)
        if answer["status"] != "OK":
            return answer["status"], answer["msg"]
        return "OK", answer["grid_infos" if verb == "new_grid" else "infos"]


@pytest.mark.parametrize(("version", "password"), [("0.2.1", ""), ("1.0.0", ""), ("1.0.0", "secret")])
def test_every_version_of_the_course_client_can_play(address: str, version: str, password: str) -> None:
    client = CourseClient(address, version, "Groupe 7", password)
    assert client.registered[0] == "OK"
    status, infos = client.ask("new_grid")
    assert (status, infos["start"], infos["3BV"]) == ("OK", [0, 0], 2)
    status, infos = client.ask("discover", 0, 0)
    assert (status, infos[0]) == ("OK", {"pos": [0, 0], "field": "land", "prox_count": [0, 0, 0]})
    status, infos = client.ask("guess", 1, 2, "T")
    assert (status, infos[0]) == ("OK", {"pos": [1, 2], "field": "land", "animal": "T"})
    assert client.ask("chord", 0, 1)[0] == "GG"
    assert client.ask("new_grid")[0] == "OK"
    assert client.ask("discover", 0, 1)[0] == "KO"
    assert client.ask("new_grid") == ("Err", "no grid left")


def test_a_password_shuts_out_clients_without_the_token(address: str) -> None:
    assert CourseClient(address, "1.0.0", "Groupe 8", "secret").ask("new_grid")[0] == "OK"
    assert CourseClient(address, "0.2.1", "Groupe 8").registered[0] == "Err"
    intruder = CourseClient(address, "0.2.1", "Groupe 9")
    intruder.group = "Groupe 8"
    assert intruder.ask("new_grid")[0] == "Err"


def test_our_client_plays_on_the_server(address: str, ludion: Any) -> None:
    done = ludion(
        "run", "crocomine", "--server", f"http://{address}", "--agent", "best", "--group", "us", "--json"
    )
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0, done.stderr
    assert [each["name"].split(" (")[0] for each in records] == ["first", "second"]
    assert records[0]["status"] == "won"
    done = ludion("run", "crocomine", "--server", "http://127.0.0.1:9")
    assert done.returncode == 2
    assert "cannot be reached" in done.stderr


def test_the_client_refuses_what_is_no_server() -> None:
    for server in ("", "ftp://x", "http://127.0.0.1:99999", "http://", "http://[::1"):
        with pytest.raises(ServerError):
            CrocomineClient(server, "g", "m")
    with pytest.raises(ServerError):
        next(worlds("http://127.0.0.1:9"))


def test_a_folder_of_grids(tmp_path: Path, ludion: Any) -> None:
    for name in ("b", "a"):
        grid: Grid = generator.from_name("5x4:1/1/1", 1)._replace(name=name)
        (tmp_path / f"{name}.croco").write_text(notation.write_grid(grid))
    assert [grid.name for grid in read_folder(tmp_path)] == ["a", "b"]
    done = ludion("crocomine-server", "--grids", str(tmp_path / "none"))
    assert done.returncode == 2
    (tmp_path / "c.croco").write_text("broken")
    done = ludion("crocomine-server", "--grids", str(tmp_path))
    assert done.returncode == 2
    assert "c.croco" in done.stderr


def test_a_busy_port_is_said_before_anything_else(tmp_path: Path, ludion: Any) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = ludion("crocomine-server", "--grids", str(tmp_path / "none"), "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert f"port {port} of 127.0.0.1 is in use" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(("games", "expected"), [(None, 2), (1, 1), (5, 5)])
def test_an_endless_server_ends(monkeypatch: pytest.MonkeyPatch, games: int | None, expected: int) -> None:
    """A server that begins with its first grid again: each grid once, or as many games as asked for."""
    contest = Contest(GRIDS, again=True)
    monkeypatch.setattr(
        CrocomineClient, "_ask", lambda self, verb, **more: contest.answer(verb, {"id": self.group, **more})
    )
    played = [world.view.name for world in worlds("http://127.0.0.1:9", games=games)]
    names = ["first (1/2)", "second (2/2)"] * 3
    assert played == names[:expected]


# ------------------------------------------------------------------ the scoreboard


def get(address: str, path: str, language: str = "en") -> tuple[http.client.HTTPResponse, str]:
    connection = http.client.HTTPConnection(address, timeout=20)
    connection.request("GET", path, headers={"Accept-Language": language})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    assert response.status == 200
    return response, text


def test_the_scoreboard_ranks_groups_that_play_at_once(address: str) -> None:
    assert "No group has registered yet." in get(address, "/crocomine")[1]
    assert json.loads(get(address, "/crocomine/scores")[1]) == []

    def one(group: str) -> None:
        who = register(address, group)
        post(address, "new_grid", who)
        if group == "idle":
            return
        post(address, "discover", {**who, "pos": [0, 0]})
        if group == "loser":
            post(address, "discover", {**who, "pos": [1, 2]})
            return
        if group == "slow":  # discovers what the others get by a chord
            post(address, "discover", {**who, "pos": [0, 2]})
            post(address, "discover", {**who, "pos": [0, 2]})  # an error is no action
            post(address, "guess", {**who, "pos": [1, 2], "animal": "T"})
            post(address, "new_grid", who)
            return
        post(address, "guess", {**who, "pos": [1, 2], "animal": "T"})
        post(address, "chord", {**who, "pos": [0, 1]})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(one, ["loser", "idle", "slow", "<b>fast</b>"]))
    scores = json.loads(get(address, "/crocomine/scores")[1])
    assert [(each["group"], each["won"], each["lost"], each["actions"]) for each in scores] == [
        ("<b>fast</b>", 1, 0, 3),
        ("slow", 1, 0, 3),
        ("idle", 0, 0, 0),
        ("loser", 0, 1, 0),
    ]
    assert [(each["grid"], each["grids"], each["playing"]) for each in scores] == [
        (1, 2, False),
        (2, 2, True),
        (1, 2, True),
        (1, 2, False),
    ]
    response, page = get(address, "/crocomine")
    assert "script-src 'sha256-" in (response.headers["Content-Security-Policy"] or "")
    assert '<html lang="en">' in page
    assert "&lt;b&gt;fast&lt;/b&gt;" in page
    assert "<b>" not in page
    assert page.index("fast") < page.index("slow") < page.index("idle") < page.index("loser")
    assert "2 of 2, in play" in page
    _, rows = get(address, "/crocomine?rows&language=fr")
    assert rows.count("<tr>") == 4
    assert "2 sur 2, en cours" in rows
    _, french = get(address, "/crocomine", "fr-FR,fr;q=0.9")
    assert '<html lang="fr">' in french
    assert "Gagnées" in french


@pytest.mark.parametrize(("games", "expected"), [((), ["first", "second"]), (("--games", "1"), ["first"])])
def test_games_is_respected_with_a_server(
    address: str, ludion: Any, games: tuple[str, ...], expected: list[str]
) -> None:
    done = ludion("run", "crocomine", "--server", f"http://{address}", "--agent", "rules", "--json", *games)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["name"].split(" (")[0] for record in records] == expected
    done = ludion("run", "crocomine", "--server", f"http://{address}", "--show")
    assert (done.returncode, done.stdout) == (2, "")


def test_progress_on_a_server_is_shown_on_a_terminal(address: str) -> None:
    terminal, stderr = os.openpty()
    arguments = ["run", "crocomine", "--server", f"http://{address}", "--games", "2", "--agent", "rules"]
    command = [sys.executable, "-m", "ludion", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr) as process:
        os.close(stderr)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal's last writer has left
            while piece := os.read(terminal, 4096):  # a terminal holds no more: who writes more has to wait
                shown += piece
    os.close(terminal)
    assert process.returncode == 0
    assert b"games" in shown
    assert b"2/2" in shown
