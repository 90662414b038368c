"""`ludion solve`: ask an engine about one position or many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ludion.cli import BAD_INPUT, NO_ANSWER
from ludion.cli._shared import (
    EngineCommand,
    announce,
    as_object,
    budget_options,
    dump,
    find_game,
    game_file_option,
    in_sentence,
    make_budget,
    not_for_quests,
    progress_observer,
    read_positions,
    settings_of,
    split_options,
)
from ludion.errors import LudionError
from ludion.kinds.card import resolve


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@game_file_option
@click.option("--file", metavar="F", help="Read one position a line (- for standard input).")
@click.option("--engine", default="best", show_default=True, metavar="E", help="Who searches (see `ludion games`).")
@click.option("--heuristic", "--evaluation", "guide", metavar="H", help="What guides the engine.")
@budget_options
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the engine.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Threads, for many positions.")
@click.option("--animate", metavar="F", help="Write the solution as an animated picture, if the game has one.")
@click.option("--json", "as_json", is_flag=True, help="One object a line, in the order of the input.")
def command(
    game: str,
    positions: tuple[str, ...],
    game_file: tuple[str, ...],
    file: str | None,
    engine: str,
    guide: str | None,
    seconds: float | None,
    nodes: int | None,
    depth: int | None,
    memory: float | None,
    settings: tuple[str, ...],
    jobs: int,
    animate: str | None,
    as_json: bool,
    **given: Any,
) -> int:
    """Solve a puzzle, or find the value and best line of a duel."""
    from ludion import api

    card = find_game(game)
    not_for_quests(card, "solve")
    options, engine_options = split_options(card, given)
    engine_options |= settings_of(settings)
    budget = make_budget(seconds, nodes, depth, memory)
    api.find_engine(card, engine)
    announce()
    wanted = read_positions(positions, file)
    many = file is not None or positions == ("-",) or len(positions) > 1

    def ask(text: str, observer: Any = None) -> tuple[Any, Any]:
        position = api.position(card, text, **options)
        answer = api.solve(
            position, engine, heuristic=guide, budget=budget, observer=observer, **engine_options
        )
        return position, answer

    if not many:
        observer = progress_observer()
        try:
            position, answer = ask(next(wanted)[1], observer)
        finally:
            observer.close()
        if as_json:
            dump(as_object(position, answer))
        else:
            click.echo(f"{position}\n{in_sentence(position, answer)}")
        if animate:
            write_animation(position, answer, animate)
        return 0 if answer.found else NO_ANSWER

    if animate:
        raise LudionError("--animate shows one solution: give one position")
    code = 0
    for line, text, found in answers(wanted, ask, jobs):
        if isinstance(found, LudionError):
            code = BAD_INPUT
            click.echo(f"ludion: line {line}: {found}", err=True)
            if as_json:
                dump({"game": card.name, "position": text, "line": line, "error": str(found)})
            continue
        position, answer = found
        if not answer.found:
            code = max(code, NO_ANSWER)
        if as_json:
            dump(as_object(position, answer))
        else:
            click.echo(f"{text}: {in_sentence(position, answer).splitlines()[0]}")
    return code


def answers(wanted: Iterator[tuple[int, str]], ask: Any, jobs: int) -> Iterator[tuple[int, str, Any]]:
    """Ask about every position, `jobs` at a time, in order; a mistake in a line is its answer."""
    import collections
    from concurrent.futures import Future, ThreadPoolExecutor

    def safely(text: str) -> Any:
        try:
            return ask(text)
        except LudionError as error:
            return error

    if jobs == 1:
        for line, text in wanted:
            yield line, text, safely(text)
        return
    with ThreadPoolExecutor(jobs) as pool:
        waiting: collections.deque[tuple[int, str, Future[Any]]] = collections.deque()
        for line, text in wanted:
            waiting.append((line, text, pool.submit(safely, text)))
            if len(waiting) >= jobs * 16:
                first_line, first_text, future = waiting.popleft()
                yield first_line, first_text, future.result()
        for first_line, first_text, future in waiting:
            yield first_line, first_text, future.result()


def write_animation(position: Any, answer: Any, file: str) -> None:
    """Write the solution as a moving picture."""
    from ludion.errors import UnfitError

    draw = resolve(position.card.animate) if position.card.animate else None
    if draw is None:
        raise UnfitError(f"{position.card.title} has no moving picture")
    if not answer.found:
        raise UnfitError("there is no solution to show")
    with click.open_file(file, "w", encoding="utf-8", atomic=True) as out:
        out.write(draw(position.game, position.state, answer.moves))
