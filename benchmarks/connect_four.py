"""Connect 4: six classes of positions and the opening with a book, beside other solvers in the same run, and
what each idea is worth in nodes.

The classes are named as in the literature: n stones on the board (L3 n > 28, L2 n > 14, L1 the rest), r plies
to the end (R1 r < 14, R2 r < 28, R3 the rest). Positions are random games. Processor time of one thread, the
table cleared before each position, no opening book, setting the board up not counted; ours is one `Scorer` per class,
its calls from Python and the clearing of its table counted, creating it not. Peers: BitBully (a package), and
Pons' and Steininger's programs if LUDION_PEER_PONS and LUDION_PEER_STEININGER name them (see README.md); the programs
read all positions of a class in one go, their start is measured apart and left out.
"""

from __future__ import annotations

import itertools
import json
import random
import subprocess
import time
from typing import Any

import ludion
from benchmarks.measure import Row, child_cpu, in_turn, median, ratios, sample
from benchmarks.peers import command, python
from ludion.games.connect_four.book import shipped_book
from ludion.games.connect_four.engine import StoneScore, chances, column_scores
from ludion.games.connect_four.rules import Stones, drop_game, has_line, start_of, wins_at_once
from ludion.games.connect_four.score_table import NO_BOOK, Book
from ludion.games.connect_four.solver import Scorer, batch
from ludion.games.connect_four.threats import threat_cells
from ludion.kinds.duel import play

GAME = drop_game()
# name: (fewest stones, most, fewest plies to the end, most, how many positions, how many in a quick run)
CLASSES = {
    "L3_R1": (29, 38, 0, 13, 5000, 300),  # many: the start of a program takes longer than a thousand of them
    "L2_R1": (15, 28, 0, 13, 1000, 300),
    "L1_R1": (8, 14, 0, 13, 300, 60),
    "L2_R2": (15, 27, 14, 27, 200, 40),
    "L1_R2": (8, 14, 14, 27, 30, 10),
    "L1_R3": (6, 13, 28, 42, 4, 2),
}
MOST_OF_BITBULLY = 300  # positions
PEER = """
import json, sys, time
from bitbully import BitBully, Board
solver = BitBully(opening_book=sys.argv[1] if len(sys.argv) > 1 else None)
found = []
for columns in json.load(sys.stdin):
    solver.reset_transposition_table()
    board = Board(columns)
    begin = time.thread_time()
    score = solver.mtdf(board)
    found.append((score, time.thread_time() - begin))
print(json.dumps(found))
"""


def random_game(chance: random.Random, stones: int) -> tuple[list[int], Stones]:
    """The columns of a random game that is still open, and its position."""
    while True:
        columns: list[int] = []
        position = start_of(GAME)
        while len(columns) < stones and not has_line(GAME, position.own ^ position.mask):
            column = chance.randrange(GAME.columns)
            if position.mask >> (column * GAME.stride + GAME.rows - 1) & 1 == 0:
                position = play(GAME, position, column)
                columns.append(column)
        if not has_line(GAME, position.own ^ position.mask):
            return columns, position


def plies_to_the_end(position: Stones, score: int) -> int:
    left = GAME.cells - position.mask.bit_count()
    return StoneScore(score, True, left).plies or left


def instances(name: str, count: int) -> list[tuple[list[int], Stones, int]]:
    """Positions of a class with their scores."""
    fewest, most, soonest, latest, _, _ = CLASSES[name]
    chance = random.Random(name)
    found: list[tuple[list[int], Stones, int]] = []
    while len(found) < count:
        drawn = [random_game(chance, chance.randint(fewest, most)) for _ in range(min(count, 50))]
        scores = batch(GAME, [position for _, position in drawn], book=shipped_book(GAME))
        for (columns, position), score in zip(drawn, scores, strict=True):
            if soonest <= plies_to_the_end(position, score) <= latest and len(found) < count:
                found.append((columns, position, score))
    return found


def ours(cases: list[tuple[list[int], Stones, int]], book: Book = NO_BOOK) -> tuple[float, float, int]:
    """Mean seconds, mean nodes and wrong scores: one scorer, a call per position, each clears the table."""
    scorer = Scorer(GAME, book, min(len(columns) for columns, _, _ in cases))
    begin = time.thread_time()
    answers = [(scorer.score(position, fresh=True), scorer.nodes()) for _, position, _ in cases]
    spent = time.thread_time() - begin
    wrong = sum(score != known for (score, _), (_, _, known) in zip(answers, cases, strict=True))
    return spent / len(cases), sum(nodes for _, nodes in answers) / len(cases), wrong


