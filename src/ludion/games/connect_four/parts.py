"""The summands of the evaluation of Connect 4: a value per line."""

from __future__ import annotations

from ludion.games.connect_four.evaluation import OpenLines
from ludion.games.connect_four.rules import DropGame, Stones
from ludion.kinds.parts import ValuePart
from ludion.messages import message


def lines(evaluation: OpenLines, rules: DropGame, position: Stones) -> list[ValuePart]:
    """1 for each line that is possible for the player to move only, -1 for each that is for the opponent only."""
    other = position.own ^ position.mask
    names = "xo" if position.mask.bit_count() % 2 == 0 else "ox"
    parts = []
    for across, up in ((0, 1), (1, -1), (1, 0), (1, 1)):
        for column in range(rules.columns):
            for row in range(rules.rows):
                cells = [(column + i * across, row + i * up) for i in range(rules.align)]
                if not all(c < rules.columns and 0 <= r < rules.rows for c, r in cells):
                    continue
                line = sum(1 << c * rules.stride + r for c, r in cells)
                mine, theirs = other & line == 0, position.own & line == 0
                if mine and theirs:
                    note = message("connect_four.part.both")
                elif mine or theirs:
                    note = message("connect_four.part.possible", player=names[0] if mine else names[1])
                else:
                    note = message("connect_four.part.none")
                (c, r), (last_c, last_r) = cells[0], cells[-1]
                name = f"{c + 1},{r + 1}-{last_c + 1},{last_r + 1}"
                places = tuple((rules.rows - 1 - r, c) for c, r in cells)
                parts.append(ValuePart(name, int(mine) - int(theirs), note, places))
    return parts
