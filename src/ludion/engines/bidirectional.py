"""Bidirectional search: breadth first from the start and from all goals, until the two meet.

It needs a puzzle that knows its `goal` or `goals` and whose moves can be followed back (`reverse`, or `moves_back` and
`play_back`). Promise: optimal if all moves cost the same, with about the square root of the positions that one-sided
search sees. The smaller of the two frontiers is extended by a whole layer at a time, so the first meeting is a shortest
one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.answers import Answer
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
    record,
)
from ludion.engines.tables import (
    FIRST_CAPACITY,
    bytes_of,
    find,
    find_or_add,
    grown,
    is_full,
    move_to,
    new_row,
    new_store,
    path_from,
    path_to,
    words_at,
)
from ludion.engines.trial import TOO_MANY_MOVES, run_safely, with_spare
from ludion.errors import UnfitError
from ludion.kinds.games import PUZZLE
from ludion.kinds.puzzle import (
    can_search_backwards,
    goals,
    is_goal,
    most_moves,
    moves,
    moves_back,
    pack,
    play,
    play_back,
    unpack,
)
from ludion.kinds.values import Guide, Rules, State
from ludion.messages import message


def solve(
    rules: Rules, start: State, heuristic: Guide, budget: Budget, observer: Observer | None = None
) -> Answer:
    """Search from both ends. The path has the fewest moves; it is a cheapest one if every move costs the same."""
    if not can_search_backwards(rules):
        raise UnfitError(message("engines.needs_goals", rules=class_name(rules)))
    solved = np.array([pack(rules, each) for each in goals(rules)], np.int64)
    outcome = run_safely(
        PUZZLE,
        rules,
        start,
        None,
        lambda control, trace: search(rules, start, solved, control, trace),
        budget,
        observer,
    )
    ended, path, finished = outcome.result
    return layered_answer(
        "bidirectional", rules, start, outcome, ended, path, int(finished), unsolvable="engines.never_meet"
    )


@kernel
def search(rules: Rules, start: State, solved: np.ndarray, control: np.ndarray, trace: np.ndarray) -> Any:
    """Return how it ended, the moves to the goal, and how many moves were proved too few.

    `solved` has the words of all goals. Each move of the path is played forwards: the stores keep no moves.
    """
    none = new_row(0)
    if is_goal(rules, start):
        control[NODES] = 1
        return FOUND, none, 0
    words = pack(rules, start)
    ahead = new_store(len(words), FIRST_CAPACITY)
    behind = new_store(len(words), FIRST_CAPACITY)
    find_or_add(ahead, words, -1)
    for i in range(solved.shape[0]):
        if is_full(behind):
            behind = grown(behind, words)
        find_or_add(behind, load(solved[i], words), -1)
    most = most_moves(rules)
    buffer = new_row(with_spare(most))
    ahead_from, ahead_to = 0, 1  # the frontier: positions of the last finished layer
    behind_from, behind_to = 0, behind.count[0]
    finished = 0
    expanded = 0
    while ahead_from < ahead_to and behind_from < behind_to:
        forwards = ahead_to - ahead_from <= behind_to - behind_from
        if forwards:
            mine, others, begin, end = ahead, behind, ahead_from, ahead_to
        else:
            mine, others, begin, end = behind, ahead, behind_from, behind_to
        meeting = -1
        meeting_other = -1
        here = begin
        while here < end and meeting < 0:
            while mine.count[0] + most > mine.parent.size:
                needed = bytes_of(len(words), mine.parent.size * 3 + others.parent.size)
                if needed > control[MEMORY_LIMIT] or mine.parent.size >= 1 << 30:
                    control[NODES] = mine.count[0] + others.count[0]
                    return OUT_OF_MEMORY, none, finished
                mine = grown(mine, words)
                control[MEMORY] = needed
            # As in breadth-first search, no array changes in the inner loop.
            while here < end and meeting < 0 and mine.count[0] + most <= mine.parent.size:
                position = unpack(rules, words_at(mine, here, words), start)
                if forwards and control[EVENTS] < trace.shape[0]:
                    move = move_to(rules, mine, here, start, buffer)
                    record(
                        control, trace, EXPAND, here, signed(mine.parent[here]), move, finished, end - begin
                    )
                number_of_moves = (
                    moves(rules, position, buffer) if forwards else moves_back(rules, position, buffer)
                )
                if not 0 <= number_of_moves <= most:
                    return TOO_MANY_MOVES, none, finished
                for k in range(number_of_moves):
                    if forwards:
                        packed = pack(rules, play(rules, position, buffer[k]))
                    else:
                        packed = pack(rules, play_back(rules, position, buffer[k]))
                    number, new = find_or_add(mine, packed, here)
                    if new and meeting < 0:
                        meeting_other = find(others, packed)
                        if meeting_other >= 0:
                            meeting = number
                here += 1
                expanded += 1
                if meeting >= 0:
                    break
                if expanded & 15 == 0 or trace.shape[0] > 0:
                    control[NODES] = mine.count[0] + others.count[0]
                    control[EXPANDED] = expanded
                    control[FRONTIER] = mine.count[0] - end + others.count[0]
                    if control[STOP] != 0:
                        return STOPPED, none, finished
                if mine.count[0] + others.count[0] >= control[NODE_LIMIT]:
                    control[NODES] = mine.count[0] + others.count[0]
                    return OUT_OF_NODES, none, finished
        if forwards:
            ahead, ahead_from, ahead_to = mine, end, mine.count[0]
        else:
            behind, behind_from, behind_to = mine, end, mine.count[0]
        control[NODES] = ahead.count[0] + behind.count[0]
        control[EXPANDED] = expanded
        if meeting >= 0:
            if not forwards:
                meeting, meeting_other = meeting_other, meeting
            first = path_to(rules, ahead, meeting, start)
            second = path_from(rules, behind, meeting_other, start)
            path = new_row(first.size + second.size)
            for i in range(first.size):
                path[i] = first[i]
            for i in range(second.size):
                path[first.size + i] = second[i]
            return FOUND, path, finished
        finished += 1
        control[DEPTH] = finished
    return EXHAUSTED, none, finished
