"""The solver against known scores, a naive twin and, if it is installed, another solver."""

import pickle
import random
import subprocess
import sys
from pathlib import Path

import pytest

import ludion
from ludion.core import tiers
from ludion.core.words import Wide
from ludion.games.connect_four import rules
from ludion.games.connect_four.engine import chances, column_scores
from ludion.games.connect_four.notation import read
from ludion.games.connect_four.rules import drop_game, wins_at_once
from ludion.games.connect_four.solver import Scorer, batch
from ludion.kinds import duel
from tests.commands import run

from .naive import NaiveBoard

FACTS = [
    line.split() for line in (Path(__file__).parent / "facts.txt").read_text().splitlines() if line[0] != "#"
]


def random_text(rng: random.Random, columns: int, rows: int, stones: int) -> str:
    """A random open position with so many stones; lines are completed, or allowed, only where every move does so."""
    while True:
        position, played = ludion.position("connect-four", f"{columns}x{rows}"), ""
        while len(played) < stones and position.status == "open":
            moves = rng.sample(position.moves(), len(position.moves()))
            after = [position.play(move) for move in moves]
            quiet = [each.status == "open" and not wins_at_once(each.rules, each.state) for each in after]
            choice = quiet.index(True) if any(quiet) else 0
            position, played = after[choice], played + moves[choice]
        if position.status == "open":
            return f"{columns}x{rows}:{played}"


def test_known_scores():
    scores = batch(drop_game(), [read(text)[1] for text, _ in FACTS])
    wrong = [
        (text, known, score)
        for (text, known), score in zip(FACTS, scores, strict=True)
        if int(known) != score
    ]
    assert wrong == []
    assert len(FACTS) == 500


def test_fresh_and_kept_tables_agree():
    some = [read(text)[1] for text, _ in FACTS[::7]]
    assert batch(drop_game(), some, fresh=True) == batch(drop_game(), some)
    weak = batch(drop_game(), some, weak=True)
    assert weak == [(score > 0) - (score < 0) for score in batch(drop_game(), some)]


def test_a_fresh_call_does_not_depend_on_earlier_calls():
    scorer = Scorer(drop_game())
    position, *others = [read(text)[1] for text, _ in FACTS[::100]]
    calls = []
    for other in others:
        calls.append((scorer.score(position, fresh=True), scorer.nodes()))
        scorer.score(other)
    assert len(set(calls)) == 1
    assert calls[0][1] > 0
    scorer.score(position, fresh=True)
    assert scorer.score(position) == calls[0][0]
    assert scorer.nodes() < 2 * calls[0][1]  # the table is kept


@pytest.mark.bounds
@pytest.mark.parametrize(
    ("columns", "rows", "stones"),
    [
        (4, 4, 6),
        (5, 4, 10),
        (4, 5, 10),
        (6, 4, 14),
        (5, 5, 16),
        (7, 6, 32),
        (7, 6, 34),
        (9, 5, 36),
        (4, 6, 15),
        (8, 4, 22),
        (4, 5, 9),
        (5, 5, 15),
        (8, 5, 29),
        (5, 7, 23),
        (3, 7, 10),
        (9, 6, 44),
    ],
)
def test_naive_twin_agrees(columns, rows, stones):
    compare_with_naive_twin(columns, rows, stones, 5)


def compare_with_naive_twin(columns, rows, stones, count):
    """The scores of random positions with so many stones."""
    rng = random.Random(columns + 10 * rows + stones)
    texts = [random_text(rng, columns, rows, stones) for _ in range(count)]
    scores = batch(drop_game(columns, rows), [read(text)[1] for text in texts])
    assert scores == [NaiveBoard(text.partition(":")[2], columns, rows).score() for text in texts]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "stones"), [(5, 4, 9), (5, 5, 15), (7, 6, 31), (8, 8, 54)])
def test_naive_twin_agrees_on_many_positions(columns, rows, stones):
    compare_with_naive_twin(columns, rows, stones, 40)


@pytest.mark.parametrize(("columns", "rows", "stones"), [(8, 7, 47), (8, 8, 55), (9, 7, 54), (7, 9, 54)])
def test_naive_twin_agrees_on_positions_of_two_words(columns, rows, stones):
    compare_with_naive_twin(columns, rows, stones, 5)


def test_two_words_search_as_one_does(monkeypatch):
    rng = random.Random(3)
    texts = [random_text(rng, 6, 5, stones) for stones in range(8, 24, 2)]
    scores = batch(drop_game(6, 5), [read(text)[1] for text in texts])
    monkeypatch.setattr(rules, "WORD_BITS", 0)
    positions = [read(text)[1] for text in texts]
    assert all(isinstance(each, Wide) for position in positions for each in position)
    assert batch(drop_game(6, 5), positions) == scores


