"""The Python interface: positions that parse, print and draw themselves, and the questions to ask of them."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from ludion.engines import ENGINES, Engine
from ludion.engines.answers import OPTIMAL, SOLVED, UNSOLVABLE, Answer, MoveScore, Score
from ludion.engines.limits import DEFAULT_MEMORY, Budget, Observer
from ludion.errors import IllegalMoveError, LudionError, UnfitError, unknown
from ludion.kinds import duel, puzzle, quest
from ludion.kinds.card import DUEL, PUZZLE, QUEST, Card, Guide, Level, resolve
from ludion.registry import card as find_card
from ludion.registry import load_game_file as load_game_file

__all__ = ["Position", "analyse", "best_move", "level", "load_game_file", "perft", "position", "solve"]

OPEN = "open"
VERDICTS = {duel.WON: "won", duel.LOST: "lost", duel.DRAWN: "drawn", duel.OPEN: OPEN}


class Position:
    """A position of a game: a value that prints as a board, draws itself, and is moved on by `play`."""

    def __init__(self, card: Card, rules: Any, state: Any, options: Mapping[str, str] | None = None) -> None:
        self.card, self.rules, self.state = card, rules, state
        self.options = dict(options or {})
        self._kind = {PUZZLE: puzzle, DUEL: duel}[card.kind] if card.kind != QUEST else None

    @property
    def text(self) -> str:
        """The position in one line; `ludion.position` reads it back."""
        return str(resolve(self.card.write)(self.rules, self.state))

    def codes(self) -> list[int]:
        """The legal moves as the engines see them."""
        if self._kind is None or self.status != OPEN:
            return []
        buffer = np.zeros(self._kind.most_moves(self.rules), np.int64)
        return [int(move) for move in buffer[: self._kind.moves(self.rules, self.state, buffer)]]

    def moves(self) -> list[str]:
        """The legal moves in the game's notation."""
        return [self.write_move(move) for move in self.codes()]

    def write_move(self, move: int) -> str:
        write = resolve(self.card.write_move)
        return str(write(self.rules, self.state, move)) if write else str(move)

    def read_move(self, text: str) -> int:
        """The legal move of this name."""
        read = resolve(self.card.read_move)
        codes = self.codes()
        if read is None:
            found = {self.write_move(code): code for code in codes}.get(text)
        else:
            found = int(read(self.rules, self.state, text))
            found = found if found in codes else None
        if found is None:
            legal = ", ".join(self.write_move(code) for code in codes[:12]) + (
                ", ..." if len(codes) > 12 else ""
            )
            why = f"legal: {legal}" if codes else f"the game is over ({self.status})"
            raise IllegalMoveError(f"'{text}' is not a legal move here; {why}")
        return found

    def play(self, *moves: str | int) -> Position:
        """The position after these moves (names, or the engines' ints)."""
        here = self
        for move in moves:
            code = here.read_move(move) if isinstance(move, str) else move
            if code not in here.codes():
                raise IllegalMoveError(f"{code} is not a legal move here")
            assert self._kind is not None
            state = duel.copy(here.rules, here.state) if self._kind is duel else here.state
            here = Position(self.card, here.rules, self._kind.play(here.rules, state, code), self.options)
        return here

    @property
    def status(self) -> str:
        """`open`; for a puzzle `solved`; for a duel `won`, `lost`, `drawn` as the player to move sees it; for a
        quest its outcome."""
        if self._kind is None:
            return str(quest.outcome(self.state))
        if self._kind is puzzle:
            return "solved" if puzzle.is_goal(self.rules, self.state) else OPEN
        return VERDICTS[int(duel.verdict(self.rules, self.state))]

    def svg(self) -> str:
        """The position as an SVG picture."""
        draw = resolve(self.card.svg)
        if draw is None:
            raise UnfitError(f"{self.card.title} has no picture")
        return str(draw(self.rules, self.state))

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.card.svg else None

    def __str__(self) -> str:
        draw = resolve(self.card.text)
        return str(draw(self.rules, self.state)) if draw else self.text

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"ludion.position({self.card.name!r}, {self.text!r}{options})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


