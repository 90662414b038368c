"""A server that lies ends the game with a clear message."""

from __future__ import annotations

import contextlib
import copy
import socket
import threading

import pytest

from ludion.games.crocomine import client
from ludion.games.crocomine.agents import BestAgent, RulesAgent
from ludion.games.crocomine.client import CrocomineClient, RemoteWorld, ServerError
from ludion.games.crocomine.notation import read_grid
from ludion.games.crocomine.rules import Action
from ludion.games.crocomine.server import Contest
from ludion.kinds.quest import act, percept, run

GRID = {
    "m": 3, "n": 3, "start": [0, 0], "tiger_count": 1, "shark_count": 0, "croco_count": 1, "sea_count": 3,
    "land_count": 6, "3BV": 1, "infos": [],
}  # fmt: skip


class LyingClient:
    """Answers every action in the same way."""

    def __init__(self, infos: object, status: str = "OK") -> None:
        self.answer = (status, "", infos)

    def discover(self, row: int, column: int) -> tuple[str, str, object]:
        return self.answer

    chord = discover

    def guess(self, row: int, column: int, animal: str) -> tuple[str, str, object]:
        return self.answer


def world(infos: object, grid: object = GRID) -> RemoteWorld:
    return RemoteWorld(LyingClient(infos), "lies", copy.deepcopy(grid))  # type: ignore[arg-type]


TERRAIN: list[dict[str, object]] = [
    {"pos": [r, c], "field": "sea" if r == 2 else "land"} for r in range(3) for c in range(3)
]


def cell(**more: object) -> list[dict[str, object]]:
    return [{"pos": [0, 0], "field": "land", **more}]


@pytest.mark.parametrize(
    "infos",
    [
        cell(prox_count=[300, 0, 0]),
        cell(prox_count=[4, 0, 0]),  # the corner has three neighbours
        cell(prox_count=[-1, 0, 0]),
        cell(prox_count=[0, 0]),
        cell(prox_count=[0.0, 0, 0]),
        cell(prox_count="000"),
        cell(prox_count=[0, 0, 0], pos=[0.5, 0]),
        cell(prox_count=[0, 0, 0], pos=[0, 3]),
        cell(prox_count=[0, 0, 0], pos=[-1, 0]),
        cell(prox_count=[0, 0, 0], pos=[True, 0]),
        cell(prox_count=[0, 0, 0], pos="00"),
        cell(prox_count=[0, 0, 0], field="swamp"),
        cell(prox_count=[0, 0, 0], field=["land"]),
        cell(prox_count=[0, 0, 0], field=""),  # an open cell shows its terrain
        cell(animal="TS"),
        cell(animal="X"),
        cell(animal="S"),  # on land
        [{}],
        [None],
        ["pos"],
        {"pos": [0, 0]},
        7,
    ],
    ids=str,
)
def test_infos_that_make_no_sense_end_the_game(infos: object) -> None:
    with pytest.raises(ServerError, match="the server's infos make no sense"):
        run(world(infos), RulesAgent())


@pytest.mark.parametrize("infos", [[], [{"pos": [2, 2], "field": ""}]])
def test_a_server_that_shows_nothing_new_ends_the_game(infos: object) -> None:
    with pytest.raises(ServerError, match="accepted discover 0 0 but showed nothing new"):
        run(world(infos), BestAgent())


def test_the_same_answer_again_and_again_ends_the_game() -> None:
    with pytest.raises(ServerError, match="showed nothing new"):
        run(world([*cell(prox_count=[0, 0, 0]), *TERRAIN]), RulesAgent())


def test_a_server_that_contradicts_itself_ends_the_game() -> None:
    remote = world([*cell(prox_count=[0, 0, 0]), *TERRAIN])
    act(remote, Action("discover", 0, 0))
    for lie in (
        {"field": "sea", "prox_count": [0, 0, 0]},
        {"field": "land", "prox_count": [1, 0, 0]},
        {"field": "land", "animal": "T"},
    ):
        remote.client = LyingClient([{"pos": [0, 0], **lie}])  # type: ignore[assignment]
        before = percept(remote)
        with pytest.raises(ServerError, match=r"contradicts itself about cell \(0, 0\)"):
            act(remote, Action("discover", 0, 1))
        assert percept(remote) == before


def test_a_server_that_hides_the_terrain_around_an_open_cell_ends_the_game() -> None:
    with pytest.raises(ServerError, match=r"next to \(0, 1\) without showing the terrain"):
        run(world(cell(prox_count=[0, 0, 0])), RulesAgent())


def test_clues_that_fit_no_board_end_the_game() -> None:
    """Each of them could be true, but not with one tiger and one crocodile in all."""
    remote = world([*TERRAIN, *cell(prox_count=[2, 0, 1])])
    record = run(remote, BestAgent())
    assert (record.ended_by, record.steps) == ("crashed", 1)
    assert "no board fits what is seen" in record.reason


def test_terrain_that_fits_no_board_ends_the_game() -> None:
    infos = [{"pos": [r, c], "field": "sea"} for r in range(3) for c in range(3) if r + c > 0]
    record = run(world([*infos, *cell(prox_count=[1, 0, 1])]), BestAgent())
    assert (record.ended_by, record.steps) == ("crashed", 1)
    assert "no board fits what is seen" in record.reason


@pytest.mark.parametrize(
    "change",
    [
        {"m": 0},
        {"m": 3.0},
        {"n": "3"},
        {"m": 10**9},
        {"m": float("inf")},
        {"start": [0, 3]},
        {"start": [0]},
        {"start": None},
        {"sea_count": 10},
        {"sea_count": -1},
        {"tiger_count": 7},
        {"shark_count": 4},
        {"croco_count": 9},
        {"croco_count": -1},
        {"croco_count": None},
        {"infos": 3},
        {"infos": cell(prox_count=[300, 0, 0])},
    ],
    ids=str,
)
def test_grids_that_make_no_sense_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(ServerError, match="the server's"):
        world([], {**GRID, **change})
    with pytest.raises(ServerError, match="cannot be read"):
        world([], list(change))


def test_an_honest_server_is_believed() -> None:
    """The contest itself, without HTTP."""
    contest = Contest([read_grid("x\n4 5\n3 4\n~ S - T -\n~ ~ - - -\nW ~ - - -\n~ - C - -\n")])
    who = {"id": "us", "members": "", "token": ""}
    contest.answer("register", who)

    class Honest:
        def discover(self, row: int, column: int, verb: str = "discover", animal: str = "") -> object:
            answer = contest.answer(verb, {**who, "pos": [row, column], "animal": animal})
            return answer["status"], answer["msg"], answer.get("infos") or []

        def guess(self, row: int, column: int, animal: str) -> object:
            return self.discover(row, column, "guess", animal)

        def chord(self, row: int, column: int) -> object:
            return self.discover(row, column, "chord")

    infos = contest.answer("new_grid", who)["grid_infos"]
    record = run(RemoteWorld(Honest(), "x", infos), BestAgent())  # type: ignore[arg-type]
    assert record.outcome in ("won", "lost")
    assert not record.reason


def test_an_answer_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "MOST_BYTES", 10_000)

    def answer(server: socket.socket) -> None:
        connection, _ = server.accept()
        with connection, contextlib.suppress(OSError):  # until the client leaves
            connection.recv(10_000)
            connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            while True:
                connection.sendall(b" " * 10_000)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=answer, args=(server,))
        thread.start()
        with pytest.raises(ServerError, match="unreadable answer to register"):
            CrocomineClient(f"127.0.0.1:{server.getsockname()[1]}", "us", "me")
        thread.join(20)
    assert not thread.is_alive()
