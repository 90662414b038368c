"""`ludion generate`: new positions of a game, the same ones for the same seed.

A game's card names `generate(seed, **options) -> str` (the text of a position). Its keyword parameters with
their defaults are the options of the command: `difficulty="easy"` becomes `--difficulty`, and `cars=9`
becomes `--cars`, which takes a number. Bad values are the function's to refuse, with a `LudionError`.
A generator that may take long also has `stop=None`, a `threading.Event`: once it is set, it gives up by
`limits.check(stop)`.
"""

from __future__ import annotations

import inspect
import json
from typing import Any

import click

from ludion.errors import UnfitError, unknown
from ludion.kinds.card import Card, resolve


def offered(card: Card) -> dict[str, inspect.Parameter]:
    """The options of a game's generator."""
    if card.generate is None:
        raise UnfitError(f"{card.title} has no generator")
    found = dict(list(inspect.signature(resolve(card.generate)).parameters.items())[1:])
    found.pop("stop", None)
    return found


def given(card: Card, arguments: tuple[str, ...]) -> dict[str, Any]:
    """The options among the command's further arguments: `--name value` or `--name=value`."""
    from ludion.batch.quests import converted

    parameters, found = offered(card), {}
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if not word.startswith("--"):
            raise click.UsageError(f"unexpected argument '{word}'")
        name, equals, value = word[2:].partition("=")
        name = name.replace("-", "_")
        if name not in parameters:
            raise unknown(f"option of {card.name}'s generator", name, parameters)
        default = parameters[name].default
        if not equals:
            if isinstance(default, bool) and (not rest or rest[0].startswith("--")):
                value = "yes"
            elif not rest:
                raise click.UsageError(f"option --{name} needs a value")
            else:
                value = rest.pop(0)
        found[name] = converted(f"--{name}", value, default)
    return found


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("game")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the first position; then one more.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many positions.")
@click.option("--options", "asked", is_flag=True, help="List the options of this game's generator.")
@click.option("--json", "as_json", is_flag=True, help="One object a line.")
@click.argument("more", nargs=-1, type=click.UNPROCESSED, metavar="[--OPTION VALUE]...")
def command(game: str, seed: int, count: int, asked: bool, as_json: bool, more: tuple[str, ...]) -> None:
    """Make new positions of a game (`--options` lists what can be chosen)."""
    from ludion.registry import card as find_card

    card = find_card(game)
    if asked:
        for name, parameter in offered(card).items():
            click.echo(f"--{name.replace('_', '-')}  (default {parameter.default})")
        return
    options = given(card, more)
    make = resolve(card.generate)
    for number in range(seed, seed + count):
        text = make(number, **options)
        if as_json:
            click.echo(json.dumps({"game": card.name, "seed": number, "options": options, "position": text}))
        else:
            click.echo(text)
