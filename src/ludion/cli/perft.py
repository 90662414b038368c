"""`ludion perft`: count the sequences of moves, to test move generation."""

from __future__ import annotations

from typing import Any

import click

from ludion import registry
from ludion.cli import NO_ANSWER
from ludion.cli._options import GameCommand, game_file_option, json_option, not_for_quests, rule_options
from ludion.cli._output import ShownSearch, announce_compiling, show_json
from ludion.engines.budget import Budget
from ludion.kinds.games import Duel
from ludion.messages import decimal, message
from ludion.positions import position as read_position


@click.command(cls=GameCommand)
@click.argument("game")
@click.argument("positions", nargs=-1, metavar="[POSITION]")
@click.argument("depth", type=click.IntRange(0, 100))
@game_file_option
@click.option("--divide", is_flag=True, help="Print the count of each first move.")
@click.option("--time", "seconds", type=float, metavar="S", help="Maximum seconds.")
@json_option("One object.")
def command(
    game: str,
    positions: tuple[str, ...],
    depth: int,
    divide: bool,
    seconds: float | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Count the sequences of DEPTH moves from a position."""
    from ludion.engines.limits import EXHAUSTED
    from ludion.engines.perft import counted

    if len(positions) > 1:
        raise click.UsageError(message("cli.one_position", count=len(positions)))
    description = registry.find(game)
    not_for_quests(description, "perft")
    usual = description.perft_options if isinstance(description, Duel) else {}
    budget = Budget(seconds=seconds)
    announce_compiling()
    start = read_position(description, *positions, **{**usual, **rule_options(description, given)})
    divided = divide and depth > 0
    branches = (
        [(start.write_move(code), start.play(code)) for code in start.codes()] if divided else [("", start)]
    )
    total, spent, spent_cpu, complete = 0, 0.0, 0.0, True
    counts: dict[str, int] = {}
    with ShownSearch() as observer:
        for name, branch in branches:
            left = depth - 1 if divided else depth
            outcome = counted(branch.rules, branch.state, left, description.kind, budget, observer)
            ended, number = outcome.result
            complete &= ended == EXHAUSTED
            total += int(number)
            spent += outcome.seconds
            spent_cpu += outcome.cpu_seconds
            if divided:
                counts[name] = int(number)
                if not as_json:
                    click.echo(f"{name}: {number}")
    if as_json:
        fields = {"game": description.name, "position": start.text, "depth": depth, "nodes": total}
        status = "optimal" if complete else "limit"
        costs = {"seconds": spent, "cpu_seconds": spent_cpu, "status": status}
        show_json({**fields, **costs, **({"divide": counts} if divide else {})})
    else:
        rate = f", {decimal(total / spent / 1e6, 1)} M/s" if spent > 0.001 else ""
        click.echo(
            f"{total} ({decimal(spent, 3)} s{rate})" + ("" if complete else message("cli.perft_incomplete"))
        )
    return 0 if complete else NO_ANSWER
