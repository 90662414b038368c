"""Every way to fill the hidden cells of a position, or of a part of it, that fits what is seen."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.crocomine.inference import KnownBoard, needs_of
from ludion.games.crocomine.rules import (
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
    are_near,
)
from ludion.logic.counting import MOST_LINKS

TOO_MANY = -1  # instead of a number of completions
NONE = -1  # no index
MOST_ENDGAME_CELLS = 90  # hidden cells whose completions are listed
MOST_LISTING_NODES = 3_000_000  # of listing them

# A completion has a number for each hidden cell: its content, plus IN_SEA if the cell is sea.
IN_SEA = 4
CONTENT_MASK = IN_SEA - 1
FIRST_IN_SEA = 3  # the numbers in the order they are tried: EMPTY, TIGER, CROCODILE on land, then in the sea
LAST_ON_LAND, LAST_IN_SEA = 2, 5

NEXT_TO_TAKEN = 16  # weight of a cell near those taken before, compared with one next to an open cell
TOTALS = 0  # the first limit: the totals of the board; the others are clues
SEA_COLUMN = CROCODILE  # of limits, after the three animals: cells of unknown terrain that are sea
ELSEWHERE = 1 << 30  # room in cells that are not listed


class Listing(NamedTuple):
    """The hidden cells in the order in which they are filled, and the limits of what may be put into them: the totals
    of the board, and the clues around them."""

    grounds: np.ndarray  # the terrain of each cell, or UNKNOWN
    limits: np.ndarray  # of each cell: the numbers of its limits, the totals first
    degrees: np.ndarray  # and how many there are
    needs: np.ndarray  # of each limit: tigers, sharks, crocodiles, sea still to be placed
    room: np.ndarray  # of each limit: cells still to be filled that may hold each of them


@kernel
def order_cells(board: KnownBoard, hidden: int, cells: np.ndarray) -> None:
    """Fill `cells` with the hidden cells, each near those before it, so that clues close early."""
    around, seen = board.around, board.seen
    scores = np.full(seen.shape[0], -1, np.int64)  # of the hidden cells that are not taken
    for cell in range(seen.shape[0]):
        if seen[cell] == HIDDEN:
            scores[cell] = 0
            for i in range(1, around[cell, END]):
                scores[cell] += seen[around[cell, i]] == OPEN
    for place in range(hidden):
        best = int(np.argmax(scores))
        cells[place] = best
        scores[best] = -1
        for cell in range(seen.shape[0]):
            if scores[cell] >= 0 and are_near(board.columns, best, cell, 2):
                scores[cell] += NEXT_TO_TAKEN


@kernel
def make_listing(board: KnownBoard, cells: np.ndarray, whole: bool) -> Listing:
    """The listing before any cell is filled; the totals only have to be reached if the cells are the `whole` rest."""
    around, terrain, seen = board.around, board.terrain, board.seen
    size, hidden = seen.shape[0], cells.shape[0]
    needs, room = np.zeros((2, size + 1, SEA_COLUMN + 1), np.int64)
    needs[TOTALS, :SEA_COLUMN] = board.totals
    needs[TOTALS, SEA_COLUMN] = board.sea
    room[TOTALS] = 0 if whole else ELSEWHERE
    for cell in range(size):
        if seen[cell] > EMPTY:
            needs[TOTALS, seen[cell] - 1] -= 1
        needs[TOTALS, SEA_COLUMN] -= terrain[cell] == SEA
    limit_of = np.full(size, NONE, np.int64)  # of each clue
    limits, degrees = np.full((hidden, 1 + MOST_LINKS), TOTALS, np.int64), np.ones(hidden, np.int64)
    count = 1
    for place in range(hidden):
        for i in range(1, around[cells[place], END]):
            clue = around[cells[place], i]
            if seen[clue] != OPEN:
                continue
            if limit_of[clue] == NONE:
                limit_of[clue] = count
                needs[count, 0], needs[count, 1], needs[count, 2], _ = needs_of(board, clue)
                count += 1
            limits[place, degrees[place]] = limit_of[clue]
            degrees[place] += 1
    listing = Listing(terrain[cells], limits, degrees, needs, room)
    for place in range(hidden):
        change_room(listing, place, 1)
    return listing


@kernel(python_entry=False, inline=True)
def change_room(listing: Listing, place: int, by: int) -> None:
    """Remove the cell from the cells still to be filled (-1), or add it again (1)."""
    ground, room = listing.grounds[place], listing.room
    room[TOTALS, SEA_COLUMN] += by * (ground == UNKNOWN)
    for i in range(listing.degrees[place]):
        limit = listing.limits[place, i]
        room[limit, TIGER - 1] += by * (ground != SEA)
        room[limit, SHARK - 1] += by * (ground != LAND)
        room[limit, CROCODILE - 1] += by


@kernel(python_entry=False, inline=True)
def put(listing: Listing, place: int, code: int, times: int) -> None:
    """Put a content (and terrain) into the cell, or remove it (`times` -1)."""
    content, needs = code & CONTENT_MASK, listing.needs
    if listing.grounds[place] == UNKNOWN:
        needs[TOTALS, SEA_COLUMN] -= times * (code >= IN_SEA)
    if content > EMPTY:
        for i in range(listing.degrees[place]):
            needs[listing.limits[place, i], content - 1] -= times
    change_room(listing, place, -times)


@kernel(python_entry=False, inline=True)
def may_fit(listing: Listing, place: int) -> bool:
    """Whether the totals and the clues around the cell can still be met: after the last cell, whether they are."""
    needs, room = listing.needs, listing.room
    if not 0 <= needs[TOTALS, SEA_COLUMN] <= room[TOTALS, SEA_COLUMN]:
        return False
    for i in range(listing.degrees[place]):
        limit = listing.limits[place, i]
        tigers, sharks, crocodiles = needs[limit, 0], needs[limit, 1], needs[limit, 2]
        if tigers < 0 or sharks < 0 or crocodiles < 0:
            return False
        if (
            tigers > room[limit, 0]
            or sharks > room[limit, 1]
            or tigers + sharks + crocodiles > room[limit, 2]
        ):
            return False
    return True


@kernel(count_references=False)
def fill_completions(
    listing: Listing, codes: np.ndarray, tried: np.ndarray, most_nodes: int, completions: np.ndarray
) -> int:
    """Try all codes in all cells, depth first. Returns the number of completions, or TOO_MANY.

    `tried` is the index of the code that a cell has now, NONE before the first try.
    """
    hidden = listing.grounds.shape[0]
    depth, count, nodes = 0, 0, 0
    while depth >= 0:
        if depth == hidden:
            if count >= completions.shape[0]:
                return TOO_MANY
            for place in range(hidden):
                completions[count, place] = codes[tried[place]]
            count += 1
            depth -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            return TOO_MANY
        if tried[depth] != NONE:
            put(listing, depth, codes[tried[depth]], -1)
        ground = listing.grounds[depth]
        tried[depth] = max(tried[depth] + 1, FIRST_IN_SEA if ground == SEA else 0)
        if tried[depth] > (LAST_ON_LAND if ground == LAND else LAST_IN_SEA):
            tried[depth] = NONE
            depth -= 1
            continue
        put(listing, depth, codes[tried[depth]], 1)
        if may_fit(listing, depth):
            depth += 1
            tried[depth] = NONE
    return count


@kernel
def list_completions(
    board: KnownBoard, whole: bool, most_nodes: int, cells: np.ndarray, completions: np.ndarray
) -> tuple[int, int]:
    """All ways to fill the hidden cells, each a row of `completions`. Returns how many (or TOO_MANY), and the number of
    cells.

    The totals have to be reached if the hidden cells are the `whole` rest of the board.
    """
    hidden = 0
    for cell in range(board.seen.shape[0]):
        hidden += board.seen[cell] == HIDDEN
    if hidden > cells.shape[0]:
        return TOO_MANY, hidden
    order_cells(board, hidden, cells)
    listing = make_listing(board, cells[:hidden], whole)
    codes = np.array([EMPTY, TIGER, CROCODILE, IN_SEA + EMPTY, IN_SEA + SHARK, IN_SEA + CROCODILE])
    tried = np.full(hidden + 1, NONE, np.int64)
    return fill_completions(listing, codes, tried, most_nodes, completions), hidden
