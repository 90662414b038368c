"""The description of CrocoMine."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludion.kinds.games import AgentMaker, Generator, Quest, Study
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.crocomine import (
        agents,
        client,
        commands,
        drawing,
        generator,
        learning,
        notation,
        rules,
        study,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.crocomine",
            "agents client commands drawing generator learning notation rules study words",
        )
    )

HERE = Path(__file__).parent
SEED = Setting("seed", "seed of chance", 0, int)

GAME: Quest[Any, Any] = Quest(  # worlds, views, and worlds on a server
    name="crocomine",
    title="CrocoMine",
    summary="find the tigers, sharks and crocodiles on land and sea; also Minesweeper",
    read=notation.read,
    write=notation.write,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    reason=study.action_reason,
    start="9x9:3/3/4",
    first="9x9:10:zero",
    example="9x9:3/3/4",
    options=(
        Setting(
            "seed",
            "which random board (30x16:33/33/33 names a kind of board, the seed one of them)",
            "0",
        ),
        Setting("first", "cell of the first action, ROW,COLUMN: a random board has no animal there", ""),
        Setting(
            "guessing",
            "whether a random board may need a guess",
            "possible",
            choices=("possible", "never"),
        ),
    ),
    agents={
        "best": AgentMaker(
            agents.make_best,
            "proves, counts, looks ahead, searches the endgame",
            (
                SEED,
                Setting("look_ahead", "search what an action may show", True, bool),
                Setting("endgame", "search small endgames to their end", True, bool),
            ),
        ),
        "counting": AgentMaker(
            agents.make_counting,
            "proves and counts; takes the likeliest action",
            (
                SEED,
                Setting("guesses", "take risks when nothing is certain", True, bool),
                Setting("kinds", "risk guessing an animal, not only discovering a cell", True, bool),
            ),
        ),
        "sat-random": AgentMaker(
            agents.make_sat_random,
            "the report's plan: proof by SAT, else at random",
            (
                SEED,
                Setting("solver", "command of an external SAT solver", ""),
                Setting("totals", "also prove by the numbers of animals on the whole board", True, bool),
            ),
        ),
        "rules": AgentMaker(agents.make_rules, "the report's local rules, else at random", (SEED,)),
    },
    actions=rules.actions,
    chances=study.chances,
    statistics=agents.report,
    generator=Generator(
        generator.generate_text,
        (
            Setting("rows", "rows", 16, int),
            Setting("columns", "columns", 30, int),
            Setting("tigers", "tigers; -1 by the density", -1, int),
            Setting("sharks", "sharks; -1 by the density", -1, int),
            Setting("crocodiles", "crocodiles; -1 by the density", -1, int),
            Setting("density", "animals per cell", 0.2, float),
            Setting("sea", "share of the cells that are sea", 0.5, float),
            Setting("start", "the first cell: zero (no animal around it) or safe", "zero"),
            Setting("flags", "Minesweeper: flags instead of guesses", False, bool),
            Setting("no_guess", "only boards that can be won without a guess", False, bool),
        ),
        stoppable=True,
    ),
    study=Study(
        study.study,
        (
            Setting("why", "explain one cell: ROW,COLUMN", ""),
            Setting("reasons", "prove the certain cells", True, bool),
            Setting("dimacs", "add the clauses in DIMACS form", False, bool),
            Setting("picture", "add an SVG of the board with its risks", False, bool),
        ),
    ),
    remote_worlds=client.worlds,
    commands={"crocomine-server": commands.server},
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
    scene=(
        *("discover 6 5", "discover 8 8", "guess 8 7 T", "discover 8 3", "guess 7 3 C", "discover 7 2"),
        *("discover 7 1", "discover 6 1", "discover 4 8", "guess 4 7 C", "guess 4 1 T", "guess 3 1 C"),
    ),
    facts=(
        "rules, files and HTTP interface: course IA02, UTC, spring 2021 (client by Sylvain Lagrue)",
        "eight cases, clauses and plan: the report 'Projet IA02 - Demineur'",
        "Minesweeper figures: MineSweeperProb (PSEQ), JSMinesweeper",
    ),
)
