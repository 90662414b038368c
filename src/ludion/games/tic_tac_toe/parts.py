"""The summands of the evaluation of tic-tac-toe: a value per alignment."""

from __future__ import annotations

from ludion.answers import WIN
from ludion.games.tic_tac_toe.evaluation import Alignments
from ludion.games.tic_tac_toe.notation import write_move
from ludion.games.tic_tac_toe.rules import AlignmentGame, Marks
from ludion.kinds.parts import ValuePart
from ludion.messages import message


def alignments(evaluation: Alignments, rules: AlignmentGame, position: Marks) -> list[ValuePart]:
    """1 for each alignment that is possible only for the player to move, -1 for each that is possible only for the
    opponent; if one is completed, it alone counts."""
    own, other = ("x", "o") if position.first else ("o", "x")
    parts, decided = [], None
    for line in map(int, rules.alignments):
        cells = [cell for cell in range(rules.columns * rules.rows) if line >> cell & 1]
        name = "-".join(write_move(rules, position, cell) for cell in cells)
        places = tuple(divmod(cell, rules.columns) for cell in cells)
        if position.own & line == line or position.other & line == line:
            value, player = (WIN, own) if position.own & line == line else (-WIN, other)
            part = ValuePart(name, value, message("tic_tac_toe.part.completed", player=player), places)
            decided = decided or part
        else:
            mine, theirs = position.other & line == 0, position.own & line == 0
            if mine and theirs:
                note = message("tic_tac_toe.part.both")
            elif mine or theirs:
                note = message("tic_tac_toe.part.possible", player=own if mine else other)
            else:
                note = message("tic_tac_toe.part.none")
            part = ValuePart(name, int(mine) - int(theirs), note, places)
        parts.append(part)
    if decided is not None:
        parts = [part if part is decided else part._replace(value=0) for part in parts]
    return parts
