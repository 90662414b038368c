"""Delirium 2: how fast the mine ticks, how fast the agents decide, and how many levels they win.

The levels that ludion ships are always played. The maps of the original game and Boulder Dash's caves are not
ours to ship: name a folder that has them by `LUDION_DELIRIUM_DATA` (with `official_2008/*.xml`,
`students_2009/*.xml`, `ipseity_2012/L*.xml` and `bdcff/Boulder_Dash_1.bd`, as collected from the repositories
named on the game's page)."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from ludion.core.verbs import kernel
from ludion.games.delirium import GAME, physics
from ludion.games.delirium import planner as planning
from ludion.games.delirium.layered import make as layered
from ludion.games.delirium.maps import Mine, with_border
from ludion.games.delirium.planner import make as planner
from ludion.games.delirium.world import read
from ludion.kinds import quest

AGENTS = {"layered": layered, "best": planner}
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


def ticks_per_second(rules: Any, start: Any, ticks: int) -> int:
    """The best of three, in time of this thread: the machine may be busy with other things."""
    state = physics.copied(start)
    tick_for_long(rules, start, state, 100, 300)
    best = 0.0
    for _ in range(3):
        begin = time.thread_time()
        done = tick_for_long(rules, start, state, ticks // 3, 300)
        best = max(best, done / (time.thread_time() - begin))
    return round(best)


def speed(ticks: int, texts: dict[str, tuple[str, dict[str, str]]]) -> list[dict[str, Any]]:
    """Ticks a second on mines of 38x22: quiet, with stones only, with monsters, with an amoeba; and on the maps."""
    chance = np.random.default_rng(1)
    told = []
    for name, stones, monsters, amoebas in (
        ("quiet", 0, 0, 0),
        ("stones", 150, 0, 0),
        ("stones and 8 monsters", 150, 8, 0),
        ("30 monsters, amoeba", 150, 30, 1),
    ):
        rows = np.full((22, 38), physics.DIRT)
        flat = rows.ravel()
        flat[chance.permutation(flat.size)[:stones]] = physics.STONE
        for monster in range(monsters):
            r, c = 2 + 5 * (monster // 8), 2 + 4 * (monster % 8)
            rows[r : r + 2, c : c + 2] = physics.EMPTY
            rows[r, c] = physics.RED
        rows[0, 0], rows[21, 37] = physics.MINER, physics.EXIT
        rows[20, 2] = physics.AMOEBA if amoebas else rows[20, 2]
        start = Mine(name, with_border(rows.tolist()), 0).state()
        for title, rules in (("delirium", physics.DELIRIUM), ("boulder-dash", physics.BOULDER_DASH)):
            told.append(
                {"mine": name, "rules": title, "ticks_per_second": ticks_per_second(rules, start, ticks)}
            )
    for name, (text, options) in texts.items():
        game, world = read(text, ticks="-1", **options)
        title = "boulder-dash" if game.rules.classic else "delirium"
        told.append(
            {
                "mine": name,
                "rules": title,
                "ticks_per_second": ticks_per_second(game.rules, world.state, ticks),
            }
        )
    return told


def play(text: str, agent: str, **options: str) -> dict[str, Any]:
    """One run."""
    game, world = read(text, **options)
    miner = Timed(AGENTS[agent](game))
    record = quest.run(world, miner, steps=2500)
    seconds = sum(miner.seconds) or 1e-9
    return {
        "agent": agent,
        "won": record.outcome == quest.WON,
        "fate": world.fate,
        "ticks": world.ticks,
        "diamonds": f"{world.diamonds}/{world.mine.need}",
        "decisions": record.steps,
        "mean_ms": round(1000 * seconds / max(1, record.steps), 2),
        "slowest_ms": round(1000 * max(miner.seconds, default=0.0), 1),
        "decisions_per_second": round(record.steps / seconds),
        "reason": record.reason,
        "last_thought": str(miner.agent.thought),
    }


def collection(
    name: str, texts: dict[str, tuple[str, dict[str, str]]], agents: tuple[str, ...], view: int
) -> Any:
    """Play a set of maps and say how many were won."""
    print(f"\n{name}, {'whole view' if not view else f'view half-size {view}'}")
    results = []
    for title, (text, options) in texts.items():
        for agent in agents:
            told = {"set": name, "view": view, "map": title, **play(text, agent, view=str(view), **options)}
            results.append(told)
            print(
                f"  {title:16} {agent:8} {'won' if told['won'] else told['fate']:12} {told['ticks']:5} ticks "
                f"{told['diamonds']:>8}  {told['mean_ms']:8.2f} ms mean {told['slowest_ms']:9.1f} ms slowest"
                f"{'' if told['won'] else '  ' + told['last_thought']}"
            )
    for agent in agents:
        own = [each for each in results if each["agent"] == agent]
        print(f"  {agent}: {sum(each['won'] for each in own)} of {len(own)} won")
    return results


def maps(folder: Path, *patterns: str) -> dict[str, tuple[str, dict[str, str]]]:
    files = [file for pattern in patterns for file in sorted(folder.glob(pattern))]
    return {_name(file): (file.read_text(encoding="latin-1"), {}) for file in files}


def _name(file: Path) -> str:
    """The official maps by their letters, as in the course: 1A is the first."""
    if file.stem.startswith("defmap_L001_N"):
        return f"1{chr(ord('A') + int(file.stem[-3:]) - 1)}"
    return file.stem


def main(quick: bool = False) -> Any:
    """Everything; `quick` leaves out the large maps."""
    data = os.environ.get("LUDION_DELIRIUM_DATA")
    official: dict[str, tuple[str, dict[str, str]]] = {}
    caves: dict[str, tuple[str, dict[str, str]]] = {}
    if data and not quick:
        official = maps(Path(data), "official_2008/def*.xml")
        cave_file = Path(data) / "bdcff" / "Boulder_Dash_1.bd"
        if cave_file.is_file():
            text = cave_file.read_text(encoding="latin-1")
            caves = {f"cave {letter}": (text, {"cave": letter}) for letter in "ABCDEFGHIJKLMNOP"}
    found: dict[str, Any] = {"speed": speed(200_000 if quick else 1_000_000, official | caves)}
    for each in found["speed"]:
        print(f"{each['mine']:24} {each['rules']:14} {each['ticks_per_second']:>12,} ticks/s")
    own = {level.name: (level.position, dict(level.options)) for level in GAME.all_levels()}
    found["runs"] = collection("own levels", own, ("layered", "best"), 0)
    found["runs"] += collection("own levels", own, ("layered", "best"), 3)
    if not data:
        print("\nLUDION_DELIRIUM_DATA is not set: the original maps are left out")
        return found
    small = maps(Path(data), "students_2009/*.xml", "ipseity_2012/L*.xml")
    for view in (0, 3):
        found["runs"] += collection("small maps", small, ("layered", "best"), view)
    if quick:
        return found
    for view in (0, 7):
        found["runs"] += collection("official maps", official, ("layered", "best"), view)
    found["runs"] += collection("Boulder Dash, level 1", caves, ("best",), 0)
    return found


if __name__ == "__main__":
    print(json.dumps(main())[:200])
