"""The description of Taquin."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.kinds.games import ADMISSIBLE, OPTIONAL, Engine, Generator, Heuristic, Puzzle, Report
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.taquin import (
        additive,
        anytime,
        best,
        drawing,
        generator,
        heuristics,
        learning,
        notation,
        parts,
        report_tables,
        rules,
        walking_distance,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.taquin",
            "additive anytime best drawing generator heuristics learning notation parts report_tables rules "
            "walking_distance words",
        )
    )

HERE = Path(__file__).parent

GAME = Puzzle(
    name="taquin",
    title="Taquin",
    summary="slide the tiles into order, on small boards and large ones",
    read=notation.read,
    write=notation.write,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    start="8 6 7/2 5 4/3 0 1",
    first="1 6 8/4 0 3/7 2 5",
    example="level:report-5",
    options=(
        Setting("goal", "the position to reach; by default the tiles in order with the blank last"),
        Setting(
            "metric",
            "whether a push of several tiles counts as one move, or as one per tile",
            "single",
            choices=("single", "multi"),
        ),
    ),
    heuristics={
        "misplaced": Heuristic(
            heuristics.misplaced, "how many tiles are out of place", admissible=True, parts=parts.misplaced
        ),
        "manhattan": Heuristic(
            heuristics.manhattan,
            "how far the tiles are from their places",
            admissible=True,
            parts=parts.manhattan,
        ),
        "linear-conflict": Heuristic(
            heuristics.linear_conflict,
            "manhattan, plus 2 for each tile that must leave its line to let another pass",
            admissible=True,
            parts=parts.linear_conflict,
        ),
        "walking-distance": Heuristic(
            walking_distance.walking_distance,
            "how often the blank must change its row and its column; up to 4x4",
            admissible=True,
            parts=parts.walking_distance,
        ),
        "pattern-database": Heuristic(
            additive.pattern_database,
            "how often groups of tiles must move, from tables built on first use; partition by the board's size",
            admissible=True,
            parts=parts.pattern_database,
            ready=additive.is_made,
        ),
    },
    default_heuristic="linear-conflict",
    best_engine="by-size",
    engines={
        "by-size": Engine(
            best.solve,
            "the strongest engine and heuristic for a board of this size",
            guide=OPTIONAL,
            optimal=ADMISSIBLE,
            settings=(
                Setting("tables", "the partition of the pattern database, such as 7-8", ""),
                Setting(
                    "optimal",
                    "find an optimal solution even on a large board, however long it takes",
                    False,
                    bool,
                ),
            ),
        ),
        "anytime": Engine(
            anytime.solve,
            "a solution soon, then better ones until the budget ends (5 s without a time limit), with a lower bound",
            optimal=ADMISSIBLE,
            settings=(
                Setting("width", "width of the first beam; 0 chooses it", 0, int, least=0),
                Setting("bounds", "also raise the lower bound", True, bool),
            ),
        ),
    },
    why_unsolvable=rules.why_unsolvable,
    generator=Generator(
        generator.generate,
        (
            Setting("size", "WIDTHxHEIGHT", "4x4"),
            Setting("length", "moves of the shortest solution; 0 for any", 0, int),
        ),
        stoppable=True,
    ),
    report=Report(report_tables.searches, report_tables.tables),
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
)
