"""All checks of a game, in order: each relies on those before it."""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludion import registry
from ludion.asking import engines_of
from ludion.checks import compiled as compiled_checks
from ludion.checks import duels, puzzles, quests, searched
from ludion.checks.sample import SEEDS, CheckedPosition, begin, starts, walk
from ludion.core import tiers
from ludion.core.sources import user_line
from ludion.core.verbs import class_name
from ludion.engines.catalogue import ENGINES
from ludion.engines.trial import (
    BrokenContractError,
    ContractProblem,
    EndlessVerbError,
    check_most_moves,
    check_value,
    deadline,
    needed_verbs,
    place_of,
    problem_of,
    raised_problem,
)
from ludion.errors import SettingError
from ludion.kinds.games import DUEL, Game, Quest, Searched
from ludion.kinds.lazy import LazyFunction
from ludion.kinds.settings import read_settings
from ludion.messages import message
from ludion.questions import BUDGET_SETTINGS, Run, Search

LONGEST_CHECK = 60.0  # seconds after which a check of plain Python counts as endless

Check = Callable[[Sequence[CheckedPosition]], Iterator[ContractProblem]]

OF_BOTH: tuple[Check, ...] = (
    searched.check_texts,
    searched.check_play_is_pure,
    searched.check_move_names,
    searched.check_drawings,
)
OF_DUELS: tuple[Check, ...] = (
    duels.check_undo,
    duels.check_copy,
    duels.check_keys,
    duels.check_count,
    duels.check_symmetries,
    duels.check_evaluations,
)
OF_PUZZLES: tuple[Check, ...] = (
    puzzles.check_packing,
    puzzles.check_costs,
    puzzles.check_reversing,
    puzzles.check_goals,
    puzzles.check_features,
    puzzles.check_ways_back,
    puzzles.check_projections,
    puzzles.check_images,
    puzzles.check_heuristics,
)


def check(
    game: str | Path | Game[Any, Any], *, compiled: bool = True, seconds: float = LONGEST_CHECK
) -> list[ContractProblem]:
    """The problems of a game, given by name, file or description: a list with one line for each.

    `compiled` also compares a compiled random game with the same one in plain Python, which takes some seconds.
    """
    if not isinstance(game, (str, Path, Game)):
        raise SettingError(message("checks.not_a_game", type=type(game).__name__))
    description = game if isinstance(game, Game) else registry.find(game)
    problems: list[ContractProblem] = []
    sample: list[CheckedPosition] = []
    with tiers.use(tiers.INTERPRETED):
        if collect(problems, lambda: check_description(description), seconds):
            return unique(problems)
        collect(problems, lambda: check_generator(description), seconds)
        if isinstance(description, Quest):
            collect(problems, lambda: quests.check_worlds(description), seconds)
            if not problems:
                collect(problems, lambda: quests.check_agents(description), None)
            return unique(problems)
        assert isinstance(description, Searched)
        if collect(problems, lambda: check_start(description), seconds):
            return unique(problems)
        if collect(problems, lambda: take_sample(description, sample), seconds):
            return unique(problems)
        for each in (*OF_BOTH, *(OF_DUELS if description.kind == DUEL else OF_PUZZLES)):
            collect(problems, lambda each=each: each(sample), seconds)  # type: ignore[misc]
    if compiled and not problems:
        collect(problems, lambda: compiled_checks.check_compiled(sample[:1]), None)
        collect(problems, lambda: compiled_checks.check_compiled_guides(sample[:1]), None)
    return unique(problems)


def collect(
    problems: list[ContractProblem],
    checking: Callable[[], Iterator[ContractProblem]],
    seconds: float | None,
) -> bool:
    """Add the problems that a check returns or raises; whether there were any."""
    before = len(problems)
    try:
        if seconds is None:
            problems.extend(checking())
        else:
            with deadline(seconds):
                problems.extend(checking())
    except BrokenContractError as error:
        problems.append(error.problem)
    except (Exception, EndlessVerbError) as error:
        if user_line(error.__traceback__) is None and not getattr(error, "file", ""):
            raise
        problems.append(raised_problem(error, "", None))
    return len(problems) > before


