"""Connect 4: stones fall to the bottom of a column, four in a row win; solved exactly."""

from pathlib import Path

from ludion.kinds.card import DUEL, Card, Guide, Option

_HERE = "ludion.games.connect_four"

GAME = Card(
    name="connect-four",
    kind=DUEL,
    title="Connect 4",
    summary="drop stones, four in a row win; every position solved exactly (also 6x5, 9x5, 5x4/3)",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start="",
    example="4455",
    options=(Option("align", "how many in a row win", "4"),),
    guides={
        "lines": Guide(f"{_HERE}.evaluation:make", "own lines still possible minus the opponent's"),
        "even": Guide("ludion.kinds.duel:even", "nothing: only wins and losses count"),
    },
    guide="lines",
    best="solver",
    engines={"solver": f"{_HERE}.engine:solve"},
    settings=(
        Option("weak", "win, draw or loss only: quicker", flag=True),
        Option("strength", "1 (weak) to 10 (perfect): weaker ones draw a move by chance"),
        Option("seed", "for the chance of weaker strengths"),
        Option("threads", "threads that share one search"),
        Option("book", "yes or no: use the opening book", choices=("yes", "no")),
    ),
    final=f"{_HERE}.engine:final",
    analyse=f"{_HERE}.engine:analyse",
    study=f"{_HERE}.threats:study",
    levels=Path(__file__).parent / "levels",
)
