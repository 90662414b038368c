"""CrocoMine and Minesweeper: win rates, what each layer brings, certainty and calibration, actions, times, a peer.

    python -m benchmarks crocomine/rates
    python -m benchmarks.crocomine [--games N] [--first SEED] [--jobs J] [--board B]... [rates|ablation]...   not stored

Every agent plays the same boards (seeds from SEED on, 0 unless told), so layers are compared in pairs (McNemar's test).
Win rates of others are given as published. The peer is JSMinesweeper's solver behind a program that
LUDION_PEER_JSMINESWEEPER names (see README.md); it plays the same boards.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.measure import Row, child_cpu, claim, cpu
from ludion.games.crocomine.agents import (
    ENDGAME,
    CountingAgent,
    ProvingAgent,
    StuckError,
    make_best,
    make_counting,
    make_rules,
    make_sat_random,
)
from ludion.games.crocomine.generator import from_name
from ludion.games.crocomine.inference import hidden_cells, probabilities
from ludion.games.crocomine.notation import read_view
from ludion.games.crocomine.reasons import Explainer
from ludion.games.crocomine.rules import (
    ANIMALS,
    EMPTY,
    OPEN,
    SEA,
    Grid,
    View,
    act_on,
    begin,
    three_bv,
)
from ludion.kinds.quest import LOST, RUNNING, WON, percept, run
from ludion.lab.statistics import sign_test, wilson_interval

JOBS = 2
FIRST_PEER_SEED = 500_000  # boards that no weights were fitted to
BEST = "+ look-ahead (best)"
RATES = {  # board: (best published win rate in percent, by whom)
    "30x16:99:zero": (54.3, "JSMinesweeper's Java solver; PSEQ-D256 53.45"),
    "30x16:99:safe": (41.0, "JSMinesweeper's Java solver; PSEQ-D256 40.05"),
    "16x16:40:zero": (89.08, "PSEQ-D256"),
    "9x9:10:zero": (97.17, "PSEQ-D256"),
    "30x16:33/33/33": (80.5, "a study before this project, 200 boards"),
    "15x15:22/22/24": (49.2, "a study before this project, 400 boards"),
}
ACTION_BOARDS = ("9x9:3/3/4", "15x15:12/11/11", "15x15:22/22/24", "30x16:33/33/33", "31x31:48/48/48")
TWO_CLUES_EACH = "view 2 4 2 0 0 0 flags;.1 .1 .1 .1;? ? ? ?"  # the reason of each cell
# Rows, columns, animals, sea.
SMALL_SIZES = ((2, 4, (1, 1, 1), 4), (3, 3, (1, 1, 0), 4), (4, 4, (4, 0, 0), 0))
RISK_TAKERS: dict[str, Any] = {
    "best": lambda: make_best(None),
    "best, look-ahead only": lambda: make_best(None, endgame=False),
    "counting": lambda: make_counting(None),
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
    return play_grid(from_name(name, seed), LADDER[layer](seed))


def play_grid(grid: Grid, agent: ProvingAgent) -> dict[str, Any]:
    """The same for this board and agent."""
    world = begin(grid)
    begun = time.process_time()
    risks, wrong = [], 0
    while world.view.status == RUNNING:
        try:
            action = agent.decide(percept(world))
        except StuckError:  # a layer that only discovers, when only animals are left
            break
        act_on(world, action)
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
        "in_endgame": agent.layer == ENDGAME,
    }


def actions(quick: bool = False) -> list[Row]:
    """Actions per won board, beside those that the board takes without chords: 3BV discoveries and all guesses."""
    rows: list[Row] = []
    for name in ACTION_BOARDS:
        grids = [from_name(name, seed) for seed in range(20 if quick else 200)]
        records = [run(begin(grid), make_best(None, seed)) for seed, grid in enumerate(grids)]
        won = [(grid, record) for grid, record in zip(grids, records, strict=True) if record.outcome == WON]
        animals = int((grids[0].animals > EMPTY).sum())
        rows.append(
            {
                "board": name,
                "games": len(grids),
                "won": len(won),
                "actions": statistics.mean(record.steps for _, record in won),
                "animals": animals,
                "without_chords": animals + statistics.mean(three_bv(grid) for grid, _ in won),
            }
        )
    return rows


def many(pool: Any, name: str, seeds: range, layer: str) -> list[dict[str, Any]]:
    return list(pool.map(play, [(name, seed, layer) for seed in seeds], chunksize=25))


def summed_up(name: str, layer: str, games: list[dict[str, Any]]) -> Row:
    """Many games as a row."""
    won = sum(game["won"] for game in games)
    low, high = wilson_interval(won, len(games))
    row: Row = {
        "board and agent": f"{name}, {layer}",
        "board": name,
        "agent": layer,
        "games": len(games),
        "won": won,
        "rate": 100 * won / len(games),
        "low": 100 * low,
        "high": 100 * high,
        "cpu_ms": 1000 * statistics.mean(game["cpu"] for game in games),
        "slowest_s": max(game["cpu"] for game in games),
        "lost_in_endgame": sum(not game["won"] and game["in_endgame"] for game in games),
        **calibration(games),
    }
    print(f"  {name}, {layer}: {row['rate']:.2f} % ({row['low']:.2f} to {row['high']:.2f})", flush=True)
    return row


def calibration(games: list[dict[str, Any]]) -> dict[str, Any]:
    """Certain moves that were wrong; survivals of uncertain ones, expected by their risks and observed."""
    risks = [each for game in games for each in game["risks"] if each[0] == each[0]]
    expected = sum(1 - risk for risk, _ in risks)
    spread = sum(risk * (1 - risk) for risk, _ in risks) ** 0.5
    survived = sum(alive for _, alive in risks)
    return {
        "wrong_certain_moves": sum(game["wrong"] for game in games),
        "uncertain_moves": len(risks),
        "survivals_expected": expected,
        "survivals_observed": survived,
        "standard_deviations": (survived - expected) / spread if spread else None,
    }


def every_board(rows: int, columns: int, totals: tuple[int, int, int], sea: int) -> Iterator[Grid]:
    """All boards with these numbers of animals and sea cells whose first cell, on land, is empty."""
    cells, flags = set(range(rows * columns)), sea == 0
    for water in map(set, itertools.combinations(cells - {0}, sea)):
        for tigers in itertools.combinations(cells - water - {0}, totals[0]):
            for sharks in itertools.combinations(water, totals[1]):
                for crocodiles in itertools.combinations(cells - {0, *tigers, *sharks}, totals[2]):
                    terrain, animals = np.zeros((2, len(cells)), np.int8)
                    terrain[list(water)] = SEA
                    for animal, places in zip(ANIMALS, (tigers, sharks, crocodiles), strict=True):
                        animals[list(places)] = animal
                    yield Grid("", rows, columns, 0, terrain, animals, flags)


def all_boards(quick: bool = False) -> list[Row]:
    """All boards of a size, each played once: without chance, survivals have to equal what the risks add up to."""
    rows: list[Row] = []
    for size in SMALL_SIZES[: 1 if quick else None]:
        height, width, totals, _ = size
        for name, make in RISK_TAKERS.items():
            games = [play_grid(grid, make()) for grid in every_board(*size)]
            board = f"{width}x{height}:{'/'.join(map(str, totals))}"
            rows.append({"board": board, "agent": name, "boards": len(games), **calibration(games)})
            rows[-1]["difference"] = rows[-1]["survivals_observed"] - rows[-1]["survivals_expected"]
    return rows


def rates(pool: Any, seeds: range, boards: tuple[str, ...]) -> list[Row]:
    """Win rates beside the published ones, with the test of certainties and risks."""
    rows = []
    for name in boards or RATES:
        published, who = RATES.get(name, ("", ""))
        row = summed_up(name, BEST, many(pool, name, seeds, BEST))
        rows.append({**row, "published": published, "by": who})
    return rows


def ceiling(quick: bool = False) -> list[Row]:
    """What best play could win at most. The endgame search plays as well as possible, and actions without risk lose
    nothing. So only risks taken before it can be mistakes: a game with such a risk counts here with the best chance to
    survive the first one, any other with the share of boards that its endgame search wins."""
    name, games = "30x16:33/33/33", 200 if quick else 4000
    pairs = [shares_won(name, seed) for seed in range(games)]
    row: Row = {"board": name, "games": games}
    row["early_risks"] = 100 * sum(early for _, _, early in pairs) / games
    for column, values in (("won", [won for won, _, _ in pairs]), ("most", [most for _, most, _ in pairs])):
        row[column] = 100 * statistics.mean(values)
        row[f"{column}_error"] = 196 * statistics.stdev(values) / games**0.5
    row["gap"] = row["most"] - row["won"]
    return [row]


def shares_won(name: str, seed: int) -> tuple[float, float, bool]:
    """The share of boards that `best` wins from its endgame search on (or the result of a game without), the most that
    best play can win, and whether a risk was taken before that search."""
    world, agent = begin(from_name(name, seed)), make_best(None, seed)
    most = None
    while world.view.status == RUNNING:
        view = percept(world)
        action = agent.decide(view)
        if agent.layer == ENDGAME:
            break
        if not agent.sure and most is None:
            most = float(agent.chances[agent.uncertain(view)].max())
        act_on(world, action)
    share = agent.weighed[0][3] if agent.layer == ENDGAME else float(world.view.status == WON)
    return share, share if most is None else most, most is not None


def ablation(pool: Any, seeds: range, boards: tuple[str, ...]) -> list[Row]:
    """Every layer added to those before it, on the same boards; p: the chance of such a difference."""
    rows = []
    for name in boards or ("15x15:22/22/24", "30x16:99:zero"):
        before: list[dict[str, Any]] = []
        for layer in LADDER:
            games = many(pool, name, seeds[:100] if "SAT" in layer else seeds, layer)
            row = summed_up(name, layer, games)
            pairs = [(one["won"], other["won"]) for one, other in zip(before, games, strict=False)]
            row["gained"] = sum(new and not old for old, new in pairs) if pairs else None
            row["lost"] = sum(old and not new for old, new in pairs) if pairs else None
            row["p"] = sign_test(row["gained"], row["lost"]) if pairs else None
            rows.append(row)
            before = games
    return rows


def times(quick: bool = False) -> list[Row]:
    """Exact probabilities of mid-game Expert positions, and maps of 51x51."""
    positions = []
    for seed in range(20 if quick else 60):
        view = midgame("30x16:99:zero", seed, 190)
        if view is not None:
            probabilities(view)
            positions.append(1000 / 20 * cpu(lambda v=view: [probabilities(v) for _ in range(20)])[0])
    maps = [1000 * play(("51x51:156/156/156", seed, BEST))["cpu"] for seed in range(5 if quick else 20)]
    return [
        claim(
            f"probabilities, {len(positions)} Expert positions, median",
            statistics.median(positions),
            "CPU ms",
        ),
        claim("... slowest", max(positions), "CPU ms"),
        claim(f"a 51x51 map with 18 % animals, {len(maps)} maps, median", statistics.median(maps), "CPU ms"),
        claim("... slowest map", max(maps), "CPU ms"),
    ]


def reasons(quick: bool = False) -> list[Row]:
    """The reasons of all certain cells of positions in the middle of games, once the SAT solver is loaded."""
    rows = []
    explain_all(read_view(TWO_CLUES_EACH))
    for name, opened, games in (
        ("30x16:99:zero", 230, 40),
        ("30x16:33/33/33", 230, 20),
        ("51x51:156/156/156", 1300, 20),
    ):
        spent = [
            1000 * cpu(lambda v=view: explain_all(v))[0]
            for seed in range(5 if quick else games)
            if (view := midgame(name, seed, opened)) is not None
        ]
        what = f"reasons of all certain cells, {name}, {len(spent)} positions"
        rows.append(claim(f"{what}, median", statistics.median(spent), "CPU ms"))
        rows.append(claim(f"{what}, slowest", max(spent), "CPU ms", "at most 100", max(spent) <= 100))
    return rows


def midgame(name: str, seed: int, opened: int) -> View | None:
    """The position of a game when so many cells are open; None if it was lost before."""
    world, agent = begin(from_name(name, seed)), CountingAgent(seed)
    while world.view.status == RUNNING and (world.view.seen == OPEN).sum() < opened:
        act_on(world, agent.decide(percept(world)))
    view: View = percept(world)
    return view if view.status == RUNNING else None


def explain_all(view: View) -> int:
    """Ask for the reason of every certain cell; how many there are."""
    chances, explainer = probabilities(view).chances, Explainer(view)
    certain = [cell for cell in hidden_cells(view) if (chances[cell] > 0).sum() == 1]
    for cell in certain:
        explainer.reason(cell, int(chances[cell].argmax()))
    explainer.close()
    return len(certain)


def beside_the_peer(quick: bool = False) -> list[Row]:
    """The same Minesweeper boards, played here and there; nothing if the peer is not there."""
    program = peers.command("jsminesweeper")
    rows: list[Row] = []
    if program is None:
        return rows
    seeds = range(FIRST_PEER_SEED, FIRST_PEER_SEED + (100 if quick else 2000))
    for name in ("30x16:99:safe", "30x16:99:zero", "16x16:40:zero", "9x9:10:zero"):
        grids = [from_name(name, seed) for seed in seeds]
        lines = "".join(json.dumps(mine_field(grid)) + "\n" for grid in grids)
        spent, printed = child_cpu([program], lines)
        theirs = [line.split()[-1] == "won" for line in printed]
        games = [play((name, seed, BEST)) for seed in seeds]
        ours = [game["won"] for game in games]
        row = summed_up(name, BEST, games)
        row["peer_rate"] = 100 * sum(theirs) / len(theirs)
        row["peer_cpu_ms"] = 1000 * spent / len(theirs)
        row["only_ours"] = sum(one and not other for one, other in zip(ours, theirs, strict=True))
        row["only_theirs"] = sum(other and not one for one, other in zip(ours, theirs, strict=True))
        row["p"] = sign_test(row["only_ours"], row["only_theirs"])
        rows.append(row)
    return rows


def mine_field(grid: Any) -> dict[str, Any]:
    """A board for a program of Minesweeper: its size, the mines and the first cell, as column and row."""
    mines = [int(cell) for cell in grid.animals.ravel().nonzero()[0]]
    places = [[cell % grid.columns, cell // grid.columns] for cell in (*mines, grid.start)]
    return {"width": grid.columns, "height": grid.rows, "mines": places[:-1], "first": places[-1]}


def played(what: Callable[..., list[Row]], games: int, few: int) -> Callable[..., list[Row]]:
    """A part that plays many games, in processes."""

    def part(quick: bool = False) -> list[Row]:
        with ProcessPoolExecutor(JOBS) as pool:
            return what(pool, range(few if quick else games), ())

    return part


RATE_COLUMNS = [
    ("games", "{games}"),
    ("won, %", "{rate}"),
    ("95 %", "{low} to {high}"),
    ("CPU ms per game", "{cpu_ms}"),
    ("slowest, s", "{slowest_s}"),
]
LAYOUTS = {
    "rates": [
        ("board", "{board}"),
        *RATE_COLUMNS,
        ("lost in the endgame search", "{lost_in_endgame}"),
        ("published, %", "{published}"),
        ("wrong certain moves", "{wrong_certain_moves}"),
        ("risks: deviation, sd", "{standard_deviations}"),
    ],
    "all_boards": [
        ("board", "{board}"),
        ("agent", "{agent}"),
        ("boards", "{boards}"),
        ("risks taken", "{uncertain_moves}"),
        ("survivals expected", "{survivals_expected}"),
        ("survivals", "{survivals_observed}"),
        ("difference", "{difference}"),
        ("wrong certain moves", "{wrong_certain_moves}"),
    ],
    "ceiling": [
        ("board", "{board}"),
        ("games", "{games}"),
        ("with a risk before the endgame search, %", "{early_risks}"),
        ("won on average from there, %", "{won} ± {won_error}"),
        ("best play at most, %", "{most} ± {most_error}"),
        ("difference", "{gap}"),
    ],
    "actions": [
        ("board", "{board}"),
        ("games", "{games}"),
        ("won", "{won}"),
        ("actions per won board", "{actions}"),
        ("of them guesses", "{animals}"),
        ("needed without chords", "{without_chords}"),
    ],
    "ablation": [
        ("board", "{board}"),
        ("layers", "{agent}"),
        *RATE_COLUMNS[:4],
        ("games gained, lost", "{gained}, {lost}"),
        ("p", "{p}"),
    ],
    "peer": [
        ("board", "{board}"),
        *RATE_COLUMNS,
        ("JSMinesweeper, %", "{peer_rate}"),
        ("CPU ms per game", "{peer_cpu_ms}"),
        ("only ours, only theirs", "{only_ours}, {only_theirs}"),
        ("p", "{p}"),
    ],
}
PEERS = {"peer": ("jsminesweeper",)}
PARTS = {
    "rates": played(rates, 10_000, 100),
    "ablation": played(ablation, 300, 50),
    "all_boards": all_boards,
    "ceiling": ceiling,
    "actions": actions,
    "times": times,
    "reasons": reasons,
    "peer": beside_the_peer,
}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="*", default=("rates", "ablation"))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--jobs", type=int, default=JOBS)
    parser.add_argument("--board", action="append", default=[], help="only this board; may be repeated")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as workers:
        for word in asked.what:
            seeds = range(asked.first, asked.first + asked.games)
            {"rates": rates, "ablation": ablation}[word](workers, seeds, tuple(asked.board))
