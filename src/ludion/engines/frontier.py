"""Frontier search: breadth first, with three layers in memory instead of all.

Where moves can be taken back (`reverse`), a move leads from a layer to the one before it, to itself or to the next one:

    layers:   ...  forgotten  |  before   here   after           a child is new if it is in none of the three

So older layers can be forgotten, and with them the paths. Once a goal is met at depth d, its path is traced by searches
of half the depth: the positions of layer d / 2 are numbered, and each later position carries the number of the one that
it comes from; this gives the position in the middle of the path, and the same is done with both halves. The promise is
that of breadth-first search: fewest moves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ludion.answers import Answer
from ludion.core.clock import Stopwatch
from ludion.core.verbs import class_name, kernel
from ludion.core.words import load, signed
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import layered_answer
from ludion.engines.limits import (
    DEPTH,
    EVENTS,
    EXHAUSTED,
    EXPAND,
    EXPANDED,
    FOUND,
    FRONTIER,
    MEMORY,
    MEMORY_LIMIT,
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    OUT_OF_NODES,
    STOP,
    STOPPED,
    Outcome,
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    bytes_of,
    find,
    find_or_add,
    grown,
    move_between,
    new_row,
    new_store,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, run_safely, with_spare
from ludion.errors import UnfitError
from ludion.kinds.games import PUZZLE
from ludion.kinds.moving import legal_moves
from ludion.kinds.puzzle import is_goal, most_moves, moves, pack, play, reverse, unpack
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message

NO_RELAY = -1


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Search layer by layer, then trace the path; a cheapest one if every move costs the same."""
    if not reverse.has(rules):
        raise UnfitError(message("engines.needs_reverse", rules=class_name(rules)))
    tracer = Tracer(rules, budget, observer)
    outcome = tracer.run(start, None, NO_RELAY)
    ended, depth, frontier = outcome.result[0], int(outcome.result[2]), int(outcome.control[FRONTIER])
    path: list[int] | None = []
    finished, fields = depth, {}
    if ended == FOUND:
        path = tracer.trace(start, tuple(outcome.result[1].tolist()), depth)
        if path is None:
            ended, finished = tracer.last.result[0], depth - 1
            fields["unfinished"] = message("engines.not_rebuilt", moves=depth)
    return layered_answer(
        "frontier",
        rules,
        start,
        tracer.last,
        ended,
        np.array(path or (), np.int64),
        finished,
        depth=depth,
        frontier=frontier,
        nodes=tracer.nodes,
        expanded=tracer.expanded,
        memory=tracer.memory,
        seconds=tracer.watch.seconds(),
        cpu_seconds=tracer.watch.cpu_seconds(),
        **fields,
    )


