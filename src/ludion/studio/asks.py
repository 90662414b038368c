"""The questions that take time: each function checks a request and returns what answers it, `answer(job)`."""

from __future__ import annotations

import copy
import functools
import inspect
import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from ludion import api
from ludion.batch.quests import converted, make_agent
from ludion.batch.records import as_object
from ludion.cli.generate import offered
from ludion.core.verbs import compile_seconds
from ludion.engines.answers import MoveScore, Score
from ludion.engines.limits import Budget, Event, Observer, Progress, StoppedError
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds import quest
from ludion.kinds.card import QUEST, Card, resolve
from ludion.studio.jobs import Job
from ludion.studio.positions import Seen, ShapeError, reach, read_place, require_position, write_action

MOST_SECONDS = 120.0
MEMORY = 512 << 20  # bytes of one search
MOST_EVENTS = 20_000
MOST_STEPS = 5000
MOST_GENERATING = 60.0  # seconds
MOST_INSTANCES, MOST_RUNS = 60, 4
BATCH = 200  # events told at once
LARGEST = 1000  # of a generator's numbers

Answering = Callable[[Job], None]


def number(
    body: Mapping[str, Any], name: str, default: float | None, least: float, most: float
) -> float | None:
    """A number of a request, within its bounds."""
    value = body.get(name, default)
    if value is None or value == default:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ShapeError(f"{name} must be a number")
    if not least <= value <= most:
        raise ShapeError(f"{name} must be from {least:g} to {most:g}, not {value:g}")
    return value


def whole(body: Mapping[str, Any], name: str, default: int | None, least: int, most: int) -> int | None:
    value = number(body, name, default, least, most)
    return None if value is None else int(value)


def words(body: Mapping[str, Any], name: str, default: str = "") -> str:
    value = body.get(name) or default
    if not isinstance(value, str) or len(value) > 200:
        raise ShapeError(f"{name} must be a short text")
    return value


def search_settings(body: Mapping[str, Any], seconds: float) -> dict[str, Any]:
    """Who searches, and with which budget."""
    return {
        "engine": words(body, "engine", "best"),
        "heuristic": words(body, "guide") or None,
        "seconds": number(body, "seconds", seconds, 0.01, MOST_SECONDS),
        "nodes": whole(body, "nodes", None, 1, 1 << 50),
        "depth": whole(body, "depth", None, 1, 120),
    }


def budget(settings: Mapping[str, Any], stop: threading.Event, share: float = 1.0) -> Budget:
    return Budget(settings["seconds"] * share, settings["nodes"], MEMORY, settings["depth"], stop)


class Telling(Observer):
    """Sends the progress of a search, and its events in batches."""

    def __init__(self, job: Job, events: int = 0, **more: Any) -> None:
        super().__init__(events)
        self.job, self.more = job, more
        self.rows: list[list[Any]] = []

    def progress(self, progress: Progress) -> None:
        self.flush()
        self.job.tell("progress", {**vars(progress), **self.more})

    def event(self, event: Event) -> None:
        self.rows.append([event.kind, event.node, event.parent, event.move, event.depth, event.value])
        if len(self.rows) >= BATCH:
            self.flush()

    def flush(self) -> None:
        if self.rows:
            self.job.tell("events", self.rows)
            self.rows = []


def told(position: api.Position, answer: Any) -> dict[str, Any]:
    """An answer for the page."""
    found = as_object(position, answer)
    if answer.score is not None:
        found["score"] = score(answer.score)
    if isinstance(answer.details, dict) and "layers" in answer.details:
        found["layers"] = answer.details["layers"][:200]
    return found


def score(value: Score) -> dict[str, Any]:
    return {"value": value.value, "exact": value.exact, "plies": value.plies, "words": str(value)}


def check_engine(card: Card, settings: Mapping[str, Any]) -> None:
    """Refuse names that do not exist before anything is queued."""
    api.find_engine(card, settings["engine"])
    if (
        settings["heuristic"]
        and settings["heuristic"] != "blind"
        and settings["heuristic"] not in card.guides
    ):
        raise unknown(f"heuristic or evaluation of {card.name}", settings["heuristic"], card.guides)


