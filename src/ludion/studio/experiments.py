"""Experiments of the lab page: what `ludion lab` measures, chosen in the browser, with tables, plot and command.

A request names levels, new boards of a generator or an old report; engines with heuristics or evaluations and depths,
or agents with a number of games. Results are saved in the store of `ludion lab`: known ones are shown at once.
"""

from __future__ import annotations

import dataclasses
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ludion import lab, registry
from ludion.core.files import data_folder
from ludion.engines.budget import Budget
from ludion.errors import LudionError
from ludion.kinds.games import DUEL, PUZZLE, Level, Quest, Searched
from ludion.lab.plans import START
from ludion.lab.tables import Measured, tables_for
from ludion.messages import message, named
from ludion.questions import Run, Search
from ludion.records.results import ResultStore
from ludion.studio.asks import (
    MEMORY,
    MOST_SEED,
    Answering,
    read_generator_settings,
    read_number,
    read_text,
    read_whole,
)
from ludion.studio.descriptions import GUIDES, playing_agents
from ludion.studio.jobs import Job
from ludion.studio.positions import AnyGame, BadRequestError, Body
from ludion.tables import Table, in_words

MOST_MEASUREMENTS = 2000
MOST_GENERATED = 50  # new boards
MOST_GAMES = 1000  # of an agent on a level
MOST_LAB_SECONDS = 60.0  # of one search
LEVELS, NEW, REPORT = "levels", "new", "report"  # what is measured on
NEWS = 0.5  # seconds between two tables that are sent while measuring


@dataclasses.dataclass(frozen=True)
class Experiment:
    """The measurements, their levels, and the command that does the same."""

    game: AnyGame
    levels: Sequence[Level]
    plan: Sequence[lab.Measurement]
    report: bool
    command: str


def read_experiment(game: AnyGame, body: Body) -> Experiment:
    """The experiment that a request describes."""
    instances = read_text(body, "instances", LEVELS)
    command = ["ludion", "lab", file_or_name(game)]
    levels, before = read_levels(game, body, instances, command)
    options = read_texts(body, "options")
    command += [word for name, value in options.items() for word in (f"--{name}", value)]
    if isinstance(game, Quest):
        plan = plan_agents(game, body, levels, options, command)
    elif isinstance(game, Searched):
        plan = plan_engines(game, body, levels, options, command, instances == REPORT)
    else:
        raise BadRequestError(message("studio.lab_form"))
    if len(plan) > MOST_MEASUREMENTS:
        raise BadRequestError(message("studio.lab_too_large", count=len(plan), most=MOST_MEASUREMENTS))
    return Experiment(game, levels, plan, instances == REPORT, before + shlex.join(command))


def file_or_name(game: AnyGame) -> str:
    files = registry.files_of(game.name)
    return files[0].path if files else game.name


def read_names(body: Body, name: str) -> list[str]:
    """A list of names of a request."""
    names = body.get(name) or []
    if not isinstance(names, list) or not all(isinstance(each, str) and len(each) < 200 for each in names):
        raise BadRequestError(message("studio.lab_form"))
    return names


def read_texts(body: Body, name: str) -> dict[str, str]:
    """Texts by name of a request."""
    texts = body.get(name) or {}
    if not isinstance(texts, dict) or not all(
        isinstance(each, str) and len(each) < 200 for each in texts.values()
    ):
        raise BadRequestError(message("studio.lab_form"))
    return texts


def read_levels(game: AnyGame, body: Body, instances: str, command: list[str]) -> tuple[list[Level], str]:
    """The levels of an experiment and, for new boards, the commands that generate them."""
    if instances == REPORT:
        if game.kind == PUZZLE:
            command += ["--levels", REPORT]
            return lab.choose_levels(game, REPORT), ""
        return lab.choose_levels(game), ""
    if instances == NEW:
        return read_generated(game, body, command)
    names = read_names(body, "levels")
    if not names:
        return lab.choose_levels(game), ""
    known = {level.name: level for level in game.all_levels()} | {START: Level(START, game.start)}
    # Asked for an unknown name, `level` says which ones there are.
    chosen = [known[name] if name in known else game.level(name) for name in names]
    if names != [START]:
        command += ["--levels", "all" if len(names) == len(game.all_levels()) else ",".join(names)]
    return chosen, ""


