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

from ludion.answers import OPTIMAL
from ludion.engines.budget import Budget
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


def threat_cells(rules: DropGame, stones: int, mask: int) -> int:
    """The empty cells that would complete a line (any length of line; not for hot paths)."""
    found = 0
    free = rules.full & ~mask
    while free:
        cell = free & -free
        free ^= cell
        if has_line(rules, stones | cell):
            found |= cell
    return found


def names(rules: DropGame, cells: int) -> list[CELL]:
    """The cells as (column, row), counted from 1."""
    return [
        (bit // rules.stride + 1, bit % rules.stride + 1)
        for bit in range(rules.columns * rules.stride)
        if cells >> bit & 1
    ]


def explain(rules: DropGame, position: Stones) -> dict[str, Any]:
    """The threats of both players, odd and even, and what is to be said of each column."""
    stones = position.mask.bit_count()
    other = position.own ^ position.mask
    x, o = (other, position.own) if stones & 1 else (position.own, other)
    over = int(verdict(rules, position)) != OPEN
    told: dict[str, Any] = {}
    for sign, cells in (("x", x), ("o", o)):
        found = [] if over else names(rules, threat_cells(rules, cells, position.mask))
        told[f"{sign}_odd_threats"] = [cell for cell in found if cell[1] % 2]
        told[f"{sign}_even_threats"] = [cell for cell in found if cell[1] % 2 == 0]
    told["to_move"] = "o" if stones & 1 else "x"
    told["columns"] = {} if over else {str(column + 1): why for column, why in _columns(rules, position)}
    return told


def _columns(rules: DropGame, position: Stones) -> list[tuple[int, str]]:
    """What is to be said of each column, where there is something."""
    own, mask = position.own, position.mask
    other = own ^ mask
    ready = (mask + rules.bottom) & rules.full
    wins = threat_cells(rules, own, mask) & ready
    blocks = threat_cells(rules, other, mask) & ready
    found = []
    for column in range(rules.columns):
        cell = ready & (((1 << rules.stride) - 1) << column * rules.stride)
        if not cell:
            continue
        after = mask | cell
        next_ready = (after + rules.bottom) & rules.full
        theirs = threat_cells(rules, other, after) & next_ready
        mine = threat_cells(rules, own | cell, after)
        why = ""
        if cell & wins:
            why = f"wins: {rules.align} in a row"
        elif blocks & ~cell:
            column_of = names(rules, blocks & ~cell)[0][0]
            why = f"loses: does not stop the line in column {column_of}"
        elif theirs & (cell << 1):
            why = f"loses: the opponent completes a line on top of it, in row {names(rules, cell << 1)[0][1]}"
        elif cell & blocks:
            why = "must be played: it stops a line"
        elif (mine & next_ready).bit_count() > 1:
            why = "wins: two threats at once"
        elif mine & next_ready and (mine & next_ready) << 1 & mine:
            why = "wins: two threats, one above the other"
        elif reply := _two_threats(rules, own | cell, other, after):
            why = f"loses: column {names(rules, reply)[0][0]} makes two threats at once against it"
        elif mine & ~threat_cells(rules, own, mask):
            new = names(rules, mine & ~threat_cells(rules, own, mask))
            why = "makes a threat on " + ", ".join(f"column {c} row {r}" for c, r in new)
        if why:
            found.append((column, why))
    return found


def _two_threats(rules: DropGame, own: int, other: int, mask: int) -> int:
    """A cell with which the opponent, to move, makes two threats that cannot both be stopped (while we have none
    to win by); 0 if there is none."""
    ready = (mask + rules.bottom) & rules.full
    if threat_cells(rules, own, mask) & ready:
        return 0
    while ready:
        cell = ready & -ready
        ready ^= cell
        after = mask | cell
        next_ready = (after + rules.bottom) & rules.full
        direct = threat_cells(rules, other | cell, after) & next_ready
        if threat_cells(rules, own, after) & next_ready:
            continue
        if direct.bit_count() > 1 or (direct and direct << 1 & threat_cells(rules, other | cell, after)):
            return cell
    return 0


# ------------------------------------------------------------------ why a column loses


def losses(rules: DropGame, position: Stones, nodes: int = NODES) -> dict[str, str]:
    """Why columns lose of which `explain` cannot tell it by a look; for lines of four, as far as the nodes go."""
    found: dict[str, str] = {}
    if rules.align != 4 or int(verdict(rules, position)) != OPEN:
        return found
    told = dict(_columns(rules, position))
    counted = _counted(rules, position)
    for column in engine.from_the_middle(rules, position):
        child = play(rules, position, column)
        if told.get(column, "").startswith(("wins", "loses")) or int(verdict(rules, child)) != OPEN:
            continue
        if counted:
            found[str(column + 1)] = counted
        elif nodes > 0:
            answer = engine.solve(rules, child, None, Budget(nodes=nodes))
            nodes -= answer.nodes
            if answer.status == OPTIMAL and answer.score is not None and answer.score.value > 0:
                found[str(column + 1)] = _seen_in(rules, child, list(answer.moves), answer.score.plies)
    return found


def _counted(rules: DropGame, position: Stones) -> str:
    """Why every column loses, if the solver's rules of even cells and odd threats prove it; else ""."""
    board = board_of(rules)
    own, mask = position
    other, free, ready = own ^ mask, rules.full ^ mask, (mask + rules.bottom) & rules.full
    against = threat_cells(rules, other, mask)
    if not board.even or (against | threat_cells(rules, own, mask)) & ready:
        return ""
    if mask.bit_count() & 1:
        if odd_threat_bound(board, own, mask, against) >= 0:
            return ""
        for column in range(
            rules.columns
        ):  # the threat that the rule used: in the first column of odd height
            cells = ((1 << rules.rows) - 1) << column * rules.stride
            odd = against & cells & board.odd
            if ready & cells & board.even and odd:
                _, row = names(rules, odd & -odd)[0]
                return (
                    f"loses by zugzwang: x answers every move and keeps the odd threat on column {column + 1} row "
                    f"{row}, below which o must play in the end (proved by counting)"
                )
    theirs = other | (board.even & free & ~ready)
    lost = above_even_threats(board, against & board.even & ~ready)
    if even_bound(board, theirs) < 0 and not has_four(board, (rules.full ^ theirs) & ~lost):
        return (
            "loses by zugzwang: o answers every move in the same column and so gets the even cells, which hold a "
            "line, while the others hold none for x (proved by counting)"
        )
    return ""


def _seen_in(rules: DropGame, child: Stones, line: list[int], plies: int | None) -> str:
    """Why a column loses, by the best line after it."""
    shown = " ".join(str(column + 1) for column in line[:SHOWN]) + (" ..." if len(line) > SHOWN else "")
    plain = f"loses in {plies} plies; best line: {shown}"
    if len(line) != plies or len(line) < 3:
        return plain
    states = [child]
    for column in line:
        states.append(play(rules, states[-1], column))
    if all(_direct(rules, state) for state in states[1:-2:2]):
        return f"loses: every answer is forced: {shown}"
    before = states[-3]  # the loser's last choice
    waiting = threat_cells(rules, before.own ^ before.mask, before.mask)
    ready = (before.mask + rules.bottom) & rules.full
    if waiting & ready or ready & ~(waiting >> 1):
        return plain
    won = states[-1].mask ^ states[-2].mask
    ((column, row),) = names(rules, won)
    winner = "o" if child.mask.bit_count() & 1 else "x"
    there = won & threat_cells(rules, child.own, child.mask)
    parity = "odd" if row % 2 else "even"
    since = "which is already there" if there else "still to come"
    return (
        f"loses by zugzwang: at last every free cell is below a threat, and {winner} wins on column {column} "
        f"row {row}, an {parity} threat {since}; best line: {shown}"
    )


def _direct(rules: DropGame, state: Stones) -> bool:
    """Whether the player who moved last threatens to win at once."""
    ready = (state.mask + rules.bottom) & rules.full
    return bool(threat_cells(rules, state.own ^ state.mask, state.mask) & ready)


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


def study(rules: DropGame, position: Stones, nodes: int = NODES) -> dict[str, Any]:
    """For `ludion analyse`: threats, and why columns lose."""
    told = explain(rules, position)
    told["columns"] = dict(sorted({**told["columns"], **losses(rules, position, nodes)}.items()))
    return {"threats": "; ".join(in_words(told)), **{name: told[name] for name in told if name != "columns"}}
