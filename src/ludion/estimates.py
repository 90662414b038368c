"""The value of a heuristic or an evaluation for one position, with its parts: in words, as JSON, as marks on the
board."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ludion import registry, svg
from ludion.answers import WIN, Score
from ludion.engines.budget import Budget, Observer
from ludion.errors import LudionError, UnfitError, unknown
from ludion.kinds.games import DUEL, OPEN, PUZZLE, Game, Heuristic, Searched
from ludion.kinds.parts import Place, ValuePart
from ludion.messages import message, named

MOST_LISTED = 24  # parts; of more, those that count for something are listed
GUIDES = {PUZZLE: "heuristic", DUEL: "evaluation"}  # what guides an engine is called by the kind of game


@dataclass(frozen=True)
class Estimate:
    """The value that engines use, with its summands.

    A heuristic estimates the cost of a solution; an evaluation gives points to the player to move.
    """

    game: Searched[Any, Any] = field(repr=False)
    rules: Any = field(repr=False)
    state: Any = field(repr=False)
    kind: str  # heuristic or evaluation
    name: str
    value: int

    @property
    def admissible(self) -> bool:
        """Whether it is a heuristic that never overestimates, as the trivial one does not."""
        return self.name not in self.game.guides or getattr(self.game.guides[self.name], "admissible", False)

    @functools.cached_property
    def parts(self) -> tuple[ValuePart, ...]:
        """The summands of the value; none if the game does not list them."""
        guide = self.game.guides.get(self.name)
        if guide is None or guide.parts is None:
            return ()
        parts = guide.parts(guide.value(self.rules), self.rules, self.state)
        if sum(part.value for part in parts) != self.value:
            return ()  # a finished game, whose end the evaluation does not look at
        return tuple(parts)

    def __int__(self) -> int:
        return self.value

    def __str__(self) -> str:
        """The value in a line, then the parts."""
        lines = [self.in_one_line()]
        shown = [part for part in self.parts if len(self.parts) <= MOST_LISTED or part.value]
        width = max((len(part.name) for part in shown), default=0)
        digits = max((len(f"{part.value:d}") for part in shown), default=0)
        for part in shown:
            lines.append(f"  {part.name:{width}}  {part.value:{digits}d}  {part.note}".rstrip())
        for note, names in self.by_note().items():
            counted = message("answers.part_count", note=note, count=len(names))
            lines.append(f"{counted} ({', '.join(names)})" if len(names) <= MOST_LISTED else counted)
        return "\n".join(lines)

    def in_one_line(self) -> str:
        """The name and the value, in words."""
        name = named(self.kind, self.name)
        if self.kind == "evaluation":
            score = Score(self.value, abs(self.value) == WIN)
            return message("answers.evaluation_value", name=name, value=self.value, score=score)
        proved = "bound" if self.admissible else "guess"
        return message(f"answers.heuristic_{proved}", name=name, value=self.value)

    def by_note(self) -> dict[str, list[str]]:
        """The names of the parts, grouped by their notes: tiles in place, alignments possible for both."""
        notes = Counter(part.note for part in self.parts if part.note)
        return {
            note: [part.name for part in self.parts if part.note == note]
            for note, count in notes.items()
            if count > 1
        }

    def marks(self) -> dict[Place, int]:
        """The sum of the parts at each place of the board."""
        marks: dict[Place, int] = {}
        for part in self.parts:
            for place in part.places:
                marks[place] = marks.get(place, 0) + part.value
        return marks

    def svg(self) -> str:
        """The board with the value of the parts at their places."""
        if self.game.svg is None:
            raise UnfitError(message("errors.no_picture", game=self.game.caption))
        marks = {place: str(value) for place, value in self.marks().items()}
        return svg.marked(self.game.svg(self.rules, self.state), marks)

    def _repr_svg_(self) -> str | None:
        return self.svg() if self.game.svg is not None else None

    def json(self) -> dict[str, object]:
        """The estimate as a JSON object."""
        fields: dict[str, object] = {self.kind: self.name, "value": self.value}
        if self.kind == "heuristic":
            fields["admissible"] = self.admissible
        return {**fields, "parts": [part_object(part) for part in self.parts]}


def part_object(part: ValuePart) -> dict[str, object]:
    places = [place_object(place) for place in part.places]
    return {"name": part.name, "value": part.value, "note": part.note, "places": places}


def place_object(place: Place) -> str | list[int]:
    """A place of the board as JSON has it."""
    return place if isinstance(place, str) else list(place)


# ------------------------------------------------------------------ making them


def no_guide(game: Searched[Any, Any]) -> str:
    """The name of the trivial heuristic or evaluation."""
    return "blind" if game.kind == PUZZLE else "even"


def make_guide(
    game: Searched[Any, Any],
    name: str,
    rules: Any,
    budget: Budget | None = None,
    observer: Observer | None = None,
) -> Any:
    """The value of the heuristic or evaluation of this name, for a search with this budget and observer."""
    guide = game.guides.get(name)
    if isinstance(guide, Heuristic) and guide.budgeted:
        return guide.make(rules, budget=budget, observer=observer)
    if guide is not None:
        return guide.value(rules)
    from ludion.kinds import duel, puzzle

    return puzzle.Blind() if game.kind == PUZZLE else duel.Even()


def check_guide(game: Game[Any, Any], kind: str, name: str) -> Searched[Any, Any]:
    """The game; an error if it has no guide of this kind (heuristic or evaluation) and name."""
    if not isinstance(game, Searched):
        raise UnfitError(message("errors.agent_plays", game=game.caption, name=registry.command_name(game)))
    if kind != GUIDES[game.kind]:
        needed = "evaluation_is_for_duels" if kind == "evaluation" else "heuristic_is_for_puzzles"
        known = ", ".join(game.guides) or message("errors.none")
        raise UnfitError(message(f"errors.{needed}", game=game.caption, known=known))
    if name and name not in game.guides and name != no_guide(game):
        raise unknown(f"errors.{kind}", name, game.guides, game=game.name)
    return game


def estimate(game: Game[Any, Any], rules: Any, position: Any, kind: str, name: str) -> Estimate:
    """The value of the heuristic or evaluation of this name for a position; without a name, of the game's default."""
    from ludion.kinds import duel, puzzle

    searched = check_guide(game, kind, name)
    name = name or searched.default_guide or no_guide(searched)
    guide, status = make_guide(searched, name, rules), searched.status(rules, position)
    if kind == "heuristic":
        value = int(puzzle.estimate(guide, rules, position))
    elif status == OPEN:
        value = int(duel.evaluate(guide, rules, position))
    else:  # evaluations judge open positions only; the rules say what a finished game is worth
        value = {"won": WIN, "lost": -WIN}.get(status, 0)
    return Estimate(searched, rules, position, kind, name, value)


def compare(game: Game[Any, Any], rules: Any, position: Any) -> Iterator[tuple[str, Estimate | str]]:
    """Each heuristic or evaluation of a game with its value, or with the reason why it has none."""
    if not isinstance(game, Searched):
        raise UnfitError(message("errors.agent_plays", game=game.caption, name=registry.command_name(game)))
    for name, guide in game.guides.items():
        try:
            if isinstance(guide, Heuristic) and guide.ready is not None and not guide.ready(rules):
                yield name, message("answers.tables_not_made")
            else:
                yield name, estimate(game, rules, position, GUIDES[game.kind], name)
        except LudionError as error:
            yield name, str(error)
