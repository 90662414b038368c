"""The description of Delirium 2."""

from pathlib import Path
from typing import TYPE_CHECKING

from ludion.kinds.games import AgentMaker, Generator, Quest
from ludion.kinds.lazy import lazy_modules
from ludion.kinds.settings import Setting

if TYPE_CHECKING:
    from ludion.games.delirium import (
        commands,
        drawing,
        generator,
        layered,
        learning,
        planner,
        prolog,
        reasons,
        simple,
        words,
        world,
    )
else:
    globals().update(
        lazy_modules(
            "ludion.games.delirium",
            "commands drawing generator layered learning planner prolog reasons simple words world",
        )
    )

HERE = Path(__file__).parent
SEED = Setting("seed", "seed of chance", 0, int)
START = """[cave]
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

GAME = Quest(
    name="delirium",
    title="Delirium 2",
    summary="gather the diamonds, mind the stones and the monsters, reach the exit",
    read=world.read,
    write=world.write,
    read_move=world.read_action,
    write_move=world.write_action,
    say_move=words.say_move,
    text=drawing.text,
    svg=drawing.svg,
    reason=reasons.action_reason,
    start=START,
    first="level:nearest",
    example=START,
    options=(
        Setting("rules", "rule set, instead of the map's", "", choices=("delirium", "boulder-dash")),
        Setting("view", "half the width of the view, 0 for the whole mine", "0"),
        Setting("seed", "seed of random events", "0"),
        Setting("cave", "which cave of a BDCFF text: number, letter or name", ""),
        Setting(
            "tie",
            "direction of a stone that could roll both ways",
            "left",
            choices=("left", "right", "random"),
        ),
        Setting(
            "monsters", "whether monsters move after or before the stones", "last", choices=("last", "first")
        ),
        Setting("push", "chance in per cent that a push succeeds", "100"),
        Setting("ticks", "time limit, instead of the map's; -1 for none", ""),
    ),
    agents={
        "layered": AgentMaker(
            layered.make,
            "the report's miner: layers of reflexes over a map memory",
            tuple(
                Setting(layer, f"use the layer {layer}", True, bool)
                for layer in ("loops", "dangers", "memory", "stop", "exit", "diamonds", "wander")
            ),
        ),
        "best": AgentMaker(
            planner.make,
            "plans ahead with an exact model of the mine",
            (
                SEED,
                Setting("budget", "seconds of thinking per decision, on average", 0.2, float),
                Setting("patience", "maximum ticks of waiting for a better moment", 300, int),
            ),
        ),
        "still": AgentMaker(simple.still, "never moves"),
        "random": AgentMaker(simple.random_walk, "moves at random", (SEED,)),
        "prolog": AgentMaker(
            prolog.make,
            "an agent written in Prolog for the game's own interface",
            (
                Setting("wait", "seconds to wait for a decision", 5.0, float),
                Setting("program", "the Prolog system to start", "swipl"),
            ),
            argument="FILE",
        ),
    },
    actions=world.actions,
    statistics=world.report,
    generator=Generator(
        generator.generate,
        (
            Setting("difficulty", "easy, medium or hard", "medium"),
            Setting("width", "columns; 0 by the difficulty", 0, int),
            Setting("height", "rows; 0 by the difficulty", 0, int),
            Setting("diamonds", "diamonds needed; 0 by the difficulty", 0, int),
            Setting("monsters", "monsters; -1 by the difficulty", -1, int),
            Setting("format", "bdcff, xml or xml-2008", "bdcff"),
        ),
        stoppable=True,
    ),
    learning=learning.coding,
    commands={"delirium-replay": commands.replay},
    levels=HERE / "levels",
    page=HERE / "page.js",
    introduction=HERE / "introduction.toml",
    scene=("right", "right", "down", "up", *3 * ("right",), "left", "down", "down", *3 * ("right",), "down"),
    facts=(
        "Delirium 2, F. Lauri, UTBM 2006-2017; the physics fitted on a log of 2009 (Zaxyh/delirium2ia41)",
        "Boulder Dash, P. Liepa and C. Gray, 1984; the order of update after GDash",
    ),
)
