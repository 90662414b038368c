"""Tic-tac-toe and its larger relatives: k in a row on a board of m columns and n rows (up to 63 cells)."""

from pathlib import Path

from ludion.kinds.card import DUEL, Card, Guide

_HERE = "ludion.games.tic_tac_toe"

GAME = Card(
    name="tic-tac-toe",
    kind=DUEL,
    title="Tic-tac-toe",
    summary="three in a row; also k in a row on m x n boards (4x3/3, 5x5/4)",
    read=f"{_HERE}.notation:read",
    write=f"{_HERE}.notation:write",
    read_move=f"{_HERE}.notation:read_move",
    write_move=f"{_HERE}.notation:write_move",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start=".../.../...",
    example="x.o/.x./..o",
    guides={
        "alignments": Guide(f"{_HERE}.evaluation:make", "own alignments still possible minus the opponent's"),
        "even": Guide("ludion.kinds.duel:even", "nothing: only wins and losses count"),
    },
    guide="alignments",
    best="solver",
    engines={"solver": f"{_HERE}.solver:solve"},
    levels=Path(__file__).parent / "levels",
)