class Tracer:
    """Runs the searches of one question, which share its budget."""

    def __init__(self, rules: Rules, budget: Budget, observer: Observer | None) -> None:
        self.rules, self.budget, self.observer = rules, budget, observer
        self.watch = Stopwatch()
        self.nodes = self.expanded = self.memory = 0
        self.last: Outcome

    def run(self, start: State, target: tuple[int, ...] | None, relay: int) -> Outcome:
        """Search from here to a goal, or to the position of these words."""
        rules, budget = self.rules, self.budget
        has_target = target is not None
        end = np.array(target if has_target else pack(rules, start), np.int64)
        if budget.seconds is not None:
            budget = replace(budget, seconds=max(1e-3, budget.seconds - self.watch.seconds()))
        if budget.nodes is not None:
            budget = replace(budget, nodes=max(1, budget.nodes - self.nodes))
        observer = (
            self.observer if self.nodes == 0 or self.observer is None else Observer(stop=self.observer.stop)
        )
        self.last = run_safely(
            PUZZLE,
            rules,
            start,
            None,
            lambda control, trace: search(rules, start, end, has_target, relay, control, trace),
            budget,
            observer,
        )
        self.nodes += int(self.last.control[NODES])
        self.expanded += int(self.last.control[EXPANDED])
        self.memory = max(self.memory, int(self.last.control[MEMORY]))
        return self.last

    def trace(self, start: State, end: tuple[int, ...], depth: int) -> list[int] | None:
        """The moves of a shortest path of this length; None if the budget does not suffice."""
        rules = self.rules
        if depth <= 1:
            after = {
                tuple(map(int, pack(rules, play(rules, start, move)))): move
                for move in legal_moves(rules, start)
            }
            return [after[end]] if depth else []
        ended, _, _, middle = self.run(start, end, depth // 2).result
        if ended != FOUND:
            return None
        words = tuple(middle.tolist())
        first = self.trace(start, words, depth // 2)
        second = first and self.trace(unpack(rules, words, start), end, depth - depth // 2)
        return first + second if first and second else None


@kernel
def search(
    rules: Rules,
    start: State,
    end: np.ndarray,
    has_target: bool,
    relay: int,
    control: np.ndarray,
    trace: np.ndarray,
) -> Any:
    """Return how it ended, the words of the goal, its depth (or the layers finished), and those of its ancestor.

    The goal is the position whose words are `end`, if it `has_target`. In the stores, `parent` is the number of a
    position's ancestor in layer `relay`; without a relay, that of its parent in the layer before.
    """
    words = pack(rules, start)
    target = load(end, words)
    none = new_row(len(words))
    if not has_target and is_goal(rules, start):
        control[NODES] = 1
        return FOUND, end, 0, none
    before = new_store(len(words), FIRST_CAPACITY)
    here = new_store(len(words), FIRST_CAPACITY)
    after = new_store(len(words), FIRST_CAPACITY)
    control[MEMORY] = bytes_of(len(words), 3 * FIRST_CAPACITY)
    relays = before.words
    find_or_add(here, words, 0)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    nodes = 1
    expanded = 0
    depth = 0
    while here.count[0] > 0:
        if depth == relay:
            relays = here.words
        number = 0
        while number < here.count[0]:
            while after.count[0] + most > after.parent.size:
                sizes = before.parent.size + here.parent.size + relays.shape[0] + 3 * after.parent.size
                needed = bytes_of(len(words), sizes)
                if needed > control[MEMORY_LIMIT] or after.parent.size >= 1 << 30:
                    control[NODES] = nodes
                    control[EXPANDED] = expanded
                    return OUT_OF_MEMORY, none, depth, none
                after = grown(after, words)
                control[MEMORY] = max(control[MEMORY], needed)
            # As in breadth-first search, no array changes in the inner loop.
            while number < here.count[0] and after.count[0] + most <= after.parent.size:
                packed = words_at(here, number, words)
                position = unpack(rules, packed, start)
                ancestor = number if relay == NO_RELAY or depth == relay else signed(here.parent[number])
                if control[EVENTS] < trace.shape[0]:
                    parent, move = -1, -1
                    if depth > 0:
                        parent = signed(here.parent[number])
                        origin = unpack(rules, words_at(before, parent, words), start)
                        move = move_between(rules, origin, packed, buffer)
                        parent += expanded - number - before.count[0]
                    record(control, trace, EXPAND, expanded, parent, move, depth, here.count[0])
                count = moves(rules, position, buffer)
                if not 0 <= count <= most:
                    return TOO_MANY_MOVES, none, depth, none
                for k in range(count):
                    child = play(rules, position, buffer[k])
                    packed = pack(rules, child)
                    if find(before, packed) >= 0 or find(here, packed) >= 0:
                        continue
                    _, new = find_or_add(after, packed, ancestor)
                    if new:
                        nodes += 1
                        if (packed == target) if has_target else is_goal(rules, child):
                            control[NODES] = nodes
                            control[EXPANDED] = expanded
                            control[FRONTIER] = after.count[0]
                            last = new_row(len(words))
                            for i in range(len(words)):
                                last[i] = packed[i]
                                if relay != NO_RELAY:
                                    none[i] = relays[ancestor, i]
                            return FOUND, last, depth + 1, none
                number += 1
                expanded += 1
                if expanded & 15 == 0:
                    control[NODES] = nodes
                    control[EXPANDED] = expanded
                    control[FRONTIER] = after.count[0]
                    if control[STOP] != 0:
                        return STOPPED, none, depth, none
                if nodes >= control[NODE_LIMIT]:
                    control[NODES] = nodes
                    control[EXPANDED] = expanded
                    return OUT_OF_NODES, none, depth, none
        before = here
        here = after
        after = new_store(len(words), FIRST_CAPACITY)
        depth += 1
        control[DEPTH] = depth
    control[NODES] = nodes
    control[EXPANDED] = expanded
    return EXHAUSTED, none, depth, none
