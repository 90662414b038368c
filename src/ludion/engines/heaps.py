"""A binary heap in the rows of an array: | priority | order among equal priorities | value |, the least row first.

Row i is never greater than its children, rows 2 i + 1 and 2 i + 2.
"""

from __future__ import annotations

import numpy as np

from ludion.core.verbs import kernel


@kernel(python_entry=False)
def is_before(rows: np.ndarray, i: int, j: int) -> bool:
    """Whether row i is less than row j."""
    return rows[i, 0] < rows[j, 0] or (rows[i, 0] == rows[j, 0] and rows[i, 1] < rows[j, 1])  # type: ignore[no-any-return]


@kernel(python_entry=False)
def exchange(rows: np.ndarray, i: int, j: int) -> None:
    """Exchange two rows."""
    for k in range(3):
        rows[i, k], rows[j, k] = rows[j, k], rows[i, k]


@kernel(python_entry=False)
def insert(rows: np.ndarray, count: int, priority: int, order: int, value: int) -> int:
    """Insert a row, for which there is room; return how many there are then."""
    here = count
    rows[here, 0] = priority
    rows[here, 1] = order
    rows[here, 2] = value
    while here > 0 and is_before(rows, here, (here - 1) // 2):
        exchange(rows, here, (here - 1) // 2)
        here = (here - 1) // 2
    return count + 1


@kernel(python_entry=False)
def remove_first(rows: np.ndarray, count: int) -> int:
    """Remove the least row; return how many are left."""
    count -= 1
    exchange(rows, 0, count)
    here = 0
    while 2 * here + 1 < count:
        child = 2 * here + 1
        if child + 1 < count and is_before(rows, child + 1, child):
            child += 1
        if not is_before(rows, child, here):
            break
        exchange(rows, here, child)
        here = child
    return count