def read_generated(game: AnyGame, body: Body, command: list[str]) -> tuple[list[Level], str]:
    """New boards of the game's generator: of a size, for example."""
    if game.generator is None:
        raise BadRequestError(message("errors.no_generator", game=game.caption))
    count = read_whole(body, "count", 5, 1, MOST_GENERATED) or 1
    seed = read_whole(body, "seed", 0, 0, MOST_SEED) or 0
    settings = read_generator_settings(game, game.generator.settings, body.get("settings") or {})
    words = ["ludion", "generate", file_or_name(game), "--seed", str(seed), "--count", str(count)]
    words += [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    command += ["--file", "-"]
    levels = [
        Level(message("lab.seed", seed=number), game.generator.text(number, **settings))
        for number in range(seed, seed + count)
    ]
    return levels, f"{shlex.join(words)} | "


def plan_engines(
    game: Searched[Any, Any],
    body: Body,
    levels: Sequence[Level],
    options: Mapping[str, str],
    command: list[str],
    report: bool,
) -> list[lab.Measurement]:
    engines, guides = read_names(body, "engines"), read_names(body, "guides")
    depth = read_whole(body, "depth", None, 1, 40) if game.kind == DUEL else None
    seconds = read_number(body, "seconds", 5.0, 0.01, MOST_LAB_SECONDS)
    command += ["--engines", ",".join(engines)] if engines else []
    command += [f"--{GUIDES[game.kind]}s", ",".join(guides)] if guides else []
    command += ["--depths", f"1-{depth}"] if depth else []
    command += ["--time", f"{seconds:g}"]
    budget = Budget(seconds=seconds, memory=MEMORY)
    if report:
        return lab.plan_report(game, engines=engines, guides=guides, budget=budget)
    depths = list(range(1, depth + 1)) if depth else []
    return lab.plan_searches(
        game, levels, engines=engines, guides=guides, depths=depths, options=options, budget=budget
    )


def plan_agents(
    game: Quest[Any, Any], body: Body, levels: Sequence[Level], options: Mapping[str, str], command: list[str]
) -> list[lab.Measurement]:
    offered = playing_agents(game)
    agents = [name for name in read_names(body, "agents") if name in offered] or list(offered)
    games = read_whole(body, "games", 10, 1, MOST_GAMES) or 1
    command += ["--agents", ",".join(agents), "--games", str(games)]
    return lab.plan_runs(game, levels, agents=agents, games=games, options=options)


# ------------------------------------------------------------------ measuring


def measure(game: AnyGame, body: Body) -> Answering:
    """Measure an experiment; its tables are sent as they fill, and at the end with plot and command."""
    experiment = read_experiment(game, body)
    page = body.get("page") is True

    def answer(job: Job) -> None:
        measured: list[Measured] = []
        sent = time.perf_counter()
        stopped = False
        store = ResultStore(data_folder() / "lab.sqlite")
        try:
            for each, result, _ in lab.measure_all(experiment.plan, store, stop=job.stop):
                measured.append((each, result))
                if time.perf_counter() - sent > NEWS:
                    sent = time.perf_counter()
                    news = {"done": len(measured), "all": len(experiment.plan)}
                    job.send("tables", {**news, **tables_object(experiment, measured)})
                if job.stop.is_set():
                    raise KeyboardInterrupt
        except KeyboardInterrupt:  # of the measuring, when it is stopped
            stopped = True
        finally:
            store.close()
        final: dict[str, object] = {"done": len(measured), "all": len(experiment.plan), "stopped": stopped}
        if measured:
            final |= tables_object(experiment, measured) | exports(experiment, measured, page)
        job.send("answer", final)

    return answer


def exports(experiment: Experiment, measured: Sequence[Measured], page: bool) -> dict[str, object]:
    """The command, the tables as CSV, the plot, and the whole as a page of HTML if that is asked for."""
    tables = experiment_tables(experiment, measured)
    exported: dict[str, object] = {
        "command": experiment.command,
        "csv": "\n\n".join(table.as_csv() for table in tables),
        "plot": or_none(lambda: lab.plots.as_svg(experiment.game, measured, experiment.levels).decode()),
    }
    if page:
        exported["html"] = lab.page.text(
            experiment.game, tables, measured, experiment.levels, experiment.command
        )
    return exported


def or_none(draw: Callable[[], str]) -> str | None:
    """The plot, if matplotlib is installed."""
    try:
        return draw()
    except (ModuleNotFoundError, LudionError):
        return None


def experiment_tables(experiment: Experiment, measured: Sequence[Measured]) -> list[Table]:
    return tables_for(experiment.game, measured, experiment.levels, report=experiment.report)


def tables_object(experiment: Experiment, measured: Sequence[Measured]) -> dict[str, Any]:
    """The tables for the page; `questions` are the addresses at which cells can be watched."""
    questions = [each.question for each, _ in measured]
    return {
        "tables": [table_object(table, questions) for table in experiment_tables(experiment, measured)],
        "questions": [
            question.url().replace("/play/", "/watch/", 1) if isinstance(question, Search) else question.url()
            for question in questions
        ],
    }


def table_object(table: Table, questions: Sequence[Search | Run]) -> dict[str, Any]:
    """A table without empty columns: the cells as values and in words, and the question of each."""
    shown = [
        index for index in range(len(table.columns)) if any(row[index] is not None for row in table.rows)
    ]
    return {
        "title": table.title,
        "note": table.note,
        "columns": [named("column", table.columns[index]) for index in shown],
        "numbers": [table.is_number(index) for index in shown],
        "rows": [[row[index] for index in shown] for row in table.rows],
        "words": [
            [
                named("status", str(row[index])) if table.columns[index] == "status" else in_words(row[index])
                for index in shown
            ]
            for row in table.rows
        ],
        "links": [
            [question_of(table, number, index, questions) for index in shown]
            for number in range(len(table.rows))
        ],
    }


def question_of(table: Table, number: int, column: int, questions: Sequence[Search | Run]) -> int | None:
    """The question of a cell: the one whose level, depth, engine and guide best match its row, its column and the
    title."""
    names = {str(cell) for cell in table.rows[number] if cell is not None}
    around = f"{table.title} {table.columns[column]}"
    best: tuple[int, int | None] = (0, None)
    for index, question in enumerate(questions):
        depth = question.budget.depth if isinstance(question, Search) else None
        by_depth = depth is not None and table.columns[0] == "depth"
        if (str(depth) if by_depth else question.label) != str(table.rows[number][0]):
            continue
        if isinstance(question, Run):
            parts = [question.agent]
        else:
            parts = [question.engine, question.heuristic or question.evaluation, str(depth)]
        agreed = 1 + sum(3 * (part in names) + (part in around) for part in parts if part and part != "None")
        if agreed > best[0]:
            best = (agreed, index)
    return best[1]
