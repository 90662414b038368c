"""Measurements: a question is asked until its time is known precisely enough. The key of its result has the question,
the code that answered it and the machine."""

from __future__ import annotations

import hashlib
import json
import math
import platform
import statistics
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludion.answers import Answer
from ludion.asking import search
from ludion.batch import PROCESSES, THREADS, run_jobs
from ludion.batch.searches import answer_record
from ludion.core import tiers
from ludion.engines.budget import Observer
from ludion.errors import LudionError, QuestionError
from ludion.kinds.games import Game, ReportedSearch
from ludion.kinds.lazy import LazyFunction
from ludion.lab.statistics import relative_precision
from ludion.messages import message
from ludion.questions import Run, Search
from ludion.records.results import ResultStore

Result = Mapping[str, Any]  # a JSON object: the answer with all its `runs`, the record of a run, or `error`

CLOCK = (
    2  # what is measured as time: results of an earlier clock, which counted start-up, are not shown again
)
WARM_UP = 0.5  # seconds: a search that is shorter is asked once more than it is counted


@dataclass(frozen=True)
class Repeats:
    """How often a search is repeated: until its median time is known to `precision`, a share of it.

    At least `least` times, at most `most` times, and no more once all runs together took `seconds`: long searches need
    fewer repetitions.
    """

    precision: float = 0.1
    least: int = 5
    most: int = 30
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.precision < math.inf:
            raise QuestionError(message("errors.must_be_positive", name="precision", value=self.precision))

    @classmethod
    def exactly(cls, count: int) -> Repeats:
        return cls(least=count, most=count, seconds=math.inf)

    def are_enough(self, runs: Sequence[Mapping[str, float]]) -> bool:
        """Whether the time is known precisely enough after these runs."""
        if len(runs) >= self.most or (runs and sum(run["seconds"] for run in runs) >= self.seconds):
            return True
        return len(runs) >= self.least and relative_precision(times_of({"runs": runs})) <= self.precision


@dataclass(frozen=True)
class Measurement:
    """A question to be asked; its label names the level."""

    question: Search | Run
    reported: ReportedSearch | None = field(default=None, compare=False)  # the search of an old report

    def key(self, code: str) -> str:
        """The key of its result in the store, given the fingerprint of the code that answers."""
        timed = [CLOCK, platform.node()] if isinstance(self.question, Search) else []
        return hashlib.sha256(json.dumps([code, self.question.key(), *timed]).encode()).hexdigest()

    def json(self) -> dict[str, Any]:
        """The question as a JSON object, without the sources of game files."""
        values = self.question.json()
        values.pop("files", None)
        return values


# ------------------------------------------------------------------ asking


class RepeatedQuestion(NamedTuple):
    """A question, how often to ask it, and the times of earlier runs."""

    question: Search | Run
    repeats: Repeats
    runs: tuple[Mapping[str, float], ...] = ()


def measure(
    question: Search | Run,
    repeats: Repeats | None = None,
    stop: threading.Event | None = None,
    runs: Sequence[Mapping[str, float]] = (),
) -> Result:
    """Ask the question until its time is known; return the result as plain values, `runs` with the times of each run.

    If the question fails, `error` says why.
    """
    try:
        if isinstance(question, Run):
            with tiers.compiled_first():
                record = question.record(stop)
            return {name: value for name, value in record.items() if name != "moves"}
        return _measure_search(question, repeats or Repeats(), stop, runs)
    except LudionError as error:
        return {"error": str(error)}


def _measure_search(
    question: Search,
    repeats: Repeats,
    stop: threading.Event | None,
    earlier: Sequence[Mapping[str, float]],
) -> Result:
    start, prepared, observer = question.start(), question.prepare(), Observer(stop=stop)
    runs = list(earlier)

    def ask() -> Answer:
        answer = search(prepared, start, question.budget, observer)
        if answer.limit == "stopped":
            raise KeyboardInterrupt
        return answer

    with tiers.compiled_first():
        answer = ask()
        if answer.seconds >= WARM_UP:
            runs.append(run_times(answer))
        while not repeats.are_enough(runs):
            answer = ask()
            runs.append(run_times(answer))
    medians = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    record = answer_record(question.game, start.text, start.options, answer)
    return {**record, **medians, "runs": runs}


def run_times(answer: Answer) -> dict[str, float]:
    """The wall time and the processor time of one run (0 if the engine does not report it)."""
    return {"seconds": answer.seconds, "cpu_seconds": answer.cpu_seconds}


def times_of(result: Result) -> list[float]:
    """The seconds of every run: processor time, which other programs hardly change, or else wall time."""
    runs = result.get("runs") or [result]
    name = "cpu_seconds" if all(run.get("cpu_seconds") for run in runs) else "seconds"
    return [run[name] for run in runs if name in run]


@dataclass(frozen=True)
class Measure:
    """`measure` as work for `run_jobs`: `stop` ends the searches of this process."""

    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Measure], tuple[()]]:
        return Measure, ()  # another process has a stop of its own

    def __call__(self, job: RepeatedQuestion) -> Result:
        return measure(job.question, job.repeats, self.stop, job.runs)


def code_fingerprint(game: Game[Any, Any]) -> str:
    """A hash of the sources that a game's results depend on: after an edit, they are measured again."""
    from ludion.core import sources

    read = game.read.load() if isinstance(game.read, LazyFunction) else game.read
    own = sources.fingerprint(read.__module__) or "unknown"
    return f"{sources.cache_folder().name}-{own[:16]}"


def measure_all(
    measurements: Iterable[Measurement],
    store: ResultStore,
    *,
    repeats: Repeats | None = None,
    jobs: int = 1,
    cluster: str | None = None,
    again: bool = False,
    stop: threading.Event | None = None,
) -> Iterator[tuple[Measurement, Result, bool]]:
    """Every measurement with its result, in order, and whether it is new or was in the store.

    A search whose stored time is not precise enough is repeated. Results are saved at once, errors never: the next run
    tries again. `stop` ends a running search, with KeyboardInterrupt.
    """
    repeats = repeats or Repeats()
    planned = list(measurements)
    codes: dict[str, str] = {}
    keys = []
    for each in planned:
        game = each.question.game
        if game not in codes:
            codes[game] = code_fingerprint(each.question.description())
        keys.append(each.key(codes[game]))
    stored = {} if again else {key: it for key, it in store.known(keys).items() if "error" not in it}
    missing = []
    for key, each in zip(keys, planned, strict=True):
        runs = stored[key].get("runs", ()) if key in stored else ()
        if key not in stored or (isinstance(each.question, Search) and not repeats.are_enough(runs)):
            missing.append(RepeatedQuestion(each.question, repeats, tuple(runs)))
            stored.pop(key, None)
    by = PROCESSES if any(isinstance(job.question, Run) for job in missing) else THREADS
    results = run_jobs(Measure(stop or threading.Event()), missing, jobs=jobs, by=by, cluster=cluster)
    for key, each in zip(keys, planned, strict=True):
        is_new = key not in stored
        result = next(results) if is_new else stored[key]
        if is_new and "error" not in result:
            store.keep(key, each.json(), result)
        if "level" in result:  # the store may have the same position under another name
            result = {**result, "level": each.question.label}
        yield each, result, is_new
