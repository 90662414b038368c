"""CrocoMine and Minesweeper: win rates, what each layer brings, certainty and calibration, times.

    python benchmarks/crocomine.py [--games N] [--first SEED] [--jobs J] [--board B]... [rates|ablation|times]...

Every agent plays the same boards (seeds from SEED on, 0 unless told). Peers are given as published (see
docs/games/crocomine.md).
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from ludion.games.crocomine.agents import CountingAgent, make_best, make_counting, make_rules, make_sat_random
from ludion.games.crocomine.generator import from_name
from ludion.games.crocomine.inference import probabilities
from ludion.games.crocomine.rules import act_on, begin
from ludion.kinds.quest import LOST, RUNNING, WON, percept
from ludion.lab.statistics import wilson_interval

JOBS = 2
BEST = "+ look-ahead (best)"
RATES = {  # board: (best published win rate in percent, by whom)
    "30x16:99:zero": (54.3, "JSMinesweeper's Java solver; PSEQ-D256 53.45"),
    "30x16:99:safe": (41.0, "JSMinesweeper's Java solver; PSEQ-D256 40.05"),
    "16x16:40:zero": (89.08, "PSEQ-D256"),
    "9x9:10:zero": (97.17, "PSEQ-D256"),
    "30x16:33/33/33": (80.5, "a study before this project, 200 boards"),
    "15x15:22/22/24": (49.2, "a study before this project, 400 boards"),
}
LADDER: dict[str, Any] = {
    "rules (local rules, else random)": lambda seed: make_rules(None, seed),
    "+ proof by SAT (the report's plan)": lambda seed: make_sat_random(None, seed),
    "exact counting, discover only": lambda seed: make_counting(None, seed, kinds=False),
    "+ guesses of animals (counting)": lambda seed: make_counting(None, seed),
    "+ endgame search": lambda seed: make_best(None, seed, look_ahead=False),
    BEST: lambda seed: make_best(None, seed),
}


def play(job: tuple[str, int, str]) -> dict[str, Any]:
    """One game: whether it was won, its processor time, and its uncertain moves as (risk, survived)."""
    name, seed, layer = job
    world, agent = begin(from_name(name, seed)), LADDER[layer](seed)
    begun = time.process_time()
    risks, wrong = [], 0
    while world.view.status == RUNNING:
        act_on(world, agent.decide(percept(world)))
        survived = world.view.status != LOST
        if agent.sure:
            wrong += not survived
        else:
            risks.append((agent.risk, survived))
    return {
        "won": world.view.status == WON,
        "cpu": time.process_time() - begun,
        "risks": risks,
        "wrong": wrong,
    }


def many(pool: Any, name: str, seeds: range, layer: str) -> list[dict[str, Any]]:
    return list(pool.map(play, [(name, seed, layer) for seed in seeds], chunksize=25))


def told(name: str, layer: str, games: list[dict[str, Any]]) -> dict[str, Any]:
    won = sum(game["won"] for game in games)
    taken = sorted(game["cpu"] for game in games)
    return {
        "board": name,
        "agent": layer,
        "games": len(games),
        "win_rate": round(100 * won / len(games), 2),
        "interval": [round(100 * bound, 2) for bound in wilson_interval(won, len(games))],
        "cpu_per_game": round(sum(taken) / len(taken), 5),
        "cpu_median": round(taken[len(taken) // 2], 5),
        "cpu_slowest": round(taken[-1], 3),
        **calibration(games),
    }


def calibration(games: list[dict[str, Any]]) -> dict[str, Any]:
    """Certain moves that were wrong; survivals of uncertain ones, expected by their risks and observed."""
    risks = [each for game in games for each in game["risks"] if each[0] == each[0]]
    expected = sum(1 - risk for risk, _ in risks)
    spread = sum(risk * (1 - risk) for risk, _ in risks) ** 0.5
    survived = sum(alive for _, alive in risks)
    return {
        "wrong_certain_moves": sum(game["wrong"] for game in games),
        "uncertain_moves": len(risks),
        "survivals_expected": round(expected, 1),
        "survivals_observed": survived,
        "standard_deviations": round((survived - expected) / spread, 2) if spread else None,
    }


def rates(pool: Any, seeds: range, boards: tuple[str, ...]) -> list[dict[str, Any]]:
    """Win rates against the published ones, with the test of certainties and risks."""
    rows = []
    for name in boards or RATES:
        published, who = RATES.get(name, ("", ""))
        rows.append(
            shown({**told(name, BEST, many(pool, name, seeds, BEST)), "published": published, "by": who})
        )
    return rows


def ablation(pool: Any, seeds: range, boards: tuple[str, ...]) -> list[dict[str, Any]]:
    """Every layer added to those before it, on the same boards."""
    rows = []
    for name in boards or ("15x15:22/22/24", "30x16:33/33/33", "30x16:99:zero"):
        for layer in LADDER:
            some = seeds[:200] if "SAT" in layer else seeds
            rows.append(shown(told(name, layer, many(pool, name, some, layer))))
    return rows


def shown(row: dict[str, Any]) -> dict[str, Any]:
    """The row as a line of a Markdown table, printed as soon as it is there."""
    low, high = row["interval"]
    print(
        f"| {row['board']} | {row['agent']} | {row['games']} | {row['win_rate']} ({low} to {high}) "
        f"| {row.get('published', '')} | {1000 * row['cpu_per_game']:.1f} | {row['cpu_slowest']:.2f} "
        f"| {row['wrong_certain_moves']} | {row['uncertain_moves']} | {row['standard_deviations']} |",
        flush=True,
    )
    return row


COLUMNS = (
    "board",
    "agent",
    "games",
    "won, % (95 %)",
    "published",
    "CPU ms/game",
    "slowest, s",
    "wrong certain",
)
HEAD = f"| {' | '.join((*COLUMNS, 'risks', 'deviation, sd'))} |\n{'|---' * 10}|"


def times(pool: Any, seeds: range, boards: tuple[str, ...]) -> list[dict[str, Any]]:
    """Exact probabilities of mid-game Expert positions, and maps of 51x51."""
    positions = []
    for seed in range(60):
        world, agent = begin(from_name("30x16:99:zero", seed)), CountingAgent(seed)
        while world.view.status == RUNNING and (world.view.seen == 0).sum() < 190:
            act_on(world, agent.decide(percept(world)))
        if world.view.status == RUNNING:
            view = percept(world)
            probabilities(view)
            begun = time.process_time()
            for _ in range(20):
                probabilities(view)
            positions.append((time.process_time() - begun) / 20)
    positions.sort()
    maps = [play(("51x51:156/156/156", seed, BEST)) for seed in range(20)]
    found = {
        "expert_positions": len(positions),
        "milliseconds_median": round(1000 * positions[len(positions) // 2], 3),
        "milliseconds_slowest": round(1000 * positions[-1], 3),
        **{f"map_{key}": value for key, value in told("51x51:156/156/156", BEST, maps).items()},
    }
    print(json.dumps(found), flush=True)
    return [found]


def main(
    quick: bool = False,
    what: tuple[str, ...] = ("rates", "ablation", "times"),
    games: int = 0,
    jobs: int = JOBS,
    boards: tuple[str, ...] = (),
    first: int = 0,
) -> list[dict[str, Any]]:
    """Everything, or what is named."""
    rows = []
    seeds = range(first, first + (games or (100 if quick else 10_000)))
    with ProcessPoolExecutor(jobs) as pool:
        for name in what:
            print(f"\n{HEAD}" if name != "times" else "")
            rows += {"rates": rates, "ablation": ablation, "times": times}[name](pool, seeds, boards)
    return rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", default=("rates", "ablation", "times"))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--board", action="append", default=[], help="only this board; may be repeated")
    asked = parser.parse_args()
    main(
        what=tuple(asked.what),
        games=asked.games,
        jobs=asked.jobs,
        boards=tuple(asked.board),
        first=asked.first,
    )
