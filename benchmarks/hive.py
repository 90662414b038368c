"""Hive: perft, search speed, time limits and strength; with nokamute in the same run if it is there (see README.md)."""

from __future__ import annotations

import contextlib
import functools
import random
import shlex
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import ludion
from benchmarks import runs
from benchmarks.measure import Row, claim, cpu, in_turn, median, ratios, sample
from benchmarks.peers import HOME, command, version
from ludion.arena.games import CPU, Fixture, plan_fixtures, play_game
from ludion.arena.ratings import Tally, elo, score_interval, signed
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive import evaluation, players
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.rules import hive_rules
from ludion.games.hive.tuning import opening
from ludion.games.hive.uhp import UhpServer
from ludion.games.hive.uhp_client import External
from ludion.kinds.duel import DRAWN, OPEN, WON, copy, verdict
from ludion.kinds.players import FAULTS
from ludion.records.resumable import ResumableJsonl

LONGEST = 200  # plies of a game; then it counts as drawn
MATCH_MINUTES, MATCH_GAMES = 30, 200  # of a match against nokamute in one run; games of all runs
RECORDS = HOME.parent / "results"  # of the games; not kept in the repository
PERFT = (("Base", 6, 12_219_480), ("Base+MLP", 5, 5_427_108))


def perft_rows(quick: bool = False) -> list[Row]:
    """Counting positions, here and there in turn; nokamute's time is that of its answer on the clock."""
    rows = []
    with at_hand() as peer:
        for kind, depth, count in PERFT:
            position = ludion.position("hive", kind, repetition="play-on")
            assert ludion.perft(position, 3) > 0  # compiled
            works = {"ours": lambda p=position, d=depth: cpu(lambda: ludion.perft(p, d))}
            if peer is not None:

                def ask(kind: str = kind, depth: int = depth) -> tuple[float, Any]:
                    peer.must(f"newgame {kind}")
                    return cpu(lambda: peer.ask(f"perft {depth}", 600), time.perf_counter)

                works["nokamute"] = ask
            taken = in_turn(**works)
            ours, positions = taken["ours"]
            assert positions == count
            rows.append(claim(f"{kind} perft({depth}), {count:,} positions", sample(ours), "CPU s"))
            if "nokamute" in taken:
                ratio = ratios(ours, taken["nokamute"][0])
                what = f"... {kind}, time beside nokamute's"
                rows.append(claim(what, ratio, "times", "at most 0.7", median(ratio) <= 0.7))
    return rows


def search_rows(quick: bool = False) -> list[Row]:
    """Positions per second of a search of a million nodes."""
    rows = []
    for name in ("mid-game-2", "win-5-plies-d", "beetle-gate"):
        position = ludion.position("hive", f"level:{name}")
        alpha_beta.solve(position.rules, position.state, evaluation.make(position.rules), Budget(depth=2))

        def search(position: Any = position) -> tuple[float, Any]:
            guide, budget = evaluation.make(position.rules), Budget(nodes=1_000_000)
            return cpu(lambda: alpha_beta.solve(position.rules, position.state, guide, budget))

        seconds, answer = in_turn(3, search=search)["search"]
        if answer.nodes >= 100_000:
            speed = sample([answer.nodes / each / 1e6 for each in seconds])
            what = f"{name}: {answer.nodes:,} nodes, depth {answer.depth}"
            rows.append(claim(what, speed, "M nodes/s", "at least 0.7", median(speed) >= 0.7))
    return rows


def limit_rows(quick: bool = False) -> list[Row]:
    """How far `bestmove time` overruns with all 28 pieces in play after 200 moves."""
    chance = random.Random(3)
    game, position = read("Base+MLP", repetition="play-on")
    while position.ply < 400:
        moves = legal_moves(game, position)
        if not moves:  # over: begin again
            game, position = read("Base+MLP", repetition="play-on")
            continue
        places = [move for move in moves if move >> 10 & 1023 == move & 1023]
        quiet = [m for m in moves if verdict(game, played(game, copy(game, position), m)) == OPEN] or moves
        position = played(game, position, chance.choice([m for m in places if m in quiet] or quiet))
    server = UhpServer(game, position)
    list(server.answer("bestmove depth 2"))
    worst = 0.0
    for seconds in (0.1, 0.5, 1.0):
        begin = time.perf_counter()
        list(server.answer(f"bestmove time 00:00:{seconds:06.3f}"))
        worst = max(worst, time.perf_counter() - begin - seconds)
    pieces = position.placed.bit_count()
    what = f"overrun of `bestmove time`, {pieces} pieces, move {position.ply // 2}"
    return [claim(what, worst, "s", "at most 0.1", worst <= 0.1)]


