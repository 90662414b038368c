"""What is measured: one engine with one guide on one instance, once."""

from __future__ import annotations

import fnmatch
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from ludion.batch import carry_out
from ludion.batch.quests import Task, play
from ludion.batch.solving import GameFile, Solving
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.card import DUEL, PUZZLE, QUEST, Card, Level, resolve
from ludion.lab.store import Store


@dataclass(frozen=True)
class Trial:
    """One measurement; everything that decides its outcome, and nothing else."""

    game: str
    level: str
    position: str
    options: Mapping[str, str] = field(default_factory=dict)
    engine: str = "best"
    guide: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    memory: int | None = None
    repetition: int = 0
    files: tuple[GameFile, ...] = ()
    task: Task | None = None  # quests: the game that an agent plays


def measure(trial: Trial) -> dict[str, Any]:
    """Carry out a trial: its result as plain values. What is wrong with it is in `error`."""
    if trial.task is not None:
        try:
            result = play(trial.task)
        except LudionError as error:
            return {"error": str(error)}
        return {name: value for name, value in result.items() if name != "moves"}
    solving = Solving(
        trial.game,
        trial.engine,
        trial.guide or None,
        trial.options,
        trial.settings,
        trial.seconds,
        trial.nodes,
        trial.depth,
        trial.memory,
        trial.files,
    )
    solved = solving(trial.position)
    return {"error": solved.error} if solved.error else solved.record


def fingerprint(card: Card) -> str:
    """A mark of the code that the results of a game depend on: other code, other results."""
    from ludion.core import verbs

    module = card.read.partition(":")[0] if isinstance(card.read, str) else resolve(card.read).__module__
    return f"{verbs.cache_folder().name}-{(verbs.fingerprint(module) or 'unknown')[:16]}"


def key(trial: Trial, mark: str) -> str:
    """What names a trial in the store."""
    told = asdict(trial) | {
        "files": [hashlib.sha256(file.source.encode()).hexdigest() for file in trial.files]
    }
    text = json.dumps([mark, told], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def choose_levels(card: Card, wanted: str | None) -> list[Level]:
    """The levels of these names (`a,b`), patterns (`report-*`), sets (`report`, by source), or `all`."""
    levels = card.all_levels()
    if wanted is None:
        return levels or [Level("start", card.start)]
    if wanted == "all":
        return levels
    chosen: list[Level] = []
    for word in (word.strip() for word in wanted.split(",") if word.strip()):
        exact = [level for level in levels if level.name == word]
        found = exact or [
            level
            for level in levels
            if fnmatch.fnmatchcase(level.name, word) or level.name.startswith(f"{word}-")
        ]
        found = found or [level for level in levels if word.lower() in level.source.lower().split()]
        if not found:
            raise unknown(f"{card.name} level", word, [level.name for level in levels])
        chosen += [level for level in found if level not in chosen]
    return chosen


def plan(
    card: Card,
    levels: Sequence[Level],
    *,
    engines: Sequence[str] = (),
    guides: Sequence[str] = (),
    depths: Sequence[int] = (),
    options: Mapping[str, str] | None = None,
    repeat: int = 1,
    **budget: Any,
) -> list[Trial]:
    """The grid of trials: level by level, engine by engine, guide by guide, depth by depth."""
    from ludion import api

    if card.kind == QUEST:
        raise UnfitError(f"{card.title} is a quest: plan its games with plan_quest")
    trials = []
    for level in levels:
        for engine in engines or default_engines(card):
            name, _, general = api.find_engine(card, engine)
            guided = general is None or general.guided
            for guide in guides if guided and guides else [""]:
                if guide:
                    check_guide(card, guide)
                for depth in depths if card.kind == DUEL and depths else [None]:
                    for repetition in range(repeat):
                        trials.append(
                            Trial(
                                card.name,
                                level.name,
                                level.position,
                                {**level.options, **(options or {})},
                                name,
                                guide or (card.guide if guided else ""),
                                repetition=repetition,
                                **(budget | ({} if depth is None else {"depth": depth})),
                            )
                        )
    return trials


def check_guide(card: Card, guide: str) -> None:
    if guide not in card.guides and not (guide == "blind" and card.kind == PUZZLE):
        kind = "heuristic" if card.kind == PUZZLE else "evaluation"
        raise unknown(f"{kind} of {card.name}", guide, card.guides)


def default_engines(card: Card) -> list[str]:
    """Those to compare when none are named."""
    wanted = (
        ("negamax", "alpha-beta") if card.kind == DUEL else ("breadth-first", "greedy", "a-star", "ida-star")
    )
    return [name for name in wanted if name not in card.without]


def plan_quest(
    card: Card,
    levels: Sequence[Level],
    *,
    agents: Sequence[str] = (),
    games: int = 100,
    seed: int = 0,
    options: Mapping[str, str] | None = None,
    steps: int = 10_000,
    patience: float | None = None,
) -> list[Trial]:
    """The games of every agent on every level, with the same seeds for all agents."""
    names = list(agents) or [name for name, guide in card.agents.items() if "FILE" not in guide.help]
    for name in names:
        if name.partition(":")[0] not in card.agents:
            raise unknown(f"agent of {card.name}", name, card.agents)
    seeded = any(option.name == "seed" for option in card.options)
    trials = []
    for level in levels:
        for agent in names:
            for number in range(seed, seed + games):
                chosen = {**level.options, **(options or {}), **({"seed": str(number)} if seeded else {})}
                settings: dict[str, Any] = {"seed": number, "view": None, "budget": None, "named": {}}
                task = Task(card.name, level.position, chosen, agent, settings, steps, patience, level.name)
                trials.append(
                    Trial(card.name, level.name, level.position, chosen, agent, task=task, repetition=number)
                )
    return trials


def conduct(
    trials: Iterable[Trial],
    store: Store,
    mark: str,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    again: bool = False,
) -> Iterator[tuple[Trial, dict[str, Any], bool]]:
    """Every trial with its result, in order, and whether it was measured now (or the store had it)."""
    every = list(trials)
    keys = [key(trial, mark) for trial in every]
    had = {} if again else store.known(keys)
    missing = [(name, trial) for name, trial in zip(keys, every, strict=True) if name not in had]
    by = "processes" if any(trial.task is not None for trial in every) else "threads"
    results = carry_out(measure, [trial for _, trial in missing], jobs=jobs, by=by, cluster=cluster)
    for name, trial in zip(keys, every, strict=True):
        if name in had:
            yield trial, had[name], False
            continue
        result = next(results)
        store.keep(name, trial, result)
        yield trial, result, True


def with_files(trials: list[Trial], files: tuple[GameFile, ...]) -> list[Trial]:
    """The same trials, which carry a user's game files with them."""
    return [replace(trial, files=files) for trial in trials] if files else trials
