"""Long questions: each function checks a request and returns the function that answers it, `answer(job)`.

A request becomes a `Search` or a `Run` (see `ludion.questions`) before anything is queued, so that a name that does not
exist is refused at once. The position is the one after the moves of the request.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ludion import api, asking, registry
from ludion.answers import Answer, MoveScore, Score
from ludion.asking import BEST, GENERAL_BEST, Prepared, engines_of, find_engine
from ludion.batch.searches import answer_record
from ludion.engines.budget import Budget, Deadline, Observer, Progress, Session, StoppedError
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.games import Quest, Searched
from ludion.kinds.settings import Setting, Value, read_settings
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.studio.descriptions import free_settings, label, playing_agents
from ludion.studio.jobs import Job
from ludion.studio.opponents import OPPONENTS, choose_move
from ludion.studio.positions import (
    AnyGame,
    BadRequestError,
    Body,
    Place,
    Reached,
    own_world,
    reach,
    read_place,
)
from ludion.studio.recordings import MOST_RECORDED, RecordingObserver, record
from ludion.thoughts import thought_of

if TYPE_CHECKING:
    from ludion.kinds.quest import Agent, Record
    from ludion.positions import Position

MOST_SECONDS = 120.0
MEMORY = 512 << 20  # bytes of one search
MOST_WATCHED = 5000  # events of a recording that are shown
MOST_STEPS = 5000
MOST_SPOKEN = 100  # moves of a line that are said in words
MOST_GENERATING = 60.0  # seconds
MOST_INSTANCES, MOST_RUNS = 60, 4
MOST_SEED = 1 << 40
LARGEST = 1000  # of a generator's numbers
LONGEST_SETTING = 100  # characters

Answering = Callable[[Job], None]
Watch = Callable[["Agent", Any, Any, Any], None]  # (agent, world, percept, action)


# ------------------------------------------------------------------ reading requests


def read_number(body: Body, name: str, default: float | None, least: float, most: float) -> float | None:
    """A number of a request, within its bounds."""
    value = Setting(name, "", default, float, (), least, most).read(body.get(name))
    assert value is None or isinstance(value, (int, float))
    return value


def read_whole(body: Body, name: str, default: int | None, least: int, most: int) -> int | None:
    """A whole number of a request, within its bounds."""
    value = Setting(name, "", default, int, (), least, most).read(body.get(name))
    assert value is None or isinstance(value, int)
    return value


def read_text(body: Body, name: str, default: str = "") -> str:
    """A text of a request."""
    return str(Setting(name, "", default).read(body.get(name) or None))


def read_search(game: AnyGame, body: Body, text: str, options: Mapping[str, str], seconds: float) -> Search:
    """The question that a request asks about a position."""
    if "guide" in body:
        raise BadRequestError(message("studio.guide_renamed"))
    engine = read_text(body, "engine", BEST)
    own = find_engine(game, engine)[1].settings if isinstance(game, Searched) else ()
    return Search(
        game.name,
        text,
        options=options,
        settings=read_own_settings(body, own),
        files=registry.files_of(game.name),
        engine=engine,
        heuristic=read_text(body, "heuristic"),
        evaluation=read_text(body, "evaluation"),
        budget=Budget(
            seconds=read_number(body, "seconds", seconds, 0.01, MOST_SECONDS),
            nodes=read_whole(body, "nodes", None, 1, 1 << 50),
            memory=MEMORY,
            depth=read_whole(body, "depth", None, 1, 120),
        ),
    )


def read_own_settings(body: Body, offered: Sequence[Setting]) -> dict[str, Value]:
    """The settings of the engine or agent of a request, among those that a browser may choose."""
    given = body.get("settings") or {}
    if not isinstance(given, dict):
        raise BadRequestError(message("studio.settings_form", most=LONGEST_SETTING))
    free = free_settings(offered)
    settings = read_settings(
        free, given, "settings.of_engine", engine=body.get("engine") or body.get("agent")
    )
    for name, value in settings.items():
        if isinstance(value, (int, float)) and not abs(value) <= LARGEST:
            raise BadRequestError(message("settings.at_most", name=name, most=LARGEST, value=value))
    return settings


def read_run(game: AnyGame, body: Body, text: str, options: Mapping[str, str]) -> Run:
    """The run that a request asks for. If the rules are random, world and agent share one seed."""
    if not isinstance(game, Quest):
        raise UnfitError(message("errors.not_a_quest", game=game.caption, kind=game.kind, name=game.name))
    offered = playing_agents(game)
    agent = read_text(body, "agent", BEST if BEST in offered else next(iter(offered), ""))
    if agent not in offered:
        raise unknown("errors.agent", agent, offered, game=game.name)
    chosen, seed = dict(options), read_whole(body, "seed", None, 0, MOST_SEED)
    if seed is None and chosen.get("seed", "").isascii() and chosen.get("seed", "").isdigit():
        seed = int(chosen.pop("seed"))
    return Run(
        game.name,
        text,
        options=chosen,
        settings=read_own_settings(body, offered[agent].settings),
        files=registry.files_of(game.name),
        agent=agent,
        seed=seed or 0,
        steps=read_whole(body, "steps", 1000, 1, MOST_STEPS) or 1,
        budget=read_number(body, "budget", None, 0.001, 10),
    )


def read_run_seconds(body: Body) -> float:
    """How long a run may take."""
    return read_number(body, "seconds", 30.0, 0.1, MOST_SECONDS) or 30.0


def read_runs(body: Body) -> list[Body]:
    """The engines or agents that a request compares."""
    runs = body.get("runs")
    if not isinstance(runs, list) or not 1 <= len(runs) <= MOST_RUNS:
        raise BadRequestError(message("studio.runs_form", most=MOST_RUNS))
    if not all(isinstance(each, dict) for each in runs):
        raise BadRequestError(message("studio.compared_form"))
    return runs


# ------------------------------------------------------------------ searches


SESSION = Session()  # searches share what they prove, except those that are compared or watched


class WatchingObserver(RecordingObserver):
    """Records a search, and sends its progress."""

    def __init__(self, job: Job) -> None:
        super().__init__(MOST_RECORDED, job.stop)
        self.job = job

    def progress(self, progress: Progress) -> None:
        self.job.send("progress", vars(progress))


class StreamingObserver(Observer):
    """Sends the progress of a search; it ends with its job."""

    def __init__(
        self, job: Job, start: Position | None = None, cell: Mapping[str, int] | None = None
    ) -> None:
        super().__init__(0, job.stop, None if cell else SESSION)
        self.job, self.cell = job, dict(cell or {})  # the cell of a table that the search is to fill
        self.start = start  # the position, if the best line so far is sent in words

    def progress(self, progress: Progress) -> None:
        line = say_line(self.start, progress.line) if self.start is not None else []
        self.job.send("progress", {**vars(progress), "line": line, **self.cell})


def answer_object(here: Position, answer: Answer) -> dict[str, Any]:
    """An answer for the page: its JSON with the result in words and the score in parts."""
    record = answer_record(here.game.name, here.text, here.options, answer)
    record["result"] = answer.result()
    if answer.score is not None:
        record["score"] = score_object(answer.score)
    return record


def score_object(score: Score) -> dict[str, object]:
    return {"value": score.value, "exact": score.exact, "plies": score.plies, "words": str(score)}


def move_object(scored: MoveScore) -> dict[str, object]:
    return {
        "name": scored.name,
        "score": None if scored.score is None else score_object(scored.score),
        "length": scored.length,
        "status": scored.status,
        "words": str(scored),
    }


def search_here(game: AnyGame, body: Body, seconds: float) -> tuple[Search, Prepared, Position]:
    """The prepared question of a request, and its position."""
    here = reach(read_place(game, body)).position
    question = read_search(game, body, here.text, here.options, seconds)
    return question, question.prepare(), here


def solve(game: AnyGame, body: Body) -> Answering:
    """The solution or the best line."""
    question, prepared, here = search_here(game, body, 5.0)
    spoken = read_whole(body, "spoken", 0, 0, MOST_SPOKEN) or 0

    def answer(job: Job) -> None:
        result = asking.search(prepared, here, question.budget, StreamingObserver(job, here))
        job.send("answer", {**answer_object(here, result), "spoken": say_line(here, result.moves[:spoken])})

    return answer


def watch(game: AnyGame, body: Body) -> Answering:
    """A search with its recording, for watching step by step. `best` means an engine that can be watched."""
    if read_text(body, "engine", BEST) == BEST and isinstance(game, Searched):
        general = GENERAL_BEST[game.kind]
        body = {**body, "engine": general if general in engines_of(game) else BEST}
    question, prepared, here = search_here(game, body, 3.0)
    keep = read_whole(body, "keep", 2000, 10, MOST_WATCHED) or 2000

    def answer(job: Job) -> None:
        observer = WatchingObserver(job)
        result = asking.search(prepared, here, question.budget, observer)
        rows = observer.rows()
        recording = record(prepared, here, result, rows, keep) if len(rows) else None
        job.send("answer", {**answer_object(here, result), "recording": recording})

    return answer


def say_line(here: Position, moves: Sequence[int]) -> list[str]:
    """The moves of a line in words."""
    words = []
    for move in moves:
        words.append(here.say_move(move))
        here = here.play(move)
    return words


def scores(game: AnyGame, body: Body) -> Answering:
    """The value of every legal move, sent as soon as it is known."""
    question, prepared, here = search_here(game, body, 3.0)

    def answer(job: Job) -> None:
        count = len(here.codes())
        moves: list[dict[str, object]] = []
        for scored in asking.analyse(
            prepared, here, question.budget, Observer(stop=job.stop, session=SESSION)
        ):
            moves.append(move_object(scored))
            if len(moves) % 8 == 0:
                job.send("scores", {"moves": list(moves), "of": count})
        job.send("answer", {"moves": moves, "of": count, "stopped": job.stop.is_set()})

    return answer


def why(game: AnyGame, body: Body) -> Answering:
    """Why a move is good or bad; without one, the best move and why."""
    reached = reach(read_place(game, body))
    move = read_text(body, "move")
    limits: dict[str, Any] = {
        "memory": MEMORY,
        "seconds": read_number(body, "seconds", 2.0, 0.01, MOST_SECONDS),
    }

    def answer(job: Job) -> None:
        here = own_world(reached).position
        observer = StreamingObserver(job, start=here)
        explanation = api.explain(
            here, move, observer=observer, **({} if isinstance(game, Quest) else limits)
        )
        job.send("answer", explanation.json())

    return answer


def review(game: AnyGame, body: Body) -> Answering:
    """The review of a whole game: each standing, sent when it is known; then the judgements."""
    place = read_place(game, body)
    seconds = read_number(body, "seconds", None, 0.05, MOST_SECONDS)
    moves = reach(place).moves
    limits: dict[str, Any] = {} if isinstance(game, Quest) else {"memory": MEMORY}

    def answer(job: Job) -> None:
        start = own_world(reach(place.after(0))).position
        looking = api.reviewer_of(start, moves, seconds=seconds, **limits)
        for standing in looking.look(Observer(stop=job.stop)):
            job.send("standing", standing.json())
        job.send("answer", looking.review().json())

    return answer


def reply(game: AnyGame, body: Body) -> Answering:
    """The move of an opponent for people, of a named level; it differs from game to game by the seed."""
    name = read_text(body, "opponent", next(iter(OPPONENTS)))
    if name not in OPPONENTS:
        raise unknown("studio.opponent", name, OPPONENTS)
    opponent = OPPONENTS[name]
    question, _, here = search_here(game, {**body, "engine": "", "depth": None}, opponent.seconds)
    seed = read_whole(body, "seed", 0, 0, MOST_SEED) or 0

    def answer(job: Job) -> None:
        if not here.codes():
            raise UnfitError(message("studio.game_over"))
        move = choose_move(question, here, opponent, seed, StreamingObserver(job))
        job.send("answer", {"move": here.write_move(move), "opponent": name})

    return answer


# ------------------------------------------------------------------ comparisons


@dataclass(frozen=True)
class Instance:
    """A row of a comparison: a position by a name of its own."""

    name: str
    place: Place
    reached: Reached
    depth: int | None  # of its own, for duels


def compare(game: AnyGame, body: Body) -> Answering:
    """Several engines or agents on the same instances, row by row."""
    runs, rows = read_runs(body), body.get("instances")
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_INSTANCES:
        raise BadRequestError(message("studio.instances_form", most=MOST_INSTANCES))
    if not all(isinstance(each, dict) for each in rows):
        raise BadRequestError(message("studio.compared_form"))
    instances = [read_instance(game, each) for each in rows]
    if isinstance(game, Quest):
        return compare_agents(game, runs, instances)
    return compare_engines(game, [{**body, **each} for each in runs], instances)


def read_instance(game: AnyGame, row: Body) -> Instance:
    place = read_place(game, row)
    return Instance(read_text(row, "name"), place, reach(place), read_whole(row, "depth", None, 1, 120))


def compare_engines(game: AnyGame, runs: Sequence[Body], instances: Sequence[Instance]) -> Answering:
    first = instances[0].reached.position
    searches = [read_search(game, each, first.text, first.options, 5.0) for each in runs]
    columns = [(question.budget, question.prepare()) for question in searches]

    def answer(job: Job) -> None:
        for index, instance in enumerate(instances):
            for column, (budget, prepared) in enumerate(columns):
                if job.stop.is_set():
                    return
                cell = {"instance": index, "run": column}
                own = Budget(budget.seconds, budget.nodes, budget.memory, instance.depth or budget.depth)
                here = instance.reached.position
                row: dict[str, Any]
                try:
                    result = asking.search(prepared, here, own, StreamingObserver(job, cell=cell))
                    row = answer_object(here, result)
                except LudionError as error:
                    row = {"status": "error", "reason": str(error)}
                job.send("row", {**cell, "name": instance.name, **row})

    return answer


def compare_agents(game: AnyGame, runs: Sequence[Body], instances: Sequence[Instance]) -> Answering:
    runs_by_instance = [
        [read_run(game, each, here.place.start, here.reached.position.options) for each in runs]
        for here in instances
    ]
    seconds = [read_run_seconds(each) for each in runs]

    def answer(job: Job) -> None:
        for index, instance in enumerate(instances):
            for column, question in enumerate(runs_by_instance[index]):
                if job.stop.is_set():
                    return
                record, _ = let_play(question, instance.reached, Deadline(job.stop, seconds[column]))
                row = {"status": record.outcome, "length": record.steps, "seconds": record.seconds}
                row |= {"reason": record.reason, "slowest": record.slowest}
                job.send("row", {"instance": index, "run": column, "name": instance.name, **row})

    return answer


# ------------------------------------------------------------------ runs of agents


def let_play(
    question: Run, reached: Reached, deadline: Deadline, watch: Watch | None = None
) -> tuple[Record, Agent]:
    """An agent plays on in a copy of the world."""
    here = own_world(reached).position
    return question.play(here.rules, here.state, watch, deadline)


def run(game: AnyGame, body: Body) -> Answering:
    """An agent continues a quest from its current state."""
    place = read_place(game, body)
    reached = reach(place)
    question = read_run(game, body, place.start, reached.position.options)
    seconds = read_run_seconds(body)

    def answer(job: Job) -> None:
        acts: list[dict[str, object]] = []
        sent = [time.perf_counter()]

        def flush() -> None:
            job.send("acts", list(acts))
            acts.clear()
            sent[0] = time.perf_counter()

        def watch(agent: Agent, world: object, percept: object, action: object) -> None:
            here = reached.position
            act = {"name": here.write_move(action), "spoken": here.say_move(action)}
            acts.append({**act, "thought": thought_of(game, agent, percept)})
            if len(acts) >= 100 or time.perf_counter() - sent[0] > 0.1:
                flush()

        record, agent = let_play(question, reached, Deadline(job.stop, seconds), watch)
        flush()
        job.send(
            "answer",
            {
                "status": record.outcome,
                "ended_by": record.ended_by,
                "reason": record.reason,
                "length": record.steps,
                "seconds": record.seconds,
                "slowest": record.slowest,
                "nodes": int(getattr(agent, "nodes", 0)),
                "agent": question.agent,
                "statistics": statistics_of(question.description(), record),
            },
        )

    return answer


def statistics_of(game: Quest[Any, Any], record: Record) -> dict[str, int | float | str]:
    """The game's own statistics of a run, under names for people."""
    values = game.statistics(record) if game.statistics is not None else {}
    return {
        label(game, name): value
        for name, value in values.items()
        if isinstance(value, (int, float, str)) and len(str(value)) < 200
    }


