"""`ludion match`: two players, many games, and what they say of the players' strength."""

from __future__ import annotations

from typing import Any

import click

from ludion.cli._arena import arena_options, in_a_line, play_all, signed
from ludion.cli._shared import GameCommand, Progress, dump
from ludion.errors import LudionError


@click.command(cls=GameCommand)
@click.argument("game", required=False)
@click.argument("first", required=False)
@click.argument("second", required=False)
@click.option("--games", type=click.IntRange(1), default=100, show_default=True, help="How many, at most.")
@click.option(
    "--sprt", metavar="LOW,HIGH", help="Stop when it is clear whether FIRST is LOW or HIGH Elo stronger."
)
@click.option("--replay", "replayed", metavar="FILE", help="Show a game that --out kept, move by move.")
@click.option("--number", type=click.IntRange(1), default=1, show_default=True, help="Which one to replay.")
@arena_options
def command(
    game: str | None,
    first: str | None,
    second: str | None,
    games: int,
    sprt: str | None,
    replayed: str | None,
    number: int,
    as_json: bool,
    **given: Any,
) -> int:
    """Let two players meet, with alternating sides and varied openings.

    A player is `best`, ENGINE, ENGINE:depth=3,evaluation=even, random, uhp:COMMAND or python:FILE.py.
    """
    from ludion.arena.ratings import Tally, elo, superiority

    if replayed is not None:
        return show(replayed, number)
    if game is None or first is None or second is None:
        raise click.UsageError("name the game and two players: ludion match GAME FIRST SECOND")
    test = read_test(sprt)
    settings = {name: given.pop(name) for name in ARENA} | {"rest": given}
    total, records = play_all(game, [(first, second)], games, settings)
    tally, verdict, faults = Tally(), "", dict.fromkeys((first, second), 0)
    with Progress(total=total, noun="games") as progress:
        for record, new in records:
            tally = tally.add(record["points"] if record["first"] == first else 1 - record["points"])
            if record["ended_by"] in FAULTS:
                faults[record["second"] if record["points"] == 1 else record["first"]] += 1
                if new and not as_json:
                    click.echo(in_a_line(record), err=True)
            if as_json and new:
                dump(record)
            progress.show(tally.games)
            if test is not None and tally.games % 2 == 0 and (verdict := test.verdict(tally)):
                break
    gain, low, high = elo(tally)
    if as_json:
        told = {"match": [first, second], "games": tally.games, "wins": tally.wins, "draws": tally.draws}
        told |= {
            "losses": tally.losses,
            "score": round(tally.score, 4),
            "superiority": round(superiority(tally), 4),
        }
        told |= {"elo": finite(gain), "elo_low": finite(low), "elo_high": finite(high), "faults": faults}
        if test is not None:
            told |= {"sprt": verdict or "undecided", "log_likelihood_ratio": round(test.ratio(tally), 3)}
        dump(told)
        return 0
    click.echo(
        f"{first} - {second}: +{tally.wins} ={tally.draws} -{tally.losses} in {tally.games} games, "
        f"{100 * tally.score:.1f} %\nElo {signed(gain)}, 95 % between {signed(low)} and {signed(high)}; "
        f"stronger with {100 * superiority(tally):.1f} % likelihood"
    )
    for name, count in faults.items():
        if count:
            click.echo(f"{name} lost {count} by its own fault (crash, time, illegal move)")
    if test is not None:
        lower, upper = test.bounds
        word = {"high": f"accepted: +{test.high:g} or more", "low": f"accepted: +{test.low:g} or less"}
        click.echo(
            f"SPRT [{test.low:g}, {test.high:g}]: {word.get(verdict, 'undecided')} "
            f"(log-likelihood ratio {test.ratio(tally):.2f} of {lower:.2f}, {upper:.2f})"
        )
    return 0


ARENA = (
    *("seconds", "nodes", "depth", "start", "plies", "openings", "seed", "longest", "adjudicate"),
    *("jobs", "cluster", "out", "game_file"),
)
FAULTS = ("crash", "time", "illegal", "flood")


def finite(value: float) -> float | None:
    return round(value, 1) if abs(value) != float("inf") else None


def read_test(text: str | None) -> Any:
    """`LOW,HIGH` as a test."""
    from ludion.arena.ratings import Sprt

    if text is None:
        return None
    try:
        low, high = (float(word) for word in text.split(","))
    except ValueError:
        raise LudionError(f"--sprt takes two Elo numbers, LOW,HIGH, not '{text}'") from None
    if not low < high:
        raise LudionError(f"--sprt: {low:g} is not below {high:g}")
    return Sprt(low, high)


def show(file: str, number: int) -> int:
    """A kept game, move by move."""
    from pathlib import Path

    from ludion.arena.games import replay
    from ludion.batch.output import whole_lines

    records, _ = whole_lines(Path(file))
    if number > len(records):
        raise LudionError(f"{file} holds {len(records)} games, not {number}")
    record = records[number - 1]
    positions = list(replay(record))
    moves = ["", *record["opening"], *record["moves"]]
    for ply, (move, position) in enumerate(zip(moves, positions, strict=True)):
        opening = " (opening)" if 0 < ply <= len(record["opening"]) else ""
        click.echo(f"{ply}. {move}{opening}\n{position}\n" if move else f"{position}\n")
    click.echo(in_a_line(record))
    return 0
