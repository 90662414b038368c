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
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import class_name, kernel
from ludion.core.words import borrowed, load, signed
from ludion.engines.budget import Budget, Expenses, Observer
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
    NODE_LIMIT,
    NODES,
    OUT_OF_MEMORY,
    RUNNING,
    Outcome,
    SearchTools,
    look,
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    Store,
    bytes_of,
    find,
    find_or_add,
    has_room,
    move_between,
    new_store,
    with_room,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, new_buffer, run_puzzle
from ludion.errors import UnfitError
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
    ended, goal, depth, _ = outcome.result
    path: list[int] | None = []
    finished, unfinished = int(depth), {}
    if ended == FOUND:
        path = tracer.trace(start, tuple(goal.tolist()), int(depth))
        if path is None:
            ended, finished = tracer.last.result[0], finished - 1
            unfinished = {"unfinished": message("engines.not_rebuilt", moves=int(depth))}
    whole = replace(tracer.last, result=(ended, np.array(path or (), np.int64)))
    costs = tracer.expenses.fields()
    frontier = int(outcome.control[FRONTIER])
    return layered_answer(
        "frontier", rules, start, whole, finished, depth=int(depth), frontier=frontier, **costs, **unfinished
    )


class Tracer:
    """Runs the searches of one question, which share its budget."""

    def __init__(self, rules: Rules, budget: Budget, observer: Observer | None) -> None:
        self.rules, self.observer, self.expenses = rules, observer, Expenses(budget, observer)
        self.last: Outcome

    def run(self, start: State, target: tuple[int, ...] | None, relay: int) -> Outcome:
        """Search from here to a goal, or to the position of these words."""
        rules, expenses, observer = self.rules, self.expenses, self.observer
        end = np.array(pack(rules, start) if target is None else target, np.int64)
        if expenses.nodes > 0 and observer is not None:
            observer = Observer(stop=observer.stop)  # who watches sees the first search
        self.last = run_puzzle(
            rules,
            start,
            None,
            expenses.left(),
            observer,
            lambda *arrays: search(rules, start, end, target is not None, relay, *arrays),
        )
        control = self.last.control
        expenses.nodes += int(control[NODES])
        expenses.expanded += int(control[EXPANDED])
        expenses.memory = max(expenses.memory, int(control[MEMORY]))
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


class FrontierTask(NamedTuple):
    """What is searched for: a goal, or the position of the words `target`."""

    rules: Rules
    start: State
    target: Any
    has_target: bool
    relay: int


class FrontierLayers(NamedTuple):
    """The positions of three layers: those before the current one, of it, and of the next."""

    before: Store
    here: Store
    after: Store


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
    task = FrontierTask(rules, start, load(end, words), has_target, relay)
    control[NODES] = 1
    if not has_target and is_goal(rules, start):
        return FOUND, end, 0, end
    before = new_store(len(words), FIRST_CAPACITY)
    here = new_store(len(words), FIRST_CAPACITY)
    control[MEMORY] = bytes_of(len(words), 3 * FIRST_CAPACITY)
    find_or_add(here, words, 0)
    relays = before.words
    tools = SearchTools(new_buffer(most_moves(rules)), control, trace)
    while here.count[0] > 0:
        depth = control[DEPTH]
        if depth == relay:
            relays = here.words
        ended, after, goal = extend(task, before, here, relays.shape[0], tools)
        if ended == FOUND:
            ancestor = signed(after.parent[goal]) if relay != NO_RELAY else 0
            return FOUND, after.words[goal].copy(), depth + 1, relays[ancestor].copy()
        if ended != RUNNING:
            return ended, end, depth, end
        before, here = here, after
        control[DEPTH] = depth + 1
    return EXHAUSTED, end, signed(control[DEPTH]), end


@kernel(python_entry=False)
def extend(
    task: FrontierTask, before: Store, here: Store, relays: int, tools: SearchTools
) -> tuple[int, Store, int]:
    """Make the layer after `here`: how it ended, the layer, and the number of the goal in it."""
    most = most_moves(task.rules)
    after = new_store(len(task.target), FIRST_CAPACITY)
    others = bytes_of(len(task.target), before.parent.size + here.parent.size + relays)
    number, goal, ended = 0, -1, RUNNING
    while ended == RUNNING and number < here.count[0]:
        after, fits = with_room(after, task.target, most, others, tools.control)
        if not fits:
            return OUT_OF_MEMORY, after, goal
        layers = FrontierLayers(before, here, after)
        ended, number, goal = expand_layer(task, layers, number, tools)
    return ended, after, goal


@kernel(python_entry=False)
def expand_layer(
    task: FrontierTask, layers: FrontierLayers, number: int, tools: SearchTools
) -> tuple[int, int, int]:
    """Expand the rest of the layer, or as much of it as there is room for: how it ended, the next number, a goal."""
    task, layers, tools = borrowed((task, layers, tools))
    control, most = tools.control, most_moves(task.rules)
    nodes = control[NODES] - layers.after.count[0]  # of the layers so far
    expanded = control[EXPANDED] - number
    depth, size = control[DEPTH], layers.here.count[0]
    goal, ended = -1, RUNNING
    while ended == RUNNING and number < size and has_room(layers.after, most):
        if control[EVENTS] < tools.trace.shape[0]:
            note(task, layers, number, expanded, tools)
        ended, goal = expand(task, layers, number, depth, tools.buffer)
        if ended == RUNNING:
            number += 1
            nodes_now = nodes + layers.after.count[0]
            if number & 15 == 0 or nodes_now >= control[NODE_LIMIT]:
                ended = look(control, nodes_now, expanded + number, layers.after.count[0])
    limit = look(control, nodes + layers.after.count[0], expanded + number, layers.after.count[0])
    return limit if ended == RUNNING else ended, number, goal


@kernel(python_entry=False, inline=True)
def expand(
    task: FrontierTask, layers: FrontierLayers, number: int, depth: int, buffer: np.ndarray
) -> tuple[int, int]:
    """Store what is one move from a position of the layer and new: RUNNING, or FOUND and the number of the goal."""
    rules, start, target, has_target, relay = task
    before, here, after = layers
    position = unpack(rules, words_at(here, number, target), start)
    ancestor = number if relay == NO_RELAY or depth == relay else signed(here.parent[number])
    count = moves(rules, position, buffer)
    if not 0 <= count <= most_moves(rules):
        return TOO_MANY_MOVES, -1
    for k in range(count):
        child = play(rules, position, buffer[k])
        packed = pack(rules, child)
        if find(before, packed) < 0 and find(here, packed) < 0:
            there, new = find_or_add(after, packed, ancestor)
            if new and ((packed == target) if has_target else is_goal(rules, child)):
                return FOUND, there
    return RUNNING, -1


@kernel(python_entry=False)
def note(task: FrontierTask, layers: FrontierLayers, number: int, expanded: int, tools: SearchTools) -> None:
    """Record that a position is expanded, with the move that led to it. Positions count from the first layer on."""
    rules, start, target = task.rules, task.start, task.target
    buffer, control, trace = tools
    before, here, _ = layers
    parent, move, depth = -1, -1, control[DEPTH]
    if depth > 0:
        parent = signed(here.parent[number])
        origin = unpack(rules, words_at(before, parent, target), start)
        move = move_between(rules, origin, words_at(here, number, target), buffer)
        parent += expanded - before.count[0]
    record(control, trace, EXPAND, expanded + number, parent, move, depth, here.count[0])
