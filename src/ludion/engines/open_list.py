"""The open list of best-first search: the numbers of positions by priority, one of least priority first.

Priorities are whole numbers, so the list is an array of buckets, each a linked list of entries; taking the next one
costs no comparison. There are as many buckets as the estimate of the start lets expect; higher priorities wait in a
heap, whose turn comes when the buckets are empty.

    heads[p], tails[p]: first and last entry of bucket p (the last one only to put others behind it)
    following[e]: the next entry of the bucket
    numbers[e]: the number of a position                       far: the heap, as in `heaps`, its values are numbers

Entries count from 1, 0 is none. All arrays but the buckets can grow (`with_room_for`); what changes with every entry is
a value, `OpenCounts`, which the parts take and return, so it stays in registers.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, signed
from ludion.engines.heaps import insert, remove_first
from ludion.engines.tables import lengthened, lengthened_rows, new_short_row, unset_rows

FEWEST_BUCKETS, MOST_BUCKETS = 1 << 12, 1 << 20


class OpenList(NamedTuple):
    """The arrays; see the module's drawing."""

    heads: np.ndarray
    tails: np.ndarray
    following: np.ndarray
    numbers: np.ndarray
    far: np.ndarray
    oldest_first: bool  # among entries of equal priority


class OpenCounts(NamedTuple):
    """How much of the arrays is in use."""

    lowest: int  # no bucket below it has entries
    in_buckets: int  # entries there
    in_heap: int
    arrivals: int  # entries that the heap has ever had
    entries: int  # entries that were ever made for buckets
    free: int  # the first of those that can be used again, linked by `following`


@kernel(python_entry=False, inline=True)
def waiting_in(counts: OpenCounts) -> int:
    """How many entries the list has."""
    return counts.in_buckets + counts.in_heap


@kernel(python_entry=False)
def new_open_list(priority: int, capacity: int, oldest_first: bool) -> OpenList:
    """An empty list, with buckets for eight times this priority."""
    buckets = min(MOST_BUCKETS, max(FEWEST_BUCKETS, 8 * priority))
    return OpenList(
        new_short_row(buckets),
        new_short_row(buckets if oldest_first else 0),
        new_short_row(capacity),
        new_short_row(capacity),
        unset_rows(capacity, 3),
        oldest_first,
    )


@kernel(python_entry=False)
def bytes_of_entries(open_list: OpenList) -> int:
    """The size of the arrays that grow."""
    return 8 * (open_list.numbers.size + open_list.far.size)


@kernel(python_entry=False, inline=True)
def has_room_for(open_list: OpenList, counts: OpenCounts, entries: int) -> bool:
    """Whether this many entries can be made, wherever they go."""
    in_buckets = counts.entries + entries < open_list.numbers.size
    return in_buckets and counts.in_heap + entries <= open_list.far.shape[0]


@kernel(python_entry=False)
def with_room_for(open_list: OpenList, counts: OpenCounts, entries: int) -> OpenList:
    """The list with room for this many entries."""
    heads, tails, following, numbers, far, oldest_first = open_list
    while counts.entries + entries >= numbers.size:
        following, numbers = lengthened(following), lengthened(numbers)
    while counts.in_heap + entries > far.shape[0]:
        far = lengthened_rows(far)
    return OpenList(heads, tails, following, numbers, far, oldest_first)


@kernel(python_entry=False, inline=True)
def enter(open_list: OpenList, counts: OpenCounts, priority: int, number: int) -> OpenCounts:
    """Enter a number, for which there is room."""
    if priority >= open_list.heads.size:
        return enter_heap(open_list, counts, priority, number)
    return enter_bucket(open_list, counts, priority, number)


@kernel(python_entry=False, inline=True)
def enter_bucket(open_list: OpenList, counts: OpenCounts, priority: int, number: int) -> OpenCounts:
    """Enter a number before or behind those of its priority."""
    heads, tails, following, numbers, _, oldest_first = open_list
    entry, entries, free = counts.free, counts.entries, 0
    if entry > 0:
        free = signed(following[nonnegative(entry)])
    else:
        entries += 1
        entry = entries
    place, bucket = nonnegative(entry), nonnegative(priority)
    numbers[place] = number
    if oldest_first:
        following[place] = 0
        if heads[bucket] == 0:
            heads[bucket] = entry
        else:
            following[tails[bucket]] = entry
        tails[bucket] = entry
    else:
        following[place] = heads[bucket]
        heads[bucket] = entry
    lowest = min(counts.lowest, priority)
    return OpenCounts(lowest, counts.in_buckets + 1, counts.in_heap, counts.arrivals, entries, free)


@kernel(python_entry=False, inline=True)
def enter_heap(open_list: OpenList, counts: OpenCounts, priority: int, number: int) -> OpenCounts:
    """Enter a number into the heap."""
    lowest, in_buckets, in_heap, arrivals, entries, free = counts
    arrivals += 1
    order = arrivals if open_list.oldest_first else -arrivals
    in_heap = insert(open_list.far, in_heap, priority, order, number)
    return OpenCounts(lowest, in_buckets, in_heap, arrivals, entries, free)


@kernel(python_entry=False, inline=True)
def take_first(open_list: OpenList, counts: OpenCounts) -> tuple[int, int, OpenCounts]:
    """Remove an entry of least priority; return its priority and its number."""
    heads, _, following, numbers, far, _ = open_list
    lowest, in_buckets, in_heap, arrivals, entries, free = counts
    if in_buckets > 0:
        while heads[nonnegative(lowest)] == 0:
            lowest += 1
        bucket = nonnegative(lowest)
        priority, entry = lowest, signed(heads[bucket])
        place = nonnegative(entry)
        heads[bucket] = following[place]
        number = signed(numbers[place])
        following[place] = free
        in_buckets, free = in_buckets - 1, entry
    else:
        priority, number = far[0, 0], far[0, 2]
        in_heap = remove_first(far, in_heap)
    return priority, number, OpenCounts(lowest, in_buckets, in_heap, arrivals, entries, free)