# ------------------------------------------------------------------ studies and generators


def study(game: AnyGame, body: Body) -> Answering:
    """The game's own analysis of a position (risks and proofs, for example)."""
    if game.study is None:
        raise UnfitError(message("errors.no_study", game=game.caption))
    reached = reach(read_place(game, body))

    def answer(job: Job) -> None:
        here = own_world(reached).position
        answer = dict(api.study(here))
        if isinstance(answer.get("action"), str):
            answer["spoken"] = here.say_move(here.read_move(answer["action"]))
        job.send("answer", answer)

    return answer


def generate(game: AnyGame, body: Body) -> Answering:
    """A new position from a seed."""
    generator = game.generator
    if generator is None:
        raise UnfitError(message("errors.no_generator", game=game.caption))
    settings = read_generator_settings(game, generator.settings, body.get("settings") or {})
    seed = read_whole(body, "seed", 0, 0, MOST_SEED) or 0

    def answer(job: Job) -> None:
        stop = {"stop": Deadline(job.stop, MOST_GENERATING)} if generator.stoppable else {}
        try:
            job.send("answer", {"seed": seed, "position": generator.text(seed, **settings, **stop)})
        except StoppedError:
            if job.stop.is_set():
                raise
            raise BadRequestError(message("studio.took_too_long", seconds=f"{MOST_GENERATING:.0f}")) from None

    return answer


def read_generator_settings(game: AnyGame, offered: Sequence[Setting], given: object) -> dict[str, Value]:
    """The settings of a request for a new position: numbers that are not too large, texts that are not too long."""
    if not isinstance(given, dict) or any(len(str(value)) > LONGEST_SETTING for value in given.values()):
        raise BadRequestError(message("studio.settings_form", most=LONGEST_SETTING))
    settings = read_settings(offered, given, "settings.of_generator", game=game.name)
    for name, value in settings.items():
        if isinstance(value, (int, float)) and not abs(value) <= LARGEST:
            raise BadRequestError(message("settings.at_most", name=name, most=LARGEST, value=value))
    return settings


def lab(game: AnyGame, body: Body) -> Answering:
    """An experiment of the lab page."""
    from ludion.studio.experiments import measure

    return measure(game, body)


ASKS: dict[str, Callable[[AnyGame, Body], Answering]] = {
    "solve": solve,
    "watch": watch,
    "lab": lab,
    "reply": reply,
    "scores": scores,
    "why": why,
    "review": review,
    "compare": compare,
    "run": run,
    "study": study,
    "generate": generate,
}
