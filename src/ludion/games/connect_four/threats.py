"""Threats explained: who needs which cell, and why a column is bad, in words.

A threat is an empty cell that completes a line. What it is worth depends on its row: while nothing else
happens the first player gets the odd rows (1, 3, 5) of the columns that are filled last, the second player
the even ones. So the first player wants odd threats, the second even ones.

Why a column loses is told by the first of these that holds: a line is not stopped, or is allowed on top; two
threats at once follow; counting cells proves a zugzwang (the solver's rules of even cells and odd threats); or the
solver's best line ends in one of three ways that can be seen: a chain of forced answers, a zugzwang, or neither,
and then the line itself is all that can honestly be said.
"""

from __future__ import annotations

from typing import Any

from ludion.engines.answers import OPTIMAL
from ludion.engines.limits import Budget
from ludion.games.connect_four import engine
from ludion.games.connect_four.rules import DropGame, Stones, has_line
from ludion.games.connect_four.solver import (
    above_even_threats,
    board_of,
    even_bound,
    has_four,
    odd_threat_bound,
)
from ludion.kinds.duel import OPEN, play, verdict

CELL = tuple[int, int]  # column and row, both from 1
NODES = 2_000_000  # that lines which show why columns lose may cost in all: half a second
SHOWN = 12  # plies of a line


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
    over = int(verdict(game, position)) != OPEN
    told: dict[str, Any] = {}
    for sign, cells in (("x", x), ("o", o)):
        found = [] if over else names(game, threat_cells(game, cells, position.mask))
        told[f"{sign}_odd_threats"] = [cell for cell in found if cell[1] % 2]
        told[f"{sign}_even_threats"] = [cell for cell in found if cell[1] % 2 == 0]
    told["to_move"] = "o" if stones & 1 else "x"
    told["columns"] = {} if over else {str(column + 1): why for column, why in _columns(game, position)}
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
        elif reply := _two_threats(game, own | cell, other, after):
            why = f"loses: column {names(game, reply)[0][0]} makes two threats at once against it"
        elif mine & ~threat_cells(game, own, mask):
            new = names(game, mine & ~threat_cells(game, own, mask))
            why = "makes a threat on " + ", ".join(f"column {c} row {r}" for c, r in new)
        if why:
            found.append((column, why))
    return found


def _two_threats(game: DropGame, own: int, other: int, mask: int) -> int:
    """A cell with which the opponent, to move, makes two threats that cannot both be stopped (while we have none
    to win by); 0 if there is none."""
    ready = (mask + game.bottom) & game.full
    if threat_cells(game, own, mask) & ready:
        return 0
    while ready:
        cell = ready & -ready
        ready ^= cell
        after = mask | cell
        next_ready = (after + game.bottom) & game.full
        direct = threat_cells(game, other | cell, after) & next_ready
        if threat_cells(game, own, after) & next_ready:
            continue
        if direct.bit_count() > 1 or (direct and direct << 1 & threat_cells(game, other | cell, after)):
            return cell
    return 0


# ------------------------------------------------------------------ why a column loses


def losses(game: DropGame, position: Stones, nodes: int = NODES) -> dict[str, str]:
    """Why columns lose of which `explain` cannot tell it by a look; for lines of four, as far as the nodes go."""
    found: dict[str, str] = {}
    if game.align != 4 or int(verdict(game, position)) != OPEN:
        return found
    told = dict(_columns(game, position))
    counted = _counted(game, position)
    for column in engine.from_the_middle(game, position):
        child = play(game, position, column)
        if told.get(column, "").startswith(("wins", "loses")) or int(verdict(game, child)) != OPEN:
            continue
        if counted:
            found[str(column + 1)] = counted
        elif nodes > 0:
            answer = engine.solve(game, child, None, Budget(nodes=nodes))
            nodes -= answer.nodes
            if answer.status == OPTIMAL and answer.score is not None and answer.score.value > 0:
                found[str(column + 1)] = _seen_in(game, child, list(answer.moves), answer.score.plies)
    return found


def _counted(game: DropGame, position: Stones) -> str:
    """Why every column loses, if the solver's rules of even cells and odd threats prove it; else ""."""
    board = board_of(game)
    own, mask = position
    other, free, ready = own ^ mask, game.full ^ mask, (mask + game.bottom) & game.full
    against = threat_cells(game, other, mask)
    if not board.even or (against | threat_cells(game, own, mask)) & ready:
        return ""
    if mask.bit_count() & 1:
        if odd_threat_bound(board, own, mask, against) >= 0:
            return ""
        for column in range(game.columns):  # the threat that the rule used: in the first column of odd height
            cells = ((1 << game.rows) - 1) << column * game.stride
            odd = against & cells & board.odd
            if ready & cells & board.even and odd:
                _, row = names(game, odd & -odd)[0]
                return (
                    f"loses by zugzwang: x answers every move and keeps the odd threat on column {column + 1} row "
                    f"{row}, below which o must play in the end (proved by counting)"
                )
    theirs = other | (board.even & free & ~ready)
    lost = above_even_threats(board, against & board.even & ~ready)
    if even_bound(board, theirs) < 0 and not has_four(board, (game.full ^ theirs) & ~lost):
        return (
            "loses by zugzwang: o answers every move in the same column and so gets the even cells, which hold a "
            "line, while the others hold none for x (proved by counting)"
        )
    return ""


def _seen_in(game: DropGame, child: Stones, line: list[int], plies: int | None) -> str:
    """Why a column loses, by the best line after it."""
    shown = " ".join(str(column + 1) for column in line[:SHOWN]) + (" ..." if len(line) > SHOWN else "")
    plain = f"loses in {plies} plies; best line: {shown}"
    if len(line) != plies or len(line) < 3:
        return plain
    states = [child]
    for column in line:
        states.append(play(game, states[-1], column))
    if all(_direct(game, state) for state in states[1:-2:2]):
        return f"loses: every answer is forced: {shown}"
    before = states[-3]  # the loser's last choice
    waiting = threat_cells(game, before.own ^ before.mask, before.mask)
    ready = (before.mask + game.bottom) & game.full
    if waiting & ready or ready & ~(waiting >> 1):
        return plain
    won = states[-1].mask ^ states[-2].mask
    ((column, row),) = names(game, won)
    winner = "o" if child.mask.bit_count() & 1 else "x"
    there = won & threat_cells(game, child.own, child.mask)
    parity = "odd" if row % 2 else "even"
    since = "which is already there" if there else "still to come"
    return (
        f"loses by zugzwang: at last every free cell is below a threat, and {winner} wins on column {column} "
        f"row {row}, an {parity} threat {since}; best line: {shown}"
    )


def _direct(game: DropGame, state: Stones) -> bool:
    """Whether the player who moved last threatens to win at once."""
    ready = (state.mask + game.bottom) & game.full
    return bool(threat_cells(game, state.own ^ state.mask, state.mask) & ready)


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


def study(game: DropGame, position: Stones, nodes: int = NODES) -> dict[str, Any]:
    """For `ludion analyse`: threats, and why columns lose."""
    told = explain(game, position)
    told["columns"] = dict(sorted({**told["columns"], **losses(game, position, nodes)}.items()))
    return {"threats": "; ".join(in_words(told)), **{name: told[name] for name in told if name != "columns"}}
