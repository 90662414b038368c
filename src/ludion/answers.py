"""Answers of engines with their cost, also in words and as JSON."""

from __future__ import annotations

import functools
import html
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludion.fields import TypedFields, check_type
from ludion.messages import decimal, joined, labelled, message, named
from ludion.tables import Table

if TYPE_CHECKING:
    from rich.text import Text

OPTIMAL, SOLVED, UNSOLVABLE, LIMIT = "optimal", "solved", "unsolvable", "limit"

# The value of a duel: points of an evaluation, from -HIGHEST to HIGHEST; WIN - n for a win in n plies, n - WIN for a
# loss in n plies.
WIN = 10_000
HIGHEST = 9_000


def in_percent(share: float) -> str:
    """A share of 1 for people."""
    return f"{decimal(100 * share, 1)} %"


@functools.total_ordering
@dataclass(frozen=True)
class Score(TypedFields):
    """The value of a position for the player to move: points, or a forced win or loss with its distance.

    The order is total: any win is above all points, a nearer win above a farther one.
    """

    value: int
    exact: bool = False  # proved, not estimated by an evaluation at some depth

    @classmethod
    def win_in(cls, plies: int) -> Score:
        check_type("plies", plies, int)
        return cls(WIN - plies, True)

    @classmethod
    def loss_in(cls, plies: int) -> Score:
        check_type("plies", plies, int)
        return cls(plies - WIN, True)

    @property
    def plies(self) -> int | None:
        """The number of plies to the forced end, if there is one."""
        return WIN - abs(self.value) if abs(self.value) > HIGHEST else None

    def __neg__(self) -> Score:
        return Score(-self.value, self.exact)

    def before(self) -> Score:
        """The score of the move that led here, for the player who made it: negated, and one ply longer."""
        if self.plies is None:
            return -self
        return Score(-self.value + (1 if self.value > 0 else -1), self.exact)

    def __lt__(self, other: Score) -> bool:
        return self.value < other.value

    def __int__(self) -> int:
        return self.value

    def __str__(self) -> str:
        if self.plies is not None:
            outcome = "win" if self.value > 0 else "loss"
            if self.plies == 0:
                return message(f"answers.score_{outcome}_now")
            return message(f"answers.score_{outcome}", n=(self.plies + 1) // 2)
        if self.exact and self.value == 0:
            return message("answers.score_draw")
        return (
            message("answers.score_points", points=f"{self.value:+d}")
            if self.value
            else message("answers.score_even")
        )


@dataclass(frozen=True, eq=True)
class Sign(Score):
    """Win, draw or loss (1, 0, -1), without the distance."""

    def __neg__(self) -> Sign:
        return Sign(-self.value, self.exact)

    def before(self) -> Sign:
        return -self

    def __str__(self) -> str:
        return message(f"answers.sign_{('loss', 'draw', 'win')[self.value + 1]}")


def path_in_words(cost: int, moves: int) -> str:
    """`5 moves`, or `cost 7, 3 moves` where moves have costs."""
    length = message("answers.length", n=moves)
    return length if cost == moves else message("answers.cost", cost=cost, length=length)


@dataclass(frozen=True)
class MoveScore:
    """A legal move with its value."""

    move: int
    name: str  # the move in the notation of the game
    score: Score | None  # duels: for the player who makes the move
    length: int | None  # puzzles: the cost of the best known solution that begins with it
    status: str
    nodes: int
    depth: int | None = None  # duels: plies searched, if they differ from move to move
    line: tuple[str, ...] = ()  # duels: the best line that begins with this move
    moves: int | None = None  # puzzles: how many moves that solution has

    def __str__(self) -> str:
        """What the move is worth, in words."""
        if self.score is not None:
            return str(self.score)
        if self.length is not None:
            return path_in_words(self.length, self.length if self.moves is None else self.moves)
        return message(f"answers.status_{self.status}")

    def _repr_html_(self) -> str:
        return f"<b>{html.escape(self.name)}</b> {html.escape(str(self))}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(f"{self.name}: {self}")

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text.assemble((self.name, "bold"), f": {self}")

    def json(self) -> dict[str, object]:
        worth: dict[str, object] = {"length": self.length}
        if self.score is not None:
            worth = {"score": int(self.score), "words": str(self.score)}
        searched = {} if self.depth is None else {"depth": self.depth, "line": list(self.line)}
        return {"move": self.name, **worth, "status": self.status, "nodes": self.nodes, **searched}


class Analysis(list[MoveScore]):
    """The legal moves with what they are worth, best first: a list that shows itself as a table."""

    def __init__(self, scores: Iterable[MoveScore] = ()) -> None:
        check_type("scores", scores, Iterable)
        super().__init__(scores)
        for each in self:
            check_type("scores", each, MoveScore)

    def table(self) -> Table:
        columns = ("move", "worth", "nodes")
        heads = tuple(message(f"answers.column_{name}") for name in columns)
        return Table("", heads, [(each.name, str(each), each.nodes) for each in self])

    def __str__(self) -> str:
        return "\n".join(f"{each.name:12} {each}" for each in self)

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))

    def __rich__(self) -> Table:
        return self.table()


@dataclass(frozen=True)
class ActionScore:
    """A legal action of a quest with its chance of success, if known."""

    name: str  # the action in the notation of the game
    chance: float | None  # that it goes well, as far as can be known from what is seen
    why: str = ""  # of the action that the agent would take

    def __str__(self) -> str:
        chance = message("answers.chance", chance=in_percent(self.chance)) if self.chance is not None else ""
        return joined((chance, self.why))

    def json(self) -> dict[str, object]:
        return {"move": self.name, "chance": self.chance, "why": self.why}