def unique(problems: list[ContractProblem]) -> list[ContractProblem]:
    """Each problem once: those that differ only in the position or the verb count as one."""
    distinct = {replace(problem, position="", verb=""): problem for problem in reversed(problems)}
    return list(reversed(distinct.values()))


def place_of_description(game: Game[Any, Any]) -> tuple[str, int]:
    """The line of the user's file in which GAME is defined."""
    file = place_of(game.read)[0]
    for module in list(sys.modules.values()):
        if getattr(module, "GAME", None) is game and getattr(module, "__file__", None):
            file = str(module.__file__)
    try:
        lines = Path(file).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return file, 0
    numbers = [number for number, line in enumerate(lines, 1) if re.match(r"GAME\b", line)]
    return file, numbers[0] if numbers else 1


def check_description(game: Game[Any, Any]) -> Iterator[ContractProblem]:
    """Names that exist and fit together."""
    file, line = place_of_description(game)

    def problem(id: str, /, **values: object) -> ContractProblem:
        return ContractProblem(file, line, "GAME", "", message(f"checks.{id}", **values))

    for field in ("name", "title", "summary"):
        if not getattr(game, field):
            yield problem("field_text", field=field, came="''")
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.name):
        yield problem("name_form", name=game.name)
    for each in dataclasses.fields(game):
        function = getattr(game, each.name)
        if isinstance(function, LazyFunction):
            try:
                function.load()
            except (ImportError, AttributeError) as error:
                yield problem("not_loaded", field=each.name, why=error)
    names = [level.name for level in game.all_levels()]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield problem("level_twice", name=name)
    asked = Run if isinstance(game, Quest) else Search
    fields = {each.name for each in asked.fields_as_text} - {"seed"}
    for option in game.options:
        if option.name in fields:
            yield problem("option_taken", name=option.name)
    if isinstance(game, Searched):
        yield from check_guides(game, problem)


def check_generator(game: Game[Any, Any]) -> Iterator[ContractProblem]:
    """`read` reads the texts of the generator. A slow generator is not called."""
    generator = game.generator
    if generator is None or generator.stoppable:
        return
    settings = read_settings(generator.settings, {}, "settings.of_generator", game=game.name)
    begin(game, generator.text(0, **settings))
    yield from ()


def check_guides(
    game: Searched[Any, Any], problem: Callable[..., ContractProblem]
) -> Iterator[ContractProblem]:
    """Default, engines and settings of a game that is searched."""
    if game.default_guide and game.default_guide not in game.guides:
        yield problem("no_default", name=game.default_guide, known=", ".join(game.guides) or "-")
    if game.best_engine and game.best_engine not in engines_of(game):
        yield problem("no_best_engine", name=game.best_engine, known=", ".join(engines_of(game)))
    for name in game.unsupported_engines:
        if name not in ENGINES[game.kind]:
            yield problem("no_such_engine", name=name, known=", ".join(ENGINES[game.kind]))
    for name, guide in game.guides.items():
        if not guide.help:
            yield problem("no_help", name=name)
    options = {option.name for option in game.options}
    for engine in engines_of(game).values():
        for setting in engine.settings:
            if setting.name in options | set(BUDGET_SETTINGS) | {"engine", "heuristic", "evaluation"}:
                yield problem("option_taken", name=setting.name)


def check_start(game: Searched[Any, Any]) -> Iterator[ContractProblem]:
    """The result of `read` for the start, and the verbs that every game needs."""
    rules, state, _ = begin(game, game.start)
    problems = list(check_value(state, rules))
    file, line = place_of(game.read)
    yield from (each if each.file else replace(each, file=file, line=line) for each in problems)
    if problems:
        return
    for verb in needed_verbs(game.kind):
        if verb.find(type(rules)) is None:
            yield problem_of(verb, rules, "no_verb", type=class_name(rules))
    yield from check_most_moves(rules)


def take_sample(game: Searched[Any, Any], sample: list[CheckedPosition]) -> Iterator[ContractProblem]:
    """Walk from every start; the positions are added to the sample."""
    for text in starts(game):
        for seed in SEEDS:
            sample.extend(walk(game, text, seed))
    yield from ()
