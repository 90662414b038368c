"""The description of Connect 4."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.kinds.games import EVEN, OPTIONAL, Duel, Engine, Evaluation, Study
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.connect_four import (
        commands,
        drawing,
        engine,
        evaluation,
        learning,
        notation,
        parts,
        threats,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.connect_four",
            "commands drawing engine evaluation learning notation parts threats words",
        )
    )

HERE = Path(__file__).parent

GAME = Duel(
    name="connect-four",
    title="Connect 4",
    summary="drop your stones: four in a row win, across, upright or slanting",
    read=notation.read,
    write=notation.write,
    write_played=notation.write_played,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    reason=threats.move_reason,
    start="",
    example="4455",
    options=(Setting("align", "how many in a row win", "4"),),
    evaluations={
        "lines": Evaluation(
            evaluation.make, "own lines still possible minus the opponent's", parts=parts.lines
        ),
        "even": EVEN,
    },
    default_evaluation="lines",
    best_engine="solver",
    engines={
        "solver": Engine(
            engine.solve,
            "the exact score: who wins, and how soon",
            guide=OPTIONAL,
            settings=(
                Setting("weak", "win, draw or loss only: quicker", False, bool),
                Setting("book", "use the opening book", True, bool),
                Setting(
                    "strength",
                    "1 (weak) to 10 (perfect): the weaker ones choose at random",
                    10,
                    int,
                    least=1,
                    most=10,
                ),
                Setting("seed", "seed for the random choice of weaker strengths", None, int),
            ),
        )
    },
    final_score=engine.final,
    analyse=engine.analyse,
    study=Study(
        threats.study,
        (Setting("nodes", "positions searched to explain losing columns", 2_000_000, int, least=1),),
    ),
    commands={"book": commands.book},
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
)
