"""`ludion solve`: ask an engine about one position or many."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

import click

from ludion.batch import carry_out
from ludion.batch.output import Lines, OutputError
from ludion.batch.solving import Solved, Solving, shipped
from ludion.cli import BAD_INPUT, NO_ANSWER
from ludion.cli._shared import (
    EngineCommand,
    Progress,
    announce,
    as_object,
    batch_options,
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

FOUND = ("optimal", "solved")


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@game_file_option
@click.option("--file", metavar="F", help="Read one position a line (- for standard input).")
@click.option(
    "--engine", default="best", show_default=True, metavar="E", help="Who searches (see `ludion games`)."
)
@click.option("--heuristic", "--evaluation", "guide", metavar="H", help="What guides the engine.")
@budget_options
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting of the engine.")
@batch_options
@click.option(
    "--animate", metavar="F", help="Write the solution as an animated picture, if the game has one."
)
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
    cluster: str | None,
    out: str | None,
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
    many = file is not None or out is not None or positions == ("-",) or len(positions) > 1

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
    solving = Solving(
        card.name,
        engine,
        guide,
        options,
        engine_options,
        seconds,
        nodes,
        depth,
        budget.memory,
        tuple(shipped(path) for path in (*game_file, *([game] if game.endswith(".py") else []))),
    )
    code, count = 0, 0
    with Progress(out is not None) as progress:
        for line, solved, told in solve_many(solving, wanted, jobs, cluster, out):
            count += 1
            progress.show(count)
            if "error" in told:
                code = BAD_INPUT
            elif told["status"] not in FOUND:
                code = max(code, NO_ANSWER)
            if solved is None:
                continue  # it was in the file already
            if solved.error:
                click.echo(f"ludion: line {line}: {solved.error}", err=True)
            if out is None:
                if as_json:
                    dump(told)
                elif not solved.error:
                    click.echo(f"{solved.text}: {solved.in_words}")
    return code


def solve_many(
    solving: Solving, wanted: Iterator[tuple[int, str]], jobs: int, cluster: str | None, out: str | None
) -> Iterator[tuple[int, Solved | None, dict[str, Any]]]:
    """Every position with its line, what came of it (`None` if a file had it already), and its object."""
    if out is None:
        yield from _solve_rest(solving, wanted, jobs, cluster)
        return
    with Lines(
        out, {name: value for name, value in vars(solving).items() if name not in ("stop", "files")}
    ) as lines:
        for told, (line, text) in zip(lines.done, wanted, strict=False):
            if told.get("line", line) != line or "position" not in told:
                raise OutputError(
                    f"{out} does not fit the input at line {line} ({text[:60]}): name another file"
                )
            yield line, None, told
        if lines.done:
            click.echo(f"{len(lines.done)} results are in {out} already", err=True)
        try:
            for line, solved, told in _solve_rest(solving, wanted, jobs, cluster):
                lines.write(told)
                yield line, solved, told
        except (KeyboardInterrupt, LudionError):
            lines.flush()
            kept = len(lines.done) + lines.written
            click.echo(f"{kept} results are kept in {out}; the same command goes on from there", err=True)
            raise


def _solve_rest(
    solving: Solving, wanted: Iterator[tuple[int, str]], jobs: int, cluster: str | None
) -> Iterator[tuple[int, Solved, dict[str, Any]]]:
    numbers: collections.deque[int] = collections.deque()

    def texts() -> Iterator[str]:
        for line, text in wanted:
            numbers.append(line)
            yield text

    for solved in carry_out(solving, texts(), jobs=jobs, cluster=cluster):
        line = numbers.popleft()
        told = {**solved.record, "line": line, "error": solved.error} if solved.error else solved.record
        yield line, solved, told


def write_animation(position: Any, answer: Any, file: str) -> None:
    """Write the solution as a moving picture."""
    from ludion.errors import UnfitError

    draw = resolve(position.card.animate) if position.card.animate else None
    if draw is None:
        raise UnfitError(f"{position.card.title} has no moving picture")
    if not answer.found:
        raise UnfitError("there is no solution to show")
    with click.open_file(file, "w", encoding="utf-8", atomic=True) as out:
        out.write(draw(position.rules, position.state, answer.moves))
