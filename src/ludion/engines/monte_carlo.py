"""Monte-Carlo tree search (UCT): play random games, and more of those that begin with what went well.

No evaluation is needed, and no promise is made: the share of games won converges to the true value, at a pace that
nobody knows beforehand. Each round walks down the tree by the largest upper confidence bound, adds the moves of the
position it ends at, plays one game to its end with random moves, and counts the result on the way back.

    first[n], children[n]: the children of node n stand in one block   move[n]: the move that leads to n
    visits[n], gains[n]: games through n, and wins less losses of the player who moved there
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ludion.answers import Answer
from ludion.core.verbs import kernel
from ludion.core.words import signed
from ludion.engines.budget import Budget, Observer
from ludion.engines.finish import score_answer
from ludion.engines.limits import (
    BEST,
    DEPTH,
    EXPAND,
    EXPANDED,
    MEMORY,
    NODE_LIMIT,
    NODES,
    OUT_OF_NODES,
    STOP,
    STOPPED,
    record,
)
from ludion.engines.tables import new_row
from ludion.engines.trial import BAD_VERDICT, NO_MOVES, TOO_MANY_MOVES, run_safely, with_spare
from ludion.kinds.duel import DRAWN, LOST, OPEN, copy, most_moves, moves, play, verdict
from ludion.kinds.games import DUEL
from ludion.kinds.values import Guide, Rules, State

PER_NODE = 2 * 4 + 3 * 8  # bytes
LEAST_NODES = 1024  # of the tree, however small the memory
LONGEST_GAME = 400  # plies; a random game that is longer counts as drawn
SCALE = 1000  # points are thousandths of a win
CURIOSITY = 1.0  # weight of the unknown against the good
DEFAULT_SECONDS = 1.0


class Tree(NamedTuple):
    """Nodes in flat arrays; see the module's drawing. Made by NumPy, which takes pages only as they are used."""

    first: np.ndarray
    children: np.ndarray
    move: np.ndarray
    visits: np.ndarray
    gains: np.ndarray


def solve(
    rules: Rules,
    start: State,
    evaluation: Guide,
    budget: Budget,
    observer: Observer | None = None,
    seed: int = 1,
) -> Answer:
    """Play random games until the budget ends (one second if it has no end)."""
    seed = signed(seed)
    if budget.seconds is None and budget.nodes is None:
        budget = replace(budget, seconds=DEFAULT_SECONDS)
    capacity = max(LEAST_NODES, min(budget.memory // PER_NODE, 1 << 24))

    def work(control: Any, trace: Any) -> Any:
        return search(rules, copy(rules, start), new_tree(capacity), seed, control, trace)

    outcome = run_safely(DUEL, rules, start, None, work, budget, observer, short=0)  # it uses all its budget
    ended, line, visits, gain, rounds = outcome.result
    return score_answer(
        "monte-carlo",
        outcome,
        ended,
        line,
        value=round(SCALE * gain / visits) if visits else 0,
        complete=False,
        unfinished="engines.no_game_finished",
        details={"games": int(rounds), "expectation": gain / visits if visits else 0.0},
    )


def new_tree(capacity: int) -> Tree:
    return Tree(
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int32),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.int64),
        np.zeros(capacity, np.float64),
    )


