"""`ludion run`: an agent plays a quest, once or many times.

What a game's card has to offer (see `kinds.card`); nothing else is known of the game here:

- `read(text, **options) -> (game, world)`. `--view`, `--seed` and `--option NAME=VALUE` are passed on as
  options of the game where its card has them (as text); game number i of `--games N` has seed S + i, S being
  that of `--seed`. A world that needs chance takes it from this option;
- `agents`: name -> Guide(make, help), with `make(game, **settings) -> agent`. Of the settings `seed` (int),
  `view` (int), `budget` (float, seconds a decision), `argument` (text, what follows the colon in
  `--agent prolog:FILE`) it gets those that it has parameters for; those of `--set NAME=VALUE` it must have,
  and they are converted to the type of the parameter's default. An agent may count its work in an attribute
  `nodes`; if it has a method `close`, it is called at the end;
- `write_move(game, world, action) -> text` and `read_move`, if actions are not plain values;
- `report(record) -> dict`: more to tell of a run, plain values by name (`record.world` is the last world);
- `referee(world, agent, steps=, patience=) -> Record`, if the general one (`kinds.quest.run`) does not fit.

- `remote(server, group=, password=) -> worlds`, if the game can be played over a network (`--server`).

With `--json` each run is one object on a line: game, level, position, options, status (won, lost, running),
ended_by, reason, length, moves, nodes, seconds, slowest, decisions_per_second, engine, seed, and the entries
of `report`. Together, `position`, `options` and `moves` are a replay: anyone can carry it out again.

Many games of a level (`--games N`) are told together, with `--json` as one object: games, won, win_rate, its
95 % confidence interval, moves and seconds on average, the slowest decision and game. `--each` tells every
game instead.

The exit code is 0 if every run was ended by its world (won or lost), 1 if one was ended from outside.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from ludion.batch.quests import Task, play, play_on_server
from ludion.cli._shared import batch_options, find_game, kept_results
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.card import QUEST, Card, Option, resolve


def pairs(given: tuple[str, ...], what: str) -> dict[str, str]:
    """`NAME=VALUE` arguments as a mapping."""
    found = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not equals or not name:
            raise LudionError(f"{what} '{each}' is not of the form NAME=VALUE")
        found[name.replace("-", "_")] = value
    return found


def checked(card: Card, options: Mapping[str, str]) -> dict[str, str]:
    """The options, all of which the game must know."""
    known: dict[str, Option] = {option.name: option for option in card.options}
    for name, value in options.items():
        if name not in known:
            raise unknown(f"option of {card.name}", name, known)
        if known[name].choices and value not in known[name].choices:
            raise unknown(f"{name} of {card.name}", value, known[name].choices)
    return dict(options)


def source(card: Card, level: str) -> tuple[str, str, dict[str, str]]:
    """What LEVEL names, as (name, position, options): a level, a file, or the text itself."""
    if level.startswith("level:"):
        levels = {each.name: each for each in card.all_levels()}
        name = level.removeprefix("level:")
        if name not in levels:
            raise unknown(f"{card.name} level", name, levels)
        found = levels[name]
        return found.name, found.position, dict(found.options)
    if level == "-":
        return "", sys.stdin.read(), {}
    if len(level) < 1000 and "\n" not in level and Path(level).is_file():
        return Path(level).name, Path(level).read_text(encoding="utf-8", errors="replace"), {}
    return "", level, {}


def tasks(
    card: Card,
    levels: list[str],
    agent: str,
    games: int,
    seed: int,
    options: Mapping[str, str],
    settings: Mapping[str, Any],
    steps: int,
    patience: float | None,
) -> Iterator[Task]:
    """The games to be played, level after level, seed after seed."""
    known = {option.name for option in card.options}
    for level in levels:
        name, text, own = source(card, level)
        for number in range(games):
            chosen = {**own, **options}
            if "seed" in known and "seed" not in options:
                chosen["seed"] = str(seed + number)
            yield Task(
                card.name,
                text,
                checked(card, chosen),
                agent,
                {**settings, "seed": seed + number},
                steps,
                patience,
                name,
            )


HEADINGS = 15  # how many entries of a run every game has


def one_line(told: Mapping[str, Any]) -> str:
    """A run in words."""
    rate = told["decisions_per_second"]
    more = [
        f"{name.replace('_', ' ')} {value}"
        for name, value in list(told.items())[HEADINGS:]
        if isinstance(value, (int, float, str)) and value != ""
    ]
    speed = f"{rate:,.0f} decisions/s, slowest {told['slowest'] * 1000:.1f} ms" if rate else ""
    words = [f"{told['level'] or told['game']}: {told['status']} after {told['length']} steps", *more, speed]
    if told["reason"]:
        words.append(f"ended by {told['ended_by']}: {told['reason']}")
    return ", ".join(word for word in words if word)


def interval(won: int, games: int) -> tuple[float, float]:
    """Wilson's 95 % confidence interval of a win rate."""
    z = 1.959964
    rate, spread = won / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def together(every: list[dict[str, Any]]) -> dict[str, Any]:
    """Many runs of one level as one object."""
    first, games = every[0], len(every)
    won = sum(told["status"] == "won" for told in every)
    steps = sum(told["length"] for told in every)
    seconds = sum(told["seconds"] for told in every)
    return {
        "game": first["game"],
        "level": first["level"],
        "position": first["position"],
        "options": first["options"],
        "engine": first["engine"],
        "seed": first["seed"],
        "games": games,
        "won": won,
        "lost": sum(told["status"] == "lost" for told in every),
        "win_rate": round(won / games, 6),
        "interval": [round(bound, 6) for bound in interval(won, games)],
        "moves": round(steps / games, 3),
        "seconds": round(seconds, 6),
        "seconds_per_game": round(seconds / games, 6),
        "slowest": max(told["slowest"] for told in every),
        "slowest_game": max(told["seconds"] for told in every),
        "nodes": sum(told["nodes"] for told in every),
        "ended_from_outside": [
            {"seed": told["seed"], "ended_by": told["ended_by"], "reason": told["reason"]}
            for told in every
            if told["ended_by"] not in ("won", "lost")
        ],
    }