def solve(card: Card, body: Mapping[str, Any]) -> Answering:
    """The solution or the best line; with `events`, the search at work."""
    settings, position = search_settings(body, 5.0), require_position(read_place(card, body))
    events = whole(body, "events", 0, 0, MOST_EVENTS) or 0
    check_engine(card, settings)

    def answer(job: Job) -> None:
        observer = Telling(job, events)
        found = api.solve(
            position,
            settings["engine"],
            heuristic=settings["heuristic"],
            budget=budget(settings, job.stop),
            observer=observer,
        )
        observer.flush()
        job.tell("answer", told(position, found))

    return answer


class Only(api.Position):
    """A position of which only one move is looked at."""

    def __init__(self, position: api.Position, move: int) -> None:
        super().__init__(position.card, position.rules, position.state, position.options)
        self.only = move

    def codes(self) -> list[int]:
        return [self.only]


def scores(card: Card, body: Mapping[str, Any]) -> Answering:
    """What every legal move is worth, told as it is found."""
    settings, position = search_settings(body, 3.0), require_position(read_place(card, body))
    check_engine(card, settings)

    def answer(job: Job) -> None:
        own = resolve(card.analyse) if card.analyse and settings["engine"] == "best" else None
        codes = position.codes()
        found = []
        if own is not None:
            takes = inspect.signature(own).parameters
            every = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in takes.values())
            given = {"budget": budget(settings, job.stop), "seconds": settings["seconds"]}
            chosen = [name for name in given if name in takes] or (["budget"] if every else [])
            found = list(own(position, **{name: given[name] for name in chosen[:1]}))
        else:
            begin = time.perf_counter() - compile_seconds()  # compiling is not searching
            for index, move in enumerate(codes):
                if job.stop.is_set():
                    break
                spent = time.perf_counter() - compile_seconds() - begin
                left = (settings["seconds"] - spent) / (len(codes) - index)
                limits = Budget(max(0.01, left), settings["nodes"], MEMORY, None, job.stop)
                more = {} if settings["depth"] is None else {"depth": settings["depth"]}
                given = {"heuristic": settings["heuristic"]} if settings["heuristic"] else {}
                if more:
                    given |= {"seconds": limits.seconds, "memory": MEMORY, **more}
                else:
                    given["budget"] = limits
                found += api.analyse(Only(position, move), settings["engine"], **given)
                if index % 8 == 7:
                    job.tell("scores", {"moves": [scored(each) for each in found], "of": len(codes)})
        job.tell(
            "answer",
            {"moves": [scored(each) for each in found], "of": len(codes), "stopped": job.stop.is_set()},
        )

    return answer


def scored(each: MoveScore) -> dict[str, Any]:
    return {
        "name": each.name,
        "score": None if each.score is None else score(each.score),
        "length": each.length,
        "status": each.status,
    }


def compare(card: Card, body: Mapping[str, Any]) -> Answering:
    """Several engines on the same instances, row by row."""
    runs, instances = body.get("runs"), body.get("instances")
    if (
        not isinstance(runs, list)
        or not 1 <= len(runs) <= MOST_RUNS
        or not all(isinstance(each, dict) for each in runs)
    ):
        raise ShapeError(f"runs must be 1 to {MOST_RUNS} engines")
    if not isinstance(instances, list) or not 1 <= len(instances) <= MOST_INSTANCES:
        raise ShapeError(f"instances must be 1 to {MOST_INSTANCES} positions")
    if not all(isinstance(each, dict) for each in instances):
        raise ShapeError("an instance has a start, options and moves")
    if card.kind == QUEST:
        return compare_agents(card, runs, instances)
    chosen = [search_settings({**body, **each}, 5.0) for each in runs]
    for settings in chosen:
        check_engine(card, settings)
    places = []
    for each in instances:
        own = {name: each[name] for name in ("depth",) if each.get(name) is not None}
        places.append(
            (words(each, "name"), require_position(read_place(card, each)), search_settings(own, 5.0))
        )

    def answer(job: Job) -> None:
        for index, (name, position, own) in enumerate(places):
            for column, settings in enumerate(chosen):
                if job.stop.is_set():
                    return
                where = {"instance": index, "run": column}
                row: dict[str, Any]
                try:
                    found = api.solve(
                        position,
                        settings["engine"],
                        heuristic=settings["heuristic"],
                        budget=budget({**settings, "depth": own["depth"] or settings["depth"]}, job.stop),
                        observer=Telling(job, **where),
                    )
                    row = told(position, found)
                except LudionError as error:
                    row = {"status": "error", "reason": str(error)}
                job.tell("row", {**where, "name": name, **row})

    return answer


