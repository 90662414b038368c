"""Why a move is good or bad: the line that it completes, stops, or threatens to complete."""

from __future__ import annotations

from ludion.games.tic_tac_toe.notation import write_move
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.kinds.parts import MoveReason, Place, marks_at
from ludion.messages import message


def move_reason(rules: AlignmentGame, position: Marks, move: int) -> MoveReason | None:
    """The first of these that holds."""
    bit, own, other = 1 << move, position.own, position.other
    lines = [int(line) for line in rules.alignments]
    completed = [line for line in lines if (own | bit) & line == line and line & bit]
    if completed:
        return MoveReason(message("tic_tac_toe.why_completes"), marks_at("line", places(rules, completed[0])))
    missed = waiting(lines, other, own | bit)
    if missed:
        names = listed(rules, position, missed)
        return MoveReason(
            message("tic_tac_toe.why_missed", cell=names), marks_at("threat", places(rules, missed))
        )
    stopped = [line for line in lines if other & line == line ^ bit and line & bit]
    if stopped:
        return MoveReason(message("tic_tac_toe.why_stops"), marks_at("line", places(rules, stopped[0])))
    threats = waiting(lines, own | bit, other)
    if not threats:
        return None
    id = "tic_tac_toe.why_fork" if threats & threats - 1 else "tic_tac_toe.why_threat"
    names = listed(rules, position, threats)
    return MoveReason(message(id, cell=names), marks_at("threat", places(rules, threats)))


def waiting(lines: list[int], stones: int, against: int) -> int:
    """The free cells that complete a line of these stones."""
    cells = 0
    for line in lines:
        missing = line & ~stones
        if missing & missing - 1 == 0 and not missing & against:
            cells |= missing
    return cells


def places(rules: AlignmentGame, cells: int) -> list[Place]:
    """The rows and columns of a set of cells."""
    return [divmod(cell, rules.columns) for cell in range(rules.columns * rules.rows) if cells >> cell & 1]


def listed(rules: AlignmentGame, position: Marks, cells: int) -> str:
    """The names of a set of cells."""
    every = [cell for cell in range(rules.columns * rules.rows) if cells >> cell & 1]
    return ", ".join(write_move(rules, position, cell) for cell in every)
