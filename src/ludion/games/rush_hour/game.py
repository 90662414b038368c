"""The description of Rush Hour."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.engines.catalogue import OLDEST_FIRST, REOPEN
from ludion.kinds.games import ADMISSIBLE, NEVER, UNUSED, Engine, Generator, Heuristic, Puzzle, Report, Study
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.rush_hour import (
        analysis,
        drawing,
        generator,
        heuristics,
        learning,
        notation,
        parts,
        reasons,
        relaxed,
        report,
        report_tables,
        rules,
        solver,
        words,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.rush_hour",
            "analysis drawing generator heuristics learning notation parts reasons relaxed report "
            "report_tables rules solver words",
        )
    )

HERE = Path(__file__).parent

GAME = Puzzle(
    name="rush-hour",
    title="Rush Hour",
    summary="slide the vehicles aside until the red car can leave",
    read=notation.read,
    write=notation.write,
    read_move=notation.read_move,
    write_move=notation.write_move,
    say_move=words.say_move,
    reason=reasons.move_reason,
    text=drawing.text,
    svg=drawing.svg,
    animate=drawing.animate,
    start="BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
    first="level:easy-1",
    example="level:10",
    options=(
        Setting(
            "metric",
            "what counts as one: a slide of any length, or of one cell",
            "moves",
            choices=("moves", "steps"),
        ),
        Setting("exit", "the end of the red car's row where the exit is", "right", choices=("right", "left")),
        Setting(
            "order",
            "in which order moves are tried: our own, or the old report's",
            "plain",
            choices=("plain", "report"),
        ),
    ),
    heuristics={
        "distance": Heuristic(
            heuristics.distance, "how far the red car is from the exit", admissible=True, parts=parts.distance
        ),
        "blockers": Heuristic(
            heuristics.blockers,
            "distance, plus the vehicles in the red car's way (the old report's)",
            admissible=True,
            parts=parts.blockers,
        ),
        "clearance": Heuristic(
            heuristics.clearance,
            "how far the red car and those in its way must go, plus what must make room for one of them",
            admissible=True,
            parts=parts.clearance,
        ),
        "chains": Heuristic(
            heuristics.chains,
            "how many vehicles must move, or how far: those in the way, those that must make room for them, and so on",
            admissible=True,
        ),
    },
    default_heuristic="clearance",
    best_engine="packed",
    engines={
        "packed": Engine(
            solver.solve,
            "breadth first over boards packed into one word; a quick solution, then A* where they do not fit",
            guide=UNUSED,
        ),
        "relaxed": Engine(
            relaxed.solve,
            "A* with as few vehicles as are needed: bounds for boards that are too large for all of them",
            optimal=ADMISSIBLE,
        ),
        "breadth-first": Engine(
            report.breadth_first,
            "layer by layer; with the option order=report, exactly as the old report did it",
            guide=UNUSED,
            settings=(Setting("late", "test for the goal when a position leaves the queue", None, bool),),
        ),
        "greedy": Engine(
            report.greedy,
            "what looks nearest first; with order=report, exactly as the old report did it",
            optimal=NEVER,
            settings=(OLDEST_FIRST, REOPEN),
        ),
        "a-star": Engine(
            report.a_star,
            "cost so far plus estimate; with order=report, exactly as the old report did it",
            optimal=ADMISSIBLE,
            settings=(OLDEST_FIRST, REOPEN),
        ),
    },
    unsupported_engines=("bidirectional",),  # there is no single goal
    solve_batch=solver.batch,
    why_unsolvable=rules.why_unsolvable,
    study=Study(
        analysis.study,
        (Setting("positions", "components of more positions are not analysed", 2_000_000, int, least=1),),
    ),
    generator=Generator(
        generator.generate,
        (
            Setting("difficulty", "how many moves: easy, medium, hard, expert", "medium"),
            Setting("moves", "moves of the shortest solution: N, or N..M", ""),
            Setting("steps", "steps of the shortest solution: N, or N..M", ""),
            Setting("vehicles", "how many vehicles: N, or N..M", ""),
            Setting("walls", "how many walls", 0, int),
            Setting("size", "WIDTHxHEIGHT", "6x6"),
            Setting("detours", "moves that make matters look worse, as few as possible: N, or N..M", ""),
            Setting("chain", "vehicles that must move for one another: N, or N..M", ""),
            Setting("unique", "only one shortest solution", False, bool),
        ),
        stoppable=True,
    ),
    report=Report(report_tables.searches, report_tables.tables),
    learning=learning.coding,
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
    facts=(
        "Collette, Raskin and Servais 2006: the hardest board takes 93 steps",
        "Michael Fogleman's enumeration of 2018: at most 51 moves without walls, 60 with them",
        "student report of 2018 (Prolog): ten levels, breadth-first, greedy and A*",
    ),
)
