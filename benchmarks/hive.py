"""Hive: perft, search speed, time limits and strength; with nokamute in the same run if it is on the PATH."""

from __future__ import annotations

import random
import time
from typing import Any

import ludion
from benchmarks.peers import command
from ludion.engines import alpha_beta
from ludion.engines.budget import Budget
from ludion.games.hive import evaluation, players
from ludion.games.hive.notation import legal_moves, played, read
from ludion.games.hive.rules import hive_rules
from ludion.games.hive.tuning import opening
from ludion.games.hive.uhp import UhpServer
from ludion.games.hive.uhp_client import External
from ludion.kinds.duel import DRAWN, OPEN, WON, copy, verdict

PERFT = (("Base", 6, 12_219_480), ("Base+MLP", 5, 5_427_108))
MEASURED_ELSEWHERE = {"Base": 0.0686, "Base+MLP": 0.0316}  # seconds of nokamute 1.0.3 on an idle 2-core EPYC


def row(what: str, measured: float, unit: str, wanted: str, ok: bool) -> dict[str, Any]:
    print(f"| {what} | {measured:,.3g} {unit} | {wanted} | {'yes' if ok else 'NO'} |", flush=True)
    return {"what": what, "measured": measured, "unit": unit, "wanted": wanted, "ok": ok}


def perft_rows(peer: External | None) -> list[dict[str, Any]]:
    rows = []
    for kind, depth, count in PERFT:
        position = ludion.position("hive", kind, repetition="play-on")
        assert ludion.perft(position, 3) > 0  # compiled
        ours, cpu = [], []
        for _ in range(5):
            begin, used = time.perf_counter(), time.process_time()
            assert ludion.perft(position, depth) == count
            ours.append(time.perf_counter() - begin)
            cpu.append(time.process_time() - used)
        rows.append(row(f"{kind} perft({depth})", min(ours), "s", "", True))
        rows.append(row(f"{kind} perft({depth}), processor time", min(cpu), "s", "", True))
        if peer is not None:
            theirs = []
            for _ in range(5):
                peer.must(f"newgame {kind}")
                begin = time.perf_counter()
                peer.ask(f"perft {depth}", 600)
                theirs.append(time.perf_counter() - begin)
            ratio = min(ours) / min(theirs)
            rows.append(
                row(f"{kind} perft({depth}), time against nokamute's", ratio, "x", "<= 1.0 x", ratio <= 1)
            )
        else:
            ratio = min(cpu) / MEASURED_ELSEWHERE[kind]
            what = f"{kind} perft({depth}), against nokamute's time on another machine"
            rows.append(row(what, ratio, "x", "<= 1.0 x", ratio <= 1))
    return rows


def search_rows() -> list[dict[str, Any]]:
    rows = []
    for name in ("mid-game-2", "win-5-plies-d", "beetle-gate"):
        position = ludion.position("hive", f"level:{name}")
        guide = evaluation.make(position.rules)
        alpha_beta.solve(position.rules, position.state, guide, Budget(depth=2))
        used = time.process_time()
        budget = Budget(nodes=1_000_000)
        answer = alpha_beta.solve(position.rules, position.state, evaluation.make(position.rules), budget)
        if answer.nodes < 100_000:
            continue
        speed = answer.nodes / (time.process_time() - used) / 1e6
        what = f"{name}: search of {answer.nodes:,} nodes to depth {answer.depth}"
        rows.append(row(what, speed, "M nodes/s of processor time", ">= 0.7", speed >= 0.7))
    return rows


def limit_rows() -> list[dict[str, Any]]:
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
    return [
        row(
            f"bestmove's overrun, {pieces} pieces, move {position.ply // 2}",
            worst,
            "s",
            "<= 0.1 s",
            worst <= 0.1,
        )
    ]


def play_games(first: Any, second: Any, games: int, seed: int) -> float:
    """The first player's share of the points; each random opening is played with both colours."""
    chance = random.Random(seed)
    points = 0.0
    for number in range(games):
        if number % 2 == 0:
            game = hive_rules("MLP" if number % 4 else "")
            start = opening(game, chance, 4)
        position = copy(game, start)
        while verdict(game, position) == OPEN and position.ply < 200:
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


def strength_rows(peer: External | None, quick: bool) -> list[dict[str, Any]]:
    chance = random.Random(1)
    rows = []
    games = 10 if quick else 100

    def report(game: Any, position: Any) -> int:
        return players.heuristic(game, position, None, Budget()).moves[0]

    def at_random(game: Any, position: Any) -> int:
        return chance.choice(legal_moves(game, position))

    for name, other in (("heuristic", report), ("random", at_random)):
        share = 100 * play_games(engine(0.05), other, games, 1)
        rows.append(row(f"best at 0.05 s against {name}, {games} games", share, "%", "100 %", share == 100))
    games = 4 if quick else 100
    share = 100 * play_games(engine(1.0), engine(0.1), games, 2)
    rows.append(row(f"best at 1 s against best at 0.1 s, {games} games", share, "%", ">= 75 %", share >= 75))
    if peer is not None:

        def other(game: Any, position: Any) -> int:
            return peer.best_move(game, position, Budget(seconds=1))

        share = 100 * play_games(engine(1.0), other, games, 3)
        rows.append(
            row(f"best against nokamute, 1 s a move, {games} games", share, "%", ">= 50 %", share >= 50)
        )
    return rows


def main(quick: bool = False) -> list[dict[str, Any]]:
    program = command("nokamute")
    peer = External([program, "uhp", "--num-threads=1"]) if program else None
    if peer is None:
        print("nokamute is not on the PATH: left out\n")
    print("| what | measured | wanted | met |\n|---|---|---|---|")
    try:
        return perft_rows(peer) + search_rows() + limit_rows() + strength_rows(peer, quick)
    finally:
        if peer is not None:
            peer.close()
