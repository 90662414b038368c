"""The tables of the engines: flat arrays over packed positions, no Python objects.

A `Store` numbers the positions it has seen, 0, 1, 2, ... in the order of arrival:

    slots:  hash of the words -> number + 1, or 0 (open addressing, never more than half full)
    words:  number -> the packed position, one row of 64-bit words
    parent: number -> the number of the position it was reached from, or -1

Moves are not stored: a path is replayed from its positions. A store grows by doubling: before it adds positions, a
search replaces it by one `with_room`, if the memory budget allows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.core.words import borrowed, load, mix, nonnegative, signed
from ludion.engines.limits import MEMORY, MEMORY_LIMIT
from ludion.kinds.puzzle import cost, most_moves, moves, moves_back, pack, play, play_back, unpack
from ludion.kinds.values import Rules, State

FIRST_CAPACITY = 1 << 10
MOST_POSITIONS = 1 << 30  # of a store


# The arrays that kernels make, each compiled once and for all of them. `np.zeros` would do the same, and every use in a
# kernel takes a tenth of a second to compile.


@kernel(python_entry=False)
def new_row(count: int) -> np.ndarray:
    """Zeros of length count."""
    zeros = np.empty(count, np.int64)
    for i in range(count):
        zeros[i] = 0
    return zeros


@kernel(python_entry=False)
def new_short_row(count: int) -> np.ndarray:
    """Zeros of 32 bits."""
    zeros = np.empty(count, np.int32)
    for i in range(count):
        zeros[i] = 0
    return zeros


@kernel(python_entry=False)
def new_rows(count: int, width: int) -> np.ndarray:
    """Rows of zeros."""
    zeros = np.empty((count, width), np.int64)
    for i in range(count):
        for j in range(width):
            zeros[i, j] = 0
    return zeros


@kernel(python_entry=False)
def unset_rows(count: int, width: int) -> np.ndarray:
    """Rows that are written before they are read: pages of memory that nobody touches cost nothing."""
    return np.empty((count, width), np.int64)


@kernel(python_entry=False)
def lengthened(numbers: Any) -> Any:
    """A copy of twice the length, padded with zeros."""
    longer = np.empty(numbers.size * 2, numbers.dtype)
    for i in range(numbers.size):
        longer[i] = numbers[i]
        longer[numbers.size + i] = 0
    return longer


@kernel(python_entry=False)
def joined(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """One row after the other."""
    both = new_row(first.size + second.size)
    for i in range(both.size):
        both[i] = first[i] if i < first.size else second[i - first.size]
    return both


@kernel(python_entry=False)
def lengthened_rows(rows: np.ndarray) -> np.ndarray:
    """A copy with room for twice as many rows."""
    longer = unset_rows(rows.shape[0] * 2, rows.shape[1])
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            longer[i, j] = rows[i, j]
    return longer


class Store(NamedTuple):
    """Positions seen; see the module's drawing."""

    slots: np.ndarray
    words: np.ndarray
    parent: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # count[0]: how many positions there are


@kernel(python_entry=False)
def new_store(width: int, capacity: int) -> Store:
    """An empty store for positions of this many words."""
    return Store(
        new_short_row(capacity * 2), unset_rows(capacity, width), new_short_row(capacity), new_row(1)
    )


@kernel(python_entry=False)
def bytes_of(width: int, capacity: int) -> int:
    """The size of a store."""
    return capacity * (8 + 8 * width + 4)


@kernel(python_entry=False, inline=True)
def has_room(store: Store, count: int) -> bool:
    """Whether this many positions can be added."""
    return store.count[0] + count <= store.parent.size  # type: ignore[no-any-return]


@kernel(python_entry=False)
def hash_of(words: Any) -> int:
    """A hash of the words, not negative."""
    result = 0
    for i in range(len(words)):
        result = mix(words[i], result)
    return result & 0x7FFFFFFFFFFFFFFF


@kernel(python_entry=False)
def find_or_add(store: Store, words: Any, parent: int) -> tuple[int, bool]:
    """The number of the position, and whether it is new."""
    mask = store.slots.size - 1
    slot = (hash_of(words) >> 15) & mask
    while store.slots[nonnegative(slot)] != 0:
        number = signed(store.slots[nonnegative(slot)]) - 1
        if words_at(store, number, words) == words:
            return number, False
        slot = (slot + 1) & mask
    number = store.count[0]
    store.count[0] = number + 1
    store.slots[nonnegative(slot)] = number + 1
    for i in range(len(words)):
        store.words[nonnegative(number), i] = words[i]
    store.parent[nonnegative(number)] = parent
    return number, True


