"""Delirium 2: a miner digs for diamonds among stones and monsters, and sees only part of the mine."""

from pathlib import Path

from ludion.kinds.card import QUEST, Card, Guide, Option

_HERE = "ludion.games.delirium"
_START = """[cave]
Name=A first mine
Engine=Delirium
DiamondsRequired=3
CaveTime=-1
[map]
WWWWWWWWWW
WP....d..W
W..d..r..W
W.....d..W
W.......XW
WWWWWWWWWW
[/map]
[/cave]
"""

GAME = Card(
    name="delirium",
    kind=QUEST,
    title="Delirium 2",
    summary="gather the diamonds, mind the stones and the monsters, reach the exit (also Boulder Dash)",
    read=f"{_HERE}.world:read",
    write=f"{_HERE}.world:write",
    text=f"{_HERE}.drawing:text",
    svg=f"{_HERE}.drawing:svg",
    start=_START,
    example=_START,
    options=(
        Option("rules", "the rule set, if not that of the map", "", ("delirium", "boulder-dash")),
        Option("view", "half the width of the view, 0 for the whole mine", "0"),
        Option("seed", "of what is left to chance", "0"),
        Option("cave", "which cave of a BDCFF text: number, letter or name", ""),
        Option("tie", "which way a stone rolls that could roll both", "left", ("left", "right", "random")),
        Option("monsters", "whether they move after the stones or before", "last", ("last", "first")),
        Option("push", "chance in per cent that a push succeeds", "100"),
        Option("ticks", "the time limit, if not that of the map; -1 for none", ""),
    ),
    agents={
        "layered": Guide(f"{_HERE}.layered:make", "the report's miner: layers of reflexes over a map memory"),
        "best": Guide(f"{_HERE}.planner:make", "plans ahead with an exact model of the mine"),
        "still": Guide(f"{_HERE}.simple:still", "never moves"),
        "random": Guide(f"{_HERE}.simple:random_walk", "moves by chance"),
        "prolog": Guide(f"{_HERE}.prolog:make", "prolog:FILE, an agent written to the game's own interface"),
    },
    report=f"{_HERE}.world:report",
    generate=f"{_HERE}.generator:generate",
    levels=Path(__file__).parent / "levels",
    facts=(
        "Delirium 2, F. Lauri, UTBM 2006-2017; the physics fitted on a log of 2009 (Zaxyh/delirium2ia41)",
        "Boulder Dash, P. Liepa and C. Gray, 1984; the order of update after GDash",
    ),
)
