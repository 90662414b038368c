"""What is measured: a question, asked once. Its result is kept by the question and by the code that answered it."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ludion.batch import PROCESSES, THREADS, run_jobs
from ludion.batch.searches import answer_record
from ludion.engines.budget import Observer
from ludion.errors import LudionError
from ludion.kinds.games import Game, ReportedSearch
from ludion.kinds.lazy import LazyFunction
from ludion.questions import Run, Search, search
from ludion.records.results import ResultStore

Result = Mapping[str, Any]  # a JSON object: the answer, the record of a run, or `error`


@dataclass(frozen=True)
class Measurement:
    """A question to be asked once; its label names the level."""

    question: Search | Run
    repetition: int = 0  # of a question that is asked several times, for its time
    reported: ReportedSearch | None = field(default=None, compare=False)  # the search of an old report

    def key(self, code: str) -> str:
        """What names its result in the store, given the fingerprint of the code that answers."""
        text = json.dumps([code, self.question.key(), self.repetition])
        return hashlib.sha256(text.encode()).hexdigest()

    def json(self) -> dict[str, Any]:
        """The question as a JSON object, without the sources of game files."""
        values = self.question.json()
        values.pop("files", None)
        return {**values, "repetition": self.repetition}


def measure(question: Search | Run, stop: threading.Event | None = None) -> Result:
    """Ask the question: the result as plain values. If it cannot be asked, `error` says why."""
    try:
        if isinstance(question, Run):
            record = question.record(stop)
            return {name: value for name, value in record.items() if name != "moves"}
        start = question.start()
        answer = search(question.prepare(), start, question.budget, Observer(stop=stop))
    except LudionError as error:
        return {"error": str(error)}
    if answer.limit == "stopped":
        raise KeyboardInterrupt
    return answer_record(question.game, start.text, start.options, answer)


@dataclass(frozen=True)
class Measure:
    """`measure` as work for `run_jobs`: `stop` ends the searches of this process."""

    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __reduce__(self) -> tuple[type[Measure], tuple[()]]:
        return Measure, ()  # another process has a stop of its own

    def __call__(self, question: Search | Run) -> Result:
        return measure(question, self.stop)


def code_fingerprint(game: Game[Any, Any]) -> str:
    """A hash of the sources that a game's results depend on: after an edit, they are measured anew."""
    from ludion.core import sources

    read = game.read.load() if isinstance(game.read, LazyFunction) else game.read
    own = sources.fingerprint(read.__module__) or "unknown"
    return f"{sources.cache_folder().name}-{own[:16]}"


def measure_all(
    measurements: Iterable[Measurement],
    store: ResultStore,
    *,
    jobs: int = 1,
    cluster: str | None = None,
    again: bool = False,
) -> Iterator[tuple[Measurement, Result, bool]]:
    """Every measurement with its result, in order, and whether it is new or was in the store.

    Results are kept as soon as they are there, errors never: the next run tries again.
    """
    planned = list(measurements)
    codes: dict[str, str] = {}
    keys = []
    for each in planned:
        game = each.question.game
        if game not in codes:
            codes[game] = code_fingerprint(each.question.description())
        keys.append(each.key(codes[game]))
    stored = {} if again else {key: it for key, it in store.known(keys).items() if "error" not in it}
    missing = [each.question for key, each in zip(keys, planned, strict=True) if key not in stored]
    by = PROCESSES if any(isinstance(question, Run) for question in missing) else THREADS
    results = run_jobs(Measure(), missing, jobs=jobs, by=by, cluster=cluster)
    for key, each in zip(keys, planned, strict=True):
        is_new = key not in stored
        result = next(results) if is_new else stored[key]
        if is_new and "error" not in result:
            store.keep(key, each.json(), result)
        if "level" in result:  # the store may know the same position by another name
            result = {**result, "level": each.question.label}
        yield each, result, is_new
