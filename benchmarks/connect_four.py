"""Connect 4: six classes of positions and the opening with a book, with BitBully in the same run; two threads; and
what each idea is worth in nodes.

The classes are named as in the literature: n stones on the board (L3 n > 28, L2 n > 14, L1 the rest), r plies
to the end (R1 r < 14, R2 r < 28, R3 the rest). Positions are random games. Processor time of one thread, the
table cleared before each position, no opening book, setting the board up not counted.
"""

from __future__ import annotations

import json
import random
import subprocess
import time
from typing import Any

import numpy as np

import ludion
from benchmarks.peers import python
from ludion.engines.limits import NODE_LIMIT, NODES
from ludion.games.connect_four.book import shipped_book, wins_at_once
from ludion.games.connect_four.engine import StoneScore
from ludion.games.connect_four.rules import START, Stones, drop_game, has_line
from ludion.games.connect_four.solver import (
    NO_BOOK,
    Book,
    batch,
    board_of,
    new_stack,
    new_table,
    score_all,
    score_between,
    shape_of,
)
from ludion.kinds.duel import play

GAME = drop_game()
# name: (fewest stones, most, fewest plies to the end, most, how many positions, how many in a quick run)
CLASSES = {
    "L3_R1": (29, 38, 0, 13, 1000, 300),
    "L2_R1": (15, 28, 0, 13, 1000, 300),
    "L1_R1": (8, 14, 0, 13, 300, 60),
    "L2_R2": (15, 27, 14, 27, 200, 40),
    "L1_R2": (8, 14, 14, 27, 60, 10),
    "L1_R3": (6, 13, 28, 42, 10, 2),
}
PUBLISHED = {  # microseconds: the best peer of the research note, on other positions and another machine
    "L3_R1": 7.2,
    "L2_R1": 51,
    "L1_R1": 362,
    "L2_R2": 2133,
    "L1_R2": 73_600,
    "L1_R3": 3_880_000,
}
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
        position = START
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
        scores = batch(GAME, [position for _, position in drawn])
        for (columns, position), score in zip(drawn, scores, strict=True):
            if soonest <= plies_to_the_end(position, score) <= latest and len(found) < count:
                found.append((columns, position, score))
    return found


def ours(cases: list[tuple[list[int], Stones, int]], book: Book = NO_BOOK) -> tuple[float, float, int]:
    """Mean seconds, mean nodes and wrong scores."""
    board, shape = board_of(GAME), shape_of(GAME)
    stack, control = new_stack(board), np.zeros(16, np.int64)
    control[NODE_LIMIT] = 1 << 62
    spent, nodes, wrong = 0.0, 0, 0
    for columns, position, score in cases:
        control[NODES] = 0
        begin = time.thread_time()
        table = new_table(board, len(columns))
        told = score_between(shape, position.own, position.mask, -42, 42, book, table, stack, control)
        spent += time.thread_time() - begin
        nodes += int(control[NODES])
        wrong += told != score
    return spent / len(cases), nodes / len(cases), wrong


def in_batch(cases: list[tuple[list[int], Stones, int]]) -> float:
    """Mean seconds of the batch call, the table cleared before each position."""
    board = board_of(GAME)
    stack, control = new_stack(board), np.zeros(16, np.int64)
    control[NODE_LIMIT] = 1 << 62
    owns = np.array([position.own for _, position, _ in cases], np.int64)
    masks = np.array([position.mask for _, position, _ in cases], np.int64)
    out = np.zeros(len(cases), np.int64)
    table = new_table(board, min(len(columns) for columns, _, _ in cases))
    best = 1e9
    for _ in range(5):
        begin = time.thread_time()
        score_all(shape_of(GAME), owns, masks, -42, 42, 1, NO_BOOK, table, stack, control, out)
        best = min(best, time.thread_time() - begin)
    assert out.tolist() == [score for _, _, score in cases]
    return best / len(cases)


