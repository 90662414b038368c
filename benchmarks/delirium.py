"""Delirium 2: how fast the mine ticks, how fast the agents decide, and how many levels they win.

The levels that ludion ships are always played. The maps of the original game and Boulder Dash's caves are not
ours to ship: name a folder that has them by `LUDION_DELIRIUM_DATA` (with `official_2008/*.xml`,
`students_2009/*.xml`, `ipseity_2012/L*.xml` and `bdcff/Boulder_Dash_1.bd` to `_3.bd`, as collected from the
repositories named on the game's page). GDash ticks the same caves if LUDION_PEER_GDASH names a program (see
README.md).

A run counts as won only if its actions, carried out again in a mine that was read anew, win again."""

from __future__ import annotations

import os
import statistics
import time
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from benchmarks import peers
from benchmarks.measure import Row, child_cpu, claim, cpu, in_turn, sample
from ludion.core.verbs import kernel
from ludion.games.delirium import GAME, drops, legs, physics, plans, waypoints
from ludion.games.delirium import planner as planning
from ludion.games.delirium.actions import LETTERS
from ludion.games.delirium.archive import Weights
from ludion.games.delirium.layered import make as layered
from ludion.games.delirium.maps import Mine, with_border
from ludion.games.delirium.physics import AMOEBA
from ludion.games.delirium.planner import make as planner
from ludion.games.delirium.world import look, read
from ludion.kinds import quest

BUDGET = 0.1  # seconds of thinking per decision, half of the default: all caves can then be played in an hour
AGENTS = {"layered": layered, "best": partial(planner, budget=BUDGET)}
planning.CLOCK = (
    time.thread_time
)  # budgets count the agent's own time: the machine may be busy with other things


class Timed:
    """An agent whose decisions are timed, in processor time of its own thread."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.seconds: list[float] = []

    def decide(self, percept: Any) -> int:
        begin = time.thread_time()
        action: int = self.agent.decide(percept)
        self.seconds.append(time.thread_time() - begin)
        return action


@kernel
def tick_for_long(rules: Any, start: Any, state: Any, ticks: int, each: int) -> int:
    """A drunken miner, put back to the start when he dies or has gone `each` ticks."""
    done = 0
    chance = 1
    while done < ticks:
        physics.copy_into(state, start)
        for _ in range(each):
            chance = chance * 6364136223846793005 + 1442695040888963407
            physics.tick(rules, state, ((chance >> 33) & 0x3FFFFFFF) % 5)
            done += 1
            if state.info[physics.STATUS] != physics.RUNNING:
                break
    return done


def ticks_per_second(rules: Any, start: Any, ticks: int) -> dict[str, list[float]]:
    """Million ticks per second of this thread, in several rounds."""
    state = physics.copied(start)
    tick_for_long(rules, start, state, 100, 300)
    work = partial(tick_for_long, rules, start, state, ticks // 5, 300)
    seconds, done = in_turn(ticks=lambda: cpu(work, time.thread_time))["ticks"]
    return sample([done / each / 1e6 for each in seconds])


def speed(quick: bool = False) -> list[Row]:
    """Ticks on mines of 38x22: quiet, with stones only, with monsters, with an amoeba."""
    chance = np.random.default_rng(1)
    ticks = 200_000 if quick else 1_000_000
    rows = []
    for name, stones, monsters, amoebas in (
        ("quiet", 0, 0, 0),
        ("stones", 150, 0, 0),
        ("stones and 8 monsters", 150, 8, 0),
        ("30 monsters, amoeba", 150, 30, 1),
    ):
        cells = np.full((22, 38), physics.DIRT)
        flat = cells.ravel()
        flat[chance.permutation(flat.size)[:stones]] = physics.STONE
        for monster in range(monsters):
            r, c = 2 + 5 * (monster // 8), 2 + 4 * (monster % 8)
            cells[r : r + 2, c : c + 2] = physics.EMPTY
            cells[r, c] = physics.RED
        cells[0, 0], cells[21, 37] = physics.MINER, physics.EXIT
        cells[20, 2] = physics.AMOEBA if amoebas else cells[20, 2]
        start = Mine(name, with_border(cells.tolist()), 0).state()
        for title, rules in (("delirium", physics.DELIRIUM), ("boulder-dash", physics.BOULDER_DASH)):
            rows.append(claim(f"{name}, {title} rules", ticks_per_second(rules, start, ticks), "M ticks/s"))
    return rows


def beside_gdash(quick: bool = False) -> list[Row]:
    """The same caves, ticked by GDash's engine: its program takes a file, a cave and a number of ticks."""
    program = peers.command("gdash")
    rows: list[Row] = []
    if program is None:
        return rows
    ticks = 100_000
    for name, (_, options) in caves().items():
        given = [program, str(cave_file()), options["cave"], str(ticks)]
        spent = in_turn(3, gdash=lambda words=given: child_cpu(words))["gdash"][0]
        rows.append(claim(f"GDash, {name}", sample([ticks / each / 1e6 for each in spent]), "M ticks/s"))
    return rows


