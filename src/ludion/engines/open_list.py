"""The open list of best-first search: the numbers of positions by priority, one of least priority first.

Priorities are whole numbers, so the list is an array of buckets, each a linked list of entries; taking the next one
costs no comparison. There are as many buckets as the estimate of the start lets expect; higher priorities wait in a
heap, whose turn comes when the buckets are empty.

    heads[p], tails[p]: first and last entry of bucket p       following[e]: the next entry of the bucket
    numbers[e]: the number of a position                       far: the heap, as in `heaps`, its values are numbers

Entries count from 1, 0 is none. The search owns the arrays and lengthens all but the buckets; what changes with every
entry is a value, `OpenCounts`, which the parts take and return, so it stays in registers. The parts count no references
to the arrays: counting them for every entry makes small searches a fifth slower.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import nonnegative, signed
from ludion.engines.heaps import insert, remove_first

FEWEST_BUCKETS, MOST_BUCKETS = 1 << 12, 1 << 20


class OpenCounts(NamedTuple):
    """How much of the arrays is in use."""

    lowest: int  # no bucket below it has entries
    in_buckets: int  # entries there
    in_heap: int
    arrivals: int  # entries that the heap has ever had
    entries: int  # entries that were ever made for buckets
    free: int  # the first of those that can be used again, linked by `following`


@kernel(inline=True, count_references=False)
def enter_bucket(
    heads: np.ndarray,
    tails: np.ndarray,
    following: np.ndarray,
    numbers: np.ndarray,
    counts: OpenCounts,
    priority: int,
    number: int,
    oldest_first: bool,
) -> OpenCounts:
    """Enter a number, for which there is room, before or behind those of its priority."""
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
        if tails[bucket] == 0:
            heads[bucket] = entry
        else:
            following[tails[bucket]] = entry
        tails[bucket] = entry
    else:
        following[place] = heads[bucket]
        if heads[bucket] == 0:
            tails[bucket] = entry
        heads[bucket] = entry
    lowest = min(counts.lowest, priority)
    return OpenCounts(lowest, counts.in_buckets + 1, counts.in_heap, counts.arrivals, entries, free)


@kernel(inline=True, count_references=False)
def enter_heap(
    far: np.ndarray, counts: OpenCounts, priority: int, number: int, oldest_first: bool
) -> OpenCounts:
    """Enter a number, for which there is room, into the heap."""
    lowest, in_buckets, in_heap, arrivals, entries, free = counts
    arrivals += 1
    in_heap = insert(far, in_heap, priority, arrivals if oldest_first else -arrivals, number)
    return OpenCounts(lowest, in_buckets, in_heap, arrivals, entries, free)


@kernel(inline=True, count_references=False)
def take_first(
    heads: np.ndarray,
    tails: np.ndarray,
    following: np.ndarray,
    numbers: np.ndarray,
    far: np.ndarray,
    counts: OpenCounts,
) -> tuple[int, int, OpenCounts]:
    """Remove an entry of least priority; return its priority and its number."""
    lowest, in_buckets, in_heap, arrivals, entries, free = counts
    if in_buckets > 0:
        while heads[nonnegative(lowest)] == 0:
            lowest += 1
        bucket = nonnegative(lowest)
        priority, entry = lowest, signed(heads[bucket])
        place = nonnegative(entry)
        heads[bucket] = following[place]
        if heads[bucket] == 0:
            tails[bucket] = 0
        number = signed(numbers[place])
        following[place] = free
        in_buckets, free = in_buckets - 1, entry
    else:
        priority, number = far[0, 0], far[0, 2]
        in_heap = remove_first(far, in_heap)
    return priority, number, OpenCounts(lowest, in_buckets, in_heap, arrivals, entries, free)
