"""The endgame: of all ways to play, the one that wins most of the ways to fill the hidden cells (see `completions`).

The value of a set of completions is the number of them that best play wins. The set itself is all that is known (a cell
that is the same in all its members can be played without risk), so one number per set is stored.

    wins(one completion)      = 1
    wins(set)                 = sum of wins(parts)   for a cell that is the same in all and splits the set
    wins(set)                 = max over actions of sum of wins(parts of those that survive)            else
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.games.crocomine.completions import CONTENT_MASK, IN_SEA, NONE
from ludion.games.crocomine.inference import KnownBoard
from ludion.games.crocomine.rules import CONTENTS, EMPTY, END, UNKNOWN

FAILED = -1
EXACT = 1 << 20  # instead of a number of risks: searched to the end

# What a cell shows, as one number: its clue has three digits below 9, and the terrain around it comes above them.
DIGIT_OF = np.array([0, 81, 9, 1])  # of each content
TERRAIN_DIGIT = 729


@kernel
def number_observations(
    board: KnownBoard, cells: np.ndarray, completions: np.ndarray, observed: np.ndarray
) -> None:
    """What playing each cell shows in each completion: the clue if it is empty, and the terrain around where it
    was not known. `observed[completion, place]` numbers what is shown there, from 0."""
    place_of = np.full(board.seen.shape[0], NONE, np.int64)
    for place in range(cells.shape[0]):
        place_of[cells[place]] = place
    shown = np.zeros(completions.shape[0], np.int64)
    for place in range(cells.shape[0]):
        cell, digit = cells[place], TERRAIN_DIGIT
        shown[:] = 0
        for i in range(board.around[cell, END]):  # the cell itself, then its neighbours
            other = cell if i == 0 else board.around[cell, i]
            if place_of[other] == NONE:
                continue
            unknown = board.terrain[other] == UNKNOWN
            add_shown(completions, place, place_of[other], digit if unknown else 0, shown)
            digit <<= unknown
        ranks = np.unique(shown)
        for each in range(completions.shape[0]):
            observed[each, place] = np.searchsorted(ranks, shown[each])


@kernel(python_entry=False, inline=True)
def add_shown(completions: np.ndarray, place: int, other: int, sea: int, shown: np.ndarray) -> None:
    """Add what playing a cell shows of another one, or of its own terrain: its digit in the clue, and `sea` if it is
    sea."""
    for each in range(completions.shape[0]):
        code = completions[each, other]
        if other != place and completions[each, place] & CONTENT_MASK == EMPTY:
            shown[each] += DIGIT_OF[code & CONTENT_MASK]
        if code >= IN_SEA:
            shown[each] += sea


# ------------------------------------------------------------------ searching all ways to play

ENTER, ANSWERED, TRY = 0, 1, 2  # the steps of the search
HASH_SEED = 88172645463325252
FIRST_SLOTS, MOST_SLOTS, SLOTS_PER_COMPLETION = 1 << 10, 1 << 18, 32  # of the memory of sets
ROOM_PER_COMPLETION = 24  # on the stacks of sets and parts


class EndgameResult(NamedTuple):
    """The result of `search_to_the_end`."""

    wins: int  # completions that best play wins, or FAILED
    cell: int  # of the first action
    content: int
    risks: int  # how many risks deep it was searched, or EXACT
    work: int  # cells of completions looked at


class Completions(NamedTuple):
    """The completions for the search: a row each, with a column for each hidden cell."""

    contents: np.ndarray
    observed: np.ndarray  # the observation when the cell is played, as a number
    marks: np.ndarray  # a random number for each; the key of a set is the XOR of its members'
    content_count: int  # the contents that may be played: on a board of flags, cells are only discovered


class Memory(NamedTuple):
    """The transposition table: results of sets of completions."""

    keys: np.ndarray
    wins: np.ndarray  # or an upper bound
    risks: np.ndarray  # how many risks deep that is, or EXACT
    actions: np.ndarray  # the best one


class Frames(NamedTuple):
    """One entry for each depth: the set, the action that is tried on it, the best so far."""

    first: np.ndarray  # the set is `members[first:last]`
    last: np.ndarray
    keys: np.ndarray
    top: np.ndarray  # of the stack of members, above the set
    part_top: np.ndarray  # of the stacks of parts
    risks: np.ndarray  # taken before this frame
    free: np.ndarray  # frames that take no risk: they sum over what the certain cells show
    survivors: np.ndarray  # of action CONTENTS * place + content; 0 if it is not worth a try
    action: np.ndarray  # being tried
    part_count: np.ndarray  # of what it can show
    part: np.ndarray  # being searched
    wins: np.ndarray  # of the parts searched
    bound: np.ndarray  # of the parts to come
    exact: np.ndarray  # whether all parts searched are
    best: np.ndarray
    best_action: np.ndarray
    best_exact: np.ndarray


class Parts(NamedTuple):
    """Stacks: sets of completions, and the parts into which actions split them."""

    members: np.ndarray
    begins: np.ndarray  # of each part, in `members`; one entry more than there are parts
    keys: np.ndarray
    bounds: np.ndarray  # of the wins


class Splitter(NamedTuple):
    """Working memory of `split`: a hash table from what is shown to the number of the part."""

    shown: np.ndarray
    stamps: np.ndarray  # an entry belongs to the present split if it has its stamp
    parts: np.ndarray
    part_of: np.ndarray  # of each member of the set, NONE if it does not survive
    sizes: np.ndarray  # of each part; then where its next member goes


class Counts(NamedTuple):
    """For each content and cell of a set: the number of completions, and the range of the observations."""

    numbers: np.ndarray
    lowest: np.ndarray
    highest: np.ndarray


NOT_SHOWN = np.int32(1 << 30)  # in `lowest`: no completion of the set


class EndgameSearch(NamedTuple):
    """All that a search works with."""

    known: Completions
    counts: Counts  # of the set of the frame that is opened
    frames: Frames
    parts: Parts
    splitter: Splitter
    memory: Memory


@kernel
def make_completions(board: KnownBoard, cells: np.ndarray, completions: np.ndarray) -> Completions:
    """The completions for the search."""
    count, hidden = completions.shape[0], cells.shape[0]
    observed, contents = np.zeros((count, hidden), np.int32), np.zeros((count, hidden), np.int8)
    number_observations(board, cells, completions, observed)
    marks = np.zeros(count, np.int64)
    for each in range(count):
        marks[each] = mix(each, mix(each, HASH_SEED))
        for place in range(hidden):
            contents[each, place] = completions[each, place] & CONTENT_MASK
    return Completions(contents, observed, marks, 1 if board.flags else CONTENTS)


@kernel
def make_search(known: Completions) -> EndgameSearch:
    """A search of all completions, before its first step."""
    count, hidden = known.contents.shape
    counts = np.zeros((3, known.content_count, hidden), np.int32)
    frames = make_frames(2 * hidden + 4, hidden)
    room = ROOM_PER_COMPLETION * count + 64
    parts = Parts(
        np.zeros(room, np.int32), np.zeros(room, np.int32), np.zeros(room, np.int64), np.zeros(room, np.int32)
    )
    for each in range(count):
        parts.members[each] = each
        frames.keys[0] ^= known.marks[each]
    frames.last[0], frames.top[0] = count, count
    counted = Counts(counts[0], counts[1], counts[2])
    return EndgameSearch(known, counted, frames, parts, make_splitter(count), make_memory(count))


@kernel
def make_memory(count: int) -> Memory:
    """Memory for the subsets of `count` completions."""
    slots = FIRST_SLOTS
    while slots < SLOTS_PER_COMPLETION * count and slots < MOST_SLOTS:
        slots *= 2
    return Memory(
        np.zeros(slots, np.int64),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.full(slots, NONE, np.int32),
    )


@kernel
def make_frames(deepest: int, hidden: int) -> Frames:
    """Frames for a search of `hidden` cells."""
    first, last, keys, top, part_top, risks, free = np.zeros((7, deepest), np.int64)
    action, part_count, part, wins, bound, exact, best, best_action, best_exact = np.zeros(
        (9, deepest), np.int64
    )
    survivors = np.zeros((deepest, CONTENTS * hidden), np.int32)
    return Frames(
        first, last, keys, top, part_top, risks, free, survivors, action, part_count, part, wins, bound, exact, best,
        best_action, best_exact,
    )  # fmt: skip


@kernel
def make_splitter(count: int) -> Splitter:
    """Working memory for sets of at most `count` completions."""
    groups = 4
    while groups < 2 * count:
        groups *= 2
    return Splitter(
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int64),
        np.zeros(groups, np.int32),
        np.zeros(count, np.int32),
        np.zeros(count, np.int32),
    )


@kernel(python_entry=False, inline=True)
def slot_of(key: int, slots: int) -> int:
    """Where a key is in a table whose size is a power of two."""
    return (key ^ key >> 29) & (slots - 1)


@kernel(python_entry=False, inline=True)
def remember(memory: Memory, key: int, wins: int, risks: int, action: int) -> None:
    """Remember a set in place of what was in its slot."""
    slot = slot_of(key, memory.keys.shape[0])
    memory.keys[slot], memory.wins[slot] = key, wins
    memory.risks[slot], memory.actions[slot] = risks, action


@kernel(python_entry=False, inline=True)
def look_up(search: EndgameSearch, depth: int, risks_left: int) -> tuple[int, bool]:
    """The wins of the set of a frame, and whether they are exact, if the memory has it deep enough; else 0 wins."""
    frames, memory = search.frames, search.memory
    key = frames.keys[depth]
    if frames.last[depth] - frames.first[depth] == 1:
        return 1, True
    slot = slot_of(key, memory.keys.shape[0])
    if depth > 0 and memory.keys[slot] == key and memory.risks[slot] >= risks_left:
        return int(memory.wins[slot]), bool(memory.risks[slot] == EXACT)
    return 0, False


# ------------------------------------------------------------------ the actions on a set


@kernel(python_entry=False)
def count_contents(search: EndgameSearch, depth: int) -> None:
    """Fill the counts of the set of a frame: how many completions have each content in each cell, and the lowest and
    highest of what playing the cell as that content can show."""
    contents, observed, members = search.known.contents, search.known.observed, search.parts.members
    numbers, lowest, highest = search.counts
    numbers[:] = 0
    lowest[:] = NOT_SHOWN
    highest[:] = -1
    for i in range(search.frames.first[depth], search.frames.last[depth]):
        each = members[i]
        for content in range(numbers.shape[0]):
            for place in range(numbers.shape[1]):
                shown = observed[each, place]
                same = contents[each, place] == content
                numbers[content, place] += same
                lowest[content, place] = min(lowest[content, place], shown if same else NOT_SHOWN)
                highest[content, place] = max(highest[content, place], shown if same else np.int32(-1))


@kernel(python_entry=False, inline=True)
def count_survivors(search: EndgameSearch, depth: int, size: int) -> tuple[int, int]:
    """Fill the survivors of the actions of a frame, and its safest action. Returns the most survivors of an action
    that gives information, and an action that does so without risk (or NONE)."""
    frames, (numbers, lowest, highest) = search.frames, search.counts
    most, safest, sure = 0, 0, NONE
    frames.best[depth], frames.best_action[depth], frames.best_exact[depth] = 0, 0, 0
    for place in range(numbers.shape[1]):
        for content in range(numbers.shape[0]):
            number, action = numbers[content, place], CONTENTS * place + content
            informs = lowest[content, place] < highest[content, place]
            frames.survivors[depth, action] = number if informs and number < size else 0
            most = max(most, frames.survivors[depth, action])
            if informs and number == size:
                sure = action
            if safest < number and number < size:
                safest, frames.best_action[depth] = number, action
    return most, sure


@kernel(python_entry=False, inline=True)
def open_frame(search: EndgameSearch, depth: int, risks_left: int) -> tuple[int, bool]:
    """Count the actions on the set of a frame, and choose the first one to try: returns 0 wins then. If there is
    nothing to try, or no risk left, returns the wins and whether they are exact."""
    frames, memory = search.frames, search.memory
    key, size = frames.keys[depth], frames.last[depth] - frames.first[depth]
    count_contents(search, depth)
    most, sure = count_survivors(search, depth, size)
    frames.free[depth] = sure != NONE
    if sure == NONE and (most <= 1 or risks_left == 0):
        # Actions that show nothing can wait until the end; if no others are left, one completion is won.
        wins, exact = max(1, most), most <= 1
        remember(memory, key, wins, EXACT if exact else risks_left, NONE)
        frames.best[depth], frames.best_exact[depth] = wins, exact
        return wins, exact
    survivors = frames.survivors[depth]
    slot = slot_of(key, memory.keys.shape[0])
    action = memory.actions[slot] if memory.keys[slot] == key else NONE
    if sure != NONE:
        survivors[:] = 0
        survivors[sure] = size
        action = sure
    if action == NONE or survivors[action] == 0:
        action = np.argmax(survivors)
    frames.action[depth] = action
    return 0, False


@kernel(python_entry=False, inline=True)
def next_action(frames: Frames, depth: int) -> None:
    """Discard the action that was tried, and take the one with most survivors."""
    frames.survivors[depth, frames.action[depth]] = 0
    frames.action[depth] = np.argmax(frames.survivors[depth])


# ------------------------------------------------------------------ the parts into which an action splits a set


@kernel(python_entry=False, inline=True)
def all_shown(search: EndgameSearch, each: int, size: int) -> int:
    """What all cells that are the same in the whole set show in one of its completions."""
    known, shown = search.known, 0
    for place in range(known.contents.shape[1]):
        content = known.contents[each, place]
        if content < known.content_count and search.counts.numbers[content, place] == size:
            shown = mix(known.observed[each, place], shown)
    return shown


@kernel(python_entry=False, inline=True)
def split(search: EndgameSearch, depth: int, stamp: int) -> int:
    """Number what the survivors of the action of a frame show: `splitter.part_of` and `sizes`, and the keys of the
    parts. Returns how many parts there are."""
    known, frames, parts, splitter = search.known, search.frames, search.parts, search.splitter
    first, size = frames.first[depth], frames.last[depth] - frames.first[depth]
    place, content = frames.action[depth] // CONTENTS, frames.action[depth] % CONTENTS
    slots, base = splitter.shown.shape[0], frames.part_top[depth]
    part_count = 0
    for i in range(size):
        each = parts.members[first + i]
        splitter.part_of[i] = NONE
        if known.contents[each, place] != content:
            continue
        shown: int = known.observed[each, place]
        if frames.free[depth]:
            shown = all_shown(search, each, size)
        slot = slot_of(shown, slots)
        while splitter.stamps[slot] == stamp and splitter.shown[slot] != shown:
            slot = (slot + 1) & (slots - 1)
        if splitter.stamps[slot] != stamp:
            splitter.stamps[slot], splitter.shown[slot], splitter.parts[slot] = stamp, shown, part_count
            splitter.sizes[part_count], parts.keys[base + part_count] = 0, 0
            part_count += 1
        part = splitter.parts[slot]
        splitter.part_of[i] = part
        splitter.sizes[part] += 1
        parts.keys[base + part] ^= known.marks[each]
    return part_count


@kernel(python_entry=False, inline=True)
def bound_parts(search: EndgameSearch, depth: int, part_count: int) -> int:
    """Lay the parts out after the set and bound the wins of each. Returns the sum of the bounds."""
    frames, parts, splitter, memory = search.frames, search.parts, search.splitter, search.memory
    base, begin, total = frames.part_top[depth], frames.top[depth], 0
    for i in range(base, base + part_count):
        size = splitter.sizes[i - base]
        slot = slot_of(parts.keys[i], memory.keys.shape[0])
        bound = memory.wins[slot] if size > 1 and memory.keys[slot] == parts.keys[i] else size
        parts.begins[i], parts.bounds[i] = begin, bound
        total += bound
        splitter.sizes[i - base] = begin  # from here on where its next member goes
        begin += size
    parts.begins[base + part_count] = begin
    return total


@kernel(python_entry=False, inline=True)
def copy_parts(search: EndgameSearch, depth: int) -> None:
    """Copy the members of the set to their parts."""
    parts, splitter, first = search.parts, search.splitter, search.frames.first[depth]
    for i in range(search.frames.last[depth] - first):
        part = splitter.part_of[i]
        if part != NONE:
            parts.members[splitter.sizes[part]] = parts.members[first + i]
            splitter.sizes[part] += 1


@kernel(python_entry=False, inline=True)
def try_action(search: EndgameSearch, depth: int, stamp: int) -> bool:
    """Split the set by what the action shows. Returns whether its parts have to be searched; if they cannot beat the
    best action so far, the next one is chosen."""
    frames = search.frames
    part_count = split(search, depth, stamp)
    bound = bound_parts(search, depth, part_count)
    if bound <= frames.best[depth]:
        next_action(frames, depth)
        return False
    copy_parts(search, depth)
    frames.part_count[depth], frames.part[depth], frames.exact[depth] = part_count, 0, 1
    frames.wins[depth], frames.bound[depth] = 0, bound
    return True


@kernel(python_entry=False, inline=True)
def add_part(search: EndgameSearch, depth: int, wins: int, exact: bool) -> bool:
    """Add the wins of the part that was searched. Returns whether the next part of the action has to be searched;
    if not, the action is finished, and the next one is chosen."""
    frames = search.frames
    frames.wins[depth] += wins
    frames.bound[depth] -= search.parts.bounds[frames.part_top[depth] + frames.part[depth]]
    frames.exact[depth] &= exact
    frames.part[depth] += 1
    if frames.wins[depth] + frames.bound[depth] > frames.best[depth]:
        if frames.part[depth] < frames.part_count[depth]:
            return True
        frames.best[depth], frames.best_action[depth] = frames.wins[depth], frames.action[depth]
        frames.best_exact[depth] = frames.exact[depth]
    next_action(frames, depth)
    return False


@kernel(python_entry=False, inline=True)
def descend(search: EndgameSearch, depth: int) -> None:
    """The next frame is for the part that is to be searched."""
    frames, begins = search.frames, search.parts.begins
    index = frames.part_top[depth] + frames.part[depth]
    frames.first[depth + 1], frames.last[depth + 1] = begins[index], begins[index + 1]
    frames.keys[depth + 1] = search.parts.keys[index]
    frames.risks[depth + 1] = frames.risks[depth] + 1 - frames.free[depth]
    above = frames.part_top[depth] + frames.part_count[depth]
    frames.top[depth + 1], frames.part_top[depth + 1] = begins[above], above + 1


# ------------------------------------------------------------------ the search


@kernel(count_references=False)
def search_with_risks(
    search: EndgameSearch, limit: int, stamp: int, work: int, most_work: int
) -> tuple[bool, int, int]:
    """Search up to `limit` risks deep, from the first frame on; beyond the last risk, the safest action stands for
    what follows. Returns whether the allowed work was enough, the last stamp, and the work."""
    frames = search.frames
    work_of_one = search.known.contents.shape[1] * search.known.content_count
    deepest, room = frames.first.shape[0], search.parts.members.shape[0]
    depth, step, wins, exact = 0, ENTER, 0, False
    while depth >= 0:
        size, risks_left = frames.last[depth] - frames.first[depth], limit - frames.risks[depth]
        search_part = False
        if step == ENTER:
            wins, exact = look_up(search, depth, risks_left)
            if wins == 0:
                work += size * work_of_one
                if work > most_work:
                    return False, stamp, work
                wins, exact = open_frame(search, depth, risks_left)
            step = TRY
            if wins > 0:
                depth, step = depth - 1, ANSWERED
        elif step == ANSWERED:  # for a part of the action
            search_part = add_part(search, depth, wins, exact)
            step = TRY
        elif frames.survivors[depth, frames.action[depth]] <= frames.best[depth]:  # nothing better is left
            wins, exact = frames.best[depth], frames.best_exact[depth] == 1
            risks = EXACT if exact else risks_left
            remember(search.memory, frames.keys[depth], wins, risks, frames.best_action[depth])
            depth, step = depth - 1, ANSWERED
        else:
            if max(frames.top[depth], frames.part_top[depth]) + size + 2 > room or depth + 2 > deepest:
                return False, stamp, work
            work += 8 * size
            stamp += 1
            search_part = try_action(search, depth, stamp)
        if search_part:
            descend(search, depth)
            depth, step = depth + 1, ENTER
    return True, stamp, work


@kernel
def search_to_the_end(
    board: KnownBoard, cells: np.ndarray, completions: np.ndarray, most_work: int
) -> EndgameResult:
    """How many of the completions best play wins; FAILED if the allowed work ends before the first iteration.

    Iterative deepening by one risk at a time: the number is an upper bound until it is exact.
    """
    search = make_search(make_completions(board, cells, completions))
    frames = search.frames
    stamp, work, wins, action, risks = 0, 0, FAILED, 0, 0
    for limit in range(1, cells.shape[0] + 2):
        finished, stamp, work = search_with_risks(search, limit, stamp, work, most_work)
        if not finished:
            break
        wins, action = frames.best[0], frames.best_action[0]
        risks = EXACT if frames.best_exact[0] else limit
        if risks == EXACT:
            break
    return EndgameResult(wins, cells[action // CONTENTS], action % CONTENTS, risks, work)