def compare_agents(card: Card, runs: list[Any], instances: list[Any]) -> Answering:
    """Several agents on the same worlds, row by row."""
    chosen = [agent_settings(card, each) for each in runs]
    places = [(words(each, "name"), reach(read_place(card, each))) for each in instances]

    def answer(job: Job) -> None:
        for index, (name, seen) in enumerate(places):
            for column, settings in enumerate(chosen):
                if job.stop.is_set():
                    return
                record, _ = let_play(card, seen, settings, job)
                row = {"status": record.outcome, "length": record.steps, "seconds": record.seconds}
                row |= {"reason": record.reason, "slowest": record.slowest}
                job.tell("row", {"instance": index, "run": column, "name": name, **row})

    return answer


class Late(threading.Event):
    """Set when the job is stopped, or some seconds have gone by (compiling does not count)."""

    def __init__(self, job: Job, seconds: float) -> None:
        super().__init__()
        self.job, self.seconds = job, seconds
        self.begin = time.perf_counter() - compile_seconds()

    def is_set(self) -> bool:
        spent = time.perf_counter() - compile_seconds() - self.begin
        return self.job.stop.is_set() or spent > self.seconds


def let_play(
    card: Card,
    seen: Seen,
    settings: Mapping[str, Any],
    job: Job,
    watch: Callable[[Any, Any, Any, Any], None] | None = None,
) -> tuple[quest.Record, Any]:
    """An agent plays in a copy of the world; `watch(agent, world, percept, action)` sees it."""
    agent = make_agent(card, settings["agent"], seen.game, settings)
    try:
        record = quest.run(
            copy.deepcopy(seen.state),
            agent,
            steps=settings["steps"],
            watch=functools.partial(watch, agent) if watch else None,
            stop=Late(job, settings["seconds"]),
        )
    finally:
        close = getattr(agent, "close", None)
        if close is not None:
            close()
    return record, agent


def agent_settings(card: Card, body: Mapping[str, Any]) -> dict[str, Any]:
    """Which agent plays, for how long."""
    agents = playing_agents(card)
    name = words(body, "agent", next(iter(agents), ""))
    if name not in agents:
        raise unknown(f"agent of {card.name}", name, agents)
    return {
        "agent": name,
        "steps": whole(body, "steps", 1000, 1, MOST_STEPS) or 1,
        "seconds": number(body, "seconds", 30.0, 0.1, MOST_SECONDS) or 30.0,
        "seed": whole(body, "seed", 0, 0, 1 << 40),
        "view": None,
        "budget": number(body, "thinking", None, 0.001, 10),
    }


def playing_agents(card: Card) -> dict[str, str]:
    """The agents that a browser may call: none that takes a file or a program as its argument."""
    found = {}
    for name, guide in card.agents.items():
        try:
            parameters = inspect.signature(resolve(guide.make)).parameters
        except (ImportError, AttributeError):
            continue  # not there (yet), or something that it needs is not installed
        if "argument" not in parameters:
            found[name] = guide.help
    return found


