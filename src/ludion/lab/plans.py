"""Plans: which questions to ask for a comparison of engines, heuristics, depths or agents."""

from __future__ import annotations

import dataclasses
import fnmatch
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ludion import registry
from ludion.asking import find_engine
from ludion.engines.budget import Budget
from ludion.errors import UnfitError, unknown
from ludion.kinds.games import DUEL, PUZZLE, UNUSED, Duel, Game, Level, Quest, ReportedSearch, Searched
from ludion.lab.measurements import Measurement
from ludion.messages import message
from ludion.positions import position
from ludion.questions import DEFAULT_STEPS, Run, Search

START = "start"  # what results call the game's first position
DEFAULT_SECONDS = 10.0  # of a search without a limit of time or nodes
DEFAULT_DEPTHS = range(1, 6)
DEFAULT_ENGINES = {
    PUZZLE: ("breadth-first", "greedy", "a-star", "ida-star"),
    DUEL: ("negamax", "alpha-beta"),
}


# ------------------------------------------------------------------ what is compared


def choose_levels(game: Game[Any, Any], names: str | None = None) -> list[Level]:
    """The levels of these names (`a,b`), patterns (`report-*`) or sets (`report`: by name or source), or `all`.

    Without names: the start of a duel, all levels of other games.
    """
    levels = game.all_levels()
    start = Level(START, game.start)
    if names is None:
        return [start] if isinstance(game, Duel) else levels or [start]
    if names == "all":
        return levels
    chosen: list[Level] = []
    for word in (word.strip() for word in names.split(",") if word.strip()):
        matching = (
            [level for level in levels if level.name == word]
            or [level for level in levels if _matches(level.name, word)]
            or [level for level in levels if word.lower() in level.source.lower().split()]
        )
        if not matching:
            raise unknown("errors.level", word, [level.name for level in levels], game=game.name)
        chosen += [level for level in matching if level not in chosen]
    return chosen


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatchcase(name, pattern) or name.startswith(f"{pattern}-")


def default_engines(game: Searched[Any, Any]) -> list[str]:
    """The engines to compare by default: those of a duel's report, or the usual ones that fit."""
    if isinstance(game, Duel) and game.report is not None:
        return list(dict.fromkeys(search.engine for search in game.report.searches()))
    return [name for name in DEFAULT_ENGINES[game.kind] if name not in game.unsupported_engines]


def default_depths(game: Searched[Any, Any]) -> list[int]:
    """The depths to compare by default; none for a puzzle."""
    if not isinstance(game, Duel):
        return []
    reported = [search.depth for search in game.report.searches()] if game.report is not None else []
    return list(dict.fromkeys(depth for depth in reported if depth is not None)) or list(DEFAULT_DEPTHS)


# ------------------------------------------------------------------ searches


def plan_searches(
    game: Searched[Any, Any],
    levels: Sequence[Level],
    *,
    engines: Sequence[str] = (),
    guides: Sequence[str] = (),
    depths: Sequence[int] = (),
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
) -> list[Measurement]:
    """Every level with every engine, heuristic or evaluation, and depth; an error if one of them does not fit."""
    depths = depths or default_depths(game)
    measurements = []
    for level in levels:
        level = dataclasses.replace(level, options={**level.options, **(options or {})})
        position(game, level.position, **level.options)
        questions = _questions(game, level, engines or default_engines(game), guides, depths, budget)
        measurements += [Measurement(question) for question in questions]
    return measurements


def _questions(
    game: Searched[Any, Any],
    level: Level,
    engines: Iterable[str],
    guides: Sequence[str],
    depths: Sequence[int | None],
    budget: Budget | None,
) -> Iterator[Search]:
    """The questions about one level."""
    for name in engines:
        takes_guide = find_engine(game, name)[1].guide != UNUSED
        for guide in guides if takes_guide and guides else [""]:
            for depth in depths if isinstance(game, Duel) and depths else [None]:
                yield _question(game, level, name, guide, depth, budget)


def _question(
    game: Searched[Any, Any],
    level: Level,
    engine: str,
    guide: str,
    depth: int | None,
    budget: Budget | None,
) -> Search:
    """The question with the real names instead of `best` and a missing guide, so that equal searches are equal."""
    budget = budget or Budget()
    if budget.seconds is None and budget.nodes is None:
        budget = dataclasses.replace(budget, seconds=DEFAULT_SECONDS)
    question = Search(
        game.name,
        level.position,
        options=level.options,
        files=registry.files_of(game.name),
        label=level.name,
        engine=engine,
        heuristic=guide if game.kind == PUZZLE else "",
        evaluation=guide if game.kind == DUEL else "",
        budget=budget if depth is None else dataclasses.replace(budget, depth=depth),
    )
    prepared = question.prepare()
    return dataclasses.replace(
        question,
        engine=prepared.engine_name,
        heuristic=prepared.guide_name if game.kind == PUZZLE else "",
        evaluation=prepared.guide_name if game.kind == DUEL else "",
    )


# ------------------------------------------------------------------ the searches of an old report


def plan_report(
    game: Searched[Any, Any],
    *,
    engines: Sequence[str] = (),
    guides: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    budget: Budget | None = None,
) -> list[Measurement]:
    """The searches of the game's report; with engines or guides named, those on the report's positions instead.

    A report that compares heuristics is extended by the other heuristics of the game.
    """
    if game.report is None:
        raise UnfitError(message("lab.no_report", game=game.caption))
    searches = list(game.report.searches())
    reported = {}  # the report's own searches, by the question that we ask
    places: dict[tuple[str, str, int | None], Level] = {}  # the rows of its tables
    for each in searches:
        level = _level_of(game, each, options or {})
        places.setdefault((level.name, level.position, each.depth), level)
        reported[_question(game, level, each.engine, each.guide, each.depth, budget)] = each
    engines = engines or list(dict.fromkeys(each.engine for each in searches))
    compared = list(dict.fromkeys(each.guide for each in searches if each.guide))
    guides = guides or (compared if len(compared) < 2 else list(dict.fromkeys([*compared, *game.guides])))
    measurements = []
    for (_, _, depth), level in places.items():
        for question in _questions(game, level, engines, guides, [depth], budget):
            measurements.append(Measurement(question, reported.get(question)))
    return measurements


def _level_of(game: Searched[Any, Any], search: ReportedSearch, options: Mapping[str, str]) -> Level:
    """The position of a report's search as a level."""
    text = search.position
    if text.startswith("level:"):
        level = game.level(text.removeprefix("level:"))
        return dataclasses.replace(level, options={**level.options, **search.options, **options})
    name = search.instance if text else START
    return Level(name, text or game.start, options={**search.options, **options})


# ------------------------------------------------------------------ runs


def plan_runs(
    game: Quest[Any, Any],
    levels: Sequence[Level],
    *,
    agents: Sequence[str] = (),
    games: int = 100,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    steps: int = DEFAULT_STEPS,
    patience: float | None = None,
) -> list[Measurement]:
    """The games of every agent on every level, with the same seeds for all agents."""
    names = agents or [name for name, agent in game.agents.items() if not agent.argument]
    measurements = []
    for level in levels:
        fixed = {name: value for name, value in level.options.items() if name != "seed" or not game.seeded}
        for agent in names:
            first = Run(
                game.name,
                level.position,
                options={**fixed, **(options or {})},
                files=registry.files_of(game.name),
                label=level.name,
                agent=agent,
                seed=seed,
                steps=steps,
                patience=patience,
            ).checked()
            first.start()
            measurements += [
                Measurement(dataclasses.replace(first, seed=number)) for number in range(seed, seed + games)
            ]
    return measurements