@kernel
def search(rules: Rules, start: State, tree: Tree, seed: int, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the most visited line, the visits and gains of its first move, and the games played."""
    first, count, move_to, visits, gains = tree.first, tree.children, tree.move, tree.visits, tree.gains
    capacity = first.size
    path = new_row(LONGEST_GAME + 2)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    random = new_row(1)
    random[0] = (seed * 2 + 1) & 0x7FFFFFFFFFFFFFFF
    used = 1
    seen = 0
    expanded = 0
    rounds = 0
    deepest = 0
    ended = STOPPED
    while True:
        position = copy(rules, start)
        node = 0
        ply = 0
        path[0] = 0
        result = verdict(rules, position)
        while count[node] > 0 and result == OPEN and ply < LONGEST_GAME:
            node = most_urgent(node, tree)
            position = play(rules, position, move_to[node])
            seen += 1
            ply += 1
            path[ply] = node
            result = verdict(rules, position)
        deepest = max(deepest, ply)
        if result == OPEN and (visits[node] > 0 or node == 0):
            number = moves(rules, position, buffer)
            if number > most:
                return TOO_MANY_MOVES, path[:0], visits[0], gains[0], rounds
            if number <= 0:
                return NO_MOVES, path[:0], visits[0], gains[0], rounds
            if used + number <= capacity:
                first[node] = used
                count[node] = number
                for i in range(number):
                    move_to[used + i] = buffer[i]
                used += number
                expanded += 1
                control[MEMORY] = used * PER_NODE
                parent = path[ply - 1] if ply > 0 else -1
                record(control, trace, EXPAND, node, parent, move_to[node] if ply > 0 else -1, ply, rounds)
        # A random game from here; `sign` is +1 if the player to move at its end is the one to move at the leaf.
        sign = 1
        length = ply
        while result == OPEN and length < LONGEST_GAME:
            number = moves(rules, position, buffer)
            if number > most:
                return TOO_MANY_MOVES, path[:0], visits[0], gains[0], rounds
            if number <= 0:
                return NO_MOVES, path[:0], visits[0], gains[0], rounds
            position = play(rules, position, buffer[below(random, number)])
            seen += 1
            length += 1
            sign = -sign
            result = verdict(rules, position)
        value = 0 if result in (OPEN, DRAWN) else -sign if result == LOST else sign
        if not LOST <= result <= OPEN:
            return BAD_VERDICT, path[:0], visits[0], gains[0], rounds
        # `value` is for the player to move at the leaf; a node counts for the player who moved to it.
        for i in range(ply, -1, -1):
            value = -value
            visits[path[i]] += 1
            gains[path[i]] += value
        rounds += 1
        control[NODES] = seen
        control[EXPANDED] = expanded
        control[DEPTH] = deepest
        if rounds & 63 == 0:
            control[BEST] = signed(-SCALE * gains[0] / visits[0])
        if control[STOP] != 0:
            break
        if seen >= control[NODE_LIMIT]:
            ended = OUT_OF_NODES
            break
    length = 0
    node = 0
    while count[node] > 0 and length < LONGEST_GAME:
        top = signed(first[node])
        for child in range(first[node], first[node] + count[node]):
            if visits[child] > visits[top]:
                top = child
        if visits[top] == 0:
            break
        node = top
        path[length] = move_to[node]
        length += 1
    top = 0
    if length > 0:
        for child in range(first[0], first[0] + count[0]):
            if move_to[child] == path[0]:
                top = child
    return ended, path[:length], visits[top], gains[top], rounds


@kernel(python_entry=False)
def most_urgent(node: int, tree: Tree) -> int:
    """The child with the largest upper confidence bound; one that was never tried comes first."""
    first, count, visits, gains = tree.first, tree.children, tree.visits, tree.gains
    best = -1.0e18
    chosen = signed(first[node])
    total = np.log(np.float64(visits[node]) + 1.0)
    for child in range(first[node], first[node] + count[node]):
        if visits[child] == 0:
            return child
        bound = gains[child] / visits[child] + CURIOSITY * np.sqrt(2.0 * total / visits[child])
        if bound > best:
            best = bound
            chosen = child
    return chosen


@kernel(python_entry=False)
def below(random: Any, limit: int) -> int:
    """A random number from 0 to limit - 1 (xorshift; the state is changed)."""
    state = random[0]
    state = (state ^ (state << 13)) & 0x7FFFFFFFFFFFFFFF
    state ^= state >> 7
    state = (state ^ (state << 17)) & 0x7FFFFFFFFFFFFFFF
    random[0] = state
    return (state >> 16) % limit  # type: ignore[no-any-return]
