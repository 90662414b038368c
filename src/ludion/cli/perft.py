"""`ludion perft`: count the sequences of moves, to test move generation."""

from __future__ import annotations

from typing import Any

import click

from ludion.cli import NO_ANSWER
from ludion.cli._shared import (
    GameCommand,
    announce,
    dump,
    find_game,
    game_file_option,
    make_budget,
    not_for_quests,
    progress_observer,
    split_options,
)


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("positions", nargs=-1, metavar="[POSITION]")
@click.argument("depth", type=click.IntRange(0, 100))
@game_file_option
@click.option("--divide", is_flag=True, help="Count for each first move.")
@click.option("--time", "seconds", type=float, metavar="S", help="Seconds, at most.")
@click.option("--json", "as_json", is_flag=True, help="One object.")
def command(
    game: str,
    positions: tuple[str, ...],
    depth: int,
    game_file: tuple[str, ...],
    divide: bool,
    seconds: float | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Count the sequences of DEPTH moves from a position."""
    from ludion import api
    from ludion.engines.limits import EXHAUSTED
    from ludion.engines.perft import counted

    if len(positions) > 1:
        raise click.UsageError(f"one position at a time, not {len(positions)} (quote one that has spaces)")
    card = find_game(game)
    not_for_quests(card, "perft")
    options, _ = split_options(card, given)
    budget = make_budget(seconds, None, None, None)
    announce()
    start = api.position(card, *positions, **{**card.counting, **options})
    observer = progress_observer()
    total, spent, complete = 0, 0.0, True
    parts: dict[str, int] = {}
    try:
        branches = (
            [(start.write_move(code), start.play(code)) for code in start.codes()] if divide and depth else []
        )
        for name, branch in branches or [("", start)]:
            outcome = counted(
                branch.rules, branch.state, depth - 1 if branches else depth, card.kind, budget, observer
            )
            ended, number = outcome.result
            complete &= ended == EXHAUSTED
            total += int(number)
            spent += outcome.seconds
            if name:
                parts[name] = int(number)
                if not as_json:
                    click.echo(f"{name}: {number}")
    finally:
        observer.close()
    if as_json:
        told = {
            "game": card.name,
            "position": start.text,
            "depth": depth,
            "nodes": total,
            "seconds": round(spent, 6),
        }
        dump({**told, "status": "optimal" if complete else "limit", **({"divide": parts} if divide else {})})
    else:
        rate = f", {total / spent / 1e6:.1f} M/s" if spent > 0.001 else ""
        click.echo(f"{total} ({spent:.3f} s{rate})" + ("" if complete else "; not all: stopped by the limit"))
    return 0 if complete else NO_ANSWER