def theirs(cases: list[tuple[list[int], Stones, int]], *book: str) -> tuple[float, int] | None:
    """BitBully's mean seconds and differing scores, if it is there; without a book unless one is named."""
    where = python("bitbully")
    if where is None:
        return None
    given = json.dumps([columns for columns, _, _ in cases])
    done = subprocess.run([where, "-c", PEER, *book], input=given, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return sum(each[1] for each in found) / len(found), sum(
        told[0] != case[2] for told, case in zip(found, cases, strict=True)
    )


def six_classes(quick: bool) -> list[dict[str, Any]]:
    print(
        "| class | positions | nodes | ludion | in a batch | BitBully | ratio | best published | wrong | differ |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    rows = []
    for name, (*_, many, few) in CLASSES.items():
        cases = instances(name, few if quick else many)
        seconds, nodes, wrong = ours(cases)
        together = in_batch(cases) if name == "L3_R1" else None  # else clearing the table is all
        other = theirs(cases)
        row = {
            "class": name,
            "positions": len(cases),
            "nodes": round(nodes),
            "ludion_us": seconds * 1e6,
            "batch_us": together * 1e6 if together else None,
            "bitbully_us": other[0] * 1e6 if other else None,
            "ratio": other[0] / seconds if other else None,
            "published_us": PUBLISHED[name],
            "wrong": wrong,
            "bitbully_differs": other[1] if other else None,
        }
        rows.append(row)
        shown = [
            f"{row[key]:,.1f}" if row[key] is not None else "-"
            for key in ("ludion_us", "batch_us", "bitbully_us", "ratio", "published_us")
        ]
        print(
            f"| {name} | {len(cases)} | {nodes:,.0f} | "
            + " | ".join(shown)
            + f" | {wrong} | {other[1] if other else '-'} |",
            flush=True,
        )
    print(
        "\nTimes in microseconds; ratio: BitBully's time over ours; published: other positions and machine;"
        "\nwrong: scores that differ from those of a batch; differ: from BitBully's.\n"
    )
    return rows


def openings(quick: bool) -> list[dict[str, Any]]:
    """Random positions with 0 to 12 stones: our book against BitBully's, which has every position of 12 stones."""
    book = shipped_book(GAME)
    print(
        f"Openings, with books: ours to ply {book.plies}, BitBully's to ply 12; mean times in milliseconds.\n"
    )
    print("| stones | positions | nodes | ludion, ms | BitBully, ms | differ |")
    print("|---|---|---|---|---|---|")
    rows = []
    for stones in range(13):
        chance = random.Random(stones)
        drawn = [random_game(chance, stones) for _ in range(5 if quick else 40)]
        drawn = [each for each in drawn if not wins_at_once(GAME, each[1])]
        cases = [(columns, position, 0) for columns, position in drawn]
        seconds, nodes, _ = ours(cases, book)
        scores = batch(GAME, [position for _, position, _ in cases], book=book)
        cases = [
            (columns, position, score) for (columns, position, _), score in zip(cases, scores, strict=True)
        ]
        other = theirs(cases, "12-ply-dist")
        row = {
            "stones": stones,
            "positions": len(cases),
            "nodes": round(nodes),
            "ludion_ms": seconds * 1e3,
            "bitbully_ms": other[0] * 1e3 if other else None,
            "bitbully_differs": other[1] if other else None,
        }
        rows.append(row)
        told = f"{other[0] * 1e3:,.3f} | {other[1]}" if other else "- | -"
        print(f"| {stones} | {len(cases)} | {nodes:,.0f} | {seconds * 1e3:,.3f} | {told} |", flush=True)
    mean = sum(row["ludion_ms"] for row in rows) / len(rows)
    print(f"\nMean over 0 to 12 stones: {mean:,.2f} ms\n")
    return rows


def two_threads(quick: bool) -> list[dict[str, Any]]:
    """The time on the clock with one thread and with two: worth reading on an idle machine of two cores only."""
    print("| position | one thread, s | two threads, s | ratio |")
    print("|---|---|---|---|")
    rows = []
    for text in ("44444", "4136", "35421", "444", "4413", "371", "5315", "626")[: 2 if quick else None]:
        position = ludion.position("connect-four", text)
        ludion.solve(position, book=False, nodes=1000)
        seconds = [ludion.solve(position, book=False, threads=threads).seconds for threads in (1, 2)]
        rows.append({"position": text, "one": seconds[0], "two": seconds[1]})
        print(
            f"| `{text}` | {seconds[0]:.2f} | {seconds[1]:.2f} | {seconds[0] / seconds[1]:.2f} |", flush=True
        )
    print()
    return rows


def ideas(quick: bool) -> list[dict[str, Any]]:
    """Nodes until the value is proved, with one idea more in each column."""
    steps: list[tuple[str, dict[str, Any]]] = [
        ("negamax", {"engine": "negamax"}),
        ("alpha-beta", {"engine": "alpha-beta", "ordering": False, "table": False, "symmetry": False}),
        ("+ ordering", {"engine": "alpha-beta", "table": False, "symmetry": False}),
        ("+ table", {"engine": "alpha-beta", "symmetry": False}),
        ("+ symmetry", {"engine": "alpha-beta"}),
        ("specialist", {"engine": "solver", "book": False}),
    ]
    print("| position | " + " | ".join(name for name, _ in steps) + " |")
    print("|---" * (len(steps) + 1) + "|")
    rows = []
    texts = ["4x4:1122", "4x4", "5x4:3333", "5x4", "5x5:33333"]
    for text in texts[: 3 if quick else None]:
        position = ludion.position("connect-four", text)
        row: dict[str, Any] = {"position": text}
        for name, settings in steps:
            depth = {"depth": 42} if name == "negamax" else {}
            answer = ludion.solve(position, **settings, nodes=50_000_000, **depth)
            proved = answer.status == "optimal" and not answer.limit
            row[name] = answer.nodes if proved else None
        rows.append(row)
        told = [f"{row[name]:,}" if row[name] is not None else "too many" for name, _ in steps]
        print(f"| `{text}` | " + " | ".join(told) + " |", flush=True)
    return rows


def main(quick: bool = False) -> list[dict[str, Any]]:
    return six_classes(quick) + openings(quick) + two_threads(quick) + ideas(quick)


if __name__ == "__main__":
    main()
