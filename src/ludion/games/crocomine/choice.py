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

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.games.crocomine.inference import Beliefs, Sight, weigh
from ludion.logic.counting import COUNTED, Space

FAILED = -1
EXACT = 1 << 20  # risks deep: to the end
ENTER, ANSWERED, TRY = 0, 1, 2


@kernel
def list_completions(
    sight: Sight, whole: bool, most: int, most_nodes: int, cells: Any, found: Any
) -> tuple[int, int, int]:
    """All ways to fill the hidden cells, one a row of `found`; gives how many (or FAILED), the number of
    cells, and the work done in nodes.

    A cell's entry is its content, plus 4 if it is sea: 0, 1, 3 on land, 4, 6, 7 in the sea. Unless the hidden
    cells are the `whole` rest of the board, the totals do not bind them.
    """
    rows, columns, terrain, known, clues = sight.rows, sight.columns, sight.terrain, sight.seen, sight.clues
    size = rows * columns
    codes = np.array([0, 1, 3, 4, 6, 7])
    dry, wet = size - sight.sea, sight.sea  # cells of land and sea whose place is not known
    clue_of = np.full(size, -1, np.int64)
    need = np.zeros((size + 1, 3), np.int64)
    room = np.zeros((size + 1, 4), np.int64)  # hidden cells that may hold each kind, and all of them
    left = sight.totals.copy()
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
        return FAILED, hidden, 0
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
            if not whole or (left[0] == 0 and left[1] == 0 and left[2] == 0 and dry == 0 and wet == 0):
                if count >= most:
                    return FAILED, hidden, nodes
                for place in range(hidden):
                    found[count, place] = codes[tried[place]]
                count += 1
            depth -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            return FAILED, hidden, nodes
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
        if whole and left[0] + left[1] + left[2] > hidden - depth - 1:
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
    return count, hidden, nodes


@kernel
def find_components(sight: Sight, component: Any) -> int:
    """Number the hidden cells by component (-1: not hidden): cells that touch, or that touch the same open cell.
    Gives how many there are.

    Whatever is played in one component shows nothing of another: only the totals link them.
    """
    rows, columns, known = sight.rows, sight.columns, sight.seen
    stack = np.zeros(rows * columns, np.int64)
    component[:] = -1
    count = 0
    for start in range(rows * columns):
        if known[start] != -1 or component[start] >= 0:
            continue
        component[start] = count
        stack[0] = start
        top = 1
        while top:
            top -= 1
            row, column = stack[top] // columns, stack[top] % columns
            for r in range(max(0, row - 2), min(rows, row + 3)):
                for c in range(max(0, column - 2), min(columns, column + 3)):
                    other = r * columns + c
                    if known[other] != -1 or component[other] >= 0:
                        continue
                    linked = abs(r - row) < 2 and abs(c - column) < 2
                    for rr in range(max(0, r - 1, row - 1), min(rows, r + 2, row + 2)):
                        for cc in range(max(0, c - 1, column - 1), min(columns, c + 2, column + 2)):
                            linked |= known[rr * columns + cc] == 0
                    if linked:
                        component[other] = count
                        stack[top] = other
                        top += 1
        count += 1
    return count


@kernel
def show_values(sight: Sight, cells: Any, found: Any, value: Any) -> None:
    """What playing each cell shows in each completion: the clue if it is empty, and the terrain around where it
    was not known. `value[completion, place]` numbers what is shown there, from 0."""
    rows, columns, terrain = sight.rows, sight.columns, sight.terrain
    count, hidden = value.shape
    place_of = np.full(rows * columns, -1, np.int64)
    for place in range(hidden):
        place_of[cells[place]] = place
    shown = np.zeros(count, np.int64)
    for place in range(hidden):
        row, column = cells[place] // columns, cells[place] % columns
        shown[:] = 0
        shift = 0
        for r in range(max(0, row - 1), min(rows, row + 2)):
            for c in range(max(0, column - 1), min(columns, column + 2)):
                other = place_of[r * columns + c]
                if other < 0:
                    continue
                unknown = terrain[cells[other]] == -1
                for each in range(count):
                    kind = found[each, other] & 3
                    if other != place and found[each, place] & 3 == 0:
                        shown[each] += 81 if kind == 1 else 9 if kind == 2 else 1 if kind == 3 else 0
                    if unknown and found[each, other] >= 4:
                        shown[each] += 729 << shift
                shift += unknown
        ranks = np.unique(shown)
        for each in range(count):
            value[each, place] = np.searchsorted(ranks, shown[each])


