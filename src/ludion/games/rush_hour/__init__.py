"""Rush Hour: slide the vehicles out of the way of the red car."""

from pathlib import Path

from ludion.kinds.card import PUZZLE, Card, Guide, Option

_HERE = "ludion.games.rush_hour"

GAME = Card(
    name="rush-hour",
    kind=PUZZLE,
    title="Rush Hour",
    summary="slide the vehicles aside until the red car reaches the exit: 4x4 to 16x16, walls",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    animate=f"{_HERE}.drawing:animate",
    start="BB...CD..E.CDAAE.CD..E..F...GGF.HHH.",
    example="level:10",
    options=(
        Option(
            "metric", "what counts as one: a slide of any length, or of one cell", "moves", ("moves", "steps")
        ),
        Option("exit", "the end of the red car's row where the exit is", "right", ("right", "left")),
        Option(
            "order",
            "in which order moves are tried: our own, or the old report's",
            "plain",
            ("plain", "report"),
        ),
    ),
    guides={
        "distance": Guide(
            f"{_HERE}.heuristics:distance", "how far the red car is from the exit", admissible=True
        ),
        "blockers": Guide(
            f"{_HERE}.heuristics:blockers",
            "distance, plus the vehicles in the red car's way (the old report's)",
            admissible=True,
        ),
        "clearance": Guide(
            f"{_HERE}.heuristics:clearance",
            "how far the red car and those in its way must go, plus what must make room for one of them",
            admissible=True,
        ),
    },
    guide="clearance",
    best="packed",
    engines={
        "packed": f"{_HERE}.solver:solve",
        "breadth-first": f"{_HERE}.report:breadth_first",
        "greedy": f"{_HERE}.report:greedy",
        "a-star": f"{_HERE}.report:a_star",
    },
    without=("bidirectional",),  # there is no single goal
    batch=f"{_HERE}.solver:batch",
    explain=f"{_HERE}.rules:why_unsolvable",
    study=f"{_HERE}.analysis:study",
    generate=f"{_HERE}.generator:generate",
    levels=Path(__file__).parent / "levels",
    facts=(
        "Collette, Raskin and Servais 2006: the hardest board takes 93 steps",
        "Michael Fogleman's enumeration of 2018: at most 51 moves without walls, 60 with them",
        "student report of 2018 (Prolog): ten levels, breadth-first, greedy and A*",
    ),
)