def bitbully(cases: list[tuple[list[int], Stones, int]], *book: str) -> tuple[float, int]:
    """BitBully's mean seconds and differing scores; without a book unless one is named.

    It solves the first few hundred positions only: clearing its table, which is not counted, takes 20 ms for each.
    """
    where = python("bitbully")
    assert where is not None
    cases = cases[:MOST_OF_BITBULLY]
    given = json.dumps([columns for columns, _, _ in cases])
    done = subprocess.run([where, "-c", PEER, *book], input=given, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    differ = sum(each[0] != case[2] for each, case in zip(found, cases, strict=True))
    return sum(each[1] for each in found) / len(found), differ


def program(name: str, cases: list[tuple[list[int], Stones, int]]) -> tuple[float, int]:
    """The same of a program that reads a line of columns per position, and prints its score as the last word."""
    path = command(name)
    assert path is not None
    start, _ = child_cpu([path], "")
    lines = "".join("".join(str(column + 1) for column in columns) + "\n" for columns, _, _ in cases)
    spent, printed = child_cpu([path], lines)
    differ = sum(int(line.split()[-1]) != case[2] for line, case in zip(printed, cases, strict=True))
    return max(1e-9, spent - start) / len(cases), differ


def peers_at_hand() -> dict[str, Any]:
    """The peers that are there, each a function of positions."""
    works: dict[str, Any] = {"bitbully": bitbully} if python("bitbully") is not None else {}
    for name in ("pons", "steininger"):
        if command(name) is not None:
            works[name] = lambda cases, name=name: program(name, cases)
    return works


def six_classes(quick: bool = False) -> list[Row]:
    """Every solver on the same positions, in turn, three rounds."""
    rows = []
    for name, (*_, many, few) in CLASSES.items():
        cases = instances(name, few if quick else many)
        ours_once(cases)
        taken = in_turn(
            3,
            ludion=lambda c=cases: ours_once(c),
            **{peer: (lambda c=cases, w=work: w(c)) for peer, work in peers_at_hand().items()},
        )
        seconds, (nodes, wrong) = taken["ludion"]
        row: Row = {"class": name, "positions": len(cases), "nodes": round(nodes)}
        row["ludion_us"] = sample(seconds, 1e6)
        row["wrong"] = wrong
        for peer in PEERS["classes"]:
            times, differ = taken.get(peer, (None, None))
            row[f"{peer}_us"] = sample(times, 1e6) if times else None
            row[f"{peer}_ratio"] = ratios(times, seconds) if times else None
            row[f"{peer}_differs"] = differ
        rows.append(row)
        print(f"  {name}: {median(row['ludion_us']):,.1f} us", flush=True)
    return rows


def ours_once(cases: list[tuple[list[int], Stones, int]]) -> tuple[float, tuple[float, int]]:
    """Mean seconds; mean nodes and wrong scores."""
    seconds, nodes, wrong = ours(cases)
    return seconds, (nodes, wrong)


def with_book(cases: list[tuple[list[int], Stones, int]], book: Book) -> tuple[float, dict[str, float]]:
    """Mean seconds with the book; the mean nodes, the slowest position and how many take above 20 ms, in percent."""
    scorer = Scorer(GAME, book, min(len(columns) for columns, _, _ in cases))
    times, nodes = [], 0
    for _, position, known in cases:
        begin = time.thread_time()
        score = scorer.score(position, fresh=True)
        times.append(time.thread_time() - begin)
        nodes += scorer.nodes()
        assert score == known
    slow = sum(spent > 0.02 for spent in times)
    tail = {"slowest_ms": 1e3 * max(times), "above_20_ms": 100 * slow / len(times)}
    return sum(times) / len(times), {"nodes": round(nodes / len(times)), **tail}


def positions_with(stones: int, count: int) -> list[tuple[list[int], Stones, int]]:
    """Random positions with that many stones and their scores; of `count`, those that are not won at once."""
    chance = random.Random(stones)
    drawn = [random_game(chance, stones) for _ in range(count)]
    drawn = [each for each in drawn if not wins_at_once(GAME, each[1])]
    scores = batch(GAME, [position for _, position in drawn], book=shipped_book(GAME))
    return [(columns, position, score) for (columns, position), score in zip(drawn, scores, strict=True)]


def openings(quick: bool = False) -> list[Row]:
    """Random positions with 0 to 14 stones, not won at once, and the class L1_R3 (6 to 13 stones): our book against
    BitBully's, which has every position of 12 stones."""
    book = shipped_book(GAME)
    at_hand = python("bitbully") is not None
    rows = []
    hard = instances("L1_R3", 2 if quick else 10)
    counts = [
        5 if quick else 20 if stones < 8 else 60 for stones in range(15)
    ]  # below 8 stones all are in the book
    drawn = {str(stones): positions_with(stones, count) for stones, count in enumerate(counts)}
    for stones, cases in {**drawn, "L1_R3": hard}.items():
        works: dict[str, Any] = {"ludion": lambda c=cases: with_book(c, book)}
        if at_hand:
            works["bitbully"] = lambda c=cases: bitbully(c, "12-ply-dist")
        taken = in_turn(3, **works)
        seconds, tail = taken["ludion"]
        row: Row = {"stones": stones, "positions": len(cases), **tail}
        row["ludion_ms"] = sample(seconds, 1e3)
        row["bitbully_ms"] = sample(taken["bitbully"][0], 1e3) if at_hand else None
        row["bitbully_differs"] = taken["bitbully"][1] if at_hand else None
        rows.append(row)
        print(f"  {stones} stones: {median(row['ludion_ms']):,.3f} ms", flush=True)
    return rows


def ideas(quick: bool = False) -> list[Row]:
    """Nodes until the value is proved, with one idea more in each column."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("negamax", {"engine": "negamax"}),
        ("alpha-beta", {"engine": "alpha-beta", "ordering": False, "table": False, "symmetry": False}),
        ("+ ordering", {"engine": "alpha-beta", "table": False, "symmetry": False}),
        ("+ table", {"engine": "alpha-beta", "symmetry": False}),
        ("+ symmetry", {"engine": "alpha-beta"}),
        ("specialist", {"engine": "solver", "book": False}),
    ]
    rows = []
    texts = ["4x4:1122", "4x4", "5x4:3333", "5x4", "5x5:33333"]
    for text in texts[: 3 if quick else None]:
        position = ludion.position("connect-four", text)
        row: Row = {"position": text}
        for name, settings in steps:
            depth = {"depth": 42} if name == "negamax" else {}
            answer = ludion.solve(position, **settings, nodes=50_000_000, **depth)
            proved = answer.status == "optimal" and not answer.limit
            row[name] = answer.nodes if proved else "too many"
        rows.append(row)
        print(f"  {row}", flush=True)
    return rows


def strengths(quick: bool = False) -> list[Row]:
    """How likely each strength takes a line that is three quarters built, stops the opponent's, or plays a best move.

    Exact chances on random positions with 20 to 34 stones; where a line can be taken or must be stopped, another column
    is free and worse.
    """
    chance = random.Random("strength")
    count = 20 if quick else 200
    cases: dict[str, list[tuple[list[int], list[bool]]]] = {"takes": [], "stops": [], "best": []}
    while any(len(each) < count for each in cases.values()):
        _, position = random_game(chance, chance.randint(20, 34))
        ready = (position.mask + GAME.bottom) & GAME.full
        wins = threat_cells(GAME, position.own, position.mask) & ready
        stops = threat_cells(GAME, position.own ^ position.mask, position.mask) & ready
        kind, cells = ("takes", wins) if wins else ("stops", stops) if stops.bit_count() == 1 else ("best", 0)
        if len(cases[kind]) == count or ready & (ready - 1) == 0:
            continue
        scored = column_scores(GAME, position, ludion.Budget(), book=False)
        scores = [score.value for _, score, _ in scored if score is not None]
        right = [
            bool(cells >> column * GAME.stride & ((1 << GAME.rows) - 1)) if cells else value == max(scores)
            for (column, _, _), value in zip(scored, scores, strict=True)
        ]
        helps = max(itertools.compress(scores, right)) > min(
            scores
        )  # a line that is stopped may be lost on top
        if helps and not all(right):
            cases[kind].append((scores, right))
    rows = []
    for strength in range(1, 11):
        row: Row = {"strength": strength, "positions": 3 * count}
        for kind, positions in cases.items():
            hits = [sum(itertools.compress(chances(scores, strength), right)) for scores, right in positions]
            row[kind] = round(100 * sum(hits) / len(hits))
        rows.append(row)
        print(f"  {row}", flush=True)
    return rows


IDEAS = ("negamax", "alpha-beta", "+ ordering", "+ table", "+ symmetry", "specialist")
PEERS = {"classes": ("bitbully", "pons", "steininger"), "openings": ("bitbully",)}
LAYOUTS = {
    "classes": [
        ("class", "{class}"),
        ("positions", "{positions}"),
        ("nodes", "{nodes}"),
        ("ludion, us", "{ludion_us}"),
        ("BitBully, us", "{bitbully_us}"),
        ("times ours", "{bitbully_ratio}"),
        ("Pons, us", "{pons_us}"),
        ("times ours", "{pons_ratio}"),
        ("Steininger, us", "{steininger_us}"),
        ("times ours", "{steininger_ratio}"),
    ],
    "openings": [
        ("stones", "{stones}"),
        ("positions", "{positions}"),
        ("nodes", "{nodes}"),
        ("ludion, ms", "{ludion_ms}"),
        ("above 20 ms, %", "{above_20_ms}"),
        ("slowest, ms", "{slowest_ms}"),
        ("BitBully, ms", "{bitbully_ms}"),
    ],
    "strengths": [
        ("strength", "{strength}"),
        ("takes a line, %", "{takes}"),
        ("stops a line, %", "{stops}"),
        ("plays a best move otherwise, %", "{best}"),
    ],
    "ideas": [("position", "`{position}`"), *((name, f"{{{name}}}") for name in IDEAS)],
}
PARTS = {
    "classes": six_classes,
    "openings": openings,
    "strengths": strengths,
    "ideas": ideas,
}