def play_games(first: Any, second: Any, games: int, seed: int) -> float:
    """The first player's share of the points; each random opening is played with both colours."""
    chance = random.Random(seed)
    points = 0.0
    for number in range(games):
        if number % 2 == 0:
            game = hive_rules("MLP" if number % 4 else "")
            start = opening(game, chance, 4)
        position = copy(game, start)
        while verdict(game, position) == OPEN and position.ply < LONGEST:
            player = first if position.ply % 2 == number % 2 else second
            position = played(game, position, player(game, position))
        end = verdict(game, position)
        ours = position.ply % 2 == number % 2
        points += 0.5 if end in (OPEN, DRAWN) else float((end == WON) == ours)
    return points / games


def engine(seconds: float) -> Any:
    def move(game: Any, position: Any) -> int:
        guide = evaluation.make(game)
        return alpha_beta.solve(game, position, guide, Budget(seconds=seconds)).moves[0]

    return move


def strength_rows(quick: bool = False) -> list[Row]:
    """Matches on the clock: two hours without `--quick`."""
    chance = random.Random(1)
    rows = []
    games = 10 if quick else 100

    def report(game: Any, position: Any) -> int:
        return players.heuristic(game, position, None, Budget()).moves[0]

    def at_random(game: Any, position: Any) -> int:
        return chance.choice(legal_moves(game, position))

    for name, other in (("heuristic", report), ("random", at_random)):
        share = 100 * play_games(engine(0.05), other, games, 1)
        rows.append(claim(f"best at 0.05 s against {name}, {games} games", share, "%", "100", share == 100))
    games = 4 if quick else 100
    share = 100 * play_games(engine(1.0), engine(0.1), games, 2)
    rows.append(
        claim(f"best at 1 s against best at 0.1 s, {games} games", share, "%", "at least 75", share >= 75)
    )
    with at_hand() as peer:
        if peer is not None:

            def other(game: Any, position: Any) -> int:
                return peer.best_move(game, position, Budget(seconds=1))

            share = 100 * play_games(engine(1.0), other, games, 3)
            what = f"best against nokamute, 1 s per move, {games} games"
            rows.append(claim(what, share, "%", "at least 50", share >= 50))
    return rows