def play(text: str, agent: str, **options: str) -> dict[str, Any]:
    """One run."""
    game, world = read(text, **options)
    miner = Timed(AGENTS[agent](game))
    record = quest.run(world, miner, steps=2500)
    seconds = sum(miner.seconds) or 1e-9
    return {
        "won": record.outcome == quest.WON and replays(text, record.actions, options),
        "mean_ms": 1000 * seconds / max(1, record.steps),
        "slowest_ms": 1000 * max(miner.seconds, default=0.0),
    }


def replays(text: str, actions: list[int], options: dict[str, str]) -> bool:
    """Whether these actions win in the mine as it is read anew."""
    _, world = read(text, **options)
    for action in actions:
        quest.act(world, action)
    return bool(quest.outcome(world) == quest.WON)


def collection(
    name: str,
    texts: dict[str, tuple[str, dict[str, str]]],
    view: int,
    agents: tuple[str, ...] = ("layered", "best"),
) -> list[Row]:
    """Play a set of maps: one row per agent, with the maps that were won."""
    rows: list[Row] = []
    for agent in agents if texts else ():
        runs = {title: play(text, agent, view=str(view), **more) for title, (text, more) in texts.items()}
        rows.append(summed_up(name, view, agent, runs))
        print(f"  {rows[-1]}", flush=True)
    return rows


def summed_up(name: str, view: int, agent: str, runs: dict[str, dict[str, Any]]) -> Row:
    """How an agent fared in a set of maps."""
    won = [title for title, run in runs.items() if run["won"]]
    seen = "whole view" if not view else f"view {2 * view + 1}x{2 * view + 1}"
    return {
        "set": f"{name}, {seen}, {agent}",
        "maps": len(runs),
        "won": len(won),
        "lost": ", ".join(title for title in runs if title not in won),
        "mean_ms": statistics.mean(run["mean_ms"] for run in runs.values()),
        "slowest_ms": max(run["slowest_ms"] for run in runs.values()),
    }


def maps(folder: Path, *patterns: str) -> dict[str, tuple[str, dict[str, str]]]:
    files = [file for pattern in patterns for file in sorted(folder.glob(pattern))]
    return {_name(file): (file.read_text(encoding="latin-1"), {}) for file in files}


def _name(file: Path) -> str:
    """The official maps by their letters, as in the course: 1A is the first."""
    if file.stem.startswith("defmap_L001_N"):
        return f"1{chr(ord('A') + int(file.stem[-3:]) - 1)}"
    return file.stem


def data() -> Path | None:
    """The folder with the original maps, if there is one."""
    named = os.environ.get("LUDION_DELIRIUM_DATA")
    return Path(named) if named else None


def official() -> dict[str, tuple[str, dict[str, str]]]:
    """The maps of the original game."""
    folder = data()
    return maps(folder, "official_2008/def*.xml") if folder else {}


def cave_file(number: int = 1) -> Path | None:
    """The caves of Boulder Dash 1, 2 or 3."""
    folder = data()
    file = folder / "bdcff" / f"Boulder_Dash_{number}.bd" if folder else None
    return file if file is not None and file.is_file() else None


