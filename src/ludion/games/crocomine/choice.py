"""Choice under uncertainty: what to risk when nothing is certain.

`search_to_the_end` plays out every completion when few remain: the value of a set of completions is the
number of them that best play wins. What is known is the set itself (whatever all its members agree on can be
seen for nothing), so one number a set is remembered.

    wins(one completion)      = 1
    wins(set)                 = sum of wins(parts)   for a cell that is the same in all and splits the set
    wins(set)                 = max over actions of sum of wins(parts of those that survive)            else

`look_ahead` weighs the most likely actions by what follows them: the chance to survive the action and the
next one, and the chance that the next one is certain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ludion.games.crocomine.inference import weigh
from ludion.logic.counting import COUNTED, Space
from ludion.verbs import kernel
from ludion.words import mix

FAILED = -1


@kernel
def list_completions(
    rows: int,
    columns: int,
    terrain: Any,
    known: Any,
    clues: Any,
    totals: Any,
    sea: int,
    most: int,
    most_nodes: int,
    cells: Any,
    found: Any,
) -> tuple[int, int]:
    """All ways to fill the hidden cells, one a row of `found`; gives how many (or FAILED) and the number of
    cells.

    A cell's entry is its content, plus 4 if it is sea: 0, 1, 3 on land, 4, 6, 7 in the sea.
    """
    size = rows * columns
    codes = np.array([0, 1, 3, 4, 6, 7])
    dry, wet = size - sea, sea  # cells of land and sea whose place is not known
    clue_of = np.full(size, -1, np.int64)
    need = np.zeros((size + 1, 3), np.int64)
    room = np.zeros((size + 1, 4), np.int64)  # hidden cells that may hold each kind, and all of them
    left = totals.copy()
    clue_count = 0
    hidden = 0
    touched = np.zeros((cells.shape[0], 8), np.int64)
    degree = np.zeros(cells.shape[0], np.int64)
    for cell in range(size):
        if known[cell] > 0:
            left[known[cell] - 1] -= 1
        if known[cell] == -1:
            hidden += 1
        dry -= terrain[cell] == 0
        wet -= terrain[cell] == 1
    if hidden > cells.shape[0]:
        return FAILED, hidden
    taken = np.zeros(size, np.int64)
    near = np.zeros(size, np.int64)
    for place in range(hidden):  # next to what was taken before, so that clues close early
        best, best_score = -1, -1
        for cell in range(size):
            if known[cell] == -1 and not taken[cell]:
                row, column = cell // columns, cell % columns
                score = 16 * near[cell]
                for r in range(max(0, row - 1), min(rows, row + 2)):
                    for c in range(max(0, column - 1), min(columns, column + 2)):
                        score += known[r * columns + c] == 0
                if score > best_score:
                    best, best_score = cell, score
        cells[place] = best
        taken[best] = 1
        row, column = best // columns, best % columns
        for r in range(max(0, row - 2), min(rows, row + 3)):
            for c in range(max(0, column - 2), min(columns, column + 3)):
                near[r * columns + c] += 1
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = r * columns + c
                if known[other] != 0:
                    continue
                if clue_of[other] < 0:
                    clue_of[other] = clue_count
                    for kind in range(3):
                        need[clue_count, kind] = clues[other, kind]
                    for rr in range(max(0, r - 1), min(rows, r + 2)):
                        for cc in range(max(0, c - 1), min(columns, c + 2)):
                            content = known[rr * columns + cc]
                            if content > 0:
                                need[clue_count, content - 1] -= 1
                    clue_count += 1
                clue = clue_of[other]
                touched[place, degree[place]] = clue
                degree[place] += 1
                room[clue, 3] += 1
                room[clue, 0] += terrain[best] != 1
                room[clue, 1] += terrain[best] != 0
                room[clue, 2] += 1
    # Depth first over the cells; `tried` is the number of the code that the cell has now, -1 before the first
    # try.
    tried = np.full(hidden + 1, -1, np.int64)
    depth, count, nodes = 0, 0, 0
    while depth >= 0:
        if depth == hidden:
            if left[0] == 0 and left[1] == 0 and left[2] == 0 and dry == 0 and wet == 0:
                if count >= most:
                    return FAILED, hidden
                for place in range(hidden):
                    found[count, place] = codes[tried[place]]
                count += 1
            depth -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            return FAILED, hidden
        own = terrain[cells[depth]]
        if tried[depth] >= 0:  # take the last try back
            kind = codes[tried[depth]] & 3
            if own == -1:
                dry += codes[tried[depth]] < 4
                wet += codes[tried[depth]] >= 4
            if kind > 0:
                left[kind - 1] += 1
            for i in range(degree[depth]):
                clue = touched[depth, i]
                if kind > 0:
                    need[clue, kind - 1] += 1
                room[clue, 3] += 1
                room[clue, 0] += own != 1
                room[clue, 1] += own != 0
                room[clue, 2] += 1
        tried[depth] += 1
        if own == 1:
            tried[depth] = max(tried[depth], 3)
        if tried[depth] > (2 if own == 0 else 5):
            tried[depth] = -1
            depth -= 1
            continue
        kind = codes[tried[depth]] & 3
        fits = True
        if own == -1:
            dry -= codes[tried[depth]] < 4
            wet -= codes[tried[depth]] >= 4
            fits = dry >= 0 and wet >= 0
        if kind > 0:
            left[kind - 1] -= 1
            fits = fits and left[kind - 1] >= 0
        if left[0] + left[1] + left[2] > hidden - depth - 1:
            fits = False
        for i in range(degree[depth]):
            clue = touched[depth, i]
            if kind > 0:
                need[clue, kind - 1] -= 1
            room[clue, 3] -= 1
            room[clue, 0] -= own != 1
            room[clue, 1] -= own != 0
            room[clue, 2] -= 1
            if (
                need[clue, 0] < 0
                or need[clue, 1] < 0
                or need[clue, 2] < 0
                or need[clue, 0] > room[clue, 0]
                or need[clue, 1] > room[clue, 1]
                or need[clue, 2] > room[clue, 2]
                or need[clue, 0] + need[clue, 1] + need[clue, 2] > room[clue, 3]
            ):
                fits = False
        if fits:
            depth += 1
            tried[depth] = -1
    return count, hidden


@kernel
def search_to_the_end(
    rows: int,
    columns: int,
    flags: bool,
    terrain: Any,
    cells: Any,
    hidden: int,
    found: Any,
    count: int,
    most_nodes: int,
    answer: Any,
) -> int:
    """How many of the completions best play wins, or FAILED; `answer` = cell, content of the first action,
    nodes."""
    answer[2] = 0
    place_of = np.full(rows * columns, -1, np.int64)
    for place in range(hidden):
        place_of[cells[place]] = place
    # What playing the cell shows: the clue if it is empty, and the terrain around where it was not known.
    value, kinds = np.zeros((count, hidden), np.int64), np.zeros((count, hidden), np.int64)
    for place in range(hidden):
        row, column = cells[place] // columns, cells[place] % columns
        shift = 0
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = place_of[r * columns + c]
                if other < 0:
                    continue
                for each in range(count):
                    kind = found[each, other] & 3
                    if other != place and found[each, place] & 3 == 0:
                        value[each, place] += 81 if kind == 1 else 9 if kind == 2 else 1 if kind == 3 else 0
                    if terrain[cells[other]] == -1 and found[each, other] >= 4:
                        value[each, place] += 729 << shift
                shift += terrain[cells[other]] == -1
        shown = np.unique(value[:, place])  # numbered from 0, so that parts can be tallied
        for each in range(count):
            value[each, place] = np.searchsorted(shown, value[each, place])
            kinds[each, place] = found[each, place] & 3
    marks = np.zeros(count, np.int64)
    for each in range(count):
        marks[each] = mix(each, mix(each, 88172645463325252))
    memory_mask = (1 << 16) - 1
    memory_key, memory_value = np.zeros(memory_mask + 1, np.int64), np.zeros(memory_mask + 1, np.int64)
    deepest = 2 * hidden + 4
    arena = np.zeros(count * 40 + 64, np.int64)
    first, last = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)  # the set, in the arena
    top = np.zeros(deepest, np.int64)  # where the frame's own parts begin in the arena
    keys = np.zeros(deepest, np.int64)
    tries = np.zeros((deepest, 4 * hidden, 3), np.int64)  # cell, content, survivors
    try_count, trying = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    bounds = np.zeros((deepest, count + 1), np.int64)  # where the parts of the action tried begin
    part_count, part = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    sum_of, rest, best, best_try = (
        np.zeros(deepest, np.int64),
        np.zeros(deepest, np.int64),
        np.zeros(deepest, np.int64),
        np.zeros(deepest, np.int64),
    )
    tally, spot_of = np.zeros(count, np.int64), np.zeros(count, np.int64)
    distinct = np.zeros(count, np.int64)
    numbers = np.zeros(4, np.int64)
    for each in range(count):
        arena[each] = each
    depth, nodes = 0, 0
    first[0], last[0] = 0, count
    entering = True
    result = 0
    while True:
        if entering:
            nodes += 1
            if nodes > most_nodes:
                return FAILED
            size = last[depth] - first[depth]
            key = mix(size, 1)
            for i in range(first[depth], last[depth]):
                key ^= marks[arena[i]]
            keys[depth] = key
            spot = (key ^ key >> 31) & memory_mask
            if size == 1 or (memory_key[spot] == key and depth > 0):
                result = 1 if size == 1 else memory_value[spot]
                if depth == 0:
                    break
                depth -= 1
                entering = False
                continue
            total_tries, free = 0, False
            for place in range(hidden):
                numbers[:] = 0
                seen_value, varies = -1, False
                for i in range(first[depth], last[depth]):
                    numbers[kinds[arena[i], place]] += 1
                    shown = value[arena[i], place]
                    if seen_value < 0:
                        seen_value = shown
                    elif shown != seen_value:
                        varies = True
                sure = kinds[arena[first[depth]], place]
                if numbers[sure] == size:  # all agree on this cell: whatever it shows costs nothing
                    if varies and (sure == 0 or not flags):
                        tries[depth, 0, 0], tries[depth, 0, 1], tries[depth, 0, 2] = place, sure, size
                        total_tries, free = 1, True
                        break
                    continue
                for kind in range(4 if not flags else 1):
                    if 0 < numbers[kind] < size:
                        tries[depth, total_tries, 0] = place
                        tries[depth, total_tries, 1] = kind
                        tries[depth, total_tries, 2] = numbers[kind]
                        total_tries += 1
            if not free:  # the safest first; discovering before guessing
                for i in range(1, total_tries):
                    t0, t1, t2 = tries[depth, i, 0], tries[depth, i, 1], tries[depth, i, 2]
                    j = i - 1
                    while j >= 0 and (
                        tries[depth, j, 2] < t2 or (tries[depth, j, 2] == t2 and tries[depth, j, 1] > t1)
                    ):
                        tries[depth, j + 1, 0], tries[depth, j + 1, 1], tries[depth, j + 1, 2] = (
                            tries[depth, j, 0],
                            tries[depth, j, 1],
                            tries[depth, j, 2],
                        )
                        j -= 1
                    tries[depth, j + 1, 0], tries[depth, j + 1, 1], tries[depth, j + 1, 2] = t0, t1, t2
            try_count[depth], trying[depth], best[depth], best_try[depth] = total_tries, -1, 0, 0
            part_count[depth], part[depth] = 0, 0
            top[depth] = last[depth] if depth == 0 else top[depth - 1] + rest[depth - 1]
            sum_of[depth] = 0
        else:
            # A part of the action tried is answered.
            sum_of[depth] += result
            index = part[depth]
            done = bounds[depth, index + 1] - bounds[depth, 0]
            whole = tries[depth, trying[depth], 2]
            part[depth] += 1
            if sum_of[depth] + whole - done <= best[depth]:
                part[depth] = part_count[depth]  # cannot become better than the best
            elif part[depth] == part_count[depth]:
                best[depth], best_try[depth] = sum_of[depth], trying[depth]
        if part[depth] == part_count[depth]:
            trying[depth] += 1
            index = trying[depth]
            if index == try_count[depth] or tries[depth, index, 2] <= best[depth]:
                result = best[depth]
                spot = (keys[depth] ^ keys[depth] >> 31) & memory_mask
                memory_key[spot], memory_value[spot] = keys[depth], result
                if depth == 0:
                    break
                depth -= 1
                entering = False
                continue
            place, kind = tries[depth, index, 0], tries[depth, index, 1]
            begin = top[depth]
            survivors = tries[depth, index, 2]
            if begin + survivors >= arena.shape[0]:
                return FAILED
            rest[depth] = survivors
            parts = 0
            for i in range(first[depth], last[depth]):
                if kinds[arena[i], place] == kind:
                    shown = value[arena[i], place]
                    if tally[shown] == 0:
                        distinct[parts] = shown
                        parts += 1
                    tally[shown] += 1
            position = begin
            for i in range(parts):
                bounds[depth, i] = position
                spot_of[distinct[i]] = position
                position += tally[distinct[i]]
                tally[distinct[i]] = 0
            bounds[depth, parts] = position
            for i in range(first[depth], last[depth]):
                if kinds[arena[i], place] == kind:
                    shown = value[arena[i], place]
                    arena[spot_of[shown]] = arena[i]
                    spot_of[shown] += 1
            part_count[depth], part[depth], sum_of[depth] = parts, 0, 0
        first[depth + 1], last[depth + 1] = bounds[depth, part[depth]], bounds[depth, part[depth] + 1]
        depth += 1
        if depth + 1 >= deepest:
            return FAILED
        entering = True
    answer[0] = cells[tries[0, best_try[0], 0]]
    answer[1] = tries[0, best_try[0], 1]
    answer[2] = nodes
    return result


@kernel
def best_next(cells: int, flags: bool, known: Any, chances: Any) -> tuple[float, bool]:
    """The best chance of any action, and whether some cell is certainly safe."""
    best, safe = 0.0, False
    for cell in range(cells):
        if known[cell] != -1:
            continue
        risk = chances[cell, 1] + chances[cell, 2] + chances[cell, 3]
        if risk == 0.0:
            return 1.0, True
        best = max(best, chances[cell, 0])
        if not flags:
            for content in range(1, 4):
                if chances[cell, content] < 1.0 - 1e-12:
                    best = max(best, chances[cell, content])
    return best, safe


@kernel
def look_ahead(
    room: Space,
    rows: int,
    columns: int,
    flags: bool,
    terrain: Any,
    known: Any,
    clues: Any,
    totals: Any,
    sea: int,
    chances: Any,
    size: float,
    actions: Any,
    scores: Any,
    most: int,
) -> int:
    """For each action (cell, content) fill `scores`: chance to survive it; it and the next; that the next is
    certain.

    Gives how many positions were weighed; stops at `most` (the actions not reached score by their chance
    alone).
    """
    cells = rows * columns
    after = known.copy()
    shown = clues.copy()
    new = np.zeros((cells, 4))
    weighed = 0
    likeliest, _ = best_next(cells, flags, known, chances)
    for index in range(actions.shape[0]):
        cell, content = actions[index, 0], actions[index, 1]
        chance = chances[cell, content]
        scores[index, 0] = chance
        scores[index, 1] = chance * likeliest  # unless something better is found out
        scores[index, 2] = 0.0
        if weighed >= most:
            continue
        if content > 0:
            after[cell] = content
            ended, _ = weigh(room, rows, columns, terrain, after, shown, totals, sea, new)
            weighed += 1
            if ended == COUNTED:
                follow, certain = best_next(cells, flags, after, new)
                scores[index, 1] = chance * follow
                scores[index, 2] = chance if certain else 0.0
            after[cell] = -1
            continue
        row, column = cell // columns, cell % columns
        base0 = base1 = base2 = 0
        most0 = most1 = most2 = hidden = 0
        sure = 0
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = r * columns + c
                if other == cell:
                    continue
                if known[other] == 1:
                    base0 += 1
                elif known[other] == 2:
                    base1 += 1
                elif known[other] == 3:
                    base2 += 1
                elif known[other] == -1:
                    hidden += 1
                    most0 += chances[other, 1] > 0.0
                    most1 += chances[other, 2] > 0.0
                    most2 += chances[other, 3] > 0.0
                    sure += chances[other, 0] == 0.0
        after[cell] = 0
        reached = follow_sum = certain_sum = 0.0
        for a in range(most0 + 1):
            for b in range(most1 + 1):
                for c in range(most2 + 1):
                    if a + b + c > hidden or a + b + c < sure:
                        continue
                    shown[cell, 0], shown[cell, 1], shown[cell, 2] = base0 + a, base1 + b, base2 + c
                    ended, after_size = weigh(room, rows, columns, terrain, after, shown, totals, sea, new)
                    weighed += 1
                    if ended != COUNTED:
                        continue
                    share = np.exp(after_size - size)
                    follow, certain = best_next(cells, flags, after, new)
                    reached += share
                    follow_sum += share * follow
                    if certain:
                        certain_sum += share
        after[cell] = -1
        for kind in range(3):
            shown[cell, kind] = clues[cell, kind]
        if reached > 0.0:
            scores[index, 1] = chance * follow_sum / reached
            scores[index, 2] = chance * certain_sum / reached
    return weighed
