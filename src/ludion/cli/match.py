"""`ludion match`: many games between two players, and their strength according to the results."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludion.answers import in_percent
from ludion.cli._arena import arena_options, at_fault, in_one_line, play_all
from ludion.cli._options import GameCommand
from ludion.cli._output import ShownCount, show_json
from ludion.errors import LudionError
from ludion.messages import decimal, message

if TYPE_CHECKING:
    from ludion.arena.ratings import Sprt, Tally


@click.command(cls=GameCommand)
@click.argument("game", required=False)
@click.argument("first", required=False)
@click.argument("second", required=False)
@click.option(
    "--games", type=click.IntRange(1), default=100, show_default=True, help="Maximum number of games."
)
@click.option(
    "--sprt", metavar="LOW,HIGH", help="Stop when it is clear whether FIRST is LOW or HIGH Elo stronger."
)
@click.option("--replay", "replayed", metavar="FILE", help="Show a game saved by --out, move by move.")
@click.option(
    "--number", type=click.IntRange(1), default=1, show_default=True, help="Number of the game to replay."
)
@click.option("--pgn", "pgn_file", metavar="FILE", help="Print the games saved by --out as PGN-like text.")
@arena_options
def command(
    game: str | None,
    first: str | None,
    second: str | None,
    games: int,
    sprt: str | None,
    replayed: str | None,
    number: int,
    pgn_file: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Play a match between two players.

    They take turns to begin, and the openings vary. A player is `best`, ENGINE, ENGINE:depth=3,evaluation=even,
    random, python:FILE.py, or one of the game's own, such as uhp:COMMAND.
    """
    from ludion.arena.ratings import Tally

    if replayed is not None:
        return show_game(replayed, number)
    if pgn_file is not None:
        return show_texts(pgn_file)
    if game is None or first is None or second is None:
        raise click.UsageError(message("cli.match_usage"))
    test = read_test(sprt)
    total, records = play_all(game, [(first, second)], games, **given)
    tally, verdict = Tally(), ""
    faults: dict[str, Counter[str]] = {name: Counter() for name in (first, second)}
    with ShownCount(message("cli.games"), total) as shown:
        for record, is_new in records:
            tally = tally.add(record["points"] if record["first"] == first else 1 - record["points"])
            loser = at_fault(record)
            if loser is not None:
                faults[loser][record["ended_by"]] += 1
                if is_new and not as_json:
                    click.echo(in_one_line(record), err=True)
            if as_json and is_new:
                show_json(record)
            shown.show(tally.games)
            if test is not None and tally.games % 2 == 0 and (verdict := test.verdict(tally)):
                break
    if as_json:
        show_json(summary(first, second, tally, faults, test, verdict))
    else:
        click.echo(in_words(first, second, tally, faults, test, verdict))
    return 0


def summary(
    first: str, second: str, tally: Tally, faults: dict[str, Counter[str]], test: Sprt | None, verdict: str
) -> dict[str, Any]:
    """The result as a JSON object."""
    from ludion.arena.ratings import elo, score_interval, superiority
    from ludion.lab.statistics import sign_test

    gain, low, high = elo(tally)
    fields = {
        "match": [first, second],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score,
        "score_interval": list(score_interval(tally)),
        "superiority": superiority(tally),
        "p": sign_test(tally.wins, tally.losses),
        "elo": finite(gain),
        "elo_low": finite(low),
        "elo_high": finite(high),
        "faults": {name: kinds.total() for name, kinds in faults.items()},
        "fault_kinds": {name: dict(kinds) for name, kinds in faults.items()},
    }
    if test is not None:
        fields |= {"sprt": verdict or "undecided", "log_likelihood_ratio": round(test.ratio(tally), 3)}
    return fields


def in_words(
    first: str, second: str, tally: Tally, faults: dict[str, Counter[str]], test: Sprt | None, verdict: str
) -> str:
    """The result in words."""
    from ludion.arena.ratings import elo, score_interval, signed, superiority

    gain, low, high = elo(tally)
    least, most = score_interval(tally)
    lines = [
        message(
            "cli.match_result",
            players=f"{first} - {second}",
            score=f"+{tally.wins} ={tally.draws} -{tally.losses}",
            n=tally.games,
            share=in_percent(tally.score),
            low=decimal(100 * least, 1),
            high=decimal(100 * most, 1),
        ),
        message(
            "arena.strength",
            elo=signed(gain),
            low=signed(low),
            high=signed(high),
            probability=decimal(100 * superiority(tally), 1),
        ),
    ]
    for name, kinds in faults.items():
        if kinds:
            each = ", ".join(f"{message(f'arena.fault.{kind}')} {count}" for kind, count in kinds.items())
            lines.append(message("cli.own_fault", name=name, count=kinds.total(), kinds=each))
    if test is not None:
        lower, upper = test.bounds
        word = message(f"cli.sprt_{verdict or 'undecided'}", low=f"{test.low:g}", high=f"{test.high:g}")
        numbers = {
            "ratio": decimal(test.ratio(tally), 2),
            "lower": decimal(lower, 2),
            "upper": decimal(upper, 2),
        }
        interval = f"[{test.low:g}, {test.high:g}]"
        lines.append(message("cli.sprt_result", interval=interval, verdict=word, **numbers))
    return "\n".join(lines)


def finite(value: float) -> float | None:
    return round(value, 1) if abs(value) != float("inf") else None


def read_test(text: str | None) -> Sprt | None:
    """`LOW,HIGH` as a test."""
    from ludion.arena.ratings import Sprt

    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise LudionError(message("cli.sprt_form", text=text)) from None
    if not low < high:
        raise LudionError(message("cli.sprt_order", low=f"{low:g}", high=f"{high:g}"))
    return Sprt(low, high)


def show_texts(file: str) -> int:
    """All saved games, as texts."""
    from ludion.arena.games import as_pgn
    from ludion.records.resumable import whole_lines

    click.echo("\n".join(map(as_pgn, whole_lines(Path(file))[0])))
    return 0


def show_game(file: str, number: int) -> int:
    """A saved game, move by move."""
    from ludion.arena.games import replay
    from ludion.records.resumable import whole_lines

    records, _ = whole_lines(Path(file))
    if number > len(records):
        raise LudionError(message("cli.so_many_games", file=file, count=len(records), number=number))
    record = records[number - 1]
    positions = list(replay(record))
    moves = ["", *record["opening"], *record["moves"]]
    for ply, (move, position) in enumerate(zip(moves, positions, strict=True)):
        opening = message("cli.opening") if 0 < ply <= len(record["opening"]) else ""
        click.echo(f"{ply}. {move}{opening}\n{position}\n" if move else f"{position}\n")
    click.echo(in_one_line(record))
    return 0