def level(card: Card, name: str) -> Level:
    """The shipped level of this name."""
    levels = {each.name: each for each in card.all_levels()}
    if name not in levels:
        raise unknown(f"{card.name} level", name, levels)
    return levels[name]


def position(game: str | Card, text: str = "", **options: str) -> Position:
    """The position that the text names: the game's notation, `level:NAME`, or nothing for the start."""
    card = find_card(game) if isinstance(game, str) else game
    known = {option.name: option for option in card.options}
    for name, value in options.items():
        if name not in known:
            raise unknown(f"option of {card.name}", name, known)
        if known[name].choices and value not in known[name].choices:
            raise unknown(f"{name} of {card.name}", value, known[name].choices)
    text = text.strip()
    if text.startswith("level:"):
        found = level(card, text.removeprefix("level:"))
        text, options = found.position, {**found.options, **options}
    value, state = resolve(card.read)(text or card.start, **options)
    return Position(card, value, state, options)


def engines_for(card: Card) -> dict[str, str]:
    """The names of the engines that can be asked about this game, each with a line of help."""
    general = {e.name: e.help for e in ENGINES.values() if e.kind == card.kind and e.name not in card.without}
    own = {name: (resolve(call).__doc__ or "").strip().split("\n")[0] for name, call in card.engines.items()}
    return {**general, **own, "best": "the strongest this game has"}


def find_engine(card: Card, name: str) -> tuple[str, Any, Engine | None]:
    """The engine of this name as (name, function, its entry if it is a general one)."""
    name = card.best if name == "best" and card.best else name
    if name == "best":
        name = "alpha-beta" if card.kind == DUEL else "a-star"
    if name in card.engines:
        return name, resolve(card.engines[name]), None
    if name in card.without:
        raise UnfitError(f"engine '{name}' does not fit {card.title}")
    if name not in ENGINES:
        raise unknown("engine", name, engines_for(card))
    engine = ENGINES[name]
    if engine.kind != card.kind:
        raise UnfitError(f"engine '{name}' is for a {engine.kind}; {card.title} is a {card.kind}")
    return name, resolve(engine.solve), engine


def make_guide(card: Card, name: str | None, game: Any) -> tuple[str, Any, Guide | None]:
    """The heuristic or evaluation of this name (or the game's first choice) as (name, value, its entry)."""
    if not name:
        name = card.guide
    if not name:
        return (
            ("blind", puzzle.Blind(), Guide(None, "", True))
            if card.kind == PUZZLE
            else ("even", duel.Even(), None)
        )
    if name == "blind" and card.kind == PUZZLE and name not in card.guides:
        return "blind", puzzle.Blind(), Guide(None, "", True)
    if name not in card.guides:
        raise unknown(
            f"{'heuristic' if card.kind == PUZZLE else 'evaluation'} of {card.name}", name, card.guides
        )
    guide = card.guides[name]
    return name, resolve(guide.make)(game), guide


