"""Recordings of searches: the events one by one, thinned if there are millions, with the counters at each.

A thinned recording keeps the shape of the search. Events are sampled evenly in time, so that every depth and every
phase has its share; all ancestors of a sampled node are included, so that the tree is a part of the true tree; the
goal, the improvements and the nodes of the answer's line are always included. Counters also count omitted events.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.asking import Prepared
from ludion.engines.budget import EVENT_NAMES, Observer
from ludion.engines.limits import CUT, EVENT_FIELDS, EXPAND, GENERATE, IMPROVE, REACH
from ludion.errors import LudionError
from ludion.positions import Position
from ludion.traces import COSTS, no_costs

MOST_RECORDED = 2_000_000  # events of a search, 56 bytes each
MOST_ROOTS = 20  # iterations of a search in which its line is looked for
KIND, NODE, PARENT, MOVE, DEPTH, VALUE, BETA = range(EVENT_FIELDS)  # the columns of an event


class RecordingObserver(Observer):
    """Collects the events of a search as an array."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.parts: list[np.ndarray] = []

    def deliver(self, rows: np.ndarray) -> None:
        self.parts.append(rows.copy())

    def rows(self) -> np.ndarray:
        """All events so far, one per row."""
        return np.concatenate(self.parts) if self.parts else np.zeros((0, EVENT_FIELDS), np.int64)


@dataclass(frozen=True)
class SearchTree:
    """The nodes of a search, in the order of their numbers, each with the event that discovered it."""

    numbers: np.ndarray
    first: np.ndarray  # that event
    of_event: np.ndarray  # the node of each event, as an index into the others
    parent: np.ndarray  # as an index; -1 at a start of the search
    move: np.ndarray  # that led there

    @classmethod
    def of(cls, rows: np.ndarray) -> SearchTree:
        numbers, first, of_event = np.unique(rows[:, NODE], return_index=True, return_inverse=True)
        above = rows[first, PARENT]
        place = np.searchsorted(numbers, above).clip(max=len(numbers) - 1)
        parent = np.where((above >= 0) & (numbers[place] == above), place, -1)
        return cls(numbers, first, of_event.reshape(-1), parent, rows[first, MOVE])

    def with_ancestors(self, nodes: np.ndarray) -> np.ndarray:
        """These nodes and all above them, as a mask."""
        mask = np.zeros(len(self.numbers), bool)
        while len(nodes):
            mask[nodes] = True
            nodes = np.unique(self.parent[nodes])
            nodes = nodes[(nodes >= 0) & ~mask[nodes]]
        return mask

    def path(self, node: int) -> list[int]:
        """The moves from the start to a node."""
        path: list[int] = []
        while self.parent[node] >= 0:
            path.append(int(self.move[node]))
            node = int(self.parent[node])
        return path[::-1]


def find_line(rows: np.ndarray, tree: SearchTree, moves: Sequence[int]) -> list[int]:
    """The nodes along a line of moves, as far as the search followed it; with several iterations, the longest such
    line."""
    roots = np.unique(rows[(rows[:, PARENT] < 0) & (rows[:, KIND] == EXPAND), NODE])
    longest: list[int] = []
    for root in roots[: -MOST_ROOTS - 1 : -1].tolist():
        line = [root]
        for move in moves:
            after = np.flatnonzero((rows[:, PARENT] == line[-1]) & (rows[:, MOVE] == move))
            if not len(after):
                break
            line.append(int(rows[after[-1], NODE]))
        if len(line) > len(longest):
            longest = line
    return [int(np.searchsorted(tree.numbers, number)) for number in longest]