@kernel
def survey(
    members: Any,
    first: int,
    last: int,
    hidden: int,
    kind_count: int,
    kinds: Any,
    value: Any,
    numbers: Any,
    spread: Any,
) -> None:
    """How many of the set hold each kind in each cell (`numbers[kind, place]`), and the lowest and highest of
    what playing the cell as that kind can show (`spread[2 * kind, place]` and `spread[2 * kind + 1, place]`).
    """
    for kind in range(kind_count):
        for place in range(hidden):
            numbers[kind, place] = 0
            spread[2 * kind, place] = 1 << 30
            spread[2 * kind + 1, place] = -1
    for i in range(first, last):
        each = members[i]
        for kind in range(kind_count):
            for place in range(hidden):
                shown = value[each, place]
                same = kinds[each, place] == kind
                numbers[kind, place] += same
                spread[2 * kind, place] = min(spread[2 * kind, place], shown if same else np.int32(1 << 30))
                spread[2 * kind + 1, place] = max(
                    spread[2 * kind + 1, place], shown if same else np.int32(-1)
                )


@kernel
def search_to_the_end(sight: Sight, cells: Any, found: Any, most_work: int, answer: Any) -> int:
    """How many of the completions best play wins, or FAILED if the work allowed ends before one risk is weighed.

    Searched one risk deeper at a time; beyond the last one, the safest action stands for what follows, so the
    number is an upper bound until it is exact. `answer` = cell, content of the first action, how many risks deep
    it was searched (EXACT: to the end), work done.
    """
    count, hidden = found.shape[0], cells.shape[0]
    value, kinds = np.zeros((count, hidden), np.int32), np.zeros((count, hidden), np.int8)
    show_values(sight, cells, found, value)
    marks = np.zeros(count, np.int64)
    for each in range(count):
        marks[each] = mix(each, mix(each, 88172645463325252))
        for place in range(hidden):
            kinds[each, place] = found[each, place] & 3
    kind_count = 1 if sight.flags else 4
    # What is remembered of a set: its wins or an upper bound, how many risks deep that is, and the best action.
    slots = 1 << 10
    while slots < 32 * count and slots < 1 << 18:
        slots *= 2
    memory_key, memory_value = np.zeros(slots, np.int64), np.zeros(slots, np.int32)
    memory_risks, memory_try = np.zeros(slots, np.int32), np.full(slots, -1, np.int32)
    # One frame a depth. Sets lie on the stack `members`; the parts of the action tried on three stacks: where
    # each begins, its key, the bound of its wins.
    deepest, room = 2 * hidden + 4, 24 * count + 64
    members, edges = np.zeros(room, np.int32), np.zeros(room, np.int32)
    edge_keys, edge_bounds = np.zeros(room, np.int64), np.zeros(room, np.int32)
    first, last, keys = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    top, edge_top = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    risks = np.zeros(deepest, np.int64)  # taken before this frame
    free = np.zeros(deepest, np.int64)  # frames that take no risk: they sum over what the certain cells show
    survivors = np.zeros((deepest, 4 * hidden), np.int32)  # of action 4 * place + kind; 0 if not worth a try
    trying, part_count, part = np.zeros((3, deepest), np.int64)
    sum_of, to_come, all_exact = np.zeros((3, deepest), np.int64)
    best, best_try, best_exact = np.zeros((3, deepest), np.int64)
    numbers, spread = np.zeros((4, hidden), np.int32), np.zeros((8, hidden), np.int32)
    groups = 4
    while groups < 2 * count:
        groups *= 2
    group_sign, group_stamp = np.zeros(groups, np.int64), np.zeros(groups, np.int64)
    group_part, part_of, part_size = (
        np.zeros(groups, np.int32),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
    )
    for each in range(count):
        members[each] = each
        keys[0] ^= marks[each]
    first[0], last[0], top[0] = 0, count, count
    stamp, work, wins = 0, 0, FAILED
    for limit in range(1, hidden + 2):
        depth, step, result, exact = 0, ENTER, 0, False
        while depth >= 0:
            if step == ENTER:
                size = last[depth] - first[depth]
                left = limit - risks[depth]
                spot = (keys[depth] ^ keys[depth] >> 29) & (slots - 1)
                remembered = memory_key[spot] == keys[depth]
                if size == 1 or (remembered and depth > 0 and memory_risks[spot] >= left):
                    result = 1 if size == 1 else memory_value[spot]
                    exact = size == 1 or memory_risks[spot] == EXACT
                    depth -= 1
                    step = ANSWERED
                    continue
                work += size * hidden * kind_count
                answer[3] = work
                if work > most_work:
                    return wins
                survey(members, first[depth], last[depth], hidden, kind_count, kinds, value, numbers, spread)
                most, safest, sure = 0, 0, -1
                best[depth], best_try[depth], best_exact[depth] = 0, 0, 0
                for place in range(hidden):
                    for kind in range(kind_count):
                        number, action = numbers[kind, place], 4 * place + kind
                        lives = spread[2 * kind, place] < spread[2 * kind + 1, place]
                        survivors[depth, action] = number if lives and number < size else 0
                        most = max(most, survivors[depth, action])
                        if lives and number == size:
                            sure = action
                        if safest < number and number < size:
                            safest, best_try[depth] = number, action
                free[depth] = sure >= 0
                if sure < 0 and (most <= 1 or left == 0):
                    # What shows nothing can wait to the end; if nothing else is left, one completion is won.
                    result, exact = max(1, most), most <= 1
                    memory_key[spot], memory_value[spot] = keys[depth], result
                    memory_risks[spot], memory_try[spot] = EXACT if exact else left, -1
                    best[depth], best_exact[depth] = result, exact
                    depth -= 1
                    step = ANSWERED
                    continue
                trying[depth] = sure
                if sure >= 0:
                    survivors[depth, :] = 0
                    survivors[depth, sure] = size
                elif remembered:
                    trying[depth] = memory_try[spot]
                if trying[depth] < 0 or survivors[depth, trying[depth]] == 0:
                    trying[depth] = np.argmax(survivors[depth])
                if depth > 0:
                    above = edge_top[depth - 1] + part_count[depth - 1]
                    top[depth], edge_top[depth] = edges[above], above + 1
                step = TRY
            elif step == ANSWERED:  # for a part of the action tried
                index = edge_top[depth] + part[depth]
                sum_of[depth] += result
                to_come[depth] -= edge_bounds[index]
                all_exact[depth] &= exact
                part[depth] += 1
                step = TRY
                if sum_of[depth] + to_come[depth] > best[depth]:
                    if part[depth] < part_count[depth]:
                        first[depth + 1], last[depth + 1] = edges[index + 1], edges[index + 2]
                        keys[depth + 1] = edge_keys[index + 1]
                        depth += 1
                        step = ENTER
                        continue
                    best[depth], best_try[depth] = sum_of[depth], trying[depth]
                    best_exact[depth] = all_exact[depth]
                survivors[depth, trying[depth]] = 0
                trying[depth] = np.argmax(survivors[depth])
            else:
                action = trying[depth]
                size = last[depth] - first[depth]
                if survivors[depth, action] <= best[depth]:  # nothing better is left
                    result, exact = best[depth], best_exact[depth] == 1
                    spot = (keys[depth] ^ keys[depth] >> 29) & (slots - 1)
                    memory_key[spot], memory_value[spot] = keys[depth], result
                    memory_risks[spot] = EXACT if exact else limit - risks[depth]
                    memory_try[spot] = best_try[depth]
                    depth -= 1
                    step = ANSWERED
                    continue
                if max(top[depth], edge_top[depth]) + size + 2 > room or depth + 2 > deepest:
                    return wins
                work += 8 * size
                place, kind = action // 4, action % 4
                stamp += 1
                parts, base = 0, edge_top[depth]
                for i in range(size):
                    each = members[first[depth] + i]
                    part_of[i] = -1
                    if kinds[each, place] != kind:
                        continue
                    sign: int = value[each, place]
                    if free[depth]:
                        sign = 0
                        for other in range(hidden):
                            own = kinds[each, other]
                            if own < kind_count and numbers[own, other] == size:
                                sign = mix(value[each, other], sign)
                    group = (sign ^ sign >> 29) & (groups - 1)
                    while group_stamp[group] == stamp and group_sign[group] != sign:
                        group = (group + 1) & (groups - 1)
                    if group_stamp[group] != stamp:
                        group_stamp[group], group_sign[group], group_part[group] = stamp, sign, parts
                        part_size[parts], edge_keys[base + parts] = 0, 0
                        parts += 1
                    part_of[i] = group_part[group]
                    part_size[part_of[i]] += 1
                    edge_keys[base + part_of[i]] ^= marks[each]
                position, bound = top[depth], 0
                for i in range(parts):
                    edges[base + i] = position
                    spot = (edge_keys[base + i] ^ edge_keys[base + i] >> 29) & (slots - 1)
                    edge_bounds[base + i] = part_size[i]
                    if part_size[i] > 1 and memory_key[spot] == edge_keys[base + i]:
                        edge_bounds[base + i] = memory_value[spot]
                    bound += edge_bounds[base + i]
                    position += part_size[i]
                    part_size[i] = edges[base + i]  # from here on where its next member goes
                if bound <= best[depth]:
                    survivors[depth, action] = 0
                    trying[depth] = np.argmax(survivors[depth])
                    continue
                edges[base + parts] = position
                for i in range(size):
                    if part_of[i] >= 0:
                        members[part_size[part_of[i]]] = members[first[depth] + i]
                        part_size[part_of[i]] += 1
                part_count[depth], part[depth], all_exact[depth] = parts, 0, 1
                sum_of[depth], to_come[depth] = 0, bound
                first[depth + 1], last[depth + 1], keys[depth + 1] = (
                    edges[base],
                    edges[base + 1],
                    edge_keys[base],
                )
                risks[depth + 1] = risks[depth] + 1 - free[depth]
                depth += 1
                step = ENTER
        wins = best[0]
        answer[0], answer[1] = cells[best_try[0] // 4], best_try[0] % 4
        answer[2] = EXACT if best_exact[0] else limit
        if best_exact[0]:
            break
    return wins


@kernel
def with_changes(sight: Sight, seen: Any, clues: Any) -> Sight:
    """The same board, but with this seen: what is assumed of it can be changed in place."""
    return Sight(sight.rows, sight.columns, sight.flags, sight.totals, sight.sea, sight.terrain, seen, clues)


@kernel
def worth(sight: Sight, touched: Any, chances: Any, size: float, taste: Any) -> float:
    """The logarithm of what a position is worth, but for a constant.

    `taste` weighs three doubts: the risk of the safest action if no cell is known to be safe, the number of
    completions (`size`, its logarithm), and how open the contents of the frontier are (the sum of their
    entropies).
    """
    best, doubt, safe, settled = 0.0, 0.0, False, True
    for cell in range(sight.rows * sight.columns):
        if sight.seen[cell] != -1:
            continue
        for content in range(4):
            chance = chances[cell, content]
            if chance <= 0.0:
                continue
            if chance >= 1.0 - 1e-12:
                safe |= content == 0
                continue
            settled = False
            if content == 0 or not sight.flags:
                best = max(best, chance)
            if touched[cell]:
                doubt -= chance * np.log(chance)
    risk = 0.0 if safe or settled else np.log(max(best, 1e-9))
    return float(taste[0] * risk - taste[1] * size - taste[2] * doubt)


@kernel
def touch(sight: Sight, cell: int, touched: Any, number: int) -> None:
    """Count the cell once more (or less) among the open ones around each of its neighbours."""
    rows, columns = sight.rows, sight.columns
    row, column = cell // columns, cell % columns
    for r in range(max(0, row - 1), min(rows, row + 2)):
        for c in range(max(0, column - 1), min(columns, column + 2)):
            touched[r * columns + c] += number


@kernel
def find_pairs(room: Space, sight: Sight, beliefs: Beliefs, least: float, threat: Any) -> int:
    """Fill `threat` of each cell with the chance that it is half of a 50/50 that nothing can decide (Minesweeper).

    Two cells that touch, just one of them a mine, are such a pair if all cells that touch only one of them are
    mines too: then no number will ever tell them apart. Pairs less likely than `least` are left out. Gives how
    many positions were weighed.
    """
    rows, columns, known, chances = sight.rows, sight.columns, sight.seen, beliefs.chances
    cells = rows * columns
    after = known.copy()
    assumed = with_changes(sight, after, sight.clues)
    new = np.zeros((cells, 4))
    apart = np.zeros(12, np.int64)
    weighed = 0
    threat[:] = 0.0
    for cell in range(cells):
        for down in range(2):
            row, column = cell // columns, cell % columns
            other_row, other_column = row + down, column + 1 - down
            if other_row == rows or other_column == columns:
                continue
            other = other_row * columns + other_column
            if known[cell] != -1 or known[other] != -1:
                continue
            if (
                max(chances[cell, 0], chances[other, 0]) == 1.0
                or min(chances[cell, 0], chances[other, 0]) == 0.0
            ):
                continue
            likely, count = 1.0, 0
            for r in range(max(0, row - 1), min(rows, other_row + 2)):
                for c in range(max(0, column - 1), min(columns, other_column + 2)):
                    here = r * columns + c
                    near = abs(r - row) < 2 and abs(c - column) < 2
                    both = near and abs(r - other_row) < 2 and abs(c - other_column) < 2
                    if both or known[here] > 0:
                        continue
                    if known[here] == 0:
                        likely = 0.0
                        continue
                    likely *= 1.0 - chances[here, 0]
                    apart[count] = here
                    count += 1
            if likely == 0.0 or likely < least:
                continue
            for i in range(count):
                after[apart[i]] = 1
            ended, sealed = weigh(room, assumed, new)
            weighed += 1
            if ended == COUNTED:
                one, two, both_mines = 1.0 - new[cell, 0], 1.0 - new[other, 0], 0.0
                after[cell] = 1
                ended, _ = weigh(room, assumed, new)
                weighed += 1
                if ended == COUNTED:
                    both_mines = one * (1.0 - new[other, 0])
                after[cell] = -1
                chance = np.exp(sealed - beliefs.log_models) * (one + two - 2.0 * both_mines)
                threat[cell] = max(threat[cell], chance)
                threat[other] = max(threat[other], chance)
            for i in range(count):
                after[apart[i]] = -1
    return weighed


@kernel
def look_ahead(
    room: Space, sight: Sight, beliefs: Beliefs, actions: Any, scores: Any, taste: Any, most: int
) -> int:
    """For each action (cell, content) fill `scores`: chance to survive it; the same times the worth of what
    follows; how many different things it can show.

    Gives how many positions were weighed; stops at `most` (the actions not reached score by their chance
    alone).
    """
    rows, columns, known, clues = sight.rows, sight.columns, sight.seen, sight.clues
    chances, size = beliefs
    cells = rows * columns
    after = known.copy()
    shown = clues.copy()
    assumed = with_changes(sight, after, shown)
    touched = np.zeros(cells, np.int64)
    for cell in range(cells):
        if known[cell] == 0:
            touch(sight, cell, touched, 1)
    new = np.zeros((cells, 4))
    weighed = 0
    now = np.exp(worth(sight, touched, chances, 0.0, taste))
    for index in range(actions.shape[0]):
        cell, content = actions[index, 0], actions[index, 1]
        chance = chances[cell, content]
        scores[index, 0] = chance
        scores[index, 1] = chance * now  # unless something better is found out
        scores[index, 2] = 1.0
        if weighed >= most:
            continue
        if content > 0:
            after[cell] = content
            ended, after_size = weigh(room, assumed, new)
            weighed += 1
            if ended == COUNTED:
                scores[index, 1] = chance * np.exp(worth(assumed, touched, new, after_size - size, taste))
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
        touch(sight, cell, touched, 1)
        reached = follow_sum = 0.0
        outcomes = 0
        for a in range(most0 + 1):
            for b in range(most1 + 1):
                for c in range(most2 + 1):
                    if a + b + c > hidden or a + b + c < sure:
                        continue
                    shown[cell, 0], shown[cell, 1], shown[cell, 2] = base0 + a, base1 + b, base2 + c
                    ended, after_size = weigh(room, assumed, new)
                    weighed += 1
                    if ended != COUNTED:
                        continue
                    share = np.exp(after_size - size)
                    reached += share
                    follow_sum += share * np.exp(worth(assumed, touched, new, after_size - size, taste))
                    outcomes += 1
        after[cell] = -1
        touch(sight, cell, touched, -1)
        for kind in range(3):
            shown[cell, kind] = clues[cell, kind]
        if reached > 0.0:
            scores[index, 1] = chance * follow_sum / reached
            scores[index, 2] = outcomes
    return weighed
