"""Whatever a text or a server says: an exact answer, or one error of our family."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludion.errors import LudionError, NotationError
from ludion.games.crocomine import notation
from ludion.games.crocomine.agents import BestAgent, RulesAgent
from ludion.games.crocomine.client import RemoteWorld, ServerError, worlds
from ludion.games.crocomine.inference import ContradictionError, counts, probabilities
from ludion.games.crocomine.rules import LAND, OPEN, SEA, View, neighbours
from ludion.games.crocomine.study import study
from ludion.kinds.quest import IllegalActionError, run

# ------------------------------------------------------------------ views

SIGNS = [
    "?",
    ".?",
    "~?",
    ".(0/0/0)",
    ".(1/0/0)",
    "~(0/1/0)",
    ".(1/0/1)",
    "~(0/1/1)",
    ".(0/0/2)",
    "T",
    "S",
    "~C",
    ".C",
]
CONTENTS_OF = {LAND: (0, 1, 3), SEA: (0, 2, 3)}


@st.composite
def small_views(draw: st.DrawFn) -> str:
    """A view of at most five cells; most of them contradict themselves."""
    rows, columns = draw(st.sampled_from([(1, 2), (1, 4), (2, 2), (1, 5), (5, 1)]))
    totals = [draw(st.integers(0, 2)) for _ in range(3)]
    sea = draw(st.integers(0, rows * columns))
    board = [" ".join(draw(st.sampled_from(SIGNS)) for _ in range(columns)) for _ in range(rows)]
    flags = draw(st.sampled_from(["", " flags"]))
    return ";".join([f"view {rows} {columns} {totals[0]} {totals[1]} {totals[2]} {sea}{flags}", *board])


def boards_that_fit(view: View) -> Iterator[tuple[int, ...]]:
    """The animals of every board that fits, once for each way to spread land and sea."""
    for grounds in itertools.product((LAND, SEA), repeat=view.cells):
        if grounds.count(SEA) != view.sea:
            continue
        if any(view.terrain[cell] not in (-1, ground) for cell, ground in enumerate(grounds)):
            continue
        for animals in itertools.product(*(CONTENTS_OF[ground] for ground in grounds)):
            if all(animals.count(kind) == view.totals[kind - 1] for kind in (1, 2, 3)) and all(
                _agrees(view, cell, animals) for cell in range(view.cells)
            ):
                yield animals


def _agrees(view: View, cell: int, animals: tuple[int, ...]) -> bool:
    seen = view.seen[cell]
    if seen == OPEN:
        around = [animals[other] for other in neighbours(view.rows, view.columns, cell)]
        clue = [around.count(kind) for kind in (1, 2, 3)]
        return animals[cell] == 0 and clue == view.clues[cell].tolist()
    return bool(seen < 0 or view.flags or seen == animals[cell])


@settings(max_examples=200)
@given(small_views())
def test_small_views_are_counted_exactly_or_refused(text: str) -> None:
    try:
        view = notation.read_view(text)
    except NotationError:
        return
    fitting = list(boards_that_fit(view))
    if not fitting:
        for ask in (counts, probabilities):
            with pytest.raises(ContradictionError):
                ask(view)
        return
    models, ways = counts(view)
    assert models == len(fitting)
    hidden = [
        cell for cell in range(view.cells) if view.seen[cell] < 0 or (view.flags and view.seen[cell] > 0)
    ]
    for cell in hidden:
        assert ways[cell] == tuple(sum(board[cell] == kind for board in fitting) for kind in range(4))
        expected = [number / models for number in ways[cell]]
        assert probabilities(view).chances[cell].tolist() == pytest.approx(expected)
    assert study(None, view)["models"] == models


TEXTS = "view flags 0 1 2 3 -1 ² ９ 99999999999 ? ~? .(1/0/0) .9 T W ~ - ; x 3x3:1"


@given(st.lists(st.sampled_from([*TEXTS.split(), "\n"]), max_size=30), st.sampled_from([" ", ""]))
def test_texts_of_any_words_are_read_or_refused(words: list[str], separator: str) -> None:
    text = separator.join(words)
    try:
        rules, position = notation.read(text)
    except NotationError:
        return
    again = notation.read(notation.write(rules, position))[1]
    assert notation.write(rules, again) == notation.write(rules, position)


# ------------------------------------------------------------------ servers

NUMBERS = st.one_of(st.integers(-1, 3), st.sampled_from([0.5, None, "1", True, 300, 10**30, float("nan")]))
INFOS = st.fixed_dictionaries(
    {"pos": st.lists(NUMBERS, min_size=1, max_size=3)},
    optional={
        "field": st.sampled_from(["land", "sea", "", "swamp", None, 3]),
        "prox_count": st.one_of(st.lists(NUMBERS, max_size=4), st.none()),
        "animal": st.sampled_from(["T", "S", "C", "", "X", 4, None, []]),
    },
)
STATUS = st.sampled_from(["OK", "OK", "OK", "KO", "GG", "Err", "ok", ""])
GRID = {"m": 3, "n": 3, "start": [0, 0], "tiger_count": 1, "shark_count": 0, "croco_count": 1, "sea_count": 3}


class RandomClient:
    """Gives the answers of a list, one after the other, and then dies."""

    def __init__(self, answers: list[tuple[str, object]]) -> None:
        self.answers = iter(answers)

    def chord(self, row: int, column: int, animal: str = "") -> tuple[str, str, object]:
        status, infos = next(self.answers, ("KO", []))
        return status, "", infos

    discover = guess = chord


@given(st.lists(st.tuples(STATUS, st.one_of(st.lists(INFOS, max_size=4), st.none(), st.integers()))))
def test_whatever_a_server_answers_the_game_ends(answers: list[tuple[str, object]]) -> None:
    for agent in (RulesAgent(), BestAgent()):
        try:
            record = run(RemoteWorld(RandomClient(answers), "odd", dict(GRID)), agent)  # type: ignore[arg-type]
        except (ServerError, IllegalActionError):
            continue
        assert record.outcome in ("won", "lost") or record.ended_by in ("crashed", "illegal")


@given(st.dictionaries(st.sampled_from([*GRID, "infos"]), st.one_of(NUMBERS, st.lists(NUMBERS, max_size=3))))
def test_whatever_a_grid_is_said_to_be_it_is_played_or_refused(change: dict[str, object]) -> None:
    try:
        world = RemoteWorld(RandomClient([]), "odd", {**GRID, **change})  # type: ignore[arg-type]
    except ServerError:
        return
    assert world.view.cells <= 10_000
    assert 0 <= world.view.start < world.view.cells


@contextmanager
def raw_server(answer: bytes) -> Iterator[str]:
    """Answers every connection with the same bytes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:
                    return
                with connection:
                    connection.recv(65536)
                    with suppress(OSError):
                        connection.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            thread.join(10)


def http_answer(body: bytes, status: str = "200 OK") -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n".encode() + body


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\xff\xfe",
        b"HTTP/9.9 hello\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nContent-Length: -3\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}",
        b"HTTP/1.1 200 OK\r\n" + b"X: " + b"y" * 100_000 + b"\r\n\r\n",
        http_answer(b"", "404 Not Found"),
        http_answer(b"{}", "302 Found"),
        http_answer(b""),
        http_answer(b"[" * 200_000),
        http_answer(b"\xff"),
        http_answer(b"{}"),
        http_answer(b"7"),
        http_answer(b'{"status": 3}'),
        http_answer(b'{"status": "Err", "msg": "no"}'),
        http_answer(b'{"status": "OK", "token": [1], "grid_infos": 3}'),
        http_answer(b'{"status": "OK", "grid_infos": {"m": NaN}}'),
        http_answer(json.dumps({"status": "OK", "grid_infos": {**GRID, "infos": [[]]}}).encode()),
    ],
    ids=lambda answer: repr(answer[-30:]),
)
def test_whatever_a_server_sends_is_one_clear_error(answer: bytes) -> None:
    with raw_server(answer) as server, pytest.raises(ServerError) as caught:
        list(worlds(server))
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, LudionError)
