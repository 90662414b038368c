"""The description of Hive."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.kinds.games import EVEN, NEVER, UNUSED, Duel, Engine, Evaluation
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.hive import (
        analysis,
        commands,
        drawing,
        evaluation,
        learning,
        notation,
        parts,
        players,
        reasons,
        uhp_player,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.hive",
            "analysis commands drawing evaluation learning notation parts players reasons uhp_player words",
        )
    )

HERE = Path(__file__).parent
SEED = Setting("seed", "seed of the variation", None, int)

GAME = Duel(
    name="hive",
    title="Hive",
    summary="surround the opponent's queen bee with insects that each move in their own way",
    read=notation.read,
    write=notation.write,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    reason=reasons.move_reason,
    start="Base;NotStarted;White[1]",
    example=r"Base;InProgress;White[5];wG1;bG1 wG1-;wQ -wG1;bQ bG1-;wA1 \wQ;bA1 bQ/;wA1 bQ-;bS1 \bQ",
    scene=("wA2 \\wQ", "bB1 \\bA1", "wA2 bQ\\", "bB2 bA1/", "wA3 \\wQ", "bG2 \\bS1", "wA3 -wA2"),
    options=(
        Setting(
            "queen", "whether the queen may be a player's first piece", "later", choices=("later", "first")
        ),
        Setting(
            "repetition",
            "result of a position that occurs three times",
            "draw",
            choices=("draw", "play-on"),
        ),
    ),
    perft_options={"repetition": "play-on"},
    evaluations={
        "mobility": Evaluation(
            evaluation.make,
            "mobility, pins, the queens' liberties, hands and the pillbug's defence",
            parts=parts.mobility,
            scale=164.0,  # tuning --scale --games 240 --nodes 10000: 7,160 positions
        ),
        "even": EVEN,
    },
    default_evaluation="mobility",
    best_engine="alpha-beta",
    engines={
        "heuristic": Engine(
            players.heuristic,
            "the report's player: one move ahead, by the pieces around the two queens",
            guide=UNUSED,
            optimal=NEVER,
            settings=(
                Setting("defence", "weight of the pieces around its own queen", 1.0, float),
                Setting("attack", "weight of the pieces around the other queen", 1.0, float),
            ),
        ),
        "easy": Engine(
            players.easy, "looks two plies ahead, and varies its openings", optimal=NEVER, settings=(SEED,)
        ),
        "medium": Engine(
            players.medium, "looks four plies ahead, and varies its openings", optimal=NEVER, settings=(SEED,)
        ),
        "hard": Engine(
            players.hard, "looks seven plies ahead, and varies its openings", optimal=NEVER, settings=(SEED,)
        ),
    },
    analyse=analysis.analyse,
    players={"uhp": uhp_player.make},
    commands={"uhp": commands.uhp, "uhp-check": commands.uhp_check},
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
    facts=(
        "rules: Gen42's sheets and the tournament rules (no queen on the first turn)",
        "perft counts: Mzinga's tables, rechecked with nokamute",
    ),
)