def run(card: Card, body: Mapping[str, Any]) -> Answering:
    """An agent plays a quest on from where it stands."""
    if card.kind != QUEST:
        raise UnfitError(f"{card.title} is a {card.kind}; agents play quests")
    place = read_place(card, body)
    settings = agent_settings(card, body)
    seen = reach(place)

    def answer(job: Job) -> None:
        acts: list[dict[str, Any]] = []
        last = [time.perf_counter()]

        def flush() -> None:
            job.tell("acts", list(acts))
            acts.clear()
            last[0] = time.perf_counter()

        def watch(agent: Any, world: Any, percept: Any, action: Any) -> None:
            acts.append({"name": write_action(card, seen, action), "thought": thought(agent, percept)})
            if len(acts) >= 100 or time.perf_counter() - last[0] > 0.1:
                flush()

        record, agent = let_play(card, seen, settings, job, watch)
        flush()
        report = resolve(card.report)(record) if card.report is not None else {}
        plain = {
            key: value
            for key, value in report.items()
            if isinstance(value, (int, float, str)) and len(str(value)) < 200
        }
        job.tell(
            "answer",
            {
                "status": record.outcome,
                "ended_by": record.ended_by,
                "reason": record.reason,
                "length": record.steps,
                "seconds": record.seconds,
                "slowest": record.slowest,
                "nodes": int(getattr(agent, "nodes", 0)),
                "engine": settings["agent"],
                "report": plain,
            },
        )

    return answer


def thought(agent: Any, percept: Any) -> dict[str, Any] | None:
    """Why an agent decided as it did, if it tells: the layer, the path, dangers; or what was proved and weighed."""
    found: dict[str, Any] = {}
    for name in ("window", "here"):  # the part of the world that it sees now, and where it is itself
        value = getattr(percept, name, None)
        if value is not None:
            found[name] = list(value)
    last = getattr(agent, "thought", None)
    if last is not None:
        for name in ("layer", "action", "target", "path", "plan", "dangers", "barred", "proved", "weighed"):
            value = getattr(last, name, None)
            if value is not None:
                found[name] = [list(each) for each in value] if isinstance(value, list) else value
        found["words"] = str(last)
    for name in ("risk", "sure"):
        value = getattr(agent, name, None)
        if isinstance(value, (bool, int, float)) and math.isfinite(value):
            found[name] = value
    return found or None


def study(card: Card, body: Mapping[str, Any]) -> Answering:
    """What else the game can tell of a position (risks and proofs in CrocoMine)."""
    if card.study is None:
        raise UnfitError(f"{card.title} has nothing more to tell of a position")
    seen, why = reach(read_place(card, body)), words(body, "why")

    def answer(job: Job) -> None:
        tell = resolve(card.study)
        more = {"why": why} if why and "why" in inspect.signature(tell).parameters else {}
        job.tell("answer", dict(tell(seen.game, copy.deepcopy(seen.state), **more)))

    return answer


def generate(card: Card, body: Mapping[str, Any]) -> Answering:
    """A new position from a seed."""
    parameters = offered(card)
    given = body.get("settings") or {}
    if not isinstance(given, dict):
        raise ShapeError("settings must be names and values")
    chosen: dict[str, Any] = {}
    for name, value in given.items():
        if name not in parameters:
            raise unknown(f"option of {card.name}'s generator", str(name)[:40], parameters)
        chosen[name] = converted(name, str(value)[:100], parameters[name].default)
        if isinstance(chosen[name], (int, float)) and not abs(chosen[name]) <= LARGEST:
            raise ShapeError(f"{name} must be at most {LARGEST}")
    seed = whole(body, "seed", 0, 0, 1 << 40) or 0

    def answer(job: Job) -> None:
        make = resolve(card.generate)
        if "stop" in inspect.signature(make).parameters:
            chosen["stop"] = Late(job, MOST_GENERATING)
        try:
            job.tell("answer", {"seed": seed, "position": str(make(seed, **chosen))})
        except StoppedError:
            if job.stop.is_set():
                raise
            raise ShapeError(f"this took more than {MOST_GENERATING:.0f} s") from None

    return answer


ASKS: dict[str, Callable[[Card, Mapping[str, Any]], Answering]] = {
    "solve": solve,
    "scores": scores,
    "compare": compare,
    "run": run,
    "study": study,
    "generate": generate,
}


def generator_settings(card: Card) -> list[dict[str, Any]]:
    """What can be chosen when a position is generated."""
    if card.generate is None:
        return []
    try:
        return [
            {
                "name": name,
                "default": each.default if isinstance(each.default, (bool, int, float, str)) else "",
            }
            for name, each in offered(card).items()
            if each.kind is not inspect.Parameter.VAR_KEYWORD
        ]
    except (ImportError, AttributeError):
        return []
