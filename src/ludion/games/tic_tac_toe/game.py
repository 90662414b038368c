"""The description of tic-tac-toe."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.kinds.games import EVEN, OPTIONAL, Duel, Engine, Evaluation, Report
from ludion.kinds.lazy import lazy_modules

if TYPE_CHECKING:
    from ludion.games.tic_tac_toe import (
        drawing,
        evaluation,
        learning,
        notation,
        parts,
        reasons,
        report_tables,
        solver,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.tic_tac_toe",
            "drawing evaluation learning notation parts reasons report_tables solver words",
        )
    )

HERE = Path(__file__).parent

GAME = Duel(
    name="tic-tac-toe",
    title="Tic-tac-toe",
    summary="three in a row; on larger boards four or five",
    read=notation.read,
    write=notation.write,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    reason=reasons.move_reason,
    start=".../.../...",
    example="x.o/.x./..o",
    evaluations={
        "alignments": Evaluation(
            evaluation.make, "own alignments still possible minus the opponent's", parts=parts.alignments
        ),
        "even": EVEN,
    },
    default_evaluation="alignments",
    best_engine="solver",
    engines={
        "solver": Engine(
            solver.solve,
            "alpha-beta on small boards; on larger ones proofs by threats, pairs and weights",
            guide=OPTIONAL,
        )
    },
    report=Report(report_tables.searches, report_tables.tables),
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
)
