"""The endgame: every way to fill the hidden cells, and the way to play that wins most of them.

`list_completions` lists the ways to fill them, `search_to_the_end` searches all ways to play. The value of a set of
completions is the number of them that best play wins. The set itself is all that is known (a cell that is the same in
all its members can be played without risk), so one number per set is stored.

    wins(one completion)      = 1
    wins(set)                 = sum of wins(parts)   for a cell that is the same in all and splits the set
    wins(set)                 = max over actions of sum of wins(parts of those that survive)            else
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import mix
from ludion.games.crocomine.inference import KnownBoard
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
from ludion.logic.counting import MOST_LINKS

FAILED = -1
NONE = -1  # no index
EXACT = 1 << 20  # instead of a number of risks: searched to the end
MOST_ENDGAME_CELLS = 90  # hidden cells whose completions are listed
MOST_LISTING_NODES = 3_000_000  # of listing them

# A completion has a number for each hidden cell: its content, plus IN_SEA if the cell is sea.
IN_SEA = 4
CONTENT_MASK = IN_SEA - 1
FIRST_IN_SEA = 3  # the numbers in the order they are tried: EMPTY, TIGER, CROCODILE on land, then in the sea
LAST_ON_LAND, LAST_IN_SEA = 2, 5

# What a cell shows, as one number: its clue has three digits below 9, and the terrain around it comes above them.
TIGER_DIGIT, SHARK_DIGIT, CROCODILE_DIGIT, TERRAIN_DIGIT = 81, 9, 1, 729


# ------------------------------------------------------------------ listing the completions

LAND_LEFT = CROCODILE  # index in `Listing.left` after the three animals; sea follows
NEXT_TO_TAKEN = 16  # weight of a cell near those taken before, compared with one next to an open cell


class Listing(NamedTuple):
    """The hidden cells in the order in which they are filled, and what may still be put into them.

    A clue is an open cell next to one of them; clues are numbered as they come.
    """

    cells: np.ndarray
    grounds: np.ndarray  # the terrain of each cell, or UNKNOWN
    clues: np.ndarray  # of each cell: the numbers of the clues around it
    degrees: np.ndarray  # and how many there are
    needs: np.ndarray  # of each clue: tigers, sharks, crocodiles still to be placed
    room: np.ndarray  # of each clue: cells still to be filled that may hold each of them
    left: np.ndarray  # of the board: tigers, sharks, crocodiles, cells of land and of sea still to be placed


@kernel
def order_cells(board: KnownBoard, hidden: int, cells: np.ndarray) -> None:
    """Fill `cells` with the hidden cells, each near those before it, so that clues close early."""
    around, within_two, known = board.around, board.within_two, board.seen
    taken, near = np.zeros(known.shape[0], np.int64), np.zeros(known.shape[0], np.int64)
    for place in range(hidden):
        best, best_score = NONE, -1
        for cell in range(known.shape[0]):
            if known[cell] == HIDDEN and not taken[cell]:
                score = NEXT_TO_TAKEN * near[cell]
                for i in range(1, around[cell, END]):
                    score += known[around[cell, i]] == OPEN
                if score > best_score:
                    best, best_score = cell, score
        cells[place] = best
        taken[best] = 1
        for i in range(1, within_two[best, END]):
            near[within_two[best, i]] += 1


@kernel
def make_listing(board: KnownBoard, hidden: int, cells: np.ndarray) -> Listing:
    """The listing before any cell is filled."""
    around, terrain, known, clues = board.around, board.terrain, board.seen, board.clues
    size = known.shape[0]
    left = np.zeros(LAND_LEFT + 2, np.int64)
    left[:LAND_LEFT] = board.totals
    left[LAND_LEFT], left[LAND_LEFT + SEA] = size - board.sea, board.sea
    for cell in range(size):
        if known[cell] > EMPTY:
            left[known[cell] - 1] -= 1
        if terrain[cell] != UNKNOWN:
            left[LAND_LEFT + terrain[cell]] -= 1
    number_of = np.full(size, NONE, np.int64)  # of each clue
    needs, room = np.zeros(clues.shape, np.int64), np.zeros(clues.shape, np.int64)
    touching, degrees = np.zeros((hidden, MOST_LINKS), np.int64), np.zeros(hidden, np.int64)
    grounds = np.zeros(hidden, np.int64)
    count = 0
    for place in range(hidden):
        grounds[place] = terrain[cells[place]]
        for i in range(1, around[cells[place], END]):
            open_cell = around[cells[place], i]
            if known[open_cell] != OPEN:
                continue
            if number_of[open_cell] == NONE:
                number_of[open_cell] = count
                needs[count] = clues[open_cell]
                for j in range(1, around[open_cell, END]):
                    content = known[around[open_cell, j]]
                    if content > EMPTY:
                        needs[count, content - 1] -= 1
                count += 1
            touching[place, degrees[place]] = number_of[open_cell]
            degrees[place] += 1
    listing = Listing(cells, grounds, touching, degrees, needs, room, left)
    for place in range(hidden):
        change_room(listing, place, 1)
    return listing


@kernel(python_entry=False, inline=True)
def change_room(listing: Listing, place: int, by: int) -> None:
    """Remove the cell from the cells still to be filled (-1), or add it again (1)."""
    ground = listing.grounds[place]
    for i in range(listing.degrees[place]):
        clue = listing.clues[place, i]
        listing.room[clue, TIGER - 1] += by * (ground != SEA)
        listing.room[clue, SHARK - 1] += by * (ground != LAND)
        listing.room[clue, CROCODILE - 1] += by


@kernel(python_entry=False, inline=True)
def put(listing: Listing, place: int, code: int, times: int) -> None:
    """Put a content (and terrain) into the cell, or remove it (`times` -1)."""
    content = code & CONTENT_MASK
    if listing.grounds[place] == UNKNOWN:
        listing.left[LAND_LEFT + (code >= IN_SEA)] -= times
    if content > EMPTY:
        listing.left[content - 1] -= times
        for i in range(listing.degrees[place]):
            listing.needs[listing.clues[place, i], content - 1] -= times
    change_room(listing, place, -times)


@kernel(python_entry=False, inline=True)
def may_fit(listing: Listing, place: int, cells_after: int, whole: bool) -> bool:
    """Whether the clues around the cell and the totals can still be met."""
    left, needs, room = listing.left, listing.needs, listing.room
    if left[0] < 0 or left[1] < 0 or left[2] < 0 or left[LAND_LEFT] < 0 or left[LAND_LEFT + SEA] < 0:
        return False
    if whole and left[0] + left[1] + left[2] > cells_after:
        return False
    for i in range(listing.degrees[place]):
        clue = listing.clues[place, i]
        tigers, sharks, crocodiles = needs[clue, 0], needs[clue, 1], needs[clue, 2]
        if tigers < 0 or sharks < 0 or crocodiles < 0:
            return False
        if tigers > room[clue, 0] or sharks > room[clue, 1] or tigers + sharks + crocodiles > room[clue, 2]:
            return False
    return True


@kernel(python_entry=False, inline=True)
def nothing_left(left: np.ndarray) -> bool:
    """Whether all totals are used up."""
    return bool(
        left[0] == 0 and left[1] == 0 and left[2] == 0 and left[LAND_LEFT] == 0 and left[LAND_LEFT + SEA] == 0
    )


@kernel(count_references=False)
def fill_completions(
    listing: Listing,
    codes: np.ndarray,
    tried: np.ndarray,
    whole: bool,
    most: int,
    most_nodes: int,
    completions: np.ndarray,
) -> tuple[int, int]:
    """Try all codes in all cells, depth first. Returns the number of completions, or FAILED, and of nodes.

    `tried` is the index of the code that a cell has now, NONE before the first try.
    """
    hidden = listing.grounds.shape[0]
    depth, count, nodes = 0, 0, 0
    while depth >= 0:
        if depth == hidden:
            if not whole or nothing_left(listing.left):
                if count >= most:
                    return FAILED, nodes
                for place in range(hidden):
                    completions[count, place] = codes[tried[place]]
                count += 1
            depth -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            return FAILED, nodes
        if tried[depth] != NONE:
            put(listing, depth, codes[tried[depth]], -1)
        ground = listing.grounds[depth]
        tried[depth] = max(tried[depth] + 1, FIRST_IN_SEA if ground == SEA else 0)
        if tried[depth] > (LAST_ON_LAND if ground == LAND else LAST_IN_SEA):
            tried[depth] = NONE
            depth -= 1
            continue
        put(listing, depth, codes[tried[depth]], 1)
        if may_fit(listing, depth, hidden - depth - 1, whole):
            depth += 1
            tried[depth] = NONE
    return count, nodes


@kernel
def list_completions(
    board: KnownBoard, whole: bool, most: int, most_nodes: int, cells: np.ndarray, completions: np.ndarray
) -> tuple[int, int, int]:
    """All ways to fill the hidden cells, each a row of `completions`. Returns how many (or FAILED), the number of
    cells, and the number of nodes.

    The totals only apply if the hidden cells are the `whole` rest of the board.
    """
    hidden = 0
    for cell in range(board.seen.shape[0]):
        hidden += board.seen[cell] == HIDDEN
    if hidden > cells.shape[0]:
        return FAILED, hidden, 0
    order_cells(board, hidden, cells)
    listing = make_listing(board, hidden, cells)
    codes = np.array([EMPTY, TIGER, CROCODILE, IN_SEA + EMPTY, IN_SEA + SHARK, IN_SEA + CROCODILE])
    tried = np.full(hidden + 1, NONE, np.int64)
    count, nodes = fill_completions(listing, codes, tried, whole, most, most_nodes, completions)
    return count, hidden, nodes


# ------------------------------------------------------------------ what playing a cell shows


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


@kernel
def count_contents(members: np.ndarray, first: int, last: int, known: Completions, counts: Counts) -> None:
    """Fill the counts of the set `members[first:last]`: how many completions have each content in each cell, and the
    lowest and highest of what playing the cell as that content can show."""
    contents, observed = known.contents, known.observed
    numbers, lowest, highest = counts.numbers, counts.lowest, counts.highest
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
def count_survivors(frames: Frames, depth: int, size: int, counts: Counts) -> tuple[int, int]:
    """Fill the survivors of the actions of a frame, and its safest action. Returns the most survivors of an action
    that gives information, and an action that does so without risk (or NONE)."""
    most, safest, sure = 0, 0, NONE
    frames.best[depth], frames.best_action[depth], frames.best_exact[depth] = 0, 0, 0
    for place in range(counts.numbers.shape[1]):
        for content in range(counts.numbers.shape[0]):
            number, action = counts.numbers[content, place], CONTENTS * place + content
            informs = counts.lowest[content, place] < counts.highest[content, place]
            frames.survivors[depth, action] = number if informs and number < size else 0
            most = max(most, frames.survivors[depth, action])
            if informs and number == size:
                sure = action
            if safest < number and number < size:
                safest, frames.best_action[depth] = number, action
    return most, sure


@kernel(python_entry=False, inline=True)
def all_shown(known: Completions, counts: Counts, each: int, size: int) -> int:
    """What all cells that are the same in the whole set show in one of its completions."""
    shown = 0
    for place in range(known.contents.shape[1]):
        content = known.contents[each, place]
        if content < known.content_count and counts.numbers[content, place] == size:
            shown = mix(known.observed[each, place], shown)
    return shown


@kernel(python_entry=False, inline=True)
def split(
    known: Completions,
    counts: Counts,
    frames: Frames,
    parts: Parts,
    splitter: Splitter,
    depth: int,
    stamp: int,
) -> int:
    """Number what the survivors of the action of a frame show: `splitter.part_of` and `sizes`, and the keys of the
    parts. Returns how many parts there are."""
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
            shown = all_shown(known, counts, each, size)
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
def bound_parts(
    memory: Memory, frames: Frames, parts: Parts, splitter: Splitter, depth: int, part_count: int
) -> int:
    """Lay the parts out after the set and bound the wins of each. Returns the sum of the bounds."""
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
def copy_parts(frames: Frames, parts: Parts, splitter: Splitter, depth: int) -> None:
    """Copy the members of the set to their parts."""
    first = frames.first[depth]
    for i in range(frames.last[depth] - first):
        part = splitter.part_of[i]
        if part != NONE:
            parts.members[splitter.sizes[part]] = parts.members[first + i]
            splitter.sizes[part] += 1


@kernel(python_entry=False, inline=True)
def descend(frames: Frames, parts: Parts, depth: int) -> None:
    """The next frame is for the part that is to be searched."""
    index = frames.part_top[depth] + frames.part[depth]
    frames.first[depth + 1], frames.last[depth + 1] = parts.begins[index], parts.begins[index + 1]
    frames.keys[depth + 1] = parts.keys[index]
    frames.risks[depth + 1] = frames.risks[depth] + 1 - frames.free[depth]
    above = frames.part_top[depth] + frames.part_count[depth]
    frames.top[depth + 1], frames.part_top[depth + 1] = parts.begins[above], above + 1


@kernel(python_entry=False, inline=True)
def next_action(frames: Frames, depth: int) -> None:
    """Discard the action that was tried, and take the one with most survivors."""
    frames.survivors[depth, frames.action[depth]] = 0
    frames.action[depth] = np.argmax(frames.survivors[depth])


@kernel(python_entry=False, inline=True)
def look_up(memory: Memory, frames: Frames, depth: int, risks_left: int) -> tuple[int, bool]:
    """The wins of the set of a frame, and whether they are exact, if the memory has it deep enough; else 0 wins."""
    key = frames.keys[depth]
    if frames.last[depth] - frames.first[depth] == 1:
        return 1, True
    slot = slot_of(key, memory.keys.shape[0])
    if depth > 0 and memory.keys[slot] == key and memory.risks[slot] >= risks_left:
        return int(memory.wins[slot]), bool(memory.risks[slot] == EXACT)
    return 0, False


@kernel(python_entry=False, inline=True)
def open_frame(
    known: Completions,
    counts: Counts,
    frames: Frames,
    parts: Parts,
    memory: Memory,
    depth: int,
    risks_left: int,
) -> tuple[int, bool]:
    """Count the actions on the set of a frame, and choose the first one to try: returns 0 wins then. If there is
    nothing to try, or no risk left, returns the wins and whether they are exact."""
    key, size = frames.keys[depth], frames.last[depth] - frames.first[depth]
    count_contents(parts.members, frames.first[depth], frames.last[depth], known, counts)
    most, sure = count_survivors(frames, depth, size, counts)
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
def add_part(frames: Frames, parts: Parts, depth: int, wins: int, exact: bool) -> bool:
    """Add the wins of the part that was searched. Returns whether the next part of the action has to be searched;
    if not, the action is finished, and the next one is chosen."""
    frames.wins[depth] += wins
    frames.bound[depth] -= parts.bounds[frames.part_top[depth] + frames.part[depth]]
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
def try_action(
    known: Completions,
    counts: Counts,
    frames: Frames,
    parts: Parts,
    splitter: Splitter,
    memory: Memory,
    depth: int,
    stamp: int,
) -> bool:
    """Split the set by what the action shows. Returns whether its parts have to be searched; if they cannot beat the
    best action so far, the next one is chosen."""
    part_count = split(known, counts, frames, parts, splitter, depth, stamp)
    bound = bound_parts(memory, frames, parts, splitter, depth, part_count)
    if bound <= frames.best[depth]:
        next_action(frames, depth)
        return False
    copy_parts(frames, parts, splitter, depth)
    frames.part_count[depth], frames.part[depth], frames.exact[depth] = part_count, 0, 1
    frames.wins[depth], frames.bound[depth] = 0, bound
    return True


@kernel(count_references=False)
def search_with_risks(
    limit: int,
    known: Completions,
    counts: Counts,
    frames: Frames,
    parts: Parts,
    splitter: Splitter,
    memory: Memory,
    stamp: int,
    work: int,
    most_work: int,
) -> tuple[bool, int, int]:
    """Search up to `limit` risks deep, from the first frame on; beyond the last risk, the safest action stands for
    what follows. Returns whether the allowed work was enough, the last stamp, and the work."""
    hidden, deepest, room = known.contents.shape[1], frames.first.shape[0], parts.members.shape[0]
    depth, step, wins, exact = 0, ENTER, 0, False
    while depth >= 0:
        size, risks_left = frames.last[depth] - frames.first[depth], limit - frames.risks[depth]
        search_part = False
        if step == ENTER:
            wins, exact = look_up(memory, frames, depth, risks_left)
            if wins == 0:
                work += size * hidden * known.content_count
                if work > most_work:
                    return False, stamp, work
                wins, exact = open_frame(known, counts, frames, parts, memory, depth, risks_left)
            step = TRY
            if wins > 0:
                depth, step = depth - 1, ANSWERED
        elif step == ANSWERED:  # for a part of the action
            search_part = add_part(frames, parts, depth, wins, exact)
            step = TRY
        elif frames.survivors[depth, frames.action[depth]] <= frames.best[depth]:  # nothing better is left
            wins, exact = frames.best[depth], frames.best_exact[depth] == 1
            remember(
                memory, frames.keys[depth], wins, EXACT if exact else risks_left, frames.best_action[depth]
            )
            depth, step = depth - 1, ANSWERED
        else:
            if max(frames.top[depth], frames.part_top[depth]) + size + 2 > room or depth + 2 > deepest:
                return False, stamp, work
            work += 8 * size
            stamp += 1
            search_part = try_action(known, counts, frames, parts, splitter, memory, depth, stamp)
        if search_part:
            descend(frames, parts, depth)
            depth, step = depth + 1, ENTER
    return True, stamp, work


@kernel
def search_to_the_end(
    board: KnownBoard, cells: np.ndarray, completions: np.ndarray, most_work: int
) -> EndgameResult:
    """How many of the completions best play wins; FAILED if the allowed work ends before the first iteration.

    Iterative deepening by one risk at a time: the number is an upper bound until it is exact.
    """
    count, hidden = completions.shape[0], cells.shape[0]
    known, memory = make_completions(board, cells, completions), make_memory(count)
    room = ROOM_PER_COMPLETION * count + 64
    frames, splitter = make_frames(2 * hidden + 4, hidden), make_splitter(count)
    parts = Parts(
        np.zeros(room, np.int32), np.zeros(room, np.int32), np.zeros(room, np.int64), np.zeros(room, np.int32)
    )
    shape = (known.content_count, hidden)
    counts = Counts(np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.zeros(shape, np.int32))
    for each in range(count):
        parts.members[each] = each
        frames.keys[0] ^= known.marks[each]
    frames.last[0], frames.top[0] = count, count
    stamp, work, wins, action, risks = 0, 0, FAILED, 0, 0
    for limit in range(1, hidden + 2):
        finished, stamp, work = search_with_risks(
            limit, known, counts, frames, parts, splitter, memory, stamp, work, most_work
        )
        if not finished:
            break
        wins, action = frames.best[0], frames.best_action[0]
        risks = EXACT if frames.best_exact[0] else limit
        if risks == EXACT:
            break
    return EndgameResult(wins, cells[action // CONTENTS], action % CONTENTS, risks, work)