def choose_events(rows: np.ndarray, tree: SearchTree, line: Sequence[int], keep: int) -> np.ndarray:
    """The events of a recording of about `keep` events, in order; the last one is always there."""
    count = len(rows)
    if count <= keep:
        return np.arange(count)
    landmarks = np.flatnonzero((rows[:, KIND] == REACH) | (rows[:, KIND] == IMPROVE))
    if len(landmarks) > keep // 4:
        landmarks = landmarks[np.linspace(0, len(landmarks) - 1, keep // 4).astype(np.int64)]
    sampled = keep
    while True:
        spread = np.linspace(0, count - 1, max(2, sampled)).astype(np.int64)
        chosen = np.union1d(spread, landmarks)
        nodes = tree.with_ancestors(np.union1d(tree.of_event[chosen], np.array(line, np.int64)))
        events = np.union1d(chosen, tree.first[nodes])
        if len(events) <= keep or sampled <= 2:
            return events
        sampled = min(sampled - 1, sampled * keep // len(events))


def waiting_counts(rows: np.ndarray, tree: SearchTree) -> np.ndarray | None:
    """The number of nodes generated but not yet taken after each event; None if the search has no open list."""
    kind = rows[:, KIND]
    if not (kind == GENERATE).any():
        return None
    events = np.flatnonzero((kind == GENERATE) | (kind == EXPAND) | (kind == REACH))
    events = events[np.argsort(tree.of_event[events], kind="stable")]
    waits = (kind[events] == GENERATE).astype(np.int64)
    node = tree.of_event[events]
    before = np.concatenate([[0], waits[:-1]])
    new = np.concatenate([[True], node[1:] != node[:-1]])
    before[new] = tree.parent[node[new]] < 0  # the start waits before anything happens
    changes = np.zeros(len(rows), np.int64)
    changes[events] = waits - before
    return np.asarray(np.cumsum(changes) + int((tree.parent < 0).sum()))


def running_best(rows: np.ndarray) -> np.ndarray:
    """For each event, the place of the last improvement until then, or -1."""
    places = np.where(rows[:, KIND] == IMPROVE, np.arange(len(rows)), -1)
    return np.asarray(np.maximum.accumulate(places))


def layers(rows: np.ndarray, chosen: np.ndarray) -> list[list[list[int]]]:
    """For each kept event, what was done since the one before it: [depth, nodes expanded, cuts] per depth."""
    done = np.flatnonzero((rows[:, KIND] == EXPAND) | (rows[:, KIND] == CUT))
    shares: list[list[list[int]]] = [[] for _ in chosen]
    if len(done):
        keys = np.stack([np.searchsorted(chosen, done), rows[done, DEPTH]])
        places, which = np.unique(keys, axis=1, return_inverse=True)
        which = which.reshape(-1)
        is_cut = rows[done, KIND] == CUT
        expanded = np.bincount(which[~is_cut], minlength=places.shape[1])
        cuts = np.bincount(which[is_cut], minlength=places.shape[1])
        for (place, depth), *counts in zip(places.T.tolist(), expanded.tolist(), cuts.tolist(), strict=True):
            shares[place].append([depth, *counts])
    return shares


def record(prepared: Prepared, here: Position, answer: Answer, rows: np.ndarray, keep: int) -> dict[str, Any]:
    """A search as the page shows it.

    events     [kind, node, depth, value, f, h, beta, number of the event, move that cuts or improves] of those chosen
    counters   [nodes seen, expanded, waiting, cuts, deepest, best] after each of them
    layers     what was done since the event before: [depth, nodes expanded, cuts]
    nodes      [number, parent, move, event that discovered it, children that were not chosen]; parent and node of an
               event are places in this list, in which parents stand before their children
    line       the nodes of the answer's line
    """
    tree = SearchTree.of(rows)
    line = find_line(rows, tree, answer.moves)
    chosen = choose_events(rows, tree, line, keep)
    nodes = np.flatnonzero(tree.with_ancestors(np.unique(tree.of_event[chosen])))
    # Parents are discovered before their children.
    nodes = nodes[np.argsort(tree.first[nodes], kind="stable")]
    place = np.full(len(tree.numbers), -1, np.int64)
    place[nodes] = np.arange(len(nodes))
    has_parent = tree.parent >= 0
    children = np.bincount(tree.parent[has_parent], minlength=len(tree.numbers))
    shown = np.bincount(tree.parent[nodes][tree.parent[nodes] >= 0], minlength=len(tree.numbers))
    return {
        "total": len(rows),
        "complete": len(rows) < MOST_RECORDED,
        "events": event_rows(prepared, here, rows, tree, chosen, place),
        "counters": counter_rows(rows, tree, chosen),
        "layers": layers(rows, chosen),
        "nodes": [
            [
                int(tree.numbers[node]),
                int(place[tree.parent[node]]) if tree.parent[node] >= 0 else -1,
                int(tree.move[node]),
                int(np.searchsorted(chosen, tree.first[node])),
                int(children[node] - shown[node]),
            ]
            for node in nodes.tolist()
        ],
        "line": [int(place[node]) for node in line if place[node] >= 0],
    }


def event_rows(
    prepared: Prepared,
    here: Position,
    rows: np.ndarray,
    tree: SearchTree,
    chosen: np.ndarray,
    place: np.ndarray,
) -> list[list[object]]:
    costs = COSTS.get(prepared.engine_name, no_costs)
    weight = float(prepared.settings.get("weight") or 1.5)
    events: list[list[object]] = []
    for number in chosen.tolist():
        kind, _, parent, move, depth, value, beta = rows[number].tolist()
        node = int(tree.of_event[number])
        depth = 0 if kind == IMPROVE else depth  # there, it is the depth that is left
        f, h = costs(depth, value, weight)
        by = ""
        if kind in (CUT, IMPROVE) and parent < 0 <= move:
            by = move_name(here, tree.path(node), move)
        events.append([EVENT_NAMES[kind], int(place[node]), depth, value, f, h, beta, number, by])
    return events


def move_name(here: Position, path: Sequence[int], move: int) -> str:
    """The name of a move after a path, if the path can be played from here."""
    try:
        return here.play(*path).write_move(move)
    except LudionError:
        return ""


def counter_rows(rows: np.ndarray, tree: SearchTree, chosen: np.ndarray) -> list[list[int | None]]:
    kind = rows[:, KIND]
    discovered = np.zeros(len(rows), np.int64)
    discovered[tree.first] = 1
    depths = np.where(kind == IMPROVE, 0, rows[:, DEPTH])  # there, it is the depth that is left
    waiting, best = waiting_counts(rows, tree), running_best(rows)[chosen]
    columns = [np.cumsum(discovered), np.cumsum(kind == EXPAND), waiting, np.cumsum(kind == CUT)]
    columns.append(np.maximum.accumulate(depths))
    lists: list[list[int | None]] = [
        [None] * len(chosen) if column is None else column[chosen].tolist() for column in columns
    ]
    lists.append([int(rows[at, VALUE]) if at >= 0 else None for at in best.tolist()])
    return [list(row) for row in zip(*lists, strict=True)]