def caves(number: int = 1) -> dict[str, tuple[str, dict[str, str]]]:
    """The sixteen caves of Boulder Dash 1; all twenty of its successors, with the intermissions."""
    file = cave_file(number)
    names = list("ABCDEFGHIJKLMNOP") if number == 1 else [str(each) for each in range(1, 21)]
    text = file.read_text(encoding="latin-1") if file else ""
    return {f"cave {name}": (text, {"cave": name}) for name in names} if text else {}


def own_levels() -> list[Row]:
    """The levels that ludion ships, seen whole and in part."""
    texts = {level.name: (level.position, dict(level.options)) for level in GAME.all_levels()}
    return collection("own levels", texts, 0) + collection("own levels", texts, 3)


def small_maps() -> list[Row]:
    """Maps of students and of the course."""
    folder = data()
    texts = maps(folder, "students_2009/*.xml", "ipseity_2012/L*.xml") if folder else {}
    return collection("small maps", texts, 0) + collection("small maps", texts, 3)


def official_maps() -> list[Row]:
    return collection("official maps", official(), 0) + collection("official maps", official(), 7)


def boulder_dash() -> list[Row]:
    return [
        row
        for number in (1, 2, 3)
        for row in collection(f"Boulder Dash {number}, level 1", caves(number), 0, ("best",))
    ]


# What each constant of the search for plans is set to, to see what it is good for.
ABLATIONS: dict[str, Any] = {
    "WALK_EFFORT": 0,
    "LEGS_FIRST_EFFORT": 0,
    "LEG_SHARE": 1_000_000,
    "ROUND_EFFORT": 1 << 40,
    "WALK_WEIGHTS": (Weights(),),
    "EFFORT_WEIGHTS": (100, 100, 100),
    "EFFORT_NODES": (3_000, 3_000, 3_000),
    "EFFORT_DROPS": (2, 2, 2),
    "HUNT_GOALS": 1,
    "HUNT_TICKS": 20,
    "SHAFT_WAITS": 1,
    "MOST_SHAFTS": 1,
    "LONGEST_DROP": 3,
    "LONGEST_PUSH": 0,
    "TRACK_TICKS": 8,
    "WAITS": (8,),
    "MADE_AT_ONCE": 1,
    "MOST_RUNS": 0,
    "AMOEBA_MARGIN": 1.0,
    "MOST_AIMLESS_PUSHES": 0,
    "MOST_IDLE_PASSES": 1,
    "NOISE": 0.0,
    "OPEN_WALL": 0,
    "TICK_WEIGHTS": (1.0, 1.0),
    "OPEN_EXIT_DIAMONDS": 0,
}
ABLATION_NODES, PLAN_NODES = 40_000, 1_000_000  # of each search for a plan


def ablation(quick: bool = False) -> list[Row]:
    """What is found from the start, without what one constant does. (Our own levels are all planned at the first try
    whatever the constants are, and tell nothing.)"""
    mines = list((official() | caves(1)).values()) + list(caves(2).values()) + list(caves(3).values())
    mines = mines[:: 4 if quick else 1]
    rows: list[Row] = []
    if not mines:
        return rows
    for name, value in {"": None, **ABLATIONS}.items():
        modules = [module for module in (plans, legs, drops, waypoints) if name and hasattr(module, name)]
        usual = getattr(modules[0], name) if name else None
        try:
            for module in modules:
                setattr(module, name, value)
            searches = [first_plan(text, ABLATION_NODES, **more) for text, more in mines]
        finally:
            for module in modules:
                setattr(module, name, usual)
        rows.append(
            {
                "constant": name or "as it is",
                "value": f"{value}, not {usual}" if name else "",
                "plans": sum(plan.actions is not None for plan in searches),
                "of": len(searches),
                "gathered": 100 * statistics.mean(plan.gathered for plan in searches),
                "effort": sum(plan.effort for plan in searches) / 1e6,
            }
        )
        print(f"  {rows[-1]}", flush=True)
    return rows


class FirstPlan(NamedTuple):
    """What a search before the first step has found."""

    actions: list[int] | None  # of a plan that also wins when it is carried out
    gathered: float  # share of the needed diamonds that the best plan gathers
    effort: int  # in nodes


