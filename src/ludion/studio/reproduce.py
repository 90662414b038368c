"""The content of a panel, reproducible: as a command, as lines of Python, and as an address of the studio.

A request names the place with all its moves and a cursor among them; `what` names the question of the panel:

    play, show        the position itself
    solve, analyse    an engine's answer about it; the value of each move: engine, heuristic or evaluation, budget
    review            all moves of the game judged
    compare           several `runs` on the `instances`: here, levels, seeds or report

In a quest, everything except a comparison or a review is a run: an agent plays from the start (agent, steps).
"""

from __future__ import annotations

import dataclasses
import shlex
import textwrap
from collections.abc import Sequence
from urllib.parse import urlencode

from ludion.engines.budget import Budget
from ludion.kinds.games import PUZZLE, Quest
from ludion.kinds.settings import Setting, write_value
from ludion.questions import Run, Search
from ludion.studio.asks import read_run, read_runs, read_search
from ludion.studio.descriptions import GUIDES
from ludion.studio.positions import AnyGame, Body, Place, reach, read_cursor, read_place, start_text

HERE, LEVELS, SEEDS, REPORT = "here", "levels", "seeds", "report"
PLAY, SHOW, SOLVE, ANALYSE, RUN, COMPARE = "play", "show", "solve", "analyse", "run", "compare"
REVIEW = "review"
WHAT = Setting(
    "what", "", SOLVE, choices=(PLAY, SHOW, SOLVE, ANALYSE, REVIEW, COMPARE)
)  # of a puzzle or duel
INSTANCES = Setting("instances", "", HERE, choices=(HERE, LEVELS, SEEDS, REPORT))
SEEDS_COMPARED = 10  # as many as the page compares
EVERY_LEVEL, EVERY_SEED = "level:EVERY", 10**15  # stand for the levels and the seeds in turn
SECONDS = {SOLVE: 5.0, ANALYSE: 3.0}  # where the request names none


def reproduce(game: AnyGame, body: Body) -> dict[str, str]:
    """The command, the lines of Python and the address that a request asks for."""
    cursor, whole = read_cursor(body), read_place(game, body)
    place = whole.after(cursor)
    what = read_what(game, body)
    if what == COMPARE:
        command, python = comparison(game, place, body)
        question = ask(game, place, {})
    elif what == REVIEW:
        question = ask(game, whole.after(0), {})
        command, python = review_lines(question, reach(whole).moves)
    else:
        question = ask(game, place, body, SECONDS.get(what))
        command, python = command_of(question, what), python_of(question, what)
    return {"command": command, "python": python, "url": address(question, whole, cursor)}


def read_what(game: AnyGame, body: Body) -> str:
    if isinstance(game, Quest):
        what = str(body.get("what"))
        return what if what in (COMPARE, REVIEW) else RUN
    return str(WHAT.read(body.get("what")))


def ask(game: AnyGame, place: Place, body: Body, seconds: float | None = None) -> Search | Run:
    """The question of a request about a place, without the limits of the studio.

    An unchanged level is named as a level; any other position has the options in force.
    """
    if isinstance(game, Quest):
        return read_run(game, body, start_text(place), dict(place.options)).checked()
    here = reach(place).position
    text, options = here.text, here.options
    if place.start.strip().startswith("level:") and not place.moves:
        text, options = place.start.strip(), dict(place.options)
    question = read_search(game, body, text, options, seconds or SECONDS[SOLVE])
    limits = question.budget
    given = limits.seconds if seconds is not None or body.get("seconds") is not None else None
    return dataclasses.replace(question, budget=Budget(given, limits.nodes, depth=limits.depth)).checked()


# ------------------------------------------------------------------ in the three forms


def command_of(question: Search | Run, what: str) -> str:
    """The command that does this with the question's position."""
    words = shlex.split(question.command())
    words[1] = what
    return shlex.join(words)


def python_of(question: Search | Run, what: str) -> str:
    """The lines of Python that do this."""
    *before, last = question.python().split("\n")
    if what == RUN:
        after = [last, "print(record)"]
    elif what == SOLVE:
        after = [last, "print(answer)"]
    elif what == ANALYSE:
        arguments = last.removeprefix("answer = ludion.solve")
        after = [f"for move in ludion.analyse{arguments}:", "    print(move.name, move)"]
    elif what == SHOW:
        after = ["print(position)"]
    else:
        after = ["print(position)", "print(position.moves())"]
    return "\n".join(["import ludion", "", *before, *after])