def in_all(every: list[dict[str, Any]]) -> str:
    """Many runs in words."""
    won = sum(told["status"] == "won" for told in every)
    steps = [told["length"] for told in every]
    seconds = sum(told["seconds"] for told in every)
    rate = f"{sum(steps) / seconds:,.0f}" if seconds else "-"
    low, high = interval(won, len(every))
    return (
        f"{won} of {len(every)} won ({100 * won / len(every):.1f} %, "
        f"95 % interval {100 * low:.1f} to {100 * high:.1f}), "
        f"{statistics.mean(steps):.1f} steps on average, {rate} decisions/s, "
        f"slowest {max(told['slowest'] for told in every) * 1000:.1f} ms"
    )


@click.command()
@click.argument("game")
@click.argument("levels", nargs=-1, metavar="LEVEL...")
@click.option("--agent", default="best", show_default=True, metavar="NAME[:ARGUMENT]", help="Who plays.")
@click.option(
    "--games", type=click.IntRange(1), default=1, show_default=True, help="How often to play each level."
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first game; then one more.")
@click.option("--view", type=click.IntRange(0), help="How far the agent sees (0: all), if the game has it.")
@click.option("--budget", type=float, help="Seconds of thinking a decision, for agents that have a choice.")
@click.option("--patience", type=float, help="Seconds after which a missing decision ends the run.")
@click.option("--steps", type=click.IntRange(1), default=10_000, show_default=True, help="Of a run, at most.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--set", "named", multiple=True, metavar="NAME=VALUE", help="A setting of the agent.")
@batch_options
@click.option("--show", "shown", is_flag=True, help="Draw the last state.")
@click.option("--each", is_flag=True, help="Tell every one of many games.")
@click.option("--server", metavar="URL", help="Play the levels of a server instead, if the game has servers.")
@click.option("--group", default="ludion", show_default=True, help="Who we are on that server.")
@click.option("--password", default="", help="Of the group.")
@click.option("--json", "as_json", is_flag=True, help="One object a line.")
def command(
    game: str,
    levels: tuple[str, ...],
    agent: str,
    games: int,
    seed: int,
    view: int | None,
    budget: float | None,
    patience: float | None,
    steps: int,
    options: tuple[str, ...],
    named: tuple[str, ...],
    jobs: int,
    cluster: str | None,
    out: str | None,
    shown: bool,
    each: bool,
    server: str | None,
    group: str,
    password: str,
    as_json: bool,
) -> int:
    """Let an agent play a quest: level:NAME, level:all, a file, - or the text of a level."""
    card = find_game(game)
    if card.kind != QUEST:
        raise UnfitError(f"{card.title} is a {card.kind}; `ludion run` is for quests")
    if bool(levels) == bool(server):
        raise LudionError("give a LEVEL or a --server" + (", not both" if levels else ""))
    if server and card.remote is None:
        raise UnfitError(f"{card.title} is not played over a network")
    for name, number in (("budget", budget), ("patience", patience)):
        if number is not None and not number > 0:
            raise LudionError(f"{name} must be positive, not {number}")
    if agent.partition(":")[0] not in card.agents:
        raise unknown(f"agent of {card.name}", agent.partition(":")[0], card.agents)
    chosen = pairs(options, "option")
    if view is not None:
        if not any(option.name == "view" for option in card.options):
            raise UnfitError(f"{card.title} has no --view: its agents see what its rules say")
        chosen["view"] = str(view)
    every_level = [f"level:{one.name}" for one in card.all_levels()] if "level:all" in levels else []
    wanted_levels = [found for one in levels for found in (every_level if one == "level:all" else [one])]
    settings: dict[str, Any] = {"view": view, "budget": budget, "named": pairs(named, "setting")}
    wanted = list(tasks(card, wanted_levels, agent, games, seed, chosen, settings, steps, patience))
    every = []
    single = each or games == 1
    if server:
        settings["seed"] = seed
        there = Task(card.name, server, {}, agent, settings, steps, patience, group)
        told_there: Iterator[tuple[Any, bool]] = ((told, True) for told in play_on_server(there, password))
    else:
        told_there = kept_results(play, wanted, jobs=jobs, cluster=cluster, out=out, by="processes")
    for told, new in told_there:
        every.append(told)
        if not new or not single:
            continue
        click.echo(json.dumps(told, ensure_ascii=False) if as_json else one_line(told))
        if shown and not as_json:
            click.echo(last_state(card, told))
    if as_json and not single:
        for begin in range(0, len(every), games):
            click.echo(json.dumps(together(every[begin : begin + games]), ensure_ascii=False))
    if len(every) > 1 and not as_json:
        click.echo(in_all(every))
    return 0 if all(told["ended_by"] in ("won", "lost") for told in every) else 1


def last_state(card: Card, told: Mapping[str, Any]) -> str:
    """The world at the end of a run, drawn in text."""
    from ludion.kinds import quest

    game, world = resolve(card.read)(told["position"], **told["options"])
    read = resolve(card.read_move)
    for move in told["moves"]:
        world = quest.act(world, read(game, world, move) if read else move)
    draw = resolve(card.text) or resolve(card.write)
    return str(draw(game, world))
