"""Taquin, the sliding-tile puzzle (8-puzzle, 15-puzzle and any other width, height and goal)."""

from pathlib import Path

from ludion.kinds.card import PUZZLE, Card, Guide, Option

_HERE = "ludion.games.taquin"

GAME = Card(
    name="taquin",
    kind=PUZZLE,
    title="Taquin",
    summary="slide the tiles into order: 3x3, 4x4 and other sizes, any goal",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start="8 6 7/2 5 4/3 0 1",
    example="level:report-5",
    options=(
        Option("goal", "the position to reach; by default the tiles in order with the blank last"),
        Option(
            "metric",
            "whether a push of several tiles counts for each of them, or once",
            "single",
            ("single", "multi"),
        ),
    ),
    guides={
        "misplaced": Guide(
            f"{_HERE}.heuristics:misplaced", "how many tiles are out of place", admissible=True
        ),
        "manhattan": Guide(
            f"{_HERE}.heuristics:manhattan", "how far the tiles are from their places", admissible=True
        ),
        "linear-conflict": Guide(
            f"{_HERE}.heuristics:linear_conflict",
            "manhattan, plus 2 for each tile that must leave its line to let another pass",
            admissible=True,
        ),
        "walking-distance": Guide(
            f"{_HERE}.walking_distance:walking_distance",
            "how often the blank must change its row and its column; up to 4x4",
            admissible=True,
        ),
        "pattern-database": Guide(
            f"{_HERE}.additive:pattern_database",
            "how often groups of tiles must move, from tables made on first use; the partition by the board's size",
            admissible=True,
        ),
    },
    guide="linear-conflict",
    best="by-size",
    engines={"by-size": f"{_HERE}.best:solve", "anytime": f"{_HERE}.anytime:solve"},
    explain=f"{_HERE}.rules:why_unsolvable",
    generate=f"{_HERE}.generator:generate",
    levels=Path(__file__).parent / "levels",
)
