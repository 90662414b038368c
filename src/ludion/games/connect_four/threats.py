"""Threats explained: who needs which cell, and why a column is bad, in words.

A threat is an empty cell that completes a line. What it is worth depends on its row: while nothing else
happens the first player gets the odd rows (1, 3, 5) of the columns that are filled last, the second player
the even ones. So the first player wants odd threats, the second even ones.
"""

from __future__ import annotations

from typing import Any

from ludion.games.connect_four.rules import DropGame, Stones, has_line

CELL = tuple[int, int]  # column and row, both from 1


def threat_cells(game: DropGame, stones: int, mask: int) -> int:
    """The empty cells that would complete a line (any length of line; not for hot paths)."""
    found = 0
    free = game.full & ~mask
    while free:
        cell = free & -free
        free ^= cell
        if has_line(game, stones | cell):
            found |= cell
    return found


def names(game: DropGame, cells: int) -> list[CELL]:
    """The cells as (column, row), counted from 1."""
    return [
        (bit // game.stride + 1, bit % game.stride + 1)
        for bit in range(game.columns * game.stride)
        if cells >> bit & 1
    ]


def explain(game: DropGame, position: Stones) -> dict[str, Any]:
    """The threats of both players, odd and even, and what is to be said of each column."""
    stones = position.mask.bit_count()
    other = position.own ^ position.mask
    x, o = (other, position.own) if stones & 1 else (position.own, other)
    told: dict[str, Any] = {}
    for sign, cells in (("x", x), ("o", o)):
        found = names(game, threat_cells(game, cells, position.mask))
        told[f"{sign}_odd_threats"] = [cell for cell in found if cell[1] % 2]
        told[f"{sign}_even_threats"] = [cell for cell in found if cell[1] % 2 == 0]
    told["to_move"] = "o" if stones & 1 else "x"
    told["columns"] = {str(column + 1): why for column, why in _columns(game, position)}
    return told


def _columns(game: DropGame, position: Stones) -> list[tuple[int, str]]:
    """What is to be said of each column, where there is something."""
    own, mask = position.own, position.mask
    other = own ^ mask
    ready = (mask + game.bottom) & game.full
    wins = threat_cells(game, own, mask) & ready
    blocks = threat_cells(game, other, mask) & ready
    found = []
    for column in range(game.columns):
        cell = ready & (((1 << game.stride) - 1) << column * game.stride)
        if not cell:
            continue
        after = mask | cell
        next_ready = (after + game.bottom) & game.full
        theirs = threat_cells(game, other, after) & next_ready
        mine = threat_cells(game, own | cell, after)
        why = ""
        if cell & wins:
            why = f"wins: {game.align} in a row"
        elif blocks & ~cell:
            column_of = names(game, blocks & ~cell)[0][0]
            why = f"loses: does not stop the line in column {column_of}"
        elif theirs & (cell << 1):
            why = f"loses: the opponent completes a line on top of it, in row {names(game, cell << 1)[0][1]}"
        elif cell & blocks:
            why = "must be played: it stops a line"
        elif (mine & next_ready).bit_count() > 1:
            why = "wins: two threats at once"
        elif mine & next_ready and (mine & next_ready) << 1 & mine:
            why = "wins: two threats, one above the other"
        elif _two_threats(game, own | cell, other, after):
            why = "allows the opponent two threats at once"
        elif mine & ~threat_cells(game, own, mask):
            new = names(game, mine & ~threat_cells(game, own, mask))
            why = "makes a threat on " + ", ".join(f"column {c} row {r}" for c, r in new)
        if why:
            found.append((column, why))
    return found


def _two_threats(game: DropGame, own: int, other: int, mask: int) -> bool:
    """Whether the opponent, to move, can make two threats that cannot both be stopped (and we have none to
    win by)."""
    ready = (mask + game.bottom) & game.full
    if threat_cells(game, own, mask) & ready:
        return False
    while ready:
        cell = ready & -ready
        ready ^= cell
        after = mask | cell
        next_ready = (after + game.bottom) & game.full
        direct = threat_cells(game, other | cell, after) & next_ready
        if threat_cells(game, own, after) & next_ready:
            continue
        if direct.bit_count() > 1 or (direct and direct << 1 & threat_cells(game, other | cell, after)):
            return True
    return False


def in_words(told: dict[str, Any]) -> list[str]:
    """The explanation in sentences."""
    lines = []
    for sign in ("x", "o"):
        for parity in ("odd", "even"):
            cells = told[f"{sign}_{parity}_threats"]
            if cells:
                listed = ", ".join(f"column {column} row {row}" for column, row in cells)
                wanted = (sign, parity) in (("x", "odd"), ("o", "even"))
                lines.append(
                    f"{sign} has {parity} threats: {listed}" + (" (the good kind)" if wanted else "")
                )
    lines += [f"column {column} {why}" for column, why in told["columns"].items()]
    return lines or ["no threats on the board"]


def study(game: DropGame, position: Stones) -> dict[str, Any]:
    """For `ludion analyse`."""
    told = explain(game, position)
    return {"threats": "; ".join(in_words(told)), **{name: told[name] for name in told if name != "columns"}}
