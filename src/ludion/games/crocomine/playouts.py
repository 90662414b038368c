"""Playouts: what an action is worth, by playing boards that fit what is seen to their end.

Boards are drawn as likely as they are, and every action is tried on the same ones. From there on a quick player
takes everything that is certain, else the likeliest action, until few completions are left and the search of
`choice` tells what they are worth. Nobody dies in a playout: where the board says that a risk fails, another
board that fits what is known and lets it succeed is drawn, and the result counts by the chance of the risk. So

    worth(action) = chance of the action * mean over boards of (product of the chances taken * rest won)

which has the same mean as counting games won, and spreads much less.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.engines.monte_carlo import below
from ludion.games.crocomine.choice import FAILED, list_completions, search_to_the_end, with_changes
from ludion.games.crocomine.inference import SAFE, Beliefs, Sight, apply_rules_at, combine, settle, weigh
from ludion.games.crocomine.rules import count_around, open_cells, show_terrain
from ludion.logic.counting import COUNTED, Space

MOST_HIDDEN = 90  # cells of an endgame
FEW = 300  # completions that are searched to the end
WORK = 10_000_000  # of that search, in cells of completions looked at
LISTING = 3_000_000  # nodes to list them; one takes as long as NODE of that work
NODE = 16
MOST_WORK = 1_500_000_000  # of all endgames for a decision: about two seconds
FINE = 1 << 30


class Board(NamedTuple):
    """A board with everything on it."""

    animals: Any
    terrain: Any
    clues: Any


@kernel
def empty_board(cells: int) -> Board:
    """Room for a board."""
    return Board(np.zeros(cells, np.int8), np.zeros(cells, np.int8), np.zeros((cells, 3), np.int8))


@kernel
def draw(room: Space, sight: Sight, random: Any, board: Board) -> bool:
    """Make `board` one that fits, each as likely as the others; False if it cannot be counted.

    The frontier is drawn a cell at a time, each by its chances given those before. In the pool all ways to spread
    terrain and animals are equally likely.
    """
    rows, columns, terrain, known = sight.rows, sight.columns, sight.terrain, sight.seen
    animals, ground = board.animals, board.terrain
    cells = rows * columns
    fixed = known.copy()
    assumed = with_changes(sight, fixed, sight.clues)
    chances = np.zeros((cells, 4))
    frontier = np.zeros(cells, np.int64)
    count = 0
    for cell in range(cells):
        if known[cell] != -1:
            continue
        row, column = cell // columns, cell % columns
        touched = False
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                touched |= known[r * columns + c] == 0
        if touched:
            frontier[count] = cell
            count += 1
    while count > 0:
        ended, _ = weigh(room, assumed, chances)
        if ended != COUNTED:
            return False
        doubtful = 0
        for i in range(count):
            cell = frontier[i]
            possible, content = 0, 0
            for each in range(4):
                if chances[cell, each] > 0.0:
                    possible += 1
                    content = each
            if possible > 1 and doubtful > 0:
                frontier[doubtful - 1] = cell
                doubtful += 1
                continue
            if possible > 1:
                doubtful = 1
                point = below(random, FINE) / FINE
                for each in range(4):
                    if chances[cell, each] > 0.0 and point >= 0.0:
                        content = each
                        point -= chances[cell, each]
            fixed[cell] = content if content > 0 else SAFE
        count = doubtful - 1
    dry = cells - sight.sea
    left = sight.totals.copy()
    loose = frontier  # cells to be shuffled
    count = 0
    for cell in range(cells):
        ground[cell] = terrain[cell]
        dry -= terrain[cell] == 0
        animals[cell] = max(0, fixed[cell])
        if fixed[cell] > 0:
            left[fixed[cell] - 1] -= 1
        if terrain[cell] == -1:
            loose[count] = cell
            count += 1
    for i in range(count):
        chosen = i + below(random, count - i)
        loose[i], loose[chosen] = loose[chosen], loose[i]
        ground[loose[i]] = 0 if i < dry else 1
    for kind in range(3):
        count = 0
        for cell in range(cells):
            if fixed[cell] == -1 and animals[cell] == 0 and (kind == 2 or ground[cell] == kind):
                loose[count] = cell
                count += 1
        if left[kind] > count:
            return False
        for i in range(left[kind]):
            chosen = i + below(random, count - i)
            loose[i], loose[chosen] = loose[chosen], loose[i]
            animals[loose[i]] = kind + 1
    count_around(rows, columns, animals, board.clues)
    return True


@kernel
def mark(rows: int, columns: int, cell: int, stale: Any) -> None:
    """The rules of the open cells up to two steps away have to be looked at again."""
    row, column = cell // columns, cell % columns
    for r in range(max(0, row - 2), min(rows, row + 3)):
        for c in range(max(0, column - 2), min(columns, column + 3)):
            stale[r * columns + c] = True


@kernel
def play_out(
    room: Space,
    start: Sight,
    proved: Any,
    first_board: Board,
    action: int,
    content: int,
    random: Any,
    work: Any,
) -> float:
    """The chance to win this board after this action, which succeeds on it; FAILED if it cannot be counted.

    The work of listing and searching the endgame is added to `work[0]`.
    """
    rows, columns, flags = start.rows, start.columns, start.flags
    cells = rows * columns
    terrain, seen, clues = start.terrain.copy(), start.seen.copy(), start.clues.copy()
    sight = Sight(rows, columns, flags, start.totals, start.sea, terrain, seen, clues)
    known, chances = np.zeros(cells, np.int8), np.zeros((cells, 4))
    counted = with_changes(sight, known, clues)
    board = Board(first_board.animals.copy(), first_board.terrain.copy(), first_board.clues.copy())
    certain, stack = proved.copy(), np.zeros(cells + 8, np.int64)
    stale = np.ones(cells, np.bool_)
    hope = 1.0
    certain[action] = content
    while True:
        # Everything certain, the action first.
        while True:
            changed = False
            for cell in range(cells):
                if seen[cell] != -1 or certain[cell] < 0 or (flags and certain[cell] > 0):
                    continue
                if certain[cell] > 0:
                    seen[cell] = certain[cell]
                    show_terrain(rows, columns, cell, board.terrain, terrain)
                else:
                    opened = open_cells(
                        rows,
                        columns,
                        cell,
                        board.terrain,
                        board.animals,
                        board.clues,
                        terrain,
                        seen,
                        clues,
                        stack,
                    )
                    if opened > 1:
                        stale[:] = True
                mark(rows, columns, cell, stale)
            for cell in range(cells):
                if stale[cell]:
                    stale[cell] = False
                    if seen[cell] == 0 and apply_rules_at(sight, certain, cell) > 0:
                        changed = True
                        mark(rows, columns, cell, stale)
            if changed:
                continue
            combine(sight, certain, known)
            hidden, loose, wet = 0, 0, sight.sea
            for cell in range(cells):
                hidden += known[cell] == -1
                loose += terrain[cell] == -1
                wet -= terrain[cell] == 1
            if hidden == 0:
                return hope
            ended, size = weigh(room, counted, chances)
            if ended != COUNTED:
                return float(FAILED)
            if settle(sight, chances, certain) == 0:
                break
            stale[:] = True
        size += room.logs[loose] - room.logs[wet] - room.logs[loose - wet]
        if hidden <= MOST_HIDDEN and size <= np.log(FEW + 0.5):
            places, most = np.zeros(MOST_HIDDEN, np.int64), int(np.exp(size) + 1.5)
            found, answer = np.zeros((most, MOST_HIDDEN), np.int8), np.zeros(4, np.int64)
            count, hidden, nodes = list_completions(counted, True, most, LISTING, places, found)
            work[0] += NODE * nodes
            if count > 0:
                wins = search_to_the_end(sight, places[:hidden], found[:count], WORK, answer)
                work[0] += answer[3]
                if wins != FAILED:
                    return hope * wins / count
        likeliest, risky = 0.0, -1
        for cell in range(cells):
            if known[cell] == -1:
                for each in range(1 if flags else 4):
                    if likeliest < chances[cell, each] < 1.0:
                        likeliest, risky, content = chances[cell, each], cell, each
        if risky < 0:
            return hope
        hope *= likeliest
        certain[risky] = content
        if board.animals[risky] != content:
            known[risky] = content if content > 0 else SAFE
            if not draw(room, counted, random, board):
                return float(FAILED)


@kernel
def compare(
    room: Space,
    sight: Sight,
    certain: Any,
    known: Any,
    beliefs: Beliefs,
    actions: Any,
    boards: int,
    random: Any,
    worths: Any,
) -> int:
    """The number of the best of the actions (cell, content), or FAILED; fills `worths` with what they were worth
    when last played.

    Round by round the better half stays, and plays twice as many boards as in the round before; what is best when
    `MOST_WORK` is done is chosen at once.
    """
    number = actions.shape[0]
    counted, board = with_changes(sight, known, sight.clues), empty_board(sight.rows * sight.columns)
    sums, tries, work = np.zeros(number), np.zeros(number), np.zeros(1, np.int64)
    staying = np.arange(number)
    while len(staying) > 1:
        for _ in range(boards):
            if not draw(room, counted, random, board):
                return FAILED
            for each in staying:
                cell, content = actions[each, 0], actions[each, 1]
                if board.animals[cell] != content:
                    continue
                hope = play_out(room, sight, certain, board, cell, content, random, work)
                if hope < 0.0:
                    return FAILED
                sums[each] += hope
                tries[each] += 1.0
                worths[each] = beliefs.chances[cell, content] * sums[each] / tries[each]
            if work[0] > MOST_WORK:
                break
        boards *= 2
        best_first = staying[np.argsort(-worths[staying], kind="mergesort")]
        staying = np.sort(best_first[: (len(staying) + 1) // 2 if work[0] <= MOST_WORK else 1])
    return int(staying[0])
