"""Many searches that differ in their position only."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ludion.answers import Answer
from ludion.asking import BEST
from ludion.batch import in_threads
from ludion.engines.budget import Observer
from ludion.errors import LudionError
from ludion.kinds.games import Puzzle
from ludion.questions import Search


class Solved(NamedTuple):
    """The result for one text: the answer as a JSON object, or the error in the text."""

    text: str
    record: dict[str, Any]
    found: bool = False
    error: str = ""
    in_words: str = ""


@dataclass(frozen=True)
class SolveEach:
    """The work of `ludion solve --file`: called with a text, it asks the question about that position."""

    question: Search
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return SolveEach, (self.question,)  # another process has a stop of its own

    def __call__(self, text: str) -> Solved:
        question = self.question.at(text)
        try:
            start = question.start()
            answer = question.answer(Observer(stop=self.stop))
        except LudionError as error:
            return self._failed(text, error)
        if answer.limit == "stopped":
            raise KeyboardInterrupt
        return self._solved(text, start.text, start.options, answer)

    def many(self, texts: Iterable[str], jobs: int) -> Iterator[Solved]:
        """Many texts at once: in compiled code throughout if the game offers that, else in threads."""
        question, game = self.question, self.question.description()
        plain = question.engine == BEST and not (
            question.heuristic or question.settings or question.budget.depth
        )
        if not isinstance(game, Puzzle) or game.solve_batch is None or not plain:
            yield from in_threads(self, texts, jobs) if jobs > 1 else map(self, texts)
            return
        observer = Observer(stop=self.stop)
        for text, answer in game.solve_batch(texts, dict(question.options), jobs, question.budget, observer):
            if isinstance(answer, LudionError):
                yield self._failed(text, answer)
            else:
                named = text.startswith("level:")
                board = question.at(text).start().text if named else text
                yield self._solved(text, board, dict(question.options), answer)

    def _solved(self, text: str, board: str, options: dict[str, str], answer: Answer) -> Solved:
        record = answer_record(self.question.game, board, options, answer)
        return Solved(text, record, answer.found, in_words=answer.result())

    def _failed(self, text: str, error: LudionError) -> Solved:
        return Solved(text, {"game": self.question.game, "position": text}, error=str(error))


def answer_record(game: str, text: str, options: dict[str, str], answer: Answer) -> dict[str, Any]:
    """An answer with the position it is about, as the JSON object that `--json` prints and files keep."""
    return {"game": game, "position": text, **({"options": options} if options else {}), **answer.json()}