class MoveNames:
    """A field of names that may be given as a function: it is called when the names are first read."""

    def __get__(self, answer: Answer | None, owner: type | None = None) -> tuple[str, ...]:
        if answer is None:
            return ()  # the default of the field
        names: tuple[str, ...] | Callable[[], tuple[str, ...]] = answer.__dict__["line"]
        if callable(names):
            names = answer.__dict__["line"] = names()
        return names

    def __set__(self, answer: Answer, names: tuple[str, ...] | Callable[[], tuple[str, ...]]) -> None:
        answer.__dict__["line"] = names


@dataclass(frozen=True)
class Answer:
    """An engine's answer, with its cost. What each status promises is in `docs/answers.md`."""

    # optimal: proved best; solved: an answer; unsolvable: proved so; limit: none within the budget
    status: str
    moves: tuple[int, ...] = ()  # the solution, or the best line
    line: MoveNames = MoveNames()  # the same in the notation of the game
    line_is_cut: bool = False  # duels: the best line goes on, but is not known further
    length: int | None = None  # puzzles: the cost of the moves
    score: Score | None = None  # duels
    nodes: int = 0  # positions seen
    expanded: int = 0  # positions whose moves were tried
    frontier: int | None = None  # positions still in the open list at the end, of engines that have one
    depth: int = 0  # the deepest layer or iteration finished
    bound: int | None = None  # puzzles: no solution is cheaper than this
    seconds: float = 0.0  # wall time of the search alone: its kernels were ready
    cpu_seconds: float = 0.0  # CPU time of all threads that took part
    memory: int = 0  # bytes of the largest tables held
    engine: str = ""
    heuristic: str = ""  # puzzles: the heuristic used
    evaluation: str = ""  # duels: the evaluation used
    limit: str = ""  # which limit ended the search: time, nodes, memory, disk, depth, width, stopped
    reason: str = ""  # in words, where there is something to say
    tier: str = ""  # how it was computed: interpreted or compiled
    details: Mapping[str, object] = field(default_factory=dict)  # what only this engine or game reports

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "line": self.line}

    @property
    def found(self) -> bool:
        """Whether there is a solution or a score."""
        return self.status in (OPTIMAL, SOLVED)

    def result(self) -> str:
        """The result in one sentence."""
        if self.status == UNSOLVABLE:
            return message("answers.unsolvable", reason=self.reason)
        if not self.found:
            return message(
                "answers.limit", limit=message(f"answers.limit_{self.limit or 'none'}"), reason=self.reason
            )
        if self.score is not None:
            how = "proved" if self.score.exact else "at_depth"
            return message(f"answers.{how}", score=self.score, depth=self.depth)
        assert self.length is not None
        path = path_in_words(self.length, len(self.moves) or self.length)
        if self.bound == self.length:  # no solution is cheaper, proved by any engine
            return message(f"answers.path_{OPTIMAL}", path=path)
        sentence = message(f"answers.path_{self.status}", path=path)
        if self.status != OPTIMAL and self.bound:
            sentence += message("answers.bound", bound=self.bound)
        return sentence

    def cost(self) -> str:
        """What the answer cost, in one line."""
        parts = [
            message("answers.nodes", n=self.nodes, nodes=decimal(self.nodes, 0)),
            f"{decimal(self.seconds, 3)} s",
        ]
        if self.seconds > 0.001 and self.nodes:
            rate = self.nodes / self.seconds
            in_millions = message("answers.rate", millions=decimal(rate / 1e6, 1))
            parts.append(in_millions if rate >= 1e5 else message("answers.slow_rate", rate=decimal(rate, 0)))
        if self.memory:
            parts.append(message("answers.megabytes", megabytes=decimal(self.memory / 1e6, 1)))
        guide = named("heuristic", self.heuristic) or named("evaluation", self.evaluation)
        engine = named("engine", self.engine)
        engine = message("answers.engine_with", engine=engine, guide=guide) if guide else engine
        line = labelled(engine, ", ".join(parts))
        if self.limit:
            line += message("answers.ended_by", limit=message(f"answers.limit_{self.limit}"))
        return line

    def __str__(self) -> str:
        """The result, the line and the cost, each on its own line."""
        lines = [self.result()]
        if self.found:
            lines += [" ".join([*self.line, *["..."] * self.line_is_cut])] if self.line else []
            lines += [self.reason] if self.reason else []
        return "\n".join([*lines, self.cost()])

    def _repr_html_(self) -> str:
        """The answer in a notebook."""
        result, *rest = (html.escape(line) for line in str(self).split("\n"))
        *more, cost = rest or [""]
        lines = "".join(f"<p>{line}</p>" for line in more)
        return f"<p><b>{result}</b></p>{lines}<p><small>{cost}</small></p>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """What IPython shows in a terminal."""
        printer.text(str(self))

    def __rich__(self) -> Text:
        """What rich prints in a terminal."""
        from rich.text import Text

        result, _, rest = str(self).partition("\n")
        return Text.assemble((result, "bold"), "\n", rest)

    def json(self) -> dict[str, object]:
        """The answer as a JSON object, without the question."""
        fields: dict[str, object] = {"status": self.status}
        if self.score is not None:
            fields |= {"score": int(self.score), "words": str(self.score)}
        else:
            fields["length"] = self.length
        fields |= {
            "moves": list(self.line),
            "nodes": self.nodes,
            "expanded": self.expanded,
            "depth": self.depth,
            "seconds": self.seconds,
            "cpu_seconds": self.cpu_seconds,
            "memory": self.memory,
            "engine": self.engine,
        }
        for name in (
            "frontier",
            "heuristic",
            "evaluation",
            "bound",
            "limit",
            "reason",
            "tier",
            "line_is_cut",
        ):
            value = getattr(self, name)
            if value is not None and value is not False and value != "":
                fields[name] = value
        return fields