def first_plan(text: str, most: int, **options: str) -> FirstPlan:
    """The plan for this mine that is found with this effort."""
    briefing, world = read(text, **options)
    miner = planning.Planner(briefing, 0.0, 0, 0)
    miner.perceive(look(world))
    search = miner.plans
    root = search.start(miner.belief.state)
    for _ in search.search():
        if search.effort >= most:
            break
    search.consider_walks()
    actions = [action for leg in search.best.route_from(root) for action in leg.actions]
    won = search.best.won and replays(text, actions, options)
    gathered = search.best_ignoring_exit.gathered / max(1, briefing.need)
    return FirstPlan(actions if won else None, gathered, search.effort)


def whole_plans() -> list[Row]:
    """The mines for which a plan to the end is found before the first step, without any waiting."""
    rows: list[Row] = []
    sets = {"official maps": official()} | {f"Boulder Dash {number}": caves(number) for number in (1, 2, 3)}
    for name, texts in sets.items():
        searches = {title: first_plan(text, PLAN_NODES, **more) for title, (text, more) in texts.items()}
        missing = [title for title, plan in searches.items() if plan.actions is None]
        effort = [plan.effort for plan in searches.values() if plan.actions is not None]
        if searches:
            rows.append(
                {
                    "set": name,
                    "maps": len(searches),
                    "planned": len(searches) - len(missing),
                    "median": statistics.median(effort) / 1000 if effort else 0.0,
                    "missing": ", ".join(missing),
                }
            )
            print(f"  {rows[-1]}", flush=True)
    return rows


def wins_in_gdash(quick: bool = False) -> list[Row]:
    """Plans for caves of Boulder Dash that win here, carried out in GDash's engine.

    Caves with an amoeba are left out: it grows by chance, in each program otherwise.
    """
    program = peers.command("gdash")
    rows: list[Row] = []
    for number in (1, 2, 3) if program else ():
        wins: dict[str, bool] = {}
        for title, (text, more) in caves(number).items():
            if AMOEBA in read(text, **more)[1].state.cells:
                continue
            actions = first_plan(text, PLAN_NODES, **more).actions
            if actions is not None:
                letters = "".join(LETTERS[action] for action in actions)
                _, lines = child_cpu([str(program), str(cave_file(number)), more["cave"], letters])
                wins[title] = lines[-1] == "exited"
        if wins:
            lost = ", ".join(title for title, won in wins.items() if not won)
            rows.append(
                {"set": f"Boulder Dash {number}", "plans": len(wins), "won": sum(wins.values()), "lost": lost}
            )
            print(f"  {rows[-1]}", flush=True)
    return rows


SETS = [
    ("maps, view, agent", "{set}"),
    ("maps", "{maps}"),
    ("won", "{won}"),
    ("mean ms per decision", "{mean_ms}"),
    ("slowest ms", "{slowest_ms}"),
    ("not won", "{lost}"),
]
LAYOUTS = dict.fromkeys(("own_levels", "small_maps", "official_maps", "boulder_dash"), SETS) | {
    "whole_plans": [
        ("maps", "{set}"),
        ("maps", "{maps}"),
        ("planned", "{planned}"),
        ("median effort, thousand nodes", "{median}"),
        ("without a plan", "{missing}"),
    ],
    "gdash": [
        ("caves without amoeba", "{set}"),
        ("plans that win here", "{plans}"),
        ("that win in GDash", "{won}"),
        ("not", "{lost}"),
    ],
    "ablation": [
        ("constant", "{constant}"),
        ("set to", "{value}"),
        ("plans", "{plans} of {of}"),
        ("diamonds gathered, %", "{gathered}"),
        ("effort, million nodes", "{effort}"),
    ],
}
PEERS = {"peer": ("gdash",), "gdash": ("gdash",)}
PARTS = {
    "speed": speed,
    "peer": beside_gdash,
    "gdash": wins_in_gdash,
    "own_levels": own_levels,
    "small_maps": small_maps,
    "official_maps": official_maps,
    "boulder_dash": boulder_dash,
    "whole_plans": whole_plans,
    "ablation": ablation,
}
