"""Every engine on random small puzzles with costs, beside Dijkstra's algorithm: no answer claims more than is true.

The puzzles are graphs: several goals or none, moves that lead one way, several moves between the same positions, loops,
costs from 1 to the largest. Their heuristics are admissible but jump about (`safe`), or are any numbers (`wild`).
"""

import heapq
import random
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import ludion
from ludion.asking import engines_of
from ludion.core import tiers
from ludion.engines import (
    beam,
    best_first,
    bidirectional,
    breadth_first,
    external,
    frontier,
    novelty,
    open_list,
    trial,
)
from ludion.engines.trial import LARGEST_ESTIMATE
from ludion.kinds import puzzle
from ludion.kinds.games import Heuristic

pytestmark = pytest.mark.tier(tiers.INTERPRETED)

FEW, MANY = 12, 1500  # seeds: in every run, and in a slow one
SETTINGS = {
    "breadth-first": ({}, {"late": True}),
    "uniform-cost": ({}, {"oldest_first": True}),
    "a-star": ({}, {"oldest_first": True}, {"reopen": False}),
    "greedy": ({}, {"reopen": False}),
    "weighted-a-star": ({"weight": 1.5}, {"weight": 1000.0}),
    "beam": ({"width": 2}, {"width": 100}),
    "limited-discrepancy": ({}, {"longest": 3}),
}
GUIDED = {
    "a-star", "greedy", "weighted-a-star", "anytime-a-star", "ida-star", "beam", "novelty", "limited-discrepancy"
}  # fmt: skip
LAYERED = {"breadth-first", "bidirectional", "frontier", "external"}
PROVING = {"uniform-cost", "a-star", "anytime-a-star", "ida-star"}
ENOUGH = 500  # nodes; IDA* would never end where there are loops and no goal


class Node(NamedTuple):
    node: int


class OneWay(NamedTuple):
    """A graph: edge e, a move, leads from `source[e]` to `target[e]`."""

    source: np.ndarray
    target: np.ndarray
    toll: np.ndarray
    is_goal: np.ndarray  # by node
    safe: np.ndarray
    wild: np.ndarray


class TwoWay(NamedTuple):
    """The same, but edge e ^ 1 takes edge e back; it may cost more or less."""

    source: np.ndarray
    target: np.ndarray
    toll: np.ndarray
    is_goal: np.ndarray
    safe: np.ndarray
    wild: np.ndarray


class Even(NamedTuple):
    """The same, and every move costs 1."""

    source: np.ndarray
    target: np.ndarray
    toll: np.ndarray
    is_goal: np.ndarray
    safe: np.ndarray
    wild: np.ndarray


class Safe(NamedTuple):
    """Never more than the distance; it may fall by more than a move costs."""


class Wild(NamedTuple):
    """Any numbers."""


@puzzle.estimate.register(Safe)
def _(heuristic, rules, position):
    return rules.safe[position.node]


@puzzle.estimate.register(Wild)
def _(heuristic, rules, position):
    return rules.wild[position.node]


def edges_at(ends, node, buffer):
    count = 0
    for edge in range(ends.size):
        if ends[edge] == node:
            buffer[count] = edge
            count += 1
    return count


for kind in (OneWay, TwoWay, Even):
    puzzle.moves.register(kind)(lambda rules, position, buffer: edges_at(rules.source, position.node, buffer))
    puzzle.play.register(kind)(lambda rules, position, move: Node(int(rules.target[move])))
    puzzle.most_moves.register(kind)(lambda rules: rules.source.size + 1)
    puzzle.is_goal.register(kind)(lambda rules, position: bool(rules.is_goal[position.node]))
    puzzle.goals.register(kind)(lambda rules: [Node(int(node)) for node in np.flatnonzero(rules.is_goal)])
    if kind is not Even:
        puzzle.cost.register(kind)(lambda rules, position, move: int(rules.toll[move]))
    if kind is not OneWay:
        puzzle.reverse.register(kind)(lambda rules, move: move ^ 1)
puzzle.moves_back.register(OneWay)(
    lambda rules, position, buffer: edges_at(rules.target, position.node, buffer)
)
puzzle.play_back.register(OneWay)(lambda rules, position, move: Node(int(rules.source[move])))


def dijkstra(rules, ends):
    """The cost of a cheapest path from each of these nodes, at the least, to every other that it leads to."""
    distances, waiting = {}, [(0, node) for node in ends]
    while waiting:
        distance, node = heapq.heappop(waiting)
        if node not in distances:
            distances[node] = distance
            for edge in np.flatnonzero(rules.source == node).tolist():
                heapq.heappush(waiting, (distance + int(rules.toll[edge]), int(rules.target[edge])))
    return distances