def solve(
    position: Position,
    engine: str = "best",
    *,
    heuristic: str | None = None,
    evaluation: str | None = None,
    seconds: float | None = None,
    nodes: int | None = None,
    depth: int | None = None,
    memory: int | None = None,
    budget: Budget | None = None,
    observer: Observer | None = None,
    **options: Any,
) -> Answer:
    """Ask an engine about a position: the solution of a puzzle, the value and best line of a duel."""
    card = position.card
    if card.kind == QUEST:
        raise UnfitError(f"{card.title} is a quest: an agent plays it (ludion run)")
    if budget is None:
        budget = Budget(seconds, nodes, DEFAULT_MEMORY if memory is None else memory, depth)
    name, call, general = find_engine(card, engine)
    wanted = heuristic if card.kind == PUZZLE else evaluation or heuristic
    if wanted and general is not None and not general.guided:
        raise UnfitError(f"engine '{name}' takes no {'heuristic' if card.kind == PUZZLE else 'evaluation'}")
    check_options(name, call, options)
    why = resolve(card.explain)(position.rules, position.state) if card.explain else None
    if why:
        return Answer(UNSOLVABLE, engine=name, reason=why)
    if card.kind == DUEL and position.status != OPEN:
        if card.final:
            value = resolve(card.final)(position.rules, position.state)
        else:
            value = {"won": Score.win_in(0), "lost": Score.loss_in(0), "drawn": Score(0, True)}[
                position.status
            ]
        return Answer(
            OPTIMAL, score=value, nodes=1, engine=name, reason=f"the game is over ({position.status})"
        )
    guide_name, guide, entry = ("", None, None)
    if general is None or general.guided:
        guide_name, guide, entry = make_guide(card, wanted, position.rules)
    answer: Answer = call(position.rules, position.state, guide, budget, observer, **options)
    if general is not None and general.optimal == "admissible" and entry is not None and not entry.admissible:
        if answer.status == OPTIMAL:
            answer = dataclasses.replace(answer, status=SOLVED, bound=None)
    return dataclasses.replace(
        answer,
        engine=answer.engine or name,
        guide=answer.guide or guide_name,
        line=line(position, answer.moves),
    )


def check_options(name: str, call: Any, options: Mapping[str, Any]) -> None:
    """Refuse options that the engine does not take."""
    taken = list(inspect.signature(call).parameters)[5:]
    for option in options:
        if option not in taken:
            raise unknown(f"option of engine {name}", option, taken)


def line(position: Position, moves: tuple[int, ...]) -> tuple[str, ...]:
    """The moves in the game's notation."""
    names = []
    for move in moves:
        names.append(position.write_move(move))
        position = position.play(move)
    return tuple(names)


def analyse(position: Position, engine: str = "best", **settings: Any) -> list[MoveScore]:
    """Every legal move with its score (duels) or the length of the solution it begins (puzzles), best first."""
    own = resolve(position.card.analyse) if position.card.analyse else None
    if own is not None and engine in ("best", position.card.best):
        return list(own(position, **settings))
    depth = settings.pop("depth", None)
    found = []
    for move in position.codes():
        child = position.play(move)
        if depth is not None and depth <= 1 and position.card.kind == DUEL and child.status == OPEN:
            _, evaluation, _ = make_guide(position.card, settings.get("evaluation"), position.rules)
            answer = Answer(
                SOLVED, score=Score(int(duel.evaluate(evaluation, child.rules, child.state))), nodes=1
            )
        else:
            answer = solve(child, engine, depth=depth - 1 if depth else None, **settings)
        score = answer.score.before() if answer.score is not None else None
        length = None
        if answer.length is not None:
            length = answer.length + int(puzzle.cost(position.rules, position.state, move))
        found.append(MoveScore(move, position.write_move(move), score, length, answer.status, answer.nodes))

    def rank(each: MoveScore) -> tuple[bool, int]:
        if each.score is not None:
            return False, -each.score.value
        return each.length is None, each.length or 0

    return sorted(found, key=rank)


def study(position: Position, **settings: Any) -> dict[str, Any]:
    """What else the game can tell of a position."""
    if position.card.study is None:
        raise UnfitError(f"{position.card.title} has nothing more to tell of a position")
    tell = resolve(position.card.study)
    offered = list(inspect.signature(tell).parameters)[2:]
    for name in settings:
        if name not in offered:
            raise unknown(f"setting of a study of {position.card.name}", name, offered)
    return dict(tell(position.rules, position.state, **settings))


def best_move(position: Position, engine: str = "best", **settings: Any) -> str:
    """The move that an engine would play here."""
    answer = solve(position, engine, **settings)
    if not answer.line:
        raise LudionError(f"no move: {answer.reason or answer.status}")
    return answer.line[0]


def perft(position: Position, depth: int) -> int:
    """How many sequences of `depth` moves there are (those that end sooner do not count)."""
    from ludion.engines.perft import count

    return count(position.rules, position.state, depth, position.card.kind)