@pytest.mark.interpreted
def test_a_threat_in_the_top_row_does_not_reach_into_the_next_column():
    """With an odd number of rows the top row is even, as is the lowest cell of the next column."""
    text = "5313233154555423"
    assert batch(drop_game(5, 5), [read(f"5x5:{text}")[1]]) == [NaiveBoard(text, 5, 5).score()]


@pytest.mark.interpreted
def test_naive_twin_agrees_without_the_compiler():
    rng = random.Random(5)
    for columns, rows, stones in ((4, 4, 6), (7, 6, 36), (5, 4, 13), (5, 5, 18), (8, 8, 58)):
        text = random_text(rng, columns, rows, stones)
        played = text.partition(":")[2]
        assert batch(drop_game(columns, rows), [read(text)[1]]) == [NaiveBoard(played, columns, rows).score()]


@pytest.mark.interpreted
@pytest.mark.parametrize("engine", ["alpha-beta", "monte-carlo", "solver"])
def test_every_engine_plays_on_positions_of_two_words(engine):
    """x has three stones in the last column, whose cells are beyond the first word."""
    position = ludion.position("connect-four", "8x8:818181")
    with tiers.use(tiers.INTERPRETED):
        assert ludion.best_move(position, engine, nodes=1000) == "8"
    won = position.play("8")
    assert (won.status, won.text, won.svg().count("data-line")) == ("lost", "8x8:8181818", 2)
    assert pickle.loads(pickle.dumps(won)) == won
    image = duel.mirror(won.rules, won.state, 1)
    assert ludion.position("connect-four", "8x8:1818181").state == image


@pytest.mark.parametrize("size", ["5x4", "6x4", "7x6"])
def test_mirror_images_have_equal_scores(size):
    rng = random.Random(9)
    columns, rows = int(size[0]), int(size[2])
    game = drop_game(columns, rows)
    some = [read(random_text(rng, columns, rows, columns * rows * 2 // 3))[1] for _ in range(20)]
    assert batch(game, some) == batch(game, [duel.mirror(game, each, 1) for each in some])


@pytest.mark.parametrize(
    ("size", "score"),
    [
        ("4x4", 0),
        ("5x4", 0),
        ("6x4", -1),
        ("7x4", 0),
        ("4x5", 0),
        ("5x5", 0),
        ("4x6", 0),
        ("4x7", 0),
        ("5x6", 0),
    ],
)
def test_empty_boards(size, score):
    """Values of Tromp's table."""
    game, start = read(size)
    assert batch(game, [start]) == [score]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "score"),
    [
        ("8x4", -1),
        ("9x4", -1),
        ("6x5", 0),
        ("7x5", 0),
        ("8x5", 1),
        ("6x6", -1),
        ("7x6", 1),
        ("5x7", 0),
    ],
)
def test_larger_empty_boards(size, score):
    game, start = read(size)
    assert batch(game, [start]) == [score]


def test_another_solver_agrees():
    bitbully = pytest.importorskip(
        "bitbully", reason="bitbully is not installed: no other solver to compare with"
    )
    other = bitbully.BitBully(opening_book=None)
    rng = random.Random(2)
    texts = [random_text(rng, 7, 6, stones) for stones in range(16, 40) for _ in range(20)]
    played = [[int(sign) - 1 for sign in text.partition(":")[2]] for text in texts]
    assert batch(drop_game(), [read(text)[1] for text in texts]) == [
        other.mtdf(bitbully.Board(each)) for each in played
    ]


def test_columns_are_scored_as_the_positions_after_them():
    game = drop_game()
    for text, known in FACTS[:200:10]:
        position = read(text)[1]
        scored = column_scores(game, position, ludion.Budget(), book=False)
        assert max(int(score) for _, score, _ in scored) == int(known)


def test_another_process_loads_the_code(capsys):
    """Machine code kept by one process serves the next (Numba issue 6061)."""
    arguments = ["solve", "connect-four", "4612343726774174114", "--json"]
    here = run(capsys, *arguments)
    command = [sys.executable, "-m", "ludion", *arguments]
    there = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (here.returncode, there.returncode) == (0, 0)
    assert '"status": "optimal"' in here.stdout
    assert "compiling" not in there.stderr
    assert here.stdout.split('"seconds"')[0] == there.stdout.split('"seconds"')[0]


@pytest.mark.interpreted
def test_chances():
    assert chances([3, 3, 1], 10) == [0.5, 0.5, 0.0]
    for strength in range(1, 10):
        likely = chances([5, 2, -8], strength)
        assert abs(sum(likely) - 1) < 1e-9
        assert likely == sorted(likely, reverse=True)
    assert chances([5, -8], 9)[1] < chances([5, -8], 1)[1]