def random_rules(seed):
    """A graph of up to 12 nodes, and its least costs from every node to a goal."""
    chance = random.Random(seed)
    kind = chance.choice((OneWay, TwoWay, Even))
    size, pairs = chance.randint(1, 12), chance.randint(0, 20)
    most = chance.choice((1, 3, 9, 1_000_000, LARGEST_ESTIMATE // 16, LARGEST_ESTIMATE))
    source, target, toll = [], [], []
    for _ in range(pairs):
        one, other = chance.randrange(size), chance.randrange(size)
        ways = [(one, other)] if kind is OneWay else [(one, other), (other, one)]
        for begin, end in ways:
            source.append(begin)
            target.append(end)
            toll.append(1 if kind is Even else chance.randint(1, most))
    is_goal = np.array([chance.random() < 0.15 for _ in range(size)])
    tables = [np.array(each, np.int64) for each in (source, target, toll)]
    back = kind(tables[1], tables[0], tables[2], is_goal, is_goal, is_goal)
    distances = dijkstra(back, np.flatnonzero(is_goal).tolist())
    farthest = min(max([1, *distances.values()]), LARGEST_ESTIMATE // 2)
    far = chance.choice((farthest, LARGEST_ESTIMATE))  # what a dead end is worth
    safe = [
        chance.choice((0, each, chance.randint(0, each))) if each is not None else chance.choice((0, far))
        for each in (distances.get(node) for node in range(size))
    ]
    wild = [chance.randint(0, 2 * farthest) for _ in range(size)]
    safe = np.minimum(np.array(safe, np.int64), LARGEST_ESTIMATE)
    return kind(*tables, is_goal, safe, np.array(wild, np.int64)), distances


def read(text):
    seed, node = map(int, text.split())
    return random_rules(seed)[0], Node(node)


GRAPH = ludion.Puzzle(
    name="graph",
    title="Graph",
    summary="find a cheapest path",
    read=read,
    write=lambda rules, position: str(position.node),
    start="0 0",
    heuristics={
        "safe": Heuristic(lambda rules: Safe(), "admissible", admissible=True),
        "wild": Heuristic(lambda rules: Wild(), "any numbers"),
    },
)


def questions(seed):
    """Each engine with its heuristics and settings, with a budget and without."""
    chance = random.Random(seed)
    for engine in engines_of(GRAPH):
        for heuristic in ("safe", "wild") if engine in GUIDED else ("",):
            for settings in SETTINGS.get(engine, ({},)):
                for limit in ("", "nodes", "memory"):
                    asked = {"heuristic": heuristic, "nodes": ENOUGH, **settings}
                    if limit == "nodes":
                        asked["nodes"] = chance.randint(1, 15)
                    elif limit == "memory":
                        asked["memory"] = chance.choice((1, 1000, 40_000, 120_000))
                    yield engine, asked


def check_answer(rules, start, optimum, engine, asked, answer):
    """Raise an error if the answer claims what is not so."""
    assert answer.status in ("optimal", "solved", "unsolvable", "limit")
    if answer.found:
        node, total = start.node, 0
        for move in answer.moves:
            assert rules.source[move] == node
            node, total = int(rules.target[move]), total + int(rules.toll[move])
        assert rules.is_goal[node]
        assert answer.length == total >= optimum
    else:
        assert answer.length is None
        assert not answer.moves
    if answer.status == "optimal":
        assert answer.length == optimum == answer.bound
    if answer.status == "unsolvable":
        assert optimum is None
        assert answer.bound is None
    if answer.bound is not None and optimum is not None:
        assert answer.bound <= optimum
    if answer.status == "limit":
        assert answer.limit
        assert answer.reason
    if asked["nodes"] < ENOUGH or "memory" in asked or answer.limit:
        return
    assert (answer.status == "unsolvable") == (optimum is None) or engine == "beam"
    admits = asked["heuristic"] != "wild" and asked.get("reopen", True)
    if engine in PROVING and admits:
        assert answer.status in ("optimal", "unsolvable")
    if engine in LAYERED and type(rules) is Even:
        assert answer.status in ("optimal", "unsolvable")
    if engine == "weighted-a-star" and admits and answer.found:
        assert answer.length <= Fraction(str(asked["weight"])) * optimum


@pytest.fixture(autouse=True)
def _small_tables(monkeypatch):
    """Tables grow within a few positions, and interpreted kernels need not fill large ones with zeros."""
    for engine in (best_first, bidirectional, breadth_first, external, frontier, novelty):
        monkeypatch.setattr(engine, "FIRST_CAPACITY", 4)
    monkeypatch.setattr(open_list, "MOST_BUCKETS", 16)
    monkeypatch.setattr(external, "BUCKETS", 2)
    monkeypatch.setattr(beam, "HIGHEST_ESTIMATE", 50)
    monkeypatch.setattr(beam, "FIRST_SLOTS", 16)
    monkeypatch.setattr(trial, "SPARE", 64)


@pytest.mark.parametrize("seed", range(FEW))
def test_no_answer_claims_more_than_is_true(seed):
    check_seed(seed)


@pytest.mark.slow
def test_no_answer_of_many_claims_more_than_is_true():
    for seed in range(FEW, MANY):
        check_seed(seed)


def check_seed(seed):
    """Ask every engine about one random puzzle."""
    rules, distances = random_rules(seed)
    start = Node(random.Random(seed).randrange(rules.is_goal.size))
    position = ludion.position(GRAPH, f"{seed} {start.node}")
    optimum = distances.get(start.node)
    for engine, asked in questions(seed):
        if engine == "frontier" and type(rules) is OneWay:
            continue  # needs moves that can be taken back
        answer = ludion.solve(position, engine, **asked)
        try:
            check_answer(rules, start, optimum, engine, asked, answer)
        except AssertionError as error:
            raise AssertionError(
                f"seed {seed}: {engine} {asked}, optimum {optimum}: {answer.json()}"
            ) from error
