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
    EXHAUSTED,
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
from ludion.engines.trial import BAD_VERDICT, NO_MOVES, TOO_MANY_MOVES, new_buffer, run_safely
from ludion.kinds.duel import LOST, OPEN, copy, most_moves, moves, play, verdict
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
        details={"games": int(rounds), "expectation": float(gain / visits) if visits else 0.0},
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
    path = new_row(LONGEST_GAME + 2)
    buffer = new_buffer(most_moves(rules))
    random = new_row(1)
    random[0] = (seed * 2 + 1) & 0x7FFFFFFFFFFFFFFF
    used = 1
    children, move, visits, gains = tree.children, tree.move, tree.visits, tree.gains
    ended = EXHAUSTED
    while ended == EXHAUSTED:
        # Select: walk down the tree to a leaf.
        position = copy(rules, start)
        result = verdict(rules, position)
        ply = node = 0
        while children[node] > 0 and result == OPEN and ply < LONGEST_GAME:
            node = most_urgent(node, tree)
            position = play(rules, position, move[node])
            ply += 1
            path[ply] = node
            result = verdict(rules, position)
        if result == OPEN and (ply == 0 or visits[node] > 0):
            used = expand(rules, position, tree, used, path, ply, buffer, control, trace)
        ended, value, plies = play_out(rules, position, result, ply, buffer, random)
        # Back up: `value` is for the player to move at the leaf; a node counts for the player who moved to it.
        for i in range(ply, -1, -1):
            value = -value
            visits[path[i]] += 1
            gains[path[i]] += value
        control[NODES] += plies
        control[DEPTH] = max(control[DEPTH], ply)
        if visits[0] & 63 == 0:
            control[BEST] = signed(-SCALE * gains[0] / visits[0])
        if ended == EXHAUSTED and control[STOP] != 0:
            ended = STOPPED
        elif ended == EXHAUSTED and control[NODES] >= control[NODE_LIMIT]:
            ended = OUT_OF_NODES
    length = best_line(tree, path)
    first = most_visited(0, tree) if length > 0 else 0
    return ended, path[:length], visits[first], gains[first], visits[0]


@kernel(python_entry=False)
def expand(
    rules: Rules,
    position: State,
    tree: Tree,
    used: int,
    path: Any,
    ply: int,
    buffer: Any,
    control: np.ndarray,
    trace: np.ndarray,
) -> int:
    """Add the moves at the end of the path to the tree, if it has room; return how many nodes are used."""
    number: int = moves(rules, position, buffer)
    if not 0 < number <= min(most_moves(rules), tree.first.size - used):
        return used
    node = path[ply]
    tree.first[node], tree.children[node] = used, number
    for i in range(number):
        tree.move[used + i] = buffer[i]
    control[EXPANDED] += 1
    control[MEMORY] = (used + number) * PER_NODE
    parent, move = (path[ply - 1], tree.move[node]) if ply > 0 else (-1, -1)
    record(control, trace, EXPAND, node, parent, move, ply, tree.visits[0])
    return used + number


@kernel(python_entry=False, inline=True)
def play_out(
    rules: Rules, position: State, result: int, ply: int, buffer: Any, random: Any
) -> tuple[int, int, int]:
    """Play a random game from a leaf.

    Return whether the game kept its contract, its value for the player to move at the leaf, and all its plies.
    """
    most = most_moves(rules)
    sign = 1  # -1 if the other player is to move
    while result == OPEN and ply < LONGEST_GAME:
        number = moves(rules, position, buffer)
        if number > most or number <= 0:
            return TOO_MANY_MOVES if number > 0 else NO_MOVES, 0, ply
        position = play(rules, position, buffer[below(random, number)])
        ply += 1
        sign = -sign
        result = verdict(rules, position)
    if not LOST <= result <= OPEN:
        return BAD_VERDICT, 0, ply
    return EXHAUSTED, 0 if result == OPEN else sign * result, ply


@kernel(python_entry=False)
def best_line(tree: Tree, line: Any) -> int:
    """Write the most visited line; return its length."""
    length = node = 0
    while tree.children[node] > 0 and length < LONGEST_GAME:
        node = most_visited(node, tree)
        if tree.visits[node] == 0:
            break
        line[length] = tree.move[node]
        length += 1
    return length


@kernel(python_entry=False)
def most_visited(node: int, tree: Tree) -> int:
    """The child that most games went through."""
    top = signed(tree.first[node])
    for child in range(tree.first[node], tree.first[node] + tree.children[node]):
        if tree.visits[child] > tree.visits[top]:
            top = child
    return top


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
