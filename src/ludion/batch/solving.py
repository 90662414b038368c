"""The work of `ludion solve`: one text in, one answer out, as values that can travel."""

from __future__ import annotations

import functools
import hashlib
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ludion.errors import LudionError


class Solved(NamedTuple):
    """What came of one text: the answer as a JSON object, or what is wrong with the text."""

    text: str
    record: dict[str, Any]
    found: bool = False
    error: str = ""
    in_words: str = ""


class GameFile(NamedTuple):
    """A user's game file, with its source so that other machines can have it too."""

    path: str
    source: str


@dataclass(frozen=True)
class Solving:
    """How to solve: the game, the engine, its budget. Called with a text, it gives a `Solved`."""

    game: str
    engine: str = "best"
    guide: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)  # of the game
    settings: Mapping[str, Any] = field(default_factory=dict)  # of the engine
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    memory: int | None = None
    files: tuple[GameFile, ...] = ()
    stop: threading.Event = field(default_factory=threading.Event, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "stop"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, stop=threading.Event())

    def budget(self) -> Any:
        from ludion.engines.limits import Budget

        more = {} if self.memory is None else {"memory": self.memory}
        return Budget(self.seconds, self.nodes, depth=self.depth, stop=self.stop, **more)

    def card(self) -> Any:
        """The game's card, here or on a machine that has never seen its file."""
        from ludion import registry

        for file in self.files:
            load_shipped(file)
        return registry.card(self.game)

    def __call__(self, text: str) -> Solved:
        from ludion import api
        from ludion.batch.records import as_object

        card = self.card()
        try:
            position = api.position(card, text, **self.options)
            answer = api.solve(
                position, self.engine, heuristic=self.guide, budget=self.budget(), **self.settings
            )
        except LudionError as error:
            return Solved(text, {"game": self.game, "position": text}, error=str(error))
        if answer.limit == "stopped":
            raise KeyboardInterrupt
        return Solved(text, as_object(position, answer), answer.found, in_words=in_short(card, answer))

    def many(self, texts: Iterable[str], jobs: int) -> Iterator[Solved]:
        """Many texts at once: in compiled code throughout if the game offers that, else in threads."""
        from ludion import api
        from ludion.batch import in_threads
        from ludion.batch.records import record
        from ludion.kinds.card import resolve

        card = self.card()
        batch = getattr(card, "batch", None)
        if batch is None or self.engine != "best" or self.guide or self.settings or self.depth:
            yield from in_threads(self, texts, jobs) if jobs > 1 else map(self, texts)
            return
        budget = self.budget()
        if self.seconds is None:
            import dataclasses

            budget = dataclasses.replace(budget, stop=None)  # compiled batches have a stop of their own
        for text, answer in resolve(batch)(texts, dict(self.options), jobs, budget):
            if isinstance(answer, LudionError):
                yield Solved(text, {"game": self.game, "position": text}, error=str(answer))
            else:
                named = text.startswith("level:")
                board = api.position(card, text, **self.options).text if named else text
                told = record(card, board, self.options, answer)
                yield Solved(text, told, answer.found, in_words=in_short(card, answer))


def in_short(card: Any, answer: Any) -> str:
    """The gist of an answer, for people."""
    if answer.status == "unsolvable":
        return f"unsolvable: {answer.reason}"
    if not answer.found:
        return f"no answer within the limit ({answer.limit}): {answer.reason}"
    if answer.score is not None:
        return str(answer.score) + (" (proved)" if answer.score.exact else f" (at depth {answer.depth})")
    count = f"{answer.length} moves" if answer.length != 1 else "1 move"
    proved = answer.status == "optimal"
    bound = f" (no solution is shorter than {answer.bound})" if not proved and answer.bound else ""
    return f"{count}, {'optimal' if proved else 'not proved optimal'}{bound}"


def shipped(path: str) -> GameFile:
    """A game file made ready to travel."""
    return GameFile(str(Path(path).resolve()), Path(path).read_text(encoding="utf-8"))


@functools.cache
def load_shipped(file: GameFile) -> None:
    """Load a game file from where it was, or, on another machine, from a copy."""
    from ludion import registry

    path = Path(file.path)
    if not path.is_file() or path.read_text(encoding="utf-8") != file.source:
        mark = hashlib.sha256(file.source.encode()).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"ludion-games-{mark}"
        folder.mkdir(exist_ok=True)
        path = folder / path.name
        path.write_text(file.source, encoding="utf-8")
    registry.load_game_file(path)