def fixtures(first: str, second: str, kind: str, games: int, budget: Budget) -> Iterator[Fixture]:
    """Random openings of 2, 3 and 4 plies in turn, each with both colours, on processor time."""
    conditions = Fixture("hive", kind, budget=budget, longest=LONGEST, adjudicate=True, clock=CPU)
    plans = [
        plan_fixtures(conditions, [(first, second)], games, plies=plies, seed=plies) for plies in (2, 3, 4)
    ]
    for number in range(games):
        yield plans[number // 2 % len(plans)][number]


def tally_of(name: str, records: list[Row], tally: Tally = Tally()) -> Tally:  # noqa: B008 - frozen
    """The results of a player, added to earlier ones."""
    for record in records:
        tally = tally.add(record["points"] if record["first"] == name else 1 - record["points"])
    return tally


def is_black(name: str, record: Row) -> bool:
    """Whether a player had the black pieces: White made the first move of the opening."""
    return (record["first"] == name) == (len(record["opening"]) % 2 == 1)


def nokamute_rows(quick: bool = False) -> list[Row]:
    """A match on processor time, which continues the stored one as long as the engine searches the same trees.

    A nokamute that ignores CPU_CLOCK counts wall time. Ctrl-C ends the match; what was played counts.
    """
    program = command("nokamute")
    if program is None:
        return []
    ours, theirs = "best", f"uhp:env CPU_CLOCK=1 {shlex.quote(program)} uhp --num-threads=1"
    seconds, minutes = (0.1, 0.5) if quick else (1.0, MATCH_MINUTES)
    conditions = f"{seconds:g} s, nokamute {version('nokamute')}, {nodes_of_a_search()} nodes"
    rows = runs.read("hive").get("nokamute", {}).get("rows", [])
    earlier = {row["group"]: row for row in rows} if rows and rows[0].get("conditions") == conditions else {}
    done = sum(sum(earlier[kind]["results"]) for kind in ("Base", "Base+MLP") if earlier)
    file = RECORDS / f"hive-nokamute-after-{done}{'-quick' if quick else ''}.jsonl"
    file.parent.mkdir(exist_ok=True)
    with ResumableJsonl(file, {"conditions": conditions}) as saved:
        records: list[Row] = list(saved.done)
        games = islice(match_games(ours, theirs, Budget(seconds=seconds)), done + len(records), MATCH_GAMES)
        begin = time.perf_counter()
        with contextlib.suppress(KeyboardInterrupt):
            for fixture in games:
                if time.perf_counter() - begin > 60 * minutes:
                    break
                records.append(play_game(fixture))
                saved.write(records[-1])
                saved.flush()
    rows = match_rows(ours, theirs, records, earlier, seconds)
    return [rows[0] | {"conditions": conditions}, *rows[1:]]


def nodes_of_a_search() -> int:
    """What tells one engine from another: games of engines that search other trees are not counted together."""
    here = ludion.position("hive", "level:mid-game-2")
    return alpha_beta.solve(here.rules, here.state, evaluation.make(here.rules), Budget(depth=7)).nodes


def match_games(first: str, second: str, budget: Budget) -> Iterator[Fixture]:
    """Two openings of Base, then one of Base+MLP, and so on, each with both colours."""
    base, all_bugs = (fixtures(first, second, kind, MATCH_GAMES, budget) for kind in ("Base", "Base+MLP"))
    while True:
        yield from islice(base, 4)
        yield from islice(all_bugs, 2)


def match_rows(
    ours: str, theirs: str, records: list[Row], earlier: dict[str, Row], seconds: float
) -> list[Row]:
    """The results of a match by game type and colour, the faults, and the time that both used.

    `earlier` has the rows of the games before these by their group.
    """
    black = [record for record in records if is_black(ours, record)]
    groups = {
        "Base": [record for record in records if record["start"] == "Base"],
        "Base+MLP": [record for record in records if record["start"] == "Base+MLP"],
        "as Black": black,
        "as Black in Base": [record for record in black if record["start"] == "Base"],
    }
    wanted = {"Base": 85, "Base+MLP": 92, "as Black": 75}
    rows = []
    for group, games in groups.items():
        before = earlier[group]["results"] if earlier else (0, 0, 0)
        tally = tally_of(ours, games, Tally(*before))
        low, high = (round(100 * share) for share in score_interval(tally))
        results = (tally.wins, tally.draws, tally.losses)
        what = "{}, {} games: {} won, {} drawn, {} lost, 95 % within {} to {}".format(
            group, tally.games, *results, low, high
        )
        goal, share = wanted.get(group, 0), 100 * tally.score
        wish = f"at least {goal}" if goal else ""
        rows.append(claim(what, share, "%", wish, share >= goal, group=group, results=results))
    faults = earlier["faults"]["measured"] if earlier else 0
    faults += sum(record["ended_by"] in FAULTS for record in records)
    rows.append(claim("games decided by a fault (time, crash, illegal move)", faults, group="faults"))
    for who, name in (("ludion", ours), ("nokamute", theirs)):
        sides = [(record, 0 if record["first"] == name else 1) for record in records]
        spent, moves = earlier[who]["spent"] if earlier else (0.0, 0)
        spent += sum(record["cpu_seconds"][side] or 0.0 for record, side in sides)
        moves += sum((record["plies"] + 1 - side) // 2 for record, side in sides)
        what = f"{who}'s processor time per move, limit {seconds:g} s"
        rows.append(claim(what, spent / max(1, moves), "s", group=who, spent=(spent, moves)))
    return rows


def level_rows(quick: bool = False) -> list[Row]:
    """Each level against the one below: the Elo difference with its interval."""
    rows = []
    for below, level, games in (("easy", "medium", 100), ("medium", "hard", 40)):
        count = 4 if quick else games
        records = [
            record
            for kind in ("Base", "Base+MLP")
            for record in map(play_game, fixtures(level, below, kind, count // 2, Budget()))
        ]
        tally = tally_of(level, records)
        gain, low, high = (signed(number) for number in elo(tally))
        what = f"{level} against {below}, {count} games: Elo {gain}, 95 % within {low} to {high}; share of points"
        rows.append(claim(what, 100 * tally.score, "%", "more than 50", tally.score > 0.5))
    return rows


def thread_rows(quick: bool = False) -> list[Row]:
    """What a second thread changes to the same depth: the nodes of the first thread, and the processor time of both.

    The first thread ends the search: with a core for each thread, the time is that for its nodes.
    """
    rows = []
    for name, depth in (("mid-game-2", 10), ("beetle-gate", 10)):
        position = ludion.position("hive", f"level:{name}")
        guide, budget = evaluation.make(position.rules), Budget(depth=depth - 3 if quick else depth)
        search = functools.partial(alpha_beta.solve, position.rules, position.state, guide, budget)
        search(), search(threads=2)  # compiled
        rounds = [(search(threads=2), search()) for _ in range(7)]
        nodes = sample([two.nodes / one.nodes for two, one in rounds])
        spent = sample([two.cpu_seconds / one.cpu_seconds for two, one in rounds])
        what = f"{name} to depth {budget.depth}: nodes of the first of two threads beside one thread"
        rows.append(claim(what, nodes, "times"))
        rows.append(claim("... processor time of both threads beside one thread", spent, "times"))
    return rows


@contextlib.contextmanager
def at_hand() -> Iterator[External | None]:
    """nokamute, if it is there, with one thread."""
    program = command("nokamute")
    peer = External([program, "uhp", "--num-threads=1"]) if program else None
    try:
        yield peer
    finally:
        if peer is not None:
            peer.close()


PEERS = {"perft": ("nokamute",), "strength": ("nokamute",), "nokamute": ("nokamute",)}
PARTS = {
    "perft": perft_rows,
    "search": search_rows,
    "limits": limit_rows,
    "threads": thread_rows,
    "levels": level_rows,
    "nokamute": nokamute_rows,
    "strength": strength_rows,
}