def review_lines(question: Search | Run, moves: Sequence[str]) -> tuple[str, str]:
    """The command and the lines of Python that judge the moves of a game from the question's position on."""
    options = question.world_options() if isinstance(question, Run) else question.options
    start = Search(question.game, question.position, options=options, files=question.files)
    words = shlex.split(command_of(start, REVIEW))
    words[3:3] = ["--moves", ";".join(moves)]
    *before, _ = start.python().split("\n")
    lines = ["import ludion", "", *before, f"print(ludion.review(position, {list(moves)!r}))"]
    return shlex.join(words), "\n".join(lines)


def address(question: Search | Run, place: Place, cursor: int) -> str:
    """The address of the page that shows this place, with its moves, and asks the question."""
    options = question.options if isinstance(question, Run) else dict(place.options)
    start = dataclasses.replace(question, position=place.start, options=options)
    moves = {"m": ";".join(reach(place).moves)} if place.moves else {}
    more = {"c": str(cursor)} if cursor != len(place.moves) else {}
    ending = urlencode({**moves, **more}, safe=":/;,")
    return start.url() + (f"&{ending}" if ending else "")


# ------------------------------------------------------------------ comparisons


def comparison(game: AnyGame, place: Place, body: Body) -> tuple[str, str]:
    """The commands and the lines of Python that compare several engines or agents."""
    instances = str(INSTANCES.read(body.get("instances")))
    questions = [ask(game, place, each) for each in read_runs(body)]
    if instances == REPORT and game.report is not None:
        return report_command(questions[0], game), report_in_python(game)
    if instances == LEVELS:
        commands = [levels_command(game, each) for each in questions]
        parts = [levels_in_python(each) for each in questions]
    elif instances == SEEDS:
        first = [dataclasses.replace(each, seed=0) for each in questions if isinstance(each, Run)]
        commands = [f"{each.command()} --games {SEEDS_COMPARED}" for each in first]
        parts = [seeds_in_python(each) for each in first]
    else:
        commands = [each.command() for each in questions]
        parts = [lines_of(each) for each in questions]
    return "\n".join(commands), "\n\n".join(["import ludion", *parts])


def lines_of(question: Search | Run) -> str:
    """The lines that ask one question, after the import."""
    return python_of(question, question.verb).removeprefix("import ludion\n\n")


def loop(head: str, lines: str) -> str:
    return "\n".join([head, textwrap.indent(lines, "    ")])


def levels_command(game: AnyGame, question: Search | Run) -> str:
    """The command that measures one engine or agent on all levels."""
    words = ["ludion", "lab", file_or_name(question), "--levels", "all"]
    if isinstance(question, Run):
        return shlex.join([*words, "--agents", question.agent, "--games", "1"])
    words += ["--engines", question.engine]
    guide, budget = question.heuristic or question.evaluation, question.budget
    words += [f"--{GUIDES[game.kind]}s", guide] if guide else []
    words += ["--depths", str(budget.depth)] if budget.depth is not None else []
    words += ["--time", write_value(budget.seconds)] if budget.seconds is not None else []
    return shlex.join(words)


def levels_in_python(question: Search | Run) -> str:
    anywhere = dataclasses.replace(question, position=EVERY_LEVEL, options={})
    lines = lines_of(anywhere).replace(repr(EVERY_LEVEL), "f'level:{level.name}'")
    return loop(f"for level in ludion.games()[{question.game!r}].all_levels():", lines)


def seeds_in_python(question: Run) -> str:
    lines = lines_of(dataclasses.replace(question, seed=EVERY_SEED))
    return loop(f"for seed in range({SEEDS_COMPARED}):", lines.replace(f"seed={EVERY_SEED}", "seed=seed"))


def report_command(question: Search | Run, game: AnyGame) -> str:
    """The command that reproduces the tables of the game's old report."""
    levels = ["--levels", "report"] if game.kind == PUZZLE else []
    return shlex.join(["ludion", "lab", file_or_name(question), *levels])


def report_in_python(game: AnyGame) -> str:
    name, guide = repr(game.name), GUIDES[game.kind]
    solve_call = f"ludion.solve(position, search.engine, {guide}=search.guide, depth=search.depth)"
    lines = [
        f"position = ludion.position({name}, search.position, **search.options)",
        f"print(search.instance, {solve_call})",
    ]
    head = f"for search in ludion.games()[{name}].report.searches():"
    return f"import ludion\n\n{loop(head, chr(10).join(lines))}"


def file_or_name(question: Search | Run) -> str:
    """The game as a command names it."""
    return question.files[0].path if question.files else question.game
