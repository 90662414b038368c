"""A search step by step, as a textbook prints it: nodes with f, g and h, open and closed lists; windows and cuts.

The steps come from the events that the engines record for any observer (`ludion.engines.budget.Event`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ludion.answers import WIN, Answer
from ludion.asking import BEST, GENERAL_BEST, Prepared, engines_of, search
from ludion.engines.budget import Event, Observer
from ludion.errors import UnfitError
from ludion.kinds.games import PUZZLE
from ludion.messages import message
from ludion.positions import Position
from ludion.questions import Search

MOST_EVENTS = 20_000
MOST_LISTED = 16  # nodes of a list in words
NEVER = 1 << 62  # a step that does not come

Costs = tuple[float | None, int | None]  # f and h

# f and h of a node by engine, from its cost so far, the value of its event and the engine's weight. The node with the
# least f is taken next. Other engines have neither.
COSTS: Mapping[str, Callable[[int, int, float], Costs]] = {
    "a-star": lambda g, value, weight: (g + value, value),
    "uniform-cost": lambda g, value, weight: (g, None),
    "greedy": lambda g, value, weight: (value, value),
    "weighted-a-star": lambda g, value, weight: (g + weight * value, value),
    "breadth-first": lambda g, value, weight: (g, None),
    "ida-star": lambda g, value, weight: (value, value - g),
    "beam": lambda g, value, weight: (None, value),
}


def no_costs(g: int, value: int, weight: float) -> Costs:
    """For an engine that has neither f nor h."""
    return None, None


@dataclass(frozen=True)
class TraceNode:
    """A node of a search: how it was reached, and its costs."""

    number: int  # in the order of discovery; the start is 0
    parent: int  # -1 for the start
    move: str  # that led here
    g: int  # cost so far (duels: plies)
    h: int | None = None  # estimate of the rest
    f: float | None = None  # priority: the least is taken first
    again: str = ""  # as a successor: `known` (seen before, not improved) or `better` (by a cheaper path)

    def __str__(self) -> str:
        name = message("trace.node", number=self.number)
        move = f" {self.move}" if self.move else ""
        return f"{name}{move}{self.costs()}{message(f'trace.{self.again}') if self.again else ''}"

    def costs(self) -> str:
        """[f, g, h], as far as the engine has them."""
        parts = [
            f"{name}={value:g}"
            for name, value in (("f", self.f), ("g", self.g), ("h", self.h))
            if value is not None
        ]
        return f" [{', '.join(parts)}]"

    def json(self) -> dict[str, object]:
        values = dataclasses.asdict(self).items()
        return {name: value for name, value in values if value not in (None, "")}


class OpenAndClosed:
    """When each node entered the lists of open and closed nodes, and when it left them."""

    def __init__(self, newest_first: bool) -> None:
        self.newest_first = newest_first
        self.open: list[tuple[int, int, TraceNode]] = []  # from which step on, to which, the node
        self.closed: list[tuple[int, int, TraceNode]] = []
        self.place: dict[tuple[str, int], int] = {}  # of a node in one of the lists, while it is there

    def enter(self, name: str, node: TraceNode, step: int) -> None:
        """Add the node to the list of this name at this step; it leaves the list where it was before."""
        for other in ("open", "closed"):
            place = self.place.pop((other, node.number), None)
            if place is not None:
                entries = getattr(self, other)
                entries[place] = (entries[place][0], step, entries[place][2])
        self.place[name, node.number] = len(getattr(self, name))
        getattr(self, name).append((step, NEVER, node))

    def at(self, name: str, step: int) -> list[TraceNode]:
        """The nodes of the list after this step, in the order in which they entered."""
        return [node for first, last, node in getattr(self, name) if first <= step < last]


@dataclass(frozen=True)
class TraceStep:
    """One step: a node was taken, with its successors and the lists after it; in a duel also values, windows, cuts.

    kind    of a path: expanded, beyond (the bound of IDA*) or goal; of a duel: entered, valued, improved or cut
    """

    number: int  # from 1 on
    kind: str
    node: TraceNode
    successors: tuple[TraceNode, ...] = ()
    value: int | None = None  # duels: for the player at the node; cut: for the player who cuts
    window: tuple[int, int] | None = None  # alpha-beta: alpha and beta at the node
    lists: OpenAndClosed | None = field(default=None, repr=False, compare=False)

    @property
    def open(self) -> list[TraceNode]:
        """The open list after this step, the next one first."""
        if self.lists is None:
            return []
        entered = self.lists.at("open", self.number)
        entered = entered[::-1] if self.lists.newest_first else entered
        return sorted(entered, key=lambda node: node.f or 0)

    @property
    def closed(self) -> list[TraceNode]:
        """The nodes that were taken until now, in that order."""
        return [] if self.lists is None else self.lists.at("closed", self.number)

    def __str__(self) -> str:
        return in_words(self)

    def json(self) -> dict[str, object]:
        """The step as a JSON object."""
        fields: dict[str, object] = {"step": self.number, "kind": self.kind, "node": self.node.json()}
        if self.kind == "expanded":
            fields |= {
                "successors": [each.json() for each in self.successors],
                "open": [each.number for each in self.open],
                "closed": [each.number for each in self.closed],
            }
        if self.value is not None:
            fields["value"] = self.value
        if self.window is not None:
            fields["window"] = list(self.window)
        return fields


class Trace:
    """The steps of a search, and its answer. Iterate over it; `str` is all of it in words.

    `complete` says whether all steps were recorded: the record of a long search stops when it is full.
    """

    def __init__(self, question: Search, answer: Answer, steps: list[TraceStep], complete: bool) -> None:
        self.question, self.answer, self.steps, self.complete = question, answer, steps, complete

    def __iter__(self) -> Iterator[TraceStep]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: int) -> TraceStep:
        return self.steps[index]

    def __str__(self) -> str:
        return "\n".join([*map(str, self.steps), str(self.answer)])

    def __repr__(self) -> str:
        return f"<Trace of {len(self)} steps: {self.question.command()}>"

    def sample(self, count: int) -> list[TraceStep]:
        """At most this many of the steps: half of them from the beginning, the others evenly from the rest, always with
        the last one."""
        total = len(self.steps)
        if total <= count:
            return self.steps
        first = (count + 1) // 2
        rest = count - first
        spread = [first + (total - first) * (i + 1) // rest - 1 for i in range(rest)]
        return [*self.steps[:first], *(self.steps[index] for index in spread)]


def trace(question: Search, events: int = MOST_EVENTS) -> Trace:
    """Ask the question and record the steps of the search. `best` means A* or alpha-beta here."""
    game = question.description()
    general = GENERAL_BEST[game.kind]
    if question.engine == BEST and general in engines_of(game):
        question = dataclasses.replace(question, engine=general)
    prepared, start, observer = question.prepare(), question.start(), Observer(events)
    answer = search(prepared, start, question.budget, observer)
    if not observer.seen and answer.nodes > 1:
        raise UnfitError(message("trace.no_events", engine=prepared.engine_name))
    steps = (path_steps if game.kind == PUZZLE else duel_steps)(prepared, start, observer.seen)
    return Trace(question, answer, list(steps), len(observer.seen) < events)


# ------------------------------------------------------------------ nodes


class Nodes:
    """The nodes of a search so far; positions are replayed when a move has to be named."""

    def __init__(self, prepared: Prepared, start: Position) -> None:
        self.start = start
        self.costs = COSTS.get(prepared.engine_name, no_costs)
        self.weight = float(prepared.settings.get("weight") or 1.5)
        self.known: dict[int, TraceNode] = {}
        self.positions: dict[int, Position] = {0: start}

    def note(self, event: Event, again: str = "") -> TraceNode:
        """The node of an event."""
        before = self.positions.get(event.parent)
        move = ""
        if event.parent < 0:  # the start of the search, or of a further iteration
            self.positions[event.node] = self.start
        if before is not None and event.move >= 0 and event.parent >= 0:
            move = before.write_move(event.move)
            if again != "known" and event.move in before.codes():  # a search from the goal makes other moves
                self.positions[event.node] = before.play(event.move)
        f, h = self.costs(event.depth, event.value, self.weight)
        return TraceNode(event.node, event.parent, move, event.depth, h, f, again)


def path_steps(prepared: Prepared, start: Position, events: list[Event]) -> Iterator[TraceStep]:
    """The steps of a search for a path."""
    nodes = Nodes(prepared, start)
    newest_first = prepared.engine_name != "breadth-first" and not prepared.settings.get("oldest_first")
    lists = OpenAndClosed(newest_first) if any(event.kind == "generated" for event in events) else None
    index, number = 0, 0
    while index < len(events):
        event = events[index]
        index += 1
        number += 1
        node = nodes.known.get(event.node) if lists is not None else None
        node = nodes.known[event.node] = node or nodes.note(event)
        if lists is not None:
            lists.enter("closed", node, number)
        successors = []
        while index < len(events) and events[index].kind in ("generated", "repeated"):
            child = events[index]
            index += 1
            again = "known" if child.kind == "repeated" else "better" if child.node in nodes.known else ""
            successors.append(nodes.note(child, again))
            if child.kind == "generated" and lists is not None:
                nodes.known[child.node] = dataclasses.replace(successors[-1], again="")
                lists.enter("open", nodes.known[child.node], number)
        kind = "beyond" if event.kind == "cut" else event.kind
        yield TraceStep(number, kind, node, tuple(successors), lists=lists)


def duel_steps(prepared: Prepared, start: Position, events: list[Event]) -> Iterator[TraceStep]:
    """The steps of a search of a duel."""
    nodes = Nodes(prepared, start)
    for number, event in enumerate(events, 1):
        if event.kind in ("cut", "improved"):  # of a node that was entered before, by one of its moves
            here = nodes.positions.get(event.node)
            move = here.write_move(event.move) if here is not None else ""
            depth = event.depth if event.kind == "cut" else 0
            yield TraceStep(number, event.kind, TraceNode(event.node, -1, move, depth), value=event.value)
        elif event.kind == "valued":
            yield TraceStep(number, event.kind, nodes.note(event), value=event.value)
        else:
            window = (event.value, event.beta) if event.value < event.beta else None
            yield TraceStep(number, "entered", nodes.note(event), window=window)


# ------------------------------------------------------------------ in words


def in_words(step: TraceStep) -> str:
    """A step in one or some lines."""
    if step.kind not in ("expanded", "goal", "beyond"):
        return _duel_line(step)
    name = {"expanded": "taken"}.get(step.kind, step.kind)
    lines = [message(f"trace.{name}", step=step.number, node=step.node)]
    if step.successors:
        lines += [f"     {each}" for each in step.successors]
        listed = [str(each.number) if each.f is None else f"{each.number}({each.f:g})" for each in step.open]
        lines.append(message("trace.open", count=len(listed), nodes=_listed(listed)))
        closed = [str(each.number) for each in step.closed]
        lines.append(message("trace.closed", count=len(closed), nodes=_listed(closed)))
    return "\n".join(lines)


def _duel_line(step: TraceStep) -> str:
    indent, move = "  " * step.node.g, step.node.move or message("trace.start")
    if step.kind == "valued":
        return f"{step.number:4} {indent}{move} = {step.value}"
    if step.kind == "cut":
        return f"{step.number:4} {indent}{message('trace.cut', move=move, value=step.value)}"
    if step.kind == "improved":
        return f"{step.number:4} {indent}{message('trace.improved', move=move, value=step.value)}"
    window = (
        ""
        if step.window is None
        else " " + message("trace.window", alpha=_end(step.window[0]), beta=_end(step.window[1]))
    )
    return f"{step.number:4} {indent}{move}{window}"


def _end(value: int) -> str:
    """An end of a window; beyond every win it is infinite."""
    if abs(value) > WIN:
        return "+∞" if value > 0 else "-∞"
    return str(value)


def _listed(names: list[str]) -> str:
    return " ".join(names[:MOST_LISTED]) + (" ..." if len(names) > MOST_LISTED else "")
