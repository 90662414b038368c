"""Playouts: what an action is worth, by playing boards that fit what is seen to their end.

Boards are drawn as likely as they are, and every action is tried on the same ones. From there on a quick player
takes everything that is certain, else the likeliest action, until few completions are left and the search of
`choice` tells what they are worth. Nobody dies in a playout: where the board says that a risk fails, another
board that fits what is known and lets it succeed is drawn, and the result counts by the chance of the risk. So

    value(action) = chance of the action * mean over boards of (product of the chances taken * rest won)

which has the same mean as counting games won, and spreads much less.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.engines.monte_carlo import below
from ludion.games.crocomine.choice import (
    FAILED,
    MOST_ENDGAME_CELLS,
    MOST_LISTING_NODES,
    list_completions,
    search_to_the_end,
    with_seen,
)
from ludion.games.crocomine.inference import (
    NOT_CERTAIN,
    SAFE,
    Beliefs,
    KnownBoard,
    apply_rules_at,
    fill_probabilities,
    write_certain,
    write_known,
)
from ludion.games.crocomine.rules import (
    CONTENTS,
    CROCODILE,
    EMPTY,
    END,
    HIDDEN,
    LAND,
    OPEN,
    SEA,
    TIGER,
    UNKNOWN,
    count_around,
    open_cells,
    show_terrain,
)
from ludion.logic.counting import COUNTED, Workspace

FEW_COMPLETIONS = 300  # searched to the end
SEARCH_WORK = 10_000_000  # of that search, in cells of completions looked at
WORK_PER_NODE = 16  # listing a node takes as long as so much of that work
MOST_WORK = 1_500_000_000  # of all endgames for a decision: about two seconds
RANDOM_STEPS = 1 << 30  # random numbers between 0 and 1 are multiples of 1 / RANDOM_STEPS


class DrawnBoard(NamedTuple):
    """A board with everything on it that was drawn at random."""

    animals: np.ndarray
    terrain: np.ndarray
    clues: np.ndarray


@kernel
def empty_board(cells: int) -> DrawnBoard:
    """Memory for a board."""
    return DrawnBoard(np.zeros(cells, np.int8), np.zeros(cells, np.int8), np.zeros((cells, 3), np.int8))


@kernel
def draw_board(workspace: Workspace, board: KnownBoard, random: np.ndarray, drawn: DrawnBoard) -> bool:
    """Make `drawn` a board that fits, each as likely as the others; False if it cannot be counted.

    The frontier is drawn cell by cell, each by its chances given those before. On the other cells all ways to
    spread terrain and animals are equally likely.
    """
    around, terrain, known = board.around, board.terrain, board.seen
    animals, ground = drawn.animals, drawn.terrain
    cells = known.shape[0]
    fixed = known.copy()
    assumed = with_seen(board, fixed, board.clues)
    chances = np.zeros((cells, CONTENTS))
    frontier = np.zeros(cells, np.int64)
    count = 0
    for cell in range(cells):
        if known[cell] != HIDDEN:
            continue
        touched = False
        for i in range(1, around[cell, END]):
            touched |= known[around[cell, i]] == OPEN
        if touched:
            frontier[count] = cell
            count += 1
    while count > 0:
        ended, _ = fill_probabilities(workspace, assumed, chances)
        if ended != COUNTED:
            return False
        # Fix every certain cell and draw the first uncertain one; the others wait for the next round.
        uncertain = 0
        for i in range(count):
            cell = frontier[i]
            possible, content = 0, EMPTY
            for each in range(CONTENTS):
                if chances[cell, each] > 0.0:
                    possible += 1
                    content = each
            if possible > 1 and uncertain > 0:
                frontier[uncertain - 1] = cell
                uncertain += 1
                continue
            if possible > 1:
                uncertain = 1
                point = below(random, RANDOM_STEPS) / RANDOM_STEPS
                for each in range(CONTENTS):
                    if chances[cell, each] > 0.0 and point >= 0.0:
                        content = each
                        point -= chances[cell, each]
            fixed[cell] = content if content > EMPTY else SAFE
        count = uncertain - 1
    land = cells - board.sea
    left = board.totals.copy()
    candidates = frontier  # cells to be shuffled
    count = 0
    for cell in range(cells):
        ground[cell] = terrain[cell]
        land -= terrain[cell] == LAND
        animals[cell] = max(EMPTY, fixed[cell])
        if fixed[cell] > EMPTY:
            left[fixed[cell] - 1] -= 1
        if terrain[cell] == UNKNOWN:
            candidates[count] = cell
            count += 1
    for i in range(count):
        chosen = i + below(random, count - i)
        candidates[i], candidates[chosen] = candidates[chosen], candidates[i]
        ground[candidates[i]] = LAND if i < land else SEA
    for animal in range(1, CONTENTS):
        home = LAND if animal == TIGER else SEA  # of tigers and sharks
        count = 0
        for cell in range(cells):
            lives = animal == CROCODILE or ground[cell] == home
            if fixed[cell] == HIDDEN and animals[cell] == EMPTY and lives:
                candidates[count] = cell
                count += 1
        if left[animal - 1] > count:
            return False
        for i in range(left[animal - 1]):
            chosen = i + below(random, count - i)
            candidates[i], candidates[chosen] = candidates[chosen], candidates[i]
            animals[candidates[i]] = animal
    count_around(around, animals, drawn.clues)
    return True


@kernel
def mark_stale(within_two: np.ndarray, cell: int, stale: np.ndarray) -> None:
    """The rules of the open cells up to two steps away have to be looked at again."""
    stale[cell] = True
    for i in range(1, within_two[cell, END]):
        stale[within_two[cell, i]] = True


@kernel
def play_out(
    workspace: Workspace,
    start: KnownBoard,
    proved: np.ndarray,
    first_board: DrawnBoard,
    action: int,
    content: int,
    random: np.ndarray,
    work: np.ndarray,
) -> float:
    """The chance to win this board after this action, which succeeds on it; FAILED if it cannot be counted.

    The work of listing and searching the endgame is added to `work[0]`.
    """
    around, within_two, flags = start.around, start.within_two, start.flags
    cells = start.seen.shape[0]
    terrain, seen, clues = start.terrain.copy(), start.seen.copy(), start.clues.copy()
    board = KnownBoard(
        start.columns, around, within_two, flags, start.totals, start.sea, terrain, seen, clues
    )
    known, chances = np.zeros(cells, np.int8), np.zeros((cells, CONTENTS))
    counted = with_seen(board, known, clues)
    drawn = DrawnBoard(first_board.animals.copy(), first_board.terrain.copy(), first_board.clues.copy())
    certain, stack = proved.copy(), np.zeros(cells, np.int64)
    stale = np.ones(cells, np.bool_)
    survival = 1.0
    certain[action] = content
    while True:
        # Everything certain, the action first.
        while True:
            changed = False
            for cell in range(cells):
                if seen[cell] != HIDDEN or certain[cell] == NOT_CERTAIN or (flags and certain[cell] > EMPTY):
                    continue
                if certain[cell] > EMPTY:
                    seen[cell] = certain[cell]
                    show_terrain(around, cell, drawn.terrain, terrain)
                else:
                    opened = open_cells(
                        around,
                        cell,
                        drawn.terrain,
                        drawn.animals,
                        drawn.clues,
                        terrain,
                        seen,
                        clues,
                        stack,
                    )
                    if opened > 1:
                        stale[:] = True
                mark_stale(within_two, cell, stale)
            for cell in range(cells):
                if stale[cell]:
                    stale[cell] = False
                    if seen[cell] == OPEN and apply_rules_at(board, certain, cell) > 0:
                        changed = True
                        mark_stale(within_two, cell, stale)
            if changed:
                continue
            write_known(board, certain, known)
            hidden, unknown, sea = 0, 0, board.sea
            for cell in range(cells):
                hidden += known[cell] == HIDDEN
                unknown += terrain[cell] == UNKNOWN
                sea -= terrain[cell] == SEA
            if hidden == 0:
                return survival
            ended, log_models = fill_probabilities(workspace, counted, chances)
            if ended != COUNTED:
                return float(FAILED)
            if write_certain(board, chances, certain) == 0:
                break
            stale[:] = True
        # Few completions left, with all ways to spread land and sea: search them to the end.
        logs = workspace.log_factorials
        log_models += logs[unknown] - logs[sea] - logs[unknown - sea]
        if hidden <= MOST_ENDGAME_CELLS and log_models <= np.log(FEW_COMPLETIONS + 0.5):
            places, most = np.zeros(MOST_ENDGAME_CELLS, np.int64), int(np.exp(log_models) + 1.5)
            completions = np.zeros((most, MOST_ENDGAME_CELLS), np.int8)
            count, hidden, nodes = list_completions(
                counted, True, most, MOST_LISTING_NODES, places, completions
            )
            work[0] += WORK_PER_NODE * nodes
            if count > 0:
                result = search_to_the_end(board, places[:hidden], completions[:count], SEARCH_WORK)
                work[0] += result.work
                if result.wins != FAILED:
                    return survival * result.wins / count
        # Else the likeliest action.
        likeliest, risky = 0.0, -1
        for cell in range(cells):
            if known[cell] == HIDDEN:
                for each in range(1 if flags else CONTENTS):
                    if likeliest < chances[cell, each] < 1.0:
                        likeliest, risky, content = chances[cell, each], cell, each
        if risky < 0:
            return survival
        survival *= likeliest
        certain[risky] = content
        if drawn.animals[risky] != content:
            known[risky] = content if content > EMPTY else SAFE
            if not draw_board(workspace, counted, random, drawn):
                return float(FAILED)


@kernel
def compare_by_playouts(
    workspace: Workspace,
    board: KnownBoard,
    certain: np.ndarray,
    known: np.ndarray,
    beliefs: Beliefs,
    actions: np.ndarray,
    boards: int,
    random: np.ndarray,
    values: np.ndarray,
) -> int:
    """The index of the best of the actions (cell, content), or FAILED; fills `values` with what they were worth
    when last played.

    Round by round the better half stays, and plays twice as many boards as in the round before; what is best when
    `MOST_WORK` is done is chosen at once.
    """
    number = actions.shape[0]
    counted, drawn = with_seen(board, known, board.clues), empty_board(board.seen.shape[0])
    sums, tries, work = np.zeros(number), np.zeros(number), np.zeros(1, np.int64)
    remaining = np.arange(number)
    while len(remaining) > 1:
        for _ in range(boards):
            if not draw_board(workspace, counted, random, drawn):
                return FAILED
            for each in remaining:
                cell, content = actions[each, 0], actions[each, 1]
                if drawn.animals[cell] != content:
                    continue
                chance_to_win = play_out(workspace, board, certain, drawn, cell, content, random, work)
                if chance_to_win < 0.0:
                    return FAILED
                sums[each] += chance_to_win
                tries[each] += 1.0
                values[each] = beliefs.chances[cell, content] * sums[each] / tries[each]
            if work[0] > MOST_WORK:
                break
        boards *= 2
        best_first = remaining[np.argsort(-values[remaining], kind="mergesort")]
        remaining = np.sort(best_first[: (len(remaining) + 1) // 2 if work[0] <= MOST_WORK else 1])
    return int(remaining[0])
