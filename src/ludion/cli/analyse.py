"""`ludion analyse`: every legal move with what it is worth, best first."""

from __future__ import annotations

from typing import Any

import click

from ludion.cli._shared import (
    EngineCommand,
    announce,
    budget_options,
    dump,
    find_game,
    game_file_option,
    make_budget,
    save,
    settings_of,
    split_options,
    whole_text,
)
from ludion.errors import UnfitError
from ludion.kinds.card import QUEST


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("position", default="")
@game_file_option
@click.option("--engine", default="best", show_default=True, metavar="E", help="Who searches.")
@click.option("--heuristic", "--evaluation", "guide", metavar="H", help="What guides the engine.")
@budget_options
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the engine.")
@click.option(
    "--save",
    "saved",
    multiple=True,
    metavar="NAME=FILE",
    help="Ask a quest for one thing more (a text, such as `picture`) and write it to a file.",
)
@click.option("--json", "as_json", is_flag=True, help="One object.")
def command(
    game: str,
    position: str,
    game_file: tuple[str, ...],
    engine: str,
    guide: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    memory: float | None,
    settings: tuple[str, ...],
    saved: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """Score every legal move (duels), the length of the way that begins with it (puzzles), or the risks (quests)."""
    from ludion import api

    card = find_game(game)
    options, engine_options = split_options(card, given)
    engine_options |= settings_of(settings)
    announce()
    found = api.position(card, whole_text(card, position), **options)
    told: dict[str, Any] = {"game": card.name, "position": found.text, "options": found.options}
    files = {name: str(file) for name, file in settings_of(saved).items()}
    if files and card.kind != QUEST:
        raise UnfitError(f"{card.title} is a {card.kind}; --save is for quests")
    if card.kind == QUEST:
        study = api.study(found, **engine_options, **dict.fromkeys(files, True))
        for name, file in files.items():
            save(file, str(study.pop(name, "")))
        if as_json:
            dump({**told, **study})
        else:
            click.echo(study.get("text") or "\n".join(f"{name}: {value}" for name, value in study.items()))
        return
    budget = make_budget(seconds, nodes, depth, memory)
    scored = api.analyse(found, engine, heuristic=guide, budget=budget, **engine_options)
    extra = api.study(found) if card.study else {}
    if as_json:
        moves = [
            {
                "move": each.name,
                **({"score": int(each.score), "words": str(each.score)} if each.score is not None else {}),
                **({"length": each.length} if found.card.kind == "puzzle" else {}),
                "status": each.status,
                "nodes": each.nodes,
            }
            for each in scored
        ]
        dump({**told, "status": found.status, "moves": moves, **extra})
        return
    click.echo(str(found))
    for each in scored:
        if each.score is not None:
            worth = str(each.score)
        elif each.length is not None:
            worth = f"{each.length} move{'' if each.length == 1 else 's'}"
        else:
            worth = each.status
        click.echo(f"{each.name:12} {worth}")
    if not scored:
        click.echo(f"no legal move: {found.status}")
    for name, value in extra.items():
        click.echo(f"{name.replace('_', ' ')}: {in_words(value)}")


def in_words(value: Any) -> str:
    """A value for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(in_words, value)) or "none"
    return str(value)