@kernel(python_entry=False)
def find(store: Store, words: Any) -> int:
    """The number of the position, or -1."""
    mask = store.slots.size - 1
    slot = (hash_of(words) >> 15) & mask
    while store.slots[nonnegative(slot)] != 0:
        number = signed(store.slots[nonnegative(slot)]) - 1
        if words_at(store, number, words) == words:
            return number
        slot = (slot + 1) & mask
    return -1


@kernel(python_entry=False)
def words_at(store: Store, number: int, like: State) -> Any:
    """The words of the position of this number, as a tuple like `like`."""
    return load(store.words[nonnegative(number)], like)


@kernel(python_entry=False)
def grown(store: Store, like: State) -> Store:
    """A store of twice the capacity with the same content."""
    bigger = Store(
        new_short_row(2 * store.slots.size),
        lengthened_rows(store.words),
        lengthened(store.parent),
        joined(store.count, new_row(0)),
    )
    enter_all(bigger, like)
    return bigger


@kernel(python_entry=False)
def enter_all(store: Store, like: State) -> None:
    """Fill the empty slots with the numbers of all positions."""
    store = borrowed(store)
    mask = store.slots.size - 1
    for number in range(store.count[0]):
        slot = (hash_of(words_at(store, number, like)) >> 15) & mask
        while store.slots[nonnegative(slot)] != 0:
            slot = (slot + 1) & mask
        store.slots[nonnegative(slot)] = number + 1


@kernel(python_entry=False)
def with_room(store: Store, like: State, count: int, others: int, control: np.ndarray) -> tuple[Store, bool]:
    """The store with room for this many more positions, and True; False if there is no memory for it beside `others`,
    the bytes of other tables.
    """
    while not has_room(store, count):
        capacity = store.parent.size
        needed = (
            bytes_of(store.words.shape[1], 3 * capacity) + others
        )  # the old and the new one, for a moment
        if needed > control[MEMORY_LIMIT] or capacity >= MOST_POSITIONS:
            return store, False
        store = grown(store, like)
        control[MEMORY] = max(control[MEMORY], needed)
    return store, True


@kernel(python_entry=False)
def depth_of(store: Store, number: int) -> int:
    """The number of parents above this position."""
    depth = 0
    while store.parent[number] >= 0:
        depth += 1
        number = signed(store.parent[number])
    return depth


@kernel(python_entry=False)
def path_to(rules: Rules, store: Store, number: int, like: State) -> Any:
    """The moves that lead from position 0 to this one, along the parents."""
    rules, store, like = borrowed((rules, store, like))
    length = depth_of(store, number)
    path = new_row(length)
    buffer = new_row(most_moves(rules))
    here = number
    while length > 0:
        length -= 1
        path[length] = move_to(rules, store, here, like, buffer)
        here = signed(store.parent[here])
    return path


@kernel(python_entry=False)
def path_from(rules: Rules, store: Store, number: int, like: State) -> Any:
    """The moves that lead from this position, along the parents, to the goal that it was reached from backwards."""
    rules, store, like = borrowed((rules, store, like))
    length = depth_of(store, number)
    path = new_row(length)
    buffer = new_row(most_moves(rules))
    words = pack(rules, like)
    here = number
    for i in range(length):
        target = words_at(store, here, words)
        here = signed(store.parent[here])
        position = unpack(rules, words_at(store, here, words), like)
        for k in range(moves_back(rules, position, buffer)):
            if pack(rules, play_back(rules, position, buffer[k])) == target:
                path[i] = buffer[k]
                break
    return path


@kernel(python_entry=False)
def move_to(rules: Rules, store: Store, number: int, like: State, buffer: np.ndarray) -> int:
    """The move that led from the parent to this position, or -1 if it has none."""
    parent = signed(store.parent[number])
    if parent < 0:
        return -1
    words = pack(rules, like)
    position = unpack(rules, words_at(store, parent, words), like)
    return move_between(rules, position, words_at(store, number, words), buffer)


@kernel(python_entry=False)
def move_between(rules: Rules, position: State, target: Any, buffer: np.ndarray) -> int:
    """The cheapest move from the position to the one with these words, the first of several, or -1."""
    best, least = -1, 0
    for i in range(moves(rules, position, buffer)):
        move = buffer[i]
        if pack(rules, play(rules, position, move)) == target:
            price = cost(rules, position, move)
            if best < 0 or price < least:
                best, least = signed(move), price
    return best
