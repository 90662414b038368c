"""CrocoMine: Minesweeper with tigers, sharks and crocodiles on land and sea; Minesweeper itself is one of its
levels."""

from pathlib import Path

from ludion.kinds.card import QUEST, Card, Guide, Option

_HERE = "ludion.games.crocomine"

GAME = Card(
    name="crocomine",
    kind=QUEST,
    title="CrocoMine",
    summary="find the tigers, sharks and crocodiles on land and sea; also Minesweeper",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start="9x9:3/3/4",
    example="9x9:3/3/4",
    options=(
        Option(
            "seed", "which random board (30x16:33/33/33 names a kind of board, the seed one of them)", "0"
        ),
    ),
    agents={
        "best": Guide(f"{_HERE}.agents:make_best", "proves, counts, looks ahead, searches the endgame"),
        "counting": Guide(f"{_HERE}.agents:make_counting", "proves and counts; takes the likeliest action"),
        "sat-random": Guide(
            f"{_HERE}.agents:make_sat_random", "the report's plan: proof by SAT, else at random"
        ),
        "rules": Guide(f"{_HERE}.agents:make_rules", "the report's local rules, else at random"),
    },
    report=f"{_HERE}.agents:report",
    generate=f"{_HERE}.generator:generate_text",
    study=f"{_HERE}.study:study",
    remote=f"{_HERE}.client:worlds",
    levels=Path(__file__).parent / "levels",
    facts=(
        "rules, files and HTTP interface: course IA02, UTC, spring 2021 (client by Sylvain Lagrue)",
        "eight cases, clauses and plan: the report 'Projet IA02 - Demineur'",
        "Minesweeper figures: MineSweeperProb (PSEQ), JSMinesweeper",
    ),
)
