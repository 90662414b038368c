"""Hive, with the Mosquito, the Ladybug and the Pillbug."""

from pathlib import Path

from ludion.kinds.card import DUEL, Card, Guide, Option

_HERE = "ludion.games.hive"

GAME = Card(
    name="hive",
    kind=DUEL,
    title="Hive",
    summary="surround the other's queen bee; with all three expansions (Base, Base+M ... Base+MLP)",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start="Base;NotStarted;White[1]",
    example="level:beetle-gate",
    options=(
        Option("queen", "whether the queen may be a player's first piece", "later", ("later", "first")),
        Option("repetition", "what a position that occurs three times is", "draw", ("draw", "play-on")),
    ),
    counting={"repetition": "play-on"},
    guides={
        "mobility": Guide(
            f"{_HERE}.evaluation:make",
            "mobility, pins, the queens' liberties, hands and the pillbug's defence",
        ),
        "even": Guide("ludion.kinds.duel:even", "nothing: only wins and losses count"),
    },
    guide="mobility",
    best="alpha-beta",
    engines={
        "heuristic": f"{_HERE}.players:heuristic",
        "easy": f"{_HERE}.players:easy",
        "medium": f"{_HERE}.players:medium",
        "hard": f"{_HERE}.players:hard",
    },
    levels=Path(__file__).parent / "levels",
    facts=(
        "rules: Gen42's sheets and the tournament rules (no queen on the first turn)",
        "perft counts: Mzinga's tables, rechecked with nokamute",
    ),
)
