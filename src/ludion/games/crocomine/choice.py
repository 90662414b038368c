"""Choice under uncertainty: what to risk when nothing is certain.

`search_to_the_end` plays out every completion when few remain: the value of a set of completions is the
number of them that best play wins. What is known is the set itself (whatever all its members agree on can be
seen for nothing), so one number per set is remembered.

    wins(one completion)      = 1
    wins(set)                 = sum of wins(parts)   for a cell that is the same in all and splits the set
    wins(set)                 = max over actions of sum of wins(parts of those that survive)            else

`look_ahead` weighs the most likely actions by what follows them: the chance to survive the action and the
next one, and the chance that the next one is certain.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.games.crocomine.inference import Beliefs, KnownBoard, fill_probabilities
from ludion.games.crocomine.rules import (
    CONTENTS,
    CROCODILE,
    EMPTY,
    END,
    HIDDEN,
    LAND,
    OPEN,
    SEA,
    SHARK,
    TIGER,
    UNKNOWN,
)
from ludion.logic.counting import COUNTED, MOST_LINKS, Workspace

FAILED = -1
NONE = -1  # no index
SURVIVAL, VALUE, OBSERVATIONS = 0, 1, 2  # the columns of the scores of actions
EXACT = 1 << 20  # in place of a number of risks: searched to the end
MOST_ENDGAME_CELLS = 90  # hidden cells whose completions are listed
MOST_LISTING_NODES = 3_000_000  # of listing them

# A completion has a number for each hidden cell: its content, plus IN_SEA if the cell is sea.
IN_SEA = 4
CONTENT_MASK = IN_SEA - 1
FIRST_IN_SEA = 3  # the numbers in the order they are tried: EMPTY, TIGER, CROCODILE on land, then in the sea
LAST_ON_LAND, LAST_IN_SEA = 2, 5

# What a cell shows, as one number: its clue has three digits below 9, and the terrain around it comes above them.
TIGER_DIGIT, SHARK_DIGIT, CROCODILE_DIGIT, TERRAIN_DIGIT = 81, 9, 1, 729


class EndgameResult(NamedTuple):
    """What `search_to_the_end` found."""

    wins: int  # completions that best play wins, or FAILED
    cell: int  # of the first action
    content: int
    risks: int  # how many risks deep it was searched, or EXACT
    work: int  # cells of completions looked at


@kernel
def list_completions(
    board: KnownBoard, whole: bool, most: int, most_nodes: int, cells: np.ndarray, completions: np.ndarray
) -> tuple[int, int, int]:
    """All ways to fill the hidden cells, each a row of `completions`; gives how many (or FAILED), the number of
    cells, and the work done in nodes.

    Unless the hidden cells are the `whole` rest of the board, the totals do not bind them.
    """
    around, within_two = board.around, board.within_two
    terrain, known, clues = board.terrain, board.seen, board.clues
    size = known.shape[0]
    codes = np.array([EMPTY, TIGER, CROCODILE, IN_SEA + EMPTY, IN_SEA + SHARK, IN_SEA + CROCODILE])
    land, sea = size - board.sea, board.sea  # cells of land and sea whose place is not known
    clue_of = np.full(size, NONE, np.int64)
    need = np.zeros(clues.shape, np.int64)
    # Of each clue: hidden cells that may hold each kind; a crocodile may be in all of them.
    capacity = np.zeros(clues.shape, np.int64)
    left = board.totals.copy()
    clue_count = 0
    hidden = 0
    touched = np.zeros((cells.shape[0], MOST_LINKS), np.int64)
    degree = np.zeros(cells.shape[0], np.int64)
    for cell in range(size):
        if known[cell] > EMPTY:
            left[known[cell] - 1] -= 1
        hidden += known[cell] == HIDDEN
        land -= terrain[cell] == LAND
        sea -= terrain[cell] == SEA
    if hidden > cells.shape[0]:
        return FAILED, hidden, 0
    taken = np.zeros(size, np.int64)
    near = np.zeros(size, np.int64)
    for place in range(hidden):  # next to what was taken before, so that clues close early
        best, best_score = NONE, -1
        for cell in range(size):
            if known[cell] == HIDDEN and not taken[cell]:
                score = 16 * near[cell]
                for i in range(1, around[cell, END]):
                    score += known[around[cell, i]] == OPEN
                if score > best_score:
                    best, best_score = cell, score
        cells[place] = best
        taken[best] = 1
        for i in range(1, within_two[best, END]):
            near[within_two[best, i]] += 1
        for i in range(1, around[best, END]):
            other = around[best, i]
            if known[other] != OPEN:
                continue
            if clue_of[other] == NONE:
                clue_of[other] = clue_count
                for column in range(clues.shape[1]):
                    need[clue_count, column] = clues[other, column]
                for j in range(1, around[other, END]):
                    content = known[around[other, j]]
                    if content > EMPTY:
                        need[clue_count, content - 1] -= 1
                clue_count += 1
            clue = clue_of[other]
            touched[place, degree[place]] = clue
            degree[place] += 1
            capacity[clue, TIGER - 1] += terrain[best] != SEA
            capacity[clue, SHARK - 1] += terrain[best] != LAND
            capacity[clue, CROCODILE - 1] += 1
    # Depth first over the cells; `tried` is the index of the code that the cell has now, NONE before the first try.
    tried = np.full(hidden + 1, NONE, np.int64)
    depth, count, nodes = 0, 0, 0
    while depth >= 0:
        if depth == hidden:
            if not whole or (left[0] == 0 and left[1] == 0 and left[2] == 0 and land == 0 and sea == 0):
                if count >= most:
                    return FAILED, hidden, nodes
                for place in range(hidden):
                    completions[count, place] = codes[tried[place]]
                count += 1
            depth -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            return FAILED, hidden, nodes
        ground = terrain[cells[depth]]
        if tried[depth] != NONE:  # take the last try back
            content = codes[tried[depth]] & CONTENT_MASK
            if ground == UNKNOWN:
                land += codes[tried[depth]] < IN_SEA
                sea += codes[tried[depth]] >= IN_SEA
            if content > EMPTY:
                left[content - 1] += 1
            for i in range(degree[depth]):
                clue = touched[depth, i]
                if content > EMPTY:
                    need[clue, content - 1] += 1
                capacity[clue, TIGER - 1] += ground != SEA
                capacity[clue, SHARK - 1] += ground != LAND
                capacity[clue, CROCODILE - 1] += 1
        tried[depth] += 1
        if ground == SEA:
            tried[depth] = max(tried[depth], FIRST_IN_SEA)
        if tried[depth] > (LAST_ON_LAND if ground == LAND else LAST_IN_SEA):
            tried[depth] = NONE
            depth -= 1
            continue
        content = codes[tried[depth]] & CONTENT_MASK
        fits = True
        if ground == UNKNOWN:
            land -= codes[tried[depth]] < IN_SEA
            sea -= codes[tried[depth]] >= IN_SEA
            fits = land >= 0 and sea >= 0
        if content > EMPTY:
            left[content - 1] -= 1
            fits = fits and left[content - 1] >= 0
        if whole and left[0] + left[1] + left[2] > hidden - depth - 1:
            fits = False
        for i in range(degree[depth]):
            clue = touched[depth, i]
            if content > EMPTY:
                need[clue, content - 1] -= 1
            capacity[clue, TIGER - 1] -= ground != SEA
            capacity[clue, SHARK - 1] -= ground != LAND
            capacity[clue, CROCODILE - 1] -= 1
            if (
                need[clue, 0] < 0
                or need[clue, 1] < 0
                or need[clue, 2] < 0
                or need[clue, 0] > capacity[clue, 0]
                or need[clue, 1] > capacity[clue, 1]
                or need[clue, 0] + need[clue, 1] + need[clue, 2] > capacity[clue, CROCODILE - 1]
            ):
                fits = False
        if fits:
            depth += 1
            tried[depth] = NONE
    return count, hidden, nodes


@kernel
def find_components(board: KnownBoard, component: np.ndarray) -> int:
    """Number the hidden cells by component (NONE: not hidden): cells that touch, or that touch the same open cell.
    Gives how many there are.

    Whatever is played in one component shows nothing of another: only the totals link them.
    """
    around, known = board.around, board.seen
    stack = np.zeros(known.shape[0], np.int64)
    component[:] = NONE
    count = 0
    for start in range(known.shape[0]):
        if known[start] != HIDDEN or component[start] != NONE:
            continue
        component[start] = count
        stack[0] = start
        top = 1
        while top:
            top -= 1
            cell = stack[top]
            for i in range(1, around[cell, END]):
                other = around[cell, i]
                if known[other] == HIDDEN and component[other] == NONE:
                    component[other] = count
                    stack[top] = other
                    top += 1
                elif known[other] == OPEN:
                    for j in range(1, around[other, END]):
                        linked = around[other, j]
                        if known[linked] == HIDDEN and component[linked] == NONE:
                            component[linked] = count
                            stack[top] = linked
                            top += 1
        count += 1
    return count


@kernel
def number_observations(
    board: KnownBoard, cells: np.ndarray, completions: np.ndarray, observed: np.ndarray
) -> None:
    """What playing each cell shows in each completion: the clue if it is empty, and the terrain around where it
    was not known. `observed[completion, place]` numbers what is shown there, from 0."""
    around, terrain = board.around, board.terrain
    count, hidden = observed.shape
    place_of = np.full(terrain.shape[0], NONE, np.int64)
    for place in range(hidden):
        place_of[cells[place]] = place
    shown = np.zeros(count, np.int64)
    for place in range(hidden):
        cell = cells[place]
        shown[:] = 0
        shift = 0
        for i in range(around[cell, END]):  # the cell itself, then its neighbours
            other = place_of[cell if i == 0 else around[cell, i]]
            if other == NONE:
                continue
            unknown = terrain[cells[other]] == UNKNOWN
            for each in range(count):
                content = completions[each, other] & CONTENT_MASK
                if i > 0 and completions[each, place] & CONTENT_MASK == EMPTY:
                    if content == TIGER:
                        shown[each] += TIGER_DIGIT
                    elif content == SHARK:
                        shown[each] += SHARK_DIGIT
                    elif content == CROCODILE:
                        shown[each] += CROCODILE_DIGIT
                if unknown and completions[each, other] >= IN_SEA:
                    shown[each] += TERRAIN_DIGIT << shift
            shift += unknown
        ranks = np.unique(shown)
        for each in range(count):
            observed[each, place] = np.searchsorted(ranks, shown[each])


NOT_SHOWN = np.int32(1 << 30)  # in `lowest`: no completion of the set


@kernel
def count_contents(
    members: np.ndarray,
    first: int,
    last: int,
    contents: np.ndarray,
    observed: np.ndarray,
    numbers: np.ndarray,
    lowest: np.ndarray,
    highest: np.ndarray,
) -> None:
    """How many completions of the set `members[first:last]` have each content in each cell (`numbers[content,
    place]`), and the lowest and highest of what playing the cell as that content can show."""
    for content in range(numbers.shape[0]):
        for place in range(numbers.shape[1]):
            numbers[content, place] = 0
            lowest[content, place] = NOT_SHOWN
            highest[content, place] = -1
    for i in range(first, last):
        each = members[i]
        for content in range(numbers.shape[0]):
            for place in range(numbers.shape[1]):
                shown = observed[each, place]
                same = contents[each, place] == content
                numbers[content, place] += same
                lowest[content, place] = min(lowest[content, place], shown if same else NOT_SHOWN)
                highest[content, place] = max(highest[content, place], shown if same else np.int32(-1))


ENTER, ANSWERED, TRY = 0, 1, 2  # the steps of the search
HASH_SEED = 88172645463325252


@kernel
def search_to_the_end(
    board: KnownBoard, cells: np.ndarray, completions: np.ndarray, most_work: int
) -> EndgameResult:
    """How many of the completions best play wins; FAILED if the work allowed ends before one risk is weighed.

    Searched one risk deeper at a time; beyond the last one, the safest action stands for what follows, so the
    number is an upper bound until it is exact.
    """
    count, hidden = completions.shape[0], cells.shape[0]
    observed, contents = np.zeros((count, hidden), np.int32), np.zeros((count, hidden), np.int8)
    number_observations(board, cells, completions, observed)
    marks = np.zeros(count, np.int64)
    for each in range(count):
        marks[each] = mix(each, mix(each, HASH_SEED))
        for place in range(hidden):
            contents[each, place] = completions[each, place] & CONTENT_MASK
    content_count = 1 if board.flags else CONTENTS  # on a board of flags, cells are only discovered
    # What is remembered of a set: its wins or an upper bound, how many risks deep that is, and the best action.
    slots = 1 << 10
    while slots < 32 * count and slots < 1 << 18:
        slots *= 2
    memory_key, memory_value = np.zeros(slots, np.int64), np.zeros(slots, np.int32)
    memory_risks, memory_try = np.zeros(slots, np.int32), np.full(slots, NONE, np.int32)
    # One frame per depth. Sets lie on the stack `members`; the parts of the action tried on three stacks: where
    # each begins, its key, the bound of its wins.
    deepest, room = 2 * hidden + 4, 24 * count + 64
    members, edges = np.zeros(room, np.int32), np.zeros(room, np.int32)
    edge_keys, edge_bounds = np.zeros(room, np.int64), np.zeros(room, np.int32)
    first, last, keys = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    top, edge_top = np.zeros(deepest, np.int64), np.zeros(deepest, np.int64)
    risks = np.zeros(deepest, np.int64)  # taken before this frame
    free = np.zeros(deepest, np.int64)  # frames that take no risk: they sum over what the certain cells show
    # Of action CONTENTS * place + content; 0 if it is not worth a try.
    survivors = np.zeros((deepest, CONTENTS * hidden), np.int32)
    trying, part_count, part = np.zeros((3, deepest), np.int64)
    sum_of, to_come, all_exact = np.zeros((3, deepest), np.int64)
    best, best_try, best_exact = np.zeros((3, deepest), np.int64)
    numbers = np.zeros((content_count, hidden), np.int32)
    lowest, highest = np.zeros((content_count, hidden), np.int32), np.zeros((content_count, hidden), np.int32)
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
    cell, content_of_cell, risks_deep = 0, EMPTY, 0
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
                work += size * hidden * content_count
                if work > most_work:
                    return EndgameResult(wins, cell, content_of_cell, risks_deep, work)
                count_contents(
                    members, first[depth], last[depth], contents, observed, numbers, lowest, highest
                )
                most, safest, sure = 0, 0, NONE
                best[depth], best_try[depth], best_exact[depth] = 0, 0, 0
                for place in range(hidden):
                    for content in range(content_count):
                        number, action = numbers[content, place], CONTENTS * place + content
                        informs = lowest[content, place] < highest[content, place]
                        survivors[depth, action] = number if informs and number < size else 0
                        most = max(most, survivors[depth, action])
                        if informs and number == size:
                            sure = action
                        if safest < number and number < size:
                            safest, best_try[depth] = number, action
                free[depth] = sure != NONE
                if sure == NONE and (most <= 1 or left == 0):
                    # What shows nothing can wait to the end; if nothing else is left, one completion is won.
                    result, exact = max(1, most), most <= 1
                    memory_key[spot], memory_value[spot] = keys[depth], result
                    memory_risks[spot], memory_try[spot] = EXACT if exact else left, NONE
                    best[depth], best_exact[depth] = result, exact
                    depth -= 1
                    step = ANSWERED
                    continue
                trying[depth] = sure
                if sure != NONE:
                    survivors[depth, :] = 0
                    survivors[depth, sure] = size
                elif remembered:
                    trying[depth] = memory_try[spot]
                if trying[depth] == NONE or survivors[depth, trying[depth]] == 0:
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
                    return EndgameResult(wins, cell, content_of_cell, risks_deep, work)
                work += 8 * size
                place, content = action // CONTENTS, action % CONTENTS
                stamp += 1
                parts, base = 0, edge_top[depth]
                for i in range(size):
                    each = members[first[depth] + i]
                    part_of[i] = NONE
                    if contents[each, place] != content:
                        continue
                    sign: int = observed[each, place]
                    if free[depth]:
                        sign = 0
                        for other in range(hidden):
                            own = contents[each, other]
                            if own < content_count and numbers[own, other] == size:
                                sign = mix(observed[each, other], sign)
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
                    if part_of[i] != NONE:
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
        cell, content_of_cell = cells[best_try[0] // CONTENTS], best_try[0] % CONTENTS
        risks_deep = EXACT if best_exact[0] else limit
        if best_exact[0]:
            break
    return EndgameResult(wins, cell, content_of_cell, risks_deep, work)


@kernel(python_entry=False, inline=True)
def with_seen(board: KnownBoard, seen: np.ndarray, clues: np.ndarray) -> KnownBoard:
    """The same board with something else seen: what is assumed of it can be changed in place."""
    return KnownBoard(
        board.columns,
        board.around,
        board.within_two,
        board.flags,
        board.totals,
        board.sea,
        board.terrain,
        seen,
        clues,
    )


class ValueWeights(NamedTuple):
    """How much three things lower the logarithm of what a position is worth."""

    risk: float  # minus the logarithm of the best chance to survive, if no cell is known to be safe
    completions: float  # the logarithm of their number
    entropy: float  # of the contents of the frontier, summed over its cells


@kernel
def log_value(
    board: KnownBoard, open_around: np.ndarray, chances: np.ndarray, log_models: float, weights: ValueWeights
) -> float:
    """The logarithm of what a position is worth, but for a constant."""
    best, entropy, safe, all_certain = 0.0, 0.0, False, True
    for cell in range(board.seen.shape[0]):
        if board.seen[cell] != HIDDEN:
            continue
        for content in range(CONTENTS):
            chance = chances[cell, content]
            if chance <= 0.0:
                continue
            if chance >= 1.0 - 1e-12:
                safe |= content == EMPTY
                continue
            all_certain = False
            if content == EMPTY or not board.flags:
                best = max(best, chance)
            if open_around[cell]:
                entropy -= chance * np.log(chance)
    log_survival = 0.0 if safe or all_certain else np.log(max(best, 1e-9))
    return float(weights.risk * log_survival - weights.completions * log_models - weights.entropy * entropy)


@kernel
def add_around(around: np.ndarray, cell: int, numbers: np.ndarray, amount: int) -> None:
    """Add the amount to the number of each neighbour."""
    for i in range(1, around[cell, END]):
        numbers[around[cell, i]] += amount


@kernel(python_entry=False, inline=True)
def touch(columns: int, one: int, other: int) -> bool:
    """Whether two cells are the same or neighbours."""
    return abs(one // columns - other // columns) < 2 and abs(one % columns - other % columns) < 2


@kernel
def find_pairs(
    workspace: Workspace, board: KnownBoard, beliefs: Beliefs, least: float, threat: np.ndarray
) -> int:
    """Fill `threat` of each cell with the chance that it is half of a 50/50 that nothing can decide (Minesweeper).

    Two cells that touch, just one of them a mine, are such a pair if all cells that touch only one of them are
    mines too: then no number will ever tell them apart. Pairs less likely than `least` are left out. Gives how
    many positions were counted.
    """
    columns, around, known, chances = board.columns, board.around, board.seen, beliefs.chances
    cells = known.shape[0]
    after = known.copy()
    assumed = with_seen(board, after, board.clues)
    new = np.zeros((cells, CONTENTS))
    apart = np.zeros(16, np.int64)  # the cells that touch only one of the two
    counted = 0
    threat[:] = 0.0
    for cell in range(cells):
        for below in range(2):
            on_edge = cell + columns >= cells if below else cell % columns == columns - 1
            if on_edge:
                continue
            other = cell + columns if below else cell + 1
            if known[cell] != HIDDEN or known[other] != HIDDEN:
                continue
            if (
                max(chances[cell, EMPTY], chances[other, EMPTY]) == 1.0
                or min(chances[cell, EMPTY], chances[other, EMPTY]) == 0.0
            ):
                continue
            likely, count = 1.0, 0
            for half in range(2):
                one, two = (other, cell) if half else (cell, other)
                for i in range(1, around[one, END]):
                    here = around[one, i]
                    if known[here] > EMPTY or touch(columns, here, two):
                        continue
                    if known[here] == OPEN:
                        likely = 0.0
                        continue
                    likely *= 1.0 - chances[here, EMPTY]
                    apart[count] = here
                    count += 1
            if likely == 0.0 or likely < least:
                continue
            for i in range(count):
                after[apart[i]] = TIGER
            ended, log_models = fill_probabilities(workspace, assumed, new)
            counted += 1
            if ended == COUNTED:
                one_mine, other_mine, both_mines = 1.0 - new[cell, EMPTY], 1.0 - new[other, EMPTY], 0.0
                after[cell] = TIGER
                ended, _ = fill_probabilities(workspace, assumed, new)
                counted += 1
                if ended == COUNTED:
                    both_mines = one_mine * (1.0 - new[other, EMPTY])
                after[cell] = HIDDEN
                chance = np.exp(log_models - beliefs.log_models) * (one_mine + other_mine - 2.0 * both_mines)
                threat[cell] = max(threat[cell], chance)
                threat[other] = max(threat[other], chance)
            for i in range(count):
                after[apart[i]] = HIDDEN
    return counted


@kernel
def look_ahead(
    workspace: Workspace,
    board: KnownBoard,
    beliefs: Beliefs,
    actions: np.ndarray,
    scores: np.ndarray,
    weights: ValueWeights,
    most: int,
) -> int:
    """For each action (cell, content) fill `scores`: SURVIVAL, the chance to survive it; VALUE, the same times the
    value of what follows; OBSERVATIONS, how many different things it can show.

    Gives how many positions were counted; stops at `most` (the actions not reached score by their chance
    alone).
    """
    around, known, clues = board.around, board.seen, board.clues
    chances, log_models = beliefs
    cells = known.shape[0]
    after = known.copy()
    shown = clues.copy()
    assumed = with_seen(board, after, shown)
    open_around = np.zeros(cells, np.int64)
    for cell in range(cells):
        if known[cell] == OPEN:
            add_around(around, cell, open_around, 1)
    new = np.zeros((cells, CONTENTS))
    counted = 0
    now = np.exp(log_value(board, open_around, chances, 0.0, weights))
    for index in range(actions.shape[0]):
        cell, content = actions[index, 0], actions[index, 1]
        chance = chances[cell, content]
        scores[index, SURVIVAL] = chance
        scores[index, VALUE] = chance * now  # unless something better is found out
        scores[index, OBSERVATIONS] = 1.0
        if counted >= most:
            continue
        if content > EMPTY:
            after[cell] = content
            ended, log_after = fill_probabilities(workspace, assumed, new)
            counted += 1
            if ended == COUNTED:
                value = log_value(assumed, open_around, new, log_after - log_models, weights)
                scores[index, VALUE] = chance * np.exp(value)
            after[cell] = HIDDEN
            continue
        # Every clue that the cell can show: the animals known around it, and those that may be hidden there.
        known_tigers = known_sharks = known_crocodiles = 0
        most_tigers = most_sharks = most_crocodiles = hidden = surely_animals = 0
        for i in range(1, around[cell, END]):
            other = around[cell, i]
            known_tigers += known[other] == TIGER
            known_sharks += known[other] == SHARK
            known_crocodiles += known[other] == CROCODILE
            if known[other] == HIDDEN:
                hidden += 1
                most_tigers += chances[other, TIGER] > 0.0
                most_sharks += chances[other, SHARK] > 0.0
                most_crocodiles += chances[other, CROCODILE] > 0.0
                surely_animals += chances[other, EMPTY] == 0.0
        after[cell] = OPEN
        add_around(around, cell, open_around, 1)
        reached = value_sum = 0.0
        observations = 0
        for tigers in range(most_tigers + 1):
            for sharks in range(most_sharks + 1):
                for crocodiles in range(most_crocodiles + 1):
                    if not surely_animals <= tigers + sharks + crocodiles <= hidden:
                        continue
                    shown[cell, 0], shown[cell, 1] = known_tigers + tigers, known_sharks + sharks
                    shown[cell, 2] = known_crocodiles + crocodiles
                    ended, log_after = fill_probabilities(workspace, assumed, new)
                    counted += 1
                    if ended != COUNTED:
                        continue
                    share = np.exp(log_after - log_models)
                    reached += share
                    value = log_value(assumed, open_around, new, log_after - log_models, weights)
                    value_sum += share * np.exp(value)
                    observations += 1
        after[cell] = HIDDEN
        add_around(around, cell, open_around, -1)
        for column in range(clues.shape[1]):
            shown[cell, column] = clues[cell, column]
        if reached > 0.0:
            scores[index, VALUE] = chance * value_sum / reached
            scores[index, OBSERVATIONS] = observations
    return counted
