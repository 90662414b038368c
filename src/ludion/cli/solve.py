"""`ludion solve`: ask an engine about one position or many."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ludion.cli import BAD_INPUT, NO_ANSWER, STOPPED
from ludion.cli._options import (
    EngineCommand,
    batch_options,
    game_file_option,
    json_option,
    question_options,
    read_positions,
    read_question,
)
from ludion.cli._output import ShownCount, ShownSearch, announce_compiling, save, show_json
from ludion.errors import LudionError, UnfitError
from ludion.kinds.games import Puzzle
from ludion.messages import message
from ludion.questions import Search

if TYPE_CHECKING:
    from ludion.answers import Answer
    from ludion.batch.searches import Solved
    from ludion.positions import Position

FOUND = ("optimal", "solved")
Numbered = Iterator[tuple[int, str]]  # lines and positions


@click.command(cls=EngineCommand)
@click.argument("game")
@click.argument("positions", nargs=-1, metavar="[POSITION]...")
@game_file_option
@click.option("--file", metavar="F", help="Read one position per line (- for standard input).")
@question_options(Search)
@batch_options
@click.option(
    "--trace",
    "traced",
    is_flag=False,
    flag_value="20",
    type=click.IntRange(1),
    metavar="[N]",
    help="Print the search step by step: N steps (default 20), a sample of them if the search is longer.",
)
@click.option(
    "--animate", metavar="F", help="Write the solution as an animated picture, if the game has one."
)
@json_option("One object per line, in the order of the input.")
def command(
    game: str,
    positions: tuple[str, ...],
    file: str | None,
    jobs: int,
    cluster: str | None,
    out: str | None,
    traced: int | None,
    animate: str | None,
    as_json: bool,
    **asked: Any,
) -> int:
    """Solve a puzzle, or find the best line of a duel."""
    question = read_question(Search, game, "", asked)
    announce_compiling()
    texts = read_positions(positions, file)
    if file is None and out is None and cluster is None and positions != ("-",) and len(positions) < 2:
        return solve_one(question.at(next(texts)[1]), traced, animate, as_json)
    refuse_unquoted(question, positions)
    if traced is not None:
        raise LudionError(message("cli.trace_one"))
    if animate:
        raise LudionError(message("cli.animate_one"))
    return solve_all(question, texts, jobs, cluster, out, as_json)


def refuse_unquoted(question: Search, words: tuple[str, ...]) -> None:
    """Several words that make one position together were meant as one."""
    whole = " ".join(words)
    if len(words) > 1 and reads(question, whole) and not reads(question, words[0]):
        raise LudionError(message("cli.quote_position", text=whole))


def reads(question: Search, text: str) -> bool:
    """Whether the game reads the text as a position."""
    try:
        question.at(text).start()
    except LudionError:
        return False
    return True


def solve_one(question: Search, traced: int | None, animate: str | None, as_json: bool) -> int:
    """Ask about one position and print the board and the answer; with `traced`, also this many steps of the search."""
    start = question.start()
    steps: list[str] = []
    if traced is not None:
        from ludion.traces import trace

        whole = trace(question)
        answer, sample = whole.answer, whole.sample(traced)
        if as_json:
            for step in sample:
                show_json(step.json())
        steps = [str(step) for step in sample]
        if len(sample) < len(whole):
            steps.append(message("trace.sampled", shown=len(sample), count=len(whole)))
        if not whole.complete:
            steps.append(message("trace.incomplete"))
    else:
        with ShownSearch(start) as observer:
            answer = question.answer(observer)
    if as_json:
        from ludion.batch.searches import answer_record

        show_json(answer_record(question.game, start.text, start.options, answer))
    else:
        click.echo("\n".join([start.with_goal(), *steps, str(answer)]))
    if animate:
        write_animation(start, answer, animate)
    if answer.limit == "stopped":
        return STOPPED
    return 0 if answer.found else NO_ANSWER


def solve_all(
    question: Search, texts: Numbered, jobs: int, cluster: str | None, out: str | None, as_json: bool
) -> int:
    """Ask about many positions and print a line for each."""
    code = 0
    with ShownCount(message("cli.positions"), wanted=out is not None) as shown:
        for count, (line, solved, record) in enumerate(results(question, texts, jobs, cluster, out), 1):
            shown.show(count)
            if "error" in record:
                code = BAD_INPUT
            elif record["status"] not in FOUND:
                code = max(code, NO_ANSWER)
            if solved is None:
                continue  # it was in the file already
            if solved.error:
                click.echo(message("cli.line_error", line=line, error=solved.error), err=True)
            if out is None and as_json:
                show_json(record)
            elif out is None and not solved.error:
                click.echo(f"{solved.text}: {solved.in_words}")
    return code


def results(
    question: Search, texts: Numbered, jobs: int, cluster: str | None, out: str | None
) -> Iterator[tuple[int, Solved | None, dict[str, Any]]]:
    """Every position with its line, what came of it (None if the file had it already), and its JSON object."""
    from ludion.records.resumable import OutputError, ResumableJsonl

    if out is None:
        yield from new_results(question, texts, jobs, cluster)
        return
    settings = {name: value for name, value in question.json().items() if name != "files"}
    with ResumableJsonl(out, settings) as lines:
        for record, (line, text) in zip(lines.done, texts, strict=False):
            if record.get("line", line) != line or "position" not in record:
                raise OutputError(message("batch.input_differs", file=out, line=line, text=text[:60]))
            yield line, None, record
        if lines.done:
            click.echo(message("cli.results_kept", done=len(lines.done), file=out), err=True)
        try:
            for line, solved, record in new_results(question, texts, jobs, cluster):
                lines.write(record)
                yield line, solved, record
        except (KeyboardInterrupt, LudionError):
            lines.flush()
            written = len(lines.done) + lines.written
            click.echo(message("cli.results_go_on", done=written, file=out), err=True)
            raise


def new_results(
    question: Search, texts: Numbered, jobs: int, cluster: str | None
) -> Iterator[tuple[int, Solved, dict[str, Any]]]:
    """The same for positions that have not been asked about yet."""
    from ludion.batch import run_jobs
    from ludion.batch.searches import SolveEach

    numbers: collections.deque[int] = collections.deque()

    def positions() -> Iterator[str]:
        for line, text in texts:
            numbers.append(line)
            yield text

    solved: Solved
    for solved in run_jobs(SolveEach(question), positions(), jobs=jobs, cluster=cluster):
        line = numbers.popleft()
        error = {"line": line, "error": solved.error} if solved.error else {}
        yield line, solved, {**solved.record, **error}


def write_animation(start: Position, answer: Answer, file: str) -> None:
    """Write the solution as a moving picture."""
    game = start.game
    if not isinstance(game, Puzzle) or game.animate is None:
        raise UnfitError(message("errors.no_animation", game=game.caption))
    if not answer.found:
        raise UnfitError(message("errors.no_solution_to_show"))
    save(file, game.animate(start.rules, start.state, answer.moves))
