"""The description of a game as JSON for the page: all choices, in the reader's language."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from ludion import registry
from ludion.asking import BEST, engines_of, find_engine
from ludion.kinds.games import (
    DUEL,
    PUZZLE,
    QUEST,
    AgentMaker,
    Evaluation,
    Heuristic,
    Quest,
    ReportedSearch,
    Searched,
    Step,
    read_steps,
)
from ludion.kinds.settings import Setting
from ludion.messages import language, translated
from ludion.studio.opponents import measured
from ludion.studio.positions import AnyGame

MOST_LEVELS = 1000
KINDS = (PUZZLE, DUEL, QUEST)  # in this order on the page
GUIDES = {PUZZLE: "heuristic", DUEL: "evaluation"}  # what guides an engine is called by the kind of game


def all_games() -> list[AnyGame]:
    """All games, by kind."""
    return sorted(registry.games().values(), key=lambda game: KINDS.index(game.kind))


def label(game: AnyGame, name: str) -> str:
    """The name of an option, a setting or a figure for people: that of the game, or the one that all games share."""
    plain = name.replace("_", " ")
    return game.translate(f"option_name.{name}", translated(f"studio.name.{name}", plain))


def summary(game: AnyGame) -> dict[str, Any]:
    """A game in the list of all."""
    return {
        "name": game.name,
        "kind": game.kind,
        "title": game.caption,
        "summary": game.translate("summary", game.summary),
    }


def details(game: AnyGame) -> dict[str, Any]:
    """Everything that can be chosen for a game."""
    description = summary(game) | {
        "start": game.start,
        "first": game.first_position(),
        "example": game.example,
        "page": f"/static/games/{game.name}.js" if game.page is not None else None,
        "scene": list(game.scene),
        "introduction": []
        if game.introduction is None
        else [step_object(each) for each in read_steps(game.introduction)],
        "options": [option_object(game, each, "option") for each in game.options],
        "levels": [
            {
                "name": each.name,
                "title": game.level_title(each.name),
                "source": each.source,
                "options": dict(each.options),
                "known": dict(each.known),
            }
            for each in game.all_levels()[:MOST_LEVELS]
        ],
        "generator": None
        if game.generator is None
        else [option_object(game, each, "setting") for each in game.generator.settings],
        "opponents": measured().get(game.name, {}),
        "study": game.study is not None,
        "report": game.report is not None,
        "facts": [game.translate(f"fact.{number}", fact) for number, fact in enumerate(game.facts, 1)],
        "engines": [],
        "agents": [],
    }
    if isinstance(game, Quest):
        description["agents"] = [
            {
                "name": name,
                "help": game.translate(f"agent.{name}", maker.help),
                "settings": setting_objects(game, maker.settings),
            }
            for name, maker in playing_agents(game).items()
        ]
    elif isinstance(game, Searched):
        description |= searched_details(game)
    return description


def step_object(step: Step) -> dict[str, Any]:
    """A step of an introduction, in the reader's language."""
    return {
        "start": step.start,
        "options": dict(step.options),
        "task": step.task[language()],
        "after": step.after[language()],
        "moves": list(step.moves),
        "within": step.within,
    }


def playing_agents(game: Quest[Any, Any]) -> dict[str, AgentMaker[Any]]:
    """The agents that a browser may use: none that takes a file or a program as its argument."""
    return {name: maker for name, maker in game.agents.items() if not maker.argument}


def free_settings(settings: Iterable[Setting]) -> list[Setting]:
    """The settings that a browser may choose: numbers, choices, yes or no. A text could name a program to run."""
    return [
        each
        for each in settings
        if (each.type is not str or each.choices) and each.name not in ("seed", "budget", "threads")
    ]


def setting_objects(game: AnyGame, settings: Iterable[Setting]) -> list[dict[str, Any]]:
    """The settings of an engine or an agent."""
    described = []
    for each in free_settings(settings):
        shared = translated(f"engines.setting.{each.name}", each.help)
        described.append(option_object(game, dataclasses.replace(each, help=shared), "setting"))
    return described


def option_object(game: AnyGame, option: Setting, place: str) -> dict[str, Any]:
    """An option of the rules (`place` is option) or of a generator (`place` is setting)."""
    return {
        "name": option.name,
        "label": label(game, option.name),
        "help": game.translate(f"{place}.{option.name}", option.help),
        "type": option.type.__name__,
        "default": "" if option.default is None else option.default,
        "choices": list(option.choices),
    }


def searched_details(game: Searched[Any, Any]) -> dict[str, Any]:
    """The engines of a puzzle or a duel, and their guides."""
    guide = GUIDES[game.kind]
    own = set(game.engines)
    engines = [
        {
            "name": name,
            "help": game.translate(f"engine.{name}", engine.help)
            if name in own
            else translated(f"engines.engine.{name}", engine.help),
            "settings": setting_objects(game, engine.settings),
        }
        for name, engine in engines_of(game).items()
    ]
    best = {"name": BEST, "help": translated(f"engines.engine.{BEST}", "the strongest of this game")}
    return {
        "engines": [best, *engines],
        "best_engine": find_engine(game, BEST)[0],
        f"{guide}s": [guide_object(game, guide, name, each) for name, each in game.guides.items()],
        f"default_{guide}": game.default_guide,
    }


def guide_object(
    game: AnyGame, kind: str, name: str, guide: Heuristic[Any] | Evaluation[Any]
) -> dict[str, Any]:
    help = game.translate(f"{kind}.{name}", guide.help)
    return {"name": name, "help": help, "admissible": getattr(guide, "admissible", False)}


# ------------------------------------------------------------------ the table of an old report


def report_table(game: AnyGame) -> dict[str, Any] | None:
    """The searches of an old report as a comparison: its engines (runs), its instances, and its own figures by instance
    and run; None where it has none."""
    if game.report is None:
        return None
    guide = GUIDES[game.kind]
    searches = game.report.searches()
    runs: list[dict[str, str]] = []
    instances: list[dict[str, Any]] = []
    for search in searches:
        for entries, entry in ((runs, run_of(search, guide)), (instances, instance_of(search))):
            if entry not in entries:
                entries.append(entry)
    figures: list[list[Mapping[str, Any] | None]] = [[None] * len(runs) for _ in instances]
    for search in searches:
        if search.figures is not None:
            row, column = instances.index(instance_of(search)), runs.index(run_of(search, guide))
            figures[row][column] = vars(search.figures)
    return {"runs": runs, "instances": instances, "figures": figures}


def run_of(search: ReportedSearch, guide: str) -> dict[str, str]:
    return {"engine": search.engine, guide: search.guide}


def instance_of(search: ReportedSearch) -> dict[str, Any]:
    return {
        "name": search.instance,
        "start": search.position,
        "options": dict(search.options),
        "depth": search.depth,
    }
