"""`ludion uhp-check`: compare the move lists of any UHP engine with ours."""

from __future__ import annotations

import json

import click


@click.command("uhp-check", context_settings={"ignore_unknown_options": True})
@click.argument("engine", nargs=-1, required=True, metavar="COMMAND...")
@click.option("--games", default=16, show_default=True, help="Random games to go through.")
@click.option("--plies", default=60, show_default=True, help="Plies of each.")
@click.option("--seed", default=1, show_default=True, help="Of the random games.")
@click.option(
    "--type", "kinds", multiple=True, help="Only games of this type (Base+M, ...); may be repeated."
)
@click.option("--patience", default=30.0, show_default=True, help="Seconds to wait for an answer.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a difference, and one for the sum.")
def command(
    engine: tuple[str, ...],
    games: int,
    plies: int,
    seed: int,
    kinds: tuple[str, ...],
    patience: float,
    as_json: bool,
) -> int:
    """Run the UHP engine COMMAND through our positions and random games; print where its legal moves differ.

    Exit code 0 if there is no difference, 1 if there is one.
    """
    from ludion.games.hive.notation import TYPES, read, write_type
    from ludion.games.hive.uhp import External, check
    from ludion.registry import card

    types = [write_type(read(kind)[0]) for kind in kinds] or list(TYPES)
    positions = [
        level.position for level in card("hive").all_levels() if level.position.split(";")[0] in types
    ]
    differences = compared = 0
    with External(engine if len(engine) > 1 else engine[0], patience) as other:
        if not as_json:
            click.echo(f"{other.name}: comparing legal moves", err=True)
        for number, found in check(other, positions, games, plies, seed, types):
            compared = number
            if found is None:
                continue
            differences += 1
            click.echo(json.dumps(vars(found)) if as_json else str(found))
        name = other.name
    if as_json:
        click.echo(json.dumps({"engine": name, "positions": compared, "differences": differences}))
    else:
        click.echo(f"{name}: {compared} positions, {differences} with differences")
    return 1 if differences else 0
